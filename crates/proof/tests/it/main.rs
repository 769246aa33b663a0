//! The tests of this crate from outside, in one program: most of the cost of a test program is linking.

#![allow(unreachable_pub, reason = "a program has no outside")]

mod certificate;
mod practised;
mod proved;
mod threats;
