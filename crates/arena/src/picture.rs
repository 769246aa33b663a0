//! A board as a picture: SVG, without any program to draw it.

use std::fmt::Write as _;

use agon_game::{CARD_HEIGHT, CardTable, Cell, FACE_DOWN, GridStyle, Mark, Side, Stack, View};

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
    let layout = Layout::new(view);
    let width = (BORDER * 2 + layout.size.0).max(if view.gauges.is_empty() { 0 } else { GAUGES });
    let bottom = BORDER * 2 + layout.size.1;
    let height = bottom + view.gauges.len() * 26;
    let mut svg = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{width}\" height=\"{height}\" \
         viewBox=\"0 0 {width} {height}\" font-family=\"Helvetica, Arial, sans-serif\" text-anchor=\"middle\">\n\
         <rect width=\"{width}\" height=\"{height}\" fill=\"{}\"/>\n",
        if view.grid == GridStyle::Crossings { WOOD } else { PAPER },
    );
    grid(&mut svg, view, &layout);
    for (at, cell) in view.cells.iter().enumerate().filter(|(_, cell)| !cell.is_hole()) {
        place(&mut svg, view, at, cell, layout.middle(at));
    }
    cards(&mut svg, view, &layout);
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

/// The least width of cards, in widths of a square.
const CARDS_WIDTH: f32 = 7.0;

/// Where the places and cards of a board are.
struct Layout<'a> {
    view: &'a View,
    /// What is added so that the first places lie at the border.
    shift: (f32, f32),
    cards: CardTable,
    /// Width and height of all without the borders.
    size: (usize, usize),
}

impl<'a> Layout<'a> {
    fn new(view: &'a View) -> Self {
        let [left, top, right, bottom] = view.extent();
        let cards = view.card_table((right - left).max(CARDS_WIDTH));
        let length = |squares: f32| (squares * CELL as f32).ceil() as usize;
        let gap = if bottom > top && cards.height > 0.0 { BORDER } else { 0 };
        let size = (length((right - left).max(cards.width)), length(bottom - top) + gap + length(cards.height));
        let shift = (BORDER as f32 - left * CELL as f32, BORDER as f32 - top * CELL as f32);
        Self { view, shift, cards, size }
    }

    /// The middle of a place.
    fn middle(&self, at: usize) -> (f32, f32) {
        let (x, y) = self.view.middle(at);
        (x * CELL as f32 + self.shift.0, y * CELL as f32 + self.shift.1)
    }

    /// Left and top of what lies there among the cards.
    fn among_cards(&self, left: f32, top: f32) -> (f32, f32) {
        let first = BORDER as f32 + self.size.1 as f32 - self.cards.height * CELL as f32;
        (BORDER as f32 + left * CELL as f32, first + top * CELL as f32)
    }
}

/// A length in tenths, which nothing on a picture needs more exactly.
fn short(length: f32) -> f32 {
    (length * 10.0).round() / 10.0
}

/// The edge of a place, this far within it.
fn outline(view: &View, at: usize, (x, y): (f32, f32), inset: f32, rest: &str) -> String {
    let cell = CELL as f32;
    match (view.grid, view.outline(at)) {
        (GridStyle::Squares | GridStyle::Crossings, _) => {
            let size = cell - 2.0 * inset;
            rect((x - size / 2.0, y - size / 2.0), (size, size), rest)
        }
        (_, Some(outline)) => {
            let corners = outline.within(inset / cell).points();
            let corners =
                corners.map(|(right, down)| format!("{} {}", short(x + right * cell), short(y + down * cell)));
            format!("<path d=\"M{}z\" {rest}/>", corners.collect::<Vec<_>>().join("L"))
        }
        (_, None) => {
            format!("<circle cx=\"{}\" cy=\"{}\" r=\"{}\" {rest}/>", short(x), short(y), cell * 0.45 - inset)
        }
    }
}

/// A text that programs have written, as a part of the picture.
fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;")
}

/// The cards of all hands, each under the name of its hand.
fn cards(svg: &mut String, view: &View, layout: &Layout<'_>) {
    for ((hand, spots), &(left, top)) in view.hands.iter().zip(&layout.cards.cards).zip(&layout.cards.labels) {
        let (x, y) = layout.among_cards(left, top + 0.4);
        let label = escaped(&hand.label(view.seats));
        let _ = writeln!(
            svg,
            "<text x=\"{}\" y=\"{}\" text-anchor=\"start\" font-size=\"12\" fill=\"{INK}\">{label}</text>",
            short(x),
            short(y)
        );
        for (card, spot) in hand.cards.iter().zip(spots) {
            let colour = hand.owner.map_or(INK, |side| SIDES[side.index()]);
            let (x, y) = layout.among_cards(spot.left, spot.top);
            let size = (spot.width * CELL as f32, CARD_HEIGHT * CELL as f32);
            let ground = if card == FACE_DOWN { colour } else { LIGHT };
            let rest = format!("rx=\"4\" fill=\"{ground}\" stroke=\"{colour}\" stroke-width=\"2\"");
            let _ = writeln!(svg, "{}", rect((x, y), size, &rest));
            if card != FACE_DOWN {
                let (x, y) = (short(x + size.0 / 2.0), short(y + size.1 / 2.0 + 5.0));
                let card = escaped(card);
                let _ = writeln!(svg, "<text x=\"{x}\" y=\"{y}\" font-size=\"14\" fill=\"{INK}\">{card}</text>");
            }
        }
    }
}

/// The places of a board without straight lines through all of them, one by one, with their names.
fn single_places(svg: &mut String, view: &View, layout: &Layout<'_>) {
    let places = || (0..view.cells.len()).filter(|&at| !view.cells[at].is_hole());
    for &[from, to] in &view.graph.edges {
        let [(x1, y1), (x2, y2)] = [from, to].map(|at| layout.middle(at)).map(|(x, y)| (short(x), short(y)));
        let line = format!("<line x1=\"{x1}\" y1=\"{y1}\" x2=\"{x2}\" y2=\"{y2}\" stroke=\"{LINES}\"/>");
        let _ = writeln!(svg, "{line}");
    }
    let ground = if view.grid == GridStyle::Graph { PAPER } else { "none" };
    for at in places() {
        let edge = format!("fill=\"{ground}\" stroke=\"{LINES}\"");
        let _ = writeln!(svg, "{}", outline(view, at, layout.middle(at), 0.0, &edge));
    }
    let mut label = |x: f32, y: f32, size: usize, text: &str| {
        let (x, y) = (short(x), short(y));
        let _ = writeln!(svg, "<text x=\"{x}\" y=\"{y}\" font-size=\"{size}\" fill=\"{INK}\">{text}</text>");
    };
    // Of a graph, the points that have nothing else on them.
    for (at, place) in view.graph.places.iter().enumerate() {
        let cell = &view.cells[at];
        if cell.owner.is_none() && cell.weight.is_none() && cell.lettering().is_none() {
            let (x, y) = layout.middle(at);
            label(x, y + 4.0, 11, &escaped(&place.name));
        }
    }
    if view.grid == GridStyle::Graph {
        return;
    }
    let hexagons = view.grid == GridStyle::Hexagons;
    for row in 0..view.rows {
        let Some(first) = places().find(|at| at / view.columns == row) else { continue };
        let (x, y) = layout.middle(first);
        label(x - (CELL / 2 + 10) as f32, y + 4.0, 12, &(row + view.origin).to_string());
    }
    for column in 0..view.columns {
        // Below the last place of a column of hexagons, which leads to the right, or above the first one of squares.
        let mut all = places().filter(|at| at % view.columns == column);
        let Some(named) = (if hexagons { all.next_back() } else { all.next() }) else { continue };
        let (x, y) = layout.middle(named);
        let name = view.letter(column).map_or_else(|| (column + view.origin).to_string(), |letter| letter.to_string());
        let (x, y) = if hexagons { (x + 12.0, y + 32.0) } else { (x, y - (CELL / 2 + 10) as f32) };
        label(x, y, 12, &name);
    }
}

fn grid(svg: &mut String, view: &View, layout: &Layout<'_>) {
    let is_plain = matches!(view.grid, GridStyle::Squares | GridStyle::Crossings);
    if !is_plain || view.cells.iter().any(Cell::is_hole) {
        return single_places(svg, view, layout);
    }
    if view.cells.is_empty() {
        return;
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
        GridStyle::Hexagons | GridStyle::Triangles { .. } | GridStyle::Graph => {}
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

fn place(svg: &mut String, view: &View, at: usize, cell: &Cell, middle: (f32, f32)) {
    let (x, y) = (short(middle.0), short(middle.1));
    let (left, top) = (x - CELL as f32 / 2.0, y - CELL as f32 / 2.0);
    let ground = |inset: f32, rest: &str| outline(view, at, (x, y), inset, rest);
    let mut put = |element: String| {
        svg.push_str(&element);
        svg.push('\n');
    };
    // A domino fills its cells, so a line on it marks it instead.
    let tinted = cell.mark.filter(|_| view.grid != GridStyle::Crossings && cell.joins.is_none());
    if let Some(tint) = tinted.and_then(tint) {
        put(ground(1.0, &format!("fill=\"{tint}\"")));
    }
    match (cell.owner, cell.joins) {
        // A domino is drawn once, from the half that is above or to the left.
        (Some(side), Some((down, right))) => {
            if down > 0 || right > 0 {
                let size = |inset: f32| {
                    let side = |two: bool| (CELL * (1 + usize::from(two))) as f32 - 2.0 * inset;
                    (side(right > 0), side(down > 0))
                };
                put(rect((left + 4.0, top + 4.0), size(4.0), &format!("rx=\"7\" fill=\"{}\"", SIDES[side.index()])));
                if cell.mark == Some(Mark::Placed) {
                    let line = format!("rx=\"4\" fill=\"none\" stroke=\"{LIGHT}\" stroke-width=\"2.5\"");
                    put(rect((left + 8.0, top + 8.0), size(8.0), &line));
                }
            }
        }
        (Some(_), None) if cell.stack.is_some() => cell.stack.into_iter().for_each(|pieces| put(stack(pieces, (x, y)))),
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
                x - 7.0,
                x + 7.0,
                y - 7.0,
                y + 7.0,
            )),
            _ => {}
        },
    }
    let line = format!("fill=\"none\" stroke=\"{INK}\" stroke-width=\"2.5\"");
    match tinted {
        Some(Mark::Placed) => put(ground(2.0, &line)),
        Some(Mark::Vacated) => {
            put(format!("<circle cx=\"{x}\" cy=\"{y}\" r=\"12\" {line} stroke-dasharray=\"4 3\"/>"));
        }
        Some(Mark::Corpse) => put(format!("<circle cx=\"{x}\" cy=\"{y}\" r=\"8\" {line}/>")),
        Some(Mark::Burst) => put(format!(
            "<path d=\"M{x} {}v9m0 20v9M{} {y}h9m20 0h9M{2} {3}l6 6m16 16l6 6M{4} {3}l-6 6m-16 16l-6 6\" {line}/>",
            y - 19.0,
            x - 19.0,
            x - 14.0,
            y - 14.0,
            x + 14.0,
        )),
        _ => {}
    }
    if let Some(glyph) = cell.lettering() {
        // As a number, since the character may be anything.
        let code = u32::from(glyph);
        put(format!("<text x=\"{x}\" y=\"{}\" font-size=\"24\" fill=\"{INK}\">&#{code};</text>", y + 8.0));
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

/// The pieces of a stack as they are seen from the side, the undermost at the bottom.
fn stack(stack: Stack, (x, y): (f32, f32)) -> String {
    let pieces = stack.pieces();
    let (count, width) = (pieces.len() as f32, CELL as f32 * 0.6);
    let step = (CELL as f32 * 0.7 / count).min(8.0);
    let bottom = y + step * count / 2.0;
    let piece = |(at, side): (usize, Side)| {
        let size = (width, short(step - if step > 3.0 { 1.0 } else { 0.0 }));
        let corner = (x - width / 2.0, short(bottom - step * (at + 1) as f32));
        rect(corner, size, &format!("rx=\"1\" fill=\"{}\"", SIDES[side.index()]))
    };
    pieces.enumerate().map(piece).collect()
}

fn rect((x, y): (f32, f32), (width, height): (f32, f32), rest: &str) -> String {
    format!("<rect x=\"{x}\" y=\"{y}\" width=\"{width}\" height=\"{height}\" {rest}/>")
}

fn number(x: f32, y: f32, number: u8, colour: &str) -> String {
    format!("<text x=\"{x}\" y=\"{}\" font-size=\"15\" fill=\"{colour}\">{number}</text>", y + 5.0)
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
