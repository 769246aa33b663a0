//! The functions of a game that is only known at run time.

use agon_game::GameState;
use agon_game::perft::PerftPosition;
use agon_message::Reason;

use crate::setup::{Setup, SetupError};

/// The functions of a game of positions that take and give texts.
#[derive(Clone, Copy, Debug)]
pub struct PositionFace {
    pub(crate) start: fn(&Setup) -> Result<Box<dyn GameState>, SetupError>,
    pub(crate) count: fn(&Setup) -> Result<Box<dyn PerftPosition>, SetupError>,
    pub(crate) state_at: fn(&str) -> Result<Box<dyn GameState>, Reason>,
    pub(crate) count_at: fn(&str) -> Result<Box<dyn PerftPosition>, Reason>,
}
