//! The class of a point: the effect of a stone there on all four lines together.

use std::sync::LazyLock;

use agon_game::Side;
use agon_rules::renju::RuleSet;

use super::shape::Shape;

/// A property of a stone that searches need; the board keeps the set of points for each.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[repr(u8)]
pub enum Trait {
    Five,
    /// It makes a straight four, or, for White, two fours: the next stone wins.
    Winning,
    Four,
    Three,
    /// It makes a two or a sleeping three: the start of a threat.
    Quiet,
    /// For Black: it makes an overline or a double four but no five, so it is forbidden whatever else it makes.
    Forbidden,
    /// It makes two or more threes; for Black it may be forbidden.
    MaybeForbidden,
}

/// Room for the traits, which are seven.
pub const SETS: usize = 8;

// Kinds of points, which the evaluation distinguishes: 0 to 44 encode a point's two best shapes, if neither is a five
// or forbidden.

const FIVE: u8 = 45;
const FORBIDDEN: u8 = 46;

/// Kind of an occupied point.
pub const TAKEN: u8 = 47;

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Class {
    traits: u8,
    kind: u8,
}

/// The class of an occupied point.
impl Default for Class {
    fn default() -> Self {
        Self::TAKEN
    }
}

impl Class {
    /// Class of an occupied point.
    pub(super) const TAKEN: Self = Self { traits: 0, kind: TAKEN };

    #[inline]
    pub const fn has(self, a_trait: Trait) -> bool {
        self.traits >> a_trait as u8 & 1 == 1
    }

    /// The traits as bits, in the order of [`Trait`].
    #[inline]
    pub(super) const fn traits(self) -> u8 {
        self.traits
    }

    /// The number of its kind, at most [`TAKEN`].
    #[inline]
    pub const fn kind(self) -> u8 {
        self.kind
    }

    /// `binds` if Black must not make two fours or two threes.
    fn from_shapes(side: Side, binds: bool, shapes: u16) -> Self {
        let mut shapes: [usize; 4] = std::array::from_fn(|line| (shapes >> (4 * line) & 15) as usize);
        shapes.sort_unstable();
        let shapes = shapes.map(|code| Shape::ALL.get(code).copied().unwrap_or(Shape::Dead));
        let count = |wanted: &[Shape]| shapes.iter().filter(|shape| wanted.contains(shape)).count();
        let fours = count(&[Shape::Four, Shape::StraightFour]);
        let threes = count(&[Shape::Three]);
        let black = binds && side == Side::First;
        if count(&[Shape::Five]) > 0 {
            return Self { traits: 1 << Trait::Five as u8, kind: FIVE };
        }
        if count(&[Shape::Overline, Shape::DoubleFour]) > 0 || black && fours >= 2 {
            return Self { traits: 1 << Trait::Forbidden as u8, kind: FORBIDDEN };
        }
        let winning = count(&[Shape::StraightFour]) > 0 || fours >= 2;
        let quiet = count(&[Shape::Two, Shape::SleepingThree]) > 0;
        let traits = [
            (Trait::Winning, winning),
            (Trait::Four, fours > 0),
            (Trait::Three, threes > 0),
            (Trait::Quiet, quiet),
            (Trait::MaybeForbidden, binds && threes >= 2),
        ];
        let traits = traits.into_iter().map(|(a_trait, has)| u8::from(has) << a_trait as u8).sum();
        let [_, _, second, best] = shapes.map(|shape| shape as u8);
        Self { traits, kind: best * (best + 1) / 2 + second }
    }
}

/// The class of every combination of four shapes, four bits each.
pub type ClassTable = [Class; 1 << 16];

pub struct Classes([Box<ClassTable>; 2]);

impl Classes {
    /// The classes of points where this side's stone would be.
    pub fn of(&self, side: Side) -> &ClassTable {
        &self.0[side.index()]
    }
}

impl Classes {
    /// Returns the tables of a rule set.
    pub fn under(rules: RuleSet) -> &'static Self {
        if rules.forbids() { &CLASSES } else { &UNBOUND }
    }

    fn new(binds: bool) -> Self {
        Self(Side::BOTH.map(|side| {
            let mut table: Box<ClassTable> = vec![Class::default(); 1 << 16].try_into().expect("as long as the table");
            for (shapes, class) in table.iter_mut().enumerate() {
                *class = Class::from_shapes(side, binds, shapes as u16);
            }
            table
        }))
    }
}

/// The tables of renju, built on first use in a few milliseconds.
pub static CLASSES: LazyLock<Classes> = LazyLock::new(|| Classes::new(true));

/// Those of rules that forbid nothing.
static UNBOUND: LazyLock<Classes> = LazyLock::new(|| Classes::new(false));
