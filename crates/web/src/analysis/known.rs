//! What is known of a position without a search.

use std::sync::Arc;

use agon_arena::analysis::judge::read;
use agon_arena::analysis::known::{KnownBy, KnownPosition, known};
use agon_catalog::Capability;
use agon_game::Show as _;
use agon_rules::renju::{Move, Renju};
use axum::Extension;
use axum::extract::State;
use axum::extract::rejection::JsonRejection;
use serde::Serialize;
use tokio::sync::oneshot;
use utoipa::ToSchema;
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

use crate::json::Json;

use super::asker::{SearcherAddress, searcher};
use super::question::{BoardQuestion, QuestionError};
use super::service::{EngineService, SearchPriority};

/// What is asked by POST, although it changes nothing.
pub(super) const QUESTION: &str = "/api/v1/known";

pub(super) fn described<S: Clone + Send + Sync + 'static>(service: &Arc<EngineService>) -> OpenApiRouter<S> {
    OpenApiRouter::new().routes(routes!(answer)).with_state(Arc::clone(service))
}

/// A move that something is known about.
#[derive(Serialize, ToSchema)]
pub(crate) struct KnownMove {
    /// As the judge writes it.
    #[serde(rename = "move")]
    judged: String,
    /// As people write it.
    letters: String,
    /// `proved`; `practised`, which has held in games; or `open`, which the proof has not decided.
    by: &'static str,
    /// Who is proved to win after it: 0 or 1.
    winner: Option<usize>,
    /// Of an open one: how many positions of its proof were still to be won.
    positions: Option<u32>,
}

/// What is known of a position.
#[derive(Default, Serialize, ToSchema)]
pub(crate) struct KnownAnswer {
    /// Who is proved to win: 0 or 1.
    winner: Option<usize>,
    /// A line of the proof to the end, with the answers that hold out longest. As the judge writes it.
    line: Vec<String>,
    /// The same as people write it.
    letters: Vec<String>,
    /// The moves that something is known about.
    moves: Vec<KnownMove>,
}

impl From<KnownPosition> for KnownAnswer {
    fn from(found: KnownPosition) -> Self {
        let moves = found.moves.into_iter().map(|(m, by)| KnownMove {
            judged: m.to_string(),
            letters: Renju::letters(m),
            by: match by {
                KnownBy::Proof(_) => "proved",
                KnownBy::Practice => "practised",
                KnownBy::Open(_) => "open",
            },
            winner: match by {
                KnownBy::Proof(side) => Some(side.index()),
                KnownBy::Practice | KnownBy::Open(_) => None,
            },
            positions: match by {
                KnownBy::Open(positions) => positions,
                KnownBy::Proof(_) | KnownBy::Practice => None,
            },
        });
        Self {
            winner: found.winner.map(agon_game::Side::index),
            line: found.line.iter().map(Move::to_string).collect(),
            letters: found.line.iter().map(|&m| Renju::letters(m)).collect(),
            moves: moves.collect(),
        }
    }
}

/// What is known of a position
///
/// Without a search: what the books of renju prove, with a line to the end, and what has held in practice. Of other
/// games nothing.
#[utoipa::path(post, path = "/api/v1/known", operation_id = "known", tag = "boards", security(()),
    request_body = BoardQuestion,
    responses((status = 200, body = KnownAnswer),
        (status = 400, description = "No such position, or a move is not legal"),
        (status = 413, description = "A question of more than 16 KiB"),
        (status = 503, description = "No room for another search")))]
async fn answer(
    State(service): State<Arc<EngineService>>,
    address: Option<Extension<SearcherAddress>>,
    question: Result<Json<BoardQuestion>, JsonRejection>,
) -> Result<Json<KnownAnswer>, QuestionError> {
    let Json(question) = question?;
    // It runs beside the analysis of the page.
    let asker = searcher(address, &format!("{} known", question.client));
    let (send, receive) = oneshot::channel();
    let ticket = service.begin(asker, SearchPriority::Pages, move |stop, _| {
        let found = question.play().and_then(|game| {
            if !game.game.can(Capability::Book) {
                return Ok(KnownAnswer::default());
            }
            let position: Renju = read(&game.state.position()).map_err(|error| QuestionError::new(&error))?;
            Ok(known(&position, &stop).into())
        });
        let _ = send.send(found);
    })?;
    let found = receive.await.map_err(|_| QuestionError::busy(&"the search was stopped"))?;
    drop(ticket);
    found.map(Json)
}
