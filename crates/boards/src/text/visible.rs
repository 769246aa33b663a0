//! Invisible characters: whoever wrote them, they must not change the direction of the text around them on a page,
//! affect a terminal that shows an answer, or make two texts look alike.

use std::fmt::Write as _;

use agon_referee::text::is_hidden;

/// Whether a character has no visible glyph, changes the direction of others, or is a control character other than tabs
/// and ends of lines. Joiners belong to letters in some scripts.
pub fn is_unseen(c: char) -> bool {
    match c {
        '\t' | '\n' | '\r' | '\u{200c}' | '\u{200d}' => false,
        c => c.is_control() || is_hidden(c),
    }
}

/// Writes such a character as JSON and scripts do: `\u202e`, in two halves if it has more than four digits.
pub(crate) fn escape(text: &mut String, c: char) {
    for half in c.encode_utf16(&mut [0; 2]) {
        let _ = write!(text, "\\u{half:04x}");
    }
}

/// A page in which such characters are visible: `\u202e`, also in what scripts read as JSON. Text in a multi-line field
/// stays as it is, since it is sent again.
pub fn visible(page: String) -> String {
    if !page.contains(is_unseen) {
        return page;
    }
    let mut shown = String::with_capacity(page.len() + 64);
    let mut rest = page.as_str();
    while !rest.is_empty() {
        let field = rest.find("<textarea").unwrap_or(rest.len());
        let (before, at) = rest.split_at(field);
        for c in before.chars() {
            if is_unseen(c) {
                escape(&mut shown, c);
            } else {
                shown.push(c);
            }
        }
        let end = at.find("</textarea").unwrap_or(at.len());
        shown += &at[..end];
        rest = &at[end..];
    }
    shown
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nothing_on_a_page_turns_the_direction_of_the_rest() {
        let check = |page: &str, wanted: &str| assert_eq!(visible(page.to_owned()), wanted);
        check("<p>a\tb\r\nc가</p>", "<p>a\tb\r\nc가</p>");
        check("<p title=\"\u{202e}x\">\u{7}\u{9b}\u{2066}y", "<p title=\"\\u202ex\">\\u0007\\u009b\\u2066y");
        check("\u{200f}<textarea>\u{202e}</textarea>\u{61c}", "\\u200f<textarea>\u{202e}</textarea>\\u061c");
        check("a\u{200b}b\u{feff}c\u{ad}\u{3164}\u{2060}", "a\\u200bb\\ufeffc\\u00ad\\u3164\\u2060");
        check("\u{e0041}", "\\udb40\\udc41");
        // Joiners are letters' own.
        check("می\u{200c}خواهم", "می\u{200c}خواهم");
    }
}
