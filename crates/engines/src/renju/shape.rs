//! The effect of one more stone on a line: a code for every possible surrounding of a point.
//!
//! A stone affects nothing further than five points away on its lines (see [`Window`]), so its effect on one of them
//! follows from the ten points around it. Each of these is empty, black, or white; points beyond the edge count as the
//! other colour. This is a number in base three, the point's *key* in this direction, and a table of 3¹⁰ shapes for
//! each colour contains all answers: in renju Black's rows must be of exactly five, White's may be longer. Other
//! rule sets have tables of their own.
//!
//! The tables are built from the fullest key to the emptiest: a shape follows from what the best further stone on the
//! same line would make of it.

use std::sync::LazyLock;

use agon_game::Side;
use agon_rules::renju::{RuleSet, Window};

/// Effect of a stone on one line, from weakest to strongest.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
#[repr(u8)]
pub enum Shape {
    /// Nothing: no five is possible there, or it takes four more stones and can never be open.
    Dead,
    /// A single stone from which a sleeping two can grow.
    SleepingOne,
    /// A single stone from which a two can grow.
    One,
    /// Two stones, and one more makes a sleeping three.
    SleepingTwo,
    /// Two stones, and one more makes a three.
    Two,
    /// Three stones, and one more makes a four that can be stopped.
    SleepingThree,
    /// A three: one more stone makes a straight four.
    Three,
    /// A four with one point that makes a five of it.
    Four,
    /// A four with two such points; also two fours on the line where that is not forbidden.
    StraightFour,
    /// For Black in renju: two fours on the line, which is forbidden.
    DoubleFour,
    /// For Black in renju: a row of six or more, which is forbidden.
    Overline,
    /// The row that wins.
    Five,
}

impl Shape {
    pub const ALL: [Self; 12] = [
        Self::Dead,
        Self::SleepingOne,
        Self::One,
        Self::SleepingTwo,
        Self::Two,
        Self::SleepingThree,
        Self::Three,
        Self::Four,
        Self::StraightFour,
        Self::DoubleFour,
        Self::Overline,
        Self::Five,
    ];
}

/// Points of a line around the centre that matter.
const AROUND: usize = 10;

/// Keys there are: 3¹⁰.
pub const KEYS: usize = 59_049;

/// Weight of each of the ten points in a key, the nearest before the centre at 4, the nearest after it at 5.
pub const WORTH: [u16; AROUND] = [1, 3, 9, 27, 81, 243, 729, 2_187, 6_561, 19_683];

/// The shapes of both colours for every key. For Black, a digit 1 is its stone and 2 a white one or the edge; for
/// White, 2 is its stone and 1 a black one or the edge. The tables are longer than there are keys, so that no index
/// needs a check.
pub struct Shapes([Box<ShapeTable>; 2]);

/// One side's shapes, by key.
pub type ShapeTable = [Shape; 1 << 16];

impl Shapes {
    pub fn of(&self, side: Side) -> &ShapeTable {
        &self.0[side.index()]
    }
}

impl Shapes {
    /// Returns the tables of a rule set.
    pub fn under(rules: RuleSet) -> &'static Self {
        match rules {
            RuleSet::Alphano | RuleSet::Renju => &SHAPES,
            RuleSet::Standard => &STANDARD,
            RuleSet::Freestyle => &FREESTYLE,
        }
    }
}

/// The tables of renju, built on first use in a few milliseconds, as are the others.
pub static SHAPES: LazyLock<Shapes> =
    LazyLock::new(|| Shapes([table(Side::First, Rows::FiveBound), table(Side::Second, Rows::FiveOrMore)]));

static STANDARD: LazyLock<Shapes> = LazyLock::new(|| Shapes(Side::BOTH.map(|side| table(side, Rows::Five))));

static FREESTYLE: LazyLock<Shapes> = LazyLock::new(|| Shapes(Side::BOTH.map(|side| table(side, Rows::FiveOrMore))));

/// Which rows win for a side, and whether others are forbidden to it.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Rows {
    /// Exactly five; longer rows and two fours are forbidden.
    FiveBound,
    /// Exactly five; longer rows are worth nothing.
    Five,
    FiveOrMore,
}

/// The digit of a side's own stones in its keys.
const fn own_digit(side: Side) -> u16 {
    match side {
        Side::First => 1,
        Side::Second => 2,
    }
}

/// A key as the rules see it: a side's stones and the empty points.
pub fn window(side: Side, mut key: u16) -> Window {
    let mut window = Window { own: 0, empty: 0 };
    for at in 0..AROUND {
        let bit = 1 << if at < Window::CENTRE as usize { at } else { at + 1 };
        match key % 3 {
            0 => window.empty |= bit,
            digit if digit == own_digit(side) => window.own |= bit,
            _ => {}
        }
        key /= 3;
    }
    window
}

fn table(side: Side, rows: Rows) -> Box<ShapeTable> {
    let mut table: Box<ShapeTable> = vec![Shape::Dead; 1 << 16].try_into().expect("as long as the table");
    // A key with one more stone is a larger number.
    for key in (0..KEYS as u16).rev() {
        table[key as usize] = shape(side, rows, key, &table);
    }
    table
}

fn shape(side: Side, rows: Rows, key: u16, fuller: &ShapeTable) -> Shape {
    let window = window(side, key);
    match (window.row(), rows) {
        (5, _) | (6.., Rows::FiveOrMore) => return Shape::Five,
        (6.., Rows::FiveBound) => return Shape::Overline,
        // No five of this line includes the stone.
        (6.., Rows::Five) => return Shape::Dead,
        _ => {}
    }
    if rows == Rows::FiveBound && window.fours() >= 2 {
        return Shape::DoubleFour;
    }
    let (mut fives, mut best) = (0, Shape::Dead);
    for worth in WORTH {
        if (key / worth).is_multiple_of(3) {
            let next = fuller[(key + own_digit(side) * worth) as usize];
            fives += u32::from(next == Shape::Five);
            best = best.max(grown_into(next));
        }
    }
    match fives {
        0 => best,
        1 => Shape::Four,
        _ => Shape::StraightFour,
    }
}

/// Returns the shape of a line before the stone that made this shape, ignoring fours.
const fn grown_into(next: Shape) -> Shape {
    match next {
        Shape::StraightFour => Shape::Three,
        Shape::Four => Shape::SleepingThree,
        Shape::Three => Shape::Two,
        Shape::SleepingThree => Shape::SleepingTwo,
        Shape::Two => Shape::One,
        Shape::SleepingTwo => Shape::SleepingOne,
        // Points forbidden to Black do not help it.
        _ => Shape::Dead,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The rules' own words for Black: overlines, fours and threes.
    #[test]
    fn black_shapes_are_those_of_the_rules() {
        let mut seen = [0; Shape::ALL.len()];
        for key in 0..KEYS as u16 {
            let window = window(Side::First, key);
            let shape = SHAPES.of(Side::First)[key as usize];
            seen[shape as usize] += 1;
            let is_four = matches!(shape, Shape::Four | Shape::StraightFour);
            assert_eq!(shape == Shape::Five, window.row() == 5, "{window:?}");
            assert_eq!(shape == Shape::Overline, window.row() > 5, "{window:?}");
            if window.row() < 5 {
                assert_eq!(shape == Shape::DoubleFour, window.fours() == 2, "{window:?}");
                assert_eq!(is_four, window.fours() == 1, "{window:?}");
                assert_eq!(shape == Shape::Three, window.raises() != 0, "{window:?} {shape:?}");
            }
        }
        assert!(seen.iter().all(|&keys| keys > 0), "{seen:?}");
    }

    /// A line with the centre in brackets or blank: `x` own, `o` other or edge, `.` empty.
    #[test]
    fn shapes_have_their_names() {
        let check = |line: &str, expected: [Shape; 2]| {
            let found = Side::BOTH.map(|side| {
                let digit = |c: char| match c {
                    'x' => own_digit(side),
                    'o' => 3 - own_digit(side),
                    _ => 0,
                };
                let key: u16 = line.chars().filter(|&c| c != '*').zip(WORTH).map(|(c, worth)| digit(c) * worth).sum();
                SHAPES.of(side)[key as usize]
            });
            assert_eq!(found, expected, "{line}");
        };
        let both = |shape| [shape, shape];
        check(".....*.....", both(Shape::One));
        check("ooooo*.....", both(Shape::SleepingOne));
        check("ooooo*...oo", both(Shape::Dead));
        check("....x*.....", both(Shape::Two));
        check("...ox*.....", both(Shape::SleepingTwo));
        check("...xx*.....", both(Shape::Three));
        check("..oxx*.....", both(Shape::SleepingThree));
        check("..xxx*.....", both(Shape::StraightFour));
        check(".oxxx*.....", both(Shape::Four));
        check(".xxxx*.....", both(Shape::Five));
        check("xxxxx*.....", [Shape::Overline, Shape::Five]);
        check("...x.*xx.x.", [Shape::DoubleFour, Shape::StraightFour]);
        // A row of six is not a five for Black.
        check("xx.xx*.....", [Shape::SleepingThree, Shape::Four]);
        check("x.xxx*.....", [Shape::Four, Shape::StraightFour]);
    }
}
