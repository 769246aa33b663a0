//! Writing games as files.

use std::collections::BTreeMap;

use agon_analysis::board::{BoardGame, BoardQuestion, Refusal};
use agon_catalog::{Capability, Game};
use agon_game::text::line;
use agon_game::{Outcome, Side};
use agon_message::messages;
use agon_protocols::formats::opening::unfold_opening;
use agon_protocols::formats::result::WonBy;
use agon_protocols::formats::{self, Collection, FileProblem, GameTree, TreeMove, result};
use serde::Deserialize;

use super::note::PlaceNote;

/// The format of records, which [`UnwrittenGame::write`] does not write.
pub const RECORD: &str = "jsonl";

/// How players ended a game.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum EndedBy {
    Resignation,
    Time,
    Agreement,
    Adjudication,
}

/// End of a game by its players, before the rules ended it.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct GameEnd {
    /// Winner, 0 or 1; `None` for a draw.
    pub winner: Option<usize>,
    pub termination: EndedBy,
}

impl GameEnd {
    /// The outcome, if such a game can have ended so.
    pub fn outcome(self) -> Option<Outcome> {
        match (self.winner, self.termination) {
            (None, EndedBy::Agreement) => Some(Outcome::Draw),
            (Some(side), EndedBy::Resignation | EndedBy::Time) => Side::BOTH.get(side).map(|&side| Outcome::Win(side)),
            _ => None,
        }
    }
}

/// Reason why a game is not written.
#[derive(Clone, Debug)]
pub enum WritingError {
    Refused(Refusal),
    /// The variations took too long.
    TooLong,
}

impl From<Refusal> for WritingError {
    fn from(refusal: Refusal) -> Self {
        Self::Refused(refusal)
    }
}

/// Content type of a file that is not text.
pub const BINARY: &str = "application/octet-stream";

/// The formats of files of games, and how their content is called.
const KINDS: [(&str, &str); 9] = [
    ("jsonl", "application/x-ndjson"),
    ("sgf", "application/x-go-sgf"),
    ("psq", "text/plain; charset=utf-8"),
    ("txt", "text/plain; charset=utf-8"),
    ("fen", "text/plain; charset=utf-8"),
    ("pgn", "application/vnd.chess-pgn"),
    ("sav", "text/plain; charset=utf-8"),
    ("lib", BINARY),
    ("pos", BINARY),
];

/// A game to be written.
#[derive(Debug, Default, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct UnwrittenGame {
    pub question: BoardQuestion,
    pub names: [String; 2],
    pub format: String,
    /// Sides that an engine played.
    #[serde(default)]
    pub engines: [bool; 2],
    /// End of the game by its players, if they ended it.
    #[serde(default)]
    pub end: Option<GameEnd>,
    /// Variations of the moves in the question, for formats that have them.
    #[serde(default)]
    pub variations: Vec<Vec<String>>,
    /// Properties of the game as a whole, by their SGF names, as plain text.
    #[serde(default)]
    pub header: BTreeMap<String, String>,
    /// Comments, marks and the like.
    #[serde(default)]
    pub notes: Vec<PlaceNote>,
}

messages! {
    /// Reason why a game cannot be written.
    #[derive(Clone, PartialEq, Eq)]
    pub enum WriteProblem {
        Ending = "a game ends with a winner by resignation or on time, and without one by agreement",
        Format { format: String, known: String } = "unknown format: `{format}`; expected {known}",
        OnlyRenju { format: String, game: &'static str } = ".{format} holds games of renju, not of {game}",
        FromPosition = "this game begins at a position, which the format cannot hold; copy its link instead",
        NoteBehind { at: usize, moves: usize } = "a note is at move {at}, but the game has {moves}",
    }
}

/// A game that can be written.
pub struct CheckedGame {
    pub played: BoardGame,
    pub names: [String; 2],
    /// End by the players; `None` if the rules ended the game.
    pub end: Option<GameEnd>,
    /// Content type.
    pub kind: &'static str,
}

impl UnwrittenGame {
    /// Validates the request.
    ///
    /// # Errors
    /// [`Refusal`] for moves that are not legal, and a format that cannot hold the game.
    pub fn check(&self) -> Result<CheckedGame, Refusal> {
        let UnwrittenGame { question, names, format, end, .. } = self;
        let played = question.play()?;
        // If the rules ended the game, they say how.
        let end = end.filter(|_| played.state.turn().is_some());
        if end.is_some_and(|end| end.outcome().is_none()) {
            return Err(Refusal::from_message(WriteProblem::Ending));
        }
        let names = names.each_ref().map(|name| line(name));
        let Some(&(_, kind)) = KINDS.iter().find(|(known, _)| known == format) else {
            let known = KINDS.map(|(name, _)| name).join(", ");
            let format = format.escape_debug().to_string();
            return Err(Refusal::from_message(WriteProblem::Format { format, known }));
        };
        if !matches!(&**format, "jsonl" | "fen" | "pgn") && !played.game.can(Capability::GameFiles) {
            let (format, game) = (format.clone(), played.game.name());
            return Err(Refusal::from_message(WriteProblem::OnlyRenju { format, game }));
        }
        if !matches!(&**format, "sgf" | "fen" | "pgn") && question.position.is_some() {
            return Err(Refusal::from_message(WriteProblem::FromPosition));
        }
        Ok(CheckedGame { played, names, end, kind })
    }

    /// Writes the game in a format other than a record, and returns its content type. `is_over` interrupts long work.
    ///
    /// # Errors
    /// [`WritingError`] if [`Self::check`] refuses the game, or if time runs out.
    pub fn write(&self, is_over: &dyn Fn() -> bool) -> Result<(&'static str, Vec<u8>), WritingError> {
        let CheckedGame { played, names, end, kind } = self.check()?;
        let outcome = played.state.ending().map(|ending| ending.outcome).or(end.and_then(GameEnd::outcome));
        let won_by = match end.map(|end| end.termination) {
            Some(EndedBy::Resignation) => WonBy::Resignation,
            Some(EndedBy::Time) => WonBy::Time,
            Some(EndedBy::Agreement | EndedBy::Adjudication) | None => WonBy::Rules,
        };
        let mut tree = tree_of(self, is_over)?;
        for (name, player) in ["PB", "PW"].into_iter().zip(&names) {
            tree.set_plain(0, name, player);
        }
        for (name, text) in &self.header {
            let is_name = (1..=16).contains(&name.len()) && name.bytes().all(|byte| byte.is_ascii_uppercase());
            if is_name && !matches!(&**name, "PB" | "PW" | "RE" | "B" | "W" | "FF" | "GM" | "CA" | "AP" | "SZ") {
                tree.set_plain(0, name, text);
            }
        }
        // A file may say how a game ended that was left, or lost by a move that boards do not play.
        let said = self.header.get("RE").map_or("", |text| text.trim());
        let agrees = |outcome: Outcome| result::read(said).is_some_and(|(known, _)| known == outcome);
        match outcome {
            Some(outcome) if !agrees(outcome) => tree.set_plain(0, "RE", &result::write(outcome, won_by)),
            _ => tree.set_plain(0, "RE", said),
        }
        // Only readable output is written: a PASS or point that the format cannot express is refused here.
        let (bytes, _) =
            formats::write(&Collection::from_games(vec![tree]), &self.format).map_err(Refusal::from_message)?;
        Ok((kind, bytes))
    }
}

/// The tree of the moves and variations of a question, which are legal.
fn tree_of(asked: &UnwrittenGame, is_over: &dyn Fn() -> bool) -> Result<GameTree, WritingError> {
    let UnwrittenGame { question, variations, notes, format, .. } = asked;
    if variations.len() >= formats::MAX_LINES {
        return Err(Refusal::from_message(FileProblem::TooManyVariations { limit: formats::MAX_LINES }).into());
    }
    let game = Game::by_name(&question.game)
        .ok_or_else(|| Refusal::from_message(FileProblem::UnknownGame { game: question.game.clone() }))?;
    let mut tree = GameTree::new(game, 1);
    tree.position.clone_from(&question.position);
    (tree.parameters, tree.seed) = (question.parameters.clone(), question.seed);
    // The children of each node, by their moves.
    let mut children: Vec<BTreeMap<String, usize>> = vec![BTreeMap::new()];
    for moves in std::iter::once(&question.moves).chain(variations) {
        if is_over() {
            return Err(WritingError::TooLong);
        }
        let mut at = 0;
        let line = BoardQuestion { moves: moves.clone(), ..question.clone() };
        for made in line.play()?.moves {
            at = match children[at].get(&made.judged) {
                Some(&known) => known,
                None => {
                    let side = Side::BOTH[made.side.min(1)];
                    let new = tree.push(at, Some(TreeMove { side, judged: made.judged.clone() }), 1);
                    children[at].insert(made.judged, new);
                    children.push(BTreeMap::new());
                    new
                }
            };
        }
    }
    for note in notes {
        if note.at >= tree.nodes.len() {
            let moves = tree.nodes.len() - 1;
            return Err(Refusal::from_message(WriteProblem::NoteBehind { at: note.at, moves }).into());
        }
        note.apply(&mut tree, note.at);
    }
    let mut tree = tree.in_order();
    if format != "fen" {
        unfold_opening(&mut tree).map_err(Refusal::from_message)?;
    }
    Ok(tree)
}
