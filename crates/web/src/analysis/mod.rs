//! What boards ask: the rules about positions, and the engines about moves.
//!
//! Nothing here belongs to a site: a board that one person opens on an own machine asks the same.

mod asker;
mod curve;
mod curves;
mod known;
mod position;
mod puzzles;
mod question;
mod search;
mod service;
mod turns;

use std::convert::Infallible;
use std::sync::Arc;
use std::time::{Duration, Instant};

use agon_catalog::{Capability, Game};
use agon_search::{SearchLimits, TimeControl};
use axum::extract::rejection::{JsonRejection, QueryRejection};
use axum::extract::{Query, State};
use axum::response::sse::{Event, KeepAlive, Sse};
use axum::response::{IntoResponse, Response};
use axum::{Extension, Router};
use serde::{Deserialize, Serialize};
use serde_json::json;
use tokio::sync::{mpsc, oneshot};
use tokio_stream::StreamExt as _;
use tokio_stream::wrappers::UnboundedReceiverStream;
use utoipa::{IntoParams, ToSchema};
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

use crate::json::Json;
use crate::limits::Rooms;
use crate::text::said;

use asker::searcher;

pub use asker::SearcherAddress;
pub use curve::{CurvePoint, curve, meaning};
pub use curves::{CurveProgress, Curves};
pub use position::{PositionAnswer, position};
pub use question::{BoardGame, BoardMove, BoardQuestion, MAX_POSITION_BYTES, QuestionError};
pub use search::{AnalysedPosition, EngineMove, SearchWish};
pub use service::{EndedBy, EngineService, SearchPriority, SearchTicket, Searcher};

/// What is asked by POST, although it changes nothing: a game may be longer than an address.
pub const QUESTIONS: [&str; 5] =
    ["/api/v1/position", "/api/v1/move", known::QUESTION, puzzles::QUESTIONS[0], puzzles::QUESTIONS[1]];

/// The stream of an analysis.
pub const STREAM: &str = "/api/v1/analysis";

/// How long a move may take, in milliseconds: when nothing is said, and at most.
const MOVE_MS: (u64, u64) = (1_000, 10_000);

/// How long an analysis takes if nothing is said.
const USUAL_TIME: Duration = Duration::from_secs(30);

/// How many lines it may show.
const LINES: (usize, usize) = (3, 20);

/// The routes of boards.
pub fn routes<S: Clone + Send + Sync + 'static>(service: &Arc<EngineService>) -> Router<S> {
    described(service).split_for_parts().0
}

/// The same with what the document of the interface says about them.
pub(crate) fn described<S: Clone + Send + Sync + 'static>(service: &Arc<EngineService>) -> OpenApiRouter<S> {
    let routes = OpenApiRouter::new().routes(routes!(show)).routes(routes!(reply)).routes(routes!(analyse));
    routes.with_state(Arc::clone(service)).merge(puzzles::described(service)).merge(known::described(service))
}

/// The game of a question, played on a thread that may take its time.
async fn played(rooms: &Rooms, question: BoardQuestion) -> Result<(BoardQuestion, BoardGame), QuestionError> {
    rooms.positions.run(move |_| question.play().map(|game| (question, game))).await?
}

/// A position, and what may be done there
///
/// Whole enough to draw it and to play on: boards know no rules. Names and reasons are in the language of
/// `Accept-Language`, English or Korean.
#[utoipa::path(post, path = "/api/v1/position", operation_id = "position", tag = "boards", security(()),
    request_body = BoardQuestion,
    responses((status = 200, body = PositionAnswer),
        (status = 400, description = "No such game, or a move that is not legal: `at` is its number, from 0"),
        (status = 413, description = "A question of more than 16 KiB"),
        (status = 503, description = "No room for another question")))]
async fn show(
    Extension(rooms): Extension<Arc<Rooms>>,
    question: Result<Json<BoardQuestion>, JsonRejection>,
) -> Result<Response, QuestionError> {
    let Json(question) = question?;
    let answer = rooms.positions.run(move |_| question.play().map(|game| position(&game))).await??;
    Ok(Json(answer.spoken()).into_response())
}

/// A number within its bounds, or the usual one.
fn within<T: Ord + Copy + std::fmt::Display>(
    name: &str,
    asked: Option<T>,
    least: T,
    (usual, most): (T, T),
) -> Result<T, QuestionError> {
    let number = asked.unwrap_or(usual);
    if (least..=most).contains(&number) {
        Ok(number)
    } else {
        Err(QuestionError::new(&format!("`{name}` is {number}; {least} to {most} expected")))
    }
}

/// Who answers where no player is named: the last built-in one of a list is the strongest.
fn strongest(game: Game) -> &'static str {
    game.builtins.last().map_or("", |builtin| builtin.name)
}

/// How long an analysis takes that was asked for with this number of seconds, where none takes longer than `longest`;
/// `None`: until it is stopped.
fn time_of(seconds: Option<u64>, longest: Option<Duration>) -> Result<Option<Duration>, QuestionError> {
    match (seconds, longest) {
        (None, _) => Ok(Some(USUAL_TIME)),
        (Some(0), longest) => Ok(longest),
        (Some(asked), Some(longest)) if asked > longest.as_secs() => {
            let most = longest.as_secs();
            Err(QuestionError::new(&format!("`seconds` is {asked}; 1 to {most} expected, or 0 for as long as allowed")))
        }
        (Some(asked), _) => Ok(Some(Duration::from_secs(asked))),
    }
}

/// The move of a built-in player.
#[derive(Serialize, ToSchema)]
pub(crate) struct MoveAnswer {
    /// As the judge writes it: the arguments of MOVE.
    #[serde(rename = "move")]
    judged: String,
    /// As people write it.
    letters: String,
    /// What the player thinks of its position, for people; null where it says nothing.
    score: Option<String>,
    /// How long it took, in milliseconds.
    ms: f64,
}

/// The move of a built-in player
///
/// The search ends when its stream is dropped.
#[utoipa::path(post, path = "/api/v1/move", operation_id = "engine_move", tag = "boards", security(()),
    request_body = BoardQuestion,
    responses((status = 200, body = MoveAnswer),
        (status = 400, description = "No such position or player, or the game is over"),
        (status = 413, description = "A question of more than 16 KiB"),
        (status = 503, description = "No room for another search")))]
async fn reply(
    State(service): State<Arc<EngineService>>,
    Extension(rooms): Extension<Arc<Rooms>>,
    address: Option<Extension<SearcherAddress>>,
    question: Result<Json<BoardQuestion>, JsonRejection>,
) -> Result<Response, QuestionError> {
    let Json(question) = question?;
    let longest = Duration::from_millis(within("ms", question.ms, 1, MOVE_MS)?);
    // A clock alone says how long; the rest is a bound.
    let longest =
        if question.ms.is_none() && question.clock.is_some() { Duration::from_millis(MOVE_MS.1) } else { longest };
    let clock = question.clock.map(|clock| {
        let [left, increment] = clock.map(Duration::from_millis);
        TimeControl::with_increment(left, increment)
    });
    let (question, game) = played(&rooms, question).await?;
    let player = question.engine.clone().unwrap_or_else(|| strongest(game.game).to_owned());
    game.game.find(&player).map_err(|error| QuestionError::new(&error))?;
    let position = AnalysedPosition::of(game.game, game.state.as_ref())?;
    let seed = question.engine_seed.unwrap_or_else(agon_site::secret::number);
    let begun = Instant::now();
    let (send, receive) = oneshot::channel();
    let ticket = service.begin(searcher(address, &question.client), SearchPriority::Pages, move |stop, _| {
        // Its turn comes before its tables.
        if stop.is_raised() {
            return;
        }
        let task = position.move_task(longest, clock, stop);
        let _ = send.send(position.reply(&player, seed, &task));
    })?;
    let reply = receive.await.map_err(|_| QuestionError::busy(&"the engine gave no answer"))?;
    drop(ticket);
    let reply = reply.map_err(|error| QuestionError::new(&error))?;
    let reply = reply.ok_or_else(|| QuestionError::new(&"the game is over"))?;
    let ms = begun.elapsed().as_secs_f64() * 1000.0;
    let score = reply.score.as_deref().map(said);
    Ok(Json(MoveAnswer { judged: reply.judged, letters: reply.letters, score, ms }).into_response())
}

/// The question of a stream, as JSON in the address.
#[derive(Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
struct StreamQuery {
    /// A `BoardQuestion` as JSON.
    request: String,
}

/// An analysis as events
///
/// Server-sent events with what `agon analyze --format json` prints: `line`, `best` and `win`, or `values` in
/// domineering; at the end, `end`. It ends with the stream.
#[utoipa::path(get, path = "/api/v1/analysis", operation_id = "analysis", tag = "boards", security(()),
    params(StreamQuery),
    responses((status = 200, body = String, content_type = "text/event-stream"),
        (status = 400, description = "No such position"),
        (status = 503, description = "No room for another search")))]
async fn analyse(
    State(service): State<Arc<EngineService>>,
    Extension(rooms): Extension<Arc<Rooms>>,
    address: Option<Extension<SearcherAddress>>,
    query: Result<Query<StreamQuery>, QueryRejection>,
) -> Result<Response, QuestionError> {
    let Query(query) = query.map_err(|refused| QuestionError::new(&refused.body_text()))?;
    let question: BoardQuestion = serde_json::from_str(&query.request)
        .map_err(|error| QuestionError::new(&format!("`request` is no question: {error}")))?;
    let time = time_of(question.seconds, service.max_time())?;
    let lines = within("lines", question.lines, 1, LINES)?;
    let limits = SearchLimits { nodes: question.nodes, time, ..SearchLimits::default() };
    let (question, game) = played(&rooms, question).await?;
    if let Some(threads) = question.threads.filter(|_| !game.game.can(Capability::ParallelSearch)) {
        let name = game.game.name();
        return Err(QuestionError::new(&format!(
            "`threads` is {threads}, but {name} is searched by one: leave it out"
        )));
    }
    let threads = within("threads", question.threads, 1, (1, service.max_threads()))?;
    let moves = question.considered(&game)?;
    let table_bytes = within("hash", question.hash, 1, service.hash_mib())? << 20;
    let position = AnalysedPosition::of(game.game, game.state.as_ref())?;
    let wish = SearchWish { limits, lines, moves, table_bytes, threads };
    // A search reports some lines for each depth: there are never many that wait.
    let (send, receive) = mpsc::unbounded_channel();
    let ticket =
        service.begin(searcher(address, &question.client), SearchPriority::Background, move |stop, ended| {
            let begun = Instant::now();
            let mut send = |name: &'static str, data: serde_json::Value| {
                let _ = send.send(Event::default().event(name).data(data.to_string()));
            };
            if let Err(error) = position.analyse(&wish, stop, &mut send) {
                tracing::error!("an analysis failed: {error}");
            }
            let reason = match ended() {
                Some(EndedBy::Replaced) => "replaced",
                Some(EndedBy::Crowded) => "crowded",
                Some(EndedBy::Stopping) => "stopping",
                Some(EndedBy::Gone) => return,
                None if time.is_some_and(|time| begun.elapsed() >= time) => "time",
                None => "done",
            };
            send("end", json!({ "reason": reason }));
        })?;
    let events = UnboundedReceiverStream::new(receive).map(move |event| {
        // The search ends with the stream.
        let _ticket = &ticket;
        Ok::<_, Infallible>(event)
    });
    let events = Sse::new(events).keep_alive(KeepAlive::default());
    Ok(([("x-accel-buffering", "no")], events).into_response())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_analysis_of_a_site_ends_and_one_of_an_own_machine_goes_on() {
        let seconds = Duration::from_secs;
        let check = |asked, longest: Option<u64>, wanted: Option<Option<u64>>| {
            let found = time_of(asked, longest.map(seconds)).ok();
            assert_eq!(found, wanted.map(|time| time.map(seconds)), "{asked:?} of {longest:?}");
        };
        check(Some(0), None, Some(None));
        check(Some(0), Some(300), Some(Some(300)));
        check(Some(900), None, Some(Some(900)));
        check(Some(900), Some(300), None);
        check(None, None, Some(Some(30)));
        assert_eq!(EngineService::default().max_time(), None);
        assert!(EngineService::new(1).max_time().is_some());
        assert_eq!(EngineService::new(8).max_threads(), 1, "a site's visitors share its processors");
    }
}
