//! Faults in the set-up of a fleet.

use std::path::PathBuf;

use agon_referee::signing::KeyError;

/// The oldest server with everything that is used here.
pub(crate) const OLDEST_SERVER: (u32, u32) = (2, 9);

/// A fault in the set-up of a fleet, with the remedy.
#[derive(Debug, thiserror::Error)]
pub enum FleetError {
    #[error("`{text}` is not the address of a NATS server ({problem}); write nats://HOST:4222")]
    Address { text: String, problem: String },
    #[error("no NATS server answers at {at}: {problem}; start one there with `nats-server`, or give another address")]
    Unreachable { at: String, problem: String },
    #[error(
        "the NATS server at {at} refuses these credentials; give the file of the NKey with --nats-key, or the \
         token in the address: nats://TOKEN@HOST"
    )]
    Credentials { at: String },
    #[error("no TLS with the NATS server at {at}: {problem}; give the certificate of its authority with --nats-ca")]
    Tls { at: String, problem: String },
    #[error("the NATS server at {at} has version {found}; {}.{} or newer is needed", OLDEST_SERVER.0, OLDEST_SERVER.1)]
    Old { at: String, found: String },
    #[error(
        "`{}` contains no seed of a user's NKey, a line that begins with SU; `nk -gen user` makes one",
        path.display()
    )]
    Key { path: PathBuf },
    #[error("`{line}` in `{}` is not the public key of a worker, U and 55 characters, as `agon worker` prints it",
        path.display())]
    WorkerKeys { path: PathBuf, line: String },
    #[error("the key that signs the jobs: {0}")]
    JobKey(#[from] KeyError),
    #[error(
        "the NATS server at {at} lets anyone in, so anyone can send games to this worker and see them; give its users \
         credentials (deploy/nats.conf), or accept that with --insecure"
    )]
    Open { at: String },
    #[error("cannot read `{}`: {source}", path.display())]
    File { path: PathBuf, source: std::io::Error },
    #[error("the NATS server at {at} does not {what}: {problem}")]
    Server { at: String, what: &'static str, problem: String },
    #[error("agent `{name}` cannot be played by other machines: {why}")]
    Agent { name: String, why: String },
    #[error("no runtime for the network: {0}")]
    Runtime(std::io::Error),
}
