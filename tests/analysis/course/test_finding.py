"""Finding games: known answers on made-up games, and the rows of real runs."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from analysis.course.finding import KINDS, find, findable, searched
from analysis.data.declarations import Declarations
from analysis.data.sources import RunSource, SpecSource
from analysis.runs import load
from simcore.errors import UsageError
from simcore.running.replay import replays
from tests.analysis.course.test_by_length import STANDING, Noted, stands
from tests.analysis.made import Made, finals
from tests.specs import make_spec

SCORES = [(10, 30), (20, 21), (20, 21), (7, 7), (1, 2)]
ROUNDS = Declarations(trajectory=("r1", "r2"))


def made(declared: Declarations = ROUNDS, **more: Any) -> Made:
    source = Made(finals(SCORES) | {name: np.asarray(values) for name, values in more.items()})
    source.declarations = declared
    return source


def test_the_closest_is_the_first_with_the_least_margin() -> None:
    assert (found := find(made(), "closest")).index == 3 and found.value == 0
    assert found.games == 5
    some = Made(finals(SCORES[:3]))
    assert (find(some, "closest").index, find(some, "closest").value) == (1, 1)


def test_the_lowest_score_may_win() -> None:
    source = made()
    source.spec = replace(source.spec, game=replace(source.spec.game, lowest_wins=True))
    source.columns["coins"] = np.array([(9, 1, 8), (5, 5, 900), (5, 6, 7), (0, 3, 3), (1, 3, 9)])
    assert (find(source, "closest").index, find(source, "closest").value) == (1, 0)


def test_a_seat_s_first_win() -> None:
    assert find(made(), "seat-2").index == 0
    assert (find(made(), "seat-1").index, find(made(), "seat-1").value) == (3, 0.5)


def test_the_length_is_what_the_game_declares() -> None:
    source = made(Declarations(length="moves"), moves=[(4, 4), (9, 9), (3, 3), (9, 9), (3, 3)])
    assert (find(source, "longest").index, find(source, "longest").value) == (1, 9)
    assert (find(source, "shortest").index, find(source, "shortest").value) == (2, 3)
    assert find(source, "longest").measure == "moves"


def test_comeback_counts_the_least_deficit_of_shared_winners_and_skips_leaders() -> None:
    source = made(r1=[(50, 0), (0, 9), (9, 2), (20, 0), (0, 1)], r2=[(1, 1), (0, 0), (0, 0), (0, 0), (0, 0)])
    found = find(source, "comeback")
    assert (found.index, found.value) == (0, 50), "game 3 was shared, and one of its winners was never behind"


def test_events_tell_length_and_comeback() -> None:
    events = [
        *stands(0, 2, (1, 0), (0, 9)),
        *stands(0, 4, (3, 0), (1, 0)),
        *stands(0, 8, (3, 1), (3, 2)),
        *stands(1, 1, (4, 0), (0, 1)),
        *stands(1, 3, (0, 0), (5, 1)),
    ]
    source = Noted([(0, 60), (0, 60)], events, STANDING)
    assert (find(source, "longest").index, find(source, "longest").value) == (0, 8)
    assert (find(source, "shortest").index, find(source, "shortest").value) == (1, 3)
    assert (find(source, "comeback").index, find(source, "comeback").value) == (1, 4)
    assert find(source, "comeback").measure == "lands"


@pytest.mark.parametrize(
    ("what", "says"),
    [
        ("seat-3", "seat-3: the table has seats 1 to 2"),
        ("closet", "did you mean 'closest'"),
        ("longest", "every game of Middle-Ages lasts 2 rounds"),
        ("seat-0", "'seat-0'"),
    ],
)
def test_what_cannot_be_found_is_one_line(what: str, says: str) -> None:
    with pytest.raises(UsageError, match=says):
        find(made(), what)


def test_no_game_of_the_kind() -> None:
    with pytest.raises(UsageError, match="seat 1 wins none of the 1 games"):
        find(Made(finals([(1, 2)])), "seat-1")
    source = made(r1=[(0, 0)] * 5, r2=[(0, 0)] * 5)
    with pytest.raises(UsageError, match="in none of the 5 games the winner was behind"):
        find(source, "comeback")


def test_a_game_that_declares_nothing() -> None:
    for what in ("longest", "comeback"):
        with pytest.raises(UsageError, match="declares no"):
            find(made(Declarations()), what)


@pytest.mark.parametrize("game", ["middle-ages", "medievallons", "fief-2"])
def test_found_games_are_those_of_their_logs(game: str) -> None:
    """The same answers from the logs of all games."""
    spec = make_spec(game=game, strategies=["random"], games=40)
    source = SpecSource(spec)
    played = list(replays(spec, 0, 40))
    share, score = spec.game.share, next(c.field for c in spec.game.columns if c.name == spec.game.score)
    scores = np.array([one.rows[score] for one in played], np.int64)
    ordered = np.sort(scores, axis=1)
    found = find(source, "closest")
    assert found.value == (ordered[:, -1] - ordered[:, -2]).min() == ordered[found.index][-1] - ordered[found.index][-2]
    first = next(at for at, one in enumerate(played) if one.rows[share][2] == spec.game.share_unit)
    assert find(source, "seat-3").index == first


def test_a_run_answers_from_its_rows_or_is_played_again(tmp_path: Path, simulated: Callable[..., Path]) -> None:
    folder = simulated(tmp_path / "run")
    assert isinstance(searched(load(folder), "closest"), RunSource)
    again = searched(load(folder), "comeback")
    assert isinstance(again, SpecSource), "rows of standard detail have no score after each round"
    whole = find(SpecSource(load(folder).spec), "comeback")
    assert find(again, "comeback") == whole
    ticks: list[int] = []
    find(again, "seat-1", ticks.append)
    assert ticks[-1] == 60


@pytest.fixture
def simulated() -> Callable[..., Path]:
    def simulate(folder: Path) -> Path:
        import equipoise as eq

        eq.simulate(strategies="random", games=60, players=3, out=folder)
        return folder

    return simulate


def test_all_kinds_are_known() -> None:
    assert KINDS == ("closest", "longest", "shortest", "comeback")


@pytest.mark.parametrize(
    ("game", "kinds"),
    [("middle-ages", ("closest", "comeback")), ("seigneurial", ("longest", "shortest"))],
)
def test_what_can_be_found_depends_on_what_the_game_declares(game: str, kinds: tuple[str, ...]) -> None:
    spec = make_spec(3, game=game, strategies=["random"])
    assert findable(spec) == (*kinds, "seat-1", "seat-2", "seat-3")
