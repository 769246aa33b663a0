//! The numbers.

use std::time::Duration;

use agon_site::store::SharedBound;
use agon_site::submission::MAX_SOURCE_BYTES;

use super::turns::TurnBound;
use agon_boards::limits::Bound;

/// Bytes of a form without a source.
pub(crate) const MAX_SMALL_BYTES: usize = 16 << 10;

/// Bytes of a form with a source: in a form without files each byte may take three.
pub(crate) const MAX_LARGE_BYTES: usize = 4 * MAX_SOURCE_BYTES;

/// Bytes of bodies in memory at once: from one address, and in all.
pub(crate) const BODY_BYTES: Bound = Bound { each: 32 << 20, all: 128 << 20 };

/// Bytes of large answers being sent: to one address, and in all.
pub(crate) const ANSWER_BYTES: Bound = Bound { each: 128 << 20, all: 512 << 20 };

/// Answers from this size on are counted.
pub(crate) const MIN_LARGE_ANSWER_BYTES: usize = 256 << 10;

/// Bytes of a record whose game is evaluated for visitors.
pub(crate) const MAX_EVALUATED_BYTES: usize = 4 << 20;

/// How long a client may take for a body, apart from [`MIN_BODY_RATE`].
pub(crate) const BODY_GRACE: Duration = Duration::from_secs(10);

/// Bytes in a second that a body must have on average after [`BODY_GRACE`].
pub(crate) const MIN_BODY_RATE: u64 = 16 << 10;

/// How many programs of a site play against people at once, for one account and in all.
pub(crate) const BY_HAND: Bound = Bound { each: 2, all: 4 };

/// How many programs of a site are asked for a move at once; the others wait in turn, for a while.
pub(crate) const BY_HAND_TURNS: TurnBound = TurnBound {
    all: BY_HAND.all,
    account: 1,
    network: BY_HAND.all / 2,
    waiting_account: 2,
    waiting_network: 32,
    waiting: 64,
    // Longer than most moves take, so that the first in the queue gets a place.
    max_wait: Duration::from_secs(10),
};

/// How long such a program waits for a person's move. One that has been ended replays its moves.
pub(crate) const IDLE_BY_HAND: Duration = Duration::from_mins(10);

/// How long its move may take, whatever its clock: the answer begins in time.
pub(crate) const MAX_ANSWER: Duration = Duration::from_secs(19);

/// Open streams of events: to one address (a class may be behind it), and in all.
pub(crate) const STREAMS: Bound = Bound { each: 256, all: 2048 };

/// The same for one network (/24, /48): half of all.
pub(crate) const NETWORK_STREAMS: Bound = Bound { each: STREAMS.all / 2, all: STREAMS.all };

/// The same for one account.
pub(crate) const ACCOUNT_STREAMS: Bound = Bound { each: 64, all: STREAMS.all };

/// Exports at once: for one account, and in all.
pub(crate) const EXPORTS: Bound = Bound { each: 1, all: 4 };

/// Bytes of an export of an account, as a file.
pub(crate) const MAX_EXPORT_BYTES: u64 = 1 << 30;

/// Bytes of an export of the whole site, as a file.
pub(crate) const MAX_SITE_EXPORT_BYTES: u64 = 64 << 30;

/// How long writing the file of an export may take.
pub(crate) const EXPORT_TIMEOUT: Duration = Duration::from_mins(10);

/// How long a client may take to fetch it afterwards.
pub(crate) const FETCH_TIMEOUT: Duration = Duration::from_hours(1);

/// Games of two people by link that are not over: for one account or network (/24, /48), and in all.
pub(crate) const OPEN_GAMES: SharedBound = SharedBound { each: 200, all: 10_000 };

/// How long a game by link waits for the other player.
pub(crate) const JOIN_TIMEOUT: Duration = Duration::from_hours(1);

/// Passwords waiting to be hashed: each takes 19 MiB and some 30 ms of processor time.
pub(crate) const MAX_WAITING_PASSWORDS: usize = 64;
