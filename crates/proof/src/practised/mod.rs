//! The practised opening book: the openings played through by searches, to find the moves that hold.
//!
//! A tree of positions, each searched once for its best few moves. The value of a move is that of the position after
//! it, once that has been searched, and so on from the leaves up: if the best answers in a good-looking position turn
//! out to be bad, its value drops, and the next best move before it takes its place. The growth of the tree is guided
//! by
//! *drop-out expansion* (T. R. Lincke, "Strategies for the Automatic Construction of Opening Books", Computers and
//! Games 2000).
//!
//! Games can be added: their positions are searched before all others. A move counts if the position after it has been
//! searched, whether or not the search of its own position listed it.

mod book;
pub mod book_node;
pub mod expansion;
pub mod practise;
mod value;

pub use book_node::{BookNode, LOST};
pub use expansion::DropOutExpansion;
pub use practise::practise;
