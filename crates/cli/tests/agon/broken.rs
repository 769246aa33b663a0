//! What the author of a broken bot is told: a screen for each way to be broken in each game.
//!
//! The screens stand as snapshots beside this file; `INSTA_UPDATE=always` renews them.

use std::path::Path;

use crate::run::{Ran, command, finish, folder};

/// The bots in `broken/`.
const SESSION: [&str; 6] =
    ["no_flush.py", "endless_loop.py", "exception.py", "wrong_format.py", "compile_error.cpp", "stray_print.py"];

/// A screen.
const LINES: usize = 24;
const COLUMNS: usize = 80;

/// Plays a broken bot against a built-in player.
fn play(game: &str, folder: &Path, more: &[&str]) -> Ran {
    let mut run = command(&[&["play", game], more].concat());
    run.env("AGON_STATE", folder);
    finish(&mut run)
}

/// Each way to be broken in a game.
#[track_caller]
fn each(game: &str) {
    for bot in SESSION {
        let folder = folder();
        let path = format!("crates/cli/tests/agon/broken/{bot}");
        let ran = play(game, folder.path(), &["--first", &path, "--clock", "1000", "--seed", "7"]);
        check(game, &path, &ran);
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

/// Compares what was printed with its snapshot.
#[track_caller]
fn check(game: &str, bot: &str, ran: &Ran) {
    assert_eq!((ran.code, ran.err.as_str()), (0, ""), "{game} {bot}");
    let lines: Vec<&str> = ran.out.lines().collect();
    assert!(lines.len() <= LINES, "{game} {bot}: {} lines\n{}", lines.len(), ran.out);
    for line in &lines {
        assert!(line.starts_with("replay ") || line.chars().count() <= COLUMNS, "{game} {bot}: {line}");
    }
    let name = Path::new(bot).file_stem().unwrap().to_str().unwrap();
    insta::with_settings!({ omit_expression => true, description => format!("agon play {game} --first {bot}") }, {
        insta::assert_snapshot!(format!("broken_{game}_{name}"), timeless(&ran.out));
    });
}

/// The text without what differs from run to run and from machine to machine: times, the record's file, a compiler's quotes.
fn timeless(out: &str) -> String {
    // A machine with too much to do may disturb the one move.
    let undisturbed =
        out.replace("\n       1 move disturbed by the machine", "").replace("  1 move disturbed by the machine", "");
    let lines = unfolded(&undisturbed).into_iter().map(|line| match line.split_once("agon replay ") {
        Some((begin, _)) => format!("{begin}agon replay RECORD"),
        None => folded(&without_times(&usual(&line).replace(['‘', '’'], "'"))),
    });
    lines.flat_map(|line| [line, "\n".to_owned()]).collect()
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

/// A line folded again, now that its numbers are gone.
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

/// What a machine without too much to do would have said.
fn usual(line: &str) -> String {
    let loops =
        ["  it computed for ", "  it computed all the time", "  it has read all that it was sent: it was running"];
    if loops.iter().any(|begin| line.starts_with(begin)) {
        return "  it computed for 1000 of 1000 ms: an endless loop, or too long a search?".to_owned();
    }
    match line.split_once(", waited for a processor for ") {
        Some((begin, rest)) => format!("{begin}{}", rest.split_once(" ms").map_or("", |(_, rest)| rest)),
        None => line.to_owned(),
    }
}
