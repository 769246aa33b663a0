//! Every command line that the help and the documents show is one that the program takes.

use std::fs;
use std::path::{Path, PathBuf};

use agon_cli::command_line;
use clap::error::ErrorKind;

/// The commands of a line for a shell, each as its words; a pipe, `&&`, `;` or a redirection ends one, `#` the line.
pub fn commands(line: &str) -> Vec<Vec<String>> {
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
fn refusal(words: &[String]) -> Option<anyhow::Error> {
    agon_cli::check(words.iter().map(Into::into)).err()
}

/// The kind of clap's refusal, if it is clap's.
fn kind(error: &anyhow::Error) -> Option<ErrorKind> {
    error.downcast_ref::<clap::Error>().map(clap::Error::kind)
}

#[test]
fn every_example_in_the_help_is_a_command_line() {
    let command = command_line();
    let examples = examples(&command);
    let commands: Vec<Vec<String>> = examples.iter().flat_map(|line| commands(line)).collect();
    assert!(commands.len() > 45, "{commands:?}");
    let wrong = commands.iter().filter_map(|words| Some(format!("{}\n{}", words.join(" "), refusal(words)?)));
    assert_eq!(wrong.collect::<Vec<_>>().join("\n"), "");
}

/// Earlier names are still accepted.
#[test]
fn old_spellings_are_still_read() {
    for line in [
        "agon play bacteria --clock 2s --record game.jsonl --pace 100ms",
        "agon play petri --width 6 --height 4 --invocation 500ms",
        "agon match a b --game renju -k 2 --clock 2s --threads 2",
        "agon sprt a b --game renju --concurrency 2",
        "agon replay game.jsonl --picture end.svg --ply 3 --page game.html",
        "agon book renju --practise --book b --time 60s --games agon.db",
        "agon book renju --opening kagetsu --picture k.svg",
        "agon analyze bacteria --memory 64 --time 500ms",
        "agon analyze renju --picture win.svg",
        "agon solve renju --time 500ms",
        "agon bench bacteria --memory 64",
        "agon bench domineering --time 500ms",
        "agon bridge uai --margin 100ms -- engine",
        "agon datagen bacteria --out f --opening 9",
        "agon duel bacteria a b --pairs 3 --opening 4 --clock 500ms",
        "agon tune bacteria --steps 3",
        "agon petri score a b --width 6 --height 4",
        "agon petri league --dish 6x4",
        "agon petri gauntlet --dish 6x4",
        "agon train petri --out f --bouts 3 --dish 6x4",
        "agon lab train petri --out f --games 3 --size 6x4",
        "agon submit bot.py --server https://a --contest friday",
        "agon perft bacteria 3",
        "agon lab perft bacteria 3",
    ] {
        let words: Vec<String> = line.split(' ').map(str::to_owned).collect();
        assert!(refusal(&words).is_none(), "{line}: {:?}", refusal(&words));
    }
}

/// One word for one thing: an option of one name has one short form, one name of its value and one syntax in all
/// commands.
#[test]
fn options_are_called_alike() {
    let command = command_line();
    let mut all: Vec<(String, &clap::Arg)> = Vec::new();
    let mut commands: Vec<(String, &clap::Command)> = vec![(String::new(), &command)];
    while let Some((path, command)) = commands.pop() {
        let shown = command.get_arguments().filter(|option| !option.is_hide_set() && option.get_long().is_some());
        all.extend(shown.map(|option| (path.clone(), option)));
        commands.extend(command.get_subcommands().map(|below| (format!("{path} {}", below.get_name()), below)));
    }
    for (path, option) in &all {
        let name = option.get_long().unwrap();
        let values: Vec<&str> =
            option.get_value_names().unwrap_or_default().iter().map(clap::builder::Str::as_str).collect();
        let expected = match name {
            // A worker takes names of games, the others a number.
            "games" if path == " worker" => Some((None, "GAMES")),
            "games" => Some((Some('n'), "N")),
            "jobs" => Some((Some('j'), "N")),
            // A whole time control, where programs play; a time in the workshop and on a site.
            "clock"
                if [" play", " match", " sprt", " tournament", " check", " watch", " tune", " pool add"]
                    .contains(&path.as_str()) =>
            {
                Some((None, "CLOCK"))
            }
            "clock" | "time" | "invocation" | "pace" | "margin" => Some((None, "TIME")),
            "size" => Some((None, "WxH")),
            "seed" | "nodes" | "turns" => Some((None, "N")),
            "memory" | "hash" => Some((None, "MIB")),
            "openings"
                if [" match", " sprt", " tournament", " watch", " tune", " pool add"].contains(&path.as_str()) =>
            {
                Some((None, "PLIES|FILE"))
            }
            "openings" => Some((None, "PLIES")),
            "db" => Some((None, "FILE")),
            _ => None,
        };
        if let Some((short, value)) = expected {
            assert_eq!((option.get_short(), &values[..]), (short, &[value][..]), "agon{path} --{name}");
        }
        assert!(!values.contains(&"MS"), "agon{path} --{name}: times have units");
        for old in ["picture", "page", "concurrency", "dish", "pairs", "steps", "bouts", "width", "height"] {
            assert_ne!(name, old, "agon{path}");
        }
        // A record is read by --record, and written to --out as everything else.
        assert!(name != "record" || path != " play", "agon{path} --{name}");
        if name == "seed" && ![" play", " agent", " lab learn"].contains(&path.as_str()) {
            assert_eq!(option.get_default_values(), ["1"], "agon{path} --seed");
        }
    }
    assert!(all.len() > 150, "{}", all.len());
}

/// A command line that a document shows.
struct Shown {
    words: Vec<String>,
    /// It appears in running text, which may name a command without its arguments.
    inline: bool,
}

/// The command lines of a document: the lines of its blocks, and texts in backquotes.
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
            // Placeholders for values, as in `agon perft GAME DEPTH`.
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
    let (mut count, mut wrong) = (0, Vec::new());
    for file in files {
        for Shown { words, inline } in shown(&fs::read_to_string(&file).unwrap()) {
            count += 1;
            let abridged = words.iter().any(|word| word.contains('…') || word == "NAME=VALUE");
            let Some(error) = refusal(&words) else { continue };
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
