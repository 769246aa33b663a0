//! Positions that occur several times.
//!
//! Games of a deterministic engine repeat each other wherever their openings meet, so a file contains many boards more
//! than once. Each is learnt from once, and the board alone determines whether it is held out: held-out boards are
//! never learnt from, whichever games or files they come from.

use std::collections::HashSet;

use rayon::prelude::*;

use crate::PositionRecord;

/// Into how many parts keys are divided, so that the set of those seen fits the caches better and needs little memory.
const PARTS: u64 = 64;

/// Records, one of each board, divided between training and validation.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct DataSplit<R> {
    pub training: Vec<R>,
    pub validation: Vec<R>,
    /// Number of records omitted because a later one has the same board.
    pub duplicates: usize,
}

impl<R: PositionRecord> DataSplit<R> {
    /// Divides records: of several with one board, up to symmetries, the last stays, and one board in this many is held
    /// out, which the board decides.
    pub fn new(mut records: Vec<R>, held_out: usize) -> Self {
        let mut keys: Vec<u64> = records.par_iter().map(R::key).collect();
        let (all, last) = (records.len(), last_of_each(&keys));
        retain(&mut records, &last);
        retain(&mut keys, &last);
        let mut keys = keys.into_iter();
        let held_out = held_out.max(2) as u64;
        let validation: Vec<R> =
            records.extract_if(.., |_| keys.next().is_some_and(|key| key.is_multiple_of(held_out))).collect();
        Self { duplicates: all - records.len() - validation.len(), training: records, validation }
    }
}

/// Keeps the items whose flag is set.
fn retain<T>(items: &mut Vec<T>, kept: &[bool]) {
    let mut kept = kept.iter();
    items.retain(|_| kept.next() == Some(&true));
}

/// Returns which keys do not occur again.
fn last_of_each(keys: &[u64]) -> Vec<bool> {
    let mut last = vec![false; keys.len()];
    let mut seen = HashSet::new();
    for part in 0..PARTS {
        seen.clear();
        // The upper bits, because the lower ones determine what is held out.
        for (at, &key) in keys.iter().enumerate().rev().filter(|(_, key)| *key >> 58 == part) {
            last[at] = seen.insert(key);
        }
    }
    last
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_last_of_each_key_is_kept() {
        let spread = |part: u64| part << 58;
        let check = |keys: &[u64], expected: &[bool]| assert_eq!(last_of_each(keys), expected, "{keys:?}");
        check(&[], &[]);
        check(&[1, 2, 1, 3, 2, 1], &[false, false, false, true, true, true]);
        check(&[spread(63), spread(5), spread(63) + 1, spread(5)], &[true, false, true, true]);
    }
}
