//! Lists of positions: a FEN or EPD a line, with UAI's `moves` or without; questions of domineering as JSON, as
//! `agon inspect` reads them; and rows of weights, a board of domineering.

use agon_catalog::{Capability, Game, Setup};
use agon_game::{GameState, Side};
use agon_message::English;
use agon_rules::domineering::{Bonus, Domineering, WeightedBoard};
use serde_json::Value;

use super::error::{FileError, FileProblem, Limits};
use super::tree::{Collection, GameTree, TreeMove};

/// The largest text of a position.
const MAX_POSITION_BYTES: usize = 4_096;

/// Parameter of a game that starts on a given board.
const BOARD: &str = "board";

/// Returns true if a text consists of rows of weights: only integers, equally many on each of several lines.
pub fn is_weights(text: &str) -> bool {
    let mut widths = text.trim().lines().map(|line| line.split_ascii_whitespace().count());
    let first = widths.next().unwrap_or_default();
    let numbers = text.split_ascii_whitespace().all(|word| word.bytes().all(|byte| byte.is_ascii_digit()));
    first > 0 && numbers && text.trim().lines().count() > 1 && widths.all(|width| width == first)
}

/// The board of domineering with these rows of weights.
///
/// # Errors
/// [`FileError`] when it is none.
pub fn of_weights(text: &str) -> Result<Collection, FileError> {
    WeightedBoard::from_rows(text).map_err(FileError::whole)?;
    let solving = Game::all().into_iter().find(|game| game.can(Capability::Solving) && game.has_parameter(BOARD));
    let mut game = GameTree::new(solving.ok_or_else(|| FileError::whole(FileProblem::NoGameOfWeights))?, 1);
    let rows: Vec<String> =
        text.trim().lines().map(|line| line.split_ascii_whitespace().collect::<Vec<_>>().join(" ")).collect();
    game.parameters.insert(BOARD.to_owned(), rows.join("/"));
    Ok(Collection::from_games(vec![game]))
}

/// Reads a list of positions, of `usual` if the notation fits several games. Invalid lines are refused one by one.
///
/// # Errors
/// [`FileError`] with the first invalid line, if all are.
pub fn read(text: &str, usual: Option<Game>, limits: &Limits) -> Result<Collection, FileError> {
    let mut collection = Collection::default();
    let mut nodes = 0;
    for (line, number) in text.lines().map(str::trim).zip(1..) {
        if line.is_empty() || line.starts_with('#') {
            continue;
        }
        let count = collection.count() + 1;
        if count > limits.games {
            return Err(FileError::at(number, FileProblem::TooManyPositions { limit: limits.games }));
        }
        let tree = if line.starts_with('{') { of_json(line) } else { of_line(line, usual, limits) };
        let mut tree = match tree {
            Ok(tree) => tree,
            Err(problem) => {
                collection.refused.push((count, FileError::at(number, problem)));
                continue;
            }
        };
        nodes += tree.nodes.len();
        limits.check(number, nodes, tree.nodes.len() - 1)?;
        (tree.place, tree.number) = (number.into(), count);
        tree.nodes.iter_mut().for_each(|node| node.place = number.into());
        collection.games.push(tree);
    }
    match collection.refused.first() {
        _ if !collection.games.is_empty() => Ok(collection),
        Some((_, error)) => Err(error.clone()),
        None => Err(FileError::whole(FileProblem::NoPositions)),
    }
}

/// The position of a line and its game; none if no game has such a position.
pub fn position_of(text: &str, usual: Option<Game>) -> Option<(Game, Box<dyn GameState>)> {
    let games = usual.into_iter().chain(Game::all());
    let short = text.len() <= MAX_POSITION_BYTES;
    games
        .filter(|game| short && game.has_turns() && !game.is_program())
        .find_map(|game| Some((game, game.state_at(text).ok()?)))
}

/// The position of a text, with counters or without, and its game.
///
/// # Errors
/// The reason why it is invalid.
pub fn start_of(text: &str, usual: Option<Game>) -> Result<(Game, Box<dyn GameState>), FileProblem> {
    position_of(text, usual).ok_or_else(|| no_position(text))
}

fn no_position(fen: &str) -> FileProblem {
    let is_blocked = fen.split(' ').next().is_some_and(|rows| rows.contains('-') && rows.contains('/'));
    let text = shortened(fen);
    if is_blocked { FileProblem::BlockedCell { text } } else { FileProblem::NoPosition { text } }
}

fn of_line(line: &str, usual: Option<Game>, limits: &Limits) -> Result<GameTree, FileProblem> {
    let words = line.strip_prefix("position ").unwrap_or(line).trim();
    let (start, moves) = words.split_once(" moves ").unwrap_or((words, ""));
    let mut name = String::new();
    let (game, mut state, position) = if start.trim() == "startpos" {
        let game = usual.or_else(|| Game::all().into_iter().find(|game| game.has_parameter("position")));
        let game = game.ok_or(FileProblem::NoGameToStart)?;
        (game, game.initial_state(&Setup::default())?, None)
    } else {
        let fen = start.trim().strip_prefix("fen ").unwrap_or(start).trim();
        let found = position_of(fen, usual).or_else(|| {
            // EPD: operations follow two to four fields.
            let fields: Vec<&str> = fen.split_ascii_whitespace().collect();
            let id = fen.split_once("id \"").and_then(|(_, id)| id.split_once('"'));
            id.map_or("", |(id, _)| id).clone_into(&mut name);
            let counts = [6, 5, 4, 3, 2].into_iter().filter(|&count| count < fields.len());
            let fields = |count: usize| fields[..count].join(" ").trim_end_matches(';').to_owned();
            counts.map(fields).find_map(|fen| position_of(&fen, usual))
        });
        let (game, state) = found.ok_or_else(|| no_position(fen))?;
        let position = state.position();
        (game, state, Some(position))
    };
    let mut tree = GameTree::new(game, 1);
    tree.position = position;
    tree.set_plain(0, "GN", &name);
    let moves: Vec<&str> =
        if moves.contains('/') { moves.split('/').collect() } else { moves.split_ascii_whitespace().collect() };
    // A single move of several numbers has its separator behind it.
    let moves = moves.into_iter().map(str::trim).filter(|text| !text.is_empty());
    for (number, text) in moves.enumerate() {
        let at = |problem: String| {
            let (number, shown) = (number + 1, text.to_owned());
            FileProblem::Move { number, shown, problem: English(problem) }
        };
        if number >= limits.line_moves {
            return Err(FileProblem::TooManyLineMoves { limit: limits.line_moves });
        }
        let side = state.turn().ok_or_else(|| at("the game is over".to_owned()))?;
        let arguments = state.read_any(text).map_err(|error| at(error.to_string()))?;
        let judged = state.answer(&arguments).map_err(|error| at(error.to_string()))?;
        tree.push(number, Some(TreeMove { side, judged }), 1);
    }
    Ok(tree)
}

fn shortened(text: &str) -> String {
    if text.chars().count() > 80 { text.chars().take(80).chain(['…']).collect() } else { text.to_owned() }
}

/// A position of domineering as JSON: `board`, `occupied`, `to_move`, and perhaps `last_pass` and `lead`.
fn of_json(line: &str) -> Result<GameTree, FileProblem> {
    let value: Value = serde_json::from_str(line).map_err(|error| FileProblem::Json { problem: error.to_string() })?;
    if let Some(position) = value.get("position").and_then(Value::as_str) {
        let (game, state) =
            position_of(position, None).ok_or_else(|| FileProblem::NoSuchPosition { text: shortened(position) })?;
        let mut tree = GameTree::new(game, 1);
        tree.position = Some(state.position());
        return Ok(tree);
    }
    let numbers = |value: &Value| -> Option<Vec<usize>> {
        value.as_array()?.iter().map(|number| usize::try_from(number.as_u64()?).ok()).collect()
    };
    let lists = |name: &str| -> Option<Vec<Vec<usize>>> {
        value.get(name)?.as_array().filter(|lists| lists.len() <= MAX_POSITION_BYTES)?.iter().map(numbers).collect()
    };
    let board = lists("board").ok_or(FileProblem::JsonRows)?;
    let rows: Option<Vec<Vec<u8>>> =
        board.iter().map(|row| row.iter().map(|&weight| u8::try_from(weight).ok()).collect()).collect();
    let board = WeightedBoard::new(&rows.ok_or(FileProblem::JsonWeights)?)?;
    let covered: Option<Vec<(usize, usize)>> = match value.get("occupied") {
        None => Some(Vec::new()),
        Some(_) => lists("occupied").and_then(|cells| {
            cells.iter().map(|cell| Some((*cell.first()?, *cell.get(1)?)).filter(|_| cell.len() == 2)).collect()
        }),
    };
    let covered = covered.ok_or(FileProblem::JsonOccupied)?;
    let turn = match value.get("to_move").and_then(Value::as_str) {
        Some("H") => Side::First,
        Some("V") => Side::Second,
        _ => return Err(FileProblem::JsonTurn),
    };
    let bonus = match value.get("lead").filter(|lead| !lead.is_null()) {
        None => Bonus::default(),
        Some(lead) => {
            let bonus = lead.as_f64().map(|lead| (-lead).to_string());
            let bonus = bonus.and_then(|bonus| bonus.parse().ok());
            bonus.ok_or(FileProblem::JsonLead)?
        }
    };
    let passed = value.get("last_pass").and_then(Value::as_bool).unwrap_or_default();
    let position =
        Domineering::bare(board, bonus, covered, turn, passed).map_err(|error| FileProblem::rules(&error))?;
    let (game, state) = position_of(&position.to_string(), None).ok_or_else(|| no_position(&position.to_string()))?;
    let mut tree = GameTree::new(game, 1);
    tree.position = Some(state.position());
    Ok(tree)
}

/// Writes where each game begins and the moves of its main line, a game a line.
///
/// # Errors
/// [`FileError`] when a game is not legal.
pub fn write(collection: &Collection) -> Result<String, FileError> {
    let mut text = String::new();
    for game in &collection.games {
        let mut state = game.start()?;
        text += &state.position();
        let mut moves = Vec::new();
        for made in game.main_moves() {
            state.answer(&made.judged).map_err(|error| FileError::at(game.place, FileProblem::rules(&error)))?;
            moves.push(state.exchanged().unwrap_or_else(|| made.judged.clone()));
        }
        let separator = if moves.iter().any(|m| m.contains(' ')) { "/" } else { " " };
        if !moves.is_empty() {
            text += &format!(" moves {}", moves.join(separator));
            // A single move of several numbers needs its separator as well.
            text += if separator == "/" && moves.len() == 1 { "/" } else { "" };
        }
        text.push('\n');
    }
    Ok(text)
}
