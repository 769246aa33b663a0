//! `RenLib`'s libraries, `.lib`: one tree of moves with comments, texts on the board and marks.
//!
//! A header of 20 bytes, `FF "RenLib" FF major minor` and `FF` to the end; then the nodes, each before its first child,
//! which comes with its whole subtree before its sibling. The oldest libraries have no header, and start with the node
//! of H8, `78`. A node has
//!
//! - a byte for its point, 16 · row + column, the row from the top from 0 and the column from 1; 0 is a PASS, or in
//!   the first node the root;
//! - a byte of flags (`flag`), and if `EXTENSION` is among them two more, the second with `BOARD_TEXT`;
//! - a comment, if a flag says so: text that a zero ends, filled up to an even number of bytes; byte 8 stands between
//!   its first line and the rest. Before version 3 the last byte of a comment has its highest bit set instead, and six
//!   signs of ASCII are the Swedish letters of ISO 646;
//! - the text that the board shows on the point of the move while the node before it is looked at, ended likewise.
//!
//! `SIBLING` means that a sibling follows after the node's subtree, `LAST` that it has no children; `NO_MOVE` that it
//! is not a move, only a text on the point. A comment is the property C, a text on a point is LB of the node before, a
//! mark HO. The file does not name the charset of texts: UTF-8 if valid, otherwise a guess.
//!
//! Sources: `gomoku/RenLib`, MoveNode.cpp, LibraryFile.cpp and RenLibDoc.cpp; `dhbloo/rapfi`, dbutils.cpp.

use agon_catalog::Game;
use agon_game::Side;
use agon_rules::renju::{Move, Point};

use super::charset::{Charset, Charsets, is_surely_utf8};
use super::error::{FileError, FileProblem, Limits, Place};
use super::point;
use super::tree::{Collection, FileRemark, GameTree, Note, Property, TreeMove, unescaped};

/// Flags in a node's second byte.
mod flag {
    pub(super) const SIBLING: u8 = 0x80;
    pub(super) const LAST: u8 = 0x40;
    pub(super) const OLD_COMMENT: u8 = 0x20;
    pub(super) const MARK: u8 = 0x10;
    pub(super) const COMMENT: u8 = 0x08;
    pub(super) const START: u8 = 0x04;
    pub(super) const NO_MOVE: u8 = 0x02;
    pub(super) const EXTENSION: u8 = 0x01;
    /// In the second byte of an extension.
    pub(super) const BOARD_TEXT: u8 = 0x01;
}

/// Magic bytes of a library.
pub const MAGIC: [u8; 8] = *b"\xffRenLib\xff";

const HEADER_BYTES: usize = 20;

/// The newest version whose nodes are known, major and minor.
const VERSION: [u8; 2] = [3, 4];

/// The property of a mark: a hot spot.
const MARK: &str = "HO";

/// Between the first line of a comment and the rest.
const BREAK: char = '\u{8}';

struct Bytes<'a> {
    bytes: &'a [u8],
    at: usize,
}

impl<'a> Bytes<'a> {
    fn pair(&mut self) -> Result<[u8; 2], FileError> {
        let cut = || FileError::whole(FileProblem::LibCutOff { bytes: self.bytes.len() });
        let pair = self.bytes.get(self.at..self.at + 2).ok_or_else(cut)?;
        self.at += 2;
        Ok([pair[0], pair[1]])
    }

    /// The bytes of a text up to the zero that ends it.
    fn text(&mut self) -> Result<&'a [u8], FileError> {
        let begun = self.at;
        loop {
            if let Some(end) = self.pair()?.iter().position(|&byte| byte == 0) {
                return Ok(&self.bytes[begun..self.at - 2 + end]);
            }
        }
    }

    /// A comment of old libraries, up to the byte whose highest bit ends it.
    fn old_comment(&mut self) -> Result<String, FileError> {
        let mut text = String::new();
        loop {
            for byte in self.pair()? {
                text.push(swedish(byte & 0x7f));
                if byte & 0x80 != 0 {
                    return Ok(text);
                }
            }
        }
    }
}

/// The character of a byte of old comments.
const fn swedish(byte: u8) -> char {
    match byte {
        b'}' => 'å',
        b'{' => 'ä',
        b'|' => 'ö',
        b']' => 'Å',
        b'[' => 'Ä',
        b'\\' => 'Ö',
        other => other as char,
    }
}

/// Returns true if the content is a library of the oldest kind: it starts with H8, and its bytes are whole nodes.
pub fn is_without_header(bytes: &[u8]) -> bool {
    bytes.first() == Some(&CENTRE)
        && bytes.len().is_multiple_of(2)
        && !bytes.is_ascii()
        && parse(bytes, 0, &Limits::FILE, &mut |_| String::new()).is_ok_and(|all| all.left_out.is_empty())
}

/// The node of H8.
const CENTRE: u8 = 0x78;

/// Reads a library.
///
/// # Errors
/// [`FileError`] names the byte at which it is not one.
pub fn read(bytes: &[u8], asked: Option<Charset>, limits: &Limits) -> Result<Collection, FileError> {
    let nodes = if bytes.starts_with(&MAGIC) && bytes.len() >= HEADER_BYTES {
        let version = [bytes[8], bytes[9]];
        if version > VERSION {
            let [major, minor] = version;
            return Err(FileError::whole(FileProblem::LibVersion { version: format!("{major}.{minor}") }));
        }
        HEADER_BYTES
    } else if bytes.first() == Some(&CENTRE) {
        0
    } else {
        return Err(FileError::whole(FileProblem::LibNone));
    };
    if let Some(asked) = asked {
        let decode = |text: &[u8]| asked.encoding().decode_without_bom_handling(text).0.into_owned();
        return parse(bytes, nodes, limits, &mut { decode });
    }
    let (read, others) = parse_as_utf8(bytes, nodes, limits)?;
    if others.is_empty() {
        return Ok(read);
    }
    let charsets = Charsets::from_texts(&others);
    let mut all = parse(bytes, nodes, limits, &mut |text| match std::str::from_utf8(text) {
        Ok(utf8) if utf8.is_ascii() || is_surely_utf8(utf8) => utf8.to_owned(),
        Ok(utf8) => charsets.wide_of(text).unwrap_or_else(|| utf8.to_owned()),
        Err(_) => charsets.decoded(text),
    })?;
    if let Some(remark) = charsets.remark() {
        all.left_out.insert(0, Note::remark(Place::Byte(nodes + 1), remark));
    }
    Ok(all)
}

/// Parses the nodes as if all texts were UTF-8. Also returns the texts that are not.
fn parse_as_utf8(bytes: &[u8], nodes: usize, limits: &Limits) -> Result<(Collection, Vec<Vec<u8>>), FileError> {
    let mut others = Vec::new();
    let read = parse(bytes, nodes, limits, &mut |text| match std::str::from_utf8(text) {
        Ok(text) => text.to_owned(),
        Err(_) => {
            others.push(text.to_vec());
            String::new()
        }
    })?;
    Ok((read, others))
}

/// Parses the nodes from this byte on; `decode` decodes texts.
fn parse(
    bytes: &[u8],
    nodes: usize,
    limits: &Limits,
    decode: &mut dyn FnMut(&[u8]) -> String,
) -> Result<Collection, FileError> {
    let mut rest = Bytes { bytes, at: nodes };
    let mut game = GameTree::new(Game::RENJU, Place::Byte(nodes + 1));
    let mut left_out = Vec::new();
    // The nodes whose siblings follow, and the position of the next node.
    let (mut open, mut at) = (Vec::new(), 0);
    let mut plies = vec![0_usize];
    let mut first = true;
    let mut starts = 0;
    while rest.at < bytes.len() {
        let begun = rest.at;
        let place = Place::Byte(begun + 1);
        let [point, flags] = rest.pair()?;
        let extension = if flags & flag::EXTENSION != 0 { rest.pair()? } else { [0; 2] };
        let parent = at;
        let is_root = first && point == 0;
        let made = if is_root { None } else { Some(move_at(point, begun, plies[parent])?) };
        first = false;
        let comment = match (flags & flag::OLD_COMMENT != 0, flags & flag::COMMENT != 0) {
            (true, _) => rest.old_comment()?,
            (false, true) => decode(rest.text()?),
            (false, false) => String::new(),
        };
        let comment = comment.replace(BREAK, "\n").replace("\r\n", "\n");
        let text = if extension[1] & flag::BOARD_TEXT != 0 { Some(decode(rest.text()?)) } else { None };
        let is_marked = flags & flag::MARK != 0;
        if let Some(text) = text {
            let stone = made.as_ref().and_then(|made| point::judged(&made.judged)?.point());
            match stone {
                Some(stone) => {
                    let label = Property::text("LB", &text);
                    let value = format!("{}:{}", point::to_sgf(stone), label.values[0]);
                    if !game.property(parent, "LB").is_some_and(|known| known.values.contains(&value)) {
                        game.add_value(parent, "LB", value);
                    }
                }
                None => left_out.push(Note::left_out(place, FileRemark::TextOnNoPoint { text })),
            }
        }
        let made = made.filter(|_| flags & flag::NO_MOVE == 0);
        // A node that only carries a text is not part of the tree.
        let is_text_alone = made.is_none() && flags & flag::LAST != 0 && comment.is_empty() && !is_marked;
        if !is_root && !is_text_alone {
            let count = plies[parent] + usize::from(made.is_some());
            limits.check(place, game.nodes.len(), count)?;
            at = game.push(parent, made, place);
            plies.push(count);
        }
        if !comment.is_empty() {
            game.append_plain(at, "C", &comment);
        }
        if is_marked {
            game.nodes[at].properties.push(Property::text(MARK, "1"));
        }
        starts += usize::from(flags & flag::START != 0);
        if flags & flag::SIBLING != 0 {
            open.push(parent);
        }
        if flags & flag::LAST != 0 {
            match open.pop() {
                Some(parent) => at = parent,
                None if rest.at < bytes.len() => {
                    let remark = FileRemark::BytesAfterTree { bytes: bytes.len() - rest.at };
                    left_out.push(Note::left_out(Place::Byte(rest.at + 1), remark));
                    break;
                }
                None => {}
            }
        }
    }
    if starts > 0 {
        left_out.push(Note::left_out(Place::Byte(nodes + 1), FileRemark::OpeningMarks { count: starts }));
    }
    Ok(Collection { left_out, ..Collection::from_games(vec![game]) })
}

fn move_at(place: u8, byte: usize, plies: usize) -> Result<TreeMove, FileError> {
    let m = if place == 0 {
        Move::Pass
    } else {
        let stone = format!("{place:#04x}");
        let refused = || FileError::whole(FileProblem::LibPoint { byte: byte + 1, stone });
        Point::new(place / 16 + 1, place % 16).map(Move::Stone).ok_or_else(refused)?
    };
    Ok(TreeMove { side: Side::BOTH[plies % 2], judged: m.to_string() })
}

/// Writes games as one library: their trees are merged where their moves are the same. Also returns notes about content
/// that cannot be expressed.
///
/// # Errors
/// [`FileError`] when a game is not of renju from the empty board.
pub fn write(collection: &Collection) -> Result<(Vec<u8>, Vec<Note>), FileError> {
    let mut joined = Joined { nodes: vec![JoinedNode::default()], in_1252: true };
    let mut left_out = Vec::new();
    for game in &collection.games {
        if game.position.is_some() {
            return Err(FileError::at(game.place, FileProblem::LibStart));
        }
        joined.add(game, &mut left_out)?;
    }
    let mut bytes = joined.library();
    // Text that would be taken for another charset is written in UTF-8.
    let (_, others) = parse_as_utf8(&bytes, HEADER_BYTES, &Limits::FILE)?;
    if !others.is_empty() && Charsets::from_texts(&others) != Charsets::USUAL {
        joined.in_1252 = false;
        bytes = joined.library();
    }
    Ok((bytes, left_out))
}

#[derive(Default)]
struct JoinedNode {
    made: Option<Move>,
    /// True if it is not a move.
    is_text_alone: bool,
    children: Vec<usize>,
    comment: String,
    label: String,
    is_marked: bool,
}

struct Joined {
    nodes: Vec<JoinedNode>,
    /// True if its texts are in Windows-1252, as far as possible.
    in_1252: bool,
}

impl Joined {
    fn add(&mut self, game: &GameTree, left_out: &mut Vec<Note>) -> Result<(), FileError> {
        let mut places = vec![0; game.nodes.len()];
        for (number, node) in game.nodes.iter().enumerate() {
            let above = places[node.parent];
            let place = match &node.made {
                None => above,
                Some(made) => {
                    let refused = || FileError::at(node.place, FileProblem::NotRenju { judged: made.judged.clone() });
                    self.child(above, point::judged(&made.judged).ok_or_else(refused)?)
                }
            };
            places[number] = place;
            for property in &node.properties {
                match &*property.name {
                    "C" => {
                        let (comment, more) = (&mut self.nodes[place].comment, property.plain());
                        if !comment.is_empty() && *comment != more {
                            comment.push('\n');
                        }
                        if *comment != more {
                            comment.push_str(&more);
                        }
                    }
                    MARK => self.nodes[place].is_marked = true,
                    "LB" => {}
                    name => left_out.push(Note::property(node.place, name)),
                }
            }
        }
        // A text on a point belongs to the stone placed there next, or to a node of its own.
        for (number, node) in game.nodes.iter().enumerate() {
            for label in node.properties.iter().filter(|property| property.name == "LB").flat_map(|p| &p.values) {
                let (place, text) = label.split_once(':').unwrap_or((label, ""));
                let (text, at) = (unescaped(text), places[number]);
                let Some(stone) = point::of_sgf(place.trim()).filter(|_| !text.is_empty()) else {
                    left_out.push(Note::left_out(node.place, FileRemark::LabelOnNoPoint { label: label.clone() }));
                    continue;
                };
                let stone = Some(Move::Stone(stone));
                let child = self.nodes[at].children.iter().copied().find(|&child| self.nodes[child].made == stone);
                let child = child.unwrap_or_else(|| {
                    let number = self.nodes.len();
                    self.nodes.push(JoinedNode { made: stone, is_text_alone: true, ..JoinedNode::default() });
                    self.nodes[at].children.push(number);
                    number
                });
                let known = &mut self.nodes[child].label;
                if !known.is_empty() && *known != text {
                    let (label, known) = (label.clone(), known.clone());
                    left_out.push(Note::left_out(node.place, FileRemark::LabelTaken { label, known }));
                } else {
                    *known = text;
                }
            }
        }
        Ok(())
    }

    fn child(&mut self, above: usize, m: Move) -> usize {
        let known = self.nodes[above].children.iter().find(|&&child| self.nodes[child].made == Some(m));
        if let Some(&known) = known {
            // A text of another game has come first.
            self.nodes[known].is_text_alone = false;
            return known;
        }
        self.nodes.push(JoinedNode { made: Some(m), ..JoinedNode::default() });
        let number = self.nodes.len() - 1;
        self.nodes[above].children.push(number);
        number
    }

    fn library(&self) -> Vec<u8> {
        let mut bytes = [&MAGIC[..], &VERSION].concat();
        bytes.resize(HEADER_BYTES, 0xff);
        self.write(&mut bytes);
        bytes
    }

    /// Writes a text with its terminating zero: in Windows-1252, as `RenLib` shows it, if that has all its characters.
    fn write_text(&self, bytes: &mut Vec<u8>, text: &str) {
        let begun = bytes.len();
        match encoding_rs::WINDOWS_1252.encode(text) {
            // Text that is valid UTF-8 would be taken for it.
            (encoded, _, false) if text.is_ascii() || self.in_1252 && std::str::from_utf8(&encoded).is_err() => {
                bytes.extend(&*encoded);
            }
            _ => bytes.extend(text.as_bytes()),
        }
        bytes.push(0);
        if (bytes.len() - begun) % 2 == 1 {
            bytes.push(0);
        }
    }

    fn write(&self, bytes: &mut Vec<u8>) {
        // Nodes still to be written, and whether a sibling follows.
        let mut waiting = vec![(0, false)];
        while let Some((number, has_sibling)) = waiting.pop() {
            let node = &self.nodes[number];
            let place = match node.made {
                Some(Move::Stone(point)) => 16 * (point.row() - 1) + point.column(),
                Some(Move::Pass) | None => 0,
            };
            let mut flags = 0;
            let mut add = |condition: bool, flag: u8| flags |= if condition { flag } else { 0 };
            add(has_sibling, flag::SIBLING);
            add(node.children.is_empty() && number > 0, flag::LAST);
            add(node.is_text_alone, flag::NO_MOVE);
            add(node.is_marked, flag::MARK);
            add(!node.comment.is_empty(), flag::COMMENT);
            add(!node.label.is_empty(), flag::EXTENSION);
            bytes.extend([place, flags]);
            if !node.label.is_empty() {
                bytes.extend([0, flag::BOARD_TEXT]);
            }
            if !node.comment.is_empty() {
                let comment = without_controls(&node.comment);
                let comment = match comment.split_once('\n') {
                    Some((first, rest)) => format!("{first}{BREAK}{}", rest.replace('\n', "\r\n")),
                    None => comment,
                };
                self.write_text(bytes, &comment);
            }
            if !node.label.is_empty() {
                self.write_text(bytes, &without_controls(&node.label));
            }
            let last = node.children.len().wrapping_sub(1);
            waiting.extend(node.children.iter().enumerate().rev().map(|(at, &child)| (child, at != last)));
        }
    }
}

/// Removes characters that end the text or separate its title.
fn without_controls(text: &str) -> String {
    text.chars().map(|c| if c.is_control() && !matches!(c, '\n' | '\t') { ' ' } else { c }).collect()
}
