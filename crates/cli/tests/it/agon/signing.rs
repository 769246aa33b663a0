//! Signed records: created, verified, and refused if anything was changed.

use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};

use agon_referee::record::Record;
use serde_json::{Value, json};
use tempfile::TempDir;

use crate::agon::run::{agon, file, folder, text};

/// A new key in a folder: its file and its public text.
fn key(folder: &TempDir, name: &str) -> (PathBuf, String) {
    let path = folder.path().join(name);
    let ran = agon(&["key", "new", text(&path)]);
    assert_eq!((ran.code, ran.err.as_str(), ran.out.lines().count()), (0, "", 1), "{}", ran.out);
    (path, ran.out.trim().to_owned())
}

/// The record of a game, signed by the key of a file.
fn signed(folder: &TempDir, key: &Path) -> PathBuf {
    let path = folder.path().join("game.jsonl");
    let game = ["play", "bacteria", "--second", "random", "--seed", "7", "--show", "none", "--out", text(&path)];
    let ran = agon(&[&game[..], &["--sign", text(key)]].concat());
    assert_eq!((ran.code, ran.err.as_str()), (0, ""));
    path
}

#[track_caller]
fn refused(arguments: &[&str], code: i32, message: &str) {
    let ran = agon(arguments);
    assert_eq!((ran.code, ran.out.as_str()), (code, ""), "{arguments:?}: {}", ran.err);
    assert_eq!(ran.err.lines().count(), 1, "{}", ran.err);
    assert!(ran.err.contains(message), "`{message}` is not in: {}", ran.err);
}

#[test]
fn a_key_is_made_and_kept_secret() {
    let folder = folder();
    let (path, public) = key(&folder, "host.key");
    let digits = public.strip_prefix("ed25519:").unwrap();
    assert!(digits.len() == 64 && digits.bytes().all(|byte| byte.is_ascii_hexdigit()), "{public}");
    assert_eq!(fs::metadata(&path).unwrap().permissions().mode() & 0o7777, 0o600);
    let beside = folder.path().join("host.key.pub");
    assert_eq!(fs::read_to_string(&beside).unwrap(), format!("{public}\n"));
    assert!(!fs::read_to_string(&path).unwrap().contains(digits));
    for file in [&path, &beside] {
        assert_eq!(agon(&["key", "show", text(file)]).out, format!("{public}\n"));
    }
    let before = fs::read(&path).unwrap();
    refused(&["key", "new", text(&path)], 2, "exists already; a key is never overwritten");
    assert_eq!(fs::read(&path).unwrap(), before);
    assert_ne!(key(&folder, "other.key").1, public);
    refused(&["key", "new", "/dev/null/folder/key"], 2, "cannot make the folder `/dev/null/folder` for the key");
    refused(&["key", "show", "/no/such/key"], 2, "cannot read the key");
}

#[test]
fn a_signed_record_names_its_signer() {
    let folder = folder();
    let (host, public) = key(&folder, "host.key");
    let record = signed(&folder, &host);
    let last: Value = serde_json::from_str(fs::read_to_string(&record).unwrap().lines().last().unwrap()).unwrap();
    assert_eq!((&last["key"], last["signature"].as_str().unwrap().len()), (&json!(public), 128), "{last}");

    let ran = agon(&["replay", text(&record)]);
    assert_eq!((ran.code, ran.err.as_str()), (0, ""));
    assert!(ran.out.ends_with(&format!("signed: by {public}\n")), "{}", ran.out);
    let beside = format!("{}.pub", text(&host));
    for by in [public.as_str(), beside.as_str(), text(&host)] {
        let message = agon(&["replay", text(&record), "--signed-by", by, "--format", "json"]).json();
        assert_eq!((&message["proved"], &message["signed_by"]), (&json!(true), &json!(public)));
    }
    let (other, stranger) = key(&folder, "other.key");
    let message = format!("the record is signed by {public}, not by {stranger}");
    refused(&["replay", text(&record), "--signed-by", &stranger], 1, &message);
    let ran = agon(&["replay", text(&record), "--signed-by", text(&other), "--format", "json"]);
    let answer: Value = serde_json::from_str(&ran.out).unwrap();
    assert_eq!((ran.code, &answer["proved"], &answer["error"]), (1, &json!(false), &json!(message)));
}

#[test]
fn a_signed_record_cannot_be_changed() {
    let folder = folder();
    let (host, public) = key(&folder, "host.key");
    let original = fs::read_to_string(signed(&folder, &host)).unwrap();
    // Each with a new seal, which the rules alone would not refuse.
    let changes: [fn(&mut Record); 4] = [
        |record| record.header.agents[0].agent = "another agent".to_owned(),
        |record| record.header.started += 1,
        |record| record.result.peak_mb = [1.0, 2.0],
        |record| record.result.stderr[0] = "hello".to_owned(),
    ];
    for change in changes {
        let mut record = Record::read(&original).unwrap();
        change(&mut record);
        let changed = file(&folder, "changed.jsonl", &record.write());
        refused(
            &["replay", text(&changed)],
            1,
            &format!("the signature is broken: the record has been changed since {public}"),
        );
        // Without the signature it is anybody's.
        record.signature = None;
        let bare = file(&folder, "bare.jsonl", &record.write());
        assert_eq!(agon(&["replay", text(&bare)]).code, 0);
        refused(&["replay", text(&bare), "--signed-by", &public], 1, "the record is not signed");
    }
    // Another's signature under the same words, or half of one.
    let (body, seal) = original.trim_end().rsplit_once('\n').unwrap();
    let seal: Value = serde_json::from_str(seal).unwrap();
    let (_, stranger) = key(&folder, "other.key");
    let mut forged = Vec::new();
    for (name, value) in [("key", json!(stranger)), ("signature", json!("00".repeat(64))), ("key", json!("me"))] {
        let mut changed = seal.clone();
        changed[name] = value;
        forged.push(changed);
    }
    for name in ["key", "signature"] {
        let mut changed = seal.clone();
        changed.as_object_mut().unwrap().remove(name);
        forged.push(changed);
    }
    for seal in forged {
        let changed = file(&folder, "changed.jsonl", &format!("{body}\n{seal}\n"));
        refused(&["replay", text(&changed)], 1, "the signature is broken");
    }
}

#[test]
fn a_series_is_signed_and_stays_so_in_its_exports() {
    let folder = folder();
    let (host, public) = key(&folder, "host.key");
    let store = folder.path().join("agon.db");
    let series = ["match", "greedy", "random", "--game", "bacteria", "-n", "2", "--force", "--db", text(&store)];
    let ran = agon(&[&series[..], &["--sign", text(&host), "--format", "json"]].concat());
    assert_eq!((ran.code, ran.err.as_str()), (0, ""));
    let exported = agon(&["export", "--db", text(&store)]);
    assert_eq!(exported.out.lines().count(), 2);
    for line in exported.out.lines() {
        let line: Value = serde_json::from_str(line).unwrap();
        let record = file(&folder, "game.jsonl", line["record"].as_str().unwrap());
        let message = agon(&["replay", text(&record), "--signed-by", &public, "--format", "json"]).json();
        assert_eq!(message["signed_by"], json!(public));
    }
    let record = folder.path().join("one.jsonl");
    let ran = agon(&["export", "--db", text(&store), "--slot", "1", "--out", text(&record)]);
    assert_eq!((ran.code, ran.err.as_str()), (0, ""));
    assert_eq!(agon(&["replay", text(&record), "--signed-by", &public]).code, 0);
    let page = folder.path().join("report.html");
    assert_eq!(agon(&["report", "--db", text(&store), "--out", text(&page)]).code, 0);
}

#[test]
fn what_is_no_key_is_refused() {
    let folder = folder();
    let (host, public) = key(&folder, "host.key");
    let nonsense = file(&folder, "nonsense", "nonsense\n");
    let beside = format!("{}.pub", text(&host));
    let game = folder.path().join("game.jsonl");
    let play = |key: &str, message: &str| {
        refused(&["play", "bacteria", "--show", "none", "--out", text(&game), "--sign", key], 2, message);
        assert!(!game.exists());
    };
    play(text(&nonsense), "holds no private key; make one with `agon key new FILE`");
    play(&beside, "holds a public key; a private one is needed to sign");
    play("/no/such/key", "cannot read the key `/no/such/key`");
    let store = folder.path().join("agon.db");
    let series = ["match", "greedy", "random", "--game", "bacteria", "--db", text(&store), "--sign", "/no/such/key"];
    refused(&series, 2, "cannot read the key `/no/such/key`");
    assert!(!store.exists());
    let record = signed(&folder, &host);
    let replay = |key: &str, message: &str| refused(&["replay", text(&record), "--signed-by", key], 2, message);
    replay(text(&nonsense), "is not a public key");
    replay(&public[..40], "is not a public key");
    replay("/no/such/key", "cannot read the key");
}
