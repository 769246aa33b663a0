//! Games in memory: a collection of trees of moves with properties, which every reader fills and every writer takes.
//!
//! Properties have the names and the values of SGF's FF\[4\], the most expressive format: `C` is a comment, `TR` a
//! mark, `PB` the name of Black's player. Values are stored as SGF writes them, with their escapes, so that unknown
//! ones are written back unchanged; [`Property::plain`] is the text of a value.

use std::collections::BTreeMap;

use agon_catalog::Game;
use agon_game::{Outcome, Side};
use agon_message::{English, messages};

use super::error::{FileError, FileProblem, Place};
use super::result::{self, WonBy};

/// Games that were read from a file or will be written.
#[derive(Clone, Debug, Default)]
pub struct Collection {
    pub games: Vec<GameTree>,
    /// Games that cannot be read, by their number in the file, from 1.
    pub refused: Vec<(usize, FileError)>,
    /// Content of the file that the games lack.
    pub left_out: Vec<Note>,
}

impl Collection {
    /// These games, numbered from 1.
    pub fn from_games(games: Vec<GameTree>) -> Self {
        let mut collection = Self { games, ..Self::default() };
        for (game, number) in collection.games.iter_mut().zip(1..) {
            game.number = number;
        }
        collection
    }

    /// Returns the number of games in the file, including those that cannot be read.
    pub fn count(&self) -> usize {
        self.games.len() + self.refused.len()
    }
}

messages! {
    /// A remark on a file, or on content omitted from it.
    #[derive(Clone, PartialEq, Eq)]
    pub enum FileRemark {
        Refused { moves: MoveCount, problem: FileProblem } = "{moves} from here on: {problem}",
        Game { number: usize, problem: FileProblem } = "game {number}: {problem}",
        SetUpLater { moves: MoveCount } = "stones set up within the game, and {moves} from there on",
        SplitGame = "stones are set up within the game; what follows is read as another game",
        Forbidden { number: usize, shown: String, why: English } =
            "move {number}, {shown}, is forbidden ({why}); Black loses by it",
        LostStone = "the forbidden stone that ends a line, which boards cannot play",
        Property { name: String } = "property {name}",
        Variation = "1 variation",
        Variations { count: usize } = "{count} variations",
        More { count: usize } = "{count} more",
        Name { name: String, written: String } = "the name `{name}` is written as `{written}`",
        SecondWins = "`1-0` means a win of the side that moves second, as the finished games show",
        // Charsets.
        IsUtf8 { charset: &'static str } = "the charset is UTF-8, not {charset} as the file says",
        UnknownCharset { stated: String, charset: &'static str } =
            "unknown charset: `{stated}`; read as {charset}, which the text looks like (--charset names another)",
        NotUtf8 { charset: &'static str } =
            "not UTF-8, as the file says; read as {charset}, which the text looks like (--charset names another)",
        GuessedCharset { charset: &'static str } =
            "no charset given, and not UTF-8; read as {charset}, which the text looks like (--charset names another)",
        OutsideCharset { count: usize, charset: &'static str } =
            "characters not in {charset}: {count} (--charset names another charset)",
        TextsReadAs { charset: &'static str } =
            "texts are read as {charset}, which they look like (--charset names another)",
        SomeTextsReadAs { charset: &'static str } =
            "some texts are read as {charset}, which they look like (--charset names another)",
        // Libraries.
        TextOnNoPoint { text: String } = "a text on no point, `{text}`",
        BytesAfterTree { bytes: usize } = "bytes after the end of the tree: {bytes}",
        OpeningMarks { count: usize } = "marks of where the library is opened: {count}",
        LabelOnNoPoint { label: String } = "LB[{label}]: no text on a point",
        LabelTaken { label: String, known: String } = "LB[{label}]: `{known}` is on the point",
    }

    /// A number of moves.
    #[derive(Clone, Copy, PartialEq, Eq)]
    pub enum MoveCount {
        One = "1 move",
        Many { count: usize } = "{count} moves",
    }
}

impl MoveCount {
    pub const fn new(count: usize) -> Self {
        if count == 1 { Self::One } else { Self::Many { count } }
    }
}

/// Something about a place of a file.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Note {
    pub place: Place,
    pub text: FileRemark,
    /// True if the games lack the content; otherwise it is a remark.
    pub is_left_out: bool,
    /// Property it refers to, if the format cannot express it.
    pub property: Option<String>,
}

impl Note {
    /// Something that is left out.
    pub fn left_out(place: impl Into<Place>, text: FileRemark) -> Self {
        Self { place: place.into(), text, is_left_out: true, property: None }
    }

    /// Something that one should know.
    pub fn remark(place: impl Into<Place>, text: FileRemark) -> Self {
        Self { place: place.into(), text, is_left_out: false, property: None }
    }

    /// Creates a note for a property that a format cannot express.
    pub fn property(place: impl Into<Place>, name: &str) -> Self {
        Self {
            property: Some(name.to_owned()),
            ..Self::left_out(place, FileRemark::Property { name: name.to_owned() })
        }
    }
}

/// The game of a tree and its moves, from its start or from a position.
#[derive(Clone, Debug)]
pub struct GameTree {
    pub game: Game,
    /// Number in the file, from 1.
    pub number: usize,
    /// Start in the file.
    pub place: Place,
    /// Starting position in the game's own notation, if it is not the usual one.
    pub position: Option<String>,
    /// The parameters of its start.
    pub parameters: BTreeMap<String, String>,
    pub seed: u64,
    /// The root first, and each node before its children, a child with everything below it before the next child.
    pub nodes: Vec<TreeNode>,
}

/// A place in a game.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct TreeNode {
    /// The number of the node before it; for the root its own, 0.
    pub parent: usize,
    /// The move that leads here, if one does.
    pub made: Option<TreeMove>,
    /// Reason why the move that leads here cannot be read. Its continuation is in the tree until the moves are checked.
    pub problem: Option<FileProblem>,
    pub properties: Vec<Property>,
    /// Place in the file.
    pub place: Place,
    /// True if its move is forbidden, so that its side has lost.
    pub is_lost: bool,
}

/// A move of a tree.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct TreeMove {
    pub side: Side,
    /// Move in the judge's notation: the arguments of MOVE.
    pub judged: String,
}

/// A property of a node.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Property {
    /// Name in SGF.
    pub name: String,
    /// Values as SGF writes them between brackets.
    pub values: Vec<String>,
}

/// A line of a tree, as the numbers of its nodes.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct TreeLine {
    /// Number of moves shared with the line before it.
    pub shared: usize,
    /// The nodes with moves that follow them.
    pub nodes: Vec<usize>,
}

impl Property {
    /// A property with one plain text.
    pub fn text(name: &str, plain: &str) -> Self {
        Self { name: name.to_owned(), values: vec![escaped(plain)] }
    }

    /// The first value as plain text.
    pub fn plain(&self) -> String {
        self.values.first().map_or_else(String::new, |value| unescaped(value))
    }
}

/// A plain text as the value of a property.
pub fn escaped(plain: &str) -> String {
    let mut value = String::with_capacity(plain.len());
    for c in plain.replace("\r\n", "\n").replace('\r', "\n").chars() {
        match c {
            ']' | '\\' => value.extend(['\\', c]),
            '\n' | '\t' => value.push(c),
            c if c.is_control() => value.push(' '),
            c => value.push(c),
        }
    }
    value
}

/// The plain text of a value: without escapes, and without line ends that an escape takes away.
pub fn unescaped(value: &str) -> String {
    let mut plain = String::with_capacity(value.len());
    let mut rest = value.chars();
    while let Some(c) = rest.next() {
        match c {
            '\\' => plain.extend(rest.next().filter(|&escaped| escaped != '\n')),
            c => plain.push(c),
        }
    }
    plain
}

impl GameTree {
    /// A game without moves.
    pub fn new(game: Game, place: impl Into<Place>) -> Self {
        let place = place.into();
        let root = TreeNode { place, ..TreeNode::default() };
        Self { game, number: 1, place, position: None, parameters: BTreeMap::new(), seed: 0, nodes: vec![root] }
    }

    /// A game with one line of moves, by turns from the first side on.
    pub fn of_moves(game: Game, moves: impl IntoIterator<Item = String>) -> Self {
        let mut tree = Self::new(game, 1);
        for (number, judged) in moves.into_iter().enumerate() {
            let side = Side::BOTH[number % 2];
            tree.push(number, Some(TreeMove { side, judged }), 1);
        }
        tree
    }

    /// Adds a node behind this one, and returns its number. Where this one is neither the last nor on the way to it,
    /// [`GameTree::in_order`] must follow.
    pub fn push(&mut self, parent: usize, made: Option<TreeMove>, place: impl Into<Place>) -> usize {
        self.nodes.push(TreeNode { parent, made, place: place.into(), ..TreeNode::default() });
        self.nodes.len() - 1
    }

    /// The root's properties: of the game as a whole.
    pub fn header(&self) -> &[Property] {
        &self.nodes[0].properties
    }

    /// The plain text of a property; empty if the node has none.
    pub fn plain(&self, node: usize, name: &str) -> String {
        self.property(node, name).map(Property::plain).unwrap_or_default()
    }

    pub fn property(&self, node: usize, name: &str) -> Option<&Property> {
        self.nodes[node].properties.iter().find(|property| property.name == name)
    }

    /// Sets a property to a plain text; an empty one takes it away.
    pub fn set_plain(&mut self, node: usize, name: &str, plain: &str) {
        let properties = &mut self.nodes[node].properties;
        properties.retain(|property| property.name != name);
        if !plain.is_empty() {
            properties.push(Property::text(name, plain));
        }
    }

    /// Adds a line to a property of one plain text.
    pub fn append_plain(&mut self, node: usize, name: &str, plain: &str) {
        let properties = &mut self.nodes[node].properties;
        match properties.iter_mut().find(|property| property.name == name).and_then(|p| p.values.first_mut()) {
            Some(value) => {
                value.push('\n');
                value.push_str(&escaped(plain));
            }
            None => self.set_plain(node, name, plain),
        }
    }

    /// Adds a value to a property.
    pub fn add_value(&mut self, node: usize, name: &str, value: String) {
        let properties = &mut self.nodes[node].properties;
        match properties.iter_mut().find(|property| property.name == name) {
            Some(property) => property.values.push(value),
            None => properties.push(Property { name: name.to_owned(), values: vec![value] }),
        }
    }

    /// The players' names in a line each, the first side's first; empty if unknown.
    pub fn names(&self) -> [String; 2] {
        ["PB", "PW"].map(|name| one_line(&self.plain(0, name)))
    }

    /// Returns how the game ended, by its property RE.
    pub fn result(&self) -> Option<(Outcome, WonBy)> {
        result::read(self.plain(0, "RE").trim())
    }

    /// Adds a node for a move that cannot be read, and returns its number.
    pub fn push_unread(&mut self, parent: usize, problem: FileProblem, place: impl Into<Place>) -> usize {
        let number = self.push(parent, None, place);
        self.nodes[number].problem = Some(problem);
        number
    }

    /// The first move that cannot be read.
    pub fn unread(&self) -> Option<FileError> {
        self.nodes.iter().find_map(|node| Some(FileError::at(node.place, node.problem.clone()?)))
    }

    /// The node after each of the moves of the main line, which is the first child everywhere.
    pub fn main_line(&self) -> Vec<usize> {
        let mut at = 0;
        let followed = |(number, node): (usize, &TreeNode)| {
            (node.parent == at).then(|| {
                at = number;
                node.made.is_some().then_some(number)
            })
        };
        self.nodes.iter().enumerate().skip(1).map_while(followed).flatten().collect()
    }

    /// The moves of the main line.
    pub fn main_moves(&self) -> impl Iterator<Item = &TreeMove> {
        self.main_line().into_iter().filter_map(|node| self.nodes[node].made.as_ref())
    }

    /// Returns the number of children of each node.
    pub fn children(&self) -> Vec<u32> {
        let mut children = vec![0; self.nodes.len()];
        for node in &self.nodes[1..] {
            children[node.parent] += 1;
        }
        children
    }

    /// All lines, the main one first; their nodes together are all nodes with moves, in order.
    pub fn lines(&self) -> Vec<TreeLine> {
        let children = self.children();
        let (mut lines, mut new) = (Vec::new(), Vec::new());
        // Number of moves that lead to each node.
        let mut plies = vec![0_usize; self.nodes.len()];
        let mut shared = 0;
        for (number, node) in self.nodes.iter().enumerate() {
            let before = if number == 0 { 0 } else { plies[node.parent] };
            plies[number] = before + usize::from(node.made.is_some());
            if number > 0 && node.parent + 1 != number {
                shared = before;
            }
            if node.made.is_some() {
                new.push(number);
            }
            if children[number] == 0 {
                lines.push(TreeLine { shared, nodes: std::mem::take(&mut new) });
            }
        }
        lines
    }

    /// Returns the same tree with each node before its children, and each child with its whole subtree before the next.
    pub fn in_order(mut self) -> Self {
        let mut children: Vec<Vec<usize>> = vec![Vec::new(); self.nodes.len()];
        for (number, node) in self.nodes.iter().enumerate().skip(1) {
            children[node.parent].push(number);
        }
        let mut nodes = Vec::with_capacity(self.nodes.len());
        let mut waiting = vec![(0, 0)];
        while let Some((number, parent)) = waiting.pop() {
            let at = nodes.len();
            nodes.push(TreeNode { parent, ..std::mem::take(&mut self.nodes[number]) });
            waiting.extend(children[number].iter().rev().map(|&child| (child, at)));
        }
        self.nodes = nodes;
        self
    }

    /// Removes these nodes with everything below them. Returns how many moves were removed.
    pub fn remove(&mut self, mut gone: Vec<bool>) -> usize {
        let mut numbers = Vec::with_capacity(self.nodes.len());
        let (mut kept, mut lost) = (0, 0);
        for (number, node) in self.nodes.iter_mut().enumerate() {
            gone[number] = number > 0 && (gone[number] || gone[node.parent]);
            numbers.push(kept);
            if gone[number] {
                lost += usize::from(node.made.is_some());
            } else {
                node.parent = numbers[node.parent];
                kept += 1;
            }
        }
        let mut gone = gone.into_iter();
        self.nodes.retain(|_| !gone.next().unwrap_or(false));
        lost
    }
}

/// A text in a line: line ends and other control characters are blanks.
pub fn one_line(text: &str) -> String {
    text.chars().map(|c| if c.is_control() { ' ' } else { c }).collect::<String>().trim().to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn tree(parents: &[usize]) -> GameTree {
        let mut tree = GameTree::new(Game::RENJU, 1);
        for &parent in parents {
            tree.push(parent, Some(TreeMove { side: Side::First, judged: String::new() }), 1);
        }
        tree
    }

    #[test]
    fn lines_and_main_line() {
        let tree = tree(&[0, 1, 2, 1, 4, 0]);
        assert_eq!(tree.main_line(), [1, 2, 3]);
        let lines: Vec<(usize, Vec<usize>)> = tree.lines().into_iter().map(|line| (line.shared, line.nodes)).collect();
        assert_eq!(lines, [(0, vec![1, 2, 3]), (1, vec![4, 5]), (0, vec![6])]);
    }

    #[test]
    fn a_removed_node_takes_what_follows_it() {
        let mut tree = tree(&[0, 1, 2, 1, 4, 0]);
        let mut gone = vec![false; 7];
        gone[2] = true;
        assert_eq!(tree.remove(gone), 2);
        let parents: Vec<usize> = tree.nodes.iter().map(|node| node.parent).collect();
        assert_eq!(parents, [0, 0, 1, 2, 0]);
    }

    #[test]
    fn values_are_escaped() {
        for plain in ["a]b\\c", "two\nlines", "", "tab\t:"] {
            assert_eq!(unescaped(&escaped(plain)), plain);
        }
        assert_eq!(unescaped("soft\\\nbreak \\: \\]"), "softbreak : ]");
        assert_eq!(escaped("a\r\nb\u{1}"), "a\nb ");
    }
}
