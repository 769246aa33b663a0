"""Plies a second of processor time in random play, by Agon's wheel and by others.

    pip install agon-arena[env] open_spiel "pettingzoo[classic]"
    python crates/python/benches/speed.py

Everything runs on one core. What is not installed is left out.
"""

from __future__ import annotations

import time
import warnings
from collections.abc import Callable
from typing import Any

import agon_arena
import numpy as np

ROLLOUTS = 3_000


def rate(play: Callable[[], int]) -> float:
    begun = time.process_time()
    plies = play()
    return plies / (time.process_time() - begun)


def rollouts(name: str) -> float:
    """OpenSpiel's random rollouts in C++, as its MCTS asks for them."""
    import pyspiel

    game, rng, plies = pyspiel.load_game(name), np.random.RandomState(1), 0
    for _ in range(30):
        state = game.new_initial_state()
        while not state.is_terminal():
            legal = state.legal_actions()
            state.apply_action(legal[rng.randint(len(legal))])
            plies += 1
    bot = pyspiel.MCTSBot(game, pyspiel.RandomRolloutEvaluator(ROLLOUTS, 1), 1.4, 1, 0, False, 1, False)
    state = game.new_initial_state()

    def play() -> int:
        bot.mcts_search(state)
        return ROLLOUTS * plies // 30

    return rate(play)


def vector(name: str, games: int = 64, steps: int = 60) -> float:
    """A loop of Python over OpenSpiel's states, with observations and masks, as its vector environment has it."""
    import pyspiel

    game, rng = pyspiel.load_game(name), np.random.RandomState(1)
    states = [game.new_initial_state() for _ in range(games)]

    def play() -> int:
        for _ in range(steps):
            for at, state in enumerate(states):
                if state.is_terminal():
                    state = states[at] = game.new_initial_state()
                state.observation_tensor(), state.legal_actions_mask()
                legal = state.legal_actions()
                state.apply_action(legal[rng.randint(len(legal))])
        return games * steps

    return rate(play)


def environment(env: Any, plies: int = 3_000) -> float:
    """A PettingZoo environment."""
    rng = np.random.RandomState(1)

    def play() -> int:
        played = 0
        while played < plies:
            env.reset()
            for _ in env.agent_iter():
                seen, _, terminated, truncated, _ = env.last()
                if terminated or truncated:
                    env.step(None)
                    continue
                env.step(int(rng.choice(np.flatnonzero(seen["action_mask"]))))
                played += 1
        return played

    return rate(play)


def batch(game: str, games: int, seconds: float = 1.0) -> float:
    """`Batch.step` of `Batch.sample`: observations, masks, rewards, resets."""
    games_ = agon_arena.Batch(game, games, threads=1)

    def play() -> int:
        end, played = time.process_time() + seconds, 0
        while time.process_time() < end:
            games_.step(games_.sample())
            played += games
        return played

    return rate(play)


def alone(game: str, games: int, plies: int) -> float:
    """`Batch.random_plies`: the rules alone."""
    games_ = agon_arena.Batch(game, games, threads=1)

    def play() -> int:
        games_.random_plies(plies)
        return games * plies

    return rate(play)


def connect_four() -> float:
    from pettingzoo.classic import connect_four_v3

    return environment(connect_four_v3.env())


ROWS: list[tuple[str, Callable[[], float]]] = [
    ("OpenSpiel, rollouts in C++, breakthrough", lambda: rollouts("breakthrough")),
    ("OpenSpiel, rollouts in C++, othello", lambda: rollouts("othello")),
    ("OpenSpiel, a loop of Python, breakthrough", lambda: vector("breakthrough")),
    ("OpenSpiel, a loop of Python, othello", lambda: vector("othello")),
    ("PettingZoo, connect_four_v3", connect_four),
    ("agon_arena.env, bacteria", lambda: environment(agon_arena.env("bacteria"))),
    ("agon_arena.env, domineering", lambda: environment(agon_arena.env("domineering"))),
    ("Batch, bacteria", lambda: batch("bacteria", 4_096)),
    ("Batch, domineering", lambda: batch("domineering", 4_096)),
    ("Batch, renju", lambda: batch("renju", 256)),
    ("Batch.random_plies, bacteria", lambda: alone("bacteria", 4_096, 200)),
    ("Batch.random_plies, domineering", lambda: alone("domineering", 4_096, 200)),
    ("Batch.random_plies, renju", lambda: alone("renju", 256, 20)),
]

if __name__ == "__main__":
    warnings.simplefilter("ignore")
    for name, measure in ROWS:
        try:
            print(f"{name:45} {measure():12,.0f}", flush=True)
        except ImportError as error:
            print(f"{name:45} not installed: {error}")
