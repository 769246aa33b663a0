"""Engines for programs with an event loop: a search never blocks it."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from typing import Any

from agon_arena._native import Engine, Position


async def best_move_async(engine: Engine, position: Position, **limits: Any) -> str | None:
    """Like `Engine.best_move`. Cancelling the task stops the search."""
    best: str | None = None
    analysis = engine.analyse(position, **limits)
    try:
        while await asyncio.to_thread(next, analysis, None) is not None:
            pass
        best = analysis.best
    finally:
        analysis.stop()
    return best


async def analyse_async(engine: Engine, position: Position, **limits: Any) -> AsyncIterator[Any]:
    """Like `Engine.analyse`, line by line. Leaving the loop stops the search."""
    analysis = engine.analyse(position, **limits)
    try:
        while (line := await asyncio.to_thread(next, analysis, None)) is not None:
            yield line
    finally:
        analysis.stop()
