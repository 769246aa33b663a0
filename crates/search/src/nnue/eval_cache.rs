//! Cache of a network's last values, because searches ask for many of them again.

use super::simd::prefetch;

/// Values by the hash of their position, each in the slot of the hash's low bits until another takes it.
#[derive(Clone, Debug)]
pub struct EvalCache {
    /// The hash, with the value replacing the low bits, which the slot implies.
    slots: Box<[u64; Self::SLOTS]>,
}

impl Default for EvalCache {
    /// Empty: each slot contains a hash that belongs to another slot.
    fn default() -> Self {
        let slots: Vec<u64> = (0..Self::SLOTS as u64).map(|slot| !slot << 16).collect();
        Self { slots: slots.try_into().expect("as many slots as there are") }
    }
}

impl EvalCache {
    /// As many as fit into a processor's second-level cache beside the weights. A slot stores the value in 16 bits of
    /// the hash, so there cannot be fewer.
    const SLOTS: usize = 1 << 16;

    /// Prefetches the slot of a hash, for a later call of [`Self::value`].
    #[inline]
    pub fn prefetch(&self, hash: u64) {
        prefetch(&self.slots[hash as usize % Self::SLOTS]);
    }

    /// The value of the position with this hash, if it is there.
    #[inline]
    pub fn value(&self, hash: u64) -> Option<i32> {
        let slot = self.slots[hash as usize % Self::SLOTS];
        (slot >> 16 == hash >> 16).then_some(i32::from(slot as i16))
    }

    /// Stores a value that fits into 16 bits.
    #[inline]
    pub fn store(&mut self, hash: u64, value: i32) {
        self.slots[hash as usize % Self::SLOTS] = hash & !0xffff | u64::from(value as i16 as u16);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_are_kept_until_another_takes_their_slot() {
        let mut cache = EvalCache::default();
        let (hash, other) = (0x1234_5678_9abc_def0, 0x1234_5678_9abd_def0);
        assert!((0..EvalCache::SLOTS as u64).all(|hash| cache.value(hash).is_none()));
        for value in [0, -1, 20_000, -20_000] {
            cache.store(hash, value);
            assert_eq!((cache.value(hash), cache.value(other)), (Some(value), None));
        }
        cache.store(other, 7);
        assert_eq!((cache.value(hash), cache.value(other)), (None, Some(7)));
    }
}
