//! The interface for programs: JSON below `/api/v1`. Every route is a handler with its description, and the document of
//! `OpenAPI` is generated from the same list, so neither can have anything that the other lacks.

mod account;
pub mod answers;
mod competitions;
mod document;
mod events;
mod finals;
pub(crate) mod fleet;
mod games;
mod host;
mod ladder;
mod league;
mod programs;
mod similarity;
mod site;
mod teams;
mod versions;
mod visitor;

use std::sync::{Arc, LazyLock};

use agon_boards::analysis;
use agon_boards::headers::CachePolicy;
use axum::Router;
use axum::extract::DefaultBodyLimit;
use axum::http::header;
use axum::response::{IntoResponse, Response};
use utoipa::openapi::OpenApi;
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

use crate::site::Site;

fn routes(small: usize, large: usize) -> OpenApiRouter<Arc<Site>> {
    let submissions = OpenApiRouter::new().routes(routes!(versions::submit)).layer(DefaultBodyLimit::max(large));
    OpenApiRouter::with_openapi(document::head())
        .routes(routes!(document_of_all))
        .routes(routes!(site::site))
        .routes(routes!(site::rules))
        .routes(routes!(site::queue))
        .routes(routes!(site::search))
        .routes(routes!(site::announcements))
        .routes(routes!(competitions::competitions))
        .routes(routes!(competitions::competition))
        .routes(routes!(ladder::ladder))
        .routes(routes!(league::league))
        .routes(routes!(league::set))
        .routes(routes!(programs::program, programs::delete))
        .routes(routes!(programs::set_withdrawn))
        .routes(routes!(programs::rename))
        .routes(routes!(programs::opponents))
        .routes(routes!(programs::head_to_head))
        .routes(routes!(programs::activate))
        .routes(routes!(programs::set_by_hand))
        .routes(routes!(programs::ask))
        .routes(routes!(games::games))
        .routes(routes!(games::game))
        .routes(routes!(games::record))
        .routes(routes!(games::events))
        .routes(routes!(games::evaluation))
        .routes(routes!(versions::version))
        .routes(routes!(versions::check))
        .routes(routes!(versions::source))
        .routes(routes!(versions::events))
        .routes(routes!(versions::failure))
        .routes(routes!(finals::finals, finals::begin))
        .routes(routes!(finals::one))
        .routes(routes!(finals::stop))
        .routes(routes!(account::me))
        .routes(routes!(account::tokens, account::add_token))
        .routes(routes!(account::delete_token))
        .routes(routes!(account::dismiss))
        .routes(routes!(account::export))
        .routes(routes!(account::enter))
        .routes(routes!(teams::own))
        .routes(routes!(teams::make))
        .routes(routes!(teams::team))
        .routes(routes!(teams::ask))
        .routes(routes!(teams::remove))
        .routes(routes!(teams::join))
        .routes(routes!(teams::leave))
        .routes(routes!(host::state))
        .routes(routes!(events::events))
        .routes(routes!(fleet::fleet))
        .routes(routes!(host::sign_up))
        .routes(routes!(host::read_only))
        .routes(routes!(host::clear_shared))
        .routes(routes!(host::export))
        .routes(routes!(host::announce))
        .routes(routes!(host::unannounce))
        .routes(routes!(host::invitations, host::invite))
        .routes(routes!(host::uninvite))
        .routes(routes!(host::accounts))
        .routes(routes!(host::account, host::delete))
        .routes(routes!(host::freeze))
        .routes(routes!(host::bar))
        .routes(routes!(competitions::make))
        .routes(routes!(competitions::hosted, competitions::change, competitions::delete))
        .routes(routes!(competitions::people))
        .routes(routes!(competitions::remove))
        .routes(routes!(competitions::close))
        .routes(routes!(host::invite_into))
        .routes(routes!(similarity::last, similarity::compare))
        .routes(routes!(similarity::pair))
        .routes(routes!(similarity::unlikely))
        .layer(DefaultBodyLimit::max(small))
        .merge(submissions)
}

/// The routes that know the site; with the limits of bodies and of submissions in bytes.
pub(crate) fn router(small: usize, large: usize) -> Router<Arc<Site>> {
    routes(small, large).split_for_parts().0
}

/// The document of `OpenAPI`.
pub(crate) fn openapi() -> &'static OpenApi {
    static DOCUMENT: LazyLock<OpenApi> = LazyLock::new(|| {
        // The routes of boards are served separately, since they need no site.
        let all = routes(0, 0).merge(analysis::described(&Arc::default()));
        document::complete(all.split_for_parts().1)
    });
    &DOCUMENT
}

/// This document
#[utoipa::path(
    get, path = "/api/v1/openapi.json", operation_id = "document", tag = "site", security(()),
    responses((status = 200, body = Object))
)]
async fn document_of_all() -> Response {
    let headers = [(header::CONTENT_TYPE, "application/json")];
    CachePolicy::MINUTES.on((headers, openapi().to_json().unwrap_or_default()).into_response())
}
