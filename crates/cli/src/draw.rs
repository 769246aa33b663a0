//! A board on a terminal, or in plain text.

use std::fmt::Write as _;

use agon_game::{Cell, Gauge, Grid, Mark, Score, Side, View};
use anstyle::{AnsiColor, Color};

use crate::show::{self, paint};

/// Width of a gauge's bar in characters.
const BAR: usize = 30;

/// The board and its gauges, several lines, each ending in a newline. Colours are in it; plain text also reads well
/// without them: the last move is in brackets, what it captured in parentheses.
pub fn board(view: &View) -> String {
    let mut text = String::new();
    let gutter = view.rows.to_string().len() + 1;
    let _ = write!(text, "{:gutter$} ", "");
    for column in 0..view.columns {
        let label = match view.grid {
            Grid::Squares => (column + 1).to_string(),
            Grid::Crossings => char::from(b'A' + (column % 26) as u8).to_string(),
        };
        let _ = write!(text, "{}", paint(show::FAINT, format!("{label:^3}")));
    }
    text.push('\n');
    for row in 0..view.rows {
        let _ = write!(text, "{} ", paint(show::FAINT, format!("{:>gutter$}", row + 1)));
        for cell in &view.cells[row * view.columns..][..view.columns] {
            text += &square(cell);
        }
        text.push('\n');
    }
    for gauge in &view.gauges {
        text += &bar(gauge, view.seats);
    }
    text
}

/// Three characters.
fn square(cell: &Cell) -> String {
    let (left, right) = match cell.mark {
        Some(Mark::Placed) => ('[', ']'),
        Some(Mark::Captured) => ('(', ')'),
        _ => (' ', ' '),
    };
    let style = match cell.owner {
        Some(side) => show::side(side),
        None => show::FAINT,
    };
    let background = match cell.mark {
        Some(Mark::Placed) => Some(Color::Ansi(AnsiColor::Blue)),
        Some(Mark::Captured) => Some(Color::Ansi(AnsiColor::BrightBlack)),
        _ => None,
    };
    let style = background.map_or(style, |colour| style.bg_color(Some(colour)));
    paint(style, format!("{left}{}{right}", cell.glyph))
}

/// `cells  O 23 ████████░░░░ 17 X`
fn bar(gauge: &Gauge, seats: [&str; 2]) -> String {
    let [first, second] = gauge.amounts.map(Score::halves);
    let total = first + second;
    let filled = if total > 0 { (first as usize * BAR + total as usize / 2) / total as usize } else { BAR / 2 };
    let [a, b] = Side::BOTH.map(show::side);
    let ends = [0, 1].map(|at| (seats[at], gauge.amounts[at]));
    format!(
        "{} {} {}{} {}\n",
        gauge.name,
        paint(a, format!("{} {:>4}", ends[0].0, ends[0].1)),
        paint(a, "█".repeat(filled)),
        paint(b, "░".repeat(BAR - filled)),
        paint(b, format!("{:<4} {}", ends[1].1, ends[1].0)),
    )
}
