//! Texts that everybody sees: names and lines.
//!
//! A name is kept in its composed form (NFC), has no invisible characters and none that look like ordinary ones on
//! purpose. The name of an account is of one script, and looks like no other account's: see [`skeleton`].

use std::cmp::Ordering;

use agon_referee::text::is_hidden;
use unicode_normalization::UnicodeNormalization as _;
use unicode_script::{Script, UnicodeScript as _};
use unicode_security::{GeneralSecurityProfile as _, MixedScript as _};

use crate::error::FieldError;

/// A text in its composed form, in which most of them are typed.
pub fn composed(text: &str) -> String {
    text.nfc().collect()
}

/// Checks a name that can be shown to everybody, and returns it in its composed form.
///
/// # Errors
/// What is wrong with it.
pub fn check_name(name: &str, max_chars: usize, what: &str) -> Result<String, String> {
    // Composing does not make a long name short.
    if name.chars().count() > 4 * max_chars {
        return Err(format!("{what} has more than {max_chars} characters"));
    }
    let name = composed(name);
    // Beyond ASCII what is recommended for identifiers: no fillers, no wide or mathematical letters.
    let fits = |c: char| {
        if c.is_ascii() {
            c.is_ascii_alphanumeric() || "._+- #'".contains(c)
        } else {
            c.is_alphanumeric() && c.identifier_allowed()
        }
    };
    match name.chars().find(|c| !fits(*c)) {
        Some(c) if c.is_alphanumeric() => {
            Err(format!("{what} has a letter that looks like another one or is not shown: {}", c.escape_unicode()))
        }
        Some(c) => Err(format!("{what} may have letters, digits, blanks and ._+-#' in it, but not {c:?}")),
        None if name.is_empty() => Err(format!("{what} is missing")),
        None if name.chars().count() > max_chars => Err(format!("{what} has more than {max_chars} characters")),
        None if name.trim() != name => Err(format!("{what} begins or ends with a blank")),
        None => Ok(name),
    }
}

/// The same for the name of an account, which must not pass for another one's.
///
/// # Errors
/// What is wrong with it.
pub fn check_account_name(name: &str, max_chars: usize, what: &str) -> Result<String, String> {
    let name = check_name(name, max_chars, what)?;
    if is_of_one_script(&name) {
        Ok(name)
    } else {
        Err(format!(
            "{what} mixes letters of several scripts: take those of one (Korean, Chinese and Japanese may have \
                     Latin ones)"
        ))
    }
}

/// Whether all letters belong to one script, or to Latin and one of East Asia ("highly restrictive" in UTS 39).
fn is_of_one_script(name: &str) -> bool {
    if name.is_single_script() {
        return true;
    }
    let rest: String = name.chars().filter(|c| c.script() != Script::Latin).collect();
    let scripts = rest.as_str().resolve_script_set();
    scripts.kore || scripts.jpan || scripts.hanb
}

/// What a name looks like: two names with the same skeleton are hard to distinguish (UTS 39), in capital or small
/// letters, with other signs or more of them between the letters, or some around them.
pub fn skeleton(name: &str) -> String {
    let seen = |text: &str| -> String { unicode_security::confusable_detection::skeleton(text).collect() };
    // Signs first: what stands for one of them in a skeleton may be a letter.
    let name = composed(name);
    let words: Vec<&str> = name.split(|c: char| !c.is_alphanumeric()).filter(|word| !word.is_empty()).collect();
    let small = seen(&seen(&words.join(" ")).to_lowercase());
    // One that consists of signs alone looks like itself.
    if small.is_empty() { name } else { small }
}

/// Names of those who run a site or judge its games.
const RESERVED: [&str; 32] = [
    "admin",
    "admins",
    "administrator",
    "administrators",
    "sysadmin",
    "root",
    "superuser",
    "system",
    "agon",
    "host",
    "hosts",
    "organiser",
    "organisers",
    "organizer",
    "organizers",
    "staff",
    "official",
    "moderator",
    "moderators",
    "mod",
    "mods",
    "judge",
    "judges",
    "referee",
    "support",
    "security",
    "webmaster",
    "postmaster",
    "deleted account",
    "관리자",
    "운영자",
    "주최자",
];

/// Whether a name is for administrators alone, since whoever has it could pass for one: with a number behind it, and
/// with signs between its letters, too.
pub fn is_reserved(name: &str) -> bool {
    let bare = |text: &str| skeleton(text).replace(' ', "");
    let plain = name.trim_end_matches(|c: char| !c.is_alphabetic());
    // A capital I looks like a small l.
    let small = plain.to_lowercase();
    let seen = [name, plain, &small].map(bare);
    RESERVED.iter().any(|reserved| seen.contains(&bare(reserved)))
}

/// A line of 1 to `max_chars` characters, without the blanks around it.
///
/// # Errors
/// `wrong`, of that field.
pub fn check_line(text: &str, max_chars: usize, field: &'static str, wrong: &str) -> Result<String, FieldError> {
    let text = text.trim();
    let shown = |c: char| !c.is_control() && !is_invisible(c);
    if text.is_empty() || text.chars().count() > max_chars || !text.chars().all(shown) {
        return Err(FieldError::new(field, wrong));
    }
    Ok(text.to_owned())
}

/// Whether a character is not shown, or changes the order of those that are. Joiners are letters' own in some scripts;
/// what varies their shape is hidden, too, in a name.
const fn is_invisible(c: char) -> bool {
    match c {
        '\u{200c}' | '\u{200d}' => false,
        '\u{180b}'..='\u{180f}' | '\u{fff0}'..='\u{fff8}' | '\u{e0080}'..='\u{e0fff}' => true,
        _ => is_hidden(c),
    }
}

/// How people order names: numbers by their size, `student3` before `student11`, and letters without regard to case.
pub fn in_order(one: &str, other: &str) -> Ordering {
    let mut rest = [one, other];
    while !rest[0].is_empty() && !rest[1].is_empty() {
        let heads = rest.map(|text| {
            let digits = text.bytes().take_while(u8::is_ascii_digit).count();
            let end = if digits > 0 { digits } else { text.find(|c: char| c.is_ascii_digit()).unwrap_or(text.len()) };
            text.split_at(end)
        });
        let [head, next] = heads.map(|(head, _)| head);
        let order = if head.starts_with(|c: char| c.is_ascii_digit()) && next.starts_with(|c: char| c.is_ascii_digit())
        {
            // Of any length: the longer number is the larger one.
            let [a, b] = [head, next].map(|number| number.trim_start_matches('0'));
            a.len().cmp(&b.len()).then_with(|| a.cmp(b))
        } else {
            head.chars().flat_map(char::to_lowercase).cmp(next.chars().flat_map(char::to_lowercase))
        };
        if order.is_ne() {
            return order;
        }
        rest = heads.map(|(_, tail)| tail);
    }
    rest[0].len().cmp(&rest[1].len()).then_with(|| one.cmp(other))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_in_names_are_ordered_by_their_size() {
        let wanted = ["", "7", "011", "Ada", "ada", "bob2", "Bob 10", "bob10", "학생1", "학생3", "학생11", "학생11b"];
        let mut all = wanted;
        all.reverse();
        all.sort_by(|one, other| in_order(one, other));
        assert_eq!(
            all,
            ["", "7", "011", "Ada", "ada", "bob2", "bob10", "Bob 10", "학생1", "학생3", "학생11", "학생11b"]
        );
        assert_eq!(in_order("ada", "ada"), Ordering::Equal);
        let long = "9".repeat(40);
        assert_eq!(in_order(&long, &format!("1{}", "0".repeat(40))), Ordering::Less, "{long}");
    }

    #[test]
    fn names_that_pass_for_others_are_refused() {
        let check = |name: &str, wanted: Result<&str, &str>| {
            let found = check_account_name(name, 24, "the name");
            match wanted {
                Ok(name) => assert_eq!(found.as_deref(), Ok(name)),
                Err(part) => assert!(found.as_ref().is_err_and(|why| why.contains(part)), "{name:?}: {found:?}"),
            }
        };
        for name in
            ["ada", "Ada Lovelace", "o'neil", "김철수", "김철수 Kim", "太郎", "たろうTaro", "Zoë", "Ёлка", "Ωmega2"]
        {
            let mixed = name == "Ωmega2";
            check(name, if mixed { Err("several scripts") } else { Ok(name) });
        }
        // Decomposed letters are composed.
        check("Zoe\u{308}", Ok("Zoë"));
        check("\u{1100}\u{1161}", Ok("가"));
        check("\u{3164}", Err("not shown"));
        check("ada\u{3164}", Err("not shown"));
        check("\u{115f}a", Err("not shown"));
        check("ada\u{200b}", Err("but not"));
        check("ada\u{202e}", Err("but not"));
        check("\u{430}da", Err("several scripts"));
        check("аdmin", Err("several scripts"));
        check("ａｄａ", Err("looks like another one"));
        check("𝒶da", Err("looks like another one"));
        check("ada\u{ad}", Err("but not"));
        check("", Err("missing"));
        check(" ada", Err("blank"));
    }

    #[test]
    fn names_that_look_alike_have_one_skeleton() {
        for (one, other) in [
            ("ada", "ADA"),
            ("ada", "аdа"),
            ("paypal", "paypaI"),
            ("paypal", "paypa1"),
            ("modern", "modem"),
            ("O0", "00"),
            ("Zoë", "Zoe\u{308}"),
            ("a b", "a  b"),
            ("РОТ", "POT"),
            ("x.y", "x..y"),
            ("x.y", "X_y"),
            ("x.y", "x y"),
            ("x.y", "x-y."),
            ("ada", "ada."),
            ("ada", "'ada"),
            ("arnie", "amie"),
            ("RN", "m"),
            ("Vernon", "VEMON"),
        ] {
            assert_eq!(skeleton(one), skeleton(other), "{one} {other}");
        }
        for (one, other) in
            [("ada", "adb"), ("bob", "rob"), ("김철수", "김철순"), ("ada1", "ada2"), ("a b", "ab"), ("...", "---")]
        {
            assert_ne!(skeleton(one), skeleton(other), "{one} {other}");
        }
    }

    #[test]
    fn names_of_those_who_run_a_site_are_theirs() {
        for name in [
            "administrator",
            "Administrator",
            "ADMIN",
            "admin1",
            "admin.",
            "a.d.m.i.n",
            "Admin istrator",
            "adrninistrator",
            "аdmin",
            "root",
            "Host",
            "hosts",
            "Organiser",
            "moderator 2",
            "관리자",
            "관리자1",
            "Deleted account",
        ] {
            assert!(is_reserved(name), "{name}");
        }
        for name in ["ada", "adminton", "rooter", "김철수", "Hostetter", "1", "Judy", "김관리"] {
            assert!(!is_reserved(name), "{name}");
        }
    }

    #[test]
    fn lines_are_shown_whole() {
        let check = |text: &str| check_line(text, 10, "text", "wrong").ok();
        assert_eq!(check(" a line "), Some("a line".to_owned()));
        for wrong in ["", "a\nb", "a\u{202e}b", "\u{3164}", "a\u{200b}b", "longer than it may be"] {
            assert_eq!(check(wrong), None, "{wrong:?}");
        }
    }
}
