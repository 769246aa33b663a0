//! The competitions of a site, as last read.

use std::collections::BTreeSet;
use std::sync::{Arc, Mutex, PoisonError, RwLock};

use agon_site::store::Competition;

#[derive(Default, Debug)]
pub struct Competitions {
    all: RwLock<Arc<Vec<Competition>>>,
    /// Those whose ladders rest, by their numbers.
    paused: Mutex<BTreeSet<i64>>,
}

impl Competitions {
    /// Those with these numbers rest.
    pub fn new(all: Vec<Competition>, paused: BTreeSet<i64>) -> Self {
        Self { all: RwLock::new(Arc::new(all)), paused: Mutex::new(paused) }
    }

    /// All competitions, in the order of their creation.
    pub fn all(&self) -> Arc<Vec<Competition>> {
        Arc::clone(&self.all.read().unwrap_or_else(PoisonError::into_inner))
    }

    pub fn set(&self, all: Vec<Competition>) {
        *self.all.write().unwrap_or_else(PoisonError::into_inner) = Arc::new(all);
    }

    pub fn find(&self, id: i64) -> Option<Competition> {
        self.all().iter().find(|competition| competition.id == id).cloned()
    }

    /// The competition with this address; every site has one with the name of each game.
    pub fn find_at(&self, slug: &str) -> Option<Competition> {
        self.all().iter().find(|competition| competition.slug == slug).cloned()
    }

    /// Whether the rules of a competition's game are missing, so that it can be neither played nor drawn.
    pub fn lacks_rules(&self, competition: i64) -> bool {
        self.find(competition).is_some_and(|competition| competition.game.is_missing())
    }

    /// Whether the games of a competition's ladder are paused, or its rules missing.
    pub fn is_paused(&self, competition: i64) -> bool {
        if self.lacks_rules(competition) {
            return true;
        }
        self.paused.lock().unwrap_or_else(PoisonError::into_inner).contains(&competition)
    }

    /// Pauses the ladder of a competition, or resumes it, and returns the numbers of all that rest; checks, requested
    /// games and finals are played in any case.
    pub fn set_paused(&self, competition: i64, paused: bool) -> BTreeSet<i64> {
        let mut all = self.paused.lock().unwrap_or_else(PoisonError::into_inner);
        if paused {
            all.insert(competition);
        } else {
            all.remove(&competition);
        }
        all.clone()
    }
}
