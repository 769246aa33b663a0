"""Forks, spawned processes, threads: what was made before goes on in the child, and Ctrl-C ends everything."""

from __future__ import annotations

import multiprocessing
import os
import signal
import subprocess
import sys
import threading
from collections.abc import Callable
from pathlib import Path
from typing import Any

import agon_arena
import numpy as np
import pytest
from agon_arena import Batch, Engine, Position

FORK = pytest.mark.skipif(not hasattr(os, "fork"), reason="the system has no fork")


def in_child(act: Callable[[], object]) -> str:
    """What an action answers in a forked child, or what it raises there. A child that hangs fails the test."""
    reader, writer = os.pipe()
    child = os.fork()
    if child == 0:
        try:
            os.close(reader)
            # Whatever hangs ends the child without an answer.
            signal.alarm(20)
            try:
                text = repr(act())
            except Exception as error:
                text = f"{type(error).__name__}: {error}"
            os.write(writer, text.encode())
        finally:
            os._exit(0)
    os.close(writer)
    with os.fdopen(reader) as answer:
        text = answer.read()
    os.waitpid(child, 0)
    assert text, "the child hung"
    return text


def stepped(batch: Batch, steps: int = 20) -> list[str]:
    for _ in range(steps):
        batch.step(batch.sample())
    return [batch.position(row).text for row in range(len(batch))]


@FORK
@pytest.mark.filterwarnings("ignore::DeprecationWarning")
@pytest.mark.parametrize("game", ["bacteria", "domineering", "renju"])
@pytest.mark.parametrize("used", [False, True])
def test_a_batch_from_before_a_fork_plays_in_the_child(game: str, used: bool) -> None:
    batch = Batch(game, 40, seed=6, threads=3)
    if used:
        stepped(batch, 3)
    there = in_child(lambda: (stepped(batch), batch.random_plies(5)))
    # A child of a child, too.
    assert in_child(lambda: in_child(lambda: (stepped(batch), batch.random_plies(5)))) == repr(there)
    assert repr((stepped(batch), batch.random_plies(5))) == there


@FORK
@pytest.mark.filterwarnings("ignore::DeprecationWarning")
def test_a_batch_forked_in_the_middle_of_a_step_says_so() -> None:
    batch = Batch("renju", 512, threads=2)
    stop = threading.Event()

    def play() -> None:
        while not stop.is_set():
            batch.random_plies(200)

    player = threading.Thread(target=play)
    player.start()
    try:
        told = {in_child(lambda: batch.step(batch.sample())) for _ in range(5)}
    finally:
        stop.set()
        player.join()
    # Between two calls nothing is in use.
    assert told <= {
        "None",
        "RuntimeError: this batch was in use by a thread when the process was forked: make it anew in the child",
    }
    assert any("forked" in text for text in told), told
    assert batch.sample().shape == (512,)


@FORK
@pytest.mark.filterwarnings("ignore::DeprecationWarning")
def test_engines_and_searches_know_that_they_were_forked() -> None:
    start = Position("bacteria")
    engine = Engine("champion:4")
    before = engine.best_move(start, nodes=5_000)
    assert in_child(lambda: engine.best_move(start, nodes=5_000) in start.moves()) == "True"
    assert in_child(lambda: Engine().best_move(start, time=0.05) in start.moves()) == "True"
    analysis = Engine().analyse(start, time=600)
    next(analysis)
    assert "runs in the process that was forked" in in_child(lambda: next(analysis))
    analysis.stop()

    busy = Engine()
    search = threading.Thread(target=lambda: busy.best_move(start, time=1.0))
    search.start()
    assert in_child(lambda: busy.best_move(start, nodes=3_000) in start.moves()) == "True"
    search.join()
    assert before in start.moves()


def child_of_a_pool(batch: Batch) -> list[str]:
    return stepped(batch)


@pytest.mark.filterwarnings("ignore::DeprecationWarning")
@pytest.mark.parametrize("method", multiprocessing.get_all_start_methods())
def test_a_batch_goes_to_other_processes(method: str) -> None:
    batch = Batch("domineering", 12, seed=3, threads=2)
    stepped(batch, 2)
    context: Any = multiprocessing.get_context(method)
    with context.Pool(1) as pool:
        there = pool.apply(child_of_a_pool, (batch,))
    assert there == stepped(batch)


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("method", multiprocessing.get_all_start_methods())
def test_vectors_of_gymnasium_run_in_processes(method: str) -> None:
    gymnasium = pytest.importorskip("gymnasium")
    def make() -> Any:
        # A process that starts anew has imported nothing yet.
        return gymnasium.make("agon_arena:agon_arena/Domineering-v0", opponent="greedy", rows=4, columns=4)

    def play(envs: Any) -> list[Any]:
        seen, infos = envs.reset(seed=4)
        shown = [seen.copy()]
        for _ in range(12):
            seen, rewards, *_, infos = envs.step(infos["action_mask"].argmax(axis=1))
            shown.append((seen.copy(), rewards, infos["reason"].tolist()))
        envs.close()
        return shown

    here = play(gymnasium.vector.SyncVectorEnv([make, make]))
    there = play(gymnasium.vector.AsyncVectorEnv([make, make], context=method))
    assert repr(here) == repr(there)


@FORK
@pytest.mark.filterwarnings("ignore::DeprecationWarning")
def test_a_store_is_read_in_the_child(tmp_path: Path) -> None:
    record = tmp_path / "games.jsonl"
    record.write_text(agon_arena.play("random", "random", game="bacteria").record)
    games = agon_arena.read(record)
    assert in_child(lambda: len(games[0].moves)) == str(len(games[0].moves))


INTERRUPTED = """
import os, signal, sys, threading, time
import numpy as np
from agon_arena import Batch

game, games, plies = sys.argv[1], int(sys.argv[2]), int(sys.argv[3])
batch = Batch(game, games, seed=1, threads=2)
begun = threading.Event()
def interrupt():
    begun.wait()
    time.sleep(0.3)
    os.kill(os.getpid(), signal.SIGINT)
threading.Thread(target=interrupt, daemon=True).start()
try:
    begun.set()
    batch.random_plies(plies)
    print("not interrupted")
except KeyboardInterrupt:
    pass
wrong = sum(not np.array_equal(batch.action_masks[k], batch.position(k).action_mask()) for k in range(0, games, 7))
wrong += sum(batch.plies[k] != batch.position(k).ply for k in range(0, games, 7))
batch.step(batch.action_masks.argmax(1))
print(wrong)
"""


@pytest.mark.parametrize(("game", "games"), [("bacteria", 2048), ("renju", 64), ("renju", 4096)])
def test_arrays_and_games_agree_after_control_c(game: str, games: int) -> None:
    command = [sys.executable, "-c", INTERRUPTED, game, str(games), str(10**9)]
    out = subprocess.run(command, capture_output=True, text=True, check=True, timeout=120).stdout
    assert out == "0\n", out


def test_threads_start_when_they_are_needed() -> None:
    script = (
        "import os\n"
        "from agon_arena import Batch\n"
        "batch = Batch('bacteria', 4, threads=3, autoreset=False)\n"
        "import numpy\n"
        "before = len(os.listdir('/proc/self/task'))\n"
        "batch.step(batch.sample())\n"
        "print(len(os.listdir('/proc/self/task')) - before)\n"
    )
    if not Path("/proc/self/task").is_dir():
        pytest.skip("the system does not list threads")
    environment = {**os.environ, "OMP_NUM_THREADS": "1", "OPENBLAS_NUM_THREADS": "1"}
    out = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True, env=environment)
    assert out.stdout == "3\n", out


def test_each_thread_plays_a_batch_of_its_own() -> None:
    seen: dict[int, list[str]] = {}

    def play(seed: int) -> None:
        seen[seed] = stepped(Batch("domineering", 20, seed=seed, threads=2))

    threads = [threading.Thread(target=play, args=(seed % 2,)) for seed in range(2)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert seen[0] == stepped(Batch("domineering", 20, seed=0, threads=1)) and seen[0] != seen[1]


def test_arrays_begin_at_cache_lines() -> None:
    names = ("observations", "final_observations", "action_masks", "turns", "rewards", "terminated", "plies")
    for game in ("bacteria", "domineering", "renju"):
        for games in (1, 2, 3, 7, 33, 129):
            batch = Batch(game, games)
            for name in names:
                array: np.ndarray = getattr(batch, name)
                assert array.__array_interface__["data"][0] % 64 == 0, (game, games, name)
                assert array.flags.c_contiguous and array.flags.aligned
