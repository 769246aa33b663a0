"""Batches: the same games as positions play, thousands at a time."""

from __future__ import annotations

import gc
import threading

import numpy as np
import pytest
from agon_arena import AgonError, Batch, IllegalMoveError, Position

GAMES = ["bacteria", "domineering", "renju"]


@pytest.mark.parametrize("game", GAMES)
@pytest.mark.parametrize("threads", [1, 3])
def test_a_batch_plays_as_positions_do(game: str, threads: int) -> None:
    batch = Batch(game, 7, seed=11, threads=threads, autoreset=False)
    assert len(batch) == 7 and batch.actions == batch.action_masks.shape[1]
    positions = [batch.position(row) for row in range(7)]
    for _ in range(60):
        actions = batch.sample()
        batch.step(actions)
        for row, action in enumerate(actions):
            if action >= 0:
                positions[row] = positions[row].play(int(action))
            assert batch.position(row) == positions[row]
            np.testing.assert_array_equal(batch.observations[row], positions[row].observation())
            np.testing.assert_array_equal(batch.action_masks[row], positions[row].action_mask())
            assert batch.terminated[row] == positions[row].is_over
            assert batch.plies[row] == positions[row].ply
            if not positions[row].is_over:
                assert batch.turns[row] == positions[row].turn
            result = positions[row].result or 0
            assert batch.rewards[row].tolist() == ([result, -result] if action >= 0 else [0, 0])


def test_arrays_are_written_in_place_and_not_by_others() -> None:
    batch = Batch("bacteria", 32, threads=2)
    seen, masks = batch.observations, batch.action_masks
    before = seen.copy()
    batch.step(batch.sample())
    assert np.shares_memory(seen, batch.observations) and (seen != before).any()
    with pytest.raises(ValueError, match="read-only"):
        seen[0] = 0
    with pytest.raises(ValueError, match="read-only"):
        masks[0] = 0
    assert seen.dtype == np.float32 and masks.dtype == np.int8 and batch.rewards.dtype == np.float32
    assert seen.shape == (32, 3, 7, 7) and masks.shape == (32, 834) and batch.rewards.shape == (32, 2)
    # The arrays outlive the batch.
    del batch
    gc.collect()
    assert seen.sum() > 0


@pytest.mark.parametrize("game", ["bacteria", "domineering"])
def test_games_begin_anew_in_the_step_in_which_they_end(game: str) -> None:
    batch = Batch(game, 16, seed=2, threads=1)
    assert batch.metadata == {"autoreset_mode": "SameStep"}
    ended = 0
    for _ in range(300):
        before = [batch.position(row) for row in range(16)]
        actions = batch.sample()
        batch.step(actions)
        for row in np.flatnonzero(batch.terminated):
            last = before[row].play(int(actions[row]))
            assert last.is_over and batch.plies[row] == 0
            np.testing.assert_array_equal(batch.final_observations[row], last.observation())
            result = last.result or 0
            assert batch.rewards[row].tolist() == [result, -result]
            ended += 1
    assert ended > 16
    modes = pytest.importorskip("gymnasium.vector").AutoresetMode
    assert modes(batch.metadata["autoreset_mode"]) is modes.SAME_STEP
    assert modes(Batch(game, 1, autoreset=False).metadata["autoreset_mode"]) is modes.DISABLED


def test_the_same_seed_is_the_same_play_on_any_number_of_threads() -> None:
    def play(seed: int, threads: int) -> list[str]:
        batch = Batch("domineering", 40, seed=seed, threads=threads)
        for _ in range(70):
            batch.step(batch.sample())
        return [batch.position(row).text for row in range(40)]

    assert play(1, 1) == play(1, 4) and play(1, 1) != play(2, 1)
    boards = {Batch("domineering", 3, seed=5).position(row).text for row in range(3)}
    assert len(boards) == 3


def test_what_is_wrong_is_refused_and_changes_nothing() -> None:
    batch = Batch("bacteria", 4)
    start = [batch.position(row) for row in range(4)]
    with pytest.raises(AgonError, match=r"whole numbers of shape \(4,\) expected, not of float64 and shape \(4,\)"):
        batch.step(np.zeros(4))
    with pytest.raises(AgonError, match=r"shape \(4,\) expected, not of int64 and shape \(3,\)"):
        batch.step(np.zeros(3, np.int64))
    with pytest.raises(AgonError, match="whole numbers"):
        batch.step(["a", "b", "c", "d"])
    good = batch.sample()
    for bad in (5_000, 833, -2, 2**62):
        actions = good.copy()
        actions[2] = bad
        with pytest.raises(IllegalMoveError, match=f"game 2: {bad} is no legal action"):
            batch.step(actions)
    assert [batch.position(row) for row in range(4)] == start
    batch.step(good.astype(np.int32)[::-1][::-1])
    batch.step(np.full(4, -1))
    assert (batch.rewards == 0).all() and (batch.plies == 1).all()
    with pytest.raises(AgonError, match="1 to 1048576"):
        Batch("bacteria", 0)
    for arguments, named in (((-3,), "n=-3"), ((3,), "seed=-1"), ((3,), "threads=-2")):
        name, value = named.split("=")
        given = {} if name == "n" else {name: int(value)}
        with pytest.raises(AgonError, match=f"{named}: a whole number from 0"):
            Batch("bacteria", *arguments, **given)
    with pytest.raises(AgonError, match="row=-1: a whole number"):
        batch.position(-1)
    with pytest.raises(AgonError, match="plies=-1: a whole number"):
        batch.random_plies(-1)
    with pytest.raises(AgonError, match="petri has no batches"):
        Batch("petri", 4)
    with pytest.raises(AgonError, match="got an unexpected keyword argument 'rows'"):
        Batch("renju", 4, rows=3)
    with pytest.raises(IndexError, match="game 4 of 4"):
        batch.position(4)
    with pytest.raises(IndexError, match="rows: game -1 of 4"):
        batch.reset([-1])
    with pytest.raises(AgonError, match="4 and"):
        Batch("domineering", 2, rows=4, columns=4).put(0, Position("domineering", rows=3, columns=3))


def test_games_are_copied_set_and_reset() -> None:
    batch = Batch("renju", 6, autoreset=False)
    batch.step(batch.sample())
    batch.step(batch.sample())
    other = Batch("renju", 3)
    other.copy([0, 2], [5, 1], batch)
    assert other.position(0) == batch.position(5) and other.position(2) == batch.position(1)
    np.testing.assert_array_equal(other.action_masks[0], batch.action_masks[5])
    batch.copy([0, 1], [4, 4])
    assert batch.position(0) == batch.position(1) == batch.position(4)
    batch.reset([4])
    assert batch.position(4) == Position("renju") and batch.position(0).ply == 2
    batch.put(3, Position("renju", moves=["H8", "H9", "I9", "A1"]))
    assert batch.plies[3] == 4 and batch.turns[3] == 0
    with pytest.raises(AgonError, match="of different games"):
        batch.copy([0], [0], Batch("bacteria", 1))
    with pytest.raises(AgonError, match="2 targets of 1 sources"):
        batch.copy([0, 1], [0])


def test_other_threads_of_python_run_meanwhile() -> None:
    batch = Batch("bacteria", 512, threads=1)
    ran = threading.Event()
    thread = threading.Thread(target=ran.set)
    done: list[int] = []

    def play() -> None:
        done.append(batch.random_plies(2_000))

    worker = threading.Thread(target=play)
    worker.start()
    thread.start()
    assert ran.wait(60)
    worker.join()
    assert done[0] > 512
