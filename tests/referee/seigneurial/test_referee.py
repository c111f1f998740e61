"""The referee against games played by the rulings alone, with facts worked out from the page by hand."""

import itertools
import random
from collections import Counter
from typing import Any

import pytest

from . import check
from .decks import changed_decks, effects_of
from .header import read_setup
from .pens import Reader, Writer
from .player import game_line, play
from .rulebook import LORD, LORD_CARDS, OBJECTIVES, PILE, PLAYERS, SWITCHES, TENANT_CARDS, TYPES
from .scene import Scene, action, move, playable
from .table import payments
from .walk import Walk

OTHER_NUMBERS: list[dict[str, Any]] = [
    {"pawns": 1, "church_cards": 3},
    {"pawns": 5, "land_cards": 2, "yield_limits": [1, 2]},
    {"due": 0, "hand_limit": 1, "plays": 5},
    {"due": 5, "illness": 4, "step": 2},
    {"favour_price": 1, "unpaid_cards": 3, "improvement": 2},
    {"favour_price": 3, "draws": [2, 4], "draw_limits": [0, 3]},
    {"rent_limits": [1, 3], "start_square": 3},
    {"track": [1, 4], "rent": [1, 12]},
    {"pile": [6, 3, 2, 0, 0]},
]


LINES = list(itertools.product(("random", "bailiff"), ("random", "gatherer")))


@pytest.mark.parametrize("players", PLAYERS)
@pytest.mark.parametrize("line", LINES, ids=" ".join)
def test_honest_games_are_clean(players: int, line: tuple[str, str]) -> None:
    names = [line[0]] + [line[1]] * (players - 1)
    for seed in range(2):
        assert check(play(seed, names)) == []


@pytest.mark.parametrize("players", PLAYERS)
@pytest.mark.parametrize("seed", range(5))
def test_honest_games_are_clean_under_any_switches_and_numbers(players: int, seed: int) -> None:
    rng = random.Random(seed)
    names = [rng.choice(("random", "bailiff"))] + [rng.choice(("random", "gatherer")) for _ in range(players - 1)]
    for numbers in ({}, *rng.sample(OTHER_NUMBERS, 2)):
        changes = {name: rng.choice(values) for name, values in SWITCHES.items()} | numbers
        assert check(play(seed, names, max_seasons=14, **changes), standard=False) == [], changes


def test_honest_games_with_any_cards_are_clean() -> None:
    met: set[tuple[str, bool, int]] = set()
    for seed in range(50):
        names = [("random", "bailiff")[seed % 2]] + [("random", "gatherer")[seed // 2 % 2]] * (2 + seed % 3)
        log = play(seed, names, max_seasons=9, lord_draw=("players", "tenants")[seed % 2], **changed_decks(seed))
        assert check(log, standard=False) == [], seed
        met |= {(record["op"], record["what"] is None, record["n"]) for record in log if record["kind"] == "effect"}
    assert met == {(made.op, made.what is None, made.n) for lord in (True, False) for made in effects_of(lord)}


def test_every_card_stays_in_exactly_one_place() -> None:
    line = game_line(1, ["random"] * 4)
    walk = Walk(Writer(1, line), read_setup(Reader([line]), standard=True))
    wanted = walk.table.census()
    walk.run()
    assert walk.table.census() == wanted
    assert sum(cards.total() for cards in wanted.values()) == 12 + 27 + 20 + 3 * 33


def test_all_ends_are_met() -> None:
    reasons = {play(seed, ["bailiff", "gatherer", "gatherer"])[-1]["reason"] for seed in range(20)}
    assert reasons == {"track", "objective"}
    log = play(1, ["random"] * 5, max_seasons=3)
    assert log[-1] == {"kind": "end", "reason": "limit", "winner": None, "share60": [12] * 5}
    assert check(log) == []


# --- facts of the page ---


def test_the_box() -> None:
    # 163 = 12 + 27 + 20 + 3 x 33 + 5 summary cards; 61 points a type.
    tenants, lords = (sum(card.copies for card in cards) for cards in (TENANT_CARDS, LORD_CARDS))
    assert (len(OBJECTIVES), tenants, lords, sum(PILE)) == (12, 27, 20, 33)
    assert len(OBJECTIVES) + tenants + lords + 3 * sum(PILE) + 5 == 163
    assert sum(value * number for value, number in enumerate(PILE)) == 61
    assert {sum(points) for points in OBJECTIVES.values()} == {19, 20}


@pytest.mark.parametrize(("rent", "splits"), [(2, 6), (3, 10), (4, 15), (5, 21), (7, 36), (9, 55), (12, 91)])
def test_splits_of_the_rent(rent: int, splits: int) -> None:
    scene = Scene(rent=[rent, 12])
    record = action(1, "rent", wood=rent + 1, fish=0, grain=0)
    (message,) = scene.follow(scene.walk.ask_for_rent, record)
    assert "illegal" in message
    met = {tuple(scene.play(scene.walk.ask_for_rent, seed)[0][kind] for kind in TYPES) for seed in range(20 * splits)}
    assert len(met) == splits


def test_cards_bend_the_rent_within_its_limits() -> None:
    scene = Scene(rent_limits=[2, 4])
    assert scene.table.rent() == 3
    for more, rent in ((-1, 2), (-5, 2), (2, 4)):
        scene.table.now.rent = more
        assert scene.table.rent() == rent


@pytest.mark.parametrize(
    ("hand", "due", "allowed"),
    [
        ("1 1", 2, [1]), ("1 3", 2, [3]), ("2 4", 2, [2]), ("1", 2, []), ("", 2, []), ("1 1 2", 2, [1, 2]),
        ("3 4", 2, [3, 4]), ("1 4", 2, [4]), ("2 3", 5, [2, 3]), ("1 2 4", 5, [1, 4]), ("3 3", 5, []), ("1", 1, [1]),
    ],
)  # fmt: skip
def test_payments_of_winter(hand: str, due: int, allowed: list[int]) -> None:
    assert payments(Counter(map(int, hand.split())), due) == allowed


def test_the_example_of_winter() -> None:
    # Red refuses in season 4: pawn ill in 4 and 5, placed again in 6 (summer).
    scene = Scene()
    walk, table = scene.walk, scene.table
    scene.hold(2, "wood2 fish3")
    table.season = 4
    refusal = [action(2, "winter", pay=False), {"kind": "ill", "seat": 2, "turns": 2}]
    assert scene.follow(lambda: walk.winter(2), *refusal) == []
    for season, squares in ((4, ["mill"]), (5, ["church"]), (6, ["mill", "river"])):
        table.season = season
        assert scene.follow(lambda: walk.place_pawns(2), action(2, "place", squares=squares)) == []


def test_who_cannot_pay_falls_ill_without_being_asked() -> None:
    scene = Scene()
    scene.hold(2, "wood1")
    ill = {"kind": "ill", "seat": 2, "turns": 2}
    assert scene.follow(lambda: scene.walk.winter(2), ill) == []
    assert scene.follow(lambda: scene.walk.winter(2), ill) == []
    assert scene.table.tenants[2].pawns == [2, 2]
    assert scene.follow(lambda: scene.walk.winter(2)) == []  # no healthy pawn is left


def test_paying_card_by_card() -> None:
    scene = Scene()
    scene.hold(3, "wood1 fish1 grain3")
    parts = [
        action(3, "winter", pay=True),
        action(3, "part", card="fish1"),
        move("fish1", "hand 3", "discard", "winter"),
    ]
    more = [action(3, "part", card="wood1"), move("wood1", "hand 3", "discard", "winter")]
    assert scene.follow(lambda: scene.walk.winter(3), *parts, *more) == []
    assert [*scene.table.faces(3)] == ["grain3"]
    (message,) = scene.follow(lambda: scene.walk.winter(3), parts[0], action(3, "part", card="fish1"))
    assert "expected one of ['grain3']" in message


def test_firewood_is_for_winter_alone() -> None:
    scene = Scene()
    scene.hold(2, "firewood")
    assert playable(scene, 2, "season") == []
    scene.table.season = 4
    assert playable(scene, 2, "season") == ["firewood"]
    scene.table.now.waived.add(2)
    assert playable(scene, 2, "season") == []
    assert scene.follow(lambda: scene.walk.winter(2)) == []


def test_seven_points_for_nine_laid() -> None:
    # 7 wood asked, 2, 3, 3, 1 laid: 7 points, 9 ways to split them.
    ways = set()
    for seed in range(400):
        scene = Scene(5, favour_price=100)
        scene.table.now.demand = {"wood": 7, "fish": 0, "grain": 0}
        for seat, points in ((2, 2), (3, 3), (4, 3), (5, 1)):
            scene.table.now.laid[seat, "wood"] = points
        records = scene.play(scene.walk.give_favour, seed)
        given = {record["seat"]: record["points"] for record in records if record["kind"] == "favour"}
        assert sum(given.values()) == 7
        ways.add(tuple(given.get(seat, 0) for seat in scene.table.tenants))
    assert len(ways) == 9
    assert max(given[0] for given in ways) == 2


def test_favour_becomes_a_card_at_once_and_a_fourth_card_goes() -> None:
    scene = Scene()
    scene.hold(3, "remedy barter pedlar")
    scene.pile("tenant", "windfall complaint")
    scene.table.tenants[3].favour = 1
    scene.table.now.demand = {"wood": 2, "fish": 0, "grain": 0}
    scene.table.now.laid[3, "wood"] = 2
    gained = [{"kind": "favour", "seat": 3, "points": 2}, move("windfall", "deck", "hand 3", "favour")]
    dropped = [action(3, "drop", card="windfall"), move("windfall", "hand 3", "discard", "limit")]
    assert scene.follow(scene.walk.give_favour, *gained, *dropped) == []
    assert scene.table.tenants[3].favour == 1


@pytest.mark.parametrize(("players", "price"), [(3, 2), (4, 2), (5, 2), (4, 3)])
def test_favour_tokens_out(players: int, price: int) -> None:
    # With price p, at most (N - 1)(p - 1) + 1, the last of them about to be exchanged.
    for seed in range(2):
        for record in play(seed, ["bailiff"] + ["random"] * (players - 1), favour_price=price):
            if record["kind"] == "season_end":
                assert sum(record["favour"]) <= (players - 1) * (price - 1)


def test_without_royal_favour_the_lord_needs_a_season_a_square() -> None:
    for players, seasons in ((3, 8), (4, 10), (5, 12)):
        for seed in range(4):
            log = play(seed, ["bailiff"] + ["random"] * (players - 1))
            helped = any(record["kind"] == "effect" and record["op"] == "advance" for record in log)
            if log[-1]["reason"] == "track" and not helped:
                assert log[-2]["turn"] >= seasons


def test_the_middle_at_four_players_is_square_five() -> None:
    scene = Scene()
    scene.table.square = 4
    improving = [action(seat, "improve", square=land) for seat, land in ((2, "forest"), (3, "river"), (4, "field"))]
    progress = {"kind": "progress", "obtained": True, "square": 5}
    assert scene.follow(lambda: scene.walk.progress(True), progress, *improving) == []
    assert (scene.table.rent(), scene.table.draw_limit(2), scene.table.yield_of(3, "river")) == (7, 2, 2)
    scene.table.square = 3  # he falls back
    assert scene.follow(lambda: scene.walk.progress(False), {"kind": "progress", "obtained": False, "square": 3}) == []
    assert scene.table.rent() == 7


# --- the end ---


def test_the_lord_wins_before_any_tenant() -> None:
    scene = Scene(3)
    scene.hold(2, "wood4 " + "wood3 " * 5)  # the sawyer needs 19
    scene.table.after = True
    scene.table.square = 7
    progress = {"kind": "progress", "obtained": True, "square": 8}
    assert scene.follow(lambda: scene.walk.progress(True), progress) == []
    assert scene.walk.over == ("track", LORD)


@pytest.mark.parametrize(
    ("most", "hands", "winner", "asked"),
    [
        ("points", ("wood3 " * 5 + "wood4", "fish2 " * 10), 3, False),  # 19 points against 20
        ("points", ("wood3 " * 5 + "wood4", "fish2 " * 9), 2, False),  # 18 fish are too few
        ("points", ("wood3 " * 5 + "wood4", "fish2 " * 9 + "fish1"), 3, True),  # 19 points each
        ("cards", ("wood3 " * 5 + "wood4", "fish2 " * 9 + "fish1"), 3, False),  # 6 cards against 10
    ],
)
def test_several_tenants_reach_their_objectives(most: str, hands: tuple[str, str], winner: int, asked: bool) -> None:
    scene = Scene(3, most=most)
    for seat, cards in zip((2, 3), hands, strict=True):
        scene.hold(seat, cards)
    progress = {"kind": "progress", "obtained": False, "square": 0}
    crown = [action(1, "crown", target=3)] * asked
    assert scene.follow(lambda: scene.walk.progress(False), progress, *crown) == []
    assert scene.walk.over == ("objective", winner)


def test_the_lord_discards_his_hand_after_winter() -> None:
    scene = Scene()
    scene.hold(LORD, "fever curfew")
    progress = {"kind": "progress", "obtained": False, "square": 0}
    assert scene.follow(lambda: scene.walk.progress(False), progress) == []
    scene.table.season = 8
    cards = [move(card, "hand 1", "discard", "winter") for card in ("curfew", "fever")]
    assert scene.follow(lambda: scene.walk.progress(False), progress, *cards) == []


def test_the_ledger() -> None:
    scene = Scene()
    scene.pile("wood", "wood4 wood0")
    scene.pile("fish", "fish1")
    scene.play(lambda: [scene.walk.pawn(2, "forest"), scene.walk.pawn(2, "forest"), scene.walk.pawn(2, "river")])
    assert scene.table.tenants[2].ledger == {"wood": 1, "fish": 1, "grain": 0}  # no zeros
    scene.hold(2, "grain2")
    for face in ("wood4", "grain2"):
        scene.play(lambda face=face: scene.walk.discard_resource(2, face, "winter"))
    assert scene.table.tenants[2].ledger == {"wood": 0, "fish": 1, "grain": 0}  # never below 0
    scene.play(lambda: scene.walk.random_resource(2, ("hand", 3), "card"))
    assert scene.table.tenants[2].ledger["fish"] == 1  # cards passing between hands do not touch it
    assert scene.table.tenants[3].ledger["fish"] == 0
