//! Audits of workers: a sample of their games is replayed.
//!
//! A deterministic game is replayed by the coordinator itself: a worker that reports other moves goes into quarantine
//! immediately. A game by the clock is replayed by another worker, and [`Comparisons`] compares the results.

use std::collections::BTreeMap;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::mpsc::{self, Sender};
use std::thread;

use agon_arena::Plan;
use agon_arena::runner::{PlayedSlot, Roster, Worker};
use agon_arena::slot::Slot;
use agon_arena::summary::Summary;

/// Maximum number of games waiting for the coordinator to replay them; further ones are skipped.
const MAX_PENDING: usize = 32;

/// After this number of refused records no game of a worker counts any more.
pub(crate) const MAX_REFUSED: u32 = 3;

/// Stakes of the bets on a comparison. The highest detects gross lies soon, the lowest small differences in time.
const STAKES: [f64; 3] = [0.2, 0.5, 0.8];

/// A worker is compared with at least this number of others: if only two differ, either may be right.
const MIN_OTHERS: usize = 2;

/// A game to be proved.
struct Claim {
    worker: String,
    slot: Slot,
    summary: Summary,
}

/// Replays games on a thread of its own.
pub(crate) struct Prover {
    claims: Option<Sender<Claim>>,
    /// Number of replays that have not been reported.
    pending: Arc<AtomicUsize>,
}

impl Prover {
    /// Starts a prover for games of a plan; none if the share is 0. Reports the worker and the difference of each game,
    /// `None` if there is none or it proves nothing.
    pub(crate) fn new(plan: &Plan, share: f64, report: impl Fn(&str, Option<String>) + Send + 'static) -> Self {
        let pending = Arc::new(AtomicUsize::new(0));
        let claims = (share > 0.0).then(|| {
            let (sender, claims) = mpsc::channel();
            let (plan, pending) = (plan.clone(), Arc::clone(&pending));
            thread::spawn(move || {
                prove(&plan, claims, |worker, differs| {
                    report(worker, differs);
                    pending.fetch_sub(1, Ordering::Relaxed);
                });
            });
            sender
        });
        Self { claims, pending }
    }

    /// Queues a game to be replayed here.
    pub(crate) fn prove(&self, worker: &str, slot: Slot, game: &PlayedSlot) {
        let claim = Claim { worker: worker.to_owned(), slot, summary: game.summary.clone() };
        if self.pending() < MAX_PENDING
            && let Some(claims) = &self.claims
        {
            self.pending.fetch_add(1, Ordering::Relaxed);
            if claims.send(claim).is_err() {
                self.pending.fetch_sub(1, Ordering::Relaxed);
            }
        }
    }

    /// Returns the number of replays that have not been reported.
    pub(crate) fn pending(&self) -> usize {
        self.pending.load(Ordering::Relaxed)
    }
}

/// Replays games, one after another, until the channel closes.
fn prove(plan: &Plan, claims: mpsc::Receiver<Claim>, report: impl Fn(&str, Option<String>)) {
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
        // A panic must not end the thread: the run waits for its answers. A machine may err once, but not twice in the
        // same way.
        let differs = catch_unwind(AssertUnwindSafe(|| again().filter(|found| again().as_ref() == Some(found))));
        report(&worker, differs.unwrap_or_default());
    }
}

/// Returns the difference between two bouts of a slot that should be equal.
fn difference(own: &Summary, claimed: &Summary) -> Option<String> {
    let slot = own.slot;
    if own.game_digest != claimed.game_digest {
        return Some(format!("game {slot}, played again with the same numbers of nodes, has other moves"));
    }
    let same = (own.winner, own.score, own.verdicts, own.plies)
        == (claimed.winner, claimed.score, claimed.verdicts, claimed.plies);
    (!same).then(|| format!("game {slot}, played again with the same numbers of nodes, ends in another way"))
}

/// Statistics of the differences between workers' results for the same games.
///
/// Between honest workers a difference is as likely to be positive as negative, whatever the game. A gambler bets
/// against that on each comparison of a worker, on either sign, with several stakes. The mean capital is a test
/// martingale: by Ville's inequality it ever exceeds 1/p with probability at most p.
pub(crate) struct Comparisons {
    false_alarm: f64,
    /// Number of comparisons of a worker after which the gambler starts over with the initial capital.
    span: usize,
    /// For each worker, the bets on its comparisons with each other worker.
    found: BTreeMap<String, BTreeMap<String, Bets>>,
}

/// The gains of each stake from the comparisons of two workers.
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
    /// Adds a game for which the worker reported `differs` more points.
    fn add(&mut self, differs: f64) {
        self.games += 1;
        for (gain, stake) in self.gains.iter_mut().zip(STAKES.into_iter().flat_map(|stake| [stake, -stake])) {
            *gain *= 1.0 + stake * differs;
        }
    }
}

impl Comparisons {
    /// Flags an honest worker with at most this probability in `span` of its comparisons, then starts over.
    pub(crate) const fn new(false_alarm: f64, span: usize) -> Self {
        Self { false_alarm, span, found: BTreeMap::new() }
    }

    /// Adds a game that two workers played, with the points that each reports of the same agent.
    pub(crate) fn add(&mut self, worker: &str, points: f64, other: &str, others: f64) {
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

    /// The worker whose results differ most from the others', if chance does not explain it, and the number of its
    /// compared games.
    pub(crate) fn outlier(&self) -> Option<(&str, usize)> {
        let judged = self.found.iter().filter(|(_, found)| found.len() >= MIN_OTHERS);
        let evidence = judged.map(|(worker, found)| (worker, found, capital(found)));
        let (worker, found, capital) = evidence.max_by(|a, b| a.2.total_cmp(&b.2))?;
        let games = found.values().map(|bets| bets.games).sum();
        (capital * self.false_alarm >= 1.0).then_some((worker.as_str(), games))
    }

    /// Forgets all comparisons with a worker.
    pub(crate) fn forget(&mut self, worker: &str) {
        self.found.remove(worker);
        for found in self.found.values_mut() {
            found.remove(worker);
        }
    }
}

/// The mean capital of a gambler that began with 1.
fn capital(found: &BTreeMap<String, Bets>) -> f64 {
    let won = |bet: usize| found.values().map(|bets| bets.gains[bet]).product::<f64>();
    (0..2 * STAKES.len()).map(won).sum::<f64>() / (2 * STAKES.len()) as f64
}

#[cfg(test)]
mod tests {
    use agon_game::seed::Stream;

    use super::*;

    const FALSE_ALARM: f64 = 1e-4;

    /// The result of a game between equals: half of these are drawn.
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
    fn of_all_workers_the_one_that_always_lets_one_side_win_is_found() {
        for seed in 0..40 {
            let mut stream = Stream::new(seed, "lies");
            let mut comparisons = Comparisons::new(FALSE_ALARM, usize::MAX);
            let mut games = 0;
            while comparisons.outlier().is_none() {
                games += 1;
                assert!(games <= 50, "seed {seed}");
                comparisons.add("liar", 1.0, ["a", "b", "c"][stream.below(3)], fair(&mut stream));
                // The others are compared as well.
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
