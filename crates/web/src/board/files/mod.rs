//! Games as files: what a visitor pastes or drops, and what is downloaded.

mod bounds;
mod reading;
mod refusal;
#[cfg(test)]
mod tests;
mod writing;

pub(crate) use bounds::FileBounds;
pub(crate) use reading::read;
#[cfg(test)]
pub(crate) use refusal::FileSizeProblem;
pub(crate) use writing::{record_of, write};
