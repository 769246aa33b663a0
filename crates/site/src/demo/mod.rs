//! A site to look at and to try things on: a class of thirty, six weeks of submissions, and games that the referee has
//! played. Samples and levels of the built-in players sit in the seats of programs whose authors do not exist.

mod cast;
mod error;
mod season;

use std::collections::{BTreeMap, HashMap};
use std::path::PathBuf;

use agon_arena::opening_file::is_usually_balanced;
use agon_catalog::Game;
use agon_game::seed::Stream;
use agon_referee::limits::GameLimits;

use crate::builtins::builtins;
use crate::error::Refusal;
use crate::finals::{self, FinalForm};
use crate::secret;
use crate::store::{Competition, EntryRule, ReplayRule, SiteStore, TeamError, TeamLimits};
pub use cast::MAX_PEOPLE;
use cast::{Cast, rungs};
pub use error::DemoError;
use season::{Agents, DAY, ScriptedCompetition, Season, has_python};

/// How long the history is, in days.
pub const DAYS: u32 = 42;

/// The most games of a demonstration.
pub const MAX_GAMES: u32 = 100_000;

/// The size of a demonstration.
#[derive(Clone, Debug)]
pub struct DemoTerms {
    /// An empty folder for the programs while they are played.
    pub folder: PathBuf,
    /// The seed for everything: who takes part, what they submit, who meets whom, and how they play.
    pub seed: u64,
    /// The number of people, at most [`MAX_PEOPLE`].
    pub people: usize,
    /// About how many games of ladders are played.
    pub games: u32,
    /// Games played at once.
    pub threads: usize,
    /// The limits of the site.
    pub limits: GameLimits,
    /// Whether programs play, too, not just built-in players.
    pub programs: bool,
    /// The end of the history.
    pub now: i64,
}

/// What was created.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct DemoSite {
    /// The administrator.
    pub host: String,
    /// The name of one member of the class.
    pub member: String,
    /// The password of all accounts.
    pub password: String,
    pub accounts: u64,
    pub programs: u32,
    pub versions: u64,
    pub games: u64,
    pub days: u32,
}

/// The share of the games for each game of the catalogue; further games have as much as the last one.
const SHARES: [f64; 4] = [0.5, 0.04, 0.3, 0.16];

/// Fills an empty store. `progress` hears after each day how many have passed.
///
/// # Errors
/// [`DemoError::Taken`] if anybody has an account there.
pub fn make(store: &mut SiteStore, terms: &DemoTerms, progress: &mut dyn FnMut(u32)) -> Result<DemoSite, DemoError> {
    if store.counts()?.accounts > 0 || store.has_host()? {
        return Err(DemoError::Taken);
    }
    let start = terms.now - i64::from(DAYS) * DAY - terms.now.rem_euclid(DAY);
    let cast = Cast::new(terms.seed, terms.people);
    let password = secret::word()[..12].to_owned();
    let (accounts, captains) = people(store, &cast, &password, start)?;
    let mut stream = Stream::new(terms.seed, "demo: programs");
    let competitions = competitions(store, &cast, start, terms.programs && has_python(), &mut stream)?;
    let mut season = Season {
        store,
        agents: Agents::new(terms.limits, terms.folder.clone()),
        threads: terms.threads,
        start,
        end: terms.now,
        accounts,
        captains,
        actors: HashMap::new(),
        games: 0,
        stream: Stream::new(terms.seed, "demo: games"),
    };
    let weight = |day: u32| 1 + day / 8 + u32::from(day % 7 < 5);
    let all: u32 = (1..=DAYS).map(weight).sum();
    for day in 0..=DAYS {
        season.submissions(&competitions, day)?;
        if day > 0 {
            season.ladders(&competitions, day, (terms.games * weight(day)).div_ceil(all))?;
        }
        for scripted in &competitions {
            if scripted.competition.closes.is_some() && scripted.days[1] == day && day < DAYS {
                held(&mut season, &scripted.competition, terms)?;
            }
        }
        progress(day);
    }
    let store = &mut *season.store;
    for (text, days) in [
        ("Welcome to the class arena. This site is a demonstration: its people do not exist.", 41),
        ("연습 경기는 언제든지 열려 있습니다. 제출하기 전에 규칙을 읽어 보세요.", 12),
        ("The machines were moved last night; ratings are as they were.", 1),
    ] {
        store.announce(text, terms.now - days * DAY)?;
    }
    let counts = store.counts()?;
    Ok(DemoSite {
        host: cast::HOST.to_owned(),
        member: cast.owners[0].name.to_owned(),
        password,
        accounts: counts.accounts,
        programs: competitions.iter().map(|scripted| scripted.programs.len() as u32).sum(),
        versions: counts.versions,
        games: counts.games,
        days: DAYS,
    })
}

/// The accounts of the cast by their places, and of each team's place the account of its first member.
fn people(
    store: &mut SiteStore,
    cast: &Cast,
    password: &str,
    start: i64,
) -> Result<(Vec<i64>, HashMap<usize, i64>), DemoError> {
    // One hash for all: computing it takes as long as a hundred moves.
    let hash = secret::hash(password);
    let taken = |name: &str| DemoError::Judge(format!("the name `{name}` is taken"));
    let limits = TeamLimits { teams: 5, members: 20 };
    store.create_account(cast::HOST, &hash, true, start)?.ok_or_else(|| taken(cast::HOST))?;
    let (mut accounts, mut captains) = (Vec::new(), HashMap::new());
    for (at, owner) in cast.owners.iter().enumerate() {
        let when = start + at as i64 * 600;
        if !cast.is_team(at) {
            accounts.push(store.create_account(owner.name, &hash, false, when)?.ok_or_else(|| taken(owner.name))?);
            continue;
        }
        let first = accounts[owner.members[0]];
        let refused = |error: TeamError| DemoError::Judge(error.to_string());
        let team = store.create_team(owner.name, first, limits, when)?.map_err(refused)?;
        for member in &owner.members[1..] {
            store.ask_to_join(team, cast.owners[*member].name, limits, when)?.map_err(refused)?;
            store.join_team(team, accounts[*member], limits, when)?.map_err(refused)?;
        }
        captains.insert(at, first);
        accounts.push(team);
    }
    Ok((accounts, captains))
}

/// The ladders that every site has, two competitions that are limited in time, and one to come.
fn competitions(
    store: &mut SiteStore,
    cast: &Cast,
    start: i64,
    python: bool,
    stream: &mut Stream,
) -> Result<Vec<ScriptedCompetition>, DemoError> {
    let day = |number: u32| start + i64::from(number) * DAY + 18 * 3600;
    let games = Game::all();
    let of = |at: usize| games[at % games.len()];
    let limited = |slug: &str, title: &str, game: Game, [from, to]: [u32; 2], description: &str| Competition {
        id: 0,
        slug: slug.to_owned(),
        title: title.to_owned(),
        game,
        parameters: BTreeMap::new(),
        openings: if is_usually_balanced(game) { 0 } else { game.openings.usual_plies },
        balanced: is_usually_balanced(game),
        clock_ms: game.has_turns().then_some(5000),
        memory_mib: None,
        languages: None,
        opens: Some(day(from) - 10 * 3600),
        // Late in the evening, when the last game of the day has been played.
        closes: Some(day(to) + 5 * 3600 + 1800),
        daily: Some(5),
        entry: EntryRule::Open,
        replays: ReplayRule::Always,
        description: description.to_owned(),
        created: start,
    };
    let cup = "Teams and single players, one evening of finals. Every opening is drawn anew and played once from \
               either seat.";
    let league = "한 달 동안 이어지는 교실 리그입니다. 마지막 날에 상위 여덟 프로그램이 결선을 치릅니다.";
    let added = [
        (limited("class-league", "교실 리그", of(2), [10, 36], league), 0.3, [10, 36], 0.4),
        (limited("autumn-cup", "Autumn Cup", of(0), [28, DAYS + 3], cup), 0.5, [28, DAYS], 0.5),
        (
            limited("winter-marathon", "Winter Marathon", of(1), [DAYS + 6, DAYS + 34], ""),
            0.0,
            [DAYS + 6, DAYS + 34],
            0.0,
        ),
    ];
    let mut all = Vec::new();
    for (at, competition) in store.competitions()?.into_iter().enumerate() {
        store.enter_builtins(competition.id, &builtins(&competition), start)?;
        let people = [0.9, 0.25, 0.6, 0.35].get(at).copied().unwrap_or(0.2);
        let programs = cast.programs(&competition, people, [0, DAYS - 1], python, stream);
        let share = SHARES.get(at).or(SHARES.last()).copied().unwrap_or_default();
        let rungs = rungs(&competition);
        all.push(ScriptedCompetition { competition, rungs, share, days: [1, DAYS], programs });
    }
    for (mut competition, share, days, people) in added {
        competition.id = store.put_competition(&competition)?.unwrap_or_default();
        store.enter_builtins(competition.id, &builtins(&competition), start)?;
        let last = days[1].min(DAYS);
        let programs = if people > 0.0 {
            cast.programs(&competition, people, [days[0], last - 1], python, stream)
        } else {
            Vec::new()
        };
        let rungs = rungs(&competition);
        all.push(ScriptedCompetition { competition, rungs, share, days, programs });
    }
    Ok(all)
}

/// Plays the final of a competition on the evening of its last day.
fn held(season: &mut Season, competition: &Competition, terms: &DemoTerms) -> Result<(), DemoError> {
    let begin = competition.closes.unwrap_or(terms.now) + 600;
    let title = format!("{} 결선", competition.title);
    let form = FinalForm {
        title,
        kind: "swiss".to_owned(),
        // Most pairs of games between similar programs are level: with few of them, many programs would be level.
        games: 4,
        rounds: 6,
        seed: terms.seed.to_string(),
        ..FinalForm::default()
    };
    let id =
        finals::begin_at(season.store, competition, &form, terms.limits, begin).map_err(|refused| match refused {
            Refusal::Store(error) => DemoError::Store(error),
            Refusal::Field(wrong) => DemoError::Judge(wrong.reason.to_string()),
            _ => DemoError::Judge("the final was refused".to_owned()),
        })?;
    let Some(one) = season.store.final_by_id(id)? else { return Ok(()) };
    season.play_final(&one, competition, begin)
}

#[cfg(test)]
mod tests {
    use crate::store::{CheckState, PlacedProgram};

    use super::*;

    /// A small demonstration, and those of its parts that must not depend on the clock.
    fn made(seed: u64) -> (tempfile::TempDir, SiteStore, DemoSite, Vec<String>) {
        let folder = tempfile::tempdir().unwrap();
        let mut store = SiteStore::open(&folder.path().join("site.db")).unwrap();
        // Without programs, which would need a jail.
        let terms = DemoTerms {
            folder: folder.path().to_owned(),
            seed,
            people: 6,
            games: 30,
            threads: 2,
            limits: GameLimits::default(),
            programs: false,
            now: 1_700_000_000,
        };
        let mut days = Vec::new();
        let site = make(&mut store, &terms, &mut |day| days.push(day)).unwrap();
        assert_eq!(days, (0..=DAYS).collect::<Vec<_>>());
        let mut seen = Vec::new();
        for competition in store.competitions().unwrap() {
            for PlacedProgram { program, .. } in store.ladder(competition.id, 0, 100).unwrap() {
                seen.push(format!("{} {} {:.3}", competition.slug, program.name, program.rating));
            }
            for bout in store.recent(competition.id, i64::MAX, 1000).unwrap() {
                assert!(bout.begun < terms.now, "nothing happens in the future");
                seen.push(format!("{} {} {:?}", bout.id, bout.reason, bout.winner));
            }
        }
        (folder, store, site, seen)
    }

    #[test]
    fn a_demonstration_follows_from_its_seed() {
        let (_folder, mut store, site, seen) = made(1);
        assert_eq!((site.accounts, site.days), (7, DAYS));
        assert!(site.games > 60 && site.programs > 15, "{site:?}");
        let competitions = store.competitions().unwrap();
        let find = |slug: &str| competitions.iter().find(|competition| competition.slug == slug).unwrap();
        let [closed, cup] = ["class-league", "autumn-cup"].map(find);
        let finals = store.finals_of(closed.id).unwrap();
        assert_eq!(finals.len(), 1);
        assert!(finals[0].title.ends_with("결선") && finals[0].state == crate::store::FinalState::Complete);
        let ladder: Vec<_> = store.ladder(cup.id, 0, 100).unwrap().into_iter().map(|row| row.program).collect();
        assert!(ladder.iter().any(|program| program.team) && ladder.iter().any(|program| program.games > 0));
        for program in ladder.iter().filter(|program| program.builtin.is_none()) {
            let versions = store.versions(program.id).unwrap();
            assert!(versions.iter().all(|version| version.state == CheckState::Passed), "{versions:?}");
        }
        // The rules prove what was played, as for any other record.
        let game = store.recent(cup.id, i64::MAX, 1).unwrap().remove(0);
        let text = store.record_of_bout(game.id).unwrap().unwrap();
        let record = agon_referee::record::Record::read(&text).unwrap();
        let setup = agon_catalog::Setup { seed: record.header.seed, parameters: record.header.parameters.clone() };
        let mut state = cup.game.initial_state(&setup).unwrap();
        agon_referee::replay::prove(&record, state.as_mut()).unwrap();
        assert_eq!(record.header.agents[0].agent, game.seats[0].label());
        assert_eq!(made(1).3, seen);
        let terms = DemoTerms {
            folder: std::env::temp_dir(),
            seed: 1,
            people: 6,
            games: 1,
            threads: 1,
            limits: GameLimits::default(),
            programs: false,
            now: 1_700_000_000,
        };
        assert!(matches!(make(&mut store, &terms, &mut |_| {}), Err(DemoError::Taken)));
    }

    #[test]
    fn names_of_the_cast_are_valid_and_differ() {
        let cast = Cast::new(3, MAX_PEOPLE);
        let mut names: Vec<&str> = cast.owners.iter().map(|owner| owner.name).collect();
        for name in &names {
            crate::names::check_account_name(name, 24, crate::names::Named::Account).unwrap();
        }
        names.sort_unstable();
        names.dedup();
        assert_eq!(names.len(), cast.owners.len());
        let mut members: Vec<usize> = cast.owners.iter().flat_map(|owner| owner.members.clone()).collect();
        members.sort_unstable();
        members.dedup();
        assert_eq!(members.len(), 15, "each is in one team at most");
    }
}
