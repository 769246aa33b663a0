//! Games from the referee's view.

use agon_message::Reason;

use crate::{GameScore, MoveError, Outcome, Side, View};

/// How and why a game has ended by its own rules.
#[derive(Clone, Debug)]
pub struct Ending {
    /// Winner, or a draw.
    pub outcome: Outcome,
    /// Reason, such as "no empty cell is left".
    pub reason: Reason,
}

impl PartialEq for Ending {
    fn eq(&self, other: &Self) -> bool {
        self.outcome == other.outcome && *self.reason == *other.reason
    }
}

impl Eq for Ending {}

/// The way a referee talks to the programs of a game.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Interaction {
    /// One program per seat for the whole game, on one clock: READY, TURN, OPP, FINISH.
    Session,
    /// Many actors per turn. A stateless program runs for every action; it sees the whole position and the actor it
    /// answers for.
    PerAction,
}

/// A game in progress: it names the side that must answer, produces the prompts, and applies the answers.
///
/// The trait is object-safe, so a referee needs to know no game.
pub trait GameState: Send {
    /// Returns the way to talk to its programs.
    fn interaction(&self) -> Interaction {
        Interaction::Session
    }

    /// Per action: takes the answer of a side's program to BEGIN, and returns true if the program stays alive and reads
    /// one input after another (LOOP). Both sides begin, in any order, before the first action.
    ///
    /// # Errors
    /// [`MoveError`] if the answer is invalid; the game is then unchanged. A session has no BEGIN and refuses every
    /// answer to it.
    fn begin(&mut self, _side: Side, answer: &[u8]) -> Result<bool, MoveError> {
        Err(MoveError::illegal(String::from_utf8_lossy(answer), "this game has no BEGIN"))
    }

    /// Per action: replaces `prompt` by the acting program's input, without a newline at the end. Clears it in a
    /// session, and if no actor is left.
    fn prompt(&self, prompt: &mut String) {
        prompt.clear();
    }

    /// Per action: returns the place of the next actor, column and row in programs' counting. `None` in a session, or
    /// if no actor is left or it has no place.
    fn actor(&self) -> Option<(usize, usize)> {
        None
    }

    /// Per action: returns why the last answer was not carried out, or `None` if it was.
    fn remark(&self) -> Option<Reason> {
        None
    }

    /// Per action: shortens an answer, keeping its effect and remark. Returns at most `most` bytes of its beginning if
    /// these have the same effect, otherwise a few words that do. A session has no long answers and returns the whole.
    fn abridged(&self, answer: &str, _most: usize) -> String {
        answer.to_owned()
    }

    /// Returns the names of the two seats.
    fn seats(&self) -> [&'static str; 2];

    /// Returns the lines sent to both agents before READY, each ending in a newline.
    fn preamble(&self) -> String;

    /// Returns the lines sent to the agent of this side before READY, if they differ by side.
    fn preamble_of(&self, _side: Side) -> String {
        self.preamble()
    }

    /// Returns the lines that this side's agent is sent as INFO before its next TURN, after the last answer.
    fn news(&self, _side: Side) -> &[String] {
        &[]
    }

    /// Returns true if the sides see different things. Then no move is sent as OPP, and watchers of a game in progress
    /// see only [`GameState::public_view`].
    fn has_secrets(&self) -> bool {
        false
    }

    /// Returns why the rules themselves failed, which ends the game without blame for an agent. `None` if rules cannot
    /// fail.
    fn failure(&self) -> Option<String> {
        None
    }

    /// Returns the side that must answer; `None` exactly if the game is over or the rules have failed.
    fn turn(&self) -> Option<Side>;

    /// Plays the answer of the side to move, given as the arguments of its MOVE, and returns the arguments of the OPP
    /// for the opponent. Per action the answer is the program's whole output and the result is the actor's action; if
    /// these differ, [`GameState::remark`] says why.
    ///
    /// # Errors
    /// [`MoveError`] if the rules refuse it; the game is then unchanged. Per action, only if the game is over or has
    /// not begun, since any other answer has an effect.
    fn answer(&mut self, arguments: &str) -> Result<String, MoveError>;

    /// Returns the second notation of the last move in records, such as `H8`, if the game has one.
    fn spoken(&self) -> Option<String> {
        None
    }

    /// Returns every legal answer of the side to move, as the arguments of a MOVE; none if the game is over or answers
    /// are not MOVEs.
    fn legal(&self) -> Vec<String> {
        Vec::new()
    }

    /// Returns one legal answer, as an example of the format.
    fn example(&self) -> Option<String> {
        self.legal().into_iter().next()
    }

    /// Returns the last move in people's notation: `H8`, `a7b6`, PASS. `None` before the first move, and per action.
    fn letters(&self) -> Option<String> {
        None
    }

    /// The last move as other programs and their files write it: `0000` for a PASS of Ataxx.
    fn exchanged(&self) -> Option<String> {
        self.letters()
    }

    /// Reads a move of the side to move, in the judge's or people's notation, and returns it in the judge's.
    ///
    /// # Errors
    /// [`MoveError`] if the text is not a move or the rules refuse it.
    fn read_any(&self, text: &str) -> Result<String, MoveError> {
        Ok(text.to_owned())
    }

    /// Returns how the game has ended, or `None` while it is in progress.
    fn ending(&self) -> Option<Ending>;

    /// Returns both sides' points so far, if the game has any.
    fn score(&self) -> Option<[GameScore; 2]>;

    /// Returns the number of moves played, passes included.
    fn ply(&self) -> u32;

    /// Returns the position in the game's notation.
    fn position(&self) -> String;

    /// Returns a hint for readers of a position's text, if they need one.
    fn position_note(&self) -> Option<&'static str> {
        None
    }

    /// Returns the board to draw, with the last move marked.
    fn view(&self) -> View;

    /// Returns the board as watchers may see it during the game.
    fn public_view(&self) -> View {
        self.view()
    }

    /// Returns the board as the player of this side may see it.
    fn view_of(&self, _side: Side) -> View {
        self.view()
    }

    /// Returns the same state with chance from another seed, for players that look ahead without knowing future draws.
    fn with_chance(&self, _seed: u64) -> Box<dyn GameState> {
        self.boxed_clone()
    }

    /// Returns a copy of the state, to go back to.
    fn boxed_clone(&self) -> Box<dyn GameState>;
}
