//! Wins by fours and by threes, against positions that others have solved and against the rules.

use agon_engines::renju::{Fours, PatternBoard, Threats};
use agon_game::{Outcome, Position, Side};
use agon_proof::solution::{ThreatMode, solve, verify};
use agon_proof::verifier::check_fours;
use agon_proof::verifier::exhaustive::{self, ExhaustiveError};
use agon_rules::renju::{Move, Point, Renju, RuleSet};
use agon_search::{SearchLimits, Stop};
use serde_json::Value;

/// The stones under a key of a line of JSON.
fn points(line: &Value, key: &str) -> Vec<Point> {
    let point = |pair: &Value| Point::new(pair[0].as_u64()?, pair[1].as_u64()?);
    line[key].as_array().expect(key).iter().map(|pair| point(pair).expect("a point")).collect()
}

fn position(text: &str) -> Renju {
    let line: Value = serde_json::from_str(text).expect("a line of JSON");
    let side = if line["to_move"] == "black" { Side::First } else { Side::Second };
    Renju::from_stones(&points(&line, "black"), &points(&line, "white"), side).expect("a position")
}

fn moves(line: impl Iterator<Item = u8>) -> Vec<Move> {
    line.map(|cell| Point::from_index(cell.into()).map_or(Move::Pass, Move::Stone)).collect()
}

/// Solves all positions of a file, on a fresh table or on one for all of them.
fn check(text: &str, positions: usize, expected: bool) {
    let mut shared = Fours::new(1 << 20);
    for text in text.lines() {
        let position = position(text);
        let mut board = PatternBoard::new(position.board());
        for fours in [&mut shared, &mut Fours::new(1 << 16)] {
            let won = fours.wins(&mut board, position.turn(), SearchLimits::default());
            assert_eq!(won, Ok(expected), "{text}");
            if expected {
                let line = moves(fours.line());
                check_fours(&position, &line).unwrap_or_else(|error| panic!("{error}: {line:?} in {text}"));
            }
        }
    }
    assert_eq!(text.lines().count(), positions);
}

#[test]
fn wins_by_fours_are_found() {
    check(include_str!("../../../rules/tests/data/renju/vcf.jsonl"), 493, true);
}

#[test]
fn where_there_is_no_win_by_fours_none_is_found() {
    check(include_str!("../../../rules/tests/data/renju/vcf_none.jsonl"), 300, false);
}

#[test]
fn a_limit_ends_the_search() {
    let hardest =
        include_str!("../../../rules/tests/data/renju/vcf_none.jsonl").lines().map(position).max_by_key(|position| {
            let mut fours = Fours::new(1 << 16);
            let _ = fours.wins(&mut PatternBoard::new(position.board()), position.turn(), SearchLimits::default());
            fours.nodes()
        });
    let position = hardest.expect("positions");
    let (mut fours, mut board) = (Fours::new(1 << 16), PatternBoard::new(position.board()));
    assert!(fours.wins(&mut board, position.turn(), SearchLimits::nodes(100)).is_err());
    // An unknown result is not taken for a known one, and the board is unchanged.
    assert_eq!(fours.wins(&mut board, position.turn(), SearchLimits::default()), Ok(false));
    assert_eq!(board.to_rules(), *position.board());
}

/// Mistakes in a line are reported.
#[test]
fn lines_that_prove_nothing_are_refused() {
    let check = |black: &str, white: &str, turn: Side, line: &str, expected: &str| {
        let letters = |text: &str| -> Vec<Move> {
            text.split_whitespace().map(|word| Move::from_letters(word).expect(word)).collect()
        };
        let stones = |text: &str| -> Vec<Point> { letters(text).into_iter().filter_map(Move::point).collect() };
        let position = Renju::from_stones(&stones(black), &stones(white), turn).expect("a position");
        let found = check_fours(&position, &letters(line)).map_err(|error| error.to_string());
        assert_eq!(found, if expected.is_empty() { Ok(()) } else { Err(expected.to_owned()) }, "{line}");
    };
    let (black, white) = (Side::First, Side::Second);
    check("E8 F8 G8", "", black, "H8 D8 I8", "");
    check("E8 F8 G8", "", black, "H8 PASS I8", "");
    check("E8 F8 G8", "", black, "H8 D8 I7", "the line does not end with a win");
    check("E8 F8 G8", "", black, "H8 D8 I8 I7", "the game is over after move 2");
    check("E8 F8 G8", "", black, "H8 H8 I8", "move 1 is illegal: H8 (8,8) is taken by Black");
    check("E8 F8 G8", "", black, "I9 D8 H8", "the answer 1 is not forced");
    check("E8 F8 G8", "D8", black, "H8 J8 I8", "the answer 1 is not the only one");
    check("E8 F8 G8", "A1 B1 C1 D1", black, "H8 D8 I8", "the answer 1 is not forced");
    // Black may stop White's four only where it would make an overline.
    check(
        "D8 F8 G8 H8 I8",
        "E9 E10 E11 J8",
        white,
        "E7 E8 E6",
        "move 1 is illegal: E8 (8,5) is forbidden: overline on the row",
    );
}

/// Every win by threats that is claimed is proved by the rules, against every answer.
#[test]
fn wins_by_threats_stand_against_every_answer() {
    let nodes = if std::env::var_os("AGON_SLOW").is_some() { 5_000 } else { 120 };
    let proved = threats_stand(RuleSet::Alphano, nodes, 1);
    assert!(proved[0] > 20 && proved[1] > 10, "{proved:?}");
}

/// The same stones under the rules of gomoku, where both sides may make double threes, and overlines win or do not.
#[test]
fn wins_by_threats_stand_in_gomoku() {
    let (nodes, every) = if std::env::var_os("AGON_SLOW").is_some() { (5_000, 1) } else { (120, 3) };
    for rules in [RuleSet::Standard, RuleSet::Freestyle] {
        let proved = threats_stand(rules, nodes, every);
        assert!(proved[0] > 5 && proved[1] > 2, "{rules}: {proved:?}");
    }
}

/// Proves the wins by threats found under a rule set in every `every`-th position, and returns their number for
/// each side.
fn threats_stand(rules: RuleSet, nodes: u64, every: usize) -> [usize; 2] {
    let mut proved = [0; 2];
    for text in include_str!("../../../rules/tests/data/renju/vcf_none.jsonl").lines().step_by(every) {
        let stones = position(text);
        let board = stones.board().clone().under(rules);
        let position = Renju::new(board, stones.turn(), 0, stones.ply()).expect("a position");
        if position.outcome().is_some() {
            continue;
        }
        let (mut threats, mut board) = (Threats::new(1 << 20), PatternBoard::new(position.board()));
        if threats.wins(&mut board, position.turn(), SearchLimits::nodes(nodes)) != Ok(Some(true)) {
            continue;
        }
        assert_eq!(board.to_rules(), *position.board(), "{text}");
        let mut attack = |position: &Renju| {
            let mut board = PatternBoard::new(position.board());
            let cell = threats.winning_move(&mut board, position.turn(), SearchLimits::default()).ok()??;
            Point::from_index(cell.into()).map(Move::Stone)
        };
        exhaustive::verify(&position, 50_000, &mut attack).unwrap_or_else(|error| panic!("{error}: {text}"));
        proved[position.turn().index()] += 1;
        let line = threats.line(&mut board, SearchLimits::default()).expect("the table holds it all");
        let mut played = position.clone();
        for m in moves(line.into_iter()) {
            played.check(m).unwrap_or_else(|error| panic!("{error} in {text}"));
            played.play_unchecked(m, &mut ());
        }
        assert_eq!(played.outcome(), Some(Outcome::Win(position.turn())), "{text}");
    }
    proved
}

/// Published problems are solved, and each win stands against every answer. One of them has no win by fours and threes:
/// a move that makes only twos threatens one.
#[test]
fn published_problems_are_solved() {
    let slow = std::env::var_os("AGON_SLOW").is_some();
    let mut beyond = 0;
    for text in include_str!("../../../rules/tests/data/renju/problems.jsonl").lines() {
        let position = position(text);
        let mut threats = Threats::new(16 << 20);
        let limits = SearchLimits::nodes(200_000);
        let found = solve(&mut threats, &position, ThreatMode::Any, limits, &Stop::default());
        let found = found.unwrap_or_else(|error| panic!("{error}: {text}"));
        assert_eq!(found.win, Some(true), "{text}");
        assert!(!found.line.is_empty(), "{text}");
        let narrow = solve(&mut Threats::new(16 << 20), &position, ThreatMode::Threats, limits, &Stop::default());
        let is_beyond = narrow.unwrap().win != Some(true);
        beyond += usize::from(is_beyond);
        // The longest ones have thousands of moves to be checked.
        if slow || is_beyond || found.line.len() < 12 {
            let checked = verify(&mut threats, &position, 200_000);
            assert!(checked.is_ok(), "{checked:?}: {text}");
        }
    }
    assert_eq!(beyond, 1);
}

/// A verifier that accepts anything as a proof would prove nothing.
#[test]
fn false_claims_are_not_verified() {
    let position: Renju = "15/15/15/15/15/15/15/4BBB8/15/15/15/15/15/15/15 B".parse().expect("a position");
    let mut board = PatternBoard::new(position.board());
    let mut threats = Threats::new(1 << 20);
    let mut right = |position: &Renju| {
        let cell = threats
            .winning_move(&mut PatternBoard::new(position.board()), position.turn(), SearchLimits::default())
            .ok()??;
        Point::from_index(cell.into()).map(Move::Stone)
    };
    assert!(exhaustive::verify(&position, 100, &mut right).is_ok());
    assert_eq!(exhaustive::verify(&position, 0, &mut right), Err(ExhaustiveError::Limit { limit: 0 }));
    // A useless stone, an illegal one, none at all.
    for m in ["O15", "E8", "PASS"] {
        let mut wrong = |_: &Renju| Move::from_letters(m).ok();
        assert!(exhaustive::verify(&position, 100, &mut wrong).is_err(), "{m}");
    }
    assert_eq!(threats.wins(&mut board, Side::Second, SearchLimits::default()), Ok(Some(false)));
}
