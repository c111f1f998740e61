"""What the machine does to commands: signals, full disks, little memory, browsers and clusters."""

from __future__ import annotations

from tests.equipoise.conftest import cli, pools, refused, undrawn  # noqa: F401  fixtures
from tests.reports.conftest import page, report, runs, simulated  # noqa: F401
