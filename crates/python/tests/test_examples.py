"""The examples run: the cells of the notebook, whose player learns enough to win."""

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
    result = names["test"]
    assert result.a == "player" and result.b == "champion:2"
    assert result.accepted == "H1" and result.wins > 2 * result.losses, str(result)
    assert all(game.verdicts == ("OK", "OK") for game in result.games), result.games
    assert "against champion:2" in capsys.readouterr().out
    # Cells are kept without what they printed.
    assert all(cell["outputs"] == [] and cell["execution_count"] is None for cell in cells)
