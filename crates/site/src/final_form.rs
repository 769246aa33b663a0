//! A host's choices for a final.

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

/// The form of a final.
#[derive(Clone, Default, Hash, Debug, Serialize, Deserialize, ToSchema)]
pub struct FinalForm {
    /// Its title.
    #[schema(max_length = 60)]
    pub title: String,
    /// `round-robin` or `swiss`.
    #[schema(example = "swiss")]
    pub kind: String,
    /// Games of a pairing, an even number.
    #[schema(minimum = 2, maximum = 100)]
    pub games: u32,
    /// Rounds of a Swiss tournament.
    #[serde(default)]
    #[schema(maximum = 50)]
    pub rounds: u32,
    /// The seed, a number; a random one if empty.
    #[serde(default)]
    pub seed: String,
    /// How many built-in players take part, the strongest ones of the ladder.
    #[serde(default)]
    #[schema(maximum = 8)]
    pub champions: u32,
    /// Only the best program of each person and team takes part.
    #[serde(default)]
    pub one_each: bool,
    /// `2` to `8`: as many divisions by rating, each a final of its own; `groups`: one for each group of people.
    #[serde(default)]
    pub divisions: String,
    /// When it begins, such as `2026-12-04T15:00:00Z`; at once if empty.
    #[serde(default)]
    #[schema(example = "2026-12-04T15:00:00Z")]
    pub begins: String,
    /// The word of the page's form: a form that arrives twice begins only one final.
    #[serde(default)]
    #[schema(ignore)]
    pub form: String,
    /// Not empty once the host has seen on a page how many games it will have.
    #[serde(default)]
    #[schema(ignore)]
    pub sure: String,
}
