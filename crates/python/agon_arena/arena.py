"""Games, matches and sequential tests under Agon's judge."""

from __future__ import annotations

import json
import os
from collections.abc import Generator
from concurrent.futures import FIRST_COMPLETED, Future, ThreadPoolExecutor, wait
from dataclasses import asdict, dataclass, field
from typing import Any

from agon_arena._native import AgonError, Series
from agon_arena.agents import factory, name_of

_LOOK = 0.05
"""Seconds between two checks for Ctrl-C."""


@dataclass(frozen=True)
class GameResult:
    """One game between two agents, `a` and `b`."""

    number: int
    """Number of the game in the match, from 0."""
    first: str
    """Name of the agent in the first seat."""
    second: str
    winner: str | None
    """Name of the winner; None for a draw and for a game without a result."""
    void: bool
    """True if the game has no result, which is the judge's fault, never an agent's."""
    reason: str
    verdicts: tuple[str, str]
    """Verdicts of the first and the second seat: OK, TLE, RE, MLE, CE or INTERRUPTED."""
    score: tuple[float, float] | None
    plies: int
    seconds: tuple[float, float]
    """Time used by the first seat and by the second."""
    seed: int
    record: str = field(repr=False)
    """Record of the game as JSON Lines, which `agon replay` verifies."""
    errors: tuple[str, ...] = ()
    """Exceptions of Python agents, with tracebacks."""

    def points(self, name: str) -> float:
        """Returns the points of an agent: 1, one half, or 0."""
        if self.winner is None:
            return 0.5
        return 1.0 if self.winner == name else 0.0


@dataclass(frozen=True)
class MatchResult:
    """Result of a match of agent `a` against agent `b`."""

    game: str
    a: str
    b: str
    wins: int
    draws: int
    losses: int
    void: int
    pairs: tuple[int, int, int, int, int]
    """Pairs of games in which `a` got 0, one half, 1, one and a half, and 2 points."""
    score: tuple[float, float, float]
    """Share of the points of `a`, 0 to 1: lower end of the 95 % interval, value, upper end."""
    elo: tuple[float, float, float]
    """Elo difference: lower end of the 95 % interval, value, upper end; ends may be infinite."""
    los: float
    """Likelihood of superiority, 0 to 1."""
    faults: tuple[dict[str, int], dict[str, int]]
    """Verdicts other than OK, for `a` and for `b`."""
    games: tuple[GameResult, ...] = field(repr=False)
    llr: float | None = None
    """Log likelihood ratio of a sequential test."""
    bounds: tuple[float, float] | None = None
    accepted: str | None = None
    """Decision of a sequential test: "H0", "H1", or None while neither is accepted."""

    def frame(self) -> Any:
        """Returns the games as a pandas frame, one row each."""
        import pandas

        rows = [asdict(game) for game in self.games]
        for row in rows:
            for name in ("verdicts", "seconds", "score"):
                pair = row.pop(name) or (None, None)
                row[f"first_{name}"], row[f"second_{name}"] = pair
        return pandas.DataFrame(rows)

    def __str__(self) -> str:
        low, value, high = self.elo
        text = (
            f"{self.a} against {self.b}, {self.game}: +{self.wins} ={self.draws} -{self.losses}, "
            f"Elo {value:+.0f} ({low:+.0f} to {high:+.0f})"
        )
        if self.bounds is not None:
            state = f"{self.accepted} accepted" if self.accepted else "no hypothesis accepted yet"
            text += f", LLR {self.llr:+.2f} ({self.bounds[0]:.2f} to {self.bounds[1]:.2f}): {state}"
        return text


def _names(a: Any, b: Any) -> tuple[str, str]:
    names = (name_of(a), name_of(b))
    return names if names[0] != names[1] else (f"{names[0]} (a)", f"{names[1]} (b)")


def _clock(clock: str | float | None) -> str | None:
    if clock is None or isinstance(clock, str):
        return clock
    if not 0 < clock < float("inf"):
        raise AgonError(f"clock={clock}: seconds above 0, or a text such as '10+0.1', expected")
    return f"{max(1, round(clock * 1000))}ms"


def _result(series: Series, number: int, names: tuple[str, str]) -> GameResult | None:
    played = series.play(number)
    if played is None:
        return None
    summary, record = json.loads(played[0]), played[1]
    seats = [names[at] for at in summary["seats"]]
    winner = {"first": seats[0], "second": seats[1]}.get(summary["winner"])
    score = summary["score"]
    return GameResult(
        number=number,
        first=seats[0],
        second=seats[1],
        winner=winner,
        void=summary["winner"] == "void",
        reason=summary["reason"],
        verdicts=tuple(summary["verdicts"]),
        score=None if score is None else tuple(score),
        plies=summary["plies"],
        seconds=tuple(ms / 1000 for ms in summary["time_ms"]),
        seed=summary["seed"],
        record=record,
        errors=tuple(text for at, text in series.raised() if at == number),
    )


def _played(
    series: Series, names: tuple[str, str], jobs: int, count: int
) -> Generator[GameResult, None, None]:
    """Plays games side by side, each on a thread, and yields them as they end. Ctrl-C ends all of them."""
    pool = ThreadPoolExecutor(jobs, thread_name_prefix="agon")
    waiting: set[Future[GameResult | None]] = set()
    numbers = iter(range(count))
    try:
        while True:
            while len(waiting) < jobs and (number := next(numbers, None)) is not None:
                waiting.add(pool.submit(_result, series, number, names))
            if not waiting:
                return
            done, waiting = wait(waiting, _LOOK, FIRST_COMPLETED)
            for future in done:
                result = future.result()
                if result is not None:
                    yield result
    finally:
        series.stop()
        pool.shutdown(wait=False, cancel_futures=True)


def _progress(wanted: bool, total: int, title: str) -> Any:
    if not wanted:
        return None
    try:
        from tqdm.auto import tqdm
    except ImportError:
        return None
    return tqdm(total=total, desc=title, unit="game")


def _series(
    game: str,
    a: Any,
    b: Any,
    games: int,
    clock: str | float | None,
    openings: int | None,
    seed: int,
    test: tuple[float, float, float, float, bool] | None,
    parameters: dict[str, Any],
) -> tuple[Series, tuple[str, str]]:
    names = _names(a, b)
    series = Series(
        game,
        factory(a),
        factory(b),
        names,
        games,
        clock=_clock(clock),
        openings=openings,
        seed=seed,
        sprt=test,
        parameters=parameters,
    )
    return series, names


def _run(
    game: str,
    series: Series,
    names: tuple[str, str],
    jobs: int | None,
    progress: bool,
    until_decided: bool,
) -> MatchResult:
    jobs = max(1, (os.cpu_count() or 1) // 2) if jobs is None else jobs
    if jobs < 1:
        raise AgonError(f"jobs={jobs}: 1 or more expected")
    games: list[GameResult] = []
    bar = _progress(progress, series.games, f"{names[0]} - {names[1]}")
    played = _played(series, names, jobs, series.games)
    try:
        for result in played:
            games.append(result)
            status = series.status()
            if bar is not None:
                bar.update()
                bar.set_postfix_str(f"+{status['wins']} ={status['draws']} -{status['losses']}")
            if until_decided and status.get("accepted"):
                break
    finally:
        played.close()
        if bar is not None:
            bar.close()
    status = series.status()
    games.sort(key=lambda result: result.number)
    return MatchResult(
        game=game,
        a=names[0],
        b=names[1],
        wins=status["wins"],
        draws=status["draws"],
        losses=status["losses"],
        void=status["void"],
        pairs=tuple(status["pairs"]),
        score=status["score"],
        elo=status["elo"],
        los=status["los"],
        faults=status["faults"],
        games=tuple(games),
        llr=status.get("llr"),
        bounds=status.get("bounds"),
        accepted=status.get("accepted"),
    )


def play(
    a: Any,
    b: Any,
    *,
    game: str,
    clock: str | float | None = None,
    openings: int | None = None,
    seed: int = 1,
    **parameters: Any,
) -> GameResult:
    """Plays one game of `a` in the first seat against `b` in the second.

    An agent is a text as on Agon's command line ("champion:2", "./bot.py", "uai:./engine"), an `Engine`, a function
    of a `Position` (and, if it takes two arguments, of a `Clock`) that returns a move or an action, a class whose
    instances are such functions or have a method `choose`, or a `Worker`. `clock` is a text such as "10+0.1", or
    seconds for the whole game (default: ten).
    """
    series, names = _series(game, a, b, 2, clock, openings, seed, None, parameters)
    for result in _played(series, names, 1, 1):
        return result
    raise AgonError("the game was stopped")


def match(
    a: Any,
    b: Any,
    *,
    game: str,
    games: int = 100,
    clock: str | float | None = None,
    openings: int | None = None,
    seed: int = 1,
    jobs: int | None = None,
    progress: bool = False,
    **parameters: Any,
) -> MatchResult:
    """Plays `a` against `b`, in pairs of one opening with the seats swapped; agents as in `play`.

    `jobs` games are played side by side, by default one for each two processors. Python functions share one
    interpreter lock, so use jobs=1 if their clocks matter, or make each a `Worker`.
    """
    series, names = _series(game, a, b, games, clock, openings, seed, None, parameters)
    return _run(game, series, names, jobs, progress, False)


def sprt(
    a: Any,
    b: Any,
    *,
    game: str,
    elo0: float = 0.0,
    elo1: float = 10.0,
    alpha: float = 0.05,
    beta: float = 0.05,
    normalized: bool = False,
    games: int = 10_000,
    clock: str | float | None = None,
    openings: int | None = None,
    seed: int = 1,
    jobs: int | None = None,
    progress: bool = False,
    **parameters: Any,
) -> MatchResult:
    """Tests "`a` is `elo1` stronger than `b`" (H1) against "it is `elo0` stronger" (H0) sequentially.

    The test ends when one of them is accepted, or after `games` games. `alpha` and `beta` are the probabilities of
    accepting H1 although H0 holds, and H0 although H1 holds.
    """
    test = (elo0, elo1, alpha, beta, normalized)
    series, names = _series(game, a, b, games, clock, openings, seed, test, parameters)
    return _run(game, series, names, jobs, progress, True)


__all__ = ["GameResult", "MatchResult", "match", "play", "sprt"]

