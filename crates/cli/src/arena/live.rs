//! The progress of a run: a picture redrawn on a terminal, a line every ten seconds in a pipe, or a line of JSON per
//! game.

use std::io::{IsTerminal, Write};
use std::path::Path;
use std::sync::mpsc::{Receiver, RecvTimeoutError};
use std::time::{Duration, Instant};

use agon_arena::failures::Failures;
use agon_arena::runner::RunEvent;
use agon_arena::tally::Decision;
use agon_arena::{Plan, Standings, Summary, Tally};
use agon_referee::text::{self, line};
use crossterm::cursor::MoveToPreviousLine;
use crossterm::execute;
use crossterm::terminal::{Clear, ClearType};
use serde_json::json;

use super::tables;
use crate::options::Format;
use crate::output;
use crate::show::{self, ERROR, FAINT, STRONG, WARN, paint};

/// Interval at which a terminal is redrawn.
const FRAME: Duration = Duration::from_millis(250);
/// Interval at which a line is written to a pipe.
const LINE: Duration = Duration::from_secs(10);
const MAX_AGENTS: usize = 16;
const MAX_FAILURES: usize = 3;
const BAR: usize = 40;

pub(super) fn show(plan: &Plan, store: &Path, events: &Receiver<RunEvent>, format: Format) {
    let terminal = std::io::stdout().is_terminal() && format == Format::Text;
    let mut display = Display {
        plan,
        store,
        tally: Tally::new(plan),
        failures: Failures::default(),
        start: Instant::now(),
        kept: 0,
        now: 0,
        drawn: 0,
    };
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

pub(super) fn say_waiting(store: &Path) {
    anstream::eprintln!("waiting for `{}`: another program has locked it", store.display());
}

struct Display<'a> {
    plan: &'a Plan,
    store: &'a Path,
    tally: Tally,
    /// Failures reported so far.
    failures: Failures,
    start: Instant,
    kept: u64,
    now: u64,
    drawn: u16,
}

impl Display<'_> {
    fn take(&mut self, event: RunEvent, format: Format) {
        match event {
            RunEvent::Began { kept, beyond, .. } => {
                self.kept = kept;
                if kept > 0 && format == Format::Text {
                    let are = if kept == 1 { "is" } else { "are" };
                    let beyond = tables::beyond(beyond, self.plan).map_or_else(String::new, |text| format!("; {text}"));
                    anstream::println!("resumed: {} {are} already played{beyond}", show::counted(kept, "game"));
                }
            }
            RunEvent::Round { kept, .. } => {
                for bout in &kept {
                    self.tally.add(bout);
                    self.failures.add(bout);
                }
            }
            RunEvent::Recounted => {
                self.tally = Tally::new(self.plan);
                self.failures = Failures::default();
            }
            RunEvent::Started { .. } => {}
            RunEvent::Waiting => {
                self.clear();
                say_waiting(self.store);
            }
            RunEvent::Remark(text) => {
                self.clear();
                anstream::eprintln!("{}", line(&text));
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
            "reason": bout.reason.text, "verdicts": bout.verdicts, "score": bout.score, "plies": bout.plies,
            "time_ms": bout.time_ms, "seed": bout.seed,
        });
        let _ = writeln!(anstream::stdout(), "{}", output::json(line));
    }

    /// Reports a failure of an agent immediately, by name and reason; repetitions are not reported.
    fn complain(&mut self, bout: &Summary) {
        if !self.failures.add(bout) {
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
            line(&bout.reason.text)
        );
    }

    fn progress(&self) -> String {
        let (done, all) = (self.kept + self.now, self.plan.bouts());
        let minutes = self.start.elapsed().as_secs_f64() / 60.0;
        let rate = self.now as f64 / minutes.max(1e-9);
        let most = all.saturating_sub(done) as f64;
        // A test ends when it has decided, and hardly ever with its last game.
        let expected = self.tally.test().map(|decision| decision.test.expected_pairs(&decision.pairs));
        let left = match expected {
            _ if self.now == 0 => String::new(),
            None => format!(", {} left", show::span(most / rate * 60.0)),
            Some(Some(pairs)) if 2.0 * pairs < most => {
                format!(", about {} left", show::span(2.0 * pairs / rate * 60.0))
            }
            Some(_) => format!(", at most {} left", show::span(most / rate * 60.0)),
        };
        let up_to = if expected.is_some() { "at most " } else { "" };
        format!("{} of {up_to}{} games, {rate:.0} a minute{left}", show::count(done), show::count(all))
    }

    fn line(&self) {
        let mut line = self.progress();
        if self.plan.agents.len() == 2 {
            let cell = self.tally.against(0, 1);
            line += &format!(", +{} ={} −{}", cell.wins, cell.draws, cell.losses);
            line += &tables::elo(&self.tally).map_or_else(String::new, |elo| format!(", {elo}"));
        }
        if let Some(decision) = tables::decision(&self.tally) {
            line += &format!(", {decision}");
        }
        for (agent, name) in self.plan.agents.iter().enumerate() {
            let failed: u64 = self.tally.agent(agent).faults.values().sum();
            if failed > 0 {
                line += &format!(", {} failed {}", text::line(&name.name), show::counted(failed, "time"));
            }
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
            text += &format!("{}\n", paint(FAINT, test.test.verdict(test.status)));
        }
        if self.plan.agents.len() == 2 {
            let pairs = self.tally.pairs(0, 1);
            if let Some(elo) = tables::elo(&self.tally) {
                text += &format!("{elo}\n{}\n", tables::pair_counts(&pairs));
            }
        }
        let standings = Standings::new(self.plan, &self.tally);
        let width = self.plan.agents.iter().map(|agent| agent.name.chars().count()).max().unwrap_or(0).min(40);
        for row in standings.rows.iter().take(MAX_AGENTS) {
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
        if standings.rows.len() > MAX_AGENTS {
            text += &format!("and {} more\n", standings.rows.len() - MAX_AGENTS);
        }
        for failure in tables::failures(self.plan, self.tally.failures(), MAX_FAILURES) {
            text += &format!("{} {failure}\n", paint(ERROR, "failed"));
        }
        self.clear();
        let mut out = anstream::stdout();
        let _ = write!(out, "{text}");
        let _ = out.flush();
        self.drawn = text.lines().count() as u16;
    }

    fn clear(&mut self) {
        if self.drawn > 0 {
            // Cursor movements bypass the stream that may drop colours.
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
    let [low, high, llr] = [low, high, test.llr].map(|value| show::signed(value, 2));
    format!("LLR {low} {bar} {high}  {llr}\n")
}
