//! A site whose games a fleet plays, and kills of each part of it.

use std::fs;
use std::path::Path;
use std::thread;
use std::time::Duration;

use agon_arena::Plan;
use agon_arena::plan::Entrant;
use agon_arena::runner::queue::{Lease, MAX_DELIVERIES, Take as _, Taken};
use agon_arena::runner::{Roster, Worker};
use agon_catalog::Game;
use agon_fleet::{Fleet, FleetWatch, NatsOptions, RunJobs};
use rusqlite::{Connection, params};
use serde_json::{Value, json};
use sha2::{Digest, Sha256};

use crate::fleet::processes::{Ground, Running, timing, until};
use crate::site::served::{Served, request};

/// Waits for an answer of the site, which accepts few requests of one account in a second.
#[track_caller]
fn until_answered(what: &str, mut condition: impl FnMut() -> bool) {
    until(what, || {
        let holds = condition();
        if !holds {
            thread::sleep(Duration::from_millis(200));
        }
        holds
    });
}

/// Waits for something that games on the ladder bring, and keeps the programs new: from its thirtieth game on a program
/// of the ladder is due once a minute, and a slow machine sees that many games here.
#[track_caller]
fn until_played(ground: &Ground, what: &str, mut condition: impl FnMut() -> bool) {
    until(what, || {
        stay_new(ground);
        condition()
    });
}

fn stay_new(ground: &Ground) {
    store(ground).execute("UPDATE version SET games = 0", []).unwrap();
}

/// A site in the ground's folder that plays nothing itself.
fn serve(ground: &Ground, more: &[&str]) -> Served {
    let url = ground.url();
    let workers = if more.contains(&"--workers") { &[][..] } else { &["--workers", "0"] };
    let options = [workers, &["--daily", "1000", "--nats", &url], more].concat();
    Served::start_with(ground.folder.path(), &options)
}

fn store(ground: &Ground) -> Connection {
    let store = Connection::open(ground.path("site/site.db")).unwrap();
    store.busy_timeout(Duration::from_secs(10)).unwrap();
    store
}

fn number(ground: &Ground, sql: &str) -> i64 {
    store(ground).query_row(sql, [], |row| row.get(0)).unwrap()
}

/// An account with a token for everything, created beside the site.
fn token(ground: &Ground, name: &str, host: bool) -> String {
    let word = format!("token of {name}");
    let store = store(ground);
    store
        .execute("INSERT INTO account (name, password, host, created) VALUES (?1, 'none', ?2, 1)", params![name, host])
        .unwrap();
    let account = store.last_insert_rowid();
    let digest = Sha256::digest(&word);
    let sql =
        "INSERT INTO token (account, name, digest, created, scopes) VALUES (?1, 'test', ?2, 1, 'read,submit,host')";
    store.execute(sql, params![account, &digest[..]]).unwrap();
    word
}

fn sample() -> String {
    fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/bots/domineering.py")).unwrap()
}

/// Submits a program for domineering; the number of its version.
fn submit(site: &Served, token: &str, name: &str, source: &str) -> i64 {
    let draft = json!({ "contest": "domineering", "name": name, "language": "PYTHON3", "source": source });
    let authorization = format!("Bearer {token}");
    let headers = [("authorization", authorization.as_str()), ("content-type", "application/json")];
    let mut output = (0, String::new());
    // Workers report what they can run soon after they have arrived.
    until_answered("the language is offered", || {
        output = request(&site.host, "POST", "/api/v1/submissions", &draft.to_string(), &headers);
        output.0 == 201 || output.0 != 429 && !output.1.contains("draft-error-language-not-installed")
    });
    assert_eq!(output.0, 201, "{}", output.1);
    serde_json::from_str::<Value>(&output.1).unwrap()["version"].as_i64().unwrap()
}

/// Waits until a version has this state for its author. Returns what its author sees.
#[track_caller]
fn settled(ground: &Ground, site: &Served, (version, wanted): (i64, &str), token: &str) -> Value {
    let settled = format!("SELECT count(*) FROM version WHERE id = {version} AND state = '{wanted}'");
    until_played(ground, &format!("version {version} is {wanted}"), || number(ground, &settled) == 1);
    let mut seen = Value::Null;
    until_answered("its author sees it", || {
        seen = site.json(&format!("/api/v1/versions/{version}"), token);
        seen["state"] == wanted
    });
    seen
}

const OF_THE_LIAR: &str = "SELECT count(*) FROM bout WHERE worker = 'liar' AND kind = 'ladder'";
const RATED: &str = "SELECT count(*) FROM bout WHERE first_rating IS NOT NULL";

/// Statements that must hold whatever was killed: each counts the mistakes.
fn holds(ground: &Ground) {
    for (output, sql) in [
        (
            "the games of each program are its rated ones",
            "SELECT count(*) FROM program WHERE games <> (SELECT count(*) FROM bout
                 WHERE first_rating IS NOT NULL AND (first = program.id OR second = program.id))",
        ),
        (
            "every game that has ended has its record",
            "SELECT count(*) FROM bout LEFT JOIN record ON bout = bout.id WHERE ended IS NOT NULL AND text IS NULL",
        ),
        ("the file is whole", "SELECT count(*) FROM pragma_integrity_check WHERE integrity_check <> 'ok'"),
    ] {
        assert_eq!(number(ground, sql), 0, "{output}");
    }
}

#[test]
fn a_fleet_plays_what_a_site_has_to_play_and_kills_lose_nothing() {
    let ground = Ground::new();
    let mut nats = ground.server(&[]);
    let mut site = serve(&ground, &[]);
    let ada = token(&ground, "ada", false);
    let host = token(&ground, "host", true);
    let _one = ground.worker("one", &[]);
    let mut two = ground.worker("two", &[]);
    let version = submit(&site, &ada, "bot", &sample());
    settled(&ground, &site, (version, "passed"), &ada);
    until_played(&ground, "it plays on the ladder", || number(&ground, RATED) > 2);
    // Records name programs as the site does, and no path of another machine.
    let record: i64 = number(&ground, "SELECT max(id) FROM bout WHERE ended IS NOT NULL AND kind = 'ladder'");
    let (_, text) = site.get(&format!("/game/{record}/record"), &[]);
    assert!(text.lines().next().unwrap().contains("\"agent\":\"bot v1\""), "{text}");
    // One that does not compile fails visibly for its author, and is not a game.
    let broken = submit(&site, &ada, "broken", "def f(:\n");
    let output = settled(&ground, &site, (broken, "failed"), &ada);
    assert!(output["message"].as_str().unwrap().contains("SyntaxError"), "{output}");
    // The host sees the machines.
    let seen = site.json("/api/v1/host/fleet", &host);
    let names: Vec<&str> =
        seen["workers"].as_array().unwrap().iter().map(|worker| worker["name"].as_str().unwrap()).collect();
    assert_eq!((names, seen["idle"].is_null()), (vec!["one", "two"], true), "{seen}");
    assert_eq!(site.get("/api/v1/host/fleet", &[("authorization", &format!("Bearer {ada}"))]).0, 403);
    // A worker dies, then the server of the fleet, then the site.
    two.kill();
    let before = number(&ground, RATED);
    until_played(&ground, "one goes on alone", || number(&ground, RATED) > before + 1);
    nats.kill();
    until_answered("it says that the server is away", || {
        let seen = site.json("/api/v1/host/fleet", &host);
        seen["idle"].as_str().is_some_and(|why| why.contains("is away"))
    });
    assert_eq!(site.get("/queue", &[]).0, 200, "pages are made without it");
    let _nats = ground.server(&[]);
    let before = number(&ground, RATED);
    until_played(&ground, "games go on when it is back", || number(&ground, RATED) > before + 1);
    let unended = number(&ground, "SELECT coalesce(max(id), 0) FROM bout WHERE ended IS NULL AND kind = 'ladder'");
    site.kill();
    let begun = number(&ground, "SELECT count(*) FROM bout WHERE ended IS NULL AND kind = 'ladder'");
    site = serve(&ground, &[]);
    until_played(&ground, "what had been handed out ends", || {
        number(&ground, &format!("SELECT count(*) FROM bout WHERE ended IS NULL AND id <= {unended}")) == 0
    });
    if begun > 0 {
        let kept = number(&ground, &format!("SELECT count(*) FROM bout WHERE id = {unended}"));
        assert!(unended == 0 || kept == 1, "it is waited for, and not given up");
    }
    let before = number(&ground, RATED);
    until_played(&ground, "games go on", || number(&ground, RATED) > before + 1);
    site.kill();
    holds(&ground);
}

/// A connection to the server of the fleet.
fn connect(ground: &Ground) -> Fleet {
    let options = NatsOptions { url: ground.url(), key: None, authority: None, ping: timing().ping };
    Fleet::connect(&options, "test").unwrap()
}

/// The jobs of the site's only run, as a worker of this name takes them.
fn jobs(fleet: &Fleet, name: &str) -> RunJobs {
    let watch = FleetWatch::new(fleet, timing().max_silence);
    let mut run = None;
    until("the run of the site is heard of", || {
        run = watch.overview().runs.first().map(|run| run.run.clone());
        run.is_some()
    });
    RunJobs::new(fleet, &run.unwrap(), name, 2, &timing())
}

/// The next of them.
fn take(jobs: &mut RunJobs, mut keep: impl FnMut()) -> Box<dyn Lease> {
    let mut taken = None;
    until("a game is taken", || {
        keep();
        taken = match jobs.take(Duration::from_millis(100)) {
            Taken::Job(lease) => Some(lease),
            Taken::Nothing | Taken::Ended => None,
        };
        taken.is_some()
    });
    taken.unwrap()
}

/// The games in the hands of a worker.
fn hands(watch: &FleetWatch, name: &str) -> Vec<u32> {
    let all = watch.overview().workers;
    all.iter()
        .filter(|worker| worker.worker == name)
        .flat_map(|worker| worker.hands.values().flatten().copied())
        .collect()
}

/// Sends three records that are none, under the name of a worker, signed by the key in a file.
fn slander(ground: &Ground, worker: &Running, key: Option<&Path>) {
    let options = NatsOptions { url: ground.url(), key: None, authority: None, ping: timing().ping };
    let fleet = Fleet::join(&options, "test", key).unwrap();
    let mut jobs = jobs(&fleet, &worker.name());
    let agents = ["random", "greedy"].map(|name| Entrant::read(name, Game::DOMINEERING).unwrap());
    let plan = Plan::of_match(Game::DOMINEERING, agents, 2);
    let roster = Roster::prepare(&plan).unwrap();
    for _ in 0..3 {
        // Games are handed out while a worker is there.
        let mut lease = take(&mut jobs, || stay_new(ground));
        let slot = lease.job().slots[0];
        let mut game = Worker::new(&plan, &roster, None, None).play(&slot).unwrap().unwrap();
        game.record = b"no record".to_vec();
        lease.played(game);
        lease.done();
    }
}

#[test]
fn nothing_counts_of_a_worker_whose_records_do_not_hold() {
    let ground = Ground::new();
    let _nats = ground.server(&[]);
    let site = serve(&ground, &["--audit", "50%"]);
    let ada = token(&ground, "ada", false);
    let host = token(&ground, "host", true);
    let mut liar = ground.worker("liar", &[]);
    let version = submit(&site, &ada, "bot", &sample());
    settled(&ground, &site, (version, "passed"), &ada);
    until_played(&ground, "it plays on the ladder", || number(&ground, OF_THE_LIAR) > 2);
    let last: i64 = number(&ground, "SELECT max(id) FROM bout WHERE worker = 'liar'");
    // A worker with its name but not its key is someone else.
    slander(&ground, &liar, None);
    until_played(&ground, "the other one is in quarantine", || {
        number(&ground, "SELECT count(*) FROM quarantine WHERE worker LIKE 'liar~%'") == 1
    });
    assert_eq!(number(&ground, "SELECT count(*) FROM quarantine WHERE worker = 'liar'"), 0);
    let counted = number(&ground, OF_THE_LIAR);
    assert!(counted > 2, "{counted} games; {}", liar.said());
    until_played(&ground, "it plays on", || number(&ground, OF_THE_LIAR) > counted);
    slander(&ground, &liar, Some(&ground.worker_key("liar")));
    until("it is in quarantine", || number(&ground, "SELECT count(*) FROM quarantine WHERE worker = 'liar'") == 1);
    until("its games are taken out", || number(&ground, OF_THE_LIAR) == 0);
    until("it is drained", || liar.ended().is_some());
    let _one = ground.worker("one", &[]);
    let left = format!("SELECT count(*) FROM bout WHERE kind = 'ladder' AND id <= {last} AND ended IS NULL");
    until_played(&ground, "they are played again", || number(&ground, &left) == 0);
    let again = format!("SELECT count(*) FROM bout WHERE kind = 'ladder' AND id <= {last} AND worker = 'one'");
    assert!(number(&ground, &again) > 2, "under their numbers");
    // The host is notified, and so are programs.
    let seen = site.json("/api/v1/host/fleet", &host);
    let names: Vec<&str> =
        seen["quarantined"].as_array().unwrap().iter().map(|found| found["worker"].as_str().unwrap()).collect();
    // Each of the two with its key.
    assert!(names.contains(&"liar") && names.len() == 4, "{seen}");
    drop(site);
    holds(&ground);
}

/// A program that thinks for a while about every move.
fn slow() -> String {
    let text = sample().replacen(
        "def choose(",
        "import time\n\n\ndef choose(*position):\n    time.sleep(0.03)\n    return best(*position)\n\n\ndef best(",
        1,
    );
    assert!(text.contains("def best("), "the sample has another form");
    text
}

#[test]
fn a_worker_that_is_drained_ends_its_game_and_a_site_that_is_killed_goes_on_with_it() {
    let ground = Ground::new();
    let _nats = ground.server(&[]);
    // The fleet makes the checks: the site itself would rehearse rare situations with these slow programs.
    let mut site = serve(&ground, &[]);
    let ada = token(&ground, "ada", false);
    let mut one = ground.worker("one", &[]);
    let fleet = connect(&ground);
    let watch = FleetWatch::new(&fleet, timing().max_silence);
    for name in ["bot", "other", "third"] {
        let version = submit(&site, &ada, name, &slow());
        settled(&ground, &site, (version, "passed"), &ada);
    }
    // Some games are played on the machine of the site.
    site.kill();
    site = serve(&ground, &["--workers", "1"]);
    let rated = |which: &str| number(&ground, &format!("SELECT count(*) FROM bout WHERE kind = 'ladder' AND {which}"));
    until_played(&ground, "both play", || rated("worker = 'one'") > 0 && rated("ended > 0 AND worker IS NULL") > 0);
    // Drained in the middle of a game: that one it ends, and takes no other.
    let mut held = Vec::new();
    until_played(&ground, "it plays", || {
        held = hands(&watch, "one");
        !held.is_empty()
    });
    let before = number(&ground, "SELECT count(*) FROM bout WHERE worker = 'one'");
    one.terminate();
    assert_eq!(one.wait(), 0, "{}", one.said());
    let bout = i64::from(held[0]);
    let by_one = format!("SELECT count(*) FROM bout WHERE worker = 'one' AND id = {bout}");
    until("its game is stored", || number(&ground, &by_one) == 1);
    let after = number(&ground, "SELECT count(*) FROM bout WHERE worker = 'one'");
    assert!(after <= before + 2, "{before} games, then {after}");
    // The site dies in the middle of a game of another worker, which ends it: it is stored once, under its number.
    let mut two = ground.worker("two", &[]);
    until("the other one plays", || {
        held = hands(&watch, "two");
        !held.is_empty()
    });
    let bout = i64::from(held[0]);
    let ended = format!("SELECT count(*) FROM bout WHERE id = {bout} AND ended > 0");
    assert!(number(&ground, &ended) == 0 || two.ended().is_none());
    site.kill();
    until("the worker ends it", || !hands(&watch, "two").contains(&held[0]));
    site = serve(&ground, &["--workers", "1"]);
    until("it is stored", || number(&ground, &ended) == 1);
    assert_eq!(number(&ground, &format!("SELECT count(*) FROM record WHERE bout = {bout}")), 1);
    assert_eq!(number(&ground, &format!("SELECT count(*) FROM bout WHERE id = {bout} AND worker = 'two'")), 1);
    drop(site);
    holds(&ground);
}

#[test]
fn a_check_that_no_worker_ends_is_given_up_and_can_be_made_again() {
    let ground = Ground::new();
    let _nats = ground.server(&[]);
    let site = serve(&ground, &[]);
    let ada = token(&ground, "ada", false);
    // It reports that Python is there, and plays something else.
    let _other = ground.worker("other", &["--games", "renju"]);
    let version = submit(&site, &ada, "bot", &sample());
    let fleet = connect(&ground);
    let mut jobs = jobs(&fleet, "breaking");
    // While another one might play it, it would be handed out again.
    let watch = FleetWatch::new(&fleet, timing().max_silence);
    until("the other one refuses it", || watch.overview().workers.iter().any(|worker| !worker.refused.is_empty()));
    for _ in 0..MAX_DELIVERIES {
        take(&mut jobs, || {}).put_back(Duration::ZERO, None);
    }
    let output = settled(&ground, &site, (version, "failed"), &ada);
    assert!(matches!(jobs.take(Duration::ZERO), Taken::Nothing));
    assert!(
        output["message"].as_str().unwrap().contains("The check is given up: it was handed out 5 times"),
        "{output}"
    );
    assert_eq!(output["given_up"], Value::Bool(true));
    let authorization = format!("Bearer {ada}");
    let again = || {
        let path = format!("/api/v1/versions/{version}/check");
        request(&site.host, "POST", &path, "", &[("authorization", authorization.as_str())]).0
    };
    assert_eq!(again(), 202);
    let _one = ground.worker("one", &[]);
    settled(&ground, &site, (version, "passed"), &ada);
    assert_eq!(again(), 409);
}

#[test]
fn a_site_waits_for_its_fleet_and_refuses_a_wrong_set_up() {
    let ground = Ground::new();
    // No server answers: the site serves, and reaches the fleet later.
    let site = serve(&ground, &[]);
    let ada = token(&ground, "ada", false);
    let host = token(&ground, "host", true);
    until_answered("it says that noname answers", || {
        let seen = site.json("/api/v1/host/fleet", &host);
        seen["idle"].as_str().is_some_and(|why| why.contains("no NATS server answers at 127.0.0.1:"))
    });
    let _nats = ground.server(&[]);
    until_answered("it says what is missing", || {
        let seen = site.json("/api/v1/host/fleet", &host);
        seen["idle"].as_str().is_some_and(|why| why.contains("no worker is there; start some with `agon worker --nats"))
    });
    let _one = ground.worker("one", &[]);
    let version = submit(&site, &ada, "bot", &sample());
    settled(&ground, &site, (version, "passed"), &ada);
    drop(site);
    // A wrong answer is reported at once.
    let other = Ground::new();
    let _other = other.server(&["--auth", "s3cret"]);
    let url = other.url();
    let mut command = other.agon(&["serve", "--listen", "127.0.0.1:0", "--workers", "0", "--nats", &url]);
    let mut refused = Running::start(&mut command, &other.path("serve.log"));
    assert_eq!(refused.wait(), 2, "{}", refused.said());
    let said = refused.said();
    assert!(said.lines().count() == 1 && said.contains("refuses these credentials"), "{said}");
}
