//! Jobs and results as messages.

use agon_arena::Plan;
use agon_arena::runner::queue::GameJob;
use agon_arena::slot::Slot;
use agon_referee::agent::PortableAgent;
use async_nats::{HeaderMap, Message};
use bytes::Bytes;
use serde::{Deserialize, Serialize};

pub fn json(message: &impl Serialize) -> Bytes {
    serde_json::to_vec(message).expect("messages are plain data").into()
}

/// The headers of a result.
const SLOT: &str = "Agon-Slot";
const WORKER: &str = "Agon-Worker";
const DELIVERY: &str = "Agon-Delivery";
const FAILED: &str = "Agon-Failed";
const OBJECT: &str = "Agon-Object";

/// The header of a job that this worker is not to play; there may be several.
const NOT_BY: &str = "Agon-Not-By";

pub fn job_headers<'a>(not_by: impl IntoIterator<Item = &'a str>) -> HeaderMap {
    let mut headers = HeaderMap::new();
    for worker in not_by {
        headers.append(NOT_BY, worker);
    }
    headers
}

pub fn is_for_others(message: &Message, worker: &str) -> bool {
    let headers = message.headers.as_ref();
    headers.is_some_and(|headers| headers.get_all(NOT_BY).any(|name| name.as_str() == worker))
}

/// A job as JSON: of each slot its number, both agents and the seed.
#[derive(Serialize, Deserialize)]
struct JobForm {
    slots: Vec<(u32, usize, usize, u64)>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    game: Option<GameTerms>,
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

pub fn write_game(slot: Slot, terms: &GameTerms) -> Bytes {
    let slots = vec![(slot.number, slot.seats[0], slot.seats[1], slot.seed)];
    json(&JobForm { slots, game: Some(terms.clone()) })
}

pub fn read_terms(text: &[u8]) -> Option<GameTerms> {
    let JobForm { game, .. } = serde_json::from_slice(text).ok()?;
    game.filter(|terms| terms.agents.len() == 2 && terms.plan.agents.len() == 2)
}

/// A move of a game in progress, for its spectators.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct MoveNews {
    pub slot: u32,
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

pub fn write_job(job: &GameJob) -> Bytes {
    let slots = job.slots.iter().map(|slot| (slot.number, slot.seats[0], slot.seats[1], slot.seed)).collect();
    json(&JobForm { slots, game: None })
}

/// A job of a plan with this number of agents; `None` for any other message.
pub fn read_job(text: &[u8], agents: usize) -> Option<GameJob> {
    let JobForm { slots, .. } = serde_json::from_slice(text).ok()?;
    let known = slots.iter().all(|&(_, first, second, _)| first < agents && second < agents);
    let slot = |(number, first, second, seed)| Slot { number, seats: [first, second], seed };
    (known && !slots.is_empty()).then(|| GameJob { slots: slots.into_iter().map(slot).collect() })
}

/// A worker begins a slot.
#[derive(Serialize, Deserialize)]
pub struct Began {
    pub worker: String,
    pub slot: u32,
}

pub struct SlotResult {
    pub slot: u32,
    pub worker: String,
    pub content: Content,
}

pub enum Content {
    Record(Bytes),
    /// The name of the object that holds its packed record.
    Object(String),
    /// Why it can never be played.
    Failed(String),
}

/// A result as headers and payload; `delivery` is how often its job had been handed out.
pub fn write_result(result: &SlotResult, delivery: u32) -> (HeaderMap, Bytes) {
    let mut headers = HeaderMap::new();
    headers.insert(SLOT, result.slot.to_string().as_str());
    headers.insert(WORKER, result.worker.as_str());
    headers.insert(DELIVERY, delivery.to_string().as_str());
    let payload = match &result.content {
        Content::Record(record) => record.clone(),
        Content::Object(name) => {
            headers.insert(OBJECT, name.as_str());
            Bytes::new()
        }
        Content::Failed(reason) => {
            headers.insert(FAILED, "yes");
            Bytes::from(reason.clone())
        }
    };
    (headers, payload)
}

/// A result; `None` for any other message.
pub fn read_result(message: &Message) -> Option<SlotResult> {
    let headers = message.headers.as_ref()?;
    let header = |name: &str| headers.get(name).map(ToString::to_string);
    let content = if let Some(name) = header(OBJECT) {
        Content::Object(name)
    } else if header(FAILED).is_some() {
        Content::Failed(String::from_utf8_lossy(&message.payload).into_owned())
    } else {
        Content::Record(message.payload.clone())
    };
    Some(SlotResult { slot: header(SLOT)?.parse().ok()?, worker: header(WORKER)?, content })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_job_comes_back_and_junk_does_not() {
        let slot = |number| Slot { number, seats: [1, 0], seed: u64::MAX >> 11 };
        let job = GameJob { slots: vec![slot(4), slot(5)] };
        assert_eq!(read_job(&write_job(&job), 2), Some(job.clone()));
        assert_eq!(read_job(&write_job(&job), 1), None);
        assert_eq!(read_job(b"{\"slots\":[]}", 2), None);
        assert_eq!(read_job(b"slots", 2), None);
    }
}
