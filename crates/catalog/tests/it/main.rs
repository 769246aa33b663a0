//! The tests of this crate from outside, in one program: linking is most of what a test program costs.

mod games;
