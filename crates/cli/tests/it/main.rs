//! The tests of this crate from outside, in one program: most of the cost of a test program is linking.

#![allow(unreachable_pub, reason = "a program has no outside")]

mod agon;
mod bacteria;
mod board;
mod book;
mod browser;
mod documentation;
mod engines_agree;
mod fleet;
mod floors;
mod pages;
mod readme;
mod renju;
mod site;
mod solve;
