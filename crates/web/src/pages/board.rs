//! The boards, as pages of a site.

use std::sync::Arc;

use axum::extract::Path;
use axum::response::Response;
use axum::{Extension, Form};

use crate::board::{self, DishForm};
use crate::error::SiteError;
use crate::limits::Rooms;
use crate::site::SiteResult;
use crate::visitor::Visitor;

/// All that can be played.
pub async fn start(visitor: Visitor) -> Response {
    board::start(true).show(&visitor)
}

pub async fn titled(visitor: Visitor, Path(name): Path<String>) -> SiteResult<Response> {
    Ok(board::titled(&name, true, &|_| Vec::new()).ok_or(SiteError::NotFound)?.show(&visitor))
}

/// The form of a dish.
pub async fn dish(visitor: Visitor) -> SiteResult<Response> {
    titled(visitor, Path("petri".to_owned())).await
}

/// Runs the dish of a form.
pub async fn run_dish(visitor: Visitor, rooms: Extension<Arc<Rooms>>, form: Form<DishForm>) -> Response {
    board::run_dish(rooms, form).await.show(&visitor)
}
