"""Where processes begin: signals are heard from here on, also while the commands are being imported."""

from __future__ import annotations

import sys

from equipoise.own_rooms import claim
from equipoise.signals import INTERRUPTED, leave, listen


def main(name: str = "app") -> None:
    """Entry point `equipoise`."""
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
