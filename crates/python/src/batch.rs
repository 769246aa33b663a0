//! Thousands of games as arrays that are written in place.

use std::collections::BTreeMap;
use std::num::NonZeroUsize;
use std::sync::{Mutex, MutexGuard, TryLockError};
use std::thread::available_parallelism;

use agon_catalog::{Capability, CatalogPosition, Game, Setup};
use agon_rules::bacteria::Bacteria;
use agon_rules::domineering::Domineering;
use agon_rules::renju::Renju;
use numpy::{
    Element, PyArray, PyArray1, PyArray2, PyArray4, PyArrayMethods, PyReadonlyArray1, PyUntypedArrayMethods, dtype,
};
use pyo3::exceptions::{PyIndexError, PyRuntimeError, PyTypeError};
use pyo3::prelude::*;
use pyo3::types::{PyDict, PySlice};

use crate::encoding::{Encoded, Sizes};
use crate::failure::{AgonError, IllegalMoveError, refused, setup_refused};
use crate::forks::ProcessId;
use crate::lanes::{AnyLanes, Lanes, Rows};
use crate::numbers;
use crate::position::Position;
use crate::reduced::{Reduced, reduced};
use crate::threads::Threads;
use crate::typed::{game_of, setup_of};

/// The most games of a batch, and the most memory of its observations.
const MAX_GAMES: usize = 1 << 20;
const MAX_BYTES: usize = 1 << 34;

/// Random plies that a thread plays between two looks for Ctrl-C: a fraction of a second in every game.
const PLIES_PER_LOOK: usize = 20_000;

/// Alignment of arrays: a cache line, required by libraries that share memory instead of copying it.
const ALIGNMENT: usize = 64;

/// The arrays, which Python sees by views that cannot be written.
struct Arrays {
    observations: Py<PyArray4<f32>>,
    final_observations: Py<PyArray4<f32>>,
    masks: Py<PyArray2<i8>>,
    turns: Py<PyArray1<i8>>,
    rewards: Py<PyArray2<f32>>,
    terminated: Py<PyArray1<bool>>,
    plies: Py<PyArray1<i32>>,
}

impl Arrays {
    /// Arrays of zeros.
    fn new(py: Python<'_>, count: usize, sizes: Sizes, autoreset: bool) -> PyResult<Self> {
        let shape = [count, sizes.planes, sizes.rows, sizes.columns];
        let finals = if autoreset { shape } else { [0, sizes.planes, sizes.rows, sizes.columns] };
        Ok(Self {
            observations: zeros(py, shape)?,
            final_observations: zeros(py, finals)?,
            masks: zeros(py, [count, sizes.actions()])?,
            turns: zeros(py, [count])?,
            rewards: zeros(py, [count, 2])?,
            terminated: zeros(py, [count])?,
            plies: zeros(py, [count])?,
        })
    }

    fn last_step(&self, py: Python<'_>) -> LastStep {
        LastStep {
            rewards: self.rewards.clone_ref(py),
            terminated: self.terminated.clone_ref(py),
            final_observations: self.final_observations.clone_ref(py),
        }
    }
}

/// Results of the last step, which do not follow from a position.
struct LastStep {
    rewards: Py<PyArray2<f32>>,
    terminated: Py<PyArray1<bool>>,
    final_observations: Py<PyArray4<f32>>,
}

/// An array of zeros that begins at a multiple of [`ALIGNMENT`].
fn zeros<T: Element, const N: usize>(
    py: Python<'_>,
    shape: [usize; N],
) -> PyResult<Py<PyArray<T, numpy::ndarray::Dim<[usize; N]>>>>
where
    numpy::ndarray::Dim<[usize; N]>: numpy::ndarray::Dimension,
{
    let bytes = shape.iter().product::<usize>() * size_of::<T>();
    let room = PyArray1::<u8>::zeros(py, [bytes + ALIGNMENT], false);
    let begin = (room.data() as usize).wrapping_neg() % ALIGNMENT;
    let part = room.get_item(PySlice::new(py, begin as isize, (begin + bytes) as isize, 1))?;
    let array = part.call_method1("view", (dtype::<T>(py),))?.call_method1("reshape", (shape.to_vec(),))?;
    Ok(array.cast_into::<PyArray<T, _>>()?.unbind())
}

/// Games that are played side by side, as arrays.
///
/// The arrays are written in place by `step` and `reset`, always to the same memory, so copy what you want to keep.
/// They are read-only in Python. With `autoreset` a game that ends restarts in the same step, as in
/// `gymnasium.vector.AutoresetMode.SAME_STEP`: `observations` has the new start, `final_observations` the end. A copy
/// or a pickle continues like the batch itself.
#[pyclass(frozen, module = "agon_arena")]
pub struct Batch {
    game: Game,
    count: usize,
    sizes: Sizes,
    setup: Setup,
    autoreset: bool,
    threads: Threads,
    lanes: Mutex<Box<dyn AnyLanes>>,
    /// The process that has locked the games last.
    locked_by: Mutex<ProcessId>,
    arrays: Arrays,
}

impl Batch {
    /// Locks the games; another thread waiting for them here would hold what this one needs to continue.
    fn lanes(&self) -> PyResult<MutexGuard<'_, Box<dyn AnyLanes>>> {
        let lanes = match self.lanes.try_lock() {
            Ok(lanes) => lanes,
            Err(TryLockError::Poisoned(lanes)) => lanes.into_inner(),
            Err(TryLockError::WouldBlock) => {
                let forked = self.locked_by.lock().is_ok_and(|process| process.is_gone());
                return Err(PyRuntimeError::new_err(if forked {
                    "this batch was in use by a thread when the process was forked: make it anew in the child"
                } else {
                    "this batch is in use by another thread: give each thread its own"
                }));
            }
        };
        if let Ok(mut process) = self.locked_by.lock() {
            *process = ProcessId::current();
        }
        Ok(lanes)
    }

    /// Lets `write` fill the arrays on these threads while other Python threads run.
    fn write<T: Send>(&self, py: Python<'_>, threads: &Threads, write: impl FnOnce(Rows) -> T + Send) -> PyResult<T> {
        let busy = |_| PyRuntimeError::new_err("an array of this batch is in use");
        let Arrays { observations, final_observations, masks, turns, rewards, terminated, plies } = &self.arrays;
        let mut observations = observations.bind(py).try_readwrite().map_err(busy)?;
        let mut final_observations = final_observations.bind(py).try_readwrite().map_err(busy)?;
        let mut masks = masks.bind(py).try_readwrite().map_err(busy)?;
        let mut turns = turns.bind(py).try_readwrite().map_err(busy)?;
        let mut rewards = rewards.bind(py).try_readwrite().map_err(busy)?;
        let mut terminated = terminated.bind(py).try_readwrite().map_err(busy)?;
        let mut plies = plies.bind(py).try_readwrite().map_err(busy)?;
        let rows = Rows {
            observations: observations.as_slice_mut()?,
            final_observations: final_observations.as_slice_mut()?,
            masks: masks.as_slice_mut()?,
            turns: turns.as_slice_mut()?,
            rewards: rewards.as_slice_mut()?,
            terminated: terminated.as_slice_mut()?,
            plies: plies.as_slice_mut()?,
        };
        threads.run(py, || write(rows))
    }

    /// Writes the rows of all games, or of these.
    fn show(&self, py: Python<'_>, which: Option<&[usize]>) -> PyResult<()> {
        let lanes = self.lanes()?;
        let lanes = &**lanes;
        self.write(py, &Threads::new(1), |rows| lanes.show(rows, which))
    }

    /// Numbers of games of this batch.
    fn rows_of(&self, name: &str, rows: &Bound<'_, PyAny>) -> PyResult<Vec<usize>> {
        let rows = integers(name, rows, None)?;
        let row = |&row: &i64| usize::try_from(row).ok().filter(|row| *row < self.count).ok_or(row);
        let rows = rows.as_array().iter().map(row).collect::<Result<Vec<_>, _>>();
        rows.map_err(|row| PyIndexError::new_err(format!("{name}: game {row} of {}", self.count)))
    }
}

/// An array of whole numbers of one dimension and this length, as numbers of 64 bits.
fn integers<'py>(name: &str, array: &Bound<'py, PyAny>, length: Option<usize>) -> PyResult<PyReadonlyArray1<'py, i64>> {
    let shape = length.map_or_else(|| "(k,)".to_owned(), |length| format!("({length},)"));
    if let Ok(array) = array.cast::<PyArray1<i64>>()
        && array.is_contiguous()
        && length.is_none_or(|length| array.len() == length)
    {
        return Ok(array.readonly());
    }
    let numpy = array.py().import("numpy")?;
    let found = numpy.call_method1("asarray", (array,))?;
    let (kind, of): (String, Bound<'_, PyAny>) =
        (found.getattr("dtype")?.getattr("kind")?.extract()?, found.getattr("shape")?);
    let dimensions: Vec<usize> = of.extract()?;
    let fits = dimensions.len() == 1 && length.is_none_or(|length| dimensions == [length]);
    let empty = dimensions == [0];
    if !fits || !(empty || kind == "i" || kind == "u") {
        let dtype = found.getattr("dtype")?.str()?;
        return Err(AgonError::new_err(format!(
            "{name}: an array of whole numbers of shape {shape} expected, not of {dtype} and shape {}",
            of.str()?
        )));
    }
    let whole = numpy.call_method1("ascontiguousarray", (found, "int64"))?;
    Ok(whole.cast_into::<PyArray1<i64>>().map_err(|_| PyTypeError::new_err(format!("{name}: no array")))?.readonly())
}

fn lanes_of(game: Game, setup: &Setup, count: usize) -> PyResult<Box<dyn AnyLanes>> {
    fn made<P: Encoded>(setup: &Setup, count: usize) -> PyResult<Box<dyn AnyLanes>> {
        // A given board is the start of every game.
        let drawn = P::GAME.can(Capability::DrawnStart) && !setup.parameters.contains_key("board");
        // A name that the game does not have is refused as everywhere.
        P::GAME.initial_state(setup).map_err(setup_refused)?;
        Ok(Box::new(Lanes::<P>::new(setup.clone(), count, drawn).map_err(setup_refused)?))
    }
    if game == Bacteria::GAME {
        made::<Bacteria>(setup, count)
    } else if game == Domineering::GAME {
        made::<Domineering>(setup, count)
    } else if game == Renju::GAME {
        made::<Renju>(setup, count)
    } else {
        Err(refused(format!("{game} has no batches: use its environment, agon_arena.env(\"{game}\")")))
    }
}

/// A view of an array that Python cannot write.
fn read_only<'py, T, D>(array: &Bound<'py, PyArray<T, D>>) -> PyResult<Bound<'py, PyAny>> {
    let view = array.call_method0("view")?;
    view.call_method1("setflags", (false,))?;
    Ok(view)
}

impl Batch {
    fn made(py: Python<'_>, game: Game, n: usize, setup: Setup, threads: usize, autoreset: bool) -> PyResult<Self> {
        let lanes = lanes_of(game, &setup, n)?;
        // A Ctrl-C of meanwhile is raised here: the first array would import numpy, and take an exception for a fault.
        py.check_signals()?;
        py.import("numpy")?;
        let sizes = lanes.sizes();
        let bytes = n * 4 * sizes.observation() * (1 + usize::from(autoreset));
        if bytes > MAX_BYTES {
            return Err(refused(format!("{n} games: their observations take {} GiB", bytes >> 30)));
        }
        let batch = Self::of_lanes(py, game, n, setup, threads, autoreset, lanes)?;
        batch.show(py, None)?;
        Ok(batch)
    }

    /// A batch of these games, whose arrays are not yet filled.
    fn of_lanes(
        py: Python<'_>,
        game: Game,
        count: usize,
        setup: Setup,
        threads: usize,
        autoreset: bool,
        lanes: Box<dyn AnyLanes>,
    ) -> PyResult<Self> {
        let sizes = lanes.sizes();
        Ok(Self {
            game,
            count,
            sizes,
            setup,
            autoreset,
            threads: Threads::new(threads),
            lanes: Mutex::new(lanes),
            locked_by: Mutex::new(ProcessId::current()),
            arrays: Arrays::new(py, count, sizes, autoreset)?,
        })
    }

    /// Copies the results of the last step.
    fn take_last(&self, py: Python<'_>, from: &LastStep) -> PyResult<()> {
        let Arrays { final_observations, rewards, terminated, .. } = &self.arrays;
        from.final_observations.bind(py).copy_to(final_observations.bind(py))?;
        from.rewards.bind(py).copy_to(rewards.bind(py))?;
        from.terminated.bind(py).copy_to(terminated.bind(py))
    }
}

#[pymethods]
impl Batch {
    #[new]
    #[pyo3(signature = (game, n, *, seed=0, threads=None, autoreset=true, **parameters))]
    fn new(
        py: Python<'_>,
        game: &str,
        #[pyo3(from_py_with = numbers::n)] n: usize,
        #[pyo3(from_py_with = numbers::seed)] seed: u64,
        #[pyo3(from_py_with = numbers::threads_or_all)] threads: Option<usize>,
        autoreset: bool,
        parameters: Option<&Bound<'_, PyDict>>,
    ) -> PyResult<Self> {
        let game = game_of(game)?;
        if !(1..=MAX_GAMES).contains(&n) {
            return Err(refused(format!("{n} games: 1 to {MAX_GAMES} expected")));
        }
        let threads = threads.unwrap_or_else(|| available_parallelism().map_or(1, NonZeroUsize::get));
        if !(1..=1024).contains(&threads) {
            return Err(refused(format!("{threads} threads: 1 to 1024 expected")));
        }
        Self::made(py, game, n, setup_of(seed, parameters)?, threads, autoreset)
    }

    #[getter]
    fn game(&self) -> &'static str {
        self.game.name()
    }

    #[getter]
    fn actions(&self) -> usize {
        self.sizes.actions()
    }

    #[getter]
    fn threads(&self) -> usize {
        self.threads.count()
    }

    #[getter]
    fn metadata<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        let metadata = PyDict::new(py);
        // The values of gymnasium.vector.AutoresetMode.
        metadata.set_item("autoreset_mode", if self.autoreset { "SameStep" } else { "Disabled" })?;
        Ok(metadata)
    }

    /// (n, planes, rows, columns) from the view of the side to move.
    #[getter]
    fn observations<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        read_only(self.arrays.observations.bind(py))
    }

    /// (n, planes, rows, columns): where `terminated` is true, the row has the final position of the game.
    #[getter]
    fn final_observations<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        read_only(self.arrays.final_observations.bind(py))
    }

    /// (n, actions): 1 for each legal action.
    #[getter]
    fn action_masks<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        read_only(self.arrays.masks.bind(py))
    }

    /// (n,): the seat to move.
    #[getter]
    fn turns<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        read_only(self.arrays.turns.bind(py))
    }

    /// (n, 2): for the first seat and the second, 1, -1 or 0 in the step in which a game ends.
    #[getter]
    fn rewards<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        read_only(self.arrays.rewards.bind(py))
    }

    /// (n,): true if the game ended in the last step.
    #[getter]
    fn terminated<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        read_only(self.arrays.terminated.bind(py))
    }

    /// (n,): number of moves played since the start.
    #[getter]
    fn plies<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        read_only(self.arrays.plies.bind(py))
    }

    /// Plays an action in each game, whole numbers (n,); -1 leaves a game unchanged. Plays all or none.
    fn step(&self, py: Python<'_>, actions: &Bound<'_, PyAny>) -> PyResult<()> {
        let actions = integers("actions", actions, Some(self.count))?;
        let actions = actions.as_slice()?;
        let mut lanes = self.lanes()?;
        let lanes = &mut **lanes;
        if let Some(illegal) = lanes.illegal(actions) {
            return Err(IllegalMoveError::new_err(format!(
                "game {}: {} is no legal action of `{}` (action_masks has them, and -1 leaves a game as it is)",
                illegal.game, illegal.action, illegal.position
            )));
        }
        let threads = self.threads.count();
        self.write(py, &self.threads, |rows| lanes.step(actions, self.autoreset, rows, threads))
    }

    /// Returns a random legal action for each game (n,); -1 if the game is over.
    fn sample<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyArray1<i64>>> {
        let mut lanes = self.lanes()?;
        let lanes = &mut **lanes;
        let actions = PyArray1::zeros(py, [self.count], false);
        let mut array = actions.readwrite();
        let slice = array.as_slice_mut()?;
        self.threads.run(py, || lanes.sample(slice, self.threads.count()))?;
        drop(array);
        Ok(actions)
    }

    /// Restarts these games, or all.
    #[pyo3(signature = (rows=None))]
    fn reset(&self, py: Python<'_>, rows: Option<&Bound<'_, PyAny>>) -> PyResult<()> {
        let rows = rows.map(|rows| self.rows_of("rows", rows)).transpose()?;
        let mut chosen = vec![rows.is_none(); self.count];
        rows.iter().flatten().for_each(|&row| chosen[row] = true);
        self.lanes()?.reset(&|at| chosen[at]).map_err(refused)?;
        self.show(py, rows.as_deref())
    }

    /// Plays this number of random plies in each game, restarts finished games, and returns how many finished.
    fn random_plies(&self, py: Python<'_>, #[pyo3(from_py_with = numbers::plies)] plies: usize) -> PyResult<u64> {
        let threads = self.threads.count();
        let some = (PLIES_PER_LOOK * threads / self.count).max(1);
        let (mut ended, mut played, mut interrupted) = (0, 0, Ok(()));
        while played < plies && interrupted.is_ok() {
            let mut lanes = self.lanes()?;
            let lanes = &mut **lanes;
            let now = some.min(plies - played);
            ended += self.threads.run(py, || lanes.random_plies(now, threads))?;
            played += now;
            interrupted = py.check_signals();
        }
        // After Ctrl-C as well: arrays and games must agree.
        self.show(py, None)?;
        interrupted.map(|()| ended)
    }

    fn position(&self, #[pyo3(from_py_with = numbers::row)] row: usize) -> PyResult<Position> {
        if row >= self.count {
            return Err(PyIndexError::new_err(format!("game {row} of {}", self.count)));
        }
        Position::at(self.game, &self.lanes()?.position(row))
    }

    /// Replaces a game by a position.
    fn put(
        &self,
        py: Python<'_>,
        #[pyo3(from_py_with = numbers::row)] row: usize,
        position: &Position,
    ) -> PyResult<()> {
        if row >= self.count {
            return Err(PyIndexError::new_err(format!("game {row} of {}", self.count)));
        }
        if position.game != self.game {
            return Err(refused(format!("a position of {} expected, not of {}", self.game, position.game)));
        }
        self.lanes()?.put(row, position.text()).map_err(refused)?;
        self.show(py, Some(&[row]))
    }

    /// Copies games over others, from this batch or another one of the same game.
    #[pyo3(signature = (targets, sources, source=None))]
    fn copy(
        slf: &Bound<'_, Self>,
        targets: &Bound<'_, PyAny>,
        sources: &Bound<'_, PyAny>,
        source: Option<&Bound<'_, Self>>,
    ) -> PyResult<()> {
        let (py, batch) = (slf.py(), slf.get());
        let from = source.filter(|source| !source.is(slf)).map(Bound::get);
        let targets = batch.rows_of("targets", targets)?;
        let sources = from.unwrap_or(batch).rows_of("sources", sources)?;
        if targets.len() != sources.len() {
            return Err(refused(format!("{} targets of {} sources", targets.len(), sources.len())));
        }
        match from {
            None => batch.lanes()?.copy_within(&targets, &sources),
            Some(from) => {
                if !batch.lanes()?.copy(&targets, &**from.lanes()?, &sources) {
                    return Err(refused("the batches are of different games, or boards of different sizes"));
                }
            }
        }
        batch.show(py, Some(&targets))
    }

    fn __len__(&self) -> usize {
        self.count
    }

    fn __repr__(&self) -> String {
        format!("Batch({:?}, {})", self.game.name(), self.count)
    }

    fn __reduce__<'py>(&self, py: Python<'py>) -> PyResult<Reduced<'py>> {
        let lanes = self.lanes()?;
        let positions: Vec<String> = (0..self.count).map(|row| lanes.position(row)).collect();
        let setup = (self.setup.seed, self.setup.parameters.clone());
        let form = (self.game.name(), setup, self.threads.count(), self.autoreset);
        let LastStep { rewards, terminated, final_observations } = self.arrays.last_step(py);
        reduced(py, "_restore_batch", (form, positions, lanes.drawn(), (rewards, terminated, final_observations)))
    }

    fn __copy__(&self, py: Python<'_>) -> PyResult<Self> {
        let lanes = self.lanes()?.copied();
        let (setup, threads) = (self.setup.clone(), self.threads.count());
        let copy = Self::of_lanes(py, self.game, self.count, setup, threads, self.autoreset, lanes)?;
        copy.show(py, None)?;
        copy.take_last(py, &self.arrays.last_step(py))?;
        Ok(copy)
    }

    fn __deepcopy__(&self, py: Python<'_>, _memo: &Bound<'_, PyAny>) -> PyResult<Self> {
        self.__copy__(py)
    }
}

/// Parameters of a batch: game, seed and parameters, threads, autoreset.
type Form = (String, (u64, BTreeMap<String, String>), usize, bool);

/// The rewards, ends and final observations of the last step.
type Ended = (Py<PyArray2<f32>>, Py<PyArray1<bool>>, Py<PyArray4<f32>>);

/// Restores a batch whose games are at these positions, have used this many random numbers, and had these results in
/// the last step.
#[pyfunction]
#[pyo3(name = "_restore_batch")]
pub(crate) fn restore_batch(
    py: Python<'_>,
    form: Form,
    positions: Vec<String>,
    drawn: Vec<u64>,
    last: Ended,
) -> PyResult<Batch> {
    let (game, (seed, parameters), threads, autoreset) = form;
    let batch = Batch::made(py, game_of(&game)?, positions.len(), Setup { seed, parameters }, threads, autoreset)?;
    {
        let mut lanes = batch.lanes()?;
        let lanes = &mut **lanes;
        py.detach(|| {
            lanes.draw_again(&drawn);
            positions.iter().enumerate().try_for_each(|(row, position)| lanes.put(row, position))
        })
        .map_err(refused)?;
    }
    batch.show(py, None)?;
    let (rewards, terminated, final_observations) = last;
    batch.take_last(py, &LastStep { rewards, terminated, final_observations })?;
    Ok(batch)
}
