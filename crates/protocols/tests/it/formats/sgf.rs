//! SGF: everything comes back as it was.

use agon_game::Side;
use agon_protocols::formats::{self, Collection, FileFormat, Limits, Place, sgf};
use proptest::prelude::*;

use super::{game, read, shown};

fn again(text: &str) -> String {
    sgf::write(&read(text).unwrap_or_else(|error| panic!("{text}: {error}"))).unwrap()
}

/// The part after the header that Agon writes.
fn body(text: &str) -> String {
    text.replace("(;FF[4]GM[4]CA[UTF-8]AP[Agon]SZ[15]", "(;").replace('\n', "").replace("(;;", "(;")
}

#[test]
fn what_is_read_is_written() {
    let check = |text: &str| {
        let written = again(text);
        assert_eq!(body(&written), text, "{written}");
        assert_eq!(again(&written), written);
    };
    check("(;PB[ada]PW[bob]RE[B+R];B[hh];W[hg];B[])");
    check("(;EV[cup]DT[2024-01-02]XY[what is this][two];B[hh]N[n]TR[aa][bb:cc]LB[ig:1][gg:a\\:b])");
    check("(;B[hh]C[a \\] and \\\\ and \\: ])");
    check("(;C[of the start];B[hh](;W[hg];B[ig](;W[gg])(;W[ff]C[x]))(;W[gg];B[ig]))");
    check("(;AB[hh][ii]AW[hg]PL[W];W[ig];B[gg])");
    check("(;B[hh];W[hg];AB[aa]AW[bb]AE[hg]PL[W];W[cc])");
    check("(;B[hh];C[no move];W[hg])");
    check("(;B[hh]TE[2];W[hg]BM[1]DO[]IT[])");
    // Each game of a collection.
    assert_eq!(body(&again("(;B[hh])\n(;B[hh];W[hg])\n(;GN[third])")), "(;B[hh])(;B[hh];W[hg])(;GN[third])");
}

#[test]
fn what_others_write_is_understood() {
    let check = |text: &str, moves: &str| assert_eq!(shown(&game(text)), moves, "{text}");
    check("(;GM[4]SZ[15];B[hh];W[ig];B[jf])", "H8 I9 J10");
    // Some programs have other numbers for five in a row.
    check("(;GM[11]FF[4]CA[UTF-8]AP[Gomoku]SZ[15]DT[2025-01-02];B[hh];W[ig])", "H8 I9");
    check("(;GM[4]SZ[15:15]\n;B[h8]\n;W[I9]\n;B[];W[tt];B[pass])", "H8 I9 PASS PASS PASS");
    check("(;B[hh](;W[hg](;B[ha])(;B[oo]))(;W[gg];B[aa]))", "H8 H9 H15");
    check("garbage (and) more ( ;\nB [hh] LB[aa:1][bb:2] ; W\n[hg])", "H8 H9");
    check("\u{feff}(;B[hh];W[hg])\r\n \r\n", "H8 H9");
    check("(;GaMe[4]SiZe[15];Black[hh];White[hg])", "H8 H9");
    check("(;gm[4]sz[15]c[none];b[hh];w[hg])", "H8 H9");
    // KataGomo, whose game is Go's.
    check("(;GM[1]FF[4]CA[UTF-8]AP[KataGomo-opening-trainer]SZ[15]RU[Renju];B[hh])", "H8");
    // LittleGolem, and moves in the first node.
    check("(;FF[4]EV[renju.ch.1.2.3]PB[a]PW[b]SZ[15]SO[http://www.littlegolem.com];B[hh];W[hg])", "H8 H9");
    check("(;GM[4]B[hh]C[x];W[hg]BL[3])", "H8 H9");
    let tree = game("(;B[hh]PB[ada]C[of the move])");
    assert_eq!((tree.names()[0].as_str(), tree.plain(1, "C").as_str()), ("ada", "of the move"));
    let tree = game("(;B[hh]C[two\r\nlines, soft\\\r\nbreak])");
    assert_eq!(tree.plain(1, "C"), "two\nlines, softbreak");
    let setup = game("(;AB[hh][gg:ii]AW[aa];W[ab])");
    assert_eq!(setup.position.unwrap().split(' ').nth(1), Some("W"));
}

#[test]
fn charsets_are_those_that_the_file_names() {
    let check = |bytes: &[u8], name: &str| {
        let collection = formats::read(bytes, FileFormat::Sgf, None, &Limits::FILE).unwrap();
        assert_eq!(collection.games[0].names()[0], name);
    };
    check("(;CA[UTF-8]PB[Õnne];B[hh])".as_bytes(), "Õnne");
    check(b"(;PB[\xd5nne];B[hh])", "Õnne");
    check(b"(;CA[windows-1251]PB[\xc8\xe2\xe0\xed];B[hh])", "Иван");
    // The second byte of a character may be a backslash.
    check(b"(;CA[Shift_JIS]PB[\x95\x5c];B[hh])", "表");
    check(b"(;CA[GBK]PB[\xce\xe5\xd7\xd3];B[hh])", "五子");
}

#[test]
fn what_is_refused_is_named_by_line() {
    let check = |text: &str, expected: &str| assert_eq!(read(text).expect_err(text).to_string(), expected, "{text}");
    check("(;GM[1];B[hh])", "line 1: GM[1] is not renju, which is GM[4]");
    check("(;GM[1]SZ[15]KM[6.5];B[hh])", "line 1: GM[1] is not renju, which is GM[4]");
    check("(;GM[11];B[hh])", "line 1: GM[11] is not renju, which is GM[4]");
    check("(;PB[ada]\n;B[pd])", "line 2: move 1, `pd`, is not on the board of 15 by 15 points; is this a game of Go?");
    check("(;\nSZ[19];B[hh])", "line 2: SZ[19] is not supported; boards have 15 by 15 points");
    check("(;B[hp])", "line 1: move 1, `hp`, is not on the board of 15 by 15 points; is this a game of Go?");
    check("(;B[hh];\nC[oh", "line 2: value has no closing bracket");
    check("(;C[oh\\", "line 1: value has no closing bracket");
    check("(;B[hh](;W[hg])(;B[gg]", "line 1: game has no closing `)`");
    check("(;B[hh];\n9;W[hg])", "line 2: property 9 has no value; expected `[`");
    check("(;B[hh]\n?;W[hg])", "line 2: unexpected `?`; expected a property, a value or a node");
    check("(;black[hh])", "line 1: invalid property name: `black`; names are capital letters");
    check("(;B[hh])\n;W[hg])", "line 2: unexpected `;` after a game; expected `(;` or the end of the file");
    check("(;AB[hh]AW[hh])", "line 1: AW sets up two stones on H8");
    check("(;AB[zz])", "line 1: invalid points: AB[zz]");
    check("(;AB[hh]PL[x])", "line 1: invalid side: PL[x]; expected B or W");
    // The others are read.
    let some = read("(;B[hh])\n(;GM[1];B[aa]C[(;\\]])\n(;B[hh];W[hg])").unwrap();
    assert_eq!(
        some.games.iter().map(|game| (game.number, game.place)).collect::<Vec<_>>(),
        [(1, Place::Line(1)), (3, Place::Line(3))]
    );
    assert_eq!(some.refused[0].0, 2);
    // What is too much.
    let limits = Limits { games: 2, nodes: 5, line_moves: 3, lines: 2 };
    for text in ["(;)(;)(;)", "(;B[hh];W[];B[];W[])", "(;B[hh](;W[])(;W[])(;W[])(;W[])(;W[]))"] {
        let refused = formats::read(text.as_bytes(), FileFormat::Sgf, None, &limits);
        assert!(refused.unwrap_err().problem.to_string().starts_with("more than"), "{text}");
    }
}

#[test]
fn a_move_that_is_no_point_ends_its_line_alone() {
    let tree = game("(;GM[4]SZ[15];B[hh];W[hg](;B[ig];W[zz];B[jf])(;B[hi]))");
    assert_eq!(tree.clone().check().unwrap_err().to_string(), "line 1: move 4, `zz`, is not on the board");
    let mut legal = tree;
    let notes = legal.check_what_is_legal().unwrap();
    assert_eq!(notes[0].text.to_string(), "2 moves from here on: move 4, `zz`, is not on the board");
    assert_eq!((legal.main_line().len(), legal.lines().len()), (3, 2));
    // In a variation it refuses no game.
    let mut aside = game("(;GM[4];B[hh](;W[hg])(;W[hq];B[ig]))");
    assert_eq!((aside.check().unwrap().len(), aside.lines().len()), (1, 1));
}

/// Black makes a double three, and then whatever follows.
const DOUBLE_THREE: &str = "(;B[hh];W[hg];B[ih];W[aa];B[kk];W[ba];B[kj];W[ca];B[kh]";

#[test]
fn a_forbidden_move_ends_a_game_that_is_read() {
    let mut lost = game(&format!("{DOUBLE_THREE})"));
    let notes = lost.check().unwrap();
    assert_eq!(notes.len(), 1, "{notes:?}");
    assert!(notes[0].text.to_string().starts_with("move 9, K8, is forbidden (") && !notes[0].is_left_out, "{notes:?}");
    assert_eq!((lost.plain(0, "RE").as_str(), lost.main_line().len()), ("W+F", 9));
    // Moves after it are left out, and named.
    let mut more = game(&format!("{DOUBLE_THREE};W[da];B[ea])"));
    let notes = more.check().unwrap();
    assert!(
        notes.iter().any(|note| note.text.to_string() == "2 moves from here on: move 10, D15: the game is over"),
        "{notes:?}"
    );
    assert_eq!(more.main_line().len(), 9);
    // White may play there.
    let mut turned = game("(;B[hh];W[hg];B[ih];W[aa];B[kk];W[ba];B[kj];W[kh])");
    assert_eq!(turned.check(), Ok(Vec::new()));
    // The file's own result stays.
    let mut said = game(&format!("{})", DOUBLE_THREE.replacen("(;", "(;RE[W+T]", 1)));
    said.check().unwrap();
    assert_eq!(said.plain(0, "RE"), "W+T");
}

#[test]
fn what_the_rules_refuse_is_named() {
    let refused = |text: &str| game(text).check().unwrap_err().to_string();
    assert!(refused("(;B[hh];W[hh])").starts_with("move 2, H8: "));
    assert_eq!(refused("(;B[hh]\n;B[hg])"), "line 2: it is not Black's turn at move 2");
    assert!(refused("(;B[hh];W[hg];B[hg])").contains("move 3, H9: "));
    // In a variation it is left out, with what follows.
    let mut tree = game("(;B[hh](;W[hg])\n(;W[aa];B[ab];W[ac]))");
    let notes = tree.check().unwrap();
    assert_eq!((notes.len(), notes[0].place, tree.nodes.len()), (1, Place::Line(2), 3), "{notes:?}");
    assert!(notes[0].text.to_string().starts_with("3 moves from here on: move 2, A15: "), "{notes:?}");
    // Stones that are set up within a game are played on from, or begin another one.
    let mut setup = game("(;B[hh];W[hg];AB[aa]AW[bb];B[cc])");
    assert_eq!(setup.check(), Ok(Vec::new()));
    let (games, notes) = setup.split_setups();
    assert_eq!((notes.len(), setup.main_line().len()), (1, 2), "{notes:?}");
    assert_eq!((games.len(), games[0].main_line().len(), games[0].position.is_some()), (1, 1, true));
}

proptest! {
    #[test]
    fn any_text_is_read_or_refused(text in "[()\\[\\];:BWCLABP\\\\ h-i\n\r]{0,80}") {
        if let Ok(mut collection) = read(&format!("(;{text}")) {
            let written = sgf::write(&collection).unwrap();
            prop_assert_eq!(sgf::write(&read(&written).unwrap()).unwrap(), written);
            for game in &mut collection.games {
                let _ = game.check();
            }
        }
    }

    #[test]
    fn comments_come_back(plain in "\\PC{0,40}") {
        let mut tree = game("(;B[hh])");
        tree.set_plain(1, "C", &plain);
        let side = tree.nodes[1].made.as_ref().unwrap().side;
        prop_assert_eq!(side, Side::First);
        let written = sgf::write(&Collection::from_games(vec![tree])).unwrap();
        prop_assert_eq!(game(&written).plain(1, "C"), plain);
    }
}
