//! Peers that speak NATS by themselves, and send what they like.

use std::path::Path;
use std::sync::{Arc, OnceLock, mpsc};
use std::thread;
use std::time::{Duration, Instant};
use std::{fs, mem};

use agon_arena::runner::queue::{Lease, Take as _, Taken};
use agon_arena::runner::{self, Finish, Here, PlayedSlot, Roster, RunEnd, RunEvent, RunStop, Worker};
use agon_arena::slot::Slot;
use agon_arena::store::{Packer, unpack};
use agon_arena::{Plan, Store, agents};
use agon_catalog::Setup;
use agon_fleet::{
    Fleet, FleetGame, FleetPlayer, FleetWatch, GameQueue, NatsOptions, RunJobs, RunTerms, SeriesQueue, Timing, Trust,
    WorkerEvent, WorkerOptions, work,
};
use agon_game::hash::hex;
use agon_referee::agent::{AgentSpec, Language};
use agon_referee::limits::GameLimits;
use agon_referee::record::{AgentNote, Record, Winner};
use agon_referee::signing::PrivateKey;
use agon_referee::verdict::Verdict;
use async_nats::{Client, HeaderMap, Message, RequestErrorKind};
use futures_util::{FutureExt as _, StreamExt as _};
use nkeys::KeyPair;
use serde_json::json;
use tokio::runtime::Runtime;
use tokio::time::timeout;

use crate::queue::Ends;
use crate::queue::contract::plan;
use crate::queue::runs::{alone, courses, worker};
use crate::queue::server::{Server, TEST_TIMEOUT, holder_timing, timing, until};

/// Headers of a message of this kind, signed by this key.
fn signed(key: &KeyPair, kind: &str, subject: &str, content: &[u8]) -> HeaderMap {
    let context = format!("agon fleet 3 {kind} {subject}\n");
    let signature = key.sign(&[context.as_bytes(), content].concat()).unwrap();
    let signature = hex(&signature);
    let mut headers = HeaderMap::new();
    headers.insert("Agon-Wire", "3");
    headers.insert("Agon-Key", key.public_key().as_str());
    headers.insert("Agon-Signature", signature.as_str());
    headers
}

/// A connection without anything of Agon.
pub struct Raw {
    pub runtime: Runtime,
    pub client: Client,
    key: KeyPair,
}

impl Raw {
    pub fn new(server: &Server) -> Self {
        let runtime = Runtime::new().unwrap();
        let client = runtime.block_on(async_nats::connect(server.url())).unwrap();
        Self { runtime, client, key: KeyPair::new_user() }
    }

    fn publish(&self, subject: &str, headers: HeaderMap, payload: &[u8]) {
        let sent = self.client.publish_with_headers(subject.to_owned(), headers, payload.to_vec().into());
        self.runtime.block_on(async {
            sent.await.unwrap();
            self.client.flush().await.unwrap();
        });
    }

    /// The next message of a subscription.
    fn next(&self, messages: &mut async_nats::Subscriber) -> Message {
        self.next_before(messages, || false).unwrap()
    }

    /// The same; `None` if `stop` says that none will come.
    fn next_before(&self, messages: &mut async_nats::Subscriber, stop: impl Fn() -> bool) -> Option<Message> {
        let start = Instant::now();
        while !stop() {
            assert!(start.elapsed() < TEST_TIMEOUT, "no message");
            let next = async { timeout(Duration::from_millis(100), messages.next()).await };
            if let Ok(message) = self.runtime.block_on(next) {
                return message;
            }
        }
        None
    }

    fn subscribe(&self, subject: &str) -> async_nats::Subscriber {
        let subscribed = self.runtime.block_on(self.client.subscribe(subject.to_owned())).unwrap();
        // The server has it when it answers.
        let inbox = self.client.new_inbox();
        let mut own = self.runtime.block_on(self.client.subscribe(inbox.clone())).unwrap();
        self.publish(&inbox, HeaderMap::new(), b"");
        self.next(&mut own);
        subscribed
    }

    /// Asks the coordinator of a run, and waits for its answer: by then it has read what others sent before. `None` if
    /// `stop` says that it has gone.
    fn ask(&self, verb: &str, run: &str, form: &serde_json::Value, stop: impl Fn() -> bool) -> Option<Message> {
        let user = self.key.public_key();
        let reply = format!("agon.to.{user}.own");
        let mut answers = self.subscribe(&reply);
        let (subject, form) = (format!("agon.by.{user}.{verb}.{run}"), form.to_string());
        let headers = self.signed("request", &subject, form.as_bytes());
        let sent = self.client.publish_with_reply_and_headers(subject, reply, headers, form.into_bytes().into());
        self.runtime.block_on(sent).unwrap();
        self.next_before(&mut answers, stop)
    }

    /// Waits for a heartbeat of a worker of this user, or of any for `*`, that the coordinator of a run has read, until
    /// `stop` returns true.
    pub fn hear(&self, user: &str, run: &str, stop: impl Fn() -> bool) {
        let mut signs = self.subscribe(&format!("agon.by.{user}.keep.{run}"));
        self.next_before(&mut signs, &stop);
        self.ask("fetch", run, &json!({ "worker": "raw", "name": "notice", "offset": 0 }), stop);
    }

    /// Headers of a message of this kind, signed by its own key.
    fn signed(&self, kind: &str, subject: &str, content: &[u8]) -> HeaderMap {
        signed(&self.key, kind, subject, content)
    }

    /// Sends a result that says this of itself, below this user.
    fn result(&self, user: &str, run: &str, form: &serde_json::Value, payload: &[u8]) {
        let (subject, form) = (format!("agon.by.{user}.result.{run}"), form.to_string());
        let mut headers = self.signed("result", &subject, &[form.as_bytes(), b"\n", payload].concat());
        headers.insert("Agon-Result", form.as_str());
        self.publish(&subject, headers, payload);
    }
}

/// The key of the coordinator.
fn key() -> &'static PrivateKey {
    static KEY: OnceLock<PrivateKey> = OnceLock::new();
    KEY.get_or_init(|| PrivateKey::generate().unwrap())
}

/// The status of a worker of this name, with this number of slots.
fn status(name: &str, slots: u64, leaving: bool) -> String {
    let status = json!({
        "worker": name, "host": "h", "agon": "9", "data": "", "slots": slots, "processors": 1, "games": [],
        "labels": [], "jail": null, "languages": [], "busy": 0, "hands": {}, "played": 0, "per_minute": 0.0,
        "refused": {}, "draining": leaving, "leaving": leaving, "now_ms": 0,
    });
    status.to_string()
}

/// Plays a plan with these workers while a hostile peer acts; the peer receives the name of the run.
fn play_beside(
    fleet: &Fleet,
    plan: &Plan,
    workers: &[(&Fleet, WorkerOptions)],
    hostile: impl FnOnce(&str, &Timing) + Send,
) -> (Finish, Store, Vec<String>) {
    let (events, heard) = mpsc::channel();
    let (run_stop, stop) = (RunStop::default(), RunStop::default());
    let mut store = Store::in_memory().unwrap();
    let timing = timing();
    let terms = RunTerms { timing: timing.clone(), key: Some(*key()), ..RunTerms::default() };
    let mut queue = SeriesQueue::open(fleet, plan, Path::new("hostile.db"), terms, &events).unwrap();
    let run = queue.run().to_owned();
    let finish = thread::scope(|scope| {
        let (stop, timed_out) = (&stop, run_stop.clone());
        let _ends = Ends(|| stop.finish());
        let (done, wait) = mpsc::channel::<()>();
        scope.spawn(move || {
            if wait.recv_timeout(2 * TEST_TIMEOUT) == Err(mpsc::RecvTimeoutError::Timeout) {
                timed_out.finish();
            }
        });
        scope.spawn(move || {
            hostile(&run, &timing);
            thread::scope(|scope| {
                for (fleet, worker) in workers {
                    scope.spawn(move || work(fleet, worker, stop, &mpsc::channel().0).unwrap());
                }
            });
        });
        let finish = runner::submit(plan, &mut store, &mut queue, &run_stop, &events).unwrap();
        drop((queue, done));
        stop.finish();
        finish
    });
    drop(events);
    let remarks = heard.iter().filter_map(|event| match event {
        RunEvent::Remark(text) if !text.starts_with("no worker is there") => Some(text),
        _ => None,
    });
    (finish, store, remarks.collect())
}

/// Checks that the games are those of one machine, all without faults.
#[track_caller]
fn is_undisturbed(plan: &Plan, (finish, store, remarks): &(Finish, Store, Vec<String>)) {
    assert_eq!((finish.ending, finish.played), (RunEnd::Complete, u64::from(plan.games)), "{remarks:?}");
    let bouts = store.bouts(finish.run, 0..u32::MAX).unwrap();
    assert!(bouts.iter().all(|bout| bout.verdicts == [Verdict::Ok; 2]), "{remarks:?}");
    let (single, other) = alone(plan);
    assert_eq!(courses(store, finish.run), courses(&other, single.run), "{remarks:?}");
}

fn honest(plan: &Plan, slot: &Slot) -> PlayedSlot {
    Worker::new(plan, &Roster::prepare(plan).unwrap(), None, None).play(slot).unwrap().unwrap()
}

/// A game in which the first agent ends before its first move, under the names of the plan.
fn crashed(plan: &Plan, slot: &Slot) -> PlayedSlot {
    agon_jail::choose(agon_jail::Level::None);
    let header = Record::read(&unpack(&honest(plan, slot).record).unwrap()).unwrap().header;
    let crash = Here { spec: agents::parse(plan.game, "false").unwrap(), known_as: "false".to_owned() };
    let other = Here { spec: AgentSpec::builtin(&plan.agents[1].agent), known_as: plan.agents[1].agent.clone() };
    let roster = Roster::from_elsewhere(plan, &[crash, other]).unwrap();
    let mut game = Worker::new(plan, &roster, None, None).play(slot).unwrap().unwrap();
    let mut record = Record::read(&unpack(&game.record).unwrap()).unwrap();
    record.header.agents = header.agents;
    assert!(record.result.verdicts.iter().any(|judged| judged.verdict == Verdict::Re), "{record:?}");
    game.record = Packer::default().pack(&record.write());
    game
}

#[test]
fn results_of_who_was_not_given_the_job_do_not_count() {
    let server = Server::start();
    let [fleet, honest] = [0; 2].map(|_| server.connect());
    let raw = Raw::new(&server);
    let plan = plan(8);
    let crash = crashed(&plan, &first_slot(&plan)).record;
    let key = raw.key.public_key();
    let played = play_beside(&fleet, &plan, &[(&honest, worker("one", 1))], |run, _| {
        for slot in 0..8 {
            let name = format!("name{slot}");
            let form = |job: &str, ticket: &str| json!({ "worker": name, "slot": slot, "job": job, "ticket": ticket });
            // Accepted by earlier versions: whoever claimed it had played it.
            let mut old = HeaderMap::new();
            old.insert("Agon-Slot", slot.to_string().as_str());
            old.insert("Agon-Worker", format!("name{slot}").as_str());
            raw.publish(&format!("agon.results.{run}"), old.clone(), &crash);
            raw.publish(&format!("agon.by.{key}.result.{run}"), old, &crash);
            raw.publish(&format!("agon.by.{key}.result.{run}"), HeaderMap::new(), b"");
            // Signed, and without the ticket of a job.
            for (job, ticket) in [("", ""), ("0.0", "00000000000000000000000000000000"), ("a.b", "*")] {
                raw.result(&key, run, &form(job, ticket), &crash);
                raw.result("one", run, &form(job, ticket), &crash);
            }
            let mut failed = form("0.0", "0");
            failed["failed"] = true.into();
            raw.result(&key, run, &failed, b"it can never be played");
            let mut part = form("0.0", "0");
            part["part"] = json!({ "number": 0, "bytes": 1_u64 << 40, "sha256": "" });
            raw.result(&key, run, &part, b"a part of it");
        }
    });
    is_undisturbed(&plan, &played);
    // Each user is reported once in a while, however much it sends.
    assert!(played.2.len() <= 3 && played.2.iter().all(|text| text.contains("is refused")), "{:?}", played.2);
}

fn first_slot(plan: &Plan) -> Slot {
    let tally = agon_arena::Tally::new(plan);
    agon_arena::schedule::slots(plan, &agon_arena::schedule::round(plan, 0, &tally))[0]
}

/// Takes jobs of a run as a worker with this name, and sends `make`'s results, for a while.
fn lie(fleet: &Fleet, run: &str, name: &str, plan: &Plan, games: usize, make: impl Fn(&Slot) -> PlayedSlot) -> usize {
    let mut jobs = RunJobs::new(fleet, run, name, plan.agents.len(), &holder_timing());
    let (start, mut sent) = (Instant::now(), 0);
    while sent < games && start.elapsed() < TEST_TIMEOUT {
        let Taken::Job(mut lease) = jobs.take(Duration::from_millis(100)) else { continue };
        for slot in lease.job().slots.clone() {
            lease.played(make(&slot));
            sent += 1;
        }
        lease.done();
    }
    sent
}

#[test]
fn a_built_in_player_that_is_said_to_have_crashed_has_not() {
    let server = Server::start();
    let [fleet, liar, honest] = [0; 3].map(|_| server.connect());
    let plan = plan(8);
    let played = play_beside(&fleet, &plan, &[(&honest, worker("one", 1))], |run, _| {
        // Under ever new names.
        for number in 0..4 {
            assert!(lie(&liar, run, &format!("name{number}"), &plan, 1, |slot| crashed(&plan, slot)) > 0);
        }
    });
    is_undisturbed(&plan, &played);
}

#[test]
fn what_one_worker_cannot_play_ends_no_series() {
    let server = Server::start();
    let [fleet, liar, honest] = [0; 3].map(|_| server.connect());
    let plan = plan(8);
    let (stop, events) = (RunStop::default(), mpsc::channel().0);
    thread::scope(|scope| {
        let _ends = Ends(|| stop.finish());
        let one = scope.spawn(|| work(&honest, &worker("one", 1), &stop, &events).unwrap());
        let (ended, watch) = (RunStop::default(), FleetWatch::new(&fleet, timing().max_silence));
        until("the honest one is there", || !watch.overview().workers.is_empty());
        let liar = &liar;
        let ended = &ended;
        let played = thread::scope(|scope| {
            let _ends = Ends(|| ended.finish());
            play_beside(&fleet, &plan, &[], |run, _| {
                let run = run.to_owned();
                scope.spawn(move || {
                    let mut jobs = RunJobs::new(liar, &run, "liar", 2, &holder_timing());
                    while !ended.is_raised() {
                        if let Taken::Job(lease) = jobs.take(Duration::from_millis(100)) {
                            let slot = lease.job().slots[0].number;
                            lease.refuse(slot, agon_arena::runner::RunError::Broken { slot });
                        }
                    }
                });
            })
        });
        is_undisturbed(&plan, &played);
        stop.finish();
        one.join().unwrap();
    });
}

/// A job that is handed out; a coordinator that was opened a moment ago may not be heard yet.
fn next_job(jobs: &mut RunJobs) -> Box<dyn Lease> {
    let start = Instant::now();
    loop {
        match jobs.take(Duration::from_millis(100)) {
            Taken::Job(lease) => return lease,
            _ => assert!(start.elapsed() < TEST_TIMEOUT, "no job"),
        }
    }
}

#[test]
fn jobs_that_are_ended_without_results_are_handed_out_again() {
    let server = Server::start();
    let [fleet, thief, honest] = [0; 3].map(|_| server.connect());
    let plan = plan(8);
    let played = play_beside(&fleet, &plan, &[(&honest, worker("one", 1))], |run, _| {
        let mut jobs = RunJobs::new(&thief, run, "thief", 2, &holder_timing());
        for _ in 0..3 {
            next_job(&mut jobs).done();
        }
    });
    is_undisturbed(&plan, &played);
}

/// One takes jobs and says nothing, another claims to be playing what it has taken, and neither sends a result.
#[test]
fn jobs_that_are_taken_and_kept_are_handed_out_again() {
    let server = Server::start();
    let [fleet, hoarder, honest] = [0; 3].map(|_| server.connect());
    let folder = tempfile::tempdir().unwrap();
    let pretender = Pretender::new(&server, folder.path(), ("pretender", false));
    let raw = Raw::new(&server);
    // Its longest game takes less time than the test.
    let plan =
        Plan { limits: GameLimits { clock_ms: 500, ready_ms: 500, exit_ms: 100, ..GameLimits::default() }, ..plan(8) };
    let stop = RunStop::default();
    let played = thread::scope(|scope| {
        let _ends = Ends(|| stop.finish());
        let played = play_beside(&fleet, &plan, &[(&honest, worker("one", 1))], |run, timing| {
            let mut jobs = RunJobs::new(&hoarder, run, "hoarder", 2, timing);
            let mut own = RunJobs::new(&pretender.fleet, run, pretender.name, 2, timing);
            pretender.attend(&raw);
            let [silent, mut begun] = [&mut jobs, &mut own].map(next_job);
            let slots: Vec<Slot> = begun.job().slots.clone();
            begun.began(&slots[0]);
            // They report that they go on, and never end.
            mem::forget((silent, begun));
            let slots: Vec<u32> = slots.iter().map(|slot| slot.number).collect();
            let (pretender, raw, stop, run) = (&pretender, &raw, &stop, run.to_owned());
            let (timing, keepers) = (timing.clone(), [hoarder.public_key(), pretender.fleet.public_key()]);
            scope.spawn(move || {
                let until = Instant::now() + TEST_TIMEOUT;
                while !stop.is_raised() && Instant::now() < until {
                    pretender.hold(raw, &run, &slots);
                    timing.clock.advance(timing.lease / 3);
                    for keeper in &keepers {
                        raw.hear(keeper, &run, || stop.is_raised());
                    }
                }
            });
        });
        stop.finish();
        played
    });
    let (finish, store, remarks) = played;
    let said = |remark: &String| remark.contains("was taken by pretender") && remark.contains("others are asked, too");
    assert!(remarks.iter().any(said), "{remarks:?}");
    is_undisturbed(&plan, &(finish, store, Vec::new()));
}

/// Messages of a worker for runs that no one coordinates fill nothing: the server keeps nothing.
#[test]
fn results_of_unknown_runs_are_kept_by_their_workers_alone() {
    let server = Server::start();
    let _fleet = server.connect();
    let raw = Raw::new(&server);
    for subject in ["agon.by.one.result.unknown", "$JS.API.INFO", "$JS.API.STREAM.NAMES"] {
        let answer = raw.runtime.block_on(raw.client.request(subject, "".into()));
        assert_eq!(answer.unwrap_err().kind(), RequestErrorKind::NoResponders, "{subject}");
    }
}

/// A job whose lease another worker holds: reading the ticket does not give a valid key.
#[test]
fn a_made_up_key_decides_no_game() {
    let server = Server::start();
    let [fleet, holder, honest] = [0; 3].map(|_| server.connect());
    let raw = Raw::new(&server);
    let plan = plan(8);
    let played = play_beside(&fleet, &plan, &[(&honest, worker("one", 1))], |run, timing| {
        let mut answers = raw.subscribe("agon.to.>");
        let mut jobs = RunJobs::new(&holder, run, "holder", 2, timing);
        let lease = next_job(&mut jobs);
        let job: serde_json::Value = serde_json::from_slice(&raw.next(&mut answers).payload).unwrap();
        for slot in job["slots"].as_array().unwrap() {
            let number = slot["number"].as_u64().unwrap() as u32;
            let crash = crashed(&plan, lease.job().slots.iter().find(|slot| slot.number == number).unwrap()).record;
            for (user, name) in [
                (holder.public_key(), "holder"),
                (holder.public_key(), "other"),
                (raw.key.public_key(), "holder"),
                (raw.key.public_key(), "raw"),
            ] {
                let mut form = json!({ "worker": name, "slot": number, "job": job["job"], "ticket": slot["ticket"] });
                raw.result(&user, run, &form, &crash);
                // A message of failure, or of an end, is no better.
                form["failed"] = true.into();
                raw.result(&user, run, &form, b"it can never be played");
                for (verb, form) in [
                    ("end", json!({ "worker": name, "job": job["job"], "delay_ms": 0 })),
                    ("began", json!({ "worker": name, "slot": number, "job": job["job"] })),
                ] {
                    let (subject, form) = (format!("agon.by.{user}.{verb}.{run}"), form.to_string());
                    raw.publish(&subject, raw.signed("request", &subject, form.as_bytes()), form.as_bytes());
                }
            }
        }
        // It still belongs to the holder.
        let mut others = RunJobs::new(&fleet, run, "other", 2, timing);
        let mut taken = vec![lease];
        while let Taken::Job(other) = others.take(Duration::ZERO) {
            assert!(other.job().slots.iter().all(|slot| !taken[0].job().slots.contains(slot)), "{:?}", other.job());
            taken.push(other);
        }
        assert_eq!(taken.len(), 4);
        for lease in taken {
            lease.put_back(Duration::ZERO, None);
        }
    });
    is_undisturbed(&plan, &played);
    assert!(played.2.iter().any(|text| text.contains("which was not given to worker")), "{:?}", played.2);
}

/// Servers do not check the subject to which a message asks to be answered.
#[test]
fn coordinators_answer_users_on_their_own_subjects() {
    let server = Server::start();
    let [fleet, honest] = [0; 2].map(|_| server.connect());
    let raw = Raw::new(&server);
    let plan = plan(8);
    let user = raw.key.public_key();
    let targets = [
        "agon.run.target".to_owned(),
        "agon.drain.one".to_owned(),
        format!("agon.by.{}.status.one", honest.public_key()),
        format!("agon.by.{}.result.target", honest.public_key()),
        format!("agon.to.{}.target", honest.public_key()),
        format!("agon.to.{user}"),
        format!("agon.to.{user}.a..b"),
        "$JS.API.STREAM.PURGE.AGON_JOBS".to_owned(),
        "target".to_owned(),
    ];
    let played = play_beside(&fleet, &plan, &[(&honest, worker("one", 1))], |run, _| {
        let mut all = raw.subscribe(">");
        let send = |verb: &str, form: serde_json::Value, reply: &str| {
            let (subject, form) = (format!("agon.by.{user}.{verb}.{run}"), form.to_string());
            let headers = raw.signed("request", &subject, form.as_bytes());
            let (reply, form) = (reply.to_owned(), form.into_bytes().into());
            raw.runtime.block_on(raw.client.publish_with_reply_and_headers(subject, reply, headers, form)).unwrap();
        };
        let fetch = || json!({ "worker": "raw", "name": "notice", "offset": 0 });
        for target in targets.iter().filter(|target| !target.contains("..")) {
            send("take", json!({ "worker": "raw", "wait_ms": 0 }), target);
            send("fetch", fetch(), target);
            send("end", json!({ "worker": "raw", "job": "a.0", "delay_ms": 0 }), target);
            send("result", json!({}), target);
        }
        // Later messages are answered, so these have been read.
        assert!(!raw.ask("fetch", run, &fetch(), || false).unwrap().payload.is_empty());
        while let Some(Some(message)) = all.next().now_or_never() {
            assert!(!targets.contains(&message.subject.to_string()), "{message:?}");
        }
    });
    is_undisturbed(&plan, &played);
}

/// A worker that answers as it likes, and says that it is there.
struct Pretender {
    fleet: Fleet,
    key: KeyPair,
    name: &'static str,
    /// Whether the program of its games crashes.
    fails: bool,
}

impl Pretender {
    fn new(server: &Server, folder: &Path, (name, fails): (&'static str, bool)) -> Self {
        let (file, url) = (folder.join(name), server.url());
        let fleet =
            Fleet::join(&NatsOptions { url, key: None, authority: None, ping: timing().ping }, "test", Some(&file))
                .unwrap();
        let key = KeyPair::from_seed(fs::read_to_string(&file).unwrap().trim()).unwrap();
        Self { fleet, key, name, fails }
    }

    /// Says that it plays these slots of a run.
    fn hold(&self, raw: &Raw, run: &str, slots: &[u32]) {
        let user = self.fleet.public_key();
        let mut text: serde_json::Value = serde_json::from_str(&status(self.name, 1, false)).unwrap();
        text["hands"] = json!({ run: slots });
        let (subject, text) = (format!("agon.by.{user}.status.{}", self.name), text.to_string());
        raw.publish(&subject, signed(&self.key, "worker", &subject, text.as_bytes()), text.as_bytes());
    }

    fn attend(&self, raw: &Raw) {
        let user = self.fleet.public_key();
        let (subject, text) = (format!("agon.by.{user}.status.{}", self.name), status(self.name, 1, false));
        raw.publish(&subject, signed(&self.key, "worker", &subject, text.as_bytes()), text.as_bytes());
    }

    /// Plays jobs of the only run until it is stopped. How many.
    fn answer(&self, plan: &Plan, stop: &RunStop) -> usize {
        let mut jobs = RunJobs::new(&self.fleet, &crate::queue::site::run(&self.fleet), self.name, 2, &holder_timing());
        let mut sent = 0;
        while !stop.is_raised() {
            let Taken::Job(mut lease) = jobs.take(Duration::from_millis(100)) else { continue };
            let slot = lease.job().slots[0];
            let game = if self.fails { crashed(plan, &slot) } else { honest(plan, &slot) };
            lease.played(of_program(game));
            lease.done();
            sent += 1;
        }
        sent
    }
}

/// The same game, as if the first agent were a program.
fn of_program(mut game: PlayedSlot) -> PlayedSlot {
    let mut record = Record::read(&unpack(&game.record).unwrap()).unwrap();
    record.header.agents[0] =
        AgentNote { agent: "bot v1".to_owned(), kind: "PYPY3".to_owned(), jail: None, name: None };
    game.record = Packer::default().pack(&record.write());
    game
}

/// Has a game of a program played by these workers, each with whether it reports a crash. Returns the verdict on it,
/// and how often it was played.
fn judged(who: &[(&'static str, bool)]) -> (Verdict, usize) {
    let (server, folder) = (Server::start(), tempfile::tempdir().unwrap());
    let (fleet, raw, plan, stop) = (server.connect(), Raw::new(&server), plan(2), RunStop::default());
    let who: Vec<Pretender> = who.iter().map(|&one| Pretender::new(&server, folder.path(), one)).collect();
    let program = FleetPlayer::Program {
        label: "bot v1".to_owned(),
        language: Language::Pypy3,
        source: "print('READY')".to_owned(),
    };
    let game = FleetGame {
        id: 1,
        game: plan.game,
        setup: Setup { seed: 1, parameters: plan.parameters.clone() },
        limits: plan.limits,
        players: [program, FleetPlayer::Builtin(plan.agents[1].agent.clone())],
        check: false,
    };
    let terms = RunTerms { timing: timing(), audit: 0.0, ..RunTerms::default() };
    let queue = GameQueue::open(&fleet, Path::new("faults.db"), terms, &[], &[]).unwrap();
    thread::scope(|scope| {
        let (who, raw, plan, stop, queue) = (&who, &raw, &plan, &stop, &queue);
        let _ends = Ends(|| stop.finish());
        let playing: Vec<_> = who.iter().map(|one| scope.spawn(move || one.answer(plan, stop))).collect();
        scope.spawn(move || {
            while !stop.is_raised() {
                for one in who {
                    one.attend(raw);
                }
                thread::sleep(Duration::from_millis(20));
            }
        });
        until("all are there", || queue.slots() >= who.len());
        let start = Instant::now();
        let played = queue.play(&game, &mut |_| {}, &|| start.elapsed() > TEST_TIMEOUT);
        stop.finish();
        let (record, _) = played.map_err(|error| error.to_string()).unwrap();
        let sent = playing.into_iter().map(|one| one.join().unwrap()).sum();
        (record.result.verdicts[0].verdict, sent)
    })
}

#[test]
fn a_failure_counts_when_another_machine_has_seen_it() {
    // The only machine sees it twice.
    let (verdict, sent) = judged(&[("one", true)]);
    assert_eq!((verdict, sent), (Verdict::Re, 2));
    let (verdict, sent) = judged(&[("one", true), ("two", true)]);
    assert!(verdict == Verdict::Re && sent >= 2, "{sent}");
    // If two differ, the program is believed.
    let (verdict, _) = judged(&[("one", true), ("two", false)]);
    assert_eq!(verdict, Verdict::Ok);
}

#[test]
fn a_worker_of_an_earlier_version_is_reported() {
    let server = Server::start();
    let [fleet, honest] = [0; 2].map(|_| server.connect());
    let (raw, plan) = (Raw::new(&server), plan(8));
    let old = status("old", 1, false);
    let played = play_beside(&fleet, &plan, &[(&honest, worker("one", 1))], |_, _| {
        raw.publish("agon.worker.old", HeaderMap::new(), old.as_bytes());
    });
    is_undisturbed(&plan, &played);
    let [remark] = &played.2[..] else { panic!("{:?}", played.2) };
    assert!(remark.contains("worker old is agon 9, which signs nothing; update it"), "{remark}");
}

#[test]
fn no_stranger_stops_a_worker_or_sends_it_games() {
    let server = Server::start();
    let [fleet, honest] = [0; 2].map(|_| server.connect());
    let raw = Raw::new(&server);
    let plan = plan(20);
    let (watching, stop) = (server.connect(), RunStop::default());
    thread::scope(|scope| {
        let _ends = Ends(|| stop.finish());
        let (sender, heard) = mpsc::channel();
        let one = scope.spawn({
            let stop = &stop;
            let honest = &honest;
            move || work(honest, &worker("one", 1), stop, &sender).unwrap()
        });
        // It trusts the first coordinator.
        let played = play_beside(&fleet, &plan, &[], |_, _| {});
        is_undisturbed(&plan, &played);
        let watch = FleetWatch::new(&watching, timing().max_silence);
        let present = || watch.overview().workers.into_iter().find(|worker| worker.worker == "one");
        until("it is there", || present().is_some());
        let session = present().unwrap().session;
        let status = json!({
            "run": "forged", "revision": "1", "host": "h", "title": "match", "game": "domineering", "agents": [],
            "played": 0, "games": 9, "out": 9, "per_minute": 0.0, "faults": [], "ended": false, "now_ms": 0,
        });
        let order = json!({ "worker": "one", "session": session }).to_string();
        // Unsigned, as in earlier versions; and signed with a key of no coordinator.
        raw.publish("agon.drain.one", HeaderMap::new(), b"");
        raw.publish("agon.drain.one", HeaderMap::new(), order.as_bytes());
        raw.publish("agon.drain.one", raw.signed("drain", "agon.drain.one", order.as_bytes()), order.as_bytes());
        let text = status.to_string();
        raw.publish("agon.run.forged", HeaderMap::new(), text.as_bytes());
        raw.publish("agon.run.forged", raw.signed("run", "agon.run.forged", text.as_bytes()), text.as_bytes());
        until("it refuses", || present().is_some_and(|one| one.refused.contains_key("forged")));
        let one_there = present().unwrap();
        assert!(!one_there.draining, "{one_there:?}");
        let why = &one_there.refused["forged"];
        assert!(why.contains("its coordinator is unknown: "), "{why}");
        assert_eq!(one_there.played, 20);
        // Another coordinator, whose key is valid, is not the first one.
        let (events, _heard) = mpsc::channel();
        let terms = RunTerms { timing: timing(), ..RunTerms::default() };
        let other = SeriesQueue::open(&watching, &plan, Path::new("other.db"), terms, &events).unwrap();
        let refusal = || present().and_then(|one| one.refused.get(other.run()).cloned());
        until("it refuses the other one", || refusal().is_some());
        assert!(refusal().unwrap().contains("which this worker does not trust (--trust)"), "{:?}", refusal());
        drop(other);
        stop.finish();
        one.join().unwrap();
        drop(heard);
    });
}

#[test]
fn recorded_jobs_are_not_played_again() {
    let server = Server::start();
    let [fleet, honest] = [0; 2].map(|_| server.connect());
    let raw = Raw::new(&server);
    let plan = plan(8);
    let mut passing = raw.subscribe("agon.to.>");
    let stop = RunStop::default();
    thread::scope(|scope| {
        let (stop, honest) = (&stop, &honest);
        let _ends = Ends(|| stop.finish());
        let (sender, events) = mpsc::channel();
        let one = scope.spawn(move || {
            let trust = Arc::new(Trust::Keys(vec![key().public()]));
            work(honest, &WorkerOptions { trust, ..worker("one", 1) }, stop, &sender).unwrap();
        });
        is_undisturbed(&plan, &play_beside(&fleet, &plan, &[], |_, _| {}));
        let mut recorded = Vec::new();
        while let Some(Some(message)) = passing.next().now_or_never() {
            recorded.extend(String::from_utf8_lossy(&message.payload).contains("\"revision\"").then_some(message));
        }
        assert!(!recorded.is_empty());
        // The same run again: its jobs are signed with the same key.
        let terms = RunTerms { timing: timing(), key: Some(*key()), ..RunTerms::default() };
        let again = SeriesQueue::open(&fleet, &plan, Path::new("hostile.db"), terms, &mpsc::channel().0).unwrap();
        {
            let mut begun = raw.subscribe("agon.by.*.began.*");
            let mut takes = raw.subscribe(&format!("agon.by.*.take.{}", again.run()));
            let job = &recorded[0];
            let headers = job.headers.clone().unwrap();
            // For two games more, and without a signature.
            let more = String::from_utf8_lossy(&job.payload).replace("\"number\":0", "\"number\":9");
            for (headers, payload) in [
                (headers.clone(), &job.payload[..]),
                (headers.clone(), more.as_bytes()),
                (HeaderMap::new(), &job.payload[..]),
            ] {
                raw.publish(&job.subject, headers.clone(), payload);
                // As the answer to the worker's question.
                let reply = raw.next(&mut takes).reply.unwrap();
                raw.publish(&reply, headers, payload);
            }
            // It asks again: it has seen all of them.
            raw.next(&mut takes);
            assert!(begun.next().now_or_never().is_none(), "it plays a recorded job");
        }
        drop(again);
        let played = play_beside(&fleet, &plan, &[], |_, _| {});
        is_undisturbed(&plan, &played);
        stop.finish();
        one.join().unwrap();
        let counts = events.try_iter().filter_map(|event| match event {
            WorkerEvent::Played(count) => Some(count),
            _ => None,
        });
        assert_eq!(counts.last(), Some(16), "each game of both runs, and no other one");
    });
}

#[test]
fn a_stranger_cannot_take_the_place_of_a_worker() {
    let server = Server::start();
    let [fleet, honest] = [0; 2].map(|_| server.connect());
    let raw = Raw::new(&server);
    let plan = plan(8);
    let played = play_beside(&fleet, &plan, &[(&honest, worker("one", 1))], |_, _| {
        let user = honest.public_key();
        for number in 0..300 {
            let (name, own) = (format!("n{number}"), raw.key.public_key());
            for (user, name) in [(&*user, "one"), (&*own, "one"), (&*own, &*name), (&*own, "a b")] {
                let (subject, text) =
                    (format!("agon.by.{user}.status.{}", name.replace(' ', "_")), status(name, u64::MAX, true));
                raw.publish(&subject, raw.signed("worker", &subject, text.as_bytes()), text.as_bytes());
            }
            raw.publish("agon.worker.one", HeaderMap::new(), status("one", 1, true).as_bytes());
        }
    });
    is_undisturbed(&plan, &played);
    assert!(played.2.len() <= 4, "{:?}", played.2);
    let bouts = played.1.bouts(played.0.run, 0..8).unwrap();
    assert!(bouts.iter().all(|bout| bout.winner != Winner::Void));
}
