//! The contents of a new bot's folder.

use std::fmt::Write as _;

use agon_arena::bot_check;
use agon_catalog::{Game, SituationStart};

use super::language::{BOT, SampleLanguage};
use crate::{rules, site_rules};

/// A file of the folder.
pub(super) struct StarterFile {
    /// From the folder on.
    pub name: String,
    pub text: String,
    /// Description in the list of files; empty if it is not listed.
    pub meaning: &'static str,
}

/// The files of a new bot, and the commands that come next.
pub(super) struct Starter {
    /// The name of the bot's file.
    pub bot: String,
    pub files: Vec<StarterFile>,
    pub commands: Vec<String>,
}

/// The folder for a game's rules fetched from a site.
pub(super) const RULES: &str = "rules";

/// How the commands in the folder name the game, and the words needed to read its records.
fn game_words(game: Game) -> [String; 2] {
    match site_rules::files_of(game) {
        Some(_) => [format!("./{RULES}"), format!(" --rules ./{RULES}")],
        None => [rules::word(game), rules::option(game)],
    }
}

/// Where the inputs are.
const INPUTS: &str = "inputs";

impl Starter {
    pub(super) fn new(game: Game, language: &SampleLanguage, source: &str) -> anyhow::Result<Self> {
        let bot = language.file(BOT);
        let commands = commands(game, language);
        let mut files = vec![
            StarterFile {
                name: bot.clone(),
                text: own(source, language.extension, &bot),
                meaning: "the bot: replace its `choose`",
            },
            StarterFile {
                name: "README.md".to_owned(),
                text: readme(game, language, &bot, &commands),
                meaning: "next commands, rules and test inputs",
            },
            StarterFile { name: ".gitignore".to_owned(), text: ignored(language), meaning: "" },
        ];
        for (at, situation) in game.situations.iter().enumerate() {
            files.push(StarterFile {
                name: format!("{INPUTS}/{}.txt", situation.name),
                text: bot_check::input(game, situation)?,
                meaning: if at == 0 { "rare situations, as test inputs" } else { "" },
            });
        }
        Ok(Self { bot, files, commands })
    }
}

/// The source of a sample as that of a bot of this name.
fn own(source: &str, extension: &str, bot: &str) -> String {
    let named = source.replace(&format!("sample.{extension}"), bot);
    named.replace("a sample ", "a ").replace("sample", BOT)
}

const IGNORED: &str = "\
# what Agon and compilers write
agon.db*
tune.json
*.jsonl
*.class
*.o
a.out
__pycache__/
target/
";

fn ignored(language: &SampleLanguage) -> String {
    language.product(BOT).map_or_else(|| IGNORED.to_owned(), |product| format!("{IGNORED}/{product}\n"))
}

/// The commands that come next, each as it is typed in the folder.
fn commands(game: Game, language: &SampleLanguage) -> Vec<String> {
    let weak = game.beginners_rival();
    let [file, bot] = [language.file(BOT), language.agent(BOT)];
    let old = format!("old_{BOT}");
    let kept = format!("old_{file}");
    // A Java file has the name of its class, whatever the copy is called.
    let copy = if file == bot { kept.clone() } else { language.agent(&old) };
    let copied: Vec<String> = [format!("cp {file} {kept}")].into_iter().chain(language.build(&old)).collect();
    let copied = copied.join("; ");
    let [game_word, option] = game_words(game);
    let series = if game.has_sessions() {
        // Without openings, deterministic bots repeat the same two games if boards do not differ.
        let openings = if game.openings.usual_plies > 0 { " --openings-understood" } else { "" };
        format!("{copied}; agon sprt {bot} {copy} --game {game_word}{openings} --elo1 50")
    } else {
        format!("{copied}; agon petri score {bot} {copy} --games 10")
    };
    let mut commands = vec![
        format!("agon check {bot} --game {game_word}"),
        format!("agon play {game_word} --first {bot} --second {weak}"),
        format!(
            "agon play {game_word} --first {bot} --second {weak} --out game.jsonl && agon replay game.jsonl{option}"
        ),
        series,
    ];
    if language.is_submitted() {
        let site = format!("--game {game_word} --server https://agon.example.org");
        let site = site_rules::submission().unwrap_or(site);
        commands.push(format!("agon submit {bot} {site}"));
    }
    commands
}

/// Purpose of each command.
const PURPOSES: [&str; 5] = [
    "check it as a site does before its first game",
    "watch one game against a built-in player",
    "keep a game, and step through it",
    "measure a change: the new version against a copy of the old one",
    "submit it to a site",
];

fn readme(game: Game, language: &SampleLanguage, bot: &str, commands: &[String]) -> String {
    let mut text = format!(
        "# A bot for {}\n\n`{bot}` is complete: board, rules, choice of a move and protocol, each under its heading.\n\
         Replace `choose` by your own idea; the rest can stay as it is.\n\n",
        game.title()
    );
    let build = language.build(BOT);
    if !build.is_empty() {
        let _ = writeln!(text, "Build it first, and again after each change:\n\n```sh\n{}\n```\n", build.join("\n"));
    }
    let count = ["four", "five"][usize::from(language.is_submitted())];
    let _ = writeln!(text, "## The next {count} commands\n");
    for (command, purpose) in commands.iter().zip(PURPOSES) {
        let _ = writeln!(text, "{}{}:\n\n```sh\n{command}\n```\n", purpose[..1].to_uppercase(), &purpose[1..]);
    }
    text += "## The rules in short\n\n";
    for rule in game.rules {
        let _ = writeln!(text, "- {rule}");
    }
    if game.is_program() {
        let page = site_rules::files_of(game).map_or(game.page, |_| RULES);
        let _ = writeln!(text, "\nAll rules: `{page}`.\n");
    } else {
        let (page, source) = (game.page, game.source);
        let _ = writeln!(
            text,
            "\n`agon games {game}` has parameters and opponents; all rules: {source}, or `{page}` of Agon.\n"
        );
    }
    if game.situations.is_empty() {
        return text;
    }
    let example = format!("{INPUTS}/{}.txt", game.situations[0].name);
    let (build, run) = language.by_hand(BOT);
    let build: String = build.iter().flat_map(|line| [line.as_str(), "\n"]).collect();
    let _ = writeln!(
        text,
        "## Test inputs\n\nEach file in `{INPUTS}/` is what the judge writes in a rare situation; `agon \
         check` plays on from them.\n\n```sh\n{build}{run} < {example}\n```\n"
    );
    let ready = game.situations.iter().any(|situation| matches!(situation.start, SituationStart::Game { .. }));
    if ready {
        text += "The first line of the answer is OK, for READY; then comes the move.\n\n";
    }
    text += "| input | situation | answer |\n|---|---|---|\n";
    for situation in game.situations {
        let _ = writeln!(text, "| `{}` | {} | {} |", situation.name, situation.meaning, situation.expected);
    }
    text
}
