//! All routes, and the layers before each of them.

use std::sync::Arc;

use agon_boards::board::FileBounds;
use agon_boards::headers::headers;
use agon_boards::layout::LANGUAGE;
use agon_boards::limits::ANSWER_TIMEOUT;
use agon_boards::text::speaking;
use agon_boards::{analysis, assets};
use axum::extract::DefaultBodyLimit;
use axum::http::StatusCode;
use axum::middleware;
use axum::response::Response;
use axum::routing::{get, post};
use axum::{Extension, Router};
use tower_http::CompressionLevel;
use tower_http::catch_panic::CatchPanicLayer;
use tower_http::compression::CompressionLayer;
use tower_http::timeout::TimeoutLayer;

use crate::auth::{guard, searcher};
use crate::bodies::{counted, metered};
use crate::cache::{PageCache, cached};
use crate::limits::{MAX_LARGE_BYTES, MAX_SMALL_BYTES};
use crate::pages::{
    account, board, competitions, design, desk, events, finals, fleet, following, front, game, host, interface, ladder,
    language, league, messages, notices, own_games, own_program, person, program, queue, roster, rules, shared,
    sign_in, similarity, submit, teams, today, trial, tv, two_factor,
};
use crate::privacy::veiled;
use crate::refusals::rendered;
use crate::routes::Routes;
use crate::site::Site;
use crate::visitor::Visitor;
use crate::{api, changes, download, evaluation, requests};

pub(crate) fn router(site: &Arc<Site>) -> Router {
    let searcher = middleware::from_fn_with_state(Arc::clone(site), searcher);
    pages()
        .into_parts()
        .0
        .merge(api::router(MAX_SMALL_BYTES, MAX_LARGE_BYTES))
        .route_layer(middleware::from_fn_with_state(Arc::clone(site), veiled))
        .merge(
            analysis::routes(&site.boards.engines).layer(DefaultBodyLimit::max(MAX_SMALL_BYTES)).route_layer(searcher),
        )
        .fallback(front::nowhere)
        .layer(Extension(Arc::clone(&site.rooms.boards)))
        .layer(middleware::from_fn_with_state(Arc::clone(site), metered))
        .layer(middleware::from_fn_with_state(Arc::clone(site), guard))
        .layer(TimeoutLayer::with_status_code(StatusCode::REQUEST_TIMEOUT, ANSWER_TIMEOUT))
        .layer(CatchPanicLayer::custom(requests::panicked))
        .layer(middleware::from_fn_with_state(Arc::clone(site), counted))
        .layer(middleware::from_fn_with_state(Arc::clone(site), rendered))
        .layer(middleware::from_fn_with_state(site.options.is_secure(), speaking))
        .layer(CompressionLayer::new().quality(CompressionLevel::Fastest))
        .layer(middleware::from_fn(headers))
        .layer(middleware::from_fn_with_state(Arc::clone(site), requests::observed))
        .with_state(Arc::clone(site))
}

/// The pages, and what belongs to them.
pub(crate) fn pages() -> Routes {
    let crowded =
        crowded().with(|router| router.route_layer(middleware::from_fn_with_state(PageCache::default(), cached)));
    let small = watching().merge(crowded).merge(own()).merge(hosting());
    small
        .with(|router| router.layer(DefaultBodyLimit::max(MAX_SMALL_BYTES)))
        .merge(texts().with(|router| {
            router.layer(DefaultBodyLimit::max(FileBounds::SITE.request)).layer(Extension(FileBounds::SITE))
        }))
        .merge(large().with(|router| router.layer(DefaultBodyLimit::max(MAX_LARGE_BYTES))))
}

/// Routes that accept a source.
fn large() -> Routes {
    Routes::default()
        .route("/submit", get(submit::form).post(submit::submit))
        .route("/try/{slug}", post(trial::begin))
        .route("/host/games", get(own_games::show).post(own_games::upload))
        .route("/host/competitions/{id}/roster/file", post(roster::import))
        .route("/signin", get(sign_in::sign_in_form).post(sign_in::sign_in))
        .route("/signin/code", post(sign_in::sign_in_with_code))
        .route("/signup", get(sign_in::sign_up_form).post(sign_in::sign_up))
}

/// Games as texts.
fn texts() -> Routes {
    Routes::default()
        .route("/board/read", post(agon_boards::board::read))
        .route("/board/write", post(agon_boards::board::write))
}

/// Pages for everyone, which look the same for all who have not signed in.
fn crowded() -> Routes {
    Routes::default()
        .route("/", get(front::start))
        .route("/ladder/{competition}", get(ladder::ladder))
        .route("/ladder/{competition}/league", get(league::show))
        .route("/final/{id}", get(finals::show))
}

fn watching() -> Routes {
    Routes::default()
        .route("/watch", get(front::watch))
        .route("/tv", get(tv::show))
        .route("/tv/wall", get(tv::wall))
        .route("/changes", get(changes::follow))
        .route("/design", get(design::show))
        .route("/games", get(ladder::games))
        .route("/game/{id}", get(game::show))
        .route("/game/{id}/record", get(game::record))
        .route("/game/{id}/steps", get(game::steps))
        .route("/game/{id}/events", get(game::events))
        .route("/game/{id}/evaluation", get(evaluation::events))
        .route("/game/{id}/embed", get(game::embed))
        .route("/game/{id}/picture.png", get(game::picture))
        .route("/game/{id}/card.png", get(game::card))
        .route("/program/{id}", get(program::show))
        .route("/person/{id}", get(person::show))
        .route("/following", get(following::show))
        .route("/versus/{one}/{other}", get(program::versus))
        .route("/finals", get(finals::list))
        .route("/final/{id}/standings.csv", get(finals::csv))
        .route("/final/{id}/pairings.csv", get(finals::pairings_csv))
        .route("/final/{id}/screen", get(finals::screen))
        .route("/search", get(front::search))
        .route("/board", get(board::start))
        .route("/board/{name}", get(board::titled))
        .route("/board/agent", post(board::ask))
        .route("/board/petri", get(board::dish).post(board::run_dish))
        .route("/board/invite", get(shared::form).post(shared::open))
        .route("/board/game/{id}", get(shared::show))
        .route("/board/game/{id}/events", get(shared::events))
        .route("/board/game/{id}/picture.png", get(shared::picture))
        .route("/board/game/{id}/record", get(shared::record))
        .route("/board/game/{id}/join", post(shared::join))
        .route("/board/game/{id}/move", post(shared::play))
        .route("/board/game/{id}/resign", post(shared::resign))
        .route("/board/game/{id}/draw", post(shared::draw))
        .route("/board/game/{id}/takeback", post(shared::take_back))
        .route("/board/game/{id}/answer", post(shared::answer))
        .route("/board/game/{id}/again", post(shared::again))
        .route("/queue", get(queue::show))
        .route("/rules", get(rules::list))
        .route("/rules/{game}", get(rules::show))
        .route("/rules/{game}/picture.png", get(rules::picture))
        .route("/rules/{game}/pictures/{file}", get(rules::rule_picture))
        .route("/rules/{game}/files/{file}", get(rules::file))
        .route("/api", get(interface))
        .route("/healthz", get(front::health))
        .route("/metrics", get(front::metrics))
        .route("/assets/{digest}/{file}", get(assets::serve))
}

/// The page of the API, generated from its document.
async fn interface(visitor: Visitor) -> Response {
    interface::show(api::openapi(), &visitor)
}

/// Routes of an account.
fn own() -> Routes {
    Routes::default()
        .route("/signout", post(sign_in::sign_out))
        .route(LANGUAGE, post(language::choose))
        .route("/join", get(sign_in::code_form))
        .route("/join/{word}", get(sign_in::join_form).post(sign_in::join))
        .route("/me", get(account::me))
        .route("/me/tokens", post(account::add_token))
        .route("/me/tokens/{id}/delete", post(account::delete_token))
        .route("/me/password", post(account::change_password))
        .route("/me/totp", post(two_factor::begin))
        .route("/me/totp/confirm", post(two_factor::confirm))
        .route("/me/totp/codes", post(two_factor::renew))
        .route("/me/totp/remove", post(two_factor::remove))
        .route("/me/sessions/{id}/end", post(account::end_session))
        .route("/recover/{word}", get(account::recover_form).post(account::recover))
        .route("/me/notices/dismiss", post(notices::dismiss))
        .route("/me/export", get(download::own))
        .route("/me/delete", post(account::delete))
        .route("/me/messages", get(messages::own))
        .route("/teams", get(teams::list).post(teams::create))
        .route("/team/{id}", get(teams::show))
        .route("/team/{id}/members", post(teams::ask))
        .route("/team/{id}/members/{account}/remove", post(teams::remove))
        .route("/team/{id}/join", post(teams::join))
        .route("/team/{id}/leave", post(teams::leave))
        .route("/versus/{one}/{other}/ask", post(program::ask))
        .route("/program/{id}/activate", post(program::activate))
        .route("/program/{id}/by-hand", post(program::set_by_hand))
        .route("/program/{id}/follow", post(following::set))
        .route("/program/{id}/unfollow", post(following::set))
        .route("/person/{id}/follow", post(following::set))
        .route("/person/{id}/unfollow", post(following::set))
        .route("/program/{id}/withdraw", post(own_program::withdraw))
        .route("/program/{id}/return", post(own_program::restore))
        .route("/program/{id}/rename", post(own_program::rename))
        .route("/program/{id}/delete", post(own_program::delete))
        .route("/trial/{word}", get(trial::show))
        .route("/version/{id}", get(submit::version))
        .route("/version/{id}/check", post(submit::check_again))
        .route("/version/{id}/events", get(submit::events))
        .route("/version/{id}/failure.tar.gz", get(submit::failure))
}

fn hosting() -> Routes {
    Routes::default()
        .route("/host", get(host::show))
        .route("/host/export", get(download::whole))
        .route("/host/similarity", get(similarity::show).post(similarity::compare))
        .route("/host/similarity/{one}/{other}", get(similarity::pair))
        .route("/host/unlikely", get(similarity::unlikely))
        .route("/host/events", get(events::show))
        .route("/host/events.csv", get(events::csv))
        .route("/host/fleet", get(fleet::show))
        .route("/host/open", post(host::set_open))
        .route("/host/read-only", post(host::set_read_only))
        .route("/host/shared/clear", post(host::clear_shared))
        .route("/host/competitions", get(competitions::list).post(competitions::make))
        .route("/host/competitions/new", get(competitions::new))
        .route("/host/competitions/{id}", get(desk::overview).post(competitions::change))
        .route("/host/competitions/{id}/settings", get(competitions::settings))
        .route("/host/competitions/{id}/rules", get(competitions::rules))
        .route("/host/competitions/{id}/people/{account}/link", post(roster::reissue))
        .route("/host/competitions/{id}/final", get(competitions::finals))
        .route("/host/competitions/{id}/close", post(competitions::close))
        .route("/host/competitions/{id}/reopen", post(competitions::reopen))
        .route("/host/competitions/{id}/pause", post(competitions::pause))
        .route("/host/competitions/{id}/league", post(competitions::set_league))
        .route("/host/competitions/{id}/delete", post(competitions::delete))
        .route("/host/competitions/{id}/invitations", post(roster::invite))
        .route("/host/competitions/{id}/finals", post(competitions::begin_final))
        .route("/host/competitions/{id}/finals/cancel", post(competitions::cancel_final))
        .route("/final/{id}/stop", post(finals::stop))
        .route("/final/{id}/out", post(finals::set_out))
        .route("/host/competitions/{id}/roster", post(roster::make))
        .route("/host/competitions/{id}/people", get(roster::people).post(roster::set_groups))
        .route("/host/competitions/{id}/people/{account}", post(roster::remove))
        .route("/host/messages", get(messages::show).post(messages::send))
        .route("/host/today", get(today::show))
        .route("/host/invitations", post(host::invite))
        .route("/host/invitations/{id}/delete", post(host::uninvite))
        .route("/host/announcements", post(host::announce))
        .route("/host/announcements/{id}/delete", post(host::unannounce))
        .route("/host/accounts/{id}", get(host::account))
        .route("/host/accounts/{id}/freeze", post(host::freeze))
        .route("/host/accounts/{id}/recover", post(host::recover))
        .route("/host/accounts/{id}/delete", post(host::delete))
        .route("/host/programs/{id}/bar", post(host::bar))
        .route("/host/contests", get(competitions::moved))
        .route("/host/contests/{*rest}", get(competitions::moved))
}
