"""The environments pass the checkers of PettingZoo and of Gymnasium."""

from __future__ import annotations

import runpy
import warnings
from pathlib import Path
from typing import Any

import agon_arena
import numpy as np
import pytest
from agon_arena import AgonError, SinglePlayerEnv

pettingzoo = pytest.importorskip("pettingzoo")
from pettingzoo.test import (  # noqa: E402
    api_test,
    max_cycles_test,
    parallel_api_test,
    parallel_seed_test,
    render_test,
    seed_test,
)

GAMES: list[tuple[str, dict[str, Any]]] = [
    ("bacteria", {}),
    ("domineering", {"rows": 5, "columns": 5}),
    ("renju", {}),
    ("petri", {"turns": 8}),
]


@pytest.mark.parametrize(("game", "parameters"), GAMES)
def test_pettingzoo_accepts_them(game: str, parameters: dict[str, Any]) -> None:
    with warnings.catch_warnings():
        # Its advice on names and on dictionaries as observations, which its own classic games do not follow either.
        warnings.simplefilter("ignore")
        api_test(agon_arena.env(game, **parameters), num_cycles=120)
        seed_test(lambda: agon_arena.env(game, **parameters), num_cycles=20)
        render_test(lambda render_mode=None: agon_arena.env(game, render_mode=render_mode, **parameters))


def test_pettingzoo_accepts_the_parallel_dish() -> None:
    import agon_arena.petri

    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        parallel_api_test(agon_arena.parallel_env("petri", max_cycles=20), num_cycles=60)
        parallel_seed_test(lambda: agon_arena.parallel_env("petri", max_cycles=20), num_cycles=20)
        max_cycles_test(agon_arena.petri)
        render_test(lambda render_mode=None: agon_arena.env("petri", render_mode=render_mode))


@pytest.mark.parametrize(("game", "parameters"), GAMES)
def test_a_game_is_played_to_its_end(game: str, parameters: dict[str, Any]) -> None:
    env = agon_arena.env(game, **parameters)
    env.reset(seed=4)
    rng = np.random.default_rng(4)
    total = dict.fromkeys(env.possible_agents, 0.0)
    for agent in env.agent_iter():
        observation, reward, terminated, truncated, _ = env.last()
        total[agent] += reward
        if terminated or truncated:
            env.step(None)
            continue
        assert isinstance(terminated, bool) and observation["action_mask"].any()
        waiting = next(other for other in env.agents if other != agent)
        assert not env.observe(waiting)["action_mask"].any()
        assert env.observation_space(agent).contains(observation)
        env.step(int(rng.choice(np.flatnonzero(observation["action_mask"]))))
    assert total["player_0"] == -total["player_1"] == float(env.position.result)
    assert env.agents == []


@pytest.mark.parametrize("name", ["othello", "breakthrough"])
def test_games_of_others_have_environments(name: str) -> None:
    folder = Path(__file__).parents[3] / "examples" / "games" / name
    if not folder.is_dir():
        pytest.skip("the examples are not beside the tests")
    env = agon_arena.env(str(folder), actions=128)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        api_test(env, num_cycles=30)
        render_test(lambda render_mode=None: agon_arena.env(str(folder), render_mode=render_mode, actions=128))
    env.reset(seed=1)
    for move in range(6):
        seen, *_ = env.last()
        env.step(int(np.flatnonzero(seen["action_mask"])[move % 2]))
    result = agon_arena.play(lambda position: position.moves()[0], "random", game=env.game, clock=60)
    assert result.verdicts == ("OK", "OK"), result.reason
    small = agon_arena.env(str(folder), actions=1)
    small.reset()
    with pytest.raises(AgonError, match="make the environment with actions="):
        small.last()


def test_what_is_wrong_with_an_environment_is_said() -> None:
    with pytest.raises(AgonError, match="there is no game `go`"):
        agon_arena.env("go")
    with pytest.raises(AgonError, match="rgb_array, ansi, human"):
        agon_arena.env("renju", render_mode="svg")
    with pytest.raises(AgonError, match="one side to move at a time"):
        agon_arena.parallel_env("renju")
    env = agon_arena.env("bacteria")
    env.reset()
    with pytest.raises(AgonError):
        env.step(833)


@pytest.mark.parametrize(("game", "parameters"), GAMES)
def test_before_its_first_reset_there_is_no_game(game: str, parameters: dict[str, Any]) -> None:
    env = agon_arena.env(game, render_mode="ansi", **parameters)
    for act in (lambda: env.step(0), env.last, env.render, lambda: env.observe("player_0")):
        with pytest.raises(AgonError, match=r"reset\(\) the environment first"):
            act()
    assert not hasattr(env, "rewards") and not hasattr(env, "nothing")
    if game == "petri":
        dish = agon_arena.parallel_env("petri")
        with pytest.raises(AgonError, match=r"reset\(\) the environment first"):
            dish.step({})
    else:
        with pytest.raises(AgonError, match=r"reset\(\) the environment first"):
            SinglePlayerEnv(game, **parameters).step(0)


@pytest.mark.parametrize(
    "opponent", ["random", "greedy", "champion:1", agon_arena.Engine("greedy"), lambda position: position.moves()[0]]
)
def test_gymnasium_accepts_the_single_player(opponent: Any) -> None:
    gymnasium = pytest.importorskip("gymnasium")
    checker = pytest.importorskip("gymnasium.utils.env_checker")
    env = SinglePlayerEnv("domineering", opponent, rows=4, columns=4, illegal_reward=-1.0, render_mode="rgb_array")
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        checker.check_env(env, skip_render_check=False)
    assert isinstance(env, gymnasium.Env)
    rng = np.random.default_rng(1)
    results = []
    for game in range(6):
        _, info = env.reset(seed=game)
        over = bool(env.position.is_over)
        while not over:
            assert (info["action_mask"] == env.action_masks()).all()
            _, reward, over, truncated, info = env.step(int(rng.choice(np.flatnonzero(env.action_masks()))))
            assert not truncated
        results.append(reward)
    assert set(results) <= {-1.0, 0.0, 1.0}


def test_gymnasium_makes_the_games_by_their_names() -> None:
    gymnasium = pytest.importorskip("gymnasium")
    for game in ("Bacteria", "Domineering", "Renju"):
        made = gymnasium.make(f"agon_arena.single:agon_arena/{game}-v0", opponent="greedy")
        assert isinstance(made.unwrapped, SinglePlayerEnv) and made.unwrapped.game == game.lower()
        made.reset(seed=1)
    made = gymnasium.make("agon_arena/Domineering-v0", opponent=lambda position: position.moves()[0], rows=4, columns=4)
    observation, info = made.reset(seed=2)
    assert observation.shape == (5, 4, 4) and info["action_mask"].shape == (17,)
    boards = gymnasium.make_vec("agon_arena/Domineering-v0", num_envs=2, rows=4, columns=4)
    assert boards.reset(seed=3)[0].shape == (2, 5, 4, 4)


def test_a_refused_action_changes_nothing() -> None:
    env = agon_arena.env("petri", turns=8)
    env.reset(seed=1)
    env._cumulative_rewards["player_0"] = 0.5
    before = env.position
    for wrong, message in [(50, "action 50: 0 to 49 expected"), (-1, "action -1"), (0.5, "whole numbers of actions")]:
        with pytest.raises(AgonError, match=message):
            env.step(wrong)
    assert env.position == before and env._cumulative_rewards["player_0"] == 0.5
    board = agon_arena.env("renju")
    board.reset()
    board._cumulative_rewards["player_0"] = 0.5
    with pytest.raises(AgonError):
        board.step(-1)
    assert board._cumulative_rewards["player_0"] == 0.5

    dish = agon_arena.parallel_env("petri", max_cycles=1)
    dish.reset(seed=1)
    before, rest = dish.position, np.zeros(dish.shape, np.int64)
    wrong = rest.copy()
    wrong[np.nonzero(dish._look()["player_1"][0])] = 99
    for actions, message in [
        ({"player_0": rest, "player_1": wrong}, "action 99: 0 to 49 expected"),
        ({"player_0": rest, "player_1": rest + 0.5}, "whole numbers of actions expected, not float64"),
        ({"player_0": rest, "player_1": rest[1:]}, "an action of shape"),
        ({"player_0": rest}, "no action of player_1"),
    ]:
        with pytest.raises(AgonError, match=message):
            dish.step(actions)
    assert dish.position == before and dish.cycle == 0
    assert dish.step({"player_0": rest, "player_1": rest})[3] == {"player_0": True, "player_1": True}
    assert dish.step({}) == ({}, {}, {}, {}, {})


def test_the_single_player_refuses_what_makes_no_sense() -> None:
    with pytest.raises(AgonError, match="did you mean"):
        SinglePlayerEnv("renju", "greddy")
    with pytest.raises(AgonError, match="0, 1 or None"):
        SinglePlayerEnv("renju", seat=2)
    with pytest.raises(TypeError, match=r"not an array \(3,\)"):
        SinglePlayerEnv("renju", np.zeros(3))
    for reward in (None, -1.0):
        env = SinglePlayerEnv("renju", seat=0, illegal_reward=reward)
        env.reset(seed=1)
        for number in (-1, 226, 10**6):
            with pytest.raises(AgonError, match=f"action {number}: 0 to 225 expected"):
                env.step(number)
    assert env.step(0)[1:3] == (-1.0, True)
    with pytest.raises(AgonError, match="the game is over"):
        env.step(112)
    env = SinglePlayerEnv("renju", seat=0)
    env.reset(seed=1)
    with pytest.raises(agon_arena.IllegalMoveError):
        env.step(0)


@pytest.mark.slow
def test_a_learner_of_stable_baselines_beats_greedy() -> None:
    pytest.importorskip("sb3_contrib")
    example = runpy.run_path(str(Path(__file__).parents[1] / "examples" / "maskable_ppo.py"))
    wins: int = example["wins"](example["learner"](60_000), 100)
    assert wins > 50
