//! All versions of programs on a site's ladder on one scale, by all their rated games together.
//!
//! Each version is a separate player: an earlier version's results say nothing about the one that plays now.

use std::collections::HashMap;

use crate::store::{LadderPlayer, SiteStore};
use agon_arena::stats::Interval;
use agon_arena::stats::ratings::{Ratings, Results};
use agon_arena::store::StoreError;

/// What the rated games of a site's competition say about its programs.
#[derive(Clone, Debug)]
pub struct LadderResults {
    players: Vec<LadderPlayer>,
    /// The ratings that games leave as they are.
    anchors: Vec<Option<f64>>,
    results: Results,
}

impl LadderResults {
    /// Reads them.
    ///
    /// # Errors
    /// [`StoreError`].
    pub fn read(store: &SiteStore, competition: i64) -> Result<Self, StoreError> {
        let fixed: HashMap<i64, f64> = store.fixed_ratings(competition)?.into_iter().collect();
        let (mut places, mut rows) = (HashMap::new(), Vec::new());
        let mut players: Vec<LadderPlayer> = Vec::new();
        store.each_version_row(competition, |row| {
            let both = row.players.map(|player| {
                *places.entry(player).or_insert_with(|| {
                    players.push(player);
                    players.len() - 1
                })
            });
            rows.push((both, row.points));
        })?;
        let mut results = Results::new(players.len());
        for ([a, b], points) in rows {
            results.add(a, b, points);
        }
        let anchors = players.iter().map(|player| fixed.get(&player.program).copied()).collect();
        Ok(Self { players, anchors, results })
    }

    /// The most likely ratings by version ([`Ratings::fit_ladder`]): for ten thousand versions with a million games
    /// this takes some seconds.
    pub fn rate(&self) -> HashMap<LadderPlayer, Interval> {
        let ratings = Ratings::fit_ladder(&self.results, &self.anchors);
        self.players.iter().enumerate().map(|(at, &player)| (player, ratings.of(at))).collect()
    }
}

#[cfg(test)]
mod tests {
    use agon_message::Stated;
    use agon_referee::record::Winner;
    use agon_referee::verdict::Verdict;

    use super::*;
    use crate::store::{BoutKind, NewBout, PlayedBout};

    #[test]
    fn a_ladder_of_any_size_is_rated() {
        let folder = tempfile::tempdir().unwrap();
        let mut store = SiteStore::open(&folder.path().join("site.db")).unwrap();
        let competition = store.competitions().unwrap()[0].id;
        let players: Vec<_> = (0..500).map(|n| (format!("p{n}"), 1200.0, n == 0)).collect();
        store.enter_builtins(competition, &players, 1).unwrap();
        let ids: Vec<i64> =
            players.iter().map(|(name, ..)| store.builtin(competition, name).unwrap().unwrap().id).collect();
        assert!(LadderResults::read(&store, competition).unwrap().rate().is_empty());
        // All but the last are beaten by the one above them.
        for pair in ids[..499].windows(2) {
            let kind = BoutKind::Ladder;
            let new = NewBout { competition, kind, seed: 1, seats: [(pair[0], None), (pair[1], None)] };
            let bout = store.begin_bout(&new, 5).unwrap();
            let played = PlayedBout {
                winner: Winner::Second,
                reason: Stated::default(),
                verdicts: [Verdict::Ok; 2],
                plies: 1,
                time_ms: [0.0; 2],
                record: String::new(),
                worker: None,
                game_digest: None,
            };
            store.end_bout(bout, &played, 6).unwrap();
        }
        let rated = LadderResults::read(&store, competition).unwrap().rate();
        let of = |at: usize| LadderPlayer { program: ids[at], version: None };
        assert_eq!((rated.len(), rated.get(&of(499))), (499, None), "a program without games is not rated");
        assert_eq!(rated[&of(0)], Interval { low: 1200.0, value: 1200.0, high: 1200.0 });
        let (near, far) = (rated[&of(1)], rated[&of(498)]);
        assert!(1200.0 <= near.value && near.value < far.value, "{near:?} {far:?}");
        assert!((0..498).all(|at| rated[&of(at)].value <= rated[&of(at + 1)].value + 1e-6));
    }
}
