//! Rules of the games of a site, fetched for commands on a machine at home: `--server URL`.

use std::ffi::{OsStr, OsString};
use std::fs;
use std::path::{Component, Path, PathBuf};
use std::sync::OnceLock;

use agon_catalog::Game;
use agon_external::RulesFile;
use agon_referee::folders;
use agon_referee::text::plain;
use agon_web::problem::ApiProblem;
use anyhow::{Context, anyhow, bail, ensure};
use clap::Args;
use serde::Deserialize;

use crate::rules;
use crate::submit::client;

/// The site that has the rules of the game.
#[derive(Args, Debug)]
pub(crate) struct ServerArgs {
    /// The site that has the rules of the game, for its games of others: they are fetched, and asked here
    #[arg(long, value_name = "URL")]
    server: Option<String>,
}

const OPTION: &str = "--server";

/// Commands that take rules from a site; the game of some is their first argument, that of `replay` and `ask` stands in
/// a record.
const COMMANDS: [&str; 5] = ["new", "check", "play", "replay", "ask"];

/// The longest answer of a site, in bytes.
const MAX_ANSWER_BYTES: u64 = 64 << 20;

#[derive(Deserialize)]
struct SiteRules {
    game: String,
    #[serde(default)]
    files: Vec<SiteFile>,
}

#[derive(Deserialize)]
struct SiteFile {
    name: String,
    text: String,
    executable: bool,
}

/// Fetches the rules that a command line asks a site for, and makes them a game. Returns the words, in which the game
/// of `--game` stands where the command expects it.
///
/// # Errors
/// Why the site does not give them.
pub(crate) fn fetched(words: Vec<OsString>) -> anyhow::Result<Vec<OsString>> {
    let Some(Asked { mut words, server, game: Some(game) }) = Asked::read(&words) else { return Ok(words) };
    if Game::by_name(&game).is_some_and(|game| !game.is_program()) || Path::new(&game).components().count() > 1 {
        return Ok(words);
    }
    if let Some(fetched) = fetch(&server, &game)? {
        // The name on the site may be the address of a version.
        let full: OsString = fetched.name().into();
        for word in words.iter_mut().skip(2).filter(|word| **word == *OsStr::new(&game)) {
            word.clone_from(&full);
        }
    }
    Ok(words)
}

/// A command line that asks a site for rules.
struct Asked {
    /// Its words, the game of some commands as their first argument.
    words: Vec<OsString>,
    server: String,
    game: Option<String>,
}

impl Asked {
    fn read(words: &[OsString]) -> Option<Self> {
        let command = words.get(1)?.to_str().filter(|command| COMMANDS.contains(command))?;
        let server = value(words, OPTION)?.to_string_lossy().into_owned();
        let (named, mut words) = (value(words, "--game"), words.to_vec());
        if let Some(game) = named.as_ref().filter(|_| ["new", "play"].contains(&command)) {
            remove(&mut words, "--game");
            words.insert(2, game.clone());
        }
        let first = || first_argument(&words);
        let game = match command {
            "replay" | "ask" => first().and_then(|file| recorded_game(Path::new(&file))),
            _ => named.or_else(first).map(|game| game.to_string_lossy().into_owned()),
        };
        Some(Self { words, server, game })
    }
}

/// The words of a command line that is only read: no site is asked, and any game stands for the one that it names.
pub(crate) fn unfetched(words: Vec<OsString>) -> Vec<OsString> {
    let Some(Asked { mut words, game: Some(game), .. }) = Asked::read(&words) else { return words };
    let known = Game::all()[0].name();
    for word in words.iter_mut().skip(2).filter(|word| **word == *OsStr::new(&game)) {
        *word = known.into();
    }
    words
}

/// The value of an option, as its own word or behind `=`.
fn value(words: &[OsString], option: &str) -> Option<OsString> {
    let behind = |word: &OsString| word.to_str()?.strip_prefix(option)?.strip_prefix('=').map(OsString::from);
    let at = words.iter().position(|word| word == option || behind(word).is_some())?;
    behind(&words[at]).or_else(|| words.get(at + 1).cloned())
}

fn remove(words: &mut Vec<OsString>, option: &str) {
    if let Some(at) = words.iter().position(|word| word == option) {
        words.drain(at..(at + 2).min(words.len()));
    } else {
        words.retain(|word| !word.to_string_lossy().starts_with(&format!("{option}=")));
    }
}

/// The first word behind the command that is neither an option nor the value of one.
fn first_argument(words: &[OsString]) -> Option<OsString> {
    let is_option = |word: &OsString| word.to_string_lossy().starts_with('-');
    let is_value = |at: usize| {
        let before = words[at - 1].to_string_lossy();
        at > 2 && before.starts_with("--") && !before.contains('=')
    };
    (2..words.len()).find(|&at| !is_option(&words[at]) && !is_value(at)).map(|at| words[at].clone())
}

/// The game of a record, by its first line.
fn recorded_game(path: &Path) -> Option<String> {
    let text = fs::read_to_string(path).ok()?;
    let header: serde_json::Value = serde_json::from_str(text.lines().next()?).ok()?;
    Some(header["game"].as_str()?.to_owned())
}

/// The site and the name of a game on it, where the command line asked for that.
static SOURCE: OnceLock<[String; 2]> = OnceLock::new();

/// The options of `agon submit` for the game that was fetched: its competition and its site.
pub(crate) fn submission() -> Option<String> {
    let [server, name] = SOURCE.get()?;
    let plain = name.split('@').next().unwrap_or(name);
    Some(format!("--competition {plain} --server {server}"))
}

/// Fetches the rules of a game from a site; `None` of a built-in game.
fn fetch(server: &str, name: &str) -> anyhow::Result<Option<Game>> {
    let server = server.trim_end_matches('/');
    if !["http://", "https://"].iter().any(|scheme| server.starts_with(scheme)) {
        bail!("--server is `{server}`: an address such as https://agon.example.org expected");
    }
    let is_name = |c: char| c.is_ascii_alphanumeric() || "-_@".contains(c);
    ensure!(name.chars().all(is_name) && !name.is_empty(), "`{name}` is not the name of a game on a site");
    let sent = client().get(format!("{server}/api/v1/rules/{name}")).call();
    let mut answer = sent.with_context(|| format!("cannot reach {server}"))?;
    let status = answer.status();
    let text =
        answer.body_mut().with_config().limit(MAX_ANSWER_BYTES).read_to_string().context("the server's answer")?;
    if status.as_u16() == 404 {
        bail!("{server} has no game `{name}`");
    }
    if !status.is_success() {
        let problem = serde_json::from_str::<ApiProblem>(&text).map(|problem| problem.detail).unwrap_or_default();
        bail!("{server} refuses ({status}): {}", plain(&problem));
    }
    let strange = |_| anyhow!("{server} answers {status}, but not as a site of Agon does");
    let SiteRules { game, files } = serde_json::from_str(&text).map_err(strange)?;
    if !game.contains('@') {
        return Ok(None);
    }
    ensure!(game.chars().all(is_name), "{server} names a game `{}`", plain(&game));
    ensure!(!files.is_empty(), "{server} does not offer the rules of `{game}`; does it run an older version of Agon?");
    if let Some(file) = files.iter().find(|file| !is_inside(&file.name)) {
        bail!("{server} sends a file `{}`, which is not inside its folder", plain(&file.name));
    }
    let file = |SiteFile { name, text, executable }| RulesFile { name, bytes: String::into_bytes(text), executable };
    let files: Vec<RulesFile> = files.into_iter().map(file).collect();
    let folder = cache()?.join(&game);
    let is_same = |file: &RulesFile| fs::read(folder.join(&file.name)).is_ok_and(|bytes| bytes == file.bytes);
    if folder.is_dir() && !files.iter().all(is_same) {
        fs::remove_dir_all(&folder).with_context(|| format!("cannot replace `{}`", folder.display()))?;
    }
    agon_external::write_folder(&folder, &files).with_context(|| format!("cannot write `{}`", folder.display()))?;
    let loaded = rules::loaded(&folder)?;
    if loaded.name() != game {
        bail!("the rules that {server} sends for `{game}` are those of `{}`", loaded.name());
    }
    let _ = SOURCE.set([server.to_owned(), name.to_owned()]);
    Ok(Some(loaded))
}

fn cache() -> anyhow::Result<PathBuf> {
    Ok(folders::cache()?.join("site-rules"))
}

/// Whether a path leads to something below its folder.
fn is_inside(path: &str) -> bool {
    !path.is_empty() && Path::new(path).components().all(|part| matches!(part, Component::Normal(_)))
}

/// The files of a game that was fetched from a site.
pub(crate) fn files_of(game: Game) -> Option<&'static [RulesFile]> {
    let path = agon_external::path_of(game)?;
    let cache = fs::canonicalize(cache().ok()?).ok()?;
    path.starts_with(cache).then(|| agon_external::files_of(game)).flatten()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_game_is_the_first_argument() {
        let check = |line: &str, game: Option<&str>| {
            let words: Vec<OsString> = line.split(' ').map(OsString::from).collect();
            assert_eq!(first_argument(&words), game.map(OsString::from), "{line}");
            assert_eq!(value(&words, OPTION), Some("http://x".into()), "{line}");
        };
        check("agon play --server http://x ataxx", Some("ataxx"));
        check("agon play ataxx --first a --server http://x", Some("ataxx"));
        check("agon play --server=http://x ataxx", Some("ataxx"));
        check("agon new --server http://x", None);
        let mut words: Vec<OsString> = ["agon", "new", "--game", "a", "cpp"].map(OsString::from).into();
        remove(&mut words, "--game");
        assert_eq!(words, ["agon", "new", "cpp"]);
        assert!(is_inside("a/b.lua") && !is_inside("../b") && !is_inside("/b"));
    }
}
