"""Where the games of an imported table come from, as the manifest of its run says."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import BaseModel, ConfigDict, Field

from simcore.elsewhere import Names, game_of
from simcore.game import Column, Game
from simcore.roles import MOST_PLAYERS

MOST_NAMES = 1_000_000
Named = Annotated[str, Field(min_length=1, max_length=80)]
Players = Annotated[int, Field(ge=2, le=MOST_PLAYERS)]


class Measure(BaseModel):
    """A column of numbers.

    name: Its name in the run.
    column: Its name in the file.
    decimals: Number of digits after the point, at most 6.
    """

    model_config = ConfigDict(extra="forbid", frozen=True)

    name: Annotated[str, Field(pattern=r"^[a-z0-9_]{1,41}$")]
    column: Annotated[str, Field(max_length=200)]
    decimals: Annotated[int, Field(ge=0, le=6)]


class Origin(BaseModel):
    """The file that the games were read from, and what its columns say.

    file, sha256: Name of the file without its folder, and SHA-256 of its contents.
    title: Name of the game.
    counts, usual: Smallest and largest number of players in the file, and the most frequent one.
    seats: Whether the file says who sat where.
    wins: What decided: "winner" (marked in the file), "rank", "highest" score or "lowest" score.
    people, roles, groups: The names in these columns; empty without the column.
    measures: Columns of numbers, the score first if there is one.
    score, length, deals: Whether there is a score, a length, and a column that says which games share a deal.
    together, shared: Number of games that all seats won or lost together, and of games with several winners among
        others.
    cooperative: Whether that is so in all games, so that nobody played against another.
    """

    model_config = ConfigDict(extra="forbid", frozen=True)

    file: Annotated[str, Field(max_length=300)]
    sha256: Annotated[str, Field(pattern=r"^[0-9a-f]{64}$")]
    title: Named
    counts: tuple[Players, Players]
    usual: Players
    seats: bool
    wins: Literal["winner", "rank", "highest", "lowest"]
    people: Annotated[tuple[Named, ...], Field(max_length=MOST_NAMES)] = ()
    roles: Annotated[tuple[Named, ...], Field(max_length=MOST_NAMES)] = ()
    groups: Annotated[tuple[Named, ...], Field(max_length=MOST_NAMES)] = ()
    measures: tuple[Measure, ...] = ()
    score: bool = False
    length: bool = False
    deals: bool = False
    together: Annotated[int, Field(ge=0)] = 0
    shared: Annotated[int, Field(ge=0)] = 0
    cooperative: bool = False

    @property
    def columns(self) -> tuple[Column, ...]:
        """The columns of the run's table in addition to the general ones."""
        named = {
            "player": ("who played the seat", self.people),
            "role": ("role of the seat", self.roles),
            "group": ("group that played the game", self.groups),
        }
        found = [
            Column(name, "Enum", meaning, detail="minimal", labels=Names(labels))
            for name, (meaning, labels) in named.items()
            if labels
        ]
        if self.deals:
            found.append(Column("deal", "UInt64", "number of the deal; games that share it are one deal"))
        found += [
            Column(one.name, "Float64", f"the file's column {one.column}", divisor=10**one.decimals)
            for one in self.measures
        ]
        return tuple(found)

    def game(self) -> Game:
        """Return the descriptor of the game, with the columns of this table."""
        return game_of(
            self.title, self.columns, "score" if self.score else None, self.counts, self.usual, self.wins == "lowest"
        )
