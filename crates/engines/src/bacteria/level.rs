//! Levels: weaker versions of the champion, down to one that beginners beat.

use agon_rules::bacteria::Bacteria;
use agon_search::{Engine, SearchLimits};

use super::search::Tuning;
use super::{Champion, Classic, noise::Noise};

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct Level {
    depth: u32,
    nodes: u64,
    /// Maximum error of its evaluation, in hundredths of a cell.
    noise: i32,
}

const fn level(depth: u32, nodes: u64, noise: i32) -> Level {
    Level { depth, nodes, noise }
}

/// All levels but the highest, which plays at full strength. docs/engines/bacteria.md has their measured strength.
const WEAKER: [Level; 9] = [
    level(1, 1_000, 240),
    level(2, 1_000, 600),
    level(2, 1_000, 230),
    level(3, 1_000, 90),
    level(5, 4_000, 130),
    level(7, 8_000, 20),
    level(99, 9_000, 20),
    level(99, 20_000, 20),
    level(99, 50_000, 20),
];

/// The highest level, and the champion itself.
pub const HIGHEST: u8 = WEAKER.len() as u8 + 1;

/// Creates the champion at a level, from 1; at [`HIGHEST`] and above, at full strength. Weaker levels use the hand-made
/// evaluation, so that their strength does not change when the champion improves; the engine's seed determines their
/// errors.
pub fn at(level: u8) -> Box<dyn Engine<Bacteria>> {
    match WEAKER.get(usize::from(level).saturating_sub(1)) {
        None => Box::new(<Champion>::default()),
        Some(&Level { depth, nodes, noise }) => {
            let limits = SearchLimits { depth: Some(depth), ..SearchLimits::nodes(nodes) };
            let noise = Noise::new(Classic::default(), noise, 0);
            Box::new(Champion::new(noise, Tuning::default()).weakened(limits))
        }
    }
}
