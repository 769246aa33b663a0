//! Cost of a fleet, measured with a real nats-server on loopback.
//!
//! `cargo bench -p agon-fleet` plays instant built-in games in one process without NATS, then with 1, 2, 4 and 8 worker
//! processes of one slot each, and prints games per second and the processor time per game of the workers, the
//! coordinator and the server. Then 200 simulated workers, which play nothing, empty a queue of 100 000 games. `--
//! games` or `-- queue` measures only one of them.

use std::fs;
use std::net::{TcpListener, TcpStream};
use std::path::Path;
use std::process::{Child, Command, ExitCode, Stdio};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, mpsc};
use std::thread;
use std::time::{Duration, Instant};

use agon_arena::plan::Entrant;
use agon_arena::runner::queue::{GameJob, Submit as _, Take as _, Taken};
use agon_arena::runner::{self, Affinity, Roster, RunEnd, RunOptions, RunStop};
use agon_arena::{Plan, Store, Tally, schedule};
use agon_catalog::Game;
use agon_fleet::{
    DEFAULT_MAX_DISTURBED, Fleet, NatsOptions, RunJobs, RunTerms, SeriesQueue, Timing, Trust, WorkerOptions, work,
};

const GAMES: u32 = 20_000;
const SIMULATED: usize = 200;
const QUEUED: u32 = 100_000;

/// Ticks of a process's times in a second, as Linux counts them.
const TICKS: f64 = 100.0;

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).filter(|word| !word.starts_with("--")).collect();
    match arguments.iter().map(String::as_str).collect::<Vec<_>>()[..] {
        ["worker", url, name] => serve(url, name),
        ["games"] => games(),
        ["queue"] => queue(),
        _ => {
            games();
            queue();
        }
    }
    ExitCode::SUCCESS
}

fn plan(games: u32) -> Plan {
    let agent = |name: &str| Entrant::read("random", Game::BACTERIA).expect("a built-in player").named(name);
    let mut plan = Plan::of_match(Game::BACTERIA, [agent("one"), agent("two")], games);
    plan.openings = 0;
    plan
}

fn connect(url: &str) -> Fleet {
    let options = NatsOptions { url: url.to_owned(), key: None, authority: None, ping: Timing::default().ping };
    Fleet::connect(&options, "bench").expect("the server is there")
}

/// Plays until it is killed.
fn serve(url: &str, name: &str) {
    let options = RunOptions { affinity: Affinity::None, force: true, ..RunOptions::default() };
    let (games, labels, name) = (Vec::new(), Vec::new(), name.to_owned());
    let (trust, jail) = (Arc::new(Trust::first()), Err("not here".to_owned()));
    let worker = WorkerOptions {
        name,
        options,
        games,
        labels,
        jail,
        trust,
        max_memory_mib: 1024,
        measures: true,
        max_disturbed: DEFAULT_MAX_DISTURBED,
        timing: Timing::default(),
    };
    let (events, _) = mpsc::channel();
    work(&connect(url), &worker, &RunStop::default(), &events).expect("there is a processor");
}

/// A server that ends with the benchmark.
struct Server {
    child: Child,
    url: String,
    _folder: tempfile::TempDir,
}

impl Server {
    fn start() -> Self {
        let folder = tempfile::tempdir().expect("a temporary folder");
        let port = TcpListener::bind("127.0.0.1:0").and_then(|free| free.local_addr()).expect("a free port").port();
        let mut command = Command::new("nats-server");
        command.args(["-a", "127.0.0.1", "-p", &port.to_string()]);
        let child = command.stdout(Stdio::null()).stderr(Stdio::null()).spawn().expect("nats-server is installed");
        while TcpStream::connect(("127.0.0.1", port)).is_err() {
            thread::sleep(Duration::from_millis(10));
        }
        Self { child, url: format!("nats://127.0.0.1:{port}"), _folder: folder }
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// Processor time of a process so far, in seconds.
fn processor_time(process: u32) -> f64 {
    let stat = fs::read_to_string(format!("/proc/{process}/stat")).unwrap_or_default();
    let fields: Vec<&str> = stat.rsplit(')').next().unwrap_or_default().split_whitespace().collect();
    let ticks = |at: usize| fields.get(at).and_then(|field| field.parse::<f64>().ok()).unwrap_or(0.0);
    (ticks(11) + ticks(12)) / TICKS
}

fn games() {
    let plan = plan(GAMES);
    let folder = tempfile::tempdir().expect("a temporary folder");
    let (events, _) = mpsc::channel();
    let me = std::process::id();
    let mut store = Store::open(&folder.path().join("alone.db")).expect("a new store");
    let roster = Roster::prepare(&plan).expect("built-in players");
    let (start, before) = (Instant::now(), processor_time(me));
    let finish = runner::run(&plan, &roster, &mut store, &RunOptions::default(), &RunStop::default(), &events);
    assert_eq!(finish.expect("the run ends").ending, RunEnd::Complete);
    let alone = f64::from(GAMES) / start.elapsed().as_secs_f64();
    let cost = (processor_time(me) - before) * 1000.0 / f64::from(GAMES);
    println!(
        "{GAMES} games of Bacteria War between `random` and itself, on {} processors",
        runner::cores::allowed().len()
    );
    println!("one process without NATS   {alone:>7.0} games/s             {cost:.3} ms of processor a game");
    for workers in [1, 2, 4, 8] {
        let server = Server::start();
        let fleet = connect(&server.url);
        let mut processes: Vec<Child> = (0..workers).map(|number| worker(&server.url, number)).collect();
        // All are there before the clock runs.
        thread::sleep(Duration::from_secs(1));
        let path = folder.path().join(format!("{workers}.db"));
        let mut store = Store::open(&path).expect("a new store");
        let ids: Vec<u32> = processes.iter().map(Child::id).collect();
        let times = || {
            let played: f64 = ids.iter().map(|&id| processor_time(id)).sum();
            [played, processor_time(me), processor_time(server.child.id())]
        };
        let (start, before) = (Instant::now(), times());
        let run_stop = RunStop::default();
        let mut queue =
            SeriesQueue::open(&fleet, &plan, &path, RunTerms::default(), &events).expect("the server takes it");
        let finish = runner::submit(&plan, &mut store, &mut queue, &run_stop, &events).expect("the run ends");
        let seconds = start.elapsed().as_secs_f64();
        assert_eq!(finish.ending, RunEnd::Complete);
        let after = times();
        let [played, here, there] = [0, 1, 2].map(|at| (after[at] - before[at]) * 1000.0 / f64::from(GAMES));
        drop(queue);
        for process in &mut processes {
            process.kill().expect("a worker");
            process.wait().expect("a worker");
        }
        let speed = f64::from(GAMES) / seconds;
        println!(
            "{workers} worker process{}         {speed:>7.0} games/s  {:>5.2} x    {:.3} ms of processor a game \
             (workers {played:.3}, coordinator {here:.3}, server {there:.3})",
            if workers == 1 { "  " } else { "es" },
            speed / alone,
            played + here + there,
        );
    }
}

fn worker(url: &str, number: usize) -> Child {
    let mut command = Command::new(std::env::current_exe().expect("this program"));
    command
        .args(["worker", url, &format!("worker-{number}")])
        .stdin(Stdio::null())
        .spawn()
        .expect("this program starts")
}

fn queue() {
    let server = Server::start();
    let fleet = connect(&server.url);
    let plan = plan(QUEUED);
    let (events, _) = mpsc::channel();
    // Takers of a job here never end it.
    let timing = Timing { lease: Duration::from_mins(10), ..Timing::default() };
    let terms = RunTerms { timing: timing.clone(), ..RunTerms::default() };
    let mut queue = SeriesQueue::open(&fleet, &plan, Path::new("queue.db"), terms, &events).expect("a queue");
    let tally = Tally::new(&plan);
    let start = Instant::now();
    for number in 0..plan.rounds() {
        let slots = schedule::slots(&plan, &schedule::round(&plan, number, &tally));
        queue.submit(GameJob { slots }).expect("the server takes it");
    }
    let speed = f64::from(QUEUED) / start.elapsed().as_secs_f64();
    println!("{QUEUED} games submitted in pairs: {speed:.0} games/s");
    let assigned = AtomicUsize::new(0);
    let start = Instant::now();
    thread::scope(|scope| {
        for number in 0..SIMULATED {
            let (assigned, plan, run, timing) = (&assigned, &plan, queue.run(), &timing);
            let fleet = fleet.clone();
            scope.spawn(move || {
                let mut jobs = RunJobs::new(&fleet, run, &format!("worker-{number}"), plan.agents.len(), timing);
                while assigned.load(Ordering::Relaxed) < QUEUED as usize {
                    if let Taken::Job(lease) = jobs.take(Duration::from_millis(500)) {
                        assigned.fetch_add(lease.job().slots.len(), Ordering::Relaxed);
                        drop(lease);
                    }
                }
            });
        }
    });
    let seconds = start.elapsed().as_secs_f64();
    println!("{SIMULATED} simulated workers, a pair at a time: {:.0} games assigned/s", f64::from(QUEUED) / seconds);
}
