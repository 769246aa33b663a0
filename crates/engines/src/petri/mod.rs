//! The species of the petri-dish contest, native, and the champion that is tuned against them.
//!
//! Every species of the challenge's page is here under a short name, with its posted defects: they are the benchmark
//! for newcomers, so they must play as they did. [`SPECIES`] lists them, [`VARIANTS`] changes one thing in each,
//! [`CHAMPION`] beats them all. [`play`] runs a game of two of them in the process, and [`respond`] answers as a
//! program of the challenge.
//!
//! A program keeps no state. It looks at a [`Sight`](agon_rules::petri::Sight) and returns a [`Choice`]; random numbers
//! are used only to draw from that.

mod amoeba;
mod answer;
pub(crate) mod champion;
mod clojure;
mod coordinated;
mod evolution;
mod hungry;
mod midground;
mod node480;
mod play;
mod program;
mod sample;
mod slimbomber;
mod slime;
mod variant;

pub use amoeba::AMOEBA;
pub use answer::{Answer, Choice};
pub use champion::{
    CHAMPION, CellInputs, CellNetwork, CellView, Champion, EXTRAS, FEATURES, Policy, PolicyError, ROWS, Row, WIDE_ROWS,
    weigh_all,
};
pub use clojure::CLOJURE;
pub use coordinated::COORDINATED;
pub use evolution::EVOLUTION;
pub use hungry::HUNGRY;
pub use midground::MIDGROUND;
pub use node480::NODE480;
pub use play::{DishResult, Match, play, score};
pub use program::{Native, NativeSpecies, PetriProgram, respond};
pub use sample::SAMPLE;
pub use slimbomber::SLIMBOMBER;
pub use slime::SLIME;
pub use variant::{VARIANTS, Variant};

/// Every species of the challenge, in the order of its page; the sample cell last.
pub static SPECIES: [&dyn PetriProgram; 10] =
    [&AMOEBA, &MIDGROUND, &NODE480, &EVOLUTION, &CLOJURE, &HUNGRY, &COORDINATED, &SLIME, &SLIMBOMBER, &SAMPLE];
