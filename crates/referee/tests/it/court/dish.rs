//! Games on the petri dish, whose programs are run anew for every action.

use agon_catalog::{Game, Setup};
use agon_referee::agent::{AgentSpec, Seat};
use agon_referee::bout::{self, Afterwards, Report, Spectator};
use agon_referee::limits::GameLimits;
use agon_referee::record::{AgentNote, Record, RecordHeader, VERSION};
use agon_referee::replay::{moves, prove};

/// A dish whose game takes this number of turns.
pub fn setup(turns: u32) -> Setup {
    let parameters = [("turns".to_owned(), turns.to_string())];
    Setup { seed: 0, parameters: parameters.into() }
}

/// Plays a game between two agents named as a user names them, and proves its record.
pub fn play(agents: [&str; 2], setup: &Setup, limits: &GameLimits) -> Record {
    play_before(agents, setup, limits, &mut ())
}

/// Plays a game before a spectator.
pub fn play_before(agents: [&str; 2], setup: &Setup, limits: &GameLimits, spectator: &mut dyn Spectator) -> Record {
    super::choose_jail();
    let agents = agents.map(|text| AgentSpec::parse(text, &["sample", "coordinated", "clojure"]).unwrap());
    let seat = |at: usize| {
        let prepared = agents[at].prepare(limits).unwrap();
        let programs = |name: &str| Game::PETRI.find(name).ok()?.program();
        Seat::take_stateless(&prepared, limits, at as u64, &programs).unwrap()
    };
    let mut state = Game::PETRI.initial_state(setup).unwrap();
    let mut seats = [seat(0), seat(1)];
    let report: Report = bout::play(state.as_mut(), &mut seats, limits, Afterwards::Exit, spectator);
    let header = RecordHeader {
        record: VERSION,
        game: "petri".to_owned(),
        parameters: setup.parameters.clone(),
        seed: 0,
        agents: agents.each_ref().map(|agent| AgentNote {
            agent: agent.to_string(),
            kind: agent.kind().to_owned(),
            jail: None,
            name: None,
        }),
        limits: *limits,
        agon: env!("CARGO_PKG_VERSION").to_owned(),
        started: 0,
        opening: None,
    };
    let record = Record::new(header, report);
    let again = Record::read(&record.write()).unwrap();
    assert_eq!(again.write(), record.write());
    let start = || Game::PETRI.initial_state(setup).unwrap();
    let proved = prove(&again, start().as_mut()).unwrap_or_else(|error| panic!("{error}\n{}", record.write()));
    assert_eq!(moves(&again, start().as_mut()), Ok(proved), "the moves of a proved record");
    again
}
