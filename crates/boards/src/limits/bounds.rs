//! The numbers.

use std::time::Duration;

use super::places::Bound;

/// Bytes of a game that a board reads or writes.
pub const MAX_GAME_BYTES: usize = 256 << 10;

/// Bytes of the head of a request, and of an answer that waits in its connection.
pub const MAX_HEAD_BYTES: usize = 64 << 10;

/// How long a client may take for the headers of a request; a slower one is cut off.
pub const HEADERS_TIMEOUT: Duration = Duration::from_secs(10);

/// The same while more than half of all connections are open: silent clients leave their places to others.
pub(crate) const CROWDED_HEADERS_TIMEOUT: Duration = Duration::from_secs(3);

/// How long a client may leave sent bytes unread before the connection is closed.
pub const SEND_TIMEOUT: Duration = Duration::from_mins(1);

/// How long a request may take. Streams of events begin within it and then continue.
pub const ANSWER_TIMEOUT: Duration = Duration::from_secs(30);

/// Connections at once: from one address, and in all. Behind a proxy the addresses are not known here.
pub const CONNECTIONS: Bound = Bound { each: 512, all: 4096 };

/// The same for one network (/24, /48): half of all.
pub(crate) const NETWORK_CONNECTIONS: Bound = Bound { each: CONNECTIONS.all / 2, all: CONNECTIONS.all };

/// How long a visitor's analysis takes on a site; it can then be requested again.
pub(crate) const MAX_ANALYSIS_TIME: Duration = Duration::from_mins(5);

/// Searches for visitors: for one address, and in all. Each has 8 to 16 MiB of tables from its first turn on.
pub(crate) const SEARCHES: Bound = Bound { each: 50, all: 64 };

/// How long a request's job may compute before it is aborted.
pub const JOB_TIMEOUT: Duration = Duration::from_secs(20);

/// Jobs that wait for a thread, of each kind.
pub const MAX_WAITING_JOBS: usize = 256;

/// Requests that wait for the store.
pub const MAX_WAITING_READS: usize = 1024;

/// When to try again if the site has no room.
pub const BUSY_RETRY: Duration = Duration::from_secs(5);

/// When to try again if an address or account has too much open.
pub const CROWDED_RETRY: Duration = Duration::from_secs(30);
