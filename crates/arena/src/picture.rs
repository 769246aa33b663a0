//! A board as a picture: SVG, without any program to draw it.

use std::fmt::Write as _;

use agon_game::{Cell, GridStyle, Mark, Side, View};

const CELL: usize = 40;
/// The border for the coordinates.
const BORDER: usize = 30;
/// The least width of a picture with gauges, which their labels need.
const GAUGES: usize = 260;

pub const PAPER: &str = "#fbfaf7";
pub const WOOD: &str = "#e6c78c";
pub const INK: &str = "#3a3a3a";
pub const LINES: &str = "#b9b4a7";
pub const SIDES: [&str; 2] = ["#1f6fb2", "#c4473a"];
/// Stones of a game whose sides are called by their colours.
pub const STONES: [&str; 2] = ["#222222", "#ffffff"];
/// The dot on the stone that was placed last.
pub const LAST: [&str; 2] = ["#ffb3a8", "#9c2218"];
/// A point where the side to move may not play.
pub const FORBIDDEN: &str = "#8c1d12";
/// The colours of text and drawings on a piece.
pub const LIGHT: &str = "#ffffff";

/// The background of a square with this mark, if the mark has one.
pub const fn tint(mark: Mark) -> Option<&'static str> {
    match mark {
        Mark::Placed => Some("#ffe28a"),
        Mark::Captured => Some("#fff3cd"),
        Mark::Vacated => Some("#eeeae0"),
        Mark::Burst => Some("#ffb3a8"),
        Mark::Corpse => Some("#ddd8cc"),
        Mark::Forbidden | Mark::Star | Mark::Won => None,
    }
}

/// The picture of a board.
///
/// ```
/// use agon_catalog::{Game, Setup};
/// let state = Game::RENJU.initial_state(&Setup::default())?;
/// assert!(agon_arena::picture::svg(&state.view()).starts_with("<svg "));
/// # Ok::<(), agon_catalog::SetupError>(())
/// ```
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
                "<text x=\"{x}\" y=\"{}\" text-anchor=\"{anchor}\" font-size=\"13\" fill=\"#fff\">{seat}: {amount} {}\
                 </text>",
                y + 13,
                gauge.name
            );
        }
    }
    svg + "</svg>\n"
}

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
        if view.first_letter.is_some() {
            label(right + BORDER / 2, y, (view.rows - row).to_string());
        }
    }
    for column in 0..view.columns {
        let x = BORDER + column * CELL + CELL / 2;
        label(x, BORDER - 10, (column + view.origin).to_string());
        if let Some(letter) = view.letter(column) {
            label(x, bottom + 18, letter.to_string());
        }
    }
}

fn place(svg: &mut String, view: &View, cell: &Cell, (row, column): (usize, usize)) {
    let (left, top) = (BORDER + column * CELL, BORDER + row * CELL);
    let (x, y) = (left + CELL / 2, top + CELL / 2);
    let mut put = |element: String| {
        svg.push_str(&element);
        svg.push('\n');
    };
    // A domino fills its cells, so a line on it marks it instead.
    let tinted = cell.mark.filter(|_| view.grid == GridStyle::Squares && cell.joins.is_none());
    if let Some(tint) = tinted.and_then(tint) {
        put(rect((left + 1, top + 1), (CELL - 2, CELL - 2), &format!("fill=\"{tint}\"")));
    }
    match (cell.owner, cell.joins) {
        // A domino is drawn once, from the half that is above or to the left.
        (Some(side), Some((down, right))) => {
            if down > 0 || right > 0 {
                let size = |inset: usize| {
                    let side = |two: bool| CELL * (1 + usize::from(two)) - 2 * inset;
                    (side(right > 0), side(down > 0))
                };
                put(rect((left + 4, top + 4), size(4), &format!("rx=\"7\" fill=\"{}\"", SIDES[side.index()])));
                if cell.mark == Some(Mark::Placed) {
                    let line = format!("rx=\"4\" fill=\"none\" stroke=\"{LIGHT}\" stroke-width=\"2.5\"");
                    put(rect((left + 8, top + 8), size(8), &line));
                }
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
                put(format!("<circle cx=\"{x}\" cy=\"{y}\" r=\"6\" fill=\"{}\"/>", LAST[side.index()]));
            }
            if cell.mark == Some(Mark::Captured) {
                put(format!("<circle cx=\"{x}\" cy=\"{y}\" r=\"6\" fill=\"{LIGHT}\"/>"));
            }
            if cell.mark == Some(Mark::Won) {
                let (radius, ring) = (CELL * 8 / 25, if crossing { LAST[side.index()] } else { LIGHT });
                put(format!(
                    "<circle cx=\"{x}\" cy=\"{y}\" r=\"{radius}\" fill=\"none\" stroke=\"{ring}\" \
                     stroke-width=\"2.5\"/>"
                ));
            }
            if cell.glyph.is_ascii_digit() {
                put(number(x, y, u8::try_from(cell.glyph).unwrap_or(b'0') - b'0', LIGHT));
            }
        }
        (None, _) => match cell.mark {
            Some(Mark::Star) => put(format!("<circle cx=\"{x}\" cy=\"{y}\" r=\"4\" fill=\"#6b5a34\"/>")),
            Some(Mark::Forbidden) => put(format!(
                "<path d=\"M{0} {2}L{1} {3}M{0} {3}L{1} {2}\" stroke=\"{FORBIDDEN}\" stroke-width=\"3\"/>",
                x - 7,
                x + 7,
                y - 7,
                y + 7,
            )),
            _ => {}
        },
    }
    let line = format!("fill=\"none\" stroke=\"{INK}\" stroke-width=\"2.5\"");
    match tinted {
        Some(Mark::Placed) => put(rect((left + 2, top + 2), (CELL - 4, CELL - 4), &line)),
        Some(Mark::Vacated) => {
            put(format!("<circle cx=\"{x}\" cy=\"{y}\" r=\"12\" {line} stroke-dasharray=\"4 3\"/>"));
        }
        Some(Mark::Corpse) => put(format!("<circle cx=\"{x}\" cy=\"{y}\" r=\"8\" {line}/>")),
        Some(Mark::Burst) => put(format!(
            "<path d=\"M{x} {}v9m0 20v9M{} {y}h9m20 0h9M{2} {3}l6 6m16 16l6 6M{4} {3}l-6 6m-16 16l-6 6\" {line}/>",
            y - 19,
            x - 19,
            x - 14,
            y - 14,
            x + 14,
        )),
        _ => {}
    }
    if let Some(glyph) = cell.lettering() {
        // As a number, since the character may be anything.
        let code = u32::from(glyph);
        put(format!("<text x=\"{x}\" y=\"{}\" font-size=\"24\" fill=\"{INK}\">&#{code};</text>", y + 8));
    }
    if let Some(weight) = cell.weight {
        // A number cannot be read where lines cross.
        if view.grid == GridStyle::Crossings && cell.owner.is_none() {
            put(format!("<circle cx=\"{x}\" cy=\"{y}\" r=\"10\" fill=\"{WOOD}\"/>"));
        }
        // White numbers cannot be read on white stones.
        let white_stone = view.grid == GridStyle::Crossings && cell.owner == Some(Side::Second);
        put(number(x, y, weight, if cell.owner.is_some() && !white_stone { LIGHT } else { INK }));
    }
}

fn rect((x, y): (usize, usize), (width, height): (usize, usize), rest: &str) -> String {
    format!("<rect x=\"{x}\" y=\"{y}\" width=\"{width}\" height=\"{height}\" {rest}/>")
}

fn number(x: usize, y: usize, number: u8, colour: &str) -> String {
    format!("<text x=\"{x}\" y=\"{}\" font-size=\"15\" fill=\"{colour}\">{number}</text>", y + 5)
}

#[cfg(test)]
mod tests {
    use agon_catalog::{Game, Setup};

    use super::*;
    use crate::contrast::{READABLE, ratio};

    #[test]
    fn marks_can_be_seen() {
        assert!((ratio("#000000", "#ffffff") - 21.0).abs() < 1e-9);
        let mut pairs = vec![(FORBIDDEN, WOOD), (INK, WOOD), (INK, PAPER), (LAST[0], STONES[0]), (LAST[1], STONES[1])];
        pairs.extend(SIDES.map(|side| (LIGHT, side)));
        let marks = [Mark::Placed, Mark::Captured, Mark::Vacated, Mark::Burst, Mark::Corpse];
        pairs.extend(marks.into_iter().filter_map(tint).map(|tint| (INK, tint)));
        for (mark, ground) in pairs {
            let ratio = ratio(mark, ground);
            assert!(ratio >= READABLE, "{mark} on {ground}: {ratio:.2}");
        }
    }

    #[test]
    fn characters_that_are_no_pieces_are_written() {
        let mut view = Game::all()[0].initial_state(&Setup::default()).unwrap().view();
        let before = svg(&view).matches("<text").count();
        let empty = view.cells.iter().position(|cell| cell.owner.is_none()).unwrap();
        view.cells[empty].glyph = '<';
        let picture = svg(&view);
        assert_eq!(picture.matches("<text").count(), before + 1);
        assert!(picture.contains(">&#60;</text>"), "{picture}");
    }

    #[test]
    fn every_game_has_a_picture() {
        for game in Game::all() {
            let state = game.initial_state(&Setup::default()).unwrap();
            let picture = svg(&state.view());
            assert!(picture.starts_with("<svg ") && picture.ends_with("</svg>\n"), "{game}");
            assert_eq!(picture.matches("<text").count() - picture.matches("</text>").count(), 0);
        }
    }
}
