//! What a check found: its findings, their steps, and the measurements.

use std::time::Duration;

use agon_message::{Keyed, Stated, StatedArgument, messages};
use agon_referee::crash::Crash;
use agon_referee::record::Record;
use serde::ser::SerializeMap as _;
use serde::{Serialize, Serializer};

use super::remedy::Remedy;
use super::texts::Places;

/// How a step of the check ended.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum StepOutcome {
    Passed,
    Failed,
    /// It was skipped, and its detail gives the reason.
    Skipped,
}

/// One step of the check.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct Step {
    #[serde(serialize_with = "write_text")]
    pub name: Stated,
    pub outcome: StepOutcome,
    #[serde(serialize_with = "write_text")]
    pub detail: Stated,
}

/// Something that an author must mend before the program is submitted.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct Finding {
    /// The steps in which it occurred, the first one first.
    #[serde(serialize_with = "write_texts")]
    pub steps: Vec<Stated>,
    /// What is wrong, in one line.
    #[serde(serialize_with = "write_text")]
    pub problem: Stated,
    /// More about it: its cause, the last lines of the conversation, the end of the error stream.
    #[serde(serialize_with = "write_texts")]
    pub details: Vec<Stated>,
    /// Of the details: what the program and the machine had to do with it, such as its last message.
    #[serde(skip)]
    pub cause: Vec<Stated>,
    /// What to do about it.
    #[serde(flatten, serialize_with = "write_remedy")]
    pub remedy: Remedy,
    /// Where the program crashed, if the check looked for that.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub crash: Option<Crash>,
}

impl Finding {
    /// Everything but the details as one paragraph; `shown` adapts the problem to its readers.
    pub fn message(&self, shown: impl Fn(&str) -> String) -> FindingMessage {
        FindingMessage::Found { place: self.place(), problem: self.problem.map_texts(&shown), remedy: self.remedy }
    }

    /// Where it occurred: the first step, and how many more there are.
    pub fn place(&self) -> Stated {
        match self.steps.as_slice() {
            [] => Stated::default(),
            [first] => first.clone(),
            [first, rest @ ..] => Stated::from(&Places::AndMore { first: first.clone(), count: rest.len() }),
        }
    }
}

/// As its English.
fn write_text<S: Serializer>(message: &Stated, serializer: S) -> Result<S::Ok, S::Error> {
    message.text.serialize(serializer)
}

/// As their English.
fn write_texts<S: Serializer>(messages: &[Stated], serializer: S) -> Result<S::Ok, S::Error> {
    serializer.collect_seq(messages.iter().map(|message| &message.text))
}

/// As `remedy`, its English, with `remedy_key` and `remedy_arguments`.
#[allow(clippy::trivially_copy_pass_by_ref, reason = "the signature is serde's")]
fn write_remedy<S: Serializer>(remedy: &Remedy, serializer: S) -> Result<S::Ok, S::Error> {
    let Stated { text, keyed } = remedy.into();
    let mut fields = serializer.serialize_map(None)?;
    fields.serialize_entry("remedy", &text)?;
    if let Some(Keyed { key, arguments }) = keyed.as_deref() {
        fields.serialize_entry("remedy_key", key)?;
        if !arguments.is_empty() {
            fields.serialize_entry("remedy_arguments", arguments)?;
        }
    }
    fields.end()
}

messages! {
    /// A finding in a paragraph, without the details.
    pub enum FindingMessage {
        Found { place: Stated, problem: Stated, remedy: Remedy } = "{place}: {problem}. {remedy}",
    }
}

/// The measurements of all games.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize)]
pub struct Measures {
    pub games: u32,
    pub longest_game_plies: u32,
    pub ready_ms: u64,
    pub slowest_move_ms: u64,
    /// The most time that the program used in a game.
    pub game_ms: u64,
    pub peak_memory_mib: u64,
}

impl Measures {
    pub(super) fn add_move(&mut self, wall: Duration) {
        self.slowest_move_ms = self.slowest_move_ms.max(wall.as_millis() as u64);
    }

    pub(super) fn add_game(&mut self, plies: u32, used: Duration, peak_bytes: u64) {
        self.games += 1;
        self.longest_game_plies = self.longest_game_plies.max(plies);
        self.game_ms = self.game_ms.max(used.as_millis() as u64);
        self.peak_memory_mib = self.peak_memory_mib.max(peak_bytes >> 20);
    }
}

/// The result of a check.
#[derive(Clone, PartialEq, Debug, Default, Serialize)]
pub struct BotCheck {
    pub steps: Vec<Step>,
    /// What must be fixed.
    pub findings: Vec<Finding>,
    /// What the author may want to know.
    #[serde(serialize_with = "write_texts")]
    pub notes: Vec<Stated>,
    pub measures: Measures,
    /// The first game in which the program failed.
    #[serde(skip)]
    pub failed_game: Option<Box<Record>>,
}

impl BotCheck {
    pub fn is_ready(&self) -> bool {
        self.findings.is_empty()
    }

    /// Adds a finding, or the step to a similar one.
    pub(super) fn add(&mut self, finding: Finding) {
        match self.findings.iter_mut().find(|known| are_alike(&known.problem, &finding.problem)) {
            Some(known) => known.steps.extend(finding.steps),
            None => self.findings.push(finding),
        }
    }
}

/// Whether problems differ in numbers, quotations and names of places alone.
fn are_alike(one: &Stated, other: &Stated) -> bool {
    let (Some(one), Some(other)) = (&one.keyed, &other.keyed) else {
        return one.keyed.is_none() && other.keyed.is_none() && shape(&one.text) == shape(&other.text);
    };
    one.key == other.key
        && one.arguments.iter().all(|(name, value)| match (value, other.arguments.get(name)) {
            (StatedArgument::Number(_), _) => true,
            (StatedArgument::Text(text), Some(StatedArgument::Text(known))) => shape(text) == shape(known),
            (StatedArgument::Stated(inner), Some(StatedArgument::Stated(known))) => are_alike(inner, known),
            _ => false,
        })
}

/// Words of a program or of others, without quotations and without words that contain digits, such as names of places.
fn shape(words: &str) -> String {
    // However many there are in a list.
    let parts = words.split('`').step_by(2).filter(|part| !matches!(part.trim(), "," | "and"));
    let unquoted = parts.collect::<Vec<_>>().join("`");
    let words = unquoted.split_whitespace().filter(|word| !word.contains(|c: char| c.is_ascii_digit()));
    words.collect::<Vec<_>>().join(" ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn findings_that_are_alike_are_one() {
        let mut check = BotCheck::default();
        let finding = |step: &str, problem: &str| Finding {
            steps: vec![step.into()],
            problem: problem.into(),
            details: Vec::new(),
            cause: Vec::new(),
            remedy: Remedy::FixNamed,
            crash: None,
        };
        check.add(finding("a", "RE: answered `MOVE 8 8`: H8 (8,8) is not empty"));
        check.add(finding("b", "RE: answered `MOVE 7 8`: H9 (7,8) is not empty"));
        check.add(finding("c", "TLE: no answer within 10000 ms"));
        assert_eq!(check.findings.len(), 2);
        assert_eq!(check.findings[0].steps, ["a", "b"].map(Stated::from));
        assert!(
            check.findings[0].message(str::to_owned).to_string().starts_with("a, and 1 more: RE: answered `MOVE 8 8`")
        );
        assert!(!check.is_ready());
        for names in ["`a`", "`a`, `b`", "`a`, `b` and `c`"] {
            let mut left = finding("d", &format!("it left processes running: {names}"));
            left.problem.text.push_str(" at the end");
            check.add(left);
        }
        assert_eq!((check.findings.len(), check.findings[2].steps.len()), (3, 3));
        let text = check.findings[1].message(str::to_owned).to_string();
        assert_eq!(text, "c: TLE: no answer within 10000 ms. Fix the problem named above, and check again.");
    }
}
