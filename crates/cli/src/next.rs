//! `agon` without arguments: suggests next steps from the contents of the folder.

use std::fs::{self, File};
use std::io::{Read as _, Write as _};
use std::path::Path;

use agon_arena::Store;
use agon_catalog::{Capability, Game};
use agon_referee::agent::Language;
use agon_referee::text::line;

use crate::exit::Exit;
use crate::show::{self, FAINT, STRONG, paint};

/// Entries of the folder that are looked at.
const MAX_ENTRIES: usize = 2000;

/// Names that are listed of one kind.
const MAX_NAMES: usize = 3;

/// Number of bytes read from a file to identify it.
const MAX_BEGINNING_BYTES: u64 = 512;

/// Start of a record.
const RECORD: &str = "{\"record\":";

/// Contents of a folder that this program can use.
#[derive(Default)]
struct Found {
    sources: Vec<String>,
    tournaments: Vec<String>,
    stores: Vec<String>,
    records: Vec<String>,
    /// Bots in folders of their own.
    folders: Vec<String>,
    /// The game that the names speak of, if they speak of one.
    game: Option<Game>,
}

/// Prints the next steps for the current folder.
pub(crate) fn run() -> anyhow::Result<Exit> {
    let mut out = anstream::stdout();
    write!(out, "{}", text(Path::new(".")))?;
    Ok(Exit::Done)
}

fn text(folder: &Path) -> String {
    let found = look(folder);
    let mut text = String::new();
    let mut part = |what: String, commands: &[(String, &str)]| {
        text += &format!("{}\n", paint(STRONG, what));
        let width = commands.iter().map(|(command, _)| command.chars().count()).fold(46, usize::max);
        for (command, meaning) in commands {
            let line = format!("  {command:<width$}  {}", paint(FAINT, meaning));
            text += &format!("{}\n", line.trim_end());
        }
        text.push('\n');
    };
    let game = found.game.map_or("GAME", Game::name);
    if let [first, others @ ..] = &found.sources[..] {
        let bot = show::quoted(first);
        let rival = found.game.map_or("greedy", Game::beginners_rival);
        // If every cell acts, only wins count, and a separate command counts them.
        let by_wins = found.game.is_some_and(|game| game.can(Capability::Actions));
        let strength = if by_wins {
            format!("agon petri score {bot} {rival}")
        } else {
            format!("agon match {bot} {rival} --game {game} -n 20")
        };
        let mut commands = vec![
            (format!("agon check {bot} --game {game}"), "what would fail in a competition?"),
            (format!("agon play {game} --first {bot}"), "a game against a built-in player"),
            (strength, "how strong is it?"),
            (format!("agon watch {bot} --against {rival} --game {game}"), "play each version as you write it"),
        ];
        if let [other, ..] = others {
            let other = show::quoted(other);
            let compare = if by_wins {
                format!("agon petri score {bot} {other}")
            } else {
                format!("agon sprt {bot} {other} --game {game}")
            };
            commands.push((compare, "is it the stronger one?"));
        }
        part(format!("Programs: {}", listed(&found.sources)), &commands);
    }
    if let [file, ..] = &found.tournaments[..] {
        let play = (format!("agon tournament {}", show::quoted(file)), "play it, or what is left of it");
        part(format!("Tournament files: {}", listed(&found.tournaments)), &[play]);
    }
    if let [file, ..] = &found.stores[..] {
        let db = if file == "agon.db" { String::new() } else { format!(" --db {}", show::quoted(file)) };
        let runs = Store::read(&folder.join(file)).and_then(|store| store.runs()).map_or(0, |(runs, _)| runs.len());
        let commands = [
            (format!("agon results{db}"), "the results of the last series"),
            (format!("agon results --list{db}"), "all series"),
            (format!("agon results --faults{db}"), "why programs failed"),
            (format!("agon report{db}"), "a page with the games"),
        ];
        let series = format!("{} series in {}", show::count(runs as u64), line(file));
        part(format!("Stores of games: {} ({series})", listed(&found.stores)), &commands);
    }
    if let [file, ..] = &found.records[..] {
        let record = show::quoted(file);
        let mut commands = vec![(format!("agon replay {record}"), "step through it, verify it")];
        // The champion judges no positions of the petri dish.
        if recorded_game(&folder.join(file)).is_none_or(Game::has_turns) {
            commands.push((format!("agon explain {record}"), "where was it lost?"));
        }
        let bot = found.sources.first().map_or_else(|| "bot.py".to_owned(), |source| show::quoted(source));
        commands.push((format!("agon ask {record} {bot}"), "what does your bot answer now?"));
        part(format!("Records of games: {}", listed(&found.records)), &commands);
    }
    if let [first, ..] = &found.folders[..] {
        let bot = folder.join(first);
        let game = bot.parent().and_then(|folder| one(games_spoken_of(folder, &Found::default())));
        let (game, quoted) = (game.map_or("GAME", Game::name), show::quoted(first));
        let inside = first.split('/').next().unwrap_or_default();
        let commands = [
            (format!("agon check {quoted} --game {game}"), "what would fail in a competition?"),
            (format!("agon play {game} --first {quoted}"), "a game against a built-in player"),
            (format!("cd {} && agon", show::quoted(inside)), "what else to do there"),
        ];
        part(format!("Programs in folders: {}", listed(&found.folders)), &commands);
    }
    if text.is_empty() {
        let commands = [
            ("agon games".to_owned(), "the games and their built-in players"),
            ("agon new bacteria".to_owned(), "start a bot of your own"),
            ("agon play bacteria".to_owned(), "watch two built-in players"),
            ("agon play renju --first human".to_owned(), "play yourself"),
            ("agon board".to_owned(), "play and analyse in the browser"),
            ("agon play GAME --first bot.py".to_owned(), "play a program that you have written"),
        ];
        text = String::from("No bots in this folder yet.\n\n");
        for (command, meaning) in commands {
            text += &format!("  {command:<46}  {}\n", paint(FAINT, meaning));
        }
        text.push('\n');
    }
    text + "`agon help` lists all commands, `agon doctor` checks this machine.\n"
}

/// `a.py, b.py, c.py and 4 more`
fn listed(names: &[String]) -> String {
    let shown: Vec<String> = names.iter().take(MAX_NAMES).map(|name| line(name)).collect();
    match names.len().saturating_sub(MAX_NAMES) {
        0 => shown.join(", "),
        more => format!("{} and {more} more", shown.join(", ")),
    }
}

fn look(folder: &Path) -> Found {
    let mut found = Found::default();
    let names = fs::read_dir(folder).into_iter().flatten().flatten().take(MAX_ENTRIES);
    let mut names: Vec<String> = names.filter_map(|entry| entry.file_name().into_string().ok()).collect();
    names.sort_unstable();
    for name in names.into_iter().filter(|name| !name.starts_with('.')) {
        let path = folder.join(&name);
        if path.is_dir() {
            found.folders.extend(bot_of(&path, &name));
        }
        if !path.is_file() {
            continue;
        }
        let beginning = beginning(&path);
        let end = path.extension().and_then(|end| end.to_str()).unwrap_or_default();
        if Language::by_extension(&path).is_some() {
            found.sources.push(name);
        } else if end == "toml" && fs::read_to_string(&path).is_ok_and(|text| text.contains("[[agent]]")) {
            found.tournaments.push(name);
        } else if end == "db" && beginning.starts_with("SQLite format 3") && is_store(&path) {
            found.stores.push(name);
        } else if beginning.starts_with(RECORD) {
            found.records.push(name);
        }
    }
    // The store that commands use by default comes first.
    found.stores.sort_by_key(|name| name != "agon.db");
    let here = fs::canonicalize(folder).unwrap_or_default();
    let words = here.to_string_lossy().to_lowercase() + &found.sources.join(" ").to_lowercase();
    let mut named = Game::all().into_iter().filter(|game| words.contains(game.name()));
    let games = games_spoken_of(folder, &found);
    found.game = named.next().filter(|_| named.next().is_none()).or_else(|| one(games));
    found
}

/// The program in a folder of `agon new`, as `my_bot/bot.py`.
fn bot_of(folder: &Path, name: &str) -> Option<String> {
    let entries = fs::read_dir(folder).into_iter().flatten().flatten().take(MAX_ENTRIES);
    let mut files = entries.filter_map(|entry| entry.file_name().into_string().ok());
    let bot = files.find(|file| file.starts_with("bot.") && Language::by_extension(Path::new(file)).is_some())?;
    Some(format!("{name}/{bot}"))
}

/// Returns the games named in series, records and the README of `agon new`.
fn games_spoken_of(folder: &Path, found: &Found) -> Vec<Game> {
    let stores = found.stores.iter().filter_map(|name| Store::read(&folder.join(name)).ok()?.runs().ok());
    let played = stores.flat_map(|(runs, _)| runs).map(|run| run.plan.game);
    let readme = beginning(&folder.join("README.md"));
    let written = Game::all().into_iter().filter(|game| readme.contains(&format!(" --game {game}")));
    let recorded = found.records.iter().filter_map(|name| recorded_game(&folder.join(name)));
    played.chain(written).chain(recorded).collect()
}

/// The game of a record, where its beginning says it.
fn recorded_game(path: &Path) -> Option<Game> {
    let beginning = beginning(path);
    Game::all().into_iter().find(|game| beginning.contains(&format!("\"game\":\"{game}\"")))
}

/// The game, if these are all the same.
fn one(games: Vec<Game>) -> Option<Game> {
    let first = *games.first()?;
    games.into_iter().all(|game| game == first).then_some(first)
}

fn is_store(path: &Path) -> bool {
    Store::read(path).is_ok()
}

fn beginning(path: &Path) -> String {
    let mut bytes = Vec::new();
    let read = File::open(path).and_then(|file| file.take(MAX_BEGINNING_BYTES).read_to_end(&mut bytes));
    if read.is_ok() { String::from_utf8_lossy(&bytes).into_owned() } else { String::new() }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_in_the_folder_is_named() {
        let folder = tempfile::tempdir().unwrap();
        let plain = || anstream::adapter::strip_str(&text(folder.path())).to_string();
        assert!(plain().starts_with("No bots in this folder yet.\n\n  agon games "), "{}", plain());
        for (name, contents) in [
            ("new.cpp", "int main() {}"),
            ("old_renju.cpp", ""),
            ("league.toml", "game = 'renju'\n[[agent]]\nagent = 'greedy'"),
            ("settings.toml", "[package]"),
            ("game.jsonl", "{\"record\":1}"),
            ("torn.db", "SQLite format 3\0"),
            (".hidden.py", ""),
            ("notes.txt", "x"),
        ] {
            fs::write(folder.path().join(name), contents).unwrap();
        }
        drop(Store::open(&folder.path().join("agon.db")).unwrap());
        let text = plain();
        for expected in [
            "Programs: new.cpp, old_renju.cpp\n  agon check new.cpp --game renju ",
            "  agon play renju --first new.cpp ",
            "  agon sprt new.cpp old_renju.cpp --game renju ",
            "Tournament files: league.toml\n  agon tournament league.toml ",
            "Stores of games: agon.db (0 series in agon.db)\n  agon results ",
            "Records of games: game.jsonl\n  agon replay game.jsonl ",
            "  agon explain game.jsonl ",
            "  agon ask game.jsonl new.cpp ",
        ] {
            assert!(text.contains(expected), "`{expected}` is not in:\n{text}");
        }
        // Bots in folders, as created by `agon new`.
        fs::create_dir_all(folder.path().join("at/inputs")).unwrap();
        fs::write(folder.path().join("at/README.md"), "agon check bot.py --game bacteria\n").unwrap();
        fs::write(folder.path().join("at/bot.py"), "").unwrap();
        let expected = "Programs in folders: at/bot.py\n  agon check at/bot.py --game bacteria ";
        assert!(plain().contains(expected) && plain().contains("  cd at && agon "), "{}", plain());
        fs::remove_dir_all(folder.path().join("at")).unwrap();
        // If no file is named after a game, records and the README decide.
        fs::remove_file(folder.path().join("old_renju.cpp")).unwrap();
        fs::write(folder.path().join("game.jsonl"), "{\"record\":1,\"game\":\"bacteria\"}").unwrap();
        assert!(plain().contains("  agon watch new.cpp --against greedy --game bacteria  play"), "{}", plain());
        fs::write(folder.path().join("README.md"), "agon check bot.py --game petri\n").unwrap();
        assert!(plain().contains("  agon play GAME --first new.cpp "), "{}", plain());
        fs::write(folder.path().join("game.jsonl"), "{\"record\":1,\"game\":\"petri\"}").unwrap();
        assert!(!plain().contains("agon explain"), "{}", plain());
        // The rival is one of the game's players.
        fs::remove_file(folder.path().join("game.jsonl")).unwrap();
        fs::write(folder.path().join("old.cpp"), "").unwrap();
        for expected in [
            "  agon watch new.cpp --against slimbomber --game petri  ",
            "  agon petri score new.cpp slimbomber  ",
            "  agon petri score new.cpp old.cpp  ",
        ] {
            assert!(plain().contains(expected), "`{expected}` is not in:\n{}", plain());
        }
        assert!(!plain().contains("agon match"), "{}", plain());
        for other in ["torn.db", "settings.toml", "hidden", "notes"] {
            assert!(!text.contains(other), "{text}");
        }
    }
}
