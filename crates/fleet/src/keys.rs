//! Signatures: coordinators sign their runs, jobs and orders, workers their statuses and results.
//!
//! A server admits many users, and any of them may have sent the messages it passes on, so unsigned messages are
//! ignored. A signature covers the kind of a message, its subject and its content. The key of a coordinator is an
//! Ed25519 key of `agon key new`; that of a worker is an `NKey`, which its server may know as well.

use std::collections::BTreeSet;
use std::fs::{self, OpenOptions};
use std::io::{ErrorKind, Write as _};
use std::os::unix::fs::OpenOptionsExt as _;
use std::path::Path;
use std::sync::Mutex;

use agon_game::hash::hex;
use agon_referee::signing::{PrivateKey, PublicKey};
use async_nats::{HeaderMap, Message};
use nkeys::{KeyPair, KeyPairType};

use crate::error::FleetError;
use crate::lock::lock;

/// Version of the messages between coordinators and workers. Versions before 2 signed nothing; those of version 2 left
/// jobs and results to streams on the server.
pub(crate) const WIRE: u32 = 3;

const WIRE_HEADER: &str = "Agon-Wire";
const KEY: &str = "Agon-Key";
const SIGNATURE: &str = "Agon-Signature";

/// The length of a public `NKey`.
const PUBLIC_LENGTH: usize = 56;

/// Kind of a signed message.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Kind {
    Run,
    Notice,
    Job,
    Drain,
    Worker,
    Request,
    Result,
    Answer,
}

impl Kind {
    pub(crate) fn context(self, subject: &str) -> String {
        let kind = match self {
            Self::Run => "run",
            Self::Notice => "notice",
            Self::Job => "job",
            Self::Drain => "drain",
            Self::Worker => "worker",
            Self::Request => "request",
            Self::Result => "result",
            Self::Answer => "answer",
        };
        format!("fleet {WIRE} {kind} {subject}")
    }
}

/// Headers with a coordinator's signature of a message.
pub(crate) fn sign(key: &PrivateKey, kind: Kind, subject: &str, content: &[u8]) -> HeaderMap {
    let mut headers = HeaderMap::new();
    headers.insert(WIRE_HEADER, WIRE.to_string().as_str());
    headers.insert(KEY, key.public().to_string().as_str());
    headers.insert(SIGNATURE, key.sign_bytes(&kind.context(subject), content).as_str());
    headers
}

/// The coordinator that has signed a message; an error says why the signer is not one.
pub(crate) fn signer(kind: Kind, message: &Message) -> Result<PublicKey, String> {
    let header = |name: &str| message.headers.as_ref()?.get(name).map(ToString::to_string);
    check_wire(header(WIRE_HEADER).as_deref())?;
    let (key, signature) = header(KEY).zip(header(SIGNATURE)).ok_or_else(|| "it is not signed".to_owned())?;
    verify(&key, kind, &message.subject, &message.payload, &signature)
}

/// The coordinator whose signature it is; an error says why the signer is not one.
pub(crate) fn verify(
    key: &str,
    kind: Kind,
    subject: &str,
    content: &[u8],
    signature: &str,
) -> Result<PublicKey, String> {
    let key: PublicKey = key.parse().map_err(|_| "its key is none".to_owned())?;
    let good = key.verifies(&kind.context(subject), content, signature);
    good.then_some(key).ok_or_else(|| "its signature is wrong".to_owned())
}

/// Checks that this version of Agon reads messages of that version; an error says what to do.
pub(crate) fn check_wire(version: Option<&str>) -> Result<(), String> {
    match version.map(str::parse::<u32>) {
        Some(Ok(WIRE)) => Ok(()),
        Some(Ok(newer)) if newer > WIRE => {
            Err(format!("it speaks version {newer} of the fleet's messages, and this one {WIRE}: update agon here"))
        }
        Some(Ok(older)) if older > 1 => {
            Err(format!("it speaks version {older} of the fleet's messages, and this one {WIRE}: update agon there"))
        }
        _ => Err("it signs nothing, as agon 0.2 and older: update agon there".to_owned()),
    }
}

/// A worker, or a program that only looks, as the server and others know it.
pub(crate) struct Identity {
    /// Identity known to the server, as a token of a subject: the public `NKey`, the name of the user, or, if the
    /// server requires neither, the public half of the worker's own key.
    pub user: String,
    key: KeyPair,
}

impl Identity {
    /// `user` is the name of its user, if it has one; `key` its own key, or else a new one for this process.
    pub(crate) fn new(user: Option<String>, key: Option<KeyPair>) -> Self {
        let key = key.unwrap_or_else(KeyPair::new_user);
        Self { user: user.unwrap_or_else(|| key.public_key()), key }
    }

    pub(crate) fn public_key(&self) -> String {
        self.key.public_key()
    }

    /// Headers with its signature of a message.
    pub(crate) fn sign(&self, kind: Kind, subject: &str, content: &[u8]) -> HeaderMap {
        let mut headers = HeaderMap::new();
        headers.insert(WIRE_HEADER, WIRE.to_string().as_str());
        headers.insert(KEY, self.public_key().as_str());
        let signature = self.key.sign(&in_context(kind, subject, content)).unwrap_or_default();
        headers.insert(SIGNATURE, hex(&signature).as_str());
        headers
    }
}

/// Returns the key with which a worker claims to have signed a message; an error says what is invalid. The signature is
/// not checked.
pub(crate) fn claimed_key(message: &Message) -> Result<String, String> {
    let header = |name: &str| message.headers.as_ref()?.get(name).map(ToString::to_string);
    check_wire(header(WIRE_HEADER).as_deref())?;
    header(KEY).ok_or_else(|| "it is not signed".to_owned())
}

/// The key of the worker that has signed a message with this content; an error says why the signer is not one.
pub(crate) fn worker_key(kind: Kind, message: &Message, content: &[u8]) -> Result<String, String> {
    let header = |name: &str| message.headers.as_ref()?.get(name).map(ToString::to_string);
    check_wire(header(WIRE_HEADER).as_deref())?;
    let (key, signature) = header(KEY).zip(header(SIGNATURE)).ok_or_else(|| "it is not signed".to_owned())?;
    let pair = public_key(&key).ok_or_else(|| "its key is none".to_owned())?;
    let signature = unhex(&signature).ok_or_else(|| "its signature is none".to_owned())?;
    let good = pair.verify(&in_context(kind, &message.subject, content), &signature).is_ok();
    good.then_some(key).ok_or_else(|| "its signature is wrong".to_owned())
}

/// A public `NKey` of a user; `None` for any other text.
pub(crate) fn public_key(text: &str) -> Option<KeyPair> {
    if text.len() != PUBLIC_LENGTH || !text.starts_with('U') {
        return None;
    }
    KeyPair::from_public_key(text).ok().filter(|pair| pair.key_pair_type() == KeyPairType::User)
}

fn in_context(kind: Kind, subject: &str, content: &[u8]) -> Vec<u8> {
    [b"agon ", kind.context(subject).as_bytes(), b"\n", content].concat()
}

fn unhex(text: &str) -> Option<Vec<u8>> {
    let pair = |at: usize| u8::from_str_radix(text.get(at..at + 2)?, 16).ok();
    text.is_ascii().then(|| (0..text.len()).step_by(2).map(pair).collect())?
}

/// The `NKey` in a file: a line with its seed, `SU…`, perhaps among comments.
///
/// # Errors
/// [`FleetError`] when the file cannot be read, or has none.
pub(crate) fn read_seed(path: &Path) -> Result<(String, KeyPair), FleetError> {
    let text = fs::read_to_string(path).map_err(|source| FleetError::File { path: path.to_owned(), source })?;
    // Files of the tool `nk` hold the seed and a line break, others comments around it.
    let seed = text.lines().map(str::trim).find(|line| line.starts_with("SU"));
    let pair = seed.and_then(|seed| Some((seed.to_owned(), KeyPair::from_seed(seed).ok()?)));
    pair.ok_or_else(|| FleetError::Key { path: path.to_owned() })
}

/// The same; a missing file is created with a new key.
///
/// # Errors
/// See [`read_seed`], or if the file cannot be created.
pub(crate) fn read_or_make_seed(path: &Path) -> Result<KeyPair, FleetError> {
    let failed = |source| FleetError::File { path: path.to_owned(), source };
    if !path.exists() {
        // A kill at this point must not leave half a key.
        let mut part = path.as_os_str().to_owned();
        part.push(format!(".{}", crate::identity::random()));
        let part = Path::new(&part);
        let seed = KeyPair::new_user().seed().unwrap_or_default();
        let file = OpenOptions::new().write(true).create_new(true).mode(0o600).open(part);
        let made = file.and_then(|mut file| writeln!(file, "{seed}")).and_then(|()| fs::hard_link(part, path));
        let _ = fs::remove_file(part);
        // Another process may have been faster.
        if let Err(error) = made
            && error.kind() != ErrorKind::AlreadyExists
        {
            return Err(failed(error));
        }
    }
    Ok(read_seed(path)?.1)
}

/// Coordinators whose runs and orders a worker accepts.
#[derive(Debug)]
pub enum Trust {
    /// Coordinators with one of these keys.
    Keys(Vec<PublicKey>),
    /// The first coordinator that it hears, and no other.
    First(Mutex<Option<PublicKey>>),
}

impl Trust {
    /// Trusts the first coordinator.
    pub fn first() -> Self {
        Self::First(Mutex::default())
    }

    /// Returns true if it trusts this key.
    pub fn has(&self, key: &PublicKey) -> bool {
        match self {
            Self::Keys(keys) => keys.contains(key),
            Self::First(first) => lock(first).as_ref() == Some(key),
        }
    }

    /// The same for the key of an announced run, which may be the first one. Returns whether it is trusted, and whether
    /// that is new.
    pub fn meet(&self, key: &PublicKey) -> (bool, bool) {
        match self {
            Self::Keys(keys) => (keys.contains(key), false),
            Self::First(first) => {
                let mut first = lock(first);
                let is_new = first.is_none();
                (*first.get_or_insert(*key) == *key, is_new)
            }
        }
    }
}

/// The keys in the text of a file, one in each line; `#` begins a comment. An error names the line that has none.
pub(crate) fn key_list<T>(text: &str, read: impl Fn(&str) -> Option<T>) -> Result<Vec<T>, String> {
    let lines = text.lines().map(|line| line.split('#').next().unwrap_or_default().trim());
    let keys = lines.filter(|line| !line.is_empty()).map(|line| read(line).ok_or_else(|| line.to_owned()));
    keys.collect()
}

/// The public keys of coordinators in a file, one in each line; `None` for any other file.
pub fn public_keys(path: &Path) -> Option<Vec<PublicKey>> {
    let text = fs::read_to_string(path).ok()?;
    key_list(&text, |line| line.parse().ok()).ok().filter(|keys| !keys.is_empty())
}

/// The keys of workers in a file, one in each line.
///
/// # Errors
/// [`FleetError`] if the file cannot be read, or a line is not a public `NKey` of a user.
pub fn worker_keys(path: &Path) -> Result<BTreeSet<String>, FleetError> {
    let text = fs::read_to_string(path).map_err(|source| FleetError::File { path: path.to_owned(), source })?;
    let keys = key_list(&text, |line| public_key(line).map(|_| line.to_owned()));
    let keys = keys.map_err(|line| FleetError::WorkerKeys { path: path.to_owned(), line })?;
    Ok(keys.into_iter().collect())
}

#[cfg(test)]
mod tests {
    use super::*;

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
    fn a_signature_is_of_one_kind_subject_and_content() {
        let key = PrivateKey::generate().unwrap();
        let worker = Identity::new(None, None);
        let check = |kind: Kind, subject: &str, content: &[u8], good: bool| {
            let headers = sign(&key, Kind::Job, "agon.jobs.r", b"job");
            let found = signer(kind, &message(subject, content, headers));
            assert_eq!(found.ok() == Some(key.public()), good, "{kind:?} {subject}");
            let headers = worker.sign(Kind::Job, "agon.jobs.r", b"job");
            let found = worker_key(kind, &message(subject, content, headers), content);
            assert_eq!(found.ok() == Some(worker.public_key()), good, "{kind:?} {subject}");
        };
        check(Kind::Job, "agon.jobs.r", b"job", true);
        check(Kind::Notice, "agon.jobs.r", b"job", false);
        check(Kind::Job, "agon.jobs.other", b"job", false);
        check(Kind::Job, "agon.jobs.r", b"jobs", false);
    }

    #[test]
    fn messages_of_other_versions_are_refused_with_the_remedy() {
        assert_eq!(check_wire(Some("3")), Ok(()));
        let versions = [
            (None, "it signs nothing, as agon 0.2 and older: update agon there"),
            (Some("1"), "it signs nothing"),
            (Some("2"), "version 2 of the fleet's messages, and this one 3: update agon there"),
            (Some("4"), "update agon here"),
        ];
        for (version, remedy) in versions {
            assert!(check_wire(version).unwrap_err().contains(remedy), "{version:?}");
        }
    }

    #[test]
    fn the_first_coordinator_is_the_only_one() {
        let [one, other] = [0, 1].map(|_| PrivateKey::generate().unwrap().public());
        let trust = Trust::first();
        assert!(!trust.has(&one));
        assert_eq!(
            (trust.meet(&one), trust.meet(&other), trust.meet(&one)),
            ((true, true), (false, false), (true, false))
        );
        assert!(trust.has(&one) && !trust.has(&other));
        assert_eq!(Trust::Keys(vec![other]).meet(&one), (false, false));
    }

    #[test]
    fn a_list_of_keys_has_comments() {
        let key = KeyPair::new_user().public_key();
        let read = |line: &str| public_key(line).map(|_| line.to_owned());
        assert_eq!(key_list(&format!("# desk\n\n{key} # mine\n"), read), Ok(vec![key.clone()]));
        assert_eq!(key_list(&format!("{key}\nUABC\n"), read), Err("UABC".to_owned()));
        assert!(public_key(&KeyPair::new_server().public_key()).is_none());
    }
}
