//! Species with one thing changed.

use agon_rules::petri::{Action, Announcement, Sight, Species};

use super::program::announcement;
use super::{AMOEBA, COORDINATED, Choice, EVOLUTION, MIDGROUND, NODE480, PetriProgram, SAMPLE, SLIME};

/// A species' own code with another answer to `BEGIN`, or that rests when it would strike too weakly.
#[derive(Clone, Copy)]
pub struct Variant {
    name: &'static str,
    code: &'static dyn PetriProgram,
    species: Species,
    punch: i32,
    held_out: bool,
}

impl Variant {
    const fn new(name: &'static str, code: &'static dyn PetriProgram, species: [u8; 3], punch: i32) -> Self {
        let [hp, energy, acidity] = species;
        Self { name, code, species: announcement(hp, energy, acidity).species, punch, held_out: false }
    }

    const fn held_out(self) -> Self {
        Self { held_out: true, ..self }
    }

    /// Returns true if the champion was tuned without ever meeting it.
    pub const fn is_held_out(&self) -> bool {
        self.held_out
    }
}

impl PetriProgram for Variant {
    fn name(&self) -> &'static str {
        self.name
    }

    fn begin(&self) -> Announcement {
        Announcement { species: self.species, ..self.code.begin() }
    }

    fn choose(&self, sight: &Sight<'_>) -> Choice {
        self.code.choose(sight).or_rest(|action| matches!(action, Action::Attack(_, strength) if strength < self.punch))
    }
}

pub static VARIANTS: [Variant; 36] = [
    Variant::new("coordinated:punch3", &COORDINATED, [6, 6, 0], 3),
    Variant::new("coordinated:4/8/0:punch3", &COORDINATED, [4, 8, 0], 3),
    Variant::new("coordinated:5/7/0:punch3", &COORDINATED, [5, 7, 0], 3),
    Variant::new("coordinated:3/9/0:punch3", &COORDINATED, [3, 9, 0], 3),
    Variant::new("coordinated:7/5/0:punch3", &COORDINATED, [7, 5, 0], 3),
    Variant::new("coordinated:2/10/0:punch3", &COORDINATED, [2, 10, 0], 3),
    Variant::new("coordinated:5/6/1:punch3", &COORDINATED, [5, 6, 1], 3),
    Variant::new("coordinated:punch2", &COORDINATED, [6, 6, 0], 2),
    Variant::new("coordinated:4/8/0:punch2", &COORDINATED, [4, 8, 0], 2),
    Variant::new("coordinated:4/8/0", &COORDINATED, [4, 8, 0], 1),
    Variant::new("coordinated:5/7/0", &COORDINATED, [5, 7, 0], 1),
    Variant::new("coordinated:3/9/0", &COORDINATED, [3, 9, 0], 1),
    Variant::new("coordinated:7/5/0", &COORDINATED, [7, 5, 0], 1),
    Variant::new("coordinated:2/10/0", &COORDINATED, [2, 10, 0], 1),
    Variant::new("evolution:6/6/0", &EVOLUTION, [6, 6, 0], 1),
    Variant::new("evolution:punch3", &EVOLUTION, [4, 8, 0], 3),
    Variant::new("evolution:5/7/0:punch3", &EVOLUTION, [5, 7, 0], 3),
    Variant::new("amoeba:6/6/0", &AMOEBA, [6, 6, 0], 1),
    Variant::new("amoeba:punch3", &AMOEBA, [5, 7, 0], 3),
    Variant::new("amoeba:4/8/0:punch3", &AMOEBA, [4, 8, 0], 3),
    Variant::new("node480:6/6/0:punch3", &NODE480, [6, 6, 0], 3),
    Variant::new("slime:6/6/0:punch3", &SLIME, [6, 6, 0], 3),
    Variant::new("midground:6/6/0:punch3", &MIDGROUND, [6, 6, 0], 3),
    Variant::new("sample:6/6/0:punch3", &SAMPLE, [6, 6, 0], 3),
    Variant::new("coordinated:6/5/1", &COORDINATED, [6, 5, 1], 1).held_out(),
    Variant::new("coordinated:4/7/1:punch3", &COORDINATED, [4, 7, 1], 3).held_out(),
    Variant::new("coordinated:5/7/0:punch2", &COORDINATED, [5, 7, 0], 2).held_out(),
    Variant::new("coordinated:3/9/0:punch2", &COORDINATED, [3, 9, 0], 2).held_out(),
    Variant::new("coordinated:1/11/0:punch3", &COORDINATED, [1, 11, 0], 3).held_out(),
    Variant::new("evolution:3/9/0", &EVOLUTION, [3, 9, 0], 1).held_out(),
    Variant::new("evolution:5/7/0", &EVOLUTION, [5, 7, 0], 1).held_out(),
    Variant::new("amoeba:6/6/0:punch3", &AMOEBA, [6, 6, 0], 3).held_out(),
    Variant::new("amoeba:4/8/0", &AMOEBA, [4, 8, 0], 1).held_out(),
    Variant::new("midground:4/8/0", &MIDGROUND, [4, 8, 0], 1).held_out(),
    Variant::new("node480:6/6/0", &NODE480, [6, 6, 0], 1).held_out(),
    Variant::new("sample:4/8/0:punch3", &SAMPLE, [4, 8, 0], 3).held_out(),
];
