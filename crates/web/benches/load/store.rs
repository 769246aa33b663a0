//! A store as a large site has it after a season.

use std::error::Error;
use std::path::Path;
use std::time::{Instant, SystemTime, UNIX_EPOCH};

use agon_arena::agents::PreparedAgent;
use agon_arena::game::Bout;
use agon_arena::stats::expected;
use agon_catalog::{Game, Setup};
use agon_game::seed::Stream;
use agon_referee::agent::{AgentSpec, Language};
use agon_referee::bout::Afterwards;
use agon_referee::limits::GameLimits;
use agon_referee::record::Winner;
use agon_referee::verdict::Verdict;
use agon_site::ladder::LadderResults;
use agon_site::store::{BoutKind, NewBout, PlayedBout, SiteStore, Submission, SubmissionLimits};
use agon_web::SiteOptions;

const GAME: Game = Game::BACTERIA;

/// How many programs an account has.
const SHELF: u32 = 2;

/// Over how many seconds the games are spread.
const SEASON: i64 = 90 * 86_400;

/// How many different games there are.
const RECORDS: u64 = 200;

/// Opponents are found at most this many places up or down.
const NEAR: usize = 100;

/// One game in this many is against a built-in player.
const BUILTIN: usize = 20;
/// One game in this many ends by a fault.
const FAULT: usize = 50;

/// A program that thinks all the time, and takes a thirtieth of its clock for each move.
fn source(number: u32) -> String {
    let sample = include_str!("../../../cli/tests/bots/bacteria.py");
    let head = "def choose(own, foe, my_time):";
    let busy = "\n    import time\n    until = time.monotonic() + my_time / 30_000\n    \
                while time.monotonic() < until:\n        pass\n";
    format!("# Program {number}\n{}", sample.replacen(head, &format!("{head}{busy}"), 1))
}

/// A played game and its winner.
fn played(seed: u64) -> Result<PlayedBout, Box<dyn Error>> {
    let limits = GameLimits::default();
    let agent = |name| PreparedAgent::prepare(GAME, AgentSpec::builtin(name), &limits);
    let names = if seed.is_multiple_of(2) { ["greedy", "random"] } else { ["random", "greedy"] };
    let [first, second] = [agent(names[0])?, agent(names[1])?];
    let mut bout = Bout::new(GAME, Setup { seed, ..Setup::default() }, limits)?;
    let mut seats = bout.seats([&first, &second], None)?;
    let record = bout.play([&first, &second], &mut seats, Afterwards::Exit, &mut ());
    let result = &record.result;
    Ok(PlayedBout {
        winner: result.winner,
        reason: result.reason.clone(),
        verdicts: [Verdict::Ok; 2],
        plies: result.plies,
        time_ms: result.time_ms,
        record: record.write(),
        worker: None,
        game_digest: Some(agon_arena::summary::game_digest(&record)),
    })
}

/// Fills a new folder with programs of users, and games between them.
pub fn fill(folder: &Path, programs: u32, games: u32) -> Result<(), Box<dyn Error>> {
    if programs < 2 {
        return Err("fewer than two programs".into());
    }
    std::fs::create_dir_all(folder)?;
    let path = SiteOptions::new(folder.to_owned(), ([127, 0, 0, 1], 0).into()).store();
    if path.exists() {
        return Err(format!("{} is there already", path.display()).into());
    }
    let mut store = SiteStore::open(&path)?;
    let begun = Instant::now();
    let end = SystemTime::now().duration_since(UNIX_EPOCH)?.as_secs() as i64;
    let start = end - SEASON;
    let competition = store.competition_by_slug(GAME.name())?.ok_or("there is no contest")?.id;
    let builtins: Vec<(String, f64, bool)> =
        GAME.builtin_names().into_iter().map(|name| (name.to_owned(), 1500.0, false)).collect();
    store.enter_builtins(competition, &builtins, start)?;
    let builtins: Vec<i64> = builtins
        .iter()
        .filter_map(|(name, ..)| store.builtin(competition, name).transpose())
        .map(|program| program.map(|program| program.id))
        .collect::<Result<_, _>>()?;
    let users = enter(&mut store, competition, programs, start)?;
    let records = (0..RECORDS).map(played).collect::<Result<Vec<_>, _>>()?;
    let [won, lost] = [Winner::First, Winner::Second]
        .map(|winner| records.iter().filter(|played| played.winner == winner).collect::<Vec<_>>());
    println!("{programs} programs after {:.0} s", begun.elapsed().as_secs_f64());
    let mut stream = Stream::new(1, "load");
    for number in 0..games {
        let one = stream.below(users.len());
        let other = (one + users.len() + 1 + stream.below(2 * NEAR) - NEAR) % users.len();
        // Programs later in the list are stronger, over 1500 points.
        let gap = 1500.0 * (one as f64 - other as f64) / users.len() as f64;
        let wins = stream.below(1000) < (1000.0 * expected(gap)) as usize;
        let other = if stream.below(BUILTIN) == 0 || one == other {
            builtins[stream.below(builtins.len())]
        } else {
            users[other]
        };
        let version = |program| Some(1).filter(|_| !builtins.contains(&program));
        let seats = [users[one], other].map(|program| (program, version(program)));
        let now = start + SEASON * i64::from(number) / i64::from(games);
        let id = store.begin_bout(&NewBout { competition, kind: BoutKind::Ladder, seed: number.into(), seats }, now)?;
        let pool = if wins { &won } else { &lost };
        let mut played = pool[stream.below(pool.len())].clone();
        if stream.below(FAULT) == 0 {
            played.verdicts[usize::from(wins)] = Verdict::Tle;
        }
        store.end_bout(id, &played, now + 20)?;
        if (number + 1) % 100_000 == 0 {
            println!("{} games after {:.0} s", number + 1, begun.elapsed().as_secs_f64());
        }
    }
    println!("{} MiB", std::fs::metadata(&path)?.len() >> 20);
    Ok(())
}

/// Rates all programs of such a store together, and says how long that took.
pub fn rate(folder: &Path) -> Result<(), Box<dyn Error>> {
    let store = SiteStore::read(&SiteOptions::new(folder.to_owned(), ([127, 0, 0, 1], 0).into()).store())?;
    let competition = store.competition_by_slug(GAME.name())?.ok_or("there is no contest")?.id;
    let begun = Instant::now();
    let results = LadderResults::read(&store, competition)?;
    let read = begun.elapsed();
    let rating = Instant::now();
    let ratings = results.rate();
    let rated = rating.elapsed();
    let widths = ratings.values().map(|rating| rating.high - rating.low);
    let mean = widths.sum::<f64>() / ratings.len().max(1) as f64;
    println!(
        "{} programs: read in {:.2} s, rated in {:.2} s; an interval is {mean:.0} points wide on the average",
        ratings.len(),
        read.as_secs_f64(),
        rated.as_secs_f64()
    );
    Ok(())
}

/// Enters programs, each with a version that has passed its check, and returns their numbers.
fn enter(store: &mut SiteStore, competition: i64, programs: u32, now: i64) -> Result<Vec<i64>, Box<dyn Error>> {
    let limits = SubmissionLimits { daily: u32::MAX, programs: u32::MAX, waiting: u32::MAX };
    let mut users = Vec::new();
    let mut account = 0;
    for number in 0..programs {
        if number % SHELF == 0 {
            let made = store.create_account(&format!("person{number}"), "no password", false, now)?;
            account = made.ok_or("an account is there already")?;
        }
        let (name, source) = (format!("bot{number}"), source(number));
        let submission = Submission { account, competition, name: &name, language: Language::Python3, source: &source };
        let version = store.submit(&submission, &limits, now)?.map_err(|error| error.to_string())?;
        store.take_submission()?;
        store.settle_submission(version, Ok(()), None, now)?;
        users.push(store.version(version)?.ok_or("the version is gone")?.program);
    }
    Ok(users)
}
