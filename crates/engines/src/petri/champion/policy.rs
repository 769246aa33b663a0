//! What every action weighs.

use agon_rules::petri::{Species, SpeciesError};
use toml::{Table, Value};

/// How many things are weighed of every action: first what is the same wherever it is directed, then what is not.
///
/// | | same everywhere | | of the target |
/// |---|---|---|---|
/// | 0 | 1 | 10 | own neighbours / 4 |
/// | 1 | energy / 8 | 11 | enemy neighbours / 3 |
/// | 2 | 1 when 3 energy, a full blow, are left after it | 12 | free neighbours / 4 |
/// | 3 | share of the hit points lost | 13 | steps nearer to the enemy |
/// | 4 | enemies around / 3 | 14 | 1 on a corpse; strength / 3; useful energy / 4; damage / 3 |
/// | 5 | own cells around / 4 | 15 | walls around / 3 |
/// | 6 | own cells of all, from −1 to 1 | 16 | own cells of those within 2 steps, from −1 to 1 |
/// | 7 | empty share of the dish | 17 | steps to the nearest enemy, at most 8, / 8 |
/// | 8 | energy that a rest would waste / 2 | 18 | corpses around / 2 |
/// | 9 | 1 when 5 energy, a division, are left after it | 19 | cells within 2 steps / 8 |
///
/// Of an explosion, 10 and 11 are multiplied by the damage, and of the others only 14 counts.
pub const FEATURES: usize = 20;

/// The kinds of action that are weighed apart from each other; a rest weighs 0.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[repr(u8)]
pub enum Row {
    /// Going next to an enemy.
    MoveContact,
    /// Going where one square is left between the cell and an enemy.
    MoveNear,
    /// Going anywhere else.
    MoveFar,
    /// A newborn next to an enemy.
    DivideContact,
    /// A newborn with one square between it and an enemy.
    DivideNear,
    /// A newborn anywhere else.
    DivideFar,
    /// An attack of full strength.
    Attack,
    /// A weaker one.
    Jab,
    /// Eating.
    Eat,
    /// Exploding.
    Explode,
}

/// All rows by their names in a policy's file.
pub const ROWS: [(Row, &str); 10] = [
    (Row::MoveContact, "move_contact"),
    (Row::MoveNear, "move_near"),
    (Row::MoveFar, "move_far"),
    (Row::DivideContact, "divide_contact"),
    (Row::DivideNear, "divide_near"),
    (Row::DivideFar, "divide_far"),
    (Row::Attack, "attack"),
    (Row::Jab, "jab"),
    (Row::Eat, "eat"),
    (Row::Explode, "explode"),
];

/// The texts of [`Policy::attackers`].
const ATTACKERS: [&str; 7] = [
    include_str!("../../../../../nets/petri/league.toml"),
    include_str!("../../../../../nets/petri/attackers/4-8-0.toml"),
    include_str!("../../../../../nets/petri/attackers/7-5-0.toml"),
    include_str!("../../../../../nets/petri/rivals/750.toml"),
    include_str!("../../../../../nets/petri/rivals/480.toml"),
    include_str!("../../../../../nets/petri/rivals/660.toml"),
    include_str!("../../../../../nets/petri/champion.toml"),
];

/// What a colony goes by.
#[derive(Clone, PartialEq, Debug)]
pub struct Policy {
    /// How it spends its points.
    pub species: Species,
    /// What every feature weighs in every row.
    pub weights: [[f32; FEATURES]; ROWS.len()],
}

impl Policy {
    /// A policy written by hand: where tuning starts.
    ///
    /// # Panics
    /// Never: what is compiled in can be read, and a test sees to it.
    pub fn sketch() -> Self {
        Self::read(include_str!("../../../../../nets/petri/sketch.toml")).expect("a policy is compiled in")
    }

    /// Policies that are known to be strong against others of their kind: where a search for an attacker starts.
    ///
    /// # Panics
    /// Never: what is compiled in can be read, and a test sees to it.
    pub fn attackers() -> Vec<Self> {
        ATTACKERS.iter().map(|text| Self::read(text).expect("a policy is compiled in")).collect()
    }

    /// Reads a policy: TOML with the `species` and, under `weights`, a list for every row; a row that is missing weighs
    /// nothing.
    ///
    /// # Errors
    /// [`PolicyError`].
    pub fn read(text: &str) -> Result<Self, PolicyError> {
        let written: Table = text.parse().map_err(|error: toml::de::Error| PolicyError::Text(error.to_string()))?;
        let points = written.get("species").and_then(Value::as_array).ok_or(PolicyError::Missing("species"))?;
        let points: Option<Vec<u8>> = points.iter().map(|point| u8::try_from(point.as_integer()?).ok()).collect();
        let Some([hp, energy, acidity]) = points.as_deref() else { return Err(PolicyError::Missing("species")) };
        let mut policy =
            Self { species: Species::new(*hp, *energy, *acidity)?, weights: [[0.0; FEATURES]; ROWS.len()] };
        let rows = written.get("weights").and_then(Value::as_table).ok_or(PolicyError::Missing("weights"))?;
        for (name, weights) in rows {
            let Some(&(row, _)) = ROWS.iter().find(|(_, known)| *known == name) else {
                return Err(PolicyError::Row(name.clone()));
            };
            // TOML tells 1 from 1.0; a policy does not.
            let number = |value: &Value| value.as_float().or_else(|| value.as_integer().map(|whole| whole as f64));
            let weights = weights.as_array().map_or(&[][..], Vec::as_slice);
            let weights: Vec<f32> = weights.iter().filter_map(number).map(|weight| weight as f32).collect();
            policy.weights[row as usize] =
                weights.try_into().map_err(|weights: Vec<f32>| PolicyError::Weights(name.clone(), weights.len()))?;
        }
        Ok(policy)
    }
}

/// As it is read.
impl std::fmt::Display for Policy {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        writeln!(
            f,
            "species = [{}, {}, {}]\n\n[weights]",
            self.species.hp(),
            self.species.energy(),
            self.species.acidity()
        )?;
        for ((_, name), weights) in ROWS.iter().zip(&self.weights) {
            let weights: Vec<String> = weights.iter().map(|weight| format!("{weight:?}")).collect();
            writeln!(f, "{name} = [{}]", weights.join(", "))?;
        }
        Ok(())
    }
}

/// Why a text is no policy.
#[derive(Clone, PartialEq, Debug, thiserror::Error)]
#[allow(missing_docs)]
pub enum PolicyError {
    #[error("{0}")]
    Text(String),
    #[error("`{0}` is missing, or not as it should be")]
    Missing(&'static str),
    #[error(transparent)]
    Species(#[from] SpeciesError),
    #[error("`{0}` is no row of weights")]
    Row(String),
    #[error("`{0}` has {1} weights, not {FEATURES}")]
    Weights(String, usize),
}
