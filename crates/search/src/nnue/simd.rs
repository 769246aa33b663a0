//! The loops of a network: adding rows to the hidden layer, the pool of points and its weights, and the output's sum.
//!
//! Each exists three times: with 512-bit registers, with 256-bit ones, and in plain numbers. The three agree to the
//! last bit, overflow included; tests hold them to it.

#![allow(unsafe_code, reason = "wide registers are reached through intrinsics, which the processor may not have")]

use super::features::{Images, PointRows, SYMMETRIES};

pub const LANES: usize = 32;

/// A cache line of 16-bit numbers: the unit in which layers are kept, so that no load crosses a line of the cache.
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

/// Asks for a place in memory that is read soon, and does not wait for it.
#[inline]
pub fn prefetch<T>(place: &T) {
    #[cfg(target_arch = "x86_64")]
    // SAFETY: every x86-64 processor has the instruction, which reads nothing and cannot fail.
    unsafe {
        use std::arch::x86_64::{_MM_HINT_T0, _mm_prefetch};
        _mm_prefetch::<_MM_HINT_T0>(std::ptr::from_ref(place).cast());
    }
    #[cfg(not(target_arch = "x86_64"))]
    let _ = place;
}

/// What stands for 1.0 in the hidden layer, where rows of weights have 16 bits.
pub const ONE: i16 = 255;

/// What stands for 1.0 in the hidden layer, where rows of weights have 8 bits: so that they go from −1 to 1.
pub const NARROW_ONE: i16 = 127;

/// What a pool counts for at most, either way.
pub const DENSE_MAX: i32 = 16_000;

/// Which registers to compute with.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Width {
    /// One number at a time, on any processor; the twin that the others are held to.
    Scalar,
    /// 256 bits: AVX2, which x86 has had since 2013.
    Avx2,
    /// 512 bits: AVX-512 F and BW, on x86 servers since 2017 and on AMD since 2022.
    Avx512,
}

impl Width {
    /// All, the narrowest first.
    pub const ALL: [Self; 3] = [Self::Scalar, Self::Avx2, Self::Avx512];

    /// Whether this processor has such registers.
    pub fn is_here(self) -> bool {
        match self {
            Self::Scalar => true,
            #[cfg(target_arch = "x86_64")]
            Self::Avx2 => is_x86_feature_detected!("avx2"),
            #[cfg(target_arch = "x86_64")]
            Self::Avx512 => is_x86_feature_detected!("avx512f") && is_x86_feature_detected!("avx512bw"),
            #[cfg(not(target_arch = "x86_64"))]
            _ => false,
        }
    }

    /// The widest that this processor has.
    pub fn widest() -> Self {
        Self::ALL.into_iter().rfind(|width| width.is_here()).unwrap_or(Self::Scalar)
    }

    /// The name in tables and on the command line.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Scalar => "scalar",
            Self::Avx2 => "avx2",
            Self::Avx512 => "avx512",
        }
    }
}

/// The loops, with registers that are known to be here.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Kernel {
    width: Width,
}

impl Kernel {
    /// The loops in registers of this width; `None` if this processor has none such.
    pub fn new(width: Width) -> Option<Self> {
        width.is_here().then_some(Self { width })
    }

    /// The loops in the widest registers of this processor.
    pub fn widest() -> Self {
        Self { width: Width::widest() }
    }

    /// The width of the registers.
    pub const fn width(self) -> Width {
        self.width
    }

    /// `sum` = `base` + rows gained − rows lost, all modulo 2¹⁶. `rows` holds rows of as many lines as `sum` has, and
    /// a list names rows by their numbers.
    ///
    /// # Panics
    /// When `base` and `sum` differ in length, or a list names a row that is not there.
    #[inline]
    pub fn add(self, sum: &mut [Vector], base: &[Vector], rows: &[Vector], gained: &[u32], lost: &[u32]) {
        let lines = sum.len();
        assert_eq!(base.len(), lines, "a sum is as long as its base");
        match self.width {
            Width::Scalar => scalar::add(sum, base, rows, gained, lost),
            // SAFETY: a kernel of this width is only made where the processor has the registers; `base` is as long as
            // `sum`, as was just checked.
            #[cfg(target_arch = "x86_64")]
            Width::Avx2 => unsafe { avx2::add(sum, base, rows, gained, lost) },
            // SAFETY: as above.
            #[cfg(target_arch = "x86_64")]
            Width::Avx512 => unsafe { avx512::add(sum, base, rows, gained, lost) },
            #[cfg(not(target_arch = "x86_64"))]
            _ => scalar::add(sum, base, rows, gained, lost),
        }
    }

    /// Half a hidden layer of a symmetric network: each part `base` and the rows that `features` name for its image of the board, all
    /// as long as `base`.
    ///
    /// # Panics
    /// When `sum` is not as long as all parts, or a row is not there.
    #[inline]
    pub fn add_images(self, sum: &mut [Vector], base: &[Vector], rows: &[Vector], features: &[Images]) {
        let lines = base.len();
        assert_eq!(sum.len(), lines * SYMMETRIES, "a part for each image");
        let mut last = Images::default();
        for images in features {
            last.iter_mut().zip(images).for_each(|(last, &feature)| *last = feature.max(*last));
        }
        let last = last.into_iter().fold(0, u32::max) as usize;
        assert!((last + 1) * lines <= rows.len(), "a row for each feature");
        match self.width {
            Width::Scalar => scalar::add_images(sum, base, rows, features),
            // SAFETY: a kernel of this width is only made where the processor has the registers; the lengths were just checked.
            #[cfg(target_arch = "x86_64")]
            Width::Avx2 => unsafe { avx2::add_images(sum, base, rows, features) },
            // SAFETY: as above.
            #[cfg(target_arch = "x86_64")]
            Width::Avx512 => unsafe { avx512::add_images(sum, base, rows, features) },
            #[cfg(not(target_arch = "x86_64"))]
            _ => scalar::add_images(sum, base, rows, features),
        }
    }

    /// As [`Self::add`], with rows of 8-bit numbers.
    ///
    /// # Panics
    /// As [`Self::add`].
    #[inline]
    pub fn add_narrow(self, sum: &mut [Vector], base: &[Vector], rows: &[NarrowVector], gained: &[u32], lost: &[u32]) {
        assert_eq!(base.len(), sum.len(), "a sum is as long as its base");
        match self.width {
            Width::Scalar => scalar::add_narrow(sum, base, rows, gained, lost),
            // SAFETY: a kernel of this width is only made where the processor has the registers; `base` is as long as
            // `sum`, as was just checked.
            #[cfg(target_arch = "x86_64")]
            Width::Avx2 => unsafe { avx2::add_narrow(sum, base, rows, gained, lost) },
            // SAFETY: as above.
            #[cfg(target_arch = "x86_64")]
            Width::Avx512 => unsafe { avx512::add_narrow(sum, base, rows, gained, lost) },
            #[cfg(not(target_arch = "x86_64"))]
            _ => scalar::add_narrow(sum, base, rows, gained, lost),
        }
    }

    /// Follows changes of points: what a point counts for is `bias` and its rows, clamped to 0…[`ONE`], and nothing if
    /// it has none. `kept` holds it for every point and `pool` the sum over all of them; both modulo 2¹⁶.
    ///
    /// # Panics
    /// When a point or a row is not there.
    #[inline]
    pub fn pool(
        self,
        pool: &mut Vector,
        kept: &mut [Vector],
        bias: &Vector,
        rows: &[Vector],
        changes: &[(u8, Option<PointRows>)],
    ) {
        match self.width {
            Width::Scalar => plain::pool(pool, kept, bias, rows, changes),
            // SAFETY: a kernel of this width is only made where the processor has the registers.
            #[cfg(target_arch = "x86_64")]
            Width::Avx2 => unsafe { avx2::pool(pool, kept, bias, rows, changes) },
            // SAFETY: as above.
            #[cfg(target_arch = "x86_64")]
            Width::Avx512 => unsafe { avx512::pool(pool, kept, bias, rows, changes) },
            #[cfg(not(target_arch = "x86_64"))]
            _ => plain::pool(pool, kept, bias, rows, changes),
        }
    }

    /// `sum` = `base` + what a pool counts for: for each of its numbers, not negative, a row of `weights` as long as
    /// `sum`; their sum divided by 2^`shift`, rounded, and clamped to ±[`DENSE_MAX`].
    ///
    /// # Panics
    /// When `base`, `sum` and the rows differ in length.
    #[inline]
    pub fn dense(self, sum: &mut [Vector], base: &[Vector], pool: &Vector, weights: &[Vector], shift: u32) {
        assert!(base.len() == sum.len() && weights.len() == LANES * sum.len(), "rows are as long as the sum");
        match self.width {
            Width::Scalar => plain::dense(sum, base, pool, weights, shift),
            // SAFETY: a kernel of this width is only made where the processor has the registers.
            #[cfg(target_arch = "x86_64")]
            Width::Avx2 => unsafe { avx2::dense(sum, base, pool, weights, shift) },
            // SAFETY: as above.
            #[cfg(target_arch = "x86_64")]
            Width::Avx512 => unsafe { avx512::dense(sum, base, pool, weights, shift) },
            #[cfg(not(target_arch = "x86_64"))]
            _ => plain::dense(sum, base, pool, weights, shift),
        }
    }

    /// The sum over all places of v · (v · weight), v being the number of `hidden` clamped to 0…`one`; the inner
    /// product modulo 2¹⁶ (exact for weights within ±128 and [`ONE`] or less), the sum modulo 2³².
    ///
    /// # Panics
    /// When the two differ in length.
    #[inline]
    pub fn output(self, hidden: &[Vector], weights: &[Vector], one: i16) -> i32 {
        assert_eq!(hidden.len(), weights.len(), "as many weights as numbers");
        match self.width {
            Width::Scalar => scalar::output(hidden, weights, one),
            // SAFETY: a kernel of this width is only made where the processor has the registers; both slices are of
            // one length.
            #[cfg(target_arch = "x86_64")]
            Width::Avx2 => unsafe { avx2::output(hidden, weights, one) },
            // SAFETY: as above.
            #[cfg(target_arch = "x86_64")]
            Width::Avx512 => unsafe { avx512::output(hidden, weights, one) },
            #[cfg(not(target_arch = "x86_64"))]
            _ => scalar::output(hidden, weights, one),
        }
    }
}

/// Loops in plain numbers that the compiler makes of registers by itself, wherever it may.
mod plain {
    #![allow(clippy::inline_always, reason = "they are compiled for the registers of who calls them")]

    use super::{DENSE_MAX, LANES, ONE, Vector};
    use crate::nnue::features::PointRows;

    #[inline(always)]
    pub fn pool(
        pool: &mut Vector,
        kept: &mut [Vector],
        bias: &Vector,
        rows: &[Vector],
        changes: &[(u8, Option<PointRows>)],
    ) {
        let mut sum = *pool;
        for &(point, features) in changes {
            let mut new = Vector::ZERO;
            if let Some(features) = features {
                new = *bias;
                for row in features.map(|row| &rows[usize::from(row)]) {
                    new.0.iter_mut().zip(row.0).for_each(|(number, weight)| *number = number.wrapping_add(weight));
                }
                new.0 = new.0.map(|number| number.clamp(0, ONE));
            }
            let old = std::mem::replace(&mut kept[usize::from(point)], new);
            for ((sum, new), old) in sum.0.iter_mut().zip(new.0).zip(old.0) {
                *sum = sum.wrapping_add(new).wrapping_sub(old);
            }
        }
        *pool = sum;
    }

    #[inline(always)]
    pub fn dense(sum: &mut [Vector], base: &[Vector], pool: &Vector, weights: &[Vector], shift: u32) {
        let lines = sum.len();
        for (line, (sum, base)) in sum.iter_mut().zip(base).enumerate() {
            let mut sums = [1 << (shift - 1); LANES];
            for (number, row) in pool.0.iter().zip(weights.chunks_exact(lines)) {
                let number = i32::from(*number as u16);
                for (sum, weight) in sums.iter_mut().zip(row[line].0) {
                    *sum = number.wrapping_mul(i32::from(weight)).wrapping_add(*sum);
                }
            }
            for ((sum, base), add) in sum.0.iter_mut().zip(base.0).zip(sums) {
                *sum = base.wrapping_add((add >> shift).clamp(-DENSE_MAX, DENSE_MAX) as i16);
            }
        }
    }
}

mod scalar {
    use super::{Images, NarrowVector, Vector};

    pub fn add_images(sum: &mut [Vector], base: &[Vector], rows: &[Vector], features: &[Images]) {
        let lines = base.len();
        for (image, part) in sum.chunks_exact_mut(lines).enumerate() {
            part.copy_from_slice(base);
            for images in features {
                for (line, with) in part.iter_mut().zip(&rows[images[image] as usize * lines..][..lines]) {
                    line.0.iter_mut().zip(with.0).for_each(|(sum, with)| *sum = sum.wrapping_add(with));
                }
            }
        }
    }

    pub fn add(sum: &mut [Vector], base: &[Vector], rows: &[Vector], gained: &[u32], lost: &[u32]) {
        sums(sum, base, rows, |row| &row.0, gained, lost);
    }

    pub fn add_narrow(sum: &mut [Vector], base: &[Vector], rows: &[NarrowVector], gained: &[u32], lost: &[u32]) {
        sums(sum, base, rows, |row| &row.0, gained, lost);
    }

    fn sums<R, N: Copy + Into<i16>>(
        sum: &mut [Vector],
        base: &[Vector],
        rows: &[R],
        numbers: impl Fn(&R) -> &[N],
        gained: &[u32],
        lost: &[u32],
    ) {
        let lines = sum.len();
        sum.copy_from_slice(base);
        let row = |&number: &u32| &rows[number as usize * lines..][..lines];
        for (line, with) in gained.iter().flat_map(|number| row(number).iter().enumerate()) {
            sum[line].0.iter_mut().zip(numbers(with)).for_each(|(sum, &with)| *sum = sum.wrapping_add(with.into()));
        }
        for (line, with) in lost.iter().flat_map(|number| row(number).iter().enumerate()) {
            sum[line].0.iter_mut().zip(numbers(with)).for_each(|(sum, &with)| *sum = sum.wrapping_sub(with.into()));
        }
    }

    pub fn output(hidden: &[Vector], weights: &[Vector], one: i16) -> i32 {
        let numbers = hidden.iter().flat_map(|line| line.0);
        let weights = weights.iter().flat_map(|line| line.0);
        numbers.zip(weights).fold(0, |sum: i32, (number, weight)| {
            let v = number.clamp(0, one);
            sum.wrapping_add(i32::from(v) * i32::from(v.wrapping_mul(weight)))
        })
    }
}

/// The sums of rows, at most `$most` lines at a time, in registers of which `$per_line` make a [`Vector`]: once for each set of intrinsics and kind of rows, of
/// which `$load_row` loads as many numbers as a register holds.
#[cfg(target_arch = "x86_64")]
macro_rules! sums {
    (
        $sums:ident, $tile:ident, $features:literal, $register:ty, $per_line:literal, $most:literal, $row:ty, $load_row:expr,
        $load:ident, $store:ident, $add:ident, $sub:ident
    ) => {
        /// # Safety
        /// The processor must have the features, and `base` must be as long as `sum`.
        #[target_feature(enable = $features)]
        pub unsafe fn $sums(sum: &mut [Vector], base: &[Vector], rows: &[$row], gained: &[u32], lost: &[u32]) {
            let mut first = 0;
            // As many lines at once as leave room for the rows; each pass walks over all lists.
            // SAFETY: each tile lies within `sum`, and the rest is passed on.
            unsafe {
                while first + $most <= sum.len() {
                    $tile::<{ $most * $per_line }>(sum, base, rows, gained, lost, first);
                    first += $most;
                }
                if $most > 4 && first + 4 <= sum.len() {
                    $tile::<{ 4 * $per_line }>(sum, base, rows, gained, lost, first);
                    first += 4;
                }
                if first + 2 <= sum.len() {
                    $tile::<{ 2 * $per_line }>(sum, base, rows, gained, lost, first);
                    first += 2;
                }
                if first < sum.len() {
                    $tile::<$per_line>(sum, base, rows, gained, lost, first);
                }
            }
        }

        /// Sums `REGISTERS` of them from the line `first` on.
        ///
        /// # Safety
        /// The processor must have the features, and `base` must be as long as `sum`; so many registers from `first` on lie
        /// within `sum`.
        #[target_feature(enable = $features)]
        unsafe fn $tile<const REGISTERS: usize>(
            sum: &mut [Vector],
            base: &[Vector],
            rows: &[$row],
            gained: &[u32],
            lost: &[u32],
            first: usize,
        ) {
            let lines = sum.len();
            // Slices check that the row is there.
            let at = |row: u32| rows[row as usize * lines..][..lines].as_ptr();
            // SAFETY: the tile lies within `sum`, `base` and each row, all of `lines` lines; lines are aligned to their
            // size, which is a multiple of what is loaded at once.
            unsafe {
                let at = |row: u32| at(row).add(first).cast::<[u8; size_of::<$row>() / $per_line]>();
                let base = base.as_ptr().add(first).cast::<$register>();
                let mut tile: [$register; REGISTERS] = std::array::from_fn(|i| $load(base.add(i).cast()));
                for &row in gained {
                    let row = at(row);
                    for (i, register) in tile.iter_mut().enumerate() {
                        *register = $add(*register, $load_row(row.add(i).cast()));
                    }
                }
                for &row in lost {
                    let row = at(row);
                    for (i, register) in tile.iter_mut().enumerate() {
                        *register = $sub(*register, $load_row(row.add(i).cast()));
                    }
                }
                let sum = sum.as_mut_ptr().add(first).cast::<$register>();
                for (i, register) in tile.into_iter().enumerate() {
                    $store(sum.add(i).cast(), register);
                }
            }
        }
    };
}

/// The sums of rows for each image of a board, in registers of which `$per_line` make a [`Vector`]: all images at once, because each
/// waits for rows of its own.
#[cfg(target_arch = "x86_64")]
macro_rules! image_sums {
    ($features:literal, $register:ty, $per_line:literal, $load:ident, $store:ident, $add:ident) => {
        /// # Safety
        /// The processor must have the features, `sum` must have a part as long as `base` for each image, and `rows` each row that
        /// `features` name.
        #[target_feature(enable = $features)]
        pub unsafe fn add_images(sum: &mut [Vector], base: &[Vector], rows: &[Vector], features: &[Images]) {
            let registers = base.len() * $per_line;
            let (sum, base, rows) = (
                sum.as_mut_ptr().cast::<$register>(),
                base.as_ptr().cast::<$register>(),
                rows.as_ptr().cast::<$register>(),
            );
            for at in 0..registers {
                // SAFETY: `at` lies within each part and each row; lines are aligned to their size, which is a multiple of what is
                // loaded at once.
                unsafe {
                    let mut sums = [$load(base.add(at).cast()); SYMMETRIES];
                    for images in features {
                        for (sum, &row) in sums.iter_mut().zip(images) {
                            *sum = $add(*sum, $load(rows.add(row as usize * registers + at).cast()));
                        }
                    }
                    for (image, total) in sums.into_iter().enumerate() {
                        $store(sum.add(image * registers + at).cast(), total);
                    }
                }
            }
        }
    };
}

/// What the compiler makes of [`plain`], for each set of registers.
#[cfg(target_arch = "x86_64")]
macro_rules! loops {
    ($features:literal) => {
        /// As [`plain`], in these registers.
        #[target_feature(enable = $features)]
        pub fn pool(
            pool: &mut Vector,
            kept: &mut [Vector],
            bias: &Vector,
            rows: &[Vector],
            changes: &[(u8, Option<PointRows>)],
        ) {
            plain::pool(pool, kept, bias, rows, changes);
        }

        /// As [`plain`], in these registers.
        #[target_feature(enable = $features)]
        pub fn dense(sum: &mut [Vector], base: &[Vector], pool: &Vector, weights: &[Vector], shift: u32) {
            plain::dense(sum, base, pool, weights, shift);
        }
    };
}

#[cfg(target_arch = "x86_64")]
mod avx2 {
    use std::arch::x86_64::{
        __m128i, __m256i, _mm_add_epi32, _mm_cvtsi128_si32, _mm_load_si128, _mm_shuffle_epi32, _mm256_add_epi16,
        _mm256_add_epi32, _mm256_castsi256_si128, _mm256_cvtepi8_epi16, _mm256_extracti128_si256, _mm256_load_si256,
        _mm256_madd_epi16, _mm256_max_epi16, _mm256_min_epi16, _mm256_mullo_epi16, _mm256_set1_epi16,
        _mm256_setzero_si256, _mm256_store_si256, _mm256_sub_epi16,
    };

    use super::{Images, NarrowVector, SYMMETRIES, Vector, plain};
    use crate::nnue::features::PointRows;

    loops!("avx2");
    image_sums!("avx2", __m256i, 2, _mm256_load_si256, _mm256_store_si256, _mm256_add_epi16);
    sums!(
        add,
        tile,
        "avx2",
        __m256i,
        2,
        4,
        Vector,
        |at| _mm256_load_si256(at),
        _mm256_load_si256,
        _mm256_store_si256,
        _mm256_add_epi16,
        _mm256_sub_epi16
    );
    sums!(
        add_narrow,
        narrow_tile,
        "avx2",
        __m256i,
        2,
        4,
        NarrowVector,
        |at| _mm256_cvtepi8_epi16(_mm_load_si128(at)),
        _mm256_load_si256,
        _mm256_store_si256,
        _mm256_add_epi16,
        _mm256_sub_epi16
    );

    /// # Safety
    /// The processor must have AVX2; `weights` must be as long as `hidden`.
    #[target_feature(enable = "avx2")]
    pub unsafe fn output(hidden: &[Vector], weights: &[Vector], one: i16) -> i32 {
        let (zero, one) = (_mm256_setzero_si256(), _mm256_set1_epi16(one));
        let mut sums = [zero; 2];
        for (hidden, weights) in hidden.iter().zip(weights) {
            let [hidden, weights] = [hidden, weights].map(|line| std::ptr::from_ref(line).cast::<__m256i>());
            for (i, sum) in sums.iter_mut().enumerate() {
                // SAFETY: a line is two registers long and aligned to its size.
                let (number, weight) = unsafe { (_mm256_load_si256(hidden.add(i)), _mm256_load_si256(weights.add(i))) };
                let v = _mm256_min_epi16(_mm256_max_epi16(number, zero), one);
                *sum = _mm256_add_epi32(*sum, _mm256_madd_epi16(v, _mm256_mullo_epi16(v, weight)));
            }
        }
        let sum = _mm256_add_epi32(sums[0], sums[1]);
        let sum: __m128i = _mm_add_epi32(_mm256_castsi256_si128(sum), _mm256_extracti128_si256::<1>(sum));
        let sum = _mm_add_epi32(sum, _mm_shuffle_epi32::<0b00_00_11_10>(sum));
        _mm_cvtsi128_si32(_mm_add_epi32(sum, _mm_shuffle_epi32::<1>(sum)))
    }
}

#[cfg(target_arch = "x86_64")]
mod avx512 {
    use std::arch::x86_64::{
        __m512i, _mm256_load_si256, _mm512_add_epi16, _mm512_add_epi32, _mm512_cvtepi8_epi16, _mm512_load_si512,
        _mm512_madd_epi16, _mm512_max_epi16, _mm512_min_epi16, _mm512_mullo_epi16, _mm512_reduce_add_epi32,
        _mm512_set1_epi16, _mm512_setzero_si512, _mm512_store_si512, _mm512_sub_epi16,
    };

    use super::{Images, NarrowVector, SYMMETRIES, Vector, plain};
    use crate::nnue::features::PointRows;

    loops!("avx512f,avx512bw");
    image_sums!("avx512f,avx512bw", __m512i, 1, _mm512_load_si512, _mm512_store_si512, _mm512_add_epi16);
    sums!(
        add,
        tile,
        "avx512f,avx512bw",
        __m512i,
        1,
        8,
        Vector,
        |at| _mm512_load_si512(at),
        _mm512_load_si512,
        _mm512_store_si512,
        _mm512_add_epi16,
        _mm512_sub_epi16
    );
    sums!(
        add_narrow,
        narrow_tile,
        "avx512f,avx512bw",
        __m512i,
        1,
        8,
        NarrowVector,
        |at| _mm512_cvtepi8_epi16(_mm256_load_si256(at)),
        _mm512_load_si512,
        _mm512_store_si512,
        _mm512_add_epi16,
        _mm512_sub_epi16
    );

    /// # Safety
    /// The processor must have AVX-512 F and BW; `weights` must be as long as `hidden`.
    #[target_feature(enable = "avx512f,avx512bw")]
    pub unsafe fn output(hidden: &[Vector], weights: &[Vector], one: i16) -> i32 {
        let (zero, one) = (_mm512_setzero_si512(), _mm512_set1_epi16(one));
        let mut sum = zero;
        for (hidden, weights) in hidden.iter().zip(weights) {
            // SAFETY: a line is as long as a register and aligned to its size.
            let (number, weight) =
                unsafe { (_mm512_load_si512(hidden.0.as_ptr().cast()), _mm512_load_si512(weights.0.as_ptr().cast())) };
            let v = _mm512_min_epi16(_mm512_max_epi16(number, zero), one);
            sum = _mm512_add_epi32(sum, _mm512_madd_epi16(v, _mm512_mullo_epi16(v, weight)));
        }
        _mm512_reduce_add_epi32(sum)
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    /// Lines of any numbers, overflow and all.
    fn lines(count: usize) -> impl Strategy<Value = Vec<Vector>> {
        prop::collection::vec(any::<i16>(), count * LANES).prop_map(|numbers| Vector::pack(&numbers))
    }

    /// Kernels beside the scalar one.
    fn wide() -> impl Iterator<Item = Kernel> {
        Width::ALL.into_iter().skip(1).filter_map(Kernel::new)
    }

    const SCALAR: Kernel = Kernel { width: Width::Scalar };
    const ROWS: u16 = 12;

    proptest! {
        #[test]
        fn every_width_sums_alike(
            (base, rows) in (1_usize..=11).prop_flat_map(|count| (lines(count), lines(count * usize::from(ROWS)))),
            gained in prop::collection::vec(0..u32::from(ROWS), 0..20),
            lost in prop::collection::vec(0..u32::from(ROWS), 0..20),
        ) {
            let sum = |kernel: Kernel| {
                let mut sum = vec![Vector::ZERO; base.len()];
                kernel.add(&mut sum, &base, &rows, &gained, &lost);
                sum
            };
            for kernel in wide() {
                prop_assert_eq!(sum(kernel), sum(SCALAR), "{}", kernel.width().name());
            }
        }

        #[test]
        fn every_width_sums_narrow_rows_as_wide_ones(
            (base, numbers) in (1_usize..=11).prop_flat_map(|count| {
                (lines(count), prop::collection::vec(-127_i16..=127, count * LANES * usize::from(ROWS)))
            }),
            gained in prop::collection::vec(0..u32::from(ROWS), 0..20),
            lost in prop::collection::vec(0..u32::from(ROWS), 0..20),
        ) {
            let (mut expected, mut sum) = (base.clone(), base.clone());
            SCALAR.add(&mut expected, &base, &Vector::pack(&numbers), &gained, &lost);
            let rows = NarrowVector::pack(&numbers).expect("8 bits");
            for kernel in wide().chain([SCALAR]) {
                kernel.add_narrow(&mut sum, &base, &rows, &gained, &lost);
                prop_assert_eq!(&sum, &expected, "{}", kernel.width().name());
            }
        }

        #[test]
        fn every_width_sums_images_alike(
            (base, rows) in (1_usize..=3).prop_flat_map(|count| (lines(count), lines(count * usize::from(ROWS)))),
            features in prop::collection::vec(prop::array::uniform8(0..u32::from(ROWS)), 0..12),
        ) {
            let sum = |kernel: Kernel| {
                let mut sum = vec![Vector::ZERO; SYMMETRIES * base.len()];
                kernel.add_images(&mut sum, &base, &rows, &features);
                sum
            };
            for kernel in wide() {
                prop_assert_eq!(sum(kernel), sum(SCALAR), "{}", kernel.width().name());
            }
            for (image, part) in sum(SCALAR).chunks_exact(base.len()).enumerate() {
                let of_image: Vec<u32> = features.iter().map(|images| images[image]).collect();
                let mut expected = base.clone();
                SCALAR.add(&mut expected, &base, &rows, &of_image, &[]);
                prop_assert_eq!(part, &expected);
            }
        }

        #[test]
        fn every_width_pools_alike(
            (pool, kept, bias, rows) in (lines(1), lines(4), lines(1), lines(usize::from(ROWS))),
            changes in prop::collection::vec((0_u8..4, prop::option::of(prop::array::uniform5(0..ROWS))), 0..9),
            (base, weights, shift) in (1_usize..=5, 1_u32..20)
                .prop_flat_map(|(count, shift)| (lines(count), lines(count * LANES), Just(shift))),
        ) {
            let sums = |kernel: Kernel| {
                let (mut pool, mut kept, mut sum) = (pool[0], kept.clone(), base.clone());
                kernel.pool(&mut pool, &mut kept, &bias[0], &rows, &changes);
                kernel.dense(&mut sum, &base, &pool, &weights, shift);
                (pool, kept, sum)
            };
            for kernel in wide() {
                prop_assert_eq!(sums(kernel), sums(SCALAR), "{}", kernel.width().name());
            }
        }

        #[test]
        fn every_width_has_the_same_output(
            (hidden, weights) in (0_usize..=11).prop_flat_map(|count| (lines(count), lines(count))),
            one in prop::sample::select(vec![ONE, NARROW_ONE]),
        ) {
            for kernel in wide() {
                let [found, expected] = [kernel, SCALAR].map(|kernel| kernel.output(&hidden, &weights, one));
                prop_assert_eq!(found, expected, "{}", kernel.width().name());
            }
        }
    }

    #[test]
    fn the_output_is_what_it_says() {
        let hidden = Vector::pack(&[-5, 0, 1, 100, 255, 256, 30_000]);
        let weights = Vector::pack(&[9, 9, 2, -3, 127, -127, 1]);
        let expected = 2 - 3 * 100 * 100 + 255 * 255;
        assert_eq!(SCALAR.output(&hidden, &weights, ONE), expected);
        let expected = 2 - 3 * 100 * 100 + 127 * 127;
        assert_eq!(SCALAR.output(&hidden, &weights, NARROW_ONE), expected);
    }

    #[test]
    fn a_pool_sums_what_points_count_for() {
        let [bias, first, second] =
            [[10, -300, 100], [5, 20, 100], [-7, 30, 0]].map(|numbers| Vector::pack(&numbers)[0]);
        let (mut pool, mut kept) = (Vector::ZERO, [Vector::ZERO; 2]);
        let rows = [Vector::ZERO, first, second];
        SCALAR.pool(&mut pool, &mut kept, &bias, &rows, &[(0, Some([1, 1, 1, 0, 0])), (1, Some([2, 0, 0, 0, 0]))]);
        assert_eq!(pool.0[..4], [25 + 3, 0, 255 + 100, 0]);
        SCALAR.pool(&mut pool, &mut kept, &bias, &rows, &[(0, None)]);
        assert_eq!(pool.0[..4], [3, 0, 100, 0]);
        let weights: Vec<Vector> = (0..LANES as i16).map(|number| Vector::pack(&[8 * number + 8, -16])[0]).collect();
        let mut sum = [Vector::ZERO];
        SCALAR.dense(&mut sum, &[bias], &pool, &weights, 4);
        // 3 · 8 + 100 · 24 are 151.5 times 16, and 103 · 16.
        assert_eq!(sum[0].0[..3], [10 + 152, -300 - 103, 100]);
    }

    #[test]
    fn rows_that_are_not_there_are_refused() {
        let rows = [Vector::ZERO; 3];
        for kernel in wide().chain([SCALAR]) {
            let add =
                |row| std::panic::catch_unwind(|| kernel.add(&mut [Vector::ZERO], &[Vector::ZERO], &rows, &[row], &[]));
            assert!(add(2).is_ok() && add(3).is_err(), "{}", kernel.width().name());
            let rows = [NarrowVector([0; LANES]); 3];
            let add = |row| {
                std::panic::catch_unwind(|| {
                    kernel.add_narrow(&mut [Vector::ZERO], &[Vector::ZERO], &rows, &[], &[row]);
                })
            };
            assert!(add(2).is_ok() && add(3).is_err(), "{}", kernel.width().name());
        }
        assert!(NarrowVector::pack(&[127, -128]).is_some() && NarrowVector::pack(&[128]).is_none());
    }
}
