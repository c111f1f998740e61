"""Make docs/findings/middle-ages.md and its figures: python studies/middle_ages

This plays everything again and keeps the numbers in found.json. Players for changed rules are tuned and kept in
tuned/; those that were tuned from the same champion before are used again. `--only seats,events` plays only these
sections, and `--only none` writes the page from the numbers that are kept.
"""

from __future__ import annotations

import argparse
import json
import sys
import time
from collections.abc import Callable
from pathlib import Path

from draw import draw
from measure import CHOICE, SEED, Found, course, domains, events, mechanism, restrictions, seats
from mended import mended
from mending import mending, readings
from write import write

from studies.measured import measured_today

KEPT = Path(__file__).with_name("found.json")
DOCS = Path(__file__).resolve().parents[2] / "docs/findings"

SECTIONS: dict[str, Callable[[int], Found]] = {
    "seats": seats, "mechanism": mechanism, "mended": mended, "mending": mending, "events": events, "domains": domains,
    "restrictions": restrictions, "course": course, "readings": readings,
}  # fmt: skip


def kept() -> Found:
    """Return the numbers kept by earlier runs."""
    return json.loads(KEPT.read_text(encoding="utf-8")) if KEPT.exists() else {}


def main() -> None:
    """Measure, draw and write."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--only", default=",".join(SECTIONS), help="sections to measure, with commas between; or none")
    parser.add_argument("--games", type=int, default=20_000, help="games of a line-up; other numbers follow from it")
    given = parser.parse_args()
    wanted = given.only.split(",")
    unknown = set(wanted) - {*SECTIONS, "none"}
    if unknown:
        parser.error(f"no section {', '.join(sorted(unknown))}; there are {', '.join(SECTIONS)}")
    for name, measure in SECTIONS.items():
        if name in wanted:
            began = time.monotonic()
            section = measure(given.games)
            found = {**kept(), name: section, "seeds": {"judged": SEED, "chosen": CHOICE}}
            lines = ",\n".join(f'"{key}": {json.dumps(found[key])}' for key in (*SECTIONS, "seeds") if key in found)
            KEPT.write_text(f"{{\n{lines}\n}}\n", encoding="utf-8")
            measured_today("middle-ages")
            print(f"{name}: {time.monotonic() - began:.0f} s", file=sys.stderr, flush=True)
    draw(kept(), DOCS)
    write(kept(), DOCS / "middle-ages.md")


if __name__ == "__main__":
    main()
