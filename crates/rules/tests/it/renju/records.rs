//! Games in other programs' files.

use agon_game::{Outcome, Side};
use agon_rules::renju::{Move, Point, psq, sgf};
use proptest::prelude::*;

fn moves(text: &str) -> Vec<Move> {
    text.split_whitespace().map(|word| Move::from_letters(word).expect(word)).collect()
}

#[test]
fn sgf_gives_the_main_line() {
    let check = |text: &str, expected: &str| assert_eq!(sgf::read(text), Ok(moves(expected)), "{text}");
    check("(;GM[4])", "");
    check("(;GM[4]SZ[15];B[hh];W[ig];B[jf])", "H8 I9 J10");
    check("(;GM[4]SZ[15:15]\n;B[h8]\n;W[I9]\n;B[];W[tt];B[pass])", "H8 I9 PASS PASS PASS");
    // The first branch, and what is in it.
    check("(;B[hh](;W[hg](;B[ha])(;B[oo]))(;W[gg];B[aa]))", "H8 H9 H15");
    // Comments may hold anything; brackets in them are quoted.
    check("(;C[no (;B[aa\\]) game \\\\]B[hh]C[x];W[hg]BL[3])", "H8 H9");
    check("garbage (and) more ( ;\nB [hh] LB[aa:1][bb:2] ; W\n[hg])", "H8 H9");
    check("\u{feff}(;B[hh];W[hg])\r\n \r\n", "H8 H9");
    // Names of properties as older programs write them.
    check("(;GaMe[4]SiZe[15];Black[hh];White[hg])", "H8 H9");
    check("(;gm[4]sz[15]c[none];b[hh];w[hg])", "H8 H9");
}

#[test]
fn refused_sgf_says_why() {
    let check = |text: &str, expected: &str| assert_eq!(sgf::read(text).expect_err(text).to_string(), expected);
    check("", "line 1: no game found: `(;` expected");
    check("B[hh]", "line 1: no game found: `(;` expected");
    check("(;GM[1];B[hh])", "line 1: GM[1] is not renju, which is GM[4]");
    check("(;SZ[19];B[hh])", "line 1: SZ[19] is not a board of 15 by 15");
    check("(;AB[hh][hg];W[aa])", "line 1: AB sets up stones: only games from an empty board are read");
    check("(;B[hh]\n;B[hg])", "line 2: move 2 is not Black's");
    check("(;W[hh])", "line 1: move 1 is not White's");
    check("(;B[hp])", "line 1: move 1, `hp`, is not a point of the board");
    check("(;B[hh][hg])", "line 1: move 2 is not Black's");
    check("(;B[hh];\nC[oh", "line 2: the value that begins here has no closing bracket");
    check("(;C[oh\\", "line 1: the value that begins here has no closing bracket");
    check("(;B[hh];W[hg]", "line 1: the game that begins here has no end: `)` expected");
    check("(;B[hh](;W[hg])(;B[gg]", "line 1: the game that begins here has no end: `)` expected");
    check("(;B[hh];\n9;W[hg])", "line 2: property 9 has no value: `[` expected");
    check("(;B[hh]\n?;W[hg])", "line 2: `?` is neither a property, a value nor a node");
    check("(;B hh;W[hg])", "line 1: property Bhh has no value: `[` expected");
    check("(;black[hh])", "line 1: `black` is not a property: their names are capital letters");
    check("(;B[hh])\n(;B[hh];W[hg])\n(;)", "line 2: a second game of 3 begins here");
    check("(;B[hh])\n;W[hg])", "line 2: `;` after a game: `(;` or the end of the file expected");
}

#[test]
fn sgf_has_variations() {
    let check = |text: &str, expected: &[&str]| {
        let expected: Vec<_> = expected.iter().map(|line| moves(line)).collect();
        assert_eq!(sgf::read_lines(text), Ok(expected.clone()), "{text}");
        assert_eq!(sgf::read(text).as_ref(), Ok(&expected[0]), "{text}");
        let written = sgf::write_lines(&expected, &sgf::SgfHeader::default());
        assert_eq!(sgf::read_lines(&written), Ok(expected), "{written}");
    };
    check("(;GM[4];B[hh];W[hg])", &["H8 H9"]);
    check("(;B[hh](;W[hg];B[ig](;W[jg])(;W[if]))(;W[gg]C[why (not)?]))", &["H8 H9 I9 J9", "H8 H9 I9 I10", "H8 G9"]);
    check("((;B[hh])", &["H8"]);
    let refused = |text: &str, expected: &str| assert_eq!(sgf::read_lines(text).unwrap_err().to_string(), expected);
    refused("(;B[hh](;W[hg])(;B[gg]))", "line 1: move 2 is not Black's");
    refused(&format!("(;B[hh]{})", "(;W[hg])".repeat(sgf::MAX_LINES + 1)), "line 1: more than 400 variations");
}

#[test]
fn a_collection_has_all_its_games() {
    let text = "a note (with brackets)\n(;GM[4]GN[one]PB[a\\] (;b]PW[c]RE[W+R];B[hh])\n\n\
                (;GM[4]RE[Draw];B[hh](;W[hg])(;W[gg]))(;GM[1])\n";
    let games = sgf::games(text).unwrap();
    assert_eq!(games.iter().map(|game| game.line).collect::<Vec<_>>(), [2, 4, 4]);
    let first = games[0].read().unwrap();
    let header = sgf::SgfHeader {
        black: "a] (;b".to_owned(),
        white: "c".to_owned(),
        result: Some(Outcome::Win(Side::Second)),
        won_by: sgf::WonBy::Resignation,
    };
    assert_eq!((first.lines(), first.name.as_str(), first.header), (vec![moves("H8")], "one", header));
    let second = games[1].read().unwrap();
    assert_eq!((second.header.result, second.variations), (Some(Outcome::Draw), 1));
    // A game that cannot be read hides none of the others.
    assert_eq!(games[2].read().unwrap_err().to_string(), "line 4: GM[1] is not renju, which is GM[4]");
}

#[test]
fn what_sgf_becomes_is_bounded_by_its_length() {
    // A long main line and many short variations at its end: each line is as long as the main one.
    let text = |passes: usize, variations: usize| {
        let mut text = "(".to_owned();
        text.extend((0..passes).map(|number| [";B[]", ";W[]"][number % 2]));
        text + &["(;B[hh])", "(;W[hh])"][passes % 2].repeat(variations) + ")"
    };
    let branches = sgf::read_branches(&text(990, 399)).unwrap();
    assert_eq!((branches.len(), branches[0].moves.len(), branches[0].shared), (399, 991, 0));
    assert!(branches[1..].iter().all(|branch| branch.shared == 990 && branch.moves.len() == 1));
    let refused = |text: &str| assert_eq!(sgf::read_branches(text).unwrap_err().problem, sgf::SgfProblem::Moves);
    refused(&text(sgf::MAX_LINE_MOVES, 1));
    refused(&text(100_000, 399));
    let long = sgf::read(&text(100_000, 0)).unwrap_err().problem;
    assert_eq!(long, sgf::SgfProblem::Moves, "in the main line, too");
    refused(&format!("(;B[hh]{})", format!("({})", ";W[];B[]".repeat(400)).repeat(30)));
    // Lines that leave each other at any place come back whole.
    let lines = ["H8 H9 I9 J9", "H8 H9 I9 I10", "H8 G9", "H8 G9 A1"].map(moves);
    let read = sgf::read_lines("(;B[hh](;W[hg];B[ig](;W[jg])(;W[if]))(;W[gg])(;W[gg];B[ao]))");
    assert_eq!(read, Ok(lines.to_vec()));
}

#[test]
fn sgf_is_written_with_names_and_result() {
    let header = sgf::SgfHeader {
        black: "one ] \\ two".to_owned(),
        white: "three".to_owned(),
        result: Some(Outcome::Win(Side::First)),
        won_by: sgf::WonBy::default(),
    };
    let text = sgf::write(&moves("H8 G9 PASS"), &header);
    let expected = "(;FF[4]GM[4]CA[UTF-8]AP[Agon]SZ[15]PB[one \\] \\\\ two]PW[three]RE[B+]\n;B[hh];W[gg];B[])\n";
    assert_eq!(text, expected);
    assert_eq!(sgf::read(&text), Ok(moves("H8 G9 PASS")));
    let result = |side, won_by| {
        let header = sgf::SgfHeader { result: Some(Outcome::Win(side)), won_by, ..Default::default() };
        sgf::write(&[], &header)
    };
    assert!(result(Side::First, sgf::WonBy::Resignation).contains("RE[B+R]"));
    assert!(result(Side::Second, sgf::WonBy::Time).contains("RE[W+T]"));
    assert!(result(Side::Second, sgf::WonBy::Forfeit).contains("RE[W+F]"));
}

#[test]
fn psq_gives_the_moves() {
    let check = |text: &str, expected: &str| assert_eq!(psq::read(text), Ok(moves(expected)), "{text}");
    check("Piskvorky 15x15, 11:11, 0", "");
    check("Piskvorky 15x15, 11:11, 0\r\n8,8,0\r\n1,2,1503\r\none.zip\r\ntwo.zip\r\n-1\r\nRenju, 5\r\n", "H8 A14");
    check("\n Piskvorky 15 x 15\n 8, 8, 0\n\n-1,-1,0\n", "H8 PASS");
    check("\u{feff}Piskvorky 15x15, 11:11, 0\r\n8,8,0 \r\n-1\r\n", "H8");
    // Piskvork itself reads moves without a time.
    check("Piskvorky 15x15, 0:0, 0\n8,8\n8,9\n9,10\n-1\n", "H8 H7 I6");
    let game = psq::read_game("Piskvorky 15x15, 0:0, 0\n8,8,0\none.zip\ntwo.zip\n-1\n").unwrap();
    assert_eq!(game.players, ["one.zip", "two.zip"]);
    assert_eq!(psq::read_game("Piskvorky 15x15, 0:0, 0\n8,8,0\n-1\n").unwrap().players, ["", ""]);
    // Names that look like moves or like the result.
    for name in ["9 9 0", "9,9", "9;9", "-1"] {
        assert_eq!(psq::read(&psq::write(&moves("H8"), [name, name])), Ok(moves("H8")), "{name}");
    }
}

#[test]
fn refused_psq_says_why() {
    let check = |text: &str, expected: &str| assert_eq!(psq::read(text).expect_err(text).to_string(), expected);
    check("", "the first line must begin with `Piskvorky`, not ``");
    check("8,8,0", "the first line must begin with `Piskvorky`, not `8,8,0`");
    check("Piskvorky 20x20, 11:11, 0", "`20x20` is not a board of 15x15");
    check("Piskvorky", "`` is not a board of 15x15");
    check("Piskvorky 15x15, 11:11, 0\n8,8,0\n16,1,0", "line 3, `16,1,0`, is not a point of the board");
    check("Piskvorky 15x15, 11:11, 0\n8,-1,0", "line 2, `8,-1,0`, is not a point of the board");
    let after = |line: &str| format!("Piskvorky 15x15, 0:0, 0\n8,8,0\n{line}\n7,9,1\n-1\n");
    for line in ["9;10,3", "9", "9,x,3", "9 10 3", "9,10,x", "9,10,3,4", "hello", "-1"] {
        check(&after(line), &format!("line 3, `{line}`, is not a move `x,y,time`"));
    }
    for line in ["9;10,3", "9,x,3", "9 10 3", "9,10,"] {
        check(&after(line).replace("7,9,1\n", ""), &format!("line 3, `{line}`, is not a move `x,y,time`"));
    }
    check(
        &after("999999999999999999999999,8,0"),
        "line 3, `999999999999999999999999,8,0`, is not a point of the board",
    );
}

fn any_moves() -> impl Strategy<Value = Vec<Move>> {
    let any_move = (0..=225_usize).prop_map(|index| Point::from_index(index).map_or(Move::Pass, Move::Stone));
    proptest::collection::vec(any_move, 0..60)
}

proptest! {
    #[test]
    fn moves_read_back(moves in any_moves(), black in "\\PC*", white in "\\PC*") {
        let result = Some(Outcome::Draw);
        let header = sgf::SgfHeader { black: black.clone(), white: white.clone(), result, ..Default::default() };
        prop_assert_eq!(sgf::read(&sgf::write(&moves, &header)), Ok(moves.clone()));
        prop_assert_eq!(psq::read(&psq::write(&moves, [&black, &white])), Ok(moves));
    }

    #[test]
    fn any_text_is_read_or_refused(text in "\\PC*") {
        let _ = sgf::read_lines(&text);
        let _ = psq::read(&text);
    }

    #[test]
    fn what_looks_like_a_game_is_read_or_refused(
        game in "\\(;([BWGMSZC();\\\\ ]|\\[[a-p8]{0,3}\\]?){0,40}",
        lines in "Piskvorky 15x15(\n-?[0-9]{1,20},-?[0-9]{1,3},[0-9]?){0,5}",
    ) {
        let (main, all) = (sgf::read(&game), sgf::read_lines(&game));
        if let Ok(all) = all {
            prop_assert_eq!(main.as_ref(), Ok(&all[0]));
        }
        let _ = psq::read(&lines);
    }
}
