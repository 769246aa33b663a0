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
pub const FALSE_ALARM: f64 = 1e-4;

/// After so many records that do not hold no game of a worker counts any longer.
pub const MOST_REFUSED: u32 = 3;

/// How often a game is played whose clocks were disturbed each time.
pub const MOST_TRIES: u32 = 3;

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
    pub worker: String,
    /// What differs, in words; `None` where nothing does, or nothing can be said.
    pub differs: Option<String>,
}

/// Draws the games that are to be played again.
pub struct AuditSample {
    share: f64,
    /// How many games of each worker have been taken in.
    seen: HashMap<String, u64>,
}

impl AuditSample {
    /// Draws this share of all games.
    pub fn new(share: f64) -> Self {
        Self { share, seen: HashMap::new() }
    }

    /// Whether this game of a worker is to be played again: its first one, then as chance has it, so that no worker knows.
    pub fn draws(&mut self, worker: &str) -> bool {
        if self.share <= 0.0 {
            return false;
        }
        let seen = self.seen.entry(worker.to_owned()).or_insert(0);
        *seen += 1;
        *seen == 1 || identity::chance() < self.share
    }
}

/// Proves games on a thread of its own.
pub struct Prover {
    claims: Option<Sender<Claim>>,
    /// How many proofs have not come back.
    pending: usize,
}

impl Prover {
    /// Proves games of a plan; `tell` is told of each. A share of nothing proves nothing.
    pub fn new(plan: &Plan, share: f64, tell: impl Fn(AuditResult) + Send + 'static) -> Self {
        let claims = (share > 0.0).then(|| {
            let (sender, claims) = mpsc::channel();
            let plan = plan.clone();
            thread::spawn(move || prove(&plan, claims, tell));
            sender
        });
        Self { claims, pending: 0 }
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
pub struct Comparisons {
    false_alarm: f64,
    /// After how many comparisons of a worker the gambler begins anew, with what it had at first.
    span: usize,
    /// Of each worker: with whom it was compared, and what came of it.
    found: BTreeMap<String, BTreeMap<String, Bets>>,
}

/// What comparisons of a worker with another one make of each stake.
struct Bets {
    games: usize,
    gains: [f64; 2 * STAKES.len()],
}

impl Default for Bets {
    fn default() -> Self {
        Self { games: 0, gains: [1.0; 2 * STAKES.len()] }
    }
}

impl Bets {
    /// In one more game the result of the worker was higher by so much.
    fn add(&mut self, differs: f64) {
        self.games += 1;
        for (gain, stake) in self.gains.iter_mut().zip(STAKES.into_iter().flat_map(|stake| [stake, -stake])) {
            *gain *= 1.0 + stake * differs;
        }
    }
}

impl Comparisons {
    /// Finds an honest worker with this probability at most in so many of its comparisons, and after them anew.
    pub const fn new(false_alarm: f64, span: usize) -> Self {
        Self { false_alarm, span, found: BTreeMap::new() }
    }

    /// A game of one worker was played again by another; the points are those of the same agent.
    pub fn add(&mut self, worker: &str, points: f64, other: &str, others: f64) {
        self.note(worker, other, points - others);
        self.note(other, worker, others - points);
    }

    fn note(&mut self, worker: &str, other: &str, differs: f64) {
        let found = self.found.entry(worker.to_owned()).or_default();
        if found.values().map(|bets| bets.games).sum::<usize>() >= self.span {
            found.clear();
        }
        found.entry(other.to_owned()).or_default().add(differs);
    }

    /// The worker whose results differ most from those of the others, if they differ more than chance explains, and how
    /// many of its games say so.
    pub fn outlier(&self) -> Option<(&str, usize)> {
        let evidence = self.found.iter().map(|(worker, found)| (worker, found, capital(found)));
        let (worker, found, capital) = evidence.max_by(|a, b| a.2.total_cmp(&b.2))?;
        let games = found.values().map(|bets| bets.games).sum();
        (capital * self.false_alarm >= 1.0 && found.len() >= FEWEST_OTHERS).then_some((worker.as_str(), games))
    }

    /// Forgets whatever a worker had a part in.
    pub fn forget(&mut self, worker: &str) {
        self.found.remove(worker);
        for found in self.found.values_mut() {
            found.remove(worker);
        }
    }
}

/// What the gambler has, who began with 1.
fn capital(found: &BTreeMap<String, Bets>) -> f64 {
    let won = |bet: usize| found.values().map(|bets| bets.gains[bet]).product::<f64>();
    (0..2 * STAKES.len()).map(won).sum::<f64>() / (2 * STAKES.len()) as f64
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
            let mut comparisons = Comparisons::new(FALSE_ALARM, usize::MAX);
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
            let mut comparisons = Comparisons::new(FALSE_ALARM, usize::MAX);
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
    fn a_worker_that_was_honest_for_long_is_found_as_soon() {
        let mut comparisons = Comparisons::new(FALSE_ALARM, 100);
        let mut stream = Stream::new(3, "later");
        for _ in 0..10_000 {
            comparisons.add("a", fair(&mut stream), ["b", "c"][stream.below(2)], fair(&mut stream));
            assert_eq!(comparisons.outlier(), None);
        }
        let games = (1..200).find(|_| {
            comparisons.add("a", 1.0, ["b", "c"][stream.below(2)], 0.0);
            comparisons.outlier().is_some()
        });
        assert!(games.is_some_and(|games| games < 150), "{games:?}");
    }

    #[test]
    fn of_two_that_differ_neither_is_known_to_lie() {
        let mut comparisons = Comparisons::new(FALSE_ALARM, usize::MAX);
        (0..100).for_each(|_| comparisons.add("a", 1.0, "b", 0.0));
        assert_eq!(comparisons.outlier(), None);
    }
}
