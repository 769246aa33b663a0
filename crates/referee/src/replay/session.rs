//! Replaying the record of a session.

use std::time::Duration;

use agon_game::{Contest, Side};

use super::error::ReplayError;
use crate::protocol::{JudgeCommand, is_ok, move_arguments, time_left, time_used};
use crate::record::Record;
use crate::report::{Played, RecordEntry, Way, Winner};
use crate::verdict::Verdict;

/// Replays a session from the contest's start and returns its moves.
pub(super) fn prove(record: &Record, contest: &mut dyn Contest) -> Result<Vec<Played>, ReplayError> {
    let limits = &record.header.limits;
    let mut replay = SessionReplay {
        contest,
        clocks: [limits.clock(); 2],
        stages: [SessionStage::Outside; 2],
        asked: None,
        asked_ever: false,
        last: None,
        failed: false,
        refused: None,
        played: Vec::new(),
    };
    let preamble: Vec<String> = replay.contest.preamble().lines().map(str::to_owned).collect();
    let mut rows = [0_usize; 2];
    for (at, entry) in record.entries.iter().enumerate() {
        let line = at + 2;
        let wrong = |problem: String| ReplayError::Line { line, problem };
        if entry.cut > 0 {
            let RecordEntry { cut, line, .. } = entry;
            return Err(wrong(format!("{cut} bytes are left out of `{line}`, which the judge writes down whole")));
        }
        let row = &mut rows[entry.side.index()];
        if entry.way == Way::To && *row < preamble.len() {
            if entry.line != preamble[*row] {
                return Err(wrong(format!("`{}` is not the line of the board, `{}`", entry.line, preamble[*row])));
            }
            *row += 1;
            continue;
        }
        replay.step(entry, line).map_err(wrong)?;
    }
    replay.result(record)?;
    Ok(replay.played)
}

/// How far the session with an agent has come.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum SessionStage {
    Outside,
    /// READY has been said.
    Called,
    /// OK has been answered.
    Ready,
    /// FINISH has been said.
    Finished,
}

struct SessionReplay<'a> {
    contest: &'a mut dyn Contest,
    clocks: [Duration; 2],
    stages: [SessionStage; 2],
    /// Who has been asked for a move.
    asked: Option<Side>,
    /// The last move's arguments and time, until the opponent has been told.
    last: Option<(Side, String, Duration)>,
    /// Somebody has been asked for a move at some time.
    asked_ever: bool,
    /// An answer that loses has been seen: nobody is asked again.
    failed: bool,
    /// The answer that the rules refused. It is a fault of the agent if it lost by it, else of the record.
    refused: Option<(Side, ReplayError)>,
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
        let command: JudgeCommand = entry.line.parse().map_err(|error| format!("{error}"))?;
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
            JudgeCommand::Finish => {
                self.stages[at] = SessionStage::Finished;
                Ok(())
            }
            _ if self.stages != [SessionStage::Ready; 2] => {
                Err(format!("`{command}` while not both are ready to play"))
            }
            _ if self.failed => Err(format!("`{command}` after the bout was lost")),
            _ if self.contest.turn() != Some(side) => Err(format!("`{command}` to {side}, which is not on turn")),
            JudgeCommand::Opp { .. } => match self.last.take() {
                Some((_, arguments, time)) => expect(JudgeCommand::Opp { arguments, time: time_used(time) }),
                None => Err(format!("`{command}`, but the opponent has not moved")),
            },
            JudgeCommand::Turn { .. } if self.last.is_some() => {
                Err("TURN before the opponent's move was told".to_owned())
            }
            JudgeCommand::Turn { .. } => {
                self.asked = Some(side);
                self.asked_ever = true;
                expect(JudgeCommand::Turn { mine: time_left(self.clocks[at]), theirs: time_left(self.clocks[1 - at]) })
            }
        }
    }

    fn answer(&mut self, entry: &RecordEntry, line: usize) -> Result<(), String> {
        let side = entry.side;
        if self.stages[side.index()] == SessionStage::Called {
            self.stages[side.index()] = SessionStage::Ready;
            // A wrong answer to READY loses, so no TURN follows; `question` sees to that.
            self.failed |= !is_ok(entry.line.as_bytes());
            return Ok(());
        }
        if self.asked.take() != Some(side) || self.failed {
            return Err(format!("{side} answers without having been asked"));
        }
        let moment = entry.moment.ok_or_else(|| "an answer without its time".to_owned())?;
        let at = side.index();
        if moment.wall > self.clocks[at] {
            self.failed = true;
            return Ok(());
        }
        self.clocks[at] -= moment.wall;
        let Some(arguments) = move_arguments(entry.line.as_bytes()) else {
            self.failed = true;
            return Ok(());
        };
        match self.contest.answer(arguments) {
            Ok(_) if entry.spoken != self.contest.spoken() => {
                Err(format!("`{}` is called {:?}", entry.line, entry.spoken.as_deref().unwrap_or_default()))
            }
            Ok(arguments) => {
                self.last = Some((side, arguments.clone(), moment.wall));
                self.played.push(Played { side, arguments, moment, clocks: self.clocks, remark: None });
                Ok(())
            }
            Err(error) => {
                self.failed = true;
                let text = entry.line.clone();
                self.refused = Some((side, ReplayError::Illegal { line, side, text, error }));
                Ok(())
            }
        }
    }

    fn result(&mut self, record: &Record) -> Result<(), ReplayError> {
        let result = &record.result;
        let faulty = |side: Side| result.verdicts[side.index()].verdict != Verdict::Ok;
        if let Some((side, error)) = self.refused.take()
            && !faulty(side)
        {
            return Err(error);
        }
        for side in Side::BOTH {
            let told = !matches!(self.stages[side.index()], SessionStage::Called | SessionStage::Ready);
            if !told && !faulty(side) {
                let claimed = format!("{side} ended normally");
                return Err(ReplayError::Result { what: "that", claimed, found: "it no FINISH".to_owned() });
            }
        }
        let same = ReplayError::unless_same;
        let time = |used: Duration| used.as_micros() as f64 / 1000.0;
        let used = self.clocks.map(|left| time(record.header.limits.clock().saturating_sub(left)));
        same("the winner is", result.winner.to_string(), self.winner(record).to_string())?;
        same("the plies are", result.plies.to_string(), self.contest.ply().to_string())?;
        same("the score is", format!("{:?}", result.score), format!("{:?}", self.contest.score()))?;
        same("the times are", format!("{:?}", result.time_ms), format!("{used:?}"))
    }

    /// Who has won, from the moves and the verdicts.
    fn winner(&self, record: &Record) -> Winner {
        let verdicts = record.result.verdicts.each_ref().map(|judged| judged.verdict);
        if verdicts.contains(&Verdict::Interrupted) {
            return Winner::Void;
        }
        match (self.contest.turn(), verdicts.map(|verdict| verdict != Verdict::Ok)) {
            (_, [true, false]) => Winner::Second,
            (_, [false, true]) => Winner::First,
            // Once the game is on, the side to move is the one whose fault ended it.
            (Some(side), [true, true]) if self.asked_ever => side.other().into(),
            (_, [true, true]) | (Some(_), _) => Winner::Void,
            (None, [false, false]) => Winner::by_rules(self.contest),
        }
    }
}
