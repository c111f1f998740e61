"""What a report does if a part of it fails: one line says so, and the rest is shown."""

from __future__ import annotations

import logging
from collections.abc import Callable
from typing import TypeVar

from reports.page import Picture
from reports.render.images import load_library
from simcore.errors import Interrupted, KernelFault, UsageError, bug

R = TypeVar("R")

LOG = logging.getLogger("equipoise")

SAID_ELSEWHERE = (UsageError, KernelFault, Interrupted, MemoryError, OSError)
"""Errors that the command line reports itself; they end the report."""


def say(what: str, error: Exception) -> None:
    """Say in one line that a part failed, and why."""
    LOG.error("error: %s", bug(what, error))


def attempt(picture: Picture, game: str, draw: Callable[[], R]) -> R | None:
    """Return what draws a figure; if its code fails, name the figure and the game in one line, and return None."""
    load_library()
    try:
        return draw()
    except SAID_ELSEWHERE:
        raise
    except Exception as error:
        say(f"the figure '{picture.name}' of {game} cannot be drawn", error)
        return None
