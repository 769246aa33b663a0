//! The evolved single cell.

use agon_rules::petri::{Action, Directions, Sight, Surroundings};

use super::program::{strength, towards_enemy};
use super::{Choice, NativeSpecies};

/// "Evolution" (its author is not named on the page), in Java: explodes among enemies, always attacks the first one at
/// full strength, divides at random, eats, and moves on with 4 energy so that 3 are left for a blow.
///
/// Its posted defect is kept: on the Java of its day, splitting a row into characters put an empty string first, so it
/// does not see column 0.
pub static EVOLUTION: NativeSpecies = NativeSpecies::new("evolution", [4, 8, 0], choose);

fn choose(sight: &Sight<'_>) -> Choice {
    let around = blind(sight);
    let (hp, energy) = (sight.hp(), sight.energy());
    let enemies = around.enemies;
    if enemies.len() > 1 && energy > hp && hp <= 3 && enemies.len() > around.own.len() {
        return Action::Explode.into();
    }
    if energy > 0
        && let Some(direction) = enemies.first()
    {
        return Action::Attack(direction, strength(sight)).into();
    }
    if energy >= 5
        && let Some(choice) = Choice::any(Action::Divide, around.empty)
    {
        return choice;
    }
    if energy < EVOLUTION.begin.species.energy()
        && let Some(direction) = around.corpses.first()
    {
        return Action::Eat(direction).into();
    }
    if energy == 4 { Action::Move(towards_enemy(sight, 1)).into() } else { Action::Rest.into() }
}

/// Returns the surroundings of the cell, without column 0.
pub(super) fn blind(sight: &Sight<'_>) -> Surroundings {
    let mut around = sight.around();
    if sight.place().x <= 1 {
        let seen = |set: Directions| {
            let seen = set.into_iter().filter(|direction| sight.place().step(*direction).x != 0);
            seen.collect::<Directions>()
        };
        around = Surroundings {
            empty: seen(around.empty),
            corpses: seen(around.corpses),
            own: seen(around.own),
            enemies: seen(around.enemies),
        };
    }
    around
}

#[cfg(test)]
mod tests {
    use super::*;
    use agon_rules::petri::{Direction, Scene};

    #[test]
    fn column_0_is_not_seen() {
        let input = "4 4\nx...\nxo..\nc.x.\n....\n\n1 1 4 8";
        let scene = Scene::read(input.as_bytes()).expect("an input");
        let around = blind(&scene.sight());
        assert_eq!(around.enemies.into_iter().collect::<Vec<_>>(), [Direction::SouthEast]);
        assert!(around.corpses.is_empty());
    }
}
