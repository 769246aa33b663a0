//! `agon board` in a separate process.

use std::io::{BufRead, BufReader};
use std::process::{Child, Command, Stdio};

use serde_json::{Value, json};

/// A running `agon board`; it is killed with the value.
pub struct ServedBoard {
    child: Child,
    host: String,
}

impl ServedBoard {
    /// Starts one at a free port.
    pub fn start() -> Self {
        Self::start_with(&[])
    }

    /// Starts one with more options.
    pub fn start_with(options: &[&str]) -> Self {
        let mut command = Command::new(env!("CARGO_BIN_EXE_agon"));
        command.args(["board", "--no-open", "--listen", "127.0.0.1:0"]).args(options);
        let mut child = command.stdout(Stdio::piped()).stderr(Stdio::null()).spawn().unwrap();
        let mut lines = BufReader::new(child.stdout.take().unwrap()).lines().map(Result::unwrap);
        let message = lines.next().expect("the boards are served");
        let host = message.split("http://").nth(1).unwrap().split('/').next().unwrap().to_owned();
        Self { child, host }
    }

    /// The address of a path.
    pub fn address(&self, path: &str) -> String {
        format!("http://{}{path}", self.host)
    }

    /// The answer to a question.
    pub fn ask(&self, path: &str, question: &Value) -> Value {
        let mut response = ureq::post(self.address(path))
            .header("content-type", "application/json")
            .send(question.to_string())
            .unwrap_or_else(|error| panic!("{path} {question}: {error}"));
        serde_json::from_str(&response.body_mut().read_to_string().unwrap()).unwrap()
    }

    /// The answer for a path.
    pub fn get(&self, path: &str) -> Value {
        let mut response = ureq::get(self.address(path)).call().unwrap_or_else(|error| panic!("{path}: {error}"));
        serde_json::from_str(&response.body_mut().read_to_string().unwrap()).unwrap()
    }

    /// A strong move in a position. Nodes bound the search, so that it does not depend on the load of the machine.
    pub fn best_move(&self, question: &Value) -> String {
        let mut question = question.clone();
        question["nodes"] = json!(20_000);
        let events = self.analysis(&question);
        let (name, found) = events.iter().rfind(|(name, _)| name == "best" || name == "values").unwrap();
        if name == "best" {
            return found["best"].as_str().unwrap().to_owned();
        }
        let best = found["moves"].as_array().unwrap().iter().find(|one| one["best"] == true).unwrap();
        let numbers: Vec<String> = best["move"].as_array().unwrap().iter().map(ToString::to_string).collect();
        numbers.join(" ")
    }

    /// The events of an analysis to its end: their names and data.
    pub fn analysis(&self, question: &Value) -> Vec<(String, Value)> {
        let asked = ureq::get(self.address("/api/v1/analysis")).query("request", question.to_string());
        let mut response = asked.call().unwrap_or_else(|error| panic!("{question}: {error}"));
        let text = response.body_mut().read_to_string().unwrap();
        let blocks = text.split("\n\n").filter(|block| block.contains("event: "));
        let field = |block: &str, name: &str| {
            block.lines().find_map(|line| line.strip_prefix(name)?.strip_prefix(": ")).unwrap().to_owned()
        };
        blocks.map(|block| (field(block, "event"), serde_json::from_str(&field(block, "data")).unwrap())).collect()
    }
}

impl Drop for ServedBoard {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}
