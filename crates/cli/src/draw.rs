//! Draws a position as text: the board and its gauges, with colours on a terminal.

use std::fmt::Write as _;

use agon_game::{Cell, GameScore, Gauge, GridStyle, Mark, Side, View};
use anstyle::{AnsiColor, Color, Style};

use crate::show::{self, paint};

/// Width of a gauge's bar in characters.
const BAR: usize = 30;

/// The board and its gauges, several lines, each ending in a newline. Colours are in it; plain text also reads well
/// without them: the last move is in brackets, what it captured in parentheses, a forbidden point is a cross. A piece with a
/// number stands before it, and a `+` after it says that it came to this square, a `*` that it was hurt.
///
/// Rows and columns are numbered as in the judge's MOVE; a board of crossings has its own coordinates at the other
/// two edges.
pub fn board(view: &View) -> String {
    let mut text = String::new();
    let gutter = view.rows.to_string().len() + 1;
    let header = |label: &dyn Fn(usize) -> String| {
        let labels: Vec<String> = (0..view.columns).map(|column| format!("{:^3}", label(column))).collect();
        let labels = labels.concat();
        format!("{:gutter$} {}\n", "", paint(show::FAINT, labels.trim_end()))
    };
    text += &header(&|column| (column + view.origin).to_string());
    for row in 0..view.rows {
        let _ = write!(text, "{} ", paint(show::FAINT, format!("{:>gutter$}", row + view.origin)));
        for cell in &view.cells[row * view.columns..][..view.columns] {
            text += &place(cell, view.grid);
        }
        if view.grid == GridStyle::Crossings {
            let _ = write!(text, " {}", paint(show::FAINT, view.rows - row));
        }
        text.push('\n');
    }
    if view.grid == GridStyle::Crossings {
        text += &header(&|column| letter(column).to_string());
    }
    let name = view.gauges.iter().map(|gauge| gauge.name.len()).max().unwrap_or(0);
    let shapes = shapes(view);
    for gauge in &view.gauges {
        text += &bar(gauge, view.seats, &shapes, name);
    }
    text
}

/// What a side's pieces are drawn as, a space before it, where they bear numbers: nothing else then says whose they are
/// without colours.
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

/// The letter of a column of crossings.
pub const fn letter(column: usize) -> char {
    (b'A' + (column % 26) as u8) as char
}

/// A cell in three characters.
fn place(cell: &Cell, grid: GridStyle) -> String {
    let style = match (cell.owner, cell.mark) {
        (_, Some(Mark::Forbidden)) => show::ERROR,
        (Some(side), _) => show::side(side),
        (None, _) => show::FAINT,
    };
    let background = match cell.mark {
        Some(Mark::Placed) => Some(AnsiColor::Blue),
        Some(Mark::Captured) => Some(AnsiColor::BrightBlack),
        Some(Mark::Burst) => Some(AnsiColor::Red),
        _ => None,
    };
    let style = background.map_or(style, |colour| style.bg_color(Some(Color::Ansi(colour))));
    let glyph = match cell.mark {
        Some(Mark::Forbidden) => 'x',
        Some(Mark::Star) => '+',
        _ => cell.glyph,
    };
    let text = match (cell.joins, cell.mark) {
        // Half a domino, open towards its other half.
        (Some(step), _) => half(step, cell.weight, glyph),
        (None, mark) if grid == GridStyle::Squares && cell.owner.is_some() && cell.weight.is_some() => {
            numbered(glyph, cell.weight.unwrap_or_default(), mark)
        }
        (None, Some(Mark::Placed)) => format!("[{glyph}]"),
        (None, Some(Mark::Captured)) => format!("({glyph})"),
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
    use agon_game::{Alternating, Contest};
    use agon_rules::catalog::{Game, Setup};

    use super::*;

    fn plain(contest: &dyn Contest) -> String {
        anstream::adapter::strip_str(&board(&contest.view())).to_string()
    }

    fn after(game: Game, setup: &Setup, moves: &[&str]) -> String {
        let mut contest = game.contest(setup).unwrap();
        for m in moves {
            contest.answer(m).unwrap();
        }
        plain(contest.as_ref())
    }

    #[test]
    fn bacteria_shows_what_the_last_move_did() {
        insta::assert_snapshot!(after(Game::Bacteria, &Setup::default(), &["1 1 3 3", "1 7 3 5", "3 3 3 4"]));
    }

    #[test]
    fn domineering_shows_weights_and_dominoes() {
        let setup = Setup { seed: 1, parameters: [("board".to_owned(), "1 2 3/0 1 2/3 3 12".to_owned())].into() };
        insta::assert_snapshot!(after(Game::Domineering, &setup, &["1 1", "2 3"]));
    }

    #[test]
    fn a_dish_counts_from_zero_as_its_programs_do() {
        let dish = after(Game::Petri, &Setup::default(), &[]);
        let mut lines = dish.lines();
        assert_eq!(lines.next().map(str::trim), Some("0  1  2  3  4  5  6  7  8  9"));
        assert!(lines.next().is_some_and(|line| line.trim_start().starts_with("0 ")), "{dish}");
    }

    #[test]
    fn the_colonies_of_a_dish_are_told_apart_without_colours() {
        let mut dish = Game::Petri.contest(&Setup::default()).unwrap();
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
