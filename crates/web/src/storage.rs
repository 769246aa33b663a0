//! How much room there is, and the message if there is none.

use agon_message::messages;

/// How much room there is.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(crate) struct Storage {
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
    pub(crate) enum Shortage {
        Quota = "the data folder has reached --disk-quota: no submissions and no games until there is room",
        Disk = "the disk is nearly full (--disk-free): no submissions and no games until there is room",
    }
}
