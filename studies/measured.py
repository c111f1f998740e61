"""When each page of docs/findings was measured, under which rules, and the command that does it again.

Studies note the dates in `studies/measured.json`. Who measures a page by hand that no study writes enters it here:
`python -m studies.measured fief-2`. Without a name, this writes the line of these pages.
"""

from __future__ import annotations

import json
import re
import sys
from collections.abc import Iterable
from datetime import date
from pathlib import Path
from typing import Any

from simcore.game import load_game
from simcore.homes import GAMES
from simcore.rules.files import load_rules

FINDINGS, NOTES = Path(__file__).resolve().parents[1] / "docs/findings", Path(__file__).with_suffix(".json")
LINE = re.compile(r"^\*Measured (?:from (\S+) to |on )(\S+), (.+); again: `(.+)`\*\n\n", re.MULTILINE)


def entries() -> dict[str, dict[str, Any]]:
    """Return what is noted of each page: `dates`, `on`, what was measured, and `again`, the command."""
    return json.loads(NOTES.read_text(encoding="utf-8"))


def measured_today(page: str) -> None:
    """Note that figures of a page are of today and of the rules as they are."""
    every = entries()
    one = every[page]
    one["dates"] = [one["dates"][0], date.today().isoformat()]
    if "games" in one:
        one["on"] = rules_of(one["games"] or list(GAMES))
    NOTES.write_text(json.dumps(every, indent=1, ensure_ascii=False) + "\n", encoding="utf-8")


def rules_of(games: list[str]) -> str:
    """Return the digests of the printed rules of games, in words."""
    digests = (f"{load_game(name).title} `{load_rules(load_game(name)).digest[:12]}`" for name in games)
    return f"rules of {', '.join(digests)}"


def stamped(page: str, text: str, dates: Iterable[str] = ()) -> str:
    """Return a page with its line below the title; where its figures have dates of their own, with these."""
    one = entries()[page]
    every = sorted(dates) or one["dates"]
    first, last = every[0], every[-1]
    when = f"on {last}" if first == last else f"from {first} to {last}"
    title, _, rest = LINE.sub("", text).partition("\n\n")
    return f"{title}\n\n*Measured {when}, {one['on']}; again: `{one['again']}`*\n\n{rest}"


if __name__ == "__main__":
    for name in sys.argv[1:]:
        measured_today(name)
    for name, one in entries().items():
        if one.get("hand"):
            file = FINDINGS / f"{name}.md"
            file.write_text(stamped(name, file.read_text(encoding="utf-8")), encoding="utf-8")
