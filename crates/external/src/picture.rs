//! The board that rules draw, as rows of characters.

use agon_game::{Cell, GraphPlace, GridStyle, Hand, Mark, Side, Stack, View};
use agon_referee::protocol::quote;

use crate::limits::{MAX_BOARD_SIDE, MAX_CARDS, MAX_EDGES, MAX_NAME, MAX_PLACES};
use crate::situation::{side, split};

/// The board of a game that shows none.
pub(crate) fn blank(seats: [&'static str; 2]) -> View {
    View {
        seats,
        rows: 1,
        columns: 1,
        origin: 1,
        cells: vec![Cell { glyph: '.', ..Cell::default() }],
        ..View::default()
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
    let mut drawn =
        Drawn { stones: ['1', '2'], view: View { seats, origin: 1, ..View::default() }, ..Drawn::default() };
    for line in lines {
        drawn.read(line).map_err(|expected| format!("{}, where {expected} is expected", quote(line.as_bytes())))?;
    }
    drawn.finish()
}

/// What has been read of a board.
#[derive(Default)]
struct Drawn {
    view: View,
    /// The characters of the pieces of both sides.
    stones: [char; 2],
    rows: Vec<Vec<char>>,
    /// Characters of the places of a graph.
    points: Vec<char>,
    /// What belongs to places is looked up at the end: a line may name a place that follows it.
    edges: Vec<[String; 2]>,
    marks: Vec<(Mark, String)>,
    numbers: Vec<(u8, String)>,
    stacks: Vec<(Stack, String)>,
}

impl Drawn {
    /// Takes a line.
    ///
    /// # Errors
    /// What was expected.
    fn read(&mut self, line: &str) -> Result<(), String> {
        let (word, rest) = split(line);
        match (word, rest) {
            ("stones", rest) => match rest.chars().collect::<Vec<_>>()[..] {
                [first, second] if first != second => self.stones = [first, second],
                _ => return Err("`stones` and two different characters".to_owned()),
            },
            ("points", _) => self.view.grid = GridStyle::Crossings,
            ("hexagons", _) => self.view.grid = GridStyle::Hexagons,
            ("triangles", "" | "up") => self.view.grid = GridStyle::Triangles { up: true },
            ("triangles", "down") => self.view.grid = GridStyle::Triangles { up: false },
            ("origin", "0") => self.view.origin = 0,
            ("origin", "1") => self.view.origin = 1,
            ("letters", rest) => {
                let letter = rest.chars().next().filter(char::is_ascii_alphabetic);
                self.view.first_letter = Some(letter.ok_or("`letters a`")?);
            }
            ("row", _) => self.rows.push(line.strip_prefix("row ").unwrap_or_default().chars().collect()),
            ("place", rest) => self.place(rest).ok_or_else(|| {
                format!(
                    "`place NAME X Y .`, a name of at most {MAX_NAME} characters, X and Y from 0 to {MAX_BOARD_SIDE},"
                )
            })?,
            ("edge", rest) => match rest.split_whitespace().collect::<Vec<_>>()[..] {
                [from, to] if self.edges.len() < MAX_EDGES => self.edges.push([from, to].map(str::to_owned)),
                _ => return Err(format!("`edge NAME NAME`, at most {MAX_EDGES} times,")),
            },
            ("mark", rest) => {
                let (kind, place) = split(rest);
                let mark = match kind {
                    "placed" => Mark::Placed,
                    "captured" => Mark::Captured,
                    "vacated" => Mark::Vacated,
                    "forbidden" => Mark::Forbidden,
                    "star" => Mark::Star,
                    "won" => Mark::Won,
                    _ => return Err("`mark placed`, `captured`, `vacated`, `forbidden`, `star` or `won`".to_owned()),
                };
                self.marks.push((mark, place.to_owned()));
            }
            ("number", rest) => {
                let (number, place) = split(rest);
                let number = number.parse().map_err(|_| "`number 0..255 ROW COLUMN`")?;
                self.numbers.push((number, place.to_owned()));
            }
            ("stack", rest) => {
                let (pieces, place) = split(rest);
                let owners: Option<Vec<Side>> = pieces.chars().map(|piece| self.owner(piece)).collect();
                let stack = owners.and_then(|owners| Stack::new(&owners));
                let expected = || format!("`stack` with 1 to {} pieces, the undermost first,", Stack::MAX_HEIGHT);
                self.stacks.push((stack.ok_or_else(expected)?, place.to_owned()));
            }
            ("cards", rest) => self.cards(rest).ok_or_else(|| {
                format!(
                    "`cards first`, `second` or `table`, perhaps `:` and a name, and at most {MAX_CARDS} cards of \
                     {MAX_NAME} characters"
                )
            })?,
            _ => {
                return Err("`row`, `place`, `edge`, `cards`, `stack`, `stones`, `points`, `hexagons`, `triangles`, \
                            `origin`, `letters`, `mark` or `number`"
                    .to_owned());
            }
        }
        Ok(())
    }

    fn owner(&self, glyph: char) -> Option<Side> {
        Side::BOTH.into_iter().find(|side| self.stones[side.index()] == glyph)
    }

    /// A point of a graph: `NAME X Y CHARACTER`.
    fn place(&mut self, rest: &str) -> Option<()> {
        let &[name, x, y, glyph] = &rest.split_whitespace().collect::<Vec<_>>()[..] else { return None };
        let axis = |text: &str| text.parse().ok().filter(|at| (0.0..=MAX_BOARD_SIDE as f32).contains(at));
        let mut glyphs = glyph.chars();
        let glyph = glyphs.next().filter(|_| glyphs.next().is_none())?;
        let is_new = self.view.graph.places.iter().all(|place| place.name != name);
        let is_kept = is_short(name) && is_new && self.points.len() < MAX_PLACES;
        let place = GraphPlace { name: name.to_owned(), at: (axis(x)?, axis(y)?) };
        is_kept.then(|| (self.view.graph.places.push(place), self.points.push(glyph)))?;
        self.view.grid = GridStyle::Graph;
        Some(())
    }

    /// A row of cards: `OWNER CARD…` or `OWNER:NAME CARD…`.
    fn cards(&mut self, rest: &str) -> Option<()> {
        let mut words = rest.split_whitespace();
        let (owner, name) = words.next().map(|word| word.split_once(':').unwrap_or((word, "")))?;
        let owner = match owner {
            "table" => None,
            word => Some(side(word)?),
        };
        let cards: Vec<String> = words.map(str::to_owned).collect();
        let all: usize = self.view.hands.iter().map(|hand| hand.cards.len().max(1)).sum();
        let is_kept = (name.is_empty() || is_short(name))
            && cards.iter().all(|card| is_short(card))
            && all + cards.len().max(1) <= MAX_CARDS;
        is_kept.then(|| self.view.hands.push(Hand { owner, name: name.to_owned(), cards }))
    }

    fn cell(&self, glyph: char) -> Cell {
        let owner = self.owner(glyph);
        let weight = glyph.to_digit(10).filter(|_| owner.is_none()).map(|digit| digit as u8);
        let glyph = if glyph.is_control() { '.' } else { glyph };
        Cell { owner, glyph, weight, ..Cell::default() }
    }

    /// The index of a place: its name in a graph, else its row and column.
    fn at(&self, place: &str) -> Result<usize, String> {
        let at = if self.view.grid == GridStyle::Graph {
            self.view.graph.places.iter().position(|known| known.name == place)
        } else {
            place
                .split_once(' ')
                .and_then(|(row, column)| self.view.place(row.parse().ok()?, column.trim().parse().ok()?))
        };
        at.ok_or_else(|| format!("there is no place {}", quote(place.as_bytes())))
    }

    /// The whole board.
    fn finish(mut self) -> Result<View, String> {
        if !self.points.is_empty() {
            if !self.rows.is_empty() {
                return Err("both `row` and `place`: a board is rows, or a graph".to_owned());
            }
            if self.view.grid != GridStyle::Graph {
                return Err("`place` on a board of another kind".to_owned());
            }
            self.rows = vec![std::mem::take(&mut self.points)];
        } else if self.rows.iter().all(Vec::is_empty) {
            return if self.view.hands.is_empty() {
                Err("no `row`, `place` or `cards`".to_owned())
            } else {
                Ok(self.view)
            };
        }
        let columns = self.rows.iter().map(Vec::len).max().unwrap_or(0);
        if self.view.grid != GridStyle::Graph && self.rows.len().max(columns) > MAX_BOARD_SIDE {
            return Err(format!("{} rows of {columns}; at most {MAX_BOARD_SIDE} of each", self.rows.len()));
        }
        (self.view.rows, self.view.columns) = (self.rows.len(), columns);
        let padded = |row: &Vec<char>| {
            let row = row.clone();
            (0..columns).map(move |at| row.get(at).copied().unwrap_or('.')).collect::<Vec<_>>()
        };
        self.view.cells = self.rows.iter().flat_map(padded).map(|glyph| self.cell(glyph)).collect();
        for (mark, place) in &self.marks {
            let at = self.at(place)?;
            self.view.cells[at].mark = Some(*mark);
        }
        for (number, place) in &self.numbers {
            let at = self.at(place)?;
            self.view.cells[at].weight = Some(*number);
        }
        for (stack, place) in &self.stacks {
            let at = self.at(place)?;
            let top = stack.pieces().last();
            let glyph = top.map_or('.', |side| self.stones[side.index()]);
            self.view.cells[at] = Cell { owner: top, glyph, stack: Some(*stack), ..self.view.cells[at] };
        }
        for [from, to] in &self.edges {
            let edge = [self.at(from)?, self.at(to)?];
            self.view.graph.edges.push(edge);
        }
        Ok(self.view)
    }
}

/// True of a name, or a card, that can be drawn.
fn is_short(word: &str) -> bool {
    (1..=MAX_NAME).contains(&word.chars().count()) && !word.chars().any(char::is_control)
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
    fn a_graph_is_points_and_edges() {
        let view = view("stones XO/edge a b/place a 0 0.5 X/place b 2.5 1 ./mark placed a/number 7 b").unwrap();
        assert_eq!((view.grid, view.rows, view.columns), (GridStyle::Graph, 1, 2));
        assert_eq!((view.graph.edges.as_slice(), view.graph.places[1].at), (&[[0, 1]][..], (2.5, 1.0)));
        assert_eq!((view.cells[0].owner, view.cells[0].mark), (Some(Side::First), Some(Mark::Placed)));
        assert_eq!(view.cells[1].weight, Some(7));
    }

    #[test]
    fn triangles_stacks_and_cards() {
        let view = view("stones XO/triangles down/row .X./stack OXO 1 3/cards first 7 K/cards table:prizes ?").unwrap();
        assert_eq!(view.grid, GridStyle::Triangles { up: false });
        assert_eq!((view.cells[2].owner, view.cells[2].stack.unwrap().pieces().len()), (Some(Side::Second), 3));
        let hand = |owner, name: &str, cards: &[&str]| Hand {
            owner,
            name: name.to_owned(),
            cards: cards.iter().map(|&card| card.to_owned()).collect(),
        };
        assert_eq!(view.hands, [hand(Some(Side::First), "", &["7", "K"]), hand(None, "prizes", &["?"])]);
        // A game of cards alone has no places.
        let table = super::tests::view("cards second").unwrap();
        assert_eq!((table.rows, table.columns, table.cells.len(), table.hands.len()), (0, 0, 0, 1));
    }

    #[test]
    fn nonsense_is_quoted() {
        let check = |text: &str, expected: &str| {
            let error = view(text).unwrap_err();
            assert!(error.contains(expected), "{text}: {error}");
        };
        check("stones XX", "two different characters");
        check("stones XO", "no `row`, `place` or `cards`");
        check("row ../mark placed 3 1", "no place `3 1`");
        check("place a 0 0 ./edge a b", "no place `b`");
        check("place a 0 0 ./place a 1 0 .", "`place NAME X Y .`");
        check("place a 0 NaN .", "X and Y from 0 to 60");
        check("place a 0 0 ./row .", "both `row` and `place`");
        check("place a 0 0 ./hexagons", "a board of another kind");
        check("row ./stack XY 1 1", "`stack` with 1 to 32 pieces");
        check("cards third 1", "`cards first`, `second` or `table`");
        check(&format!("cards first{}", " A".repeat(201)), "at most 200 cards");
        check("row ../mark eaten 1 1", "`mark placed`");
        check("picture", "`picture`, where `row`");
        check(&["row ."; 61].join("/"), "61 rows of 1");
    }
}
