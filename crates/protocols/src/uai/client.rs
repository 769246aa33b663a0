//! The interface's side: an Ataxx engine of others that is asked for moves.

use std::time::Duration;

use agon_game::{Position, Side, TimeControl};
use agon_rules::bacteria::Bacteria;

use super::notation;
use crate::engine_process::{EngineError, EngineProcess};
use crate::protocol_client::{ProtocolClient, RESPONSE_TIMEOUT, Terms};

#[derive(Debug)]
pub struct UaiClient {
    program: EngineProcess,
    terms: Terms,
}

impl UaiClient {
    /// An engine that has been started and sent nothing yet.
    pub const fn new(program: EngineProcess, terms: Terms) -> Self {
        Self { program, terms }
    }
}

impl ProtocolClient<Bacteria> for UaiClient {
    fn start(&mut self) -> Result<(), EngineError> {
        self.program.send("uai")?;
        self.program.wait_for(RESPONSE_TIMEOUT, |line| (line == "uaiok").then_some(Ok(())))?;
        for (name, value) in &self.terms.options {
            self.program.send(&format!("setoption name {name} value {value}"))?;
        }
        self.program.send("uainewgame\nisready")?;
        self.program.wait_for(RESPONSE_TIMEOUT, |line| (line == "readyok").then_some(Ok(())))
    }

    fn ask(
        &mut self,
        position: &Bacteria,
        _: &[agon_rules::bacteria::Move],
        own: TimeControl,
        opponent: TimeControl,
    ) -> Result<String, EngineError> {
        let go = match self.terms.nodes {
            Some(nodes) => format!("go nodes {nodes}"),
            None => clocks(position.turn(), self.terms.left(own.left), opponent.left),
        };
        self.program.send(&format!("position fen {position}\n{go}"))?;
        self.program.wait_for(own.left + RESPONSE_TIMEOUT, |line| best_move(position, line))
    }

    fn quit(self) {
        self.program.dismiss("quit");
    }
}

/// A search by what is left on both clocks.
fn clocks(turn: Side, mine: Duration, theirs: Duration) -> String {
    let [x, o] = match turn {
        Side::First => [mine, theirs],
        Side::Second => [theirs, mine],
    };
    format!("go btime {} wtime {} binc 0 winc 0", x.as_millis(), o.as_millis())
}

/// Of an engine's line `bestmove MOVE` the arguments of the judge's MOVE, whether it is legal or not; `None` of any
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
        let clocks = |turn| clocks(turn, Duration::from_millis(900), Duration::from_secs(8));
        assert_eq!(clocks(Side::First), "go btime 900 wtime 8000 binc 0 winc 0");
        assert_eq!(clocks(Side::Second), "go btime 8000 wtime 900 binc 0 winc 0");
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
        // What is in the notation is the judge's to refuse.
        check("bestmove 0000", Some(Ok("-1 -1 -1 -1")));
        check("bestmove a1d4", Some(Ok("7 1 4 4")));
        check("bestmove d4", Some(Err("nothing divides to there")));
        check("bestmove", Some(Err("is no move")));
        check("bestmove (none)", Some(Err("is no move")));
    }
}
