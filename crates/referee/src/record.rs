//! The transcript of a bout: enough to replay and to prove it.
//!
//! A record is JSON Lines: a header, every line of the transcript with its time, the result, and a seal, the SHA-256 of
//! all the lines before it. The seal detects damage and careless edits; a replay proves what follows from the rules;
//! and a signature of the seal ([`crate::signing`]) shows whose record it is.
//!
//! For a bout played per action, only BEGIN and the answers are kept: what the programs were shown follows from the
//! rules. An answer is the program's whole output, including newlines; if it was interpreted differently, `remark`
//! gives the reason, and it is empty if no output counts. Of an answer longer than [`MAX_KEPT_BYTES`] only enough is
//! kept for the rules to read it in the same way ([`agon_game::GameState::abridged`]), and `cut` counts the bytes left
//! out: the record proves the same game with and without them. For the first action of each kind that was not carried
//! out, `stderr` has the end of the program's error stream. In a session, `messages` has that for each move, at most
//! [`MAX_MESSAGE_BYTES`] for one and [`MAX_MESSAGES_BYTES`] for a side.
//!
//! No record is longer than [`MAX_RECORD_BYTES`]: a bout whose record would be is stopped, with verdict INTERRUPTED.

use std::collections::BTreeMap;
use std::fmt;
use std::time::Duration;

use agon_game::hash::hex;
use agon_game::text::without_bom;
use agon_game::{Evaluation, GameScore, Score, Side};
use agon_jail::Level;
use agon_message::{Keyed, Stated, StatedArgument};
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use serde_json::json;
use sha2::{Digest, Sha256};

use crate::limits::GameLimits;
use crate::process::Moment;
use crate::protocol::JudgeCommand;
pub use crate::protocol::MAX_KEPT_BYTES;
use crate::report::{ActionCounts, MAX_TRANSCRIPT_BYTES, Report};
pub use crate::report::{MAX_MESSAGE_BYTES, MAX_MESSAGES_BYTES, RecordEntry, Termination, Way, Winner};
use crate::signing::{PrivateKey, PublicKey, RecordSignature};
use crate::verdict::{AgentVerdict, Verdict};

/// The version of the format written here.
pub const VERSION: u32 = 1;

/// The longest record, in bytes.
pub const MAX_RECORD_BYTES: usize = MAX_TRANSCRIPT_BYTES + ENDS;

/// The kind of an agent that is a person.
pub const PERSON: &str = "person";

/// The space left for the header, the result with both error streams, and the seal.
const ENDS: usize = 4 << 20;

/// What was played, by whom, and under which limits.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct RecordHeader {
    /// The version of the format.
    pub record: u32,
    /// The game's name in the catalogue.
    pub game: String,
    /// Its parameters, in the catalogue's notation.
    pub parameters: BTreeMap<String, String>,
    /// The seed from which the game and the built-ins drew.
    pub seed: u64,
    /// The agents of the first and the second side.
    pub agents: [AgentNote; 2],
    /// The limits that held for both agents.
    pub limits: GameLimits,
    /// The version of Agon that refereed.
    pub agon: String,
    /// When it began, in seconds since 1970 (UTC).
    pub started: u64,
    /// The source of its opening, if that comes from a file.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub opening: Option<OpeningNote>,
}

/// The place of an opening in a file of openings.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct OpeningNote {
    /// The name of the file, without folders.
    pub file: String,
    /// The line number in the file, from 1.
    pub line: u32,
    /// Its name in the file; empty if it has none.
    #[serde(skip_serializing_if = "String::is_empty", default)]
    pub name: String,
}

impl fmt::Display for OpeningNote {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { file, line, name } = self;
        if name.is_empty() { write!(f, "{file} line {line}") } else { write!(f, "{name} ({file} line {line})") }
    }
}

/// An agent in a record.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct AgentNote {
    /// The user's text for it.
    pub agent: String,
    /// `builtin`, `command`, the language of a source file, or [`PERSON`].
    pub kind: String,
    /// The level of the jail that its program ran in; `None` for a built-in, and in records of older versions.
    #[serde(skip_serializing_if = "Option::is_none", default, with = "level_name")]
    pub jail: Option<Level>,
    /// The name that it was given, if any; `None` in records of older versions.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub name: Option<String>,
}

/// A level of the jail by its name.
#[allow(clippy::ref_option, clippy::trivially_copy_pass_by_ref, reason = "the signatures are serde's")]
mod level_name {
    use super::{Deserialize, Deserializer, Level, Serializer};

    pub(super) fn serialize<S: Serializer>(level: &Option<Level>, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(level.map_or("", Level::name))
    }

    pub(super) fn deserialize<'a, D: Deserializer<'a>>(deserializer: D) -> Result<Option<Level>, D::Error> {
        let name = Option::<String>::deserialize(deserializer)?;
        name.map(|name| name.parse().map_err(serde::de::Error::custom)).transpose()
    }
}

impl AgentNote {
    /// Its name for display: the given name, or else the user's text.
    pub fn shown(&self) -> &str {
        self.name.as_deref().unwrap_or(&self.agent)
    }

    /// Whether it is a program, or a source file that failed to compile.
    pub fn is_program(&self) -> bool {
        self.kind != "builtin" && self.kind != PERSON
    }
}

/// The result of a bout.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct BoutResult {
    pub winner: Winner,
    #[serde(flatten, with = "agon_message::reason")]
    pub reason: Stated,
    /// For a game that people or adjudication ended early: how.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub termination: Option<Termination>,
    /// Points, if the game has any.
    #[serde(serialize_with = "write_score", deserialize_with = "read_score")]
    pub score: Option<[GameScore; 2]>,
    pub verdicts: [AgentVerdict; 2],
    pub plies: u32,
    /// Time used by each side on its own turns, in milliseconds.
    pub time_ms: [f64; 2],
    /// The most memory each program's tree was seen to use, in MiB; 0 when it is not known.
    pub peak_mb: [f64; 2],
    /// Moves that the machine, not the agent, made slow.
    pub disturbed: [u32; 2],
    /// The tail of each agent's error stream.
    pub stderr: [String; 2],
    /// The counts of a bout played per action.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub invocations: Option<ActionCounts>,
}

impl BoutResult {
    /// Whether the bout is void because the machine was too busy to judge an agent: it must be played again.
    pub fn is_of_machine(&self) -> bool {
        self.verdicts.iter().any(AgentVerdict::is_of_machine)
    }
}

#[derive(Clone, PartialEq, Debug)]
pub struct Record {
    /// What was played, and by whom.
    pub header: RecordHeader,
    /// The transcript, line by line.
    pub entries: Vec<RecordEntry>,
    pub result: BoutResult,
    /// The signature of the seal, if anybody has signed it.
    pub signature: Option<RecordSignature>,
}

/// A text that is not a record, or one that has been changed.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum RecordError {
    #[error("line {line} is not {expected}: {problem}")]
    Line { line: usize, expected: &'static str, problem: String },
    #[error("the record is cut off: it has no seal")]
    CutOff,
    #[error("line {line} is beyond the record, which ends with the seal before it")]
    Surplus { line: usize },
    #[error("the seal is broken: the record has been changed since it was written")]
    Seal,
    #[error("the signature is broken: the record has been changed since {key} signed it")]
    Signature { key: String },
    #[error("the record is not signed, which it should be by {expected}")]
    Unsigned { expected: PublicKey },
    #[error("the record is signed by {found}, not by {expected}")]
    Signer { expected: PublicKey, found: PublicKey },
    #[error("record version {version} is newer than this program's {VERSION}")]
    Version { version: u32 },
}

/// An entry as it is read; [`RecordEntry::write`] writes the same.
#[derive(Deserialize)]
struct LineForm {
    at_us: u64,
    to: Option<SideForm>,
    from: Option<SideForm>,
    line: String,
    #[serde(default)]
    cut: u64,
    #[serde(rename = "move")]
    spoken: Option<String>,
    remark: Option<String>,
    remark_key: Option<String>,
    #[serde(default)]
    remark_arguments: BTreeMap<String, StatedArgument>,
    stderr: Option<String>,
    messages: Option<String>,
    wall_us: Option<u64>,
    cpu_us: Option<u64>,
    delay_us: Option<u64>,
    machine_us: Option<u64>,
    judge_us: Option<u64>,
    opponent_cpu_us: Option<u64>,
    #[serde(default)]
    disturbed: bool,
    eval: Option<EvaluationForm>,
}

/// An evaluation as a record has it: `score` in hundredths, or `win` or `loss` in plies.
#[derive(Serialize, Deserialize)]
struct EvaluationForm {
    #[serde(skip_serializing_if = "Option::is_none", default)]
    score: Option<i32>,
    #[serde(skip_serializing_if = "Option::is_none", default)]
    win: Option<u32>,
    #[serde(skip_serializing_if = "Option::is_none", default)]
    loss: Option<u32>,
    #[serde(skip_serializing_if = "Option::is_none", default)]
    depth: Option<u32>,
    #[serde(skip_serializing_if = "Option::is_none", default)]
    nodes: Option<u64>,
    #[serde(skip_serializing_if = "Option::is_none", default)]
    ms: Option<u64>,
}

impl From<Evaluation> for EvaluationForm {
    fn from(evaluation: Evaluation) -> Self {
        let Evaluation { score, depth, nodes, time } = evaluation;
        let (score, win, loss) = match score {
            Score::Centi(value) => (Some(value), None, None),
            Score::Win(plies) => (None, Some(plies), None),
            Score::Loss(plies) => (None, None, Some(plies)),
        };
        Self { score, win, loss, depth, nodes, ms: time.map(|time| time.as_millis() as u64) }
    }
}

impl EvaluationForm {
    fn evaluation(self) -> Result<Evaluation, &'static str> {
        let score = match (self.score, self.win, self.loss) {
            (Some(value), None, None) => Score::Centi(value),
            (None, Some(plies), None) => Score::Win(plies),
            (None, None, Some(plies)) => Score::Loss(plies),
            _ => return Err("exactly one of `score`, `win` and `loss` expected in `eval`"),
        };
        let time = self.ms.map(Duration::from_millis);
        Ok(Evaluation { score, depth: self.depth, nodes: self.nodes, time })
    }
}

#[derive(Clone, Copy, Deserialize)]
#[serde(rename_all = "lowercase")]
enum SideForm {
    First,
    Second,
}

#[derive(Serialize, Deserialize)]
struct ResultForm<R> {
    result: R,
}

#[derive(Deserialize)]
struct SealForm {
    sha256: String,
    key: Option<String>,
    signature: Option<String>,
}

/// How the last line of a record begins.
const SEAL_START: &str = "{\"sha256\":\"";

/// The length of a line of the transcript in most games, in bytes, and the header and the result together.
const TYPICAL_LINE: usize = 96;
const TYPICAL_ENDS: usize = 2048;

impl Record {
    /// The record of a bout that has been played.
    pub fn new(header: RecordHeader, report: Report) -> Self {
        let disturbed = |side: Side| {
            let moments = report.entries.iter().filter(|entry| entry.side == side).filter_map(|entry| entry.moment);
            moments.filter(Moment::disturbed).count() as u32
        };
        let result = BoutResult {
            winner: report.winner,
            disturbed: Side::BOTH.map(disturbed),
            reason: report.reason,
            termination: report.termination,
            score: report.score,
            verdicts: report.verdicts,
            plies: report.plies,
            time_ms: report.time.map(|time| time.as_micros() as f64 / 1000.0),
            peak_mb: report.peak_memory.map(|bytes| (bytes as f64 / f64::from(1 << 20) * 10.0).round() / 10.0),
            stderr: report.stderr,
            invocations: report.invocations,
        };
        Self { header, entries: report.entries, result, signature: None }
    }

    /// Turns this record of a stopped session into that of a game that people have ended there.
    pub fn terminate(&mut self, termination: Termination, winner: Winner, reason: Stated) {
        // The question without an answer.
        while self.entries.last().is_some_and(|entry| entry.way == Way::To) {
            self.entries.pop();
        }
        let at = self.entries.last().map_or(Duration::ZERO, |entry| entry.at);
        let finish = |side| RecordEntry::new(at, side, Way::To, JudgeCommand::Finish.to_string());
        self.entries.extend(Side::BOTH.map(finish));
        self.result.verdicts = [None, None].map(AgentVerdict::from);
        (self.result.winner, self.result.reason, self.result.termination) = (winner, reason, Some(termination));
    }

    /// As sealed JSON Lines, with the signature if there is one, which fits only what was signed.
    ///
    /// # Panics
    /// Never: everything in a record can be written as JSON.
    pub fn write(&self) -> String {
        let mut text = self.body();
        let seal = seal(&text);
        text = text + SEAL_START + &seal + "\"";
        if let Some(signed) = &self.signature {
            text = text + ",\"key\":\"" + &signed.key.to_string() + "\",\"signature\":\"" + &signed.text() + "\"";
        }
        text + "}\n"
    }

    /// The SHA-256 of all its lines but the seal, which holds it.
    pub fn digest(&self) -> String {
        seal(&self.body())
    }

    /// Signs its current contents.
    pub fn sign(&mut self, key: &PrivateKey) {
        self.signature = Some(key.sign(&seal(&self.body())));
    }

    /// All lines but the seal.
    fn body(&self) -> String {
        let mut text = String::with_capacity(TYPICAL_LINE * self.entries.len() + TYPICAL_ENDS);
        push_json(&mut text, &self.header);
        text.push('\n');
        for entry in &self.entries {
            entry.write(&mut text);
        }
        push_json(&mut text, &ResultForm { result: &self.result });
        text.push('\n');
        text
    }

    /// Reads a record and checks its seal, and the signature if it has one.
    ///
    /// # Errors
    /// [`RecordError`] names the line that is wrong, or says that the seal or the signature does not fit.
    pub fn read(text: &str) -> Result<Self, RecordError> {
        let mut lines: Vec<&str> = without_bom(text).lines().collect();
        while lines.last().is_some_and(|line| line.trim().is_empty()) {
            lines.pop();
        }
        let header: RecordHeader = parse(&lines, 0, "a header")?;
        if header.record > VERSION {
            return Err(RecordError::Version { version: header.record });
        }
        let [.., _, _, last] = lines.as_slice() else { return Err(RecordError::CutOff) };
        let Ok(SealForm { sha256, key, signature }) = serde_json::from_str(last) else {
            return Err(RecordError::CutOff);
        };
        if let Some(at) = lines[..lines.len() - 1].iter().position(|line| line.starts_with(SEAL_START)) {
            return Err(RecordError::Surplus { line: at + 2 });
        }
        let body: String = lines[..lines.len() - 1].iter().flat_map(|line| [*line, "\n"]).collect();
        if sha256 != seal(&body) {
            return Err(RecordError::Seal);
        }
        let signature = verified(&sha256, key, signature)?;
        let entries = (1..lines.len() - 2).map(|at| {
            let form: LineForm = parse(&lines, at, "a line of the conversation")?;
            form.entry().map_err(|problem| RecordError::Line {
                line: at + 1,
                expected: "a line of the conversation",
                problem: problem.to_owned(),
            })
        });
        let entries = entries.collect::<Result<_, _>>()?;
        let ResultForm { result } = parse(&lines, lines.len() - 2, "a result")?;
        Ok(Self { header, entries, result, signature })
    }

    /// Checks that this key has signed it.
    ///
    /// # Errors
    /// [`RecordError::Unsigned`] and [`RecordError::Signer`].
    pub fn check_signer(&self, expected: PublicKey) -> Result<(), RecordError> {
        match &self.signature {
            None => Err(RecordError::Unsigned { expected }),
            Some(signed) if signed.key != expected => Err(RecordError::Signer { expected, found: signed.key }),
            Some(_) => Ok(()),
        }
    }

    /// The level of the jail that the programs ran in, the weaker of two; `None` if there was no program, or it is not
    /// known.
    pub fn jail(&self) -> Option<Level> {
        self.header.agents.iter().filter_map(|agent| agent.jail).min()
    }

    /// Whether every agent ended normally.
    pub fn is_clean(&self) -> bool {
        self.result.verdicts.iter().all(|judged| judged.verdict == Verdict::Ok)
    }
}

fn parse<T: for<'a> Deserialize<'a>>(lines: &[&str], at: usize, expected: &'static str) -> Result<T, RecordError> {
    let text = lines.get(at).copied().unwrap_or("");
    serde_json::from_str(text).map_err(|error| {
        // If the text is not an object, the parser's message names types of this program.
        let is_object = serde_json::from_str::<serde_json::Value>(text).is_ok_and(|value| value.is_object());
        let problem = if is_object { error.to_string() } else { "a JSON object expected".to_owned() };
        RecordError::Line { line: at + 1, expected, problem }
    })
}

/// The signature that a seal bears, if any.
fn verified(
    seal: &str,
    key: Option<String>,
    signature: Option<String>,
) -> Result<Option<RecordSignature>, RecordError> {
    if (&key, &signature) == (&None, &None) {
        return Ok(None);
    }
    let (key, signature) = (key.unwrap_or_default(), signature.unwrap_or_default());
    let signed = RecordSignature::of_texts(&key, &signature).filter(|signed| signed.fits(seal));
    signed.map(Some).ok_or(RecordError::Signature { key })
}

fn seal(text: &str) -> String {
    hex(&Sha256::digest(text))
}

impl RecordEntry {
    /// A whole line without further details.
    pub const fn new(at: Duration, side: Side, way: Way, line: String) -> Self {
        Self {
            at,
            side,
            way,
            line,
            cut: 0,
            moment: None,
            evaluation: None,
            spoken: None,
            remark: None,
            stderr: None,
            messages: None,
        }
    }

    /// Adds the entry as a line of JSON. There are hundreds of them in a record of the fastest bouts, and going through
    /// a serializer would take longer than all else that is done for the record.
    fn write(&self, text: &mut String) {
        let micros = |time: Duration| time.as_micros() as u64;
        push_number(text, "{\"at_us\":", micros(self.at));
        *text += match self.way {
            Way::To => ",\"to\":",
            Way::From => ",\"from\":",
        };
        *text += match self.side {
            Side::First => "\"first\"",
            Side::Second => "\"second\"",
        };
        push_text(text, ",\"line\":", &self.line);
        if self.cut > 0 {
            push_number(text, ",\"cut\":", self.cut);
        }
        if let Some(spoken) = &self.spoken {
            push_text(text, ",\"move\":", spoken);
        }
        if let Some(remark) = &self.remark {
            push_text(text, ",\"remark\":", &remark.text);
            if let Some(keyed) = &remark.keyed {
                push_text(text, ",\"remark_key\":", &keyed.key);
                *text += &format!(",\"remark_arguments\":{}", json!(keyed.arguments));
            }
        }
        if let Some(stderr) = &self.stderr {
            push_text(text, ",\"stderr\":", stderr);
        }
        if let Some(messages) = &self.messages {
            push_text(text, ",\"messages\":", messages);
        }
        if let Some(moment) = self.moment {
            push_number(text, ",\"wall_us\":", micros(moment.wall));
            push_number(text, ",\"cpu_us\":", micros(moment.cpu));
            for (name, time) in [
                (",\"delay_us\":", moment.delay),
                (",\"machine_us\":", moment.machine),
                (",\"judge_us\":", moment.judge_delay),
                (",\"opponent_cpu_us\":", moment.opponent_cpu),
            ] {
                if !time.is_zero() {
                    push_number(text, name, micros(time));
                }
            }
            if moment.disturbed() {
                *text += ",\"disturbed\":true";
            }
        }
        if let Some(evaluation) = &self.evaluation {
            *text += ",\"eval\":";
            push_json(text, &EvaluationForm::from(*evaluation));
        }
        *text += "}\n";
    }
}

fn push_json(text: &mut String, value: &impl Serialize) {
    *text += &serde_json::to_string(value).expect("records hold nothing that JSON cannot");
}

fn push_text(text: &mut String, name: &str, value: &str) {
    *text += name;
    // Only these are written otherwise than they are.
    if value.bytes().any(|byte| byte < b' ' || byte == b'"' || byte == b'\\') {
        push_json(text, &value);
    } else {
        text.push('"');
        *text += value;
        text.push('"');
    }
}

fn push_number(text: &mut String, name: &str, mut value: u64) {
    *text += name;
    let mut digits = [0; 20];
    let mut at = digits.len();
    loop {
        at -= 1;
        digits[at] = b'0' + (value % 10) as u8;
        value /= 10;
        if value == 0 {
            break;
        }
    }
    text.extend(digits[at..].iter().map(|&digit| char::from(digit)));
}

impl LineForm {
    fn entry(self) -> Result<RecordEntry, &'static str> {
        let (side, way) = match (self.to, self.from) {
            (Some(side), None) => (side, Way::To),
            (None, Some(side)) => (side, Way::From),
            _ => return Err("exactly one of `to` and `from` expected"),
        };
        let time = |micros: Option<u64>| Duration::from_micros(micros.unwrap_or(0));
        let moment = self.wall_us.map(|wall| Moment {
            wall: Duration::from_micros(wall),
            cpu: time(self.cpu_us),
            delay: time(self.delay_us),
            machine: time(self.machine_us),
            judge_delay: time(self.judge_us),
            opponent_cpu: time(self.opponent_cpu_us),
        });
        if self.disturbed != moment.is_some_and(|moment| moment.disturbed()) {
            return Err("`disturbed` does not follow from the times");
        }
        let side = match side {
            SideForm::First => Side::First,
            SideForm::Second => Side::Second,
        };
        Ok(RecordEntry {
            at: Duration::from_micros(self.at_us),
            side,
            way,
            line: self.line,
            cut: self.cut,
            moment,
            evaluation: self.eval.map(EvaluationForm::evaluation).transpose()?,
            spoken: self.spoken,
            remark: self.remark.map(|text| Stated {
                text,
                keyed: self.remark_key.map(|key| Box::new(Keyed { key, arguments: self.remark_arguments })),
            }),
            stderr: self.stderr,
            messages: self.messages,
        })
    }
}

/// Scores as JSON numbers: whole ones without a fraction.
///
/// # Errors
/// Any error of the serializer.
#[allow(clippy::ref_option, reason = "the signature is serde's")]
pub fn write_score<S: Serializer>(score: &Option<[GameScore; 2]>, serializer: S) -> Result<S::Ok, S::Error> {
    let number = |score: &GameScore| match score.halves() % 2 {
        0 => serde_json::Value::from(score.halves() / 2),
        _ => serde_json::Value::from(score.as_f64()),
    };
    score.as_ref().map(|pair| pair.each_ref().map(number)).serialize(serializer)
}

fn read_score<'a, D: Deserializer<'a>>(deserializer: D) -> Result<Option<[GameScore; 2]>, D::Error> {
    let pair = Option::<[f64; 2]>::deserialize(deserializer)?;
    Ok(pair.map(|pair| pair.map(|points| GameScore::from_halves((points * 2.0).round() as i32))))
}
