//! The moves of a node in the order to try them.

use agon_game::Position;
use agon_rules::bacteria::board::{Cells, bit, dilate, neighbours, ring, size};
use agon_rules::bacteria::{Bacteria, Move};
use agon_search::pvs::{Experience, Picked, Scene, Scored, Tuning, take_best};

use super::field::{Field, reach};

/// What comes next.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Stage {
    /// The best move known.
    Best,
    /// Finding the divisions, and the leaps that infect.
    Find,
    /// Handing them out.
    Good,
    /// Handing out the leaps that infect nothing.
    Minor,
}

/// Hands out the best move known; then divisions, and leaps that infect, by what they gain and by experience; then the
/// other leaps, which are hardly ever any good.
#[derive(Clone, Debug)]
pub struct Picker {
    stage: Stage,
    best: Option<Move>,
    /// The place in the list of moves waiting.
    at: usize,
}

/// A cell's worth.
const CELL: i32 = 100;

/// What a move changes at once, in hundredths of a cell: the difference of cells by it.
#[inline]
fn gain(m: Move, opponent: u64) -> i32 {
    CELL * (2 * size(neighbours(m.to()) & opponent) as i32 + i32::from(!m.is_leap() && !m.is_pass()))
}

impl Picker {
    /// Puts the divisions and the leaps that infect on the list.
    fn find(
        &self,
        position: &Bacteria,
        waiting: &mut Vec<Scored<Move>>,
        experience: &Experience,
        scene: Scene,
        tuning: &Tuning,
    ) {
        let side = position.turn();
        let (own, opponent, empty) = (position.cells(side), position.cells(side.other()), position.empty());
        let near = dilate(own);
        let mut put = |m: Move, gain: i32, risk: u32| {
            if Some(m) != self.best {
                let known = experience.value::<Field>(scene, m, tuning);
                let score = tuning.order_gain * gain + known - tuning.order_risk * risk as i32;
                waiting.push(Scored { score, gain, m });
            }
        };
        let infecting = dilate(opponent) & empty;
        for to in Cells((near | infecting & dilate(near)) & empty) {
            let infected = size(neighbours(to) & opponent) as i32;
            if near & bit(to) != 0 {
                let source = (neighbours(to) & own).trailing_zeros() as usize;
                put(Move::new(source, to), CELL * (2 * infected + 1), 0);
            }
            if infected > 0 {
                for from in Cells(ring(to) & own) {
                    // The cell left behind is where the opponent infects those around it.
                    put(Move::new(from, to), 2 * CELL * infected, size(neighbours(from) & own));
                }
            }
        }
        if self.best.is_none() && reach(own) & empty == 0 {
            put(Move::PASS, 0, 0);
        }
    }

    /// Puts the other leaps on the list.
    fn find_minor(
        &self,
        position: &Bacteria,
        waiting: &mut Vec<Scored<Move>>,
        experience: &Experience,
        scene: Scene,
        tuning: &Tuning,
    ) {
        let side = position.turn();
        let (own, opponent, empty) = (position.cells(side), position.cells(side.other()), position.empty());
        let quiet = empty & !dilate(opponent);
        for from in Cells(own) {
            let risk = tuning.order_risk * size(neighbours(from) & own) as i32;
            for m in Cells(ring(from) & quiet).map(|to| Move::new(from, to)) {
                if Some(m) != self.best {
                    let score = experience.value::<Field>(scene, m, tuning) - risk;
                    waiting.push(Scored { score, gain: 0, m });
                }
            }
        }
    }
}

impl agon_search::pvs::Picker<Field> for Picker {
    #[inline]
    fn new(best: Option<Move>, waiting: &[Scored<Move>]) -> Self {
        Self { stage: Stage::Best, best, at: waiting.len() }
    }

    #[inline]
    fn next(
        &mut self,
        position: &Bacteria,
        waiting: &mut Vec<Scored<Move>>,
        experience: &Experience,
        scene: Scene,
        tuning: &Tuning,
    ) -> Option<Picked<Move>> {
        if self.stage == Stage::Best {
            self.stage = Stage::Find;
            if let Some(m) = self.best {
                let opponent = position.cells(position.turn().other());
                return Some(Picked { m, gain: gain(m, opponent), late: false });
            }
        }
        if self.stage == Stage::Find {
            self.find(position, waiting, experience, scene, tuning);
            self.stage = Stage::Good;
        }
        if self.stage == Stage::Good {
            if let Some(Scored { m, gain, .. }) = take_best(waiting, self.at) {
                self.at += 1;
                return Some(Picked { m, gain, late: false });
            }
            self.find_minor(position, waiting, experience, scene, tuning);
            self.stage = Stage::Minor;
        }
        let Scored { m, gain, .. } = take_best(waiting, self.at)?;
        self.at += 1;
        Some(Picked { m, gain, late: true })
    }
}
