//! Draws a position as text: the board and its gauges, with colours on a terminal.

use std::fmt::Write as _;
use std::io::IsTerminal as _;
use std::ops::Range;

use agon_game::{Cell, GameScore, GameState, Gauge, GridStyle, Hand, Mark, Side, View};
use anstyle::{Ansi256Color, Style};

use crate::show::{self, paint};

/// Width of a gauge's bar in characters.
const BAR: usize = 30;

/// Returns the position in the game's own notation, with a hint for reading it.
pub(crate) fn position(state: &dyn GameState) -> String {
    let note = state.position_note().map_or_else(String::new, |note| paint(show::FAINT, format!("   {note}")));
    state.position() + &note
}

/// Draws the board and its gauges on several lines, each ending in a newline. It uses colours, but plain text is
/// readable without them: the last move is in brackets, captures are in parentheses, a forbidden point is a cross. A
/// piece precedes its number, and a `+` after it marks one that came to this square, a `*` one that was hurt.
///
/// Rows and columns are numbered as in the judge's MOVE; the other two edges show people's coordinates, if the game has
/// them.
pub(crate) fn board(view: &View) -> String {
    part(view, 0..view.rows, 0..view.columns)
}

/// The board, or, if it does not fit into `lines` and `width`, the part around the last move, with a line that says so.
pub(crate) fn board_within(view: &View, (lines, width): (usize, usize)) -> String {
    if view.grid == GridStyle::Graph || view.cells.is_empty() {
        return board(view);
    }
    let lettered = view.first_letter.is_some();
    let rows = lines.saturating_sub(1 + usize::from(lettered) + view.gauges.len() + view.hands.len());
    let columns = width.saturating_sub(gutter(view) + 1 + if lettered { 3 } else { 0 }) / 3;
    if rows >= view.rows && columns >= view.columns {
        return board(view);
    }
    let acted = |cell: &Cell| matches!(cell.mark, Some(Mark::Placed | Mark::Captured | Mark::Vacated | Mark::Burst));
    let last = view.cells.iter().position(acted).unwrap_or(0);
    // The words take one line.
    let shown = [rows.saturating_sub(1).clamp(1, view.rows), columns.clamp(1, view.columns)];
    let [rows, columns] = [(last / view.columns, view.rows, shown[0]), (last % view.columns, view.columns, shown[1])]
        .map(|(at, all, shown)| {
            let first = at.saturating_sub(shown / 2).min(all - shown);
            first..first + shown
        });
    let named = |name: &str, range: &Range<usize>, all: usize| {
        let [first, last] = [range.start, range.end - 1].map(|at| at + view.origin);
        format!("{name} {first}–{last} of {all}")
    };
    let words = format!(
        "{}, {}: too large for this terminal",
        named("rows", &rows, view.rows),
        named("columns", &columns, view.columns)
    );
    let words: String = words.chars().take(width).collect();
    part(view, rows, columns) + &format!("{}\n", paint(show::FAINT, words))
}

/// Returns the lines and columns of the terminal left beside `lines` lines of text; unlimited without a terminal.
pub(crate) fn room(lines: usize) -> (usize, usize) {
    let size = if std::io::stdout().is_terminal() { crossterm::terminal::size().ok() } else { None };
    // The line after the last holds the cursor. A terminal that reports no size is unlimited.
    let size = size.filter(|&(columns, rows)| columns > 0 && rows > 0);
    size.map_or((usize::MAX, usize::MAX), |(columns, rows)| {
        (usize::from(rows).saturating_sub(lines + 1), usize::from(columns))
    })
}

/// Characters of the numbers of rows.
fn gutter(view: &View) -> usize {
    view.rows.to_string().len() + 1
}

/// These rows and columns of the board, and its gauges.
fn part(view: &View, rows: Range<usize>, columns: Range<usize>) -> String {
    let mut text = match view.grid {
        GridStyle::Graph => graph(view),
        _ if view.cells.is_empty() => String::new(),
        _ => places(view, rows, columns),
    };
    text.extend(view.hands.iter().map(|cards| hand(cards, view.seats)));
    let name = view.gauges.iter().map(|gauge| gauge.name.len()).max().unwrap_or(0);
    let shapes = shapes(view);
    for gauge in &view.gauges {
        text += &bar(gauge, view.seats, &shapes, name);
    }
    text
}

/// The name of a row of cards, and the cards.
fn hand(hand: &Hand, seats: [&str; 2]) -> String {
    let label = hand.label(seats);
    let colon = if label.is_empty() { "" } else { ": " };
    let style = hand.owner.map_or(show::FAINT, show::side);
    let cards = if hand.cards.is_empty() { "none".to_owned() } else { hand.cards.join(" ") };
    format!("{}{cards}\n", paint(style, format!("{label}{colon}")))
}

/// Characters and lines for the width of a square, between the points of a graph.
const GRAPH_SCALE: (f32, f32) = (6.0, 2.0);

/// The points of a graph where they are, each as its name and what stands there.
fn graph(view: &View) -> String {
    let mut lines: Vec<Vec<(usize, String, usize)>> = Vec::new();
    let [left, top, ..] = view.extent();
    for (at, point) in view.graph.places.iter().enumerate() {
        let (x, y) = view.middle(at);
        let column = ((x - left - 0.5) * GRAPH_SCALE.0) as usize;
        let line = ((y - top - 0.5) * GRAPH_SCALE.1) as usize;
        lines.resize(lines.len().max(line + 1), Vec::new());
        let cell = &view.cells[at];
        let is_named =
            cell.owner.is_some() || cell.weight.is_some() || cell.lettering().is_some() || cell.mark.is_some();
        let (piece, width) = if is_named { (place(cell, view.grid), 3) } else { (String::new(), 0) };
        let text = format!("{}{piece}", paint(show::FAINT, &point.name));
        lines[line].push((column, text, point.name.chars().count() + width));
    }
    let mut text = String::new();
    for mut line in lines.into_iter().skip_while(Vec::is_empty) {
        line.sort_by_key(|point| point.0);
        let mut written = 0;
        for (column, point, width) in line {
            let gap = column.saturating_sub(written).max(usize::from(written > 0));
            let _ = write!(text, "{:gap$}{point}", "");
            written += gap + width;
        }
        text.push('\n');
    }
    text
}

/// These rows and columns of a board of rows.
fn places(view: &View, rows: Range<usize>, columns: Range<usize>) -> String {
    let mut text = String::new();
    let gutter = gutter(view);
    // A row of hexagons lies half a place further right than the one above.
    let indent = |row: usize| if view.grid == GridStyle::Hexagons { row * 3 / 2 } else { 0 };
    let (top, last) = (rows.start, rows.end.saturating_sub(1));
    let header = |row: usize, label: &dyn Fn(usize) -> String| {
        let labels: Vec<String> = columns.clone().map(|column| format!("{:^3}", label(column))).collect();
        let labels = labels.concat();
        let width = gutter + indent(row - top);
        format!("{:width$} {}\n", "", paint(show::FAINT, labels.trim_end()))
    };
    text += &header(top, &|column| (column + view.origin).to_string());
    for row in rows {
        let width = gutter + indent(row - top);
        let _ = write!(text, "{} ", paint(show::FAINT, format!("{:>width$}", row + view.origin)));
        for column in columns.clone() {
            let at = row * view.columns + column;
            let mut cell = view.cells[at];
            if let (GridStyle::Triangles { up }, '.') = (view.grid, cell.glyph) {
                cell.glyph = if (row + column).is_multiple_of(2) == up { '△' } else { '▽' };
            }
            text += &place(&cell, view.grid);
        }
        if view.first_letter.is_some() {
            let _ = write!(text, " {}", paint(show::FAINT, view.rows - row));
        }
        text.push('\n');
    }
    if view.first_letter.is_some() {
        text += &header(last.max(top), &|column| view.letter(column).map(String::from).unwrap_or_default());
    }
    text
}

/// Returns the symbols of the sides' pieces, with a space before them, if pieces have numbers: without colours, nothing
/// else shows their owner.
fn shapes(view: &View) -> [String; 2] {
    let pieces = || view.cells.iter().filter(|cell| cell.weight.is_some() && cell.joins.is_none());
    if view.grid == GridStyle::Crossings || pieces().all(|cell| cell.owner.is_none()) {
        return [String::new(), String::new()];
    }
    Side::BOTH.map(|side| match pieces().find(|cell| cell.owner == Some(side)) {
        Some(cell) => format!(" {}", cell.glyph),
        None => "  ".to_owned(),
    })
}

/// Returns the background for the effects of the last move, from the terminal colours that are the same everywhere.
const fn background(mark: Option<Mark>) -> Option<u8> {
    match mark {
        Some(Mark::Placed) => Some(226),
        Some(Mark::Captured) => Some(252),
        Some(Mark::Burst) => Some(217),
        Some(Mark::Won) => Some(230),
        _ => None,
    }
}

/// The inks on such a background: of each side, and of neither.
const INKS: [u8; 3] = [18, 90, 16];

/// Returns the style of a cell on a background, in dark colours that are readable on it, whatever the terminal's own
/// are.
fn marked(owner: Option<Side>, background: u8) -> Style {
    let ink = match owner {
        Some(Side::First) => INKS[0],
        Some(Side::Second) => INKS[1],
        None => INKS[2],
    };
    Ansi256Color(ink).on(Ansi256Color(background)).bold()
}

/// A cell in three characters.
fn place(cell: &Cell, grid: GridStyle) -> String {
    let style = match (cell.owner, cell.mark) {
        (_, Some(Mark::Forbidden)) => show::ERROR,
        (Some(side), _) => show::side(side),
        (None, _) => show::FAINT,
    };
    let style = background(cell.mark).map_or(style, |background| marked(cell.owner, background));
    let glyph = match cell.mark {
        Some(Mark::Forbidden) => 'x',
        Some(Mark::Star) => '+',
        _ => cell.glyph,
    };
    let text = match (cell.joins, cell.mark) {
        (_, mark) if cell.stack.is_some() => {
            let height = cell.stack.map_or(0, |stack| stack.pieces().len());
            numbered(glyph, u8::try_from(height).unwrap_or(u8::MAX), mark)
        }
        // Half a domino, open towards its other half.
        (Some(step), _) => half(step, cell.weight, glyph),
        (None, mark) if grid != GridStyle::Crossings && cell.owner.is_some() && cell.weight.is_some() => {
            numbered(glyph, cell.weight.unwrap_or_default(), mark)
        }
        (None, Some(Mark::Placed)) => format!("[{glyph}]"),
        (None, Some(Mark::Captured | Mark::Won)) => format!("({glyph})"),
        (None, Some(Mark::Burst)) => format!("*{glyph}*"),
        // The number of the move that put a stone there.
        (None, _) if grid == GridStyle::Crossings && cell.owner.is_some() && cell.weight.is_some() => {
            format!("{:>2} ", cell.weight.unwrap_or_default())
        }
        (None, _) if grid == GridStyle::Crossings && cell.owner.is_some() => return stone(style, glyph),
        (None, _) => match cell.weight {
            Some(weight) if weight > 9 => format!("{weight:>2} "),
            _ => format!(" {glyph} "),
        },
    };
    paint(style, text)
}

fn stone(style: Style, glyph: char) -> String {
    format!(" {} ", paint(style, glyph))
}

/// A piece and its number, one digit in base 36, in three characters.
fn numbered(glyph: char, number: u8, mark: Option<Mark>) -> String {
    let digit = char::from_digit(number.into(), 36).unwrap_or('?').to_ascii_uppercase();
    let sign = match mark {
        Some(Mark::Placed) => '+',
        Some(Mark::Burst) => '*',
        _ => ' ',
    };
    format!("{glyph}{digit}{sign}")
}

/// Half of a domino in three characters, its weight in the middle.
fn half(step: (i8, i8), weight: Option<u8>, glyph: char) -> String {
    let middle = match weight {
        Some(weight @ 0..10) => char::from(b'0' + weight),
        _ => glyph,
    };
    let (left, right) = match step {
        (0, 1) => ('[', '-'),
        (0, _) => ('-', ']'),
        (1, _) => ('/', '\\'),
        _ => ('\\', '/'),
    };
    format!("{left}{middle}{right}")
}

/// `cells  O   23 ████████░░░░ 17   X`
fn bar(gauge: &Gauge, seats: [&str; 2], shapes: &[String; 2], name: usize) -> String {
    let [first, second] = gauge.amounts.map(GameScore::halves);
    let total = first + second;
    let filled = if total > 0 { (first as usize * BAR + total as usize / 2) / total as usize } else { BAR / 2 };
    let [a, b] = Side::BOTH.map(show::side);
    let filled = filled.min(BAR);
    format!(
        "{:<name$} {} {}{} {}\n",
        gauge.name,
        paint(a, format!("{}{} {:>4}", seats[0], shapes[0], gauge.amounts[0])),
        paint(a, "█".repeat(filled)),
        paint(b, "░".repeat(BAR - filled)),
        paint(b, format!("{:<4} {}{}", gauge.amounts[1], seats[1], shapes[1])),
    )
}

#[cfg(test)]
mod tests {
    use agon_catalog::{Game, Setup};
    use agon_game::{Alternating, GameState};

    use super::*;
    use crate::contrast;

    fn plain(state: &dyn GameState) -> String {
        anstream::adapter::strip_str(&board(&state.view())).to_string()
    }

    fn after(game: Game, setup: &Setup, moves: &[&str]) -> String {
        let mut state = game.initial_state(setup).unwrap();
        for m in moves {
            state.answer(m).unwrap();
        }
        plain(state.as_ref())
    }

    #[test]
    fn bacteria_shows_what_the_last_move_did() {
        insta::assert_snapshot!(after(Game::BACTERIA, &Setup::default(), &["1 1 3 3", "1 7 3 5", "3 3 3 4"]));
    }

    #[test]
    fn domineering_shows_weights_and_dominoes() {
        let setup = Setup { seed: 1, parameters: [("board".to_owned(), "1 2 3/0 1 2/3 3 12".to_owned())].into() };
        insta::assert_snapshot!(after(Game::DOMINEERING, &setup, &["1 1", "2 3"]));
    }

    #[test]
    fn graphs_stacks_and_cards_are_written() {
        let cell = |owner, glyph| Cell { owner, glyph, ..Cell::default() };
        let point = |name: &str, at| agon_game::GraphPlace { name: name.to_owned(), at };
        let mut view = View {
            seats: ["Red", "Blue"],
            rows: 1,
            columns: 3,
            grid: GridStyle::Graph,
            cells: vec![cell(Some(Side::First), 'X'), cell(None, '.'), cell(None, '.')],
            ..View::default()
        };
        view.graph.places = vec![point("a", (0.0, 0.0)), point("b", (2.0, 0.0)), point("c", (1.0, 1.0))];
        view.cells[0].mark = Some(Mark::Placed);
        let cards = |owner, name: &str, cards: &[&str]| Hand {
            owner,
            name: name.to_owned(),
            cards: cards.iter().map(|&card| card.to_owned()).collect(),
        };
        view.hands = vec![cards(Some(Side::Second), "bids", &["7", "?"]), cards(None, "", &["K"])];
        let written = anstream::adapter::strip_str(&board(&view)).to_string();
        assert_eq!(written, "a[X]        b\n\n      c\nBlue: bids: 7 ?\nK\n");
        let stack = agon_game::Stack::new(&[Side::First, Side::Second]);
        let table = View { seats: view.seats, hands: std::mem::take(&mut view.hands), ..View::default() };
        assert_eq!(anstream::adapter::strip_str(&board_within(&table, (4, 20))).to_string(), "Blue: bids: 7 ?\nK\n");
        let stacked = View {
            rows: 1,
            columns: 2,
            grid: GridStyle::Triangles { up: true },
            cells: vec![Cell { owner: Some(Side::Second), glyph: 'O', stack, ..Cell::default() }, cell(None, '.')],
            ..View::default()
        };
        assert_eq!(anstream::adapter::strip_str(&board(&stacked)).to_string().lines().nth(1), Some(" 0 O2  ▽ "));
    }

    #[test]
    fn what_is_marked_can_be_read() {
        for mark in [Mark::Placed, Mark::Captured, Mark::Burst, Mark::Won] {
            let background = contrast::ansi(background(Some(mark)).unwrap());
            for ink in INKS {
                let ratio = contrast::ratio(&contrast::ansi(ink), &background);
                assert!(ratio >= contrast::READABLE, "{ink} on {mark:?}: {ratio}");
            }
        }
    }

    #[test]
    fn a_board_larger_than_its_terminal_is_shown_around_the_last_move() {
        let setup = |size: &str| Setup {
            seed: 1,
            parameters: [("width", size), ("height", size)]
                .map(|(name, value)| (name.to_owned(), value.to_owned()))
                .into(),
        };
        let dish = Game::PETRI.initial_state(&setup("200")).unwrap();
        let mut view = dish.view();
        let check = |view: &View, size: (usize, usize), words: &str| {
            let text = anstream::adapter::strip_str(&board_within(view, size)).to_string();
            assert!(text.lines().count() <= size.0, "{text}");
            assert!(text.lines().all(|line| line.chars().count() <= size.1), "{text}");
            assert!(text.contains(words), "{text}");
        };
        check(&view, (20, 80), "rows 0–15 of 200, columns 0–24 of 200: too large for this terminal");
        view.cells[100 * 200 + 199].mark = Some(Mark::Placed);
        check(&view, (20, 80), "rows 92–107 of 200, columns 175–199 of 200");
        let renju = Game::RENJU.initial_state(&Setup::default()).unwrap().view();
        check(&renju, (10, 60), "rows 1–7 of 15, columns 1–15 of 15");
        assert_eq!(board_within(&renju, (17, 60)), board(&renju));
        // A terminal without room for anything still gets one place.
        let tiny = anstream::adapter::strip_str(&board_within(&renju, (1, 1))).to_string();
        assert!(tiny.contains("  1  .  15\n"), "{tiny}");
    }

    #[test]
    fn a_dish_counts_from_zero_as_its_programs_do() {
        let dish = after(Game::PETRI, &Setup::default(), &[]);
        let mut lines = dish.lines();
        assert_eq!(lines.next().map(str::trim), Some("0  1  2  3  4  5  6  7  8  9"));
        assert!(lines.next().is_some_and(|line| line.trim_start().starts_with("0 ")), "{dish}");
    }

    #[test]
    fn colonies_can_be_distinguished_without_colours() {
        let mut dish = Game::PETRI.initial_state(&Setup::default()).unwrap();
        dish.begin(Side::First, b"2 10 0").unwrap();
        dish.begin(Side::Second, b"10 2 0").unwrap();
        for answer in ["DIVIDE E", "REST", "MOVE NW", "EXPLODE"] {
            dish.answer(answer).unwrap();
        }
        insta::assert_snapshot!(plain(dish.as_ref()));
    }

    #[test]
    fn renju_shows_forbidden_points() {
        let cross: agon_rules::renju::Renju =
            "15/15/15/15/15/15/7B7/6B1B6/7B7/15/15/15/15/2WW2WW7/15 B".parse().unwrap();
        insta::assert_snapshot!(plain(&Alternating::new(cross)));
    }
}
