//! Moves forbidden to Black: overlines, double fours and double threes (statement, section 2; RIF rules, article 9).

use std::fmt;

use agon_game::Side;
use agon_message::messages;

use super::point::Points;
use super::scan::scan;
use super::{Axes, Axis, Board, Point, Window};

/// Reason why a point is forbidden to Black, with the lines responsible.
///
/// Its text names both: "double three on the row and the rising diagonal". A double four on a single line is two
/// different fours on it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Forbidden {
    /// The stone makes an unbroken row of six or more.
    Overline(Axes),
    /// The stone makes two or more different fours that include it.
    DoubleFour(Axes),
    /// The stone makes two or more different threes that include it and count by article 9.3.
    DoubleThree(Axes),
}

impl Forbidden {
    /// Returns the lines that make the point forbidden, one to four.
    pub const fn lines(self) -> Axes {
        match self {
            Self::Overline(lines) | Self::DoubleFour(lines) | Self::DoubleThree(lines) => lines,
        }
    }
}

messages! {
    /// Reason why a point is forbidden, as a message.
    #[derive(Clone, PartialEq, Eq)]
    #[allow(missing_docs)]
    pub enum ForbiddenReason {
        OneLine { kind: ForbiddenKind, line: Axis } = "{kind} on the {line}",
        TwoLines { kind: ForbiddenKind, first: Axis, last: Axis } = "{kind} on the {first} and the {last}",
        ThreeLines { kind: ForbiddenKind, first: Axis, second: Axis, last: Axis } =
            "{kind} on the {first}, the {second} and the {last}",
        AllLines { kind: ForbiddenKind, first: Axis, second: Axis, third: Axis, last: Axis } =
            "{kind} on the {first}, the {second}, the {third} and the {last}",
    }

    /// What the stone makes.
    #[derive(Clone, Copy, PartialEq, Eq)]
    #[allow(missing_docs)]
    pub enum ForbiddenKind {
        Overline = "overline",
        DoubleFour = "double four",
        DoubleThree = "double three",
    }
}

impl From<Forbidden> for ForbiddenReason {
    fn from(forbidden: Forbidden) -> Self {
        let kind = match forbidden {
            Forbidden::Overline(_) => ForbiddenKind::Overline,
            Forbidden::DoubleFour(_) => ForbiddenKind::DoubleFour,
            Forbidden::DoubleThree(_) => ForbiddenKind::DoubleThree,
        };
        let lines: Vec<Axis> = forbidden.lines().iter().collect();
        match *lines {
            [first, last] => Self::TwoLines { kind, first, last },
            [first, second, last] => Self::ThreeLines { kind, first, second, last },
            [first, second, third, last] => Self::AllLines { kind, first, second, third, last },
            _ => Self::OneLine { kind, line: lines[0] },
        }
    }
}

impl fmt::Display for Forbidden {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        ForbiddenReason::from(*self).fmt(f)
    }
}

/// The effect of a black stone on an empty point.
enum Verdict {
    /// A win: a five overrides everything forbidden.
    Five,
    /// Against the rules.
    Forbidden(Forbidden),
    /// Neither.
    Free,
}

/// Returns why a point is forbidden to Black, or `None` if it is not. An occupied point is not forbidden, since no
/// stone can be put there anyway, and no point is under rules that forbid nothing.
///
/// Only the stones count: [`super::Renju`] handles the opening's squares and the side to move.
///
/// ```
/// use agon_game::Side;
/// use agon_rules::renju::{Board, Point, forbidden};
///
/// let mut board = Board::EMPTY;
/// for letters in ["F8", "G8", "H9", "H10"] {
///     board.place(Point::from_letters(letters).unwrap(), Side::First);
/// }
/// let reason = forbidden(&board, Point::CENTRE).unwrap();
/// assert_eq!(reason.to_string(), "double three on the row and the column");
/// ```
pub fn forbidden(board: &Board, point: Point) -> Option<Forbidden> {
    if board.owner(point).is_some() || !board.rules().forbids() {
        return None;
    }
    match verdict(board, point) {
        Verdict::Forbidden(forbidden) => Some(forbidden),
        Verdict::Five | Verdict::Free => None,
    }
}

/// All points that are forbidden to Black, as [`forbidden`] decides for each. Single points are examined only if threes
/// lie on two lines.
pub fn forbidden_points(board: &Board) -> Points {
    if !board.rules().forbids() {
        return Points::default();
    }
    let (mut points, asked) = scan(board);
    points.extend(asked.iter().filter(|&point| matches!(verdict(board, point), Verdict::Forbidden(_))));
    points
}

/// Judges an empty point.
#[inline]
fn verdict(board: &Board, point: Point) -> Verdict {
    let windows = Axis::ALL.map(|direction| board.window(Side::First, point, direction));
    let company = windows.map(Window::company);
    // Two fours or threes on different lines need two other stones on each; the rest needs four on one line. Most
    // points of a board have neither.
    if company.iter().filter(|&&stones| stones >= 2).count() < 2 && company.iter().all(|&stones| stones < 4) {
        return Verdict::Free;
    }
    busy_verdict(board, point, &windows)
}

/// Judges an empty point with enough black stones around it to matter.
fn busy_verdict(board: &Board, point: Point, windows: &[Window; 4]) -> Verdict {
    let (mut overlines, mut fours, mut four_lines) = (Axes::default(), 0, Axes::default());
    let mut raises = [0; 4];
    for direction in Axis::ALL {
        let window = windows[direction as usize];
        if window.company() < 2 {
            continue;
        }
        match window.row() {
            // "unless it simultaneously creates a FIVE IN A ROW" (section 2; article 9.1).
            5 => return Verdict::Five,
            6.. => overlines.insert(direction),
            _ => {}
        }
        let made = window.fours();
        fours += made;
        if made > 0 {
            four_lines.insert(direction);
        }
        raises[direction as usize] = window.raises();
    }
    // OVERLINE (section 2; article 9.2 b).
    if !overlines.is_empty() {
        return Verdict::Forbidden(Forbidden::Overline(overlines));
    }
    // DOUBLE FOUR, also of two fours on one line (section 1, "two or more different FOURs"; article 9.2 b).
    if fours >= 2 {
        return Verdict::Forbidden(Forbidden::DoubleFour(four_lines));
    }
    // DOUBLE THREE (section 2; article 9.2 a), with the exception of article 9.3.
    if raises.iter().filter(|&&points| points != 0).count() >= 2 {
        let threes = valid_threes(board, point, raises);
        if threes.len() >= 2 {
            return Verdict::Forbidden(Forbidden::DoubleThree(threes));
        }
    }
    Verdict::Free
}

/// Returns the lines on which a stone on `point` makes a three that counts, given the points that raise each line's
/// three to a straight four. If fewer than two lines count, some of them may be missing.
///
/// By article 9.3 a three counts only if Black could play one of those points: it must be neither an overline nor a
/// double four, nor a double three by the same rule with the stone on `point` in place, "in the same manner" to any
/// depth. A point that makes a five does not make a THREE at all (section 1, the term's last clause).
fn valid_threes(board: &Board, point: Point, raises: [u16; 4]) -> Axes {
    let mut after = board.clone();
    after.place(point, Side::First);
    let mut threes = Axes::default();
    let mut hopeful = raises.iter().filter(|&&points| points != 0).count() as u32;
    for direction in Axis::ALL.into_iter().filter(|&direction| raises[direction as usize] != 0) {
        // Once no two lines can be left, the answer is known.
        if threes.len() + hopeful < 2 {
            break;
        }
        hopeful -= 1;
        let mut bits = raises[direction as usize];
        while bits != 0 {
            let steps = bits.trailing_zeros() as i8 - Window::CENTRE as i8;
            bits &= bits - 1;
            let Some(raise) = point.along(direction, steps) else { continue };
            if matches!(verdict(&after, raise), Verdict::Free) {
                threes.insert(direction);
                break;
            }
        }
    }
    threes
}
