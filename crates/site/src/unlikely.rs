//! Results between two programs that their results against all others do not explain: versions that lose on purpose to
//! one program appear here. A report is a reason to look, not proof.

use std::collections::HashMap;

use agon_arena::store::StoreError;

use crate::store::{LadderRow, SiteProgram, SiteStore};

/// Fewer games between two programs say nothing.
const MIN_GAMES: f64 = 5.0;

/// How many standard deviations a result must be off.
const MIN_DEVIATIONS: f64 = 3.0;

/// How many pairs of a competition are reported.
const MAX_PAIRS: usize = 50;

/// Games against all others, from which a program's strength is seen.
#[derive(Clone, Copy, Default, Debug)]
struct Results {
    games: f64,
    points: f64,
    /// The sum of the opponents' ratings, each as often as it was met.
    opposition: f64,
}

impl Results {
    fn add(&mut self, games: f64, points: f64, opponent: f64) {
        self.games += games;
        self.points += points;
        self.opposition += games * opponent;
    }

    /// The rating that corresponds to these results; half a win and half a loss keep it finite.
    fn performance(self) -> Option<f64> {
        (self.games >= MIN_GAMES).then(|| {
            let odds = (self.points + 0.5) / (self.games - self.points + 0.5);
            self.opposition / self.games + 400.0 * odds.log10()
        })
    }
}

/// A pair whose result is unlikely.
#[derive(Clone, PartialEq, Debug)]
pub struct UnlikelyPair {
    /// The program that has won too much, and the other one.
    pub programs: [SiteProgram; 2],
    /// Their rated games.
    pub games: f64,
    /// Points of the first, and how many were expected from its results against others.
    pub points: f64,
    pub expected: f64,
    /// How many standard deviations apart the two are.
    pub deviations: f64,
}

/// The most unlikely results between programs of users in a competition, those first.
///
/// # Errors
/// [`StoreError`].
pub fn report(store: &SiteStore, competition: i64) -> Result<Vec<UnlikelyPair>, StoreError> {
    let ratings = store.ratings(competition)?;
    let mut rows = Vec::new();
    store.each_ladder_row(competition, |row| rows.push(row))?;
    let mut found = unlikely(&rows, &ratings);
    found.truncate(4 * MAX_PAIRS);
    let mut pairs = Vec::new();
    for Found { programs, games, points, expected, deviations } in found {
        let (Some(first), Some(second)) = (store.program(programs[0])?, store.program(programs[1])?) else { continue };
        if first.builtin.is_none() && second.builtin.is_none() && pairs.len() < MAX_PAIRS {
            pairs.push(UnlikelyPair { programs: [first, second], games, points, expected, deviations });
        }
    }
    Ok(pairs)
}

#[derive(Clone, Copy, PartialEq, Debug)]
struct Found {
    programs: [i64; 2],
    games: f64,
    points: f64,
    expected: f64,
    deviations: f64,
}

fn unlikely(rows: &[LadderRow], ratings: &HashMap<i64, f64>) -> Vec<Found> {
    let rating = |program: i64| ratings.get(&program).copied().unwrap_or_default();
    let mut all: HashMap<i64, Results> = HashMap::new();
    for row in rows {
        let games = row.points[0] + row.points[1];
        for side in 0..2 {
            let results = all.entry(row.programs[side]).or_default();
            results.add(games, row.points[side], rating(row.programs[1 - side]));
        }
    }
    let mut found = Vec::new();
    for row in rows {
        let games = row.points[0] + row.points[1];
        if games < MIN_GAMES {
            continue;
        }
        // What each does without the other one.
        let without = |side: usize| {
            let mut results = all[&row.programs[side]];
            results.add(-games, -row.points[side], rating(row.programs[1 - side]));
            results.performance().unwrap_or_else(|| rating(row.programs[side]))
        };
        let chance = 1.0 / (1.0 + 10_f64.powf((without(1) - without(0)) / 400.0));
        let winner = usize::from(row.points[0] < chance * games);
        let chance = if winner == 0 { chance } else { 1.0 - chance };
        let (points, expected) = (row.points[winner], chance * games);
        // A certain result is never off by much: no chance counts for less than one game in a hundred.
        let likely = chance.clamp(0.01, 0.99);
        let deviations = (points - expected) / (games * likely * (1.0 - likely)).sqrt();
        if deviations >= MIN_DEVIATIONS {
            let programs = [row.programs[winner], row.programs[1 - winner]];
            found.push(Found { programs, games, points, expected, deviations });
        }
    }
    found.sort_by(|one, other| other.deviations.total_cmp(&one.deviations));
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_king_and_its_pawns_show_up() {
        let row = |one, other, points: [f64; 2]| LadderRow { programs: [one, other], points };
        // A king that is no better than its pawns wins 13 of 13 against one of them; two others are evenly matched.
        let rows = [
            row(1, 2, [13.0, 0.0]),
            row(1, 3, [10.0, 10.0]),
            row(1, 4, [10.0, 10.0]),
            row(2, 3, [10.0, 10.0]),
            row(2, 4, [11.0, 9.0]),
            row(3, 4, [10.0, 12.0]),
        ];
        let ratings = (1..=4).map(|program| (program, 1500.0)).collect();
        let found = unlikely(&rows, &ratings);
        assert_eq!(found.iter().map(|found| found.programs).collect::<Vec<_>>(), [[1, 2]]);
        assert!((found[0].expected - 6.5).abs() < 1.0 && found[0].deviations > 3.0, "{found:?}");
        // A strong program that beats everyone is no king of pawns.
        let rows = [row(1, 2, [20.0, 0.0]), row(1, 3, [19.0, 1.0]), row(2, 3, [10.0, 10.0]), row(2, 4, [9.0, 9.0])];
        let ratings = [(1, 2100.0), (2, 1500.0), (3, 1500.0), (4, 1500.0)].into();
        assert_eq!(unlikely(&rows, &ratings), []);
    }
}
