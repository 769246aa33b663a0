//! Finals: their plans, their standings, and which game comes next.

use std::collections::{HashMap, HashSet};
use std::fmt::Write as _;

use agon_arena::export::csv_field;
use agon_arena::opening_file::OpeningFile;
use agon_arena::plan::{Entrant, Kind};
use agon_arena::slot::Slot;
use agon_arena::store::StoreError;
use agon_arena::summary::Summary;
use agon_arena::{Plan, Standings, Tally, schedule};
use agon_message::{Message, messages};
use agon_referee::limits::GameLimits;
use agon_referee::record::Winner;

use crate::clock::now;
use crate::error::{FieldError, Refusal};
use crate::names::{check_line, in_order};
use crate::secret;
use crate::store::{Competition, FinalBout, PlacedProgram, SiteBout, SiteFinal, SiteProgram, SiteStore};

pub use crate::final_form::FinalForm;

pub const MAX_PROGRAMS: u32 = 64;
const MAX_GAMES: u64 = 10_000;
const MAX_TITLE_CHARS: usize = 60;
/// Games of a pairing.
const MAX_PAIRING_GAMES: u32 = 100;
const MAX_SWISS_ROUNDS: u32 = 50;
/// Built-in players in a final.
pub const MAX_CHAMPIONS: u32 = 8;
/// How far in the future a final may begin.
const MAX_DAYS: i64 = 366;
/// Divisions by rating.
pub const MAX_DIVISIONS: u32 = 8;

messages! {
    /// Why a final does not begin.
    pub enum FinalError {
        Title { limit: usize } = "title must be one line of at most {limit} characters",
        Champions { limit: u32 } = "a final has at most {limit} built-in players",
        Divisions { limit: u32 } = "divisions are `groups` or a number up to {limit}",
        Seed = "seed must be a number or empty",
        PairingGames { limit: u32 } =
            "games of a pairing must be an even number up to {limit}, because seats are swapped",
        Rounds { limit: u32 } = "a Swiss tournament has 1 to {limit} rounds",
        Kind { kind: String } = "unknown kind of final: `{kind}`; choose round-robin or swiss",
        TooFewPrograms = "a final needs at least two programs on the ladder",
        Begins { days: i64 } = "a final begins at a time to come, within {days} days",
        TooManyGames { games: u64, limit: u64 } = "this final would have {games} games; the limit is {limit}",
    }
}

/// The next step of a final.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum FinalStep {
    /// Play this game.
    Play(Slot),
    /// Everything that may be played now is being played.
    Wait,
    /// All games have been played.
    Done,
}

/// The tally of a final's finished games, round by round as far as rounds are complete; of the round in progress, what
/// there is.
pub fn final_tally(plan: &Plan, bouts: &[FinalBout]) -> Tally {
    walk(plan, bouts, |_| ()).0
}

/// The slot of this number, as far as its round can be known from the games that have ended.
pub fn slot(plan: &Plan, bouts: &[FinalBout], number: u32) -> Option<Slot> {
    let mut found = None;
    walk(plan, bouts, |slot| found = found.or((slot.number == number).then_some(*slot)));
    found
}

/// What to do next.
pub fn next(plan: &Plan, bouts: &[FinalBout]) -> FinalStep {
    walk(plan, bouts, |_| ()).1
}

/// The pairings whose games come first, by their places in the plan.
pub fn first_pairings(plan: &Plan, most: usize) -> Vec<[usize; 2]> {
    let mut pairings: Vec<[usize; 2]> = Vec::new();
    walk(plan, &[], |slot| {
        let [first, second] = slot.seats;
        if pairings.len() < most && !pairings.contains(&[first, second]) && !pairings.contains(&[second, first]) {
            pairings.push([first, second]);
        }
    });
    pairings
}

/// The tally and the next step; each known slot is passed to `each` on the way.
fn walk(plan: &Plan, bouts: &[FinalBout], mut each: impl FnMut(&Slot)) -> (Tally, FinalStep) {
    let known: HashMap<u32, &FinalBout> = bouts.iter().map(|bout| (bout.slot, bout)).collect();
    let swiss = matches!(plan.kind, Kind::Swiss { .. });
    let (mut tally, mut step) = (Tally::new(plan), FinalStep::Done);
    for number in 0..plan.rounds() {
        let round = schedule::round(plan, number, &tally);
        for slot in schedule::slots(plan, &round) {
            each(&slot);
            match known.get(&slot.number).map(|bout| summary(plan, &slot, bout)) {
                Some(Some(summary)) => tally.add(&summary),
                Some(None) if step == FinalStep::Done => step = FinalStep::Wait,
                None if !matches!(step, FinalStep::Play(_)) => step = FinalStep::Play(slot),
                Some(None) | None => {}
            }
        }
        // The next round of a Swiss tournament depends on all of this one.
        if swiss && step != FinalStep::Done {
            break;
        }
    }
    (tally, step)
}

/// The game of a slot as a tally counts it, if it has ended. A game that a busy machine left undecided is a draw in a
/// Swiss final, in which every pairing of a round is worth the same.
fn summary(plan: &Plan, slot: &Slot, bout: &FinalBout) -> Option<Summary> {
    let mut summary = bout.summary(slot.seats, slot.seed)?;
    let is_undecided = bout.bout.as_ref().is_some_and(SiteBout::is_undecided);
    if is_undecided && matches!(plan.kind, Kind::Swiss { .. }) {
        summary.winner = Winner::Draw;
    }
    Some(summary)
}

/// A game of a final that has ended, by the places of its programs in the plan.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct PlayedPair {
    pub agents: [usize; 2],
    /// The game; `None` if it was deleted with an account.
    pub bout: Option<i64>,
    /// For the first of them: 1, ½ or 0.
    pub points: f64,
}

/// Two programs that meet in a round of a Swiss final, by their places in the plan.
#[derive(Clone, PartialEq, Debug)]
pub struct RoundPairing {
    pub agents: [usize; 2],
    /// The points of both so far.
    pub points: [f64; 2],
    /// Games that have a result, and how many there are.
    pub played: u32,
    pub games: u32,
}

/// A round of a Swiss final.
#[derive(Clone, PartialEq, Debug)]
pub struct FinalRound {
    /// From 1.
    pub number: u32,
    pub pairings: Vec<RoundPairing>,
    /// The participant without an opponent, which gets the points of all games of a pairing once the round has been
    /// played.
    pub bye: Option<usize>,
    /// Whether all its games have ended.
    pub whole: bool,
}

/// The current state of a final: those who are out are left out and come after the others.
pub struct FinalTable {
    pub one: SiteFinal,
    pub bouts: Vec<FinalBout>,
    /// Games that have ended.
    pub played: u64,
    pub standings: Standings,
    /// Those who are out, by their place in the plan.
    pub outs: Vec<usize>,
    pub games: Vec<PlayedPair>,
    /// The rounds of a Swiss final that have been paired, from the first on; empty for others.
    pub rounds: Vec<FinalRound>,
}

impl FinalTable {
    pub fn new(one: SiteFinal, bouts: Vec<FinalBout>, versions: &[i64]) -> Self {
        let out = |agent: &Entrant| agent.agent.parse().is_ok_and(|version: i64| versions.contains(&version));
        let outs = (0..).zip(&one.plan.agents).filter(|(_, agent)| out(agent)).map(|(at, _)| at).collect();
        Self::after(one, bouts, outs, u32::MAX)
    }

    /// A Swiss final after `max_rounds` rounds, or any other in its current state.
    fn after(one: SiteFinal, bouts: Vec<FinalBout>, outs: Vec<usize>, max_rounds: u32) -> Self {
        let plan = &one.plan;
        let known: HashMap<u32, &FinalBout> = bouts.iter().map(|bout| (bout.slot, bout)).collect();
        // Pairings follow from all games, standings only from those that count.
        let (mut paired, mut counted, mut games) = (Tally::new(plan), Tally::new(plan), Vec::new());
        let (swiss, mut rounds) = (matches!(plan.kind, Kind::Swiss { .. }), Vec::new());
        for number in 0..if swiss { plan.rounds().min(max_rounds) } else { plan.rounds() } {
            let round = schedule::round(plan, number, &paired);
            let mut whole = true;
            let from = games.len();
            for slot in schedule::slots(plan, &round) {
                let bout = known.get(&slot.number);
                let Some((bout, summary)) = bout.and_then(|bout| Some((bout, summary(plan, &slot, bout)?))) else {
                    whole = false;
                    continue;
                };
                paired.add(&summary);
                if slot.seats.iter().any(|seat| outs.contains(seat)) {
                    counted.pass_over();
                } else {
                    counted.add(&summary);
                }
                let points = match summary.winner {
                    Winner::First => 1.0,
                    Winner::Second => 0.0,
                    Winner::Draw => 0.5,
                    Winner::Void => continue,
                };
                games.push(PlayedPair { agents: slot.seats, bout: bout.bout.as_ref().map(|bout| bout.id), points });
            }
            if swiss {
                let pairing = |&agents: &[usize; 2]| met(agents, plan.games, &games[from..]);
                let pairings = round.pairings.iter().map(pairing).collect();
                rounds.push(FinalRound { number: number + 1, pairings, bye: round.bye, whole });
                if !whole {
                    break;
                }
            }
        }
        let mut standings = Standings::new(plan, &counted);
        standings.rows.retain(|row| !outs.contains(&row.agent));
        // A built-in player is a mark among the others, and takes no place.
        standings.place(|agent| !one.is_builtin(agent));
        let played = paired.bouts();
        Self { one, bouts, played, standings, outs, games, rounds }
    }

    /// # Errors
    /// [`Refusal::NotFound`].
    pub fn read(store: &SiteStore, id: i64) -> Result<Self, Refusal> {
        let one = store.final_by_id(id)?.ok_or(Refusal::NotFound)?;
        Ok(Self::new(one, store.final_bouts(id)?, &store.final_outs(id)?))
    }

    /// The standings of a Swiss final after this number of rounds, without those who are out today.
    pub fn standings_after(&self, rounds: u32) -> Standings {
        Self::after(self.one.clone(), self.bouts.clone(), self.outs.clone(), rounds).standings
    }

    /// Games that have no result yet.
    pub fn left(&self) -> u64 {
        self.one.plan.bouts().saturating_sub(self.played)
    }

    /// The place of each row.
    pub fn places(&self) -> Vec<Option<usize>> {
        self.standings.rows.iter().map(|row| row.place).collect()
    }

    /// The games of an agent against another one: their numbers, and its points.
    pub fn between(&self, agent: usize, other: usize) -> Vec<(Option<i64>, f64)> {
        let of = |game: &PlayedPair| match game.agents {
            [first, second] if (first, second) == (agent, other) => Some((game.bout, game.points)),
            [first, second] if (first, second) == (other, agent) => Some((game.bout, 1.0 - game.points)),
            _ => None,
        };
        self.games.iter().filter_map(of).collect()
    }
}

/// The result of two programs' games in a round.
fn met(agents: [usize; 2], of: u32, games: &[PlayedPair]) -> RoundPairing {
    let mut pairing = RoundPairing { agents, points: [0.0; 2], played: 0, games: of };
    for game in games {
        let Some(seat) = game.agents.iter().position(|&agent| agent == agents[0]) else { continue };
        let own = if seat == 0 { game.points } else { 1.0 - game.points };
        pairing.points[0] += own;
        pairing.points[1] += 1.0 - own;
        pairing.played += 1;
    }
    pairing
}

/// Takes a program out of a final, so that its games count no longer, or lets it back in.
pub fn set_out(store: &mut SiteStore, id: i64, agent: usize, out: bool) -> Result<(), Refusal> {
    let one = store.final_by_id(id)?.ok_or(Refusal::NotFound)?;
    let version = one.plan.agents.get(agent).and_then(|agent| agent.agent.parse().ok()).ok_or(Refusal::NotFound)?;
    Ok(store.set_final_out(id, version, out, now())?)
}

/// The standings as comma-separated values (RFC 4180).
pub fn standings(table: &FinalTable) -> String {
    let one = &table.one;
    let mut text =
        "place,program,points,possible,won,drawn,lost,byes,buchholz,sonneborn_berger,wins_in_second_seat\r\n"
            .to_owned();
    for row in &table.standings.rows {
        let name = csv_field(&one.plan.agents[row.agent].name);
        let (bouts, place) = (row.bouts, row.place.map_or_else(String::new, |place| place.to_string()));
        let _ = write!(
            text,
            "{place},{name},{},{},{},{},{},{},{},{},{}\r\n",
            row.points,
            row.possible,
            bouts.wins,
            bouts.draws,
            bouts.losses,
            row.byes,
            row.buchholz,
            row.sonneborn,
            row.second_seat_wins
        );
    }
    text
}

/// The pairings of a Swiss final as comma-separated values. A program with a bye has no opponent, and its points once
/// the round has been played.
pub fn pairings(table: &FinalTable) -> String {
    let plan = &table.one.plan;
    let name = |agent: usize| csv_field(&plan.agents[agent].name);
    let mut text = "round,program,opponent,points,opponent_points,played,games\r\n".to_owned();
    for FinalRound { number, pairings, bye, whole } in &table.rounds {
        for RoundPairing { agents, points, played, games } in pairings {
            let [one, other] = agents.map(name);
            let _ = write!(text, "{number},{one},{other},{},{},{played},{games}\r\n", points[0], points[1]);
        }
        if let Some(agent) = *bye {
            let points = if *whole { plan.games.to_string() } else { String::new() };
            let _ = write!(text, "{number},{},bye,{points},,0,0\r\n", name(agent));
        }
    }
    text
}

/// The plan of a final between these programs, each given by its name and either the number of its version or its name
/// in the registry of engines.
fn plan(
    form: &FinalForm,
    competition: &Competition,
    limits: GameLimits,
    programs: &[(String, String)],
    readers: &HashSet<String>,
) -> Result<Plan, FieldError> {
    let seed = match form.seed.trim() {
        "" => secret::number() >> 12,
        text => text.parse().map_err(|_| FieldError::new("seed", FinalError::Seed))?,
    };
    if form.games == 0 || form.games % 2 == 1 || form.games > MAX_PAIRING_GAMES {
        return Err(FieldError::new("games", FinalError::PairingGames { limit: MAX_PAIRING_GAMES }));
    }
    let entrant = |(name, agent): &(String, String)| Entrant {
        name: name.clone(),
        agent: agent.clone(),
        rating: None,
        openings: readers.contains(agent),
        fingerprint: agent.clone(),
        clock: None,
        identity: None,
    };
    let kind = match form.kind.as_str() {
        "swiss" if (1..=MAX_SWISS_ROUNDS).contains(&form.rounds) => Kind::Swiss { rounds: form.rounds },
        "swiss" => return Err(FieldError::new("rounds", FinalError::Rounds { limit: MAX_SWISS_ROUNDS })),
        "round-robin" => Kind::RoundRobin,
        other => return Err(FieldError::new("kind", FinalError::Kind { kind: other.to_owned() })),
    };
    let [first, second, ..] = programs else {
        return Err(too_few());
    };
    let mut plan = Plan::of_match(competition.game, [entrant(first), entrant(second)], form.games);
    plan.agents = programs.iter().map(entrant).collect();
    plan.kind = kind;
    plan.parameters.clone_from(&competition.parameters);
    plan.limits = competition.limits(limits);
    plan.seed = seed;
    plan.openings = if readers.is_empty() { 0 } else { competition.openings };
    if competition.balanced
        && let Some(mut file) = OpeningFile::balanced(plan.game, &plan.parameters, seed)
    {
        file.keep(plan.pairs_each());
        plan.opening_file = Some(file);
    }
    if plan.bouts() > MAX_GAMES {
        return Err(FieldError::new("games", FinalError::TooManyGames { games: plan.bouts(), limit: MAX_GAMES }));
    }
    Ok(plan)
}

/// Begins a final between the best programs of a competition, as they are now, and returns its number; of several
/// divisions that of the first one. `limits` are those of the site.
pub fn begin(
    store: &mut SiteStore,
    competition: &Competition,
    form: &FinalForm,
    limits: GameLimits,
) -> Result<i64, Refusal> {
    begin_at(store, competition, form, limits, now())
}

/// The same at a given moment.
pub(crate) fn begin_at(
    store: &mut SiteStore,
    competition: &Competition,
    form: &FinalForm,
    limits: GameLimits,
    at: i64,
) -> Result<i64, Refusal> {
    let plans = plans(store, competition, form, limits)?;
    let begun = store.begin_finals(&plans, None, competition.id, at)?;
    Ok(begun.first().copied().ok_or_else(too_few)?)
}

/// Schedules a final that begins by itself, between the best programs at that time. Mistakes in the form are reported
/// now, but not that there are too few or too many programs, which may change.
///
/// # Errors
/// [`Refusal`] when the form is wrong or the time has passed.
pub fn put_off(
    store: &mut SiteStore,
    competition: &Competition,
    form: &FinalForm,
    limits: GameLimits,
    begins: i64,
) -> Result<(), Refusal> {
    check_begins(begins)?;
    match plans(store, competition, form, limits) {
        Err(Refusal::Field(wrong)) if !depends_on_programs(&wrong) => return Err(wrong.into()),
        Err(error @ Refusal::Store(_)) => return Err(error),
        _ => {}
    }
    let titles = division_titles(store, competition, form)?;
    Ok(store.put_final_to_come(competition.id, form, &titles, begins)?)
}

/// The titles that the divisions of a final would have if each had programs; none if it is undivided.
fn division_titles(store: &SiteStore, competition: &Competition, form: &FinalForm) -> Result<Vec<String>, StoreError> {
    let names = match form.divisions.as_str() {
        "groups" => store.groups(competition.id)?,
        text => (1..=text.parse().unwrap_or(0)).map(|number: u32| number.to_string()).collect(),
    };
    let several = names.len() > 1;
    let title = form.title.trim();
    Ok(names.into_iter().filter(|_| several).map(|name| division_title(title, &name)).collect())
}

fn division_title(title: &str, name: &str) -> String {
    format!("{title} · {name}")
}

/// Whether a final may be scheduled for that time.
///
/// # Errors
/// [`FieldError`] of a time that has passed or is too far away.
pub fn check_begins(begins: i64) -> Result<(), FieldError> {
    let soon = now()..now() + MAX_DAYS * 86_400;
    if soon.contains(&begins) { Ok(()) } else { Err(FieldError::new("begins", FinalError::Begins { days: MAX_DAYS })) }
}

fn depends_on_programs(wrong: &FieldError) -> bool {
    let key = wrong.reason.key();
    let of = |error: FinalError| error.key() == key;
    of(FinalError::TooFewPrograms) || of(FinalError::TooManyGames { games: 0, limit: 0 })
}

/// Begins the finals whose time has come, and returns how many there were. One that cannot begin is marked.
///
/// # Errors
/// [`StoreError`].
pub fn begin_due(store: &mut SiteStore, limits: GameLimits, at: i64) -> Result<usize, StoreError> {
    let mut due = 0;
    for coming in store.finals_to_come()? {
        if coming.failed || coming.begins > at {
            continue;
        }
        let Some(competition) = store.competition(coming.competition)? else { continue };
        due += 1;
        match plans(store, &competition, &coming.form, limits) {
            Ok(finals) => drop(store.begin_finals(&finals, Some(&coming), competition.id, at)?),
            Err(Refusal::Store(error)) => return Err(error),
            Err(_) => store.fail_final_to_come(competition.id)?,
        }
    }
    Ok(due)
}

fn too_few() -> FieldError {
    FieldError::new("contest", FinalError::TooFewPrograms)
}

/// The titles and plans of the finals that a form would begin now, one for each division.
///
/// # Errors
/// [`Refusal`] when the form is wrong, there are fewer than two programs, or there would be too many games.
pub fn plans(
    store: &SiteStore,
    competition: &Competition,
    form: &FinalForm,
    limits: GameLimits,
) -> Result<Vec<(String, Plan)>, Refusal> {
    let title = check_line(&form.title, MAX_TITLE_CHARS, "title", FinalError::Title { limit: MAX_TITLE_CHARS })?;
    if form.champions > MAX_CHAMPIONS {
        return Err(FieldError::new("champions", FinalError::Champions { limit: MAX_CHAMPIONS }).into());
    }
    let mut best: Vec<SiteProgram> = Vec::new();
    let plain = !form.one_each && form.divisions.is_empty();
    for PlacedProgram { program, .. } in store.best(competition.id, if plain { MAX_PROGRAMS } else { u32::MAX })? {
        if !form.one_each || best.iter().all(|known| known.account != program.account) {
            best.push(program);
        }
    }
    let champions: Vec<(String, String)> = store
        .best_builtins(competition.id, form.champions)?
        .into_iter()
        .filter_map(|program| Some((program.name, program.builtin?)))
        .collect();
    let divisions = divided(store, competition.id, &form.divisions, best)?;
    let several = divisions.len() > 1;
    let mut plans = Vec::new();
    for (name, programs) in divisions {
        let named = |program: &SiteProgram| {
            let (version, number) = program.active?;
            let owner = program.owner.as_deref().unwrap_or_default();
            Some((format!("{} v{number} ({owner})", program.name), version.to_string()))
        };
        let mut agents: Vec<(String, String)> = programs.iter().filter_map(named).collect();
        agents.truncate(MAX_PROGRAMS as usize);
        // A division in which a participant has no opponent has no final.
        if several && agents.len() + champions.len() < 2 {
            continue;
        }
        agents.extend(champions.iter().cloned());
        let readers = readers(store, &agents)?;
        let title = if several { division_title(&title, &name) } else { title.clone() };
        plans.push((title, plan(form, competition, limits, &agents, &readers)?));
    }
    if plans.is_empty() { Err(too_few().into()) } else { Ok(plans) }
}

/// The agents that read OPENING lines: the built-in players, and the versions that are known to.
fn readers(store: &SiteStore, agents: &[(String, String)]) -> Result<HashSet<String>, Refusal> {
    let mut readers = HashSet::new();
    for (_, agent) in agents {
        let reads = match agent.parse() {
            Ok(version) => store.version(version)?.is_some_and(|version| version.reads_openings == Some(true)),
            Err(_) => true,
        };
        if reads {
            readers.insert(agent.clone());
        }
    }
    Ok(readers)
}

/// The programs of each division of a final, by the name of the division; the best ones come first.
fn divided(
    store: &SiteStore,
    competition: i64,
    divisions: &str,
    best: Vec<SiteProgram>,
) -> Result<Vec<(String, Vec<SiteProgram>)>, Refusal> {
    match divisions {
        "" | "1" => Ok(vec![(String::new(), best)]),
        "groups" => {
            let group = store.grouped(competition)?;
            let mut all: HashMap<String, Vec<SiteProgram>> = HashMap::new();
            for program in best {
                let name = program.account.and_then(|account| group.get(&account));
                if let Some(name) = name {
                    all.entry(name.clone()).or_default().push(program);
                }
            }
            let mut all: Vec<(String, Vec<SiteProgram>)> = all.into_iter().collect();
            all.sort_by(|(one, _), (other, _)| in_order(one, other));
            Ok(all)
        }
        text => {
            let count = text.parse().ok().filter(|count| (1..=MAX_DIVISIONS).contains(count));
            let wrong = || FieldError::new("divisions", FinalError::Divisions { limit: MAX_DIVISIONS });
            let count = count.ok_or_else(wrong)? as usize;
            // If it does not divide evenly, the first divisions have one more.
            let total = best.len();
            let mut best = best.into_iter();
            let size = |at: usize| total / count + usize::from(at < total % count);
            Ok((0..count).map(|at| ((at + 1).to_string(), best.by_ref().take(size(at)).collect())).collect())
        }
    }
}

#[cfg(test)]
mod tests {
    use crate::store::{BoutKind, SiteSeat};
    use agon_arena::plan::{Entrant, Kind};
    use agon_catalog::Game;
    use agon_message::Stated;
    use agon_referee::verdict::Verdict;

    use super::*;

    fn entrant(name: usize) -> Entrant {
        Entrant {
            name: name.to_string(),
            agent: name.to_string(),
            rating: None,
            openings: false,
            fingerprint: String::new(),
            clock: None,
            identity: None,
        }
    }

    fn bout(slot: u32, winner: Option<Winner>) -> FinalBout {
        let seat = |program| SiteSeat {
            program,
            name: String::new(),
            account: None,
            version: None,
            verdict: winner.map(|_| Verdict::Ok),
            time_ms: winner.map(|_| 1.0),
            rating: None,
            stands_in: false,
        };
        let kind = BoutKind::Final { id: 1, slot };
        let (game, seats) = (Game::RENJU, [seat(1), seat(2)]);
        let reason = Stated::default();
        let bout = SiteBout {
            id: 1,
            competition: 3,
            game,
            kind,
            seats,
            begun: 1,
            winner,
            reason,
            plies: 1,
            game_digest: None,
            repeats: None,
            is_forfeit: false,
        };
        FinalBout { slot, winner, bout: Some(bout) }
    }

    #[test]
    fn a_game_left_undecided_is_a_draw_in_a_swiss_final_alone() {
        let mut undecided = bout(0, Some(Winner::Void));
        if let Some(bout) = &mut undecided.bout {
            bout.seats.iter_mut().for_each(|seat| seat.verdict = Some(Verdict::Interrupted));
        }
        let mut plan = Plan::of_match(Game::RENJU, [entrant(0), entrant(1)], 2);
        let drawn = |plan: &Plan| {
            let (tally, _) = walk(plan, std::slice::from_ref(&undecided), |_| ());
            Standings::new(plan, &tally).rows.iter().map(|row| row.bouts.draws).collect::<Vec<_>>()
        };
        assert_eq!(drawn(&plan), [0, 0]);
        plan.kind = Kind::Swiss { rounds: 1 };
        assert_eq!(drawn(&plan), [1, 1]);
    }

    #[test]
    fn opponents_of_a_program_that_is_out_of_a_swiss_final_have_byes() {
        let (rounds, games) = (3, 2);
        let mut plan = Plan::of_match(Game::RENJU, [entrant(0), entrant(1)], games);
        plan.kind = Kind::Swiss { rounds };
        plan.agents = (0..8).map(entrant).collect();
        let mut bouts = Vec::new();
        while let FinalStep::Play(slot) = next(&plan, &bouts) {
            let [first, second] = slot.seats;
            let winner = if (first * 5 + second * 3) % 8 < 4 { Winner::First } else { Winner::Second };
            bouts.push(bout(slot.number, Some(winner)));
        }
        let title = "Friday".to_owned();
        let one =
            SiteFinal { id: 1, competition: 3, title, plan, state: crate::store::FinalState::Complete, created: 1 };
        for out in 0..8 {
            let table = FinalTable::new(one.clone(), bouts.clone(), &[out as i64]);
            assert_eq!((table.outs.as_slice(), table.standings.rows.len()), (&[out][..], 7));
            for row in &table.standings.rows {
                let met = |other: usize| table.between(row.agent, other);
                let scored: f64 = (0..8).filter(|&other| other != out).flat_map(met).map(|(_, points)| points).sum();
                let bye = met(out).len() as f64;
                let wanted = format!("{} of {}", scored + bye, rounds * games);
                assert_eq!(format!("{} of {}", row.points, row.possible), wanted, "{} without {out}", row.agent);
            }
        }
    }

    #[test]
    fn a_swiss_final_lists_byes_and_pairings() {
        let mut plan = Plan::of_match(Game::RENJU, [entrant(0), entrant(1)], 2);
        plan.kind = Kind::Swiss { rounds: 3 };
        plan.agents = (0..3).map(entrant).collect();
        let mut bouts = Vec::new();
        while let FinalStep::Play(slot) = next(&plan, &bouts) {
            bouts.push(bout(slot.number, Some(Winner::First)));
        }
        let title = "Friday".to_owned();
        let state = crate::store::FinalState::Complete;
        let one = SiteFinal { id: 1, competition: 3, title, plan, state, created: 1 };
        let table = FinalTable::new(one.clone(), bouts.clone(), &[]);
        // Each has drawn both its pairings, and had one bye: 1 + 1 + 2 of 6.
        for row in &table.standings.rows {
            assert_eq!((row.byes, row.bouts.bouts()), (1, 4));
            assert!((row.points - 4.0).abs() < 1e-9 && (row.possible - 6.0).abs() < 1e-9, "{row:?}");
        }
        assert_eq!(table.places(), [Some(1); 3]);
        let text = standings(&table);
        let lines: Vec<&str> = text.lines().collect();
        assert_eq!(
            lines[0],
            "place,program,points,possible,won,drawn,lost,byes,buchholz,sonneborn_berger,wins_in_second_seat"
        );
        assert!(
            lines[1..].iter().all(|line| line.starts_with("1,") && line.contains("\",4,6,2,0,2,1,24,16,0")),
            "{text}"
        );
        assert_eq!(table.rounds.len(), 3);
        let mut rested: Vec<usize> = table.rounds.iter().filter_map(|round| round.bye).collect();
        rested.sort_unstable();
        assert_eq!(rested, [0, 1, 2]);
        for round in &table.rounds {
            assert!(round.whole && round.pairings.len() == 1, "{round:?}");
            let pairing = &round.pairings[0];
            assert_eq!((pairing.points.map(|points| points * 2.0), pairing.played), ([2.0; 2], 2));
        }
        let points = |rounds| {
            let rows = table.standings_after(rounds).rows;
            let mut points: Vec<f64> = rows.iter().map(|row| row.points).collect();
            points.sort_by(f64::total_cmp);
            points
        };
        // One has a bye, and the other two have drawn their pairing.
        assert_eq!((points(1), points(2)), (vec![1.0, 1.0, 2.0], vec![2.0, 3.0, 3.0]));
        assert_eq!((points(3), table.left()), (vec![4.0; 3], 0));
        let text = pairings(&table);
        assert_eq!(text.lines().count(), 7, "{text}");
        assert_eq!(text.lines().filter(|line| line.ends_with(",bye,2,,0,0")).count(), 3, "{text}");
        // A bye has its points when its round has been played.
        let begun = FinalTable::new(one, bouts[..1].to_vec(), &[]);
        assert_eq!((begun.rounds.len(), begun.rounds[0].whole), (1, false));
        assert!(pairings(&begun).contains(",bye,,,0,0"), "{}", pairings(&begun));
        assert_eq!(begun.places().iter().flatten().count(), 2, "who has not played has no place");
    }

    /// Plays a whole final, the first seat winning, and returns how many games it had.
    fn whole(plan: &Plan) -> usize {
        let mut bouts = Vec::new();
        loop {
            match next(plan, &bouts) {
                FinalStep::Play(slot) => {
                    bouts.push(bout(slot.number, None));
                    assert_ne!(next(plan, &bouts), FinalStep::Play(slot), "nothing is played twice");
                    *bouts.last_mut().unwrap() = bout(slot.number, Some(Winner::First));
                }
                FinalStep::Done => return bouts.len(),
                FinalStep::Wait => panic!("nothing is being played"),
            }
        }
    }

    #[test]
    fn who_is_out_of_a_final_counts_no_more_and_the_others_are_counted_anew() {
        let mut plan = Plan::of_match(Game::RENJU, [entrant(0), entrant(1)], 2);
        plan.agents = (0..3).map(entrant).collect();
        // 0 loses only to 2, 1 beats 2: with all three points are equal, without 0 the others have one pairing.
        let mut bouts = Vec::new();
        while let FinalStep::Play(slot) = next(&plan, &bouts) {
            let better = |one: usize, other: usize| [(0, 1), (1, 2), (2, 0)].contains(&(one, other));
            let winner = if better(slot.seats[0], slot.seats[1]) { Winner::First } else { Winner::Second };
            bouts.push(bout(slot.number, Some(winner)));
        }
        let one = SiteFinal {
            id: 1,
            competition: 3,
            title: "Friday".to_owned(),
            plan,
            state: crate::store::FinalState::Complete,
            created: 1,
        };
        let table = FinalTable::new(one.clone(), bouts.clone(), &[]);
        let points = |table: &FinalTable| {
            table.standings.rows.iter().map(|row| (row.agent, row.points)).collect::<Vec<(usize, f64)>>()
        };
        assert_eq!((table.played, points(&table)), (6, vec![(0, 2.0), (1, 2.0), (2, 2.0)]));
        assert_eq!(table.between(0, 1).iter().map(|(_, points)| *points).collect::<Vec<_>>(), [1.0, 1.0]);
        assert_eq!(table.between(1, 0).iter().map(|(_, points)| *points).collect::<Vec<_>>(), [0.0, 0.0]);
        let table = FinalTable::new(one, bouts, &[0]);
        assert_eq!((table.outs.as_slice(), points(&table)), (&[0][..], vec![(1, 2.0), (2, 0.0)]));
        assert!(standings(&table).contains("\r\n1,\"1\",2,2,2,0,0,"), "{}", standings(&table));
        assert_eq!(table.places(), [Some(1), Some(2)]);
        // Three participants that have drawn all their games share first place.
        let mut plan = Plan::of_match(Game::RENJU, [entrant(0), entrant(1)], 2);
        plan.agents = (0..3).map(entrant).collect();
        let mut bouts = Vec::new();
        while let FinalStep::Play(slot) = next(&plan, &bouts) {
            bouts.push(bout(slot.number, Some(Winner::Draw)));
        }
        let one = SiteFinal { plan, ..table.one };
        let drawn = bouts.clone();
        let table = FinalTable::new(one, bouts, &[]);
        assert_eq!(table.places(), [Some(1); 3]);
        assert!(standings(&table).contains("\r\n1,\"2\",2,4,0,4,0,"), "{}", standings(&table));
        // A built-in player among them is not a participant.
        let FinalTable { mut one, standings: Standings { rows, .. }, .. } = table;
        one.plan.agents[rows[1].agent].agent = "champion".to_owned();
        let table = FinalTable::new(one, drawn, &[]);
        assert_eq!(table.places(), [Some(1), None, Some(1)]);
        assert!(standings(&table).contains("\r\n,\"1\",2,4,0,4,0,"), "{}", standings(&table));
    }

    #[test]
    fn a_final_comes_to_its_end() {
        let mut plan = Plan::of_match(Game::RENJU, [entrant(0), entrant(1)], 4);
        plan.agents = (0..5).map(entrant).collect();
        assert_eq!(whole(&plan), 40);
        plan.kind = Kind::Swiss { rounds: 3 };
        plan.games = 2;
        assert_eq!(whole(&plan), 12, "two pairings a round, and one has a bye");
        let all = [bout(0, Some(Winner::First)), bout(1, None), bout(2, None), bout(3, None)];
        assert_eq!(next(&plan, &all), FinalStep::Wait, "the next round depends on this one");
        assert_eq!(final_tally(&plan, &all).bouts(), 1);
        let first = first_pairings(&plan, 9);
        assert!(first.len() == 2 && first_pairings(&plan, 1) == first[..1], "{first:?}");
    }
}
