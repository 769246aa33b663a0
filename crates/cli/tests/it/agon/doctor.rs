//! `agon doctor`.

use std::os::unix::fs::symlink;

use agon_referee::agent::Language;
use agon_referee::process::find_program;
use serde_json::Value;

use crate::agon::run::{agon, command, finish, folder};

#[test]
fn every_finding_is_named() {
    let ran = agon(&["doctor"]);
    assert_eq!((ran.code, ran.err.as_str()), (0, ""));
    let languages = Language::ALL.map(Language::name);
    for subject in languages.into_iter().chain(["cores", "load", "memory limit", "clock", "wake-up", "round trip"]) {
        let named = ran.out.lines().filter(|line| line[5..].starts_with(&format!("{subject:<18} ")));
        assert_eq!(named.count(), 1, "{subject}: {}", ran.out);
    }
}

#[test]
fn what_is_missing_has_a_remedy() {
    let folder = folder();
    symlink(find_program("cat").unwrap(), folder.path().join("cat")).unwrap();
    let ran = finish(command(&["doctor", "--format", "json"]).env("PATH", folder.path()));
    assert_eq!((ran.code, ran.err.as_str()), (0, ""));
    let findings = ran.json();
    for language in Language::ALL {
        let finding = &findings[language.name()];
        assert_eq!(finding["found"], format!("{} is not installed", language.compiler()));
        assert_eq!((finding["remedy"].as_str(), &finding["data"]), (Some(language.remedy()), &Value::Null));
    }
    assert_eq!(findings["cores"]["data"].as_u64(), std::thread::available_parallelism().ok().map(|n| n.get() as u64));
}
