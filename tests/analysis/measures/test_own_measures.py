"""Measures that a designer writes into the rules, or an analyst adds in Python, count wherever one is asked."""

from __future__ import annotations

from pathlib import Path

import polars as pl
import pytest

import equipoise as eq
from analysis.check.baseline import read_choices
from analysis.check.claims import all_names
from analysis.compare.shares import what_moved
from analysis.data.store import digest_of
from analysis.live import Watched
from analysis.measures.rows import ADDED, MEASURES
from analysis.mend.targets import read_lines
from analysis.stats.margin import as_margin
from simcore.errors import UsageError

MINE = """extends = "base"
[measures]
robbed = "sum(barracks_robbed)"
rich = "most(coins) >= 150"
poor = "coins < 100"
"""


@pytest.fixture
def mine(tmp_path: Path) -> Path:
    path = tmp_path / "mine.toml"
    path.write_text(MINE)
    return path


@pytest.fixture
def added() -> None:
    eq.measure("gap", pl.col("coins").max() - pl.col("coins").min())


def spec(rules: Path | str, **changes: object) -> eq.Spec:
    return eq.make_spec(players=2, strategies="random", games=400, rules=str(rules), **changes)


def test_a_measure_is_the_mean_over_games_of_what_it_says(mine: Path, added: None) -> None:
    run = eq.simulate(players=2, strategies="random", games=400, rules=str(mine), out=mine.parent / "run").run
    table = run.polars().collect()
    games = table.group_by("game_id").agg(
        robbed=pl.col("barracks_robbed").sum(),
        rich=pl.col("coins").max() >= 150,
        poor=(pl.col("coins") < 100).mean(),
        gap=pl.col("coins").max() - pl.col("coins").min(),
    )
    means = dict(eq.measures(run).select("measure", "mean").iter_rows())
    for name in ("robbed", "rich", "poor", "gap"):
        assert means[name] == pytest.approx(games[name].mean()), name
    assert means["gap"] == means["spread"]
    shares = dict(eq.measures(run).select("measure", "is_share").iter_rows())
    assert [shares[name] for name in ("robbed", "rich", "poor", "close")] == [False, True, True, True]


def test_measures_change_no_digest(mine: Path) -> None:
    plain = mine.with_name("plain") / "mine.toml"
    plain.parent.mkdir()
    plain.write_text('extends = "base"\n')
    one, other = spec(mine).rules, spec(plain).rules
    assert one.digest == other.digest
    assert one.flat() == other.flat()
    assert eq.differences(one, other) == {}
    assert "robbed" in one.to_toml()


def test_nothing_is_remembered_that_was_measured_otherwise(mine: Path, added: None) -> None:
    before = digest_of(spec(mine), "sweep")
    mine.write_text(MINE.replace("150", "151"))
    after = digest_of(spec(mine), "sweep")
    eq.measure("gap", pl.col("coins").max())
    assert len({before, after, digest_of(spec(mine), "sweep")}) == 3


def test_compare_shows_them_though_the_other_rules_have_none(mine: Path) -> None:
    moved = what_moved([spec("base")], [spec(mine, settings={"effects.barracks_buries": False})], 0.95)
    rows = {row["measure"]: row for row in moved.iter_rows(named=True)}
    assert {"robbed", "rich", "poor"} <= set(rows)
    assert rows["rich"]["is_share"]
    assert rows["robbed"]["before"] > 0


def test_mend_keeps_them_and_aims_at_them(mine: Path) -> None:
    lines = read_lines(spec(mine), ["rich=40%"], ["robbed=20%"], as_margin("12%"))
    assert {("rich", True, False), ("robbed", False, True)} <= {(one.name, one.is_share, one.kept) for one in lines}


def test_the_lab_shows_them(mine: Path) -> None:
    families = [one.family for one in Watched(spec(mine), most=10).side.quantities.items]
    assert {"robbed", "rich", "poor"} <= set(families)


def test_a_baseline_limits_them_for_all_seats_or_one(mine: Path) -> None:
    path = mine.with_name("baseline.toml")
    path.write_text(
        'format = "equipoise-baseline/1"\ngame = "middle-ages"\nrules = "mine.toml"\nplayers = [2]\ngames = 1000\n'
        'strategies = ["random"]\n[limits]\nrich = { max = 0.5 }\n"poor_by_seat.seat-1" = { max = 0.9 }\n'
    )
    assert {"rich", "poor_by_seat.seat-1"} <= set(all_names(read_choices(path), spec(mine)))


@pytest.mark.parametrize(
    ("line", "says"),
    [
        (
            'robbed = "sum(barrack_robbed)"',
            "[measures] robbed: no column 'barrack_robbed'; did you mean 'barracks_robbed'?",
        ),
        ("robbed = 3", "[measures] robbed: must be text"),
        ('Robbed = "coins"', "[measures] Robbed"),
    ],
)
def test_a_bad_measure_is_refused_with_file_and_key(tmp_path: Path, line: str, says: str) -> None:
    path = tmp_path / "bad.toml"
    path.write_text(f'extends = "base"\n[measures]\n{line}\n')
    with pytest.raises(UsageError) as refused:
        spec(path)
    assert f"bad.toml: {says}" in str(refused.value)
    assert "\n" not in str(refused.value)


@pytest.mark.parametrize("name", [*MEASURES, "length", "seats", "coins", "mean_of_coins", "card_plays", "x_by_seat"])
def test_the_name_of_something_else_is_taken(tmp_path: Path, name: str) -> None:
    path = tmp_path / "bad.toml"
    path.write_text(f'extends = "base"\n[measures]\n{name} = "sum(turn_mean)"\n')
    with pytest.raises(UsageError, match=rf"bad.toml: \[measures\] {name}: has another meaning here"):
        spec(path)


def test_columns_of_roles_are_read_at_the_seats_of_the_role(tmp_path: Path) -> None:
    """A sum over the tenants' seats stands beside a value of the lord, and a mean is over the tenants alone."""
    rules = tmp_path / "mine.toml"
    rules.write_text(
        'extends = "base"\n[measures]\nheld_each = "mean(held)"\nfewest = "least(held)"\n'
        'left = "obtained - sum(held)"\n'
    )
    run = eq.simulate("seigneurial", players=4, games=200, rules=str(rules), skill="family", out=tmp_path / "run").run
    games = (
        run.polars()
        .collect()
        .group_by("game_id")
        .agg(
            held_each=pl.col("held").mean(),
            fewest=pl.col("held").min(),
            left=pl.col("obtained").sum() - pl.col("held").sum(),
        )
    )
    eq.measure("each", pl.col("held").mean())
    games = games.with_columns(each="held_each")
    means = dict(eq.measures(run).select("measure", "mean").iter_rows())
    for name in ("held_each", "fewest", "left", "each"):
        assert means[name] == pytest.approx(games[name].mean()), name


def test_one_definition_counts_where_both_versions_have_a_name(mine: Path) -> None:
    other = mine.with_name("other.toml")
    other.write_text(MINE.replace("150", "120"))
    moved = what_moved([spec(mine)], [spec(other)], 0.95)
    row = moved.filter(pl.col("measure") == "rich").row(0, named=True)
    assert row["before"] == row["after"]


def test_what_is_true_or_false_is_a_share_and_ones_own_come_first() -> None:
    eq.measure("somebody_poor", (pl.col("coins") < 100).any())
    found = eq.measures(spec("base"))
    assert found.row(0, named=True)["measure"] == "somebody_poor"
    assert found["is_share"][0]


def test_the_name_of_a_column_is_refused_when_it_is_measured() -> None:
    eq.measure("coins", pl.col("turn_mean"))
    with pytest.raises(UsageError, match="eq\\.measure: coins: a column"):
        eq.measures(spec("base"))


def test_dividing_by_nothing_names_the_measure(tmp_path: Path) -> None:
    path = tmp_path / "bad.toml"
    path.write_text('extends = "base"\n[measures]\nper = "coins / burials"\n')
    with pytest.raises(UsageError, match="measures: per: divides by 0 in some game"):
        eq.measures(spec(path))


@pytest.mark.parametrize("over", [pl.col("coins"), pl.col("coins") - pl.col("coins")])
def test_dividing_by_nothing_in_python_names_the_measure_too(over: pl.Expr) -> None:
    eq.measure("per", over / (pl.col("coins") - pl.col("coins")))
    with pytest.raises(UsageError, match="eq\\.measure: per: not a finite number in some game"):
        eq.measures(spec("base"))


@pytest.mark.parametrize(
    ("name", "expression"), [("close", pl.col("coins")), ("Big", pl.col("coins")), ("x", pl.lit(3)), ("x", 3)]
)
def test_what_cannot_be_a_measure_in_python(name: str, expression: object) -> None:
    with pytest.raises(UsageError):
        eq.measure(name, expression)
    assert name not in ADDED
