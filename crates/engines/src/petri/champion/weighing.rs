//! A cell's possible actions, and their scores.

use agon_rules::petri::{Action, Direction, Place, Sight, Surroundings, Thing};

use super::input::{CellView, OUTPUTS, REST};
use super::network::CellNetwork;
use super::outlook::Outlook;
use super::policy::{EXTRAS, FEATURES, Policy};
use super::row::Row;

/// The features that are the same wherever an action is directed.
const COMMON: usize = 10;

const COMMON_EXTRAS: usize = 6;

struct Target {
    features: [f32; FEATURES - COMMON],
    /// The additional features of the wider family.
    extras: [f32; EXTRAS - COMMON_EXTRAS],
}

/// The energy of a division.
const DIVISION: u8 = 5;
/// A full blow, and its energy.
const BLOW: u8 = 3;

/// The action that weighs most; of equals the first counts, and a rest is the first.
pub(super) fn decide(policy: &Policy, sight: &Sight<'_>) -> Action {
    if is_idle(sight) {
        return Action::Rest;
    }
    let mut corrections = policy.network.as_ref().map(|network| Corrections::new(network, sight));
    let mut correct = |output, action: Action| match &mut corrections {
        Some(corrections) => corrections.of(output, action),
        None => 0.0,
    };
    let mut best = (correct(REST, Action::Rest), Action::Rest);
    weigh_all(policy, sight, |row, value, action| {
        let value = value + correct(row as usize, action);
        if value > best.0 {
            best = (value, action);
        }
    });
    best.1
}

/// Corrections of actions by a network, which runs once for each direction.
struct Corrections<'a> {
    network: &'a CellNetwork,
    view: CellView,
    /// Along the directions, and last along the front.
    outputs: [Option<[f32; OUTPUTS]>; 9],
}

impl<'a> Corrections<'a> {
    fn new(network: &'a CellNetwork, sight: &Sight<'_>) -> Self {
        Self { network, view: CellView::new(sight), outputs: [None; 9] }
    }

    fn of(&mut self, output: usize, action: Action) -> f32 {
        let along = action.direction();
        let Self { network, view, outputs } = self;
        let outputs = &mut outputs[along.map_or(8, |direction| direction as usize)];
        outputs.get_or_insert_with(|| network.outputs(&view.inputs(along)))[output]
    }
}

/// Scores every legal action except a rest, whose score is 0, without a network.
pub fn weigh_all(policy: &Policy, sight: &Sight<'_>, offer: impl FnMut(Row, f32, Action)) {
    if is_idle(sight) {
        return;
    }
    let mut weighing = Weighing::new(policy, sight, sight.around(), offer);
    weighing.spread();
    weighing.fight();
    weighing.eat();
    weighing.explode();
}

/// Returns true if the cell can only rest: most cells of a large colony are enclosed, or too tired for anything.
fn is_idle(sight: &Sight<'_>) -> bool {
    let around = sight.around();
    around.corpses.is_empty() && (sight.energy() == 0 || (around.free().is_empty() && around.enemies.is_empty()))
}

/// A cell's choice on its way.
struct Weighing<'a, F> {
    policy: &'a Policy,
    sight: &'a Sight<'a>,
    around: Surroundings,
    outlook: Outlook<'a>,
    /// Centroid of the enemies: the direction to go when none is near.
    centre: [f32; 2],
    /// Steps to the nearest enemy.
    distance: f32,
    /// Features that do not depend on the action.
    common: [f32; COMMON],
    /// The extras of that kind; zeros in the narrower family.
    common_extras: [f32; COMMON_EXTRAS],
    /// Receives every action.
    offer: F,
}

impl<'a, F: FnMut(Row, f32, Action)> Weighing<'a, F> {
    fn new(policy: &'a Policy, sight: &'a Sight<'a>, around: Surroundings, offer: F) -> Self {
        let (hp, energy) = (sight.hp(), sight.energy());
        let own = sight.sum_of(Thing::Own).count as f32;
        let enemies = sight.sum_of(Thing::Enemy);
        let area = (sight.width() * sight.height()) as f32;
        let overflow = i32::from(energy) + 2 - i32::from(policy.species.energy());
        let common = [
            1.0,
            f32::from(energy) / 8.0,
            0.0,
            1.0 - f32::from(hp) / f32::from(policy.species.hp().max(1)),
            around.enemies.len() as f32 / 3.0,
            around.own.len() as f32 / 4.0,
            2.0 * own / (own + enemies.count as f32) - 1.0,
            sight.sum_of(Thing::Empty).count as f32 / area,
            overflow.max(0) as f32 / 2.0,
            0.0,
        ];
        let centre = [enemies.x, enemies.y].map(|sum| sum as f32 / enemies.count.max(1) as f32);
        let outlook = Outlook::new(sight);
        let common_extras = [0.0; COMMON_EXTRAS];
        let mut weighing = Self { policy, sight, around, outlook, centre, distance: 0.0, common, common_extras, offer };
        weighing.distance = weighing.distance(sight.place(), weighing.outlook.distance());
        if policy.extras.is_some() {
            weighing.common_extras = weighing.common_extras();
        }
        weighing
    }

    /// Steps to the nearest enemy, or to the middle of the enemies if none is in sight.
    fn distance(&self, at: Place, seen: Option<i32>) -> f32 {
        let beyond = || {
            let [x, y] = self.centre;
            (x - f32::from(at.x)).abs().max((y - f32::from(at.y)).abs())
        };
        seen.map_or_else(beyond, |distance| distance as f32)
    }

    fn target(&self, way: Direction, special: f32) -> Target {
        let at = self.sight.place().step(way);
        self.target_at(way, self.distance(at, self.outlook.distance_from(way)), special)
    }

    /// The same for a target whose distance to the enemy is known.
    fn target_at(&self, way: Direction, away: f32, special: f32) -> Target {
        let near = self.sight.around_of(self.sight.place().step(way));
        let [ours, theirs] = self.outlook.strength(way, 2).map(|count| count as f32);
        let walls = 8 - near.own.len() - near.enemies.len() - near.free().len();
        let features = [
            near.own.len() as f32 / 4.0,
            near.enemies.len() as f32 / 3.0,
            near.free().len() as f32 / 4.0,
            self.distance - away,
            special,
            walls as f32 / 3.0,
            (ours - theirs) / (ours + theirs + 1.0),
            away.min(8.0) / 8.0,
            near.corpses.len() as f32 / 2.0,
            (ours + theirs) / 8.0,
        ];
        let extras = match self.policy.extras {
            Some(_) => self.extras(way, &features),
            None => [0.0; EXTRAS - COMMON_EXTRAS],
        };
        Target { features, extras }
    }

    /// Returns 1 if a full blow kills the cell.
    fn lost(&self) -> f32 {
        f32::from(u8::from(self.sight.hp() <= BLOW))
    }

    fn size(&self) -> f32 {
        (((self.sight.width() * self.sight.height()) as f32).log2() - 7.0) / 3.0
    }

    fn common_extras(&self) -> [f32; COMMON_EXTRAS] {
        let [own, enemies] = self.outlook.strength_here().map(|count| count as f32);
        [
            self.lost(),
            self.lost() * self.common[4],
            own / 8.0,
            enemies / 5.0,
            self.size(),
            self.around.free().len() as f32 / 4.0,
        ]
    }

    fn extras(&self, way: Direction, features: &[f32; FEATURES - COMMON]) -> [f32; EXTRAS - COMMON_EXTRAS] {
        let (here, at) = (self.sight.place(), self.sight.place().step(way));
        let [own_ahead, enemies_ahead] = self.outlook.ahead(way).map(|count| count as f32 / 4.0);
        let own_behind = self.outlook.behind(way)[0] as f32 / 4.0;
        let sign = |odd: u8| if odd.is_multiple_of(2) { 1.0 } else { -1.0 };
        let [ours, theirs] = self.outlook.strength(way, 3).map(|count| count as f32);
        let own = self.sight.sum_of(Thing::Own);
        let own = [own.x, own.y].map(|sum| sum as f32 / own.count as f32);
        let nearer = |[x, y]: [f32; 2]| {
            let from = |place: Place| (x - f32::from(place.x)).hypot(y - f32::from(place.y));
            from(here) - from(at)
        };
        let edge = |at: u8, length: usize| usize::from(at).min((length - 1).saturating_sub(at.into()));
        let edge = edge(at.x, self.sight.width()).min(edge(at.y, self.sight.height())).min(4);
        let [own_near, enemies_near, _, approach, ..] = *features;
        let (lost, energy, lead, size) = (self.common_extras[0], self.common[1], self.common[6], self.common_extras[4]);
        [
            own_ahead,
            enemies_ahead,
            own_behind,
            sign(at.x ^ at.y),
            sign(at.x),
            sign(at.y),
            nearer(self.centre),
            nearer(own),
            enemies_near * enemies_near,
            own_near * own_near,
            lost * enemies_near,
            energy * enemies_near,
            self.common[3] * enemies_near,
            lead * approach,
            size * approach,
            lost * approach,
            energy * approach,
            energy * own_near,
            (ours - theirs) / (ours + theirs + 1.0),
            edge as f32 / 4.0,
        ]
    }

    /// Scores an action that spends this energy.
    fn weigh(&mut self, row: Row, spent: u8, target: &Target, action: Action) {
        let energy = self.sight.energy();
        self.common[2] = f32::from(u8::from(energy >= spent + BLOW));
        self.common[9] = f32::from(u8::from(energy >= spent + DIVISION));
        let (common, special) = self.policy.weights[row as usize].split_at(COMMON);
        let product = |(weight, feature): (&f32, &f32)| weight * feature;
        let mut value = common.iter().zip(&self.common).map(product).sum::<f32>()
            + special.iter().zip(&target.features).map(product).sum::<f32>();
        let extras = self.policy.extras.as_ref().and_then(|extras| extras.get(row as usize));
        if let Some((common, special)) = extras.map(|extras| extras.split_at(COMMON_EXTRAS)) {
            value += common.iter().zip(&self.common_extras).map(product).sum::<f32>()
                + special.iter().zip(&target.extras).map(product).sum::<f32>();
        }
        (self.offer)(row, value, action);
    }

    fn spread(&mut self) {
        if self.sight.energy() == 0 {
            return;
        }
        for direction in self.around.free() {
            let at = self.sight.place().step(direction);
            let corpse = self.around.corpses.contains(direction);
            let distance = self.distance(at, self.outlook.distance_from(direction));
            let target = self.target_at(direction, distance, f32::from(u8::from(corpse)));
            let class = usize::from(distance > 1.5) + usize::from(distance > 2.5);
            self.weigh([Row::MoveContact, Row::MoveNear, Row::MoveFar][class], 1, &target, Action::Move(direction));
            if self.sight.energy() >= DIVISION {
                let row = [Row::DivideContact, Row::DivideNear, Row::DivideFar][class];
                self.weigh(row, DIVISION, &target, Action::Divide(direction));
            }
        }
    }

    /// Attacks, always with everything it has.
    fn fight(&mut self) {
        let strength = self.sight.energy().min(BLOW);
        if strength == 0 {
            return;
        }
        let row = if strength == BLOW { Row::Attack } else { Row::Jab };
        for direction in self.around.enemies {
            let target = self.target(direction, f32::from(strength) / 3.0);
            self.weigh(row, strength, &target, Action::Attack(direction, i32::from(strength)));
        }
    }

    fn eat(&mut self) {
        let useful = self.policy.species.energy().saturating_sub(self.sight.energy()).min(4);
        for direction in self.around.corpses {
            let target = self.target(direction, f32::from(useful) / 4.0);
            self.weigh(Row::Eat, 0, &target, Action::Eat(direction));
        }
    }

    fn explode(&mut self) {
        let (hp, energy) = (self.sight.hp(), self.sight.energy());
        if hp > 3 || energy <= hp || self.around.enemies.is_empty() {
            return;
        }
        let damage = f32::from(hp + self.policy.species.acidity()) / 3.0;
        let mut features = [0.0; FEATURES - COMMON];
        features[0] = damage * self.around.own.len() as f32 / 4.0;
        features[1] = damage * self.around.enemies.len() as f32 / 3.0;
        features[4] = damage;
        let target = Target { features, extras: [0.0; EXTRAS - COMMON_EXTRAS] };
        self.weigh(Row::Explode, 0, &target, Action::Explode);
    }
}
