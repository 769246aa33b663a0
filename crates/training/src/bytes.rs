//! Lists of numbers as a string in a checkpoint: their bytes, low ones first, in base 64.

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use serde::de::Error as _;
use serde::{Deserialize, Deserializer, Serializer};

pub(crate) fn serialize<S: Serializer>(numbers: &[f32], to: S) -> Result<S::Ok, S::Error> {
    let bytes: Vec<u8> = numbers.iter().flat_map(|number| number.to_le_bytes()).collect();
    to.serialize_str(&STANDARD.encode(bytes))
}

/// Reads them back, to the last bit.
pub(crate) fn deserialize<'de, D: Deserializer<'de>>(from: D) -> Result<Vec<f32>, D::Error> {
    let bytes = STANDARD.decode(String::deserialize(from)?).map_err(D::Error::custom)?;
    let (numbers, rest) = bytes.as_chunks();
    let whole = rest.is_empty().then(|| numbers.iter().map(|&number| f32::from_le_bytes(number)).collect());
    whole.ok_or_else(|| D::Error::custom("a number is cut off"))
}
