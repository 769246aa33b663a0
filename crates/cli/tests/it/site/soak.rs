//! Everything that strangers can take, all at once, for minutes: the memory of the site stays flat, another visitor's
//! pages stay quick, and the games are not disturbed.
//!
//! The short form runs with the other tests; `AGON_SLOW=1` soaks for ten minutes, `AGON_SOAK=90` for 90 s.

use std::collections::VecDeque;
use std::fs;
use std::io::{Read as _, Write as _};
use std::net::{Ipv4Addr, SocketAddr, SocketAddrV4, TcpStream};
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};

use agon_referee::record::Record;
use agon_site::store::SiteStore;
use rustix::net::{AddressFamily, SocketType, bind, connect, ipproto, socket};
use serde_json::json;

use super::served::{Served, request};
use super::{folder, killed, quick_bot};

/// How long another visitor's pages may take in the meantime, for 99 of a hundred.
const PAGE_TIMEOUT: Duration = Duration::from_millis(250);

/// No request of the short form takes this long, whatever else the machine does.
const TEST_TIMEOUT: Duration = Duration::from_secs(20);

/// How much longer a soak continues at most until a game has ended, and in which steps.
const GAME_TIMEOUT: Duration = Duration::from_mins(10);
const STEP: Duration = Duration::from_secs(5);

/// How much the memory may grow from the first third to the last, for caches that fill.
const MAX_GROWTH_KIB: u64 = 64 << 10;

/// Its duration, and whether it is the full test.
fn length() -> (Duration, bool) {
    let slow = std::env::var_os("AGON_SLOW").is_some();
    let asked = std::env::var("AGON_SOAK").ok().and_then(|text| text.parse().ok());
    (Duration::from_secs(asked.unwrap_or(if slow { 600 } else { 6 })), slow)
}

/// The site, and what the flooders know.
struct Flood {
    address: SocketAddr,
    host: String,
    token: String,
    going: AtomicBool,
    answered: AtomicU64,
    refused: AtomicU64,
}

impl Flood {
    /// A connection from an address of its own network, which has its own limits.
    fn connect(&self, from: u8) -> Option<TcpStream> {
        let SocketAddr::V4(to) = self.address else { return None };
        let made = socket(AddressFamily::INET, SocketType::STREAM, Some(ipproto::TCP)).ok()?;
        bind(&made, &SocketAddrV4::new(Ipv4Addr::new(127, from, 0, 1), 0)).ok()?;
        connect(&made, &to).ok()?;
        let stream = TcpStream::from(made);
        stream.set_read_timeout(Some(Duration::from_secs(5))).ok()?;
        stream.set_write_timeout(Some(Duration::from_secs(5))).ok()?;
        Some(stream)
    }

    /// Sends a request, and leaves its answer where it is.
    fn send(&self, from: u8, text: &str) -> Option<TcpStream> {
        let mut stream = self.connect(from)?;
        stream.write_all(text.as_bytes()).ok()?;
        Some(stream)
    }

    /// Sends a request and reads how its answer begins.
    fn ask(&self, from: u8, method: &str, path: &str, kind: &str, body: &str) {
        let host = &self.host;
        let text = format!(
            "{method} {path} HTTP/1.1\r\nhost: {host}\r\norigin: http://{host}\r\nconnection: close\r\n\
             content-type: {kind}\r\ncontent-length: {}\r\n\r\n{body}",
            body.len()
        );
        let Some(mut stream) = self.send(from, &text) else { return };
        let mut head = [0; 12];
        if stream.read_exact(&mut head).is_ok() {
            self.answered.fetch_add(1, Ordering::Relaxed);
            self.refused.fetch_add(u64::from(matches!(head[9], b'4' | b'5')), Ordering::Relaxed);
        }
    }

    fn goes_on(&self) -> bool {
        self.going.load(Ordering::Relaxed)
    }
}

const FORM: &str = "application/x-www-form-urlencoded";
const JSON: &str = "application/json";

/// Sends the same request again and again, and keeps at most `most` of its connections open unread.
fn hold(flood: &Flood, from: u8, text: &str, most: usize) {
    let mut open = VecDeque::new();
    while flood.goes_on() {
        if open.len() >= most {
            open.pop_front();
            thread::sleep(Duration::from_millis(20));
        }
        match flood.send(from, text) {
            Some(stream) => open.push_back(stream),
            None => thread::sleep(Duration::from_millis(20)),
        }
    }
}

/// A repeated action, which receives the number of earlier times.
type Repeated = Box<dyn Fn(&Flood, u64) + Send>;

/// All floods, each on a thread and from a network of its own.
fn floods(flood: &Arc<Flood>) -> Vec<JoinHandle<()>> {
    let run = |job: Box<dyn Fn(&Flood) + Send>| {
        let flood = Arc::clone(flood);
        thread::spawn(move || job(&flood))
    };
    let repeat = |job: Repeated| {
        run(Box::new(move |flood| {
            let mut number = 0;
            while flood.goes_on() {
                job(flood, number);
                number += 1;
            }
        }))
    };
    let line: String = (0..20_000).map(|number| [";B[]", ";W[]"][number % 2]).collect();
    let game = json!({ "text": format!("({line}{})", "(;B[hh])".repeat(399)), "game": "renju" }).to_string();
    vec![
        // Silent connections, event streams, stalling bodies, exports that are not read.
        run(Box::new(|flood| hold(flood, 1, "GET / HTTP/1.1\r\n", 600))),
        run(Box::new(|flood| hold(flood, 2, &get(flood, "/game/1/events", ""), 300))),
        run(Box::new(|flood| {
            let head = format!("POST /signin HTTP/1.1\r\nhost: {0}\r\norigin: http://{0}\r\n", flood.host);
            let body = "a".repeat(100 << 10);
            let text = format!("{head}content-type: {FORM}\r\ncontent-length: 4000000\r\n\r\n{body}");
            hold(flood, 3, &text, 200);
        })),
        run(Box::new(|flood| {
            let token = format!("authorization: Bearer {}\r\n", flood.token);
            hold(flood, 4, &get(flood, "/api/v1/me/export", &token), 3);
        })),
        run(Box::new(|flood| {
            let question = "%7B%22game%22:%22bacteria%22,%22seconds%22:60,%22client%22:%22x%22%7D";
            hold(flood, 5, &get(flood, &format!("/api/v1/analysis?request={question}"), ""), 60);
        })),
        // Requests that cost: games as texts, passwords, codes, games by link, dishes, pages.
        repeat(Box::new(move |flood, _| flood.ask(6, "POST", "/board/read", JSON, &game))),
        repeat(Box::new(|flood, number| {
            flood.ask(7, "POST", "/signin", FORM, &format!("name=name{number}&password=password1"));
        })),
        repeat(Box::new(|flood, _| flood.ask(8, "POST", "/signin/code", FORM, "word=x&code=000000"))),
        repeat(Box::new(|flood, _| flood.ask(9, "POST", "/board/invite", FORM, "game=renju"))),
        repeat(Box::new(|flood, number| flood.ask(10, "POST", "/board/petri", FORM, &format!("seed={number}")))),
        repeat(Box::new(|flood, number| {
            let path = ["/", "/queue", "/ladder/bacteria?from=1", "/games", "/search?q=a"][number as usize % 5];
            flood.ask(11, "GET", path, FORM, "");
        })),
    ]
}

fn get(flood: &Flood, path: &str, more: &str) -> String {
    format!("GET {path} HTTP/1.1\r\nhost: {}\r\n{more}\r\n", flood.host)
}

/// The memory of a process, in KiB.
fn memory(process: u32) -> u64 {
    let status = fs::read_to_string(format!("/proc/{process}/status")).unwrap();
    let line = status.lines().find(|line| line.starts_with("VmRSS:")).expect("its memory");
    line.split_whitespace().nth(1).unwrap().parse().unwrap()
}

/// Another visitor's experience for a time: how long each page took, in order, and the memory of the site each second.
fn visit(site: &Served, time: Duration) -> (Vec<Duration>, Vec<u64>) {
    let (begun, mut pages, mut used) = (Instant::now(), Vec::new(), Vec::new());
    while begun.elapsed() < time {
        for path in ["/healthz", "/", "/queue", "/ladder/bacteria", "/board/renju"] {
            let asked = Instant::now();
            let (status, text) = request(&site.host, "GET", path, "", &[]);
            assert_eq!(status, 200, "{path}: {text}");
            assert!(asked.elapsed() < TEST_TIMEOUT, "{path} took {:?}", asked.elapsed());
            pages.push(asked.elapsed());
        }
        if used.len() as u64 <= begun.elapsed().as_secs() {
            used.push(memory(site.process()));
        }
        thread::sleep(Duration::from_millis(50));
    }
    pages.sort();
    (pages, used)
}

/// Games of the ladder that have ended after one, their moves, and those of them that were disturbed.
fn games(folder: &Path, after: i64) -> (i64, usize, u32, u32) {
    let store = SiteStore::read(&folder.join("site/site.db")).unwrap();
    let competition =
        store.competitions().unwrap().into_iter().find(|competition| competition.slug == "bacteria").unwrap().id;
    let played = store.recent(competition, i64::MAX, 100_000).unwrap();
    let mut records = Vec::new();
    for bout in played.iter().filter(|bout| bout.id > after) {
        records.extend(store.record_of_bout(bout.id).unwrap().map(|text| Record::read(&text).unwrap()));
    }
    let moves = records.iter().map(|record| record.result.plies).sum();
    let disturbed = records.iter().flat_map(|record| record.result.disturbed).sum();
    (played.first().map_or(after, |bout| bout.id), records.len(), moves, disturbed)
}

#[test]
fn a_soak_of_all_floods_ends_no_site() {
    let (time, slow) = length();
    let folder = folder();
    let site = Served::start(folder.path());
    let [author, token] = ["author", "exporter"].map(|name| killed::token(folder.path(), name));
    let source = quick_bot("bacteria.py");
    let body = json!({ "contest": "bacteria", "name": "bot", "language": "PYTHON3", "source": source }).to_string();
    let head = [("authorization", &*format!("Bearer {author}")), ("content-type", JSON)];
    let (status, text) = request(&site.host, "POST", "/api/v1/submissions", &body, &head);
    assert_eq!(status, 201, "{text}");
    let begun = Instant::now();
    while games(folder.path(), 0).1 < 2 {
        assert!(begun.elapsed() < Duration::from_mins(2), "no game is played");
        thread::sleep(Duration::from_millis(100));
    }
    // First without a flood, to compare with.
    let (last, ..) = games(folder.path(), 0);
    let (calm, _) = visit(&site, time / 6);
    let (last, calm_games, calm_moves, calm_disturbed) = games(folder.path(), last);
    let flood = Arc::new(Flood {
        address: site.host.parse().unwrap(),
        host: site.host.clone(),
        token,
        going: AtomicBool::new(true),
        answered: AtomicU64::new(0),
        refused: AtomicU64::new(0),
    });
    let threads = floods(&flood);
    let (mut pages, mut used) = visit(&site, time);
    // A game may take longer than a short soak does.
    let flooded = Instant::now();
    while slow && games(folder.path(), last).1 == 0 && flooded.elapsed() < GAME_TIMEOUT {
        let (more_pages, more_used) = visit(&site, STEP);
        pages.extend(more_pages);
        used.extend(more_used);
    }
    pages.sort();
    let time = time + flooded.elapsed();
    flood.going.store(false, Ordering::Relaxed);
    for thread in threads {
        thread.join().unwrap();
    }
    let (_, played, moves, disturbed) = games(folder.path(), last);
    let third = used.len() / 3;
    let most = |part: &[u64]| part.iter().copied().max().unwrap_or_default();
    let [early, late] = [most(&used[..=third]), most(&used[used.len() - 1 - third..])];
    let at = |pages: &[Duration], share: f64| pages[((pages.len() - 1) as f64 * share) as usize].as_millis();
    let [answered, refused] = [&flood.answered, &flood.refused].map(|count| count.load(Ordering::Relaxed));
    println!("soak of {} s: {answered} requests of floods answered, {refused} of them refused", time.as_secs());
    for (what, pages) in [("calm", &calm), ("flood", &pages)] {
        let [half, most, all] = [0.5, 0.99, 1.0].map(|share| at(pages, share));
        println!("  pages in the {what}: {} loaded, median {half} ms, 99 % {most} ms, longest {all} ms", pages.len());
    }
    println!("  memory: at most {} MiB in the first third, {} MiB in the last", early >> 10, late >> 10);
    println!("  games in the calm: {calm_games}, {calm_disturbed} of {calm_moves} moves disturbed");
    println!("  games in the flood: {played}, {disturbed} of {moves} moves disturbed");
    let least = if slow { 1000 } else { 1 };
    assert!(answered >= least && refused > 0, "{answered} answers, {refused} refusals are no flood");
    // The site continues as before.
    let (status, text) = request(&site.host, "GET", "/healthz", "", &[]);
    assert_eq!((status, text.trim()), (200, "ok"));
    if slow {
        assert!(played > 0, "no game has ended within {} s of the flood", time.as_secs());
        assert!(at(&pages, 0.99) < PAGE_TIMEOUT.as_millis(), "pages are slow");
        assert!(late < early + MAX_GROWTH_KIB, "memory grows: {used:?}");
        let share = |disturbed: u32, moves: u32| f64::from(disturbed) / f64::from(moves.max(1));
        assert!(share(disturbed, moves) <= 2.0 * share(calm_disturbed, calm_moves) + 0.01, "games are disturbed");
    }
}
