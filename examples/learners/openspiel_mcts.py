"""Agon's games as games of OpenSpiel, for its searches and learners: here its MCTS.

    pip install ".[env]" open_spiel        # in a checkout of Agon
    python examples/learners/openspiel_mcts.py

A state is a `Position`, which never changes, so OpenSpiel's copies cost nothing.
"""

from typing import Any

import numpy as np
import pyspiel
from agon_arena import Position
from open_spiel.python.algorithms import mcts

LIBRARY, KINDS = "open_spiel", ["Position"]


class State(pyspiel.State):
    """A game in progress."""

    def __init__(self, game: "Game", position: Position) -> None:
        super().__init__(game)
        self.position = position

    def current_player(self) -> int:
        return pyspiel.PlayerId.TERMINAL if self.position.is_over else self.position.turn

    def _legal_actions(self, player: int) -> list[int]:
        return np.flatnonzero(self.position.action_mask()).tolist()

    def _apply_action(self, action: int) -> None:
        self.position = self.position.play(action)

    def _action_to_string(self, player: int, action: int) -> str:
        return self.position.move(action)

    def is_terminal(self) -> bool:
        return self.position.is_over

    def returns(self) -> list[float]:
        result = float(self.position.result or 0)
        return [result, -result]

    def __str__(self) -> str:
        return self.position.text


class Game(pyspiel.Game):
    """The rules of a game of Agon, with parameters of that game."""

    def __init__(self, game: str, **parameters: Any) -> None:
        self.start, of = Position(game, **parameters), pyspiel.GameType
        dynamics, chance = of.Dynamics.SEQUENTIAL, of.ChanceMode.DETERMINISTIC
        values = of.Information.PERFECT_INFORMATION, of.Utility.ZERO_SUM, of.RewardModel.TERMINAL
        # Two players; no tensors and no strings of the information or the observation; no parameters.
        kind = of(f"agon_{game}", game, dynamics, chance, *values, 2, 2, False, False, False, False, {})
        # No chance, two players, returns from -1 to 1 whose sum is 0; no game has more plies than the last number.
        info = pyspiel.GameInfo(len(self.start.action_mask()), 0, 2, -1.0, 1.0, 0.0, 450)
        super().__init__(kind, info, {})

    def new_initial_state(self, state: str | None = None) -> State:
        return State(self, self.start if state is None else Position(self.start.game, state))


def attempt(kind: str, game: str, **parameters: Any) -> list[float]:
    """The returns of OpenSpiel's MCTS, written in Python, against a random player."""
    rules, draws = Game(game, **parameters), np.random.RandomState(1)
    bot = mcts.MCTSBot(rules, 1.4, 20, mcts.RandomRolloutEvaluator(1, draws), random_state=draws)
    state = rules.new_initial_state()
    while not state.is_terminal():
        searches = state.current_player() == 0 and state.position.ply < 12
        state.apply_action(bot.step(state) if searches else int(draws.choice(state.legal_actions())))
    return state.returns()


if __name__ == "__main__":
    for name in ("bacteria", "domineering", "renju"):
        print(f"{name}: returns {attempt('Position', name)}")
