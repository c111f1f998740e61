"""Cards of chance: counterfactual, pairs."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import polars as pl
import pytest

import equipoise as eq
from analysis.api import counterfactual
from analysis.cards.counterfactual import DealPlayer, card_notes, card_verdicts, of_rates, superlative
from analysis.course.standings import lead_passes
from analysis.data.results import Verdict
from analysis.data.source import Block
from analysis.stats.margin import FAIR, Margin
from reports.words import ENGLISH
from simcore.errors import UsageError
from simcore.running.batch import Spec, run_chunk
from tests.specs import make_spec

DEALS = 150
LINE = ["greedy", "random", "random"]


def games(spec: Spec, count: int) -> np.ndarray:
    return run_chunk(spec, 0, count).reshape(count, spec.players)


def test_effects_are_differences_of_two_runs_that_differ_in_one_card() -> None:
    """The same comparison by another road: a rule file without the card's coins, all games played and compared."""
    spec = make_spec(3, LINE, design="rotate", seed=5)
    silent = ["events.alliance.coins_per_tile.church=0", "events.alliance.coins_per_tile.palace=0"]
    plain, blank = (
        games(make_spec(3, LINE, settings, design="rotate", seed=5), 3 * DEALS) for settings in ([], silent)
    )
    held = (plain["events"][:, 0] == list(spec.rules.values.events).index("alliance")).any(axis=1)
    coins = (plain["coins"] - blank["coins"])[held].astype(float)
    by_deal = coins.mean(axis=1).reshape(-1, 3).mean(axis=1)
    changed = (plain["share60"] != blank["share60"])[held].any(axis=1)
    found = counterfactual(spec, ["alliance"], DEALS)
    row = found.effects().row(0, named=True)
    assert row["deals"] == len(by_deal) == held.sum() / 3
    assert row["effect"] == pytest.approx(by_deal.mean())
    assert row["effect_se"] == pytest.approx(by_deal.std(ddof=1) / np.sqrt(len(by_deal)))
    assert found.changed.row(0, named=True)["winner_changed"] == pytest.approx(changed.mean())
    share = found.table.filter((pl.col("measure") == "share") & (pl.col("slot") == "all"))
    seats = (plain["share60"] - blank["share60"])[held].mean(axis=0) / 60
    assert share.filter(pl.col("by") == "seat")["effect"].to_list() == pytest.approx(seats.tolist())
    greedy = plain["strategy"][held] == 0
    gain = ((plain["share60"] - blank["share60"])[held] * greedy).sum(axis=1).mean() / 60
    strategies = share.filter(pl.col("group") == "greedy")
    assert strategies["effect"].to_list() == pytest.approx([gain])
    assert found.games_played == 3 * DEALS + held.sum()


def test_slots_add_up_to_all() -> None:
    found = counterfactual(make_spec(2, ["greedy"]), ["earthquake", "alliance"], 300)
    score = found.table.filter((pl.col("measure") == "score") & (pl.col("by") == ""))
    for card in ("earthquake", "alliance"):
        rows = score.filter(pl.col("card") == card)
        whole = rows.filter(pl.col("slot") == "all").row(0, named=True)
        parts = rows.filter(pl.col("slot") != "all")
        assert parts["deals"].sum() == whole["deals"]
        assert (parts["deals"] * parts["effect"]).sum() == pytest.approx(whole["deals"] * whole["effect"])


def test_a_card_whose_coins_are_certain_has_a_known_effect() -> None:
    """Coins of an Event move nothing that `greedy` looks at: the effect is what the table says the card paid."""
    spec = make_spec(2, ["greedy"], seed=9)
    played = games(spec, 400)
    code = list(spec.rules.values.events).index("extended_lordship")
    paid = (played["event_coins"] * (played["events"] == code)).sum(axis=2)
    held = (played["events"][:, 0] == code).any(axis=1)
    row = counterfactual(spec, ["extended_lordship"], 400).effects().row(0, named=True)
    assert row["effect"] == pytest.approx(paid[held].mean())


def test_a_dead_card_is_called_dead() -> None:
    settings = ["events.restoration.restores=0"]
    found = counterfactual(make_spec(2, ["greedy"], settings), ["restoration"], 200)
    row = found.effects().row(0, named=True)
    assert (row["effect"], row["effect_low"], row["p"]) == (0, None, 1)
    assert "restoration" in {note.values["card"] for note in found.notes if note.code == "dead_card"}
    assert found.changed["winner_changed_high"][0] > 0  # never is not said of what was not seen


def test_interactions_are_of_two_cards_in_one_deal() -> None:
    """Two cards that pay for what no card moves: what both do is the sum of what each does."""
    found = counterfactual(make_spec(2, ["greedy"]), ["skilled_trades", "precious_goods"], 500, pairs=500)
    row = found.pairs.filter(pl.col("measure") == "score").row(0, named=True)
    assert (row["first"], row["second"]) == ("skilled_trades", "precious_goods")
    assert (row["interaction"], row["interaction_se"]) == (0, 0)
    aid = counterfactual(make_spec(2, ["greedy"]), ["barbarian_invasion", "reconstruction_aid"], 1500, pairs=1500)
    row = aid.pairs.filter(pl.col("measure") == "score").row(0, named=True)
    assert row["interaction_low"] > 0  # the invasion buries tiles, for which the aid pays, if it comes later


def test_few_deals_give_the_same_columns() -> None:
    """A report of four deals has none left for pairs of cards."""
    cards = ["alliance", "earthquake"]
    few, many = (counterfactual(make_spec(2, ["greedy"]), cards, 4, pairs=pairs).pairs for pairs in (0, 4))
    assert (few.height, few.columns) == (0, many.columns)
    assert many.height


def test_threads_change_nothing() -> None:
    spec = make_spec(4, ["greedy"])
    one, two = (counterfactual(spec, ["alliance"], 2500, threads=threads) for threads in (1, 2))
    assert one.table.equals(two.table)


def test_progress_is_told() -> None:
    seen: list[int] = []
    counterfactual(make_spec(2), ["alliance"], 2000, tick=seen.append)
    assert seen == sorted(seen)
    assert seen[-1] == 2000


def test_a_few_deals_of_slow_players_keep_all_threads_busy() -> None:
    seen: list[int] = []
    counterfactual(make_spec(2), ["alliance"], 160, tick=seen.append)
    assert seen == list(range(10, 170, 10))


def test_recorded_games_of_slow_players_are_not_played_again(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The effects are the same to the last bit, and as many games fewer are played as there are deals."""
    deals, played = 4, list[int]()
    plain = DealPlayer.play

    def counted(self: DealPlayer, first: int, held: np.ndarray, *more: Any) -> Block:
        played.append(int(held.sum()))
        return plain(self, first, held, *more)

    monkeypatch.setattr(DealPlayer, "play", counted)
    run = eq.simulate(players=2, strategies="rollout", games=6, detail="full", out=tmp_path / "run")
    again = counterfactual(run.spec, deals=deals)
    all_games = sum(played)
    played.clear()
    recorded = counterfactual(tmp_path / "run", deals=deals)
    assert recorded.table.equals(again.table)
    assert sum(played) == all_games - deals > 0


@pytest.mark.parametrize("deals", [0, -1, 2**32])
def test_deals_out_of_range_are_told(deals: int) -> None:
    with pytest.raises(UsageError, match=r"deals: .* out of range"):
        counterfactual(make_spec(2), deals=deals)


def test_unknown_cards_are_told() -> None:
    with pytest.raises(UsageError, match="no Event 'aliance' in the deck; did you mean 'alliance'"):
        counterfactual(make_spec(2), ["aliance"])
    with pytest.raises(UsageError, match="no Event 'alliance' in the deck"):
        counterfactual(make_spec(2, settings=["events.alliance.copies=0"]), ["alliance"])


def test_the_lead_passes() -> None:
    rounds = [[1, 0], [1, 1], [1, 2], [3, 2], [3, 2]]  # seat 1, level, seat 2, seat 1, seat 1
    assert lead_passes(np.array([rounds])).tolist() == [[False, False, True, True, False]]
    assert not lead_passes(np.array([[[0, 0], [1, 1]]])).any()  # nobody ever led alone


# --- what is said of it ---


def shares(effect: float, se: float, deals: int = 10_000, moved: int = 5_000, p: float = 1.0) -> pl.DataFrame:
    """One card's effects on the score and on the wins of two seats."""
    low, high = (effect - 1.96 * se, effect + 1.96 * se) if moved >= 30 else (None, None)
    row = {"card": "alliance", "slot": "all", "deals": deals, "moved": moved, "p_holm": p}
    own = {"effect": effect, "effect_se": se, "effect_low": low, "effect_high": high}
    score = {
        "measure": "score",
        "by": "",
        "group": "",
        "effect": 1.0,
        "effect_se": 0.1,
        "effect_low": 0.8,
        "effect_high": 1.2,
    }
    seats = [row | own | {"measure": "share", "by": "seat", "group": seat} for seat in ("1", "2")]
    return pl.DataFrame([row | score, *seats])


CHANGED = pl.DataFrame(
    {"card": "alliance", "slot": "all", "deals": 10_000, "winner_changed": 0.1, "winner_changed_se": 0.003}
)

PARS = {("seat", "1"): 1 / 4, ("seat", "2"): 1 / 4}


@pytest.mark.parametrize(
    ("frame", "code"),
    [
        (shares(0.005, 0.002), "cards_level_seat"),  # 0.1 to 0.9 points: inside 2 points
        (shares(0.005, 0.010), "cards_unclear_seat"),  # -1.5 to 2.5 points: too few deals
        (shares(0.040, 0.002, p=1e-9), "cards_tilt_seat"),  # 3.6 to 4.4 points: outside
        (shares(0.010, 0.001, p=1e-9), "cards_level_seat"),  # surely there, and surely small
        (shares(0.024, 0.002, p=1e-9), "cards_unclear_seat"),  # beyond, but not surely
        (shares(0.0205, 0.001, p=1e-9), "cards_near_seat"),  # on the threshold
        (shares(0.0, 0.0, deals=20_000, moved=0), "cards_level_seat"),  # never moved in many deals
        (shares(0.0, 0.0, deals=40, moved=0), "cards_unclear_seat"),  # never moved, but in how few
    ],
)
def test_whom_cards_favour_is_said_where_it_is_known(frame: pl.DataFrame, code: str) -> None:
    found = card_verdicts(frame, CHANGED, 40_000, 0.95, Margin(0.02, of_par=False), PARS)
    verdict = next(item for item in found if item.code.endswith("seat"))
    assert verdict.code == code
    assert (
        verdict.status
        == {"level": "fair", "unclear": "unclear", "near": "unclear", "tilt": "tilted"}[code.split("_")[1]]
    )
    assert ENGLISH.verdict(verdict)


def test_unclear_says_how_many_deals_would_tell() -> None:
    """The limit is 2 points from no effect, the interval reaches 1.96, and two effects are judged (z of .95)."""
    found = card_verdicts(shares(0.005, 0.010), CHANGED, 40_000, 0.95, Margin(0.02, of_par=False), PARS)
    verdict = next(item for item in found if item.status == "unclear")
    assert verdict.values["needed"] == pytest.approx(40_000 * ((1.96 + 1.645) / 2) ** 2, rel=0.05)
    assert verdict.values["played"] == 40_000
    assert verdict.values["margin"] == pytest.approx(0.02)


def test_the_margin_of_a_card_is_a_part_of_par() -> None:
    """4 points are surely more than 12 % of a par of 1/6, and surely less than 12 % of one half."""
    for par, code in ((1 / 6, "cards_tilt_seat"), (1 / 2, "cards_level_seat")):
        pars = {("seat", "1"): par, ("seat", "2"): par}
        found = card_verdicts(shares(0.040, 0.002, p=1e-9), CHANGED, 40_000, 0.95, FAIR, pars)
        assert code in {verdict.code for verdict in found}


def test_cards_in_too_few_deals_are_named_and_not_counted() -> None:
    """Of two cards, one is in 10,000 deals, and the other in 29, where it did nothing."""
    table = pl.concat(
        [
            shares(0.005, 0.002).with_columns(pl.col("deals").cast(pl.Int64)),
            shares(0.0, 0.0, deals=29, moved=0).with_columns(pl.lit("restoration").alias("card")),
        ],
        how="vertical_relaxed",
    )
    (note,) = card_notes(table)
    assert (note.code, note.values["names"]) == ("cards_unjudged", ("restoration",))
    found = card_verdicts(table, CHANGED, 40_000, 0.95, Margin(0.02, of_par=False), PARS)
    said = " ".join(ENGLISH.verdict(verdict) for verdict in found)
    assert "; 1 card, 10,000 deals)" in said and "None of the 1 card judged moves the wins" in said


def winners(rates: list[float], deals: int = 10_000) -> pl.DataFrame:
    """How often some cards change the winner."""
    value = np.array(rates)
    frame = {"card": [f"card_{at}" for at in range(len(rates))], "slot": "all", "deals": deals}
    return pl.DataFrame(frame | {"winner_changed": value, "winner_changed_se": np.sqrt(value * (1 - value) / deals)})


def test_what_cannot_be_distinguished_is_said_together() -> None:
    def said(rates: list[float]) -> Verdict:
        return superlative("cards_winner", winners(rates), "winner_changed", 0.95, of_rates)

    assert said([0.20, 0.31, 0.25]).code == "cards_winner"
    level = said([0.280, 0.272, 0.20])
    assert (level.code, level.values["cards"]) == ("cards_winner_level", ("card_0", "card_1"))
    assert "decides the largest number of games is not certain: card_0 and card_1. Replacing card_0" in ENGLISH.verdict(
        level
    )
    assert said([0.28] * 6).code == "cards_winner_many"
    assert said([0.0] * 6).code == "cards_winner_none"
    assert "None of the 6 cards changed the winner of a game" in ENGLISH.verdict(said([0.0] * 6))


def test_the_card_that_is_said_to_be_the_largest_is_it() -> None:
    """Rates of .280, .272, .254 and 12 of .2, as measured of Middle-Ages' Events: 2,000 deals a card, 200 runs."""
    truth, deals = np.array([0.280, 0.272, 0.254, *[0.2] * 12]), 2_000
    rng = np.random.default_rng(3)
    alone = right = held = there = 0
    for _ in range(200):
        verdict = superlative(
            "cards_winner", winners(list(rng.binomial(deals, truth) / deals), deals), "winner_changed", 0.95, of_rates
        )
        there += "card_0" in verdict.values["cards"]
        alone += verdict.code == "cards_winner"
        right += verdict.code == "cards_winner" and verdict.values["card"] == "card_0"
        at = int(verdict.values["card"].removeprefix("card_"))
        held += verdict.values["low"] <= truth[at] <= verdict.values["high"]
    assert there >= 0.95 * 200
    assert alone - right <= 0.05 * 200
    assert held >= 0.95 * 200


def test_few_deals_are_never_fair() -> None:
    found = counterfactual(make_spec(4, ["greedy"]), deals=400)
    assert {verdict.status for verdict in found.verdicts} == {"fact", "unclear"}
