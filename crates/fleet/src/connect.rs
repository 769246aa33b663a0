//! A connection to the server of a fleet.

use std::fs;
use std::future::Future;
use std::ops::Deref;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use async_nats::jetstream::object_store::ObjectStore;
use async_nats::jetstream::{self, Context};
use async_nats::{Client, ConnectErrorKind, ConnectOptions, Event, ServerAddr, ServerError};
use percent_encoding::percent_decode_str;
use tokio::runtime::{Builder, Runtime};

use crate::error::{FleetError, OLDEST_SERVER};
use crate::keys::{self, Identity};
use crate::lock::lock;
use crate::{identity, subjects};

/// How long the server may take to answer.
const SERVER_TIMEOUT: Duration = Duration::from_secs(5);

/// The address of a server, and the credentials for it.
#[derive(Clone, Debug)]
pub struct NatsOptions {
    /// `nats://HOST:PORT` or `tls://HOST:PORT`, with a token or a user and a password before the host if the server
    /// wants one.
    pub url: String,
    /// A file with the seed of an `NKey`.
    pub key: Option<PathBuf>,
    /// A file with certificates of authorities that are trusted besides those of the system.
    pub authority: Option<PathBuf>,
}

/// A connection to the server of a fleet, which reconnects by itself.
#[derive(Clone)]
pub struct Fleet(Arc<Connected>);

struct Connected {
    runtime: NetworkThreads,
    client: Client,
    context: Context,
    at: String,
    identity: Identity,
    /// What the server has last refused to pass on.
    denied: Arc<Mutex<Option<String>>>,
}

/// The threads of a connection. A task on them may be the last that holds the connection, and a runtime that waits for
/// its threads must not be dropped by one of them.
struct NetworkThreads(Option<Runtime>);

impl Deref for NetworkThreads {
    type Target = Runtime;

    fn deref(&self) -> &Runtime {
        self.0.as_ref().expect("there until it is dropped")
    }
}

impl Drop for NetworkThreads {
    fn drop(&mut self) {
        if let Some(runtime) = self.0.take() {
            runtime.shutdown_background();
        }
    }
}

impl Fleet {
    /// Connects as one who hands out games, and makes the streams of a fleet on the server if they are not there.
    ///
    /// # Errors
    /// [`FleetError`] when the server does not answer, or refuses the credentials or the streams.
    pub fn connect(options: &NatsOptions, name: &str) -> Result<Self, FleetError> {
        let fleet = Self::join(options, name, None)?;
        let made = fleet.wait(subjects::ensure(fleet.context()));
        made.map_err(|(what, problem)| fleet.refused(what, &problem))?;
        Ok(fleet)
    }

    /// Connects as a worker, or to look. What is signed is signed by the `NKey` of the options, else by that in the
    /// file `own_key`, which is made if it is not there, else by a new one.
    ///
    /// # Errors
    /// [`FleetError`] when the server does not answer or refuses the credentials.
    pub fn join(options: &NatsOptions, name: &str, own_key: Option<&Path>) -> Result<Self, FleetError> {
        let runtime = threads()?;
        let Login { address, at, mut connect, user } = Login::read(options, name)?;
        let key = match (&options.key, own_key) {
            (Some(path), _) => Some(keys::read_seed(path)?.1),
            (None, Some(path)) => Some(keys::read_or_make_seed(path)?),
            (None, None) => None,
        };
        let identity = Identity::new(user, key);
        // Who may read the answers to others could read their programs.
        connect = connect.custom_inbox_prefix(format!("_INBOX_{}", identity.user));
        let denied: Arc<Mutex<Option<String>>> = Arc::default();
        let heard = Arc::clone(&denied);
        connect = connect.event_callback(move |event| {
            if let Event::ServerError(ServerError::Other(text)) = event {
                *lock(&heard) = Some(text);
            }
            std::future::ready(())
        });
        let client = runtime.block_on(connect.connect(address)).map_err(|error| explain(&error, &at))?;
        let info = client.server_info();
        if !new_enough(&info.version) {
            return Err(FleetError::Old { at, found: info.version });
        }
        if !info.jetstream {
            return Err(FleetError::NoJetStream { at });
        }
        let entered = runtime.enter();
        let context = jetstream::new(client.clone());
        drop(entered);
        Ok(Self(Arc::new(Connected { runtime, client, context, at, identity, denied })))
    }

    /// Checks that the server asks for credentials, and lets no one in without.
    ///
    /// # Errors
    /// [`FleetError::Open`] when it lets in a client that shows none.
    pub fn check_closed(options: &NatsOptions) -> Result<(), FleetError> {
        let (runtime, bare) = (threads()?, NatsOptions { url: hidden(&options.url), key: None, ..options.clone() });
        let Login { address, at, connect, .. } = Login::read(&bare, "agon: does this server let anyone in?")?;
        match runtime.block_on(connect.connect(address)) {
            Ok(_) => Err(FleetError::Open { at }),
            Err(_) => Ok(()),
        }
    }

    pub(crate) fn identity(&self) -> &Identity {
        &self.0.identity
    }

    /// The public key by which coordinators know this worker.
    pub fn public_key(&self) -> String {
        self.0.identity.public_key()
    }

    /// What the server has refused to pass on since the last call, in its words.
    pub(crate) fn take_denied(&self) -> Option<String> {
        lock(&self.0.denied).take()
    }

    /// The address of the server, without credentials.
    pub fn at(&self) -> &str {
        &self.0.at
    }

    pub(crate) fn client(&self) -> &Client {
        &self.0.client
    }

    pub(crate) fn context(&self) -> &Context {
        &self.0.context
    }

    /// How often it has connected so far.
    pub(crate) fn connects(&self) -> u64 {
        self.client().statistics().connects.load(std::sync::atomic::Ordering::Relaxed)
    }

    pub(crate) fn wait<T>(&self, future: impl Future<Output = T>) -> T {
        self.0.runtime.block_on(future)
    }

    pub(crate) fn spawn<T: Send + 'static>(
        &self,
        future: impl Future<Output = T> + Send + 'static,
    ) -> tokio::task::JoinHandle<T> {
        self.0.runtime.spawn(future)
    }

    /// The store of programs, notices of runs and long records.
    pub(crate) async fn objects(&self) -> Result<ObjectStore, FleetError> {
        let objects = self.context().get_object_store(subjects::OBJECTS).await;
        objects.map_err(|error| self.refused("open its object store", &error))
    }

    /// The content of an object of at most this length; an error says why there is none.
    pub(crate) async fn read_object(&self, name: &str, max_bytes: usize) -> Result<Vec<u8>, String> {
        let objects = self.objects().await.map_err(|error| error.to_string())?;
        let info = objects.info(name).await.map_err(|error| error.to_string())?;
        if info.deleted || info.size > max_bytes || info.chunks > MAX_CHUNKS {
            return Err(format!("it is deleted, or has more than {} KiB", max_bytes >> 10));
        }
        let (subject, mut content) = (format!("$O.{}.C.{}", subjects::OBJECTS, info.nuid), Vec::new());
        if info.chunks == 0 {
            return Ok(content);
        }
        // One by one: a worker has no right to make consumers.
        let found = self.context().get_stream_no_info(format!("OBJ_{}", subjects::OBJECTS)).await;
        let stream = found.map_err(|error| error.to_string())?;
        let missing = |error: &dyn std::fmt::Display| format!("a part of it is missing: {error}");
        let last = stream.direct_get_last_for_subject(subject.as_str()).await.map_err(|error| missing(&error))?;
        if info.chunks > 1 {
            let mut next = 1;
            while next < last.sequence && content.len() <= max_bytes {
                let part = stream.direct_get_next_for_subject(subject.as_str(), Some(next)).await;
                let part = part.map_err(|error| missing(&error))?;
                next = part.sequence + 1;
                if part.sequence < last.sequence {
                    content.extend_from_slice(&part.payload);
                }
            }
        }
        content.extend_from_slice(&last.payload);
        if content.len() == info.size { Ok(content) } else { Err("its length is wrong".to_owned()) }
    }

    pub(crate) async fn delete_object(&self, name: &str) {
        if let Ok(objects) = self.objects().await {
            let _ = objects.delete(name).await;
        }
    }

    pub(crate) fn refused(&self, what: &'static str, problem: &dyn std::fmt::Display) -> FleetError {
        FleetError::Server { at: self.at().to_owned(), what, problem: problem.to_string() }
    }
}

/// The most parts of an object, whose usual length is 128 KiB.
const MAX_CHUNKS: usize = 4096;

fn threads() -> Result<NetworkThreads, FleetError> {
    let runtime = Builder::new_multi_thread().worker_threads(2).thread_name("nats").enable_all().build();
    runtime.map(|runtime| NetworkThreads(Some(runtime))).map_err(FleetError::Runtime)
}

/// A server, and how to show it who asks.
struct Login {
    address: ServerAddr,
    at: String,
    connect: ConnectOptions,
    /// The name of its user, if it has one.
    user: Option<String>,
}

impl Login {
    fn read(options: &NatsOptions, name: &str) -> Result<Self, FleetError> {
        let address: ServerAddr = options.url.parse().map_err(|error: std::io::Error| FleetError::Address {
            text: hidden(&options.url),
            problem: error.to_string(),
        })?;
        let at = format!("{}:{}", address.host(), address.port());
        let mut connect =
            ConnectOptions::new().name(name).connection_timeout(SERVER_TIMEOUT).request_timeout(Some(SERVER_TIMEOUT));
        // A network that drops everything is noticed within two of these.
        connect = connect.ping_interval(SERVER_TIMEOUT);
        // Tries again often: a program that waits for its server has nothing else to do.
        connect = connect.reconnect_delay_callback(|attempt| Duration::from_millis(50 << attempt.min(5)));
        // The client does not use the credentials in the address itself.
        let decoded = |text: &str| percent_decode_str(text).decode_utf8_lossy().into_owned();
        let mut user = None;
        connect = match (address.username().map(decoded), address.password().map(decoded)) {
            (Some(name), Some(password)) => {
                user = Some(identity::token(&name));
                connect.user_and_password(name, password)
            }
            (Some(token), None) => connect.token(token),
            (None, _) => connect,
        };
        if let Some(path) = &options.key {
            user = None;
            connect = connect.nkey(keys::read_seed(path)?.0);
        }
        if let Some(path) = &options.authority {
            fs::metadata(path).map_err(|source| FleetError::File { path: path.clone(), source })?;
            connect = connect.add_root_certificates(path.clone());
        }
        Ok(Self { address, at, connect, user })
    }
}

/// The same address without user, password and token.
fn hidden(url: &str) -> String {
    let (scheme, rest) = url.split_once("://").unwrap_or(("nats", url));
    let host = rest.rsplit_once('@').map_or(rest, |(_, host)| host);
    format!("{scheme}://{host}")
}

fn explain(error: &async_nats::ConnectError, at: &str) -> FleetError {
    let at = at.to_owned();
    let cause = std::error::Error::source(error).map_or_else(|| error.to_string(), ToString::to_string);
    match error.kind() {
        ConnectErrorKind::AuthorizationViolation | ConnectErrorKind::Authentication => FleetError::Credentials { at },
        ConnectErrorKind::Tls => FleetError::Tls { at, problem: cause },
        // A certificate that is not trusted is found in the middle of the connection.
        _ if cause.contains("certificate") => FleetError::Tls { at, problem: cause },
        ConnectErrorKind::TimedOut => {
            FleetError::Unreachable { at, problem: format!("no answer within {} s", SERVER_TIMEOUT.as_secs()) }
        }
        _ => FleetError::Unreachable { at, problem: cause },
    }
}

fn new_enough(version: &str) -> bool {
    let mut parts = version.split(['.', '-']).map(str::parse::<u32>);
    match (parts.next(), parts.next()) {
        (Some(Ok(major)), Some(Ok(minor))) => (major, minor) >= OLDEST_SERVER,
        // A server with an unknown form of version may do.
        _ => true,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn secrets_stay_out_of_messages() {
        assert_eq!(hidden("nats://s3cret@example.org:4222"), "nats://example.org:4222");
        assert_eq!(hidden("nats://user:p@ss@example.org"), "nats://example.org");
        assert_eq!(hidden("example.org"), "nats://example.org");
    }

    #[test]
    fn a_task_may_be_the_last_that_holds_the_threads() {
        let runtime = Builder::new_multi_thread().worker_threads(1).enable_all().build().unwrap();
        let handle = runtime.handle().clone();
        let threads = Arc::new(NetworkThreads(Some(runtime)));
        let (send, ended) = std::sync::mpsc::channel();
        let held = Arc::clone(&threads);
        handle.spawn(async move {
            while Arc::strong_count(&held) > 1 {
                tokio::task::yield_now().await;
            }
            drop(held);
            send.send(()).unwrap();
        });
        drop(threads);
        assert_eq!(ended.recv_timeout(Duration::from_secs(20)), Ok(()));
    }

    #[test]
    fn old_servers_are_known_by_their_version() {
        for (version, good) in
            [("2.9.25", true), ("2.10.0-beta.1", true), ("3.0.0", true), ("2.8.4", false), ("1.4", false)]
        {
            assert_eq!(new_enough(version), good, "{version}");
        }
    }
}
