//! Games of two people by link: the form that opens one, the page on which the two play and others watch, and that
//! page's requests.

use std::convert::Infallible;
use std::net::IpAddr;
use std::sync::Arc;
use std::time::Duration;

use agon_boards::analysis::QuestionError;
use agon_boards::board::{CLOCKS, clock_words, record_of, settings, tabs};
use agon_boards::headers::CachePolicy;
use agon_boards::json::Json;
use agon_boards::layout::{Page, problem};
use agon_boards::limits::{Effort, LimitedActor, held};
use agon_boards::picture::Picture;
use agon_boards::text::{game_rules, game_title, locale, localized, rich, script_words, t};
use agon_catalog::{Capability, Game, Setup};
use agon_game::{Public, Side};
use agon_message::{English, Locale};
use agon_site::clock::now_ms;
use agon_site::secret;
use agon_site::store::{SharedChange, SharedClock, SharedGame, SharedOffer, SharedSeat};
use axum::Form;
use axum::body::{Body, Bytes};
use axum::extract::rejection::JsonRejection;
use axum::extract::{Path, Query, State};
use axum::http::{StatusCode, header};
use axum::response::{IntoResponse, Redirect, Response};
use futures_util::stream;
use maud::{Markup, html};
use serde::Deserialize;
use serde_json::json;
use tokio::sync::watch;

use super::preview::{Preview, picture_answer};
use crate::error::{RequestError, SiteError};
use crate::layout::ShowPage as _;
use crate::limits::OPEN_GAMES;
use crate::rate::LimitedAction;
use crate::shared::{self, SharedAct, SharedFollower, SharedNews};
use crate::site::{Site, SiteResult};
use crate::visitor::Visitor;

/// Digits of the secret word in the address of a game.
const ID: usize = 16;

/// How long a stream is silent at most: proxies close those that are silent for longer.
const SILENCE: Duration = Duration::from_secs(15);

/// How often a change is tried if others get in between.
const ATTEMPTS: u32 = 5;

/// The name of a visitor who has not signed in.
const GUEST: &str = "a guest";

fn milliseconds() -> i64 {
    now_ms() as i64
}

/// A game to open, as typed.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(default)]
pub(crate) struct SharedForm {
    game: String,
    side: String,
    clock: String,
    rows: String,
    columns: String,
}

/// Sides that can be chosen: as it comes, the first, the second.
fn sides() -> [(&'static str, String); 3] {
    [("", t!("shared-side-any")), ("first", t!("shared-side-first")), ("second", t!("shared-side-second"))]
}

/// The form that opens a game.
pub(crate) async fn form(visitor: Visitor, Query(typed): Query<SharedForm>) -> Response {
    form_page(&visitor, &typed, None)
}

fn form_page(visitor: &Visitor, typed: &SharedForm, wrong: Option<&str>) -> Response {
    let size = |text: &str| if text.is_empty() { "8".to_owned() } else { text.to_owned() };
    let body = html! {
        (tabs(""))
        h1 { (t!("shared-title")) }
        p { (t!("shared-intro")) }
        (problem(wrong))
        form.stack.narrow method="post" action="/board/invite" {
            label { (t!("shared-game")) select name="game" {
                @for game in Game::by_hand().filter(|game| game.has_turns()) {
                    option value=(game.name()) selected[typed.game == game.name()] { (game_title(game)) }
                }
            } }
            label { (t!("shared-side")) select name="side" {
                @for (value, text) in sides() { option value=(value) selected[typed.side == value] { (text) } }
            } }
            label { (t!("shared-clock")) select name="clock" {
                option value="" { (t!("shared-no-clock")) }
                @for value in CLOCKS {
                    option value=(value) selected[typed.clock == value] { (clock_words(value)) }
                }
            } }
            div.fields {
                @for (name, text, value) in [
                    ("rows", t!("shared-rows"), &typed.rows),
                    ("columns", t!("shared-columns"), &typed.columns),
                ] {
                    label {
                        (text)
                        input type="number" name=(name) min="1" max="8" value=(size(value)) required;
                    }
                }
            }
            button.primary type="submit" { (t!("shared-open")) }
        }
        p.faint { (t!("shared-open-hint")) }
    };
    let status = if wrong.is_some() { StatusCode::UNPROCESSABLE_ENTITY } else { StatusCode::OK };
    Page::new(t!("shared-title"), body).with_status(status).show(visitor)
}

/// The game from a form, and the seat of its opener.
fn typed_game(typed: &SharedForm) -> Result<(SharedGame, [String; 2], Side), String> {
    let game = Game::by_name(&typed.game).filter(|game| game.has_turns()).ok_or_else(|| t!("shared-choose-game"))?;
    let mut setup = Setup::default();
    if game.is_seeded() {
        // A number that browsers write exactly.
        setup.seed = secret::number() >> 32;
    }
    if game.can(Capability::DrawnStart) {
        for (name, value) in [("rows", &typed.rows), ("columns", &typed.columns)] {
            setup.parameters.insert(name.to_owned(), value.trim().to_owned());
        }
    }
    let state = game.initial_state(&setup).map_err(|error| localized(&error))?;
    if state.turn().is_none() {
        return Err(t!("shared-no-move"));
    }
    let clock = match typed.clock.as_str() {
        "" => None,
        text => {
            let known = CLOCKS.contains(&text);
            let seconds = text.split_once('+').filter(|_| known).ok_or_else(|| t!("shared-choose-clock"))?;
            let ms = |seconds: &str| {
                seconds.parse::<u64>().map(|seconds| 1000 * seconds).map_err(|_| t!("shared-choose-clock"))
            };
            let (base_ms, increment_ms) = (ms(seconds.0)?, ms(seconds.1)?);
            Some(SharedClock { base_ms, increment_ms, left_ms: [base_ms; 2] })
        }
    };
    let side = match typed.side.as_str() {
        "first" => Side::First,
        "second" => Side::Second,
        _ => Side::BOTH[(secret::number() % 2) as usize],
    };
    let keys = [secret::word(), secret::word()];
    let seat =
        |key: &String| SharedSeat { key: secret::digest(key), account: None, name: None, joined: false, again: false };
    let made = SharedGame {
        id: id(),
        version: 1,
        game,
        setup,
        seats: keys.each_ref().map(seat),
        clock,
        moves: Vec::new(),
        turn: state.turn(),
        moved_ms: milliseconds(),
        offer: None,
        end: None,
        next: None,
    };
    Ok((made, keys, side))
}

fn id() -> String {
    secret::word()[..ID].to_owned()
}

/// Counts a game that is opened from an address.
fn take_game(site: &Site, address: IpAddr) -> SiteResult<()> {
    site.take(LimitedAction::Invite, LimitedActor::at(address))?;
    site.take(LimitedAction::InviteNetwork, LimitedActor::network_of(address))
}

/// Opens a game. The keys come after the `#` of the address, which the browser keeps to itself.
pub(crate) async fn open(
    State(site): State<Arc<Site>>,
    visitor: Visitor,
    Form(typed): Form<SharedForm>,
) -> SiteResult<Response> {
    let (mut game, keys, side) = match typed_game(&typed) {
        Ok(made) => made,
        Err(wrong) => return Ok(form_page(&visitor, &typed, Some(&wrong))),
    };
    take_game(&site, visitor.address)?;
    let own = &mut game.seats[side.index()];
    (own.joined, own.account) = (true, visitor.account.as_ref().map(|account| account.id));
    let id = game.id.clone();
    let account = visitor.account.as_ref().map(|account| LimitedActor::Account(account.id));
    let opener = site.shared.opener(account.unwrap_or_else(|| LimitedActor::network_of(visitor.address)));
    if !site.write(move |store| store.open_shared_game(&game, opener, OPEN_GAMES)).await? {
        return Ok(form_page(&visitor, &typed, Some(&localized(&RequestError::SharedFull))));
    }
    let [own, other] = [side, side.other()].map(|side| &keys[side.index()]);
    Ok(Redirect::to(&format!("/board/game/{id}#{side}={own}&invite={other}")).into_response())
}

/// A game, ended if the side to move has no time left, unless the site is read-only.
async fn found(site: &Arc<Site>, id: &str) -> SiteResult<SharedGame> {
    let wanted = id.to_owned();
    let game = site.read(move |store| store.shared_game(&wanted)).await?.ok_or(SiteError::NotFound)?;
    match shared::flagged(&game, milliseconds()).filter(|_| !site.queue.maintenance.is_read_only()) {
        Some(ended) => {
            changed(site, ended, None).await?;
            let id = game.id;
            site.read(move |store| store.shared_game(&id)).await?.ok_or(SiteError::NotFound)
        }
        None => Ok(game),
    }
}

/// Keeps the new state of a game and publishes it; false when it has changed meanwhile.
async fn changed(site: &Arc<Site>, game: SharedGame, next: Option<SharedGame>) -> SiteResult<bool> {
    let id = game.id.clone();
    let kept = site.write(move |store| {
        // With the names of those who have joined, which the store knows.
        let change = store.change_shared_game(&game, next.as_ref(), OPEN_GAMES)?;
        Ok((change, if change == SharedChange::Kept { store.shared_game(&id)? } else { None }))
    });
    let (change, kept) = kept.await?;
    if change == SharedChange::Full {
        return Err(SiteError::Conflict(Arc::new(RequestError::SharedFull)));
    }
    if let Some(game) = &kept {
        site.shared.publish(game, milliseconds());
    }
    Ok(kept.is_some())
}

/// The page of a game.
pub(crate) async fn show(
    State(site): State<Arc<Site>>,
    visitor: Visitor,
    Path(id): Path<String>,
) -> SiteResult<Response> {
    let game = found(&site, &id).await?;
    let [first, second] = game.seats.each_ref().map(|seat| seat.name.clone());
    let kind = game_title(game.game);
    let title = if first.is_none() && second.is_none() {
        t!("shared-by-link", game = &kind)
    } else {
        let [first, second] = [first, second].map(|name| name.unwrap_or_else(|| t!("shared-guest")));
        t!("shared-between", game = &kind, first = first, second = second)
    };
    let preview = Preview {
        title: &title,
        text: &t!("shared-preview"),
        path: &format!("/board/game/{id}"),
        picture: &format!("/board/game/{id}/picture.png"),
    };
    let head = html! { (preview.head(&site)) (script_words()) };
    let body = html! {
        (tabs(""))
        h1 { (title) }
        section.play id="shared" data-game=(game.game.name()) data-id=(id) data-words=(words()) {
            div.table {
                div.seat id="seat1" {}
                div.board id="board" { noscript { p { (t!("shared-scripts")) } } }
                div.seat id="seat0" {}
            }
            div.beside {
                p.status id="status" role="status" {}
                div.notice id="offer" hidden {
                    p id="offered" role="status" {}
                    div.actions {
                        button.primary type="button" id="accept" { (t!("shared-accept")) }
                        button type="button" id="decline" { (t!("shared-decline")) }
                    }
                }
                (buttons(game.game))
                section.notice id="invite" hidden {
                    p { (t!("shared-send")) }
                    label {
                        span.hidden { (t!("shared-invitation")) } input.wide type="text" id="invitation" readonly;
                    }
                    div.actions { button.primary type="button" id="copy" { (t!("shared-copy")) } }
                }
                ol.moves id="moves" aria-label=(t!("shared-moves")) {}
                div.actions role="group" aria-label=(t!("shared-files")) {
                    button type="button" id="link" { (t!("shared-watch-link")) }
                    a.button id="analyse" href="/board/analysis" { (t!("shared-analyse")) }
                    a.button id="record" href={ "/board/game/" (id) "/record" } hidden { (t!("shared-record")) }
                    @if game.game.can(Capability::GameFiles) {
                        button type="button" data-format="sgf" { "SGF" }
                        button type="button" data-format="psq" { "PSQ" }
                    }
                }
            }
            div.side {
                (settings())
                p.faint {
                    (rich!(
                        "shared-keys",
                        left = html! { kbd { "←" } }, right = html! { kbd { "→" } },
                        u = html! { kbd { "u" } }, y = html! { kbd { "y" } }, n = html! { kbd { "n" } },
                    ))
                    @if game.game.can_be_drawn { " " (rich!("shared-draw-key", d = html! { kbd { "d" } })) }
                    " " (t!("shared-kept"))
                }
                details {
                    summary { (t!("shared-rules")) }
                    ul { @for line in game_rules(game.game) { li { (line) } } }
                }
            }
        }
    };
    Ok(Page::new(kind, body).with_head(head).with_script("shared.js").show(&visitor))
}

/// The current board of a game as a picture.
pub(crate) async fn picture(State(site): State<Arc<Site>>, Path(id): Path<String>) -> SiteResult<Response> {
    let game = found(&site, &id).await?;
    let draw = move |_: &Effort| {
        let played = shared::question(&game).play().ok()?;
        // What a player hides from the other one appears in no picture.
        let public = Public::from_state(played.state.as_ref());
        let shown = public.as_ref().map_or(played.state.as_ref(), |public| public);
        Picture::from_view(&shown.view())?.png()
    };
    let png = site.rooms.boards.positions.run(draw).await?.ok_or(SiteError::NotFound)?;
    Ok(picture_answer(png, CachePolicy::NO_STORE))
}

/// The texts of the page's script, which fills in the braces.
fn words() -> String {
    let [seat, name, reason] = ["{seat}", "{name}", "{reason}"];
    let words = json!({
        "guest": t!("shared-guest"),
        "absent": t!("shared-absent"),
        "you": t!("shared-you", name = name),
        "offersDraw": t!("shared-offers-draw", seat = seat),
        "asksBack": t!("shared-asks-back", seat = seat),
        "declinesDraw": t!("shared-declines-draw", seat = seat),
        "declinesBack": t!("shared-declines-back", seat = seat),
        "youOffer": t!("shared-you-offer", seat = seat),
        "youAsk": t!("shared-you-ask", seat = seat),
        "isDraw": t!("shared-is-draw", reason = reason),
        "win": t!("shared-win", seat = seat, name = name, reason = reason),
        "wins": t!("shared-wins", seat = seat, name = name, reason = reason),
        "after": t!("shared-after", at = "{at}", count = "{count}"),
        "newest": t!("shared-newest"),
        "wantsAgain": t!("shared-wants-again", seat = seat),
        "onlyPass": t!("shared-only-pass"),
        "yourTurn": t!("shared-your-turn", seat = seat),
        "toMove": t!("shared-to-move", seat = seat),
        "waiting": t!("shared-waiting"),
        "watching": t!("shared-watching"),
        "board": t!("shared-board", words = "{words}"),
        "again": t!("shared-again"),
        "againWaits": t!("shared-again-waits"),
        "decline": t!("shared-decline"),
        "withdraw": t!("shared-withdraw"),
        "copied": t!("shared-copied"),
        "copyMarked": t!("shared-copy-marked"),
        "linkCopied": t!("shared-link-copied"),
        "linkIs": t!("shared-link-is", link = "{link}"),
    });
    words.to_string()
}

/// The actions of the two players besides moving.
fn buttons(game: Game) -> Markup {
    html! {
        div.actions id="actions" role="group" aria-label=(t!("shared-actions")) hidden {
            button type="button" id="pass" { (t!("shared-pass")) }
            @if game.can(Capability::ForbiddenPoints) {
                button type="button" id="forbidden" aria-expanded="false" { (t!("shared-forbidden")) }
            }
            button type="button" id="back" { (t!("shared-back")) }
            @if game.can_be_drawn { button type="button" id="draw" { (t!("shared-draw")) } }
            button type="button" id="resign" data-really=(t!("shared-really")) { (t!("shared-resign")) }
            button type="button" id="zoom" aria-pressed="false" hidden { (t!("shared-zoom")) }
            button type="button" id="again" hidden { (t!("shared-again")) }
            a.button id="next" hidden { (t!("shared-next")) }
        }
        ul.reasons id="reasons" hidden {}
    }
}

/// What a seat's owner sends: the key, the move if there is one, whether an offer is accepted, and after how many
/// moves.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct SeatRequest {
    key: String,
    #[serde(default)]
    ply: usize,
    #[serde(default, rename = "move")]
    text: String,
    #[serde(default)]
    accept: bool,
}

type Sent = Result<Json<SeatRequest>, JsonRejection>;

/// Performs an action for the owner of a key, who is at this address.
async fn act(
    site: &Arc<Site>,
    address: IpAddr,
    id: &str,
    sent: Sent,
    make: impl FnOnce(&SeatRequest) -> SharedAct,
) -> Result<Response, QuestionError> {
    let Json(sent) = sent?;
    let done = Arc::new(make(&sent));
    let mut taken = false;
    for _ in 0..ATTEMPTS {
        let game = found(site, id).await?;
        let side = shared::seat_of(&game, &sent.key).ok_or_else(|| QuestionError {
            status: StatusCode::FORBIDDEN,
            ..QuestionError::new(&t!("shared-watch-only"))
        })?;
        let done = Arc::clone(&done);
        // Legality takes its time.
        let job = move |_: &Effort| shared::act(&game, side, &done, milliseconds()).map(|made| (made, game));
        let ((game, next), before) = site.rooms.boards.positions.run(job).await??;
        if next.is_some() && !std::mem::replace(&mut taken, true) {
            take_game(site, address)?;
        }
        if game == before || changed(site, game, next).await? {
            return Ok(StatusCode::NO_CONTENT.into_response());
        }
    }
    Err(QuestionError::busy(English(t!("shared-too-fast"))))
}

/// Takes a seat.
pub(crate) async fn join(
    State(site): State<Arc<Site>>,
    visitor: Visitor,
    Path(id): Path<String>,
    sent: Sent,
) -> Result<Response, QuestionError> {
    act(&site, visitor.address, &id, sent, |_| SharedAct::Join(visitor.account.as_ref().map(|account| account.id)))
        .await
}

pub(crate) async fn play(
    State(site): State<Arc<Site>>,
    visitor: Visitor,
    Path(id): Path<String>,
    sent: Sent,
) -> Result<Response, QuestionError> {
    act(&site, visitor.address, &id, sent, |sent| SharedAct::Move { ply: sent.ply, text: sent.text.clone() }).await
}

pub(crate) async fn resign(
    State(site): State<Arc<Site>>,
    visitor: Visitor,
    Path(id): Path<String>,
    sent: Sent,
) -> Result<Response, QuestionError> {
    act(&site, visitor.address, &id, sent, |_| SharedAct::Resign).await
}

pub(crate) async fn draw(
    State(site): State<Arc<Site>>,
    visitor: Visitor,
    Path(id): Path<String>,
    sent: Sent,
) -> Result<Response, QuestionError> {
    act(&site, visitor.address, &id, sent, |_| SharedAct::Offer(SharedOffer::Draw)).await
}

/// Asks to take a move back.
pub(crate) async fn take_back(
    State(site): State<Arc<Site>>,
    visitor: Visitor,
    Path(id): Path<String>,
    sent: Sent,
) -> Result<Response, QuestionError> {
    act(&site, visitor.address, &id, sent, |_| SharedAct::Offer(SharedOffer::TakeBack)).await
}

pub(crate) async fn answer(
    State(site): State<Arc<Site>>,
    visitor: Visitor,
    Path(id): Path<String>,
    sent: Sent,
) -> Result<Response, QuestionError> {
    act(&site, visitor.address, &id, sent, |sent| SharedAct::Answer { ply: sent.ply, accept: sent.accept }).await
}

/// Asks to play again.
pub(crate) async fn again(
    State(site): State<Arc<Site>>,
    visitor: Visitor,
    Path(id): Path<String>,
    sent: Sent,
) -> Result<Response, QuestionError> {
    act(&site, visitor.address, &id, sent, |_| SharedAct::Again { next: self::id() }).await
}

/// The record of a game that is over.
pub(crate) async fn record(State(site): State<Arc<Site>>, Path(id): Path<String>) -> SiteResult<Response> {
    let game = found(&site, &id).await?;
    if game.end.is_none() {
        return Err(SiteError::NotFound);
    }
    let names = game.seats.each_ref().map(|seat| seat.name.as_deref().unwrap_or(GUEST).to_owned());
    let end = shared::written_end(&game);
    let job = move |_: &Effort| record_of(&shared::question(&game), &names, [false; 2], end);
    let text = site.rooms.records.run(job).await?.map_err(SiteError::internal)?;
    let name = format!("attachment; filename=\"agon-{id}.jsonl\"");
    let headers = [(header::CONTENT_TYPE, "application/x-ndjson"), (header::CONTENT_DISPOSITION, name.as_str())];
    Ok((headers, text).into_response())
}

/// A game as events: its current state, and every change.
pub(crate) async fn events(
    State(site): State<Arc<Site>>,
    visitor: Visitor,
    Path(id): Path<String>,
) -> SiteResult<Response> {
    let places = site.watch(&visitor)?;
    // Changes during the reading are sent afterwards.
    let follower = site.shared.follow(&id);
    let game = found(&site, &id).await?;
    let stopping = site.queue.signals.stopping.subscribe();
    let first = Arc::new(SharedNews::new(&game, milliseconds()));
    let language = locale();
    let watching = Watching { site, id, follower, stopping, language, sent: None, waiting: Some(first) };
    let headers = [
        (header::CONTENT_TYPE, "text/event-stream"),
        (header::CACHE_CONTROL, "no-cache"),
        (header::HeaderName::from_static("x-accel-buffering"), "no"),
    ];
    let body = Body::from_stream(stream::unfold(watching, Watching::next));
    Ok(held((headers, body).into_response(), places))
}

/// A watcher of a game.
struct Watching {
    site: Arc<Site>,
    id: String,
    follower: SharedFollower,
    stopping: watch::Receiver<bool>,
    language: Locale,
    sent: Option<Arc<SharedNews>>,
    /// To be sent at once.
    waiting: Option<Arc<SharedNews>>,
}

impl Watching {
    async fn next(mut self) -> Option<(Result<Bytes, Infallible>, Self)> {
        loop {
            if let Some(news) = self.waiting.take() {
                if self.sent.as_ref().is_none_or(|sent| sent.version < news.version) {
                    let text = news.text(self.language).clone();
                    self.sent = Some(news);
                    return Some((Ok(text), self));
                }
                continue;
            }
            if self.sent.as_ref().is_some_and(|sent| sent.last) {
                return None;
            }
            let due =
                self.sent.as_ref().and_then(|sent| sent.due_ms).filter(|_| !self.site.queue.maintenance.is_read_only());
            let left = due.map(|due| Duration::from_millis(u64::try_from(due - milliseconds()).unwrap_or(0)));
            // An event may come late by a little; a game ends a little after its time and never before it.
            let wait = left.map_or(SILENCE, |left| left.min(SILENCE) + Duration::from_millis(1));
            let news = tokio::select! {
                news = self.follower.next() => Some(news?),
                _ = self.stopping.wait_for(|stopping| *stopping) => return None,
                () = tokio::time::sleep(wait) => None,
            };
            if news.is_none() {
                // Anyone who looks at a game whose time is over ends it.
                if left.is_some_and(|left| left < SILENCE) {
                    found(&self.site, &self.id).await.ok()?;
                }
                return Some((Ok(Bytes::from_static(b":\n\n")), self));
            }
            self.waiting = news;
        }
    }
}
