//! Eleven points of a line: everything that one stone can change.

/// The stones of one side and the empty points, from five before a point of a line to five after it. The point itself
/// is bit [`Window::CENTRE`]; bits beyond the edge of the board are neither stone nor empty.
///
/// A five that includes the centre reaches four points away from it, and one more point on either side distinguishes it
/// from an overline; so the four windows show every row that a stone on the centre makes. All methods below are about
/// the centre and assume a stone there, whatever `own` says.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Window {
    /// Stones of the side.
    pub own: u16,
    /// Points without a stone.
    pub empty: u16,
}

impl Window {
    /// Bit of the point at the centre.
    pub const CENTRE: u32 = 5;

    const CENTRE_BIT: u16 = 1 << Self::CENTRE;

    /// The four points before the centre and the four after it, for the other stones of a five.
    const REACH: u16 = 0b11_1101_1110;

    /// Returns the window after a stone on its centre.
    #[inline]
    #[must_use]
    pub const fn placed(self) -> Self {
        Self { own: self.own | Self::CENTRE_BIT, empty: self.empty & !Self::CENTRE_BIT }
    }

    /// Returns how many stones could share a five with the centre, 0 to 8. Below 2, a stone there makes no three; below
    /// 3, no four; below 4, no row of five.
    #[inline]
    pub const fn company(self) -> u32 {
        (self.own & Self::REACH).count_ones()
    }

    /// Returns the length of the unbroken row through the centre, 1 to 11.
    ///
    /// ```
    /// use agon_rules::renju::Window;
    /// assert_eq!(Window { own: 0b000_1101_1110, empty: 0 }.row(), 7);
    /// ```
    #[inline]
    pub const fn row(self) -> u32 {
        let after = (self.own >> (Self::CENTRE + 1)).trailing_ones();
        let before = ((self.own as u32) << (u32::BITS - Self::CENTRE)).leading_ones();
        before + 1 + after
    }

    /// Returns the number of different FOURs of four stones that include the centre, 0 to 2: a FOUR is four stones to
    /// which one more makes a FIVE, an unbroken row of *exactly* five (statement, terms). The two FIVEs of a STRAIGHT
    /// FOUR come from the same four stones, so it is one FOUR; `B_BBB_B` holds two.
    #[inline]
    pub const fn fours(self) -> u32 {
        let Self { own, empty } = self.placed();
        let (mut fours, mut last) = (0, 0);
        // The five points from bit `from` hold the centre; the points beside them are in the window.
        let mut from = 1;
        while from <= Self::CENTRE {
            let five = 0b1_1111 << from;
            let beside = 0b100_0001 << (from - 1);
            let stones = own & five;
            if stones.count_ones() == 4 && (own | empty) & five == five && own & beside == 0 {
                fours += (stones != last) as u32;
                last = stones;
            }
            from += 1;
        }
        fours
    }

    /// Returns the points, as bits, that make a STRAIGHT FOUR of three stones with the centre among them: four stones
    /// in an unbroken row, and on both sides of it an empty point that would make a FIVE, so no own stone beyond that
    /// point (statement, terms). Without a bit, the centre is in no THREE of this line.
    ///
    /// A line has at most one THREE that includes a given stone: beside a straight four are two points without own
    /// stones on each side, so another one, one to three points further on, can only use stones on the points that both
    /// share. Those suffice only if it is one point further, and then the three stones are the same. So two bits are
    /// two ways of raising one THREE.
    #[inline]
    pub const fn raises(self) -> u16 {
        let Self { own, empty } = self.placed();
        let mut raises = 0;
        // The four points from bit `from` hold the centre; ends and beyond are in the window.
        let mut from = 2;
        while from <= Self::CENTRE {
            let four = 0b1111 << from;
            let ends = 0b10_0001 << (from - 1);
            let beyond = 0b1000_0001 << (from - 2);
            let missing = four & empty;
            if (own & four).count_ones() == 3 && missing != 0 && empty & ends == ends && own & beyond == 0 {
                raises |= missing;
            }
            from += 1;
        }
        raises
    }
}
