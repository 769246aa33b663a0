//! Games of a site that are played again by other workers, to find out those whose results are others than they should be.
//!
//! The programs of a site are anybody's, so nobody knows whether one of them plays alike on every machine. Two things are compared:
//! the points of the first seat, against workers that favour a seat; and where two workers differ, a third one plays the game:
//! who is the odd one out is as likely the one as the other if both are honest.

use std::collections::HashMap;
use std::time::{Duration, Instant};

use agon_arena::runner::PlayedSlot;
use agon_arena::slot::Slot;

use crate::audit::{AuditSample, Comparisons};
use crate::wire::GameTerms;

/// How likely an honest worker goes into quarantine by each of the two comparisons in [`SPAN`] games.
const FALSE_ALARM: f64 = 1e-5;

/// After so many comparisons of a worker they begin anew: a site has no end, and who was honest for a year may lie today.
const SPAN: usize = 500;

/// How many games are played again at once at most.
const MOST_OPEN: usize = 256;

/// A game that nobody plays again for so long is not compared.
const TOO_OLD: Duration = Duration::from_hours(1);

/// A game that has been played, and may be played again.
#[derive(Clone)]
pub struct SecondPlay {
    pub run: String,
    /// Its number, and from what it is drawn.
    pub slot: Slot,
    pub terms: GameTerms,
    /// By which names, and as which kinds, records know both players.
    pub names: Vec<(String, String)>,
    /// Who has played it, with the points of the first seat.
    plays: Vec<(String, f64)>,
    since: Instant,
}

impl SecondPlay {
    /// A game that a worker has played; none where it says nothing: of a void one, or where clocks were disturbed.
    pub fn new(
        run: &str,
        slot: Slot,
        terms: &GameTerms,
        names: &[(String, String)],
        worker: &str,
        game: &PlayedSlot,
    ) -> Option<Self> {
        let points = first_points(game)?;
        Some(Self {
            run: run.to_owned(),
            slot,
            terms: terms.clone(),
            names: names.to_owned(),
            plays: vec![(worker.to_owned(), points)],
            since: Instant::now(),
        })
    }

    pub fn players(&self) -> impl Iterator<Item = &str> {
        self.plays.iter().map(|(worker, _)| worker.as_str())
    }
}

/// Points of the first seat; none of a void game, or of one whose clocks were disturbed.
pub fn first_points(game: &PlayedSlot) -> Option<f64> {
    let halves = game.summary.halves().filter(|_| game.summary.disturbed == [0; 2])?;
    Some(f64::from(halves[0]) / 2.0)
}

/// The games that are played again, and what has been found by it.
pub struct SecondPlays {
    sample: AuditSample,
    open: HashMap<u32, SecondPlay>,
    /// Compares the points of the first seat.
    points: Comparisons,
    /// Compares how often each is the odd one out of three.
    odd: Comparisons,
}

impl SecondPlays {
    /// Draws this share of all games.
    pub fn new(share: f64) -> Self {
        Self {
            sample: AuditSample::new(share),
            open: HashMap::new(),
            points: Comparisons::new(FALSE_ALARM, SPAN),
            odd: Comparisons::new(FALSE_ALARM, SPAN),
        }
    }

    /// Whether this game of a worker is to be played again.
    pub fn draws(&mut self, worker: &str) -> bool {
        self.sample.draws(worker)
    }

    /// A game is being played again. It is left alone where too many are.
    pub fn begin(&mut self, play: SecondPlay) -> bool {
        self.open.retain(|_, open| open.since.elapsed() < TOO_OLD);
        let room = self.open.len() < MOST_OPEN;
        if room {
            self.open.insert(play.slot.number, play);
        }
        room
    }

    /// Whether a game is being played again.
    pub fn expects(&self, slot: u32) -> bool {
        self.open.contains_key(&slot)
    }

    /// A game that is being played again, and is not any longer.
    pub fn end(&mut self, slot: u32) -> Option<SecondPlay> {
        self.open.remove(&slot)
    }

    /// Another worker has played a game: whether its result is another one than the first, and the game again, if it is
    /// to be played by a third one.
    pub fn compare(&mut self, mut play: SecondPlay, worker: &str, points: f64) -> (bool, Option<SecondPlay>) {
        let same = |other: f64| (points - other).abs() < 0.25;
        match &*play.plays {
            [(first, before)] => {
                self.points.add(first, *before, worker, points);
                if same(*before) {
                    return (false, None);
                }
                play.plays.push((worker.to_owned(), points));
                (true, Some(play))
            }
            [(first, one), (second, other)] => {
                if same(*one) {
                    self.odd.add(second, 1.0, first, 0.0);
                } else if same(*other) {
                    self.odd.add(first, 1.0, second, 0.0);
                }
                (true, None)
            }
            _ => (false, None),
        }
    }

    /// The worker whose results differ from those of the others more than chance explains, if there is one, and in how many games.
    pub fn outlier(&self) -> Option<(String, usize)> {
        let found = self.odd.outlier().or_else(|| self.points.outlier());
        found.map(|(worker, games)| (worker.to_owned(), games))
    }

    /// Forgets whatever a worker had a part in.
    pub fn forget(&mut self, worker: &str) {
        self.points.forget(worker);
        self.odd.forget(worker);
        self.open.retain(|_, play| play.players().all(|player| player != worker));
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
        SecondPlay {
            run: String::new(),
            slot: Slot { number: 1, seats: [0, 1], seed: 1 },
            terms: GameTerms { plan: Plan::of_match(Game::RENJU, agents, 2), agents: Vec::new(), check: false },
            names: Vec::new(),
            plays: vec![(worker.to_owned(), points)],
            since: Instant::now(),
        }
    }

    /// How many games of the liar are audited until somebody is found out, and who.
    fn audited(seed: u64, most: usize, result: impl Fn(&mut Stream, &str, f64) -> f64) -> Option<(String, usize)> {
        let mut stream = Stream::new(seed, "audits");
        let mut plays = SecondPlays::new(1.0);
        let mut audited = 0;
        while audited < most {
            // What honest machines would say of this game, if its programs always play alike.
            let honest = [0.0, 1.0][stream.below(2)];
            let first = stream.below(4);
            audited += usize::from(first == 3);
            let order = [first, (first + 1) % 4, (first + 2) % 4].map(|at| WORKERS[at]);
            let mut open = Some(play(order[0], result(&mut stream, order[0], honest)));
            for worker in &order[1..] {
                let Some(again) = open.take() else { break };
                open = plays.compare(again, worker, result(&mut stream, worker, honest)).1;
            }
            if let Some((worker, _)) = plays.outlier() {
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
                    let (who, games) = audited(seed, 51, lie).expect("somebody is found");
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
    fn honest_workers_are_left_alone() {
        for seed in 0..20 {
            let chance = |stream: &mut Stream, _: &str, _: f64| [0.0, 0.5, 1.0][stream.below(3)];
            assert_eq!(audited(seed, 500, chance), None, "seed {seed}");
        }
    }
}
