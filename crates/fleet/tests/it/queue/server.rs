//! A NATS server of a test's own.

use std::fs;
use std::net::{TcpListener, TcpStream};
use std::process::{Child, Command, Stdio};
use std::thread;
use std::time::{Duration, Instant};

use agon_fleet::{Fleet, NatsOptions, Timing};
use tempfile::TempDir;

/// Far longer than anything takes here.
pub const TEST_TIMEOUT: Duration = Duration::from_mins(2);

/// Short intervals, and timeouts that no busy machine reaches: a worker or coordinator is gone when it says so, and a
/// lease ends when the test advances its clock.
pub fn timing() -> Timing {
    Timing {
        max_silence: TEST_TIMEOUT,
        lease: TEST_TIMEOUT,
        keep: Duration::from_millis(20),
        retry: Duration::from_millis(10),
        poll: Duration::from_millis(5),
        idle: TEST_TIMEOUT,
        ping: TEST_TIMEOUT,
        ..Timing::scaled(20)
    }
}

/// The times of a test that holds jobs by itself. It does not hear of the end of a run, so a result that comes too late
/// for one must not wait for a coordinator.
pub fn holder_timing() -> Timing {
    Timing { max_silence: Duration::from_secs(15), ..timing() }
}

/// Waits for a state.
#[track_caller]
pub fn until(what: &str, mut condition: impl FnMut() -> bool) {
    let start = Instant::now();
    while !condition() {
        assert!(start.elapsed() < TEST_TIMEOUT, "{what}");
        thread::sleep(Duration::from_millis(5));
    }
}

/// A server on loopback, with its own folder.
pub struct Server {
    child: Child,
    _folder: TempDir,
    port: u16,
}

impl Server {
    pub fn start() -> Self {
        let folder = tempfile::tempdir().unwrap();
        // No other program takes the port between the two: the system hands out others first.
        let port = TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap().port();
        let child = run(&folder, port);
        Self { child, _folder: folder, port }
    }

    /// Its address.
    pub fn url(&self) -> String {
        format!("nats://127.0.0.1:{}", self.port)
    }

    /// A connection.
    pub fn connect(&self) -> Fleet {
        Fleet::connect(&options(&self.url()), "test").unwrap()
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// How to reach a server without credentials.
fn options(url: &str) -> NatsOptions {
    NatsOptions { url: url.to_owned(), key: None, authority: None, ping: timing().ping }
}

fn run(folder: &TempDir, port: u16) -> Child {
    let log = fs::File::create(folder.path().join("log")).unwrap();
    let mut command = Command::new("nats-server");
    command.args(["-a", "127.0.0.1", "-p", &port.to_string()]);
    command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(log);
    let child = command.spawn().unwrap_or_else(|error| panic!("nats-server: {error}; scripts/test installs it"));
    let start = Instant::now();
    while TcpStream::connect(("127.0.0.1", port)).is_err() {
        let log = || fs::read_to_string(folder.path().join("log")).unwrap_or_default();
        assert!(start.elapsed() < TEST_TIMEOUT, "nats-server does not listen: {}", log());
        thread::sleep(Duration::from_millis(10));
    }
    child
}
