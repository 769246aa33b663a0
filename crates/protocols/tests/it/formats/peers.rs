//! Files as other programs write them.

use agon_catalog::Game;
use agon_game::{Outcome, Side};
use agon_protocols::formats::opening::fold_opening;
use agon_protocols::formats::{self, Collection, FileFormat, Limits, Note};

use super::{game, read, read_bytes, shown};

fn pgn(text: &str) -> Collection {
    formats::read(text.as_bytes(), FileFormat::Text, None, &Limits::FILE).unwrap_or_else(|e| panic!("{text}: {e}"))
}

fn tags(tags: &[(&str, &str)]) -> String {
    tags.iter().map(|(name, value)| format!("[{name} \"{value}\"]\n")).collect::<Vec<_>>().concat()
}

/// PB, PW and RE of a game of these tags and moves.
fn players(of: &[(&str, &str)], moves: &str) -> [String; 3] {
    let all = pgn(&format!("{}\n{moves}\n", tags(of)));
    ["PB", "PW", "RE"].map(|name| all.games[0].plain(0, name))
}

/// Writers disagree about who is White, and about whom `1-0` is for.
#[test]
fn pgn_has_the_players_that_its_writer_means() {
    let five = "1. H8 G7 2. H7 H2 3. H6 L4 4. H9 N10 5. H10 1-0";
    let of = [("White", "ada"), ("Black", "bob"), ("Result", "1-0"), ("WhiteElo", "1700")];
    let agon = |more: &[(&str, &str)]| players(&[&of[..], more].concat(), five);
    for more in [[("Site", "Agon 0.2.0")], [("Game", "renju")], [("Site", "Agon")]] {
        assert_eq!(agon(&more), ["ada", "bob", "B+"], "{more:?}");
    }
    assert_eq!(agon(&[("Site", "PlayOK")]), ["bob", "ada", "B+"]);
    assert_eq!(agon(&[("Site", "Agonist club")]), ["bob", "ada", "B+"]);
    let elo = pgn(&format!("{}[Game \"renju\"]\n\n{five}\n", tags(&of)));
    assert_eq!((elo.games[0].plain(0, "BR").as_str(), elo.games[0].plain(0, "WR").as_str()), ("1700", ""));
    // cuteataxx says who has won, and may call its first player White.
    let fen = ("FEN", "x5o/7/7/7/7/7/o5x x 0 1");
    let cuteataxx = |first: &str, second: &str, result: &str| {
        let (winner, loser) = if result == "1-0" { ("one", "two") } else { ("two", "one") };
        let of = [(first, "one"), (second, "two"), ("Result", result), fen, ("Winner", winner), ("Loser", loser)];
        players(&of, &format!("1. f1 a2 {result}"))
    };
    for (first, second) in [("Black", "White"), ("White", "Black"), ("black", "white"), ("white", "black")] {
        assert_eq!(cuteataxx(first, second, "1-0"), ["one", "two", "B+"], "{first}");
        assert_eq!(cuteataxx(first, second, "0-1"), ["one", "two", "W+"], "{first}");
    }
    // The kind of win is kept.
    let won = |name: &str, text: &str| players(&[("Result", "0-1"), (name, text)], "1. h8 h9 0-1")[2].clone();
    assert_eq!(won("Termination", "time forfeit"), "W+T");
    assert_eq!(won("Termination", "rules infraction"), "W+F");
    assert_eq!(won("Adjudicated", "Out of time"), "W+T");
    assert_eq!(won("Termination", "normal"), "W+");
}

/// A file whose `1-0` is for White, who moves second, shows this where the rules end a game.
#[test]
fn games_that_the_rules_end_say_whom_a_result_is_for() {
    let five = "1. h8 g7 2. h7 h2 3. h6 l4 4. h9 n10 5. h10 0-1";
    let game = |moves: &str, result: &str| format!("{}\n{moves}\n\n", tags(&[("Black", "ada"), ("Result", result)]));
    let all = pgn(&(game(five, "0-1") + &game("1. h8 h9 2. i9 1-0", "1-0")));
    let results: Vec<String> = all.games.iter().map(|game| game.plain(0, "RE")).collect();
    assert_eq!(results, ["B+", "W+"]);
    assert!(
        all.left_out[0].text.to_string().starts_with("`1-0` means a win of the side that moves second"),
        "{:?}",
        all.left_out
    );
}

#[test]
fn draws_end_games_wherever_they_stand() {
    let check = |text: &str, count: usize| {
        let mut all = read(text).unwrap_or_else(|error| panic!("{text}: {error}"));
        assert_eq!((all.games.len(), all.refused.len(), all.left_out.len()), (count, 0, 0), "{text}");
        for game in &mut all.games {
            assert_eq!(game.check().unwrap(), [], "{text}");
        }
        all.games.iter().map(|game| game.plain(0, "RE")).collect::<Vec<_>>().join(" ")
    };
    assert_eq!(check("1. h8 h9 2. i9 g10 1/2-1/2\n", 1), "Draw");
    assert_eq!(check("[Black \"a\"]\n\n1. h8 h9 2. i9 g10\n1/2-1/2\n", 1), "Draw");
    assert_eq!(check("1. h8 h9 2. i9 g10 ½-½", 1), "Draw");
    assert_eq!(check("1. h8 h9 2. i9 g10 {agreed} 1/2-1/2", 1), "Draw");
    assert_eq!(check("h8/h9/i9 1/2-1/2", 1), "Draw");
    // Games without tags, one after another: a result or the first number again begins the next.
    assert_eq!(check("1. h8 h9 1/2-1/2\n\n1. h8 i9 2. i8 1-0\n1. h8 g9 0-1 1. h8 h9 *", 4), "Draw B+ W+ ");
    assert_eq!(check("1. h8 h9 2. i9\n1. h8 i9 2. i8\n", 2), " ");
    // A result within a variation is none of the game.
    assert_eq!(check("1. h8 h9 (1... i9 2. i8 1-0) 2. i9 1/2-1/2", 1), "Draw");
    let three = "[White \"Ann\"]\n[Result \"1-0\"]\n\n1. h8 h9 1-0\n\n[White \"Ben\"]\n[Result \"1/2-1/2\"]\n\n\
                 1. h8 i9\n1/2-1/2\n\n[White \"Cem\"]\n[Result \"0-1\"]\n\n1. h8 h9 0-1\n";
    assert_eq!(check(three, 3), "B+ Draw W+");
}

#[test]
fn tags_comments_and_signs_are_those_of_pgn() {
    let all = pgn(
        "% not for readers\n[Black \"Ada \\\"the ace\\\" L.\"] [White \"back\\\\slash\"]\n% [Black \"no\"]\n\
                   [Custom \"x\"]\n\n{before} 1. h8 ! $146 h9 += ; to the end\n% h1\n2. i9 $14 (2. i8 $1 $22) g10± *\n",
    );
    let tree = &all.games[0];
    assert_eq!((tree.plain(0, "PB").as_str(), tree.plain(0, "PW").as_str()), ("Ada \"the ace\" L.", "back\\slash"));
    assert_eq!((tree.plain(0, "GC").as_str(), tree.plain(0, "C").as_str()), ("Custom: x", "before"));
    let nodes: Vec<Vec<String>> = tree.nodes[1..]
        .iter()
        .map(|node| node.properties.iter().map(|p| format!("{}[{}]", p.name, p.values.join("]["))).collect())
        .collect();
    // White is the second side here.
    assert_eq!(nodes[0], ["TE[1]", "NAG[146]"]);
    assert_eq!(nodes[1], ["NAG[14]", "C[to the end]"]);
    assert_eq!(nodes[2], ["NAG[14]"]);
    assert_eq!(nodes[3], ["GW[1]"], "{nodes:?}");
    assert_eq!(nodes[4], ["TE[1]", "NAG[22]"]);
    // In a file of Agon's it is the first.
    let own = pgn("[Game \"renju\"]\n\n1. h8 $16 h9 $15 2. i9 $36 *");
    let properties: Vec<String> = own.games[0].nodes[1..].iter().map(|n| format!("{:?}", n.properties)).collect();
    for (found, wanted) in properties.iter().zip(["\"GB\"", "[\"14\"]", "[\"37\"]"]) {
        assert!(found.contains(wanted), "{properties:?}");
    }
    // Further games of a file are of the game that the ones before have named.
    let start = "x5o/7/7/7/7/7/o5x x";
    let mixed = pgn(&format!("[FEN \"{start}\"]\n\n1. f1 a2 *\n[Black \"b\"]\n\n1. a7c5 a2 2. g2 *\n"));
    assert!(mixed.games.iter().all(|game| game.game == Game::BACTERIA), "{mixed:?}");
    // A file of tags alone has games that are named, each by itself.
    let refused = read("[Black \"a\"]\n[Result \"1-0\"]\n\n1-0\n\n[Black \"b\"]\n\n1. h8 h9 0-1\n").unwrap();
    assert_eq!((refused.games[0].plain(0, "PB").as_str(), refused.games[0].plain(0, "RE").as_str()), ("b", "W+"));
    assert_eq!(refused.refused[0].1.to_string(), "line 1: game has no moves");
    let one_line = pgn("[Black \"a\"] [White \"b\"] 1. h8 h9 0-1\n[Black \"c\"] 1. h8 i9 *\n");
    assert_eq!(one_line.games.iter().map(|game| game.main_line().len()).collect::<Vec<_>>(), [2, 2]);
    let times = pgn("1. h8 {[%emt 0:00:01.5] good} h9 {[%emt 75]} 2. i9 {[%emt x]} *");
    let said = |node: usize| (times.games[0].plain(node, "EMT"), times.games[0].plain(node, "C"));
    assert_eq!(said(1), ("1.5".to_owned(), "good".to_owned()));
    assert_eq!((said(2).0.as_str(), said(3).1.as_str()), ("75", "[%emt x]"));
}

/// The way cuteataxx, libataxx and python-ataxx write positions and moves.
#[test]
fn ataxx_is_read_and_written_as_its_programs_have_it() {
    let fen = |text: &str| {
        let mut all = read(text).unwrap_or_else(|error| panic!("{text}: {error}"));
        assert_eq!(all.games[0].game, Game::BACTERIA);
        assert_eq!(all.games[0].check().unwrap(), [], "{text}");
        String::from_utf8(formats::write(&all, "fen").unwrap().0).unwrap()
    };
    let stuck = "oxx4/xxx4/xxx4/7/7/7/7 o 0 1 moves";
    for pass in ["0000", "PASS", "pass", "null"] {
        assert_eq!(fen(&format!("{stuck} {pass} d4\n")), format!("{stuck} 0000 d4\n"), "{pass}");
    }
    assert_eq!(fen("x5o/7/7/7/7/7/o5x x 0 1 moves g1f2 a1a3 P@e3\n"), "x5o/7/7/7/7/7/o5x x 0 1 moves f2 a1a3 e3\n");
    assert_eq!(fen("B5w/7/7/7/7/7/O5X b 12 34\n"), "x5o/7/7/7/7/7/o5x x 12 34\n");
    assert_eq!(fen("X5O/7/7/7/7/7/o5x W 7\n"), "x5o/7/7/7/7/7/o5x o 7 1\n");
    let fen = "oxx4/xxx4/xxx4/7/7/7/7 o 5 1";
    let text = tags(&[("Black", "ada"), ("White", "bob"), ("Result", "*"), ("FEN", fen)]);
    let mut all = pgn(&(text + "\n1... 0000 2. d4 *\n"));
    assert_eq!(all.games[0].check().unwrap(), []);
    assert_eq!(shown(&all.games[0]), "-1 -1 -1 -1 3 3 4 4");
    let written = String::from_utf8(formats::write(&all, "pgn").unwrap().0).unwrap();
    assert!(written.contains("[White \"ada\"]\n[Black \"bob\"]"), "{written}");
    assert!(written.contains("[FEN \"oxx4/xxx4/xxx4/7/7/7/7 o 5 1\"]"), "{written}");
    assert!(written.ends_with("\n1... 0000 2. d4 *\n\n"), "{written}");
    let again = pgn(&written);
    assert_eq!((again.games[0].names(), again.games[0].game), (all.games[0].names(), Game::BACTERIA));
}

#[test]
fn five_in_a_row_under_the_number_of_go_is_renju() {
    let check = |text: &str| read(text).map(|all| shown(&all.games[0])).map_err(|error| error.to_string());
    for text in [
        "(;GM[1]CA[UTF-8]FF[4]AP[ZJRenju]SZ[15];B[hh];W[ig];B[ii])",
        "(;GM[1]SZ[15];B[hh];W[ig];B[ii])",
        "(;FF[4]GM[1]SZ[15:15]KM[0]HA[0]RU[Renju];B[hh];W[ig];B[ii])",
        "(;GM[11]FF[4]SZ[15];B[hh];W[ig];B[ii])",
    ] {
        assert_eq!(check(text).as_deref(), Ok("H8 I9 I7"), "{text}");
    }
    for text in [
        "(;GM[1]SZ[15]KM[6.5];B[hh];W[ig])",
        "(;GM[1]SZ[15]HA[2];B[hh];W[ig])",
        "(;GM[1]SZ[15]RU[Japanese];B[hh];W[ig])",
        "(;GM[1]SZ[15];B[hh];W[ig]TB[aa])",
        "(;GM[1];B[hh];W[ig])",
        "(;GM[1]SZ[19];B[hh];W[ig])",
    ] {
        let refused = check(text).unwrap_err();
        assert!(refused.contains("GM[1] is not renju"), "{text}: {refused}");
    }
}

/// The way `show_dialog_save` of `dhbloo/Yixin-Board` writes them.
#[test]
fn yixin_boards_positions_are_read_and_written() {
    let text = "15\n15\n3\n7 7\n6 7\n6 8\n";
    let tree = game(text);
    assert_eq!(shown(&tree), "H8 H9 I9");
    assert_eq!(formats::write(&Collection::from_games(vec![tree]), "sav").unwrap().0, text.as_bytes());
    let refused =
        |text: &str| formats::read(text.as_bytes(), FileFormat::Sav, None, &Limits::FILE).unwrap_err().to_string();
    assert_eq!(refused("20\n20\n1\n7 7\n"), "line 1: unsupported board: 20 by 20 points; expected 15 by 15");
    assert_eq!(refused("15\n15\n1\n7 15\n"), "line 4: invalid point: `7 15`; expected `row column` from 0");
    assert_eq!(refused("15\n15\n2\n7 7\n"), "2 stones announced, but 1 follow");
    assert_eq!(refused("15\n15\nx\n"), "line 3: invalid number of stones: `x`");
    assert_eq!(refused(""), "line 1: invalid number of rows: ``");
}

const DATABASE: &str = r#"<?xml version="1.0" encoding="UTF-8"?><database>
<players><player id="1" name="Ann" surname="A"/><player id="2" name="Ben" surname="B"/></players>
<games><game id="7" publisher="2" black="1" white="2" bresult="1"
 btime="85" wtime="0" alt="E10 F9" swap="010" extra="x">
<move>h8 h9 i9</move><info>good</info></game></games></database>"#;

#[test]
fn a_database_keeps_times_offers_and_swaps() {
    let tree = game(DATABASE);
    let comment = "good\nalt: E10 F9\nbtime: 85\nextra: x\npublisher: Ben B\nswap: 010";
    assert_eq!((tree.plain(0, "GC").as_str(), tree.plain(0, "RE").as_str()), (comment, "B+"));
}

/// A game of a database by an opening rule: what was decided is read, and written to SGF and back.
#[test]
fn swaps_and_offers_of_a_database_are_decisions_of_its_rule() {
    let check = |rule: &str, attributes: &str, moves: &str, expected: &str| {
        let text = format!(
            "<database><rules><rule id=\"1\" name=\"{rule}\"/></rules><openings><opening id=\"4\" name=\"Kagetsu\"/>\
             </openings><games><game id=\"7\" rule=\"1\" opening=\"4\" {attributes}><move>{moves}</move></game></games>\
             </database>"
        );
        let mut tree = game(&text);
        assert_eq!(tree.plain(0, "ON"), expected, "{rule} {attributes}");
        if expected == "Kagetsu" {
            return;
        }
        assert_eq!(tree.plain(0, "GC"), "opening: Kagetsu");
        let (sgf, _) = formats::write(&Collection::from_games(vec![tree.clone()]), "sgf").unwrap();
        let mut back = game(&String::from_utf8(sgf).unwrap());
        for tree in [&mut tree, &mut back] {
            fold_opening(tree);
        }
        assert_eq!(tree.parameters, back.parameters);
        assert!(tree.parameters.contains_key("opening-rule"), "{:?}", tree.parameters);
    };
    let rif = "RIF: H8 H9 J9 swap G8 J7 G6 J7";
    check("RIF", "swap=\"1\" alt=\"J7 G6\"", "h8 h9 j9 g8 j7 g7", rif);
    check("RIF", "swap=\"1\" alt=\"g6\"", "h8 h9 j9 g8 j7 g7", "RIF: H8 H9 J9 swap G8 G6 J7 J7");
    let soosyrv = "Soosõrv-8: H8 I9 J8 keep C3 1 swap G7 G7";
    check("Soosyrv-8 opening rule", "swap=\"01\" alt=\"G7\"", "h8 i9 j8 c3 g7", soosyrv);
    let taraguchi = "Taraguchi-10: H8 keep H9 swap I9 keep G8 keep J10 swap";
    check("Taraguchi-10", "swap=\"01001\"", "h8 h9 i9 g8 j10", taraguchi);
    // What is not known, or not of the rule, stays as it is.
    check("RIF", "swap=\"1\"", "h8 h9 j9 g8 j7 g7", "Kagetsu");
    check("RIF", "swap=\"10\" alt=\"J7 G6\"", "h8 h9 j9 g8 j7 g7", "Kagetsu");
    check("Classical", "swap=\"1\" alt=\"J7 G6\"", "h8 h9 j9 g8 j7 g7", "Kagetsu");
}

/// The way of `RenLib`: a node without a move carries the text of an empty point.
#[test]
fn texts_on_empty_points_are_kept() {
    let mut library = [&formats::renlib::MAGIC[..], &[3, 0]].concat();
    library.resize(20, 0xff);
    library.extend(*b"\x78\x00\x69\xc0\x5a\xc3\x00\x01A\x00\x87\x43\x00\x01B\x00");
    let all = read_bytes(&library).unwrap();
    assert_eq!(all.left_out, []);
    let tree = &all.games[0];
    assert_eq!((shown(tree).as_str(), tree.lines().len()), ("H8 I9", 1));
    assert_eq!(tree.property(1, "LB").unwrap().values, ["jf:A", "gi:B"]);
    let text = "(;GM[4]SZ[15];B[hh]LB[jf:A][gi:B];W[ig])";
    let (written, notes) = formats::write(&read(text).unwrap(), "lib").unwrap();
    assert_eq!(notes, []);
    let nodes = b"\x00\x00\x78\x00\x69\xc0\x5a\xc3\x00\x01A\x00\x87\x43\x00\x01B\x00";
    assert_eq!(&written[20..], nodes);
    // The same library before RenLib had a header.
    let old = read_bytes(&library[20..]).unwrap();
    assert_eq!(formats::sgf::write(&old).unwrap(), formats::sgf::write(&all).unwrap());
    // Comments of that time have Swedish letters in ASCII.
    let old = formats::read(b"\x78\x60{{r |\xfd", FileFormat::Lib, None, &Limits::FILE).unwrap();
    assert_eq!(old.games[0].plain(1, "C"), "äär öå");
}

#[test]
fn places_of_files_that_are_no_texts_are_bytes() {
    let mut library = [&formats::renlib::MAGIC[..], &[3, 4]].concat();
    library.resize(20, 0xff);
    // The second stone is on the first.
    library.extend([0x00, 0x00, 0x78, 0x00, 0x78, 0x00, 0x69, 0x40]);
    let mut all = read_bytes(&library).unwrap();
    let refused = all.games[0].check().unwrap_err().to_string();
    assert!(!refused.contains("line"), "{refused}");
    let notes = all.games[0].check_what_is_legal().unwrap();
    assert_eq!(notes[0].place.to_string(), "byte 25", "{notes:?}");
}

/// A changed name or result is reported.
#[test]
fn what_a_format_changes_is_said() {
    let write = |text: &str, ending: &str| -> (String, Vec<Note>) {
        let (bytes, notes) = formats::write(&read(text).unwrap(), ending).unwrap();
        (String::from_utf8(bytes).unwrap(), notes)
    };
    let (text, notes) = write("(;PB[a, b]PW[9 9 0];B[hh])", "psq");
    let said: Vec<String> = notes.iter().map(|note| note.text.to_string()).collect();
    assert_eq!(said, ["the name `a, b` is written as `a  b`", "the name `9 9 0` is written as `9_9_0`"], "{text}");
    let (text, notes) = write("(;PW[bob];B[hh])", "psq");
    assert_eq!((read(&text).unwrap().games[0].names(), notes), ([String::new(), "bob".to_owned()], Vec::new()));
    for (ending, won) in [("txt", "(;RE[B+];B[hh])"), ("psq", "(;RE[Draw];B[hh])"), ("fen", "(;RE[W+T];B[hh])")] {
        let (_, notes) = write(won, ending);
        assert!(notes.iter().any(|note| note.property.as_deref() == Some("RE")), ".{ending}: {notes:?}");
    }
    let (_, notes) = write("(;RE[B+2]PB[?]XX[1];B[hh]TR[aa])", "pgn");
    let said: Vec<String> = notes.iter().map(|note| note.text.to_string()).collect();
    assert_eq!(said, ["property RE", "property PB", "property XX", "property TR"]);
    let result = pgn("[Result \"1/2-1/2\"]\n\n1. h8 *").games[0].result();
    assert_eq!(result.map(|(outcome, _)| outcome), Some(Outcome::Draw));
    let result = pgn("[Result \"*\"]\n\n1. h8 0-1").games[0].result();
    assert_eq!(result.map(|(outcome, _)| outcome), Some(Outcome::Win(Side::Second)));
}
