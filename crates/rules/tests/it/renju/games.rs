//! Whole games, and the guarantees of the trait in every position.

use agon_game::laws;
use agon_game::{Alternating, GameState, MoveError, Outcome, Position, Show, Side};
use agon_rules::renju::{Move, Point, Renju};
use serde_json::Value;

use crate::renju::forbidden::points;
use crate::renju::naive::{At, Naive};

#[test]
fn the_laws_hold() {
    laws::obey(&Renju::default(), 12, 1);
    laws::counts_agree(&Renju::default(), 3);
}

#[test]
fn the_board_has_eight_symmetries() {
    for symmetry in 0..8 {
        let image = |position: &Renju| {
            let turned = |side| -> Vec<Point> {
                let point = |point: Point| {
                    let (mut row, mut column) = (point.row(), point.column());
                    if symmetry & 1 != 0 {
                        row = 16 - row;
                    }
                    if symmetry & 2 != 0 {
                        column = 16 - column;
                    }
                    if symmetry & 4 != 0 {
                        (row, column) = (column, row);
                    }
                    Point::new(row, column).expect("a point")
                };
                position.board().stones(side).iter().map(point).collect()
            };
            let stones = Renju::from_stones(&turned(Side::First), &turned(Side::Second), position.turn());
            let board = stones.expect("a position").board().clone();
            Renju::new(board, position.turn(), position.passes(), position.ply()).expect("a position")
        };
        laws::symmetric(&Renju::default(), 1, symmetry, image, |outcome| outcome);
    }
}

/// Confirmed, as far as is feasible, by the literal definitions. The start by hand: 1, then 8 of 9 points, then 23 of
/// 25, then 222 points and a PASS.
#[test]
fn the_numbers_of_lines_are_pinned() {
    let mut position = Renju::default();
    let check = |position: &Renju, counts: &[u64], naive: u32| {
        for (depth, &count) in (1..).zip(counts) {
            assert_eq!(position.perft(depth), count, "perft {depth} of {position}");
            if depth <= naive {
                let at = |side| -> Vec<At> {
                    let at = |point: Point| (i32::from(point.row()) - 1, i32::from(point.column()) - 1);
                    position.board().stones(side).iter().map(at).collect()
                };
                let board = Naive::new(&at(Side::First), &at(Side::Second));
                let turns = position.ply();
                let colour = if position.turn() == Side::First { 'B' } else { 'W' };
                assert_eq!(board.perft(depth, colour, turns, u32::from(position.passes())), count, "{position}");
            }
        }
    };
    check(&position, &[1, 8, 184, 184 * 223], 4);
    for text in ["8 8", "7 9", "9 9", "-1 -1"] {
        position.play_unchecked(position.read_move(text).expect(text), &mut ());
    }
    // After a PASS, a second one leads to no further line.
    check(&position, &[223, 222 * 222], 2);
    // Seven forbidden points, article 9.3 among their reasons, with Black and with White to move.
    let middle = "W14/15/W5B2B5/4WWB1B1W4/7BB6/7B1B5/15/7B7/15/7W7/3W11/15/1W2W10/15/15";
    check(&format!("{middle} B 0 18").parse().expect("a position"), &[201, 41608, 8_291_970], 2);
    check(&format!("{middle} W 0 18").parse().expect("a position"), &[208, 41_627], 2);
}

/// The lines of forced wins that other programs found: every move is legal, the last one wins, and no other could.
///
/// If Black has no legal answer to White's four, the line is silent, or twice names a forbidden point: Black passes.
#[test]
fn forced_wins_play_out() {
    let (mut lines, mut silent, mut refused) = (0, 0, 0);
    for text in include_str!("../../data/renju/vcf.jsonl").lines() {
        let line: Value = serde_json::from_str(text).expect("a line of JSON");
        let attacker = if line["to_move"] == "black" { Side::First } else { Side::Second };
        let position = Renju::from_stones(&points(&line, "black"), &points(&line, "white"), attacker);
        let mut position = position.expect("a position");
        let moves = line["line"].as_array().expect("a line of play");
        for (number, pair) in moves.iter().enumerate() {
            let answers = number % 2 == 1 && attacker == Side::Second;
            let m = match position.read_move(&format!("{} {}", pair[0], pair[1])) {
                Ok(m) => m,
                Err(MoveError::Malformed { .. }) if answers && pair.is_null() => {
                    silent += 1;
                    Move::Pass
                }
                Err(error) if answers && error.to_string().contains("forbidden") => {
                    refused += 1;
                    Move::Pass
                }
                Err(error) => panic!("{error}: move {number} of {text}"),
            };
            let wins = m.point().is_some_and(|point| position.wins().contains(point));
            position.play_unchecked(m, &mut ());
            assert_eq!(
                (wins, position.outcome().is_some()),
                (number + 1 == moves.len(), wins),
                "move {number} of {text}"
            );
        }
        assert_eq!(position.outcome(), Some(Outcome::Win(attacker)), "{text}");
        lines += 1;
    }
    assert_eq!((lines, silent, refused), (493, 25, 2));
}

/// Plays a game, one move after the other in the judge's notation, and checks how it ends.
fn check(start: &str, game: &[&str], outcome: Outcome, reason: &str, text: &str) {
    let position: Renju = start.parse().expect("a position");
    let mut state = Alternating::new(position);
    for m in game {
        assert!(state.ending().is_none(), "{m}");
        assert_eq!(state.answer(m).as_deref(), Ok(*m));
    }
    let ending = state.ending().expect("an end");
    assert_eq!((ending.outcome, ending.reason.to_string().as_str()), (outcome, reason));
    assert_eq!(state.position(), text);
    assert_eq!(state.turn(), None);
}

const EMPTY: &str = "15/15/15/15/15/15/15/15/15/15/15/15/15/15/15 B";

#[test]
fn games_end_as_they_should() {
    check(
        EMPTY,
        &["8 8", "7 8", "8 7", "7 7", "8 6", "7 6", "8 9", "7 9", "8 10"],
        Outcome::Win(Side::First),
        "Black has made a five on the row from F8 (8,6) to J8 (8,10)",
        "15/15/15/15/15/15/5WWWW6/5BBBBB5/15/15/15/15/15/15/15 W 0 9",
    );
    check(
        EMPTY,
        &["8 8", "7 9", "6 6", "8 10", "1 1", "9 11", "1 15", "6 8", "15 1", "10 12"],
        Outcome::Win(Side::Second),
        "White has made a five on the falling diagonal from H10 (6,8) to L6 (10,12)",
        "B13B/15/15/15/15/5B1W7/8W6/7B1W5/10W4/11W3/15/15/15/15/B14 B 0 10",
    );
    check(
        EMPTY,
        &["8 8", "7 9", "6 6", "-1 -1", "-1 -1"],
        Outcome::Draw,
        "both players have passed one after the other",
        "15/15/15/15/15/5B9/8W6/7B7/15/15/15/15/15/15/15 W 2 5",
    );
    // A stone between two passes keeps the game going.
    check(
        EMPTY,
        &["8 8", "7 9", "6 6", "-1 -1", "1 1", "-1 -1", "-1 -1"],
        Outcome::Draw,
        "both players have passed one after the other",
        "B14/15/15/15/15/5B9/8W6/7B7/15/15/15/15/15/15/15 W 2 7",
    );
    check(
        "15/15/15/15/10W4/9W5/15/7W7/6W8/5W9/15/15/15/15/BBBB1BBBB6 W",
        &["7 9"],
        Outcome::Win(Side::Second),
        "White has made an overline on the rising diagonal from F6 (10,6) to K11 (5,11)",
        "15/15/15/15/10W4/9W5/8W6/7W7/6W8/5W9/15/15/15/15/BBBB1BBBB6 B 0 14",
    );
    // Five beats a double four made by the same stone.
    check(
        "15/15/15/15/15/15/7B7/3BBBB8/7B7/7B7/15/15/15/15/15 B",
        &["8 8"],
        Outcome::Win(Side::First),
        "Black has made a five on the row from D8 (8,4) to H8 (8,8)",
        "15/15/15/15/15/15/7B7/3BBBBB7/7B7/7B7/15/15/15/15/15 W 0 8",
    );
}

/// Fifteen full rows without a five: two of each colour in turn, the other way round in every second row.
fn full_rows() -> Vec<&'static str> {
    ["BBWWBBWWBBWWBBW", "WWBBWWBBWWBBWWB"].into_iter().cycle().take(15).collect()
}

#[test]
fn a_full_board_leaves_only_passes() {
    let mut position: Renju = format!("{} W", full_rows().join("/")).parse().expect("a position");
    assert_eq!(position.outcome(), None);
    for _ in 0..2 {
        let mut moves = Vec::new();
        position.legal_moves(&mut moves);
        assert_eq!(moves, [Move::Pass]);
        let error = position.read_move("8 8").expect_err("taken");
        assert!(error.to_string().starts_with("H8 (8,8) is taken by "), "{error}");
        position.play_unchecked(Move::Pass, &mut ());
    }
    assert_eq!(position.outcome(), Some(Outcome::Draw));
    assert_eq!(position.read_move("-1 -1").expect_err("over").to_string(), "the game is over");
}

#[test]
fn black_may_pass_where_all_that_is_left_is_forbidden() {
    let mut rows = full_rows();
    rows[7] = "WBBB.BBWWBBWWBW";
    let mut position: Renju = format!("{} B", rows.join("/")).parse().expect("a position");
    let mut moves = Vec::new();
    position.legal_moves(&mut moves);
    assert_eq!(moves, [Move::Pass]);
    let error = position.read_move("8 5").expect_err("forbidden");
    assert_eq!(error.to_string(), "E8 (8,5) is forbidden: overline on the row");
    position.play_unchecked(Move::Pass, &mut ());
    assert_eq!(position.read_move("8 5"), Ok(Move::Stone(Point::new(8, 5).expect("a point"))), "White may play there");
}

#[test]
fn the_seats_have_names() {
    assert_eq!(Renju::SEATS, ["Black", "White"]);
}
