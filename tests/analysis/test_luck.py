"""The luck ledger against exact answers: a game small enough to list all that chance can draw."""

from __future__ import annotations

import re
from itertools import combinations, product
from math import factorial
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import equipoise as eq
from analysis.luck import Luck, luck_ledger
from reports.words import ENGLISH
from simcore.errors import UsageError
from simcore.running.batch import run_chunk
from tests.nim import forgotten  # noqa: F401  fixture

pytestmark = pytest.mark.usefixtures("forgotten")

TOSS = """
import equipoise as eq

class Toss(eq.PlainGame):
    strategies = {
        "guess": lambda view, moves, rng: rng.randrange(2),
        "bold": lambda view, moves, rng: 1,
        "shy": lambda view, moves, rng: 0,
    }

    def start(self):
        self.die = self.chance("die").randrange(6)
        self.coin = self.chance("coin").randrange(2)
        self.said = []

    def legal(self):
        return [0, 1]

    def apply(self, move):
        self.said.append(move)
        self.turn = 1

    def over(self):
        return len(self.said) == 2

    def places(self):
        first = self.die + 2 * self.coin + 3 * self.said[0] - 2 * self.said[1] >= LIMIT
        return [1, 2] if first else [2, 1]
"""
SOURCES = ("die", "coin", "players_draws")
GUESSES = {"guess": (0, 1), "bold": (1,), "shy": (0,)}


def first_wins(die: int, coin: int, said: tuple[int, int]) -> float:
    return float(die + 2 * coin + 3 * said[0] - 2 * said[1] >= 4)


def exact(*strategies: str) -> dict[str, float]:
    """Return every part, by listing all that can happen with either player in seat 1.

    The seats' shares are w and 1 - w, so that every square counts twice.
    """
    means, variance = [], dict.fromkeys(SOURCES, 0.0)
    for seated in (strategies, strategies[::-1]):
        spaces = (range(6), range(2), list(product(*(GUESSES[name] for name in seated))))
        won = np.array(
            [
                [[first_wins(*drawn) for drawn in product([die], [coin], spaces[2])] for coin in spaces[1]]
                for die in spaces[0]
            ]
        )
        means.append(won.mean())

        def known(sources: tuple[int, ...], won: Any = won) -> float:
            """The variance of the mean, given some sources."""
            return float(won.mean(axis=tuple({0, 1, 2} - set(sources))).var())

        for one, name in enumerate(SOURCES):
            others = {0, 1, 2} - {one}
            for size in range(3):
                weight = factorial(size) * factorial(2 - size) / factorial(3)
                for held in combinations(others, size):
                    variance[name] += weight * (known((*held, one)) - known(held))
    one, other = means  # of seat 1: with the first strategy in it, and with the second
    cells = np.array([[one, 1 - other], [other, 1 - one]])  # [strategy, seat]
    who = 0.0 if strategies[0] == strategies[1] else 2 * cells.mean(axis=1).var()
    parts = {"who_plays": who, "seat": 2 * cells.var() - who, **variance}
    whole = sum(parts.values())
    return {name: part / whole for name, part in parts.items()}


@pytest.fixture
def toss(tmp_path: Path) -> str:
    (tmp_path / "toss.py").write_text(TOSS.replace("LIMIT", "4"), encoding="utf-8")
    return str(tmp_path / "toss.py")


def parts_of(result: Luck) -> dict[str, dict[str, Any]]:
    return {row["source"]: row for row in result.table.iter_rows(named=True)}


@pytest.mark.parametrize("strategies", [("guess", "guess"), ("guess", "bold"), ("bold", "shy")])
def test_parts_are_exact(toss: str, strategies: tuple[str, str]) -> None:
    wanted = exact(*strategies)
    found = luck_ledger(eq.make_spec(toss, strategies=list(strategies), games=24_000), threads=1)
    rows = parts_of(found)
    assert sum(row["part"] for row in rows.values()) == pytest.approx(1)
    for name, part in wanted.items():
        if part == 0:
            assert name not in rows
        else:
            assert abs(rows[name]["part"] - part) < 4 * rows[name]["part_se"] < 0.06, name
    assert found.skill == (rows["who_plays"]["part"] if "who_plays" in rows else 0)
    assert found.luck + found.skill == pytest.approx(1)


def test_alone_and_changed_are_exact(toss: str) -> None:
    """By hand: the die alone, and how often another die changes the winner."""
    won = np.array(
        [
            [[first_wins(*drawn) for drawn in product([die], [coin], product((0, 1), (0, 1)))] for coin in range(2)]
            for die in range(6)
        ]
    )
    rows = parts_of(luck_ledger(eq.make_spec(toss, strategies="guess", games=24_000), threads=1))
    whole = 2 * won.var() + (2 * won.mean() - 1) ** 2 / 2
    alone = 2 * won.mean(axis=(1, 2)).var() / whole
    assert abs(rows["die"]["alone"] - alone) < 4 * rows["die"]["alone_se"] < 0.1
    assert rows["seat"]["alone"] == rows["seat"]["part"]
    again = np.mean([(won[one] != won[other]).mean() for one in range(6) for other in range(6)])
    assert rows["die"]["changed"] == pytest.approx(again, abs=0.02)


def test_threads_and_processes_change_nothing(toss: str) -> None:
    spec = eq.make_spec(toss, strategies=["guess", "bold"], games=8_000)
    assert luck_ledger(spec, threads=2).table.equals(luck_ledger(spec, threads=1).table)


def test_ledger_of_kernels() -> None:
    spec = eq.make_spec("middle-ages", 2, ["random", "greedy"], games=2_400)
    found = luck_ledger(spec, threads=2)
    rows = parts_of(found)
    assert set(rows) == {"who_plays", "seat", "first_stack", "event_deck", "players_draws"}
    assert sum(row["part"] for row in rows.values()) == pytest.approx(1)
    won = (played := run_chunk(spec, 0, 2_400))["share60"][played["strategy"] == 0].mean() / 60
    assert abs(rows["who_plays"]["part"] - 4 * (won - 0.5) ** 2) < 4 * rows["who_plays"]["part_se"] < 0.2
    assert found.table.equals(luck_ledger(spec, threads=1).table)
    assert found.inputs[0].games == found.inputs[0].deals * 10 == 2_400


def test_what_cannot_be_divided() -> None:
    with pytest.raises(UsageError, match="games: 3 games are fewer than one deal, which takes 5"):
        luck_ledger(eq.make_spec("middle-ages", 2, "greedy", games=3))
    with pytest.raises(UsageError, match="design: players that differ have to change seats"):
        luck_ledger(eq.make_spec("middle-ages", 2, ["greedy", "random"], games=100, design="fixed"))
    few = luck_ledger(eq.make_spec("middle-ages", 2, "greedy", games=60))
    assert few.verdicts[0].code == "luck_unknown"
    assert {note.code for note in few.notes} >= {"few_deals", "luck_alike"}


def test_a_sentence_has_the_level_that_was_asked_for(toss: str) -> None:
    spec = eq.make_spec(toss, strategies=["guess", "bold"], games=400)
    narrow, wide = (luck_ledger(spec, level, threads=1).verdicts[1].values for level in (0.5, 0.99))
    assert wide["high"] - wide["low"] > 1.5 * (narrow["high"] - narrow["low"])


def test_nothing_is_luck_if_the_same_seat_always_wins(tmp_path: Path) -> None:
    (tmp_path / "sure.py").write_text(TOSS.replace("LIMIT", "-9").replace("Toss", "Sure"), encoding="utf-8")
    rows = parts_of(luck_ledger(eq.make_spec(str(tmp_path / "sure.py"), strategies="guess", games=500)))
    assert {name: row["part"] for name, row in rows.items()} == {"seat": 1.0}


def test_a_part_below_zero_is_about_zero_and_the_parts_keep_their_sum(tmp_path: Path) -> None:
    """Of two different faces of a die, the higher wins: the two draws decide everything, and the seats nothing."""
    rolled = 'self.coin = (self.die + 1 + self.chance("coin").randrange(5)) % 6'
    lines = TOSS.replace('self.coin = self.chance("coin").randrange(2)', rolled).replace("Toss", "Level")
    lines = re.sub("first = .*", "first = self.die > self.coin", lines)
    (tmp_path / "level.py").write_text(lines, encoding="utf-8")
    said = set()
    for seed in range(6):
        spec = eq.make_spec(str(tmp_path / "level.py"), strategies="bold", games=300, seed=seed)
        found = luck_ledger(spec, threads=1)
        assert found.table["part"].sum() == pytest.approx(1) and found.table["part"].min() >= 0
        ends = found.table.select("part_low", "part", "part_high").drop_nulls().to_numpy()
        assert (np.diff(ends, axis=1) >= 0).all() and ends.max() <= 1
        said |= {ENGLISH.verdict(found.verdicts[0])}
    assert any("seat about 0%" in text for text in said)
