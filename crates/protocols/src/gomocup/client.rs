//! The manager's side: a third-party engine that is asked for moves.

use std::cell::Cell;
use std::time::{Duration, Instant};

use agon_game::{Evaluation, TimeControl};
use agon_rules::renju::{Move, Renju, SIZE};

use super::{RENJU, board, message, place};
use crate::engine_process::{EngineError, EngineProcess};
use crate::protocol_client::{ProtocolClient, RESPONSE_TIMEOUT, START_TIMEOUT, Terms};

/// Memory limit sent to an engine, in bytes: three quarters of ALPHANO's limit, since engines only count their tables.
const MEMORY: u64 = 768 << 20;

/// Divisor of the time left that gives the engine's limit for one move. Most engines use the time left in the match;
/// one that knows only this limit cannot run out of time.
const SHARE: u32 = 4;

/// Maximum wait for the answer of an engine to ABOUT: the protocol requires an answer, but not every engine gives one.
/// With ALPHANO's time for READY, [`ABOUT_SHARE`] makes it 500 ms.
const ABOUT_TIMEOUT: Duration = Duration::from_secs(2);

/// The share of the time for READY that this wait may take.
const ABOUT_SHARE: u32 = 6;

/// Initial time after which ABOUT is repeated during a game. An engine that searches in a separate thread may miss a
/// command that arrives while that thread ends, right after the answer; it may also miss the INFO of the next question.
const ABOUT_AGAIN: Duration = Duration::from_millis(20);

/// Time left that is sent if a match has no limit: the largest number in the protocol.
const NO_MATCH_TIME: u128 = 2_147_483_647;

/// An engine that speaks Gomocup's protocol.
///
/// It is sent the opponent's stones by TURN as long as it knows all the others. Anything else, such as an opening, a
/// move played on its behalf, or a PASS, it sees on a whole BOARD; a PASS as two successive stones of the same colour.
#[derive(Debug)]
pub struct GomocupClient {
    program: EngineProcess,
    terms: Terms,
    /// Number of moves on its board, if they are all it needs.
    known: usize,
    /// The match's time has been sent.
    begun: bool,
    /// Whether it answers ABOUT, which shows that it has processed all commands; `None` before it was asked.
    knows_about: Option<bool>,
    evaluation: Option<Evaluation>,
}

impl GomocupClient {
    /// Creates a client for an engine that has been started but sent nothing.
    pub const fn new(program: EngineProcess, terms: Terms) -> Self {
        Self { program, terms, known: 0, begun: false, knows_about: None, evaluation: None }
    }

    /// Makes it clear its board. Not every engine knows RESTART; each knows START. After `late` it is reported that it
    /// does not answer.
    fn clear(&mut self, late: Duration) -> Result<(), EngineError> {
        let asked = Instant::now();
        self.program.complain_after(late);
        self.program.send("RESTART")?;
        let known = self.program.wait_for(RESPONSE_TIMEOUT, |line| match first_word(line) {
            "OK" => Some(Ok(true)),
            "UNKNOWN" | "ERROR" => Some(Ok(false)),
            _ => None,
        })?;
        if known { Ok(()) } else { self.begin(late.saturating_sub(asked.elapsed())) }
    }

    /// Sends it the size of the board and the terms; after `late` it is reported as not ready.
    fn begin(&mut self, late: Duration) -> Result<(), EngineError> {
        let asked = Instant::now();
        self.program.complain_after(late);
        self.program.send(&format!("START {SIZE}"))?;
        self.program.wait_for(START_TIMEOUT, |line| match first_word(line) {
            "OK" => Some(Ok(())),
            "ERROR" => Some(Err(format!("it refuses a board of {SIZE} x {SIZE}"))),
            _ => None,
        })?;
        // Before any INFO, which an engine may answer with UNKNOWN too.
        if self.knows_about.is_none() {
            self.knows_about = Some(self.answers_about()?);
        }
        let usual = [("max_memory", MEMORY.to_string()), ("game_type", 1.to_string()), ("rule", RENJU.to_string())];
        let is_given = |name: &str| self.terms.options.iter().any(|(given, _)| given.eq_ignore_ascii_case(name));
        let usual = usual.iter().map(|(name, value)| (*name, value.as_str())).filter(|(name, _)| !is_given(name));
        let given = self.terms.options.iter().map(|(name, value)| (name.as_str(), value.as_str()));
        let nodes = self.terms.nodes.map(|nodes| ("max_node", nodes.to_string()));
        let depth = self.terms.depth.map(|depth| ("max_depth", depth.to_string()));
        let limits = nodes.iter().chain(&depth).map(|(name, value)| (*name, value.as_str()));
        let expected = usual.chain(limits).chain(given);
        let lines: Vec<String> = expected.map(|(name, value)| format!("INFO {name} {value}")).collect();
        self.program.send(&lines.join("\n"))?;
        // Work caused by them, such as building tables, belongs to its start and not to its first move.
        self.program.complain_after(late.saturating_sub(asked.elapsed()));
        self.synchronize(START_TIMEOUT)
    }

    /// Sends ABOUT, and returns whether it answers.
    fn answers_about(&mut self) -> Result<bool, EngineError> {
        self.program.send("ABOUT")?;
        let answer =
            self.program.wait_for(ABOUT_TIMEOUT.min(self.terms.ready / ABOUT_SHARE), |line| match first_word(line) {
                "UNKNOWN" | "ERROR" => Some(Ok(false)),
                _ => is_about(line).then_some(Ok(true)),
            });
        match answer {
            Err(EngineError::Silent { .. }) => Ok(false),
            answer => answer,
        }
    }

    /// Discards its output that cannot answer the next question: until it has processed all commands, or else the
    /// output received so far. A move in it is a surplus answer.
    fn synchronize(&mut self, limit: Duration) -> Result<(), EngineError> {
        let is_move = |line: &str| matches!(answer(line), Some(Ok(_)));
        // Answers to an earlier ABOUT among them: also the first one, if a busy machine delayed it.
        let known = Cell::new(self.knows_about);
        self.program.drop_pending(|line| {
            if is_about(line) {
                known.set(Some(true));
            }
            is_move(line)
        })?;
        self.knows_about = known.get();
        if self.knows_about != Some(true) {
            return Ok(());
        }
        let (asked, mut dropped, mut wait) = (Instant::now(), Vec::new(), ABOUT_AGAIN);
        let done = loop {
            self.program.send("ABOUT")?;
            let left = limit.saturating_sub(asked.elapsed());
            let done = self.program.wait_for(wait.min(left), |line| {
                if is_move(line) {
                    dropped.push(line.to_owned());
                }
                is_about(line).then_some(Ok(()))
            });
            match done {
                Err(EngineError::Silent { .. }) if wait < left => wait *= 2,
                done => break done,
            }
        };
        for line in &dropped {
            self.program.say_dropped(line);
        }
        done
    }
}

impl ProtocolClient<Renju> for GomocupClient {
    fn start(&mut self) -> Result<(), EngineError> {
        self.begin(self.terms.ready_complaint())
    }

    fn new_game(&mut self) -> Result<(), EngineError> {
        (self.known, self.begun) = (0, false);
        self.clear(self.terms.ready_complaint())
    }

    fn ask(&mut self, _: &Renju, moves: &[Move], own: TimeControl, _: TimeControl) -> Result<String, EngineError> {
        let (asked, late) = (Instant::now(), self.terms.complaint(own.left));
        self.program.complain_after(late);
        self.synchronize(own.left + RESPONSE_TIMEOUT)?;
        let question = question(self.known, moves);
        // As long as no unread output could be taken for the answer.
        if self.known > 0 && question.starts_with("BOARD") {
            self.clear(late.saturating_sub(asked.elapsed()))?;
        }
        let begins = !std::mem::replace(&mut self.begun, true);
        self.program.send(&clocks(&self.terms, own, begins))?;
        self.program.send(&question)?;
        self.known = moves.len() + 1;
        let Self { program, evaluation, knows_about, .. } = self;
        *evaluation = None;
        loop {
            program.complain_after(late.saturating_sub(asked.elapsed()));
            let answer = program.wait_for(own.left + RESPONSE_TIMEOUT, |line| {
                *evaluation = message::evaluation(line).or(*evaluation);
                if is_about(line) {
                    *knows_about = Some(true);
                }
                answer(line)
            })?;
            match answer {
                EngineAnswer::Move(arguments) => return Ok(arguments),
                EngineAnswer::Suggestion(place) => program.send(&format!("PLAY {place}"))?,
            }
        }
    }

    fn last_lines(&self) -> String {
        self.program.last_lines()
    }

    fn evaluation(&self) -> Option<Evaluation> {
        self.evaluation
    }

    fn quit(self) {
        self.program.dismiss("END");
    }
}

/// Returns the times of a move; the first one also has the time for the whole match. If each move has its own time, the
/// match has none.
fn clocks(terms: &Terms, own: TimeControl, begins: bool) -> String {
    let for_move = (own.moves_to_go == Some(1) && own.increment.is_zero()).then(|| terms.for_move(own.left));
    let (of_match, turn, left) = match terms.movetime.or(for_move) {
        Some(time) => (0, time.as_millis(), NO_MATCH_TIME),
        None => {
            let left = terms.left(own.left);
            let share = left / own.moves_to_go.map_or(SHARE, |moves| moves.clamp(1, SHARE));
            let turn = (share + own.increment).min(left).max(Duration::from_millis(1));
            (left.as_millis(), turn.as_millis(), left.as_millis())
        }
    };
    let of_match = if begins { format!("INFO timeout_match {of_match}\n") } else { String::new() };
    format!("{of_match}INFO timeout_turn {turn}\nINFO time_left {left}")
}

/// The shortest way to ask an engine for a move that knows the first `known` moves.
fn question(known: usize, moves: &[Move]) -> String {
    match moves {
        [] => "BEGIN".to_owned(),
        [known_ones @ .., Move::Stone(point)] if known_ones.len() == known => format!("TURN {}", place::write(*point)),
        _ => {
            let lines: Vec<String> = board::entries(moves).map(board::BoardEntry::write).collect();
            let lines = lines.join("\n");
            let gap = if lines.is_empty() { "" } else { "\n" };
            format!("BOARD\n{lines}{gap}DONE")
        }
    }
}

/// Possible answers of an engine that is asked for a move.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum EngineAnswer {
    /// The arguments of the judge's MOVE.
    Move(String),
    /// A place that it would play on, if the manager lets it.
    Suggestion(String),
}

/// The answer in an engine's line, if there is one. Everything else that an engine says is for people.
///
/// # Errors
/// A text that says what was expected instead of its ERROR.
pub fn answer(line: &str) -> Option<Result<EngineAnswer, String>> {
    if let Some([x, y]) = place::numbers(line) {
        // The judge decides whether it is on the board.
        return Some(Ok(EngineAnswer::Move(format!("{} {}", y.saturating_add(1), x.saturating_add(1)))));
    }
    match first_word(line) {
        "SUGGEST" => Some(Ok(EngineAnswer::Suggestion(line["SUGGEST".len()..].trim().to_owned()))),
        "ERROR" => Some(Err("a move was expected".to_owned())),
        // UNKNOWN may be the answer to an INFO, which no engine needs to understand.
        _ => None,
    }
}

/// Returns true if a line is an answer to ABOUT: `name="Brain", version="1.0"`.
fn is_about(line: &str) -> bool {
    let line = line.to_ascii_lowercase();
    line.split_once("name").is_some_and(|(_, rest)| rest.trim_start().starts_with('='))
}

fn first_word(line: &str) -> &str {
    line.split_ascii_whitespace().next().unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_engine_is_asked_the_shortest_way() {
        let check = |known: usize, moves: &str, asked: &str| {
            let moves: Vec<Move> = moves.split_whitespace().map(|text| Move::from_letters(text).unwrap()).collect();
            assert_eq!(question(known, &moves), asked);
        };
        check(0, "", "BEGIN");
        check(0, "H8", "TURN 7,7");
        check(2, "H8 I9 J10", "TURN 9,5");
        // An opening, and moves that were played for it.
        check(0, "H8 I9", "BOARD\n7,7,1\n8,6,2\nDONE");
        check(0, "H8 I9 J10", "BOARD\n7,7,2\n8,6,1\n9,5,2\nDONE");
        // One side has passed.
        check(3, "H8 I9 J10 PASS", "BOARD\n7,7,1\n8,6,2\n9,5,1\nDONE");
        check(2, "H8 I9 PASS", "BOARD\n7,7,2\n8,6,1\nDONE");
        check(0, "PASS PASS", "BOARD\nDONE");
    }

    #[test]
    fn clocks_are_sent() {
        let ms = Duration::from_millis;
        let check = |terms: &Terms, own: TimeControl, begins, expected: &str| {
            assert_eq!(clocks(terms, own, begins), expected);
        };
        let (usual, left) = (Terms::default(), |left| TimeControl::sudden_death(ms(left)));
        check(&usual, left(10_000), true, "INFO timeout_match 9900\nINFO timeout_turn 2475\nINFO time_left 9900");
        check(&usual, left(60_000), false, "INFO timeout_turn 14975\nINFO time_left 59900");
        check(&usual, left(2), false, "INFO timeout_turn 1\nINFO time_left 1");
        let control = |increment, moves_to_go| TimeControl { increment: ms(increment), moves_to_go, ..left(1_000) };
        check(&usual, control(50, None), false, "INFO timeout_turn 275\nINFO time_left 900");
        check(&usual, control(0, Some(2)), false, "INFO timeout_turn 450\nINFO time_left 900");
        let for_move = "INFO timeout_match 0\nINFO timeout_turn 900\nINFO time_left 2147483647";
        check(&usual, control(0, Some(1)), true, for_move);
        check(&Terms { movetime: Some(ms(900)), ..Terms::default() }, left(5_000), true, for_move);
    }

    #[test]
    fn only_a_place_is_an_answer() {
        let check =
            |line: &str, expected: Option<Result<EngineAnswer, String>>| assert_eq!(answer(line), expected, "{line}");
        let played = |arguments: &str| Some(Ok(EngineAnswer::Move(arguments.to_owned())));
        check("7,6", played("7 8"));
        check("7, 6", played("7 8"));
        check("99,-3", played("-2 100"));
        check("MESSAGE depth 3 7,6", None);
        check("DEBUG", None);
        check("OK", None);
        check("SUGGEST 3,4", Some(Ok(EngineAnswer::Suggestion("3,4".to_owned()))));
        check("ERROR no", Some(Err("a move was expected".to_owned())));
        check("UNKNOWN command", None);
    }

    #[test]
    fn an_answer_to_about_is_known() {
        let lines =
            [r#"name="Brain", version="1.0", author="a", country="b""#, r#"NAME = "Brain""#, r#"14,1name="Brain""#];
        assert!(lines.into_iter().all(is_about));
        let others = ["OK", "7,7", "UNKNOWN", "MESSAGE my name is Brain", "DEBUG filename", ""];
        assert!(!others.into_iter().any(is_about));
    }
}
