"""The grid of a sweep: what ranges mean, which cells there are, and what is refused."""

from __future__ import annotations

from pathlib import Path

import pytest

from analysis.sweep.sweeping import SweepPlan, cells_of, read_experiment
from simcore.errors import UsageError
from simcore.rules.levers import Axis, read_axis


def test_every_combination_is_a_cell_after_the_rules_as_they_are() -> None:
    axes = (read_axis("effects.mill_coins=1..2"), read_axis("starting_coins.3=0..2"))
    found = cells_of(SweepPlan("middle-ages", axes, players=(3, 4), strategies=("greedy", "random"), games=600))
    assert len(found) == 2 * 2 * (1 + 2 * 3)
    first, second, *_ = found
    assert not first.values and first.spec.rules.settings == ()
    assert second.values == {"effects.mill_coins": "1", "starting_coins.3": "0"}
    values = found[-1].spec.rules.values.model_dump()
    assert values["effects"]["mill_coins"] == 2
    assert values["starting_coins"] == (0, 0, 2, 0, 0)
    assert {cell.spec.strategies[0] for cell in found if cell.lineup == 1} == {"random"}
    assert len({cell.spec.seed for cell in found}) == 1


@pytest.mark.parametrize(
    ("axes", "said"),
    [
        (("effects.mill_coin=1..2",), "did you mean 'mill_coins'"),
        (("effects.mill_coins=-1..2",), "must be 0 or more"),
        (("starting_coins.6=1..2",), "'starting_coins' has 5 entries, counted from 1"),
        (("effects.mill_coins=1..2", "effects.mill_coins=3"), "is given twice"),
        (("starting_coins=0..200", "effects.mill_coins=0..200"), "the maximum is 10,000"),
        ((), "nothing is swept"),
        (("title=a|b",), "'title' is only a name or description"),
    ],
)
def test_grids_that_cannot_be_played(axes: tuple[str, ...], said: str) -> None:
    with pytest.raises(UsageError, match=r"^[^\n]*$") as raised:
        cells_of(SweepPlan("middle-ages", tuple(map(read_axis, axes))))
    assert said in str(raised.value)


def test_an_experiment_is_read_from_a_file(tmp_path: Path) -> None:
    path = tmp_path / "mine.toml"
    path.write_text(
        'players = [3]\nstrategies = ["greedy,random,random", "greedy"]\ngames = 600\ntarget = "seats"\n'
        '[set]\n"effects.mill_coins" = "1..3"\nshortfall = ["debt", "forgive"]\nstarting_coins = 2\n'
    )
    found = read_experiment(path)
    assert found.axes == (
        Axis("effects.mill_coins", ("1", "2", "3")),
        Axis("shortfall", ("debt", "forgive")),
        Axis("starting_coins", ("2",)),
    )
    assert found.strategies == (("greedy", "random", "random"), ("greedy",))
    assert (found.players, found.games, found.target, found.seed) == ((3,), 600, "seats", 1)


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("player = [3]", "player: unknown key; did you mean 'players'?"),
        ("games = 'many'", "games: must be a whole number"),
        ("[set]\nshortfall = []", "the list of values is empty"),
        ("", "the file is empty"),
    ],
)
def test_files_that_are_no_experiment(tmp_path: Path, text: str, said: str) -> None:
    path = tmp_path / "mine.toml"
    path.write_text(text)
    with pytest.raises(UsageError) as raised:
        read_experiment(path)
    assert said in str(raised.value)
