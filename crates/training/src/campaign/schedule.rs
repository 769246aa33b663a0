//! A value for each generation.

use serde::{Deserialize, Serialize};

/// The values of the first generations; the last one applies to all that follow. Never empty.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(try_from = "Vec<T>", into = "Vec<T>", bound(serialize = "T: Clone + Serialize"))]
pub struct Schedule<T>(Vec<T>);

#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
#[error("a list needs a value")]
pub struct EmptySchedule;

impl<T: Copy> Schedule<T> {
    /// Creates a schedule that is the same in every generation.
    pub fn constant(value: T) -> Self {
        Self(vec![value])
    }

    /// The value of a generation, the first being 1.
    pub fn at(&self, generation: usize) -> T {
        self.0[generation.clamp(1, self.0.len()) - 1]
    }
}

impl<T> TryFrom<Vec<T>> for Schedule<T> {
    type Error = EmptySchedule;

    fn try_from(values: Vec<T>) -> Result<Self, EmptySchedule> {
        if values.is_empty() { Err(EmptySchedule) } else { Ok(Self(values)) }
    }
}

impl<T> From<Schedule<T>> for Vec<T> {
    fn from(Schedule(values): Schedule<T>) -> Self {
        values
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_last_value_holds_for_all_that_follow() {
        let schedule = Schedule::try_from(vec![3, 2, 1]).unwrap();
        assert_eq!([1, 2, 3, 4, 100].map(|generation| schedule.at(generation)), [3, 2, 1, 1, 1]);
        assert_eq!(Schedule::constant(7).at(5), 7);
        assert_eq!(Schedule::<u64>::try_from(Vec::new()), Err(EmptySchedule));
    }
}
