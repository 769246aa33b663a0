//! The help of the whole program: its commands in groups.

use std::ffi::OsString;

use clap::builder::{StyledStr, UnknownArgumentValueParser};
use clap::{Arg, Command};

use crate::show::folded_to;

/// Columns of a terminal that all help fits into.
pub(crate) const WIDTH: usize = 80;

/// Groups of commands, in the order of the help.
const GROUPS: [(&str, &[&str]); 10] = [
    ("Play and judge a bot", &["new", "check", "play", "board", "replay", "ask", "explain", "petri", "games"]),
    ("A game of your own", &["game"]),
    ("Play a series of games", &["match", "sprt", "tournament", "results", "report", "export"]),
    ("Improve a bot", &["watch", "pool", "tune"]),
    ("Positions and analysis", &["analyze", "solve", "inspect", "puzzles", "book", "convert"]),
    ("A site", &["serve", "submit", "program"]),
    ("A fleet of machines", &["worker", "fleet"]),
    ("Other programs and protocols", &["agent", "uai", "gomocup", "bridge"]),
    ("Make engines", &["lab"]),
    ("Set up", &["doctor", "key", "completions", "help"]),
];

/// Commands that play series.
const SERIES: &[&str] = &["match", "sprt", "tournament"];

/// Options that some commands lack but similar commands, cutechess-cli or fastchess have, each with its replacement.
/// Clap alone would suggest the option with the most similar spelling.
const MISTAKEN: [(&[&str], &str, &str); 11] = [
    (
        &["play", "match", "sprt", "tournament", "lab duel", "tune", "watch", "lab tune"],
        "time",
        "each player's time for a game is `--clock 10s`",
    ),
    (&["play"], "game", "the game comes first: `agon play GAME`"),
    (SERIES, "tc", "the clock of each agent is `--clock 10+0.1`"),
    (SERIES, "st", "the time of a move is `--movetime 500ms`"),
    (SERIES, "timemargin", "the margin is `--margin 50ms`"),
    (&["match", "sprt"], "rounds", "games are counted: 10 rounds of two games are `-n 20`"),
    (SERIES, "engine", "agents are arguments without an option: `uai:./new uai:./old`"),
    (SERIES, "srand", "the seed is `--seed 7`"),
    (SERIES, "variant", "the game is `--game renju`"),
    (SERIES, "maxmoves", "plies are counted: `--max-plies 200`"),
    (SERIES, "pgnout", "every game is stored: afterwards `agon export --format pgn`"),
];

/// Options that cutechess-cli and fastchess write with one dash: the words with two, so that they are ours or
/// [`MISTAKEN`].
pub(crate) fn with_two_dashes(words: Vec<OsString>) -> Vec<OsString> {
    const ONE_DASH: [&str; 16] = [
        "-concurrency",
        "-draw",
        "-each",
        "-engine",
        "-games",
        "-maxmoves",
        "-openings",
        "-pgnout",
        "-resign",
        "-rounds",
        "-seed",
        "-srand",
        "-st",
        "-tc",
        "-timemargin",
        "-variant",
    ];
    let plays_series = words.get(1).and_then(|word| word.to_str()).is_some_and(|word| SERIES.contains(&word));
    let respelt = |word: OsString| match word.to_str() {
        Some(text) if plays_series && ONE_DASH.contains(&text) => format!("-{text}").into(),
        _ => word,
    };
    words.into_iter().map(respelt).collect()
}

/// The help of a command by its option, where clap knows similar names: `agon help chek` as `agon chek --help`.
pub(crate) fn as_option(mut words: Vec<OsString>) -> Vec<OsString> {
    let asks_for_one = words.get(1).is_some_and(|word| word == "help") && words.len() > 2;
    if asks_for_one && words[2..].iter().all(|word| !word.as_encoded_bytes().starts_with(b"-")) {
        words.remove(1);
        words.push("--help".into());
    }
    words
}

/// Names of values that have a unit: `-5s` is a time out of range, not an option.
const WITH_UNITS: [&str; 3] = ["CLOCK", "TIME", "MIB"];

/// Makes options accept negative numbers, so that they are refused as values.
fn taking_negative_numbers(command: Command) -> Command {
    let command = command.mut_args(|arg| {
        let takes_value = arg.get_long().is_some() && arg.get_action().takes_values();
        let has_unit =
            arg.get_value_names().is_some_and(|names| names.iter().any(|name| WITH_UNITS.contains(&&**name)));
        match (takes_value, has_unit) {
            (true, true) => arg.allow_hyphen_values(true),
            (true, false) => arg.allow_negative_numbers(true),
            (false, _) => arg,
        }
    });
    let names: Vec<String> = command.get_subcommands().map(|command| command.get_name().to_owned()).collect();
    names.iter().fold(command, |command, name| command.mut_subcommand(name, taking_negative_numbers))
}

/// The command with its help in groups, with no line of any help longer than [`WIDTH`], and with advice for options
/// that another command has.
pub(crate) fn grouped(command: Command) -> Command {
    let template = template(&command);
    let mut command = command.max_term_width(WIDTH).help_template(template);
    for (names, option, advice) in MISTAKEN {
        for name in names {
            let parser = UnknownArgumentValueParser::suggest(advice);
            // The name of the option may be that of an argument; its advice is not.
            let option = Arg::new(advice).long(option).value_name("VALUE").hide(true).value_parser(parser);
            command = with_option(command, name, option);
        }
    }
    taking_negative_numbers(command)
}

/// Adds an option to the command below this one with this name, `lab duel`.
fn with_option(command: Command, name: &str, option: Arg) -> Command {
    match name.split_once(' ') {
        Some((name, below)) => command.mut_subcommand(name, |command| with_option(command, below, option)),
        None => command.mut_subcommand(name, |command| command.arg(option)),
    }
}

/// The template of the help of the whole program.
fn template(command: &Command) -> StyledStr {
    let heading = command.get_styles().get_header();
    let mut text = "{about-with-newline}\n{usage-heading} {usage}\n".to_owned();
    for (title, names) in GROUPS {
        text += &format!("\n{heading}{title}:{heading:#}\n");
        for name in names {
            text += &row(command, name);
        }
    }
    text += &format!("\n{heading}Options:{heading:#}\n{{options}}{{after-help}}");
    text.into()
}

/// Returns a command and its description, in lines that fit.
fn row(command: &Command, name: &str) -> String {
    const INDENT: usize = 15;
    let about = match command.find_subcommand(name).and_then(Command::get_about) {
        Some(about) => about.to_string(),
        None => "Print this help, or that of a command".to_owned(),
    };
    let literal = command.get_styles().get_literal();
    let heading = format!("  {name:<width$}", width = INDENT - 2);
    // Styled afterwards, for a style takes no room.
    folded_to(WIDTH, &heading, &about).replacen(name, &format!("{literal}{name}{literal:#}"), 1) + "\n"
}

#[cfg(test)]
mod tests {
    use clap::CommandFactory;

    use super::*;
    use crate::Args;

    #[test]
    fn options_of_other_tools_get_their_two_dashes() {
        let check = |line: &str, expected: &str| {
            let words = with_two_dashes(line.split(' ').map(OsString::from).collect());
            let words: Vec<&str> = words.iter().filter_map(|word| word.to_str()).collect();
            assert_eq!(words.join(" "), expected);
        };
        check("agon match a b -tc 10 -n 4", "agon match a b --tc 10 -n 4");
        check("agon play bacteria -tc 10", "agon play bacteria -tc 10");
    }

    #[test]
    fn help_of_a_command_is_its_option() {
        let check = |line: &str, expected: &str| {
            let words = as_option(line.split(' ').map(OsString::from).collect());
            let words: Vec<&str> = words.iter().filter_map(|word| word.to_str()).collect();
            assert_eq!(words.join(" "), expected);
        };
        check("agon help lab bench", "agon lab bench --help");
        check("agon help", "agon help");
        check("agon help --version", "agon help --version");
    }

    #[test]
    fn every_command_stands_in_one_group() {
        let command = Args::command();
        let shown = command.get_subcommands().filter(|command| !command.is_hide_set()).map(Command::get_name);
        let mut shown: Vec<&str> = shown.chain(["help"]).collect();
        let mut grouped: Vec<&str> = GROUPS.iter().flat_map(|(_, names)| *names).copied().collect();
        shown.sort_unstable();
        grouped.sort_unstable();
        assert_eq!(grouped, shown);
    }

    /// Clap wraps the descriptions of commands, but examples and tables are wrapped by hand: a line too long would be
    /// wrapped twice.
    #[test]
    fn no_line_that_is_broken_by_hand_is_too_long() {
        let wide = |command: &Command| -> Vec<String> {
            let texts = [command.get_before_help(), command.get_after_help(), command.get_after_long_help()];
            let texts: Vec<String> = texts.into_iter().flatten().map(ToString::to_string).collect();
            let lines = texts.iter().flat_map(|text| text.lines()).filter(|line| line.chars().count() > WIDTH);
            lines.map(|line| format!("{}: {line}", command.get_name())).collect()
        };
        let command = Args::command();
        let mut found = wide(&command);
        let mut commands: Vec<&Command> = command.get_subcommands().collect();
        while let Some(command) = commands.pop() {
            found.extend(wide(command));
            commands.extend(command.get_subcommands());
        }
        assert!(found.is_empty(), "{}", found.join("\n"));
    }
}
