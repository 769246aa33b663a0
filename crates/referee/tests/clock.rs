//! The clock on a busy machine: thinking time is never forgotten, and what the machine adds to it is said.

use std::fmt::Write as _;
use std::fs;
use std::path::Path;
use std::process::Command;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::Duration;

use agon_game::seed::Stream;
use agon_game::{Alternating, Position, Side};
use agon_referee::agent::{Prepared, Seat};
use agon_referee::bout::{self, Afterwards};
use agon_referee::limits::GameLimits;
use agon_referee::process::ProgramSpec;
use agon_referee::verdict::Verdict;
use agon_rules::bacteria::Bacteria;
use rustix::thread::{CpuSet, sched_getaffinity, sched_setaffinity};

/// Games of each pairing: about sixty moves each.
const GAMES: usize = 2;

#[test]
fn no_thinking_time_is_forgotten_on_a_busy_machine() {
    let folder = tempfile::tempdir().unwrap();
    build(folder.path());
    let limits = GameLimits { clock_ms: 600_000, ready_ms: 60_000, exit_ms: 60_000, ..GameLimits::default() };
    let done = AtomicBool::new(false);
    let busy = 2 * thread::available_parallelism().map_or(1, usize::from);
    thread::scope(|scope| {
        for _ in 0..busy {
            scope.spawn(|| {
                while !done.load(Ordering::Relaxed) {
                    std::hint::spin_loop();
                }
            });
        }
        let played = std::panic::catch_unwind(|| {
            let anywhere = (0..GAMES).flat_map(|_| play(folder.path(), &limits));
            let mut moves = anywhere.collect::<Vec<_>>();
            // As a worker of a series does it.
            let own = sched_getaffinity(None).unwrap();
            let mut one = CpuSet::new();
            one.set((0..CpuSet::MAX_CPU).find(|&core| own.is_set(core)).unwrap());
            sched_setaffinity(None, &one).unwrap();
            moves.extend((0..GAMES).flat_map(|_| play(folder.path(), &limits)));
            sched_setaffinity(None, &own).unwrap();
            moves
        });
        done.store(true, Ordering::Relaxed);
        let moves = played.unwrap_or_else(|failed| std::panic::resume_unwind(failed));
        assert!(moves.len() > 100, "{} moves", moves.len());
        let forgotten: Vec<_> = moves.iter().filter(|timed| timed.wall < timed.spun).collect();
        assert!(forgotten.is_empty(), "{} of {} are charged too little: {forgotten:?}", forgotten.len(), moves.len());
        // The bot is let run only some time after its question, and the judge some time after the answer.
        let slow = |timed: &&Timed| {
            let more = timed.wall.saturating_sub(timed.spun);
            more >= Duration::from_millis(6) && more * 10 >= timed.wall * 3
        };
        let hidden: Vec<_> = moves.iter().filter(slow).filter(|timed| !timed.disturbed).collect();
        assert!(hidden.is_empty(), "{} of {} are not marked: {hidden:?}", hidden.len(), moves.len());
    });
}

/// A move of a bot that knows how long it thought.
#[derive(Debug)]
#[allow(dead_code, reason = "shown when the test fails")]
struct Timed {
    spun: Duration,
    wall: Duration,
    disturbed: bool,
    moment: String,
}

/// Plays a game between a bot that thinks for 10 ms and one that thinks for 1 ms.
fn play(folder: &Path, limits: &GameLimits) -> Vec<Timed> {
    let seat = |micros: &str| {
        let words = vec![folder.join("spin").display().to_string(), micros.to_owned()];
        let program = Prepared::Program(ProgramSpec { words, environment: Vec::new() });
        Seat::take(&program, limits, 0, &|_, _| None).unwrap()
    };
    let mut seats = [seat("10000"), seat("1000")];
    let mut contest = Alternating::new(Bacteria::start());
    let report = bout::play(&mut contest, &mut seats, limits, Afterwards::Exit, &mut ());
    assert_eq!(report.verdicts.each_ref().map(|judged| judged.verdict), [Verdict::Ok; 2], "{report:?}");
    let of = |side: Side| {
        let moments = report.entries.iter().filter(move |entry| entry.side == side).filter_map(|entry| entry.moment);
        let spun = report.stderr[side.index()].lines().filter_map(|line| line.strip_prefix("spun ")?.parse().ok());
        let pairs = moments.zip(spun.map(Duration::from_nanos));
        pairs.map(|(moment, spun)| Timed {
            spun,
            wall: moment.wall,
            disturbed: moment.disturbed(),
            moment: format!("{moment:?}"),
        })
    };
    of(Side::First).chain(of(Side::Second)).collect()
}

/// Compiles the bot with the moves of a random game.
fn build(folder: &Path) {
    let mut header = "static const char *const MOVES[] = {\n".to_owned();
    for m in game() {
        writeln!(header, "    \"MOVE {m}\\n\",").unwrap();
    }
    fs::write(folder.join("moves.h"), header + "    0};\n").unwrap();
    let source = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/bots/spin.c");
    let built =
        Command::new("gcc").args(["-O2", "-I"]).arg(folder).arg("-o").arg(folder.join("spin")).arg(source).status();
    assert!(built.unwrap().success());
}

/// A random game of some sixty plies, the first of at least that many.
fn game() -> Vec<String> {
    let games = (0..).map(|seed| {
        let mut stream = Stream::new(seed, "clock");
        let (mut position, mut played, mut moves) = (Bacteria::start(), Vec::new(), Vec::new());
        while position.outcome().is_none() {
            moves.clear();
            position.legal_moves(&mut moves);
            let m = moves[stream.below(moves.len())];
            position.play_unchecked(m, &mut ());
            played.push(m.to_string());
        }
        played
    });
    games.into_iter().find(|game| game.len() >= 60).expect("some game is that long")
}
