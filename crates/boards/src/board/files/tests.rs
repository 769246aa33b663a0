//! Files of games at a board.

use std::time::{Duration, Instant};

use agon_catalog::Game;
use agon_files::{EndedBy, GameEnd, GameText, ReadGame, ReadGames, ReadVariation, UnwrittenGame};
use agon_referee::record::Record;
use base64::Engine as _;
use base64::prelude::BASE64_STANDARD;

use super::bounds::FileBounds;
use super::writing::in_format;
use crate::analysis::{BoardQuestion, QuestionError};
use crate::limits::{Effort, MAX_GAME_BYTES};

fn question(game: Game, moves: &[&str]) -> BoardQuestion {
    let moves = moves.iter().map(|&m| m.to_owned()).collect();
    BoardQuestion { game: game.name().to_owned(), seed: 3, moves, ..BoardQuestion::default() }
}

fn unwritten(
    question: BoardQuestion,
    names: [String; 2],
    format: &str,
    end: Option<(Option<usize>, EndedBy)>,
) -> UnwrittenGame {
    let end = end.map(|(winner, termination)| GameEnd { winner, termination });
    UnwrittenGame { question, names, format: format.to_owned(), end, ..UnwrittenGame::default() }
}

fn only(answer: ReadGames) -> ReadGame {
    match answer {
        ReadGames::One(game) => *game,
        ReadGames::All { .. } => panic!("one game is asked for"),
    }
}

fn read_as(game: &str, text: &str) -> Result<ReadGame, QuestionError> {
    understood(&GameText { text: text.to_owned(), game: Some(game.to_owned()), ..GameText::default() }).map(only)
}

fn read(text: &str) -> Result<ReadGame, QuestionError> {
    read_as("renju", text)
}

fn text_of(asked: &UnwrittenGame) -> Result<String, QuestionError> {
    in_format(asked, &Effort::default()).map(|(_, bytes)| String::from_utf8(bytes).unwrap())
}

fn understood(asked: &GameText) -> Result<ReadGames, QuestionError> {
    Ok(asked.read(&FileBounds::SITE.limits)?)
}

#[test]
fn what_is_written_can_be_read() {
    let check = |game: Game, moves: &[&str], judged: &[&str], format: &str| {
        let names = ["ada".to_owned(), "champion:1".to_owned()];
        let format = format.to_owned();
        let asked = unwritten(question(game, moves), names, &format, None);
        let text = text_of(&asked).unwrap();
        let found = read(&text).unwrap();
        assert_eq!((found.game, found.position), (game.name(), None), "{text}");
        assert_eq!(found.moves, judged, "{text}");
        assert_eq!(found.names, asked.names, "{text}");
        assert!(asked.format != "jsonl" || found.seed == 3, "{text}");
        let marked = format!("\u{feff}{}\r\n \r\n", text.replace('\n', "\r\n"));
        assert_eq!(read(&marked).unwrap().moves, judged, "{marked:?}");
    };
    for format in ["jsonl", "sgf", "psq"] {
        check(Game::RENJU, &["H8", "7 8", "I9"], &["8 8", "7 8", "7 9"], format);
    }
    check(Game::BACTERIA, &["b7", "f7"], &["1 1 1 2", "1 7 1 6"], "jsonl");
    check(Game::DOMINEERING, &["1 1", "PASS"], &["1 1", "-1 -1"], "jsonl");
}

#[test]
fn how_people_have_ended_a_game_is_written() {
    let write = |moves: &[&str], format: &str, end| {
        let names = ["ada".to_owned(), "bob".to_owned()];
        let asked = unwritten(question(Game::RENJU, moves), names, format, Some(end));
        text_of(&asked)
    };
    let check = |end, winner: &str, reason: &str, result: &str| {
        for moves in [&["H8", "H9"][..], &[]] {
            let sgf = write(moves, "sgf", end).unwrap();
            assert!(sgf.contains(&format!("RE[{result}]")), "{sgf}");
            let text = write(moves, "jsonl", end).unwrap();
            let record = Record::read(&text).unwrap();
            assert_eq!((record.result.winner.to_string(), &record.result.reason.text[..]), (winner.to_owned(), reason));
            assert!(record.is_clean(), "{text}");
            // Which replays, too.
            assert_eq!(read(&text).unwrap().moves.len(), moves.len());
            assert!(write(moves, "psq", end).is_ok());
        }
    };
    check((Some(0), EndedBy::Resignation), "first", "White resigns", "B+R");
    check((Some(1), EndedBy::Resignation), "second", "Black resigns", "W+R");
    check((Some(1), EndedBy::Time), "second", "Black has no time left", "W+T");
    check((None, EndedBy::Agreement), "draw", "both players agree to a draw", "Draw");
    for end in [(None, EndedBy::Time), (Some(0), EndedBy::Agreement), (Some(2), EndedBy::Resignation)] {
        assert!(
            write(&["H8"], "sgf", end).unwrap_err().reason.to_string().contains("ends with a winner by resignation")
        );
    }
    // The rules come first.
    let drawn = ["H8", "H9", "I9", "PASS", "PASS"];
    assert!(write(&drawn, "sgf", (Some(0), EndedBy::Time)).unwrap().contains("RE[Draw]"));
}

#[test]
fn variations_go_into_sgf_and_come_back() {
    let line = |text: &str| -> Vec<String> { text.split(' ').map(str::to_owned).collect() };
    let write = |variations: Vec<Vec<String>>| {
        let names = [String::new(), String::new()];
        let question = question(Game::RENJU, &["H8", "H9", "I9"]);
        let asked = UnwrittenGame { variations, ..unwritten(question, names, "sgf", None) };
        text_of(&asked)
    };
    let text = write(vec![line("H8 H9 G8"), line("H8 G9")]).unwrap();
    assert!(text.ends_with(";B[hh](;W[hg](;B[ig])(;B[gh]))(;W[gg]))\n"), "{text}");
    let found = read(&text).unwrap();
    assert_eq!(found.moves, ["8 8", "7 8", "7 9"]);
    let variation =
        |shared, moves: &[&str]| ReadVariation { shared, moves: moves.iter().map(|&m| m.to_owned()).collect() };
    assert_eq!(found.variations, [variation(2, &["8 7"]), variation(1, &["7 7"])]);
    assert!(write(vec![line("H8 H8")]).unwrap_err().reason.to_string().contains("move 2, H8"));
    assert!(write(vec![line("H8"); 400]).unwrap_err().reason.to_string().contains("more than 400"));
}

#[test]
fn an_answer_is_never_much_longer_than_what_was_sent() {
    let lines = format!("(;B[hh]{})", "(;W[hg];B[ig]C[good]LB[gg:1];W[gg])".repeat(399));
    for details in [false, true] {
        let asked = GameText { text: lines.clone(), details, ..GameText::default() };
        let answer = serde_json::to_string(&understood(&asked).unwrap()).unwrap();
        assert!(answer.len() < 8 * lines.len(), "{} bytes of {}", answer.len(), lines.len());
    }
    // Rectangles of marks are bounded.
    let asked = GameText { text: format!("(;TR{})", "[aa:oo]".repeat(1_000)), details: true, ..GameText::default() };
    let marked = only(understood(&asked).unwrap());
    assert_eq!(marked.details.unwrap().notes[0].marks.len(), 4_000);
    let text = |passes: usize, variations: usize| {
        let line: String = (0..passes).map(|number| [";B[]", ";W[]"][number % 2]).collect();
        format!("({line}{})", "(;B[hh])".repeat(variations))
    };
    for (passes, variations) in [(30_000, 399), (60_000, 0), (2_000, 100)] {
        let why = read(&text(passes, variations)).unwrap_err().reason.to_string();
        assert!(why.contains("more than 1000 moves in a line"), "{passes} {variations}: {why}");
    }
    // Any other text of the largest size is refused, too, and soon.
    let size = MAX_GAME_BYTES - 100;
    let parts = ["(", "(;", "(;B[hh]", "H8 ", "8 8/", "7/", "{", "(;W[]", "[", "(;B[hh](;W[hg])", "{a}", "[a \"b\"]\n"];
    for part in parts {
        let begun = Instant::now();
        let _ = read(&part.repeat(size / part.len()));
        assert!(begun.elapsed() < Duration::from_secs(10), "{part}");
    }
}

#[test]
fn positions_and_moves_are_understood() {
    let fen = "7/2xxo2/2xxoo1/1xxooo1/2xoo2/3o3/7 x 0 10";
    let found = read(fen).unwrap();
    assert_eq!((found.game, found.position.as_deref()), ("bacteria", Some(fen)));
    for text in ["H8 H9 I9", "8 8/7 8/7 9", "H8\nH9\nI9\n"] {
        assert_eq!(read(text).unwrap().moves, ["8 8", "7 8", "7 9"], "{text}");
    }
    let found = read_as("bacteria", "b7 f7").unwrap();
    assert_eq!(found.game, "bacteria");
    // A line that is not one of the usual game may be one of another, however the answer is requested.
    for all in [false, true] {
        let game = Some("bacteria".to_owned());
        let asked = GameText { text: "H8 H9".to_owned(), game, details: true, all, ..GameText::default() };
        let read = serde_json::to_value(understood(&asked).unwrap()).unwrap();
        let read = if all { &read["games"][0] } else { &read };
        assert_eq!((&read["game"], &read["moves"][0]), (&"renju".into(), &"8 8".into()), "{read}");
    }
}

#[test]
fn a_text_that_is_no_game_is_refused_in_a_line() {
    let check = |answer: Result<(), QuestionError>, wanted: &str| {
        let detail = answer.unwrap_err().reason.to_string();
        assert!(detail.contains(wanted) && !detail.contains('\n'), "`{wanted}` is not in: {detail}");
    };
    check(read("").map(drop), "nothing to read");
    check(read("H8 H8").map(drop), "a line of moves (move 2, H8:");
    check(read("(;GM[1])").map(drop), "1");
    check(read("(;B[hh])(;B[hh];W[hg])").map(drop), "the text has 2 games; paste one of them");
    check(read("(;B[hh];W[hg]").map(drop), "line 1: game has no closing `)`");
    check(read("Piskvorky 15x15, 0:0, 0\n8,8,0\n9;10,3\n7,9,1\n").map(drop), "line 3: invalid move: `9;10,3`");
    check(read("Piskvorky 20x20").map(drop), "20x20");
    check(read("{\"record\":1}").map(drop), "");
    let names = || [String::new(), String::new()];
    let write = |question, format: &str| text_of(&unwritten(question, names(), format, None)).map(drop);
    check(write(question(Game::BACTERIA, &[]), "sgf"), "games of renju, not of bacteria");
    check(write(question(Game::RENJU, &[]), "gif"), "unknown format: `gif`");
    let fen = BoardQuestion { position: Some("7/7/7/3xo2/7/7/7 x".to_owned()), ..question(Game::BACTERIA, &[]) };
    check(write(fen, "jsonl"), "begins at a position");
}

/// Everything that docs/positions.md shows as a position or a game.
fn examples() -> Vec<(String, String)> {
    let page = concat!(env!("CARGO_MANIFEST_DIR"), "/../../docs/positions.md");
    let page = std::fs::read_to_string(page).unwrap();
    let mut examples = Vec::new();
    for block in page.split("```").skip(1).step_by(2) {
        let (kind, text) = block.split_once('\n').unwrap();
        if kind == "game" {
            examples.push((String::new(), text.to_owned()));
        }
        // Questions of `agon inspect` and its like, and moves of `agon analyze`.
        for line in text.lines() {
            if let Some((_, rest)) = line.split_once("echo '") {
                examples.push((String::new(), rest.split_once('\'').unwrap().0.to_owned()));
            }
            let rest = line.split_once("agon analyze ").map_or("", |(_, rest)| rest);
            if let Some(moves) = rest.split('"').nth(1) {
                let game = if rest.starts_with("bacteria") { "bacteria" } else { "renju" };
                examples.push((game.to_owned(), moves.to_owned()));
            }
        }
    }
    // Positions of the table of notations, and moves of both notations.
    let rows = page.lines().filter_map(|line| line.strip_prefix("| ")).map(|row| row.split(" | ").collect::<Vec<_>>());
    for row in rows.filter(|row| row.len() >= 2 && ["bacteria", "domineering", "renju"].contains(&row[0])) {
        let quoted = |cell: &str| cell.split('`').nth(1).map(str::to_owned);
        if row.len() == 2 {
            examples.extend(quoted(row[1]).filter(|text| !text.contains('…')).map(|text| (row[0].to_owned(), text)));
        }
    }
    examples
}

#[test]
fn the_examples_of_the_docs_are_read() {
    let examples = examples();
    assert!(examples.len() > 12, "{examples:?}");
    for (game, text) in examples {
        let asked =
            GameText { text: text.clone(), game: Some(game).filter(|game| !game.is_empty()), ..GameText::default() };
        let read = only(understood(&asked).unwrap_or_else(|error| panic!("{text}: {}", error.reason)));
        assert!(!read.moves.is_empty() || read.position.is_some() || !read.parameters.is_empty(), "{text}");
    }
}

#[test]
fn everything_that_a_file_says_comes_and_goes() {
    let text =
        "(;EV[cup]PB[ada]PW[bob]XY[kept]C[start];B[hh]TE[1]TR[hh][hg];W[hg]N[here]C[good](;B[ig]LB[gg:a])(;B[jf]))";
    let asked = GameText { text: text.to_owned(), details: true, ..GameText::default() };
    let read = only(understood(&asked).unwrap());
    let details = read.details.unwrap();
    assert_eq!((details.header["EV"].as_str(), details.number), ("cup", 1));
    assert_eq!(details.notes[0].properties["XY"], ["kept"]);
    assert_eq!(details.notes.iter().map(|note| note.at).collect::<Vec<_>>(), [0, 1, 2, 3]);
    assert_eq!((details.notes[1].glyph.as_str(), details.notes[1].marks.len()), ("!", 2));
    assert_eq!((details.notes[2].name.as_str(), details.notes[2].comment.as_str()), ("here", "good"));
    assert_eq!((details.notes[3].marks[0].point, details.notes[3].marks[0].text.as_str()), ([7, 7], "a"));
    assert!(details.left_out.is_empty() && details.remarks.is_empty(), "{:?}", details.left_out);
    let names = read.names.clone();
    let written = UnwrittenGame {
        header: details.header,
        notes: details.notes,
        variations: vec![["H8", "H9", "J10"].map(str::to_owned).to_vec()],
        ..unwritten(question(Game::RENJU, &["H8", "H9", "I9"]), names, "sgf", None)
    };
    let sgf = text_of(&written).unwrap();
    for part in ["EV[cup]", "XY[kept]", "C[start]", ";B[hh]TE[1]TR[hh][hg]", ";W[hg]C[good]N[here]", "LB[gg:a]"] {
        assert!(sgf.contains(part), "{part} is not in {sgf}");
    }
    assert!(sgf.contains("(;B[ig]") && sgf.contains("(;B[jf])"), "{sgf}");
    // Without a request, none of it is sent: a board uses the answer as its next question.
    let plain = GameText { text: text.to_owned(), ..GameText::default() };
    let plain = serde_json::to_value(understood(&plain).unwrap()).unwrap();
    let mut keys: Vec<&String> = plain.as_object().unwrap().keys().collect();
    keys.sort();
    assert_eq!(keys, ["game", "moves", "names", "parameters", "position", "seed", "variations"]);
    // Also in binary formats.
    for (format, magic) in [("lib", b"\xffRen"), ("pos", b"\x03pab")] {
        let asked = unwritten(question(Game::RENJU, &["H8", "H9", "I9"]), <[String; 2]>::default(), format, None);
        let (_, bytes) = in_format(&asked, &Effort::default()).unwrap();
        assert_eq!(bytes[..4], *magic, "{format}");
        let base64 = Some(BASE64_STANDARD.encode(&bytes));
        let read = understood(&GameText { base64, name: Some(format!("a.{format}")), ..GameText::default() });
        assert_eq!(only(read.unwrap()).moves, ["8 8", "7 8", "7 9"], "{format}");
    }
}

#[test]
fn games_of_a_collection_are_asked_for_by_number_or_all() {
    let text = "(;PB[ada];B[hh])\n(;GM[1])\n(;B[hh];W[hg])\n(;B[zz])";
    let asked = |number, all| {
        understood(&GameText { text: text.to_owned(), number, all, details: true, ..GameText::default() })
    };
    assert_eq!(only(asked(Some(3), false).unwrap()).moves, ["8 8", "7 8"]);
    let refused = |number| asked(Some(number), false).unwrap_err().reason.to_string();
    assert!(refused(2).contains("line 2: GM[1] is not renju") && refused(4).contains("move 1, `zz`"));
    assert_eq!(refused(5), "no game 5; the file has 4");
    assert!(asked(None, false).unwrap_err().reason.to_string().contains("the text has 4 games; paste one of them"));
    let ReadGames::All { games, left_out } = asked(None, true).unwrap() else { panic!("all are asked for") };
    assert_eq!(games.iter().map(|game| game.details.as_ref().unwrap().number).collect::<Vec<_>>(), [1, 3]);
    let texts: Vec<&str> = left_out.iter().map(|remark| remark.text.as_str()).collect();
    assert!(texts[0].starts_with("game 2: GM[1]") && texts[1].starts_with("game 4: move 1, `zz`"), "{texts:?}");
}

/// The page returns everything that a file contains.
#[test]
fn properties_of_the_root_come_back_with_all_their_values() {
    let text = "(;GM[4]PB[a]PW[b]RE[W+R]GN[my game]EV[]XX[one][t\\]wo]KO[]DM[1]N[start];B[hh]N[name]SL[hh][ii]TE[1]\
                BM[1]LB[zz:x];W[hg]YY[p][q]C[and])";
    let asked = GameText { text: text.to_owned(), details: true, ..GameText::default() };
    let ReadGame { names, moves, details, .. } = only(understood(&asked).unwrap());
    let details = details.unwrap();
    let moves: Vec<&str> = moves.iter().map(String::as_str).collect();
    let written = UnwrittenGame {
        header: details.header,
        notes: details.notes,
        ..unwritten(question(Game::RENJU, &moves), names, "sgf", None)
    };
    let sgf = text_of(&written).unwrap();
    for part in [
        "RE[W+R]",
        "GN[my game]",
        "EV[]",
        "XX[one][t\\]wo]",
        "KO[]",
        "DM[1]",
        "N[start]",
        "N[name]",
        "SL[hh][ii]",
        "TE[1]",
        "BM[1]",
        "LB[zz:x]",
        "YY[p][q]",
    ] {
        assert_eq!(sgf.matches(part).count(), 1, "{part} in {sgf}");
    }
    // The result by the rules comes first if the file claims something else.
    let drawn = ["H8", "H9", "I9", "PASS", "PASS"];
    let header = [("RE".to_owned(), "W+R".to_owned())].into();
    let played = UnwrittenGame { header, ..unwritten(question(Game::RENJU, &drawn), Default::default(), "sgf", None) };
    assert!(text_of(&played).unwrap().contains("RE[Draw]"));
}

/// Stones that are set up within a game begin another one there.
#[test]
fn a_position_within_a_game_is_a_game_of_its_own() {
    let text = "(;GM[4]GN[cup];B[hh];W[hg];AE[hg]AB[ii]AW[gg][gh]PL[B]C[look];B[jj](;W[aa])(;W[ba];AE[aa]PL[W];W[oo]))";
    let all = |text: &str| {
        let asked = GameText { text: text.to_owned(), all: true, ..GameText::default() };
        let ReadGames::All { games, left_out } = understood(&asked).unwrap() else { panic!("all are asked for") };
        assert!(left_out.is_empty(), "{left_out:?}");
        games
    };
    let games = all(text);
    let played: Vec<(usize, usize)> = games.iter().map(|game| (game.moves.len(), game.variations.len())).collect();
    assert_eq!(played, [(2, 0), (2, 1), (1, 0)]);
    assert_eq!(games[0].position, None);
    assert!(games[1].position.as_ref().unwrap().contains("/6W8/6WB7/8B6/"), "{:?}", games[1].position);
    let details = games[1].details.as_ref().unwrap();
    assert_eq!((details.header["GN"].as_str(), details.notes[0].comment.as_str()), ("cup", "look"));
    assert!(games[0].details.as_ref().unwrap().remarks[0].text.starts_with("stones are set up"));
    // As problems are written.
    let problems = all("(;GM[4](;AB[hh][ii]AW[hg][gg];B[jj])(;AB[hh]AW[hg]PL[B];B[ig]))");
    assert_eq!(problems.iter().map(|game| game.moves.len()).collect::<Vec<_>>(), [1, 1]);
}

/// A move that the rules reject does not spoil the game: everything playable is kept, and the rest is reported.
#[test]
fn the_moves_before_a_refused_one_are_kept() {
    let text = "(;GM[4];B[hh];W[hg](;B[ig];W[hh]C[taken];B[aa])(;B[jf]))".to_owned();
    let all = GameText { text: text.clone(), all: true, ..GameText::default() };
    let ReadGames::All { games, .. } = understood(&all).unwrap() else { panic!("all are asked for") };
    assert_eq!((games[0].moves.len(), games[0].variations.len()), (3, 1));
    let left_out = &games[0].details.as_ref().unwrap().left_out;
    assert!(left_out[0].text.starts_with("2 moves from here on: move 4, H8: "), "{left_out:?}");
    // Someone who requests only the moves would take them for the whole game.
    let whole = understood(&GameText { text, ..GameText::default() }).unwrap_err().reason.to_string();
    assert!(whole.contains("move 4, H8: "), "{whole}");
    // Anything that is not a point, or not a word of a line of moves, is a rejected move.
    for (game, text) in [("renju", "(;GM[4];B[hh];W[hg];B[zz])"), ("domineering", "h8 h9 xx"), ("renju", "h8 h9 h8")] {
        let game = Some(game.to_owned());
        let asked = GameText { text: text.to_owned(), game, all: true, ..GameText::default() };
        let ReadGames::All { games, left_out } = understood(&asked).unwrap() else { panic!("all are asked for") };
        assert_eq!((games[0].game, games[0].moves.len(), left_out.len()), ("renju", 2, 0), "{text}");
        let left_out = &games[0].details.as_ref().unwrap().left_out[0].text;
        assert!(left_out.starts_with("1 move from here on: "), "{text}: {left_out}");
    }
    // The game whose rules accept most of it reports what is wrong with a line.
    assert!(read_as("domineering", "h8 h9 h8").unwrap_err().reason.to_string().contains("move 3, h8: "));
    // A list with a line that is not a position has the others.
    let fen = "x5o/7/7/7/7/7/o5x x 0 1";
    let list = GameText { text: format!("{fen}\n7/7 x\n{fen}"), all: true, ..GameText::default() };
    let ReadGames::All { games, left_out } = understood(&list).unwrap() else { panic!("all are asked for") };
    assert_eq!((games.len(), left_out.len()), (2, 1));
}

#[test]
fn a_game_that_black_has_lost_is_read_without_the_forbidden_stone() {
    let text = "(;B[hh];W[hg];B[ih];W[aa];B[kk];W[ba];B[kj];W[ca];B[kh])";
    let read = only(understood(&GameText { text: text.to_owned(), details: true, ..GameText::default() }).unwrap());
    assert_eq!(read.moves.len(), 8);
    let details = read.details.unwrap();
    assert!(details.remarks[0].text.starts_with("move 9, K8, is forbidden ("), "{:?}", details.remarks);
    assert_eq!((details.header["RE"].as_str(), details.left_out.len()), ("W+F", 1));
}

/// A file is sent as bytes: a refused one is not an empty game.
#[test]
fn a_file_of_text_is_read_or_refused_as_the_same_text() {
    let check = |game: &str, text: &str| {
        let read_with = |asked: GameText| {
            let asked = GameText { game: Some(game.to_owned()), all: true, details: true, ..asked };
            let answer = understood(&asked).map_err(|error| error.reason.to_string());
            answer.map(|answer| serde_json::to_string(&answer).unwrap())
        };
        let pasted = read_with(GameText { text: text.to_owned(), ..GameText::default() });
        let base64 = Some(BASE64_STANDARD.encode(text));
        let dropped = read_with(GameText { base64, name: Some("games.pgn".to_owned()), ..GameText::default() });
        assert_eq!(dropped, pasted, "{text}");
        dropped
    };
    assert!(check("renju", "1. Nf3 d5").unwrap_err().contains("line 1: neither PASS nor a point: `Nf3`"));
    assert!(check("renju", "x5o/7/2-1-2/7/2-1-2/7/o5x x 0 1").unwrap_err().contains("blocked cells"));
    // A game of another kind than the one on the board.
    let ataxx = "[FEN \"x5o/7/7/7/7/7/o5x x\"]\n\n1. f1 a1a3 *\n";
    for game in ["renju", "domineering", "bacteria"] {
        assert!(check(game, ataxx).unwrap().contains(r#""game":"bacteria""#), "{game}");
        assert!(check(game, "1. f1 a1a3 2. e1 g7g5 *").unwrap().contains(r#""game":"bacteria""#), "{game}");
    }
}

/// On the user's own machine a library has room; a site suggests how to continue.
#[test]
fn a_collection_has_room_on_ones_own_machine() {
    let game = |number: usize| {
        let point = |n: usize| char::from(b'a' + n as u8);
        format!("(;GM[4]SZ[15]C[{number}];B[hh];W[hg];B[ig];W[{}{}])\n", point(number % 15), point(number / 15 % 5))
    };
    let text: String = (0..1_500).map(game).collect();
    let asked = GameText { text, all: true, ..GameText::default() };
    let ReadGames::All { games, .. } = asked.read(&FileBounds::LOCAL.limits).unwrap() else {
        panic!("all are asked for")
    };
    assert!(games.len() > 1_300, "{}", games.len());
    let refused = understood(&asked).unwrap_err().reason.to_string();
    assert!(refused.contains("more than 1000 games"), "{refused}");
}

/// Places in a binary file are bytes.
#[test]
fn a_remark_says_the_byte_of_a_library() {
    let mut bytes = b"\xffRenLib\xff\x03\x04".to_vec();
    bytes.resize(20, 0xff);
    bytes.extend([0x00, 0x00, 0x78, 0x00, 0x78, 0x40]);
    let base64 = Some(BASE64_STANDARD.encode(bytes));
    let asked = GameText { base64, name: Some("a.lib".to_owned()), all: true, details: true, ..GameText::default() };
    let answer = serde_json::to_value(understood(&asked).unwrap()).unwrap();
    let left_out = &answer["games"][0]["left_out"][0];
    assert_eq!((left_out["byte"].as_u64(), left_out.get("line")), (Some(25), None), "{answer}");
}

/// A library on one's own machine comes with all its moves, proved and in both notations; a site says its limit.
#[test]
fn a_library_is_read_whole_on_an_own_machine() {
    let answer = |n: usize| format!("(;W[{}{}];B[{}o])", letter(n % 15), letter(n / 15 % 6), letter(n / 90));
    let answers: String = (0..500).map(answer).collect();
    let text = format!("(;GM[4]SZ[15];B[hh];W[hg];B[ig]C[three]{answers})");
    let asked = GameText { text, game: Some("renju".to_owned()), all: true, ..GameText::default() };
    let refused = asked.read(&FileBounds::SITE.limits).unwrap();
    let ReadGames::All { games, left_out } = refused else { panic!("all games were asked for") };
    assert!(games.is_empty() && left_out[0].text.contains("400"), "{left_out:?}");
    let ReadGames::All { games, .. } = asked.read(&FileBounds::LOCAL.limits).unwrap() else {
        panic!("all games were asked for")
    };
    let details = games[0].details.as_ref().unwrap();
    assert_eq!(details.rows.len(), 3 + 1000);
    assert_eq!(serde_json::to_value(&details.rows[2]).unwrap(), serde_json::json!([2, "7 9", "I9", 0]));
    assert_eq!(serde_json::to_value(&details.rows[1001]).unwrap()[0], 3);
    assert_eq!((details.notes[0].at, details.notes[0].comment.as_str()), (3, "three"));
    assert!(games[0].variations.is_empty(), "the rows say all of it");
}

fn letter(n: usize) -> char {
    char::from(b'a' + n as u8)
}
