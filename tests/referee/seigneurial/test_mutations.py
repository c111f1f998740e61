"""Every single falsehood put into an honest log must be found, where it stands."""

import random
from functools import cache, partial
from typing import Any

from ..falsehoods import Log, Mutation, Record
from ..trials import each_of, find_changed_fields, find_falsehood, find_junk, find_lost_records, other
from . import check
from .falsehoods import CASES
from .player import play
from .rulebook import FACES, PLAYERS


@cache
def honest_logs() -> tuple[Log, ...]:
    """Games at every table size, of strategies by chance, so that everything rare is met."""
    logs = []
    for seed in range(24):
        rng = random.Random(seed)
        names = [rng.choice(("random", "bailiff"))]
        names += [rng.choice(("random", "gatherer"))] * (PLAYERS[seed % len(PLAYERS)] - 1)
        logs.append(play(seed, names))
    return tuple(logs)


@each_of(CASES)
def test_a_falsehood_is_found_where_it_stands(spoil: Mutation, expected: str) -> None:
    find_falsehood(check, honest_logs(), spoil, expected)


def another(value: Any) -> Any:
    """Return another value of the same sort: a face of a card where the value is one."""
    return other(value, *(FACES if value in [*FACES] else ("mill", "church")))


def test_every_field_of_every_record_counts() -> None:
    """Among reference policies only chance is free."""

    def free(record: Record, field: str) -> bool:
        chance = record["kind"] in ("draw", "season") or record.get("why") in (
            "harvest",
            "mill",
            "card",
            "rent",
            "year",
        )
        return (field in ("card", "first") and chance) or record.get("why") in ("unpaid", "winter")

    log = play(8, ["bailiff", "gatherer", "gatherer"], max_seasons=4, track=[1, 8])
    find_changed_fields(partial(check, standard=False), log, another, free, ("kind", "action", "why", "op"))


def test_every_record_counts() -> None:
    find_lost_records(check, play(9, ["random"] * 3, max_seasons=2))


def test_junk_is_found_and_never_crashes() -> None:
    log = play(3, ["random"] * 3, max_seasons=1)
    find_junk(check, log, ("seed", "game_id", "strategies", "improvement_needs_pawn", "zero_stops_draw"))
