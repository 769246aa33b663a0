//! The Clojure cell.

use agon_rules::petri::{Action, Direction, Directions, Sight};

use super::program::strength;
use super::{Choice, NativeSpecies};
use Direction::{East, North, NorthEast, NorthWest, South, SouthEast, SouthWest, West};

/// The Clojure cell (its author is not named on the page), in Clojure and kept alive by LOOP: explodes next to any
/// enemy when it can, divides, attacks at full strength, eats, rests.
///
/// The posted version also moves at random, but only after it has already rested, so chance decides nothing.
pub static CLOJURE: NativeSpecies = NativeSpecies::new("clojure", [4, 6, 2], choose).kept_alive();

/// Row by row.
const ORDER: [Direction; 8] = [NorthWest, North, NorthEast, West, East, SouthWest, South, SouthEast];

fn choose(sight: &Sight<'_>) -> Choice {
    let around = sight.around();
    let (hp, energy) = (sight.hp(), sight.energy());
    let first = |set: Directions| ORDER.into_iter().find(|&direction| set.contains(direction));
    if hp <= 3 && energy > hp && !around.enemies.is_empty() {
        return Action::Explode.into();
    }
    if energy >= 5
        && let Some(direction) = first(around.empty)
    {
        return Action::Divide(direction).into();
    }
    if energy >= 3
        && let Some(direction) = first(around.enemies)
    {
        return Action::Attack(direction, strength(sight)).into();
    }
    if energy < CLOJURE.begin.species.energy()
        && let Some(direction) = first(around.corpses)
    {
        return Action::Eat(direction).into();
    }
    Action::Rest.into()
}
