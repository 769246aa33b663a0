//! Files of openings, in the formats of other arenas.
//!
//! An opening is a line of the file, or a line of play of an SGF collection:
//!
//! - a position, as FEN or EPD, in games that can begin at any (`x5o/7/7/7/7/7/o5x x 0 1; id "start";`);
//! - moves in turn from the start, as people or the judge write them: `H8 H9 I9`, `8 8/7 8/7 9`, `a7b6 g7e5`;
//! - renju: offsets from the centre, column first, as Gomocup has them (`0,0, 0,-1, 1,1`), and points without blanks
//!   between them, rows counted from the top, as c-gomoku-cli has them (`h8h9i9`);
//! - renju: SGF, every line of every game;
//! - a board, in games whose start is drawn: its rows of numbers from the top with `/` between them.
//!
//! Blank lines, and lines that begin with `#`, are passed over. Everything else is an opening or an error.

use std::collections::{BTreeMap, HashSet};
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::LazyLock;

use agon_catalog::{Capability, Game, OPENING, POSITION, Setup};
use agon_game::hash::hex;
use agon_game::seed::Stream;
use agon_game::text::without_bom;
use agon_protocols::formats::{self, FileError, FileProblem, Limits, Place};
use agon_referee::record::OpeningNote;
use agon_rules::renju::{Move, Point, SIZE};
use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};

/// The largest file of openings, in bytes.
pub const MAX_FILE_BYTES: usize = 64 << 20;

/// In which order the openings of a file are played.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum OpeningOrder {
    /// In the order of the file.
    #[default]
    Sequential,
    /// Drawn from the seed of the series, none twice before all were played.
    Random,
}

/// Which openings of a file are played, and in which order.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct OpeningChoice {
    pub order: OpeningOrder,
    /// The first one in the order of playing, from 1; those before it come after the last.
    pub start: Option<u32>,
    /// The plies after which openings are cut; openings that are then alike are one.
    pub max_plies: Option<u32>,
}

/// One opening of a file.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub struct FileOpening {
    /// The line number in the file, from 1.
    pub line: u32,
    /// Its name: EPD's `id` or SGF's GN; empty if it has none.
    #[serde(skip_serializing_if = "String::is_empty", default)]
    pub name: String,
    /// The starting position of the game, in its own notation; empty for the usual start.
    #[serde(skip_serializing_if = "String::is_empty", default)]
    pub position: String,
    /// The board on which the game begins, in the form of the game's parameter; empty for the usual one.
    #[serde(skip_serializing_if = "String::is_empty", default)]
    pub board: String,
    /// The moves from there, in the form of the game's parameter; empty for none.
    #[serde(skip_serializing_if = "String::is_empty", default)]
    pub moves: String,
}

/// The openings that a plan plays, from a file.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct OpeningFile {
    /// The name of the file, without folders.
    pub name: String,
    /// The SHA-256 of its contents.
    pub sha256: String,
    pub order: OpeningOrder,
    /// The number of the first one played in that order, from 1, if it is not the first.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub start: Option<u32>,
    /// The number of plies they are cut to, if that shortens any of them.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub max_plies: Option<u32>,
    /// How many different ones there are.
    pub count: u32,
    /// The openings that the plan plays, in order.
    pub openings: Vec<FileOpening>,
}

/// A file from which no openings can be read.
#[derive(Debug, thiserror::Error)]
pub enum OpeningFileError {
    #[error("cannot read `{}`: {source}", path.display())]
    Unreadable { path: PathBuf, source: std::io::Error },
    #[error("`{}` has more than {} MiB", path.display(), MAX_FILE_BYTES >> 20)]
    Large { path: PathBuf },
    #[error("`{}` is no text in UTF-8", path.display())]
    Encoding { path: PathBuf },
    #[error("`{}` has no opening", path.display())]
    Empty { path: PathBuf },
    #[error("`{}` has {}: the first one played cannot be number {start}", path.display(), counted(*count))]
    Start { path: PathBuf, start: u32, count: u32 },
    #[error("`{}` has positions without moves: there are no plies to cut", path.display())]
    Positions { path: PathBuf },
    #[error("`{}`, line {line}: {problem}", path.display())]
    Line { path: PathBuf, line: u32, problem: String },
}

impl OpeningFile {
    /// Reads the chosen openings of a file, of a game with these parameters; the seed decides a random order.
    ///
    /// # Errors
    /// [`OpeningFileError`] names the first line that is not an opening.
    pub fn read(
        path: &Path,
        game: Game,
        parameters: &BTreeMap<String, String>,
        choice: OpeningChoice,
        seed: u64,
    ) -> Result<Self, OpeningFileError> {
        let here = || path.to_owned();
        let bytes = fs::read(path).map_err(|source| OpeningFileError::Unreadable { path: here(), source })?;
        if bytes.len() > MAX_FILE_BYTES {
            return Err(OpeningFileError::Large { path: here() });
        }
        let text = std::str::from_utf8(&bytes).map_err(|_| OpeningFileError::Encoding { path: here() })?;
        let text = without_bom(text);
        let is_sgf = path.extension().is_some_and(|extension| extension.eq_ignore_ascii_case("sgf"));
        let refused = |(line, problem)| OpeningFileError::Line { path: here(), line, problem };
        let mut openings = if is_sgf { of_sgf(game, text) } else { of_lines(game, text) }.map_err(refused)?;
        if openings.is_empty() {
            return Err(OpeningFileError::Empty { path: here() });
        }
        let OpeningChoice { order, start, max_plies } = choice;
        let max_plies = match max_plies {
            Some(_) if openings.iter().all(|opening| opening.moves.is_empty()) => {
                return Err(OpeningFileError::Positions { path: here() });
            }
            plies => plies.filter(|&plies| cut(&mut openings, plies)),
        };
        for opening in &openings {
            opening.check(game, parameters).map_err(|problem| refused((opening.line, problem)))?;
        }
        if order == OpeningOrder::Random {
            shuffle(&mut openings, seed);
        }
        let (count, start) = (openings.len() as u32, start.filter(|&start| start > 1));
        match start {
            Some(start) if start > count => return Err(OpeningFileError::Start { path: here(), start, count }),
            Some(start) => openings.rotate_left(start as usize - 1),
            None => {}
        }
        let name = path.file_name().map_or_else(|| path.display().to_string(), |name| name.to_string_lossy().into());
        Ok(Self { name, sha256: hex(&Sha256::digest(&bytes)), order, start, max_plies, count, openings })
    }

    /// The balanced openings of a game in an order drawn from the seed; `None` if there are none, or they do not fit
    /// the parameters of the game.
    pub fn balanced(game: Game, parameters: &BTreeMap<String, String>, seed: u64) -> Option<Self> {
        let first = balanced(game).first()?;
        let given = [POSITION.name, OPENING.name, BOARD].iter().any(|name| parameters.contains_key(*name));
        if given || first.check(game, parameters).is_err() {
            return None;
        }
        let mut openings = balanced(game).to_vec();
        shuffle(&mut openings, seed);
        Some(Self {
            name: format!("{}-balanced.txt", game.name()),
            sha256: hex(&Sha256::digest(game.openings.balanced)),
            order: OpeningOrder::Random,
            start: None,
            max_plies: None,
            count: openings.len() as u32,
            openings,
        })
    }

    /// What distinguishes it from other files: the digest of its contents identifies the openings.
    pub fn bare(&self) -> Self {
        Self { name: String::new(), openings: Vec::new(), ..self.clone() }
    }

    /// Keeps only the openings that this many pairs of a pairing need.
    pub fn keep(&mut self, pairs: u64) {
        self.openings.truncate(usize::try_from(pairs).unwrap_or(usize::MAX).max(1));
    }

    /// The largest number of times that an opening is played in these pairs of a pairing, and how many are left over.
    pub fn used_by(&self, pairs: u64) -> (u64, u64) {
        let count = u64::from(self.count.max(1));
        (pairs.div_ceil(count), count.saturating_sub(pairs))
    }

    /// The opening with this number, from 0; after the last one, the first comes again.
    pub fn opening(&self, number: u64) -> Option<&FileOpening> {
        let count = self.openings.len() as u64;
        self.openings.get(usize::try_from(number.checked_rem(count)?).ok()?)
    }
}

/// The balanced openings of a game, in the order of the file; empty if there is no file.
pub fn balanced(game: Game) -> &'static [FileOpening] {
    static BALANCED: LazyLock<BTreeMap<&'static str, Vec<FileOpening>>> = LazyLock::new(|| {
        let with_file = Game::all().into_iter().filter(|game| !game.openings.balanced.is_empty());
        with_file.map(|game| (game.name(), of_lines(game, game.openings.balanced).unwrap_or_default())).collect()
    });
    BALANCED.get(game.name()).map_or(&[], Vec::as_slice)
}

/// Whether the games of a competition start from balanced openings unless its host wants others. Where boards are
/// drawn, games differ anyway, and there are more boards than openings in any file.
pub fn is_usually_balanced(game: Game) -> bool {
    !game.is_seeded() && !balanced(game).is_empty()
}

/// Shuffles openings by a seed.
fn shuffle(openings: &mut [FileOpening], seed: u64) {
    let mut stream = Stream::new(seed, "opening order");
    for at in (1..openings.len()).rev() {
        openings.swap(at, stream.below(at + 1));
    }
}

/// The parameter for a given board, in games whose start is drawn.
const BOARD: &str = "board";

impl FileOpening {
    /// Whether a program must read OPENING or POSITION lines to start from it; a board is sent to every program.
    pub const fn is_read(&self) -> bool {
        !self.moves.is_empty() || !self.position.is_empty()
    }

    /// Adds it to the parameters of a game.
    pub fn apply(&self, parameters: &mut BTreeMap<String, String>) {
        let parts = [(POSITION.name, &self.position), (BOARD, &self.board), (OPENING.name, &self.moves)];
        for (name, value) in parts {
            if !value.is_empty() {
                parameters.insert(name.to_owned(), value.clone());
            }
        }
    }

    /// Its source, for a record.
    pub fn note(&self, file: &str) -> OpeningNote {
        OpeningNote { file: file.to_owned(), line: self.line, name: self.name.clone() }
    }

    /// Whether a game can start this way.
    fn check(&self, game: Game, parameters: &BTreeMap<String, String>) -> Result<(), String> {
        let mut setup = Setup { seed: 1, parameters: parameters.clone() };
        self.apply(&mut setup.parameters);
        let state = game.initial_state(&setup).map_err(|error| error.to_string())?;
        if state.turn().is_some() { Ok(()) } else { Err("the game is over after it".to_owned()) }
    }
}

fn counted(openings: u32) -> String {
    format!("{openings} opening{}", if openings == 1 { "" } else { "s" })
}

/// Cuts openings after some plies, and keeps the first of those that are then equal; returns whether any was longer.
fn cut(openings: &mut Vec<FileOpening>, plies: u32) -> bool {
    let mut is_cut = false;
    for FileOpening { moves, .. } in openings.iter_mut() {
        if let Some((end, _)) = moves.match_indices('/').nth(plies.max(1) as usize - 1) {
            moves.truncate(end);
            is_cut = true;
        }
    }
    let mut seen = HashSet::new();
    openings.retain(|opening| !is_cut || seen.insert((opening.position.clone(), opening.moves.clone())));
    is_cut
}

/// A line number and what is wrong with the line.
type Refusal = (u32, String);

fn of_lines(game: Game, text: &str) -> Result<Vec<FileOpening>, Refusal> {
    let lines = text.lines().map(str::trim).zip(1..);
    let lines = lines.filter(|(line, _)| !line.is_empty() && !line.starts_with('#'));
    lines.map(|(text, line)| of_line(game, text, line).map_err(|problem| (line, problem))).collect()
}

fn of_line(game: Game, text: &str, line: u32) -> Result<FileOpening, String> {
    let opening = FileOpening { line, ..FileOpening::default() };
    if is_position(text) {
        if !game.has_parameter(POSITION.name) {
            return Err(format!("`{text}` is a position, and {game} begins at its start: moves expected"));
        }
        let (position, name) = of_epd(text)?;
        let position = game.state_at(&position).map_err(|error| error.to_string())?.position();
        return Ok(FileOpening { name, position, ..opening });
    }
    if is_board(text) && game.has_parameter(BOARD) {
        return Ok(FileOpening { board: text.to_owned(), ..opening });
    }
    let renju = game.can(Capability::GameFiles);
    let moves = match (offsets(text), points(text)) {
        (Some(numbers), _) if renju => of_offsets(text, &numbers)?,
        (None, Some(points)) if renju => points.into_iter().map(of_point).collect::<Result<_, _>>()?,
        _ => split_moves(text).into_iter().map(str::to_owned).collect(),
    };
    Ok(FileOpening { moves: moves.join("/"), ..opening })
}

/// Whether a line is a board: rows of equal length, with more numbers than a move.
fn is_board(text: &str) -> bool {
    let row = |row: &str| {
        let numbers: Vec<&str> = row.split_whitespace().collect();
        (numbers.len() > 2 && numbers.iter().all(|number| number.parse::<u8>().is_ok())).then_some(numbers.len())
    };
    let mut rows = text.split('/').map(row);
    let first = rows.next().flatten();
    first.is_some() && rows.all(|columns| columns == first)
}

/// Whether a line is a position: rows, then the side to move.
fn is_position(text: &str) -> bool {
    let mut words = text.split_whitespace();
    // Moves have blanks before the first slash, or none at all.
    words.next().is_some_and(|rows| rows.matches('/').count() > 1) && words.next().is_some()
}

/// A position of EPD or FEN and its name: the board, the side to move, the two counters or none, then operations, each
/// an opcode with operands and a semicolon.
fn of_epd(text: &str) -> Result<(String, String), String> {
    let (mut rest, mut fields) = (text, Vec::new());
    while fields.len() < 4 {
        let word = rest.split(|c: char| c.is_whitespace() || c == ';').next().unwrap_or_default();
        // After the board and the side come only counters; a dash stands for an unknown one.
        let counter = word == "-" || word.bytes().all(|byte| byte.is_ascii_digit());
        if word.is_empty() || fields.len() > 1 && !counter {
            break;
        }
        fields.push(word);
        rest = rest[word.len()..].trim_start();
    }
    let mut counters = [None, None];
    for (counter, word) in counters.iter_mut().zip(fields.iter().skip(2)) {
        *counter = (*word != "-").then(|| (*word).to_owned());
    }
    let mut name = String::new();
    for operation in operations(rest) {
        let (opcode, operand) = operation.split_once(char::is_whitespace).unwrap_or((operation, ""));
        if !opcode.starts_with(|c: char| c.is_ascii_alphabetic()) {
            return Err(format!("`{operation}` is neither a counter nor an operation of EPD"));
        }
        let operand = operand.trim();
        match opcode {
            "id" => operand.trim_matches('"').clone_into(&mut name),
            "hmvc" => counters[0] = Some(operand.to_owned()),
            "fmvn" => counters[1] = Some(operand.to_owned()),
            _ => {}
        }
    }
    fields.truncate(2);
    let position = match counters {
        [None, None] => fields.join(" "),
        [clock, number] => {
            let [clock, number] = [clock.unwrap_or("0".to_owned()), number.unwrap_or("1".to_owned())];
            format!("{} {clock} {number}", fields.join(" "))
        }
    };
    Ok((position, name))
}

/// The operations of a line, parted by semicolons outside quotes.
fn operations(text: &str) -> impl Iterator<Item = &str> {
    let mut quoted = false;
    let parts = text.split(move |c: char| {
        quoted ^= c == '"';
        c == ';' && !quoted
    });
    parts.map(str::trim).filter(|part| !part.is_empty())
}

/// The numbers of a line of offsets; `None` if it is something else. Moves in the judge's notation have two numbers
/// between commas.
fn offsets(text: &str) -> Option<Vec<i64>> {
    let text = text.trim_end_matches(',');
    if !text.contains(',') || text.contains('/') {
        return None;
    }
    text.split(',').map(|number| number.trim().parse().ok()).collect()
}

fn of_offsets(text: &str, numbers: &[i64]) -> Result<Vec<String>, String> {
    let centre = SIZE as i64 / 2 + 1;
    if numbers.len() % 2 == 1 {
        return Err(format!("`{text}` has {} numbers: two for each stone expected", numbers.len()));
    }
    let point = |pair: &[i64]| {
        let point = Point::new(centre.saturating_add(pair[1]), centre.saturating_add(pair[0]));
        point.ok_or_else(|| format!("`{},{}` is outside the board: offsets from its centre expected", pair[0], pair[1]))
    };
    numbers.chunks(2).map(|pair| point(pair).map(|point| Move::Stone(point).to_string())).collect()
}

/// Several points without anything between them, each a letter and a number; `None` if it is something else.
fn points(text: &str) -> Option<Vec<&str>> {
    let starts: Vec<usize> = text.match_indices(|c: char| c.is_ascii_alphabetic()).map(|(at, _)| at).collect();
    let ends = starts.iter().skip(1).copied().chain([text.len()]);
    let points: Vec<&str> = starts.iter().zip(ends).map(|(&start, end)| &text[start..end]).collect();
    let is_point =
        |point: &&str| (2..=3).contains(&point.len()) && point[1..].bytes().all(|byte| byte.is_ascii_digit());
    (starts.first() == Some(&0) && points.len() > 1 && points.iter().all(is_point)).then_some(points)
}

/// A point of c-gomoku-cli, whose rows count from the top.
fn of_point(point: &str) -> Result<String, String> {
    let column = i64::from(point.as_bytes()[0].to_ascii_lowercase()) - i64::from(b'a') + 1;
    let row: i64 = point[1..].parse().unwrap_or_default();
    let found = Point::new(row, column).map(|point| Move::Stone(point).to_string());
    found.ok_or_else(|| format!("`{point}` is outside the board"))
}

/// The line of a text's place.
const fn line_of(place: Place) -> u32 {
    match place {
        Place::Line(number) | Place::Byte(number) => number as u32,
    }
}

/// Every line of every game of a collection.
fn of_sgf(game: Game, text: &str) -> Result<Vec<FileOpening>, Refusal> {
    if !game.can(Capability::GameFiles) {
        return Err((1, format!("SGF is for renju, not for {game}: a line for each opening expected")));
    }
    let refused = |error: FileError| (line_of(error.place.unwrap_or_default()), error.problem.to_string());
    let collection = formats::sgf::read(text, &Limits::FILE).map_err(refused)?;
    if let Some((_, error)) = collection.refused.into_iter().next() {
        return Err(refused(error));
    }
    let mut openings = Vec::new();
    for game in collection.games {
        if let Some(error) = game.unread() {
            return Err(refused(error));
        }
        let (line, lines) = (line_of(game.place), game.lines());
        if lines.len() > formats::MAX_LINES {
            return Err((line, FileProblem::TooManyVariations { limit: formats::MAX_LINES }.to_string()));
        }
        if game.position.is_some() {
            return Err((line, "the game begins at a position: moves from the empty board expected".to_owned()));
        }
        let (name, mut moves) = (game.plain(0, "GN"), Vec::new());
        for branch in lines {
            moves.truncate(branch.shared);
            moves.extend(branch.nodes.iter().filter_map(|&node| game.nodes[node].made.as_ref()));
            let judged: Vec<&str> = moves.iter().map(|made| made.judged.as_str()).collect();
            openings.push(FileOpening { line, name: name.clone(), moves: judged.join("/"), ..FileOpening::default() });
        }
    }
    Ok(openings)
}

/// The moves of a text, separated by `/` or commas, or else by blanks. A move in the judge's notation is several
/// numbers, so without `/` or commas the text can only be a single move.
pub fn split_moves(text: &str) -> Vec<&str> {
    let apart: Vec<&str> = text.split(['/', ',']).map(str::trim).filter(|word| !word.is_empty()).collect();
    let numbers = text.split_whitespace().all(|word| word.parse::<i32>().is_ok());
    match apart[..] {
        [only] if !numbers => only.split_whitespace().collect(),
        _ => apart,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(game: Game, name: &str, text: &str) -> Result<OpeningFile, String> {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join(name);
        fs::write(&path, text).unwrap();
        let read = OpeningFile::read(&path, game, &BTreeMap::new(), OpeningChoice::default(), 1);
        read.map_err(|error| error.to_string().replace(&format!("{}/", folder.path().display()), ""))
    }

    #[track_caller]
    fn check(game: Game, line: &str, position: &str, moves: &str) {
        for text in [line.to_owned(), format!("\u{feff}# openings\r\n\r\n{line} \r\n")] {
            let file = read(game, "book.txt", &text).unwrap();
            let [opening] = &file.openings[..] else { panic!("{file:?}") };
            assert_eq!((&*opening.position, &*opening.moves), (position, moves), "{line}");
            assert_eq!(opening.line as usize, text.lines().count(), "{line}");
        }
    }

    #[test]
    fn balanced_openings_can_be_played() {
        for game in Game::all() {
            for opening in balanced(game) {
                opening.check(game, &BTreeMap::new()).unwrap_or_else(|problem| panic!("{opening:?}: {problem}"));
            }
            let lines = game.openings.balanced.lines().filter(|line| !line.is_empty() && !line.starts_with('#'));
            assert_eq!(balanced(game).len(), lines.count(), "{game}");
        }
        let (one, other) = (Game::RENJU, BTreeMap::new());
        let file = |seed| OpeningFile::balanced(one, &other, seed).unwrap().openings;
        assert_eq!(file(1), file(1));
        assert_ne!(file(1), file(2));
        assert_eq!(OpeningFile::balanced(Game::PETRI, &other, 1), None);
        let board = [("board".to_owned(), "1 2/2 1".to_owned())].into();
        assert!(OpeningFile::balanced(Game::BACTERIA, &other, 1).is_some_and(|file| file.openings[0].is_read()));
        assert!(OpeningFile::balanced(Game::DOMINEERING, &other, 1).is_some_and(|file| !file.openings[0].is_read()));
        assert!(OpeningFile::balanced(Game::DOMINEERING, &board, 1).is_none(), "the board is given");
    }

    #[test]
    fn every_format_is_read() {
        let fen = "x5o/7/2x4/7/7/7/o5x o 0 1";
        check(Game::BACTERIA, fen, fen, "");
        for line in ["x5o/7/2x4/7/7/7/o5x o", "x5o/7/2x4/7/7/7/o5x o - -", "x5o/7/2x4/7/7/7/o5x o id \"a; b\";"] {
            check(Game::BACTERIA, line, fen, "");
        }
        check(Game::BACTERIA, "x5o/7/2x4/7/7/7/o5x o hmvc 3; fmvn 7;", "x5o/7/2x4/7/7/7/o5x o 3 7", "");
        check(Game::BACTERIA, "x5o/7/2x4/7/7/7/o5x o 0 1;D1 14;D2 200", fen, "");
        check(Game::BACTERIA, "a7b6 g7e5", "", "a7b6/g7e5");
        check(Game::BACTERIA, "1 1 2 2/1 7 3 5", "", "1 1 2 2/1 7 3 5");
        check(Game::DOMINEERING, "3 4/1 1", "", "3 4/1 1");
        // The same four stones; the column comes first, and rows count from the top.
        let moves = "8 8/7 8/9 10/6 9";
        check(Game::RENJU, "0,0, 0,-1, 2,1, 1,-2", "", moves);
        check(Game::RENJU, "0,0,0,-1,2,1,1,-2,", "", moves);
        check(Game::RENJU, "h8h7j9i6", "", moves);
        check(Game::RENJU, "8 8/7 8/9 10/6 9", "", moves);
        check(Game::RENJU, "8 8, 7 8, 9 10, 6 9", "", moves);
        check(Game::RENJU, "H8 H9 J7 I10", "", "H8/H9/J7/I10");
        check(Game::RENJU, "H8", "", "H8");
        let name = read(Game::BACTERIA, "a.epd", "x5o/7/2x4/7/7/7/o5x o hmvc 0; id \"a; b\"; c0 x;").unwrap();
        assert_eq!(name.openings[0].note(&name.name).to_string(), "a; b (a.epd line 1)");
        let sgf = "(;GM[4]GN[one];B[hh];W[hg])\n(;GM[4];B[hh](;W[gg];B[ff])(;W[hg]))\n";
        let file = read(Game::RENJU, "two.SGF", sgf).unwrap();
        let found: Vec<_> = file.openings.iter().map(|it| (it.line, &*it.name, &*it.moves)).collect();
        assert_eq!(found, [(1, "one", "8 8/7 8"), (2, "", "8 8/7 7/6 6"), (2, "", "8 8/7 8")]);
    }

    #[test]
    fn a_bad_line_is_named() {
        let check = |game: Game, name: &str, text: &str, expected: &str| {
            let error = read(game, name, text).unwrap_err();
            assert!(error.contains(expected), "`{expected}` is not in: {error}");
        };
        check(Game::RENJU, "a.txt", "H8 H9\n\nH8 H8\n", "`a.txt`, line 3: opening is refused at `H8`");
        check(Game::RENJU, "a.txt", "h8h7\nh8q3", "`a.txt`, line 2: `q3` is outside the board");
        check(Game::RENJU, "a.txt", "0,0, 0", "line 1: `0,0, 0` has 3 numbers: two for each stone expected");
        check(Game::RENJU, "a.txt", "0,0, 0,9", "line 1: `0,9` is outside the board");
        let rule = "turn 2 must be played on rows and columns 7 to 9, not on M3 (13,13)";
        check(Game::RENJU, "a.txt", "0,0, 1,1\n0,0, 5,5", &format!("line 2: opening is refused at `13 13`: {rule}"));
        let rule = "turn 1 must be played on H8 (8,8), not on I7 (9,9)";
        check(Game::RENJU, "a.txt", "1,1, 0,0", &format!("line 1: opening is refused at `9 9`: {rule}"));
        check(Game::RENJU, "a.txt", "15/15/15 B", "is a position, and renju begins at its start: moves expected");
        check(Game::RENJU, "a.sgf", "(;GM[4];B[hh])\n(;GM[1])", "`a.sgf`, line 2: GM[1] is not renju");
        check(Game::BACTERIA, "a.sgf", "(;GM[4];B[hh])", "line 1: SGF is for renju, not for bacteria");
        check(
            Game::BACTERIA,
            "a.epd",
            "x5o/7/7/7/7/7/o5x x\nx5o/7/7/7/7/o5x x",
            "`a.epd`, line 2: `x5o/7/7/7/7/o5x x` is",
        );
        check(Game::BACTERIA, "a.epd", "x5o/7/7/7/7/7/o5x x 0 1 $ 3", "`$ 3` is neither a counter nor an operation");
        check(Game::BACTERIA, "a.epd", "x6/7/7/7/7/7/6x x", "line 1: the game is over after it");
        check(Game::BACTERIA, "a.txt", "hello", "line 1: opening is refused at `hello`");
        check(Game::BACTERIA, "a.txt", "# nothing\n\n", "`a.txt` has no opening");
        check(Game::PETRI, "a.txt", "H8", "line 1: petri has no parameter `opening`");
    }

    #[test]
    fn the_order_follows_from_the_seed() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("book.txt");
        fs::write(&path, "1 1\n2 1\n3 1\n4 1\n5 1\n6 1\n7 1\n").unwrap();
        let order = |order: OpeningOrder, seed: u64| {
            let choice = OpeningChoice { order, ..OpeningChoice::default() };
            let mut file = OpeningFile::read(&path, Game::DOMINEERING, &BTreeMap::new(), choice, seed).unwrap();
            assert_eq!((file.used_by(10), file.used_by(5)), ((2, 0), (1, 2)));
            file.keep(5);
            assert_eq!((file.openings.len(), file.count), (5, 7));
            (0..10).map(|number| file.opening(number).unwrap().line).collect::<Vec<_>>()
        };
        assert_eq!(order(OpeningOrder::Sequential, 1), [1, 2, 3, 4, 5, 1, 2, 3, 4, 5]);
        let drawn = order(OpeningOrder::Random, 1);
        assert_eq!(drawn, order(OpeningOrder::Random, 1));
        assert_ne!(drawn, order(OpeningOrder::Random, 2));
        let mut different = drawn[..5].to_vec();
        different.sort_unstable();
        different.dedup();
        assert_eq!(different.len(), 5, "{drawn:?}");
    }

    #[test]
    fn a_file_begins_anywhere_and_ends_early() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("book.txt");
        let read = |game: Game, text: &str, choice: OpeningChoice| {
            fs::write(&path, text).unwrap();
            OpeningFile::read(&path, game, &BTreeMap::new(), choice, 1)
        };
        let lines = |file: &OpeningFile| file.openings.iter().map(|opening| opening.line).collect::<Vec<_>>();
        let text = "H8 H9 I7\nH8 H9 J7\nH8 I9 H6\nH8 G7\n";
        let start = |start| OpeningChoice { start: Some(start), ..OpeningChoice::default() };
        let file = read(Game::RENJU, text, start(3)).unwrap();
        assert_eq!((lines(&file), file.start, file.count), (vec![3, 4, 1, 2], Some(3), 4));
        assert_eq!(read(Game::RENJU, text, start(1)).unwrap(), read(Game::RENJU, text, start(0)).unwrap());
        let error = read(Game::RENJU, text, start(5)).unwrap_err().to_string();
        assert!(error.ends_with("has 4 openings: the first one played cannot be number 5"), "{error}");
        // A random order is drawn before the first one is chosen.
        let random = OpeningChoice { order: OpeningOrder::Random, ..OpeningChoice::default() };
        let mut drawn = lines(&read(Game::RENJU, text, random).unwrap());
        drawn.rotate_left(1);
        assert_eq!(lines(&read(Game::RENJU, text, OpeningChoice { start: Some(2), ..random }).unwrap()), drawn);

        // Openings that are equal after the cut are played once; what is cut off is not checked.
        let plies = |plies| OpeningChoice { max_plies: Some(plies), ..OpeningChoice::default() };
        let file = read(Game::RENJU, text, plies(2)).unwrap();
        let moves: Vec<&str> = file.openings.iter().map(|opening| &*opening.moves).collect();
        assert_eq!((moves, lines(&file)), (vec!["H8/H9", "H8/I9", "H8/G7"], vec![1, 3, 4]));
        assert_eq!((file.count, file.max_plies), (3, Some(2)));
        assert_eq!(read(Game::RENJU, text, plies(1)).unwrap().count, 1);
        assert_eq!(read(Game::RENJU, text, plies(9)).unwrap().max_plies, None);
        assert_eq!(read(Game::RENJU, "H8 H9 A1\nH8 H9 H8\n", plies(2)).unwrap().count, 1);
        let error = read(Game::BACTERIA, "x5o/7/2x4/7/7/7/o5x o 0 1\n", plies(2)).unwrap_err().to_string();
        assert!(error.ends_with("has positions without moves: there are no plies to cut"), "{error}");
    }
}
