//! A real Chromium, driven through its `WebDriver`.
//!
//! A Chromium takes about two seconds of processor time to start and to show its first page, more than most tests need
//! from then on. Under `scripts/browser` tests lend each other theirs: a test takes one that no other test uses, or
//! starts one, and leaves it without cookies and stored data. Otherwise each test starts its own.

use std::cell::RefCell;
use std::collections::BTreeSet;
use std::fs::File;
use std::io::{BufRead, BufReader, Read as _, Seek as _, Write as _};
use std::path::{Path, PathBuf};
use std::process::{Child, Command};
use std::sync::LazyLock;
use std::thread;
use std::time::{Duration, Instant};

use serde_json::{Value, json};

/// No change of a page takes this long, even if a low-priority engine has to find it beside busy programs.
const TIMEOUT: Duration = Duration::from_mins(4);

/// The longest pause between two looks at a page: each look takes processor time from what is awaited.
const MAX_POLL_INTERVAL: Duration = Duration::from_millis(50);

/// The folder of `scripts/browser`: the port of its driver, and a file for each Chromium.
const SHARED: &str = "AGON_TEST_BROWSERS";

/// The Chromium without a user interface, of a Debian package: it takes less processor time. The script in PATH that
/// starts it would outlive its driver.
const SHELL: &str = "/usr/lib/chromium/chromium-headless-shell";

/// The message if there is no browser.
const REMEDY: &str = "`chromedriver` cannot be started: install Chromium and its driver by scripts/test, or by \
                      `apt-get install chromium chromium-driver`";

/// The name of an element in the protocol.
const ELEMENT: &str = "element-6066-11e4-a52e-4f735466cecf";

/// Keys without a character of their own, by their code points in the protocol.
#[derive(Clone, Copy)]
pub enum Key {
    Tab = 0xe004,
    Enter = 0xe007,
    Space = 0xe00d,
    End = 0xe010,
    Home = 0xe011,
    Left = 0xe012,
    Up = 0xe013,
    Right = 0xe014,
    Down = 0xe015,
    Delete = 0xe017,
}

impl From<Key> for String {
    fn from(key: Key) -> Self {
        char::from_u32(key as u32).unwrap().into()
    }
}

/// A listening driver and its port; otherwise its message.
fn start_driver(said: &mut String) -> Option<(Child, u16)> {
    // The system chooses a free port; both streams are one, so that all it says is read in its order.
    let (output, stream) = std::io::pipe().unwrap();
    let mut process = Command::new("chromedriver")
        .arg("--port=0")
        .stdout(stream.try_clone().unwrap())
        .stderr(stream)
        .spawn()
        .unwrap_or_else(|error| panic!("{REMEDY}: {error}"));
    let mut lines = BufReader::new(output).lines().map_while(Result::ok);
    while let Some(line) = lines.next() {
        let port =
            line.split_once("successfully on port ").and_then(|(_, port)| port.trim_end_matches('.').parse().ok());
        if let Some(port) = port {
            // Its output is read on, so that it never waits for a reader.
            thread::spawn(move || lines.for_each(drop));
            return Some((process, port));
        }
        *said += &format!("{line}\n");
    }
    *said += &format!("{}\n", process.wait().unwrap());
    None
}

/// Sends a command to a driver, and returns its value.
fn send(method: &str, address: &str, body: Option<&Value>) -> Result<Value, String> {
    static AGENT: LazyLock<ureq::Agent> =
        LazyLock::new(|| ureq::Agent::config_builder().http_status_as_error(false).build().into());
    let answer = match (method, body) {
        ("GET", _) => AGENT.get(address).call(),
        ("DELETE", _) => AGENT.delete(address).call(),
        (_, body) => AGENT.post(address).header("content-type", "application/json").send(match body {
            Some(body) => body.to_string(),
            None => "{}".to_owned(),
        }),
    };
    let mut answer = answer.map_err(|error| format!("{address}: {error}"))?;
    let text = answer.body_mut().read_to_string().map_err(|error| format!("{address}: {error}"))?;
    let mut answer: Value = serde_json::from_str(&text).map_err(|error| format!("{address}: {error}: {text}"))?;
    match answer["value"]["error"].as_str() {
        Some(error) => Err(format!("{error}: {}", answer["value"]["message"].as_str().unwrap_or_default())),
        None => Ok(answer["value"].take()),
    }
}

/// The bytes of a text in Base64.
fn from_base64(text: &str) -> Vec<u8> {
    const DIGITS: &[u8] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    let values = text.bytes().filter_map(|byte| DIGITS.iter().position(|&digit| digit == byte));
    let (mut bytes, mut bits, mut count) = (Vec::new(), 0, 0);
    for value in values {
        bits = (bits << 6 | value) & 0xffff;
        count += 6;
        if count >= 8 {
            count -= 8;
            bytes.push((bits >> count) as u8);
        }
    }
    bytes
}

/// Starts a Chromium under the driver at a port, and returns the address of its session.
fn start_session(port: u16) -> Result<String, String> {
    let arguments = [
        "--headless=new",
        "--no-sandbox",
        "--disable-gpu",
        "--disable-dev-shm-usage",
        "--disable-extensions",
        "--disable-background-networking",
        "--disable-component-update",
        "--disable-sync",
        "--no-first-run",
        "--hide-scrollbars",
    ];
    let mut options = json!({ "args": arguments });
    if Path::new(SHELL).is_file() {
        options["binary"] = json!(SHELL);
    }
    let minutes = TIMEOUT.as_millis() as u64;
    let wanted = json!({ "capabilities": { "alwaysMatch": {
        "browserName": "chrome",
        "goog:chromeOptions": options,
        "timeouts": { "script": minutes, "pageLoad": minutes },
    } } });
    let sessions = format!("http://127.0.0.1:{port}/session");
    let session = send("POST", &sessions, Some(&wanted))?;
    Ok(format!("{sessions}/{}", session["sessionId"].as_str().ok_or("a session without a name")?))
}

/// Who ends the Chromium.
enum Owner {
    /// The test, and its driver with it.
    Test(Child),
    /// `scripts/browser`. The file is locked while a test uses the Chromium, and names its session while none does.
    Script(File),
}

/// A browser with one window; it ends with the value, or is lent to the next test.
pub struct Browser {
    session: String,
    owner: Owner,
    /// Pages that may have stored data.
    origins: RefCell<BTreeSet<String>>,
}

impl Browser {
    /// Takes one that is free, or starts one.
    pub fn new() -> Self {
        let browser = match std::env::var_os(SHARED) {
            Some(folder) => Self::lent(&PathBuf::from(folder)),
            None => Self::own(),
        };
        browser.cdp("Emulation.setFocusEmulationEnabled", &json!({ "enabled": true }));
        // The Chromium without a user interface would leave downloads where it was started.
        let place = json!({ "behavior": "allow", "downloadPath": env!("CARGO_TARGET_TMPDIR") });
        browser.cdp("Browser.setDownloadBehavior", &place);
        browser.shape(1280, false);
        browser
    }

    fn own() -> Self {
        // On a machine full of processes a driver may end before it listens: another is started.
        let mut said = String::new();
        let (process, port) =
            (0..5).find_map(|_| start_driver(&mut said)).unwrap_or_else(|| panic!("{REMEDY}:\n{said}"));
        let mut browser = Self { session: String::new(), owner: Owner::Test(process), origins: RefCell::default() };
        browser.session = start_session(port).unwrap_or_else(|error| panic!("{REMEDY}: {error}"));
        browser
    }

    fn lent(folder: &Path) -> Self {
        let port = std::fs::read_to_string(folder.join("port")).expect("the port of scripts/browser");
        let port = port.trim().parse().expect("a port");
        let mut options = File::options();
        options.read(true).write(true).create(true).truncate(false);
        let free = (0..).map(|number| options.open(folder.join(format!("chromium-{number}"))).unwrap());
        let mut file = free.into_iter().find(|file| file.try_lock().is_ok()).unwrap();
        let mut session = String::new();
        file.read_to_string(&mut session).unwrap();
        // A killed test leaves no name: its Chromium is not used again.
        file.set_len(0).unwrap();
        let mut browser = Self { session, owner: Owner::Script(file), origins: RefCell::default() };
        if browser.session.is_empty() || browser.renew_window().is_err() {
            browser.session = start_session(port).unwrap_or_else(|error| panic!("{REMEDY}: {error}"));
        }
        browser
    }

    /// Opens a new window in place of the old one: emulation and pointers are reset.
    fn renew_window(&self) -> Result<(), String> {
        let old = self.command("GET", "/window/handles", None)?;
        let new = self.command("POST", "/window/new", Some(&json!({ "type": "window" })))?["handle"].take();
        for handle in old.as_array().into_iter().flatten() {
            self.command("POST", "/window", Some(&json!({ "handle": handle })))?;
            self.command("DELETE", "/window", None)?;
        }
        self.command("POST", "/window", Some(&json!({ "handle": new }))).map(drop)
    }

    /// Removes all that the test's pages have stored.
    fn clear(&self) -> Result<(), String> {
        // A question on leaving a page is not answered.
        let _ = self.command("POST", "/alert/dismiss", None);
        self.command("POST", "/url", Some(&json!({ "url": "about:blank" })))?;
        self.command("DELETE", "/actions", None)?;
        for origin in &*self.origins.borrow() {
            self.forget(origin)?;
        }
        for clear in ["Network.clearBrowserCookies", "Network.clearBrowserCache"] {
            self.command("POST", "/goog/cdp/execute", Some(&json!({ "cmd": clear, "params": {} })))?;
        }
        Ok(())
    }

    fn forget(&self, origin: &str) -> Result<(), String> {
        let clear =
            json!({ "cmd": "Storage.clearDataForOrigin", "params": { "origin": origin, "storageTypes": "all" } });
        self.command("POST", "/goog/cdp/execute", Some(&clear)).map(drop)
    }

    fn command(&self, method: &str, path: &str, body: Option<&Value>) -> Result<Value, String> {
        send(method, &format!("{}{path}", self.session), body)
    }

    fn cdp(&self, command: &str, parameters: &Value) {
        let sent = self.command("POST", "/goog/cdp/execute", Some(&json!({ "cmd": command, "params": parameters })));
        sent.unwrap_or_else(|error| panic!("{command}: {error}"));
    }

    /// The first match of a selector, as part of an address.
    fn find(&self, selector: &str) -> Result<String, String> {
        let found = self.command("POST", "/element", Some(&json!({ "using": "css selector", "value": selector })))?;
        Ok(format!("/element/{}", found[ELEMENT].as_str().unwrap()))
    }

    /// Opens a file, at the fragment after the `#`.
    pub fn open(&self, page: &Path, at: &str) {
        // A new fragment alone would not load the page again.
        self.visit("about:blank");
        self.visit(&format!("file://{}#{at}", page.display()));
    }

    /// Opens an address.
    pub fn visit(&self, address: &str) {
        if let Some((scheme, rest)) = address.split_once("://") {
            let origin = format!("{scheme}://{}", rest.split('/').next().unwrap());
            self.origins.borrow_mut().insert(origin);
        }
        let visited = self.command("POST", "/url", Some(&json!({ "url": address })));
        visited.unwrap_or_else(|error| panic!("{address}: {error}"));
    }

    /// Leaves the page, and deletes what the pages of its host have stored.
    pub fn start_anew(&self) {
        self.visit("about:blank");
        for origin in &*self.origins.borrow() {
            self.forget(origin).unwrap();
        }
    }

    /// Types into the first match of a selector.
    #[track_caller]
    pub fn fill(&self, selector: &str, text: &str) {
        let found = self.find(selector);
        let filled = found.and_then(|at| self.command("POST", &format!("{at}/value"), Some(&json!({ "text": text }))));
        filled.unwrap_or_else(|error| panic!("{selector}: {error}"));
    }

    /// The width of the window, and whether the user wants dark colours.
    pub fn shape(&self, width: u32, dark: bool) {
        let scheme = if dark { "dark" } else { "light" };
        let window = json!({ "width": width, "height": 800, "deviceScaleFactor": 1, "mobile": false });
        let media = json!({ "features": [{ "name": "prefers-color-scheme", "value": scheme }] });
        self.cdp("Emulation.setDeviceMetricsOverride", &window);
        self.cdp("Emulation.setEmulatedMedia", &media);
    }

    /// The result of a script.
    #[track_caller]
    pub fn run(&self, script: &str) -> Value {
        let answer = self.command("POST", "/execute/sync", Some(&json!({ "script": script, "args": [] })));
        answer.unwrap_or_else(|error| panic!("{script}: {error}"))
    }

    /// The value of an expression.
    #[track_caller]
    pub fn of(&self, expression: &str) -> Value {
        self.run(&format!("return {expression}"))
    }

    /// Waits until an expression is this.
    #[track_caller]
    pub fn until(&self, expression: &str, wanted: &Value) {
        let begun = Instant::now();
        let mut pause = Duration::from_millis(4);
        loop {
            let found = self.of(expression);
            if found == *wanted {
                return;
            }
            assert!(begun.elapsed() < TIMEOUT, "{expression} is {found}, not {wanted}");
            // The awaited change may be the work of a low-priority process on the same processor.
            thread::sleep(pause);
            pause = MAX_POLL_INTERVAL.min(pause * 3 / 2);
        }
    }

    /// The window as it is seen, as PNG.
    pub fn picture(&self) -> Vec<u8> {
        from_base64(self.command("GET", "/screenshot", None).unwrap().as_str().unwrap())
    }

    fn act(&self, source: &Value) {
        self.command("POST", "/actions", Some(&json!({ "actions": [source] }))).unwrap();
    }

    /// Types to whatever has the focus.
    pub fn type_keys(&self, keys: impl Into<String>) {
        let strokes = |key: char| ["keyDown", "keyUp"].map(|kind| json!({ "type": kind, "value": key.to_string() }));
        let actions: Vec<Value> = keys.into().chars().flat_map(strokes).collect();
        self.act(&json!({ "type": "key", "id": "keys", "actions": actions }));
    }

    /// Clicks at a place of the window.
    pub fn click_at(&self, place: [i64; 2]) {
        self.drag(&[place]);
    }

    /// Presses the mouse at a place of the window, moves it through others, and lets go at the last.
    pub fn drag(&self, places: &[[i64; 2]]) {
        let mut actions = Vec::new();
        for [x, y] in places {
            actions.push(json!({ "type": "pointerMove", "duration": 0, "origin": "viewport", "x": x, "y": y }));
            if actions.len() == 1 {
                actions.push(json!({ "type": "pointerDown", "button": 0 }));
            }
        }
        actions.push(json!({ "type": "pointerUp", "button": 0 }));
        let mouse = json!({ "pointerType": "mouse" });
        self.act(&json!({ "type": "pointer", "id": "mouse", "parameters": mouse, "actions": actions }));
    }

    /// Touches places of the window one after another without letting go, then lets go.
    pub fn touch(&self, places: &[[i64; 2]]) {
        for (n, [x, y]) in places.iter().enumerate() {
            let kind = if n == 0 { "touchStart" } else { "touchMove" };
            self.cdp("Input.dispatchTouchEvent", &json!({ "type": kind, "touchPoints": [{ "x": x, "y": y }] }));
        }
        self.cdp("Input.dispatchTouchEvent", &json!({ "type": "touchEnd", "touchPoints": [] }));
    }

    /// Clicks the first match of a selector, again if the page has renewed it meanwhile.
    #[track_caller]
    pub fn click(&self, selector: &str) {
        let click = || self.command("POST", &format!("{}/click", self.find(selector)?), None);
        let clicked = click().or_else(|error| if error.contains("stale") { click() } else { Err(error) });
        clicked.unwrap_or_else(|error| panic!("{selector}: {error}"));
    }
}

impl Drop for Browser {
    fn drop(&mut self) {
        if matches!(self.owner, Owner::Script(_)) && self.clear().is_err() {
            return;
        }
        match &mut self.owner {
            Owner::Test(driver) => {
                if !self.session.is_empty() {
                    let _ = send("DELETE", &self.session, None);
                }
                let _ = driver.kill();
                let _ = driver.wait();
            }
            Owner::Script(file) => {
                let _ = file.rewind().and_then(|()| file.write_all(self.session.as_bytes()));
            }
        }
    }
}
