//! `agon pool`: versions that are kept, rated, killed and resumed.

use std::fs;
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use serde_json::Value;
use tempfile::TempDir;

use crate::agon::run::{BINARY, Ran, agon, environment, file, folder, quick_bot, root, text};

/// Far longer than anything takes here.
const TIMEOUT: Duration = Duration::from_mins(2);

/// The bot, and the same with another choice.
fn source(choice: Option<&str>) -> String {
    let sample = quick_bot("domineering.py");
    choice.map_or_else(|| sample.clone(), |choice| sample.replace("\n\nmain()\n", &format!("\n\n{choice}\n\nmain()\n")))
}

/// Plays the first place that is free.
const FIRST_FREE: &str = "def choose(me, my_time):\n    places = [(x, y) for x in range(len(taken)) for y in \
                          range(len(taken[0])) if fits(me, x, y)]\n    return places[0] if places else PASS";

/// Plays the last one.
const LAST_FREE: &str = "def choose(me, my_time):\n    places = [(x, y) for x in range(len(taken)) for y in \
                         range(len(taken[0])) if fits(me, x, y)]\n    return places[-1] if places else PASS";

struct Place {
    folder: TempDir,
    pool: String,
}

impl Place {
    /// A pool of two versions, the second one weaker, and two opponents.
    fn new() -> Self {
        let folder = folder();
        let pool = folder.path().join("pool").display().to_string();
        let place = Self { folder, pool };
        let bot = place.write(&source(None));
        let begun = [
            "add",
            &bot,
            "--game",
            "domineering",
            "--size",
            "4",
            "--against",
            "greedy",
            "--against",
            "random",
            "--force",
        ];
        assert_eq!(place.ran(&begun).code, 0);
        place.write(&source(Some(FIRST_FREE)));
        assert_eq!(place.ran(&["add", &bot, "--note", "the first free place"]).out, "saved as v2\n");
        place
    }

    fn write(&self, source: &str) -> String {
        text(&file(&self.folder, "bot.py", source)).to_owned()
    }

    #[track_caller]
    fn ran(&self, words: &[&str]) -> Ran {
        let ran = agon(&[&["pool"], words, &["--pool", &self.pool]].concat());
        assert!(ran.code != 2 || ran.err.starts_with("error: "), "{}{}", ran.out, ran.err);
        ran
    }

    fn list(&self) -> Value {
        let ran = self.ran(&["list", "--format", "json"]);
        serde_json::from_str(&ran.out).unwrap_or_else(|error| panic!("{error}: {}{}", ran.out, ran.err))
    }

    fn games(&self) -> u64 {
        self.list()["games"].as_u64().unwrap()
    }
}

#[test]
fn the_best_version_is_named_and_the_newest_is_behind_it() {
    let place = Place::new();
    let played = place.ran(&["play", "-n", "40", "--format", "json"]);
    let list: Value = serde_json::from_str(&played.out).unwrap_or_else(|_| panic!("{}{}", played.out, played.err));
    assert_eq!((list["best"].as_str(), list["games"].as_u64()), (Some("v1"), Some(40)), "{list:#}");
    assert_eq!(list["behind"]["name"], "v2");
    let names: Vec<&str> = list["members"].as_array().unwrap().iter().map(|it| it["name"].as_str().unwrap()).collect();
    assert_eq!(names, ["v1", "v2", "greedy", "random"]);
    assert_eq!(list["members"][2]["rating"][1], 1500.0, "the first opponent is the measure");
    assert_eq!(list["members"][1]["note"], "the first free place");
    let shown = place.ran(&[]).out;
    assert!(shown.contains("v1 is your best version") && shown.contains("weaker than v1"), "{shown}");
    assert!(shown.contains('●'), "{shown}");
    assert!(shown.lines().all(|line| line.chars().count() <= 100), "{shown}");
    let page = place.folder.path().join("pool.html");
    assert_eq!(place.ran(&["list", "--out", text(&page)]).code, 0);
    let page = fs::read_to_string(page).unwrap();
    for part in ["v1 is your best version", "Ratings by version", "<polyline", "the first free place", ">greedy</th>"] {
        assert!(page.contains(part), "`{part}` is not in {page}");
    }
    // An old version keeps its games when a new one comes.
    let bot = place.write(&source(Some(LAST_FREE)));
    assert_eq!(place.ran(&["add", &bot]).out, "saved as v3\n");
    assert_eq!(place.ran(&["play", "-n", "2"]).code, 0);
    let newer = place.list();
    assert!(newer["members"][2]["games"].as_u64() > Some(0), "the new version plays first: {newer:#}");
    for at in [0, 1] {
        assert!(newer["members"][at]["games"].as_u64() >= list["members"][at]["games"].as_u64(), "{newer:#}");
    }
}

#[test]
fn a_pool_that_is_killed_goes_on_where_it_was() {
    let place = Place::new();
    let mut seen = 0;
    for _ in 0..3 {
        let mut command = Command::new(BINARY);
        command.args(["pool", "play", "-n", "1000", "--pool", &place.pool]).current_dir(root());
        for (name, value) in environment() {
            match value {
                Some(value) => command.env(name, value),
                None => command.env_remove(name),
            };
        }
        let mut child = command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap();
        let begun = Instant::now();
        while place.games() < seen + 3 {
            assert!(begun.elapsed() < TIMEOUT, "no game is played");
        }
        child.kill().unwrap();
        child.wait().unwrap();
        let now = place.games();
        assert!(now >= seen + 3, "{now} of {seen} and 3 more");
        seen = now;
    }
    assert_eq!(place.ran(&["play", "-n", "10"]).code, 0);
    let games = place.games();
    assert!((seen + 10..=seen + 12).contains(&games), "{seen} and then {games}");
    let points: f64 = place.list()["members"].as_array().unwrap().iter().map(|it| it["points"].as_f64().unwrap()).sum();
    assert!((points - games as f64).abs() < 0.01, "{points} points of {games} games");
}

#[test]
fn what_does_not_fit_into_a_pool_is_refused() {
    let place = Place::new();
    let refused = |words: &[&str], message: &str| {
        let ran = place.ran(words);
        assert_eq!(ran.code, 2, "{words:?}: {}", ran.out);
        assert!(ran.err.contains(message) && ran.err.lines().count() == 1, "{words:?}: {}", ran.err);
    };
    let bot = place.folder.path().join("bot.py").display().to_string();
    refused(&["add", &bot], "identical to v2, which is in the pool");
    refused(&["add", "sh -c 'exit 1'"], "is not a source file or a folder of them");
    refused(&["add", &bot, "--game", "renju"], "has its game and terms: leave it out");
    refused(&["against", "greedy"], "`greedy` is in the pool already");
    let empty = place.folder.path().join("none").display().to_string();
    let ran = agon(&["pool", "--pool", &empty]);
    assert!(ran.code == 2 && ran.err.contains("no pool in `"), "{}", ran.err);
    let broken = place.write("print(\n");
    let ran = place.ran(&["add", &broken]);
    assert!(ran.code == 2 && ran.err.contains("does not compile"), "{}", ran.err);
    assert!(!Path::new(&place.pool).join("v3").exists());
}
