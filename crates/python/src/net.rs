//! Networks as arrays, and their features.

use std::fs;
use std::path::PathBuf;
use std::sync::Arc;

use agon_catalog::CatalogPosition;

use agon_engines::bacteria::windows::{Occupancy, Windows};
use agon_jobs::write_atomically;
use agon_rules::bacteria::Bacteria;
use agon_rules::bacteria::board::{CELLS, WIDTH};
use agon_rules::renju::Renju;
use agon_search::Evaluate;
use agon_search::nnue::features::List;
use agon_search::nnue::network::{NetworkShape, NetworkWeights, PoolWeights};
use agon_search::nnue::{Evaluator, Features, Network};
use agon_training::TrainedGame;
use numpy::{
    PyArray1, PyArray3, PyArrayMethods, PyReadonlyArray1, PyReadonlyArray2, PyReadonlyArray3, PyUntypedArrayMethods,
};
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyDict};

use crate::failure::refused;
use crate::position::Position;
use crate::reduced::{Reduced, reduced};
use crate::typed::{Typed, game_of};

/// A network of a champion's search, in whole numbers.
#[pyclass(frozen, module = "agon_arena")]
pub struct Net(Arc<Network>);

#[pymethods]
impl Net {
    #[staticmethod]
    fn read(path: PathBuf) -> PyResult<Self> {
        let bytes = fs::read(&path).map_err(|error| refused(format!("cannot read `{}`: {error}", path.display())))?;
        let network = Network::read(&bytes).map_err(|error| refused(format!("{}: {error}", path.display())))?;
        Ok(Self(Arc::new(network)))
    }

    #[staticmethod]
    fn champion(game: &str) -> PyResult<Self> {
        let game = game_of(game)?;
        if game == <Bacteria as CatalogPosition>::GAME {
            Ok(Self(<Bacteria as TrainedGame>::champion()))
        } else if game == <Renju as CatalogPosition>::GAME {
            Ok(Self(<Renju as TrainedGame>::champion()))
        } else {
            Err(refused(format!("the champion of {game} has no network")))
        }
    }

    /// A network of Bacteria War of these whole numbers.
    #[staticmethod]
    #[pyo3(signature = (rows, bias, outputs, output_bias, *, weight_one=64, scale=400, images=1, provenance=""))]
    #[allow(clippy::too_many_arguments, reason = "one for each array")]
    fn make(
        rows: PyReadonlyArray2<'_, i16>,
        bias: PyReadonlyArray1<'_, i16>,
        outputs: PyReadonlyArray2<'_, i16>,
        output_bias: PyReadonlyArray1<'_, i32>,
        weight_one: i32,
        scale: i32,
        images: usize,
        provenance: &str,
    ) -> PyResult<Self> {
        let (count, part, stages) = (rows.shape()[0], rows.shape()[1], outputs.shape()[0]);
        let expected = [count, <Windows as Features<Bacteria>>::COUNT, stages, <Windows as Features<Bacteria>>::STAGES];
        if expected[0] != expected[1] || expected[2] != expected[3] || outputs.shape()[1] != 2 * part {
            return Err(refused(format!(
                "rows of shape ({count}, {part}) and outputs of shape ({stages}, {}): ({}, hidden) and \
                 ({}, 2 * hidden) are expected",
                outputs.shape()[1],
                expected[1],
                expected[3]
            )));
        }
        let shape = NetworkShape {
            features: <Windows as Features<Bacteria>>::NAME.to_owned(),
            count,
            hidden: part.checked_mul(images).ok_or_else(|| refused("too many images"))?,
            images,
            stages,
            points: 0,
            narrow: true,
        };
        let weights = NetworkWeights {
            rows: rows.as_slice()?.to_vec(),
            bias: bias.as_slice()?.to_vec(),
            weight_one,
            outputs: outputs.as_slice()?.to_vec(),
            output_bias: output_bias.as_slice()?.to_vec(),
            pool: PoolWeights::default(),
            scale,
        };
        if images == 0 {
            return Err(refused("0 images: 1 or 8 expected"));
        }
        Ok(Self(Arc::new(Network::new(shape, &weights, provenance.to_owned()).map_err(refused)?)))
    }

    /// Writes a network file; the same network gives the same bytes.
    fn write(&self, path: PathBuf) -> PyResult<()> {
        write_atomically(&path, self.0.write()).map_err(refused)
    }

    #[getter]
    fn sha256(&self) -> String {
        self.0.hash()
    }

    #[getter]
    fn provenance(&self) -> &str {
        self.0.provenance()
    }

    /// Number that represents 1.0 in the rows and the hidden layer.
    #[getter]
    fn one(&self) -> i16 {
        self.0.shape().one()
    }

    fn arrays<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        let (shape, weights) = (self.0.shape(), self.0.weights());
        let arrays = PyDict::new(py);
        let part = shape.part();
        arrays.set_item("features", &shape.features)?;
        arrays.set_item("rows", PyArray1::from_vec(py, weights.rows).reshape([shape.count, part])?)?;
        arrays.set_item("bias", PyArray1::from_vec(py, weights.bias))?;
        arrays.set_item("outputs", PyArray1::from_vec(py, weights.outputs).reshape([shape.stages, 2 * part])?)?;
        arrays.set_item("output_bias", PyArray1::from_vec(py, weights.output_bias))?;
        arrays.set_item("weight_one", weights.weight_one)?;
        arrays.set_item("scale", weights.scale)?;
        arrays.set_item("images", shape.images)?;
        arrays.set_item("points", shape.points)?;
        Ok(arrays)
    }

    /// Returns the values of positions of Bacteria War for the side to move, in hundredths of a cell.
    fn evaluate<'py>(
        &self,
        py: Python<'py>,
        positions: Vec<PyRef<'py, Position>>,
    ) -> PyResult<Bound<'py, PyArray1<i32>>> {
        let mut evaluation = Evaluator::<Bacteria, Windows>::new(Arc::clone(&self.0)).map_err(refused)?;
        let mut values = Vec::with_capacity(positions.len());
        for position in &positions {
            let Typed::Bacteria(placed) = position.typed()? else {
                return Err(refused(format!("a position of bacteria expected, not of {}", position.game)));
            };
            values.push(evaluation.value(&placed.now));
        }
        Ok(PyArray1::from_vec(py, values))
    }

    fn __eq__(&self, other: &Self) -> bool {
        self.0 == other.0
    }

    fn __reduce__<'py>(&self, py: Python<'py>) -> PyResult<Reduced<'py>> {
        reduced(py, "_restore_net", (PyBytes::new(py, &self.0.write()),))
    }

    /// Immutable, so a copy is the same object.
    const fn __copy__(slf: PyRef<'_, Self>) -> PyRef<'_, Self> {
        slf
    }

    const fn __deepcopy__<'py>(slf: PyRef<'py, Self>, _memo: &Bound<'py, PyAny>) -> PyRef<'py, Self> {
        slf
    }

    fn __repr__(&self) -> String {
        let shape = self.0.shape();
        format!("Net({:?}, hidden={}, images={})", shape.features, shape.hidden, shape.images)
    }
}

/// A network of the bytes of a net file.
#[pyfunction]
#[pyo3(name = "_restore_net")]
pub(crate) fn restore_net(bytes: &[u8]) -> PyResult<Net> {
    Ok(Net(Arc::new(Network::read(bytes).map_err(refused)?)))
}

/// Numbers of features, and stages.
type Seen<'py> = (Bound<'py, PyArray3<i32>>, Bound<'py, PyArray1<i64>>);

/// Returns the features that a network of Bacteria War sees on boards (n, 7, 7), with 1 for the mover's cells and -1
/// for the opponent's: numbers of features (n, 2, k) in the mover's and the opponent's view, padded with -1, and the
/// stage of each (n,).
#[pyfunction]
pub(crate) fn net_features<'py>(py: Python<'py>, boards: PyReadonlyArray3<'py, i8>) -> PyResult<Seen<'py>> {
    if boards.shape()[1..] != [WIDTH, WIDTH] {
        return Err(refused(format!("boards of shape {:?}: (n, 7, 7) expected", boards.shape())));
    }
    let count = boards.shape()[0];
    let active = <Windows as Features<Bacteria>>::ACTIVE;
    let features = PyArray3::<i32>::zeros(py, [count, 2, active], false);
    let stages = PyArray1::<i64>::zeros(py, [count], false);
    {
        let (mut features, mut stages) = (features.readwrite(), stages.readwrite());
        let (features, stages) = (features.as_slice_mut()?, stages.as_slice_mut()?);
        let mut views = <[List; 2]>::default();
        for (at, board) in boards.as_slice()?.chunks_exact(CELLS).enumerate() {
            let cells = |sign: i8| (0..CELLS).filter(|&cell| board[cell] == sign).fold(0, |set, cell| set | 1 << cell);
            let board = Occupancy::new([cells(1), cells(-1)]);
            views.iter_mut().for_each(List::clear);
            <Windows as Features<Bacteria>>::present(board, &mut views);
            for (view, row) in views.iter().zip(features[at * 2 * active..].chunks_exact_mut(active)) {
                row.fill(-1);
                for (number, &feature) in row.iter_mut().zip(view.as_slice()) {
                    *number = feature as i32;
                }
            }
            stages[at] = <Windows as Features<Bacteria>>::stage(board) as i64;
        }
    }
    Ok((features, stages))
}
