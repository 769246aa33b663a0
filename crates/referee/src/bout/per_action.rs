//! A bout played per action: BEGIN to both programs, then one prompt for every action of every actor.
//!
//! | who | how it is asked |
//! |---|---|
//! | a program | a process for every input, which ends with the input; its answer is all that it writes until it ends |
//! | one that stays alive | each input is followed by one more newline, its answer is one line; `END` ends it |
//! | a built-in | within this process |
//!
//! There is no clock for the whole bout: every invocation has the same time
//! ([`GameLimits::invocation_ms`](crate::limits::GameLimits::invocation_ms)). When a program has no answer in time,
//! crashes, or gives an invalid answer, the actor does what the rules prescribe for an empty answer, and the record
//! gives the reason. Only a failure at BEGIN, before there are any actors, loses the bout, with verdict RE.

use std::time::{Duration, Instant};

use agon_game::{GameState, Side};
use rustix::process::Signal;

use crate::agent::Seat;
use crate::failures::FailureKinds;
use crate::fault_reason::{ActionFailure, FaultReason};
use crate::process::{self, Moment};
use crate::protocol::{BEGIN, MAX_KEPT_BYTES, quote, text_of};
use crate::report::{ActionCounts, MAX_TRANSCRIPT_BYTES, Played, RecordEntry, Report, Spectator, Way, Winner};
use crate::verdict::{AgentVerdict, Fault, Verdict};
use agon_message::{IntoReason as _, Stated};

/// Plays a bout per action.
pub(super) fn play(state: &mut dyn GameState, seats: &mut [Seat; 2], spectator: &mut dyn Spectator) -> Report {
    let mut bout = ActionBout::new(state, seats);
    for side in Side::BOTH {
        bout.faults[side.index()] = bout.begin(side).err();
    }
    if bout.faults == [None, None] {
        spectator.started(bout.state, bout.used);
        let mut prompt = String::new();
        while let Some(side) = bout.state.turn() {
            if let Err(fault) = bout.action(side, &mut prompt, spectator) {
                bout.faults[side.index()] = Some(fault);
                break;
            }
        }
    }
    bout.close()
}

/// BEGIN only, and only to the first side.
pub(super) fn begin(state: &mut dyn GameState, seats: &mut [Seat; 2]) -> Report {
    let mut bout = ActionBout::new(state, seats);
    bout.faults[0] = bout.begin(Side::First).err();
    bout.close()
}

/// A program's answer to the input of one action.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ActionAnswer {
    pub input: String,
    /// What it did wrong when it was asked to begin, if anything.
    pub begin: Option<Stated>,
    /// Its whole output; empty if that does not count.
    pub answer: String,
    /// The end of its error stream.
    pub stderr: String,
    /// What the actor does, as the judge writes it.
    pub done: String,
    /// Why that differs from the program's answer, if it does.
    pub remark: Option<Stated>,
    /// True if it has no answer because its time was up.
    pub is_late: bool,
    pub moment: Moment,
}

/// How to ask for an action again, to show where the program fails.
#[derive(Clone, Copy, Debug)]
pub struct ActionDebug {
    /// The time limit of the action.
    pub limit: Duration,
    /// What the program is sent when its time is up.
    pub stop: Option<Signal>,
}

/// Asks a program for the action that is due, as in a bout; the game does not change.
///
/// `start` is the same game before both have begun: whether the program stays alive (LOOP) follows from its answer to
/// BEGIN. The invocation gets the seed that it has in the bout.
///
/// # Errors
/// The fault of a program that does not compile, or of a judge that was stopped or could not do its work.
pub fn ask(
    start: &dyn GameState,
    state: &dyn GameState,
    seat: &mut Seat,
    debug: Option<ActionDebug>,
) -> Result<ActionAnswer, Fault> {
    let over = || Fault::new(Verdict::Interrupted, "no actor is left");
    let side = state.turn().ok_or_else(over)?;
    let program = seat.stateless()?;
    let begin = |answer: &[u8]| start.boxed_clone().begin(side, answer);
    let (output, _, failure) = program.begin(|answer| begin(answer) == Ok(true)).into_parts()?;
    let begun = match failure {
        Some(failure) => Err(failure),
        None => begin(&output)
            .map_err(|error| ActionFailure::Refused { answer: quote(output.trim_ascii_end()), error }.into_reason()),
    };
    if begun == Ok(true) {
        program.stay();
    }
    if let Some(ActionDebug { limit, stop }) = debug {
        program.debug(limit, stop);
    }
    let mut input = String::new();
    state.prompt(&mut input);
    let (output, moment, failure) = program.ask(&input, state.ply()).into_parts()?;
    let is_late = failure.is_some() && moment.wall >= program.limit();
    let stderr = program.last_stderr();
    program.finish();
    let answer = text_of(&output);
    let mut state = state.boxed_clone();
    let refused = |error| Fault::new(Verdict::Interrupted, FaultReason::RulesRefuse { answer: quote(&output), error });
    let done = state.answer(&answer).map_err(refused)?;
    let remark = failure.or_else(|| state.remark());
    let begin = begun.err().map(|failure| Stated::from(&*failure));
    let remark = remark.map(|remark| Stated::from(&*remark));
    Ok(ActionAnswer { input, begin, answer, stderr, done, remark, is_late, moment })
}

/// A program's answer to an input that belongs to no game in progress.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct InputAnswer {
    /// Its whole output; empty if that does not count.
    pub answer: String,
    /// Why it has no answer, if so.
    pub failure: Option<Stated>,
    /// The end of its error stream.
    pub stderr: String,
}

/// Asks a program for the answer to an input. `start` is a game before it has begun: whether the program stays alive
/// (LOOP) follows from its answer to BEGIN.
///
/// # Errors
/// As [`ask`].
pub fn ask_input(start: &dyn GameState, seat: &mut Seat, input: &str) -> Result<InputAnswer, Fault> {
    let program = seat.stateless()?;
    let stays = |answer: &[u8]| start.boxed_clone().begin(Side::First, answer) == Ok(true);
    let (output, _, failure) = program.begin(stays).into_parts()?;
    if failure.is_none() && stays(&output) {
        program.stay();
    }
    let (output, _, failure) = program.ask(input, 0).into_parts()?;
    let stderr = program.last_stderr();
    program.finish();
    Ok(InputAnswer { answer: text_of(&output), failure: failure.map(|failure| Stated::from(&*failure)), stderr })
}

struct ActionBout<'a> {
    state: &'a mut dyn GameState,
    seats: &'a mut [Seat; 2],
    start: Instant,
    used: [Duration; 2],
    faults: [Option<Fault>; 2],
    entries: Vec<RecordEntry>,
    /// An upper bound on the bytes that the entries take in the record.
    size: usize,
    counts: ActionCounts,
    kinds: FailureKinds,
}

impl<'a> ActionBout<'a> {
    fn new(state: &'a mut dyn GameState, seats: &'a mut [Seat; 2]) -> Self {
        Self {
            state,
            seats,
            start: Instant::now(),
            used: [Duration::ZERO; 2],
            faults: [None, None],
            entries: Vec::with_capacity(1024),
            size: 0,
            counts: ActionCounts::default(),
            kinds: FailureKinds::default(),
        }
    }

    /// BEGIN to one side, and its answer.
    fn begin(&mut self, side: Side) -> Result<(), Fault> {
        let program = self.seats[side.index()].stateless()?;
        let state = &*self.state;
        let response = program.begin(|answer| state.boxed_clone().begin(side, answer) == Ok(true));
        self.note(side, Way::To, BEGIN.to_owned(), None);
        let (output, moment, failure) = response.into_parts()?;
        let failure = failure.map(|failure| Stated::from(&*failure));
        self.note(side, Way::From, text_of(&output), failure.clone());
        if let Some(failure) = failure {
            return Err(Fault::begin_failed(failure));
        }
        let begun = self.state.begin(side, &output);
        let stays = begun.map_err(|error| Fault::begin_refused(&output, &error))?;
        if stays {
            self.seats[side.index()].stateless()?.stay();
        } else if self.seats[side.index()].stateless()?.starts_for_each_action() {
            self.counts.begin_us[side.index()] = moment.wall.as_micros() as u64;
        }
        Ok(())
    }

    /// One action of the side on turn.
    fn action(&mut self, side: Side, prompt: &mut String, spectator: &mut dyn Spectator) -> Result<(), Fault> {
        let at = side.index();
        let action = self.state.ply();
        // Built-ins never ask.
        if process::interrupted() {
            return Err(Fault::interrupted());
        }
        if self.size > MAX_TRANSCRIPT_BYTES {
            let mib = MAX_TRANSCRIPT_BYTES >> 20;
            let reason = FaultReason::RecordFull { actions: action, limit_mib: mib };
            return Err(Fault::new(Verdict::Interrupted, reason));
        }
        self.state.prompt(prompt);
        let program = self.seats[at].stateless()?;
        let (output, moment, failure) = program.ask(prompt, action).into_parts()?;
        // Failures are not compared: whether an answer comes in time depends on the machine, too.
        if failure.is_none()
            && let Some(again) = program.ask_again(prompt, action)
            && let (again, _, None) = again.into_parts()?
        {
            self.counts.rechecked[at] += 1;
            self.counts.differing[at] += u32::from(again != output);
        }
        let answer = text_of(&output);
        let arguments = self.state.answer(&answer).map_err(|error| {
            Fault::new(Verdict::Interrupted, FaultReason::RulesRefuse { answer: quote(&output), error })
        })?;
        let mut remark = failure.or_else(|| self.state.remark()).map(|remark| Stated::from(&*remark));
        self.counts.remarked[at] += u32::from(remark.is_some());
        self.used[at] += moment.wall;
        let new = remark.as_ref().is_some_and(|remark| self.kinds.is_new(side, &remark.text));
        // For the others the record has only the text: there may be tens of thousands.
        if let Some(remark) = remark.as_mut().filter(|_| !new) {
            remark.keyed = None;
        }
        let stderr = if new { Some(program.last_stderr()).filter(|text| !text.is_empty()) } else { None };
        let messages = stderr.clone();
        let (line, cut) = self.kept(answer);
        self.note(side, Way::From, line, remark.clone());
        if let Some(entry) = self.entries.last_mut() {
            (entry.cut, entry.moment, entry.stderr) = (cut, Some(moment), stderr);
            self.size += entry.stderr.as_ref().map_or(0, |_| entry.size());
        }
        let played = Played { side, arguments, moment, clocks: self.used, remark, evaluation: None, messages };
        spectator.moved(self.state, &played);
        Ok(())
    }

    /// The part of an answer that the record keeps, and how many bytes it leaves out. A game on 20 × 20 has tens of
    /// thousands of answers of up to 4096 bytes.
    fn kept(&self, answer: String) -> (String, u64) {
        if answer.len() <= MAX_KEPT_BYTES {
            return (answer, 0);
        }
        let line = self.state.abridged(&answer, MAX_KEPT_BYTES);
        let cut = answer.len().saturating_sub(line.len()) as u64;
        (line, cut)
    }

    /// Ends the programs and creates the report.
    fn close(self) -> Report {
        let mut traces = [(String::new(), 0), (String::new(), 0)];
        for (seat, traces) in self.seats.iter_mut().zip(&mut traces) {
            if let Seat::Stateless(program) = seat {
                program.finish();
                *traces = program.traces();
            }
        }
        let (winner, reason) = Winner::decide(self.state, &self.faults, &self.faults, None);
        let [(first, first_peak), (second, second_peak)] = traces;
        Report {
            winner,
            reason,
            termination: None,
            score: self.state.score(),
            plies: self.state.ply(),
            time: self.used,
            verdicts: self.faults.map(AgentVerdict::from),
            entries: self.entries,
            stderr: [first, second],
            peak_memory: [first_peak, second_peak],
            remains: Default::default(),
            invocations: Some(self.counts),
            messages: Vec::new(),
        }
    }

    fn note(&mut self, side: Side, way: Way, line: String, remark: Option<Stated>) {
        let at = self.start.elapsed();
        let entry = RecordEntry { remark, ..RecordEntry::new(at, side, way, line) };
        self.size += entry.size();
        self.entries.push(entry);
    }
}
