//! The transposition table of searches that estimate: lossy, of a fixed size, and shared by threads without locks.
//!
//! It stores the data of an alpha-beta search about a position, replaces old entries, and tolerates a rare false hit.
//! [`crate::ProofTable`] stores words under exact keys and grows; neither can replace the other at the same speed.

use std::sync::atomic::{AtomicU64, Ordering};

use crate::nnue::simd::prefetch;
use crate::pages;

/// How a stored value bounds the true one.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[repr(u8)]
pub enum Bound {
    /// The true value is at most the stored one.
    Upper = 1,
    /// The true value is at least the stored one.
    Lower = 2,
    /// The stored value is the true one.
    Exact = 3,
}

impl Bound {
    /// Returns true if it bounds the true value from below: [`Bound::Lower`] or [`Bound::Exact`].
    #[inline]
    pub const fn is_lower(self) -> bool {
        self as u8 & Self::Lower as u8 != 0
    }

    /// Returns true if it bounds the true value from above: [`Bound::Upper`] or [`Bound::Exact`].
    #[inline]
    pub const fn is_upper(self) -> bool {
        self as u8 & Self::Upper as u8 != 0
    }
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct TableEntry {
    /// The best move in the game's 16 bits; 0 for none.
    pub best_move: u16,
    pub value: i16,
    /// The static evaluation, uncorrected.
    pub static_eval: i16,
    /// The depth of that search, in plies.
    pub depth: u8,
    pub bound: Bound,
}

/// A transposition table that many threads read and write concurrently.
///
/// A slot is two words: the entry, and the key combined with it by exclusive or. When two threads write a slot at the
/// same time, the words do not fit together and no probe finds the key (R. Hyatt and T. Mann, "A lock-less
/// transposition table implementation for parallel search", ICGA Journal 25, 2002). Four slots share a cache line.
#[derive(Debug)]
pub struct TranspositionTable {
    buckets: Box<[Bucket]>,
    /// The number of the current search: entries of older ones are replaced first. 6 bits.
    generation: u8,
}

/// Slots of a bucket, which is a cache line.
const SLOTS: usize = 4;

#[derive(Debug, Default)]
#[repr(align(64))]
struct Bucket([[AtomicU64; 2]; SLOTS]);

/// Number of generations before they wrap around.
const GENERATIONS: u8 = 64;

/// Number of plies of depth by which an entry loses worth with every new search.
const PLIES_PER_GENERATION: i32 = 4;

impl TranspositionTable {
    /// An empty table of at most this many bytes, but of one cache line at least.
    pub fn new(bytes: usize) -> Self {
        let buckets = (bytes / size_of::<Bucket>()).max(1);
        let buckets = if buckets.is_power_of_two() { buckets } else { buckets.next_power_of_two() / 2 };
        Self { buckets: pages::collect((0..buckets).map(|_| Bucket::default())), generation: 0 }
    }

    pub const fn bytes(&self) -> usize {
        self.buckets.len() * size_of::<Bucket>()
    }

    pub fn clear(&mut self) {
        for Bucket(slots) in &mut self.buckets {
            *slots = <[[AtomicU64; 2]; SLOTS]>::default();
        }
        self.generation = 0;
    }

    /// A new search begins: entries of earlier ones are replaced first.
    pub fn age(&mut self) {
        self.generation = (self.generation + 1) % GENERATIONS;
    }

    #[inline]
    fn bucket(&self, key: u64) -> &[[AtomicU64; 2]; SLOTS] {
        // The low bits choose the bucket; the number of buckets is a power of two, so no check of the bounds remains.
        &self.buckets[key as usize & (self.buckets.len() - 1)].0
    }

    /// Prefetches the entry of a key, for a later [`Self::probe`].
    #[inline]
    pub fn prefetch(&self, key: u64) {
        prefetch(self.bucket(key));
    }

    #[inline]
    pub fn probe(&self, key: u64) -> Option<TableEntry> {
        self.bucket(key).iter().find_map(|[check, word]| {
            let word = word.load(Ordering::Relaxed);
            (check.load(Ordering::Relaxed) ^ word == key).then(|| unpack(word)).flatten()
        })
    }

    /// Stores an entry, replacing the one with the same key, or else the shallowest or oldest one of its bucket. An
    /// entry without a best move keeps the stored one. A bound does not replace a much deeper entry of the same key and
    /// search.
    #[inline]
    pub fn store(&self, key: u64, entry: TableEntry) {
        let slots = self.bucket(key);
        let mut entry = entry;
        let mut chosen = 0;
        let mut lowest = i32::MAX;
        for (i, [check, word]) in slots.iter().enumerate() {
            let word = word.load(Ordering::Relaxed);
            if check.load(Ordering::Relaxed) ^ word == key
                && let Some(old) = unpack(word)
            {
                if entry.best_move == 0 {
                    entry.best_move = old.best_move;
                }
                let fresh = (word >> GENERATION_SHIFT) as u8 == self.generation;
                if entry.bound != Bound::Exact && fresh && old.depth > entry.depth + MAX_DEPTH_LOSS {
                    return;
                }
                chosen = i;
                break;
            }
            let worth = self.worth(word);
            if worth < lowest {
                (lowest, chosen) = (worth, i);
            }
        }
        let word = pack(entry, self.generation);
        let [check, place] = &slots[chosen];
        check.store(key ^ word, Ordering::Relaxed);
        place.store(word, Ordering::Relaxed);
    }

    /// Returns the worth of an entry, in plies of depth.
    #[inline]
    fn worth(&self, word: u64) -> i32 {
        if word == 0 {
            return i32::MIN;
        }
        let age = (self.generation + GENERATIONS - (word >> GENERATION_SHIFT) as u8) % GENERATIONS;
        i32::from((word >> DEPTH_SHIFT) as u8) - PLIES_PER_GENERATION * i32::from(age)
    }

    /// Returns how full it is with entries of this search, in permille, estimated from its first buckets.
    pub fn hashfull(&self) -> u32 {
        let sample = &self.buckets[..self.buckets.len().min(256)];
        let fresh = |[_, word]: &&[AtomicU64; 2]| {
            let word = word.load(Ordering::Relaxed);
            word != 0 && (word >> GENERATION_SHIFT) as u8 == self.generation
        };
        let taken = sample.iter().flat_map(|Bucket(slots)| slots).filter(fresh).count();
        (taken * 1000 / (sample.len() * SLOTS)) as u32
    }
}

/// A new bound must not be more plies shallower than this to replace an entry of the same search.
const MAX_DEPTH_LOSS: u8 = 3;

const STATIC_EVAL_SHIFT: u32 = 16;
const BEST_MOVE_SHIFT: u32 = 32;
const DEPTH_SHIFT: u32 = 48;
const BOUND_SHIFT: u32 = 56;
const GENERATION_SHIFT: u32 = 58;

#[inline]
fn pack(entry: TableEntry, generation: u8) -> u64 {
    u64::from(entry.value as u16)
        | u64::from(entry.static_eval as u16) << STATIC_EVAL_SHIFT
        | u64::from(entry.best_move) << BEST_MOVE_SHIFT
        | u64::from(entry.depth) << DEPTH_SHIFT
        | (entry.bound as u64) << BOUND_SHIFT
        | u64::from(generation) << GENERATION_SHIFT
}

/// `None` of a free slot.
#[inline]
fn unpack(word: u64) -> Option<TableEntry> {
    let bound = match word >> BOUND_SHIFT & 3 {
        1 => Bound::Upper,
        2 => Bound::Lower,
        3 => Bound::Exact,
        _ => return None,
    };
    Some(TableEntry {
        value: word as u16 as i16,
        static_eval: (word >> STATIC_EVAL_SHIFT) as u16 as i16,
        best_move: (word >> BEST_MOVE_SHIFT) as u16,
        depth: (word >> DEPTH_SHIFT) as u8,
        bound,
    })
}

#[cfg(test)]
mod tests {
    use agon_game::hash::fibonacci;

    use super::*;

    const fn entry(value: i16, depth: u8) -> TableEntry {
        TableEntry { best_move: 7, value, static_eval: -value, depth, bound: Bound::Exact }
    }

    #[test]
    fn entries_come_back_as_they_were() {
        let check = |entry: TableEntry| {
            let table = TranspositionTable::new(1 << 10);
            table.store(99, entry);
            assert_eq!(table.probe(99), Some(entry));
            assert_eq!(table.probe(99 + 16), None);
        };
        for bound in [Bound::Upper, Bound::Lower, Bound::Exact] {
            check(TableEntry { best_move: u16::MAX, value: i16::MIN, static_eval: i16::MAX, depth: u8::MAX, bound });
            check(TableEntry { best_move: 0, value: -1, static_eval: 0, depth: 0, bound });
        }
    }

    #[test]
    fn the_deepest_and_newest_stay() {
        // One bucket: every key wants the same four slots.
        let mut table = TranspositionTable::new(0);
        for (key, depth) in [(1, 5), (2, 9), (3, 4), (4, 30)] {
            table.store(key, entry(0, depth));
        }
        let kept = |table: &TranspositionTable| (1..8).filter(|&key| table.probe(key).is_some()).collect::<Vec<_>>();
        table.store(5, entry(0, 1));
        assert_eq!(kept(&table), [1, 2, 4, 5], "the shallowest went");
        table.age();
        table.store(2, entry(0, 9));
        table.age();
        table.store(6, entry(0, 1));
        table.store(7, entry(0, 1));
        assert_eq!(kept(&table), [2, 4, 6, 7], "old ones went, but not the deep one");
    }

    #[test]
    fn a_bound_from_nearby_does_not_drive_out_a_deep_one() {
        let table = TranspositionTable::new(0);
        table.store(1, entry(3, 20));
        table.store(1, TableEntry { bound: Bound::Lower, ..entry(5, 2) });
        assert_eq!(table.probe(1), Some(entry(3, 20)));
        table.store(1, TableEntry { best_move: 0, ..entry(5, 2) });
        assert_eq!(table.probe(1), Some(entry(5, 2)), "and the best move is not forgotten");
    }

    /// Threads that write the same slots never create an entry that none of them stored.
    #[test]
    fn threads_share_it() {
        let table = TranspositionTable::new(1 << 12);
        let honest = |key: u64| entry((key % 1000) as i16, (key % 50) as u8);
        std::thread::scope(|scope| {
            for thread in 0..4 {
                let table = &table;
                scope.spawn(move || {
                    for i in 0..50_000_u64 {
                        let key = fibonacci(i * 4 + thread);
                        table.store(key, honest(key));
                        assert!(table.probe(key).is_none_or(|found| found == honest(key)));
                    }
                });
            }
        });
    }

    /// Threads store different entries for the same few keys, and every entry found was stored for its key, word for
    /// word. All four slots of the single bucket are written concurrently, again and again.
    #[test]
    fn threads_that_write_one_slot_tear_no_entry() {
        const KEYS: u64 = 6;
        let table = TranspositionTable::new(0);
        let sealed = |key: u64, draw: u64| {
            let (value, depth) = ((draw >> 8) as i16, (draw >> 40) as u8 % 64);
            let static_eval = value.wrapping_mul(31).wrapping_add(i16::from(depth)) ^ key as i16;
            let best_move = 1 + (static_eval as u16 ^ u16::from(depth)) % 1_000;
            TableEntry { best_move, value, static_eval, depth, bound: Bound::Exact }
        };
        let holds = |key: u64, entry: TableEntry| {
            entry == sealed(key, u64::from(entry.value as u16) << 8 | u64::from(entry.depth) << 40)
        };
        let found: u64 = std::thread::scope(|scope| {
            let threads: Vec<_> = (0..4_u64)
                .map(|thread| {
                    let table = &table;
                    scope.spawn(move || {
                        let mut found = 0;
                        for i in 0..50_000_u64 {
                            let draw = fibonacci(i * 4 + thread + 1);
                            table.store(draw % KEYS, sealed(draw % KEYS, draw));
                            if let Some(entry) = table.probe(i % KEYS) {
                                assert!(holds(i % KEYS, entry), "{entry:?}");
                                found += 1;
                            }
                        }
                        found
                    })
                })
                .collect();
            threads.into_iter().map(|thread| thread.join().expect("no torn entry")).sum()
        });
        assert!(found > 1_000, "{found} entries were found");
    }

    /// A probe between the two words of another thread's store finds nothing.
    #[test]
    fn a_half_written_slot_is_found_by_no_probe() {
        let table = TranspositionTable::new(0);
        let [old, new] = [entry(5, 9), entry(6, 10)];
        table.store(1, old);
        let [check, word] = &table.buckets[0].0[0];
        let (before, after) = (word.load(Ordering::Relaxed), pack(new, 0));
        // The check of the new entry with the word of the old one, then vice versa.
        for (half, whole) in [(1 ^ after, before), (1 ^ before, after)] {
            check.store(half, Ordering::Relaxed);
            word.store(whole, Ordering::Relaxed);
            assert_eq!(table.probe(1), None);
        }
        check.store(1 ^ after, Ordering::Relaxed);
        assert_eq!(table.probe(1), Some(new));
    }

    #[test]
    fn it_keeps_to_its_size_and_forgets() {
        for bytes in [0, 1, 64, 100, 1_000_000] {
            let mut table = TranspositionTable::new(bytes);
            assert!(table.bytes() <= bytes.max(64) && table.bytes() * 2 > bytes, "{bytes}");
            for key in 1..1_000 {
                table.store(key, entry(1, 1));
            }
            assert!(table.hashfull() > 0);
            table.clear();
            assert_eq!((table.hashfull(), table.probe(999)), (0, None));
        }
    }
}
