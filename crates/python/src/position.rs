//! Positions: values that are compared, hashed, drawn and played on.

use std::collections::hash_map::DefaultHasher;
use std::hash::{Hash, Hasher};
use std::sync::{Mutex, PoisonError};

use agon_arena::picture;
use agon_catalog::{Game, GameStart, Setup};
use agon_engines::bacteria::windows::turned;
use agon_engines::renju::book::Symmetry;
use agon_game::perft::PerftPosition;
use agon_game::{GameState, Interaction, Position as _, Side};
use agon_rules::bacteria::Bacteria;
use agon_rules::bacteria::board::{Cells, WIDTH, bit};
use agon_rules::renju::{Board, Point, Renju};
use numpy::{PyArray1, PyArray2, PyArray3, PyArrayMethods};
use pyo3::exceptions::PyTypeError;
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyTuple};

use crate::encoding::Encoded;
use crate::failure::{illegal, refused};
use crate::limits::limits;
use crate::typed::{Typed, each, game_of, setup_of};
use crate::{knowledge, numbers, paint};

/// The deepest count of lines: beyond it numbers overflow long before they are reached.
const MAX_PERFT_DEPTH: u32 = 64;

/// The plies of lines that are counted at once: a fraction of a second in every game.
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
    state: Mutex<Box<dyn GameState>>,
    pub(crate) text: String,
}

impl Position {
    pub fn of_state(game: Game, state: Box<dyn GameState>) -> Self {
        let text = state.position();
        Self { game, state: Mutex::new(state), text }
    }

    /// A position of a text in the game's own notation.
    ///
    /// # Errors
    /// When it does not read.
    pub fn at(game: Game, text: &str) -> PyResult<Self> {
        Ok(Self::of_state(game, game.state_at(text).map_err(refused)?))
    }

    /// Looks at the game; nothing else is done meanwhile, so no thread waits long.
    pub(crate) fn look<T>(&self, look: impl FnOnce(&dyn GameState) -> T) -> T {
        look(self.state.lock().unwrap_or_else(PoisonError::into_inner).as_ref())
    }

    pub(crate) fn state(&self) -> Box<dyn GameState> {
        self.look(|state| state.boxed_clone())
    }

    pub(crate) fn typed(&self) -> PyResult<Typed> {
        Typed::read(self.game, &self.text)
    }

    /// The text of a move, given as one or as an action.
    fn move_text(&self, m: &Bound<'_, PyAny>) -> PyResult<String> {
        if let Ok(text) = m.extract::<String>() {
            return Ok(text);
        }
        // Numbers of numpy have `__index__`, as Python's own have.
        let action: i64 = m.extract().map_err(|_| {
            let name = m.get_type().name().map_or_else(|_| "?".to_owned(), |name| name.to_string());
            PyTypeError::new_err(format!("a move as a text, or an action as a whole number, expected, not {name}"))
        })?;
        self.move_of(action)
    }
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
        let mut state = match text {
            Some(_) if parameters.is_some_and(|given| !given.is_empty()) => {
                return Err(refused("a text says all of a position: leave out the parameters"));
            }
            Some(text) => game.state_at(text).map_err(refused)?,
            None => game.initial_state(&setup_of(seed, parameters)?).map_err(refused)?,
        };
        match (state.interaction(), species) {
            (Interaction::PerAction, species) => {
                // As the sample species of the rules: hit points, energy, acidity.
                let species = species.unwrap_or_else(|| ["5 7 0".to_owned(), "5 7 0".to_owned()]);
                for (side, text) in Side::BOTH.into_iter().zip(&species) {
                    state.begin(side, text.as_bytes()).map_err(refused)?;
                }
            }
            (Interaction::Session, Some(_)) => return Err(refused(format!("{game} has no species"))),
            (Interaction::Session, None) => {}
        }
        for text in moves.into_iter().flatten() {
            let m = state.read_any(&text).map_err(|error| illegal(&text, error))?;
            state.answer(&m).map_err(|error| illegal(&text, error))?;
        }
        Ok(Self::of_state(game, state))
    }

    #[getter]
    fn game(&self) -> &'static str {
        self.game.name()
    }

    /// Position in the game's notation.
    #[getter]
    fn text(&self) -> &str {
        &self.text
    }

    /// Seat to move, 0 or 1; None if the game is over.
    #[getter]
    fn turn(&self) -> Option<usize> {
        self.look(|state| state.turn().map(Side::index))
    }

    /// Names of the seats.
    #[getter]
    fn seats(&self) -> (&'static str, &'static str) {
        self.look(|state| state.seats().into())
    }

    /// Number of moves played, passes included.
    #[getter]
    fn ply(&self) -> u32 {
        self.look(|state| state.ply())
    }

    #[getter]
    fn is_over(&self) -> bool {
        self.look(|state| state.ending().is_some())
    }

    /// Seat that has won; None for a draw and during the game.
    #[getter]
    fn winner(&self) -> Option<usize> {
        self.look(|state| state.ending()?.outcome.winner().map(Side::index))
    }

    /// 1 if the first seat has won, -1 if the second has, 0 for a draw; None during the game.
    #[getter]
    fn result(&self) -> Option<i8> {
        let value = |side: Side| if side == Side::First { 1 } else { -1 };
        self.look(|state| state.ending().map(|ending| ending.outcome.winner().map_or(0, value)))
    }

    /// Reason why the game is over, in words.
    #[getter]
    fn reason(&self) -> Option<String> {
        self.look(|state| state.ending().map(|ending| ending.reason))
    }

    /// Points of both seats, if the game has any.
    #[getter]
    fn score(&self) -> Option<(f64, f64)> {
        self.look(|state| state.score().map(|score| score.map(agon_game::GameScore::as_f64).into()))
    }

    /// Last move in people's notation.
    #[getter]
    fn last_move(&self) -> Option<String> {
        self.look(|state| state.letters())
    }

    /// 64-bit key of everything that matters to the rules except the ply.
    #[getter]
    fn key(&self) -> PyResult<u64> {
        Ok(each!(self.typed()?, position => position.hash()))
    }

    /// Returns the legal moves, in the judge's or people's notation.
    #[pyo3(signature = (*, letters=false))]
    fn moves(&self, letters: bool) -> PyResult<Vec<String>> {
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
        let text = self.move_text(m)?;
        let mut state = self.state();
        let arguments = state.read_any(&text).map_err(|error| illegal(&text, error))?;
        state.answer(&arguments).map_err(|error| illegal(&text, error))?;
        Ok(Self::of_state(self.game, state))
    }

    /// Returns the number of lines of `depth` plies.
    fn perft(&self, py: Python<'_>, depth: u32) -> PyResult<u64> {
        if depth > MAX_PERFT_DEPTH {
            return Err(refused(format!("a depth of {depth}: at most {MAX_PERFT_DEPTH} expected")));
        }
        counted_below(py, self.game, &self.text, depth)
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
        let sizes = each!(&typed, position => position.sizes());
        let array = PyArray3::zeros(py, [sizes.planes, sizes.rows, sizes.columns], false);
        each!(&typed, position => {
            position.observe(viewer.unwrap_or(position.turn()), array.readwrite().as_slice_mut()?);
        });
        Ok(array)
    }

    /// Returns 1 for each legal action (actions,).
    fn action_mask<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyArray1<i8>>> {
        let typed = self.typed()?;
        let sizes = each!(&typed, position => position.sizes());
        let mut legal = vec![0; sizes.words + 1];
        each!(&typed, position => position.legal(&mut legal));
        let array = PyArray1::zeros(py, [sizes.actions()], false);
        sizes.spread(&legal, array.readwrite().as_slice_mut()?);
        Ok(array)
    }

    /// Returns the action of a legal move.
    fn action(&self, m: &str) -> PyResult<usize> {
        fn read<P: Encoded>(position: &P, text: &str) -> PyResult<usize> {
            let m = position.read_any(text).map_err(|error| illegal(text, error))?;
            Ok(position.encode(m))
        }
        each!(self.typed()?, position => read(&position, m))
    }

    /// Returns the move of a legal action, in the judge's notation.
    #[pyo3(name = "move")]
    fn move_of(&self, action: i64) -> PyResult<String> {
        let typed = self.typed()?;
        let sizes = each!(&typed, position => position.sizes());
        let number = usize::try_from(action).ok().filter(|action| *action < sizes.actions());
        let Some(number) = number else {
            return Err(refused(format!("action {action}: 0 to {} expected", sizes.actions() - 1)));
        };
        let mut legal = vec![0; sizes.words + 1];
        each!(&typed, position => position.legal(&mut legal));
        let (word, bit) = sizes.place(number);
        if legal[word] >> bit & 1 == 0 {
            return Err(illegal(&action.to_string(), "no legal action of this position"));
        }
        Ok(each!(&typed, position => position.decode(number).to_string()))
    }

    /// Returns the images under the symmetries of the board that keep the seats: 8, or 4 in domineering; itself first.
    fn symmetries(&self) -> PyResult<Vec<Self>> {
        let texts = match self.typed()? {
            Typed::Bacteria(position) => (0..8).map(|symmetry| bacteria_image(&position, symmetry)).collect(),
            Typed::Renju(position) => Symmetry::ALL.map(|symmetry| renju_image(&position, symmetry)).into(),
            Typed::Domineering(_) => domineering_images(&self.text),
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
        knowledge::forbidden(py, &self.typed()?)
    }

    /// Renju: Black's winning move in the proved book, if the position is in it.
    fn proved(&self) -> PyResult<Option<String>> {
        knowledge::proved(&self.typed()?)
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
        knowledge::solution(py, self.typed()?, limits(time, nodes, None)?)
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
        self.look(|state| state.remark())
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
        format!("Position({:?}, {:?})", self.game.name(), self.text)
    }

    fn __hash__(&self) -> u64 {
        let mut hasher = DefaultHasher::new();
        (self.game.name(), &self.text).hash(&mut hasher);
        hasher.finish()
    }

    fn __eq__(&self, other: &Self) -> bool {
        self.game == other.game && self.text == other.text
    }

    fn __reduce__<'py>(&self, py: Python<'py>) -> PyResult<(Bound<'py, PyAny>, Bound<'py, PyTuple>)> {
        if !matches!(self.game.start, GameStart::Position(_)) {
            return Err(PyTypeError::new_err(format!("a position of {} cannot be pickled", self.game)));
        }
        let arguments = PyTuple::new(py, [self.game.name(), &self.text])?;
        Ok((py.get_type::<Self>().into_any(), arguments))
    }
}

impl Position {
    fn counted(&self) -> PyResult<Box<dyn PerftPosition>> {
        self.game.position(Some(&self.text), &Setup::default()).map_err(refused)
    }
}

/// The lines from a position. The last plies are counted at once; between two such counts Ctrl-C is looked for.
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
    Bacteria::from_cells(cells, position.ply() as u16).map_or_else(String::new, |image| image.to_string())
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

/// The images that keep rows rows: none, the columns mirrored, the rows mirrored, and both.
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
