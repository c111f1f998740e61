"""The baseline file: the user's choices, and the measured values.

Everything above the line `[measured]` belongs to the user and is never changed, including comments; the rest is written
by `analysis.check.writing`.  The file is untrusted text: nothing in it is executed.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Annotated, Literal

from pydantic import Field

from simcore.rules.files import Identifier
from simcore.running.batch import MAX_GAMES, MAX_SEED
from simcore.toml_tables import Table, shown

FORMAT = "equipoise-baseline/1"

_FORMER = {"event_": "card_", "max_event_swing": "max_card_swing"}
"""Former prefixes of measures of cards, which files may still contain, and their present prefixes."""


Count = Annotated[int, Field(ge=1000, le=MAX_GAMES)]
Seed = Annotated[int, Field(ge=0, le=MAX_SEED)]
Digest = Annotated[str, Field(pattern=r"^[0-9a-f]{64}$")]
Seated = Annotated[str, Field(pattern=r"^([a-z][a-z0-9_-]{0,63}=)?[A-Za-z0-9_-]{1,64}$")]
Finite = Annotated[float, Field(allow_inf_nan=False)]


class Limits(Table):
    """Absolute limits, which do not depend on the measured values.

    max_seat_deviation: Largest distance of any seat's share of the wins from its par.
    max_camp_deviation: Largest distance of any camp's share of the wins from its par, in a game with camps.
    max_card_swing: Largest amount by which one card may raise or lower any seat's or strategy's share of the wins.
    no_dominant_strategy: Largest share of the wins that one seat of a strategy may take.
    """

    max_seat_deviation: str | None = None
    max_camp_deviation: str | None = None
    max_card_swing: str | None = None
    no_dominant_strategy: Annotated[float, Field(gt=0, lt=1)] | None = None


class Judge(Table):
    """How verdicts are found.

    method: "interval": a measure fails if it is surely beyond its margin, and passes if it is surely within.  "gsprt":
        a sequential test of no shift against a shift by the margin, which needs fewer games.
    false_alarms: Probability of any wrong verdict, for all measures of the file together.
    games: Largest number of fresh games at each player count.
    """

    method: Literal["interval", "gsprt"] = "interval"
    false_alarms: Annotated[float, Field(gt=0, lt=0.5)] = 0.05
    games: Count = 1_000_000


class Choices(Table):
    """The user's part of the file.

    game, rules, settings, players, strategies, skill, design: What is played.  Without strategies, the game's players
        of the skill play, or its experts.  Paths are relative to the baseline.
    seed, games: Random seed and number of games of the measurement.
    margins: How far a measure may move, by family or by single measure.
    limits, judge: See `Limits` and `Judge`.
    """

    format: Literal["equipoise-baseline/1"]
    game: str
    rules: str = "base"
    settings: list[str] = Field(default_factory=list)
    players: Annotated[list[int], Field(min_length=1)]
    strategies: list[str] = Field(default_factory=list)
    skill: str | None = None
    design: Literal["rotate", "fixed", "shuffle"] = "rotate"
    seed: Seed = 1
    games: Count = 1_000_000
    margins: dict[str, float | str] = Field(default_factory=dict)
    limits: Limits = Limits()
    judge: Judge = Judge()


class Value(Table):
    """The value of a measure, and its standard error."""

    value: Finite
    error: Annotated[float, Field(ge=0, allow_inf_nan=False)]


class Origin(Table):
    """What a measurement was made with.  The golden digest of each table says which games were played.

    equipoise, code: Version of Equipoise, and SHA-256 of the code that played; empty in files that were written before
        they were stored.
    stream_version: Version of the random streams.
    seed, design: As in a run's specification.
    golden_games: Number of games behind each golden digest.
    rules: Digest of the rules; copies of the rules and the strategies are kept next to the baseline.
    seated: Strategies: one for all seats, or one for each seat; in a game with roles as "role=strategy".
    strategies: Digest of each strategy.
    """

    equipoise: Annotated[str, Field(pattern=r"^[0-9A-Za-z.+!-]{0,40}$")] = ""
    code: Digest | Literal[""] = ""
    stream_version: Annotated[int, Field(ge=1, le=10_000)] = 1
    seed: Seed
    design: Literal["rotate", "fixed", "shuffle"]
    golden_games: Annotated[int, Field(ge=1, le=1_000_000)]
    rules: Digest
    seated: Annotated[list[Seated], Field(min_length=1)]
    strategies: dict[Identifier, Digest]


class Results(Table):
    """The table of results that a measurement was read from.

    simulated: False: no simulation stands behind the values.
    equipoise: Version of Equipoise.
    file, sha256: Name of the file that was imported, and SHA-256 of its contents.
    """

    simulated: Literal[False]
    equipoise: Annotated[str, Field(pattern=r"^[0-9A-Za-z.+!-]{0,40}$")]
    file: Annotated[str, Field(max_length=300)]
    sha256: Digest


class AtTable(Table):
    """What was measured at one player count."""

    golden: Digest
    games: Annotated[int, Field(ge=1)]


@dataclass(frozen=True)
class Measured:
    """The measured part of the file."""

    source: Origin | Results  # what the measurement was made with, or the table of results that it was read from
    tables: Mapping[int, AtTable]
    """Digest of the golden games, or of all games of a table of results, and number of games, by player count."""
    values: Mapping[int, Mapping[str, Value]]  # values by player count, then by the measure's dotted name

    @property
    def origin(self) -> Origin:
        """What the measurement was made with, if the games were played here."""
        assert isinstance(self.source, Origin)
        return self.source


@dataclass(frozen=True)
class Baseline:
    """A baseline file."""

    path: Path  # path of the file
    head: str  # text of the user's part
    choices: Choices  # the user's part, parsed
    measured: Measured | None = None  # the measured part; None before the first measurement
    text: str = field(default="", repr=False)  # text of the whole file

    @property
    def label(self) -> str:
        """Name of the baseline in messages."""
        return shown(str(self.path), 120)

    @property
    def frozen(self) -> Path:
        """Folder of the rules and strategies that it was measured with."""
        return self.path.with_suffix("")

    def line(self, players: int | None, name: str) -> int:
        """Return the number of the line with a measure or limit; the first line if there is none."""
        header = None if players is None else f"[measured.{players}-players]"
        here = header is None
        for number, line in enumerate(self.text.splitlines(), 1):
            here = here or line.strip() == header
            found = re.match(r"([\w.-]+)\s*=", line)
            if here and found and present(found[1]) == name:
                return number
        return 1


def present(name: str) -> str:
    """Return the present name of a measure or limit."""
    former = next((beginning for beginning in _FORMER if name.startswith(beginning)), "")
    return _FORMER.get(former, "") + name.removeprefix(former)
