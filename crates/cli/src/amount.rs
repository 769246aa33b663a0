//! Amounts of storage and long times on the command line: `20GiB`, `90d`.

use std::fmt;

/// The units of storage, with their bytes. The largest is last.
const SIZES: [(&str, u64); 4] = [("KiB", 1 << 10), ("MiB", 1 << 20), ("GiB", 1 << 30), ("TiB", 1 << 40)];

/// The units of long times, with their hours.
const AGES: [(&str, u64); 3] = [("h", 1), ("d", 24), ("w", 168)];

/// An amount of storage in bytes.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct DiskSize(pub u64);

/// A long time in whole hours.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Age(pub u64);

impl fmt::Display for DiskSize {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let fitting = SIZES.into_iter().rev().find(|&(_, bytes)| self.0 >= bytes && self.0.is_multiple_of(bytes));
        let (unit, bytes) = fitting.unwrap_or(SIZES[0]);
        write!(f, "{}{unit}", self.0 / bytes)
    }
}

fn read(text: &str, units: &[(&str, u64)]) -> Option<u64> {
    let (number, unit) = text.split_at(text.find(|c: char| !c.is_ascii_digit())?);
    let (_, each) = units.iter().find(|(name, _)| name.eq_ignore_ascii_case(unit.trim()))?;
    number.parse::<u64>().ok()?.checked_mul(*each).filter(|&found| found > 0 && found < 1 << 60)
}

pub(crate) fn size(text: &str) -> Result<DiskSize, String> {
    read(text, &SIZES).map(DiskSize).ok_or_else(|| "a size such as `500MiB` or `20GiB` expected".to_owned())
}

pub(crate) fn age(text: &str) -> Result<Age, String> {
    read(text, &AGES).map(Age).ok_or_else(|| "a time such as `12h`, `90d` or `8w` expected".to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn amounts_are_read_in_every_unit() {
        let sizes = ["1KiB", "500 MiB", "20GiB", "2tib"].map(|text| size(text).unwrap().0);
        assert_eq!(sizes, [1 << 10, 500 << 20, 20 << 30, 2 << 40]);
        assert_eq!(["12h", "90d", "8w"].map(|text| age(text).unwrap().0), [12, 2160, 1344]);
    }

    #[test]
    fn what_is_no_amount_is_refused() {
        for text in ["", "20", "0GiB", "GiB", "20GB", "-1GiB", "1.5GiB", "99999999TiB", "99999999999999999999GiB"] {
            assert!(size(text).is_err(), "{text}");
        }
        for text in ["", "90", "0d", "1y", "soon", "d"] {
            assert!(age(text).is_err(), "{text}");
        }
    }

    #[test]
    fn sizes_are_written_as_they_are_read() {
        for text in ["256MiB", "4GiB", "1TiB", "1025MiB"] {
            assert_eq!(size(text).unwrap().to_string(), text);
        }
    }
}
