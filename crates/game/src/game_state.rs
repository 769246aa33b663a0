//! What a referee sees of a game.

use crate::{GameScore, MoveError, Outcome, Side, View};

/// How and why a game has ended by its own rules.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Ending {
    /// The winner, or a draw.
    pub outcome: Outcome,
    /// The reason in words: "no empty cell is left".
    pub reason: String,
}

/// How a referee talks with the programs of a game.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Interaction {
    /// One program a seat for the whole game, on one clock: READY, TURN, OPP, FINISH.
    Session,
    /// Many actors a turn. A program that keeps no state is run for every action: it is shown the whole position and
    /// which actor it answers for.
    PerAction,
}

/// A game in progress, as a referee handles it: who must answer now, what they are shown, what their answer does.
///
/// Object-safe, so that a referee never needs to know which game it judges.
pub trait GameState: Send {
    /// How a referee talks with its programs.
    fn interaction(&self) -> Interaction {
        Interaction::Session
    }

    /// Per action: takes the answer of a side's program to BEGIN, and says whether the program stays alive and reads
    /// one input after another (LOOP). Both sides begin, in any order, before the first action.
    ///
    /// # Errors
    /// [`MoveError`] when the program may not play with such an answer; the game is then as it was. A session has no
    /// BEGIN and refuses every answer to it.
    fn begin(&mut self, _side: Side, answer: &[u8]) -> Result<bool, MoveError> {
        Err(MoveError::illegal(String::from_utf8_lossy(answer), "this game has no BEGIN"))
    }

    /// Per action: replaces `prompt` by what the acting program is shown, without a newline at the end; by nothing in a
    /// session or when no actor is left.
    fn prompt(&self, prompt: &mut String) {
        prompt.clear();
    }

    /// Per action: the place of the actor that must act, column and row as programs count; `None` in a session, or
    /// where no actor is left or has no place.
    fn actor(&self) -> Option<(usize, usize)> {
        None
    }

    /// Per action: why the last answer did not do what it said; `None` when it did.
    fn remark(&self) -> Option<String> {
        None
    }

    /// Per action: a short answer with the same effect and the same remark as this one. It is the beginning of this
    /// one, at most `most` bytes of it, where that has the same effect; else a few words that have. A session has no
    /// long answers and returns the whole.
    fn abridged(&self, answer: &str, _most: usize) -> String {
        answer.to_owned()
    }

    /// What the game calls its two seats.
    fn seats(&self) -> [&'static str; 2];

    /// Lines sent to both agents before READY, each ending in a newline.
    fn preamble(&self) -> String;

    /// Lines sent to the agent of this side before READY, where those differ.
    fn preamble_of(&self, _side: Side) -> String {
        self.preamble()
    }

    /// What this side learns from the last answer besides: lines that its agent is sent as INFO before its next TURN.
    fn news(&self, _side: Side) -> &[String] {
        &[]
    }

    /// Whether a side must not see all that the other one sees: then no move is sent as OPP, and what is shown of a
    /// game in progress is [`GameState::public_view`] alone.
    fn has_secrets(&self) -> bool {
        false
    }

    /// Why the rules themselves can say no more: a failure of theirs and not of an agent, after which the game cannot
    /// go on. `None` where rules cannot fail.
    fn failure(&self) -> Option<String> {
        None
    }

    /// Who must answer now; `None` exactly when the game is over, or the rules have failed.
    fn turn(&self) -> Option<Side>;

    /// Plays the answer of the side to move, given as the arguments of its MOVE, and returns the arguments of the OPP
    /// for the opponent. Per action the answer is all that the program wrote, the result is what the actor did, and
    /// [`GameState::remark`] says why, where these differ.
    ///
    /// # Errors
    /// [`MoveError`] when the rules refuse it; the game is then as it was. Per action only when the game is over or
    /// has not begun: any other answer does something.
    fn answer(&mut self, arguments: &str) -> Result<String, MoveError>;

    /// What a record has beside the last move in the judge's notation: `H8`, where the game writes its moves this way.
    fn spoken(&self) -> Option<String> {
        None
    }

    /// Every legal answer of the side to move, as the arguments of a MOVE; none when the game is over, or the answers
    /// are no MOVE.
    fn legal(&self) -> Vec<String> {
        Vec::new()
    }

    /// One of them, to show the format by.
    fn example(&self) -> Option<String> {
        self.legal().into_iter().next()
    }

    /// The last move as people write it: `H8`, `a7b6`, PASS. `None` before the first, and per action.
    fn letters(&self) -> Option<String> {
        None
    }

    /// A move of the side to move, in the judge's notation, from a text in that or in the notation of people.
    ///
    /// # Errors
    /// [`MoveError`] when it is no move, or the rules refuse it.
    fn read_any(&self, text: &str) -> Result<String, MoveError> {
        Ok(text.to_owned())
    }

    /// How the game has ended, or `None` while it goes on.
    fn ending(&self) -> Option<Ending>;

    /// Both sides' points so far, where the game has any.
    fn score(&self) -> Option<[GameScore; 2]>;

    /// Moves played so far, passes included.
    fn ply(&self) -> u32;

    /// The position in the game's own notation.
    fn position(&self) -> String;

    /// What a reader must know of the text of a position beside the board, if anything.
    fn position_note(&self) -> Option<&'static str> {
        None
    }

    /// The board to be drawn, with the last move marked.
    fn view(&self) -> View;

    /// The board as a watcher who plays neither side may see it, while the game goes on.
    fn public_view(&self) -> View {
        self.view()
    }

    /// The board as the player of this side may see it.
    fn view_of(&self, _side: Side) -> View {
        self.view()
    }

    /// The same state, whose chance comes from another seed: for a player that looks ahead without knowing what will be
    /// drawn.
    fn with_chance(&self, _seed: u64) -> Box<dyn GameState> {
        self.boxed_clone()
    }

    /// The state of play, to go back to.
    fn boxed_clone(&self) -> Box<dyn GameState>;
}
