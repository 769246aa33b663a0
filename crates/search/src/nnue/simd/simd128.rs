//! 128-bit registers of WebAssembly: `simd128`.

use std::arch::wasm32::{
    i16x8_add, i16x8_load_extend_i8x8, i16x8_lt, i16x8_max, i16x8_min, i16x8_mul, i16x8_narrow_i32x4, i16x8_shuffle,
    i16x8_splat, i16x8_sub, i32x4_add, i32x4_dot_i16x8, i32x4_extract_lane, i32x4_max, i32x4_min, i32x4_shr,
    i32x4_splat, v128, v128_any_true, v128_load, v128_or, v128_store,
};

use super::scalar;
use super::vector::{DENSE_MAX, LANES, NarrowVector, Vector};
use crate::nnue::features::{Images, SYMMETRIES};

pub(super) use super::scalar::pool;

/// Registers of a [`Vector`].
const PER_LINE: usize = 4;

image_sums!("simd128", v128, 4, v128_load, v128_store, i16x8_add);
sums!(add, tile, "simd128", v128, 4, 2, Vector, |at| v128_load(at), v128_load, v128_store, i16x8_add, i16x8_sub);
sums!(
    add_narrow,
    narrow_tile,
    "simd128",
    v128,
    4,
    2,
    NarrowVector,
    |at| i16x8_load_extend_i8x8(at),
    v128_load,
    v128_store,
    i16x8_add,
    i16x8_sub
);

/// The registers of a line.
fn registers(line: &Vector) -> [v128; PER_LINE] {
    let line = std::ptr::from_ref(line).cast::<v128>();
    // SAFETY: a line is four registers long.
    unsafe { [v128_load(line), v128_load(line.add(1)), v128_load(line.add(2)), v128_load(line.add(3))] }
}

/// Like [`scalar::dense`], two numbers of the pool at a time: a dot product of pairs cannot overflow as long as all
/// numbers have 15 bits. A pool with a larger number, which no network has produced so far, is summed one by one.
pub(super) fn dense(sum: &mut [Vector], base: &[Vector], pool: &Vector, weights: &[Vector], shift: u32) {
    let [a, b, c, d] = registers(pool);
    let all = v128_or(v128_or(a, b), v128_or(c, d));
    if v128_any_true(i16x8_lt(all, i16x8_splat(0))) {
        scalar::dense(sum, base, pool, weights, shift);
        return;
    }
    let (half, least, most) = (i32x4_splat(1 << (shift - 1)), i32x4_splat(-DENSE_MAX), i32x4_splat(DENSE_MAX));
    let lines = sum.len();
    for (line, (sum, base)) in sum.iter_mut().zip(base).enumerate() {
        let mut sums = [[half; 2]; PER_LINE];
        for (pair, rows) in pool.0.as_chunks::<2>().0.iter().zip(weights.chunks_exact(2 * lines)) {
            // The two numbers side by side, over and over.
            let numbers = i32x4_splat(i32::from(pair[0]) | i32::from(pair[1]) << 16);
            let [first, second] = [registers(&rows[line]), registers(&rows[lines + line])];
            for ((sums, first), second) in sums.iter_mut().zip(first).zip(second) {
                let low = i16x8_shuffle::<0, 8, 1, 9, 2, 10, 3, 11>(first, second);
                let high = i16x8_shuffle::<4, 12, 5, 13, 6, 14, 7, 15>(first, second);
                sums[0] = i32x4_add(sums[0], i32x4_dot_i16x8(low, numbers));
                sums[1] = i32x4_add(sums[1], i32x4_dot_i16x8(high, numbers));
            }
        }
        let sum = std::ptr::from_mut(sum).cast::<v128>();
        for (at, (sums, base)) in sums.into_iter().zip(registers(base)).enumerate() {
            let [low, high] = sums.map(|sum| i32x4_min(i32x4_max(i32x4_shr(sum, shift), least), most));
            // SAFETY: a line is four registers long.
            unsafe { v128_store(sum.add(at), i16x8_add(base, i16x8_narrow_i32x4(low, high))) };
        }
    }
}

pub(super) fn output(hidden: &[Vector], weights: &[Vector], one: i16) -> i32 {
    let (zero, one) = (i16x8_splat(0), i16x8_splat(one));
    let mut sums = [i32x4_splat(0); PER_LINE];
    for (hidden, weights) in hidden.iter().zip(weights) {
        for ((sum, number), weight) in sums.iter_mut().zip(registers(hidden)).zip(registers(weights)) {
            let v = i16x8_min(i16x8_max(number, zero), one);
            *sum = i32x4_add(*sum, i32x4_dot_i16x8(v, i16x8_mul(v, weight)));
        }
    }
    let [a, b, c, d] = sums;
    let sum = i32x4_add(i32x4_add(a, b), i32x4_add(c, d));
    let [a, b, c, d] = [
        i32x4_extract_lane::<0>(sum),
        i32x4_extract_lane::<1>(sum),
        i32x4_extract_lane::<2>(sum),
        i32x4_extract_lane::<3>(sum),
    ];
    a.wrapping_add(b).wrapping_add(c).wrapping_add(d)
}

const _: () = assert!(LANES == 8 * PER_LINE);
