//! What participants and hosts do from the shell.

use std::fs;
use std::io::{BufRead as _, BufReader};
use std::path::Path;
use std::process::{Command as Process, Stdio};

use assert_cmd::Command;
use serde_json::Value;

use super::served::{Served, request};
use super::{audit, folder, killed, quick_bot};
use crate::browser::Browser;

#[test]
fn a_program_is_submitted_from_the_shell() {
    let folder = folder();
    let site = Served::start(folder.path());
    let token = killed::token(folder.path(), "ada");
    let submit = |file: &str, source: &str| {
        let path = folder.path().join(file);
        fs::write(&path, source).unwrap();
        let mut command = Command::new(env!("CARGO_BIN_EXE_agon"));
        command.args(["submit", "--game", "domineering", "--server", &site.address("")]).arg(path);
        command.env("AGON_TOKEN", &token);
        command
    };
    let output = submit("Brick.py", &quick_bot("domineering.py")).output().unwrap();
    let seen_text = String::from_utf8(output.stdout).unwrap();
    assert!(output.status.success() && seen_text.contains("passed: version 1 is on the ladder"), "{seen_text}");
    // A folder, whose main file imports the rest.
    let my_bot = folder.path().join("my_bot");
    fs::create_dir(&my_bot).unwrap();
    fs::write(my_bot.join("rest.py"), quick_bot("domineering.py")).unwrap();
    fs::write(my_bot.join("main.py"), "import rest  # it plays as soon as it is read\n").unwrap();
    let mut command = Command::new(env!("CARGO_BIN_EXE_agon"));
    command.args(["submit", "--game", "domineering", "--server", &site.address("")]).arg(&my_bot);
    let output = command.env("AGON_TOKEN", &token).output().unwrap();
    let seen_text = String::from_utf8_lossy(&output.stdout).into_owned() + &String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success() && seen_text.contains("passed: version 1 is on the ladder"), "{seen_text}");
    let output = submit("Brick.py", "print('NO')").output().unwrap();
    assert_eq!(output.status.code(), Some(1));
    assert!(String::from_utf8(output.stdout).unwrap().contains("failed: RE"));
    let output = submit("Brick.py", "").output().unwrap();
    assert_eq!(output.status.code(), Some(2));
    assert!(
        String::from_utf8(output.stderr).unwrap().contains("(422 Unprocessable Entity): `source`: source is empty")
    );
}

#[test]
fn a_demonstration_is_made_and_can_be_looked_at() {
    let folder = folder();
    let data = folder.path().join("site");
    let make = || {
        let mut command = Command::new(env!("CARGO_BIN_EXE_agon"));
        command.args(["serve", "demo", "--people", "4", "--games", "30", "--seed", "3", "--format", "json", "--jail"]);
        command.args(["none", "--data"]).arg(&data).output().unwrap()
    };
    let made = make();
    assert_eq!(made.status.code(), Some(0), "{}", String::from_utf8_lossy(&made.stderr));
    let made: Value = serde_json::from_slice(&made.stdout).unwrap();
    assert!(made["accounts"] == 5 && made["games"].as_u64() > Some(30), "{made}");
    // Existing files in a folder stay unchanged.
    let again = make();
    let said = String::from_utf8(again.stderr).unwrap();
    assert_eq!((again.status.code(), said.lines().count()), (Some(2), 1), "{said}");
    assert!(said.contains("is not empty: name a new folder with --data"), "{said}");
    let site = Served::start_with(folder.path(), &["--workers", "0"]);
    let front = site.get("/", &[]).1;
    assert!(
        front.contains("Autumn Cup") && front.contains("class=\"podium\"") && front.contains("data-of="),
        "{front}"
    );
    let browser = Browser::new();
    browser.shape(1280, false);
    browser.visit(&site.address("/signin"));
    browser.fill("main input[name=name]", made["member"].as_str().unwrap());
    browser.fill("main input[name=password]", made["password"].as_str().unwrap());
    browser.click("main form button");
    browser.until("document.querySelector('.own')?.innerText.includes('Sign out')", &Value::Bool(true));
    for path in ["/", "/ladder/class-league", "/games", "/design", "/ladder/bacteria"] {
        browser.visit(&site.address(path));
        audit(&browser);
    }
    browser.click("main th a[href^='/program/']");
    browser.until("document.querySelectorAll('.heat li').length > 0", &Value::Bool(true));
    audit(&browser);
    // A ladder leads to a program, and a person to the programs.
    browser.shape(1280, false);
    browser.visit(&site.address("/ladder/bacteria"));
    let past = "Math.max(scrollY, ...[...document.querySelectorAll('.scroll')].map((one) => one.scrollWidth - \
                one.clientWidth))";
    assert_eq!(browser.of(past), 0, "a ladder begins at its top, and its tables fit");
    browser.click("main a[href^='/person/']");
    browser.until("document.querySelectorAll('.program-card').length > 0", &Value::Bool(true));
    audit(&browser);
    browser.visit(&site.address("/watch"));
    browser.until("document.querySelectorAll('#game .moves li').length > 2", &Value::Bool(true));
    let framed = "getComputedStyle(document.getElementById('game')).outlineColor";
    assert_eq!(browser.of(framed), "rgba(0, 0, 0, 0)", "no frame before a key is pressed");
    browser.until("document.querySelector('.eval-bar') !== null", &Value::Bool(true));
    audit(&browser);
}

/// Exports the site of a folder into a file.
fn export(folder: &Path, file: &Path) -> std::process::Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_agon"));
    command.args(["serve", "export", "--data"]).arg(folder.join("site")).arg(file).output().unwrap()
}

fn rows(path: &Path) -> Vec<Value> {
    let text = fs::read_to_string(path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
    text.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}

#[test]
fn a_site_is_exported_from_the_shell_while_it_runs() {
    let folder = folder();
    let file = folder.path().join("site.tar.gz");
    let missing = export(folder.path(), &file);
    assert_eq!(missing.status.code(), Some(2), "{missing:?}");
    assert!(!file.exists() && String::from_utf8(missing.stderr).unwrap().lines().count() == 1);
    let site = Served::start_with(folder.path(), &["--workers", "0"]);
    let token = killed::token(folder.path(), "ada");
    let source = quick_bot("renju.py");
    let path = folder.path().join("bot.py");
    fs::write(&path, &source).unwrap();
    let mut submit = Command::new(env!("CARGO_BIN_EXE_agon"));
    submit.args(["submit", "--game", "renju", "--no-wait", "--server", &site.address("")]).arg(&path);
    submit.env("AGON_TOKEN", &token).assert().success();
    let made = export(folder.path(), &file);
    assert!(made.status.success() && made.stdout.is_empty() && made.stderr.is_empty(), "{made:?}");
    let unpacked = folder.path().join("unpacked");
    fs::create_dir(&unpacked).unwrap();
    let tar = Process::new("tar").arg("-xzf").arg(&file).arg("-C").arg(&unpacked).status().unwrap();
    assert!(tar.success());
    let accounts = rows(&unpacked.join("accounts.jsonl"));
    assert_eq!((accounts.len(), &accounts[0]["name"]), (1, &"ada".into()));
    let versions = rows(&unpacked.join("versions.jsonl"));
    assert_eq!((versions.len(), &versions[0]["state"]), (1, &"queued".into()));
    assert_eq!(fs::read_to_string(unpacked.join(versions[0]["source"].as_str().unwrap())).unwrap(), source);
    assert!(fs::read_to_string(unpacked.join("standings/renju.csv")).unwrap().contains("champion:1"));
    // Nothing is overwritten.
    let before = fs::read(&file).unwrap();
    let again = export(folder.path(), &file);
    assert_eq!(again.status.code(), Some(2), "{again:?}");
    assert_eq!(fs::read(&file).unwrap(), before);
}

/// The lines that a site without workers and without a jail logs, until one has this in it.
fn logged(format: &str, last: &str) -> Vec<String> {
    let folder = folder();
    let mut command = Process::new(env!("CARGO_BIN_EXE_agon"));
    command.args(["serve", "--listen", "127.0.0.1:0", "--jail", "none", "--workers", "0", "--log-format", format]);
    command.arg("--data").arg(folder.path().join("site")).env("RUST_LOG", "agon_web=debug");
    let mut child = command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    let seen_text = BufReader::new(child.stdout.take().unwrap()).lines().next().expect("the site starts").unwrap();
    let host = seen_text.split("http://").nth(1).unwrap().split('/').next().unwrap();
    assert_eq!(request(host, "GET", "/healthz", "", &[]).0, 200);
    let mut lines = Vec::new();
    for line in BufReader::new(child.stderr.take().unwrap()).lines() {
        lines.push(line.unwrap());
        if lines.last().is_some_and(|line| line.contains(last)) {
            break;
        }
    }
    child.kill().unwrap();
    child.wait().unwrap();
    lines
}

#[test]
fn a_log_for_programs_is_json_from_its_first_line() {
    let lines = logged("json", "answered");
    let events: Vec<Value> =
        lines.iter().map(|line| serde_json::from_str(line).unwrap_or_else(|_| panic!("no JSON: {line}"))).collect();
    assert_eq!(events[0]["level"], "WARN");
    let seen_text = events[0]["message"].as_str().unwrap();
    assert!(seen_text.contains("jail level none: they have ALL YOUR RIGHTS"), "{seen_text}");
    assert_eq!(events[events.len() - 1]["span"]["path"], "/healthz");
}

#[test]
fn a_log_in_a_file_has_no_colours() {
    let lines = logged("text", "answered");
    assert!(lines[0].starts_with("WARNING: programs of strangers run at jail level none"), "{lines:?}");
    assert!(lines.iter().all(|line| !line.contains('\u{1b}')), "{lines:?}");
}
