//! Games as the browser draws them: the data, the ES module that draws them, and the style of every page.
//!
//! The same module draws recorded games in self-contained pages (`agon replay`, `agon report`), and recorded and live ones
//! on the site.

mod facts;
mod failure;
mod game;
pub mod told;

pub use facts::{date, dates, limits};
pub use failure::failures;
pub use game::{GameLog, game, place, result};

/// The ES module that draws games.
pub const VIEWER: &str = include_str!("viewer.js");

/// The ES module that draws evaluations as a curve.
pub const CURVE: &str = include_str!("curve.js");

/// The style sheet of every page.
pub const STYLE: &str = include_str!("style.css");
