//! The answers of rules, read without a program behind them: fuzz targets read any text so.

use agon_game::View;

pub use crate::description::{Description, Parameter, Values};
pub use crate::situation::{Situation, Stage};

/// Reads the lines of the answer to VIEW.
///
/// # Errors
/// The line that is not understood.
pub fn board(lines: &[String]) -> Result<View, String> {
    crate::picture::read(lines, ["First", "Second"])
}
