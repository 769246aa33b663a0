//! The champion of the petri dish: a colony that weighs every action by a tuned [`Policy`].
//!
//! No state, no chance, no messages: the cells act together because all of them see the same dish and weigh alike. How
//! it was tuned and what it does is told in `docs/petri.md`.

mod outlook;
mod policy;
mod weighing;

pub use policy::{FEATURES, Policy, PolicyError, ROWS, Row};

use std::sync::LazyLock;

use agon_rules::petri::{Announcement, Sight};

use super::{Choice, Program};

/// A colony that follows a [`Policy`].
#[derive(Clone, Debug)]
pub struct Champion {
    /// What it follows.
    pub policy: Policy,
}

/// The champion, following the policy that is compiled in.
pub static CHAMPION: LazyLock<Champion> = LazyLock::new(|| {
    let policy = Policy::read(include_str!("../../../../../nets/petri/champion.toml"));
    Champion::following(policy.expect("a policy is compiled in"))
});

impl Champion {
    /// A colony that follows this policy.
    pub const fn following(policy: Policy) -> Self {
        Self { policy }
    }
}

impl Program for Champion {
    fn name(&self) -> &'static str {
        "champion"
    }

    fn begin(&self) -> Announcement {
        Announcement { species: self.policy.species, loops: false }
    }

    fn choose(&self, sight: &Sight<'_>) -> Choice {
        weighing::decide(&self.policy, sight).into()
    }
}
