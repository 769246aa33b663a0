//! What the bridge asks of an engine of others, whatever its protocol.

use std::time::Duration;

use agon_game::{Position, TimeControl};

use crate::engine_process::EngineError;

/// How long an engine is waited for beyond what the judge gives it. The judge is the one to decide that it is late;
/// this only ends a bridge whose judge has gone.
pub const RESPONSE_TIMEOUT: Duration = Duration::from_secs(30);

/// What an engine is sent beside positions.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Terms {
    /// Options by name: UAI's `setoption`, Gomocup's `INFO`.
    pub options: Vec<(String, String)>,
    /// How much less than is left an engine is sent: what it takes it and the bridge to notice that time is up, over a
    /// whole game.
    pub margin: Duration,
    /// How many nodes an engine searches for a move, whatever the clocks say: UAI's `go nodes`, Gomocup's `INFO
    /// max_node`.
    pub nodes: Option<u64>,
}

impl Default for Terms {
    fn default() -> Self {
        Self { options: Vec::new(), margin: Duration::from_millis(100), nodes: None }
    }
}

impl Terms {
    /// The time that is left, as an engine is sent it: less by the margin, but a tenth at least, and a millisecond.
    ///
    /// ```
    /// use agon_protocols::protocol_client::Terms;
    /// use std::time::Duration;
    /// let sent = |ms| Terms::default().left(Duration::from_millis(ms)).as_millis();
    /// assert_eq!([sent(10_000), sent(110), sent(50), sent(1)], [9_900, 11, 5, 1]);
    /// ```
    pub fn left(&self, left: Duration) -> Duration {
        left.saturating_sub(self.margin).max(left / 10).max(Duration::from_millis(1))
    }
}

/// The client's side of an engine's own protocol.
pub(crate) trait ProtocolClient<P: Position> {
    /// Starts the conversation: afterwards the engine waits for the first position of a game.
    fn start(&mut self) -> Result<(), EngineError>;

    /// Asks the engine for a move in a position, to which these moves have led, by the two clocks, and returns the
    /// arguments of its MOVE.
    fn ask(
        &mut self,
        position: &P,
        moves: &[P::Move],
        own: TimeControl,
        opponent: TimeControl,
    ) -> Result<String, EngineError>;

    fn quit(self);
}
