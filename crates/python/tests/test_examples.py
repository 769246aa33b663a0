"""The examples run: the cells of the notebook, whose player learns enough to win games."""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import Any

import pytest

EXAMPLES = Path(__file__).parents[1] / "examples"


def test_the_notebook_runs(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    # A quarter of the games that it plays for a reader: ten seconds.
    monkeypatch.setenv("AGON_GAMES", "2560" if os.environ.get("AGON_SLOW") else "640")
    notebook = json.loads((EXAMPLES / "ataxx.ipynb").read_text())
    names: dict[str, Any] = {}
    cells = [cell for cell in notebook["cells"] if cell["cell_type"] == "code"]
    for cell in cells:
        exec(compile("".join(cell["source"]), "ataxx.ipynb", "exec"), names)
    test, rated = names["test"], names["rated"]
    assert (test.a, test.b, test.accepted) == ("player", "random", "H1") and test.losses == 0, str(test)
    # It stands near the first level: a player that has learnt nothing gets no point from that.
    assert rated.b == "champion:1" and rated.wins >= 8, str(rated)
    assert all(game.verdicts == ("OK", "OK") for game in (*test.games, *rated.games)), rated.games
    assert "against champion:1" in capsys.readouterr().out
    # Cells are kept without what they printed.
    assert all(cell["outputs"] == [] and cell["execution_count"] is None for cell in cells)
