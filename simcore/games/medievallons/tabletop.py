"""Médiévallons: the table and the options of a player, in words."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

from simcore.games.medievallons.state import TYPE_NAMES
from simcore.games.medievallons.state import (
    ACTION,
    COPY,
    FIT,
    GUILD,
    JESTER,
    JESTERS,
    LAY,
    MEMBERS,
    PLAY,
    TARGET,
    TYPES,
    USE,
)
from simcore.tabletop import Area, Moment, Tabletop, Thing, counted

TITLES = tuple(name.capitalize() for name in TYPE_NAMES)


def areas(moment: Moment) -> Iterator[Area]:
    """Yield the piles, and the guilds and the hand of every seat."""
    state = moment.state
    pile = [int(kind) for kind in state["pile"][: int(state["discards"])]]
    piles = [
        Thing(
            counted(int(state["size"] - state["at"]), "card") + " in the deck",
            (f"the end card shows {'yellow' if state['yellow'] else 'red'}",),
        )
    ]
    if pile:
        kinds = _cards({kind: pile.count(kind) for kind in sorted(set(pile))})
        piles.append(Thing(f"Discard pile: {TITLES[pile[-1]]} on top", tuple(kinds)))
    yield Area("Piles", tuple(piles))
    for seat in range(moment.rules["players"]):
        player = state["players"][seat]
        guilds = [
            Thing(f"Guild {guild['number']}", tuple(_inside(guild)))
            for guild in player["guild"][: int(player["guilds"])]
        ]
        yield Area("Guilds and hand", (*guilds, _hand(moment, seat)), seat)


def _hand(moment: Moment, seat: int) -> Thing:
    """Return what is seen of a hand: all of one's own, and of others what has been shown."""
    player = moment.state["players"][seat]
    if moment.sees(seat):
        aside = [f"{card} set aside" for card in _cards(_counts(player["offer"]))]
        return Thing(f"Hand: {counted(int(player['cards']), 'card')}", (*_cards(_counts(player["hand"])), *aside))
    known = _cards(_counts(player["known"][moment.seat]))
    return Thing(f"Hand: {counted(int(player['cards']), 'card')}", tuple(f"{card}, as you know" for card in known))


def _counts(cards: Any) -> dict[int, int]:
    """Return the cards of each type in a word with four bits a type."""
    return {kind: found for kind in range(TYPES) if (found := int(cards) >> 4 * kind & 15)}


def _cards(counts: dict[int, int]) -> Iterable[str]:
    return [TITLES[kind] if number == 1 else f"{number} × {TITLES[kind]}" for kind, number in counts.items()]


def _inside(guild: Any) -> Iterable[str]:
    counts = {int(guild["type"]): int(guild["members"])} if guild["members"] else {}
    return _cards(counts | ({int(JESTER): int(guild["jesters"])} if guild["jesters"] else {}))


def _guild(moment: Moment, seat: int, place: int) -> str:
    guild = moment.state["players"][seat]["guild"][place]
    return f"guild {guild['number']} ({', '.join(_inside(guild))})"


def option(moment: Moment, move: int) -> str:
    """Say what a move does."""
    kind = int(moment.state["decision"])
    if kind == ACTION:
        return _action(moment, move >> 2, move & 3)
    if kind in (MEMBERS, JESTERS):
        return counted(move, "Jester") if kind == JESTERS else counted(move, "card")
    if kind == TARGET:
        return f"Seat {move + 1}"
    if kind in (GUILD, COPY):
        return f"Seat {(move >> 3) + 1}: {_guild(moment, move >> 3, move & 7)}"
    if kind == FIT and move >> 2 == JESTER:
        return "Jesters alone"
    return TITLES[move >> 2]


def _action(moment: Moment, item: int, action: int) -> str:
    if action == PLAY:
        return f"Play {TITLES[item]}"
    if action == LAY:
        return f"Lay a guild of {TITLES[item]}"
    assert moment.seat is not None
    return f"{'Use' if action == USE else 'Reinforce'} {_guild(moment, moment.seat, item)}"


def _keep(moment: Moment) -> str:
    return f"Which card do you keep of {', '.join(_cards(_counts(moment.state['drawn'])))}?"


TABLETOP = Tabletop(
    areas,
    option,
    {
        "action": "What do you do in your turn?",
        "fit": "With which cards do you reinforce the guild?",
        "members": "How many cards of that type?",
        "jesters": "How many Jesters?",
        "target": lambda moment: f"{_power(moment)}Which player?",
        "name": lambda moment: f"Which card does your Knight ask seat {moment.state['target'] + 1} for?",
        "take": lambda moment: f"Which card do you take from seat {moment.state['target'] + 1}?",
        "give": lambda moment: f"{_power(moment)}Which card do you give? ({moment.state['owed']} to give)",
        "keep": _keep,
        "guild": "Which guild do you attack?",
        "hit": "Which card do you take from that guild?",
        "copy": "Which guild does your Witch copy?",
    },
)


def _power(moment: Moment) -> str:
    power = int(moment.state["power"])
    return f"{TITLES[power]}: " if power >= 0 else ""
