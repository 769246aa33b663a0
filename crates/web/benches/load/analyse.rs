//! Visitors who all analyse at once.

use std::error::Error;
use std::io::{BufRead as _, BufReader, Write as _};
use std::net::TcpStream;
use std::path::Path;
use std::thread;
use std::time::{Duration, Instant};

use agon_site::store::SiteStore;
use agon_web::SiteOptions;

use super::watch::{disturbed, newest};

/// Longer than an analysis may take.
const READ_TIMEOUT: Duration = Duration::from_secs(320);

/// Makes this many visitors request the same number of nodes at the same time, and prints how many seconds each has to
/// wait.
pub fn analyse(folder: &Path, address: &str, visitors: usize, nodes: u32) -> Result<(), Box<dyn Error>> {
    let store = SiteStore::read(&SiteOptions::new(folder.to_owned(), ([127, 0, 0, 1], 0).into()).store())?;
    let before = newest(&store)?;
    let threads: Vec<_> = (0..visitors)
        .map(|number| {
            let address = address.to_owned();
            thread::spawn(move || one(&address, number, nodes).map_err(|error| error.to_string()))
        })
        .collect();
    let mut waited = Vec::new();
    for thread in threads {
        match thread.join() {
            Ok(Ok(time)) => waited.push(time.as_secs_f64()),
            Ok(Err(error)) => eprintln!("a visitor: {error}"),
            Err(_) => eprintln!("a visitor has panicked"),
        }
    }
    waited.sort_by(f64::total_cmp);
    if let [first, .., last] = waited[..] {
        println!(
            "{} of {visitors} visitors got {nodes} nodes each: the first after {first:.2} s, the middle one after \
             {:.2} s, the last after {last:.2} s",
            waited.len(),
            waited[waited.len() / 2],
        );
    }
    disturbed(&store, before)
}

/// One visitor: how long its analysis took.
fn one(address: &str, number: usize, nodes: u32) -> Result<Duration, Box<dyn Error>> {
    let begun = Instant::now();
    let mut stream = TcpStream::connect(address)?;
    stream.set_read_timeout(Some(READ_TIMEOUT))?;
    let question = format!(
        "%7B%22game%22:%22bacteria%22,%22seconds%22:300,%22nodes%22:{nodes},%22client%22:%22visitor%20{number}%22%7D"
    );
    let request =
        format!("GET /api/v1/analysis?request={question} HTTP/1.1\r\nHost: {address}\r\nConnection: close\r\n\r\n");
    stream.write_all(request.as_bytes())?;
    let mut ended = false;
    for line in BufReader::new(stream).lines() {
        let line = line?;
        if ended {
            let done = line.contains("\"done\"");
            return if done { Ok(begun.elapsed()) } else { Err(format!("the analysis ended early: {line}").into()) };
        }
        ended = line == "event: end";
    }
    Err("the answer ended too early".into())
}
