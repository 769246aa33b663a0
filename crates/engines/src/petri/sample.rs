//! The sample cell of the challenge.

use agon_rules::petri::{Action, Sight};

use super::program::attack_any;
use super::{Choice, NativeSpecies};

/// The sample cell that the challenge's author, "apsillers", gave out in three languages: divides at random, explodes
/// next to two enemies or more, attacks one at random, eats, rests.
///
/// Its code is not on the page; the order of its preferences is inferred from observed answers.
pub static SAMPLE: NativeSpecies = NativeSpecies::new("sample", [5, 7, 0], choose);

fn choose(sight: &Sight<'_>) -> Choice {
    let around = sight.around();
    let (hp, energy) = (sight.hp(), sight.energy());
    if energy >= 5
        && let Some(choice) = Choice::any(Action::Divide, around.free())
    {
        return choice;
    }
    if around.enemies.len() >= 2 && energy > hp && hp <= 3 {
        return Action::Explode.into();
    }
    if energy > 0
        && let Some(choice) = attack_any(sight, around.enemies)
    {
        return choice;
    }
    Choice::any(Action::Eat, around.corpses).unwrap_or_else(|| Action::Rest.into())
}
