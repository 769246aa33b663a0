//! Hash functions, and bytes as hexadecimal digits.
//!
//! Positions, records and books store values of these functions, so the functions never change.

use std::fmt;

/// 2⁶⁴ divided by the golden ratio, rounded to odd: the step of `SplitMix64`, and the factor of Fibonacci hashing.
pub const GOLDEN_RATIO: u64 = 0x9e37_79b9_7f4a_7c15;

/// The factors of [`mix`].
pub const MIX_FACTORS: [u64; 2] = [0xbf58_476d_1ce4_e5b9, 0x94d0_49bb_1331_11eb];

/// Applies the finaliser of `SplitMix64` (G. L. Steele Jr. et al., "Fast Splittable Pseudorandom Number Generators",
/// 2014): spreads every bit over the whole word and is injective. 0 stays 0.
#[inline]
pub const fn mix(word: u64) -> u64 {
    let word = (word ^ (word >> 30)).wrapping_mul(MIX_FACTORS[0]);
    let word = (word ^ (word >> 27)).wrapping_mul(MIX_FACTORS[1]);
    word ^ (word >> 31)
}

/// Returns output `number` (from 0) of `SplitMix64` from a seed, for tables of keys computed at compile time.
#[inline]
pub const fn split_mix(seed: u64, number: u64) -> u64 {
    mix(seed.wrapping_add(number.wrapping_add(1).wrapping_mul(GOLDEN_RATIO)))
}

/// Fibonacci hashing (D. E. Knuth, "The Art of Computer Programming", volume 3, section 6.4): one multiplication, after
/// which the upper bits are well mixed.
#[inline]
pub const fn fibonacci(word: u64) -> u64 {
    word.wrapping_mul(GOLDEN_RATIO)
}

/// The 64-bit hash of Fowler, Noll and Vo, variant 1a, as a hasher of written bytes.
#[derive(Clone, Copy, Debug)]
pub struct Fnv1a(u64);

impl Default for Fnv1a {
    fn default() -> Self {
        Self(0xcbf2_9ce4_8422_2325)
    }
}

impl Fnv1a {
    /// Returns the hash of the bytes written so far.
    pub const fn finish(self) -> u64 {
        self.0
    }
}

impl fmt::Write for Fnv1a {
    fn write_str(&mut self, text: &str) -> fmt::Result {
        self.0 = text.bytes().fold(self.0, |hash, byte| (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3));
        Ok(())
    }
}

/// Returns the 64-bit FNV-1a hash of a text. It detects accidents, not malice.
///
/// ```
/// assert_eq!(agon_game::hash::fnv1a("foobar"), 0x8594_4171_f739_67e8);
/// ```
pub fn fnv1a(text: &str) -> u64 {
    let mut hash = Fnv1a::default();
    // Writing to a hash cannot fail.
    let _ = fmt::Write::write_str(&mut hash, text);
    hash.finish()
}

/// Writes bytes as hexadecimal digits, two for each byte.
///
/// ```
/// assert_eq!(agon_game::hash::hex(&[0x0a, 0xff]), "0aff");
/// ```
pub fn hex(bytes: &[u8]) -> String {
    let digit = |half: u8| char::from(b"0123456789abcdef"[usize::from(half)]);
    bytes.iter().flat_map(|byte| [digit(byte >> 4), digit(byte & 15)]).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The first is the published first output from seed 0; the hashes of texts are those of the FNV reference code.
    #[test]
    fn the_values_are_pinned() {
        assert_eq!(split_mix(0, 0), 0xe220_a839_7b1d_cdaf);
        assert_eq!(split_mix(0, 1), 0x6e78_9e6a_a1b9_65f4);
        assert_eq!(mix(GOLDEN_RATIO), split_mix(0, 0));
        assert_eq!((mix(0), fibonacci(1)), (0, GOLDEN_RATIO));
        assert_eq!((fnv1a(""), fnv1a("a")), (0xcbf2_9ce4_8422_2325, 0xaf63_dc4c_8601_ec8c));
    }
}
