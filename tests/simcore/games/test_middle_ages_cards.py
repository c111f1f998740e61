"""Middle-Ages: Events of a designer's own, whom they hit, when, and by how much; known outcomes by hand."""

from __future__ import annotations

import copy
import json
from collections import Counter
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from simcore.errors import UsageError
from simcore.game import load_game
from simcore.games.middle_ages.rules import BOOKLET_EVENTS
from simcore.games.middle_ages.search import OF_PLAYER, see_player
from simcore.games.middle_ages.state import DOMAIN_NAMES, STANDINGS
from simcore.rules.files import load_rules
from simcore.running.replay import replay, replays
from tests.referee.middle_ages import check
from tests.simcore.games.by_hand import ByHand
from tests.specs import make_spec

GAME = load_game("middle-ages")


def card(**keys: Any) -> str:
    """Return the setting that adds an Event called `own`."""
    return f"events.own={_toml({'title': 'Own'} | keys)}"


def _toml(value: Any) -> str:
    if isinstance(value, dict):
        return "{" + ",".join(f"{key}={_toml(inner)}" for key, inner in value.items()) + "}"
    return json.dumps(value)


# --- by hand ---


def table(*rules: str, **keys: Any) -> ByHand:
    """Seat 1 has 100 coins, 2 Mills and a Field; seats 2 and 3 have 41, a Church and a Palace; seat 3 played first."""
    made = ByHand(3, card(**keys), *rules)
    made.buried(3, "market")
    made.fief(1, "mill_peasant", "mill", "field", coins=100)
    made.fief(2, "church_chest", "palace_chest", coins=41)
    made.fief(3, "church", "palace_peasant", coins=41)
    made.state.round = 4
    for seat, turn in ((1, 2), (2, 3), (3, 1)):
        made.outcome(seat).turn[3] = turn
    return made


EVERYBODY, NOBODY = [5, 5, 5], [0, 0, 0]
HIT: dict[str, tuple[dict[str, Any], list[int]]] = {
    "all": ({}, EVERYBODY),
    "the leader": ({"hits": "leader"}, [5, 0, 0]),
    "the last, both": ({"hits": "last"}, [0, 5, 5]),
    "the last, nobody": ({"hits": "last", "tie": "nobody"}, NOBODY),
    "the last, who played first": ({"hits": "last", "tie": "first"}, [0, 0, 5]),
    "a tie that is none": ({"hits": "leader", "tie": "nobody"}, [5, 0, 0]),
    "who played first": ({"hits": "first"}, [0, 0, 5]),
    "all on no tie": ({"tie": "nobody"}, EVERYBODY),
    "most coins": ({"hits": "most", "of": "coins"}, [5, 0, 0]),
    "most tiles": ({"hits": "most", "of": "tiles"}, [5, 0, 0]),
    "fewest tiles": ({"hits": "least", "of": "tiles"}, [0, 5, 5]),
    "most Domains": ({"hits": "most", "of": "domains"}, EVERYBODY),
    "most peasants": ({"hits": "most", "of": "peasants", "tie": "first"}, [0, 0, 5]),
    "fewest peasants": ({"hits": "least", "of": "peasants"}, [0, 5, 0]),
    "most chests": ({"hits": "most", "of": "chests"}, [0, 5, 0]),
    "most buried": ({"hits": "most", "of": "buried"}, [0, 0, 5]),
    "most Mills": ({"hits": "most", "of": "mill"}, [5, 0, 0]),
    "fewest Palaces": ({"hits": "least", "of": "palace"}, [5, 0, 0]),
    "this round": ({"rounds": [4, 12]}, EVERYBODY),
    "another round": ({"rounds": [8]}, NOBODY),
    "at least": ({"only_if": "coins", "at_least": 42}, [5, 0, 0]),
    "at most": ({"only_if": "coins", "at_most": 41}, [0, 5, 5]),
    "between": ({"only_if": "mill", "at_least": 2, "at_most": 2}, [5, 0, 0]),
    "the leader is spared": ({"hits": "leader", "only_if": "church", "at_least": 1}, NOBODY),
}


@pytest.mark.plain
@pytest.mark.parametrize("whom", HIT)
def test_whom_it_hits(whom: str) -> None:
    keys, gained = HIT[whom]
    assert table(coins=5, **keys).event("own") == gained


AMOUNTS: dict[str, tuple[dict[str, Any], list[int]]] = {
    "fixed": ({"coins": 7}, [7, 7, 7]),
    "fixed and lost": ({"coins": -50}, [-50, -41, -41]),  # they pay what they hold
    "a share": ({"coins_share": 10}, [10, 4, 4]),
    "a share lost": ({"coins_share": -10}, [-10, -4, -4]),  # rounded down, whoever gains
    "all": ({"coins_share": -100}, [-100, -41, -41]),
    "per thing": ({"coins_per_peasant": 2, "coins_per_buried_tile": 3}, [2, 0, 2 + 3]),
    "all kinds": ({"coins": 1, "coins_share": 50, "coins_per_domain": -2, "hits": "leader"}, [1 + 50 - 4, 0, 0]),
    "a tile of those hit": ({"coins_per_tile": {"palace": 4}, "hits": "most", "of": "chests"}, [0, 4, 0]),
}


@pytest.mark.plain
@pytest.mark.parametrize("amount", AMOUNTS)
def test_how_much_it_moves(amount: str) -> None:
    keys, gained = AMOUNTS[amount]
    made = table(**keys)
    assert made.event("own") == gained
    assert [int(made.outcome(seat).event_coins[0]) for seat in (1, 2, 3)] == gained


@pytest.mark.plain
def test_a_share_of_a_debt_is_nothing() -> None:
    made = table("shortfall=debt", coins_share=-50, coins=-1, hits="last")
    made.player(3).coins = -10
    assert made.event("own") == [0, 0, -1]


@pytest.mark.plain
def test_standings_are_those_before_the_card_moves_anything() -> None:
    """Seat 1 loses its lead to the card, and seat 2 does not become the leader meanwhile."""
    made = table(hits="leader", coins_share=-100)
    assert made.event("own") == [-100, 0, 0]


@pytest.mark.plain
def test_only_those_hit_lose_tiles_or_take_them_back() -> None:
    made = table(hits="most", of="mill", buries=["mill", "palace"], restores=1)
    made.event("own", 0)
    assert (len(made.cemetery(1)), made.tiles(1)) == (0, {"field": 1, "mill": 2})  # one buried, and taken back
    assert (made.cemetery(2), len(made.cemetery(3))) == ([], 1)
    assert made.each("burials") == [1, 0, 1]


@pytest.mark.plain
def test_players_see_what_a_card_to_come_would_bring_them_now() -> None:
    made = table(hits="leader", coins_share=-10)
    made.state.round = 3
    made.state.cards[:4] = [made.events.index("own"), *[made.events.index("alliance")] * 3]
    seen = np.zeros((3, len(OF_PLAYER)), np.int32)
    for seat in range(3):
        see_player(made.rules, made.state, np.int64(0), np.int64(seat), seen[seat], 0)
    assert seen[:, OF_PLAYER.index("coins of the next Event")].tolist() == [-10, 0, 0]
    assert seen[:, OF_PLAYER.index("coins of later Events")].tolist() == [0, 3 * 6, 3 * 6]


# --- refusals ---


@pytest.mark.parametrize(
    ("keys", "says"),
    [
        ({"hits": "active"}, "[events.own] hits: must be 'all', 'leader', 'last', 'most', 'least' or 'first'"),
        ({"hits": "most"}, "[events] own: hits = 'most' does not say of what; set `of` to what counts"),
        ({"hits": "most", "of": "points"}, "[events.own] of: must be 'coins', 'tiles', 'domains'"),
        ({"tie": "last"}, "[events.own] tie: must be 'all', 'nobody' or 'first'"),
        ({"rounds": [4, 5]}, "[events.own] rounds, entry 2: must be 4, 8, 12 or 16, not 5"),
        ({"only_if": "coins"}, "[events] own: only_if does nothing without at_least or at_most"),
        ({"at_least": 3}, "[events] own: only_if does nothing without at_least or at_most"),
        ({"only_if": "mill", "at_least": 3, "at_most": 2}, "[events] own: at_least = 3 and at_most = 2 hit nobody"),
        ({"coins": 10_001}, "[events.own] coins: must be 10000 or less"),
        ({"coins_share": -101}, "[events.own] coins_share: must be -100 or more"),
    ],
)
def test_a_card_that_makes_no_sense_is_refused(keys: dict[str, Any], says: str) -> None:
    with pytest.raises(UsageError) as caught:
        load_rules(GAME, "base", card(**keys))
    assert f"setting {card(**keys)}"[:40] in str(caught.value)
    assert says in str(caught.value)
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize(
    ("keys", "players", "says"),
    [
        ({"only_if": "church", "at_least": 6}, 3, "with 3 players, 'church' stays between 0 and 5"),
        ({"only_if": "tiles", "at_least": 17}, 4, "with 4 players, 'tiles' stays between 0 and 16"),
        ({"only_if": "peasants", "at_least": 17}, 4, "'peasants' stays between 0 and 16"),
        ({"only_if": "coins", "at_most": -1}, 4, "'coins' stays between 0 and "),
        ({"only_if": "mill", "at_most": -1}, 4, "'mill' stays between 0 and 13"),
    ],
)
def test_a_card_that_can_never_hit_is_refused(keys: dict[str, Any], players: int, says: str) -> None:
    with pytest.raises(UsageError) as caught:
        GAME.pack(load_rules(GAME, "base", card(**keys)).values, players)
    assert "rules 'base': [events.own]: only_if can never be met" in str(caught.value)
    assert says in str(caught.value)


def test_bounds_that_can_be_met_are_not_refused() -> None:
    GAME.pack(load_rules(GAME, "base", card(only_if="church", at_least=5)).values, 3)
    GAME.pack(load_rules(GAME, "base", ["shortfall=debt", card(only_if="coins", at_most=-1)]).values, 3)


RICH = [
    "tiles.faces.field_peasant.peasants=255", "tiles.faces.field_peasant.chests=255", "effects.coins_per_peasant=1000",
    "effects.coins_per_chest=1000", "starting_coins=10000", "empty_domain_penalty=10000", "effects.mill_coins=1000",
    "tiles.faces.field_peasant.blue=160",
]  # fmt: skip


def test_coins_that_cannot_be_counted_are_refused() -> None:
    """The largest amounts alone stay below 2**31 at every table; a share that doubles them four times does not."""
    largest = dict.fromkeys(("coins_per_peasant", "coins_per_chest", "coins_per_domain"), 10_000)
    GAME.pack(load_rules(GAME, "base", [*RICH, card(**largest)]).values, 5)
    with pytest.raises(UsageError, match=r"\[events.own\]: coins_share = 100 could make more than 2,147,483,647 coins"):
        GAME.pack(load_rules(GAME, "base", [*RICH, card(**largest, coins_share=100)]).values, 5)


# --- the rules, their digest, and words ---


def test_new_keys_change_no_digest_of_printed_cards() -> None:
    printed = load_rules(GAME)
    assert printed.digest == "ade3a179bf08565e2b9617cf52db34bd0b3e34b00a1417dc42962690d2d1ebd5"
    same = load_rules(GAME, "base", ["events.alliance.hits=all", "events.alliance.coins=0"])
    assert (same.digest, same.values.in_words()) == (printed.digest, {})
    other = load_rules(GAME, "base", "events.alliance.hits=leader")
    assert other.digest != printed.digest
    assert other.flat()["events.alliance.tie"] == "all"


SENTENCES: list[tuple[dict[str, Any], str, str]] = [
    ({}, "Every player does nothing.", "Chaque joueur ne fait rien."),
    (
        {"hits": "leader", "tie": "nobody", "coins_share": -20, "rounds": [8, 12, 16]},
        "The leader (on a tie, nobody) loses 20% of their coins, only after round 8, 12 or 16.",
        "Le joueur en tête (personne en cas d'égalité) perd 20\u202f% de ses pièces, seulement après le tour 8, 12"
        " ou 16.",
    ),
    (
        {"hits": "least", "of": "church", "coins": 1, "restores": 2, "only_if": "coins", "at_most": 9},
        "The player with the fewest Church tiles (on a tie, all of them) gains 1 coin and takes back 2 buried tiles, if"
        " their number of coins is at most 9.",
        "Le joueur qui a le moins de tuiles Église (tous en cas d'égalité) gagne 1 pièce et reprend 2 tuiles du"
        " Cimetière, si le nombre de ses pièces est d'au plus 9.",
    ),
]  # fmt: skip


@pytest.mark.parametrize(("keys", "english", "french"), SENTENCES)
def test_rules_say_what_a_card_does(keys: dict[str, Any], english: str, french: str) -> None:
    values = load_rules(GAME, "base", card(**keys)).values
    assert (values.in_words(), values.in_words("fr")) == ({"events.own": english}, {"events.own": french})


# --- whole games, followed by the referee ---


STRANGE = st.fixed_dictionaries(
    {
        "hits": st.sampled_from(["all", "leader", "last", "most", "least", "first"]),
        "of": st.sampled_from(STANDINGS),
        "tie": st.sampled_from(["all", "nobody", "first"]),
        "rounds": st.lists(st.sampled_from([4, 8, 12, 16]), max_size=3, unique=True),
    },
    optional={
        "coins": st.integers(-30, 30),
        "coins_share": st.integers(-100, 100),
        "coins_per_tile": st.dictionaries(st.sampled_from(DOMAIN_NAMES), st.integers(-3, 3), min_size=1, max_size=3),
        "coins_per_chest": st.integers(-3, 3),
        "coins_per_buried_tile": st.integers(-3, 3),
        "buries": st.lists(st.sampled_from(DOMAIN_NAMES), max_size=4),
        "restores": st.integers(0, 4),
    },
)
CONDITIONS = st.one_of(
    st.just({}),
    st.fixed_dictionaries({"only_if": st.sampled_from(STANDINGS), "at_least": st.integers(0, 2)}),
    st.fixed_dictionaries({"only_if": st.sampled_from(STANDINGS), "at_most": st.integers(0, 60)}),
)
WITHOUT = [f"events.{name}.copies=0" for name in BOOKLET_EVENTS[3:]]


@settings(max_examples=15)
@given(
    keys=STRANGE,
    condition=CONDITIONS,
    players=st.sampled_from([2, 3, 4, 5]),
    rules=st.lists(st.sampled_from(["shortfall=debt", "event_loss=top", "starting_coins=9"]), max_size=2, unique=True),
    seed=st.integers(0, 2**64 - 1),
)
def test_referee_follows_any_card(
    keys: dict[str, Any], condition: dict[str, Any], players: int, rules: list[str], seed: int
) -> None:
    """With three cards of the booklet and two copies of a strange one, nearly every game draws it."""
    own = card(**keys, **condition, copies=2)
    spec = make_spec(
        players, ["greedy", *["random"] * (players - 1)], [own, *WITHOUT, *rules], design="shuffle", seed=seed
    )
    drawn = 0
    for played in replays(spec, 0, 6):
        drawn += "own" in played.header["events"]
        assert check([played.header, *played.records], standard=False) == []
    assert drawn == 6


def test_referee_notices_whom_a_card_should_have_hit() -> None:
    spec = make_spec(3, ["random"], [card(hits="last", coins=7, copies=9), *WITHOUT], seed=5)
    for played in replays(spec, 0, 10):
        log = [played.header, *played.records]
        assert check(log, standard=False) == []
        spoilt = copy.deepcopy(log)
        spoilt[0]["cards"]["own"]["hits"] = "leader"
        assert any("outcomes" in message for message in check(spoilt, standard=False))
        assert any("no cards beside the rulings' 15" in message for message in check(log))


def test_replay_says_what_the_card_does() -> None:
    spec = make_spec(3, ["random"], [card(hits="last", tie="nobody", coins=7, copies=9), *WITHOUT], seed=5)
    assert "  Own: The player in last place (on a tie, nobody) gains 7 coins." in replay(spec, 0).text().splitlines()
    assert replay(spec, 0).header["cards"] == {
        "own": {"title": "Own", "copies": 9, "hits": "last", "tie": "nobody", "coins": 7}
    }


def test_a_blank_card_in_its_place_leaves_every_other_draw() -> None:
    """A card that hits nobody is a card that does nothing: same games."""
    spared = make_spec(4, ["greedy"], [card(coins=-5, rounds=[8], hits="last", tie="nobody", copies=1)])
    blank = make_spec(4, ["greedy"], [card(copies=1)])
    for index in range(40):
        first, second = replay(spared, index), replay(blank, index)
        hit = any(
            record["kind"] == "event" and record["event"] == "own" and any(one["coins"] for one in record["outcomes"])
            for record in first.records
        )
        assert hit or first.records == second.records


# --- the manual ---


DOCS = Path(__file__).parents[3] / "docs"


def test_the_card_of_the_manual_is_on_its_page_and_can_be_played() -> None:
    """docs/cards.md shows docs/example-card.toml; the referee sees that it hits the leader, and not after round 4."""
    shown = (DOCS / "example-card.toml").read_text(encoding="utf-8").partition("\n")[2]
    assert f"```toml\n{shown}```" in (DOCS / "cards.md").read_text(encoding="utf-8")
    hit: Counter[int] = Counter()
    for played in replays(make_spec(4, ["greedy"], rules=str(DOCS / "example-card.toml")), 0, 30):
        assert check([played.header, *played.records], standard=False) == []
        events = [record for record in played.records if record["kind"] == "event"]
        for record in events:
            if record["event"] == "tithe_of_the_crown":
                hit[record["round"]] += sum(outcome["coins"] < 0 for outcome in record["outcomes"])
    assert hit[4] == 0 and min(hit[8], hit[12], hit[16]) > 0
