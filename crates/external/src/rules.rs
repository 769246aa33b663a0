//! The rules of a game as a program, and its processes.

use std::sync::{Mutex, MutexGuard, PoisonError};
use std::thread::{self, ThreadId};
use std::time::Duration;

use agon_referee::process::ProgramSpec;

use crate::description::Description;
use crate::limits::{MAX_IDLE_PROCESSES, QUESTION_TIMEOUT, START_TIMEOUT};
use crate::process::{Answer, RulesProcess};

/// Maximum number of questions on the way to a state that are sent at once.
const MAX_PART: usize = 100;

fn text_of(lines: &[&str]) -> String {
    lines.iter().flat_map(|line| [*line, "\n"]).collect()
}

/// Checks that previously accepted questions are accepted again.
fn accepted(questions: &[&str], answers: Vec<Answer>) -> Result<(), String> {
    for (question, answer) in questions.iter().zip(answers) {
        if let Answer::No(reason) = answer {
            return Err(format!("they refused `{question}`, which they had accepted before: {reason}"));
        }
    }
    Ok(())
}

/// Rules as a program.
#[derive(Debug)]
pub(crate) struct Rules {
    pub description: Description,
    /// Seats and names that live as long as the row.
    pub seats: [&'static str; 2],
    program: ProgramSpec,
    idle: Mutex<Vec<(ThreadId, RulesProcess)>>,
}

impl Rules {
    /// Starts a program and asks it for its description.
    ///
    /// # Errors
    /// The error in it.
    pub(crate) fn describe(program: &ProgramSpec) -> Result<(Description, RulesProcess), String> {
        let mut process = RulesProcess::start(program)?;
        match process.ask("GAME\n", 1, START_TIMEOUT)?.remove(0) {
            Answer::Lines(lines) => {
                let read = Description::read(&lines).map_err(|problem| format!("they answered `GAME` with {problem}"));
                Ok((read?, process))
            }
            Answer::No(reason) => Err(format!("they refused `GAME`: {reason}")),
        }
    }

    pub(crate) fn new(
        program: ProgramSpec,
        description: Description,
        seats: [&'static str; 2],
        process: RulesProcess,
    ) -> Self {
        Self { description, seats, program, idle: Mutex::new(vec![(thread::current().id(), process)]) }
    }

    /// Asks questions about the state of this key, which another process reaches by `way`. `after` is the key of the
    /// state in which a process is left that accepts the first question.
    ///
    /// # Errors
    /// The program's error. It is then ended, and the next question goes to another process.
    pub(crate) fn ask(
        &self,
        key: u64,
        after: u64,
        way: &str,
        questions: &str,
        count: usize,
    ) -> Result<Vec<Answer>, String> {
        let mut process = self.take(key)?;
        let lines: Vec<&str> = if process.holds == Some(key) { Vec::new() } else { way.lines().collect() };
        // Long ways in parts, so that writing never waits for answers that are not read; the last part with the
        // questions, in one write and one wait.
        let parts: Vec<&[&str]> = lines.chunks(MAX_PART).collect();
        let (last, before) = parts.split_last().map_or((&[][..], &[][..]), |(last, before)| (*last, before));
        for part in before {
            accepted(part, process.ask(&text_of(part), part.len(), QUESTION_TIMEOUT)?)?;
        }
        let all = text_of(last) + questions;
        let mut answers = process.ask(&all, last.len() + count, QUESTION_TIMEOUT)?;
        let rest = answers.split_off(last.len());
        accepted(last, answers)?;
        let answers = rest;
        process.holds = Some(if matches!(answers.first(), Some(Answer::Lines(_))) { after } else { key });
        self.give(process);
        Ok(answers)
    }

    /// Asks questions that themselves lead to the right state.
    ///
    /// # Errors
    /// See [`Rules::ask`].
    pub(crate) fn ask_all(&self, questions: &str, count: usize) -> Result<Vec<Answer>, String> {
        let mut process = self.take(0)?;
        process.holds = None;
        let answers = process.ask(questions, count, QUESTION_TIMEOUT + Duration::from_millis(count as u64))?;
        self.give(process);
        Ok(answers)
    }

    /// Ends all processes: the next question goes to a fresh one.
    pub(crate) fn forget(&self) {
        let idle = std::mem::take(&mut *self.idle());
        drop(idle);
    }

    /// Leaves the processes to the process from which this one was forked.
    pub(crate) fn disown(&self) {
        if let Ok(mut idle) = self.idle.try_lock() {
            std::mem::take(&mut *idle).into_iter().for_each(std::mem::forget);
        }
    }

    fn idle(&self) -> MutexGuard<'_, Vec<(ThreadId, RulesProcess)>> {
        self.idle.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// An idle process, best the one that holds the state of this key, else one of this thread, which runs where this
    /// thread does; else a new one.
    fn take(&self, key: u64) -> Result<RulesProcess, String> {
        let own = thread::current().id();
        {
            let mut idle = self.idle();
            let at = |found: &dyn Fn(&(ThreadId, RulesProcess)) -> bool| idle.iter().rposition(found);
            let found = at(&|(_, process)| process.holds == Some(key)).or_else(|| at(&|(thread, _)| *thread == own));
            if let Some(at) = found {
                return Ok(idle.swap_remove(at).1);
            }
        }
        let mut process = RulesProcess::start(&self.program)?;
        // Runtimes take their time to start; the first answer shows that this one has.
        process.ask("GAME\n", 1, START_TIMEOUT)?;
        Ok(process)
    }

    fn give(&self, process: RulesProcess) {
        let mut idle = self.idle();
        idle.push((thread::current().id(), process));
        let oldest = (idle.len() > MAX_IDLE_PROCESSES).then(|| idle.remove(0));
        drop(idle);
        // Ending a process takes longer than anything that is done under the lock.
        drop(oldest);
    }
}
