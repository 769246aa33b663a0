//! What the machine's administrator does for those who cannot sign in, while the site runs.

use std::path::Path;
use std::process::{Command, Output};

use rusqlite::{Connection, params};
use serde_json::Value;

use super::folder;
use super::killed;
use super::served::{Served, request};

fn serve(command: &str, folder: &Path, rest: &[&str]) -> Output {
    let mut agon = Command::new(env!("CARGO_BIN_EXE_agon"));
    agon.args(["serve", command, "--data"]).arg(folder.join("site")).args(rest).output().unwrap()
}

fn text(bytes: &[u8]) -> &str {
    std::str::from_utf8(bytes).unwrap()
}

#[track_caller]
fn refused(ran: &Output, message: &str) {
    assert_eq!((ran.status.code(), text(&ran.stdout)), (Some(2), ""), "{}", text(&ran.stderr));
    assert_eq!(text(&ran.stderr).lines().count(), 1, "{}", text(&ran.stderr));
    assert!(text(&ran.stderr).contains(message), "`{message}` is not in: {}", text(&ran.stderr));
}

#[test]
fn a_link_to_a_new_password_is_made_while_the_site_runs() {
    let folder = folder();
    refused(&serve("recover", folder.path(), &["ada"]), "no such store");
    let site = Served::start_with(folder.path(), &["--workers", "0"]);
    killed::token(folder.path(), "ada");
    refused(&serve("recover", folder.path(), &["eve"]), "the site has no account of the name `eve`");
    let ran = serve("recover", folder.path(), &["ADA"]);
    assert_eq!((ran.status.code(), text(&ran.stderr)), (Some(0), ""));
    let path = text(&ran.stdout).trim().strip_prefix(&site.address("")).expect("the address of the site").to_owned();
    let (status, page) = site.get(&path, &[]);
    assert!(status == 200 && page.contains("For the account"), "{status} {page}");
    let origin = site.address("");
    let head = [("origin", origin.as_str()), ("content-type", "application/x-www-form-urlencoded")];
    assert_eq!(request(&site.host, "POST", &path, "password=battery+staple", &head).0, 303);
    assert_eq!(site.get(&path, &[]).0, 404, "it is used once");
    assert_eq!(request(&site.host, "POST", "/signin", "name=ada&password=battery+staple", &head).0, 303);
    let ran = serve("recover", folder.path(), &["ada", "--format", "json"]);
    let made: Value = serde_json::from_slice(&ran.stdout).unwrap();
    assert!(made["account"] == "ada" && made["link"].as_str().unwrap().starts_with(&site.address("/recover/")));
    // It is recorded for the hosts, and also works while the site is not running.
    let store = Connection::open(folder.path().join("site/site.db")).unwrap();
    let noted = "SELECT count(*) FROM event WHERE kind = 'recovery-made' AND name = 'ada' AND origin = 'command line'";
    assert_eq!(store.query_row(noted, [], |row| row.get::<_, i64>(0)).unwrap(), 2);
    store.execute("UPDATE account SET frozen = 1 WHERE name = 'ada'", []).unwrap();
    refused(&serve("recover", folder.path(), &["ada"]), "this account is frozen");
    store.execute("UPDATE account SET frozen = 0", []).unwrap();
    let address = site.address("/recover/");
    site.kill();
    let ran = serve("recover", folder.path(), &["ada"]);
    assert!(text(&ran.stdout).starts_with(&address), "{}", text(&ran.stderr));
}

#[test]
fn codes_are_removed_while_the_site_runs() {
    let folder = folder();
    let _site = Served::start_with(folder.path(), &["--workers", "0"]);
    killed::token(folder.path(), "ada");
    let store = Connection::open(folder.path().join("site/site.db")).unwrap();
    let sql = "INSERT INTO totp (account, secret, confirmed) SELECT id, ?1, 1 FROM account WHERE name = 'ada'";
    store.execute(sql, params![vec![7_u8; 20]]).unwrap();
    let ran = serve("remove-totp", folder.path(), &["ada"]);
    assert_eq!(ran.status.code(), Some(0), "{}", text(&ran.stderr));
    assert_eq!(text(&ran.stdout), "signing in as ada asks for the password alone again\n");
    let left = "SELECT (SELECT count(*) FROM totp) + (SELECT count(*) FROM totp_code)";
    assert_eq!(store.query_row(left, [], |row| row.get::<_, i64>(0)).unwrap(), 0);
    let ran = serve("remove-totp", folder.path(), &["ada", "--format", "json"]);
    assert_eq!((ran.status.code(), text(&ran.stdout)), (Some(1), "{\"account\":\"ada\",\"removed\":false}\n"));
    refused(&serve("remove-totp", folder.path(), &["eve"]), "no account of the name `eve`");
}
