//! Points of renju in files, and moves between the judge's notation and those of files.

use agon_rules::renju::{Move, Point};

/// The move that the judge writes so, if it is one of renju.
pub fn judged(text: &str) -> Option<Move> {
    let mut numbers = text.split_ascii_whitespace().map(|word| word.parse::<i64>().ok());
    match (numbers.next()??, numbers.next()??, numbers.next()) {
        (-1, -1, None) => Some(Move::Pass),
        (row, column, None) => Point::new(row, column).map(Move::Stone),
        _ => None,
    }
}

/// A point of SGF: `hh`, the column and then the row from the top; or as renju programs write it, `h8`.
pub fn of_sgf(value: &str) -> Option<Point> {
    match value.as_bytes() {
        &[column, row] if column.is_ascii_lowercase() && row.is_ascii_lowercase() => {
            Point::new(row - b'a' + 1, column - b'a' + 1)
        }
        _ => Point::from_letters(value).ok(),
    }
}

/// Parses a move of SGF, which may be a PASS: nothing, `tt` or `pass`.
pub fn move_of_sgf(value: &str) -> Option<Move> {
    if matches!(value, "" | "tt") || value.eq_ignore_ascii_case("pass") {
        return Some(Move::Pass);
    }
    of_sgf(value).map(Move::Stone)
}

/// A point as SGF writes it.
pub fn to_sgf(point: Point) -> String {
    [point.column(), point.row()].map(|number| char::from(b'a' + number - 1)).iter().collect()
}

/// Parses the points in a property's values: single ones, and rectangles as `aa:cc`. `None` if any is invalid.
pub fn list(values: &[String]) -> Option<Vec<Point>> {
    let mut points = Vec::new();
    for value in values.iter().map(|value| value.trim()) {
        let (first, last) = value.split_once(':').unwrap_or((value, value));
        let (first, last) = (of_sgf(first)?, of_sgf(last)?);
        let between = |point: &Point| {
            let within = |from: u8, to: u8, at: u8| (from.min(to)..=from.max(to)).contains(&at);
            within(first.row(), last.row(), point.row()) && within(first.column(), last.column(), point.column())
        };
        points.extend(Point::all().filter(between));
    }
    Some(points)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn points_are_read_and_written() {
        let point = Point::new(1, 15).unwrap();
        assert_eq!((to_sgf(point), of_sgf("oa"), of_sgf("O15")), ("oa".to_owned(), Some(point), Some(point)));
        assert_eq!(list(&["aa:bb".to_owned(), "h8".to_owned()]).unwrap().len(), 5);
        assert_eq!(list(&["aa:zz".to_owned()]), None);
        for (text, expected) in [("", Some(Move::Pass)), ("tt", Some(Move::Pass)), ("hp", None), ("z", None)] {
            assert_eq!(move_of_sgf(text), expected, "{text}");
        }
        assert_eq!([judged("8 8"), judged("-1 -1")], [Some(Move::Stone(Point::CENTRE)), Some(Move::Pass)]);
        for text in ["", "8", "8 8 8", "0 1", "H8"] {
            assert_eq!(judged(text), None, "{text}");
        }
    }
}
