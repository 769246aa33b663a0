//! The practised opening book: the openings played through by searches, to find the moves that hold.
//!
//! A tree of positions, each searched once for its best few moves. What a move is worth is what the position behind it
//! is worth, once that was searched too, and so on from the ends up: a position that looked good and whose best answers
//! turn out bad becomes bad, and the next best move before it takes its place. Where the tree grows is decided by
//! *drop-out expansion* (T. R. Lincke, "Strategies for the Automatic Construction of Opening Books", Computers and
//! Games 2000).
//!
//! Games that were played can be given too: their positions are searched before all others. A move counts wherever the
//! position behind it was searched, whether or not its own position's search named it.

mod book;
pub mod book_node;
pub mod expansion;
pub mod practise;
mod value;

pub use book_node::{BookNode, LOST};
pub use expansion::DropOutExpansion;
pub use practise::practise;
