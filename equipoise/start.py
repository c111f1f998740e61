"""Where processes begin: Ctrl-C is heard from here on, also while the commands are being imported."""

from __future__ import annotations

import sys

INTERRUPTED = 130


def main(name: str = "app") -> None:
    """Entry point `equipoise`."""
    try:
        from equipoise import cli

        cli.main(getattr(cli, name))
    except KeyboardInterrupt:
        print("interrupted", file=sys.stderr)
        sys.exit(INTERRUPTED)


def simulate() -> None:
    """Entry point `simulate`, the same as `equipoise simulate`."""
    main("simulate_app")
