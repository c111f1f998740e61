"""What players of each level of skill win at a game's tables, by its printed rules: data that come with the game.

`configs/<game>/levels.toml` has one table for each number of players and skill; `studies.verdicts` plays them.  An
answer holds only as long as the rules and the players are those that were played.
"""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from datetime import date
from functools import cache
from typing import Annotated, Any, Literal

import numpy as np
from pydantic import Field, ValidationError

from analysis.data.results import Lines, Verdict
from analysis.seats.shares import judge_lines
from analysis.stats.margin import FAIR, Margin
from simcore.errors import UsageError
from simcore.homes import ELSEWHERE, home
from simcore.rules.files import Identifier
from simcore.toml_tables import Table, explain, parse, paths
from strategies.kit import EXPERTS, SKILLS, Kit, load_kit
from strategies.skill import players_of, skills_of

FORMAT = "equipoise-levels/1"
SEARCH = SKILLS[-1]

Digest = Annotated[str, Field(pattern="^[0-9a-f]{64}$")]
Parts = list[Annotated[float, Field(ge=0, le=1)]]


class LevelTable(Table):
    """What players of a skill win at a number of players."""

    players: Annotated[int, Field(ge=1, le=64)]
    skill: Literal["family", "club", "experts", "search"]
    strategies: list[Identifier]  # whose files decide how they play: their own, and those that they imagine
    games: Annotated[int, Field(ge=2)]
    seconds: Annotated[float, Field(ge=0)] = 0.0  # of a processor for one game; 0 if it is not worth measuring
    camps: list[str] = Field(default_factory=list)  # whose shares they are; empty for the seats
    par: Parts
    share: Parts
    se: Parts
    low: Parts
    high: Parts
    """par, share, se, low, high: Of all wins, with standard errors, and ranges that hold for all at once."""

    def verdict(self, to: Verdict | None = None) -> Verdict:
        """Return the verdict on the seats, or on the camps; with the margin of the verdict that it answers, if any."""
        labels: list[dict[str, Any]] = [{"seat": at} for at in range(1, len(self.share) + 1)]
        if self.camps:
            labels = [{"camp": name} for name in self.camps]
        share, se, low, high, par = map(np.array, (self.share, self.se, self.low, self.high, self.par))
        part = FAIR.size if to is None else to.values.get("part", FAIR.size)
        room = to.lines.room if to and to.lines and len(to.lines.room) == len(par) else Margin(part).at(par)
        lines = Lines(labels, share, se, low, high, par, room)
        return judge_lines("camps" if self.camps else "seats", lines, self.games, {"part": part})


class Peer(Table):
    """A fast player who is nearly as strong as the experts at a number of players."""

    players: Annotated[int, Field(ge=1, le=64)]
    strategy: Identifier
    games: Annotated[int, Field(ge=2)]
    alone: Annotated[float, Field(ge=0)]  # what one of them wins among experts, in multiples of par
    among: Annotated[float, Field(ge=0)]  # what one expert wins among them


Number = float | None


class CardLevel(Table):
    """What a card does among players who look ahead, as in the table of cards."""

    players: Annotated[int, Field(ge=1, le=64)]
    card: Identifier
    role: str = ""
    strategies: list[Identifier]  # whose files decide how they play
    games: Annotated[int, Field(ge=1)]  # deals in which it was compared, or those that were played
    does: Number = None
    does_low: Number = None
    does_high: Number = None
    decides: Number = None
    decides_low: Number = None
    decides_high: Number = None
    iwd: Number = None
    iwd_low: Number = None
    iwd_high: Number = None
    played: Number = None
    with_winner: Number = None


class LevelsFile(Table):
    """What the file may contain."""

    format: Literal["equipoise-levels/1"]
    rules_digest: Digest
    played: date  # when the last of its games were played
    files: dict[Identifier, Digest]  # digests of the files of strategies, as `file_digest` makes them
    tables: list[LevelTable]
    peers: list[Peer] = Field(default_factory=list)
    cards: list[CardLevel] = Field(default_factory=list)


def levels_path(game: str) -> Any:
    """Return the path of a game's file."""
    return home(game).configs / "levels.toml"


@cache
def read_levels(game: str) -> LevelsFile | None:
    """Return what is stored with a game; None if nothing is.

    Raises UsageError if the file cannot be used.
    """
    path = levels_path(game)
    if game == ELSEWHERE or not path.is_file():
        return None
    label = f"{game}/levels.toml"
    table = parse(path.read_bytes(), label)
    try:
        return LevelsFile.model_validate(table)
    except ValidationError as error:
        raise UsageError(explain(error, LevelsFile, dict.fromkeys(paths(table), label), label)) from None


TEXTS = (b"title = ", b"description = ")
"""How the lines of a strategy's file begin that say nothing about how it plays."""


def file_digest(game: str, strategy: str) -> str:
    """Return the digest of the file of a shipped strategy but for its title and description; empty if there is none."""
    path = home(game).configs / "strategies" / f"{strategy}.toml"
    if not path.is_file():
        return ""
    lines = path.read_bytes().splitlines()
    return hashlib.sha256(b"\n".join(one for one in lines if not one.startswith(TEXTS))).hexdigest()


def stored_level(game: str, players: int, skill: str, rules_digest: str) -> LevelTable | None:
    """Return what players of a skill win by some rules; None unless these rules and players were played."""
    file = read_levels(game)
    tables = file.tables if file is not None and file.rules_digest == rules_digest else []
    one = next((one for one in tables if (one.players, one.skill) == (players, skill)), None)
    return one if one is not None and _play_as_then(game, one.strategies) else None


def stored_card(game: str, players: int, card: str, rules_digest: str) -> CardLevel | None:
    """Return what a card does among players who look ahead; None unless these rules and players were played."""
    file = read_levels(game)
    rows = file.cards if file is not None and file.rules_digest == rules_digest else []
    one = next((one for one in rows if (one.players, one.card) == (players, card)), None)
    return one if one is not None and _play_as_then(game, one.strategies) else None


def _play_as_then(game: str, strategies: Sequence[str]) -> bool:
    """Return whether the files of strategies are those that were played."""
    file = read_levels(game)
    return file is not None and all(file_digest(game, name) == file.files.get(name) for name in strategies)


def peers_of(game: str, players: int, rules_digest: str) -> list[str]:
    """Return the fast players who are nearly as strong as the experts by some rules, as far as that was measured."""
    file = read_levels(game)
    if file is None or file.rules_digest != rules_digest:
        return []
    names = [one.strategy for one in file.peers if one.players == players]
    judges = players_of(game, EXPERTS).values()
    return [one for one in names if all(file_digest(game, name) == file.files.get(name) for name in (one, *judges))]


def seconds_of(game: str, players: int) -> float:
    """Return how many seconds of a processor a game of players who look ahead takes, by any rules; 0 if unknown."""
    file = read_levels(game)
    tables = [] if file is None else file.tables
    return next((one.seconds for one in tables if (one.players, one.skill) == (players, SEARCH)), 0.0)


def searched_games(game: str) -> int:
    """Return how many games players who look ahead play where nobody says how many."""
    return load_kit(game).searched[0] or Kit.searched[0]


def are_usual(game: str, strategies: Sequence[str]) -> bool:
    """Return whether the players at a table are the usual judges of a game."""
    return set(strategies) == set(players_of(game, EXPERTS).values())


def looks_ahead(game: str) -> bool:
    """Return whether a game has players who look ahead."""
    return game != ELSEWHERE and SEARCH in skills_of(game)
