//! The screens for authors of broken bots: one for each way to be broken in each game.
//!
//! The screens are snapshots next to this file; `INSTA_UPDATE=always` renews them.

use std::path::Path;

use crate::agon::run::{ALPHANO_TIMES, Ran, command, finish, folder, root};

/// The bots in `broken/` and, for the petri dish, in `broken/petri/`.
const BOTS: [&str; 6] =
    ["no_flush.py", "endless_loop.py", "exception.py", "wrong_format.py", "compile_error.cpp", "stray_print.py"];

/// Whether a bot never answers, so that it gets little time. The others get more than a busy machine needs.
fn is_late(bot: &str) -> bool {
    ["no_flush.py", "endless_loop.py"].contains(&bot)
}

/// A screen.
const LINES: usize = 24;
const COLUMNS: usize = 80;

/// Plays a broken bot of a folder against a built-in player; `records` is where the record is kept.
fn play(game: &str, bots: &str, records: &Path, more: &[&str]) -> Ran {
    let mut run = command(&[&["play", game], more].concat());
    run.env("AGON_STATE", records)
        .envs([ALPHANO_TIMES])
        .current_dir(root().join("crates/cli/tests/it/agon").join(bots));
    finish(&mut run)
}

/// Each way to be broken in a game.
#[track_caller]
fn each(game: &str) {
    for bot in BOTS {
        let folder = folder();
        let [clock, ready] = if is_late(bot) { ["1s", "3s"] } else { ["9s", "9s"] };
        let limits = ["--clock", clock, "--ready", ready];
        let ran = play(game, "broken", folder.path(), &[&["--first", bot, "--seed", "7"], &limits[..]].concat());
        check(game, bot, &ran);
    }
}

#[test]
fn a_broken_cell_is_explained_in_one_screen() {
    for bot in BOTS {
        let folder = folder();
        let dish = ["--size", "5x5", "--turns", "2", "--seed", "7", "--second", "amoeba", "--show", "none"];
        let invocation = if is_late(bot) { "2s" } else { "1m" };
        let limits = ["--first", bot, "--invocation", invocation];
        let ran = play("petri", "broken/petri", folder.path(), &[&limits[..], &dish[..]].concat());
        check("petri", bot, &ran);
    }
}

#[test]
fn a_broken_bot_of_bacteria_war_is_explained_in_one_screen() {
    each("bacteria");
}

#[test]
fn a_broken_bot_of_domineering_is_explained_in_one_screen() {
    each("domineering");
}

#[test]
fn a_broken_bot_of_renju_is_explained_in_one_screen() {
    each("renju");
}

/// Compares the output with its snapshot.
#[track_caller]
fn check(game: &str, bot: &str, ran: &Ran) {
    // No game is played with a source that does not compile.
    let compiles = !bot.contains("compile_error");
    let expected = if compiles { (0, "") } else { (2, "error: no game was played: a source does not compile\n") };
    assert_eq!((ran.code, ran.err.as_str()), expected, "{game} {bot}");
    let lines: Vec<&str> = ran.out.lines().collect();
    let disturbed = lines.iter().filter(|line| line.ends_with("disturbed by the machine")).count();
    assert!(lines.len() - disturbed <= LINES, "{game} {bot}: {} lines\n{}", lines.len(), ran.out);
    for line in &lines {
        let command = line.starts_with("replay ") || line.starts_with("again ");
        assert!(command || line.chars().count() <= COLUMNS, "{game} {bot}: {line}");
    }
    let name = Path::new(bot).file_stem().unwrap().to_str().unwrap();
    insta::with_settings!({ omit_expression => true, description => format!("agon play {game} --first {bot}") }, {
        insta::assert_snapshot!(format!("broken_{game}_{name}"), timeless(&ran.out));
    });
}

/// The text without the parts that vary between runs and machines: times, the record's file, a compiler's quotes, the
/// level of the jail.
fn timeless(out: &str) -> String {
    // A machine with too much to do may disturb the few moves.
    let mut undisturbed = out.to_owned();
    for message in ["1 move", "2 moves"].map(|moves| format!("{moves} disturbed by the machine")) {
        undisturbed = undisturbed.replace(&format!("\n       {message}"), "").replace(&format!("  {message}"), "");
    }
    let lines = unfolded(&undisturbed).into_iter().map(|line| match line.split_once(" agon ") {
        Some((begin, _)) if begin.starts_with("replay") => format!("{begin} agon replay RECORD"),
        Some((begin, rest)) if begin.starts_with("again") && rest.starts_with("ask ") => {
            format!("{begin} agon ask RECORD BOT")
        }
        Some((begin, _)) if begin.starts_with("again") => {
            format!("{begin} agon petri ask BOT --record RECORD --action 1")
        }
        _ if line.starts_with("limits ") => line.split(", jail ").next().unwrap_or_default().to_owned(),
        _ => folded(&without_times(&usual(&line).replace(['‘', '’'], "'"))),
    });
    let lines: Vec<String> = lines.collect();
    let shown = (0..lines.len()).filter(|&at| !is_spoken(&lines, at) || !is_spoken(&lines, at + SPOKEN));
    shown.flat_map(|at| [lines[at].as_str(), "\n"]).collect()
}

/// Lines of a conversation that are compared. On a busy machine the cause takes another line of the screen, and the
/// conversation has one less.
const SPOKEN: usize = 3;

/// Whether this line belongs to a conversation.
fn is_spoken(lines: &[String], at: usize) -> bool {
    lines.get(at).is_some_and(|line| ["        N s > ", "        N s < "].iter().any(|begin| line.starts_with(begin)))
}

fn without_times(line: &str) -> String {
    let words: Vec<&str> = line.split(' ').collect();
    let is_unit = |word: &str| ["ms", "µs", "s"].contains(&word.trim_end_matches([':', ',', ')', ';']));
    let with_unit = |at: usize| words.get(at + 1).is_some_and(|word| is_unit(word));
    // Limits are the same everywhere.
    let timed = ["used", ">", "<", "of"].iter().any(|word| words.contains(word));
    let shown = words.iter().enumerate().map(|(at, &word)| {
        let of_ms = words.get(at + 1) == Some(&"of") && with_unit(at + 2);
        match word.parse::<f64>() {
            Ok(_) if timed && (of_ms || with_unit(at)) => "N",
            _ if words.contains(&"used") && is_unit(word) => "ms",
            _ => word,
        }
    });
    shown.collect::<Vec<_>>().join(" ").trim_end().to_owned()
}

/// Refolds a line after its numbers were removed.
fn folded(line: &str) -> String {
    let (mut text, mut width) = (String::new(), 0);
    for (at, word) in line.split(' ').enumerate() {
        if width > 0 && width + 1 + word.chars().count() > COLUMNS {
            text += "\n   ";
            width = 3;
        }
        if at > 0 {
            text.push(' ');
            width += 1;
        }
        text += word;
        width += word.chars().count();
    }
    text
}

/// The lines with those of the reason whole, which fold where the digits of a time let them.
fn unfolded(out: &str) -> Vec<String> {
    let mut lines: Vec<String> = Vec::new();
    let mut reason = false;
    for line in out.lines() {
        let heading = line.starts_with("first (") && !line.ends_with(": CE");
        // A kind of failed actions, and how many there were.
        let counted = line.contains(" × rested: ");
        if counted || lines.last().is_some_and(|last| last.contains(" × rested: ")) && line.starts_with("  ") {
            match lines.last_mut() {
                Some(last) if !counted => *last += &format!(" {}", line.trim_start()),
                _ => lines.push(line.to_owned()),
            }
            continue;
        }
        reason = heading || reason && line.starts_with("  ") && !line.starts_with("  last lines");
        match lines.last_mut() {
            Some(last) if reason && line.starts_with("    ") => {
                last.push(' ');
                *last += line.trim_start();
            }
            _ => lines.push(line.to_owned()),
        }
    }
    lines
}

/// The text that an idle machine would have printed.
fn usual(line: &str) -> String {
    let loops = ["  it computed for ", "  it computed all the time", "  it has read all of its input: it was running"];
    if loops.iter().any(|begin| line.starts_with(begin)) {
        return "  it computed for 1000 of 1000 ms: an endless loop, or too long a search?".to_owned();
    }
    line.to_owned()
}
