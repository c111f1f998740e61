"""Kuhn poker, which is played for chips: what is known exactly (Kuhn 1950)."""

from __future__ import annotations

import json
import re
import tomllib
from collections.abc import Mapping
from dataclasses import replace
from itertools import permutations, product
from pathlib import Path

import numpy as np
import polars as pl
import pytest
from typer.testing import CliRunner

import equipoise as eq
from equipoise.cli import app
from simcore.errors import KernelFault, UsageError
from simcore.game import Game, load_game
from simcore.judged import judged_by
from simcore.rules.files import load_rules
from simcore.running.batch import run_chunk
from strategies.spec import make_spec

GAMES = 40_000
PAIR = ("honest", "equilibrium")
GAME, RULES = load_game("kuhn"), load_rules(load_game("kuhn"))
FOLDER = Path(__file__).parent / "games/kuhn/configs/strategies"
NAMES = ("jack", "queen", "king")

Chances = Mapping[str, float]
"""The probability of a bet or a call, by place and card; `random` has one half everywhere."""


def chances(name: str) -> Chances:
    """Return what a shipped strategy does."""
    weights: Chances = tomllib.loads((FOLDER / f"{name}.toml").read_text()).get("weights", {})
    places = ("open", "after_check", "answer_first", "answer_second")
    usual = 0.5 if name == "random" else 0.0
    return {f"{place}_{card}": weights.get(f"{place}_{card}", usual) for place in places for card in NAMES}


def first_gains(first: Chances, second: Chances, bet: int = 1) -> float:
    """Return the chips that the first player gains a game, over all deals and all ways to play."""
    total = 0.0
    for one, other in permutations(range(3), 2):
        sign = 1 if one > other else -1
        bets, calls = first[f"open_{NAMES[one]}"], second[f"answer_second_{NAMES[other]}"]
        after, called = second[f"after_check_{NAMES[other]}"], first[f"answer_first_{NAMES[one]}"]
        most = sign * (1 + bet)
        opened = bets * (calls * most + (1 - calls))
        checked = (1 - bets) * (after * (called * most - (1 - called)) + (1 - after) * sign)
        total += (opened + checked) / 6
    return total


def best_gain(other: Chances) -> float:
    """Return the most that anybody gains a game against a strategy, with the seats in turn."""
    places = [f"{place}_{card}" for place in ("open", "answer_first") for card in NAMES]
    replies = [f"{place}_{card}" for place in ("after_check", "answer_second") for card in NAMES]
    as_first = max(first_gains(dict(zip(places, way, strict=True)), other) for way in product((0, 1), repeat=6))
    as_second = max(-first_gains(other, dict(zip(replies, way, strict=True))) for way in product((0, 1), repeat=6))
    return (as_first + as_second) / 2


def test_the_enumeration_gives_what_kuhn_found() -> None:
    assert first_gains(chances("equilibrium"), chances("equilibrium")) == pytest.approx(-1 / 18)
    assert best_gain(chances("equilibrium")) == pytest.approx(0, abs=1e-12)


@pytest.mark.parametrize("seats", [*product(("equilibrium", "honest", "random"), repeat=2)])
def test_chips_are_those_of_the_enumeration(seats: tuple[str, str]) -> None:
    rows = run_chunk(make_spec("kuhn", 2, list(seats), seed=5, design="fixed", games=GAMES), 0, GAMES)
    chips = rows["chips"][::2]
    assert chips.mean() == pytest.approx(first_gains(*map(chances, seats)), abs=4.5 * chips.std() / GAMES**0.5)
    assert np.array_equal(rows["share60"], np.where(rows["chips"] > 0, 60, 0))


def test_the_first_seat_loses_at_equilibrium_and_is_not_called_the_better_one() -> None:
    found = eq.seat_advantage(eq.make_spec("kuhn", seed=3, games=200_000))
    first, second = found.table["payoff"].to_list()
    assert first == pytest.approx(-1 / 18, abs=0.01)
    assert first == pytest.approx(-second)
    assert (found.table["par"].to_list(), found.unit) == ([0, 0], "chips")
    assert "share" not in found.table.columns
    rows = run_chunk(make_spec("kuhn", 2, ["equilibrium"], seed=3, games=200_000), 0, 200_000)
    assert found.table["wins"].to_list() == pytest.approx([*(rows["share60"].reshape(-1, 2).mean(axis=0) / 60)])
    assert found.table["wins"][0] > found.table["wins_low"][0] > 0.5, "it wins more hands, and loses chips"
    assert "par_normalised" not in found.table.columns
    assert found.verdict.code.startswith("payoff_seats_")
    assert found.verdict.values["seat"] == 1
    assert float(found.verdict.values["share"]) < 0
    assert float(found.verdict.values["most"]) == pytest.approx(0.06)


def test_simulate_shows_chips_with_the_digits_that_their_error_deserves() -> None:
    said = CliRunner().invoke(app, ["simulate", "--game", "kuhn", "--games", "2e5", "--seed", "3"])
    assert said.exit_code == 0, said.output
    assert "chips a game" in said.output
    assert "of par" not in said.output
    assert "\N{MINUS SIGN}0.056  \N{MINUS SIGN}0.062 to \N{MINUS SIGN}0.050" in said.output


def test_strategies_that_change_seats_are_judged_by_the_difference_of_their_seats() -> None:
    spec = eq.make_spec("kuhn", strategies=["honest", "random"], seed=2, games=100_000)
    found = eq.seat_advantage(spec)
    exact = (first_gains(chances("honest"), chances("random")) - first_gains(chances("random"), chances("honest"))) / 2
    rows = {(row["strategy"], row["seat"]): row["payoff"] for row in found.by_strategy.iter_rows(named=True)}
    assert (rows["honest", 1] + rows["honest", 2]) / 2 == pytest.approx(exact, abs=0.02)
    assert found.verdict.code.startswith("payoff_seats_mixed_")


def test_a_tournament_names_the_equilibrium_and_not_chance() -> None:
    (found,) = eq.tournament("kuhn", games=60_000, seed=2, progress=False).results
    mix = dict(zip(found.table["strategy"], found.table["mix"], strict=True))
    assert (mix["random"], mix["equilibrium"]) == (0, 1)
    assert found.table["strategy"][-1] == "random"
    gains = {(row["strategy"], row["opponent"]): row["payoff"] for row in found.versus.iter_rows(named=True)}
    for (one, other), gain in gains.items():
        exact = (first_gains(chances(one), chances(other)) - first_gains(chances(other), chances(one))) / 2
        assert gain == pytest.approx(exact, abs=0.02)
    row = found.table.row(by_predicate=pl.col("strategy") == "random", named=True)
    assert row["exploitable"] == pytest.approx(gains["honest", "random"])
    assert "par_normalised" not in found.companies.columns


def test_payoffs_that_are_equal_dominate_nothing() -> None:
    """Honest and equilibrium gain nothing from each other; a difference of 0 has no standard errors either."""
    for seed in range(4):
        (found,) = eq.tournament("kuhn", strategies=PAIR, games=20_000, seed=seed, progress=False).results
        assert not [verdict for verdict in found.verdicts if verdict.code.startswith("tournament_dominated")]


def test_tuning_finds_the_exact_gain_against_honest(tmp_path: Path) -> None:
    assert best_gain(chances("honest")) == pytest.approx(1 / 6)
    command = ["tune", "--game", "kuhn", "--against", "honest", "--start-from", "honest", "--budget", "40", "--json"]
    said = CliRunner().invoke(app, [*command, "--out", str(tmp_path / "best.toml")])
    assert said.exit_code == 0, said.output
    score, *_ = json.loads(said.stdout)["scores"]
    assert score["low"] < 1 / 6 < score["high"] + 0.005
    assert score["payoff"] == pytest.approx(1 / 6, abs=0.01)
    assert (score["unit"], score["par"]) == ("chips", 0)


def test_a_sweep_finds_the_exact_chips_at_every_bet_although_the_limits_differ() -> None:
    found = eq.sweep(settings={"bet": [1, 2, 3]}, game="kuhn", games=40_000, progress=False).results[0]
    assert found.unit == "chips"
    for row in found.rows(2, 0, "seat").filter(pl.col("bet").is_not_null()).iter_rows(named=True):
        exact = first_gains(chances("equilibrium"), chances("equilibrium"), int(row["bet"]))
        assert row["value"] == pytest.approx(exact if row["name"] == "seat-1" else -exact, abs=0.04)
        assert row["difference"] == pytest.approx((exact + 1 / 18) * (1 if row["name"] == "seat-1" else -1), abs=0.03)
        assert (row["par"], row["is_share"]) == (0, False)
    (told,) = found.verdicts
    assert told.code == "sweep_payoff_seat"
    assert found.cells.filter(pl.col("bet") == "1")["changed"][0] == 0


def test_a_comparison_finds_the_exact_chips_although_the_limits_differ(tmp_path: Path) -> None:
    (rules := tmp_path / "higher.toml").write_text('extends = "base"\nname = "higher"\nbet = 2\n')
    found = eq.compare("base", rules, game="kuhn", games=40_000, progress=False).results[0]
    first, second = found.rows(2, found.labels[1], found.who[-1]).iter_rows(named=True)
    before, after = (first_gains(chances("equilibrium"), chances("equilibrium"), bet) for bet in (1, 2))
    assert first["before"] == pytest.approx(before, abs=0.03)
    assert first["after"] == pytest.approx(after, abs=0.04)
    assert first["difference_low"] < after - before < first["difference_high"]
    assert first["difference"] == pytest.approx(-second["difference"])
    mean = found.moved.row(by_predicate=pl.col("measure") == "score", named=True)
    assert (mean["difference"], mean["p"]) == (0, None), "the mean of all scores is 0 in every game"
    apart = found.distances.row(0, named=True)
    assert apart["after"] == pytest.approx(second["after"] - first["after"])
    assert [one.code for one in found.verdicts] == ["compare_payoff_worse_seats", "compare_payoff_moved_seat"]


def test_mend_brings_the_chips_of_the_seats_together() -> None:
    free = ("bet=1..3", "ante=1..3")
    found = eq.mend(game="kuhn", settings={"bet": 3}, free=free, target="seats", habit=True, progress=False).mend
    best = found.table.filter(pl.col("rank") == 1)
    assert (found.unit, best["is_share"].to_list(), best["wanted"].to_list()) == ("chips", [False, False], [0, 0])
    exact = 2 * first_gains(chances("equilibrium"), chances("equilibrium"), 3)
    assert best["before"][0] - best["before"][1] == pytest.approx(exact, abs=0.05)
    first = found.changes.row(0, named=True)
    assert first["target"] == "meets"
    assert first["left"] == pytest.approx(abs(best["value"][0] - best["value"][1]))
    assert found.verdicts[0].code == "mend_meets_payoff_seats"


def test_mend_aims_at_some_chips_of_one_seat() -> None:
    found = eq.mend(game="kuhn", free="bet=1..3", target="seat-1=-0.15", habit=True, progress=False).mend
    row = found.table.row(0, named=True)
    assert row["value"] == pytest.approx(first_gains(chances("equilibrium"), chances("equilibrium"), 2), abs=0.03)
    assert found.verdicts[0].code == "mend_meets_payoff_seat"


def test_check_guards_the_chips_of_every_seat(tmp_path: Path) -> None:
    path = tmp_path / "kuhn.toml"
    made = CliRunner().invoke(app, ["check", str(path), "--update", "--game", "kuhn", "--games", "2e5"])
    assert made.exit_code == 0, made.output
    text = path.read_text()
    assert "win_share" not in text
    seats = tomllib.loads(text)["measured"]["2-players"]["payoff_by_seat"]
    assert seats["seat-1"]["value"] == pytest.approx(-1 / 18, abs=0.02)
    path.write_text(f'{text}\n[limits]\nmax_seat_deviation = "15%"\n')
    assert CliRunner().invoke(app, ["check", str(path)]).exit_code == 0
    said = CliRunner().invoke(app, ["check", str(path), "--set", "bet=3", "--json"])
    assert said.exit_code == 1, said.output
    judged = {one["measure"]: one["verdict"] for one in json.loads(said.stdout)["checks"][0]["findings"]}
    assert judged["payoff_by_seat.seat-1"] == "fail"
    assert "max_seat_deviation.seat-1" in judged


def test_a_report_speaks_of_chips_and_recommends_what_can_be_played(tmp_path: Path) -> None:
    command = ["report", "--game", "kuhn", "--quick", "--format", "md", "--out", str(tmp_path / "kuhn")]
    made = CliRunner().invoke(app, command)
    assert made.exit_code == 0, made.output
    (page,) = (tmp_path / "kuhn").glob("*.md")
    text = page.read_text()
    assert "chips a game" in text
    assert "6% of the stake" in text
    assert re.search(r"\| seat .*\| gain a game .*\| share of wins", text), "both are shown"
    assert "par-normalised" not in text
    assert "Switches in force" not in text
    assert "equipoise sensitivity" not in text
    assert "equipoise skill" not in text
    command[-1] = str(tmp_path / "wide")
    made = CliRunner().invoke(app, [*command, "--games", "1000", "--margin", "12%"])
    assert made.exit_code == 0, made.output
    (page,) = (tmp_path / "wide").glob("*.md")
    assert "12% of the stake" in page.read_text()


def test_a_log_of_runs_speaks_of_chips(tmp_path: Path) -> None:
    for name, seed in (("one", 1), ("other", 2)):
        eq.simulate("kuhn", games=400, seed=seed, out=tmp_path / name)
    said = " ".join(CliRunner().invoke(app, ["log", str(tmp_path)]).output.split())
    assert len(re.findall(r"\d\.\d\d \(\d\.\d\d to \d\.\d\d\) chips a game", said)) == 3 and "points" not in said


def test_skill_refuses_a_game_that_is_played_for_chips() -> None:
    said = CliRunner().invoke(app, ["skill", "--game", "kuhn", "--games", "100", "--quiet"])
    assert isinstance(said.exception, UsageError), said.output
    assert str(said.exception) == "game: skill measures wins, and Kuhn poker is played for chips"


FORBIDDEN = {"fold": ("answer", 1.0), "call": ("answer", 0.0), "bet": ("open after_check", 0.0)}
"""Moves of Kuhn poker, and where a player who may not make them does what instead."""


def test_doing_without_a_move_costs_the_chips_of_the_enumeration() -> None:
    found = eq.restrict("kuhn", forbid=list(FORBIDDEN), games=200_000, seed=4, progress=False).results[0]
    usual = chances("equilibrium")
    for row in found.table.iter_rows(named=True):
        places, chance = FORBIDDEN[row["restriction"]]
        held = usual | {name: chance for name in usual if name.startswith(tuple(places.split()))}
        exact = (first_gains(held, usual) - first_gains(usual, held)) / 2
        assert row["payoff"] == pytest.approx(exact, abs=0.01)
        assert row["cost_low"] - 0.005 < -exact < row["cost_high"] + 0.005
    assert (found.unit, found.par, "share" in found.table.columns) == ("chips", 0, False)
    assert found.verdicts[0].code == "restrict_payoff_dearest"
    assert found.verdicts[0].values["example"] == "fold"


def test_the_lab_refuses_a_game_that_is_not_played_for_wins() -> None:
    said = CliRunner().invoke(app, ["lab", "--game", "kuhn", "--no-open"])
    assert isinstance(said.exception, UsageError)
    assert "is played for chips" in said.exception.message


def test_precision_is_in_points_of_the_stake() -> None:
    said = CliRunner().invoke(
        app, ["simulate", "--game", "kuhn", "--precision", "1pp", "--seed", "3", "--json", "--yes"]
    )
    assert said.exit_code == 0, said.output
    seats = json.loads(said.stdout)["seats"]
    assert 0.008 < (seats[0]["high"] - seats[0]["low"]) / 2 <= 0.01


def test_payoffs_below_zero_do_not_wrap() -> None:
    spec = make_spec("kuhn", 2, ["honest"], seed=5, games=1000)
    rows = run_chunk(spec, 0, 1000)
    assert rows["chips"].min() < 0
    assert np.array_equal(spec.judged.amount(spec.judged.of_rows(rows) / spec.judged.parts), rows["chips"])


def changed(**values: object) -> Game:
    """Return the game with another payoff."""
    assert GAME.payoff is not None
    return replace(GAME, payoff=replace(GAME.payoff, **values))


@pytest.mark.parametrize(
    ("values", "said"),
    [
        ({"par": lambda rules, players: (2.0, -2.0)}, "par: (2, -2) chips for 2 players"),
        ({"par": lambda rules, players: (0.0,)}, "par: (0) chips for 2 players"),
        ({"stake": lambda rules: 0}, "stake: 0 chips; give more than 0 and at most 4"),
        ({"stake": lambda rules: 9}, "stake: 9 chips; give more than 0 and at most 4"),
        ({"limits": lambda rules, players: (1, 1)}, "limits: 1 to 1"),
        ({"limits": lambda rules, players: (-1.5, 1.5)}, "limits: -1.5 to 1.5"),
    ],
)
def test_a_payoff_that_does_not_fit_itself_is_refused(values: dict[str, object], said: str) -> None:
    with pytest.raises(UsageError, match="game 'kuhn': payoff: ") as error:
        judged_by(changed(**values), RULES.values, 2)
    assert said in str(error.value)
    assert "\n" not in str(error.value)


@pytest.mark.parametrize(
    ("values", "said"),
    [
        ({"columns": ("coins",)}, "there is no column 'coins'"),
        ({"columns": ()}, "columns: name the columns"),
        ({"unit": " "}, "unit: say what is gained"),
    ],
)
def test_a_payoff_that_does_not_fit_its_game_is_refused(values: dict[str, object], said: str) -> None:
    with pytest.raises(UsageError, match="game 'kuhn': payoff: ") as error:
        changed(**values)
    assert said in str(error.value)


def test_a_payoff_with_a_divisor_is_refused() -> None:
    columns = tuple(replace(column, divisor=2) for column in GAME.columns)
    with pytest.raises(UsageError, match="a payoff needs whole numbers"):
        replace(GAME, columns=columns)


@pytest.mark.parametrize(
    ("values", "said"),
    [
        ({"limits": lambda rules, players: (-1, 1)}, "a payoff beyond its limits, -1 to 1 chips"),
        ({"of": lambda chips: chips / 4}, "the payoff has decimals"),
        ({"of": np.abs}, "the seats gain other than 0 chips together"),
    ],
)
def test_a_wrong_payoff_names_the_game_the_seed_and_the_index(values: dict[str, object], said: str) -> None:
    spec = replace(make_spec("kuhn", 2, ["honest"], seed=5, games=100), game=changed(**values))
    with pytest.raises(KernelFault, match="kuhn: ") as error:
        run_chunk(spec, 0, 100)
    told = str(error.value)
    assert said in told
    assert "of seed 5; see it with: equipoise replay --game kuhn" in told
    index = int(told.split("in game ")[1].split(" ", maxsplit=1)[0])
    assert f"--seed 5 --index {index}" in told
    chips = run_chunk(make_spec("kuhn", 2, ["honest"], seed=5, games=100), index, 1)["chips"]
    assert ", ".join(f"{value:g}" for value in spec.judged.of_rows(_row(chips)) + spec.judged.least) in told


def _row(chips: np.ndarray) -> np.ndarray:
    rows = np.zeros(2, GAME.row_dtype)
    rows["chips"] = chips
    return rows
