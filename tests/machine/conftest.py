"""What the machine does to commands: signals, full disks, little memory, browsers and clusters."""

from __future__ import annotations

import pytest

from tests.brief import report_briefly
from tests.equipoise.conftest import cli, pools, refused  # noqa: F401  fixtures
from tests.reports.conftest import page, report, runs, simulated  # noqa: F401
from tests.undrawn import leave_blank


@pytest.fixture
def undrawn(monkeypatch: pytest.MonkeyPatch) -> None:
    """Leave the figures of pages blank and replay few games for them; see `tests.undrawn` and `tests.brief`."""
    leave_blank(monkeypatch.setattr)
    report_briefly(monkeypatch.setattr)
