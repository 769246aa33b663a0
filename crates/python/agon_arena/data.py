"""Records, stores and files of positions, as arrays to learn from."""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np

from agon_arena import _native
from agon_arena._native import AgonError, Position, Store


@dataclass(frozen=True)
class Game:
    """A game of a record."""

    game: str
    seed: int
    parameters: dict[str, str]
    agents: tuple[str, str]
    winner: int | None
    """Seat that won, 0 or 1; None for a draw and for a game without a result."""
    void: bool
    reason: str
    verdicts: tuple[str, str]
    score: tuple[float, float] | None
    plies: int
    seconds: tuple[float, float]
    moves: tuple[str, ...]
    """Moves in the judge's notation, without the opening."""
    record: str = field(repr=False)

    @classmethod
    def of_record(cls, text: str, *, prove: bool = True) -> Game:
        """Reads the game of a record's text; with `prove` it is replayed by the rules, and every claim checked."""
        row = _native.record_summary(text, prove=prove)
        for name in ("agents", "verdicts", "seconds", "moves"):
            row[name] = tuple(row[name])
        row["score"] = None if row["score"] is None else tuple(row["score"])
        return cls(record=text, **row)

    def positions(self) -> Iterator[Position]:
        """Yields every position, from the start to the end."""
        parameters = dict(self.parameters)
        position = Position(self.game, seed=self.seed, **parameters)
        yield position
        for move in self.moves:
            position = position.play(move)
            yield position

    def arrays(self) -> tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray]:
        """Returns observations (n, planes, rows, columns), actions (n,), results (n,) of 1, 0 or -1 for the side to
        move, and the seats to move (n,), for each position in which a move was played."""
        return _native.record_arrays(self.record)


class Games(Sequence[Game]):
    """Games of a file, read on demand."""

    def __init__(self, path: str | os.PathLike[str], run: int | None = None, *, prove: bool = True) -> None:
        self.path, self._prove = Path(path), prove
        self._store: Store | None = None
        self._texts: list[str] = []
        self._numbers: list[tuple[int, int]] = []
        try:
            with open(self.path, "rb") as file:
                is_store = file.read(16).startswith(b"SQLite format 3")
        except OSError as error:
            raise AgonError(f"cannot read `{self.path}`: {error.strerror}") from error
        if is_store:
            self._store = Store(self.path)
            runs = [row["id"] for row in self._store.runs()]
            if run is not None and run not in runs:
                raise AgonError(f"{self.path} has no run {run}; it has {', '.join(map(str, runs)) or 'none'}")
            for at in runs if run is None else [run]:
                self._numbers.extend((at, game) for game in self._store.games(at))
        else:
            if run is not None:
                raise AgonError(f"{self.path} is a record and has no runs")
            self._texts = list(_records(self.path.read_text("utf-8", "replace")))

    def runs(self) -> list[dict[str, Any]]:
        """Returns the runs of a store: number, game, kind, agents, games played."""
        return self._store.runs() if self._store is not None else []

    def __len__(self) -> int:
        return len(self._numbers) if self._store is not None else len(self._texts)

    def __getitem__(self, at: Any) -> Any:
        if isinstance(at, slice):
            return [self[number] for number in range(*at.indices(len(self)))]
        if self._store is None:
            return Game.of_record(self._texts[at], prove=self._prove)
        run, game = self._numbers[at]
        text = self._store.record(run, game)
        if text is None:
            raise AgonError(f"{self.path}: the record of game {game} of run {run} is gone")
        return Game.of_record(text, prove=self._prove)

    def arrays(self) -> Iterator[tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray]]:
        """Like `Game.arrays`, game by game; games without a result are skipped."""
        for game in self:
            if not game.void:
                yield game.arrays()


def _records(text: str) -> Iterator[str]:
    """Yields the records of a file one after another; each ends with the line of its seal."""
    lines: list[str] = []
    for line in text.splitlines(keepends=True):
        lines.append(line)
        if line.startswith('{"sha256"'):
            yield "".join(lines)
            lines = []
    if any(line.strip() for line in lines):
        yield "".join(lines)


def read(path: str | os.PathLike[str], run: int | None = None, *, prove: bool = True) -> Games:
    """Returns the games of a store (`agon match --store`) or of a file of records, read on demand.

    With `prove` each record is first replayed by the rules; without it, records are trusted, which is faster.
    """
    return Games(path, run, prove=prove)


@dataclass
class Positions:
    """Positions with a search's value and the result of their game, as `agon lab datagen` writes them."""

    game: str
    boards: np.ndarray
    """int8 (n, rows, columns): 1 where the side to move has a piece, -1 where the other side has one."""
    turns: np.ndarray
    """int8 (n,): seat to move, 0 or 1."""
    values: np.ndarray
    """int16 (n,): value of the search for the side to move, in hundredths of the game's unit."""
    results: np.ndarray
    """uint8 (n,): result of the game for the side to move, in half points: 0, 1 or 2."""
    plies: np.ndarray
    """uint16 (n,): number of plies before the position."""
    made: str = ""
    """Description of how the positions were made."""

    def __len__(self) -> int:
        return len(self.boards)


def read_positions(path: str | os.PathLike[str], game: str) -> Positions:
    """Reads the positions of a file by `agon lab datagen GAME`, for bacteria or renju."""
    return Positions(game=game, **_native.read_positions(os.fspath(path), game))


def write_positions(path: str | os.PathLike[str], positions: Positions) -> int:
    """Appends positions to a file for `agon lab train`, creating it if needed; returns their new number.

    A file accepts only positions with the same origin: its text `made` must be equal.
    """

    def array(name: str, dtype: Any) -> np.ndarray:
        found = np.asarray(getattr(positions, name))
        if found.size and found.dtype.kind not in "iu":
            raise AgonError(f"{name}: an array of {np.dtype(dtype)} expected, not of {found.dtype}")
        cast = np.ascontiguousarray(found, dtype)
        if not np.array_equal(cast, found):
            raise AgonError(f"{name}: numbers that {np.dtype(dtype)} holds expected")
        return cast

    boards = array("boards", np.int8)
    if boards.ndim != 3:
        raise AgonError(f"boards of shape {boards.shape}: (n, rows, columns) expected")
    columns = {
        name: array(name, dtype)
        for name, dtype in (("turns", np.int8), ("values", np.int16), ("results", np.uint8), ("plies", np.uint16))
    }
    for name, column in columns.items():
        if column.shape != (len(boards),):
            raise AgonError(f"{name} of shape {column.shape}: ({len(boards)},) expected")
    return _native.write_positions(
        os.fspath(path),
        positions.game,
        boards,
        columns["turns"],
        columns["values"],
        columns["results"],
        columns["plies"],
        positions.made,
    )
