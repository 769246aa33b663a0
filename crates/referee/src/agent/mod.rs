//! Agents: the players in the seats.
//!
//! A text names one ([`AgentSpec::parse`]): a built-in (`greedy`, `champion:3`), a source file (`bot.cpp`, or
//! `PYPY3:bot.py`), a folder with a main file (`my_bot`, see [`sources`]), a command in quotes (`"python3 bot.py
//! --fast"`), or a command that speaks another protocol, after the protocol's name (`uai:./engine`). Words before it
//! control how it is started ([`settings`]): `dir=engines/a option.Hash=64 uai:./engine`. [`AgentSpec::prepare`] makes
//! it ready to be seated as often as needed, and compiles a source file.

mod build;
pub mod builtin;
pub mod containment;
pub mod debug;
mod identity;
pub mod language;
mod mistake;
pub mod packed;
mod portable;
mod prepared;
pub mod seat;
pub mod settings;
pub mod source;
pub mod sources;
mod spec;
pub mod stateless;
pub mod toolchain;

pub use containment::MAX_PROCESSES;
pub use identity::{Identity, OwnFile};
pub use language::{BuildMode, Language};
pub use packed::{PackError, PackedFolder};
pub use portable::{PortableAgent, SourceArchive};
pub use prepared::{AgentError, Builtins, NotReady, Prepared, Programs};
pub use seat::Seat;
pub use settings::{AgentSettings, AgentTerms, quoted};
pub use spec::{AgentSpec, BridgeProtocol};
pub use stateless::StatelessProgram;
