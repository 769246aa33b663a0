//! One side's move in positions, kept as their stones and found however the board is turned.

use std::collections::{BTreeMap, HashMap};

use agon_rules::renju::Stones;

use super::lines::BookLines;
use super::{BookError, Symmetry, notation};

#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct BookMoves {
    of: HashMap<Stones, u8>,
    /// Black's stones in the longest line.
    deepest: u32,
}

impl BookMoves {
    pub fn new(of: HashMap<Stones, u8>) -> Self {
        let deepest = of.keys().map(|stones| stones.black.len()).max().unwrap_or(0);
        Self { of, deepest }
    }

    pub fn len(&self) -> usize {
        self.of.len()
    }

    pub fn is_empty(&self) -> bool {
        self.of.is_empty()
    }

    /// The positions and their moves, in no particular order.
    pub fn iter(&self) -> impl Iterator<Item = (&Stones, u8)> {
        self.of.iter().map(|(stones, &cell)| (stones, cell))
    }

    /// The move in exactly this position.
    pub fn exact(&self, stones: &Stones) -> Option<u8> {
        self.of.get(stones).copied()
    }

    /// The move in a position, however it is turned.
    pub fn turned(&self, stones: &Stones) -> Option<u8> {
        // Late in a game turning all its stones would cost as much as a search.
        if stones.black.len() > self.deepest {
            return None;
        }
        Symmetry::ALL
            .into_iter()
            .find_map(|symmetry| self.exact(&symmetry.stones(stones)).map(|cell| symmetry.inverse().cell(cell)))
    }

    /// `moves` with their number, and a line for each: its stones and the move, the shortest first.
    pub(super) fn text(&self) -> String {
        let moves: BTreeMap<(u32, String), u8> =
            self.iter().map(|(stones, cell)| ((stones.len(), notation::stones(stones)), cell)).collect();
        let mut text = format!("moves {}\n", moves.len());
        for ((_, stones), cell) in moves {
            text += &format!("{stones} {}\n", notation::cell(cell));
        }
        text
    }

    /// Reads `count` lines of what [`Self::text`] writes below its first.
    pub(super) fn read(lines: &mut BookLines, count: usize) -> Result<Self, BookError> {
        let mut of = HashMap::new();
        for _ in 0..count {
            let (stones, cell) = lines.next(|line| {
                let (stones, cell) = line.split_once(' ')?;
                let (stones, cell) = (notation::read_stones(stones)?, notation::read_cell(cell)?);
                stones.empties().contains(cell).then_some((stones, cell))
            })?;
            of.insert(stones, cell);
        }
        Ok(Self::new(of))
    }
}
