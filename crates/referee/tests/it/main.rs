//! The tests of this crate from outside, in one program: linking is most of what a test program costs.

#![allow(unreachable_pub, reason = "a program has no outside")]

mod clock;
mod court;
mod descriptors;
mod groups;
mod hostile;
mod interrupted;
mod long_record;
mod machine;
mod per_action;
mod stopped;
mod table;
mod time_controls;
mod verdicts;
mod watched;
