//! Replaying the record of a session.

use std::collections::VecDeque;
use std::time::Duration;

use agon_game::{GameState, Side};

use super::claims::{same_disturbed, same_fault, same_reason};
use super::error::ReplayError;
use crate::adjudication::{Adjudicated, Adjudicator};
use crate::bout::announced;
use crate::clock::RunningClock;
use crate::fault_kind::FaultKind;
use crate::protocol::{JudgeCommand, move_arguments, time_left};
use crate::record::{PERSON, Record};
use crate::report::{Played, RecordEntry, Termination, Way, Winner};
use crate::verdict::{AgentVerdict, Fault, Verdict};

/// Replays a session from the start of its game, and returns its moves and whether a verdict must be believed, since no
/// line shows it.
pub(super) fn prove(record: &Record, state: &mut dyn GameState) -> Result<(Vec<Played>, bool), ReplayError> {
    let limits = &record.header.limits;
    let mut replay = SessionReplay {
        state,
        clocks: Side::BOTH.map(|side| RunningClock::new(limits.clock_of(side))),
        margin: limits.margin(),
        max: limits.max_time_ms(),
        stages: [SessionStage::Outside; 2],
        asked: None,
        informed: None,
        unready: false,
        unsent: Default::default(),
        failed: false,
        forfeited: None,
        faults: [None, None],
        refused: None,
        adjudicator: Adjudicator::new(limits.adjudication),
        adjudicated: None,
        played: Vec::new(),
    };
    let lines = |text: String| text.lines().map(str::to_owned).collect();
    let preambles: [Vec<String>; 2] = Side::BOTH.map(|side| lines(replay.state.preamble_of(side)));
    let mut rows = [0_usize; 2];
    for (at, entry) in record.entries.iter().enumerate() {
        let line = at + 2;
        let wrong = |problem: String| ReplayError::Line { line, problem };
        if entry.cut > 0 {
            let RecordEntry { cut, line, .. } = entry;
            return Err(wrong(format!("{cut} bytes are left out of `{line}`, which the judge writes down whole")));
        }
        if entry.stderr.is_some() {
            return Err(wrong(format!("`{}` has an error stream, as only actions have", entry.line)));
        }
        if entry.evaluation.is_some() && entry.moment.is_none() {
            return Err(wrong(format!("`{}` has an evaluation, as only answers to TURN have", entry.line)));
        }
        if entry.messages.is_some() && entry.moment.is_none() {
            return Err(wrong(format!("`{}` has messages, as only answers to TURN have", entry.line)));
        }
        let row = &mut rows[entry.side.index()];
        let preamble = &preambles[entry.side.index()];
        if entry.way == Way::To && *row < preamble.len() {
            if entry.line != preamble[*row] {
                return Err(wrong(format!("`{}` is not the line of the board, `{}`", entry.line, preamble[*row])));
            }
            *row += 1;
            continue;
        }
        replay.step(entry, line).map_err(wrong)?;
    }
    let believed = replay.result(record)?;
    Ok((replay.played, believed))
}

/// How far the session with an agent has come.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum SessionStage {
    Outside,
    Called,
    Ready,
    Finished,
}

struct SessionReplay<'a> {
    state: &'a mut dyn GameState,
    clocks: [RunningClock; 2],
    margin: Duration,
    /// The largest time that is sent, in milliseconds.
    max: u32,
    stages: [SessionStage; 2],
    /// Who has been asked for a move.
    asked: Option<Side>,
    /// What each side must be sent before its next TURN: OPP, and INFO.
    unsent: [VecDeque<JudgeCommand>; 2],
    /// Who has received some of it, until it is asked for its own move.
    informed: Option<Side>,
    /// An answer to READY was not OK.
    unready: bool,
    /// A losing answer has been seen: no side is asked again.
    failed: bool,
    /// Whose time ran out on its turn.
    forfeited: Option<Side>,
    /// The faults that answers show, and whether the record has the answers byte for byte.
    faults: [Option<(Fault, bool)>; 2],
    /// The answer that the rules rejected. It is the agent's fault if it lost by it, else the record's.
    refused: Option<(Side, ReplayError)>,
    adjudicator: Adjudicator,
    /// How adjudication has ended the game.
    adjudicated: Option<Adjudicated>,
    played: Vec<Played>,
}

impl SessionReplay<'_> {
    fn step(&mut self, entry: &RecordEntry, line: usize) -> Result<(), String> {
        match entry.way {
            Way::To => self.question(entry),
            Way::From => self.answer(entry, line),
        }
    }

    fn question(&mut self, entry: &RecordEntry) -> Result<(), String> {
        let side = entry.side;
        let at = side.index();
        if entry.spoken.is_some() || entry.remark.is_some() {
            return Err(format!("`{}` is not a move, but is called or remarked", entry.line));
        }
        let command: JudgeCommand = entry.line.parse().map_err(|error| format!("{error}"))?;
        if let Some(informed) = self.informed
            && (informed != side || matches!(command, JudgeCommand::Ready(_) | JudgeCommand::Finish))
        {
            return Err(format!("`{command}`, where the judge would say TURN to {informed}"));
        }
        let expect = |expected: JudgeCommand| {
            if command == expected {
                Ok(())
            } else {
                Err(format!("`{command}`, where the judge would say `{expected}`"))
            }
        };
        match command {
            JudgeCommand::Ready(_) if self.stages[at] != SessionStage::Outside => Err("READY is said twice".to_owned()),
            JudgeCommand::Ready(_) => {
                self.stages[at] = SessionStage::Called;
                expect(JudgeCommand::Ready(side))
            }
            JudgeCommand::Finish if self.asked == Some(side) => Err("FINISH while an answer is awaited".to_owned()),
            JudgeCommand::Finish if !matches!(self.stages[at], SessionStage::Called | SessionStage::Ready) => {
                Err("FINISH is said twice, or without READY".to_owned())
            }
            JudgeCommand::Finish if self.faults[at].is_some() => Err(format!("FINISH to {side}, which has lost")),
            JudgeCommand::Finish => {
                self.stages[at] = SessionStage::Finished;
                Ok(())
            }
            _ if self.stages != [SessionStage::Ready; 2] => {
                Err(format!("`{command}` while not both are ready to play"))
            }
            _ if self.adjudicated.is_some() => Err(format!("`{command}` after the game was adjudicated")),
            _ if self.failed => Err(format!("`{command}` after the bout was lost")),
            _ if self.asked.is_some() => Err(format!("`{command}` while an answer is awaited")),
            _ if self.state.turn() != Some(side) => Err(format!("`{command}` to {side}, which is not on turn")),
            JudgeCommand::Opp { .. } | JudgeCommand::Info(_) => match self.unsent[at].pop_front() {
                Some(expected) => {
                    self.informed = Some(side);
                    expect(expected)
                }
                None => Err(format!("`{command}`, but the opponent has not moved")),
            },
            JudgeCommand::Turn { .. } if !self.unsent[at].is_empty() => {
                let before = if matches!(self.unsent[at][0], JudgeCommand::Opp { .. }) { "OPP" } else { "INFO" };
                Err(format!("TURN before {before}"))
            }
            JudgeCommand::Turn { .. } => {
                self.asked = Some(side);
                self.informed = None;
                let [mine, theirs] = [at, 1 - at].map(|at| time_left(self.clocks[at].left(), self.max));
                expect(JudgeCommand::Turn { mine, theirs })
            }
        }
    }

    fn answer(&mut self, entry: &RecordEntry, line: usize) -> Result<(), String> {
        let side = entry.side;
        if self.stages[side.index()] == SessionStage::Called {
            self.stages[side.index()] = SessionStage::Ready;
            if entry.moment.is_some() || entry.spoken.is_some() || entry.remark.is_some() {
                return Err(format!("`{}` answers READY, but has the parts of a move", entry.line));
            }
            // A wrong answer to READY loses, so no TURN follows; `question` sees to that.
            if let Some(fault) = Fault::not_ready(entry.line.as_bytes()) {
                self.fail(entry, fault);
                self.unready = true;
            }
            return Ok(());
        }
        if self.asked.take() != Some(side) || self.failed {
            return Err(format!("{side} answers without having been asked"));
        }
        let moment = entry.moment.ok_or_else(|| "an answer without its time".to_owned())?;
        let at = side.index();
        let answer = entry.line.as_bytes();
        let left = self.clocks[at].left();
        if !self.clocks[at].covers(moment.wall, moment.machine, self.margin) {
            let granted = self.margin + self.clocks[at].credit();
            let fault = Fault::late(answer, &moment, left, granted);
            self.forfeited = (fault.verdict == Verdict::Tle).then_some(side);
            self.fail(entry, fault);
            return unspoken(entry);
        }
        self.clocks[at].moved(moment.wall, moment.machine);
        let Some(arguments) = move_arguments(answer) else {
            self.fail(entry, Fault::no_move(answer));
            return unspoken(entry);
        };
        match self.state.answer(arguments) {
            Ok(_) if entry.remark.is_some() => Err(format!("`{}` is remarked", entry.line)),
            Ok(_) if entry.spoken != self.state.spoken() => {
                Err(format!("`{}` is called {:?}", entry.line, entry.spoken.as_deref().unwrap_or_default()))
            }
            Ok(arguments) => {
                let lines = announced(&*self.state, side, &arguments, moment.wall, self.max);
                for (unsent, lines) in self.unsent.iter_mut().zip(lines) {
                    unsent.extend(lines);
                }
                let evaluation = entry.evaluation;
                if self.state.turn().is_some() {
                    self.adjudicated = self.adjudicator.take(side, evaluation.as_ref(), self.state.ply());
                }
                let clocks = self.clocks.map(|clock| clock.left());
                let messages = entry.messages.clone();
                self.played.push(Played { side, arguments, moment, clocks, remark: None, evaluation, messages });
                Ok(())
            }
            // A failure now need not have been one in the bout; the result says.
            Err(_) if self.state.failure().is_some() => {
                self.failed = true;
                Ok(())
            }
            Err(error) => {
                self.fail(entry, Fault::illegal(answer, &error));
                let text = entry.line.clone();
                self.refused = Some((side, ReplayError::Illegal { line, side, text, error }));
                unspoken(entry)
            }
        }
    }

    /// Takes note of an answer that loses.
    fn fail(&mut self, entry: &RecordEntry, fault: Fault) {
        self.failed = true;
        // Bytes that are not UTF-8 have been replaced.
        let exactly = !entry.line.contains(char::REPLACEMENT_CHARACTER);
        self.faults[entry.side.index()] = Some((fault, exactly));
    }

    /// Checks the result; returns whether a verdict in it must be believed.
    fn result(&mut self, record: &Record) -> Result<bool, ReplayError> {
        let result = &record.result;
        let same = ReplayError::unless_same;
        let faults = result.verdicts.each_ref().map(AgentVerdict::fault);
        if let Some((side, error)) = self.refused.take()
            && faults[side.index()].is_none()
        {
            return Err(error);
        }
        let mut believed = false;
        for side in Side::BOTH {
            match (&self.faults[side.index()], &faults[side.index()]) {
                (Some((found, exactly)), _) => same_fault(record, side, found, *exactly)?,
                (None, Some(fault)) => {
                    believed = true;
                    self.possible(record, side, fault)?;
                }
                (None, None) if self.ended(record, side) => {}
                (None, None) => return Err(unlike(format!("{side} ended normally"), "it no FINISH")),
            }
        }
        let interrupted = faults.iter().flatten().any(|fault| fault.verdict == Verdict::Interrupted);
        if let Some(reason) = self.state.failure().filter(|_| !interrupted) {
            return Err(ReplayError::Rules { reason });
        }
        // The faults of those who received FINISH came after the game.
        let during = Side::BOTH.map(|side| faults[side.index()].clone().filter(|_| !self.finished(side)));
        let ended = result.termination.is_some() || self.adjudicated.is_some();
        if self.state.turn().is_some() && !interrupted && !ended {
            self.failing_side(&during)?;
        }
        let time = |used: Duration| used.as_micros() as f64 / 1000.0;
        let mut used = self.clocks.map(|clock| time(clock.used()));
        let claimed = format!("{:?}", result.time_ms);
        let unanswered = self.asked.filter(|side| {
            faults[side.index()].as_ref().is_some_and(|fault| fault.verdict == Verdict::Tle) && !self.finished(*side)
        });
        if let Some(side) = self.forfeited.or(unanswered)
            // Earlier records have only the time of its moves.
&& claimed != format!("{used:?}")
        {
            let clock = &mut self.clocks[side.index()];
            clock.run_out();
            used[side.index()] = time(clock.used());
        }
        let (winner, reason) = match result.termination {
            Some(Termination::Adjudication) => {
                let Some(adjudicated) = &self.adjudicated else {
                    return Err(unlike("the game was adjudicated".to_owned(), "no rule by which it was"));
                };
                if !interrupted && !Side::BOTH.iter().all(|side| self.finished(*side)) {
                    return Err(unlike("the game was adjudicated".to_owned(), "an agent no FINISH"));
                }
                believed |= adjudicated.by_scores;
                Winner::decide(self.state, &during, &faults, Some(adjudicated.result()))
            }
            _ if self.adjudicated.is_some() => {
                return Err(unlike("nothing of adjudication".to_owned(), "a rule by which the game was"));
            }
            Some(termination) => {
                believed = true;
                self.terminated(record, termination)?;
                (result.winner, result.reason.clone())
            }
            None => Winner::decide(self.state, &during, &faults, None),
        };
        same("the winner is", result.winner.to_string(), winner.to_string())?;
        same_reason(record, &reason)?;
        same("the plies are", result.plies.to_string(), self.state.ply().to_string())?;
        same("the score is", format!("{:?}", result.score), format!("{:?}", self.state.score()))?;
        same("the times are", claimed, format!("{used:?}"))?;
        same("the invocations are", format!("{:?}", result.invocations), "None".to_owned())?;
        same_disturbed(record)?;
        Ok(believed)
    }

    /// Checks that people can have ended the game in this position, as the record says.
    fn terminated(&self, record: &Record, termination: Termination) -> Result<(), ReplayError> {
        let claimed = || format!("the game was ended by {termination}");
        let Some(turn) = self.state.turn() else {
            return Err(unlike(claimed(), "it had ended by its rules"));
        };
        if record.header.agents.iter().all(|agent| agent.kind != PERSON) {
            return Err(unlike(claimed(), "no person in it"));
        }
        if !Side::BOTH.iter().all(|side| self.finished(*side) && record.result.verdicts[side.index()].fault().is_none())
        {
            return Err(unlike(claimed(), "it was ended by a verdict"));
        }
        let possible = match termination {
            Termination::Agreement => record.result.winner == Winner::Draw,
            Termination::Time => record.result.winner == turn.other().into(),
            Termination::Adjudication => false,
            Termination::Resignation => matches!(record.result.winner, Winner::First | Winner::Second),
        };
        let winner = record.result.winner;
        if possible {
            Ok(())
        } else {
            Err(unlike(format!("{}, and the winner is {winner}", claimed()), "that impossible"))
        }
    }

    fn finished(&self, side: Side) -> bool {
        self.stages[side.index()] == SessionStage::Finished
    }

    /// Whether an agent without a fault was treated as such: it received FINISH, or was not called because the other
    /// one could not be seated.
    fn ended(&self, record: &Record, side: Side) -> bool {
        self.finished(side) || record.entries.is_empty()
    }

    /// Checks that a fault that no answer shows was possible at the agent's stage.
    fn possible(&self, record: &Record, side: Side, fault: &Fault) -> Result<(), ReplayError> {
        let at = side.index();
        let claimed = || format!("{side} got {}", fault.verdict);
        match (fault.verdict, record.entries.is_empty()) {
            (Verdict::Interrupted, _) => return Ok(()),
            (Verdict::Ce, true) if record.header.agents[at].is_program() => return Ok(()),
            (Verdict::Ce, true) => return Err(unlike(claimed(), "no source file to compile")),
            (Verdict::Ce, false) => return Err(unlike(claimed(), "both programs were started")),
            (_, true) => return Err(unlike(claimed(), "that no agent was called")),
            (_, false) => {}
        }
        let limits = &record.header.limits;
        let limit = match self.stages[at] {
            SessionStage::Outside => return Err(unlike(claimed(), "it no READY")),
            SessionStage::Called => limits.ready(),
            SessionStage::Finished => limits.exit(),
            SessionStage::Ready if fault.verdict == Verdict::Tle && self.asked != Some(side) => {
                return Err(unlike(claimed(), "it no TURN"));
            }
            SessionStage::Ready => self.clocks[at].left(),
        };
        // A failing built-in engine interrupts the bout, and its answer shows if it is late.
        if !record.header.agents[at].is_program() {
            return Err(unlike(claimed(), "no program that could fail"));
        }
        // The limit is known, and the kind of the question.
        let Some(kind) = &fault.kind else { return Ok(()) };
        let Some(time) = kind.time() else { return Ok(()) };
        let (asked, granted) = match self.stages[at] {
            SessionStage::Called => (matches!(kind, FaultKind::NoReady(_)), Duration::ZERO),
            SessionStage::Finished => (matches!(kind, FaultKind::NoExit(_)), Duration::ZERO),
            _ => (matches!(kind, FaultKind::NoAnswer(_)), self.margin + self.clocks[at].credit()),
        };
        if !asked {
            return Err(unlike(claimed(), "another question that had no answer"));
        }
        let micros = |time: Duration| time.as_micros().to_string();
        ReplayError::unless_same("the limit that was exceeded is", time.limit_us.to_string(), micros(limit))?;
        ReplayError::unless_same("the time granted beyond it is", time.granted_us.to_string(), micros(granted))?;
        if !time.is_late() {
            return Err(unlike(claimed(), "a time that its machine took from it"));
        }
        Ok(())
    }

    /// Checks that a game that did not end by its rules was ended by the side that had to answer.
    fn failing_side(&self, during: &[Option<Fault>; 2]) -> Result<(), ReplayError> {
        let answered = |stage: &SessionStage| matches!(stage, SessionStage::Ready | SessionStage::Finished);
        let playing = !self.unready && self.stages.iter().all(answered);
        let failed = during.each_ref().map(Option::is_some);
        let turn = self.state.turn();
        let right = match failed {
            [false, false] => false,
            [true, true] => !playing,
            _ if !playing => true,
            [first, _] => turn == Some(if first { Side::First } else { Side::Second }),
        };
        if right { Ok(()) } else { Err(unlike("the game was over".to_owned(), "no reason why it ended")) }
    }
}

/// Refuses a move's name for an answer that was no move.
fn unspoken(entry: &RecordEntry) -> Result<(), String> {
    if entry.spoken.is_none() && entry.remark.is_none() {
        return Ok(());
    }
    Err(format!("`{}` is not a move, but is called or remarked", entry.line))
}

/// The error of a claim that the transcript denies.
fn unlike(claimed: String, found: &str) -> ReplayError {
    ReplayError::Result { what: "that", claimed, found: found.to_owned() }
}
