//! A board's question: a game, its start, and the moves made.

use std::collections::BTreeMap;
use std::sync::Arc;

use agon_catalog::{Capability, Game, Setup};
use agon_game::hash::hex;
use agon_game::{GameState, Interaction, MoveError, Side};
use agon_message::{English, Message, Reason, messages};
use serde::{Deserialize, Serialize};
use sha2::{Digest as _, Sha256};
use utoipa::ToSchema;

use crate::considered::Consideration;

/// Moves of a question; no game is longer.
const MAX_MOVES: usize = 1_000;

/// Moves that an analysis looks at only, or does not look at.
const MAX_CONSIDERED: usize = 20;

/// Bytes of a position or a parameter.
pub const MAX_POSITION_BYTES: usize = 4_096;

/// A position of a game, as a board knows it.
#[derive(Clone, Debug, Default, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct BoardQuestion {
    /// The name of the game.
    pub game: String,
    /// Where it begins, in the game's own notation; without one it begins at its start.
    #[serde(default)]
    pub position: Option<String>,
    /// The parameters of its start by name.
    #[serde(default)]
    pub parameters: BTreeMap<String, String>,
    /// From which its start is drawn.
    #[serde(default)]
    pub seed: u64,
    /// The moves made from there, as the judge or as people write them.
    #[serde(default)]
    pub moves: Vec<String>,
    /// In a game with secrets: the side that looks at the board, 0 or 1; by default the one that is to move.
    #[serde(default)]
    pub seat: Option<usize>,
    /// For a search: the random word that identifies a page, which has one search at a time.
    #[serde(default)]
    pub client: String,
    /// For a move: who makes it, such as `champion:3`.
    #[serde(default)]
    pub engine: Option<String>,
    /// For a move: the seed for the player's random choices; a random one if not given.
    #[serde(default)]
    pub engine_seed: Option<u64>,
    /// For a move: how many milliseconds it may take.
    #[serde(default)]
    pub ms: Option<u64>,
    /// For a move: the milliseconds on the player's clock, and its increment.
    #[serde(default)]
    pub clock: Option<[u64; 2]>,
    /// For an analysis: how many lines it shows.
    #[serde(default)]
    pub lines: Option<usize>,
    /// For an analysis: how many seconds it takes; 0 for as long as the server allows.
    #[serde(default)]
    pub seconds: Option<u64>,
    /// For an analysis in bacteria and renju: how many threads it searches with, 1 by default. A site gives each
    /// analysis one thread; `agon board` as many as the machine has processors.
    #[serde(default)]
    pub threads: Option<usize>,
    /// For an analysis: how many nodes it visits.
    #[serde(default)]
    pub nodes: Option<u64>,
    /// For an analysis: the only moves to consider, in the judge's or the players' notation.
    #[serde(default)]
    pub only: Vec<String>,
    /// For an analysis: moves to leave out.
    #[serde(default)]
    pub without: Vec<String>,
    /// For an analysis: whether to list moves first after which neither side is ahead.
    #[serde(default)]
    pub balance: bool,
    /// For an analysis: the memory of its tables, in MiB.
    #[serde(default)]
    pub hash: Option<usize>,
}

/// A move that has been made.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, ToSchema)]
pub struct BoardMove {
    /// As the judge writes it: the arguments of MOVE.
    #[serde(rename = "move")]
    pub judged: String,
    /// As people write it.
    pub letters: String,
    /// The side that made it: 0 or 1.
    pub side: usize,
    /// Identifies the resulting position, however it was reached.
    pub key: String,
}

/// What is wrong with a question.
#[derive(Clone, Debug, thiserror::Error)]
#[error("{reason}")]
pub struct Refusal {
    pub reason: Reason,
    /// Number of the wrong move, from 0; `None` if no move is wrong.
    pub at: Option<usize>,
}

messages! {
    /// What is wrong with the moves of a question.
    pub enum QuestionProblem {
        Move { number: usize, text: String, error: MoveError } = "move {number}, {text}: {error}",
        Text { text: String, error: MoveError } = "`{text}`: {error}",
    }
}

impl PartialEq for Refusal {
    fn eq(&self, other: &Self) -> bool {
        *self.reason == *other.reason && self.at == other.at
    }
}

impl Refusal {
    /// An English message of another crate.
    pub fn new(detail: &impl ToString) -> Self {
        Self::from_message(English(detail.to_string()))
    }

    pub fn from_message(reason: impl Message + 'static) -> Self {
        Self { reason: Arc::new(reason), at: None }
    }
}

/// A game after the moves of a question.
pub struct BoardGame {
    /// Which it is.
    pub game: Game,
    /// The current state.
    pub state: Box<dyn GameState>,
    /// How it came there.
    pub moves: Vec<BoardMove>,
    /// In a game with secrets, until it is over: the side that looks at the board.
    pub seat: Option<Side>,
}

impl BoardQuestion {
    /// The moves of a position that an analysis should consider.
    ///
    /// # Errors
    /// [`Refusal`] for the first text that is not a legal move, or if the game's analysis does not support such a
    /// choice.
    pub fn considered(&self, game: &BoardGame) -> Result<Consideration, Refusal> {
        let judged = |texts: &[String]| -> Result<Vec<String>, Refusal> {
            if texts.len() > MAX_CONSIDERED {
                return Err(Refusal::new(&format!("more than {MAX_CONSIDERED} moves are named or excluded")));
            }
            let read = |text: &String| {
                let refused = |error| Refusal::from_message(QuestionProblem::Text { text: text.clone(), error });
                game.state.read_any(text).map_err(refused)
            };
            texts.iter().map(read).collect()
        };
        let wish = Consideration { only: judged(&self.only)?, without: judged(&self.without)?, balance: self.balance };
        if !wish.is_plain() && game.game.can(Capability::Solving) {
            let all = format!("an analysis of {} has the value of every move already", game.game);
            return Err(Refusal::new(&all));
        }
        Ok(wish)
    }

    /// The game after the moves.
    ///
    /// # Errors
    /// [`Refusal`] for the first thing that is wrong.
    pub fn play(&self) -> Result<BoardGame, Refusal> {
        let game = Game::by_name(&self.game).ok_or_else(|| {
            let names = Game::names().join(", ");
            Refusal::new(&format!("there is no game `{}`; there are {names}", self.game.escape_debug()))
        })?;
        let texts = self.position.iter().chain(self.parameters.values()).chain(&self.moves);
        if self.moves.len() > MAX_MOVES || texts.map(String::len).any(|length| length > MAX_POSITION_BYTES) {
            return Err(Refusal::new(&format!(
                "more than {MAX_MOVES} moves, or a text of more than {MAX_POSITION_BYTES} bytes"
            )));
        }
        let mut state = self.start(game)?;
        if state.interaction() != Interaction::Session {
            return Err(Refusal::new(&format!("{game} is played by programs, not by hand")));
        }
        let mut moves = Vec::with_capacity(self.moves.len());
        for (at, text) in self.moves.iter().enumerate() {
            let made = play(game, state.as_mut(), text).map_err(|error| {
                let text = text.escape_debug().to_string();
                let problem = QuestionProblem::Move { number: at + 1, text, error };
                Refusal { at: Some(at), ..Refusal::from_message(problem) }
            })?;
            moves.push(made);
        }
        let seat = match self.seat {
            None => state.turn(),
            Some(seat) => match Side::BOTH.get(seat) {
                Some(&side) => Some(side),
                None => return Err(Refusal::new(&format!("`seat` is {seat}; 0 or 1 expected"))),
            },
        };
        let seat = seat.filter(|_| state.has_secrets() && state.ending().is_none());
        Ok(BoardGame { game, state, moves, seat })
    }

    fn start(&self, game: Game) -> Result<Box<dyn GameState>, Refusal> {
        let Some(text) = &self.position else {
            let setup = Setup { seed: self.seed, parameters: self.parameters.clone() };
            return game.initial_state(&setup).map_err(Refusal::from_message);
        };
        if let Some(name) = self.parameters.keys().next() {
            return Err(Refusal::new(&format!("`{name}` is given together with a position, which decides it")));
        }
        game.state_at(text).map_err(Refusal::from_message)
    }
}

/// Plays a move in either notation.
fn play(game: Game, state: &mut dyn GameState, text: &str) -> Result<BoardMove, MoveError> {
    let side = state.turn().ok_or_else(|| MoveError::Over { text: text.to_owned() })?;
    let arguments = state.read_any(text)?;
    let judged = state.answer(&arguments)?;
    let letters = state.letters().unwrap_or_else(|| judged.clone());
    Ok(BoardMove { letters, judged, side: Side::index(side), key: key(game, state) })
}

/// Identifies a position, however it was reached: its text without the number of moves, the last word, as 16
/// hexadecimal digits. Browsers store it, so it never changes. The last word of a state saved by a user's rules may be
/// anything.
pub(super) fn key(game: Game, state: &dyn GameState) -> String {
    let text = state.position();
    let counted = text.rsplit_once(' ').filter(|_| !game.is_program());
    let position = counted.map_or(text.as_str(), |(position, _)| position);
    hex(&Sha256::digest(position)[..8])
}
