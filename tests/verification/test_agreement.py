"""How often another level of play agrees with a verdict or contradicts it, by what is true among its players.

The verdict is that seat 1 is too strong, or that the seats are fair; `GAMES` games of the other level are simulated.
"""

from __future__ import annotations

import numpy as np
import pytest

from analysis.stats.moments import Floats
from tests.analysis.levels import Ranges, answers, as_printed, looked, one_off, sure, two_off

RUNS = 2_500

WITHIN = 3.0
"""Points by which a rate may differ from the table, whose rates come from 20,000 other runs."""

LIKELY = {
    (2, 400): (34, 2.8, 1.0, 36, 100, 100, 98),
    (2, 1_000): (94, 2.7, 0.5, 73, 100, 100, 100),
    (3, 400): (0, 1.2, 0.4, 10, 78, 100, 75),
    (3, 1_000): (5.9, 1.1, 0.3, 27, 100, 100, 99),
    (4, 400): (0, 1.1, 0.2, 4.6, 48, 93, 53),
    (4, 1_000): (0, 0.9, 0.2, 13, 93, 100, 92),
    (5, 400): (0, 0.8, 0.2, 3.0, 31, 79, 37),
    (5, 1_000): (0, 0.6, 0.2, 7.6, 78, 100, 79),
    (6, 400): (0, 0.9, 0.2, 1.5, 19, 61, 29),
    (6, 1_000): (0, 0.8, 0.2, 4.5, 60, 98, 68),
}
"""By players and games, in percent, with ranges of so many standard errors: fair and the opposite at par, then the same
at 1.1, 1.2, 1.35 and 1.5 times par, then the opposite at 0.8."""

TIED = {
    (4, 400): (3.1, 76, 17),
    (4, 1_000): (0.0, 53, 47),
    (5, 400): (3.7, 67, 11.5),
    (5, 1_000): (0.2, 66, 34),
    (6, 400): (2.7, 52, 11.3),
    (6, 1_000): (0.7, 72, 26),
}
"""The same where seat 1 has 1.25 and seat 2 has 1.5 times par: the same, one of several, another seat.  A seat that
may be the best one is one of several, even if its own range holds par."""


def plain(share: Floats, games: int, constant: float) -> tuple[Floats, Floats]:
    """Return ranges of so many standard errors that they hold for all seats at once."""
    half = constant * np.sqrt(np.maximum(share * (1 - share), 1e-9) / games)
    return share - half, share + half


@pytest.mark.parametrize(("players", "games"), LIKELY)
def test_answers_by_what_is_true(players: int, games: int) -> None:
    verdict = sure(one_off(players, 1.6))

    def rates(truth: tuple[float, ...], *said: str) -> list[float]:
        found = answers(verdict, truth, games, RUNS, players + games, plain)
        print(f"{players} players, {games:,} games, {truth[0]:g} times par: {found}")
        return [found.get(name, 0.0) for name in said]

    found = rates(one_off(players, 1.0), "fair", "opposite")
    for times, said in ((1.1, "same"), (1.2, "same"), (1.35, "same"), (1.5, "same"), (0.8, "opposite")):
        found += rates(one_off(players, times), said)
    assert found == pytest.approx(LIKELY[players, games], abs=WITHIN)
    if players > 3:
        tied = rates(two_off(players), "same", "several", "other")
        assert tied == pytest.approx(TIED[players, games], abs=WITHIN)


@pytest.mark.parametrize("ranges", [plain, as_printed])
@pytest.mark.parametrize("games", [200, 400, 1_000, 4_000])
@pytest.mark.parametrize("players", [2, 3, 4, 5, 6])
def test_false_agreement_and_false_contradiction(players: int, games: int, ranges: Ranges) -> None:
    """What is fair by the margin agrees in 1.5 % at most, and what is equal is contradicted in 1 % at most.

    Where another seat is best, the seat is confirmed in 5.5 % at most.
    """
    tilts = [one_off(players, times) for times in (1.2, 1.35, 1.5)]
    tilts += [(1.3, 1.3, *[1.4 / (players - 2)] * (players - 2))] if players == 4 else []
    fair = answers(sure(one_off(players, 1.6)), one_off(players, 1.1), games, RUNS, 1, ranges)
    assert fair.get("same", 0) + fair.get("several", 0) <= 2.0, "1.5 %, and what chance adds in so many runs"
    for truth in tilts if games in (400, 1_000) else ():
        said = answers(sure(truth), truth, games, RUNS, 2, ranges)
        assert sum(said.get(name, 0) for name in ("other", "opposite", "refuted", "fair")) <= 1
    if players > 3 and games in (400, 1_000):
        assert answers(sure(one_off(players, 1.6)), two_off(players), games, RUNS, 3, ranges).get("same", 0) <= 5.5


LOOKED = {1.9: (99.9, 115), 1.5: (99.5, 450), 1.35: (99, 1_100)}
"""By the tilt, at 4 players and with 3,200 games at most: how often it is found at least, in percent, and after how
many games on average at most.  With an exact boundary and plain ranges it is after 95, 377 and 990."""


def test_looks_find_tilts_early() -> None:
    for times, (least, most) in LOOKED.items():
        said, games = looked(sure(one_off(4, 1.6)), one_off(4, times), 3_200, RUNS, 4)
        print(f"{times:g} times par, looks up to 3,200: {said}, {games:.0f} games on average")
        assert said.get("same", 0) >= least and games <= most


@pytest.mark.parametrize("most", [200, 400, 1_600, 3_200])
@pytest.mark.parametrize("players", [2, 3, 4, 5, 6])
def test_all_looks_together_err_as_rarely_as_one(players: int, most: int) -> None:
    tilts = [one_off(players, times) for times in (1.2, 1.35, 1.5, 1.9)]
    tilts += [(1.3, 1.3, *[1.4 / (players - 2)] * (players - 2))] if players == 4 else []
    fair, _ = looked(sure(one_off(players, 1.6)), one_off(players, 1.1), most, RUNS, 1)
    print(f"{players} players, looks up to {most:,}, 1.1 times par: {fair}")
    assert fair.get("same", 0) + fair.get("several", 0) <= 2.0, "1.5 %, and what chance adds in so many runs"
    for truth in tilts:
        said, games = looked(sure(truth), truth, most, RUNS, 2)
        print(f"    {truth[0]:g} times par: {said}, {games:.0f} games on average")
        assert sum(said.get(name, 0) for name in ("other", "opposite", "refuted", "fair")) <= 1
    if players > 3:
        said, _ = looked(sure(one_off(players, 1.6)), two_off(players), most, RUNS, 3)
        print(f"    seat 2 is best: {said}")
        assert said.get("same", 0) <= 5.5
