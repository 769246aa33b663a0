//! Alex's Ruby cell.

use agon_rules::petri::{Action, Direction, Place, Sight, Thing};

use super::{Answer, Choice, NativeSpecies};
use Direction::{East, North, NorthEast, NorthWest, South, SouthEast, SouthWest, West};

/// The amoeba of "Alex", in Ruby: divides first, towards where most enemies and corpses are; then eats, then attacks.
///
/// Two defects of the Ruby original are kept: an index of −1 wraps around to the far edge of the dish, and a look
/// beyond the right edge fails, so that nothing is written. An attack without energy has strength 0.
pub static AMOEBA: NativeSpecies = NativeSpecies::new("amoeba", [5, 7, 0], choose);

/// Order of the neighbours in its hash table.
const ORDER: [Direction; 8] = [NorthWest, SouthWest, West, NorthEast, SouthEast, East, North, South];

fn choose(sight: &Sight<'_>) -> Choice {
    let around = sight.around();
    if sight.energy() >= 5 {
        for &direction in towards_prey(sight) {
            match ruby_look(sight, direction) {
                Ok(Some(Thing::Empty)) => return Action::Divide(direction).into(),
                Ok(_) => {}
                Err(failure) => return failure.into(),
            }
        }
    }
    let first = |set: agon_rules::petri::Directions| ORDER.into_iter().find(|&direction| set.contains(direction));
    if sight.energy() >= 5
        && let Some(direction) = first(around.empty)
    {
        return Action::Divide(direction).into();
    }
    if let Some(direction) = first(around.corpses) {
        return Action::Eat(direction).into();
    }
    if let Some(direction) = first(around.enemies) {
        // It saves energy for a division if it has more.
        let spare = if sight.energy() > 5 { sight.energy() - 5 } else { sight.energy() };
        return Action::Attack(direction, i32::from(spare.min(3))).into();
    }
    Action::Rest.into()
}

/// The directions to divide in, best first: towards the sum of the ways to all enemies and corpses.
fn towards_prey(sight: &Sight<'_>) -> &'static [Direction] {
    let Place { x, y } = sight.place();
    let [enemies, corpses] = [Thing::Enemy, Thing::Corpse].map(|thing| sight.sum_of(thing));
    let count = i64::from(enemies.count + corpses.count);
    let dx = i64::from(enemies.x + corpses.x) - count * i64::from(x);
    let dy = i64::from(enemies.y + corpses.y) - count * i64::from(y);
    let (right, down) = (dx > 0, dy > 0);
    if dx == 0 {
        return if down { &[South, SouthEast, SouthWest] } else { &[North, NorthEast, NorthWest] };
    }
    if dy == 0 {
        return if right { &[East, NorthEast, SouthEast] } else { &[West, NorthWest, SouthWest] };
    }
    match (right, down, dy.abs() > dx.abs()) {
        (true, true, true) => &[SouthEast, South, East],
        (true, true, false) => &[SouthEast, East, South],
        (true, false, true) => &[NorthEast, North, East],
        (true, false, false) => &[NorthEast, East, North],
        (false, true, true) => &[SouthWest, South, West],
        (false, true, false) => &[SouthWest, West, South],
        (false, false, true) => &[NorthWest, North, West],
        (false, false, false) => &[NorthWest, West, North],
    }
}

/// Returns what Ruby finds at `dish[x][y]`: an index of −1 is the last element, one past the end is nil, and indexing
/// nil is an error.
fn ruby_look(sight: &Sight<'_>, direction: Direction) -> Result<Option<Thing>, Answer> {
    let there = sight.place().step(direction);
    let wrap = |at: u8, length: usize| if at == u8::MAX { length - 1 } else { usize::from(at) };
    let (x, y) = (wrap(there.x, sight.width()), wrap(there.y, sight.height()));
    if x >= sight.width() {
        return Err(Answer::Junk(""));
    }
    Ok(sight.look(Place { x: x as u8, y: y.min(usize::from(u8::MAX)) as u8 }))
}
