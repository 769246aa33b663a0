//! Situations that are rare in games. A program should be tried in them before it meets its first opponent.

pub mod bacteria;
pub mod domineering;
pub mod petri;
pub mod renju;

use agon_game::Side;

/// A situation in which a program is asked, and what it must answer.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Situation {
    /// Its name, that of a file too: `must-pass`.
    pub name: &'static str,
    /// What is special about it, in a sentence.
    pub meaning: &'static str,
    /// What a right program answers, in a few words.
    pub expected: &'static str,
    pub start: SituationStart,
}

/// How a situation comes about.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum SituationStart {
    /// A game with these parameters, in which the program has this side. If the other side is to move, it moves first.
    Game { parameters: &'static [(&'static str, &'static str)], side: Side },
    /// What a program that is asked per action is shown.
    Input(&'static str),
}
