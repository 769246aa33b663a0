"""The petri dish, where every cell of a colony acts in its owner's turn."""

from __future__ import annotations

from typing import Any

import numpy as np
from gymnasium import spaces
from pettingzoo import AECEnv, ParallelEnv
from pettingzoo.utils.conversions import parallel_to_aec

from agon_arena._native import AgonError, Position
from agon_arena.environments import (
    AGENTS,
    RENDER_MODES,
    BegunByReset,
    check_mode,
    check_parameters,
    own_metadata,
    show,
    with_mask,
    with_turn,
)

DIRECTIONS = ["N", "NE", "E", "SE", "S", "SW", "W", "NW"]
STEPS = [(-1, 0), (-1, 1), (0, 1), (1, 1), (1, 0), (1, -1), (0, -1), (-1, -1)]

ACTIONS: list[str] = [
    "REST",
    "EXPLODE",
    *(f"{verb} {direction}" for verb in ("MOVE", "DIVIDE", "EAT") for direction in DIRECTIONS),
    *(f"ATTACK {direction} {strength}" for direction in DIRECTIONS for strength in (1, 2, 3)),
]
"""Actions of a cell, by number. An impossible one is a REST."""

PLANES = 6


class Sight:
    """The acting cell's view: the dish, its place, its hit points and its energy."""

    def __init__(self, position: Position) -> None:
        text = position.prompt()
        size, *rest = text.split("\n")
        self.width, self.height = (int(number) for number in size.split())
        rows = rest[: self.height]
        cells = np.array([list(row) for row in rows])
        self.own, self.other, self.corpses = (cells == "o"), (cells == "x"), (cells == "c")
        self.x, self.y, self.hp, self.energy = (int(number) for number in rest[-1].split())

    def planes(self) -> np.ndarray:
        """Returns own cells, the enemy's, corpses, the acting cell, its hit points / 12, its energy / 12."""
        planes = np.zeros((PLANES, self.height, self.width), np.float32)
        planes[0], planes[1], planes[2] = self.own, self.other, self.corpses
        planes[3, self.y, self.x] = 1.0
        planes[4], planes[5] = self.hp / 12, self.energy / 12
        return planes

    def mask(self) -> np.ndarray:
        """Returns the possible actions; all others are a REST."""
        mask = np.zeros(len(ACTIONS), np.int8)
        mask[0] = 1
        mask[1] = self.hp <= 3 and self.energy > self.hp
        for at, (down, right) in enumerate(STEPS):
            y, x = self.y + down, self.x + right
            if not (0 <= y < self.height and 0 <= x < self.width):
                continue
            living = bool(self.own[y, x] or self.other[y, x])
            mask[2 + at] = not living and self.energy >= 1
            mask[10 + at] = not living and self.energy >= 5
            mask[18 + at] = bool(self.corpses[y, x])
            for strength in (1, 2, 3):
                mask[26 + 3 * at + strength - 1] = living and self.energy >= strength
        return mask


def _started(parameters: dict[str, Any], species: tuple[str, str], seed: int) -> Position:
    check_parameters("petri", parameters)
    return Position("petri", seed=seed, species=list(species), **parameters)


def _species(species: Any) -> tuple[str, str]:
    if isinstance(species, str) or len(species) != 2:
        raise AgonError("species: two texts HP ENERGY ACIDITY expected, one for each player")
    return (str(species[0]), str(species[1]))


class PetriEnv(BegunByReset, AECEnv[str, dict[str, np.ndarray], int]):  # type: ignore[misc, unused-ignore]
    """The dish as an AEC environment: one step is the action of one cell, so a player acts several times in a row.

    `species` has hit points, energy and acidity of each player, which add up to 12. Every action is taken: one that is
    not possible is a REST; the mask shows those that are. Each info has ``reason``: why the game is over, and nothing
    before. `reset` looks at no options. `state` has the planes as the first player sees them, with the acting cell of
    either player, and one of zeros, or of ones when the second player acts.
    """

    metadata: dict[str, Any] = {
        "render_modes": list(RENDER_MODES),
        "is_parallelizable": False,
        "name": "agon_petri_v0",
        "render_fps": 8,
    }

    def __init__(
        self,
        render_mode: str | None = None,
        species: tuple[str, str] = ("5 7 0", "5 7 0"),
        **parameters: Any,
    ) -> None:
        super().__init__()
        check_mode(render_mode)
        self.render_mode, self.species, self.parameters = render_mode, _species(species), parameters
        sight = Sight(_started(parameters, self.species, 0))
        self.metadata = own_metadata(self)
        self.possible_agents = list(AGENTS)
        # Hit points and energy never exceed those of the species, 12 together.
        planes = spaces.Box(0.0, 1.0, (PLANES, sight.height, sight.width), np.float32)
        self._observation_spaces = {agent: with_mask(planes, len(ACTIONS)) for agent in AGENTS}
        self.state_space = with_turn(planes)
        self._action_spaces = {agent: spaces.Discrete(len(ACTIONS)) for agent in AGENTS}
        self.agents: list[str] = []

    def observation_space(self, agent: str) -> spaces.Space[Any]:
        return self._observation_spaces[agent]

    def action_space(self, agent: str) -> spaces.Space[Any]:
        return self._action_spaces[agent]

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> None:
        self.position = _started(self.parameters, self.species, seed or 0)
        self.agents = list(AGENTS)
        self.rewards = dict.fromkeys(AGENTS, 0.0)
        self._cumulative_rewards = dict.fromkeys(AGENTS, 0.0)
        self.terminations = dict.fromkeys(AGENTS, False)
        self.truncations = dict.fromkeys(AGENTS, False)
        self.infos: dict[str, dict[str, Any]] = {agent: {"reason": ""} for agent in AGENTS}
        self._select()

    def _select(self) -> None:
        turn = self.position.turn
        if turn is not None:
            self.agent_selection = AGENTS[turn]
            self._sight = Sight(self.position)

    def _seen(self, seat: int) -> np.ndarray:
        """The planes as a player sees them; whose cell acts, both see in a state."""
        planes, turn = self._sight.planes(), self.position.turn
        if turn is None:
            planes[:] = 0.0
            planes[[seat, 1 - seat]], planes[2] = _ended(self.position, self._sight.corpses)
        elif turn != seat:
            planes[[0, 1]] = planes[[1, 0]]
        return planes

    def observe(self, agent: str) -> dict[str, np.ndarray]:
        seat = AGENTS.index(agent)
        acts = self.position.turn == seat
        mask = self._sight.mask() if acts else np.zeros(len(ACTIONS), np.int8)
        planes = self._seen(seat)
        if not acts:
            planes[3:] = 0.0
        return {"observation": planes, "action_mask": mask}

    def state(self) -> np.ndarray:
        planes = self._seen(0)
        return np.concatenate([planes, np.full((1, *planes.shape[1:]), self.position.turn == 1, np.float32)])

    def step(self, action: int | None) -> None:
        if self.terminations[self.agent_selection] or self.truncations[self.agent_selection]:
            self._was_dead_step(action)
            return
        # What is refused changes nothing.
        self.position = self.position.play(_text(action))
        self._cumulative_rewards[self.agent_selection] = 0.0
        self._clear_rewards()
        result = self.position.result
        if result is not None:
            self.rewards = {AGENTS[0]: float(result), AGENTS[1]: float(-result)}
            self.terminations = dict.fromkeys(AGENTS, True)
            for info in self.infos.values():
                info["reason"] = self.position.reason
        else:
            self._select()
        self._accumulate_rewards()
        if self.render_mode == "human":
            self.render()

    def render(self) -> Any:
        return show(self.position, self.render_mode)

    def close(self) -> None:
        """Does nothing: no resource is open."""


def _ended(position: Position, corpses: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """The cells of both players at the end of a game, and of the corpses before it those on which none stands."""
    owners = position.owners()
    return np.stack([owners == 1, owners == -1]), corpses & (owners == 0)


def _text(action: Any) -> str:
    return ACTIONS[int(_known(np.asarray(action)))]


def _known(actions: np.ndarray) -> np.ndarray:
    """Returns the numbers of actions, or raises if one is invalid."""
    if not np.issubdtype(actions.dtype, np.integer):
        raise AgonError(f"whole numbers of actions expected, not {actions.dtype}")
    wrong = actions[(actions < 0) | (actions >= len(ACTIONS))]
    if wrong.size:
        raise AgonError(f"action {wrong.flat[0]}: 0 to {len(ACTIONS) - 1} expected")
    return actions


class PetriParallelEnv(BegunByReset, ParallelEnv[str, np.ndarray, np.ndarray]):  # type: ignore[misc, unused-ignore]
    """The dish as a parallel environment: in a cycle both players choose an action for every square at once.

    An action is an array of numbers of `ACTIONS`, one for each square, row by row: (rows * columns,), as the space has
    it, or (rows, columns). Those on the player's own squares count.
    Cells of the first player act first, oldest first; what has become impossible meanwhile is a REST, and so is what a
    cell does that stands elsewhere than at the beginning of the cycle. An observation is float32 (3, rows, columns):
    own cells, the enemy's, corpses. A game is truncated after `max_cycles`. Each info has ``reason``: why the game is
    over, and nothing before. `reset` looks at no options. `state` has the planes of the first player and the share of
    the cycles that have passed.
    """

    metadata: dict[str, Any] = {"render_modes": list(RENDER_MODES), "name": "agon_petri_parallel_v0", "render_fps": 2}

    def __init__(
        self,
        render_mode: str | None = None,
        max_cycles: int = 150,
        species: tuple[str, str] = ("5 7 0", "5 7 0"),
        **parameters: Any,
    ) -> None:
        check_mode(render_mode)
        if max_cycles < 1:
            raise AgonError(f"max_cycles={max_cycles}: 1 or more expected")
        self.render_mode, self.species, self.parameters = render_mode, _species(species), parameters
        self.max_cycles = max_cycles
        sight = Sight(_started(parameters, self.species, 0))
        self.shape = (sight.height, sight.width)
        self.metadata = own_metadata(self)
        self.possible_agents = list(AGENTS)
        planes = spaces.Box(0.0, 1.0, (3, *self.shape), np.float32)
        self._observation_spaces = {
            agent: spaces.Box(0.0, 1.0, planes.shape, np.float32) for agent in AGENTS
        }
        self.state_space = with_turn(planes)
        # Of one dimension, as learners take it.
        squares = self.shape[0] * self.shape[1]
        self._action_spaces = {agent: spaces.MultiDiscrete(np.full(squares, len(ACTIONS))) for agent in AGENTS}
        self.agents: list[str] = []

    def observation_space(self, agent: str) -> spaces.Space[Any]:
        return self._observation_spaces[agent]

    def action_space(self, agent: str) -> spaces.Space[Any]:
        return self._action_spaces[agent]

    def _look(self) -> dict[str, np.ndarray]:
        if self.position.turn is not None:
            sight = Sight(self.position)
            seen = [sight.own, sight.other]
            self._dish = (seen if self.position.turn == 0 else seen[::-1], sight.corpses)
        else:
            cells, corpses = _ended(self.position, self._dish[1])
            self._dish = (list(cells), corpses)
        (first, second), corpses = self._dish
        views = {AGENTS[0]: (first, second), AGENTS[1]: (second, first)}
        return {agent: np.stack([*views[agent], corpses]).astype(np.float32) for agent in AGENTS}

    def reset(
        self, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[dict[str, np.ndarray], dict[str, dict[str, Any]]]:
        self.position = _started(self.parameters, self.species, seed or 0)
        self.agents = list(AGENTS)
        self.cycle = 0
        return self._look(), {agent: {"reason": ""} for agent in AGENTS}

    def state(self) -> np.ndarray:
        share = self.cycle / self.max_cycles
        return np.concatenate([self._look()[AGENTS[0]], np.full((1, *self.shape), share, np.float32)])

    def step(self, actions: dict[str, np.ndarray]) -> tuple[
        dict[str, np.ndarray],
        dict[str, float],
        dict[str, bool],
        dict[str, bool],
        dict[str, dict[str, Any]],
    ]:
        # Before `reset` there is no cycle.
        cycle = self.cycle + 1
        chosen: dict[str, np.ndarray] = {}
        for agent in self.agents:
            if agent not in actions:
                raise AgonError(f"no action of {agent}")
            action = _known(np.asarray(actions[agent]))
            if action.shape not in (self.shape, (self.shape[0] * self.shape[1],)):
                raise AgonError(f"an action of shape ({self.shape[0] * self.shape[1]},) expected, not {action.shape}")
            chosen[agent] = action.reshape(self.shape)
        if not self.agents:
            return {}, {}, {}, {}, {}
        self.cycle = cycle
        (first, second), _ = self._dish
        before = [first.copy(), second.copy()]
        for seat, agent in enumerate(AGENTS):
            while self.position.turn == seat:
                sight = Sight(self.position)
                stood = before[seat][sight.y, sight.x]
                act = chosen[agent][sight.y, sight.x] if stood else 0
                self.position = self.position.play(_text(act))
        observations = self._look()
        result = self.position.result
        over, late = result is not None, self.cycle >= self.max_cycles
        rewards = {AGENTS[0]: float(result or 0), AGENTS[1]: float(-(result or 0))}
        reason = self.position.reason or (f"{self.max_cycles} cycles have passed" if late else "")
        everyone = list(self.agents)
        if over or late:
            self.agents = []
        if self.render_mode == "human":
            self.render()
        return (
            observations,
            rewards,
            dict.fromkeys(everyone, over),
            dict.fromkeys(everyone, late and not over),
            {agent: {"reason": reason} for agent in everyone},
        )

    def render(self) -> Any:
        return show(self.position, self.render_mode)

    def close(self) -> None:
        """Does nothing: no resource is open."""


def parallel_env(
    game: str = "petri", render_mode: str | None = None, max_cycles: int = 150, **parameters: Any
) -> PetriParallelEnv:
    """Creates the parallel environment of the petri dish."""
    if game != "petri":
        raise AgonError(f'{game} has one side to move at a time: use env("{game}")')
    return PetriParallelEnv(render_mode=render_mode, max_cycles=max_cycles, **parameters)


def env(render_mode: str | None = None, max_cycles: int = 150, **parameters: Any) -> AECEnv[str, Any, Any]:
    """Wraps the parallel environment as an AEC environment; `agon_arena.env("petri")` asks for the actions of cells."""
    return parallel_to_aec(parallel_env(render_mode=render_mode, max_cycles=max_cycles, **parameters))
