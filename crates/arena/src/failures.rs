//! Failures of agents, equal ones listed once with a count: a bot that crashes in each of 147 games crashes for one
//! reason.

use std::borrow::Cow;

use agon_game::Side;
use agon_message::Stated;
use agon_referee::fault_kind::{FaultKind, FaultName};
use agon_referee::verdict::Verdict;
use serde::Serialize;

use crate::summary::{SideFault, Summary};

/// One way in which an agent failed.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct Failure {
    /// The agent, by its place in the plan.
    pub agent: usize,
    pub verdict: Verdict,
    /// The reason, in the words of the first of these games; empty if another failure decided that game.
    #[serde(flatten, with = "agon_message::reason")]
    pub reason: Stated,
    /// The first and the last move of a game at which it failed this way, counted from 1 over both sides; `None` if it
    /// was not on its turn.
    pub moves: Option<[u32; 2]>,
    pub games: u64,
    /// The number of the first of them.
    pub first: u32,
    /// What similar failures have in common.
    #[serde(skip)]
    class: FailureClass,
}

/// The name of a fault, and how faults of this name differ: in an exit code or a signal, and in the rule of a move.
#[derive(Clone, PartialEq, Eq, Debug)]
struct FailureClass {
    name: FaultName,
    number: Option<i32>,
    rule: Option<Cow<'static, str>>,
}

impl FailureClass {
    fn new(kind: Option<&FaultKind>) -> Self {
        let number = match kind {
            Some(FaultKind::Exit { code, .. }) => Some(*code),
            Some(FaultKind::Signal { signal, .. }) => Some(*signal),
            _ => None,
        };
        let rule = match kind {
            Some(FaultKind::Illegal { rule }) => rule.clone(),
            _ => None,
        };
        Self { name: kind.map_or(FaultName::Other, FaultKind::name), number, rule }
    }
}

/// The failures in some games.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Failures(Vec<Failure>);

impl Failures {
    /// The failures in these games.
    pub fn of<'a>(bouts: impl IntoIterator<Item = &'a Summary>) -> Self {
        let mut failures = Self::default();
        for bout in bouts {
            failures.add(bout);
        }
        failures
    }

    /// Counts a game. Returns whether it has a new kind of failure.
    pub fn add(&mut self, bout: &Summary) -> bool {
        let mut new = false;
        for side in Side::BOTH {
            let (agent, verdict) = (bout.seats[side.index()], bout.verdicts[side.index()]);
            if verdict == Verdict::Ok {
                continue;
            }
            let fault = bout.fault(side);
            let reason = fault.map(|fault| fault.reason.clone()).unwrap_or_default();
            let class = FailureClass::new(fault.and_then(|fault| fault.kind.as_ref()));
            let is_of_move = |fault: &SideFault| fault.kind.as_ref().is_none_or(FaultKind::is_of_move);
            let at = fault.is_some_and(is_of_move).then_some(bout.plies + 1);
            let alike = |known: &&mut Failure| (known.agent, known.verdict, &known.class) == (agent, verdict, &class);
            if let Some(known) = self.0.iter_mut().find(alike) {
                known.games += 1;
                known.moves = known.moves.zip(at).map(|([low, high], at)| [low.min(at), high.max(at)]);
                if bout.slot < known.first {
                    (known.first, known.reason) = (bout.slot, reason);
                }
            } else {
                let moves = at.map(|at| [at, at]);
                self.0.push(Failure { agent, verdict, reason, moves, games: 1, first: bout.slot, class });
                new = true;
            }
        }
        new
    }

    /// Counts the games of a failure that was counted elsewhere. Returns whether it is a new kind.
    pub fn merge(&mut self, failure: &Failure) -> bool {
        let alike = |known: &&mut Failure| {
            (known.agent, known.verdict, &known.class) == (failure.agent, failure.verdict, &failure.class)
        };
        match self.0.iter_mut().find(alike) {
            Some(known) => {
                known.games += failure.games;
                false
            }
            None => {
                self.0.push(failure.clone());
                true
            }
        }
    }

    /// All failures, those in the most games first.
    pub fn most_first(&self) -> Vec<&Failure> {
        let mut all: Vec<&Failure> = self.0.iter().collect();
        all.sort_by_key(|failure| (std::cmp::Reverse(failure.games), failure.first, failure.agent));
        all
    }
}

#[cfg(test)]
mod tests {
    use agon_referee::fault_kind::{CompileFailure, TimeSpent};
    use agon_referee::record::Winner;

    use super::*;
    use crate::tally::tests::bout;

    fn failed(slot: u32, side: Side, verdict: Verdict, plies: u32, fault: (&str, FaultKind)) -> Summary {
        let mut bout = bout(slot, [0, 1], Winner::First);
        bout.verdicts[side.index()] = verdict;
        let mut faults = [None, None];
        faults[side.index()] = Some(SideFault { reason: fault.0.into(), kind: Some(fault.1) });
        bout.faults = Some(Box::new(faults));
        Summary { reason: "any words".into(), plies, ..bout }
    }

    #[test]
    fn failures_that_are_alike_are_one() {
        let second = |slot, plies, fault| failed(slot, Side::Second, Verdict::Re, plies, fault);
        let exit = |code, finished| FaultKind::Exit { code, finished, silent: true };
        let illegal = || FaultKind::Illegal { rule: None };
        let quit = || ("ended before FINISH (exit code 1)", exit(1, false));
        let mut bouts: Vec<Summary> = (2..9).map(|slot| second(slot, slot, quit())).collect();
        bouts.push(second(12, 7, ("answered `MOVE 1 2`: 1 2 is taken", illegal())));
        bouts.push(second(10, 5, ("answered `MOVE 13 5`: 13 5 is taken", illegal())));
        bouts.push(second(11, 40, ("ended after FINISH with exit code 2", exit(2, true))));
        let late = FaultKind::NoAnswer(TimeSpent::default());
        bouts.push(failed(13, Side::First, Verdict::Tle, 4, ("no answer within 300 ms", late)));
        bouts.push(bout(14, [0, 1], Winner::Draw));
        let failures = Failures::of(&bouts);
        let listed: Vec<_> = failures
            .most_first()
            .into_iter()
            .map(|f| (f.agent, f.games, f.first, f.moves, f.reason.text.as_str()))
            .collect();
        assert_eq!(
            listed,
            [
                (1, 7, 2, Some([3, 9]), "ended before FINISH (exit code 1)"),
                (1, 2, 10, Some([6, 8]), "answered `MOVE 13 5`: 13 5 is taken"),
                (1, 1, 11, None, "ended after FINISH with exit code 2"),
                (0, 1, 13, Some([5, 5]), "no answer within 300 ms"),
            ]
        );
        let unready = FaultKind::NoReady(TimeSpent::default());
        let mut both = failed(1, Side::Second, Verdict::Tle, 0, ("no answer to READY", unready));
        let kind = Some(FaultKind::Compile(CompileFailure::Errors));
        both.verdicts[0] = Verdict::Ce;
        both.faults.as_mut().unwrap()[0] = Some(SideFault { reason: "C20 does not compile it".into(), kind });
        let mut failures = Failures::default();
        assert!(failures.add(&both) && !failures.add(&both));
        let listed: Vec<_> =
            failures.most_first().into_iter().map(|f| (f.verdict, f.moves, f.reason.text.as_str())).collect();
        let wanted = [(Verdict::Ce, None, "C20 does not compile it"), (Verdict::Tle, None, "no answer to READY")];
        assert_eq!(listed, wanted);
    }
}
