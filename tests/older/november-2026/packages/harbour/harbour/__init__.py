"""Harbour, for 2 to 4 players."""

from harbour.kernel import DECISIONS, PLAYERS, ROW, RULES, STATE, HarbourRules, start, step
from simcore.game import Column, Game


def records(words, rules, players):
    """Yield one record for each turn, and one for the end."""
    points = [0 for _ in range(players)]
    for turn, (cell, gain) in enumerate(zip(words[::2], words[1::2], strict=True)):
        seat = turn % players
        points[seat] += gain
        yield {"kind": "turn", "turn": turn + 1, "seat": seat + 1, "cell": cell, "points": points[seat]}
    place = [1 + sum(other > own for other in points) for own in points]
    shares = [60 // place.count(1) * (rank == 1) for rank in place]
    yield {"kind": "end", "points": points, "place": place, "share60": shares}


GAME = Game(
    name="harbour",
    title="Harbour",
    players=range(2, PLAYERS + 1),
    default_players=4,
    rules=HarbourRules,
    rules_dtype=RULES,
    state_dtype=STATE,
    row_dtype=ROW,
    start=start,
    step=step,
    decisions=DECISIONS,
    columns=(
        Column("points", "Int32", "points at the end", detail="minimal"),
        Column("turns", "Int32", "turns taken"),
    ),
    score="points",
    records=records,
)
