//! Counting lines of play of rules that list their moves.

use std::sync::OnceLock;

use agon_game::perft::{DividedCount, PerftPosition};
use agon_game::{GameState as _, MoveError, Side};

use crate::limits::MAX_BATCH_BYTES;
use crate::process::Answer;
use crate::rules::Rules;
use crate::situation::{Situation, Stage};
use crate::state::{ExternalState, move_texts, play_question, saved_text};

/// A position to count from.
pub(crate) struct Counted {
    state: ExternalState,
    failure: OnceLock<String>,
}

impl PerftPosition for Counted {
    fn count(&self, depth: u32) -> u64 {
        self.counted(lines(&self.state, depth))
    }

    fn count_divided(&self, depth: u32) -> Vec<DividedCount> {
        assert!(depth > 0, "divide needs a depth of at least 1");
        let divided = |text: String| {
            let mut next = self.state.clone();
            let played = next.answer(&text).map_err(|error| error.to_string());
            let nodes = self.counted(played.and_then(|_| lines(&next, depth - 1)));
            DividedCount { arguments: text.clone(), letters: text, nodes }
        };
        self.state.legal().into_iter().map(divided).collect()
    }

    fn play(&mut self, text: &str) -> Result<(), MoveError> {
        self.state.answer(text).map(drop)
    }

    fn text(&self) -> String {
        self.state.position()
    }

    fn failure(&self) -> Option<String> {
        self.failure.get().cloned().or_else(|| self.state.failure())
    }
}

impl Counted {
    pub(crate) const fn new(state: ExternalState) -> Self {
        Self { state, failure: OnceLock::new() }
    }

    fn counted(&self, lines: Result<u64, String>) -> u64 {
        lines.unwrap_or_else(|problem| {
            let title = &self.state.rules().description.title;
            self.failure.get_or_init(|| format!("the rules of {title} failed: {problem}"));
            0
        })
    }
}

fn lines(state: &ExternalState, depth: u32) -> Result<u64, String> {
    if depth == 0 {
        return Ok(1);
    }
    let Some(side) = state.turn() else { return Ok(0) };
    let moves = state.moves()?;
    if state.rules().description.save {
        return saved_lines(state.rules(), &state.save()?, side, &moves, depth);
    }
    if depth == 1 {
        return Ok(moves.len() as u64);
    }
    let mut sum = 0;
    for text in moves {
        let mut next = state.clone();
        next.answer(&text).map_err(|error| error.to_string())?;
        sum += lines(&next, depth - 1)?;
    }
    Ok(sum)
}

/// The lines below a saved state, its children asked for in batches.
fn saved_lines(rules: &Rules, text: &str, side: Side, moves: &[String], depth: u32) -> Result<u64, String> {
    if depth == 1 {
        return Ok(moves.len() as u64);
    }
    let mut sum = 0;
    let mut rest = moves;
    while !rest.is_empty() {
        let mut questions = String::new();
        let mut taken = 0;
        while taken < rest.len() && questions.len() < MAX_BATCH_BYTES / 2 {
            questions += &format!("LOAD {text}\n{}SAVE\nMOVES\n", play_question(side, 0, &rest[taken]));
            taken += 1;
        }
        rest = &rest[taken..];
        let answers = rules.ask_all(&questions, 4 * taken)?;
        for answers in answers.chunks(4) {
            let [Answer::Lines(_), Answer::Lines(played), Answer::Lines(saved), Answer::Lines(listed)] = answers else {
                return Err("they refuse a move that they list, or a state that they saved".to_owned());
            };
            let Stage::Turn(side) = Situation::read(played)?.stage else { continue };
            sum += saved_lines(rules, &saved_text(saved)?, side, &move_texts(listed)?, depth - 1)?;
        }
    }
    Ok(sum)
}
