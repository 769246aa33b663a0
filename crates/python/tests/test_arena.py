"""Games, matches and tests under the judge."""

from __future__ import annotations

import json
import stat
import sys
import time
from pathlib import Path
from typing import Any

import agon_arena
import numpy as np
import pytest
from agon_arena import AgonError, Clock, Position, Worker


def first(position: Position) -> str:
    return position.moves()[0]


def sleepy(position: Position) -> str:
    time.sleep(30)
    return position.moves()[0]


def failing(position: Position) -> str:
    raise ValueError("I do not know this position")


class Counting:
    """Plays the last move, and knows its seat."""

    def __init__(self, seat: int, seed: int) -> None:
        self.seat, self.asked, self.clocks = seat, 0, list[Clock]()

    def choose(self, position: Position, clock: Clock) -> int:
        assert position.turn == self.seat
        self.asked += 1
        self.clocks.append(clock)
        return int(position.action_mask().nonzero()[0][-1])


def test_a_function_plays_a_game() -> None:
    result = agon_arena.play(first, "greedy", game="bacteria", clock="20s")
    assert (result.first, result.second, result.winner) == ("first", "greedy", "greedy")
    assert result.verdicts == ("OK", "OK") and not result.void and result.points("greedy") == 1.0
    game = agon_arena.Game.of_record(result.record)
    assert game.moves and list(game.positions())[-1].is_over
    assert game.agents == ("first", "greedy") and game.winner == 1


@pytest.mark.parametrize("game", ["domineering", "renju"])
def test_a_class_is_made_for_every_game(game: str) -> None:
    result = agon_arena.play(Counting, "random", game=game, clock="20s")
    assert result.verdicts == ("OK", "OK"), result.reason


def test_failures_are_the_losses_of_their_agents() -> None:
    result = agon_arena.play(failing, first, game="renju")
    assert result.winner == "first" and result.verdicts == ("RE", "OK")
    assert "I do not know this position" in result.reason
    assert len(result.errors) == 1 and "Traceback" in result.errors[0]
    result = agon_arena.play(lambda position: "16 16", first, game="renju")
    assert result.verdicts == ("RE", "OK") and "outside the board" in result.reason
    result = agon_arena.play(lambda position: None, first, game="renju")
    assert result.verdicts == ("RE", "OK")

    def slow(position: Position) -> str:
        time.sleep(0.3)
        return position.moves()[0]

    result = agon_arena.play(slow, first, game="renju", clock=0.2)
    assert result.winner == "first" and result.verdicts == ("TLE", "OK")


def test_a_worker_is_killed_when_its_time_is_up() -> None:
    begun = time.monotonic()
    result = agon_arena.play(Worker(sleepy), first, game="renju", clock=5)
    assert result.verdicts == ("TLE", "OK") and time.monotonic() - begun < 25
    result = agon_arena.play(Worker(first), "random", game="bacteria", clock=60)
    assert result.verdicts == ("OK", "OK"), result.reason
    result = agon_arena.play(Worker(failing), "random", game="bacteria", clock=60)
    assert result.verdicts == ("RE", "OK") and "I do not know" in result.errors[0]
    with pytest.raises(AgonError, match="at the top of a module"):
        Worker(lambda position: position.moves()[0])


def test_an_engine_is_an_agent() -> None:
    engine = agon_arena.Engine("greedy")
    result = agon_arena.match(engine, "random", game="bacteria", games=2, jobs=2, clock="20+0.1", openings=1)
    assert (result.a, result.wins, result.faults) == ("greedy", 2, ({}, {}))
    assert all(sum(game.seconds) < 19 for game in result.games)


def test_a_match_counts_for_its_first_agent() -> None:
    result = agon_arena.match("greedy", "random", game="domineering", games=12, jobs=2, clock=20)
    assert result.wins + result.draws + result.losses == 12 and result.wins > result.losses
    assert sum(result.pairs) == 6 and [game.number for game in result.games] == list(range(12))
    assert result.elo[0] <= result.elo[1] <= result.elo[2] and 0.5 < result.los <= 1
    # The seats swap within each pair.
    for one, other in zip(result.games[::2], result.games[1::2], strict=True):
        assert (one.first, one.second) == (other.second, other.first) and one.seed == other.seed
    wins = sum(game.winner == "greedy" for game in result.games)
    assert wins == result.wins and str(result).startswith("greedy against random, domineering: +")
    again = agon_arena.match("greedy", "random", game="domineering", games=12, jobs=1, clock=20)
    assert [game.winner for game in again.games] == [game.winner for game in result.games]
    frame = pytest.importorskip("pandas") and result.frame()
    assert len(frame) == 12 and {"winner", "first_seconds", "second_verdicts"} <= set(frame.columns)


def test_a_sequential_test_ends_when_it_is_decided() -> None:
    result = agon_arena.sprt(
        "greedy", "random", game="domineering", elo0=0, elo1=100, games=400, jobs=2, clock=20, openings=0
    )
    assert result.accepted == "H1" and result.llr is not None and result.bounds is not None
    assert result.llr >= result.bounds[1] and len(result.games) < 400
    weaker = agon_arena.sprt(first, "greedy", game="bacteria", elo0=0, elo1=100, games=200, jobs=1, openings=2)
    assert weaker.accepted == "H0" and "H0 accepted" in str(weaker)


BOT = """#!{python}
import sys
board = None
while True:
    line = sys.stdin.readline()
    if not line:
        break
    words = line.split()
    if words[0] == "READY":
        print("OK", flush=True)
    elif words[0] == "TURN":
        print("MOVE -1 -1", flush=True)
    elif words[0] == "FINISH":
        break
"""


def test_a_program_plays_a_function(tmp_path: Path) -> None:
    bot = tmp_path / "bot.py"
    bot.write_text(BOT.format(python=sys.executable))
    bot.chmod(bot.stat().st_mode | stat.S_IXUSR)
    result = agon_arena.play(str(bot), first, game="domineering", clock=20)
    assert result.verdicts[0] == "OK", result.reason
    assert result.winner is not None


def test_the_dish_is_played_by_names() -> None:
    result = agon_arena.play("coordinated", "evolution", game="petri", turns=20)
    assert result.verdicts == ("OK", "OK")
    with pytest.raises(AgonError, match="asked for every action"):
        agon_arena.play(first, "evolution", game="petri")


def test_what_is_wrong_with_a_match_is_said() -> None:
    arguments: dict[str, Any] = {"game": "renju", "games": 2}
    for a, b, wrong, message in [
        ("no-such-agent", "random", {}, "no agent is named"),
        ("random", "greedy", {"games": 3}, "an even number"),
        ("random", "greedy", {"clock": -1.0}, "seconds above 0"),
        ("random", "greedy", {"clock": float("inf")}, "seconds above 0"),
        ("random", "greedy", {"jobs": 0}, "jobs=0: 1 or more expected"),
        ("random", "greedy", {"games": -2}, "games=-2: a whole number from 0"),
        ("random", "greedy", {"seed": -1}, "seed=-1: a whole number from 0"),
        ("random", "greedy", {"clock": "x"}, "a clock such as"),
        ("random", 5, {}, "an agent is a text, a function"),
        (np.zeros((2, 3)), "random", {}, r"an agent is a text.*; not an array \(2, 3\)"),
        ("random", "greedy", {"rows": 3}, "got an unexpected keyword argument 'rows'"),
    ]:
        with pytest.raises(AgonError, match=message):
            agon_arena.match(a, b, **{**arguments, **wrong})
    with pytest.raises(TypeError, match="an agent is a text"):
        Worker(np.float64(1))
    with pytest.raises(TypeError, match="a text is an agent without a worker"):
        Worker("greedy")
    with pytest.raises(AgonError, match="elo1 is 0, but must be above elo0"):
        agon_arena.sprt("random", "greedy", game="renju", elo0=0, elo1=0)


def test_records_are_json_lines() -> None:
    record = agon_arena.play("random", "greedy", game="bacteria").record
    lines = [json.loads(line) for line in record.splitlines()]
    assert lines[0]["game"] == "bacteria" and "sha256" in lines[-1]
    with pytest.raises(AgonError, match="the seal is broken"):
        agon_arena.Game.of_record(record.replace("greedy", "greedx", 1))
