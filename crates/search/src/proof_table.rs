//! A table of exact keys for searches that prove: entries that cost least are replaced first.

use agon_game::hash::{MIX_FACTORS, fibonacci};

/// Key of a [`ProofTable`]; the default marks a free slot.
pub trait ProofKey: Copy + Eq + Default {
    /// Returns its bits, folded into a word.
    fn word(self) -> u64;
}

impl ProofKey for u64 {
    #[inline]
    fn word(self) -> u64 {
        self
    }
}

impl ProofKey for u128 {
    #[inline]
    fn word(self) -> u64 {
        self as u64 ^ fibonacci((self >> 64) as u64)
    }
}

/// Stores a word for each of many keys. Keys are exact: a game whose positions fit into one gets no false answers.
///
/// Four keys share a cache line; when it is full, a new key replaces the one whose word has the lowest worth. The table
/// starts small and doubles whenever it is half full, so that a short search stays in the processor's caches and
/// touches no fresh memory.
#[derive(Clone, Debug)]
pub struct ProofTable<K = u64> {
    /// Their number is a power of two.
    buckets: Vec<Bucket<K>>,
    /// Number of keys.
    keys: usize,
    /// The most buckets there may be.
    most: usize,
}

/// A cache line, or two of keys that are longer. A key of 0 marks a free slot.
#[derive(Clone, Copy, Debug, Default)]
#[repr(align(64))]
struct Bucket<K> {
    keys: [K; KEYS],
    words: [u64; KEYS],
}

const KEYS: usize = 4;

/// Lines of a new table: 64 KB.
const FIRST_BUCKETS: usize = 1 << 10;

impl<K: ProofKey> ProofTable<K> {
    const BUCKET_BYTES: usize = size_of::<Bucket<K>>();

    /// A table that grows up to this many bytes, and takes half as much again while it does; it has at least one cache
    /// bucket.
    pub fn new(bytes: usize) -> Self {
        let most = (bytes / Self::BUCKET_BYTES).max(1);
        let most = if most.is_power_of_two() { most } else { most.next_power_of_two() / 2 };
        Self { buckets: vec![Bucket::default(); most.min(FIRST_BUCKETS)], keys: 0, most }
    }

    /// The most bytes that it grows to.
    pub const fn max_bytes(&self) -> usize {
        self.most * Self::BUCKET_BYTES
    }

    /// The word stored for a key, which must not be 0.
    #[inline]
    pub fn probe(&self, key: K) -> Option<u64> {
        let bucket = &self.buckets[self.place(key)];
        (0..KEYS).find(|&i| bucket.keys[i] == key).map(|i| bucket.words[i])
    }

    /// Stores a word for a key, which must not be 0. The top eight bits of the word are its worth, such as the
    /// logarithm of the nodes it cost. Words with a higher worth stay longer.
    ///
    /// ```
    /// use agon_search::ProofTable;
    /// let mut table = ProofTable::<u64>::new(1 << 10);
    /// table.store(7, 1 << 56 | 42);
    /// assert_eq!(table.probe(7), Some(1 << 56 | 42));
    /// assert_eq!(table.probe(8), None);
    /// ```
    #[inline]
    pub fn store(&mut self, key: K, word: u64) {
        let place = self.place(key);
        let bucket = &mut self.buckets[place];
        let worth = |i: usize| if bucket.keys[i] == K::default() { 0 } else { 1 + (bucket.words[i] >> 56) };
        let same = (0..KEYS).find(|&i| bucket.keys[i] == key);
        let i = same.or_else(|| (0..KEYS).min_by_key(|&i| worth(i))).unwrap_or(0);
        let new = bucket.keys[i] == K::default();
        (bucket.keys[i], bucket.words[i]) = (key, word);
        if new {
            self.keys += 1;
            if self.keys > self.buckets.len() * KEYS / 2 && self.buckets.len() < self.most {
                self.grow();
            }
        }
    }

    #[cold]
    fn grow(&mut self) {
        let buckets = vec![Bucket::default(); 2 * self.buckets.len()];
        let old = std::mem::replace(&mut self.buckets, buckets);
        // Every bucket becomes two, so all of its keys fit again.
        for (i, old) in old.into_iter().enumerate() {
            let mut free = [0; 2];
            for (key, word) in old.keys.into_iter().zip(old.words).filter(|(key, _)| *key != K::default()) {
                let place = self.place(key);
                let bucket = &mut self.buckets[place];
                let free = &mut free[place - 2 * i];
                (bucket.keys[*free], bucket.words[*free]) = (key, word);
                *free += 1;
            }
        }
    }

    /// The bucket of a key: the top bits of its hash, so that a table of twice the size keeps the order.
    #[inline]
    fn place(&self, key: K) -> usize {
        let key = key.word();
        // Keys that are sets of cells differ in few bits anywhere; this is the finaliser of SplitMix64 less a step.
        let hash = fibonacci(key ^ (key >> 32));
        let hash = (hash ^ (hash >> 29)).wrapping_mul(MIX_FACTORS[0]);
        ((u128::from(hash) * self.buckets.len() as u128) >> 64) as usize
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const fn word(worth: u64, text: u64) -> u64 {
        worth << 56 | text
    }

    #[test]
    fn the_dearest_stay() {
        // A table of one bucket: every key wants the same four places.
        let mut table = ProofTable::<u64>::new(0);
        for (key, worth) in [(1, 5), (2, 1), (3, 7), (4, 3)] {
            table.store(key, word(worth, key));
        }
        // The key is already present: nothing is replaced.
        table.store(4, word(4, 40));
        assert_eq!(
            [1, 2, 3, 4].map(|key| table.probe(key)),
            [Some(word(5, 1)), Some(word(1, 2)), Some(word(7, 3)), Some(word(4, 40))]
        );
        table.store(5, word(0, 5));
        assert_eq!((table.probe(2), table.probe(5)), (None, Some(word(0, 5))));
        table.store(6, word(9, 6));
        assert_eq!((table.probe(5), table.probe(6)), (None, Some(word(9, 6))));
    }

    #[test]
    fn keys_keep_their_words() {
        let mut table = ProofTable::<u64>::new(1 << 20);
        for key in 1..10_000 {
            table.store(key, word(1, key * 3));
        }
        // It has grown, and a bucket that is half full on average rarely overflows.
        let kept = (1..10_000).filter(|&key| table.probe(key) == Some(word(1, key * 3))).count();
        assert!(table.buckets.len() > FIRST_BUCKETS && kept > 9_000, "only {kept} are left");
        assert!((10_000..20_000).all(|key| table.probe(key).is_none()));
    }

    #[test]
    fn tables_keep_to_their_size() {
        for bytes in [0, 1, 64, 100, 4_096, 1_000_000] {
            let mut table = ProofTable::<u64>::new(bytes);
            for key in 1..100_000 {
                table.store(key, word(1, key));
            }
            let used = table.buckets.len() * ProofTable::<u64>::BUCKET_BYTES;
            assert!(used <= bytes.max(ProofTable::<u64>::BUCKET_BYTES) && used * 2 > bytes, "{used} of {bytes}");
        }
    }
}
