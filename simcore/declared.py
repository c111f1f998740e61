"""Games whose code is not part of an installed package: what a run says of them, which is enough to read it."""

from __future__ import annotations

import io
import json
import re
import zipfile
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from functools import cached_property, partial
from types import SimpleNamespace
from typing import Annotated, Any, Literal

import numpy as np
from pydantic import BaseModel, ConfigDict, Field, create_model, model_validator

from simcore.errors import UsageError
from simcore.game import Column, Game, load_game, one_log
from simcore.homes import ELSEWHERE, GAMES, Home, known_homes, named, remember
from simcore.judged import ALIKE, MOST_PLAYERS, TOLERANCE, Payoff, Role, equal_par, seats_by_camp
from simcore.kernel.decisions import asking
from simcore.kernel.records import blank, layout, row_of
from simcore.log_records import RECORD_KINDS, narrate, records
from simcore.rules.files import FORMAT, NAME, Rules, RuleSet, Text, numbers_of
from simcore.running.batch import Spec
from simcore.toml_tables import write

MOST_BYTES = 16_000
"""Room for the rule values of a game as JSON."""

RULES = layout(("values", f"S{MOST_BYTES}"))
"""The rules record."""

LOG_WORDS = 1 << 18
"""Room for the replay log of a game, in words of 32 bits."""

TAKEN = {
    "game_id", "deal_id", "seat", "role", "camp", "strategy", "score", "place", "share60", "share840", "chair", "moves"
}  # fmt: skip
"""Names that a class's own columns cannot have."""

Value = bool | int | float | str
Name = Annotated[str, Field(pattern=f"^{NAME.pattern}$")]
Amount = Annotated[int, Field(gt=-(2**31), lt=2**31)]
Sha256 = Annotated[str, Field(pattern=r"^[0-9a-f]{64}$")]
Count = Annotated[int, Field(ge=2, le=MOST_PLAYERS)]


class PlayedFor(BaseModel):
    """What a game in plain Python is played for, if that is not the wins; see `simcore.judged.Payoff`.

    unit: What the payoffs count, in the plural, such as "chips".
    least, most: The smallest and the largest payoff that a seat can have.
    stake: What is at stake in a game.
    total: What all seats gain together.
    """

    model_config = ConfigDict(extra="forbid", frozen=True, strict=True)

    unit: Text
    least: Amount
    most: Amount
    stake: Annotated[float, Field(gt=0, allow_inf_nan=False)]
    total: Amount = 0

    @property
    def payoff(self) -> Payoff:
        """The same as a descriptor has it."""
        return Payoff(
            unit=self.unit,
            columns=("score",),
            limits=lambda rules, players: (self.least, self.most),
            stake=lambda rules: self.stake,
            par=lambda rules, players: (self.total / players,) * players,
        )


class Camp(BaseModel):
    """A camp that is drawn anew in each game.

    title: Its name.
    par: The share of the wins that it is meant to have.
    seats: How many seats it has, by number of players from the smallest.
    """

    model_config = ConfigDict(extra="forbid", frozen=True, strict=True)

    title: Text
    par: Annotated[float, Field(gt=0, lt=1)]
    seats: list[Annotated[int, Field(ge=1, le=MOST_PLAYERS)]]

    @property
    def name(self) -> str:
        """Its name in options and tables."""
        return re.sub(r"[^a-z0-9]+", "-", self.title.lower()).strip("-") or "camp"


class Declaration(BaseModel):
    """What a game in plain Python declares, as the manifests of its runs have it.

    name, title: Name in commands and tables, and display name.
    file, sha256: Path of its file as the user wrote it, and SHA-256 of the file's contents, followed by those of its
        modules; of an installed game, its name and the SHA-256 of its package.
    modules: SHA-256 of each module of its folder that the file imports, by path in the folder.
    players, default_players: Smallest and largest number of players, and the usual number.
    score, lowest_wins: Whether there are payoffs, and whether the lowest wins.
    decimals: Number of decimals of a payoff.
    teams: Seats that win together, such as "13/24"; empty if everybody plays alone.
    camps: The camps, if who wins together is drawn anew in each game.
    own: The class's own columns: the meaning by name.
    played_for: What the payoffs stand for, if the game is judged by them; None if it is judged by its wins.
    strategies, default: Names of its strategies, and the one that plays if the user names none.
    rules: The base rules: every rule value.
    """

    model_config = ConfigDict(extra="forbid", frozen=True, strict=True)

    name: Annotated[str, Field(pattern=r"^[a-z][a-z0-9]*([-_][a-z0-9]+)*$", max_length=40)]
    title: Text
    file: Annotated[str, Field(min_length=1, max_length=1000)]
    sha256: Sha256
    modules: Annotated[dict[Annotated[str, Field(max_length=1000)], Sha256], Field(max_length=10_000)] = {}
    players: tuple[Count, Count]
    default_players: Count
    score: bool
    lowest_wins: bool = False
    decimals: Annotated[int, Field(ge=0, le=6)] = 0
    teams: Annotated[str, Field(max_length=2 * MOST_PLAYERS)] = ""
    camps: Annotated[list[Camp], Field(max_length=MOST_PLAYERS)] = []
    own: Annotated[dict[Name, Text], Field(max_length=100)] = {}
    played_for: PlayedFor | None = None
    strategies: Annotated[tuple[Name, ...], Field(min_length=1, max_length=100)]
    default: Name
    rules: Annotated[
        dict[Annotated[str, Field(pattern=r"^[A-Za-z][A-Za-z0-9_]{0,39}$")], Value | list[Value]], Field(max_length=200)
    ]

    @model_validator(mode="before")
    @classmethod
    def _of_json(cls, values: Any) -> Any:
        """Let lists stand for tuples, which JSON does not have."""
        if not isinstance(values, Mapping):
            return values
        return {
            key: tuple(value) if key in ("players", "strategies") and isinstance(value, list) else value
            for key, value in values.items()
        }

    @model_validator(mode="after")
    def _agrees_with_itself(self) -> Declaration:
        if self.name in GAMES:
            raise ValueError(f"name: '{self.name}' is a game of this toolkit")
        if not self.players[0] <= self.default_players <= self.players[1]:
            raise ValueError("default_players: is not one of the numbers of players")
        if self.teams and not self._every_seat_has_a_team:
            raise ValueError("teams: name each seat of one number of players once, such as 13/24")
        if self.teams and self.camps:
            raise ValueError("teams: are the same seats in every game, and camp draws them; keep one")
        if self.camps and abs(sum(camp.par for camp in self.camps) - 1) > TOLERANCE:
            raise ValueError("camps: the shares of the wins have to sum to 1")
        if taken := sorted(set(self.own) & TAKEN):
            raise ValueError(f"columns: '{taken[0]}' is taken; give the column another name")
        if self.played_for and (self.teams or self.camps or self.lowest_wins or self.decimals or not self.score):
            raise ValueError("played_for: needs whole payoffs of which the highest is best, and no teams or camps")
        if self.default not in self.strategies:
            raise ValueError("default: is not one of the strategies")
        if taken := sorted(set(self.rules) & set(RuleSet.model_fields)):
            raise ValueError(f"rules: '{taken[0]}' is taken; give the rule value another name")
        return self

    @property
    def _seats(self) -> list[str]:
        return [str(seat) for seat in range(1, self.players[1] + 1)]

    @property
    def _every_seat_has_a_team(self) -> bool:
        teams, (least, most) = self.teams.split("/"), self.players
        return least == most and len(teams) > 1 and all(teams) and sorted("".join(teams)) == self._seats

    @property
    def roles(self) -> tuple[Role, ...]:
        """Its roles: the camps, or one for each seat if the same seats win together, as who sits where then matters."""
        if self.camps:
            return tuple(Role(camp.name, camp.title, self._seats_of(at)) for at, camp in enumerate(self.camps))
        teams = {seat: team for team in self.teams.split("/") for seat in team}
        return (
            tuple(
                Role(f"player-{seat}", f"Player {seat}", _Alone(int(seat) - 1), f"team-{'-'.join(team)}")
                for seat, team in sorted(teams.items())
            )
            or ALIKE
        )

    def _seats_of(self, camp: int) -> Callable[[int], range]:
        """Return the function of the number of players that gives the seats of a camp."""

        def seats(players: int) -> range:
            sizes = [one.seats[players - self.players[0]] for one in self.camps[: camp + 1]]
            return range(sum(sizes[:-1]), sum(sizes))

        return seats

    def camps_at(self, players: int) -> tuple[str, ...]:
        """Return the camp of each seat of a run; none if none are drawn."""
        return tuple(camp.title for camp in self.camps for _ in range(camp.seats[players - self.players[0]]))

    def par(self, rules: object, players: int) -> tuple[float, ...]:
        """Return the par of each seat: its part of its camp's, or every team should win equally often."""
        if self.camps:
            there = [(camp.par, camp.seats[players - self.players[0]]) for camp in self.camps]
            return tuple(par / seats for par, seats in there for _ in range(seats))
        teams = self.teams.split("/")
        if not self.teams:
            return equal_par(rules, players)
        return tuple(1 / len(teams) / next(len(team) for team in teams if seat in team) for seat in self._seats)

    @property
    def columns(self) -> tuple[Column, ...]:
        """The columns of a run's table in addition to the general ones."""
        moves = Column("moves", "Int32", "number of moves in the game, by all seats")
        kind = "Float64" if self.decimals else "Int32"
        score = Column("score", kind, "payoff of the seat", detail="minimal", divisor=10**self.decimals)
        own = [Column(name, "Int32", meaning) for name, meaning in self.own.items()]
        if self.camps:
            own.insert(0, Column("chair", "Int32", "seat at the table, from 1, as camps are drawn anew in each game"))
        return (score, *own, moves) if self.score else (*own, moves)

    @property
    def model(self) -> type[RuleSet]:
        """A model of rules with values of these types."""
        return model_of(self.name, {key: (type(value), ...) for key, value in self.rules.items()})

    def configs(self) -> zipfile.Path:
        """Return the folder of its files, which exists in memory only: the base rules and the strategies."""
        base = {"format": FORMAT, "game": self.name, "name": "base", "title": "Base rules", **self.rules}
        buffer = io.BytesIO()
        with zipfile.ZipFile(buffer, "w") as files:
            files.writestr("base.toml", write(base))
            for name in self.strategies:
                table = {
                    "format": "equipoise-strategy/1",
                    "game": self.name,
                    "name": name,
                    "title": name,
                    "policy": name,
                }
                files.writestr(f"strategies/{name}.toml", write(table))
        return zipfile.Path(zipfile.ZipFile(buffer))


@dataclass(frozen=True)
class _Alone:
    """The seats of a role with one seat, as `Role.seats` expects."""

    seat: int

    def __call__(self, players: int) -> range:
        """Return the seat."""
        return range(self.seat, self.seat + 1)


def model_of(game: str, fields: Mapping[str, Any]) -> type[RuleSet]:
    """Return the model of a game's rules, given the type and the default of each value."""
    every: dict[str, Any] = {"game": (Literal[game], ...), **fields}
    made: type[RuleSet] = create_model("GameRules", __base__=RuleSet, **every)
    return made


@dataclass(frozen=True, eq=False, kw_only=True)
class Declared(Game):
    """The descriptor of a game that no kernel plays."""

    declaration: Declaration  # what the game declares

    @property
    def compiled(self) -> bool:
        """Whether kernels play it."""
        return False

    @property
    def reference(self) -> str:
        """How the user names the game."""
        return self.declaration.file

    @property
    def playable(self) -> bool:
        """Whether its code is at hand."""
        return self.play_batch is not _sealed

    @cached_property
    def driver(self) -> Any:
        """What stands for a driver in a line-up; nobody calls it."""
        return SimpleNamespace(address=1)

    def meaning_of(self, fault: int) -> str:
        """Return what a fault code means."""
        told: Callable[[int], str] = self.play_batch.meaning_of  # type: ignore[attr-defined]
        return told(fault)


def game_of(
    declaration: Declaration,
    rules: type[RuleSet] | None = None,
    pack: Callable[[Any, int], np.record] | None = None,
    play_batch: Callable[..., int] | None = None,
) -> Declared:
    """Return the descriptor of a declared game.

    rules: The model of its rules.  If None, made from the values of the base rules.
    pack, play_batch: See `simcore.game.Game`.  If None, the game can be read and not played.
    """
    players = range(declaration.players[0], declaration.players[1] + 1)
    share = "share60" if players[-1] <= 6 else "share840"
    return Declared(
        name=declaration.name,
        title=declaration.title,
        players=players,
        default_players=declaration.default_players,
        rules=rules or declaration.model,
        rules_dtype=RULES,
        state_dtype=layout(*asking()),
        row_dtype=row_of(*(column.name for column in declaration.columns), share=share),
        start=_sealed,
        step=_sealed,
        settle=_sealed,
        columns=declaration.columns,
        records=records,
        record_kinds=RECORD_KINDS,
        logs=partial(chaired, declaration) if declaration.camps else one_log,
        score="score" if declaration.score else None,
        lowest_wins=declaration.lowest_wins and declaration.score,
        payoff=declaration.played_for.payoff if declaration.played_for else None,
        roles=declaration.roles,
        par=declaration.par,
        narrate=partial(narrate, declaration.title),
        pack=pack or packed,
        play_batch=play_batch or _sealed,
        trace_words=LOG_WORDS,
        declaration=declaration,
    )


def chaired(
    declaration: Declaration, words: Sequence[int], players: int
) -> Iterator[tuple[Sequence[int], Sequence[int]]]:
    """Treat a game's trace words as those of a single log, whose seats are those at the table, and not by camp."""
    rows: Sequence[int] = range(players)
    with suppress(ValueError):  # a log that broke off
        entries = {record["kind"]: record for record in records(words, None, players)}
        if "camps" in entries:
            rows = np.argsort(seats_by_camp(entries["camps"]["camp"], declaration.camps_at(players))).tolist()
    yield words, rows


def packed(values: RuleSet, players: int) -> np.record:
    """Return the rules record: all rule values as JSON."""
    text = json.dumps(values.model_dump(mode="json", exclude=set(RuleSet.model_fields)), sort_keys=True)
    if len(text) > MOST_BYTES:
        raise UsageError(f"the rule values take {len(text):,} characters; at most {MOST_BYTES:,} can be kept", "rules")
    record = np.zeros(1, RULES)
    record["values"] = text.encode()
    return record[0]


def take_up(declaration: Declaration) -> Declared:
    """Return the descriptor of a game that a run declares; it can be played if the user named the same file.

    The game of an installed package, of which `Declaration.file` is the name, is found as any installed game is.
    """
    if declaration.file == declaration.name:
        with suppress(UsageError):
            load_game(declaration.name)
    known = known_homes().get(declaration.name)
    if known is None or (known.source != declaration.sha256 and not known.load().playable):
        introduce(game_of(declaration))
    elif known.source != declaration.sha256:
        return game_of(declaration)
    found: Declared = known_homes()[declaration.name].load()
    return found


def introduce(game: Declared) -> None:
    """Let the rest of the toolkit find a declared game by its name."""
    declaration = game.declaration
    found = Home(
        load=lambda: game,
        kit=lambda: named("strategies.model", "kit_of")(game),
        declarations="analysis.games.declared",
        report="reports.games.declared",
        configs=declaration.configs(),
        package="simcore",
        reference=declaration.file,
        source=declaration.sha256,
    )
    remember(declaration.name, found)
    load_game.cache_clear()


def _sealed(*_: Any) -> Any:
    raise UsageError("this game is Python code that was not run; name it as it was named for the run", "game")


# Games that were played elsewhere: the descriptor and the specification of results that were imported as a table.


PEOPLE = "people"
"""What the column `strategy` says: people, or a program that the toolkit does not know, played."""


class Unread(RuleSet):
    """The rules of such games, of which only the name is known."""

    game: Literal["imported"]


@dataclass(frozen=True)
class Names:
    """The names for the codes of a column; a function of the rules, as `Column.labels` expects."""

    names: tuple[str, ...]

    def __call__(self, rules: object) -> tuple[str, ...]:
        """Return the names."""
        return self.names


def game_elsewhere(
    title: str,
    columns: Sequence[Column] = (),
    score: str | None = None,
    counts: Sequence[int] = (2, MOST_PLAYERS),
    usual: int = 2,
    lowest_wins: bool = False,
) -> Game:
    """Return the descriptor of games that were played elsewhere.

    columns: The table's columns in addition to the general ones.
    score: Name of the column of the score, if the table has one.
    counts: Smallest and largest number of players.
    usual: The most frequent number of players.
    """
    players = range(counts[0], counts[-1] + 1)
    return Game(
        name=ELSEWHERE,
        title=title,
        players=players,
        default_players=usual,
        rules=Unread,
        rules_dtype=numbers_of(Unread),
        state_dtype=layout(*asking()),
        row_dtype=row_of(share="share60" if players[-1] <= 6 else "share840"),
        start=_never,
        step=_never,
        settle=_never,
        play_batch=_never,
        columns=tuple(columns),
        score=score,
        lowest_wins=lowest_wins and score is not None,
        records=_never,
    )


def spec_of(game: Game, players: int, rules: str, games: int) -> Spec:
    """Return the specification of games that were played elsewhere: every game is a deal of its own."""
    values = Unread(format="equipoise-rules/1", game="imported", name=rules, title=rules)
    lineup = blank(game.lineup_dtype)
    lineup["turns"] = 1
    return Spec(
        game=game,
        players=players,
        rules=Rules(ELSEWHERE, values),
        strategies=(PEOPLE,) * players,
        design="fixed",
        seed=0,
        games=games,
        rules_record=np.zeros(1, game.rules_dtype)[0],
        lineup_record=lineup,
        strategy_tables=({"name": PEOPLE},) * players,
    )


def _never(*_: Any) -> Any:
    raise AssertionError("games that were played elsewhere cannot be played")


GAME = game_elsewhere("Games played elsewhere")
