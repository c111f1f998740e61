"""What is held, where the score comes from, how games unfold and end, what the box lacks: known answers."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import polars as pl
import pytest

from analysis.api import (
    closeness,
    components,
    drama,
    economy,
    holdings,
    load_meaning,
    pick_rates,
    pick_values,
    token_values,
)  # fmt: skip
from analysis.data.declarations import Meaning, declared
from analysis.games.middle_ages.declarations import BANK
from simcore.batch import Spec, run_chunk
from simcore.errors import UsageError
from simcore.homes import Home
from simcore.replay import replays
from tests.analysis.made import Made, finals
from tests.specs import make_spec


@pytest.fixture(scope="module")
def spec() -> Spec:
    return make_spec(3, ["greedy", "random", "random"], design="rotate", seed=21, games=900)


@pytest.fixture(scope="module")
def rows(spec: Spec) -> np.ndarray:
    return run_chunk(spec, 0, 900).reshape(900, 3)


# --- holdings ---


def test_win_share_by_number_held(spec: Spec, rows: np.ndarray) -> None:
    found = holdings(spec)
    for domain, name in ((1, "mill"), (7, "palace")):
        for row in found.table.filter(pl.col("kind") == name).iter_rows(named=True):
            here = rows["tiles"][:, :, domain] == row["held"]
            assert row["times"] == here.sum()
            assert row["par_normalised"] == pytest.approx(rows["share60"][here].mean() / 60 * 3)
    assert found.table.group_by("kind").agg(pl.col("times").sum())["times"].to_list() == [2700] * 8


def test_the_cost_of_an_empty_domain(spec: Spec, rows: np.ndarray) -> None:
    found = holdings(spec)
    lead = rows["coins"] - rows["coins"].mean(axis=1, keepdims=True)
    empty = rows["tiles"][:, :, 5] == 0
    row = found.empty.filter(pl.col("kind") == "barracks").row(0, named=True)
    assert row["times"] == empty.sum()
    assert row["rate"] == pytest.approx(empty.mean())
    assert row["cost"] == pytest.approx(lead[~empty].mean() - lead[empty].mean())
    assert found.by_empty["penalty"].to_list() == pytest.approx([10 * n for n in found.by_empty["empty"]])


def test_when_the_penalty_decides() -> None:
    """20-15 after a penalty of 10 for the second: 20 against 25 before, so the penalty decides; 30-15 it does not."""
    tiles = {f"tiles_{name}": [[1, 1], [1, 1]] for name in load_meaning("middle-ages").holdings.columns}  # type: ignore[union-attr]
    tiles["tiles_mill"] = [[1, 0], [1, 0]]
    made = Made(finals([[20, 15], [30, 15]]) | tiles | {"penalty": [[0, 10], [0, 10]]})
    found = holdings(made)
    assert found.penalty_decides == (0.5, None, None)


def test_tokens(spec: Spec, rows: np.ndarray) -> None:
    found = token_values(spec)
    lead = rows["coins"] - rows["coins"].mean(axis=1, keepdims=True)
    here, none = rows["extra_on"][:, :, 2] == 1, rows["extra_on"][:, :, 2] == 0
    coin = found.table.filter(pl.col("token") == "extra-coin token")
    row = coin.filter(pl.col("place") == "village").row(0, named=True)
    assert row["times"] == here.sum()
    assert row["value"] == pytest.approx(lead[here].mean() - lead[none].mean())
    plots = found.table.filter(pl.col("token") == "plot token")
    assert plots["times"].sum() == (rows["plot_on"] > 0).sum()
    few = found.table.filter(pl.col("times") < 30)
    assert few["value_low"].null_count() == len(few)


# --- economy ---


@pytest.mark.parametrize("settings", [[], ["starting_coins=[3,2,1]", "shortfall=debt"]])
def test_sources_add_up_to_the_score(settings: list[str]) -> None:
    spec = make_spec(3, ["greedy", "random", "random"], settings, design="rotate", games=300)
    found = economy(spec)
    assert found.table.filter(pl.col("source") == "other").is_empty()
    rows = run_chunk(spec, 0, 300).reshape(300, 3)
    start = 2 if settings else 0
    everyone = found.table.filter(pl.col("by") == "all")
    assert everyone["mean"].sum() == pytest.approx(rows["coins"].mean() - start)
    assert everyone["share"].sum() == pytest.approx(1)
    greedy = found.table.filter(pl.col("of") == "greedy")
    assert greedy["mean"].sum() == pytest.approx(rows["coins"][rows["strategy"] == 0].mean() - start)
    assert found.groups["share"].sum() == pytest.approx(1)


def test_a_floor_is_told_apart() -> None:
    settings = ["final_floor=true", "empty_domain_penalty=60"]
    found = economy(make_spec(2, ["random"], settings, games=200))
    assert found.table.filter((pl.col("source") == "other") & (pl.col("by") == "all"))["mean"][0] > 0
    assert "do not add up" in " ".join(found.notes)


def test_flows_are_what_the_rows_say(spec: Spec, rows: np.ndarray) -> None:
    found = economy(spec)
    for row in found.flows.iter_rows(named=True):
        taken = rows["robbed_from"][:, row["seat"] - 1, row["victim"] - 1]
        assert row["mean"] == pytest.approx(taken.mean())
    assert found.flows.height == 6
    robbed = (rows["mill_robbed"] + rows["barracks_robbed"]).sum()
    assert (found.flows["mean"] * 900).sum() == pytest.approx(robbed)
    assert (found.flows_by_strategy["mean"] * found.flows_by_strategy["times"]).sum() == pytest.approx(robbed)


# --- how games unfold and end ---


def unfolding(rounds: list[list[int]], final: list[int]) -> dict[str, object]:
    """Return the columns of one game of two."""
    return finals([final]) | {f"coins_r{number + 1}": [line] for number, line in enumerate(rounds)}


def test_a_comeback_and_a_runaway() -> None:
    back = unfolding([[1, 0]] * 15 + [[5, 9]], [5, 9])  # seat 1 leads until the last round, seat 2 wins
    away = unfolding([[1, 1]] * 7 + [[2, 1]] * 9, [2, 1])  # seat 1 leads alone from round 8 on
    both = {name: np.vstack([back[name], away[name]]) for name in back}
    row = drama(Made(both)).table.row(0, named=True)
    assert (row["comeback"], row["runaway"], row["wire_to_wire"], row["last_round"]) == (0.5, 0.5, 0.0, 0.5)
    assert row["lead_changes"] == 0.5
    rounds = drama(Made(both)).rounds
    assert rounds["leader_wins"].to_list() == pytest.approx([0.25] * 7 + [0.5] * 8 + [1.0])
    assert rounds["passed"].to_list() == [0.0] * 15 + [0.5]
    assert rounds["gap"][15] == pytest.approx((4 + 1) / 2)


def test_margins_and_ties() -> None:
    """Tie-breaks by code: 0 none, 1 palace, .., 9 shared."""
    made = finals([[100, 96], [50, 50], [10, 0], [7, 7]])
    made["share60"][1] = 60, 0  # level on coins, told apart by Palaces
    found = closeness(Made(made | {"tie_break": [[0, 0], [1, 1], [0, 0], [9, 9]]}))
    row = found.table.row(0, named=True)
    assert (row["margin"], row["close"], row["level"], row["shared"]) == (3.5, 0.75, 0.5, 0.25)
    decided = {line["decided_by"]: line["part"] for line in found.tie_breaks.iter_rows(named=True)}
    assert decided["palace"] == decided["shared"] == 0.5
    assert found.margins["margin"].to_list() == [0, 4, 10]
    assert found.margins["games"].to_list() == [2, 1, 1]


def test_tie_breaks_decide_all_level_games() -> None:
    found = closeness(make_spec(5, ["random"], games=5_000))
    assert found.tie_breaks["part"].sum() == pytest.approx(1)
    assert found.tie_breaks["games"].sum() == found.margins.filter(pl.col("margin") == 0)["games"][0]


# --- components ---


def test_enough_is_not_said_of_few_games() -> None:
    """No shortage in n games leaves up to 3.7 / n of all games open (Clopper and Pearson, two-sided 95 %)."""
    codes = {games: {item.code for item in components(make_spec(2, games=games)).verdicts} for games in (100, 400)}
    assert "components_unclear_bank" in codes[100]
    assert "components_enough_bank" in codes[400]


def test_components_against_the_box(spec: Spec, rows: np.ndarray) -> None:
    assert BANK == 1390
    found = components(spec)
    told = {row["component"]: row for row in found.table.iter_rows(named=True)}
    assert told["bank"]["most"] == rows["peak_coins"].max()
    assert told["bank"]["mean"] == pytest.approx(rows["peak_coins"][:, 0].mean())
    laid = rows["extra_tokens"].sum(axis=1)
    assert told["extra_tokens"]["limit"] == 8
    assert told["extra_tokens"]["all_used"] == pytest.approx((laid == 8).mean())
    assert told["plot_tokens"]["median"] == np.quantile(rows["plot_tokens"].sum(axis=1), 0.5, method="inverted_cdf")
    scout = found.reservations.row(0, named=True)
    assert scout["used"] == pytest.approx(rows["scouts"].mean())
    assert scout["honoured"] == pytest.approx(rows["scouts_honoured"].sum() / rows["scouts"].sum())


def test_a_bank_too_small_and_tokens_without_end() -> None:
    rich = make_spec(2, ["random"], ["starting_coins=700", "plot_token_supply=unlimited"], games=100)
    found = components(rich)
    told = {row["component"]: row for row in found.table.iter_rows(named=True)}
    assert told["bank"]["over"] > 0.5
    assert told["plot_tokens"]["limit"] is None
    assert told["plot_tokens"]["over"] is None
    assert "components_short_bank" in [verdict.code for verdict in found.verdicts]


def test_never_seen_is_not_never() -> None:
    """No game of 900 (300 deals) lacked coins: the upper end is the rule of three's, 3.69 / 300 at 97.5 %."""
    spec = make_spec(3, ["greedy", "random", "random"], design="rotate", seed=21, games=900)
    row = components(spec).table.filter(pl.col("component") == "bank").row(0, named=True)
    assert (row["over"], row["over_low"]) == (0, 0)
    assert row["over_high"] == pytest.approx(1 - 0.025 ** (1 / 300))


# --- picks ---


def test_values_of_picks(spec: Spec, rows: np.ndarray) -> None:
    found = pick_values(spec)
    lead = rows["coins"] - rows["coins"].mean(axis=1, keepdims=True)
    here = (rows["taken"][:, :, 4] == 5) | (rows["taken"][:, :, 4] == 4) | (rows["taken"][:, :, 4] == 6)  # Mills
    here &= rows["column"][:, :, 4] == 1
    row = found.table.filter((pl.col("kind") == "mill") & (pl.col("round") == 5) & (pl.col("position") == 2))
    gain = rows["after_round"][:, :, 4] - rows["after_round"][:, :, 3]
    assert row["times"][0] == here.sum()
    assert row["gain"][0] == pytest.approx(gain[here].mean())
    assert row["lead"][0] == pytest.approx(lead[here].mean())
    assert found.table["times"].sum() == 900 * 3 * 16
    number = found.by_number.filter(pl.col("number") == 23).row(0, named=True)
    assert number["kind"] == "palace"
    assert number["turn"] == pytest.approx(rows["turn"][rows["taken"] == 23].mean())


def test_values_beside_the_average_sum_to_zero_in_each_round(spec: Spec) -> None:
    found = pick_values(spec)
    sums = found.adjusted.group_by("round").agg(pl.col("value").sum())["value"]
    assert sums.abs().max() < 1e-6  # type: ignore[operator]
    assert pick_values(spec).adjusted.equals(found.adjusted)


def test_rates_of_picks_are_those_of_replays(spec: Spec) -> None:
    found = pick_rates(spec, 30)
    discarded = [0] * 24
    tiles: dict[int, dict[str, object]] = {}
    for replay in replays(spec, 0, 30):
        tiles = {tile["id"]: tile for tile in replay.header["tiles"]}
        for record in replay.records:
            if record["kind"] == "discard":
                discarded[int(str(tiles[record["tile"]]["number"]))] += 1
    left = {row["number"]: row["offered"] - row["taken"] for row in found.by_number.iter_rows(named=True)}
    assert all(left[number] == discarded[number] for number in left)
    whole = found.table.filter((pl.col("kind") == "all") & (pl.col("round") == 0) & (pl.col("position") == 0))
    assert (whole["offered"][0], whole["taken"][0]) == (30 * 16 * 4, 30 * 16 * 3)


def test_numbers_that_stand_for_two_domains_are_told() -> None:
    with pytest.raises(UsageError, match="number 1 stands for two Domains"):
        pick_values(make_spec(2, settings=["tiles.faces.mill_plain.number=1"], games=40))


# --- games ---


def test_a_game_without_declarations_gets_the_general_analyses_only(monkeypatch: pytest.MonkeyPatch) -> None:
    chess = Home("chess", "chess.strategies", "analysis.games.chess", Path("chess/configs"))
    monkeypatch.setattr("analysis.data.declarations.home", {"chess": chess}.__getitem__)
    assert load_meaning("chess") == Meaning()
    with pytest.raises(UsageError, match="Chess declares no picks; this analysis does not apply to it"):
        declared(Meaning().picks, "picks", "Chess")


def test_every_declared_column_exists(spec: Spec) -> None:
    meaning = load_meaning("middle-ages")
    known = {column.name for column in spec.game.columns}
    assert meaning.cards and meaning.holdings and meaning.picks and meaning.economy
    named = [meaning.turn, meaning.tie_break, *meaning.trajectory, *meaning.cards.columns, *meaning.economy.flows]
    named += [*meaning.holdings.columns.values(), meaning.holdings.penalty]
    named += [column for tokens in meaning.holdings.tokens for column in tokens.columns.values()]
    named += [*meaning.picks.number, *meaning.picks.position, *meaning.picks.turn, *meaning.picks.score]
    named += [source.column for source in meaning.economy.sources] + [part.column for part in meaning.components]
    assert {str(name) for name in named} <= known
    titles = {**meaning.cards.titles(spec.rules.values), **meaning.holdings.titles(spec.rules.values)}
    assert titles["alliance"] == {"en": "Alliance", "fr": "Alliance"}
    assert titles["church"] == {"en": "Church", "fr": "Église"}
