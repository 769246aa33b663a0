//! The game most worth watching: one that is being played, else one of the last.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use agon_arena::store::StoreError;
use agon_game::View;
use agon_referee::record::{Record, Winner};
use agon_referee::verdict::Verdict;
use agon_site::access::may_watch;
use agon_site::identity::Identity;
use agon_site::store::{BoutKind, Competition, SiteBout, SiteStore};

use crate::analysis::CurvePoint;
use crate::live::LiveGames;
use crate::picture::Picture;
use crate::viewer::transcript::replayed;

/// For how long a choice holds, unless its game ends before.
const HOLDS: Duration = Duration::from_secs(20);

/// How many of the last games of each contest are compared.
const LAST: u32 = 6;

/// The game most worth watching.
#[derive(Clone, Debug)]
pub struct Featured {
    pub bout: SiteBout,
    /// The ratings of its programs, where they are known.
    pub ratings: [Option<f64>; 2],
    /// Its board; nothing where it is too large to be drawn.
    pub picture: Option<Arc<Picture>>,
}

impl Featured {
    pub const fn is_live(&self) -> bool {
        self.bout.winner.is_none()
    }
}

/// The last choice.
#[derive(Default)]
pub struct FeaturedGames(Mutex<Option<(Instant, Featured)>>);

impl FeaturedGames {
    /// Chooses anew at the next time.
    #[cfg(test)]
    pub fn forget(&self) {
        *self.0.lock().unwrap_or_else(PoisonError::into_inner) = None;
    }

    /// The game for those who see what everybody sees; the board of one that is being played as it stands now.
    ///
    /// # Errors
    /// [`StoreError`].
    pub fn choose(
        &self,
        live: &LiveGames,
        contests: &[Competition],
        store: &SiteStore,
    ) -> Result<Option<Featured>, StoreError> {
        let known = self.0.lock().unwrap_or_else(PoisonError::into_inner).clone();
        if let Some((at, featured)) = known {
            let over = featured.is_live() && live.find(featured.bout.id).is_none();
            if at.elapsed() < HOLDS && !over {
                return Ok(Some(drawn_live(live, featured)));
            }
        }
        let chosen = choose(live, contests, store)?;
        *self.0.lock().unwrap_or_else(PoisonError::into_inner) =
            chosen.clone().map(|featured| (Instant::now(), featured));
        Ok(chosen.map(|featured| drawn_live(live, featured)))
    }
}

/// The same with the board of this moment.
fn drawn_live(live: &LiveGames, mut featured: Featured) -> Featured {
    if featured.is_live()
        && let Some((view, _)) = live.find(featured.bout.id).and_then(|live| live.stands())
    {
        featured.picture = Picture::of(&view).map(Arc::new);
    }
    featured
}

fn choose(live: &LiveGames, contests: &[Competition], store: &SiteStore) -> Result<Option<Featured>, StoreError> {
    let guest = Identity::default();
    // One choice for all visitors: nothing that some of them may not see.
    let known: HashMap<i64, &Competition> =
        contests.iter().filter(|contest| !contest.is_private()).map(|contest| (contest.id, contest)).collect();
    let shown = |bout: &SiteBout| may_watch(known.get(&bout.contest).copied(), &guest, bout);
    let mut bouts: Vec<SiteBout> = store.running()?.into_iter().filter(|bout| live.find(bout.id).is_some()).collect();
    bouts.retain(shown);
    if bouts.is_empty() {
        for contest in contests.iter().filter(|contest| !contest.is_private()) {
            bouts.extend(store.recent(contest.id, i64::MAX, LAST)?.into_iter().filter(|bout| bout.plies > 0));
        }
        bouts.retain(shown);
    }
    let mut best: Option<(f64, SiteBout, [Option<f64>; 2])> = None;
    for bout in bouts {
        let mut ratings = bout.seats.each_ref().map(|seat| seat.rating);
        for (seat, rating) in bout.seats.iter().zip(&mut ratings) {
            if rating.is_none() {
                *rating = store.program(seat.program)?.map(|program| program.rating);
            }
        }
        let curve = if bout.winner.is_some() { store.evaluation(bout.id)? } else { None };
        let curve = curve.and_then(|points| serde_json::from_str::<Vec<CurvePoint>>(&points).ok());
        let worth = interest(&bout, ratings, curve.as_deref(), known.get(&bout.contest).copied());
        if best.as_ref().is_none_or(|(least, ..)| worth > *least) {
            best = Some((worth, bout, ratings));
        }
    }
    let Some((_, bout, ratings)) = best else { return Ok(None) };
    let view = match (&bout.winner, store.record_of_bout(bout.id)) {
        (Some(_), Ok(Some(record))) => position(&record, u32::MAX),
        _ => None,
    };
    let picture = view.as_ref().and_then(Picture::of).map(Arc::new);
    Ok(Some(Featured { bout, ratings, picture }))
}

/// How much a game is worth to be watched: strong programs that are close in rating, finals and contests before
/// ladders without an end, a long game that was not lost by a fault, and a lead that has changed.
fn interest(
    bout: &SiteBout,
    ratings: [Option<f64>; 2],
    curve: Option<&[CurvePoint]>,
    contest: Option<&Competition>,
) -> f64 {
    let [first, second] = ratings.map(|rating| rating.unwrap_or(1500.0));
    let mut worth = f64::midpoint(first, second) - 0.6 * (first - second).abs();
    worth += match bout.kind {
        BoutKind::Final { .. } => 400.0,
        BoutKind::Ladder => 50.0,
        BoutKind::Asked { .. } => 0.0,
        BoutKind::Check => -600.0,
    };
    worth += if contest.is_some_and(|contest| contest.closes.is_some()) { 120.0 } else { 0.0 };
    if bout.winner.is_some() {
        let failed = bout.seats.iter().any(|seat| seat.verdict.is_some_and(|verdict| verdict != Verdict::Ok));
        worth += f64::from(bout.plies.min(120)) - if failed || bout.winner == Some(Winner::Void) { 500.0 } else { 0.0 };
    }
    worth + 60.0 * f64::from(curve.map_or(0, lead_changes).min(5))
}

/// How often the lead changes sides by more than a little.
fn lead_changes(points: &[CurvePoint]) -> u32 {
    let mut sorted: Vec<&CurvePoint> = points.iter().collect();
    sorted.sort_by_key(|point| point.ply);
    let leads = sorted.iter().filter_map(|point| match (point.value, point.wins) {
        (_, Some(side)) => Some(side == 0),
        (Some(value), None) if value.abs() > 0.5 => Some(value > 0.0),
        _ => None,
    });
    let leads: Vec<bool> = leads.collect();
    leads.windows(2).filter(|pair| pair[0] != pair[1]).count() as u32
}

/// How a recorded game stood after this many moves, or at its end.
pub fn position(record: &str, ply: u32) -> Option<View> {
    let record = Record::read(record).ok()?;
    let (start, moves) = replayed(&record).ok()?;
    let mut state = start.boxed_clone();
    for played in moves.iter().take(ply as usize) {
        state.answer(&played.arguments).ok()?;
    }
    Some(state.view())
}

#[cfg(test)]
mod tests {
    use agon_catalog::Game;
    use agon_site::store::SiteSeat;

    use super::*;

    fn bout(kind: BoutKind, winner: Option<Winner>, verdict: Verdict) -> SiteBout {
        let seat = |program| SiteSeat {
            program,
            name: String::new(),
            account: None,
            version: None,
            verdict: Some(verdict),
            time_ms: None,
            rating: None,
            stands_in: false,
        };
        let (game, seats) = (Game::all()[0], [seat(1), seat(2)]);
        SiteBout {
            id: 1,
            contest: 1,
            game,
            kind,
            seats,
            begun: 1,
            winner,
            reason: String::new(),
            plies: 40,
            game_digest: None,
            repeats: None,
            is_forfeit: false,
        }
    }

    #[test]
    fn strong_and_close_games_come_first() {
        let worth = |kind, winner, verdict, ratings: [f64; 2], curve: Option<&[CurvePoint]>| {
            interest(&bout(kind, winner, verdict), ratings.map(Some), curve, None)
        };
        let ladder = |ratings| worth(BoutKind::Ladder, None, Verdict::Ok, ratings, None);
        assert!(ladder([1900.0, 1880.0]) > ladder([1600.0, 1590.0]));
        assert!(ladder([1700.0, 1690.0]) > ladder([1990.0, 1400.0]), "a game between equals");
        let check = worth(BoutKind::Check, None, Verdict::Ok, [1900.0, 1880.0], None);
        assert!(check < ladder([1500.0, 1400.0]));
        let played = |verdict, curve| worth(BoutKind::Ladder, Some(Winner::First), verdict, [1600.0; 2], curve);
        assert!(played(Verdict::Re, None) < played(Verdict::Ok, None));
        let point = |ply, value| CurvePoint { ply, value: Some(value), wins: None, text: String::new() };
        let even = [point(0, 2.0), point(1, 0.1), point(2, 3.0)];
        // As they are kept: from the end to the start.
        let changing = [point(4, 3.0), point(3, -2.0), point(2, 0.1), point(1, 2.0)];
        assert_eq!((lead_changes(&even), lead_changes(&changing)), (0, 2));
        assert!(played(Verdict::Ok, Some(&changing)) > played(Verdict::Ok, Some(&even)));
    }
}
