//! What is being sent to a site and by it.

use agon_boards::limits::Places;

use crate::limits::{ACCOUNT_STREAMS, ANSWER_BYTES, BODY_BYTES, EXPORTS, NETWORK_STREAMS, STREAMS};

/// Bytes of bodies and of large answers, streams of events, exports.
pub(crate) struct Traffic {
    pub bodies: Places,
    pub answers: Places,
    pub streams: Places,
    pub network_streams: Places,
    pub account_streams: Places,
    pub exports: Places,
}

impl Default for Traffic {
    fn default() -> Self {
        Self {
            bodies: Places::new(BODY_BYTES),
            answers: Places::new(ANSWER_BYTES),
            streams: Places::new(STREAMS),
            network_streams: Places::new(NETWORK_STREAMS),
            account_streams: Places::new(ACCOUNT_STREAMS),
            exports: Places::new(EXPORTS),
        }
    }
}
