//! The board that rules draw, as rows of characters.

use agon_game::{Cell, GridStyle, Mark, Side, View};
use agon_referee::protocol::quote;

use crate::limits::MAX_BOARD_SIDE;
use crate::situation::split;

/// The board of a game that shows none.
pub(crate) fn blank(seats: [&'static str; 2]) -> View {
    View {
        seats,
        rows: 1,
        columns: 1,
        origin: 1,
        first_letter: None,
        grid: GridStyle::Squares,
        cells: vec![Cell { glyph: '.', ..Cell::default() }],
        gauges: Vec::new(),
    }
}

/// The first row that is not as long as the first one, if there is one: the board fills it with empty places.
pub(crate) fn ragged(lines: &[String]) -> Option<String> {
    let rows: Vec<usize> =
        lines.iter().filter_map(|line| line.strip_prefix("row ")).map(|row| row.chars().count()).collect();
    let at = rows.iter().position(|&length| length != rows[0])?;
    Some(format!("row 1 has {} places, row {} has {}", rows[0], at + 1, rows[at]))
}

/// Reads the lines of the answer to VIEW.
///
/// # Errors
/// The line that is not understood.
pub(crate) fn read(lines: &[String], seats: [&'static str; 2]) -> Result<View, String> {
    let mut stones = ['1', '2'];
    let (mut grid, mut origin, mut first_letter) = (GridStyle::Squares, 1, None);
    let (mut rows, mut marks, mut numbers) = (Vec::<Vec<char>>::new(), Vec::new(), Vec::new());
    for line in lines {
        let refused = |expected: &str| format!("{}, where {expected} is expected", quote(line.as_bytes()));
        let place = |words: &[&str]| -> Option<(usize, usize)> {
            let [row, column] = words else { return None };
            Some((row.parse().ok()?, column.parse().ok()?))
        };
        match split(line) {
            ("stones", rest) => match rest.chars().collect::<Vec<_>>()[..] {
                [first, second] if first != second => stones = [first, second],
                _ => return Err(refused("`stones` and two different characters")),
            },
            ("points", _) => grid = GridStyle::Crossings,
            ("hexagons", _) => grid = GridStyle::Hexagons,
            ("origin", "0") => origin = 0,
            ("origin", "1") => origin = 1,
            ("letters", rest) => {
                let letter = rest.chars().next().filter(char::is_ascii_alphabetic);
                first_letter = Some(letter.ok_or_else(|| refused("`letters a`"))?);
            }
            ("row", _) => rows.push(line.strip_prefix("row ").unwrap_or_default().chars().collect()),
            ("mark", rest) => {
                let words: Vec<&str> = rest.split_whitespace().collect();
                let mark = match words.first() {
                    Some(&"placed") => Mark::Placed,
                    Some(&"captured") => Mark::Captured,
                    Some(&"vacated") => Mark::Vacated,
                    Some(&"forbidden") => Mark::Forbidden,
                    Some(&"star") => Mark::Star,
                    Some(&"won") => Mark::Won,
                    _ => return Err(refused("`mark placed`, `captured`, `vacated`, `forbidden`, `star` or `won`")),
                };
                let (row, column) = place(&words[1..]).ok_or_else(|| refused("`mark placed ROW COLUMN`"))?;
                marks.push((row, column, mark));
            }
            ("number", rest) => {
                let words: Vec<&str> = rest.split_whitespace().collect();
                let number = words.first().and_then(|word| word.parse::<u8>().ok());
                let place = words.get(1..).and_then(place);
                numbers.push(place.zip(number).ok_or_else(|| refused("`number 0..255 ROW COLUMN`"))?);
            }
            _ => {
                let words = "`row`, `stones`, `points`, `hexagons`, `origin`, `letters`, `mark` or `number`";
                return Err(refused(words));
            }
        }
    }
    let columns = rows.iter().map(Vec::len).max().unwrap_or(0);
    if columns == 0 {
        return Err("no `row`".to_owned());
    }
    if rows.len() > MAX_BOARD_SIDE || columns > MAX_BOARD_SIDE {
        return Err(format!("{} rows of {columns}; at most {MAX_BOARD_SIDE} of each", rows.len()));
    }
    let cell = |glyph: char| {
        let owner = Side::BOTH.into_iter().find(|side| stones[side.index()] == glyph);
        let weight = glyph.to_digit(10).filter(|_| owner.is_none()).map(|digit| digit as u8);
        let glyph = if glyph.is_control() { '.' } else { glyph };
        Cell { owner, glyph, weight, ..Cell::default() }
    };
    let padded = |row: &Vec<char>| {
        let row = row.clone();
        (0..columns).map(move |at| row.get(at).copied().unwrap_or('.')).collect::<Vec<_>>()
    };
    let cells: Vec<Cell> = rows.iter().flat_map(padded).map(cell).collect();
    let mut view = View { seats, rows: rows.len(), columns, origin, first_letter, grid, cells, gauges: Vec::new() };
    let index = |view: &View, row: usize, column: usize| {
        view.place(row, column).ok_or_else(|| format!("there is no place {row} {column}"))
    };
    for (row, column, mark) in marks {
        let at = index(&view, row, column)?;
        view.cells[at].mark = Some(mark);
    }
    for ((row, column), number) in numbers {
        let at = index(&view, row, column)?;
        view.cells[at].weight = Some(number);
    }
    Ok(view)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn view(text: &str) -> Result<View, String> {
        read(&text.split('/').map(str::to_owned).collect::<Vec<_>>(), ["A", "B"])
    }

    #[test]
    fn rows_of_characters_are_a_board() {
        let view = view("stones XO/row X.5/row .O/mark placed 2 2/number 12 1 2").unwrap();
        assert_eq!((view.rows, view.columns, view.cells.len()), (2, 3, 6));
        let owners: Vec<_> = view.cells.iter().map(|cell| cell.owner).collect();
        assert_eq!(owners, [Some(Side::First), None, None, None, Some(Side::Second), None]);
        assert_eq!((view.cells[4].mark, view.cells[1].weight), (Some(Mark::Placed), Some(12)));
        assert_eq!((view.cells[2].weight, view.cells[5].glyph), (Some(5), '.'));
    }

    #[test]
    fn a_blank_is_no_place() {
        let view = view("stones XO/hexagons/row  .X/row ..").unwrap();
        assert_eq!((view.grid, view.rows, view.columns), (GridStyle::Hexagons, 2, 3));
        assert_eq!(view.holes(), [0]);
        // A row that is too short has empty places at its end.
        assert_eq!((view.cells[5].glyph, view.cells[2].owner), ('.', Some(Side::First)));
    }

    #[test]
    fn nonsense_is_quoted() {
        let check = |text: &str, expected: &str| {
            let error = view(text).unwrap_err();
            assert!(error.contains(expected), "{text}: {error}");
        };
        check("stones XX", "two different characters");
        check("stones XO", "no `row`");
        check("row ../mark placed 3 1", "no place 3 1");
        check("row ../mark eaten 1 1", "`mark placed`");
        check("picture", "`picture`, where `row`");
        check(&["row ."; 61].join("/"), "61 rows of 1");
    }
}
