//! Positions: values that are compared, hashed, drawn and played on.

use std::collections::hash_map::DefaultHasher;
use std::hash::{Hash, Hasher};
use std::sync::{Mutex, OnceLock, PoisonError};

use agon_arena::picture;
use agon_catalog::{Game, Setup};
use agon_engines::bacteria::windows::turned;
use agon_engines::renju::book::Symmetry;
use agon_game::perft::PerftPosition;
use agon_game::{Ending, GameScore, GameState, Position as _, Show, Side};
use agon_rules::bacteria::Bacteria;
use agon_rules::bacteria::board::{Cells, WIDTH, bit};
use agon_rules::renju::{Board, Point, Renju};
use numpy::{PyArray1, PyArray2, PyArray3, PyArrayMethods};
use pyo3::exceptions::PyTypeError;
use pyo3::prelude::*;
use pyo3::types::PyDict;

use crate::encoding::{Encoded, MAX_WORDS};
use crate::failure::{illegal, refused};
use crate::limits::limits;
use crate::reduced::{Reduced, reduced};
use crate::typed::{Placed, Typed, each, each_again, game_of, setup_of};
use crate::way::{Beginning, Way};
use crate::{knowledge, numbers, paint};

/// The deepest count of lines: beyond it numbers overflow long before they are reached.
const MAX_PERFT_DEPTH: u32 = 64;

/// Number of plies counted at once: a fraction of a second in every game.
const PLIES_AT_ONCE: u32 = 3;

/// A position of a game. It is immutable: playing a move returns a new one, so to undo, keep the old one.
///
/// `Position("renju")` is the start, `Position("bacteria", "x5o/7/7/7/7/7/o5x x 0 1")` a text in the game's notation,
/// `Position("renju", moves=["H8", "H9"])` the position after moves, `Position("domineering", rows=6, columns=6,
/// seed=3)` a start with parameters of the game, drawn from a seed. For the petri dish `species` has hit points, energy
/// and acidity of both players.
#[pyclass(frozen, module = "agon_arena")]
pub struct Position {
    pub(crate) game: Game,
    kind: Kind,
    text: OnceLock<String>,
}

/// Representation of a position.
#[allow(clippy::large_enum_variant, reason = "nearly all are typed")]
enum Kind {
    Typed(Typed),
    /// In a game that only a referee knows, with the way to it, if known.
    Judged(Mutex<Box<dyn GameState>>, Option<Way>),
}

impl Position {
    pub const fn of_typed(game: Game, typed: Typed) -> Self {
        Self { game, kind: Kind::Typed(typed), text: OnceLock::new() }
    }

    pub const fn of_state(game: Game, state: Box<dyn GameState>, way: Option<Way>) -> Self {
        Self { game, kind: Kind::Judged(Mutex::new(state), way), text: OnceLock::new() }
    }

    /// Returns the starting position of a game.
    ///
    /// # Errors
    /// The error in the text, a parameter or a species.
    pub fn begun(game: Game, beginning: Beginning) -> PyResult<Self> {
        let typed = match &beginning.text {
            Some(text) => Typed::read(game, text)?,
            None => Typed::start(game, &beginning.setup)?,
        };
        let Some(typed) = typed else {
            let state = beginning.state(game)?;
            return Ok(Self::of_state(game, state, Some(Way::new(beginning))));
        };
        match beginning.species {
            Some(_) => Err(refused(format!("{game} has no species"))),
            None => Ok(Self::of_typed(game, typed)),
        }
    }

    /// A position of a text in the game's own notation.
    ///
    /// # Errors
    /// If it is invalid.
    pub fn at(game: Game, text: &str) -> PyResult<Self> {
        let text = Some(text.to_owned());
        Self::begun(game, Beginning { text, setup: Setup::default(), species: None })
    }

    /// The position in the game's own notation.
    pub fn text(&self) -> &str {
        self.text.get_or_init(|| match &self.kind {
            Kind::Typed(typed) => each!(typed, placed => placed.now.to_string()),
            Kind::Judged(state, _) => judged(state, |state| state.position()),
        })
    }

    /// Accesses the game as a referee sees it; nothing else is done meanwhile, so no thread waits long.
    pub(crate) fn look<T>(&self, look: impl FnOnce(&dyn GameState) -> T) -> T {
        match &self.kind {
            Kind::Typed(typed) => look(each!(typed, placed => placed.state()).as_ref()),
            Kind::Judged(state, _) => judged(state, look),
        }
    }

    pub(crate) fn typed(&self) -> PyResult<&Typed> {
        match &self.kind {
            Kind::Typed(typed) => Ok(typed),
            Kind::Judged(..) => Err(refused(format!("{} has no planes and actions here", self.game))),
        }
    }

    /// The side to move; `None` when the game is over.
    pub(crate) fn side(&self) -> Option<Side> {
        match &self.kind {
            Kind::Typed(typed) => {
                each!(typed, placed => placed.now.outcome().is_none().then(|| placed.now.turn()))
            }
            Kind::Judged(state, _) => judged(state, |state| state.turn()),
        }
    }

    /// Returns how the game has ended; `None` while it is in progress.
    fn ending(&self) -> Option<Ending> {
        fn ending<P: Show>(position: &P) -> Option<Ending> {
            let outcome = position.outcome()?;
            Some(Ending { outcome, reason: position.end_reason()? })
        }
        match &self.kind {
            Kind::Typed(typed) => each!(typed, placed => ending(&placed.now)),
            Kind::Judged(state, _) => judged(state, |state| state.ending()),
        }
    }

    /// The position after a move in either notation.
    ///
    /// # Errors
    /// The error in the move.
    pub(crate) fn played(&self, text: &str) -> PyResult<Self> {
        match &self.kind {
            Kind::Typed(typed) => {
                let typed = each_again!(typed, placed => placed.played(placed.read(text)?));
                Ok(Self::of_typed(self.game, typed))
            }
            Kind::Judged(state, way) => {
                let mut state = judged(state, |state| state.boxed_clone());
                let read = state.read_any(text).map_err(|error| illegal(text, error))?;
                state.answer(&read).map_err(|error| illegal(text, error))?;
                Ok(Self::of_state(self.game, state, way.as_ref().map(|way| way.then(&read))))
            }
        }
    }

    /// The move that a text in either notation means, in the judge's notation; `None` if it is none.
    pub(crate) fn judged_move(&self, text: &str) -> Option<String> {
        match &self.kind {
            Kind::Typed(typed) => each!(typed, placed => placed.now.read_any(text).ok().map(|m| m.to_string())),
            Kind::Judged(state, _) => judged(state, |state| state.read_any(text).ok()),
        }
    }
}

fn judged<T>(state: &Mutex<Box<dyn GameState>>, look: impl FnOnce(&dyn GameState) -> T) -> T {
    look(state.lock().unwrap_or_else(PoisonError::into_inner).as_ref())
}

/// An action as Python gives it. Numbers of numpy have `__index__`, as Python's own have.
fn action_of(m: &Bound<'_, PyAny>) -> PyResult<i64> {
    m.extract().map_err(|_| {
        let name = m.get_type().name().map_or_else(|_| "?".to_owned(), |name| name.to_string());
        PyTypeError::new_err(format!("a move as a text, or an action as a whole number, expected, not {name}"))
    })
}

#[pymethods]
impl Position {
    #[new]
    #[pyo3(signature = (game, text=None, *, moves=None, seed=0, species=None, **parameters))]
    fn new(
        game: &str,
        text: Option<&str>,
        moves: Option<Vec<String>>,
        #[pyo3(from_py_with = numbers::seed)] seed: u64,
        species: Option<[String; 2]>,
        parameters: Option<&Bound<'_, PyDict>>,
    ) -> PyResult<Self> {
        let game = game_of(game)?;
        if text.is_some() && parameters.is_some_and(|given| !given.is_empty()) {
            return Err(refused("a text says all of a position: leave out the parameters"));
        }
        let setup = setup_of(seed, parameters)?;
        let mut position = Self::begun(game, Beginning { text: text.map(str::to_owned), setup, species })?;
        for text in moves.into_iter().flatten() {
            position = position.played(&text)?;
        }
        Ok(position)
    }

    #[getter]
    fn game(&self) -> &'static str {
        self.game.name()
    }

    /// The position in the game's own notation.
    #[getter(text)]
    fn own_text(&self) -> &str {
        self.text()
    }

    /// Seat to move, 0 or 1; None if the game is over.
    #[getter]
    fn turn(&self) -> Option<usize> {
        self.side().map(Side::index)
    }

    /// Names of the seats.
    #[getter]
    fn seats(&self) -> (&'static str, &'static str) {
        fn seats<P: Show>(_: &P) -> [&'static str; 2] {
            P::SEATS
        }
        match &self.kind {
            Kind::Typed(typed) => each!(typed, placed => seats(&placed.now)).into(),
            Kind::Judged(state, _) => judged(state, |state| state.seats()).into(),
        }
    }

    /// Number of moves played, passes included.
    #[getter]
    fn ply(&self) -> u32 {
        match &self.kind {
            Kind::Typed(typed) => each!(typed, placed => placed.now.ply()),
            Kind::Judged(state, _) => judged(state, |state| state.ply()),
        }
    }

    #[getter]
    fn is_over(&self) -> bool {
        match &self.kind {
            Kind::Typed(typed) => each!(typed, placed => placed.now.outcome().is_some()),
            Kind::Judged(state, _) => judged(state, |state| state.ending().is_some()),
        }
    }

    /// Seat that has won; None for a draw and during the game.
    #[getter]
    fn winner(&self) -> Option<usize> {
        self.ending()?.outcome.winner().map(Side::index)
    }

    /// 1 if the first seat has won, -1 if the second has, 0 for a draw; None during the game.
    #[getter]
    fn result(&self) -> Option<i8> {
        let value = |side: Side| if side == Side::First { 1 } else { -1 };
        let outcome = match &self.kind {
            Kind::Typed(typed) => each!(typed, placed => placed.now.outcome()),
            Kind::Judged(state, _) => judged(state, |state| state.ending()).map(|ending| ending.outcome),
        };
        outcome.map(|outcome| outcome.winner().map_or(0, value))
    }

    /// Reason why the game is over, in words.
    #[getter]
    fn reason(&self) -> Option<String> {
        self.ending().map(|ending| ending.reason.to_string())
    }

    /// Points of both seats, if the game has any.
    #[getter]
    fn score(&self) -> Option<(f64, f64)> {
        let score = match &self.kind {
            Kind::Typed(typed) => each!(typed, placed => placed.now.score()),
            Kind::Judged(state, _) => judged(state, |state| state.score()),
        };
        score.map(|score| score.map(GameScore::as_f64).into())
    }

    /// Last move in people's notation.
    #[getter]
    fn last_move(&self) -> Option<String> {
        match &self.kind {
            Kind::Typed(typed) => each!(typed, placed => placed.letters()),
            Kind::Judged(state, _) => judged(state, |state| state.letters()),
        }
    }

    /// 64-bit key of everything that matters to the rules except the ply.
    #[getter]
    fn key(&self) -> PyResult<u64> {
        Ok(each!(self.typed()?, placed => placed.now.hash()))
    }

    /// Returns the legal moves, in the judge's or people's notation.
    #[pyo3(signature = (*, letters=false))]
    fn moves(&self, letters: bool) -> PyResult<Vec<String>> {
        fn moves<P: Show>(position: &P, letters: bool) -> Vec<String> {
            let mut moves = Vec::new();
            position.accepted_moves(&mut moves);
            moves.into_iter().map(|m| if letters { P::letters(m) } else { m.to_string() }).collect()
        }
        if let Kind::Typed(typed) = &self.kind {
            return Ok(each!(typed, placed => moves(&placed.now, letters)));
        }
        if !letters || !self.game.has_turns() {
            return Ok(self.look(|state| state.legal()));
        }
        let position = self.counted()?;
        let names: std::collections::HashMap<String, String> =
            position.count_divided(1).into_iter().map(|count| (count.arguments, count.letters)).collect();
        Ok(self.look(|state| state.legal()).into_iter().map(|m| names.get(&m).cloned().unwrap_or(m)).collect())
    }

    /// Returns the position after a move in either notation, or after an action.
    fn play(&self, m: &Bound<'_, PyAny>) -> PyResult<Self> {
        if let Ok(text) = m.extract::<String>() {
            return self.played(&text);
        }
        let action = action_of(m)?;
        let typed = each_again!(self.typed()?, placed => placed.played(placed.decoded(action)?));
        Ok(Self::of_typed(self.game, typed))
    }

    /// Returns the number of lines of `depth` plies.
    fn perft(&self, py: Python<'_>, depth: u32) -> PyResult<u64> {
        if depth > MAX_PERFT_DEPTH {
            return Err(refused(format!("a depth of {depth}: at most {MAX_PERFT_DEPTH} expected")));
        }
        counted_below(py, self.game, self.text(), depth)
    }

    /// Returns planes (planes, rows, columns) from the view of a seat, or of the side to move.
    #[pyo3(signature = (*, seat=None))]
    fn observation<'py>(&self, py: Python<'py>, seat: Option<usize>) -> PyResult<Bound<'py, PyArray3<f32>>> {
        let viewer = match seat {
            None => None,
            Some(0) => Some(Side::First),
            Some(1) => Some(Side::Second),
            Some(seat) => return Err(refused(format!("seat {seat}: 0 or 1 expected"))),
        };
        let typed = self.typed()?;
        let sizes = each!(typed, placed => placed.now.sizes());
        let array = PyArray3::zeros(py, [sizes.planes, sizes.rows, sizes.columns], false);
        each!(typed, placed => {
            placed.now.observe(viewer.unwrap_or(placed.now.turn()), array.readwrite().as_slice_mut()?);
        });
        Ok(array)
    }

    /// Returns 1 for each legal action (actions,).
    fn action_mask<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyArray1<i8>>> {
        let typed = self.typed()?;
        let sizes = each!(typed, placed => placed.now.sizes());
        let mut legal = [0; MAX_WORDS];
        each!(typed, placed => placed.now.legal(&mut legal[..=sizes.words]));
        let array = PyArray1::zeros(py, [sizes.actions()], false);
        sizes.spread(&legal, array.readwrite().as_slice_mut()?);
        Ok(array)
    }

    /// Returns the action of a legal move.
    fn action(&self, m: &str) -> PyResult<usize> {
        each!(self.typed()?, placed => Ok(placed.now.encode(placed.read(m)?)))
    }

    /// Returns the move of a legal action, in the judge's notation.
    #[pyo3(name = "move")]
    fn move_of(&self, action: i64) -> PyResult<String> {
        Ok(each!(self.typed()?, placed => placed.decoded(action)?.to_string()))
    }

    /// Returns the images under the symmetries of the board that keep the seats: 8, or 4 in domineering; itself first.
    fn symmetries(&self) -> PyResult<Vec<Self>> {
        let texts = match self.typed()? {
            Typed::Bacteria(Placed { now, .. }) => (0..8).map(|symmetry| bacteria_image(now, symmetry)).collect(),
            Typed::Renju(Placed { now, .. }) => Symmetry::ALL.map(|symmetry| renju_image(now, symmetry)).into(),
            Typed::Domineering(_) => domineering_images(self.text()),
        };
        texts.iter().map(|text| Self::at(self.game, text)).collect()
    }

    /// Returns the owner of each place (rows, columns): 1 for the first seat, -1 for the second, 0 for none.
    fn owners<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyArray2<i8>>> {
        let view = self.look(|state| state.view());
        let array = PyArray2::zeros(py, [view.rows, view.columns], false);
        for (number, cell) in array.readwrite().as_slice_mut()?.iter_mut().zip(&view.cells) {
            *number = match cell.owner {
                Some(Side::First) => 1,
                Some(Side::Second) => -1,
                None => 0,
            };
        }
        Ok(array)
    }

    /// True if the sides see different things.
    #[getter]
    fn has_secrets(&self) -> bool {
        self.look(|state| state.has_secrets())
    }

    /// Renju: the points forbidden to Black, whichever side is to move, each with the reason.
    fn forbidden<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        knowledge::forbidden(py, self.typed()?)
    }

    /// Renju: Black's winning move in the proved book, if the position is in it.
    fn proved(&self) -> PyResult<Option<String>> {
        knowledge::proved(self.typed()?)
    }

    /// Returns the proved results within these limits (default: one second).
    ///
    /// Domineering: `low`, `high` (bounds of the first seat's final lead), `value` (if they are equal), `winner`,
    /// `moves` (both bounds for each move), `line` (perfect play). Renju: `wins` (true if the side to move wins by
    /// fours and threes; None if undecided), `line`, `nodes`.
    #[pyo3(signature = (*, time=None, nodes=None))]
    fn solve<'py>(
        &self,
        py: Python<'py>,
        time: Option<f64>,
        #[pyo3(from_py_with = numbers::nodes)] nodes: Option<u64>,
    ) -> PyResult<Bound<'py, PyDict>> {
        knowledge::solution(py, self.typed()?.clone(), limits(time, nodes, None)?)
    }

    /// Petri dish: the input of the acting cell's program.
    fn prompt(&self) -> String {
        let mut prompt = String::new();
        self.look(|state| state.prompt(&mut prompt));
        prompt
    }

    /// Petri dish: why the last action was not carried out.
    #[getter]
    fn remark(&self) -> Option<String> {
        self.look(|state| state.remark().map(|remark| remark.to_string()))
    }

    fn svg(&self) -> String {
        picture::svg(&self.look(|state| state.view()))
    }

    fn _repr_svg_(&self) -> String {
        self.svg()
    }

    /// Returns a picture (height, width, 3) with `cell` pixels for each place.
    #[pyo3(signature = (cell=24))]
    fn rgb<'py>(
        &self,
        py: Python<'py>,
        #[pyo3(from_py_with = numbers::cell)] cell: usize,
    ) -> PyResult<Bound<'py, PyArray3<u8>>> {
        if !(4..=128).contains(&cell) {
            return Err(refused(format!("cells of {cell} pixels: 4 to 128 expected")));
        }
        let image = paint::image(&self.look(|state| state.view()), cell);
        let array = PyArray3::zeros(py, [image.height, image.width, 3], false);
        array.readwrite().as_slice_mut()?.copy_from_slice(&image.pixels);
        Ok(array)
    }

    fn __str__(&self) -> String {
        paint::text(&self.look(|state| state.view()))
    }

    fn __repr__(&self) -> String {
        format!("Position({:?}, {:?})", self.game.name(), self.text())
    }

    fn __hash__(&self) -> u64 {
        let mut hasher = DefaultHasher::new();
        (self.game.name(), self.text()).hash(&mut hasher);
        hasher.finish()
    }

    fn __eq__(&self, other: &Self) -> bool {
        self.game == other.game && self.text() == other.text()
    }

    fn __reduce__<'py>(&self, py: Python<'py>) -> PyResult<Reduced<'py>> {
        match &self.kind {
            Kind::Typed(typed) => {
                let (text, m) = each!(typed, placed => match placed.before.as_deref() {
                    Some((before, m)) => (before.to_string(), Some(m.to_string())),
                    None => (self.text().to_owned(), None),
                });
                reduced(py, "_restore_position", (self.game.name(), text, m))
            }
            Kind::Judged(_, way) => {
                let beginning =
                    Beginning { text: Some(self.text().to_owned()), setup: Setup::default(), species: None };
                let way = way.clone().unwrap_or_else(|| Way::new(beginning));
                let Beginning { text, setup, species } = way.beginning.as_ref();
                let setup = (setup.seed, setup.parameters.clone());
                let rules = agon_external::path_of(self.game).and_then(|path| std::path::absolute(path).ok());
                reduced(
                    py,
                    "_restore_game",
                    (self.game.name(), rules, text.clone(), setup, species.clone(), way.moves()),
                )
            }
        }
    }

    /// Immutable, so a copy is the same object.
    const fn __copy__(slf: PyRef<'_, Self>) -> PyRef<'_, Self> {
        slf
    }

    const fn __deepcopy__<'py>(slf: PyRef<'py, Self>, _memo: &Bound<'py, PyAny>) -> PyRef<'py, Self> {
        slf
    }
}

impl Position {
    fn counted(&self) -> PyResult<Box<dyn PerftPosition>> {
        self.game.position(Some(self.text()), &Setup::default()).map_err(refused)
    }
}

/// Counts the lines from a position. The last plies are counted at once; between two such counts it checks for Ctrl-C.
fn counted_below(py: Python<'_>, game: Game, text: &str, depth: u32) -> PyResult<u64> {
    py.check_signals()?;
    let read = || game.position(Some(text), &Setup::default());
    if depth <= PLIES_AT_ONCE {
        return py.detach(|| read().map(|position| position.count(depth))).map_err(refused);
    }
    let mut count = 0_u64;
    for m in read().map_err(refused)?.count_divided(1) {
        let mut next = read().map_err(refused)?;
        next.play(&m.arguments).map_err(refused)?;
        count = count.saturating_add(counted_below(py, game, &next.text(), depth - 1)?);
    }
    Ok(count)
}

fn bacteria_image(position: &Bacteria, symmetry: usize) -> String {
    let turned = |cell: usize| {
        let (row, column) = turned((cell / WIDTH, cell % WIDTH), symmetry);
        bit(row * WIDTH + column)
    };
    let image = |side: Side| Cells(position.cells(side)).fold(0, |cells, cell| cells | turned(cell));
    let cells = Side::BOTH.map(image);
    let image = Bacteria::from_cells(cells, position.ply() as u16);
    image.map_or_else(String::new, |image| image.with_half_moves(position.half_moves()).to_string())
}

fn renju_image(position: &Renju, symmetry: Symmetry) -> String {
    let mut board = Board::EMPTY;
    for side in Side::BOTH {
        for point in position.board().stones(side).iter() {
            if let Some(point) = Point::from_index(symmetry.cell(point.index() as u8).into()) {
                board.place(point, side);
            }
        }
    }
    let image = Renju::new(board, position.turn(), position.passes(), position.ply());
    image.map_or_else(|_| String::new(), |image| image.to_string())
}

/// The symmetries that map rows to rows: none, the columns mirrored, the rows mirrored, and both.
fn domineering_images(text: &str) -> Vec<String> {
    let fields: Vec<&str> = text.split(' ').collect();
    let &[weights, cover, ..] = &fields[..] else { return vec![text.to_owned()] };
    let rows = |field: &str| -> Vec<Vec<String>> { field.split('/').map(cells_of).collect() };
    let mirrored = |columns: bool, upright: bool| {
        let turn = |field: &str| {
            let mut rows = rows(field);
            if columns {
                for row in &mut rows {
                    row.reverse();
                }
            }
            if upright {
                rows.reverse();
            }
            let halves = |cell: String| match cell.as_str() {
                "<" if columns => ">".to_owned(),
                ">" if columns => "<".to_owned(),
                "^" if upright => "v".to_owned(),
                "v" if upright => "^".to_owned(),
                _ => cell,
            };
            let rows: Vec<String> = rows.into_iter().map(|row| row.into_iter().map(halves).collect()).collect();
            rows.join("/")
        };
        let mut image = vec![turn(weights), turn(cover)];
        image.extend(fields[2..].iter().map(|&field| field.to_owned()));
        image.join(" ")
    };
    vec![mirrored(false, false), mirrored(true, false), mirrored(false, true), mirrored(true, true)]
}

/// The cells of a row: characters, and numbers in brackets.
fn cells_of(row: &str) -> Vec<String> {
    let mut cells: Vec<String> = Vec::new();
    let mut open = false;
    for c in row.chars() {
        match cells.last_mut() {
            Some(last) if open => last.push(c),
            _ => cells.push(c.to_string()),
        }
        open = (open || c == '(') && c != ')';
    }
    cells
}
