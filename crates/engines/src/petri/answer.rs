//! Outputs of programs, and the choices behind them.

use std::fmt;

use agon_game::seed::Stream;
use agon_rules::petri::{Action, Directions};

/// Output of a program that is asked for an action.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Answer {
    /// An action, legal or not.
    Action(Action),
    /// Not an action: a word produced by an old defect, or nothing because the program fails. The cell rests.
    Junk(&'static str),
}

impl Answer {
    /// Returns the requested action: junk is a rest.
    #[inline]
    pub const fn action(self) -> Action {
        match self {
            Self::Action(action) => action,
            Self::Junk(_) => Action::Rest,
        }
    }
}

impl From<Action> for Answer {
    fn from(action: Action) -> Self {
        Self::Action(action)
    }
}

/// Formats it as the program writes it, without a newline.
impl fmt::Display for Answer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Action(action) => action.fmt(f),
            Self::Junk(text) => f.write_str(text),
        }
    }
}

/// The answers between which a program chooses at random, and how: at most a fair coin, and then at most one
/// direction out of several, all alike.
///
/// Separating the choice from drawing makes a program a pure function of what it sees: its tests need not guess what a
/// random program can answer.
///
/// ```
/// use agon_engines::petri::Choice;
/// use agon_rules::petri::{Action, Direction, Directions};
/// let ways: Directions = [Direction::North, Direction::East].into_iter().collect();
/// let choice = Choice::any(Action::Move, ways).unwrap();
/// let answers: Vec<String> = choice.answers().map(|(answer, chance)| format!("{answer} {chance}")).collect();
/// assert_eq!(answers, ["MOVE N 0.5", "MOVE E 0.5"]);
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Choice {
    /// Action if a fair coin shows heads.
    heads: Option<Action>,
    answer: Answer,
    /// Directions of the action, one of them at random; empty if there is nothing to choose.
    directions: Directions,
}

impl Choice {
    /// One of several directions, all with the same chance; `None` when there is none.
    #[inline]
    pub fn any(action: impl FnOnce(agon_rules::petri::Direction) -> Action, directions: Directions) -> Option<Self> {
        let first = directions.first()?;
        Some(Self { heads: None, answer: Answer::Action(action(first)), directions })
    }

    /// Adds a fair coin that chooses between this action and the previous choice.
    #[inline]
    pub const fn or_heads(self, action: Action) -> Self {
        Self { heads: Some(action), ..self }
    }

    /// Replaces every rejected action by a rest.
    #[inline]
    pub fn or_rest(self, refused: impl Fn(Action) -> bool) -> Self {
        let heads = self.heads.map(|action| if refused(action) { Action::Rest } else { action });
        match self.answer {
            Answer::Action(action) if refused(action) => {
                Self { heads, answer: Answer::Action(Action::Rest), directions: Directions::default() }
            }
            _ => Self { heads, ..self },
        }
    }

    #[inline]
    pub fn draw(self, random: &mut Stream) -> Answer {
        if let Some(action) = self.heads
            && random.below(2) == 0
        {
            return Answer::Action(action);
        }
        match self.answer {
            Answer::Action(action) if self.directions.len() > 1 => {
                let direction = self.directions.nth(random.below(self.directions.len()));
                Answer::Action(direction.map_or(action, |direction| action.facing(direction)))
            }
            answer => answer,
        }
    }

    /// Every answer that can be drawn, with its chance; an answer that comes about in two ways is listed twice.
    pub fn answers(self) -> impl Iterator<Item = (Answer, f64)> {
        let ways = self.directions.len().max(1);
        let chance = if self.heads.is_some() { 0.5 } else { 1.0 };
        let heads = self.heads.map(|action| (Answer::Action(action), chance));
        heads.into_iter().chain((0..ways).map(move |way| {
            let answer = match (self.answer, self.directions.nth(way)) {
                (Answer::Action(action), Some(direction)) => Answer::Action(action.facing(direction)),
                (answer, _) => answer,
            };
            (answer, chance / ways as f64)
        }))
    }
}

impl From<Answer> for Choice {
    #[inline]
    fn from(answer: Answer) -> Self {
        Self { heads: None, answer, directions: Directions::default() }
    }
}

impl From<Action> for Choice {
    #[inline]
    fn from(action: Action) -> Self {
        Answer::Action(action).into()
    }
}
