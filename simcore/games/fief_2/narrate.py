"""Fief 2: a replay log as text that a person can follow at the table."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any

from simcore.log_text import options, strategies, title

Record = dict[str, Any]


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
