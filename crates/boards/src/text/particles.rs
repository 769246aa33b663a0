//! Particles of Korean, whose form depends on the last sound of the word before: `JOSA($name, "은/는")` in a message is
//! 은 after a consonant and 는 after a vowel.

use fluent_bundle::{FluentArgs, FluentValue};

/// How a word ends.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Ending {
    Vowel,
    /// ㄹ, after which 로 stays as it is.
    Rieul,
    Consonant,
}

/// The function of the catalogues: a value, and the two forms of a particle.
pub(super) fn josa<'a>(values: &[FluentValue<'a>], _: &FluentArgs) -> FluentValue<'a> {
    let forms = match values.get(1) {
        Some(FluentValue::String(forms)) => forms.as_ref(),
        _ => return FluentValue::Error,
    };
    let word = match values.first() {
        Some(FluentValue::String(text)) => text.to_string(),
        Some(FluentValue::Number(number)) => number.as_string().into_owned(),
        _ => return FluentValue::Error,
    };
    particle(&word, forms).map_or(FluentValue::Error, |form| FluentValue::from(form.to_owned()))
}

/// The form that follows a word, of two as in `은/는`: after a consonant, and after a vowel.
fn particle<'a>(word: &str, forms: &'a str) -> Option<&'a str> {
    let (closed, open) = forms.split_once('/')?;
    let closed_here = match ending(word) {
        Ending::Vowel => false,
        Ending::Rieul => !closed.starts_with('으'),
        Ending::Consonant => true,
    };
    Some(if closed_here { closed } else { open })
}

fn ending(word: &str) -> Ending {
    let word = word.trim_end_matches(|c: char| !c.is_alphanumeric());
    match word.chars().next_back() {
        Some(last @ '가'..='힣') => syllable(last),
        Some('0'..='9') => number(word),
        Some(last) if last.is_ascii_alphabetic() => latin(word),
        _ => Ending::Vowel,
    }
}

/// How a syllable ends: its position among the syllables with the same beginning determines its last consonant.
fn syllable(syllable: char) -> Ending {
    match (syllable as u32 - '가' as u32) % 28 {
        0 => Ending::Vowel,
        8 => Ending::Rieul,
        _ => Ending::Consonant,
    }
}

/// A number as it is read: 1 is 일, 10 십, 10000 만.
fn number(word: &str) -> Ending {
    match word.chars().next_back() {
        Some('2' | '4' | '5' | '9') => Ending::Vowel,
        Some('1' | '7' | '8') => Ending::Rieul,
        // 조 alone of the powers of ten ends with a vowel.
        Some('0') if (12..16).contains(&(word.len() - word.trim_end_matches('0').len())) => Ending::Vowel,
        _ => Ending::Consonant,
    }
}

/// A word of Latin letters as Koreans say it: letter by letter if all are capitals, or else as it is usually written in
/// Hangul.
fn latin(word: &str) -> Ending {
    let start = word.rfind(|c: char| !c.is_ascii_alphabetic()).map_or(0, |at| at + 1);
    let letters = &word.as_bytes()[word.len().min(start)..];
    let last = letters.last().copied().unwrap_or(b'a');
    if letters.iter().all(u8::is_ascii_uppercase) {
        return match last {
            b'L' | b'R' => Ending::Rieul,
            b'M' | b'N' => Ending::Consonant,
            _ => Ending::Vowel,
        };
    }
    let small = String::from_utf8_lossy(letters).to_ascii_lowercase();
    let before = small.bytes().rev().nth(1).unwrap_or(b'a');
    let vowel = |letter: u8| b"aeiouy".contains(&letter);
    let third_is_vowel = small.bytes().rev().nth(2).is_some_and(vowel);
    match last.to_ascii_lowercase() {
        b'l' => Ending::Rieul,
        b'm' | b'n' => Ending::Consonant,
        // 애플, 심플.
        b'e' if before == b'l' && !third_is_vowel => Ending::Rieul,
        // 머신, 게임.
        b'e' if b"mn".contains(&before) && third_is_vowel => Ending::Consonant,
        b'g' if before == b'n' => Ending::Consonant,
        // 봇, 락, 앱; but 테스트.
        b'b' | b'c' | b'k' | b'p' | b't' if vowel(before) || (last == b'k' && before == b'c') => Ending::Consonant,
        _ => Ending::Vowel,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn particles_follow_the_last_sound() {
        let check = |word: &str, forms: &str, wanted: &str| {
            assert_eq!(particle(word, forms), Some(wanted), "{word} {forms}");
        };
        check("대회", "은/는", "는");
        check("프로그램", "은/는", "은");
        check("순위표", "이/가", "가");
        check("결승전", "을/를", "을");
        check("비밀번호", "과/와", "와");
        check("서울", "으로/로", "로");
        check("대전", "으로/로", "으로");
        check("주소", "으로/로", "로");
        check("서울", "을/를", "을");
        check("'서울'", "으로/로", "로");
        check("대회 (마감)", "은/는", "은");
        // Numbers as they are read.
        for (word, wanted) in
            [("1", "을"), ("2", "를"), ("3", "을"), ("10", "을"), ("15", "를"), ("100", "을"), ("1000000000000", "를")]
        {
            check(word, "을/를", wanted);
        }
        check("7", "으로/로", "로");
        check("6", "으로/로", "으로");
        // Latin letters by name, words by their sound.
        check("URL", "을/를", "을");
        check("API", "을/를", "를");
        check("CSV", "이/가", "가");
        check("PNG", "이/가", "가");
        check("champion", "은/는", "은");
        check("bot", "이/가", "이");
        check("test", "이/가", "가");
        check("simple", "으로/로", "로");
        check("ada", "은/는", "는");
        check("game", "은/는", "은");
        check("bot v3", "이/가", "이");
        check("", "이/가", "가");
        assert_eq!(particle("x", "은"), None);
    }
}
