//! A board as a picture: SVG, without any program to draw it.

use std::fmt::Write as _;

use agon_game::{Cell, GridStyle, Mark, Side, View};

use crate::draw::letter;

/// The side of a cell in pixels.
const CELL: usize = 40;
/// The border for the coordinates.
const BORDER: usize = 30;
/// The least width of a picture with gauges, which their labels need.
const GAUGES: usize = 260;

pub const PAPER: &str = "#fbfaf7";
/// A board of crossings.
const WOOD: &str = "#e6c78c";
pub const INK: &str = "#3a3a3a";
pub const LINES: &str = "#b9b4a7";
pub const SIDES: [&str; 2] = ["#1f6fb2", "#c4473a"];
/// Stones of a game whose sides are called by their colours.
const STONES: [&str; 2] = ["#222222", "#ffffff"];

/// The board as an SVG document.
pub fn svg(view: &View) -> String {
    let width = (BORDER * 2 + view.columns * CELL).max(if view.gauges.is_empty() { 0 } else { GAUGES });
    let bottom = BORDER * 2 + view.rows * CELL;
    let height = bottom + view.gauges.len() * 26;
    let mut svg = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{width}\" height=\"{height}\" \
         viewBox=\"0 0 {width} {height}\" font-family=\"Helvetica, Arial, sans-serif\" text-anchor=\"middle\">\n\
         <rect width=\"{width}\" height=\"{height}\" fill=\"{}\"/>\n",
        if view.grid == GridStyle::Crossings { WOOD } else { PAPER },
    );
    grid(&mut svg, view);
    for (at, cell) in view.cells.iter().enumerate() {
        place(&mut svg, view, cell, (at / view.columns, at % view.columns));
    }
    for (at, gauge) in view.gauges.iter().enumerate() {
        let y = bottom - 6 + at * 26;
        let [first, second] = gauge.amounts.map(|amount| f64::from(amount.halves()));
        let all = (width - 2 * BORDER) as f64;
        let share = if first + second > 0.0 { first / (first + second) } else { 0.5 };
        let _ = writeln!(
            svg,
            "<rect x=\"{BORDER}\" y=\"{y}\" width=\"{all}\" height=\"18\" rx=\"4\" fill=\"{}\"/>\
             <rect x=\"{BORDER}\" y=\"{y}\" width=\"{:.1}\" height=\"18\" rx=\"4\" fill=\"{}\"/>",
            SIDES[1],
            all * share,
            SIDES[0],
        );
        let labels = [(BORDER + 6, "start", 0), (width - BORDER - 6, "end", 1)];
        for (x, anchor, side) in labels {
            let (seat, amount) = (view.seats[side], gauge.amounts[side]);
            let _ = writeln!(
                svg,
                "<text x=\"{x}\" y=\"{}\" text-anchor=\"{anchor}\" font-size=\"13\" fill=\"#fff\">{seat}: {amount} {}</text>",
                y + 13,
                gauge.name
            );
        }
    }
    svg + "</svg>\n"
}

/// Lines and coordinates.
fn grid(svg: &mut String, view: &View) {
    let (right, bottom) = (BORDER + view.columns * CELL, BORDER + view.rows * CELL);
    let mut line = |x1: usize, y1: usize, x2: usize, y2: usize, colour: &str| {
        let _ = writeln!(svg, "<line x1=\"{x1}\" y1=\"{y1}\" x2=\"{x2}\" y2=\"{y2}\" stroke=\"{colour}\"/>");
    };
    match view.grid {
        GridStyle::Squares => {
            (0..=view.rows).for_each(|row| line(BORDER, BORDER + row * CELL, right, BORDER + row * CELL, LINES));
            (0..=view.columns).for_each(|at| line(BORDER + at * CELL, BORDER, BORDER + at * CELL, bottom, LINES));
        }
        GridStyle::Crossings => {
            let half = CELL / 2;
            let at = |n: usize| BORDER + n * CELL + half;
            (0..view.rows).for_each(|row| line(at(0), at(row), right - half, at(row), "#6b5a34"));
            (0..view.columns).for_each(|column| line(at(column), at(0), at(column), bottom - half, "#6b5a34"));
        }
    }
    let mut label = |x: usize, y: usize, text: String| {
        let _ = writeln!(svg, "<text x=\"{x}\" y=\"{y}\" font-size=\"12\" fill=\"{INK}\">{text}</text>");
    };
    for row in 0..view.rows {
        let y = BORDER + row * CELL + CELL / 2 + 4;
        label(BORDER / 2, y, (row + view.origin).to_string());
        if view.grid == GridStyle::Crossings {
            label(right + BORDER / 2, y, (view.rows - row).to_string());
        }
    }
    for column in 0..view.columns {
        let x = BORDER + column * CELL + CELL / 2;
        label(x, BORDER - 10, (column + view.origin).to_string());
        if view.grid == GridStyle::Crossings {
            label(x, bottom + 18, letter(column).to_string());
        }
    }
}

/// One place of the board.
fn place(svg: &mut String, view: &View, cell: &Cell, (row, column): (usize, usize)) {
    let (left, top) = (BORDER + column * CELL, BORDER + row * CELL);
    let (x, y) = (left + CELL / 2, top + CELL / 2);
    let mut put = |element: String| {
        svg.push_str(&element);
        svg.push('\n');
    };
    // A domino fills its cells, so its outline marks it instead.
    if view.grid == GridStyle::Squares && cell.joins.is_none() {
        let tint = match cell.mark {
            Some(Mark::Placed) => Some("#ffe28a"),
            Some(Mark::Captured) => Some("#fff3cd"),
            Some(Mark::Vacated) => Some("#eeeae0"),
            Some(Mark::Burst) => Some("#ffb3a8"),
            Some(Mark::Corpse) => Some("#ddd8cc"),
            _ => None,
        };
        if let Some(tint) = tint {
            let side = CELL - 2;
            put(format!(
                "<rect x=\"{}\" y=\"{}\" width=\"{side}\" height=\"{side}\" fill=\"{tint}\"/>",
                left + 1,
                top + 1
            ));
        }
    }
    match (cell.owner, cell.joins) {
        // A domino is drawn once, from the half that is above or to the left.
        (Some(side), Some((down, right))) => {
            if down > 0 || right > 0 {
                let (w, h) = (CELL * (1 + usize::from(right > 0)) - 8, CELL * (1 + usize::from(down > 0)) - 8);
                let stroke = if cell.mark == Some(Mark::Placed) { INK } else { "none" };
                put(format!(
                    "<rect x=\"{}\" y=\"{}\" width=\"{w}\" height=\"{h}\" rx=\"7\" fill=\"{}\" stroke=\"{stroke}\" stroke-width=\"3\"/>",
                    left + 4,
                    top + 4,
                    SIDES[side.index()]
                ));
            }
        }
        (Some(side), None) => {
            let crossing = view.grid == GridStyle::Crossings;
            let fill = if crossing { STONES[side.index()] } else { SIDES[side.index()] };
            put(format!(
                "<circle cx=\"{x}\" cy=\"{y}\" r=\"{}\" fill=\"{fill}\" stroke=\"{INK}\" stroke-width=\"{}\"/>",
                CELL * 2 / 5,
                usize::from(crossing)
            ));
            if crossing && cell.mark == Some(Mark::Placed) {
                put(format!("<circle cx=\"{x}\" cy=\"{y}\" r=\"4\" fill=\"{}\"/>", SIDES[1]));
            }
            if cell.glyph.is_ascii_digit() {
                put(number(x, y, u8::try_from(cell.glyph).unwrap_or(b'0') - b'0', "#fff"));
            }
        }
        (None, _) => match cell.mark {
            Some(Mark::Star) => put(format!("<circle cx=\"{x}\" cy=\"{y}\" r=\"4\" fill=\"#6b5a34\"/>")),
            Some(Mark::Forbidden) => put(format!(
                "<path d=\"M{0} {2}L{1} {3}M{0} {3}L{1} {2}\" stroke=\"{4}\" stroke-width=\"3\"/>",
                x - 7,
                x + 7,
                y - 7,
                y + 7,
                SIDES[1]
            )),
            Some(Mark::Corpse) => {
                put(format!("<circle cx=\"{x}\" cy=\"{y}\" r=\"8\" fill=\"none\" stroke=\"{INK}\"/>"));
            }
            _ => {}
        },
    }
    if let Some(weight) = cell.weight {
        // A number cannot be read where lines cross.
        if view.grid == GridStyle::Crossings && cell.owner.is_none() {
            put(format!("<circle cx=\"{x}\" cy=\"{y}\" r=\"10\" fill=\"{WOOD}\"/>"));
        }
        // White numbers cannot be read on white stones.
        let white_stone = view.grid == GridStyle::Crossings && cell.owner == Some(Side::Second);
        put(number(x, y, weight, if cell.owner.is_some() && !white_stone { "#fff" } else { INK }));
    }
}

fn number(x: usize, y: usize, number: u8, colour: &str) -> String {
    format!("<text x=\"{x}\" y=\"{}\" font-size=\"15\" fill=\"{colour}\">{number}</text>", y + 5)
}

#[cfg(test)]
mod tests {
    use agon_rules::catalog::{Game, Setup};

    use super::*;

    #[test]
    fn every_game_has_a_picture() {
        for game in Game::ALL {
            let contest = game.contest(&Setup::default()).unwrap();
            let picture = svg(&contest.view());
            assert!(picture.starts_with("<svg ") && picture.ends_with("</svg>\n"), "{game}");
            assert_eq!(picture.matches("<text").count() - picture.matches("</text>").count(), 0);
        }
    }
}
