//! Line codes: the surroundings of a point on each of its four lines, as a number.
//!
//! A code distinguishes the four points either way: empty, black, white, or beyond the edge, which a
//! [key](super::shape) takes for a white stone. A line and its mirror image have one code. So a network that looks at
//! the codes of a point knows all that its shapes say and why, the same under all symmetries.

use std::sync::LazyLock;

/// Points of a code on either side of its centre.
const REACH: usize = 4;

/// Inner keys: those of the points that a code looks at.
const INNER: usize = 6_561;

/// Number of codes: all ways to fill the points on the board, up to mirroring.
pub const CODES: usize = 7_381;

/// Codes below this have no stone on the line.
pub const BLANKS: u16 = 15;

pub struct LineCodes {
    /// Indexed by the number of points on the board before and after the centre, up to four each, and the inner key.
    codes: Box<[u16; ROOM]>,
}

/// Ways how many points the board has before and after a centre.
const SPANS: usize = (REACH + 1) * (REACH + 1);

/// Room for all of them, and for any index of eighteen bits.
const ROOM: usize = 1 << 18;
const _: () = assert!(SPANS * INNER <= ROOM);

impl LineCodes {
    /// The code of Black's key of a point from whose codes the table has those from this place on.
    #[inline]
    pub fn code(&self, at: u32, key: u16) -> u16 {
        self.codes[(at as usize + (key / 3) as usize % INNER) % ROOM]
    }
}

/// Returns the index of the codes for a point with these numbers of points before and after it on the line.
pub(super) const fn codes_at([before, after]: [u8; 2]) -> u32 {
    ((within(before) * (REACH + 1) + within(after)) * INNER) as u32
}

const fn within(points: u8) -> usize {
    if points as usize > REACH { REACH } else { points as usize }
}

/// The table, built on first use in a few milliseconds.
pub static LINE_CODES: LazyLock<LineCodes> = LazyLock::new(|| {
    let mut codes: Box<[u16; ROOM]> = vec![0; ROOM].try_into().expect("as long as the table");
    let mut next = 0;
    // Codes without a stone come first.
    for blank in [true, false] {
        for before in 0..=REACH {
            for after in 0..=REACH {
                for key in 0..INNER {
                    let Some(digits) = digits(before, after, key) else { continue };
                    if blank != digits[REACH - before..REACH + after].iter().all(|&digit| digit == 0) {
                        continue;
                    }
                    let mirror = digits.iter().fold(0, |key, &digit| 3 * key + usize::from(digit));
                    let at = codes_at([before as u8, after as u8]) as usize + key;
                    let mirrored = codes_at([after as u8, before as u8]) as usize + mirror;
                    if mirrored < at {
                        codes[at] = codes[mirrored];
                    } else {
                        codes[at] = next;
                        next += 1;
                    }
                }
            }
        }
    }
    assert_eq!(usize::from(next), CODES);
    LineCodes { codes }
});

/// Returns the digits of an inner key, starting with the first before the centre; `None` if a point beyond the edge is
/// not 2.
fn digits(before: usize, after: usize, mut key: usize) -> Option<[u8; 2 * REACH]> {
    let mut digits = [0; 2 * REACH];
    for digit in &mut digits {
        *digit = (key % 3) as u8;
        key /= 3;
    }
    let beyond = digits.iter().enumerate().filter(|&(at, _)| at + before < REACH || at >= REACH + after);
    beyond.clone().all(|(_, &digit)| digit == 2).then_some(digits)
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use super::*;

    /// The code of a line, the centre as `*`: `x` black, `o` white, `#` beyond the edge.
    fn code(line: &str) -> u16 {
        let digit = |c: char| match c {
            'x' => 1,
            'o' | '#' => 2,
            _ => 0,
        };
        let (before, after) = line.split_once('*').unwrap();
        let on_board = |part: &str| part.chars().filter(|&c| c != '#').count() as u8;
        let points = before.chars().chain(after.chars()).zip(crate::renju::shape::WORTH);
        LINE_CODES.code(codes_at([on_board(before), on_board(after)]), points.map(|(c, worth)| digit(c) * worth).sum())
    }

    #[test]
    fn a_code_is_a_line_and_its_mirror_image() {
        let lines =
            [".....*.....", "....x*.....", "....o*.....", "#...o*.....", "##..o*.....", "##..o*...##", "x...x*..o.."];
        for line in lines {
            assert_eq!(code(line), code(&line.chars().rev().collect::<String>()), "{line}");
        }
        // Points five steps away do not count.
        assert_eq!(code("o....*....x"), code(".....*....."));
        assert_eq!(code("#....*....."), code(".....*....."));
        // The edge is not a white stone.
        assert_ne!(code("##..o*....."), code("#o..o*....."));
        let codes: HashSet<u16> = lines[..lines.len() - 1].iter().map(|line| code(line)).collect();
        assert_eq!(codes.len(), 5, "the fourth line is the third");
    }

    #[test]
    fn codes_without_stones_come_first() {
        for blank in [".....*.....", "#####*.....", "##...*..###", "#####*#####"] {
            assert!(code(blank) < BLANKS, "{blank}");
        }
        for other in ["....x*.....", "#####*...x.", "o....*...o.", "####o*#####"] {
            assert!(code(other) >= BLANKS, "{other}");
        }
    }
}
