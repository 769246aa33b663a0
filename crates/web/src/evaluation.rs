//! The champion's evaluation of every position of a game. The first request starts the computation, others follow it;
//! it is stored when it is complete.

use std::convert::Infallible;
use std::sync::Arc;
use std::time::Duration;

use agon_arena::transcript::replayed;
use agon_boards::analysis::{CurvePoint, CurveProgress, Searcher, curve};
use agon_boards::text::{curve_meaning, locale, stated, within};
use agon_catalog::{Game, Setup};
use agon_message::Locale;
use agon_referee::record::Record;
use agon_search::Stop;
use axum::extract::{Path, State};
use axum::response::Response;
use axum::response::sse::Event;
use serde_json::json;
use tokio::sync::{mpsc, watch};

use crate::error::SiteError;
use crate::featured::stored_curve;
use crate::games::{stream, watching};
use crate::limits::MAX_EVALUATED_BYTES;
use crate::rate::LimitedAction;
use crate::site::{Site, SiteResult};
use crate::visitor::Visitor;

/// Events that are waiting to be sent to one browser.
const MAX_QUEUED_EVENTS: usize = 16;

/// When to try again if there are too many searches.
const BUSY_RETRY: Duration = Duration::from_secs(30);

/// The evaluation of a game as events.
pub(crate) async fn events(
    State(site): State<Arc<Site>>,
    visitor: Visitor,
    Path(id): Path<i64>,
) -> SiteResult<Response> {
    evaluate(&site, &visitor, id, locale()).await
}

/// The evaluation of a game as events: `meaning`, then a `point` for each position, from the last to the first, then
/// `end`.
pub(crate) async fn evaluate(site: &Arc<Site>, visitor: &Visitor, id: i64, locale: Locale) -> SiteResult<Response> {
    let places = site.watch(visitor)?;
    let read = site.read(move |store| {
        let Some(bout) = store.bout(id)? else { return Ok(None) };
        Ok(Some((bout, store.record_of_bout(id)?, stored_curve(store, id)?)))
    });
    let (bout, record, kept) = read.await?.ok_or(SiteError::NotFound)?;
    watching(site, visitor, &bout)?;
    let record = record.filter(|record| record.len() <= MAX_EVALUATED_BYTES).ok_or(SiteError::NotFound)?;
    let mut progress = match kept {
        Some(points) => watch::channel(CurveProgress { points, over: true }).1,
        None => follow(site, visitor, id, bout.game, record)?,
    };
    let seats = bout.game.initial_state(&Setup::default()).map_err(SiteError::internal)?.seats();
    let (sender, receiver) = mpsc::channel::<Result<Event, Infallible>>(MAX_QUEUED_EVENTS);
    let first = json!({ "meaning": within(locale, || curve_meaning(bout.game, seats)) });
    tokio::spawn(async move {
        let send = |name: &str, data: String| sender.send(Ok(Event::default().event(name).data(data)));
        if send("meaning", first.to_string()).await.is_err() {
            return;
        }
        let mut sent = 0;
        loop {
            let now = progress.borrow_and_update().clone();
            for point in &now.points[sent..] {
                let CurvePoint { ply, value, wins, text } = point;
                let text = within(locale, || stated(text));
                let data = json!({ "ply": ply, "value": value, "wins": wins, "text": text });
                if send("point", data.to_string()).await.is_err() {
                    return;
                }
            }
            sent = now.points.len();
            if now.over {
                let _ = send("end", "null".to_owned()).await;
                return;
            }
            tokio::select! {
                // A computation that was broken off ends without its last point.
                changed = progress.changed() => if changed.is_err() {
                    let _ = send("gone", "null".to_owned()).await;
                    return;
                },
                () = sender.closed() => return,
            }
        }
    });
    Ok(stream(receiver, places))
}

/// Follows the computation of a game's curve.
fn follow(
    site: &Arc<Site>,
    visitor: &Visitor,
    id: i64,
    game: Game,
    record: String,
) -> SiteResult<watch::Receiver<CurveProgress>> {
    let searcher = Searcher { address: visitor.address, client: format!("the curve of game {id}") };
    let compute = move |stop: &Stop, found: &mut dyn FnMut(CurvePoint)| {
        computed(game, &record, stop, found).unwrap_or_else(|error| {
            tracing::error!("game {id} cannot be evaluated: {error}");
            false
        })
    };
    let keeper = Arc::clone(site);
    let keep = move |points: &[CurvePoint]| {
        if let Err(error) = keeper.writer().keep_evaluation(id, &json!(points).to_string()) {
            tracing::warn!("the evaluation of game {id} is not kept: {error}");
        }
    };
    let followed = site.boards.curves.follow(id, &site.boards.engines, searcher, compute, keep);
    followed.map_err(|_| SiteError::TooMany(LimitedAction::Board, BUSY_RETRY))
}

fn computed(game: Game, record: &str, stop: &Stop, found: &mut dyn FnMut(CurvePoint)) -> Result<bool, String> {
    let record = Record::read(record).map_err(|error| error.to_string())?;
    let (start, moves) = replayed(&record)?;
    curve(game, start.as_ref(), &moves, stop, found)
}
