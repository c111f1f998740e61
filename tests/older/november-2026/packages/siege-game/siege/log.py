"""Siege: a recorded game as replay log and as text."""

from itertools import islice

from siege.rules import KINDS
from siege.state import MOST, UNIT
from simcore.log_records import Field, RecordKind, nobody


def own(name):
    """Return what a burgher sees of a list by burgher: its own entry."""

    def seen(first, record, seat):
        """Return the entry of one burgher."""
        return [cards if burgher == seat else None for burgher, cards in enumerate(record[name], 2)]

    return seen


RECORD_KINDS = (
    RecordKind("hands", "the first cards", (Field("hands", seen=nobody, instead=own("hands")),)),
    RecordKind(
        "season",
        "a season",
        (
            Field("season"),
            Field("drawn", seen=nobody, instead=own("drawn")),
            Field("demand"),
            Field("gifts"),
            Field("walls"),
        ),
    ),
    RecordKind("end", "the end", (Field("walls"), Field("given"), Field("place"), Field("share840"))),
)


def header(words, rules, players):
    """Return what the first line says beside what all games say."""
    return {"options": {name: getattr(rules, name) for name in ("supplies", "walls", "hand", "copies", "upkeep")}}


def draws(words, burghers):
    """Return the card that each burgher draws; None where there is none."""
    return [KINDS[word] if word >= 0 else None for word in islice(words, burghers)]


def records(words, rules, players):
    """Yield the first hands, one record a season, and the end."""
    burghers, words = players - 1, iter(words)
    drawn = [draws(words, burghers) for _ in range(rules.hand)]
    yield {"kind": "hands", "hands": [list(cards) for cards in zip(*drawn, strict=True)]}
    hands = [[row[seat] for row in drawn] for seat in range(burghers)]
    walls, supplies, season, given = rules.walls * burghers, rules.supplies * burghers, 0, [0] * burghers
    while walls > 0 and supplies > 0:
        season += 1
        cards = draws(words, burghers)
        move, gifts = next(words), []
        wanted = {kind: move // MOST**place % MOST for place, kind in enumerate(KINDS)}
        supplies -= sum(wanted.values()) + rules.upkeep
        opened = dict(wanted)
        for seat, (hand, card) in enumerate(zip(hands, cards, strict=True)):
            hand.append(card)
            kind = dict(enumerate(KINDS)).get(next(words))
            count = min(hand.count(kind), opened.get(kind, 0))
            for _ in range(count):
                hand.remove(kind)
            opened[kind] = opened.get(kind, 0) - count
            given[seat] += count
            gifts.append({kind: count} if count else {})
        walls -= sum(max(units, 0) for units in opened.values())
        yield {"kind": "season", "season": season, "drawn": cards, "demand": wanted, "gifts": gifts, "walls": walls}
    yield {"kind": "end", "walls": walls, "given": given} | ending(walls, given, rules, players)


def ending(walls, given, rules, players):
    """Return places and shares of the win."""
    if walls <= 0:
        return {"place": [1] + [2] * (players - 1), "share840": [UNIT] + [0] * (players - 1)}
    best = [not rules.honours or cards == max(given) for cards in given]
    place = [1 if first else 1 + sum(best) for first in best]
    shares = [UNIT // 2 // (players - 1) + UNIT // 2 // sum(best) * first for first in best]
    return {"place": [players, *place], "share840": [0, *shares]}


def narrate(header, records):
    """Yield the lines of a readable text."""
    yield f"Siege, {header['players']} players, seed {header['seed']}, game {header['game_id']}"
    for record in records:
        if record["kind"] == "season":
            demand = ", ".join(f"{units} {kind}" for kind, units in record["demand"].items() if units)
            gifts = [f"{count} {kind}" for gift in record["gifts"] for kind, count in gift.items()]
            yield f"{record['season']:3}  demand of {demand}; given: {', '.join(gifts) or '-'}; walls {record['walls']}"
        elif record["kind"] == "end":
            yield f"Places {record['place']}, shares {record['share840']}"
