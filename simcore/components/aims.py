"""Whom a card hits and when, as keys of a rule file: their model, the record that kernels read, and their words.

A game names the standings that count, such as coins, and has one kernel `(state, seat, standing) -> int` for them all.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from types import MappingProxyType
from typing import Annotated, Any, Generic, Literal, TypeVar, get_args

import numpy as np
from pydantic import BeforeValidator, Field, model_validator

from simcore.kernel.compilation import inlined
from simcore.kernel.records import layout
from simcore.toml_tables import Table, as_tuple

# --- The keys ---

Standing = TypeVar("Standing", bound=str)
Moment = TypeVar("Moment", bound=int)

Hits = Literal["all", "leader", "last", "most", "least", "first", "player", "others"]
Tie = Literal["all", "nobody", "first"]
Bound = Annotated[int | None, Field(ge=-1_000_000, le=1_000_000)]
LEAST, MOST = -(1 << 31), (1 << 31) - 1  # the range of every standing

SIGNS = {"all": 0, "leader": 1, "last": -1, "most": 1, "least": -1, "first": -1, "player": 0, "others": 0}
"""How a standing counts in the comparison that finds those who are hit."""


class Aim(Table, Generic[Standing, Moment]):
    """Whom a card hits, and when: the keys of a table in a rule file.

    A game's card inherits from `Aim[Names, Rounds]`, two types of `typing.Literal`: the standings that count, and the
    rounds after which cards are resolved.  Where no player plays a card, its `hits` lacks "player" and "others".

    Examples
    --------
    >>> from typing import Literal
    >>> from simcore.kernel.records import blank
    >>> card = Aim[Literal["coins", "sheep"], Literal[3, 6]](hits="most", of="sheep", tie="nobody", rounds=(6,))
    >>> record = blank(AIM)
    >>> pack_aim(record, card, ["coins", "sheep"])
    >>> sheep = {"standing": lambda state, seat, which: [2, 5, 4][seat], "turn": 2, "player": 0}
    >>> bin(seats_hit(record, None, 3, 6, **sheep))  # the second of three seats
    '0b10'
    >>> sentence(card, ["loses 2 sheep"], {"sheep": "sheep"}, "en")
    'The player with the most sheep (on a tie, nobody) loses 2 sheep, only after round 6.'
    """

    hits: Annotated[Hits, Field(description="whom it hits; most and least compare the standing `of`")] = "all"
    of: Annotated[Standing | None, Field(description="the standing that counts, if hits is most or least")] = None
    tie: Annotated[Tie, Field(description="whom it hits on a tie: all of them, nobody, or who played first")] = "all"
    rounds: Annotated[
        tuple[Moment, ...],
        BeforeValidator(as_tuple),
        Field(description="the rounds after which it does something; if none is listed, all"),
    ] = ()
    only_if: Annotated[Standing | None, Field(description="out of bounds in this standing, a player is spared")] = None
    at_least: Annotated[Bound, Field(description="lower bound of only_if")] = None
    at_most: Annotated[Bound, Field(description="upper bound of only_if")] = None

    @model_validator(mode="after")
    def _complete(self) -> Aim[Standing, Moment]:
        if self.hits in ("most", "least") and self.of is None:
            raise ValueError(f"hits = '{self.hits}' does not say of what; set `of` to what counts")
        if (self.only_if is None) != (self.at_least is None and self.at_most is None):
            raise ValueError("only_if does nothing without at_least or at_most, nor they without only_if; set both")
        if self.bounds[0] > self.bounds[1]:
            raise ValueError(f"at_least = {self.at_least} and at_most = {self.at_most} hit nobody; swap them")
        return self

    @property
    def bounds(self) -> tuple[int, int]:
        """The lowest and the highest standing of those whom the condition does not spare."""
        return (
            LEAST if self.at_least is None else self.at_least,
            MOST if self.at_most is None else self.at_most,
        )

    @property
    def aimed(self) -> bool:
        """Whether it does not always hit everybody."""
        return self.hits != "all" or bool(self.rounds) or self.only_if is not None


# --- The record, and the seats that a card hits ---

AIM = layout(
    ("aimed", np.int32),  # 0: it always hits everybody
    ("sign", np.int32),  # of the standing in the comparison; 0: everybody ties
    ("standing", np.int32),
    ("tie", np.int32),  # ALL, NOBODY or FIRST
    ("who", np.int32),  # 1: the one who plays it alone, -1: all others; else 0
    ("rounds", np.uint32),  # bit r: it does something after round r
    ("only_if", np.int32),  # the standing of the condition, -1 if there is none
    ("at_least", np.int32),
    ("at_most", np.int32),
)
ALL, NOBODY, FIRST = map(np.int64, range(3))
EVERYBODY = np.int64(-1)
UNPLAYED = np.int64(-1)  # the seat that plays a card which nobody plays
LOWEST = np.int64(-(1 << 62))


def pack_aim(record: Any, aim: Aim[Any, Any], standings: Sequence[str]) -> None:
    """Write whom a card hits into a record that has the fields of `AIM`.

    standings: Their names in the order of their numbers, the score first; the turn has the next number.
    """
    compared = {"most": aim.of, "least": aim.of}.get(aim.hits, standings[0])
    record["aimed"] = aim.aimed
    record["sign"] = SIGNS[aim.hits]
    record["standing"] = len(standings) if aim.hits == "first" else standings.index(compared)
    record["tie"] = get_args(Tie).index(aim.tie) if SIGNS[aim.hits] else ALL
    record["who"] = {"player": 1, "others": -1}.get(aim.hits, 0)
    record["rounds"] = sum(1 << number for number in set(aim.rounds)) or MOST
    record["only_if"] = -1 if aim.only_if is None else standings.index(aim.only_if)
    record["at_least"], record["at_most"] = aim.bounds


@inlined
def foremost(state, players, among, sign, which, standing):
    """Those of a set of seats who have most of a standing, or least if the sign is -1."""
    hit = np.int64(0)
    best = LOWEST
    for seat in range(players):
        if among >> seat & 1:
            value = sign * standing(state, np.int64(seat), which)
            hit = np.int64(0) if value > best else hit
            best = max(best, value)
            hit |= np.int64(value == best) << seat
    return hit


@inlined
def seats_hit(aim, state, players, rnd, standing, turn, player):
    """The seats that a card hits after a round, as a set: bit k stands for seat k.

    aim: The record of the card.
    rnd: The round that has just been played, up to 30.
    standing: Kernel of the game, `(state, seat, which) -> int`: a standing of a seat by its number.
    turn: Number of the standing of which the player who played first has least.
    player: The seat that plays it, or UNPLAYED.
    """
    hit = foremost(state, players, EVERYBODY, np.int64(aim.sign), np.int64(aim.standing), standing)
    if aim.tie == NOBODY and hit & (hit - 1):
        hit = np.int64(0)
    if aim.tie == FIRST:
        hit = foremost(state, players, hit, np.int64(-1), turn, standing)
        hit &= -hit
    if aim.who:
        own = np.int64(1) << player
        hit &= own if aim.who > 0 else ~own
    if aim.only_if >= 0:
        for seat in range(players):
            value = standing(state, np.int64(seat), np.int64(aim.only_if))
            hit &= ~(np.int64((value < aim.at_least) | (value > aim.at_most)) << seat)
    return hit * (np.int64(aim.rounds) >> rnd & 1)


# --- The words ---

WORDS: Mapping[str, Mapping[str, str]] = {
    "en": {
        "all": "every player", "leader": "the leader", "last": "the player in last place",
        "most": "the player with the most {of}", "least": "the player with the fewest {of}",
        "first": "the player who played first", "player": "the player who plays it", "others": "every other player",
        "tie.all": " (on a tie, all of them)",
        "tie.nobody": " (on a tie, nobody)", "tie.first": " (on a tie, the one who played first)",
        "at_least": "if their number of {of} is at least {low}",
        "at_most": "if their number of {of} is at most {high}", "between": "if their number of {of} is {low} to {high}",
        "rounds": "only after round {rounds}", "or": " or ", "and": " and ", "nothing": "does nothing",
    },
    "fr": {
        "all": "chaque joueur", "leader": "le joueur en tête", "last": "le dernier joueur",
        "most": "le joueur qui a le plus de {of}", "least": "le joueur qui a le moins de {of}",
        "first": "le joueur qui a joué le premier", "player": "le joueur qui la joue",
        "others": "chaque autre joueur", "tie.all": " (tous en cas d'égalité)",
        "tie.nobody": " (personne en cas d'égalité)",
        "tie.first": " (en cas d'égalité, celui qui a joué le premier)",
        "at_least": "si le nombre de ses {of} est d'au moins {low}",
        "at_most": "si le nombre de ses {of} est d'au plus {high}",
        "between": "si le nombre de ses {of} est de {low} à {high}", "rounds": "seulement après le tour {rounds}",
        "or": " ou ", "and": " et ", "nothing": "ne fait rien",
    },
}  # fmt: skip


def listed(items: Sequence[str], word: str) -> str:
    """Return a list in words."""
    return word.join([", ".join(items[:-1]), items[-1]]) if len(items) > 1 else "".join(items)


def sentence(
    aim: Aim[Any, Any],
    deeds: Sequence[str],
    names: Mapping[str, str],
    language: str,
    own: Mapping[str, str] = MappingProxyType({}),
) -> str:
    """Return whom a card hits, what they do, and when.

    deeds: What those who are hit do, with a verb each.
    names: The standings in words, in the plural.
    own: The game's words in place of those in `WORDS`.
    """
    words = {**WORDS[language], **own}
    who = words[aim.hits].format(of=names.get(aim.of or "", ""))
    if SIGNS[aim.hits] and aim.hits != "first":
        who += words[f"tie.{aim.tie}"]
    parts = [f"{who} {listed(deeds, words['and']) or words['nothing']}"]
    if aim.only_if is not None:
        form = "at_most" if aim.at_least is None else "at_least" if aim.at_most is None else "between"
        parts.append(words[form].format(low=aim.at_least, high=aim.at_most, of=names[aim.only_if]))
    if aim.rounds:
        parts.append(words["rounds"].format(rounds=listed([*map(str, aim.rounds)], words["or"])))
    text = ", ".join(parts)
    return f"{text[0].upper()}{text[1:]}."
