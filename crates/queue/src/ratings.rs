//! How strong the programs of a ladder are and how they have moved: computed in the background, so that no page waits
//! for it.

use std::collections::HashMap;
use std::sync::{Arc, PoisonError, RwLock};

use agon_arena::stats::Interval;
use agon_arena::store::StoreError;
use agon_site::feats::Feats;
use agon_site::store::{LadderPlayer, PlacedProgram, SiteProgram, SiteStore};

/// Ratings of a program that its line shows.
const SHOWN: u32 = 24;

/// Programs whose trends are computed: those that a visitor is likely to look at.
const MAX_PROGRAMS: u32 = 1000;

const DAY_SECONDS: i64 = 86_400;

/// How a program has moved.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Trend {
    /// Its ratings after its last games, the newest at the end.
    pub ratings: Vec<f64>,
    /// How much its rating has changed within a day; `None` if it had none then.
    pub gained: Option<f64>,
    /// How many places it has climbed within a day, among those that were there.
    pub climbed: Option<i32>,
}

/// The ratings and trends of all competitions, as last computed.
#[derive(Default)]
pub struct Ratings {
    together: RwLock<HashMap<i64, Arc<HashMap<LadderPlayer, Interval>>>>,
    trends: RwLock<HashMap<i64, Arc<HashMap<i64, Trend>>>>,
    feats: RwLock<HashMap<i64, Arc<Feats>>>,
}

impl Ratings {
    /// The ratings of all versions of a competition by all rated games (Bradley and Terry).
    pub fn together(&self, competition: i64) -> Arc<HashMap<LadderPlayer, Interval>> {
        self.together.read().unwrap_or_else(PoisonError::into_inner).get(&competition).cloned().unwrap_or_default()
    }

    pub fn set_together(&self, competition: i64, ratings: HashMap<LadderPlayer, Interval>) {
        self.together.write().unwrap_or_else(PoisonError::into_inner).insert(competition, Arc::new(ratings));
    }

    /// The rating of a program: that of the version that plays, by all rated games. None before it has played, and of
    /// one whose rating is fixed.
    pub fn strength(&self, program: &SiteProgram) -> Option<Interval> {
        let version = program.active.map(|(_, number)| number);
        let player = LadderPlayer { program: program.id, version };
        self.together(program.competition).get(&player).copied().filter(|_| !program.fixed)
    }

    /// The trends of a competition, by program.
    pub fn trends(&self, competition: i64) -> Arc<HashMap<i64, Trend>> {
        self.trends.read().unwrap_or_else(PoisonError::into_inner).get(&competition).cloned().unwrap_or_default()
    }

    /// What stood out in the last games of a competition.
    pub fn feats(&self, competition: i64) -> Arc<Feats> {
        self.feats.read().unwrap_or_else(PoisonError::into_inner).get(&competition).cloned().unwrap_or_default()
    }

    pub fn set_feats(&self, competition: i64, feats: Feats) {
        self.feats.write().unwrap_or_else(PoisonError::into_inner).insert(competition, Arc::new(feats));
    }

    pub fn set_trends(&self, competition: i64, trends: HashMap<i64, Trend>) {
        self.trends.write().unwrap_or_else(PoisonError::into_inner).insert(competition, Arc::new(trends));
    }
}

/// How the best programs of users have moved up to now.
///
/// # Errors
/// [`StoreError`].
pub(crate) fn read_trends(store: &SiteStore, competition: i64, now: i64) -> Result<HashMap<i64, Trend>, StoreError> {
    let yesterday = store.last_begun_by(now - DAY_SECONDS)?;
    let mut trends = HashMap::new();
    let (mut before, mut after) = (Vec::new(), Vec::new());
    for PlacedProgram { program, .. } in store.ladder(competition, 0, MAX_PROGRAMS)? {
        if program.builtin.is_some() {
            continue;
        }
        let mut ratings = store.ratings_of(program.id, SHOWN)?;
        ratings.reverse();
        let then = store.rating_after(program.id, yesterday)?;
        if let Some(then) = then {
            before.push((program.id, then));
            after.push((program.id, program.rating));
        }
        let gained = then.map(|then| program.rating - then);
        trends.insert(program.id, Trend { ratings, gained, climbed: None });
    }
    let places = |mut all: Vec<(i64, f64)>| -> HashMap<i64, i32> {
        all.sort_by(|one, other| other.1.total_cmp(&one.1));
        all.into_iter().enumerate().map(|(place, (program, _))| (program, place as i32)).collect()
    };
    let (before, after) = (places(before), places(after));
    for (program, trend) in &mut trends {
        trend.climbed = before.get(program).zip(after.get(program)).map(|(before, after)| before - after);
    }
    Ok(trends)
}
