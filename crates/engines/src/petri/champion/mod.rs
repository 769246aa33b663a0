//! The champion of the petri dish: a colony that weighs every action by a tuned [`Policy`], another
//! one on small dishes.
//!
//! It has no state, randomness or messages: the cells cooperate because all of them see the same dish and use the same
//! weights. `docs/engines/petri.md` describes its training and its play.

mod input;
mod network;
mod outlook;
mod policy;
mod row;
mod weighing;

pub use input::{CellInputs, CellView};
pub use network::CellNetwork;
pub use policy::{EXTRAS, FEATURES, Policy, PolicyError, WIDE_ROWS};
pub use row::{ROWS, Row};
pub use weighing::weigh_all;

use std::sync::LazyLock;

use agon_rules::petri::{Announcement, Sight};

use super::{Choice, PetriProgram};
use crate::data::{DataFile, data_file};

/// The most columns and rows of a dish that is small: the colonies meet at once there, and the first blows decide.
const SMALL: [usize; 2] = [7, 6];

/// A colony that follows a [`Policy`], and on small dishes perhaps another one.
#[derive(Clone, Debug)]
pub struct Champion {
    policy: Policy,
    /// Policy for [`SMALL`] dishes, of the same species, because the species is sent before the dish is known.
    small: Option<Policy>,
}

/// The champion's policies: for every dish, and for small ones.
pub(crate) static FILES: [DataFile; 2] =
    [data_file!("nets/petri/champion.toml"), data_file!("nets/petri/champion-small.toml")];

/// The champion, following the policies that are compiled in.
pub static CHAMPION: LazyLock<Champion> = LazyLock::new(|| {
    let [policy, small] =
        FILES.each_ref().map(|file| Policy::read(file.text()).expect("a policy is part of the program"));
    Champion { policy, small: Some(small) }
});

impl Champion {
    /// A colony that follows this policy on every dish.
    pub const fn following(policy: Policy) -> Self {
        Self { policy, small: None }
    }

    /// The policy for every dish that is not small.
    pub const fn policy(&self) -> &Policy {
        &self.policy
    }

    fn policy_on(&self, width: usize, height: usize) -> &Policy {
        let [columns, rows] = SMALL;
        self.small.as_ref().filter(|_| width <= columns && height <= rows).unwrap_or(&self.policy)
    }
}

impl PetriProgram for Champion {
    fn name(&self) -> &'static str {
        "champion"
    }

    fn begin(&self) -> Announcement {
        Announcement { species: self.policy.species, loops: false }
    }

    fn choose(&self, sight: &Sight<'_>) -> Choice {
        weighing::decide(self.policy_on(sight.width(), sight.height()), sight).into()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn small_dishes_have_a_policy_of_their_own() {
        let small = CHAMPION.small.as_ref().expect("one is compiled in");
        assert_eq!(small.species, CHAMPION.policy.species);
        let check = |width, height, policy| assert_eq!(CHAMPION.policy_on(width, height), policy, "{width} × {height}");
        check(4, 4, small);
        check(7, 6, small);
        check(6, 7, &CHAMPION.policy);
        check(8, 4, &CHAMPION.policy);
        check(10, 4, &CHAMPION.policy);
        check(4, 10, &CHAMPION.policy);
        check(20, 20, &CHAMPION.policy);
    }
}
