"""Agon's native module. Times are in seconds, scores in points of the game."""

import os
from collections.abc import Callable, Iterator, Sequence
from typing import Any, Final, NoReturn, TypedDict, final, type_check_only

import numpy as np
import numpy.typing as npt

__all__ = [
    "AgonError",
    "Analysis",
    "Batch",
    "Engine",
    "IllegalMoveError",
    "Net",
    "Position",
    "Series",
    "Store",
    "UnknownParameterError",
    "VERSION",
    "_restore_batch",
    "_restore_engine",
    "_restore_game",
    "_restore_net",
    "_restore_position",
    "games",
    "load_rules",
    "net_features",
    "read_positions",
    "record_arrays",
    "record_summary",
    "renju_proof",
    "write_positions",
]

VERSION: Final[str]

class AgonError(ValueError):
    """An input that Agon refuses, with the reason."""

class IllegalMoveError(AgonError):
    """An invalid or illegal move."""

class UnknownParameterError(AgonError, TypeError):
    """A keyword argument that is no parameter of the game."""

@type_check_only
class Line(TypedDict):
    """A line of a search."""

    rank: int
    """Rank of the line, 1 for the best move."""
    depth: int
    """Number of plies searched in full."""
    value: float | None
    """Value for the side to move, in the game's unit; None if a win or a loss is known."""
    wins_in: int | None
    loses_in: int | None
    nodes: int
    seconds: float
    moves: list[str]
    """Moves in the judge's notation, starting with the move to play."""
    letters: list[str]
    """The same moves in people's notation."""

@type_check_only
class Opening(TypedDict):
    black: list[str]
    white: list[str]
    refuted: dict[str, bool]

@final
class Position:
    """A position of a game. It is immutable: playing a move returns a new one, so to undo, keep the old one.

    ``Position("renju")`` is the start, ``Position("bacteria", "x5o/7/7/7/7/7/o5x x 0 1")`` a text in its notation,
    ``Position("renju", moves=["H8", "H9"])`` the position after moves,
    ``Position("domineering", rows=6, columns=6, seed=3)`` a start with parameters of the game, drawn from a seed. For
    the petri dish `species` has hit points, energy and acidity of both players.
    """

    def __new__(
        cls,
        game: str,
        text: str | None = None,
        *,
        moves: Sequence[str] | None = None,
        seed: int = 0,
        species: Sequence[str] | None = None,
        **parameters: Any,
    ) -> Position: ...
    @property
    def game(self) -> str: ...
    @property
    def text(self) -> str:
        """Position in the game's notation."""
    @property
    def turn(self) -> int | None:
        """Seat to move, 0 or 1; None if the game is over."""
    @property
    def seats(self) -> tuple[str, str]:
        """Names of the seats."""
    @property
    def ply(self) -> int:
        """Number of moves played, passes included."""
    @property
    def is_over(self) -> bool: ...
    @property
    def winner(self) -> int | None:
        """Seat that has won; None for a draw and during the game."""
    @property
    def result(self) -> int | None:
        """1 if the first seat has won, -1 if the second has, 0 for a draw; None during the game."""
    @property
    def reason(self) -> str | None:
        """Reason why the game is over, in words."""
    @property
    def score(self) -> tuple[float, float] | None:
        """Points of both seats, if the game has any."""
    @property
    def last_move(self) -> str | None:
        """Last move in people's notation."""
    @property
    def key(self) -> int:
        """64-bit key of everything that matters to the rules except the ply."""
    @property
    def remark(self) -> str | None:
        """Petri dish: why the last action was not carried out."""
    def moves(self, *, letters: bool = False) -> list[str]:
        """Returns the legal moves, in the judge's or people's notation."""
    def play(self, m: str | int) -> Position:
        """Returns the position after a move in either notation, or after an action."""
    def perft(self, depth: int) -> int:
        """Returns the number of lines of `depth` plies."""
    def observation(self, *, seat: int | None = None) -> npt.NDArray[np.float32]:
        """Returns planes (planes, rows, columns) from the view of a seat, or of the side to move."""
    def action_mask(self) -> npt.NDArray[np.int8]:
        """Returns 1 for each legal action (actions,)."""
    def action(self, m: str) -> int:
        """Returns the action of a legal move."""
    def move(self, action: int) -> str:
        """Returns the move of a legal action, in the judge's notation."""
    def symmetries(self) -> list[Position]:
        """Returns the images under the symmetries that keep the seats: 8, or 4 in domineering; itself first."""
    def owners(self) -> npt.NDArray[np.int8]:
        """Returns the owner of each place (rows, columns): 1 for the first seat, -1 for the second, 0 for none."""
    @property
    def has_secrets(self) -> bool:
        """True if the sides see different things."""
    def forbidden(self) -> dict[str, str]:
        """Renju: the points forbidden to Black, whichever side is to move, each with the reason."""
    def proved(self) -> str | None:
        """Renju: Black's winning move in the proved book, if the position is in it."""
    def solve(self, *, time: float | None = None, nodes: int | None = None) -> dict[str, Any]:
        """Returns the proved results within these limits (default: one second).

        Domineering: `low`, `high` (bounds of the first seat's final lead), `value` (if they are
        equal), `winner`, `moves` (both bounds for each move), `line` (perfect play). Renju: `wins` (true if the side to
        move wins by fours and threes; None if undecided), `line`, `nodes`.
        """
    def prompt(self) -> str:
        """Petri dish: the input of the acting cell's program."""
    def svg(self) -> str: ...
    def _repr_svg_(self) -> str: ...
    def rgb(self, cell: int = 24) -> npt.NDArray[np.uint8]:
        """Returns a picture (height, width, 3) with `cell` pixels for each place."""
    def __hash__(self) -> int: ...
    def __eq__(self, other: object, /) -> bool: ...
    def __copy__(self) -> Position: ...
    def __deepcopy__(self, _memo: Any) -> Position: ...
    def __reduce__(self) -> tuple[Any, tuple[Any, ...]]: ...

@final
class Analysis(Iterator[Line]):
    """The lines of a search as they are found. Leaving the loop stops the search."""

    def __iter__(self) -> Analysis: ...
    def __next__(self) -> Line: ...
    def stop(self) -> None: ...
    @property
    def best(self) -> str | None:
        """The best move, once all lines have come."""
    def __reduce__(self) -> NoReturn: ...

@final
class Engine:
    """An engine, which keeps its tables from one search to the next.

    ``Engine("champion", level=3)``, ``Engine("greedy")``, ``Engine("uai:./engine")`` or ``Engine("gomocup:./engine")``
    for a program that speaks such a protocol, ``Engine(net="my.net")`` for the champion with another network. Without
    `game` it serves every game that it plays. A copy or a pickle is an engine of the same description that has learnt
    nothing yet.
    """

    def __new__(
        cls,
        name: str = "champion",
        *,
        level: int | None = None,
        game: str | None = None,
        net: str | os.PathLike[str] | None = None,
        seed: int = 0,
        threads: int = 1,
        memory_mib: int | None = None,
    ) -> Engine: ...
    @property
    def name(self) -> str: ...
    def best_move(
        self, position: Position, *, time: float | None = None, nodes: int | None = None, depth: int | None = None
    ) -> str | None:
        """The best move in the judge's notation, after a second if no limit is given; None when the game is over."""
    def play(
        self,
        position: Position,
        *,
        time: float | None = None,
        nodes: int | None = None,
        depth: int | None = None,
        seed: int | None = None,
    ) -> Position | None:
        """The position after the best move, limited as `best_move` is; None when the game is over.

        With a seed the answer follows from the position, the limits and that seed alone: the engine forgets what it has
        learnt and draws anew. A program behind a protocol takes no seed.
        """
    def analyse(
        self,
        position: Position,
        *,
        time: float | None = None,
        nodes: int | None = None,
        depth: int | None = None,
        lines: int = 1,
    ) -> Analysis:
        """Searches on a thread of its own; iterate over the result."""
    def __reduce__(self) -> tuple[Any, tuple[Any, ...]]: ...

@final
class Batch:
    """Games played side by side, as arrays.

    The arrays are written in place by `step` and `reset`: the same memory each time, so copy what you keep. They cannot
    be written from Python. With `autoreset` a game that ends begins anew in the same step, as
    gymnasium.vector.AutoresetMode.SAME_STEP says: `observations` has the new start, `final_observations` the end.
    A copy or a pickle plays on as the batch itself would.
    """

    def __new__(
        cls,
        game: str,
        n: int,
        *,
        seed: int = 0,
        threads: int | None = None,
        autoreset: bool = True,
        **parameters: Any,
    ) -> Batch: ...
    @property
    def game(self) -> str: ...
    @property
    def actions(self) -> int: ...
    @property
    def threads(self) -> int: ...
    @property
    def metadata(self) -> dict[str, str]: ...
    @property
    def observations(self) -> npt.NDArray[np.float32]:
        """(n, planes, rows, columns) from the view of the side to move."""
    @property
    def final_observations(self) -> npt.NDArray[np.float32]:
        """(n, planes, rows, columns): where `terminated` is true, the row has the final position of the game."""
    @property
    def action_masks(self) -> npt.NDArray[np.int8]:
        """(n, actions): 1 for each legal action."""
    @property
    def turns(self) -> npt.NDArray[np.int8]:
        """(n,): the seat to move."""
    @property
    def rewards(self) -> npt.NDArray[np.float32]:
        """(n, 2): for the first seat and the second, 1, -1 or 0 in the step in which a game ends."""
    @property
    def terminated(self) -> npt.NDArray[np.bool_]:
        """(n,): true if the game ended in the last step."""
    @property
    def plies(self) -> npt.NDArray[np.int32]:
        """(n,): number of moves played since the start."""
    def step(self, actions: npt.ArrayLike) -> None:
        """Plays an action in each game, whole numbers (n,); -1 leaves a game unchanged. Plays all or none."""
    def sample(self) -> npt.NDArray[np.int64]:
        """Returns a random legal action for each game (n,); -1 if the game is over."""
    def reset(self, rows: npt.ArrayLike | None = None) -> None:
        """Restarts these games, or all."""
    def random_plies(self, plies: int) -> int:
        """Plays this number of random plies in each game, restarts finished games, and returns how many finished."""
    def position(self, row: int) -> Position: ...
    def put(self, row: int, position: Position) -> None:
        """Replaces a game by a position."""
    def copy(self, targets: npt.ArrayLike, sources: npt.ArrayLike, source: Batch | None = None) -> None:
        """Copies games over others, from this batch or another one of the same game."""
    def __len__(self) -> int: ...
    def __copy__(self) -> Batch: ...
    def __deepcopy__(self, _memo: Any) -> Batch: ...
    def __reduce__(self) -> tuple[Any, tuple[Any, ...]]: ...

@final
class Series:
    """A match or a sequential test; `agon_arena.match` and `sprt` play it."""

    def __new__(
        cls,
        game: str,
        a: str | Callable[[int, int], Any],
        b: str | Callable[[int, int], Any],
        names: Sequence[str],
        games: int,
        *,
        clock: str | None = None,
        openings: int | None = None,
        seed: int = 1,
        sprt: tuple[float, float, float, float, bool] | None = None,
        parameters: dict[str, Any] | None = None,
    ) -> Series: ...
    @property
    def games(self) -> int: ...
    @property
    def openings(self) -> int: ...
    def play(self, number: int) -> tuple[str, str] | None: ...
    def stop(self) -> None: ...
    def raised(self) -> list[tuple[int, str]]: ...
    def status(self) -> dict[str, Any]: ...
    def __reduce__(self) -> NoReturn: ...

@final
class Store:
    """A store of series, open for reading; `agon_arena.read` reads its games. A fork and a pickle open it anew."""

    def __new__(cls, path: str | os.PathLike[str]) -> Store: ...
    def runs(self) -> list[dict[str, Any]]: ...
    def games(self, run: int) -> list[int]: ...
    def record(self, run: int, game: int) -> str | None: ...
    def __reduce__(self) -> tuple[type[Store], tuple[os.PathLike[str]]]: ...

@final
class Net:
    """A network of a champion's search, in whole numbers."""

    @staticmethod
    def read(path: str | os.PathLike[str]) -> Net: ...
    @staticmethod
    def champion(game: str) -> Net: ...
    @staticmethod
    def make(
        rows: npt.NDArray[np.int16],
        bias: npt.NDArray[np.int16],
        outputs: npt.NDArray[np.int16],
        output_bias: npt.NDArray[np.int32],
        *,
        weight_one: int = 64,
        scale: int = 400,
        images: int = 1,
        provenance: str = "",
    ) -> Net:
        """Creates a net of Bacteria War: rows (features, h), bias (h,), outputs (stages, 2 h), output_bias (stages,)."""
    def write(self, path: str | os.PathLike[str]) -> None:
        """Writes a network file; the same network gives the same bytes."""
    @property
    def sha256(self) -> str: ...
    @property
    def provenance(self) -> str: ...
    @property
    def one(self) -> int:
        """Number that represents 1.0 in the rows and the hidden layer."""
    def arrays(self) -> dict[str, Any]: ...
    def evaluate(self, positions: Sequence[Position]) -> npt.NDArray[np.int32]:
        """Returns the values of positions of Bacteria War for the side to move, in hundredths of a cell (n,)."""
    def __eq__(self, other: object, /) -> bool: ...
    def __copy__(self) -> Net: ...
    def __deepcopy__(self, _memo: Any) -> Net: ...
    def __reduce__(self) -> tuple[Any, tuple[Any, ...]]: ...

def games() -> list[dict[str, Any]]:
    """Returns the games: name, title, summary, seats, engines, levels, turns, parameters."""

def load_rules(path: str | os.PathLike[str]) -> str:
    """Loads a game from a rules program (docs/own-game.md) and returns its name."""

def renju_proof() -> list[Opening]:
    """Returns the proved openings of renju, with true for each fourth move of White that is proved to lose."""

def record_summary(text: str, *, prove: bool = True) -> dict[str, Any]: ...
def record_arrays(
    text: str,
) -> tuple[npt.NDArray[np.float32], npt.NDArray[np.int64], npt.NDArray[np.float32], npt.NDArray[np.int8]]: ...
def read_positions(path: str | os.PathLike[str], game: str) -> dict[str, Any]: ...
def write_positions(
    path: str | os.PathLike[str],
    game: str,
    boards: npt.NDArray[np.int8],
    turns: npt.NDArray[np.int8],
    values: npt.NDArray[np.int16],
    results: npt.NDArray[np.uint8],
    plies: npt.NDArray[np.uint16],
    made: str,
) -> int: ...
def net_features(boards: npt.NDArray[np.int8]) -> tuple[npt.NDArray[np.int32], npt.NDArray[np.int64]]: ...

# What pickles call.
def _restore_batch(form: tuple[Any, ...], positions: Sequence[str], drawn: Sequence[int], last: Any) -> Batch: ...
def _restore_engine(
    game: str | None, name: str, net: str | None, seed: int, memory_mib: int | None, threads: int
) -> Engine: ...
def _restore_game(
    game: str,
    rules: str | os.PathLike[str] | None,
    text: str | None,
    setup: tuple[int, dict[str, str]],
    species: Sequence[str] | None,
    moves: Sequence[str],
) -> Position: ...
def _restore_net(bytes: bytes) -> Net: ...
def _restore_position(game: str, text: str, m: str | None) -> Position: ...
