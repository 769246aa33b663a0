//! The fleet that plays games for the site.

use std::sync::Arc;

use agon_boards::json::Json;
use axum::extract::State;

use super::visitor::ApiVisitor;
use crate::fleet_overview::ApiFleet;
use crate::site::{Site, SiteResult};

/// The fleet
///
/// The machines that play games for the site, and what keeps them from it. Scope `host`.
#[utoipa::path(
    get, path = "/api/v1/host/fleet", operation_id = "fleet", tag = "host",
    responses(
        (status = 200, body = ApiFleet),
        (status = 403, description = "Not the host"),
        (status = 404, description = "The site plays all games itself")
    )
)]
pub(crate) async fn fleet(State(site): State<Arc<Site>>, visitor: ApiVisitor) -> SiteResult<Json<ApiFleet>> {
    visitor.host()?;
    ApiFleet::read(&site).await.map(Json)
}
