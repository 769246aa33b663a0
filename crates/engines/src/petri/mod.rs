//! The species of the petri-dish contest, native, and the champion that is tuned against them.
//!
//! Every species of the contest's page is here under a short name, with the defects it was posted with: they are what
//! newcomers measure themselves against, so they must play as they did. [`SPECIES`] lists them, [`VARIANTS`] changes
//! one thing in each, [`CHAMPION`] beats them all. [`play`] lets two of them fight within the process, and [`respond`] lets one
//! answer as a program of the contest does. The [`registry`](crate::registry) finds any of them.
//!
//! A program keeps no state. It looks at a [`Sight`](agon_rules::petri::Sight) and says between what it chooses
//! ([`Choice`]); the only use of random numbers is drawing from that.

mod amoeba;
mod answer;
mod champion;
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

pub use amoeba::Amoeba;
pub use answer::{Answer, Choice};
pub use champion::{CHAMPION, Champion, FEATURES, Policy, PolicyError, ROWS, Row};
pub use clojure::Clojure;
pub use coordinated::Coordinated;
pub use evolution::Evolution;
pub use hungry::Hungry;
pub use midground::Midground;
pub use node480::Node480;
pub use play::{DishResult, Match, play, score};
pub use program::{Native, PetriProgram, respond};
pub use sample::SampleCell;
pub use slimbomber::Slimbomber;
pub use slime::Slime;
pub use variant::{VARIANTS, Variant};

/// Every species of the contest, in the order of its page; the sample cell last.
pub static SPECIES: [&dyn PetriProgram; 10] =
    [&Amoeba, &Midground, &Node480, &Evolution, &Clojure, &Hungry, &Coordinated, &Slime, &Slimbomber, &SampleCell];
