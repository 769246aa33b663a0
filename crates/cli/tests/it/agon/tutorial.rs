//! The tutorial, step by step: each command prints what the page shows, apart from figures.

use std::fs;
use std::os::unix::fs::symlink;
use std::path::Path;
use std::process::Command;

use crate::agon::run::{BINARY, environment, folder, root, search_path};

/// A command of the page, and the part of its output that it shows.
struct Step {
    command: String,
    output: String,
}

fn steps() -> Vec<Step> {
    let page = fs::read_to_string(root().join("docs/tutorial.md")).unwrap();
    let mut steps: Vec<Step> = Vec::new();
    let mut inside = false;
    for line in page.lines() {
        if line.starts_with("```") {
            inside = line == "```console";
        } else if let Some(command) = line.strip_prefix("$ ").filter(|_| inside) {
            steps.push(Step { command: command.to_owned(), output: String::new() });
        } else if inside {
            let step = steps.last_mut().expect("a command stands before its output");
            step.output += line;
            step.output.push('\n');
        }
    }
    steps
}

/// A text without figures, signs, units of time and the widths of columns, which differ from machine to machine;
/// numbers of plies stay.
pub fn without_figures(text: &str) -> String {
    let mut shown = String::new();
    for line in text.lines() {
        // Whether the machine was busy does not matter either.
        let line = line
            .split_once(" disturbed by")
            .map_or(line, |(line, _)| line.rsplit_once("  ").map_or(line, |(line, _)| line));
        let behind = line.split_whitespace().skip(1).chain([""]);
        let words: Vec<String> = line
            .split_whitespace()
            .zip(behind)
            .map(|(word, next)| {
                if next.starts_with("plies") {
                    return word.to_owned();
                }
                let mut plain = String::new();
                let mut digits = false;
                for c in word.chars() {
                    if c.is_ascii_digit() {
                        if !digits {
                            plain.push('0');
                        }
                        digits = true;
                    } else if !(digits && c == '.' || "+−".contains(c)) {
                        plain.push(c);
                        digits = false;
                    }
                }
                plain
            })
            .map(|word| match word.trim_end_matches(',') {
                "loss" | "losses" => "losses".to_owned(),
                "draw" | "draws" => "draws".to_owned(),
                "win" | "wins" => "wins".to_owned(),
                _ => word,
            })
            .filter(|word| !["ms", "s", "µs", "min"].contains(&word.trim_end_matches([',', ';'])))
            .collect();
        shown += words.join(" ").trim_end();
        shown.push('\n');
    }
    shown
}

#[test]
fn the_tutorial_is_true() {
    let place = folder();
    let tools = place.path().join("tools");
    fs::create_dir(&tools).unwrap();
    symlink(BINARY, tools.join("agon")).unwrap();
    let mut current = place.path().join("work");
    fs::create_dir(&current).unwrap();
    let path = search_path();
    let steps = steps();
    assert!(steps.len() > 6, "{} steps", steps.len());
    for Step { command, output } in steps {
        if let Some(folder) = command.strip_prefix("cd ") {
            current = current.join(folder);
            continue;
        }
        let found = run(&command, &current, &format!("{}:{}", tools.display(), path.display()));
        assert_eq!(without_figures(&found), without_figures(&output), "{command}\n{found}");
    }
}

/// The output of a command, whatever its exit code.
fn run(text: &str, folder: &Path, path: &str) -> String {
    let mut command = Command::new("sh");
    command.args(["-c", text]).current_dir(folder);
    for (name, value) in environment() {
        match value {
            Some(value) => command.env(name, value),
            None => command.env_remove(name),
        };
    }
    let output = command.env("PATH", path).output().unwrap();
    assert!(output.stderr.is_empty(), "{text}: {}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8(output.stdout).unwrap()
}

#[test]
fn figures_do_not_count() {
    assert_eq!(without_figures("ok  READY   31 ms of 3000\n"), "ok READY 0 of 0\n");
    assert_eq!(without_figures("first 21 plies, 4 ms\n"), "first 21 plies, 0\n");
    assert_eq!(without_figures("Elo +537.0 (+276.8 to +797.2), 12 s"), "Elo 0 (0 to 0), 0\n");
}
