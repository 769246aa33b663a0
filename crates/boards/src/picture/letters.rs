//! Words on pictures, written with the fonts of the pages.

use std::sync::LazyLock;

use skrifa::instance::{LocationRef, Size};
use skrifa::outline::{DrawSettings, OutlinePen};
use skrifa::{FontRef, GlyphId, MetadataProvider as _};
use tiny_skia::{FillRule, PathBuilder, Pixmap, Transform};

use super::png::ink;
use crate::assets::FONTS;

/// How heavy letters are.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Weight {
    Regular,
    Strong,
}

/// The files of both weights as TrueType or OpenType: letters, the syllables of the pages, other syllables.
static FILES: LazyLock<[Vec<Vec<u8>>; 2]> = LazyLock::new(|| {
    let unpack = |(_, packed): &(_, &[u8])| wuff::decompress_woff2(packed).ok();
    let (regular, strong) = FONTS.split_at(FONTS.len() / 2);
    [regular, strong].map(|files| files.iter().filter_map(unpack).collect())
});

/// What is drawn for a letter that the fonts lack.
const MISSING: char = '?';

/// The end of a text that is too long.
const ELLIPSIS: char = '…';

/// Collects an outline, whose ordinates grow upwards, at a place of a picture, whose ordinates grow downwards.
struct Pen {
    path: PathBuilder,
    x: f32,
    base: f32,
}

impl OutlinePen for Pen {
    fn move_to(&mut self, x: f32, y: f32) {
        self.path.move_to(self.x + x, self.base - y);
    }

    fn line_to(&mut self, x: f32, y: f32) {
        self.path.line_to(self.x + x, self.base - y);
    }

    fn quad_to(&mut self, nx: f32, ny: f32, x: f32, y: f32) {
        self.path.quad_to(self.x + nx, self.base - ny, self.x + x, self.base - y);
    }

    fn curve_to(&mut self, nx: f32, ny: f32, mx: f32, my: f32, x: f32, y: f32) {
        let base = self.base;
        self.path.cubic_to(self.x + nx, base - ny, self.x + mx, base - my, self.x + x, base - y);
    }

    fn close(&mut self) {
        self.path.close();
    }
}

/// Letters of one size, in pixels, and weight.
pub(super) struct Letters {
    fonts: Vec<FontRef<'static>>,
    size: f32,
}

impl Letters {
    pub(super) fn new(size: f32, weight: Weight) -> Self {
        let files = &FILES[usize::from(weight == Weight::Strong)];
        Self { fonts: files.iter().filter_map(|file| FontRef::new(file).ok()).collect(), size }
    }

    /// The font that has a letter, and its glyph there.
    fn glyph(&self, letter: char) -> Option<(&FontRef<'static>, GlyphId)> {
        let find = |letter| self.fonts.iter().find_map(|font| Some((font, font.charmap().map(letter)?)));
        find(letter).or_else(|| find(MISSING))
    }

    fn advance(&self, letter: char) -> f32 {
        let metrics = |(font, glyph): (&FontRef, GlyphId)| {
            font.glyph_metrics(Size::new(self.size), LocationRef::default()).advance_width(glyph)
        };
        self.glyph(letter).and_then(metrics).unwrap_or_default()
    }

    /// How wide a text is.
    pub(super) fn width(&self, text: &str) -> f32 {
        text.chars().map(|letter| self.advance(letter)).sum()
    }

    /// As much of a text as fits, with an ellipsis if that is not all.
    pub(super) fn fitted(&self, text: &str, width: f32) -> String {
        if self.width(text) <= width {
            return text.to_owned();
        }
        let (mut fitted, mut left) = (String::new(), width - self.advance(ELLIPSIS));
        for letter in text.chars() {
            left -= self.advance(letter);
            if left < 0.0 {
                break;
            }
            fitted.push(letter);
        }
        fitted.truncate(fitted.trim_end().len());
        fitted.push(ELLIPSIS);
        fitted
    }

    /// A text in lines of at most this width, broken between words; the last of at most `most` is shortened.
    pub(super) fn lines(&self, text: &str, width: f32, most: usize) -> Vec<String> {
        let mut lines: Vec<String> = Vec::new();
        for word in text.split_whitespace() {
            match lines.last_mut() {
                Some(line) if self.width(&format!("{line} {word}")) <= width => {
                    line.push(' ');
                    line.push_str(word);
                }
                _ => lines.push(word.to_owned()),
            }
        }
        if lines.len() > most {
            let rest = lines.split_off(most.saturating_sub(1)).join(" ");
            lines.push(rest);
        }
        lines.iter().map(|line| self.fitted(line, width)).collect()
    }

    /// Writes a text; its baseline begins there.
    pub(super) fn write(&self, pixmap: &mut Pixmap, text: &str, [mut x, base]: [f32; 2], colour: [u8; 3]) {
        let mut pen = Pen { path: PathBuilder::new(), x, base };
        for letter in text.chars() {
            if let Some((font, glyph)) = self.glyph(letter)
                && let Some(outline) = font.outline_glyphs().get(glyph)
            {
                pen.x = x;
                // A glyph that cannot be drawn leaves a gap.
                let _ = outline.draw(DrawSettings::unhinted(Size::new(self.size), LocationRef::default()), &mut pen);
            }
            x += self.advance(letter);
        }
        if let Some(path) = pen.path.finish() {
            pixmap.fill_path(&path, &ink(colour), FillRule::Winding, Transform::identity(), None);
        }
    }

    /// The same with the end of the text there.
    pub(super) fn write_before(&self, pixmap: &mut Pixmap, text: &str, [right, base]: [f32; 2], colour: [u8; 3]) {
        self.write(pixmap, text, [right - self.width(text), base], colour);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn fonts_have_letters_and_hangul_of_both_weights() {
        for weight in [Weight::Regular, Weight::Strong] {
            let letters = Letters::new(40.0, weight);
            assert_eq!(letters.fonts.len(), 3, "{weight:?}");
            for text in ["Amoeba v3", "아메바", "뷔", "–½…"] {
                let has = |letter| letters.fonts.iter().any(|font| font.charmap().map(letter).is_some());
                assert!(text.chars().all(has), "{text}");
                assert!(letters.width(text) > 10.0, "{text}");
            }
            // What the fonts lack has a place too.
            assert!((letters.width("猫") - letters.width("?")).abs() < 0.01);
        }
    }

    #[test]
    fn long_texts_are_broken_and_shortened() {
        let letters = Letters::new(20.0, Weight::Regular);
        let text = "Black has five in a row and the game is over";
        let lines = letters.lines(text, 150.0, 9);
        assert_eq!(lines.join(" "), text);
        assert!(lines.len() > 2 && lines.iter().all(|line| letters.width(line) <= 150.0), "{lines:?}");
        let two = letters.lines(text, 150.0, 2);
        assert!(two.len() == 2 && two[0] == lines[0] && two[1].ends_with('…'), "{two:?}");
        assert!(letters.fitted("Incomprehensibilities", 60.0).ends_with('…'));
        assert_eq!(letters.fitted("a", 60.0), "a");
        assert_eq!(letters.lines("", 60.0, 2), Vec::<String>::new());
    }

    #[test]
    fn a_text_leaves_ink_where_it_is_written() {
        let letters = Letters::new(40.0, Weight::Strong);
        let mut pixmap = Pixmap::new(200, 100).unwrap();
        letters.write(&mut pixmap, "한H", [20.0, 60.0], [255, 255, 255]);
        let inked = |from: u32, to: u32| {
            (0..100).any(|y| (from..to).any(|x| pixmap.pixel(x, y).is_some_and(|pixel| pixel.alpha() > 128)))
        };
        assert!(!inked(0, 18) && inked(20, 50) && inked(60, 90) && !inked(110, 200));
    }
}
