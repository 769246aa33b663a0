//! The tests of this crate from outside, in one program: linking is most of what a test program costs.

#![allow(unreachable_pub, reason = "a program has no outside")]

mod checked;
mod games;
mod hostile;
mod sources;
