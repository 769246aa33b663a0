//! What a cell can do, and what each of it weighs.

use agon_rules::petri::{Action, Place, Sight, Surroundings, Thing};

use super::outlook::Outlook;
use super::policy::{FEATURES, Policy, Row};

/// The features that are the same wherever an action is directed.
const COMMON: usize = 10;

/// Those of the target.
type Target = [f32; FEATURES - COMMON];

/// The energy of a division.
const DIVISION: u8 = 5;
/// A full blow, and its energy.
const BLOW: u8 = 3;

/// The action that weighs most; a rest weighs 0, and of equals the first counts.
pub fn decide(policy: &Policy, sight: &Sight<'_>) -> Action {
    let around = sight.around();
    // Most cells of a large colony are shut in, or too tired for anything.
    let idle = sight.energy() == 0 || (around.free().is_empty() && around.enemies.is_empty());
    if around.corpses.is_empty() && idle {
        return Action::Rest;
    }
    let mut weighing = Weighing::new(policy, sight, around);
    weighing.spread();
    weighing.fight();
    weighing.eat();
    weighing.explode();
    weighing.best.1
}

/// A cell's choice on its way.
struct Weighing<'a> {
    policy: &'a Policy,
    sight: &'a Sight<'a>,
    around: Surroundings,
    outlook: Outlook,
    /// Where the enemies are on the average: the way to go when none is near.
    centre: [f32; 2],
    /// Steps to the nearest enemy.
    distance: f32,
    /// What does not depend on the action at all.
    common: [f32; COMMON],
    best: (f32, Action),
}

impl<'a> Weighing<'a> {
    fn new(policy: &'a Policy, sight: &'a Sight<'a>, around: Surroundings) -> Self {
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
        let best = (0.0, Action::Rest);
        let mut weighing = Self { policy, sight, around, outlook, centre, distance: 0.0, common, best };
        weighing.distance = weighing.distance(sight.place());
        weighing
    }

    fn distance(&self, at: Place) -> f32 {
        let beyond = || {
            let [x, y] = self.centre;
            (x - f32::from(at.x)).abs().max((y - f32::from(at.y)).abs())
        };
        self.outlook.distance(at).map_or_else(beyond, |distance| distance as f32)
    }

    fn target(&self, at: Place, special: f32) -> Target {
        self.target_at(at, self.distance(at), special)
    }

    /// The same of a target whose distance to the enemy is known.
    fn target_at(&self, at: Place, away: f32, special: f32) -> Target {
        let near = self.sight.around_of(at);
        let [ours, theirs] = self.outlook.strength(at).map(|count| count as f32);
        let walls = 8 - near.own.len() - near.enemies.len() - near.free().len();
        [
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
        ]
    }

    /// Puts an action that spends this energy on the scales.
    fn weigh(&mut self, row: Row, spent: u8, target: &Target, action: Action) {
        let energy = self.sight.energy();
        self.common[2] = f32::from(u8::from(energy >= spent + BLOW));
        self.common[9] = f32::from(u8::from(energy >= spent + DIVISION));
        let (common, special) = self.policy.weights[row as usize].split_at(COMMON);
        let product = |(weight, feature): (&f32, &f32)| weight * feature;
        let value = common.iter().zip(&self.common).map(product).sum::<f32>()
            + special.iter().zip(target).map(product).sum::<f32>();
        if value > self.best.0 {
            self.best = (value, action);
        }
    }

    /// Moves and divisions.
    fn spread(&mut self) {
        if self.sight.energy() == 0 {
            return;
        }
        for direction in self.around.free() {
            let at = self.sight.place().step(direction);
            let corpse = self.around.corpses.contains(direction);
            let distance = self.distance(at);
            let target = self.target_at(at, distance, f32::from(u8::from(corpse)));
            let class = usize::from(distance > 1.5) + usize::from(distance > 2.5);
            self.weigh([Row::MoveContact, Row::MoveNear, Row::MoveFar][class], 1, &target, Action::Move(direction));
            if self.sight.energy() >= DIVISION {
                let row = [Row::DivideContact, Row::DivideNear, Row::DivideFar][class];
                self.weigh(row, DIVISION, &target, Action::Divide(direction));
            }
        }
    }

    /// Attacks, always with all that there is.
    fn fight(&mut self) {
        let strength = self.sight.energy().min(BLOW);
        if strength == 0 {
            return;
        }
        let row = if strength == BLOW { Row::Attack } else { Row::Jab };
        for direction in self.around.enemies {
            let target = self.target(self.sight.place().step(direction), f32::from(strength) / 3.0);
            self.weigh(row, strength, &target, Action::Attack(direction, i32::from(strength)));
        }
    }

    fn eat(&mut self) {
        let useful = self.policy.species.energy().saturating_sub(self.sight.energy()).min(4);
        for direction in self.around.corpses {
            let target = self.target(self.sight.place().step(direction), f32::from(useful) / 4.0);
            self.weigh(Row::Eat, 0, &target, Action::Eat(direction));
        }
    }

    fn explode(&mut self) {
        let (hp, energy) = (self.sight.hp(), self.sight.energy());
        if hp > 3 || energy <= hp || self.around.enemies.is_empty() {
            return;
        }
        let damage = f32::from(hp + self.policy.species.acidity()) / 3.0;
        let mut target = [0.0; FEATURES - COMMON];
        target[0] = damage * self.around.own.len() as f32 / 4.0;
        target[1] = damage * self.around.enemies.len() as f32 / 3.0;
        target[4] = damage;
        self.weigh(Row::Explode, 0, &target, Action::Explode);
    }
}
