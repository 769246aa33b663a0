//! The scores in an engine's `info` lines.

use std::str::SplitAsciiWhitespace;
use std::time::Duration;

use agon_game::{Evaluation, Score};

/// The evaluation in a line `info … score cp N …`; `None` of any other line, and of lines of other moves than the best.
/// Some engines leave `cp` out.
pub(super) fn evaluation(line: &str) -> Option<Evaluation> {
    let mut words = line.split_ascii_whitespace();
    if words.next() != Some("info") {
        return None;
    }
    let (mut score, mut depth, mut nodes, mut time) = (None, None, None, None);
    while let Some(word) = words.next() {
        match word {
            "depth" => depth = number(&mut words),
            "nodes" => nodes = number(&mut words),
            "time" => time = number(&mut words).map(Duration::from_millis),
            "multipv" if number(&mut words) != Some(1_u32) => return None,
            "score" => score = read_score(&mut words),
            // The rest is for people, or moves.
            "string" | "pv" => break,
            _ => {}
        }
    }
    Some(Evaluation { depth, nodes, time, ..Evaluation::new(score?) })
}

fn number<T: std::str::FromStr>(words: &mut SplitAsciiWhitespace) -> Option<T> {
    words.next()?.parse().ok()
}

/// Parses `cp N` or `N`, or `mate N` in moves of the side that makes the last one, as in chess.
fn read_score(words: &mut SplitAsciiWhitespace) -> Option<Score> {
    let kind = words.next()?;
    if let Ok(value) = kind.parse() {
        return Some(Score::Centi(value));
    }
    let value: i32 = number(words)?;
    let plies = value.unsigned_abs().saturating_mul(2);
    match kind {
        "cp" => Some(Score::Centi(value)),
        "mate" if value > 0 => Some(Score::Win(plies - 1)),
        "mate" => Some(Score::Loss(plies)),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Score, depth, nodes and milliseconds.
    type Found = (Score, Option<u32>, Option<u64>, Option<u64>);

    #[test]
    fn a_score_is_read_with_what_stands_beside_it() {
        let check = |line: &str, expected: Option<Found>| {
            let found = evaluation(line);
            let found = found.map(|e| (e.score, e.depth, e.nodes, e.time.map(|time| time.as_millis() as u64)));
            assert_eq!(found, expected, "{line}");
        };
        check(
            "info depth 7 seldepth 9 score cp -35 nodes 1200 nps 9 time 12 pv f1",
            Some((Score::Centi(-35), Some(7), Some(1200), Some(12))),
        );
        check("info score cp 35 upperbound depth 3", Some((Score::Centi(35), Some(3), None, None)));
        check(
            "info depth 8 seldepth 8 score -50 time 14 nodes 10250 nps 732142 pv b6",
            Some((Score::Centi(-50), Some(8), Some(10_250), Some(14))),
        );
        check("info depth 3 score mate 3", Some((Score::Win(5), Some(3), None, None)));
        check("info depth 3 score mate -2", Some((Score::Loss(4), Some(3), None, None)));
        check("info depth 3 score mate 0", Some((Score::Loss(0), Some(3), None, None)));
        check("info depth 3 multipv 1 score cp 1", Some((Score::Centi(1), Some(3), None, None)));
        check("info depth 3 multipv 2 score cp 1", None);
        check("info depth 3 nodes 12", None);
        check("info string score cp 3", None);
        check("info score cp", None);
        check("info score cp x", None);
        check("bestmove f1", None);
    }
}
