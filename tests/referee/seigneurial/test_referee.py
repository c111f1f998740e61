"""The referee against honest logs, and against steps of the game written by hand from the page."""

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
from .scene import Scene, action, effect, move
from .table import DISCARD, payments
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
    for seed in range(60):
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


def playable(scene: Scene, seat: int, window: str) -> list[str]:
    """Return the cards that a seat may play, all of them held when the window opened."""
    return [card.id for card in scene.walk.choosable(seat, window, scene.table.playing_cards(seat))]


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


# --- harvest ---


def test_a_zero_ends_the_draw_and_blocks_its_type() -> None:
    scene = Scene()
    scene.table.tenants[2].improved = "forest"
    scene.pile("wood", "wood0 wood2")
    assert scene.follow(lambda: scene.walk.pawn(2, "forest"), move("wood0", "deck", "front 2", "harvest")) == []
    assert scene.follow(lambda: scene.walk.pawn(2, "forest")) == []
    assert scene.table.zeros(2, "wood") == 1
    mill = [move("wood0", "front 2", "discard", "mill"), move("wood2", "deck", "hand 2", "mill")]
    assert scene.follow(lambda: scene.walk.pawn(2, "mill"), *mill) == []


def test_a_zero_does_not_end_the_draw() -> None:
    scene = Scene(zero_stops_draw=False)
    scene.table.tenants[2].improved = "forest"
    scene.pile("wood", "wood0 wood2 wood3")
    draws = [move("wood0", "deck", "front 2", "harvest"), move("wood2", "deck", "hand 2", "harvest")]
    assert scene.follow(lambda: scene.walk.pawn(2, "forest"), *draws) == []
    assert scene.follow(lambda: scene.walk.pawn(2, "forest")) == []


def test_an_improvement_without_a_pawn() -> None:
    scene = Scene(improvement_needs_pawn=False)
    scene.table.tenants[2].improved = "forest"
    scene.table.now.placed[2] = ["river"]
    scene.table.now.yields[2, "wood"] = -1
    scene.pile("wood", "wood2")
    scene.pile("fish", "fish4")
    draws = [move("fish4", "deck", "hand 2", "harvest"), move("wood2", "deck", "hand 2", "harvest")]
    assert scene.follow(lambda: scene.walk.harvest(2), *draws) == []
    assert scene.table.yield_of(2, "forest") == 0


def test_the_mill_of_ones_choice() -> None:
    scene = Scene(mill_redraw="chosen")
    scene.hold(2, "wood0 fish0")
    scene.pile("grain", "grain0 grain3")
    records = [
        move("wood0", "front 2", "discard", "mill"), action(2, "what", what="fish"),  # blocked: no card
        move("fish0", "front 2", "discard", "mill"), action(2, "what", what="grain"),
        move("grain0", "deck", "front 2", "mill"),
        move("grain0", "front 2", "discard", "mill"), action(2, "what", what="grain"),  # in its turn
        move("grain3", "deck", "hand 2", "mill"),
    ]  # fmt: skip
    assert scene.follow(lambda: scene.walk.pawn(2, "mill"), *records) == []


def test_the_church() -> None:
    scene = Scene()
    scene.pile("tenant", "remedy barter pedlar")
    records = [
        move("remedy", "deck", "seen 2", "church"), move("barter", "deck", "seen 2", "church"),
        action(2, "keep", card="barter"), move("barter", "seen 2", "hand 2", "church"),
        move("remedy", "seen 2", "deck", "church"),
    ]  # fmt: skip
    assert scene.follow(lambda: scene.walk.pawn(2, "church"), *records) == []
    assert scene.table.order["tenant"] == ["pedlar", "remedy"]


def test_an_empty_pile_is_refilled() -> None:
    scene = Scene()
    shuffle = {"kind": "shuffle", "deck": "fish", "counts": [2, 8, 17, 5, 1]}
    draws = [shuffle, move("fish1", "deck", "hand 2", "harvest")]
    assert scene.follow(lambda: scene.walk.pawn(2, "river"), *draws) == []
    assert not scene.table.cards["fish", DISCARD]
    scene = Scene()
    message = scene.follow(lambda: scene.walk.pawn(2, "river"), {**shuffle, "counts": [2, 8, 17, 5, 0]})[0]
    assert "counts is [2, 8, 17, 5, 0], expected [2, 8, 17, 5, 1]" in message


# --- rent and payment ---


def test_rounds_of_payment() -> None:
    scene = Scene()
    scene.hold(2, "wood2 wood1 fish1")
    scene.hold(4, "wood4")
    scene.table.now.first = 4
    scene.table.now.demand = {"wood": 3, "fish": 0, "grain": 0}
    records = [
        action(4, "lay", card="wood4"), move("wood4", "hand 4", "table", "lay"),
        action(2, "lay", card="wood2"), move("wood2", "hand 2", "table", "lay"),  # covered or not
        action(3, "lay", card=None),
        action(4, "lay", card=None),
        action(2, "lay", card=None),
    ]  # fmt: skip
    assert scene.follow(scene.walk.pay, *records) == []
    assert scene.table.laid_points("wood") == 6
    (message,) = scene.follow(scene.walk.pay, action(4, "lay", card=None), action(2, "lay", card="fish1"))
    assert "lay 'fish1' is illegal" in message  # no fish is asked for


def test_secret_payment() -> None:
    scene = Scene(3, payment="secret")
    scene.hold(2, "wood2 wood1")
    scene.table.now.demand = {"wood": 1, "fish": 0, "grain": 0}
    records = [
        action(2, "lay", card="wood2"), move("wood2", "hand 2", "table", "lay"),
        action(2, "lay", card="wood1"), move("wood1", "hand 2", "table", "lay"),
        action(2, "lay", card=None), action(3, "lay", card=None),
    ]  # fmt: skip
    assert scene.follow(scene.walk.pay, *records) == []


def a_call(**changes: Any) -> Scene:
    """Return a table of four at which 9 wood are short: seats 2 and 3 have laid nothing, seat 4 one point."""
    scene = Scene(**changes)
    for seat, cards in ((2, "fish1 wood1"), (3, "wood2 wood3"), (4, "wood4 wood1")):
        scene.hold(seat, cards)
    scene.table.now.demand = {"wood": 9, "fish": 0, "grain": 0}
    scene.table.now.laid[4, "fish"] = 1
    scene.table.now.laid_cards[4] = 1
    return scene


def drawn(seat: int, card: str, kept: bool) -> list[dict[str, Any]]:
    """Return the records of a card that the lord draws."""
    record = {"kind": "draw", "seat": seat, "card": card, "kept": kept}
    return [record] + [move(card, f"hand {seat}", "table", "draw")] * kept


def test_the_lord_draws_from_least_to_most() -> None:
    scene = a_call()
    records = [action(1, "next", target=3), *drawn(3, "wood3", True), *drawn(2, "fish1", False)]
    assert scene.follow(scene.walk.lord_takes, *records, *drawn(4, "wood4", True)) == []
    assert scene.table.short() == ["wood"]


def test_further_draws_come_in_rounds_or_at_once() -> None:
    first = [action(1, "next", target=3), *drawn(3, "wood3", True)]
    two, four = [*drawn(2, "fish1", False)], [*drawn(4, "wood1", True)]
    scene = a_call(draws=[2, 2])
    rest = [*drawn(3, "wood2", True), *drawn(2, "fish1", False), *drawn(4, "wood4", True)]
    assert scene.follow(scene.walk.lord_takes, *first, *two, *four, *rest) == []
    scene = a_call(draws=[2, 2], second_draw="same_tenant")
    both = [*first, *drawn(3, "wood2", True), *two, *drawn(2, "fish1", False), *four]
    assert scene.follow(scene.walk.lord_takes, *both, *drawn(4, "wood4", True)) == []


def test_the_lord_stops_when_nothing_is_short() -> None:
    scene = a_call()
    scene.table.now.demand = {"wood": 3, "fish": 0, "grain": 0}
    records = [action(1, "next", target=3), *drawn(3, "wood3", True)]
    assert scene.follow(scene.walk.lord_takes, *records) == []


def test_shelter_inspection_and_limits() -> None:
    scene = a_call()
    scene.table.now.sheltered.add(3)
    scene.table.now.inspected.add(2)
    scene.table.now.draws[4] = -1
    records = [action(1, "pick", card="wood1"), *drawn(2, "wood1", True)]
    assert scene.follow(scene.walk.lord_takes, *records) == []


def test_least_may_count_cards() -> None:
    scene = a_call(least="cards")
    scene.table.now.laid_cards.update({2: 3, 3: 2})
    order = [*drawn(4, "wood4", True), *drawn(3, "wood3", True), *drawn(2, "wood1", True)]
    assert scene.follow(scene.walk.lord_takes, *order) == []


@pytest.mark.parametrize(("unpaid", "cards"), [("voluntary", 1), ("any", 0)])
def test_a_card_for_a_rent_unpaid(unpaid: str, cards: int) -> None:
    scene = a_call(unpaid=unpaid)
    scene.table.now.laid_cards.clear()
    scene.pile("lord", "fever")
    scene.table.now.kept_cards = 1
    records = [move("fever", "deck", "hand 1", "unpaid")] * cards
    assert scene.follow(scene.walk.clear_table, *records) == []


# --- cards ---


def test_the_lord_plays_only_what_he_held_when_the_window_opened() -> None:
    scene = Scene()
    scene.hold(LORD, "stewardship indulgence")
    scene.pile("lord", "indulgence curfew")
    records = [
        action(1, "play", window="rent", card="stewardship"), effect("cards", [1], n=2),
        move("indulgence", "deck", "hand 1", "card"), move("curfew", "deck", "hand 1", "card"),
        move("stewardship", "hand 1", "discard", "played"),
        action(1, "play", window="rent", card="indulgence"), effect("rent", [1], n=-1),
        move("indulgence", "hand 1", "discard", "played"),
    ]  # fmt: skip
    assert scene.follow(lambda: scene.walk.window("rent"), *records) == []
    assert scene.table.playing_cards(LORD) == Counter(["indulgence", "curfew"])
    assert scene.table.rent() == 2


def test_so_do_the_tenants() -> None:
    scene = Scene()
    scene.hold(2, "helping_hands")
    scene.pile("tenant", "good_soil remedy")
    scene.table.now.placed[2] = ["river"]
    records = [
        action(2, "play", window="harvest", card="helping_hands"), action(2, "what", what="church"),
        effect("act", [2], "church"),
        move("good_soil", "deck", "seen 2", "church"), move("remedy", "deck", "seen 2", "church"),
        action(2, "keep", card="good_soil"), move("good_soil", "seen 2", "hand 2", "church"),
        move("remedy", "seen 2", "deck", "church"), move("helping_hands", "hand 2", "discard", "played"),
    ]  # fmt: skip
    assert scene.follow(lambda: scene.walk.window("harvest"), *records) == []
    assert playable(scene, 2, "harvest") == ["good_soil"]  # in the next window of the harvest


def test_who_begins_a_window() -> None:
    lord = [
        action(1, "play", window="harvest", card="hard_frost"), action(1, "what", what="fish"),
        effect("yield", [3], "fish", -1), move("hard_frost", "hand 1", "discard", "played"),
    ]  # fmt: skip
    tenant = [
        action(3, "play", window="harvest", card="good_soil"), action(3, "what", what="fish"),
        effect("yield", [3], "fish"), move("good_soil", "hand 3", "discard", "played"),
    ]  # fmt: skip
    for order, records in (("lord_first", lord + tenant), ("tenants_first", tenant + lord)):
        scene = Scene(window_order=order)
        scene.hold(LORD, "hard_frost")
        scene.hold(3, "good_soil")
        scene.table.now.placed[3] = ["river"]
        assert scene.follow(lambda scene=scene: scene.walk.window("harvest"), *records) == []
        assert scene.table.yield_of(3, "river") == 1


def test_two_cards_a_season_and_none_under_curfew() -> None:
    scene = Scene()
    scene.hold(2, "windfall poaching barter")
    scene.hold(3, "wood1")
    assert playable(scene, 2, "rent") == ["windfall", "poaching"]  # nothing to barter with
    scene.table.now.played[2] = 2
    assert playable(scene, 2, "rent") == []
    scene.table.now.played[2] = 0
    scene.table.now.gagged.add(2)
    assert playable(scene, 2, "rent") == []


def test_safe_conduct() -> None:
    scene = Scene(3)
    scene.hold(LORD, "fever")
    (card,) = (card for card in scene.setup.lord_cards if card.id == "fever")
    scene.table.now.warded.add(2)
    assert scene.walk.group(card.effects[0], LORD) == [3]
    scene.table.tenants[3].pawns = [1, 2]
    assert not scene.walk.playable(card, LORD, "season")


def test_pedlar_and_barter() -> None:
    scene = Scene()
    scene.hold(2, "pedlar wood2 wood1 fish0 barter")
    scene.hold(3, "grain4")
    scene.pile("grain", "grain2")
    rent = lambda: scene.walk.window("rent")  # noqa: E731
    records = [
        action(2, "play", window="rent", card="pedlar"), action(2, "what", what="grain"),
        effect("trade", [2], "grain", 2), action(2, "part", card="wood1"), move("wood1", "hand 2", "discard", "card"),
        action(2, "part", card=None), move("grain2", "deck", "hand 2", "card"),
        move("pedlar", "hand 2", "discard", "played"),
        action(2, "play", window="rent", card="barter"), action(2, "target", target=3), effect("barter", [3]),
        action(2, "part", card="wood2"), move("grain4", "hand 3", "hand 2", "card"),
        move("wood2", "hand 2", "hand 3", "card"), move("barter", "hand 2", "discard", "played"),
    ]  # fmt: skip
    assert scene.follow(rent, *records) == []
    assert [*scene.table.faces(2)] == ["grain2", "grain4"]


def test_remedy_heals_the_longest_illness() -> None:
    scene = Scene()
    scene.table.tenants[2].pawns = [1, 2]
    scene.hold(2, "remedy")
    records = [
        action(2, "play", window="season", card="remedy"), effect("heal", [2]),
        move("remedy", "hand 2", "discard", "played"),
    ]  # fmt: skip
    assert scene.follow(lambda: scene.walk.window("season"), *records) == []
    assert scene.table.tenants[2].pawns == [1, 0]


def test_new_plans() -> None:
    scene = Scene()
    scene.hold(2, "new_plans")
    scene.pile("objective", "brewer")
    records = [
        action(2, "play", window="season", card="new_plans"), effect("objective", [2]),
        move("brewer", "deck", "hand 2", "card"), action(2, "objective", keep="brewer"),
        move("sawyer", "hand 2", "deck", "card"), move("new_plans", "hand 2", "discard", "played"),
    ]  # fmt: skip
    assert scene.follow(lambda: scene.walk.window("season"), *records) == []
    assert (scene.table.tenants[2].objective, scene.table.order["objective"]) == ("brewer", ["sawyer"])


def test_other_goods() -> None:
    scene = a_call()
    scene.hold(LORD, "other_goods")
    records = [
        action(1, "play", window="draws", card="other_goods"), effect("shift", [1], n=2),
        {**action(1, "shift"), "from": "wood", "to": "fish", "points": 2},
        move("other_goods", "hand 1", "discard", "played"),
    ]  # fmt: skip
    assert scene.follow(lambda: scene.walk.window("draws"), *records) == []
    assert scene.table.now.demand == {"wood": 7, "fish": 2, "grain": 0}
    assert scene.table.unmet("fish") == 1


def test_enclosure() -> None:
    scene = Scene()
    scene.hold(LORD, "enclosure")
    records = [
        action(1, "play", window="season", card="enclosure"), action(1, "target", target=2),
        action(1, "what", what="mill"), effect("bar", [2], "mill"), move("enclosure", "hand 1", "discard", "played"),
    ]  # fmt: skip
    assert scene.follow(lambda: scene.walk.window("season"), *records) == []
    (message,) = scene.follow(lambda: scene.walk.place_pawns(2), action(2, "place", squares=["river", "mill"]))
    assert "illegal" in message
    scene.table.now.placed[2] = ["mill"]
    scene.hold(2, "wood0")
    assert scene.follow(lambda: scene.walk.harvest(2)) == []  # his pawn there is idle


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
