//! How far a long job is, as a bar.

use agon_jobs::Progress;
use indicatif::{ProgressBar, ProgressStyle};

/// A bar on standard error, drawn only on a terminal and cleared when it is dropped.
pub struct Bar(ProgressBar);

impl Bar {
    /// A bar of this style, as [`ProgressStyle::with_template`] reads it.
    pub fn new(template: &str) -> anyhow::Result<Self> {
        Ok(Self(ProgressBar::new(0).with_style(ProgressStyle::with_template(template)?)))
    }

    /// Writes something else to the terminal while the bar is cleared.
    pub fn suspend<T>(&self, write: impl FnOnce() -> T) -> T {
        self.0.suspend(write)
    }
}

impl Progress for Bar {
    fn start(&self, length: u64, done: u64) {
        self.0.set_length(length);
        self.0.set_position(done);
        self.0.reset_eta();
    }

    fn set_position(&self, position: u64) {
        self.0.set_position(position);
    }

    fn set_message(&self, message: String) {
        self.0.set_message(message);
    }
}

impl Drop for Bar {
    fn drop(&mut self) {
        self.0.finish_and_clear();
    }
}
