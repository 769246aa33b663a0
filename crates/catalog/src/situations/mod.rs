//! Situations that are rare in games. A program should be tried in them before it meets its first opponent.

pub mod bacteria;
pub mod domineering;
pub mod petri;
pub mod renju;

use agon_game::Side;

/// A situation that a program is asked about, with the correct answer.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Situation {
    /// Name, also used for its file: `must-pass`.
    pub name: &'static str,
    /// Description, in one sentence.
    pub meaning: &'static str,
    /// Correct answer, in a few words.
    pub expected: &'static str,
    pub start: SituationStart,
}

/// How to reach a situation.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum SituationStart {
    /// A game with these parameters, in which the program plays this side. If the other side is to move, it moves
    /// first.
    Game { parameters: &'static [(&'static str, &'static str)], side: Side },
    /// Input of a program that is asked per action.
    Input(&'static str),
}
