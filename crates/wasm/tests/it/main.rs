//! Engines in WebAssembly search what native ones search, node by node.

mod same;
