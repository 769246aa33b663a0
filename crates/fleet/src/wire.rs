//! Jobs and results as messages.

use std::sync::Arc;

use agon_arena::Plan;
use agon_arena::runner::queue::GameJob;
use agon_arena::slot::Slot;
use agon_game::hash::hex;
use agon_referee::agent::PortableAgent;
use agon_referee::signing::PrivateKey;
use async_nats::{HeaderMap, Message};
use bytes::Bytes;
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};

use crate::archive::ProgramArchive;
use crate::keys::{self, Identity, Kind};
use crate::roll::Address;
use crate::subjects;

pub(crate) fn json(message: &impl Serialize) -> Bytes {
    serde_json::to_vec(message).expect("messages are plain data").into()
}

/// Header of a result with its description: a [`ResultForm`].
const RESULT: &str = "Agon-Result";

/// The most slots of a job.
pub(crate) const MAX_SLOTS: usize = 64;

/// The longest packed record.
pub(crate) const MAX_RECORD_BYTES: usize = 64 << 20;

/// Returns true if a worker is excluded from a job: `NAME USER` is one worker, `USER` all workers of a user.
pub(crate) fn is_excluded(not_by: &[String], name: &str, user: &str) -> bool {
    not_by.iter().any(|whom| match whom.split_once(' ') {
        Some((its_name, its_user)) => (its_name, its_user) == (name, user),
        None => whom == user,
    })
}

/// A worker's slot requests a job.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct TakeForm {
    pub worker: String,
    /// Time it waits for one.
    pub wait_ms: u64,
}

/// A worker continues a job.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct KeepForm {
    pub worker: String,
    pub job: String,
}

/// A worker returns a job, or the rest of it.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct EndForm {
    pub worker: String,
    pub job: String,
    /// Delay before it is handed out again.
    pub delay_ms: u64,
}

/// A worker requests a part of an object.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct FetchForm {
    pub worker: String,
    pub name: String,
    /// Number of bytes that it has.
    pub offset: usize,
}

/// The header of a part of an object: the length of the whole.
pub(crate) const OBJECT_BYTES: &str = "Agon-Bytes";

/// A job as JSON.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct JobForm {
    /// Run of the job: it is played for no other.
    pub run: String,
    /// The coordinator's session. Jobs of earlier ones are no longer played.
    pub revision: String,
    /// Name, unique among all jobs.
    pub job: String,
    /// Number of times that it has been handed out, this time included.
    pub deliveries: u32,
    pub slots: Vec<SlotForm>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub game: Option<GameTerms>,
}

#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct SlotForm {
    pub number: u32,
    /// Both agents, by their places in the plan.
    pub seats: [usize; 2],
    pub seed: u64,
    /// Known only to the coordinator and to the worker that was given the job: a result without it comes from someone
    /// else.
    pub ticket: String,
}

/// Terms that a job brings if its run has no plan.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub(crate) struct GameTerms {
    /// The game, its parameters and its limits.
    pub plan: Plan,
    pub agents: Vec<PortableAgent>,
    /// True if a program that does not compile loses; otherwise another machine tries.
    pub check: bool,
}

/// Content of a job before it is handed out.
#[derive(Clone, Debug)]
pub(crate) struct JobBody {
    pub slots: Vec<Slot>,
    pub game: Option<GameTerms>,
    /// The sources of its programs, which workers can fetch while the job exists.
    pub _archives: Vec<Arc<ProgramArchive>>,
}

impl JobBody {
    pub(crate) const fn of_slots(slots: Vec<Slot>) -> Self {
        Self { slots, game: None, _archives: Vec::new() }
    }

    pub(crate) fn of_game(slot: Slot, game: GameTerms, archives: Vec<Arc<ProgramArchive>>) -> Self {
        Self { slots: vec![slot], game: Some(game), _archives: archives }
    }
}

/// A job of a plan with this number of agents; `None` for any other message.
pub(crate) fn read_job(text: &[u8], agents: usize) -> Option<(GameJob, JobForm)> {
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

/// Returns the ticket of a slot in a job, for the worker that is handed the job. It is derived from the coordinator's
/// secret, so that a restarted coordinator recognises it.
pub(crate) fn ticket(secret: &[u8; 32], run: &str, job: &str, slot: u32, holder: &Address) -> String {
    let mut hash = Sha256::new();
    hash.update(secret);
    for part in [run, job, &holder.name, &holder.user, &holder.key] {
        hash.update((part.len() as u64).to_le_bytes());
        hash.update(part);
    }
    hash.update(slot.to_le_bytes());
    hex(&hash.finalize()[..16])
}

/// A move of a game in progress, for its spectators.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub(crate) struct MoveNews {
    pub slot: u32,
    pub job: String,
    pub ticket: String,
    /// 0: the game begins; 1: its first move.
    pub number: u32,
    /// The number of the seat that played it.
    pub side: usize,
    /// The move in the judge's notation.
    pub arguments: String,
    /// Duration in microseconds.
    pub wall_us: u64,
    /// Both clocks after it, in microseconds.
    pub clocks_us: [u64; 2],
}

/// A worker begins a slot.
#[derive(Serialize, Deserialize)]
pub(crate) struct Began {
    pub worker: String,
    pub slot: u32,
    pub job: String,
}

/// An order to finish and stop.
#[derive(Serialize, Deserialize)]
pub(crate) struct DrainOrder {
    pub worker: String,
    /// Session of the worker's status: an old order does not stop a restarted worker.
    pub session: String,
}

/// Response of a worker to an order.
#[derive(Serialize, Deserialize)]
pub(crate) struct DrainAnswer {
    pub session: String,
    /// Reason for refusing.
    pub refused: Option<String>,
}

/// An order to a worker, signed by this key, as a message.
pub(crate) fn drain_order(key: &PrivateKey, worker: String, session: String) -> (String, HeaderMap, Bytes) {
    let subject = subjects::drain(&worker);
    let payload = json(&DrainOrder { worker, session });
    let headers = keys::sign(key, Kind::Drain, &subject, &payload);
    (subject, headers, payload)
}

pub(crate) struct SlotResult {
    pub slot: u32,
    /// Label of the worker.
    pub worker: String,
    pub content: Content,
}

pub(crate) enum Content {
    Record(Bytes),
    /// Reason why it can never be played.
    Failed(String),
}

/// Number of a part of a compressed record that is too long for a message. Parts are sent in order, from 0.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct RecordPart {
    pub number: u32,
    /// Number of bytes of the whole.
    pub bytes: usize,
    /// Digest of the whole.
    pub sha256: String,
}

/// Description of a result. Its signature covers this and the content of the message.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct ResultForm {
    pub worker: String,
    pub slot: u32,
    pub job: String,
    pub ticket: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub part: Option<RecordPart>,
    #[serde(default, skip_serializing_if = "is_false")]
    pub failed: bool,
}

/// The answer of a coordinator to a result.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub(crate) enum ResultAnswer {
    /// It has the result, or needs none.
    Taken,
    /// It has this part, and waits for the next one.
    More,
    /// It lacks earlier parts: all must be sent again.
    Again,
    /// It will never take it.
    Refused,
}

#[allow(clippy::trivially_copy_pass_by_ref, reason = "the signature is serde's")]
const fn is_false(value: &bool) -> bool {
    !*value
}

fn signed_content(form: &str, payload: &[u8]) -> Vec<u8> {
    [form.as_bytes(), b"\n", payload].concat()
}

/// A result as headers and payload.
pub(crate) fn write_result(identity: &Identity, subject: &str, form: &ResultForm, payload: &[u8]) -> HeaderMap {
    let form = serde_json::to_string(form).expect("messages are plain data");
    let mut headers = identity.sign(Kind::Result, subject, &signed_content(&form, payload));
    headers.insert(RESULT, form.as_str());
    headers
}

/// A result that a worker has signed.
pub(crate) struct SignedResult {
    pub form: ResultForm,
    pub by: Address,
    pub payload: Bytes,
}

/// Parses a result; an error says what is invalid. `is_holder` says whether a worker was given the job, and is checked
/// before the signature, so that nonsense costs nothing.
pub(crate) fn read_result(
    message: &Message,
    is_holder: impl Fn(&ResultForm, &Address) -> bool,
) -> Result<SignedResult, String> {
    let user = subjects::user(&message.subject).ok_or_else(|| "it is from no user".to_owned())?;
    let form = message.headers.as_ref().and_then(|headers| headers.get(RESULT)).map(ToString::to_string);
    let text = form.ok_or_else(|| "it does not say what it is".to_owned())?;
    let form: ResultForm = serde_json::from_str(&text).map_err(|error| error.to_string())?;
    let key = keys::claimed_key(message)?;
    let by = Address { name: form.worker.clone(), user: user.to_owned(), key };
    if !is_holder(&form, &by) {
        return Err(format!("it is of game {}, which was not given to worker {}", form.slot, form.worker));
    }
    keys::worker_key(Kind::Result, message, &signed_content(&text, &message.payload))?;
    Ok(SignedResult { form, by, payload: message.payload.clone() })
}

/// Parses a request of a worker of this name to a coordinator, if the worker has signed it; an error says what is
/// invalid.
pub(crate) fn read_request<T: DeserializeOwned>(
    message: &Message,
    name: impl Fn(&T) -> &str,
) -> Result<(T, Address), String> {
    if message.payload.len() > MAX_REQUEST_BYTES {
        return Err("it is too long".to_owned());
    }
    let user = subjects::user(&message.subject).ok_or_else(|| "it is from no user".to_owned())?;
    let form: T = serde_json::from_slice(&message.payload).map_err(|error| error.to_string())?;
    let key = keys::worker_key(Kind::Request, message, &message.payload)?;
    let by = Address { name: name(&form).to_owned(), user: user.to_owned(), key };
    Ok((form, by))
}

/// The longest request of a worker.
const MAX_REQUEST_BYTES: usize = 4096;

/// The longest reason of a worker that is passed on.
const MAX_REASON_CHARS: usize = 500;

/// Returns the worker's reason why it cannot play a slot.
pub(crate) fn reason(text: &[u8]) -> String {
    String::from_utf8_lossy(text).chars().take(MAX_REASON_CHARS).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::subjects::Verb;

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
            deliveries: 1,
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

    fn address(name: &str, user: &str, key: &str) -> Address {
        Address { name: name.to_owned(), user: user.to_owned(), key: key.to_owned() }
    }

    #[test]
    fn a_ticket_is_of_one_slot_of_one_job_of_one_run() {
        let holder = address("one", "U", "K");
        let made = |secret: u8, run: &str, job: &str, slot| ticket(&[secret; 32], run, job, slot, &holder);
        let one = made(1, "r", "s.1", 4);
        assert_eq!(one, made(1, "r", "s.1", 4));
        for other in [made(2, "r", "s.1", 4), made(1, "r2", "s.1", 4), made(1, "r", "s.2", 4), made(1, "r", "s.1", 5)] {
            assert_ne!(one, other);
        }
        assert_ne!(made(1, "ab", "c", 4), made(1, "a", "bc", 4));
        // Nor does it belong to another worker, whichever of the three differs.
        for other in [address("two", "U", "K"), address("one", "V", "K"), address("one", "U", "L")] {
            assert_ne!(one, ticket(&[1; 32], "r", "s.1", 4, &other), "{other:?}");
        }
    }

    fn message(subject: &str, payload: &[u8], headers: HeaderMap) -> Message {
        Message {
            subject: subject.into(),
            reply: None,
            payload: payload.to_vec().into(),
            headers: Some(headers),
            status: None,
            description: None,
            length: 0,
        }
    }

    #[test]
    fn a_result_is_its_workers() {
        let (worker, other) = (Identity::new(None, None), Identity::new(None, None));
        let subject = subjects::to_run(&worker.user, Verb::Result, "r");
        let holder = address("one", &worker.user, &worker.public_key());
        let form = ResultForm {
            worker: "one".to_owned(),
            slot: 4,
            job: "s.1".to_owned(),
            ticket: ticket(&[1; 32], "r", "s.1", 4, &holder),
            part: None,
            failed: false,
        };
        let is_holder =
            |form: &ResultForm, by: &Address| form.ticket == ticket(&[1; 32], "r", &form.job, form.slot, by);
        let headers = write_result(&worker, &subject, &form, b"record");
        let read = read_result(&message(&subject, b"record", headers.clone()), is_holder).ok().unwrap();
        assert_eq!((read.by, read.form.slot), (holder, 4));
        let forged = |subject: &str, payload: &[u8], change: &dyn Fn(&mut HeaderMap)| {
            let mut headers = headers.clone();
            change(&mut headers);
            assert!(read_result(&message(subject, payload, headers), is_holder).is_err());
        };
        forged(&subject, b"other record", &|_| {});
        forged(&subjects::to_run(&worker.user, Verb::Result, "other"), b"record", &|_| {});
        forged(&subjects::to_run(&other.user, Verb::Result, "r"), b"record", &|_| {});
        forged(&subject, b"record", &|headers| {
            let changed = ResultForm { slot: 5, ..form.clone() };
            headers.insert(RESULT, serde_json::to_string(&changed).unwrap().as_str());
        });
        forged(&subject, b"record", &|headers| headers.insert("Agon-Key", other.public_key().as_str()));
        forged(&subject, b"record", &|headers| headers.insert("Agon-Wire", "1"));
        // A key sent with the result, with a valid signature of its own, is not the holder's.
        let headers = write_result(&other, &subject, &form, b"record");
        let why = read_result(&message(&subject, b"record", headers), is_holder).err().unwrap();
        assert!(why.contains("was not given to worker one"), "{why}");
    }

    #[test]
    fn a_request_is_its_workers() {
        let (worker, other) = (Identity::new(None, None), Identity::new(None, None));
        let subject = subjects::to_run(&worker.user, Verb::Keep, "r");
        let form = json(&KeepForm { worker: "one".to_owned(), job: "s.1".to_owned() });
        let read = |by: &Identity, signed: &str, subject: &str, payload: &[u8]| {
            let headers = by.sign(Kind::Request, signed, &form);
            read_request(&message(subject, payload, headers), |form: &KeepForm| &form.worker)
        };
        let (_, by) = read(&worker, &subject, &subject, &form).unwrap();
        assert_eq!(by, address("one", &worker.user, &worker.public_key()));
        // A signature of another run, another verb, or another content; and one that is too long.
        for signed in [subjects::to_run(&worker.user, Verb::Keep, "q"), subjects::to_run(&worker.user, Verb::End, "r")]
        {
            assert!(read(&worker, &signed, &subject, &form).is_err(), "{signed}");
        }
        assert!(read(&worker, &subject, &subject, br#"{"worker":"two","job":"s.1"}"#).is_err());
        assert!(read(&worker, &subject, &subject, &[b' '; MAX_REQUEST_BYTES + 1]).unwrap_err().contains("too long"));
        // A worker that signs as itself below another user is identified by its key.
        assert_eq!(read(&other, &subject, &subject, &form).unwrap().1.key, other.public_key());
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
