"""Runs recipes in all games that they can take, and prints a row of the matrix in docs/python.md for each.

    python examples/learners/matrix.py sb3_maskable_ppo torch_arrays

A recipe names its LIBRARY and the KINDS of environments that it takes; `attempt` plays a game of a kind for some seconds
and raises where the library cannot. The command fails if one does.
"""

import importlib
import importlib.metadata
import sys
import traceback

TWO_PLAYERS = {"bacteria": {}, "domineering": {"rows": 4, "columns": 4}, "renju": {}}
KINDS = {
    "SinglePlayerEnv": TWO_PLAYERS,
    "env": TWO_PLAYERS | {"petri": {"turns": 8}},
    "parallel_env": {"petri": {"max_cycles": 60}},
    "Batch": TWO_PLAYERS,
    "Position": TWO_PLAYERS,
}


def games_of(attempt, kind: str) -> tuple[list[str], bool]:
    """The games that went well, and whether all did."""
    games = []
    for game, parameters in KINDS[kind].items():
        try:
            attempt(kind, game, **parameters)
            games.append(game)
        except Exception:
            traceback.print_exc()
    return games, len(games) == len(KINDS[kind])


def row(name: str) -> tuple[str, bool]:
    """A row of the matrix, and whether all went well."""
    recipe = importlib.import_module(name)
    version, cells, fine = importlib.metadata.version(recipe.LIBRARY), [], True
    for kind in KINDS:
        games, all_games = games_of(recipe.attempt, kind) if kind in recipe.KINDS else ([], True)
        fine &= all_games
        cells.append("all" if games and all_games else ", ".join(games))
    return " | ".join([f"| [{recipe.LIBRARY} {version}](../examples/learners/{name}.py)", *cells]) + " |", fine


if __name__ == "__main__":
    rows = [row(name) for name in sys.argv[1:]]
    print("\n".join(text for text, _ in rows))
    sys.exit(not all(fine for _, fine in rows))
