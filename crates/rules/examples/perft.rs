//! Counts lines of play from the start of a game.
//!
//! `cargo run --release -p agon-rules --example perft -- renju 4`

use agon_game::{Position, perft};
use agon_rules::bacteria::Bacteria;
use agon_rules::renju::Renju;

fn print<P: Position>(start: &P, depth: u32) {
    for (m, lines) in perft::divide(start, depth) {
        println!("{m}: {lines}");
    }
    println!("{} lines of {depth} plies", start.perft(depth));
}

fn main() {
    let mut words = std::env::args().skip(1);
    let game = words.next().unwrap_or_else(|| "bacteria".to_owned());
    let depth = words.next().and_then(|depth| depth.parse().ok()).filter(|&depth| depth > 0).unwrap_or(3);
    match game.as_str() {
        "bacteria" => print(&Bacteria::start(), depth),
        "renju" => print(&Renju::default(), depth),
        other => eprintln!("`{other}` has no start of its own; bacteria or renju expected"),
    }
}
