"""The table of cards against known answers: a planted effect, equal cards, and 17lands' formulas by hand."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl
import pytest

from analysis.cards.table import (
    PARTS,
    _Comparison,
    card_pilot,
    changed_games,
    per_copy,
    rates_of_drawn,
    things_of,
    tiers,
)
from analysis.data.declarations import Cards, Moment
from analysis.stats.moments import Moments
from simcore.doors import named
from simcore.errors import UsageError
from simcore.game import load_game
from strategies.spec import make_spec
from tests.specs import make_spec as middle_ages

TOY = '''
from dataclasses import dataclass
import equipoise as eq

class Gems(eq.PlainGame):
    """Four seats draw a score from 1 to 100; one of them holds the gem, and the leader draws the cup."""

    players = range(4, 5)

    @dataclass
    class Rules:
        gem: int = 40
        cup: int = 0

    def start(self):
        self.scores = [self.chance("score", seat).randint(1, 100) for seat in range(4)]
        self.gem = self.chance("deck").randrange(4)
        self.leader = self.scores.index(max(self.scores))
        self.scores[self.gem] += self.rules.gem
        self.scores[self.leader] += self.rules.cup
        self.moved = False

    def legal(self):
        return [0]

    def apply(self, move):
        self.moved = True

    def over(self):
        return self.moved

    def payoffs(self):
        return self.scores

    def held(self):
        return {"gem": [int(seat == self.gem) for seat in range(4)],
                "cup": [int(seat == self.leader) for seat in range(4)]}
'''


def moments(rules: Any, first: Mapping[str, Any], records: Sequence[Mapping[str, Any]]) -> Iterator[Moment]:
    """Yield who holds the gem from the start, and who draws the cup."""
    for card, what in (("gem", "start"), ("cup", "drawn")):
        yield Moment(what, card, 1 + records[0]["held"][card].index(1))  # type: ignore[arg-type]


def without(rules: Any, names: Sequence[str]) -> Any:
    """Return rules in which some cards do nothing."""
    return rules.model_copy(update=dict.fromkeys(names, 0))


def gain_of_the_gem() -> float:
    """What 40 more points bring a seat, by counting: its share of the wins with them, minus a quarter."""
    lower = np.arange(1, 101)
    own = lower + 40
    below = np.clip(own - 1, 0, 100) / 100
    level = ((own >= 1) & (own <= 100)) / 100
    # the share of a seat with others below or level: sum over how many are level of C(3, k) below^(3-k) level^k / (k+1)
    share = sum(c * below ** (3 - k) * level**k / (k + 1) for k, c in enumerate((1, 3, 3, 1)))
    return float(share.mean() - 0.25)


def test_the_effect_of_a_planted_card_is_its_own_and_that_of_the_leaders_card_is_none(tmp_path: Path) -> None:
    """The cup does nothing, but the leader draws it: winning goes with it, and the rates of games as played say so."""
    file = tmp_path / "gems.py"
    file.write_text(TOY)
    spec = make_spec(named(str(file)), 4, ("random",) * 4, games=400)
    thing = Cards("card", lambda rules: {"gem": 1, "cup": 1}, without, life=moments)
    made = card_pilot(spec, thing, within=0.05, most=400, race=False, threads=1).table()
    gem, cup = (made.table.row(by_predicate=pl.col("card") == card, named=True) for card in ("gem", "cup"))
    assert abs(gem["does"] - gain_of_the_gem()) < 4 * gem["does_se"] < 0.15
    assert gem["does_low"] > 0.2
    assert cup["does"] == cup["decides"] == 0
    assert cup["iwd_low"] > 0.3, "the observational column is wrong: the leader draws it"
    assert (gem["tier"], cup["tier"]) == (1, 2)
    assert [one.code for one in made.verdicts] == [
        "cards_does",
        "cards_gap",
        *([] if gem["needed"] is None else ["cards_unsure"]),
    ]
    assert made.verdicts[1].values["card"] == "cup"


RELIC = '''
from dataclasses import dataclass
import equipoise as eq

class Relic(eq.PlainGame):
    """Two seats draw a score from 1 to 100. Seat 1 pays 90 to seek a real relic it has heard of; chance deals it."""

    players = range(2, 3)

    @dataclass
    class Rules:
        relic: int = 40

    def start(self):
        self.scores = [self.chance("score", seat).randint(1, 100) for seat in range(2)]
        self.rumour = self.chance("rumour").randrange(2)
        self.holder = self.chance("deck").randrange(2)
        self.moves = 0

    def legal(self):
        return [1 if not self.moves and self.rumour and self.rules.relic else 0]

    def apply(self, move):
        self.moves += 1
        self.scores[0] -= 90 * move
        if self.moves == 2:
            self.scores[self.holder] += self.rules.relic

    def over(self):
        return self.moves == 2

    def payoffs(self):
        return self.scores

    def held(self):
        return {"relic": [int(self.moves == 2 and seat == self.holder) for seat in range(2)]}
'''


def finds(rules: Any, first: Mapping[str, Any], records: Sequence[Mapping[str, Any]]) -> Iterator[Moment]:
    """Yield who comes to hold the relic."""
    for record in records:
        if 1 in record.get("held", {}).get("relic", ()):
            yield Moment("drawn", "relic", 1 + record["held"]["relic"].index(1))
            return


def test_games_in_which_players_sought_a_card_do_not_count(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """40 points bring the share of pairs of scores that they win, minus a half; the price of seeking does not count."""
    file = tmp_path / "relic.py"
    file.write_text(RELIC)
    spec = make_spec(named(str(file)), 2, ("random",) * 2, games=400)
    thing = Cards("card", lambda rules: {"relic": 1}, without, life=finds)

    def does() -> tuple[float, float, int]:
        made = card_pilot(spec, thing, within=0.05, most=400, race=False, threads=1).table()
        row = made.table.row(0, named=True)
        return row["does"], row["does_se"], row["deals"]

    lower = np.arange(1, 101)
    ahead = lower[:, None] + 40 - lower
    gain = float(((ahead > 0) + (ahead == 0) / 2).mean() - 0.5)
    value, se, deals = does()
    assert abs(value - gain) < 4 * se < 0.15
    monkeypatch.setattr(_Comparison, "_alike", lambda self, card, deals, games, lives: np.ones(int(games.sum()), bool))
    biased, wide, of = does()
    assert biased < gain - 3 * wide and of == deals


def sums_of(rng: np.random.Generator, effects: np.ndarray, deals: int, copies: int) -> Moments:
    """Return the sums of deals in which every card comes to four seats, and each copy brings its holder its effect."""
    cards = len(effects)
    own = rng.multinomial(copies, [0.25] * 4, size=(deals, cards)).astype(float)
    gain = effects[:, None] * own - (effects[:, None] * own).mean(axis=2, keepdims=True)
    noise = rng.choice([-1.0, 0, 1.0], p=[0.1, 0.8, 0.1], size=own.shape)
    difference = gain + noise - noise.mean(axis=2, keepdims=True)
    others = copies - own
    parts = [own * own, own * others, others * others, own * difference, others * difference]
    one = np.ones((deals, cards))
    made = Moments(PARTS * cards)
    made.add(np.stack([one, one, *(part.sum(axis=2) for part in parts)], axis=2).reshape(deals, -1))
    return made


@pytest.mark.parametrize("copies", [1, 6])
def test_intervals_hold_the_effect_of_a_copy_and_equal_cards_are_one_tier(copies: int) -> None:
    """What a copy brings is its effect less the quarter of it that the seat's own mean takes away."""
    rng, deals, cards = np.random.default_rng(copies), 150, 8
    equal = np.full(cards, 0.1)
    inside, single = [], []
    for _ in range(300):
        effects = per_copy(sums_of(rng, equal, deals, copies), np.full(cards, deals))
        inside.append(np.abs(effects.value - 0.075) < 1.976 * effects.se)  # Student's t, 149 degrees of freedom
        single.append(set(tiers(effects, 0.95)) == {1})
    assert 0.93 < np.mean(inside) < 0.97
    assert np.mean(single) >= 0.95
    apart = per_copy(sums_of(rng, np.array([0.9, 0.0, 0.0]), deals, copies), np.full(3, deals))
    assert tiers(apart, 0.95) == [1, 2, 2]


def test_a_card_with_too_few_deals_has_no_tier() -> None:
    made = per_copy(sums_of(np.random.default_rng(1), np.zeros(2), 40, 1), np.array([40, 12]))
    assert tiers(made, 0.95) == [1, None]


def test_rates_are_those_of_17lands_by_hand() -> None:
    """Two games of two seats, three copies of one card; GIH and GNS count copies, as 17lands does.

    Game 1: seat 1 wins and draws 2 of 3, seat 2 draws 1.  Game 2: seat 2 wins and draws 3, seat 1 draws none.
    GIH WR (2 + 3) / (2 + 1 + 3) = 5/6; GNS WR (1 + 0) / (1 + 2 + 3 + 0) = 1/6; IWD 4/6.
    """
    share = np.array([[1.0, 0.0], [0.0, 1.0]])
    drawn = np.array([[[2], [1]], [[0], [3]]])
    won, count, lost, rest = rates_of_drawn(share, drawn, np.array([3])).sum(axis=(1, 2))
    assert (won / count, lost / rest) == (5 / 6, 1 / 6)


def test_events_are_compared_by_seat_and_need_no_holder() -> None:
    spec = middle_ages(3, ["greedy"], games=300)
    made = card_pilot(
        spec, things_of(spec.game)[0], ["alliance", "black_death"], 0.05, 200, race=False, threads=1
    ).table()
    assert set(made.table["why"]) == {"strikes_all"}
    assert made.table["does"].is_null().all() and made.table["gih_wr"].is_null().all()
    assert set(made.effects["by"]) == {"seat"}
    changes = made.effects.group_by("card").agg(pl.col("effect").sum())
    assert changes["effect"].abs().max() == pytest.approx(0), "what one seat gains another loses"
    assert [note.code for note in made.notes if note.code == "cards_strike_all"]


def test_one_thread_or_two_and_one_card_or_all_give_the_same() -> None:
    spec = middle_ages(2, ["greedy"], games=300)
    thing = things_of(spec.game)[0]
    every = card_pilot(spec, thing, (), 0.05, 160, race=False, threads=2).table().table
    alone = card_pilot(spec, thing, ["alliance"], 0.05, 160, race=False, threads=1).table().table
    columns = ["card", "deals", "decides", "decides_low", "seen"]
    assert alone.select(columns).equals(every.filter(pl.col("card") == "alliance").select(columns))


def test_types_of_cards_can_be_blank_in_medievallons() -> None:
    """Blank Jesters stand for nothing: nobody lays one, and the same cards are dealt."""
    from simcore.running.batch import run_chunk
    from strategies.spec import under_rules

    spec = make_spec("medievallons", 3, ("random",) * 3, games=60)
    thing = things_of(load_game("medievallons"))[0]
    assert thing.blank is not None
    blank = under_rules(spec, _with(spec.rules, thing.blank(spec.rules.values, ["jester", "monk"])))
    plain, rows = run_chunk(spec, 0, 60), run_chunk(blank, 0, 60)
    assert plain["jesters_laid"].any() and not rows["jesters_laid"].any()
    assert (plain["jesters_dealt"][:, 0] == rows["jesters_dealt"][:, 0]).all()
    assert not rows["played"][:, [2, 8]].any() and rows["played"].any()


def _with(rules: Any, values: Any) -> Any:
    from dataclasses import replace

    return replace(rules, values=values)


def test_changed_games_is_a_plain_rate() -> None:
    made = Moments(PARTS)
    made.add(np.array([[1, 2, *[0] * 5], [0, 2, *[0] * 5], [2, 2, *[0] * 5]]))
    assert changed_games(made, np.array([3])).value.tolist() == [0.5]


def test_a_name_that_the_game_lacks_is_refused() -> None:
    spec = middle_ages(2, ["greedy"])
    with pytest.raises(UsageError, match="no Event 'aliance' in Middle-Ages; did you mean 'alliance'"):
        card_pilot(spec, things_of(spec.game)[0], ["aliance"])
