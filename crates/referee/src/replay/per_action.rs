//! Replaying the record of a bout that was played per action.

use std::time::Duration;

use agon_game::{Contest, Side};

use super::error::ReplayError;
use crate::protocol::{BEGIN, LONGEST_KEPT};
use crate::record::Record;
use crate::report::{Played, RecordEntry, Way, Winner};
use crate::verdict::Verdict;

/// Takes a contest to where the first action is asked for, by the answers to BEGIN in the record; as far as they go.
pub(super) fn begin(record: &Record, contest: &mut dyn Contest) {
    for entry in record.entries.iter().filter(|entry| entry.way == Way::From && entry.moment.is_none()) {
        if entry.remark.is_none() {
            let _ = contest.begin(entry.side, entry.line.as_bytes());
        }
    }
}

/// Replays a record and returns its actions. Every answer must be that of the side whose actor must act, every remark
/// the one that the rules make, and the result the one that follows.
pub(super) fn prove(record: &Record, contest: &mut dyn Contest) -> Result<Vec<Played>, ReplayError> {
    let mut replay = ActionReplay {
        contest,
        limits: record.header.agents.each_ref().map(|agent| {
            // A built-in is not stopped, however slow the machine.
            if agent.kind == "builtin" { Duration::MAX } else { record.header.limits.invocation() }
        }),
        asked: [false; 2],
        begun: [false; 2],
        refused: [false; 2],
        used: [Duration::ZERO; 2],
        remarked: [0; 2],
        played: Vec::new(),
    };
    for (at, entry) in record.entries.iter().enumerate() {
        replay.step(entry).map_err(|problem| ReplayError::Line { line: at + 2, problem })?;
    }
    replay.result(record)?;
    Ok(replay.played)
}

struct ActionReplay<'a> {
    contest: &'a mut dyn Contest,
    /// The time of each one's invocations.
    limits: [Duration; 2],
    /// Who has been asked to begin, who has answered, and whose answer to it loses.
    asked: [bool; 2],
    begun: [bool; 2],
    refused: [bool; 2],
    used: [Duration; 2],
    remarked: [u32; 2],
    played: Vec<Played>,
}

impl ActionReplay<'_> {
    fn step(&mut self, entry: &RecordEntry) -> Result<(), String> {
        let (side, at) = (entry.side, entry.side.index());
        if entry.cut > 0 && (entry.moment.is_none() || !(1..=LONGEST_KEPT).contains(&entry.line.len())) {
            let (line, cut) = (&entry.line, entry.cut);
            return Err(format!("{cut} bytes are left out of `{line}`, which the judge writes down whole"));
        }
        match entry.way {
            Way::To if entry.line == BEGIN && !self.asked[at] && self.played.is_empty() => {
                self.asked[at] = true;
                Ok(())
            }
            Way::To => Err(format!("`{}` to {side}: per action only one {BEGIN} is written down", entry.line)),
            Way::From if !self.asked[at] => Err(format!("{side} answers before {BEGIN}")),
            Way::From if !self.begun[at] => {
                self.begun[at] = true;
                let accepted = entry.remark.is_none() && self.contest.begin(side, entry.line.as_bytes()).is_ok();
                self.refused[at] = !accepted;
                Ok(())
            }
            Way::From => self.action(entry),
        }
    }

    fn action(&mut self, entry: &RecordEntry) -> Result<(), String> {
        let (side, at) = (entry.side, entry.side.index());
        if self.begun != [true; 2] || self.refused != [false; 2] {
            return Err(format!("{side} acts, but not both programs have begun"));
        }
        match self.contest.turn() {
            Some(turn) if turn == side => {}
            Some(turn) => return Err(format!("{side} acts, where {turn} would be asked")),
            None => return Err(format!("{side} acts after the end of the game")),
        }
        let moment = entry.moment.ok_or_else(|| "an answer without its time".to_owned())?;
        if moment.least() > self.limits[at] && !entry.line.is_empty() {
            let (took, limit) = (moment.least().as_millis(), self.limits[at].as_millis());
            return Err(format!("`{}` counts although it took {took} of {limit} ms", entry.line));
        }
        let arguments = self.contest.answer(&entry.line).map_err(|error| error.to_string())?;
        // Why there is no answer only the judge knew; what the rules say of an answer can be said again.
        let expected = self.contest.remark();
        if entry.remark != expected && !(entry.line.is_empty() && entry.remark.is_some()) {
            let text = |remark: &Option<String>| remark.clone().unwrap_or_else(|| "nothing".to_owned());
            let (says, found) = (text(&entry.remark), text(&expected));
            return Err(format!("`{}` is remarked with `{says}`, where the rules say `{found}`", entry.line));
        }
        self.used[at] += moment.wall;
        self.remarked[at] += u32::from(entry.remark.is_some());
        let remark = entry.remark.clone();
        self.played.push(Played { side, arguments, moment, clocks: self.used, remark });
        Ok(())
    }

    fn result(&self, record: &Record) -> Result<(), ReplayError> {
        let result = &record.result;
        let same = ReplayError::unless_same;
        let time = self.used.map(|used| used.as_micros() as f64 / 1000.0);
        let remarked = result.invocations.map(|tally| tally.remarked);
        let lost = result.verdicts.each_ref().map(|judged| judged.verdict == Verdict::Re);
        same("the verdict RE is", format!("{lost:?}"), format!("{:?}", self.refused))?;
        same("the winner is", result.winner.to_string(), self.winner(record).to_string())?;
        same("the actions are", result.plies.to_string(), self.contest.ply().to_string())?;
        same("the score is", format!("{:?}", result.score), format!("{:?}", self.contest.score()))?;
        same("the times are", format!("{:?}", result.time_ms), format!("{time:?}"))?;
        same("the remarks are", format!("{remarked:?}"), format!("{:?}", Some(self.remarked)))
    }

    /// Who has won: verdict RE follows from BEGIN; that a file does not compile and that the judge was stopped must be
    /// believed, but neither leaves a game behind.
    fn winner(&self, record: &Record) -> Winner {
        let verdicts = record.result.verdicts.each_ref().map(|judged| judged.verdict);
        if verdicts.contains(&Verdict::Interrupted) {
            return Winner::Void;
        }
        let broken = |side: Side| verdicts[side.index()] == Verdict::Ce && !self.asked[side.index()];
        match Side::BOTH.map(|side| self.refused[side.index()] || broken(side)) {
            [true, true] => Winner::Void,
            [true, false] => Winner::Second,
            [false, true] => Winner::First,
            [false, false] => Winner::by_rules(self.contest),
        }
    }
}
