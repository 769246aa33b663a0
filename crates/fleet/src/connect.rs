//! A connection to the server of a fleet.

use std::fs;
use std::future::Future;
use std::ops::Deref;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use async_nats::connection::State as ConnectionState;
use async_nats::{
    Client, ConnectErrorKind, ConnectOptions, Event, HeaderMap, Message, Request, RequestErrorKind, ServerAddr,
    ServerError,
};
use bytes::Bytes;
use futures_util::StreamExt as _;
use percent_encoding::percent_decode_str;
use tokio::runtime::{Builder, Runtime};
use tokio::time::{sleep, timeout};

use crate::error::{FleetError, OLDEST_SERVER};
use crate::keys::{self, Identity};
use crate::lock::lock;
use crate::outbox::Outbox;
use crate::{identity, subjects};

/// Timeout for an answer of the server.
const SERVER_TIMEOUT: Duration = Duration::from_secs(5);

/// Maximum number of unread messages of a subscription; further ones are dropped. With deploy/nats.conf none has more
/// than 256 KiB.
const MAX_UNREAD: usize = 8192;

/// Interval of checks for refusals by the server.
const DENIED_POLL_INTERVAL: Duration = Duration::from_millis(10);

/// Reason why a request has no answer.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum NoAnswer {
    /// The server is away.
    Away,
    /// No coordinator is there.
    NoResponder,
    /// None has come in time.
    Late,
}

/// The address of a server, and the credentials for it.
#[derive(Clone, Debug)]
pub struct NatsOptions {
    /// `nats://HOST:PORT` or `tls://HOST:PORT`, with a token or a user and a password before the host if the server
    /// wants one.
    pub url: String,
    /// A file with the seed of an `NKey`.
    pub key: Option<PathBuf>,
    /// File with certificates of authorities that are trusted in addition to those of the system.
    pub authority: Option<PathBuf>,
    /// Interval between two pings of the server, see [`Timing::ping`](crate::Timing::ping).
    pub ping: Duration,
}

/// A connection to the server of a fleet, which reconnects by itself.
#[derive(Clone)]
pub struct Fleet(Arc<Connected>);

struct Connected {
    runtime: NetworkThreads,
    client: Client,
    at: String,
    identity: Identity,
    outbox: Outbox,
    /// Last message that the server refused to pass on.
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
    /// Connects as a user who hands out games.
    ///
    /// # Errors
    /// [`FleetError`] when the server does not answer, refuses the credentials, or does not let their user hand out
    /// games.
    pub fn connect(options: &NatsOptions, name: &str) -> Result<Self, FleetError> {
        let fleet = Self::join(options, name, None)?;
        fleet.wait(fleet.hands_out()).map_err(|problem| fleet.refused("let this user hand out games", &problem))?;
        Ok(fleet)
    }

    /// Checks that the user may receive messages of workers and answer them.
    async fn hands_out(&self) -> Result<(), String> {
        let (client, own) = (self.client(), self.client().new_inbox());
        let failed = |error: &dyn std::fmt::Display| error.to_string();
        let mut answers = client.subscribe(own.clone()).await.map_err(|error| failed(&error))?;
        let heard = client.subscribe(subjects::of_run(&identity::random())).await.map_err(|error| failed(&error))?;
        client.publish(own, Bytes::new()).await.map_err(|error| failed(&error))?;
        let denied = async {
            loop {
                if let Some(what) = self.take_denied() {
                    return what;
                }
                sleep(DENIED_POLL_INTERVAL).await;
            }
        };
        tokio::select! {
            // The server answers in order: its refusals are known by now, or on their way to the callback.
            answer = timeout(SERVER_TIMEOUT, answers.next()) => {
                drop(heard);
                answer.map(drop).map_err(|_| format!("no answer within {} s", SERVER_TIMEOUT.as_secs()))
            }
            what = denied => Err(what),
        }?;
        sleep(DENIED_POLL_INTERVAL).await;
        self.take_denied().map_or(Ok(()), Err)
    }

    /// Connects as a worker, or to observe. Messages are signed with the `NKey` of the options, or with the one in the
    /// file `own_key`, which is created if necessary, or else with a new one.
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
        // Anyone who can read the answers to others could read their programs.
        connect = connect.custom_inbox_prefix(subjects::inbox(&identity.user)).subscription_capacity(MAX_UNREAD);
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
        Ok(Self(Arc::new(Connected { runtime, client, at, identity, outbox: Outbox::default(), denied })))
    }

    /// Checks that the server requires credentials, and admits no one without.
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

    /// Returns the public key by which coordinators know this worker.
    pub fn public_key(&self) -> String {
        self.0.identity.public_key()
    }

    /// Returns the server's refusals since the last call, in its words.
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

    /// Returns the results that no coordinator has taken yet.
    pub(crate) fn outbox(&self) -> &Outbox {
        &self.0.outbox
    }

    pub(crate) fn is_connected(&self) -> bool {
        self.client().connection_state() == ConnectionState::Connected
    }

    /// Sends a request, and waits for its answer.
    pub(crate) async fn request(
        &self,
        subject: String,
        headers: HeaderMap,
        payload: Bytes,
        wait: Duration,
    ) -> Result<Message, NoAnswer> {
        // While the server is away, the client would buffer messages and send them all at once later.
        if !self.is_connected() {
            return Err(NoAnswer::Away);
        }
        let request = Request::new().headers(headers).payload(payload).timeout(Some(wait));
        self.client().send_request(subject, request).await.map_err(|error| match error.kind() {
            RequestErrorKind::NoResponders => NoAnswer::NoResponder,
            _ => NoAnswer::Late,
        })
    }

    /// Answers the request of a worker. Nothing is sent to a subject that is not its user's own.
    pub(crate) async fn answer(&self, user: &str, reply: &str, headers: HeaderMap, payload: Bytes) {
        if subjects::is_reply(user, reply) {
            let _ = self.client().publish_with_headers(reply.to_owned(), headers, payload).await;
        }
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

    pub(crate) fn refused(&self, what: &'static str, problem: &dyn std::fmt::Display) -> FleetError {
        FleetError::Server { at: self.at().to_owned(), what, problem: problem.to_string() }
    }
}

fn threads() -> Result<NetworkThreads, FleetError> {
    let runtime = Builder::new_multi_thread().worker_threads(2).thread_name("nats").enable_all().build();
    runtime.map(|runtime| NetworkThreads(Some(runtime))).map_err(FleetError::Runtime)
}

/// A server, and the credentials for it.
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
        connect = connect.ping_interval(options.ping);
        // Reconnects often: a program that is waiting for its server has nothing else to do.
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

/// Returns the address without user, password and token.
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
