//! A connection to the server of a fleet.

use std::fs;
use std::future::Future;
use std::ops::Deref;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use async_nats::jetstream::object_store::ObjectStore;
use async_nats::jetstream::{self, Context};
use async_nats::{Client, ConnectErrorKind, ConnectOptions, ServerAddr};
use percent_encoding::percent_decode_str;
use tokio::io::AsyncReadExt as _;
use tokio::runtime::{Builder, Runtime};

use crate::error::{FleetError, OLDEST_SERVER};
use crate::subjects;

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
    /// Connects, and makes the streams of a fleet on the server if they are not there.
    ///
    /// # Errors
    /// [`FleetError`] when the server does not answer, or refuses the credentials or the streams.
    pub fn connect(options: &NatsOptions, name: &str) -> Result<Self, FleetError> {
        let runtime = Builder::new_multi_thread()
            .worker_threads(2)
            .thread_name("nats")
            .enable_all()
            .build()
            .map_err(FleetError::Runtime)?;
        let runtime = NetworkThreads(Some(runtime));
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
        connect = match (address.username().map(decoded), address.password().map(decoded)) {
            (Some(user), Some(password)) => connect.user_and_password(user, password),
            (Some(token), None) => connect.token(token),
            (None, _) => connect,
        };
        if let Some(path) = &options.key {
            let seed = fs::read_to_string(path).map_err(|source| FleetError::File { path: path.clone(), source })?;
            // Files of the tool `nk` hold the seed and a line break, others comments around it.
            let seed = seed.lines().map(str::trim).find(|line| line.starts_with("SU"));
            let seed = seed.ok_or_else(|| FleetError::Key { path: path.clone() })?;
            connect = connect.nkey(seed.to_owned());
        }
        if let Some(path) = &options.authority {
            fs::metadata(path).map_err(|source| FleetError::File { path: path.clone(), source })?;
            connect = connect.add_root_certificates(path.clone());
        }
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
        let fleet = Self(Arc::new(Connected { runtime, client, context, at }));
        let made = fleet.wait(subjects::ensure(fleet.context()));
        made.map_err(|(what, problem)| fleet.refused(what, &problem))?;
        Ok(fleet)
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

    /// The content of an object; an error says why there is none.
    pub(crate) async fn read_object(&self, name: &str) -> Result<Vec<u8>, String> {
        let objects = self.objects().await.map_err(|error| error.to_string())?;
        let mut object = objects.get(name).await.map_err(|error| error.to_string())?;
        let mut content = Vec::new();
        object.read_to_end(&mut content).await.map_err(|error| error.to_string())?;
        Ok(content)
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
