"""Commands of the manual that search and learn can be typed; `tests/test_docs.py` types the others."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.test_docs import DOCS, SLOW, type_every_command


@pytest.mark.parametrize("name", SLOW)
def test_every_command_runs(
    name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    type_every_command(DOCS / f"{name}.md", tmp_path, monkeypatch, capsys)
