//! Why a point is forbidden to Black, or why it is allowed though it looks like a double three.
//!
//! [`Explanation::new`] collects the rows, fours and threes that a stone makes. For each three it has the points that
//! raise it to a straight four, and what Black may do there (RIF rules, article 9.3), to any depth.
//! [`Explanation::steps`] says the same one step after another, with the points that each step is about.

use agon_game::Side;
use agon_message::messages;

use super::forbidden::{Forbidden, forbidden};
use super::{Axis, Board, Point, Window};

/// What a black stone on an empty point makes.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Explanation {
    /// Point of the stone.
    pub point: Point,
    /// Reason why it is forbidden; `None` if it is allowed.
    pub forbidden: Option<Forbidden>,
    /// Rows of five or more stones.
    pub rows: Vec<Row>,
    /// Different fours of four stones.
    pub fours: Vec<Four>,
    /// Threes; empty where a row or two fours decide.
    pub threes: Vec<Three>,
}

/// An unbroken row of five or more stones.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Row {
    /// Its direction.
    pub axis: Axis,
    /// Its stones, in the order of the line.
    pub stones: Vec<Point>,
}

/// Four stones to which one more makes a five.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Four {
    /// Its direction.
    pub axis: Axis,
    /// Its stones, in the order of the line.
    pub stones: Vec<Point>,
    /// Points that make a five: two of a straight four.
    pub fives: Vec<Point>,
}

/// Three stones to which one more makes a straight four.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Three {
    /// Its direction.
    pub axis: Axis,
    /// Its stones, in the order of the line.
    pub stones: Vec<Point>,
    /// What a stone on each of the points makes that raise it to a straight four, the first three stones in place. The
    /// last one is allowed if the three counts; those behind it are left out.
    pub raises: Vec<Explanation>,
}

impl Three {
    /// Returns the point by which the three counts: Black may play there, and makes no five.
    pub fn raise(&self) -> Option<Point> {
        self.raises.iter().find(|raise| raise.is_free()).map(|raise| raise.point)
    }
}

/// A step of an explanation, with the points that it is about.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Step {
    /// Stones that are put before: the point in question first, then points that raise threes.
    pub placed: Vec<Point>,
    /// Stones of the row, the four or the three.
    pub stones: Vec<Point>,
    /// Points that make a five of a four, or a straight four of a three.
    pub goals: Vec<Point>,
    /// What the step says.
    pub text: ForbiddenStep,
}

messages! {
    /// A step of the reasoning why a black stone is forbidden or allowed. Points are written as players write them.
    #[derive(Clone, PartialEq, Eq)]
    #[allow(missing_docs)]
    pub enum ForbiddenStep {
        /// A row of five, which overrides everything forbidden.
        Five { point: String, axis: Axis } = "{point} makes a five on the {axis}, which is always allowed",
        /// A row of six or more.
        Overline { point: String, count: usize, axis: Axis } =
            "{point} makes an overline on the {axis}: {count} stones",
        /// A four that is not straight.
        Four { axis: Axis, stones: String, goal: String } = "four on the {axis}: {stones} (five at {goal})",
        /// A straight four.
        StraightFour { axis: Axis, stones: String, one: String, other: String } =
            "straight four on the {axis}: {stones} (five at {one} or {other})",
        /// A three.
        Three { axis: Axis, stones: String } = "three on the {axis}: {stones}",
        /// A three counts.
        Counts { point: String } = "the three counts: Black may make the straight four at {point}",
        /// The point of a straight four makes a five.
        RaiseFive { point: String } = "{point} makes the straight four, but a five as well",
        /// The point of a straight four is forbidden.
        RaiseOverline { point: String } = "{point} makes the straight four, but is forbidden: overline",
        /// The point of a straight four is forbidden.
        RaiseDoubleFour { point: String } = "{point} makes the straight four, but is forbidden: double four",
        /// The point of a straight four is forbidden.
        RaiseDoubleThree { point: String } = "{point} makes the straight four, but is forbidden: double three",
        /// A three does not count.
        CountsNot = "the three does not count: Black cannot make a straight four of it",
        /// Forbidden by an overline.
        IsOverline { point: String } = "{point} is forbidden: overline",
        /// Forbidden by two fours.
        IsDoubleFour { point: String } = "{point} is forbidden: double four",
        /// Forbidden by two threes that count.
        IsDoubleThree { point: String } = "{point} is forbidden: double three",
        /// Allowed, as at most one three counts.
        IsAllowed { point: String } = "{point} is allowed: no two threes count (article 9.3)",
    }
}

/// The points of set bits of a window, in the order of the line.
fn points(point: Point, axis: Axis, mut bits: u16) -> Vec<Point> {
    let mut found = Vec::new();
    while bits != 0 {
        let steps = bits.trailing_zeros() as i8 - Window::CENTRE as i8;
        bits &= bits - 1;
        found.extend(point.along(axis, steps));
    }
    found
}

impl Explanation {
    /// Explains a black stone on an empty point.
    ///
    /// ```
    /// use agon_game::Side;
    /// use agon_rules::renju::{Board, Explanation, Point};
    ///
    /// let mut board = Board::EMPTY;
    /// for letters in ["F8", "G8", "H9", "H10"] {
    ///     board.place(Point::from_letters(letters).unwrap(), Side::First);
    /// }
    /// let why = Explanation::new(&board, Point::CENTRE);
    /// let steps: Vec<String> = why.steps().into_iter().map(|step| step.text.to_string()).collect();
    /// assert_eq!(steps, [
    ///     "three on the row: F8 G8 H8",
    ///     "the three counts: Black may make the straight four at E8",
    ///     "three on the column: H10 H9 H8",
    ///     "the three counts: Black may make the straight four at H11",
    ///     "H8 is forbidden: double three",
    /// ]);
    /// ```
    pub fn new(board: &Board, point: Point) -> Self {
        let mut made =
            Self { point, forbidden: forbidden(board, point), rows: Vec::new(), fours: Vec::new(), threes: Vec::new() };
        let windows = Axis::ALL.map(|axis| (axis, board.window(Side::First, point, axis).placed()));
        for (axis, window) in windows {
            if window.row() >= 5 {
                made.rows.push(Row { axis, stones: points(point, axis, row_bits(window)) });
            }
            made.fours.extend(fours(point, axis, window));
        }
        if made.rows.is_empty() && made.fours.len() < 2 {
            let mut after = board.clone();
            after.place(point, Side::First);
            made.threes = windows.into_iter().filter_map(|(axis, window)| three(&after, point, axis, window)).collect();
        }
        made
    }

    /// Returns true if the stone makes a five, which overrides everything forbidden.
    pub fn is_five(&self) -> bool {
        self.rows.iter().any(|row| row.stones.len() == 5)
    }

    /// Returns true if a three counts that this point raises to a straight four.
    fn is_free(&self) -> bool {
        self.forbidden.is_none() && !self.is_five()
    }

    /// Returns true if the point is forbidden, or allowed though it makes two threes.
    pub fn is_remarkable(&self) -> bool {
        self.forbidden.is_some() || self.rows.is_empty() && self.threes.len() >= 2
    }

    /// Returns the explanation step by step; a point that raises a three and is forbidden is explained in its place.
    pub fn steps(&self) -> Vec<Step> {
        let mut steps = Vec::new();
        self.add_steps(&mut Vec::new(), &mut steps);
        steps
    }

    fn add_steps(&self, placed: &mut Vec<Point>, steps: &mut Vec<Step>) {
        placed.push(self.point);
        let by_threes = matches!(self.forbidden, None | Some(Forbidden::DoubleThree(_)));
        if !self.rows.is_empty() {
            steps.extend(self.rows.iter().map(|row| self.row_step(placed, row)));
        } else if by_threes {
            self.threes.iter().for_each(|three| three.add_steps(placed, steps));
        } else {
            steps.extend(self.fours.iter().map(|four| four.step(placed)));
        }
        // Of a point that raises a three, what it means for the three has been said.
        if placed.len() == 1 {
            steps.extend(self.verdict().map(|text| Step::new(placed, &[self.point], &[], text)));
        }
        placed.pop();
    }

    fn row_step(&self, placed: &[Point], row: &Row) -> Step {
        let (point, axis) = (self.point.letters(), row.axis);
        let text = match row.stones.len() {
            5 => ForbiddenStep::Five { point, axis },
            count => ForbiddenStep::Overline { point, count, axis },
        };
        Step::new(placed, &row.stones, &[], text)
    }

    fn verdict(&self) -> Option<ForbiddenStep> {
        let point = self.point.letters();
        match self.forbidden {
            Some(Forbidden::Overline(_)) => Some(ForbiddenStep::IsOverline { point }),
            Some(Forbidden::DoubleFour(_)) => Some(ForbiddenStep::IsDoubleFour { point }),
            Some(Forbidden::DoubleThree(_)) => Some(ForbiddenStep::IsDoubleThree { point }),
            None if self.is_five() => None,
            None => Some(ForbiddenStep::IsAllowed { point }),
        }
    }

    /// What it means for a three that this point would raise to a straight four.
    fn meaning(&self) -> ForbiddenStep {
        let point = self.point.letters();
        match self.forbidden {
            None if self.is_five() => ForbiddenStep::RaiseFive { point },
            None => ForbiddenStep::Counts { point },
            Some(Forbidden::Overline(_)) => ForbiddenStep::RaiseOverline { point },
            Some(Forbidden::DoubleFour(_)) => ForbiddenStep::RaiseDoubleFour { point },
            Some(Forbidden::DoubleThree(_)) => ForbiddenStep::RaiseDoubleThree { point },
        }
    }
}

impl Three {
    fn add_steps(&self, placed: &mut Vec<Point>, steps: &mut Vec<Step>) {
        let goals: Vec<Point> = self.raises.iter().map(|raise| raise.point).collect();
        let text = ForbiddenStep::Three { axis: self.axis, stones: letters(&self.stones) };
        steps.push(Step::new(placed, &self.stones, &goals, text));
        for raise in &self.raises {
            steps.push(Step::new(placed, &self.stones, &[raise.point], raise.meaning()));
            // What is allowed with a single three needs no reasons.
            if raise.is_remarkable() || raise.is_five() {
                raise.add_steps(placed, steps);
            }
        }
        if self.raise().is_none() {
            steps.push(Step::new(placed, &self.stones, &goals, ForbiddenStep::CountsNot));
        }
    }
}

impl Four {
    fn step(&self, placed: &[Point]) -> Step {
        let (axis, stones) = (self.axis, letters(&self.stones));
        let text = match self.fives.as_slice() {
            [one, other] => ForbiddenStep::StraightFour { axis, stones, one: one.letters(), other: other.letters() },
            goals => ForbiddenStep::Four { axis, stones, goal: letters(goals) },
        };
        Step::new(placed, &self.stones, &self.fives, text)
    }
}

impl Step {
    fn new(placed: &[Point], stones: &[Point], goals: &[Point], text: ForbiddenStep) -> Self {
        Self { placed: placed.to_vec(), stones: stones.to_vec(), goals: goals.to_vec(), text }
    }
}

fn letters(points: &[Point]) -> String {
    points.iter().map(|point| point.letters()).collect::<Vec<_>>().join(" ")
}

/// The stones of the unbroken row through the centre, as bits of the window.
const fn row_bits(window: Window) -> u16 {
    let mut bits = 1 << Window::CENTRE;
    let mut grown = 0;
    while bits != grown {
        grown = bits;
        bits |= (bits << 1 | bits >> 1) & window.own;
    }
    bits
}

/// The fours of a line, as [`Window::fours`] counts them.
fn fours(point: Point, axis: Axis, window: Window) -> Vec<Four> {
    let Window { own, empty } = window;
    let mut found: Vec<(u16, Four)> = Vec::new();
    for from in 1..=Window::CENTRE {
        let five = 0b1_1111 << from;
        let beside = 0b100_0001 << (from - 1);
        let stones: u16 = own & five;
        if stones.count_ones() != 4 || (own | empty) & five != five || own & beside != 0 {
            continue;
        }
        let goals = points(point, axis, five & empty);
        match found.last_mut() {
            Some((last, four)) if *last == stones => four.fives.extend(goals),
            _ => found.push((stones, Four { axis, stones: points(point, axis, stones), fives: goals })),
        }
    }
    found.into_iter().map(|(_, four)| four).collect()
}

/// The three of a line, if there is one; `after` has the stone on the point.
fn three(after: &Board, point: Point, axis: Axis, window: Window) -> Option<Three> {
    let raises = window.raises();
    let first = points(point, axis, raises).into_iter().next()?;
    let mut stones = 0;
    for from in 2..=Window::CENTRE {
        let four = 0b1111 << from;
        if (window.own & four).count_ones() == 3 && four & raises != 0 {
            stones = window.own & four;
        }
    }
    debug_assert!(after.owner(first).is_none());
    let mut three = Three { axis, stones: points(point, axis, stones), raises: Vec::new() };
    for raise in points(point, axis, raises) {
        let made = Explanation::new(after, raise);
        let is_free = made.is_free();
        three.raises.push(made);
        if is_free {
            break;
        }
    }
    Some(three)
}
