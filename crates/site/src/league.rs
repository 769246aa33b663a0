//! Weekly leagues: programs of similar strength play within groups of ten for a week; then the best two of each group
//! move up and the last two down.

use std::collections::HashSet;

use agon_arena::store::StoreError;
use jiff::tz::TimeZone;
use jiff::{Timestamp, ToSpan as _};

use crate::error::Refusal;
use crate::store::{Competition, CompetitionPhase, LeagueScore, SiteProgram, SiteStore};

/// Programs of a group; the last one may have a few more.
pub const GROUP_SIZE: usize = 10;

/// Programs that move up and down each week.
pub const MOVING: usize = 2;

/// The fewest programs of a group below others.
const MIN_GROUP: usize = 5;

/// A week of a league, from its beginning to its end: from Monday at midnight to the next one.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct LeagueWeek {
    pub begins: i64,
    pub ends: i64,
}

impl LeagueWeek {
    /// The week of this moment in the zone of this machine.
    pub fn of(at: i64) -> Self {
        Self::in_zone(at, &TimeZone::system())
    }

    fn in_zone(at: i64, zone: &TimeZone) -> Self {
        let monday = |at: i64| {
            let date = Timestamp::from_second(at).ok()?.to_zoned(zone.clone()).date();
            let since = date.weekday().to_monday_zero_offset();
            let first = date.checked_sub(i64::from(since).days()).ok()?;
            let next = first.checked_add(7.days()).ok()?;
            let second = |date: jiff::civil::Date| Some(date.to_zoned(zone.clone()).ok()?.timestamp().as_second());
            Some(Self { begins: second(first)?, ends: second(next)? })
        };
        // Beyond the years that a calendar knows.
        monday(at).unwrap_or(Self { begins: at, ends: at })
    }
}

/// How a place at the end of the week moves its program.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum LeagueMove {
    Up,
    Stay,
    Down,
}

/// The groups of these scores, which are in order, and how each program would move.
pub fn groups(scores: &[LeagueScore]) -> Vec<Vec<(&LeagueScore, LeagueMove)>> {
    let groups: Vec<&[LeagueScore]> = scores.chunk_by(|one, other| one.group == other.group).collect();
    // As many as go up to a group go down from it; who has not played does not go up.
    let changing = |lower: usize| -> usize {
        let (Some(upper), Some(group)) = (lower.checked_sub(1).and_then(|at| groups.get(at)), groups.get(lower)) else {
            return 0;
        };
        let played = group.iter().filter(|score| score.games > 0).count();
        MOVING.min(played).min(group.len() / 2).min(upper.len() / 2)
    };
    let mut all = Vec::new();
    for (at, group) in groups.iter().copied().enumerate() {
        let (up, down) = (changing(at), changing(at + 1));
        let of = |place: usize| match place {
            place if place < up => LeagueMove::Up,
            place if place + down >= group.len() => LeagueMove::Down,
            _ => LeagueMove::Stay,
        };
        all.push(group.iter().enumerate().map(|(place, score)| (score, of(place))).collect());
    }
    all
}

/// The groups of the next week: these programs are on the ladder, the best first; who is new comes last.
fn next_groups(scores: &[LeagueScore], ladder: &[i64]) -> Vec<Vec<i64>> {
    let on_ladder: HashSet<i64> = ladder.iter().copied().collect();
    let mut placed: Vec<(i64, i64)> = Vec::new();
    for (number, group) in (0i64..).zip(groups(scores)) {
        for (score, moves) in group {
            // Between those who stay in a group, those who come from above are above, those from below are below.
            let place = match moves {
                LeagueMove::Up => 3 * (number - 1) + 2,
                LeagueMove::Stay => 3 * number + 1,
                LeagueMove::Down => 3 * (number + 1),
            };
            placed.push((place, score.program));
        }
    }
    placed.sort_by_key(|(place, _)| *place);
    let known: HashSet<i64> = placed.iter().map(|(_, program)| *program).collect();
    let stays = placed.into_iter().map(|(_, program)| program).filter(|program| on_ladder.contains(program));
    let all: Vec<i64> = stays.chain(ladder.iter().copied().filter(|program| !known.contains(program))).collect();
    let mut groups: Vec<Vec<i64>> = all.chunks(GROUP_SIZE).map(<[i64]>::to_vec).collect();
    if groups.len() > 1 && groups.last().is_some_and(|last| last.len() < MIN_GROUP) {
        let last = groups.pop().unwrap_or_default();
        groups.last_mut().expect("there is another group").extend(last);
    }
    groups
}

/// A program in its group.
#[derive(Clone, PartialEq, Debug)]
pub struct LeagueRow {
    pub program: SiteProgram,
    pub score: LeagueScore,
    pub moves: LeagueMove,
}

/// A week of a league.
#[derive(Clone, PartialEq, Debug)]
pub struct LeagueTable {
    pub week: LeagueWeek,
    /// The beginning of the week before, if the league has had one.
    pub earlier: Option<i64>,
    /// The groups, the strongest first; in each the best come first.
    pub groups: Vec<Vec<LeagueRow>>,
}

impl LeagueTable {
    /// The week of this moment, or the last one before it.
    ///
    /// # Errors
    /// [`Refusal::NotFound`] of a competition that has no league.
    pub fn read(store: &SiteStore, competition: i64, at: i64) -> Result<Self, Refusal> {
        let last = store.last_league_week(competition, at)?;
        if last.is_none() && !store.has_league(competition)? {
            return Err(Refusal::NotFound);
        }
        let week = LeagueWeek::of(last.unwrap_or(at));
        let scores = store.league_scores(competition, week.begins, week.ends)?;
        let mut rows = Vec::new();
        for group in groups(&scores) {
            let mut row = Vec::new();
            for (score, moves) in group {
                let program = store.program(score.program)?.ok_or(Refusal::NotFound)?;
                row.push(LeagueRow { program, score: score.clone(), moves });
            }
            rows.push(row);
        }
        Ok(Self { week, earlier: store.last_league_week(competition, week.begins - 1)?, groups: rows })
    }
}

/// Begins the current week of the leagues that have not begun it.
///
/// # Errors
/// [`StoreError`].
pub fn begin_due(store: &mut SiteStore, at: i64) -> Result<(), StoreError> {
    for id in store.leagues()? {
        if let Some(competition) = store.competition(id)? {
            begin(store, &competition, at)?;
        }
    }
    Ok(())
}

fn begin(store: &mut SiteStore, competition: &Competition, at: i64) -> Result<(), StoreError> {
    let week = LeagueWeek::of(at);
    let last = store.last_league_week(competition.id, week.begins)?;
    if last == Some(week.begins) || competition.phase(at) != CompetitionPhase::Running {
        return Ok(());
    }
    let scores = match last {
        Some(last) => store.league_scores(competition.id, last, LeagueWeek::of(last).ends)?,
        None => Vec::new(),
    };
    let ladder: Vec<i64> = store.best(competition.id, u32::MAX)?.into_iter().map(|placed| placed.program.id).collect();
    store.begin_league_week(competition.id, week.begins, &next_groups(&scores, &ladder))
}

/// Gives a competition a league, which begins at once, or ends it.
///
/// # Errors
/// [`StoreError`].
pub fn set(store: &mut SiteStore, competition: &Competition, on: bool, at: i64) -> Result<(), StoreError> {
    store.set_league(competition.id, on, at)?;
    if on { begin(store, competition, at) } else { Ok(()) }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn score(program: i64, group: u32, points: f64) -> LeagueScore {
        LeagueScore { program, group, games: 10, points }
    }

    #[test]
    fn a_week_begins_on_monday_at_midnight() {
        let zone = TimeZone::fixed(jiff::tz::offset(9));
        // 2026-12-01 was a Tuesday; at 00:30 in Korea it was still Monday in London.
        let at: Timestamp = "2026-11-30T15:30:00Z".parse().unwrap();
        let week = LeagueWeek::in_zone(at.as_second(), &zone);
        let begins: Timestamp = "2026-11-29T15:00:00Z".parse().unwrap();
        assert_eq!((week.begins, week.ends - week.begins), (begins.as_second(), 7 * 86_400));
        assert_eq!(LeagueWeek::in_zone(week.begins, &zone), week);
        assert_eq!(LeagueWeek::in_zone(week.ends, &zone).begins, week.ends);
        assert_eq!(LeagueWeek::in_zone(week.begins - 1, &zone).ends, week.begins);
    }

    #[test]
    fn two_move_up_and_two_down() {
        let mut scores: Vec<LeagueScore> =
            (0..30).map(|at| score(i64::from(at), at / 10, f64::from(10 - at % 10))).collect();
        let moves: Vec<Vec<LeagueMove>> =
            groups(&scores).iter().map(|group| group.iter().map(|(_, moves)| *moves).collect()).collect();
        assert_eq!(moves[0][..2], [LeagueMove::Stay; 2]);
        assert_eq!((moves[1][1], moves[1][2], moves[1][8]), (LeagueMove::Up, LeagueMove::Stay, LeagueMove::Down));
        assert_eq!(moves[2][8..], [LeagueMove::Stay; 2]);
        let ladder: Vec<i64> = (0..30).collect();
        let next = next_groups(&scores, &ladder);
        assert_eq!(next[0], [0, 1, 2, 3, 4, 5, 6, 7, 10, 11]);
        assert_eq!(next[1], [8, 9, 12, 13, 14, 15, 16, 17, 20, 21]);
        assert_eq!(next[2], [18, 19, 22, 23, 24, 25, 26, 27, 28, 29]);
        // Who has not played stays, and so does one above.
        for one in &mut scores[11..20] {
            (one.games, one.points) = (0, 0.0);
        }
        assert_eq!(next_groups(&scores, &ladder)[0], [0, 1, 2, 3, 4, 5, 6, 7, 8, 10]);
    }

    #[test]
    fn groups_close_up_and_who_is_new_comes_last() {
        assert_eq!(next_groups(&[], &[]), Vec::<Vec<i64>>::new());
        let all: Vec<i64> = (0..14).collect();
        assert_eq!(next_groups(&[], &all), std::slice::from_ref(&all), "four would be too few");
        let all: Vec<i64> = (0..15).collect();
        assert_eq!(next_groups(&[], &all), [all[..10].to_vec(), all[10..].to_vec()]);
        let scores: Vec<LeagueScore> = (0..3).map(|at| score(at, 0, 1.0)).collect();
        assert_eq!(next_groups(&scores, &[9, 2, 0]), [[0, 2, 9]]);
    }
}
