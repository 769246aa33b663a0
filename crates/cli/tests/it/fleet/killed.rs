//! Whatever is killed, and whenever: the games are those of an undisturbed series, none repeated, none missing.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

use agon_arena::Store;
use agon_game::seed::Stream;
use agon_referee::record::Record;

use crate::fleet::processes::{Ground, Running, until};

/// More games than are played while anything is killed.
pub const ENDLESS: u32 = 2_000_000;

/// How many games are played after the last kill.
const AFTERWARDS: u32 = 100;

/// Maximum number of games between two kills.
const BETWEEN_KILLS: usize = 100;

/// A series of quick games. Built-in players that do not look at the clock play the same ones everywhere, and a longer
/// series begins with a shorter one.
pub fn series_of(games: u32) -> Vec<String> {
    let words = ["match", "greedy", "random", "--game", "bacteria", "--games"];
    words.iter().map(ToString::to_string).chain([games.to_string()]).collect()
}

/// How often something is killed, as `AGON_KILLS` says.
fn kills() -> u64 {
    let asked = std::env::var("AGON_KILLS").ok().map(|kills| kills.parse().expect("AGON_KILLS is a number"));
    asked.unwrap_or(if std::env::var_os("AGON_SLOW").is_some() { 12 } else { 4 })
}

/// What was played, by slot: everything except times.
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

/// Number of games in a store.
fn count(store: &Path) -> usize {
    Store::read(store).map_or(0, |store| store.bouts(1, 0..u32::MAX).map_or(0, |bouts| bouts.len()))
}

/// Plays the endless series of a store to an end, and the same games without a fleet. Number of games that had been
/// played.
pub fn play_to_an_end(ground: &Ground, store: &str) -> usize {
    let played = games(&ground.path(store));
    let all = (played.keys().max().map_or(0, |slot| slot + 1) + AFTERWARDS).next_multiple_of(2);
    let words = series_of(all);
    let mut series = ground.series(&words.iter().map(String::as_str).collect::<Vec<_>>(), store);
    assert_eq!(series.wait(), 0, "{}", series.said());
    let mut undisturbed = ground.agon(&[]);
    let mut undisturbed =
        Running::start(undisturbed.args(&words).args(["--db", "alone.db"]), &ground.path("alone.log"));
    assert_eq!(undisturbed.wait(), 0, "{}", undisturbed.said());
    let (alone, fleet) = (games(&ground.path("alone.db")), games(&ground.path(store)));
    assert_eq!(fleet.len(), all as usize, "{}", series.said());
    assert!(alone == fleet, "other games were played");
    played.len()
}

#[test]
fn whatever_is_killed_the_games_are_the_same() {
    let ground = Ground::new();
    let start = |games: u32| {
        let words = series_of(games);
        ground.series(&words.iter().map(String::as_str).collect::<Vec<_>>(), "fleet.db")
    };
    let mut server = ground.server(&[]);
    let mut workers = ["one", "two"].map(|name| ground.worker(name, &[]));
    let mut series = start(ENDLESS);
    let mut chance = Stream::new(std::env::var("AGON_SEED").map_or(1, |seed| seed.parse().unwrap()), "kills");
    let mut killed = BTreeMap::new();
    let store = ground.path("fleet.db");
    for kill in 0..kills() {
        let wanted = count(&store) + 1 + chance.below(BETWEEN_KILLS);
        until("games are played", || {
            assert!(series.ended().is_none(), "{}", series.said());
            count(&store) >= wanted
        });
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
                // It may be back before anyone looks.
                let seen = series.said().matches("is away").count();
                if chance.below(2) == 0 {
                    until("the series sees that", || series.said().matches("is away").count() > seen);
                }
                server = ground.server(&[]);
            }
        }
    }
    series.kill();
    let played = play_to_an_end(&ground, "fleet.db");
    assert!(played > 0 && killed.len() == 3, "{killed:?}");
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
    let _server = ground.server(&[]);
    let mut worker = ground.worker("one", &[]);
    let arguments = ["match", "greedy", "random", "--game", "bacteria", "--games", "200000"];
    let mut series = ground.series(&arguments, "fleet.db");
    let store = ground.path("fleet.db");
    until("games are played", || {
        assert!(series.ended().is_none(), "{} {}", series.said(), worker.said());
        count(&store) >= 100
    });
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
    until("all are stored", || count(&store) >= played);
    series.terminate();
    assert_eq!(series.wait(), 130, "{}", series.said());
    assert!(series.said().contains("the same command plays the rest"), "{}", series.said());
    assert!(!fs::read_dir(ground.folder.path()).unwrap().flatten().any(|entry| entry.file_name() == "core"));
}
