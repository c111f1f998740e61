"""Médiévallons: the declarations of its columns for the analyses."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from analysis.data.declarations import Actions, Breakdown, Cards, Declarations, Moment, Standing, moves_of_cards
from simcore.games.medievallons.rules import MedievallonsRules, card_list, power_of
from simcore.games.medievallons.state import ACTION_NAMES, DEALS, GUILD_NAMES, PHASE_NAMES, TYPE_NAMES
from simcore.running.tally import SHARE

Array = NDArray[Any]
Columns = Mapping[str, Array]
Rates = tuple[Array, Array]

DEAL = range(1, DEALS + 1)
PHASES = tuple(f"phase_{number + 1}" for number in range(len(PHASE_NAMES)))
PLAYED = ("never", "once", "more_often")
HELD = ("jesters_0", "jesters_1", "jesters_2", "jesters_3")
STARTS = ("starter", "other")


def _by_deal(stem: str) -> tuple[str, ...]:
    return tuple(f"{stem}_d{deal}" for deal in DEAL)


def _par(columns: Columns, deal: int) -> Array:
    """Win share of a deal, where 1 is fair."""
    won = columns[f"won60_d{deal}"]
    return np.asarray(won / SHARE * won.shape[1])


def _shares(parts: Sequence[tuple[Array, Array]]) -> Rates:
    """Sum values over the seats where masks hold: one (value, mask) per cell, both (games, players); cells last."""
    top = np.stack([(value * mask).sum(axis=1) for value, mask in parts], axis=1)
    bottom = np.stack([mask.sum(axis=1) for _, mask in parts], axis=1)
    return top, bottom


def _shaped(rates: Rates, rows: int, series: int) -> Rates:
    top, bottom = (part.reshape(len(part), rows, series) for part in rates)
    return top, bottom


def _laid(columns: Columns, rules: Any) -> Rates:
    """Win share of the deal by the type of the first, second and third guild laid."""
    total: list[Rates] = []
    for deal in DEAL:
        par = _par(columns, deal)
        parts = [
            (par, columns[f"{name}_d{deal}"] == kind + 1) for kind in range(len(TYPE_NAMES)) for name in GUILD_NAMES
        ]
        total.append(_shares(parts))
    top, bottom = (np.sum(part, axis=0) for part in zip(*total, strict=True))
    return _shaped((top, bottom), len(TYPE_NAMES), len(GUILD_NAMES))


def _played(columns: Columns, rules: Any) -> Rates:
    """Win share of the game by how often a type was played as a card."""
    par = columns["share60"] / SHARE * columns["share60"].shape[1]
    parts = []
    for name in TYPE_NAMES:
        times = columns[f"played_{name}"]
        parts += [(par, times == 0), (par, times == 1), (par, times > 1)]
    return _shaped(_shares(parts), len(TYPE_NAMES), len(PLAYED))


def _traffic(columns: Columns, rules: Any) -> Rates:
    """Cards gained and lost per seat and deal, by power."""
    deals = columns["deals"].sum(axis=1)
    moved = [columns[f"{what}_{name}"].sum(axis=1) for name in TYPE_NAMES for what in ("gained", "lost")]
    top = np.stack(moved, axis=1)
    return _shaped((top, np.broadcast_to(deals[:, None], top.shape)), len(TYPE_NAMES), 2)


def _own_turns(columns: Columns, phase: int) -> Array:
    return np.asarray(sum(columns[f"{action}_p{phase + 1}"].astype(np.int64) for action in ACTION_NAMES))


def _actions(columns: Columns, rules: Any) -> Rates:
    """Use of a seat's own turns, by phase."""
    top, bottom = [], []
    for phase in range(len(PHASES)):
        turns = _own_turns(columns, phase).sum(axis=1)
        for action in ACTION_NAMES:
            top.append(columns[f"{action}_p{phase + 1}"].sum(axis=1))
            bottom.append(turns)
    return _shaped((np.stack(top, axis=1), np.stack(bottom, axis=1)), len(PHASES), len(ACTION_NAMES))


def _hands(columns: Columns, rules: Any) -> Rates:
    """Cards in hand at the beginning of own turns, by phase: for those who won the game, and for the others."""
    won = columns["share60"] > 0
    top, bottom = [], []
    for phase in range(len(PHASES)):
        turns = _own_turns(columns, phase)
        for group in (won, ~won):
            top.append((columns[f"hands_p{phase + 1}"] * group).sum(axis=1))
            bottom.append((turns * group).sum(axis=1))
    return _shaped((np.stack(top, axis=1), np.stack(bottom, axis=1)), len(PHASES), 2)


def _endings(columns: Columns, rules: Any) -> Rates:
    """The endings of deals."""
    ends = np.stack([columns[name][:, 0] for name in _by_deal("ending")], axis=1)
    top = np.stack([(ends == code).sum(axis=1) for code in (1, 2)], axis=1)
    bottom = np.broadcast_to((ends > 0).sum(axis=1)[:, None], top.shape)
    return _shaped((top, bottom), 2, 1)


def _length(columns: Columns, rules: Any) -> Rates:
    """Turns of a deal, by its ending."""
    ends = np.stack([columns[name][:, 0] for name in _by_deal("ending")], axis=1)
    turns = np.stack([columns[name][:, 0] for name in _by_deal("turns")], axis=1)
    masks = [ends == code for code in (1, 2)]
    top = np.stack([(turns * mask).sum(axis=1) for mask in masks], axis=1)
    return _shaped((top, np.stack([mask.sum(axis=1) for mask in masks], axis=1)), 2, 1)


def _starts(columns: Columns, rules: Any) -> Rates:
    """Win share of a deal for the seat that starts it and for the others; the starter changes during a match."""
    parts: list[Rates] = []
    for deal in DEAL:
        par, ended = _par(columns, deal), columns[f"ending_d{deal}"] > 0
        starts = np.zeros(par.shape, bool)
        starts[:, (deal - 1) % par.shape[1]] = True
        parts.append(_shares([(par, ended & starts), (par, ended & ~starts)]))
    top, bottom = (np.sum(part, axis=0) for part in zip(*parts, strict=True))
    return _shaped((top, bottom), 2, 1)


def _matches(columns: Columns, rules: Any) -> Rates:
    """Number of deals of a game."""
    deals = columns["deals"][:, 0]
    top = np.stack([deals == number for number in DEAL], axis=1).astype(np.int64)
    return _shaped((top, np.ones_like(top)), DEALS, 1)


def _attacks(columns: Columns, rules: Any) -> Rates:
    """Cards lost to Assassins and Rogues per own turn, by guilds on the table."""
    top = np.stack([columns[f"attacked_{number}"].sum(axis=1) for number in (1, 2)], axis=1)
    bottom = np.stack([columns[f"exposed_{number}"].sum(axis=1) for number in (1, 2)], axis=1)
    return _shaped((top, bottom), 2, 1)


def _collapses(columns: Columns, rules: Any) -> Rates:
    """Own guilds that collapsed in a deal: for those who won the game, and for the others."""
    won = columns["share60"] > 0
    groups = (won, ~won)
    top = np.stack([(columns["collapses"] * group).sum(axis=1) for group in groups], axis=1)
    bottom = np.stack([(columns["deals"] * group).sum(axis=1) for group in groups], axis=1)
    return _shaped((top, bottom), 2, 1)


def _jesters(columns: Columns, rules: Any) -> Rates:
    """Win share of the deal by Jesters in the opening hand, which is random."""
    parts: list[Rates] = []
    for deal in DEAL:
        par, ended, held = _par(columns, deal), columns[f"ending_d{deal}"] > 0, columns[f"jesters_dealt_d{deal}"]
        masks = [held == number for number in range(len(HELD) - 1)] + [held >= len(HELD) - 1]
        parts.append(_shares([(par, mask & ended) for mask in masks]))
    top, bottom = (np.sum(part, axis=0) for part in zip(*parts, strict=True))
    return _shaped((top, bottom), len(HELD), 1)


def _asked(
    name: str,
    topic: str,
    rows: Sequence[str],
    series: Sequence[str],
    columns: Sequence[str],
    count: Callable[[Columns, Any], Rates],
    unit: str,
    says: bool = False,
    along: bool = False,
) -> Breakdown:
    return Breakdown(name, topic, tuple(rows), tuple(series), tuple(columns), count, unit, says, along)


_ACTIONS = tuple(f"{action}_p{phase + 1}" for action in ACTION_NAMES for phase in range(len(PHASES)))
_WON, _ENDS = _by_deal("won60"), _by_deal("ending")

BREAKDOWNS = (
    _asked("guilds_laid", "guild_value", TYPE_NAMES, GUILD_NAMES,
           (*_WON, *(column for name in GUILD_NAMES for column in _by_deal(name))), _laid, "par", True,
           True),
    _asked("cards_played", "guild_value", TYPE_NAMES, PLAYED,
           ("share60", *(f"played_{name}" for name in TYPE_NAMES)), _played, "par"),
    _asked("jesters_dealt", "guild_value", HELD, ("win_share",),
           (*_WON, *_ENDS, *_by_deal("jesters_dealt")), _jesters, "par", True, True),
    _asked("card_traffic", "powers", TYPE_NAMES, ("gained", "lost"),
           ("deals", *(f"{what}_{name}" for name in TYPE_NAMES for what in ("gained", "lost"))), _traffic, "number",
           True),
    _asked("attacks", "powers", ("one_guild", "more_guilds"), ("attacks",),
           ("attacked_1", "attacked_2", "exposed_1", "exposed_2"), _attacks, "number", True),
    _asked("collapses", "powers", ("winners", "others"), ("per_deal",), ("share60", "deals", "collapses"), _collapses,
           "number"),
    _asked("action_mix", "course", PHASES, ACTION_NAMES, _ACTIONS, _actions, "share"),
    _asked("hands", "course", PHASES, ("winners", "others"),
           ("share60", *(f"hands_p{phase + 1}" for phase in range(len(PHASES))), *_ACTIONS), _hands, "number"),
    _asked("endings", "course", ("by_guilds", "by_deck"), ("deals",), _ENDS, _endings, "share", True),
    _asked("length", "course", ("by_guilds", "by_deck"), ("turns",), (*_ENDS, *_by_deal("turns")), _length, "number"),
    _asked("starts", "deals_and_matches", STARTS, ("win_share",), (*_WON, *_ENDS), _starts, "par", True),
    _asked("match_length", "deals_and_matches", tuple(f"deals_{number}" for number in DEAL), ("games",), ("deals",),
           _matches, "share"),
)  # fmt: skip


def _struck(rules: Any, first: Mapping[str, Any], records: Sequence[Mapping[str, Any]]) -> Iterator[Moment]:
    """Yield at whom powers are aimed."""
    for record in records:
        if record["kind"] == "power" and record.get("target"):
            yield Moment("struck", record["power"], record["target"])


CARDS = Cards(
    noun="type",
    copies=lambda rules: rules.copies(),
    blank=lambda rules, names: rules.with_blanks(names),
    life=moves_of_cards(lambda rules, card: card_list(rules)[card], ("play", "lay", "reinforce"), _struck),
    key="types.{card}.copies",
)


def _power_copies(rules: MedievallonsRules) -> dict[str, int]:
    """Return the number of cards with each power; a Jester has none."""
    return {power_of(name): count for name, count in rules.copies().items() if name != "jester"}


def _power_on(rules: MedievallonsRules, card: int) -> str | None:
    """Return the power of a card."""
    name = power_of(card_list(rules)[card])
    return name if name in _power_copies(rules) else None


def _used(rules: Any, first: Mapping[str, Any], records: Sequence[Mapping[str, Any]]) -> Iterator[Moment]:
    """Yield who uses powers, and at whom they are aimed."""
    for record in records:
        if record["kind"] == "power":
            yield Moment("played", power_of(record["power"]), record["seat"])
    for moment in _struck(rules, first, records):
        yield moment._replace(card=power_of(moment.card))


POWERS = replace(
    CARDS,
    noun="card power",
    copies=_power_copies,
    life=moves_of_cards(_power_on, (), _used),
    key="",
    proviso="idle_power",
)

DECLARATIONS = Declarations(
    things=(CARDS, POWERS),
    standing=Standing("standing", ("guilds", "members", "hand"), begins="deal", shares=_WON),
    actions=Actions("action", ACTION_NAMES, begins="deal"),
    breakdowns=BREAKDOWNS,
    needs={"player": ("play", "lay", "reinforce", "use")},
    levers=("hand_size=3..9", "guilds_to_win=2..5", "turn_draws=1..3", "pass_draws=1..4"),
    uses=("played_*",),
    material=("types.*", "copies_per_type"),
)
