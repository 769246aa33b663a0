//! The protocols of other arenas, both ways.
//!
//! Our engines speak them: [`uai::serve`] makes an engine of Bacteria War one that any Ataxx program can use,
//! [`gomocup::serve`] one of renju an engine for the managers of Gomocup. Engines of others are spoken to in them:
//! [`bridge`] makes such an engine an agent that the judge can be played under.
//!
//! Files of games, of other programs and our own, are read and written by [`formats`].
//!
//! Any [`agon_search::Engine`] can be served. It searches on a thread of its own ([`SearchThread`]), so that it can be
//! stopped.

pub mod bridge;
mod conversation;
pub mod engine_process;
pub mod formats;
pub mod gomocup;
pub mod line;
pub mod protocol_client;
pub mod search_thread;
pub mod shared_writer;
pub mod uai;

pub use search_thread::SearchThread;
pub use shared_writer::SharedWriter;

/// Why a conversation of one of our engines broke off.
#[derive(Debug, thiserror::Error)]
pub enum ConversationError {
    #[error(transparent)]
    Io(#[from] std::io::Error),
    #[error(transparent)]
    Panicked(#[from] search_thread::Panicked),
}
