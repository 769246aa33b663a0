//! How much room there is, and what is said where there is none.

/// Why nothing is taken.
pub(crate) const NO_ROOM: &str =
    "the disk space of this site is used up: nothing new is taken until its host makes room";

/// How much room there is.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(crate) struct Storage {
    /// Bytes of the data folder, without what is free inside its files.
    pub data: u64,
    /// Bytes of the records, which are a part of that.
    pub records: u64,
    /// Bytes of the compiled programs.
    pub builds: u64,
    /// Bytes that are free on the disk of the data folder.
    pub free: u64,
    /// Why nothing new is taken.
    pub shortage: Option<Shortage>,
}

/// Why there is no room.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Shortage {
    /// The data folder is as large as it may be.
    Quota,
    /// The disk is nearly full.
    Disk,
}

impl Shortage {
    /// The reason, for the host.
    pub(crate) const fn words(self) -> &'static str {
        match self {
            Self::Quota => {
                "The data folder is as large as --disk-quota allows: nothing is taken or played until there is room."
            }
            Self::Disk => "The disk is nearly full (--disk-free): nothing is taken or played until there is room.",
        }
    }
}
