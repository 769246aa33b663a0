//! The boards as a folder: any file server can host it, and a browser that has opened it needs none.

use std::fs;
use std::io::{BufRead, BufReader, Write as _};
use std::net::{SocketAddr, TcpListener, TcpStream};
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread::{self, JoinHandle};

use serde_json::json;

use super::AUDIT;
use crate::browser::Browser;

/// A server of files, as simple as there are.
struct FileServer {
    address: SocketAddr,
    stopped: Arc<AtomicBool>,
    thread: JoinHandle<()>,
}

impl FileServer {
    fn start(folder: PathBuf) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let address = listener.local_addr().unwrap();
        let stopped = Arc::new(AtomicBool::new(false));
        let seen = Arc::clone(&stopped);
        let serve = move || {
            for stream in listener.incoming().flatten() {
                if seen.load(Ordering::SeqCst) {
                    return;
                }
                let folder = folder.clone();
                thread::spawn(move || answer(stream, &folder));
            }
        };
        Self { address, stopped, thread: thread::spawn(serve) }
    }

    /// Stops listening at the address.
    fn stop(self) {
        self.stopped.store(true, Ordering::SeqCst);
        drop(TcpStream::connect(self.address));
        self.thread.join().unwrap();
    }
}

fn answer(mut stream: TcpStream, folder: &Path) {
    let mut lines = BufReader::new(&stream).lines().map_while(Result::ok);
    let first = lines.next().unwrap_or_default();
    lines.find(String::is_empty);
    let path = first.split(' ').nth(1).unwrap_or("/").trim_start_matches('/').to_owned();
    let kind = match path.rsplit('.').next().unwrap_or_default() {
        "html" => "text/html",
        "js" => "text/javascript",
        "css" => "text/css",
        "svg" => "image/svg+xml",
        _ => "application/octet-stream",
    };
    // A browser that leaves early is no fault.
    let _ = match fs::read(folder.join(&path)) {
        Ok(content) => {
            let length = content.len();
            let head = format!("HTTP/1.0 200 OK\r\nContent-Type: {kind}\r\nContent-Length: {length}\r\n\r\n");
            stream.write_all(head.as_bytes()).and_then(|()| stream.write_all(&content))
        }
        Err(_) => stream.write_all(b"HTTP/1.0 404 Not Found\r\nContent-Length: 0\r\n\r\n"),
    };
}

#[test]
fn a_folder_plays_without_the_network() {
    let folder = tempfile::tempdir().unwrap();
    let place = folder.path().join("boards");
    let out = Command::new(env!("CARGO_BIN_EXE_agon")).args(["board", "--static"]).arg(&place).output().unwrap();
    if String::from_utf8_lossy(&out.stderr).contains("this build has no engine for the browser") {
        assert!(!out.status.success() && !place.exists());
        return;
    }
    assert!(out.status.success(), "{out:?}");
    let server = FileServer::start(place);
    let browser = &Browser::new();
    browser.shape(360, false);
    let page = |name: &str| format!("http://{}/{name}", server.address);
    browser.visit(&page("index.html"));
    // All files are kept before the worker that serves them takes over.
    browser.until("navigator.serviceWorker.controller !== null", &json!(true));
    // Its server does not isolate the first page.
    assert_eq!(browser.of("crossOriginIsolated"), false);
    let pages = ["domineering.html", "petri.html", "puzzles.html", "analysis.html#game=bacteria"].map(page);
    server.stop();
    let [domineering, petri, puzzles, analysis] = pages;
    let fits = |name: &str| assert_eq!(browser.run(AUDIT), json!([]), "{name}");
    // A whole game.
    browser.visit(&domineering);
    browser.until("document.querySelectorAll('#board svg').length", &json!(1));
    browser.run(
        "document.querySelector('[name=first]').value = 'greedy';
         document.querySelector('[name=second]').value = 'champion:1'",
    );
    browser.click("#new button[type=submit]");
    browser.until("document.getElementById('status').textContent.includes(' wins: ')", &json!(true));
    fits("domineering");
    // Ten puzzles, and what solves one more.
    browser.visit(&puzzles);
    browser.until("document.getElementById('grade').textContent.includes('Grade ')", &json!(true));
    browser.run(include_str!("solve.js"));
    browser.until("window.solved !== undefined", &json!(true));
    let solved = browser.of("window.solved");
    let right = solved.as_array().unwrap().iter().filter(|one| one[2] == true).count();
    assert!(right == 10, "{solved}");
    browser.click("#solution");
    browser.until("document.querySelectorAll('#board .shapes > *').length > 0", &json!(true));
    fits("puzzles");
    // An analysis, with the network of its game, on two threads where the machine has them: the service worker isolates
    // the page.
    assert_eq!(browser.of("crossOriginIsolated"), true);
    browser.run("localStorage.setItem('agon.threads', '2')");
    browser.visit(&analysis);
    let note = "document.getElementById('engine-note').textContent.startsWith('Threads in this browser: at most ')";
    browser.until(note, &json!(true));
    let depth = "Number(/\\d+/.exec(document.getElementById('progress').textContent)?.[0] ?? 0)";
    browser.until(&format!("{depth} >= 12"), &json!(true));
    browser.until("document.querySelectorAll('#found li').length", &json!(3));
    fits("analysis");
    // The petri dish, and a rule that is none.
    browser.visit(&petri);
    browser.click("#dish button.primary");
    browser.until("document.querySelectorAll('.moves li').length > 10", &json!(true));
    fits("petri");
    browser.run(
        "document.querySelector('[name=rule]').value = 'BEGIN 4 8 0\\nJUMP';
         document.querySelector('[name=first]').value = 'rule'",
    );
    browser.click("#dish button.primary");
    browser.until("document.getElementById('problem').textContent.includes('line 2, `JUMP`')", &json!(true));
}
