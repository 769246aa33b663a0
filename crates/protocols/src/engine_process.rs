//! An engine of others: a running program that is spoken to in lines.

use std::io::{self, Read as _, Write as _};
use std::process::{Child, ChildStdin, ChildStdout, Command, ExitStatus, Stdio};
use std::thread;
use std::time::{Duration, Instant};

use agon_referee::protocol::quote_ends;
use rustix::event::{PollFd, PollFlags, Timespec, poll};

use crate::conversation::{Conversation, say};
use crate::line;

/// Time for an engine to exit after closing its output or being asked to quit.
const SHUTDOWN_GRACE: Duration = Duration::from_millis(500);

/// Maximum number of reads, of 8 KiB each, of pending output before an engine is asked.
const MAX_PENDING_READS: usize = 64;

/// Interval of checks whether it has.
const POLL_INTERVAL: Duration = Duration::from_millis(1);

#[derive(Debug, thiserror::Error)]
pub enum EngineError {
    #[error("cannot run the engine `{program}`: {source}")]
    Start { program: String, source: io::Error },
    #[error("the engine `{program}` has ended ({status})")]
    Ended { program: String, status: ExitStatus },
    #[error("the engine `{program}` has closed its output")]
    Closed { program: String },
    #[error("the engine `{program}` has not answered `{question}` within {} ms", limit.as_millis())]
    Silent { program: String, question: String, limit: Duration },
    #[error("the engine `{program}` said `{line}`: {problem}")]
    Nonsense { program: String, line: String, problem: String },
    #[error(transparent)]
    Io(#[from] io::Error),
}

/// A running engine. Dropping it kills it.
#[derive(Debug)]
pub struct EngineProcess {
    name: String,
    child: Child,
    input: Option<ChildStdin>,
    output: ChildStdout,
    /// Bytes read but not yet split into lines.
    bytes: Vec<u8>,
    /// Last command sent.
    question: String,
    conversation: Conversation,
    /// When to report on the error stream that it has not answered: before the judge ends the late bridge.
    overdue: Option<Instant>,
    /// The line that it has begun answers no question asked since.
    stale: bool,
}

impl EngineProcess {
    /// Starts a program with its arguments. Its error stream is ours.
    ///
    /// # Errors
    /// [`EngineError::Start`], also when no program is named.
    pub fn start(words: &[String]) -> Result<Self, EngineError> {
        let name = words.first().cloned().unwrap_or_default();
        let refused = |source| EngineError::Start { program: name.clone(), source };
        let mut child = Command::new(&name)
            .args(words.iter().skip(1))
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .map_err(refused)?;
        let input = child.stdin.take();
        let Some(output) = child.stdout.take() else { return Err(refused(io::ErrorKind::BrokenPipe.into())) };
        Ok(Self {
            name,
            child,
            input,
            output,
            bytes: Vec::new(),
            question: String::new(),
            conversation: Conversation::new(),
            overdue: None,
            stale: false,
        })
    }

    /// Sends it a line, or several.
    ///
    /// # Errors
    /// [`EngineError::Ended`] or [`EngineError::Closed`] when it listens no more.
    pub fn send(&mut self, lines: &str) -> Result<(), EngineError> {
        lines.lines().last().unwrap_or_default().clone_into(&mut self.question);
        self.conversation.sent(lines);
        let Some(input) = &mut self.input else { return Err(self.gone()) };
        match input.write_all(format!("{lines}\n").as_bytes()) {
            Ok(()) => Ok(()),
            Err(error) if error.kind() == io::ErrorKind::BrokenPipe => Err(self.gone()),
            Err(error) => Err(error.into()),
        }
    }

    /// After this time, the question and the engine's output are reported on the error stream, once; `None` if this has
    /// been done.
    pub fn complain_after(&mut self, time: Duration) {
        self.overdue = (!time.is_zero()).then(|| Instant::now() + time);
    }

    /// The last lines of the conversation, for the error stream.
    pub fn last_lines(&self) -> String {
        self.conversation.tail()
    }

    fn complain(&mut self) {
        let said = self.conversation.last_heard().map_or_else(
            || "it has said nothing".to_owned(),
            |line| format!("the last line that it has said is {}", quote_ends(line.as_bytes())),
        );
        let rest = match self.bytes.trim_ascii() {
            [] => String::new(),
            rest => format!(", and without a newline {}", quote_ends(rest)),
        };
        let question = quote_ends(self.question.as_bytes());
        let tail = self.last_lines();
        let line = format!("the engine `{}` has not answered {question} in time: {said}{rest}", self.name);
        // The judge decides what follows.
        say(&format!("{tail}{line}"));
    }

    /// Waits for a line that `pick` accepts, and skips the others.
    ///
    /// # Errors
    /// [`EngineError::Silent`] when none comes within `limit`, [`EngineError::Nonsense`] when `pick` rejects the line
    /// with a reason; others when it has ended.
    pub fn wait_for<T>(
        &mut self,
        limit: Duration,
        mut pick: impl FnMut(&str) -> Option<Result<T, String>>,
    ) -> Result<T, EngineError> {
        let deadline = Instant::now() + limit;
        loop {
            while let Some(line) = self.take_line() {
                self.conversation.heard(&line);
                if std::mem::take(&mut self.stale) {
                    continue;
                }
                match pick(&line) {
                    None => {}
                    Some(Ok(picked)) => {
                        self.overdue = None;
                        return Ok(picked);
                    }
                    Some(Err(problem)) => {
                        return Err(EngineError::Nonsense { program: self.name.clone(), line, problem });
                    }
                }
            }
            let now = Instant::now();
            if self.overdue.is_some_and(|overdue| overdue <= now) {
                self.overdue = None;
                self.complain();
            }
            let left = deadline.saturating_duration_since(now);
            if left.is_zero() {
                let (program, question) = (self.name.clone(), self.question.clone());
                return Err(EngineError::Silent { program, question, limit });
            }
            let quiet = self.overdue.map_or(left, |overdue| overdue.saturating_duration_since(now).min(left));
            self.read(quiet)?;
        }
    }

    /// Discards its pending output, lines that were not asked for. Those that `pick` takes for an answer are reported
    /// as dropped.
    ///
    /// # Errors
    /// See [`EngineProcess::wait_for`], if it has ended.
    pub fn drop_pending(&mut self, pick: impl Fn(&str) -> bool) -> Result<(), EngineError> {
        // One that never stops talking is not listened to for ever.
        for _ in 0..MAX_PENDING_READS {
            if !self.read(Duration::ZERO)? {
                break;
            }
        }
        while let Some(line) = self.take_line() {
            if pick(&line) {
                self.say_dropped(&line);
            }
        }
        self.stale = !self.bytes.is_empty();
        Ok(())
    }

    /// Reports an unrequested answer, on the error stream that the engine also uses.
    pub fn say_dropped(&self, line: &str) {
        say(&format!("warning: the engine `{}` was not asked and said `{line}`: dropped", self.name));
    }

    /// Reads its output, if any arrives within this time; returns whether it did.
    fn read(&mut self, left: Duration) -> Result<bool, EngineError> {
        let timeout = Timespec { tv_sec: left.as_secs() as i64, tv_nsec: i64::from(left.subsec_nanos()) };
        let ready = {
            let mut fds = [PollFd::new(&self.output, PollFlags::IN)];
            poll(&mut fds, Some(&timeout))
        };
        match ready {
            Ok(0) | Err(rustix::io::Errno::INTR) => return Ok(false),
            Ok(_) => {}
            Err(error) => return Err(io::Error::from(error).into()),
        }
        let mut chunk = [0; 8192];
        match self.output.read(&mut chunk) {
            Ok(0) => Err(self.gone()),
            Ok(n) => {
                // Of an endless line, no more is kept than a meaningful line could have.
                if self.bytes.len() < line::KEPT {
                    self.bytes.extend_from_slice(&chunk[..n]);
                } else if let Some(end) = chunk[..n].iter().position(|&byte| byte == b'\n') {
                    self.bytes.extend_from_slice(&chunk[end..n]);
                }
                Ok(true)
            }
            Err(error) if error.kind() == io::ErrorKind::Interrupted => Ok(false),
            Err(error) => Err(error.into()),
        }
    }

    /// The next whole line that is not blank.
    fn take_line(&mut self) -> Option<String> {
        loop {
            let end = self.bytes.iter().position(|byte| matches!(byte, b'\n' | b'\r'))?;
            let line = String::from_utf8_lossy(self.bytes[..end].trim_ascii()).into_owned();
            self.bytes.drain(..=end);
            if !line.is_empty() {
                return Some(line);
            }
        }
    }

    /// Returns why it no longer responds.
    fn gone(&mut self) -> EngineError {
        let program = self.name.clone();
        match self.ended_by(Instant::now() + SHUTDOWN_GRACE / 5) {
            Some(status) => EngineError::Ended { program, status },
            None => EngineError::Closed { program },
        }
    }

    fn ended_by(&mut self, deadline: Instant) -> Option<ExitStatus> {
        loop {
            if let Ok(Some(status)) = self.child.try_wait() {
                return Some(status);
            }
            if Instant::now() >= deadline {
                return None;
            }
            thread::sleep(POLL_INTERVAL);
        }
    }

    /// Sends it the command to quit, and ends it if it does not go by itself.
    pub fn dismiss(mut self, command: &str) {
        // An engine that has already exited needs no command.
        let _ = self.send(command);
        self.input = None;
        self.ended_by(Instant::now() + SHUTDOWN_GRACE);
    }
}

impl Drop for EngineProcess {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}
