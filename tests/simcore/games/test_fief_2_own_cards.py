"""Fief 2: cards of a designer's own, whom they hit, when, and by how much; known outcomes by hand."""

from __future__ import annotations

import copy
import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from simcore.errors import UsageError
from simcore.game import load_game
from simcore.games.fief_2.cards import is_playable
from simcore.games.fief_2.state import FIRST_OWN, STANDINGS
from simcore.rules.files import load_rules
from simcore.running.replay import replay, replays
from tests.referee.fief_2 import check
from tests.simcore.games.fief_by_hand import ByHand
from tests.specs import make_spec

GAME = load_game("fief-2")


def card(**keys: Any) -> str:
    """Return the setting that adds a card called `own`."""
    table = {"title": "Own"} | keys
    return f"cards.own={{{', '.join(f'{key}={json.dumps(value)}' for key, value in table.items())}}}"


# --- by hand ---


def table(**keys: Any) -> ByHand:
    """Seat 1 has 1,000 écus, a title and 90 points, seat 2 two villages and 500, seat 3 501; seat 2 begins turn 2."""
    made = ByHand(3, card(**keys))
    made.lord(0, 1, "tournus", "duchy_tournus")
    made.lord(1, 2, "bourg")
    made.hold(2, "sigy", "bourg")
    made.lord(2, 3, "blaye")
    made.lord(3, 3, "blaye")
    made.state.money[:3] = 1_000, 500, 501
    made.state.score[:3] = 90, 40, 40
    made.state.turn, made.state.first = 2, 1
    return made


def moved(made: ByHand, seat: int = 3) -> list[int] | None:
    """Return what each family gains if a seat plays the card; None if it cannot be played."""
    before = made.state.money[:3].copy()
    own = next(number for number in range(int(made.rules.cards)) if made.rules.kind[number] == FIRST_OWN)
    if not is_playable(made.rules, made.state, np.int64(seat - 1), np.int64(own)):
        return None
    made.play(seat, own)
    assert int(made.state.discards) >> own & 1
    return list(made.state.money[:3] - before)


HIT: dict[str, tuple[dict[str, Any], list[int] | None]] = {
    "all": ({}, [5, 5, 5]),
    "the leader": ({"hits": "leader"}, [5, 0, 0]),
    "the last, both": ({"hits": "last"}, [0, 5, 5]),
    "the last, nobody": ({"hits": "last", "tie": "nobody"}, None),
    "the last, who plays first": ({"hits": "last", "tie": "first"}, [0, 5, 0]),
    "the first in turn order": ({"hits": "first"}, [0, 5, 0]),
    "who plays it": ({"hits": "player"}, [0, 0, 5]),
    "the others": ({"hits": "others", "tie": "nobody"}, [5, 5, 0]),
    "most money": ({"hits": "most", "of": "money"}, [5, 0, 0]),
    "least money": ({"hits": "least", "of": "money"}, [0, 5, 0]),
    "most villages": ({"hits": "most", "of": "villages"}, [0, 5, 0]),
    "most titles": ({"hits": "most", "of": "titles"}, [5, 0, 0]),
    "most lords": ({"hits": "most", "of": "lords"}, [0, 0, 5]),
    "most soldiers": ({"hits": "most", "of": "soldiers"}, [0, 5, 0]),
    "this turn": ({"rounds": [2, 9]}, [5, 5, 5]),
    "another turn": ({"rounds": [3]}, None),
    "at least": ({"only_if": "money", "at_least": 502}, [5, 0, 0]),
    "the player is spared": ({"hits": "player", "only_if": "lords", "at_most": 1}, None),
}


@pytest.mark.plain
@pytest.mark.parametrize("whom", HIT)
def test_whom_it_hits(whom: str) -> None:
    keys, gained = HIT[whom]
    assert moved(table(money=5, **keys)) == gained


AMOUNTS: dict[str, tuple[dict[str, Any], list[int]]] = {
    "fixed": ({"money": 700}, [700, 700, 700]),
    "they pay what they have": ({"money": -600}, [-600, -500, -501]),
    "a share, rounded down": ({"money_share": -10}, [-100, -50, -50]),
    "all": ({"money_share": -100}, [-1_000, -500, -501]),
    "things": ({"money_per_village": 7, "money_per_title": -30}, [7 - 30, 14, 7]),
    "lords and soldiers": ({"money_per_lord": 10, "money_per_soldier": 100}, [10, 10 + 200, 20]),
    "all kinds": ({"money": 1, "money_share": -50, "hits": "leader"}, [1 - 500, 0, 0]),
}


@pytest.mark.plain
@pytest.mark.parametrize("amount", AMOUNTS)
def test_how_much_it_moves(amount: str) -> None:
    keys, gained = AMOUNTS[amount]
    made = table(**keys)
    assert moved(made) == gained
    paid = [(r["from"], r["to"], r["amount"]) for r in made.records("money") if r["why"] == "play"]
    own = [(0, 1 + seat, gain) if gain > 0 else (1 + seat, 0, -gain) for seat, gain in enumerate(gained) if gain]
    assert sorted(paid) == sorted(own)


# --- refusals ---


@pytest.mark.parametrize(
    ("keys", "says"),
    [
        ({"hits": "king"}, "hits: must be 'all', 'leader', 'last', 'most', 'least', 'first', 'player' or 'others'"),
        ({"hits": "most", "of": "coins"}, "of: must be 'score', 'money', 'villages', 'titles', 'lords' or 'soldiers'"),
        ({"hits": "least"}, "hits = 'least' does not say of what"),
        ({"money_share": 20}, "money_share: must be 0 or less"),
        ({"money": 10_001}, "money: must be 10000 or less"),
        ({"rounds": [26]}, "rounds, entry 1: must be 1, 2"),
    ],
)
def test_a_card_that_makes_no_sense_is_refused(keys: dict[str, Any], says: str) -> None:
    with pytest.raises(UsageError) as caught:
        load_rules(GAME, "base", card(**keys))
    assert says in str(caught.value) and "\n" not in str(caught.value)


@pytest.mark.parametrize(
    ("rules", "says"),
    [
        (
            [card(rounds=[20, 22])],
            "[cards.own]: rounds: no game lasts until turn 20, so it can never be played; name one from",
        ),
        ([card(only_if="villages", at_least=25)], "only_if can never be met: 'villages' stays between 0 and 24"),
        ([card(only_if="money", at_most=-1)], "only_if can never be met: 'money' stays between 0 and no limit"),
        (
            [card(money=10_000), "scores.money_each=1", "scores.money=1000"],
            "10,000 écus a play could make a score of more",
        ),
        ([card(copies=6)], "[deck]: 63 cards, at most 62 are possible"),
    ],
)
def test_a_card_that_can_never_be_played_or_counted_is_refused(rules: list[str], says: str) -> None:
    with pytest.raises(UsageError) as caught:
        GAME.pack(load_rules(GAME, "base", rules).values, 4)
    assert says in str(caught.value) and "\n" not in str(caught.value)


def test_a_name_of_the_box_is_refused() -> None:
    with pytest.raises(UsageError, match="the box has a card of this name; give yours another one"):
        load_rules(GAME, "base", card().replace("cards.own", "cards.plague"))


# --- the rules, their digest, and words ---


def test_the_table_changes_no_digest_of_the_printed_rules() -> None:
    printed = load_rules(GAME)
    assert printed.digest == "8992ae2edd479221ae6cf8e9021becc00725cf3b4d2951845a9223ed66e87f9d"
    assert "cards" not in printed.to_dict() and printed.values.in_words() == {}
    assert load_rules(GAME, "base", card()).digest != printed.digest


@pytest.mark.parametrize(
    ("keys", "english", "french"),
    [
        (
            {"hits": "leader", "tie": "nobody", "money_share": -40, "rounds": [5, 10]},
            "The family with the most points (on a tie, nobody) loses 40% of its écus, only in turn 5 or 10.",
            "La famille qui a le plus de points (aucune en cas d'égalité) perd 40\u202f% de ses écus, seulement au tour"
            " 5 ou 10.",
        ),
        (
            {"hits": "others", "money": -1, "money_per_village": 20, "only_if": "titles", "at_least": 2},
            "Every other family loses 1 écu and gains 20 écus for every village, if its number of titles is at least"
            " 2.",
            "Chaque autre famille perd 1 écu et gagne 20 écus par village, si le nombre de ses titres est d'au moins"
            " 2.",
        ),
    ],
)
def test_rules_say_what_a_card_does(keys: dict[str, Any], english: str, french: str) -> None:
    values = load_rules(GAME, "base", card(**keys)).values
    assert (values.in_words(), values.in_words("fr")) == ({"cards.own": english}, {"cards.own": french})


# --- whole games, followed by the referee ---


STRANGE = st.fixed_dictionaries(
    {
        "hits": st.sampled_from(["all", "leader", "last", "most", "least", "first", "player", "others"]),
        "of": st.sampled_from(STANDINGS),
        "tie": st.sampled_from(["all", "nobody", "first"]),
        "rounds": st.lists(st.integers(1, 15), max_size=6, unique=True),
    },
    optional={
        "money": st.integers(-800, 800),
        "money_share": st.integers(-100, 0),
        "money_per_village": st.integers(-90, 90),
        "money_per_title": st.integers(-90, 90),
        "money_per_lord": st.integers(-90, 90),
        "money_per_soldier": st.integers(-9, 9),
    },
)
CONDITIONS = st.one_of(
    st.just({}),
    st.fixed_dictionaries({"only_if": st.sampled_from(STANDINGS), "at_least": st.integers(0, 2)}),
    st.fixed_dictionaries({"only_if": st.sampled_from(STANDINGS), "at_most": st.integers(0, 60)}),
)


@settings(max_examples=10)
@given(keys=STRANGE, condition=CONDITIONS, players=st.integers(3, 6), seed=st.integers(0, 2**64 - 1))
def test_referee_follows_any_card(keys: dict[str, Any], condition: dict[str, Any], players: int, seed: int) -> None:
    """The steward plays such a card when it gains by it, and last of all, as the referee's own steward does."""
    names = ["steward", "random", "suzerain", "steward", "random", "random"][:players]
    own = card(**keys, **condition, copies=5)
    spec = make_spec(players, names, own, game="fief-2", design="shuffle", seed=seed)
    for played in replays(spec, 0, 2):
        assert check([played.header, *played.records], standard=False) == []


def test_referee_notices_whom_a_card_should_have_hit() -> None:
    spec = make_spec(4, ["random"], card(hits="last", money=70, copies=5), game="fief-2", seed=5)
    noticed = 0
    for played in replays(spec, 0, 6):
        log = [played.header, *played.records]
        assert check(log, standard=False) == []
        spoilt = copy.deepcopy(log)
        spoilt[0]["own_cards"]["own"]["hits"] = "leader"
        noticed += bool(check(spoilt, standard=False))
        assert any("is no field of the game line" in message for message in check(log))
    assert noticed >= 3


def test_replay_says_what_the_card_does() -> None:
    spec = make_spec(3, ["random"], card(hits="last", tie="nobody", money=7, copies=5), game="fief-2", seed=5)
    line = "  own: The family with the fewest points (on a tie, nobody) gains 7 écus."
    assert line in replay(spec, 0).text().splitlines()


def test_it_is_judged_as_the_cards_of_the_box() -> None:
    """With a blank in its place it is never played, and every other draw stays where it was."""
    from analysis.cards.table import card_pilot, things_of

    spec = make_spec(4, ["steward"], card(hits="others", money_share=-100, copies=5), game="fief-2", games=200)
    made = card_pilot(spec, things_of(GAME)[0], ["own"], 0.05, 120, race=False, threads=1).table()
    own = made.table.row(0, named=True)
    assert own["copies"] == 5 and own["played"] > 0.3 and own["decides"] > 0.3
    assert made.against["struck"].min() > 0.5


# --- the manual ---


DOCS = Path(__file__).parents[3] / "docs"


def test_the_card_of_the_manual_is_on_its_page_and_is_played() -> None:
    """docs/cards.md shows docs/example-fief-card.toml; the referee sees that it hits who has scored the most alone."""
    shown = (DOCS / "example-fief-card.toml").read_text(encoding="utf-8").partition("\n")[2]
    assert f"```toml\n{shown}```" in (DOCS / "cards.md").read_text(encoding="utf-8")
    turns = list[int]()
    spec = make_spec(4, ["steward"], rules=str(DOCS / "example-fief-card.toml"), game="fief-2")
    for played in replays(spec, 0, 10):
        assert check([played.header, *played.records], standard=False) == []
        turns += [record["turn"] for record in played.records if record["kind"] == "money" and record["why"] == "play"]
    assert len(turns) > 10 and min(turns) > 5, "until the first scoring all families are level"
