//! Victory by continuous fours (VCF): every stone makes a four, so each has one answer, until the last has none. The
//! attack is a single line, since the defender never chooses; the search is over the order of the fours. Positions in
//! which every order has failed are stored: they recur as the same fours are played in a different order.
//!
//! Black's forbidden points are White's weapon: a four wins if Black could stop it only on such a point. For Black they
//! limit its own attack.

use agon_game::Side;
use agon_search::{Meter, ProofTable, SearchLimits, Stopped};

use super::{PatternBoard, Trait};

/// Stands for Black's answer in a line if it has no legal answer to a four and may as well pass.
pub const PASS: u8 = u8::MAX;

/// Bytes of the table of positions without such a win, at most.
pub const TABLE_BYTES: usize = 32 << 20;

/// The search for wins by continuous fours, with its table.
#[derive(Clone, Debug)]
pub struct Fours {
    table: ProofTable,
    /// The line found, from its end.
    line: Vec<u8>,
    meter: Meter,
}

/// Table word of a lost position; otherwise the word is the winning four plus one.
const NO_WIN: u64 = 0;

impl Fours {
    /// A search whose table takes at most `bytes`.
    pub fn new(table_bytes: usize) -> Self {
        Self { table: ProofTable::new(table_bytes), line: Vec::new(), meter: Meter::new(SearchLimits::default()) }
    }

    /// The most bytes that its table grows to.
    pub const fn max_bytes(&self) -> usize {
        self.table.max_bytes()
    }

    /// Returns true if `side`, to move, wins by continuous fours or immediately. The board is restored.
    ///
    /// # Errors
    /// [`Stopped`] when a limit was reached before that was known.
    pub fn wins(&mut self, board: &mut PatternBoard, side: Side, limits: SearchLimits) -> Result<bool, Stopped> {
        self.wins_within(board, side, Meter::new(limits))
    }

    /// The same as part of another search, with its meter.
    ///
    /// # Errors
    /// See [`Fours::wins`].
    pub fn wins_within(&mut self, board: &mut PatternBoard, side: Side, meter: Meter) -> Result<bool, Stopped> {
        self.meter = meter;
        self.line.clear();
        self.attack(board, side)
    }

    /// Returns the line of the win that [`Fours::wins`] has just found: the attacker's stones and the answers in turn,
    /// ending with the five; [`PASS`] if Black has no legal answer.
    pub fn line(&self) -> impl Iterator<Item = u8> {
        self.line.iter().rev().copied()
    }

    /// Nodes that the last search visited: positions with the attacker to move.
    pub const fn nodes(&self) -> u64 {
        self.meter.nodes()
    }

    fn attack(&mut self, board: &mut PatternBoard, side: Side) -> Result<bool, Stopped> {
        self.meter.node()?;
        if let Some(five) = board.having(side, Trait::Five).first() {
            self.line.push(five);
            return Ok(true);
        }
        let mut fours = board.having(side, Trait::Four);
        let threats = board.having(side.other(), Trait::Five);
        if let Some(block) = threats.first() {
            if threats.len() > 1 || !fours.contains(block) {
                return Ok(false);
            }
            fours = [block].into_iter().collect();
        }
        if fours.is_empty() {
            return Ok(false);
        }
        let key = board.hash() ^ SIDE_KEYS[side.index()];
        let known = self.table.probe(key).map(|word| word & 0xff_ffff);
        if known == Some(NO_WIN) {
            return Ok(false);
        }
        let hint = known.map(|word| (word - 1) as u8);
        let mut candidates = [(0, 0); 225];
        let mut count = 0;
        for cell in fours.iter() {
            let class = board.class(side, cell);
            let first = class.has(Trait::Winning) || Some(cell) == hint;
            candidates[count] = (if first { u8::MAX } else { class.kind() }, cell);
            count += 1;
        }
        let candidates = &mut candidates[..count];
        candidates.sort_unstable_by_key(|&(promise, _)| std::cmp::Reverse(promise));
        let before = self.meter.nodes();
        for &(_, cell) in candidates.iter() {
            if board.may_play(side, cell) && self.four_wins(board, side, cell)? {
                self.remember(key, u64::from(cell) + 1, before);
                return Ok(true);
            }
        }
        self.remember(key, NO_WIN, before);
        Ok(false)
    }

    /// Returns true if a four on this point leads to a win.
    fn four_wins(&mut self, board: &mut PatternBoard, side: Side, cell: u8) -> Result<bool, Stopped> {
        board.place(cell, side);
        let won = self.four_stands(board, side);
        board.take_back();
        if won == Ok(true) {
            self.line.push(cell);
        }
        won
    }

    /// Returns true if the attacker wins after making a four, which the other side must answer.
    fn four_stands(&mut self, board: &mut PatternBoard, side: Side) -> Result<bool, Stopped> {
        let fives = board.having(side, Trait::Five);
        let Some(answer) = fives.first() else { return Ok(false) };
        let other = side.other();
        if !board.having(other, Trait::Five).is_empty() {
            return Ok(false);
        }
        let legal = fives.iter().find(|&five| board.may_play(other, five));
        let another = fives.iter().find(|&five| Some(five) != legal);
        match (legal, another) {
            (None, _) => {
                self.line.extend([answer, PASS]);
                Ok(true)
            }
            (Some(answer), Some(five)) => {
                self.line.extend([five, answer]);
                Ok(true)
            }
            (Some(answer), None) => {
                board.place(answer, other);
                let won = self.attack(board, side);
                board.take_back();
                if won == Ok(true) {
                    self.line.push(answer);
                }
                won
            }
        }
    }

    /// Stores a result, with a worth that grows with the nodes it took.
    fn remember(&mut self, key: u64, word: u64, before: u64) {
        let worth = (self.meter.nodes() - before + 1).ilog2();
        self.table.store(key, u64::from(worth) << 56 | word);
    }
}

/// The attacker's part of a position's key; together with the keys of stones it is 0 only by chance.
pub(super) const SIDE_KEYS: [u64; 2] = [0x6a09_e667_f3bc_c908, 0xbb67_ae85_84ca_a73b];
