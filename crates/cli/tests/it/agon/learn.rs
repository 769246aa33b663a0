//! `agon lab learn`: a campaign from the command line, killed and resumed.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;
use std::process::{Command, Stdio};
use std::thread;
use std::time::{Duration, Instant};

use serde_json::Value;
use tempfile::TempDir;

use crate::agon::run::{BINARY, agon, environment, root};

/// Two generations that take some seconds.
const SMALL: &str = "--generations 2 --net classic --positions 2500 --nodes 40 --openings 2-6 --adjudicate 3000 \
    --hidden 32 --epochs 3 --batch 64 --gate-nodes 40 --gate-games 16 --jobs 1";

fn words<'a>(game: &'a str, folder: &'a TempDir, more: &'a str) -> Vec<&'a str> {
    let work = folder.path().to_str().unwrap();
    // At idle priority a busy machine would let a test wait for ever.
    ["learn", game, "--work", work, "--priority", "normal"].into_iter().chain(more.split_whitespace()).collect()
}

/// All files, without measurements.
fn files(folder: &Path) -> BTreeMap<String, Vec<u8>> {
    let file = |entry: fs::DirEntry| {
        let (name, bytes) = (entry.file_name().into_string().unwrap(), fs::read(entry.path()).unwrap());
        let text = String::from_utf8(bytes.clone())
            .ok()
            .filter(|_| entry.path().extension().is_some_and(|ending| ending == "toml"));
        let kept = text.map(|text| text.lines().filter(|line| !line.starts_with("per_second")).collect::<String>());
        (name, kept.map_or(bytes, String::into_bytes))
    };
    fs::read_dir(folder).unwrap().map(|entry| file(entry.unwrap())).collect()
}

/// Kills the campaign as soon as one of the files is there; whether it was still running. A file that lasts for a
/// moment may be missed on a busy machine, so the ones that come after it are named as well.
fn killed(folder: &TempDir, files: &[&str]) -> bool {
    let mut command = Command::new(BINARY);
    command.args(words("bacteria", folder, SMALL)).current_dir(root()).stdin(Stdio::null());
    command.stdout(Stdio::null()).stderr(Stdio::null());
    for (name, value) in environment() {
        match value {
            Some(value) => command.env(name, value),
            None => command.env_remove(name),
        };
    }
    let mut child = command.spawn().unwrap();
    let start = Instant::now();
    loop {
        if let Some(status) = child.try_wait().unwrap() {
            assert!(status.success(), "{status}");
            return false;
        }
        if files.iter().any(|file| folder.path().join(file).exists()) {
            child.kill().unwrap();
            child.wait().unwrap();
            return true;
        }
        assert!(start.elapsed() < Duration::from_mins(5), "{} never comes", files[0]);
        thread::sleep(Duration::from_millis(1));
    }
}

#[test]
fn a_campaign_that_is_killed_comes_to_the_same_networks() {
    let straight = TempDir::new().unwrap();
    // On a busy machine the error stream has how far it is.
    let ran = agon(&words("bacteria", &straight, SMALL));
    assert_eq!(ran.code, 0, "{}{}", ran.out, ran.err);
    // A heading, and for each generation a line and the decision of its gate.
    assert_eq!(ran.out.lines().count(), 5, "{}", ran.out);
    let gates: Vec<&str> = ran.out.lines().filter(|line| line.starts_with("     gate: LLR ")).collect();
    assert_eq!(gates.len(), 2, "{}", ran.out);
    assert!(gates[0].contains(" in [−2.94, +2.94]: ") && gates[0].contains("Elo "), "{}", gates[0]);
    assert!(gates[0].ends_with("α = β = 0.05)"), "{}", gates[0]);
    let expected = files(straight.path());

    let folder = TempDir::new().unwrap();
    let moments = [
        "campaign.toml",
        "001.positions",
        "001.checkpoint",
        "001.net",
        "001.toml",
        "001.nodes.gate",
        "002.positions",
        "002.checkpoint",
        "002.net",
        "002.nodes.gate",
    ];
    let hit = (0..moments.len()).filter(|&from| killed(&folder, &moments[from..])).count();
    assert!(hit >= 7, "only {hit} of {} kills hit a running campaign", moments.len());
    // It resumes with the options it began with.
    let ran = agon(&words("bacteria", &folder, "--generations 2"));
    assert_eq!(ran.code, 0, "{}{}", ran.out, ran.err);
    let found = files(folder.path());
    let names = |files: &BTreeMap<String, Vec<u8>>| files.keys().cloned().collect::<Vec<_>>();
    assert_eq!(names(&found), names(&expected));
    for (name, bytes) in &expected {
        assert!(found[name] == *bytes, "{name} differs");
    }

    // The record is enough to recreate the network.
    let record = fs::read_to_string(folder.path().join("001.toml")).unwrap();
    let command = record.lines().find_map(|line| line.strip_prefix("command = ")).unwrap();
    let (again, command) = (TempDir::new().unwrap(), command.trim_matches('"').strip_prefix("agon ").unwrap());
    let command = command.replace("DIR", again.path().to_str().unwrap()) + " --priority normal";
    let ran = agon(&command.split(' ').collect::<Vec<_>>());
    assert_eq!(ran.code, 0, "{command}: {}", ran.err);
    assert!(fs::read(again.path().join("001.net")).unwrap() == expected["001.net"], "{command}");
}

#[test]
fn a_campaign_is_shown_and_refused() {
    let folder = TempDir::new().unwrap();
    let small = SMALL.replace("--generations 2", "--generations 1");
    let check = |game: &str, more: &str, expected: &str| {
        let ran = agon(&words(game, &folder, more));
        assert_eq!((ran.code, ran.err.lines().count()), (2, 1), "{more}: {}", ran.err);
        assert!(ran.err.contains(expected), "`{expected}` is not in {}", ran.err);
    };
    check("bacteria", "--status", "there is no campaign in `");
    check("renju", "--openings 2", "--openings: 2 is not in 3..=30");
    check("renju", "--openings 4-6 --beginning practised", "draws its own number of stones");
    check("renju", "--adjudicate 5", "--adjudicate is for bacteria, not for renju");
    check("bacteria", "--elo1 -5", "elo1 is -5, but must be above elo0");
    check("bacteria", "--symmetric --hidden 32", "with --symmetric a multiple of 256 expected");
    check("renju", "--symmetric", "what networks see of renju is the same under all symmetries");
    check("bacteria", "--net noname", "neither `champion`, `classic` nor a net file");
    assert!(!folder.path().join("campaign.toml").exists());

    let ran = agon(&words("bacteria", &folder, &(small.clone() + " --format json")));
    assert_eq!(ran.code, 0, "{}", ran.err);
    let lines: Vec<Value> = ran.out.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    let message: Vec<&str> = lines.iter().map(|line| line["event"].as_str().unwrap()).collect();
    let expected = ["begun", "done", "begun", "epoch", "epoch", "epoch", "done", "begun", "done", "generation"];
    assert_eq!(message, expected, "{}", ran.out);

    let keys = |value: &Value| value.as_object().unwrap().keys().cloned().collect::<Vec<_>>().join(" ");
    let training = "seed value_share start learnt held_out duplicates losses network rounding per_second data";
    assert_eq!(keys(&lines[6]["training"]), training);
    assert_eq!(lines[6]["training"]["losses"].as_array().unwrap().len(), 3);

    let status = agon(&words("bacteria", &folder, "--status --format json")).json();
    let generation = &status["generations"][0];
    assert_eq!(generation["training"]["network"], lines[9]["net"], "{status}");
    assert_eq!((&status["live"], &status["options"]["hidden"]), (&Value::Null, &32.into()));
    assert_eq!(generation["accepted"], lines[9]["accepted"]);
    let test = &generation["gates"][0]["sprt"];
    assert_eq!((&test["hypotheses"]["H1"], &test["alpha"]), (&"Elo ≥ 10".into(), &0.05.into()), "{status}");
    assert_eq!(test, &lines[8]["gate"]["sprt"]);
    let shown = agon(&words("bacteria", &folder, "--status"));
    assert_eq!((shown.code, shown.out.lines().count()), (0, 3), "{}", shown.out);

    check("bacteria", "--hidden 64 --nodes 40,50", "--hidden 32, not 64; --nodes 40, not 40,50: leave them out");
    check("renju", "", "holds a campaign of bacteria, not of renju");
    check("renju", "--status", "holds a campaign of bacteria: `agon lab learn bacteria");
    // Nothing is left to do, at whatever priority.
    assert_eq!(agon(&["learn", "bacteria", "--work", folder.path().to_str().unwrap(), "--generations", "1"]).code, 0);
}

#[test]
fn renju_is_learnt_too() {
    let folder = TempDir::new().unwrap();
    let small = "--generations 2 --net classic --positions 200 --nodes 30 --imbalance 2000 --hidden 32 --epochs 1 \
        --batch 32 --gate-nodes 30 --gate-games 4 --jobs 2";
    let ran = agon(&words("renju", &folder, small));
    assert_eq!(ran.code, 0, "{}{}", ran.out, ran.err);
    assert_eq!(ran.out.lines().count(), 5, "{}", ran.out);
    assert!(folder.path().join("002.net").exists());
}
