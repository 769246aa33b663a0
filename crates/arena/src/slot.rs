//! One bout of a schedule.

/// One bout of a schedule, played or not.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Slot {
    /// Its number in the run, from 0.
    pub number: u32,
    /// The agents in the seats of the first and the second side, by their place in the plan.
    pub seats: [usize; 2],
    /// The seed of its game: the same in both bouts of a pair.
    pub seed: u64,
}

impl Slot {
    /// The number of its pair, from 0.
    pub const fn pair(&self) -> u32 {
        self.number / 2
    }
}
