//! Texts that everybody sees: names and lines.
//!
//! A name is stored in its composed form (NFC), and has neither invisible characters nor any that imitate ordinary
//! ones. An account's name uses a single script, and looks like no other account's: see [`skeleton`].

use std::cmp::Ordering;
use std::sync::LazyLock;

use agon_message::{Message, messages};
use agon_referee::text::is_hidden;
use unicode_normalization::UnicodeNormalization as _;
use unicode_script::{Script, UnicodeScript as _};
use unicode_security::{GeneralSecurityProfile as _, MixedScript as _};

use crate::error::FieldError;

/// A text in its composed form, as most keyboards type it.
pub fn composed(text: &str) -> String {
    text.nfc().collect()
}

messages! {
    /// Whose name is checked.
    #[derive(Clone)]
    pub enum Named {
        Account = "name",
        Team = "team name",
        Program = "program name",
        Token = "token name",
        /// A name of a list.
        Listed { name: String } = "`{name}`",
    }

    /// What is wrong with a name.
    pub enum NameError {
        Missing { what: Named } = "{what} is missing",
        TooLong { what: Named, limit: usize } = "{what} is too long; the limit is {limit} characters",
        Blank { what: Named } = "{what} begins or ends with a space",
        Character { what: Named, character: String } =
            "{what} contains {character}; use letters, digits, spaces and ._+-#'",
        Confusable { what: Named, character: String } =
            "{what} contains a letter that looks like another one or is invisible: {character}",
        Scripts { what: Named } =
            "{what} mixes scripts; use one (Korean, Chinese and Japanese may be combined with Latin)",
    }
}

/// Checks a name that can be shown to everybody, and returns it in its composed form.
///
/// # Errors
/// What is wrong with it.
pub fn check_name(name: &str, max_chars: usize, what: Named) -> Result<String, NameError> {
    // Composing does not make a long name short.
    if name.chars().count() > 4 * max_chars {
        return Err(NameError::TooLong { what, limit: max_chars });
    }
    let name = composed(name);
    // Beyond ASCII, only what is recommended for identifiers: no fillers, no wide or mathematical letters.
    let fits = |c: char| {
        if c.is_ascii() {
            c.is_ascii_alphanumeric() || "._+- #'".contains(c)
        } else {
            c.is_alphanumeric() && c.identifier_allowed()
        }
    };
    match name.chars().find(|c| !fits(*c)) {
        Some(c) if c.is_alphanumeric() => {
            Err(NameError::Confusable { what, character: c.escape_unicode().to_string() })
        }
        Some(c) => Err(NameError::Character { what, character: format!("{c:?}") }),
        None if name.is_empty() => Err(NameError::Missing { what }),
        None if name.chars().count() > max_chars => Err(NameError::TooLong { what, limit: max_chars }),
        None if name.trim() != name => Err(NameError::Blank { what }),
        None => Ok(name),
    }
}

/// Like [`check_name`], for the name of an account, which must not pass for another one's.
///
/// # Errors
/// What is wrong with it.
pub fn check_account_name(name: &str, max_chars: usize, what: Named) -> Result<String, NameError> {
    let name = check_name(name, max_chars, what.clone())?;
    if is_of_one_script(&name) { Ok(name) } else { Err(NameError::Scripts { what }) }
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

/// The appearance of a name: two names with the same skeleton are hard to distinguish (UTS 39), in upper or lower case,
/// with different or additional signs between or around the letters. `C`, `C++` and `C#` differ.
pub fn skeleton(name: &str) -> String {
    let seen = |text: &str| -> String { unicode_security::confusable_detection::skeleton(text).collect() };
    // Signs first: a sign's replacement in a skeleton may be a letter.
    let name = composed(name);
    let small = seen(&seen(&words(&name).join(" ")).to_lowercase());
    // One that consists of signs alone looks like itself.
    if small.is_empty() { name } else { small }
}

/// The words of a name, without the signs between them. Plus and number signs belong to a single letter before them, as
/// in the names of languages.
fn words(name: &str) -> Vec<&str> {
    let mut words = Vec::new();
    let mut rest = name;
    while let Some(from) = rest.find(char::is_alphanumeric) {
        rest = &rest[from..];
        let end = rest.find(|c: char| !c.is_alphanumeric()).unwrap_or(rest.len());
        let after = &rest[end..];
        let is_letter = rest[..end].chars().count() == 1 && rest.starts_with(char::is_alphabetic);
        let signs = if is_letter { after.len() - after.trim_start_matches(['+', '#']).len() } else { 0 };
        let (word, next) = rest.split_at(end + signs);
        words.push(word);
        rest = next;
    }
    words
}

/// What a word of a name says about its owner.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
enum WordKind {
    /// It names no other person or group: `the host`, `Agon Team`.
    Companion,
    /// The site's administrators or referees, or the site itself, unless the name has another word.
    Reserved,
    /// The site's administrators, in any name.
    Title,
}

const TITLES: [&str; 16] = [
    "admin",
    "admins",
    "administrator",
    "administrators",
    "sysadmin",
    "superuser",
    "moderator",
    "moderators",
    "organiser",
    "organisers",
    "organizer",
    "organizers",
    "webmaster",
    "postmaster",
    "관리자",
    "운영자",
];

const RESERVED: [&str; 16] = [
    "root",
    "system",
    "agon",
    "host",
    "hosts",
    "staff",
    "official",
    "mod",
    "mods",
    "judge",
    "judges",
    "referee",
    "support",
    "security",
    "deletedaccount",
    "주최자",
];

const COMPANIONS: [&str; 25] = [
    "a",
    "an",
    "the",
    "this",
    "our",
    "your",
    "real",
    "true",
    "only",
    "chief",
    "head",
    "main",
    "team",
    "crew",
    "group",
    "site",
    "server",
    "arena",
    "account",
    "of",
    "and",
    "님",
    "팀",
    "총",
    "사이트",
];

/// These words, by their appearance.
static KNOWN_WORDS: LazyLock<Vec<(String, WordKind)>> = LazyLock::new(|| {
    let of = |words: &'static [&str], kind| words.iter().map(move |word| (bare(word), kind));
    let all = of(&TITLES, WordKind::Title).chain(of(&RESERVED, WordKind::Reserved));
    all.chain(of(&COMPANIONS, WordKind::Companion)).collect()
});

/// Latin words that are shorter are found alone and not within a longer one: `moda` is not `mod a`.
const MIN_JOINED_BYTES: usize = 3;

/// Whether only administrators may have a name, since its owner could pass for one: also with numbers around it, with
/// signs between its letters, and with additional words that name no one else.
pub fn is_reserved(name: &str) -> bool {
    let plain = name.trim_matches(|c: char| !c.is_alphabetic());
    if ways_to_read(plain).iter().any(|read| known_word(read) > Some(WordKind::Companion)) {
        return true;
    }
    let words = words(plain);
    // Digits stand for letters, or between words.
    let whole = words.iter().map(|word| word.trim_matches(char::is_numeric)).collect();
    let split = words.iter().flat_map(|word| word.split(char::is_numeric)).collect();
    reserves(whole) || reserves(split)
}

/// Whether a name with these words is reserved.
fn reserves(words: Vec<&str>) -> bool {
    let parts = words.into_iter().filter(|word| !word.is_empty()).flat_map(capitalised_parts);
    let kinds: Vec<Option<WordKind>> =
        parts.map(|part| ways_to_read(part).iter().filter_map(|read| kind_of(read)).max()).collect();
    let is_reserved = kinds.contains(&Some(WordKind::Reserved)) && !kinds.contains(&None);
    kinds.contains(&Some(WordKind::Title)) || is_reserved
}

/// The appearance of a text without the signs in it.
fn bare(text: &str) -> String {
    skeleton(text).replace(' ', "")
}

/// What people may read: a capital I looks like a small l, and digits stand for letters.
fn ways_to_read(text: &str) -> [String; 3] {
    let small = text.to_lowercase();
    let letter = |c| match c {
        '0' => 'o',
        '1' => 'i',
        '3' => 'e',
        '4' => 'a',
        '5' => 's',
        c => c,
    };
    [bare(text), bare(&small), bare(&small.chars().map(letter).collect::<String>())]
}

/// The parts of a word that begin with capitals after small letters: those of `TheAdmin`.
fn capitalised_parts(word: &str) -> Vec<&str> {
    let starts =
        word.char_indices().zip(word.chars().skip(1)).filter(|((_, c), next)| c.is_lowercase() && next.is_uppercase());
    let mut parts = Vec::new();
    let mut from = 0;
    for ((at, c), _) in starts {
        let end = at + c.len_utf8();
        parts.push(&word[from..end]);
        from = end;
    }
    parts.push(&word[from..]);
    parts
}

fn known_word(read: &str) -> Option<WordKind> {
    KNOWN_WORDS.iter().find(|(known, _)| known == read).map(|&(_, kind)| kind)
}

/// The strongest kind among the known words in a word that consists only of such words: `siteadmin`.
fn kind_of(read: &str) -> Option<WordKind> {
    if let Some(kind) = known_word(read) {
        return Some(kind);
    }
    // The kind of the text up to each place.
    let mut until = vec![None; read.len() + 1];
    until[0] = Some(WordKind::Companion);
    for at in 0..read.len() {
        let (Some(before), Some(rest)) = (until[at], read.get(at..)) else { continue };
        let joined = KNOWN_WORDS.iter().filter(|(known, _)| known.len() >= MIN_JOINED_BYTES);
        for (known, kind) in joined.filter(|(known, _)| rest.starts_with(known.as_str())) {
            let end = at + known.len();
            until[end] = until[end].max(Some(before.max(*kind)));
        }
    }
    until[read.len()]
}

/// A line of 1 to `max_chars` characters, without the blanks around it.
///
/// # Errors
/// `wrong`, of that field.
pub fn check_line(
    text: &str,
    max_chars: usize,
    field: &'static str,
    wrong: impl Message + 'static,
) -> Result<String, FieldError> {
    let text = text.trim();
    let shown = |c: char| !c.is_control() && !is_invisible(c);
    if text.is_empty() || text.chars().count() > max_chars || !text.chars().all(shown) {
        return Err(FieldError::new(field, wrong));
    }
    Ok(text.to_owned())
}

/// Whether a character is invisible, or changes the order of visible ones. Joiners belong to letters in some scripts;
/// in a name, characters that vary the shape of others are hidden, too.
const fn is_invisible(c: char) -> bool {
    match c {
        '\u{200c}' | '\u{200d}' => false,
        '\u{180b}'..='\u{180f}' | '\u{fff0}'..='\u{fff8}' | '\u{e0080}'..='\u{e0fff}' => true,
        _ => is_hidden(c),
    }
}

/// Orders names as people do: numbers by value, `student3` before `student11`, and letters without regard to case.
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
            let found = check_account_name(name, 24, Named::Account).map_err(|wrong| wrong.to_string());
            match wanted {
                Ok(name) => assert_eq!(found, Ok(name.to_owned())),
                Err(part) => assert!(found.as_ref().is_err_and(|why| why.contains(part)), "{name:?}: {found:?}"),
            }
        };
        for name in
            ["ada", "Ada Lovelace", "o'neil", "김철수", "김철수 Kim", "太郎", "たろうTaro", "Zoë", "Ёлка", "Ωmega2"]
        {
            let mixed = name == "Ωmega2";
            check(name, if mixed { Err("mixes scripts") } else { Ok(name) });
        }
        // Decomposed letters are composed.
        check("Zoe\u{308}", Ok("Zoë"));
        check("\u{1100}\u{1161}", Ok("가"));
        check("\u{3164}", Err("invisible"));
        check("ada\u{3164}", Err("invisible"));
        check("\u{115f}a", Err("invisible"));
        check("ada\u{200b}", Err("use letters"));
        check("ada\u{202e}", Err("use letters"));
        check("\u{430}da", Err("mixes scripts"));
        check("аdmin", Err("mixes scripts"));
        check("ａｄａ", Err("looks like another one"));
        check("𝒶da", Err("looks like another one"));
        check("ada\u{ad}", Err("use letters"));
        check("", Err("is missing"));
        check(" ada", Err("begins or ends"));
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
            ("C++", "c++"),
            ("C#.", "'c#"),
            ("ada", "ada++"),
            ("4", "4#"),
        ] {
            assert_eq!(skeleton(one), skeleton(other), "{one} {other}");
        }
        for (one, other) in [
            ("ada", "adb"),
            ("bob", "rob"),
            ("김철수", "김철순"),
            ("ada1", "ada2"),
            ("a b", "ab"),
            ("...", "---"),
            ("c", "c++"),
            ("c", "C#"),
            ("C++", "C#"),
        ] {
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
            "deleted_account",
            "1admin",
            "007 Admin 7",
            "the admin",
            "The-Admin",
            "TheAdmin",
            "theadmin",
            "AdMin",
            "adm1n",
            "r00t",
            "admin ada",
            "Ada (admin)",
            "AdaAdmin",
            "siteadmin",
            "Agon Team",
            "agonteam",
            "Agon",
            "the real Agon",
            "Agon Support Team",
            "Official Agon",
            "Site Host",
            "head judge",
            "this-is admin",
            "관리자님",
            "총관리자",
            "김 관리자",
            "사이트 관리자 1",
            "Admin2026Agon",
            "Agon2026Admin",
            "Agon7Team",
        ] {
            assert!(is_reserved(name), "{name}");
        }
        for name in [
            "ada",
            "adminton",
            "Badminton",
            "Adminah",
            "rooter",
            "김철수",
            "Hostetter",
            "1",
            "Judy",
            "김관리",
            "modern",
            "moda",
            "hostess",
            "Square Root",
            "Judge Judy",
            "Agonist",
            "Agony Aunt",
            "Patagon",
            "Protagon",
            "Stafford",
            "System of a Down",
            "Security Guard Kim",
            "theatre",
            "The Team",
            "4 2",
            "Rust Mod",
            "Agon Fan",
            "Teamroots",
        ] {
            assert!(!is_reserved(name), "{name}");
        }
    }

    #[test]
    fn lines_are_shown_whole() {
        let wrong = || NameError::Missing { what: Named::Token };
        let check = |text: &str| check_line(text, 10, "text", wrong()).ok();
        assert_eq!(check(" a line "), Some("a line".to_owned()));
        for wrong in ["", "a\nb", "a\u{202e}b", "\u{3164}", "a\u{200b}b", "longer than it may be"] {
            assert_eq!(check(wrong), None, "{wrong:?}");
        }
    }
}
