"""Examples at the end of a command's help."""

from __future__ import annotations


def examples(*lines: str) -> str:
    """Return command lines as a Markdown list for the end of `--help`."""
    return "\n\n".join(["Examples:", *(f"- `{line}`" for line in lines)])
