//! A running rules program: questions in, answers out, each within limits.

use std::io;
use std::time::{Duration, Instant};

use agon_referee::process::{self, Process, ProcessEvent, ProgramSpec, wait_for_event};
use agon_referee::protocol::quote;
use agon_referee::text::line;
use agon_referee::{advice, cause};

use crate::limits::{MAX_ANSWER_BYTES, MAX_LINE_BYTES, MAX_MEMORY_MIB};

/// An answer to one question.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) enum Answer {
    /// Its lines, without the final `ok`.
    Lines(Vec<String>),
    /// `no`, and the reason.
    No(String),
}

/// A running rules program.
#[derive(Debug)]
pub(crate) struct RulesProcess {
    process: Process,
    /// The state of play that it holds, by its key; `None` where that is not known.
    pub holds: Option<u64>,
}

impl RulesProcess {
    /// Starts it.
    ///
    /// # Errors
    /// The reason why it cannot be started.
    pub(crate) fn start(program: &ProgramSpec) -> Result<Self, String> {
        let mut process = Process::start(program, Some(MAX_MEMORY_MIB << 20)).map_err(|error| error.to_string())?;
        process.allow_lines_of(MAX_LINE_BYTES);
        Ok(Self { process, holds: None })
    }

    /// Sends questions, each a line with its newline, and reads as many answers.
    ///
    /// # Errors
    /// Its error, in words; it must not be asked again afterwards.
    pub(crate) fn ask(&mut self, questions: &str, answers: usize, limit: Duration) -> Result<Vec<Answer>, String> {
        if let Some(at) = self.process.pending_output().iter().position(|&byte| byte == b'\n') {
            let wrote = quote(&self.process.pending_output()[..at]);
            return Err(format!("they wrote {wrote} without having been asked"));
        }
        let deadline = Instant::now() + limit;
        let asked = match self.process.write(questions.as_bytes(), limit) {
            Ok(asked) => asked,
            Err(error) => return Err(self.silence(questions, limit, error.kind() == io::ErrorKind::TimedOut)),
        };
        let mut read = Vec::with_capacity(answers);
        let mut lines: Vec<String> = Vec::new();
        let mut bytes = 0;
        while read.len() < answers {
            let text = match self.process.next_line() {
                Some(text) => text,
                None => self.wait(questions, deadline, asked.written, limit)?,
            };
            bytes += text.len() + 1;
            if bytes > MAX_ANSWER_BYTES * answers {
                return Err(format!("they answered {} with more than {MAX_ANSWER_BYTES} bytes", first(questions)));
            }
            let text = String::from_utf8(text)
                .map_err(|error| format!("they answered {}, which is no UTF-8", quote(error.as_bytes())))?;
            let text = text.trim_end();
            if text == "ok" {
                read.push(Answer::Lines(std::mem::take(&mut lines)));
            } else if let Some(reason) = text.strip_prefix("no").filter(|rest| rest.is_empty() || rest.starts_with(' '))
            {
                if let Some(line) = lines.first() {
                    return Err(format!("they wrote both {} and `no`", quote(line.as_bytes())));
                }
                read.push(Answer::No(line(reason.trim())));
            } else {
                lines.push(text.to_owned());
            }
        }
        Ok(read)
    }

    fn wait(&mut self, questions: &str, deadline: Instant, asked: Instant, limit: Duration) -> Result<Vec<u8>, String> {
        let seen = wait_for_event(&mut [Some(&mut self.process), None], &[Some(deadline), None], asked);
        match seen.event {
            ProcessEvent::Line(line) => Ok(line),
            _ if process::interrupted() => Err("the judge was stopped".to_owned()),
            ProcessEvent::Overlong(line) => {
                Err(format!("they answered {}: longer than {MAX_LINE_BYTES} bytes", quote(&line)))
            }
            ProcessEvent::Failed(problem) => Err(problem),
            event => Err(self.silence(questions, limit, matches!(event, ProcessEvent::Late(_)))),
        }
    }

    /// Returns why there is no answer: a timeout, or the program has ended.
    fn silence(&mut self, questions: &str, limit: Duration, late: bool) -> String {
        let question = first(questions);
        if process::interrupted() {
            return "the judge was stopped".to_owned();
        }
        if self.process.over_memory() {
            return format!("they exceeded the memory limit ({MAX_MEMORY_MIB} MiB) over {question}");
        }
        // Waiting for its end closes its input, at which a program may well exit.
        let exit = if late { Ok(None) } else { self.process.wait(Instant::now() + Duration::from_millis(100)) };
        let words = self.process.last_words();
        let said = cause::message_line(&words).and_then(|at| words.lines().nth(at));
        let said = said.map_or_else(String::new, |said| format!("; their last message: `{}`", line(said.trim())));
        match exit {
            Ok(Some(exit)) => format!("they ended with {exit} over {question}{said}"),
            _ => {
                let flush = advice::flush(self.process.sight());
                let seconds = limit.as_secs();
                format!(
                    "they did not answer {question} within {seconds} s{said}; check that they flush each answer \
                     ({flush}) and end it with `ok`"
                )
            }
        }
    }
}

/// The first of some questions, for messages.
fn first(questions: &str) -> String {
    quote(questions.lines().next().unwrap_or_default().as_bytes()).to_string()
}
