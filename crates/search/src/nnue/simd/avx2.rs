//! 256-bit registers: AVX2.

use std::arch::x86_64::{
    __m128i, __m256i, _mm_add_epi32, _mm_cvtsi128_si32, _mm_load_si128, _mm_shuffle_epi32, _mm256_add_epi16,
    _mm256_add_epi32, _mm256_castsi256_si128, _mm256_cvtepi8_epi16, _mm256_extracti128_si256, _mm256_load_si256,
    _mm256_madd_epi16, _mm256_max_epi16, _mm256_min_epi16, _mm256_mullo_epi16, _mm256_set1_epi16, _mm256_setzero_si256,
    _mm256_store_si256, _mm256_sub_epi16,
};

use super::scalar;
use super::vector::{NarrowVector, Vector};
use crate::nnue::features::{Images, PointRows, SYMMETRIES};

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
pub(super) unsafe fn output(hidden: &[Vector], weights: &[Vector], one: i16) -> i32 {
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
