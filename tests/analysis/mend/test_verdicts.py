"""What a search comes to, in sentences of both languages."""

from __future__ import annotations

from itertools import product
from types import SimpleNamespace
from typing import Any

import polars as pl
import pytest

from analysis.data.edits import Edit, Edits
from analysis.data.results import Verdict
from analysis.mend.result import CHANGES, DENIED, MEETS, MISSES, OPEN, Ahead, judge
from analysis.mend.search import DEAD, EVEN, STILL, TURNS, Curve
from analysis.seats.agreement import TILTED, Agreement
from reports.words import Words

COINS = Edits(Edit(f"starting_coins.{seat}", 0, coins) for seat, coins in ((2, 17), (3, 25), (4, 34)))


def told(
    target: str, kind: str, lang: str = "en", already: bool = False, left: float | None = 0.012, hardly: bool = False
) -> list[str]:
    """Return the sentences on one change whose second line is the farther one."""
    change = {"rank": 1, "deals": 900, "target": target, "left": left, "left_low": 0.0, "left_high": 0.02}
    change |= {"breaks": "played_rogue", "breaks_by": -0.93, "decides": 24_000 if target == OPEN else None}
    near = {"rank": 1, "name": "seat-1", "kind": "seat", "is_share": True, "kept": False, "wanted": 0.5, "highest": 0.6}
    near |= {"value": 0.51, "value_low": 0.5, "value_high": 0.52, "before": 0.6}
    far = near | {"name": "runaway", "kind": kind, "is_share": kind != "measure", "value": 0.35, "value_low": 0.32}
    curves = [Curve(name, "seat-1", shape) for name, shape in zip("abcd", (DEAD, STILL, EVEN, TURNS), strict=True)]
    prices = pl.DataFrame({"seat": [1, 2], "price": [4.2, 0.0], "price_high": [5.0, 0.5]})
    who = {"camp": "Lords"} if kind == "camp" else {"seat": 1}
    tilted = Agreement(TILTED, who | {"share": 0.38, "low": 0.24, "high": 0.54, "par": 0.25})
    found: Any = SimpleNamespace(
        counts=(4,),
        target="seats",
        changes=pl.DataFrame([change]),
        table=pl.DataFrame([near, far]),
        prices=prices,
        unit="",
        ahead=(Ahead(4, Verdict("seats_fair", "fair"), tilted, 100),),
    )
    words = Words(lang).of_game("middle-ages")
    return [words.verdict(verdict) for verdict in judge(found, COINS, 0.4, curves, already, hardly)]


@pytest.mark.parametrize(
    ("target", "said"),
    [
        (
            MEETS,
            "With 17, 25 and 34 coins for seats 2, 3 and 4, the target is met: the best and the worst seat are 1.2",
        ),
        (OPEN, "Promising: with 17, 25 and 34 coins for seats 2, 3 and 4, the best and the worst seat are 1.2 points"),
        (MISSES, "Nothing that was tried meets the target. What comes closest is 17, 25 and 34 coins"),
        (CHANGES, "Nothing that keeps the game what it is meets the target. With 17, 25 and 34 coins"),
        (DENIED, "Not known: with 17, 25 and 34 coins for seats 2, 3 and 4, among experts the best and the worst seat"),
    ],
)
def test_the_first_change_in_the_words_of_the_game(target: str, said: str) -> None:
    sentence, *_ = told(target, "seat")
    assert sentence.startswith(said)
    assert "1.2 points of the wins apart (0.0 to 2.0) instead of 40.0." in sentence
    assert ("among players who look ahead, seat 1 wins 38 of 100 games (24 to 54; 100 games)" in sentence) == (
        target == DENIED
    )
    assert ("To be sure, add --games 24000." in sentence) == (target == OPEN)
    assert ("\N{MINUS SIGN}93%" in sentence) == (target == CHANGES)


def test_a_change_that_hardly_helps_is_not_promising() -> None:
    sentence, *_ = told(OPEN, "seat", hardly=True)
    assert sentence.startswith("No change of these values brings the game much closer to the target (seats)")
    assert "17, 25 and 34 coins for seats 2, 3 and 4, takes away less than a tenth of the distance" in sentence
    assert told(OPEN, "seat", already=True, hardly=True)[0].startswith("The rules as they are already meet")


def test_the_line_that_is_farthest_where_no_distance_is_known() -> None:
    sentence, *_ = told(MEETS, "role", left=None)
    assert "is at 35.0% (32.0% to 52.0%) instead of 60.0%, and 50.0% is wanted." in sentence


def test_dead_and_turning_levers_and_prices() -> None:
    _, dead, still, turns, prices = told(MEETS, "measure")
    assert dead == "No value of these that was tried changes a single game: a."
    assert still.endswith("the players stay as they are: b.")
    assert turns == "A small step of these can do the opposite of a large one: d."
    assert prices == "Fairest with 4 players, seat 1 first: 0, 4 coins (each within 0.8)."


def test_a_game_that_meets_its_target() -> None:
    first, *others = told(OPEN, "role", already=True)
    assert first == "The rules as they are already meet the target (seats) with 4 players."
    assert not any("17, 25 and 34" in one for one in others), "a game that is fair needs no change"
    nothing: Any = SimpleNamespace(
        counts=(2, 3), target="seats", changes=pl.DataFrame(), table=pl.DataFrame(), prices=pl.DataFrame(), unit=""
    )
    (verdict,) = judge(nothing, Edits(), 0.0, [], False)
    assert "closer to the target (seats) with 2, 3 players" in Words().verdict(verdict)


@pytest.mark.parametrize(
    ("target", "kind", "left"),
    [
        *product([MEETS, OPEN, MISSES, CHANGES], ["role", "measure"], [None]),
        *product([MEETS, DENIED, OPEN, MISSES, CHANGES], ["seat", "camp"], [0.01]),
    ],
)
def test_every_sentence_is_there_in_french(target: str, kind: str, left: float | None) -> None:
    sentence, dead, *_ = told(target, kind, "fr", left=left)
    assert "17, 25 et 34 pièces pour les sièges 2, 3 et 4" in sentence
    assert dead.startswith("Aucune des valeurs essayées ici")
