//! Whatever is killed, and whenever: the games are those of an undisturbed series, none twice, none missing.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;
use std::thread;
use std::time::{Duration, Instant};

use agon_arena::Store;
use agon_game::seed::Stream;
use agon_referee::record::Record;

use crate::fleet::processes::{Ground, Running, TIMEOUT};

/// More games than are played while anything is killed.
const ENDLESS: u32 = 2_000_000;

/// Games that are played when nothing is killed any more.
const AFTERWARDS: u32 = 400;

/// A series of quick games. Built-in players that do not look at the clock play the same ones everywhere, and a longer
/// series begins with a shorter one.
fn series_of(games: u32) -> Vec<String> {
    let words = ["match", "greedy", "random", "--game", "bacteria", "--games"];
    words.iter().map(ToString::to_string).chain([games.to_string()]).collect()
}

/// How often something is killed: as often as `AGON_KILLS` says.
fn kills() -> u64 {
    let asked = std::env::var("AGON_KILLS").ok().map(|kills| kills.parse().expect("AGON_KILLS is a number"));
    asked.unwrap_or(if std::env::var_os("AGON_SLOW").is_some() { 12 } else { 4 })
}

/// What was played, by slot: everything but times.
pub fn games(store: &Path) -> BTreeMap<u32, (i64, String)> {
    let store = Store::read(store).unwrap();
    let run = store.latest().unwrap().expect("a run");
    let bouts = store.bouts(run, 0..u32::MAX).unwrap();
    let game = |slot: u32, digest: i64| {
        let record = Record::read(&store.record(run, slot).unwrap().expect("every game has its record")).unwrap();
        (slot, (digest, format!("{} {}", record.result.winner, record.result.reason)))
    };
    let count = bouts.len();
    let games: BTreeMap<_, _> = bouts.into_iter().map(|bout| game(bout.slot, bout.game_digest)).collect();
    assert_eq!(games.len(), count, "a game twice");
    games
}

#[test]
fn whatever_is_killed_the_games_are_the_same() {
    let ground = Ground::new();
    let start = |games: u32| {
        let words = series_of(games);
        ground.series(&words.iter().map(String::as_str).collect::<Vec<_>>(), "fleet.db")
    };
    let mut server = ground.server(&["-js"]);
    let mut workers = ["one", "two"].map(|name| ground.worker(name, &[]));
    let mut series = start(ENDLESS);
    let mut chance = Stream::new(std::env::var("AGON_SEED").map_or(1, |seed| seed.parse().unwrap()), "kills");
    let mut killed = BTreeMap::new();
    // On a busy machine the first game may take longer than all that is killed.
    let store = ground.path("fleet.db");
    let has_begun =
        || store.exists() && Store::read(&store).is_ok_and(|store| store.latest().is_ok_and(|run| run.is_some()));
    let deadline = Instant::now() + TIMEOUT;
    while !has_begun() || games(&store).is_empty() {
        assert!(Instant::now() < deadline && series.ended().is_none(), "{}", series.said());
        thread::sleep(Duration::from_millis(50));
    }
    for kill in 0..kills() {
        thread::sleep(Duration::from_millis(300 + chance.below(1500) as u64));
        assert!(series.ended().is_none(), "{}", series.said());
        // Each of the three at least once, then as it comes.
        let whom = if kill < 3 { kill as usize } else { chance.below(3) };
        *killed.entry(["a worker", "the series", "the server"][whom]).or_insert(0) += 1;
        match whom {
            0 => {
                let at = chance.below(workers.len());
                workers[at].kill();
                workers[at] = ground.worker(["one", "two"][at], &[]);
            }
            1 => {
                series.kill();
                series = start(ENDLESS);
            }
            _ => {
                server.kill();
                thread::sleep(Duration::from_millis(chance.below(1000) as u64));
                server = ground.server(&["-js"]);
            }
        }
    }
    series.kill();
    let played = games(&ground.path("fleet.db"));
    let all = (played.keys().max().map_or(0, |slot| slot + 1) + AFTERWARDS).next_multiple_of(2);
    series = start(all);
    assert_eq!(series.wait(), 0, "{}\nworker: {}", series.said(), workers[0].said());
    let mut undisturbed = ground.agon(&[]);
    let mut undisturbed =
        Running::start(undisturbed.args(series_of(all)).args(["--db", "alone.db"]), &ground.path("alone.log"));
    assert_eq!(undisturbed.wait(), 0, "{}", undisturbed.said());
    let (alone, fleet) = (games(&ground.path("alone.db")), games(&ground.path("fleet.db")));
    assert_eq!(fleet.len(), all as usize, "{killed:?} {}", series.said());
    assert!(alone == fleet, "other games were played: {killed:?}");
    assert!(!played.is_empty() && killed.len() == 3, "{killed:?}");
    for worker in &workers {
        worker.terminate();
    }
    for worker in &mut workers {
        assert_eq!(worker.wait(), 0, "{}", worker.said());
        assert!(worker.said().trim_end().ends_with("played"), "{}", worker.said());
    }
}

#[test]
fn a_worker_that_gets_a_signal_finishes_its_games() {
    let ground = Ground::new();
    let _server = ground.server(&["-js"]);
    let mut worker = ground.worker("one", &[]);
    let arguments = ["match", "greedy", "random", "--game", "bacteria", "--games", "200000"];
    let mut series = ground.series(&arguments, "fleet.db");
    let count =
        || Store::read(&ground.path("fleet.db")).map_or(0, |store| store.bouts(1, 0..u32::MAX).map_or(0, |b| b.len()));
    let start = Instant::now();
    while count() < 100 {
        assert!(start.elapsed() < TIMEOUT, "{} {}", series.said(), worker.said());
        thread::sleep(Duration::from_millis(50));
    }
    worker.terminate();
    assert_eq!(worker.wait(), 0);
    assert!(worker.said().contains("finishing the games in progress"), "{}", worker.said());
    let said = worker.said();
    let played: usize = said
        .lines()
        .last()
        .unwrap()
        .split(' ')
        .next()
        .unwrap()
        .replace(['\u{202f}', '\u{a0}', ' ', ','], "")
        .parse()
        .unwrap_or(0);
    // Everything that it has played arrives: nothing is handed out again.
    let start = Instant::now();
    while count() < played {
        assert!(start.elapsed() < TIMEOUT, "{} of {played}: {}", count(), series.said());
        thread::sleep(Duration::from_millis(50));
    }
    series.terminate();
    assert_eq!(series.wait(), 130, "{}", series.said());
    assert!(series.said().contains("the same command plays the rest"), "{}", series.said());
    assert!(!fs::read_dir(ground.folder.path()).unwrap().flatten().any(|entry| entry.file_name() == "core"));
}
