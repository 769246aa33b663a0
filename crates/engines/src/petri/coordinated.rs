//! The coordinated bacteria.

use agon_rules::petri::{Action, Direction, Directions, Place, Sight, SquareSum, Thing};

use super::program::strength;
use super::{Answer, Choice, NativeSpecies};

/// "Coordinated Bacteria" (its author is not named on the page), in Java: the cells of every other square move and
/// those between divide; attacks pick on the same enemy; when half the dish is theirs they push round the flanks. The
/// strongest of the challenge.
///
/// Defects kept: sorting the empty neighbours compares the distance of one square with itself, so only the crowd around
/// them counts; and without a target, or with the enemy more than 316 squares away, it fails at a division.
pub static COORDINATED: NativeSpecies = NativeSpecies::new("coordinated", [6, FULL, 0], choose);

/// The energy of a full cell.
const FULL: u8 = 6;

fn choose(sight: &Sight<'_>) -> Choice {
    decide(sight).into()
}

#[derive(Clone, Copy)]
struct Centre {
    x: f64,
    y: f64,
}

impl Centre {
    /// The middle of all of them; not a number when there are none.
    fn from_sum(sum: SquareSum) -> Self {
        let count = f64::from(sum.count);
        Self { x: f64::from(sum.x) / count, y: f64::from(sum.y) / count }
    }

    /// The square of the distance.
    fn distance(self, place: Place) -> f64 {
        let (dx, dy) = (self.x - f64::from(place.x), self.y - f64::from(place.y));
        dx * dx + dy * dy
    }
}

fn decide(sight: &Sight<'_>) -> Answer {
    let around = sight.around();
    let energy = sight.energy();
    let here = sight.place();
    let (empty, corpses, enemies, friends) = (around.empty, around.corpses, around.enemies, around.own.len());
    let enemy_centre = Centre::from_sum(sight.sum_of(Thing::Enemy));
    let own = sight.sum_of(Thing::Own);

    // Round an edge of the dish that the enemy holds.
    if friends >= 2 && energy >= 1 {
        let flanks = |direction: &Direction| {
            let place = here.step(*direction);
            at_edge(sight, place) && sight.around_of(place).enemies.len() == 3
        };
        let way = by_room(sight, empty).find(flanks).or_else(|| by_weakness(sight, corpses).find(flanks));
        if let Some(direction) = way {
            return Action::Move(direction).into();
        }
    }

    let own_centre = Centre::from_sum(own);
    let after = enemy_centre.x <= own_centre.x || enemy_centre.y <= own_centre.y;
    let size = sight.width() + sight.height();
    let [mover, attack] = if after { [(size + 1) % 2, size % 2] } else { [1, 1] };
    let colour = usize::from(here.x) + usize::from(here.y);

    if colour % 2 == mover && (1..=5).contains(&energy) {
        if friends >= 4
            && let Some(direction) = by_room(sight, empty).next()
        {
            return Action::Move(direction).into();
        }
        if let Some(direction) = by_weakness(sight, corpses).next() {
            return Action::Eat(direction).into();
        }
        if let Some(direction) = by_isolation(sight, enemies, attack) {
            return Action::Attack(direction, strength(sight)).into();
        }
    }
    if energy >= 5 && !empty.is_empty() {
        let Some(direction) = place_to_divide(sight, empty, enemy_centre) else { return Answer::Junk("") };
        // Once half the dish is its own, it assumes that the enemy is in the far corner.
        let midway = 2 * own.count as usize + 2 > sight.width() * sight.height();
        let goal = match (midway, enemy_centre.x < own_centre.x) {
            (false, _) => enemy_centre,
            (true, true) => Centre { x: 0.0, y: 0.0 },
            (true, false) => Centre { x: sight.width() as f64, y: sight.height() as f64 },
        };
        let nearer = goal.distance(here) > goal.distance(here.step(direction));
        let moves = energy == FULL && friends >= 5 && nearer;
        return if moves { Action::Move(direction) } else { Action::Divide(direction) }.into();
    }
    if let Some(direction) = by_weakness(sight, corpses).next() {
        return if energy < FULL { Action::Eat(direction) } else { Action::Divide(direction) }.into();
    }
    if energy > 0
        && let Some(direction) = by_isolation(sight, enemies, attack)
    {
        return Action::Attack(direction, strength(sight)).into();
    }
    Action::Rest.into()
}

fn at_edge(sight: &Sight<'_>, place: Place) -> bool {
    let (x, y) = (usize::from(place.x), usize::from(place.y));
    x == 0 || y == 0 || x + 1 == sight.width() || y + 1 == sight.height()
}

/// Number of squares around a square that are not friends, minus the friends.
fn room(sight: &Sight<'_>, direction: Direction) -> i32 {
    let around = sight.around_of(sight.place().step(direction));
    (around.empty.len() + around.corpses.len() + around.enemies.len()) as i32 - around.own.len() as i32
}

/// Sorts by room, most first.
fn by_room(sight: &Sight<'_>, ways: Directions) -> impl Iterator<Item = Direction> {
    // With no enemy every distance is not a number and all squares compare as equal; the sort is stable.
    let aimless = sight.sum_of(Thing::Enemy).count == 0;
    sorted(ways, move |direction| if aimless { 0 } else { -room(sight, direction) })
}

/// Sorts by the most friends and fewest enemies around.
fn by_weakness(sight: &Sight<'_>, ways: Directions) -> impl Iterator<Item = Direction> {
    sorted(ways, move |direction| {
        let around = sight.around_of(sight.place().step(direction));
        around.enemies.len() as i32 - around.own.len() as i32
    })
}

/// Returns the enemy to attack: preferably at the edge, then the one with the fewest friends around it.
fn by_isolation(sight: &Sight<'_>, enemies: Directions, attack: usize) -> Option<Direction> {
    sorted(enemies, |direction| {
        let place = sight.place().step(direction);
        let around = sight.around_of(place);
        let crowd = around.enemies.len() as i32 - (around.empty.len() + around.corpses.len() + around.own.len()) as i32;
        let colour = (usize::from(place.x) + usize::from(place.y) + attack + 1) % 2;
        crowd - if at_edge(sight, place) { 1000 } else { 0 } - colour as i32
    })
    .next()
}

/// The directions by their key, lowest first; equal ones stay in order.
fn sorted(ways: Directions, key: impl Fn(Direction) -> i32) -> impl Iterator<Item = Direction> {
    let mut keyed = [(i32::MAX, Direction::NorthWest); 8];
    let length = ways.len();
    for (slot, direction) in keyed.iter_mut().zip(ways) {
        *slot = (key(direction), direction);
    }
    // The directions themselves break ties, so an unstable sort is enough.
    keyed[..length].sort_unstable();
    keyed.into_iter().take(length).map(|(_, direction)| direction)
}

/// Returns the square nearest to the enemy among those with the most room; `None` if there is no enemy, or it is too
/// far away to count.
fn place_to_divide(sight: &Sight<'_>, ways: Directions, enemy_centre: Centre) -> Option<Direction> {
    let mut best = None;
    let (mut most, mut least) = (i32::MIN, 0.0);
    for direction in by_room(sight, ways) {
        let room = room(sight, direction);
        if room > most {
            (most, least, best) = (room, 100_000.0, None);
        }
        let distance = enemy_centre.distance(sight.place().step(direction));
        if room == most && distance < least {
            (least, best) = (distance, Some(direction));
        }
    }
    best
}
