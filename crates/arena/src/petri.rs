//! Series of games of the petri dish that are counted and not stored, as the dish's own contest scores programs.
//!
//! Two programs of Agon's own play without a referee: their answers need no check, and a game takes a millisecond.

use std::collections::BTreeMap;

use agon_catalog::{Game, Setup, SetupError};
use agon_engines::petri::{Match, play};
use agon_game::Side;
use agon_jobs::{Progress, Stop, pool};
use agon_referee::agent::AgentError;
use agon_referee::bout::Afterwards;
use agon_referee::limits::GameLimits;
use agon_referee::process;
use agon_referee::record::Winner;
use agon_referee::startup::Startup;
use agon_referee::verdict::Verdict;
use agon_rules::petri::DishSetupError;

use crate::agents::PreparedAgent;
use crate::game::Bout;

/// The game of the dish.
pub const GAME: Game = Game::PETRI;

/// A dish, and how long it is played on.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct DishSize {
    pub width: u64,
    pub height: u64,
    pub turns: u64,
}

impl DishSize {
    /// The set-up of a game on this dish.
    pub fn setup(self, seed: u64) -> Setup {
        let named = [("width", self.width), ("height", self.height), ("turns", self.turns)];
        let parameters: BTreeMap<String, String> =
            named.into_iter().map(|(name, value)| (name.to_owned(), value.to_string())).collect();
        Setup { seed, parameters }
    }

    /// Checks that there are such dishes.
    ///
    /// # Errors
    /// [`SetupError`] when a number is out of its range.
    pub fn check(self) -> Result<(), SetupError> {
        Game::PETRI.initial_state(&self.setup(0)).map(drop)
    }
}

/// Why a series cannot be played.
#[derive(Debug, thiserror::Error)]
pub enum SeriesError {
    #[error(transparent)]
    Setup(#[from] SetupError),
    #[error(transparent)]
    Dish(#[from] DishSetupError),
    #[error(transparent)]
    Agent(#[from] AgentError),
}

/// Two programs and the dish that they meet on.
pub type Pairing<'a> = ([&'a PreparedAgent; 2], DishSize);

/// The result of the games of a pairing that were played.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct PairScore {
    pub games: u32,
    /// Games won by each program; draws count for neither.
    pub wins: [u32; 2],
    /// The first verdict other than OK on each program, and its reason.
    pub faults: [Option<String>; 2],
    /// The processes started for each program.
    pub startup: [Startup; 2],
}

/// The results of a series, of each pairing in its place.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct SeriesScores {
    pub scores: Vec<PairScore>,
    /// It was interrupted: some games are missing.
    pub stopped: bool,
}

/// How to play a series.
#[derive(Clone, Copy, Debug)]
pub struct Series {
    /// Games of every pairing; its first program has the first seat in the first, third, … of them.
    pub games: u32,
    /// The seed of the first game of every pairing; game `n` has `seed + n`.
    pub seed: u64,
    /// The limits of every program, those under which it was prepared.
    pub limits: GameLimits,
    pub threads: usize,
}

impl Series {
    /// Plays all games of these pairings, until it is interrupted. `played` gets every game when it ends.
    ///
    /// # Errors
    /// [`SeriesError`] of the first game that cannot be played; the others are then abandoned.
    pub fn play(
        &self,
        pairings: &[Pairing],
        progress: &dyn Progress,
        played: &mut dyn FnMut(&PairScore),
    ) -> Result<SeriesScores, SeriesError> {
        let each = self.games as usize;
        let mut games: Vec<Option<PairScore>> = vec![None; pairings.len() * each];
        let (stop, mut done) = (Stop::default(), 0);
        progress.start((pairings.len() * each) as u64, 0);
        let worker = || {
            |at: usize| {
                if process::interrupted() {
                    stop.raise();
                    return Ok((at, None));
                }
                Ok::<_, SeriesError>((at, self.game(&pairings[at / each], (at % each) as u32)?))
            }
        };
        pool::map(pairings.len() * each, self.threads, &stop, worker, |(at, game)| {
            let Some(game) = game else { return };
            done += 1;
            progress.set_position(done);
            played(game);
            games[*at] = Some(game.clone());
        })?;
        let stopped = games.iter().any(Option::is_none);
        Ok(SeriesScores { scores: games.chunks(each).map(PairScore::sum).collect(), stopped })
    }

    /// Plays game `n` of a pairing; `None` when it was interrupted.
    fn game(&self, (agents, dish): &Pairing, n: u32) -> Result<Option<PairScore>, SeriesError> {
        let seats = if n % 2 == 1 { [1, 0] } else { [0, 1] };
        let agents = seats.map(|at| agents[at]);
        let seed = self.seed.wrapping_add(n.into());
        let mut score = PairScore { games: 1, ..PairScore::default() };
        if let [Some(first), Some(second)] = agents.map(PreparedAgent::program) {
            let programs = [first, second];
            let (width, height) = (dish.width as usize, dish.height as usize);
            let setup = Match { width, height, turns: dish.turns as u16, ..Match::contest(programs) }.setup();
            if let Some(side) = play(&setup, programs, seed)?.outcome.winner() {
                score.wins[seats[side.index()]] = 1;
            }
            return Ok(Some(score));
        }
        let mut bout = Bout::new(Game::PETRI, dish.setup(seed), self.limits)?;
        let record = bout.play(agents, &mut bout.seats(agents, None)?, Afterwards::Exit, &mut ());
        if process::interrupted() && record.result.verdicts.iter().any(|judged| judged.verdict == Verdict::Interrupted)
        {
            return Ok(None);
        }
        match record.result.winner {
            Winner::First => score.wins[seats[0]] = 1,
            Winner::Second => score.wins[seats[1]] = 1,
            Winner::Draw | Winner::Void => {}
        }
        for (judged, at) in record.result.verdicts.iter().zip(seats) {
            score.faults[at] = judged.reason.as_ref().map(|reason| format!("{}: {reason}", judged.verdict));
        }
        for (side, at) in Side::BOTH.into_iter().zip(seats) {
            score.startup[at] = Startup::from_record(&record, side).unwrap_or_default();
        }
        Ok(Some(score))
    }
}

impl PairScore {
    fn sum(games: &[Option<Self>]) -> Self {
        let mut sum = Self::default();
        for game in games.iter().flatten() {
            sum.add(game);
        }
        sum
    }

    /// Counts further games; the faults of earlier ones stay.
    pub fn add(&mut self, other: &Self) {
        self.games += other.games;
        for at in [0, 1] {
            self.wins[at] += other.wins[at];
            self.startup[at].add(other.startup[at]);
            self.faults[at] = self.faults[at].take().or_else(|| other.faults[at].clone());
        }
    }
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::{AtomicU32, Ordering};

    use agon_engines::petri::{AMOEBA, Choice, PetriProgram};
    use agon_referee::agent::AgentSpec;
    use agon_rules::petri::{Announcement, Sight};

    use super::*;
    use crate::agents;

    const DISH: DishSize = DishSize { width: 10, height: 4, turns: 5 };

    fn series(games: u32) -> Series {
        Series { games, seed: 1, limits: GameLimits::default(), threads: 2 }
    }

    /// A program that bears another's name, as a tuned policy bears the champion's.
    struct Namesake;

    static CHOICES: AtomicU32 = AtomicU32::new(0);

    impl PetriProgram for Namesake {
        fn name(&self) -> &'static str {
            "champion"
        }

        fn begin(&self) -> Announcement {
            AMOEBA.begin()
        }

        fn choose(&self, sight: &Sight<'_>) -> Choice {
            CHOICES.fetch_add(1, Ordering::Relaxed);
            AMOEBA.choose(sight)
        }
    }

    #[test]
    fn a_program_plays_itself_also_before_a_referee() {
        let limits = GameLimits::default();
        let namesake = PreparedAgent::of_program(&Namesake, &limits);
        let command = agents::parse(Game::PETRI, "sh -c 'echo 4 8 0'").unwrap();
        let command = PreparedAgent::prepare(Game::PETRI, command, &limits).unwrap();
        let scores = series(1).play(&[([&namesake, &command], DISH)], &(), &mut |_| {}).unwrap().scores;
        assert_eq!(scores[0].faults, [None, None]);
        assert!(CHOICES.load(Ordering::Relaxed) > 0);
    }

    #[test]
    fn scores_are_those_of_the_pairings() {
        let limits = GameLimits::default();
        let [a, b] = ["coordinated", "slime"]
            .map(|name| PreparedAgent::prepare(Game::PETRI, AgentSpec::builtin(name), &limits).unwrap());
        let dish = DishSize { turns: 150, ..DISH };
        let scores = series(6).play(&[([&a, &b], dish), ([&b, &a], dish)], &(), &mut |_| {}).unwrap().scores;
        let programs = [&a, &b].map(|agent| agent.program().unwrap());
        let wanted = agon_engines::petri::score(&Match { games: 6, ..Match::contest(programs) }).unwrap();
        assert_eq!(scores[0].wins, wanted);
        let swapped = agon_engines::petri::score(&Match { games: 6, ..Match::contest([programs[1], programs[0]]) });
        assert_eq!(scores[1].wins, swapped.unwrap());
    }
}
