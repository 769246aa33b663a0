//! Gives the questions of a recorded session to a program again.

use std::time::{Duration, Instant};

use agon_game::{Evaluation, GameState, Side, TimeControl};
use rustix::process::Signal;

use crate::agent::Seat;
use crate::agent::seat::{Asking, ended, judge_event, judge_ready, snapshot};
use crate::clock::RunningClock;
use crate::fault_reason::FaultReason;
use crate::limits::GameLimits;
use crate::process::{Asked, Delays, Moment, ProcessEvent, ProcessExit, STOP_TIME, Seen, wait_for_event};
use crate::protocol::{JudgeCommand, move_arguments, text_of, time_left, time_used};
use crate::record::Record;
use crate::report::{RecordEntry, Way};
use crate::verdict::{Fault, Question, Verdict};

/// How much of an error stream is shown with one answer, in bytes.
const MAX_SHOWN_BYTES: usize = 16 << 10;

/// A question of a recorded session, and the position at that time.
pub struct RecordedTurn {
    /// The number of the requested move: from 1 over both sides, including those of an opening.
    pub ply: u32,
    pub side: Side,
    /// The arguments of the move before, if the agent was sent one.
    pub opponent: Option<String>,
    /// What the agent was sent: OPP, if there was one, and TURN.
    pub lines: Vec<String>,
    /// The clocks of the agent and of its opponent.
    pub clocks: [TimeControl; 2],
    /// The time left to answer.
    pub left: Duration,
    /// The game when it was asked.
    pub before: Box<dyn GameState>,
    /// The agent's answer; `None` if it gave no answer.
    pub recorded: Option<RecordEntry>,
    /// The arguments of this move, and the move as people write it; `None` if there was no move.
    pub played: Option<(String, String)>,
}

impl RecordedTurn {
    /// The question about the position `before`, which `side` is asked after this move of its opponent, if there was
    /// one, and the time it took. `left` is the time on both clocks; at most `max` milliseconds are named.
    pub fn new(
        before: Box<dyn GameState>,
        side: Side,
        last: Option<(String, Duration)>,
        left: [Duration; 2],
        max: u32,
    ) -> Self {
        let [mine, theirs] = left.map(|left| time_left(left, max));
        let opp = last.as_ref().map(|(arguments, time)| {
            JudgeCommand::Opp { arguments: arguments.clone(), time: time_used(*time, max) }.to_string()
        });
        let turn = JudgeCommand::Turn { mine, theirs }.to_string();
        Self {
            ply: before.ply() + 1,
            side,
            opponent: last.map(|(arguments, _)| arguments),
            lines: opp.into_iter().chain([turn]).collect(),
            clocks: left.map(TimeControl::sudden_death),
            left: left[0],
            before,
            recorded: None,
            played: None,
        }
    }
}

/// All questions of a recorded session, of both sides; `start` is its game at the start.
pub fn recorded_turns(record: &Record, start: &dyn GameState) -> Vec<RecordedTurn> {
    let limits = &record.header.limits;
    let mut clocks = Side::BOTH.map(|side| RunningClock::new(limits.clock_of(side)));
    let mut state = start.boxed_clone();
    let mut turns: Vec<RecordedTurn> = Vec::new();
    let (mut lines, mut opponent): ([Vec<String>; 2], Option<String>) = Default::default();
    // INFO before READY is of the start.
    let mut started = [false; 2];
    for entry in &record.entries {
        match (entry.way, entry.line.parse::<JudgeCommand>(), entry.moment) {
            (Way::To, Ok(JudgeCommand::Opp { arguments, .. }), _) => {
                lines[entry.side.index()].push(entry.line.clone());
                opponent = Some(arguments);
            }
            (Way::To, Ok(JudgeCommand::Info(_)), _) if started[entry.side.index()] => {
                lines[entry.side.index()].push(entry.line.clone());
            }
            (Way::To, Ok(JudgeCommand::Ready(side)), _) => started[side.index()] = true,
            (Way::To, Ok(JudgeCommand::Turn { .. }), _) => {
                let at = entry.side.index();
                lines[at].push(entry.line.clone());
                turns.push(RecordedTurn {
                    ply: state.ply() + 1,
                    side: entry.side,
                    opponent: opponent.take(),
                    lines: std::mem::take(&mut lines[at]),
                    clocks: [at, 1 - at].map(|at| clocks[at].control()),
                    left: clocks[at].left() + limits.margin(),
                    before: state.boxed_clone(),
                    recorded: None,
                    played: None,
                });
            }
            (Way::From, _, Some(moment)) => {
                let Some(turn) = turns.last_mut() else { break };
                turn.recorded = Some(entry.clone());
                let at = entry.side.index();
                if !clocks[at].covers(moment.wall, moment.machine, limits.margin()) {
                    break;
                }
                clocks[at].moved(moment.wall, moment.machine);
                let arguments = move_arguments(entry.line.as_bytes()).and_then(|text| state.answer(text).ok());
                let Some(arguments) = arguments else { break };
                let letters = state.letters().unwrap_or_else(|| arguments.clone());
                turn.played = Some((arguments, letters));
            }
            _ => {}
        }
    }
    turns
}

/// A program's answer to a recorded question.
#[derive(Clone, PartialEq, Debug)]
pub struct TurnAnswer {
    /// The line that it wrote, if it wrote one in time.
    pub line: Option<String>,
    /// The arguments of the move, and the move as people write it; or why it is not one.
    pub played: Result<(String, String), Fault>,
    pub moment: Moment,
    pub evaluation: Option<Evaluation>,
    /// The end of its error stream in the meantime.
    pub messages: Option<String>,
}

/// A program that answers the questions of a record: ready, and asked nothing else in between.
pub struct AskedAgain {
    seat: Seat,
    /// Whether it is frozen between questions.
    freezes: bool,
    /// The signal that makes it show where it is when its time is up.
    stop: Option<Signal>,
}

impl AskedAgain {
    /// Sends these lines and READY, and waits for OK.
    ///
    /// # Errors
    /// The fault of a program that is not ready.
    pub fn begin(mut seat: Seat, side: Side, preamble: &str, limits: &GameLimits) -> Result<Self, Fault> {
        ready(&mut seat, side, preamble, limits, None)?;
        if let Some(process) = seat.process() {
            process.take_messages(0);
        }
        let mut asked = Self { seat, freezes: limits.freeze, stop: None };
        asked.freeze(true);
        Ok(asked)
    }

    /// Freezes or resumes it, if the limits say so.
    fn freeze(&mut self, frozen: bool) {
        if self.freezes
            && let Some(process) = self.seat.process()
        {
            process.freeze(frozen);
        }
    }

    /// Asks a recorded question. `informed` says whether it is sent the move before.
    pub fn ask(&mut self, turn: &RecordedTurn, informed: bool) -> TurnAnswer {
        let opponent = turn.opponent.as_deref().filter(|_| informed);
        let lines = if informed { &turn.lines[..] } else { &turn.lines[turn.lines.len() - 1..] };
        self.freeze(false);
        let (answer, moment) = match &mut self.seat {
            Seat::Builtin(builtin) => {
                let known = opponent.map_or(Ok(()), |arguments| builtin.opponent(arguments));
                match known.and_then(|()| builtin.choose(&*turn.before, turn.clocks[0], turn.clocks[1])) {
                    Ok((arguments, moment)) => (Ok(format!("MOVE {arguments}").into_bytes()), moment),
                    Err(fault) => (Err(fault), Moment::default()),
                }
            }
            seat => {
                let question: String = lines.iter().flat_map(|line| [line.as_str(), "\n"]).collect();
                match seat.check_silent().and_then(|()| seat.send(&question, turn.left, Duration::ZERO)) {
                    Ok(asked) => receive(seat, &asked, Question::Turn, turn.left, self.stop),
                    Err(fault) => (Err(fault), Moment::default()),
                }
            }
        };
        let (evaluation, messages) = match &mut self.seat {
            Seat::Builtin(builtin) => (builtin.evaluation(), None),
            seat => seat.process().map_or((None, None), |process| process.take_messages(MAX_SHOWN_BYTES)),
        };
        self.freeze(true);
        let (line, played) = match answer {
            Ok(answer) => (Some(text_of(&answer)), judge(&answer, turn, &moment)),
            Err(fault) => (None, Err(fault)),
        };
        TurnAnswer { line, played, moment: moment.whole_micros(), evaluation, messages }
    }
}

/// The result of giving a program everything that a record sent it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Rerun {
    /// How it failed; `None` if it did not.
    pub fault: Option<Fault>,
    /// The number of the move that it was last asked for.
    pub ply: Option<u32>,
    /// The first move where its answer differed from the game.
    pub differs: Option<u32>,
    /// Its error stream.
    pub stderr: String,
}

/// Gives a program everything that a record sent it, from READY to FINISH, until it ends. An answer that differs from
/// the game's does not change what follows. A program that does not answer in time is sent `stop`, which makes its
/// runtime show where it is.
pub fn rerun(
    mut seat: Seat,
    side: Side,
    preamble: &str,
    turns: &[RecordedTurn],
    limits: &GameLimits,
    stop: Option<Signal>,
) -> Rerun {
    let mut found = Rerun { fault: None, ply: None, differs: None, stderr: String::new() };
    if let Some(process) = seat.process() {
        process.keep_stderr();
    }
    let begun = ready(&mut seat, side, preamble, limits, stop);
    let mut asked = AskedAgain { seat, freezes: false, stop };
    found.fault = match begun {
        Ok(()) => asked.rerun(turns, &mut found).or_else(|| asked.finish(limits)),
        Err(fault) => Some(fault),
    };
    if let Some(process) = asked.seat.process() {
        process.end();
        found.stderr = process.kept_stderr();
    }
    found
}

impl AskedAgain {
    /// Asks all questions; returns the fault of a program that has ended.
    fn rerun(&mut self, turns: &[RecordedTurn], found: &mut Rerun) -> Option<Fault> {
        for turn in turns {
            found.ply = Some(turn.ply);
            let answer = self.ask(turn, true);
            match (answer.played, &turn.played) {
                (Ok((played, _)), Some((recorded, _))) if played == *recorded => {}
                (Err(fault), _) if answer.line.is_none() => return Some(fault),
                (_, None) => {}
                _ => {
                    found.differs.get_or_insert(turn.ply);
                }
            }
        }
        None
    }

    /// Sends FINISH and waits for the end of the program; returns a fault if its exit code is not 0.
    fn finish(&mut self, limits: &GameLimits) -> Option<Fault> {
        if let Err(fault) = self.seat.send(&format!("{}\n", JudgeCommand::Finish), limits.ready(), Duration::ZERO) {
            return Some(fault);
        }
        let process = self.seat.process()?;
        match process.wait(Instant::now() + limits.ready()) {
            Ok(exit @ Some(ProcessExit::Signal(_) | ProcessExit::Code(1..))) => {
                Some(ended(process, exit, FaultReason::ClosedOutput))
            }
            _ => None,
        }
    }
}

/// Sends these lines and READY, and waits for OK.
fn ready(seat: &mut Seat, side: Side, preamble: &str, limits: &GameLimits, stop: Option<Signal>) -> Result<(), Fault> {
    let ready = JudgeCommand::Ready(side);
    match seat {
        Seat::Broken(fault) => Err(fault.clone()),
        Seat::Stateless(_) => {
            Err(Fault::new(Verdict::Interrupted, "seated for a game played per action, not for a session"))
        }
        Seat::Builtin(builtin) => builtin.ready(side, preamble),
        Seat::Process(_) => {
            let asked = seat.send(&format!("{preamble}{ready}\n"), limits.ready(), Duration::ZERO)?;
            let (answer, _) = receive(seat, &asked, Question::Ready, limits.ready(), stop);
            judge_ready(&answer?, seat)
        }
    }
}

impl Drop for AskedAgain {
    fn drop(&mut self) {
        self.freeze(false);
        if let Some(process) = self.seat.process() {
            process.end();
        }
    }
}

/// Waits for an answer and measures the time. A program that is late is sent `stop`.
fn receive(
    seat: &mut Seat,
    asked: &Asked,
    question: Question,
    limit: Duration,
    stop: Option<Signal>,
) -> (Result<Vec<u8>, Fault>, Moment) {
    let Some(process) = seat.process() else {
        return (Err(Fault::new(Verdict::Interrupted, "no program was asked")), Moment::default());
    };
    let deadline = asked.written + limit;
    let Seen { event, when, judge_delay, .. } =
        wait_for_event(&mut [Some(process), None], &[Some(deadline), None], asked.written);
    let (wall, judge_delay) = asked.until(when, judge_delay);
    let snapshot = snapshot(process, &event);
    if let (ProcessEvent::Late(_), Some(signal)) = (&event, stop) {
        // Now, since the end of its input would lead it elsewhere. If it cannot be stopped, there is no place to show.
        let _ = process.stop_by(signal, Instant::now() + STOP_TIME);
    }
    let cpu = process.take_cpu();
    let Delays { all: delay, machine } = process.take_delays(when);
    let moment = Moment { wall, cpu, delay, machine, judge_delay, ..Moment::default() };
    let has_answered = question == Question::Turn;
    let asking = Asking { question, limit, clock: None, granted: Duration::ZERO, has_answered };
    (judge_event(process, event, &asking, &moment, snapshot), moment)
}

fn judge(answer: &[u8], turn: &RecordedTurn, moment: &Moment) -> Result<(String, String), Fault> {
    if moment.wall.saturating_sub(moment.machine) > turn.left {
        return Err(Fault::late(answer, moment, turn.left, Duration::ZERO));
    }
    let arguments = move_arguments(answer).ok_or_else(|| Fault::no_move(answer))?;
    let mut state = turn.before.boxed_clone();
    let arguments = state.answer(arguments).map_err(|error| Fault::illegal(answer, &error))?;
    let letters = state.letters().unwrap_or_else(|| arguments.clone());
    Ok((arguments, letters))
}
