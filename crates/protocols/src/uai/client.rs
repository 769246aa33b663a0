//! The interface's side: a third-party Ataxx engine that is asked for moves.

use std::time::{Duration, Instant};

use agon_game::{Evaluation, Position, Side, TimeControl};
use agon_rules::bacteria::Bacteria;

use super::{info, notation};
use crate::engine_process::{EngineError, EngineProcess};
use crate::protocol_client::{ProtocolClient, RESPONSE_TIMEOUT, START_TIMEOUT, Terms};

#[derive(Debug)]
pub struct UaiClient {
    program: EngineProcess,
    terms: Terms,
    evaluation: Option<Evaluation>,
}

impl UaiClient {
    /// Waits until it has processed all commands, and discards its output until then: an answer in it is surplus.
    fn synchronize(&mut self, limit: Duration) -> Result<(), EngineError> {
        self.program.send("isready")?;
        let mut dropped = Vec::new();
        let ready = self.program.wait_for(limit, |line| {
            if line.split_ascii_whitespace().next() == Some("bestmove") {
                dropped.push(line.to_owned());
            }
            (line == "readyok").then_some(Ok(()))
        });
        for line in &dropped {
            self.program.say_dropped(line);
        }
        ready
    }

    /// Begins a game; after `late` it is said that the engine is not ready.
    fn begin(&mut self, late: Duration) -> Result<(), EngineError> {
        self.program.complain_after(late);
        self.program.send("uainewgame")?;
        self.synchronize(START_TIMEOUT)
    }

    /// Creates a client for an engine that has been started but sent nothing.
    pub const fn new(program: EngineProcess, terms: Terms) -> Self {
        Self { program, terms, evaluation: None }
    }
}

/// Maximum half-move clock sent to an engine. From 100 on, libataxx and python-ataxx treat a game as drawn and give no
/// move; here it continues.
const MAX_HALF_MOVES: u16 = 99;

impl ProtocolClient<Bacteria> for UaiClient {
    fn start(&mut self) -> Result<(), EngineError> {
        let (asked, late) = (Instant::now(), self.terms.ready_complaint());
        self.program.complain_after(late);
        self.program.send("uai")?;
        self.program.wait_for(START_TIMEOUT, |line| (line == "uaiok").then_some(Ok(())))?;
        for (name, value) in &self.terms.options {
            self.program.send(&format!("setoption name {name} value {value}"))?;
        }
        self.begin(late.saturating_sub(asked.elapsed()))
    }

    fn new_game(&mut self) -> Result<(), EngineError> {
        self.begin(self.terms.ready_complaint())
    }

    fn ask(
        &mut self,
        position: &Bacteria,
        _: &[agon_rules::bacteria::Move],
        own: TimeControl,
        opponent: TimeControl,
    ) -> Result<String, EngineError> {
        let asked = Instant::now();
        let late = self.terms.complaint(own.left);
        self.program.complain_after(late);
        // Its earlier output cannot answer the current question.
        self.synchronize(own.left + RESPONSE_TIMEOUT)?;
        // Its `readyok` was an answer as well.
        self.program.complain_after(late.saturating_sub(asked.elapsed()));
        let go = go(&self.terms, position.turn(), own, opponent);
        let sent = position.clone().with_half_moves(position.half_moves().min(MAX_HALF_MOVES));
        self.program.send(&format!("position fen {sent}\n{go}"))?;
        let Self { program, evaluation, .. } = self;
        *evaluation = None;
        program.wait_for(own.left + RESPONSE_TIMEOUT, |line| {
            *evaluation = info::evaluation(line).or(*evaluation);
            best_move(position, line)
        })
    }

    fn last_lines(&self) -> String {
        self.program.last_lines()
    }

    fn evaluation(&self) -> Option<Evaluation> {
        self.evaluation
    }

    fn quit(self) {
        self.program.dismiss("quit");
    }
}

/// Returns the question for a move: nodes, a depth, or a time per move, if the terms or the judge's clock define one,
/// otherwise the time left on both clocks.
fn go(terms: &Terms, turn: Side, own: TimeControl, opponent: TimeControl) -> String {
    if let Some(nodes) = terms.nodes {
        return format!("go nodes {nodes}");
    }
    if let Some(depth) = terms.depth {
        return format!("go depth {depth}");
    }
    let for_move = (own.moves_to_go == Some(1) && own.increment.is_zero()).then(|| terms.for_move(own.left));
    if let Some(time) = terms.movetime.or(for_move) {
        return format!("go movetime {}", time.as_millis());
    }
    let mine = TimeControl { left: terms.left(own.left), ..own };
    let [x, o] = match turn {
        Side::First => [mine, opponent],
        Side::Second => [opponent, mine],
    };
    let [btime, wtime, binc, winc] = [x.left, o.left, x.increment, o.increment].map(|time| time.as_millis());
    let to_go = own.moves_to_go.map_or_else(String::new, |moves| format!(" movestogo {moves}"));
    format!("go btime {btime} wtime {wtime} binc {binc} winc {winc}{to_go}")
}

/// Parses an engine's line `bestmove MOVE` into the arguments of the judge's MOVE, whether legal or not; `None` for any
/// other line.
///
/// # Errors
/// A text that says why a best move is none.
pub fn best_move(position: &Bacteria, line: &str) -> Option<Result<String, String>> {
    let mut words = line.split_ascii_whitespace();
    if words.next() != Some("bestmove") {
        return None;
    }
    let m = notation::read(position, words.next().unwrap_or_default());
    Some(m.map(|m| m.to_string()).map_err(|error| error.to_string()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn clocks_go_to_the_colours_of_other_arenas() {
        let ms = Duration::from_millis;
        let [mine, theirs] = [1_000, 8_000].map(|left| TimeControl::sudden_death(ms(left)));
        let terms = Terms::default();
        let check = |terms: &Terms, turn, own, expected: &str| assert_eq!(go(terms, turn, own, theirs), expected);
        check(&terms, Side::First, mine, "go btime 900 wtime 8000 binc 0 winc 0");
        check(&terms, Side::Second, mine, "go btime 8000 wtime 900 binc 0 winc 0");
        let control = |moves_to_go| TimeControl { increment: ms(50), moves_to_go, ..mine };
        check(&terms, Side::First, control(None), "go btime 900 wtime 8000 binc 50 winc 0");
        check(&terms, Side::Second, control(Some(7)), "go btime 8000 wtime 900 binc 0 winc 50 movestogo 7");
        check(&terms, Side::First, TimeControl { moves_to_go: Some(1), ..mine }, "go movetime 900");
        check(&Terms { nodes: Some(7), ..Terms::default() }, Side::First, mine, "go nodes 7");
        check(&Terms { depth: Some(9), ..Terms::default() }, Side::First, mine, "go depth 9");
        check(&Terms { movetime: Some(ms(250)), ..Terms::default() }, Side::First, mine, "go movetime 250");
    }

    #[test]
    fn only_a_best_move_is_an_answer() {
        let check = |line: &str, answer: Option<Result<&str, &str>>| {
            let read = best_move(&Bacteria::start(), line);
            match answer {
                Some(Err(expected)) => assert!(
                    read.as_ref().is_some_and(|read| read.as_ref().is_err_and(|e| e.contains(expected))),
                    "{line}: {read:?}"
                ),
                answer => assert_eq!(read, answer.map(|answer| Ok(answer.unwrap().to_owned())), "{line}"),
            }
        };
        check("info depth 3 pv f1", None);
        check("bestmove g1e3 ponder b7", Some(Ok("7 7 5 5")));
        check("bestmove f1", Some(Ok("7 7 7 6")));
        // The judge rejects moves that are illegal but valid in the notation.
        check("bestmove 0000", Some(Ok("-1 -1 -1 -1")));
        check("bestmove a1d4", Some(Ok("7 1 4 4")));
        check("bestmove d4", Some(Err("nothing divides to there")));
        check("bestmove", Some(Err("is not a move")));
        check("bestmove (none)", Some(Err("is not a move")));
    }
}
