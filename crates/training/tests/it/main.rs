//! The tests of this crate from outside, in one program: linking is most of what a test program costs.

#![allow(unreachable_pub, reason = "a program has no outside")]

mod campaign;
mod files;
mod learning;
mod petri;
mod renju;
