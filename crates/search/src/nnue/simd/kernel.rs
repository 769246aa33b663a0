//! The choice of registers, and the loops in them.

use super::scalar;
#[cfg(all(target_arch = "wasm32", target_feature = "simd128"))]
use super::simd128;
use super::vector::{LANES, NarrowVector, Vector};
#[cfg(target_arch = "x86_64")]
use super::{avx2, avx512};
use crate::nnue::features::{Images, PointRows, SYMMETRIES};

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Width {
    /// One number at a time, on any processor; the twin that the others are held to.
    Scalar,
    /// 128 bits: `simd128` of WebAssembly, which every browser has had since 2023.
    Simd128,
    /// 256 bits: AVX2, which x86 has had since 2013.
    Avx2,
    /// 512 bits: AVX-512 F and BW, on x86 servers since 2017 and on AMD since 2022.
    Avx512,
}

impl Width {
    /// All, the narrowest first.
    pub const ALL: [Self; 4] = [Self::Scalar, Self::Simd128, Self::Avx2, Self::Avx512];

    pub fn is_here(self) -> bool {
        match self {
            Self::Scalar => true,
            Self::Simd128 => cfg!(all(target_arch = "wasm32", target_feature = "simd128")),
            #[cfg(target_arch = "x86_64")]
            Self::Avx2 => is_x86_feature_detected!("avx2"),
            #[cfg(target_arch = "x86_64")]
            Self::Avx512 => is_x86_feature_detected!("avx512f") && is_x86_feature_detected!("avx512bw"),
            #[cfg(not(target_arch = "x86_64"))]
            _ => false,
        }
    }

    pub fn widest() -> Self {
        Self::ALL.into_iter().rfind(|width| width.is_here()).unwrap_or(Self::Scalar)
    }

    /// The name in tables and on the command line.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Scalar => "scalar",
            Self::Simd128 => "simd128",
            Self::Avx2 => "avx2",
            Self::Avx512 => "avx512",
        }
    }
}

/// Calls a loop in the registers of a kernel. The caller has checked the lengths.
macro_rules! dispatch {
    ($kernel:ident, $name:ident($($argument:expr),*)) => {
        match $kernel.width {
            Width::Scalar => scalar::$name($($argument),*),
            // SAFETY: the code was checked to run with these registers; the lengths are as the loop demands.
            #[cfg(all(target_arch = "wasm32", target_feature = "simd128"))]
            #[allow(unused_unsafe, reason = "some loops are safe in these registers")]
            Width::Simd128 => unsafe { simd128::$name($($argument),*) },
            // SAFETY: a kernel of this width is only made where the processor has the registers; the lengths are as the
            // loop demands.
            #[cfg(target_arch = "x86_64")]
            Width::Avx2 => unsafe { avx2::$name($($argument),*) },
            // SAFETY: as above.
            #[cfg(target_arch = "x86_64")]
            Width::Avx512 => unsafe { avx512::$name($($argument),*) },
            #[allow(unreachable_patterns, reason = "the widths of other processors are never made")]
            _ => scalar::$name($($argument),*),
        }
    };
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

    pub const fn width(self) -> Width {
        self.width
    }

    /// `sum` = `base` + rows gained − rows lost, all modulo 2¹⁶. `rows` holds rows of as many lines as `sum` has, and
    /// a list names rows by their numbers.
    ///
    /// # Panics
    /// If `base` and `sum` differ in length, or a list names a row that does not exist.
    #[inline]
    pub fn add(self, sum: &mut [Vector], base: &[Vector], rows: &[Vector], gained: &[u32], lost: &[u32]) {
        assert_eq!(base.len(), sum.len(), "a sum is as long as its base");
        dispatch!(self, add(sum, base, rows, gained, lost));
    }

    /// Half a hidden layer of a symmetric network: each part is `base` and the rows that `features` name for its image
    /// of the board, all as long as `base`.
    ///
    /// # Panics
    /// If `sum` is not as long as all parts, or a row does not exist.
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
        dispatch!(self, add_images(sum, base, rows, features));
    }

    /// Like [`Self::add`], for rows of 8-bit numbers.
    ///
    /// # Panics
    /// See [`Self::add`].
    #[inline]
    pub fn add_narrow(self, sum: &mut [Vector], base: &[Vector], rows: &[NarrowVector], gained: &[u32], lost: &[u32]) {
        assert_eq!(base.len(), sum.len(), "a sum is as long as its base");
        dispatch!(self, add_narrow(sum, base, rows, gained, lost));
    }

    /// Follows changes of points. A point contributes `bias` plus its rows, clamped to 0…`ONE`, or nothing if it has no
    /// rows. `kept` holds the contribution of every point and `pool` the sum over all of them, both modulo 2¹⁶.
    ///
    /// # Panics
    /// If a point or a row does not exist.
    #[inline]
    pub fn pool(
        self,
        pool: &mut Vector,
        kept: &mut [Vector],
        bias: &Vector,
        rows: &[Vector],
        changes: &[(u8, Option<PointRows>)],
    ) {
        dispatch!(self, pool(pool, kept, bias, rows, changes));
    }

    /// `sum` = `base` + the contribution of a pool: for each of its numbers, which are not negative, a row of `weights`
    /// as long as `sum`; their sum is divided by 2^`shift`, rounded, and clamped to ±`DENSE_MAX`.
    ///
    /// # Panics
    /// If `base`, `sum` and the rows differ in length.
    #[inline]
    pub fn dense(self, sum: &mut [Vector], base: &[Vector], pool: &Vector, weights: &[Vector], shift: u32) {
        assert!(base.len() == sum.len() && weights.len() == LANES * sum.len(), "rows are as long as the sum");
        dispatch!(self, dense(sum, base, pool, weights, shift));
    }

    /// The sum over all places of v · (v · weight), v being the number of `hidden` clamped to 0…`one`; the inner
    /// product modulo 2¹⁶ (exact for weights within ±128 and `ONE` or less), the sum modulo 2³².
    ///
    /// # Panics
    /// If the two differ in length.
    #[inline]
    pub fn output(self, hidden: &[Vector], weights: &[Vector], one: i16) -> i32 {
        assert_eq!(hidden.len(), weights.len(), "as many weights as numbers");
        dispatch!(self, output(hidden, weights, one))
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::nnue::simd::{NARROW_ONE, ONE};

    /// Lines of any numbers, overflow and all.
    fn lines(count: usize) -> impl Strategy<Value = Vec<Vector>> {
        prop::collection::vec(any::<i16>(), count * LANES).prop_map(|numbers| Vector::pack(&numbers))
    }

    /// Kernels other than the scalar one.
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

        /// Numbers of 15 bits, as pools of networks have them: kernels may add up their products in pairs.
        #[test]
        fn every_width_weighs_a_pool_alike(
            (base, weights, shift) in (1_usize..=5, 1_u32..20)
                .prop_flat_map(|(count, shift)| (lines(count), lines(count * LANES), Just(shift))),
            pool in prop::collection::vec(0..=i16::MAX, LANES),
        ) {
            let sum = |kernel: Kernel| {
                let mut sum = base.clone();
                kernel.dense(&mut sum, &base, &Vector::pack(&pool)[0], &weights, shift);
                sum
            };
            for kernel in wide() {
                prop_assert_eq!(sum(kernel), sum(SCALAR), "{}", kernel.width().name());
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
