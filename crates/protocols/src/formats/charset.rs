//! Charsets of texts, in order: a byte order mark, the requested one, the one named in the file, UTF-8 if valid,
//! otherwise a guess.

use chardetng::{EncodingDetector, Iso2022JpDetection, Utf8Detection};
use encoding_rs::{Encoding, UTF_8, UTF_16BE, UTF_16LE, WINDOWS_1252};

use super::tree::{FileRemark, Note};

/// A charset by one of its names: `gbk`, `windows-1251`, `shift_jis`, `latin1`.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Charset(&'static Encoding);

impl Charset {
    pub(super) const fn encoding(self) -> &'static Encoding {
        self.0
    }
}

impl std::fmt::Display for Charset {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(self.0.name())
    }
}

impl std::str::FromStr for Charset {
    type Err = UnknownCharset;

    fn from_str(name: &str) -> Result<Self, UnknownCharset> {
        named(name).map(Self).ok_or_else(|| UnknownCharset(name.to_owned()))
    }
}

/// A name of no charset.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("unknown charset: `{0}`; a name such as utf-8, windows-1252, gbk, big5, shift_jis, euc-kr or koi8-r expected")]
pub struct UnknownCharset(String);

/// Returns the charset with this name, including names in files that are unknown on the web.
pub(super) fn named(name: &str) -> Option<&'static Encoding> {
    let name = name.trim();
    let lower = name.to_ascii_lowercase();
    let web = match &*lower {
        "utf8mb4" | "unicode" => "utf-8",
        "cp936" | "936" | "ms936" => "gbk",
        "cp950" | "950" => "big5",
        "cp932" | "932" | "ms932" | "sjis" => "shift_jis",
        "cp949" | "949" | "uhc" => "euc-kr",
        "cp1250" | "1250" => "windows-1250",
        "cp1251" | "1251" | "win1251" => "windows-1251",
        "cp1252" | "1252" | "ansi" => "windows-1252",
        "cp1257" | "1257" => "windows-1257",
        other => other,
    };
    Encoding::for_label(web.as_bytes())
}

/// A text, and a remark on how it was decoded.
pub(super) struct Decoded {
    pub text: String,
    pub note: Option<Note>,
}

impl Decoded {
    fn plain(text: String) -> Self {
        Self { text, note: None }
    }

    fn noted(text: String, note: FileRemark) -> Self {
        Self { text, note: Some(Note::remark(1, note)) }
    }
}

/// The text of a file, which may name its charset itself.
pub(super) fn decoded(bytes: &[u8], stated: Option<&str>, asked: Option<Charset>) -> Decoded {
    if let Some((encoding, mark)) = Encoding::for_bom(bytes) {
        return Decoded::plain(encoding.decode_without_bom_handling(&bytes[mark..]).0.into_owned());
    }
    if let Some(encoding) = utf16(bytes) {
        return Decoded::plain(encoding.decode_without_bom_handling(bytes).0.into_owned());
    }
    if let Some(asked) = asked {
        return within(bytes, asked.encoding());
    }
    let known = stated.and_then(named);
    let utf8 = std::str::from_utf8(bytes);
    match (known, utf8) {
        (_, Ok(text)) if text.is_ascii() && known.is_none_or(Encoding::is_ascii_compatible) => {
            Decoded::plain(text.to_owned())
        }
        (None, Ok(text)) => Decoded::plain(text.to_owned()),
        (Some(encoding), Ok(text)) if encoding == UTF_8 => Decoded::plain(text.to_owned()),
        // Programs name the charset of the machine that they were written on, and write UTF-8.
        (Some(encoding), Ok(text)) if is_surely_utf8(text) || encoding.decode_without_bom_handling(bytes).1 => {
            Decoded::noted(text.to_owned(), FileRemark::IsUtf8 { charset: encoding.name() })
        }
        (Some(encoding), _) if encoding != UTF_8 => within(bytes, encoding),
        _ => {
            let encoding = looks_like(bytes);
            let text = encoding.decode_without_bom_handling(bytes).0.into_owned();
            let charset = encoding.name();
            let note = match stated {
                Some(stated) if known.is_none() => FileRemark::UnknownCharset { stated: stated.to_owned(), charset },
                Some(_) => FileRemark::NotUtf8 { charset },
                None => FileRemark::GuessedCharset { charset },
            };
            Decoded::noted(text, note)
        }
    }
}

/// The text in a charset that is said.
fn within(bytes: &[u8], encoding: &'static Encoding) -> Decoded {
    let (text, is_wrong) = encoding.decode_without_bom_handling(bytes);
    let text = text.into_owned();
    if !is_wrong {
        return Decoded::plain(text);
    }
    let count = text.matches('\u{fffd}').count();
    Decoded::noted(text, FileRemark::OutsideCharset { count, charset: encoding.name() })
}

/// UTF-16 without a mark, by the zeros between the first characters.
fn utf16(bytes: &[u8]) -> Option<&'static Encoding> {
    match *bytes {
        [a, 0, b, 0, ..] if a != 0 && b != 0 => Some(UTF_16LE),
        [0, a, 0, b, ..] if a != 0 && b != 0 => Some(UTF_16BE),
        _ => None,
    }
}

/// Returns true if a valid UTF-8 text is unlikely to be in another charset: sequences of two bytes are common in some.
pub(super) fn is_surely_utf8(text: &str) -> bool {
    text.chars().any(|c| c.len_utf8() > 2)
}

/// A charset of single bytes is known by at least this number of letters.
const MIN_LETTERS: usize = 4;

/// A second charset of a file is believed from this number of its bytes on.
const MIN_WIDE_BYTES: usize = 12;

/// The charsets of the texts of one file that are not in UTF-8: several people write a library, each on their own
/// machine.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Charsets {
    /// Single-byte charset.
    narrow: &'static Encoding,
    /// Multi-byte charset, if any text looks like one.
    wide: Option<&'static Encoding>,
    /// True if all texts together look like the wide one.
    is_wide: bool,
}

impl Charsets {
    /// Guess without further evidence.
    pub(super) const USUAL: Self = Self { narrow: WINDOWS_1252, wide: None, is_wide: false };

    /// The charsets that these texts look like.
    pub(super) fn from_texts(texts: &[Vec<u8>]) -> Self {
        let all = looks_like(&texts.join(&b'\n'));
        if !all.is_single_byte() {
            return Self { narrow: WINDOWS_1252, wide: Some(all), is_wide: true };
        }
        let wide: Vec<&[u8]> =
            texts.iter().map(Vec::as_slice).filter(|text| !looks_like(text).is_single_byte()).collect();
        let wide = wide.join(&b'\n');
        let letters = wide.iter().filter(|byte| !byte.is_ascii()).count();
        let found = (letters >= MIN_WIDE_BYTES).then(|| looks_like(&wide)).filter(|found| !found.is_single_byte());
        Self { narrow: all, wide: found, is_wide: false }
    }

    /// A text in the charset that it looks like.
    pub(super) fn decoded(self, text: &[u8]) -> String {
        self.wide_of(text).unwrap_or_else(|| self.narrow.decode_without_bom_handling(text).0.into_owned())
    }

    /// A text in a multi-byte charset, if it looks like one.
    pub(super) fn wide_of(self, text: &[u8]) -> Option<String> {
        let wide = self.wide.filter(|&wide| self.is_wide || looks_like(text) == wide)?;
        let (decoded, _, is_other) = wide.decode(text);
        (!is_other).then(|| decoded.into_owned())
    }

    /// Returns a remark on the charset, if it is not the expected one.
    pub(super) fn remark(self) -> Option<FileRemark> {
        match self.wide {
            Some(wide) if self.is_wide => Some(FileRemark::TextsReadAs { charset: wide.name() }),
            Some(wide) => Some(FileRemark::SomeTextsReadAs { charset: wide.name() }),
            None if self.narrow != WINDOWS_1252 => Some(FileRemark::TextsReadAs { charset: self.narrow.name() }),
            None => None,
        }
    }
}

/// Guesses the charset of bytes that are not UTF-8.
pub(super) fn looks_like(bytes: &[u8]) -> &'static Encoding {
    let mut detector = EncodingDetector::new(Iso2022JpDetection::Deny);
    detector.feed(bytes, true);
    let guess = detector.guess(None, Utf8Detection::Deny);
    // A few letters look like those of many charsets.
    let is_hardly_known = bytes.iter().filter(|byte| !byte.is_ascii()).count() < MIN_LETTERS;
    if guess.is_single_byte() && is_hardly_known { WINDOWS_1252 } else { guess }
}
