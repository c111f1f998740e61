"""Blank tiles of Middle-Ages: what they no longer do, and which games count for what a tile brings."""

from __future__ import annotations

from dataclasses import replace

import pytest

from analysis.cards.table import _Comparison, things_of
from simcore.game import load_game
from simcore.running.replay import replay
from strategies.spec import make_spec, under_rules

TILES = things_of(load_game("middle-ages"))[1]
DOMAINS = ("field", "mill", "village", "rampart", "market", "barracks", "church", "palace")


@pytest.mark.parametrize("domain", DOMAINS)
def test_a_blank_tile_pays_nothing_does_nothing_and_is_counted_nowhere(domain: str) -> None:
    """By the log of games of players who take tiles at random: no effect that moves anything, and no income.

    Plot tokens, which Palaces place, count as tiles of other Domains; they stay in the box but for Palaces.
    """
    without = () if domain == "palace" else [f"tokens.plot.{name}=0" for name in DOMAINS]
    spec = make_spec("middle-ages", 3, ("random",) * 3, settings=without, games=6)
    assert TILES.blank is not None
    values = TILES.blank(spec.rules.values, [domain])
    blank = under_rules(spec, replace(spec.rules, values=values))
    shown, done = [0, 0], [0, 0]
    for number, one in enumerate((spec, blank)):
        for game in range(6):
            log = replay(one, game).logs[0]
            for record in log.records:
                own = record.get("domain") == domain
                if own and record["kind"] == "income":
                    shown[number] += record["coins"]
                if own and record["kind"] == "effect":
                    others = [*record.get("paid", ()), *record.get("hits", ())]
                    moved = [record.get(name) for name in ("coins", "slot", "row", "tile")]
                    moved += [other.get(name) for other in others for name in ("coins", "tile")]
                    done[number] += any(one not in (0, None) for one in moved)
    assert shown[0] > 0 and shown[1] == 0
    assert done[0] > 0 and done[1] == 0
    assert all(domain not in getattr(values.domains, other).counts for other in DOMAINS)
    assert not any(face.peasants or face.chests for face in values.tiles.faces.values() if face.domain == domain)
    others = [face for face in values.tiles.faces.values() if face.domain != domain]
    assert others == [face for face in spec.rules.values.tiles.faces.values() if face.domain != domain]


def test_games_that_differ_before_a_tile_is_taken_do_not_count() -> None:
    """By the moves of both games, read from the log; those who plan leave what is blank, and chance hardly cares."""
    shares = []
    for strategy in ("champion", "random"):
        spec = make_spec("middle-ages", 4, (strategy,) * 4, games=40)
        comparison = _Comparison(spec, TILES, ["barracks"])
        lives = comparison._lives(range(10))
        card, games = comparison.index["barracks"], lives.first[:, 0, 0] >= 0
        alike = comparison._alike(card, range(10), games, lives)
        for game, equal in enumerate(alike.tolist()):
            mine, other = (replay(one, game).logs[0] for one in (spec, comparison.specs[card]))
            domain = {tile["id"]: tile["domain"] for tile in mine.header["tiles"]}
            row = {}
            for one, two in zip(mine.records, other.records, strict=False):
                if one["kind"] == "deal":
                    row[one["row"]] = one["tiles"]
                if one["kind"] == "lord" and domain[row[one["row"]][one["col"]]] == "barracks":
                    assert equal
                    break
                if one != two:
                    assert not equal
                    break
        shares.append(alike.mean())
    assert 0 < shares[0] < shares[1]
