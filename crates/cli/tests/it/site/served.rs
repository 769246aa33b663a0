//! A site in a separate process.

use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpStream;
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::time::Duration;

use serde_json::Value;

use crate::fleet::processes::TIMING_DIVISOR;

/// A running `agon serve`; it is killed with the value.
pub struct Served {
    child: Child,
    /// The address where it listens: `127.0.0.1:41234`.
    pub host: String,
    /// The path of the link that creates an administrator, while there is none.
    pub link: Option<String>,
}

impl Served {
    /// Serves a folder at a free port; programs are not jailed, for the tests run where no jail may work.
    pub fn start(folder: &Path) -> Self {
        Self::start_with(folder, &[])
    }

    /// The same with more options.
    pub fn start_with(folder: &Path, options: &[&str]) -> Self {
        Self::launch(folder, "127.0.0.1:0", options)
    }

    /// The same at an address, that of one that was killed.
    pub fn start_at(folder: &Path, listen: &str) -> Self {
        Self::launch(folder, listen, &[])
    }

    fn launch(folder: &Path, listen: &str, options: &[&str]) -> Self {
        let mut command = Command::new(env!("CARGO_BIN_EXE_agon"));
        command.args(["serve", "--listen", listen, "--jail", "none", "--clock", "5s"]);
        if !options.contains(&"--workers") {
            command.args(["--workers", "1"]);
        }
        command.args(options).arg("--data").arg(folder.join("site")).env("AGON_CACHE", folder.join("cache"));
        command.env("AGON_TIMING_DIVISOR", TIMING_DIVISOR.to_string());
        let mut child = command.stdout(Stdio::piped()).stderr(Stdio::null()).spawn().unwrap();
        let mut lines = BufReader::new(child.stdout.take().unwrap()).lines().map(Result::unwrap);
        let message = lines.next().expect("the site starts");
        let host = message.split("http://").nth(1).unwrap().split('/').next().unwrap().to_owned();
        // The store knows whether there will be a second line.
        let store = rusqlite::Connection::open(folder.join("site/site.db")).unwrap();
        let hosted: bool =
            store.query_row("SELECT EXISTS (SELECT 1 FROM account WHERE host)", [], |row| row.get(0)).unwrap();
        let link = (!hosted).then(|| lines.next().expect("a link"));
        let link = link.map(|line| format!("/join/{}", line.split("/join/").nth(1).unwrap().trim()));
        Self { child, host, link }
    }

    /// The address of a path.
    pub fn address(&self, path: &str) -> String {
        format!("http://{}{path}", self.host)
    }

    /// The number of its process.
    pub fn process(&self) -> u32 {
        self.child.id()
    }

    /// Kills it as noname can refuse.
    pub fn kill(mut self) {
        self.child.kill().unwrap();
        self.child.wait().unwrap();
    }

    fn request(&self, method: &str, path: &str, body: &str, headers: &[(&str, &str)]) -> (u16, String) {
        request(&self.host, method, path, body, headers)
    }

    /// The page of a path.
    pub fn get(&self, path: &str, headers: &[(&str, &str)]) -> (u16, String) {
        self.request("GET", path, "", headers)
    }

    /// An answer in JSON.
    pub fn json(&self, path: &str, token: &str) -> Value {
        let (_, text) = self.get(path, &[("authorization", &format!("Bearer {token}"))]);
        serde_json::from_str(&text).unwrap_or_else(|error| panic!("{path}: {error}: {text}"))
    }
}

/// The site's answer; status 0 if it was killed meanwhile.
pub fn request(host: &str, method: &str, path: &str, body: &str, headers: &[(&str, &str)]) -> (u16, String) {
    let mut text = format!("{method} {path} HTTP/1.1\r\nhost: {host}\r\nconnection: close\r\n");
    for (name, value) in headers {
        text += &format!("{name}: {value}\r\n");
    }
    text += &format!("content-length: {}\r\n\r\n{body}", body.len());
    let mut answer = String::new();
    if let Ok(mut stream) = TcpStream::connect(host) {
        stream.set_read_timeout(Some(Duration::from_mins(1))).unwrap();
        let _ = stream.write_all(text.as_bytes());
        let _ = stream.read_to_string(&mut answer);
    }
    let status = answer.split(' ').nth(1).and_then(|status| status.parse().ok()).unwrap_or(0);
    (status, answer.split_once("\r\n\r\n").map_or(String::new(), |(_, body)| body.to_owned()))
}

impl Drop for Served {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}
