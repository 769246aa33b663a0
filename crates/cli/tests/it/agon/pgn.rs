//! Games as PGN, read like the programs that rate players: each reader here does what its namesake does with tags,
//! results and unknown text.

use std::collections::BTreeSet;
use std::fs;

use serde_json::Value;
use tempfile::TempDir;

use crate::agon::run::{agon, file, folder, text};

/// The tags that `BayesElo` knows.
const KNOWN: [&str; 9] = ["Event", "Site", "Date", "Round", "White", "Black", "Result", "SetUp", "FEN"];

/// The tags of a game in their order, and the words of its moves.
type TaggedGame = (Vec<(String, String)>, Vec<String>);

/// White's name, Black's, and the result.
type Rated = (String, String, String);

/// Ordo: looks for three tags in every line, and has a game when it has all of them.
fn as_ordo(pgn: &str) -> Vec<Rated> {
    let (mut games, mut tags) = (Vec::new(), [None, None, None]);
    for line in pgn.lines() {
        for (tag, name) in tags.iter_mut().zip(["[White \"", "[Black \"", "[Result \""]) {
            if let Some(at) = line.find(name) {
                let rest = &line[at + name.len()..];
                *tag = Some(rest[..rest.find("\"]").expect("the end of a tag")].to_owned());
            }
        }
        if let [Some(white), Some(black), Some(result)] = &tags {
            assert!(["1-0", "0-1", "1/2-1/2", "*"].contains(&result.as_str()), "{result}");
            games.push((white.clone(), black.clone(), result.clone()));
            tags = [None, None, None];
        }
    }
    games
}

/// `BayesElo`: its lexer sees a result in everything that begins with `1-`, `0-` or `1/`; it reads tags until it has
/// seven known ones, up to 63 bytes of a name, and continues after the next result.
fn as_bayeselo(pgn: &str) -> Vec<Rated> {
    #[derive(PartialEq)]
    enum Token {
        Open,
        Close,
        Symbol(String),
        Text(String),
        Ended,
        Other,
    }
    let mut tokens = Vec::new();
    let bytes = pgn.as_bytes();
    let mut at = 0;
    let until = |from: usize, end: u8| from + bytes[from..].iter().position(|&byte| byte == end).expect("an end");
    while at < bytes.len() {
        let next = bytes.get(at + 1).copied().unwrap_or_default();
        match bytes[at] {
            b'{' => at = until(at, b'}') + 1,
            b';' => at = until(at, b'\n'),
            b'"' => {
                let end = until(at + 1, b'"');
                tokens.push(Token::Text(pgn[at + 1..end].to_owned()));
                at = end + 1;
            }
            b'0' | b'1' if next == b'-' => {
                tokens.push(Token::Ended);
                at += 3;
            }
            b'1' if next == b'/' => {
                tokens.push(Token::Ended);
                at += 7;
            }
            b'*' => {
                tokens.push(Token::Ended);
                at += 1;
            }
            b'0'..=b'9' => {
                tokens.push(Token::Other);
                at += bytes[at..].iter().take_while(|byte| byte.is_ascii_digit()).count();
            }
            byte if byte.is_ascii_alphabetic() => {
                let more = |byte: &&u8| byte.is_ascii_alphanumeric() || b"_=:-+#".contains(byte);
                let end = at + bytes[at..].iter().take_while(more).count();
                tokens.push(Token::Symbol(pgn[at..end].to_owned()));
                at = end;
            }
            byte => {
                match byte {
                    b'[' => tokens.push(Token::Open),
                    b']' => tokens.push(Token::Close),
                    b'.' | b'(' | b')' => tokens.push(Token::Other),
                    _ => {}
                }
                at += 1;
            }
        }
    }
    let (mut games, mut tokens) = (Vec::new(), tokens.into_iter().peekable());
    while tokens.by_ref().any(|token| token == Token::Open) {
        let (mut white, mut black, mut result, mut known) = (String::new(), String::new(), String::new(), 0);
        loop {
            let tag = tokens.find_map(|token| if let Token::Symbol(name) = token { Some(name) } else { None });
            let held = tokens.by_ref().take_while(|token| *token != Token::Close).last();
            let (Some(tag), Some(Token::Text(held))) = (tag, held) else { panic!("a tag") };
            let short = String::from_utf8_lossy(&held.as_bytes()[..held.len().min(63)]).into_owned();
            match tag.as_str() {
                "White" => white = short,
                "Black" => black = short,
                "Result" => result = held,
                _ => {}
            }
            known += usize::from(KNOWN.contains(&tag.as_str()));
            if tokens.next() != Some(Token::Open) || known == 7 {
                break;
            }
        }
        games.push((white, black, result));
        tokens.by_ref().find(|token| *token == Token::Ended);
    }
    games
}

/// python-chess: lines of tags, each one whole, then lines of moves with comments in braces.
fn as_python_chess(pgn: &str) -> Vec<TaggedGame> {
    let mut games: Vec<TaggedGame> = Vec::new();
    let mut within_tags = false;
    for line in pgn.lines().map(str::trim_end).filter(|line| !line.is_empty()) {
        let tag = line.strip_prefix('[').and_then(|line| line.strip_suffix("\"]"));
        let tag = tag.and_then(|tag| tag.split_once(" \""));
        if let Some((name, held)) = tag {
            assert!(name.bytes().all(|byte| byte.is_ascii_alphanumeric()) && !held.contains(['"', '\\']), "{line}");
            if !within_tags {
                games.push(Default::default());
            }
            games.last_mut().unwrap().0.push((name.to_owned(), held.to_owned()));
            within_tags = true;
        } else {
            within_tags = false;
            assert!(line.chars().count() <= 79 || !line.contains(' '), "{line}");
            games.last_mut().expect("tags").1.extend(line.split(' ').map(str::to_owned));
        }
    }
    games
}

fn tag<'a>(tags: &'a [(String, String)], name: &str) -> &'a str {
    tags.iter().find(|(known, _)| known == name).map_or("", |(_, held)| held)
}

struct Place(TempDir);

impl Place {
    fn played(words: &[&str]) -> Self {
        let place = Self(folder());
        let ran = place.run(words);
        assert_eq!(ran.code, 0, "{}", ran.err);
        place
    }

    fn run(&self, words: &[&str]) -> crate::agon::run::Ran {
        agon(&[words, &["--db", text(&self.0.path().join("games.db"))]].concat())
    }

    fn pgn(&self) -> String {
        let ran = self.run(&["export", "--format", "pgn"]);
        assert_eq!((ran.code, ran.err.as_str()), (0, ""));
        ran.out
    }

    /// The games as they are stored.
    fn stored(&self) -> Vec<Value> {
        self.run(&["export"]).out.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
    }
}

/// All three readers find who played, and how it ended.
#[test]
fn rating_programs_find_players_and_results() {
    let check = |words: &[&str]| {
        let place = Place::played(words);
        let pgn = place.pgn();
        let stored: Vec<Rated> = place
            .stored()
            .iter()
            .map(|game| {
                let result = match game["winner"].as_str().unwrap() {
                    "first" => "1-0",
                    "second" => "0-1",
                    _ => "1/2-1/2",
                };
                let [white, black] = [0, 1].map(|seat| game["agents"][seat].as_str().unwrap().to_owned());
                (white, black, result.to_owned())
            })
            .collect();
        assert_eq!(stored.len(), 4);
        assert_eq!(as_ordo(&pgn), stored, "{pgn}");
        assert_eq!(as_bayeselo(&pgn), stored, "{pgn}");
        let read = as_python_chess(&pgn);
        assert_eq!(read.len(), 4, "{pgn}");
        for ((tags, words), (white, black, result)) in read.iter().zip(&stored) {
            let names: Vec<&str> = tags.iter().take(7).map(|(name, _)| &**name).collect();
            assert_eq!(names, ["Event", "Site", "Date", "Round", "White", "Black", "Result"]);
            assert_eq!([tag(tags, "White"), tag(tags, "Black"), tag(tags, "Result")], [white, black, result]);
            assert_eq!(words.last(), Some(result));
            assert_eq!(tag(tags, "Date").split('.').map(str::len).collect::<Vec<_>>(), [4, 2, 2]);
        }
        let rounds: Vec<&str> = read.iter().map(|(tags, _)| tag(tags, "Round")).collect();
        assert_eq!(rounds, ["1.1", "1.2", "2.1", "2.2"]);
    };
    for game in ["bacteria", "domineering", "renju"] {
        check(&["match", "greedy", "random", "--game", game, "-n", "4"]);
    }
}

/// The moves of an opening are among those of the game, with the right numbers, and are marked.
#[test]
fn the_moves_of_an_opening_are_numbered_with_the_others() {
    let place = Place::played(&["match", "greedy", "random", "--game", "renju", "-n", "2", "--openings", "3"]);
    for ((tags, words), stored) in as_python_chess(&place.pgn()).iter().zip(place.stored()) {
        let opening = stored["record"].as_str().unwrap().lines().next().unwrap().to_owned();
        let opening: Value = serde_json::from_str(&opening).unwrap();
        assert_eq!(opening["parameters"]["opening"].as_str().unwrap().split('/').count(), 3);
        assert_eq!(words[..2], ["1.", "H8"]);
        assert_eq!([&words[2], &words[4], &words[7]], ["{book}"; 3], "{words:?}");
        assert_eq!((&*words[5], &*words[9]), ("2.", "3."), "{words:?}");
        let numbers = words.iter().filter(|word| word.ends_with('.')).count();
        let plies: usize = tag(tags, "PlyCount").parse().unwrap();
        assert_eq!((numbers, plies as u64), (plies.div_ceil(2), stored["plies"].as_u64().unwrap()));
        assert_eq!(tag(tags, "FEN"), "");
    }
    // A board that is drawn is where the game begins.
    let place = Place::played(&["match", "greedy", "random", "--game", "domineering", "--size", "4", "-n", "2"]);
    let (tags, words) = &as_python_chess(&place.pgn())[0];
    assert_eq!(tag(tags, "SetUp"), "1");
    assert!(tag(tags, "FEN").ends_with(" ..../..../..../.... H 0 2.5 0"), "{tags:?}");
    assert!(words[1].starts_with('m') && words[1].contains('-'), "{words:?}");
}

/// Names that one of the readers would cut, or take for something else, stay different.
#[test]
fn different_players_have_different_names() {
    let long = "engines/".repeat(12);
    let agents = ["old", "new", "\\\"quoted\\\"", "'quoted'"]
        .map(|end| format!("[[agent]]\nagent = \"random\"\nname = \"{long}{end}\"\n"))
        .concat();
    let folder = folder();
    let league = file(&folder, "league.toml", &format!("game = \"domineering\"\ngames = 2\n{agents}"));
    let place = Place::played(&["tournament", text(&league)]);
    let pgn = place.pgn();
    for games in [as_ordo(&pgn), as_bayeselo(&pgn)] {
        assert_eq!(games.len(), 12);
        let names: BTreeSet<String> = games.into_iter().flat_map(|(white, black, _)| [white, black]).collect();
        assert_eq!(names.len(), 4, "{names:?}");
        assert!(names.iter().all(|name| name.len() <= 63), "{names:?}");
        assert!(names.iter().any(|name| name.ends_with("/old")), "{names:?}");
    }
}

/// A game lost by a failure says so, and its last answer is not a move.
#[test]
fn a_failure_ends_the_moves() {
    let bot = "sh -c 'read l; echo OK; while read l; do case $l in TURN*) echo MOVE 1 1;; esac; done'";
    let place = Place::played(&["match", "greedy", bot, "--game", "renju", "-n", "2", "--openings", "0"]);
    let pgn = place.pgn();
    let read = as_python_chess(&pgn);
    assert!(read.iter().all(|(tags, _)| tag(tags, "Termination") == "rules infraction"), "{pgn}");
    let moves = |words: &[String]| words.iter().take_while(|word| !word.starts_with('{')).count();
    assert_eq!(read.iter().map(|(_, words)| moves(words)).collect::<Vec<_>>(), [2, 0], "{pgn}");
    assert_eq!(as_bayeselo(&pgn).len(), 2);
    let out = place.0.path().join("games.pgn");
    assert_eq!(place.run(&["export", "--format", "pgn", "--out", text(&out)]).code, 0);
    assert_eq!(fs::read_to_string(&out).unwrap(), pgn);
}

/// Clocks are written in seconds, one for both players where they are alike.
#[test]
fn a_game_has_its_time_control() {
    let tags = |clocks: &[&str]| {
        let match_of = ["match", "greedy", "random", "--game", "domineering", "--size", "3", "-n", "2"];
        let pgn = Place::played(&[&match_of[..], clocks].concat()).pgn();
        let controls: BTreeSet<String> =
            pgn.lines().filter(|line| line.contains("TimeControl")).map(str::to_owned).collect();
        controls.into_iter().collect::<Vec<_>>()
    };
    assert_eq!(tags(&[]), ["[TimeControl \"10\"]"]);
    assert_eq!(tags(&["--clock", "1m+0.5"]), ["[TimeControl \"60+0.5\"]"]);
    assert_eq!(tags(&["--clock", "40/60"]), ["[TimeControl \"40/60\"]"]);
    assert_eq!(tags(&["--movetime", "250ms"]), ["[TimeControl \"0.25/move\"]"]);
    let own = tags(&["--first-clock", "20s"]);
    let expected = ["Black", "White"].map(|side| ["10", "20"].map(|time| format!("[{side}TimeControl \"{time}\"]")));
    assert_eq!(own, expected.concat());
}

/// Every file of a series has the agents' given names, and its PGN is read back with the same players.
#[test]
fn files_of_a_series_have_one_set_of_names() {
    let place = Place::played(&[
        "match",
        "name=Ada greedy",
        "name=Ben random",
        "--game",
        "renju",
        "-n",
        "4",
        "--max-plies",
        "7",
        "--jobs",
        "1",
    ]);
    let folder = place.0.path();
    let [pgn, sgf, psq] = ["games.pgn", "games.sgf", "games"].map(|name| folder.join(name));
    for (format, out) in [("pgn", &pgn), ("sgf", &sgf), ("psq", &psq)] {
        assert_eq!(place.run(&["export", "--format", format, "--out", text(out)]).code, 0, "{format}");
    }
    let exported = fs::read_to_string(&sgf).unwrap();
    let games: Vec<&str> = exported.split("(;").skip(1).collect();
    assert!(games[0].contains("PB[Ada]PW[Ben]") && games[1].contains("PB[Ben]PW[Ada]"), "{exported}");
    for (slot, players) in [(0, "\nAda\nBen\n"), (1, "\nBen\nAda\n")] {
        let one = fs::read_to_string(psq.join(format!("{slot}.psq"))).unwrap();
        assert!(one.ends_with(players), "{one}");
    }
    let replayed = place.run(&["replay", "--slot", "0"]);
    assert!(replayed.out.contains("Ada") && !replayed.out.contains("greedy"), "{}", replayed.out);
    let again = folder.join("again.sgf");
    let ran = agon(&["convert", text(&pgn), text(&again)]);
    assert_eq!(ran.code, 0, "{}", ran.err);
    let again = fs::read_to_string(&again).unwrap();
    let said = |game: &str| -> Vec<String> {
        let of = |name: &str| game.split_once(&format!("{name}[")).map(|(_, rest)| rest.split(']').next().unwrap());
        ["PB", "PW", "RE"].map(|name| of(name).unwrap_or_default().to_owned()).to_vec()
    };
    let read: Vec<Vec<String>> = again.split("(;").skip(1).map(said).collect();
    assert_eq!(read, games.iter().map(|game| said(game)).collect::<Vec<_>>(), "{again}");
    assert!(read.iter().all(|game| game[2] == "Draw"), "{read:?}");
}

/// Moves of Ataxx are those that its own programs write, and all commands read the file.
#[test]
fn pgn_of_bacteria_has_the_moves_of_ataxx() {
    let place = Place::played(&["match", "greedy", "random", "--game", "bacteria", "-n", "2", "--max-plies", "12"]);
    let pgn = place.0.path().join("games.pgn");
    assert_eq!(place.run(&["export", "--format", "pgn", "--out", text(&pgn)]).code, 0);
    let written = fs::read_to_string(&pgn).unwrap();
    let is_move = |word: &&str| word.len() == 2 || word.len() == 4;
    for words in as_python_chess(&written).iter().map(|(_, words)| words) {
        let moves = words.iter().map(String::as_str).take_while(|word| !word.starts_with('{')).filter(is_move);
        for word in moves.filter(|word| word.len() == 4 && word.as_bytes()[0].is_ascii_lowercase()) {
            let [a, b, c, d] = word.as_bytes() else { panic!("{word}") };
            assert!(a.abs_diff(*c) == 2 || b.abs_diff(*d) == 2, "`{word}` is a leap");
        }
    }
    let fens = place.0.path().join("games.fen");
    assert_eq!(agon(&["convert", text(&pgn), text(&fens)]).code, 0);
    for file in [&pgn, &fens] {
        let ran = agon(&["analyze", "--record", text(file), "--game", "2", "--ply", "3", "--depth", "1"]);
        assert_eq!(ran.code, 0, "{}: {}", file.display(), ran.err);
    }
    let wrong = agon(&["analyze", "renju", "--record", text(&fens), "--game", "1"]);
    assert_eq!(wrong.code, 2);
    assert!(wrong.err.contains("has a game of bacteria, not of renju"), "{}", wrong.err);
    let charset = agon(&["convert", text(&pgn), text(&fens), "--charset", "klingon"]);
    assert_eq!(charset.code, 2);
    assert!(charset.err.contains("unknown charset: `klingon`; a name such as"), "{}", charset.err);
}
