//! The boards, as pages of a site.

use std::sync::Arc;

use agon_analysis::dish::DishQuestion;
use agon_boards::analysis::{BoardQuestion, QuestionError};
use agon_boards::board::agents::AgentMove;
use agon_boards::board::{self, BoardHost, Offered};
use agon_boards::json::Json;
use agon_boards::limits::{LimitedActor, Rooms};
use agon_catalog::Game;
use axum::extract::rejection::JsonRejection;
use axum::extract::{Path, Query, State};
use axum::response::Response;
use axum::{Extension, Form};
use serde::Deserialize;

use crate::by_hand;
use crate::error::SiteError;
use crate::layout::ShowPage as _;
use crate::rate::LimitedAction;
use crate::site::{Site, SiteResult};
use crate::visitor::Visitor;

/// Everything that can be played.
pub(crate) async fn start(visitor: Visitor) -> Response {
    board::start(BoardHost::Site).show(&visitor)
}

#[derive(Default, Deserialize)]
#[serde(default)]
pub(crate) struct BoardQuery {
    /// The program of the site to play against.
    program: Option<i64>,
}

pub(crate) async fn titled(
    State(site): State<Arc<Site>>,
    visitor: Visitor,
    Path(name): Path<String>,
    Query(query): Query<BoardQuery>,
) -> SiteResult<Response> {
    let offered = match Game::by_name(&name).filter(|game| game.has_turns()) {
        Some(game) => by_hand::offered(&site, &visitor, game, query.program).await?,
        None => Offered::default(),
    };
    Ok(board::titled(&name, BoardHost::Site, |_| offered).ok_or(SiteError::NotFound)?.show(&visitor))
}

/// The move of a program of the site in a game against a person.
pub(crate) async fn ask(
    State(site): State<Arc<Site>>,
    visitor: Visitor,
    question: Result<Json<BoardQuestion>, JsonRejection>,
) -> Result<Json<AgentMove>, QuestionError> {
    let Json(question) = question?;
    site.take(LimitedAction::Board, LimitedActor::at(visitor.address))?;
    by_hand::reply(&site, &visitor, question).await.map(Json)
}

/// The form of a dish.
pub(crate) async fn dish(visitor: Visitor) -> SiteResult<Response> {
    Ok(board::titled("petri", BoardHost::Site, |_| Offered::default()).ok_or(SiteError::NotFound)?.show(&visitor))
}

/// Runs the dish of a form.
pub(crate) async fn run_dish(visitor: Visitor, rooms: Extension<Arc<Rooms>>, form: Form<DishQuestion>) -> Response {
    board::run_dish(rooms, form).await.show(&visitor)
}
