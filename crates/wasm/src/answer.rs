//! Requests to the engines, and their handling.

use agon_analysis::board::{
    AnalysedPosition, AnalysisBounds, BoardQuestion, MoveWish, OpeningQuestion, PuzzleAttempt, PuzzleQuery, Refusal,
    analysis_wish, judge, known_of, list, missed, position,
};
use agon_analysis::dish::DishQuestion;
use agon_analysis::played::played_in;
use agon_catalog::Game;
use agon_engines::{bacteria, files, renju};
use agon_search::{Instant, Stop};
use serde::Deserialize;
use serde_json::{Value, json};

use crate::message::{Message, read, written};

/// Memory of the tables of an analysis in MiB: by default, and at most. A telephone gives a page some hundred.
pub const HASH_MIB: (usize, usize) = (16, 256);

/// What an answer may use.
pub struct Machine<'d> {
    /// Number of threads of an analysis, at most.
    pub max_threads: usize,
    /// Returns a random number.
    pub draw: &'d dyn Fn() -> u64,
    /// Ends a search.
    pub stop: Stop,
}

/// A page's request.
#[derive(Clone, Debug, Deserialize)]
#[serde(tag = "do", rename_all = "kebab-case")]
pub enum Request {
    /// Names of the files that a game needs before its first search, or, if `games` is true, before its games are
    /// looked up.
    Files {
        game: String,
        #[serde(default)]
        games: bool,
    },
    /// The games: names, players and their levels.
    Games,
    /// A position, and the possible moves.
    Position { question: BoardQuestion },
    /// The move of a built-in player.
    Move { question: BoardQuestion },
    /// Number of nodes that a built-in player visits for its move, to be compared with that of a native program.
    MoveNodes { question: BoardQuestion },
    /// An analysis, as a stream of events.
    Analysis { question: BoardQuestion },
    /// An opening by an opening rule, and the champion's decision in it.
    Opening { question: OpeningQuestion },
    /// Book knowledge of a position.
    Known { question: BoardQuestion },
    /// What was played from a position in the games that come with Agon.
    Played { question: BoardQuestion },
    /// The list of puzzles of a game.
    PuzzleList { game: String },
    /// A puzzle.
    Puzzle {
        game: String,
        #[serde(flatten)]
        query: PuzzleQuery,
    },
    /// Evaluation of a move in a puzzle.
    PuzzleMove { attempt: PuzzleAttempt },
    /// Puzzles that a game has missed.
    Missed { question: BoardQuestion },
    /// A game of the petri dish, run to its end; `own` is the name of a colony whose rule is written.
    Dish { question: DishQuestion, own: String },
    /// Node counts of the benchmark of a game, for comparison with a native program's.
    Bench { game: String, depth: u32 },
}

/// Answers a request in JSON.
pub fn answer(request: &[u8], machine: &Machine<'_>, send: &mut dyn FnMut(Message)) {
    let answered = read(request).and_then(|request| answered(request, machine, send));
    send(answered.map_or_else(Message::Refused, Message::Answer));
}

fn answered(request: Request, machine: &Machine<'_>, send: &mut dyn FnMut(Message)) -> Result<Value, Refusal> {
    match request {
        Request::Files { game, games } => Ok(json!(files(&game, games))),
        Request::Games => Ok(Game::by_hand().map(described).collect()),
        Request::Position { question } => written(&position(&question.play()?)),
        Request::Move { question } => {
            let game = question.play()?;
            written(&MoveWish::new(&question, &game, machine.draw)?.run(machine.stop.clone())?)
        }
        Request::MoveNodes { question } => {
            let game = question.play()?;
            written(&MoveWish::new(&question, &game, machine.draw)?.nodes(machine.stop.clone())?)
        }
        Request::Analysis { question } => analysed(&question, machine, send),
        Request::Opening { question } => written(&question.answer(&machine.stop)?),
        Request::Known { question } => written(&known_of(&question, &machine.stop)?),
        Request::Played { question } => written(&played_in(&question)?),
        Request::PuzzleList { game } => written(&list(&game)?),
        Request::Puzzle { game, query } => {
            query.check(&game)?;
            let found = query.find(&game, machine.draw, &machine.stop)?;
            written(&found.ok_or_else(|| Refusal::new(&"no puzzle was found"))?)
        }
        Request::PuzzleMove { attempt } => written(&judge(&attempt, &machine.stop)?),
        Request::Missed { question } => written(&missed(&question, &machine.stop)?),
        Request::Dish { question, own } => question.run(&own),
        Request::Bench { game, depth } => benched(&game, depth),
    }
}

fn analysed(question: &BoardQuestion, machine: &Machine<'_>, send: &mut dyn FnMut(Message)) -> Result<Value, Refusal> {
    let bounds = AnalysisBounds { max_time: None, max_threads: machine.max_threads, hash_mib: HASH_MIB };
    let game = question.play()?;
    let wish = analysis_wish(question, &game, &bounds)?;
    let position = AnalysedPosition::from_state(game.game, game.state.as_ref())?;
    let begun = Instant::now();
    let mut events = |name, data| send(Message::Event(name, data));
    position.analyse(&wish, machine.stop.clone(), &mut events).map_err(|error| Refusal::new(&error))?;
    let late = wish.limits.time.is_some_and(|time| begun.elapsed() >= time);
    let reason = if late { "time" } else { "done" };
    Ok(json!({ "reason": reason }))
}

/// The files that engines of a game read, or those with its games, with their numbers.
fn files(game: &str, games: bool) -> Vec<Value> {
    let needed = |name: &str| {
        let (folder, file) = name.strip_prefix("books/games/").map_or((None, name), |file| (Some("games"), file));
        let named = if folder.is_some() { file } else { file.split('/').nth(1).unwrap_or_default() };
        folder.is_some() == games && named.split('.').next() == Some(game)
    };
    let numbered = files::loadable().enumerate().filter(|(_, file)| needed(file.name));
    numbered.map(|(number, file)| json!({ "number": number, "name": file.name })).collect()
}

fn described(game: Game) -> Value {
    let players = game.builtins.iter().map(|one| json!({ "name": one.name, "levels": one.levels() }));
    json!({ "name": game.name(), "title": game.title(), "seats": game.seats, "players": players.collect::<Vec<_>>() })
}

fn benched(game: &str, depth: u32) -> Result<Value, Refusal> {
    let game = Game::by_name(game);
    if game == Some(Game::BACTERIA) {
        let (tuning, bytes) = (bacteria::search::Tuning::default(), bacteria::bench::TABLE_BYTES);
        let nodes = bacteria::bench::champion_nodes(tuning, depth, bytes);
        return Ok(json!(nodes.map_err(|error| Refusal::new(&error))?));
    }
    if game == Some(Game::RENJU) {
        return Ok(json!(renju::bench::search(depth).map_err(|error| Refusal::new(&error))?));
    }
    Err(Refusal::new(&"there are benchmarks of bacteria and renju"))
}
