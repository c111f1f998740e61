"""The measures that a change of the rules can move have names in French, so that no key of a table is on a page."""

from __future__ import annotations

import pytest

from analysis.compare.shares import _wanted
from analysis.data.sources import SpecSource
from analysis.measures.quantities import MEAN, Quantities, known_families
from reports.study.study import words_of
from reports.words import Words
from tests.specs import make_spec

LINE_UPS: dict[str, list[str] | dict[str, list[str]]] = {
    "middle-ages": ["greedy"],
    "medievallons": ["thief"],
    "seigneurial": {"lord": ["bailiff"], "tenant": ["gatherer"]},
    "fief-2": ["banker"],
}
CODED = {"held"}
"""A column of Fief 2 that holds a set, so that its mean says nothing; elsewhere it is a number."""


@pytest.mark.parametrize("game", LINE_UPS)
def test_every_measure_of_a_comparison_has_a_name_in_french(game: str) -> None:
    spec = make_spec(4, LINE_UPS[game], game=game, seed=1, games=24)
    source = SpecSource(spec)
    families = [name for name in known_families(source) if _wanted(name, source)]
    items = [item for item in Quantities(source, families).items if item.family in families]
    french = words_of(game, spec.rules, Words("fr"))
    keys = {item.member or item.family.removeprefix(MEAN) for item in items} - CODED
    assert len(keys) > 20
    assert sorted(key for key in keys if not french.known(key)) == []
