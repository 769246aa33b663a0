//! The line on the error stream with which a program reports its score: `agon score=35 depth=12 nodes=48211 time=310`.
//!
//! `score` is in hundredths for the program itself, or `M5` and `-M4` for a win in 5 plies and a loss in 4; `time` is
//! in milliseconds. All but `score` may be left out, and other names are passed over.

use std::fmt::Write as _;
use std::time::Duration;

use agon_game::{Evaluation, Score};

/// The first word of the line.
const MARK: &str = "agon";

/// A score beyond this is a mistake, not an evaluation.
const MAX_CENTI: i32 = 10_000_000;

/// The line that reports an evaluation, without its newline.
///
/// ```
/// use agon_game::{Evaluation, Score};
/// use agon_referee::evaluation::{line, parse};
/// let evaluation = Evaluation { depth: Some(9), nodes: Some(77), ..Evaluation::new(Score::Loss(4)) };
/// assert_eq!(line(&evaluation), "agon score=-M4 depth=9 nodes=77");
/// assert_eq!(parse(&line(&evaluation)), Some(evaluation));
/// ```
pub fn line(evaluation: &Evaluation) -> String {
    let mut text = format!("{MARK} score={}", score_text(evaluation.score));
    if let Some(depth) = evaluation.depth {
        let _ = write!(text, " depth={depth}");
    }
    if let Some(nodes) = evaluation.nodes {
        let _ = write!(text, " nodes={nodes}");
    }
    if let Some(time) = evaluation.time {
        let _ = write!(text, " time={}", time.as_millis());
    }
    text
}

/// The evaluation in a line of an error stream, if it reports one.
///
/// ```
/// use agon_game::{Evaluation, Score};
/// use agon_referee::evaluation::parse;
/// assert_eq!(parse("agon score=-35"), Some(Evaluation::new(Score::Centi(-35))));
/// assert_eq!(parse("agon depth=3"), None);
/// assert_eq!(parse("score=3"), None);
/// ```
pub fn parse(line: &str) -> Option<Evaluation> {
    let mut words = line.split_ascii_whitespace();
    if words.next() != Some(MARK) {
        return None;
    }
    let (mut score, mut depth, mut nodes, mut time) = (None, None, None, None);
    for (name, value) in words.filter_map(|word| word.split_once('=')) {
        match name {
            "score" => score = read_score(value),
            "depth" => depth = value.parse().ok(),
            "nodes" => nodes = value.parse().ok(),
            "time" => time = value.parse().ok().map(Duration::from_millis),
            _ => {}
        }
    }
    Some(Evaluation { depth, nodes, time, ..Evaluation::new(score?) })
}

/// A score as programs write it: hundredths, or `M5`, `+M5`, `-M4`.
///
/// ```
/// use agon_game::Score;
/// use agon_referee::evaluation::read_score;
/// let read = ["35", "+35", "-35", "M5", "+M5", "-M4", "x", "99999999"].map(read_score);
/// let centi = |value| Some(Score::Centi(value));
/// let (win, loss) = (Some(Score::Win(5)), Some(Score::Loss(4)));
/// assert_eq!(read, [centi(35), centi(35), centi(-35), win, win, loss, None, None]);
/// ```
pub fn read_score(text: &str) -> Option<Score> {
    let (lost, rest) = text.strip_prefix('-').map_or((false, text.strip_prefix('+').unwrap_or(text)), |r| (true, r));
    if let Some(plies) = rest.strip_prefix(['M', 'm', '#']) {
        let plies: u32 = plies.parse().ok()?;
        return Some(if lost { Score::Loss(plies) } else { Score::Win(plies) });
    }
    let value: i32 = rest.parse().ok().filter(|value| (0..=MAX_CENTI).contains(value))?;
    Some(Score::Centi(if lost { -value } else { value }))
}

/// A score as the line has it.
fn score_text(score: Score) -> String {
    match score {
        Score::Centi(value) => value.to_string(),
        Score::Win(plies) => format!("M{plies}"),
        Score::Loss(plies) => format!("-M{plies}"),
    }
}

/// The last evaluation that a piece of an error stream reports.
pub(crate) fn last_in(stderr: &str) -> Option<Evaluation> {
    stderr.lines().rev().find_map(parse)
}

/// An error stream without the lines that report evaluations.
pub(crate) fn left_out(stderr: String) -> String {
    if !stderr.contains(MARK) {
        return stderr;
    }
    stderr.split_inclusive('\n').filter(|line| parse(line).is_none()).collect()
}

/// The mark before messages whose beginning is left out.
const LEFT_OUT: &str = "…\n";

/// The rest of a piece of an error stream: its last `most` bytes, from the beginning of a line if possible, with a mark
/// if something is left out.
pub(crate) fn messages(stderr: String, most: usize) -> Option<String> {
    let said = left_out(stderr);
    let said = said.trim_end();
    if said.is_empty() || most == 0 {
        return None;
    }
    if said.len() <= most {
        return Some(said.to_owned());
    }
    let end = &said[said.ceil_char_boundary(said.len() - most)..];
    let whole = end.split_once('\n').map_or(end, |(_, rest)| rest);
    Some(format!("{LEFT_OUT}{whole}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_last_line_counts() {
        let stderr = "agon score=1\nhello\nagon score=2 depth=3 time=7 colour=red\nagon nodes=3\nagonscore=9\n";
        let found = last_in(stderr).unwrap();
        assert_eq!((found.score, found.depth, found.nodes), (Score::Centi(2), Some(3), None));
        assert_eq!(found.time, Some(Duration::from_millis(7)));
        assert_eq!(last_in("nothing here\n"), None);
        assert_eq!(left_out(stderr.to_owned()), "hello\nagon nodes=3\nagonscore=9\n");
    }

    #[test]
    fn messages_keep_their_end() {
        let check = |stderr: &str, most: usize, kept: Option<&str>| {
            assert_eq!(messages(stderr.to_owned(), most).as_deref(), kept, "{stderr:?}");
        };
        check("agon score=1\n", 100, None);
        check("depth 3\nagon score=1\ndepth 4\n", 100, Some("depth 3\ndepth 4"));
        check("depth 3\ndepth 4\ndepth 5\n", 17, Some("…\ndepth 4\ndepth 5"));
        check("äöüäöü", 5, Some("…\nöü"));
        check("depth 3", 0, None);
    }
}
