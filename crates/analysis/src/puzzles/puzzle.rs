//! The parts of a puzzle.

use agon_catalog::{Capability, Game};
use agon_game::{SeatName, Show, Side, View};
use agon_message::messages;
use serde::{Deserialize, Serialize};

/// Nodes of a move of the players whose games the puzzles are from.
pub(super) const PLAYER_NODES: u64 = 100_000;

/// Goal of a puzzle.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum PuzzleKind {
    /// A win by fours.
    Fours,
    /// A win by fours and threes.
    Threats,
    /// A winning move that makes no threat.
    Quiet,
    /// The only move that does not lose.
    Defence,
    /// The only move that wins with perfect play.
    Exact,
    /// The only move that wins a race for cells at the end of a game.
    Race,
}

impl PuzzleKind {
    pub const ALL: [Self; 6] = [Self::Fours, Self::Threats, Self::Quiet, Self::Defence, Self::Exact, Self::Race];

    pub const fn name(self) -> &'static str {
        match self {
            Self::Fours => "fours",
            Self::Threats => "threats",
            Self::Quiet => "quiet",
            Self::Defence => "defence",
            Self::Exact => "exact",
            Self::Race => "race",
        }
    }

    /// The kinds of puzzles of a game.
    pub fn in_game(game: Game) -> &'static [Self] {
        if game.can(Capability::Threats) {
            &[Self::Fours, Self::Threats, Self::Quiet, Self::Defence]
        } else if game.can(Capability::Solving) {
            &[Self::Exact]
        } else if game == Game::BACTERIA {
            &[Self::Race]
        } else {
            &[]
        }
    }

    const fn task(self, seat: SeatName) -> PuzzleTask {
        match self {
            Self::Fours => PuzzleTask::Fours { seat },
            Self::Threats => PuzzleTask::Threats { seat },
            Self::Quiet => PuzzleTask::Quiet { seat },
            Self::Defence => PuzzleTask::Defence { seat },
            Self::Exact => PuzzleTask::Exact { seat },
            Self::Race => PuzzleTask::Race { seat },
        }
    }
}

messages! {
    /// What a puzzle asks for.
    #[derive(Clone, PartialEq, Eq)]
    pub enum PuzzleTask {
        Fours { seat: SeatName } = "{seat} to move and win by fours; every other move loses",
        Threats { seat: SeatName } = "{seat} to move and win by fours and threes; every other move loses",
        Quiet { seat: SeatName } = "{seat} to move and win, first by a quiet move; every other move loses",
        Defence { seat: SeatName } = "{seat} to move: find the only move that does not lose",
        Exact { seat: SeatName } = "{seat} to move: find the only winning domino",
        Race { seat: SeatName } = "{seat} to move: find the only move that wins",
    }
}

/// A position in which only one move is correct.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Puzzle {
    /// The name of the game.
    pub game: String,
    pub kind: PuzzleKind,
    /// Task, in words.
    pub text: String,
    /// The position in the game's own notation.
    pub position: String,
    /// Side to move: 0 or 1.
    pub turn: usize,
    /// The only right move; of a win in renju and of a race the line to its end, the answers included. As the judge
    /// writes them.
    pub solution: Vec<String>,
    /// The same in people's notation.
    pub letters: Vec<String>,
    /// Plies of the win, or of the win that the move wards off.
    pub plies: usize,
    /// Number of nodes of the proof with empty tables: that the move is correct, and that no other one is.
    pub nodes: u64,
    /// Measured difficulty: in renju the logarithm of the nodes that find the move, the stones of the win, and more for
    /// quiet moves; in domineering the nodes; in a race the logarithm of the nodes and the solver's moves in the win.
    pub difficulty: u64,
    /// The same from 1 to 5.
    pub grade: usize,
}

/// Returns the maximum difficulty of each grade in a game; harder puzzles have the last grade, 5. The grades divide the
/// generated puzzles into fifths, as nearly as such small numbers allow.
fn grades(game: Game) -> [u64; 4] {
    if game.can(Capability::Threats) {
        [8, 12, 14, 15]
    } else if game.can(Capability::Solving) {
        [0, 4, 15, 50]
    } else {
        [10, 12, 14, 16]
    }
}

impl Puzzle {
    /// A puzzle with the line of its solution; `numbers` are its plies, the nodes of its proof, and its difficulty.
    pub(super) fn new<P: Show>(
        game: Game,
        kind: PuzzleKind,
        position: &P,
        line: &[P::Move],
        numbers: (usize, u64, u64),
    ) -> Self {
        let solution = line.iter().map(ToString::to_string).collect();
        let letters = line.iter().map(|&m| P::letters(m)).collect();
        Self::made(game, kind, (position.to_string(), position.turn(), P::SEATS), (solution, letters), numbers)
    }

    fn made(
        game: Game,
        kind: PuzzleKind,
        (position, turn, seats): (String, Side, [&str; 2]),
        (solution, letters): (Vec<String>, Vec<String>),
        (plies, nodes, difficulty): (usize, u64, u64),
    ) -> Self {
        Self {
            game: game.name().to_owned(),
            kind,
            text: kind.task(seats[turn.index()].into()).to_string(),
            position,
            turn: turn.index(),
            solution,
            letters,
            plies,
            nodes,
            difficulty,
            grade: 1 + grades(game).iter().filter(|&&most| difficulty > most).count(),
        }
    }

    /// A puzzle in a line of a set: kind, plies, nodes, difficulty, position, and the moves of the solution.
    pub(super) fn line(&self) -> String {
        let Self { kind, plies, nodes, difficulty, position, solution, .. } = self;
        format!("{}\t{plies}\t{nodes}\t{difficulty}\t{position}\t{}", kind.name(), solution.join("/"))
    }

    /// The puzzle of such a line, if it is one of this game.
    pub(super) fn of_line(game: Game, line: &str) -> Option<Self> {
        let mut words = line.split('\t');
        let mut word = || words.next();
        let kind = PuzzleKind::in_game(game).iter().copied().find({
            let name = word()?;
            move |kind| kind.name() == name
        })?;
        let numbers = (word()?.parse().ok()?, word()?.parse().ok()?, word()?.parse().ok()?);
        let (position, moves) = (word()?, word()?);
        let mut state = game.state_at(position).ok()?;
        let begins = (position.to_owned(), state.turn()?, state.seats());
        let (mut solution, mut letters) = (Vec::new(), Vec::new());
        for text in moves.split('/') {
            solution.push(state.answer(text).ok()?);
            letters.push(state.letters()?);
        }
        word().is_none().then(|| Self::made(game, kind, begins, (solution, letters), numbers))
    }

    /// The task as a value; [`Self::text`] is its English.
    pub fn task(&self) -> PuzzleTask {
        let seat = Game::by_name(&self.game).map_or("", |game| game.seats[self.turn]);
        self.kind.task(seat.into())
    }

    /// The board to draw.
    pub fn view(&self) -> Option<View> {
        Game::by_name(&self.game)?.state_at(&self.position).ok().map(|state| state.view())
    }
}
