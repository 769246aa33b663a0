//! The value of every move, drawn on the board: a number between the two cells that its domino would cover, in the
//! colour of the winner after it.

use std::fmt::Write as _;

use agon_analysis::study::{Study, named, signed};
use agon_arena::picture::{INK, LINES, PAPER, SIDES};
use agon_engines::domineering::MoveBounds;
use agon_game::{Outcome, Position as _, Show as _, Side};
use agon_rules::domineering::cells::{cell, each};
use agon_rules::domineering::{Domineering, Move};
use anstyle::{Ansi256Color, Style};

use crate::show::{FAINT, STRONG, paint};

/// Half points of the margin up to which a colour is the palest, the next, …
const STEPS: [i32; 3] = [3, 8, 16];

/// Backgrounds from the palest to the strongest, by side.
const BACKGROUNDS: [[u8; 4]; 2] = [[153, 111, 68, 25], [224, 217, 174, 124]];

/// Returns the colour of text on a background, black or white.
const fn ink(warmth: usize) -> u8 {
    if warmth == STEPS.len() { 231 } else { 16 }
}

/// The bars of the picture, from the palest to the strongest, by side: its colour mixed with the paper's.
const BARS: [[&str; 4]; 2] = [["#bcd3e6", "#8cb5d8", "#5591c4", SIDES[0]], ["#ecc9c5", "#dd9a92", "#d0695f", SIDES[1]]];

/// Colours of text on them.
const INKS: [&str; 4] = [INK, INK, "#111111", "#ffffff"];

/// Characters between two cells of a row, and those of a column.
const GAP: usize = 7;

/// Drawing of the values of moves.
trait HeatStudy {
    /// The move whose domino has this anchor.
    fn at(&self, anchor: usize) -> Option<&MoveBounds>;

    fn pass(&self) -> Option<&MoveBounds>;

    /// `+1.5`, in brackets if it is the best; `wins`, `loses` or `?` when no more is proved.
    fn label(&self, judged: &MoveBounds) -> String;

    /// The winner after a move, and how clearly it wins, from 0 to 3; `None` for a draw or without a proof.
    fn warmth(&self, judged: &MoveBounds) -> Option<(Side, usize)>;

    fn style(&self, judged: &MoveBounds) -> Style;

    /// Returns a text as wide as the gap.
    fn painted(&self, judged: Option<&MoveBounds>) -> String;

    fn weight(&self, cell: usize) -> String;
}

impl HeatStudy for Study {
    fn at(&self, anchor: usize) -> Option<&MoveBounds> {
        self.analysis.moves.iter().find(|judged| judged.m.anchor() == Some(anchor))
    }

    fn pass(&self) -> Option<&MoveBounds> {
        self.analysis.moves.iter().find(|judged| judged.m == Move::PASS)
    }

    fn label(&self, judged: &MoveBounds) -> String {
        let turn = self.position.turn();
        let text = match (self.gap(judged), self.decided(judged)) {
            (Some(gap), _) => signed(gap),
            (None, Some(Outcome::Win(side))) => (if side == turn { "wins" } else { "loses" }).to_owned(),
            (None, Some(Outcome::Draw)) => "draws".to_owned(),
            (None, None) => "?".to_owned(),
        };
        if self.is_best(judged) { format!("[{text}]") } else { text }
    }

    fn warmth(&self, judged: &MoveBounds) -> Option<(Side, usize)> {
        let side = self.decided(judged)?.winner()?;
        // For an inexact value, the smallest proved margin.
        let margins = [judged.low, judged.high].map(|value| self.margin(value).halves().abs());
        let margin = margins[0].min(margins[1]);
        Some((side, STEPS.iter().filter(|&&step| margin > step).count()))
    }

    fn style(&self, judged: &MoveBounds) -> Style {
        let Some((side, warmth)) = self.warmth(judged) else { return FAINT };
        let style = Ansi256Color(ink(warmth)).on(Ansi256Color(BACKGROUNDS[side.index()][warmth]));
        if self.is_best(judged) { style.bold() } else { style }
    }

    fn painted(&self, judged: Option<&MoveBounds>) -> String {
        judged.map_or_else(
            || " ".repeat(GAP),
            |judged| paint(self.style(judged), format!("{:^GAP$}", self.label(judged))),
        )
    }

    fn weight(&self, cell: usize) -> String {
        let weight = self.position.board().weights()[cell];
        if self.position.empty() >> cell & 1 == 1 { paint(STRONG, format!("{weight:>2}")) } else { paint(FAINT, " #") }
    }
}

/// The board for a terminal, several lines; it reads well without its colours.
pub(super) fn board(study: &Study) -> String {
    let board = study.position.board();
    let lying = study.position.turn() == Side::First;
    // Between two cells of a row there is room for a number only if dominoes are horizontal.
    let apart = if lying { GAP } else { GAP - 2 };
    let mut text = String::from("   ");
    for column in 1..=board.columns() {
        let _ = write!(text, "{}{}", paint(FAINT, format!("{column:>2}")), " ".repeat(apart));
    }
    text = text.trim_end().to_owned() + "\n";
    for row in 0..board.rows() {
        let mut line = paint(FAINT, format!("{:>2} ", row + 1));
        for column in 0..board.columns() {
            let at = cell(row, column);
            line += &study.weight(at);
            if column + 1 < board.columns() {
                line += &if lying { study.painted(study.at(at)) } else { " ".repeat(apart) };
            }
        }
        text += &line;
        text.push('\n');
        if !lying && row + 1 < board.rows() {
            // A number is two columns to the left, so that it is below the weight.
            let numbers = (0..board.columns()).map(|column| study.painted(study.at(cell(row, column))));
            let numbers: String = numbers.collect();
            let _ = writeln!(text, " {}", numbers.trim_end());
        }
    }
    if let Some(pass) = study.pass() {
        let _ = writeln!(text, "{} {}", named(pass.m), study.painted(Some(pass)));
    }
    let turn = Domineering::SEATS[study.position.turn().index()];
    let legend = format!("a number between two cells: the final lead of {turn} after a domino there; [best]");
    text + &paint(FAINT, legend) + "\n"
}

/// The side of a cell in pixels.
const CELL: usize = 72;
/// The border for the coordinates.
const BORDER: usize = 36;
/// Room for the headline above the board, and for the legend below it.
const HEADLINE: usize = 34;
const LEGEND: usize = 58;
/// Radius of the disc around a weight.
const DISC: usize = 13;
/// Width of a bar.
const BAR: usize = 46;

/// The board as an SVG document.
pub(super) fn svg(study: &Study) -> String {
    let board = study.position.board();
    let width = BORDER * 2 + board.columns().max(5) * CELL;
    let height = HEADLINE + BORDER * 2 + board.rows() * CELL + LEGEND;
    let mut svg = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{width}\" height=\"{height}\" \
         viewBox=\"0 0 {width} {height}\" font-family=\"Helvetica, Arial, sans-serif\" text-anchor=\"middle\">\n\
         <rect width=\"{width}\" height=\"{height}\" fill=\"{PAPER}\"/>\n"
    );
    put(&mut svg, (width / 2, 26), 19, "bold", &study.headline());
    for row in 0..board.rows() {
        put(&mut svg, (BORDER / 2, centre(row) + HEADLINE + 5), 14, "normal", &(row + 1).to_string());
    }
    for column in 0..board.columns() {
        put(&mut svg, (centre(column), HEADLINE + BORDER - 10), 14, "normal", &(column + 1).to_string());
    }
    for cell in each(board.cells()) {
        square(&mut svg, study, cell);
    }
    for judged in &study.analysis.moves {
        bar(&mut svg, study, judged);
    }
    legend(&mut svg, study, HEADLINE + BORDER + board.rows() * CELL);
    svg + "</svg>\n"
}

/// The middle of a row or column, the headline not counted.
const fn centre(at: usize) -> usize {
    BORDER + at * CELL + CELL / 2
}

/// The middle of a cell.
const fn middle(cell: usize) -> (usize, usize) {
    let size = agon_rules::domineering::cells::SIZE;
    (centre(cell % size), centre(cell / size) + HEADLINE)
}

fn put(svg: &mut String, (x, y): (usize, usize), size: usize, weight: &str, text: &str) {
    let _ = writeln!(
        svg,
        "<text x=\"{x}\" y=\"{y}\" font-size=\"{size}\" font-weight=\"{weight}\" fill=\"{INK}\">{text}</text>"
    );
}

/// A cell with its weight; a covered one is dark.
fn square(svg: &mut String, study: &Study, cell: usize) {
    let (x, y) = middle(cell);
    let empty = study.position.empty() >> cell & 1 == 1;
    let _ = writeln!(
        svg,
        "<rect x=\"{}\" y=\"{}\" width=\"{CELL}\" height=\"{CELL}\" fill=\"{}\" stroke=\"{LINES}\"/>",
        x - CELL / 2,
        y - CELL / 2,
        if empty { "none" } else { "#cfc9bb" },
    );
    if empty {
        let _ = writeln!(svg, "<circle cx=\"{x}\" cy=\"{y}\" r=\"{DISC}\" fill=\"#fff\" stroke=\"{LINES}\"/>");
    }
    put(svg, (x, y + 5), 14, "normal", &study.position.board().weights()[cell].to_string());
}

/// A domino, from the disc of one cell to that of the other.
fn bar(svg: &mut String, study: &Study, judged: &MoveBounds) {
    let Some(anchor) = judged.m.anchor() else { return };
    let (x, y) = middle(anchor);
    let (long, apart) = (CELL - 2 * DISC - 2, DISC + 1);
    // The corner, the size, and the middle of the text.
    let ((left, top), (wide, high), at) = match study.position.turn() {
        Side::First => ((x + apart, y - BAR / 2), (long, BAR), (x + CELL / 2, y + 5)),
        Side::Second => ((x - BAR / 2, y + apart), (BAR, long), (x, y + CELL / 2 + 5)),
    };
    let best = study.is_best(judged);
    let outline = match (study.warmth(judged), best) {
        (_, true) => format!("stroke=\"{INK}\" stroke-width=\"3\""),
        (Some(_), false) => "stroke=\"none\"".to_owned(),
        (None, false) => format!("stroke=\"{INK}\" stroke-dasharray=\"3 3\""),
    };
    let warmth = study.warmth(judged);
    let colour = warmth.map_or(PAPER, |(side, warmth)| BARS[side.index()][warmth]);
    let _ = writeln!(
        svg,
        "<rect x=\"{left}\" y=\"{top}\" width=\"{wide}\" height=\"{high}\" rx=\"7\" fill=\"{colour}\" {outline}/>"
    );
    let label = study.label(judged);
    let label = label.trim_matches(['[', ']']);
    let ink = warmth.map_or(INK, |(_, warmth)| INKS[warmth]);
    let _ = writeln!(
        svg,
        "<text x=\"{}\" y=\"{}\" font-size=\"14\" font-weight=\"{}\" fill=\"{ink}\">{label}</text>",
        at.0,
        at.1,
        if best { "bold" } else { "normal" },
    );
}

/// Writes the meaning of colours and numbers, and the PASS.
fn legend(svg: &mut String, study: &Study, bottom: usize) {
    let mut x = BORDER;
    for side in Side::BOTH {
        for colour in BARS[side.index()] {
            let y = bottom + 18;
            let _ = writeln!(svg, "<rect x=\"{x}\" y=\"{y}\" width=\"16\" height=\"16\" fill=\"{colour}\"/>");
            x += 16;
        }
        put(svg, (x + 32, bottom + 31), 14, "normal", &format!("{} wins", Domineering::SEATS[side.index()]));
        x += 72;
    }
    if let Some(pass) = study.pass() {
        let label = study.label(pass);
        put(svg, (x + 50, bottom + 31), 14, "normal", &format!("PASS {}", label.trim_matches(['[', ']'])));
    }
    let turn = Domineering::SEATS[study.position.turn().index()];
    let text = format!("numbers: the final lead of {turn}; outlined: best");
    let _ = writeln!(
        svg,
        "<text x=\"{BORDER}\" y=\"{}\" font-size=\"13\" text-anchor=\"start\" fill=\"{INK}\">{text}</text>",
        bottom + 58
    );
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::contrast::{READABLE, ansi, ratio};

    #[test]
    fn what_is_written_on_a_colour_can_be_read() {
        for side in Side::BOTH {
            for warmth in 0..=STEPS.len() {
                let background = BACKGROUNDS[side.index()][warmth];
                let on_terminal = ratio(&ansi(ink(warmth)), &ansi(background));
                assert!(on_terminal >= READABLE, "{background}: {on_terminal}");
                let (bar, ink) = (BARS[side.index()][warmth], INKS[warmth]);
                assert!(ratio(ink, bar) >= READABLE, "{ink} on {bar}: {:.2}", ratio(ink, bar));
            }
        }
    }
}
