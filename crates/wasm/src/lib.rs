//! The games and their engines for the browser: answers questions about positions on the visitor's machine, as a site
//! does on the server.
//!
//! A page sends a [`Request`] as JSON and receives [`Message`]s as JSON: the questions and answers match a site's API,
//! and the engines match the catalogue's. An engine in a browser visits the same nodes as a native one.
//!
//! The interface to JavaScript is a few functions with the C ABI, in `border.rs`, not `wasm-bindgen`: the messages are
//! JSON anyway, so glue code would be larger than what it replaces, a second tool of exactly the same version would
//! have to be installed wherever Agon is built, and the same file runs in browsers, in workers and in Node.
//!
//! Files of games are read and written by another build of this crate (the feature `files`), which a page loads when it
//! needs it.
//!
//! A search has several threads where the page is isolated, so that its workers may share memory: a third build, with
//! atomics, whose helpers wait in `helpers.rs`.
//!
//! A search holds the thread until it ends: to stop it, the page ends its worker. That also frees its memory, which
//! never shrinks in WebAssembly.

#[cfg(feature = "engines")]
pub mod answer;
#[cfg(target_family = "wasm")]
mod border;
#[cfg(feature = "files")]
pub mod game_files;
#[cfg(all(target_family = "wasm", feature = "threads"))]
mod helpers;
pub mod message;

#[cfg(feature = "engines")]
pub use answer::{Machine, Request, answer};
#[cfg(feature = "files")]
pub use game_files::{FileRequest, answer_file};
pub use message::Message;
