//! What refereeing costs: Agon against the least that a C program can do with the same instant bots.
//!
//! `cargo bench -p agon-referee` prints games a second of both, and their ratio, for games of 62 plies on one core:
//! with bots that stay for the next game, and with two fresh processes a game. The two programs take turns, so that a
//! machine whose speed drifts does not favour either. `-- stay` or `-- fresh` measures only one of them.

use std::fmt::Write as _;
use std::fs;
use std::path::Path;
use std::process::{Command, ExitCode};
use std::time::{Duration, Instant};

use agon_game::seed::Stream;
use agon_game::{Alternating, Contest, Position};
use agon_referee::agent::Seat;
use agon_referee::bout::{self, Afterwards, Report};
use agon_referee::limits::Limits;
use agon_referee::process::{Process, Program, cgroup};
use agon_referee::verdict::Verdict;
use agon_rules::bacteria::Bacteria;
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
    println!("games of {PLIES} plies between instant bots, one core, memory limit by {}", cgroup::manner());
    let only = std::env::args().nth(1).filter(|word| !word.starts_with("--"));
    for (name, stay, games) in [("bots that stay", true, 1000), ("fresh processes", false, 400)] {
        if only.as_ref().is_some_and(|word| !name.contains(word)) {
            continue;
        }
        let mut pairs = Vec::new();
        for _ in 0..ROUNDS {
            let floor = floor(folder.path(), stay, games);
            pairs.push((agon(folder.path(), stay, games), floor));
        }
        pairs.sort_by(|a, b| (a.0 / a.1).total_cmp(&(b.0 / b.1)));
        let (agon, floor) = pairs[ROUNDS / 2];
        let (low, high) = (pairs[0].0 / pairs[0].1, pairs[ROUNDS - 1].0 / pairs[ROUNDS - 1].1);
        println!(
            "{name:<16} agon {agon:>6.0} games/s   bare C {floor:>6.0} games/s   ratio {:.2} ({low:.2} to {high:.2})",
            agon / floor
        );
    }
    cgroup::remove_all();
    ExitCode::SUCCESS
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
            position.play(m, &mut ());
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
    for name in ["bot", "referee"] {
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
    let path = |name: &str| folder.join(name).display().to_string();
    let manner = if stay { "stay" } else { "fresh" };
    let words = vec![path("referee"), path("bot"), games.to_string(), manner.to_owned()];
    // A process that referees may have no children but those it starts in this way.
    let mut referee = Process::start(&Program { words, environment: Vec::new() }, None).expect("the C referee starts");
    referee.wait(Instant::now() + Duration::from_mins(1)).expect("the C referee ends");
    String::from_utf8_lossy(referee.unasked()).trim().parse().expect("the C referee prints its speed")
}

/// Games a second of Agon's.
fn agon(folder: &Path, stay: bool, games: usize) -> f64 {
    let limits = Limits::default();
    let seats = || {
        [(); 2].map(|()| {
            let mut words = vec![folder.join("bot").display().to_string()];
            words.extend(stay.then(|| "stay".to_owned()));
            let program = Program { words, environment: Vec::new() };
            Seat::Process(Box::new(Process::start(&program, Some(limits.memory())).expect("the bot starts")))
        })
    };
    let check = |report: &Report| {
        assert!(report.verdicts.iter().all(|judged| judged.verdict == Verdict::Ok), "{:?}", report.verdicts);
        assert_eq!(report.plies as usize, PLIES);
    };
    let contest = || -> Box<dyn Contest> { Box::new(Alternating::new(Bacteria::start())) };
    let mut stayers = stay.then(seats);
    let start = Instant::now();
    for _ in 0..games {
        let report = match &mut stayers {
            Some(seats) => bout::play(contest().as_mut(), seats, &limits, Afterwards::Stay, &mut ()),
            None => bout::play(contest().as_mut(), &mut seats(), &limits, Afterwards::Exit, &mut ()),
        };
        check(&report);
    }
    games as f64 / start.elapsed().as_secs_f64()
}
