//! The statistics held against other ways to the same numbers, and the pictures that show it.

mod coverage;
mod llr;
mod pictures;
mod reference;
