//! Many agents on one scale: maximum likelihood by the model of Bradley and Terry.
//!
//! The expected score of agent i against j is 1 / (1 + 10^((Rj − Ri) / 400)). A draw counts as half a win and half a
//! loss, so a difference of ratings means the same as the Elo difference of a match between two agents; models with
//! draws of their own (Davidson, Rao–Kupper) use another scale.
//!
//! The intervals come from the actual spread of the pairs of bouts around the scores that the ratings imply (the
//! "sandwich" of H. White, Maximum Likelihood Estimation of Misspecified Models, 1982): many draws, or openings that
//! give each side one win, make them narrow, although the model knows neither. Where few pairs have been played, the
//! spread that the model expects counts as a few more of them.
//!
//! A weak prior keeps everything finite. Each agent that is not anchored has a quarter of a drawn game more than it has
//! played, shared among its opponents as its games are: that holds an agent that has won or lost everything within some
//! hundred points of them, and pulls no large group of agents anywhere. A quarter of a drawn game of all of a group
//! together against an imaginary agent in the middle holds the group there. Beside real games both are too light to
//! matter.
//!
//! Agents that no game connects, even through others, cannot be compared: each such group is rated separately. Anchors
//! connect agents too, since their ratings are given on one scale. The mean of a group without an anchor is 1500.
//!
//! A fit takes Newton steps, each of them solved by conjugate gradients over the pairings that have met, so that it
//! carries ten thousand agents and a million games. Up to 400 agents have the whole covariance; of more it is estimated
//! from 64 random vectors that have it (the parametric bootstrap, linearized): the width of an interval is then right
//! to about a tenth. The vectors come from a fixed seed, so that the same results give the same intervals.
//!
//! A ladder draws opponents of about the same rating. A lucky agent meets stronger ones from then on and has few games
//! left that could correct its luck: by likelihood alone, the ratings of a ladder spread too far, and their intervals
//! contain the truth in 90 of 100 cases instead of 95. So its ratings have a normal distribution as their prior, whose
//! width is estimated from the results; by Bayes' rule it then does not matter how opponents were chosen. Intervals use
//! Student's distribution, since few agents estimate the width poorly.
//!
//! Sources: R. A. Bradley and M. E. Terry, Rank Analysis of Incomplete Block Designs (1952); D. R. Hunter, MM
//! algorithms for generalized Bradley–Terry models (2004); R. S. Dembo, S. C. Eisenstat and T. Steihaug, Inexact Newton
//! Methods (1982); C. Bekas, E. Kokiopoulou and Y. Saad, An estimator for the diagonal of a matrix (2007).

use std::collections::BTreeMap;

use agon_game::seed::Stream;

use super::linear::{Matrix, Network};
use super::normal::{Z95, cumulative, student95};
use super::{ELO_PER_LOGIT, Interval, Pentanomial, elo, expected};

/// The largest fixed rating, above 0 or below.
pub const MAX_RATING: f64 = 10_000.0;

/// The weight of either prior, in games: of each agent against its opponents, and of all together against the middle.
const PRIOR_GAMES: f64 = 0.25;

/// How often the spread of a ladder's strengths is estimated, and its bounds in Elo points.
const SPREAD_ROUNDS: u32 = 12;
const MIN_SPREAD: f64 = 50.0;
const MAX_SPREAD: f64 = 1000.0;

/// What is known about that spread before any game: as much as this many agents of a field with this spread would show.
const USUAL_AGENTS: f64 = 4.0;
const USUAL_SPREAD: f64 = 400.0;

/// The fewest degrees of freedom of a ladder's intervals.
const MIN_FREEDOM: usize = 4;

/// What is known about ratings without any game.
#[derive(Clone, Copy, PartialEq, Debug)]
enum Prior {
    /// Drawn games of this number.
    Drawn(f64),
    /// They are distributed normally, as widely as the results say (empirical Bayes).
    Normal,
}

/// How many pairs the model's expected spread is worth beside the observed pairs.
const EXPECTED_PAIRS: f64 = 4.0;

/// Agents without anchors up to which the whole covariance is computed, in the third power of their number.
const MAX_EXACT_AGENTS: usize = 400;

/// How many random vectors are solved for at once: a pairing then reads one cache line of them.
const LANES: usize = 8;

/// How often that is done.
const BLOCKS: usize = 8;

/// The accuracy of a step and a random vector. An inexact step costs a few more steps but no digit of the result.
const TOLERANCE: f64 = 1e-3;

/// How much each agent has scored against each other one.
#[derive(Clone, PartialEq, Debug)]
pub struct Results {
    agents: usize,
    /// Keyed by the two agents, the lower number first.
    pairings: BTreeMap<[u32; 2], Pairing>,
}

/// What two agents have scored against each other.
#[derive(Clone, PartialEq, Debug, Default)]
struct Pairing {
    points: [f64; 2],
    /// Whole pairs from the side of the first, where any are known.
    pairs: Option<Box<Pentanomial>>,
}

impl Pairing {
    fn games(&self) -> f64 {
        self.points[0] + self.points[1]
    }

    /// The variance of all points of one against the other, if a game gives the first `p` points on average.
    fn variance(&self, p: f64) -> f64 {
        let none = Pentanomial::default();
        let pairs = self.pairs.as_deref().unwrap_or(&none);
        let (seen, model) = (pairs.pairs() as f64, p * (1.0 - p));
        let single = (self.games() - 2.0 * seen).max(0.0);
        let squares = (0..).zip(pairs.counts).map(|(halves, count)| {
            let far = f64::from(halves) / 2.0 - 2.0 * p;
            count as f64 * far * far
        });
        let of_a_pair = (squares.sum::<f64>() + EXPECTED_PAIRS * 2.0 * model) / (seen + EXPECTED_PAIRS);
        seen * of_a_pair + single * model
    }
}

impl Results {
    /// No games yet between this many agents.
    ///
    /// # Panics
    /// If there are more than 2³² agents.
    pub fn new(agents: usize) -> Self {
        assert!(u32::try_from(agents).is_ok(), "too many agents");
        Self { agents, pairings: BTreeMap::new() }
    }

    /// Adds the points that two agents scored against each other in games whose pairs are unknown: 1 a win, ½ a
    /// draw.
    ///
    /// # Panics
    /// If there is no such agent, or they are one and the same.
    pub fn add(&mut self, a: usize, b: usize, points: [f64; 2]) {
        let (pairing, swapped) = self.pairing(a, b);
        for side in 0..2 {
            pairing.points[side] += points[side ^ usize::from(swapped)];
        }
    }

    /// Adds pairs of games of the same opening with the seats swapped, counted from the first agent's side.
    ///
    /// # Panics
    /// If there is no such agent, or they are one and the same.
    pub fn add_pairs(&mut self, a: usize, b: usize, pairs: &Pentanomial) {
        let points = [pairs, &pairs.reversed()].map(Pentanomial::points);
        self.add(a, b, points);
        let (pairing, swapped) = self.pairing(a, b);
        pairing.pairs.get_or_insert_default().merge(&if swapped { pairs.reversed() } else { *pairs });
    }

    /// What is known about two agents, and whether the second of them comes first there.
    fn pairing(&mut self, a: usize, b: usize) -> (&mut Pairing, bool) {
        assert!(a < self.agents && b < self.agents && a != b, "no such agent");
        (self.pairings.entry([a.min(b) as u32, a.max(b) as u32]).or_default(), a > b)
    }

    fn met(&self) -> Vec<([usize; 2], &Pairing)> {
        let met = self.pairings.iter().filter(|(_, pairing)| pairing.games() > 0.0);
        met.map(|(both, pairing)| (both.map(|agent| agent as usize), pairing)).collect()
    }
}

#[derive(Clone, PartialEq, Debug)]
pub struct Ratings {
    values: Vec<f64>,
    anchored: bool,
    covariance: Covariance,
    /// The groups of agents that neither games nor anchors connect, each in the order of its agents.
    groups: Vec<Vec<usize>>,
    /// The group of each agent.
    group_of: Vec<usize>,
    prior: Prior,
}

impl Ratings {
    /// Fits ratings to results. `anchors` fixes the ratings of some agents; the mean of a group without any is 1500.
    ///
    /// # Panics
    /// If there are not as many anchors as agents.
    pub fn fit(results: &Results, anchors: &[Option<f64>]) -> Self {
        Self::fit_within(results, anchors, Prior::Drawn(PRIOR_GAMES), MAX_EXACT_AGENTS)
    }

    /// The same for results of a ladder, whose games are drawn between agents of about the same rating.
    ///
    /// # Panics
    /// If there are not as many anchors as agents.
    pub fn fit_ladder(results: &Results, anchors: &[Option<f64>]) -> Self {
        Self::fit_within(results, anchors, Prior::Normal, MAX_EXACT_AGENTS)
    }

    /// With a prior, and the whole covariance of `max_exact` agents at most.
    fn fit_within(results: &Results, anchors: &[Option<f64>], prior: Prior, max_exact: usize) -> Self {
        let n = results.agents;
        assert_eq!(n, anchors.len(), "one anchor or none for each agent");
        let anchored = anchors.iter().any(Option::is_some);
        let met = results.met();
        let (groups, group_of) = groups(anchors, &met);
        let mut model = Model::new(met, anchors, prior, &groups, &group_of);
        let mut information = Network::new(0);
        let exact = model.free.len() <= max_exact;
        let rounds = if prior == Prior::Normal { SPREAD_ROUNDS } else { 1 };
        for round in 0..rounds {
            if round > 0 {
                model.spread(&information, exact);
            }
            information = model.climb();
        }
        let mut covariance =
            if exact { model.covariance(&information) } else { model.sampled_covariance(&information) };
        let Model { mut values, .. } = model;
        // A single agent has no distance from its group; it is as uncertain as the prior says.
        for group in groups.iter().filter(|group| group.len() > 1 && group.iter().all(|&i| anchors[i].is_none())) {
            let mean = group.iter().map(|&i| values[i]).sum::<f64>() / group.len() as f64;
            for &i in group {
                values[i] += elo::START - mean;
            }
            covariance.centre(group);
        }
        Self { values, anchored, covariance, groups, group_of, prior }
    }

    /// An agent's rating with its 95 % interval. The interval is that of the distance from the anchors, or from the
    /// mean of its group if there are none; an anchor's is empty.
    ///
    /// # Panics
    /// If there is no such agent.
    pub fn of(&self, agent: usize) -> Interval {
        // The spread of a ladder is estimated from its agents, and few agents reveal little about it.
        let quantile = match self.prior {
            Prior::Drawn(_) => Z95,
            Prior::Normal => student95(self.groups[self.group_of[agent]].len().max(MIN_FREEDOM) as f64),
        };
        let (value, reach) = (self.values[agent], quantile * self.covariance.of(agent, None).max(0.0).sqrt());
        Interval { low: value - reach, value, high: value + reach }
    }

    /// The variance of the difference of two ratings; `None` for agents of different groups, which cannot be compared.
    ///
    /// # Panics
    /// If there is no such agent.
    pub fn variance_between(&self, a: usize, b: usize) -> Option<f64> {
        (self.group_of[a] == self.group_of[b]).then(|| self.covariance.of(a, Some(b)).max(0.0))
    }

    /// The likelihood, 0 to 1, that the first of two agents is the stronger; one half for agents of different groups,
    /// which cannot be compared.
    ///
    /// # Panics
    /// If there is no such agent.
    pub fn los(&self, a: usize, b: usize) -> f64 {
        if self.group_of[a] != self.group_of[b] {
            return 0.5;
        }
        let variance = self.covariance.of(a, Some(b));
        let difference = self.values[a] - self.values[b];
        if variance <= 0.0 {
            0.5 + 0.5 * difference.partial_cmp(&0.0).map_or(0.0, |o| f64::from(o as i8))
        } else {
            cumulative(difference / variance.sqrt())
        }
    }

    /// Whether any ratings were fixed.
    pub const fn anchored(&self) -> bool {
        self.anchored
    }

    /// The groups of agents that neither games nor anchors connect, each in the order of its agents. Ratings of
    /// different groups cannot be compared.
    pub fn groups(&self) -> &[Vec<usize>] {
        &self.groups
    }

    /// The group of an agent, by its place in [`Self::groups`].
    ///
    /// # Panics
    /// If there is no such agent.
    pub fn group_of(&self, agent: usize) -> usize {
        self.group_of[agent]
    }
}

/// How uncertain ratings are, in squared Elo points; relative to the mean of all if no agent is anchored.
#[derive(Clone, PartialEq, Debug)]
enum Covariance {
    Exact(Matrix),
    /// For each agent, its components of random vectors with this covariance.
    Sampled(Vec<[f64; LANES * BLOCKS]>),
}

impl Covariance {
    /// The variance of one rating, or of the difference of two.
    fn of(&self, a: usize, b: Option<usize>) -> f64 {
        match self {
            Self::Exact(all) => b.map_or_else(|| all.at(a, a), |b| all.at(a, a) + all.at(b, b) - 2.0 * all.at(a, b)),
            Self::Sampled(all) => {
                let square = |n: usize| (all[a][n] - b.map_or(0.0, |b| all[b][n])).powi(2);
                (0..LANES * BLOCKS).map(square).sum::<f64>() / (LANES * BLOCKS) as f64
            }
        }
    }

    /// Turns that of the agents of a group into that of their differences from its mean.
    fn centre(&mut self, group: &[usize]) {
        match self {
            Self::Exact(all) => all.centre(group),
            Self::Sampled(all) => {
                let mut means = [0.0; LANES * BLOCKS];
                for &i in group {
                    means.iter_mut().zip(all[i]).for_each(|(mean, sample)| *mean += sample / group.len() as f64);
                }
                for &i in group {
                    all[i].iter_mut().zip(means).for_each(|(sample, mean)| *sample -= mean);
                }
            }
        }
    }
}

struct Model<'a> {
    met: Vec<([usize; 2], &'a Pairing)>,
    /// The drawn games of the prior in each of those pairings.
    drawn: Vec<f64>,
    /// The agents without anchors, and each agent's place in that list.
    free: Vec<usize>,
    places: Vec<Option<u32>>,
    values: Vec<f64>,
    /// By place: the middle of its group, and its games against that; for a normal prior, the inverse of its variance.
    middles: Vec<(f64, f64)>,
    /// By place: its group.
    groups: Vec<usize>,
    prior: Prior,
}

impl<'a> Model<'a> {
    fn new(
        met: Vec<([usize; 2], &'a Pairing)>,
        anchors: &[Option<f64>],
        prior: Prior,
        groups: &[Vec<usize>],
        group_of: &[usize],
    ) -> Self {
        let agents = anchors.len();
        let free: Vec<usize> = (0..agents).filter(|&i| anchors[i].is_none()).collect();
        let mut places = vec![None; agents];
        for (place, &i) in (0..).zip(&free) {
            places[i] = Some(place);
        }
        let middle = |group: &Vec<usize>| {
            let fixed: Vec<f64> = group.iter().filter_map(|&i| anchors[i]).collect();
            let middle = if fixed.is_empty() { elo::START } else { fixed.iter().sum::<f64>() / fixed.len() as f64 };
            match prior {
                Prior::Drawn(games) => (middle, games / (group.len() - fixed.len()).max(1) as f64),
                Prior::Normal => (middle, (ELO_PER_LOGIT / MAX_SPREAD).powi(2)),
            }
        };
        let middles: Vec<(f64, f64)> = groups.iter().map(middle).collect();
        let middle_of = |i: usize| middles[group_of[i]];
        let mut games = vec![0.0; agents];
        for (both, pairing) in &met {
            for &i in both {
                games[i] += pairing.games();
            }
        }
        let drawn_games = if let Prior::Drawn(games) = prior { games } else { 0.0 };
        let share = |i: usize| if places[i].is_some() { drawn_games / games[i] } else { 0.0 };
        let drawn = met.iter().map(|([i, j], pairing)| pairing.games() * (share(*i) + share(*j))).collect();
        let values = anchors.iter().enumerate().map(|(i, anchor)| anchor.unwrap_or(middle_of(i).0)).collect();
        let middles = free.iter().map(|&i| middle_of(i)).collect();
        let groups = free.iter().map(|&i| group_of[i]).collect();
        Self { met, drawn, free, places, values, middles, groups, prior }
    }

    /// Climbs to the most likely ratings by Newton's method on a concave function; the step is bounded since far from
    /// the top it may overshoot. The Fisher information there.
    fn climb(&mut self) -> Network {
        let mut information = Network::new(0);
        for _ in 0..500 {
            let gradient;
            (gradient, information) = self.slopes();
            let step = information.solve(&gradient, TOLERANCE);
            let largest = step.iter().map(|[step]| step.abs()).fold(0.0, f64::max);
            let scale = (1.0 / largest).min(1.0);
            for (&i, [step]) in self.free.iter().zip(&step) {
                self.values[i] += step * scale * ELO_PER_LOGIT;
            }
            if largest < 1e-10 {
                break;
            }
        }
        information
    }

    /// Re-estimates the middle and the spread of each group from its ratings and how uncertain they are, a step of
    /// expectation maximization.
    fn spread(&mut self, information: &Network, exact: bool) {
        let variances: Vec<f64> = if exact {
            let inverse = information.dense().inverse();
            (0..self.free.len()).map(|place| inverse.at(place, place)).collect()
        } else {
            information.diagonal().iter().map(|information| 1.0 / information).collect()
        };
        let count = self.groups.iter().max().map_or(0, |most| most + 1);
        let (mut sizes, mut means, mut squares) = (vec![0.0; count], vec![0.0; count], vec![0.0; count]);
        for (&group, &i) in self.groups.iter().zip(&self.free) {
            sizes[group] += 1.0;
            means[group] += self.values[i];
        }
        means.iter_mut().zip(&sizes).for_each(|(mean, size)| *mean /= f64::max(*size, 1.0));
        for ((&group, &i), variance) in self.groups.iter().zip(&self.free).zip(variances) {
            let far = self.values[i] - means[group];
            squares[group] += far * far + variance * ELO_PER_LOGIT * ELO_PER_LOGIT;
        }
        for (middle, &group) in self.middles.iter_mut().zip(&self.groups) {
            let square = (squares[group] + USUAL_AGENTS * USUAL_SPREAD * USUAL_SPREAD)
                / (f64::max(sizes[group] - 1.0, 0.0) + USUAL_AGENTS);
            let spread = square.sqrt().clamp(MIN_SPREAD, MAX_SPREAD);
            *middle = (means[group], (ELO_PER_LOGIT / spread).powi(2));
        }
    }

    /// Each pairing with games, the drawn games that the prior adds, the places of its agents, and the first agent's
    /// expected score in a game.
    fn expectations(&self) -> impl Iterator<Item = (&'a Pairing, f64, [Option<u32>; 2], f64)> {
        self.met.iter().zip(&self.drawn).map(|(&([i, j], pairing), &drawn)| {
            (pairing, drawn, [self.places[i], self.places[j]], expected(self.values[i] - self.values[j]))
        })
    }

    /// For each place, the variance of the points of its game against the middle, and the difference between those
    /// points and what is expected.
    fn priors(&self) -> impl Iterator<Item = (u32, f64, f64)> {
        (0..).zip(&self.free).zip(&self.middles).map(|((place, &i), &(middle, games))| {
            if self.prior == Prior::Normal {
                return (place, games, games * (middle - self.values[i]) / ELO_PER_LOGIT);
            }
            let p = expected(self.values[i] - middle);
            (place, games * p * (1.0 - p), games * (0.5 - p))
        })
    }

    /// The gradient of the log likelihood by the free ratings, in logits, and the Fisher information.
    fn slopes(&self) -> (Vec<[f64; 1]>, Network) {
        let mut gradient = vec![[0.0]; self.free.len()];
        let mut information = Network::new(self.free.len());
        for (place, variance, more) in self.priors() {
            gradient[place as usize][0] += more;
            information.add(place, variance);
        }
        for (pairing, drawn, places, p) in self.expectations() {
            let more = pairing.points[0] - pairing.games() * p + drawn * (0.5 - p);
            for (place, more) in places.into_iter().zip([more, -more]) {
                if let Some(place) = place {
                    gradient[place as usize][0] += more;
                }
            }
            join(&mut information, places, (pairing.games() + drawn) * p * (1.0 - p));
        }
        (gradient, information)
    }

    /// The covariance of all ratings.
    fn covariance(&self, information: &Network) -> Covariance {
        let mut spread = Network::new(self.free.len());
        for (place, variance, _) in self.priors() {
            spread.add(place, variance);
        }
        for (pairing, drawn, places, p) in self.expectations() {
            join(&mut spread, places, pairing.variance(p) + drawn * p * (1.0 - p));
        }
        let inverse = information.dense().inverse();
        let sandwich = inverse.product(&spread.dense()).product(&inverse);
        let mut covariance = Matrix::zero(self.places.len());
        for (a, &i) in self.free.iter().enumerate() {
            for (b, &j) in self.free.iter().enumerate() {
                covariance.set(i, j, sandwich.at(a, b) * ELO_PER_LOGIT.powi(2));
            }
        }
        Covariance::Exact(covariance)
    }

    /// The same, sampled: gradients as they would be if each pairing had ended one standard deviation off, one way or
    /// the other, and the ratings that follow.
    fn sampled_covariance(&self, information: &Network) -> Covariance {
        let mut stream = Stream::new(0, "covariance of ratings");
        let priors: Vec<_> = self.priors().map(|(place, variance, _)| ([Some(place), None], variance.sqrt())).collect();
        let met = self
            .expectations()
            .map(|(pairing, drawn, places, p)| (places, (pairing.variance(p) + drawn * p * (1.0 - p)).sqrt()));
        let deviations: Vec<([Option<u32>; 2], f64)> = priors.into_iter().chain(met).collect();
        let mut samples = vec![[0.0; LANES * BLOCKS]; self.places.len()];
        for block in 0..BLOCKS {
            let mut gradients = vec![[0.0; LANES]; self.free.len()];
            for &([a, b], deviation) in &deviations {
                let signs = stream.next();
                let by: [f64; LANES] =
                    std::array::from_fn(|n| if signs >> n & 1 == 0 { deviation } else { -deviation });
                for n in 0..LANES {
                    if let Some(a) = a {
                        gradients[a as usize][n] += by[n];
                    }
                    if let Some(b) = b {
                        gradients[b as usize][n] -= by[n];
                    }
                }
            }
            for (&i, found) in self.free.iter().zip(information.solve(&gradients, TOLERANCE)) {
                let found = found.map(|logits| logits * ELO_PER_LOGIT);
                samples[i][block * LANES..][..LANES].copy_from_slice(&found);
            }
        }
        Covariance::Sampled(samples)
    }
}

/// Adds what two agents share to a network of the free ones.
fn join(network: &mut Network, places: [Option<u32>; 2], value: f64) {
    match places {
        [Some(a), Some(b)] => network.connect(a, b, value),
        [Some(one), None] | [None, Some(one)] => network.add(one, value),
        [None, None] => {}
    }
}

/// The groups of agents that neither games nor anchors connect, in the order of their first agents; and of each agent
/// its group.
fn groups(anchors: &[Option<f64>], met: &[([usize; 2], &Pairing)]) -> (Vec<Vec<usize>>, Vec<usize>) {
    // Each agent's parent in a tree of its group; a root is its own.
    let mut parents: Vec<usize> = (0..anchors.len()).collect();
    let root = |parents: &mut [usize], mut agent: usize| {
        while parents[agent] != agent {
            parents[agent] = parents[parents[agent]];
            agent = parents[agent];
        }
        agent
    };
    let fixed: Vec<usize> = (0..anchors.len()).filter(|&i| anchors[i].is_some()).collect();
    let declared = fixed.windows(2).map(|two| [two[0], two[1]]);
    for both in met.iter().map(|(both, _)| *both).chain(declared) {
        let [a, b] = both.map(|agent| root(&mut parents, agent));
        parents[a.max(b)] = a.min(b);
    }
    let (mut groups, mut group_of) = (Vec::<Vec<usize>>::new(), vec![0; anchors.len()]);
    for agent in 0..anchors.len() {
        let first = root(&mut parents, agent);
        group_of[agent] = if first == agent { groups.len() } else { group_of[first] };
        match groups.get_mut(group_of[agent]) {
            Some(group) => group.push(agent),
            None => groups.push(vec![agent]),
        }
    }
    (groups, group_of)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::stats::difference;

    fn near(found: f64, wanted: f64, by: f64) {
        assert!((found - wanted).abs() <= by, "{found} is not {wanted} ± {by}");
    }

    #[test]
    fn two_agents_are_as_far_apart_as_their_match_says() {
        let mut results = Results::new(2);
        results.add(0, 1, [650.0, 350.0]);
        let ratings = Ratings::fit(&results, &[None, None]);
        near(ratings.of(0).value - ratings.of(1).value, difference(0.65), 0.2);
        near(ratings.of(0).value + ratings.of(1).value, 3000.0, 1e-6);
        // The binomial error of the difference is 173.72 / sqrt(1000 * .65 * .35); each carries half of it.
        let error = ELO_PER_LOGIT / (1000.0_f64 * 0.65 * 0.35).sqrt();
        near(ratings.of(0).high - ratings.of(0).value, Z95 * error / 2.0, 0.05);
        near(ratings.los(0, 1), 1.0, 1e-9);
        near(ratings.los(0, 1) + ratings.los(1, 0), 1.0, 1e-12);
    }

    #[test]
    fn three_in_a_ring_are_equal() {
        let mut results = Results::new(3);
        for (a, b) in [(0, 1), (1, 2), (2, 0)] {
            results.add(a, b, [30.0, 10.0]);
        }
        let ratings = Ratings::fit(&results, &[None; 3]);
        (0..3).for_each(|i| near(ratings.of(i).value, 1500.0, 1e-6));
    }

    #[test]
    fn anchors_stand_and_carry_the_others() {
        let mut results = Results::new(3);
        results.add(0, 1, [500.0, 500.0]);
        results.add(1, 2, [750.0, 250.0]);
        let ratings = Ratings::fit(&results, &[Some(2000.0), None, None]);
        assert!(ratings.anchored());
        let anchor = ratings.of(0);
        assert_eq!(anchor, Interval { low: 2000.0, value: 2000.0, high: 2000.0 });
        near(ratings.of(1).value, 2000.0, 0.5);
        near(ratings.of(2).value, 2000.0 - difference(0.75), 0.5);
        // Errors add up with the distance from the anchor.
        let reach = |i| ratings.of(i).high - ratings.of(i).value;
        assert!(reach(1) < reach(2));
    }

    #[test]
    fn no_agent_is_infinitely_strong() {
        let mut results = Results::new(4);
        results.add(0, 1, [20.0, 0.0]);
        let ratings = Ratings::fit(&results, &[None; 4]);
        let distance = ratings.of(0).value - ratings.of(1).value;
        assert!((500.0..1500.0).contains(&distance), "{distance}");
        assert_eq!(ratings.groups(), [vec![0, 1], vec![2], vec![3]]);
        near(ratings.of(2).value, 1500.0, 1e-6);
        assert!(ratings.of(2).high - ratings.of(2).low > 800.0, "an agent without games is not known");
        assert!(Ratings::fit(&Results::new(0), &[]).groups().is_empty());
    }

    /// Groups that have not met are rated as if each were alone.
    #[test]
    fn each_group_is_rated_apart() {
        let games = [(0, 3, [9.0, 3.0]), (1, 4, [2.0, 14.0]), (4, 6, [5.0, 5.0]), (2, 5, [1.0, 0.0])];
        let fit = |which: &dyn Fn(usize) -> bool, anchors: &[Option<f64>], max_exact: usize| {
            let mut results = Results::new(8);
            games.iter().filter(|(a, ..)| which(*a)).for_each(|&(a, b, points)| results.add(a, b, points));
            Ratings::fit_within(&results, anchors, Prior::Drawn(PRIOR_GAMES), max_exact)
        };
        let mut anchors = [None; 8];
        for anchored in [false, true] {
            anchors[5] = anchored.then_some(3000.0);
            let all = fit(&|_| true, &anchors, 400);
            assert_eq!(all.groups(), [vec![0, 3], vec![1, 4, 6], vec![2, 5], vec![7]]);
            for (number, group) in all.groups().iter().enumerate() {
                let alone = fit(&|a| group.contains(&a), &anchors, 400);
                for &i in group {
                    near(all.of(i).value, alone.of(i).value, 1e-6);
                    near(all.of(i).high, alone.of(i).high, 1e-6);
                    assert_eq!(all.group_of(i), number);
                }
                let mean = group.iter().map(|&i| all.of(i).value).sum::<f64>() / group.len() as f64;
                assert!(number == 2 && anchored || (mean - elo::START).abs() < 1e-6, "{number}: {mean}");
            }
            assert!((all.los(0, 1) - 0.5).abs() < 1e-12 && all.los(0, 3) > 0.9);
            // The distance from those that it has met, which no other group widens.
            let reach = |ratings: &Ratings, i: usize| ratings.of(i).high - ratings.of(i).value;
            assert!(reach(&all, 0) < 150.0 && reach(&all, 4) < 200.0, "{} {}", reach(&all, 0), reach(&all, 4));
            let sampled = fit(&|_| true, &anchors, 0);
            (0..7).for_each(|i| near(reach(&sampled, i), reach(&all, i), 0.4 * reach(&all, i)));
        }
        // Given ratings are on one scale.
        (anchors[1], anchors[3]) = (Some(1400.0), Some(1600.0));
        assert_eq!(fit(&|_| true, &anchors, 400).groups(), [vec![0, 1, 2, 3, 4, 5, 6], vec![7]]);
    }

    /// At the top of a concave likelihood the slope is 0, however far the anchors and whatever the results.
    #[test]
    fn the_top_is_found_for_all_results() {
        let mut stream = Stream::new(4, "tops");
        for case in 0..400 {
            let agents = 2 + stream.below(7);
            let mut results = Results::new(agents);
            for _ in 0..=stream.below(3 * agents) {
                let (a, b) = (stream.below(agents), stream.below(agents));
                let games = 10_f64.powi(stream.below(6) as i32);
                let share = [0.0, 1.0, 0.5, stream.below(100) as f64 / 99.0][stream.below(4)];
                if a != b {
                    results.add(a, b, [games * share, games * (1.0 - share)]);
                }
            }
            let far = [400.0, 4000.0, MAX_RATING][stream.below(3)];
            let anchors: Vec<Option<f64>> = (0..agents)
                .map(|_| (stream.below(3) == 0).then(|| far * (stream.below(1000) as f64 / 500.0 - 1.0)))
                .collect();
            let ratings = Ratings::fit(&results, &anchors);
            let (groups, group_of) = groups(&anchors, &results.met());
            let mut model = Model::new(results.met(), &anchors, Prior::Drawn(PRIOR_GAMES), &groups, &group_of);
            // The ratings of a group without an anchor have been shifted together.
            model.values.clone_from(&ratings.values);
            let (gradient, _) = model.slopes();
            let games: f64 = results.met().iter().map(|(_, pairing)| pairing.games()).sum();
            for (&i, [slope]) in model.free.iter().zip(&gradient) {
                let alone = groups[group_of[i]].iter().all(|&j| anchors[j].is_none());
                let slack = if alone { PRIOR_GAMES } else { 1e-6 * games.max(1.0) };
                assert!(slope.abs() < slack, "{case}: {slope} of agent {i} in {results:?} {anchors:?}");
                assert!(ratings.of(i).low.is_finite() && ratings.of(i).high.is_finite(), "{case}");
            }
        }
    }

    const PLANTED: [f64; 6] = [1180.0, 1340.0, 1500.0, 1530.0, 1640.0, 1810.0];

    /// Plays every pairing this many pairs of games. A share of the pairs is decided by the opening, which wins both
    /// games for its side, and a share of the other games is drawn; both as far as the expected score lets them.
    fn play(stream: &mut Stream, pairs: u32, draws: f64, openings: f64) -> Results {
        let mut results = Results::new(PLANTED.len());
        let mut below = |share: f64| ((stream.next() >> 11) as f64) < share * (1_u64 << 53) as f64;
        for (a, stronger) in PLANTED.iter().enumerate() {
            for (b, weaker) in PLANTED.iter().enumerate().take(a) {
                let p = expected(stronger - weaker);
                let decided = openings * 2.0 * p.min(1.0 - p);
                // The other games supply what is missing to the expected score.
                let p = (p - decided / 2.0) / (1.0 - decided);
                let drawn = draws * 2.0 * p.min(1.0 - p);
                let wins = (p - drawn / 2.0) / (1.0 - drawn);
                let mut seen = Pentanomial::default();
                for _ in 0..pairs {
                    if below(decided) {
                        seen.add(2);
                    } else {
                        seen.add(
                            [0; 2]
                                .map(|_: usize| if below(drawn) { 1 } else { 2 * usize::from(below(wins)) })
                                .iter()
                                .sum(),
                        );
                    }
                }
                results.add_pairs(a, b, &seen);
            }
        }
        results
    }

    #[test]
    fn planted_ratings_are_recovered() {
        let results = play(&mut Stream::new(8, "planted"), 2000, 0.4, 0.2);
        let ratings = Ratings::fit(&results, &[None; PLANTED.len()]);
        assert_eq!(ratings.groups().len(), 1);
        for (i, planted) in PLANTED.iter().enumerate() {
            near(ratings.of(i).value, *planted, 8.0);
        }
    }

    /// A ladder: every agent has met those nearby, and the anchors are all among the weakest.
    fn ladder(agents: usize, meetings: usize) -> (Vec<f64>, Results, Vec<Option<f64>>) {
        let mut stream = Stream::new(3, "ladder");
        let planted: Vec<f64> = (0..agents).map(|i| 1000.0 + 1500.0 * i as f64 / agents as f64).collect();
        let mut results = Results::new(agents);
        for a in 0..agents {
            for _ in 0..meetings {
                let b = (a + 1 + stream.below(agents / 20)).min(agents - 1);
                if a != b {
                    let won = f64::from(u8::from(
                        stream.below(1 << 20) < (expected(planted[a] - planted[b]) * f64::from(1 << 20)) as usize,
                    ));
                    results.add(a, b, [won, 1.0 - won]);
                }
            }
        }
        let anchors = (0..agents).map(|i| Some(planted[i]).filter(|_| i % 40 == 0 && i < agents / 4)).collect();
        (planted, results, anchors)
    }

    #[test]
    fn a_sampled_covariance_is_the_whole_one() {
        let (planted, results, anchors) = ladder(200, 10);
        for anchors in [anchors, vec![None; 200]] {
            let exact = Ratings::fit(&results, &anchors);
            let sampled = Ratings::fit_within(&results, &anchors, Prior::Drawn(PRIOR_GAMES), 0);
            assert_eq!((exact.values.len(), &exact.values, exact.groups().len()), (200, &sampled.values, 1));
            let reach = |ratings: &Ratings, i: usize| ratings.of(i).high - ratings.of(i).value;
            let free: Vec<usize> = (0..planted.len()).filter(|&i| anchors[i].is_none()).collect();
            let ratios: Vec<f64> = free.iter().map(|&i| reach(&sampled, i) / reach(&exact, i)).collect();
            assert!(ratios.iter().all(|ratio| (0.7..1.3).contains(ratio)), "{ratios:?}");
            near(ratios.iter().sum::<f64>() / ratios.len() as f64, 1.0, 0.1);
            for pair in free.windows(2) {
                near(sampled.los(pair[0], pair[1]), exact.los(pair[0], pair[1]), 0.1);
            }
            assert!((0..200).filter(|&i| anchors[i].is_some()).all(|i| reach(&sampled, i) == 0.0));
        }
    }

    #[test]
    fn thousands_of_agents_are_rated() {
        let slow = std::env::var_os("AGON_SLOW").is_some();
        let (planted, results, anchors) = if slow { ladder(10_000, 100) } else { ladder(2000, 30) };
        let begun = std::time::Instant::now();
        let ratings = Ratings::fit(&results, &anchors);
        eprintln!("{} agents, {} pairings: {:?}", planted.len(), results.pairings.len(), begun.elapsed());
        let free: Vec<usize> = (0..planted.len()).filter(|&i| anchors[i].is_none()).collect();
        let held = free.iter().filter(|&&i| ratings.of(i).contains(planted[i])).count();
        let share = held as f64 / free.len() as f64;
        // Neighbours share the errors of those between them and the anchors, so the share varies more than by chance
        // alone.
        assert!((0.9..=0.985).contains(&share), "{share}");
        assert!(free.iter().all(|&i| (ratings.of(i).value - planted[i]).abs() < 400.0));
    }

    #[test]
    fn ninety_five_per_cent_of_the_intervals_hold_the_truth() {
        let mut stream = Stream::new(9, "coverage");
        for (draws, openings) in [(0.0, 0.0), (0.5, 0.0), (0.9, 0.0), (0.3, 0.6)] {
            let (mut held, mut all) = (0_u32, 0_u32);
            for _ in 0..400 {
                let ratings = Ratings::fit(&play(&mut stream, 20, draws, openings), &[None; PLANTED.len()]);
                for (i, planted) in PLANTED.iter().enumerate() {
                    held += u32::from(ratings.of(i).contains(*planted));
                    all += 1;
                }
            }
            let share = f64::from(held) / f64::from(all);
            assert!((0.93..=0.975).contains(&share), "{draws} {openings}: {share}");
        }
    }
}
