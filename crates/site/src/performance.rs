//! How strong one version of a program is, by its own games alone.

use std::collections::BTreeMap;

use agon_arena::stats::{ELO_PER_LOGIT, Interval, expected};

use crate::store::OwnResult;

/// The standard normal quantile of a 95 % interval.
const QUANTILE: f64 = 1.959_964;

/// Steps of Newton's method; few suffice, for the likelihood is concave.
const MAX_STEPS: usize = 50;

/// The rating that makes the points most likely that were made against opponents of known ratings, with a 95 %
/// interval; `None` without games. A draw against their mean is added, so that it is finite after wins alone.
///
/// Source: the logistic model of Bradley and Terry (1952) with all but one rating known; the interval is Wald's.
pub fn performance(games: &[(f64, f64)]) -> Option<Interval> {
    if games.is_empty() {
        return None;
    }
    let mean = games.iter().map(|(rating, _)| rating).sum::<f64>() / games.len() as f64;
    let all = || games.iter().copied().chain([(mean, 0.5)]);
    let (mut value, mut information) = (mean, 0.0);
    for _ in 0..MAX_STEPS {
        let (mut slope, mut curvature) = (0.0, 0.0);
        for (rating, points) in all() {
            let share = expected(value - rating);
            slope += points - share;
            curvature += share * (1.0 - share);
        }
        information = curvature / (ELO_PER_LOGIT * ELO_PER_LOGIT);
        let step = (slope / curvature * ELO_PER_LOGIT).clamp(-400.0, 400.0);
        value += step;
        if step.abs() < 1e-6 {
            break;
        }
    }
    let half = QUANTILE / information.sqrt();
    Some(Interval { low: value - half, value, high: value + half })
}

/// What the games of one version say about it.
#[derive(Clone, PartialEq, Debug)]
pub struct VersionStrength {
    pub version: u32,
    pub games: usize,
    /// The share of the points, from 0 to 1.
    pub share: f64,
    pub rating: Option<Interval>,
}

/// The strength of each version, the newest first. `rating` is what is known of an opponent.
pub fn by_version(results: &[OwnResult], rating: impl Fn(i64) -> Option<f64>) -> Vec<VersionStrength> {
    let mut versions: BTreeMap<u32, Vec<(f64, f64)>> = BTreeMap::new();
    for result in results {
        let (Some(version), Some(rating)) = (result.version, rating(result.opponent)) else { continue };
        versions.entry(version).or_default().push((rating, result.points));
    }
    let rated = versions.into_iter().rev().map(|(version, games)| {
        let points: f64 = games.iter().map(|(_, points)| points).sum();
        let share = points / games.len() as f64;
        VersionStrength { version, games: games.len(), share, rating: performance(&games) }
    });
    rated.collect()
}

#[cfg(test)]
mod tests {
    use agon_referee::verdict::Verdict;

    use super::*;

    #[test]
    fn a_rating_explains_the_points() {
        assert_eq!(performance(&[]), None);
        let even = performance(&[(1500.0, 0.5); 40]).unwrap();
        assert!((even.value - 1500.0).abs() < 1e-6, "{even:?}");
        assert!((even.high - even.value - (even.value - even.low)).abs() < 1e-6);
        // Three of four points are 190.8 Elo.
        let games: Vec<(f64, f64)> = (0..4000).map(|at| (1600.0, if at % 4 == 0 { 0.0 } else { 1.0 })).collect();
        let strong = performance(&games).unwrap();
        assert!((strong.value - 1790.8).abs() < 0.2, "{strong:?}");
        assert!(strong.high - strong.low < even.high - even.low, "more games say more");
        let won = performance(&[(1500.0, 1.0); 5]).unwrap();
        assert!(won.value > 1700.0 && won.value < 2200.0, "{won:?}");
    }

    #[test]
    fn versions_are_not_pooled() {
        let result = |version, opponent, points| OwnResult {
            bout: 1,
            version: Some(version),
            opponent,
            points,
            verdict: Verdict::Ok,
            plies: 9,
            reason: String::new(),
            rating: 1500.0,
            begun: 1,
        };
        let mut results: Vec<OwnResult> = (0..30).map(|_| result(1, 7, 0.0)).collect();
        results.extend((0..30).map(|_| result(2, 7, 1.0)));
        results.push(result(2, 8, 0.0));
        let rated = by_version(&results, |opponent| (opponent == 7).then_some(1500.0));
        let short: Vec<(u32, usize)> = rated.iter().map(|one| (one.version, one.games)).collect();
        assert_eq!(short, [(2, 30), (1, 30)], "what is not known of an opponent counts nothing");
        assert!(rated[0].share > 0.99 && rated[1].share < 0.01, "{} {}", rated[0].share, rated[1].share);
        let [newer, older] = [rated[0].rating.unwrap(), rated[1].rating.unwrap()];
        assert!(newer.low > older.high, "{newer:?} {older:?}");
    }
}
