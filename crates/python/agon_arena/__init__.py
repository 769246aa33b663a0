"""Agon for machine learning: exact games, engines of known strength, a judge with clocks.

Positions and knowledge: `Position`, `Engine`, `games`, `renju_proof`.
Environments: `env` (PettingZoo), `parallel_env` (the petri dish), `SinglePlayerEnv` (Gymnasium).
Thousands of games as arrays: `Batch`.
Games under the judge: `play`, `match`, `sprt`, `Worker`.
Data: `read`, `read_positions`, `write_positions`, `Net`, `net_features`, `quantise`.

The manual is docs/python.md in the repository.
"""

from __future__ import annotations

import importlib.util
import sys
import sysconfig
from typing import Any

if sysconfig.get_config_var("Py_GIL_DISABLED"):
    raise ImportError(
        "agon-arena has no build for free-threaded Python yet: use the ordinary build (python3.14, not python3.14t)"
    )
if sys.platform == "linux":
    try:
        with open("/proc/cpuinfo", encoding="utf-8") as _file:
            _flags = next((line.split() for line in _file if line.startswith("flags")), None)
    except OSError:
        _flags = None
    if _flags is not None and not {"avx2", "bmi2"}.issubset(_flags):
        raise ImportError(
            "agon-arena needs a processor with AVX2 and BMI2 (x86-64-v3); build it from source without them: "
            "RUSTFLAGS= pip install ."
        )

from agon_arena._native import (  # noqa: E402
    VERSION as __version__,
    AgonError,
    Analysis,
    Batch,
    Engine,
    IllegalMoveError,
    Net,
    Position,
    Store,
    UnknownParameterError,
    games,
    load_rules,
    renju_proof,
)

# Modules that need PettingZoo, Gymnasium or numpy's slower parts are imported on first use.
_LATER = {
    "env": "agon_arena.environments",
    "AgonEnv": "agon_arena.environments",
    "parallel_env": "agon_arena.petri",
    "SinglePlayerEnv": "agon_arena.single",
    "play": "agon_arena.arena",
    "match": "agon_arena.arena",
    "sprt": "agon_arena.arena",
    "Clock": "agon_arena.agents",
    "Worker": "agon_arena.agents",
    "GameResult": "agon_arena.arena",
    "MatchResult": "agon_arena.arena",
    "read": "agon_arena.data",
    "Game": "agon_arena.data",
    "Games": "agon_arena.data",
    "read_positions": "agon_arena.data",
    "write_positions": "agon_arena.data",
    "Positions": "agon_arena.data",
    "net_features": "agon_arena.nets",
    "quantise": "agon_arena.nets",
    "network_value": "agon_arena.nets",
    "analyse_async": "agon_arena.asynchronous",
    "best_move_async": "agon_arena.asynchronous",
}

__all__ = [
    "AgonError",
    "Analysis",
    "Batch",
    "Engine",
    "IllegalMoveError",
    "Net",
    "Position",
    "Store",
    "UnknownParameterError",
    "__version__",
    "games",
    "load_rules",
    "renju_proof",
    *_LATER,
]


# What the modules of these names import besides numpy.
_NEEDS = {
    "agon_arena.environments": ("gymnasium", "pettingzoo"),
    "agon_arena.petri": ("gymnasium", "pettingzoo"),
    "agon_arena.single": ("gymnasium", "pettingzoo"),
}


def _stand_in(name: str, missing: list[str]) -> type:
    """A class in place of one that cannot be imported, so that a name can be looked at without what it needs."""

    def __new__(cls: type, *_arguments: Any, **_parameters: Any) -> Any:
        raise ImportError(
            f"agon_arena.{name} needs {' and '.join(missing)}: pip install \"agon-arena[env]\"", name=missing[0]
        )

    text = f"Not available: {' and '.join(missing)} missing (pip install \"agon-arena[env]\")."
    return type(name, (), {"__new__": __new__, "__doc__": text, "__module__": "agon_arena"})


def __getattr__(name: str) -> Any:
    module = _LATER.get(name)
    if module is None:
        raise AttributeError(f"module 'agon_arena' has no attribute '{name}'")
    import importlib

    missing = [needed for needed in _NEEDS.get(module, ()) if importlib.util.find_spec(needed) is None]
    value = _stand_in(name, missing) if missing else getattr(importlib.import_module(module), name)
    if not missing:
        globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted(__all__)


def _register() -> None:
    """Makes the games known to `gymnasium.make`: ``agon_arena/Domineering-v0``."""
    # Gymnasium may be half imported: then its module of registration is whole.
    from gymnasium.envs.registration import register, registry

    for game in ("Bacteria", "Domineering", "Renju"):
        name = f"agon_arena/{game}-v0"
        if name not in registry:
            register(name, entry_point="agon_arena:SinglePlayerEnv", kwargs={"game": game.lower()})


class _WhenGymnasiumComes:
    """Registers the games as soon as gymnasium is imported: it takes a second, so nothing here imports it, and since
    version 1.0 it asks no entry points."""

    def __init__(self) -> None:
        self._asked = False

    def find_spec(self, name: str, path: Any = None, target: Any = None) -> Any:
        if name != "gymnasium" or self._asked:
            return None
        self._asked = True
        try:
            spec = importlib.util.find_spec(name)
        finally:
            self._asked = False
        if spec is None or spec.loader is None:
            return spec
        execute = spec.loader.exec_module

        def exec_module(module: Any) -> None:
            if self in sys.meta_path:
                sys.meta_path.remove(self)
            execute(module)
            _register()

        spec.loader.exec_module = exec_module  # type: ignore[method-assign]
        return spec


if sys.modules.get("gymnasium") is not None:
    _register()
else:
    sys.meta_path.insert(0, _WhenGymnasiumComes())
