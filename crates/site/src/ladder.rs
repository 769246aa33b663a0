//! All programs of a site's ladder on one scale, by all their games together.

use std::collections::HashMap;

use crate::store::SiteStore;
use agon_arena::stats::Interval;
use agon_arena::stats::ratings::{Ratings, Results};
use agon_arena::store::StoreError;

/// What the rated games of a contest of a site say of its programs.
#[derive(Clone, Debug)]
pub struct LadderResults {
    programs: Vec<i64>,
    /// The ratings that games leave as they are.
    anchors: Vec<Option<f64>>,
    results: Results,
}

impl LadderResults {
    /// Reads them.
    ///
    /// # Errors
    /// [`StoreError`].
    pub fn read(store: &SiteStore, contest: i64) -> Result<Self, StoreError> {
        let (programs, anchors): (Vec<i64>, Vec<_>) = store.rated_programs(contest)?.into_iter().unzip();
        let mut results = Results::new(programs.len());
        store.each_ladder_row(contest, |row| {
            // A program may have come or gone between the two questions.
            if let [Ok(a), Ok(b)] = row.programs.map(|id| programs.binary_search(&id)) {
                results.add(a, b, row.points);
            }
        })?;
        Ok(Self { programs, anchors, results })
    }

    /// The most likely ratings by program ([`Ratings::fit`]): ten thousand of them with a million games take some
    /// seconds.
    pub fn rate(&self) -> HashMap<i64, Interval> {
        let ratings = Ratings::fit(&self.results, &self.anchors);
        self.programs.iter().enumerate().map(|(at, &id)| (id, ratings.of(at))).collect()
    }
}

#[cfg(test)]
mod tests {
    use agon_referee::record::Winner;
    use agon_referee::verdict::Verdict;

    use super::*;
    use crate::store::{BoutKind, NewBout, PlayedBout};

    #[test]
    fn a_ladder_of_any_size_is_rated() {
        let folder = tempfile::tempdir().unwrap();
        let mut store = SiteStore::open(&folder.path().join("site.db")).unwrap();
        let contest = store.contests().unwrap()[0].id;
        let players: Vec<_> = (0..500).map(|n| (format!("p{n}"), 1200.0, n == 0)).collect();
        store.enter_builtins(contest, &players, 1).unwrap();
        let ids: Vec<i64> =
            players.iter().map(|(name, ..)| store.builtin(contest, name).unwrap().unwrap().id).collect();
        assert!(LadderResults::read(&store, contest).unwrap().rate().is_empty());
        // All but the last are beaten by who stands above them.
        for pair in ids[..499].windows(2) {
            let kind = BoutKind::Ladder;
            let new = NewBout { contest, kind, seed: 1, seats: [(pair[0], None), (pair[1], None)] };
            let bout = store.begin_bout(&new, 5).unwrap();
            let played = PlayedBout {
                winner: Winner::Second,
                reason: String::new(),
                verdicts: [Verdict::Ok; 2],
                plies: 1,
                time_ms: [0.0; 2],
                record: String::new(),
                worker: None,
            };
            store.end_bout(bout, &played, 6).unwrap();
        }
        let rated = LadderResults::read(&store, contest).unwrap().rate();
        assert_eq!((rated.len(), rated.get(&ids[499])), (499, None), "a program without games is not rated");
        assert_eq!(rated[&ids[0]], Interval { low: 1200.0, value: 1200.0, high: 1200.0 });
        let (near, far) = (rated[&ids[1]], rated[&ids[498]]);
        assert!(1200.0 <= near.value && near.value < far.value, "{near:?} {far:?}");
        assert!(ids[..499].windows(2).all(|pair| rated[&pair[0]].value <= rated[&pair[1]].value + 1e-6));
    }
}
