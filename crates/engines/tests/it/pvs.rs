//! Principal variation search on a toy game, held against plain minimax.

use agon_engines::bacteria::search::{PvSearch, Tuning};
use agon_engines::timed::TimedSearch;
use agon_game::{Outcome, Position};
use agon_search::evaluate::MAX_EVALUATION;
use agon_search::iterate::SearchResult;
use agon_search::parameters::Tunable;
use agon_search::value::{WIN, score};
use agon_search::{SearchLimits, Stop, Task};

use toy::{Column, Drop3, Toy, Weighed, minimax, move_value, positions};

use crate::toy;

const TABLE_BYTES: usize = 1 << 20;

type Plain = PvSearch<Toy<false>, Weighed>;
type WithNullMoves = PvSearch<Toy<true>, Weighed>;

/// The default parameters with some changed.
fn tuned(changes: &[(&str, i32)]) -> Tuning {
    let mut tuning = Tuning::default();
    for &(name, value) in changes {
        tuning.set(name, value).expect("in range");
    }
    tuning
}

/// Without pruning, reductions and extensions: alpha-beta, which finds the same as minimax.
fn exact(changes: &[(&str, i32)]) -> Tuning {
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
        ("correction_weight", 0),
    ];
    tuned(&[&off, changes].concat())
}

/// The table out of use: it may answer from a deeper search than was asked for.
const NO_TABLE: (&str, i32) = ("tt_depth", 99);

fn deep(depth: u32) -> Task {
    Task { limits: SearchLimits { depth: Some(depth), ..SearchLimits::default() }, ..Task::default() }
}

fn left(position: &Drop3) -> u32 {
    16 - position.ply()
}

fn search(tuning: Tuning, position: &Drop3, task: &Task) -> SearchResult<Column> {
    let found = Plain::new(Weighed::default(), tuning, TABLE_BYTES).start(position, task, &mut |_| {});
    found.expect("the game goes on")
}

#[test]
fn it_finds_what_minimax_finds_at_every_depth() {
    for position in positions() {
        for depth in 1..=left(&position).min(7) {
            let found = search(exact(&[NO_TABLE]), &position, &deep(depth));
            assert_eq!(found.value, minimax(&position, depth, 0), "{depth} plies from {position}");
            assert_eq!(move_value(&position, found.line[0], depth, 0), found.value, "{position}: {:?}", found.line);
            assert_eq!(found.depth, depth, "{position}");
        }
    }
}

/// Once the whole game is in sight, transpositions and threads change nothing.
#[test]
fn the_table_and_threads_do_not_change_a_solved_value() {
    for position in positions().into_iter().filter(|position| left(position) <= 11) {
        let expected = minimax(&position, left(&position), 0);
        let (tuning, task) = (exact(&[("tt_depth", 1)]), deep(left(&position)));
        assert_eq!(search(tuning, &position, &task).value, expected, "{position}");
        let mut threads = Plain::new(Weighed::default(), tuning, TABLE_BYTES);
        threads.set_threads(3);
        let found = threads.start(&position, &task, &mut |_| {}).expect("the game goes on");
        assert_eq!(found.value, expected, "{position}");
    }
}

/// A forced win is as many plies long as its value says, and its line ends the game.
#[test]
fn values_give_the_distance_of_a_win() {
    let mut wins = 0;
    for position in positions().into_iter().filter(|position| left(position) <= 11) {
        let found = search(exact(&[NO_TABLE]), &position, &deep(left(&position)));
        if found.value.abs() <= MAX_EVALUATION {
            continue;
        }
        wins += 1;
        let mut end = position.clone();
        for &m in &found.line {
            end.play_unchecked(m, &mut ());
        }
        let winner = if found.value > 0 { position.turn() } else { position.turn().other() };
        assert_eq!(end.outcome(), Some(Outcome::Win(winner)), "{position}: {:?}", found.line);
        assert_eq!(found.line.len() as i32, WIN - found.value.abs(), "{position}");
    }
    assert!(wins > 10, "{wins} positions were decided");
}

/// A decided value is true, whatever was pruned on the way; and null moves do not hide what is found without them.
#[test]
fn null_moves_do_not_change_a_forced_result() {
    let tuning = exact(&[("nmp_depth", 2), ("nmp_base", 1)]);
    let (mut decided, mut used) = (0, false);
    for position in positions().into_iter().filter(|position| left(position) <= 11) {
        let expected = minimax(&position, left(&position), 0);
        let mut null_moves = WithNullMoves::new(Weighed::default(), tuning, TABLE_BYTES);
        let found = null_moves.start(&position, &deep(left(&position)), &mut |_| {}).expect("the game goes on");
        used |= found.nodes != search(tuning, &position, &deep(left(&position))).nodes;
        if found.value.abs() > MAX_EVALUATION {
            assert_eq!(found.value.signum(), expected.signum(), "{position}");
        }
        decided += i32::from(found.value.abs() > MAX_EVALUATION) - i32::from(expected.abs() > MAX_EVALUATION);
    }
    assert!(used && decided == 0, "{decided} positions more were decided with null moves");
}

#[test]
fn multiple_lines_are_the_best_moves_in_order() {
    for position in positions() {
        let depth = left(&position).min(5);
        let mut moves = Vec::new();
        position.legal_moves(&mut moves);
        let mut values: Vec<i32> = moves.iter().map(|&m| move_value(&position, m, depth, 0)).collect();
        values.sort_by_key(|value| std::cmp::Reverse(*value));
        for lines in [0, 2, 9] {
            let mut reported = Vec::new();
            let task = Task { multipv: lines, ..deep(depth) };
            let mut search = Plain::new(Weighed::default(), exact(&[NO_TABLE]), TABLE_BYTES);
            search.start(&position, &task, &mut |info| {
                if info.depth == depth {
                    reported.push((info.multipv, info.pv[0], info.score));
                }
            });
            // The best is reported last.
            reported.reverse();
            assert_eq!(reported.len(), lines.clamp(1, moves.len()), "{position}");
            for (i, &(rank, m, value)) in reported.iter().enumerate() {
                let expected = move_value(&position, m, depth, 0);
                assert_eq!((rank, value), (i + 1, score(values[i])), "{position}");
                assert_eq!(expected, values[i], "{position}: {m}");
                assert!(reported[..i].iter().all(|&(_, other, _)| other != m), "{position}: {m} twice");
            }
        }
    }
}

/// However narrow the first window, the value is the same.
#[test]
fn aspiration_windows_widen_until_the_value_is_inside() {
    for position in positions() {
        let depth = left(&position).min(7);
        let wide = search(exact(&[NO_TABLE, ("aspiration_delta", 400)]), &position, &deep(depth));
        let narrow = search(exact(&[NO_TABLE, ("aspiration_delta", 5)]), &position, &deep(depth));
        assert_eq!(wide.value, narrow.value, "{position}");
    }
}

#[test]
fn limits_end_a_search() {
    let start = Drop3::default();
    for nodes in [1, 2, 50, 3_000] {
        let found = search(Tuning::default(), &start, &Task { limits: SearchLimits::nodes(nodes), ..Task::default() });
        assert!(found.nodes <= nodes && start.is_open(found.line[0]), "{nodes}: {found:?}");
    }
    let found = search(Tuning::default(), &start, &deep(3));
    assert_eq!(found.depth, 3);
    // A raised flag leaves a legal move, and one that is raised meanwhile ends the search.
    let stop = Stop::default();
    stop.raise();
    let stopped = search(Tuning::default(), &start, &Task { stop: stop.clone(), ..deep(9) });
    assert_eq!((stopped.depth, start.is_open(stopped.line[0])), (0, true));
    stop.lower();
    let mut last = 0;
    let mut searching = Plain::new(Weighed::default(), exact(&[NO_TABLE]), TABLE_BYTES);
    let found = searching.start(&start, &Task { stop: stop.clone(), ..Task::default() }, &mut |info| {
        last = info.depth;
        // Deep enough that the next iteration takes longer than the search takes to look at the flag.
        if last == 9 {
            stop.raise();
        }
    });
    assert_eq!((last, found.map(|found| found.depth)), (9, Some(9)));
}

#[test]
fn a_finished_game_has_no_move() {
    let over = Drop3::after(&[0, 1, 0, 1, 0]);
    assert!(over.outcome().is_some());
    let mut search = Plain::new(Weighed::default(), Tuning::default(), TABLE_BYTES);
    assert!(search.start(&over, &deep(4), &mut |_| {}).is_none());
}

/// The same search visits the same nodes; stored results save some, and clearing brings them back.
#[test]
fn node_counts_are_reproducible() {
    let check = |tuning: Tuning, expected: u64| {
        let mut search = WithNullMoves::new(Weighed::default(), tuning, TABLE_BYTES);
        let mut nodes = || search.start(&Drop3::default(), &deep(12), &mut |_| {}).expect("the game goes on").nodes;
        let (first, second) = (nodes(), nodes());
        search.new_game();
        let again = search.start(&Drop3::default(), &deep(12), &mut |_| {}).expect("the game goes on").nodes;
        // A change of the search changes these, and says so.
        assert_eq!((first, again), (expected, expected));
        second
    };
    let learnt = check(exact(&[("tt_depth", 1)]), 4_615);
    assert!(learnt < 4_615, "{learnt} nodes");
    check(tuned(&[("tt_depth", 1)]), 2_390);
}
