//! Games opened by opening rules, and games of other rule sets, as files.

use std::collections::BTreeMap;

use agon_catalog::Game;
use agon_protocols::formats::opening::{fold_opening, unfold_opening};
use agon_protocols::formats::{self, Collection, FileFormat, GameTree, Limits};

fn read(text: &str) -> GameTree {
    let format = FileFormat::of_content(text.as_bytes());
    let read = formats::read_of_any(text.as_bytes(), format, Some(Game::RENJU), None, &Limits::FILE);
    let mut tree = read.expect(text).games.remove(0);
    tree.check().unwrap_or_else(|error| panic!("{error} in {text}"));
    tree
}

fn moves(tree: &GameTree) -> Vec<String> {
    tree.main_moves().map(|made| made.judged.clone()).collect()
}

fn parameters(pairs: &[(&str, &str)]) -> BTreeMap<String, String> {
    pairs.iter().map(|&(name, value)| (name.to_owned(), value.to_owned())).collect()
}

/// Writes a game with these parameters as SGF and reads it back.
fn there_and_back(given: &[(&str, &str)], after: &[&str], expected: &str) {
    let mut tree = GameTree::new(Game::RENJU, 1);
    tree.parameters = parameters(given);
    let mut state = tree.start().expect("a start");
    for (number, text) in after.iter().enumerate() {
        let side = state.turn().expect("a turn");
        let judged = state.read_any(text).and_then(|m| state.answer(&m)).expect(text);
        tree.push(number, Some(formats::TreeMove { side, judged }), 1);
    }
    let position = state.position();
    let mut written = tree.clone();
    unfold_opening(&mut written).expect("an opening");
    let (bytes, left_out) = formats::write(&Collection::from_games(vec![written]), "sgf").expect("SGF");
    assert!(left_out.is_empty());
    let text = String::from_utf8(bytes).expect("UTF-8");
    assert_eq!(text.replace('\n', ""), expected);
    let mut back = read(&text);
    fold_opening(&mut back);
    assert_eq!((&back.parameters, moves(&back)), (&tree.parameters, moves(&tree)), "{text}");
    let mut state = back.start().expect("a start");
    for m in moves(&back) {
        state.answer(&m).expect("legal");
    }
    assert_eq!(state.position(), position);
}

#[test]
fn swaps_and_offers_are_kept_in_sgf() {
    there_and_back(
        &[("opening-rule", "rif H8 H9 J9 swap G8 J7 G6 J7")],
        &["G7", "I7"],
        "(;FF[4]GM[4]CA[UTF-8]AP[Agon]SZ[15]RU[renju]ON[RIF: H8 H9 J9 swap G8 J7 G6 J7];B[hh];W[hg];B[jg];W[gh]\
         LB[ji:A][gj:B];B[ji];W[gi];B[ii])",
    );
    there_and_back(
        &[("opening-rule", "soosyrv-8 H8 I9 J8 keep C3 1 swap G7 G7")],
        &[],
        "(;FF[4]GM[4]CA[UTF-8]AP[Agon]SZ[15]RU[renju]ON[Soosõrv-8: H8 I9 J8 keep C3 1 swap G7 G7];B[hh];W[ig];B[jh];\
         W[cm]LB[gi:A];B[gi])",
    );
    there_and_back(
        &[("opening-rule", "swap2 A1 F9 O15 keep")],
        &["H8"],
        "(;FF[4]GM[4]CA[UTF-8]AP[Agon]SZ[15]RU[standard gomoku]ON[Swap2: A1 F9 O15 keep];B[ao];W[fg];B[oa];W[hh])",
    );
    there_and_back(
        &[("opening-rule", "swap2 A1 F9 O15 swap"), ("rules", "freestyle")],
        &["H8"],
        "(;FF[4]GM[4]CA[UTF-8]AP[Agon]SZ[15]RU[freestyle gomoku]ON[Swap2: A1 F9 O15 swap];B[ao];W[fg];B[oa];W[hh])",
    );
}

#[test]
fn rule_sets_are_kept_in_sgf() {
    there_and_back(
        &[("rules", "freestyle")],
        &["A1", "B2"],
        "(;FF[4]GM[4]CA[UTF-8]AP[Agon]SZ[15]RU[freestyle gomoku];B[ao];W[bn])",
    );
    there_and_back(&[], &["H8", "H9"], "(;FF[4]GM[4]CA[UTF-8]AP[Agon]SZ[15];B[hh];W[hg])");
}

/// A game that begins outside ALPHANO's squares is renju from any first stones.
#[test]
fn first_stones_anywhere_are_read() {
    for text in ["(;GM[4]SZ[15];B[hh];W[fg];B[aa])", "H8 F9 A15"] {
        let tree = read(text);
        assert_eq!(tree.parameters, parameters(&[("rules", "renju")]), "{text}");
        assert_eq!(moves(&tree), ["8 8", "7 6", "1 1"]);
    }
    assert!(read("(;GM[4]SZ[15];B[hh];W[gg])").parameters.is_empty());
}

/// An opening that a variation leaves, or whose text is not that of the stones, stays as it is.
#[test]
fn openings_that_do_not_fit_are_moves() {
    for text in [
        "(;GM[4]SZ[15]ON[RIF: H8 H9 J9 swap G8 J7 G6 J7];B[hh];W[hg];B[jg];W[gh](;B[ji])(;B[gj]))",
        "(;GM[4]SZ[15]ON[RIF: H8 H9 J9 swap G8 J7 G6 J7];B[hh];W[gg])",
        "(;GM[4]SZ[15]ON[Kagetsu];B[hh];W[hg];B[ig])",
        "(;GM[4]SZ[15]ON[RIF: H8 H9];B[hh];W[hg])",
    ] {
        let mut tree = read(text);
        let before = moves(&tree);
        fold_opening(&mut tree);
        assert_eq!(moves(&tree), before, "{text}");
        assert!(tree.parameters.is_empty(), "{text}");
    }
}
