"""Does the largest change of a sweep come from the rules, or do its players only open differently?"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from analysis.compare.opened import drawn
from analysis.data.results import Note
from analysis.sweep.grid import Cell
from analysis.sweep.result import Sweep
from analysis.sweep.verdicts import edits_of


def opening_notes(cells: Sequence[Cell], found: Sweep, threads: int | None = None) -> Iterator[Note]:
    """Yield a note where the largest change is not there if all openings are drawn at random.

    cells: What was played.
    found: The result, whose verdicts name the largest change at each number of players and with each line-up.
    threads: Number of threads.
    """
    titles = cells[0].spec.game.camp_titles
    for verdict in found.verdicts:
        told = verdict.values
        if "cell" not in told:
            continue
        here = [cell for cell in cells if (cell.spec.players, cell.lineup) == (told["players"], told["lineup"])]
        base, cell = here[0], next(one for one in here[1:] if edits_of(one.values, found.keys) == told["cell"])
        seen = drawn(base.specs, cell.specs, found.level, threads)
        if seen is None:
            continue
        row = next(
            one
            for one in seen.rows.iter_rows(named=True)
            if one["seat"] == told["seat"] or titles.get(one["camp"] or "", one["camp"]) == told["camp"]
        )
        value, low, high = (row[f"difference{end}"] for end in ("", "_low", "_high"))
        if not (low > 0 if told["difference"] > 0 else high < 0):
            seats = {"seats": tuple(map(str, seen.seats)), "count": len(seen.seats)}
            ends = {"drawn": value, "low": low, "high": high, "difference": told["difference"]}
            yield Note("sweep_opening", {"cell": told["cell"], "players": told["players"], **seats, **ends})
