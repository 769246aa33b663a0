//! A bout in which each agent is one program for the whole game: READY to both, then for each ply OPP and TURN in one
//! write and the answer in one read, then FINISH.

use std::fmt::Write as _;
use std::time::{Duration, Instant};

use agon_game::{Evaluation, GameState, Side};
use agon_message::Stated;

use crate::adjudication::{Adjudicated, Adjudicator};
use crate::agent::Seat;
use crate::agent::seat::{Asking, judge_event, judge_ready, out_of_memory, snapshot};
use crate::bout::recorded::announced;
use crate::cause;
use crate::clock::RunningClock;
use crate::evaluation;
use crate::fault_kind::{FaultKind, TimeSpent};
use crate::fault_reason::FaultReason;
use crate::limits::{Afterwards, GameLimits, STAY_VARIABLE};
use crate::process::{
    self, Asked, Delays, Moment, NORMAL_LATENCY, ProcessEvent, Remains, Seen, StandardStream, StderrTap, Tap,
    TappedPiece, wait_for_event,
};
use crate::protocol::{JudgeCommand, move_arguments, quote, text_of, time_left};
use crate::report::{
    BoutReason, MAX_MESSAGE_BYTES, MAX_MESSAGES_BYTES, Played, RecordEntry, Report, Spectator, Termination, Way, Winner,
};
use crate::verdict::{AgentVerdict, Fault, Question, Verdict};

pub(super) fn play(
    state: &mut dyn GameState,
    seats: &mut [Seat; 2],
    limits: &GameLimits,
    afterwards: Afterwards,
    spectator: &mut dyn Spectator,
) -> Report {
    let mut session = Session::new(state, seats, limits);
    if let Some(tap) = spectator.tap() {
        session.tap_by(tap);
    }
    session.ready();
    if session.faults == [None, None] {
        spectator.started(session.state, session.left());
        session.turns(spectator);
    }
    session.close(afterwards)
}

/// READY only: nothing is played, and the programs get FINISH without being waited for. If they should stay, also READY
/// of the next game.
pub(super) fn ready(
    state: &mut dyn GameState,
    seats: &mut [Seat; 2],
    limits: &GameLimits,
    afterwards: Afterwards,
) -> Report {
    let mut session = Session::new(state, seats, limits);
    session.ready();
    if afterwards == Afterwards::Stay && session.faults == [None, None] {
        session.ready_again();
    }
    session.close(Afterwards::Stay)
}

struct Session<'a> {
    state: &'a mut dyn GameState,
    seats: &'a mut [Seat; 2],
    limits: &'a GameLimits,
    start: Instant,
    clocks: [RunningClock; 2],
    faults: [Option<Fault>; 2],
    entries: Vec<RecordEntry>,
    /// How much of each side's error stream may still be kept with its answers, in bytes.
    message_room: [usize; 2],
    tap: Option<Tap>,
    adjudicator: Adjudicator,
    adjudicated: Option<Adjudicated>,
    /// The side that resigned.
    resigned: Option<Side>,
    /// What each agent is sent before its next TURN: moves of its opponent, and news about the game.
    unsent: [Vec<JudgeCommand>; 2],
}

impl<'a> Session<'a> {
    fn new(state: &'a mut dyn GameState, seats: &'a mut [Seat; 2], limits: &'a GameLimits) -> Self {
        Self {
            state,
            seats,
            limits,
            start: Instant::now(),
            clocks: Side::BOTH.map(|side| RunningClock::new(limits.clock_of(side))),
            faults: [None, None],
            entries: Vec::with_capacity(256),
            message_room: [MAX_MESSAGES_BYTES; 2],
            tap: None,
            adjudicator: Adjudicator::new(limits.adjudication),
            adjudicated: None,
            resigned: None,
            unsent: [Vec::new(), Vec::new()],
        }
    }

    /// From now on this tap gets every line to and from both agents, and their error streams.
    fn tap_by(&mut self, tap: Tap) {
        for side in Side::BOTH {
            if let Some(process) = self.seats[side.index()].process() {
                process.tap_stderr(StderrTap { tap: tap.clone(), side, start: self.start });
            }
        }
        self.tap = Some(tap);
    }

    /// How much later than its clock says an agent's answer may come: the margin, plus what the machine took from its
    /// earlier moves.
    fn granted(&self, side: Side) -> Duration {
        self.limits.margin() + self.clocks[side.index()].credit()
    }

    /// The time left on each clock.
    fn left(&self) -> [Duration; 2] {
        self.clocks.map(|clock| clock.left())
    }

    /// READY to both, OK from both.
    fn ready(&mut self) {
        for side in Side::BOTH {
            self.faults[side.index()] = match &self.seats[side.index()] {
                Seat::Broken(fault) => Some(fault.clone()),
                Seat::Stateless(_) => {
                    Some(Fault::new(Verdict::Interrupted, "seated for a game played per action, not for a session"))
                }
                Seat::Builtin(_) | Seat::Process(_) => None,
            };
        }
        if self.faults != [None, None] {
            return;
        }
        if let Some(fault) = self.rules_failed() {
            self.faults[0] = Some(fault);
            return;
        }
        let mut deadlines = [None, None];
        let mut written = self.start;
        for side in Side::BOTH {
            let at = side.index();
            let preamble = self.state.preamble_of(side);
            let ready = JudgeCommand::Ready(side).to_string();
            for line in preamble.lines().chain([ready.as_str()]) {
                self.note(side, Way::To, line.to_owned());
            }
            let sent = match &mut self.seats[at] {
                Seat::Builtin(builtin) => builtin.ready(side, &preamble).map(|()| Asked::now()),
                seat => seat.send(&format!("{preamble}{ready}\n"), self.limits.ready(), Duration::ZERO),
            };
            match (sent, &self.seats[at]) {
                (Err(fault), _) => self.faults[at] = Some(fault),
                (Ok(_), Seat::Builtin(_)) => self.note(side, Way::From, "OK".to_owned()),
                // The time runs from the moment the line has been written.
                (Ok(asked), _) => {
                    deadlines[at] = Some(asked.written + self.limits.ready());
                    written = asked.written;
                }
            }
        }
        while deadlines != [None, None] {
            let (side, Seen { event, when, judge_delay, .. }) = self.wait_for_event(&deadlines, written);
            written = when;
            let deadline = deadlines[side.index()].take().expect("only those with a deadline are waited for");
            let Some(process) = self.seats[side.index()].process() else { continue };
            let cpu = process.take_cpu();
            let Delays { all: delay, machine } = process.take_delays(when);
            // Nothing is charged for READY, so an answer that may have come in time is good enough.
            let event = if when > deadline + judge_delay + machine && matches!(event, ProcessEvent::Line(_)) {
                ProcessEvent::Late(Vec::new())
            } else {
                event
            };
            let snapshot = snapshot(process, &event);
            let limit = self.limits.ready();
            // Counted from the moment when READY was written.
            let wall = (when + limit).saturating_duration_since(deadline);
            let spent = Moment { wall, cpu, delay, machine, ..Moment::default() };
            let granted = Duration::ZERO;
            let asking = Asking { question: Question::Ready, limit, clock: None, granted, has_answered: false };
            let answer = judge_event(process, event, &asking, &spent, snapshot);
            // Anything it has said so far is not about any position.
            process.take_messages(0);
            if let Ok(answer) = &answer {
                self.note_answer(side, text_of(answer), when);
            }
            if let Err(fault) = answer.and_then(|answer| judge_ready(&answer, &mut self.seats[side.index()])) {
                self.faults[side.index()] = Some(fault);
            } else if self.limits.freeze {
                self.freeze(side, true);
            }
        }
    }

    /// FINISH, and READY of the next game.
    fn ready_again(&mut self) {
        for side in Side::BOTH {
            if self.limits.freeze {
                self.freeze(side, false);
            }
            // If the message cannot be sent because the program has gone, that is noticed below.
            let _ = self.seats[side.index()].send("FINISH\n", self.limits.exit(), Duration::ZERO);
            self.note(side, Way::To, JudgeCommand::Finish.to_string());
        }
        self.ready();
        for fault in self.faults.iter_mut().flatten().filter(|fault| fault.verdict != Verdict::Interrupted) {
            let reason = FaultReason::DoesNotStay { reason: fault.reason.clone(), variable: STAY_VARIABLE };
            *fault = Fault::new(fault.verdict, reason);
        }
    }

    /// TURN after TURN, until the game is over or an agent fails.
    fn turns(&mut self, spectator: &mut dyn Spectator) {
        while let Some(side) = self.state.turn() {
            let at = side.index();
            let Some(answered) = self.ask(side).transpose() else {
                self.resigned = Some(side);
                return;
            };
            let played = answered.and_then(|(answer, moment)| {
                self.entries.last_mut().expect("the answer is the last entry").moment = Some(moment);
                let left = self.clocks[at].left();
                if !self.clocks[at].covers(moment.wall, moment.machine, self.limits.margin()) {
                    let late = Fault::late(&answer, &moment, left, self.granted(side));
                    return Err(late.because(cause::of_lateness(&moment)));
                }
                self.clocks[at].moved(moment.wall, moment.machine);
                let arguments = move_arguments(&answer).ok_or_else(|| {
                    let program = self.seats[at].sight();
                    let cause = cause::of_no_move(&answer, cause::example(self.state), program.as_ref());
                    Fault::no_move(&answer).because(cause)
                })?;
                let arguments = self.state.answer(arguments).map_err(|error| {
                    self.rules_failed().unwrap_or_else(|| {
                        Fault::illegal(&answer, &error).because(cause::of_illegal(cause::example(self.state)))
                    })
                })?;
                let entry = self.entries.last_mut().expect("the answer is the last entry");
                entry.spoken = self.state.spoken();
                Ok((arguments, moment, entry.evaluation, entry.messages.clone()))
            });
            let played = played.map_err(|fault| self.with_used_clock(side, fault));
            match played {
                Ok((arguments, moment, evaluation, messages)) => {
                    let clocks = self.left();
                    let played = Played { side, arguments, moment, clocks, remark: None, evaluation, messages };
                    spectator.moved(self.state, &played);
                    if self.state.turn().is_some() {
                        self.adjudicated = self.adjudicator.take(side, evaluation.as_ref(), self.state.ply());
                        if self.adjudicated.is_some() {
                            return;
                        }
                    }
                    self.put_down(side, &played.arguments, moment.wall);
                }
                Err(fault) => {
                    if fault.verdict == Verdict::Tle {
                        // It has used up its time, however little of it went into moves.
                        self.clocks[at].run_out();
                    }
                    self.faults[at] = Some(fault);
                    return;
                }
            }
        }
        if self.state.ending().is_none() {
            self.faults[0] = self.rules_failed();
        }
    }

    /// The fault of rules that have failed, for which no agent is to blame.
    fn rules_failed(&self) -> Option<Fault> {
        self.state.failure().map(|reason| Fault::new(Verdict::Interrupted, reason))
    }

    /// Records what both must be sent about a move.
    fn put_down(&mut self, side: Side, arguments: &str, used: Duration) {
        let lines = announced(&*self.state, side, arguments, used, self.limits.max_time_ms());
        for (unsent, lines) in self.unsent.iter_mut().zip(lines) {
            unsent.extend(lines);
        }
    }

    /// A time fault with what was left on the clock, if nothing is added to it.
    fn with_used_clock(&self, side: Side, fault: Fault) -> Fault {
        let clock = self.limits.clock_of(side);
        if fault.verdict != Verdict::Tle || !clock.is_sudden_death() {
            return fault;
        }
        let left = self.clocks[side.index()].left();
        let clock = Duration::from_millis(clock.base_ms);
        let fault = self.with_idle_time(side, fault, clock);
        let cause = cause::with_used_clock(fault.cause.to_vec(), left, clock);
        fault.because(cause)
    }

    /// The time fault of a program that has used most of its clock without computing: it sleeps, or waits for a timer
    /// of its language. Its state when its time is up looks like waiting for input or another thread, and the end of
    /// its input may wake it.
    fn with_idle_time(&self, side: Side, mut fault: Fault, clock: Duration) -> Fault {
        let own = self.entries.iter().filter(|entry| (entry.side, entry.way) == (side, Way::From));
        let moments = own.filter_map(|entry| entry.moment);
        let idle: Duration = moments.map(|moment| moment.wall.saturating_sub(moment.cpu + moment.delay)).sum();
        if idle * 2 > clock
            && let Some(FaultKind::NoAnswer(time) | FaultKind::LateAnswer(time)) = &mut fault.kind
            && !time.partial
        {
            time.idle = true;
            fault.cause = cause::of_idling(idle).into();
        }
        fault
    }

    /// OPP, TURN and the answer of one side, in one round trip; `None` if it resigns: then none of its lines is kept.
    fn ask(&mut self, side: Side) -> Result<Option<(Vec<u8>, Moment)>, Fault> {
        let at = side.index();
        if process::interrupted() {
            return Err(Fault::interrupted());
        }
        self.seats[at].check_silent()?;
        let max = self.limits.max_time_ms();
        let [mine, theirs] = [at, 1 - at].map(|at| self.clocks[at].left());
        let turn = JudgeCommand::Turn { mine: time_left(mine, max), theirs: time_left(theirs, max) };

        if let Seat::Builtin(builtin) = &mut self.seats[at] {
            let opponent = self.unsent[at].iter().try_for_each(|news| match news {
                JudgeCommand::Opp { arguments, .. } => builtin.opponent(arguments),
                JudgeCommand::Info(line) => builtin.inform(line),
                _ => Ok(()),
            });
            let [own, other] = [at, 1 - at].map(|at| self.clocks[at].control());
            let answer = opponent.and_then(|()| builtin.choose(&*self.state, own, other));
            let evaluation = builtin.evaluation();
            if answer.is_ok() && builtin.has_resigned() {
                return Ok(None);
            }
            let question = self.take_question(side, &turn);
            self.note_question(side, &question, Instant::now());
            let (arguments, moment) = answer?;
            let answer = format!("MOVE {arguments}");
            self.note(side, Way::From, answer.clone());
            self.note_thoughts(evaluation, None);
            return Ok(Some((answer.into_bytes(), moment.whole_micros())));
        }

        let question = self.take_question(side, &turn);
        if self.limits.freeze {
            self.freeze(side, false);
        }
        for other in [1 - at, at] {
            if let Some(process) = self.seats[other].process() {
                process.take_turn(other == at);
            }
        }
        let granted = self.granted(side);
        let asked = self.seats[at].send(&question, mine, granted);
        let written = asked.as_ref().map_or_else(|_| Instant::now(), |asked| asked.written);
        self.note_question(side, &question, written);
        let asked = asked?;
        let mut deadlines = [None, None];
        deadlines[at] = Some(asked.written + mine + granted);
        let (_, Seen { event, when, judge_delay, .. }) = self.wait_for_event(&deadlines, asked.written);
        let (wall, judge_delay) = asked.until(when, judge_delay);
        let opponent = self.seats[1 - at].process().filter(|_| wall >= NORMAL_LATENCY);
        let opponent_cpu = opponent.map_or(Duration::ZERO, |opponent| opponent.cpu_since());
        // Before it is stopped: then it would be seen to have been.
        let snapshot = self.seats[at].process().and_then(|process| snapshot(process, &event));
        if self.limits.freeze && matches!(event, ProcessEvent::Line(_)) {
            self.freeze(side, true);
        }
        let has_answered = self.entries.iter().any(|entry| (entry.side, entry.way) == (side, Way::From));
        let process = self.seats[at].process().expect("built-ins and broken seats never get here");
        let cpu = process.take_cpu();
        let Delays { all: delay, machine } = process.take_delays(when);
        let moment = Moment { wall, cpu, delay, machine, judge_delay, opponent_cpu };
        let clock = self.limits.clock_of(side);
        let clock = clock.is_sudden_death().then(|| Duration::from_millis(clock.base_ms));
        let asking = Asking { question: Question::Turn, limit: mine, clock, granted, has_answered };
        let answer = judge_event(process, event, &asking, &moment, snapshot)?;
        let (evaluation, messages) = process.take_messages(MAX_MESSAGE_BYTES.min(self.message_room[at]));
        self.message_room[at] = self.message_room[at].saturating_sub(messages.as_ref().map_or(0, String::len));
        self.note_answer(side, text_of(&answer), when);
        self.note_thoughts(evaluation, messages);
        Ok(Some((answer, moment.whole_micros())))
    }

    /// Sends FINISH to those that have not failed, and creates the report.
    fn close(mut self, afterwards: Afterwards) -> Report {
        let failed_before = self.faults.clone();
        let stopped = self.faults.iter().flatten().find(|fault| fault.verdict == Verdict::Interrupted).cloned();
        if let Some(stopped) = &stopped {
            // No game is left that could end normally.
            self.faults.iter_mut().for_each(|fault| *fault = fault.take().or_else(|| Some(stopped.clone())));
        }
        // A program that failed is ended before another one is waited for.
        for side in Side::BOTH {
            if self.faults[side.index()].is_some()
                && let Some(process) = self.seats[side.index()].process()
            {
                process.end();
            }
        }
        let mut deadlines = [None, None];
        for side in Side::BOTH {
            let at = side.index();
            // If one source does not compile, neither agent has been called.
            if self.faults[at].is_some() || self.entries.is_empty() {
                continue;
            }
            if self.limits.freeze {
                self.freeze(side, false);
            }
            let silent = self.seats[at].check_silent();
            let sent = silent.and_then(|()| self.seats[at].send("FINISH\n", self.limits.exit(), Duration::ZERO));
            self.note(side, Way::To, JudgeCommand::Finish.to_string());
            match sent {
                Ok(asked) => deadlines[at] = Some(asked.written + self.limits.exit()),
                Err(fault) => self.faults[at] = Some(fault),
            }
        }
        let mut remains = [Remains::default(), Remains::default()];
        if afterwards == Afterwards::Exit {
            // Time that the machine takes from one while the judge waits for the other counts as well.
            for (seat, deadline) in self.seats.iter_mut().zip(deadlines) {
                if let Some((process, deadline)) = seat.process().zip(deadline)
                    && !process.ends_at_once(deadline).unwrap_or(false)
                {
                    process.note_slow((Instant::now() + self.limits.exit()).saturating_duration_since(deadline));
                }
            }
            for side in Side::BOTH {
                if let Some(deadline) = deadlines[side.index()]
                    && let Some(process) = self.seats[side.index()].process()
                {
                    match await_exit(process, deadline, self.limits) {
                        Ok(AfterFinish::Exited) => remains[side.index()] = process.remains(),
                        Ok(AfterFinish::NotRun) => {}
                        Err(fault) => self.faults[side.index()] = Some(fault),
                    }
                }
            }
            for seat in self.seats.iter_mut() {
                if let Some(process) = seat.process() {
                    process.end();
                }
            }
        }
        let resigned = self.resigned.map(|side| {
            let reason = BoutReason::Resigned { side: self.state.seats()[side.index()].into() };
            (Winner::from(side.other()), Stated::from(&reason), Termination::Resignation)
        });
        let adjudicated = || {
            let (winner, reason) = self.adjudicated.as_ref()?.result();
            Some((winner, reason, Termination::Adjudication))
        };
        let ended = resigned.or_else(adjudicated);
        let termination = ended.as_ref().map(|&(.., termination)| termination);
        let (winner, reason) =
            Winner::decide(self.state, &failed_before, &self.faults, ended.map(|(winner, reason, _)| (winner, reason)));
        let start = self.start;
        let timed = |side: Side, seat: &mut Seat| -> Vec<(Duration, Side, String)> {
            let lines = seat.process().map(process::Process::take_timed_lines).unwrap_or_default();
            lines.into_iter().map(|(at, line)| (at.saturating_duration_since(start), side, line)).collect()
        };
        let mut messages: Vec<_> =
            Side::BOTH.into_iter().zip(self.seats.iter_mut()).flat_map(|(side, seat)| timed(side, seat)).collect();
        messages.sort_by_key(|&(at, ..)| at);
        let of = |seat: &mut Seat| {
            seat.process().map_or((String::new(), 0), |p| (evaluation::left_out(p.stderr()), p.peak_memory()))
        };
        let [(first, first_peak), (second, second_peak)] = self.seats.each_mut().map(of);
        Report {
            winner,
            reason,
            termination,
            score: self.state.score(),
            plies: self.state.ply(),
            time: self.clocks.map(|clock| clock.used()),
            verdicts: self.faults.map(AgentVerdict::from),
            entries: self.entries,
            stderr: [first, second],
            peak_memory: [first_peak, second_peak],
            remains,
            invocations: None,
            messages,
        }
    }

    fn wait_for_event(&mut self, deadlines: &[Option<Instant>; 2], asked: Instant) -> (Side, Seen) {
        let [first, second] = self.seats.each_mut();
        let seen = wait_for_event(&mut [first.process(), second.process()], deadlines, asked);
        (Side::BOTH[seen.at], seen)
    }

    fn freeze(&mut self, side: Side, frozen: bool) {
        if let Some(process) = self.seats[side.index()].process() {
            process.freeze(frozen);
        }
    }

    /// The lines of a question: whatever must be sent before TURN, and TURN.
    fn take_question(&mut self, side: Side, turn: &JudgeCommand) -> String {
        let news = &mut self.unsent[side.index()];
        let mut question = String::with_capacity(64);
        for command in news.iter().chain([turn]) {
            let _ = writeln!(question, "{command}");
        }
        news.clear();
        question
    }

    fn note_question(&mut self, side: Side, question: &str, written: Instant) {
        let at = written.saturating_duration_since(self.start);
        for line in question.lines() {
            self.note_at(at, side, Way::To, line.to_owned());
        }
    }

    /// An answer is timed when it is seen: before it is recorded, the judge checks what both programs have running,
    /// which takes long on a busy machine.
    fn note_answer(&mut self, side: Side, line: String, seen: Instant) {
        let last = self.entries.last().map_or(Duration::ZERO, |entry| entry.at);
        self.note_at(seen.saturating_duration_since(self.start).max(last), side, Way::From, line);
    }

    fn note_thoughts(&mut self, evaluation: Option<Evaluation>, messages: Option<String>) {
        let answer = self.entries.last_mut().expect("the answer is the last entry");
        (answer.evaluation, answer.messages) = (evaluation, messages);
    }

    fn note(&mut self, side: Side, way: Way, line: String) {
        self.note_at(self.start.elapsed(), side, way, line);
    }

    fn note_at(&mut self, at: Duration, side: Side, way: Way, line: String) {
        if let Some(tap) = &self.tap {
            let stream = if way == Way::To { StandardStream::Input } else { StandardStream::Output };
            tap.send(TappedPiece { at, side, stream, bytes: line.clone().into_bytes() });
        }
        self.entries.push(RecordEntry::new(at, side, way, line));
    }
}

/// What happened to a program after FINISH that is not a fault.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum AfterFinish {
    Exited,
    /// It was still there, but only because the machine had not let it run.
    NotRun,
}

/// Waits for a program to exit after FINISH, and judges how it did.
fn await_exit(process: &mut process::Process, deadline: Instant, limits: &GameLimits) -> Result<AfterFinish, Fault> {
    let exit = process.wait(deadline);
    if process::interrupted() {
        return Err(Fault::interrupted());
    }
    let exit = exit.map_err(|error| Fault::judge_failed(format!("cannot wait for the end of an agent: {error}")))?;
    if process.over_memory() {
        return Err(out_of_memory(process));
    }
    if process.is_lost() {
        return Err(Fault::judge_failed(process::LOST));
    }
    match exit {
        None => {
            let limit = limits.exit();
            let seen = Instant::now();
            let wall = (seen + limit).saturating_duration_since(deadline);
            let cpu = process.take_cpu();
            let Delays { all: delay, machine } = process.take_delays(seen);
            let spent = Moment { wall, cpu, delay, machine, ..Moment::default() };
            let snapshot = process.snapshot();
            let time = TimeSpent::new(limit, Duration::ZERO, &spent, Some(snapshot));
            if !time.is_late() {
                return Ok(AfterFinish::NotRun);
            }
            let reason = FaultReason::NoExit { ms: limits.exit_ms };
            let fault = Fault::new(Verdict::Tle, reason).of_kind(FaultKind::NoExit(time));
            Err(fault.because(cause::of_staying(&spent, snapshot)))
        }
        Some(process::ProcessExit::Code(0)) => match process.pending_output() {
            [] => Ok(AfterFinish::Exited),
            bytes => {
                let reason = FaultReason::OutputAfterFinish { wrote: quote(bytes.trim_ascii_end()) };
                let kind = FaultKind::PendingOutput { finished: true };
                Err(Fault::new(Verdict::Re, reason).of_kind(kind).because(cause::of_pending_output(process.sight())))
            }
        },
        Some(exit) => {
            let reason = FaultReason::EndedAfterFinish { exit: exit.into() };
            let words = process.last_words();
            let fault = Fault::new(Verdict::Re, reason).of_kind(FaultKind::of_exit(exit, true, &words));
            Err(fault.because(cause::of_exit(exit, &words, process.sight())))
        }
    }
}
