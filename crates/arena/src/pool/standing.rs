//! What the games of a pool say about its members.

use std::collections::BTreeMap;

use agon_referee::record::Winner;
use serde::Serialize;

use super::choice;
use crate::stats::Interval;
use crate::stats::ratings::{Ratings, Results};
use crate::summary::Summary;
use crate::tally::Tally;

/// After this many games, two members stop playing if most of these repeat earlier ones.
const MIN_TRIED: u64 = 6;

/// The rating of the first opponent, to which all others are measured.
const ANCHOR: f64 = 1500.0;

/// How much more must be lost in long games than in short ones, or the other way round, as a share of the points, to be
/// worth mentioning.
const NOTABLE_DROP: f64 = 0.15;

/// Games of two versions, each in games of one length, that such a word needs.
const MIN_PHASE_GAMES: f64 = 8.0;

/// All games of a pool, and the ratings that follow from them.
pub struct PoolStanding {
    versions: usize,
    members: usize,
    /// By two members, the lower number first.
    met: BTreeMap<[usize; 2], (Tally, Vec<Summary>)>,
    results: Results,
    ratings: Ratings,
}

/// A member in the list of a pool.
#[derive(Clone, Copy, PartialEq, Debug, Serialize)]
pub struct MemberStanding {
    /// In Elo points with its 95 % interval; the first opponent has 1500. `None` without games.
    pub rating: Option<Interval>,
    pub games: u64,
    /// A win is a point, a draw half of one.
    pub points: f64,
    /// Games that it lost by a failure.
    pub failures: u64,
}

/// Where a version scores less than the best one.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct WeakSpot {
    /// The member against which most is lost.
    pub opponent: usize,
    /// Points and games of the version, and of the best one, against it.
    pub own: [f64; 2],
    pub best: [f64; 2],
    pub phase: Option<Phase>,
}

/// Whether most is lost in short games or in long ones.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Phase {
    Short,
    Long,
}

impl PoolStanding {
    /// The standing of this many members, versions first, from the games of each two.
    pub(super) fn new(versions: usize, members: usize, met: BTreeMap<[usize; 2], (Tally, Vec<Summary>)>) -> Self {
        let mut results = Results::new(members);
        for (&[a, b], (tally, _)) in &met {
            let pairs = tally.pairs(0, 1);
            results.add_pairs(a, b, &pairs);
            // Games whose other half has not been played, or repeats another one.
            let alone = [
                tally.against(0, 1).points() - pairs.points(),
                tally.against(1, 0).points() - pairs.reversed().points(),
            ];
            results.add(a, b, alone);
        }
        let anchors: Vec<Option<f64>> = (0..members).map(|at| (at == versions).then_some(ANCHOR)).collect();
        let ratings = Ratings::fit(&results, &anchors);
        Self { versions, members, met, results, ratings }
    }

    /// The two members that play next, the lower number first; `fit` says which members can play at all.
    pub fn next(&self, fit: &dyn Fn(usize) -> bool) -> Option<[usize; 2]> {
        let plays = |a: usize, b: usize| fit(a) && fit(b) && !self.is_exhausted([a, b]);
        let games = |a: usize, b: usize| self.games_between([a, b]);
        let (members, versions) = (self.members, self.versions);
        choice::Field { members, versions, results: &self.results, games: &games, plays: &plays }.next()
    }

    /// Whether two members keep repeating the same games.
    fn is_exhausted(&self, pair: [usize; 2]) -> bool {
        self.met.get(&pair).is_some_and(|(tally, bouts)| {
            let played = bouts.len() as u64;
            played >= MIN_TRIED && tally.repeated() * 2 > played
        })
    }

    /// Games of all members.
    pub fn games(&self) -> u64 {
        self.met.values().map(|(_, bouts)| bouts.len() as u64).sum()
    }

    /// Games of two members, the lower number first.
    pub fn games_between(&self, pair: [usize; 2]) -> u32 {
        self.met.get(&pair).map_or(0, |(_, bouts)| bouts.len() as u32)
    }

    /// What is known about a member.
    ///
    /// # Panics
    /// If there is no such member.
    pub fn of(&self, member: usize) -> MemberStanding {
        let mut found = MemberStanding { rating: None, games: 0, points: 0.0, failures: 0 };
        for (pair, (tally, _)) in &self.met {
            let Some(at) = pair.iter().position(|&one| one == member) else { continue };
            let cell = tally.against(at, 1 - at);
            found.games += cell.bouts();
            found.points += cell.points();
            found.failures += tally.agent(at).faults.values().sum::<u64>();
        }
        found.rating = (found.games > 0).then(|| self.ratings.of(member));
        found
    }

    /// The version with the highest rating.
    pub fn best(&self) -> Option<usize> {
        let rated = (0..self.versions).filter_map(|at| Some((at, self.of(at).rating?.value)));
        rated.max_by(|a, b| a.1.total_cmp(&b.1)).map(|(at, _)| at)
    }

    /// The likelihood, 0 to 1, that the first of two members is the stronger.
    ///
    /// # Panics
    /// If there is no such member.
    pub fn los(&self, a: usize, b: usize) -> f64 {
        self.ratings.los(a, b)
    }

    /// Points and games of a member against another one.
    pub fn against(&self, member: usize, opponent: usize) -> [f64; 2] {
        let pair = [member.min(opponent), member.max(opponent)];
        let at = usize::from(member > opponent);
        self.met.get(&pair).map_or([0.0; 2], |(tally, _)| {
            let cell = tally.against(at, 1 - at);
            [cell.points(), cell.bouts() as f64]
        })
    }

    /// Where a version scores less than the best one, against opponents that both have played.
    pub fn weak_spot(&self, version: usize, best: usize) -> Option<WeakSpot> {
        let drops = (0..self.members).filter(|&at| at != version && at != best).filter_map(|opponent| {
            let (own, best) = (self.against(version, opponent), self.against(best, opponent));
            let drop = best[0] / best[1] - own[0] / own[1];
            // If two opponents have the same drop, the one with more games is stronger evidence.
            (own[1] > 0.0 && best[1] > 0.0 && drop > 0.0)
                .then(|| (drop * own[1].min(best[1]).sqrt(), opponent, own, best))
        });
        let (_, opponent, own, other) = drops.max_by(|a, b| a.0.total_cmp(&b.0))?;
        Some(WeakSpot { opponent, own, best: other, phase: self.phase(version, best) })
    }

    /// Whether a version falls behind the best one in long games or in short ones.
    fn phase(&self, version: usize, best: usize) -> Option<Phase> {
        let games = [version, best].map(|member| self.lengths(member));
        let mut all: Vec<u32> = games.iter().flatten().map(|&(plies, _)| plies).collect();
        all.sort_unstable();
        let median = *all.get(all.len() / 2)?;
        let share = |of: usize, long: bool| {
            let won = games[of].iter().filter(|(plies, _)| (*plies >= median) == long).map(|&(_, won)| won);
            let (points, count) = won.fold((0.0, 0.0), |(points, count), won| (points + won, count + 1.0));
            (count >= MIN_PHASE_GAMES).then(|| points / count)
        };
        let drop = |own: f64, best: f64| best - own;
        let long = drop(share(0, true)?, share(1, true)?);
        let short = drop(share(0, false)?, share(1, false)?);
        match long - short {
            more if more > NOTABLE_DROP => Some(Phase::Long),
            more if more < -NOTABLE_DROP => Some(Phase::Short),
            _ => None,
        }
    }

    /// The plies and the points of all games of a member.
    fn lengths(&self, member: usize) -> Vec<(u32, f64)> {
        let mine = self.met.iter().filter_map(|(pair, (_, bouts))| {
            let at = pair.iter().position(|&one| one == member)?;
            Some(bouts.iter().filter_map(move |bout| Some((bout.plies, points(bout, at)?))))
        });
        mine.flatten().collect()
    }
}

/// The points of an agent in a game; `None` of one without a result.
fn points(bout: &Summary, agent: usize) -> Option<f64> {
    let first = bout.seats[0] == agent;
    match bout.winner {
        Winner::First => Some(f64::from(u8::from(first))),
        Winner::Second => Some(f64::from(u8::from(!first))),
        Winner::Draw => Some(0.5),
        Winner::Void => None,
    }
}
