//! Records and files of positions as arrays to learn from.

use std::path::PathBuf;

use agon_catalog::{CatalogPosition, Game, Setup};
use agon_game::Side;
use agon_referee::record::{Record, Winner};
use agon_referee::replay;
use agon_rules::bacteria::board::{CELLS, WIDTH};
use agon_rules::bacteria::{Bacteria, PLY_LIMIT};
use agon_rules::domineering::Domineering;
use agon_rules::renju::{Board, POINTS, Point, Renju, SIZE};
use agon_training::bacteria::record::BacteriaRecord;
use agon_training::dataset::{self, Writer};
use agon_training::renju::record::RenjuRecord;
use agon_training::{PositionRecord, TrainedGame};
use numpy::{PyArray1, PyArray3, PyArray4, PyArrayMethods, PyReadonlyArray1, PyReadonlyArray3, PyUntypedArrayMethods};
use pyo3::prelude::*;
use pyo3::types::PyDict;

use crate::encoding::Encoded;
use crate::failure::refused;
use crate::typed::game_of;

/// Records of a block of a file of positions.
const BLOCK: usize = 1 << 16;

fn opened(text: &str) -> PyResult<(Record, Game, Setup)> {
    let record = Record::read(text).map_err(refused)?;
    let game = game_of(&record.header.game)?;
    let setup = Setup { seed: record.header.seed, parameters: record.header.parameters.clone() };
    Ok((record, game, setup))
}

/// Summarises the game of a record; with `prove` it is first verified by the rules.
#[pyfunction]
#[pyo3(signature = (text, *, prove=true))]
pub(crate) fn record_summary<'py>(py: Python<'py>, text: &str, prove: bool) -> PyResult<Bound<'py, PyDict>> {
    let (record, game, setup) = opened(text)?;
    let mut state = game.initial_state(&setup).map_err(refused)?;
    let played = if prove { replay::prove(&record, state.as_mut()) } else { replay::moves(&record, state.as_mut()) };
    let played = played.map_err(refused)?;
    let summary = PyDict::new(py);
    let result = &record.result;
    let winner = match result.winner {
        Winner::First => Some(0),
        Winner::Second => Some(1),
        Winner::Draw | Winner::Void => None,
    };
    summary.set_item("game", game.name())?;
    summary.set_item("seed", record.header.seed)?;
    summary.set_item("parameters", &record.header.parameters)?;
    summary.set_item("agents", record.header.agents.each_ref().map(|agent| agent.agent.clone()))?;
    summary.set_item("winner", winner)?;
    summary.set_item("void", result.winner == Winner::Void)?;
    summary.set_item("reason", &result.reason.text)?;
    summary.set_item("verdicts", result.verdicts.each_ref().map(|judged| judged.verdict.to_string()))?;
    summary.set_item("score", result.score.map(|score| score.map(agon_game::GameScore::as_f64)))?;
    summary.set_item("plies", result.plies)?;
    summary.set_item("seconds", result.time_ms.map(|ms| ms / 1000.0))?;
    summary.set_item("moves", played.iter().map(|played| played.arguments.clone()).collect::<Vec<_>>())?;
    Ok(summary)
}

/// Training data of a record: observations, actions, results for the side to move, side to move.
type RecordArrays<'py> =
    (Bound<'py, PyArray4<f32>>, Bound<'py, PyArray1<i64>>, Bound<'py, PyArray1<f32>>, Bound<'py, PyArray1<i8>>);

/// Returns every position of a record in which a move was played, without its opening.
#[pyfunction]
pub(crate) fn record_arrays<'py>(py: Python<'py>, text: &str) -> PyResult<RecordArrays<'py>> {
    let (record, game, setup) = opened(text)?;
    if game == Bacteria::GAME_ROW {
        arrays::<Bacteria>(py, &record, &setup)
    } else if game == Domineering::GAME_ROW {
        arrays::<Domineering>(py, &record, &setup)
    } else if game == Renju::GAME_ROW {
        arrays::<Renju>(py, &record, &setup)
    } else {
        Err(refused(format!("{game} has no planes and actions here")))
    }
}

/// The row of a game, by a name that no other trait has.
trait Row: CatalogPosition {
    const GAME_ROW: Game = <Self as CatalogPosition>::GAME;
}

impl<P: CatalogPosition> Row for P {}

fn arrays<'py, P: Encoded>(py: Python<'py>, record: &Record, setup: &Setup) -> PyResult<RecordArrays<'py>> {
    let start = setup.opened(P::start(setup).map_err(refused)?).map_err(refused)?.into_position();
    let mut state = <P as CatalogPosition>::GAME.initial_state(setup).map_err(refused)?;
    let played = replay::moves(record, state.as_mut()).map_err(refused)?;
    let (sizes, count) = (start.sizes(), played.len());
    let observations = PyArray4::zeros(py, [count, sizes.planes, sizes.rows, sizes.columns], false);
    let (actions, turns) = (PyArray1::zeros(py, [count], false), PyArray1::zeros(py, [count], false));
    let results = PyArray1::zeros(py, [count], false);
    {
        let (mut seen, mut chosen) = (observations.readwrite(), actions.readwrite());
        let (mut to_move, mut values) = (turns.readwrite(), results.readwrite());
        let (seen, chosen) = (seen.as_slice_mut()?, chosen.as_slice_mut()?);
        let (to_move, values) = (to_move.as_slice_mut()?, values.as_slice_mut()?);
        let winner = match record.result.winner {
            Winner::First => Some(Side::First),
            Winner::Second => Some(Side::Second),
            Winner::Draw | Winner::Void => None,
        };
        let mut position = start;
        for (at, played) in played.iter().enumerate() {
            let m = position.read_move(&played.arguments).map_err(refused)?;
            position.observe(position.turn(), &mut seen[at * sizes.observation()..(at + 1) * sizes.observation()]);
            chosen[at] = position.encode(m) as i64;
            to_move[at] = position.turn().index() as i8;
            values[at] = winner.map_or(0.0, |winner| if winner == position.turn() { 1.0 } else { -1.0 });
            position.play_unchecked(m, &mut ());
        }
    }
    Ok((observations, actions, results, turns))
}

/// A position of a file as numbers, seen by the side to move.
trait Plain: PositionRecord {
    const ROWS: usize;

    /// Writes 1 for each piece of the mover, -1 for each of the other side.
    fn numbers(&self, board: &mut [i8]);

    /// # Errors
    /// The error in the numbers.
    fn of_numbers(board: &[i8], turn: Side, value: i16, half_points: u8, ply: u16) -> Result<Self, String>;
}

fn checked(half_points: u8) -> Result<u8, String> {
    if half_points < 3 {
        Ok(half_points)
    } else {
        Err(format!("a result of {half_points} half points: 0 to 2 expected"))
    }
}

impl Plain for BacteriaRecord {
    const ROWS: usize = WIDTH;

    fn numbers(&self, board: &mut [i8]) {
        for (cell, number) in board.iter_mut().enumerate() {
            let [own, other] = self.cells.map(|cells| (cells >> cell & 1) as i8);
            *number = own - other;
        }
    }

    fn of_numbers(board: &[i8], turn: Side, value: i16, half_points: u8, ply: u16) -> Result<Self, String> {
        let cells = |sign: i8| (0..CELLS).filter(|&cell| board[cell] == sign).fold(0, |cells, cell| cells | 1 << cell);
        if ply >= PLY_LIMIT || usize::from(ply % 2) != turn.index() {
            return Err(format!(
                "ply {ply} with the {turn} side to move: below {PLY_LIMIT}, and odd for the second, expected"
            ));
        }
        Ok(Self { cells: [cells(1), cells(-1)], value, half_points: checked(half_points)?, ply })
    }
}

impl Plain for RenjuRecord {
    const ROWS: usize = SIZE;

    fn numbers(&self, board: &mut [i8]) {
        board.fill(0);
        let stones = self.stones();
        for side in Side::BOTH {
            for point in stones.stones(side).iter() {
                board[point.index()] = if side == self.turn { 1 } else { -1 };
            }
        }
    }

    fn of_numbers(board: &[i8], turn: Side, value: i16, half_points: u8, ply: u16) -> Result<Self, String> {
        let mut stones = Board::EMPTY;
        for point in (0..POINTS).filter_map(Point::from_index) {
            match board[point.index()] {
                1 => stones.place(point, turn),
                -1 => stones.place(point, turn.other()),
                _ => {}
            }
        }
        let ply = u8::try_from(ply).map_err(|_| format!("ply {ply}: at most 255 expected"))?;
        Ok(Self::new(&stones, turn, value, checked(half_points)?, ply))
    }
}

/// Reads a file of positions, as `agon lab datagen` writes it.
#[pyfunction]
pub(crate) fn read_positions<'py>(py: Python<'py>, path: PathBuf, game: &str) -> PyResult<Bound<'py, PyDict>> {
    let game = game_of(game)?;
    if game == Bacteria::GAME_ROW {
        read::<<Bacteria as TrainedGame>::Record>(py, path)
    } else if game == Renju::GAME_ROW {
        read::<<Renju as TrainedGame>::Record>(py, path)
    } else {
        Err(refused(format!("{game} has no files of positions: they are of bacteria and renju")))
    }
}

fn read<R: Plain + 'static>(py: Python<'_>, path: PathBuf) -> PyResult<Bound<'_, PyDict>> {
    let (records, text) = py.detach(|| dataset::read::<R>(&path)).map_err(refused)?;
    let (count, cells) = (records.len(), R::ROWS * R::ROWS);
    let arrays = PyDict::new(py);
    let boards = PyArray3::<i8>::zeros(py, [count, R::ROWS, R::ROWS], false);
    {
        let mut all = boards.readwrite();
        let all = all.as_slice_mut()?;
        records.iter().enumerate().for_each(|(at, record)| record.numbers(&mut all[at * cells..(at + 1) * cells]));
    }
    arrays.set_item("boards", boards)?;
    arrays.set_item("turns", PyArray1::from_iter(py, records.iter().map(|record| record.turn().index() as i8)))?;
    arrays.set_item("values", PyArray1::from_iter(py, records.iter().map(|record| record.value() as i16)))?;
    arrays.set_item("results", PyArray1::from_iter(py, records.iter().map(PositionRecord::half_points)))?;
    arrays.set_item("plies", PyArray1::from_iter(py, records.iter().map(|record| record.ply() as u16)))?;
    // Its first line is the record type, which the format writes itself.
    arrays.set_item("made", text.split_once('\n').map_or("", |(_, made)| made))?;
    Ok(arrays)
}

/// Appends positions to a file, or creates it; `made` describes how they were made.
#[pyfunction]
#[pyo3(signature = (path, game, boards, turns, values, results, plies, made))]
#[allow(clippy::too_many_arguments, reason = "one for each array")]
pub(crate) fn write_positions(
    py: Python<'_>,
    path: PathBuf,
    game: &str,
    boards: PyReadonlyArray3<'_, i8>,
    turns: PyReadonlyArray1<'_, i8>,
    values: PyReadonlyArray1<'_, i16>,
    results: PyReadonlyArray1<'_, u8>,
    plies: PyReadonlyArray1<'_, u16>,
    made: &str,
) -> PyResult<u64> {
    let arrays = Arrays {
        boards: boards.as_slice()?,
        shape: [boards.shape()[0], boards.shape()[1], boards.shape()[2]],
        turns: turns.as_slice()?,
        values: values.as_slice()?,
        results: results.as_slice()?,
        plies: plies.as_slice()?,
    };
    let game = game_of(game)?;
    py.detach(|| {
        if game == Bacteria::GAME_ROW {
            arrays.write::<<Bacteria as TrainedGame>::Record>(&path, made)
        } else if game == Renju::GAME_ROW {
            arrays.write::<<Renju as TrainedGame>::Record>(&path, made)
        } else {
            Err(format!("{game} has no files of positions: they are of bacteria and renju"))
        }
    })
    .map_err(refused)
}

struct Arrays<'a> {
    boards: &'a [i8],
    shape: [usize; 3],
    turns: &'a [i8],
    values: &'a [i16],
    results: &'a [u8],
    plies: &'a [u16],
}

impl Arrays<'_> {
    fn write<R: Plain>(&self, path: &std::path::Path, made: &str) -> Result<u64, String> {
        let count = self.shape[0];
        if self.shape[1..] != [R::ROWS, R::ROWS] {
            return Err(format!(
                "boards of shape {:?}: (n, {2}, {2}) expected, not of {1:?}",
                self.shape,
                self.shape,
                R::ROWS
            ));
        }
        let lengths = [self.turns.len(), self.values.len(), self.results.len(), self.plies.len()];
        if lengths.iter().any(|&length| length != count) {
            return Err(format!("{count} boards, but {lengths:?} turns, values, results and plies"));
        }
        let cells = R::ROWS * R::ROWS;
        let record = |at: usize| {
            let wrong = |problem: String| format!("position {at}: {problem}");
            let board = &self.boards[at * cells..(at + 1) * cells];
            if let Some(number) = board.iter().find(|number| !(-1..=1).contains(*number)) {
                return Err(wrong(format!("{number} on the board: -1, 0 or 1 expected")));
            }
            let turn = match self.turns[at] {
                0 => Side::First,
                1 => Side::Second,
                turn => return Err(wrong(format!("turn {turn}: 0 or 1 expected"))),
            };
            R::of_numbers(board, turn, self.values[at], self.results[at], self.plies[at]).map_err(wrong)
        };
        let records = (0..count).map(record).collect::<Result<Vec<R>, _>>()?;
        let mut writer = Writer::open::<R>(path, made).map_err(|error| error.to_string())?;
        for block in records.chunks(BLOCK) {
            writer.append(block).map_err(|error| error.to_string())?;
        }
        Ok(writer.records())
    }
}
