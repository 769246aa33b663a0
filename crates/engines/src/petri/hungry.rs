//! The hungry bot.

use agon_rules::petri::{Action, Direction, Place, Sight, Thing};

use super::{Answer, Choice, NativeSpecies};

/// "Hungry, hungry bot" (the page does not name its author), in R: divides with 6 energy, towards the enemy if
/// possible; otherwise eats nearby food, walks to food within reach, explodes, fights, or seeks the enemy.
///
/// Its defects are kept. The squares around the cell and their names are two lists that match only away from the edges:
/// at the upper and left edges the squares beyond are listed but not named, so that it misreads its neighbours and may
/// end up with the name `NA` or none at all; in the lower right corner, four squares are counted as six. Its attacks
/// have a strength of at least 3, so they are legal only with exactly 3 energy.
pub static HUNGRY: NativeSpecies = NativeSpecies::new("hungry", [4, 7, 1], choose);

fn choose(sight: &Sight<'_>) -> Choice {
    decide(sight).into()
}

fn decide(sight: &Sight<'_>) -> Answer {
    let (hp, energy) = (sight.hp(), sight.energy());
    let near = Neighbours::look(sight);
    let bursts = near.count(Thing::Enemy) > near.count(Thing::Own) && hp <= 3 && energy >= hp;
    let enemy = closest(sight, Thing::Enemy);
    if energy >= 6 {
        let Some(first) = near.first(Thing::Empty) else {
            return if bursts { Action::Explode } else { Action::Rest }.into();
        };
        let named = |name: NeighbourName| near.names(Thing::Empty).any(|there| there == name);
        // Without enemies R compares with a missing number, and fails if it must know the result.
        if enemy.is_none() && named(NeighbourName::Blank) {
            return Answer::Junk("");
        }
        let distant = enemy.filter(|&(distance, _)| distance != 1).and_then(|(_, direction)| direction);
        return match distant.map(NeighbourName::Way).filter(|&way| named(way)).unwrap_or(first) {
            NeighbourName::Way(direction) => Action::Divide(direction).into(),
            NeighbourName::Blank => Answer::Junk("DIVIDE "),
            NeighbourName::Missing => Answer::Junk("DIVIDE NA"),
        };
    }
    if let Some(name) = near.first(Thing::Corpse) {
        return match name {
            NeighbourName::Way(direction) => Action::Eat(direction).into(),
            NeighbourName::Blank => Answer::Junk("EAT "),
            NeighbourName::Missing => Answer::Junk("EAT NA"),
        };
    }
    if energy == 0 {
        return Action::Rest.into();
    }
    if let Some((distance, direction)) = closest(sight, Thing::Corpse)
        && distance <= energy + 1
    {
        return walk(direction);
    }
    if bursts {
        return Action::Explode.into();
    }
    if let Some(name) = near.first(Thing::Enemy) {
        let strength = energy.max(3);
        // Less than 6 energy: a strength from 3 to 5.
        let row = usize::from(strength - 3).min(2);
        return match name {
            NeighbourName::Way(direction) => Action::Attack(direction, i32::from(strength)).into(),
            NeighbourName::Blank => Answer::Junk(["ATTACK  3", "ATTACK  4", "ATTACK  5"][row]),
            NeighbourName::Missing => Answer::Junk(["ATTACK NA 3", "ATTACK NA 4", "ATTACK NA 5"][row]),
        };
    }
    walk(enemy.and_then(|(_, direction)| direction))
}

fn walk(direction: Option<Direction>) -> Answer {
    direction.map_or(Answer::Junk("MOVE "), |direction| Action::Move(direction).into())
}

/// The nearest of these things, the first column by column: how many steps away, and which way.
fn closest(sight: &Sight<'_>, thing: Thing) -> Option<(u8, Option<Direction>)> {
    let here = sight.place();
    let steps = |place: Place| place.x.abs_diff(here.x).max(place.y.abs_diff(here.y));
    let found =
        sight.columns().filter(|&(_, there)| there == thing).map(|(place, _)| place).min_by_key(|&p| steps(p))?;
    let step = |to: u8, from: u8| i32::from(to) - i32::from(from);
    Some((steps(found), Direction::towards(step(found.x, here.x), step(found.y, here.y))))
}

/// Name that the bot assigns to a neighbour.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum NeighbourName {
    /// A direction, perhaps not the right one.
    Way(Direction),
    /// The empty name of its own square.
    Blank,
    /// R's `NA`: there are fewer names than squares.
    Missing,
}

/// The two lists: the squares around, and their names.
struct Neighbours {
    things: [Option<Thing>; 9],
    names: [NeighbourName; 9],
    length: usize,
}

impl Neighbours {
    fn look(sight: &Sight<'_>) -> Self {
        let here = sight.place();
        let (right, lower) = (usize::from(here.x) + 1 == sight.width(), usize::from(here.y) + 1 == sight.height());
        let mut near = Self { things: [None; 9], names: [NeighbourName::Missing; 9], length: 0 };
        let mut named = 0;
        for dx in [-1, 0, 1_i8] {
            for dy in [-1, 0, 1_i8] {
                let place = Place { x: here.x.wrapping_add_signed(dx), y: here.y.wrapping_add_signed(dy) };
                // The squares omit only those beyond the right and the lower edge ...
                if !(dx == 1 && right || dy == 1 && lower) {
                    near.things[near.length] = sight.look(place);
                    near.length += 1;
                }
                // ... but the names omit those beyond any edge; in a dish of one row or column, only once.
                let beyond = |step: i8, first: bool, last: bool| (step == -1 && first) || (step == 1 && last && !first);
                if !beyond(dx, here.x == 0, right) && !beyond(dy, here.y == 0, lower) {
                    near.names[named] =
                        Direction::towards(dx.into(), dy.into()).map_or(NeighbourName::Blank, NeighbourName::Way);
                    named += 1;
                }
            }
        }
        // A matrix of three columns is filled from four squares by starting over.
        if near.length == 4 {
            near.things.copy_within(0..2, 4);
            near.length = 6;
        }
        near
    }

    fn names(&self, thing: Thing) -> impl Iterator<Item = NeighbourName> {
        let listed = self.things[..self.length].iter().zip(&self.names);
        listed.filter(move |(there, _)| **there == Some(thing)).map(|(_, &name)| name)
    }

    fn first(&self, thing: Thing) -> Option<NeighbourName> {
        self.names(thing).next()
    }

    fn count(&self, thing: Thing) -> usize {
        self.names(thing).count()
    }
}
