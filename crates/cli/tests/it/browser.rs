//! A real Chromium, driven through its `WebDriver`.

use std::io::{BufRead, BufReader};
use std::path::Path;
use std::process::{Child, Command};
use std::thread;
use std::time::{Duration, Instant};

use serde_json::{Value, json};
use thirtyfour::support::block_on;
use thirtyfour::{By, ChromiumLikeCapabilities, DesiredCapabilities, TypingData, WebDriver};

/// No change of a page takes so long.
const TIMEOUT: Duration = Duration::from_mins(2);

/// The message if there is no browser.
const REMEDY: &str = "`chromedriver` cannot be started: install Chromium and its driver by scripts/test, or by \
                      `apt-get install chromium chromium-driver`";

/// A driver that listens, and its port; what it said instead.
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

/// A browser with one window; it ends with the value.
pub struct Browser {
    driver: Option<WebDriver>,
    process: Child,
}

impl Browser {
    /// Starts one.
    pub fn new() -> Self {
        // On a machine full of processes a driver may end before it listens: another is started.
        let mut said = String::new();
        let (process, port) =
            (0..5).find_map(|_| start_driver(&mut said)).unwrap_or_else(|| panic!("{REMEDY}:\n{said}"));
        let mut browser = Self { driver: None, process };
        let mut wanted = DesiredCapabilities::chrome();
        for argument in
            ["--headless=new", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage", "--hide-scrollbars"]
        {
            wanted.add_arg(argument).unwrap();
        }
        let driver = block_on(WebDriver::new(format!("http://127.0.0.1:{port}"), wanted));
        browser.driver = Some(driver.unwrap_or_else(|error| panic!("{REMEDY}: {error}")));
        browser
    }

    fn driver(&self) -> &WebDriver {
        self.driver.as_ref().unwrap()
    }

    /// Opens a file, at what stands after the `#`.
    pub fn open(&self, page: &Path, at: &str) {
        // Another fragment alone would not load the page again.
        block_on(self.driver().goto("about:blank")).unwrap();
        block_on(self.driver().goto(format!("file://{}#{at}", page.display()))).unwrap();
    }

    /// Opens an address.
    pub fn visit(&self, address: &str) {
        block_on(self.driver().goto(address)).unwrap_or_else(|error| panic!("{address}: {error}"));
    }

    /// Types into what a selector finds first.
    #[track_caller]
    pub fn fill(&self, selector: &str, text: &str) {
        let filled = block_on(async { self.driver().find(By::Css(selector)).await?.send_keys(text).await });
        filled.unwrap_or_else(|error| panic!("{selector}: {error}"));
    }

    /// The width of the window, and whether the user wants dark colours.
    pub fn shape(&self, width: u32, dark: bool) {
        let scheme = if dark { "dark" } else { "light" };
        let window = json!({ "width": width, "height": 800, "deviceScaleFactor": 1, "mobile": false });
        let media = json!({ "features": [{ "name": "prefers-color-scheme", "value": scheme }] });
        block_on(async {
            let cdp = self.driver().cdp();
            cdp.send_raw("Emulation.setDeviceMetricsOverride", window).await.unwrap();
            cdp.send_raw("Emulation.setEmulatedMedia", media).await.unwrap();
        });
    }

    /// Slows the page's processor by this factor: 4 is an average telephone.
    pub fn slow_down(&self, times: u32) {
        block_on(self.driver().cdp().send_raw("Emulation.setCPUThrottlingRate", json!({ "rate": times }))).unwrap();
    }

    /// What a script returns.
    #[track_caller]
    pub fn run(&self, script: &str) -> Value {
        let answer = block_on(self.driver().execute(script, Vec::new()));
        answer.unwrap_or_else(|error| panic!("{script}: {error}")).json().clone()
    }

    /// What an expression is.
    #[track_caller]
    pub fn of(&self, expression: &str) -> Value {
        self.run(&format!("return {expression}"))
    }

    /// Waits until an expression is this.
    #[track_caller]
    pub fn until(&self, expression: &str, wanted: &Value) {
        let begun = Instant::now();
        loop {
            let found = self.of(expression);
            if found == *wanted {
                return;
            }
            assert!(begun.elapsed() < TIMEOUT, "{expression} is {found}, not {wanted}");
            // What is waited for may be the work of a process of low priority on the same processor.
            std::thread::sleep(Duration::from_millis(5));
        }
    }

    /// The window as it is seen, as PNG.
    pub fn picture(&self) -> Vec<u8> {
        block_on(self.driver().screenshot_as_png()).unwrap()
    }

    /// Types to whatever has the focus.
    pub fn type_keys(&self, keys: impl Into<TypingData>) {
        block_on(self.driver().action_chain().send_keys(keys).perform()).unwrap();
    }

    /// Clicks at a place of the window.
    pub fn click_at(&self, [x, y]: [i64; 2]) {
        block_on(self.driver().action_chain().move_to(x, y).click().perform()).unwrap();
    }

    /// Presses the mouse at a place of the window, moves it through others, and lets go at the last.
    pub fn drag(&self, places: &[[i64; 2]]) {
        let mut chain = self.driver().action_chain();
        for (n, &[x, y]) in places.iter().enumerate() {
            chain = chain.move_to(x, y);
            if n == 0 {
                chain = chain.click_and_hold();
            }
        }
        block_on(chain.release().perform()).unwrap();
    }

    /// Touches places of the window one after another without letting go, then lets go.
    pub fn touch(&self, places: &[[i64; 2]]) {
        block_on(async {
            let cdp = self.driver().cdp();
            for (n, [x, y]) in places.iter().enumerate() {
                let kind = if n == 0 { "touchStart" } else { "touchMove" };
                let event = json!({ "type": kind, "touchPoints": [{ "x": x, "y": y }] });
                cdp.send_raw("Input.dispatchTouchEvent", event).await.unwrap();
            }
            let event = json!({ "type": "touchEnd", "touchPoints": [] });
            cdp.send_raw("Input.dispatchTouchEvent", event).await.unwrap();
        });
    }

    /// Clicks what a selector finds first; once more if the page has renewed it meanwhile.
    #[track_caller]
    pub fn click(&self, selector: &str) {
        let click = || block_on(async { self.driver().find(By::Css(selector)).await?.click().await });
        let clicked = click().or_else(|error| if error.to_string().contains("stale") { click() } else { Err(error) });
        clicked.unwrap_or_else(|error| panic!("{selector}: {error}"));
    }
}

impl Drop for Browser {
    fn drop(&mut self) {
        if let Some(driver) = self.driver.take() {
            let _ = block_on(driver.quit());
        }
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}
