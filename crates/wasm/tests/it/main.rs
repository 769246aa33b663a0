//! Engines in WebAssembly search what native ones search, node by node.

#![allow(unreachable_pub, reason = "a program has no outside")]

mod same;
