//! Texts that everybody sees: names and lines.

use crate::error::FieldError;

/// Checks a name that can be shown to everybody.
///
/// # Errors
/// What is wrong with it.
pub fn check_name(name: &str, max_chars: usize, what: &str) -> Result<(), String> {
    let fits = |c: char| c.is_alphanumeric() || "._+- #'".contains(c);
    match name.chars().find(|c| !fits(*c)) {
        Some(c) => Err(format!("{what} may have letters, digits, blanks and ._+-#' in it, but not {c:?}")),
        None if name.is_empty() => Err(format!("{what} is missing")),
        None if name.chars().count() > max_chars => Err(format!("{what} has more than {max_chars} characters")),
        None if name.trim() != name => Err(format!("{what} begins or ends with a blank")),
        None => Ok(()),
    }
}

/// A line of 1 to `max_chars` characters, without the blanks around it.
///
/// # Errors
/// `wrong`, of that field.
pub fn check_line(text: &str, max_chars: usize, field: &'static str, wrong: &str) -> Result<String, FieldError> {
    let text = text.trim();
    if text.is_empty() || text.chars().count() > max_chars || text.chars().any(char::is_control) {
        return Err(FieldError::new(field, wrong));
    }
    Ok(text.to_owned())
}
