//! Files of games: one reader and one writer for each format, all of the same trees ([`tree`]).
//!
//! docs/positions.md has a table of what each format preserves. [`GameTree::check`] checks the moves against the rules;
//! the readers only parse the text.

pub mod charset;
pub mod check;
pub mod error;
pub mod opening;
pub mod pgn;
pub mod point;
pub mod pos;
pub mod positions;
pub mod psq;
#[cfg(not(target_family = "wasm"))]
pub mod record;
pub mod renlib;
pub mod result;
pub mod rif;
pub mod sav;
pub mod sgf;
pub mod text;
pub mod tree;

use agon_catalog::Game;
use agon_game::text::without_bom;
use agon_rules::renju::Point;

pub use charset::Charset;
pub use error::{FileError, FileProblem, Limits, MAX_LINE_MOVES, MAX_LINES, MAX_MOVES, Place};
pub use tree::{Collection, FileRemark, GameTree, Note, Property, TreeLine, TreeMove, TreeNode};

/// A format of files of games.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum FileFormat {
    /// Agon's records.
    Record,
    Sgf,
    Psq,
    Pos,
    /// Yixin-Board's saved positions.
    Sav,
    /// `RenLib`'s libraries.
    Lib,
    /// The database of the Renju International Federation.
    Rif,
    /// Moves, positions or weights: the content says which.
    Text,
}

impl FileFormat {
    /// File extensions, and whether Agon also writes the format.
    pub const ENDINGS: [(&str, Self, bool); 13] = [
        ("jsonl", Self::Record, false),
        ("sgf", Self::Sgf, true),
        ("psq", Self::Psq, true),
        ("pos", Self::Pos, true),
        ("sav", Self::Sav, true),
        ("lib", Self::Lib, true),
        ("rif", Self::Rif, false),
        ("xml", Self::Rif, false),
        ("txt", Self::Text, true),
        ("pgn", Self::Text, true),
        ("fen", Self::Text, true),
        ("epd", Self::Text, false),
        ("json", Self::Text, false),
    ];

    /// The format that an ending in small letters names.
    pub fn by_ending(ending: &str) -> Option<Self> {
        Self::ENDINGS.iter().find(|(known, ..)| *known == ending).map(|&(_, format, _)| format)
    }

    /// The format of a content.
    pub fn of_content(bytes: &[u8]) -> Self {
        if bytes.starts_with(&renlib::MAGIC) || renlib::is_without_header(bytes) {
            return Self::Lib;
        }
        let stones = bytes.split_first().map(|(&count, stones)| usize::from(count) == stones.len());
        if std::str::from_utf8(bytes).is_err() && stones == Some(true) {
            return Self::Pos;
        }
        let text = charset::decoded(bytes, None, None).text;
        let text = without_bom(text.trim_start()).trim_start();
        if text.starts_with("{\"record\"") {
            Self::Record
        } else if text.starts_with("Piskvorky") {
            Self::Psq
        } else if text.starts_with('<') {
            Self::Rif
        } else if text.match_indices('(').any(|(at, _)| text[at + 1..].trim_start().starts_with(';')) {
            Self::Sgf
        } else if stones == Some(true) && bytes.iter().any(|byte| *byte < 32 && !b"\t\n\r".contains(byte)) {
            Self::Pos
        } else if sav::is_saved(text) {
            Self::Sav
        } else {
            Self::Text
        }
    }
}

/// Reads a file. Moves of a text are of `usual`, or else of the game that has them.
///
/// # Errors
/// [`FileError`] with the problem and its line.
pub fn read(bytes: &[u8], format: FileFormat, usual: Option<Game>, limits: &Limits) -> Result<Collection, FileError> {
    read_in(bytes, format, usual, None, limits)
}

/// Reads a file like [`read`], in this charset, if one is given.
///
/// # Errors
/// [`FileError`] with the problem and its line.
pub fn read_in(
    bytes: &[u8],
    format: FileFormat,
    usual: Option<Game>,
    asked: Option<Charset>,
    limits: &Limits,
) -> Result<Collection, FileError> {
    match format {
        FileFormat::Pos => return pos::read(bytes).map(opening::with_rules),
        FileFormat::Lib => return renlib::read(bytes, asked, limits).map(opening::with_rules),
        _ => {}
    }
    let (text, notes) = match format {
        FileFormat::Sgf => sgf::decoded(bytes, asked),
        format => {
            let stated = rif::charset(bytes).filter(|_| format == FileFormat::Rif);
            let charset::Decoded { text, note } = charset::decoded(bytes, stated.as_deref(), asked);
            (text, note.into_iter().collect())
        }
    };
    let text = without_bom(&text);
    let mut collection = match format {
        FileFormat::Sgf => sgf::read(text, limits),
        #[cfg(not(target_family = "wasm"))]
        FileFormat::Record => record::read(text, limits),
        #[cfg(target_family = "wasm")]
        FileFormat::Record => Err(FileError::whole(FileProblem::RecordNeedsServer)),
        FileFormat::Psq => psq::read(text, limits),
        FileFormat::Sav => sav::read(text, limits),
        FileFormat::Rif => rif::read(text, limits),
        _ => read_text(text, usual, limits),
    }?;
    collection.left_out.splice(0..0, notes);
    // A line of moves may be one of another game.
    Ok(if format == FileFormat::Text { collection } else { opening::with_rules(collection) })
}

/// A longer text is parsed as one game only: untrusted input is not parsed once per game.
const MAX_TRIED_BYTES: usize = 64 << 10;

/// Reads a file as [`read`] does; a text whose first game the rules refuse is read as one of another game, if they
/// allow it there, or allow more of its moves.
///
/// # Errors
/// [`FileError`], as [`read`] has it.
pub fn read_of_any(
    bytes: &[u8],
    format: FileFormat,
    usual: Option<Game>,
    asked: Option<Charset>,
    limits: &Limits,
) -> Result<Collection, FileError> {
    let first = read_in(bytes, format, usual, asked, limits);
    if format != FileFormat::Text || bytes.len() > MAX_TRIED_BYTES {
        return first;
    }
    let mut most = first.as_ref().map_or(0, legal_moves);
    let mut best = first;
    for game in Game::all().into_iter().filter(|game| game.has_turns() && !game.is_program()) {
        if most == usize::MAX {
            break;
        }
        if let Ok(other) = read_in(bytes, format, Some(game), asked, limits) {
            let count = legal_moves(&other);
            if count > most {
                (most, best) = (count, Ok(other));
            }
        }
    }
    // Moves that the rules of no game allow are those of renju from any first stones.
    if most == usize::MAX { best } else { best.map(opening::with_rules) }
}

/// Returns the number of moves in the first game that the rules allow; the maximum if they allow its whole main line.
fn legal_moves(all: &Collection) -> usize {
    let Some(game) = all.games.first() else { return 0 };
    if game.clone().check().is_ok() {
        return usize::MAX;
    }
    let mut game = game.clone();
    game.check_what_is_legal().map_or(0, |_| game.nodes.iter().filter(|node| node.made.is_some()).count())
}

/// Reads a text: weights, positions, or moves.
fn read_text(text: &str, usual: Option<Game>, limits: &Limits) -> Result<Collection, FileError> {
    if positions::is_weights(text) {
        return positions::of_weights(text);
    }
    let first = text.lines().map(str::trim).find(|line| !line.is_empty() && !line.starts_with(['#', '%']));
    let first = first.unwrap_or_default();
    let has_strokes = |word: &&str| word.contains('/') && pgn::result_at(word).is_none();
    let rows = first.split_ascii_whitespace().find(has_strokes).unwrap_or_default();
    // Points may also be separated by slashes.
    let has_rows = rows.matches('/').count() > 1
        && !rows.contains("://")
        && !rows.split('/').all(|row| Point::from_letters(row).is_ok());
    // A header FEN has rows as well.
    let is_position = first.starts_with('{') || first.starts_with("position ") || has_rows && !first.starts_with('[');
    if is_position || first.starts_with("startpos") {
        return positions::read(text, usual, limits);
    }
    text::read(text, usual.unwrap_or(Game::RENJU), limits)
}

/// Returns the bytes of a file, with notes about content that cannot be expressed.
///
/// # Errors
/// [`FileError`] when the format cannot hold the games.
pub fn write(collection: &Collection, ending: &str) -> Result<(Vec<u8>, Vec<Note>), FileError> {
    let one = || match &collection.games[..] {
        [game] => Ok(game),
        games => Err(FileError::whole(FileProblem::OneGame { games: games.len(), ending: ending.to_owned() })),
    };
    let without_start = |game: &GameTree| match &game.position {
        Some(_) => Err(FileError::whole(FileProblem::NoStart { ending: ending.to_owned() })),
        None => Ok(()),
    };
    match ending {
        "sgf" => Ok((sgf::write(collection)?.into_bytes(), Vec::new())),
        "lib" => renlib::write(collection),
        "fen" => Ok((positions::write(collection)?.into_bytes(), unsaid(collection, &[]))),
        "pgn" => {
            let (text, left_out) = pgn::write(collection)?;
            Ok((text.into_bytes(), left_out))
        }
        "psq" => {
            without_start(one()?)?;
            let (text, mut notes) = psq::write(one()?)?;
            notes.extend(unsaid(collection, &["PB", "PW", psq::MOVE_TIME]));
            Ok((text.into_bytes(), notes))
        }
        "sav" => {
            without_start(one()?)?;
            Ok((sav::write(one()?)?.into_bytes(), unsaid(collection, &[])))
        }
        "pos" => {
            without_start(one()?)?;
            Ok((pos::write(one()?)?, unsaid(collection, &[])))
        }
        "txt" => {
            without_start(one()?)?;
            Ok((text::write(one()?)?.into_bytes(), unsaid(collection, &[])))
        }
        other => Err(FileError::whole(FileProblem::Ending { ending: other.to_owned() })),
    }
}

/// Returns notes about the content that a format with a main line and these properties omits: variations, and other
/// properties by name.
fn unsaid(collection: &Collection, said: &[&str]) -> Vec<Note> {
    let mut notes = Vec::new();
    for game in &collection.games {
        let variations = game.lines().len() - 1;
        if variations > 0 {
            let count = variations;
            let remark = if count == 1 { FileRemark::Variation } else { FileRemark::Variations { count } };
            notes.push(Note::left_out(game.place, remark));
        }
        let is_shown = game.result().is_some_and(|(outcome, _)| game.outcome_of_moves() == Some(outcome));
        for (number, node) in game.nodes.iter().enumerate() {
            let dropped = node.properties.iter().filter(|property| !said.contains(&&*property.name));
            // A result that the moves show is not lost, nor are a program's settings for drawing the tree.
            let is_plain = |property: &&Property| matches!(&*property.plain(), "B+" | "W+" | "Draw");
            let dropped = dropped.filter(|property| match &*property.name {
                "RE" => !is_plain(property) || !is_shown,
                "ST" => number > 0,
                _ => true,
            });
            notes.extend(dropped.map(|p| Note::property(node.place, &p.name)));
        }
    }
    notes
}
