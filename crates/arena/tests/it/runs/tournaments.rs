//! Tournaments and tests from the first bout to the table.

use std::collections::HashSet;

use agon_arena::plan::Kind;
use agon_arena::runner::{RunEnd, RunEvent};
use agon_arena::stats::sprt::{Sprt, Status};
use agon_arena::tally::sequential_elo;
use agon_arena::{Standings, Store};

use crate::runs::{courses, plan, play};

#[test]
fn a_test_stops_by_itself() {
    let check = |agents: [&str; 2], wanted: Status| {
        let mut plan = plan(Kind::RoundRobin, &agents, 4000);
        plan.test = Some(Sprt { elo0: 0.0, elo1: 60.0, ..Sprt::default() });
        let mut store = Store::in_memory().unwrap();
        let (finish, _) = play(&plan, &mut store, 2).unwrap();
        let test = finish.tally.test().unwrap();
        assert_eq!((finish.ending, test.status), (RunEnd::Decided, wanted));
        assert!(finish.tally.bouts() < 2000, "{}", finish.tally.bouts());
        // A second run has nothing to add.
        let (again, _) = play(&plan, &mut store, 2).unwrap();
        assert_eq!((again.ending, again.played, again.tally.test()), (RunEnd::Decided, 0, Some(test)));
        // One at a time decides by the same pairs.
        let (alone, _) = play(&plan, &mut Store::in_memory().unwrap(), 1).unwrap();
        assert_eq!(alone.tally.test(), Some(test));
    };
    check(["greedy", "random"], Status::H1);
    check(["random", "greedy"], Status::H0);
}

#[test]
fn how_many_play_at_once_changes_nothing() {
    let plan = plan(Kind::RoundRobin, &["greedy", "random", "random"], 6);
    let played = [1, 3].map(|concurrency| {
        let mut store = Store::in_memory().unwrap();
        let (finish, _) = play(&plan, &mut store, concurrency).unwrap();
        courses(&store.bouts(finish.run, 0..u32::MAX).unwrap())
    });
    assert_eq!(played[0].len(), 18);
    assert_eq!(played[0], played[1]);
}

#[test]
fn a_swiss_tournament_finds_its_winner() {
    let plan =
        plan(Kind::Swiss { rounds: 4 }, &["random", "random", "greedy", "random", "random", "random", "random"], 6);
    let mut store = Store::in_memory().unwrap();
    let (finish, events) = play(&plan, &mut store, 2).unwrap();
    let rounds: Vec<_> = events
        .into_iter()
        .filter_map(|event| if let RunEvent::Round { round, .. } = event { Some(round) } else { None })
        .collect();
    let met: HashSet<_> = rounds.iter().flat_map(|round| &round.pairings).map(|[a, b]| (a.min(b), a.max(b))).collect();
    assert_eq!((rounds.len(), met.len()), (4, 12), "no two meet twice");
    let rested: HashSet<_> = rounds.iter().filter_map(|round| round.bye).collect();
    assert_eq!(rested.len(), 4, "no agent rests twice");

    let standings = Standings::new(&plan, &finish.tally);
    assert_eq!(standings.rows[0].agent, 2, "{standings:?}");
    let points: f64 = standings.rows.iter().map(|row| row.points).sum();
    assert!((points - (4.0 * 3.0 * 6.0 + 4.0 * 6.0)).abs() < 1e-9, "each bout a point, each bye six");
    let ratings = finish.tally.ratings(&plan.anchors());
    assert_eq!(ratings.groups().len(), 1);
    assert!((0..7).all(|agent| agent == 2 || ratings.los(2, agent) > 0.9));
    let bouts = store.bouts(finish.run, 0..u32::MAX).unwrap();
    let elo = sequential_elo(7, &bouts);
    assert!((0..7).all(|agent| elo[agent] <= elo[2]), "{elo:?}");
}
