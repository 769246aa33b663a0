//! The Smart Game Format, FF\[4\] (<https://www.red-bean.com/sgf/>), game 4: renju.
//!
//! Whole collections are read: games with variations, starting positions (AB, AW, PL) and positions set up on the way,
//! and every property. Points are written as the format does for Go, `hh`; `h8`, as renju programs write it, is
//! accepted too. Values keep their escapes, so that unknown properties are written back unchanged.

use agon_catalog::Game;
use agon_game::Side;
use agon_rules::renju::{Board, Move, Renju, SIZE};

use super::charset::{self, Charset, Decoded};
use super::error::{FileError, FileProblem, Limits};
use super::point;
use super::tree::{self, Collection, GameTree, Note, Property, TreeMove, TreeNode};

/// Properties of the whole game: in the first node they belong to the root, wherever they are in it.
const HEADER: [&str; 31] = [
    "AP", "CA", "FF", "GM", "ST", "SZ", "AN", "BR", "BT", "CP", "DT", "EV", "GN", "GC", "ON", "OT", "PB", "PC", "PW",
    "RE", "RO", "RU", "SO", "TM", "US", "WR", "WT", "KM", "HA", "AB", "AW",
];

/// Returns true if a property describes the whole game.
pub fn is_game_info(name: &str) -> bool {
    HEADER.contains(&name)
}

/// Properties that the writer sets for each game.
const OWN: [&str; 5] = ["FF", "GM", "CA", "AP", "SZ"];

/// Maximum length of an invalid value in messages.
const MAX_SHOWN: usize = 20;

/// The most properties of a node; the format knows 70.
const MAX_PROPERTIES: usize = 1_000;

/// Properties that change the position without a move.
const SETUP: [&str; 4] = ["AB", "AW", "AE", "PL"];

/// Number of bytes of a game searched for its charset.
const MAX_HEAD: usize = 4_096;

/// Decodes a file, each game in the charset that it names, with remarks.
pub fn decoded(bytes: &[u8], asked: Option<Charset>) -> (String, Vec<Note>) {
    let whole = |bytes: &[u8], stated: Option<&str>| {
        let Decoded { text, note } = charset::decoded(bytes, stated, asked);
        (text, note.into_iter().collect())
    };
    // The charsets that are named, where games begin.
    let starts: Vec<usize> = starts(bytes).collect();
    let stated: Vec<Option<String>> = starts.iter().map(|&start| stated(&bytes[start..])).collect();
    let mut names: Vec<String> = stated.iter().flatten().map(|name| name.to_ascii_lowercase()).collect();
    names.sort_unstable();
    names.dedup();
    let usual = names.first().filter(|_| names.len() == 1).map(String::as_str);
    let is_one = usual.is_some() && std::str::from_utf8(bytes).is_ok();
    if asked.is_some() || bytes.is_ascii() || names.is_empty() || is_one || starts.len() == 1 {
        return whole(bytes, names.first().map(String::as_str));
    }
    let (mut text, mut notes) = (String::new(), Vec::<Note>::new());
    let mut at = 0;
    while at < bytes.len() {
        let next = starts.partition_point(|&start| start < at);
        let named = stated.get(next).and_then(Option::as_deref).or(usual);
        let end = at + end_of_game(&bytes[at..], named);
        let Decoded { text: game, note } = charset::decoded(&bytes[at..end], named, None);
        if let Some(note) = note.filter(|note| notes.iter().all(|known| known.text != note.text)) {
            notes.push(Note::remark(1 + text.matches('\n').count(), note.text));
        }
        text.push_str(&game);
        at = end;
    }
    (text, notes)
}

/// Returns the starts of games, or of variations or texts that look like one.
fn starts(bytes: &[u8]) -> impl Iterator<Item = usize> {
    let begins = |at: &usize| {
        let rest = &bytes[at + 1..];
        rest.iter().find(|byte| !byte.is_ascii_whitespace()) == Some(&b';')
    };
    bytes.iter().enumerate().filter(|(_, byte)| **byte == b'(').map(|(at, _)| at).filter(begins)
}

/// The charset that the first node of a game names.
fn stated(bytes: &[u8]) -> Option<String> {
    let head = &bytes[..bytes.len().min(MAX_HEAD)];
    let next = starts(&head[1.min(head.len())..]).next().map_or(head.len(), |at| at + 1);
    let head = &head[..next];
    let names = |at: &usize| head[*at..].starts_with(b"CA[") && !(*at > 0 && head[at - 1].is_ascii_uppercase());
    let at = (0..head.len()).find(names)?;
    let name = head[at + 3..].split(|&byte| byte == b']').next()?;
    Some(String::from_utf8_lossy(name).trim().to_owned()).filter(|name| !name.is_empty())
}

/// Returns the end of a game, and the charset of the text up to the next. Second bytes of some charsets look like
/// brackets, so characters are decoded one by one.
fn end_of_game(bytes: &[u8], named: Option<&str>) -> usize {
    let encoding = named.and_then(charset::named).unwrap_or(encoding_rs::UTF_8);
    let mut decoder = encoding.new_decoder_without_bom_handling();
    let (mut depth, mut in_value, mut is_escaped, mut has_ended) = (0_usize, false, false, false);
    for (at, byte) in bytes.iter().enumerate() {
        let mut room = [0_u8; 16];
        let (_, _, written, _) = decoder.decode_to_utf8(std::slice::from_ref(byte), &mut room, false);
        for c in std::str::from_utf8(&room[..written]).unwrap_or_default().chars() {
            match c {
                '(' if has_ended => return at,
                _ if is_escaped => is_escaped = false,
                '\\' if in_value => is_escaped = true,
                ']' if in_value => in_value = false,
                '[' if !in_value && depth > 0 => in_value = true,
                '(' if !in_value => depth += 1,
                ')' if !in_value && depth > 0 => {
                    depth -= 1;
                    has_ended = depth == 0;
                }
                _ => {}
            }
        }
    }
    bytes.len()
}

/// Reads a collection.
///
/// # Errors
/// [`FileError`] with the first line that is invalid SGF, another game, or beyond the limits.
pub fn read(text: &str, limits: &Limits) -> Result<Collection, FileError> {
    let start = text
        .match_indices('(')
        .map(|(bracket, _)| bracket)
        .find(|bracket| text[bracket + 1..].trim_start().starts_with(';'))
        .ok_or_else(|| FileError::at(1, FileProblem::SgfNoGame))?;
    let mut reader = Reader {
        rest: text[start..].chars(),
        line: 1 + text[..start].matches('\n').count(),
        limits,
        collection: Collection::default(),
        nodes: 0,
    };
    reader.collection()?;
    match reader.collection.refused.first() {
        Some((_, error)) if reader.collection.games.is_empty() => Err(error.clone()),
        _ => Ok(reader.collection),
    }
}

struct Reader<'a> {
    rest: std::str::Chars<'a>,
    line: usize,
    limits: &'a Limits,
    collection: Collection,
    /// In all games.
    nodes: usize,
}

/// A game that is being read.
struct Open {
    tree: GameTree,
    /// The node that properties go to.
    at: usize,
    /// Number of moves that lead to each node.
    plies: Vec<usize>,
    /// Places of the open brackets, the innermost last.
    brackets: Vec<usize>,
    /// True once nodes have started.
    begun: bool,
    /// True while the first node is being read.
    in_root: bool,
    /// GM of another game, and its line: some programs write it for renju, and name renju in RU.
    other: Option<(usize, String)>,
    /// True if the board has 15 by 15 points according to SZ, or GM is renju.
    fifteen: bool,
}

impl Reader<'_> {
    fn next(&mut self) -> Option<char> {
        let c = self.rest.next();
        self.line += usize::from(c == Some('\n'));
        c
    }

    fn refused<T>(&self, problem: FileProblem) -> Result<T, FileError> {
        Err(FileError::at(self.line, problem))
    }

    fn collection(&mut self) -> Result<(), FileError> {
        while let Some(c) = self.next() {
            match c {
                '(' => {
                    let number = self.collection.count() + 1;
                    if number > self.limits.games {
                        return self.refused(FileProblem::TooManyGames { limit: self.limits.games });
                    }
                    let (begun, line) = (self.rest.clone(), self.line);
                    match self.game() {
                        Ok(game) => self.collection.games.push(GameTree { number, ..game }),
                        Err(error) => {
                            // The others are read once it is clear where this one ends.
                            (self.rest, self.line) = (begun, line);
                            if !self.pass_over() {
                                return Err(error);
                            }
                            self.collection.refused.push((number, error));
                        }
                    }
                }
                c if c.is_whitespace() || c == '\0' => {}
                found => return self.refused(FileProblem::SgfAfterGame { found }),
            }
        }
        Ok(())
    }

    /// Goes to the end of a game whose bracket has been read; whether it has one.
    fn pass_over(&mut self) -> bool {
        let mut depth = 1_usize;
        while let Some(c) = self.next() {
            match c {
                '[' if self.value().is_err() => return false,
                '(' => depth += 1,
                ')' if depth == 1 => return true,
                ')' => depth -= 1,
                _ => {}
            }
        }
        false
    }

    /// Reads a game whose bracket has been read.
    fn game(&mut self) -> Result<GameTree, FileError> {
        let begun = self.line;
        let tree = GameTree::new(Game::RENJU, begun);
        let mut game = Open {
            tree,
            at: 0,
            plies: vec![0],
            brackets: vec![0],
            begun: false,
            in_root: false,
            other: None,
            fifteen: false,
        };
        let mut name = String::new();
        let mut valued = false;
        loop {
            let Some(c) = self.next() else {
                return Err(FileError::at(begun, FileProblem::SgfCutOff));
            };
            let in_name = c.is_ascii_alphanumeric() || c.is_whitespace() || c == '[';
            if !in_name && !name.is_empty() && !valued {
                return self.refused(FileProblem::SgfNoValue { property: name });
            }
            match c {
                '(' => game.brackets.push(game.at),
                ')' => {
                    game.at = game.brackets.pop().unwrap_or_default();
                    if game.brackets.is_empty() {
                        break;
                    }
                }
                ';' if !game.begun => (game.begun, game.in_root) = (true, true),
                ';' => self.node(&mut game, false)?,
                '[' if !name.is_empty() => {
                    let line = self.line;
                    let value = self.value()?;
                    self.property(&mut game, &name, value, line)?;
                    valued = true;
                    continue;
                }
                c if c.is_ascii_alphanumeric() => {
                    if valued {
                        name.clear();
                    }
                    name.push(c);
                    valued = false;
                    continue;
                }
                c if c.is_whitespace() => continue,
                found => return self.refused(FileProblem::SgfUnexpected { found }),
            }
            name.clear();
            valued = false;
            if c != ';' {
                game.in_root = false;
            }
        }
        check_game(&game)?;
        if let Some(problem) = set_up(&mut game.tree) {
            return Err(FileError::at(begun, problem));
        }
        Ok(game.tree)
    }

    /// Begins a node, for a move or without one.
    fn node(&mut self, game: &mut Open, has_move: bool) -> Result<(), FileError> {
        self.nodes += 1;
        let plies = game.plies[game.at] + usize::from(has_move);
        self.limits.check(self.line, self.nodes, plies)?;
        game.at = game.tree.push(game.at, None, self.line);
        game.plies.push(plies);
        game.in_root = false;
        Ok(())
    }

    /// The value up to its closing bracket, with its escapes; line ends of other systems are `\n`.
    fn value(&mut self) -> Result<String, FileError> {
        let begun = self.line;
        let mut value = String::new();
        loop {
            match self.next() {
                Some(']') => return Ok(value),
                Some('\\') => {
                    value.push('\\');
                    match self.next() {
                        Some('\r') => value.push(self.line_end()),
                        Some(escaped) => value.push(escaped),
                        None => return Err(FileError::at(begun, FileProblem::SgfOpenValue)),
                    }
                }
                Some('\r') => value.push(self.line_end()),
                Some(c) => value.push(c),
                None => return Err(FileError::at(begun, FileProblem::SgfOpenValue)),
            }
        }
    }

    /// The line end that begins with a carriage return.
    fn line_end(&mut self) -> char {
        if self.rest.as_str().starts_with('\n') {
            self.next();
        }
        '\n'
    }

    fn property(&mut self, game: &mut Open, name: &str, value: String, line: usize) -> Result<(), FileError> {
        // Format 3 mixed meaningless small letters into the names of properties; some programs write nothing else.
        let capitals: String = name.chars().filter(|c| !c.is_ascii_lowercase()).collect();
        let short = if capitals.is_empty() { name.to_ascii_uppercase() } else { capitals.clone() };
        if capitals.is_empty() && name.len() > 2 {
            return Err(FileError::at(line, FileProblem::SgfName { name: name.to_owned() }));
        }
        let trimmed = value.trim();
        let side = match &*short {
            "B" => Side::First,
            "W" => Side::Second,
            "GM" => {
                let is_renju = trimmed == "4";
                game.fifteen |= is_renju;
                game.other = (!is_renju).then(|| (line, trimmed.to_owned()));
                return Ok(());
            }
            "SZ" if !matches!(trimmed, "15" | "15:15") => {
                check_game(game)?;
                return Err(FileError::at(line, FileProblem::SgfSize { text: trimmed.to_owned() }));
            }
            header => {
                game.fifteen |= header == "SZ";
                let node = if game.in_root && HEADER.contains(&header) { 0 } else { game.at };
                if game.tree.nodes[node].properties.len() >= MAX_PROPERTIES {
                    return Err(FileError::at(line, FileProblem::SgfProperties { limit: MAX_PROPERTIES }));
                }
                if !(node == 0 && OWN.contains(&header)) {
                    game.tree.add_value(node, header, value);
                }
                return Ok(());
            }
        };
        let number = game.plies[game.at] + 1;
        let made = match point::move_of_sgf(trimmed) {
            Some(m) => Ok(TreeMove { side, judged: m.to_string() }),
            None => {
                check_game(game)?;
                let text: String = tree::one_line(trimmed).chars().take(MAX_SHOWN).collect();
                let larger = trimmed.len() == 2 && trimmed.bytes().all(|byte| (b'a'..=b's').contains(&byte));
                if larger && !game.fifteen {
                    return Err(FileError::at(line, FileProblem::Go { number, text }));
                }
                Err(FileProblem::OffBoard { number, text })
            }
        };
        let at = game.at;
        if at == 0 || game.tree.nodes[at].made.is_some() || game.tree.nodes[at].problem.is_some() {
            let in_root = game.in_root;
            self.node(game, true)?;
            game.in_root = in_root;
        } else {
            game.plies[at] += 1;
            self.limits.check(line, self.nodes, game.plies[at])?;
        }
        let node = &mut game.tree.nodes[game.at];
        match made {
            Ok(made) => node.made = Some(made),
            Err(problem) => (node.problem, node.place) = (Some(problem), line.into()),
        }
        Ok(())
    }
}

/// Refuses another game than renju. Programs name five in a row by several numbers, `ZJRenju` and others by Go's 1: on
/// 15 by 15 points that is renju, unless something else says that it is Go.
fn check_game(game: &Open) -> Result<(), FileError> {
    let is_renju = game.tree.plain(0, "RU").to_ascii_lowercase().contains("renju");
    match &game.other {
        Some((line, text)) if !is_renju && (!game.fifteen || text == GO && is_go(&game.tree)) => {
            Err(FileError::at(*line, FileProblem::SgfGame { text: text.clone() }))
        }
        _ => Ok(()),
    }
}

/// The number of Go.
const GO: &str = "1";

/// Returns true if a game on 15 by 15 points is Go: it has a komi, a handicap, territory, or rules of Go.
fn is_go(tree: &GameTree) -> bool {
    let is_positive = |name: &str| tree.plain(0, name).trim().parse::<f64>().is_ok_and(|number| number != 0.0);
    let rules = tree.plain(0, "RU").to_ascii_lowercase();
    let of_go = ["japan", "chin", "korea", "aga", "ing", "nz", "tromp"].iter().any(|name| rules.starts_with(name));
    let has_territory = || tree.nodes.iter().flat_map(|node| &node.properties).any(|p| matches!(&*p.name, "TB" | "TW"));
    is_positive("KM") || is_positive("HA") || of_go || has_territory()
}

/// Converts the stones set up in the root to a position, and removes these properties. Returns the error, if any.
fn set_up(tree: &mut GameTree) -> Option<FileProblem> {
    let root = &mut tree.nodes[0];
    let (setup, kept): (Vec<Property>, Vec<Property>) =
        std::mem::take(&mut root.properties).into_iter().partition(|property| SETUP.contains(&&*property.name));
    root.properties = kept;
    if setup.is_empty() {
        return None;
    }
    let first = tree.nodes.iter().find_map(|node| node.made.as_ref()).map(|made| made.side);
    let holder = TreeNode { properties: setup, ..TreeNode::default() };
    match changed(&Renju::default(), &holder, first) {
        Ok(position) => tree.position = (position != Renju::default()).then(|| position.to_string()),
        Err(problem) => return Some(problem),
    }
    None
}

/// Returns true if a property changes the position without a move.
pub fn is_setup(name: &str) -> bool {
    SETUP.contains(&name)
}

/// Returns true if a node sets up stones.
pub fn sets_up(node: &TreeNode) -> bool {
    node.properties.iter().any(|property| is_setup(&property.name))
}

/// Returns the position after a node's set-up. The side to move follows from PL, or `next`, or the number of stones.
///
/// # Errors
/// The error in it.
pub fn changed(position: &Renju, node: &TreeNode, next: Option<Side>) -> Result<Renju, FileProblem> {
    let mut owners: Vec<Option<Side>> = agon_rules::renju::Point::all().map(|p| position.board().owner(p)).collect();
    let mut turn = next;
    let mut stones = false;
    for property in &node.properties {
        let owner = match &*property.name {
            "AB" => Some(Side::First),
            "AW" => Some(Side::Second),
            "AE" => None,
            "PL" => {
                let player = property.plain();
                turn = match player.trim().chars().next() {
                    Some('B' | 'b' | '1') => Some(Side::First),
                    Some('W' | 'w' | '2') => Some(Side::Second),
                    _ => return Err(FileProblem::SgfSide { text: player }),
                };
                continue;
            }
            _ => continue,
        };
        stones = true;
        let name = || property.name.clone();
        let points = point::list(&property.values)
            .ok_or_else(|| FileProblem::SgfPoints { property: name(), values: property.values.join("][") })?;
        for point in points {
            if owner.is_some() && owners[point.index()].is_some_and(|other| Some(other) != owner) {
                return Err(FileProblem::SgfTwoStones { property: name(), point: point.letters() });
            }
            owners[point.index()] = owner;
        }
    }
    let mut board = Board::EMPTY;
    let mut count = [0_u32; 2];
    for point in agon_rules::renju::Point::all() {
        if let Some(side) = owners[point.index()] {
            board.place(point, side);
            count[side.index()] += 1;
        }
    }
    let turn = turn.unwrap_or(if count[0] > count[1] { Side::Second } else { Side::First });
    if !stones && turn == agon_game::Position::turn(position) {
        return Ok(position.clone());
    }
    Ok(Renju::new(board, turn, 0, count[0] + count[1])?)
}

/// Writes a collection.
///
/// # Errors
/// [`FileError`] when a game is not of renju.
pub fn write(collection: &Collection) -> Result<String, FileError> {
    let mut text = String::new();
    for game in &collection.games {
        write_game(&mut text, game)?;
    }
    Ok(text)
}

fn write_game(text: &mut String, game: &GameTree) -> Result<(), FileError> {
    text.push_str(&format!("(;FF[4]GM[4]CA[UTF-8]AP[Agon]SZ[{SIZE}]"));
    if let Some(position) = &game.position {
        let position: Renju = position.parse::<Renju>().map_err(FileError::whole)?;
        for (side, name) in Side::BOTH.into_iter().zip(["AB", "AW"]) {
            let points: Vec<String> =
                position.board().stones(side).iter().map(|p| format!("[{}]", point::to_sgf(p))).collect();
            if !points.is_empty() {
                text.push_str(name);
                text.push_str(&points.concat());
            }
        }
        text.push_str(if agon_game::Position::turn(&position) == Side::First { "PL[B]" } else { "PL[W]" });
    }
    write_properties(text, game.header());
    let children = game.children();
    let mut plies = vec![0_usize; game.nodes.len()];
    // Nodes whose children are in open brackets.
    let mut open: Vec<usize> = Vec::new();
    for (number, node) in game.nodes.iter().enumerate().skip(1) {
        let parent = node.parent;
        while parent + 1 != number && open.last().is_some_and(|&bracket| bracket >= parent) {
            open.pop();
            text.push(')');
        }
        if children[parent] > 1 {
            open.push(parent);
            text.push('(');
        }
        plies[number] = plies[parent] + usize::from(node.made.is_some());
        if node.made.is_some() && plies[parent].is_multiple_of(10) {
            text.push('\n');
        }
        text.push(';');
        if let Some(made) = &node.made {
            let m = point::judged(&made.judged).ok_or_else(|| not_renju(&made.judged))?;
            let place = if let Move::Stone(stone) = m { point::to_sgf(stone) } else { String::new() };
            text.push_str(&format!("{}[{place}]", if made.side == Side::First { 'B' } else { 'W' }));
        }
        write_properties(text, &node.properties);
    }
    text.push_str(&")".repeat(open.len()));
    text.push_str(")\n");
    Ok(())
}

fn not_renju(judged: &str) -> FileError {
    FileError::whole(FileProblem::NotRenju { judged: judged.to_owned() })
}

fn write_properties(text: &mut String, properties: &[Property]) {
    for property in properties {
        text.push_str(&property.name);
        for value in &property.values {
            text.push_str(&format!("[{value}]"));
        }
    }
}
