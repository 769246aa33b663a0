//! The dish: the state of a game, and the effects of actions on it.

use std::fmt::Write as _;

use agon_game::{Outcome, Side};
use agon_message::messages;

use super::grid::{Grid, Square};
use super::{
    Action, Actor, Applied, Direction, Directions, DishSetup, DishSetupError, Place, Refusal, Rules, Sight, Species,
    Thing,
};

/// Energy cost of a move.
const MOVE: u8 = 1;
/// Energy cost of a division.
const DIVISION: u8 = 5;
/// Energy gain of a rest.
const REST: u8 = 2;
/// Energy gain of a corpse.
const MEAL: u8 = 4;
/// Maximum hit points of a cell that can explode.
const BRITTLE: u8 = 3;

/// A game in progress.
///
/// All data of a cell is stored with its square, so an action looks at only two squares; each colony also has the
/// places of its cells in the order of their ages. A dead cell leaves a gap in that list, closed when its owner's next
/// turn begins. No action allocates.
#[derive(Clone, Debug)]
pub struct Dish {
    setup: DishSetup,
    pub(super) grid: Grid,
    /// Further data of the living cell on each square, numbered as in the grid; meaningless for other squares.
    bodies: Vec<Body>,
    /// Cells of each colony, oldest first, with [`GONE`] for the dead.
    ages: [Vec<Place>; 2],
    /// Next cell to act, as an index into the ages of the colony to move.
    next: usize,
    /// Index of the first cell born in this turn.
    newborns: usize,
    /// Number of finished player turns.
    turns: u32,
    actions: u64,
    ending: Option<(Outcome, DishEnding)>,
    pub(super) last: Option<Applied>,
}

#[derive(Clone, Copy, Debug, Default)]
struct Body {
    hp: u8,
    energy: u8,
    /// Index of the cell in the ages of its colony.
    age: u32,
}

/// Place of the dead: outside every dish.
const GONE: Place = Place { x: u8::MAX, y: u8::MAX };

messages! {
    /// Why a game is over.
    #[derive(Clone, Copy, PartialEq, Eq)]
    #[allow(missing_docs)]
    pub enum DishEnding {
        /// The second colony is left.
        FirstExtinct = "the first colony is extinct",
        /// The first colony is left.
        SecondExtinct = "the second colony is extinct",
        /// A draw.
        BothExtinct = "both colonies are extinct",
        /// The maximum number of turns was reached, with these living cells.
        LastTurn { kind: TurnsOver, first: u32, second: u32 } = "{kind}, {first} cells to {second}",
        /// Like the previous one, with one cell of the first colony.
        LastTurnOneCell { kind: TurnsOver, second: u32 } = "{kind}, 1 cell to {second}",
    }

    /// End of a game in which both colonies are alive.
    #[derive(Clone, Copy, PartialEq, Eq)]
    pub enum TurnsOver {
        /// Their number of turns.
        TurnsOver = "the last turn is over",
    }
}

impl Dish {
    /// Creates the start of a game of the challenge.
    ///
    /// Extinction is checked after every action, so a second species of 0 hit points loses after the first one. A first
    /// species of 0 hit points has no cell that could act, so its turn ends at once.
    ///
    /// # Errors
    /// [`DishSetupError`] if a side is not from 4 to 255, or the number of turns is 0.
    pub fn new(setup: &DishSetup) -> Result<Self, DishSetupError> {
        setup.check(DishSetup::MIN_SIDE)?;
        Ok(Self::start(setup))
    }

    /// Creates the start of a game on a dish that may be narrower than the challenge allows, down to 3, the minimum for
    /// the starting places. For replays and experiments.
    ///
    /// # Errors
    /// [`DishSetupError`] if a side is not from 3 to 255, both cells would start on one square, or the number of turns
    /// is 0.
    pub fn cramped(setup: &DishSetup) -> Result<Self, DishSetupError> {
        setup.check(3)?;
        Ok(Self::start(setup))
    }

    fn start(setup: &DishSetup) -> Self {
        let mut grid = Grid::new(setup.width, setup.height);
        // A colony has at most a cell on every square, and gives birth at most once for each in a turn.
        let most = 2 * setup.width * setup.height;
        let mut dish = Self {
            setup: *setup,
            bodies: vec![Body::default(); grid.len()],
            ages: [Vec::with_capacity(most), Vec::with_capacity(most)],
            next: 0,
            newborns: 1,
            turns: 0,
            actions: 0,
            ending: None,
            last: None,
            grid: {
                for (side, start) in Side::BOTH.into_iter().zip(setup.starts()) {
                    grid.put(start, Square::from_side(side));
                }
                grid
            },
        };
        for (side, start) in Side::BOTH.into_iter().zip(setup.starts()) {
            let species = setup.species[side.index()];
            let index = dish.grid.index(start);
            dish.bodies[index] = Body { hp: species.hp(), energy: species.energy(), age: 0 };
            dish.ages[side.index()].push(start);
        }
        // A cell of 0 hit points still occupies its square, because the board shows it, but it does not live.
        let doomed = setup.species.map(|species| species.hp() == 0);
        dish.ending = if doomed[0] { Self::extinction(doomed) } else { None };
        dish.turns = u32::from(dish.ending.is_some());
        dish
    }

    /// Creates the dish that a cell sees, for its next action. Unseen properties, such as the hit points of other
    /// cells, do not affect whether an action is legal.
    pub(super) fn seen(sight: &Sight<'_>) -> Self {
        const ANY: Species = Species::spending(4, 8, 0).expect("the sum is 12");
        let (width, height) = (sight.width(), sight.height());
        let setup = DishSetup { width, height, turns: 2, species: [ANY; 2], rules: Rules::Contest };
        let mut dish = Self {
            setup,
            grid: Grid::new(width, height),
            bodies: Vec::new(),
            ages: [Vec::new(), Vec::new()],
            next: 0,
            newborns: 0,
            turns: 0,
            actions: 0,
            ending: None,
            last: None,
        };
        dish.bodies = vec![Body::default(); dish.grid.len()];
        let mut live = |place: Place, side: Side, hp: u8, energy: u8| {
            let ages = &mut dish.ages[side.index()];
            dish.bodies[dish.grid.index(place)] = Body { hp, energy, age: ages.len() as u32 };
            ages.push(place);
            dish.grid.put(place, Square::from_side(side));
        };
        // The oldest acts first.
        live(sight.place(), Side::First, sight.hp(), sight.energy());
        for (place, thing) in sight.columns().filter(|(place, _)| *place != sight.place()) {
            match thing {
                Thing::Own => live(place, Side::First, 1, 0),
                Thing::Enemy => live(place, Side::Second, 1, 0),
                Thing::Corpse | Thing::Empty => {}
            }
        }
        for (place, _) in sight.columns().filter(|(_, thing)| *thing == Thing::Corpse) {
            dish.grid.put(place, Square::Corpse);
        }
        dish.newborns = dish.ages[Side::First.index()].len();
        dish
    }

    /// Returns the set-up of the game.
    pub const fn setup(&self) -> &DishSetup {
        &self.setup
    }

    /// Returns the cell that must act: the oldest of the side to move that has not acted in this turn; `None` exactly
    /// if the game is over.
    #[inline]
    pub fn actor(&self) -> Option<Actor> {
        if self.ending.is_some() {
            return None;
        }
        let side = self.side();
        let place = self.ages[side.index()][self.next];
        let Body { hp, energy, .. } = self.bodies[self.grid.index(place)];
        Some(Actor { side, place, hp, energy })
    }

    /// Returns the acting cell's view; `None` exactly if the game is over.
    #[inline]
    pub fn sight(&self) -> Option<Sight<'_>> {
        self.actor().map(|actor| Sight::new(&self.grid, actor.side, actor.place, actor.hp, actor.energy))
    }

    /// Replaces `input` by the input of the acting cell's program, without a newline at the end; clears it if the game
    /// is over.
    pub fn input(&self, input: &mut String) {
        input.clear();
        if let Some(sight) = self.sight() {
            // Writing to a string cannot fail.
            let _ = write!(input, "{sight}");
        }
    }

    /// Applies a program's output to the acting cell, which rests if that is not a legal action. Returns `None`,
    /// without effect, if the game is over.
    pub fn answer(&mut self, output: &[u8]) -> Option<Applied> {
        self.apply(Action::read(output).map_err(Refusal::Misread))
    }

    /// Applies an action to the acting cell, which rests if the action is not legal. Returns `None`, without effect, if
    /// the game is over.
    #[inline]
    pub fn act(&mut self, action: Action) -> Option<Applied> {
        self.apply(Ok(action))
    }

    #[inline]
    fn apply(&mut self, action: Result<Action, Refusal>) -> Option<Applied> {
        let actor = self.actor()?;
        let mut applied = Applied {
            actor,
            action: Action::Rest,
            refusal: None,
            hit: Directions::default(),
            died: Directions::default(),
            turn_over: false,
        };
        match action.and_then(|action| self.attempt(action, &mut applied)) {
            Ok(()) => {}
            Err(refusal) => {
                applied.refusal = Some(refusal);
                self.feed(actor, REST);
            }
        }
        self.actions += 1;
        self.advance(&mut applied);
        self.last = Some(applied);
        Some(applied)
    }

    /// Carries out a legal action; for any other, returns the reason.
    #[inline]
    fn attempt(&mut self, action: Action, applied: &mut Applied) -> Result<(), Refusal> {
        let actor = applied.actor;
        match action {
            Action::Rest => self.feed(actor, REST),
            Action::Move(direction) => {
                let target = self.vacancy(actor, direction)?;
                let cost = if self.setup.rules == Rules::Contest { MOVE } else { 0 };
                let energy = pay(actor, cost)?;
                let from = self.grid.index(actor.place);
                let to = self.grid.index(target);
                self.bodies[to] = Body { energy, ..self.bodies[from] };
                self.ages[actor.side.index()][self.next] = target;
                self.grid.put(actor.place, Square::Empty);
                self.grid.put(target, Square::from_side(actor.side));
            }
            Action::Divide(direction) => {
                let target = self.vacancy(actor, direction)?;
                let energy = pay(actor, DIVISION)?;
                let from = self.grid.index(actor.place);
                let to = self.grid.index(target);
                self.bodies[from].energy = energy;
                let ages = &mut self.ages[actor.side.index()];
                self.bodies[to] =
                    Body { hp: self.setup.species[actor.side.index()].hp(), energy, age: ages.len() as u32 };
                ages.push(target);
                self.grid.put(target, Square::from_side(actor.side));
            }
            Action::Attack(direction, strength) => {
                let target = actor.place.step(direction);
                let side = match self.grid.at(self.grid.index(target)) {
                    Square::Wall => return Err(Refusal::Outside { direction }),
                    square => square.side().ok_or(Refusal::NoCell { direction })?,
                };
                if !(1..=3).contains(&strength) {
                    return Err(Refusal::Strength { strength });
                }
                let strength = strength as u8;
                let energy = pay(actor, strength)?;
                let from = self.grid.index(actor.place);
                self.bodies[from].energy = energy;
                self.hurt(side, target, direction, strength, applied);
            }
            Action::Eat(direction) => {
                let target = actor.place.step(direction);
                match self.grid.at(self.grid.index(target)) {
                    Square::Corpse => {}
                    Square::Wall => return Err(Refusal::Outside { direction }),
                    _ => return Err(Refusal::NoCorpse { direction }),
                }
                self.grid.put(target, Square::Empty);
                self.feed(actor, MEAL);
            }
            Action::Explode => {
                if actor.hp > BRITTLE {
                    return Err(Refusal::Healthy { hp: actor.hp });
                }
                if actor.energy <= actor.hp {
                    return Err(Refusal::Weak { hp: actor.hp, energy: actor.energy });
                }
                self.explode(applied);
            }
        }
        applied.action = action;
        Ok(())
    }

    fn explode(&mut self, applied: &mut Applied) {
        let actor = applied.actor;
        let (damage, reach) = match self.setup.rules {
            Rules::Contest => (actor.hp + self.setup.species[actor.side.index()].acidity(), Direction::ALL.as_slice()),
            // The first four, up to where the driver reaches the exploding cell itself.
            Rules::Published => (actor.hp, &Direction::ALL[..4]),
        };
        for &direction in reach {
            let target = actor.place.step(direction);
            if let Some(side) = self.grid.at(self.grid.index(target)).side() {
                self.hurt(side, target, direction, damage, applied);
            }
        }
        self.kill(actor.side, actor.place);
    }

    /// Returns the square in that direction, if a cell may go there.
    #[inline]
    fn vacancy(&self, actor: Actor, direction: Direction) -> Result<Place, Refusal> {
        let target = actor.place.step(direction);
        match self.grid.at(self.grid.index(target)) {
            Square::Empty | Square::Corpse => Ok(target),
            Square::First | Square::Second => Err(Refusal::Occupied { direction }),
            Square::Wall => Err(Refusal::Outside { direction }),
        }
    }

    #[inline]
    fn feed(&mut self, actor: Actor, amount: u8) {
        let index = self.grid.index(actor.place);
        self.bodies[index].energy = (actor.energy + amount).min(self.setup.species[actor.side.index()].energy());
    }

    #[inline]
    fn hurt(&mut self, side: Side, place: Place, direction: Direction, damage: u8, applied: &mut Applied) {
        applied.hit.insert(direction);
        let index = self.grid.index(place);
        let body = &mut self.bodies[index];
        body.hp = body.hp.saturating_sub(damage);
        if body.hp == 0 {
            applied.died.insert(direction);
            self.kill(side, place);
        }
    }

    #[inline]
    fn kill(&mut self, side: Side, place: Place) {
        let index = self.grid.index(place);
        self.ages[side.index()][self.bodies[index].age as usize] = GONE;
        self.grid.put(place, Square::Corpse);
    }

    /// Handles the time after an action: the end of the game, the next cell, or the next turn.
    #[inline]
    fn advance(&mut self, applied: &mut Applied) {
        let side = applied.actor.side;
        // Only a death can end the game before its last turn, or a colony that never lived.
        if applied.action == Action::Explode || !applied.died.is_empty() || self.actions == 1 {
            self.ending = Self::extinction([self.cells(Side::First) == 0, self.cells(Side::Second) == 0]);
        }
        if self.ending.is_none() {
            let waiting = &self.ages[side.index()][self.next + 1..self.newborns];
            if let Some(gap) = waiting.iter().position(|&place| place != GONE) {
                self.next += 1 + gap;
                return;
            }
        }
        applied.turn_over = true;
        self.turns += 1;
        if self.ending.is_some() {
            return;
        }
        if self.turns == 2 * u32::from(self.setup.turns) {
            let outcome = Outcome::by_score(self.cells(Side::First), self.cells(Side::Second));
            self.ending = Some((outcome, self.after_last_turn()));
        } else {
            self.begin_turn(side.other());
        }
    }

    /// Closes the gaps of the dead and starts with the oldest cell.
    fn begin_turn(&mut self, side: Side) {
        let living = self.cells(side) as usize;
        let ages = &mut self.ages[side.index()];
        if ages.len() != living {
            ages.retain(|&place| place != GONE);
            for (age, &place) in ages.iter().enumerate() {
                self.bodies[self.grid.index(place)].age = age as u32;
            }
        }
        self.next = 0;
        self.newborns = ages.len();
    }

    const fn extinction(extinct: [bool; 2]) -> Option<(Outcome, DishEnding)> {
        match extinct {
            [false, false] => None,
            [true, true] => Some((Outcome::Draw, DishEnding::BothExtinct)),
            [true, false] => Some((Outcome::Win(Side::Second), DishEnding::FirstExtinct)),
            [false, true] => Some((Outcome::Win(Side::First), DishEnding::SecondExtinct)),
        }
    }

    fn after_last_turn(&self) -> DishEnding {
        let kind = TurnsOver::TurnsOver;
        match Side::BOTH.map(|side| self.cells(side)) {
            [1, second] => DishEnding::LastTurnOneCell { kind, second },
            [first, second] => DishEnding::LastTurn { kind, first, second },
        }
    }

    /// Returns the side to move; in a finished game, the side whose turn would be next.
    #[inline]
    pub const fn side(&self) -> Side {
        if self.turns.is_multiple_of(2) { Side::First } else { Side::Second }
    }

    /// Returns how the game has ended, or `None` while it is in progress.
    pub fn outcome(&self) -> Option<Outcome> {
        self.ending.map(|(outcome, _)| outcome)
    }

    /// Returns why the game is over; `None` exactly while it is in progress.
    pub fn end_reason(&self) -> Option<DishEnding> {
        self.ending.map(|(_, ending)| ending)
    }

    /// Returns the number of finished player turns, including one cut short by the end of the game.
    pub const fn turns(&self) -> u32 {
        self.turns
    }

    /// Returns the number of actions requested since the start.
    pub const fn actions(&self) -> u64 {
        self.actions
    }

    /// Returns the last action and its effect.
    pub const fn last(&self) -> Option<&Applied> {
        self.last.as_ref()
    }

    /// Returns the number of living cells of a side.
    #[inline]
    pub fn cells(&self, side: Side) -> u32 {
        if self.setup.species[side.index()].hp() == 0 { 0 } else { self.grid.sum_of(Square::from_side(side)).count }
    }

    /// Returns the total energy of all living cells of a side.
    pub fn energy(&self, side: Side) -> u32 {
        self.colony(side).map(|cell| u32::from(cell.energy)).sum()
    }

    /// Returns the living cells of a side, oldest first.
    pub fn colony(&self, side: Side) -> impl Iterator<Item = Actor> + '_ {
        self.ages[side.index()].iter().filter(|&&place| place != GONE).filter_map(move |&place| {
            let Body { hp, energy, .. } = self.bodies[self.grid.index(place)];
            // Only a species of 0 hit points has such a cell on its list.
            (hp > 0).then_some(Actor { side, place, hp, energy })
        })
    }

    /// Returns the living cell on a square, if any.
    pub fn cell(&self, place: Place) -> Option<Actor> {
        let side = self.grid.look(place).side()?;
        let Body { hp, energy, .. } = self.bodies[self.grid.index(place)];
        Some(Actor { side, place, hp, energy })
    }

    /// Returns the species of a side.
    pub const fn species(&self, side: Side) -> Species {
        self.setup.species[side.index()]
    }
}

/// Returns the energy left after paying.
#[inline]
const fn pay(actor: Actor, needed: u8) -> Result<u8, Refusal> {
    match actor.energy.checked_sub(needed) {
        Some(energy) => Ok(energy),
        None => Err(Refusal::Energy { needed, energy: actor.energy }),
    }
}
