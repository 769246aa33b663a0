"""PettingZoo environments of Agon's games: one agent acts at a time (AEC)."""

from __future__ import annotations

from typing import Any

import numpy as np
from gymnasium import spaces
from pettingzoo import AECEnv

from agon_arena._native import AgonError, Position, games

AGENTS = ["player_0", "player_1"]

RANGES = {"bacteria": (0.0, 1.0), "domineering": (-7000.0, 7000.0), "renju": (0.0, 1.0)}
"""The smallest and the largest number of an observation."""

RENDER_MODES = ["rgb_array", "ansi", "human"]


def shape_of(game: str, parameters: dict[str, Any]) -> tuple[tuple[int, ...], int]:
    """The shape of the planes of a game, and how many actions it has."""
    position = Position(game, **parameters)
    return position.observation().shape, len(position.action_mask())


def spaces_of(shape: tuple[int, ...], actions: int, low: float, high: float) -> spaces.Dict:
    """The space of an observation with its mask."""
    return spaces.Dict(
        {
            "observation": spaces.Box(low, high, shape, np.float32),
            "action_mask": spaces.Box(0, 1, (actions,), np.int8),
        }
    )


def show(position: Position, mode: str | None) -> Any:
    """A rendering of a position."""
    if mode == "rgb_array":
        return position.rgb()
    if mode == "ansi":
        return str(position)
    if mode == "human":
        print(position)
    return None


def check_mode(mode: str | None) -> None:
    """Refuses a mode of rendering that there is not."""
    if mode is not None and mode not in RENDER_MODES:
        raise AgonError(f"render_mode={mode!r}: one of {', '.join(RENDER_MODES)} expected")


class AgonEnv(AECEnv[str, dict[str, np.ndarray], int]):  # type: ignore[misc, unused-ignore]
    """A game of two sides that move in turn.

    Agents are ``player_0`` (the first seat) and ``player_1``. An observation is a dictionary: ``observation``, float32
    planes (planes, rows, columns) in the view of the agent, and ``action_mask``, int8 (actions,), which is all zeros
    for the agent that waits. Rewards are 1, -1 or 0 at the end of the game, and 0 before.

    Parameters are those of the game; of a game whose start is drawn, each `reset` with a seed draws from that seed and
    each one without draws the next.
    """

    metadata: dict[str, Any] = {"render_modes": RENDER_MODES, "is_parallelizable": False, "render_fps": 2}

    def __init__(self, game: str, render_mode: str | None = None, **parameters: Any) -> None:
        super().__init__()
        check_mode(render_mode)
        if game not in RANGES:
            raise AgonError(f"{game} has no environment of this kind: {', '.join([*RANGES, 'petri'])} expected")
        self.metadata = {**self.metadata, "name": f"agon_{game}_v0"}
        self.game = game
        self.parameters = parameters
        self.render_mode = render_mode
        self.possible_agents = list(AGENTS)
        shape, actions = shape_of(game, parameters)
        low, high = RANGES[game]
        self._observation_spaces = {agent: spaces_of(shape, actions, low, high) for agent in AGENTS}
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
        mask = self.position.action_mask()
        if self.position.turn != seat:
            mask = np.zeros_like(mask)
        return {"observation": self.position.observation(seat=seat), "action_mask": mask}

    def step(self, action: int | None) -> None:
        if self.terminations[self.agent_selection] or self.truncations[self.agent_selection]:
            self._was_dead_step(action)
            return
        self._cumulative_rewards[self.agent_selection] = 0.0
        self.position = self.position.play(_action(action))
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
        """Nothing is open."""


def _action(action: int | None) -> int:
    if action is None:
        raise AgonError("an action expected: None is for an agent whose game is over")
    return action


def env(game: str, render_mode: str | None = None, **parameters: Any) -> AECEnv[str, Any, Any]:
    """The PettingZoo environment of a game, with parameters of the game: ``env("domineering", rows=6, columns=6)``."""
    if game == "petri":
        from agon_arena.petri import PetriEnv

        return PetriEnv(render_mode=render_mode, **parameters)
    known = [row["name"] for row in games()]
    if game not in known:
        raise AgonError(f"there is no game `{game}`; there are {', '.join(known)}")
    return AgonEnv(game, render_mode=render_mode, **parameters)


raw_env = env
