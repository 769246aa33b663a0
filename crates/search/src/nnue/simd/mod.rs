//! The loops of a network: adding rows to the hidden layer, the pool of points and its weights, and the output's sum.
//!
//! Each exists once for every width of registers, and in plain numbers. All agree to the last bit, including overflow;
//! tests check this.

#![allow(unsafe_code, reason = "wide registers are reached through intrinsics, which the processor may not have")]

#[cfg(any(target_arch = "x86_64", all(target_arch = "wasm32", target_feature = "simd128")))]
#[macro_use]
mod registers;
#[cfg(target_arch = "x86_64")]
mod avx2;
#[cfg(target_arch = "x86_64")]
mod avx512;
pub mod kernel;
mod scalar;
// A browser validates code before it runs: instructions that it lacks must not be present at all.
#[cfg(all(target_arch = "wasm32", target_feature = "simd128"))]
mod simd128;
pub mod vector;

pub use kernel::{Kernel, Width};
pub use vector::{DENSE_MAX, LANES, NARROW_ONE, NarrowVector, ONE, Vector};

/// Prefetches a place in memory without waiting for it.
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
