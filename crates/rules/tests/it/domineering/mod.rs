//! The rules of domineering, against a second reading of the task, solved positions, and the laws.

mod counts;
mod games;
mod naive;
mod refusals;
mod solved;
mod symmetry;
mod text;

use agon_game::{Position, Side, laws};
use agon_rules::domineering::{Bonus, Domineering, Move, WeightedBoard};

/// A start on a board drawn from the seed.
fn start(rows: usize, columns: usize, seed: u64) -> Domineering {
    Domineering::new(WeightedBoard::drawn(rows, columns, 3, seed).expect("a size from 1 to 8"), Bonus::default())
}

fn read(text: &str) -> Domineering {
    text.parse().unwrap_or_else(|error| panic!("`{text}`: {error}"))
}

fn moves(position: &Domineering) -> Vec<Move> {
    let mut moves = Vec::new();
    position.legal_moves(&mut moves);
    moves
}

fn after(position: &Domineering, m: Move) -> Domineering {
    let mut next = *position;
    next.play_unchecked(m, &mut ());
    next
}

const SIZES: [(usize, usize); 9] = [(1, 1), (1, 8), (8, 1), (2, 2), (3, 5), (4, 4), (5, 3), (7, 8), (8, 8)];

#[test]
fn the_laws_hold() {
    for (rows, columns) in SIZES {
        laws::obey(&start(rows, columns, 7), 12, 1);
        laws::round_trips(&start(rows, columns, 8), 6, 2, str::parse::<Domineering>);
    }
    let heavy = WeightedBoard::drawn(8, 8, 99, 3).expect("a board");
    laws::obey(&Domineering::new(heavy, "-7.5".parse().expect("a bonus")), 4, 3);
    laws::round_trips(&Domineering::new(heavy, Bonus::default()), 4, 4, str::parse::<Domineering>);
    // Cells covered by an unknown side.
    laws::obey(&read("0123/3210/1111 ..#./.#../.... V 1 2.5 0"), 12, 5);
    laws::round_trips(&read("0123/3210/1111 ..#./.#../.... V 1 2.5 0"), 12, 6, str::parse::<Domineering>);
}

/// If this fails, old records no longer replay: the board of a seed must never change.
#[test]
fn the_board_of_a_seed_is_pinned() {
    let check = |rows, columns, largest, seed, expected: &str| {
        let board = WeightedBoard::drawn(rows, columns, largest, seed).expect("a board");
        assert_eq!(board.to_string(), expected, "{rows}x{columns}, 0 to {largest}, seed {seed}");
        assert_eq!(WeightedBoard::from_rows(expected), Ok(board));
    };
    check(1, 1, 3, 1, "1\n");
    check(8, 8, 3, 1, BOARD_OF_SEED_1);
    check(3, 4, 99, 42, "18 1 67 67\n62 32 14 0\n0 18 40 67\n");
    check(2, 2, 0, 5, "0 0\n0 0\n");
}

const BOARD_OF_SEED_1: &str = "\
1 0 2 2 0 3 3 0
1 2 2 0 3 1 1 2
0 3 2 0 1 1 1 0
3 0 3 0 0 0 1 2
1 3 2 2 1 3 0 1
1 3 1 0 2 0 0 3
1 3 2 2 0 3 1 1
0 0 1 3 2 3 1 1
";

/// Positions that differ in anything the rules consider have different hashes, and the key of the future ignores how
/// the scores came about.
#[test]
fn hashes_distinguish_positions() {
    let texts = [
        "11/11 ../.. H 0 2.5 0",
        "11/11 ../.. V 0 2.5 0",
        "11/11 ../.. H 1 2.5 0",
        "11/11 ../.. H 2 2.5 0",
        "11/11 ../.. H 0 3 0",
        "12/11 ../.. H 0 2.5 0",
        "111/111 .../... H 0 2.5 0",
        "11/11/11 ../../.. H 0 2.5 0",
        "11/11 #./.. H 0 2.5 0",
        "11/11 .#/.. H 0 2.5 0",
        "11/11 <>/.. H 0 2.5 0",
    ];
    for (i, a) in texts.iter().enumerate() {
        for b in &texts[..i] {
            assert_ne!(read(a).hash(), read(b).hash(), "{a} and {b}");
        }
    }
    // The same cells covered in another way, for the same lead, and with another ply.
    let twice = [read("11/11 <>/<> H 0 2.5 4"), read("11/11 ^^/vv H 0 -5.5 2")];
    assert_eq!(twice[0].lead(), twice[1].lead());
    assert_eq!(twice[0].hash(), twice[1].hash());
    let [played, bare] = [read("11/11 <>/.. V 0 2.5 1"), read("11/11 ##/.. V 0 2.5 1")];
    assert_eq!(played.future_key(), bare.future_key());
    assert_ne!(played.hash(), bare.hash());
}

#[test]
fn sides_take_turns_and_either_may_pass() {
    let position = start(2, 3, 1);
    assert_eq!(position.turn(), Side::First);
    assert_eq!(
        moves(&position).iter().map(ToString::to_string).collect::<Vec<_>>(),
        ["1 1", "1 2", "2 1", "2 2", "-1 -1"]
    );
    let passed = after(&position, Move::PASS);
    assert_eq!(moves(&passed).iter().map(ToString::to_string).collect::<Vec<_>>(), ["1 1", "1 2", "1 3", "-1 -1"]);
    assert!(passed.last_pass());
    assert!(!after(&passed, Move::at(0)).last_pass());
}

/// Every node of a search copies a position; it should stay within two cache lines.
#[test]
fn positions_and_moves_are_small() {
    assert_eq!(size_of::<Domineering>(), 120);
    assert_eq!(size_of::<Move>(), 1);
}
