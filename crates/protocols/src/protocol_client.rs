//! The bridge's interface to third-party engines, whatever their protocol.

use std::time::Duration;

use agon_game::{Evaluation, Position, TimeControl};
use agon_referee::agent::BridgeProtocol;
use agon_referee::limits::GameLimits;

use crate::engine_process::EngineError;

/// Time that an engine is waited for beyond the judge's limit. The judge decides that it is late; this only ends a
/// bridge whose judge is gone.
pub const RESPONSE_TIMEOUT: Duration = Duration::from_secs(30);

/// Default time for an engine to start; the judge's own limit ends it sooner.
pub const START_TIMEOUT: Duration = Duration::from_hours(1);

/// Maximum time before the judge's limit at which an engine that is not ready is reported as late.
const READY_MARGIN: Duration = Duration::from_millis(100);

/// Settings sent to an engine besides positions.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Terms {
    /// Options by name: UAI's `setoption`, Gomocup's `INFO`.
    pub options: Vec<(String, String)>,
    /// Reduction of the time left that is sent to an engine: the delay of the engine and the bridge in noticing that
    /// time is up, over a whole game.
    pub margin: Duration,
    /// Number of nodes an engine searches per move, regardless of the clocks: UAI's `go nodes`, Gomocup's `INFO
    /// max_node`.
    pub nodes: Option<u64>,
    /// Depth to which an engine searches per move, in plies, regardless of the clocks: UAI's `go depth`, Gomocup's
    /// `INFO max_depth`.
    pub depth: Option<u32>,
    /// Time an engine searches per move, regardless of the clocks, for engines that support nothing else: UAI's `go
    /// movetime`, Gomocup's `INFO timeout_turn`.
    pub movetime: Option<Duration>,
    /// Time that the judge waits for the answer to READY.
    pub ready: Duration,
}

/// An option that is not the user's to give.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("--option {name}: {reason}")]
pub struct OptionError {
    pub name: String,
    pub reason: &'static str,
}

impl Default for Terms {
    fn default() -> Self {
        let (margin, ready) = (Duration::from_millis(100), GameLimits::ALPHANO.ready());
        Self { options: Vec::new(), margin, nodes: None, depth: None, movetime: None, ready }
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

    /// Returns when an engine with this time left is late, slightly before the judge says so.
    pub(crate) fn complaint(&self, left: Duration) -> Duration {
        left.saturating_sub((self.margin / 2).max(Duration::from_millis(5)).min(left / 10))
    }

    /// Returns when an engine that is not ready is late, slightly before the judge says so.
    ///
    /// ```
    /// use agon_protocols::protocol_client::Terms;
    /// use std::time::Duration;
    /// let late = |ms| Terms { ready: Duration::from_millis(ms), ..Terms::default() }.ready_complaint().as_millis();
    /// assert_eq!([late(3_000), late(60_000), late(500)], [2_900, 59_900, 450]);
    /// ```
    pub fn ready_complaint(&self) -> Duration {
        self.ready.saturating_sub(READY_MARGIN.min(self.ready / 10))
    }

    /// The time for one move, if the judge gives each its own: reduced by the margin, but at least four fifths.
    ///
    /// ```
    /// use agon_protocols::protocol_client::Terms;
    /// use std::time::Duration;
    /// let sent = |ms| Terms::default().for_move(Duration::from_millis(ms)).as_millis();
    /// assert_eq!([sent(10_000), sent(500), sent(100), sent(1)], [9_900, 400, 80, 1]);
    /// ```
    pub fn for_move(&self, left: Duration) -> Duration {
        left.saturating_sub(self.margin.min(left / 5)).max(Duration::from_millis(1))
    }

    /// Checks that each option is a single line, and that none is one that the bridge sends itself and would silently
    /// override.
    ///
    /// # Errors
    /// [`OptionError`] with the reason.
    pub fn check(&self, protocol: BridgeProtocol) -> Result<(), OptionError> {
        for (name, value) in &self.options {
            let refused = |reason| Err(OptionError { name: name.clone(), reason });
            if name.is_empty() {
                return refused("it has no name");
            }
            if [name, value].iter().any(|text| text.contains(char::is_control)) {
                return refused("an option is one line");
            }
            if protocol == BridgeProtocol::Gomocup {
                match name.to_ascii_lowercase().as_str() {
                    "timeout_turn" | "timeout_match" | "time_left" => {
                        return refused(
                            "the bridge sends it for every move, from the judge's clock; --movetime sets a time for \
                             each move, --margin how much less the engine is sent",
                        );
                    }
                    "rule" => return refused("the bridge sends it: renju is rule 4"),
                    "max_node" if self.nodes.is_some() => return refused("--nodes sends it"),
                    "max_depth" if self.depth.is_some() => return refused("--depth sends it"),
                    _ => {}
                }
            }
        }
        Ok(())
    }
}

/// The client's side of an engine's own protocol.
pub(crate) trait ProtocolClient<P: Position> {
    /// Starts the conversation: afterwards the engine waits for the first position of a game.
    fn start(&mut self) -> Result<(), EngineError>;

    /// Starts another game, after the first.
    fn new_game(&mut self) -> Result<(), EngineError>;

    /// Asks the engine for a move in a position reached by these moves, with the two clocks, and returns the arguments
    /// of its MOVE.
    fn ask(
        &mut self,
        position: &P,
        moves: &[P::Move],
        own: TimeControl,
        opponent: TimeControl,
    ) -> Result<String, EngineError>;

    /// The last lines of the conversation with the engine, for the error stream.
    fn last_lines(&self) -> String;

    /// Returns the engine's evaluation of the last position it was asked about, if reported.
    fn evaluation(&self) -> Option<Evaluation>;

    fn quit(self);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_the_bridge_sends_itself_is_refused() {
        use BridgeProtocol::{Gomocup, Uai};
        let check = |protocol, name: &str, nodes, reason: Option<&str>| {
            let options = vec![(name.to_owned(), "500".to_owned())];
            let found = Terms { options, nodes, ..Terms::default() }.check(protocol).map_err(|error| error.to_string());
            match reason {
                None => assert_eq!(found, Ok(()), "{name}"),
                Some(reason) => assert!(found.as_ref().is_err_and(|error| error.contains(reason)), "{name}: {found:?}"),
            }
        };
        for name in ["timeout_turn", "timeout_match", "time_left", "TIME_LEFT"] {
            check(Gomocup, name, None, Some("from the judge's clock"));
            check(Uai, name, None, None);
        }
        check(Gomocup, "rule", None, Some("renju is rule 4"));
        check(Gomocup, "max_node", None, None);
        check(Gomocup, "max_node", Some(9), Some("--nodes sends it"));
        check(Gomocup, "max_memory", None, None);
        check(Uai, "", None, Some("no name"));
        check(Uai, "Hash\nquit", None, Some("one line"));
    }
}
