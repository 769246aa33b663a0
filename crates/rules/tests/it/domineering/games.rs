//! Whole games, and how a position is shown.

use agon_game::{Alternating, GameScore, GameState, GridStyle, Mark, Outcome, Position, Show, Side};
use agon_rules::domineering::{Bonus, Domineering, WeightedBoard};

use crate::domineering::naive::Naive;
use crate::domineering::{read, start};

/// Plays the moves and checks the position, the scores and the end they lead to.
fn check(board: &str, moves: &str, position: &str, scores: [&str; 2], ending: Option<(Outcome, &str)>) {
    let start = Domineering::new(WeightedBoard::from_rows(board).expect("a board"), Bonus::default());
    let mut naive = Naive::new(&start.preamble());
    let mut state = Alternating::new(start);
    for m in moves.split(", ").filter(|m| !m.is_empty()) {
        let echo = state.answer(m).unwrap_or_else(|error| panic!("{m}: {error}"));
        assert_eq!(echo, m);
        let numbers: Vec<i32> = m.split(' ').map(|n| n.parse().expect("a number")).collect();
        naive.play(numbers[0], numbers[1]);
    }
    assert_eq!(state.position(), position);
    assert_eq!(state.score().expect("scores").map(|score| score.to_string()), scores);
    assert_eq!(state.score().expect("scores").map(GameScore::halves), naive.halves);
    let ending = ending.map(|(outcome, reason)| (outcome, reason.to_owned()));
    assert_eq!(state.ending().map(|ending| (ending.outcome, ending.reason.to_string())), ending);
    assert_eq!(state.turn().is_none(), ending.is_some());
    assert_eq!(naive.outcome(), ending.map(|(outcome, _)| outcome));
}

const H_WINS: Outcome = Outcome::Win(Side::First);
const V_WINS: Outcome = Outcome::Win(Side::Second);
const PASSED: &str = "both players passed one after the other";
const FULL: &str = "neither side has a place left for a domino";

/// The board and the first two moves of the task's own example.
#[test]
fn the_example_of_the_task() {
    let board = "0 0 0 0 0 0 0 0\n3 3 0 0 0 0 0 0\n0 0 0 0 0 0 0 0\n0 0 0 0 0 0 0 0\n\
                 0 0 0 0 0 0 1 0\n0 0 0 0 0 0 2 0\n0 0 0 0 0 0 0 0\n0 0 0 0 0 0 0 0\n";
    let position = "00000000/33000000/00000000/00000000/00000010/00000020/00000000/00000000 \
                    ......../<>....../......../......../......^./......v./......../........ H 0 2.5 2";
    check(board, "2 1, 5 7", position, ["6", "5.5"], None);
}

#[test]
fn games_end_as_the_task_says() {
    // Neither side ever has a place.
    check("3", "", "3 . H 0 2.5 0", ["0", "2.5"], Some((V_WINS, FULL)));
    // V never has one and must pass, which is not the end while H has another.
    check("3 1 2 2", "1 1, -1 -1", "3122 <>.. H 1 2.5 2", ["4", "2.5"], None);
    check("3 1 2 2", "1 1, -1 -1, 1 3", "3122 <><> V 0 2.5 3", ["8", "2.5"], Some((H_WINS, FULL)));
    // The own PASS after the opponent's forced one ends the game, though a place is left.
    check("3 1 2 2", "1 1, -1 -1, -1 -1", "3122 <>.. V 2 2.5 3", ["4", "2.5"], Some((H_WINS, PASSED)));
    check("3 1 2 2", "-1 -1, -1 -1", "3122 .... H 2 2.5 2", ["0", "2.5"], Some((V_WINS, PASSED)));
    // H never has a place; after V's last domino neither side has one, and H need not pass.
    check("1\n1\n1", "-1 -1, 2 1", "1/1/1 ./^/v H 0 2.5 2", ["0", "4.5"], Some((V_WINS, FULL)));
    // A domino between two PASSes starts the count afresh.
    check("1 2\n3 3", "-1 -1, 1 1, -1 -1", "12/33 ^./v. V 1 2.5 3", ["0", "6.5"], None);
    check("1 2\n3 3", "-1 -1, 1 1, -1 -1, 1 2", "12/33 ^^/vv H 0 2.5 4", ["0", "11.5"], Some((V_WINS, FULL)));
    check("1 2\n3 3", "2 1, -1 -1, -1 -1", "12/33 ../<> V 2 2.5 3", ["6", "2.5"], Some((H_WINS, PASSED)));
}

#[test]
fn equal_scores_are_a_draw() {
    let check = |text: &str, outcome: Outcome| assert_eq!(read(text).outcome(), Some(outcome), "{text}");
    check("12/33 ../<> V 2 6 3", Outcome::Draw);
    check("12/33 ../<> V 2 5.5 3", H_WINS);
    check("12/33 ../<> V 2 6.5 3", V_WINS);
    check("0 . H 0 0 0", Outcome::Draw);
    check("0 . H 0 -0.5 0", H_WINS);
}

/// Two games on one board, to both ends, each won by half a point.
#[test]
fn whole_games() {
    let start = start(8, 8, 2026);
    let to_the_last_place = "5 4, 2 4, 3 1, 3 3, 5 2, 7 3, 1 6, 2 5, 1 2, 6 5, 6 7, -1 -1, 8 6, 7 8, 7 1, 7 4, 6 2, \
        2 7, -1 -1, 6 6, 4 4, 2 6, 1 4, 4 8, 4 1, 1 1, 8 1, 2 8, 2 2, 5 1, 5 6, -1 -1, 4 6";
    let position = "31202320/23201133/20201022/21020003/01132211/20131012/21222133/10030322 \
        ^<><><>./v<>^^^^^/<>^vvvvv/<>v<><>^/^<><><>v/v<>.^^<>/<>^^vv.^/<>vv.<>v V 0 2.5 33";
    check(&start.preamble(), to_the_last_place, position, ["45", "44.5"], Some((H_WINS, FULL)));
    let to_two_passes = "5 3, 2 7, 3 5, 3 1, 4 3, 5 6, 1 2, 7 1, 7 6, -1 -1, 6 2, 4 7, 3 3, 4 8, 2 1, 7 8, \
        1 5, 2 8, 8 2, 4 5, 6 7, 7 5, -1 -1, 1 4, 7 2, 3 2, 6 4, -1 -1, 2 5, 5 1, -1 -1, -1 -1";
    let position = "31202320/23201133/20201022/21020003/01132211/20131012/21222133/10030322 \
        .<>^<>../<>.v<>^^/^^<><>vv/vv<>^.^^/^.<>v^vv/v<><>v<>/^<>.^<>^/v<>.v..v H 2 2.5 32";
    check(&start.preamble(), to_two_passes, position, ["39", "38.5"], Some((H_WINS, PASSED)));
}

#[test]
fn the_board_is_shown() {
    let position = read("12(10)/456/789 <>./..^/#.v V 0 2.5 2");
    let view = position.view();
    assert_eq!((view.rows, view.columns, view.grid, view.seats), (3, 3, GridStyle::Squares, ["H", "V"]));
    let glyphs: String = view.cells.iter().map(|cell| cell.glyph).collect();
    assert_eq!(glyphs, "HH+45V#8V");
    let weights: Vec<u8> = view.cells.iter().filter_map(|cell| cell.weight).collect();
    assert_eq!(weights, [1, 2, 10, 4, 5, 6, 7, 8, 9]);
    let joins: Vec<_> = view.cells.iter().map(|cell| cell.joins).collect();
    let (left, right, down, up) = (Some((0, 1)), Some((0, -1)), Some((1, 0)), Some((-1, 0)));
    assert_eq!(joins, [left, right, None, None, None, down, None, None, up]);
    assert_eq!(view.gauges[0].name, "points");
    assert_eq!(view.gauges[0].amounts, position.scores());
    assert_eq!(position.scores(), [GameScore::from(3), GameScore::from_halves(35)]);
}

#[test]
fn the_last_move_is_marked() {
    let mut state = Alternating::new(start(2, 3, 1));
    assert_eq!(state.seats(), ["H", "V"]);
    assert_eq!(state.preamble(), "1 0 2\n2 0 3\n");
    state.answer("2 2").expect("legal");
    let marked = |state: &Alternating<Domineering>| -> Vec<usize> {
        (0..6).filter(|&cell| state.view().cells[cell].mark == Some(Mark::Placed)).collect()
    };
    assert_eq!(marked(&state), [4, 5]);
    state.answer("-1 -1").expect("legal");
    assert_eq!(marked(&state), [0; 0]);
}
