//! The 26 openings of renju by their names.
//!
//! Black's first stone is in the centre, White's second beside it (a direct opening) or on its diagonal (an indirect
//! one), Black's third at most two points away from the centre. Turned and mirrored, that gives 13 openings of each
//! kind, numbered D1 to D13 and I1 to I13 (<http://renju.net/study/openings.php>).

use agon_message::messages;

use super::Point;

messages! {
    /// An opening by its Japanese name.
    #[derive(Clone, Copy, PartialEq, Eq, Hash)]
    #[allow(missing_docs)]
    #[repr(u8)]
    pub enum Opening {
        Kansei = "Kansei",
        Keigetsu = "Keigetsu",
        Sosei = "Sosei",
        Kagetsu = "Kagetsu",
        Zangetsu = "Zangetsu",
        Ugetsu = "Ugetsu",
        Kinsei = "Kinsei",
        Shogetsu = "Shogetsu",
        Kyugetsu = "Kyugetsu",
        Shingetsu = "Shingetsu",
        Zuisei = "Zuisei",
        Sangetsu = "Sangetsu",
        Yusei = "Yusei",
        Chosei = "Chosei",
        Kyogetsu = "Kyogetsu",
        Kosei = "Kosei",
        Suigetsu = "Suigetsu",
        Ryusei = "Ryusei",
        Ungetsu = "Ungetsu",
        Hogetsu = "Hogetsu",
        Rangetsu = "Rangetsu",
        Gingetsu = "Gingetsu",
        Myojo = "Myojo",
        Shagetsu = "Shagetsu",
        Meigetsu = "Meigetsu",
        Suisei = "Suisei",
    }
}

/// Steps from the centre to the right and upwards.
type Steps = (i8, i8);

/// Openings of each kind.
const EACH: usize = 13;

impl Opening {
    /// All openings: D1 to D13, then I1 to I13.
    pub const ALL: [Self; 2 * EACH] = [
        Self::Kansei,
        Self::Keigetsu,
        Self::Sosei,
        Self::Kagetsu,
        Self::Zangetsu,
        Self::Ugetsu,
        Self::Kinsei,
        Self::Shogetsu,
        Self::Kyugetsu,
        Self::Shingetsu,
        Self::Zuisei,
        Self::Sangetsu,
        Self::Yusei,
        Self::Chosei,
        Self::Kyogetsu,
        Self::Kosei,
        Self::Suigetsu,
        Self::Ryusei,
        Self::Ungetsu,
        Self::Hogetsu,
        Self::Rangetsu,
        Self::Gingetsu,
        Self::Myojo,
        Self::Shagetsu,
        Self::Meigetsu,
        Self::Suisei,
    ];

    /// The third stones in the order of [`Self::ALL`], the second above the centre or to its upper right.
    const THIRDS: [Steps; 2 * EACH] = [
        (0, 2),
        (1, 2),
        (2, 2),
        (1, 1),
        (2, 1),
        (1, 0),
        (2, 0),
        (0, -1),
        (1, -1),
        (2, -1),
        (0, -2),
        (1, -2),
        (2, -2),
        (2, 2),
        (2, 1),
        (2, 0),
        (2, -1),
        (2, -2),
        (1, 0),
        (1, -1),
        (1, -2),
        (0, -1),
        (0, -2),
        (-1, -1),
        (-1, -2),
        (-2, -2),
    ];

    /// Returns the opening of the first three stones, however the board is turned; `None` if they are not an opening.
    ///
    /// ```
    /// use agon_rules::renju::{Opening, Point};
    /// let stones = ["H8", "G8", "G7"].map(|letters| Point::from_letters(letters).unwrap());
    /// let opening = Opening::of(stones).unwrap();
    /// assert_eq!((opening.to_string().as_str(), opening.code().as_str()), ("Kagetsu", "D4"));
    /// ```
    pub fn of(stones: [Point; 3]) -> Option<Self> {
        let [first, second, third] = stones;
        if first != Point::CENTRE {
            return None;
        }
        let steps = |point: Point| (point.column() as i8 - 8, 8 - point.row() as i8);
        let turned = |turn: u8, (x, y): Steps| {
            let (x, y) = if turn & 1 == 0 { (x, y) } else { (-x, y) };
            let (x, y) = if turn & 2 == 0 { (x, y) } else { (x, -y) };
            if turn & 4 == 0 { (x, y) } else { (y, x) }
        };
        (0..8).find_map(|turn| {
            let from = match turned(turn, steps(second)) {
                (0, 1) => 0,
                (1, 1) => EACH,
                _ => return None,
            };
            let at = Self::THIRDS[from..from + EACH].iter().position(|&known| known == turned(turn, steps(third)))?;
            Some(Self::ALL[from + at])
        })
    }

    /// Returns its number, as `D4` or `I7`.
    pub fn code(self) -> String {
        let at = self as usize;
        format!("{}{}", if at < EACH { 'D' } else { 'I' }, at % EACH + 1)
    }

    /// Returns its three stones, the second above the centre or to its upper right.
    pub fn stones(self) -> [Point; 3] {
        let at = |(x, y): Steps| Point::new(8 - y, 8 + x).unwrap_or(Point::CENTRE);
        let number = self as usize;
        [Point::CENTRE, at(if number < EACH { (0, 1) } else { (1, 1) }), at(Self::THIRDS[number])]
    }
}
