//! From "which move in this position" to a whole conversation.

use agon_game::alternating::OPENING;
use agon_game::{Budget, Player, Position, Side};

/// Chooses a move in a position: all that a new player has to bring.
pub trait Chooser<P: Position>: Send {
    /// Chooses one of the legal moves. The game is not over.
    fn choose(&mut self, position: &P, budget: Budget) -> P::Move;
}

/// Makes the first position of a game from the lines sent before READY, those of an opening left out.
pub type Start<P> = fn(board: &str) -> Result<P, String>;

/// The start of a game that sends nothing before READY.
///
/// # Errors
/// A text that quotes what was sent all the same.
pub fn no_board<P: Default>(board: &str) -> Result<P, String> {
    match board.lines().next() {
        None => Ok(P::default()),
        Some(line) => Err(format!("`{line}` before READY is not understood")),
    }
}

/// Where a game stands after the lines sent before READY, and the moves of its opening.
///
/// # Errors
/// A text that says which line is no part of the game.
pub fn follow<P: Position>(start: Start<P>, preamble: &str) -> Result<(P, Vec<P::Move>), String> {
    let opening = |line: &&str| line.split_ascii_whitespace().next() == Some(OPENING);
    let board: String = preamble.lines().filter(|line| !opening(line)).flat_map(|line| [line, "\n"]).collect();
    let mut position = start(&board)?;
    let mut moves = Vec::new();
    for line in preamble.lines().filter(opening) {
        let m =
            position.read_move(&line.trim_start()[OPENING.len()..]).map_err(|error| format!("`{line}`: {error}"))?;
        position.play(m, &mut ());
        moves.push(m);
    }
    Ok((position, moves))
}

impl<P: Position, C: Chooser<P> + ?Sized> Chooser<P> for Box<C> {
    fn choose(&mut self, position: &P, budget: Budget) -> P::Move {
        (**self).choose(position, budget)
    }
}

/// A [`Chooser`] in its seat: follows the game and speaks the judge's notation.
pub struct Seated<P, C> {
    start: Start<P>,
    position: Option<P>,
    chooser: C,
}

impl<P: Position, C: Chooser<P>> Seated<P, C> {
    /// Seats a chooser; `start` makes the first position from the lines sent before READY.
    pub const fn new(start: Start<P>, chooser: C) -> Self {
        Self { start, position: None, chooser }
    }
}

impl<P: Position, C: Chooser<P>> Player for Seated<P, C> {
    fn ready(&mut self, _side: Side, preamble: &str) -> Result<(), String> {
        let (position, _) = follow(self.start, preamble)?;
        self.position = Some(position);
        Ok(())
    }

    fn choose(&mut self, budget: Budget) -> Result<String, String> {
        let position = self.position.as_mut().ok_or("asked for a move before READY")?;
        if position.outcome().is_some() {
            return Err("asked for a move after the end of the game".to_owned());
        }
        let m = self.chooser.choose(position, budget);
        position.play(m, &mut ());
        Ok(m.to_string())
    }

    fn opponent(&mut self, arguments: &str) -> Result<(), String> {
        let position = self.position.as_mut().ok_or("told of a move before READY")?;
        let m = position.read_move(arguments).map_err(|error| format!("`{arguments}`: {error}"))?;
        position.play(m, &mut ());
        Ok(())
    }
}
