//! Plays random games and counts how they end.
//!
//! `cargo run --release -p agon-rules --example random_games -- 1000`

use agon_game::seed::Stream;
use agon_game::{MoveError, Outcome, Position, Side};
use agon_rules::bacteria::Bacteria;

/// One game of random legal moves: its outcome and its length in plies.
fn play_random<P: Position>(mut position: P, random: &mut Stream) -> Result<(Outcome, u32), MoveError> {
    let mut moves = Vec::new();
    loop {
        if let Some(outcome) = position.outcome() {
            return Ok((outcome, position.ply()));
        }
        moves.clear();
        position.legal_moves(&mut moves);
        position.play(moves[random.below(moves.len())])?;
    }
}

fn main() -> Result<(), MoveError> {
    let games = std::env::args().nth(1).and_then(|games| games.parse().ok()).unwrap_or(100);
    let mut random = Stream::new(1, "random games");
    let (mut wins, mut plies) = ([0; 2], 0);
    for _ in 0..games {
        let (outcome, length) = play_random(Bacteria::start(), &mut random)?;
        for side in Side::BOTH {
            wins[side.index()] += u32::from(outcome == Outcome::Win(side));
        }
        plies += length;
    }
    println!("{games} games of {} plies: first {}, second {}", plies / games.max(1), wins[0], wins[1]);
    Ok(())
}
