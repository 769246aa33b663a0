//! A game whose record would be too long.

use std::sync::Arc;

use agon_catalog::{Game, Setup};
use agon_game::{Ending, GameScore, GameState, Interaction, MoveError, Side, Stateless, View};
use agon_referee::agent::{AgentSpec, Seat};
use agon_referee::bout::{self, Afterwards};
use agon_referee::limits::GameLimits;
use agon_referee::record::{AgentNote, MAX_RECORD_BYTES, Record, RecordHeader, VERSION, Winner};
use agon_referee::replay::prove;
use agon_referee::verdict::Verdict;

/// A game in which every move is illegal and nothing ends, and the program that plays it.
#[derive(Clone, Default)]
struct Endless(u32);

impl GameState for Endless {
    fn interaction(&self) -> Interaction {
        Interaction::PerAction
    }
    fn begin(&mut self, _: Side, _: &[u8]) -> Result<bool, MoveError> {
        Ok(false)
    }
    fn remark(&self) -> Option<agon_game::Reason> {
        Some(agon_game::English::reason("\u{1}".repeat(1000)))
    }
    fn seats(&self) -> [&'static str; 2] {
        ["A", "B"]
    }
    fn preamble(&self) -> String {
        String::new()
    }
    fn turn(&self) -> Option<Side> {
        Some(Side::First)
    }
    fn answer(&mut self, _: &str) -> Result<String, MoveError> {
        self.0 += 1;
        Ok(String::new())
    }
    fn ending(&self) -> Option<Ending> {
        None
    }
    fn score(&self) -> Option<[GameScore; 2]> {
        None
    }
    fn ply(&self) -> u32 {
        self.0
    }
    fn position(&self) -> String {
        String::new()
    }
    fn view(&self) -> View {
        Game::BACTERIA.initial_state(&Setup::default()).unwrap().view()
    }
    fn boxed_clone(&self) -> Box<dyn GameState> {
        Box::new(self.clone())
    }
}

impl Stateless for Endless {
    fn respond(&self, _: &[u8], _: u64) -> Result<String, String> {
        Ok("x".repeat(64))
    }
}

#[test]
fn a_game_ends_before_its_record_is_too_long() {
    let limits = GameLimits::default();
    let agent = AgentSpec::parse("endless", &["endless"]).unwrap().prepare(&limits).unwrap();
    let seat = || {
        let programs = |_: &str| Some(Arc::new(Endless(0)) as Arc<dyn Stateless>);
        Seat::take_stateless(&agent, &limits, 0, &programs).unwrap()
    };
    let mut state = Endless(0);
    let report = bout::play(&mut state, &mut [seat(), seat()], &limits, Afterwards::Exit, &mut ());
    assert_eq!((report.winner, report.verdicts[0].verdict), (Winner::Void, Verdict::Interrupted));
    assert!(report.reason.text.contains("its limit (60 MiB); play on a smaller board"), "{}", report.reason);
    let note = AgentNote { agent: "endless".to_owned(), kind: "builtin".to_owned(), jail: None, name: None };
    let header = RecordHeader {
        record: VERSION,
        game: "endless".to_owned(),
        parameters: [].into(),
        seed: 0,
        agents: [note.clone(), note],
        limits,
        agon: "test".to_owned(),
        started: 0,
        opening: None,
    };
    let text = Record::new(header, report).write();
    assert!((50 << 20..MAX_RECORD_BYTES).contains(&text.len()), "{}", text.len());
    prove(&Record::read(&text).unwrap(), &mut Endless(0)).unwrap();
}
