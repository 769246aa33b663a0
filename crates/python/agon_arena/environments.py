"""PettingZoo environments of Agon's games: one agent acts at a time (AEC)."""

from __future__ import annotations

import copy
import os
from typing import Any

import numpy as np
from gymnasium import spaces
from pettingzoo import AECEnv

from agon_arena._native import AgonError, Position, UnknownParameterError, games, load_rules

AGENTS = ["player_0", "player_1"]

GAMES = ("bacteria", "domineering", "renju")
"""The games with planes and actions of their own."""

RENDER_MODES = ("rgb_array", "ansi", "human")

OF_RESET = ("seed", "text", "moves", "species")
"""What `Position` takes besides the parameters of a game, which an environment draws or is given by `reset`."""


def check_parameters(game: str, parameters: dict[str, Any]) -> None:
    """Refuses keyword arguments that are no parameters of the game, as functions refuse unknown arguments."""
    for name in parameters:
        if name in OF_RESET:
            hint = "reset(seed=...) takes it" if name == "seed" else "reset(options={'position': ...}) begins elsewhere"
            text = f"an environment of {game} got an unexpected keyword argument '{name}': {hint}"
            raise UnknownParameterError(text)


def planes_of(game: str, parameters: dict[str, Any]) -> tuple[np.ndarray, np.ndarray, int]:
    """The least and the largest numbers that the planes of a game can have, and how many actions it has."""
    check_parameters(game, parameters)
    start = Position(game, **parameters)
    if start.is_over:
        raise AgonError(f"{game}: with these parameters the game is over at its start")
    seen = start.observation()
    low, high = np.zeros_like(seen), np.ones_like(seen)
    if game == "domineering":
        # All points go to one side, and the bonus stays with the other one.
        given = "board" in parameters
        largest = float(seen[0].max() if given else int(parameters.get("largest", 3)))
        points = float(seen[0].sum() if given else seen[0].size * largest)
        lead = points + abs(float(parameters.get("bonus", 2.5)))
        high[0], low[4], high[4] = largest, -lead, lead
    return low, high, len(start.action_mask())


def with_mask(planes: spaces.Box, actions: int) -> spaces.Dict:
    """The space of an observation with its mask."""
    return spaces.Dict({"observation": planes, "action_mask": spaces.Box(0, 1, (actions,), np.int8)})


def with_turn(planes: spaces.Box) -> spaces.Box:
    """The space of the planes of a state: those of the first player, and one that says who is to move."""
    low, high = planes.low, planes.high
    one = np.ones((1, *planes.shape[1:]), np.float32)
    return spaces.Box(np.concatenate([low, 0 * one]), np.concatenate([high, one]), dtype=np.float32)


def own_metadata(environment: Any) -> dict[str, Any]:
    """A copy of the metadata of its class: wrappers change what they are given."""
    return copy.deepcopy(type(environment).metadata)


def begun(
    game: str, seed: int, parameters: dict[str, Any], options: dict[str, Any] | None, space: spaces.Box | None = None
) -> Position:
    """Where `reset` begins: at ``options["position"]``, a `Position` or its text, or at a start of the game."""
    given = (options or {}).get("position")
    if given is None:
        return Position(game, seed=seed, **parameters)
    position = given if isinstance(given, Position) else Position(game, given)
    if position.game != game:
        raise AgonError(f"options['position']: a position of {game} expected, not of {position.game}")
    if position.is_over:
        raise AgonError(f"options['position']: the game is over at `{position.text}`")
    if space is not None and not space.contains(position.observation()):
        raise AgonError(f"options['position']: `{position.text}` is of another board than this environment's")
    return position


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
    planes (planes, rows, columns) in the view of the agent, and ``action_mask``, int8 (actions,), which is all zeros
    for the agent that waits. Rewards are 1, -1 or 0 at the end of the game, and 0 before. Each info has ``reason``:
    why the game is over, and nothing before.

    Parameters are those of the game; of a game whose start is drawn, each `reset` with a seed draws from that seed and
    each one without draws the next. ``reset(options={"position": ...})`` begins at a `Position` of the same board, or
    at its text; other options are not looked at. `state` has the planes of the first player and one of zeros, or of
    ones when the second is to move.
    """

    metadata: dict[str, Any] = {"render_modes": list(RENDER_MODES), "is_parallelizable": False, "render_fps": 2}

    def __init__(self, game: str, render_mode: str | None = None, **parameters: Any) -> None:
        super().__init__()
        check_mode(render_mode)
        if game not in GAMES:
            raise AgonError(f"{game} has no environment of this kind: {', '.join([*GAMES, 'petri'])} expected")
        low, high, actions = planes_of(game, parameters)
        self._prepare(game, render_mode, parameters, spaces.Box(low, high, dtype=np.float32), actions)

    def _prepare(
        self, game: str, render_mode: str | None, parameters: dict[str, Any], planes: spaces.Box, actions: int
    ) -> None:
        self.metadata = {**own_metadata(self), "name": f"agon_{game}_v0"}
        self.game, self.parameters, self.render_mode = game, parameters, render_mode
        self.possible_agents = list(AGENTS)
        self._board = planes
        self._observation_spaces = {agent: with_mask(planes, actions) for agent in AGENTS}
        self._action_spaces = {agent: spaces.Discrete(actions) for agent in AGENTS}
        self.state_space = with_turn(planes)
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
        self.position = self._begun(drawn, options)
        self.agents = list(AGENTS)
        self.rewards = dict.fromkeys(AGENTS, 0.0)
        self._cumulative_rewards = dict.fromkeys(AGENTS, 0.0)
        self.terminations = dict.fromkeys(AGENTS, False)
        self.truncations = dict.fromkeys(AGENTS, False)
        self.infos: dict[str, dict[str, Any]] = {agent: {"reason": ""} for agent in AGENTS}
        self._select()

    def _begun(self, seed: int, options: dict[str, Any] | None) -> Position:
        return begun(self.game, seed, self.parameters, options, self._board)

    def _select(self) -> None:
        turn = self.position.turn
        self.agent_selection = AGENTS[turn if turn is not None else self.position.ply % 2]

    def observe(self, agent: str) -> dict[str, np.ndarray]:
        seat = AGENTS.index(agent)
        mask = self._mask()
        if self.position.turn != seat:
            mask = np.zeros_like(mask)
        return {"observation": self._planes(seat), "action_mask": mask}

    def state(self) -> np.ndarray:
        planes = self._planes(0)
        turn = np.full((1, *planes.shape[1:]), self.position.turn == 1, np.float32)
        return np.concatenate([planes, turn])

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
            self.rewards = {AGENTS[0]: float(result), AGENTS[1]: float(-result)}
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
        check_parameters(game, parameters)
        start = Position(game, **parameters)
        if start.has_secrets:
            raise AgonError(f"{game} hides something from a side: it has no environment")
        self._actions = actions
        self._rules: str | None = None
        planes = spaces.Box(0.0, 1.0, (2, *start.owners().shape), np.float32)
        self._prepare(game, render_mode, parameters, planes, actions)

    def _begun(self, seed: int, options: dict[str, Any] | None) -> Position:
        return begun(self.game, seed, self.parameters, options)

    def __setstate__(self, state: dict[str, Any]) -> None:
        self.__dict__.update(state)
        if self._rules is not None:
            # In another process the game may not be known yet.
            load_rules(self._rules)

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
        others = MovesEnv(load_rules(game), render_mode=render_mode, **parameters)
        others._rules = os.path.abspath(game)
        return others
    if game not in known:
        raise AgonError(f"there is no game `{game}`; there are {', '.join(known)}")
    if game not in GAMES:
        return MovesEnv(game, render_mode=render_mode, **parameters)
    return AgonEnv(game, render_mode=render_mode, **parameters)


raw_env = env
