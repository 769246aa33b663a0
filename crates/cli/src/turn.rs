//! A turn of a game in a line.

use agon_analysis::game_log::actions;
pub(crate) use agon_analysis::game_log::ends_turn;
use agon_game::{GameState, Interaction};
use agon_referee::bout::Played;

use crate::failure::as_written;
use crate::moves;
use crate::show::{self, paint};

/// ` 12 O a7b6  1 1 2 2   0.21 ms   3–2`
fn line(state: &dyn GameState, seats: [&str; 2], played: &Played) -> String {
    let moment = played.moment;
    let score = state.score().map_or(String::new(), |[first, second]| format!("  {first}–{second}"));
    let disturbed = if moment.disturbed() { paint(show::WARN, "  disturbed by the machine") } else { String::new() };
    let thought = played.evaluation.map_or_else(String::new, |said| paint(show::FAINT, format!("  {said}")));
    format!(
        "{:>4} {} {:<17} {:>8}{score}{thought}{disturbed}",
        state.ply(),
        paint(show::side(played.side), seats[played.side.index()]),
        both(state, played),
        show::time(moment.wall),
    )
}

/// `H8    8 8`: the last move as people write it and as the judge does.
fn both(state: &dyn GameState, played: &Played) -> String {
    moves::both(state.letters().as_deref().unwrap_or(&played.arguments), &played.arguments)
}

/// `120 2 9 actions: REST 6, DIVIDE 2, MOVE 1   1.2 ms   8–17`: a whole turn of many actions.
fn many(state: &dyn GameState, turn: &[Played]) -> String {
    let Some(last) = turn.last() else { return String::new() };
    let remarked = match turn.iter().filter(|played| played.remark.is_some()).count() {
        0 => String::new(),
        n => paint(show::WARN, format!("  {n} refused")),
    };
    let score = state.score().map_or(String::new(), |[first, second]| format!("  {first}–{second}"));
    format!(
        "{:>6} {} {:<34} {:>8}{score}{remarked}",
        state.ply(),
        paint(show::side(last.side), state.seats()[last.side.index()]),
        actions(turn.iter().map(|played| &*played.arguments)),
        show::time(turn.iter().map(|played| played.moment.wall).sum()),
    )
}

/// Returns the last `most` lines of the program's error stream in a turn.
pub(crate) fn messages(turn: &[Played], most: usize) -> Vec<String> {
    let said = turn.iter().filter_map(|played| played.messages.as_deref()).flat_map(str::lines);
    let lines: Vec<String> = said.map(|said| as_written(&format!("! {said}"), 7)).collect();
    let left_out = lines.len().saturating_sub(most);
    lines[left_out..].iter().map(|line| paint(show::FAINT, line)).collect()
}

/// A turn in a line; in a dialogue it is one move.
pub(crate) fn turn_line(state: &dyn GameState, turn: &[Played]) -> String {
    match (state.interaction(), turn) {
        (Interaction::Session, [.., played]) => line(state, state.seats(), played),
        _ => many(state, turn),
    }
}
