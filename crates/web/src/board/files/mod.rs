//! Games as files: what a visitor pastes or drops, and what is downloaded.

mod note;
mod reading;
mod refusal;
#[cfg(test)]
mod tests;
mod writing;

pub use reading::read;
pub use writing::{record_of, write};
