//! Which games every machine plays identically, so that replaying one proves it.

use std::time::Duration;

use agon_catalog::Pace;
use agon_game::Side;
use agon_referee::clock::RunningClock;
use agon_referee::record::{Record, Way};
use agon_referee::verdict::Verdict;

use crate::plan::Plan;
use crate::slot::Slot;

/// A move that took less than this fraction (a divisor) of the time left was not cut short by the clock: players with a
/// fixed number of nodes divide their clock over some 30 moves.
const LITTLE: u32 = 100;

/// With less than this left on its clock, a player may move early.
const LOW: Duration = Duration::from_secs(3);

/// Whether every machine plays a game of a plan identically: its agents are built in and either ignore the clock, or
/// search a fixed number of nodes and are never short of time.
#[derive(Clone, Debug)]
pub struct PlaysAlike {
    paces: Vec<Option<Pace>>,
}

impl PlaysAlike {
    /// For the games of this plan.
    pub fn new(plan: &Plan) -> Self {
        Self { paces: plan.agents.iter().map(|entrant| plan.game.pace(&entrant.agent)).collect() }
    }

    /// Whether every machine plays this game of the slot as its record says.
    pub fn game(&self, slot: &Slot, record: &Record) -> bool {
        record.result.verdicts.iter().all(|judged| judged.verdict == Verdict::Ok)
            && Side::BOTH.into_iter().all(|side| match self.paces[slot.seats[side.index()]] {
                Some(Pace::Fixed) => true,
                Some(Pace::Nodes) => had_time(record, side),
                Some(Pace::Clock) | None => false,
            })
    }
}

fn had_time(record: &Record, side: Side) -> bool {
    let mut clock = RunningClock::new(record.header.limits.clock_of(side));
    let answers = record.entries.iter().filter(|entry| entry.side == side && entry.way == Way::From);
    for moment in answers.filter_map(|entry| entry.moment) {
        let left = clock.left();
        if left < LOW || moment.wall > left / LITTLE {
            return false;
        }
        clock.moved(moment.wall, moment.machine);
    }
    true
}

#[cfg(test)]
mod tests {
    use agon_catalog::Game;

    use super::*;
    use crate::plan::Entrant;
    use crate::runner::{Roster, Worker};
    use crate::schedule;
    use crate::store::unpack;
    use crate::tally::Tally;

    #[test]
    fn a_clock_that_mattered_makes_games_differ() {
        let check = |agents: [&str; 2], clock_ms: u64, wanted: bool| {
            let agents = agents.map(|name| Entrant::read(name, Game::DOMINEERING).unwrap());
            let mut plan = Plan::of_match(Game::DOMINEERING, agents, 2);
            plan.parameters =
                [("rows", "4"), ("columns", "4")].map(|(name, value)| (name.to_owned(), value.to_owned())).into();
            plan.agents[1].name += "2";
            plan.limits.clock_ms = clock_ms;
            let slot = schedule::slots(&plan, &schedule::round(&plan, 0, &Tally::new(&plan)))[0];
            let roster = Roster::prepare(&plan).unwrap();
            let played = Worker::new(&plan, &roster, None, None).play(&slot).unwrap().unwrap();
            let mut record = Record::read(&unpack(&played.record).unwrap()).unwrap();
            let alike = PlaysAlike::new(&plan);
            assert_eq!((played.alike, alike.game(&slot, &record)), (wanted, wanted), "{:?}", plan.agents);
            // The clock cut a move short, or may have done so.
            let last = record.entries.iter_mut().rfind(|entry| entry.moment.is_some()).unwrap();
            last.moment.as_mut().unwrap().wall = Duration::from_secs(1);
            let fixed = plan.agents.iter().all(|entrant| entrant.agent == "greedy");
            assert_eq!(alike.game(&slot, &record), wanted && fixed, "{:?}", plan.agents);
            record.result.verdicts[0].verdict = Verdict::Tle;
            assert!(!alike.game(&slot, &record));
        };
        check(["greedy", "greedy"], 10_000, true);
        check(["greedy", "greedy"], 1_000, true);
        check(["champion:3", "champion:3"], 60_000, true);
        check(["champion:3", "champion:3"], 1_000, false);
        check(["greedy", "champion"], 60_000, false);
    }
}
