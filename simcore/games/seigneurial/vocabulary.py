"""Seigneurial: the words in which the effects of cards are written, and their meanings."""

from __future__ import annotations

from typing import Any, NamedTuple

from simcore.errors import nearest
from simcore.games.seigneurial import state
from simcore.games.seigneurial.state import SEEN, SHIFTED

TYPE_NAMES = ("wood", "fish", "grain")
SQUARE_NAMES = ("forest", "river", "field", "church", "mill")
WINDOW_NAMES = ("season", "harvest", "rent", "payment", "draws", "progress")
QUARTER_NAMES = ("spring", "summer", "autumn", "winter")
WHO_NAMES = ("self", "tenant", "tenants", "lord")
HOW_NAMES = ("owner", "random")

TENANTS = ("self", "tenant", "tenants")
OTHERS = ("tenant", "tenants")
LORD = ("lord",)
TYPES = (*TYPE_NAMES, "choose")
SQUARES = (*SQUARE_NAMES, "choose")


class Op(NamedTuple):
    """What an operation accepts."""

    code: Any
    who: tuple[str, ...] = TENANTS
    what: tuple[str, ...] = ()
    low: int = 1
    high: int = 20


SIGNED: dict[str, Any] = {"low": -12, "high": 12}

OPS = {
    "gain": Op(state.GAIN, what=TYPES),
    "lose": Op(state.LOSE, what=HOW_NAMES),
    "take": Op(state.TAKE, OTHERS),
    "barter": Op(state.BARTER, OTHERS),
    "trade": Op(state.TRADE, what=TYPES),
    "act": Op(state.ACT, what=SQUARES),
    "heal": Op(state.HEAL),
    "sicken": Op(state.SICKEN),
    "bar": Op(state.BAR, what=SQUARES),
    "yield": Op(state.YIELD, what=TYPES, **SIGNED),
    "shelter": Op(state.SHELTER),
    "inspect": Op(state.INSPECT),
    "draws": Op(state.DRAW_MORE, **SIGNED),
    "favour": Op(state.FAVOUR),
    "cards": Op(state.CARDS, (*TENANTS, *LORD)),
    "drop": Op(state.DROP, (*TENANTS, *LORD)),
    "gag": Op(state.GAG),
    "ward": Op(state.WARD),
    "waive": Op(state.WAIVE),
    "reveal": Op(state.REVEAL),
    "objective": Op(state.OBJECTIVE, high=SEEN - 1),
    "rent": Op(state.CHANGE_RENT, LORD, **SIGNED),
    "advance": Op(state.ADVANCE, LORD, **SIGNED),
    "shift": Op(state.SHIFT, LORD, high=SHIFTED),
}
"""The operations by name."""

OP_NAMES = {int(op.code): name for name, op in OPS.items()} | {
    int(state.LORD_CARDS): "cards",
    int(state.LORD_DROP): "drop",
}
"""The operations by number."""


def check_effect(op: str, who: str, what: str, n: int) -> None:
    """Raise `ValueError` unless an effect is in the vocabulary."""
    if op not in OPS:
        raise ValueError(f"no op '{op}'{nearest(op, OPS)}")
    found = OPS[op]
    if who not in found.who:
        raise ValueError(f"{op}: who cannot be '{who}'; it takes {' or '.join(found.who)}")
    if what not in (found.what or ("",)):
        takes = f"it takes {' or '.join(found.what)}" if found.what else "it takes none"
        raise ValueError(f"{op}: what cannot be '{what}'; {takes}")
    if not found.low <= n <= found.high or n == 0:
        raise ValueError(f"{op}: n cannot be {n}; it takes {found.low} to {found.high}, and not 0")


def op_code(op: str, who: str) -> int:
    """Return the number of an operation; the lord's cards have operations of their own."""
    if who == "lord" and op in ("cards", "drop"):
        return int(state.LORD_CARDS if op == "cards" else state.LORD_DROP)
    return int(OPS[op].code)


def what_code(what: str) -> int:
    """Return the number of a type, a square, or a way to choose."""
    for names in (TYPE_NAMES, SQUARE_NAMES):
        if what in names:
            return names.index(what)
    special = {"choose": state.CHOOSE, "owner": state.OWNER, "random": state.RANDOM, "": state.NOTHING}
    return int(special[what])


def what_name(op: str, code: int) -> str | None:
    """Return the name of a type, a square, or a way to choose; None for an effect without any."""
    special = {int(state.OWNER): "owner", int(state.RANDOM): "random", int(state.NOTHING): None}
    if code in special:
        return special[code]
    return (SQUARE_NAMES if op in ("act", "bar") else TYPE_NAMES)[code]
