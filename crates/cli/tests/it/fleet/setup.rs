//! Mistakes in a set-up are shown in one line, with the remedy; programs travel.

use std::fs;
use std::path::Path;

use agon_arena::Store;
use serde_json::Value;

use crate::fleet::processes::{Ground, Running, until};

const SERIES: [&str; 7] = ["match", "greedy", "random", "--game", "domineering", "--games", "4"];

/// The message of a series that cannot begin.
fn refused(ground: &Ground, more: &[&str]) -> String {
    let url = ground.url();
    let mut series =
        Running::start(ground.agon(&SERIES).args(["--nats", &url]).args(more), &ground.path("refused.log"));
    assert_eq!(series.wait(), 2, "{}", series.said());
    let said = series.said();
    fs::remove_file(ground.path("refused.log")).unwrap();
    assert_eq!(said.lines().count(), 1, "{said}");
    assert!(!ground.path("agon.db").exists(), "a series that cannot begin leaves no store");
    said
}

#[test]
fn faults_of_the_set_up_are_shown_with_the_remedy() {
    let ground = Ground::new();
    let said = refused(&ground, &[]);
    assert!(said.starts_with("error: no NATS server answers at 127.0.0.1:"), "{said}");
    assert!(said.contains("start one there with `nats-server`"), "{said}");
    let mut server = ground.server(&["--auth", "s3cret"]);
    let said = refused(&ground, &[]);
    assert!(said.contains("refuses these credentials") && !said.contains("s3cret"), "{said}");
    let token = ground.url().replace("nats://", "nats://s3cret@");
    let mut series =
        Running::start(ground.agon(&SERIES).args(["--nats", &token, "--labels", "none"]), &ground.path("known.log"));
    until("it is let in", || series.said().contains("no worker is there"));
    assert!(series.ended().is_none());
    assert!(!series.said().contains("s3cret"), "{}", series.said());
    series.kill();
    server.kill();
    let mut series = Running::start(ground.agon(&SERIES).args(["--nats", "nats://a b"]), &ground.path("address.log"));
    assert_eq!(series.wait(), 2);
    assert!(series.said().contains("is not the address of a NATS server"), "{}", series.said());
}

/// The message of a worker that does not start.
fn worker_refused(ground: &Ground, arguments: &[&str]) -> String {
    let log = ground.path("worker.log");
    let _ = fs::remove_file(&log);
    let mut worker = Running::start(ground.agon(&["worker", "--jail", "none", "--force"]).args(arguments), &log);
    assert_eq!(worker.wait(), 2, "{}", worker.said());
    let said = worker.said();
    said.lines().last().unwrap_or_default().to_owned()
}

#[test]
fn a_worker_refuses_a_server_that_lets_anyone_in() {
    let ground = Ground::new();
    let (url, token) = (ground.url(), ground.url().replace("nats://", "nats://s3cret@"));
    let key = "ed25519:3d4017c3e843895a92b70aa74d1b7ebc9c982ccf2ec4968cc0cd55f12af4660c";
    let mut server = ground.server(&[]);
    for (url, trust) in [(&url, key), (&url, "first"), (&token, key)] {
        let said = worker_refused(&ground, &["--nats", url, "--trust", trust]);
        assert!(said.contains("lets anyone in") && said.contains("--insecure"), "{said}");
    }
    let started = |url: &str, more: &[&str], log: &str| {
        let arguments = ["worker", "--nats", url, "--name", "one", "--slots", "1", "--force", "--jail", "none"];
        let mut worker = Running::start(ground.agon(&arguments).args(more), &ground.path(log));
        until("it starts", || worker.said().contains("worker one: 1 slot"));
        assert!(worker.ended().is_none(), "{}", worker.said());
        worker.terminate();
        assert_eq!(worker.wait(), 0, "{}", worker.said());
    };
    started(&url, &["--insecure"], "insecure.log");
    started(&url, &["--insecure", "--trust", key], "trusting.log");
    server.kill();
    let mut server = ground.server(&["--auth", "s3cret"]);
    started(&token, &["--trust", key], "closed.log");
    started(&token, &["--trust", "first"], "first.log");
    // Whom it trusts is said by its owner.
    let said = worker_refused(&ground, &["--nats", &token]);
    assert!(said.contains("name a key with --trust"), "{said}");
    let said = worker_refused(&ground, &["--nats", &token, "--trust", "first", "--trust", key]);
    assert!(said.contains("--trust first means nothing beside other keys"), "{said}");
    let said = worker_refused(&ground, &["--nats", &token, "--trust", "ed25519:00"]);
    assert!(said.contains("is not a public key"), "{said}");
    let said = worker_refused(&ground, &["--nats", &token, "--trust", "no.pub"]);
    assert!(said.contains("cannot read the key"), "{said}");
    server.kill();
    // Some are let in by name, and everybody else as one of them.
    let conf = "no_auth_user: guest\nauthorization { users: [{ user: guest, password: x }] }\n";
    fs::write(ground.path("guest.conf"), conf).unwrap();
    let _server = ground.server(&["-c", ground.path("guest.conf").to_str().unwrap()]);
    let guest = ground.url().replace("nats://", "nats://guest:x@");
    let said = worker_refused(&ground, &["--nats", &guest, "--trust", key]);
    assert!(said.contains("lets anyone in"), "{said}");
}

#[test]
fn keys_say_who_hands_out_games_and_who_plays_them() {
    let ground = Ground::new();
    let _server = ground.server(&[]);
    let path = |name: &str| ground.path(name).to_str().unwrap().to_owned();
    for name in ["good.key", "other.key"] {
        let mut made = Running::start(&mut ground.agon(&["key", "new", name]), &ground.path("key.log"));
        assert_eq!(made.wait(), 0, "{}", made.said());
    }
    // A list of keys.
    let list = format!("# of the desk\n{}", fs::read_to_string(ground.path("good.key.pub")).unwrap());
    fs::write(ground.path("keys.txt"), list).unwrap();
    let one = ground.worker("one", &["--trust", &path("keys.txt")]);
    until("the worker is there", || one.said().contains("its key: U"));
    let said = one.said();
    let its_key = said.lines().find_map(|line| line.strip_prefix("its key: ")).unwrap().to_owned();
    let url = ground.url();
    let series = |more: &[&str], log: &str| {
        let mut command = ground.agon(&SERIES);
        command.args(["--nats", &url, "--db", &format!("{log}.db")]).args(more);
        Running::start(&mut command, &ground.path(log))
    };
    let mut other = series(&["--fleet-key", &path("other.key")], "other.log");
    until("it is refused", || other.said().contains("which this worker does not trust (--trust)"));
    other.kill();
    assert_eq!(series(&["--fleet-key", &path("good.key")], "good.log").wait(), 0);
    // The other side: only this worker's games count.
    fs::write(ground.path("workers.txt"), format!("{its_key} # desk\n")).unwrap();
    let good = ["--fleet-key", &path("good.key"), "--worker-keys", &path("workers.txt")].map(str::to_owned);
    let good: Vec<&str> = good.iter().map(String::as_str).collect();
    assert_eq!(series(&good, "both.log").wait(), 0);
    fs::write(ground.path("workers.txt"), format!("{}\n", nkeys::KeyPair::new_user().public_key())).unwrap();
    let mut none = series(&good, "none.log");
    until("it says why", || none.said().contains("which is not among --worker-keys"));
    assert!(none.ended().is_none());
    none.kill();
    fs::write(ground.path("workers.txt"), "desk\n").unwrap();
    let mut wrong = series(&good, "wrong.log");
    assert_eq!(wrong.wait(), 2, "{}", wrong.said());
    assert!(wrong.said().contains("`desk` in") && wrong.said().contains("is not the public key"), "{}", wrong.said());
}

#[test]
fn options_of_this_machine_mean_nothing_to_a_fleet() {
    let ground = Ground::new();
    let url = ground.url();
    for option in [&["--jobs", "2"][..], &["--force"], &["--affinity", "none"]] {
        let mut command = ground.agon(&SERIES);
        command.args(["--nats", &url]).args(option);
        let mut series = Running::start(&mut command, &ground.path("options.log"));
        assert_eq!(series.wait(), 2, "{}", series.said());
        assert!(series.said().contains("cannot be used with"), "{}", series.said());
    }
}

#[test]
fn an_audit_is_a_share_and_of_a_fleet() {
    let ground = Ground::new();
    let url = ground.url();
    for (more, message) in
        [(&["--audit", "2%"][..], "--nats <URL>"), (&["--audit", "2", "--nats", &url], "a share from `0%` to `100%`")]
    {
        let mut series = Running::start(ground.agon(&SERIES).args(more), &ground.path("audit.log"));
        assert_eq!(series.wait(), 2, "{}", series.said());
        assert!(series.said().contains(message), "{}", series.said());
    }
}

#[test]
fn programs_travel_and_commands_do_not() {
    let ground = Ground::new();
    let _server = ground.server(&[]);
    let _worker = ground.worker("one", &[]);
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    fs::copy(root.join("tests/bots/domineering.py"), ground.path("my bot.py")).unwrap();
    let arguments =
        ["match", "my bot.py", "greedy", "--game", "domineering", "--games", "4", "--size", "4", "--jail", "none"];
    let mut series = ground.series(&arguments, "fleet.db");
    assert_eq!(series.wait(), 0, "{}", series.said());
    let mut alone = Running::start(ground.agon(&arguments).args(["--db", "alone.db"]), &ground.path("alone.log"));
    assert_eq!(alone.wait(), 0, "{}", alone.said());
    let played = |name: &str| {
        let bouts = Store::read(&ground.path(name)).unwrap().bouts(1, 0..99).unwrap();
        bouts.into_iter().map(|bout| (bout.slot, bout.seats, bout.game_digest, bout.verdicts)).collect::<Vec<_>>()
    };
    assert_eq!((played("fleet.db").len(), played("fleet.db")), (4, played("alone.db")));
    // Records name it as its author does, wherever it lay.
    let record = Store::read(&ground.path("fleet.db")).unwrap().record(1, 0).unwrap().unwrap();
    assert!(record.lines().next().unwrap().contains("\"agent\":\"my bot.py\""), "{record}");
    let arguments = ["match", "python3 my.py", "greedy", "--game", "domineering", "--games", "2", "--jail", "none"];
    fs::copy(ground.path("my bot.py"), ground.path("my.py")).unwrap();
    let mut series = ground.series(&arguments, "command.db");
    assert_eq!(series.wait(), 2, "{}", series.said());
    assert!(series.said().contains("cannot be played by other machines: it is a command"), "{}", series.said());
}

#[test]
fn the_example_configuration_lets_everybody_do_their_part_alone() {
    let ground = Ground::new();
    let conf = fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join("../../deploy/nats.conf")).unwrap();
    fs::write(ground.path("nats.conf"), conf).unwrap();
    let _server = ground.server(&["-c", ground.path("nats.conf").to_str().unwrap()]);
    let [player, worker, viewer] = ["player", "worker", "viewer"].map(|who| ground.url_of(who));
    let mut first =
        Running::start(ground.agon(&SERIES).args(["--nats", &player, "--db", "first.db"]), &ground.path("first.log"));
    until("it waits for workers", || first.said().contains("no worker is there"));
    let _playing = ground.worker_at(&worker, "one", &[]);
    assert_eq!(first.wait(), 0, "{}", first.said());
    // A program is fetched from its coordinator.
    fs::copy(Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/bots/domineering.py"), ground.path("bot.py")).unwrap();
    let arguments =
        ["match", "bot.py", "greedy", "--game", "domineering", "--games", "2", "--size", "4", "--jail", "none"];
    let mut second = Running::start(
        ground.agon(&arguments).args(["--nats", &player, "--db", "second.db"]),
        &ground.path("second.log"),
    );
    assert_eq!(second.wait(), 0, "{}", second.said());
    let mut looking =
        Running::start(&mut ground.agon(&["fleet", "--nats", &viewer, "--format", "json"]), &ground.path("view.log"));
    assert_eq!(looking.wait(), 0, "{}", looking.said());
    let seen: Value = serde_json::from_str(&looking.said()).unwrap();
    assert_eq!((&seen["workers"][0]["worker"], &seen["workers"][0]["played"]), (&"one".into(), &6.into()), "{seen}");
    // A worker may not hand out games, and no other user is let in.
    for (url, message) in [(&worker, "does not"), (&viewer, "does not"), (&ground.url(), "refuses these credentials")] {
        let mut series =
            Running::start(ground.agon(&SERIES).args(["--nats", url, "--db", "no.db"]), &ground.path("no.log"));
        assert_eq!(series.wait(), 2, "{url}: {}", series.said());
        assert!(series.said().lines().last().unwrap().contains(message), "{url}: {}", series.said());
    }
}

#[test]
fn a_drained_worker_exits() {
    let ground = Ground::new();
    let _server = ground.server(&[]);
    let mut worker = ground.worker("one", &[]);
    until("the worker is there", || worker.said().contains("worker one: 1 slot"));
    let url = ground.url();
    let drain = |name: &str| {
        let mut order =
            Running::start(&mut ground.agon(&["fleet", "--nats", &url, "drain", name]), &ground.path("drain.log"));
        (order.wait(), order.said())
    };
    assert_eq!(drain("ghost").0, 1);
    // It has heard no coordinator yet, so it trusts none.
    until("the order is refused", || drain("one").1.contains("one does not stop: it does not trust the key ed25519:"));
    let mut series = ground.series(&SERIES, "drain.db");
    assert_eq!(series.wait(), 0, "{}", series.said());
    // The same key hands out games and gives orders.
    until("the worker takes the order", || drain("one").0 == 0);
    assert_eq!(worker.wait(), 0, "{}", worker.said());
}
