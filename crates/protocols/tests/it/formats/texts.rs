//! Moves and positions as texts, RIF's database, PSQ and records.

use agon_catalog::Game;
use agon_protocols::formats::{self, FileError, FileFormat, FileProblem, Limits, Place};

use super::{game, read, shown};

#[test]
fn moves_are_read_as_people_write_them() {
    let check = |text: &str, moves: &str| {
        for text in [text.to_owned(), format!("\u{feff}{}\r\n \r\n", text.replace('\n', "\r\n"))] {
            assert_eq!(shown(&game(&text)), moves, "{text}");
        }
    };
    check("h8h9i8", "H8 H9 I8");
    check("H8H9I8H10", "H8 H9 I8 H10");
    check("1. h8 h9 2. i8", "H8 H9 I8");
    check("1.h8 h9 2.i8 g10 3. pass", "H8 H9 I8 G10 PASS");
    check("h8 h9\ni8 g10\n", "H8 H9 I8 G10");
    check("H8\nh9\n\npass\n", "H8 H9 PASS");
    check("h8, h9, i8", "H8 H9 I8");
    check("H8/H9/I8", "H8 H9 I8");
    check("1... h8 h9! i8?? 1-0", "H8 H9 I8");
    check("H8 H9 (G8 I7 (I6)) I9", "H8 H9 I9");
    check("# a comment\nH8 ; and another\nH9\n", "H8 H9");
    check("https://gomocalc.com/#/h8h9i8", "H8 H9 I8");
    check("1.H8(0.5s) H9 (12) 2. i8(1:05) (3 min)", "H8 H9 I8");
}

#[test]
fn variations_comments_and_glyphs_of_texts() {
    let tree = game("1. h8 {the centre} h9! (1... g8?? 2. i7 (2. i6)) 2. i9 {two\nlines}");
    let lines = tree.lines();
    assert_eq!(lines.iter().map(|line| (line.shared, line.nodes.len())).collect::<Vec<_>>(), [(0, 3), (1, 2), (2, 1)]);
    assert_eq!((tree.plain(1, "C").as_str(), tree.plain(3, "C").as_str()), ("the centre", "two\nlines"));
    assert_eq!((tree.plain(2, "TE").as_str(), tree.plain(4, "BM").as_str()), ("1", "2"));
    let timed = game("1.H8(0.5s) h9 (2. i8) 2. i9");
    assert_eq!((timed.plain(1, "C").as_str(), timed.lines().len()), ("0.5s", 2));
    let numbered = game("h8 $1 h9 $4 i9 $146");
    assert_eq!((numbered.plain(1, "TE").as_str(), numbered.plain(2, "BM").as_str()), ("1", "2"));
}

/// The way programs for Ataxx write games.
#[test]
fn pgn_begins_at_its_fen_and_is_of_its_game() {
    let start = "[Black \"ada\"]\n[White \"bob\"]\n[FEN \"x5o/7/7/7/7/7/o5x x\"]\n[Result \"0-1\"]\n\n1. f1 a1a3 0-1\n";
    let later = "[FEN \"x5o/7/7/7/7/7/o4xx o 0 1\"]\n\n1. a1a3 {far} f1f2 (1... f1f3) *\n";
    let blocked = "[FEN \"x5o/7/2-1-2/7/2-1-2/7/o5x x 0 1\"]\n[Result \"*\"]\n\n1. a7b7 *\n";
    let wrong = "[Event \"4\"]\n[FEN \"x5o/7/7/7/7/7/o5x x\"]\n\n1. f1 (2. *\n";
    let mut all = read(&format!("{start}\n{blocked}\n{later}\n{wrong}\n{start}")).unwrap();
    assert_eq!(all.games.iter().map(|game| game.number).collect::<Vec<_>>(), [1, 3, 5]);
    assert!(all.games.iter().all(|game| game.game == Game::BACTERIA));
    let refused: Vec<String> = all.refused.iter().map(|(number, error)| format!("{number}: {error}")).collect();
    assert!(refused[0].starts_with("2: line 8: `x5o/7/2-1-2"), "{refused:?}");
    assert!(refused[0].ends_with("have no blocked cells"), "{refused:?}");
    assert!(refused[1].starts_with("4: line 20: variation"), "{refused:?}");
    for game in &mut all.games {
        assert_eq!(game.check().unwrap(), Vec::new());
    }
    let [first, second, ..] = &all.games[..] else { panic!("three games") };
    assert_eq!((first.position.as_deref(), &first.names()[0][..], &first.plain(0, "RE")[..]), (None, "ada", "W+"));
    assert_eq!(shown(first), "7 7 7 6 7 1 5 1");
    assert_eq!(second.position.as_deref(), Some("x5o/7/7/7/7/7/o4xx o 0 1"));
    assert_eq!((shown(second), second.lines().len()), ("7 1 5 1 7 6 6 6".to_owned(), 2));
    assert_eq!(game(later).position, second.position);
    // Without a position the moves say the game.
    let text = b"1. f1 a1a3 2. e1 g7g5 *";
    let all = formats::read_of_any(text, FileFormat::Text, None, None, &Limits::FILE).unwrap();
    assert_eq!(all.games[0].game, Game::BACTERIA);
    let all = formats::read_of_any(b"h8 h9", FileFormat::Text, Some(Game::BACTERIA), None, &Limits::FILE).unwrap();
    assert_eq!(all.games[0].game, Game::RENJU);
}

#[test]
fn openings_are_read_as_offsets() {
    let all = read("0,0, 1,0, 1,3\n\n0,0, 1,1, 0,-3,\n").unwrap();
    assert_eq!(all.games.iter().map(shown).collect::<Vec<_>>(), ["H8 I8 I5", "H8 I7 H11"]);
    assert_eq!(
        all.games.iter().map(|game| (game.number, game.place)).collect::<Vec<_>>(),
        [(1, Place::Line(1)), (2, Place::Line(3))]
    );
    for wrong in ["0,0, 8,-3", "0,0, 1", "0,0\n8,8 8,7"] {
        assert!(read(wrong).is_err(), "{wrong}");
    }
    assert!(read("0,0, 8,-3").unwrap_err().to_string().starts_with("line 1: invalid offsets: `0,0, 8,-3`"));
}

#[test]
fn a_semicolon_begins_a_comment_or_parts_points() {
    let tree = game("H8, I9; H9\nG8 ; it holds\n");
    assert_eq!((shown(&tree), tree.plain(4, "C")), ("H8 I9 H9 G8".to_owned(), "it holds".to_owned()));
}

/// The way `PlayOK` writes games.
const PLAYOK: &str = "[Event \"?\"]\n[Site \"PlayOK\"]\n[Date \"2020.05.05\"]\n[Round \"-\"]\n[Black \"ada\"]\n\
    [White \"bob\"]\n[Result \"0-1\"]\n[Time \"11:24:48\"]\n[TimeControl \"300\"]\n[BlackElo \"1073\"]\n\n\
    1. h8 h9 2. i8 g10 3. i9\n\n";

#[test]
fn headers_are_those_of_playok() {
    let all = read(&format!("{PLAYOK}{}", PLAYOK.replace("ada", "eve"))).unwrap();
    assert_eq!(all.games.iter().map(|game| game.names()[0].clone()).collect::<Vec<_>>(), ["ada", "eve"]);
    let tree = &all.games[0];
    assert_eq!(shown(tree), "H8 H9 I8 G10 I9");
    let said = ["PC", "DT", "PW", "RE", "OT", "BR", "EV", "GC"].map(|name| tree.plain(0, name));
    assert_eq!(said, ["PlayOK", "2020-05-05", "bob", "W+", "300", "1073", "", "Time: 11:24:48"]);
    assert_eq!(all.games[1].number, 2);
    // A list of openings, a line each.
    let lines = read("h8h9i8\nh8h9j7\nh8g9i8\n").unwrap();
    assert_eq!(lines.games.iter().map(shown).collect::<Vec<_>>(), ["H8 H9 I8", "H8 H9 J7", "H8 G9 I8"]);
}

#[test]
fn what_is_no_move_is_named_by_line() {
    let check = |text: &str, expected: &str| {
        let refused = read(text).expect_err(text).to_string();
        assert!(refused.starts_with(expected), "`{expected}` is not the start of: {refused}");
    };
    check("hello H8\n", "line 1: neither PASS nor a point: `hello`");
    check("H16 H8", "line 1: neither PASS nor a point: `H16`");
    check(" \n\n", "no moves found; expected `H8 H9 I9`, or one move per line");
    check("h8 {", "line 1: comment has no closing brace");
    check("h8 (", "line 1: variation has no closing `)`");
    check("(h8)", "line 1: variation has no move before it to replace");
    check("h8\n)", "line 2: `)` without a matching `(`");
    check("[Event]\nh8", "line 1: invalid header: `[Event]`");
    check("h8 $x", "line 1: invalid glyph: `$x`");
    let limits = Limits { games: 1, nodes: 2, line_moves: 2, lines: 2 };
    let much = formats::read(b"h8h9i8", FileFormat::Text, None, &limits).unwrap_err();
    assert!(much.problem.to_string().starts_with("more than 2 moves in a line"), "{much}");
}

/// A text that begins with a move is a game: from the first word that is not a move on, the rest is left out.
#[test]
fn the_moves_before_a_word_that_is_none_are_read() {
    let check = |text: &str, moves: &str, left_out: &[&str], problem: &str| {
        let tree = game(text);
        assert_eq!(
            tree.clone().check().map_err(|error| error.to_string()).err().unwrap_or_default(),
            problem,
            "{text}"
        );
        let mut legal = tree;
        let notes = legal.check_what_is_legal().unwrap();
        assert_eq!(shown(&legal), moves, "{text}");
        assert_eq!(notes.iter().map(|note| note.text.to_string()).collect::<Vec<_>>(), left_out, "{text}");
    };
    let why = "neither PASS nor a point: `xx` is not a column from A to O followed by a row from 1 to 15";
    check("h8 h9 i8\nxx", "H8 H9 I8", &[&format!("1 move from here on: {why}")], &format!("line 2: {why}"));
    check("h8 h9 xx g10 h8", "H8 H9", &[&format!("3 moves from here on: {why}")], &format!("line 1: {why}"));
    check("h8 h9 (xx i7) i9", "H8 H9 I9", &[&format!("2 moves from here on: {why}")], "");
}

/// The way boards of Agon write moves that do not begin as their game does.
#[test]
fn rows_and_columns_of_domineering_are_one_word() {
    let mut tree = game("[FEN \"331/012/120 .../.../... H 0 2.5 0\"]\n\n1.1 1.3 (2.1) 3.2\n");
    assert_eq!(tree.check().unwrap(), []);
    assert_eq!((tree.game, shown(&tree).as_str(), tree.lines().len()), (Game::DOMINEERING, "1 1 1 3 3 2", 2));
    for text in ["4,4 6,5 (6,7) 1,1", "4.4 6.5 (6.7) 1.1", "4,4, 6,5, 1,1"] {
        let all = formats::read_of_any(text.as_bytes(), FileFormat::Text, None, None, &Limits::FILE).unwrap();
        assert_eq!((all.games[0].game, shown(&all.games[0]).as_str()), (Game::DOMINEERING, "4 4 6 5 1 1"), "{text}");
    }
}

#[test]
fn a_text_is_of_the_game_that_takes_most_of_it() {
    for usual in [Game::RENJU, Game::DOMINEERING, Game::BACTERIA] {
        for text in ["h8 h9 h8", "h8 h9 i8 xx"] {
            let all =
                formats::read_of_any(text.as_bytes(), FileFormat::Text, Some(usual), None, &Limits::FILE).unwrap();
            assert_eq!(all.games[0].game, Game::RENJU, "{usual}: {text}");
        }
    }
}

#[test]
fn positions_are_of_the_game_that_has_them() {
    let fen = "x5o/7/7/7/7/7/o5x x 0 1";
    let check = |text: &str, name: &str, moves: &str| {
        let tree = game(text);
        assert_eq!((tree.game, tree.position.as_deref(), shown(&tree).as_str()), (Game::BACTERIA, Some(fen), moves));
        assert_eq!(tree.plain(0, "GN"), name, "{text}");
    };
    check(fen, "", "");
    check(&format!("position fen {fen} moves b7 f7"), "", "1 1 1 2 1 7 1 6");
    check(&format!("{fen}; id \"start\";"), "start", "");
    let all = read(&format!("{fen}\n\n# more\n{fen} moves b7\n")).unwrap();
    assert_eq!(
        all.games.iter().map(|game| (game.number, game.place)).collect::<Vec<_>>(),
        [(1, Place::Line(1)), (2, Place::Line(4))]
    );
    let (written, notes) = formats::write(&all, "fen").unwrap();
    assert_eq!((String::from_utf8(written).unwrap(), notes), (format!("{fen}\n{fen} moves b7\n"), Vec::new()));
    // Only the wrong line is refused.
    let some = read(&format!("{fen}\n{fen} moves a1\n7/7/7 x\n{fen}")).unwrap();
    assert_eq!(
        some.games.iter().map(|game| (game.number, game.place)).collect::<Vec<_>>(),
        [(1, Place::Line(1)), (4, Place::Line(4))]
    );
    let refused: Vec<String> = some.refused.iter().map(|(number, error)| format!("{number}: {error}")).collect();
    assert!(refused[0].starts_with("2: line 2: move 1, a1: "), "{refused:?}");
    assert!(refused[1].starts_with("3: line 3: `7/7/7 x` is not a position of any game"), "{refused:?}");
    let blocked = "x5o/7/2-1-2/7/2-1-2/7/o5x x 0 1";
    let refused = read(blocked).unwrap_err().to_string();
    assert!(
        refused.ends_with("is not a position of any game: `-` blocks a cell, and Agon's boards have no blocked cells")
    );
    // Domineering.
    let position = "331/012/120 ......... H 0 2.5 0";
    let position = position.replace(".........", ".../.../...");
    let json = r#"{"board": [[3,3,1],[0,1,2],[1,2,0]], "occupied": [[1,1]], "to_move": "V", "lead": 1.5}"#;
    let tree = game(json);
    assert_eq!(tree.position.as_deref(), Some("331/012/120 #../.../... V 0 -1.5 0"));
    assert_eq!(game(&position).position, Some(position.clone()));
    let played = read(&format!("{position} moves 1 1/1 3")).unwrap();
    assert_eq!(shown(&played.games[0]), "1 1 1 3");
    assert_eq!(String::from_utf8(formats::write(&played, "fen").unwrap().0).unwrap().lines().count(), 1);
    let weights = game("3 3 1\n0 1 2\n1 2 0\n");
    assert_eq!((weights.game.name(), weights.parameters["board"].as_str()), ("domineering", "3 3 1/0 1 2/1 2 0"));
    assert!(weights.start().is_ok());
    for (json, expected) in [
        ("{", "line 1: invalid JSON"),
        ("{\"to_move\": \"H\"}", "line 1: missing or invalid `board`: expected rows of weights"),
        ("{\"board\": [[1,2]], \"to_move\": \"X\"}", "line 1: missing or invalid `to_move`: expected \"H\" or \"V\""),
        ("{\"board\": [[1,200]], \"to_move\": \"H\"}", "line 1: "),
        ("{\"board\": [[1,2]], \"occupied\": [[1]], \"to_move\": \"H\"}", "line 1: invalid `occupied`: expected cells"),
    ] {
        let refused = read(json).unwrap_err().to_string();
        assert!(refused.starts_with(expected), "{refused}");
    }
}

/// The way the database of the RIF is written.
pub const RIF: &str = r#"<?xml version="1.0" encoding="UTF-8"?>
<database version="1.0">
<countries><country id="1" name="Estonia" abbr="EST"/></countries>
<cities><city id="4" country="1" name="Tallinn"/></cities>
<rules><rule id="1" name="RIF &amp; more"><info>opening</info></rule></rules>
<openings><opening id="2" name="1D"/></openings>
<players><player id="5" name="Ada" surname="Lovelace" country="1" city="4"/><player id="6" name="Bob" surname=""/>
</players>
<tournaments><tournament id="9" name="Cup" country="1" city="4" year="2024" month="3" rule="1"/></tournaments>
<games>
<game id="7" tournament="9" round="2" rule="1" black="5" white="6" bresult="1" opening="2">
<move>h8 h9 i9</move><info>won by &lt;fours&gt;</info>
</game>
<game id="8" tournament="9" black="6" white="5" bresult="0.5"><move>h8 q9</move></game>
<game id="9" tournament="9" black="6" white="5" bresult="0"><move>h8 h9</move></game>
</games>
</database>
"#;

#[test]
fn a_database_is_read() {
    let all = read(RIF).unwrap();
    let tree = &all.games[0];
    assert_eq!(shown(tree), "H8 H9 I9");
    let said = ["PB", "PW", "EV", "RO", "RU", "ON", "PC", "DT", "RE", "GN", "GC"].map(|name| tree.plain(0, name));
    let expected =
        ["Ada Lovelace", "Bob", "Cup", "2", "RIF & more", "1D", "Tallinn, Estonia", "2024-03", "B+", "RIF 7"];
    assert_eq!(said[..10], expected);
    assert_eq!(said[10], "won by <fours>");
    let bad = FileError::at(14, FileProblem::OffBoard { number: 2, text: "q9".to_owned() });
    assert_eq!((all.refused, all.games[1].number), (vec![(2, bad.clone())], 3));
    let only: Vec<&str> = RIF.lines().filter(|line| line.contains("xml ") || line.contains("q9")).collect();
    assert_eq!(read(&only.join("\n")).unwrap_err(), FileError { place: Some(Place::Line(2)), ..bad });
    let refused = |text: &str| read(text).unwrap_err().to_string();
    assert!(refused("<database><games>\n<game></database>").starts_with("line 2: invalid XML: "));
    assert_eq!(refused("<database></database>"), "no games found; expected `<game>` with a `<move>` of points");
}

#[test]
fn times_and_names_of_psq() {
    let text = "Piskvorky 15x15, 11:11, 0\n8,8,1500\n8,7,0\n9,7,20\nada\nbob\n";
    let tree = game(text);
    assert_eq!((shown(&tree).as_str(), tree.names()), ("H8 H9 I9", ["ada".to_owned(), "bob".to_owned()]));
    assert_eq!([1, 2, 3].map(|node| tree.plain(node, "EMT")), ["1.5", "", "0.02"]);
    let (written, notes) = formats::write(&read(text).unwrap(), "psq").unwrap();
    assert_eq!((String::from_utf8(written).unwrap().as_str(), notes), (text, Vec::new()));
    assert_eq!(
        read("Piskvorky 20x20, 0:0, 0\n1,1,0\n").unwrap_err().to_string(),
        "unsupported board: `20x20`; expected 15x15"
    );
    let line = read("Piskvorky 15x15, 0:0, 0\n8,8,0\n9;10,3\n7,9,1\n").unwrap_err().to_string();
    assert_eq!(line, "line 3: invalid move: `9;10,3`; expected `x,y,time`");
}
