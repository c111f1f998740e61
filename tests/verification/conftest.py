"""Slow, statistical checks: they run only where they are named, as in `pytest tests/verification`."""

from __future__ import annotations

from pathlib import Path

import pytest

HERE = Path(__file__).parent


def pytest_ignore_collect(collection_path: Path, config: pytest.Config) -> bool | None:
    """Leave out what nobody named."""
    named = any(HERE.name in argument for argument in config.invocation_params.args)
    return None if named else True
