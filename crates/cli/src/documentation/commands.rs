//! Every command line that the help and the documents show is one that the program takes.

use std::fs;
use std::path::{Path, PathBuf};

use clap::CommandFactory;
use clap::error::ErrorKind;

use crate::{Args, options};

/// The commands of a line for a shell, each as its words; a pipe, `&&`, `;` or a redirection ends one, `#` the line.
fn commands(line: &str) -> Vec<Vec<String>> {
    let mut commands = vec![vec![String::new()]];
    let (mut quote, mut skipped) = (None, false);
    for c in line.chars() {
        let words = commands.last_mut().unwrap();
        match (quote, c) {
            (Some(open), _) if open == c => quote = None,
            (None, '"' | '\'') => quote = Some(c),
            (None, '#') if words.last().is_some_and(String::is_empty) => break,
            (None, '|' | '&' | ';') => {
                skipped = false;
                commands.push(vec![String::new()]);
            }
            (None, '<' | '>') => skipped = true,
            (None, ' ') => words.push(String::new()),
            _ if skipped => {}
            _ => words.last_mut().unwrap().push(c),
        }
    }
    for words in &mut commands {
        words.retain(|word| !word.is_empty());
        // `taskset -c 0 agon …`, `cargo run --release -- …`
        if words.first().is_some_and(|word| word == "taskset") {
            words.drain(..3.min(words.len()));
        } else if words.starts_with(&["cargo", "run", "--release", "--"].map(str::to_owned)) {
            words.splice(..4, ["agon".to_owned()]);
        }
    }
    commands.retain(|words| words.first().is_some_and(|word| word == "agon"));
    commands
}

/// The examples in the help of a command and of those below it, each without the remark after it.
fn examples(command: &clap::Command) -> Vec<String> {
    let help = command.get_after_help().map(ToString::to_string).unwrap_or_default();
    let lines = help.lines().filter(|line| line.starts_with("  ") && line.contains("agon "));
    let lines = lines.filter_map(|line| line.trim().split("   ").next().map(str::to_owned));
    lines.chain(command.get_subcommands().flat_map(examples)).collect()
}

/// Why a command line is refused.
fn refusal(command: &clap::Command, words: &[String]) -> Option<anyhow::Error> {
    let read = command.clone().try_get_matches_from(words).map_err(anyhow::Error::from);
    read.and_then(|matches| options::refuse_foreign(command, &matches)).err()
}

/// The kind of clap's refusal, if it is clap's.
fn kind(error: &anyhow::Error) -> Option<ErrorKind> {
    error.downcast_ref::<clap::Error>().map(clap::Error::kind)
}

#[test]
fn every_example_in_the_help_is_a_command_line() {
    let command = Args::command();
    let examples = examples(&command);
    let commands: Vec<Vec<String>> = examples.iter().flat_map(|line| commands(line)).collect();
    assert!(commands.len() > 45, "{commands:?}");
    let wrong = commands.iter().filter_map(|words| Some(format!("{}\n{}", words.join(" "), refusal(&command, words)?)));
    assert_eq!(wrong.collect::<Vec<_>>().join("\n"), "");
}

/// A command line that a document shows.
struct Shown {
    words: Vec<String>,
    /// It stands in running text, which may name a command without its arguments.
    inline: bool,
}

/// The command lines of a document: the lines of its blocks, and what stands in backquotes.
fn shown(document: &str) -> Vec<Shown> {
    let joined = document.replace("\\\n", " ");
    let mut found = Vec::new();
    let mut prose = String::new();
    let mut fenced = false;
    for line in joined.lines() {
        if line.trim_start().starts_with("```") {
            fenced = !fenced;
        } else if fenced {
            let line = line.trim_start().trim_start_matches("$ ");
            found.extend(commands(line).into_iter().map(|words| Shown { words, inline: false }));
        } else {
            prose += line;
            prose.push('\n');
        }
    }
    for span in prose.split('`').skip(1).step_by(2) {
        let span = span.replace('\n', " ");
        found.extend(commands(&span).into_iter().map(|words| Shown { words, inline: true }));
    }
    for shown in &mut found {
        for word in &mut shown.words {
            // What stands for a value, as `agon perft GAME DEPTH` has it.
            let value = match word.as_str() {
                "GAME" => "bacteria",
                "DEPTH" | "N" | "P" | "K" => "3",
                "MS" => "1000",
                "NAME" => "champion",
                "$seed" => "1",
                _ => continue,
            };
            value.clone_into(word);
        }
        shown.words.retain(|word| !word.contains(['[', ']']));
    }
    found
}

/// The Markdown files below a folder.
fn documents(folder: &Path) -> Vec<PathBuf> {
    let mut found = Vec::new();
    for entry in fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()) {
        if entry.is_dir() {
            found.extend(documents(&entry));
        } else if entry.extension().is_some_and(|extension| extension == "md") {
            found.push(entry);
        }
    }
    found.sort();
    found
}

#[test]
fn every_command_in_the_documents_is_a_command_line() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let mut files = documents(&root.join("docs"));
    files.extend(["README.md", "BENCHMARKS.md", "ARCHITECTURE.md", "agents/README.md"].map(|name| root.join(name)));
    let command = Args::command();
    let (mut count, mut wrong) = (0, Vec::new());
    for file in files {
        for Shown { words, inline } in shown(&fs::read_to_string(&file).unwrap()) {
            count += 1;
            let abridged = words.iter().any(|word| word.contains('…') || word == "NAME=VALUE");
            let Some(error) = refusal(&command, &words) else { continue };
            let named = inline
                && matches!(
                    kind(&error),
                    Some(
                        ErrorKind::MissingRequiredArgument
                            | ErrorKind::DisplayHelpOnMissingArgumentOrSubcommand
                            | ErrorKind::MissingSubcommand
                            | ErrorKind::InvalidValue
                    )
                );
            if !(abridged || named || kind(&error) == Some(ErrorKind::DisplayHelp)) {
                wrong.push(format!("{}: {}\n{error}", file.display(), words.join(" ")));
            }
        }
    }
    assert!(count > 120, "{count} commands found");
    assert_eq!(wrong.join("\n"), "");
}
