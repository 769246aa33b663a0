//! Chooses the next game of the ladder.
//!
//! A program is due for a game when its last one was begun long enough ago: a new version plays at once, game after
//! game, and less often the more games it has had. Its opponent is drawn as by ALPHANO, and the seats alternate.

use agon_arena::stats::elo;
use agon_game::seed::Stream;
use agon_site::store::{Candidate, FIRST_GAMES};

/// After how many rated games of a version how many seconds pass between the beginnings of two games.
const PACES: [(u32, i64); 4] = [(0, 0), (FIRST_GAMES, 60), (100, 300), (300, 1800)];

/// How long after its last game a version is due for the next one, in seconds.
fn pace(games: u32) -> i64 {
    PACES.iter().rev().find(|(least, _)| games >= *least).map_or(0, |(_, seconds)| *seconds)
}

/// Whether two programs have no owner in common: otherwise one could feed the other.
fn are_strangers(candidates: &[Candidate], one: usize, other: usize) -> bool {
    one != other && candidates[one].owners.iter().all(|owner| !candidates[other].owners.contains(owner))
}

/// Which versions are due for games.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Due {
    All,
    /// Those that have not had their first games: the competition has closed.
    FirstGames,
}

/// The positions of the programs of the next game, the first seat first; `None` if no program of a user is due, or
/// there is no opponent. `is_over` says for the positions of two seats whether these programs play no more games in
/// them.
pub(super) fn next(
    candidates: &[Candidate],
    which: Due,
    now: i64,
    stream: &mut Stream,
    mut is_over: impl FnMut([usize; 2]) -> bool,
) -> Option<[usize; 2]> {
    let due = |at: &usize| {
        let candidate = &candidates[*at];
        let wanted = which == Due::All || candidate.games < FIRST_GAMES;
        candidate.builtin.is_none() && wanted && now - candidate.last >= pace(candidate.games)
    };
    let mut able: Vec<usize> = (0..candidates.len()).filter(due).collect();
    able.sort_by_key(|&at| (candidates[at].games, candidates[at].last));
    for chosen in able {
        // The seats alternate while there are games in both.
        let seated = |other: usize| {
            let seats = [[chosen, other], [other, chosen]];
            if candidates[chosen].lead <= 0 { seats } else { [seats[1], seats[0]] }
        };
        let mut open = Vec::new();
        for other in (0..candidates.len()).filter(|&other| are_strangers(candidates, chosen, other)) {
            if let Some(seats) = seated(other).into_iter().find(|&seats| !is_over(seats)) {
                open.push((candidates[other].rating, seats));
            }
        }
        let ratings: Vec<f64> = open.iter().map(|(rating, _)| *rating).collect();
        if let Some(opponent) = elo::opponent(candidates[chosen].rating, &ratings, stream) {
            return Some(open[opponent].1);
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    fn candidate(program: i64, games: u32, last: i64) -> Candidate {
        let owners = vec![100 + program];
        let version = Some((program, 1));
        let reads_openings = Some(true);
        Candidate { program, version, games, reads_openings, builtin: None, owners, rating: 1500.0, lead: 0, last }
    }

    #[test]
    fn new_versions_play_first_and_old_ones_seldom() {
        let builtin =
            Candidate { builtin: Some("random".into()), version: None, owners: Vec::new(), ..candidate(9, 0, 0) };
        let check = |candidates: &[Candidate], now, wanted: Option<i64>| {
            let drawn = next(candidates, Due::All, now, &mut Stream::new(1, "test"), |_| false);
            let first = drawn.map(|seats| candidates[seats[0]].program);
            assert_eq!(first, wanted);
            assert!(drawn.is_none_or(|[first, second]| first != second));
        };
        let all = [builtin.clone(), candidate(1, 29, 1000), candidate(2, 5, 1000), candidate(3, 5, 999)];
        check(&all, 1000, Some(3));
        check(&all[..3], 1000, Some(2));
        check(&all[..2], 1000, Some(1));
        check(&all[..1], 1000, None);
        let old = [builtin, candidate(1, 30, 1000), candidate(2, 300, 1000)];
        check(&old, 1059, None);
        check(&old, 1060, Some(1));
        check(&old[1..2], 5000, None);
        check(&old[2..], 5000, None);
    }

    #[test]
    fn versions_have_their_first_games_after_the_closing_and_no_more() {
        let next = |candidates: &[Candidate]| {
            next(candidates, Due::FirstGames, 1000, &mut Stream::new(1, "test"), |_| false)
                .map(|seats| seats.map(|seat| candidates[seat].program))
        };
        let all = [candidate(1, 30, 0), candidate(2, 300, 0), candidate(3, 29, 0)];
        assert!(next(&all).is_some_and(|seats| seats.contains(&3)), "it meets those that have had theirs");
        assert_eq!(next(&all[..2]), None);
    }

    #[test]
    fn programs_of_one_owner_do_not_meet() {
        let owned =
            |program, games, owners: &[i64]| Candidate { owners: owners.to_vec(), ..candidate(program, games, 0) };
        let check = |candidates: &[Candidate], wanted: Option<&[[i64; 2]]>| {
            let mut met: Vec<[i64; 2]> = (0..60)
                .filter_map(|seed| next(candidates, Due::All, 10, &mut Stream::new(seed, "test"), |_| false))
                .map(|seats| seats.map(|seat| candidates[seat].program))
                .collect();
            met.sort_unstable();
            met.dedup();
            assert_eq!((!met.is_empty()).then_some(&met[..]), wanted);
        };
        // A king, its pawns, the pawns of a team of its owner, and a stranger.
        let all = [owned(1, 0, &[7]), owned(2, 5, &[7]), owned(3, 5, &[8, 7]), owned(4, 9, &[8]), owned(5, 9, &[9])];
        check(&all, Some(&[[1, 4], [1, 5]]));
        check(&all[..3], None);
        // One without a stranger holds up no other.
        check(&[owned(3, 0, &[8, 7]), owned(2, 5, &[7]), owned(4, 9, &[8])], Some(&[[2, 4]]));
    }

    #[test]
    fn seats_alternate() {
        let mut stream = Stream::new(1, "test");
        let mut all = [candidate(1, 0, 0), candidate(2, 9, 0)];
        assert_eq!(next(&all, Due::All, 10, &mut stream, |_| false), Some([0, 1]));
        all[0].lead = 1;
        assert_eq!(next(&all, Due::All, 10, &mut stream, |_| false), Some([1, 0]));
    }

    #[test]
    fn those_that_have_played_all_their_games_hold_up_no_others() {
        let all = [candidate(1, 0, 0), candidate(2, 5, 0), candidate(3, 9, 0)];
        let met =
            |over: &[[usize; 2]]| next(&all, Due::All, 10, &mut Stream::new(1, "test"), |seats| over.contains(&seats));
        assert_eq!(met(&[[0, 1], [1, 0], [0, 2]]), Some([2, 0]), "in the other seats");
        assert_eq!(met(&[[0, 1], [1, 0], [0, 2], [2, 0], [1, 2]]), Some([2, 1]));
        assert_eq!(met(&[[0, 1], [1, 0], [0, 2], [2, 0], [1, 2], [2, 1]]), None);
    }
}
