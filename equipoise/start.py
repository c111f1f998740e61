"""Where processes begin: signals are heard from here on, also while the commands are being imported."""

from __future__ import annotations

import gc
import sys

from equipoise.own_rooms import claim
from equipoise.signals import INTERRUPTED, leave, listen

NEW_OBJECTS = 50_000
"""How many new objects there are before Python looks for garbage: imports make many, and all of them stay."""


def main(name: str = "app") -> None:
    """Entry point `equipoise`."""
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
    """Entry point `simulate`, the same as `equipoise simulate`."""
    main("simulate_app")
