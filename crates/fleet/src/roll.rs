//! Identities of the workers. A worker chooses its name, but not the user known to its server, nor its key: a name
//! belongs to the first worker that uses it.

use std::collections::{BTreeSet, HashMap};

use async_nats::Message;

use crate::keys::{self, Kind};
use crate::notice::WorkerStatus;
use crate::{identity, subjects};

/// The most names of a user.
const MAX_NAMES: usize = 256;

/// The most workers that are known.
const MAX_WORKERS: usize = 50_000;

/// The longest status of a worker that is read.
const MAX_STATUS_BYTES: usize = 64 << 10;

/// The most games at once that a worker is believed to play.
const MAX_WORKER_SLOTS: usize = 1024;

/// The number of characters of its key that the label of a second worker of a name has.
const KEY_CHARS: usize = 8;

#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub(crate) struct Address {
    /// The name that it has chosen.
    pub name: String,
    /// Its user on the server.
    pub user: String,
    /// Public half of the key with which it signs.
    pub key: String,
}

/// The workers that have been heard of.
#[derive(Default)]
pub(crate) struct Roll {
    /// Label of each worker: its name, or if that belongs to another one, the name with a part of its key.
    labels: HashMap<Address, String>,
    addresses: HashMap<String, Address>,
    /// Number of names of each user.
    names: HashMap<String, usize>,
    /// The keys of the workers that are wanted; all if `None`.
    wanted: Option<BTreeSet<String>>,
}

impl Roll {
    pub(crate) fn new(wanted: Option<BTreeSet<String>>) -> Self {
        Self { wanted, ..Self::default() }
    }

    /// Returns a worker's label; an error says why its messages are refused.
    pub(crate) fn admit(&mut self, address: Address) -> Result<String, String> {
        if let Some(label) = self.labels.get(&address) {
            return Ok(label.clone());
        }
        let Address { name, user, key } = &address;
        if name.is_empty() || identity::token(name) != *name {
            return Err("its worker has no good name".to_owned());
        }
        // A user that looks like a key must be one: no one else can have it.
        if keys::public_key(user).is_some() && user != key {
            return Err(format!("it is signed by another key than that of its user {user}"));
        }
        if self.wanted.as_ref().is_some_and(|wanted| !wanted.contains(key)) {
            return Err(format!("worker {name} has the key {key}, which is not among --worker-keys"));
        }
        let names = self.names.entry(user.clone()).or_insert(0);
        if *names >= MAX_NAMES || self.labels.len() >= MAX_WORKERS {
            return Err(format!("user {user} has workers of more than {MAX_NAMES} names"));
        }
        *names += 1;
        let mut label = name.clone();
        if self.addresses.contains_key(&label) {
            label = format!("{name}~{}", key.get(1..=KEY_CHARS).unwrap_or(key));
        }
        if self.addresses.contains_key(&label) {
            label = format!("{name}~{key}~{user}");
        }
        self.labels.insert(address.clone(), label.clone());
        self.addresses.insert(label.clone(), address);
        Ok(label)
    }

    /// Returns a worker's label, if it is known.
    pub(crate) fn label_of(&self, address: &Address) -> Option<&str> {
        self.labels.get(address).map(String::as_str)
    }

    pub(crate) fn address(&self, label: &str) -> Option<&Address> {
        self.addresses.get(label)
    }

    /// Returns the user of a worker: workers of the same user may be one machine under many names.
    pub(crate) fn user<'a>(&'a self, label: &'a str) -> &'a str {
        self.addresses.get(label).map_or(label, |address| address.user.as_str())
    }

    /// The workers of a user.
    pub(crate) fn of_user<'a>(&'a self, user: &'a str) -> impl Iterator<Item = &'a str> {
        let found = self.addresses.iter().filter(move |(_, address)| address.user == user);
        found.map(|(label, _)| label.as_str())
    }

    /// Returns a status that a worker has signed, with its label; an error says what is invalid.
    pub(crate) fn status(&mut self, message: &Message) -> Result<WorkerStatus, String> {
        if message.payload.len() > MAX_STATUS_BYTES {
            return Err("it is too long".to_owned());
        }
        let user = subjects::user(&message.subject).ok_or_else(|| "it is from no user".to_owned())?;
        let key = keys::worker_key(Kind::Worker, message, &message.payload)?;
        let mut status: WorkerStatus = serde_json::from_slice(&message.payload).map_err(|error| error.to_string())?;
        if *message.subject != *subjects::worker(user, &status.worker) {
            return Err("it is of another worker".to_owned());
        }
        let name = std::mem::take(&mut status.worker);
        status.worker = self.admit(Address { name, user: user.to_owned(), key: key.clone() })?;
        (status.user, status.key) = (user.to_owned(), key);
        status.slots = status.slots.min(MAX_WORKER_SLOTS);
        Ok(status)
    }
}

#[cfg(test)]
mod tests {
    use nkeys::KeyPair;

    use super::*;

    fn address(name: &str, user: &str, key: &str) -> Address {
        Address { name: name.to_owned(), user: user.to_owned(), key: key.to_owned() }
    }

    #[test]
    fn a_name_belongs_to_its_first_worker() {
        let [one, other] = [0, 1].map(|_| KeyPair::new_user().public_key());
        let mut roll = Roll::default();
        assert_eq!(roll.admit(address("desk", &one, &one)).unwrap(), "desk");
        assert_eq!(roll.admit(address("desk", &one, &one)).unwrap(), "desk");
        assert_eq!(roll.admit(address("desk", &other, &other)).unwrap(), format!("desk~{}", &other[1..9]));
        assert_eq!(roll.admit(address("desk", "worker", &one)).unwrap(), format!("desk~{}", &one[1..9]));
        // A user that is a key signs with it, and names are plain.
        assert!(roll.admit(address("desk", &one, &other)).is_err());
        for name in ["", "a b", "a.b", "*", "desk~1", "a\n"] {
            assert!(roll.admit(address(name, &one, &one)).is_err(), "{name}");
        }
        assert_eq!((roll.user("desk"), roll.user("unknown")), (one.as_str(), "unknown"));
    }

    #[test]
    fn no_one_has_ever_new_names() {
        let mut roll = Roll::default();
        let admitted = (0..1000).filter(|number| roll.admit(address(&format!("n{number}"), "w", "UK")).is_ok());
        assert_eq!(admitted.count(), MAX_NAMES);
        assert!(roll.admit(address("other", "v", "UK")).is_ok());
    }

    #[test]
    fn only_wanted_keys_count() {
        let [one, other] = [0, 1].map(|_| KeyPair::new_user().public_key());
        let mut roll = Roll::new(Some([one.clone()].into()));
        assert!(roll.admit(address("a", "worker", &one)).is_ok());
        assert!(roll.admit(address("b", "worker", &other)).unwrap_err().contains("not among --worker-keys"));
    }
}
