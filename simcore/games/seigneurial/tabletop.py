"""Seigneurial: the table and the options of a player, in words."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import Any

from simcore.games.seigneurial.state import (
    ACT, BAR, CROWN, DROP_CARD, IMPROVE, KEEP, KEEP_OBJECTIVE, LAY, LORD, NEXT, NOTHING, PART, PASS, PAY_DUE,
    PICK, PLACE, PLAY, SET_RENT, SHIFT_POINTS, SPLIT, STOP, TARGET, TYPES, VALUES, WHAT,
)  # fmt: skip
from simcore.games.seigneurial.state import QUARTER_NAMES, SQUARE_NAMES, TYPE_NAMES, WINDOW_NAMES
from simcore.tabletop import Area, Moment, Tabletop, Thing, counted

LANDS = SQUARE_NAMES[:TYPES]


def areas(moment: Moment) -> Iterator[Area]:
    """Yield the lord's track, the rent, the piles, and what every seat has."""
    state, rules = moment.state, moment.rules
    yield Area(_when(moment), tuple(_square(moment, square) for square in range(int(rules["end"]) + 1)))
    if state["rent"]:
        got = [f"{TYPE_NAMES[kind]} {state['got'][kind]} of {state['demand'][kind]}" for kind in range(TYPES)]
        yield Area("Rent: points obtained of those demanded", tuple(map(Thing, got)))
    piles = [
        Thing(f"{TYPE_NAMES[kind].capitalize()}: {counted(int(state['resources']['left'][kind]), 'card')}")
        for kind in range(TYPES)
    ]
    piles.append(Thing(f"Censitaire cards: {state['pile']['left']}"))
    yield Area("Piles", (*piles, Thing(f"Seigneur cards: {state['stock']['left']}")))
    yield Area("Cards", tuple(_role_cards(moment, int(LORD))), int(LORD))
    for seat in range(1, int(rules["players"])):
        yield Area("Cards and pawns", tuple(_tenant(moment, seat)), seat)


def _when(moment: Moment) -> str:
    season = int(moment.state["season"])
    told = f"Season {season}, {QUARTER_NAMES[int(moment.state['quarter'])]}" if season else "Set-up"
    return f"{told}: the lord's track"


def _square(moment: Moment, square: int) -> Thing:
    marks = (("the lord", moment.state["square"]), ("middle", moment.rules["middle"]), ("end", moment.rules["end"]))
    notes = [mark for mark, marked in marks if square == marked]
    return Thing(str(square), tuple(notes), int(LORD) if square == moment.state["square"] else None)


def _role_cards(moment: Moment, seat: int) -> Iterator[Thing]:
    player = moment.state["players"][seat]
    name = "Seigneur cards" if seat == LORD else "Censitaire cards"
    if moment.sees(seat) and player["cards"]:
        held = [kind for kind, number in enumerate(player["own"]) for _ in range(int(number))]
        yield Thing(f"{name}: {player['cards']}", tuple(_card(moment, seat, kind) for kind in held))
    else:
        yield Thing(f"{name}: {player['cards']}")


def _tenant(moment: Moment, seat: int) -> Iterator[Thing]:
    state = moment.state
    player = state["players"][seat]
    if moment.sees(seat) or player["revealed"]:
        yield Thing("Objective", (_objective(moment, int(player["objective"])),))
    cards = f"Resources: {counted(int(player['resources']), 'card')}"
    if moment.sees(seat) or (state["decision"] == PICK and state["target"] == seat):
        yield Thing(cards, tuple(_faces(player["hand"])))
    else:
        ledger = player["ledger"]
        yield Thing(
            cards,
            tuple(
                f"{TYPE_NAMES[kind]} drawn and not seen again: {ledger[kind]}" for kind in range(TYPES) if ledger[kind]
            ),
        )
    if zeros := [f"{player['front'][kind]} × {TYPE_NAMES[kind]} 0" for kind in range(TYPES) if player["front"][kind]]:
        yield Thing("In front", tuple(zeros))
    is_secret = bool(moment.rules["payment"]) and state["decision"] == LAY and not moment.sees(seat)
    if player["lays"]:
        yield Thing(
            f"Laid: {counted(int(player['lays']), 'card')}", () if is_secret else tuple(_faces(player["table"]))
        )
    yield Thing("Pawns", tuple(_pawns(moment, player)))
    yield from _role_cards(moment, seat)
    yield Thing(f"Favour: {player['favour']}")
    if player["improved"] != NOTHING:
        yield Thing(f"Improved: {LANDS[int(player['improved'])]}")


def _pawns(moment: Moment, player: Any) -> Iterator[str]:
    yield from (SQUARE_NAMES[int(square)] for square in player["placed"][: int(player["pawns"])])
    yield from (f"ill for {turns} more" for turns in player["ill"][: int(moment.rules["pawns"])] if turns)


def _faces(counts: Any) -> Iterable[str]:
    return (f"{number} × {_face(face)}" if number > 1 else _face(face) for face, number in enumerate(counts) if number)


def _face(face: int) -> str:
    return f"{TYPE_NAMES[face // VALUES]} {face % VALUES}"


def _card(moment: Moment, seat: int, kind: int) -> str:
    """Name a card, and say what it does in the words of the rules file."""
    card = (moment.values.lord_card if seat == LORD else moment.values.tenant_card)[kind]
    done = "; ".join(" ".join(filter(None, (one.op, one.what, str(one.n), f"({one.who})"))) for one in card.effects)
    return f"{card.id.replace('_', ' ').capitalize()}: {done}"


def _objective(moment: Moment, number: int) -> str:
    name, points = list(moment.values.goals(int(moment.rules["players"])).items())[number]
    asked = ", ".join(f"{TYPE_NAMES[kind]} {points[kind]}" for kind in range(TYPES) if points[kind])
    return f"{name.replace('_', ' ').capitalize()}: {asked}"


def _split(moment: Moment, move: int) -> str:
    rent, wood = int(moment.state["rent"]), 0
    while move > rent - wood:
        move -= rent - wood + 1
        wood += 1
    asked = zip(TYPE_NAMES, (wood, move, rent - wood - move), strict=True)
    return ", ".join(f"{points} {name}" for name, points in asked if points) or "nothing"


def _shift(moment: Moment, move: int) -> str:
    giver, taker = move % 6 >> 1, move & 1
    taker += taker >= giver
    return f"{counted(move // 6 + 1, 'point')} of {TYPE_NAMES[giver]} as {TYPE_NAMES[taker]}"


def _what(moment: Moment, move: int) -> str:
    return (SQUARE_NAMES if moment.state["op"] in (ACT, BAR) else TYPE_NAMES)[move]


def _seat(moment: Moment, move: int) -> str:
    return f"Seat {move + 1}, {'the lord' if move == LORD else 'tenant'}"


def _own_card(moment: Moment, move: int) -> str:
    return _card(moment, int(moment.seat or 0), move)


_OPTIONS: dict[int, Callable[[Moment, int], str]] = {
    int(kind): told
    for kind, told in (
        (PLAY, lambda moment, move: "Play no more cards" if move == PASS else _own_card(moment, move)),
        (TARGET, _seat),
        (WHAT, _what),
        (PART, lambda moment, move: "No more" if move == STOP else _face(move)),
        (SHIFT_POINTS, _shift),
        (KEEP_OBJECTIVE, _objective),
        (PAY_DUE, lambda moment, move: "Pay" if move else "Refuse"),
        (PLACE, lambda moment, move: SQUARE_NAMES[move].capitalize()),
        (KEEP, _own_card),
        (DROP_CARD, _own_card),
        (SET_RENT, _split),
        (LAY, lambda moment, move: "Nothing more in this season" if move == STOP else _face(move)),
        (SPLIT, _seat),
        (NEXT, _seat),
        (PICK, lambda moment, move: _face(move)),
        (IMPROVE, lambda moment, move: LANDS[move].capitalize()),
        (CROWN, _seat),
    )
}


def option(moment: Moment, move: int) -> str:
    """Say what a move does."""
    return _OPTIONS[int(moment.state["decision"])](moment, move)


def _played(moment: Moment) -> str:
    kind = int(moment.state["card"])
    return "" if kind < 0 else f" ({_own_card(moment, kind)})"


TABLETOP = Tabletop(
    areas,
    option,
    {
        "play": lambda moment: f"Do you play a card in the {WINDOW_NAMES[int(moment.state['window'])]} window?",
        "target": lambda moment: f"At whom do you aim the card?{_played(moment)}",
        "what": "Which one?",
        "part": lambda moment: (
            f"Which resource card do you part with? {counted(int(moment.state['owed']), 'point')} are due."
            if moment.state["owed"] > 0
            else "Which resource card do you part with?"
        ),
        "shift": "Which points of the rent do you shift?",
        "objective": "Which Objective do you keep?",
        "winter": lambda moment: f"Do you pay the due of winter, {counted(int(moment.rules['due']), 'point')}?",
        "place": "On which square does your next pawn stand?",
        "keep": "Which card do you keep at the Church?",
        "drop": "You hold too many cards. Which one do you discard?",
        "rent": lambda moment: f"Which rent do you demand? It is worth {counted(int(moment.state['rent']), 'point')}.",
        "lay": "Which card do you lay for the rent?",
        "split": lambda moment: f"Who gets a point of favour for {TYPE_NAMES[int(moment.state['type'])]}?",
        "next": "From whom do you draw next?",
        "pick": lambda moment: f"Which card do you take from seat {moment.state['target'] + 1}?",
        "improve": "Which land do you improve?",
        "crown": "Who wins among equals?",
    },
)
