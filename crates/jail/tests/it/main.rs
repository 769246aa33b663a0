//! The tests of this crate from outside, in one program: linking is most of what a test program costs.

mod escapes;
mod filter;
mod groups;
mod jail;
mod keeper;
mod walls;
mod watched;
