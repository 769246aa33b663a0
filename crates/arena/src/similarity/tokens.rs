//! Sources as tokens. Languages differ here only in their comments and strings: words that control the flow of a
//! program are kept; all other words count as the same, and so do all numbers.

use std::ops::Range;

use agon_referee::agent::Language;

#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct SourceToken {
    /// Its class: equal for tokens that count as the same.
    pub class: u32,
    /// Its position in bytes.
    pub place: Range<usize>,
}

const VALUE: u32 = 1;

/// Words that control the flow of a program, in any of the languages. Types are not among them: they are changed as
/// easily as names.
const KEYWORDS: [&str; 45] = [
    "and", "assert", "begin", "break", "case", "catch", "class", "continue", "def", "default", "del", "delete", "do",
    "elif", "else", "elsif", "end", "ensure", "enum", "except", "finally", "fn", "for", "function", "goto", "if",
    "impl", "in", "lambda", "loop", "match", "new", "not", "or", "raise", "rescue", "return", "struct", "switch",
    "throw", "try", "unless", "while", "with", "yield",
];

/// How a language writes comments and strings.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Family {
    /// `//` and `/* */`; C, C++, Java, JavaScript.
    C,
    /// The same with lifetimes and nested comments.
    Rust,
    /// `#`, and strings of three quotes.
    Python,
    /// `#`, and lines from `=begin` to `=end`.
    Ruby,
}

impl Family {
    const fn from_language(language: Language) -> Self {
        match language {
            Language::C20 | Language::Cpp20 | Language::Java | Language::JavaScript => Self::C,
            Language::Rust => Self::Rust,
            Language::Python3 | Language::Pypy3 => Self::Python,
            Language::Ruby => Self::Ruby,
        }
    }
}

/// The tokens of a source.
pub(super) fn tokens(language: Language, source: &str) -> Vec<SourceToken> {
    let mut reader =
        Reader { family: Family::from_language(language), bytes: source.as_bytes(), at: 0, tokens: Vec::new() };
    while reader.at < reader.bytes.len() {
        reader.step();
    }
    reader.tokens
}

struct Reader<'a> {
    family: Family,
    bytes: &'a [u8],
    at: usize,
    tokens: Vec<SourceToken>,
}

impl Reader<'_> {
    fn begins(&self, text: &str) -> bool {
        self.bytes[self.at..].starts_with(text.as_bytes())
    }

    fn begins_line(&self) -> bool {
        self.at == 0 || self.bytes[self.at - 1] == b'\n'
    }

    /// Goes behind the next occurrence of a text, or to the end.
    fn skip_behind(&mut self, text: &str) {
        let wanted = text.as_bytes();
        let found = self.bytes[self.at..].windows(wanted.len()).position(|window| window == wanted);
        self.at = found.map_or(self.bytes.len(), |found| self.at + found + wanted.len());
    }

    fn step(&mut self) {
        let byte = self.bytes[self.at];
        let hash = matches!(self.family, Family::Python | Family::Ruby);
        match byte {
            _ if byte.is_ascii_whitespace() => self.at += 1,
            b'#' if hash => self.skip_behind("\n"),
            // A directive: what it includes means nothing.
            b'#' if self.family == Family::C && self.begins("#include") => self.skip_behind("\n"),
            b'=' if self.family == Family::Ruby && self.begins_line() && self.begins("=begin") => {
                self.skip_behind("\n=end");
            }
            b'/' if !hash && self.begins("//") => self.skip_behind("\n"),
            b'/' if self.family == Family::C && self.begins("/*") => {
                self.at += 2;
                self.skip_behind("*/");
            }
            b'/' if self.family == Family::Rust && self.begins("/*") => self.nested_comment(),
            b'"' | b'\'' | b'`' => self.quoted(byte),
            _ if byte.is_ascii_alphanumeric() || byte == b'_' || byte >= 0x80 => self.word(),
            _ => {
                self.push(u32::from(byte) << 8, self.at + 1);
            }
        }
    }

    fn push(&mut self, class: u32, end: usize) {
        self.tokens.push(SourceToken { class, place: self.at..end });
        self.at = end;
    }

    fn nested_comment(&mut self) {
        let mut depth = 0_usize;
        while self.at < self.bytes.len() {
            if self.begins("/*") {
                (depth, self.at) = (depth + 1, self.at + 2);
            } else if self.begins("*/") {
                (depth, self.at) = (depth - 1, self.at + 2);
                if depth == 0 {
                    return;
                }
            } else {
                self.at += 1;
            }
        }
    }

    /// Skips a string or a character. A single-line literal that is not closed ends with its line, so a quote that
    /// turns out to be something else (a regular expression's, a digit separator) hides no more than that.
    fn quoted(&mut self, quote: u8) {
        if self.family == Family::Rust && quote == b'\'' && !self.is_character() {
            // A lifetime: the word after it is a name like others.
            self.at += 1;
            return;
        }
        let triple = String::from_utf8(vec![quote; 3]).unwrap_or_default();
        if quote != b'`' && matches!(self.family, Family::Python | Family::C) && self.begins(&triple) {
            self.at += 3;
            self.skip_behind(&triple);
            return;
        }
        let lines = quote == b'`' || self.family == Family::Rust || self.family == Family::Ruby;
        self.at += 1;
        while let Some(&byte) = self.bytes.get(self.at) {
            match byte {
                b'\\' => self.at += 2,
                b'\n' if !lines => return,
                _ => {
                    self.at += 1;
                    if byte == quote {
                        return;
                    }
                }
            }
        }
        self.at = self.bytes.len();
    }

    /// Whether an apostrophe in Rust begins a character: `'a'` and `'\n'`, but not `'a`.
    fn is_character(&self) -> bool {
        let rest = &self.bytes[self.at + 1..self.bytes.len().min(self.at + 9)];
        let rest = String::from_utf8_lossy(rest);
        let mut next = rest.chars();
        next.next() == Some('\\') || next.next() == Some('\'')
    }

    fn word(&mut self) {
        let rest = &self.bytes[self.at..];
        let inside = |byte: &u8| byte.is_ascii_alphanumeric() || *byte == b'_' || *byte >= 0x80;
        let mut length = rest.iter().take_while(|byte| inside(byte)).count();
        if rest[0].is_ascii_digit() {
            // 1.5, 1e-9, 1'000
            while let Some(&[sign, digit]) = rest.get(length..length + 2).and_then(|two| two.first_chunk::<2>()) {
                let exponent = matches!(rest[length - 1], b'e' | b'E') && matches!(sign, b'+' | b'-');
                let separator = sign == b'\'' && self.family == Family::C;
                if !(digit.is_ascii_digit() && (sign == b'.' || exponent || separator)) {
                    break;
                }
                length += 1 + rest[length + 1..].iter().take_while(|byte| inside(byte)).count();
            }
        }
        let word = &rest[..length];
        if let Some(end) = self.raw_string(word, &rest[length..]) {
            self.at = end;
            return;
        }
        // The letters before a quote belong to the string: f"…", b'x', L"…".
        let prefix = length <= 3 && rest.get(length).is_some_and(|byte| matches!(byte, b'"' | b'\''));
        if prefix && word.iter().all(|byte| b"bBfFrRuULu8".contains(byte)) {
            self.at += length;
            return;
        }
        let keyword = KEYWORDS.binary_search_by(|keyword| keyword.as_bytes().cmp(word));
        self.push(keyword.map_or(VALUE, |at| 2 + at as u32), self.at + length);
    }

    /// Where the raw string that begins with this word ends: `R"x(…)x"` in C++, `r#"…"#` in Rust, `r"…"` in Python.
    fn raw_string(&self, word: &[u8], rest: &[u8]) -> Option<usize> {
        let behind = self.at + word.len();
        let until = |from: usize, end: &[u8]| {
            let found = self.bytes.get(from..)?.windows(end.len()).position(|window| window == end);
            Some(found.map_or(self.bytes.len(), |found| from + found + end.len()))
        };
        match self.family {
            Family::C if word.ends_with(b"R") && rest.first() == Some(&b'"') => {
                let open = rest.iter().take(18).position(|&byte| byte == b'(')?;
                let end = [b")", &rest[1..open], b"\""].concat();
                until(behind + open + 1, &end)
            }
            Family::Rust if matches!(word, b"r" | b"br" | b"cr") => {
                let hashes = rest.iter().take_while(|&&byte| byte == b'#').count();
                (rest.get(hashes) == Some(&b'"')).then_some(())?;
                let end = [&b"\""[..], &rest[..hashes]].concat();
                until(behind + hashes + 1, &end)
            }
            _ => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keywords_are_in_order() {
        assert!(KEYWORDS.is_sorted());
    }

    #[track_caller]
    fn check(language: Language, one: &str, other: &str) {
        let classes =
            |source: &str| -> Vec<u32> { tokens(language, source).into_iter().map(|token| token.class).collect() };
        assert_eq!(classes(one), classes(other), "{one} | {other}");
    }

    #[test]
    fn names_numbers_comments_and_strings_are_not_read() {
        use Language::{C20, Cpp20, Java, JavaScript, Python3, Ruby, Rust};
        check(C20, "int a = 5; // one", "long /* two\n */ other_name\n=\n1.5e-3;");
        check(C20, "#include <stdio.h>\nf(\"a;b\", 'c');", "f(,);");
        check(C20, "f('\\'', \"\\\"//\"); g();", "f(,); g();");
        check(Cpp20, "a = R\"x(//)\" )x\" + 1'000'000;", "a = + 7;");
        check(Java, "s = \"\"\"\n a \"b\" \n\"\"\"; x();", "s = ; x();");
        check(JavaScript, "const a = `x ${y}\n z`; g('it\\'s')", "const a = ; g()");
        check(Rust, "fn f<'a>(x: &'a str) -> char { 'x' }", "fn f<a>(x: &a str) -> char { }");
        check(Rust, "/* a /* b */ c */ x(r#\"a\"b\"#, b'\\n', '\\'');", "x(,,);");
        check(Python3, "def f(x):  # doc\n    \"\"\"It's\n a\"\"\"\n    return f'{x}' + r\"\\\"", "def g(y): return +");
        check(Ruby, "=begin\nx y\n=end\nputs 'a' # b", "puts");
        check(Python3, "x = 'open\ny = 1", "x =\ny = 1");
    }

    #[test]
    fn what_steers_a_program_is_read() {
        let classes =
            |source: &str| tokens(Language::C20, source).into_iter().map(|token| token.class).collect::<Vec<_>>();
        assert_ne!(classes("if (a) b;"), classes("while (a) b;"));
        assert_ne!(classes("a + b"), classes("a - b"));
        let places: Vec<_> = tokens(Language::C20, "a /**/ += bé").into_iter().map(|token| token.place).collect();
        assert_eq!(places, [0..1, 7..8, 8..9, 10..13]);
    }

    #[test]
    fn any_text_is_read_to_its_end() {
        let parts = [
            "\"", "'", "`", "/*", "*/", "//", "#", "r#\"", "R\"(", "=begin\n", "\\", "é", "\n", "1e", "1'", "a",
            "\"\"\"", "1.",
        ];
        for language in Language::ALL {
            for one in parts {
                for two in parts {
                    for three in parts {
                        let source = format!("{one}{two}{three}");
                        for token in tokens(language, &source) {
                            assert!(source.get(token.place).is_some(), "{language} {source:?}");
                        }
                    }
                }
            }
        }
    }
}
