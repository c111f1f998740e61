"""Fief 2: the steward by hand, as the rulings fix him, and the styles of the other strategies."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from simcore.game import load_game
from simcore.games.fief_2.state import (
    ACCEPT,
    ATTACK,
    BOUGHT,
    BUY_CARDINAL,
    BUY_SOLDIERS,
    BUYS,
    CONSECRATE,
    DISCARD,
    MOVE_LORD,
    NUMBER,
    PLACE,
    PLAY,
    PROPOSE,
    SPOUSE,
    STEP,
    TAKE,
    VOTE,
)
from simcore.kernel.decisions import NONE
from simcore.kernel.lineup import WEIGHTS
from simcore.running.batch import run_chunk
from strategies.fief_2.features import INDEX
from strategies.fief_2.linear import rival_of, worth_of
from strategies.fief_2.steward import steward
from strategies.library import load_strategy
from strategies.spec import lineup
from tests.simcore.games.fief_by_hand import ByHand
from tests.specs import make_spec

GAMES = 300


def advice(table: ByHand, seat: int, kind: np.int64, *moves: int) -> int:
    """Return what the steward chooses among some moves."""
    table.state.decision = kind
    table.state.legal = NONE + np.uint64(sum(1 << int(move) for move in moves))
    return int(steward(table.rules, table.lineup, table.state, np.int64(seat - 1)))


@pytest.mark.plain
def test_what_the_steward_buys_first() -> None:
    """Title, first cardinal, castle that a title needs, then nothing while a whole region's title is in the bank."""
    table = ByHand()
    table.lord(0, 1, "sennecy")
    table.hold(1, "l_epervier")
    everything = range(7)
    assert advice(table, 1, BUYS, *everything) == 1
    assert advice(table, 1, BUYS, *everything[2:], 0) == 2
    table.state.cardinals = 1
    assert advice(table, 1, BUYS, *everything[2:], 0) == 4  # a mill: he has a cardinal and no whole region
    table.hold(1, "chateauneuf")
    assert advice(table, 1, BUYS, *everything[2:], 0) == 3
    table.build("sennecy", "castle")
    assert advice(table, 1, BUYS, *everything[2:], 0) == 0  # saves for the title


@pytest.mark.plain
def test_how_many_soldiers_the_steward_buys() -> None:
    """The least of (money - 500) / 100, the gap to four a village, and the legal maximum."""
    table = ByHand()
    table.soldiers(1, "sigy", 1)
    table.build("sigy", "castle")
    for money, most, wanted in ((599, 5, None), (600, 6, 1), (2000, 20, 3), (750, 7, 2), (2000, 2, 2)):
        table.state.money[0] = money
        bought = advice(table, 1, BUYS, 0, 6)
        assert bought == (0 if wanted is None else 6)
        if wanted is not None:
            assert advice(table, 1, NUMBER, *range(1, most + 1)) == wanted


@pytest.mark.plain
def test_where_the_steward_moves() -> None:
    """To the village that is missing in the region with fewest missing, with all soldiers that he can spare."""
    table = ByHand()
    table.lord(0, 1, "sennecy")
    table.soldiers(1, "sennecy", 8)
    table.build("sennecy", "castle")
    table.state.unmoved[table.village("sennecy")] = 8
    assert advice(table, 1, MOVE_LORD, 0, 1) == 1
    table.state.village, table.state.steps = table.village("sennecy"), 0
    assert advice(table, 1, STEP, 0, 1 + table.village("l_epervier"), 1 + table.village("la_salle")) == 1 + 6
    assert advice(table, 1, TAKE, *range(9)) == 5  # three stay in a fort
    table.soldiers(2, "sennecy", 1)
    assert advice(table, 1, MOVE_LORD, 0, 1) == 0  # not with others there


@pytest.mark.plain
def test_whom_the_steward_votes_for_and_what_he_plays() -> None:
    """His own candidate, else the one whose family stands lowest; lord before bishop before the rest."""
    table = ByHand(4)
    for seat, lord, title in ((1, 0, "duchy_tournus"), (2, 1, "barony_sennecy"), (3, 2, "county_blaye")):
        table.lord(lord, seat, "tournus", title)
    table.state.standing = 2
    table.state.candidate[:2] = 0, 1
    assert advice(table, 3, VOTE, 0, 1, 2) == 2
    assert advice(table, 1, VOTE, 0, 1, 2) == 1
    table.lord(3, 1, "tournus")
    table.give(1, table.card("taille"), table.card("bishop"), 5)
    assert advice(table, 1, PLAY, 0, 1, 2, 3) == 3
    assert advice(table, 1, PLAY, 0, 1, 2) == 2
    assert advice(table, 1, PLAY, 0, 1) == 1


def value(table: ByHand, name: str, seat: int, kind: np.int64, move: int) -> int:
    """Return the value of a feature for a move."""
    weights = np.zeros(WEIGHTS, np.int64)
    weights[INDEX[name]] = 1
    own = np.int64(seat - 1)
    table.state.legal = 1 << move
    rival = rival_of(table.rules, table.state, own, weights, kind)
    return int(worth_of(table.rules, table.state, own, rival, weights, kind, np.int64(move)))


@pytest.mark.plain
def test_whom_features_consecrate_and_wed() -> None:
    """The own candidate, the one voted for, the leader's; marriages of the King alone."""
    table = ByHand()
    table.lord(0, 1, "tournus", "duchy_tournus")
    table.lord(1, 2, "sennecy", "barony_sennecy")
    table.lord(12, 2, "sennecy")
    table.lord(2, 3, "sigy")
    names = ("consecrate_own", "consecrate_voted", "consecrate_leader")
    table.state.lord = 0
    table.state.voted[:3] = 0, 1, 0
    for seat, wanted in ((1, (1, 1, 0)), (2, (0, 0, 1)), (3, (0, 1, 1))):
        assert tuple(value(table, name, seat, CONSECRATE, 1) for name in names) == wanted
        assert not any(value(table, name, seat, CONSECRATE, 0) for name in names)
    assert value(table, "wed_king", 1, PROPOSE, 1) == 0  # there is no King
    table.crown(0)
    assert value(table, "wed_king", 1, PROPOSE, 1) == 1 and value(table, "wed_king", 1, PROPOSE, 0) == 0
    table.state.lord, table.state.other = 12, 0
    assert value(table, "wed_king", 2, SPOUSE, 1) == 1 and value(table, "wed_king", 2, SPOUSE, 3) == 0
    assert value(table, "wed_king", 1, ACCEPT, 1) == 1 and value(table, "wed_king", 1, ACCEPT, 0) == 0
    table.state.other = 2
    assert value(table, "wed_king", 3, ACCEPT, 1) == 0


@pytest.mark.plain
def test_what_features_know_of_places_cards_and_purchases() -> None:
    """Roads and distances of the first village; idle cards; a vacant throne; stronger armies."""
    table = ByHand()
    tournus, bourg = 1 + table.village("tournus"), 1 + table.village("bourg")
    assert value(table, "place_roads", 1, PLACE, tournus) == 2
    assert value(table, "place_remote", 1, PLACE, tournus) == 0  # nobody is on the map yet
    table.hold(2, "belleville")
    assert value(table, "place_remote", 1, PLACE, tournus) == 2
    assert value(table, "place_remote", 1, PLACE, bourg) == table.rules.way[bourg - 1, table.village("belleville")]
    table.give(1, table.card("plague"), table.card("sun"))
    assert [value(table, "discard_idle", 1, DISCARD, move) for move in (0, 1, 2)] == [0, 0, 1]
    assert value(table, "buy_cardinal_vacant", 1, BUYS, int(BUY_CARDINAL)) == 1
    assert value(table, "buy_soldiers_weak", 1, BUYS, int(BUY_SOLDIERS)) == 1
    assert value(table, "buy_soldiers_weak", 2, BUYS, int(BUY_SOLDIERS)) == 0
    table.lord(0, 1, "tournus", "duchy_tournus")
    table.crown(0)
    assert value(table, "buy_cardinal_vacant", 1, BUYS, int(BUY_CARDINAL)) == 0


@pytest.mark.plain
def test_what_features_know_of_the_neighbours_of_a_first_village() -> None:
    """Who and what lies within two steps; a region of its own; and more for the last of three that place a castle."""
    table = ByHand(players=3)
    sigy = table.village("sigy")
    way, region = table.rules.way[sigy], table.rules.region
    near = [village for village in range(table.rules.villages) if 0 < way[village] <= 2]
    far = int(np.argmax(way[: table.rules.villages]))
    assert way[far] > 2 and region[far] != region[sigy]

    def worth() -> list[int]:
        names = ("place_alone", "place_alone_last", "place_near", "place_room", "place_remote_last")
        return [value(table, name, 3, PLACE, 1 + sigy) for name in names]

    assert worth() == [1, 0, 0, len(near), 0]
    table.hold(1, table.villages[far])
    assert worth() == [1, 0, 0, len(near), 0]
    beside = next(village for village in near if region[village] != region[sigy])
    table.hold(2, table.villages[beside])
    assert worth() == [1, 1, 1, len(near) - 1, way[beside]]
    within = next(village for village in near if region[village] == region[sigy])
    table.state.held[1] = 1 << within
    assert worth() == [0, 0, 1, len(near) - 1, way[within]]


@pytest.mark.plain
def test_what_features_know_of_marches_and_fights() -> None:
    """The own village, a fort or the leader's village ahead; an empty village; a foe in a fort; the last village."""
    table = ByHand()
    table.lord(0, 1, "sennecy")
    table.soldiers(1, "sennecy", 4)
    table.hold(1, "l_epervier")
    table.soldiers(2, "chateauneuf", 2)
    table.build("chateauneuf", "castle")
    table.lord(1, 2, "chateauneuf", "duchy_sigy")
    table.state.village = table.village("l_epervier")
    ahead = {name: 1 + table.village(name) for name in ("sennecy", "chateauneuf", "la_salle")}
    for name, wanted in (("step_own", "sennecy"), ("step_fort", "chateauneuf"), ("step_leader", "chateauneuf")):
        assert [place for place, move in ahead.items() if value(table, name, 1, STEP, move)] == [wanted]
    table.state.village, table.state.lord = table.village("sennecy"), 0
    assert [value(table, "take_empty", 1, TAKE, count) for count in (3, 4)] == [0, 1]
    table.lord(12, 1, "sennecy")
    assert value(table, "take_empty", 1, TAKE, 4) == 0  # a lady stays
    table.state.village = table.village("chateauneuf")
    fight = ("attack_fort", "attack_last")
    assert [value(table, name, 1, ATTACK, 3) for name in fight] == [1, 1]
    table.state.castles = 0
    assert [value(table, name, 1, ATTACK, 3) for name in fight] == [0, 1]


@pytest.fixture(scope="module")
def rows() -> dict[str, np.ndarray]:
    """Rows of each style, all at one table, in seats that change."""
    names = ["warlord", "banker", "bishop_maker", "dynast", "turtle", "steward"]
    found = run_chunk(make_spec(6, names, game="fief-2", design="shuffle", seed=4, games=GAMES), 0, GAMES)
    return {name: found[found["strategy"] == number] for number, name in enumerate(names)}


def test_styles_are_what_they_are_called(rows: dict[str, np.ndarray]) -> None:
    def mean(name: str, what: str, index: int | None = None) -> float:
        field = rows[name][what]
        return float((field if index is None else field[:, index]).mean())

    industry = {name: mean(name, "bought", 3) + mean(name, "bought", 4) for name in rows}
    cardinals = BOUGHT.index("cardinals_bought")
    assert mean("warlord", "attacks") > 1.5 * mean("steward", "attacks")
    assert industry["banker"] > industry["steward"] and mean("banker", "attacks") < 0.5 * mean("steward", "attacks")
    assert mean("bishop_maker", "bought", cardinals) > 1.5 * mean("steward", "bought", cardinals)
    assert mean("dynast", "king_turns") > mean("steward", "king_turns")
    assert mean("turtle", "bought", BOUGHT.index("castles_bought")) > mean("steward", "bought", 2)
    assert mean("turtle", "attacks") < 0.5 * mean("steward", "attacks")


@pytest.mark.parametrize("players", [3, 6])
def test_the_champion_wins_more_than_twice_its_part_against_stewards(players: int) -> None:
    spec = make_spec(players, ["champion", *["steward"] * (players - 1)], game="fief-2", seed=5, games=GAMES)
    found = run_chunk(spec, 0, GAMES)
    wins = found["share60"][found["strategy"] == 0].sum() / 60 / GAMES
    assert wins > 2 / players


def test_a_large_weight_of_place_random_places_anywhere() -> None:
    champion = load_strategy(load_game("fief-2"), "champion")
    weights = {count: {**own, "place_random": 100_000.0} for count, own in champion.by_players.items()}
    spec = make_spec(3, ["champion"], game="fief-2", games=GAMES)
    usual = run_chunk(spec, 0, GAMES)["first_village"]
    record = lineup(load_game("fief-2"), [replace(champion, by_players=weights)] * 3, 3, "rotate")
    drawn = run_chunk(replace(spec, lineup_record=record), 0, GAMES)["first_village"]
    counts = np.bincount(drawn, minlength=24)
    assert len(set(usual)) < 24 and counts.min() > 0.4 * counts.mean() and counts.max() < 1.7 * counts.mean()


def test_the_shipped_rollout_plays_and_searches() -> None:
    """A short game against stewards is the same every time, and not the one that its base plays."""

    def play(name: str) -> np.ndarray:
        spec = make_spec(3, [name, "steward", "steward"], ["turns=10"], game="fief-2", design="fixed", games=1)
        return run_chunk(spec, 0, 1)

    found = play("rollout")
    assert found["share60"].sum() == 60 and (found["turns"] == 10).all()
    assert (found == play("rollout")).all()
    assert (found["score"] != play("champion")["score"]).any()
