//! Helpers for texts from files.

/// Strips the byte order mark that some editors write at the start.
///
/// ```
/// use agon_game::text::without_bom;
/// assert_eq!(without_bom("\u{feff}H8\n"), "H8\n");
/// assert_eq!(without_bom("H8\n"), "H8\n");
/// ```
pub fn without_bom(text: &str) -> &str {
    text.strip_prefix('\u{feff}').unwrap_or(text)
}
