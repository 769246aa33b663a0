//! The protocols of other arenas, both ways.
//!
//! Our engines speak them: [`uai::serve`] makes an engine of Bacteria War one that any Ataxx program can use,
//! [`gomocup::serve`] one of renju a "brain" for the managers of Gomocup. Engines of others are spoken to in them:
//! [`bridge`] makes such an engine an agent that the judge can be played under.
//!
//! An engine is anything that is an [`agon_search::Engine`]. It thinks on a thread of its own ([`Thinker`]), so that
//! it can be told to stop.

pub mod bridge;
pub mod gomocup;
pub mod line;
pub mod program;
pub mod thinker;
pub mod uai;
pub mod voice;

pub use thinker::Thinker;
pub use voice::Voice;

/// Why a conversation of one of our engines broke off.
#[derive(Debug, thiserror::Error)]
pub enum ConversationError {
    /// A stream failed.
    #[error(transparent)]
    Io(#[from] std::io::Error),
    /// The engine has a fault.
    #[error(transparent)]
    Panicked(#[from] thinker::Panicked),
}
