"""A Gymnasium environment: one player learns, a fixed opponent answers."""

from __future__ import annotations

from typing import Any

import gymnasium
import numpy as np
from gymnasium import spaces

from agon_arena import _register
from agon_arena._native import AgonError, Engine, IllegalMoveError, Position
from agon_arena.agents import Chooser, checked, name_of
from agon_arena.environments import (
    GAMES,
    RENDER_MODES,
    BegunByReset,
    begun,
    check_mode,
    own_metadata,
    planes_of,
    show,
)

_register()

_FOREVER = (3600.0, 0.0, None, 3600.0)

_SEEDS = 1 << 53
"""Seeds of games are drawn below this number, which every language reads without loss."""


class SinglePlayerEnv(BegunByReset, gymnasium.Env[np.ndarray, int]):
    """A game against a fixed opponent, as an environment of one agent.

    `opponent` is the text of a built-in player ("random", "greedy", "champion:2"), an `Engine`, or a Python agent as
    for `play`.
    `seat` is 0, 1, or None to change seats from game to game. An observation is float32 planes; `action_masks()` gives
    the legal actions in the form of sb3-contrib's MaskablePPO. An illegal action raises, unless `illegal_reward` is
    given: then the game ends with that reward.

    `nodes` bounds the search of the opponent for each move; a built-in with a level has its own bound. What an engine
    answers follows from the position and from the seed of the game alone, so that a copy of the environment, or one
    from a pickle, goes on as this one does.

    Each info has ``action_mask``, ``seat`` (the learner's), and ``reason``: why the game is over, and nothing before.
    ``reset(options={"position": ..., "seat": ...})`` begins at a `Position` of the same board or at its text, and
    gives the learner that seat for this game; other options are not looked at.
    """

    metadata: dict[str, Any] = {"render_modes": list(RENDER_MODES), "render_fps": 2}

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
        if game not in GAMES:
            raise AgonError(f"{game} has no environment of this kind: {', '.join(GAMES)} expected")
        self.metadata = own_metadata(self)
        self.game, self.opponent, self.seat, self.nodes = game, opponent, _seat(seat), nodes
        self.illegal_reward, self.render_mode, self.parameters = illegal_reward, render_mode, parameters
        low, high, actions = planes_of(game, parameters)
        self.observation_space = spaces.Box(low, high, dtype=np.float32)
        self.action_space = spaces.Discrete(actions)  # type: ignore[assignment]
        # A name that means nothing is refused now, and not in the first game.
        self._player: Any = Engine(opponent, game=game) if isinstance(opponent, str) else checked(opponent)
        self.position = Position(game, **parameters)

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[np.ndarray, dict[str, Any]]:
        super().reset(seed=seed)
        drawn, other = int(self.np_random.integers(_SEEDS)), int(self.np_random.integers(2))
        seat = _seat((options or {}).get("seat", self.seat))
        position = begun(self.game, drawn, self.parameters, options, self.observation_space)  # type: ignore[arg-type]
        self.own = seat if seat is not None else other
        self._drawn = drawn
        if not isinstance(self._player, Engine):
            self._player = Chooser(self.opponent, 1 - self.own, drawn)
        self.position = self._answered(position)
        if self.position.is_over:
            raise AgonError(f"the game is over before the learner's first move: `{self.position.text}`")
        self._ended = False
        return self._observed(), self._info()

    def _answered(self, position: Position) -> Position:
        """The position after the opponent's moves, if it is to move."""
        player, other = self._player, 1 - self.own
        while position.turn == other:
            if isinstance(player, Engine):
                seed = (self._drawn + position.ply) % _SEEDS
                after = player.play(position, nodes=self.nodes, seed=seed)
                if after is None:
                    raise AgonError(f"{player!r} has no move at `{position.text}`")
                position = after
            else:
                position = position.play(player(position, _FOREVER))
        return position

    def _observed(self) -> np.ndarray:
        return self.position.observation(seat=self.own)

    def _info(self) -> dict[str, Any]:
        position = self.position
        return {
            "action_mask": position.action_mask(),
            "seat": np.int64(self.own),
            "reason": position.reason or "",
        }

    def action_masks(self) -> np.ndarray:
        """The legal actions, bool (actions,)."""
        return self.position.action_mask().view(np.bool_)

    def step(self, action: int) -> tuple[np.ndarray, float, bool, bool, dict[str, Any]]:
        # Before `reset` there is no seat.
        seat = self.own
        if self._ended:
            raise AgonError("the game is over: reset() begins another")
        try:
            played = self.position.play(int(action))
        except IllegalMoveError:
            if self.illegal_reward is None:
                raise
            self._ended = True
            info = {**self._info(), "reason": f"action {int(action)} is not legal"}
            return self._observed(), float(self.illegal_reward), True, False, info
        self.position = self._answered(played)
        result = self.position.result
        self._ended = result is not None
        reward = 0.0 if result is None else float(result if seat == 0 else -result)
        if self.render_mode == "human":
            self.render()
        return self._observed(), reward, self._ended, False, self._info()

    def render(self) -> Any:
        return show(self.position, self.render_mode)

    @property
    def opponent_name(self) -> str:
        """Name of the opponent in tables."""
        return name_of(self.opponent)


def _seat(seat: Any) -> int | None:
    if seat is not None and seat not in (0, 1):
        raise AgonError(f"seat={seat}: 0, 1 or None expected")
    return None if seat is None else int(seat)
