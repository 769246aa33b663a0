//! The simple Node cell.

use agon_rules::petri::{Action, Sight};

use super::program::{attack_any, towards_enemy};
use super::{Choice, NativeSpecies, midground::text_at_least};

/// The simple cell of 4/8/0 (its author is not named on the page), in JavaScript for Node: explodes when outnumbered,
/// divides at random, attacks, and on a coin's toss moves towards the first enemy of the dish.
///
/// Two defects are kept: it looks for its enemies' direction in a list of squares, which never contains it, so its
/// divisions are not aimed; and it moves without checking whether the way is free.
pub static NODE480: NativeSpecies = NativeSpecies::new("node480", [4, 8, 0], choose);

fn choose(sight: &Sight<'_>) -> Choice {
    let around = sight.around();
    let (hp, energy) = (sight.hp(), sight.energy());
    let (free, friends, enemies) = (around.free(), around.own.len(), around.enemies.len());
    if friends >= 8 {
        return Action::Rest.into();
    }
    if (enemies >= 3 || (enemies >= 1 && hp <= 1)) && text_at_least(energy, hp) && enemies > friends {
        return Action::Explode.into();
    }
    if energy >= 5
        && let Some(choice) = Choice::any(Action::Divide, free)
    {
        return choice;
    }
    if energy > 0
        && let Some(choice) = attack_any(sight, around.enemies)
    {
        return choice;
    }
    let rest = Choice::from(Action::Rest);
    let calm =
        if !free.is_empty() && enemies <= 6 { rest } else { Choice::any(Action::Eat, around.corpses).unwrap_or(rest) };
    if free.is_empty() { calm } else { calm.or_heads(Action::Move(towards_enemy(sight, 0))) }
}
