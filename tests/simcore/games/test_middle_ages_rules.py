"""The rules of Middle-Ages: the booklet's values, the model's bounds, and the record that kernels read.

Expected numbers come from the booklet (copies a Domain, Incomes, effects, Events) and from the rulings (names,
switches, assumed tiles), not from the TOML file.
"""

from __future__ import annotations

import re
from collections import Counter
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

from simcore.errors import UsageError
from simcore.games.middle_ages.rules import DOMAIN_NAMES, MiddleAgesRules, pack, tile_list, tiles_needed
from simcore.rules.files import differences, load_rules, shipped_rules

GAME: Any = SimpleNamespace(name="middle-ages", rules=MiddleAgesRules)
PLAYERS = (2, 3, 4, 5)

# Rulings, "Tiles": blue 9 8 7 7 6 6 5 4 and orange 5 5 5 4 4 3 3 3, spread evenly, the remainder to the lowest numbers.
BLUE = [3, 3, 3, 3, 3, 2, 3, 2, 2, 3, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 1, 2, 2]
ORANGE = [2, 2, 1, 2, 2, 1, 2, 2, 1, 2, 1, 1, 2, 1, 1, 1, 1, 1, 1, 1, 1, 2, 1]

# Booklet, page 4: the Domains that each Income counts, and what it pays.
INCOMES = {
    "field": ({"field"}, 2),
    "mill": ({"mill"}, 2),
    "village": ({"village", "rampart"}, 2),
    "rampart": ({"field", "rampart"}, 2),
    "market": ({"mill", "market"}, 2),
    "barracks": ({"village", "barracks"}, 2),
    "church": ({"church"}, 3),
    "palace": ({"palace"}, 3),
}

# Booklet, page 8, in its order.
EVENTS: dict[str, dict[str, Any]] = {
    "skilled_trades": {"per_peasant": 1},
    "precious_goods": {"per_chest": 1},
    "alliance": {"per_tile": {"church": 3, "palace": 3}},
    "barbarian_invasion": {"buries": ["mill", "field"]},
    "black_death": {"buries": ["village", "barracks"]},
    "new_defences": {"per_tile": {"rampart": 3}},
    "triumphant_return": {"per_tile": {"market": 2, "barracks": 2}},
    "birth_peak": {"per_tile": {"mill": 2, "village": 2}},
    "peasant_revolt": {"buries": ["palace"]},
    "restoration": {"restores": 1},
    "good_harvest": {"per_tile": {"field": 2}},
    "reconstruction_aid": {"per_buried": 3},
    "extended_lordship": {"per_domain": 2},
    "lavish_ceremonies": {"per_tile": {"church": -2, "palace": -2}},
    "earthquake": {"buries": ["rampart"]},
}


def values(*settings: str, reference: str | Path = "base") -> Any:
    return load_rules(GAME, reference, settings).values


def packed(*settings: str, players: int = 4) -> Any:
    return pack(values(*settings), players)


def test_tiles_are_the_booklets() -> None:
    tiles = tile_list(values())
    assert [tile.id for tile in tiles] == list(range(84))
    by_domain = Counter(tile.domain for tile in tiles)
    assert [by_domain[name] for name in DOMAIN_NAMES] == [14, 13, 12, 11, 10, 9, 8, 7]
    for stack, copies in (("blue", BLUE), ("orange", ORANGE)):
        numbers = [tile.number for tile in tiles if tile.stack == stack]
        assert numbers == [number for number, count in enumerate(copies, 1) for _ in range(count)]
    assert {tile.stack for tile in tiles[:52]} == {"blue"}


def test_faces_are_plain_peasant_chest() -> None:
    for tile in tile_list(values()):
        domain, face = divmod(tile.number - 1, 3)
        assert tile.domain == DOMAIN_NAMES[domain]
        face += tile.domain == "palace"  # 22 shows a peasant, 23 a chest
        assert (tile.peasants, tile.chests) == [(0, 0), (1, 0), (0, 1)][face]


@pytest.mark.parametrize("players", PLAYERS)
def test_record_holds_the_booklets_rules(players: int) -> None:
    record = packed(players=players)
    assert (record.players, record.blue, record.orange) == (players, 52, 32 if players >= 4 else 0)
    assert [tuple(tile) for tile in record.tiles[:84].tolist()] == [
        (tile.number, DOMAIN_NAMES.index(tile.domain), tile.peasants, tile.chests) for tile in tile_list(values())
    ]
    assert (record.per_peasant, record.per_chest, record.mill_coins, record.barracks_coins) == (1, 1, 2, 2)
    assert (record.barracks_buries, record.village_restores, record.rampart_scouts) == (1, 1, 1)
    assert (record.extra_coin, record.extra_tokens, record.plot_tokens.tolist()) == (1, 8, [1] * 8)
    switches = record.plot_token_supply, record.slot_capacity, record.shortfall, record.final_floor, record.event_loss
    assert switches == (0,) * 5
    assert (record.empty_domain_penalty, record.coins.tolist()) == (10, [0] * 5)
    assert (record.cards, record.deck[:15].tolist()) == (15, list(range(15)))


def test_incomes_are_the_booklets() -> None:
    record = packed()
    lanes = record.gain.view(np.uint16).reshape(8, 8)  # [d, e]: what one more tile of d adds to the Income of e
    for index, (name, (counted, coins)) in enumerate(INCOMES.items()):
        assert DOMAIN_NAMES[index] == name
        assert {DOMAIN_NAMES[bit] for bit in range(8) if record.lists[index] >> bit & 1} == counted
        assert record.per_domain[index] == coins
        assert lanes[:, index].tolist() == [coins if other in counted else 0 for other in DOMAIN_NAMES]


def test_events_are_the_booklets() -> None:
    assert list(values().events) == list(EVENTS)
    for card, expected in zip(packed().events, EVENTS.values(), strict=False):
        assert card.per_tile.tolist() == [expected.get("per_tile", {}).get(name, 0) for name in DOMAIN_NAMES]
        buries = [DOMAIN_NAMES.index(name) for name in expected.get("buries", [])]
        assert card.buries.tolist() == [*buries, -1, -1, -1, -1][:4]
        for field in ("per_peasant", "per_chest", "per_domain", "per_buried", "restores"):
            assert card[field] == expected.get(field, 0)


def test_switches_and_assumed_data_are_the_rulings() -> None:
    rules = load_rules(GAME)
    assert rules.switches == {
        "starting_coins": [0, 0, 0, 0, 0],
        "shortfall": "pay_available",
        "final_floor": False,
        "plot_token_supply": "shared",
        "slot_capacity": "one_of_each",
        "event_loss": "owner_chooses",
    }
    assert sorted(rules.assumed) == ["tiles", "tokens.plot"]


@pytest.mark.parametrize(
    ("setting", "field", "expected"),
    [
        ("starting_coins=7", "coins", [7, 7, 7, 7, 0]),
        ("starting_coins=[0,1,2,3]", "coins", [0, 1, 2, 3, 0]),
        ("starting_coins=[9,8,7,6,5]", "coins", [9, 8, 7, 6, 0]),
        ("shortfall=debt", "shortfall", 1),
        ("final_floor=true", "final_floor", 1),
        ("plot_token_supply=unlimited", "plot_token_supply", 1),
        ("slot_capacity=one", "slot_capacity", 1),
        ("event_loss=top", "event_loss", 1),
        ("empty_domain_penalty=0", "empty_domain_penalty", 0),
        ("effects.coins_per_peasant=3", "per_peasant", 3),
        ("effects.coins_per_chest=0", "per_chest", 0),
        ("effects.mill_coins=1000", "mill_coins", 1000),
        ("effects.barracks_coins=0", "barracks_coins", 0),
        ("effects.barracks_buries=false", "barracks_buries", 0),
        ("effects.village_restores=false", "village_restores", 0),
        ("effects.rampart_scouts=false", "rampart_scouts", 0),
        ("effects.extra_coin=2", "extra_coin", 2),
        ("tokens.extra_coin=0", "extra_tokens", 0),
        ("tokens.plot.market=3", "plot_tokens", [1, 1, 1, 1, 3, 1, 1, 1]),
    ],
)
def test_each_value_moves_its_own_field(setting: str, field: str, expected: object) -> None:
    record, base = packed(setting), packed()
    assert record[field].tolist() == expected
    record[field] = base[field]
    assert record == base


def test_orange_stack_is_used_from_a_player_count_on() -> None:
    assert packed("stacks.orange_from_players=3", players=3).orange == 32
    assert packed("stacks.orange_from_players=3", players=2).orange == 0


def test_income_values_move_their_lanes() -> None:
    record = packed("domains.church.counts=['palace','field']", "domains.church.coins_per_tile=5")
    assert (record.lists[6], record.per_domain[6]) == (0b10000001, 5)
    assert record.gain.view(np.uint16).reshape(8, 8)[:, 6].tolist() == [5, 0, 0, 0, 0, 0, 0, 5]


def test_order_of_counted_domains_is_no_rule() -> None:
    one, other = (
        load_rules(GAME, "base", [f"domains.market.counts={order}"])
        for order in ("['mill','market']", "['market','mill']")
    )
    assert one.digest == other.digest == load_rules(GAME).digest


def test_event_without_copies_is_never_drawn_and_keeps_its_number() -> None:
    record = packed("events.alliance.copies=0", "events.earthquake.copies=3")
    assert record.deck[: record.cards].tolist() == [0, 1, *range(3, 14), 14, 14, 14]
    assert (record.events == packed().events).all()


def test_event_can_be_added_by_a_file_alone(tmp_path: Path) -> None:
    file = tmp_path / "fair.toml"
    file.write_text(
        'extends = "base"\n[events.a_fair]\ntitle = "Fair"\ncoins_per_tile = { market = -3 }\n'
        'buries = ["palace", "palace"]\nrestores = 2\n'
    )
    fair = values(reference=file)
    assert list(fair.events) == [*EVENTS, "a_fair"]
    card = pack(fair, 2).events[15]
    assert card.per_tile.tolist() == [0, 0, 0, 0, -3, 0, 0, 0]
    assert (card.buries.tolist(), card.restores) == ([7, 7, -1, -1], 2)
    assert pack(fair, 2).deck[15] == 15


def test_order_of_tables_in_a_file_is_no_rule() -> None:
    table = load_rules(GAME).to_dict()
    table["events"] = dict(reversed(table["events"].items()))
    table["tiles"]["faces"] = dict(reversed(table["tiles"]["faces"].items()))
    turned = MiddleAgesRules.model_validate(table)
    assert pack(turned, 5) == packed(players=5)


@pytest.mark.parametrize("players", PLAYERS)
def test_fewest_tiles(players: int) -> None:
    """16 N + 4; the booklet's 52 tiles for 3 players and 84 for 5 are exactly enough (rulings, "Round structure")."""
    assert tiles_needed(3) == 52
    assert tiles_needed(5) == 84
    faces = ("field_plain", "palace_chest")
    others = [f"tiles.faces.{name}.{stack}=0" for name in values().tiles.faces for stack in ("blue", "orange")]
    exact = [*others, f"tiles.faces.{faces[0]}.blue={tiles_needed(players) - 1}", f"tiles.faces.{faces[1]}.blue=1"]
    assert packed(*exact, players=players).blue == tiles_needed(players)
    with pytest.raises(UsageError, match=rf"{players} players need {tiles_needed(players)} tiles .* there are"):
        packed(*exact, f"tiles.faces.{faces[1]}.blue=0", players=players)


@pytest.mark.parametrize(
    ("settings", "players", "says"),
    [
        (["stacks.orange_from_players=6"], 4, "4 players need 68 tiles to fill all rows, there are 52"),
        (["tiles.faces.field_plain.orange=0"], 5, "5 players need 84 tiles to fill all rows, there are 82"),
        (["tiles.faces.field_plain.blue=255"], 2, "336 tiles, at most 255 are possible"),
        ([f"events.{name}.copies=0" for name in list(EVENTS)[:12]], 2, "3 cards of 15 kinds; the deck needs 4 to 64"),
        (["events.alliance.copies=51"], 2, "65 cards of 15 kinds; the deck needs 4 to 64"),
        (["starting_coins=[1,2,3]"], 4, "starting_coins: 3 entries for 4 players"),
        ([], 1, "2 to 5 players, not 1"),
        ([], 6, "2 to 5 players, not 6"),
    ],
)
def test_unplayable_rules_are_refused(settings: list[str], players: int, says: str) -> None:
    with pytest.raises(UsageError) as caught:
        packed(*settings, players=players)
    assert says in str(caught.value)
    assert "rules 'base'" in str(caught.value)


def test_largest_playable_decks_are_packed() -> None:
    assert packed("events.alliance.copies=50").cards == 64
    record = packed("tiles.faces.field_plain.blue=174")
    assert (record.blue + record.orange, record.tiles[254].tolist()) == (255, (23, 7, 0, 1))


@pytest.mark.parametrize(
    "setting",
    [
        "starting_coins=-1",
        "starting_coins=[0,0,0,0,0,0]",
        "starting_coins=10001",
        "starting_coins=true",
        "starting_coins=lots",
        "starting_coins=[0,1.0,2,3]",
        "empty_domain_penalty=-1",
        "domains.field.coins_per_tile=1001",
        "domains.field.coins_per_tile=-1",
        "domains.field.counts=[]x",
        "domains.field.counts=['mill','mill']",
        "effects.extra_coin=1001",
        "effects.barracks_buries=1",
        "tokens.extra_coin=-1",
        "tiles.faces.field_plain.number=0",
        "tiles.faces.field_plain.number=256",
        "tiles.faces.field_plain.peasants=256",
        "tiles.faces.field_plain.domain=moat",
        "stacks.orange_from_players=1",
        "events.alliance.copies=-1",
        "events.alliance.coins_per_peasant=10001",
        "events.alliance.coins_per_tile.church=-10001",
        "events.alliance.buries=['mill','mill','mill','mill','mill']",
        "events.alliance.restores=5",
    ],
)
def test_value_out_of_bounds_is_refused(setting: str) -> None:
    key = setting.partition("=")[0].rpartition(".")[2]
    with pytest.raises(UsageError, match=rf"^setting .*: (\[.*\] )?{key}"):
        values(setting)


def test_largest_income_fits_its_lane() -> None:
    """A player holds 16 tiles at most, each counted at most once by an Income."""
    record = packed("domains.field.coins_per_tile=1000", "effects.extra_coin=1000")
    assert 16 * (int(record.per_domain[0]) + int(record.extra_coin)) < 2**16


def test_every_shipped_variant_is_playable_and_differs() -> None:
    base = load_rules(GAME)
    for name in shipped_rules(GAME)[1:]:
        variant = load_rules(GAME, name)
        assert differences(base, variant)
        assert variant.name == name
        assert variant.title != base.title
        for players in PLAYERS:
            pack(variant.values, players)


def test_other_readings_turns_every_switch_between_readings() -> None:
    base, other = load_rules(GAME), load_rules(GAME, "other-readings")
    assert set(differences(base, other)) == set(base.switches) - {"starting_coins"}


def test_docs_name_every_key() -> None:
    docs = Path(__file__).parents[3] / "docs"
    text = "".join((docs / name).read_text(encoding="utf-8") for name in ("change-a-rule.md", "reference/keys.md"))
    keys = {part for key in load_rules(GAME).flat() for part in key.split(".")} - set(values().tiles.faces)
    named = {part for code in re.findall(r"`([^`\n]+)`", text) for part in re.findall(r"[a-z_]+", code)}
    assert keys - named == set()
    assert set(shipped_rules(GAME)) <= set(re.findall(r"`([a-z-]+)`", text))
