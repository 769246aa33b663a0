//! Output files of long jobs, checked before the job begins.

use std::fs::{self, OpenOptions};
use std::path::Path;

use agon_referee::text::line;
use anyhow::{Context, anyhow};
use serde_json::{Number, Value};

use crate::show::{WARN, paint};

/// JSON as it is printed: numbers with twelve digits that count, and not with the error of a sum, 0.028999999999999998.
pub(crate) fn json(mut value: Value) -> String {
    round(&mut value);
    value.to_string()
}

fn round(value: &mut Value) {
    match value {
        Value::Number(number) if number.is_f64() => {
            let rounded = number.as_f64().and_then(|number| format!("{number:.11e}").parse().ok());
            if let Some(rounded) = rounded.and_then(Number::from_f64) {
                *number = rounded;
            }
        }
        Value::Array(values) => values.iter_mut().for_each(round),
        Value::Object(values) => values.values_mut().for_each(round),
        _ => {}
    }
}

/// Makes the folders above a file that are missing, and prints that it did: the path may have a typing error.
///
/// # Errors
/// If they cannot be created.
pub(crate) fn folder_of(path: &Path, what: &str) -> anyhow::Result<()> {
    let Some(folder) = path.parent().filter(|folder| !folder.as_os_str().is_empty()) else { return Ok(()) };
    if folder.is_dir() {
        return Ok(());
    }
    fs::create_dir_all(folder)
        .with_context(|| format!("cannot make the folder `{}` for {what}; name another place", folder.display()))?;
    anstream::eprintln!(
        "{} made the folder `{}` for {what}",
        paint(WARN, "note:"),
        line(&folder.display().to_string())
    );
    Ok(())
}

/// Checks that a file can be written, without changing it. Missing parent folders are created as by [`folder_of`]: the
/// same rule for all commands that write a file the user names.
///
/// # Errors
/// If it cannot be written.
pub(crate) fn check(path: &Path, what: &str) -> anyhow::Result<()> {
    let refusal = || format!("cannot write {what} `{}`; name another place", path.display());
    folder_of(path, what)?;
    match fs::metadata(path) {
        Ok(found) if found.is_dir() => Err(anyhow!("it is a folder")).with_context(refusal),
        // Opening a pipe would wait for its reader.
        Ok(found) if !found.is_file() => Ok(()),
        Ok(_) => OpenOptions::new().append(true).open(path).map(drop).with_context(refusal),
        Err(_) => {
            OpenOptions::new().append(true).create(true).open(path).with_context(refusal)?;
            fs::remove_file(path).with_context(refusal)
        }
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn numbers_are_printed_with_the_digits_that_count() {
        let check = |value: Value, text: &str| assert_eq!(json(value), text);
        check(json!({ "ms": 0.1 + 0.7, "share": 0.028_999_999_999_999_998 }), r#"{"ms":0.8,"share":0.029}"#);
        check(
            json!([1_782.021_564_020_474_4, -1e-12 / 3.0, 5.0, 7, "0.30000000000000004"]),
            r#"[1782.02156402,-3.33333333333e-13,5.0,7,"0.30000000000000004"]"#,
        );
        check(json!([[u64::MAX, null, 123_456_789_012.25]]), "[[18446744073709551615,null,123456789012.0]]");
    }
}
