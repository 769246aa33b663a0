//! Helpers for texts from files, and for text that strangers wrote.

use std::fmt::Write as _;

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

/// Returns true if a character is written without a mark of its own, or turns the direction of others: byte order
/// marks, bidi marks, joiners, fillers and tags.
///
/// Source: Unicode, general category Cf and the `Default_Ignorable_Code_Point` property, without variation selectors.
pub const fn is_hidden(c: char) -> bool {
    matches!(
        c,
        '\u{ad}'
            | '\u{34f}'
            | '\u{61c}'
            | '\u{115f}'..='\u{1160}'
            | '\u{17b4}'..='\u{17b5}'
            | '\u{180e}'
            | '\u{200b}'..='\u{200f}'
            | '\u{2028}'..='\u{202e}'
            | '\u{2060}'..='\u{206f}'
            | '\u{3164}'
            | '\u{feff}'
            | '\u{ffa0}'
            | '\u{fff9}'..='\u{fffb}'
            | '\u{e0000}'..='\u{e007f}'
    )
}

/// Returns a multi-line text that is safe to show, with nothing that controls a terminal, hides, or changes the
/// direction of the surrounding text: line feeds and tabs stay, other control characters become U+FFFD, and invisible
/// characters become codes such as `\u{feff}`.
///
/// ```
/// use agon_game::text::plain;
/// assert_eq!(plain("a\tb\r\n\u{1b}[31mred\u{202e}"), "a\tb\n\u{fffd}[31mred\\u{202e}");
/// ```
pub fn plain(text: &str) -> String {
    let mut shown = String::with_capacity(text.len());
    let mut rest = text.chars().peekable();
    while let Some(c) = rest.next() {
        match c {
            '\r' if rest.peek() == Some(&'\n') => {}
            '\n' | '\t' => shown.push(c),
            _ => push(&mut shown, c),
        }
    }
    shown
}

/// Like [`plain`], for text that must stay on one line: line feeds, carriage returns and tabs become `\n`, `\r` and
/// `\t`.
///
/// ```
/// use agon_game::text::line;
/// assert_eq!(line("two\nlines\u{1b}"), "two\\nlines\u{fffd}");
/// ```
pub fn line(text: &str) -> String {
    let mut shown = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '\n' | '\r' | '\t' => shown.extend(c.escape_default()),
            _ => push(&mut shown, c),
        }
    }
    shown
}

fn push(text: &mut String, c: char) {
    if c.is_control() {
        text.push(char::REPLACEMENT_CHARACTER);
    } else if is_hidden(c) {
        let _ = write!(text, "\\u{{{:x}}}", c as u32);
    } else {
        text.push(c);
    }
}
