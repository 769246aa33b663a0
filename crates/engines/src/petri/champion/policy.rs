//! Weights of a policy for every action.

use std::sync::Arc;

use agon_rules::petri::{Species, SpeciesError};
use toml::{Table, Value};

use super::network::CellNetwork;
use super::row::ROWS;

/// Number of features of an action: first those that do not depend on its direction, then those that do.
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
/// For an explosion, 10 and 11 are multiplied by the damage; of the others only 14 counts.
pub const FEATURES: usize = 20;

/// Number of additional features in the wider family, for moves, divisions and full blows only. `lost` is 1 with 3 hit
/// points or fewer, when a full blow kills; `lead` is feature 6; `size` is 0 on a dish of 128 squares, 1 on one of
/// 1024.
///
/// | | same everywhere | | of the target |
/// |---|---|---|---|
/// | 0 | `lost` | 6 | own cells beyond it, of 9 squares, / 4 |
/// | 1 | `lost` × enemies around / 3 | 7 | enemies there / 4 |
/// | 2 | own cells within 2 steps / 8 | 8 | own cells behind the cell, of 9 squares, / 4 |
/// | 3 | enemies within 2 steps / 5 | 9 | 1 on squares of one colour, −1 on the other |
/// | 4 | `size` | 10, 11 | the same by columns, by rows |
/// | 5 | free squares around / 4 | 12 | how much nearer to the middle of the enemies |
/// | | | 13 | how much nearer to the middle of the own cells |
/// | | | 14, 15 | squares of features 11 and 10 |
/// | | | 16 to 18 | `lost`, energy / 8, share of hit points lost × feature 11 |
/// | | | 19 to 22 | `lead`, `size`, `lost`, energy / 8 × feature 13 |
/// | | | 23 | energy / 8 × feature 10 |
/// | | | 24 | own cells of those within 3 steps, from −1 to 1 |
/// | | | 25 | squares to the nearest edge, at most 4, / 4 |
pub const EXTRAS: usize = 26;

/// Number of rows that have them, which come first.
pub const WIDE_ROWS: usize = 7;

const ATTACKERS: [&str; 12] = [
    include_str!("../../../../../nets/petri/league.toml"),
    include_str!("../../../../../nets/petri/attackers/network-7-5-0.toml"),
    include_str!("../../../../../nets/petri/attackers/league-7-5-0.toml"),
    include_str!("../../../../../nets/petri/attackers/league-6-6-0.toml"),
    include_str!("../../../../../nets/petri/attackers/league-5-7-0.toml"),
    include_str!("../../../../../nets/petri/attackers/league-4-8-0.toml"),
    include_str!("../../../../../nets/petri/attackers/4-8-0.toml"),
    include_str!("../../../../../nets/petri/attackers/7-5-0.toml"),
    include_str!("../../../../../nets/petri/rivals/750.toml"),
    include_str!("../../../../../nets/petri/rivals/480.toml"),
    include_str!("../../../../../nets/petri/rivals/660.toml"),
    include_str!("../../../../../nets/petri/rivals/champion-1.toml"),
];

#[derive(Clone, PartialEq, Debug)]
pub struct Policy {
    pub species: Species,
    pub weights: [[f32; FEATURES]; ROWS.len()],
    /// Weights of the [`EXTRAS`] in the first rows; `None` in the narrower family.
    pub extras: Option<Box<[[f32; EXTRAS]; WIDE_ROWS]>>,
    /// Network that corrects the sums, if any.
    pub network: Option<Arc<CellNetwork>>,
}

impl Policy {
    /// A policy written by hand: where tuning starts.
    ///
    /// # Panics
    /// Never: the compiled-in file is valid, as a test checks.
    pub fn sketch() -> Self {
        Self::read(include_str!("../../../../../nets/petri/sketch.toml")).expect("a policy is compiled in")
    }

    /// Policies known to be strong against others of their kind: a search for an attacker starts from these.
    ///
    /// # Panics
    /// Never: the compiled-in file is valid, as a test checks.
    pub fn attackers() -> Vec<Self> {
        ATTACKERS.iter().map(|text| Self::read(text).expect("a policy is compiled in")).collect()
    }

    /// Returns the same policy in the wider family, with extras of weight 0.
    #[must_use]
    pub fn widened(mut self) -> Self {
        self.extras.get_or_insert_default();
        self
    }

    /// All its weights in one list, as long as its family requires.
    pub fn parameters(&self) -> impl Iterator<Item = &f32> {
        self.weights.as_flattened().iter().chain(self.extras.iter().flat_map(|extras| extras.as_flattened()))
    }

    pub fn parameters_mut(&mut self) -> impl Iterator<Item = &mut f32> {
        let extras = self.extras.iter_mut().flat_map(|extras| extras.as_flattened_mut());
        self.weights.as_flattened_mut().iter_mut().chain(extras)
    }

    /// Parses a policy: TOML with the `species` and, under `weights`, a list for every row; a missing row has weight 0.
    /// A policy of the wider family also has `extras`, in the same form, and one with a network has its weights as
    /// `network`, in base 64.
    ///
    /// # Errors
    /// [`PolicyError`].
    pub fn read(text: &str) -> Result<Self, PolicyError> {
        let written: Table = text.parse().map_err(|error: toml::de::Error| PolicyError::Text(error.to_string()))?;
        let points = written.get("species").and_then(Value::as_array).ok_or(PolicyError::Missing("species"))?;
        let points: Option<Vec<u8>> = points.iter().map(|point| u8::try_from(point.as_integer()?).ok()).collect();
        let Some([hp, energy, acidity]) = points.as_deref() else { return Err(PolicyError::Missing("species")) };
        let species = Species::new(*hp, *energy, *acidity)?;
        let rows = written.get("weights").and_then(Value::as_table).ok_or(PolicyError::Missing("weights"))?;
        let weights = read_rows(rows)?;
        let extras = match written.get("extras") {
            Some(rows) => Some(Box::new(read_rows(rows.as_table().ok_or(PolicyError::Missing("extras"))?)?)),
            None => None,
        };
        let network = match written.get("network") {
            Some(text) => {
                let network = text.as_str().and_then(CellNetwork::read);
                Some(Arc::new(network.ok_or(PolicyError::Missing("network"))?))
            }
            None => None,
        };
        Ok(Self { species, weights, extras, network })
    }
}

/// The first rows of a table, each of `N` weights.
fn read_rows<const WIDTH: usize, const HEIGHT: usize>(written: &Table) -> Result<[[f32; WIDTH]; HEIGHT], PolicyError> {
    let mut table = [[0.0; WIDTH]; HEIGHT];
    for (name, weights) in written {
        let Some(&(row, _)) = ROWS[..HEIGHT].iter().find(|(_, known)| *known == name) else {
            return Err(PolicyError::Row(name.clone()));
        };
        // TOML distinguishes 1 from 1.0; a policy does not.
        let number = |value: &Value| value.as_float().or_else(|| value.as_integer().map(|whole| whole as f64));
        let weights = weights.as_array().map_or(&[][..], Vec::as_slice);
        let weights: Vec<f32> = weights.iter().filter_map(number).map(|weight| weight as f32).collect();
        table[row as usize] =
            weights.try_into().map_err(|weights: Vec<f32>| PolicyError::Weights(name.clone(), weights.len(), WIDTH))?;
    }
    Ok(table)
}

impl std::fmt::Display for Policy {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let [hp, energy, acidity] = [self.species.hp(), self.species.energy(), self.species.acidity()];
        writeln!(f, "species = [{hp}, {energy}, {acidity}]")?;
        if let Some(network) = &self.network {
            writeln!(f, "network = \"\"\"\n{network}\"\"\"")?;
        }
        writeln!(f, "\n[weights]")?;
        self.weights.iter().zip(ROWS).try_for_each(|(weights, (_, name))| write_row(f, name, weights))?;
        if let Some(extras) = &self.extras {
            writeln!(f, "\n[extras]")?;
            extras.iter().zip(ROWS).try_for_each(|(weights, (_, name))| write_row(f, name, weights))?;
        }
        Ok(())
    }
}

fn write_row(f: &mut std::fmt::Formatter<'_>, name: &str, weights: &[f32]) -> std::fmt::Result {
    let weights: Vec<String> = weights.iter().map(|weight| format!("{weight:?}")).collect();
    writeln!(f, "{name} = [{}]", weights.join(", "))
}

#[derive(Clone, PartialEq, Debug, thiserror::Error)]
pub enum PolicyError {
    #[error("{0}")]
    Text(String),
    #[error("`{0}` is missing, or not as it should be")]
    Missing(&'static str),
    #[error(transparent)]
    Species(#[from] SpeciesError),
    #[error("`{0}` is not a row of weights")]
    Row(String),
    #[error("`{0}` has {1} weights, not {2}")]
    Weights(String, usize, usize),
}
