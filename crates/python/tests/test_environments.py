"""The environments pass the checkers of PettingZoo and of Gymnasium."""

from __future__ import annotations

import importlib.metadata
import runpy
import subprocess
import sys
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
from pettingzoo.test.state_test import test_parallel_env, test_state_space  # noqa: E402

# They are no tests of this module.
test_parallel_env.__test__ = test_state_space.__test__ = False

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
        test_parallel_env(agon_arena.parallel_env("petri", max_cycles=20))
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
def test_numbers_stay_within_their_bounds(game: str, parameters: dict[str, Any]) -> None:
    env = agon_arena.env(game, **parameters)
    test_state_space(env)
    rng = np.random.default_rng(6)
    for seed in range(4):
        env.reset(seed=seed)
        for agent in env.agent_iter():
            seen, reward, over, _, info = env.last()
            assert list(info) == ["reason"] and isinstance(info["reason"], str) and bool(info["reason"]) == over
            assert str(reward) != "-0.0" and not any(str(reward) == "-0.0" for reward in env.rewards.values())
            for each in env.agents:
                numbers = env.observe(each)["observation"]
                assert env.observation_space(each).contains(env.observe(each))
                assert not (np.signbit(numbers) & (numbers == 0)).any()
            assert env.state_space.contains(env.state())
            env.step(None if over else int(rng.choice(np.flatnonzero(seen["action_mask"]))))


@pytest.mark.parametrize(
    "parameters",
    [
        {"rows": 2, "columns": 3, "largest": 99, "bonus": -9999.5},
        {"board": "99 0 1/0 0 7", "bonus": 0},
        {"rows": 1, "columns": 8, "largest": 0, "bonus": 3},
    ],
)
def test_bounds_follow_from_the_parameters(parameters: dict[str, Any]) -> None:
    for seed in range(12):
        env = agon_arena.SinglePlayerEnv("domineering", "random", **parameters)
        seen, info = env.reset(seed=seed)
        over = False
        while not over:
            assert env.observation_space.contains(seen)
            seen, _, over, _, info = env.step(int(np.flatnonzero(info["action_mask"])[0]))
        assert env.observation_space.contains(seen)


def test_the_state_is_that_of_the_first_player() -> None:
    env = agon_arena.env("bacteria")
    env.reset(seed=1)
    env.step(int(np.flatnonzero(env.last()[0]["action_mask"])[3]))
    np.testing.assert_array_equal(env.state()[:-1], env.observe("player_0")["observation"])
    assert (env.state()[-1] == 1).all() and env.state().dtype == np.float32
    dish = agon_arena.parallel_env("petri", max_cycles=4)
    test_state_space(dish)
    seen, _ = dish.reset(seed=1)
    np.testing.assert_array_equal(dish.state()[:3], seen["player_0"])
    rest = np.zeros(dish.action_space("player_0").shape, np.int64)
    for cycle in range(4):
        assert (dish.state()[3] == cycle / 4).all()
        dish.step({"player_0": rest, "player_1": rest})
        assert dish.state_space.contains(dish.state())


def test_what_environments_do_not_know_is_a_type_error() -> None:
    makes: list[Any] = [agon_arena.Position, agon_arena.SinglePlayerEnv, agon_arena.env]
    for make in makes:
        for game in ("bacteria", "domineering", "renju"):
            with pytest.raises(TypeError, match="got an unexpected keyword argument 'frameskip'") as refused:
                make(game, frameskip=4)
            assert isinstance(refused.value, AgonError)
    for make in (agon_arena.env, agon_arena.parallel_env):
        with pytest.raises(TypeError, match="got an unexpected keyword argument 'frameskip'"):
            make("petri", frameskip=4)
    with pytest.raises(TypeError, match="got an unexpected keyword argument 'frameskip'"):
        agon_arena.Batch("renju", 2, frameskip=4)
    with pytest.raises(TypeError, match="got an unexpected keyword argument 'frameskip'"):
        agon_arena.match("random", "random", game="renju", games=2, frameskip=4)
    # A value out of range is no unknown parameter.
    with pytest.raises(AgonError) as wrong:
        agon_arena.env("domineering", rows=9)
    assert not isinstance(wrong.value, TypeError)
    for make in (agon_arena.SinglePlayerEnv, agon_arena.env):
        with pytest.raises(TypeError, match=r"got an unexpected keyword argument 'seed': reset\(seed=...\) takes it"):
            make("renju", seed=3)


def test_metadata_are_of_one_environment_alone() -> None:
    makes: list[Any] = [
        lambda: agon_arena.env("renju"),
        lambda: agon_arena.env("petri"),
        lambda: agon_arena.parallel_env("petri"),
        lambda: SinglePlayerEnv("renju"),
    ]
    for make in makes:
        one, two = make(), make()
        one.metadata["render_modes"].append("svg")
        one.metadata["render_fps"] = 99
        assert "svg" not in two.metadata["render_modes"] and two.metadata["render_fps"] != 99
        assert "svg" not in type(one).metadata["render_modes"] and "svg" not in make().metadata["render_modes"]
        spaces = [one.observation_space, two.observation_space]
        if callable(spaces[0]):
            assert spaces[0]("player_0") is spaces[0]("player_0") is not spaces[0]("player_1")


def test_a_game_begins_where_the_options_say() -> None:
    start = agon_arena.Position("bacteria", moves=["1 1 2 2", "1 7 3 5"])
    for given in (start, start.text):
        env = agon_arena.env("bacteria")
        env.reset(seed=1, options={"position": given, "unknown": 1})
        assert env.position == start and env.agent_selection == "player_0"
        single = SinglePlayerEnv("bacteria", "greedy")
        _, info = single.reset(seed=1, options={"position": given, "seat": 1})
        assert info["seat"] == 1 and single.position.ply == start.ply + 1
        _, info = single.reset(seed=1, options={"position": given, "seat": 0})
        assert info["seat"] == 0 and single.position == start
    board = agon_arena.env("domineering", rows=4, columns=4)
    for wrong, message in [
        (agon_arena.Position("renju"), "a position of domineering expected, not of renju"),
        (agon_arena.Position("domineering", rows=5, columns=4), "of another board"),
        (agon_arena.Position("domineering", rows=4, columns=4, bonus=500), "of another board"),
        (agon_arena.Position("domineering", rows=4, columns=4).play(16).play(16), "the game is over at"),
        ("x", "is not a position of domineering"),
    ]:
        with pytest.raises(AgonError, match=message):
            board.reset(options={"position": wrong})
    with pytest.raises(AgonError, match="seat=2"):
        SinglePlayerEnv("bacteria").reset(options={"seat": 2})


def test_infos_have_the_same_keys_at_every_step() -> None:
    env = SinglePlayerEnv("domineering", "greedy", rows=3, columns=3)
    _, info = env.reset(seed=1)
    over = False
    while True:
        assert list(info) == ["action_mask", "seat", "reason"]
        assert isinstance(info["seat"], np.int64) and info["action_mask"].dtype == np.int8
        assert bool(info["reason"]) == over
        if over:
            break
        _, reward, over, _, info = env.step(int(info["action_mask"].argmax()))
        assert str(reward) != "-0.0"
    dish = agon_arena.parallel_env("petri", max_cycles=3)
    _, infos = dish.reset(seed=1)
    assert infos == {agent: {"reason": ""} for agent in dish.possible_agents}
    rest = {agent: np.zeros(40, np.int64) for agent in dish.agents}
    for cycle in range(3):
        _, rewards, _, _, infos = dish.step(rest)
        assert all(bool(info["reason"]) == (cycle == 2) for info in infos.values())
        assert not any(str(reward) == "-0.0" for reward in rewards.values())


def test_the_dish_takes_actions_flat_or_as_a_board() -> None:
    games = []
    for shape in ((40,), (4, 10)):
        dish = agon_arena.parallel_env("petri", max_cycles=20)
        assert dish.action_space("player_0").shape == (40,)
        dish.reset(seed=2)
        draws = np.random.default_rng(3)
        while dish.agents:
            dish.step({agent: draws.integers(50, size=40).reshape(shape) for agent in dish.agents})
        games.append(dish.position.text)
    assert games[0] == games[1]


def test_an_opponent_answers_by_the_seed_of_the_game_alone() -> None:
    engine = agon_arena.Engine("champion:5")
    env = SinglePlayerEnv("bacteria", engine, seat=0)

    def game() -> list[str]:
        _, info = env.reset(seed=7)
        texts, over = [env.position.text], False
        while not over and len(texts) < 10:
            _, _, over, _, info = env.step(int(info["action_mask"].argmax()))
            texts.append(env.position.text)
        return texts

    one = game()
    # What it has learnt meanwhile changes nothing.
    engine.best_move(agon_arena.Position("bacteria"), nodes=20_000)
    assert game() == one


def test_names_are_registered_whichever_module_comes_first() -> None:
    for first, second in (("agon_arena", "gymnasium"), ("gymnasium", "agon_arena")):
        script = (
            f"import {first}\nimport {second}\n"
            "print([gymnasium.make(f'agon_arena/{name}-v0').unwrapped.game\n"
            "       for name in ('Bacteria', 'Domineering', 'Renju')])"
        )
        out = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True).stdout
        assert out == "['bacteria', 'domineering', 'renju']\n", out
    script = "import gymnasium; print(gymnasium.make('agon_arena:agon_arena/Renju-v0').unwrapped.game)"
    out = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True).stdout
    assert out == "renju\n"
    points = importlib.metadata.entry_points(group="gymnasium.envs")
    assert [point.load() for point in points if point.name == "agon_arena"] == [agon_arena._register]


def test_without_the_extras_names_can_be_looked_at() -> None:
    script = (
        "import sys\n"
        "sys.modules['pettingzoo'] = sys.modules['gymnasium'] = None\n"
        "import inspect, pydoc, agon_arena\n"
        "assert hasattr(agon_arena, 'env')\n"
        "inspect.getmembers(agon_arena)\n"
        "assert 'agon-arena[env]' in pydoc.render_doc(agon_arena.env)\n"
        "pydoc.render_doc(agon_arena)\n"
        "from agon_arena import *\n"
        "assert not isinstance(3, AgonEnv)\n"
        "for make in (env, SinglePlayerEnv, parallel_env):\n"
        "    try:\n"
        "        make('bacteria')\n"
        "    except ImportError as error:\n"
        "        print(error)\n"
    )
    out = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True).stdout
    assert out.splitlines() == [
        f'agon_arena.{name} needs gymnasium and pettingzoo: pip install "agon-arena[env]"'
        for name in ("env", "SinglePlayerEnv", "parallel_env")
    ]


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
