//! The cost of a run: bouts per second between instant bots, stored on disk.
//!
//! `cargo bench -p agon-arena` plays bacteria in games of 62 plies, the same that the referee's benchmark plays, one at
//! a time on one core and one on each core, with programs that stay and with two fresh ones a bout, and built-ins
//! without any programs. `-- stay`, `-- fresh` or `-- builtin` measures only one of them. The last line is the memory
//! of this process after all of it.

use std::fmt::Write as _;
use std::fs;
use std::path::Path;
use std::process::{Command, ExitCode};
use std::sync::mpsc;
use std::time::Instant;

use agon_arena::plan::Entrant;
use agon_arena::runner::{self, Roster, RunEnd, RunOptions, RunStop, cores};
use agon_arena::{Plan, Store};
use agon_catalog::Game;
use agon_game::Position;
use agon_game::seed::Stream;
use agon_jail::cgroup;
use agon_rules::bacteria::Bacteria;

const PLIES: usize = 62;
const ROUNDS: usize = 3;

/// Answers as fast as C can: its side's moves of one recorded game.
const BOT: &str = r#"
#include <stdio.h>
#include <string.h>
#include "game.h"
int main(int argc, char **argv) {
    char line[256];
    int at = 0;
    while (fgets(line, sizeof line, stdin)) {
        if (line[0] == 'R') { at = strncmp(line, "READY FIRST", 11) ? 1 : 0; fputs("OK\n", stdout); }
        else if (line[0] == 'T') { fputs(MOVES[at], stdout); at += 2; }
        else if (line[0] == 'F' && argc < 2) return 0;
        else continue;
        fflush(stdout);
    }
    return 0;
}
"#;

fn main() -> ExitCode {
    let folder = tempfile::tempdir().expect("a temporary folder");
    if let Err(error) = build(folder.path()) {
        eprintln!("{error}");
        return ExitCode::from(2);
    }
    let bot = folder.path().join("bot").display().to_string();
    let cores = cores::allowed().len();
    println!("bouts of {PLIES} plies between instant bots, kept in a store; memory limit by {}", cgroup::mechanism());
    let only = std::env::args().nth(1).filter(|word| !word.starts_with("--"));
    let rows = [("stay", format!("{bot} stay"), 4000), ("fresh", bot, 1200), ("builtin", "random".to_owned(), 6000)];
    for (name, agent, games) in rows {
        if only.as_ref().is_some_and(|word| name != word) {
            continue;
        }
        let plan = plan(&agent, games, name == "stay");
        let [one, all] = [1, cores].map(|concurrency| {
            let mut speeds: Vec<f64> = (0..ROUNDS).map(|_| speed(&plan, concurrency)).collect();
            speeds.sort_by(f64::total_cmp);
            speeds[ROUNDS / 2]
        });
        println!(
            "{name:<8} one at a time {one:>6.0} bouts/s   {cores} at once {all:>6.0} bouts/s   {:.2} x",
            all / one
        );
    }
    println!("resident memory {}", resident());
    agon_jail::retire_all();
    ExitCode::SUCCESS
}

fn plan(agent: &str, games: u32, stay: bool) -> Plan {
    let entrant = |name: &str| Entrant::read(agent, Game::BACTERIA).expect("the bot is there").named(name);
    let mut plan = Plan::of_match(Game::BACTERIA, [entrant("one"), entrant("two")], games);
    (plan.stay, plan.openings) = (stay, 0);
    plan
}

/// Bouts a second of a run into a new store.
fn speed(plan: &Plan, concurrency: usize) -> f64 {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let mut store = Store::open(&folder.path().join("agon.db")).expect("a new store");
    let roster = Roster::prepare(plan).expect("the bot can be prepared");
    let options = RunOptions { concurrency, ..RunOptions::default() };
    let (events, _) = mpsc::channel();
    let start = Instant::now();
    let finish = runner::run(plan, &roster, &mut store, &options, &RunStop::default(), &events).expect("the run ends");
    let seconds = start.elapsed().as_secs_f64();
    assert_eq!(finish.ending, RunEnd::Complete);
    assert!((0..2).all(|agent| finish.tally.agent(agent).faults.is_empty()), "{:?}", finish.tally);
    f64::from(plan.games) / seconds
}

/// A game of exactly as many plies as wanted, by random play, as C.
fn header() -> String {
    for seed in 0.. {
        let mut stream = Stream::new(seed, "bench");
        let (mut position, mut played, mut moves) = (Bacteria::start(), Vec::new(), Vec::new());
        while position.outcome().is_none() {
            moves.clear();
            position.legal_moves(&mut moves);
            let m = moves[stream.below(moves.len())];
            position.play_unchecked(m, &mut ());
            played.push(m);
        }
        if played.len() == PLIES {
            let mut text = "static const char *const MOVES[] = {\n".to_owned();
            for m in played {
                let _ = writeln!(text, "    \"MOVE {m}\\n\",");
            }
            return text + "};\n";
        }
    }
    unreachable!("some game is that long")
}

fn build(folder: &Path) -> Result<(), String> {
    let write = |name: &str, text: &str| fs::write(folder.join(name), text).map_err(|error| error.to_string());
    write("game.h", &header())?;
    write("bot.c", BOT)?;
    let mut gcc = Command::new("gcc");
    gcc.arg("-O2").arg("-o").arg(folder.join("bot")).arg(folder.join("bot.c"));
    let status = gcc.status().map_err(|error| format!("gcc: {error}; this benchmark needs it"))?;
    if status.success() { Ok(()) } else { Err("gcc cannot build the bot".to_owned()) }
}

fn resident() -> String {
    let status = fs::read_to_string("/proc/self/status").unwrap_or_default();
    let line = status.lines().find_map(|line| line.strip_prefix("VmRSS:"));
    line.map_or_else(|| "unknown".to_owned(), |size| size.trim().to_owned())
}
