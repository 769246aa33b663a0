//! Playing and analysing in the browser: the pages, and the server that `agon board` runs for one person.
//!
//! The pages know no rules and no formats: [`crate::analysis`] answers for positions, engines and analyses, `files`
//! reads and writes games.

pub mod agents;
mod dish;
mod files;
pub mod folder;
mod host;
mod local;
mod opening_rules;
mod pages;
mod tabs;
mod written;

use axum::Router;
use axum::routing::post;

pub use dish::run as run_dish;
pub use files::FileSizeProblem;
pub use files::{FileBounds, read, record_of, write};
pub use folder::{FolderError, write_folder};
pub use host::BoardHost;
pub use local::{BoardError, BoardOptions, serve_board};
pub use pages::{CLOCKS, Offered, clock_words, settings, start, titled};
pub use tabs::tabs;

/// Questions sent by POST, although they change nothing: a game may be longer than an address.
pub const QUESTIONS: [&str; 3] = ["/board/read", "/board/write", "/board/petri"];

/// Where a site has the games of two people by link.
pub const GAMES: &str = "/board/game/";

/// The routes of files of games.
pub fn routes<S: Clone + Send + Sync + 'static>() -> Router<S> {
    Router::new().route(QUESTIONS[0], post(files::read)).route(QUESTIONS[1], post(files::write))
}
