//! The protocols of other arenas, both ways.
//!
//! Our engines speak them: [`uai::serve`] makes an engine of Bacteria War one that any Ataxx program can use,
//! [`gomocup::serve`] one of renju an engine for the managers of Gomocup. Engines of others are spoken to in them:
//! [`bridge`] makes such an engine an agent that the judge can be played under.
//!
//! Files of games, of other programs and our own, are read and written by [`formats`]; in a browser there is nothing
//! else, since the rest starts processes and threads.
//!
//! Any [`agon_search::Engine`] can be served. It searches on a thread of its own ([`SearchThread`]), so that it can be
//! stopped.

#[cfg(not(target_family = "wasm"))]
pub mod bridge;
#[cfg(not(target_family = "wasm"))]
mod conversation;
#[cfg(not(target_family = "wasm"))]
pub mod engine_process;
pub mod formats;
#[cfg(not(target_family = "wasm"))]
pub mod gomocup;
#[cfg(not(target_family = "wasm"))]
pub mod line;
#[cfg(not(target_family = "wasm"))]
pub mod protocol_client;
#[cfg(not(target_family = "wasm"))]
pub mod search_thread;
#[cfg(not(target_family = "wasm"))]
pub mod shared_writer;
#[cfg(not(target_family = "wasm"))]
pub mod uai;

#[cfg(not(target_family = "wasm"))]
pub use search_thread::SearchThread;
#[cfg(not(target_family = "wasm"))]
pub use shared_writer::SharedWriter;

/// Why a conversation of one of our engines broke off.
#[cfg(not(target_family = "wasm"))]
#[derive(Debug, thiserror::Error)]
pub enum ConversationError {
    #[error(transparent)]
    Io(#[from] std::io::Error),
    #[error(transparent)]
    Panicked(#[from] search_thread::Panicked),
}
