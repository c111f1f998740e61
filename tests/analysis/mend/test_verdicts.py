"""What a search comes to, in sentences of both languages."""

from __future__ import annotations

import polars as pl
import pytest

from analysis.mend.curves import DEAD, EVEN, STILL, TURNS, Curve
from analysis.mend.result import MEETS, MISSES, OPEN
from analysis.mend.verdicts import judge
from reports.words import Words


def told(target: str, kind: str, lang: str = "en", already: bool = False) -> list[str]:
    """Return the sentences on one change whose second line is the farther one."""
    change = {"rank": 1, "change": "coins.2=5", "touched": 1, "size": 1.1, "farthest": 1.5, "target": target}
    near = {"rank": 1, "name": "seat-1", "kind": "seat", "is_share": True, "kept": False, "wanted": 0.5, "highest": 0.6}
    near |= {"value": 0.51, "value_low": 0.5, "value_high": 0.52, "before": 0.6}
    far = near | {"name": "seat-2", "kind": kind, "is_share": kind != "measure", "value": 0.35, "value_low": 0.32}
    curves = [Curve(name, "seat-1", shape) for name, shape in zip("abcd", (DEAD, STILL, EVEN, TURNS), strict=True)]
    prices = pl.DataFrame({"seat": [1, 2], "price": [4.2, 0.0], "price_high": [5.0, 0.5]})
    found = judge(
        pl.DataFrame([change | {"deals": 900}]), pl.DataFrame([near, far]), curves, prices, "seats", 2, already
    )
    return [Words(lang).verdict(verdict) for verdict in found]


@pytest.mark.parametrize(
    ("target", "said"),
    [
        (MEETS, "With coins.2=5, the target (seats) is met at 2 players with confidence."),
        (OPEN, "Whether coins.2=5 meets the target (seats) at 2 players is still undecided after 900 deals."),
        (MISSES, "The target (seats) is not met at 2 players. The search came closest with coins.2=5."),
    ],
)
def test_the_best_change_and_who_is_farthest(target: str, said: str) -> None:
    sentence, *_ = told(target, "seat")
    assert said in sentence
    assert "Farthest from its share is seat 2: 35.0% (32.0% to 52.0%) instead of 60.0%; 50.0% is wanted." in sentence


def test_dead_and_turning_levers_and_prices() -> None:
    _, dead, still, turns, prices = told(MEETS, "measure")
    assert "Dead at 2 players: no value of a that was tried changes a single game" in dead
    assert "no value of b alone moves a target significantly" in still
    assert "Not monotone at 2 players: d." in turns
    assert prices == "The fair price of the seats at 2 players, in coins: 4, 0 (each within 0.8)."


def test_a_game_that_meets_its_target() -> None:
    first, second, *_ = told(OPEN, "role", already=True)
    assert first == "The rules as they are already meet the target (seats) at 2 players with confidence."
    assert second.startswith("Whether coins.2=5")
    (nothing,) = judge(pl.DataFrame(), pl.DataFrame(), [], pl.DataFrame(), "seats", 2, False)
    assert "No change of these values brings the game closer to the target (seats)" in Words().verdict(nothing)


@pytest.mark.parametrize("target", [MEETS, OPEN, MISSES])
@pytest.mark.parametrize("kind", ["seat", "role", "measure"])
def test_every_sentence_is_there_in_french(target: str, kind: str) -> None:
    sentence, dead, *_ = told(target, kind, "fr")
    assert "coins.2=5" in sentence and "l'objectif (seats)" in sentence.replace("L'", "l'")
    assert dead.startswith("Sans effet à 2 joueurs")
