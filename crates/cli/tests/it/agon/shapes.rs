//! The shapes of all output, pinned: the help of every command, the tables for people, and the JSON for programs.
//!
//! `INSTA_UPDATE=always cargo test -p agon --test it agon::shapes` writes the snapshots anew after a deliberate change.

use std::fs;
use std::path::Path;

use serde_json::Value;
use tempfile::TempDir;

use crate::agon::run::{ALPHANO_TIMES, command, finish, folder};

/// Pins a text under a name.
#[track_caller]
fn pin(name: &str, text: &str) {
    let mut settings = insta::Settings::new();
    settings.set_prepend_module_to_snapshot(false);
    settings.set_omit_expression(true);
    settings.bind(|| insta::assert_snapshot!(name, text));
}

/// The text without the quotes around paths, which they have where the folder of the tests has a blank in its own.
fn unquoted(text: &str) -> String {
    let mut parts = text.split("'DIR/");
    let first = parts.next().unwrap_or_default().to_owned();
    parts.fold(first, |text, part| format!("{text}DIR/{}", part.replacen('\'', "", 1)))
}

/// The commands that a help text lists.
fn commands(help: &str) -> Vec<String> {
    // Options of the whole program are in groups, before its own options.
    let usage = help.lines().position(|line| line.starts_with("Usage:")).unwrap();
    let Some(first) = help.lines().position(|line| ["Commands:", "Play and judge a bot:"].contains(&line)) else {
        return Vec::new();
    };
    assert!(first > usage, "{help}");
    let lines = help.lines().skip(first).take_while(|line| *line != "Options:");
    let lines = lines.filter(|line| line.starts_with("  ") && !line.starts_with("   "));
    lines.filter_map(|line| line.split_whitespace().next()).filter(|name| *name != "help").map(str::to_owned).collect()
}

/// Pins the help of a command and of those below it.
fn pin_help(words: &[String], pinned: &mut Vec<String>) {
    let ran = finish(command(&[]).args(words).arg("--help").env("COLUMNS", "100").envs([ALPHANO_TIMES]));
    assert_eq!((ran.code, ran.err.as_str()), (0, ""), "{words:?}");
    let name = ["help"].into_iter().chain(words.iter().map(String::as_str)).collect::<Vec<_>>().join("_");
    pin(&name, &ran.out);
    pinned.push(format!("{name}.snap"));
    // Commands without choices need no example.
    let plain = ["help", "help_doctor", "help_key_new", "help_key_show", "help_agent"].contains(&&*name);
    assert!(plain || !commands(&ran.out).is_empty() || ran.out.contains("\nExample"), "{name} shows no example");
    for below in commands(&ran.out) {
        pin_help(&[words, &[below]].concat(), pinned);
    }
}

#[test]
fn the_help_of_every_command() {
    let mut pinned = Vec::new();
    pin_help(&[], &mut pinned);
    assert!(pinned.len() > 30, "{pinned:?}");
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/it/agon/snapshots");
    let files = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().file_name().into_string().unwrap());
    let left: Vec<String> = files.filter(|name| name.starts_with("help") && !pinned.contains(name)).collect();
    assert!(left.is_empty(), "no command has these snapshots: {left:?}");
}

/// A folder in which commands work, and their output there, apart from what differs between machines.
struct Place(TempDir);

impl Place {
    fn new() -> Self {
        Self(folder())
    }

    /// The output of the command, whose answer may be no, with `DIR/` for the folder, in arguments and in output; `~`
    /// is a space within an argument.
    #[track_caller]
    fn out(&self, line: &str, input: &str) -> String {
        let folder = format!("{}/", self.0.path().display());
        let words: Vec<String> =
            line.split_whitespace().map(|word| word.replace("DIR/", &folder).replace('~', " ")).collect();
        let words: Vec<&str> = words.iter().map(String::as_str).collect();
        // The limits of records are pinned as well.
        let ran = finish(command(&words).envs([ALPHANO_TIMES]).write_stdin(input));
        assert!(ran.code < 2 && !ran.out.is_empty(), "{line}: {} {}{}", ran.code, ran.out, ran.err);
        unquoted(&ran.out.replace(&folder, "DIR/"))
    }

    /// Pins the output of commands for people.
    #[track_caller]
    fn pin_tables(&self, name: &str, lines: &[&str]) {
        let parts: Vec<String> =
            lines.iter().map(|line| format!("$ agon {line}\n{}", plain(&self.out(line, "")))).collect();
        pin(name, &parts.join("\n"));
    }

    /// Pins the output of commands for programs.
    #[track_caller]
    fn pin_json(&self, name: &str, lines: &[(&str, &str)]) {
        let mut text = String::new();
        for (line, input) in lines {
            text += &format!("$ agon {line}\n");
            let out = self.out(line, input);
            for value in serde_json::Deserializer::from_str(&out).into_iter::<Value>() {
                let mut value = value.unwrap_or_else(|error| panic!("{line}: {error}\n{out}"));
                mask(&mut value, false);
                text += &(layout(&value, "") + "\n");
            }
        }
        pin(name, &text);
    }
}

/// Keys of measurements and machine properties.
const MEASURED: [&str; 19] = [
    "agon",
    "at_us",
    "begun",
    "data",
    "disturbed",
    "found",
    "largest_difference",
    "mean_difference",
    "net",
    "nps",
    "per_second",
    "remedy",
    "rounding",
    "seconds",
    "sha256",
    "started",
    "training",
    "validation",
    "within_s",
];

/// Replaces measurements by a word, rounds, and shortens long lists.
fn mask(value: &mut Value, measured: bool) {
    match value {
        Value::Array(list) => {
            for value in list.iter_mut() {
                mask(value, measured);
            }
            let more = list.len().saturating_sub(12);
            list.truncate(12);
            if more > 0 {
                list.push(format!("and {more} more").into());
            }
        }
        _ if measured => *value = "<measured>".into(),
        Value::Object(fields) => {
            for (key, value) in fields.iter_mut().filter(|(key, _)| *key != "limits") {
                let time = key == "ms" || (key.ends_with("_ms") && key != "clock_ms");
                mask(value, time || MEASURED.contains(&key.as_str()));
            }
            let more: Vec<String> = fields.keys().skip(30).cloned().collect();
            for key in &more {
                fields.remove(key);
            }
            if !more.is_empty() {
                fields.insert("…".to_owned(), format!("and {} more", more.len()).into());
            }
        }
        Value::Number(number) if number.is_f64() => {
            *value = ((number.as_f64().unwrap() * 1e6).round() / 1e6).into();
        }
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => {}
    }
}

/// JSON that is on one line where it fits.
fn layout(value: &Value, indent: &str) -> String {
    let short = value.to_string();
    let deeper = format!("{indent}  ");
    let inner = |parts: Vec<String>| parts.join(&format!(",\n{deeper}"));
    match value {
        _ if indent.len() + short.chars().count() <= 100 => short,
        Value::Array(list) => {
            format!("[\n{deeper}{}\n{indent}]", inner(list.iter().map(|value| layout(value, &deeper)).collect()))
        }
        Value::Object(fields) => {
            let fields = fields.iter().map(|(key, value)| format!("\"{key}\": {}", layout(value, &deeper)));
            format!("{{\n{deeper}{}\n{indent}}}", inner(fields.collect()))
        }
        _ => short,
    }
}

/// A text in which times are `<time>`; since their widths differ, columns and rules are removed, too.
fn plain(text: &str) -> String {
    let mut lines = Vec::new();
    for line in text.lines() {
        // The day and the version in PGN.
        if let Some(tag) = ["[Date ", "[Site "].into_iter().find(|tag| line.starts_with(tag)) {
            lines.push(format!("{tag}…]"));
            continue;
        }
        let mut words: Vec<String> = Vec::new();
        let number = |word: &String| word.trim_start_matches('(').parse::<f64>().is_ok();
        let line = line.replace("  disturbed by the machine", "");
        for word in line.split(' ').filter(|word| !word.is_empty()) {
            let unit = word.trim_end_matches([',', ')']);
            if words.last().is_some_and(number) && ["ns", "µs", "ms", "s"].contains(&unit) {
                "<time>".clone_into(words.last_mut().unwrap());
                continue;
            }
            let rule = word.chars().all(|c| "─═".contains(c));
            words.push(if rule { word.chars().take(3).collect() } else { word.to_owned() });
        }
        // The number of an agent's moves that the machine disturbed is in the last column, after the delay.
        if let [.., delay, count] = &mut words[..]
            && delay == "<time>"
            && number(count)
        {
            "<count>".clone_into(count);
        }
        if words.ends_with(&["a".to_owned(), "second".to_owned()]) {
            words.retain(|word| !number(word));
        }
        lines.push(words.join(" "));
    }
    lines.join("\n") + "\n"
}

#[test]
fn series() {
    let place = Place::new();
    let of = "--game domineering --set rows=4 --set columns=4 --db DIR/games.db";
    let [match_, sprt, tournament] =
        ["match greedy random -n 4", "sprt greedy random -n 4", "tournament greedy random champion:1 -n 2"]
            .map(|line| format!("{line} {of}"));
    let [planned, played] = ["--dry-run --format json", "--format json"].map(|more| format!("{match_} {more}"));
    place.pin_json("series", &[(&planned, ""), (&played, "")]);
    place.pin_tables("series_tables", &[&match_, &sprt, &tournament, &format!("{match_} --dry-run")]);
    place.pin_tables(
        "results_tables",
        &[
            "results 1 --db DIR/games.db",
            "results 2 --db DIR/games.db",
            "results 3 --db DIR/games.db",
            "results --list --db DIR/games.db",
            "results 1 --theory --db DIR/games.db",
            "export 1 --format pgn --db DIR/games.db",
        ],
    );
    place.pin_json(
        "results",
        &[
            ("results 1 --format json --db DIR/games.db", ""),
            ("results 2 --format json --db DIR/games.db", ""),
            ("results 3 --format json --db DIR/games.db", ""),
            ("results --list --format json --db DIR/games.db", ""),
            ("results 1 --theory --format json --db DIR/games.db", ""),
        ],
    );
    let csv = place.out("results 1 --format csv --db DIR/games.db", "");
    let timeless = csv.lines().map(|line| {
        let fields = line.split(',').enumerate();
        let fields =
            fields.map(|(at, field)| if [10, 11].contains(&at) && !field.ends_with("ms") { "<time>" } else { field });
        fields.collect::<Vec<_>>().join(",") + "\n"
    });
    pin("results_csv", &timeless.collect::<String>());
    let mut games = String::new();
    for line in place.out("export 1 --db DIR/games.db", "").lines() {
        let mut value: Value = serde_json::from_str(line).unwrap();
        // Only the header of the record: the tests of records pin the rest.
        let header = value["record"].as_str().unwrap().lines().next().unwrap();
        value["record"] = serde_json::from_str(header).unwrap();
        mask(&mut value, false);
        games += &(layout(&value, "") + "\n");
    }
    pin("export", &games);
}

#[test]
fn games() {
    let place = Place::new();
    place.pin_json("games", &[("games --format json", "")]);
    place.pin_tables("games_table", &["games"]);
    place.pin_json("doctor", &[("doctor --format json", "")]);
    let play = "play domineering --set rows=4 --set columns=4 --seed 7";
    place.pin_tables("play_table", &[play, &format!("{play} --out DIR/game.jsonl --show none")]);
    place.pin_json(
        "play",
        &[
            (&format!("{play} --format json"), ""),
            ("replay DIR/game.jsonl --format json", ""),
            ("play petri --seed 7 --size 5x5 --turns 2 --format json", ""),
        ],
    );
    place.pin_tables("replay_table", &["replay DIR/game.jsonl"]);
    place.pin_json("perft", &[("perft bacteria 2 --format json", ""), ("perft bacteria 1 --divide --format json", "")]);
}

/// A board of two rows.
const BOARD: &str = r#"{"board": [[1,2,0],[3,1,1]], "occupied": [], "to_move": "H"}"#;

#[test]
fn engines() {
    let place = Place::new();
    place.pin_json(
        "analyze",
        &[
            ("analyze bacteria --depth 2 --format json", ""),
            ("analyze renju H8~H9~I9~G9 --depth 1 --format json", ""),
            ("analyze domineering - --format json", BOARD),
        ],
    );
    place.pin_tables("analyze_table", &["analyze bacteria --depth 2 --threads 1"]);
    place.pin_json(
        "bench",
        &[
            ("bench bacteria --depth 2 --format json", ""),
            ("bench domineering --boards 1 --goal win --nodes 100 --format json", ""),
            ("bench renju --depth 2 --format json", ""),
        ],
    );
    place.pin_json(
        "solve",
        &[("solve domineering", BOARD), ("solve renju", r#"{"black": [[8,8]], "white": [[7,7]], "turn": "black"}"#)],
    );
    place.pin_json(
        "book",
        &[
            ("book renju --opening kagetsu --format json", ""),
            ("book renju --practise --book DIR/renju.practised --searches 1 --nodes 10 --jobs 1 --format json", ""),
        ],
    );
    place.pin_tables("book_table", &["book renju --opening kagetsu"]);
}

#[test]
fn learning() {
    let place = Place::new();
    let datagen =
        "datagen bacteria --positions 100 --net classic --nodes 20 --jobs 1 --format json --out DIR/1.positions";
    let train = "train bacteria --data DIR/1.positions --hidden 32 --epochs 1 --jobs 1 --format json --out DIR/1.net";
    let tune = "tune bacteria --games 4 --nodes 20 --jobs 1 --only lmr_base,lmr_slope";
    let duel = "duel bacteria classic classic --games 2 --nodes 20";
    let learn = "learn bacteria --work DIR/campaign --priority normal --jobs 1 --generations 1 --net classic \
        --positions 100 --nodes 20 --adjudicate 3000 --hidden 32 --epochs 1 --batch 64 --gate-nodes 20 --gate-games 2";
    place.pin_json(
        "learning",
        &[
            (datagen, ""),
            (train, ""),
            (&format!("{tune} --state DIR/1.json --format json"), ""),
            (&format!("{duel} --format json"), ""),
            (&format!("{learn} --format json"), ""),
            ("learn bacteria --work DIR/campaign --status --format json", ""),
            ("train petri --generations 1 --games 1 --size 5x5 --jobs 1 --format json --out DIR/policy.toml", ""),
        ],
    );
    place.pin_tables("learning_tables", &[&format!("{tune} --state DIR/2.json"), duel]);
}

#[test]
fn petri() {
    let place = Place::new();
    let lines = [
        "petri score amoeba slime --games 2 --size 4x4 --turns 5",
        "petri league --games 1 --size 4x4 --turns 5",
        "petri gauntlet --games 1 --size 4x4 --size 5x5 --against slime --turns 5",
        "petri exploit hungry --generations 0 --species 7/5/0",
    ];
    place.pin_tables("petri_tables", &lines);
    let lines = lines.map(|line| format!("{line} --format json"));
    place.pin_json("petri", &lines.each_ref().map(|line| (line.as_str(), "")));
}
