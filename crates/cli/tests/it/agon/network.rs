//! `agon lab datagen`, `train` and `duel`: from games to a network that plays.

use std::fs;

use serde_json::Value;
use tempfile::TempDir;

use crate::agon::run::{BINARY, agon, agon_reading, command, finish};

/// Games that take no time.
fn datagen(out: &str, positions: &str, more: &[&str]) -> Value {
    let quick = ["datagen", "bacteria", "--out", out, "--positions", positions, "--net", "classic", "--nodes", "40"];
    let ran = agon(&[&quick, more, &["--format", "json"]].concat());
    assert_eq!((ran.code, ran.err.as_str()), (0, ""), "{}", ran.out);
    serde_json::from_str(&ran.out).unwrap()
}

#[test]
fn from_games_to_a_network_that_plays() {
    let folder = TempDir::new().unwrap();
    let path = |name: &str| folder.path().join(name).to_str().unwrap().to_owned();
    let (data, net) = (path("positions"), path("mine.net"));

    let first = datagen(&data, "500", &["--jobs", "2"]);
    let made = first["positions"].as_u64().unwrap();
    assert!(made >= 500 && first["made"] == made, "{first}");
    // Nothing is left to do; then the file grows, and is the same as if written at once.
    assert_eq!(datagen(&data, "500", &[])["made"], 0);
    let more = datagen(&data, "3000", &[])["positions"].as_u64().unwrap();
    assert!(more >= 3_000);
    datagen(&path("at once"), "3000", &["--jobs", "1"]);
    assert!(fs::read(&data).unwrap() == fs::read(path("at once")).unwrap());

    let options = ["--hidden", "32", "--epochs", "2", "--batch", "64", "--jobs", "1"];
    let ran =
        agon(&[&["train", "bacteria", "--data", &data, "--out", &net, "--format", "json"], &options[..]].concat());
    assert_eq!((ran.code, ran.err.as_str()), (0, ""));
    let lines: Vec<Value> = ran.out.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    assert_eq!(lines.len(), 3, "two epochs and what came out");
    let [before, after] = [&lines[0], &lines[1]].map(|epoch| epoch["validation"].as_f64().unwrap());
    assert!(after < before, "{}", ran.out);

    let history = fs::read_to_string(path("mine.txt")).unwrap();
    for part in ["--hidden 32 --epochs 2", "positions of bacteria-1, net classic nodes 40", "held out", "sha256"] {
        assert!(history.contains(part), "`{part}` is not in {history}");
    }
    assert!(history.contains(lines[2]["net"].as_str().unwrap()));
    assert!(fs::read_to_string(path("mine.svg")).unwrap().starts_with("<svg"));
    assert!(!fs::exists(path("mine.checkpoint")).unwrap());

    // Of two networks, the one that learnt from the positions predicts them better than one that hardly learnt.
    let young = path("young.net");
    let options = ["--hidden", "32", "--epochs", "1", "--batch", "2048", "--jobs", "1"];
    let ran = agon(&[&["train", "bacteria", "--data", &data, "--out", &young], &options[..]].concat());
    assert_eq!((ran.code, ran.err.as_str()), (0, ""));
    let ran = agon(&["loss", "bacteria", &young, &net, "--data", &data, "--format", "json"]);
    assert_eq!((ran.code, ran.err.as_str()), (0, ""));
    let losses: Vec<Value> = ran.out.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    for kind in ["log_loss", "squared_error"] {
        let [young, mine] = [&losses[0], &losses[1]].map(|loss| loss[kind].as_f64().unwrap());
        assert!(mine < young && mine > 0.0, "{kind}: {}", ran.out);
    }
    let counts: Vec<u64> =
        losses[0]["phases"].as_array().unwrap().iter().map(|phase| phase["positions"].as_u64().unwrap()).collect();
    assert_eq!((counts.len(), counts.iter().sum()), (8, more), "{}", ran.out);
    let table = agon(&["loss", "bacteria", &net, "--data", &data]);
    assert_eq!((table.code, table.err.as_str()), (0, ""));
    for part in ["log-loss against the results", "squared error against the scores", "0 to 9", "70 on", "all"] {
        assert!(table.out.contains(part), "`{part}` is not in {}", table.out);
    }

    // Another begins where this one ends.
    let further = path("further.net");
    let ran = agon(&["train", "bacteria", "--data", &data, "--out", &further, "--from", &net, "--epochs", "1"]);
    assert_eq!((ran.code, ran.err.as_str()), (0, ""));
    let history = fs::read_to_string(path("further.txt")).unwrap();
    let begun = format!("begun as net {}", lines[2]["net"].as_str().unwrap());
    assert!(history.starts_with("agon lab train bacteria --from mine.net ") && history.contains(&begun), "{history}");

    // A symmetric network learns from this one.
    let taught = path("taught.net");
    let train = ["train", "bacteria", "--data", &data, "--out", &taught, "--teacher", &net, "--symmetric"];
    let ran = agon(&[&train[..], &["--epochs", "1"]].concat());
    assert_eq!((ran.code, ran.err.as_str()), (0, ""));
    let history = fs::read_to_string(path("taught.txt")).unwrap();
    let by = format!("taught by net {}", lines[2]["net"].as_str().unwrap());
    let command = "agon lab train bacteria --hidden 256 --symmetric --teacher mine.net --epochs 1 ";
    assert!(history.starts_with(command) && history.contains(&by), "{history}");
    // And stays so without the option.
    let still = path("still.net");
    let ran = agon(&["train", "bacteria", "--data", &data, "--out", &still, "--from", &taught, "--epochs", "1"]);
    assert_eq!((ran.code, ran.err.as_str()), (0, ""));
    assert_eq!(fs::read(&still).unwrap()[8], 4, "the version of files of symmetric networks");

    let duel = ["duel", "bacteria", &net, "classic", "--games", "4", "--nodes", "50", "--format", "json"];
    let ran = agon(&[&duel[..], &["--set", "nmp_depth=99", "--set", "lmr_slope=0"]].concat());
    assert_eq!((ran.code, ran.err.as_str()), (0, ""));
    let result: Value = serde_json::from_str(&ran.out).unwrap();
    assert_eq!((&result["pairs"], &result["second"]), (&2.into(), &"classic".into()), "{result}");
    assert_eq!(result["set"], serde_json::json!(["nmp_depth=99", "lmr_slope=0"]));
}

/// Games of renju that take no time.
fn renju_datagen(out: &str, positions: &str, more: &[&str]) -> Value {
    let quick = ["datagen", "renju", "--out", out, "--positions", positions, "--net", "classic", "--nodes", "30"];
    let ran = agon(&[&quick, more, &["--format", "json"]].concat());
    assert_eq!((ran.code, ran.err.as_str()), (0, ""), "{}", ran.out);
    serde_json::from_str(&ran.out).unwrap()
}

#[test]
fn renju_has_networks_too() {
    let folder = TempDir::new().unwrap();
    let path = |name: &str| folder.path().join(name).to_str().unwrap().to_owned();
    let (data, net) = (path("positions"), path("mine.net"));
    let first = renju_datagen(&data, "100", &["--jobs", "2"]);
    assert!(first["positions"].as_u64().unwrap() >= 100 && first["made"] == first["positions"], "{first}");
    assert!(renju_datagen(&data, "400", &[])["positions"].as_u64().unwrap() >= 400);
    renju_datagen(&path("at once"), "400", &["--jobs", "1"]);
    assert!(fs::read(&data).unwrap() == fs::read(path("at once")).unwrap());

    let train = ["train", "renju", "--data", &data, "--out", &net, "--format", "json"];
    let ran = agon(&[&train[..], &["--hidden", "32", "--epochs", "3", "--batch", "32", "--jobs", "1"]].concat());
    assert_eq!((ran.code, ran.err.as_str()), (0, ""));
    let lines: Vec<Value> = ran.out.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    assert_eq!(lines.len(), 4, "three epochs and what came out");
    let [before, after] = [&lines[0], &lines[2]].map(|epoch| epoch["training"].as_f64().unwrap());
    assert!(after < before, "{}", ran.out);
    let history = fs::read_to_string(path("mine.txt")).unwrap();
    for part in ["agon lab train renju --hidden 32", "positions of renju-1, net classic nodes 30 opening 9", "sha256"] {
        assert!(history.contains(part), "`{part}` is not in {history}");
    }
    assert!(fs::read_to_string(path("mine.svg")).unwrap().starts_with("<svg"));

    let duel = ["duel", "renju", &net, "classic", "--games", "2", "--nodes", "50", "--format", "json"];
    let ran = agon(&duel);
    assert_eq!((ran.code, ran.err.as_str()), (0, ""));
    let result: Value = serde_json::from_str(&ran.out).unwrap();
    assert_eq!((&result["pairs"], &result["second"]), (&1.into(), &"classic".into()), "{result}");

    // Files of one game are useless for the other.
    let check = |arguments: &[&str], expected: &str| {
        let ran = agon(arguments);
        assert_eq!(ran.code, 2, "{arguments:?}: {}", ran.err);
        assert!(ran.err.contains(expected), "`{expected}` is not in {}", ran.err);
    };
    check(&["train", "bacteria", "--data", &data, "--out", &path("other.net")], "was made by `renju-1");
    check(&["duel", "bacteria", &net, "classic"], "a network of the features `renju pairs of kinds`");
    check(&["datagen", "renju", "--out", &path("other"), "--net", "noname"], "neither `champion`, `classic` nor a net");
    check(&["datagen", "renju", "--out", &data, "--net", "classic", "--openings", "2"], "2 is not from 3 to 30");
}

#[test]
fn openings_are_balanced() {
    let openings = ["lab", "openings", "renju", "--balanced", "-n", "3", "--stones", "4", "--nodes", "300"];
    let ran = agon(&[&openings[..], &["--bound", "300", "--quick-games", "2", "--format", "json"]].concat());
    assert_eq!((ran.code, ran.err.as_str()), (0, ""));
    let lines: Vec<Value> = ran.out.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    assert_eq!(lines.len(), 3, "{}", ran.out);
    for line in &lines {
        assert_eq!(line["moves"].as_str().unwrap().split(' ').count(), 4, "{line}");
        assert!(line["value"].as_i64().unwrap().abs() <= 300 && line["black"].as_f64() == Some(0.5), "{line}");
    }
    // The text is a file of openings.
    let ran = agon(&[&openings[..], &["--bound", "300", "--quick-games", "2"]].concat());
    let moves: Vec<&str> = lines.iter().map(|line| line["moves"].as_str().unwrap()).collect();
    assert_eq!(ran.out.lines().collect::<Vec<_>>(), moves);
    let folder = TempDir::new().unwrap();
    let file = folder.path().join("balanced.txt");
    fs::write(&file, &ran.out).unwrap();
    let store = folder.path().join("games.db");
    let series = ["match", "greedy", "random", "--game", "renju", "-n", "6", "--dry-run"];
    let ran = agon(&[&series[..], &["--openings", file.to_str().unwrap(), "--db", store.to_str().unwrap()]].concat());
    assert_eq!(ran.code, 0, "{}", ran.err);
    let refused = agon(&["lab", "openings", "renju", "--balanced", "--stones", "2"]);
    assert!(refused.code == 2 && refused.err.contains("3 to 20 stones expected"), "{}", refused.err);
}

#[test]
fn what_cannot_be_done_is_refused() {
    let folder = TempDir::new().unwrap();
    let path = |name: &str| folder.path().join(name).to_str().unwrap().to_owned();
    let (data, text, net) = (path("positions"), path("text"), path("net"));
    datagen(&data, "1", &[]);
    fs::write(&text, "notes\n").unwrap();
    let check = |arguments: &[&str], expected: &str| {
        let ran = agon(arguments);
        assert_eq!(ran.code, 2, "{arguments:?}: {}", ran.err);
        assert!(ran.err.contains(expected), "`{expected}` is not in {}", ran.err);
    };
    check(&["datagen", "bacteria", "--out", &data, "--net", "classic", "--nodes", "41"], "write to another file");
    check(&["datagen", "bacteria", "--out", &text, "--net", "classic"], "no file of records");
    check(&["datagen", "bacteria", "--out", &net, "--net", "noname"], "neither `champion`, `classic` nor a net file");
    check(&["datagen", "bacteria", "--out", &net, "--net", &text], "no net file");
    check(&["train", "bacteria", "--data", &data, "--out", &net, "--held-out", "10000"], "and 0 held out");
    check(&["train", "bacteria", "--data", &text, "--out", &net], "no file of records");
    check(&["train", "bacteria", "--data", &data, "--out", &net, "--hidden", "33"], "a multiple of 32");
    check(&["train", "bacteria", "--data", &data, "--out", &net, "--rate", "nan"], "a number from 0 to 1");
    let train = |more: &[&str], expected| {
        check(&[&["train", "bacteria", "--data", &data, "--out", &net], more].concat(), expected);
    };
    train(
        &["--symmetric", "--hidden", "32"],
        "a hidden layer of 32 numbers: with --symmetric a multiple of 256 expected",
    );
    train(&["--teacher", "champion", "--lambda", "0.5"], "cannot be used with");
    train(&["--teacher", "noname"], "`noname` is neither `champion` nor a net file");
    let symmetric = ["train", "renju", "--data", &data, "--out", &net, "--symmetric"];
    check(&symmetric, "what networks see of renju is the same under all symmetries: leave out --symmetric");
    let from = |net_to_begin, expected| {
        check(&["train", "bacteria", "--data", &data, "--out", &net, "--from", net_to_begin], expected);
    };
    from("classic", "neither `champion` nor a net file");
    from(concat!(env!("CARGO_MANIFEST_DIR"), "/../../nets/renju/champion.net"), "a network of the features `renju");
    check(&["duel", "bacteria", "classic", &text], "no net file");
    let set = |setting, expected| check(&["duel", "bacteria", "classic", "classic", "--set", setting], expected);
    set("lmr_slop=1", "no parameter is called `lmr_slop`; there are aspiration_delta, ");
    set("lmr_slope=2000", "`lmr_slope` is 2000, but must be from 0 to 200");
    set("lmr_slope=x", "`x` is not a whole number");
    set("lmr_slope", "NAME=VALUE expected");
}

/// Runs the examples in the help of `agon lab train GAME`, with these limits in addition to those of each command.
fn run_examples(game: &str, limits: &[(&str, &str)]) {
    let folder = TempDir::new().unwrap();
    for name in ["data", "nets"] {
        fs::create_dir(folder.path().join(name)).unwrap();
    }
    let data = folder.path().join("data/1.positions").to_str().unwrap().to_owned();
    match game {
        "bacteria" => drop(datagen(&data, "100", &[])),
        "renju" => drop(renju_datagen(&data, "400", &[])),
        _ => {}
    }
    let help = agon(&["train", game, "--help"]).out;
    let examples: Vec<&str> = help.lines().filter_map(|line| line.strip_prefix("  agon ")).collect();
    let examples: Vec<&str> = examples.into_iter().map(|line| line.strip_prefix("lab ").unwrap_or(line)).collect();
    assert_eq!(examples.len(), 2, "{help}");
    for example in examples {
        let mut words: Vec<&str> = example.split_whitespace().collect();
        // Sizes in an example are made small.
        for at in 1..words.len() {
            if ["--generations", "--games"].contains(&words[at - 1]) {
                words[at] = "1";
            }
        }
        let (_, more) = limits.iter().find(|(command, _)| *command == words[0]).unwrap();
        words.extend(more.split_whitespace());
        let ran = finish(command(&words).current_dir(folder.path()));
        assert_eq!((ran.code, ran.err.as_str()), (0, ""), "{words:?}");
    }
}

#[test]
fn the_examples_of_training_run() {
    let duel = ("duel", "--games 2 --nodes 50");
    run_examples("bacteria", &[("train", "--hidden 32 --epochs 1 --batch 64"), duel]);
    run_examples("renju", &[("train", "--epochs 1 --batch 64"), duel]);
    run_examples("petri", &[("train", "--games 1 --size 5x5"), ("petri", "--size 5x5 --against slime")]);
}

#[test]
fn a_network_of_ones_own_plays_by_every_protocol() {
    let net = fs::canonicalize(concat!(env!("CARGO_MANIFEST_DIR"), "/../../nets/renju/champion.net")).unwrap();
    let net = net.to_str().unwrap().to_owned();
    let bacteria = net.replace("renju", "bacteria");
    let ready = "READY FIRST\nTURN 5000 5000\nFINISH\n";
    for (game, net) in [("bacteria", &bacteria), ("renju", &net)] {
        let ran = agon_reading(&["agent", game, "--net", net], ready);
        // It writes nothing else except the score of its move.
        assert!(ran.code == 0 && ran.err.lines().all(|line| line.starts_with("agon score=")), "{}", ran.err);
        assert!(ran.out.starts_with("OK\nMOVE "), "{}", ran.out);
        // The champion has the same network and search.
        if game == "bacteria" {
            assert_eq!(ran.out, agon_reading(&["agent", game, "champion"], ready).out);
        }
    }
    for (game, protocol, net) in [("bacteria", "uai", &bacteria), ("renju", "gomocup", &net)] {
        let named =
            agon_reading(&[protocol, "--net", net], if protocol == "uai" { "uai\nquit\n" } else { "ABOUT\nEND\n" });
        assert!(named.code == 0 && named.out.contains(net.as_str()), "{}", named.out);
        let engine = format!("{protocol}:'{BINARY}' {protocol} --net '{net}'");
        let played = ["play", game, "--first", &engine, "--second", "random", "--format", "json"];
        let result = agon(&[&played[..], &["--nodes", "500", "--clock", "1m"]].concat()).json();
        assert_eq!((&result["winner"], &result["verdicts"]), (&"first".into(), &serde_json::json!(["OK", "OK"])));
    }

    for (arguments, reason) in [
        (&["agent", "bacteria", "--net", "absent.net"][..], "absent.net"),
        (&["agent", "bacteria", "--net", &net], "features"),
        (&["agent", "domineering", "--net", &net], "has no network"),
        (&["agent", "bacteria", "champion", "--net", &net], "cannot be used with"),
        (&["agent", "bacteria"], "required"),
        (&["uai", "--net", &net, "--engine", "greedy"], "cannot be used with"),
        (&["gomocup", "--net", "absent.net"], "absent.net"),
    ] {
        let ran = agon(arguments);
        assert!(ran.code == 2 && ran.out.is_empty() && ran.err.contains(reason), "{arguments:?}: {}", ran.err);
    }
}
