//! Hangul in Latin letters, for addresses: the Revised Romanization of 2000, without its rules for neighbouring sounds.

use unicode_normalization::UnicodeNormalization as _;

const FIRST: u32 = '가' as u32;
const LAST: u32 = '힣' as u32;

const BEGINNINGS: [&str; 19] =
    ["g", "kk", "n", "d", "tt", "r", "m", "b", "pp", "s", "ss", "", "j", "jj", "ch", "k", "t", "p", "h"];

const VOWELS: [&str; 21] = [
    "a", "ae", "ya", "yae", "eo", "e", "yeo", "ye", "o", "wa", "wae", "oe", "yo", "u", "wo", "we", "wi", "yu", "eu",
    "ui", "i",
];

const ENDS: [&str; 28] = [
    "", "k", "k", "k", "n", "n", "n", "t", "l", "k", "m", "l", "l", "l", "p", "l", "m", "p", "p", "t", "t", "ng", "t",
    "t", "k", "t", "p", "t",
];

/// A text with its Hangul in Latin letters, and its accents dropped.
pub fn romanized(text: &str) -> String {
    let mut latin = String::new();
    for c in text.nfc() {
        match c as u32 {
            code @ FIRST..=LAST => {
                let at = (code - FIRST) as usize;
                latin += BEGINNINGS[at / (21 * 28)];
                latin += VOWELS[at / 28 % 21];
                latin += ENDS[at % 28];
            }
            // Marks above a letter come after it.
            _ => latin.extend(c.nfd().filter(|c| !('\u{300}'..='\u{36f}').contains(c))),
        }
    }
    latin
}

#[cfg(test)]
mod tests {
    use super::romanized;

    #[test]
    fn hangul_becomes_latin() {
        let check = |text: &str, wanted: &str| assert_eq!(romanized(text), wanted, "{text}");
        check("세균 전쟁", "segyun jeonjaeng");
        check("서울 대회 2026", "seoul daehoe 2026");
        check("렌주", "renju");
        check("값", "gap");
        check("Café Zoë", "Cafe Zoe");
        check("plain-text", "plain-text");
        // Decomposed, as some keyboards type it.
        check("\u{1112}\u{1161}\u{11ab}", "han");
    }
}
