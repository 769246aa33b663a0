//! Places as Gomocup writes them: `x,y`, the column and the row from 0, the row from the top.

use agon_rules::renju::Point;

/// A text that is not a place on a board of 15 × 15.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("`{text}` is not a place: X,Y expected, each 0 to 14")]
pub struct PlaceError {
    pub text: String,
}

/// A place as it is written.
///
/// ```
/// use agon_protocols::gomocup::place::write;
/// use agon_rules::renju::Point;
/// assert_eq!(write(Point::new(2, 15).unwrap()), "14,1");
/// ```
pub fn write(point: Point) -> String {
    format!("{},{}", point.column() - 1, point.row() - 1)
}

/// Parses a place; spaces around the comma are accepted.
///
/// # Errors
/// [`PlaceError`] when it is none.
///
/// ```
/// use agon_protocols::gomocup::place::read;
/// assert_eq!(read("14, 1").unwrap().to_string(), "(2,15)");
/// assert!(read("15,1").is_err());
/// ```
pub fn read(text: &str) -> Result<Point, PlaceError> {
    let refused = || PlaceError { text: text.to_owned() };
    let [x, y] = numbers(text).ok_or_else(refused)?;
    let from_one = |n: i64| n.checked_add(1);
    from_one(y).zip(from_one(x)).and_then(|(row, column)| Point::new(row, column)).ok_or_else(refused)
}

/// Exactly `N` whole numbers between commas.
pub(super) fn numbers<const N: usize>(text: &str) -> Option<[i64; N]> {
    let mut numbers = [0; N];
    let mut words = text.split(',');
    for number in &mut numbers {
        *number = words.next()?.trim().parse().ok()?;
    }
    words.next().is_none().then_some(numbers)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_place_reads_back() {
        for point in Point::all() {
            assert_eq!(read(&write(point)), Ok(point));
        }
        for text in ["", ",", "1", "1,", "1,2,3", "-1,0", "0,15", "a,b", "9223372036854775807,0", "1;2"] {
            assert_eq!(read(text), Err(PlaceError { text: text.to_owned() }));
        }
    }
}
