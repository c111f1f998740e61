"""The referee against honest logs and answers worked out by hand."""

import itertools
import random
from collections.abc import Iterable
from typing import Any

import pytest

from ..ranking import rank
from ..scroll import Scroll
from . import check, policies
from .dealer import Over
from .header import read_setup
from .player import Deal
from .rulebook import INDEX, JESTER, KNIGHT, MONK, NUMBERS, PLAYERS, STAR, SWITCHES, TYPES, UNNAMED, WITCH
from .table import DISCARD, Guild, Table, hand
from .walk import Walk

SWITCHED = [dict(zip(SWITCHES, values, strict=True)) for values in itertools.product(*SWITCHES.values())]
OTHER_NUMBERS: list[dict[str, Any]] = [
    {"copies_per_type": 4},
    {"hand_size": 1},
    {"guild_size": 2, "guilds_to_win": 4},
    {"magician_draws": 5, "monk_draws": 3},
    {"merchant_cards": 1, "noble_givers": 4},
    {"merchant_cards": 3, "noble_givers": 1},
    {"pass_draws": 1, "hand_size": 0},
    {"turn_draws": 2, "star_draws": 2},
    {"red_from_players": 5},
    {"red_from_players": 2},
]


@pytest.mark.parametrize("players", PLAYERS)
@pytest.mark.parametrize("strategies", [["collector"], ["random"], ["collector", "random"]])
def test_honest_deals_are_clean_under_every_switch(players: int, strategies: list[str]) -> None:
    """Each pair of switches and other numbers is played by one or two of the five numbers of players."""
    names = (strategies * players)[:players]
    for seed, (switches, numbers) in enumerate(itertools.product(SWITCHED, [{}, *OTHER_NUMBERS])):
        if numbers and (seed + players) % 4:
            continue
        assert check(Deal(seed, names, **switches, **numbers).play()) == [], (switches, numbers)


def test_both_ends_and_the_reshuffle_are_met() -> None:
    met = set()
    for way, players, seed in itertools.product(SWITCHES["deck_end"], (2, 4), range(20)):
        log = Deal(seed, ["random"] * players, deck_end=way).play()
        met.add((way, players == 2, log[-1]["reason"], sum(record["kind"] == "shuffle" for record in log)))
    ends = {(True, "guilds", 1), (True, "deck", 1), (False, "guilds", 1), (False, "guilds", 2), (False, "deck", 2)}
    assert met == {(way, *end) for way in SWITCHES["deck_end"] for end in ends}


def test_the_turn_limit_ends_a_deal() -> None:
    log = Deal(1, ["random"] * 4, max_turns=5).play()
    assert (log[-1]["reason"], log[-1]["turn"]) == ("turn_limit", 5)
    assert check(log) == []


def test_the_rulings_numbers() -> None:
    # Booklet: 104 cards, 6 dealt, guilds of 3, 3 to win, Magician 3, Monk 2, Merchant 2, Noble 2, pass 2.
    assert len(Deal(0, ["random"] * 3).cards) == 104
    assert [value for value, _ in NUMBERS.values()] == [8, 6, 3, 3, 3, 2, 2, 2, 2, 2000]


def test_numbers_that_the_rulings_leave_unnamed() -> None:
    log = Deal(0, ["random"] * 3).play()
    for name in UNNAMED:
        del log[0]["options"][name]
    assert check(log) == []
    log = Deal(0, ["random"] * 3, turn_draws=2).play()
    assert check(log) == []
    del log[0]["options"]["turn_draws"]
    assert "turn_end" in check(log)[0]


def a_table(players: int = 3, **options: Any) -> Table:
    """Return a table without a card on it."""
    scroll = Scroll(Deal(0, ["collector"] * players, **options).log)
    setup = read_setup(scroll, standard=True)
    assert scroll.violations == []
    return Table(setup)


def put(table: Table, place: tuple[Any, ...], names: str) -> list[int]:
    """Put unused cards of these types there and return them."""
    used = {card for cards in table.cards.values() for card in cards}
    for name in names.split():
        card = next(card for card, kind in table.kinds.items() if kind == INDEX[name] and card not in used)
        used.add(card)
        table.cards[place].append(card)
    return table.cards[place]


def lay(table: Table, seat: int, names: str) -> Guild:
    guild = table.found(seat)
    put(table, guild.place, names)
    return guild


def named(kinds: Iterable[int]) -> list[str]:
    return [TYPES[kind] for kind in kinds]


def test_jesters_are_wild() -> None:
    table = a_table()
    put(table, hand(1), "knight knight jester monk jester")
    assert named(table.layable(1)) == ["knight", "monk"]  # booklet: 2 Knights and a Jester make a guild of Knights
    put(table, hand(1), "jester")
    assert named(table.layable(1)) == ["jester", "knight", "monk"]


def test_a_guild_of_jesters_waits_for_its_type() -> None:
    table = a_table()
    put(table, hand(1), "monk star")
    guild = lay(table, 1, "jester jester jester")
    assert table.kind(guild) == JESTER
    assert table.usable(1) == []
    assert named(table.fitting(1, guild)) == ["star", "monk"]
    assert table.actions(1) == ["play", "reinforce"]
    put(table, guild.place, "monk")
    assert named(table.fitting(1, guild)) == ["monk"]
    assert (table.usable(1), table.counts()["members"]) == ([guild], [4, 0, 0])


def test_pass_only_with_nothing_to_do() -> None:
    table = a_table()
    assert table.actions(1) == ["pass"]
    guild = lay(table, 1, "jester jester jester")
    assert table.actions(1) == ["pass"]  # rulings: no guild on the table, or none but of Jesters
    put(table, guild.place, "monk")
    assert table.actions(1) == ["use"]
    put(table, hand(1), "rogue")
    assert table.actions(1) == ["play", "use"]


def test_beggar_targets() -> None:
    table = a_table(4)
    put(table, hand(1), "monk monk")
    assert table.beggar_targets(1) == []
    put(table, hand(3), "star star")
    assert table.beggar_targets(1) == [3]  # not strictly the most
    put(table, hand(2), "star star")
    assert table.beggar_targets(1) == [2, 3]
    assert a_table(4).beggar_targets(2) == [3, 4, 1]  # facing only empty hands


def test_witch_copies_neither_witches_nor_jesters() -> None:
    table = a_table()
    lay(table, 1, "witch witch witch")
    lay(table, 2, "jester jester jester")
    assert table.copyable() == []
    rogue, monk = lay(table, 2, "rogue rogue rogue"), lay(table, 1, "monk monk monk")
    assert table.copyable() == [rogue, monk]
    assert policies.guild_copied(table) == monk  # first type in booklet order


def test_places() -> None:
    # Rulings: most guilds; then most cards in guilds; then most cards in hand; then shared.
    table = a_table(4)
    for seat in (2, 3, 4):
        lay(table, seat, "monk monk" if seat == 2 else "")
    put(table, hand(3), "star")
    put(table, hand(1), "star star star")
    assert rank([*zip(*table.counts().values(), strict=True)]) == ([4, 1, 2, 3], [0, 60, 0, 0])
    put(table, hand(4), "star")
    assert rank([*zip(*table.counts().values(), strict=True)])[0] == [4, 1, 2, 2]


@pytest.mark.parametrize(
    ("cards", "decision"),
    [
        ("monk monk monk star star star", ("lay", STAR, 3)),  # tie: booklet order
        ("monk monk jester knight knight knight", ("lay", KNIGHT, 3)),  # counts exclude Jesters
        ("monk monk jester", ("lay", MONK, 3)),
        ("monk jester jester jester", ("lay", JESTER, 3)),  # three Jesters count as a type
        ("monk monk monk monk jester", ("lay", MONK, 4)),  # all of them, no Jester more than it takes
        ("monk monk star witch witch", ("play", STAR, 1)),  # the type it holds fewest of
        ("monk witch jester", ("play", MONK, 1)),  # Jesters never
        ("jester jester", ("play", JESTER, 1)),
        ("", ("pass", None, 0)),
    ],
)
def test_actions_of_collector(cards: str, decision: tuple[str, int | None, int]) -> None:
    table = a_table()
    put(table, hand(1), cards)
    action, kind, _, laid = policies.collect(table, 1)
    assert (action, kind, laid.total()) == decision


def test_collector_uses_the_guild_it_laid_first() -> None:
    table = a_table()
    put(table, hand(1), "jester")
    lay(table, 1, "jester jester jester")
    lay(table, 2, "artisan artisan artisan")
    monks = lay(table, 1, "monk monk monk")
    lay(table, 1, "artisan artisan artisan")
    assert policies.collect(table, 1)[:3] == ("use", MONK, monks)


def test_targets_of_collector() -> None:
    table = a_table(4)
    assert policies.target(table, 2, table.rivals(2)) == 3  # the next in turn order
    put(table, hand(1), "star")
    assert policies.target(table, 2, table.rivals(2)) == 1  # most cards in hand
    lay(table, 4, "monk monk monk monk")
    assert policies.target(table, 2, table.rivals(2)) == 4  # most guilds
    small = lay(table, 4, "knight knight knight")
    lay(table, 4, "star star star")
    assert policies.guild_hit(table, 2) == small  # of fewest cards, then laid first


def test_cards_of_collector() -> None:
    table = a_table()
    put(table, hand(1), "monk monk star jester knight knight knight")
    held = table.held(1)
    assert TYPES[policies.most_held(held, range(13))] == "knight"
    assert TYPES[policies.most_held(held, [WITCH, INDEX["rogue"]])] == "rogue"  # ties, also at none held
    assert sorted(named(policies.fewest_held(held, 2).elements())) == ["jester", "star"]
    assert sorted(named(policies.fewest_held(held, 4).elements())) == ["jester", "monk", "monk", "star"]


def test_a_reshuffle_that_yields_no_card_ends_the_deal() -> None:
    log = Deal(0, ["random"] * 3).log
    walk = Walk(Scroll([]), read_setup(Scroll(log), standard=True))
    walk.table.cards[DISCARD] = [7]
    with pytest.raises(Over, match="deck"):
        walk.draw(hand(1), "draw")


def test_ids_may_be_any_whole_numbers() -> None:
    log = Deal(5, ["random"] * 3).play()
    new = random.Random(1).sample(range(1000), 104)

    def renamed(record: Any, inside: str = "") -> Any:
        if type(record) is dict:
            return {key: renamed(value, key) for key, value in record.items()}
        if type(record) is list:
            return [renamed(value, inside) for value in record]
        return new[record] if inside in ("card", "cards", "id") and type(record) is int else record

    assert check([renamed(record) for record in log]) == []


def test_a_variant_box_must_be_announced() -> None:
    log = Deal(5, ["random"] * 3).play()
    unseen = {card["id"] for card in log[0]["cards"]} - {record.get("card") for record in log}
    spare = next(card for card in log[0]["cards"] if card["id"] in unseen and card["type"] != "witch")
    spare["type"] = "witch"
    assert check(log, standard=False) == []
    assert "expected 8" in check(log)[0]
