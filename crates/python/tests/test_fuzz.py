"""No input ends the interpreter: whatever is given, an answer or an exception comes."""

from __future__ import annotations

import os
from typing import Any

import agon_arena
import numpy as np
import pytest
from agon_arena import Batch, Engine, Net, Position

hypothesis = pytest.importorskip("hypothesis")
from hypothesis import given, settings  # noqa: E402
from hypothesis import strategies as st  # noqa: E402
from hypothesis.extra import numpy as arrays  # noqa: E402

MANY = settings(max_examples=1_000 if os.environ.get("AGON_SLOW") else 40, deadline=None)
GAMES = st.sampled_from(["bacteria", "domineering", "renju", "petri", "", "chess"])
TEXTS = st.one_of(
    st.text(max_size=40),
    st.sampled_from(
        [
            "x5o/7/7/7/7/7/o5x x 0 1",
            "7/7/7/7/7/7/7 o 0 400",
            "12/31 ../.. H 0 2.5 0",
            "12/31 <>/.. V 2 -9999.5 4294967295",
            "15/15/15/15/15/15/15/15/15/15/15/15/15/15/15 B 2 2",
            "H8",
            "-1 -1",
            "PASS",
            "a7b6",
        ]
    ),
)
ANYTHING: Any = st.one_of(
    st.none(),
    st.booleans(),
    st.integers(),
    st.floats(),
    TEXTS,
    st.binary(max_size=20),
    st.lists(st.integers(-3, 900), max_size=5),
    arrays.arrays(
        st.sampled_from([np.int8, np.int16, np.int64, np.uint64, np.float32, np.bool_, np.complex64, "U3"]),
        arrays.array_shapes(min_dims=0, max_dims=3, min_side=0, max_side=7),
    ),
    st.builds(object),
)


def survives(act: Any) -> Any:
    """An exception is an answer; what is no `Exception`, as a panic of Rust, is not."""
    try:
        return act()
    except Exception as error:
        assert str(error) is not None
        return None


@MANY
@given(GAMES, TEXTS, st.lists(TEXTS, max_size=3), ANYTHING, ANYTHING)
def test_positions(game: str, text: str, moves: list[str], anything: Any, other: Any) -> None:
    for make in (lambda: Position(game, text), lambda: Position(game, moves=moves), lambda: Position(game, anything)):
        position = survives(make)
        if position is None:
            continue
        survives(lambda: position.play(anything))
        survives(lambda: position.move(anything))
        survives(lambda: position.action(text))
        survives(lambda: position.perft(anything) if isinstance(anything, int) and anything < 3 else None)
        survives(lambda: position.rgb(anything))
        survives(lambda: position.observation(seat=anything))
        survives(lambda: position.solve(nodes=50))
        survives(lambda: (position.symmetries(), position.forbidden(), str(position), position.svg(), position.key))
        survives(lambda: position == other)
        survives(lambda: list(Engine("greedy").analyse(position, nodes=20)))


@MANY
@given(st.sampled_from(["bacteria", "domineering", "renju"]), ANYTHING, ANYTHING, ANYTHING)
def test_batches(game: str, one: Any, two: Any, three: Any) -> None:
    survives(lambda: Batch(game, one if not isinstance(one, int) or abs(one) > 1 << 60 else one % 64, seed=two))
    batch = Batch(game, 5, threads=1)
    for act in (
        lambda: batch.step(one),
        lambda: batch.reset(one),
        lambda: batch.position(one),
        lambda: batch.copy(one, two),
        lambda: batch.copy([0], [1], three),
        lambda: batch.put(0, two),
        lambda: batch.put(one, Position(game)),
    ):
        survives(act)
    batch.step(batch.sample())


@MANY
@given(ANYTHING, ANYTHING, ANYTHING, st.text(max_size=30), st.binary(max_size=200))
def test_the_rest(one: Any, two: Any, three: Any, text: str, data: bytes) -> None:
    survives(lambda: agon_arena.net_features(one))
    survives(lambda: agon_arena.quantise(one, two, three, one))
    survives(lambda: Net.make(one, two, three, one))
    survives(lambda: agon_arena.Game.of_record(text))
    survives(lambda: agon_arena.Game.of_record(data.decode("utf-8", "replace")))
    survives(lambda: Engine(text, level=two if isinstance(two, int) else None, game="renju"))
    survives(lambda: Engine(net=text).best_move(Position("bacteria"), nodes=1))
    survives(lambda: agon_arena.Positions("bacteria", one, two, three, one, two) and None)


@MANY
@given(st.binary(max_size=300), st.sampled_from(["x.db", "x.positions", "x.net"]))
def test_files(data: bytes, name: str) -> None:
    import tempfile
    from pathlib import Path

    with tempfile.TemporaryDirectory() as folder:
        for head in (b"", b"AGONDATA\x01\0\0\0", b"AGON NET\x01\0\0\0", b"SQLite format 3\0"):
            path = Path(folder) / name
            path.write_bytes(head + data)
            survives(lambda: agon_arena.read(path)[0])
            survives(lambda: agon_arena.read_positions(path, "renju"))
            survives(lambda: Net.read(path))
