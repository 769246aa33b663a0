//! The cost of refereeing: Agon compared with the minimum that a C program can do with the same instant bots.
//!
//! `cargo bench -p agon-referee` prints games a second of both, and their ratio, for games of 62 plies on one core:
//! with bots that stay for the next game, and with two fresh processes a game. The two programs take turns, so that a
//! machine whose speed drifts does not favour either. `-- stay` or `-- fresh` measures only one of them. Each is
//! measured at every level of the jail that this machine gives.
//!
//! `-- invocations` measures programs that are started anew for every action: the actions per second of a whole bout on
//! the petri dish, compared with a C program that spawns the same process, feeds it the same input and waits for it. It
//! also runs when nothing is selected.

use std::fmt::Write as _;
use std::fs;
use std::path::Path;
use std::process::{Command, ExitCode};
use std::time::{Duration, Instant};

use agon_game::seed::Stream;
use agon_game::{Alternating, GameState, Position};
use agon_jail::{Jail, Level, cgroup};
use agon_referee::agent::{Prepared, Seat};
use agon_referee::bout::{self, Afterwards, Report};
use agon_referee::limits::GameLimits;
use agon_referee::process::{Process, ProgramSpec};
use agon_referee::verdict::Verdict;
use agon_rules::bacteria::Bacteria;
use agon_rules::petri::{Petri, Rules};
use rustix::thread::{CpuSet, sched_setaffinity};

const PLIES: usize = 62;
const ROUNDS: usize = 7;

fn main() -> ExitCode {
    let mut core = CpuSet::new();
    core.set(0);
    sched_setaffinity(None, &core).expect("pinning to the first core");
    let folder = tempfile::tempdir().expect("a temporary folder");
    if let Err(error) = build(folder.path()) {
        eprintln!("{error}");
        return ExitCode::from(2);
    }
    println!("games of {PLIES} plies between instant bots, one core, memory limit by {}", cgroup::mechanism());
    let only = std::env::args().nth(1).filter(|word| !word.starts_with("--"));
    let strongest = agon_jail::probe().level;
    let levels: Vec<Level> = Level::ALL.into_iter().filter(|&level| level <= strongest).collect();
    let folder = folder.path();
    let chosen = |name: &str| only.as_ref().is_none_or(|word| name.contains(word));
    for (name, stay, games) in [("bots that stay", true, 1000), ("fresh processes", false, 400)] {
        if chosen(name) {
            let play = |level| agon(folder, level, stay, games);
            compare(name, "games/s", &levels, || floor(folder, stay, games), play);
        }
    }
    if chosen("invocations") {
        let words = |count: u32| vec![path(folder, "spawner"), path(folder, "cell"), count.to_string()];
        let play = |level| acted(folder, level);
        compare("invocations", "actions/s", &levels, || speed(words(2 * TURNS)), play);
    }
    agon_jail::retire_all();
    ExitCode::SUCCESS
}

/// Measures the floor and each level in turn, and prints the ratio of each to the floor.
fn compare(name: &str, unit: &str, levels: &[Level], floor: impl Fn() -> f64, play: impl Fn(Level) -> f64) {
    let rounds: Vec<(f64, Vec<f64>)> =
        (0..ROUNDS).map(|_| (floor(), levels.iter().map(|&level| play(level)).collect())).collect();
    for (at, level) in levels.iter().enumerate() {
        let mut pairs: Vec<(f64, f64)> = rounds.iter().map(|(floor, played)| (played[at], *floor)).collect();
        report(&format!("{name}, {level}"), unit, &mut pairs);
    }
}

/// A bot, or a cell, that sees this folder.
fn program(folder: &Path, level: Level, words: Vec<String>) -> ProgramSpec {
    let jail = Jail {
        level,
        visible: vec![folder.to_owned()],
        folder: Some(folder.to_owned()),
        disk: 64 << 20,
        processes: 64,
        ..Jail::default()
    };
    ProgramSpec { jail, ..ProgramSpec::unjailed(words) }
}

/// Turns of each player, and so actions, for the cells only rest.
const TURNS: u32 = 600;

/// Actions a second of Agon's.
fn acted(folder: &Path, level: Level) -> f64 {
    let limits = GameLimits::default();
    let program = program(folder, level, vec![path(folder, "cell")]);
    let seat = || {
        Seat::take_stateless(&Prepared::Program(program.clone()), &limits, 1, &|_| None)
            .expect("the cell can be seated")
    };
    let mut seats = [seat(), seat()];
    let mut state = Petri::new(10, 4, TURNS as u16, Rules::Contest).expect("a dish");
    let start = Instant::now();
    let report = bout::play(&mut state, &mut seats, &limits, Afterwards::Exit, &mut ());
    let seconds = start.elapsed().as_secs_f64();
    assert_eq!((report.plies, report.invocations.map(|tally| tally.remarked)), (2 * TURNS, Some([0, 0])));
    f64::from(report.plies) / seconds
}

/// Prints the median round by the ratio of Agon's speed and the floor's.
fn report(name: &str, unit: &str, pairs: &mut [(f64, f64)]) {
    pairs.sort_by(|a, b| (a.0 / a.1).total_cmp(&(b.0 / b.1)));
    let (agon, floor) = pairs[ROUNDS / 2];
    let (low, high) = (pairs[0].0 / pairs[0].1, pairs[ROUNDS - 1].0 / pairs[ROUNDS - 1].1);
    println!(
        "{name:<26} agon {agon:>6.0} {unit}   bare C {floor:>6.0} {unit}   ratio {:.2} ({low:.2} to {high:.2})",
        agon / floor
    );
}

fn path(folder: &Path, name: &str) -> String {
    folder.join(name).display().to_string()
}

/// A game of exactly as many plies as wanted, by random play.
fn game() -> Vec<String> {
    for seed in 0.. {
        let mut stream = Stream::new(seed, "bench");
        let (mut position, mut played, mut moves) = (Bacteria::start(), Vec::new(), Vec::new());
        while position.outcome().is_none() {
            moves.clear();
            position.legal_moves(&mut moves);
            let m = moves[stream.below(moves.len())];
            position.play_unchecked(m, &mut ());
            played.push(m.to_string());
        }
        if played.len() == PLIES {
            return played;
        }
    }
    unreachable!("some game is that long")
}

fn build(folder: &Path) -> Result<(), String> {
    let mut header = format!("#define PLIES {PLIES}\nstatic const char *const MOVES[PLIES + 1] = {{\n");
    for m in game() {
        let _ = writeln!(header, "    \"MOVE {m}\\n\",");
    }
    header += "    0};\n";
    fs::write(folder.join("game.h"), header).map_err(|error| error.to_string())?;
    let sources = Path::new(env!("CARGO_MANIFEST_DIR")).join("benches/floor");
    for name in ["bot", "referee", "cell", "spawner"] {
        let status = Command::new("gcc")
            .args(["-O2", "-Wno-unused-variable", "-I"])
            .arg(folder)
            .arg("-o")
            .arg(folder.join(name))
            .arg(sources.join(format!("{name}.c")))
            .status()
            .map_err(|error| format!("gcc: {error}; this benchmark needs it"))?;
        if !status.success() {
            return Err(format!("gcc cannot build {name}.c"));
        }
    }
    Ok(())
}

/// Games a second of the bare C referee.
fn floor(folder: &Path, stay: bool, games: usize) -> f64 {
    let programs = if stay { "stay" } else { "fresh" };
    speed(vec![path(folder, "referee"), path(folder, "bot"), games.to_string(), programs.to_owned()])
}

/// The speed that a C program prints.
fn speed(words: Vec<String>) -> f64 {
    // A process that referees may have no children except those started this way.
    let mut program = Process::start(&ProgramSpec::unjailed(words), None).expect("the C program starts");
    let exit = program.wait(Instant::now() + Duration::from_mins(1)).expect("the C program can be waited for");
    exit.expect("the C program ends");
    String::from_utf8_lossy(program.pending_output()).trim().parse().expect("the C program prints its speed")
}

/// Games a second of Agon's.
fn agon(folder: &Path, level: Level, stay: bool, games: usize) -> f64 {
    let limits = GameLimits::default();
    let seats = || {
        [(); 2].map(|()| {
            let mut words = vec![folder.join("bot").display().to_string()];
            words.extend(stay.then(|| "stay".to_owned()));
            let program = program(folder, level, words);
            Seat::Process(Box::new(Process::start(&program, Some(limits.memory())).expect("the bot starts")))
        })
    };
    let check = |report: &Report| {
        assert!(report.verdicts.iter().all(|judged| judged.verdict == Verdict::Ok), "{:?}", report.verdicts);
        assert_eq!(report.plies as usize, PLIES);
    };
    let state = || -> Box<dyn GameState> { Box::new(Alternating::new(Bacteria::start())) };
    let mut stayers = stay.then(seats);
    let start = Instant::now();
    for _ in 0..games {
        let report = match &mut stayers {
            Some(seats) => bout::play(state().as_mut(), seats, &limits, Afterwards::Stay, &mut ()),
            None => bout::play(state().as_mut(), &mut seats(), &limits, Afterwards::Exit, &mut ()),
        };
        check(&report);
    }
    games as f64 / start.elapsed().as_secs_f64()
}
