//! Characters that steer: whoever wrote them, they change neither the direction of what stands around them on a page,
//! nor a terminal that shows an answer.

/// Whether a character turns the direction of others, or is a control character other than tabs and ends of lines. All
/// of them have four hexadecimal digits.
pub fn is_steering(c: char) -> bool {
    match c {
        '\t' | '\n' | '\r' => false,
        '\u{61c}' | '\u{200e}' | '\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}' => true,
        c => c.is_control(),
    }
}

/// A page in which such characters can be seen: `\u202e`, also in what scripts read as JSON. What is typed into a field
/// of several lines stays as it is, for it is sent again.
pub fn visible(page: String) -> String {
    if !page.contains(is_steering) {
        return page;
    }
    let mut shown = String::with_capacity(page.len() + 64);
    let mut rest = page.as_str();
    while !rest.is_empty() {
        let field = rest.find("<textarea").unwrap_or(rest.len());
        let (before, at) = rest.split_at(field);
        for c in before.chars() {
            if is_steering(c) {
                shown += &format!("\\u{:04x}", u32::from(c));
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
        // Joiners are letters' own.
        check("می\u{200c}خواهم", "می\u{200c}خواهم");
    }
}
