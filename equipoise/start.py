"""The start of a process: signals are handled from here on, also while the commands are being imported."""

from __future__ import annotations

import gc
import sys

from equipoise.own_rooms import claim
from equipoise.signals import INTERRUPTED, leave, listen

NEW_OBJECTS = 50_000
"""Number of new objects after which Python collects garbage: imports make many objects, and all of them stay."""


def main(name: str = "app") -> None:
    """Run `equipoise`; this is its entry point."""
    gc.set_threshold(NEW_OBJECTS)
    try:
        listen()
        claim()
        from equipoise import cli

        code = cli.main(getattr(cli, name))
    except KeyboardInterrupt:
        print("interrupted", file=sys.stderr)
        code = INTERRUPTED
    leave(code)


def simulate() -> None:
    """Run `simulate`, which is the same as `equipoise simulate`; this is its entry point."""
    main("simulate_app")
