"""What Agon's own code gives to Python. Times are in seconds, scores in points of the game."""

import os
from collections.abc import Callable, Iterator, Sequence
from typing import Any, Final, TypedDict, final, type_check_only

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
    "VERSION",
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
    """What Agon refuses, and why."""

class IllegalMoveError(AgonError):
    """A move that is none, or that the rules refuse."""

@type_check_only
class Line(TypedDict):
    """A line of a search."""

    rank: int
    """1 for the best move, 2 for the next."""
    depth: int
    """Plies searched in full."""
    value: float | None
    """For the side to move, in the game's unit; None where a win or a loss is known."""
    wins_in: int | None
    loses_in: int | None
    nodes: int
    seconds: float
    moves: list[str]
    """In the judge's notation, the move to be played first."""
    letters: list[str]
    """The same as people write them."""

@type_check_only
class Opening(TypedDict):
    black: list[str]
    white: list[str]
    refuted: dict[str, bool]

@final
class Position:
    """A position of a game. It never changes: playing a move makes another one, so keeping it is undoing.

    ``Position("renju")`` is the start, ``Position("bacteria", "x5o/7/7/7/7/7/o5x x 0 1")`` a text in its notation,
    ``Position("renju", moves=["H8", "H9"])`` what moves lead to, ``Position("domineering", rows=6, columns=6, seed=3)``
    a start with parameters of the game, drawn from a seed. For the petri dish `species` has hit points, energy and
    acidity of both players.
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
        """The position in the game's own notation."""
    @property
    def turn(self) -> int | None:
        """The seat to move, 0 or 1; None when the game is over."""
    @property
    def seats(self) -> tuple[str, str]:
        """What the game calls its seats."""
    @property
    def ply(self) -> int:
        """Moves played, passes included."""
    @property
    def is_over(self) -> bool: ...
    @property
    def winner(self) -> int | None:
        """The seat that has won; None of a draw, and while the game goes on."""
    @property
    def result(self) -> int | None:
        """1 if the first seat has won, -1 if the second has, 0 of a draw; None while the game goes on."""
    @property
    def reason(self) -> str | None:
        """Why the game is over, in words."""
    @property
    def score(self) -> tuple[float, float] | None:
        """Points of both seats, where the game has any."""
    @property
    def last_move(self) -> str | None:
        """As people write it."""
    @property
    def key(self) -> int:
        """64 bits of all that the rules look at, except the ply."""
    @property
    def remark(self) -> str | None:
        """Petri dish: why the last action did not do what it said."""
    def moves(self, *, letters: bool = False) -> list[str]:
        """The legal moves in the judge's notation, or as people write them."""
    def play(self, m: str | int) -> Position:
        """The position after a move in either notation, or after an action."""
    def perft(self, depth: int) -> int:
        """The number of lines of `depth` plies."""
    def observation(self, *, seat: int | None = None) -> npt.NDArray[np.float32]:
        """Planes (planes, rows, columns) in the view of a seat, or of the side to move."""
    def action_mask(self) -> npt.NDArray[np.int8]:
        """1 for each legal action (actions,)."""
    def action(self, m: str) -> int:
        """The action of a legal move."""
    def move(self, action: int) -> str:
        """The move of a legal action, in the judge's notation."""
    def symmetries(self) -> list[Position]:
        """The images under the symmetries of the board that keep the seats: 8, or 4 of domineering; itself first."""
    def owners(self) -> npt.NDArray[np.int8]:
        """Whose piece stands on each place (rows, columns): 1 for the first seat, -1 for the second, 0 for none."""
    @property
    def has_secrets(self) -> bool:
        """Whether a side must not see all that the other one sees."""
    def forbidden(self) -> dict[str, str]:
        """Renju: the points that are forbidden to Black, whoever is to move, each with the reason."""
    def proved(self) -> str | None:
        """Renju: Black's winning move in the proved book, if the position is in it."""
    def solve(self, *, time: float | None = None, nodes: int | None = None) -> dict[str, Any]:
        """What is proved within these limits (one second if none is given).

        Domineering: `low`, `high` (the lead of the first seat at the end lies between them), `value` (where they are
        equal), `winner`, `moves` (both bounds for each move), `line` (perfect play). Renju: `wins` (whether the side to
        move wins by fours and threes; None where that is not decided), `line`, `nodes`.
        """
    def prompt(self) -> str:
        """Petri dish: what the acting cell's program is shown."""
    def svg(self) -> str: ...
    def _repr_svg_(self) -> str: ...
    def rgb(self, cell: int = 24) -> npt.NDArray[np.uint8]:
        """A picture (height, width, 3) with `cell` pixels for each place."""
    def __hash__(self) -> int: ...
    def __eq__(self, other: object, /) -> bool: ...
    def __reduce__(self) -> tuple[type[Position], tuple[str, str]]: ...

@final
class Analysis(Iterator[Line]):
    """The lines of a search, as they are found. Leaving it stops the search."""

    def __iter__(self) -> Analysis: ...
    def __next__(self) -> Line: ...
    def stop(self) -> None: ...
    @property
    def best(self) -> str | None:
        """The best move, once all lines have come."""

@final
class Engine:
    """An engine, whose tables stay from one search to the next.

    ``Engine("champion", level=3)``, ``Engine("greedy")``, ``Engine("uai:./engine")`` or ``Engine("gomocup:./engine")``
    for a program that speaks such a protocol, ``Engine(net="my.net")`` for the champion with another network. Without
    `game` it serves every game that it plays.
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

@final
class Batch:
    """Games that are played side by side, as arrays.

    The arrays are written in place by `step` and `reset`: the same memory each time, so copy what you keep. They cannot
    be written from Python. With `autoreset` a game that ends begins anew in the same step, as
    gymnasium.vector.AutoresetMode.SAME_STEP says: `observations` has the new start, `final_observations` the end.
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
        """(n, planes, rows, columns) in the view of the side to move."""
    @property
    def final_observations(self) -> npt.NDArray[np.float32]:
        """(n, planes, rows, columns): rows where `terminated` is true have the position at the end of the game."""
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
        """(n,): whether the game has ended in the last step."""
    @property
    def plies(self) -> npt.NDArray[np.int32]:
        """(n,): moves played since the start."""
    def step(self, actions: npt.ArrayLike) -> None:
        """Plays an action in each game, whole numbers (n,); -1 leaves a game as it is. All or none are played."""
    def sample(self) -> npt.NDArray[np.int64]:
        """A random legal action of each game (n,); -1 where the game is over."""
    def reset(self, rows: npt.ArrayLike | None = None) -> None:
        """Begins these games anew, or all."""
    def random_plies(self, plies: int) -> int:
        """Plays this number of random plies in each game, begins anew what ends, and returns how many have ended."""
    def position(self, row: int) -> Position: ...
    def put(self, row: int, position: Position) -> None:
        """Puts a position in place of a game."""
    def copy(self, targets: npt.ArrayLike, sources: npt.ArrayLike, source: Batch | None = None) -> None:
        """Copies games over others, of this batch or from another one of the same game."""
    def __len__(self) -> int: ...

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

@final
class Store:
    """A store of series, open for reading; `agon_arena.read` reads its games."""

    def __new__(cls, path: str | os.PathLike[str]) -> Store: ...
    def runs(self) -> list[dict[str, Any]]: ...
    def games(self, run: int) -> list[int]: ...
    def record(self, run: int, game: int) -> str | None: ...

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
        """A network of Bacteria War: rows (features, h), bias (h,), outputs (stages, 2 h), output_bias (stages,)."""
    def write(self, path: str | os.PathLike[str]) -> None:
        """Writes a net file; the same network gives the same bytes."""
    @property
    def sha256(self) -> str: ...
    @property
    def provenance(self) -> str: ...
    @property
    def one(self) -> int:
        """What stands for 1.0 in the rows and in the hidden layer."""
    def arrays(self) -> dict[str, Any]: ...
    def evaluate(self, positions: Sequence[Position]) -> npt.NDArray[np.int32]:
        """What it says of positions of Bacteria War, for the side to move, in hundredths of a cell (n,)."""
    def __eq__(self, other: object, /) -> bool: ...

def games() -> list[dict[str, Any]]:
    """The games: name, title, summary, seats, engines, levels, turns, parameters."""

def load_rules(path: str | os.PathLike[str]) -> str:
    """Makes the rules in a file, a program of others (docs/own-game.md), a game; returns its name."""

def renju_proof() -> list[Opening]:
    """The proved openings of renju: whether Black is proved to win against each fourth move of White."""

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
