"""Middle-Ages over many games: coins, tiles and tokens are conserved, ranks follow the booklet, chance is fair."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.stats import chi2, f_oneway

from simcore.games.middle_ages.state import DOMAIN_NAMES
from simcore.running.accumulator import Digest
from simcore.running.batch import Spec, run_chunk
from simcore.running.replay import replays
from tests.referee.middle_ages import check
from tests.specs import make_spec

COUNTS = (2, 3, 4, 5)
SWITCHES: tuple[tuple[str, ...], ...] = (
    (),
    ("shortfall=debt",),
    ("final_floor=true",),
    ("starting_coins=[7, 0, 3, 1, 2]",),
    ("plot_token_supply=unlimited", "slot_capacity=one", "event_loss=top"),
    ("effects.barracks_buries=false", "effects.village_restores=false", "effects.rampart_scouts=false"),
    ("tokens.extra_coin=2", "effects.mill_coins=7", "empty_domain_penalty=3", "shortfall=debt"),
    ("events.alliance.hits=leader", "events.good_harvest.coins_share=-50", "events.earthquake.rounds=[8]"),
)


def table(spec: Spec, games: int, first: int = 0) -> Any:
    """Play games; return rows by game and seat."""
    return run_chunk(spec, first, games).reshape(games, spec.players)


def digest(spec: Spec, games: int, first: int = 0) -> str:
    found = Digest()
    found.add(run_chunk(spec, first, games), 0)
    return found.hexdigest()


def check_coins(spec: Spec, rows: Any) -> None:
    """Final coins are what came less what went, and what is robbed is paid."""
    values: Any = spec.rules.values
    start = np.array(values.starting_coins[: spec.players])
    robbed = rows["mill_robbed"] + rows["barracks_robbed"]
    paid = rows["mill_paid"] + rows["barracks_paid"]
    earned = rows["income"].sum(axis=2) + rows["field_coins"] + rows["market_coins"] + rows["event_coins"].sum(axis=2)
    before = start + earned + robbed - paid
    assert np.array_equal(rows["after_round"][:, :, -1], before)
    final = before - rows["penalty"]
    assert np.array_equal(rows["coins"], np.maximum(final, 0) if values.final_floor else final)
    assert np.array_equal(rows["mill_robbed"].sum(axis=1), rows["mill_paid"].sum(axis=1))
    assert np.array_equal(rows["barracks_robbed"].sum(axis=1), rows["barracks_paid"].sum(axis=1))
    by_victim = rows["robbed_from"][:, :, : spec.players]
    assert np.array_equal(by_victim.sum(axis=2), robbed)
    assert np.array_equal(by_victim.sum(axis=1), paid)
    assert (by_victim >= 0).all()
    assert (np.diagonal(by_victim, axis1=1, axis2=2) == 0).all()
    assert np.array_equal(rows["penalty"], values.empty_domain_penalty * (rows["tiles"] == 0).sum(axis=2))
    if values.shortfall == "pay_available":
        assert (rows["after_round"] >= 0).all()
    held = np.maximum(rows["after_round"], 0)
    # Fewest pieces: a holding needs (coins mod 5) coins of value 1.
    assert np.array_equal(rows["peak_ones"][:, 0], (held % 5).sum(axis=1).max(axis=1))
    assert (rows["peak_coins"] == rows["peak_coins"][:, :1]).all()
    assert (rows["peak_coins"][:, 0] >= rows["after_round"].sum(axis=1).max(axis=1)).all()


def check_tiles(spec: Spec, rows: Any) -> None:
    """Sixteen tiles came, and lie in the Fief or the Cemetery; no tile is taken twice."""
    values: Any = spec.rules.values
    assert np.array_equal(rows["tiles"].sum(axis=2), 16 - rows["burials"] + rows["restorations"])
    assert (rows["restorations"] <= rows["burials"]).all()
    copies = np.zeros(256, int)
    for face in values.tiles.faces.values():
        copies[face.number] += face.blue + (face.orange if spec.players >= values.stacks.orange_from_players else 0)
    for game in rows["taken"].reshape(len(rows), -1):
        assert (np.bincount(game, minlength=256) <= copies).all()
    turns = np.sort(rows["turn"], axis=1)
    assert (turns == np.arange(1, spec.players + 1)[:, None]).all()
    assert np.array_equal(rows["turn_sum"], rows["turn"].sum(axis=2))
    # Turn order is that of the columns, and numbers rise along a row.
    order = np.argsort(rows["turn"], axis=1)
    assert (np.diff(np.take_along_axis(rows["column"], order, axis=1), axis=1) > 0).all()
    assert (np.diff(np.take_along_axis(rows["taken"], order, axis=1), axis=1) >= 0).all()
    assert rows["column"].max() <= spec.players
    assert (rows["scouts_honoured"] <= rows["scouts"]).all()


def check_tokens(spec: Spec, rows: Any) -> None:
    """Tokens lie where they may and come out of one supply."""
    values: Any = spec.rules.values
    assert np.array_equal(rows["extra_on"].sum(axis=2), rows["extra_tokens"])
    assert np.array_equal((rows["plot_on"] > 0).sum(axis=2), rows["plot_tokens"])
    assert (rows["extra_tokens"].sum(axis=1) <= values.tokens.extra_coin).all()
    for number, domain in enumerate(DOMAIN_NAMES):
        counts = getattr(values.domains, domain).counts
        assert not np.isin(rows["plot_on"][:, :, number], [1 + DOMAIN_NAMES.index(name) for name in counts]).any()
        if values.plot_token_supply == "shared":
            laid = (rows["plot_on"] == 1 + number).sum(axis=(1, 2))
            assert (laid <= getattr(values.tokens.plot, domain)).all()
    if values.slot_capacity == "one":
        assert not ((rows["plot_on"] > 0) & (rows["extra_on"] > 0)).any()


def check_ranks(rows: Any) -> None:
    """Places by coins, then Palaces, Churches and so on leftwards; the win shared equally."""
    keys = np.concatenate([rows["coins"][:, :, None], rows["tiles"][:, :, ::-1]], axis=2)
    for game, row in zip(keys.tolist(), rows, strict=True):
        places = [1 + sum(other > mine for other in game) for mine in game]
        assert row["place"].tolist() == places
        winners = places.count(1)
        assert row["share60"].tolist() == [60 // winners if place == 1 else 0 for place in places]
        steps = [
            max((_step(mine, other) for k, other in enumerate(game) if k != seat and other[0] == mine[0]), default=0)
            for seat, mine in enumerate(game)
        ]
        assert row["tie_break"].tolist() == steps
    assert (rows["events"] == rows["events"][:, :1]).all()
    assert (np.diff(np.sort(rows["events"][:, 0], axis=1), axis=1) > 0).all()


def _step(mine: list[int], other: list[int]) -> int:
    """Which tie-break tells two players on equal coins apart: 1 Palace to 8 Field, 9 none."""
    return next((step for step in range(1, 9) if mine[step] != other[step]), 9)


def check_all(spec: Spec, rows: Any) -> None:
    check_coins(spec, rows)
    check_tiles(spec, rows)
    check_tokens(spec, rows)
    check_ranks(rows)


@pytest.mark.parametrize("players", COUNTS)
@pytest.mark.parametrize("switches", SWITCHES, ids=lambda switches: " ".join(switches) or "base")
def test_nothing_is_lost(players: int, switches: tuple[str, ...]) -> None:
    spec = make_spec(players, ["greedy", *["random"] * (players - 1)], switches, design="rotate", seed=3)
    check_all(spec, table(spec, 600))


RULE = st.one_of(
    st.tuples(st.just("shortfall"), st.sampled_from(["pay_available", "debt"])),
    st.tuples(st.just("final_floor"), st.sampled_from(["true", "false"])),
    st.tuples(st.just("plot_token_supply"), st.sampled_from(["shared", "unlimited"])),
    st.tuples(st.just("slot_capacity"), st.sampled_from(["one", "one_of_each"])),
    st.tuples(st.just("event_loss"), st.sampled_from(["top", "owner_chooses"])),
    st.tuples(st.just("starting_coins"), st.integers(0, 10_000)),
    st.tuples(st.just("empty_domain_penalty"), st.integers(0, 10_000)),
    st.tuples(st.just("tokens.extra_coin"), st.integers(0, 255)),
    st.tuples(st.sampled_from([f"tokens.plot.{name}" for name in DOMAIN_NAMES]), st.integers(0, 255)),
    st.tuples(st.sampled_from([f"domains.{name}.coins_per_tile" for name in DOMAIN_NAMES]), st.integers(0, 1000)),
    st.tuples(
        st.sampled_from([f"effects.{name}" for name in ("coins_per_peasant", "coins_per_chest", "extra_coin")]),
        st.integers(0, 1000),
    ),
    st.tuples(st.sampled_from(["effects.mill_coins", "effects.barracks_coins"]), st.integers(0, 1000)),
    st.tuples(st.just("events.lavish_ceremonies.coins_per_tile.palace"), st.integers(-10_000, 10_000)),
    st.tuples(st.just("events.alliance.coins_per_domain"), st.integers(-10_000, 10_000)),
    st.tuples(st.just("events.alliance.hits"), st.sampled_from(["leader", "last", "first"])),
    st.tuples(st.just("events.earthquake.coins_share"), st.integers(-100, 100)),
)


@settings(max_examples=60)
@given(
    rules=st.lists(RULE, max_size=6),
    players=st.sampled_from(COUNTS),
    strategy=st.sampled_from(["greedy", "random"]),
    design=st.sampled_from(["rotate", "shuffle", "fixed"]),
    seed=st.integers(0, 2**64 - 1),
    first=st.integers(0, 2**32 - 100),
)
def test_nothing_is_lost_whatever_the_rules(
    rules: list[tuple[str, object]], players: int, strategy: str, design: str, seed: int, first: int
) -> None:
    changed = [f"{key}={value}" for key, value in rules]
    spec = make_spec(players, [strategy, *["random"] * (players - 1)], changed, design=design, seed=seed)
    check_all(spec, table(spec, 40, first))


@settings(max_examples=25)
@given(
    rules=st.lists(st.sampled_from([switch for switches in SWITCHES[1:5] for switch in switches]), max_size=5),
    players=st.sampled_from(COUNTS),
    seed=st.integers(0, 2**64 - 1),
    first=st.integers(0, 2**32 - 100),
)
def test_every_step_is_legal(rules: list[str], players: int, seed: int, first: int) -> None:
    spec = make_spec(players, ["greedy", *["random"] * (players - 1)], rules, design="shuffle", seed=seed)
    for game in replays(spec, first, 12):
        assert check([game.header, *game.records]) == []


# --- neutral settings ---


@pytest.mark.parametrize(
    "neutral",
    [
        ["starting_coins=0"],
        ['events.dragon={title="Dragon",copies=0,coins_per_domain=-5}'],
        ["effects.mill_coins=2", "empty_domain_penalty=10"],
        ['domains.village.counts=["rampart","village"]'],
        ['title="Another name"', 'events.alliance.title="League"', "tiles.assumed=false"],
        ["events.alliance.coins_per_chest=0", "events.good_harvest.restores=0"],
        ["events.good_harvest.buries=[]"],
    ],
    ids=lambda neutral: neutral[0],
)
@pytest.mark.parametrize("players", COUNTS)
def test_neutral_settings_change_nothing(players: int, neutral: list[str]) -> None:
    line = ["greedy", *["random"] * (players - 1)]
    assert digest(make_spec(players, line, neutral), 200) == digest(make_spec(players, line), 200)


@pytest.mark.parametrize("players", [2, 3, 4])
def test_coins_of_seats_that_nobody_has_change_nothing(players: int) -> None:
    coins = [0] * players + [9] * (5 - players)
    assert digest(make_spec(players, settings=[f"starting_coins={coins}"]), 200) == digest(make_spec(players), 200)


def test_orange_stack_is_neutral_where_nobody_draws_from_it() -> None:
    """Two players need 48 of the 52 blue tiles."""
    for value in (2, 6):
        assert digest(make_spec(2, settings=[f"stacks.orange_from_players={value}"]), 200) == digest(make_spec(2), 200)


def test_floor_is_neutral_for_those_who_end_above_it() -> None:
    plain, floored = (table(make_spec(5, ["random"], settings), 2000) for settings in ([], ["final_floor=true"]))
    above = (plain["coins"] >= 0).all(axis=1)
    assert 0 < (~above).sum() < 1000
    assert np.array_equal(plain[above], floored[above])
    assert not np.array_equal(plain[~above], floored[~above])


def test_plot_tokens_are_neutral_once_there_are_enough() -> None:
    """At most 5 seats of 8 slots can hold a token of one Domain."""
    many = [f"tokens.plot.{name}=40" for name in DOMAIN_NAMES]
    assert digest(make_spec(5, settings=many), 300) == digest(
        make_spec(5, settings=["plot_token_supply=unlimited"]), 300
    )


@pytest.mark.parametrize(
    "setting",
    [
        "starting_coins=1", "empty_domain_penalty=11", "effects.mill_coins=3", "effects.barracks_coins=1",
        "effects.barracks_buries=false", "effects.village_restores=false", "effects.rampart_scouts=false",
        "effects.extra_coin=2", "effects.coins_per_peasant=2", "effects.coins_per_chest=2", "tokens.extra_coin=1",
        "plot_token_supply=unlimited", "slot_capacity=one", "event_loss=top", "shortfall=debt", "final_floor=true",
        "events.alliance.copies=0", "tiles.faces.mill_plain.peasants=2", "domains.field.coins_per_tile=3",
        'domains.church.counts=["church","palace"]', "tiles.faces.church_plain.number=1",
    ],
)  # fmt: skip
def test_no_value_is_dead(setting: str) -> None:
    """Each value is used: a change of it changes some game of a thousand."""
    assert digest(make_spec(5, settings=[setting]), 1000) != digest(make_spec(5), 1000)


def test_the_orange_stack_is_used_from_its_player_count_on() -> None:
    enough = "tiles.faces.mill_plain.blue=20"  # 69 blue tiles: 4 players can do without the orange ones, and draw 80
    late = make_spec(4, settings=[enough, "stacks.orange_from_players=5"])
    assert digest(late, 100) != digest(make_spec(4, settings=[enough]), 100)


def test_a_change_of_one_strategy_leaves_the_deal_in_place() -> None:
    """Draws are addressed by purpose: the same tiles, Events and stacks whoever plays (DESIGN.md, Randomness)."""
    deals = [
        [record["drawn"] for record in game.records if record["kind"] == "deal" and record["round"] == 0]
        + [game.header["events"]]
        for strategy in ("random", "greedy")
        for game in replays(make_spec(4, [strategy], seed=9), 5, 3)
    ]
    assert deals[:3] == deals[3:]


# --- fairness ---


@pytest.mark.parametrize("players", COUNTS)
def test_seats_are_exchangeable_under_random(players: int) -> None:
    """Uniform players take the first places uniformly over all arrangements, and after that no rule knows a seat's
    number; so all seats have the same distribution of wins, coins and turn positions. (Under any other strategy the
    first to place a Lord has the widest choice, and seats differ.)"""
    games = 24_000
    rows = table(make_spec(players, ["random"], seed=8, games=games), games)
    share = rows["share60"] / 60
    # Shares of a game sum to 1: their covariance matrix is that of exchangeable means, SE² n/(n-1) apart.
    off = share.mean(axis=0) - 1 / players
    spread = share.var(axis=0).mean() / games
    assert chi2.sf((off**2).sum() / spread * (players - 1) / players, players - 1) > 1e-3
    assert f_oneway(*rows["coins"].T).pvalue > 1e-3
    assert f_oneway(*rows["turn"][:, :, 0].T).pvalue > 1e-3
    strong = table(make_spec(players, ["greedy"], seed=8), games)["share60"]
    assert f_oneway(*strong.T).pvalue < 1e-6


@pytest.mark.parametrize("players", COUNTS)
def test_rotation_of_a_line_up_changes_only_the_order_within_a_deal(players: int) -> None:
    """Under "rotate" a line-up and the line-up turned by one seat play the same games."""
    lines = [["greedy", *["random"] * (players - 1)], [*["random"] * (players - 1), "greedy"]]
    played = [table(make_spec(players, line, design="rotate"), 20 * players) for line in lines]
    greedy = [rows["strategy"] == line.index("greedy") for rows, line in zip(played, lines, strict=True)]
    for found in greedy:  # in each deal, greedy sits once in every seat
        assert (found.reshape(20, players, players).sum(axis=1) == 1).all()
    # Bring the games of a deal into the order of greedy's seat.
    orders = [np.argsort(found.argmax(axis=1).reshape(20, players), axis=1) for found in greedy]
    ordered = [
        np.take_along_axis(rows["after_round"].reshape(20, players, -1), order[:, :, None], axis=1)
        for rows, order in zip(played, orders, strict=True)
    ]
    assert np.array_equal(*ordered)


def test_shuffle_seats_every_strategy_as_often() -> None:
    players, games = 4, 24_000
    rows = table(make_spec(players, ["greedy", "random", "random", "random"], design="shuffle"), games)
    counts = np.array([np.bincount(rows["strategy"][:, seat], minlength=players) for seat in range(players)])
    off = counts - games / players
    assert chi2.sf((off**2).sum() / games * (players - 1), (players - 1) ** 2) > 1e-3
    assert (np.sort(rows["strategy"], axis=1) == np.arange(players)).all()


def test_strategies_named_otherwise_play_the_same() -> None:
    spec = make_spec(3, ["random"])
    assert digest(replace(spec, strategies=("a", "b", "c")), 100) == digest(spec, 100)


def test_events_are_drawn_uniformly() -> None:
    games = 30_000
    events = table(make_spec(2, seed=4), games)["events"][:, 0]
    counts = np.bincount(events.ravel(), minlength=15)
    # Each of 15 is among 4 with chance 4/15; counts are negatively correlated, -1/14.
    spread = games * 4 / 15 * 11 / 15 * 15 / 14
    assert chi2.sf(((counts - games * 4 / 15) ** 2).sum() / spread, 14) > 1e-3
    for slot in range(4):
        assert chi2.sf(((np.bincount(events[:, slot], minlength=15) - 2000) ** 2 / 2000).sum(), 14) > 1e-3
