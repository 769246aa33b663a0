#![doc = include_str!("../README.md")]
#![deny(missing_docs)]

pub mod bacteria;
pub mod domineering;
pub mod petri;
pub mod renju;
