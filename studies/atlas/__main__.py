"""Make docs/findings/atlas.md and its figure: python -m studies.atlas

This plays what `found.json` does not have yet, one part of each cell after the other, and writes all three. It can be
stopped at any time, and goes on where it stopped. `--minutes 10` stops by itself, and `--minutes 0` writes the page and
the figure alone.
"""

from __future__ import annotations

import argparse
import json
import time
from pathlib import Path
from typing import Any

from simcore.atomic import replacing
from simcore.errors import UsageError
from studies.atlas.cells import PARTS, TWENTY, Cell
from studies.measured import measured_today

FOUND = Path(__file__).with_name("found.json")
"""The sums of each part of each cell; see `studies.atlas.play.play`."""

Found = dict[str, list[dict[str, Any]]]


def kept() -> Found:
    """Return what earlier runs played."""
    return json.loads(FOUND.read_text(encoding="utf-8")) if FOUND.is_file() else {}


def keep(found: Found) -> None:
    """Write what was played, with a line for each part."""
    text = ",\n".join(
        f"{json.dumps(key)}: [\n" + ",\n".join(f" {json.dumps(part)}" for part in parts) + "\n]"
        for key, parts in found.items()
    )
    with replacing(FOUND) as path:
        path.write_text(f"{{\n{text}\n}}\n", encoding="utf-8")


def play_all(found: Found, until: float) -> None:
    """Play the parts that are missing, up to a time of `time.monotonic`."""
    from studies.atlas.play import play

    cells: list[Cell] = [cell for published in TWENTY for cell in published.cells()]
    for number in range(PARTS):
        for cell in cells:
            if len(found.get(cell.key, ())) > number:
                continue
            if time.monotonic() > until:
                return
            try:
                part = play(cell, number)
            except UsageError as error:
                print(f"{cell.key}: {error}", flush=True)
                continue
            found.setdefault(cell.key, []).append(part)
            keep(found)
            measured_today("atlas")
            print(f"{cell.key}: part {number + 1} of {PARTS}, {part['seconds']} s", flush=True)


def main() -> None:
    """Play what is missing, draw and write."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--minutes", type=float, default=120.0, help="how long to play; 120 by default")
    until = time.monotonic() + 60 * parser.parse_args().minutes
    found = kept()
    play_all(found, until)
    from studies.atlas.draw import draw
    from studies.atlas.page import write

    draw(found)
    write(found)


if __name__ == "__main__":
    main()
