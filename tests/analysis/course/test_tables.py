"""The table after each round of a game, checked against what its log says."""

from __future__ import annotations

import pytest

from analysis.course.standings import tables
from simcore.running.replay import replay
from simcore.tabletop import PLACES
from strategies.spec import make_spec


def test_coins_and_tiles_on_the_table_are_those_of_the_log() -> None:
    spec = make_spec("middle-ages", 3, seed=2)
    found, records = tables(spec, 3), replay(spec, 3).records
    ends = {record["round"]: record["coins"] for record in records if record["kind"] == "round_end"}
    assert set(found) == {0, *ends}
    for number, coins in ends.items():
        fiefs = [area for area in found[number] if area.title == "Fief"]
        assert [fief.things[0].text.split()[0] for fief in fiefs] == [str(held) for held in coins]
    taken = next(record["row"] for record in records if record["kind"] == "take")
    rows = [area.title for area in found[1] if area.title.startswith("Row")]
    assert rows[-1] == f"Row {'ABCD'[taken]}", "the row that was played comes last, filled again"


@pytest.mark.parametrize(("game", "players"), [("medievallons", 3), ("seigneurial", 3), ("fief-2", 3)])
def test_every_round_of_the_log_has_a_table(game: str, players: int) -> None:
    spec = make_spec(game, players, seed=2)
    found = tables(spec, 1)
    ends = [record for record in replay(spec, 1).records if record["kind"] in ("turn_end", "season_end")]
    assert {record["turn"] for record in ends} <= set(found)
    last = ends[-1]
    told = "\n".join(thing.text for area in found[last["turn"]] for thing in area.things)
    if game == "fief-2":
        assert all(f"Score: {score}" in told for score in last["score"])
        land = next(area for area in found[1] if area.layout == PLACES)
        assert all(0 <= part <= 1 for thing in land.things for part in thing.place)
        assert all(
            number in land.things[other].roads for number, thing in enumerate(land.things) for other in thing.roads
        )
    elif game == "seigneurial":
        assert all(f"Favour: {favour}" in told for favour in last["favour"])
    else:
        assert all(f"Hand: {held} card" in told for held in last["hands"])
