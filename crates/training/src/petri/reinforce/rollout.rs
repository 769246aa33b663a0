//! A game to learn from: what the cells saw and did, and its consequences around them.

use agon_engines::petri::{CellInputs, CellNetwork, CellView, PetriProgram, Policy, weigh_all};
use agon_game::seed::Stream;
use agon_game::{Outcome, Side};
use agon_rules::petri::{Action, Applied, Direction, Dish, DishSetup, Place, Sight};

use super::net::SparseNet;

/// Number of outputs of a policy's network.
pub const OUTPUTS: usize = CellNetwork::OUTPUTS;

/// Inputs of the critic besides the policy's: hit points and energy of every living cell in the window, own and
/// enemies'.
pub const TRUE_INPUTS: usize = 2 * (HP + ENERGY) * CellView::WINDOW;
/// Hit points are capped here, from 1.
const HP: usize = 8;
/// The most energy, from 0.
const ENERGY: usize = 9;

/// Value of a living cell, where 1 is one with all its hit points.
const ALIVE: f32 = 0.5;

/// Additional value of each point of its energy.
const CHARGE: f32 = 0.06;

/// Number of steps from a cell within which events count as its doing immediately.
const NEAR: usize = 2;

/// Number of player turns in which its influence spreads by one step.
const SLOWNESS: usize = 3;

/// For how many player turns anything is its doing.
const HORIZON: usize = 80;

/// Chances below this count as this one.
pub const MIN_CHANCE: f32 = 1e-9;

pub struct Learner<'a> {
    pub base: &'a Policy,
    pub actor: &'a SparseNet<OUTPUTS>,
    pub critic: &'a SparseNet<1>,
    /// Divisor of the scores before an action is drawn.
    pub temperature: f32,
    /// Weight of an event one player turn later.
    pub discount: f32,
    /// Approximate number of decisions kept per game.
    pub kept: f32,
}

#[derive(Clone, Debug)]
pub struct CellDecision {
    /// Inputs of the critic, as a range of [`Batch::inputs`].
    pub known: [usize; 2],
    /// Inputs of the policy along each direction in which it could act, as a range of [`Batch::views`].
    pub views: [usize; 2],
    /// Its possible actions, as a range of [`Batch::options`].
    pub options: [usize; 2],
    /// Index of the chosen action.
    pub chosen: usize,
    /// The logarithm of its chance then.
    pub log_chance: f32,
    pub expected: f32,
    pub came: f32,
}

/// Something that could be done.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Choosable {
    /// Index of the decision's view it belongs to.
    pub view: usize,
    /// The output that corrects it.
    pub output: usize,
    /// Score without a network.
    pub value: f32,
}

#[derive(Clone, Debug, Default)]
pub struct Batch {
    /// Inputs that were 1.
    pub inputs: Vec<u16>,
    pub views: Vec<[usize; 2]>,
    pub options: Vec<Choosable>,
    pub samples: Vec<CellDecision>,
}

impl Batch {
    pub fn append(&mut self, mut other: Self) {
        let (inputs, views, options) = (self.inputs.len(), self.views.len(), self.options.len());
        for view in &mut other.views {
            *view = view.map(|at| at + inputs);
        }
        for sample in &mut other.samples {
            sample.known = sample.known.map(|at| at + inputs);
            sample.views = sample.views.map(|at| at + views);
            sample.options = sample.options.map(|at| at + options);
        }
        self.inputs.append(&mut other.inputs);
        self.views.append(&mut other.views);
        self.options.append(&mut other.options);
        self.samples.append(&mut other.samples);
    }

    /// The critic's inputs at a decision.
    pub fn known(&self, sample: &CellDecision) -> &[u16] {
        &self.inputs[sample.known[0]..sample.known[1]]
    }

    /// Returns the policy's inputs along each direction in which it could act.
    pub fn seen(&self, sample: &CellDecision) -> impl Iterator<Item = &[u16]> {
        self.views[sample.views[0]..sample.views[1]].iter().map(|&[start, end]| &self.inputs[start..end])
    }

    pub fn options(&self, sample: &CellDecision) -> &[Choosable] {
        &self.options[sample.options[0]..sample.options[1]]
    }
}

/// Chances by their weights; `values` is replaced.
pub fn softmax(values: &mut [f32], temperature: f32) {
    let most = values.iter().copied().fold(f32::NEG_INFINITY, f32::max);
    let mut sum = 0.0;
    for value in &mut *values {
        *value = ((*value - most) / temperature).exp();
        sum += *value;
    }
    for value in values {
        *value /= sum;
    }
}

/// Time and place of a kept decision.
struct Moment {
    turn: u32,
    side: Side,
    place: Place,
    /// Number of events before it.
    events: usize,
}

/// A change in what lives on a square, from the first colony's point of view.
struct Event {
    turn: u32,
    place: Place,
    change: f32,
}

/// Plays a game, in which the learner plays both sides if there is no opponent. Returns its decisions and the winner.
pub fn rollout(
    learner: &Learner<'_>,
    setup: &DishSetup,
    opponents: [Option<&dyn PetriProgram>; 2],
    seed: u64,
) -> (Batch, Option<Side>) {
    let mut batch = Batch::default();
    let Ok(mut dish) = Dish::new(setup) else { return (batch, None) };
    let mut random = ["rollout first", "rollout second"].map(|purpose| Stream::new(seed, purpose));
    let mut events: Vec<Event> = Vec::new();
    let mut moments: Vec<Moment> = Vec::new();
    let sides = opponents.iter().filter(|opponent| opponent.is_none()).count() as f32;
    // About half of the squares are its own, and half of its cells have a decision to make.
    let decisions = sides * f32::from(setup.turns) * (setup.width * setup.height) as f32 / 6.0;
    let share = (learner.kept / decisions).min(1.0);
    let mut thoughts = Thoughts::default();
    while let (Some(actor), Some(sight)) = (dish.actor(), dish.sight()) {
        let side = actor.side;
        let random = &mut random[side.index()];
        let action = match opponents[side.index()] {
            Some(opponent) => opponent.act(&sight, random).action(),
            None if !thoughts.weigh(learner, &sight) => Action::Rest,
            None => {
                let chosen = drawn(&thoughts.chances, unit(random));
                // There is little to learn from clear decisions.
                let doubt = 1.0 - thoughts.chances.iter().copied().fold(0.0, f32::max);
                if unit(random) < share * (4.0 * doubt).clamp(0.05, 1.0) {
                    moments.push(Moment { turn: dish.turns(), side, place: actor.place, events: events.len() });
                    thoughts.keep(learner, &dish, chosen, &mut batch);
                }
                thoughts.actions[chosen]
            }
        };
        act(&mut dish, action, &mut events);
    }
    settle(learner.discount, setup, &events, &moments, &mut batch.samples);
    (batch, dish.outcome().and_then(Outcome::winner))
}

/// A cell's considerations before it acts.
#[derive(Default)]
struct Thoughts {
    actions: Vec<Action>,
    options: Vec<Choosable>,
    chances: Vec<f32>,
    /// Inputs and outputs along the directions it has looked.
    views: Vec<(Option<Direction>, CellInputs, [f32; OUTPUTS])>,
    view: Option<CellView>,
}

impl Thoughts {
    /// Scores the cell's actions; returns `false` if it can only rest.
    fn weigh(&mut self, learner: &Learner<'_>, sight: &Sight<'_>) -> bool {
        self.actions.clear();
        self.options.clear();
        self.views.clear();
        self.chances.clear();
        let mut offer = |output, value, action| {
            self.actions.push(action);
            self.options.push(Choosable { view: 0, output, value });
        };
        offer(CellNetwork::REST, 0.0, Action::Rest);
        weigh_all(learner.base, sight, |row, value, action| offer(row as usize, value, action));
        if self.actions.len() == 1 {
            return false;
        }
        let view = CellView::new(sight);
        for (option, action) in self.options.iter_mut().zip(&self.actions) {
            let along = action.direction();
            let known = self.views.iter().position(|(direction, ..)| *direction == along);
            option.view = known.unwrap_or_else(|| {
                let inputs = view.inputs(along);
                let (_, outputs) = learner.actor.forward(&inputs);
                self.views.push((along, inputs, outputs));
                self.views.len() - 1
            });
            self.chances.push(option.value + self.views[option.view].2[option.output]);
        }
        self.view = Some(view);
        softmax(&mut self.chances, learner.temperature);
        true
    }

    fn keep(&self, learner: &Learner<'_>, dish: &Dish, chosen: usize, batch: &mut Batch) {
        let (Some(actor), Some(view)) = (dish.actor(), &self.view) else { return };
        let known = batch.inputs.len();
        batch.inputs.extend_from_slice(&view.inputs(None));
        push_truth(dish, view, actor.place, actor.side, &mut batch.inputs);
        let known = [known, batch.inputs.len()];
        let (_, [expected]) = learner.critic.forward(&batch.inputs[known[0]..]);
        let (views, options) = (batch.views.len(), batch.options.len());
        for (_, inputs, _) in &self.views {
            let start = batch.inputs.len();
            batch.inputs.extend_from_slice(inputs);
            batch.views.push([start, batch.inputs.len()]);
        }
        batch.options.extend_from_slice(&self.options);
        batch.samples.push(CellDecision {
            known,
            views: [views, batch.views.len()],
            options: [options, batch.options.len()],
            chosen,
            log_chance: self.chances[chosen].max(MIN_CHANCE).ln(),
            expected,
            came: 0.0,
        });
    }
}

/// A number from 0 to 1.
fn unit(random: &mut Stream) -> f32 {
    (random.next() >> 40) as f32 / (1_u64 << 24) as f32
}

/// The first index at which the chances add up to more than this.
fn drawn(chances: &[f32], point: f32) -> usize {
    let mut sum = 0.0;
    let passed = |chance: &&f32| {
        sum += **chance;
        sum <= point
    };
    chances.iter().take_while(passed).count().min(chances.len() - 1)
}

/// The hit points and the energy of all around.
fn push_truth(dish: &Dish, view: &CellView, here: Place, side: Side, inputs: &mut Vec<u16>) {
    let first = CellNetwork::INPUTS;
    for dy in -3..=3_i8 {
        for dx in -3..=3_i8 {
            let Some((x, y)) = here.x.checked_add_signed(dx).zip(here.y.checked_add_signed(dy)) else { continue };
            let Some(cell) = dish.cell(Place { x, y }) else { continue };
            let Some(square) = view.square(dx.into(), dy.into()) else { continue };
            let own = usize::from(cell.side == side);
            let of_square = first + (2 * square + own) * (HP + ENERGY);
            inputs.push((of_square + usize::from(cell.hp).clamp(1, HP) - 1) as u16);
            inputs.push((of_square + HP + usize::from(cell.energy).min(ENERGY - 1)) as u16);
        }
    }
}

/// Returns the value of what lives on a square, from the first colony's point of view.
fn worth(dish: &Dish, place: Place) -> f32 {
    let Some(cell) = dish.cell(place) else { return 0.0 };
    let whole = dish.species(cell.side).hp().max(1);
    let worth = ALIVE + (1.0 - ALIVE) * f32::from(cell.hp) / f32::from(whole) + CHARGE * f32::from(cell.energy);
    if cell.side == Side::First { worth } else { -worth }
}

fn act(dish: &mut Dish, action: Action, events: &mut Vec<Event>) {
    let Some(actor) = dish.actor() else { return };
    let turn = dish.turns();
    // The cell itself last, which an exploding one does not outlive.
    let mut places = [actor.place; 9];
    let mut count = 1;
    match action {
        Action::Divide(direction) | Action::Attack(direction, _) | Action::Move(direction) => {
            places[0] = actor.place.step(direction);
            count = 2;
        }
        Action::Explode => {
            for (place, direction) in places.iter_mut().zip(Direction::ALL) {
                *place = actor.place.step(direction);
            }
            count = 9;
        }
        Action::Rest | Action::Eat(_) => {}
    }
    let before = places.map(|place| worth(dish, place));
    let _: Option<Applied> = dish.act(action);
    let after = places.map(|place| worth(dish, place));
    if matches!(action, Action::Move(_)) {
        // A cell that moved there was already on the dish.
        let change = after[0] + after[1] - before[0] - before[1];
        if change != 0.0 {
            events.push(Event { turn, place: actor.place, change });
        }
        return;
    }
    for ((&place, before), after) in places.iter().zip(before).zip(after).take(count) {
        let change = after - before;
        if change != 0.0 {
            events.push(Event { turn, place, change });
        }
    }
}

/// Computes the return of every decision: all events that it may have influenced, later ones discounted. The influence
/// of a decision spreads with every turn.
fn settle(discount: f32, setup: &DishSetup, events: &[Event], moments: &[Moment], samples: &mut [CellDecision]) {
    let (width, height) = (setup.width, setup.height);
    let turns = events.last().map_or(0, |event| event.turn + 1) as usize;
    // For each turn, the sums over all squares above and to the left of each.
    let mut sums = vec![0.0_f32; turns * (width + 1) * (height + 1)];
    let tables = || 0..turns;
    let at = |turn: usize, x: usize, y: usize| (turn * (height + 1) + y) * (width + 1) + x;
    for event in events {
        sums[at(event.turn as usize, usize::from(event.place.x) + 1, usize::from(event.place.y) + 1)] += event.change;
    }
    for turn in tables() {
        for y in 1..=height {
            let mut row = 0.0;
            for x in 1..=width {
                row += sums[at(turn, x, y)];
                sums[at(turn, x, y)] = row + sums[at(turn, x, y - 1)];
            }
        }
    }
    for (moment, sample) in moments.iter().zip(samples) {
        let (mut sum, mut weight) = (0.0, 1.0);
        for (later, turn) in (moment.turn as usize..turns).take(HORIZON).enumerate() {
            let reach = NEAR + later / SLOWNESS;
            let range = |place: u8, length: usize| {
                (usize::from(place).saturating_sub(reach), (usize::from(place) + reach + 1).min(length))
            };
            let ((left, right), (top, bottom)) = (range(moment.place.x, width), range(moment.place.y, height));
            let inside = sums[at(turn, right, bottom)] - sums[at(turn, left, bottom)] - sums[at(turn, right, top)]
                + sums[at(turn, left, top)];
            sum += weight * inside;
            weight *= discount;
        }
        // Events before it in its own turn are not its doing.
        let before = events[..moment.events].iter().rev().take_while(|event| event.turn == moment.turn);
        for event in before {
            let steps = event.place.x.abs_diff(moment.place.x).max(event.place.y.abs_diff(moment.place.y));
            if usize::from(steps) <= NEAR {
                sum -= event.change;
            }
        }
        sample.came = if moment.side == Side::First { sum } else { -sum };
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use agon_rules::petri::{Rules, Species};

    fn place(x: u8, y: u8) -> Place {
        Place { x, y }
    }

    /// Checks the return of a decision of the first colony on (5,5) in turn 4, on 20 × 20.
    #[track_caller]
    fn check(events: &[(u32, Place, f32)], known: usize, expected: f32) {
        let species = [Species::new(7, 5, 0).expect("twelve points"); 2];
        let setup = DishSetup { width: 20, height: 20, turns: 150, species, rules: Rules::Contest };
        let event = |&(turn, place, change): &(u32, Place, f32)| Event { turn, place, change };
        let events: Vec<Event> = events.iter().map(event).collect();
        for (side, sign) in [(Side::First, 1.0), (Side::Second, -1.0)] {
            let moment = Moment { turn: 4, side, place: place(5, 5), events: known };
            let nothing = CellDecision {
                known: [0; 2],
                views: [0; 2],
                options: [0; 2],
                chosen: 0,
                log_chance: 0.0,
                expected: 0.0,
                came: 0.0,
            };
            let mut samples = [nothing];
            settle(0.5, &setup, &events, &[moment], &mut samples);
            let came = sign * samples[0].came;
            assert!((came - expected).abs() < 1e-5, "{came}, not {expected}");
        }
    }

    #[test]
    fn a_decision_is_worth_what_comes_after_it_around_it() {
        let near = place(7, 3);
        check(&[(4, near, 1.0)], 0, 1.0);
        // It happened before, in the same turn and in an earlier one.
        check(&[(4, near, 1.0)], 1, 0.0);
        check(&[(3, near, 1.0), (4, near, 1.0)], 1, 1.0);
        // Later counts less, and reaches further.
        check(&[(5, near, 1.0), (6, near, -1.0)], 0, 0.25);
        let far = place(9, 5);
        check(&[(4, far, 1.0)], 0, 0.0);
        check(&[(9, far, 1.0)], 0, 0.0);
        check(&[(10, far, 1.0)], 0, 1.0 / 64.0);
    }

    #[test]
    fn events_are_what_the_cells_have_become() {
        let species = [Species::new(7, 5, 0).expect("twelve points"); 2];
        let setup = DishSetup { width: 4, height: 4, turns: 150, species, rules: Rules::Contest };
        let mut dish = Dish::new(&setup).expect("a dish");
        let mut events = Vec::new();
        let mut changes = |dish: &mut Dish, action| {
            events.clear();
            act(dish, action, &mut events);
            events.iter().map(|event| (event.place, event.change)).collect::<Vec<_>>()
        };
        // A newborn without energy, and the energy of its parent.
        let born = changes(&mut dish, Action::Divide(Direction::West));
        let [child, (parent, spent)] = born[..] else { panic!("{born:?}") };
        assert_eq!((child, parent), ((place(0, 1), 1.0), place(1, 1)));
        assert!((spent + 5.0 * CHARGE).abs() < 1e-6, "{born:?}");
        // The second colony hurts the first: all is seen from the first one.
        let blow = changes(&mut dish, Action::Attack(Direction::NorthWest, 3));
        let [(hurt, loss), (by, spent)] = blow[..] else { panic!("{blow:?}") };
        assert_eq!((hurt, by), (place(1, 1), place(2, 2)));
        assert!((loss + (1.0 - ALIVE) * 3.0 / 7.0).abs() < 1e-6 && (spent - 3.0 * CHARGE).abs() < 1e-6, "{blow:?}");
    }

    #[test]
    fn chances_add_up_and_are_drawn_as_often() {
        let mut chances = [1.0, 0.0, 2.0];
        softmax(&mut chances, 0.5);
        assert!((chances.iter().sum::<f32>() - 1.0).abs() < 1e-6);
        assert!((chances[2] / chances[0] - 2.0_f32.exp()).abs() < 1e-3, "{chances:?}");
        assert_eq!([0.0, 0.1, 0.3, 0.99].map(|point| drawn(&[0.2, 0.1, 0.7], point)), [0, 0, 2, 2]);
    }
}
