//! Game → file → game, for every pair of formats: every difference afterwards has been reported.

use std::collections::{BTreeMap, BTreeSet};

use agon_catalog::{Game, Setup};
use agon_game::seed::Stream;
use agon_game::{GameState, Outcome, Side};
use agon_protocols::formats::result::WonBy;
use agon_protocols::formats::tree::unescaped;
use agon_protocols::formats::{
    self, Collection, FileFormat, GameTree, Limits, Note, Property, TreeMove, point, result,
};
use agon_rules::renju::{Move, Point};

/// Random games of each kind.
const GAMES: u64 = 1_000;

/// Names and comments that formats must not take for something else.
const TEXTS: [&str; 22] = [
    "ada",
    "Müller-Lüdenscheidt",
    "김철수",
    "Łukasz \"the fox\" Świętosławski",
    "back\\slash \\\" and ]bracket[",
    "a: b, c; d",
    "1-0",
    "1/2-1/2",
    "7",
    "% no escape",
    "{braces} in (brackets)",
    "} only closing",
    "h8 h9 i8",
    "; a semicolon",
    "[Event \"none\"]",
    "<b>&amp;</b>",
    "🦠 №5 ½",
    "-1",
    "9,9",
    "#hash $1 !? ±",
    "W+T",
    "日本 太郎",
];

/// Additional comments.
const LINES: [&str; 5] =
    ["two\nlines", "one\n\nthree } lines\n; {", "%first\n%second", "moves: h8\nh9 i8", "[%emt of no time]\n[tag]"];

/// A game's facts, each by its place.
type Facts = BTreeMap<String, Vec<String>>;

fn facts(tree: &GameTree) -> Facts {
    let mut facts = Facts::new();
    let mut paths = vec![String::new(); tree.nodes.len()];
    for (number, node) in tree.nodes.iter().enumerate() {
        let mut path = paths[node.parent].clone();
        if let Some(TreeMove { side, judged }) = &node.made {
            path += &format!("/{} {judged}", side.index());
        }
        for property in &node.properties {
            let values = property.values.iter().map(|value| unescaped(value).trim().to_owned());
            facts.entry(format!("{}@{path}", property.name)).or_default().extend(values);
        }
        paths[number] = path;
    }
    for values in facts.values_mut() {
        values.sort();
    }
    let lines: BTreeSet<&String> = paths.iter().collect();
    facts.insert("lines".to_owned(), lines.into_iter().cloned().collect());
    facts.insert("main".to_owned(), vec![main_path(tree)]);
    facts.insert("position".to_owned(), vec![tree.start().unwrap().position()]);
    facts
}

fn main_path(tree: &GameTree) -> String {
    tree.main_moves().map(|made| format!("/{} {}", made.side.index(), made.judged)).collect::<Vec<_>>().concat()
}

/// Asserts that nothing is lost or invented silently.
fn check(before: &GameTree, after: &GameTree, notes: &[Note], what: &str) {
    let (old, new) = (facts(before), facts(after));
    assert_eq!(new["main"], old["main"], "{what}: the moves");
    assert_eq!(new["position"], old["position"], "{what}: the start");
    let is_noted = |text: &str| notes.iter().any(|note| note.text.to_string().contains(text));
    let has_lines = new["lines"] == old["lines"];
    assert!(has_lines || is_noted("variation"), "{what}: variations {notes:?}");
    let main = &old["main"][0];
    for (key, values) in &old {
        let Some((name, path)) = key.split_once('@') else { continue };
        if !has_lines && !main.starts_with(path) || new.get(key) == Some(values) {
            continue;
        }
        let is_shown = name == "RE" && before.result().map(|(outcome, _)| outcome) == before.outcome_of_moves();
        let is_named = matches!(name, "PB" | "PW")
            && notes.iter().any(|n| n.text.to_string().contains("name `") && n.text.to_string().contains(&values[0]));
        let is_dropped = notes.iter().any(|note| note.property.as_deref() == Some(name));
        let is_said = is_dropped || is_named || name == "LB" && is_noted("LB[");
        assert!(is_said || is_shown, "{what}: {key} was {values:?} and is {:?}; {notes:?}", new.get(key));
    }
    for key in new.keys().filter(|key| !old.contains_key(*key)) {
        // Rules report how they end a game.
        assert!(key == "RE@", "{what}: {key} is new: {:?}", new[key]);
    }
}

fn position_after(state: &dyn GameState, judged: &str) -> String {
    let mut state = state.boxed_clone();
    state.answer(judged).unwrap();
    state.position()
}

/// The move as it is read again: for a division of Ataxx, files have only the destination.
fn canonical(state: &dyn GameState, judged: &str) -> String {
    let mut after = state.boxed_clone();
    after.answer(judged).unwrap();
    state.read_any(&after.exchanged().unwrap()).unwrap()
}

/// A random game, with variations and all that is said of games.
fn random_game(game: Game, stream: &mut Stream) -> GameTree {
    let is_renju = game == Game::RENJU;
    let start = game.initial_state(&Setup { seed: stream.below(1 << 20) as u64, ..Setup::default() }).unwrap();
    let mut tree = GameTree::new(game, 1);
    let usual = game.initial_state(&Setup::default()).unwrap().position();
    tree.position = Some(start.position()).filter(|position| *position != usual);
    let length = 1 + stream.below(40);
    let (mut at, mut state) = (0, start);
    let mut branches = Vec::new();
    for _ in 0..length {
        let (legal, Some(side)) = (state.legal(), state.turn()) else { break };
        let judged = canonical(state.as_ref(), &legal[stream.below(legal.len())]);
        // Two different moves of one turn.
        let other = canonical(state.as_ref(), &legal[stream.below(legal.len())]);
        if stream.below(12) == 0 && position_after(state.as_ref(), &judged) != position_after(state.as_ref(), &other) {
            branches.push((at, state.boxed_clone(), side, other));
        }
        state.answer(&judged).unwrap();
        at = tree.push(at, Some(TreeMove { side, judged }), 1);
    }
    for (parent, mut state, side, judged) in branches {
        state.answer(&judged).unwrap();
        let mut at = tree.push(parent, Some(TreeMove { side, judged }), 1);
        for _ in 0..stream.below(3) {
            let (Some(side), legal) = (state.turn(), state.legal()) else { break };
            let judged = canonical(state.as_ref(), &legal[stream.below(legal.len())]);
            state.answer(&judged).unwrap();
            at = tree.push(at, Some(TreeMove { side, judged }), 1);
        }
    }
    let mut tree = tree.in_order();
    let mut pick = |from: &[&str]| from[stream.below(from.len())].to_owned();
    for name in ["PB", "PW", "EV", "ON"] {
        let text = pick(&TEXTS);
        if pick(&["", "x"]) == "x" {
            tree.set_plain(0, name, &text);
        }
    }
    let ended = tree.outcome_of_moves();
    let (outcome, won_by) = match ended {
        Some(outcome) => (Some(outcome), WonBy::Rules),
        None => match &*pick(&["", "", "draw", "resignation", "time", "forfeit", "rules"]) {
            "draw" => (Some(Outcome::Draw), WonBy::Rules),
            "resignation" => (Some(Outcome::Win(Side::First)), WonBy::Resignation),
            "time" => (Some(Outcome::Win(Side::Second)), WonBy::Time),
            "forfeit" => (Some(Outcome::Win(Side::Second)), WonBy::Forfeit),
            "rules" => (Some(Outcome::Win(Side::First)), WonBy::Rules),
            _ => (None, WonBy::Rules),
        },
    };
    if let Some(outcome) = outcome {
        tree.set_plain(0, "RE", &result::write(outcome, won_by));
    }
    for number in 0..tree.nodes.len() {
        match stream.below(if is_renju { 16 } else { 8 }) {
            0 => tree.set_plain(number, "C", TEXTS[stream.below(TEXTS.len())]),
            1 => tree.set_plain(number, "C", LINES[stream.below(LINES.len())]),
            2 if number > 0 => {
                let signs = [
                    ("TE", "1"),
                    ("BM", "2"),
                    ("IT", ""),
                    ("DO", ""),
                    ("GB", "1"),
                    ("GW", "2"),
                    ("DM", "1"),
                    ("NAG", "14"),
                    ("NAG", "36"),
                    ("NAG", "146"),
                    ("GB", "2"),
                    ("UC", "1"),
                ];
                let (name, value) = signs[stream.below(signs.len())];
                tree.nodes[number].properties.push(Property { name: name.to_owned(), values: vec![value.to_owned()] });
            }
            3 if number > 0 => tree.set_plain(number, "EMT", ["0.5", "12", "3725.25", "61"][stream.below(4)]),
            // Properties on points.
            8 => tree.add_value(number, "LB", format!("{}:{}", spot(stream), ["A", "7", "é", "中"][stream.below(4)])),
            9 => tree.add_value(number, "TR", spot(stream)),
            10 => tree.set_plain(number, "HO", "1"),
            _ => {}
        }
    }
    tree
}

fn spot(stream: &mut Stream) -> String {
    point::to_sgf(Point::from_index(stream.below(225)).unwrap())
}

/// The game after it was written and read again, and the notes about it; `None` if the format refuses it.
fn through(ending: &str, game: &GameTree) -> Option<(GameTree, Vec<Note>)> {
    let (bytes, mut notes) = formats::write(&Collection::from_games(vec![game.clone()]), ending).ok()?;
    let format = FileFormat::by_ending(ending).unwrap();
    let read = formats::read_of_any(&bytes, format, Some(game.game), None, &Limits::FILE);
    let text = || String::from_utf8_lossy(&bytes).into_owned();
    let mut read = read.unwrap_or_else(|error| panic!(".{ending}: {error}\n{}", text()));
    assert_eq!((read.games.len(), &read.refused), (1, &Vec::new()), ".{ending}\n{}", text());
    notes.append(&mut read.left_out);
    let mut again = read.games.remove(0);
    assert_eq!(again.game, game.game, "{}", text());
    notes.extend(again.check().unwrap_or_else(|error| panic!(".{ending}: {error}\n{}", text())));
    Some((again, notes))
}

fn every_pair(game: Game, endings: &[&str]) {
    let mut written = vec![0; endings.len()];
    for seed in 0..GAMES {
        let tree = random_game(game, &mut Stream::new(seed, "round trip"));
        let first = seed as usize % endings.len();
        let Some((once, notes)) = through(endings[first], &tree) else { continue };
        check(&tree, &once, &notes, &format!("{game} {seed}: .{}", endings[first]));
        for (at, ending) in endings.iter().enumerate() {
            if let Some((twice, notes)) = through(ending, &once) {
                check(&once, &twice, &notes, &format!("{game} {seed}: .{} → .{ending}", endings[first]));
                written[at] += 1;
            }
        }
    }
    assert!(written.iter().all(|count| *count > GAMES / 2), "{written:?}");
}

/// Files as other programs write them, read and written in their own format, a database in SGF.
#[test]
fn files_of_other_programs_come_back() {
    let library = |version: [u8; 2], nodes: &[u8]| {
        let mut bytes = [&formats::renlib::MAGIC[..], &version].concat();
        bytes.resize(20, 0xff);
        [&bytes, nodes].concat()
    };
    let database = r#"<database><players><player id="1" name="Ann"/><player id="2" name="Ben"/></players>
        <rules><rule id="1" name="RIF"/></rules><games>
        <game id="7" rule="1" black="1" white="2" bresult="1" swap="1" alt="J7 G6" btime="85">
        <move>h8 h9 j9 g8 j7 g7</move><info>good</info></game></games></database>"#;
    let text = |text: &str| text.as_bytes().to_vec();
    let files = [
        ("sgf", text("(;GM[4]FF[4]SZ[15]AP[MultiGo:4.4.4]PB[A]PW[B];B[hh];W[hg]C[why](;B[ig])(;B[gi]LB[aa:1]TR[bb]))")),
        ("sgf", text("(;GM[1]SZ[15];B[hh];W[hg];B[ig])")),
        ("sgf", text("(;FF[4]GM[4]SZ[15]AB[hh][ig]AW[hg]PL[W];W[gi];B[gg])")),
        ("sgf", text("(;GM[4]SZ[15]ON[RIF: H8 H9 J9 swap G8 J7 G6 J7];B[h8];W[h9];B[j9];W[g8];B[j7])")),
        ("lib", library([3, 4], &[0, 8, b'h', b'i', 0, 0, 0x78, 0, 0x69, 0xc1, 0, 1, b'A', 0, 0x68, 0x40])),
        ("lib", library([3, 0], &[0x78, 0x20, b'o', b'n' | 0x80, 0x68, 0x40])),
        ("lib", library([3, 4], &[0, 8, 0xd5, 0, 0x78, 0x40])),
        ("psq", text("Piskvorky 15x15, 11:11, 0\n8,8,1500\n8,7,0\n9,7,20\nada\nbob\n")),
        ("psq", text("Piskvorky 15x15, 11:11, 0\r\n8,8,0\r\n8,7,0\r\n7,7,0\r\n")),
        ("rif", text(database)),
    ];
    for (ending, bytes) in files {
        let what = format!(".{ending} {}", String::from_utf8_lossy(&bytes));
        let read = formats::read(&bytes, FileFormat::of_content(&bytes), None, &Limits::FILE);
        let mut tree = read.unwrap_or_else(|error| panic!("{what}: {error}")).games.remove(0);
        tree.check().unwrap_or_else(|error| panic!("{what}: {error}"));
        let own = if ending == "rif" { "sgf" } else { ending };
        let (again, notes) = through(own, &tree).unwrap_or_else(|| panic!("{what}: not written"));
        check(&tree, &again, &notes, &what);
    }
}

#[test]
fn renju_survives_every_pair_of_formats() {
    every_pair(Game::RENJU, &["sgf", "lib", "pgn", "psq", "pos", "sav", "txt", "fen"]);
}

#[test]
fn bacteria_survives_every_pair_of_formats() {
    every_pair(Game::BACTERIA, &["pgn", "fen"]);
}

#[test]
fn domineering_survives_every_pair_of_formats() {
    let game = Game::by_name("domineering").unwrap();
    every_pair(game, &["pgn", "fen"]);
}

/// Points of moves that are written for people are those of the judge.
#[test]
fn points_are_those_of_the_judge() {
    for point in Point::all() {
        let judged = Move::Stone(point).to_string();
        let tree = GameTree::of_moves(Game::RENJU, [judged.clone()]);
        for ending in ["sgf", "lib", "pgn", "psq", "pos", "sav", "txt"] {
            let (bytes, _) = formats::write(&Collection::from_games(vec![tree.clone()]), ending).unwrap();
            let read = formats::read(&bytes, FileFormat::by_ending(ending).unwrap(), None, &Limits::FILE).unwrap();
            assert_eq!(read.games[0].main_moves().next().unwrap().judged, judged, ".{ending}");
        }
    }
}
