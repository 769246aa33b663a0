//! How far a long job is.

/// Where a long job reports how far it is; the command line draws a bar of it. `()` ignores everything.
pub trait Progress: Sync {
    /// How many units the job has in all, and how many an earlier run has done.
    fn start(&self, length: u64, done: u64);

    /// How many units are done by now.
    fn set_position(&self, position: u64);

    /// A short text beside the bar.
    fn set_message(&self, message: String);
}

impl Progress for () {
    fn start(&self, _: u64, _: u64) {}

    fn set_position(&self, _: u64) {}

    fn set_message(&self, _: String) {}
}

/// A count with its thousands apart: `5 023 479 496`.
pub fn count(n: u64) -> String {
    let digits = n.to_string();
    let mut text = String::new();
    for (at, digit) in digits.chars().enumerate() {
        if at > 0 && (digits.len() - at).is_multiple_of(3) {
            text.push(' ');
        }
        text.push(digit);
    }
    text
}
