"""Fief 2: the declarations of its columns for the analyses."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import partial
from typing import Any

import numpy as np
from numpy.typing import NDArray

from analysis.data.declarations import Breakdown, Declarations, Standing
from analysis.games.fief_2 import happenings
from analysis.games.fief_2.cards import CARDS, HOLDINGS
from simcore.game import load_game
from simcore.games.fief_2.state import BOUGHT, BUY, CARD_KINDS, INCOMES, SOURCES
from simcore.rules.files import load_rules
from simcore.running.tally import SHARE

Array = NDArray[Any]
Columns = Mapping[str, Array]
Rates = tuple[Array, Array]

_RULES: Any = load_rules(load_game("fief-2")).values
PRINTED = _RULES.map
VILLAGES = tuple(village.name for village in PRINTED.villages())
REGIONS = tuple(region.name for region in PRINTED.regions)
SCORINGS = happenings.SCORINGS
PLACES = tuple(f"placing_{number}" for number in range(1, 7))
TITLES = ("titles_0", "titles_1", "titles_2", "titles_3")
CROWNS = ("never", "up_to_5_turns", "6_turns_and_more")
PLAYED = ("never", "once", "more_often")
WHO = ("winners", "others")


def _par(columns: Columns) -> Array:
    """Win share, where 1 is fair."""
    share = columns["share60"]
    return np.asarray(share / SHARE * share.shape[1])


def _rates(parts: Sequence[tuple[Array, Array]], series: int = 1) -> Rates:
    """Sum values over the seats where masks hold: one (value, mask) for each cell, both of shape (games, players)."""
    top = np.stack([(value * mask).sum(axis=1) for value, mask in parts], axis=1)
    bottom = np.stack([mask.sum(axis=1) for _, mask in parts], axis=1)
    shape = (len(top), len(parts) // series, series)
    return top.reshape(shape), bottom.reshape(shape)


def _is_printed(rules: Any) -> bool:
    """Return whether the map is the printed one, whose villages are the rows."""
    return tuple(village.name for village in rules.map.villages()) == VILLAGES


def _first(columns: Columns, rules: Any) -> Rates:
    """Win share by village of the first castle."""
    par, first = _par(columns), columns["first_village"]
    known = np.full(par.shape, _is_printed(rules))
    return _rates([(par, (first == number) & known) for number in range(len(VILLAGES))])


def _held(columns: Columns, rules: Any) -> Rates:
    """Win share of the family that holds a village at the end."""
    par, held = _par(columns), columns["held"].astype(np.int64)
    known = np.full(par.shape, _is_printed(rules))
    return _rates([(par, (held >> number & 1 == 1) & known) for number in range(len(VILLAGES))])


def _first_regions(columns: Columns) -> Array:
    """Return the number of the region of every first castle, by the printed map."""
    ends = np.cumsum([len(region.villages) for region in PRINTED.regions])
    return np.searchsorted(ends, columns["first_village"], side="right")


def _regions(columns: Columns, rules: Any) -> Rates:
    """Win share by region of the first castle."""
    par, region = _par(columns), _first_regions(columns)
    known = np.full(par.shape, _is_printed(rules))
    return _rates([(par, (region == number) & known) for number in range(len(REGIONS))])


def _whole(columns: Columns, rules: Any) -> Rates:
    """Win share of the family that holds a whole region at the end."""
    par, held = _par(columns), columns["held"].astype(np.int64)
    known, first, parts = np.full(par.shape, _is_printed(rules)), 0, []
    for region in PRINTED.regions:
        area = (1 << len(region.villages)) - 1 << first
        parts.append((par, (held & area == area) & known))
        first += len(region.villages)
    return _rates(parts)


def _placing(columns: Columns, rules: Any) -> Rates:
    """Win share by order of placing: alone in the region of the first castle, and with others in it."""
    par, region = _par(columns), _first_regions(columns)
    together = (region[:, :, None] == region[:, None, :]).sum(axis=2) > 1
    seat = np.arange(par.shape[1])
    cells = [((seat == place) & known) for place in range(len(PLACES)) for known in (~together, together)]
    return _rates([(par, cell) for cell in cells], 2)


def _titles(columns: Columns, rules: Any) -> Rates:
    """Win share by titles at the end."""
    par, titles = _par(columns), columns["titles"]
    masks = [titles == number for number in range(len(TITLES) - 1)] + [titles >= len(TITLES) - 1]
    return _rates([(par, mask) for mask in masks])


def _crowns(columns: Columns, rules: Any) -> Rates:
    """Win share by turns with an own King, and with an own Queen."""
    par = _par(columns)
    parts = []
    for low, high in ((0, 0), (1, 5), (6, 99)):
        parts += [(par, (columns[name] >= low) & (columns[name] <= high)) for name in ("king_turns", "queen_turns")]
    return _rates(parts, 2)


def _by_winner(columns: Columns, rules: Any, names: Sequence[str]) -> Rates:
    """Means of some columns: for those who won the game, and for the others."""
    won = columns["share60"] > 0
    return _rates([(columns[name], group) for name in names for group in (won, ~won)], 2)


def _scorings(columns: Columns, rules: Any) -> Rates:
    """Points by scoring, for the scorings that took place."""
    top, bottom = _by_winner(columns, rules, SCORINGS)
    held = np.arange(1, len(SCORINGS) + 1) * rules.scores.every <= columns["turns"][:, :1]
    return top, bottom * held[:, :, None]


PAYING = {
    "titles_bought": (0, 1, 2), "cardinals_bought": (0, 1, 2), "castles_bought": (0, 1, 2), "mills_bought": (0, 2, 4),
    "presses_bought": (0, 2, 4), "soldiers_bought": (0, 5, 15),
}  # fmt: skip
"""What may be bought: the largest numbers that count as none, as few and as some."""

AMOUNTS = ("none", "few", "some", "many")


def _paying(columns: Columns, rules: Any) -> Rates:
    """Win share by how much of each item a family bought."""
    par, parts = _par(columns), []
    for name, bounds in PAYING.items():
        amount = np.searchsorted(bounds, columns[name])
        parts += [(par, amount == number) for number in range(len(AMOUNTS))]
    return _rates(parts, len(AMOUNTS))


def _played(columns: Columns, rules: Any) -> Rates:
    """Win share by how often a kind of card was played."""
    par, parts = _par(columns), []
    for name in CARD_KINDS:
        times = columns[f"played_{name}"]
        parts += [(par, times == 0), (par, times == 1), (par, times > 1)]
    return _rates(parts, len(PLAYED))


def _fights(columns: Columns, rules: Any) -> Rates:
    """Share of its fights that a family won, as attacker and as defender."""
    pairs = (("attacks", "attacks_won"), ("defences", "defences_won"))
    top = np.stack([columns[won].sum(axis=1) for _, won in pairs], axis=1)
    bottom = np.stack([columns[fought].sum(axis=1) for fought, _ in pairs], axis=1)
    return top[:, :, None], bottom[:, :, None]


REGENCIES = ("never", "once", "more_often")


def _regents(columns: Columns, rules: Any) -> Rates:
    """Win share by how often an own Queen became Regent."""
    par, times = _par(columns), columns["regencies"]
    return _rates([(par, times == 0), (par, times == 1), (par, times > 1)])


WAR = ("attacks", "defences", "soldiers_lost", "lords_lost", "captured", "elected", "regencies")


SCORED = tuple(f"score_{name}" for name in SOURCES)
EARNED = tuple(f"income_{name}" for name in INCOMES)

BREAKDOWNS = (
    Breakdown("placing", "placing_order", PLACES, ("alone", "together"), ("share60", "first_village"), _placing, "par"),
    Breakdown("first_villages", "map", VILLAGES, ("win_share",), ("share60", "first_village"), _first, "par", True),
    Breakdown("first_regions", "map", REGIONS, ("win_share",), ("share60", "first_village"), _regions, "par"),
    Breakdown("held_villages", "map", VILLAGES, ("win_share",), ("share60", "held"), _held, "par", True),
    Breakdown("whole_regions", "map", REGIONS, ("win_share",), ("share60", "held"), _whole, "par"),
    Breakdown("score_sources", "scores", SOURCES, WHO, ("share60", *SCORED), partial(_by_winner, names=SCORED),
              "number", True),
    Breakdown("scorings", "scores", SCORINGS, WHO, ("share60", "turns", *SCORINGS), _scorings, "number"),
    Breakdown("titles_held", "scores", TITLES, ("win_share",), ("share60", "titles"), _titles, "par", True, True),
    Breakdown("crowns", "scores", CROWNS, ("king", "queen"), ("share60", "king_turns", "queen_turns"), _crowns, "par",
              True),
    Breakdown("incomes", "accounts", INCOMES, WHO, ("share60", *EARNED), partial(_by_winner, names=EARNED), "number",
              True),
    Breakdown("bought", "accounts", BOUGHT, WHO, ("share60", *BOUGHT), partial(_by_winner, names=BOUGHT), "number"),
    Breakdown("paying", "accounts", tuple(PAYING), AMOUNTS, ("share60", *PAYING), _paying, "par"),
    Breakdown("cards_played", "kinds_played", CARD_KINDS, PLAYED,
              ("share60", *(f"played_{name}" for name in CARD_KINDS)), _played, "par"),
    Breakdown("fights_won", "war", ("as_attacker", "as_defender"), ("won",),
              ("attacks", "attacks_won", "defences", "defences_won"), _fights, "share", True),
    Breakdown("war_and_crown", "war", WAR, WHO, ("share60", *WAR), partial(_by_winner, names=WAR), "number"),
    Breakdown("regents", "war", REGENCIES, ("win_share",), ("share60", "regencies"), _regents, "par"),
    *happenings.BREAKDOWNS,
)  # fmt: skip

DECLARATIONS = Declarations(
    cards=CARDS,
    things=(HOLDINGS,),
    standing=Standing("standing", ("score", "money", "villages")),
    breakdowns=BREAKDOWNS,
    length="turns",
    needs={"player": BUY},
    levers=("turns=5..25", "start.money=0..1500:100", "start.soldiers=1..20", "prices.title=0..600:100"),
    material=("map.*", "deck.*", "cards.*", "limits.castles", "limits.mills", "limits.presses"),
    uses=("attacks", "*_bought", "played_*", "ransoms"),
)
