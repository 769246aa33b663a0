//! The parts of PGN other than moves: tags, results, annotations; and its writer. The reader is that of
//! [`text`](super::text).
//!
//! PGN is chess's ([Edwards 1994](https://www.saremba.de/chessgml/standards/pgn/pgn-complete.htm)), and other games use
//! it as they like. Which player moves first, and whom `1-0` is for, differs by the writer:
//!
//! | writer | moves first | `1-0` |
//! |---|---|---|
//! | Agon, for rating programs, which take White for the first | White | the first side has won |
//! | `PlayOK`, python-ataxx, cuteataxx | Black | the first side has won |
//! | cuteataxx with `colour1` set to White | White | the first side has won |
//!
//! A file written by Agon has the tag `Game`. For others, the tags `Winner` and `Loser` decide, or the games that the
//! rules end (`settle`); by default, Black moves first and `1-0` is a win of the first side.

use std::fmt::Write as _;

use agon_catalog::{Capability, Game, Setup};
use agon_game::{Outcome, Side};
use agon_rules::renju::Move;

use super::error::{FileError, FileProblem};
use super::result::WonBy;
use super::tree::{Collection, FileRemark, GameTree, Note, Property, TreeNode, unescaped};
use super::{point, psq, result};

/// Tags and the properties that say the same.
const TAGS: [(&str, &str); 7] = [
    ("Event", "EV"),
    ("Site", "PC"),
    ("Date", "DT"),
    ("Round", "RO"),
    ("TimeControl", "OT"),
    ("Opening", "ON"),
    ("Annotator", "AN"),
];

/// Tags of the players and the equivalent properties for Black, if Black is the first side.
const OF_PLAYERS: [([&str; 2], [&str; 2]); 2] =
    [(["Black", "White"], ["PB", "PW"]), (["BlackElo", "WhiteElo"], ["BR", "WR"])];

/// Tag with the game's name, which identifies Agon's own files.
const GAME: &str = "Game";

/// Tag for all other information about the game.
const COMMENT: &str = "GameComment";

/// Tags that repeat information in the moves.
const SAID_BY_MOVES: [&str; 6] = ["SetUp", "PlyCount", "FinalFEN", "Material", "Winner", "Loser"];

/// Words for how a game was won in the tags `Termination` and `Adjudicated`. The first of each kind is written.
const TERMINATIONS: [(&str, WonBy); 9] = [
    ("time forfeit", WonBy::Time),
    ("rules infraction", WonBy::Forfeit),
    ("resignation", WonBy::Resignation),
    ("out of time", WonBy::Time),
    ("timeout", WonBy::Time),
    ("illegal move", WonBy::Forfeit),
    ("forfeit", WonBy::Forfeit),
    ("resign", WonBy::Resignation),
    ("normal", WonBy::Rules),
];

/// Results of both sides, as the text at the end of the moves and in the tag `Result`.
const RESULTS: [(&str, Option<Outcome>); 9] = [
    ("1-0", Some(Outcome::Win(Side::First))),
    ("0-1", Some(Outcome::Win(Side::Second))),
    ("1/2-1/2", Some(Outcome::Draw)),
    ("*", None),
    ("1/2", Some(Outcome::Draw)),
    ("0.5-0.5", Some(Outcome::Draw)),
    ("½-½", Some(Outcome::Draw)),
    ("1–0", Some(Outcome::Win(Side::First))),
    ("0–1", Some(Outcome::Win(Side::Second))),
];

/// Property for a numeric annotation glyph that has no name in SGF.
const NAG: &str = "NAG";

/// Glyphs by number, as people write them, and the property that says the same. SGF's `GB` is good for the first side.
/// `White` in PGN is the side that the tags call so.
const GLYPHS: [(u8, &[&str], &str, &str); 17] = [
    (1, &["!"], "TE", "1"),
    (2, &["?"], "BM", "1"),
    (3, &["!!", "‼"], "TE", "2"),
    (4, &["??", "⁇"], "BM", "2"),
    (5, &["!?", "⁉"], "IT", ""),
    (6, &["?!", "⁈"], "DO", ""),
    (10, &["="], "DM", "1"),
    (13, &["∞"], "UC", "1"),
    (14, &["+=", "+/=", "⩲"], NAG, "14"),
    (15, &["=+", "=/+", "⩱"], NAG, "15"),
    (16, &["+/-", "±", "+/−"], "GW", "1"),
    (17, &["-/+", "∓", "−/+"], "GB", "1"),
    (18, &["+-", "+−"], "GW", "2"),
    (19, &["-+", "−+"], "GB", "2"),
    (7, &["□"], NAG, "7"),
    (22, &["⨀"], NAG, "22"),
    (146, &["N"], NAG, "146"),
];

/// Parses a result among the moves, if the text starts with one: its end and the outcome for the first side.
pub(super) fn result_at(text: &str) -> Option<(usize, Option<Outcome>)> {
    let ends = |c: char| c.is_whitespace() || "(){};".contains(c);
    let end = text.find(ends).unwrap_or(text.len());
    let word = &text[..end];
    RESULTS.iter().find(|(known, _)| *known == word).map(|&(_, outcome)| (end, outcome))
}

/// Splits off an annotation at the end of a word: the part before it, and its glyph.
pub(super) fn signed(word: &str) -> (&str, Option<u8>) {
    let signs = GLYPHS.iter().flat_map(|(number, signs, ..)| signs.iter().map(move |sign| (*number, *sign)));
    let longest = signs.filter(|(_, sign)| word.ends_with(sign)).max_by_key(|(_, sign)| sign.len());
    match longest {
        // Letters are signs only by themselves.
        Some((_, sign)) if sign.is_ascii() && sign.bytes().all(|b| b.is_ascii_alphabetic()) && sign != word => {
            (word, None)
        }
        Some((number, sign)) => (&word[..word.len() - sign.len()], Some(number)),
        None => (word, None),
    }
}

/// The property of a glyph, where White is the second side.
pub(super) fn property_of_glyph(number: u8) -> (&'static str, String) {
    match GLYPHS.iter().find(|(known, ..)| *known == number) {
        Some((.., name, value)) => (name, (*value).to_owned()),
        None => (NAG, number.to_string()),
    }
}

/// The other side's glyph for one about White or Black.
const fn exchanged_glyph(number: u8) -> u8 {
    match number {
        14..=139 if number.is_multiple_of(2) => number + 1,
        15..=139 => number - 1,
        _ => number,
    }
}

/// Exchanges the sides in properties of glyphs.
fn exchange_glyphs(node: &mut TreeNode) {
    for property in &mut node.properties {
        match &*property.name {
            "GB" => "GW".clone_into(&mut property.name),
            "GW" => "GB".clone_into(&mut property.name),
            NAG => {
                for value in &mut property.values {
                    if let Ok(number) = value.parse() {
                        *value = exchanged_glyph(number).to_string();
                    }
                }
            }
            _ => {}
        }
    }
}

/// Returns true if the value of a tag means unknown.
fn is_placeholder(value: &str) -> bool {
    matches!(value.trim(), "" | "?" | "-" | "????.??.??")
}

/// The tags of a game that is being read.
#[derive(Default)]
pub(super) struct Tags {
    all: Vec<(String, String)>,
}

impl Tags {
    /// Parses the tags of a line `[Name "value"] [Name "value"]`, and returns the rest; in values `\"` and `\\` stand
    /// for the character after the backslash.
    pub(super) fn line(text: &str) -> Option<(Vec<(String, String)>, &str)> {
        let mut tags = Vec::new();
        let mut rest = text.trim();
        while rest.starts_with('[') {
            let (name, value) = rest.strip_prefix('[')?.split_once('"')?;
            let mut text = String::new();
            let mut characters = value.char_indices();
            // A quote inside the value was not escaped by the writer.
            let end = loop {
                match characters.next()? {
                    (at, '"') if value[at + 1..].trim_start().starts_with(']') => break at + 1,
                    (_, '\\') if characters.as_str().starts_with(['"', '\\']) => {
                        text.extend(characters.next().map(|(_, c)| c));
                    }
                    (_, c) => text.push(c),
                }
            };
            tags.push((name.trim().to_owned(), text.trim().to_owned()));
            rest = value[end..].trim_start().strip_prefix(']')?.trim_start();
        }
        Some((tags, rest))
    }

    pub(super) fn push(&mut self, name: String, value: String) {
        if !is_placeholder(&value) {
            self.all.push((name, value));
        }
    }

    pub(super) fn of(&self, name: &str) -> Option<&str> {
        self.all.iter().find(|(known, _)| known.eq_ignore_ascii_case(name)).map(|(_, value)| &**value)
    }

    pub(super) fn is_empty(&self) -> bool {
        self.all.is_empty()
    }

    /// The game that the file names, if Agon wrote it.
    pub(super) fn game(&self) -> Option<Game> {
        Game::by_name(self.of(GAME)?)
    }

    /// Returns the outcome for the first side by the tag `Result`.
    fn result(&self) -> Option<Outcome> {
        RESULTS.iter().find(|(known, _)| Some(*known) == self.of("Result"))?.1
    }

    pub(super) fn is_agons(&self) -> bool {
        self.game().is_some() || self.of("Site").is_some_and(|site| site == "Agon" || site.starts_with("Agon "))
    }

    /// Returns true if White is the first side.
    fn white_is_first(&self) -> bool {
        if self.is_agons() {
            return true;
        }
        let first = match self.result() {
            Some(Outcome::Win(Side::First)) => self.of("Winner").or_else(|| self.other(self.of("Loser"))),
            Some(Outcome::Win(Side::Second)) => self.of("Loser").or_else(|| self.other(self.of("Winner"))),
            _ => None,
        };
        first.is_some() && first == self.of("White") && first != self.of("Black")
    }

    /// Returns the other player.
    fn other(&self, player: Option<&str>) -> Option<&str> {
        let [black, white] = ["Black", "White"].map(|side| self.of(side));
        let player = player?;
        if Some(player) == black { white } else { black }
    }

    /// Applies the tags to the tree.
    pub(super) fn apply(&self, tree: &mut GameTree, at_end: Option<Outcome>) {
        let white_is_first = self.white_is_first();
        for (mut tags, properties) in OF_PLAYERS {
            if white_is_first {
                tags.reverse();
            }
            for (tag, property) in tags.into_iter().zip(properties) {
                tree.set_plain(0, property, self.of(tag).unwrap_or_default());
            }
        }
        if white_is_first {
            tree.nodes.iter_mut().for_each(exchange_glyphs);
        }
        let termination = [self.of("Termination"), self.of("Adjudicated")].into_iter().flatten().find_map(|text| {
            let text = text.to_ascii_lowercase();
            TERMINATIONS.iter().find(|(known, _)| text.contains(known)).map(|&(_, won_by)| won_by)
        });
        if let Some(outcome) = self.result().or(at_end) {
            tree.set_plain(0, "RE", &result::write(outcome, termination.unwrap_or_default()));
        }
        for (name, value) in &self.all {
            let is = |tag: &str| name.eq_ignore_ascii_case(tag);
            let known = TAGS.iter().find(|(tag, _)| is(tag));
            let is_of_players = OF_PLAYERS.iter().flat_map(|(tags, _)| tags).any(|tag| is(tag));
            let is_kept = (is("Termination") || is("Adjudicated")) && termination.is_some();
            match known {
                Some((_, "DT")) => tree.set_plain(0, "DT", &between_digits(value, '.', '-')),
                Some((_, property)) => tree.set_plain(0, property, value),
                None if is_of_players || is_kept || is("Result") || is("FEN") => {}
                None if is(GAME) && self.game().is_some() || SAID_BY_MOVES.iter().any(|tag| is(tag)) => {}
                None if is(COMMENT) => tree.append_plain(0, "GC", value),
                None => tree.append_plain(0, "GC", &format!("{name}: {value}")),
            }
        }
    }
}

/// Maximum number of games that [`settle`] examines.
const MAX_ASKED: usize = 100;

/// Exchanges the results of a file if the games that the rules end show that `1-0` means the second side.
pub(super) fn settle(collection: &mut Collection, is_agons: &[bool]) {
    let mut agree = [0, 0];
    let asked = collection
        .games
        .iter()
        .zip(is_agons)
        .filter(|(game, is_agons)| !**is_agons && matches!(game.result(), Some((Outcome::Win(_), _))));
    for (game, _) in asked.take(MAX_ASKED) {
        if let (Some((said, _)), Some(ended @ Outcome::Win(_))) = (game.result(), game.outcome_of_moves()) {
            agree[usize::from(said != ended)] += 1;
        }
    }
    if agree[1] <= agree[0] {
        return;
    }
    for (game, _) in collection.games.iter_mut().zip(is_agons).filter(|(_, is_agons)| !**is_agons) {
        if let Some((Outcome::Win(side), won_by)) = game.result() {
            game.set_plain(0, "RE", &result::write(Outcome::Win(side.other()), won_by));
        }
    }
    collection.left_out.push(Note::remark(1, FileRemark::SecondWins));
}

/// Replaces a character between two digits.
fn between_digits(text: &str, from: char, to: char) -> String {
    let characters: Vec<char> = text.chars().collect();
    let is_digit = |at: Option<usize>| at.and_then(|at| characters.get(at)).is_some_and(char::is_ascii_digit);
    let changed = characters
        .iter()
        .enumerate()
        .map(|(at, &c)| if c == from && is_digit(at.checked_sub(1)) && is_digit(Some(at + 1)) { to } else { c });
    changed.collect()
}

/// A time as the command `[%emt 0:00:01.5]` in a comment has it, in seconds.
pub(super) fn command_seconds(text: &str) -> Option<String> {
    let mut seconds = 0.0;
    for part in text.trim().split(':') {
        seconds = seconds * 60.0 + part.parse::<f64>().ok().filter(|part| part.is_finite() && *part >= 0.0)?;
    }
    Some(seconds.to_string())
}

/// Returns a move for PGN, where a word must start with a letter or be a PASS: `BayesElo` takes one that starts with
/// `1-` for a result. Other notations become `m3-4` for MOVE 3 4.
pub fn word(exchanged: Option<String>, judged: &str) -> String {
    let plain = |word: &String| {
        (word == "0000" || word.starts_with(|c: char| c.is_ascii_alphabetic()))
            && word.bytes().all(|byte| byte.is_ascii_alphanumeric())
    };
    exchanged.filter(plain).unwrap_or_else(|| format!("m{}", judged.replace(' ', "-")))
}

/// The arguments of MOVE that [`word`] has written as `m3-4`.
pub(super) fn judged_of_word(word: &str) -> Option<String> {
    let numbers = word.strip_prefix('m').filter(|rest| rest.starts_with(|c: char| c.is_ascii_digit()))?;
    let is_numbers = numbers.split('-').all(|part| !part.is_empty() && part.bytes().all(|byte| byte.is_ascii_digit()));
    is_numbers.then(|| numbers.replace('-', " "))
}

/// Writes games with variations, comments and glyphs. White is the first side, as in the files of `agon export`. Also
/// returns notes about content that PGN cannot express.
///
/// # Errors
/// [`FileError`] when a game cannot begin as it says.
pub fn write(collection: &Collection) -> Result<(String, Vec<Note>), FileError> {
    let (mut text, mut left_out) = (String::new(), Vec::new());
    for game in &collection.games {
        let outcome = write_tags(&mut text, game, &mut left_out)?;
        write_moves(&mut text, game, outcome, &mut left_out)?;
    }
    Ok((text, left_out))
}

fn write_tag(text: &mut String, name: &str, value: &str) {
    let value = super::tree::one_line(value).replace('\\', "\\\\").replace('"', "\\\"");
    let _ = writeln!(text, "[{name} \"{value}\"]");
}

/// Writes the tags of a game. Returns its result.
fn write_tags(text: &mut String, game: &GameTree, left_out: &mut Vec<Note>) -> Result<&'static str, FileError> {
    let plain = |name: &str| game.plain(0, name);
    let known = game.result();
    let outcome = known.map(|(outcome, _)| outcome);
    let written = RESULTS.iter().find(|(_, known)| *known == outcome).map_or("*", |(word, _)| word);
    for tag in ["Event", "Site", "Date", "Round", "White", "Black", "Result"] {
        let value = match tag {
            "White" => plain("PB"),
            "Black" => plain("PW"),
            "Result" => written.to_owned(),
            "Date" => between_digits(&plain("DT"), '-', '.'),
            _ => TAGS.iter().find(|(known, _)| *known == tag).map_or_else(String::new, |(_, name)| plain(name)),
        };
        let unknown = if tag == "Date" { "????.??.??" } else { "?" };
        write_tag(text, tag, if value.is_empty() { unknown } else { &value });
    }
    write_tag(text, GAME, game.game.name());
    let start = game.start()?;
    if game.game.initial_state(&Setup::default()).ok().is_none_or(|usual| usual.position() != start.position()) {
        write_tag(text, "SetUp", "1");
        write_tag(text, "FEN", game.position.as_ref().unwrap_or(&start.position()));
    }
    if let Some((word, _)) =
        known.and_then(|(_, won_by)| TERMINATIONS.iter().find(|(_, known)| *known == won_by && won_by != WonBy::Rules))
    {
        write_tag(text, "Termination", word);
    }
    for (tag, name) in [("WhiteElo", "BR"), ("BlackElo", "WR")].into_iter().chain(TAGS.into_iter().skip(4)) {
        if !plain(name).is_empty() {
            write_tag(text, tag, &plain(name));
        }
    }
    for line in plain("GC").lines() {
        match line.split_once(": ").filter(|(name, value)| is_own_tag(name) && !value.is_empty()) {
            Some((name, value)) => write_tag(text, name, value),
            None => write_tag(text, COMMENT, line),
        }
    }
    for property in game.header() {
        let is_unknown = is_placeholder(&property.plain());
        let is_said = match &*property.name {
            "RE" => known.is_some_and(|(outcome, won_by)| result::write(outcome, won_by) == property.plain()),
            name => matches!(name, "PB" | "PW" | "BR" | "WR" | "GC") || TAGS.iter().any(|(_, known)| *known == name),
        };
        if (!is_said || is_unknown) && !is_of_node(&property.name) {
            left_out.push(Note::property(game.place, &property.name));
        }
    }
    text.push('\n');
    Ok(written)
}

/// Returns true if a line of the comment on the game is a tag without a property.
fn is_own_tag(name: &str) -> bool {
    let is_word = name.starts_with(|c: char| c.is_ascii_uppercase())
        && name.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'_');
    let is = |tag: &str| name.eq_ignore_ascii_case(tag);
    let is_known = TAGS.iter().any(|(tag, _)| is(tag))
        || OF_PLAYERS.iter().flat_map(|(tags, _)| tags).any(|tag| is(tag))
        || SAID_BY_MOVES.iter().any(|tag| is(tag))
        || ["Result", "FEN", GAME, COMMENT, "Termination", "Adjudicated"].iter().any(|tag| is(tag));
    is_word && !is_known
}

/// Returns true if a property is written after its move.
fn is_of_node(name: &str) -> bool {
    matches!(name, "C" | NAG | psq::MOVE_TIME) || GLYPHS.iter().any(|(.., known, _)| *known == name)
}

/// Next step of the writer.
enum Step {
    /// The move of this node.
    Move(usize),
    /// The continuation of this node.
    Line(usize),
    Open,
    Close,
}

/// Characters of a line of moves, as PGN's export format has it.
const MAX_LINE: usize = 79;

/// The movetext of a game, broken into lines between words; comments keep their own lines.
#[derive(Default)]
struct Movetext {
    text: String,
    line: usize,
    is_open: bool,
}

impl Movetext {
    fn word(&mut self, word: &str) {
        let first = word.split('\n').next().unwrap_or(word);
        if self.line > 0 && !self.is_open {
            if self.line + 1 + first.chars().count() > MAX_LINE {
                self.text.push('\n');
                self.line = 0;
            } else {
                self.text.push(' ');
                self.line += 1;
            }
        }
        self.is_open = false;
        self.text.push_str(word);
        self.line = match word.rsplit_once('\n') {
            Some((_, last)) => last.chars().count(),
            None => self.line + word.chars().count(),
        };
    }
}

fn write_moves(text: &mut String, game: &GameTree, outcome: &str, left_out: &mut Vec<Note>) -> Result<(), FileError> {
    let start = game.start()?;
    let words = game.words()?;
    // A node without a move belongs to the one before it.
    let mut place: Vec<usize> = (0..game.nodes.len()).collect();
    let mut children: Vec<Vec<usize>> = vec![Vec::new(); game.nodes.len()];
    let mut plies = vec![0_usize; game.nodes.len()];
    let mut said: Vec<Vec<&Property>> = vec![Vec::new(); game.nodes.len()];
    for (number, node) in game.nodes.iter().enumerate() {
        if number > 0 && node.made.is_none() {
            place[number] = place[node.parent];
        } else if number > 0 {
            let parent = place[node.parent];
            children[parent].push(number);
            plies[number] = plies[parent] + 1;
        }
        let of_node = |property: &&Property| number > 0 || is_of_node(&property.name);
        said[place[number]].extend(node.properties.iter().filter(of_node));
    }
    let begun = start.ply() as usize / 2 * 2 + usize::from(start.turn() == Some(Side::Second));
    let mut out = Movetext::default();
    write_said(&mut out, game, &said[0], left_out);
    let mut needs_number = true;
    let mut steps = vec![Step::Line(0)];
    while let Some(step) = steps.pop() {
        match step {
            Step::Line(number) => {
                let Some((&main, others)) = children[number].split_first() else { continue };
                steps.push(Step::Line(main));
                for &other in others.iter().rev() {
                    steps.extend([Step::Close, Step::Line(other), Step::Move(other), Step::Open]);
                }
                steps.push(Step::Move(main));
            }
            Step::Open => {
                out.word("(");
                (out.is_open, needs_number) = (true, true);
            }
            Step::Close => {
                out.text.push(')');
                out.line += 1;
                needs_number = true;
            }
            Step::Move(number) => {
                let Some(made) = &game.nodes[number].made else { continue };
                let full = (begun + plies[number] - 1) / 2 + 1;
                match made.side {
                    Side::First => out.word(&format!("{full}.")),
                    Side::Second if needs_number => out.word(&format!("{full}...")),
                    Side::Second => {}
                }
                out.word(&words[number]);
                needs_number = write_said(&mut out, game, &said[number], left_out);
            }
        }
    }
    out.word(outcome);
    text.push_str(&out.text);
    text.push_str("\n\n");
    Ok(())
}

/// Writes the glyphs and comments of a place. Returns whether there is a comment.
fn write_said(out: &mut Movetext, game: &GameTree, said: &[&Property], left_out: &mut Vec<Note>) -> bool {
    let mut has_comment = false;
    for property in said {
        match (&*property.name, property.values.as_slice()) {
            ("C", values) => {
                for plain in values.iter().map(|value| unescaped(value)) {
                    write_comment(out, plain.trim());
                }
                has_comment = true;
            }
            (psq::MOVE_TIME, [seconds]) if seconds.trim().parse::<f64>().is_ok_and(|s| s.is_finite() && s >= 0.0) => {
                out.word(&format!("{{[%emt {}]}}", clock(seconds.trim().parse().unwrap_or_default())));
                has_comment = true;
            }
            (NAG, values) if values.iter().all(|value| value.parse::<u8>().is_ok()) => {
                for number in values.iter().filter_map(|value| value.parse().ok()) {
                    out.word(&format!("${}", exchanged_glyph(number)));
                }
            }
            (name, [value]) if name != NAG && glyph(name, value).is_some() => {
                out.word(&format!("${}", glyph(name, value).unwrap_or_default()));
            }
            (name, _) => left_out.push(Note::property(game.place, name)),
        }
    }
    has_comment
}

/// The glyph of a property, where White is the first side.
fn glyph(name: &str, value: &str) -> Option<u8> {
    let found = GLYPHS.iter().find(|(_, _, known, of)| *known == name && *of == value.trim())?;
    Some(exchanged_glyph(found.0))
}

/// A time as clocks show it, `0:00:01.5`.
fn clock(seconds: f64) -> String {
    let ms = (seconds.min(1e9) * 1_000.0).round() as u64;
    let fraction = format!("{:.3}", (ms % 60_000) as f64 / 1_000.0);
    let fraction = fraction.trim_end_matches('0').trim_end_matches('.');
    let fraction = if ms % 60_000 < 10_000 { format!("0{fraction}") } else { fraction.to_owned() };
    format!("{}:{:02}:{fraction}", ms / 3_600_000, ms / 60_000 % 60)
}

/// Writes a comment; lines with a closing brace, which would end it, as comments to the end of the line.
fn write_comment(out: &mut Movetext, plain: &str) {
    if plain.is_empty() {
        return;
    }
    if !plain.contains('}') {
        return out.word(&format!("{{{plain}}}"));
    }
    for line in plain.lines() {
        let is_whole = line.contains('}') || line.trim().is_empty();
        out.word(&if is_whole { format!("; {line}\n") } else { format!("{{{line}}}") });
    }
}

impl GameTree {
    /// Returns how the rules end the main line, if they do.
    pub fn outcome_of_moves(&self) -> Option<Outcome> {
        let mut state = self.start().ok()?;
        for made in self.main_moves() {
            if state.turn()? != made.side {
                return None;
            }
            let arguments = state.read_any(&made.judged).ok()?;
            state.answer(&arguments).ok()?;
        }
        state.ending().map(|ending| ending.outcome)
    }

    /// The moves of all nodes as words of PGN; empty if there is none.
    pub(super) fn words(&self) -> Result<Vec<String>, FileError> {
        let is_renju = self.game.can(Capability::GameFiles);
        let mut words = vec![String::new(); self.nodes.len()];
        let mut way = vec![(0, self.start()?)];
        for (number, node) in self.nodes.iter().enumerate().skip(1) {
            let Some(made) = &node.made else {
                if !is_renju {
                    while way.last().is_some_and(|&(at, _)| at != node.parent) {
                        way.pop();
                    }
                    let Some((_, state)) = way.last() else { break };
                    way.push((number, state.boxed_clone()));
                }
                continue;
            };
            if is_renju {
                let m = point::judged(&made.judged);
                words[number] = m.map_or_else(|| word(None, &made.judged), Move::letters);
                continue;
            }
            while way.last().is_some_and(|&(at, _)| at != node.parent) {
                way.pop();
            }
            let Some((_, before)) = way.last() else { break };
            let mut state = before.boxed_clone();
            let judged = state.read_any(&made.judged).and_then(|arguments| state.answer(&arguments));
            let judged = judged.map_err(|error| FileError::at(node.place, FileProblem::rules(&error)))?;
            words[number] = word(state.exchanged(), &judged);
            way.push((number, state));
        }
        Ok(words)
    }
}
