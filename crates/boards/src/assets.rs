//! The files of the pages. Their path contains one digest of them all, so that they can be cached forever, and a module
//! that imports another one finds the matching one.

use std::sync::LazyLock;

use agon_game::hash::hex;
use axum::extract::Path;
use axum::http::{StatusCode, header};
use axum::response::{IntoResponse, Response};
use sha2::{Digest, Sha256};

use crate::engines;
use crate::headers::{CachePolicy, RunsWasm};
use crate::viewer::{BOARD, CURVE, PLAYBACK, SHAPES, STYLE, VIEWER};

const FONT_STYLE: &str = include_str!("../fonts/fonts.css");

const SITE_STYLE: &str = include_str!("assets/site.css");

const BOARD_STYLE: &str = include_str!("assets/board.css");

const STYLE_FILE: &str = "style.css";

/// The names of all files.
pub fn names() -> impl Iterator<Item = &'static str> {
    FILES.iter().map(|(name, ..)| *name).chain(FONTS.iter().map(|(name, _)| *name)).chain([STYLE_FILE])
}

/// The fonts, which `scripts/fonts` makes: of each weight the letters, the syllables of the pages, and other syllables.
pub(crate) const FONTS: [(&str, &[u8]); 6] = [
    ("agon-sans-400-letters.woff2", include_bytes!("../fonts/agon-sans-400-letters.woff2")),
    ("agon-sans-400-pages.woff2", include_bytes!("../fonts/agon-sans-400-pages.woff2")),
    ("agon-sans-400-names.woff2", include_bytes!("../fonts/agon-sans-400-names.woff2")),
    ("agon-sans-600-letters.woff2", include_bytes!("../fonts/agon-sans-600-letters.woff2")),
    ("agon-sans-600-pages.woff2", include_bytes!("../fonts/agon-sans-600-pages.woff2")),
    ("agon-sans-600-names.woff2", include_bytes!("../fonts/agon-sans-600-names.woff2")),
];

/// Name, type and content of the others.
const FILES: [(&str, &str, &str); 74] = [
    ("board.js", "text/javascript", BOARD),
    ("shapes.js", "text/javascript", SHAPES),
    ("viewer.js", "text/javascript", VIEWER),
    ("playback.js", "text/javascript", PLAYBACK),
    ("curve.js", "text/javascript", CURVE),
    ("evaluation.js", "text/javascript", include_str!("assets/evaluation.js")),
    ("server.js", "text/javascript", include_str!("assets/server.js")),
    ("share.js", "text/javascript", include_str!("assets/share.js")),
    ("here.js", "text/javascript", include_str!("assets/here.js")),
    engines::SCRIPTS[0],
    engines::SCRIPTS[1],
    engines::SCRIPTS[2],
    ("play.js", "text/javascript", include_str!("assets/play.js")),
    ("shared.js", "text/javascript", include_str!("assets/shared.js")),
    ("table.js", "text/javascript", include_str!("assets/table.js")),
    ("puzzles.js", "text/javascript", include_str!("assets/puzzles.js")),
    ("trainer.js", "text/javascript", include_str!("assets/trainer.js")),
    ("clock.js", "text/javascript", include_str!("assets/clock.js")),
    ("analyse.js", "text/javascript", include_str!("assets/analyse.js")),
    ("tree.js", "text/javascript", include_str!("assets/tree.js")),
    ("chapters.js", "text/javascript", include_str!("assets/chapters.js")),
    ("editor.js", "text/javascript", include_str!("assets/editor.js")),
    ("editorview.js", "text/javascript", include_str!("assets/editorview.js")),
    ("edits.js", "text/javascript", include_str!("assets/edits.js")),
    ("engine.js", "text/javascript", include_str!("assets/engine.js")),
    ("enginepanel.js", "text/javascript", include_str!("assets/enginepanel.js")),
    ("evaluations.js", "text/javascript", include_str!("assets/evaluations.js")),
    ("gamefiles.js", "text/javascript", include_str!("assets/gamefiles.js")),
    ("going.js", "text/javascript", include_str!("assets/going.js")),
    ("graph.js", "text/javascript", include_str!("assets/graph.js")),
    ("history.js", "text/javascript", include_str!("assets/history.js")),
    ("known.js", "text/javascript", include_str!("assets/known.js")),
    ("retry.js", "text/javascript", include_str!("assets/retry.js")),
    ("library.js", "text/javascript", include_str!("assets/library.js")),
    ("loading.js", "text/javascript", include_str!("assets/loading.js")),
    ("notepanel.js", "text/javascript", include_str!("assets/notepanel.js")),
    ("notes.js", "text/javascript", include_str!("assets/notes.js")),
    ("openings.js", "text/javascript", include_str!("assets/openings.js")),
    ("openingrule.js", "text/javascript", include_str!("assets/openingrule.js")),
    ("reasons.js", "text/javascript", include_str!("assets/reasons.js")),
    ("review.js", "text/javascript", include_str!("assets/review.js")),
    ("rows.js", "text/javascript", include_str!("assets/rows.js")),
    ("studies.js", "text/javascript", include_str!("assets/studies.js")),
    ("symmetry.js", "text/javascript", include_str!("assets/symmetry.js")),
    ("again.js", "text/javascript", include_str!("assets/again.js")),
    ("keep.js", "text/javascript", include_str!("assets/keep.js")),
    ("lines.js", "text/javascript", include_str!("assets/lines.js")),
    ("times.js", "text/javascript", include_str!("assets/times.js")),
    ("once.js", "text/javascript", include_str!("assets/once.js")),
    ("theme.js", "text/javascript", include_str!("assets/theme.js")),
    ("treeview.js", "text/javascript", include_str!("assets/treeview.js")),
    ("views.js", "text/javascript", include_str!("assets/views.js")),
    ("words.js", "text/javascript", include_str!("assets/words.js")),
    ("zoom.js", "text/javascript", include_str!("assets/zoom.js")),
    ("files.js", "text/javascript", include_str!("assets/files.js")),
    ("diagram.js", "text/javascript", include_str!("assets/diagram.js")),
    ("printed.js", "text/javascript", include_str!("assets/printed.js")),
    ("printedtext.js", "text/javascript", include_str!("assets/printedtext.js")),
    ("studylink.js", "text/javascript", include_str!("assets/studylink.js")),
    ("turns.js", "text/javascript", include_str!("assets/turns.js")),
    ("slips.js", "text/javascript", include_str!("assets/slips.js")),
    ("page.js", "text/javascript", include_str!("assets/page.js")),
    ("dish.js", "text/javascript", include_str!("assets/dish.js")),
    ("follow.js", "text/javascript", include_str!("assets/follow.js")),
    ("front.js", "text/javascript", include_str!("assets/front.js")),
    ("mini.js", "text/javascript", include_str!("assets/mini.js")),
    ("broadcast.js", "text/javascript", include_str!("assets/broadcast.js")),
    ("wall.js", "text/javascript", include_str!("assets/wall.js")),
    ("live.js", "text/javascript", include_str!("assets/live.js")),
    ("drop.js", "text/javascript", include_str!("assets/drop.js")),
    ("rules.js", "text/javascript", include_str!("assets/rules.js")),
    ("submit.js", "text/javascript", include_str!("assets/submit.js")),
    ("check.js", "text/javascript", include_str!("assets/check.js")),
    ("icon.svg", "image/svg+xml", include_str!("assets/icon.svg")),
];

static DIGEST: LazyLock<String> = LazyLock::new(|| {
    let mut hash = Sha256::new();
    for sheet in [FONT_STYLE, STYLE, SITE_STYLE, BOARD_STYLE] {
        hash.update(sheet);
    }
    for (.., content) in FILES {
        hash.update(content);
    }
    for (_, content) in FONTS {
        hash.update(content);
    }
    hex(&hash.finalize()[..8])
});

/// The address of a file.
pub fn address(file: &str) -> String {
    format!("/assets/{}/{file}", *DIGEST)
}

/// The type and the content of a file, without what only its authors read.
pub fn find(file: &str) -> Option<(&'static str, Vec<u8>)> {
    if file == STYLE_FILE {
        let sheet = lean(&format!("{FONT_STYLE}\n{STYLE}\n{SITE_STYLE}\n{BOARD_STYLE}"));
        return Some(("text/css", sheet.into_bytes()));
    }
    if let Some((_, font)) = FONTS.iter().find(|(known, _)| *known == file) {
        return Some((FONT, font.to_vec()));
    }
    FILES.iter().find(|(known, ..)| *known == file).map(|(_, kind, text)| (*kind, lean(text).into_bytes()))
}

/// The type of a font, which is compressed already.
const FONT: &str = "font/woff2";

/// A script or style sheet without indentation, empty lines and comments that have lines of their own: a quarter less
/// to load. No line is within a text of several lines.
fn lean(text: &str) -> String {
    let mut in_comment = false;
    let mut kept = String::with_capacity(text.len());
    for line in text.lines() {
        let mut bare = line.trim_start();
        if in_comment || bare.starts_with("/*") {
            let after = bare.split_once("*/").map(|(_, after)| after.trim_start());
            in_comment = after.is_none();
            bare = after.unwrap_or_default();
        }
        if !bare.is_empty() && !bare.starts_with("//") {
            kept += bare;
            kept.push('\n');
        }
    }
    kept
}

pub async fn serve(Path((digest, file)): Path<(String, String)>) -> Response {
    if let Some(found) = engines::find(&digest, &file) {
        // Already compressed: `identity` keeps it from being compressed again.
        let headers = [(header::CONTENT_TYPE, "application/gzip"), (header::CONTENT_ENCODING, "identity")];
        return CachePolicy::IMMUTABLE.on((headers, found.content()).into_response());
    }
    match find(&file) {
        Some((FONT, font)) if digest == *DIGEST => {
            let headers = [(header::CONTENT_TYPE, FONT), (header::CONTENT_ENCODING, "identity")];
            CachePolicy::IMMUTABLE.on((headers, font).into_response())
        }
        Some((kind, text)) if digest == *DIGEST => {
            let kind = format!("{kind}; charset=utf-8");
            let mut response = CachePolicy::IMMUTABLE.on(([(header::CONTENT_TYPE, kind)], text).into_response());
            if file == engines::WORKER {
                response.extensions_mut().insert(RunsWasm);
            }
            response
        }
        _ => StatusCode::NOT_FOUND.into_response(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn comments_and_indentation_are_not_sent() {
        let text = "// a\nif (x) {\n  y = 'a//b'; // kept\n\n  /* c\n   d */\n  z();\n}\n";
        assert_eq!(lean(text), "if (x) {\ny = 'a//b'; // kept\nz();\n}\n");
        assert_eq!(lean("/* a */ a {\n  b: c;\n}"), "a {\nb: c;\n}\n");
    }

    /// Lines of a text would lose their indentation.
    #[test]
    fn no_script_has_a_text_of_several_lines() {
        for (name, .., text) in FILES {
            for line in lean(text).lines() {
                assert!(line.matches('`').count().is_multiple_of(2), "{name}: {line}");
            }
        }
    }

    /// A page loads of each weight what its letters need, and never more than this.
    #[test]
    fn a_weight_of_the_font_is_small_and_its_licence_beside_it() {
        for weight in ["-400-", "-600-"] {
            let files: Vec<_> = FONTS.iter().filter(|(name, _)| name.contains(weight)).collect();
            let bytes: usize = files.iter().map(|(_, font)| font.len()).sum();
            assert!(files.len() == 3 && bytes <= 200 << 10, "{weight}: {bytes} bytes");
        }
        for (name, font) in FONTS {
            assert!(font.starts_with(b"wOF2") && FONT_STYLE.contains(&format!("url(\"{name}\")")), "{name}");
        }
        // The licence reserves the name of the original.
        assert!(include_str!("../fonts/LICENSE.txt").contains("SIL OPEN FONT LICENSE"));
        assert!(!FONT_STYLE.contains("Pretendard"));
    }

    /// What the Korean pages are written with is in the small file: `scripts/fonts` makes it again.
    #[test]
    fn the_korean_pages_need_no_large_file_of_the_font() {
        let range = FONT_STYLE.split("agon-sans-400-pages").nth(1).and_then(|rest| rest.split('}').next()).unwrap();
        let code = |text: &str| u32::from_str_radix(text.trim_start_matches("U+"), 16).unwrap();
        let words = range.split("unicode-range:").nth(1).unwrap().split([',', ';']).map(str::trim);
        let ranges: Vec<_> = words
            .filter(|word| !word.is_empty())
            .map(|word| {
                word.split_once('-').map_or_else(|| (code(word), code(word)), |(from, to)| (code(from), code(to)))
            })
            .collect();
        for text in crate::text::korean() {
            for syllable in text.chars().filter(|letter| ('가'..='힣').contains(letter)) {
                let known = ranges.iter().any(|(from, to)| (*from..=*to).contains(&u32::from(syllable)));
                assert!(known, "{syllable}: run scripts/fonts");
            }
        }
    }

    const SHEETS: [&str; 3] = [STYLE, SITE_STYLE, BOARD_STYLE];

    /// Colours have names, each with one value by day and one by night: no colour is written anywhere else.
    #[test]
    fn colours_stand_among_the_names() {
        for sheet in SHEETS {
            for line in sheet.lines() {
                let rest = line.split("--").next().unwrap();
                let literal = rest.contains("rgb(")
                    || rest.contains("hsl(")
                    || rest.split('#').skip(1).any(|part| {
                        let digits: String = part.chars().take_while(char::is_ascii_hexdigit).collect();
                        let end = part[digits.len()..].chars().next();
                        [3, 6].contains(&digits.len()) && matches!(end, Some(';' | ' ' | ',') | None)
                    });
                assert!(!literal, "a colour without a name: {line}");
            }
        }
    }

    /// Every used name is defined, and every name that the night changes is defined by day.
    #[test]
    fn every_name_of_the_style_is_defined() {
        let all = SHEETS.join("\n");
        let defined = |name: &str| all.contains(&format!("--{name}:"));
        let mut used = 0;
        for part in all.split("var(--").skip(1) {
            let name = part.split([')', ',']).next().unwrap();
            used += 1;
            // The reach of an evaluation, and the number of lines, are set by their scripts.
            assert!(defined(name) || ["share", "lines"].contains(&name), "--{name} is used and not defined");
        }
        assert!(used > 200);
        let (day, night) = STYLE.split_once("prefers-color-scheme: dark").unwrap();
        for part in night.split("\n}").next().unwrap().split("--").skip(1) {
            let name = part.split(':').next().unwrap();
            assert!(day.contains(&format!("--{name}:")), "--{name} is a colour of the night alone");
        }
    }
}
