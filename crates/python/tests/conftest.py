"""What the tests share. scripts/python builds the wheel, installs it and runs them."""

from __future__ import annotations

import os

import pytest

SLOW = bool(os.environ.get("AGON_SLOW"))


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    skip = pytest.mark.skip(reason="plays or learns for minutes: AGON_SLOW=1 runs it")
    for item in items:
        if "slow" in item.keywords and not SLOW:
            item.add_marker(skip)


def pytest_configure(config: pytest.Config) -> None:
    config.addinivalue_line("markers", "slow: runs with AGON_SLOW=1")
