//! 512-bit registers: AVX-512 F and BW.

use std::arch::x86_64::{
    __m512i, _mm256_load_si256, _mm512_add_epi16, _mm512_add_epi32, _mm512_cvtepi8_epi16, _mm512_load_si512,
    _mm512_madd_epi16, _mm512_max_epi16, _mm512_min_epi16, _mm512_mullo_epi16, _mm512_reduce_add_epi32,
    _mm512_set1_epi16, _mm512_setzero_si512, _mm512_store_si512, _mm512_sub_epi16,
};

use super::scalar;
use super::vector::{NarrowVector, Vector};
use crate::nnue::features::{Images, PointRows, SYMMETRIES};

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
pub(super) unsafe fn output(hidden: &[Vector], weights: &[Vector], one: i16) -> i32 {
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
