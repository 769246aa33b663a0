//! The rules of a game as a program, and its processes.

use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};
use std::thread::{self, ThreadId};
use std::time::{Duration, Instant};

use agon_referee::process::ProgramSpec;

use crate::description::Description;
use crate::limits::{QUESTION_TIMEOUT, START_TIMEOUT, max_processes};
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

/// A process that waits for its next question.
#[derive(Debug)]
struct Idle {
    /// The thread that asked it last.
    thread: ThreadId,
    since: Instant,
    process: RulesProcess,
}

/// The processes of one rules program.
#[derive(Debug, Default)]
struct Pool {
    idle: Vec<Idle>,
    /// Number of processes that answer a question or are being started.
    busy: usize,
}

/// Rules as a program.
#[derive(Debug)]
pub(crate) struct Rules {
    pub description: Description,
    /// Seats and names that live as long as the row.
    pub seats: [&'static str; 2],
    program: ProgramSpec,
    pool: Mutex<Pool>,
    /// Raised when a process has become idle or has ended.
    freed: Condvar,
}

/// A process that answers a question. Dropping it without giving it back ends it.
struct Busy<'a> {
    rules: &'a Rules,
    process: Option<RulesProcess>,
    /// What it leaves to the next question.
    kept: Option<Idle>,
}

impl Busy<'_> {
    const fn process(&mut self) -> &mut RulesProcess {
        self.process.as_mut().expect("until it is dropped it has one")
    }

    /// Leaves it to the next question.
    fn give(mut self) {
        let process = self.process.take().expect("until it is dropped it has one");
        self.kept = Some(Idle { thread: thread::current().id(), since: Instant::now(), process });
    }
}

impl Drop for Busy<'_> {
    fn drop(&mut self) {
        // Ending a process takes longer than anything that is done under the lock.
        drop(self.process.take());
        // From busy to idle in one step: a process counts once at any time.
        let mut pool = self.rules.pool();
        pool.busy -= 1;
        pool.idle.extend(self.kept.take());
        drop(pool);
        self.rules.freed.notify_one();
    }
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
        let idle = vec![Idle { thread: thread::current().id(), since: Instant::now(), process }];
        Self { description, seats, program, pool: Mutex::new(Pool { idle, busy: 0 }), freed: Condvar::new() }
    }

    /// Asks questions about the state with this key, which another process reaches by `way`. `after` is the key of the
    /// state that a process reaches when it accepts the first question.
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
        let mut busy = self.take(key)?;
        let process = busy.process();
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
        busy.give();
        Ok(answers)
    }

    /// Asks questions that themselves lead to the right state.
    ///
    /// # Errors
    /// See [`Rules::ask`].
    pub(crate) fn ask_all(&self, questions: &str, count: usize) -> Result<Vec<Answer>, String> {
        let mut busy = self.take(0)?;
        let process = busy.process();
        process.holds = None;
        let answers = process.ask(questions, count, QUESTION_TIMEOUT + Duration::from_millis(count as u64))?;
        busy.give();
        Ok(answers)
    }

    /// Ends all idle processes: the next question goes to a fresh one.
    pub(crate) fn forget(&self) {
        let idle = std::mem::take(&mut self.pool().idle);
        drop(idle);
    }

    /// Ends the processes that have been idle for this time.
    pub(crate) fn end_idle(&self, time: Duration) {
        let late: Vec<Idle> = self.pool().idle.extract_if(.., |idle| idle.since.elapsed() >= time).collect();
        drop(late);
    }

    /// Leaves the processes to the process from which this one was forked.
    pub(crate) fn disown(&self) {
        if let Ok(mut pool) = self.pool.try_lock() {
            std::mem::take(&mut pool.idle).into_iter().for_each(std::mem::forget);
        }
    }

    fn pool(&self) -> MutexGuard<'_, Pool> {
        self.pool.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// An idle process, preferably the one that holds the state with this key, or else one of this thread, which runs
    /// where this thread does; otherwise a new one, or, at the maximum number, the one that has been idle longest. If
    /// all are busy, it waits: each has a limit for its answer.
    fn take(&self, key: u64) -> Result<Busy<'_>, String> {
        let own = thread::current().id();
        let mut pool = self.pool();
        let idle = loop {
            let at = |found: &dyn Fn(&Idle) -> bool| pool.idle.iter().rposition(found);
            let found = at(&|idle| idle.process.holds == Some(key)).or_else(|| at(&|idle| idle.thread == own));
            let is_full = pool.idle.len() + pool.busy >= max_processes();
            match found.or_else(|| is_full.then_some(0).filter(|_| !pool.idle.is_empty())) {
                Some(at) => break Some(pool.idle.remove(at)),
                None if !is_full => break None,
                None => pool = self.freed.wait(pool).unwrap_or_else(PoisonError::into_inner),
            }
        };
        pool.busy += 1;
        drop(pool);
        let mut busy = Busy { rules: self, process: idle.map(|idle| idle.process), kept: None };
        if busy.process.is_none() {
            let mut process = RulesProcess::start(&self.program)?;
            // Runtimes take their time to start; the first answer shows that this one has.
            process.ask("GAME\n", 1, START_TIMEOUT)?;
            busy.process = Some(process);
        }
        Ok(busy)
    }
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::{AtomicBool, Ordering};

    use super::*;

    const SCRIPT: &str = "import sys, time
for line in sys.stdin:
    time.sleep(0.02)
    print('name slow\\nok' if line == 'GAME\\n' else 'turn first\\nok', flush=True)";

    #[test]
    fn processes_are_bounded_and_idle_ones_end() {
        let program = ProgramSpec::unjailed(["python3", "-c", SCRIPT].map(str::to_owned).to_vec());
        let (description, process) = Rules::describe(&program).unwrap();
        let rules = Rules::new(program, description, ["A", "B"], process);
        let count = || {
            let pool = rules.pool();
            pool.idle.len() + pool.busy
        };
        let is_done = AtomicBool::new(false);
        let seen = thread::scope(|scope| {
            let watcher = scope.spawn(|| {
                let mut seen = 0;
                while !is_done.load(Ordering::Relaxed) {
                    seen = seen.max(count());
                    thread::yield_now();
                }
                seen
            });
            let askers: Vec<_> = (0..3 * max_processes())
                .map(|_| scope.spawn(|| (0..5).for_each(|_| drop(rules.ask_all("START 1\n", 1).unwrap()))))
                .collect();
            for asker in askers {
                asker.join().unwrap();
            }
            is_done.store(true, Ordering::Relaxed);
            watcher.join().unwrap()
        });
        assert!((2..=max_processes()).contains(&seen), "{seen} of {}", max_processes());
        rules.end_idle(Duration::from_mins(1));
        assert!(count() > 0, "they are kept for the next question");
        rules.end_idle(Duration::ZERO);
        assert_eq!(count(), 0);
        rules.ask_all("START 1\n", 1).unwrap();
        assert_eq!(count(), 1);
    }
}
