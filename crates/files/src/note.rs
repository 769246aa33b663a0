//! Notes at the places of a game: everything a file says besides the moves.

use std::collections::BTreeMap;

use agon_protocols::formats::{GameTree, Property, TreeNode, point, tree};
use agon_rules::renju::Point;
use serde::{Deserialize, Serialize};

/// The most marks and texts on points of a game.
pub(crate) const MAX_MARKS: usize = 4_000;

/// Properties of marks on points.
const MARKS: [&str; 7] = ["TR", "SQ", "CR", "MA", "SL", "DD", "TB"];

/// Properties for the glyphs that people write after a move.
const GLYPHS: [(&str, &str, &str); 6] =
    [("TE", "2", "!!"), ("TE", "", "!"), ("BM", "2", "??"), ("BM", "", "?"), ("IT", "", "!?"), ("DO", "", "?!")];

/// Note at one place of a game.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct PlaceNote {
    /// After how many of the game's moves, all lines one after the other: 0 is the beginning.
    pub at: usize,
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub comment: String,
    /// The name of the place.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub name: String,
    /// `!!`, `!`, `!?`, `?!`, `?` or `??`.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub glyph: String,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub marks: Vec<PlaceMark>,
    /// All other properties of the place, as SGF has them.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub properties: BTreeMap<String, Vec<String>>,
}

/// A mark on a point.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct PlaceMark {
    /// Name in SGF: TR, SQ, CR, MA and so on, and LB for a text.
    pub kind: String,
    /// The point in the judge's notation, row and column.
    pub point: [u8; 2],
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub text: String,
}

impl PlaceNote {
    /// Adds the properties of a node; `left` is the number of marks still allowed.
    pub(crate) fn add(&mut self, node: &TreeNode, left: &mut usize) {
        for property in &node.properties {
            match &*property.name {
                "C" => {
                    if !self.comment.is_empty() {
                        self.comment.push('\n');
                    }
                    self.comment.push_str(&property.plain());
                }
                "N" if self.name.is_empty() => self.name = tree::one_line(&property.plain()),
                "LB" => {
                    for value in &property.values {
                        let (point, text) = value.split_once(':').unwrap_or((value, ""));
                        match point::of_sgf(point.trim()) {
                            Some(point) => self.mark("LB", point, &tree::unescaped(text), left),
                            None => self.keep("LB", std::slice::from_ref(value)),
                        }
                    }
                }
                name if MARKS.contains(&name) => match point::list(&property.values) {
                    Some(points) => points.into_iter().for_each(|point| self.mark(name, point, "", left)),
                    None => self.keep(name, &property.values),
                },
                name => match GLYPHS.iter().find(|glyph| glyph.0 == name && is_value(property, glyph.1)) {
                    Some((.., glyph)) if self.glyph.is_empty() => (*glyph).clone_into(&mut self.glyph),
                    _ => self.keep(name, &property.values),
                },
            }
        }
    }

    /// Keeps a property unchanged.
    fn keep(&mut self, name: &str, values: &[String]) {
        self.properties.entry(name.to_owned()).or_default().extend_from_slice(values);
    }

    fn mark(&mut self, kind: &str, point: Point, text: &str, left: &mut usize) {
        if let Some(fewer) = left.checked_sub(1) {
            *left = fewer;
            let point = [point.row(), point.column()];
            self.marks.push(PlaceMark { kind: kind.to_owned(), point, text: tree::one_line(text) });
        }
    }

    pub(crate) fn is_empty(&self) -> bool {
        Self { at: 0, ..self.clone() } == Self::default()
    }

    /// Writes the note to a node.
    pub(crate) fn apply(&self, tree: &mut GameTree, node: usize) {
        for (name, text) in [("C", &self.comment), ("N", &self.name)] {
            if !text.is_empty() {
                tree.set_plain(node, name, text);
            }
        }
        if let Some((name, value, _)) = GLYPHS.iter().find(|glyph| glyph.2 == self.glyph) {
            let value = if value.is_empty() && matches!(*name, "TE" | "BM") { "1" } else { value };
            tree.add_value(node, name, value.to_owned());
        }
        for mark in &self.marks {
            let is_known = mark.kind == "LB" || MARKS.contains(&&*mark.kind);
            if let Some(point) = Point::new(mark.point[0], mark.point[1]).filter(|_| is_known) {
                let text = if mark.kind == "LB" { format!(":{}", tree::escaped(&mark.text)) } else { String::new() };
                tree.add_value(node, &mark.kind, point::to_sgf(point) + &text);
            }
        }
        for (name, values) in &self.properties {
            if !name.is_empty()
                && name.len() <= 16
                && name.bytes().all(|byte| byte.is_ascii_uppercase() || byte.is_ascii_digit())
            {
                // Escape again, so that no value can end another one.
                let values = values.iter().map(|value| tree::escaped(&tree::unescaped(value)));
                for value in values {
                    tree.add_value(node, name, value);
                }
            }
        }
    }
}

fn is_value(property: &Property, value: &str) -> bool {
    value.is_empty() || property.values.iter().any(|found| found.trim() == value)
}
