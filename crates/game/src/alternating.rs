//! A [`GameState`] for any position of two players who move in turn.

use crate::{Change, Ending, GameScore, GameState, Mark, MoveError, Show, Side, View};

/// Keyword of an opening move in the lines sent before READY.
pub const OPENING: &str = "OPENING";

/// Keyword of the line sent before READY with an unusual starting position.
pub const POSITION: &str = "POSITION";

/// Turns any position that can [`Show`] itself into a [`GameState`], and remembers the last move's changes for drawing.
#[derive(Clone, Debug)]
pub struct Alternating<P: Show> {
    position: P,
    changes: Vec<Change>,
    last: Option<P::Move>,
    preamble: String,
}

impl<P: Show> Alternating<P> {
    /// Creates a game that continues from `position`.
    pub fn new(position: P) -> Self {
        let preamble = position.preamble();
        Self { position, changes: Vec::new(), last: None, preamble }
    }

    /// Creates a game that starts after these moves of both sides, in the judge's or people's notation.
    ///
    /// ALPHANO's protocol cannot express such a start, because OPP carries only the opponent's moves. So before READY
    /// both agents get one line `OPENING arguments` for each move. Only agents that know this extension can play.
    ///
    /// # Errors
    /// [`MoveError`] for the first illegal move.
    pub fn opened<'a>(position: P, moves: impl IntoIterator<Item = &'a str>) -> Result<Self, MoveError> {
        let mut state = Self::new(position);
        for text in moves {
            let m = state.position.read_any(text)?;
            state.position.play_unchecked(m, &mut ());
            state.preamble += &format!("{OPENING} {m}\n");
        }
        Ok(state)
    }

    /// Returns the current position.
    pub fn into_position(self) -> P {
        self.position
    }
}

impl<P: Show + 'static> GameState for Alternating<P> {
    fn seats(&self) -> [&'static str; 2] {
        P::SEATS
    }

    fn preamble(&self) -> String {
        self.preamble.clone()
    }

    fn turn(&self) -> Option<Side> {
        self.position.outcome().is_none().then(|| self.position.turn())
    }

    fn answer(&mut self, arguments: &str) -> Result<String, MoveError> {
        let m = self.position.read_move(arguments)?;
        self.changes.clear();
        self.last = Some(m);
        self.position.play_unchecked(m, &mut self.changes);
        Ok(m.to_string())
    }

    fn spoken(&self) -> Option<String> {
        if P::LETTERS_IN_RECORDS { self.letters() } else { None }
    }

    fn letters(&self) -> Option<String> {
        self.last.map(P::letters)
    }

    fn exchanged(&self) -> Option<String> {
        self.last.map(P::exchanged)
    }

    fn read_any(&self, text: &str) -> Result<String, MoveError> {
        self.position.read_any(text).map(|m| m.to_string())
    }

    fn legal(&self) -> Vec<String> {
        let mut moves = Vec::new();
        self.position.accepted_moves(&mut moves);
        moves.iter().map(ToString::to_string).collect()
    }

    fn ending(&self) -> Option<Ending> {
        let outcome = self.position.outcome()?;
        Some(Ending { outcome, reason: self.position.end_reason()? })
    }

    fn score(&self) -> Option<[GameScore; 2]> {
        self.position.score()
    }

    fn ply(&self) -> u32 {
        self.position.ply()
    }

    fn position(&self) -> String {
        self.position.to_string()
    }

    fn position_note(&self) -> Option<&'static str> {
        P::POSITION_NOTE
    }

    fn view(&self) -> View {
        let mut view = self.position.view();
        for change in &self.changes {
            view.cells[change.cell].mark = Some(match (change.before, change.after) {
                (None, _) => Mark::Placed,
                (Some(_), None) => Mark::Vacated,
                (Some(_), Some(_)) => Mark::Captured,
            });
        }
        view
    }

    fn boxed_clone(&self) -> Box<dyn GameState> {
        Box::new(self.clone())
    }
}
