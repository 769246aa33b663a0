//! Games of renju that an engine plays against itself.

use agon_engines::renju::{Fours, PatternBoard, Trait};
use agon_game::seed::Stream;
use agon_game::{Outcome, Position, Side};
use agon_rules::renju::{Move, Renju};
use agon_search::analysis::{Analyst, Info, Stop, Task, Value};
use agon_search::evaluate::LARGEST;
use agon_search::limits::Limits;

use super::RenjuRecord;
use super::opening::{beginning, champions, practised};

/// Games of a block.
pub const GAMES: usize = 16;

/// The fewest stones of a beginning: after these anyone may play anywhere.
pub const LEAST_OPENING: u32 = 3;

/// A game that is not decided by then is a draw.
const LONGEST: u32 = 220;

/// Nodes of the search for fours that tells whether a position is quiet: as many as a search's own leaf would spend.
const FOUR_NODES: u64 = 600;

/// Bytes of its table.
const FOUR_BYTES: usize = 1 << 16;

/// How games are played.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Selfplay {
    /// Nodes of the search for a move.
    pub nodes: u64,
    /// How the first stones are drawn.
    pub beginning: Beginning,
    /// The most stones that are drawn at the beginning of a game, from [`LEAST_OPENING`]; how many is drawn anew for every game.
    pub opening: u32,
    /// A beginning whose first search finds one side ahead by more, in hundredths of a point where a three could be
    /// made, is drawn again.
    pub imbalance: i32,
    /// From which chance is drawn: game `n` has a stream of its own.
    pub seed: u64,
}

/// How the first stones of a game are drawn.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Beginning {
    /// Anywhere in the middle.
    Random,
    /// The champion's first three moves, then one of the best of a short search.
    Champions,
    /// A position of the champion's practised book, and a few stones more, each one of the best of a short search;
    /// the number of stones for an opening means nothing then.
    Practised,
}

impl Selfplay {
    /// Plays the games of a block, of which there are [`GAMES`], and returns their positions in order; `None` when
    /// `stop` was raised before the last one ended.
    pub fn block(&self, analyst: &mut dyn Analyst<Renju>, block: usize, stop: &Stop) -> Option<Vec<RenjuRecord>> {
        let mut records = Vec::new();
        for game in block * GAMES..(block + 1) * GAMES {
            self.game(analyst, game as u64, stop, &mut records)?;
        }
        Some(records)
    }

    /// Plays one game, until a side has found a win, and appends its quiet positions.
    fn game(
        &self,
        analyst: &mut dyn Analyst<Renju>,
        game: u64,
        stop: &Stop,
        records: &mut Vec<RenjuRecord>,
    ) -> Option<()> {
        let mut stream = Stream::new(self.seed.wrapping_add(game), "datagen");
        let mut fours = Fours::new(FOUR_BYTES);
        let first = records.len();
        let task = Task { limits: Limits::nodes(self.nodes), ..Task::default() };
        let mut position = self.opening(analyst, &mut stream);
        let mut begun = false;
        analyst.forget();
        let outcome = loop {
            if let Some(outcome) = position.outcome() {
                break outcome;
            }
            if stop.is_raised() {
                return None;
            }
            if position.ply() >= LONGEST {
                break Outcome::Draw;
            }
            let mut value = None;
            let listener = &mut |info: &Info<Move>| value = Some(info.value);
            let Some(m) = analyst.analyze(&position, &task, listener) else { break Outcome::Draw };
            // A search that was ended before its first line was finished has told nothing.
            if let Some(value) = value {
                let (mover, hundredths) = (position.turn(), hundredths(value));
                if !begun && hundredths.abs() > self.imbalance {
                    position = self.opening(analyst, &mut stream);
                    analyst.forget();
                    continue;
                }
                if is_quiet(&position, &mut fours) {
                    records.push(record(&position, hundredths));
                }
                // Wins are proved when they are told; to play them out teaches nothing.
                match value {
                    Value::Win(_) => break Outcome::Win(mover),
                    Value::Loss(_) => break Outcome::Win(mover.other()),
                    Value::Centi(_) => {}
                }
            }
            begun = true;
            position.play(m, &mut ());
        };
        for record in &mut records[first..] {
            record.half_points = match outcome {
                Outcome::Draw => 1,
                Outcome::Win(winner) => 2 * u8::from(winner == record.turn),
            };
        }
        Some(())
    }

    /// A beginning of any length up to the longest.
    fn opening(&self, analyst: &mut dyn Analyst<Renju>, stream: &mut Stream) -> Renju {
        let stones = LEAST_OPENING + stream.below(self.opening.saturating_sub(LEAST_OPENING) as usize + 1) as u32;
        match self.beginning {
            Beginning::Random => beginning(stream, stones),
            Beginning::Champions => champions(analyst, stream, stones),
            Beginning::Practised => practised(analyst, stream),
        }
    }
}

/// Whether a search may ever estimate it: no five is in the air, and the side to move does not win by fours.
fn is_quiet(position: &Renju, fours: &mut Fours) -> bool {
    let mut board = PatternBoard::new(position.board());
    Side::BOTH.into_iter().all(|side| board.having(side, Trait::Five).is_empty())
        && fours.wins(&mut board, position.turn(), Limits::nodes(FOUR_NODES)) == Ok(false)
}

fn record(position: &Renju, value: i32) -> RenjuRecord {
    RenjuRecord::new(position.board(), position.turn(), value as i16, 1, position.ply() as u8)
}

/// In hundredths, decided games at the ends.
fn hundredths(value: Value) -> i32 {
    match value {
        Value::Centi(centi) => centi.clamp(-LARGEST, LARGEST),
        Value::Win(_) => LARGEST,
        Value::Loss(_) => -LARGEST,
    }
}
