"""Pig, the dice game, for 2 to 4 players."""

from pig.kernel import DECISIONS, ENDLESS, PLAYERS, ROW, RULES, STATE, PigRules, start, step
from simcore.game import Column, Game


def records(words, rules, players):
    """Yield one record for each turn, and one for the end."""
    points, rolls, turn = [0] * players, [], 0
    for face in words:
        seat = turn % players
        rolls += [face] * (face > 0)
        gain = 0 if 1 in rolls else sum(rolls)
        if face < 2 or points[seat] + gain >= rules.target:
            points[seat], turn = points[seat] + gain, turn + 1
            yield {"kind": "turn", "turn": turn, "seat": seat + 1, "rolls": rolls, "points": points[seat]}
            rolls = []
    place = [1 + sum(other > own for other in points) for own in points]
    yield {"kind": "end", "points": points, "place": place, "share60": [60 * (rank == 1) for rank in place]}


GAME = Game(
    name="pig",
    title="Pig",
    players=range(2, PLAYERS + 1),
    default_players=2,
    rules=PigRules,
    rules_dtype=RULES,
    state_dtype=STATE,
    row_dtype=ROW,
    start=start,
    step=step,
    decisions=DECISIONS,
    faults={ENDLESS: "nobody reached the target"},
    columns=(
        Column("points", "Int32", "points at the end", detail="minimal"),
        Column("rolls", "Int32", "rolls of the die"),
        Column("busts", "Int32", "turns lost to a 1"),
    ),
    score="points",
    records=records,
)
