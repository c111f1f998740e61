"""Every single falsehood put into an honest log must be found, where it stands."""

from functools import cache

import pytest

from .. import scroll
from ..falsehoods import Log, Mutation
from ..trials import each_of, find_changed_fields, find_falsehood, find_junk, find_lost_records, other
from . import check
from .falsehoods import CASES
from .player import play


@cache
def honest_logs() -> tuple[Log, ...]:
    """Games of strategies by chance, so that everything common is met."""
    names = ["random", "steward", "random"]
    return (*tuple(play(seed, names, turns=6) for seed in range(6)), play(6, names * 2))


@each_of(CASES)
def test_a_falsehood_is_found_where_it_stands(spoil: Mutation, expected: str) -> None:
    find_falsehood(check, honest_logs(), spoil, expected)


@pytest.fixture
def impatient(monkeypatch: pytest.MonkeyPatch) -> None:
    """Have the referee give a game up at the first violation."""
    monkeypatch.setattr(scroll, "MAX_VIOLATIONS", 1)


@pytest.mark.usefixtures("impatient")
def test_every_field_of_every_record_counts() -> None:
    log = play(58, ["steward"] * 3, turns=3)
    find_changed_fields(check, log, lambda value: other(value, "nothing"), sort=("kind", "name", "what"))


@pytest.mark.usefixtures("impatient")
def test_every_record_counts() -> None:
    find_lost_records(check, play(9, ["random"] * 3, turns=3))


@pytest.mark.usefixtures("impatient")
def test_junk_is_found_and_never_crashes() -> None:
    find_junk(check, play(3, ["random"] * 3, turns=2), ("seed", "game_id", "strategies"))
