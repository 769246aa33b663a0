//! Places: how much of a thing each holder has, and all together.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use axum::body::Body;
use axum::response::Response;
use http_body_util::BodyExt as _;

use super::actor::LimitedActor;

/// How many of something there may be: for one holder, and in all.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Bound {
    pub each: usize,
    pub all: usize,
}

/// Why there is no place.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Full {
    /// The holder has as many as it may.
    Own,
    /// All together have.
    All,
}

#[derive(Default, Debug)]
struct Taken {
    by: HashMap<LimitedActor, usize>,
    all: usize,
}

/// The places of one kind.
#[derive(Clone, Debug)]
pub struct Places {
    bound: Bound,
    taken: Arc<Mutex<Taken>>,
}

impl Places {
    pub fn new(bound: Bound) -> Self {
        Self { bound, taken: Arc::default() }
    }

    /// Takes places, which are free again when the value is dropped.
    ///
    /// # Errors
    /// [`Full`]; nothing is taken.
    pub fn take(&self, holder: LimitedActor, count: usize) -> Result<Place, Full> {
        let mut place = Place { places: self.clone(), holder, count: 0 };
        place.grow(count)?;
        Ok(place)
    }

    /// How many are taken.
    pub fn count(&self) -> usize {
        self.taken().all
    }

    fn taken(&self) -> MutexGuard<'_, Taken> {
        self.taken.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Places that are taken.
#[derive(Debug)]
pub struct Place {
    places: Places,
    holder: LimitedActor,
    count: usize,
}

impl Place {
    /// Takes more places.
    ///
    /// # Errors
    /// [`Full`]; nothing more is taken.
    pub fn grow(&mut self, count: usize) -> Result<(), Full> {
        let bound = self.places.bound;
        let mut taken = self.places.taken();
        let own = taken.by.get(&self.holder).copied().unwrap_or_default();
        if own + count > bound.each {
            return Err(Full::Own);
        }
        if taken.all + count > bound.all {
            return Err(Full::All);
        }
        taken.by.insert(self.holder, own + count);
        taken.all += count;
        drop(taken);
        self.count += count;
        Ok(())
    }
}

impl Drop for Place {
    fn drop(&mut self) {
        let mut taken = self.places.taken();
        taken.all -= self.count;
        if let Some(own) = taken.by.get_mut(&self.holder) {
            *own -= self.count;
            if *own == 0 {
                taken.by.remove(&self.holder);
            }
        }
    }
}

/// An answer whose body holds places until it has been sent, or its client has gone.
pub fn held(response: Response, places: Vec<Place>) -> Response {
    response.map(|body| {
        Body::new(body.map_frame(move |frame| {
            let _ = &places;
            frame
        }))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn places_are_bounded_for_each_and_for_all() {
        let places = Places::new(Bound { each: 3, all: 5 });
        let [one, two] = [LimitedActor::Account(1), LimitedActor::Account(2)];
        let mut first = places.take(one, 2).unwrap();
        assert_eq!(places.take(one, 2).unwrap_err(), Full::Own);
        let second = places.take(two, 3).unwrap();
        assert_eq!(first.grow(1), Err(Full::All));
        drop(second);
        assert_eq!(places.count(), 2, "what was refused is not taken");
        drop(first);
        assert_eq!(places.count(), 0);
        assert!(places.taken().by.is_empty(), "holders without places are forgotten");
        assert!(places.take(one, 3).is_ok());
    }
}
