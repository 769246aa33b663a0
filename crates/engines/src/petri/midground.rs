//! The middle-ground cell.

use agon_rules::petri::{Action, Direction, Place, Sight, Thing};

use super::program::attack_any;
use super::{Choice, NativeSpecies};

/// The middle-ground cell (the page does not name its author), in JavaScript for Node: heads for the middle of the dish
/// to cut off the enemy's space, then divides along the shortest path to the nearest enemy; attacks anything near.
///
/// Its defects are kept: it takes the right half of the dish for the far side, whichever seat it has; on a dish of odd
/// width it looks for that half at fractional columns and never finds it; and it compares energy with hit points as
/// strings, so that 10 is less than 2.
pub static MIDGROUND: NativeSpecies = NativeSpecies::new("midground", [2, 10, 0], choose);

fn choose(sight: &Sight<'_>) -> Choice {
    let around = sight.around();
    let (hp, energy) = (sight.hp(), sight.energy());
    let here = sight.place();
    let free = around.free();
    if around.enemies.len() > 4 && text_at_least(energy, hp) && hp <= 3 {
        return Action::Explode.into();
    }
    if energy > 0
        && let Some(choice) = attack_any(sight, around.enemies)
    {
        return choice;
    }
    if energy > 2 {
        let close = |direction| !sight.around_of(here.step(direction)).enemies.is_empty();
        if let Some(direction) = free.into_iter().find(|&direction| close(direction)) {
            return Action::Move(direction).into();
        }
    }
    if let Some(choice) = Choice::any(Action::Eat, around.corpses) {
        return choice;
    }
    let passed = passed_middle(sight);
    if passed && energy < 5 && !free.is_empty() {
        return Action::Rest.into();
    }
    if energy >= 5 || (energy >= 2 && around.enemies.is_empty()) {
        let way = if free.len() == 1 { free.first() } else { way_to_enemy(sight) };
        if let Some(direction) = way {
            // Past the middle only those with the energy to divide are still here.
            return if passed || energy >= 5 { Action::Divide(direction) } else { Action::Move(direction) }.into();
        }
    }
    (energy >= 5).then(|| Choice::any(Action::Divide, free)).flatten().unwrap_or_else(|| Action::Rest.into())
}

/// Returns true if one number, as a string, is not less than the other: JavaScript's comparison of its input.
pub(super) fn text_at_least(energy: u8, hp: u8) -> bool {
    energy.to_string() >= hp.to_string()
}

/// Returns true if one of its cells is in the right half of the dish, or in the column before it.
fn passed_middle(sight: &Sight<'_>) -> bool {
    let width = sight.width();
    let from = width / 2 - usize::from(width > 1);
    width.is_multiple_of(2)
        && (from..width)
            .any(|x| (0..sight.height()).any(|y| sight.look(Place { x: x as u8, y: y as u8 }) == Some(Thing::Own)))
}

/// The first step of the shortest way to a square next to an enemy: breadth first; among equally good ways each
/// square is reached from its first neighbour.
fn way_to_enemy(sight: &Sight<'_>) -> Option<Direction> {
    let width = sight.width();
    let at = |place: Place| usize::from(place.y) * width + usize::from(place.x);
    let start = sight.place();
    // Distance of each square and the first step towards it.
    let mut reached: Vec<Option<(u32, Direction)>> = vec![None; width * sight.height()];
    let mut nodes: Vec<Place> = Vec::new();
    for direction in sight.around().free() {
        let place = start.step(direction);
        reached[at(place)] = Some((1, direction));
        nodes.push(place);
    }
    let mut next = 0;
    while let Some(&node) = nodes.get(next) {
        let around = sight.around_of(node);
        if !around.enemies.is_empty() {
            return reached[at(node)].map(|(_, step)| step);
        }
        for direction in around.free() {
            let place = node.step(direction);
            if reached[at(place)].is_none() {
                let before = sight.around_of(place).free().into_iter().filter_map(|back| reached[at(place.step(back))]);
                reached[at(place)] = before.min_by_key(|&(distance, _)| distance).map(|(d, step)| (d + 1, step));
                nodes.push(place);
            }
        }
        next += 1;
    }
    None
}
