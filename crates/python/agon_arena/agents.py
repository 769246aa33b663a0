"""Agents written in Python: functions and classes in a seat of the judge."""

from __future__ import annotations

import contextlib
import inspect
import multiprocessing
import pickle
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from agon_arena._native import AgonError, Engine, Position

Move = Any
"""A text in the judge's or people's notation, or an action."""


@dataclass(frozen=True)
class Clock:
    """State of the clocks before a move, in seconds."""

    left: float
    increment: float
    moves_to_go: int | None
    opponent_left: float


def _share(clock: Clock) -> float:
    """Returns an engine's time for a move, in seconds."""
    return max(0.001, clock.left / ((clock.moves_to_go or 30) + 1) + 0.8 * min(clock.increment, clock.left))


def _takes_clock(function: Callable[..., Any]) -> bool:
    """Whether a function takes the clock beside the position: as its second argument, unless that has a default of its
    own, or by the name `clock`."""
    try:
        parameters = inspect.signature(function).parameters.values()
    except (TypeError, ValueError):
        return False
    if any(p.kind == p.VAR_POSITIONAL for p in parameters):
        return True
    positional = [p for p in parameters if p.kind in (p.POSITIONAL_ONLY, p.POSITIONAL_OR_KEYWORD)]
    return len(positional) > 1 and (positional[1].default is inspect.Parameter.empty or positional[1].name == "clock")


def _started(agent: Any, seat: int, seed: int) -> Any:
    """Returns the agent of one game: a new instance of a class, or the agent itself."""
    if not inspect.isclass(agent):
        return agent
    wanted: set[str] = set()
    with contextlib.suppress(TypeError, ValueError):
        wanted = set(inspect.signature(agent).parameters)
    known = {"seat": seat, "seed": seed}
    return agent(**{name: value for name, value in known.items() if name in wanted})


class NotAnAgentError(AgonError, TypeError):
    """A value that is not an agent."""


def checked(agent: Any) -> Any:
    """Returns the agent, or raises if it cannot choose a move."""
    # Arrays have an unrelated method `choose`.
    if isinstance(agent, Engine) or callable(agent) or (hasattr(agent, "choose") and not hasattr(agent, "__array__")):
        return agent
    shown = f"an array {agent.shape}" if hasattr(agent, "shape") else repr(agent)
    raise NotAnAgentError(f"an agent is a text, a function, a class, an Engine, or has a method `choose`; not {shown}")


class Chooser:
    """What the judge asks in one game: an agent, or an instance of its class made for that game."""

    def __init__(self, agent: Any, seat: int, seed: int) -> None:
        self.made = _started(checked(agent), seat, seed)
        if not callable(self._function()):
            raise AgonError(f"{self.made!r} is neither a function nor has it a method `choose`")
        self._takes_clock = _takes_clock(self._function())

    def _function(self) -> Any:
        return self.made.best_move if isinstance(self.made, Engine) else getattr(self.made, "choose", self.made)

    def __call__(self, position: Position, clock: tuple[Any, ...]) -> Move:
        if isinstance(self.made, Engine):
            return self.made.best_move(position, time=_share(Clock(*clock)))
        function = self._function()
        return function(position, Clock(*clock)) if self._takes_clock else function(position)


class Worker:
    """A Python agent in a separate process, which is killed when its time is up.

    It is not jailed: it can read and write everything that you can. Run programs that you do not trust by a text such
    as ``"python3 bot.py"``, in the judge's jail.

    `agent` must be importable, as `multiprocessing` requires: a function or class at the top of a module. One process
    serves one game.
    """

    def __init__(self, agent: Any) -> None:
        if isinstance(agent, str):
            raise NotAnAgentError(f"a text is an agent without a worker: {agent!r}")
        checked(agent)
        try:
            pickle.dumps(agent)
        except Exception as error:
            raise AgonError(f"a worker needs an agent that can be imported, at the top of a module: {error}") from error
        self.agent = agent
        self.__name__ = f"{getattr(agent, '__name__', type(agent).__name__)} (worker)"

    def start(self, seat: int, seed: int) -> _WorkerSeat:
        """The function that asks the process of one game."""
        return _WorkerSeat(self.agent, seat, seed)


class _WorkerSeat:
    """The process of one game."""

    def __init__(self, agent: Any, seat: int, seed: int) -> None:
        context = multiprocessing.get_context("spawn")
        self._pipe, theirs = context.Pipe()
        self._process = context.Process(target=_serve, args=(theirs, agent, seat, seed), daemon=True)
        self._process.start()
        theirs.close()

    def __call__(self, position: Position, clock: tuple[Any, ...]) -> Move:
        self._pipe.send((position, clock))
        if not self._pipe.poll(clock[0]):
            self._process.kill()
            # The judge has measured the time: it says TLE whatever the answer is.
            return ""
        try:
            raised, answer = self._pipe.recv()
        except EOFError:
            raise RuntimeError("the worker has ended") from None
        if raised:
            raise RuntimeError(answer)
        return answer

    def __del__(self) -> None:
        with contextlib.suppress(Exception):
            self._process.kill()
            self._process.join(1)


def _serve(pipe: Any, agent: Any, seat: int, seed: int) -> None:
    """Runs in the process of a worker."""
    import traceback

    choose = None
    while True:
        try:
            position, clock = pipe.recv()
        except EOFError:
            return
        try:
            choose = choose or Chooser(agent, seat, seed)
            pipe.send((False, choose(position, clock)))
        except Exception:
            pipe.send((True, traceback.format_exc()))


def factory(agent: Any) -> Any:
    """Returns the agent for the native module: a text, or a function of the seat and the seed."""
    if isinstance(agent, str):
        return agent
    if isinstance(agent, Worker):
        return agent.start
    checked(agent)
    return lambda seat, seed: Chooser(agent, seat, seed)


def name_of(agent: Any) -> str:
    """Returns the name of an agent in tables."""
    if isinstance(agent, str):
        return agent
    name = getattr(agent, "name", None)
    if isinstance(name, str):
        return name
    return str(getattr(agent, "__name__", type(agent).__name__))
