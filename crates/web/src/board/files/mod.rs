//! Games as files: what a visitor pastes or drops, and what is downloaded.

mod bounds;
mod note;
mod reading;
mod refusal;
#[cfg(test)]
mod tests;
mod writing;

pub(crate) use bounds::FileBounds;
#[cfg(test)]
pub(crate) use reading::ReadProblem;
pub(crate) use reading::read;
#[cfg(test)]
pub(crate) use refusal::FileSizeProblem;
#[cfg(test)]
pub(crate) use writing::WriteProblem;
pub(crate) use writing::{record_of, write};
