//! Whether workers play what they say: a sample of their games is played again.
//!
//! Of a game that every machine plays alike the coordinator proves the moves: it plays the game itself, and a worker whose game
//! differs goes into quarantine at once. A game by the clock is played again by another worker, and the results are
//! compared by [`Comparisons`].

use std::collections::{BTreeMap, HashMap};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::mpsc::{self, Sender};
use std::thread;

use agon_arena::Plan;
use agon_arena::runner::{PlayedSlot, Roster, Worker};
use agon_arena::slot::Slot;
use agon_arena::summary::Summary;

use crate::identity;

/// How many games may wait to be played again by the coordinator. Beyond that none is added: it proves as many as it can.
const MOST_PENDING: usize = 32;

/// How likely an honest worker goes into quarantine by comparison in a whole run, however often one looks.
const FALSE_ALARM: f64 = 1e-4;

/// What a bet on a comparison stakes. The highest finds gross lies soon, the lowest small differences in time.
const STAKES: [f64; 3] = [0.2, 0.5, 0.8];

/// A worker is judged by comparison with so many others at least: of two that differ neither is known to be right.
const FEWEST_OTHERS: usize = 2;

/// A game that is to be proved.
struct Claim {
    worker: String,
    slot: Slot,
    summary: Summary,
}

/// What came of playing a game again.
pub struct AuditResult {
    /// Who had played it.
    pub worker: String,
    /// What differs, in words; `None` where nothing does, or nothing can be said.
    pub differs: Option<String>,
}

/// Draws games, and has them proved on a thread of its own.
pub struct Auditor {
    share: f64,
    claims: Option<Sender<Claim>>,
    /// How many proofs have not come back.
    pending: usize,
    /// How many games of each worker have been taken in.
    seen: HashMap<String, u64>,
}

impl Auditor {
    /// Draws this share of all games of a plan; `tell` is told of each proof.
    pub fn new(plan: &Plan, share: f64, tell: impl Fn(AuditResult) + Send + 'static) -> Self {
        let mut auditor = Self { share, claims: None, pending: 0, seen: HashMap::new() };
        if share > 0.0 {
            let (sender, claims) = mpsc::channel();
            let plan = plan.clone();
            thread::spawn(move || prove(&plan, claims, tell));
            auditor.claims = Some(sender);
        }
        auditor
    }

    /// Whether this game of a worker is to be played again: its first one, then as chance has it, so that no worker knows.
    pub fn draws(&mut self, worker: &str) -> bool {
        let seen = self.seen.entry(worker.to_owned()).or_insert(0);
        *seen += 1;
        self.share > 0.0 && (*seen == 1 || identity::chance() < self.share)
    }

    /// Has a game proved by playing it here.
    pub fn prove(&mut self, worker: &str, slot: Slot, game: &PlayedSlot) {
        let claim = Claim { worker: worker.to_owned(), slot, summary: game.summary.clone() };
        if self.pending < MOST_PENDING
            && let Some(claims) = &self.claims
            && claims.send(claim).is_ok()
        {
            self.pending += 1;
        }
    }

    /// A proof has come back.
    pub fn proved(&mut self) {
        self.pending = self.pending.saturating_sub(1);
    }

    /// How many proofs have not come back.
    pub const fn pending(&self) -> usize {
        self.pending
    }
}

/// Plays games again, one after the other, until there are no more.
fn prove(plan: &Plan, claims: mpsc::Receiver<Claim>, tell: impl Fn(AuditResult)) {
    let mut roster = None;
    for Claim { worker, slot, summary } in claims {
        let roster = roster.get_or_insert_with(|| Roster::prepare(plan).ok());
        let mut player = roster.as_ref().map(|roster| Worker::new(plan, roster, None, None));
        let mut again = || {
            let game = player.as_mut()?.play(&slot).ok()??;
            // A clock that ran low here proves nothing.
            let own = game.alike.then_some(game.summary)?;
            difference(&own, &summary)
        };
        // A panic must not end the thread: the run waits for its answers. A machine may err once; twice in the same way it
        // does not.
        let differs = catch_unwind(AssertUnwindSafe(|| again().filter(|found| again().as_ref() == Some(found))));
        let differs = differs.unwrap_or_default();
        tell(AuditResult { worker, differs });
    }
}

/// What two bouts of a slot that should be alike do not have in common.
fn difference(own: &Summary, claimed: &Summary) -> Option<String> {
    let slot = own.slot;
    if own.game_digest != claimed.game_digest {
        return Some(format!("game {slot}, played again with the same numbers of nodes, has other moves"));
    }
    let same = (own.winner, own.score, own.verdicts, own.plies)
        == (claimed.winner, claimed.score, claimed.verdicts, claimed.plies);
    (!same).then(|| format!("game {slot}, played again with the same numbers of nodes, ends otherwise"))
}

/// How the results of workers differ from those of others in the same games.
///
/// Between honest workers a difference is as likely up as down, whatever the game. Against that a gambler bets on each comparison
/// of a worker, on the one sign and on the other, with several stakes; what it has on average is a test martingale, and
/// by Ville's inequality it exceeds 1/p at any time with probability at most p.
#[derive(Default)]
pub struct Comparisons {
    /// Of each worker: with whom it was compared, and by how much its result was higher, in points of one agent.
    found: BTreeMap<String, Vec<(String, f64)>>,
}

impl Comparisons {
    /// A game of one worker was played again by another; the points are those of the same agent.
    pub fn add(&mut self, worker: &str, points: f64, other: &str, others: f64) {
        self.found.entry(worker.to_owned()).or_default().push((other.to_owned(), points - others));
        self.found.entry(other.to_owned()).or_default().push((worker.to_owned(), others - points));
    }

    /// The worker whose results differ most from those of the others, if they differ more than chance explains, and how
    /// many of its games say so.
    pub fn outlier(&self) -> Option<(&str, usize)> {
        let evidence = self.found.iter().map(|(worker, found)| (worker, found, capital(found)));
        let (worker, found, capital) = evidence.max_by(|a, b| a.2.total_cmp(&b.2))?;
        let mut others: Vec<&str> = found.iter().map(|(other, _)| other.as_str()).collect();
        others.sort_unstable();
        others.dedup();
        (capital * FALSE_ALARM >= 1.0 && others.len() >= FEWEST_OTHERS).then_some((worker.as_str(), found.len()))
    }

    /// Forgets whatever a worker had a part in.
    pub fn forget(&mut self, worker: &str) {
        self.found.remove(worker);
        for found in self.found.values_mut() {
            found.retain(|(other, _)| other != worker);
        }
    }
}

/// What the gambler has, who began with 1.
fn capital(found: &[(String, f64)]) -> f64 {
    let bets = STAKES.iter().flat_map(|stake| [*stake, -*stake]);
    let won = |bet: f64| found.iter().map(|(_, differs)| 1.0 + bet * differs).product::<f64>();
    bets.map(won).sum::<f64>() / (2 * STAKES.len()) as f64
}

#[cfg(test)]
mod tests {
    use agon_game::seed::Stream;

    use super::*;

    /// The result of a game between equals: half of them are drawn.
    fn fair(stream: &mut Stream) -> f64 {
        [0.0, 0.5, 0.5, 1.0][stream.below(4)]
    }

    #[test]
    fn honest_workers_are_left_alone() {
        let workers = ["a", "b", "c", "d"];
        for seed in 0..40 {
            let mut stream = Stream::new(seed, "honest");
            let mut comparisons = Comparisons::default();
            for _ in 0..500 {
                let one = stream.below(4);
                let other = (one + 1 + stream.below(3)) % 4;
                comparisons.add(workers[one], fair(&mut stream), workers[other], fair(&mut stream));
                assert_eq!(comparisons.outlier(), None, "seed {seed}");
            }
        }
    }

    #[test]
    fn a_worker_that_always_lets_one_side_win_is_found_and_nobody_else() {
        for seed in 0..40 {
            let mut stream = Stream::new(seed, "lies");
            let mut comparisons = Comparisons::default();
            let mut games = 0;
            while comparisons.outlier().is_none() {
                games += 1;
                assert!(games <= 50, "seed {seed}");
                comparisons.add("liar", 1.0, ["a", "b", "c"][stream.below(3)], fair(&mut stream));
                // The others are compared, too.
                comparisons.add("a", fair(&mut stream), "b", fair(&mut stream));
            }
            assert_eq!(comparisons.outlier().map(|(worker, _)| worker), Some("liar"), "seed {seed}");
            comparisons.forget("liar");
            assert_eq!(comparisons.outlier(), None);
        }
    }

    #[test]
    fn of_two_that_differ_neither_is_known_to_lie() {
        let mut comparisons = Comparisons::default();
        (0..100).for_each(|_| comparisons.add("a", 1.0, "b", 0.0));
        assert_eq!(comparisons.outlier(), None);
    }
}
