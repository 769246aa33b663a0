//! The lines of a search as JSON.

use agon_catalog::TextMove;
use agon_message::messages;
use agon_search::{Info, Score};
use serde_json::{Value, json};

/// A line as one line of JSON; the value is that of the side to move.
pub fn line(info: &Info<TextMove>) -> Value {
    let (value, win, loss) = match info.score {
        Score::Centi(value) => (Some(f64::from(value) / 100.0), None, None),
        Score::Win(plies) => (None, Some(plies), None),
        Score::Loss(plies) => (None, None, Some(plies)),
    };
    json!({
        "rank": info.multipv, "depth": info.depth, "selective_depth": info.seldepth, "value": value,
        "wins_in": win, "loses_in": loss, "nodes": info.nodes, "ms": info.elapsed.as_secs_f64() * 1000.0,
        "hashfull": info.hashfull,
        "moves": info.pv.iter().map(|m| &m.judged).collect::<Vec<_>>(),
        "letters": info.pv.iter().map(|m| &m.letters).collect::<Vec<_>>(),
    })
}

/// The best move, which follows the lines.
pub fn best(best: Option<&TextMove>) -> Value {
    json!({ "best": best.map(|m| &m.judged), "letters": best.map(|m| &m.letters) })
}

messages! {
    /// A score in words.
    ///
    /// ```
    /// use agon_analysis::lines::Worth;
    /// use agon_search::Score;
    /// assert_eq!(Worth::from(Score::Centi(-125)).to_string(), "−1.25");
    /// assert_eq!(Worth::from(Score::Win(7)).to_string(), "wins in 7");
    /// ```
    pub enum Worth {
        Value { score: String } = "{score}",
        Wins { plies: u32 } = "wins in {plies}",
        Loses { plies: u32 } = "loses in {plies}",
    }
}

impl From<Score> for Worth {
    fn from(score: Score) -> Self {
        match score {
            Score::Centi(value) => {
                Self::Value { score: format!("{:+.2}", f64::from(value) / 100.0).replace('-', "−") }
            }
            Score::Win(plies) => Self::Wins { plies },
            Score::Loss(plies) => Self::Loses { plies },
        }
    }
}

/// The numbers of a move's judge notation.
///
/// # Panics
/// If the text of the move does not consist of numbers.
pub fn numbers(m: &impl ToString) -> Vec<i32> {
    m.to_string().split(' ').map(|word| word.parse().expect("moves are written in numbers")).collect()
}
