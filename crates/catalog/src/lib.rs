//! The games of Agon: one row for each, with its rules, engines and features.
//!
//! A [`GameEntry`] is a row, a [`Game`] a handle to one. Everything above that depends on the game is a field of its
//! row.

/// The files `sample` of a game below `agents`, by their extensions; of games with turns there are the same.
macro_rules! samples {
    ($game:literal) => {
        samples!(
            $game: "c", "cpp", "cs", "d", "go", "hs", "java", "js", "kt", "lisp", "lua", "ml", "nim", "php", "pl", "py",
            "rb", "rs", "ts"
        )
    };
    ($game:literal: $($extension:literal),+) => {{
        #[cfg(not(target_family = "wasm"))]
        const SAMPLES: &[(&str, &str)] =
            &[$(($extension, include_str!(concat!("../../../agents/", $game, "/sample.", $extension)))),+];
        // A browser starts no programs, and need not load their sources.
        #[cfg(target_family = "wasm")]
        const SAMPLES: &[(&str, &str)] = &[];
        SAMPLES
    }};
}

pub mod bacteria;
mod builtin;
mod capability;
pub mod domineering;
mod entry;
mod face;
mod illustrations;
mod list;
mod named;
pub mod petri;
mod position;
mod program;
pub mod renju;
mod setup;
pub mod situations;
mod stand_in;

pub use builtin::{Builtin, MakeEngine, Pace, TextEngine, TextMove};
pub use capability::Capability;
pub use entry::{CurveRules, DrawOpening, Game, GameEntry, GameStart, NameError, OpeningRules};
pub use face::PositionFace;
pub use illustrations::{Illustrations, RulePicture};
pub use list::{UnknownGame, register};
pub use named::NamedBuiltin;
pub use position::{CatalogPosition, TypedEngine, engine, text_info};
pub use program::{GameClock, RulesProgram};
pub use setup::{Expected, GameParameter, OPENING, POSITION, Setup, SetupError};
pub use situations::{Situation, SituationStart};
pub use stand_in::stand_in;
