"""The recipes of examples/learners run with the libraries that are installed: with AGON_SLOW=1, since they learn.
scripts/learners installs the pinned ones."""

from __future__ import annotations

import importlib.metadata
import re
import subprocess
import sys
from pathlib import Path

import pytest

FOLDER = Path(__file__).parents[3] / "examples" / "learners"
RECIPES = sorted(path for path in FOLDER.glob("*.py") if path.name != "matrix.py")


def installed(recipe: Path) -> None:
    """Skips a recipe whose library is not installed."""
    library = re.search(r'^LIBRARY, KINDS = "(.+?)"', recipe.read_text("utf-8"), re.MULTILINE)
    assert library is not None, f"{recipe.name} names no LIBRARY"
    try:
        importlib.metadata.version(library[1])
    except importlib.metadata.PackageNotFoundError:
        pytest.skip(f"{library[1]} is not installed")


def run(*command: str) -> None:
    ran = subprocess.run([sys.executable, *command], capture_output=True, text=True)
    assert ran.returncode == 0, ran.stdout + ran.stderr[-4_000:]


@pytest.mark.slow
@pytest.mark.parametrize("recipe", RECIPES, ids=lambda path: str(path.stem))
def test_recipes_run_in_every_environment_that_they_name(recipe: Path) -> None:
    installed(recipe)
    run(str(FOLDER / "matrix.py"), recipe.stem)


@pytest.mark.slow
@pytest.mark.parametrize("name", ["sb3_maskable_ppo", "tianshou_dqn", "torchrl_ppo"])
def test_a_learner_of_each_library_beats_random(name: str) -> None:
    recipe = FOLDER / f"{name}.py"
    installed(recipe)
    run(str(recipe))


def test_recipes_are_short_pinned_and_documented() -> None:
    if not FOLDER.is_dir():
        pytest.skip("the examples are not beside the tests")
    manual = (FOLDER.parents[1] / "docs" / "python.md").read_text("utf-8")
    groups = [path.read_text("utf-8").splitlines()[0].split() for path in FOLDER.glob("*.txt")]
    for recipe in RECIPES:
        assert f"examples/learners/{recipe.name}" in manual, recipe.name
        assert sum(recipe.stem in group for group in groups) == 1, recipe.name
        assert len(recipe.read_text("utf-8").splitlines()) <= 90, recipe.name
