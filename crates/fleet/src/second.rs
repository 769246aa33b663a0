//! Games that are played again by other workers, to find those that report games they did not play.
//!
//! The points of the agent with the lower index in the plan are compared: a worker that favours a seat stands out. The
//! programs of a site need not be deterministic; if two workers differ, a third one plays the game, and among honest
//! workers each is equally likely to be the odd one out.

use std::collections::HashMap;
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use agon_arena::runner::{Arrivals, PlayedSlot};
use agon_arena::slot::Slot;

use crate::audit::Comparisons;
use crate::identity;
use crate::wire::JobBody;

/// The probability that an honest worker goes into quarantine in a whole series.
const SERIES_FALSE_ALARM: f64 = 1e-4;

/// The same on a site, for each of the two comparisons in [`SITE_SPAN`] games.
const SITE_FALSE_ALARM: f64 = 1e-5;

/// Number of comparisons of a worker after which they start over: a site has no end, and a worker that was honest for a
/// year may lie today.
const SITE_SPAN: usize = 500;

/// Maximum number of games being replayed at once.
const MAX_OPEN: usize = 1024;

/// Increase of the share of a worker's replayed games by a suspicion, and the part of it left after each further game.
const SUSPICION: f64 = 0.25;
const SUSPICION_KEPT: f64 = 0.98;

/// After this time a game is no longer compared.
const MAX_AGE: Duration = Duration::from_hours(1);

/// A game that has been played, and may be replayed.
#[derive(Clone)]
pub(crate) struct SecondPlay {
    pub run: String,
    pub slot: Slot,
    pub body: JobBody,
    pub arrivals: Arc<Mutex<Arrivals>>,
    /// Its workers, with the points that each reported.
    plays: Vec<(String, f64)>,
    since: Instant,
}

impl SecondPlay {
    /// A game that a worker has played, if it has comparable [`points`].
    pub(crate) fn new(
        run: &str,
        slot: Slot,
        body: JobBody,
        arrivals: &Arc<Mutex<Arrivals>>,
        worker: &str,
        game: &PlayedSlot,
    ) -> Option<Self> {
        let (run, arrivals, plays) = (run.to_owned(), Arc::clone(arrivals), vec![(worker.to_owned(), points(game)?)]);
        Some(Self { run, slot, body, arrivals, plays, since: Instant::now() })
    }

    pub(crate) fn players(&self) -> impl Iterator<Item = &str> {
        self.plays.iter().map(|(worker, _)| worker.as_str())
    }
}

/// Points of the agent with the lower place in the plan; `None` for a void game, or one whose clocks were disturbed.
pub(crate) fn points(game: &PlayedSlot) -> Option<f64> {
    let seat = usize::from(game.summary.seats[0] > game.summary.seats[1]);
    let halves = game.summary.halves().filter(|_| game.summary.disturbed == [0; 2])?;
    Some(f64::from(halves[seat]) / 2.0)
}

/// The replayed games, and the evidence about the workers.
pub(crate) struct SecondPlays {
    /// The share of the games that is drawn.
    share: f64,
    /// The number of games of each worker.
    seen: HashMap<String, u64>,
    /// Increase of the share for a worker under suspicion.
    suspicion: HashMap<String, f64>,
    /// Games being replayed, each with the name of its job.
    open: HashMap<u32, (SecondPlay, String)>,
    points: Comparisons,
    /// Compares users: one may have many workers, or one worker many names.
    users: Comparisons,
    /// Compares how often each worker is the odd one out of three; `None` if no game is played a third time.
    odd: Option<Comparisons>,
    /// The same for users, if two other users agree.
    odd_users: Comparisons,
}

impl SecondPlays {
    /// Draws this share of the games of a series.
    pub(crate) fn of_series(share: f64) -> Self {
        Self {
            share,
            seen: HashMap::new(),
            suspicion: HashMap::new(),
            open: HashMap::new(),
            points: Comparisons::new(SERIES_FALSE_ALARM, usize::MAX),
            users: Comparisons::new(SERIES_FALSE_ALARM, usize::MAX),
            odd: None,
            odd_users: Comparisons::new(SITE_FALSE_ALARM, SITE_SPAN),
        }
    }

    /// Draws this share of the games of a site.
    pub(crate) fn of_site(share: f64) -> Self {
        let comparisons = || Comparisons::new(SITE_FALSE_ALARM, SITE_SPAN);
        Self { points: comparisons(), users: comparisons(), odd: Some(comparisons()), ..Self::of_series(share) }
    }

    /// Decides whether this game of a worker is to be replayed: the first one is, the others at random, so that workers
    /// cannot know.
    pub(crate) fn draws(&mut self, worker: &str) -> bool {
        if self.share <= 0.0 {
            return false;
        }
        let seen = self.seen.entry(worker.to_owned()).or_insert(0);
        *seen += 1;
        let mut share = self.share;
        if let Some(suspicion) = self.suspicion.get_mut(worker) {
            share += *suspicion;
            *suspicion *= SUSPICION_KEPT;
        }
        *seen == 1 || identity::chance() < share
    }

    /// Records a suspicion about a worker: more of its games are replayed.
    pub(crate) fn suspect(&mut self, worker: &str) {
        let suspicion = self.suspicion.entry(worker.to_owned()).or_insert(0.0);
        *suspicion = (*suspicion + SUSPICION).min(1.0);
    }

    /// Records that a game is being replayed as a job of this name, unless there are too many; returns whether it is.
    pub(crate) fn begin(&mut self, play: SecondPlay, job: &str) -> bool {
        self.open.retain(|_, (open, _)| open.since.elapsed() < MAX_AGE);
        let room = self.open.len() < MAX_OPEN;
        if room {
            self.open.insert(play.slot.number, (play, job.to_owned()));
        }
        room
    }

    /// Returns true if a game is being replayed.
    pub(crate) fn is_open(&self, slot: u32) -> bool {
        self.open.contains_key(&slot)
    }

    /// Returns true if a game is being replayed as this job.
    pub(crate) fn expects(&self, slot: u32, job: &str) -> bool {
        self.open.get(&slot).is_some_and(|(_, name)| name == job)
    }

    /// Ends the replay of a game, and returns it with the name of its job.
    pub(crate) fn end(&mut self, slot: u32) -> Option<(SecondPlay, String)> {
        self.open.remove(&slot)
    }

    /// Ends all replays.
    pub(crate) fn clear(&mut self) {
        self.open.clear();
    }

    /// Compares the points that another worker reports for a game. Returns whether they differ from the first ones, and
    /// the game if a third worker must play it. `user` is the owner of a worker.
    pub(crate) fn compare(
        &mut self,
        mut play: SecondPlay,
        worker: &str,
        points: f64,
        user: impl Fn(&str) -> String,
    ) -> (bool, Option<SecondPlay>) {
        let same = |other: f64| (points - other).abs() < 0.25;
        match (&*play.plays, &mut self.odd) {
            ([(first, before)], odd) => {
                let (its, other) = (user(first), user(worker));
                // Many names of one user are not many witnesses against another.
                if its == other {
                    self.points.add(first, *before, worker, points);
                } else {
                    self.users.add(&its, *before, &other, points);
                }
                let differs = !same(*before);
                if !differs || odd.is_none() {
                    return (differs, None);
                }
                play.plays.push((worker.to_owned(), points));
                (true, Some(play))
            }
            ([(first, one), (second, other)], Some(odd)) => {
                let pair = if same(*one) { Some((second, first)) } else { same(*other).then_some((first, second)) };
                if let Some((out, kept)) = pair {
                    let (out_user, kept_user, third) = (user(out), user(kept), user(worker));
                    if out_user == kept_user || out_user == third {
                        odd.add(out, 1.0, kept, 0.0);
                    } else if kept_user != third {
                        self.odd_users.add(&out_user, 1.0, &kept_user, 0.0);
                    }
                }
                (true, None)
            }
            _ => (false, None),
        }
    }

    /// The user whose results differ from the other users' more than chance explains, if any.
    pub(crate) fn outlying_user(&self) -> Option<(String, usize)> {
        let found = self.odd_users.outlier().or_else(|| self.users.outlier());
        found.map(|(user, games)| (user.to_owned(), games))
    }

    /// The worker whose results differ from the others' more than chance explains, if any, and in how many games.
    pub(crate) fn outlier(&self) -> Option<(String, usize)> {
        let found = self.odd.as_ref().and_then(Comparisons::outlier).or_else(|| self.points.outlier());
        found.map(|(worker, games)| (worker.to_owned(), games))
    }

    /// Forgets all games that a worker, or a user, has played.
    pub(crate) fn forget(&mut self, worker: &str) {
        self.points.forget(worker);
        self.users.forget(worker);
        self.odd_users.forget(worker);
        if let Some(odd) = &mut self.odd {
            odd.forget(worker);
        }
        self.open.retain(|_, (play, _)| play.players().all(|player| player != worker));
    }
}

#[cfg(test)]
mod tests {
    use agon_arena::Plan;
    use agon_arena::plan::Entrant;
    use agon_catalog::Game;
    use agon_game::seed::Stream;

    use super::*;

    const WORKERS: [&str; 4] = ["a", "b", "c", "liar"];

    fn play(worker: &str, points: f64) -> SecondPlay {
        let agents = ["greedy", "random"].map(|name| Entrant::read(name, Game::RENJU).unwrap());
        let arrivals = Arrivals::named(&Plan::of_match(Game::RENJU, agents, 2), Vec::new(), None);
        SecondPlay {
            run: String::new(),
            slot: Slot { number: 1, seats: [0, 1], seed: 1 },
            body: JobBody::of_slots(vec![Slot { number: 1, seats: [0, 1], seed: 1 }]),
            arrivals: Arc::new(Mutex::new(arrivals)),
            plays: vec![(worker.to_owned(), points)],
            since: Instant::now(),
        }
    }

    /// The worker that is detected first, and after how many audited games of the liar.
    fn audited(seed: u64, most: usize, result: impl Fn(&mut Stream, &str, f64) -> f64) -> Option<(String, usize)> {
        let mut stream = Stream::new(seed, "audits");
        let mut plays = SecondPlays::of_site(1.0);
        let mut audited = 0;
        while audited < most {
            // The result that honest machines report, if the programs are deterministic.
            let honest = [0.0, 1.0][stream.below(2)];
            let first = stream.below(4);
            audited += usize::from(first == 3);
            let order = [first, (first + 1) % 4, (first + 2) % 4].map(|at| WORKERS[at]);
            let mut open = Some(play(order[0], result(&mut stream, order[0], honest)));
            for worker in &order[1..] {
                let Some(again) = open.take() else { break };
                open = plays.compare(again, worker, result(&mut stream, worker, honest), str::to_owned).1;
            }
            if let Some((worker, _)) = plays.outlier().or_else(|| plays.outlying_user()) {
                return Some((worker, audited));
            }
        }
        None
    }

    /// With `-- --nocapture` it prints how soon.
    #[test]
    fn every_kind_of_liar_is_found_within_fifty_audited_games() {
        let flips = |_: &mut Stream, worker: &str, honest: f64| if worker == "liar" { 1.0 - honest } else { honest };
        let favours = |_: &mut Stream, worker: &str, honest: f64| if worker == "liar" { 1.0 } else { honest };
        // Programs that never play the same game twice, and a worker for whom the first seat always wins.
        let chance = |stream: &mut Stream, worker: &str, _: f64| {
            if worker == "liar" { 1.0 } else { [0.0, 1.0][stream.below(2)] }
        };
        let found = |what: &str, lie: &dyn Fn(&mut Stream, &str, f64) -> f64| {
            let mut games: Vec<usize> = (0..50)
                .map(|seed| {
                    let (who, games) = audited(seed, 51, lie).expect("a worker is found");
                    assert_eq!(who, "liar", "{what}, seed {seed}");
                    games
                })
                .collect();
            games.sort_unstable();
            println!("{what}: {} to {} audited games, median {}", games[0], games[49], games[25]);
            assert!(games[49] <= 50, "{what}: {games:?}");
        };
        found("turns each result round", &flips);
        found("lets the first seat win", &favours);
        found("lets the first seat win between programs of chance", &chance);
    }

    #[test]
    fn a_user_of_many_names_is_found_as_one() {
        let mut plays = SecondPlays::of_series(1.0);
        let games = (0..100).find(|number| {
            let (name, other) = (format!("liar{number}"), WORKERS[number % 2]);
            let user = |worker: &str| if worker.starts_with("liar") { "liar" } else { worker }.to_owned();
            plays.compare(play(&name, 1.0), other, 0.0, user);
            plays.outlying_user().is_some_and(|(user, _)| user == "liar")
        });
        assert!(games.is_some_and(|games| games < 50), "{games:?}");
        assert_eq!(plays.outlier(), None, "no worker is judged by the names of another user");
    }

    #[test]
    fn workers_of_one_user_convict_no_other_one() {
        let mut plays = SecondPlays::of_site(1.0);
        let user = |worker: &str| if worker == "liar" { "liar" } else { "abc" }.to_owned();
        for _ in 0..200 {
            let again = plays.compare(play("a", 1.0), "liar", 0.0, user).1.unwrap();
            plays.compare(again, "b", 1.0, user);
            assert_eq!((plays.outlier(), plays.outlying_user()), (None, None), "of two users either may be right");
        }
    }

    #[test]
    fn suspicion_raises_the_share_and_passes() {
        let drawn = |plays: &mut SecondPlays| (0..200).filter(|_| plays.draws("one")).count();
        let mut plays = SecondPlays::of_series(0.0001);
        assert!(drawn(&mut plays) < 10);
        (0..4).for_each(|_| plays.suspect("one"));
        let more = drawn(&mut plays);
        assert!((20..150).contains(&more), "{more}");
        for _ in 0..500 {
            plays.draws("one");
        }
        assert!(drawn(&mut plays) < 10);
        let mut none = SecondPlays::of_series(0.0);
        none.suspect("one");
        assert_eq!(drawn(&mut none), 0, "no share is no audit");
    }

    #[test]
    fn honest_workers_are_left_alone() {
        for seed in 0..20 {
            let chance = |stream: &mut Stream, _: &str, _: f64| [0.0, 0.5, 1.0][stream.below(3)];
            assert_eq!(audited(seed, 500, chance), None, "seed {seed}");
        }
    }
}
