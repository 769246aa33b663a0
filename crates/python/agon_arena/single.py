"""A Gymnasium environment: one player learns, a fixed opponent answers."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import gymnasium
import numpy as np
from gymnasium import spaces

from agon_arena import _register
from agon_arena._native import AgonError, Engine, Position
from agon_arena.agents import checked, chooser, name_of
from agon_arena.environments import RANGES, RENDER_MODES, BegunByReset, check_mode, shape_of, show

_register()

_FOREVER = (3600.0, 0.0, None, 3600.0)


class SinglePlayerEnv(BegunByReset, gymnasium.Env[np.ndarray, int]):
    """A game against a fixed opponent, as an environment of one agent.

    `opponent` is the text of a built-in player ("random", "greedy", "champion:2"), an `Engine`, or a Python agent as
    for `play`.
    `seat` is 0, 1, or None to change seats from game to game. An observation is float32 planes; `action_masks()` gives
    the legal actions in the form of sb3-contrib's MaskablePPO. An illegal action raises, unless `illegal_reward` is
    given: then the game ends with that reward.

    `nodes` bounds the opponent's search for each move; a built-in player with a level has its own bound.
    """

    metadata: dict[str, Any] = {"render_modes": RENDER_MODES, "render_fps": 2}

    def __init__(
        self,
        game: str,
        opponent: Any = "random",
        *,
        seat: int | None = None,
        nodes: int | None = 1_000,
        illegal_reward: float | None = None,
        render_mode: str | None = None,
        **parameters: Any,
    ) -> None:
        check_mode(render_mode)
        if game not in RANGES:
            raise AgonError(f"{game} has no environment of this kind: {', '.join(RANGES)} expected")
        if seat not in (None, 0, 1):
            raise AgonError(f"seat={seat}: 0, 1 or None expected")
        self.game, self.opponent, self.seat, self.nodes = game, opponent, seat, nodes
        self.illegal_reward, self.render_mode, self.parameters = illegal_reward, render_mode, parameters
        shape, actions = shape_of(game, parameters)
        low, high = RANGES[game]
        self.observation_space = spaces.Box(low, high, shape, np.float32)
        self.action_space = spaces.Discrete(actions)  # type: ignore[assignment]
        self._turns = 0
        if isinstance(opponent, str):
            # A name that means nothing is refused now, and not in the first game.
            Engine(opponent, game=game)
        else:
            checked(opponent)
        self.position = Position(game, **parameters)

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[np.ndarray, dict[str, Any]]:
        super().reset(seed=seed)
        drawn = int(self.np_random.integers(1 << 53))
        self.own = self.seat if self.seat is not None else int(self.np_random.integers(2))
        opponent = self.opponent
        if isinstance(opponent, str):
            opponent = Engine(opponent, game=self.game, seed=drawn)
        self._choose: Callable[[Position, Any], Any]
        if isinstance(opponent, Engine):
            engine = opponent
            self._choose = lambda position, _: engine.best_move(position, nodes=self.nodes)
        else:
            self._choose = chooser(opponent, 1 - self.own, drawn)
        self.position = Position(self.game, seed=drawn, **self.parameters)
        self._ended = False
        self._answer()
        return self._observed(), self._info()

    def _answer(self) -> None:
        while self.position.turn == 1 - self.own:
            answer = self._choose(self.position, _FOREVER)
            self.position = self.position.play(answer)

    def _observed(self) -> np.ndarray:
        return self.position.observation(seat=self.own)

    def _info(self) -> dict[str, Any]:
        return {"action_mask": self.action_masks().astype(np.int8), "seat": self.own}

    def action_masks(self) -> np.ndarray:
        """Returns the legal actions, bool (actions,)."""
        return self.position.action_mask().astype(bool)

    def step(self, action: int) -> tuple[np.ndarray, float, bool, bool, dict[str, Any]]:
        seat, number, actions = self.own, int(action), len(self.action_masks())
        if self._ended:
            raise AgonError("the game is over: reset() begins another")
        if not 0 <= number < actions:
            raise AgonError(f"action {number}: 0 to {actions - 1} expected")
        if self.illegal_reward is not None and not self.action_masks()[number]:
            self._ended = True
            return self._observed(), float(self.illegal_reward), True, False, self._info()
        self.position = self.position.play(number)
        self._answer()
        result = self.position.result
        self._ended = result is not None
        reward = 0.0 if result is None else float(result if seat == 0 else -result)
        if self.render_mode == "human":
            self.render()
        return self._observed(), reward, result is not None, False, self._info()

    def render(self) -> Any:
        return show(self.position, self.render_mode)

    @property
    def opponent_name(self) -> str:
        """Name of the opponent in tables."""
        return name_of(self.opponent)
