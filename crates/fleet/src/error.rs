//! What is wrong with a fleet's set-up.

use std::path::PathBuf;

/// The oldest server that has all that is used here.
pub(crate) const OLDEST_SERVER: (u32, u32) = (2, 9);

/// What is wrong with a fleet's set-up, with the remedy.
#[derive(Debug, thiserror::Error)]
pub enum FleetError {
    #[error("`{text}` is no address of a NATS server ({problem}); give it as nats://HOST:4222")]
    Address { text: String, problem: String },
    #[error("no NATS server answers at {at}: {problem}; start one there with `nats-server -js`, or name another one")]
    Unreachable { at: String, problem: String },
    #[error(
        "the NATS server at {at} refuses these credentials; name the file of its NKey with --nats-key, or the token in the address: nats://TOKEN@HOST"
    )]
    Credentials { at: String },
    #[error("no TLS with the NATS server at {at}: {problem}; name the certificate of its authority with --nats-ca")]
    Tls { at: String, problem: String },
    #[error("the NATS server at {at} is of version {found}; {}.{} or newer is needed", OLDEST_SERVER.0, OLDEST_SERVER.1)]
    Old { at: String, found: String },
    #[error(
        "JetStream is off in the NATS server at {at}; start it with `nats-server -js`, or with `jetstream {{}}` in its configuration"
    )]
    NoJetStream { at: String },
    #[error("`{}` has no seed of an NKey of a user, a line that begins with SU; `nk -gen user` makes one", path.display())]
    Key { path: PathBuf },
    #[error("cannot read `{}`: {source}", path.display())]
    File { path: PathBuf, source: std::io::Error },
    #[error("the NATS server at {at} does not {what}: {problem}")]
    Server { at: String, what: &'static str, problem: String },
    #[error("agent `{name}` cannot be played by other machines: {why}")]
    Agent { name: String, why: String },
    #[error("no runtime for the network: {0}")]
    Runtime(std::io::Error),
}
