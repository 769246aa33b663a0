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
    let raster = Raster::new(view);
    let width = (BORDER * 2 + raster.size.0).max(if view.gauges.is_empty() { 0 } else { GAUGES });
    let bottom = BORDER * 2 + raster.size.1;
    let height = bottom + view.gauges.len() * 26;
    let mut svg = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{width}\" height=\"{height}\" \
         viewBox=\"0 0 {width} {height}\" font-family=\"Helvetica, Arial, sans-serif\" text-anchor=\"middle\">\n\
         <rect width=\"{width}\" height=\"{height}\" fill=\"{}\"/>\n",
        if view.grid == GridStyle::Crossings { WOOD } else { PAPER },
    );
    grid(&mut svg, view, &raster);
    for (at, cell) in view.cells.iter().enumerate().filter(|(_, cell)| !cell.is_hole()) {
        place(&mut svg, view, cell, raster.middle(at));
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

/// How far apart the rows of hexagons are, and how far their corners are from the middle.
const STEP: usize = 35;
const RADIUS: usize = 23;

/// Where the places of a board are.
struct Raster {
    columns: usize,
    hexagons: bool,
    /// Where the leftmost and topmost places begin without it.
    shift: (usize, usize),
    /// Width and height of all places together.
    size: (usize, usize),
}

impl Raster {
    fn new(view: &View) -> Self {
        let hexagons = view.grid == GridStyle::Hexagons;
        let mut raster = Self { columns: view.columns, hexagons, shift: (0, 0), size: (0, 0) };
        let (wide, high) = (CELL / 2, if hexagons { RADIUS } else { CELL / 2 });
        let all: Vec<(usize, usize)> =
            (0..view.cells.len()).filter(|&at| !view.cells[at].is_hole()).map(|at| raster.middle(at)).collect();
        let range = |axis: fn(&(usize, usize)) -> usize, half: usize| {
            let (least, most) = (all.iter().map(axis).min(), all.iter().map(axis).max());
            (least.unwrap_or(half) - half - BORDER, most.unwrap_or(half) + half - BORDER)
        };
        let ((left, right), (top, bottom)) = (range(|at| at.0, wide), range(|at| at.1, high));
        (raster.shift, raster.size) = ((left, top), (right - left, bottom - top));
        raster
    }

    /// The middle of a place.
    fn middle(&self, at: usize) -> (usize, usize) {
        let (row, column) = (at / self.columns, at % self.columns);
        let (x, y) = if self.hexagons {
            (column * CELL + row * CELL / 2 + CELL / 2, row * STEP + RADIUS)
        } else {
            (column * CELL + CELL / 2, row * CELL + CELL / 2)
        };
        (BORDER + x - self.shift.0, BORDER + y - self.shift.1)
    }
}

/// A hexagon with a point at the top.
fn hexagon((x, y): (usize, usize), inset: usize, rest: &str) -> String {
    let (wide, high) = (CELL / 2 - inset, RADIUS - inset);
    let half = high.div_ceil(2);
    format!("<path d=\"M{x} {}l{wide} {half}v{high}l-{wide} {half}l-{wide} -{half}v-{high}z\" {rest}/>", y - high)
}

/// The places of hexagons, or of a board that lacks some, one by one, with the names of rows and columns.
fn single_places(svg: &mut String, view: &View, raster: &Raster) {
    let places = || (0..view.cells.len()).filter(|&at| !view.cells[at].is_hole());
    for at in places() {
        let (x, y) = raster.middle(at);
        let edge = format!("fill=\"none\" stroke=\"{LINES}\"");
        let _ = writeln!(
            svg,
            "{}",
            match view.grid {
                GridStyle::Hexagons => hexagon((x, y), 0, &edge),
                _ => rect((x - CELL / 2, y - CELL / 2), (CELL, CELL), &edge),
            }
        );
    }
    let mut label = |x: usize, y: usize, text: String| {
        let _ = writeln!(svg, "<text x=\"{x}\" y=\"{y}\" font-size=\"12\" fill=\"{INK}\">{text}</text>");
    };
    for row in 0..view.rows {
        let Some(first) = places().find(|at| at / view.columns == row) else { continue };
        let (x, y) = raster.middle(first);
        label(x - CELL / 2 - 10, y + 4, (row + view.origin).to_string());
    }
    for column in 0..view.columns {
        // Below the last place of a column of hexagons, which leads to the right, or above the first one of squares.
        let mut all = places().filter(|at| at % view.columns == column);
        let Some(named) = (if raster.hexagons { all.next_back() } else { all.next() }) else { continue };
        let (x, y) = raster.middle(named);
        let name = view.letter(column).map_or_else(|| (column + view.origin).to_string(), |letter| letter.to_string());
        let (x, y) = if raster.hexagons { (x + 12, y + 32) } else { (x, y - CELL / 2 - 10) };
        label(x, y, name);
    }
}

fn grid(svg: &mut String, view: &View, raster: &Raster) {
    if raster.hexagons || view.cells.iter().any(Cell::is_hole) {
        return single_places(svg, view, raster);
    }
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
        GridStyle::Hexagons => {}
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

fn place(svg: &mut String, view: &View, cell: &Cell, (x, y): (usize, usize)) {
    let (left, top) = (x - CELL / 2, y - CELL / 2);
    let ground = |inset: usize, rest: &str| match view.grid {
        GridStyle::Hexagons => hexagon((x, y), inset, rest),
        _ => rect((left + inset, top + inset), (CELL - 2 * inset, CELL - 2 * inset), rest),
    };
    let mut put = |element: String| {
        svg.push_str(&element);
        svg.push('\n');
    };
    // A domino fills its cells, so a line on it marks it instead.
    let tinted = cell.mark.filter(|_| view.grid != GridStyle::Crossings && cell.joins.is_none());
    if let Some(tint) = tinted.and_then(tint) {
        put(ground(1, &format!("fill=\"{tint}\"")));
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
        Some(Mark::Placed) => put(ground(2, &line)),
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
