//! A crowd that watches one game.

use std::error::Error;
use std::io;
use std::net::SocketAddr;
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::{Duration, Instant, SystemTime, UNIX_EPOCH};

use agon_referee::record::Record;
use agon_site::store::{SiteBout, SiteStore};
use agon_web::SiteOptions;
use serde_json::Value;
use tokio::net::{TcpSocket, TcpStream};
use tokio::task::JoinSet;

/// What one watcher received of a game: how late each move came, in milliseconds, and whether it saw the end.
#[derive(Default)]
struct Watched {
    late: Vec<f64>,
    ended: bool,
}

fn now_ms() -> f64 {
    SystemTime::now().duration_since(UNIX_EPOCH).map_or(0.0, |since| since.as_secs_f64() * 1000.0)
}

/// Follows games for `seconds` seconds.
pub fn watch(folder: &Path, address: &str, watchers: usize, seconds: u32) -> Result<(), Box<dyn Error>> {
    let store = SiteStore::read(&SiteOptions::new(folder.to_owned(), ([127, 0, 0, 1], 0).into()).store())?;
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build()?;
    let deadline = Instant::now() + Duration::from_secs(seconds.into());
    let before = newest(&store)?;
    let (mut late, mut games, mut cut) = (Vec::new(), 0, 0);
    while Instant::now() < deadline {
        let Some(bout) = store.running()?.into_iter().next() else {
            std::thread::sleep(Duration::from_millis(100));
            continue;
        };
        let watched = runtime.block_on(follow(address, &bout, watchers));
        cut += watched.iter().filter(|watched| !watched.ended).count();
        games += 1;
        late.extend(watched.into_iter().flat_map(|watched| watched.late));
    }
    late.sort_by(f64::total_cmp);
    let at = |share: f64| late.get(((late.len() as f64 * share) as usize).min(late.len().saturating_sub(1))).copied();
    let [half, most, all] = [0.5, 0.99, 1.0].map(|share| at(share).unwrap_or(f64::NAN));
    println!(
        "{games} games watched by {watchers}: {} moves received, p50 {half:.1} ms, p99 {most:.1} ms, max {all:.1} ms; \
         {cut} watchers cut off",
        late.len()
    );
    disturbed(&store, before)
}

/// The number of the newest game.
pub fn newest(store: &SiteStore) -> Result<i64, Box<dyn Error>> {
    Ok(store.counts()?.games as i64)
}

/// Counts the disturbed moves of the games that were played since one.
pub fn disturbed(store: &SiteStore, after: i64) -> Result<(), Box<dyn Error>> {
    let (mut games, mut plies, mut disturbed) = (0, 0, 0);
    for id in after + 1..=newest(store)? {
        let Some(text) = store.record_of_bout(id)? else { continue };
        let result = Record::read(&text)?.result;
        games += 1;
        plies += result.plies;
        disturbed += result.disturbed.iter().sum::<u32>();
    }
    println!("{games} games played meanwhile: {disturbed} of {plies} moves disturbed");
    Ok(())
}

/// All watchers of one game.
async fn follow(address: &str, bout: &SiteBout, watchers: usize) -> Vec<Watched> {
    let ready = Arc::new(AtomicUsize::new(0));
    let mut all = JoinSet::new();
    for number in 0..watchers {
        let (address, id, ready) = (address.to_owned(), bout.id, Arc::clone(&ready));
        all.spawn(async move {
            let mut watched = Watched::default();
            if let Err(error) = one(&address, number, id, (&ready, watchers), &mut watched).await {
                eprintln!("a watcher: {error}");
            }
            watched
        });
    }
    all.join_all().await
}

/// Connects from one of many addresses where the site is on this machine: one address has a limit.
async fn connect(address: &str, number: usize) -> io::Result<TcpStream> {
    match address.parse::<SocketAddr>() {
        Ok(to) if to.is_ipv4() && to.ip().is_loopback() => {
            let socket = TcpSocket::new_v4()?;
            socket.bind(([127, 0, (number / 100) as u8, (2 + number % 100) as u8], 0).into())?;
            socket.connect(to).await
        }
        _ => TcpStream::connect(address).await,
    }
}

/// One watcher. Events that arrive before all watchers are there are not measured: they repeat earlier moves.
async fn one(
    address: &str,
    number: usize,
    id: i64,
    (ready, all): (&AtomicUsize, usize),
    watched: &mut Watched,
) -> io::Result<()> {
    let stream = connect(address, number).await?;
    let request = format!("GET /game/{id}/events HTTP/1.1\r\nHost: {address}\r\nAccept: text/event-stream\r\n\r\n");
    stream.writable().await?;
    stream.try_write(request.as_bytes())?;
    let (mut text, mut counted) = (Vec::new(), false);
    let mut buffer = vec![0; 16 << 10];
    loop {
        stream.readable().await?;
        let read = match stream.try_read(&mut buffer) {
            Err(error) if error.kind() == io::ErrorKind::WouldBlock => continue,
            read => read?,
        };
        let now = now_ms();
        if read == 0 {
            return Ok(());
        }
        text.extend_from_slice(&buffer[..read]);
        let everybody = ready.load(Ordering::Relaxed) == all;
        if !counted {
            counted = true;
            ready.fetch_add(1, Ordering::Relaxed);
        }
        while let Some(end) = text.windows(2).position(|two| two == b"\n\n") {
            let event = String::from_utf8_lossy(&text[..end]).into_owned();
            text.drain(..end + 2);
            if event.contains("event: end") || event.contains("event: gone") {
                watched.ended = true;
                return Ok(());
            }
            let data = event.lines().find_map(|line| line.strip_prefix("data: ")).map(serde_json::from_str::<Value>);
            if let Some(Ok(data)) = data.filter(|_| everybody && event.contains("event: step")) {
                watched.late.extend(data["at"].as_f64().map(|at| now - at));
            }
        }
    }
}
