//! Puzzles: those that come with the program, fresh ones, and those that a game has missed.

use std::sync::Arc;

use agon_arena::puzzles::{Puzzle, PuzzleKind, PuzzleMaker, PuzzleSet, answer, puzzle_at};
use agon_catalog::{Capability, Game, TextMove};
use agon_search::Stop;
use axum::Extension;
use axum::extract::rejection::{JsonRejection, QueryRejection};
use axum::extract::{Path, Query, State};
use serde::{Deserialize, Serialize};
use tokio::sync::oneshot;
use utoipa::{IntoParams, ToSchema};
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

use crate::json::Json;
use crate::text::said;

use super::asker::{SearcherAddress, searcher};
use super::question::{BoardQuestion, MAX_POSITION_BYTES, QuestionError};
use super::service::{EngineService, SearchPriority};

/// What is asked by POST, although it changes nothing.
pub(super) const QUESTIONS: [&str; 2] = ["/api/v1/puzzle-move", "/api/v1/missed"];

/// Moves of an attempt; no puzzle is longer.
const MAX_MOVES: usize = 120;

/// Puzzles of one game, at most.
const MAX_MISSED: usize = 3;

pub(super) fn described<S: Clone + Send + Sync + 'static>(service: &Arc<EngineService>) -> OpenApiRouter<S> {
    let routes = OpenApiRouter::new().routes(routes!(puzzle)).routes(routes!(list));
    routes.routes(routes!(judge)).routes(routes!(missed)).with_state(Arc::clone(service))
}

/// A position in which only one move is right.
#[derive(Serialize, ToSchema)]
#[schema(as = Puzzle)]
pub(crate) struct PuzzleAnswer {
    /// The name of the game.
    game: String,
    /// `fours`, `threats`, `quiet` or `defence` in renju, `exact` in domineering, `race` in Bacteria War.
    kind: String,
    /// What is to be found, in the language of `Accept-Language`.
    text: String,
    /// The position in the game's own notation.
    position: String,
    /// Who is to move: 0 or 1.
    turn: usize,
    /// The only right move; of a win in renju and of a race the line to its end, the answers included. As the judge
    /// writes them.
    solution: Vec<String>,
    /// The same as people write it.
    letters: Vec<String>,
    /// Plies of the win, or of the win that the move wards off.
    plies: usize,
    /// How many nodes the proof takes with empty tables.
    nodes: u64,
    /// How hard it is, as measured.
    difficulty: u64,
    /// The same from 1 to 5.
    grade: usize,
    /// From which it was made: it is found again by it. Null of one that was ready.
    seed: Option<u64>,
    /// Its number among those that come with Agon. Null of any other one.
    number: Option<usize>,
}

impl PuzzleAnswer {
    fn new(puzzle: Puzzle, seed: Option<u64>, number: Option<usize>) -> Self {
        let Puzzle { game, kind, text, position, turn, solution, letters, plies, nodes, difficulty, grade } = puzzle;
        let (kind, text) = (kind.name().to_owned(), said(&text));
        Self { game, kind, text, position, turn, solution, letters, plies, nodes, difficulty, grade, seed, number }
    }
}

/// Which puzzle is wanted.
#[derive(Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
struct PuzzleQuery {
    /// The number of a puzzle that comes with Agon.
    number: Option<usize>,
    /// The number of a day: the puzzle of that day.
    day: Option<u64>,
    /// The seed of a fresh puzzle, which takes seconds: each has its own.
    seed: Option<u64>,
    /// Only puzzles of this kind; each seed has one of each kind.
    kind: Option<String>,
    /// Only puzzles of this grade, 1 to 5, of those that come with Agon.
    grade: Option<usize>,
}

fn game_of(name: &str) -> Result<Game, QuestionError> {
    let games = || Game::which_can(Capability::Puzzles).into_iter().map(Game::name).collect::<Vec<_>>().join(", ");
    let game = Game::by_name(name).filter(|game| game.can(Capability::Puzzles));
    game.ok_or_else(|| QuestionError::new(&format!("there are puzzles of {}", games())))
}

fn kind_of(game: Game, name: &str) -> Result<PuzzleKind, QuestionError> {
    let kinds = PuzzleKind::of(game);
    kinds.iter().find(|kind| kind.name() == name).copied().ok_or_else(|| {
        let names: Vec<&str> = kinds.iter().map(|kind| kind.name()).collect();
        QuestionError::new(&format!("`{}` is no kind; {} expected", name.escape_debug(), names.join(", ")))
    })
}

/// The puzzles that come with Agon; none of a game that was registered.
fn set(game: Game) -> Result<&'static [Puzzle], QuestionError> {
    let set = PuzzleSet::own(game).map_err(QuestionError::new)?;
    Ok(set.map_or(&[], |set| &set.puzzles))
}

/// A puzzle
///
/// A position in which only one move is right. Without a seed it is one of those that come with Agon, at once: that of
/// a number, of a day, or a drawn one.
#[utoipa::path(get, path = "/api/v1/puzzles/{game}", operation_id = "puzzle", tag = "boards", security(()),
    params(("game" = String, Path, description = "renju, domineering or bacteria"), PuzzleQuery),
    responses((status = 200, body = PuzzleAnswer),
        (status = 400, description = "The game has no puzzles, or none of this kind, grade or number"),
        (status = 503, description = "No room for another search")))]
async fn puzzle(
    State(service): State<Arc<EngineService>>,
    address: Option<Extension<SearcherAddress>>,
    Path(name): Path<String>,
    query: Result<Query<PuzzleQuery>, QueryRejection>,
) -> Result<Json<PuzzleAnswer>, QuestionError> {
    let Query(query) = query.map_err(|refused| QuestionError::new(&refused.body_text()))?;
    let game = game_of(&name)?;
    let kind = query.kind.as_deref().map(|name| kind_of(game, name)).transpose()?;
    let ways = [query.seed.is_some(), query.number.is_some(), query.day.is_some()];
    if ways.into_iter().filter(|&way| way).count() > 1 {
        return Err(QuestionError::new(&"one of `seed`, `number` and `day` expected"));
    }
    let Some(seed) = query.seed else {
        let (number, puzzle) = ready(game, kind, &query)?;
        return Ok(Json(PuzzleAnswer::new(puzzle.clone(), None, Some(number))));
    };
    let (send, receive) = oneshot::channel();
    let ticket = service.begin(searcher(address, "a puzzle"), SearchPriority::Pages, move |stop, _| {
        let _ = send.send(PuzzleMaker::new(game, seed).of_kind(kind).next(&stop));
    })?;
    let found = receive.await.map_err(|_| QuestionError::busy(&"no puzzle was found"))?;
    drop(ticket);
    let found = found.map_err(|error| QuestionError::new(&error))?;
    let found = found.ok_or_else(|| QuestionError::busy(&"the search for a puzzle was stopped"))?;
    Ok(Json(PuzzleAnswer::new(found, Some(seed), None)))
}

/// A puzzle that comes with Agon, and its number.
fn ready(game: Game, kind: Option<PuzzleKind>, query: &PuzzleQuery) -> Result<(usize, &'static Puzzle), QuestionError> {
    let all = set(game)?;
    let fits = |puzzle: &Puzzle| {
        kind.is_none_or(|kind| puzzle.kind == kind) && query.grade.is_none_or(|grade| puzzle.grade == grade)
    };
    let number = match (query.number, query.day) {
        (Some(number), _) => number,
        (None, Some(day)) => {
            let set = PuzzleSet::own(game).map_err(QuestionError::new)?;
            set.map_or(0, |set| set.of_day(day))
        }
        (None, None) => {
            let fitting: Vec<usize> = (1..=all.len()).filter(|&number| fits(&all[number - 1])).collect();
            let drawn = agon_site::secret::number() % fitting.len().max(1) as u64;
            fitting.get(drawn as usize).copied().unwrap_or_default()
        }
    };
    let found = number.checked_sub(1).and_then(|at| all.get(at)).filter(|puzzle| fits(puzzle));
    found
        .map(|puzzle| (number, puzzle))
        .ok_or_else(|| QuestionError::new(&format!("there is no such puzzle of {game}; {} come with Agon", all.len())))
}

/// One of the puzzles that come with Agon, in short.
#[derive(Serialize, ToSchema)]
pub(crate) struct PuzzleRow {
    /// Its place in the set, from 1.
    number: usize,
    /// What is to be found.
    kind: &'static str,
    /// How hard it is, from 1 to 5.
    grade: usize,
}

/// The puzzles that come with Agon
#[utoipa::path(get, path = "/api/v1/puzzles/{game}/list", operation_id = "puzzle_list", tag = "boards", security(()),
    params(("game" = String, Path, description = "renju, domineering or bacteria")),
    responses((status = 200, body = Vec<PuzzleRow>), (status = 400, description = "The game has no puzzles")))]
async fn list(Path(name): Path<String>) -> Result<Json<Vec<PuzzleRow>>, QuestionError> {
    let all = set(game_of(&name)?)?.iter().enumerate();
    let row =
        |(at, puzzle): (usize, &Puzzle)| PuzzleRow { number: at + 1, kind: puzzle.kind.name(), grade: puzzle.grade };
    Ok(Json(all.map(row).collect()))
}

/// An attempt at a puzzle.
#[derive(Clone, Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct PuzzleAttempt {
    /// The name of the game.
    game: String,
    /// The kind of the puzzle.
    kind: String,
    /// Its position.
    position: String,
    /// The moves made from there, as the judge writes them: the solver's, with the answers between them.
    moves: Vec<String>,
    /// The random word that identifies a page. It has one search at a time.
    #[serde(default)]
    client: String,
}

/// A move in both notations.
#[derive(Serialize, ToSchema)]
pub(crate) struct LineMove {
    /// As the judge writes it.
    #[serde(rename = "move")]
    judged: String,
    /// As people write it.
    letters: String,
}

impl From<TextMove> for LineMove {
    fn from(TextMove { judged, letters }: TextMove) -> Self {
        Self { judged, letters }
    }
}

/// What the last move of an attempt is worth.
#[derive(Serialize, ToSchema)]
pub(crate) struct PuzzleVerdict {
    /// `solved`, `right`, `wrong`, or `unshown`: within the limits proved neither to be right nor to be wrong.
    verdict: &'static str,
    /// After a right move the toughest answer; after a wrong one how it is refuted; else what may refute it.
    line: Vec<LineMove>,
}

/// What a move in a puzzle is worth
///
/// Proved, not compared with the solution: every winning move is right.
#[utoipa::path(post, path = "/api/v1/puzzle-move", operation_id = "puzzle_move", tag = "boards", security(()),
    request_body = PuzzleAttempt,
    responses((status = 200, body = PuzzleVerdict),
        (status = 400, description = "No such position, or a move that is not legal"),
        (status = 413, description = "An attempt of more than 16 KiB"),
        (status = 503, description = "No room for another search")))]
async fn judge(
    State(service): State<Arc<EngineService>>,
    address: Option<Extension<SearcherAddress>>,
    attempt: Result<Json<PuzzleAttempt>, JsonRejection>,
) -> Result<Json<PuzzleVerdict>, QuestionError> {
    let Json(PuzzleAttempt { game, kind, position, moves, client }) = attempt?;
    let game = game_of(&game)?;
    let kind = kind_of(game, &kind)?;
    if moves.len() > MAX_MOVES || position.len() > MAX_POSITION_BYTES {
        let most = format!("more than {MAX_MOVES} moves, or a text of more than {MAX_POSITION_BYTES} bytes");
        return Err(QuestionError::new(&most));
    }
    let work = move |stop: &Stop| answer(game, kind, &position, &moves, stop);
    let found = searched(&service, address, &client, work).await?.map_err(|error| QuestionError::new(&error))?;
    let line = found.line.into_iter().map(LineMove::from).collect();
    Ok(Json(PuzzleVerdict { verdict: found.verdict.name(), line }))
}

/// Runs a search of a page, and returns what it has found.
async fn searched<T: Send + 'static>(
    service: &Arc<EngineService>,
    address: Option<Extension<SearcherAddress>>,
    client: &str,
    work: impl FnOnce(&Stop) -> T + Send + 'static,
) -> Result<T, QuestionError> {
    let (send, receive) = oneshot::channel();
    let ticket = service.begin(searcher(address, client), SearchPriority::Pages, move |stop, _| {
        let _ = send.send(work(&stop));
    })?;
    let found = receive.await.map_err(|_| QuestionError::busy(&"the search was stopped"))?;
    drop(ticket);
    Ok(found)
}

/// The puzzles that a game has missed
///
/// Positions of a game in which one move alone was right and another one was made: the last three, as puzzles.
#[utoipa::path(post, path = "/api/v1/missed", operation_id = "missed", tag = "boards", security(()),
    request_body = BoardQuestion,
    responses((status = 200, body = Vec<PuzzleAnswer>),
        (status = 400, description = "The game has no puzzles, or a move is not legal"),
        (status = 413, description = "A question of more than 16 KiB"),
        (status = 503, description = "No room for another search")))]
async fn missed(
    State(service): State<Arc<EngineService>>,
    address: Option<Extension<SearcherAddress>>,
    question: Result<Json<BoardQuestion>, JsonRejection>,
) -> Result<Json<Vec<PuzzleAnswer>>, QuestionError> {
    let Json(question) = question?;
    let game = game_of(&question.game)?;
    let client = question.client.clone();
    let found = searched(&service, address, &client, move |stop| missed_by(game, &question, stop)).await??;
    Ok(Json(found.into_iter().map(|puzzle| PuzzleAnswer::new(puzzle, None, None)).collect()))
}

fn missed_by(game: Game, question: &BoardQuestion, stop: &Stop) -> Result<Vec<Puzzle>, QuestionError> {
    let whole = question.play()?;
    let mut found = Vec::new();
    for ply in (0..whole.moves.len()).rev() {
        if stop.is_raised() || found.len() == MAX_MISSED {
            break;
        }
        let moves = question.moves[..ply].to_vec();
        let before = BoardQuestion { moves, ..question.clone() }.play()?;
        let position = before.state.position();
        let puzzle = puzzle_at(game, &position, stop).map_err(|error| QuestionError::new(&error))?;
        found.extend(puzzle.filter(|puzzle| puzzle.solution[0] != whole.moves[ply].judged));
    }
    Ok(found)
}
