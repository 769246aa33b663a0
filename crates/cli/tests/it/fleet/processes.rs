//! Starting, killing and waiting for the processes of a fleet.

use std::fs::{self, File};
use std::net::{TcpListener, TcpStream};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::thread;
use std::time::{Duration, Instant};

use agon_fleet::Timing;
use rustix::process::{Pid, Signal, kill_process};
use tempfile::TempDir;

/// The binary under test.
pub const BINARY: &str = env!("CARGO_BIN_EXE_agon");

/// Far longer than anything takes here: only something that hangs reaches it.
pub const TIMEOUT: Duration = Duration::from_mins(10);

/// The number by which a fleet's times are divided here.
pub const TIMING_DIVISOR: u32 = 10;

/// The times of a fleet's processes here.
pub fn timing() -> Timing {
    Timing::scaled(TIMING_DIVISOR)
}

/// Waits for a state.
#[track_caller]
pub fn until(what: &str, mut condition: impl FnMut() -> bool) {
    let start = Instant::now();
    while !condition() {
        assert!(start.elapsed() < TIMEOUT, "{what}");
        thread::sleep(Duration::from_millis(20));
    }
}

/// A process that ends with its test.
pub struct Running {
    child: Child,
    log: PathBuf,
}

impl Running {
    /// Starts a command, and logs its output.
    pub fn start(command: &mut Command, log: &Path) -> Self {
        let file = || File::options().create(true).append(true).open(log).unwrap();
        let child = command.stdin(Stdio::null()).stdout(file()).stderr(file()).spawn();
        let child = child.unwrap_or_else(|error| panic!("{command:?}: {error}; scripts/test installs what is missing"));
        Self { child, log: log.to_owned() }
    }

    /// The name of its log, which a worker has too.
    pub fn name(&self) -> String {
        self.log.file_stem().unwrap().to_str().unwrap().to_owned()
    }

    /// Its output so far, including earlier processes with the same log.
    pub fn said(&self) -> String {
        fs::read_to_string(&self.log).unwrap_or_default()
    }

    /// Kills it, so that it can report nothing.
    pub fn kill(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }

    /// Asks it to end.
    pub fn terminate(&self) {
        kill_process(Pid::from_child(&self.child), Signal::TERM).unwrap();
    }

    /// Its exit code, if it has ended.
    pub fn ended(&mut self) -> Option<i32> {
        self.child.try_wait().unwrap().map(|status| status.code().unwrap_or(-1))
    }

    /// Waits for its end, and returns its exit code.
    pub fn wait(&mut self) -> i32 {
        let start = Instant::now();
        loop {
            if let Some(code) = self.ended() {
                return code;
            }
            assert!(start.elapsed() < TIMEOUT, "it does not end: {}", self.said());
            thread::sleep(Duration::from_millis(10));
        }
    }
}

impl Drop for Running {
    fn drop(&mut self) {
        self.kill();
    }
}

/// The password of a user whom `deploy/nats.conf` knows.
pub fn password(who: &str) -> String {
    format!("secret-of-the-{who}")
}

/// A folder with all that a fleet on this machine leaves, and its port.
pub struct Ground {
    pub folder: TempDir,
    port: u16,
}

impl Ground {
    pub fn new() -> Self {
        let port = TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap().port();
        Self { folder: tempfile::tempdir().unwrap(), port }
    }

    /// A place in the folder.
    pub fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    /// The address of the server.
    pub fn url(&self) -> String {
        format!("nats://127.0.0.1:{}", self.port)
    }

    /// The port of the server.
    pub fn port(&self) -> u16 {
        self.port
    }

    /// The address of the server with the password of a user whom `deploy/nats.conf` knows.
    pub fn url_of(&self, who: &str) -> String {
        self.url().replace("nats://", &format!("nats://{who}:{}@", password(who)))
    }

    /// Starts a server with these arguments besides its address, and waits until it listens.
    pub fn server(&self, arguments: &[&str]) -> Running {
        let mut command = Command::new("nats-server");
        command.args(["-a", "127.0.0.1", "-p", &self.port.to_string()]).args(arguments);
        for who in ["player", "worker", "viewer"] {
            command.env(format!("AGON_{}_PASSWORD", who.to_uppercase()), password(who));
        }
        let mut server = Running::start(&mut command, &self.path("nats.log"));
        let start = Instant::now();
        while TcpStream::connect(("127.0.0.1", self.port)).is_err() {
            assert!(server.ended().is_none() && start.elapsed() < TIMEOUT, "{}", server.said());
            thread::sleep(Duration::from_millis(10));
        }
        server
    }

    /// The binary with these arguments.
    pub fn agon(&self, arguments: &[&str]) -> Command {
        let mut command = Command::new(BINARY);
        command.args(arguments).current_dir(self.folder.path());
        command.env("AGON_CACHE", Path::new(env!("CARGO_TARGET_TMPDIR")).join("cache")).env_remove("AGON_JAIL");
        command.env("AGON_STATE", self.path("state"));
        command.env("AGON_TIMING_DIVISOR", TIMING_DIVISOR.to_string());
        // However busy this machine is, programs have time to start, and no game is disturbed.
        command.env("AGON_TIME_FACTOR", "20").env("AGON_DELAY", "off");
        for name in ["COLUMNS", "NO_COLOR", "CLICOLOR_FORCE", "AGON_SEED"] {
            command.env_remove(name);
        }
        command
    }

    /// Starts a worker of this name.
    pub fn worker(&self, name: &str, more: &[&str]) -> Running {
        self.worker_at(&self.url(), name, more)
    }

    /// The same at this address.
    pub fn worker_at(&self, url: &str, name: &str, more: &[&str]) -> Running {
        let common = ["--slots", "1", "--force", "--jail", "none", "--insecure"];
        let arguments = [&["worker", "--nats", url, "--name", name][..], &common].concat();
        let mut command = self.agon(&arguments);
        command.args(more).env("AGON_STATE", self.path(&format!("state-{name}")));
        Running::start(&mut command, &self.path(&format!("{name}.log")))
    }

    /// The file with the key of a worker of this name.
    pub fn worker_key(&self, name: &str) -> PathBuf {
        self.path(&format!("state-{name}/worker.nk"))
    }

    /// Starts a series that keeps its games in this file.
    pub fn series(&self, arguments: &[&str], store: &str) -> Running {
        let url = self.url();
        let mut command = self.agon(arguments);
        command.args(["--nats", &url, "--db", store]);
        Running::start(&mut command, &self.path(&format!("{store}.log")))
    }
}
