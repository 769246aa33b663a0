//! The tests of this crate from outside, in one program: most of the cost of a test program is linking.

#![allow(unreachable_pub, reason = "a program has no outside")]

mod escapes;
mod filter;
mod groups;
mod jail;
mod keeper;
mod walls;
mod watched;
