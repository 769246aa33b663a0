//! The champion of Bacteria War: its moves are all there are, its certainties hold, its search is reproducible.

use std::collections::BTreeSet;
use std::time::Duration;

use agon_engines::bacteria::search::{KnownResult, MoveContext, MovePicker, SearchGame, SearchHistory, Tuning};
use agon_engines::bacteria::{BacteriaGame, Champion, Classic, Greedy, bench, level};
use agon_engines::random::Random;
use agon_game::{Outcome, Position, Side, TimeControl};
use agon_rules::bacteria::{Bacteria, Move};
use agon_search::parameters::Tunable;
use agon_search::value::WIN;
use agon_search::{Engine, Evaluate, SearchLimits, Stop, Task};

const CLOCK: TimeControl = TimeControl::sudden_death(Duration::from_secs(10));

/// The positions of some games at random.
fn positions() -> Vec<Bacteria> {
    let mut positions = Vec::new();
    for seed in 0..12 {
        let mut position = Bacteria::start();
        let mut random = Random::new(seed);
        while position.outcome().is_none() && position.ply() < 150 {
            positions.push(position.clone());
            let m = random.best_move(&position, &Task::clock(CLOCK)).expect("not over");
            position.play_unchecked(m, &mut ());
        }
    }
    positions.push("7/7/7/7/ooooooo/ooooooo/xxxxxxx x 0 1".parse().expect("a position where O must pass"));
    positions
}

#[test]
fn every_legal_move_is_handed_out_once() {
    let history = SearchHistory::default();
    for position in positions() {
        let mut legal = Vec::new();
        position.legal_moves(&mut legal);
        for best in [None, legal.first().copied(), legal.last().copied()] {
            let mut waiting = Vec::new();
            let mut picker = <<BacteriaGame as SearchGame>::Picker as MovePicker<Bacteria>>::new(best, &waiting);
            let mut handed = Vec::new();
            let side = position.turn();
            let context = MoveContext { side: side.index(), last: 0 };
            while let Some(picked) = picker.next(&position, &mut waiting, &history, context, &Tuning::default()) {
                let lead = |p: &Bacteria| p.cells(side).count_ones() as i32 - p.cells(side.other()).count_ones() as i32;
                let mut next = position.clone();
                next.play_unchecked(picked.m, &mut ());
                assert_eq!(picked.gain, 100 * (lead(&next) - lead(&position)), "{} at {position}", picked.m);
                handed.push(picked.m);
            }
            assert!(best.is_none() || handed.first() == best.as_ref(), "{position}");
            let sorted = |moves: &[Move]| moves.iter().copied().collect::<BTreeSet<_>>();
            assert_eq!((handed.len(), sorted(&handed)), (legal.len(), sorted(&legal)), "{position}");
        }
    }
}

#[test]
fn moves_survive_as_sixteen_bits() {
    for position in positions().into_iter().step_by(8) {
        let mut legal = Vec::new();
        position.legal_moves(&mut legal);
        for &m in &legal {
            assert_eq!(BacteriaGame::unpack(&position, BacteriaGame::pack(m)), Some(m), "{position}");
        }
        let words = (0..=u16::MAX).filter(|&word| BacteriaGame::unpack(&position, word).is_some()).count();
        assert_eq!(words, legal.len(), "{position}");
    }
}

/// Plays the position out as [`KnownResult`] says: the jailed side passes, the other divides.
fn check_settled(text: &str, expected: Option<KnownResult>) {
    let mut position: Bacteria = text.parse().expect("a position");
    let known_result = BacteriaGame::known_result(&position);
    assert_eq!(known_result, expected, "{text}");
    let (winner, plies) = match known_result {
        Some(KnownResult::Win(plies)) => (position.turn(), plies),
        Some(KnownResult::Loss(plies)) => (position.turn().other(), plies),
        _ => return,
    };
    let start = position.ply();
    while position.outcome().is_none() {
        let mut legal = Vec::new();
        position.legal_moves(&mut legal);
        let m = legal[0];
        assert!(
            if position.turn() == winner { !m.is_leap() && !m.is_pass() } else { m.is_pass() },
            "{m} at {position}"
        );
        position.play_unchecked(m, &mut ());
    }
    assert_eq!((position.outcome(), position.ply() - start), (Some(Outcome::Win(winner)), plies), "{text}");
}

#[test]
fn a_jailed_side_loses_to_one_that_fills() {
    check_settled("x5o/7/7/7/7/7/o5x x 0 1", None);
    check_settled("7/7/7/ooooooo/ooooooo/ooooooo/xxxxxxx x 0 30", Some(KnownResult::Loss(42)));
    check_settled("7/7/7/ooooooo/ooooooo/ooooooo/xxxxxxx o 0 30", Some(KnownResult::Win(41)));
    // Not enough to fill: the jailed side is ahead.
    check_settled("oxxxxxx/xxxxxxx/xxxxxxx/xxxxxxx/xxxxxxx/ooooooo/1oooooo o 0 30", None);
    // The end of the game comes first, and what is filled until then is not enough.
    check_settled("7/ooooooo/ooooooo/xxxxxxx/xxxxxxx/xxxxxxx/xxxxxxx o 0 199", None);
    check_settled("7/7/7/ooooooo/ooooooo/xxxxxxx/xxxxxxx o 0 199", Some(KnownResult::Win(3)));
    check_settled("7/7/7/ooooooo/ooooooo/xxxxxxx/xxxxxxx x 0 200", Some(KnownResult::Loss(2)));
    check_settled("7/7/7/ooooooo/ooooooo/xxxxxxx/xxxxxxx x 0 1", Some(KnownResult::Loss(42)));
}

/// The value of a position by looking at every line of `depth` plies.
fn brute_force(position: &Bacteria, plies: u32) -> Option<i32> {
    if let Some(outcome) = position.outcome() {
        return Some(match outcome.winner() {
            None => 0,
            Some(side) if side == position.turn() => 1,
            Some(_) => -1,
        });
    }
    let plies = plies.checked_sub(1)?;
    let mut legal = Vec::new();
    position.legal_moves(&mut legal);
    let values = legal.into_iter().map(|m| {
        let mut next = position.clone();
        next.play_unchecked(m, &mut ());
        brute_force(&next, plies).map(|value| -value)
    });
    values.collect::<Option<Vec<_>>>()?.into_iter().max()
}

/// Near the last ply everything can be looked at: the search must find the same.
#[test]
fn the_end_of_the_game_is_exact() {
    let mut seen = [0; 3];
    for (i, position) in positions().into_iter().enumerate().filter(|(i, _)| i % 9 == 0) {
        let plies = 2 + (i as u16 / 9) % 2;
        let cells = Side::BOTH.map(|side| position.cells(side));
        let late = Bacteria::from_cells(cells, 400 - plies).expect("a position");
        let expected = brute_force(&late, u32::from(plies)).expect("no line is longer");
        let limits = SearchLimits { depth: Some(8), nodes: Some(5_000), ..SearchLimits::default() };
        let found = <Champion>::default().start(&late, &Task { limits, ..Task::default() }, &mut |_| {});
        let Some(found) = found else { continue };
        assert_eq!(found.value.signum(), expected, "{late}: {}", found.value);
        seen[(expected + 1) as usize] += 1;
    }
    assert!(seen[0] > 5 && seen[2] > 5, "{seen:?}");
}

/// The value by looking at every line of `depth` plies, and asking the evaluation at their ends.
fn plain(position: &Bacteria, depth: u32, ply: i32) -> i32 {
    if ply > 0 {
        match BacteriaGame::known_result(position) {
            Some(KnownResult::Win(plies)) => return WIN - ply - plies as i32,
            Some(KnownResult::Loss(plies)) => return ply + plies as i32 - WIN,
            Some(KnownResult::Draw) => return 0,
            None if depth == 0 => return Classic::default().value(position),
            None => {}
        }
    }
    let mut legal = Vec::new();
    position.legal_moves(&mut legal);
    let values = legal.into_iter().map(|m| {
        let mut next = position.clone();
        next.play_unchecked(m, &mut ());
        -plain(&next, depth - 1, ply + 1)
    });
    values.max().expect("the game goes on")
}

/// Without any guessing, the search is alpha-beta: it finds exactly what a look at every line finds.
#[test]
fn without_its_guesses_the_search_is_exact() {
    let mut tuning = Tuning::default();
    let off = [
        ("iir_depth", 99),
        ("rfp_depth", 0),
        ("futility_depth", 0),
        ("nmp_depth", 99),
        ("lmr_base", 0),
        ("lmr_slope", 0),
        ("lmr_pv", 0),
        ("lmr_cut_node", 0),
        ("lmr_not_improving", 0),
        ("lmr_history", 32_000),
        ("lmp_minor_depth", 0),
        ("lmp_depth", 0),
        ("history_pruning_depth", 0),
        ("singular_depth", 99),
    ];
    for (name, value) in off {
        tuning.set(name, value).expect("in range");
    }
    for position in positions().into_iter().step_by(100) {
        let limits = SearchLimits { depth: Some(3), nodes: Some(100_000), ..SearchLimits::default() };
        let mut champion = Champion::new(Classic::default(), tuning);
        let found = champion.start(&position, &Task { limits, ..Task::default() }, &mut |_| {});
        assert_eq!(found.expect("not over").value, plain(&position, 3, 0), "{position}");
    }
}

/// Plays on from a won position against random moves, and wins within a number of plies.
fn check_won(text: &str, plies: u32) {
    let start: Bacteria = text.parse().expect("a position");
    let side = start.turn();
    for seed in 0..3 {
        let (mut champion, mut random) = (<Champion>::default(), Random::new(seed));
        let mut position = start.clone();
        while position.outcome().is_none() {
            let m = if position.turn() == side {
                let task = Task { limits: SearchLimits::nodes(2_000), ..Task::default() };
                champion.start(&position, &task, &mut |_| {}).expect("not over").line[0]
            } else {
                random.best_move(&position, &Task::clock(CLOCK)).expect("not over")
            };
            position.play_unchecked(m, &mut ());
        }
        assert_eq!(position.outcome(), Some(Outcome::Win(side)), "{text}: {position}");
        let took = position.ply() - start.ply();
        assert!(took <= plies, "{text}: {took} plies, to {position}");
    }
}

#[test]
fn a_won_game_is_won_and_not_drawn_out() {
    // The other side is jailed: 21 empty cells are filled, one every other ply.
    check_won("7/7/7/ooooooo/ooooooo/ooooooo/xxxxxxx o 0 30", 41);
    // The same with ten plies to go.
    check_won("7/7/7/ooooooo/ooooooo/xxxxxxx/xxxxxxx o 0 196", 9);
    // Far ahead, the other still free to move.
    check_won("7/7/2xxx2/2xxx2/2xxx2/7/o5o x 0 20", 80);
    check_won("xxxxxxx/xxxxxxx/xxxxxxx/xxx4/7/6o/5oo x 0 30", 60);
    // Behind in cells, but with the last infections.
    check_won("ooooooo/ooooooo/oooooo1/oooo1xx/xxxxxxx/xxxxxxx/xxxxx2 x 0 30", 13);
    // The clock of the game runs out: whoever is ahead then has won.
    check_won("xxxxx2/xxxxx2/xxxxx2/7/7/3oooo/3oooo x 0 195", 12);
}

/// Each level wins against one two below it; how they compare in detail is measured in docs/engines/bacteria.md.
#[test]
fn a_higher_level_wins() {
    for low in [1, 3, 5] {
        let mut won = 0;
        for seed in 0..6 {
            let mut position = Bacteria::start();
            let mut players = [level::at(low), level::at(low + 2)];
            for player in &mut players {
                player.set_seed(seed);
            }
            let strong = (seed % 2) as usize;
            while position.outcome().is_none() {
                let side = position.turn().index();
                let m =
                    players[usize::from(side == strong)].best_move(&position, &Task::clock(CLOCK)).expect("not over");
                position.play_unchecked(m, &mut ());
            }
            won += u32::from(position.outcome() == Some(Outcome::Win(Side::BOTH[strong])));
        }
        assert!(won >= 4, "level {} won {won} of 6 against {low}", low + 2);
    }
}

#[test]
fn the_champion_beats_greedy_from_either_seat() {
    for seed in 0..2 {
        for seat in Side::BOTH {
            let (mut champion, mut greedy) = (<Champion>::default(), Greedy::new(seed));
            let mut position = Bacteria::start();
            while position.outcome().is_none() {
                let m = if position.turn() == seat {
                    let task = Task { limits: SearchLimits::nodes(1_000), ..Task::default() };
                    champion.start(&position, &task, &mut |_| {}).expect("not over").line[0]
                } else {
                    greedy.best_move(&position, &Task::clock(CLOCK)).expect("not over")
                };
                assert!(position.read_move(&m.to_string()).is_ok(), "{m} at {position}");
                position.play_unchecked(m, &mut ());
            }
            assert_eq!(position.outcome(), Some(Outcome::Win(seat)), "seed {seed}, {seat}: {position}");
        }
    }
}

/// Threads share a table and its results; several lines are reported best first, all of them legal and different.
#[test]
fn threads_and_lines_can_be_asked_for() {
    let position = Bacteria::start();
    let mut champion = <Champion>::default();
    champion.set_memory(4 << 20);
    champion.set_threads(3);
    let mut reported = Vec::new();
    let task = Task { limits: SearchLimits::nodes(30_000), multipv: 4, ..Task::default() };
    let best = champion.search(&position, &task, &mut |info| reported.push((info.depth, info.multipv, info.pv[0])));
    // In an interrupted iteration some lines are new, and deeper than the others.
    let last = reported.last_chunk::<4>().expect("four lines");
    assert_eq!(last.map(|(_, rank, _)| rank), [4, 3, 2, 1]);
    assert!(last.is_sorted_by_key(|&(depth, ..)| depth), "{last:?}");
    let moves: BTreeSet<Move> = last.iter().map(|&(.., m)| m).collect();
    assert_eq!(best, Some(last[3].2));
    assert!(moves.len() == 4 && moves.iter().all(|m| position.read_move(&m.to_string()).is_ok()), "{moves:?}");
    assert!(best.is_some_and(|m| position.read_move(&m.to_string()).is_ok()));
}

/// A search on several threads without limits ends when it is stopped; its nodes are those of all threads.
#[test]
fn a_stop_ends_all_threads() {
    let (position, stop) = (Bacteria::start(), Stop::default());
    let mut champion = <Champion>::default();
    champion.set_memory(4 << 20);
    champion.set_threads(4);
    let task = Task { stop: stop.clone(), ..Task::default() };
    let mut nodes = Vec::new();
    let best = champion.search(&position, &task, &mut |info| {
        nodes.push(info.nodes);
        if info.depth >= 6 {
            stop.raise();
        }
    });
    assert!(best.is_some_and(|m| position.read_move(&m.to_string()).is_ok()));
    assert!(nodes.is_sorted() && nodes.len() >= 6, "{nodes:?}");
}

/// Without any time there is a legal move all the same.
#[test]
fn without_time_it_answers_at_once() {
    let no_time = TimeControl::sudden_death(Duration::ZERO);
    let mut champion = <Champion>::default();
    for position in positions().iter().step_by(10) {
        let m = champion.best_move(position, &Task::clock(no_time)).expect("not over");
        assert!(position.read_move(&m.to_string()).is_ok(), "{m} at {position}");
    }
}

/// Leaping to and fro until ply 400 costs time that is not there: a game against a jailed side is ended instead, be it
/// lost.
#[test]
fn without_time_it_ends_a_game_against_a_jailed_side() {
    let no_time = TimeControl::sudden_death(Duration::ZERO);
    let mut champion = <Champion>::default();
    for text in
        ["7/ooooooo/ooooooo/xxxxxxx/xxxxxxx/xxxxxxx/xxxxxxx o 0 30", "7/7/7/ooooooo/ooooooo/ooooooo/xxxxxxx o 0 30"]
    {
        let mut position: Bacteria = text.parse().expect("a position");
        let mut empty = position.empty().count_ones();
        while position.outcome().is_none() {
            let m = champion.best_move(&position, &Task::clock(no_time)).expect("not over");
            position.play_unchecked(m, &mut ());
            if !m.is_pass() {
                empty -= 1;
            }
            assert_eq!(position.empty().count_ones(), empty, "{m} at {position}");
        }
    }
}

/// A change of the search changes this, and says so; a change of its speed does not.
#[test]
fn the_work_of_the_benchmark_is_pinned() {
    let nodes: u64 =
        bench::nodes(&Classic::default(), Tuning::default(), 9, bench::TABLE_BYTES).expect("positions").iter().sum();
    assert_eq!(nodes, NODES);
}

const NODES: u64 = 198_752;
