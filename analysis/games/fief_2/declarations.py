"""Fief 2: the declarations of its columns for the analyses."""

from __future__ import annotations

from collections.abc import Iterable
from functools import partial
from typing import Any

import numpy as np

from analysis.breakdowns import WHO, Columns, Rates, by_count, by_winner, cells, means, pars
from analysis.data.declarations import Breakdown, Declarations, Standing
from analysis.games.fief_2 import happenings
from analysis.games.fief_2.cards import CARDS, HOLDINGS
from simcore.game import load_game
from simcore.games.fief_2.state import BOUGHT, BUY, CARD_KINDS, INCOMES, SOURCES
from simcore.rules.files import load_rules

_RULES: Any = load_rules(load_game("fief-2")).values
PRINTED = _RULES.map
VILLAGES = tuple(village.name for village in PRINTED.villages())
REGIONS = tuple(region.name for region in PRINTED.regions)
SCORINGS = happenings.SCORINGS
PLACES = tuple(f"placing_{number}" for number in range(1, 7))
TITLES = ("titles_0", "titles_1", "titles_2", "titles_3")
CROWNS = ("never", "up_to_5_turns", "6_turns_and_more")
PLAYED = ("never", "once", "more_often")


def _on_map(columns: Columns, rules: Any, masks: Iterable[Any]) -> Rates:
    """Win share where masks hold, on the printed map, whose villages are the rows; no rates on another one."""
    printed = tuple(village.name for village in rules.map.villages()) == VILLAGES
    par = pars(columns["share60"])
    return means((par, mask & printed) for mask in masks)


def _first(columns: Columns, rules: Any) -> Rates:
    """Win share by village of the first castle."""
    return _on_map(columns, rules, (columns["first_village"] == number for number in range(len(VILLAGES))))


def _held(columns: Columns, rules: Any) -> Rates:
    """Win share of the family that holds a village at the end."""
    held = columns["held"].astype(np.int64)
    return _on_map(columns, rules, (held >> number & 1 == 1 for number in range(len(VILLAGES))))


def _first_regions(columns: Columns) -> Any:
    """Return the number of the region of every first castle, by the printed map."""
    ends = np.cumsum([len(region.villages) for region in PRINTED.regions])
    return np.searchsorted(ends, columns["first_village"], side="right")


def _regions(columns: Columns, rules: Any) -> Rates:
    """Win share by region of the first castle."""
    region = _first_regions(columns)
    return _on_map(columns, rules, (region == number for number in range(len(REGIONS))))


def _whole(columns: Columns, rules: Any) -> Rates:
    """Win share of the family that holds a whole region at the end."""
    held, first, masks = columns["held"].astype(np.int64), 0, []
    for region in PRINTED.regions:
        area = (1 << len(region.villages)) - 1 << first
        masks.append(held & area == area)
        first += len(region.villages)
    return _on_map(columns, rules, masks)


def _placing(columns: Columns, rules: Any) -> Rates:
    """Win share by order of placing: alone in the region of the first castle, and with others in it."""
    par, region = pars(columns["share60"]), _first_regions(columns)
    together = (region[:, :, None] == region[:, None, :]).sum(axis=2) > 1
    seat = np.arange(par.shape[1])
    return means((par, (seat == place) & where) for place in range(len(PLACES)) for where in (~together, together))


def _crowns(columns: Columns, rules: Any) -> Rates:
    """Win share by turns with an own King, and with an own Queen."""
    par, turns = pars(columns["share60"]), [columns[name] for name in ("king_turns", "queen_turns")]
    return means((par, (low <= own) & (own <= high)) for low, high in ((0, 0), (1, 5), (6, 99)) for own in turns)


def _scorings(columns: Columns, rules: Any) -> Rates:
    """Points by scoring, for the scorings that took place."""
    top, bottom = by_winner(columns, rules, SCORINGS)
    held = np.arange(1, len(SCORINGS) + 1) * rules.scores.every <= columns["turns"][:, :1]
    return top, bottom * np.repeat(held, len(WHO), axis=1)


PAYING = {
    "titles_bought": (0, 1, 2), "cardinals_bought": (0, 1, 2), "castles_bought": (0, 1, 2), "mills_bought": (0, 2, 4),
    "presses_bought": (0, 2, 4), "soldiers_bought": (0, 5, 15),
}  # fmt: skip
"""What may be bought: the largest numbers that count as none, as few and as some."""

AMOUNTS = ("none", "few", "some", "many")


def _paying(columns: Columns, rules: Any) -> Rates:
    """Win share by how much of each item a family bought."""
    par = pars(columns["share60"])
    amounts = [np.searchsorted(bounds, columns[name]) for name, bounds in PAYING.items()]
    return means((par, amount == number) for amount in amounts for number in range(len(AMOUNTS)))


def _fights(columns: Columns, rules: Any) -> Rates:
    """Share of its fights that a family won, as attacker and as defender."""
    return cells((columns[f"{name}_won"], columns[name]) for name in ("attacks", "defences"))


WAR = ("attacks", "defences", "soldiers_lost", "lords_lost", "captured", "elected", "regencies")
CARDS_PLAYED = tuple(f"played_{name}" for name in CARD_KINDS)
SCORED = tuple(f"score_{name}" for name in SOURCES)
EARNED = tuple(f"income_{name}" for name in INCOMES)

BREAKDOWNS = (
    Breakdown("placing", "placing_order", PLACES, ("alone", "together"), ("share60", "first_village"), _placing, "par"),
    Breakdown("first_villages", "map", VILLAGES, ("win_share",), ("share60", "first_village"), _first, "par", True),
    Breakdown("first_regions", "map", REGIONS, ("win_share",), ("share60", "first_village"), _regions, "par"),
    Breakdown("held_villages", "map", VILLAGES, ("win_share",), ("share60", "held"), _held, "par", True),
    Breakdown("whole_regions", "map", REGIONS, ("win_share",), ("share60", "held"), _whole, "par"),
    Breakdown("score_sources", "scores", SOURCES, WHO, ("share60", *SCORED), partial(by_winner, names=SCORED),
              "number", True),
    Breakdown("scorings", "scores", SCORINGS, WHO, ("share60", "turns", *SCORINGS), _scorings, "number"),
    Breakdown("titles_held", "scores", TITLES, ("win_share",), ("share60", "titles"),
              partial(by_count, names=("titles",), most=3), "par", True, True),
    Breakdown("crowns", "scores", CROWNS, ("king", "queen"), ("share60", "king_turns", "queen_turns"), _crowns, "par",
              True),
    Breakdown("incomes", "accounts", INCOMES, WHO, ("share60", *EARNED), partial(by_winner, names=EARNED), "number",
              True),
    Breakdown("bought", "accounts", BOUGHT, WHO, ("share60", *BOUGHT), partial(by_winner, names=BOUGHT), "number"),
    Breakdown("paying", "accounts", tuple(PAYING), AMOUNTS, ("share60", *PAYING), _paying, "par"),
    Breakdown("cards_played", "kinds_played", CARD_KINDS, PLAYED,
              ("share60", *CARDS_PLAYED), partial(by_count, names=CARDS_PLAYED, most=2), "par"),
    Breakdown("fights_won", "war", ("as_attacker", "as_defender"), ("won",),
              ("attacks", "attacks_won", "defences", "defences_won"), _fights, "share", True),
    Breakdown("war_and_crown", "war", WAR, WHO, ("share60", *WAR), partial(by_winner, names=WAR), "number"),
    Breakdown("regents", "war", PLAYED, ("win_share",), ("share60", "regencies"),
              partial(by_count, names=("regencies",), most=2), "par"),
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
