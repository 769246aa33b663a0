"""Every public class: a copy and a pickle are the same again and independent, or one line says why there is none."""

from __future__ import annotations

import copy
import inspect
import pickle
from collections.abc import Callable
from pathlib import Path
from typing import Any

import agon_arena
import numpy as np
import pytest
from agon_arena import Batch, Engine, Net, Position

pytest.importorskip("pettingzoo")

GAMES = ["bacteria", "domineering", "renju"]
OTHELLO = Path(__file__).parents[3] / "examples" / "games" / "othello"


def first(position: Position) -> str:
    return position.moves()[0]


class Stepper:
    """An agent that remembers how often it was asked."""

    def __init__(self) -> None:
        self.asked = 0

    def choose(self, position: Position) -> str:
        self.asked += 1
        moves = position.moves()
        return moves[self.asked % len(moves)]


def later(game: str, plies: int = 6, **parameters: Any) -> Position:
    position, rng = Position(game, **parameters), np.random.default_rng(plies)
    for _ in range(plies):
        position = position.play(int(rng.choice(np.flatnonzero(position.action_mask()))))
    return position


def stepped(env: Any, steps: int = 5) -> Any:
    """An environment in the middle of a game."""
    env.reset(seed=3)
    for _ in range(steps):
        act(env)
    return env


def act(env: Any) -> Any:
    """One step of the first legal action, and what is seen after it."""
    if hasattr(env, "agent_iter"):
        seen, *_ = env.last()
        env.step(int(np.flatnonzero(seen["action_mask"])[0]))
        return [value.tobytes() for value in env.last()[0].values()]
    if hasattr(env, "possible_agents"):
        actions = {agent: np.full(env.action_space(agent).shape, 10) for agent in env.agents}
        return [seen.tobytes() for seen in env.step(actions)[0].values()]
    return env.step(int(np.flatnonzero(env.action_masks())[0]))[0].tobytes()


def played() -> agon_arena.MatchResult:
    return agon_arena.match("random", "greedy", game="bacteria", games=2, jobs=1, openings=0)


# What of each public class is tried; what cannot be pickled, with a part of the reason.
SAMPLES: dict[str, Callable[[], Any]] = {
    "Batch": lambda: Batch("domineering", 5, seed=4, rows=4, columns=4),
    "Engine": lambda: Engine("champion", level=2, seed=3, game="renju"),
    "Net": lambda: Net.champion("bacteria"),
    "Position": lambda: later("renju"),
    "AgonEnv": lambda: stepped(agon_arena.AgonEnv("domineering", rows=5, columns=4)),
    "SinglePlayerEnv": lambda: stepped(agon_arena.SinglePlayerEnv("bacteria", "random")),
    "Clock": lambda: agon_arena.Clock(1.0, 0.1, None, 2.0),
    "Worker": lambda: agon_arena.Worker(first),
    "GameResult": lambda: played().games[0],
    "MatchResult": played,
    "Game": lambda: agon_arena.Game.of_record(played().games[0].record),
    "Positions": lambda: agon_arena.Positions("renju", *[np.zeros(1)] * 5),
    "AgonError": lambda: agon_arena.AgonError("refused"),
    "IllegalMoveError": lambda: agon_arena.IllegalMoveError("refused"),
    "UnknownParameterError": lambda: agon_arena.UnknownParameterError("refused"),
}
REFUSED: dict[str, tuple[Callable[[], Any], str]] = {
    "Analysis": (lambda: Engine().analyse(Position("bacteria"), nodes=10), "a search that runs"),
}
# They need a file.
ELSEWHERE = {"Games", "Store"}


def test_every_public_class_is_tried() -> None:
    classes = {name for name in agon_arena.__all__ if inspect.isclass(getattr(agon_arena, name))}
    assert classes == {*SAMPLES, *REFUSED, *ELSEWHERE}


def alike(one: Any, two: Any) -> bool:
    """Whether two values are of the same content, as far as that can be seen from outside."""
    if isinstance(one, Batch):
        names = ("observations", "action_masks", "turns", "plies", "rewards", "terminated", "final_observations")
        return all(np.array_equal(getattr(one, name), getattr(two, name)) for name in names)
    if isinstance(one, Position):
        same = ("text", "last_move", "turn", "ply", "result", "reason", "remark")
        return one == two and all(getattr(one, name) == getattr(two, name) for name in same) and one.svg() == two.svg()
    if isinstance(one, Exception):
        return str(one) == str(two)
    if isinstance(one, agon_arena.Positions):
        return str(one) == str(two)
    if hasattr(one, "position"):
        return alike(one.position, two.position)
    if isinstance(one, agon_arena.Worker):
        return one.agent == two.agent
    return repr(one) == repr(two) if isinstance(one, Engine) else one == two


@pytest.mark.parametrize("name", SAMPLES)
def test_copies_and_pickles_are_the_same_again(name: str) -> None:
    one = SAMPLES[name]()
    others = [copy.copy(one), copy.deepcopy(one)]
    others += [pickle.loads(pickle.dumps(one, protocol)) for protocol in range(pickle.HIGHEST_PROTOCOL + 1)]
    for two in others:
        assert type(two) is type(one) and alike(one, two), (name, one, two)
    if hasattr(one, "reset") or isinstance(one, Batch):
        pickle.dumps(copy.deepcopy(one))


@pytest.mark.parametrize("name", REFUSED)
def test_what_cannot_be_copied_says_why_in_one_line(name: str) -> None:
    make, reason = REFUSED[name]
    for attempt in (copy.copy, copy.deepcopy, pickle.dumps):
        with pytest.raises(TypeError, match=reason) as refused:
            attempt(make())
        assert "\n" not in str(refused.value)


@pytest.mark.parametrize("game", GAMES)
def test_a_position_keeps_its_last_move(game: str) -> None:
    position = later(game, 7, seed=2)
    assert position.last_move is not None
    for other in (copy.copy(position), copy.deepcopy(position), pickle.loads(pickle.dumps(position))):
        assert other == position and other.last_move == position.last_move and other.svg() == position.svg()
    start = Position(game, seed=2)
    assert pickle.loads(pickle.dumps(start)).last_move is None


def test_positions_of_the_dish_are_played_again() -> None:
    position = Position("petri", species=["4 8 0", "2 10 0"], turns=5, seed=1)
    while not position.is_over:
        other = pickle.loads(pickle.dumps(position))
        assert alike(position, other) and other.prompt() == position.prompt()
        position = position.play("DIVIDE SE" if position.turn == 0 else "MOVE N")
    assert pickle.loads(pickle.dumps(position)).reason == position.reason
    # A game may be longer than a stack is deep.
    long = Position("petri", turns=30_000)
    for _ in range(50_000):
        long = long.play("REST")
    assert alike(copy.deepcopy(long), long)
    del long


def test_positions_of_others_are_pickled_with_their_rules(tmp_path: Path) -> None:
    if not OTHELLO.is_dir():
        pytest.skip("the examples are not beside the tests")
    import subprocess
    import sys

    env = agon_arena.env(str(OTHELLO), actions=128)
    (tmp_path / "fresh").write_bytes(pickle.dumps(env))
    env.reset(seed=1)
    for _ in range(4):
        act(env)
    assert alike(copy.deepcopy(env.position), env.position) and env.position.last_move is not None
    (tmp_path / "later").write_bytes(pickle.dumps(env))
    script = (
        "import pickle, sys\n"
        "fresh, later = (pickle.load(open(name, 'rb')) for name in sys.argv[1:])\n"
        "fresh.reset(seed=1)\n"
        "print(later.position.text, later.position.last_move, sep='|')"
    )
    names = [str(tmp_path / name) for name in ("fresh", "later")]
    out = subprocess.run([sys.executable, "-c", script, *names], capture_output=True, text=True, check=True).stdout
    assert out.strip() == f"{env.position.text}|{env.position.last_move}"


@pytest.mark.parametrize("game", GAMES)
def test_a_batch_from_a_pickle_plays_on_alike(game: str) -> None:
    batch = Batch(game, 9, seed=5, threads=2)
    batch.random_plies(40)
    batch.step(batch.sample())
    others = [copy.copy(batch), copy.deepcopy(batch), pickle.loads(pickle.dumps(batch))]
    for _ in range(30):
        actions = batch.sample()
        batch.step(actions)
        for other in others:
            assert np.array_equal(other.sample(), actions)
            other.step(actions)
            assert alike(batch, other)
    assert not any(np.shares_memory(batch.observations, other.observations) for other in others)


ENVIRONMENTS: dict[str, Callable[[], Any]] = {
    **{game: lambda game=game: agon_arena.env(game) for game in [*GAMES, "petri"]},  # type: ignore[misc]
    "parallel": lambda: agon_arena.parallel_env("petri", max_cycles=30),
    **{
        f"single {opponent}": lambda opponent=opponent: agon_arena.SinglePlayerEnv("bacteria", opponent)  # type: ignore[misc]
        for opponent in ("random", "greedy", "champion:1", "champion:5")
    },
    "single domineering": lambda: agon_arena.SinglePlayerEnv("domineering", "champion:2", rows=5, columns=5),
    "single renju": lambda: agon_arena.SinglePlayerEnv("renju", "champion:2"),
    "single engine": lambda: agon_arena.SinglePlayerEnv("bacteria", Engine("champion:3", seed=8)),
    "single function": lambda: agon_arena.SinglePlayerEnv("bacteria", first),
    "single class": lambda: agon_arena.SinglePlayerEnv("bacteria", Stepper),
    "single instance": lambda: agon_arena.SinglePlayerEnv("bacteria", Stepper()),
}


@pytest.mark.parametrize("name", ENVIRONMENTS)
def test_copies_of_an_environment_go_on_alike_and_alone(name: str) -> None:
    env = stepped(ENVIRONMENTS[name](), 1)
    touched = copy.deepcopy(env)
    for _ in range(2):
        act(touched)
    others = [copy.deepcopy(env), pickle.loads(pickle.dumps(env))]
    for _ in range(3):
        seen = act(env)
        assert all(act(other) == seen for other in others)
    fresh = ENVIRONMENTS[name]()
    pickle.loads(pickle.dumps(fresh)).reset(seed=1)
    copy.deepcopy(fresh).reset(seed=1)


def test_games_of_a_store_are_pickled_by_its_path(tmp_path: Path) -> None:
    record = tmp_path / "game.jsonl"
    record.write_text(played().games[0].record)
    games = agon_arena.read(record)
    assert pickle.loads(pickle.dumps(games))[0] == games[0] == copy.deepcopy(games)[0]


def test_an_agent_that_cannot_be_pickled_is_named() -> None:
    env = agon_arena.SinglePlayerEnv("bacteria", lambda position: position.moves()[0])
    env.reset(seed=1)
    copy.deepcopy(env).step(int(np.flatnonzero(env.action_masks())[0]))
    with pytest.raises((AttributeError, pickle.PicklingError), match="lambda"):
        pickle.dumps(env)
