//! A game: live while it is played, afterwards every ply, and its record.

use std::sync::Arc;

use agon_analysis::game_log::GameFact;
use agon_arena::bot_check::CheckPlace;
use agon_arena::game::MAX_TRIES;
use agon_arena::transcript;
use agon_boards::headers::CachePolicy;
use agon_boards::layout::{Page, coded, data, sentence};
use agon_boards::picture::{CardSeat, GameCard, Picture};
use agon_boards::text::{ago, locale, localized, rich, stated, t};
use agon_boards::viewer;
use agon_game::View;
use agon_message::Message;
use agon_referee::record::{Record, Winner};
use agon_referee::text::plain;
use agon_referee::verdict::Verdict;
use agon_site::access::{AccessError, inside, may_watch};
use agon_site::identity::Identity;
use agon_site::store::{BoutKind, SiteBout, SiteSeat};
use axum::Json;
use axum::extract::{Path, Query, State};
use axum::http::{HeaderMap, header};
use axum::response::{IntoResponse, Response};
use maud::{Markup, html};
use serde::Deserialize;
use serde_json::{Value, json};

use super::highlight::Scenes;
use super::parts::seat_name;
use super::preview::{Preview, picture_answer};
use crate::error::SiteError;
use crate::featured::{owners, position, stored_curve};
use crate::games::{follow, record_text, with_record, without_record};
use crate::layout::{ShowPage as _, competition_title};
use crate::site::{Site, SiteResult};
use crate::visitor::Visitor;

#[derive(Deserialize)]
pub(crate) struct GameQuery {
    /// The ply that is shown at first.
    ply: Option<u32>,
}

pub(crate) async fn show(
    State(site): State<Arc<Site>>,
    visitor: Visitor,
    Path(id): Path<i64>,
    Query(query): Query<GameQuery>,
) -> SiteResult<Response> {
    let read = site.read(move |store| {
        let Some(bout) = store.bout(id)? else { return Ok(None) };
        let beside = [store.neighbour(bout.competition, id, true)?, store.neighbour(bout.competition, id, false)?];
        Ok(Some((bout, beside, stored_curve(store, id)?.unwrap_or_default())))
    });
    let (bout, beside, points) = read.await?.ok_or(SiteError::NotFound)?;
    let title = format!("{} – {}", bout.seats[0].label(), bout.seats[1].label());
    if !may_watch(site.competition(bout.competition).as_ref(), &visitor, &bout) {
        return Ok(without_moves(&site, &bout, &title, &AccessError::MovesHidden).show(&visitor));
    }
    if site.queue.competitions.lacks_rules(bout.competition) {
        return Ok(without_moves(&site, &bout, &title, &AccessError::RulesMissing).show(&visitor));
    }
    let open = inside(&visitor, &bout);
    let head = shared_head(&site, &bout, &title, query.ply);
    let names = bout.seats.each_ref().map(SiteSeat::label);
    let Some(drawn) = with_record(&site, id, move |record| drawn(&record, &names, open)).await? else {
        if bout.winner.is_some() {
            return Ok(without_moves(&site, &bout, &title, &without_record(&bout)).show(&visitor));
        }
        let body = html! {
            (heading(&site, &bout, None))
            (share_button())
            section.game id="live" tabindex="0" data-words=(viewer::words()) data-events={ "/game/" (id) "/events" } {
                p { (t!("game-running")) }
                noscript { p { (t!("game-live-scripts")) } }
            }
            p.actions id="over" hidden {
                a.button.primary href="/watch" { (t!("game-next-live")) }
                a.button href={ "/game/" (id) } { (t!("game-whole")) }
            }
            (share(&site, id))
        };
        return Ok(Page::new(title, body).with_script("live.js").with_head(head).show(&visitor));
    };
    let (game, streams) = drawn.map_err(SiteError::internal)?;
    let game = viewer::spoken(opened_at_its_end(game));
    let anyone_sees = may_watch(site.competition(bout.competition).as_ref(), &Identity::default(), &bout);
    let scenes = Scenes::of(&bout, &game, &points);
    let boards = match &scenes {
        Some(scenes) => {
            let plies = scenes.plies;
            let drawn = move |record: &str| plies.map(|ply| Picture::from_view(&position(record, ply)?));
            with_record(&site, id, move |record| drawn(&record)).await?.unwrap_or_default()
        }
        None => Default::default(),
    };
    let body = html! {
        (heading(&site, &bout, None))
        (share_button())
        section.game.with-bar id="game" tabindex="0" data-words=(viewer::words()) data-ply=[query.ply] {
            noscript { (without_scripts(id, &game, anyone_sees)) }
        }
        @for (at, stream) in &streams {
            details.stream {
                summary { (t!("game-stream", name = bout.seats[*at].label())) }
                pre tabindex="0" { (stream) }
            }
        }
        // A game without moves has nothing to judge.
        @if game["steps"].as_array().is_some_and(|steps| !steps.is_empty()) {
            (curve(id, has_program_rules(&site, &bout)))
        }
        @if let Some(scenes) = scenes { (scenes.show(&boards)) }
        nav.actions aria-label=(t!("layout-games")) {
            @if let Some(before) = beside[0] { a.button href={ "/game/" (before) } rel="prev" { (t!("game-before")) } }
            @if let Some(next) = beside[1] { a.button href={ "/game/" (next) } rel="next" { (t!("game-after")) } }
            a.button href="/watch" { (t!("game-watch")) }
            a.button href="/tv" { (t!("tv-title")) }
            @if let Some(meetings) = meetings(&bout) { a.button href=(meetings) { (t!("game-meetings")) } }
            a.button href={ "/game/" (id) "/record" } download={ "agon-" (id) ".jsonl" } { (t!("game-record")) }
        }
        (share(&site, id))
        p.faint.game-keys { (t!("game-keys")) }
        (data(&game))
    };
    Ok(Page::new(title, body).with_script("evaluation.js").with_head(head).show(&visitor))
}

/// A finished game opens at its end, where its picture is; a game in which a program failed opens there.
fn opened_at_its_end(mut game: Value) -> Value {
    if let Some(last) = game["steps"].as_array().and_then(|steps| steps.last()) {
        game["opens"] = last["ply"].clone();
    }
    game
}

/// What a game shows without scripts: how it ended, the last position as a picture, and the moves.
pub(super) fn without_scripts(id: i64, game: &Value, with_picture: bool) -> Markup {
    let seats = &game["seats"];
    html! {
        p { (t!("game-scripts")) " " (game["result"].as_str().unwrap_or_default()) }
        @if with_picture {
            img.still src={ "/game/" (id) "/picture.png" } alt=(t!("game-picture")) width="600" height="315";
        }
        ol.plain-moves { @for step in game["steps"].as_array().into_iter().flatten() {
            @let seat = step["side"].as_u64().and_then(|side| seats[side as usize].as_str());
            li { (seat.unwrap_or_default()) " " (step["move"].as_str().unwrap_or_default()) }
        } }
    }
}

/// Whether the rules of a game are a program, whose strongest player is not called the champion.
pub(super) fn has_program_rules(site: &Site, bout: &SiteBout) -> bool {
    site.competition(bout.competition).is_some_and(|competition| competition.game.is_program())
}

/// The place where a script shows the evaluations of every position of a game.
pub(super) fn curve(id: i64, of_program: bool) -> Markup {
    let thinks = if of_program { t!("evaluation-thinks-other") } else { t!("evaluation-thinks") };
    html! {
        section id="evaluation" data-events={ "/game/" (id) "/evaluation" } data-ask=(t!("evaluation-ask"))
            data-thinks=(thinks) data-label=(t!("evaluation-label"))
            data-broken=(t!("evaluation-broken")) data-words=(curve_words()) {}
    }
}

/// The words of the curve below the board.
fn curve_words() -> String {
    json!({ "start": t!("viewer-start"), "after": t!("curve-after", ply = "{ply}") }).to_string()
}

/// What other sites show of a game next to a link to it.
fn shared_head(site: &Site, bout: &SiteBout, title: &str, ply: Option<u32>) -> Markup {
    let at = ply.map_or_else(String::new, |ply| format!("?ply={ply}"));
    let competition =
        site.competition(bout.competition).map(|competition| competition_title(&competition)).unwrap_or_default();
    let outcome = match bout.winner {
        None => t!("game-running"),
        Some(Winner::First) => t!("game-won", name = bout.seats[0].label(), reason = stated(&bout.reason)),
        Some(Winner::Second) => t!("game-won", name = bout.seats[1].label(), reason = stated(&bout.reason)),
        Some(_) => t!("game-no-winner", reason = stated(&bout.reason)),
    };
    let preview = Preview {
        title,
        text: &format!("{competition}: {outcome}"),
        path: &format!("/game/{}{at}", bout.id),
        picture: &format!("/game/{}/card.png{at}", bout.id),
    };
    preview.head(site)
}

/// The button that shares what is shown, for visitors with scripts.
fn share_button() -> Markup {
    html! {
        p.share-now {
            button.small type="button" id="share" hidden data-copied=(t!("game-copied")) { (t!("game-share")) }
            " " span.faint role="status" {}
        }
    }
}

/// Ways to show a game elsewhere: a link, a picture, and a board in a frame.
fn share(site: &Site, id: i64) -> Markup {
    let address = site.options.address(&format!("/game/{id}"));
    let frame = format!("<iframe src=\"{address}/embed\" width=\"420\" height=\"620\" title=\"{id}\"></iframe>");
    html! {
        details.share-box {
            summary { (t!("game-share-ways")) }
            div.stack-of-fields {
                label { (t!("game-link")) input.long id="share-link" readonly value=(address) data-address=(address); }
                label { (t!("game-frame")) input.long readonly value=(frame); }
                p {
                    a id="share-picture" href={ "/game/" (id) "/picture.png" } download={ "agon-" (id) ".png" } {
                        (t!("game-picture"))
                    }
                }
            }
        }
    }
}

/// A finished game as data for a page that plays it.
pub(crate) async fn steps(
    State(site): State<Arc<Site>>,
    visitor: Visitor,
    Path(id): Path<i64>,
) -> SiteResult<Response> {
    let bout = site.read(move |store| store.bout(id)).await?.ok_or(SiteError::NotFound)?;
    if !may_watch(site.competition(bout.competition).as_ref(), &visitor, &bout) {
        return Err(SiteError::Forbidden(Arc::new(AccessError::MovesHidden)));
    }
    if site.queue.competitions.lacks_rules(bout.competition) {
        return Err(SiteError::NotFound);
    }
    let names = bout.seats.each_ref().map(SiteSeat::label);
    let drawn = with_record(&site, id, move |record| drawn(&record, &names, [false; 2])).await?;
    let drawn = drawn.ok_or(SiteError::NotFound)?;
    let (game, _) = drawn.map_err(SiteError::internal)?;
    Ok(CachePolicy::NO_STORE.on(Json(viewer::spoken(game)).into_response()))
}

/// A game within a page of another site, as everybody may see it.
pub(crate) async fn embed(
    State(site): State<Arc<Site>>,
    Path(id): Path<i64>,
    Query(query): Query<GameQuery>,
) -> SiteResult<Response> {
    let bout = site.read(move |store| store.bout(id)).await?.ok_or(SiteError::NotFound)?;
    let title = format!("{} – {}", bout.seats[0].label(), bout.seats[1].label());
    if !may_watch(site.competition(bout.competition).as_ref(), &Identity::default(), &bout) {
        let hidden = html! { p.notice { (sentence(&localized(&AccessError::MovesHidden))) } };
        return Ok(Page::new(title, hidden).show_embedded());
    }
    if site.queue.competitions.lacks_rules(bout.competition) {
        let hidden = html! { p.notice { (sentence(&localized(&AccessError::RulesMissing))) } };
        return Ok(Page::new(title, hidden).show_embedded());
    }
    let names = bout.seats.each_ref().map(SiteSeat::label);
    let drawn = with_record(&site, id, move |record| drawn(&record, &names, [false; 2])).await?;
    let whole = html! {
        p.faint {
            a href=(site.options.address(&format!("/game/{id}"))) target="_blank" rel="noopener" { (title) } " · Agon"
        }
    };
    let page = match drawn {
        Some(game) => {
            let (game, _) = game.map_err(SiteError::internal)?;
            let game = viewer::spoken(opened_at_its_end(game));
            let body = html! {
                section.game id="game" tabindex="0" data-words=(viewer::words()) data-ply=[query.ply] {
                    noscript { (without_scripts(id, &game, true)) }
                }
                (whole) (data(&game))
            };
            Page::new(title, body).with_script("viewer.js")
        }
        None if bout.winner.is_none() => {
            let body = html! {
                section.game id="live" tabindex="0" data-words=(viewer::words())
                    data-events={ "/game/" (id) "/events" } {}
                p id="over" hidden { (t!("game-over")) } (whole)
            };
            Page::new(title, body).with_script("live.js")
        }
        None => Page::new(title, html! { p.notice { (sentence(&localized(&without_record(&bout)))) } (whole) }),
    };
    Ok(page.show_embedded())
}

/// The board of a game as a picture: now, at its end, or after a ply.
pub(crate) async fn picture(
    State(site): State<Arc<Site>>,
    Path(id): Path<i64>,
    Query(query): Query<GameQuery>,
) -> SiteResult<Response> {
    let bout = site.read(move |store| store.bout(id)).await?.ok_or(SiteError::NotFound)?;
    painted(&site, &bout, query.ply, Picture::png).await
}

/// The same with the names and the result, for a link to the game.
pub(crate) async fn card(
    State(site): State<Arc<Site>>,
    Path(id): Path<i64>,
    Query(query): Query<GameQuery>,
) -> SiteResult<Response> {
    let read = site.read(move |store| {
        let Some(bout) = store.bout(id)? else { return Ok(None) };
        let owners = owners(store, &bout)?;
        Ok(Some((bout, owners)))
    });
    let (bout, owners) = read.await?.ok_or(SiteError::NotFound)?;
    let seat = |at: usize, wins: Winner| {
        let seat = &bout.seats[at];
        let rating = seat.rating.map(|rating| format!("{rating:.0}"));
        let owner = owners[at].clone();
        let points = match bout.winner {
            Some(Winner::Draw) => "½",
            Some(Winner::First | Winner::Second) if bout.winner == Some(wins) => "1",
            Some(Winner::First | Winner::Second) => "0",
            _ => "",
        };
        CardSeat {
            name: seat.label(),
            detail: owner.into_iter().chain(rating).collect::<Vec<_>>().join(" · "),
            points: points.to_owned(),
            won: points == "1",
        }
    };
    let ending = if bout.winner.is_some() {
        format!("{} · {}", stated(&bout.reason), t!("front-moves", count = bout.plies))
    } else {
        t!("game-running")
    };
    let title = site.competition(bout.competition).map(|one| competition_title(&one)).unwrap_or_default();
    let card = GameCard { title, seats: [seat(0, Winner::First), seat(1, Winner::Second)], ending };
    painted(&site, &bout, query.ply, move |picture| card.png(picture)).await
}

/// A picture of a game's board that everyone may see.
async fn painted(
    site: &Arc<Site>,
    bout: &SiteBout,
    ply: Option<u32>,
    paint: impl FnOnce(&Picture) -> Option<Vec<u8>> + Send + 'static,
) -> SiteResult<Response> {
    let competition = site.competition(bout.competition);
    if !may_watch(competition.as_ref(), &Identity::default(), bout) {
        return Err(SiteError::Forbidden(Arc::new(AccessError::MovesHidden)));
    }
    let ply = ply.unwrap_or(u32::MAX);
    let live = site.queue.live.find(bout.id).and_then(|live| live.stands()).map(|(view, _)| view);
    let drawn = move |view: &View| Picture::from_view(view).and_then(|picture| paint(&picture));
    let png = match live {
        Some(view) => site.rooms.records.run(move |_| drawn(&view)).await?,
        None => {
            with_record(site, bout.id, move |record| position(&record, ply).as_ref().and_then(drawn)).await?.flatten()
        }
    };
    let kept = if bout.winner.is_some() {
        CachePolicy::ONE_DAY.if_public(competition.is_some_and(|competition| !competition.is_private()))
    } else {
        CachePolicy::NO_STORE
    };
    Ok(picture_answer(png.ok_or(SiteError::NotFound)?, kept))
}

/// A game whose moves are not shown, and why: only the data of its row.
fn without_moves(site: &Site, bout: &SiteBout, title: &str, why: &dyn Message) -> Page {
    let labels = bout.seats.each_ref().map(SiteSeat::label);
    let body = html! {
        (heading(site, bout, None))
        p.notice { (sentence(&localized(why))) }
        @match bout.winner {
            Some(Winner::First) => p {
                (coded(&t!("game-won-after", name = &labels[0], count = bout.plies, reason = stated(&bout.reason))))
            },
            Some(Winner::Second) => p {
                (coded(&t!("game-won-after", name = &labels[1], count = bout.plies, reason = stated(&bout.reason))))
            },
            None => p { (t!("game-running")) },
            _ => p { (coded(&t!("game-no-winner-after", count = bout.plies, reason = stated(&bout.reason)))) },
        }
        @if let Some(meetings) = meetings(bout) { p.faint { a href=(meetings) { (t!("game-meetings")) } } }
    };
    Page::new(title, body)
}

/// The address of these two players' games against each other, if both are programs of the site.
fn meetings(bout: &SiteBout) -> Option<String> {
    let [first, second] = &bout.seats;
    let two = !first.stands_in && !second.stands_in && first.program != second.program;
    two.then(|| format!("/versus/{}/{}", first.program, second.program))
}

pub(super) fn heading(site: &Site, bout: &SiteBout, owners: Option<&[Option<String>; 2]>) -> Markup {
    let competition = site.competition(bout.competition);
    html! {
        h1.versus { @for (at, seat) in bout.seats.iter().enumerate() {
            @if at == 1 { " – " }
            (seat_name(seat, None))
            @if let Some(owner) = owners.and_then(|owners| owners[at].as_ref()) { " " span.faint.owner { (owner) } }
        } }
        p.faint {
            @if bout.winner.is_none() { span.live-mark { (t!("front-live")) } " " }
            @if let Some(competition) = &competition {
                a href={ "/ladder/" (competition.slug) } { (competition_title(competition)) } " · "
            }
            (t!("game-number", number = bout.id)) " · " (kind(bout)) " · " (ago(bout.begun))
        }
    }
}

fn kind(bout: &SiteBout) -> Markup {
    if let Some(earlier) = bout.repeats {
        let link = html! { a href={ "/game/" (earlier) } { (t!("game-number", number = earlier)) } };
        return html! { (rich!("kind-repeats", game = link)) };
    }
    if bout.is_undecided() {
        return html! {
            @if let BoutKind::Final { id, .. } = bout.kind { a href={ "/final/" (id) } { (t!("kind-final")) } " · " }
            (t!("kind-undecided", tries = MAX_TRIES))
        };
    }
    match bout.kind {
        BoutKind::Check => html! { (t!("kind-check")) },
        BoutKind::Ladder => html! { (t!("kind-rated")) },
        BoutKind::Asked { .. } => html! { (t!("kind-asked")) },
        BoutKind::Final { id, .. } => html! { a href={ "/final/" (id) } { (t!("kind-final")) } },
    }
}

/// Lines of an error stream that are shown.
const STREAM_LINES: usize = 200;

/// A recorded game as the viewer wants it, under the programs' names of now, and the ends of the error streams that the
/// visitor may see, by seat: of a program that failed, its failure has it.
pub(super) fn drawn(text: &str, names: &[String; 2], open: [bool; 2]) -> Result<(Value, Vec<(usize, String)>), String> {
    let record = Record::read(text).map_err(|error| error.to_string())?;
    let (start, moves) = transcript::replayed(&record)?;
    let failures = transcript::failures(&record, start.as_ref(), open, CheckPlace::Site);
    let mut game =
        transcript::game(&record, start.as_ref(), &moves, &failures, open).map_err(|error| error.to_string())?;
    game["names"] = json!(names);
    for fact in memory(&record, start.seats(), open) {
        transcript::add_fact(&mut game, &fact);
    }
    let shown = (0..2).filter(|&at| open[at] && record.result.verdicts[at].verdict == Verdict::Ok);
    let streams = shown.map(|at| {
        let stream = transcript::by_own_names(&record.result.stderr[at], &record.header.agents[at]);
        let lines: Vec<&str> = stream.trim_end().lines().collect();
        (at, plain(&lines[lines.len().saturating_sub(STREAM_LINES)..].join("\n")))
    });
    let streams = streams.filter(|(_, stream)| !stream.is_empty()).collect();
    Ok((game, streams))
}

/// The peak memory of the programs that the visitor may look into, if known.
fn memory(record: &Record, seats: [&str; 2], open: [bool; 2]) -> Vec<GameFact> {
    let known = (0..2).filter(|&at| open[at] && record.result.peak_mb[at] > 0.0);
    let fact =
        |at: usize| GameFact::Memory { seat: seats[at].into(), mib: format!("{:.1}", record.result.peak_mb[at]) };
    known.map(fact).collect()
}

/// The record of a game.
pub(crate) async fn record(
    State(site): State<Arc<Site>>,
    visitor: Visitor,
    Path(id): Path<i64>,
) -> SiteResult<Response> {
    let text = record_text(&site, &visitor, id).await?;
    let name = format!("attachment; filename=\"agon-{id}.jsonl\"");
    let headers = [(header::CONTENT_TYPE, "application/x-ndjson"), (header::CONTENT_DISPOSITION, name.as_str())];
    Ok((headers, text).into_response())
}

/// A running game as events.
pub(crate) async fn events(
    State(site): State<Arc<Site>>,
    visitor: Visitor,
    Path(id): Path<i64>,
    headers: HeaderMap,
) -> SiteResult<Response> {
    follow(&site, &visitor, id, &headers, locale()).await
}
