//! Games as PGN, for the programs that rate players by it: `BayesElo`, Ordo, python-chess.
//!
//! The player in the first seat is White, since these programs take the player that moves first for White.

use std::collections::HashSet;
use std::fmt::Write as _;

use agon_arena::{Plan, Summary};
use agon_catalog::{OPENING, Setup};
use agon_game::{GameState, Side};
use agon_protocols::formats::pgn::word;
use agon_referee::clock::Clock;
use agon_referee::record::{Record, Winner};
use agon_referee::replay;
use agon_referee::report::Played;
use agon_referee::text::line;
use agon_referee::verdict::Verdict;
use jiff::Timestamp;

/// Characters of a line of moves, as PGN's export format has it.
const MAX_LINE: usize = 79;

/// Bytes of a player's name that `BayesElo` reads; it takes names that are alike up to there for one.
const MAX_NAME_BYTES: usize = 63;

/// Mark of a move made for both sides before the game, as in cutechess.
const BOOK: &str = "{book}";

/// The names of a plan's agents as values of tags: short enough, and no two alike.
pub(super) fn names(plan: &Plan) -> Vec<String> {
    let mut taken = HashSet::new();
    let mut name = |agent: &str| {
        let whole = value(agent);
        (1..=plan.agents.len())
            .map(|number| if number == 1 { ending(&whole, "") } else { ending(&whole, &format!("#{number}")) })
            .find(|name| taken.insert(name.clone()))
            .unwrap_or(whole)
    };
    plan.agents.iter().map(|agent| name(&agent.name)).collect()
}

/// Returns the end of a name, where long ones differ, with a suffix.
fn ending(name: &str, suffix: &str) -> String {
    const CUT: &str = "...";
    if name.len() + suffix.len() <= MAX_NAME_BYTES {
        return name.to_owned() + suffix;
    }
    let least = name.len() + suffix.len() + CUT.len() - MAX_NAME_BYTES;
    let start = (least..=name.len()).find(|&at| name.is_char_boundary(at)).unwrap_or(name.len());
    format!("{CUT}{}{suffix}", &name[start..])
}

/// A text as the value of a tag: readers differ in whether they know PGN's way to quote these two characters.
fn value(text: &str) -> String {
    line(text).replace(['"', '\\'], "'")
}

/// A game with its tags; `names` are those of the plan's agents.
///
/// # Errors
/// If the record has illegal moves.
pub(super) fn game(plan: &Plan, names: &[String], bout: &Summary, record: &Record) -> anyhow::Result<String> {
    let result = result(bout);
    let header = &record.header;
    let whole = Setup { seed: header.seed, parameters: header.parameters.clone() };
    let mut bare = whole.clone();
    bare.parameters.remove(OPENING.name);
    let start = plan.game.initial_state(&bare)?;
    let usual = plan.game.initial_state(&Setup::default())?.position() == start.position();
    let (moves, plies) = moves(&whole, start.as_ref(), record)?;
    let fen = if usual { String::new() } else { start.position() };
    let per_round = plan.bouts_per_round().max(1);
    let round = format!("{}.{}", u64::from(bout.slot) / per_round + 1, u64::from(bout.slot) % per_round + 1);
    let clocks = Side::BOTH.map(|side| time_control(header.limits.clock_of(side)));
    let [common, white, black] = match &clocks {
        _ if !plan.game.has_turns() => ["", "", ""],
        [white, black] if white == black => [white.as_str(), "", ""],
        [white, black] => ["", white, black],
    };
    let mut text = String::new();
    for (tag, text_of) in [
        ("Event", format!("{} of {}", plan.title(), plan.game.title())),
        ("Site", format!("Agon {}", header.agon)),
        ("Date", date(header.started)),
        ("Round", round),
        ("White", names[bout.seats[0]].clone()),
        ("Black", names[bout.seats[1]].clone()),
        ("Result", result.to_owned()),
        ("SetUp", if usual { "" } else { "1" }.to_owned()),
        ("FEN", fen),
        ("Game", plan.game.name().to_owned()),
        ("Slot", bout.slot.to_string()),
        ("Seed", bout.seed.to_string()),
        ("Opening", header.opening.as_ref().map_or_else(String::new, ToString::to_string)),
        ("TimeControl", common.to_owned()),
        ("WhiteTimeControl", white.to_owned()),
        ("BlackTimeControl", black.to_owned()),
        ("PlyCount", plies.to_string()),
        ("Termination", termination(bout).to_owned()),
    ] {
        if !text_of.is_empty() {
            let _ = writeln!(text, "[{tag} \"{}\"]", value(&text_of));
        }
    }
    let reason = line(&bout.reason.text).replace('}', ")");
    let mut last = String::new();
    text.push('\n');
    for word in moves.iter().map(String::as_str).chain(format!("{{{reason}}}").split(' ')).chain([result]) {
        if !last.is_empty() && last.len() + 1 + word.len() > MAX_LINE {
            text += &last;
            text.push('\n');
            last.clear();
        }
        if !last.is_empty() {
            last.push(' ');
        }
        last += word;
    }
    Ok(text + &last + "\n\n")
}

/// Returns the result in PGN.
fn result(bout: &Summary) -> &'static str {
    match bout.winner {
        Winner::First => "1-0",
        Winner::Second => "0-1",
        Winner::Draw => "1/2-1/2",
        Winner::Void => "*",
    }
}

/// The position at the end of a game as a line of EPD: the number of the game, its players and its result behind it.
///
/// # Errors
/// If the record has illegal moves.
pub(super) fn last_position(plan: &Plan, names: &[String], bout: &Summary, record: &Record) -> anyhow::Result<String> {
    let setup = Setup { seed: record.header.seed, parameters: record.header.parameters.clone() };
    let mut state = plan.game.initial_state(&setup)?;
    for played in replay::moves(record, state.boxed_clone().as_mut())? {
        state.answer(&played.arguments)?;
    }
    let [first, second] = bout.seats.map(|seat| &names[seat]);
    let (position, slot, result) = (state.position(), bout.slot, result(bout));
    Ok(format!("{position} id \"game {slot}\"; c0 \"{first} – {second}\"; c9 \"{result}\";\n"))
}

/// The words of a game's moves, those of its opening first, and their number.
fn moves(setup: &Setup, start: &dyn GameState, record: &Record) -> anyhow::Result<(Vec<String>, u32)> {
    let mut state = start.boxed_clone();
    let (mut words, mut plies) = (Vec::new(), 0);
    let mut number = start.ply() / 2 + 1;
    let mut make = |state: &mut dyn GameState, text: &str, comment: Option<String>| -> anyhow::Result<()> {
        let side = state.turn();
        let arguments = state.answer(text)?;
        match side {
            Some(Side::First) => words.push(format!("{number}.")),
            _ if words.is_empty() => words.push(format!("{number}...")),
            _ => {}
        }
        words.push(word(state.exchanged(), &arguments));
        words.extend(comment);
        plies += 1;
        number += u32::from(side == Some(Side::Second));
        Ok(())
    };
    for text in setup.opening() {
        let arguments = state.read_any(text)?;
        make(state.as_mut(), &arguments, Some(BOOK.to_owned()))?;
    }
    for played in replay::moves(record, state.boxed_clone().as_mut())? {
        make(state.as_mut(), &played.arguments, comment(&played))?;
    }
    Ok((words, plies))
}

/// Returns the agent's evaluation of a move, and its time, in cutechess' format: `{+0.35/12 0.500s}`.
fn comment(played: &Played) -> Option<String> {
    played.evaluation.map(|evaluation| format!("{{{evaluation} {:.3}s}}", played.moment.wall.as_secs_f64()))
}

/// A clock in seconds, as PGN and cutechess write it: `10`, `10+0.1`, `40/60`, `0.5/move`.
fn time_control(clock: Clock) -> String {
    let Clock { base_ms, increment_ms, period_moves, per_move } = clock;
    let seconds = |ms: u64| ms as f64 / 1000.0;
    let period = if period_moves > 0 { format!("{period_moves}/") } else { String::new() };
    let increment = if increment_ms > 0 { format!("+{}", seconds(increment_ms)) } else { String::new() };
    format!("{period}{}{increment}{}", seconds(base_ms), if per_move { "/move" } else { "" })
}

/// The day of a game; PGN uses question marks if it is unknown.
fn date(seconds: u64) -> String {
    let time = i64::try_from(seconds).ok().filter(|&seconds| seconds > 0);
    let time = time.and_then(|seconds| Timestamp::from_second(seconds).ok());
    time.map_or_else(|| "????.??.??".to_owned(), |time| time.strftime("%Y.%m.%d").to_string())
}

/// Returns how a game ended, in PGN's words.
fn termination(bout: &Summary) -> &'static str {
    let has = |verdict: Verdict| bout.verdicts.contains(&verdict);
    match bout.winner {
        Winner::Void => "unterminated",
        _ if has(Verdict::Interrupted) => "unterminated",
        _ if has(Verdict::Tle) => "time forfeit",
        _ if bout.is_adjudicated() => "adjudication",
        _ if bout.is_clean() => "normal",
        _ => "rules infraction",
    }
}
