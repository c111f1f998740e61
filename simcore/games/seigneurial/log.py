"""Seigneurial: what a recorded game writes, the records that are read from it, who sees them, and their text."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Any

import numpy as np

from simcore.games.seigneurial.rules import ENTRIES, SeigneurialRules
from simcore.games.seigneurial.state import (
    DECISIONS, ENDINGS, OP_NAMES, PLACE, PLAYERS, QUARTER_NAMES, SQUARE_NAMES, TYPES, TYPE_NAMES, VALUES, WINDOW_NAMES,
    what_name,
)  # fmt: skip
from simcore.kernel.compilation import apart, inlined
from simcore.kernel.trace import tell
from simcore.log_records import (
    Field, Lines, Record, RecordKind, Word, Words, by_seat, everybody, flag, grouped, heading, its_seat, known, named,
    nobody, one_more, one_move, plain_header, read_records, seat_or_none, story, together, whole_number,
)  # fmt: skip


(
    SHUFFLED, SEASON_BEGINS, MOVE, ACTION, EFFECT, ILL, FAVOUR_GIVEN, DRAWN, ADVANCED, SEASON_ENDS, END,
) = map(np.int64, range(11))  # fmt: skip

# Cards: faces of resource cards as they stand; kinds of the other tables above one of these.
TENANT_CARD, LORD_CARD, GOAL_CARD = map(np.int64, (100, 200, 300))

# Places: a zone, in the lowest four bits; above them the seat.
DECK, DISCARD, TABLE, HAND, FRONT, SIGHT = map(np.int64, range(6))
ZONES = ("deck", "discard", "table", "hand", "front", "seen")
SEATED = ZONES[3:]
"""Zones that each seat has for itself."""

# Why a card moves.
(DEAL, YEAR, HARVESTED, MILLED, CHURCHED, FAVOURED, UNPAID, BY_CARD, LIMIT, PLAYED, WINTERED, LAID, TAKEN, RENTED) = (
    map(np.int64, range(14))
)
WHY = (
    "deal", "year", "harvest", "mill", "church", "favour", "unpaid", "card", "limit", "played", "winter", "lay", "draw",
    "rent",
)  # fmt: skip

# Piles, after those of the types.
TENANT_PILE, LORD_PILE, GOAL_PILE = map(np.int64, range(TYPES, TYPES + 3))
PILES = (*TYPE_NAMES, "tenant", "lord", "objective")


@inlined
def of(zone, seat):
    """Return the code of a place in front of a seat, or in its hand."""
    return zone | np.int64(seat) << 4


@apart
def log_squares(trace, seat, player):
    """Log the squares on which a tenant placed pawns, in this order."""
    squares = np.int64(0)
    for number in range(player.pawns):
        squares |= np.int64(player.placed[number]) << 3 * number
    tell(trace, ACTION, seat, PLACE, player.pawns, squares)


@apart
def log_effect(rules, state, trace, effect, seats, what):
    """Log an effect on some seats, in order."""
    tell(trace, EFFECT, effect.op)
    tenants = np.int64(rules.players) - 1
    for number in range(PLAYERS):
        seat = 1 + (state.first - 1 + number) % tenants if number < tenants else np.int64(0)
        is_hit = number <= tenants and (seats >> np.uint64(seat)) & np.uint64(1) != np.uint64(0)
        tell(trace, seat if is_hit else np.int64(-1))
    tell(trace, what, effect.n)


@apart
def log_resources(trace, piles, kind):
    """Log the cards of a type that are shuffled into its pile."""
    tell(trace, SHUFFLED, kind)
    for value in range(VALUES):
        tell(trace, piles.of[VALUES * kind + value])


@apart
def log_ring(trace, pile, ring):
    """Log a shuffled pile, top card first."""
    tell(trace, SHUFFLED, pile, ring.left)
    for number in range(ring.left):
        tell(trace, ring.order[(ring.head + number) % ring.order.shape[0]])


@apart
def log_stock(trace, stock):
    """Log the lord's pile in the order of the table."""
    tell(trace, SHUFFLED, LORD_PILE, stock.left)
    for kind in range(stock.order.shape[0]):
        for _ in range(stock.order[kind]):
            tell(trace, kind)


@apart
def log_season_end(rules, state, trace):
    """Log the checksums of a season."""
    tell(trace, SEASON_ENDS, state.square)
    for seat in range(rules.players):
        player = state.players[seat]
        points = player.points[0] + player.points[1] + player.points[2]
        tell(trace, points, player.resources, player.favour, player.cards)


# --- Who sees what of the records of a replay log ---


OPEN_ZONES = ("front", "table")
"""Zones in which a card lies open: who sees it there also sees it come or go."""


def is_secret(first: Record, record: Record) -> bool:
    """Whether a card is laid face down for the rent."""
    laid = record.get("why", record.get("action")) == "lay"
    return bool(laid and first["options"]["payment"] == "secret")


def open_or_own(first: Record, record: Record, seat: int) -> bool:
    """Everybody if it lies open before or after; otherwise the seats whose hands it leaves and joins."""
    if in_hand(record, seat):
        return bool(back(first, record, seat) != "objective")
    return not is_secret(first, record) and any(end["zone"] in OPEN_ZONES for end in ends(record))


def in_passing(first: Record, record: Record, seat: int) -> bool:
    """Who looks at it at the Church or draws an Objective, and everybody if it is discarded."""
    if any(end["zone"] == "seen" and end["seat"] == seat for end in ends(record)) or in_hand(record, seat):
        return True
    return not is_secret(first, record) and any(end["zone"] == "discard" for end in ends(record))


def in_hand(record: Record, seat: int) -> bool:
    """Return whether a card leaves or joins the hand of a seat."""
    return any(end.get("seat") == seat and end["zone"] != "seen" for end in ends(record))


def ends(record: Record) -> tuple[Record, Record]:
    """Return where a card comes from, and where it goes."""
    return record["from"], record["to"]


def back(first: Record, record: Record, seat: int) -> Any:
    """Return the back of a card, which shows the type of a resource card; null if even that is hidden."""
    face, from_deck = str(record["card"]), record["from"]["zone"] == "deck"
    if face[:-1] in TYPE_NAMES:
        return face[:-1] if from_deck else None
    kinds = {"tenant_cards": "tenant", "lord_cards": "lord"}
    return next(
        (kind for table, kind in kinds.items() if any(card["id"] == face for card in first[table])), "objective"
    )


def own_if_passed(first: Record, record: Record, seat: int) -> bool:
    """Its seat; everybody learns which cards are played, and who pays the due of winter."""
    if its_seat(first, record, seat):
        return True
    if record["action"] == "play":
        return record["card"] is not None
    return record["action"] != "winter" or bool(record["pay"])


def if_open(first: Record, record: Record, seat: int) -> bool:
    """Its seat; everybody if cards are laid in the open."""
    return its_seat(first, record, seat) or not is_secret(first, record)


def if_kept(first: Record, record: Record, seat: int) -> bool:
    """Its seat; everybody if the lord keeps it."""
    return bool(record["kept"]) or its_seat(first, record, seat)


def the_lord(first: Record, record: Record, seat: int) -> bool:
    """The lord."""
    return seat == 1


def own_points(first: Record, record: Record, seat: int) -> list[int | None]:
    """Return points of which a tenant knows only its own."""
    return [points if tenant == seat else None for tenant, points in enumerate(record["points"], 2)]


# --- The records of a replay log, each with the words in the trace that it is read from ---


def header(words: Sequence[int], rules: SeigneurialRules, players: int) -> dict[str, Any]:
    """Return the game's own fields of the first line of a log."""
    values = plain_header(words, rules, players)["options"]
    options = {name: value for name, value in values.items() if name not in ("objectives", "tenant_card", "lord_card")}
    options |= {name: values[name][str(players)] for name in ENTRIES}
    return {
        "options": options,
        "track": options["track"],
        "rent": options["rent"],
        "objectives": {name: list(goal) for name, goal in rules.goals(players).items()},
        "tenant_cards": [card.as_in_toml() for card in rules.tenant_card],
        "lord_cards": [card.as_in_toml() for card in rules.lord_card],
    }


def records(words: Sequence[int], rules: SeigneurialRules, players: int) -> Iterator[dict[str, Any]]:
    """Yield the records of a game, in order."""
    return read_records(RECORD_KINDS, Words(words, rules, players, turn=0))


# --- what a word stands for ---


def next_season(words: Words) -> int:
    """The season after the current one."""
    return int(words.current["turn"]) + 1


def card_of(table: Any) -> Word:
    """The id of a card, which the kernel counts in its table."""

    def read(words: Words) -> str:
        return name_of_card(table + words.one(), words.rules)

    return read


def card(words: Words) -> str | None:
    """A card, or None."""
    found = known(words)
    return None if found is None else name_of_card(found, words.rules)


def name_of_card(card: int, rules: SeigneurialRules) -> str:
    """Return the name of a card: its face, such as "wood2", or its id."""
    table, place = divmod(card, int(TENANT_CARD))
    if table == 0:
        return f"{TYPE_NAMES[place // VALUES]}{place % VALUES}"
    if table == 3:
        return list(rules.objectives)[place]
    return (rules.tenant_card if table == 1 else rules.lord_card)[place].id


def pile(table: Any) -> Word:
    """The ids of all cards in a pile; their number comes first."""

    def read(words: Words) -> list[str]:
        return [name_of_card(table + kind, words.rules) for kind in words.next(words.one())]

    return read


def counts(words: Words) -> list[int]:
    """How many cards of each value."""
    return words.next(VALUES)


def place(words: Words) -> Record:
    """A zone, and a seat if each has one."""
    seat, zone = divmod(words.one(), 16)
    name = ZONES[zone]
    return {"zone": name, "seat": 1 + seat} if name in SEATED else {"zone": name}


def squares(words: Words) -> list[str]:
    """The squares of pawns, written as digits in base 8; their number comes first."""
    pawns, digits = words.next(2)
    return [SQUARE_NAMES[digits >> 3 * pawn & 7] for pawn in range(pawns)]


def type_or_square(words: Words) -> str:
    """A type, or a square if the next word is 1."""
    what, is_square = words.next(2)
    return (SQUARE_NAMES if is_square else TYPE_NAMES)[what]


def seats(words: Words) -> list[int]:
    """Seats, from 1."""
    return [1 + seat for seat in words.next(PLAYERS) if seat >= 0]


def what(words: Words) -> str | None:
    """A type, a square or a way to choose, as the operation has it."""
    return what_name(words.current["op"], words.one())


def of_tenants(name: str) -> Word:
    """One number for each tenant."""

    def read(words: Words) -> list[int]:
        return list(words.current[name][1:])

    return read


# --- the records, in the order of their codes ---

TURN = Field("turn")
SEAT = Field("seat", word=one_more)
CARD = Field("card", "or null", seen=its_seat, word=card)
TARGET = (Field("target", word=one_more),)
TYPE = named(TYPE_NAMES)

RECORD_KINDS = (
    RecordKind(
        "shuffle",
        "a pile is shuffled; the lord's is in the order of the table and drawn at random",
        (TURN, Field("deck", "a type, `tenant`, `lord`, `objective`", word=named(PILES))),
        by="deck",
        variants={
            **{kind: (Field("counts", "of the values 0 to 4", word=counts),) for kind in TYPE_NAMES},
            "tenant": (Field("cards", "top first", seen=nobody, word=pile(TENANT_CARD)),),
            "lord": (Field("cards", word=pile(LORD_CARD)),),
            "objective": (Field("cards", "top first", seen=nobody, word=pile(GOAL_CARD)),),
        },
    ),
    RecordKind(
        "season",
        "a season begins",
        (
            Field("turn", word=next_season),
            Field("season", word=named(QUARTER_NAMES)),
            Field("first", "seat of the first tenant", word=one_more),
        ),
    ),
    RecordKind(
        "move",
        "a card moves",
        (
            TURN,
            Field("card", seen=open_or_own, glimpsed=in_passing, instead=back, word=card),
            Field("from", word=place),
            Field("to", word=place),
            Field("why", f"`{' '.join(WHY)}`", word=named(WHY)),
        ),
    ),
    RecordKind(
        "action",
        "a seat decides",
        (TURN, SEAT, Field("action", word=named([decision.name for decision in DECISIONS]))),
        seen=own_if_passed,
        by="action",
        variants={
            "play": (Field("window", word=named(WINDOW_NAMES)), Field("card", "or null", word=card)),
            "target": TARGET,
            "what": (Field("what", word=type_or_square),),
            "part": (CARD,),
            "shift": (Field("from", word=TYPE), Field("to", word=TYPE), Field("points", word=whole_number)),
            "objective": (Field("keep", seen=its_seat, word=card_of(GOAL_CARD)),),
            "winter": (Field("pay", word=flag),),
            "place": (Field("squares", word=squares),),
            "keep": (Field("card", seen=its_seat, word=card_of(TENANT_CARD)),),
            "drop": (Field("card", seen=its_seat, glimpsed=everybody, word=card_of(TENANT_CARD)),),
            "rent": tuple(Field(kind, word=whole_number) for kind in TYPE_NAMES),
            "lay": (Field("card", "or null", seen=if_open, word=card),),
            "split": (Field("type", word=TYPE), *TARGET),
            "next": TARGET,
            "pick": (Field("card", seen=its_seat, word=card),),
            "improve": (Field("square", word=named(SQUARE_NAMES)),),
            "crown": TARGET,
        },
    ),
    RecordKind(
        "effect",
        "an effect of a card",
        (
            TURN,
            Field("op", word=named(OP_NAMES)),
            Field("who", r"\[seats\]", word=seats),
            Field("what", word=what),
            Field("n", word=whole_number),
        ),
    ),
    RecordKind("ill", "in winter only: a pawn falls ill", (TURN, SEAT, Field("turns", word=whole_number))),
    RecordKind("favour", "a tenant gets favour", (TURN, SEAT, Field("points", word=whole_number))),
    RecordKind(
        "draw",
        "the lord draws from a hand",
        (
            TURN,
            Field("seat", "the tenant", word=one_more),
            Field("card", seen=if_kept, glimpsed=the_lord, word=card),
            Field("kept", word=flag),
        ),
    ),
    RecordKind(
        "progress", "the lord moves on or not", (TURN, Field("obtained", word=flag), Field("square", word=whole_number))
    ),
    RecordKind(
        "season_end",
        "checksum of the season",
        (
            TURN,
            Field("square"),
            Field("points", seen=nobody, instead=own_points, word=of_tenants("points")),
            Field("resources", word=of_tenants("resources")),
            Field("favour", r"\[each by tenant\]", word=of_tenants("favour")),
            Field("cards", r"\[by seat\]"),
        ),
        written=(grouped(square=whole_number), together("points", "resources", "favour", "cards")),
    ),
    RecordKind(
        "end",
        "the end of the game",
        (
            Field("reason", "`track`, `objective`, `limit`", word=named(ENDINGS)),
            Field("winner", "or null", word=seat_or_none),
            Field("share60", r"\[by seat\]", word=by_seat),
        ),
    ),
)


# --- A replay log of Seigneurial as text that a person can follow at the table ---


WHY_TEXTS = {
    "year": "Year", "harvest": "Harvest", "mill": "Mill", "church": "Church", "favour": "Favour", "unpaid": "Unpaid",
    "card": "Card", "limit": "Hand limit", "winter": "Winter", "draw": "Draw",
}  # fmt: skip
MOVES = {
    ("deck", "hand"): "{goal} draws {cards}",
    ("deck", "front"): "{goal} draws {cards}, which lies in front",
    ("deck", "seen"): "{goal} sees {cards}",
    ("seen", "hand"): "{goal} keeps {cards}",
    ("seen", "deck"): "{cards} goes under the pile",
    ("hand", "deck"): "{cards} goes under the pile",
    ("hand", "discard"): "{source} discards {cards}",
    ("front", "discard"): "{source} discards {cards}",
    ("hand", "hand"): "{source} gives {goal} {cards}",
    ("hand", "table"): "the lord keeps {cards} of {source}",
}
SILENT = ("lay", "played", "rent")
"""Moves that other lines already show."""

REASONS = {
    "track": "the lord stands on the last square",
    "objective": "a tenant reaches the Objective",
    "limit": "the last season is over",
}


def narrate(header: Record, records: Sequence[Record]) -> Lines:
    """Yield the lines of readable text of a game."""
    yield from heading("Seigneurial", header)
    yield from story(_TEXTS, header, records, one_move)


BACKS = {"wood": "a wood card", "fish": "a fish card", "grain": "a grain card", "tenant": "a tenant's card",
         "lord": "a lord's card", "objective": "an Objective", None: "a card"}  # fmt: skip


def _card(card: str | None) -> str:
    """Name a card: "wood 2", "Hidden cellar"; of a card that the reader does not see, its back."""
    if card is None or card in BACKS:
        return BACKS[card]
    if card[-1].isdigit():
        return f"{card[:-1]} {card[-1]}"
    return card.replace("_", " ").capitalize()


def _seat(seat: int) -> str:
    return "the lord" if seat == 1 else f"tenant {seat}"


def _step(label: str, text: str) -> str:
    return f"    {label:<12}{text[:1].upper()}{text[1:]}"


def _goal(header: Record, name: str) -> str:
    points = zip(header["objectives"][name], ("wood", "fish", "grain"), strict=True)
    asked = ", ".join(f"{count} {kind}" for count, kind in points if count)
    return f"{_card(name)} ({asked})"


# --- set-up and seasons ---


def _shuffle(header: Record, record: Record) -> Lines:
    if record["turn"]:
        cards = record.get("cards")
        count = sum(record["counts"]) if "counts" in record else None if cards is None else len(cards)
        yield _step("Shuffle", f"{count or 'the'} discards become the new pile of {record['deck']} cards")


def _season(header: Record, record: Record) -> Lines:
    yield from ("", f"Season {record['turn']}, {record['season']}; tenant {record['first']} is first")


def _season_end(header: Record, record: Record) -> Lines:
    names = ("points", "resources", "favour", "cards")
    counts = [f"{name} {'/'.join('?' if one is None else str(one) for one in record[name])}" for name in names]
    yield f"  Square {record['square']} of {header['track'][1]}; {', '.join(counts)}"


def _moves(header: Record, *group: Record) -> Lines:
    first = group[0]
    if first["why"] == "deal":
        told = _goal(header, first["card"]) if first["card"] in header["objectives"] else _card(first["card"])
        yield f"  Tenant {first['to']['seat']} is dealt {told}"
    elif first["why"] not in SILENT:
        told = MOVES[first["from"]["zone"], first["to"]["zone"]]
        source, goal = (_seat(first[end].get("seat", 1)) for end in ("from", "to"))
        cards = ", ".join(_card(record["card"]) for record in group)
        yield _step(WHY_TEXTS[first["why"]], told.format(source=source, goal=goal, cards=cards))


# --- decisions ---


def _action(header: Record, record: Record) -> Lines:
    told = _ACTIONS.get(record["action"])
    text = told(record) if told else ""
    if text:
        yield _step(record["action"].capitalize(), f"{_seat(record['seat'])} {text}")


def _play(record: Record) -> str:
    if record["card"] is None:
        return ""
    return f"plays {_card(record['card'])} in the {record['window']} window"


def _lay(record: Record) -> str:
    return f"lays {_card(record['card'])}" if record.get("card") else ""


def _part(record: Record) -> str:
    if "card" not in record:
        return ""
    return f"parts with {_card(record['card'])}" if record["card"] else "parts with nothing more"


def _rent(record: Record) -> str:
    asked = ", ".join(f"{record[kind]} {kind}" for kind in ("wood", "fish", "grain") if record[kind])
    return f"asks for {asked}"


_ACTIONS: dict[str, Callable[[Record], str]] = {
    "play": _play,
    "target": lambda record: f"aims at tenant {record['target']}",
    "what": lambda record: f"chooses {record['what']}",
    "part": _part,
    "shift": lambda record: f"shifts {record['points']} points from {record['from']} to {record['to']}",
    "objective": lambda record: f"keeps {_card(record.get('keep', 'objective'))}",
    "winter": lambda record: "pays the due of winter" if record["pay"] else "refuses the due of winter",
    "place": lambda record: f"places pawns: {', '.join(record['squares']) or 'none'}",
    "drop": lambda record: f"has too many cards and drops {_card(record['card'])}",
    "rent": _rent,
    "lay": _lay,
    "split": lambda record: f"gives a point of favour for {record['type']} to tenant {record['target']}",
    "next": lambda record: f"draws from tenant {record['target']} next",
    "pick": lambda record: f"picks {_card(record.get('card'))}",
    "improve": lambda record: f"improves the {record['square']}",
    "crown": lambda record: f"lets tenant {record['target']} win among equals",
}


# --- what happens ---


def _effect(header: Record, record: Record) -> Lines:
    what = f" {record['what']}" if record["what"] else ""
    yield _step("Effect", f"{record['op']}{what} {record['n']}: {', '.join(map(_seat, record['who']))}")


def _ill(header: Record, record: Record) -> Lines:
    yield _step("Illness", f"a pawn of tenant {record['seat']} is ill for {record['turns']} positionings")


def _favour(header: Record, record: Record) -> Lines:
    yield _step("Favour", f"tenant {record['seat']} gets {record['points']}")


def _draw(header: Record, record: Record) -> Lines:
    if not record["kept"]:
        yield _step("Draw", f"the lord gives {_card(record.get('card'))} back to tenant {record['seat']}")


def _progress(header: Record, record: Record) -> Lines:
    obtained = "is obtained" if record["obtained"] else "is not obtained"
    yield _step("Rent", f"the rent {obtained}; the lord stands on square {record['square']}")


def _end(header: Record, record: Record) -> Lines:
    winner = f"{_seat(record['winner'])} wins" if record["winner"] else "nobody wins"
    yield from ("", f"The game ends: {REASONS[record['reason']]}; {winner}")


_TEXTS: dict[str, Callable[..., Lines]] = {
    "shuffle": _shuffle, "season": _season, "season_end": _season_end, "move": _moves, "action": _action,
    "effect": _effect, "ill": _ill, "favour": _favour, "draw": _draw, "progress": _progress, "end": _end,
}  # fmt: skip
