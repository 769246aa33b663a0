//! The protocols of other arenas, both ways.
//!
//! Our engines speak them: [`uai::serve`] makes an engine of Bacteria War available to any Ataxx program,
//! [`gomocup::serve`] one of renju to Gomocup's managers. Third-party engines are addressed in them: [`bridge`] turns
//! such an engine into an agent that plays under the judge.
//!
//! [`formats`] reads and writes game files, Agon's own and those of other programs; in a browser only this module is
//! available, since the rest starts processes and threads.
//!
//! Any [`agon_search::Engine`] can be served. It searches on a separate thread ([`SearchThread`]), so that it can be
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

/// Reason why a conversation of one of our engines broke off.
#[cfg(not(target_family = "wasm"))]
#[derive(Debug, thiserror::Error)]
pub enum ConversationError {
    #[error(transparent)]
    Io(#[from] std::io::Error),
    #[error(transparent)]
    Panicked(#[from] search_thread::Panicked),
}
