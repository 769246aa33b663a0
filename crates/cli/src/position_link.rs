//! The place of a position on the analysis board of `agon board`.

use std::fmt::Write as _;

use crate::recorded::RecordedGame;

/// Default address of the boards.
pub(crate) const USUAL_ADDRESS: &str = "127.0.0.1:7654";

/// The address of the position before the move of this number, while `agon board` runs.
///
/// # Errors
/// If no recorded move has it.
pub(crate) fn address(recorded: &RecordedGame, ply: u32) -> anyhow::Result<String> {
    Ok(format!("http://{USUAL_ADDRESS}{}", before(recorded, ply)?))
}

/// The end of the address of the position before the move of this number. It has the moves up to this one and no more,
/// so that the address is short.
///
/// # Errors
/// If no recorded move has it.
pub(crate) fn before(recorded: &RecordedGame, ply: u32) -> anyhow::Result<String> {
    let index = recorded.index("--ply", ply)?;
    Ok(path(recorded, index + 1, index))
}

/// The end of the address of the last position.
pub(crate) fn end(recorded: &RecordedGame) -> String {
    path(recorded, recorded.moves.len(), recorded.moves.len())
}

fn path(recorded: &RecordedGame, moves: usize, ply: usize) -> String {
    let header = &recorded.record.header;
    let mut words = vec![format!("game={}", recorded.game.name())];
    for (name, value) in &header.parameters {
        words.push(format!("{name}={}", escaped(value)));
    }
    if recorded.game.is_seeded() {
        words.push(format!("seed={}", header.seed));
    }
    let moves = recorded.moves.iter().take(moves).map(|played| played.arguments.replace(' ', "."));
    words.push(format!("moves={}", moves.collect::<Vec<_>>().join("/")));
    words.push(format!("ply={ply}"));
    format!("/board/analysis#{}", words.join("&"))
}

/// A value as an address has it.
fn escaped(text: &str) -> String {
    let mut shown = String::with_capacity(text.len());
    for byte in text.bytes() {
        if byte.is_ascii_alphanumeric() || b"-._~/:".contains(&byte) {
            shown.push(char::from(byte));
        } else {
            let _ = write!(shown, "%{byte:02X}");
        }
    }
    shown
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_address_has_no_blanks() {
        assert_eq!(escaped("x5o/7 x 0 1"), "x5o/7%20x%200%201");
    }
}
