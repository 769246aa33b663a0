//! Why a demonstration could not be created.

use agon_arena::openings::OpeningError;
use agon_arena::store::StoreError;
use agon_referee::agent::AgentError;

#[derive(Debug, thiserror::Error)]
pub enum DemoError {
    #[error(transparent)]
    Store(#[from] StoreError),
    #[error(transparent)]
    Agent(#[from] AgentError),
    #[error(transparent)]
    Opening(#[from] OpeningError),
    #[error("cannot write the programs of the demonstration: {0}")]
    Folder(std::io::Error),
    #[error("a game of the demonstration was not played: {0}")]
    Judge(String),
    #[error("the folder holds a site already: name an empty folder")]
    Taken,
}
