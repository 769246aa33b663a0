//! Replaying the record of a bout that was played per action.

use std::time::Duration;

use agon_game::{GameState, Side};

use super::claims::{self, same_disturbed, same_fault, same_reason};
use super::error::ReplayError;
use crate::protocol::{BEGIN, MAX_KEPT_BYTES};
use crate::record::Record;
use crate::report::{Played, RecordEntry, Way, Winner};
use crate::verdict::{AgentVerdict, Fault, Verdict};
use agon_message::Stated;

/// Takes a game to its first action, as far as the record's answers to BEGIN lead.
pub(super) fn begin(record: &Record, state: &mut dyn GameState) {
    for entry in record.entries.iter().filter(|entry| entry.way == Way::From && entry.moment.is_none()) {
        if entry.remark.is_none() {
            let _ = state.begin(entry.side, entry.line.as_bytes());
        }
    }
}

/// Replays a record and returns its actions, and whether a verdict must be believed. Every answer must come from the
/// side whose actor must act, every remark must be the one that the rules make, and the result the one that follows.
pub(super) fn prove(record: &Record, state: &mut dyn GameState) -> Result<(Vec<Played>, bool), ReplayError> {
    let mut replay = ActionReplay {
        state,
        limits: record.header.agents.each_ref().map(|agent| {
            // A built-in is not stopped, however slow the machine.
            if agent.kind == "builtin" { Duration::MAX } else { record.header.limits.invocation() }
        }),
        asked: [false; 2],
        begun: [false; 2],
        faults: [None, None],
        used: [Duration::ZERO; 2],
        remarked: [0; 2],
        played: Vec::new(),
    };
    for (at, entry) in record.entries.iter().enumerate() {
        replay.step(entry).map_err(|problem| ReplayError::Line { line: at + 2, problem })?;
    }
    let believed = replay.result(record)?;
    Ok((replay.played, believed))
}

struct ActionReplay<'a> {
    state: &'a mut dyn GameState,
    /// The time of each one's invocations.
    limits: [Duration; 2],
    /// Who has been asked to begin, and who has answered.
    asked: [bool; 2],
    begun: [bool; 2],
    /// The faults that the answers to it show, and whether the record has these answers byte for byte.
    faults: [Option<(Fault, bool)>; 2],
    used: [Duration; 2],
    remarked: [u32; 2],
    played: Vec<Played>,
}

impl ActionReplay<'_> {
    fn step(&mut self, entry: &RecordEntry) -> Result<(), String> {
        let (side, at) = (entry.side, entry.side.index());
        if entry.cut > 0 && (entry.moment.is_none() || !(1..=MAX_KEPT_BYTES).contains(&entry.line.len())) {
            let (line, cut) = (&entry.line, entry.cut);
            return Err(format!("{cut} bytes are left out of `{line}`, which the judge writes down whole"));
        }
        if entry.evaluation.is_some() {
            return Err(format!("`{}` has an evaluation, as only moves have", entry.line));
        }
        if entry.spoken.is_some() {
            return Err(format!("`{}` is called otherwise, as only moves are", entry.line));
        }
        if entry.stderr.is_some() && (entry.remark.is_none() || entry.moment.is_none()) {
            return Err(format!("`{}` has an error stream, as only actions with a remark have", entry.line));
        }
        if entry.messages.is_some() {
            return Err(format!("`{}` has messages, as only moves have", entry.line));
        }
        match entry.way {
            Way::To if entry.line == BEGIN && !self.asked[at] && self.played.is_empty() => {
                self.asked[at] = true;
                Ok(())
            }
            Way::To => Err(format!("`{}` to {side}: per action only one {BEGIN} is written down", entry.line)),
            Way::From if !self.asked[at] => Err(format!("{side} answers before {BEGIN}")),
            Way::From if !self.begun[at] && entry.moment.is_some() => {
                Err(format!("`{}` answers {BEGIN}, but has a time", entry.line))
            }
            Way::From if !self.begun[at] => {
                self.begun[at] = true;
                let answer = entry.line.as_bytes();
                let fault = match &entry.remark {
                    Some(failure) => Some(Fault::begin_failed(failure.clone())),
                    None => self.state.begin(side, answer).err().map(|error| Fault::begin_refused(answer, &error)),
                };
                // Bytes that are not UTF-8 have been replaced.
                let exactly = !entry.line.contains(char::REPLACEMENT_CHARACTER);
                self.faults[at] = fault.map(|fault| (fault, exactly));
                Ok(())
            }
            Way::From => self.action(entry),
        }
    }

    fn action(&mut self, entry: &RecordEntry) -> Result<(), String> {
        let (side, at) = (entry.side, entry.side.index());
        if self.begun != [true; 2] || self.faults != [None, None] {
            return Err(format!("{side} acts, but not both programs have begun"));
        }
        match self.state.turn() {
            Some(turn) if turn == side => {}
            Some(turn) => return Err(format!("{side} acts, where {turn} would be asked")),
            None => return Err(format!("{side} acts after the end of the game")),
        }
        let moment = entry.moment.ok_or_else(|| "an answer without its time".to_owned())?;
        if moment.least() > self.limits[at] && !entry.line.is_empty() {
            let (took, limit) = (moment.least().as_millis(), self.limits[at].as_millis());
            return Err(format!("`{}` counts although it took {took} of {limit} ms", entry.line));
        }
        let arguments = self.state.answer(&entry.line).map_err(|error| error.to_string())?;
        // Only the judge knew why there is no answer; what the rules say about an answer can be computed again.
        let expected = self.state.remark().map(|remark| Stated::from(&*remark));
        let same = match (&entry.remark, &expected) {
            (Some(says), Some(found)) => claims::says(says, found),
            (None, None) => true,
            _ => false,
        };
        let unanswered = entry.line.is_empty() && entry.remark.is_some();
        if !same && !unanswered {
            let text = |remark: Option<&Stated>| remark.map_or_else(|| "nothing".to_owned(), ToString::to_string);
            let (says, found) = (text(entry.remark.as_ref()), text(expected.as_ref()));
            return Err(format!("`{}` is remarked with `{says}`, where the rules say `{found}`", entry.line));
        }
        self.used[at] += moment.wall;
        self.remarked[at] += u32::from(entry.remark.is_some());
        let remark = entry.remark.clone();
        let (clocks, messages) = (self.used, entry.stderr.clone());
        self.played.push(Played { side, arguments, moment, clocks, remark, evaluation: None, messages });
        Ok(())
    }

    /// Checks the result; returns whether a verdict in it must be believed.
    fn result(&self, record: &Record) -> Result<bool, ReplayError> {
        let result = &record.result;
        let same = ReplayError::unless_same;
        let time = self.used.map(|used| used.as_micros() as f64 / 1000.0);
        let remarked = result.invocations.map(|tally| tally.remarked);
        let faults = result.verdicts.each_ref().map(AgentVerdict::fault);
        let lost = result.verdicts.each_ref().map(|judged| judged.verdict == Verdict::Re);
        let refused = self.faults.each_ref().map(Option::is_some);
        same("the verdict RE is", format!("{lost:?}"), format!("{refused:?}"))?;
        if let Some(termination) = result.termination {
            let (claimed, found) = (format!("it was ended by {termination}"), "no person who plays".to_owned());
            return Err(ReplayError::Result { what: "that", claimed, found });
        }
        let mut believed = false;
        for side in Side::BOTH {
            match (&self.faults[side.index()], &faults[side.index()]) {
                (Some((found, exactly)), _) => same_fault(record, side, found, *exactly)?,
                (None, Some(fault)) => {
                    believed = true;
                    self.possible(record, side, fault.verdict)?;
                }
                (None, None) => {}
            }
        }
        if faults == [None, None] && self.state.turn().is_some() {
            let (claimed, found) = ("the game was over".to_owned(), "no reason why it ended".to_owned());
            return Err(ReplayError::Result { what: "that", claimed, found });
        }
        let (winner, reason) = Winner::decide(self.state, &faults, &faults, None);
        same("the winner is", result.winner.to_string(), winner.to_string())?;
        same_reason(record, &reason)?;
        same("the actions are", result.plies.to_string(), self.state.ply().to_string())?;
        same("the score is", format!("{:?}", result.score), format!("{:?}", self.state.score()))?;
        same("the times are", format!("{:?}", result.time_ms), format!("{time:?}"))?;
        same("the remarks are", format!("{remarked:?}"), format!("{:?}", Some(self.remarked)))?;
        self.rechecks(record)?;
        same_disturbed(record)?;
        Ok(believed)
    }

    /// Checks that the counts of repeated invocations are possible.
    fn rechecks(&self, record: &Record) -> Result<(), ReplayError> {
        let Some(counts) = record.result.invocations else { return Ok(()) };
        let mut most = [0; 2];
        if record.header.limits.recheck_percent > 0 {
            self.played.iter().for_each(|played| most[played.side.index()] += 1);
        }
        for side in Side::BOTH {
            let (rechecked, differing) = (counts.rechecked[side.index()], counts.differing[side.index()]);
            if rechecked > most[side.index()] || differing > rechecked {
                let claimed =
                    format!("{rechecked} invocations of {side} were repeated, {differing} with another answer");
                let found = format!("at most {} that could be", most[side.index()]);
                return Err(ReplayError::Result { what: "that", claimed, found });
            }
        }
        Ok(())
    }

    /// Checks that a fault which no answer shows can have come about: a file that does not compile, before anything was
    /// asked, or a judge that was stopped.
    fn possible(&self, record: &Record, side: Side, verdict: Verdict) -> Result<(), ReplayError> {
        let at = side.index();
        match verdict {
            Verdict::Interrupted => return Ok(()),
            Verdict::Ce if !self.asked[at] && record.header.agents[at].is_program() => return Ok(()),
            _ => {}
        }
        let (claimed, found) = (format!("{side} got {verdict}"), "nothing that it could have got it for".to_owned());
        Err(ReplayError::Result { what: "that", claimed, found })
    }
}
