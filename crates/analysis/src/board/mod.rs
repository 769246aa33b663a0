//! Questions of the boards: to the rules about positions, to the engines about moves. Questions and answers are those
//! of a site's API; an engine in a browser gives the same answers.

mod known;
mod opening;
mod position;
mod puzzles;
mod question;
mod search;
mod wish;

pub use known::{KnownAnswer, KnownMove, known_of};
pub use opening::{OpeningAnswer, OpeningQuestion};
pub use position::{PositionAnswer, place, position};
pub(crate) use position::{card_hands, graph_shape, triangle_tip};
pub use puzzles::{LineMove, PuzzleAnswer, PuzzleAttempt, PuzzleQuery, PuzzleRow, PuzzleVerdict};
pub use puzzles::{judge, list, missed};
pub use question::{BoardGame, BoardMove, BoardQuestion, MAX_POSITION_BYTES, QuestionProblem, Refusal};
pub use search::{AnalysedPosition, EngineMove, SearchWish};
pub use wish::{AnalysisBounds, MoveAnswer, MoveWish, analysis_wish};
