//! Large tables in large pages.
//!
//! A search reads its tables all over the place, and a processor knows the addresses of a few thousand pages of 4 KiB
//! at most. Linux gives pages of 2 MiB to programs that ask for them, if it is set to
//! (`/sys/kernel/mm/transparent_hugepage/enabled`: `madvise`, as most distributions have it, or `always`).

#![allow(unsafe_code, reason = "the system is asked about a range of addresses")]

use std::mem::MaybeUninit;

/// Collects a table, in large pages if the system has them.
pub(crate) fn collect<T>(items: impl ExactSizeIterator<Item = T>) -> Box<[T]> {
    let mut table = Vec::with_capacity(items.len());
    advise(table.spare_capacity_mut());
    table.extend(items);
    table.into_boxed_slice()
}

/// Requests large pages for memory that has not been written yet.
#[cfg(target_os = "linux")]
fn advise<T>(memory: &mut [MaybeUninit<T>]) {
    const PAGE: usize = 2 << 20;
    let size = size_of_val(memory);
    let start = memory.as_mut_ptr().cast::<u8>();
    // The parts before the first whole page and after the last.
    let before = start.align_offset(PAGE);
    let whole = size.saturating_sub(before) / PAGE * PAGE;
    if whole > 0 {
        // SAFETY: the range lies within `memory`, and the advice changes the size of its pages alone.
        let advised =
            unsafe { rustix::mm::madvise(start.add(before).cast(), whole, rustix::mm::Advice::LinuxHugepage) };
        // A system without large pages says no, and the table is a little slower.
        let _ = advised;
    }
}

#[cfg(not(target_os = "linux"))]
fn advise<T>(_: &mut [MaybeUninit<T>]) {}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tables_of_all_sizes_are_collected() {
        for size in [0, 1, 1_000, (2 << 20) + 12_345, 5 << 20] {
            let table = collect((0..size).map(|i| i as u8));
            assert!(table.len() == size && table.iter().enumerate().all(|(i, &byte)| byte == i as u8), "{size}");
        }
    }
}
