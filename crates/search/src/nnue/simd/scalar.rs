//! The loops in plain numbers, one at a time unless the compiler does better.

#![allow(clippy::inline_always, reason = "`pool` and `dense` are compiled for the registers of their callers")]

use super::vector::{DENSE_MAX, LANES, NarrowVector, ONE, Vector};
use crate::nnue::features::{Images, PointRows};

#[inline(always)]
pub(super) fn pool(
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
pub(super) fn dense(sum: &mut [Vector], base: &[Vector], pool: &Vector, weights: &[Vector], shift: u32) {
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

pub(super) fn add_images(sum: &mut [Vector], base: &[Vector], rows: &[Vector], features: &[Images]) {
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

pub(super) fn add(sum: &mut [Vector], base: &[Vector], rows: &[Vector], gained: &[u32], lost: &[u32]) {
    sums(sum, base, rows, |row| &row.0, gained, lost);
}

pub(super) fn add_narrow(sum: &mut [Vector], base: &[Vector], rows: &[NarrowVector], gained: &[u32], lost: &[u32]) {
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

pub(super) fn output(hidden: &[Vector], weights: &[Vector], one: i16) -> i32 {
    let numbers = hidden.iter().flat_map(|line| line.0);
    let weights = weights.iter().flat_map(|line| line.0);
    numbers.zip(weights).fold(0, |sum: i32, (number, weight)| {
        let v = number.clamp(0, one);
        sum.wrapping_add(i32::from(v) * i32::from(v.wrapping_mul(weight)))
    })
}
