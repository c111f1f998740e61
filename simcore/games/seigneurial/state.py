"""Seigneurial: records of rules, table and players, words of card effects, and the columns of a run's table."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, NamedTuple

import numpy as np

from simcore.errors import nearest
from simcore.game import Column
from simcore.kernel.decisions import Decision, asking
from simcore.kernel.records import layout
from simcore.kernel.trace import EventKind


PLAYERS = 5
LORD = np.int64(0)  # seat of the lord; all others are tenants
TYPES = 3
VALUES = 5  # of resource cards: 0 to 4
FACES = TYPES * VALUES  # face of a resource card: 5 * type + value
SQUARES = 5  # the lands in the order of the types, then:
CHURCH, MILL = np.int64(3), np.int64(4)
PAWNS = 5  # most pawns of a tenant, one for each square
KINDS = 27  # most kinds of cards in a table; 27 stands for a pass
PILE = 120  # most cards of a tenant or lord pile
GOALS = 20  # most Objective cards
SEEN = 6  # most cards seen at the Church
EFFECTS = 3  # most effects of a card
WINDOWS, QUARTERS = 6, 4
MOST_RENT = 12
MOST_SEASONS = 1000
COURSE = 12  # seasons of which a row keeps how they ended
SHIFTED = 4  # most points that an effect shifts

SEASON, HARVEST, RENT, PAYMENT, DRAWS, PROGRESS = map(np.int64, range(WINDOWS))  # windows
SPRING, SUMMER, AUTUMN, WINTER = map(np.int64, range(QUARTERS))
NOTHING = np.int64(-1)
PASS = np.int64(KINDS)  # play no more cards
STOP = np.int64(FACES)  # lay or trade no more resource cards

# Operations of effects.  Those of the lord's cards have numbers of their own.
(
    GAIN, LOSE, TAKE, BARTER, TRADE, ACT, HEAL, SICKEN, BAR, YIELD, SHELTER, INSPECT, DRAW_MORE, FAVOUR, CARDS, DROP,
    GAG, WARD, WAIVE, REVEAL, OBJECTIVE, CHANGE_RENT, ADVANCE, SHIFT, LORD_CARDS, LORD_DROP,
) = map(np.int64, range(26))  # fmt: skip
SELF, TENANT, TENANTS, THE_LORD = map(np.int64, range(4))  # who
CHOOSE, OWNER, RANDOM = map(np.int64, range(5, 8))  # what, after the numbers of types and squares

# What a policy is asked (state.decision).
(
    PLAY, TARGET, WHAT, PART, SHIFT_POINTS, KEEP_OBJECTIVE, PAY_DUE, PLACE, KEEP, DROP_CARD, SET_RENT, LAY, SPLIT, NEXT,
    PICK, IMPROVE, CROWN,
) = map(np.int64, range(17))  # fmt: skip

DECISIONS = (
    Decision("play", "place of a card in its table; 27: no more cards", KINDS + 1),
    Decision("target", "seat at which an effect is aimed", PLAYERS),
    Decision("what", "type or land (0 wood, 1 fish, 2 grain), 3 Church, 4 Mill", SQUARES),
    Decision("part", "5 * type + value of a resource card to part with; 15: no more", FACES + 1),
    Decision("shift", "6 * (points - 1) + pair of types; see `shift_move`", 6 * SHIFTED),
    Decision("objective", "place of the Objective to keep", GOALS),
    Decision("winter", "0 refuses the winter due, 1 pays", 2),
    Decision("place", "square of the next pawn", SQUARES),
    Decision("keep", "place of the card to keep at the Church", KINDS),
    Decision("drop", "place of the card to discard", KINDS),
    Decision("rent", "place of the split among all splits of the rent; see `rent_move`", 91),
    Decision("lay", "5 * type + value of a resource card to lay; 15: no more this season", FACES + 1),
    Decision("split", "seat that gets a point of favour", PLAYERS),
    Decision("next", "seat from which the lord draws next", PLAYERS),
    Decision("pick", "5 * type + value of the card that the lord takes", FACES),
    Decision("improve", "land to improve", TYPES),
    Decision("crown", "seat that wins among equals", PLAYERS),
)
"""The kinds of decisions, and how their moves are numbered."""

BY_TRACK, BY_OBJECTIVE, BY_LIMIT = map(np.int64, range(1, 4))  # state.over

SEASON_NOTE, STANDING = map(np.int64, range(2))
EVENTS = (
    EventKind("season", "a season ends", ("square", "obtained", "rent")),
    EventKind("standing", "what a tenant has at the end of a season", ("missing", "points", "favour")),
)
MOST_NOTES = MOST_SEASONS * PLAYERS

EFFECT = layout(
    ("op", np.int32),
    ("who", np.int32),
    ("what", np.int32),  # type, square, CHOOSE, OWNER, RANDOM or NOTHING
    ("n", np.int32),
)
CARD = layout(
    ("effects", np.int32),  # how many
    ("effect", EFFECT, EFFECTS),
)
TABLE = layout(
    ("kinds", np.int32),
    ("copies", np.int32, KINDS),
    ("when", np.uint64, (WINDOWS, QUARTERS)),  # bits by kind: may be played in that window of that season
    ("card", CARD, KINDS),
)
ROW = layout(
    ("strategy", np.int32),  # index in the line-up
    ("place", np.int32),  # 1 is best
    ("share60", np.int32),  # win share in sixtieths
    ("ending", np.int32),  # BY_TRACK, BY_OBJECTIVE or BY_LIMIT
    ("seasons", np.int32),  # played
    ("square", np.int32),  # of the lord at the end
    ("half", np.int32),  # season in which the lord reached the middle, 0 never
    ("obtained", np.int32),  # lord: rents obtained
    ("failed", np.int32),  # lord: rents not obtained
    ("unpaid", np.int32),  # lord: seasons in which nobody laid a card
    ("demanded", np.int32),  # lord: points asked for
    ("draws", np.int32),  # lord: cards drawn from hands, tenant: cards drawn from the hand, kept or not
    ("taken", np.int32),  # the same: points kept
    ("laid", np.int32),  # tenant: points laid, lord: points laid by all
    ("objective", np.int32),  # tenant: 1 + Objective at the end
    ("changes", np.int32),  # tenant: Objectives exchanged
    ("points", np.int32, TYPES),  # tenant: points in hand at the end
    ("held", np.int32),  # tenant: their sum
    ("resources", np.int32),  # tenant: resource cards in hand at the end
    ("missing", np.int32),  # tenant: points that the Objective still asks for at the end
    ("refusals", np.int32),  # tenant: winters in which the tenant could pay and did not
    ("unable", np.int32),  # tenant: winters in which the tenant could not pay
    ("illnesses", np.int32),  # tenant: pawns that fell ill
    ("favour", np.int32),  # tenant: points of favour given
    ("bought", np.int32),  # tenant: cards got for favour
    ("zeros", np.int32),  # tenant: cards of value 0 drawn
    ("improved", np.int32),  # tenant: 1 + land improved, 0 none
    ("squares", np.int32, SQUARES),  # tenant: pawns placed, by square
    ("cards", np.int32),  # cards drawn, of the role's own table
    ("played", np.int32, KINDS),  # cards played, by place in the role's table
    ("course", np.int32, COURSE),  # by season: the lord's square at its end, or points missing from the Objective
)

# Wide fields stand first: gaps between fields would hold anything.
PLAYER = layout(
    ("kinds", np.uint64),  # kinds of the role's cards in hand, as bits
    ("hand", np.int32, FACES),  # resource cards by face
    ("points", np.int32, TYPES),  # in hand
    ("resources", np.int32),  # resource cards in hand
    ("front", np.int32, TYPES),  # zeros in front
    ("own", np.int32, KINDS),  # cards of the role's table in hand, by kind
    ("cards", np.int32),  # how many they are
    ("opened", np.int32, KINDS),  # in a window: copies that may still be played
    ("favour", np.int32),
    ("objective", np.int32),
    ("revealed", np.int32),  # 1 if the Objective is public
    ("improved", np.int32),  # land, NOTHING for none
    ("ledger", np.int32, TYPES),  # cards of value 1-4 drawn, less those gone to table or discard; public
    ("ill", np.int32, PAWNS),  # positionings that each pawn has still to wait
    ("placed", np.int32, PAWNS),  # squares of the pawns in the order placed
    ("pawns", np.int32),  # how many are placed
    # this season
    ("there", np.int32),  # bits by square: a pawn of the tenant's stands there
    ("barred", np.int32),  # bits by square
    ("yields", np.int32, TYPES),  # cards more or fewer from each land
    ("shelter", np.int32),
    ("inspected", np.int32),
    ("draws", np.int32),  # cards more or fewer that the lord may draw
    ("gagged", np.int32),
    ("warded", np.int32),
    ("waived", np.int32),
    ("plays", np.int32),  # cards played
    ("laid", np.int32, TYPES),  # points laid
    ("table", np.int32, FACES),  # cards laid, by face; what the lord draws and keeps is counted in his own
    ("lays", np.int32),  # cards laid
    ("passed", np.int32),
    ("given", np.int32, TYPES),  # points of favour
)

RING = layout(
    ("order", np.uint8, PILE),  # kinds; a ring
    ("head", np.int32),  # place of the top card
    ("left", np.int32),  # cards in the ring
    ("discards", np.int32, KINDS),  # by kind
    ("discarded", np.int32),
    ("shuffles", np.int32),  # how often the discards became the pile
)
STOCK = layout(
    ("order", np.int32, KINDS),  # by kind: a pile whose order never matters
    ("left", np.int32),
    ("discards", np.int32, KINDS),
    ("discarded", np.int32),
    ("drawn", np.int32),  # cards drawn so far: address of the next draw's chance
)
PILES = layout(
    ("of", np.int32, FACES),  # cards by face
    ("left", np.int32, TYPES),
    ("discards", np.int32, FACES),
    ("discarded", np.int32, TYPES),
    ("drawn", np.int32, TYPES),  # cards drawn so far: address of the next draw's chance
)

STATE = layout(
    *asking(91),  # `decision` is PLAY .. CROWN
    ("scratch", np.int64, 8),  # for policies: memory within one decision
    ("players", PLAYER, PLAYERS),
    ("no_player", PLAYER),  # blank
    ("asked", np.int32, PLAYERS),  # decisions of each seat in this season: address of the next one's chance
    ("dice", np.int32),  # random cards drawn from hands in this season: address of the next one's chance
    ("phase", np.int32),  # of the season: the step that comes next
    ("season", np.int32),  # from 1; 0 at set-up
    ("quarter", np.int32),  # SPRING .. WINTER
    ("first", np.int32),  # seat of the season's first tenant
    ("square", np.int32),
    ("halfway", np.int32),  # 1 once the middle was reached
    ("after", np.int32),  # 1: the rent and limit after the middle hold
    ("changed", np.int32),  # points more or fewer in this season's rent
    ("rent", np.int32),  # points asked for; 0 before the lord asks
    ("demand", np.int32, TYPES),
    ("got", np.int32, TYPES),  # points laid and kept
    ("lays", np.int32),  # cards laid
    ("keeps", np.int32),  # cards drawn and kept
    ("obtained", np.int32),
    ("over", np.int32),  # 0, or how the game ended
    ("winner", np.int32),  # seat, NOTHING for none
    # what is under way, for policies
    ("window", np.int32),  # NOTHING outside windows
    ("card", np.int32),  # kind of the card that is played, NOTHING for none
    ("op", np.int32),  # its effect
    ("n", np.int32),
    ("target", np.int32),  # seat at which it is aimed, NOTHING for all or none
    ("type", np.int32),  # SPLIT: type of the points
    ("owed", np.int32),  # winter: points still to pay
    ("seen", np.int32, SEEN),  # KEEP: kinds of the cards, KEEP_OBJECTIVE: Objectives
    ("order", np.int32, PLAYERS),  # seats in the order in which the lord calls them
    ("pool", np.int32, KINDS),  # cards that are dealt anew
    ("resources", PILES),
    ("pile", RING),  # of tenants' cards
    ("goals", RING),  # of Objectives; it has no discards
    ("stock", STOCK),  # of the lord's cards
    ("rows", ROW, PLAYERS),
    ("no_row", ROW),  # blank
    ("spare", np.int32),
)


# --- The words in which the effects of cards are written, and their meanings ---


TYPE_NAMES = ("wood", "fish", "grain")
SQUARE_NAMES = ("forest", "river", "field", "church", "mill")
WINDOW_NAMES = ("season", "harvest", "rent", "payment", "draws", "progress")
QUARTER_NAMES = ("spring", "summer", "autumn", "winter")
WHO_NAMES = ("self", "tenant", "tenants", "lord")
HOW_NAMES = ("owner", "random")

WHO_TENANTS = ("self", "tenant", "tenants")
OTHERS = ("tenant", "tenants")
WHO_LORD = ("lord",)
TYPE_CHOICES = (*TYPE_NAMES, "choose")
SQUARE_CHOICES = (*SQUARE_NAMES, "choose")


class Op(NamedTuple):
    """What an operation accepts."""

    code: Any
    who: tuple[str, ...] = WHO_TENANTS
    what: tuple[str, ...] = ()
    low: int = 1
    high: int = 20


SIGNED: dict[str, Any] = {"low": -12, "high": 12}

OPS = {
    "gain": Op(GAIN, what=TYPE_CHOICES),
    "lose": Op(LOSE, what=HOW_NAMES),
    "take": Op(TAKE, OTHERS),
    "barter": Op(BARTER, OTHERS),
    "trade": Op(TRADE, what=TYPE_CHOICES),
    "act": Op(ACT, what=SQUARE_CHOICES),
    "heal": Op(HEAL),
    "sicken": Op(SICKEN),
    "bar": Op(BAR, what=SQUARE_CHOICES),
    "yield": Op(YIELD, what=TYPE_CHOICES, **SIGNED),
    "shelter": Op(SHELTER),
    "inspect": Op(INSPECT),
    "draws": Op(DRAW_MORE, **SIGNED),
    "favour": Op(FAVOUR),
    "cards": Op(CARDS, (*WHO_TENANTS, *WHO_LORD)),
    "drop": Op(DROP, (*WHO_TENANTS, *WHO_LORD)),
    "gag": Op(GAG),
    "ward": Op(WARD),
    "waive": Op(WAIVE),
    "reveal": Op(REVEAL),
    "objective": Op(OBJECTIVE, high=SEEN - 1),
    "rent": Op(CHANGE_RENT, WHO_LORD, **SIGNED),
    "advance": Op(ADVANCE, WHO_LORD, **SIGNED),
    "shift": Op(SHIFT, WHO_LORD, high=SHIFTED),
}
"""The operations by name."""

OP_NAMES = {int(op.code): name for name, op in OPS.items()} | {
    int(LORD_CARDS): "cards",
    int(LORD_DROP): "drop",
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
        return int(LORD_CARDS if op == "cards" else LORD_DROP)
    return int(OPS[op].code)


def what_code(what: str) -> int:
    """Return the number of a type, a square, or a way to choose."""
    for names in (TYPE_NAMES, SQUARE_NAMES):
        if what in names:
            return names.index(what)
    special = {"choose": CHOOSE, "owner": OWNER, "random": RANDOM, "": NOTHING}
    return int(special[what])


def what_name(op: str, code: int) -> str | None:
    """Return the name of a type, a square, or a way to choose; None for an effect without any."""
    special = {int(OWNER): "owner", int(RANDOM): "random", int(NOTHING): None}
    if code in special:
        return special[code]
    return (SQUARE_NAMES if op in ("act", "bar") else TYPE_NAMES)[code]


# --- The columns of a run's table ---


ENDINGS = ("none", "track", "objective", "limit")


def _endings(rules: Any) -> tuple[str, ...]:
    return ENDINGS


def _objectives(rules: Any) -> tuple[str, ...]:
    return ("none", *rules.objectives)


def _lands(rules: Any) -> tuple[str, ...]:
    return ("none", *SQUARE_NAMES[: len(TYPE_NAMES)])


def _outcome() -> Iterator[Column]:
    yield Column("ending", "Enum", "what ended the game", detail="minimal", labels=_endings)
    yield Column("seasons", "Int32", "seasons played", detail="minimal")
    yield Column("square", "UInt8", "the lord's square at the end", detail="minimal")
    yield Column("half", "Int32", "season in which the lord reached the middle of the track; 0 if never")


def _lord() -> Iterator[Column]:
    for name, meaning in (
        ("obtained", "rents obtained"),
        ("failed", "rents not obtained"),
        ("unpaid", "seasons in which no tenant laid a card"),
        ("demanded", "points asked for"),
    ):
        yield Column(name, "Int32", meaning, role="lord")


def _both() -> Iterator[Column]:
    yield Column("laid", "Int32", "points that the tenant laid; for the lord, those of all tenants")
    yield Column("draws", "Int32", "cards that the lord drew from the hand, kept or not; for the lord, from all hands")
    yield Column("taken", "Int32", "points that the lord kept of them")
    yield Column("cards", "Int32", "cards drawn from the pile of the role's own cards")
    for season in range(COURSE):
        meaning = f"at the end of season {season + 1}: the lord's square, or points that a tenant lacks; or 0"
        yield Column(f"course_{season + 1}", "Int32", meaning, "course", season)
    for kind in range(KINDS):
        meaning = f"times that the seat played card {kind + 1} of the table of its role's cards"
        yield Column(f"played_{kind + 1}", "Int32", meaning, "played", kind)


def _tenant() -> Iterator[Column]:
    yield Column("objective", "Enum", "the Objective at the end", role="tenant", labels=_objectives)
    yield Column("held", "Int32", "points in hand at the end", detail="minimal", role="tenant")
    for kind, name in enumerate(TYPE_NAMES):
        yield Column(f"held_{name}", "Int32", f"points of {name} in hand at the end", "points", kind, role="tenant")
    for name, meaning in (
        ("missing", "points that the Objective still asked for at the end"),
        ("resources", "resource cards in hand at the end"),
        ("changes", "Objectives exchanged"),
        ("refusals", "winters in which the tenant could pay the due and refused"),
        ("unable", "winters in which the tenant could not pay the due"),
        ("illnesses", "pawns that fell ill"),
        ("favour", "points of favour given to the tenant"),
        ("bought", "Censitaire cards bought with favour"),
        ("zeros", "resource cards of value 0 drawn"),
    ):
        yield Column(name, "Int32", meaning, role="tenant")
    yield Column("improved", "Enum", "the land improved", role="tenant", labels=_lands)
    for square, name in enumerate(SQUARE_NAMES):
        yield Column(f"pawns_{name}", "Int32", f"pawns placed: {name}", "squares", square, role="tenant")


COLUMNS = (*_outcome(), *_lord(), *_tenant(), *_both())
