"""Médiévallons: the declarations of its columns for the analyses."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import partial
from itertools import product
from typing import Any

import numpy as np

from analysis.breakdowns import WHO, Columns, Rates, by_count, by_winner, cells, counts, means, pars
from analysis.data.declarations import Actions, Breakdown, Cards, Declarations, Moment, Standing, moves_of_cards
from simcore.games.medievallons.rules import MedievallonsRules, card_list, power_of
from simcore.games.medievallons.state import ACTION_NAMES, DEALS, GUILD_NAMES, PHASE_NAMES, TYPE_NAMES

DEAL = range(1, DEALS + 1)
PHASE = range(1, len(PHASE_NAMES) + 1)
PHASES = tuple(f"phase_{number}" for number in PHASE)
PLAYED = ("never", "once", "more_often")
HELD = ("jesters_0", "jesters_1", "jesters_2", "jesters_3")
STARTS = ("starter", "other")


def _by_deal(stem: str) -> tuple[str, ...]:
    return tuple(f"{stem}_d{deal}" for deal in DEAL)


def _over_deals(columns: Columns, masks: Callable[[int], Iterable[Any]]) -> Rates:
    """Win share of a deal where its masks hold, over all deals."""
    each = (means((pars(columns[f"won60_d{deal}"]), mask) for mask in masks(deal)) for deal in DEAL)
    top, bottom = (np.sum(part, axis=0) for part in zip(*each, strict=True))
    return top, bottom


def _laid(columns: Columns, rules: Any) -> Rates:
    """Win share of the deal by the type of the first, second and third guild laid."""
    places = list(product(range(1, 1 + len(TYPE_NAMES)), GUILD_NAMES))
    return _over_deals(columns, lambda deal: (columns[f"{name}_d{deal}"] == kind for kind, name in places))


def _traffic(columns: Columns, rules: Any) -> Rates:
    """Cards gained and lost per seat and deal, by power."""
    return cells((columns[f"{what}_{name}"], columns["deals"]) for name in TYPE_NAMES for what in ("gained", "lost"))


def _own_turns(columns: Columns, phase: int) -> Any:
    return sum(columns[f"{action}_p{phase}"].astype(np.int64) for action in ACTION_NAMES)


def _actions(columns: Columns, rules: Any) -> Rates:
    """Use of a seat's own turns, by phase."""
    turns = {phase: _own_turns(columns, phase) for phase in PHASE}
    return cells((columns[f"{action}_p{phase}"], turns[phase]) for phase in PHASE for action in ACTION_NAMES)


def _hands(columns: Columns, rules: Any) -> Rates:
    """Cards in hand at the beginning of own turns, by phase: for those who won the game, and for the others."""
    turns = {f"turns_p{phase}": _own_turns(columns, phase) for phase in PHASE}
    each = [by_winner({**columns, **turns}, rules, [f"hands_p{phase}"], f"turns_p{phase}") for phase in PHASE]
    top, bottom = (np.concatenate(part, axis=1) for part in zip(*each, strict=True))
    return top, bottom


def _endings(columns: Columns, rules: Any) -> Rates:
    """The endings of deals."""
    ends = np.stack([columns[name][:, 0] for name in _ENDS], axis=1)
    return cells((ends == code, ends > 0) for code in (1, 2))


def _length(columns: Columns, rules: Any) -> Rates:
    """Turns of a deal, by its ending."""
    ends, turns = (np.stack([columns[name][:, 0] for name in names], axis=1) for names in (_ENDS, _by_deal("turns")))
    return means((turns, ends == code) for code in (1, 2))


def _starts(columns: Columns, rules: Any) -> Rates:
    """Win share of a deal for the seat that starts it and for the others; the starter changes during a match."""

    def masks(deal: int) -> Iterator[Any]:
        ended = columns[f"ending_d{deal}"] > 0
        first = np.arange(ended.shape[1]) == (deal - 1) % ended.shape[1]
        yield from (ended & first, ended & ~first)

    return _over_deals(columns, masks)


def _matches(columns: Columns, rules: Any) -> Rates:
    """Number of deals of a game."""
    deals = columns["deals"][:, 0]
    return cells((deals == number, np.ones_like(deals)) for number in DEAL)


def _attacks(columns: Columns, rules: Any) -> Rates:
    """Cards lost to Assassins and Rogues per own turn, by guilds on the table."""
    return cells((columns[f"attacked_{number}"], columns[f"exposed_{number}"]) for number in (1, 2))


def _jesters(columns: Columns, rules: Any) -> Rates:
    """Win share of the deal by Jesters in the opening hand, which is random."""
    return _over_deals(
        columns,
        lambda deal: (
            mask & (columns[f"ending_d{deal}"] > 0) for mask in counts(columns[f"jesters_dealt_d{deal}"], len(HELD) - 1)
        ),
    )


_ACTIONS = tuple(f"{action}_p{phase}" for action in ACTION_NAMES for phase in PHASE)
_PLAYED = tuple(f"played_{name}" for name in TYPE_NAMES)
_WON, _ENDS = _by_deal("won60"), _by_deal("ending")

BREAKDOWNS = (
    Breakdown("guilds_laid", "guild_value", TYPE_NAMES, GUILD_NAMES,
              (*_WON, *(column for name in GUILD_NAMES for column in _by_deal(name))), _laid, "par", True,
              True),
    Breakdown("cards_played", "guild_value", TYPE_NAMES, PLAYED,
              ("share60", *_PLAYED), partial(by_count, names=_PLAYED, most=2), "par"),
    Breakdown("jesters_dealt", "guild_value", HELD, ("win_share",),
              (*_WON, *_ENDS, *_by_deal("jesters_dealt")), _jesters, "par", True, True),
    Breakdown("card_traffic", "powers", TYPE_NAMES, ("gained", "lost"),
              ("deals", *(f"{what}_{name}" for name in TYPE_NAMES for what in ("gained", "lost"))), _traffic, "number",
              True),
    Breakdown("attacks", "powers", ("one_guild", "more_guilds"), ("attacks",),
              ("attacked_1", "attacked_2", "exposed_1", "exposed_2"), _attacks, "number", True),
    Breakdown("collapses", "powers", WHO, ("per_deal",), ("share60", "deals", "collapses"),
              partial(by_winner, names=("collapses",), per="deals"), "number"),
    Breakdown("action_mix", "course", PHASES, ACTION_NAMES, _ACTIONS, _actions, "share"),
    Breakdown("hands", "course", PHASES, WHO,
              ("share60", *(f"hands_p{phase}" for phase in PHASE), *_ACTIONS), _hands, "number"),
    Breakdown("endings", "course", ("by_guilds", "by_deck"), ("deals",), _ENDS, _endings, "share", True),
    Breakdown("length", "course", ("by_guilds", "by_deck"), ("turns",), (*_ENDS, *_by_deal("turns")), _length,
              "number"),
    Breakdown("starts", "deals_and_matches", STARTS, ("win_share",), (*_WON, *_ENDS), _starts, "par", True),
    Breakdown("match_length", "deals_and_matches", tuple(f"deals_{number}" for number in DEAL), ("games",), ("deals",),
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
    life=moves_of_cards(lambda rules: dict(enumerate(card_list(rules))), ("play", "lay", "reinforce"), _struck),
    key="types.{card}.copies",
)


def _power_copies(rules: MedievallonsRules) -> dict[str, int]:
    """Return the number of cards with each power; a Jester has none."""
    return {power_of(name): count for name, count in rules.copies().items() if name != "jester"}


def _powers(rules: MedievallonsRules) -> dict[int, str]:
    """Return the power of each card that has one."""
    copies = _power_copies(rules)
    return {card: name for card, kind in enumerate(card_list(rules)) if (name := power_of(kind)) in copies}


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
    life=moves_of_cards(_powers, (), _used),
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
