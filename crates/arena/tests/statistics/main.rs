//! The statistics held against other ways to the same numbers.

mod coverage;
mod llr;
mod reference;
