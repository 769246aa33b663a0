//! Many games of one kind side by side, written to slices: the part of a batch that needs no Python.

use agon_catalog::{Setup, SetupError};
use agon_game::seed::Stream;
use agon_game::{Outcome, Side};
use rayon::prelude::*;

use crate::encoding::{Encoded, Sizes};

/// An action of a game that is left as it is.
pub(crate) const NO_ACTION: i64 = -1;

/// The arrays of a batch, one row for each game.
pub(crate) struct Rows<'a> {
    pub observations: &'a mut [f32],
    pub final_observations: &'a mut [f32],
    pub masks: &'a mut [i8],
    pub turns: &'a mut [i8],
    pub rewards: &'a mut [f32],
    pub terminated: &'a mut [bool],
    pub plies: &'a mut [i32],
}

impl Rows<'_> {
    /// The first `count` rows, and the others.
    fn split(self, count: usize, sizes: &Sizes) -> (Self, Self) {
        let (observations, observations_after) = self.observations.split_at_mut(count * sizes.observation());
        let finals = if self.final_observations.is_empty() { 0 } else { count * sizes.observation() };
        let (final_observations, finals_after) = self.final_observations.split_at_mut(finals);
        let (masks, masks_after) = self.masks.split_at_mut(count * sizes.actions());
        let (turns, turns_after) = self.turns.split_at_mut(count);
        let (rewards, rewards_after) = self.rewards.split_at_mut(2 * count);
        let (terminated, terminated_after) = self.terminated.split_at_mut(count);
        let (plies, plies_after) = self.plies.split_at_mut(count);
        let after = Rows {
            observations: observations_after,
            final_observations: finals_after,
            masks: masks_after,
            turns: turns_after,
            rewards: rewards_after,
            terminated: terminated_after,
            plies: plies_after,
        };
        (Rows { observations, final_observations, masks, turns, rewards, terminated, plies }, after)
    }
}

/// An action that cannot be played.
pub(crate) struct IllegalAction {
    pub game: usize,
    pub action: i64,
    pub position: String,
}

/// Games of a kind that is only known at run time.
pub(crate) trait AnyLanes: Send + Sync {
    fn sizes(&self) -> Sizes;

    /// First illegal action.
    fn illegal(&self, actions: &[i64]) -> Option<IllegalAction>;

    /// Plays legal actions; a finished game restarts if that is wanted.
    fn step(&mut self, actions: &[i64], anew: bool, rows: Rows, threads: usize);

    /// Writes the rows of games that have come about otherwise than by a step: of all, or of these.
    fn show(&self, rows: Rows, which: Option<&[usize]>);

    /// Restarts the games selected by `which`.
    fn reset(&mut self, which: &dyn Fn(usize) -> bool) -> Result<(), SetupError>;

    /// Draws a legal action for each game, or [`NO_ACTION`] if it is over.
    fn sample(&mut self, actions: &mut [i64], threads: usize);

    /// Plays random moves for this number of plies in each game, and returns how many games have ended.
    fn random_plies(&mut self, plies: usize, threads: usize) -> u64;

    /// Returns how many random numbers each game has used.
    fn drawn(&self) -> Vec<u64>;

    /// Advances each game's stream to this many random numbers.
    fn draw_again(&mut self, drawn: &[u64]);

    /// Returns a copy of the games.
    fn copied(&self) -> Box<dyn AnyLanes>;

    /// The position of a game, as text.
    fn position(&self, game: usize) -> String;

    /// Replaces a game by a position.
    ///
    /// # Errors
    /// The reason why it is invalid, or has another size.
    fn put(&mut self, game: usize, position: &str) -> Result<(), String>;

    /// Copies games of a batch of the same kind over games of this one.
    fn copy(&mut self, targets: &[usize], from: &dyn AnyLanes, sources: &[usize]) -> bool;

    /// Copies games over others of this batch.
    fn copy_within(&mut self, targets: &[usize], sources: &[usize]);

    fn as_any(&self) -> &dyn std::any::Any;
}

/// A stream of random numbers that counts those used, so that it can be recreated.
#[derive(Clone)]
struct Draws {
    stream: Stream,
    taken: u64,
}

impl Draws {
    fn of_game(seed: u64, at: usize) -> Self {
        Self { stream: Stream::new(seed, &format!("game {at}")), taken: 0 }
    }

    #[inline]
    fn next(&mut self) -> u64 {
        self.taken += 1;
        self.stream.next()
    }

    #[inline]
    fn below(&mut self, n: usize) -> usize {
        self.taken += 1;
        self.stream.below(n)
    }
}

/// A game, and where its random numbers come from.
#[derive(Clone)]
struct Lane<P> {
    position: P,
    stream: Draws,
}

#[allow(clippy::struct_field_names, reason = "games have states and starts besides")]
#[derive(Clone)]
pub(crate) struct Lanes<P> {
    lanes: Vec<Lane<P>>,
    /// Words of legal moves, game by game.
    legal: Vec<u64>,
    sizes: Sizes,
    setup: Setup,
    /// True if each game has a start of its own.
    drawn: bool,
}

impl<P: Encoded> Lanes<P> {
    /// Creates this number of games; all randomness follows from the seed of the set-up.
    ///
    /// # Errors
    /// [`SetupError`] names the parameter that is wrong.
    pub(crate) fn new(setup: Setup, count: usize, drawn: bool) -> Result<Self, SetupError> {
        let start = setup.opened(P::start(&setup)?)?.into_position();
        let sizes = start.sizes();
        let lane = |at: usize| Lane { position: start.clone(), stream: Draws::of_game(setup.seed, at) };
        let lanes = (0..count).map(lane).collect();
        let legal = vec![0; count * (sizes.words + 1)];
        let mut lanes = Self { lanes, legal, sizes, setup, drawn };
        lanes.reset(&|_| true)?;
        Ok(lanes)
    }

    fn words(&self) -> usize {
        self.sizes.words + 1
    }
}

/// A start of the game; if the start is drawn, the next one of this stream.
fn start<P: Encoded>(setup: &Setup, drawn: bool, stream: &mut Draws) -> Result<P, SetupError> {
    if drawn {
        let setup = Setup { seed: stream.next() >> 11, parameters: setup.parameters.clone() };
        return Ok(setup.opened(P::start(&setup)?)?.into_position());
    }
    Ok(setup.opened(P::start(setup)?)?.into_position())
}

/// Some games of a batch with their rows.
struct Share<'a, P> {
    lanes: &'a mut [Lane<P>],
    legal: &'a mut [u64],
    actions: &'a [i64],
    rows: Rows<'a>,
}

/// Settings shared by all parts.
struct Terms<'a> {
    sizes: Sizes,
    setup: &'a Setup,
    drawn: bool,
    anew: bool,
}

impl<P: Encoded> Share<'_, P> {
    fn step(&mut self, terms: &Terms) {
        let Terms { sizes, setup, drawn, anew } = terms;
        let (seen, words, actions) = (sizes.observation(), sizes.words + 1, sizes.actions());
        for (at, lane) in self.lanes.iter_mut().enumerate() {
            let rewards = &mut self.rows.rewards[2 * at..2 * at + 2];
            rewards.fill(0.0);
            let Ok(action) = usize::try_from(self.actions[at]) else { continue };
            let m = lane.position.decode(action);
            lane.position.play_unchecked(m, &mut ());
            let outcome = lane.position.outcome();
            self.rows.terminated[at] = outcome.is_some();
            if let Some(outcome) = outcome {
                rewards.copy_from_slice(&rewards_of(outcome));
                if *anew {
                    lane.position
                        .observe(lane.position.turn(), &mut self.rows.final_observations[at * seen..(at + 1) * seen]);
                    // The parameters were right at the first start.
                    if let Ok(position) = start(setup, *drawn, &mut lane.stream) {
                        lane.position = position;
                    }
                }
            }
            let legal = &mut self.legal[at * words..(at + 1) * words];
            lane.position.legal(legal);
            sizes.spread(legal, &mut self.rows.masks[at * actions..(at + 1) * actions]);
            lane.position.observe_by_legal(legal, &mut self.rows.observations[at * seen..(at + 1) * seen]);
            self.rows.turns[at] = lane.position.turn().index() as i8;
            self.rows.plies[at] = lane.position.ply() as i32;
        }
    }
}

const fn rewards_of(outcome: Outcome) -> [f32; 2] {
    match outcome {
        Outcome::Win(Side::First) => [1.0, -1.0],
        Outcome::Win(Side::Second) => [-1.0, 1.0],
        Outcome::Draw => [0.0, 0.0],
    }
}

/// Draws one of the set bits; `None` if there is none. The last word counts after all others.
#[inline]
fn draw(legal: &[u64], width: usize, stream: &mut Draws) -> Option<usize> {
    let count: u32 = legal.iter().map(|word| word.count_ones()).sum();
    if count == 0 {
        return None;
    }
    let mut rest = stream.below(count as usize) as u32;
    for (at, &word) in legal.iter().enumerate() {
        let here = word.count_ones();
        if rest < here {
            let mut word = word;
            for _ in 0..rest {
                word &= word - 1;
            }
            return Some(at * width + word.trailing_zeros() as usize);
        }
        rest -= here;
    }
    None
}

impl<P: Encoded> AnyLanes for Lanes<P> {
    fn sizes(&self) -> Sizes {
        self.sizes
    }

    fn illegal(&self, actions: &[i64]) -> Option<IllegalAction> {
        let (words, last) = (self.words(), self.sizes.actions());
        let game = actions.iter().enumerate().position(|(at, &action)| {
            let legal = usize::try_from(action).is_ok_and(|action| {
                let (word, bit) = self.sizes.place(action);
                action < last && self.legal[at * words + word] >> bit & 1 == 1
            });
            action != NO_ACTION && !legal
        })?;
        Some(IllegalAction { game, action: actions[game], position: self.position(game) })
    }

    fn step(&mut self, actions: &[i64], anew: bool, rows: Rows, threads: usize) {
        let words = self.words();
        let Self { lanes, legal, sizes, setup, drawn } = self;
        let terms = Terms { sizes: *sizes, setup, drawn: *drawn, anew };
        if threads < 2 {
            return Share { lanes, legal, actions, rows }.step(&terms);
        }
        let each = lanes.len().div_ceil(threads);
        let (mut shares, mut rest, mut lanes, mut legal, mut actions) =
            (Vec::new(), rows, &mut **lanes, &mut **legal, actions);
        while !lanes.is_empty() {
            let count = each.min(lanes.len());
            let (own, other) = lanes.split_at_mut(count);
            let (own_legal, other_legal) = legal.split_at_mut(count * words);
            let (own_rows, other_rows) = rest.split(count, sizes);
            shares.push(Share { lanes: own, legal: own_legal, actions: &actions[..count], rows: own_rows });
            (lanes, legal, rest, actions) = (other, other_legal, other_rows, &actions[count..]);
        }
        shares.par_iter_mut().for_each(|share| share.step(&terms));
    }

    fn show(&self, rows: Rows, which: Option<&[usize]>) {
        let (sizes, words) = (self.sizes, self.words());
        let all = if which.is_none() { 0..self.lanes.len() } else { 0..0 };
        for at in which.unwrap_or_default().iter().copied().chain(all) {
            let position = &self.lanes[at].position;
            let legal = &self.legal[at * words..(at + 1) * words];
            sizes.spread(legal, row(rows.masks, at, sizes.actions()));
            position.observe_by_legal(legal, row(rows.observations, at, sizes.observation()));
            rows.turns[at] = position.turn().index() as i8;
            rows.plies[at] = position.ply() as i32;
            let outcome = position.outcome();
            rows.terminated[at] = outcome.is_some();
            row(rows.rewards, at, 2).copy_from_slice(&outcome.map_or([0.0, 0.0], rewards_of));
        }
    }

    fn reset(&mut self, which: &dyn Fn(usize) -> bool) -> Result<(), SetupError> {
        let words = self.words();
        for at in (0..self.lanes.len()).filter(|&at| which(at)) {
            let lane = &mut self.lanes[at];
            lane.position = start(&self.setup, self.drawn, &mut lane.stream)?;
            lane.position.legal(&mut self.legal[at * words..(at + 1) * words]);
        }
        Ok(())
    }

    fn sample(&mut self, actions: &mut [i64], threads: usize) {
        let (words, width) = (self.words(), self.sizes.width);
        let draw = |(lane, legal, action): (&mut Lane<P>, &[u64], &mut i64)| {
            *action = draw(legal, width, &mut lane.stream).map_or(NO_ACTION, |action| action as i64);
        };
        if threads < 2 {
            let all = self.lanes.iter_mut().zip(self.legal.chunks_exact(words)).zip(actions);
            return all.for_each(|((lane, legal), action)| draw((lane, legal, action)));
        }
        let all = self.lanes.par_iter_mut().zip(self.legal.par_chunks_exact(words)).zip(actions.par_iter_mut());
        all.with_min_len(256).for_each(|((lane, legal), action)| draw((lane, legal, action)));
    }

    fn random_plies(&mut self, plies: usize, threads: usize) -> u64 {
        let (words, width) = (self.words(), self.sizes.width);
        let Self { lanes, legal, setup, drawn, .. } = self;
        let play = |(lane, legal): (&mut Lane<P>, &mut [u64])| {
            let mut ended = 0;
            for _ in 0..plies {
                let Some(action) = draw(legal, width, &mut lane.stream) else { break };
                let m = lane.position.decode(action);
                lane.position.play_unchecked(m, &mut ());
                if lane.position.outcome().is_some() {
                    ended += 1;
                    if let Ok(position) = start(setup, *drawn, &mut lane.stream) {
                        lane.position = position;
                    }
                }
                lane.position.legal(legal);
            }
            ended
        };
        if threads < 2 {
            return lanes.iter_mut().zip(legal.chunks_exact_mut(words)).map(play).sum();
        }
        lanes.par_iter_mut().zip(legal.par_chunks_exact_mut(words)).map(play).sum()
    }

    fn drawn(&self) -> Vec<u64> {
        self.lanes.iter().map(|lane| lane.stream.taken).collect()
    }

    fn draw_again(&mut self, drawn: &[u64]) {
        let seed = self.setup.seed;
        for (at, (lane, &taken)) in self.lanes.iter_mut().zip(drawn).enumerate() {
            lane.stream = Draws::of_game(seed, at);
            while lane.stream.taken < taken {
                lane.stream.next();
            }
        }
    }

    fn copied(&self) -> Box<dyn AnyLanes> {
        Box::new(self.clone())
    }

    fn position(&self, game: usize) -> String {
        self.lanes[game].position.to_string()
    }

    fn put(&mut self, game: usize, position: &str) -> Result<(), String> {
        let position: P = position.parse().map_err(|error: P::Err| error.to_string())?;
        let (found, wanted) = (position.sizes(), self.sizes);
        if found != wanted {
            return Err(format!(
                "a board of {} rows and {} columns; those of this batch have {} and {}",
                found.rows, found.columns, wanted.rows, wanted.columns
            ));
        }
        let words = self.words();
        position.legal(&mut self.legal[game * words..(game + 1) * words]);
        self.lanes[game].position = position;
        Ok(())
    }

    fn copy(&mut self, targets: &[usize], from: &dyn AnyLanes, sources: &[usize]) -> bool {
        let Some(from) = from.as_any().downcast_ref::<Self>().filter(|from| from.sizes == self.sizes) else {
            return false;
        };
        let words = self.words();
        for (&target, &source) in targets.iter().zip(sources) {
            self.lanes[target].position = from.lanes[source].position.clone();
            let legal = &from.legal[source * words..(source + 1) * words];
            self.legal[target * words..(target + 1) * words].copy_from_slice(legal);
        }
        true
    }

    fn copy_within(&mut self, targets: &[usize], sources: &[usize]) {
        let words = self.words();
        for (&target, &source) in targets.iter().zip(sources) {
            self.lanes[target].position = self.lanes[source].position.clone();
            self.legal.copy_within(source * words..(source + 1) * words, target * words);
        }
    }

    fn as_any(&self) -> &dyn std::any::Any {
        self
    }
}

fn row<T>(all: &mut [T], at: usize, length: usize) -> &mut [T] {
    &mut all[at * length..(at + 1) * length]
}
