//! `agon new`: a folder with a bot to start from.

mod language;
mod starter;

use std::ffi::OsStr;
use std::fs;
use std::io::{self, BufRead as _, IsTerminal as _, Write as _};
use std::path::{Path, PathBuf};

use agon_catalog::Game;
use agon_referee::agent::settings::quoted;
use agon_referee::text::nearest;
use anyhow::{Context, bail};
use clap::builder::{PossibleValue, TypedValueParser};
use clap::error::ErrorKind;
use clap::{Arg, Args, Command};
use serde_json::json;

use crate::exit::{Exit, in_one_line};
use crate::options::{Format, OutputArgs, game};
use crate::rules;
use crate::show::{self, paint};
use crate::site_rules::{self, ServerArgs};
use language::{BOT, LANGUAGES, SampleLanguage};
use starter::{Starter, StarterFile};

const NEW_HELP: &str = "\
The folder has a bot that plays (the sample of the game), inputs to feed it by
hand, a README with the next commands, and a .gitignore. Nothing is
overwritten. On a terminal, `agon new` without arguments asks.

Languages: python, pypy, cpp, c, java, rust, javascript, ruby; for games with
turns go, csharp, kotlin, typescript, lua, php, perl, haskell, ocaml, d, nim and
lisp, too, which you build as the README of the folder says.

Examples:
  agon new renju
  agon new bacteria cpp
  agon new domineering java my_bot
  agon new --server https://agon.example.org --game liars-dice";

#[derive(Args, Debug)]
#[command(after_help = NEW_HELP)]
pub(crate) struct NewArgs {
    /// The game
    #[arg(value_parser = GameFirst)]
    game: Option<Game>,

    /// The language [default: python]
    language: Option<String>,

    /// The folder, which is made [default: the game's name and _bot]
    folder: Option<PathBuf>,

    #[command(flatten)]
    server: ServerArgs,

    #[command(flatten)]
    output: OutputArgs,
}

/// Reads a game, and says so where a language stands in its place.
#[derive(Clone, Copy)]
struct GameFirst;

impl TypedValueParser for GameFirst {
    type Value = Game;

    fn parse_ref(&self, command: &Command, arg: Option<&Arg>, value: &OsStr) -> Result<Game, clap::Error> {
        let text = value.to_string_lossy();
        if SampleLanguage::by_name(&text.to_lowercase()).is_some() {
            let example = Game::names()[0];
            let message = format!("`{text}` is a language; the game comes first: `agon new {example} {text}`\n");
            return Err(clap::Error::raw(ErrorKind::ValueValidation, message).with_cmd(command));
        }
        game().parse_ref(command, arg, value)
    }

    fn possible_values(&self) -> Option<Box<dyn Iterator<Item = PossibleValue> + '_>> {
        let values = |game: Game| PossibleValue::new(game.name());
        Some(Box::new(Game::all().into_iter().map(values)))
    }
}

/// The language of those who name none.
const USUAL_LANGUAGE: &str = "python";

pub(crate) fn run(args: &NewArgs) -> anyhow::Result<Exit> {
    let Some(game) = args.game else { return ask(args) };
    let language = args.language.as_deref().unwrap_or(USUAL_LANGUAGE);
    make(game, language, args.folder.as_deref(), args.output.format)
}

/// Asks for what is not given.
fn ask(args: &NewArgs) -> anyhow::Result<Exit> {
    let names = Game::names();
    if !(io::stdin().is_terminal() && io::stdout().is_terminal()) || args.output.format == Format::Json {
        bail!("which game? name it, and the language: `agon new {} python` ({})", names[0], names.join(", "));
    }
    for game in Game::all() {
        anstream::println!("  {:<12} {}", paint(show::STRONG, game.name()), game.summary);
    }
    let game = answer("game", names[0], |text| {
        Game::by_name(text).with_context(|| format!("there is no game `{text}`: {}", names.join(", ")))
    })?;
    let languages = languages(game).join(", ");
    let language =
        answer(&format!("language ({languages})"), USUAL_LANGUAGE, |text| sample(game, text).map(|_| text.to_owned()))?;
    let usual = default_folder(game).display().to_string();
    let folder = answer("folder", &usual, |text| free(Path::new(text)).map(|()| PathBuf::from(text)))?;
    make(game, &language, Some(&folder), Format::Text)
}

/// Asks until an answer does; an empty one means `usual`.
fn answer<T>(question: &str, usual: &str, read: impl Fn(&str) -> anyhow::Result<T>) -> anyhow::Result<T> {
    loop {
        anstream::print!("{question} [{usual}]: ");
        io::stdout().flush()?;
        let mut line = String::new();
        if io::stdin().lock().read_line(&mut line)? == 0 {
            bail!("no {question} was given");
        }
        let text = line.trim();
        match read(if text.is_empty() { usual } else { text }) {
            Ok(value) => return Ok(value),
            Err(error) => anstream::println!("{}", paint(show::WARN, in_one_line(&error))),
        }
    }
}

fn make(game: Game, language: &str, folder: Option<&Path>, format: Format) -> anyhow::Result<Exit> {
    let (language, source) = sample(game, language)?;
    let folder = folder.map_or_else(|| default_folder(game), Path::to_owned);
    free(&folder)?;
    let starter = Starter::new(game, language, source)?;
    for StarterFile { name, text, .. } in &starter.files {
        let path = folder.join(name);
        let write = || {
            fs::create_dir_all(path.parent().unwrap_or(&folder))?;
            fs::write(&path, text)
        };
        write().with_context(|| format!("cannot write `{}`; name another folder", path.display()))?;
    }
    if let Some(rules) = site_rules::files_of(game) {
        let path = folder.join(starter::RULES);
        agon_external::write_folder(&path, rules).with_context(|| format!("cannot write `{}`", path.display()))?;
    }
    let mut out = anstream::stdout();
    let shown = folder.display().to_string();
    if format == Format::Json {
        let names: Vec<&str> = starter.files.iter().map(|file| file.name.as_str()).collect();
        let value = json!({
            "game": game.name(), "language": language.name(), "folder": shown, "bot": starter.bot, "files": names,
        });
        writeln!(out, "{value}")?;
        return Ok(Exit::Done);
    }
    writeln!(out, "{}", paint(show::STRONG, format!("{shown}/")))?;
    let listed = || starter.files.iter().filter(|file| !file.meaning.is_empty());
    let width = listed().map(|file| file.name.len()).max().unwrap_or_default();
    for StarterFile { name, meaning, .. } in listed() {
        writeln!(out, "  {name:<width$}  {meaning}")?;
    }
    if site_rules::files_of(game).is_some() {
        writeln!(out, "  {:<width$}  the rules, from the site", format!("{}/", starter::RULES))?;
    }
    writeln!(out, "\nnext")?;
    if folder != Path::new(".") {
        writeln!(out, "  cd {}", quoted(&shown))?;
    }
    for command in language.build(BOT).iter().chain(starter.commands.iter().take(2)) {
        writeln!(out, "  {command}")?;
    }
    if let Some(missing) = language.missing() {
        anstream::eprintln!("{} {missing}", paint(show::WARN, "warning:"));
    }
    Ok(Exit::Done)
}

fn default_folder(game: Game) -> PathBuf {
    PathBuf::from(format!("{}_bot", game.name().split('@').next().unwrap_or_default().replace('-', "_")))
}

/// Refuses a folder that has anything in it.
fn free(folder: &Path) -> anyhow::Result<()> {
    match fs::read_dir(folder).map(Iterator::count) {
        Ok(0) => Ok(()),
        Ok(_) => bail!("`{}` has files in it, and nothing is overwritten; name another folder", folder.display()),
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(()),
        Err(error) if error.kind() == io::ErrorKind::NotADirectory => {
            bail!("`{}` is a file; name another folder", folder.display())
        }
        Err(error) => Err(error).with_context(|| format!("cannot use the folder `{}`", folder.display())),
    }
}

/// The languages in which a game has a sample, as people call them.
fn languages(game: Game) -> Vec<&'static str> {
    let known = LANGUAGES.iter().filter(|language| game.samples.iter().any(|(known, _)| *known == language.extension));
    known.map(|language| language.spoken[0]).collect()
}

/// The sample of a language, and its text.
fn sample(game: Game, text: &str) -> anyhow::Result<(&'static SampleLanguage, &'static str)> {
    let lower = text.to_lowercase();
    let known = languages(game).join(", ");
    let Some(language) = SampleLanguage::by_name(&lower) else {
        let meant = nearest(&lower, LANGUAGES.iter().flat_map(|language| language.spoken).copied());
        let meant = meant.map_or_else(String::new, |meant| format!("; did you mean `{meant}`?"));
        bail!("no sample of {game} in `{text}`; choose one of {known}{meant} (the folder comes after the language)");
    };
    let Some((_, source)) = game.samples.iter().find(|(known, _)| *known == language.extension) else {
        if known.is_empty() {
            let word = rules::word(game);
            bail!("{game} has no sample to start from; docs/judge.md has the protocol, `agon games {word}` the rules");
        }
        bail!("{game} has no sample in {text}; it has {known}");
    };
    Ok((language, source))
}
