//! Whether a site may play and change anything: how much room there is, and whether its host lets it.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, PoisonError};

use agon_message::messages;

/// How much room there is.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Storage {
    /// Bytes of the data folder, without the free space inside its files.
    pub data: u64,
    /// Bytes of the records, which are a part of that.
    pub records: u64,
    /// Bytes of the compiled programs.
    pub builds: u64,
    /// Bytes that are free on the disk of the data folder.
    pub free: u64,
    /// Why nothing new is accepted.
    pub shortage: Option<Shortage>,
}

messages! {
    /// Why there is no room, for the host.
    #[derive(Clone, Copy, PartialEq, Eq)]
    pub enum Shortage {
        Quota = "the data folder has reached --disk-quota: no submissions and no games until there is room",
        Disk = "the disk is nearly full (--disk-free): no submissions and no games until there is room",
    }
}

/// What keeps a site from playing.
#[derive(Debug)]
pub struct Maintenance {
    /// Whether it was started read-only.
    started_read_only: bool,
    /// Whether the host lets nothing be changed.
    read_only: AtomicBool,
    /// How much room there is, as last measured.
    storage: Mutex<Storage>,
}

impl Maintenance {
    pub fn new(started_read_only: bool, read_only: bool) -> Self {
        Self { started_read_only, read_only: AtomicBool::new(read_only), storage: Mutex::default() }
    }

    /// Whether everything may be read, and nothing changed or played.
    pub fn is_read_only(&self) -> bool {
        self.started_read_only || self.read_only.load(Ordering::Relaxed)
    }

    pub fn set_read_only(&self, yes: bool) {
        self.read_only.store(yes, Ordering::Relaxed);
    }

    /// How much room there is.
    pub fn storage(&self) -> Storage {
        *self.storage.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Records how much room there is, and returns the previous value.
    pub fn set_storage(&self, change: impl FnOnce(Storage) -> Storage) -> Storage {
        let mut storage = self.storage.lock().unwrap_or_else(PoisonError::into_inner);
        let before = *storage;
        *storage = change(before);
        before
    }

    /// Whether games may begin.
    pub fn may_play(&self) -> bool {
        !self.is_read_only() && self.storage().shortage.is_none()
    }
}
