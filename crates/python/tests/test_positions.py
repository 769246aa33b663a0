"""Positions, knowledge and engines."""

from __future__ import annotations

import asyncio
import json
import os
import pickle
import shutil
import signal
import stat
import subprocess
import sys
import threading
import time
from pathlib import Path

import agon_arena
import numpy as np
import pytest
from agon_arena import AgonError, Engine, IllegalMoveError, Position

TURN_GAMES = ["bacteria", "domineering", "renju"]


@pytest.mark.parametrize("game", TURN_GAMES)
def test_a_position_is_a_value(game: str) -> None:
    start = Position(game, seed=7)
    again = Position(game, start.text)
    assert start == again and hash(start) == hash(again) and start.key == again.key
    assert pickle.loads(pickle.dumps(start)) == start
    assert eval(repr(start), {"Position": Position}) == start
    after = start.play(start.moves()[0])
    assert after != start and start == again and after.ply == 1
    assert after.turn == 1 and start.turn == 0 and not after.is_over and after.result is None
    assert start.perft(1) == start.action_mask().sum()
    assert start.perft(2) == sum(start.play(int(a)).perft(1) for a in np.flatnonzero(start.action_mask()))


@pytest.mark.parametrize("game", TURN_GAMES)
def test_moves_actions_and_masks_agree(game: str) -> None:
    position = Position(game, seed=3)
    rng = np.random.default_rng(1)
    while not position.is_over:
        legal = np.flatnonzero(position.action_mask())
        texts = {position.move(int(action)) for action in legal}
        # Of Bacteria War's divisions from several sources to one place there is one action.
        assert texts <= set(position.moves()) and len(texts) == len(legal)
        assert {position.action(move) for move in position.moves()} == set(legal.tolist())
        position = position.play(int(rng.choice(legal)))
    assert position.turn is None and position.result in (-1, 0, 1) and position.reason
    assert not position.action_mask().any() and position.moves() == []
    with pytest.raises(IllegalMoveError):
        position.play(0)


def test_moves_are_read_in_both_notations() -> None:
    position = Position("renju", moves=["H8", "8 9", "i9"])
    assert position.play("J10").last_move == "J10"
    assert position.moves(letters=True)[-1] == "PASS"
    with pytest.raises(IllegalMoveError, match="H8.*taken by Black"):
        position.play("H8")
    with pytest.raises(TypeError, match="not float"):
        position.play(1.5)  # type: ignore[arg-type]
    assert position.play(np.int64(0)).ply == 4


@pytest.mark.parametrize("game", TURN_GAMES)
def test_symmetries_keep_what_can_be_played(game: str) -> None:
    position = Position(game, seed=5)
    for move in range(4):
        position = position.play(position.moves()[2 * move % len(position.moves())])
    images = position.symmetries()
    assert images[0] == position and len(images) == (4 if game == "domineering" else 8)
    assert {image.perft(2) for image in images} == {position.perft(2)}
    assert {image.score for image in images} == {position.score}


def test_what_is_wrong_is_said() -> None:
    with pytest.raises(AgonError, match="there is no game `chess`; there are bacteria"):
        Position("chess")
    with pytest.raises(AgonError, match="got an unexpected keyword argument 'size'"):
        Position("renju", size=9)
    with pytest.raises(AgonError, match="rows is `9`; 1 to 8 expected"):
        Position("domineering", rows=9)
    with pytest.raises(AgonError, match="is not a position of bacteria"):
        Position("bacteria", "x")
    with pytest.raises(AgonError, match="leave out the parameters"):
        Position("domineering", Position("domineering").text, rows=3)
    with pytest.raises(AgonError, match="they are renju's"):
        Position("bacteria").forbidden()
    with pytest.raises(AgonError, match="at most 64"):
        Position("bacteria").perft(65)
    with pytest.raises(AgonError, match=r"9 \+ 9 \+ 9 is 27, not 12"):
        Position("petri", species=["9 9 9", "1 1 1"])


def test_pictures() -> None:
    position = Position("renju", moves=["H8", "H9", "I9"])
    assert position._repr_svg_().startswith("<svg ") and position.svg() == position._repr_svg_()
    image = position.rgb(20)
    assert image.shape == (300, 300, 3) and image.dtype == np.uint8
    # A black stone on the middle, wood in the corner.
    assert image[150, 143].sum() < 150 and image[1, 1].tolist() == [0xE6, 0xC7, 0x8C]
    assert str(position).splitlines()[8].split()[8] == "B"
    with pytest.raises(AgonError, match="4 to 128"):
        position.rgb(1000)


def test_forbidden_points_are_explained() -> None:
    black, white = ["F8", "G8", "H9", "H10"], ["A1", "C1", "E1", "G1"]
    rows = [["."] * 15 for _ in range(15)]
    for stones, letter in ((black, "B"), (white, "W")):
        for stone in stones:
            rows[15 - int(stone[1:])][ord(stone[0]) - ord("A")] = letter

    def packed(row: list[str]) -> str:
        text, empty = "", 0
        for cell in [*row, "|"]:
            if cell == ".":
                empty += 1
                continue
            text, empty = text + (str(empty) if empty else "") + cell, 0
        return text[:-1]

    position = Position("renju", "/".join(packed(row) for row in rows) + " B")
    assert position.forbidden() == {"H8": "double three on the row and the column"}
    with pytest.raises(IllegalMoveError, match="double three"):
        position.play("H8")


def test_the_proof_of_renju() -> None:
    openings = agon_arena.renju_proof()
    assert openings and all(len(row["black"]) == 2 and len(row["white"]) == 1 for row in openings)
    for row in openings:
        refuted = [fourth for fourth, done in row["refuted"].items() if done]
        assert refuted
        black, white = row["black"], row["white"]
        second = next(point for point in black if point != "H8")
        position = Position("renju", moves=["H8", *white, second])
        # Black wins against each of them: the book has its answer, or threats win at once.
        answers = [position.play(fourth).proved() for fourth in refuted[:40]]
        assert any(answers)
        for fourth, answer in zip(refuted, answers, strict=False):
            if answer is not None:
                position.play(fourth).play(answer)


def test_domineering_is_solved_exactly() -> None:
    position = Position("domineering", "12/31 ../.. H 0 2.5 0")
    solution = position.solve(time=10)
    assert solution["value"] == 7 - 2.5 and solution["winner"] == 0
    # The value is what perfect play ends at, and no move does better.
    best = max(low for low, _ in solution["moves"].values())
    assert best == solution["value"]
    for move in solution["line"]:
        position = position.play(move)
    assert position.is_over and position.score is not None
    assert position.score[0] - position.score[1] == solution["value"]
    assert solution["line"]


def test_a_win_by_fours_is_found() -> None:
    moves = ["H8", "I9", "H7", "A1", "H6", "A3"]
    position = Position("renju", moves=moves)
    solution = position.solve(time=5)
    assert solution["wins"] is True
    for move in solution["line"]:
        position = position.play(move)
    assert position.winner == 0


def test_the_champion_is_the_one_of_the_command_line() -> None:
    """The same move after the same nodes as `agon analyze`, and so as the judge, UAI and Gomocup."""
    agon = shutil.which("agon") or str(Path(__file__).parents[3] / "target" / "debug" / "agon")
    if not Path(agon).exists():
        pytest.skip("no agon has been built")
    opened = Position("renju")
    for move in ("8 8", "7 9", "9 9", "7 7"):
        opened = opened.play(move)
    for position in (Position("bacteria", "7/2xxo2/2xxoo1/1xxooo1/2xoo2/3o3/7 x 0 10"), opened):
        own = list(Engine("champion", memory_mib=64).analyse(position, nodes=2_000, lines=1))[-1]
        command = [agon, "analyze", position.game, position.text, "--nodes", "2000", "--lines", "1", "--hash", "64"]
        shown = subprocess.run([*command, "--format", "json"], check=True, capture_output=True, text=True).stdout
        lines = [json.loads(line) for line in shown.splitlines()]
        assert own["nodes"] == [line["nodes"] for line in lines if "nodes" in line][-1]
        assert own["moves"][0] == next(line["best"] for line in lines if "best" in line)


def test_engines_answer_alike_by_nodes() -> None:
    start = Position("bacteria")
    engine, other = Engine("champion", level=3, seed=5), Engine("champion:3", seed=5)
    assert engine.best_move(start) == other.best_move(start)
    lines = list(Engine().analyse(start, nodes=3_000, lines=3))
    last = lines[-3:]
    assert sorted(line["rank"] for line in last) == [1, 2, 3]
    assert all(line["moves"][0] in start.moves() for line in last)
    assert all(len(line["moves"]) == len(line["letters"]) for line in lines)
    analysis = Engine().analyse(start, nodes=500)
    assert list(analysis) and analysis.best in start.moves()
    with pytest.raises(AgonError, match="did you mean `champion`"):
        Engine("champoin", game="renju")
    with pytest.raises(AgonError, match="the levels of champion are 1 to 10"):
        Engine("champion", level=11).best_move(start)
    for argument, value in (("level", 300), ("seed", -1), ("threads", -1), ("memory_mib", -1)):
        with pytest.raises(AgonError, match=f"{argument}={value}: a whole number from 0"):
            Engine("champion", **{argument: value})  # type: ignore[arg-type]
    for argument in ("nodes", "depth"):
        with pytest.raises(AgonError, match=f"{argument}=-1: a whole number from 0"):
            Engine("greedy").best_move(start, **{argument: -1})  # type: ignore[arg-type]
    with pytest.raises(AgonError, match="seed=-1: a whole number from 0"):
        Position("bacteria", seed=-1)
    # A path is one of `os.PathLike`, too.
    with pytest.raises(AgonError, match="no-such.net"):
        Engine(net=Path("no-such.net")).best_move(start)
    with pytest.raises(AgonError, match="an engine of renju was asked about a position of bacteria"):
        Engine(game="renju").best_move(start)
    with pytest.raises(AgonError, match="seconds above 0"):
        Engine().best_move(start, time=float("nan"))
    with pytest.raises(AgonError, match="give it to play"):
        Engine("/bin/true").best_move(start)


# Not the interpreter of this test, whose path may have a blank: the first line of a script cannot quote it.
UAI = """#!/usr/bin/env python3
import sys
for line in sys.stdin:
    line = line.strip()
    if line == "uai": print("uaiok", flush=True)
    elif line == "isready": print("readyok", flush=True)
    elif line.startswith("go"): print("bestmove b2", flush=True)
    elif line == "quit": break
"""


def test_an_engine_behind_a_protocol(tmp_path: Path) -> None:
    program = tmp_path / "engine"
    program.write_text(UAI)
    program.chmod(program.stat().st_mode | stat.S_IXUSR)
    engine = Engine(f"uai:{program}")
    position = Position("bacteria", "o6/7/7/7/7/x6/7 x")
    assert engine.best_move(position, time=5) in position.moves()
    with pytest.raises(AgonError, match="no such file: `/nowhere/engine`"):
        Engine("uai:/nowhere/engine").best_move(Position("bacteria"), time=1)


def test_searches_for_programs_with_an_event_loop() -> None:
    async def both() -> tuple[str | None, int]:
        engine, start = Engine(), Position("bacteria")
        best = await agon_arena.best_move_async(engine, start, nodes=1_000)
        lines = 0
        async for _ in agon_arena.analyse_async(engine, start, time=60):
            lines += 1
            if lines == 3:
                break
        return best, lines

    best, lines = asyncio.run(both())
    assert best in Position("bacteria").moves() and lines == 3


INTERRUPTED = """
import agon_arena, sys
position = agon_arena.Position("domineering", seed=1)
batch = agon_arena.Batch("renju", 64)
what = {
    "search": lambda: agon_arena.Engine().best_move(agon_arena.Position("bacteria"), time=600),
    "analysis": lambda: list(agon_arena.Engine().analyse(agon_arena.Position("bacteria"), time=600)),
    "solve": lambda: position.solve(time=600),
    "perft": lambda: agon_arena.Position("bacteria").perft(20),
    "batch": lambda: batch.random_plies(10**9),
    "match": lambda: agon_arena.match("champion", "champion", game="bacteria", games=10, clock=600, openings=2),
}[sys.argv[1]]
try:
    print("begins", flush=True)
    what()
except KeyboardInterrupt:
    print("interrupted", flush=True)
    import os
    os._exit(0)
"""


@pytest.mark.parametrize("what", ["search", "analysis", "solve", "perft", "batch", "match"])
def test_control_c_ends_what_takes_long(what: str) -> None:
    process = subprocess.Popen([sys.executable, "-c", INTERRUPTED, what], stdout=subprocess.PIPE, text=True)
    assert process.stdout is not None
    assert process.stdout.readline() == "begins\n"
    try:
        # Wherever it is then, it ends; usually the work has begun.
        time.sleep(0.3)
        process.send_signal(signal.SIGINT)
        assert process.stdout.readline() == "interrupted\n"
    finally:
        process.kill()
        process.wait()


def test_threads_of_python_run_during_a_search() -> None:
    counted = 0
    done = threading.Event()

    def count() -> None:
        nonlocal counted
        while not done.is_set():
            counted += 1
            time.sleep(0.001)

    thread = threading.Thread(target=count)
    thread.start()
    Engine().best_move(Position("bacteria"), time=0.5)
    done.set()
    thread.join()
    assert counted > 10


def test_the_module_is_small_and_light() -> None:
    package = Path(agon_arena.__file__).parent
    size = sum(file.stat().st_size for file in package.rglob("*") if file.is_file() and "__pycache__" not in str(file))
    assert size < 120 << 20
    script = (
        "import agon_arena, sys; "
        "print([m for m in ('numpy', 'pettingzoo', 'gymnasium', 'pandas') if m in sys.modules])"
    )
    out = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True).stdout
    # Nothing heavy is imported before it is used: that is what keeps the import short.
    assert out == "[]\n", out


def test_games_are_listed() -> None:
    rows = {row["name"]: row for row in agon_arena.games()}
    assert set(rows) >= {"bacteria", "domineering", "renju", "petri"}
    assert rows["renju"]["seats"] == ["Black", "White"] and rows["renju"]["levels"] == 10
    assert os.environ.get("AGON_NONE") is None and "rows" in rows["domineering"]["parameters"]
