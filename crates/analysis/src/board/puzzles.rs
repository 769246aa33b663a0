//! Puzzles: those that come with the program, and those that a game has missed.

use agon_catalog::{Capability, Game, TextMove};
use agon_message::Stated;
use agon_search::Stop;
use serde::{Deserialize, Serialize};
use utoipa::{IntoParams, ToSchema};

use super::question::{BoardQuestion, MAX_POSITION_BYTES, Refusal};
use crate::puzzles::{Puzzle, PuzzleKind, PuzzleMaker, PuzzleSet, answer, puzzle_at};

/// Moves of an attempt; no puzzle is longer.
const MAX_MOVES: usize = 120;

/// Puzzles of one game, at most.
const MAX_MISSED: usize = 3;

/// A position in which only one move is right.
#[derive(Serialize, ToSchema)]
#[schema(as = Puzzle)]
pub struct PuzzleAnswer {
    /// The name of the game.
    game: String,
    /// `fours`, `threats`, `quiet` or `defence` in renju, `exact` in domineering, `race` in Bacteria War.
    kind: String,
    /// The task, in the language of `Accept-Language`.
    text: String,
    /// The task as a value.
    #[schema(value_type = Object)]
    message: Stated,
    /// The position in the game's own notation.
    position: String,
    /// Who is to move: 0 or 1.
    turn: usize,
    /// The only right move; of a win in renju and of a race the line to its end, the answers included. As the judge
    /// writes them.
    solution: Vec<String>,
    /// The same as people write it.
    letters: Vec<String>,
    /// Plies of the win, or of the win that the move wards off.
    plies: usize,
    /// How many nodes the proof takes with empty tables.
    nodes: u64,
    /// How hard it is, as measured.
    difficulty: u64,
    /// The same from 1 to 5.
    grade: usize,
    /// The seed with which it was made and can be found again. Null for a puzzle that comes with Agon.
    seed: Option<u64>,
    /// Its number among those that come with Agon; null for any other.
    number: Option<usize>,
}

impl PuzzleAnswer {
    /// The same with its task in the language of `localized`.
    pub fn spoken(mut self, localized: impl Fn(&Stated) -> String) -> Self {
        self.text = localized(&self.message);
        self
    }

    fn new(puzzle: Puzzle, seed: Option<u64>, number: Option<usize>) -> Self {
        let message = Stated::from(&puzzle.task());
        let Puzzle { game, kind, text, position, turn, solution, letters, plies, nodes, difficulty, grade } = puzzle;
        let kind = kind.name().to_owned();
        Self {
            game,
            kind,
            text,
            message,
            position,
            turn,
            solution,
            letters,
            plies,
            nodes,
            difficulty,
            grade,
            seed,
            number,
        }
    }
}

/// Which puzzle is wanted.
#[derive(Clone, Debug, Default, Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
pub struct PuzzleQuery {
    /// The number of a puzzle that comes with Agon.
    pub number: Option<usize>,
    /// The number of a day: the puzzle of that day.
    pub day: Option<u64>,
    /// The seed of a fresh puzzle, which takes seconds; each seed has its own puzzle.
    pub seed: Option<u64>,
    /// Only puzzles of this kind; each seed has one of each kind.
    pub kind: Option<String>,
    /// Only puzzles of this grade, 1 to 5, of those that come with Agon.
    pub grade: Option<usize>,
}

fn game_of(name: &str) -> Result<Game, Refusal> {
    let games = || Game::which_can(Capability::Puzzles).into_iter().map(Game::name).collect::<Vec<_>>().join(", ");
    let game = Game::by_name(name).filter(|game| game.can(Capability::Puzzles));
    game.ok_or_else(|| Refusal::new(&format!("there are puzzles of {}", games())))
}

fn kind_of(game: Game, name: &str) -> Result<PuzzleKind, Refusal> {
    let kinds = PuzzleKind::in_game(game);
    kinds.iter().find(|kind| kind.name() == name).copied().ok_or_else(|| {
        let names: Vec<&str> = kinds.iter().map(|kind| kind.name()).collect();
        Refusal::new(&format!("`{}` is not a kind; {} expected", name.escape_debug(), names.join(", ")))
    })
}

/// The puzzles that come with Agon; empty for a registered game.
fn set(game: Game) -> Result<&'static [Puzzle], Refusal> {
    let set = PuzzleSet::own(game).map_err(Refusal::new)?;
    Ok(set.map_or(&[], |set| &set.puzzles))
}

impl PuzzleQuery {
    /// Finds or makes the puzzle; `draw` returns a random number. `None` if it was stopped.
    ///
    /// # Errors
    /// [`Refusal`] of a game without puzzles, and of a kind, grade or number that it does not have.
    pub fn find(&self, name: &str, draw: impl FnOnce() -> u64, stop: &Stop) -> Result<Option<PuzzleAnswer>, Refusal> {
        let game = game_of(name)?;
        let kind = self.kind.as_deref().map(|name| kind_of(game, name)).transpose()?;
        let Some(seed) = self.seed else {
            let (number, puzzle) = self.ready(game, kind, draw)?;
            return Ok(Some(PuzzleAnswer::new(puzzle.clone(), None, Some(number))));
        };
        let made = PuzzleMaker::new(game, seed).of_kind(kind).next(stop).map_err(|error| Refusal::new(&error))?;
        Ok(made.map(|puzzle| PuzzleAnswer::new(puzzle, Some(seed), None)))
    }

    /// Checks the query without making a puzzle.
    ///
    /// # Errors
    /// As [`Self::find`].
    pub fn check(&self, name: &str) -> Result<(), Refusal> {
        let game = game_of(name)?;
        self.kind.as_deref().map(|name| kind_of(game, name)).transpose()?;
        let ways = [self.seed.is_some(), self.number.is_some(), self.day.is_some()];
        if ways.into_iter().filter(|&way| way).count() > 1 {
            return Err(Refusal::new(&"one of `seed`, `number` and `day` expected"));
        }
        Ok(())
    }

    /// A puzzle that comes with Agon, and its number.
    fn ready(
        &self,
        game: Game,
        kind: Option<PuzzleKind>,
        draw: impl FnOnce() -> u64,
    ) -> Result<(usize, &'static Puzzle), Refusal> {
        let all = set(game)?;
        let fits = |puzzle: &Puzzle| {
            kind.is_none_or(|kind| puzzle.kind == kind) && self.grade.is_none_or(|grade| puzzle.grade == grade)
        };
        let number = match (self.number, self.day) {
            (Some(number), _) => number,
            (None, Some(day)) => {
                let set = PuzzleSet::own(game).map_err(Refusal::new)?;
                set.map_or(0, |set| set.of_day(day))
            }
            (None, None) => {
                let fitting: Vec<usize> = (1..=all.len()).filter(|&number| fits(&all[number - 1])).collect();
                let drawn = draw() % fitting.len().max(1) as u64;
                fitting.get(drawn as usize).copied().unwrap_or_default()
            }
        };
        let found = number.checked_sub(1).and_then(|at| all.get(at)).filter(|puzzle| fits(puzzle));
        found
            .map(|puzzle| (number, puzzle))
            .ok_or_else(|| Refusal::new(&format!("there is no such puzzle of {game}; {} come with Agon", all.len())))
    }
}

/// One of the puzzles that come with Agon, in short.
#[derive(Serialize, ToSchema)]
pub struct PuzzleRow {
    /// Its place in the set, from 1.
    number: usize,
    /// The kind of task.
    kind: &'static str,
    /// How hard it is, from 1 to 5.
    grade: usize,
}

/// The puzzles of a game that come with Agon.
///
/// # Errors
/// [`Refusal`] of a game without puzzles.
pub fn list(name: &str) -> Result<Vec<PuzzleRow>, Refusal> {
    let all = set(game_of(name)?)?.iter().enumerate();
    let row =
        |(at, puzzle): (usize, &Puzzle)| PuzzleRow { number: at + 1, kind: puzzle.kind.name(), grade: puzzle.grade };
    Ok(all.map(row).collect())
}

/// An attempt at a puzzle.
#[derive(Clone, Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct PuzzleAttempt {
    /// The name of the game.
    game: String,
    /// The kind of the puzzle.
    kind: String,
    /// Its position.
    position: String,
    /// The moves made from there, as the judge writes them: the solver's, with the answers between them.
    moves: Vec<String>,
    /// The random word that identifies a page. It has one search at a time.
    #[serde(default)]
    pub client: String,
}

/// A move in both notations.
#[derive(Serialize, ToSchema)]
pub struct LineMove {
    /// As the judge writes it.
    #[serde(rename = "move")]
    judged: String,
    /// As people write it.
    letters: String,
}

impl From<TextMove> for LineMove {
    fn from(TextMove { judged, letters }: TextMove) -> Self {
        Self { judged, letters }
    }
}

/// The judgement of an attempt's last move.
#[derive(Serialize, ToSchema)]
pub struct PuzzleVerdict {
    /// `solved`, `right`, `wrong`, or `unshown`: within the limits proved neither to be right nor to be wrong.
    verdict: &'static str,
    /// After a right move the toughest answer; after a wrong one how it is refuted; else what may refute it.
    line: Vec<LineMove>,
}

impl PuzzleAttempt {
    /// Checks the attempt without a search.
    ///
    /// # Errors
    /// [`Refusal`] of an unknown game or kind, and of an attempt that is too long.
    pub fn check(&self) -> Result<(), Refusal> {
        self.puzzle().map(|_| ())
    }

    fn puzzle(&self) -> Result<(Game, PuzzleKind), Refusal> {
        let game = game_of(&self.game)?;
        let kind = kind_of(game, &self.kind)?;
        if self.moves.len() > MAX_MOVES || self.position.len() > MAX_POSITION_BYTES {
            let most = format!("more than {MAX_MOVES} moves, or a text of more than {MAX_POSITION_BYTES} bytes");
            return Err(Refusal::new(&most));
        }
        Ok((game, kind))
    }
}

/// Proves what the last move of an attempt is worth.
///
/// # Errors
/// [`Refusal`] of a wrong position or move.
pub fn judge(attempt: &PuzzleAttempt, stop: &Stop) -> Result<PuzzleVerdict, Refusal> {
    let (game, kind) = attempt.puzzle()?;
    let found = answer(game, kind, &attempt.position, &attempt.moves, stop).map_err(|error| Refusal::new(&error))?;
    let line = found.line.into_iter().map(LineMove::from).collect();
    Ok(PuzzleVerdict { verdict: found.verdict.name(), line })
}

/// Positions of a game in which one move alone was right and another one was made: the last three, as puzzles.
///
/// # Errors
/// [`Refusal`] of a game without puzzles, and of a wrong position or move.
pub fn missed(question: &BoardQuestion, stop: &Stop) -> Result<Vec<PuzzleAnswer>, Refusal> {
    let found = missed_by(game_of(&question.game)?, question, stop)?;
    Ok(found.into_iter().map(|puzzle| PuzzleAnswer::new(puzzle, None, None)).collect())
}

fn missed_by(game: Game, question: &BoardQuestion, stop: &Stop) -> Result<Vec<Puzzle>, Refusal> {
    let whole = question.play()?;
    let mut found = Vec::new();
    for ply in (0..whole.moves.len()).rev() {
        if stop.is_raised() || found.len() == MAX_MISSED {
            break;
        }
        let moves = question.moves[..ply].to_vec();
        let before = BoardQuestion { moves, ..question.clone() }.play()?;
        let position = before.state.position();
        let puzzle = puzzle_at(game, &position, stop).map_err(|error| Refusal::new(&error))?;
        found.extend(puzzle.filter(|puzzle| puzzle.solution[0] != whole.moves[ply].judged));
    }
    Ok(found)
}
