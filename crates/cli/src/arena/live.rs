//! The progress of a run, made of its events: a picture redrawn on a terminal, a line every ten seconds in a pipe, or a
//! line of JSON a game.

use std::io::{IsTerminal, Write};
use std::path::Path;
use std::sync::mpsc::{Receiver, RecvTimeoutError};
use std::time::{Duration, Instant};

use agon_arena::runner::RunEvent;
use agon_arena::stats::sprt::Status;
use agon_arena::tally::Decision;
use agon_arena::{Plan, Standings, Summary, Tally};
use agon_referee::text::line;
use crossterm::cursor::MoveToPreviousLine;
use crossterm::execute;
use crossterm::terminal::{Clear, ClearType};
use serde_json::json;

use super::tables;
use crate::options::Format;
use crate::show::{self, ERROR, FAINT, STRONG, WARN, paint};

/// How often the picture on a terminal is redrawn.
const FRAME: Duration = Duration::from_millis(250);
/// How often a line is written to a pipe.
const LINE: Duration = Duration::from_secs(10);
/// The most agents in the picture.
const SHOWN: usize = 16;
/// Width of the bars.
const BAR: usize = 40;

/// Shows a run until its events end.
pub fn show(plan: &Plan, store: &Path, events: &Receiver<RunEvent>, format: Format) {
    let terminal = std::io::stdout().is_terminal() && format == Format::Text;
    let mut display =
        Display { plan, store, tally: Tally::new(plan), start: Instant::now(), kept: 0, now: 0, drawn: 0 };
    let every = if terminal { FRAME } else { LINE };
    let mut next = Instant::now() + every;
    loop {
        match events.recv_timeout(next.saturating_duration_since(Instant::now())) {
            Ok(event) => display.take(event, format),
            Err(RecvTimeoutError::Timeout) => {
                next = Instant::now() + every;
                match (format, terminal) {
                    (Format::Json, _) => {}
                    (Format::Text, true) => display.frame(),
                    (Format::Text, false) => display.line(),
                }
            }
            Err(RecvTimeoutError::Disconnected) => {
                display.clear();
                return;
            }
        }
    }
}

/// Tells the user, on standard error, why nothing happens.
pub fn say_waiting(store: &Path) {
    anstream::eprintln!("waiting for `{}`, which another program has locked", store.display());
}

struct Display<'a> {
    plan: &'a Plan,
    store: &'a Path,
    tally: Tally,
    start: Instant,
    /// Games played before.
    kept: u64,
    /// Games played now.
    now: u64,
    drawn: u16,
}

impl Display<'_> {
    fn take(&mut self, event: RunEvent, format: Format) {
        match event {
            RunEvent::Began { kept, .. } => {
                self.kept = kept;
                if kept > 0 && format == Format::Text {
                    anstream::println!("resumed: {kept} games are already played");
                }
            }
            RunEvent::Round { kept, .. } => {
                for bout in &kept {
                    self.tally.add(bout);
                }
            }
            RunEvent::Started { .. } => {}
            RunEvent::Waiting => {
                self.clear();
                say_waiting(self.store);
            }
            RunEvent::Finished { bout, .. } => {
                self.now += 1;
                self.tally.add(&bout);
                match format {
                    Format::Json => self.json(&bout),
                    Format::Text => self.complain(&bout),
                }
            }
        }
    }

    fn json(&self, bout: &Summary) {
        let name = |at: usize| self.plan.agents[at].name.as_str();
        let line = json!({
            "slot": bout.slot, "first": name(bout.seats[0]), "second": name(bout.seats[1]), "winner": bout.winner,
            "reason": bout.reason, "verdicts": bout.verdicts, "score": bout.score, "plies": bout.plies,
            "time_ms": bout.time_ms, "seed": bout.seed,
        });
        let _ = writeln!(anstream::stdout(), "{line}");
    }

    /// Reports a game in which an agent failed at once, by name and reason.
    fn complain(&mut self, bout: &Summary) {
        if bout.is_clean() {
            return;
        }
        self.clear();
        let names = bout.seats.map(|at| line(&self.plan.agents[at].name));
        let _ = writeln!(
            anstream::stdout(),
            "{} game {}, {} – {}: {}",
            paint(ERROR, "failed"),
            bout.slot,
            names[0],
            names[1],
            line(&bout.reason)
        );
    }

    /// What is played of all, how fast, and how long it may still take.
    fn progress(&self) -> String {
        let (done, all) = (self.kept + self.now, self.plan.bouts());
        let minutes = self.start.elapsed().as_secs_f64() / 60.0;
        let rate = self.now as f64 / minutes.max(1e-9);
        let left = if self.now == 0 {
            String::new()
        } else {
            format!(", {} left", time((all.saturating_sub(done)) as f64 / rate * 60.0))
        };
        format!("{} of {} games, {rate:.0} a minute{left}", show::count(done), show::count(all))
    }

    fn line(&self) {
        let mut line = self.progress();
        if self.plan.agents.len() == 2 {
            let (cell, pairs) = (self.tally.against(0, 1), self.tally.pairs(0, 1));
            line += &format!(", +{} ={} −{}", cell.wins, cell.draws, cell.losses);
            if pairs.pairs() > 0 {
                line += &format!(", Elo {}", tables::interval(&pairs.elo(), 1));
            }
        }
        if let Some(test) = self.tally.test() {
            line += &format!(", LLR {:.2} of {:.2} to {:.2}", test.llr, test.bounds.0, test.bounds.1);
        }
        let _ = writeln!(anstream::stdout(), "{line}");
    }

    fn frame(&mut self) {
        let mut text = format!(
            "{} of {}\n{}\n",
            paint(STRONG, self.plan.title()),
            self.plan.game.title(),
            paint(FAINT, self.progress())
        );
        if let Some(test) = self.tally.test() {
            text += &llr_bar(&test);
        }
        if self.plan.agents.len() == 2 {
            let pairs = self.tally.pairs(0, 1);
            if pairs.pairs() > 0 {
                text += &format!("Elo {}\n{}\n", tables::interval(&pairs.elo(), 1), tables::pair_counts(&pairs));
            }
        }
        let standings = Standings::new(self.plan, &self.tally);
        let width = self.plan.agents.iter().map(|agent| agent.name.chars().count()).max().unwrap_or(0).min(40);
        for row in standings.rows.iter().take(SHOWN) {
            let name: String = line(&self.plan.agents[row.agent].name).chars().take(width).collect();
            let faults: u64 = self.tally.agent(row.agent).faults.values().sum();
            let faults = if faults > 0 { paint(WARN, format!("  {faults} failed")) } else { String::new() };
            text += &format!(
                "{name:<width$} {:>8.1} of {:<8} {:>5.1} %{faults}\n",
                row.points,
                row.possible,
                100.0 * row.share()
            );
        }
        if standings.rows.len() > SHOWN {
            text += &format!("and {} more\n", standings.rows.len() - SHOWN);
        }
        self.clear();
        let mut out = anstream::stdout();
        let _ = write!(out, "{text}");
        let _ = out.flush();
        self.drawn = text.lines().count() as u16;
    }

    fn clear(&mut self) {
        if self.drawn > 0 {
            // Cursor movement is no colour: it goes past the stream that may drop colours.
            let _ = execute!(std::io::stdout(), MoveToPreviousLine(self.drawn), Clear(ClearType::FromCursorDown));
            self.drawn = 0;
        }
    }
}

/// The log likelihood ratio of the test between its bounds.
fn llr_bar(test: &Decision) -> String {
    let (low, high) = test.bounds;
    let share = ((test.llr - low) / (high - low)).clamp(0.0, 1.0);
    let at = ((BAR - 1) as f64 * share).round() as usize;
    let bar: String = (0..BAR).map(|n| if n == at { '●' } else { '─' }).collect();
    let word = match test.status {
        Status::Continue => "",
        Status::H0 => " H0",
        Status::H1 => " H1",
    };
    format!("LLR {low:.2} {bar} {high:.2}  {:.2}{word}\n", test.llr)
}

fn time(seconds: f64) -> String {
    let seconds = seconds.min(1e9) as u64;
    match (seconds / 3600, seconds / 60 % 60, seconds % 60) {
        (0, 0, s) => format!("{s} s"),
        (0, m, s) => format!("{m} min {s:02} s"),
        (h, m, _) => format!("{h} h {m:02} min"),
    }
}
