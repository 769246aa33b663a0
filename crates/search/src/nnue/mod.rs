//! Networks that evaluate positions, small and wide enough to be used millions of times a second.
//!
//! The shape is that of NNUE (Yu Nasu, "Efficiently updatable neural network based evaluation functions for computer
//! shogi", 2018) as chess programs simplified it: one sparse layer and one output.
//!
//! ```text
//! features seen by the side to move ─┐  same weights   ┌─ hidden ─ SCReLU ─┐
//!                                    ├───────────────→ │                   ├─ output of the position's stage
//! features seen by the opponent ─────┘                 └─ hidden ─ SCReLU ─┘
//! ```
//!
//! `SCReLU` is the square of the input clamped to 0…1. A *stage* (how full the board is) chooses one of several output
//! layers. Everything is computed in 16-bit integers, `ONE` of them standing for 1.0; sums of the output in 32. Rows of
//! weights may have 8 bits, `NARROW_ONE` standing for 1.0.
//!
//! A *symmetric* network gives the same value to all images of a board under its symmetries: half of its hidden layer
//! has a part for each of them, which sees that image, and all parts have the same weights.
//!
//! A network may see single points of the board besides ([`PointRows`]): rows of 32 numbers, summed and clamped to 0…1
//! point by point, so that what meets on one point counts otherwise than what lies apart. Their sum over the board, the
//! *pool*, goes by weights of each stage into the hidden layer.
//!
//! - [`Features`] says which features a position of a game has.
//! - [`Network`] holds the weights, and reads and writes [net files](mod@file).
//! - [`Evaluator`] is a network in a search.
//! - [`simd`] computes with 16, 32 or 1 numbers at once, whichever the processor can.

mod eval_cache;
pub mod evaluator;
pub mod features;
pub mod file;
pub mod network;
pub mod simd;

pub use eval_cache::EvalCache;
pub use evaluator::Evaluator;
pub use features::{Features, Images, Joined, List, PointRows};
pub use file::NetError;
pub use network::Network;
