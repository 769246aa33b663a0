//! A court for scripted bad bots: who they are, the verdicts on them, and that nothing of them survives.

#![allow(dead_code, reason = "each test file uses a part of it")]

pub mod attack;
pub mod dish;
pub mod isolated;
pub mod left;
#[path = "../../../../jail/tests/it/escapes/processes.rs"]
pub mod processes;

use std::collections::BTreeMap;
use std::path::Path;

use agon_catalog::{Game, Setup};
use agon_game::Side;
use agon_jail::Level;
use agon_referee::agent::{AgentSpec, Seat};
use agon_referee::bout::{self, Afterwards, Report, Spectator};
use agon_referee::limits::GameLimits;
use agon_referee::record::{AgentNote, Record, RecordHeader, VERSION, Winner};
use agon_referee::replay::{moves, prove};
use agon_referee::verdict::Verdict;

use self::left::Left;

/// Limits that end a hung bot soon.
pub const QUICK: GameLimits = GameLimits {
    clock_ms: 1000,
    ready_ms: 3000,
    exit_ms: 500,
    memory_mib: 128,
    freeze: false,
    invocation_ms: 700,
    recheck_percent: 0,
    ..GameLimits::ALPHANO
};

/// Limits that only a hanging program reaches, however loaded the machine is.
pub const ROOMY: GameLimits = GameLimits { clock_ms: 30_000, ready_ms: 30_000, exit_ms: 30_000, ..QUICK };

/// The bad bot that misbehaves in this way.
pub fn bad(way: &str) -> String {
    let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/bots/misbehave.py");
    format!("python3 '{}' '{way}'", script.display())
}

/// Plays a game of Bacteria War between two agents named as a user names them.
pub fn play(first: &str, second: &str, limits: &GameLimits) -> Report {
    play_before(first, second, limits, &mut ())
}

/// Programs run without a jail, unless a test or `AGON_JAIL` has chosen one: the judge alone must notice what these
/// bots do.
pub fn choose_jail() {
    let named = std::env::var("AGON_JAIL").ok().map(|name| name.parse().unwrap());
    agon_jail::choose(named.unwrap_or(Level::None));
}

/// Plays a game before a spectator.
pub fn play_before(first: &str, second: &str, limits: &GameLimits, spectator: &mut dyn Spectator) -> Report {
    choose_jail();
    let seat = |text: &str, seed| {
        let agent = AgentSpec::parse(text, &["random", "greedy"]).unwrap();
        let prepared = agent.prepare(limits).unwrap();
        Seat::take(&prepared, limits, seed, &|name, seed| Game::BACTERIA.find(name).ok()?.player(seed)).unwrap()
    };
    let mut state = Game::BACTERIA.initial_state(&Setup::default()).unwrap();
    let mut seats = [seat(first, 1), seat(second, 2)];
    let report = bout::play(state.as_mut(), &mut seats, limits, Afterwards::Exit, spectator);
    prove_it(&report, limits);
    report
}

/// Whatever happened, its record must survive being written and read, and must prove itself.
fn prove_it(report: &Report, limits: &GameLimits) {
    let agent = || AgentNote { agent: "bot".to_owned(), kind: "command".to_owned(), jail: None, name: None };
    let header = RecordHeader {
        record: VERSION,
        game: "bacteria".to_owned(),
        parameters: BTreeMap::new(),
        seed: 0,
        agents: [agent(), agent()],
        limits: *limits,
        agon: env!("CARGO_PKG_VERSION").to_owned(),
        started: 0,
        opening: None,
    };
    let record = Record::new(header, report.clone());
    let again = Record::read(&record.write()).unwrap();
    let start = || Game::BACTERIA.initial_state(&Setup::default()).unwrap();
    let proved = prove(&again, start().as_mut()).unwrap_or_else(|error| panic!("{error}\n{}", record.write()));
    assert_eq!(moves(&again, start().as_mut()), Ok(proved), "the moves of a proved record");
}

/// Plays the bad bot in either seat against a good one, and checks its verdict, a part of the reason, who wins, and
/// that nothing of it is left.
pub fn check(way: &str, verdict: Verdict, reason: &str) {
    check_all(way, verdict, &[reason]);
}

/// The same with several parts of the reason.
pub fn check_all(way: &str, verdict: Verdict, reasons: &[&str]) {
    for side in Side::BOTH {
        let bot = bad(way);
        let limits = limits(way, verdict);
        let report = match side {
            Side::First => play(&bot, "random", &limits),
            Side::Second => play("random", &bot, &limits),
        };
        let judged = &report.verdicts[side.index()];
        assert_eq!(judged.verdict, verdict, "`{way}` as {side}: {judged:?}");
        let text = judged.explanation().join("\n");
        for reason in reasons {
            assert!(text.contains(reason), "`{way}` as {side}: `{text}` does not say `{reason}`");
        }
        assert_eq!(report.verdicts[side.other().index()].verdict, Verdict::Ok, "the opponent of `{way}`");
        if verdict != Verdict::Ok {
            let winner = if side == Side::First { Winner::Second } else { Winner::First };
            assert_eq!(report.winner, winner, "against `{way}` as {side}");
        }
        nothing_survives(&report.stderr[side.index()], way);
    }
}

/// Only the time that the bot should run out of is short: everything else must not depend on the machine's speed.
fn limits(way: &str, verdict: Verdict) -> GameLimits {
    let GameLimits { clock_ms, ready_ms, exit_ms, .. } = QUICK;
    match verdict {
        Verdict::Tle if way.ends_with("at READY") => GameLimits { ready_ms, ..ROOMY },
        Verdict::Tle if way.ends_with("after FINISH") => GameLimits { exit_ms, ..ROOMY },
        Verdict::Tle => GameLimits { clock_ms, ..ROOMY },
        _ => ROOMY,
    }
}

/// The processes that a bot reported leaving must be gone.
pub fn nothing_survives(stderr: &str, way: &str) {
    let left = Left::of(stderr);
    assert!(!left.is_empty() || !leaves(way), "`{way}` left nothing to look for: {stderr}");
    if agon_jail::chosen() == Level::Full {
        // They bear numbers of their own.
        return;
    }
    for process in left {
        assert!(!process.exists(), "{process:?} of `{way}` survives");
    }
}

fn leaves(way: &str) -> bool {
    way.contains("daemon") || way.contains("child")
}
