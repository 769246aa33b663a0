//! Kostronor's Java cell.

use agon_rules::petri::{Action, Directions, Sight};

use super::program::attack_any;
use super::{Choice, NativeSpecies, evolution::blind};

/// The slime cell of "Kostronor", in Java: divides wherever there is room, attacks when two enemies are near, eats,
/// rests.
///
/// Its posted defect is kept: on the Java of its day, splitting a row into characters put an empty string first, so it
/// does not see column 0.
pub static SLIME: NativeSpecies = NativeSpecies::new("slime", [4, 8, 0], choose);

fn choose(sight: &Sight<'_>) -> Choice {
    let around = blind(sight);
    let divide = |free: Directions| (sight.energy() >= 5).then(|| Choice::any(Action::Divide, free)).flatten();
    let attack =
        |enemies: Directions| (sight.energy() > 0 && enemies.len() > 1).then(|| attack_any(sight, enemies)).flatten();
    divide(around.free())
        .or_else(|| attack(around.enemies))
        .or_else(|| Choice::any(Action::Eat, around.corpses))
        .unwrap_or_else(|| Action::Rest.into())
}
