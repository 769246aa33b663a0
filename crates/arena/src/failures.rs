//! Failures of agents, equal ones listed once with a count: a bot that crashes in each of 147 games crashes for one
//! reason.

use agon_game::Side;
use agon_referee::verdict::Verdict;
use serde::Serialize;

use crate::summary::Summary;

/// One way in which an agent failed.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct Failure {
    /// The agent, by its place in the plan.
    pub agent: usize,
    pub verdict: Verdict,
    /// Why, in the words of the first of these games; empty where another failure decided that one.
    pub reason: String,
    /// The first and the last move of a game at which it failed so, counted from 1 over both sides; `None` where it was
    /// not on its turn.
    pub moves: Option<[u32; 2]>,
    pub games: u64,
    /// The number of the first of them.
    pub first: u32,
    /// What failures that are alike have in common.
    #[serde(skip)]
    kind: String,
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

    /// Counts a game. Whether a failure in it is none of those seen before.
    pub fn add(&mut self, bout: &Summary) -> bool {
        let mut new = false;
        for side in Side::BOTH {
            let (agent, verdict) = (bout.seats[side.index()], bout.verdicts[side.index()]);
            if verdict == Verdict::Ok {
                continue;
            }
            let reason = reason(bout, side);
            let kind = kind(&reason);
            let off_turn = ["READY", "BEGIN", "after FINISH", "of FINISH"].iter().any(|word| reason.contains(word));
            let at = (!off_turn && !reason.is_empty()).then_some(bout.plies + 1);
            let alike = |known: &&mut Failure| (known.agent, known.verdict, &known.kind) == (agent, verdict, &kind);
            if let Some(known) = self.0.iter_mut().find(alike) {
                known.games += 1;
                known.moves = known.moves.zip(at).map(|([low, high], at)| [low.min(at), high.max(at)]);
                if bout.slot < known.first {
                    (known.first, known.reason) = (bout.slot, reason);
                }
            } else {
                let moves = at.map(|at| [at, at]);
                self.0.push(Failure { agent, verdict, reason, moves, games: 1, first: bout.slot, kind });
                new = true;
            }
        }
        new
    }

    /// Counts the games of a failure that was counted elsewhere. Whether it is none of those seen before.
    pub fn merge(&mut self, failure: &Failure) -> bool {
        let alike = |known: &&mut Failure| {
            (known.agent, known.verdict, &known.kind) == (failure.agent, failure.verdict, &failure.kind)
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

    /// All of them, those in the most games first.
    pub fn most_first(&self) -> Vec<&Failure> {
        let mut all: Vec<&Failure> = self.0.iter().collect();
        all.sort_by_key(|failure| (std::cmp::Reverse(failure.games), failure.first, failure.agent));
        all
    }
}

/// Why a side failed, as the reason of the result says it; empty where the reason concerns the other side alone.
fn reason(bout: &Summary, side: Side) -> String {
    let verdict = bout.verdicts[side.index()];
    let both = bout.reason.strip_prefix("both failed: first ").and_then(|rest| rest.split_once("; second "));
    let mine = match (both, side) {
        (Some((first, _)), Side::First) => first,
        (Some((_, second)), Side::Second) => second,
        (None, _) => bout.reason.strip_prefix(&format!("{side} failed: ")).unwrap_or_else(|| {
            // The reason of a game that the judge broke off names no side.
            if verdict == Verdict::Interrupted { &bout.reason } else { "" }
        }),
    };
    mine.strip_prefix(&format!("{verdict}: ")).unwrap_or(mine).to_owned()
}

/// A reason without what differs from game to game: numbers, and what is quoted.
fn kind(reason: &str) -> String {
    let mut kind = String::new();
    for (at, part) in reason.split('`').enumerate() {
        // Every second part is quoted.
        if at % 2 == 1 {
            kind += "`…`";
            continue;
        }
        for c in part.chars() {
            if !c.is_ascii_digit() {
                kind.push(c);
            } else if !kind.ends_with('#') {
                kind.push('#');
            }
        }
    }
    kind
}

#[cfg(test)]
mod tests {
    use agon_referee::record::Winner;

    use super::*;
    use crate::tally::tests::bout;

    fn failed(slot: u32, side: Side, verdict: Verdict, plies: u32, reason: &str) -> Summary {
        let mut bout = bout(slot, [0, 1], Winner::First);
        bout.verdicts[side.index()] = verdict;
        Summary { reason: reason.to_owned(), plies, ..bout }
    }

    #[test]
    fn failures_that_are_alike_are_one() {
        let second = |slot, plies, reason: &str| failed(slot, Side::Second, Verdict::Re, plies, reason);
        let quit = "second failed: RE: ended before FINISH (exit code 1)";
        let mut bouts: Vec<Summary> = (2..9).map(|slot| second(slot, slot, quit)).collect();
        bouts.push(second(12, 7, "second failed: RE: answered `MOVE 1 2`: 1 2 is taken"));
        bouts.push(second(10, 5, "second failed: RE: answered `MOVE 13 5`: 13 5 is taken"));
        bouts.push(second(11, 40, "second failed: RE: ended after FINISH with exit code 2"));
        bouts.push(failed(13, Side::First, Verdict::Tle, 4, "first failed: TLE: no answer within 300 ms"));
        bouts.push(bout(14, [0, 1], Winner::Draw));
        let failures = Failures::of(&bouts);
        let listed: Vec<_> = failures
            .most_first()
            .into_iter()
            .map(|f| (f.agent, f.games, f.first, f.moves, f.reason.as_str()))
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
        let mut both = second(1, 0, "both failed: first CE: C20 does not compile it; second TLE: no answer to READY");
        both.verdicts = [Verdict::Ce, Verdict::Tle];
        let mut failures = Failures::default();
        assert!(failures.add(&both) && !failures.add(&both));
        let listed: Vec<_> = failures.most_first().into_iter().map(|f| (f.verdict, f.reason.as_str())).collect();
        assert_eq!(listed, [(Verdict::Ce, "C20 does not compile it"), (Verdict::Tle, "no answer to READY")]);
    }
}
