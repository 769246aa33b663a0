//! The game most worth watching: one in progress, or else one of the last.

use std::collections::{HashMap, HashSet};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use agon_arena::store::StoreError;
use agon_arena::transcript::replayed;
use agon_boards::analysis::CurvePoint;
use agon_boards::lock::locked;
use agon_boards::picture::Picture;
use agon_game::View;
use agon_queue::live::LiveGames;
use agon_referee::record::{Record, Winner};
use agon_referee::verdict::Verdict;
use agon_site::access::may_watch;
use agon_site::clock::now;
use agon_site::identity::Identity;
use agon_site::store::{BoutKind, Competition, SiteBout, SiteSeat, SiteStore};

/// For how long a choice holds, unless its game ends before.
const HOLDS: Duration = Duration::from_secs(20);

/// For how long after its last game a private competition comes first for its members, in seconds.
const OWN_LAST: i64 = 3600;

/// Choices that are remembered: one for each set of private competitions.
const MAX_CHOICES: usize = 256;

/// How many of the last games of each competition are compared.
const LAST: u32 = 6;

/// How many of the last games of each competition a broadcast chooses from.
const ON_AIR: u32 = 30;

/// The game most worth watching.
#[derive(Clone, Debug)]
pub(crate) struct Featured {
    pub bout: SiteBout,
    /// The ratings of its programs, if known.
    pub ratings: [Option<f64>; 2],
    /// Whose its programs are.
    pub owners: [Option<String>; 2],
    /// Its board; `None` if it is too large to draw.
    pub picture: Option<Arc<Picture>>,
}

impl Featured {
    pub(crate) const fn is_live(&self) -> bool {
        self.bout.winner.is_none()
    }
}

/// The last games of a competition, each with its interest.
type RatedBouts = Arc<Vec<(f64, SiteBout)>>;

/// The last choices.
#[derive(Default)]
pub(crate) struct FeaturedGames {
    /// By the private competitions whose games the visitor sees.
    chosen: Mutex<HashMap<Vec<i64>, (Instant, Featured)>>,
    /// By competition.
    on_air: Mutex<HashMap<i64, (Instant, RatedBouts)>>,
}

impl FeaturedGames {
    /// Makes the next choice a new one.
    #[cfg(test)]
    pub(crate) fn forget(&self) {
        locked(&self.chosen).clear();
        locked(&self.on_air).clear();
    }

    /// The last games of these competitions that have moves, those most worth watching first.
    ///
    /// # Errors
    /// [`StoreError`].
    pub(crate) fn programme(
        &self,
        store: &SiteStore,
        competitions: &[Competition],
    ) -> Result<Vec<SiteBout>, StoreError> {
        let mut found = Vec::new();
        for competition in competitions {
            let known = locked(&self.on_air).get(&competition.id).cloned();
            let rated = match known.filter(|(at, _)| at.elapsed() < HOLDS) {
                Some((_, rated)) => rated,
                None => {
                    let rated = Arc::new(rated_bouts(store, competition)?);
                    locked(&self.on_air).insert(competition.id, (Instant::now(), Arc::clone(&rated)));
                    rated
                }
            };
            found.extend(rated.iter().cloned());
        }
        found.sort_by(|a, b| b.0.total_cmp(&a.0));
        Ok(found.into_iter().map(|(_, bout)| bout).collect())
    }

    /// The game to show to those who see what everyone sees, and these private competitions, whose games come first;
    /// for one in progress, with its current board.
    ///
    /// # Errors
    /// [`StoreError`].
    pub(crate) fn choose(
        &self,
        live: &LiveGames,
        competitions: &[Competition],
        private: &[i64],
        store: &SiteStore,
    ) -> Result<Option<Featured>, StoreError> {
        let known = locked(&self.chosen).get(private).cloned();
        if let Some((at, featured)) = known {
            let over = featured.is_live() && live.find(featured.bout.id).is_none();
            if at.elapsed() < HOLDS && !over {
                return Ok(Some(drawn_live(live, featured)));
            }
        }
        let chosen = choose(live, competitions, private, store)?;
        let mut known = locked(&self.chosen);
        if known.len() >= MAX_CHOICES {
            known.clear();
        }
        match &chosen {
            Some(featured) => known.insert(private.to_vec(), (Instant::now(), featured.clone())),
            None => known.remove(private),
        };
        drop(known);
        Ok(chosen.map(|featured| drawn_live(live, featured)))
    }
}

/// The same with the current board.
fn drawn_live(live: &LiveGames, mut featured: Featured) -> Featured {
    if featured.is_live()
        && let Some((view, _)) = live.find(featured.bout.id).and_then(|live| live.stands())
    {
        featured.picture = Picture::from_view(&view).map(Arc::new);
    }
    featured
}

fn choose(
    live: &LiveGames,
    competitions: &[Competition],
    private: &[i64],
    store: &SiteStore,
) -> Result<Option<Featured>, StoreError> {
    let guest = Identity::default();
    // One choice for all visitors of these competitions: nothing that some of them may not see.
    let known: HashMap<i64, &Competition> = competitions
        .iter()
        .filter(|competition| !competition.is_private() || private.contains(&competition.id))
        .map(|competition| (competition.id, competition))
        .collect();
    let shown = |bout: &SiteBout| may_watch(known.get(&bout.competition).copied(), &guest, bout);
    let mut running: Vec<SiteBout> =
        store.running()?.into_iter().filter(|bout| live.find(bout.id).is_some() && shown(bout)).collect();
    let mut last = Vec::new();
    let read_last = |competition: i64, last: &mut Vec<SiteBout>| {
        last.extend(
            store.recent(competition, i64::MAX, LAST)?.into_iter().filter(|bout| bout.plies > 0 && shown(bout)),
        );
        Ok::<_, StoreError>(())
    };
    for competition in private {
        read_last(*competition, &mut last)?;
    }
    // One's own class comes first, even between two of its games.
    last.retain(|bout| now() - bout.begun < OWN_LAST);
    if running.iter().any(|bout| private.contains(&bout.competition)) {
        running.retain(|bout| private.contains(&bout.competition));
    } else if !last.is_empty() {
        running.clear();
    }
    if running.is_empty() && last.is_empty() {
        for competition in known.keys() {
            read_last(*competition, &mut last)?;
        }
    }
    let bouts = if running.is_empty() { last } else { running };
    let mut best: Option<(f64, SiteBout, [Option<f64>; 2])> = None;
    for bout in bouts {
        let (worth, ratings) = judged(store, &bout, known.get(&bout.competition).copied())?;
        if best.as_ref().is_none_or(|(least, ..)| worth > *least) {
            best = Some((worth, bout, ratings));
        }
    }
    let Some((_, bout, ratings)) = best else { return Ok(None) };
    let view = match (&bout.winner, store.record_of_bout(bout.id)) {
        (Some(_), Ok(Some(record))) => position(&record, u32::MAX),
        _ => None,
    };
    let picture = view.as_ref().and_then(Picture::from_view).map(Arc::new);
    let owners = owners(store, &bout)?;
    Ok(Some(Featured { bout, ratings, owners, picture }))
}

/// Whose the programs of a game are; none of a built-in player, and of one that stands in for another.
///
/// # Errors
/// [`StoreError`].
pub(crate) fn owners(store: &SiteStore, bout: &SiteBout) -> Result<[Option<String>; 2], StoreError> {
    let owner = |seat: &SiteSeat| {
        let program = if seat.stands_in { None } else { store.program(seat.program)? };
        Ok::<_, StoreError>(program.and_then(|program| program.owner))
    };
    Ok([owner(&bout.seats[0])?, owner(&bout.seats[1])?])
}

/// How interesting a game is, and the ratings of its programs.
fn judged(
    store: &SiteStore,
    bout: &SiteBout,
    competition: Option<&Competition>,
) -> Result<(f64, [Option<f64>; 2]), StoreError> {
    let mut ratings = bout.seats.each_ref().map(|seat| seat.rating);
    for (seat, rating) in bout.seats.iter().zip(&mut ratings) {
        if rating.is_none() {
            *rating = store.program(seat.program)?.map(|program| program.rating);
        }
    }
    let curve = if bout.winner.is_some() { stored_curve(store, bout.id)? } else { None };
    let [first, second] = bout.seats.each_ref().map(|seat| seat.program);
    let met = store.meeting(first, second)?.map_or(0, |meeting| meeting.games);
    let is_first_meeting = met <= u32::from(bout.winner.is_some());
    Ok((interest(bout, ratings, curve.as_deref(), competition, is_first_meeting), ratings))
}

/// The last games of a competition that have moves.
fn rated_bouts(store: &SiteStore, competition: &Competition) -> Result<Vec<(f64, SiteBout)>, StoreError> {
    let mut bouts = store.recent(competition.id, i64::MAX, ON_AIR)?;
    bouts.retain(|bout| bout.plies > 0 && bout.winner != Some(Winner::Void));
    bouts.into_iter().map(|bout| Ok((judged(store, &bout, Some(competition))?.0, bout))).collect()
}

/// The position in a programme of the next game, after those already shown, in order: no game again while another is
/// left, and no program twice in a row if others have played. Beside other boards, first of all, none whose programs
/// are on these.
pub(crate) fn next_on_air(programme: &[SiteBout], shown: &[i64], beside: &[i64]) -> Option<usize> {
    let is_new = |bout: &SiteBout| !shown.contains(&bout.id);
    let before = if beside.is_empty() { &shown[shown.len().saturating_sub(1)..] } else { beside };
    // By their names: a built-in player is the same one on every ladder.
    let seen: HashSet<&str> = programme
        .iter()
        .filter(|bout| before.contains(&bout.id))
        .flat_map(|bout| bout.seats.each_ref().map(|seat| seat.name.as_str()))
        .collect();
    let others = |bout: &SiteBout| bout.seats.iter().all(|seat| !seen.contains(seat.name.as_str()));
    let another = |bout: &SiteBout| !before.contains(&bout.id);
    let place = |wanted: &dyn Fn(&SiteBout) -> bool| programme.iter().position(wanted);
    place(&|bout| is_new(bout) && others(bout))
        .or_else(|| place(&|bout| !beside.is_empty() && another(bout) && others(bout)))
        .or_else(|| place(&is_new))
        .or_else(|| place(&|bout| another(bout) && others(bout)))
        .or_else(|| place(&another))
        .or_else(|| place(&|_| true))
}

/// How interesting a game is: strong programs of similar ratings, finals and competitions before permanent ladders, a
/// long game that was not lost by a fault, a first meeting, an unexpected winner, and changes of the lead.
fn interest(
    bout: &SiteBout,
    ratings: [Option<f64>; 2],
    curve: Option<&[CurvePoint]>,
    competition: Option<&Competition>,
    is_first_meeting: bool,
) -> f64 {
    let [first, second] = ratings.map(|rating| rating.unwrap_or(1500.0));
    let mut worth = f64::midpoint(first, second) - 0.6 * (first - second).abs();
    worth += match bout.kind {
        BoutKind::Final { .. } => 400.0,
        BoutKind::Ladder => 50.0,
        BoutKind::Asked { .. } => 0.0,
        BoutKind::Check => -600.0,
    };
    worth += if competition.is_some_and(|competition| competition.closes.is_some()) { 120.0 } else { 0.0 };
    worth += if is_first_meeting { 80.0 } else { 0.0 };
    if bout.winner.is_some() {
        let failed = bout.seats.iter().any(|seat| seat.verdict.is_some_and(|verdict| verdict != Verdict::Ok));
        let upset = match bout.winner {
            Some(Winner::First) => second - first,
            Some(Winner::Second) => first - second,
            _ => 0.0,
        };
        worth += 1.2 * upset.clamp(0.0, 400.0);
        worth += f64::from(bout.plies.min(120)) - if failed || bout.winner == Some(Winner::Void) { 500.0 } else { 0.0 };
    }
    worth + 60.0 * f64::from(curve.map_or(0, lead_changes).min(5))
}

/// The stored curve of a game's evaluations.
///
/// # Errors
/// [`StoreError`].
pub(crate) fn stored_curve(store: &SiteStore, bout: i64) -> Result<Option<Vec<CurvePoint>>, StoreError> {
    Ok(store.evaluation(bout)?.and_then(|points| serde_json::from_str(&points).ok()))
}

/// Who is ahead by more than a little: 1 for the first side, -1 for the second, 0 for neither; `None` if it is unknown.
pub(crate) fn lead(point: &CurvePoint) -> Option<i8> {
    match (point.value, point.wins) {
        (_, Some(side)) => Some(if side == 0 { 1 } else { -1 }),
        (Some(value), None) if value.abs() > 0.5 => Some(if value > 0.0 { 1 } else { -1 }),
        (Some(_), None) => Some(0),
        (None, None) => None,
    }
}

/// How often the lead changes sides by more than a little.
fn lead_changes(points: &[CurvePoint]) -> u32 {
    let mut sorted: Vec<&CurvePoint> = points.iter().collect();
    sorted.sort_by_key(|point| point.ply);
    let leads: Vec<i8> = sorted.into_iter().filter_map(lead).filter(|lead| *lead != 0).collect();
    leads.windows(2).filter(|pair| pair[0] != pair[1]).count() as u32
}

/// The position of a recorded game after this many moves, or at its end.
pub(crate) fn position(record: &str, ply: u32) -> Option<View> {
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
    use agon_message::Stated;

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
            competition: 1,
            game,
            kind,
            seats,
            begun: 1,
            winner,
            reason: Stated::default(),
            plies: 40,
            game_digest: None,
            repeats: None,
            is_forfeit: false,
        }
    }

    #[test]
    fn a_broadcast_repeats_neither_games_nor_programs() {
        let game = |id, programs: [i64; 2]| {
            let mut bout = bout(BoutKind::Ladder, Some(Winner::First), Verdict::Ok);
            bout.id = id;
            for (seat, program) in bout.seats.iter_mut().zip(programs) {
                seat.name = program.to_string();
            }
            bout
        };
        let programme = [game(1, [1, 2]), game(2, [1, 3]), game(3, [3, 4])];
        let after = |shown: &[i64]| next_on_air(&programme, shown, &[]).map(|at| programme[at].id);
        assert_eq!((after(&[]), after(&[1]), after(&[1, 3])), (Some(1), Some(3), Some(2)));
        // All were shown: next come those of other programs, then any other game; the only one is shown again.
        assert_eq!((after(&[1, 3, 2]), after(&[2, 3, 1])), (Some(1), Some(3)));
        assert_eq!((next_on_air(&programme[..1], &[1], &[]), next_on_air(&[], &[1], &[])), (Some(0), None));
        // A game that is no longer among the last ones holds nothing up.
        assert_eq!(after(&[99]), Some(1));
        // No program is on two boards, even if a game is shown again.
        let beside = |shown: &[i64], others: &[i64]| next_on_air(&programme, shown, others).map(|at| programme[at].id);
        assert_eq!((beside(&[1], &[1]), beside(&[3, 1], &[1]), beside(&[2], &[2])), (Some(3), Some(3), Some(1)));
    }

    #[test]
    fn strong_and_close_games_come_first() {
        let worth = |kind, winner, verdict, ratings: [f64; 2], curve: Option<&[CurvePoint]>| {
            interest(&bout(kind, winner, verdict), ratings.map(Some), curve, None, false)
        };
        let ladder = |ratings| worth(BoutKind::Ladder, None, Verdict::Ok, ratings, None);
        assert!(ladder([1900.0, 1880.0]) > ladder([1600.0, 1590.0]));
        assert!(ladder([1700.0, 1690.0]) > ladder([1990.0, 1400.0]), "a game between equals");
        let equals = bout(BoutKind::Ladder, None, Verdict::Ok);
        let met = [true, false].map(|first| interest(&equals, [Some(1700.0); 2], None, None, first));
        assert!(met[0] > met[1], "a first meeting");
        let check = worth(BoutKind::Check, None, Verdict::Ok, [1900.0, 1880.0], None);
        assert!(check < ladder([1500.0, 1400.0]));
        let played = |verdict, curve| worth(BoutKind::Ladder, Some(Winner::First), verdict, [1600.0; 2], curve);
        assert!(played(Verdict::Re, None) < played(Verdict::Ok, None));
        let point = |ply, value| CurvePoint { ply, value: Some(value), wins: None, text: Stated::default() };
        let even = [point(0, 2.0), point(1, 0.1), point(2, 3.0)];
        // As they are stored: from the end to the start.
        let changing = [point(4, 3.0), point(3, -2.0), point(2, 0.1), point(1, 2.0)];
        assert_eq!((lead_changes(&even), lead_changes(&changing)), (0, 2));
        assert!(played(Verdict::Ok, Some(&changing)) > played(Verdict::Ok, Some(&even)));
    }
}
