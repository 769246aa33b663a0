//! A position as a board draws it, with all that may be done in it: boards know no rules.

use agon_catalog::Capability;
use agon_game::{Cell, GameScore, GameState, GaugeName, GridStyle, HIDDEN, Mark, Position as _, SeatName, Side, View};
use agon_message::Stated;
use agon_rules::renju::{Explanation, Point, Renju};
use serde::Serialize;
use serde_json::{Value, json};
use utoipa::ToSchema;

use super::question::{BoardGame, BoardMove, key};

/// A position, and what can be done there. Places of the board are numbered row by row.
#[derive(Debug, Serialize, ToSchema)]
pub struct PositionAnswer {
    /// The game's name.
    game: &'static str,
    /// The names of both seats.
    seats: [String; 2],
    /// Rows of the board.
    rows: usize,
    /// Columns of the board.
    columns: usize,
    /// The number of the first row and column in the judge's notation.
    origin: usize,
    /// The letter of the first column where people write letters.
    letter: Option<char>,
    /// Whether pieces stand on the crossings of lines.
    crossings: bool,
    /// Whether its places are hexagons, each row half a place further right than the one above.
    hexagons: bool,
    /// Whether its places are triangles, and which way the first one points.
    triangles: Option<TriangleTip>,
    /// Points and edges of a board that is no grid.
    graph: Option<GraphShape>,
    /// Places that the board does not have.
    holes: Vec<usize>,
    /// Rows of cards.
    hands: Vec<CardHand>,
    /// The places, row by row: owner (0 none, 1 and 2 the sides), glyph, weight, joins, mark, and, where pieces lie on
    /// each other, their owners from the undermost on.
    cells: Vec<Value>,
    /// What is counted beside the board.
    gauges: Vec<String>,
    /// How much of it each side has.
    amounts: Vec<[f64; 2]>,
    /// The points of both sides, where the game counts any.
    score: Option<[f64; 2]>,
    /// The position in the game's own notation.
    position: String,
    /// What identifies the position, however it was reached.
    key: String,
    /// Moves made.
    ply: u32,
    /// Who is to move; null when the game is over.
    turn: Option<usize>,
    /// The moves made, in both notations.
    moves: Vec<BoardMove>,
    /// What may be done.
    legal: Vec<LegalMove>,
    /// Places where a side may not play, whoever is to move.
    forbidden: Vec<ForbiddenPlace>,
    /// Why points of renju are forbidden to Black, or allowed though they look like a double three, step by step.
    explained: Vec<ExplainedPlace>,
    /// How the game has ended, if it has.
    result: Option<PositionResult>,
}

/// Which way a triangle points.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, ToSchema)]
#[serde(rename_all = "lowercase")]
#[allow(missing_docs)]
pub(crate) enum TriangleTip {
    Up,
    Down,
}

/// Points and edges of a board.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct GraphShape {
    /// Names of the points.
    names: Vec<String>,
    /// Right and down, in widths of a square.
    points: Vec<[f32; 2]>,
    /// Numbers of the points at both ends of each edge.
    edges: Vec<[usize; 2]>,
}

/// A row of cards.
#[derive(PartialEq, Debug, Serialize, ToSchema)]
pub(crate) struct CardHand {
    /// Whose they are: 0 or 1; null for those on the table.
    owner: Option<usize>,
    /// What they are; empty for the hand itself.
    name: String,
    /// What is written on each, `?` for one that may not be seen.
    cards: Vec<String>,
}

/// The tip of the first triangle, on a board of them.
pub(crate) fn triangle_tip(view: &View) -> Option<TriangleTip> {
    match view.grid {
        GridStyle::Triangles { up: true } => Some(TriangleTip::Up),
        GridStyle::Triangles { up: false } => Some(TriangleTip::Down),
        _ => None,
    }
}

/// The points and edges of a graph.
pub(crate) fn graph_shape(view: &View) -> Option<GraphShape> {
    (view.grid == GridStyle::Graph).then(|| GraphShape {
        names: view.graph.places.iter().map(|place| place.name.clone()).collect(),
        points: view.graph.places.iter().map(|place| place.at.into()).collect(),
        edges: view.graph.edges.clone(),
    })
}

/// The cards of a board.
pub(crate) fn card_hands(view: &View) -> Vec<CardHand> {
    let hand = |hand: &agon_game::Hand| CardHand {
        owner: hand.owner.map(Side::index),
        name: hand.name.clone(),
        cards: hand.cards.clone(),
    };
    view.hands.iter().map(hand).collect()
}

/// A move that may be made.
#[derive(PartialEq, Debug, Serialize, ToSchema)]
pub(super) struct LegalMove {
    /// As the judge writes it: the arguments of MOVE.
    #[serde(rename = "move")]
    judged: String,
    /// As people write it.
    letters: String,
    /// The places that a piece can be taken from; empty for a piece from the hand, and for a PASS.
    from: Vec<usize>,
    /// The places that get a piece.
    to: Vec<usize>,
    /// All places that the move changes, and what they then are.
    #[schema(value_type = Vec<Vec<Value>>)]
    effect: Vec<(usize, Value)>,
}

/// A place where a side may not play, and why.
#[derive(Debug, Serialize, ToSchema)]
pub(super) struct ForbiddenPlace {
    /// The side that may not play there: 0 or 1.
    side: usize,
    /// The place.
    at: usize,
    /// As the judge writes it: the arguments of MOVE.
    #[serde(rename = "move")]
    judged: String,
    /// As people write it.
    letters: String,
    /// Why.
    reason: String,
    /// The same as a value.
    #[schema(value_type = Object)]
    message: Stated,
}

/// A point that is forbidden to Black, or allowed though it makes two threes.
#[derive(Debug, Serialize, ToSchema)]
pub(super) struct ExplainedPlace {
    /// The place.
    at: usize,
    /// As people write it.
    letters: String,
    /// Whether it is forbidden.
    forbidden: bool,
    /// The reasoning, one step after the other.
    steps: Vec<ExplainedStep>,
}

/// A step of the reasoning, with the places that it is about.
#[derive(Debug, Serialize, ToSchema)]
pub(super) struct ExplainedStep {
    /// Places with stones that are put before: the point first, then points that make straight fours of threes.
    placed: Vec<usize>,
    /// Stones of a row, a four or a three.
    stones: Vec<usize>,
    /// Places that make a five of a four, or a straight four of a three.
    goals: Vec<usize>,
    /// What the step says.
    text: String,
    /// The same as a value: `key` is the same in every language.
    #[schema(value_type = Object)]
    message: Stated,
}

/// How a game has ended.
#[derive(Debug, Serialize, ToSchema)]
pub(super) struct PositionResult {
    /// Who has won; null of a draw.
    winner: Option<usize>,
    /// Why.
    reason: String,
    /// The same as a value.
    #[schema(value_type = Object)]
    message: Stated,
}

impl PositionAnswer {
    /// The same with its texts in the language of `localized`.
    pub fn spoken(mut self, localized: impl Fn(&Stated) -> String) -> Self {
        for seat in &mut self.seats {
            *seat = localized(&Stated::from(&SeatName::from(&**seat)));
        }
        for gauge in &mut self.gauges {
            *gauge = localized(&Stated::from(&GaugeName::from(&**gauge)));
        }
        for place in &mut self.forbidden {
            place.reason = localized(&place.message);
        }
        if let Some(result) = &mut self.result {
            result.reason = localized(&result.message);
        }
        for step in self.explained.iter_mut().flat_map(|place| &mut place.steps) {
            step.text = localized(&step.message);
        }
        self
    }
}

impl PositionAnswer {
    /// The same with only these places to put a stone on, of this side, and with letters on the offered ones.
    pub(super) fn restricted_to(mut self, points: &[usize], offers: &[usize], side: usize) -> Self {
        for (&at, letter) in offers.iter().zip('A'..) {
            self.cells[at] = json!([0, letter, null, null, null]);
        }
        let glyph = if side == 0 { 'B' } else { 'W' };
        let placed = json!([side + 1, glyph, null, null, "placed"]);
        let columns = self.columns;
        let legal = points.iter().map(|&at| {
            let (row, column) = (at / columns, at % columns);
            let letters = format!("{}{}", char::from(b'A' + column as u8), self.rows - row);
            let judged = format!("{} {}", row + self.origin, column + self.origin);
            LegalMove { judged, letters, from: Vec::new(), to: vec![at], effect: vec![(at, placed.clone())] }
        });
        self.legal = legal.collect();
        (self.forbidden, self.explained) = (Vec::new(), Vec::new());
        self
    }
}

/// The position of a game.
pub fn position(game: &BoardGame) -> PositionAnswer {
    let state = game.state.as_ref();
    let view = seen(state, game.seat);
    let pair = |pair: [GameScore; 2]| pair.map(GameScore::as_f64);
    PositionAnswer {
        game: game.game.name(),
        seats: view.seats.map(str::to_owned),
        rows: view.rows,
        columns: view.columns,
        origin: view.origin,
        letter: view.first_letter,
        crossings: view.grid == GridStyle::Crossings,
        hexagons: view.grid == GridStyle::Hexagons,
        triangles: triangle_tip(&view),
        graph: graph_shape(&view),
        holes: view.holes(),
        hands: card_hands(&view),
        cells: view.cells.iter().map(place).collect(),
        gauges: view.gauges.iter().map(|gauge| gauge.name.to_owned()).collect(),
        amounts: view.gauges.iter().map(|gauge| pair(gauge.amounts)).collect(),
        score: state.score().map(pair),
        position: if game.seat.is_some() { HIDDEN.to_owned() } else { state.position() },
        key: key(game.game, state),
        ply: state.ply(),
        turn: state.turn().map(Side::index),
        moves: game.moves.iter().map(|played| as_seen(played, game.seat)).collect(),
        legal: if game.seat.is_none_or(|side| state.turn() == Some(side)) {
            legal(state, &view, game.seat)
        } else {
            Vec::new()
        },
        forbidden: forbidden(state, &view),
        explained: if game.game.can(Capability::ForbiddenPoints) { explained(state) } else { Vec::new() },
        result: state.ending().map(|ending| PositionResult {
            winner: ending.outcome.winner().map(Side::index),
            reason: ending.reason.to_string(),
            message: Stated::from(&*ending.reason),
        }),
    }
}

/// A place as the viewer wants it: `[owner 0|1|2, glyph, weight, joins, mark]`, with the owners of stacked pieces as a
/// sixth element.
pub fn place(cell: &Cell) -> Value {
    let mark = cell.mark.map(|mark| match mark {
        Mark::Placed => "placed",
        Mark::Captured => "captured",
        Mark::Vacated => "vacated",
        Mark::Forbidden => "forbidden",
        Mark::Star => "star",
        Mark::Corpse => "corpse",
        Mark::Burst => "burst",
        Mark::Won => "won",
    });
    let owner = cell.owner.map_or(0, |side| side.index() + 1);
    let mut place = vec![json!(owner), json!(cell.glyph), json!(cell.weight)];
    place.extend([json!(cell.joins.map(|(down, right)| [down, right])), json!(mark)]);
    if let Some(stack) = cell.stack {
        place.push(stack.pieces().map(|side| side.index() + 1).collect());
    }
    Value::from(place)
}

/// The board as the side that looks at it may see it.
fn seen(state: &dyn GameState, seat: Option<Side>) -> View {
    seat.map_or_else(|| state.view(), |side| state.view_of(side))
}

/// A move as the side that looks at the board may see it.
fn as_seen(played: &BoardMove, seat: Option<Side>) -> BoardMove {
    let mut played = played.clone();
    if seat.is_some_and(|side| side.index() != played.side) {
        HIDDEN.clone_into(&mut played.letters);
    }
    played
}

/// The legal moves. Those that do the same from different places are one.
fn legal(state: &dyn GameState, view: &View, seat: Option<Side>) -> Vec<LegalMove> {
    let mut all: Vec<LegalMove> = Vec::new();
    for judged in state.legal() {
        let mut next = state.boxed_clone();
        // What is listed as legal is accepted.
        if next.answer(&judged).is_err() {
            continue;
        }
        let cells = seen(next.as_ref(), seat).cells;
        let changed =
            |cell: &&(usize, &Cell)| matches!(cell.1.mark, Some(Mark::Placed | Mark::Captured | Mark::Vacated));
        let changed: Vec<_> = cells.iter().enumerate().filter(|cell| changed(&cell)).collect();
        let to = changed.iter().filter(|(_, cell)| cell.mark == Some(Mark::Placed)).map(|&(at, _)| at).collect();
        let effect = changed.iter().map(|&(at, cell)| (at, place(cell))).collect();
        let from = source(&judged, view);
        let letters = next.letters().unwrap_or_else(|| judged.clone());
        let new = LegalMove { judged, letters, from: from.into_iter().collect(), to, effect };
        match all.iter_mut().find(|known| !new.effect.is_empty() && known.to == new.to && known.effect == new.effect) {
            Some(known) => known.from.extend(new.from),
            None => all.push(new),
        }
    }
    all
}

/// The place that a move takes its piece from: the first of two in the judge's notation.
fn source(judged: &str, view: &View) -> Option<usize> {
    if view.grid == GridStyle::Graph {
        let point = |word: &str| view.graph.places.iter().position(|place| place.name == word);
        let (from, to) = judged.split_once(' ')?;
        return point(from).filter(|_| point(to).is_some());
    }
    let numbers: Vec<usize> = judged.split(' ').map_while(|word| word.parse().ok()).collect();
    let &[row, column, _, _] = numbers.as_slice() else { return None };
    // The numbers of a game by others may mean anything.
    view.place(row, column)
}

/// What is forbidden to the side to move, else to the other side, as it stands if this one passes.
fn forbidden(state: &dyn GameState, view: &View) -> Vec<ForbiddenPlace> {
    let here = forbidden_now(state, view);
    if !here.is_empty() {
        return here;
    }
    let mut passed = state.boxed_clone();
    match passed.read_any("PASS").and_then(|pass| passed.answer(&pass)) {
        Ok(_) => forbidden_now(passed.as_ref(), &passed.view()),
        Err(_) => Vec::new(),
    }
}

/// What is forbidden to the side to move.
fn forbidden_now(state: &dyn GameState, view: &View) -> Vec<ForbiddenPlace> {
    let Some(side) = state.turn() else { return Vec::new() };
    let marked = |at: &usize| view.cells[*at].mark == Some(Mark::Forbidden);
    let marked_place = |at: usize| {
        let (row, column) = (at / view.columns, at % view.columns);
        let judged = format!("{} {}", row + view.origin, column + view.origin);
        let message = Stated::from(&state.read_any(&judged).err()?);
        let reason = message.text.clone();
        let letters =
            view.letter(column).map_or_else(|| judged.clone(), |letter| format!("{letter}{}", view.rows - row));
        Some(ForbiddenPlace { side: side.index(), at, judged, letters, reason, message })
    };
    (0..view.cells.len()).filter(marked).filter_map(marked_place).collect()
}

/// The points of renju whose verdict is worth an explanation.
fn explained(state: &dyn GameState) -> Vec<ExplainedPlace> {
    let position = state.position().parse::<Renju>().ok().filter(|position| position.outcome().is_none());
    let Some(position) = position else { return Vec::new() };
    let numbers = |points: Vec<Point>| points.into_iter().map(Point::index).collect();
    let empties = Point::all().filter(|&point| position.board().owner(point).is_none());
    let remarkable = empties.map(|point| Explanation::new(position.board(), point)).filter(Explanation::is_remarkable);
    let place = |why: Explanation| ExplainedPlace {
        at: why.point.index(),
        letters: why.point.letters(),
        forbidden: why.forbidden.is_some(),
        steps: why
            .steps()
            .into_iter()
            .map(|step| ExplainedStep {
                placed: numbers(step.placed),
                stones: numbers(step.stones),
                goals: numbers(step.goals),
                text: step.text.to_string(),
                message: Stated::from(&step.text),
            })
            .collect(),
    };
    remarkable.map(place).collect()
}

#[cfg(test)]
mod tests {
    use agon_catalog::{Game, Setup};
    use agon_game::GraphPlace;

    use super::*;

    #[test]
    fn two_names_of_a_graph_are_a_step() {
        let place = |name: &str| GraphPlace { name: name.to_owned(), at: (0.0, 0.0) };
        let mut view = View { grid: GridStyle::Graph, ..View::default() };
        view.graph.places = ["a1", "d1"].map(place).into();
        assert_eq!(source("d1 a1", &view), Some(1));
        assert_eq!(["d1", "take d1", "d1 x"].map(|text| source(text, &view)), [None; 3]);
    }

    #[test]
    fn four_numbers_may_name_no_place() {
        let view = Game::all()[0].initial_state(&Setup::default()).unwrap().view();
        assert_eq!(source("2 3 4 4", &view), Some(9));
        for text in ["0 1 1 1", "8 1 1 1", "1 18446744073709551615 1 1", "1 2"] {
            assert_eq!(source(text, &view), None, "{text}");
        }
    }
}
