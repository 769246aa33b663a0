//! The units in which layers and rows are stored, and their fixed-point numbers.

pub const LANES: usize = 32;

/// A cache line of 16-bit numbers: the unit in which layers are stored, so that no load crosses a cache line.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[repr(C, align(64))]
pub struct Vector(pub [i16; LANES]);

impl Vector {
    pub const ZERO: Self = Self([0; LANES]);

    /// Lines of these numbers, the last one filled up with zeros.
    pub fn pack(numbers: &[i16]) -> Vec<Self> {
        let line = |chunk: &[i16]| {
            let mut line = Self::ZERO;
            line.0[..chunk.len()].copy_from_slice(chunk);
            line
        };
        numbers.chunks(LANES).map(line).collect()
    }
}

/// Half a cache line of 8-bit numbers: as many as a [`Vector`] has, for rows of weights that are many.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[repr(C, align(32))]
pub struct NarrowVector(pub [i8; LANES]);

impl NarrowVector {
    /// Lines of these numbers, the last one filled up with zeros; `None` when one does not fit 8 bits.
    pub fn pack(numbers: &[i16]) -> Option<Vec<Self>> {
        let line = |chunk: &[i16]| {
            let mut line = Self([0; LANES]);
            for (to, &number) in line.0.iter_mut().zip(chunk) {
                *to = i8::try_from(number).ok()?;
            }
            Some(line)
        };
        numbers.chunks(LANES).map(line).collect()
    }
}

/// Representation of 1.0 in the hidden layer if rows of weights have 16 bits.
pub const ONE: i16 = 255;

/// Representation of 1.0 in the hidden layer if rows of weights have 8 bits, which then range from −1 to 1.
pub const NARROW_ONE: i16 = 127;

/// Maximum contribution of a pool, in either direction.
pub const DENSE_MAX: i32 = 16_000;
