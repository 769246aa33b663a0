//! The log of a game: every line to and from both agents, and of their error streams, with its time.

use std::fmt::Write as _;
use std::time::Duration;

use agon_game::{GameState, Side};
use agon_referee::bout::{Played, Report, Spectator};
use agon_referee::process::Tap;
use agon_referee::record::{Record, RecordEntry, Way};
use agon_referee::text::line;

/// Watches a game on behalf of another spectator and collects what its log needs.
pub struct Logged<'a> {
    watching: &'a mut dyn Spectator,
    messages: Vec<(Duration, Side, String)>,
}

impl<'a> Logged<'a> {
    pub fn new(watching: &'a mut dyn Spectator) -> Self {
        Self { watching, messages: Vec::new() }
    }

    /// The log of the watched game: one line for each line, in order of time. `>` went to the agent, `<` came from it,
    /// `!` is from its error stream.
    pub fn text(&self, record: &Record) -> String {
        let header = &record.header;
        let mut text = format!("# {} by Agon {}, seed {}\n", header.game, header.agon, header.seed);
        for (side, agent) in Side::BOTH.iter().zip(&header.agents) {
            let _ = writeln!(text, "# {side:<6} {}", line(agent.shown()));
        }
        let entries = record.entries.iter().map(|entry| {
            let way = if entry.way == Way::To { '>' } else { '<' };
            (entry.at, entry.at, entry.side, way, entry.line.as_str())
        });
        let messages = self
            .messages
            .iter()
            .map(|(at, side, said)| (order_of_message(&record.entries, *side, *at), *at, *side, '!', said.as_str()));
        let mut lines: Vec<_> = entries.chain(messages).collect();
        lines.sort_by_key(|&(order, ..)| order);
        for (_, at, side, way, said) in lines {
            let _ = writeln!(text, "{:>9.3} {side:<6} {way} {}", at.as_secs_f64(), line(said));
        }
        for (side, judged) in Side::BOTH.iter().zip(&record.result.verdicts) {
            let words = judged.explanation().join("; ");
            let _ = writeln!(text, "# {side:<6} {}{}{words}", judged.verdict, if words.is_empty() { "" } else { ": " });
        }
        let _ = writeln!(text, "# {}: {}", record.result.winner, line(&record.result.reason.text));
        text
    }
}

/// An error stream is read right after the answer that it came before.
const READ_TOGETHER: Duration = Duration::from_micros(200);

/// Text that arrives right after an answer was written before the answer, but not before the question.
fn order_of_message(entries: &[RecordEntry], side: Side, at: Duration) -> Duration {
    let sent = entries.iter().filter(|entry| entry.side == side && entry.way == Way::To);
    let asked = sent.map(|entry| entry.at).take_while(|&asked| asked <= at).last().unwrap_or_default();
    at.saturating_sub(READ_TOGETHER).max(asked)
}

impl Spectator for Logged<'_> {
    fn tap(&mut self) -> Option<Tap> {
        self.watching.tap()
    }

    fn started(&mut self, state: &dyn GameState, clocks: [Duration; 2]) {
        self.watching.started(state, clocks);
    }

    fn moved(&mut self, state: &dyn GameState, played: &Played) {
        self.watching.moved(state, played);
    }

    fn ended(&mut self, report: &Report) {
        self.messages.clone_from(&report.messages);
        self.watching.ended(report);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_message_stands_between_question_and_answer() {
        let at = Duration::from_micros;
        let entry = |micros, way, line: &str| RecordEntry::new(at(micros), Side::First, way, line.to_owned());
        let entries =
            [entry(100, Way::To, "READY FIRST"), entry(5000, Way::To, "TURN 10 10"), entry(5090, Way::From, "MOVE 1")];
        // Read after the answer; at once after the question; long before either.
        for (read, order) in [(5100, 5000), (4950, 4750), (5600, 5400), (900, 700), (320, 120)] {
            assert_eq!(order_of_message(&entries, Side::First, at(read)), at(order), "{read}");
        }
        assert_eq!(order_of_message(&entries, Side::Second, at(5100)), at(4900));
    }
}
