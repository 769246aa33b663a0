//! The scores in an engine's MESSAGE lines. The protocol leaves their form open; most engines write names with values
//! behind them: `MESSAGE depth 10-15 ev 35 n 12K tm 230`, `MESSAGE Depth: 10 | Eval: -M4 | Time: 0.2s`.

use std::time::Duration;

use agon_game::{Evaluation, Score};
use agon_referee::evaluation::read_score;

/// The evaluation in a MESSAGE; `None` of one without a score, and of any other line.
pub(super) fn evaluation(line: &str) -> Option<Evaluation> {
    let (first, rest) = line.split_once(char::is_whitespace)?;
    if !first.eq_ignore_ascii_case("MESSAGE") {
        return None;
    }
    let separators = |c: char| c.is_whitespace() || "|,;:=()[]".contains(c);
    let mut words = rest.split(separators).filter(|word| !word.is_empty()).peekable();
    let (mut score, mut depth, mut nodes, mut time) = (None, None, None, None);
    while let Some(word) = words.next() {
        let Some(value) = words.peek().copied() else { break };
        match word.to_ascii_lowercase().as_str() {
            "depth" | "dep" | "d" => depth = depth.or_else(|| value.split(['-', '/']).next()?.parse().ok()),
            "ev" | "eval" | "evaluation" | "score" | "value" | "val" => score = score.or_else(|| of_text(value)),
            "n" | "node" | "nodes" => nodes = nodes.or_else(|| count(value)),
            "tm" | "time" | "t" => time = time.or_else(|| span(value)),
            // Moves follow.
            "pv" | "bestline" => break,
            _ => {}
        }
    }
    Some(Evaluation { depth, nodes, time, ..Evaluation::new(score?) })
}

/// `35`, `-M4`, `0.35`.
fn of_text(text: &str) -> Option<Score> {
    if !text.contains('.') {
        return read_score(text);
    }
    let points: f64 = text.parse().ok()?;
    (points.abs() < 1e5).then(|| Score::Centi((points * 100.0).round() as i32))
}

/// `1200`, `12K`, `3.4M`.
fn count(text: &str) -> Option<u64> {
    let end = text.trim_end_matches(|c: char| c.is_ascii_alphabetic());
    let factor = match text[end.len()..].to_ascii_lowercase().as_str() {
        "" => 1.0,
        "k" => 1e3,
        "m" => 1e6,
        "g" | "b" => 1e9,
        _ => return None,
    };
    end.parse().ok().map(|number: f64| number * factor).filter(|number| (0.0..1e18).contains(number)).map(|n| n as u64)
}

/// `230`, `230ms`, `0.2s`.
fn span(text: &str) -> Option<Duration> {
    let end = text.trim_end_matches(|c: char| c.is_ascii_alphabetic());
    let factor = match text[end.len()..].to_ascii_lowercase().as_str() {
        "" | "ms" => 1e-3,
        "s" => 1.0,
        _ => return None,
    };
    end.parse().ok().and_then(|number: f64| Duration::try_from_secs_f64(number * factor).ok())
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Score, depth, nodes and milliseconds.
    type Found = (Score, Option<u32>, Option<u64>, Option<u64>);

    #[test]
    fn engines_write_scores_in_several_ways() {
        let check = |line: &str, expected: Option<Found>| {
            let found = evaluation(line);
            let found = found.map(|e| (e.score, e.depth, e.nodes, e.time.map(|time| time.as_millis() as u64)));
            assert_eq!(found, expected, "{line}");
        };
        let ours = Some((Score::Centi(-35), Some(3), Some(77), Some(5)));
        check("MESSAGE depth 3-9 ev -35 n 77 tm 5 pv H8 PASS", ours);
        check(
            "MESSAGE DEPTH 10-15 EV 120 N 12K N/MS 532 TM 230",
            Some((Score::Centi(120), Some(10), Some(12_000), Some(230))),
        );
        check(
            "MESSAGE Depth 12/20 | Eval -M4 | Time 0.2s | Node 3.4M",
            Some((Score::Loss(4), Some(12), Some(3_400_000), Some(200))),
        );
        check("message depth: 8, score: +M7", Some((Score::Win(7), Some(8), None, None)));
        check("MESSAGE eval=0.35", Some((Score::Centi(35), None, None, None)));
        check("MESSAGE eval 51%", None);
        check("MESSAGE depth 3", None);
        check("MESSAGE hello", None);
        check("MESSAGE ev", None);
        check("DEBUG ev 3", None);
        check("7,7", None);
    }
}
