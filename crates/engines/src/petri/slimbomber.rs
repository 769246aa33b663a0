//! The slim bomber.

use agon_rules::petri::{Action, Sight};

use super::program::attack_any;
use super::{Choice, NativeSpecies, midground::text_at_least};

/// The slim bomber (its author is not named on the page), in JavaScript for Node: 1 hit point and all the acid; keeps
/// away from its friends, explodes among enemies, attacks as a last resort.
///
/// As posted, two nested loops share one variable and may never end; here the inner loop has its own.
pub static SLIMBOMBER: NativeSpecies = NativeSpecies::new("slimbomber", [1, 7, 4], choose);

fn choose(sight: &Sight<'_>) -> Choice {
    let around = sight.around();
    let (hp, energy) = (sight.hp(), sight.energy());
    let (friends, enemies) = (around.own.len(), around.enemies.len());
    let here = sight.place();
    if friends > 1 && energy > 0 {
        // The one friend next to the square is the cell itself.
        let lonely = |direction| sight.around_of(here.step(direction)).own.len() == 1;
        if let Some(direction) = around.free().into_iter().find(|&direction| lonely(direction)) {
            return Action::Move(direction).into();
        }
    }
    if (enemies > friends + 1 || (enemies > 0 && friends == 0)) && text_at_least(energy, hp) && hp <= 3 {
        return Action::Explode.into();
    }
    if energy >= 5 {
        // A square for the child next to which some friend has no friends of its own.
        let promising = |direction| {
            let square = here.step(direction);
            let mut friends = sight.around_of(square).own.into_iter();
            friends.any(|friend| sight.around_of(square.step(friend)).own.is_empty())
        };
        if let Some(direction) = around.free().into_iter().find(|&direction| promising(direction)) {
            return Action::Divide(direction).into();
        }
    }
    let attack = || (energy > 0).then(|| attack_any(sight, around.enemies)).flatten();
    attack().or_else(|| Choice::any(Action::Eat, around.corpses)).unwrap_or_else(|| Action::Rest.into())
}
