//! Games as files: what a visitor pastes or drops, and what is downloaded.

use std::collections::BTreeMap;

use agon_catalog::{Capability, Game, Setup};
use agon_game::Position as _;
use agon_game::text::without_bom;
use agon_referee::record::{Record, Termination};
use agon_referee::replay;
use agon_rules::renju::sgf::{SgfGame, SgfProblem};
use agon_rules::renju::{Move, Renju, psq, sgf};
use std::sync::Arc;

use axum::extract::rejection::JsonRejection;
use axum::http::{StatusCode, header};
use axum::response::{IntoResponse, Response};
use axum::{Extension, Json};
use serde::{Deserialize, Serialize};

use super::written::{self, WrittenEnd};
use crate::analysis::{BoardQuestion, MAX_POSITION_BYTES, QuestionError};
use crate::limits::{Effort, MAX_GAME_BYTES, Rooms};

/// A text that may be a game.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct GameText {
    text: String,
    /// The game that it is probably of.
    #[serde(default)]
    game: Option<String>,
}

/// A game that has been read.
#[derive(PartialEq, Eq, Debug, Default, Serialize)]
pub struct ReadGame {
    game: &'static str,
    position: Option<String>,
    parameters: BTreeMap<String, String>,
    seed: u64,
    moves: Vec<String>,
    /// The variations beside these moves.
    variations: Vec<ReadVariation>,
    names: [String; 2],
}

/// A variation: what it adds to the line before it.
#[derive(PartialEq, Eq, Debug, Serialize)]
pub struct ReadVariation {
    /// How many moves it begins with that the line before it begins with, too: the main line, or the variation before.
    shared: usize,
    /// The moves that follow them.
    moves: Vec<String>,
}

/// A game that is to be written.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct UnwrittenGame {
    question: BoardQuestion,
    names: [String; 2],
    format: String,
    /// Which sides an engine played.
    #[serde(default)]
    engines: [bool; 2],
    /// How people have ended it, if they have.
    #[serde(default)]
    end: Option<WrittenEnd>,
    /// The variations beside the moves of the question, for formats that have them.
    #[serde(default)]
    variations: Vec<Vec<String>>,
}

/// Reads a game in any format: a record, SGF, `.psq`, a position, or moves.
pub async fn read(
    Extension(rooms): Extension<Arc<Rooms>>,
    asked: Result<Json<GameText>, JsonRejection>,
) -> Result<Json<ReadGame>, QuestionError> {
    let Json(asked) = asked.map_err(|refused| unreadable(&refused))?;
    rooms.texts.run(move |_| understood(&asked)).await?.map(Json)
}

pub async fn write(
    Extension(rooms): Extension<Arc<Rooms>>,
    asked: Result<Json<UnwrittenGame>, JsonRejection>,
) -> Result<Response, QuestionError> {
    let Json(asked) = asked.map_err(|refused| unreadable(&refused))?;
    let (kind, text) = rooms.texts.run(move |effort| in_format(&asked, effort)).await??;
    Ok(([(header::CONTENT_TYPE, kind)], text).into_response())
}

fn unreadable(refused: &JsonRejection) -> QuestionError {
    if refused.status() == StatusCode::PAYLOAD_TOO_LARGE {
        let why = format!("the game is too large: a board takes {} KiB", MAX_GAME_BYTES >> 10);
        return QuestionError { status: StatusCode::PAYLOAD_TOO_LARGE, ..QuestionError::new(&why) };
    }
    QuestionError::new(&refused.body_text())
}

fn understood(asked: &GameText) -> Result<ReadGame, QuestionError> {
    let text = without_bom(asked.text.trim_start()).trim();
    let known = asked.game.as_deref().and_then(Game::by_name);
    let wrong = |error: &dyn ToString| QuestionError::new(&error.to_string());
    if text.is_empty() {
        return Err(wrong(&"there is no text: a record, SGF, .psq, a position or moves expected"));
    }
    if text.starts_with('{') {
        return of_record(text);
    }
    let renju = |moves: Vec<Move>| {
        let moves = moves.into_iter().map(|m| m.to_string()).collect();
        ReadGame { game: Game::RENJU.name(), moves, ..ReadGame::default() }
    };
    if text.starts_with('(') {
        let games = sgf::games(text).map_err(|error| wrong(&error))?;
        let [game] = games.as_slice() else {
            return Err(wrong(&format!("the text has {} games: paste one of them", games.len())));
        };
        let SgfGame { header, branches, variations, .. } = game.read().map_err(|error| wrong(&error))?;
        if variations >= sgf::MAX_LINES {
            return Err(wrong(&SgfProblem::Lines));
        }
        let mut lines = branches.into_iter();
        let main = renju(lines.next().unwrap_or_default().moves);
        let variation = |line: sgf::SgfBranch| ReadVariation {
            shared: line.shared,
            moves: line.moves.iter().map(Move::to_string).collect(),
        };
        let names = [header.black, header.white];
        return Ok(ReadGame { variations: lines.map(variation).collect(), names, ..main });
    }
    if text.starts_with("Piskvorky") {
        let psq::PsqGame { moves, players } = psq::read_game(text).map_err(|error| wrong(&error))?;
        return Ok(ReadGame { names: players, ..renju(moves) });
    }
    // A position says what game it is of; moves are of the game that is on the board.
    let games = known.into_iter().chain(Game::all());
    let short = text.len() <= MAX_POSITION_BYTES;
    if let Some(game) = games.clone().find(|game| short && game.state_at(text).is_ok()) {
        return Ok(ReadGame { game: game.name(), position: Some(text.to_owned()), ..ReadGame::default() });
    }
    let mut why = None;
    let moves = split(text);
    for game in games.filter(|game| game.has_turns()) {
        let question = BoardQuestion { game: game.name().to_owned(), moves: moves.clone(), ..BoardQuestion::default() };
        match question.play() {
            Ok(played) => {
                let moves = played.moves.into_iter().map(|made| made.judged).collect();
                return Ok(ReadGame { game: game.name(), moves, ..ReadGame::default() });
            }
            Err(error) => why = why.or(Some(error)),
        }
    }
    let why = why.map_or_else(String::new, |error| format!(" ({})", error.detail));
    Err(wrong(&format!("this is no record, SGF, .psq or position, and no line of moves{why}")))
}

/// The moves of a text: `H8 H9`, `8 8/7 8`, a move a line.
fn split(text: &str) -> Vec<String> {
    let separated = text.contains(['/', '\n', ',']);
    let parts: Vec<&str> =
        if separated { text.split(['/', '\n', ',']).collect() } else { text.split_whitespace().collect() };
    parts.into_iter().map(str::trim).filter(|part| !part.is_empty()).map(str::to_owned).collect()
}

fn of_record(text: &str) -> Result<ReadGame, QuestionError> {
    let record = Record::read(text).map_err(|error| QuestionError::new(&error))?;
    let header = &record.header;
    let game = Game::by_name(&header.game)
        .ok_or_else(|| QuestionError::new(&format!("the record is of an unknown game: `{}`", header.game)))?;
    let setup = Setup { seed: header.seed, parameters: header.parameters.clone() };
    let mut state = game.initial_state(&setup).map_err(|error| QuestionError::new(&error))?;
    let moves = replay::prove(&record, state.as_mut()).map_err(|error| QuestionError::new(&error))?;
    Ok(ReadGame {
        game: game.name(),
        position: None,
        parameters: setup.parameters,
        seed: setup.seed,
        moves: moves.into_iter().map(|played| played.arguments).collect(),
        variations: Vec::new(),
        names: header.agents.each_ref().map(|agent| agent.agent.clone()),
    })
}

/// The moves of a game of renju from the empty board, its opening among them, and where they lead.
fn renju_line(question: &BoardQuestion) -> Result<(Vec<Move>, Renju), QuestionError> {
    let played = question.play()?;
    let opening = Setup { seed: 0, parameters: question.parameters.clone() };
    let opening: Vec<String> = opening.opening().map(str::to_owned).collect();
    let mut position = Renju::default();
    let mut moves = Vec::new();
    for text in opening.iter().chain(played.moves.iter().map(|made| &made.judged)) {
        let m = agon_game::Show::read_any(&position, text).map_err(|error| QuestionError::new(&error))?;
        position.play_unchecked(m, &mut ());
        moves.push(m);
    }
    Ok((moves, position))
}

/// The record of a game from its start.
///
/// # Errors
/// [`QuestionError`] for a game that cannot be played so.
pub fn record_of(
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

fn in_format(asked: &UnwrittenGame, effort: &Effort) -> Result<(&'static str, String), QuestionError> {
    let UnwrittenGame { question, names, format, engines, end, variations } = asked;
    let played = question.play()?;
    // Of a game that its rules have ended, they say how.
    let end = end.filter(|_| played.state.turn().is_some());
    if end.is_some_and(|end| end.outcome().is_none()) {
        return Err(QuestionError::new(&"a game ends by resignation or on time with a winner, by agreement without"));
    }
    let begins = || {
        let why = "a file has a game from its start, and this one begins at a position: copy its link instead";
        question.position.is_none().then_some(()).ok_or_else(|| QuestionError::new(&why))
    };
    let names = names.each_ref().map(|name| agon_referee::text::line(name));
    match format.as_str() {
        "jsonl" => {
            begins()?;
            Ok(("application/x-ndjson", record_of(question, &names, *engines, end)?))
        }
        "sgf" | "psq" if played.game.can(Capability::GameFiles) => {
            begins()?;
            let (moves, position) = renju_line(question)?;
            let [black, white] = names;
            if format == "psq" {
                return Ok(("text/plain; charset=utf-8", psq::write(&moves, [&black, &white])));
            }
            if variations.len() >= sgf::MAX_LINES {
                return Err(QuestionError::new(&SgfProblem::Lines));
            }
            let mut lines = vec![moves];
            for line in variations {
                if effort.is_over() {
                    return Err(QuestionError::busy(&"writing the variations takes too long"));
                }
                lines.push(renju_line(&BoardQuestion { moves: line.clone(), ..question.clone() })?.0);
            }
            let result = position.outcome().or(end.and_then(WrittenEnd::outcome));
            let won_by = match end.map(|end| end.termination) {
                Some(Termination::Resignation) => sgf::WonBy::Resignation,
                Some(Termination::Time) => sgf::WonBy::Time,
                Some(Termination::Agreement | Termination::Adjudication) | None => sgf::WonBy::Rules,
            };
            let header = sgf::SgfHeader { black, white, result, won_by };
            Ok(("application/x-go-sgf", sgf::write_lines(&lines, &header)))
        }
        "sgf" | "psq" => {
            Err(QuestionError::new(&format!("SGF and .psq are for games of renju, not of {}", played.game)))
        }
        other => {
            Err(QuestionError::new(&format!("`{}` is no format; jsonl, sgf or psq expected", other.escape_debug())))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn question(game: Game, moves: &[&str]) -> BoardQuestion {
        let moves = moves.iter().map(|&m| m.to_owned()).collect();
        BoardQuestion { game: game.name().to_owned(), seed: 3, moves, ..BoardQuestion::default() }
    }

    fn unwritten(
        question: BoardQuestion,
        names: [String; 2],
        format: &str,
        end: Option<(Option<usize>, Termination)>,
    ) -> UnwrittenGame {
        let end = end.map(|(winner, termination)| WrittenEnd { winner, termination });
        UnwrittenGame { question, names, format: format.to_owned(), engines: [false; 2], end, variations: Vec::new() }
    }

    fn read(text: &str) -> Result<ReadGame, QuestionError> {
        understood(&GameText { text: text.to_owned(), game: Some("renju".to_owned()) })
    }

    #[test]
    fn what_is_written_can_be_read() {
        let check = |game: Game, moves: &[&str], judged: &[&str], format: &str| {
            let names = ["ada".to_owned(), "champion:1".to_owned()];
            let format = format.to_owned();
            let asked = unwritten(question(game, moves), names, &format, None);
            let (_, text) = in_format(&asked, &Effort::default()).unwrap();
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
            in_format(&asked, &Effort::default()).map(|(_, text)| text)
        };
        let check = |end, winner: &str, reason: &str, result: &str| {
            for moves in [&["H8", "H9"][..], &[]] {
                let sgf = write(moves, "sgf", end).unwrap();
                assert!(sgf.contains(&format!("RE[{result}]")), "{sgf}");
                let text = write(moves, "jsonl", end).unwrap();
                let record = Record::read(&text).unwrap();
                assert_eq!((record.result.winner.to_string(), &record.result.reason[..]), (winner.to_owned(), reason));
                assert!(record.is_clean(), "{text}");
                // Which replays, too.
                assert_eq!(read(&text).unwrap().moves.len(), moves.len());
                assert!(write(moves, "psq", end).is_ok());
            }
        };
        check((Some(0), Termination::Resignation), "first", "White resigns", "B+R");
        check((Some(1), Termination::Resignation), "second", "Black resigns", "W+R");
        check((Some(1), Termination::Time), "second", "Black has no time left", "W+T");
        check((None, Termination::Agreement), "draw", "both players agree to a draw", "Draw");
        for end in [(None, Termination::Time), (Some(0), Termination::Agreement), (Some(2), Termination::Resignation)] {
            assert!(write(&["H8"], "sgf", end).unwrap_err().detail.contains("ends by resignation"));
        }
        // The rules come first.
        let drawn = ["H8", "H9", "I9", "PASS", "PASS"];
        assert!(write(&drawn, "sgf", (Some(0), Termination::Time)).unwrap().contains("RE[Draw]"));
    }

    #[test]
    fn variations_go_into_sgf_and_come_back() {
        let line = |text: &str| -> Vec<String> { text.split(' ').map(str::to_owned).collect() };
        let write = |variations: Vec<Vec<String>>| {
            let names = [String::new(), String::new()];
            let question = question(Game::RENJU, &["H8", "H9", "I9"]);
            let asked = UnwrittenGame { variations, ..unwritten(question, names, "sgf", None) };
            in_format(&asked, &Effort::default())
        };
        let (_, text) = write(vec![line("H8 H9 G8"), line("H8 G9")]).unwrap();
        assert!(text.ends_with(";B[hh](;W[hg](;B[ig])(;B[gh]))(;W[gg]))\n"), "{text}");
        let found = read(&text).unwrap();
        assert_eq!(found.moves, ["8 8", "7 8", "7 9"]);
        let variation =
            |shared, moves: &[&str]| ReadVariation { shared, moves: moves.iter().map(|&m| m.to_owned()).collect() };
        assert_eq!(found.variations, [variation(2, &["8 7"]), variation(1, &["7 7"])]);
        assert!(write(vec![line("H8 H8")]).unwrap_err().detail.contains("move 2, H8"));
        assert!(write(vec![line("H8"); 400]).unwrap_err().detail.contains("more than 400"));
    }

    #[test]
    fn an_answer_is_never_much_longer_than_what_was_sent() {
        let text = |passes: usize, variations: usize| {
            let line: String = (0..passes).map(|number| [";B[]", ";W[]"][number % 2]).collect();
            format!("({line}{})", "(;B[hh])".repeat(variations))
        };
        let long = text(990, 399);
        let answer = serde_json::to_string(&read(&long).unwrap()).unwrap();
        assert!(answer.len() < 8 * long.len(), "{} bytes of {}", answer.len(), long.len());
        for (passes, variations) in [(30_000, 399), (60_000, 0), (2_000, 100)] {
            let why = read(&text(passes, variations)).unwrap_err().detail;
            assert!(why.contains("more than 1000 moves in a line"), "{passes} {variations}: {why}");
        }
        // Any other text of the largest size is refused, too, and soon.
        let size = MAX_GAME_BYTES - 100;
        for part in ["(", "(;", "(;B[hh]", "H8 ", "8 8/", "7/", "{", "(;W[]", "[", "(;B[hh](;W[hg])"] {
            let begun = std::time::Instant::now();
            let _ = read(&part.repeat(size / part.len()));
            assert!(begun.elapsed() < std::time::Duration::from_secs(10), "{part}");
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
        let found = understood(&GameText { text: "b7 f7".to_owned(), game: Some("bacteria".to_owned()) }).unwrap();
        assert_eq!(found.game, "bacteria");
    }

    #[test]
    fn a_text_that_is_no_game_is_refused_in_a_line() {
        let check = |answer: Result<(), QuestionError>, wanted: &str| {
            let detail = answer.unwrap_err().detail;
            assert!(detail.contains(wanted) && !detail.contains('\n'), "`{wanted}` is not in: {detail}");
        };
        check(read("").map(drop), "there is no text");
        check(read("H8 H8").map(drop), "no line of moves (move 2, H8:");
        check(read("(;GM[1])").map(drop), "1");
        check(read("(;B[hh])(;B[hh];W[hg])").map(drop), "the text has 2 games: paste one of them");
        check(read("(;B[hh];W[hg]").map(drop), "line 1: the game that begins here has no end");
        check(read("Piskvorky 15x15, 0:0, 0\n8,8,0\n9;10,3\n7,9,1\n").map(drop), "line 3, `9;10,3`, is no move");
        check(read("Piskvorky 20x20").map(drop), "20x20");
        check(read("{\"record\":1}").map(drop), "");
        let names = || [String::new(), String::new()];
        let write = |question, format: &str| {
            in_format(&unwritten(question, names(), format, None), &Effort::default()).map(drop)
        };
        check(write(question(Game::BACTERIA, &[]), "sgf"), "games of renju, not of bacteria");
        check(write(question(Game::RENJU, &[]), "pgn"), "`pgn` is no format");
        let fen = BoardQuestion { position: Some("7/7/7/3xo2/7/7/7 x".to_owned()), ..question(Game::BACTERIA, &[]) };
        check(write(fen, "jsonl"), "begins at a position");
    }
}
