//! Writing games as files.

use std::collections::BTreeMap;
use std::sync::Arc;

use agon_catalog::{Capability, Game, Setup};
use agon_game::{Outcome, Side};
use agon_message::messages;
use agon_protocols::formats::record::unfold_opening;
use agon_protocols::formats::result::WonBy;
use agon_protocols::formats::{self, Collection, FileProblem, GameTree, TreeMove, result};
use agon_referee::record::Termination;
use axum::Extension;
use axum::extract::rejection::JsonRejection;
use axum::http::header;
use axum::response::{IntoResponse, Response};
use serde::Deserialize;

use super::super::written::{self, WrittenEnd};
use super::bounds::FileBounds;
use super::note::PlaceNote;
use super::refusal::unreadable;
use crate::analysis::{BoardQuestion, QuestionError, Unanswered};
use crate::json::Json;
use crate::limits::{Effort, Rooms};

/// The formats of files of games, and how their content is called.
const KINDS: [(&str, &str); 9] = [
    ("jsonl", "application/x-ndjson"),
    ("sgf", "application/x-go-sgf"),
    ("psq", "text/plain; charset=utf-8"),
    ("txt", "text/plain; charset=utf-8"),
    ("fen", "text/plain; charset=utf-8"),
    ("pgn", "application/vnd.chess-pgn"),
    ("sav", "text/plain; charset=utf-8"),
    ("lib", "application/octet-stream"),
    ("pos", "application/octet-stream"),
];

/// A game that is to be written.
#[derive(Debug, Default, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct UnwrittenGame {
    pub question: BoardQuestion,
    pub names: [String; 2],
    pub format: String,
    /// Which sides an engine played.
    #[serde(default)]
    pub engines: [bool; 2],
    /// How people have ended it, if they have.
    #[serde(default)]
    pub end: Option<WrittenEnd>,
    /// The variations beside the moves of the question, for formats that have them.
    #[serde(default)]
    pub variations: Vec<Vec<String>>,
    /// What is said of the game as a whole: SGF's names of properties, and plain texts.
    #[serde(default)]
    pub header: BTreeMap<String, String>,
    /// Comments, marks and the like.
    #[serde(default)]
    pub notes: Vec<PlaceNote>,
}

pub(crate) async fn write(
    Extension(rooms): Extension<Arc<Rooms>>,
    Extension(bounds): Extension<FileBounds>,
    asked: Result<Json<UnwrittenGame>, JsonRejection>,
) -> Result<Response, QuestionError> {
    let Json(asked) = asked.map_err(|refused| unreadable(&refused, &bounds))?;
    let (kind, bytes) = rooms.texts.run(move |effort| in_format(&asked, effort)).await??;
    Ok(([(header::CONTENT_TYPE, kind)], bytes).into_response())
}

/// The record of a game from its start.
///
/// # Errors
/// [`QuestionError`] for a game that cannot be played so.
pub(crate) fn record_of(
    question: &BoardQuestion,
    names: &[String; 2],
    engines: [bool; 2],
    end: Option<WrittenEnd>,
) -> Result<String, QuestionError> {
    let played = question.play()?;
    let setup = Setup { seed: question.seed, parameters: question.parameters.clone() };
    let mut start = played.game.initial_state(&setup).map_err(|error| QuestionError::new(&error))?;
    let moves: Vec<_> = played.moves.into_iter().map(|made| (made.side, made.judged)).collect();
    Ok(written::record(played.game, &setup, start.as_mut(), &moves, names, engines, end).write())
}

messages! {
    /// Why a game is not written.
    pub(crate) enum WriteProblem {
        Ending = "a game ends with a winner by resignation or on time, and without one by agreement",
        Format { format: String, known: String } = "unknown format: `{format}`; expected {known}",
        OnlyRenju { format: String, game: &'static str } = ".{format} holds games of renju, not of {game}",
        FromPosition = "this game begins at a position, which the format cannot hold; copy its link instead",
        NoteBehind { at: usize, moves: usize } = "a note is at move {at}, but the game has {moves}",
    }
}

pub(super) fn in_format(asked: &UnwrittenGame, effort: &Effort) -> Result<(&'static str, Vec<u8>), QuestionError> {
    let UnwrittenGame { question, names, format, engines, end, .. } = asked;
    let played = question.play()?;
    // Of a game that its rules have ended, they say how.
    let end = end.filter(|_| played.state.turn().is_some());
    if end.is_some_and(|end| end.outcome().is_none()) {
        return Err(QuestionError::of(WriteProblem::Ending));
    }
    let names = names.each_ref().map(|name| agon_referee::text::line(name));
    let Some(&(_, kind)) = KINDS.iter().find(|(known, _)| known == format) else {
        let known = KINDS.map(|(name, _)| name).join(", ");
        let format = format.escape_debug().to_string();
        return Err(QuestionError::of(WriteProblem::Format { format, known }));
    };
    if !matches!(&**format, "jsonl" | "fen" | "pgn") && !played.game.can(Capability::GameFiles) {
        let (format, game) = (format.clone(), played.game.name());
        return Err(QuestionError::of(WriteProblem::OnlyRenju { format, game }));
    }
    if !matches!(&**format, "sgf" | "fen" | "pgn") && question.position.is_some() {
        return Err(QuestionError::of(WriteProblem::FromPosition));
    }
    if format == "jsonl" {
        return Ok((kind, record_of(question, &names, *engines, end)?.into_bytes()));
    }
    let outcome = played.state.ending().map(|ending| ending.outcome).or(end.and_then(WrittenEnd::outcome));
    let won_by = match end.map(|end| end.termination) {
        Some(Termination::Resignation) => WonBy::Resignation,
        Some(Termination::Time) => WonBy::Time,
        Some(Termination::Agreement | Termination::Adjudication) | None => WonBy::Rules,
    };
    let mut tree = tree_of(asked, effort)?;
    for (name, player) in ["PB", "PW"].into_iter().zip(&names) {
        tree.set_plain(0, name, player);
    }
    for (name, text) in &asked.header {
        let is_name = (1..=16).contains(&name.len()) && name.bytes().all(|byte| byte.is_ascii_uppercase());
        if is_name && !matches!(&**name, "PB" | "PW" | "RE" | "B" | "W" | "FF" | "GM" | "CA" | "AP" | "SZ") {
            tree.set_plain(0, name, text);
        }
    }
    // A file may say how a game ended that was left, or lost by a move that boards do not play.
    let said = asked.header.get("RE").map_or("", |text| text.trim());
    let agrees = |outcome: Outcome| result::read(said).is_some_and(|(known, _)| known == outcome);
    match outcome {
        Some(outcome) if !agrees(outcome) => tree.set_plain(0, "RE", &result::write(outcome, won_by)),
        _ => tree.set_plain(0, "RE", said),
    }
    // What is written is what can be read: PASS and points that the format has not are refused there.
    let (bytes, _) = formats::write(&Collection::from_games(vec![tree]), format).map_err(QuestionError::of)?;
    Ok((kind, bytes))
}

/// The tree of the moves and variations of a question, which are legal.
fn tree_of(asked: &UnwrittenGame, effort: &Effort) -> Result<GameTree, QuestionError> {
    let UnwrittenGame { question, variations, notes, format, .. } = asked;
    if variations.len() >= formats::MAX_LINES {
        return Err(QuestionError::of(FileProblem::TooManyVariations { limit: formats::MAX_LINES }));
    }
    let game = Game::by_name(&question.game)
        .ok_or_else(|| QuestionError::of(FileProblem::UnknownGame { game: question.game.clone() }))?;
    let mut tree = GameTree::new(game, 1);
    tree.position.clone_from(&question.position);
    (tree.parameters, tree.seed) = (question.parameters.clone(), question.seed);
    // The children of each node, by their moves.
    let mut children: Vec<BTreeMap<String, usize>> = vec![BTreeMap::new()];
    for moves in std::iter::once(&question.moves).chain(variations) {
        if effort.is_over() {
            return Err(QuestionError::busy(Unanswered::WritingSlow));
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
            return Err(QuestionError::of(WriteProblem::NoteBehind { at: note.at, moves: tree.nodes.len() - 1 }));
        }
        note.apply(&mut tree, note.at);
    }
    let mut tree = tree.in_order();
    if format != "fen" {
        unfold_opening(&mut tree).map_err(QuestionError::of)?;
    }
    Ok(tree)
}
