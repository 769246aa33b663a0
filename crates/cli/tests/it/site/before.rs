//! The folder of a site that an earlier release wrote: see `tests/fixtures/make`.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use serde_json::Value;

use super::folder;
use super::served::Served;

fn fixture(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/fixtures/v0.1").join(name)
}

/// The same with twelve significant digits in each number, as answers have had since.
fn rounded(value: Value) -> Value {
    match value {
        Value::Number(number) if number.is_f64() => {
            format!("{:.11e}", number.as_f64().unwrap()).parse::<f64>().unwrap().into()
        }
        Value::Array(all) => all.into_iter().map(rounded).collect(),
        Value::Object(all) => all.into_iter().map(|(key, value)| (key, rounded(value))).collect(),
        other => other,
    }
}

/// If the earlier answer came before a rating of all games together was computed, the new one may come after it.
fn settled(found: Value, wanted: &Value) -> Value {
    match (found, wanted) {
        (Value::Array(all), Value::Array(wanted)) if all.len() == wanted.len() => {
            all.into_iter().zip(wanted).map(|(one, wanted)| settled(one, wanted)).collect()
        }
        (Value::Object(all), wanted) => {
            // Newer are groups, playing by hand, withdrawals, places on ladders, texts of rounds, and keys of reasons.
            let newer = |key: &str| {
                let rounds = ["groups", "by_hand", "place", "unrated", "byes", "tie_breaks", "pairings", "withdrawn"];
                rounds.contains(&key) || ["reason_key", "reason_arguments"].contains(&key)
            };
            let all = all.into_iter().filter(|(key, _)| !newer(key) || wanted.get(key).is_some());
            let known = |(key, value): (String, Value)| {
                let value = match &wanted[&key] {
                    Value::Null if key == "all_games" => Value::Null,
                    wanted => settled(value, wanted),
                };
                (key, value)
            };
            all.map(known).collect()
        }
        (other, _) => other,
    }
}

/// The earlier answer of a final with the places of today: programs that are level in every tie-break share one.
fn sharing_places(mut wanted: Value) -> Value {
    for at in 1..wanted["standings"].as_array().map_or(0, Vec::len) {
        let level = |value: &Value| {
            let entries = value.as_object().unwrap().clone().into_iter();
            entries.filter(|(key, _)| !["place", "program"].contains(&key.as_str())).collect::<Value>()
        };
        let standings = &wanted["standings"];
        if level(&standings[at]) == level(&standings[at - 1]) {
            wanted["standings"][at]["place"] = standings[at - 1]["place"].clone();
        }
    }
    wanted
}

/// A ladder without the ratings of its fixed points, which follow the levels of the champions: they are at its end. A
/// program, without its place among them.
fn without_fixed_points(mut ladder: Value) -> Value {
    if let Some(place) = ladder.get_mut("place") {
        *place = Value::Null;
    }
    if let Some(programs) = ladder.get_mut("programs").and_then(Value::as_array_mut) {
        let fixed = |program: &Value| program["fixed"] == true;
        for program in programs.iter_mut().filter(|program| fixed(program)) {
            program["rating"] = Value::Null;
        }
        programs.sort_by_key(|program| if fixed(program) { program["id"].as_i64() } else { None });
    }
    ladder
}

/// The table of a final whose equals share a place.
fn sharing_rows(table: &str) -> String {
    let mut rows: Vec<String> = Vec::new();
    for row in table.split_inclusive("\r\n") {
        let above =
            rows.last().and_then(|above| Some((above.split_once(',')?.0.to_owned(), above.rsplit_once("\",")?.1)));
        let shared = match (above, row.split_once(','), row.rsplit_once("\",")) {
            (Some((place, points)), Some((_, rest)), Some((_, own))) if own == points => format!("{place},{rest}"),
            _ => row.to_owned(),
        };
        rows.push(shared);
    }
    rows.concat()
}

/// The earlier table of a final with today's column of byes: there were none.
fn with_byes(table: &str) -> String {
    let heads = table.replacen(",buchholz,", ",byes,buchholz,", 1);
    let rows = heads.split_inclusive("\r\n").enumerate().map(|(at, row)| {
        let ends: Vec<usize> = row.match_indices(',').map(|(at, _)| at).collect();
        let from = ends[ends.len() - 2];
        if at == 0 { row.to_owned() } else { format!("{},0{}", &row[..from], &row[from..]) }
    });
    rows.collect()
}

/// A table of a final without its last column, which earlier ones do not have.
fn without_second_seat(table: &str) -> String {
    table.lines().map(|row| row.rsplit_once(',').unwrap().0.to_owned() + "\r\n").collect()
}

/// The earlier table of a ladder with today's last column, which is empty, and without places of built-in players.
fn with_groups(table: &str) -> String {
    let (heads, rows) = table.split_once("\r\n").unwrap();
    let mut places = 1..;
    let row = |row: &str| {
        let (_, rest) = row.split_once(',').unwrap();
        let place = if rest.contains("\",\"\",") { String::new() } else { places.next().unwrap().to_string() };
        format!("{place},{},\"\"\r\n", rest.trim_end())
    };
    format!("{heads},group\r\n{}", rows.split_inclusive("\r\n").map(row).collect::<String>())
}

fn unpack(archive: &Path, folder: &Path) {
    fs::create_dir_all(folder).unwrap();
    let tar = Command::new("tar").arg("-xzf").arg(archive).arg("-C").arg(folder).status().unwrap();
    assert!(tar.success());
}

/// Every file below a folder.
fn files(folder: &Path, root: &Path, found: &mut BTreeMap<PathBuf, String>) {
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            files(&path, root, found);
        } else {
            found.insert(path.strip_prefix(root).unwrap().to_owned(), fs::read_to_string(&path).unwrap());
        }
    }
}

/// The contents of an archive, except its time and version.
fn content(archive: &Path, folder: &Path) -> BTreeMap<PathBuf, String> {
    unpack(archive, folder);
    let mut found = BTreeMap::new();
    files(folder, folder, &mut found);
    let about: Value = serde_json::from_str(&found.remove(Path::new("export.json")).unwrap()).unwrap();
    found.insert("rows".into(), about["rows"].to_string());
    found
}

#[test]
fn the_site_of_the_release_before_is_exported_unchanged() {
    let folder = folder();
    unpack(&fixture("store.tar.gz"), folder.path());
    let archive = folder.path().join("now.tar.gz");
    let mut export = Command::new(env!("CARGO_BIN_EXE_agon"));
    export.args(["serve", "export", "--data"]).arg(folder.path().join("site")).arg(&archive);
    let output = export.stdin(Stdio::null()).output().unwrap();
    assert!(output.status.success(), "{output:?}");
    let now = content(&archive, &folder.path().join("now"));
    let before = content(&fixture("site.tar.gz"), &folder.path().join("before"));
    assert_eq!(now.keys().collect::<Vec<_>>(), before.keys().collect::<Vec<_>>());
    for (path, text) in before {
        let text = match path.to_str().unwrap() {
            name if name.starts_with("standings/final-") => with_byes(&sharing_rows(&text)),
            name if name.starts_with("standings/") => with_groups(&text),
            _ => text,
        };
        let is_final = path.to_str().is_some_and(|name| name.starts_with("standings/final-"));
        let found = if is_final { without_second_seat(&now[&path]) } else { now[&path].clone() };
        assert_eq!(found, text, "{}", path.display());
    }
}

const NEW_FIELDS: [&str; 4] = ["balanced", "repeats", "reads_openings", "wins_in_second_seat"];

/// An answer without the fields that were added since.
fn without_new(value: Value) -> Value {
    match value {
        Value::Array(all) => all.into_iter().map(without_new).collect(),
        Value::Object(fields) => {
            let known = fields.into_iter().filter(|(name, _)| !NEW_FIELDS.contains(&&**name));
            known.map(|(name, value)| (name, without_new(value))).collect()
        }
        value => value,
    }
}

#[test]
fn the_site_of_the_release_before_is_served_unchanged() {
    let folder = folder();
    unpack(&fixture("store.tar.gz"), folder.path());
    let site = Served::start_with(folder.path(), &["--workers", "0"]);
    let answers = fs::read_to_string(fixture("site.json")).unwrap();
    let answers: BTreeMap<String, Value> = serde_json::from_str(&answers).unwrap();
    assert!(answers.len() > 5);
    for (path, wanted) in answers {
        let found = without_new(settled(site.json(&path, "token of bob"), &wanted));
        let wanted = sharing_places(rounded(wanted));
        assert_eq!(without_fixed_points(found), without_fixed_points(wanted), "{path}");
    }
    let archive = content(&fixture("site.tar.gz"), &folder.path().join("before"));
    let games =
        archive[Path::new("games/00001.jsonl")].lines().map(|line| serde_json::from_str::<Value>(line).unwrap());
    for game in games {
        let id = &game["id"];
        let (status, page) = site.get(&format!("/game/{id}"), &[]);
        assert_eq!(status, 200, "game {id}: {page}");
        let bob = ("authorization", "Bearer token of bob");
        let (status, record) = site.get(&format!("/api/v1/games/{id}/record"), &[bob]);
        assert_eq!((status, &record), (200, &archive[Path::new(&format!("records/{id}.jsonl"))]), "game {id}");
    }
}
