//! Games of Bacteria War that an engine plays against itself.

use agon_engines::bacteria::opening;
use agon_game::seed::Stream;
use agon_game::{Outcome, Position, Side};
use agon_rules::bacteria::{Bacteria, Move};
use agon_search::analysis::{Analyst, Info, Stop, Task, Value};
use agon_search::evaluate::LARGEST;
use agon_search::limits::Limits;

use super::BacteriaRecord;

/// Games of a block.
pub const GAMES: usize = 32;

/// How games are played.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Selfplay {
    /// Nodes of the search for a move.
    pub nodes: u64,
    /// The most random plies at the beginning of a game; how many is drawn anew for every game.
    pub opening: u32,
    /// A beginning whose first search finds one side ahead by more, in hundredths of a cell, is drawn again.
    pub imbalance: i32,
    /// A game is given to a side that both have found ahead by this much, in hundredths of a cell.
    pub adjudicate: i32,
    /// From which chance is drawn: game `n` has a stream of its own.
    pub seed: u64,
}

impl Selfplay {
    /// Plays the games of a block, of which there are [`GAMES`], and returns their positions in order; `None` when
    /// `stop` was raised before the last one ended.
    pub fn block(&self, analyst: &mut dyn Analyst<Bacteria>, block: usize, stop: &Stop) -> Option<Vec<BacteriaRecord>> {
        let mut records = Vec::new();
        for game in block * GAMES..(block + 1) * GAMES {
            self.game(analyst, game as u64, stop, &mut records)?;
        }
        Some(records)
    }

    /// Plays one game and appends its positions.
    fn game(
        &self,
        analyst: &mut dyn Analyst<Bacteria>,
        game: u64,
        stop: &Stop,
        records: &mut Vec<BacteriaRecord>,
    ) -> Option<()> {
        let mut stream = Stream::new(self.seed.wrapping_add(game), "datagen");
        let first = records.len();
        let task = Task { limits: Limits::nodes(self.nodes), ..Task::default() };
        let mut position = self.opening(&mut stream);
        analyst.forget();
        let outcome = loop {
            if let Some(outcome) = position.outcome() {
                break outcome;
            }
            if stop.is_raised() {
                return None;
            }
            let mut value = None;
            let listener = &mut |info: &Info<Move>| value = Some(info.value);
            let Some(m) = analyst.analyze(&position, &task, listener) else { break Outcome::Draw };
            // A move without a choice is told without a value.
            if let Some(value) = value {
                let value = centi(value);
                if records.len() == first && value.abs() > self.imbalance {
                    position = self.opening(&mut stream);
                    analyst.forget();
                    continue;
                }
                let decided = value.abs() >= self.adjudicate
                    && records[first..].last().is_some_and(|last| {
                        // Seen from the other side: opposite signs agree.
                        i32::from(last.value).abs() >= self.adjudicate && (i32::from(last.value) < 0) != (value < 0)
                    });
                if !m.is_pass() {
                    records.push(record(&position, value));
                }
                if decided {
                    let mover = position.turn();
                    break Outcome::Win(if value > 0 { mover } else { mover.other() });
                }
            }
            position.play(m, &mut ());
        };
        for record in &mut records[first..] {
            let mover = if record.ply.is_multiple_of(2) { Side::First } else { Side::Second };
            record.half_points = match outcome {
                Outcome::Draw => 1,
                Outcome::Win(winner) => 2 * u8::from(winner == mover),
            };
        }
        Some(())
    }

    /// A beginning of any length up to the longest; each side draws how greedy its chance is.
    fn opening(&self, stream: &mut Stream) -> Bacteria {
        let plies = stream.below(self.opening as usize + 1) as u32;
        let tries = [1 + stream.below(3), 1 + stream.below(3)];
        opening::position(stream, plies, tries)
    }
}

fn record(position: &Bacteria, value: i32) -> BacteriaRecord {
    let mover = position.turn();
    BacteriaRecord {
        cells: [position.cells(mover), position.cells(mover.other())],
        value: value as i16,
        half_points: 1,
        ply: position.ply() as u16,
    }
}

/// In hundredths of a cell, decided games at the ends.
fn centi(value: Value) -> i32 {
    match value {
        Value::Centi(centi) => centi.clamp(-LARGEST, LARGEST),
        Value::Win(_) => LARGEST,
        Value::Loss(_) => -LARGEST,
    }
}
