"""What players of four strengths say about the four games: docs/findings/verdicts.md and the numbers behind it.

`python -m studies.verdicts` plays what `studies/verdicts.json` does not have yet, for some minutes, and writes both; it
can be stopped and started again. `python -m studies.verdicts write` writes the page alone.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np

import equipoise as eq
from analysis.data.results import Verdict
from analysis.seats.agreement import agreement
from analysis.seats.verdicts import Lines, judge_lines
from reports.words import ENGLISH
from simcore.game import load_game
from simcore.homes import GAMES
from strategies.kit import SKILLS
from strategies.skill import players_of, skills_of
from studies.measured import measured_today, stamped

FOUND, PAGE = Path(__file__).with_suffix(".json"), Path(__file__).resolve().parents[1] / "docs/findings/verdicts.md"
FAST, SLOW = 20_000, 1_000
"""Games of players who decide at once, and of those who look ahead."""

SEED = 1

SAID = {
    "same": "**agree**",
    "several": "agree; seat {which}",
    "other": "another seat",
    "opposite": "the opposite",
    "refuted": "not that seat",
    "fair": "fair",
    "tilted": "not fair",
    "few": "too few ({power})",
}
"""What a cell calls each answer to the experts' verdict."""

BEGIN = """# Four games, four strengths

Is the game uneven, or do its players make it so? Here players of four strengths hold all seats of a table: a family,
a club, experts (the usual judges of every command), and players who look ahead. They play by the printed rules.

A cell names the seat or camp that is furthest off, what it wins, and the 95 % range, which holds for all seats at
once. **Bold**: the whole range lies further from par than 12 % of par, so the table is uneven. *Fair*: all ranges lie
within 12 % of par. Anything else is too close to call with so few games.

"""
END = """
## How to read it

**The last column** [compares](../reference/methods.md#seats) the two before it; –: not yet. *Another seat*, *not that
seat*, *the opposite* or *fair*: the players cause it, so do not change the rules before you know how your people play.
*Too few (x)*: so many games show 1.5 times par in x of all cases, but do not settle this one.

With 3 players, those who look ahead in Fief 2 leave the opening to `suzerain`.

Players who look ahead play {slow} games, and all others {fast}. [Strategies](../reference/strategies.md) says who
they are.
"""


def cells() -> Iterator[tuple[str, int, str]]:
    """Yield every game, number of players and skill."""
    for game in GAMES:
        for players in load_game(game).players:
            for skill in skills_of(game):
                yield game, players, skill


def measure(game: str, players: int, skill: str, games: int | None = None) -> dict[str, Any]:
    """Return what players of a skill say about the seats, or the camps, at a table.

    game, players, skill: What is played.
    games: Number of games; if None, as many as the page has.
    """
    named = players_of(game, skill)
    seated = named if len(named) > 1 else [*named.values()]
    slow = eq.make_spec(game, players, seated).searches
    found = eq.seat_advantage(eq.make_spec(game, players, seated, seed=SEED, games=games or (SLOW if slow else FAST)))
    said, lines = found.verdict, found.verdict.lines
    assert lines is not None, "too few games to judge"
    return (
        {"status": said.status, "games": found.games}
        | {name: said.values[name] for name in ("seat", "camp", "share", "low", "high") if name in said.values}
        | {"lines": [lines.about(line) | {"se": float(lines.se[line])} for line in range(len(lines.share))]}
    )


def verdict_of(cell: dict[str, Any]) -> Verdict:
    """Return the verdict of a cell again."""
    rows = cell["lines"]
    labels = [{name: row[name] for name in ("seat", "camp") if name in row} for row in rows]
    columns = [[row[name] for row in rows] for name in ("share", "se", "low", "high", "par", "margin")]
    lines = Lines(labels, *(np.array(column) for column in columns))
    return judge_lines("camps" if "camp" in rows[0] else "seats", lines, cell["games"], {})


def agree(experts: dict[str, Any], search: dict[str, Any]) -> str:
    """Return what players who look ahead say to the verdict of experts."""
    if not ("lines" in experts and "lines" in search):
        return "–"
    if experts["status"] not in ("fair", "tilted"):
        return "experts are too close to call"
    found = agreement(verdict_of(experts), verdict_of(search))
    power = ENGLISH.number(found.values.get("power", 0.0), "~.0%").replace("%", " %")
    return SAID[found.says].format(which=" or ".join(found.values.get("which", ())), power=power)


def told(cell: dict[str, Any]) -> str:
    """Return a cell of the table."""
    if cell["status"] == "fair":
        return "fair"
    who = f"seat {cell['seat']}" if "seat" in cell else str(cell["camp"]).lower()
    share = f"{who}: {100 * cell['share']:.1f} %"
    ends = f"({100 * cell['low']:.0f} to {100 * cell['high']:.0f})"
    return f"**{share}** {ends}" if cell["status"] == "tilted" else f"{share} {ends}"


def page(found: dict[str, Any]) -> str:
    """Return the text of the page."""
    lines = [
        f"| game | players | {' | '.join(SKILLS)} | search to experts |",
        f"|---|---:|{'---|' * (len(SKILLS) + 1)}",
    ]
    for game in GAMES:
        for players in load_game(game).players:
            row = [told(found[key]) if (key := f"{game}/{players}/{skill}") in found else "–" for skill in SKILLS]
            both = [found.get(f"{game}/{players}/{skill}") for skill in ("experts", "search")]
            row.append(agree(*both) if all(both) else "–")
            lines.append(f"| {load_game(game).title} | {players} | {' | '.join(row)} |")
    return stamped("verdicts", BEGIN + "\n".join(lines) + "\n" + END.format(slow=f"{SLOW:,}", fast=f"{FAST:,}"))


def main(only_write: bool) -> None:
    """Play what is missing, and write the page."""
    found = json.loads(FOUND.read_text(encoding="utf-8")) if FOUND.is_file() else {}
    for game, players, skill in () if only_write else cells():
        key = f"{game}/{players}/{skill}"
        if "lines" not in found.get(key, {}):
            found[key] = measure(game, players, skill)
            print(key, told(found[key]), flush=True)
            FOUND.write_text(json.dumps(found, indent=1) + "\n", encoding="utf-8")
            measured_today("verdicts")
    PAGE.write_text(page(found), encoding="utf-8")


if __name__ == "__main__":
    main(sys.argv[1:] == ["write"])
