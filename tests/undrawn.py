"""Pages whose figures are left blank: most of the time that a page takes goes into drawing each of them twice."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from reports.render import html, images

BLANK = '<svg viewBox="0 0 1 1"></svg>'


def leave_blank(change: Callable[[Any, str, Any], object], *drawn: str) -> None:
    """Leave all figures of pages blank except those that are named, for tests of what else stands on a page."""

    def svg(figure: Any, name: str, **size: float) -> str:
        return images.svg(figure, name, **size) if name.partition("-")[2] in drawn else BLANK

    change(html, "svg", svg)
