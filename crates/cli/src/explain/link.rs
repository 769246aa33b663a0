//! The address of a position on the analysis board of `agon board`.

use std::fmt::Write as _;

use crate::board::USUAL_ADDRESS;
use crate::recorded::RecordedGame;

/// The address of the position before this move, from 1, with the moves to it and this one: an address is as short as
/// it can be.
pub(super) fn to(recorded: &RecordedGame, ply: u32) -> String {
    let header = &recorded.record.header;
    let mut words = vec![format!("game={}", recorded.game.name())];
    for (name, value) in &header.parameters {
        words.push(format!("{name}={}", escaped(value)));
    }
    if recorded.game.is_seeded() {
        words.push(format!("seed={}", header.seed));
    }
    let moves = recorded.moves.iter().take(ply as usize);
    let moves: Vec<String> = moves.map(|played| played.arguments.replace(' ', ".")).collect();
    words.push(format!("moves={}", moves.join("/")));
    words.push(format!("ply={}", ply.saturating_sub(1)));
    format!("http://{USUAL_ADDRESS}/board/analysis#{}", words.join("&"))
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
