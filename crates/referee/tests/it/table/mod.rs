//! Games between bots in C that play from a table and know how long they think: `bots/table.c`.

#![allow(dead_code, reason = "each test file uses a part of it")]

use std::fmt::Write as _;
use std::fs;
use std::path::Path;
use std::process::Command;
use std::time::Duration;

use agon_game::seed::Stream;
use agon_game::{Alternating, Position, Side};
use agon_jail::{Jail, Level};
use agon_referee::agent::{Prepared, Seat};
use agon_referee::bout::{self, Afterwards, Report, Spectator};
use agon_referee::limits::GameLimits;
use agon_referee::process::{Moment, ProgramSpec};
use agon_rules::bacteria::Bacteria;
use tempfile::TempDir;

/// Limits that only a hanging program reaches, however loaded the machine is.
pub const ROOMY: GameLimits = GameLimits {
    clock_ms: 600_000,
    ready_ms: 60_000,
    exit_ms: 60_000,
    memory_mib: 1024,
    freeze: false,
    invocation_ms: 60_000,
    recheck_percent: 0,
    ..GameLimits::ALPHANO
};

/// The bot, compiled with the moves of one game.
pub struct Table(TempDir);

impl Table {
    /// Compiles it.
    pub fn build() -> Self {
        let folder = tempfile::tempdir().unwrap();
        let mut header = "static const char *const MOVES[] = {\n".to_owned();
        for m in game() {
            writeln!(header, "    \"MOVE {m}\\n\",").unwrap();
        }
        fs::write(folder.path().join("moves.h"), header + "    0};\n").unwrap();
        let source = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/bots/table.c");
        let mut gcc = Command::new("gcc");
        gcc.args(["-O2", "-pthread", "-I"]).arg(folder.path()).arg("-o").arg(folder.path().join("table")).arg(source);
        assert!(gcc.status().unwrap().success());
        Self(folder)
    }

    /// Plays a game between two bots with these arguments.
    pub fn play(&self, bots: [&str; 2], limits: &GameLimits, spectator: &mut dyn Spectator) -> Report {
        self.play_in(&Jail::default(), bots, limits, spectator)
    }

    /// The jail in which the bots are visible.
    pub fn jail(&self) -> Jail {
        let folder = self.0.path().to_owned();
        let visible = vec![folder.clone()];
        Jail { level: Level::Full, visible, folder: Some(folder), disk: 1 << 20, processes: 64, ..Jail::default() }
    }

    /// The same in a jail.
    pub fn play_in(&self, jail: &Jail, bots: [&str; 2], limits: &GameLimits, spectator: &mut dyn Spectator) -> Report {
        let mut seats = bots.map(|arguments| {
            let mut words = vec![self.0.path().join("table").display().to_string()];
            // A number, and perhaps a way, and perhaps a number.
            let (micros, way) = arguments.split_once(' ').unwrap_or((arguments, ""));
            words.push(micros.to_owned());
            match way.strip_prefix("stop ") {
                Some(pid) => words.extend(["stop".to_owned(), pid.to_owned()]),
                None => words.push(way.to_owned()),
            }
            let program = Prepared::Program(ProgramSpec { jail: jail.clone(), ..ProgramSpec::unjailed(words) });
            Seat::take(&program, limits, 0, &|_, _| None).unwrap()
        });
        let mut state = Alternating::new(Bacteria::start());
        bout::play(&mut state, &mut seats, limits, Afterwards::Exit, spectator)
    }
}

/// The times of a side's moves.
pub fn moments(report: &Report, side: Side) -> Vec<Moment> {
    report.entries.iter().filter(|entry| entry.side == side).filter_map(|entry| entry.moment).collect()
}

/// A side's own report on the times of its moves.
pub fn spun(report: &Report, side: Side) -> Vec<Duration> {
    let lines = report.stderr[side.index()].lines();
    lines.filter_map(|line| line.strip_prefix("spun ")?.parse().ok()).map(Duration::from_nanos).collect()
}

/// A random game of at least sixty plies.
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
    games.into_iter().find(|game| (60..80).contains(&game.len())).expect("some game is that long")
}
