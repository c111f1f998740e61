"""Does the first change mend the game, or do the players who know it only open differently?"""

from __future__ import annotations

from collections.abc import Iterator

from analysis.compare.opened import drawn
from analysis.data.edits import Edits
from analysis.data.results import Note
from analysis.mend.search import FRESH
from analysis.mend.trials import GameTrials, Seen, Who
from simcore.running.batch import Spec


def opening_notes(
    trials: GameTrials, before: Seen, first: Seen, who: Who, change: Edits, level: float
) -> Iterator[Note]:
    """Yield a note at each number of players where nothing is mended if all openings are drawn at random.

    trials: What was played.
    before, first: The rules as they are, and with the first change.
    who: The players who know the change; see `GameTrials.see`.
    change: The first change.
    level: Confidence level.
    """
    deals = before.deals
    for at, spec in enumerate(trials.specs):

        def runs(seen: Seen, players: Who, at: int = at, games: int = deals * spec.games_per_deal) -> list[Spec]:
            return [trials.specs_at(seen.point, FRESH, games, one, variant=seen.variant)[at] for one in players or (0,)]

        found = drawn(runs(before, ()), runs(first, who), level, trials.threads)
        if found is None:
            continue
        apart = found.distances
        if apart["change_high"] is None or apart["change_high"] >= 0:
            seats = {"seats": tuple(map(str, found.seats)), "count": len(found.seats)}
            ends = {name: apart[name] for name in ("before", "after", "after_low", "after_high")}
            values = {"change": change, "players": spec.players, **seats, **ends}
            yield Note(f"mend_opening_{apart['kind']}s", values)
