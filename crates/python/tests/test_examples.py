"""The examples run: the cells of the notebook, within a time limit."""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import Any

import pytest

EXAMPLES = Path(__file__).parents[1] / "examples"


def test_the_notebook_runs(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    # A learner of three seconds plays badly; what is tested is that all of it runs.
    monkeypatch.setenv("AGON_MINUTES", "6" if os.environ.get("AGON_SLOW") else "0.05")
    notebook = json.loads((EXAMPLES / "ataxx.ipynb").read_text())
    names: dict[str, Any] = {}
    cells = [cell for cell in notebook["cells"] if cell["cell_type"] == "code"]
    for cell in cells:
        exec(compile("".join(cell["source"]), "ataxx.ipynb", "exec"), names)
    result = names["test"]
    assert result.a == "player" and result.b == "champion:2" and len(result.games) >= 2
    assert all(game.verdicts == ("OK", "OK") for game in result.games), result.games
    assert "against champion:2" in capsys.readouterr().out
    # Cells are kept without what they printed.
    assert all(cell["outputs"] == [] and cell["execution_count"] is None for cell in cells)
