//! The games and their engines for the browser: answers questions about positions on the visitor's machine, as a site
//! does on the server.
//!
//! A page sends a [`Request`] as JSON and gets [`Message`]s back as JSON: the questions and answers are those of a
//! site's API, and the engines those of the catalogue. An engine in a browser visits the same nodes as a native one.
//!
//! The interface to JavaScript consists of five functions with the C ABI, in `border.rs`, rather than `wasm-bindgen`:
//! the messages are JSON anyway, so glue code would be larger than the code it replaces, a second tool of exactly the
//! same version would have to be installed wherever Agon is built, and the same file works in browsers, in workers and
//! in Node.
//!
//! Files of games are read and written by another build of this crate (the feature `files`), which a page loads when it
//! needs it.
//!
//! A search blocks the thread until it ends: to stop it, a page terminates the worker it runs in. This also frees its
//! memory, which never shrinks in WebAssembly.

#[cfg(feature = "engines")]
pub mod answer;
#[cfg(target_family = "wasm")]
mod border;
#[cfg(feature = "files")]
pub mod game_files;
pub mod message;

#[cfg(feature = "engines")]
pub use answer::{Request, answer};
#[cfg(feature = "files")]
pub use game_files::{FileRequest, answer_file};
pub use message::Message;
