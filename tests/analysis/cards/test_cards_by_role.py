"""What a card does in a game with camps and without a score, and where the table does not say who held it."""

from __future__ import annotations

from dataclasses import replace

import polars as pl
import pytest

from analysis.api import counterfactual
from analysis.data import source
from analysis.data.declarations import Declarations, load_declarations
from analysis.data.sources import SpecSource
from analysis.measures.quantities import judging, pars
from tests.court import court_spec
from tests.specs import make_spec

SPEC = court_spec(4, "greedy", ("greedy", "random", "random"), games=900)
CARD = "alliance"


def hiding(game: str) -> Declarations:
    """Return what Middle-Ages declares, as if its table did not say which cards came up."""
    declared = load_declarations(game)
    assert declared.cards is not None
    return replace(declared, cards=replace(declared.cards, columns=(), slots=()))


def test_measures_speak_of_camps_and_of_strategies_by_role() -> None:
    source = SpecSource(SPEC)
    assert list(pars(source)) == [
        *(("seat", str(seat)) for seat in range(1, 5)),
        ("camp", "lord"),
        ("camp", "village"),
        ("strategy", "lord-greedy"),
        ("strategy", "tenant-greedy"),
        ("strategy", "tenant-random"),
    ]
    assert not {"score", "spread", "margin"} & set(judging(source))


def test_the_effect_on_a_camp_is_that_on_its_seats() -> None:
    found = counterfactual(SPEC, [CARD], deals=300, pairs=100, threads=1)
    shares = found.table.filter((pl.col("measure") == "share") & (pl.col("slot") == "all"))
    by = {(row["by"], row["group"]): row["effect"] for row in shares.iter_rows(named=True)}
    assert by["camp", "village"] == pytest.approx(sum(by["seat", str(seat)] for seat in (2, 3, 4)))
    assert by["camp", "lord"] == pytest.approx(-by["camp", "village"])
    assert by["strategy", "tenant-greedy"] + by["strategy", "tenant-random"] == pytest.approx(by["camp", "village"])
    assert found.pairs.is_empty()
    assert {verdict.code.rsplit("_", 1)[1] for verdict in found.verdicts} >= {"camp", "seat", "strategy"}


def test_cards_that_the_table_does_not_show_are_blanked_in_all_deals(monkeypatch: pytest.MonkeyPatch) -> None:
    """The effect over all deals is that over the deals that hold the card, times how often it is held."""
    spec = make_spec(3, ["greedy"], games=600)
    told = counterfactual(spec, [CARD], deals=600, threads=1)
    monkeypatch.setattr(source, "load_declarations", hiding)
    untold = counterfactual(spec, [CARD], deals=600, threads=1)
    assert set(untold.table["slot"]) == {"all"}
    seen = told.effects().row(0, named=True)
    every = untold.effects().row(0, named=True)
    assert every["deals"] == 600 > seen["deals"]
    assert every["effect"] * 600 == pytest.approx(seen["effect"] * seen["deals"])
