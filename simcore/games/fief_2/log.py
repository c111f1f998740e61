"""Fief 2: what a recorded game writes, the records of a replay log that are read from it, and their text.

Every record is its code, the number of words that follow, and these words.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any

import numpy as np

from simcore.games.fief_2.rules import Fief2Rules, card_list
from simcore.games.fief_2.state import (
    ASKED, BUILDINGS, BUY, DECISION_NAMES, DISCARD, GROUNDS, NOBODY, ONE, PHASES, PLAY, VOTE, why_name,
)  # fmt: skip
from simcore.kernel.compilation import apart, inlined
from simcore.kernel.decisions import next_legal
from simcore.kernel.trace import has_room, put
from simcore.log_records import (
    Field, Record as Read, RecordKind, Words, flag, its_seat, known, named, nobody, one_more, options, read_record,
    seat_or_none, strategies, title, together, whole_number,
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
def _put(trace, code, size, a, b, c, d, e, f):
    put(trace, code)
    put(trace, size)
    put(trace, a)
    put(trace, b)
    put(trace, c)
    put(trace, d)
    put(trace, e)
    put(trace, f)
    trace.used -= np.uint64(6 - size)


@inlined
def log_turn(state, trace):
    """Log that a phase of a turn begins."""
    if trace.on:
        _put(trace, TURN, np.int64(2), state.turn, state.phase, ONE, ONE, ONE, ONE)


@inlined
def log_move(trace, card, source, source_seat, goal, goal_seat, why):
    """Log that a card moves between zones; the seat of a zone that is not a hand is NOBODY."""
    if trace.on:
        _put(trace, MOVED, np.int64(6), card, source, source_seat, goal, goal_seat, why)


@inlined
def log_paid(trace, payer, payee, amount, why):
    """Log a payment; NOBODY is the bank."""
    if trace.on:
        _put(trace, PAID, np.int64(4), payer, payee, amount, why, ONE, ONE)


@inlined
def log_pawns(trace, seat, village, what, delta, why):
    """Log that pawns come or go; NOBODY means rebels."""
    if trace.on:
        _put(trace, PAWNS, np.int64(5), seat, village, what, delta, why, ONE)


@inlined
def log_lord(trace, lord, seat, village, status, captor, why):
    """Log a change of a lord's place or status."""
    if trace.on:
        _put(trace, LORD, np.int64(6), lord, seat, village, status, captor, why)


@inlined
def log_red(trace, card, lord, keeper, why):
    """Log that a red card has a new owner; the bank if both are NOBODY."""
    if trace.on:
        _put(trace, RED, np.int64(4), card, lord, keeper, why, ONE, ONE)


@inlined
def log_built(trace, village, what, before, after, why):
    """Log that a building is built or destroyed."""
    if trace.on:
        _put(trace, BUILT, np.int64(5), village, what, before, after, why, ONE)


@inlined
def log_holder(trace, village, seat):
    """Log that a village has another holder."""
    if trace.on:
        _put(trace, HOLDER, np.int64(2), village, seat, ONE, ONE, ONE, ONE)


@inlined
def log_married(trace, man, woman, on):
    """Log that a marriage begins or ends."""
    if trace.on:
        _put(trace, MARRIED, np.int64(3), man, woman, on, ONE, ONE, ONE)


@inlined
def log_die(trace, what, lord, die):
    """Log a throw of a die, perhaps for a lord."""
    if trace.on:
        _put(trace, CHANCE, np.int64(3), what, lord, die, ONE, ONE, ONE)


@apart
def log_order(trace, what, items, start, end):
    """Log that lords are dealt, or that a deck is made."""
    if trace.on:
        put(trace, CHANCE)
        put(trace, end - start + 1)
        put(trace, what)
        for place in range(start, end):
            put(trace, items[place])


@apart
def log_decision(state, trace, seat, kind, move):
    """Log a decision with more than one option, and all of its options."""
    has_room(trace)
    if not trace.on:
        return
    put(trace, DECIDED)
    size = trace.used
    put(trace, 0)
    put(trace, seat)
    put(trace, kind)
    put(trace, _value(state, seat, kind, move))
    option = next_legal(state, NOBODY)
    while option >= 0:
        put(trace, _value(state, seat, kind, option))
        option = next_legal(state, option)
    trace.words[size] = np.int32(trace.used - size - np.uint64(1))


@inlined
def _value(state, seat, kind, move):
    """Return a move; a position in a list is replaced by the item there: 1 + card or lord, or 0."""
    if move == 0:
        return np.int64(0)
    if (kind == PLAY) | (kind == DISCARD):
        return 1 + state.hand[seat, move - 1]
    return 1 + state.candidate[move - 1] if kind == VOTE else move


@inlined
def begin_round(trace, village, attacker, defender, ground, points, enemy_points, first, second, total, enemy_total):
    """Log a round of a fight, with the dice as three digits in base 7; return where the losses will be written."""
    place = np.uint64(0)
    if trace.on:
        put(trace, ROUND)
        put(trace, 12)
        put(trace, village)
        put(trace, attacker)
        put(trace, defender)
        put(trace, ground)
        put(trace, points)
        put(trace, enemy_points)
        put(trace, first)
        put(trace, second)
        put(trace, total)
        put(trace, enemy_total)
        place = np.uint64(trace.used)
        put(trace, 0)
        put(trace, 0)
    return place


@inlined
def end_round(trace, place, lost, enemy_lost):
    """Write the losses of a round into their place."""
    if trace.on:
        trace.words[place] = np.int32(lost)
        trace.words[place + np.uint64(1)] = np.int32(enemy_lost)


@apart
def log_income(trace, seat, land, industry, tithe, taille, pension):
    """Log what a family collects."""
    if trace.on:
        _put(trace, INCOME, np.int64(6), seat, land, industry, tithe, taille, pension)


# --- The records of a replay log, each with the words in the trace that it is read from, and who sees them ---
#
# Hands and the deck are hidden; everything else lies open.


Record = dict[str, Any]


def header(words: Sequence[int], rules: Fief2Rules, players: int) -> Record:
    """Return the game's own fields of the first line of a log.

    words: Trace words.
    rules: Resolved rules.
    players: Players at the table.
    """
    villages = [
        {"id": number, "name": village.name, "region": region.name, "bishopric": village.bishopric}
        for number, (region, village) in enumerate(
            (region, village) for region in rules.map.regions for village in region.villages
        )
    ]
    names = [village["name"] for village in villages]
    return {
        "options": {"turns": rules.turns},
        "villages": villages,
        "roads": [[names.index(start), names.index(end)] for start, end in rules.map.roads],
        "cards": [{"id": card, "kind": kind} for card, (kind, _) in enumerate(card_list(rules))],
    }


def records(words: Sequence[int], rules: Fief2Rules, players: int) -> Iterator[Record]:
    """Yield the records of a game, in order; parameters as for `header`."""
    reader = Words(words, rules, players)
    while reader.at < len(words):
        code, size = reader.next(2)
        reader.end = reader.at + size
        if code == TURN:
            reader.current |= {"turn": reader.one(), "phase": PHASES[reader.one()]}
        else:
            yield read_record(RECORD_KINDS[code - 1], reader)
        reader.at = reader.end


# --- what a word stands for ---


def why(words: Words) -> str:
    """The name of a reason."""
    return why_name(words.one())


def zone(words: Words) -> Record:
    """A zone, and the seat of a hand."""
    name, seat = ZONES[words.one()], seat_or_none(words)
    return {"zone": name} if seat is None else {"zone": name, "seat": seat}


def red_card(words: Words) -> str:
    """The name of a red card: an office, or the region of a title."""
    return str([*RED_CARDS, *(region.name for region in words.rules.map.regions)][words.one()])


def pair(words: Words) -> list[int]:
    """A number of the attacker, and one of the defender."""
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
    return [_move_value(name, move) for move in rest(words)]


def rest(words: Words) -> list[int]:
    """All words that are left."""
    return words.next(words.end - words.at)


def lone_die(words: Words) -> list[int]:
    """A die that is thrown for no lord."""
    return rest(words)[1:]


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


def its_seat_if_about_a_hand(first: Read, record: Read, seat: int) -> bool:
    """Its seat if the question shows what a hand holds; otherwise everybody."""
    return record["name"] not in ABOUT_HANDS or its_seat(first, record, seat)


def open_or_own(first: Read, record: Read, seat: int) -> bool:
    """Everybody, but a card that is drawn only the seat that draws it."""
    return bool(record["to"]["zone"] != "hand" or record["to"]["seat"] == seat)


# --- the records, in the order of their codes ---

WHEN = (Field("turn"), Field("phase"))
SEAT, WHY, VILLAGE = Field("seat", word=one_more), Field("why", word=why), Field("village", word=whole_number)
DECK = (Field("values", "ids of cards, top first", nobody, word=rest),)
DIE = (Field("values", "the die", word=lone_die),)

RECORD_KINDS = (
    RecordKind(
        "decision",
        "a seat decides between two options or more",
        (
            *WHEN,
            SEAT,
            Field("name", "what is decided", word=named(DECISION_NAMES)),
            Field("options", "in ascending order; null for none", word=option_moves),
            Field("choice", "one of them", word=choice),
        ),
        seen=its_seat_if_about_a_hand,
    ),
    RecordKind(
        "chance",
        "cards are shuffled, or a die is thrown",
        (*WHEN, Field("what", word=named(CHANCES))),
        by="what",
        variants={
            "lords": (Field("values", "the first lord of each seat", word=rest),),
            "deck": DECK,
            "reshuffle": DECK,
            "plague": (Field("values", "the lord and the die", word=rest),),
            "revolt": DIE,
            "calm": DIE,
        },
    ),
    RecordKind(
        "move",
        "a card moves",
        (
            *WHEN,
            Field("card", "id", open_or_own, word=whole_number),
            Field("from", word=zone),
            Field("to", "each {`zone`: `deck discard hand play box`, with `seat` for a hand}", word=zone),
            WHY,
        ),
    ),
    RecordKind(
        "money",
        "a payment",
        (
            *WHEN,
            Field("from", word=one_more),
            Field("to", "each a seat, or 0 for the bank", word=one_more),
            Field("amount", word=whole_number),
            WHY,
        ),
    ),
    RecordKind(
        "pawns",
        "pawns come or go",
        (
            *WHEN,
            Field("seat", "0 for rebels", word=one_more),
            VILLAGE,
            Field("what", "`soldiers king_guard queen_guard rebels`", word=named(PAWN_KINDS)),
            Field("delta", "signed", word=whole_number),
            WHY,
        ),
    ),
    RecordKind(
        "lord",
        "a lord has another place or status",
        (
            *WHEN,
            Field("lord", word=whole_number),
            Field("seat", "the family", word=one_more),
            Field("village", "or null", word=known),
            Field("status", "`free prisoner dead`", word=named(STATUSES)),
            Field("captor", "seat or null", word=seat_or_none),
            WHY,
        ),
    ),
    RecordKind(
        "card",
        "a red card has another owner",
        (
            *WHEN,
            Field("card", "`king queen prince cardinal`, or the region of a title", word=red_card),
            Field("lord", "or null", word=known),
            Field("keeper", "seat that keeps a title without a lord, or null", word=seat_or_none),
            WHY,
        ),
    ),
    RecordKind(
        "building",
        "a building is built or destroyed",
        (
            *WHEN,
            VILLAGE,
            Field("what", "`fort mill press`", word=named(BUILDINGS)),
            Field("from", word=whole_number),
            Field("to", "0 none, 1 one; a fort is 1 as a castle, 2 as a city", word=whole_number),
            WHY,
        ),
    ),
    RecordKind(
        "holder",
        "another family holds a village, or none does",
        (*WHEN, VILLAGE, Field("seat", "or null", word=seat_or_none)),
    ),
    RecordKind(
        "marriage",
        "a marriage begins or ends",
        (
            *WHEN,
            Field("man", word=whole_number),
            Field("woman", "lords", word=whole_number),
            Field("on", "whether it begins", word=flag),
        ),
    ),
    RecordKind(
        "round",
        "a round of a fight; totals include the bonus of d'Arc",
        (
            *WHEN,
            VILLAGE,
            Field("attacker", word=one_more),
            Field("defender", "each a seat, or 0 for rebels", word=one_more),
            Field("ground", "`open castle city`", word=named(GROUNDS)),
            Field("points", "before the round", word=pair),
            Field("dice", word=dice),
            Field("totals", word=pair),
            Field("losses", r"\[each of the attacker, of the defender\]", word=pair),
        ),
    ),
    RecordKind(
        "revenue",
        "what a family collects",
        (
            *WHEN,
            SEAT,
            *(Field(source, word=whole_number) for source in ("land", "industry", "tithe", "taille", "pension")),
        ),
    ),
    RecordKind(
        "turn_end",
        "checksum of the turn",
        (
            *WHEN,
            *map(Field, ("money", "soldiers", "score")),
            Field("titles", r"\[each by seat\]"),
        ),
        written=(together("money", "soldiers", "score", "titles"),),
    ),
    RecordKind(
        "end",
        "the end of the game",
        (
            *WHEN,
            Field("score", "of the whole game"),
            Field("last", "of the last scoring"),
            *map(Field, ("money", "place")),
            Field("share60", r"\[each by seat\]"),
        ),
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
    """Yield the lines of a readable text.

    header: The log's first line.
    records: The log's other records, in order.
    """
    teller = _Teller(header)
    yield title("Fief 2", header)
    yield strategies(header["strategies"])
    yield options(header)
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
