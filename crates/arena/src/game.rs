//! One refereed game between two agents: set up, seated, played, and written down as a record.

use std::time::{SystemTime, UNIX_EPOCH};

use agon_catalog::{Game, Setup, SetupError};
use agon_game::{GameState, Side};
use agon_referee::agent::{AgentError, Seat};
use agon_referee::bout::{self, Afterwards, Report, Spectator};
use agon_referee::limits::GameLimits;
use agon_referee::process::{self, ProcessorSet};
use agon_referee::record::{OpeningNote, Record, RecordHeader, VERSION};

use crate::agents::PreparedAgent;

/// A game of two agents, at its start until it is played, then at its end.
///
/// ```
/// use agon_arena::agents::{self, PreparedAgent};
/// use agon_arena::game::Bout;
/// use agon_referee::bout::Afterwards;
/// use agon_referee::limits::GameLimits;
/// use agon_catalog::{Game, Setup};
///
/// let (game, limits) = (Game::BACTERIA, GameLimits::default());
/// let agent = |text| PreparedAgent::prepare(game, agents::parse(game, text)?, &limits);
/// let (greedy, random) = (agent("greedy")?, agent("random")?);
/// let mut bout = Bout::new(game, Setup { seed: 1, parameters: Default::default() }, limits)?;
/// let mut seats = bout.seats([&greedy, &random], None)?;
/// let record = bout.play([&greedy, &random], &mut seats, Afterwards::Exit, &mut ());
/// assert!(record.is_clean());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub struct Bout {
    game: Game,
    setup: Setup,
    limits: GameLimits,
    state: Box<dyn GameState>,
    opening: Option<OpeningNote>,
}

impl Bout {
    /// Sets up a game.
    ///
    /// # Errors
    /// [`SetupError`] when the game does not know a parameter, or not such a value.
    pub fn new(game: Game, setup: Setup, limits: GameLimits) -> Result<Self, SetupError> {
        Ok(Self { state: game.initial_state(&setup)?, game, setup, limits, opening: None })
    }

    /// Records the source of the opening.
    pub fn opened_by(mut self, opening: Option<OpeningNote>) -> Self {
        self.opening = opening;
        self
    }

    /// Starts both agents for this game, each on its own processors if any are given.
    ///
    /// # Errors
    /// [`AgentError`] when a program cannot be started.
    pub fn seats(
        &self,
        agents: [&PreparedAgent; 2],
        apart: Option<&[ProcessorSet; 2]>,
    ) -> Result<[Seat; 2], AgentError> {
        let seat = |side: Side| self.seat(agents[side.index()], side, apart.map(|apart| &apart[side.index()]));
        Ok([seat(Side::First)?, seat(Side::Second)?])
    }

    /// Starts one agent for this game, on these processors or on those of the calling thread.
    ///
    /// # Errors
    /// [`AgentError`] when its program cannot be started.
    pub fn seat(
        &self,
        agent: &PreparedAgent,
        side: Side,
        processors: Option<&ProcessorSet>,
    ) -> Result<Seat, AgentError> {
        let seat = || agent.seat(self.state.interaction(), side, self.setup.seed);
        match processors {
            Some(processors) => processors.during(seat),
            None => seat(),
        }
    }

    /// Tests whether an agent is ready to play this game (see [`bout::trial`]), and the next one if it should stay, and
    /// ends it.
    ///
    /// # Errors
    /// [`AgentError`] when its program cannot be started, [`AgentError::NotReady`] when it does not answer as it must.
    pub fn trial(&mut self, agent: &PreparedAgent, afterwards: Afterwards) -> Result<(), AgentError> {
        let seat = self.seat(agent, Side::First, None)?;
        bout::trial(self.state.as_mut(), seat, &self.limits, afterwards).map_err(AgentError::NotReady)
    }

    /// The current state of the game.
    pub fn state(&self) -> &dyn GameState {
        self.state.as_ref()
    }

    /// Referees the game without keeping a record.
    pub fn referee(&mut self, seats: &mut [Seat; 2], spectator: &mut dyn Spectator) -> Report {
        bout::play(self.state.as_mut(), seats, &self.limits, Afterwards::Exit, spectator)
    }

    /// Referees the game and returns its record; `agents` are those in the seats.
    pub fn play(
        &mut self,
        agents: [&PreparedAgent; 2],
        seats: &mut [Seat; 2],
        afterwards: Afterwards,
        spectator: &mut dyn Spectator,
    ) -> Record {
        let started = now();
        let report = bout::play(self.state.as_mut(), seats, &self.limits, afterwards, spectator);
        self.record(agents, started, report)
    }

    /// The record of a game that was refereed; `started` is when it began, in seconds since 1970.
    pub fn record(&self, agents: [&PreparedAgent; 2], started: u64, report: Report) -> Record {
        let header = RecordHeader {
            record: VERSION,
            game: self.game.name().to_owned(),
            parameters: self.setup.parameters.clone(),
            seed: self.setup.seed,
            agents: agents.map(PreparedAgent::note),
            limits: self.limits,
            agon: env!("CARGO_PKG_VERSION").to_owned(),
            started,
            opening: self.opening.clone(),
        };
        Record::new(header, report)
    }
}

/// Maximum number of times that a game is played if a busy machine keeps it from being judged.
pub const MAX_TRIES: u32 = 4;

/// Plays a game again while it is spoilt, up to [`MAX_TRIES`] times in all, and returns the last one.
pub fn retry_while<T>(mut play: impl FnMut() -> T, mut spoilt: impl FnMut(&T) -> bool) -> T {
    let mut last = play();
    for _ in 1..MAX_TRIES {
        if !spoilt(&last) || process::interrupted() {
            break;
        }
        last = play();
    }
    last
}

/// Plays a game again while the machine is too busy to judge an agent, up to [`MAX_TRIES`] times in all, and returns
/// the last record.
///
/// # Errors
/// Any error of `play`.
pub fn play_until_judged<E>(play: impl FnMut() -> Result<Record, E>) -> Result<Record, E> {
    retry_while(play, |played| played.as_ref().is_ok_and(|record| record.result.is_of_machine()))
}

/// Seconds since 1970 (UTC).
pub fn now() -> u64 {
    SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |since| since.as_secs())
}

#[cfg(test)]
mod tests {
    use agon_referee::fault_kind::{FaultKind, TimeSpent};
    use agon_referee::verdict::Verdict;

    use super::*;

    #[test]
    fn what_a_busy_machine_has_spoilt_is_tried_again_a_few_times() {
        let count = |spoilt: u32| {
            let mut games = 0;
            let last = retry_while(
                || {
                    games += 1;
                    games
                },
                |game| *game <= spoilt,
            );
            assert_eq!(last, games, "the last one counts");
            games
        };
        assert_eq!([count(0), count(1), count(9)], [1, 2, MAX_TRIES]);
    }

    #[test]
    fn a_game_that_the_machine_left_undecided_is_played_again() {
        let (game, limits) = (Game::BACTERIA, GameLimits::default());
        let agent = |text| PreparedAgent::prepare(game, crate::agents::parse(game, text).unwrap(), &limits).unwrap();
        let agents = ["greedy", "random"].map(agent);
        let mut games = 0;
        let mut play = |void: bool| {
            games = 0;
            let record = play_until_judged(|| -> Result<Record, SetupError> {
                games += 1;
                let mut bout = Bout::new(game, Setup::default(), limits)?;
                let mut seats = bout.seats(agents.each_ref(), None).unwrap();
                let mut record = bout.play(agents.each_ref(), &mut seats, Afterwards::Exit, &mut ());
                if void && games < 3 {
                    let judged = &mut record.result.verdicts[0];
                    judged.verdict = Verdict::Interrupted;
                    judged.kind = Some(FaultKind::LateAnswer(TimeSpent::default()));
                }
                Ok(record)
            });
            assert!(!record.unwrap().result.is_of_machine());
            games
        };
        assert_eq!([play(false), play(true)], [1, 3]);
    }
}
