//! Which game of a final comes next.

use std::collections::HashMap;

use agon_arena::slot::Slot;
use agon_arena::{Plan, Tally, schedule};
use agon_site::store::FinalBout;

/// What is to be done for a final.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum FinalStep {
    /// This game is to be played.
    Play(Slot),
    /// All that may be played now is being played.
    Wait,
    /// All games have been played.
    Done,
}

/// The tally of a final's games that have ended, round by round as far as rounds are whole; of the round that is being
/// played what there is.
pub fn final_tally(plan: &Plan, bouts: &[FinalBout]) -> Tally {
    walk(plan, bouts).0
}

/// What is to be done next.
pub fn next(plan: &Plan, bouts: &[FinalBout]) -> FinalStep {
    walk(plan, bouts).1
}

fn walk(plan: &Plan, bouts: &[FinalBout]) -> (Tally, FinalStep) {
    let known: HashMap<u32, &FinalBout> = bouts.iter().map(|bout| (bout.slot, bout)).collect();
    let swiss = matches!(plan.kind, agon_arena::plan::Kind::Swiss { .. });
    let (mut tally, mut step) = (Tally::new(plan), FinalStep::Done);
    for number in 0..plan.rounds() {
        let round = schedule::round(plan, number, &tally);
        for slot in schedule::slots(plan, &round) {
            match known.get(&slot.number).map(|bout| bout.summary(slot.seats, slot.seed)) {
                Some(Some(summary)) => tally.add(&summary),
                Some(None) if step == FinalStep::Done => step = FinalStep::Wait,
                None if !matches!(step, FinalStep::Play(_)) => step = FinalStep::Play(slot),
                Some(None) | None => {}
            }
        }
        // The next round of a Swiss tournament depends on all of this one.
        if swiss && step != FinalStep::Done {
            break;
        }
    }
    (tally, step)
}

#[cfg(test)]
mod tests {
    use agon_arena::plan::{Entrant, Kind};
    use agon_catalog::Game;
    use agon_referee::record::Winner;
    use agon_referee::verdict::Verdict;
    use agon_site::store::{BoutKind, SiteBout, SiteSeat};

    use super::*;

    fn entrant(name: usize) -> Entrant {
        Entrant {
            name: name.to_string(),
            agent: name.to_string(),
            rating: None,
            openings: false,
            fingerprint: String::new(),
        }
    }

    fn bout(slot: u32, winner: Option<Winner>) -> FinalBout {
        let seat = |program| SiteSeat {
            program,
            name: String::new(),
            account: None,
            version: None,
            verdict: winner.map(|_| Verdict::Ok),
            time_ms: winner.map(|_| 1.0),
            rating: None,
        };
        let kind = BoutKind::Final { id: 1, slot };
        let (game, seats) = (Game::RENJU, [seat(1), seat(2)]);
        FinalBout {
            slot,
            bout: SiteBout { id: 1, contest: 3, game, kind, seats, begun: 1, winner, reason: String::new(), plies: 1 },
        }
    }

    /// Plays a whole final, the first seat winning, and returns how many games it had.
    fn whole(plan: &Plan) -> usize {
        let mut bouts = Vec::new();
        loop {
            match next(plan, &bouts) {
                FinalStep::Play(slot) => {
                    bouts.push(bout(slot.number, None));
                    assert_ne!(next(plan, &bouts), FinalStep::Play(slot), "nothing is played twice");
                    *bouts.last_mut().unwrap() = bout(slot.number, Some(Winner::First));
                }
                FinalStep::Done => return bouts.len(),
                FinalStep::Wait => panic!("nothing is being played"),
            }
        }
    }

    #[test]
    fn a_final_comes_to_its_end() {
        let mut plan = Plan::of_match(Game::RENJU, [entrant(0), entrant(1)], 4);
        plan.agents = (0..5).map(entrant).collect();
        assert_eq!(whole(&plan), 40);
        plan.kind = Kind::Swiss { rounds: 3 };
        plan.games = 2;
        assert_eq!(whole(&plan), 12, "two pairings a round, and one has a bye");
        let all = [bout(0, Some(Winner::First)), bout(1, None), bout(2, None), bout(3, None)];
        assert_eq!(next(&plan, &all), FinalStep::Wait, "the next round depends on this one");
        assert_eq!(final_tally(&plan, &all).bouts(), 1);
    }
}
