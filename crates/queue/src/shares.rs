//! How the ladders share the workers: by the time of their games, so that one with long games does not hold up the
//! others.
//!
//! Start-time fair queuing (Goyal, Vin and Cheng 1996): the ladder that has used least is next, and one without games
//! for a while has not saved up time.

use std::collections::HashMap;
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

#[derive(Default, Debug)]
struct Shares {
    /// What the ladder had used whose game was begun last.
    level: Duration,
    /// The time of the games of each ladder that have ended, as if all had begun together.
    used: HashMap<i64, Duration>,
    /// The games that are being played, by number.
    running: HashMap<u64, Turn>,
    turns: u64,
}

#[derive(Clone, Copy, Debug)]
struct Turn {
    competition: i64,
    begun: Instant,
    /// How long it has rested, and since when it has been resting.
    rested: Duration,
    rests: Option<Instant>,
}

impl Turn {
    fn used(&self, now: Instant) -> Duration {
        self.rests.unwrap_or(now).saturating_duration_since(self.begun).saturating_sub(self.rested)
    }
}

impl Shares {
    /// The time of the games of a ladder that are being played.
    fn running(&self, competition: i64, now: Instant) -> Duration {
        self.running.values().filter(|turn| turn.competition == competition).map(|turn| turn.used(now)).sum()
    }

    fn used(&self, competition: i64, now: Instant) -> Duration {
        let ended = self.used.get(&competition).copied().unwrap_or_default();
        (ended + self.running(competition, now)).max(self.level)
    }
}

/// The shares of the ladders of a site.
#[derive(Default, Debug)]
pub(crate) struct LadderShares(Mutex<Shares>);

impl LadderShares {
    fn shares(&self) -> MutexGuard<'_, Shares> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// How much of the workers' time a ladder has used: the one with the least comes next.
    pub(crate) fn used(&self, competition: i64, now: Instant) -> Duration {
        self.shares().used(competition, now)
    }

    /// Counts this time as used by a ladder.
    pub(crate) fn charge(&self, competition: i64, time: Duration, now: Instant) {
        let mut shares = self.shares();
        let used = shares.used(competition, now).saturating_sub(shares.running(competition, now));
        shares.used.insert(competition, used + time);
    }

    /// Counts a game of a ladder until the value is dropped.
    pub(crate) fn begin(&self, competition: i64, now: Instant) -> LadderTurn<'_> {
        let mut shares = self.shares();
        let used = shares.used(competition, now);
        let ended = used.saturating_sub(shares.running(competition, now));
        shares.used.insert(competition, ended);
        shares.level = shares.level.max(used);
        shares.turns += 1;
        let number = shares.turns;
        shares.running.insert(number, Turn { competition, begun: now, rested: Duration::ZERO, rests: None });
        LadderTurn { shares: self, number }
    }
}

/// A game of a ladder that is being played.
#[derive(Debug)]
pub(crate) struct LadderTurn<'a> {
    shares: &'a LadderShares,
    number: u64,
}

impl LadderTurn<'_> {
    /// Whether the game rests from now on.
    pub(crate) fn rest(&self, rests: bool, now: Instant) {
        let mut shares = self.shares.shares();
        let Some(turn) = shares.running.get_mut(&self.number) else { return };
        match (turn.rests, rests) {
            (None, true) => turn.rests = Some(now),
            (Some(since), false) => {
                turn.rested += now.saturating_duration_since(since);
                turn.rests = None;
            }
            _ => {}
        }
    }
}

impl Drop for LadderTurn<'_> {
    fn drop(&mut self) {
        let mut shares = self.shares.shares();
        let Some(turn) = shares.running.remove(&self.number) else { return };
        let used = turn.used(Instant::now());
        *shares.used.entry(turn.competition).or_default() += used;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_ladder_with_long_games_has_fewer_of_them() {
        let (shares, start) = (LadderShares::default(), Instant::now());
        let [slow, quick] = [1, 2];
        let at = |seconds: u64| start + Duration::from_secs(seconds);
        let used = |competition, seconds| shares.used(competition, at(seconds)).as_secs();
        let game = shares.begin(slow, at(0));
        assert_eq!((used(slow, 600), used(quick, 600)), (600, 0));
        // While it rests it uses nothing.
        game.rest(true, at(600));
        assert_eq!(used(slow, 900), 600);
        let other = shares.begin(quick, at(600));
        assert_eq!(used(quick, 900), 300);
        game.rest(false, at(900));
        assert_eq!((used(slow, 1000), used(quick, 1000)), (700, 400));
        drop(other);
        drop(game);
    }

    #[test]
    fn a_ladder_whose_games_fail_lets_others_go_first() {
        let (shares, start) = (LadderShares::default(), Instant::now());
        let [broken, whole] = [1, 2];
        shares.charge(broken, Duration::from_secs(5), start);
        assert_eq!([broken, whole].map(|competition| shares.used(competition, start).as_secs()), [5, 0]);
    }

    #[test]
    fn a_ladder_that_comes_late_does_not_have_all_for_itself() {
        let (shares, start) = (LadderShares::default(), Instant::now());
        let at = |seconds: u64| start + Duration::from_secs(seconds);
        let first = shares.begin(1, start);
        let second = shares.begin(1, at(1000));
        // The last one to begin had used 1000 seconds: any newcomer begins there.
        assert_eq!(shares.used(2, at(1000)).as_secs(), 1000);
        let late = shares.begin(2, at(1000));
        assert_eq!((shares.used(1, at(1010)).as_secs(), shares.used(2, at(1010)).as_secs()), (1020, 1010));
        drop((first, second, late));
    }
}
