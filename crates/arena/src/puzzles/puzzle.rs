//! What a puzzle is.

use agon_catalog::{Capability, Game};
use agon_game::{Show, View};
use serde::{Deserialize, Serialize};

/// Nodes of a move of the players whose games the puzzles are from.
pub(super) const PLAYER_NODES: u64 = 100_000;

/// What is to be found.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum PuzzleKind {
    /// A win by fours.
    Fours,
    /// A win by fours and threes.
    Threats,
    /// A move that threatens nothing, and wins.
    Quiet,
    /// The only move that does not lose.
    Defence,
    /// The only move that wins with perfect play.
    Exact,
}

impl PuzzleKind {
    pub const ALL: [Self; 5] = [Self::Fours, Self::Threats, Self::Quiet, Self::Defence, Self::Exact];

    pub const fn name(self) -> &'static str {
        match self {
            Self::Fours => "fours",
            Self::Threats => "threats",
            Self::Quiet => "quiet",
            Self::Defence => "defence",
            Self::Exact => "exact",
        }
    }

    /// The kinds of puzzles of a game.
    pub fn of(game: Game) -> &'static [Self] {
        if game.can(Capability::Threats) {
            &[Self::Fours, Self::Threats, Self::Quiet, Self::Defence]
        } else if game.can(Capability::Solving) {
            &[Self::Exact]
        } else {
            &[]
        }
    }

    const fn text(self) -> &'static str {
        match self {
            Self::Fours => "to move and win by fours; every other move loses",
            Self::Threats => "to move and win by fours and threes; every other move loses",
            Self::Quiet => "to move and win, first by a quiet move; every other move loses",
            Self::Defence => "to move: find the only move that does not lose",
            Self::Exact => "to move: find the only winning domino",
        }
    }
}

/// A position in which one move alone is right.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Puzzle {
    /// The name of the game.
    pub game: String,
    pub kind: PuzzleKind,
    /// What is to be found.
    pub text: String,
    /// The position in the game's own notation.
    pub position: String,
    /// Who is to move: 0 or 1.
    pub turn: usize,
    /// The only right move; of a win in renju the line to its end, the answers included. As the judge writes them.
    pub solution: Vec<String>,
    /// The same as people write it.
    pub letters: Vec<String>,
    /// Plies of the win, or of the win that the move wards off.
    pub plies: usize,
    /// How many nodes the proof takes with empty tables: that the move is right, and that no other one is.
    pub nodes: u64,
    /// How hard it is, as measured: in renju the doublings of the nodes that find it, the stones of the win, and more
    /// for quiet moves; in domineering the nodes.
    pub difficulty: u64,
    /// The same from 1 to 5.
    pub grade: usize,
}

/// How hard a puzzle is, and up to which difficulty each grade goes; harder ones have the last, 5. The grades part the
/// puzzles that are made into fifths, as nearly as numbers so small can: see docs/board.md.
pub(super) struct Difficulty(pub u64, pub [u64; 4]);

impl Difficulty {
    fn grade(&self) -> usize {
        1 + self.1.iter().filter(|&&most| self.0 > most).count()
    }
}

impl Puzzle {
    pub(super) fn new<P: Show>(
        game: Game,
        kind: PuzzleKind,
        position: &P,
        line: &[P::Move],
        (plies, nodes): (usize, u64),
        difficulty: &Difficulty,
    ) -> Self {
        let turn = position.turn().index();
        Self {
            game: game.name().to_owned(),
            kind,
            text: format!("{} {}", P::SEATS[turn], kind.text()),
            position: position.to_string(),
            turn,
            solution: line.iter().map(ToString::to_string).collect(),
            letters: line.iter().map(|&m| P::letters(m)).collect(),
            plies,
            nodes,
            difficulty: difficulty.0,
            grade: difficulty.grade(),
        }
    }

    /// The board to be drawn.
    pub fn view(&self) -> Option<View> {
        Game::by_name(&self.game)?.state_at(&self.position).ok().map(|state| state.view())
    }
}
