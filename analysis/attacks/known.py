"""What attackers have won against the players that come with a game: data, measured under the printed rules.

`configs/<game>/attacks.toml` has one table for each attack; `studies.attacks` measures and writes them.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from typing import Annotated, Any, Literal

from pydantic import Field, ValidationError

from simcore.errors import UsageError
from simcore.game import load_game
from simcore.homes import home
from simcore.rules.files import Identifier
from simcore.toml_tables import Table, explain, parse, paths
from strategies.library import load_strategy, shipped_strategies

FORMAT = "equipoise-attacks/1"
NUMBER = {"allow_inf_nan": False, "ge": 0}

Number = Annotated[float, Field(**NUMBER)]
Digest = Annotated[str, Field(pattern="^[0-9a-f]{64}$")]


class AttackTable(Table):
    """One attack in the file."""

    kind: Identifier
    attacker: Identifier
    attacker_digest: Digest
    defender: Identifier
    defender_digest: Digest
    players: Annotated[int, Field(ge=1, le=64)]
    role: str
    usual: Annotated[float, Field(gt=0, le=1)]
    share: Annotated[float, Field(ge=0, le=1)]
    low: Annotated[float, Field(ge=0, le=1)]
    high: Annotated[float, Field(ge=0, le=1)]
    games: Annotated[int, Field(ge=1)]
    making: Number
    playing: Number
    shares_value: bool
    rules_digest: Digest
    date: Annotated[str, Field(pattern=r"^\d{4}-\d\d-\d\d$")]


class AttackFile(Table):
    """What the file may contain."""

    format: Literal["equipoise-attacks/1"]
    attacks: list[AttackTable]


@dataclass(frozen=True)
class Attack:
    """What one attacker won at a table where one strategy plays all other seats of its role."""

    kind: str  # how it attacks; one of `analysis.attacks.KINDS`
    attacker: str
    attacker_digest: str
    defender: str
    defender_digest: str
    """attacker, attacker_digest, defender, defender_digest: Names and digests of the strategies; an attacker with
    another value has the digest of the thinkers whose games that was fitted to.  In a game with several roles, the
    game's experts play the other roles."""
    players: int
    role: str
    """players, role: Players at the table, and the role of both."""
    usual: float  # share of the wins of a defender in the attacker's place: par where all players are alike
    share: float
    low: float
    high: float
    """share, low, high: Share of the wins of the attacker, with its 95 % interval."""
    games: int  # number of games
    making: float
    playing: float
    """making, playing: Processor minutes to make the attacker, and to play all these games."""
    shares_value: bool
    """Whether attacker and defender judge tables by a learned value, which may have the same blind spots."""
    rules_digest: str  # digest of the rules
    date: str  # day of the measurement, as YYYY-MM-DD

    @property
    def times(self) -> float:
        """What the attacker wins, as a multiple of what a defender wins in its place."""
        return self.share / self.usual

    @property
    def points(self) -> float:
        """By how much the attacker's share exceeds that of a defender in its place."""
        return self.share - self.usual

    @property
    def minutes(self) -> float:
        """Processor minutes of the whole attack."""
        return self.making + self.playing


def known_attacks(game: str) -> tuple[Attack, ...]:
    """Return the stored attacks on players that still play as they did then, in the order of the file.

    Raises UsageError if the file of the game cannot be used.
    """
    found = read_attacks(game)
    named = {one.defender for one in found} & set(shipped_strategies(load_game(game)) if found else ())
    now = {name: load_strategy(load_game(game), name).digest for name in named}
    return tuple(one for one in found if now.get(one.defender) == one.defender_digest)


@cache
def read_attacks(game: str) -> tuple[Attack, ...]:
    """Return all stored attacks of a game; none if nothing was measured."""
    path = home(game).configs / "attacks.toml"
    if not path.is_file():
        return ()
    label = f"{game}/attacks.toml"
    table = parse(path.read_bytes(), label)
    try:
        file = AttackFile.model_validate(table)
    except ValidationError as error:
        raise UsageError(explain(error, AttackFile, dict.fromkeys(paths(table), label), label)) from None
    return tuple(Attack(**one.model_dump()) for one in file.attacks)


@cache
def strongest_known(game: str, players: int, role: str, defender: str) -> Attack | None:
    """Return the stored attack that wins most against a player that comes with a game, if any was measured."""
    found = [one for one in known_attacks(game) if (one.players, one.role, one.defender) == (players, role, defender)]
    return max(found, key=lambda one: one.share, default=None)


def as_table(attack: Attack) -> dict[str, Any]:
    """Return an attack as a table of the file."""
    return {name: round(value, 4) if isinstance(value, float) else value for name, value in vars(attack).items()}
