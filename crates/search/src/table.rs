//! The transposition table: what was found out about positions, kept until something dearer wants the place.

/// A word about each of many keys. Keys are exact: two positions share an answer only when they share their key, so a
/// game whose positions fit into 64 bits gets no false answers.
///
/// Four keys share a cache line, and a new one takes the place of that which was cheapest to find out.
#[derive(Clone, Debug)]
pub struct Table {
    /// Lines of [`LINE`] words: keys at even, their words at odd places. A key of 0 is a free place.
    words: Vec<u64>,
    /// The first word that begins a cache line.
    start: usize,
    /// Lines, less one; a power of two, less one.
    mask: usize,
}

/// Words of a cache line.
const LINE: usize = 8;
const LINE_BYTES: usize = LINE * size_of::<u64>();

impl Table {
    /// A table of at most this many bytes, and at least one cache line. Memory that was never written to is not taken
    /// from the system, so a table that is too large costs nothing.
    pub fn new(bytes: usize) -> Self {
        let lines = (bytes / LINE_BYTES).max(1);
        let lines = if lines.is_power_of_two() { lines } else { lines.next_power_of_two() / 2 };
        // One more line, as the memory may begin in the middle of one.
        let words = vec![0_u64; lines * LINE + LINE - 1];
        let start = words.as_ptr().align_offset(LINE_BYTES).min(LINE - 1);
        Self { words, start, mask: lines - 1 }
    }

    /// The word kept for a key, which must not be 0.
    #[inline]
    pub fn find(&self, key: u64) -> Option<u64> {
        let line = self.line(key);
        let line = &self.words[line..line + LINE];
        (0..LINE).step_by(2).find(|&i| line[i] == key).map(|i| line[i + 1])
    }

    /// Keeps a word for a key, which must not be 0. The top eight bits of the word say what it is worth, the dearest
    /// staying longest: a logarithm of the nodes that it cost, say.
    ///
    /// ```
    /// use agon_search::Table;
    /// let mut table = Table::new(1 << 10);
    /// table.keep(7, 1 << 56 | 42);
    /// assert_eq!(table.find(7), Some(1 << 56 | 42));
    /// assert_eq!(table.find(8), None);
    /// ```
    #[inline]
    pub fn keep(&mut self, key: u64, word: u64) {
        let line = self.line(key);
        let line = &mut self.words[line..line + LINE];
        let mut place = 0;
        let mut least = u64::MAX;
        for i in (0..LINE).step_by(2) {
            if line[i] == key {
                place = i;
                break;
            }
            let worth = if line[i] == 0 { 0 } else { 1 + (line[i + 1] >> 56) };
            if worth < least {
                (place, least) = (i, worth);
            }
        }
        line[place] = key;
        line[place + 1] = word;
    }

    /// Forgets everything.
    pub fn clear(&mut self) {
        self.words.fill(0);
    }

    #[inline]
    fn line(&self, key: u64) -> usize {
        // The finaliser of MurmurHash3, one round: keys that are sets of cells differ in few bits anywhere.
        let hash = (key ^ (key >> 32)).wrapping_mul(0x9e37_79b9_7f4a_7c15);
        let hash = (hash ^ (hash >> 29)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        self.start + ((hash >> 32) as usize & self.mask) * LINE
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
        // A table of one line: every key wants the same four places.
        let mut table = Table::new(0);
        for (key, worth) in [(1, 5), (2, 1), (3, 7), (4, 3)] {
            table.keep(key, word(worth, key));
        }
        // The key is there already: nothing else has to go.
        table.keep(4, word(4, 40));
        assert_eq!([1, 2, 3, 4].map(|key| table.find(key)), [Some(word(5, 1)), Some(word(1, 2)), Some(word(7, 3)), Some(word(4, 40))]);
        table.keep(5, word(0, 5));
        assert_eq!((table.find(2), table.find(5)), (None, Some(word(0, 5))));
        table.keep(6, word(9, 6));
        assert_eq!((table.find(5), table.find(6)), (None, Some(word(9, 6))));
        table.clear();
        assert_eq!(table.find(6), None);
    }

    #[test]
    fn keys_keep_their_words() {
        let mut table = Table::new(1 << 20);
        for key in 1..10_000 {
            table.keep(key, word(1, key * 3));
        }
        // 16 384 lines of four places: nearly all of 10 000 keys find one.
        let kept = (1..10_000).filter(|&key| table.find(key) == Some(word(1, key * 3))).count();
        assert!(kept > 9_900, "only {kept} are left");
        assert!((10_000..20_000).all(|key| table.find(key).is_none()));
    }

    #[test]
    fn tables_keep_to_their_size() {
        for bytes in [0, 1, 64, 100, 4_096, 1_000_000] {
            let table = Table::new(bytes);
            let lines = table.mask + 1;
            assert!(lines * LINE_BYTES <= bytes.max(LINE_BYTES) && lines * LINE_BYTES * 2 > bytes, "{bytes}");
        }
    }
}
