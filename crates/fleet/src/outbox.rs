//! The results that a worker keeps until a coordinator has them.

use std::collections::BTreeMap;
use std::sync::Mutex;

use crate::lock::lock;

/// Maximum length of all results that wait for a coordinator.
const MAX_BYTES: usize = 256 << 20;

/// Results that no coordinator has taken yet.
#[derive(Default)]
pub(crate) struct Outbox(Mutex<Waiting>);

#[derive(Default)]
struct Waiting {
    /// The slots of each run.
    slots: BTreeMap<String, Vec<u32>>,
    bytes: usize,
    /// Number of results for which no coordinator was there when they were last sent.
    alone: usize,
}

impl Outbox {
    /// The slots whose results wait, by run.
    pub(crate) fn slots(&self) -> BTreeMap<String, Vec<u32>> {
        lock(&self.0).slots.clone()
    }

    /// Returns true if a result is waiting whose run has a coordinator, as far as is known.
    pub(crate) fn is_awaited(&self) -> bool {
        let waiting = lock(&self.0);
        waiting.slots.values().map(Vec::len).sum::<usize>() > waiting.alone
    }

    /// Records whether there was a coordinator when a result was last sent.
    pub(crate) fn note_alone(&self, alone: &mut bool, now: bool) {
        let mut waiting = lock(&self.0);
        waiting.alone = waiting.alone + usize::from(now) - usize::from(*alone);
        *alone = now;
    }

    /// Adds a result; returns false if there is no room for it.
    pub(crate) fn add(&self, run: &str, slot: u32, bytes: usize) -> bool {
        let mut waiting = lock(&self.0);
        let room = waiting.bytes + bytes <= MAX_BYTES;
        if room {
            waiting.bytes += bytes;
            waiting.slots.entry(run.to_owned()).or_default().push(slot);
        }
        room
    }

    pub(crate) fn remove(&self, run: &str, slot: u32, bytes: usize) {
        let mut waiting = lock(&self.0);
        waiting.bytes -= bytes;
        if let Some(slots) = waiting.slots.get_mut(run) {
            if let Some(at) = slots.iter().position(|other| *other == slot) {
                slots.swap_remove(at);
            }
            if slots.is_empty() {
                waiting.slots.remove(run);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_waits_is_known_and_bounded() {
        let outbox = Outbox::default();
        assert!(outbox.add("r", 1, 10) && outbox.add("r", 2, 10) && outbox.add("q", 1, 10));
        assert_eq!(outbox.slots(), [("q".to_owned(), vec![1]), ("r".to_owned(), vec![1, 2])].into());
        assert!(!outbox.add("r", 3, MAX_BYTES - 29));
        outbox.remove("q", 1, 10);
        assert!(outbox.add("r", 3, MAX_BYTES - 29));
        outbox.remove("r", 3, MAX_BYTES - 29);
        outbox.remove("r", 1, 10);
        let mut alone = false;
        assert!(outbox.is_awaited());
        outbox.note_alone(&mut alone, true);
        outbox.note_alone(&mut alone, true);
        assert!(!outbox.is_awaited());
        outbox.note_alone(&mut alone, false);
        assert!(outbox.is_awaited());
        outbox.remove("r", 2, 10);
        assert!(!outbox.is_awaited() && outbox.slots().is_empty());
    }
}
