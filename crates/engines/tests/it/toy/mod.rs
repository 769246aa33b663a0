//! A toy game: stones are dropped into four columns of four, three in a row win. Small enough for plain minimax.

use std::fmt;

use agon_engines::bacteria::search::{
    HistoryKey, KnownResult, MoveContext, MovePicker, PARTS, PickedMove, ScoredMove, SearchGame, SearchHistory, Tuning,
    take_best,
};
use agon_game::{MoveError, Observer, Outcome, Position, Side};
use agon_search::Evaluate;
use agon_search::value::WIN;

const SIZE: usize = 4;
const CELLS: usize = SIZE * SIZE;

/// Bits by cell, row by row from the bottom; by side.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Drop3 {
    stones: [u16; 2],
    ply: u32,
}

/// A column, from 0.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct Column(pub u8);

impl fmt::Display for Column {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

impl fmt::Display for Drop3 {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:04x}/{:04x}", self.stones[0], self.stones[1])
    }
}

/// Whether a set of stones has three in a row.
fn has_row(stones: u16) -> bool {
    let has = |column: i32, row: i32| {
        let on = |i: i32| (0..SIZE as i32).contains(&i);
        on(column) && on(row) && stones >> (row * SIZE as i32 + column) & 1 == 1
    };
    let lines = [(1, 0), (0, 1), (1, 1), (1, -1)];
    (0..CELLS as i32).any(|cell| {
        let (column, row) = (cell % SIZE as i32, cell / SIZE as i32);
        lines.iter().any(|&(dx, dy)| (0..3).all(|i| has(column + i * dx, row + i * dy)))
    })
}

impl Drop3 {
    /// The position after these columns.
    pub fn after(columns: &[u8]) -> Self {
        let mut position = Self::default();
        for &column in columns {
            position.play_unchecked(Column(column), &mut ());
        }
        position
    }

    fn taken(&self) -> u16 {
        self.stones[0] | self.stones[1]
    }

    pub fn is_open(&self, m: Column) -> bool {
        usize::from(m.0) < SIZE && self.taken() >> (CELLS - SIZE + usize::from(m.0)) & 1 == 0
    }
}

impl Position for Drop3 {
    type Move = Column;

    fn turn(&self) -> Side {
        Side::BOTH[self.ply as usize % 2]
    }

    fn ply(&self) -> u32 {
        self.ply
    }

    fn outcome(&self) -> Option<Outcome> {
        let winner = Side::BOTH.into_iter().find(|side| has_row(self.stones[side.index()]));
        winner.map(Outcome::Win).or((self.taken() == u16::MAX).then_some(Outcome::Draw))
    }

    fn legal_moves(&self, moves: &mut Vec<Column>) {
        if self.outcome().is_none() {
            moves.extend((0..SIZE as u8).map(Column).filter(|&m| self.is_open(m)));
        }
    }

    fn play_unchecked(&mut self, m: Column, observer: &mut impl Observer) {
        let column = usize::from(m.0);
        let row = (0..SIZE).find(|row| self.taken() >> (row * SIZE + column) & 1 == 0).expect("an open column");
        let cell = row * SIZE + column;
        observer.change(cell, None, Some(self.turn()));
        self.stones[self.ply as usize % 2] |= 1 << cell;
        self.ply += 1;
    }

    fn read_move(&self, text: &str) -> Result<Column, MoveError> {
        let m = text.parse().ok().map(Column).filter(|&m| self.is_open(m));
        m.ok_or_else(|| MoveError::illegal(text, "no open column"))
    }

    fn hash(&self) -> u64 {
        let word = u64::from(self.stones[0]) << 17 | u64::from(self.stones[1]) << 1 | u64::from(self.ply % 2);
        agon_game::hash::fibonacci(word + 1)
    }

    fn computed_hash(&self) -> u64 {
        self.hash()
    }
}

/// The value of a stone by its column; not symmetric, so that moves differ.
const WEIGHTS: [i32; SIZE] = [10, 31, 29, 11];

/// The sum of the weights, kept up by the changes it hears of.
#[derive(Clone, Debug, Default)]
pub struct Weighed {
    /// For the first side, one per ply.
    sums: Vec<i32>,
}

impl Observer for Weighed {
    fn change(&mut self, cell: usize, _: Option<Side>, after: Option<Side>) {
        let weight = WEIGHTS[cell % SIZE];
        *self.sums.last_mut().expect("a root") += if after == Some(Side::First) { weight } else { -weight };
    }
}

/// The same sum, computed afresh.
pub fn weighed(position: &Drop3) -> i32 {
    let sum = |stones: u16| (0..CELLS).filter(|cell| stones >> cell & 1 == 1).map(|cell| WEIGHTS[cell % SIZE]).sum();
    let [first, second]: [i32; 2] = position.stones.map(sum);
    if position.turn() == Side::First { first - second } else { second - first }
}

impl Evaluate<Drop3> for Weighed {
    fn reset(&mut self, position: &Drop3) {
        let value = weighed(position);
        self.sums = vec![if position.turn() == Side::First { value } else { -value }];
    }

    fn push(&mut self) {
        self.sums.push(*self.sums.last().expect("a root"));
    }

    fn pop(&mut self) {
        self.sums.pop();
    }

    fn value(&mut self, position: &Drop3) -> i32 {
        let sum = *self.sums.last().expect("a root");
        let value = if position.turn() == Side::First { sum } else { -sum };
        assert_eq!(value, weighed(position), "the evaluation has not followed the search to {position}");
        value
    }
}

/// The toy game in the kit's view, with null moves or without.
#[derive(Debug)]
pub struct Toy<const NULL_MOVES: bool>;

/// All moves at once, the hash move first.
pub struct AllMoves {
    best: Option<Column>,
    from: usize,
    generated: bool,
}

impl MovePicker<Drop3> for AllMoves {
    fn new(best: Option<Column>, waiting: &[ScoredMove<Column>]) -> Self {
        Self { best, from: waiting.len(), generated: false }
    }

    fn next(
        &mut self,
        position: &Drop3,
        waiting: &mut Vec<ScoredMove<Column>>,
        history: &SearchHistory,
        context: MoveContext,
        tuning: &Tuning,
    ) -> Option<PickedMove<Column>> {
        if !self.generated {
            self.generated = true;
            let mut moves = Vec::new();
            position.legal_moves(&mut moves);
            let score = |m| match self.best {
                Some(best) if best == m => i32::MAX,
                _ => history.value(context, key(m), tuning),
            };
            waiting.extend(moves.into_iter().map(|m| ScoredMove { score: score(m), gain: 0, m }));
        }
        let ScoredMove { m, gain, .. } = take_best(waiting, self.from)?;
        self.from += 1;
        Some(PickedMove { m, gain, late: false })
    }
}

fn key(m: Column) -> HistoryKey {
    HistoryKey { main: m.0.into(), continuation: m.0.into() }
}

impl<const NULL_MOVES: bool> SearchGame for Toy<NULL_MOVES> {
    type Position = Drop3;
    type Picker = AllMoves;

    fn known_result(position: &Drop3) -> Option<KnownResult> {
        position.outcome().map(|outcome| match outcome {
            Outcome::Draw => KnownResult::Draw,
            Outcome::Win(side) if side == position.turn() => KnownResult::Win(0),
            Outcome::Win(_) => KnownResult::Loss(0),
        })
    }

    fn key(position: &Drop3) -> u64 {
        position.hash()
    }

    fn pack(m: Column) -> u16 {
        u16::from(m.0) + 1
    }

    fn unpack(position: &Drop3, word: u16) -> Option<Column> {
        let m = Column(u8::try_from(word.checked_sub(1)?).ok()?);
        position.is_open(m).then_some(m)
    }

    fn history_key(m: Column) -> HistoryKey {
        key(m)
    }

    fn part_keys(position: &Drop3) -> [u32; PARTS] {
        std::array::from_fn(|part| (position.hash() >> (8 * part)) as u32)
    }

    fn null_move(position: &Drop3) -> Option<Drop3> {
        NULL_MOVES.then(|| Drop3 { ply: position.ply + 1, ..position.clone() })
    }
}

/// Every position that random games reach, a few of each length.
pub fn positions() -> Vec<Drop3> {
    let mut positions = vec![Drop3::default()];
    let mut state = 1_u64;
    for _ in 0..12 {
        let mut position = Drop3::default();
        loop {
            let mut moves = Vec::new();
            position.legal_moves(&mut moves);
            if moves.is_empty() {
                break;
            }
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            position.play_unchecked(moves[(state >> 33) as usize % moves.len()], &mut ());
            if position.outcome().is_none() && position.ply() >= 2 && !positions.contains(&position) {
                positions.push(position.clone());
            }
        }
    }
    positions
}

/// The value of a position by plain minimax of `depth` plies, `ply` plies from the root.
pub fn minimax(position: &Drop3, depth: u32, ply: i32) -> i32 {
    match position.outcome() {
        Some(Outcome::Draw) => return 0,
        Some(_) => return ply - WIN,
        None if depth == 0 => return weighed(position),
        None => {}
    }
    let mut moves = Vec::new();
    position.legal_moves(&mut moves);
    moves.into_iter().map(|m| move_value(position, m, depth, ply)).max().expect("the game goes on")
}

/// The value of a move by plain minimax, of `depth` plies with the move itself.
pub fn move_value(position: &Drop3, m: Column, depth: u32, ply: i32) -> i32 {
    let mut next = position.clone();
    next.play_unchecked(m, &mut ());
    -minimax(&next, depth - 1, ply + 1)
}
