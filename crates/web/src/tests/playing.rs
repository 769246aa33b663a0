//! Programs that are checked and play.

use std::collections::BTreeSet;
use std::time::{Duration, Instant};

use agon_arena::plan::{Entrant, Plan};
use agon_catalog::Game;
use agon_queue::play;
use agon_referee::agent::Language;
use agon_referee::fault_kind::{FaultKind, TimeSpent};
use agon_referee::record::{Record, Winner};
use agon_referee::verdict::Verdict;
use agon_site::clock::now;
use agon_site::competition::CompetitionSettings;
use agon_site::finals::{self, FinalForm, FinalStep, FinalTable};
use agon_site::store::{BoutKind, CheckState, FinalState, LadderPlayer, SiteBout, SiteSeat, Submission};
use axum::http::StatusCode;
use http_body_util::BodyExt as _;

use super::pages::failed_record;
use super::{TestSite, Who, bots, lost, request};

/// No check takes so long.
const TEST_TIMEOUT: Duration = Duration::from_mins(2);

async fn until(what: &str, mut is_so: impl AsyncFnMut() -> bool) {
    let begun = Instant::now();
    while !is_so().await {
        assert!(begun.elapsed() < TEST_TIMEOUT, "{what} takes too long");
        tokio::time::sleep(Duration::from_millis(50)).await;
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_sample_gets_onto_the_ladder_and_plays() {
    agon_jail::choose(agon_jail::Level::None);
    let site = TestSite::with(|options| options.workers = 1);
    let (_, ada) = site.member("ada", false);
    let fields = [("game", "bacteria"), ("name", "bot"), ("language", "PYTHON3"), ("source", bots::BACTERIA)];
    let taken = site.submit(&ada, &fields, None).await;
    let version: i64 = taken.header("location").strip_prefix("/version/").unwrap().parse().unwrap();
    // The events of a check end with its result.
    let events = site.send(request("GET", &format!("/version/{version}/events"), &ada).body("".into()).unwrap()).await;
    assert_eq!(events.headers()["content-type"], "text/event-stream");
    let workers = play::start(&site.site.queue, None);
    let stream = String::from_utf8(events.into_body().collect().await.unwrap().to_bytes().to_vec()).unwrap();
    assert!(stream.contains("event: progress") && stream.contains("event: settled"), "{stream}");
    let settled = site.site.writer().version(version).unwrap().unwrap();
    assert_eq!((settled.state, settled.message.text().as_str()), (CheckState::Passed, ""));
    let check = site.get(&format!("/game/{}", settled.bout.unwrap()), &Who::Guest).await.text;
    assert!(check.contains("check of a new version") && check.contains("data-game=\"1\""), "{check}");
    until("a rated game", async || site.site.writer().program(settled.program).unwrap().unwrap().games > 0).await;
    // The game being played is shown live.
    until("a live game", async || {
        let running = site.site.writer().running().unwrap();
        let Some(live) = running.first().and_then(|bout| site.site.queue.live.find(bout.id)) else { return false };
        live.events(0).len() > 2
    })
    .await;
    site.site.stop();
    tokio::task::spawn_blocking(move || workers.join()).await.unwrap();
    assert_eq!(site.site.queue.live.count(), 0);
    let text = site.get(&format!("/program/{}", settled.program), &ada).await.text;
    assert!(text.contains("By opponent") && text.contains("version 1 plays"), "{text}");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_check_does_not_wait_for_a_long_game() {
    agon_jail::choose(agon_jail::Level::None);
    let site = TestSite::with(|options| options.workers = 1);
    let (_, ada) = site.member("ada", false);
    let fields = [("game", "bacteria"), ("name", "bot"), ("language", "PYTHON3"), ("source", "def f(:\n")];
    let taken = site.submit(&ada, &fields, None).await;
    let version: i64 = taken.header("location").strip_prefix("/version/").unwrap().parse().unwrap();
    let one = std::sync::Arc::clone(&site.site);
    let relieved = move || tokio::task::spawn_blocking(move || play::relieve(&one.queue));
    assert!(!relieved.clone()().await.unwrap(), "the worker will take it");
    let competition = site.site.competition_at("bacteria").unwrap().id;
    let begin = |begun| {
        let mut store = site.site.writer();
        let player = store.builtin(competition, "random").unwrap().unwrap().id;
        let new =
            agon_site::store::NewBout { competition, kind: BoutKind::Ladder, seed: 1, seats: [(player, None); 2] };
        store.begin_bout(&new, begun).unwrap()
    };
    begin(now() - 60);
    let young = begin(now());
    assert!(!relieved.clone()().await.unwrap(), "a worker is free soon");
    // A final keeps the workers for itself, from shortly before it begins.
    let form = FinalForm { title: "Friday".to_owned(), ..FinalForm::default() };
    let schedule = |seconds| site.site.writer().put_final_to_come(competition, &form, &[], now() + seconds).unwrap();
    schedule(600);
    assert!(!relieved.clone()().await.unwrap(), "it begins much later");
    schedule(20);
    assert!(relieved.clone()().await.unwrap());
    assert_eq!(site.site.writer().version(version).unwrap().unwrap().state, CheckState::Failed);
    site.site.writer().remove_final_to_come(competition).unwrap();
    let taken = site.submit(&ada, &fields, None).await;
    let version: i64 = taken.header("location").strip_prefix("/version/").unwrap().parse().unwrap();
    assert!(!relieved.clone()().await.unwrap(), "it was cancelled");
    site.site.writer().abandon_bout(young).unwrap();
    assert!(relieved().await.unwrap());
    assert_eq!(site.site.writer().version(version).unwrap().unwrap().state, CheckState::Failed);
}

/// The order in which the only worker begins what waits for it.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn games_of_a_final_come_before_checks() {
    agon_jail::choose(agon_jail::Level::None);
    let site = TestSite::with(|options| options.workers = 1);
    let (_, host) = site.member("host", true);
    for name in ["ada", "bob"] {
        let (account, _) = site.member(name, false);
        site.program_of(account, name, &format!("{}# {name}\n", bots::RENJU));
    }
    let form =
        [("sure", "yes"), ("title", "Friday"), ("kind", "round-robin"), ("games", "2"), ("rounds", "1"), ("seed", "7")];
    let begun = site.post("/host/competitions/3/finals", &host, &form).await;
    assert_eq!(begun.status, StatusCode::SEE_OTHER, "{}", begun.text);
    let (_, eve) = site.member("eve", false);
    for name in ["one", "two", "three"] {
        let fields = [("game", "renju"), ("name", name), ("language", "PYTHON3"), ("source", bots::RENJU)];
        assert_eq!(site.submit(&eve, &fields, None).await.status, StatusCode::SEE_OTHER);
    }
    let json: serde_json::Value = serde_json::from_str(&site.get("/api/v1/queue", &host).await.text).unwrap();
    let waits = json["waits"].as_array().unwrap();
    assert_eq!((&waits[0]["what"], &waits[0]["why"]), (&"checks".into(), &"final".into()), "{waits:?}");
    let workers = play::start(&site.site.queue, None);
    let id = site.site.writer().running_finals().unwrap().remove(0).id;
    until("the first game", async || !site.site.writer().final_bouts(id).unwrap().is_empty()).await;
    // One check at most has been made, or is being made, beside it.
    assert!(site.site.writer().check_queue().unwrap().queued > 1);
    until("the checks", async || site.site.writer().check_queue().unwrap().oldest.is_none()).await;
    site.site.stop();
    tokio::task::spawn_blocking(move || workers.join()).await.unwrap();
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_failed_check_shows_why() {
    agon_jail::choose(agon_jail::Level::None);
    let site = TestSite::with(|options| options.workers = 1);
    let (_, ada) = site.member("ada", false);
    let workers = play::start(&site.site.queue, None);
    let check = async |source: &str, expected: &str| {
        let fields = [("game", "renju"), ("name", "bot"), ("language", "PYTHON3"), ("source", source)];
        let taken = site.submit(&ada, &fields, None).await;
        assert_eq!(taken.status, StatusCode::SEE_OTHER);
        let version: i64 = taken.header("location").strip_prefix("/version/").unwrap().parse().unwrap();
        let state = || site.site.writer().version(version).unwrap().unwrap();
        until("a check", async || state().state.is_settled()).await;
        let settled = state();
        assert_eq!(settled.state, CheckState::Failed);
        // `…` stands for how many games there was time for.
        let found = expected.split('…').all(|part| settled.message.text().contains(part));
        assert!(found, "`{expected}` is not in: {}", settled.message.text());
        let page = site.get(taken.header("location"), &ada).await.text;
        assert!(page.contains("has failed") && page.contains("Why"), "{page}");
        settled.bout
    };
    assert_eq!(check("def f(:\n", "PYTHON3 does not compile it").await, None);
    let game = check("input()\nprint('NO', flush=True)\ninput()\n", "RE: answered `NO` to READY").await.unwrap();
    let page = site.get(&format!("/game/{game}"), &ada).await.text;
    assert!(page.contains("last lines"), "the author sees the conversation: {page}");
    assert!(!site.get(&format!("/game/{game}"), &Who::Guest).await.text.contains("last lines"));
    // The form's promise is kept.
    let form = site.get("/submit?game=renju", &ada).await.text;
    assert!(form.contains("plays the games of a check"), "{form}");
    // One that fails in a later game of the check shows that game.
    let (said, second) = ("print(\"OK\", flush=True)", "print(\"OK\" if me == BLACK else \"NO\", flush=True)");
    let source = bots::RENJU.replace(said, second);
    let game =
        check(&source, "plays second, against random, at READY, and … more: RE: answered `NO` to READY").await.unwrap();
    let bout = site.site.writer().bout(game).unwrap().unwrap();
    assert_eq!(bout.seats.each_ref().map(SiteSeat::label), ["random", "bot v3"]);
    let page = site.get(&format!("/game/{game}"), &ada).await.text;
    assert!(page.contains("last lines") && page.contains("answered `NO` to READY"), "{page}");
    // What it wrote before its end stands on the page of the version, too.
    let crash = bots::RENJU.replace(said, "print(\"OK\" if me == BLACK else 1 / 0, flush=True)");
    check(&crash, "plays second, against random, …its last message: `ZeroDivisionError: division by zero`").await;
    // The opponent of the check's own has its name, and no page.
    let source = bots::RENJU.replace("import sys\n", AGAINST_THE_SCRIPT);
    let game = check(&source, "plays first, against a script").await.unwrap();
    let page = site.get(&format!("/game/{game}"), &ada).await.text;
    let heading = ">bot v5</a> – <span>a script</span></h1>";
    assert!(page.contains(heading) && !page.contains("/versus/"), "{page}");
    let list = site.get("/games?game=renju", &ada).await.text;
    assert!(!list.contains("a script</a>"), "{list}");
    site.site.stop();
    tokio::task::spawn_blocking(move || workers.join()).await.unwrap();
}

/// Programs that crash in `choose` at their first TURN, and the line of it.
const CRASHES: [(&str, &str, u32); 7] = [
    ("PYTHON3", include_str!("crashes/crash.py"), 3),
    ("CPP20", include_str!("crashes/crash.cpp"), 5),
    ("C20", include_str!("crashes/crash.c"), 4),
    ("RUST", include_str!("crashes/crash.rs"), 2),
    ("JAVA", include_str!("crashes/crash.java"), 4),
    ("JAVASCRIPT", include_str!("crashes/crash.js"), 2),
    ("RUBY", include_str!("crashes/crash.rb"), 3),
];

/// For one language, with `AGON_SLOW` for all: how stacks are read is tested elsewhere.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_crash_shows_its_line_to_its_author_alone() {
    agon_jail::choose(agon_jail::Level::None);
    let site = TestSite::with(|options| options.workers = 1);
    let (_, ada) = site.member("ada", false);
    let workers = play::start(&site.site.queue, None);
    let count = if std::env::var_os("AGON_SLOW").is_some() { CRASHES.len() } else { 1 };
    for (language, source, line) in &CRASHES[..count] {
        let fields = [("game", "renju"), ("name", "bot"), ("language", language), ("source", source)];
        let taken = site.submit(&ada, &fields, None).await;
        let address = taken.header("location");
        let version: i64 = address.strip_prefix("/version/").unwrap().parse().unwrap();
        let state = || site.site.writer().version(version).unwrap().unwrap();
        until("a check", async || state().state.is_settled()).await;
        let page = site.get(address, &ada).await.text;
        let line = format!(":{line} in ");
        let has = |part: &str| assert!(page.contains(part), "{language}: `{part}` is not in {page}");
        ["where it crashed", &line, "choose"].into_iter().for_each(has);
        let page = site.get(address, &Who::Guest).await.text;
        assert!(!page.contains("where it crashed"), "{language}: {page}");
    }
    site.site.stop();
    tokio::task::spawn_blocking(move || workers.join()).await.unwrap();
}

/// Fails if the opponent plays at the edge of what is legal and then passes.
const AGAINST_THE_SCRIPT: &str = r#"import sys

class Watched:
    def __init__(self, lines):
        self.lines, self.seen = lines, set()
    def __iter__(self):
        return self
    def __next__(self):
        return self.readline()
    def readline(self):
        line = self.lines.readline()
        self.seen.add(line[:8])
        if len({"OPP 9 9 ", "OPP -1 -"} & self.seen) == 2:
            sys.exit(3)
        return line

sys.stdin = Watched(sys.stdin)
"#;

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_source_is_tried_without_being_submitted() {
    agon_jail::choose(agon_jail::Level::None);
    let site = TestSite::with(|options| options.workers = 1);
    let ((_, ada), (_, other)) = (site.member("ada", false), site.member("bob", false));
    let workers = play::start(&site.site.queue, None);
    let check = async |source: &str, rival: &str, expected: &[&str]| {
        let form = [("language", "PYTHON3"), ("source", source), ("rival", rival)];
        let begun = site.post("/try/renju", &ada, &form).await;
        assert_eq!(begun.status, StatusCode::SEE_OTHER, "{}", begun.text);
        let path = begun.header("location").to_owned();
        until("a trial", async || !site.get(&path, &ada).await.text.contains("data-again")).await;
        let page = site.get(&path, &ada).await.text;
        for part in expected {
            assert!(page.contains(part), "`{part}` is not in: {page}");
        }
        assert_eq!(site.get(&path, &other).await.status, StatusCode::NOT_FOUND, "it is its author's");
    };
    check("x = 1\ndef f(:\n", "", &["PYTHON3 does not compile it", "<li id=\"L2\" class=\"wrong\">"]).await;
    let silent = "input()\nprint('NO', flush=True)\ninput()\n";
    check(silent, "random", &["answers READY", "answered <code>NO</code> to READY", "data-game", "first failed"]).await;
    assert_eq!(site.site.writer().counts().unwrap().versions, 0, "nothing was submitted");
    site.site.stop();
    tokio::task::spawn_blocking(move || workers.join()).await.unwrap();
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_final_has_standings() {
    agon_jail::choose(agon_jail::Level::None);
    let site = TestSite::with(|options| options.workers = 2);
    let (_, host) = site.member("host", true);
    let form =
        [("sure", "yes"), ("title", "Friday"), ("kind", "swiss"), ("games", "2"), ("rounds", "2"), ("seed", "7")];
    let early = site.post("/host/competitions/2/finals", &host, &form).await;
    assert!(early.text.contains("at least two programs"), "{}", early.text);
    for (name, extra) in [("ada", ""), ("bob", "# b"), ("eve", "# e")] {
        let (_, member) = site.member(name, false);
        let source = format!("{}{extra}\n", bots::DOMINEERING);
        let fields = [("game", "domineering"), ("name", "bot"), ("language", "PYTHON3"), ("source", &source)];
        assert_eq!(site.submit(&member, &fields, None).await.status, StatusCode::SEE_OTHER);
    }
    let workers = play::start(&site.site.queue, None);
    until("the checks", async || site.site.writer().best(site.competition("domineering"), 9).unwrap().len() == 3).await;
    let begun = site.post("/host/competitions/2/finals", &host, &form).await;
    assert_eq!(begun.status, StatusCode::SEE_OTHER, "{}", begun.text);
    let path = begun.header("location").to_owned();
    until("the final", async || !site.site.writer().has_running_final().unwrap()).await;
    let page = site.get(&path, &Who::Guest).await.text;
    assert!(
        page.contains("these are the final standings") && page.contains("seed 7") && page.contains("4 of 4"),
        "{page}"
    );
    let number = path.rsplit('/').next().unwrap();
    // A podium, and the standings after the first round.
    let page = site.get(&path, &Who::Guest).await.text;
    assert!(page.contains("class=\"podium\"") && page.contains("round=1"), "{page}");
    let earlier = site.get(&format!("{path}?round=1"), &Who::Guest).await.text;
    assert!(!earlier.contains("class=\"podium\"") && earlier.contains("round=1\" aria-current=\"page\""), "{earlier}");
    assert!(site.get(&format!("{path}/screen"), &Who::Guest).await.text.contains("<ol class=\"pedestals\""));
    let games = site.get(&format!("/api/v1/games?final={number}"), &Who::Guest).await;
    assert_eq!(games.text.matches("\"kind\":\"final\"").count(), 4, "{}", games.text);
    assert!(site.get("/api/v1/games?final=99", &Who::Guest).await.text.contains("\"games\":[]"));
    let csv = site.get(&format!("{path}/standings.csv"), &Who::Guest).await;
    assert_eq!(csv.header("content-type"), "text/csv; charset=utf-8");
    let rows: Vec<&str> = csv.text.lines().collect();
    assert!(rows.len() == 4 && rows[1].starts_with("1,\"bot v1 ("), "{rows:?}");
    // The points of four games, or fewer if the machine has made one void, and of a bye of two games in each round.
    let sum =
        |column| rows[1..].iter().map(|row| row.split(',').nth(column).unwrap().parse::<f64>().unwrap()).sum::<f64>();
    let (points, possible) = (sum(2), sum(3));
    assert!((2.0 * points - possible - 4.0).abs() < 1e-9 && possible <= 12.0, "{rows:?}");
    // A built-in player takes part; here a quick one is the strongest.
    site.site.writer().enter_builtins(2, &[("random".to_owned(), 9000.0, true)], now()).unwrap();
    let form =
        [("sure", "yes"), ("title", "Open"), ("kind", "swiss"), ("games", "2"), ("rounds", "1"), ("champions", "1")];
    let path = site.post("/host/competitions/2/finals", &host, &form).await.header("location").to_owned();
    until("the second final", async || !site.site.writer().has_running_final().unwrap()).await;
    let csv = site.get(&format!("{path}/standings.csv"), &Who::Guest).await.text;
    let row = csv.lines().find(|row| row.contains("\"random\"")).unwrap();
    assert_eq!(row.split(',').nth(3), Some("2"), "it has played: {csv}");
    site.site.stop();
    tokio::task::spawn_blocking(move || workers.join()).await.unwrap();
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn programs_of_frozen_accounts_forfeit_the_rest_of_a_final() {
    let site = TestSite::with(|options| options.workers = 1);
    let (_, host) = site.member("host", true);
    let [ada, bob, eve] = ["ada", "bob", "eve"].map(|name| {
        let (id, _) = site.member(name, false);
        (id, site.program(id, name).0)
    });
    let form =
        [("sure", "yes"), ("title", "Friday"), ("kind", "round-robin"), ("games", "2"), ("rounds", "1"), ("seed", "7")];
    let path = site.post("/host/competitions/3/finals", &host, &form).await.header("location").to_owned();
    let one = site.site.writer().running_finals().unwrap().remove(0);
    let front = site.get("/", &Who::Guest).await.text;
    assert!(front.contains(&format!("href=\"{path}\"")) && front.contains("0 of 6 played"), "{front}");
    // The results of games already played stay.
    let FinalStep::Play(slot) = finals::next(&one.plan, &[]) else { panic!("a game is to be played") };
    let program = |side: usize| {
        let version = one.plan.agents[slot.seats[side]].agent.parse().unwrap();
        site.site.writer().version(version).unwrap().unwrap().program
    };
    let kind = BoutKind::Final { id: one.id, slot: slot.number };
    let played = site.begun(kind, [program(0), program(1)]);
    site.site.writer().end_bout(played, &lost(Verdict::Ok, failed_record()), now()).unwrap();
    for (account, ..) in [ada, bob] {
        let frozen = site.post(&format!("/host/accounts/{account}/freeze"), &host, &[("yes", "yes")]).await;
        assert_eq!(frozen.status, StatusCode::SEE_OTHER);
    }
    let workers = play::start(&site.site.queue, None);
    until("the final", async || !site.site.writer().has_running_final().unwrap()).await;
    site.site.stop();
    tokio::task::spawn_blocking(move || workers.join()).await.unwrap();
    let FinalTable { one, bouts, played: ended, .. } = FinalTable::read(&site.site.writer(), one.id).unwrap();
    assert_eq!((one.state, bouts.len(), ended), (FinalState::Complete, 6, 6), "no game is missing");
    for bout in bouts.iter().map(|played| played.bout.as_ref().unwrap()) {
        let out = bout.seats.each_ref().map(|seat| seat.program != eve.1);
        let wanted = match out {
            _ if bout.id == played => Winner::Second,
            [true, true] => Winner::Void,
            [true, false] => Winner::Second,
            [false, _] => Winner::First,
        };
        assert_eq!((bout.winner, bout.is_forfeit), (Some(wanted), bout.id != played), "{bout:?}");
    }
    let page = site.get(&path, &Who::Guest).await.text;
    assert!(page.contains("these are the final standings") && page.contains("forfeit: first may not play"), "{page}");
    let forfeit = bouts.iter().filter_map(|played| played.bout.as_ref()).find(|bout| bout.is_forfeit).unwrap().id;
    assert!(site.get(&format!("/game/{forfeit}"), &Who::Guest).await.text.contains("This game was not played"));
    let record = site.get(&format!("/game/{forfeit}/record"), &Who::Guest).await;
    assert_eq!(record.status, StatusCode::GONE);
}

/// A species that stays alive and does nothing, slowly until a file appears.
const SLOW_SPECIES: &str = r#"import os, sys, time
lines = (line.rstrip("\n") for line in sys.stdin)
for line in lines:
    if line == "BEGIN":
        print("5 7 0 LOOP", flush=True)
    elif line == "END":
        break
    elif line:
        for _ in range(int(line.split()[1]) + 2):
            next(lines)
        if not os.path.exists("GATE"):
            time.sleep(0.05)
        print("REST", flush=True)
"#;

/// A game of the petri dish may take an hour: a final and other ladders go on meanwhile.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_final_begins_while_the_only_worker_plays_a_long_game() {
    agon_jail::choose(agon_jail::Level::None);
    let site = TestSite::with(|options| {
        options.workers = 1;
        options.slice = Duration::from_millis(100);
    });
    let (_, host) = site.member("host", true);
    let gate = site.site.options.data.join("gate");
    let enter = |competition: &str, name: &str, source: &str| {
        let (account, _) = site.member(name, false);
        let mut store = site.site.writer();
        let (competition, language) = (site.competition(competition), Language::Python3);
        let submission = Submission { account, competition, name, language, source };
        let version = store.submit(&submission, &site.site.options.submissions, now()).unwrap().unwrap();
        store.take_submission().unwrap().unwrap();
        store.settle_submission(version, Ok(()), None, now()).unwrap();
        store.version(version).unwrap().unwrap().program
    };
    enter("petri", "slow", &SLOW_SPECIES.replace("GATE", gate.to_str().unwrap()));
    let workers = play::start(&site.site.queue, None);
    let running = || site.site.writer().running().unwrap();
    until("the long game", async || running().iter().any(|bout| bout.game == Game::PETRI)).await;
    let long = running()[0].id;
    for name in ["ada", "bob"] {
        enter("domineering", name, &format!("{}# {name}\n", bots::DOMINEERING));
    }
    let form =
        [("sure", "yes"), ("title", "Friday"), ("kind", "round-robin"), ("games", "2"), ("rounds", "1"), ("seed", "7")];
    let begun = site.post("/host/competitions/2/finals", &host, &form).await;
    assert_eq!(begun.status, StatusCode::SEE_OTHER, "{}", begun.text);
    until("the final", async || !site.site.writer().has_running_final().unwrap()).await;
    assert!(site.site.writer().bout(long).unwrap().unwrap().winner.is_none(), "it is not broken off");
    // Another ladder has its share, too.
    let domineering = site.competition("domineering");
    until("a rated game", async || {
        let best = site.site.writer().best(domineering, 1).unwrap();
        best.iter().any(|row| row.program.games > 0)
    })
    .await;
    assert!(site.site.writer().bout(long).unwrap().unwrap().winner.is_none());
    // It continues to its end, and its record is valid.
    std::fs::write(gate, "").unwrap();
    until("the end of the long game", async || site.site.writer().bout(long).unwrap().unwrap().winner.is_some()).await;
    site.site.stop();
    tokio::task::spawn_blocking(move || workers.join()).await.unwrap();
}

/// The page's explanations of everything that is waiting.
#[tokio::test]
async fn the_queue_says_why_something_waits_and_until_when() {
    let site = TestSite::with(|options| options.workers = 1);
    let (_, host) = site.member("host", true);
    for name in ["ada", "bob"] {
        let (account, _) = site.member(name, false);
        site.program(account, name);
    }
    let [ada, bob] = [0, 1].map(|at| site.site.writer().best(site.competition("renju"), 2).unwrap()[at].program.id);
    let game = site.begun(BoutKind::Ladder, [ada, bob]);
    for title in ["Friday", "Saturday"] {
        let form = [
            ("sure", "yes"),
            ("title", title),
            ("kind", "round-robin"),
            ("games", "2"),
            ("rounds", "1"),
            ("seed", "7"),
        ];
        assert_eq!(site.post("/host/competitions/3/finals", &host, &form).await.status, StatusCode::SEE_OTHER);
    }
    let page = site.get("/queue", &Who::Guest).await.text;
    for part in ["The final", ">Friday</a> waits: all workers are playing", "; one is free by ", "comes first."] {
        assert!(page.contains(part), "`{part}` is not in: {page}");
    }
    let json: serde_json::Value = serde_json::from_str(&site.get("/api/v1/queue", &Who::Guest).await.text).unwrap();
    let waits = json["waits"].as_array().unwrap();
    assert_eq!((&waits[0]["what"], &waits[0]["why"]), (&"final".into(), &"busy".into()), "{waits:?}");
    assert_eq!((&waits[0]["games"], waits[0]["until"].is_i64()), (&serde_json::json!([game]), true), "{waits:?}");
    assert_eq!((&waits[1]["what"], &waits[1]["why"]), (&"final".into(), &"final".into()), "one after the other");
    let ladders: Vec<_> = waits.iter().filter(|one| one["what"] == "ladder").collect();
    assert!(!ladders.is_empty() && ladders.iter().all(|one| one["why"] == "final"), "{waits:?}");
    // With its game over, the final waits for nothing.
    site.site.writer().end_bout(game, &lost(Verdict::Ok, failed_record()), now()).unwrap();
    let json = site.get("/api/v1/queue", &Who::Guest).await.text;
    assert!(!json.contains("\"busy\""), "{json}");
}

#[tokio::test]
async fn a_final_goes_on_when_an_account_is_deleted() {
    let site = TestSite::with(|options| options.workers = 1);
    let (_, host) = site.member("host", true);
    let [ada, bob, _] = ["ada", "bob", "eve"].map(|name| {
        let (id, _) = site.member(name, false);
        site.program(id, name);
        id
    });
    let form =
        [("sure", "yes"), ("title", "Friday"), ("kind", "round-robin"), ("games", "2"), ("rounds", "1"), ("seed", "7")];
    let path = site.post("/host/competitions/3/finals", &host, &form).await.header("location").to_owned();
    let id = site.site.writer().running_finals().unwrap().remove(0).id;
    let frozen = site.post(&format!("/host/accounts/{bob}/freeze"), &host, &[("yes", "yes")]).await;
    let deleted = site.post(&format!("/host/accounts/{ada}/delete"), &host, &[("name", "ada")]).await;
    assert_eq!((frozen.status, deleted.status), (StatusCode::SEE_OTHER, StatusCode::SEE_OTHER));
    let workers = play::start(&site.site.queue, None);
    until("the final", async || !site.site.writer().has_running_final().unwrap()).await;
    site.site.stop();
    tokio::task::spawn_blocking(move || workers.join()).await.unwrap();
    let table = FinalTable::read(&site.site.writer(), id).unwrap();
    assert_eq!((table.one.state, table.played), (FinalState::Complete, 6), "no game is missing");
    assert!((table.standings.rows[0].points - 4.0).abs() < 1e-9);
    let page = site.get(&path, &Who::Guest).await.text;
    assert!(page.contains("deleted account") && !page.contains("(ada)"), "{page}");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_game_that_cannot_be_begun_keeps_no_other_from_being_played() {
    let site = TestSite::with(|options| options.workers = 1);
    let (ada, _) = site.member("ada", false);
    let competition = site.competition("domineering");
    {
        let mut store = site.site.writer();
        store.enter_builtins(competition, &[("unheard of".to_owned(), 1500.0, false)], now()).unwrap();
        let builtin = |name: &str| store.builtin(competition, name).unwrap().unwrap().id;
        let [unknown, greedy, random] = ["unheard of", "greedy", "random"].map(builtin);
        assert!(store.ask_for_bouts(ada, [unknown, random], 1, 9, now()).unwrap());
        assert!(store.ask_for_bouts(ada, [greedy, random], 1, 9, now()).unwrap());
    }
    let workers = play::start(&site.site.queue, None);
    let played = || site.site.writer().asked_of(ada, 9).unwrap().iter().map(|asked| asked.played).collect::<Vec<_>>();
    until("the second game", async || played() == [1, 0]).await;
    site.site.stop();
    tokio::task::spawn_blocking(move || workers.join()).await.unwrap();
}

/// The record of a game that a busy machine has kept from being judged.
fn undecided_record() -> Record {
    let mut record = Record::read(&failed_record()).unwrap();
    let time = TimeSpent { limit_us: 1_000_000, wall_us: 1_324_000, machine_us: 914_000, ..TimeSpent::default() };
    let reason = "no answer within 1000 ms: it waited for a processor for 914 of 1324 ms; the machine is too busy";
    for judged in &mut record.result.verdicts {
        (judged.verdict, judged.reason) = (Verdict::Interrupted, Some(reason.into()));
        (judged.kind, judged.cause) = (Some(FaultKind::NoAnswer(time)), Vec::new());
    }
    record.result.winner = Winner::Void;
    record.result.reason = format!("INTERRUPTED: {reason}").into();
    record
}

#[tokio::test]
async fn a_game_that_a_busy_machine_left_undecided_stands_and_is_not_counted() {
    let site = TestSite::new();
    let account = site.member("ada", false).0;
    let [ada, bob] = [account, site.member("bob", false).0].map(|owner| site.program(owner, "one").0);
    let competition = site.site.competition_at("renju").unwrap();
    let terms = play::BoutTerms::of_competition(&site.site.queue, &competition, 1);
    let kept = |kind, record| {
        let id = site.begun(kind, [ada, bob]);
        play::store(&site.site.queue, id, kind, &terms, record, None).map(|_| id).map_err(|error| error.to_string())
    };
    let plan = Plan::of_match(Game::RENJU, ["ada", "bob"].map(Entrant::unread), 2);
    let one = site.site.writer().begin_final(competition.id, "Friday", &plan, 1).unwrap();
    let rated = kept(BoutKind::Ladder, undecided_record()).unwrap();
    let of_final = kept(BoutKind::Final { id: one, slot: 0 }, undecided_record()).unwrap();
    for (id, kind) in [(rated, ""), (of_final, "a game of a final, not rated</a> · ")] {
        let page = site.get(&format!("/game/{id}"), &Who::Guest).await.text;
        for part in [kind, "undecided: played 4 times", "waited for a processor for 914 of 1324 ms"] {
            assert!(page.contains(part), "{part}: {page}");
        }
        let api = site.get(&format!("/api/v1/games/{id}"), &Who::Guest).await.text;
        for part in [r#""winner":"void""#, r#""verdict":"INTERRUPTED""#, "914 of 1324 ms"] {
            assert!(api.contains(part), "{part}: {api}");
        }
    }
    let store = site.site.writer();
    assert_eq!(store.program(ada).unwrap().unwrap().games, 0, "no rating counts it");
    assert_eq!(store.faults_of(account, 0).unwrap(), [], "it is no fault of a program");
    let players = [ada, bob].map(|program| LadderPlayer { program, version: Some(1) });
    assert_eq!(store.begun_between(players).unwrap().plain, 0, "the game that it stands for can be played yet");
    // The final continues with its next game.
    let bouts = store.final_bouts(one).unwrap();
    assert!(matches!(finals::next(&plan, &bouts), FinalStep::Play(slot) if slot.number == 1), "{bouts:?}");
    drop(store);
    // A judge that was stopped has played nothing.
    let mut stopped = undecided_record();
    for judged in &mut stopped.result.verdicts {
        judged.kind = None;
    }
    assert!(kept(BoutKind::Ladder, stopped).unwrap_err().contains("broken off"));
}

#[tokio::test]
async fn a_check_that_was_given_up_can_be_made_again() {
    let site = TestSite::with(|options| options.workers = 1);
    let (account, ada) = site.member("ada", false);
    let (_, eve) = site.member("eve", false);
    let token = site.token(account);
    let failed = site.failed_version(account, "failing");
    let fields = [("game", "bacteria"), ("name", "bot"), ("language", "PYTHON3"), ("source", bots::BACTERIA)];
    let taken = site.submit(&ada, &fields, None).await;
    let version: i64 = taken.header("location").strip_prefix("/version/").unwrap().parse().unwrap();
    let (page, button) = (format!("/version/{version}"), format!("/version/{version}/check"));
    let api = format!("/api/v1/versions/{version}");
    let give_up = || {
        let mut store = site.site.writer();
        assert_eq!(store.take_submission().unwrap().map(|taken| taken.id), Some(version));
        store.give_up_check(version, &["The check is given up.".into()].into_iter().collect(), None, 5).unwrap();
    };
    let state = || site.site.writer().version(version).unwrap().unwrap().state;
    give_up();
    let text = site.get(&page, &ada).await.text;
    assert!(text.contains("The check is given up.") && text.contains("Check it again"), "{text}");
    assert_eq!(site.post(&button, &eve, &[]).await.status, StatusCode::NOT_FOUND);
    assert_eq!((state(), site.post(&button, &ada, &[]).await.status), (CheckState::Failed, StatusCode::SEE_OTHER));
    assert_eq!((state(), site.post(&button, &ada, &[]).await.status), (CheckState::Queued, StatusCode::CONFLICT));
    give_up();
    assert!(site.get(&api, &token).await.text.contains("\"given_up\":true"));
    assert_eq!(site.ask("POST", &format!("{api}/check"), &token, "").await.status, StatusCode::ACCEPTED);
    assert_eq!(state(), CheckState::Queued);
    // One that has failed by its own fault stays so.
    assert_eq!(site.post(&format!("/version/{failed}/check"), &ada, &[]).await.status, StatusCode::CONFLICT);
    assert!(!site.get(&format!("/version/{failed}"), &ada).await.text.contains("Check it again"));
}

/// Reads the board and always passes: two passes end a game at once.
const PASSES: &str = r#"import sys
for line in sys.stdin:
    if line.startswith("READY"):
        print("OK", flush=True)
    elif line.startswith("TURN"):
        print("MOVE -1 -1", flush=True)
    elif line.startswith("FINISH"):
        break
"#;

/// A site whose programs are deterministic plays no rated game twice: neither if each game begins differently, nor if
/// all begin alike.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn no_rated_game_is_played_twice() {
    agon_jail::choose(agon_jail::Level::None);
    let site = TestSite::with(|options| options.workers = 2);
    let competition = site.site.competition_at("domineering").unwrap();
    let fixed = CompetitionSettings {
        game: "domineering".to_owned(),
        title: "One board".to_owned(),
        parameters: [("board".to_owned(), "1 2/2 1".to_owned())].into(),
        ..CompetitionSettings::default()
    };
    let fixed = site.site.put_competition(fixed.check(None)).await.unwrap();
    let mut programs = Vec::new();
    for owner in ["ada", "bob", "eve"] {
        let account = site.member(owner, false).0;
        let mut store = site.site.writer();
        for competition in [competition.id, fixed] {
            let language = agon_referee::agent::Language::Python3;
            let submission = Submission { account, competition, name: "bot", language, source: PASSES };
            let version = store.submit(&submission, &site.site.options.submissions, now()).unwrap().unwrap();
            store.take_submission().unwrap();
            store.settle_submission(version, Ok(()), None, now()).unwrap();
            programs.push(store.version(version).unwrap().unwrap().program);
        }
    }
    // The built-in players would think, and draw.
    for competition in [competition.id, fixed] {
        let mut store = site.site.writer();
        for row in store.ladder(competition, 0, 100).unwrap().iter().filter(|row| row.program.builtin.is_some()) {
            store.bar_program(row.program.id, true).unwrap();
        }
    }
    let workers = play::start(&site.site.queue, None);
    let games = |competition: i64| {
        let bouts = site.site.look(|store| store.recent(competition, i64::MAX, 1000)).unwrap();
        let mine = |bout: &SiteBout| bout.seats.iter().all(|seat| programs.contains(&seat.program));
        bouts.into_iter().filter(mine).collect::<Vec<_>>()
    };
    let repeats = || games(fixed).into_iter().filter(|bout| bout.repeats.is_some()).collect::<Vec<_>>();
    let seats = |bout: &SiteBout| bout.seats.each_ref().map(|seat| seat.program);
    // Three programs have six seatings.
    let seatings = || repeats().iter().map(seats).collect::<BTreeSet<_>>().len();
    until("the games that repeat others", async || seatings() == 6).await;
    until("games on different boards", async || games(competition.id).len() >= 8).await;
    site.site.stop();
    tokio::task::spawn_blocking(move || workers.join()).await.unwrap();
    // A seating that repeats itself plays no more; the other worker may have begun a third game before that.
    assert!(repeats().len() <= 12, "{}", repeats().len());
    assert_eq!(games(fixed).len() - repeats().len(), 6, "one of each seating counts");
    assert_eq!(site.site.look(|store| store.repeated_games(fixed)).unwrap() as usize, repeats().len());
    for competition in [competition.id, fixed] {
        let mut seen = BTreeSet::new();
        for bout in games(competition).iter().filter(|bout| bout.repeats.is_none()) {
            assert!(bout.seats[0].rating.is_some(), "{bout:?}");
            assert!(seen.insert((seats(bout), bout.game_digest)), "{bout:?}");
        }
        assert!(games(competition).iter().all(|bout| bout.repeats.is_none() == bout.seats[0].rating.is_some()));
    }
    assert!(games(competition.id).iter().all(|bout| bout.repeats.is_none()));
}
