//! One refereed game between two agents: set up, seated, played, and written down as a record.

use std::time::{SystemTime, UNIX_EPOCH};

use agon_catalog::{Game, Setup, SetupError};
use agon_game::{GameState, Side};
use agon_referee::agent::{AgentError, Seat};
use agon_referee::bout::{self, Afterwards, Report, Spectator};
use agon_referee::limits::GameLimits;
use agon_referee::process::ProcessorSet;
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

    /// Says in the record where the opening is from.
    pub fn opened_by(mut self, opening: Option<OpeningNote>) -> Self {
        self.opening = opening;
        self
    }

    /// Starts both agents for this game, each on processors of its own if there are any named.
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

    /// Tries whether an agent is ready to play this game (see [`bout::trial`]), and the next one if it is to stay, and
    /// ends it.
    ///
    /// # Errors
    /// [`AgentError`] when its program cannot be started, [`AgentError::NotReady`] when it does not answer as it must.
    pub fn trial(&mut self, agent: &PreparedAgent, afterwards: Afterwards) -> Result<(), AgentError> {
        let seat = self.seat(agent, Side::First, None)?;
        bout::trial(self.state.as_mut(), seat, &self.limits, afterwards).map_err(AgentError::NotReady)
    }

    /// The game as it stands.
    pub fn state(&self) -> &dyn GameState {
        self.state.as_ref()
    }

    /// Referees the game and keeps no record of it.
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

/// Seconds since 1970 (UTC).
pub fn now() -> u64 {
    SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |since| since.as_secs())
}
