//! Reading the text or file that a visitor pastes or drops.

use std::collections::{BTreeMap, VecDeque};

use agon_analysis::board::{BoardQuestion, Refusal};
use agon_catalog::{Capability, Game};
use agon_game::text::without_bom;
use agon_message::{Reason, messages};
use agon_protocols::formats::opening::fold_opening;
use agon_protocols::formats::{
    self, FileError, FileFormat, FileProblem, FileRemark, GameTree, Limits, MAX_LINES, Note, Place, Property, TreeMove,
    point, positions, sgf,
};
use agon_rules::renju::Move;
use base64::Engine as _;
use base64::prelude::BASE64_STANDARD;
use serde::{Deserialize, Serialize};

use super::note::{MAX_MARKS, PlaceNote};

/// Maximum number of notes about omitted content in an answer.
const MAX_NOTES: usize = 100;

/// A file, or a text that may be games.
#[derive(Debug, Default, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct GameText {
    #[serde(default)]
    pub text: String,
    /// The bytes of a file in base 64, instead of a text.
    #[serde(default)]
    pub base64: Option<String>,
    /// The file's name: its ending says the format.
    #[serde(default)]
    pub name: Option<String>,
    /// The game that the text probably belongs to.
    #[serde(default)]
    pub game: Option<String>,
    /// Number of the requested game, from 1, if there are several.
    #[serde(default)]
    pub number: Option<usize>,
    /// True if all games are requested; the answer is then a list.
    #[serde(default)]
    pub all: bool,
    /// True if everything in the file is requested, not only the moves.
    #[serde(default)]
    pub details: bool,
}

/// A game that has been read.
#[derive(PartialEq, Eq, Debug, Default, Serialize)]
pub struct ReadGame {
    pub game: &'static str,
    pub position: Option<String>,
    pub parameters: BTreeMap<String, String>,
    pub seed: u64,
    pub moves: Vec<String>,
    /// Variations of these moves.
    pub variations: Vec<ReadVariation>,
    pub names: [String; 2],
    #[serde(flatten, skip_serializing_if = "Option::is_none")]
    pub details: Option<ReadDetails>,
}

/// Content of a file besides the moves of a game.
#[derive(PartialEq, Eq, Debug, Default, Serialize)]
pub struct ReadDetails {
    /// Number of the game in the file, from 1.
    pub number: usize,
    /// Properties of the game as a whole, by their SGF names, as plain text.
    pub header: BTreeMap<String, String>,
    /// Comments, marks and the like.
    pub notes: Vec<PlaceNote>,
    /// Content of the file that the answer omits.
    pub left_out: Vec<ReadRemark>,
    /// Remarks for the reader, such as a move that loses because it is forbidden.
    pub remarks: Vec<ReadRemark>,
    /// All moves of a game of renju, line after line.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub rows: Vec<ReadMove>,
}

/// A move of a tree: the number of the move before it, from 1, 0 for the first; the move as the judge and as people
/// write it; who has made it, 0 or 1.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct ReadMove(pub usize, pub String, pub String, pub usize);

/// A remark about a place of the file.
#[derive(PartialEq, Eq, Debug, Serialize)]
pub struct ReadRemark {
    #[serde(flatten)]
    pub place: ReadPlace,
    /// The remark in English, until it is translated.
    pub text: String,
    #[serde(skip)]
    pub remark: FileRemark,
}

/// A place of a file, from 1.
#[derive(PartialEq, Eq, Debug, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum ReadPlace {
    Line(usize),
    Byte(usize),
}

impl ReadRemark {
    fn new(place: Place, remark: FileRemark) -> Self {
        let place = match place {
            Place::Line(line) => ReadPlace::Line(line),
            Place::Byte(byte) => ReadPlace::Byte(byte),
        };
        Self { place, text: remark.to_string(), remark }
    }
}

/// A variation: the moves it adds to the line before it.
#[derive(PartialEq, Eq, Debug, Serialize)]
pub struct ReadVariation {
    /// Number of moves shared with the line before it, which is the main line or the previous variation.
    pub shared: usize,
    /// The moves that follow them.
    pub moves: Vec<String>,
}

/// The answer: one game, or all games of a file.
#[derive(PartialEq, Eq, Debug, Serialize)]
#[serde(untagged)]
pub enum ReadGames {
    One(Box<ReadGame>),
    All {
        games: Vec<ReadGame>,
        /// Games that cannot be read, and other omitted content.
        left_out: Vec<ReadRemark>,
    },
}

impl ReadGames {
    /// Remarks about the games, to be translated.
    pub fn remarks(&mut self) -> impl Iterator<Item = &mut ReadRemark> {
        let (games, whole) = match self {
            Self::One(game) => (std::slice::from_mut(&mut **game), None),
            Self::All { games, left_out } => (games.as_mut_slice(), Some(left_out)),
        };
        let details = games.iter_mut().filter_map(|game| game.details.as_mut());
        let said_of = details.flat_map(|details| [&mut details.left_out, &mut details.remarks]);
        said_of.chain(whole).flatten()
    }
}

messages! {
    /// Reason why a text is not a game.
    #[derive(Clone, PartialEq, Eq)]
    pub enum ReadProblem {
        Empty = "nothing to read; paste a record, SGF, .psq, a position or moves",
        Base64 { problem: String } = "invalid `base64`: {problem}",
        NoSuchGame { number: usize, count: usize } = "no game {number}; the file has {count}",
        SeveralGames { count: usize } = "the text has {count} games; paste one of them",
        NoGame = "the file has no game",
        Unknown = "this is not a record, SGF, .psq, a position or a line of moves",
        NotMoves { why: Reason } = "this is not a record, SGF, .psq, a position or a line of moves ({why})",
    }
}

impl GameText {
    /// Reads games in any format: records, SGF, `.psq`, `.pos`, `.lib`, RIF's database, positions, or moves.
    ///
    /// # Errors
    /// [`Refusal`] with the problem and its place.
    pub fn read(&self, limits: &Limits) -> Result<ReadGames, Refusal> {
        understood(self, limits)
    }
}

fn understood(asked: &GameText, limits: &Limits) -> Result<ReadGames, Refusal> {
    let usual = asked.game.as_deref().and_then(Game::by_name);
    let bytes = match &asked.base64 {
        Some(text) => BASE64_STANDARD
            .decode(text)
            .map_err(|error| Refusal::from_message(ReadProblem::Base64 { problem: error.to_string() }))?,
        None => without_bom(asked.text.trim_start()).trim().as_bytes().to_vec(),
    };
    if bytes.is_empty() {
        return Err(Refusal::from_message(ReadProblem::Empty));
    }
    let ending = asked.name.as_deref().and_then(|name| name.rsplit_once('.')).map(|(_, ending)| ending);
    let named = ending.and_then(|ending| FileFormat::by_ending(&ending.to_ascii_lowercase()));
    let format = named.filter(|_| asked.base64.is_some()).unwrap_or_else(|| FileFormat::of_content(&bytes));
    let text = String::from_utf8_lossy(&bytes);
    let collection = match formats::read_of_any(&bytes, format, usual, None, limits) {
        Ok(collection) => collection,
        Err(error) if format == FileFormat::Text => {
            let has_place = error.place.is_some();
            return line_of_moves(&text, usual, Refusal::from_message(error), has_place).map(one);
        }
        Err(error) => return Err(Refusal::from_message(error)),
    };
    let count = collection.count();
    if asked.all {
        let (mut left_out, said): (Vec<Note>, Vec<Note>) =
            collection.left_out.into_iter().partition(|note| note.is_left_out);
        for (number, error) in &collection.refused {
            let remark = FileRemark::Game { number: *number, problem: error.problem.clone() };
            left_out.push(Note::left_out(error.place.unwrap_or_default(), remark));
        }
        let mut games = Vec::new();
        let mut marks = MAX_MARKS.max(limits.lines);
        let mut waiting: VecDeque<GameTree> = collection.games.into();
        while let Some(game) = waiting.pop_front() {
            let (number, place) = (game.number, game.place);
            match answer(game, true, limits.lines, &mut marks) {
                Ok((game, further)) => {
                    // A file that only sets up positions has no game at the start.
                    let is_noted = game.details.as_ref().is_some_and(|details| !details.notes.is_empty());
                    let is_bare = !further.is_empty() && game.moves.is_empty() && game.position.is_none() && !is_noted;
                    if !is_bare {
                        games.push(game);
                    }
                    let room = limits.games.saturating_sub(games.len() + waiting.len());
                    further.into_iter().take(room).rev().for_each(|tree| waiting.push_front(tree));
                }
                Err(error) => {
                    let remark = FileRemark::Game { number, problem: error.problem };
                    left_out.push(Note::left_out(error.place.unwrap_or(place), remark));
                }
            }
        }
        // A line that is invalid in the default game may be valid in another.
        if games.is_empty()
            && format == FileFormat::Text
            && let Ok(read) = line_of_moves(&text, usual, Refusal::from_message(ReadProblem::Empty), false)
        {
            return Ok(ReadGames::All { games: vec![read], left_out: Vec::new() });
        }
        // Remarks about the file are attached to its first game.
        if let Some(details) = games.first_mut().and_then(|game| game.details.as_mut()) {
            details.remarks.splice(0..0, remarks(&said));
        }
        return Ok(ReadGames::All { games, left_out: remarks(&left_out) });
    }
    let number = match asked.number {
        Some(number) if number == 0 || number > count => {
            return Err(Refusal::from_message(ReadProblem::NoSuchGame { number, count }));
        }
        Some(number) => number,
        None if count > 1 => return Err(Refusal::from_message(ReadProblem::SeveralGames { count })),
        None => 1,
    };
    if let Some((_, error)) = collection.refused.iter().find(|(refused, _)| *refused == number) {
        return Err(Refusal::from_message(error.clone()));
    }
    let game = collection.games.into_iter().find(|game| game.number == number);
    let game = game.ok_or_else(|| Refusal::from_message(ReadProblem::NoGame))?;
    let mut read = match answer(game, asked.details, MAX_LINES, &mut MAX_MARKS.clone()) {
        // A line that is not one of the usual game may be one of another.
        Err(error) if format == FileFormat::Text => {
            return line_of_moves(&text, usual, Refusal::from_message(error), false).map(one);
        }
        read => read.map_err(Refusal::from_message)?.0,
    };
    if let Some(details) = &mut read.details {
        let (left_out, said): (Vec<Note>, Vec<Note>) =
            collection.left_out.into_iter().partition(|note| note.is_left_out);
        details.left_out.extend(remarks(&left_out));
        details.remarks.splice(0..0, remarks(&said));
    }
    Ok(one(read))
}

fn one(game: ReadGame) -> ReadGames {
    ReadGames::One(Box::new(game))
}

fn remarks(notes: &[Note]) -> Vec<ReadRemark> {
    let mut remarks: Vec<ReadRemark> =
        notes.iter().take(MAX_NOTES).map(|note| ReadRemark::new(note.place, note.text.clone())).collect();
    if let Some(more) = notes.len().checked_sub(MAX_NOTES + 1) {
        remarks.push(ReadRemark::new(notes[MAX_NOTES].place, FileRemark::More { count: more + 1 }));
    }
    remarks
}

/// A game as it is sent, played by the rules.
///
/// Stones that are set up within it begin further games, which are returned, too.
fn answer(
    mut tree: GameTree,
    with_details: bool,
    max_lines: usize,
    marks: &mut usize,
) -> Result<(ReadGame, Vec<GameTree>), FileError> {
    // Whoever looks at a whole file wants everything playable; whoever asks for the moves wants them complete.
    let checked = if with_details { tree.check_what_is_legal() } else { tree.check() };
    let mut notes = checked?;
    if !with_details {
        fold_opening(&mut tree);
    }
    let (further, split) = tree.split_setups();
    notes.extend(split);
    notes.extend(without_lost_stones(&mut tree));
    let lines = tree.lines();
    if lines.len() > max_lines {
        return Err(FileError::whole(FileProblem::TooManyVariations { limit: max_lines }));
    }
    let judged = |nodes: &[usize]| -> Vec<String> {
        nodes.iter().filter_map(|&node| Some(tree.nodes[node].made.as_ref()?.judged.clone())).collect()
    };
    let mut moves = Vec::new();
    let mut variations = Vec::new();
    // Of a library its rows say all of this shorter.
    let shown = if lines.len() > MAX_LINES { 1 } else { lines.len() };
    for (number, line) in lines[..shown].iter().enumerate() {
        match number {
            0 => moves = judged(&line.nodes),
            _ => variations.push(ReadVariation { shared: line.shared, moves: judged(&line.nodes) }),
        }
    }
    let details = with_details.then(|| {
        let (left_out, said): (Vec<Note>, Vec<Note>) = notes.into_iter().partition(|note| note.is_left_out);
        let header = tree.header().iter().filter(|property| is_header(property));
        let header = header.map(|property| (property.name.clone(), property.plain())).collect();
        let places = place_notes(&tree, marks);
        ReadDetails {
            number: tree.number,
            header,
            notes: places,
            left_out: remarks(&left_out),
            remarks: remarks(&said),
            rows: rows(&tree),
        }
    });
    let game = ReadGame {
        game: tree.game.name(),
        position: tree.position.clone(),
        parameters: tree.parameters.clone(),
        seed: tree.seed,
        moves,
        variations,
        names: tree.names(),
        details,
    };
    Ok((game, further))
}

/// Returns true if a property of the root describes the game. All others belong to its first position, or are kept
/// there with all their values.
fn is_header(property: &Property) -> bool {
    let has_one = property.values.len() == 1 && !property.plain().is_empty();
    sgf::is_game_info(&property.name) && (has_one || matches!(&*property.name, "PB" | "PW" | "RE"))
}

/// Removes the stones by which Black has lost, because boards accept only legal moves; the remarks mention them.
fn without_lost_stones(tree: &mut GameTree) -> Vec<Note> {
    let lost = tree.nodes.iter().filter(|node| node.is_lost);
    let notes = lost.map(|node| Note::left_out(node.place, FileRemark::LostStone)).collect();
    tree.remove(tree.nodes.iter().map(|node| node.is_lost).collect());
    notes
}

/// The moves of a tree of renju.
fn rows(tree: &GameTree) -> Vec<ReadMove> {
    if !tree.game.can(Capability::GameFiles) {
        return Vec::new();
    }
    let mut places = vec![0; tree.nodes.len()];
    let mut rows = Vec::new();
    for (number, node) in tree.nodes.iter().enumerate() {
        let parent = places[node.parent];
        places[number] = parent;
        if let Some(TreeMove { side, judged }) = &node.made {
            let letters = point::judged(judged).map_or_else(|| judged.clone(), Move::letters);
            rows.push(ReadMove(parent, judged.clone(), letters, side.index()));
            places[number] = rows.len();
        }
    }
    rows
}

/// What stands at the places of a game. A node without a move belongs to the place of the node before it.
fn place_notes(tree: &GameTree, marks: &mut usize) -> Vec<PlaceNote> {
    let mut notes: Vec<PlaceNote> = Vec::new();
    let mut places = vec![0; tree.nodes.len()];
    let mut moves = 0;
    for (number, node) in tree.nodes.iter().enumerate() {
        if node.made.is_some() {
            moves += 1;
            places[number] = moves;
        } else {
            places[number] = places[node.parent];
        }
        let at = places[number];
        let mut node = node.clone();
        if number == 0 {
            node.properties.retain(|property| !is_header(property));
        }
        let known = if node.made.is_none() { notes.iter_mut().rev().find(|note| note.at == at) } else { None };
        match known {
            Some(note) => note.add(&node, marks),
            None => {
                let mut note = PlaceNote { at, ..PlaceNote::default() };
                note.add(&node, marks);
                if !note.is_empty() {
                    notes.push(note);
                }
            }
        }
    }
    notes
}

/// A line of moves in the judge's notation, or of another game than renju.
///
/// # Errors
/// Returns `refused`, the parser's error, if it names a place; otherwise the error of the rules.
fn line_of_moves(text: &str, usual: Option<Game>, refused: Refusal, has_place: bool) -> Result<ReadGame, Refusal> {
    let text = without_bom(text.trim_start()).trim();
    if text.is_empty() {
        return Err(refused);
    }
    let mut why = None;
    let moves = split(text);
    for game in usual.into_iter().chain(Game::all()).filter(|game| game.has_turns() && !game.is_program()) {
        let question = BoardQuestion { game: game.name().to_owned(), moves: moves.clone(), ..BoardQuestion::default() };
        match question.play() {
            Ok(played) => {
                let moves = played.moves.into_iter().map(|made| made.judged).collect();
                return Ok(ReadGame { game: game.name(), moves, ..ReadGame::default() });
            }
            // The game whose rules accept most of it is the intended one.
            Err(error) if why.as_ref().is_none_or(|why: &Refusal| error.at > why.at) => why = Some(error),
            Err(_) => {}
        }
    }
    // The parser reports the error and its place; for a line of moves, the rules do.
    if has_place || positions::is_weights(text) || text.starts_with('{') {
        return Err(refused);
    }
    Err(Refusal::from_message(match why {
        Some(error) => ReadProblem::NotMoves { why: error.reason },
        None => ReadProblem::Unknown,
    }))
}

/// The moves of a text: `H8 H9`, `8 8/7 8`, or one move per line.
fn split(text: &str) -> Vec<String> {
    let separated = text.contains(['/', '\n', ',']);
    let parts: Vec<&str> =
        if separated { text.split(['/', '\n', ',']).collect() } else { text.split_whitespace().collect() };
    parts.into_iter().map(str::trim).filter(|part| !part.is_empty()).map(str::to_owned).collect()
}
