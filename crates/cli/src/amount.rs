//! Amounts of storage and memory and long times on the command line: `20GiB`, `1024`, `90d`.

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

/// Reads an amount of memory in MiB from 1 to `max`: `1024`, `512M`, `1GiB`.
pub(crate) fn mebibytes<T>(max: u64) -> impl Fn(&str) -> Result<T, String> + Clone + Send + Sync + 'static
where
    T: TryFrom<u64> + 'static,
{
    move |text| {
        let (number, unit) = text.split_at(text.find(|c: char| !c.is_ascii_digit()).unwrap_or(text.len()));
        let each = match unit.trim().to_ascii_lowercase().as_str() {
            "" | "m" | "mb" | "mib" => Some(1),
            "g" | "gb" | "gib" => Some(1024),
            _ => None,
        };
        let found = number.parse::<u64>().ok().zip(each).and_then(|(number, each)| number.checked_mul(each));
        let found = found.filter(|found| (1..=max).contains(found)).and_then(|found| T::try_from(found).ok());
        found.ok_or_else(|| format!("MiB expected, from 1 to {max}: `1024`, `512M` or `1G`"))
    }
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
    fn memory_is_read_in_mib_or_with_a_unit() {
        let read = mebibytes::<u64>(65_536);
        let found = ["1024", "512M", "1G", "2 GiB", "64gb"].map(|text| read(text).unwrap());
        assert_eq!(found, [1024, 512, 1024, 2048, 65_536]);
        for text in ["", "0", "-1", "G", "1.5G", "1T", "65G", "99999999999999999999"] {
            assert!(read(text).unwrap_err().contains("from 1 to 65536"), "{text}");
        }
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
