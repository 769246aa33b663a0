//! Progress of long jobs.

/// Receives the progress of a long job; the command line draws it as a bar. `()` ignores it.
pub trait Progress: Sync {
    /// Starts with the total number of units, and the number done by an earlier run.
    fn start(&self, length: u64, done: u64);

    /// Sets the number of units done so far.
    fn set_position(&self, position: u64);

    /// Sets a short text beside the bar.
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
