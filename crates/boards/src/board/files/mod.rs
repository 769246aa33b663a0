//! Games as files: what a visitor pastes or drops, and what is downloaded.

mod bounds;
mod reading;
mod refusal;
#[cfg(test)]
mod tests;
mod writing;

pub use bounds::FileBounds;
pub use reading::read;
pub use refusal::FileSizeProblem;
pub use writing::{record_of, write};
