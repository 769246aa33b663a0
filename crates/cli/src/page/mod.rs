//! HTML pages with recorded games: one self-contained file, whose embedded ES module draws the boards.

mod html;

use std::fmt::Write as _;

use agon_arena::bot_check::CheckPlace;
use agon_arena::transcript;
pub(crate) use agon_arena::transcript::{date, dates, limits};
use agon_boards::viewer::{STYLE, single_script};
use agon_game::GameState;
use agon_referee::bout::Played;
use agon_referee::record::Record;
use serde_json::Value;

pub(crate) use html::escaped;

/// Returns a recorded game in the viewer's format, with all details of failures.
pub(crate) fn game(record: &Record, start: &dyn GameState, moves: &[Played]) -> anyhow::Result<Value> {
    game_open(record, start, moves, [true; 2])
}

fn game_open(record: &Record, start: &dyn GameState, moves: &[Played], open: [bool; 2]) -> anyhow::Result<Value> {
    Ok(transcript::game(
        record,
        start,
        moves,
        &transcript::failures(record, start, open, CheckPlace::CommandLine),
        open,
    )?)
}

/// The page of a recorded game; `open` says of each seat whether all may be shown that its program did.
pub(crate) fn of_game(
    record: &Record,
    start: &dyn GameState,
    moves: &[Played],
    open: [bool; 2],
) -> anyhow::Result<String> {
    let seats = start.seats();
    let names = record.header.agents.each_ref().map(agon_referee::record::AgentNote::shown);
    let name = agon_catalog::Game::by_name(&record.header.game).map_or("", |game| game.title());
    let heading = format!("{name}: {} ({}) – {} ({})", names[0], seats[0], names[1], seats[1]);
    let title = format!("{heading}, {}", date(record.header.started));
    let mut body = format!("<h1>{}</h1>\n", escaped(&heading));
    body += &viewer(1);
    body += &data(0, &game_open(record, start, moves, open)?);
    Ok(page(&title, &body))
}

/// Returns the viewer's element for the games that follow as [`data`].
pub(crate) fn viewer(games: usize) -> String {
    let keys = "Keys: → or Space goes on, ← back, Page Up and Page Down ten at a time, Home and End to the ends, P \
                plays and pauses, T finds the next turning point.";
    let hint = if games > 0 { keys } else { "This page has no games." };
    format!("<section class=\"game\" id=\"game\" tabindex=\"0\"></section>\n<p class=\"faint\">{hint}</p>\n")
}

/// A game for the viewer, by the number that links name it by.
pub(crate) fn data(number: u32, game: &Value) -> String {
    format!("<script type=\"application/json\" data-game=\"{number}\">{}</script>\n", html::inline_json(game))
}

/// A whole page from its parts; the title may be any text.
pub(crate) fn page(title: &str, body: &str) -> String {
    let mut page = String::with_capacity(body.len() + STYLE.len() + 32_768);
    let _ = write!(
        page,
        "<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n\
         <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n\
         <meta name=\"generator\" content=\"Agon {version}\">\n<title>{title}</title>\n\
         <style>\n{STYLE}</style>\n</head>\n<body>\n<main>\n{body}</main>\n\
         <footer class=\"faint\">Made by Agon {version}</footer>\n",
        version = env!("CARGO_PKG_VERSION"),
        title = escaped(title)
    );
    if body.contains("id=\"game\"") {
        let _ = write!(page, "<script type=\"module\">\n{}</script>\n", single_script());
    }
    page + "</body>\n</html>\n"
}
