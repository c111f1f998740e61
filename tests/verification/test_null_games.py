"""200 games in which nothing is to be found: how often is something found all the same?

Real games of Middle-Ages, in each of which the seats are dealt out at random afterwards, so that all seats are equal
while scores, ties and the course of the game stay those of the game.  A verdict with a margin (fair, tilted, meets,
misses) must be wrong in none of them.  A claim of a difference at 5 % may be wrong in 5 %; 16 of 200 are what chance
makes of that in 97 of 100 such trials.  200 further games are tilted by half as much again as the margin allows: no
verdict may call them fair.
"""

from __future__ import annotations

from collections import Counter

import numpy as np
import pytest
from numpy.typing import NDArray

from analysis.compare.shares import Wins, share_differences
from analysis.data.sources import SpecSource
from analysis.ratings.strengths import strengths
from analysis.seats.advantage import seat_advantage
from analysis.stats.margin import FAIR
from analysis.sweep.sweeping import Played, judged, read_target
from tests.analysis.made import Made, finals
from tests.specs import make_spec

GAMES, MOST = 200, 16
SEATS, PAR = 4, 0.25


def equal_seats(number: int, games: int) -> np.ndarray:
    """Return the final scores of so many games, shape (games, seats), with the seats dealt out at random."""
    spec = make_spec(SEATS, ["greedy"], seed=number, games=games)
    scores = [columns[spec.game.score] for _, columns in SpecSource(spec).read(range(games), [spec.game.score])]
    return np.random.default_rng(number).permuted(np.concatenate(scores), axis=1)


def tilted_seats(number: int, games: int) -> np.ndarray:
    """Return scores by which the first seat wins half as much more as the margin allows, and the others less."""
    first = PAR + 1.5 * float(FAIR.at(PAR))
    won = np.random.default_rng(number).choice(SEATS, games, p=[first, *[(1 - first) / 3] * 3])
    return np.eye(SEATS, dtype=int)[won]


def shares(scores: np.ndarray) -> np.ndarray:
    """Return each seat's part of the win of each game, in sixtieths."""
    return finals(scores)["share60"]


def told(what: str, found: Counter[str]) -> Counter[str]:
    print(f"\n{what}: " + ", ".join(f"{count} of {found.total()} {name}" for name, count in found.most_common()))
    return found


@pytest.mark.parametrize("games", [500, 5_000])
def test_seats(games: int) -> None:
    """What `simulate` and `report` say about seats."""
    verdicts, claims = Counter[str](), Counter[str]()
    for number in range(GAMES):
        found = seat_advantage(Made(finals(equal_seats(number, games)), make_spec(SEATS, ["greedy"])))
        verdicts[found.verdict.status] += 1
        low, high = found.table["share_low"].to_numpy(), found.table["share_high"].to_numpy()
        claims["claim a difference" if ((low > PAR) | (high < PAR)).any() else "claim none"] += 1
    assert told(f"{games:,} games with equal seats", verdicts)["tilted"] == 0
    assert told("the same, any seat surely off its par", claims)["claim a difference"] <= MOST


def test_tilted_seats() -> None:
    found = (
        seat_advantage(Made(finals(tilted_seats(number, 5_000)), make_spec(SEATS, ["greedy"]))).verdict.status
        for number in range(GAMES)
    )
    assert told("5,000 games with a tilted seat", Counter(found))["fair"] == 0


@pytest.mark.parametrize("games", [500, 5_000])
def test_target(games: int) -> None:
    """What `sweep` says about a cell, where nine cells are judged together."""
    spec, target = make_spec(SEATS, ["greedy"], games=games), read_target("seats")

    def said(won: NDArray[np.int32]) -> str:
        return judged(target, Wins(spec, won, games), Played(won, ()), 0.95, 9)

    equal, tilted = (
        Counter(said(shares(make(number, games))) for number in range(GAMES)) for make in (equal_seats, tilted_seats)
    )
    assert told(f"{games:,} games with equal seats, target: seats", equal)["misses"] == 0
    assert told(f"{games:,} games with a tilted seat, target: seats", tilted)["meets"] == 0


@pytest.mark.parametrize("part", [1.0, 0.3], ids=["all games differ", "three in ten differ"])
def test_compare(part: float) -> None:
    """What `compare` says of two versions with the same deals, of which chance alone decides a part anew."""
    spec, claims = make_spec(SEATS, ["greedy"], games=2_000), Counter[str]()
    for number in range(GAMES):
        before, after = shares(equal_seats(number, 2_000)), shares(equal_seats(GAMES + number, 2_000))
        anew = np.random.default_rng(number).random((2_000, 1)) < part
        versions = (Wins(spec, won.astype(np.int32), 2_000) for won in (before, np.where(anew, after, before)))
        found = share_differences(*versions, np.eye(SEATS), 0.95)
        sure = (found["difference_low"] > 0) | (found["difference_high"] < 0)
        claims["claim a difference" if sure.any() else "claim none"] += 1
    assert told(f"two equal versions, {part:.0%} of the deals decided anew", claims)["claim a difference"] <= MOST


def test_strategies() -> None:
    """What `tournament` and `report` say of two players who are equal, in every line-up of four seats."""
    spec, claims = make_spec(SEATS, ["greedy", "random"] * 2, design="rotate"), Counter[str]()
    for number in range(GAMES):
        line = np.random.default_rng(number).integers(2, size=(1_000, 1, SEATS)) * np.ones((1, SEATS, 1), int)
        turned = np.stack([np.roll(line[:, seat], seat, axis=1) for seat in range(SEATS)], axis=1).reshape(-1, SEATS)
        scores = equal_seats(number, len(turned))
        found = strengths(Made(finals(scores, turned), spec), resamples=0).table
        sure = (found["strength_low"] > 0) | (found["strength_high"] < 0)
        claims["claim a difference" if sure.any() else "claim none"] += 1
    assert told("two equal players", claims)["claim a difference"] <= MOST
