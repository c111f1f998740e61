"""What the machine does to commands: signals, full disks, little memory, browsers and clusters."""

from __future__ import annotations

import pytest

from reports.page import Report
from reports.render.html import to_html
from tests.brief import report_briefly
from tests.equipoise.conftest import cli, pools, refused  # noqa: F401  fixtures
from tests.reports.conftest import report, runs, simulated  # noqa: F401
from tests.undrawn import leave_blank


@pytest.fixture(scope="session")
def page(report: Report) -> str:  # noqa: F811
    """The page of a report as users see it: all texts have room."""
    return to_html(report)


@pytest.fixture
def undrawn(monkeypatch: pytest.MonkeyPatch) -> None:
    """Leave the figures of pages blank and replay few games for them; see `tests.undrawn` and `tests.brief`."""
    leave_blank(monkeypatch.setattr)
    report_briefly(monkeypatch.setattr)
