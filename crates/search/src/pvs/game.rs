//! What a search must be told of a game beyond its rules.

use agon_game::Position;

use super::Tuning;
use crate::history::{History, MOVES};

/// The moves of a [`Game`].
pub type MoveOf<G> = <<G as Game>::Position as Position>::Move;

/// A value that is known without a search, for the side to move.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Settled {
    /// It wins in at most so many plies, whatever the other side does.
    Win(u32),
    /// It loses in at most so many plies, whatever it does.
    Loss(u32),
    /// A draw.
    Draw,
}

/// A game as a search sees it.
pub trait Game: Send + Sync + 'static {
    /// Its positions.
    type Position: Position;
    /// Its moves in the order to try them.
    type Picker: Picker<Self>;

    /// The result of a game that is over, and of one whose end is certain. Asked at every node: it must be cheap.
    fn settled(position: &Self::Position) -> Option<Settled>;

    /// The key of a position for the transposition table: its hash, and whatever else its value depends on here.
    fn key(position: &Self::Position) -> u64;

    /// A move as 16 bits, never 0; moves that lead to the same position should be one.
    fn pack(m: MoveOf<Self>) -> u16;

    /// The move of 16 bits, if it is legal here: tables give false answers now and then.
    fn unpack(position: &Self::Position, word: u16) -> Option<MoveOf<Self>>;

    /// The number of a move in a [`History`], below [`crate::history::MOVES`].
    fn number(m: MoveOf<Self>) -> usize;

    /// What of a move matters to the answer, and of an answer to a move: a number below [`OUTLINES`].
    fn outline(m: MoveOf<Self>) -> usize;

    /// The same position with the other side to move, where doing nothing is surely worse than the best move; `None` where
    /// that is not so.
    fn skipped(position: &Self::Position) -> Option<Self::Position>;
}

/// Outlines of moves: see [`Game::outline`].
pub const OUTLINES: usize = 128;

/// Which moves have been good: wherever they were played, and as answers to moves like the last one.
#[derive(Clone, Debug)]
pub struct Experience {
    anywhere: History,
    answers: History,
}

impl Default for Experience {
    /// None.
    fn default() -> Self {
        // Answers to any outline, and to nothing, of both sides.
        Self { anywhere: History::new(2), answers: History::new((2 * OUTLINES * OUTLINES).div_ceil(MOVES)) }
    }
}

/// The circumstances of a node that experience depends on.
#[derive(Clone, Copy, Debug, Default)]
pub struct Scene {
    /// The side to move, 0 or 1.
    pub side: usize,
    /// The outline of the last move.
    pub last: usize,
}

impl Experience {
    /// What is known of a move, from −2 · [`MOST`](crate::history::MOST) to 2 · `MOST`.
    #[inline]
    pub fn value<G: Game + ?Sized>(&self, scene: Scene, m: MoveOf<G>, tuning: &Tuning) -> i32 {
        let answer = self.answers.value(0, Self::answer(scene, G::outline(m)));
        self.anywhere.value(scene.side, G::number(m)) + answer * tuning.answer_weight / 100
    }

    /// A move was good (a positive bonus) or not.
    #[inline]
    pub fn learn(&mut self, scene: Scene, number: usize, outline: usize, bonus: i32) {
        self.anywhere.learn(scene.side, number, bonus);
        self.answers.learn(0, Self::answer(scene, outline), bonus);
    }

    #[inline]
    const fn answer(scene: Scene, outline: usize) -> usize {
        (scene.side * OUTLINES + scene.last) * OUTLINES + outline
    }

    /// Forgets everything.
    pub fn clear(&mut self) {
        self.anywhere.clear();
        self.answers.clear();
    }
}

/// A move waiting to be tried.
#[derive(Clone, Copy, Debug)]
pub struct Scored<M> {
    /// The higher the earlier.
    pub score: i32,
    /// What it changes at once, in hundredths of the game's unit.
    pub gain: i32,
    /// The move.
    pub m: M,
}

/// A move to be tried now.
#[derive(Clone, Copy, Debug)]
pub struct Picked<M> {
    /// The move.
    pub m: M,
    /// What it changes at once, in hundredths of the game's unit.
    pub gain: i32,
    /// Whether it and all that follow are of the kind that is hardly ever best, so that a shallow search leaves them
    /// out.
    pub late: bool,
}

/// Hands out the moves of one node, likely good ones first, and makes no more of them than are asked for. The moves
/// waiting lie at the end of a list that all nodes on the way from the root share, so that nothing is allocated.
pub trait Picker<G: Game + ?Sized>: Sized {
    /// The moves of a position; `best` is legal and comes first.
    fn new(best: Option<MoveOf<G>>, waiting: &[Scored<MoveOf<G>>]) -> Self;

    /// The next move; `None` after the last. Experience and tuning say how to order them.
    fn next(
        &mut self,
        position: &G::Position,
        waiting: &mut Vec<Scored<MoveOf<G>>>,
        experience: &Experience,
        scene: Scene,
        tuning: &Tuning,
    ) -> Option<Picked<MoveOf<G>>>;
}

/// Takes the best of the moves waiting from place `from` on to that place.
#[inline]
pub fn take_best<M: Copy>(waiting: &mut [Scored<M>], from: usize) -> Option<Scored<M>> {
    let rest = &mut waiting[from..];
    let mut best = 0;
    let mut score = rest.first()?.score;
    for (i, scored) in rest.iter().enumerate().skip(1) {
        if scored.score > score {
            (best, score) = (i, scored.score);
        }
    }
    rest.swap(0, best);
    Some(rest[0])
}
