"""Fief 2: what a recorded game writes, the records of a replay log that are read from it, and their text."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any

import numpy as np

from simcore.games.fief_2.rules import card_in_words, Fief2Rules, OwnCard, card_list
from simcore.games.fief_2.state import (
    ASKED, BUILDINGS, BUY, DECISION_NAMES, DISCARD, GROUNDS, NOBODY, PHASES, PLAY, VOTE, why_name,
)  # fmt: skip
from simcore.kernel.compilation import apart, inlined
from simcore.kernel.decisions import next_legal
from simcore.kernel.trace import has_room, tell
from simcore.log_records import (
    END_OF_LIST, Field, Record, RecordKind, Words, flag, heading, its_seat, known, named, nobody, numbers,
    one_more, read_record, seat_or_none, together, whole_number,
)  # fmt: skip


(TURN, DECIDED, CHANCE, MOVED, PAID, PAWNS, LORD, RED, BUILT, HOLDER, MARRIED, ROUND, INCOME, TURN_END, OVER) = map(
    np.int64, range(15)
)

LORDS_DEALT, DECK_MADE, RESHUFFLED, PLAGUE_DIE, REVOLT_DIE, CALM_DIE = map(np.int64, range(6))
CHANCES = ("lords", "deck", "reshuffle", "plague", "revolt", "calm")

DECK_ZONE, DISCARD_ZONE, HAND_ZONE, PLAY_ZONE, BOX_ZONE = map(np.int64, range(5))
ZONES = ("deck", "discard", "hand", "play", "box")

SOLDIERS, KINGS_GUARD, QUEENS_GUARD, REBELS = map(np.int64, range(4))
PAWN_KINDS = ("soldiers", "king_guard", "queen_guard", "rebels")

FREE, PRISONER, DEAD = map(np.int64, range(3))
STATUSES = ("free", "prisoner", "dead")

KING, QUEEN, PRINCE, CARDINAL = map(np.int64, range(4))
RED_CARDS = ("king", "queen", "prince", "cardinal")
FIRST_TITLE = np.int64(len(RED_CARDS))


@apart
def log_order(trace, what, items, count):
    """Log that lords are dealt, or that a deck is made."""
    if trace.on:
        tell(trace, CHANCE, what)
        for place in range(count):
            tell(trace, items[place])
        tell(trace, END_OF_LIST)


@apart
def log_decision(state, trace, seat, kind, move):
    """Log a decision with more than one option, and all of its options."""
    has_room(trace)
    tell(trace, DECIDED, seat, kind, _value(state, seat, kind, move))
    option = next_legal(state, NOBODY)
    while option >= 0:
        tell(trace, _value(state, seat, kind, option))
        option = next_legal(state, option)
    tell(trace, END_OF_LIST)


@inlined
def _value(state, seat, kind, move):
    """Return a move; a position in a list is replaced by the item there: 1 + card or lord, or 0."""
    if move == 0:
        return np.int64(0)
    if (kind == PLAY) | (kind == DISCARD):
        return 1 + state.hand[seat, move - 1]
    return 1 + state.candidate[move - 1] if kind == VOTE else move


@inlined
def log_losses(trace, end, lost, enemy_lost):
    """Write the losses of a round into the last two of its words, which were written before the losses were known."""
    if trace.on:
        trace.words[end - np.uint64(2)] = np.int32(lost)
        trace.words[end - np.uint64(1)] = np.int32(enemy_lost)


# --- The records of a replay log, each with the words in the trace that it is read from, and who sees them ---
#
# Hands and the deck are hidden; everything else lies open.


def header(words: Sequence[int], rules: Fief2Rules, players: int) -> dict[str, Any]:
    """Return the game's own fields of the first line of a log."""
    villages = [
        {"id": number, "name": village.name, "region": region.name, "bishopric": village.bishopric}
        for number, (region, village) in enumerate(
            (region, village) for region in rules.map.regions for village in region.villages
        )
    ]
    names = [village["name"] for village in villages]
    own = {name: card.model_dump(mode="json", exclude_defaults=True) for name, card in rules.cards.items()}
    return {
        "options": {"turns": rules.turns},
        "villages": villages,
        "roads": [[names.index(start), names.index(end)] for start, end in rules.map.roads],
        "cards": [{"id": card, "kind": kind} for card, (kind, _) in enumerate(card_list(rules))],
        **({"own_cards": own} if own else {}),
    }


def records(words: Sequence[int], rules: Fief2Rules, players: int) -> Iterator[dict[str, Any]]:
    """Yield the records of a game, in order."""
    reader, turn = Words(words, rules, players), int(TURN)
    while reader.at < len(words):
        code = reader.one()
        if code == turn:
            reader.current |= {"turn": reader.one(), "phase": PHASES[reader.one()]}
        else:
            yield read_record(RECORD_KINDS[code - 1], reader)


# --- what a word stands for ---


def why(words: Words) -> str:
    """The name of a reason."""
    return why_name(words.one())


def zone(words: Words) -> dict[str, Any]:
    """A zone, and the seat of a hand."""
    name, seat = ZONES[words.one()], seat_or_none(words)
    return {"zone": name} if seat is None else {"zone": name, "seat": seat}


def red_card(words: Words) -> str:
    """The name of a red card: an office, or the region of a title."""
    return str([*RED_CARDS, *(region.name for region in words.rules.map.regions)][words.one()])


def pair(words: Words) -> list[int]:
    """Two numbers, such as those of the attacker and of the defender."""
    return words.next(2)


def dice(words: Words) -> list[list[int]]:
    """The dice of both sides, each written as digits in base 7."""
    return [[die for die in (digits % 7, digits // 7 % 7, digits // 49) if die] for digits in words.next(2)]


def choice(words: Words) -> Any:
    """A move; the options follow it in the trace, and stand before it in the log."""
    return words.current["_choice"]


def option_moves(words: Words) -> list[Any]:
    """All moves."""
    name = DECISION_NAMES[words.words[words.at - 1]]
    words.current["_choice"] = _move_value(name, words.one())
    return [_move_value(name, move) for move in numbers(words)]


def lone_die(words: Words) -> list[int]:
    """A die that is thrown for no lord."""
    return words.next(2)[1:]


def _move_value(name: str, move: int) -> Any:
    """Return what a log writes for a move."""
    value = ASKED[name].value
    if value == "yes":
        return move == 1
    if value == "number":
        return move
    if move == 0:
        return None
    return BUY[move - 1] if value == "buy" else move - 1


# --- who sees it ---


ABOUT_HANDS = ("discard", "play", "justice")
"""Decisions that are only asked of a family that holds certain cards."""


def its_seat_if_about_a_hand(first: Record, record: Record, seat: int) -> bool:
    """Its seat if the question shows what a hand holds; otherwise everybody."""
    return record["name"] not in ABOUT_HANDS or its_seat(first, record, seat)


def open_or_own(first: Record, record: Record, seat: int) -> bool:
    """Everybody, but a card that is drawn only the seat that draws it."""
    return bool(record["to"]["zone"] != "hand" or record["to"]["seat"] == seat)


# --- the records, in the order of their codes ---

SEAT, WHY, VILLAGE = Field("seat", word=one_more), Field("why", word=why), Field("village", word=whole_number)
DECK = (Field("values", "ids of cards, top first", nobody, word=numbers),)
DIE = (Field("values", "the die", word=lone_die),)


def _kind(name: str, meaning: str, *fields: Field, **more: Any) -> RecordKind:
    return RecordKind(name, meaning, (Field("turn"), Field("phase"), *fields), **more)


RECORD_KINDS = (
    _kind(
        "decision",
        "a seat decides between two options or more",
        SEAT,
        Field("name", "what is decided", word=named(DECISION_NAMES)),
        Field("options", "in ascending order; null for none", word=option_moves),
        Field("choice", "one of them", word=choice),
        seen=its_seat_if_about_a_hand,
    ),
    _kind(
        "chance",
        "cards are shuffled, or a die is thrown",
        Field("what", word=named(CHANCES)),
        by="what",
        variants={
            "lords": (Field("values", "the first lord of each seat", word=numbers),),
            "deck": DECK,
            "reshuffle": DECK,
            "plague": (Field("values", "the lord and the die", word=pair),),
            "revolt": DIE,
            "calm": DIE,
        },
    ),
    _kind(
        "move",
        "a card moves",
        Field("card", "id", open_or_own, word=whole_number),
        Field("from", word=zone),
        Field("to", "each {`zone`: `deck discard hand play box`, with `seat` for a hand}", word=zone),
        WHY,
    ),
    _kind(
        "money",
        "a payment",
        Field("from", word=one_more),
        Field("to", "each a seat, or 0 for the bank", word=one_more),
        Field("amount", word=whole_number),
        WHY,
    ),
    _kind(
        "pawns",
        "pawns come or go",
        Field("seat", "0 for rebels", word=one_more),
        VILLAGE,
        Field("what", "`soldiers king_guard queen_guard rebels`", word=named(PAWN_KINDS)),
        Field("delta", "signed", word=whole_number),
        WHY,
    ),
    _kind(
        "lord",
        "a lord has another place or status",
        Field("lord", word=whole_number),
        Field("seat", "the family", word=one_more),
        Field("village", "or null", word=known),
        Field("status", "`free prisoner dead`", word=named(STATUSES)),
        Field("captor", "seat or null", word=seat_or_none),
        WHY,
    ),
    _kind(
        "card",
        "a red card has another owner",
        Field("card", "`king queen prince cardinal`, or the region of a title", word=red_card),
        Field("lord", "or null", word=known),
        Field("keeper", "seat that keeps a title without a lord, or null", word=seat_or_none),
        WHY,
    ),
    _kind(
        "building",
        "a building is built or destroyed",
        VILLAGE,
        Field("what", "`fort mill press`", word=named(BUILDINGS)),
        Field("from", word=whole_number),
        Field("to", "0 none, 1 one; a fort is 1 as a castle, 2 as a city", word=whole_number),
        WHY,
    ),
    _kind(
        "holder",
        "another family holds a village, or none does",
        VILLAGE,
        Field("seat", "or null", word=seat_or_none),
    ),
    _kind(
        "marriage",
        "a marriage begins or ends",
        Field("man", word=whole_number),
        Field("woman", "lords", word=whole_number),
        Field("on", "whether it begins", word=flag),
    ),
    _kind(
        "round",
        "a round of a fight; totals include the bonus of d'Arc",
        VILLAGE,
        Field("attacker", word=one_more),
        Field("defender", "each a seat, or 0 for rebels", word=one_more),
        Field("ground", "`open castle city`", word=named(GROUNDS)),
        Field("points", "before the round", word=pair),
        Field("dice", word=dice),
        Field("totals", word=pair),
        Field("losses", r"\[each of the attacker, of the defender\]", word=pair),
    ),
    _kind(
        "revenue",
        "what a family collects",
        SEAT,
        *(Field(source, word=whole_number) for source in ("land", "industry", "tithe", "taille", "pension")),
    ),
    _kind(
        "turn_end",
        "checksum of the turn",
        *map(Field, ("money", "soldiers", "score")),
        Field("titles", r"\[each by seat\]"),
        written=(together("money", "soldiers", "score", "titles"),),
    ),
    _kind(
        "end",
        "the end of the game",
        Field("score", "of the whole game"),
        Field("last", "of the last scoring"),
        *map(Field, ("money", "place")),
        Field("share60", r"\[each by seat\]"),
        written=(together("score", "last", "money", "place", "share60"),),
    ),
)


# --- A replay log as text that a person can follow at the table ---


class _Teller:
    """The names for the numbers in a log."""

    def __init__(self, header: Record) -> None:
        self.villages = [village["name"] for village in header["villages"]]
        self.regions = list(dict.fromkeys(village["region"] for village in header["villages"]))
        self.kinds = [card["kind"] for card in header["cards"]]

    def village(self, number: int | None) -> str:
        return "nowhere" if number is None else self.villages[number]

    def seat(self, number: int | None) -> str:
        return "nobody" if number is None else f"seat {number}" if number else "the rebels"


def narrate(header: Record, records: Sequence[Record]) -> Iterator[str]:
    """Yield the lines of a readable text."""
    teller = _Teller(header)
    yield from heading("Fief 2", header, name=str)
    for name, card in header.get("own_cards", {}).items():
        yield f"  {name}: {card_in_words(OwnCard.model_validate(card))}"
    when = None
    for record in records:
        line = _TELL[record["kind"]](teller, record)
        if line:
            if (record["turn"], record["phase"]) != when:
                when = record["turn"], record["phase"]
                yield ""
                yield f"Turn {when[0]}, {when[1]}" if when[0] else "Set-up"
            yield f"  {line}"


_CHOICES = {
    "vote": "votes for lord {0}", "stand": "lets lord {0} stand for King", "spouse": "asks for lord {0}",
    "propose": "proposes a marriage of lord {0}", "attack": "attacks {1}", "calm": "adds {0} points of conviction",
}  # fmt: skip
_QUESTIONS = {
    "ransom_offer": "offer a ransom", "ransom_accept": "take the ransom", "accept": "accept the marriage",
    "consecrate": "consecrate the elected", "as_prince": "play the lord as Prince", "consent": "consent to the Prince",
    "sortie": "make a sortie", "ask_grace": "ask for grace", "grant_grace": "grant grace", "join": "join the fight",
}  # fmt: skip


def _decision(teller: _Teller, record: Record) -> str:
    name, choice = record["name"], record["choice"]
    if name in _QUESTIONS:
        return f"Seat {record['seat']}: {_QUESTIONS[name]}? {'yes' if choice else 'no'}"
    if name in _CHOICES and choice is not None:
        return f"Seat {record['seat']} {_CHOICES[name].format(choice, teller.seat(choice))}"
    return ""


def _chance(teller: _Teller, record: Record) -> str:
    what, values = record["what"], record.get("values", ())
    if what == "plague":
        return f"Plague: a {values[1]} for lord {values[0]}"
    return f"A die for the {what}: {values[0]}" if what in ("revolt", "calm") else f"Shuffled: {what}"


def _move(teller: _Teller, record: Record) -> str:
    card = f"{teller.kinds[record['card']]} ({record['card']})" if "card" in record else "a card"
    source, goal = record["from"], record["to"]
    if goal["zone"] == "hand":
        return f"Seat {goal['seat']} draws {card}"
    if source["zone"] == "hand":
        return f"Seat {source['seat']} {'plays' if goal['zone'] == 'play' else 'discards'} {card}"
    return ""


def _money(teller: _Teller, record: Record) -> str:
    if record["to"]:
        payer = f"Seat {record['from']}" if record["from"] else "The bank"
        return f"{payer} pays seat {record['to']} {record['amount']} écus ({record['why']})"
    return f"Seat {record['from']} pays {record['amount']} écus ({record['why']})"


def _pawns(teller: _Teller, record: Record) -> str:
    what = (
        record["what"]
        .replace("king_guard", "points of the King's guard")
        .replace("queen_guard", "points of the Queen's guard")
    )
    whose = f"Seat {record['seat']}: " if record["seat"] else ""
    return f"{whose}{record['delta']:+d} {what} in {teller.village(record['village'])} ({record['why']})"


def _lord(teller: _Teller, record: Record) -> str:
    lord = f"Lord {record['lord']} of seat {record['seat']}"
    if record["status"] == "dead":
        return f"{lord} dies ({record['why']})"
    if record["status"] == "prisoner":
        return f"{lord} is a prisoner of seat {record['captor']} in {teller.village(record['village'])}"
    return f"{lord} is in {teller.village(record['village'])}"


def _card(teller: _Teller, record: Record) -> str:
    card = record["card"] if record["card"] in teller.regions else record["card"].capitalize()
    if record["lord"] is not None:
        return f"{card}: lord {record['lord']}"
    return f"{card}: kept by seat {record['keeper']}" if record["keeper"] else f"{card}: back to the bank"


def _building(teller: _Teller, record: Record) -> str:
    if not record["to"]:
        return f"The {record['what']} of {teller.village(record['village'])} burns"
    what = "city" if record["to"] == 2 else "castle" if record["what"] == "fort" else record["what"]
    return f"{teller.village(record['village'])} has a {what}"


def _holder(teller: _Teller, record: Record) -> str:
    return f"{teller.village(record['village'])} is held by {teller.seat(record['seat'])}"


def _marriage(teller: _Teller, record: Record) -> str:
    return f"Lords {record['man']} and {record['woman']} {'marry' if record['on'] else 'are parted by death'}"


def _round(teller: _Teller, record: Record) -> str:
    sides = [teller.seat(record[side]) for side in ("attacker", "defender")]
    thrown = [" + ".join(map(str, dice)) for dice in record["dice"]]
    who = [f"{side} ({points} points)" for side, points in zip(sides, record["points"], strict=True)]
    where = f"{teller.village(record['village'])}, {record['ground']}"
    total, lost = record["totals"], record["losses"]
    return (
        f"Fight in {where}: {who[0]} throws {thrown[0]} = {total[0]}, {who[1]} throws {thrown[1]} = {total[1]};"
        f" they lose {lost[0]} and {lost[1]}"
    )


def _revenue(teller: _Teller, record: Record) -> str:
    parts = [f"{name} {record[name]}" for name in ("land", "industry", "tithe", "taille", "pension") if record[name]]
    return f"Seat {record['seat']} collects {', '.join(parts) or 'nothing'}"


def _by_seat(record: Record, names: Mapping[str, str]) -> str:
    """List values by seat, as "name of seats 1, 2, ..."."""
    return "; ".join(f"{title} {', '.join(map(str, record[name]))}" for name, title in names.items())


def _turn_end(teller: _Teller, record: Record) -> str:
    return _by_seat(record, {"money": "Écus by seat", "soldiers": "soldiers", "score": "score", "titles": "titles"})


def _end(teller: _Teller, record: Record) -> str:
    names = {"score": "Score by seat", "last": "last scoring", "money": "écus", "place": "places"}
    shares = ", ".join(f"{share / 60:g}" for share in record["share60"])
    return f"{_by_seat(record, names)}; shares of the win {shares}"


_TELL: dict[str, Callable[[_Teller, Record], str]] = {
    "decision": _decision, "chance": _chance, "move": _move, "money": _money, "pawns": _pawns, "lord": _lord,
    "card": _card, "building": _building, "holder": _holder, "marriage": _marriage, "round": _round,
    "revenue": _revenue, "turn_end": _turn_end, "end": _end,
}  # fmt: skip
