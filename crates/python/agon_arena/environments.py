"""PettingZoo environments of Agon's games: one agent acts at a time (AEC)."""

from __future__ import annotations

import os
from typing import Any

import numpy as np
from gymnasium import spaces
from pettingzoo import AECEnv

from agon_arena._native import AgonError, Position, games, load_rules

AGENTS = ["player_0", "player_1"]

RANGES = {"bacteria": (0.0, 1.0), "domineering": (-7000.0, 7000.0), "renju": (0.0, 1.0)}
"""Smallest and largest number of an observation."""

RENDER_MODES = ["rgb_array", "ansi", "human"]


def shape_of(game: str, parameters: dict[str, Any]) -> tuple[tuple[int, ...], int]:
    """Returns the shape of a game's planes and its number of actions."""
    position = Position(game, **parameters)
    return position.observation().shape, len(position.action_mask())


def spaces_of(shape: tuple[int, ...], actions: int, low: float, high: float) -> spaces.Dict:
    """Returns the space of an observation with its mask."""
    return spaces.Dict(
        {
            "observation": spaces.Box(low, high, shape, np.float32),
            "action_mask": spaces.Box(0, 1, (actions,), np.int8),
        }
    )


def show(position: Position, mode: str | None) -> Any:
    """Renders a position."""
    if mode == "rgb_array":
        return position.rgb()
    if mode == "ansi":
        return str(position)
    if mode == "human":
        print(position)
    return None


def check_mode(mode: str | None) -> None:
    """Refuses an unknown render mode."""
    if mode is not None and mode not in RENDER_MODES:
        raise AgonError(f"render_mode={mode!r}: one of {', '.join(RENDER_MODES)} expected")


class NotBegunError(AgonError, AttributeError):
    """An environment was used before its first `reset`."""


class BegunByReset:
    """An environment without a game before its first `reset`, which raises until then."""

    OF_A_GAME = {
        *("position", "agent_selection", "rewards", "terminations", "truncations", "infos", "_cumulative_rewards"),
        *("own", "cycle"),
    }
    """Attributes created by `reset`."""

    def __getattr__(self, name: str) -> Any:
        if name in self.OF_A_GAME:
            raise NotBegunError(f"reset() the environment first: `{name}` is of a game, and none has begun")
        raise AttributeError(f"{type(self).__name__!r} object has no attribute {name!r}")


class AgonEnv(BegunByReset, AECEnv[str, dict[str, np.ndarray], int]):  # type: ignore[misc, unused-ignore]
    """A game of two sides that move in turn.

    Agents are ``player_0`` (the first seat) and ``player_1``. An observation is a dictionary: ``observation``, float32
    planes (planes, rows, columns) from the view of the agent, and ``action_mask``, int8 (actions,), which is all zeros
    for the waiting agent. Rewards are 1, -1 or 0 at the end of the game, and 0 before.

    Parameters are those of the game. If a game's start is drawn, each `reset` with a seed draws from that seed, and
    each one without draws the next.
    """

    metadata: dict[str, Any] = {"render_modes": RENDER_MODES, "is_parallelizable": False, "render_fps": 2}

    def __init__(self, game: str, render_mode: str | None = None, **parameters: Any) -> None:
        super().__init__()
        check_mode(render_mode)
        if game not in RANGES:
            raise AgonError(f"{game} has no environment of this kind: {', '.join([*RANGES, 'petri'])} expected")
        (shape, actions), (low, high) = shape_of(game, parameters), RANGES[game]
        self._prepare(game, render_mode, parameters, spaces_of(shape, actions, low, high), actions)

    def _prepare(
        self, game: str, render_mode: str | None, parameters: dict[str, Any], space: spaces.Dict, actions: int
    ) -> None:
        self.metadata = {**self.metadata, "name": f"agon_{game}_v0"}
        self.game, self.parameters, self.render_mode = game, parameters, render_mode
        self.possible_agents = list(AGENTS)
        self._observation_spaces = dict.fromkeys(AGENTS, space)
        self._action_spaces = {agent: spaces.Discrete(actions) for agent in AGENTS}
        self._draws = np.random.default_rng()
        self.agents: list[str] = []

    def observation_space(self, agent: str) -> spaces.Space[Any]:
        return self._observation_spaces[agent]

    def action_space(self, agent: str) -> spaces.Space[Any]:
        return self._action_spaces[agent]

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> None:
        if seed is not None:
            self._draws = np.random.default_rng(seed)
        drawn = int(self._draws.integers(1 << 53))
        text = (options or {}).get("position")
        self.position = Position(self.game, text) if text else Position(self.game, seed=drawn, **self.parameters)
        self.agents = list(AGENTS)
        self.rewards = dict.fromkeys(AGENTS, 0.0)
        self._cumulative_rewards = dict.fromkeys(AGENTS, 0.0)
        self.terminations = dict.fromkeys(AGENTS, False)
        self.truncations = dict.fromkeys(AGENTS, False)
        self.infos: dict[str, dict[str, Any]] = {agent: {} for agent in AGENTS}
        self._select()

    def _select(self) -> None:
        turn = self.position.turn
        self.agent_selection = AGENTS[turn if turn is not None else self.position.ply % 2]

    def observe(self, agent: str) -> dict[str, np.ndarray]:
        seat = AGENTS.index(agent)
        mask = self._mask()
        if self.position.turn != seat:
            mask = np.zeros_like(mask)
        return {"observation": self._planes(seat), "action_mask": mask}

    def _mask(self) -> np.ndarray:
        return self.position.action_mask()

    def _planes(self, seat: int) -> np.ndarray:
        return self.position.observation(seat=seat)

    def _played(self, action: int) -> Position:
        return self.position.play(action)

    def step(self, action: int | None) -> None:
        if self.terminations[self.agent_selection] or self.truncations[self.agent_selection]:
            self._was_dead_step(action)
            return
        # What is refused changes nothing.
        self.position = self._played(_action(action))
        self._cumulative_rewards[self.agent_selection] = 0.0
        self._clear_rewards()
        result = self.position.result
        if result is not None:
            self.rewards = {AGENTS[0]: float(result), AGENTS[1]: -float(result)}
            self.terminations = dict.fromkeys(AGENTS, True)
            for info in self.infos.values():
                info["reason"] = self.position.reason
            self.agent_selection = AGENTS[1 - AGENTS.index(self.agent_selection)]
        else:
            self._select()
        self._accumulate_rewards()
        if self.render_mode == "human":
            self.render()

    def render(self) -> Any:
        return show(self.position, self.render_mode)

    def close(self) -> None:
        """Does nothing: no resource is open."""


class MovesEnv(AgonEnv):
    """A game whose rules are a program (docs/own-game.md), known only by its moves and board.

    Action i is the i-th of `Position.moves()`; positions with more than `actions` moves are refused. The
    planes are own pieces and the other side's.
    """

    def __init__(self, game: str, render_mode: str | None = None, actions: int = 512, **parameters: Any) -> None:
        AECEnv.__init__(self)
        check_mode(render_mode)
        if actions < 1:
            raise AgonError(f"actions={actions}: 1 or more expected")
        start = Position(game, **parameters)
        if start.has_secrets:
            raise AgonError(f"{game} hides something from a side: it has no environment")
        space = spaces_of((2, *start.owners().shape), actions, 0.0, 1.0)
        self._actions = actions
        self._prepare(game, render_mode, parameters, space, actions)

    def _mask(self) -> np.ndarray:
        moves = len(self.position.moves())
        if moves > self._actions:
            raise AgonError(f"{moves} moves: make the environment with actions={moves} or more")
        return (np.arange(self._actions) < moves).astype(np.int8)

    def _planes(self, seat: int) -> np.ndarray:
        owners = self.position.owners() * (1 if seat == 0 else -1)
        return np.stack([owners == 1, owners == -1]).astype(np.float32)

    def _played(self, action: int) -> Position:
        moves = self.position.moves()
        if not 0 <= action < len(moves):
            raise AgonError(f"action {action}: 0 to {len(moves) - 1} expected")
        return self.position.play(moves[action])


def _action(action: int | None) -> int:
    if action is None:
        raise AgonError("an action expected: None is for an agent whose game is over")
    return action


def env(game: str, render_mode: str | None = None, **parameters: Any) -> AECEnv[str, Any, Any]:
    """Creates the PettingZoo environment of a game, with its parameters: ``env("domineering", rows=6, columns=6)``."""
    if game == "petri":
        from agon_arena.petri import PetriEnv

        return PetriEnv(render_mode=render_mode, **parameters)
    known = [row["name"] for row in games()]
    if os.path.exists(game):
        game = load_rules(game)
    elif game not in known:
        raise AgonError(f"there is no game `{game}`; there are {', '.join(known)}")
    if game not in RANGES:
        return MovesEnv(game, render_mode=render_mode, **parameters)
    return AgonEnv(game, render_mode=render_mode, **parameters)


raw_env = env
