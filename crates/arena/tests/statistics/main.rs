//! The statistics held against other ways to the same numbers.

mod llr;
mod reference;
