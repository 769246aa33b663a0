//! Jobs and results as messages.

use agon_arena::Plan;
use agon_arena::runner::queue::GameJob;
use agon_arena::slot::Slot;
use agon_game::hash::hex;
use agon_referee::agent::PortableAgent;
use agon_referee::signing::PrivateKey;
use async_nats::{HeaderMap, Message};
use bytes::Bytes;
use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};

use crate::keys::{self, Identity, Kind};
use crate::subjects;

pub fn json(message: &impl Serialize) -> Bytes {
    serde_json::to_vec(message).expect("messages are plain data").into()
}

/// The header of a result that says what it is: a [`ResultForm`].
const RESULT: &str = "Agon-Result";

/// The most slots of a job.
pub const MAX_SLOTS: usize = 64;

/// The most parts of a long record.
const MAX_PARTS: u32 = 512;

/// What a worker is known by that is not to play a job: `NAME USER` is one worker, `USER` all of a user.
pub fn is_excluded(not_by: &[String], name: &str, user: &str) -> bool {
    not_by.iter().any(|whom| match whom.split_once(' ') {
        Some((its_name, its_user)) => (its_name, its_user) == (name, user),
        None => whom == user,
    })
}

/// A job as JSON.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct JobForm {
    /// Its run: a job is played for no other one.
    pub run: String,
    /// The coordinator's session. A job of an earlier one is played no more.
    pub revision: String,
    /// Its name, unlike that of any other job.
    pub job: String,
    /// Who is not to play it, see [`is_excluded`].
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub not_by: Vec<String>,
    pub slots: Vec<SlotForm>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub game: Option<GameTerms>,
}

#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SlotForm {
    pub number: u32,
    /// Both agents, by their places in the plan.
    pub seats: [usize; 2],
    pub seed: u64,
    /// Known to the coordinator and to those who are given the job: a result without it is from someone else.
    pub ticket: String,
}

/// What a job brings if its run has no plan.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct GameTerms {
    /// The game, its parameters and its limits.
    pub plan: Plan,
    pub agents: Vec<PortableAgent>,
    /// Whether a program that does not compile has lost; else another machine tries.
    pub check: bool,
}

/// What a job is about, before it is handed out.
#[derive(Clone, Debug)]
pub struct JobBody {
    pub slots: Vec<Slot>,
    pub game: Option<GameTerms>,
}

impl JobBody {
    pub fn of(job: &GameJob) -> Self {
        Self { slots: job.slots.clone(), game: None }
    }

    pub fn of_slot(slot: Slot) -> Self {
        Self { slots: vec![slot], game: None }
    }

    pub fn of_game(slot: Slot, game: GameTerms) -> Self {
        Self { slots: vec![slot], game: Some(game) }
    }
}

/// A job of a plan with this number of agents; `None` for any other message.
pub fn read_job(text: &[u8], agents: usize) -> Option<(GameJob, JobForm)> {
    let form: JobForm = serde_json::from_slice(text).ok()?;
    let known = form.slots.iter().all(|slot| slot.seats.iter().all(|&agent| agent < agents));
    if !known || form.slots.is_empty() || form.slots.len() > MAX_SLOTS {
        return None;
    }
    if form.game.as_ref().is_some_and(|terms| terms.agents.len() != 2 || terms.plan.agents.len() != 2) {
        return None;
    }
    let slots = form.slots.iter().map(|slot| Slot { number: slot.number, seats: slot.seats, seed: slot.seed });
    Some((GameJob { slots: slots.collect() }, form))
}

/// The ticket of a slot in a job, made of the coordinator's secret, so that one who was killed knows it again.
pub fn ticket(secret: &[u8; 32], run: &str, job: &str, slot: u32) -> String {
    let mut hash = Sha256::new();
    hash.update(secret);
    for part in [run, job] {
        hash.update((part.len() as u64).to_le_bytes());
        hash.update(part);
    }
    hash.update(slot.to_le_bytes());
    hex(&hash.finalize()[..16])
}

/// A move of a game in progress, for its spectators.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct MoveNews {
    pub slot: u32,
    pub job: String,
    pub ticket: String,
    /// 0: the game begins; 1: its first move.
    pub number: u32,
    /// The number of the seat that played it.
    pub side: usize,
    /// The move in the judge's notation.
    pub arguments: String,
    /// How long it took, in microseconds.
    pub wall_us: u64,
    /// Both clocks after it, in microseconds.
    pub clocks_us: [u64; 2],
}

/// A worker begins a slot.
#[derive(Serialize, Deserialize)]
pub struct Began {
    pub worker: String,
    pub slot: u32,
    pub job: String,
    pub ticket: String,
}

/// An order to finish and stop.
#[derive(Serialize, Deserialize)]
pub struct DrainOrder {
    pub worker: String,
    /// That of the worker's status: an old order does not stop a worker that was started again.
    pub session: String,
}

/// An order to a worker, signed by this key, as a message.
pub fn drain_order(key: &PrivateKey, worker: String, session: String) -> (String, HeaderMap, Bytes) {
    let subject = subjects::drain(&worker);
    let payload = json(&DrainOrder { worker, session });
    let headers = keys::sign(key, Kind::Drain, &subject, &payload);
    (subject, headers, payload)
}

pub struct SlotResult {
    pub slot: u32,
    /// What the coordinator calls its worker.
    pub worker: String,
    pub content: Content,
}

pub enum Content {
    Record(Bytes),
    /// The parts of its packed record.
    Long(LongRecord),
    /// Why it can never be played.
    Failed(String),
}

/// A packed record in parts.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct LongRecord {
    /// The user below whose subject its parts stand, which the reader takes from the subject of the result.
    #[serde(skip)]
    pub user: String,
    pub token: String,
    pub parts: u32,
    pub sha256: String,
}

/// What a result says of itself. Its signature is of this, and of the content of the message.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ResultForm {
    pub worker: String,
    pub slot: u32,
    pub job: String,
    pub ticket: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub long: Option<LongRecord>,
    #[serde(default, skip_serializing_if = "is_false")]
    pub failed: bool,
}

#[allow(clippy::trivially_copy_pass_by_ref, reason = "the signature is serde's")]
const fn is_false(value: &bool) -> bool {
    !*value
}

fn signed_content(form: &str, payload: &[u8]) -> Vec<u8> {
    [form.as_bytes(), b"\n", payload].concat()
}

/// A result as headers and payload.
pub fn write_result(identity: &Identity, subject: &str, form: &ResultForm, payload: &[u8]) -> HeaderMap {
    let form = serde_json::to_string(form).expect("messages are plain data");
    let mut headers = identity.sign(Kind::Result, subject, &signed_content(&form, payload));
    headers.insert(RESULT, form.as_str());
    headers
}

/// A result that a worker has signed.
pub struct SignedResult {
    pub form: ResultForm,
    pub user: String,
    pub key: String,
    pub content: Content,
}

/// A result; an error says why the message is none.
pub fn read_result(message: &Message) -> Result<SignedResult, String> {
    let user = subjects::user(&message.subject).ok_or_else(|| "it is from no user".to_owned())?;
    let form = message.headers.as_ref().and_then(|headers| headers.get(RESULT)).map(ToString::to_string);
    let text = form.ok_or_else(|| "it does not say what it is".to_owned())?;
    let key = keys::worker_key(Kind::Result, message, &signed_content(&text, &message.payload))?;
    let form: ResultForm = serde_json::from_str(&text).map_err(|error| error.to_string())?;
    let content = match &form.long {
        Some(long) if is_token(&long.token) && (1..=MAX_PARTS).contains(&long.parts) => {
            Content::Long(LongRecord { user: user.to_owned(), ..long.clone() })
        }
        Some(_) => return Err("its parts have no good names".to_owned()),
        None if form.failed => Content::Failed(short(&message.payload)),
        None => Content::Record(message.payload.clone()),
    };
    Ok(SignedResult { user: user.to_owned(), form, key, content })
}

/// The longest reason of a worker that is passed on.
const MAX_REASON_CHARS: usize = 500;

fn short(text: &[u8]) -> String {
    String::from_utf8_lossy(text).chars().take(MAX_REASON_CHARS).collect()
}

/// The name of the parts of a long record: 32 hexadecimal digits.
fn is_token(text: &str) -> bool {
    text.len() == 32 && text.bytes().all(|byte| matches!(byte, b'0'..=b'9' | b'a'..=b'f'))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn form(slots: &[(u32, [usize; 2])]) -> JobForm {
        let slot = |&(number, seats): &(u32, [usize; 2])| SlotForm {
            number,
            seats,
            seed: u64::MAX >> 11,
            ticket: "t".to_owned(),
        };
        JobForm {
            run: "r".to_owned(),
            revision: "s".to_owned(),
            job: "s.1".to_owned(),
            not_by: Vec::new(),
            slots: slots.iter().map(slot).collect(),
            game: None,
        }
    }

    #[test]
    fn a_job_comes_back_and_junk_does_not() {
        let text = json(&form(&[(4, [1, 0]), (5, [1, 0])]));
        let (job, _) = read_job(&text, 2).unwrap();
        let slot = |number| Slot { number, seats: [1, 0], seed: u64::MAX >> 11 };
        assert_eq!(job, GameJob { slots: vec![slot(4), slot(5)] });
        assert!(read_job(&text, 1).is_none());
        assert!(read_job(&json(&form(&[])), 2).is_none());
        let many: Vec<(u32, [usize; 2])> = (0..=MAX_SLOTS as u32).map(|number| (number, [0, 1])).collect();
        assert!(read_job(&json(&form(&many)), 2).is_none());
        assert!(read_job(b"slots", 2).is_none());
        let more = String::from_utf8(text.to_vec()).unwrap().replacen("\"run\"", "\"command\":\"sh\",\"run\"", 1);
        assert!(read_job(more.as_bytes(), 2).is_none());
    }

    #[test]
    fn a_ticket_is_of_one_slot_of_one_job_of_one_run() {
        let made = |secret: u8, run: &str, job: &str, slot| ticket(&[secret; 32], run, job, slot);
        let one = made(1, "r", "s.1", 4);
        assert_eq!(one, made(1, "r", "s.1", 4));
        for other in [made(2, "r", "s.1", 4), made(1, "r2", "s.1", 4), made(1, "r", "s.2", 4), made(1, "r", "s.1", 5)] {
            assert_ne!(one, other);
        }
        assert_ne!(made(1, "ab", "c", 4), made(1, "a", "bc", 4));
    }

    #[test]
    fn a_result_is_its_workers() {
        let (worker, other) = (Identity::new(None, None), Identity::new(None, None));
        let subject = subjects::results(&worker.user, "r");
        let form = ResultForm {
            worker: "one".to_owned(),
            slot: 4,
            job: "s.1".to_owned(),
            ticket: "t".to_owned(),
            long: None,
            failed: false,
        };
        let message = |subject: &str, payload: &'static [u8], headers: HeaderMap| Message {
            subject: subject.into(),
            reply: None,
            payload: payload.into(),
            headers: Some(headers),
            status: None,
            description: None,
            length: 0,
        };
        let headers = write_result(&worker, &subject, &form, b"record");
        let read = read_result(&message(&subject, b"record", headers.clone())).ok().unwrap();
        assert_eq!((read.user, read.key, read.form.slot), (worker.user.clone(), worker.public_key(), 4));
        let forged = |subject: &str, payload: &'static [u8], change: &dyn Fn(&mut HeaderMap)| {
            let mut headers = headers.clone();
            change(&mut headers);
            assert!(read_result(&message(subject, payload, headers)).is_err());
        };
        forged(&subject, b"other record", &|_| {});
        forged(&subjects::results(&worker.user, "other"), b"record", &|_| {});
        forged(&subjects::results(&other.user, "r"), b"record", &|_| {});
        forged(&subject, b"record", &|headers| {
            let changed = ResultForm { slot: 5, ..form.clone() };
            headers.insert(RESULT, serde_json::to_string(&changed).unwrap().as_str());
        });
        forged(&subject, b"record", &|headers| headers.insert("Agon-Key", other.public_key().as_str()));
        forged(&subject, b"record", &|headers| headers.insert("Agon-Wire", "1"));
        // Parts of a record have names that no one can guess, and no other ones.
        for token in ["", "*", ">", "0123.*", "program.00"] {
            let long = LongRecord { user: String::new(), token: token.to_owned(), parts: 1, sha256: String::new() };
            let headers = write_result(&worker, &subject, &ResultForm { long: Some(long), ..form.clone() }, b"");
            assert!(read_result(&message(&subject, b"", headers)).is_err(), "{token}");
        }
    }

    #[test]
    fn a_job_is_for_all_but_some() {
        let not_by = ["one UA".to_owned(), "UB".to_owned()];
        for (name, user, excluded) in
            [("one", "UA", true), ("two", "UA", false), ("one", "UC", false), ("any", "UB", true)]
        {
            assert_eq!(is_excluded(&not_by, name, user), excluded, "{name} {user}");
        }
    }
}
