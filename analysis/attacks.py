"""How far a player can be exploited: by one of several attackers, and by one who sees everything that is hidden."""

from __future__ import annotations

import json
import math
import time
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from functools import cache
from operator import itemgetter
from pathlib import Path
from typing import Annotated, Any, Literal, NamedTuple

import polars as pl
from pydantic import AfterValidator, BeforeValidator, Field, ValidationError

from analysis.data.declarations import require_wins
from analysis.data.inputs import inputs_of
from analysis.data.results import Inputs, Note, Result, Verdict
from analysis.seats.shares import SOME
from analysis.stats.intervals import bonferroni
from analysis.strength import Tick, Won, wins_of
from simcore.errors import UsageError, shown
from simcore.game import Game, load_game
from simcore.homes import home
from simcore.judged import Role
from simcore.kernel.decisions import nothing_hidden
from simcore.rules.files import Identifier, Rules
from simcore.toml_tables import Table, explain, parse, paths
from strategies.kit import EXPERTS, load_kit
from strategies.library import load_strategy, shipped_strategies
from strategies.model import Strategy
from strategies.searching import FARTHEST, changed
from strategies.skill import players_of
from strategies.spec import assemble_spec, by_role, check_role, one_among

# --- How far a player can be exploited: the most that one of several attackers wins at a table of that player ---


# --- What attackers have won against the players that come with a game: data, measured under the printed rules ---
#
# `configs/<game>/attacks.toml` has one line for each attack; `studies.attacks` measures and writes them.


FORMAT = "equipoise-attacks/3"

Share = Annotated[float, Field(ge=0, le=1)]
Minutes = Annotated[float, Field(ge=0)]
Digest = Annotated[str, Field(pattern="^[0-9a-f]{64}$")]


class Half(NamedTuple):
    """What each of several attackers won who had half of the seats of the role, or one more than the others."""

    seats: Annotated[int, Field(ge=2, le=64)]  # attackers at the table
    share: Share
    low: Share
    high: Share
    """share, low, high: Share of the wins of one of them, with its 95 % interval."""
    games: Annotated[int, Field(ge=1)]  # number of games


class Attack(NamedTuple):
    """What one attacker won at a table where one strategy plays all other seats of its role; a line of the file."""

    kind: Identifier  # how it attacks; one of `analysis.attacks.KINDS`
    attacker: Identifier
    defender: Identifier
    """attacker, defender: Names of the strategies.  In a game with several roles, the game's experts play the other
    roles."""
    players: Annotated[int, Field(ge=1, le=64)]
    role: str
    """players, role: Players at the table, and the role of both."""
    usual: Annotated[float, Field(gt=0, le=1)]
    """Share of the wins of a defender in the attacker's place: par where all players are alike."""
    share: Share
    low: Share
    high: Share
    """share, low, high: Share of the wins of the attacker, with its 95 % interval."""
    games: Annotated[int, Field(ge=1)]  # number of games
    making: Minutes
    playing: Minutes
    """making, playing: Processor minutes to make the attacker, and to play all these games."""
    shares_value: bool
    """Whether attacker and defender judge tables by a learned value, which may have the same blind spots."""
    date: Annotated[str, Field(pattern=r"^\d{4}-\d\d-\d\d$")]  # day of the measurement
    attacker_digest: Digest
    defender_digest: Digest
    """attacker_digest, defender_digest: Digests of the strategies; an attacker with another value has that of the
    thinkers whose games that was fitted to."""
    rules_digest: Digest  # digest of the rules
    half: Annotated[Half | None, BeforeValidator(lambda cells: cells or None)] = None
    """What attackers won who were not alone, if that was measured; an empty list in the file if not."""

    @property
    def times(self) -> float:
        """What the attacker wins, as a multiple of what a defender wins in its place."""
        return self.share / self.usual

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


def _within(one: Attack) -> Attack:
    for measured in (one, one.half) if one.half else (one,):
        if not measured.low <= measured.share <= measured.high:
            raise ValueError(
                f"the share {measured.share} is not within its interval, {measured.low} to {measured.high}"
            )
    return one


class _File(Table):
    """What the file may contain."""

    format: Literal["equipoise-attacks/3"]
    attacks: list[Annotated[Attack, AfterValidator(_within)]]


@cache
def read_attacks(game: str) -> tuple[Attack, ...]:
    """Return all stored attacks of a game; none if nothing was measured."""
    path = home(game).configs / "attacks.toml"
    if not path.is_file():
        return ()
    label = f"{game}/attacks.toml"
    table = parse(path.read_bytes(), label)
    try:
        return tuple(_File.model_validate(table).attacks)
    except ValidationError as error:
        raise UsageError(explain(error, _File, dict.fromkeys(paths(table), label), label)) from None


@cache
def strongest_known(game: str, players: int, role: str, defender: str) -> Attack | None:
    """Return the stored attack that wins most against a player that comes with a game, if any was measured."""
    found = [one for one in known_attacks(game) if (one.players, one.role, one.defender) == (players, role, defender)]
    return strongest_of(found) if found else None


def strongest_of(attacks: Sequence[Attack]) -> Attack:
    """Return the attack that wins most of several on one player, with a range that allows for the picking."""
    one, wider = max(attacks, key=lambda each: each.times), bonferroni(0.95, len(attacks)) / bonferroni(0.95)
    low, high = (one.share + wider * (end - one.share) for end in (one.low, one.high))
    return one._replace(low=max(low, 0.0), high=min(high, 1.0))


def written(attacks: Iterable[Attack]) -> str:
    """Return the text of the file, a line for each attack."""
    rows = [[_rounded(cell) for cell in one] for one in attacks]
    lines = "".join(f"  {json.dumps(row)},\n" for row in rows)
    return f'format = "{FORMAT}"\n# {", ".join(Attack._fields)}\nattacks = [\n{lines}]\n'


def _rounded(cell: object) -> object:
    if cell is None:
        return []
    if isinstance(cell, tuple):
        return [_rounded(each) for each in cell]
    return round(cell, 4) if isinstance(cell, float) else cell


# --- Who attacks a player: searches that know it, a learned player, and weights tuned against it ---


STEP, SEARCH, DEEP, LEARNED, FURTHER, OTHER, LINEAR, BASE = KINDS = (
    "step", "search", "deep", "learned", "further", "other", "linear", "base",
)  # fmt: skip
"""How somebody attacks: by a search that ends after the present round; by one to the end, on 16 imagined tables or on
64; by the game's thinker, who judges tables by a learned value; by one that looks a round further, at every kind of
decision, on 64 tables; on a thinker, by one with a value that `equipoise learn` fitted to games of such thinkers; by
weights that were tuned against the player; and, if the player looks ahead, by the one that it imagines."""

TABLES, MANY = 16, 64


@dataclass(frozen=True)
class Attacker:
    """Somebody who attacks a player."""

    kind: str  # how; one of `KINDS`
    strategy: Strategy  # who
    making: float = 0.0  # processor minutes that it took to make it


def attackers_of(game: Game, players: int, role: Role, defender: Strategy) -> Iterator[Attacker]:
    """Yield the attackers at hand, who need no tuning.

    The searches imagine that the defender plays all seats; if the defender looks ahead itself, they imagine its base.
    """
    policies = load_kit(game.name).searching
    shipped = [load_strategy(game, name) for name in shipped_strategies(game)]
    searcher = next((one for one in shipped if one.policy == "rollout" and one.role in ("", role.name)), None)
    if "rollout" in policies and searcher is not None and searcher.search is not None:
        base = defender.search.base if defender.search else defender
        if game.asymmetric:  # one base must play every role
            base = searcher.search.base
        for kind, tables, rounds in (
            (STEP, TABLES, 0),
            (SEARCH, TABLES, searcher.search.rounds),
            (DEEP, MANY, searcher.search.rounds),
        ):
            search = replace(searcher.search, base=base, rollouts=tables, rounds=rounds)
            yield Attacker(kind, replace(searcher, name=f"{kind}_attack", search=search, provenance={}))
    if defender.search is not None:
        yield Attacker(BASE, defender.search.base)
    place = players, role.name
    looking = [(one, one.search.foresights) for one in shipped if one.search]
    thinkers = [
        (foresights[place].tables, bool(one.provenance), one) for one, foresights in looking if place in foresights
    ]
    if thinkers:
        *_, thinker = max(thinkers, key=itemgetter(0, 1))
        minutes = float(thinker.provenance.get(f"players_{players}", {}).get("cpu_minutes", 0.0))
        yield Attacker(LEARNED, thinker, minutes)
        assert thinker.search is not None
        rounds = min(thinker.search.foresights[place].rounds + 1, FARTHEST)
        every = {"tables": MANY, "rounds": rounds, "decisions": (), "candidates": 0, "patience": 0}
        search = changed(thinker.search, every)
        yield Attacker(FURTHER, replace(thinker, name=f"{FURTHER}_attack", search=search, provenance={}), minutes)


def defenders_of(game: Game, named: str | Path, option: str = "attack") -> dict[str, Strategy]:
    """Return who is attacked, by role: a strategy in every role that it can play, or "role=one,role=other".

    option: Name of the option in which it was written, for messages.
    Raises UsageError if there is no such strategy or role.
    """
    references = by_role(game, str(named).split(","), option)
    if isinstance(references, Mapping):
        found = {role: load_strategy(game, names[-1], option) for role, names in references.items()}
    elif len(references) == 1:
        one = load_strategy(game, references[0], option)
        found = {role: one for role in game.role_names if one.role in ("", role)}
    else:
        raise UsageError(f"'{shown(str(named))}': name one player", option)
    for role, one in found.items():
        check_role(one, role, option)
    return found


# --- Measure what an attacker wins at a table of one player ---


OFTEN = 20_000
"""Games by which the share of a defender who decides at once is measured in a game with several roles."""

COLUMNS = (
    "kind", "attacker", "role", "games", "share", "low", "high", "usual", "times", "times_low", "times_high", "making",
    "playing", "shares_value",
)  # fmt: skip
HALF = ("half_seats", "half", "half_low", "half_high")


@dataclass(frozen=True, eq=False, repr=False)
class Attacks(Result):
    """What attackers win at a table of one player.

    table: One row for each attacker and role, the strongest first: `kind`, `attacker`, `role`, `games`, `share` of the
        wins with its interval `low` to `high`, `usual`: the share of a defender in its place, `times`: the share as a
        multiple of that, `making` and `playing`: processor minutes, and `shares_value`; see `Attack`.  For the
        strongest in a role where half of the seats are more than one, `half_seats`: so many attackers, and `half`: the
        share of the wins of each of them, with its interval `half_low` to `half_high`.
    """

    defender: str  # name of the player who is attacked
    found: tuple[Attack, ...]  # the attacks themselves


@dataclass(frozen=True)
class AttackedTable:
    """A table of one player, in some seats of whose role others sit; the game's experts play all other roles."""

    rules: Rules
    game: Game
    players: int
    role: Role  # role of attacker and defender
    defender: Strategy
    seed: int = 1
    level: float = 0.95
    """Confidence level of the intervals.  In a game with several roles, where what a defender wins is measured as well,
    that of one attacker is so wide that it lies above `usual` only if the difference is certain at this level (the
    squares of both distances are added; Newcombe 1998, method 10)."""

    def measure(self, attacker: Attacker, games: int) -> tuple[Attack, Inputs]:
        """Return what one attacker wins among defenders, and what was played."""
        begun = time.process_time()
        won, inputs = self._wins(attacker.strategy, games)
        spent = (time.process_time() - begun) / 60
        usual, (low, high) = 1 / self.players, self._ends(won)
        below, above = won.share - low, high - won.share
        if self.game.asymmetric or won.somebody < 1 - SOME:  # a defender's share is not its par
            own, _ = self._wins(self.defender, games if self.defender.search else OFTEN)
            usual, (low, high) = own.share, self._ends(own)
            below, above = math.hypot(below, high - usual), math.hypot(above, usual - low)
        learned = [bool(one.search and one.search.foresights) for one in (attacker.strategy, self.defender)]
        return Attack(
            kind=attacker.kind,
            attacker=attacker.strategy.name,
            attacker_digest=attacker.strategy.digest,
            defender=self.defender.name,
            defender_digest=self.defender.digest,
            players=self.players,
            role=self.role.name,
            usual=usual,
            share=won.share,
            low=max(won.share - below, 0.0),
            high=min(won.share + above, 1.0),
            games=inputs.games,
            making=attacker.making,
            playing=spent,
            shares_value=all(learned),
            rules_digest=self.rules.digest,
            date=datetime.now(UTC).date().isoformat(),
        ), inputs

    def measure_half(self, attacker: Attacker, games: int) -> Half | None:
        """Return what each attacker wins if attackers have half of the seats of their role; None if that is one.

        games: Games of an attacker who is alone: so many seats are played by attackers here, on other deals, as on
            those of `measure` the attacker was picked.
        """
        seats = (len(self.role.at(self.players)) + 1) // 2
        if seats < 2:
            return None
        won, inputs = replace(self, seed=self.seed + 1)._wins(attacker.strategy, -(-games // seats), seats)
        return Half(seats, won.share, *self._ends(won), inputs.games)

    def _ends(self, won: Won) -> tuple[float, float]:
        """Return the ends of the interval of a share."""
        result = won.columns("share", self.level)
        return result["share_low"], result["share_high"]

    def _wins(self, one: Strategy, games: int, seats: int = 1) -> tuple[Won, Inputs]:
        """Return what one player wins in some seats, and what was played."""
        names = players_of(self.game.name, EXPERTS)
        line = {name: load_strategy(self.game, expert) for name, expert in names.items()} | {
            self.role.name: self.defender
        }
        if any(other.name == one.name and other.digest != one.digest for other in line.values()):
            one = replace(one, name=f"{one.name}_attack")
        seated = one_among(self.game, self.players, self.role, one, line, seats)
        design = "rotate" if seats == 1 else "shuffle"
        spec = assemble_spec(self.game, self.players, seated, self.rules, self.seed, design, games)
        return wins_of(spec, self.role, one.name)


def attack(
    rules: Rules,
    game: Game,
    players: int,
    defenders: Mapping[str, Strategy],
    games: int,
    seed: int = 1,
    level: float = 0.95,
    more: Sequence[Attacker] = (),
    tick: Tick = lambda done, total: None,
) -> Attacks:
    """Return what all attackers at hand win among one player.

    games: Games of each attacker in each role.
    level: Confidence level of all intervals of one role together, as the strongest attacker is picked from them.
    more: Attackers in addition to those that come with the game.
    tick: Called with the number of games done, and of all games.
    Raises UsageError if nobody can attack, or something cannot be played.
    """
    require_wins(game, "skill")
    plans = [
        (role, defenders[role.name], attacker)
        for role in game.roles
        if role.name in defenders
        for attacker in (*attackers_of(game, players, role, defenders[role.name]), *more)
        if attacker.strategy.digest != defenders[role.name].digest
    ]
    if not plans:
        raise UsageError(f"no player of {game.title} looks ahead, so nobody can attack", "attack")
    found, inputs = [], []
    roles = {role.name: (role, defender) for role, defender, _ in plans}
    total = (len(plans) + len(roles)) * games
    for number, (role, defender, attacker) in enumerate(plans):
        tick(number * games, total)
        each = 1 - (1 - level) / sum(other is role for other, _, _ in plans)
        one, played = AttackedTable(rules, game, players, role, defender, seed, each).measure(attacker, games)
        found.append(one)
        inputs.append(played)
    for number, (role, defender) in enumerate(roles.values(), len(plans)):
        tick(number * games, total)
        at = max((at for at, plan in enumerate(plans) if plan[0] is role), key=lambda at: found[at].times)
        half = AttackedTable(rules, game, players, role, defender, seed, level).measure_half(plans[at][2], games)
        found[at] = found[at]._replace(half=half)
    tick(total, total)
    found.sort(key=lambda one: -one.times)
    rows = [
        one._asdict()
        | {"times": one.times, "times_low": one.low / one.usual, "times_high": one.high / one.usual}
        | dict(zip(HALF, (one.half or (None,) * 4)[:4], strict=True))
        for one in found
    ]
    notes = [Note("attacks_least")]
    if any(one.shares_value for one in found):
        notes.append(Note("attacks_share_value"))
    name = ", ".join(dict.fromkeys(one.name for one in defenders.values()))
    by_role = [[one for one in found if one.role == role.name] for role in game.roles]
    verdicts = [said for own in by_role if own for said in judge(max(own, key=lambda one: one.times))]
    types = dict.fromkeys(HALF, pl.Float64) | {"half_seats": pl.Int64}
    table = pl.DataFrame(rows, schema_overrides=types).select(*COLUMNS, *HALF)
    return Attacks(tuple(inputs), level, table, tuple(verdicts), tuple(notes), name, tuple(found))


def judge(attack: Attack, printed: bool = True) -> Iterator[Verdict]:
    """Yield what an attack says about its defender, alone and with others like it.

    printed: Whether it was measured under the rules in force; otherwise the sentence says that it was not.
    """
    values = {
        "defender": attack.defender,
        "attacker": f"attack.{attack.kind}",
        "players": attack.players,
        "share": attack.share,
        "low": attack.low,
        "high": attack.high,
        "usual": attack.usual,
        "least": attack.low - attack.usual,
        "times": attack.times,
        "games": attack.games,
        "minutes": attack.minutes,
    }
    if math.isnan(attack.low):
        yield Verdict("attack_few", "unknown", values)
        return
    code = "attack_loses" if attack.low > attack.usual else "attack_holds"
    yield Verdict(code if printed else f"{code}_printed", "fact", values)
    if attack.half:
        yield Verdict("attack_half", "fact", values | attack.half._asdict())


# --- The value of secrets: what a player who looks ahead wins if it sees everything that is hidden ---
#
# One such player sits among copies that look ahead honestly.  It tries its moves on the table as it is: all hands, and
# all decks as far as their order is settled.  What is still to be drawn, shuffled or rolled is drawn again for both.


NAME = "sees_everything"
ENDS = ("", "_low", "_high")


@dataclass(frozen=True, eq=False, repr=False)
class Secrets(Result):
    """What a player wins who sees everything.

    table: One row for each role: `role`; `player`; `games`; `share`: the part of the wins of one player who sees
        everything among copies who do not; `usual`: that of a copy in its place; `points`: the difference; `times`: the
        share as a multiple of `usual`; all but `usual` with an interval (`_low`, `_high`).  If the game hides nothing,
        no game is played, `points` is 0, `times` is 1, and the shares are null.
    """

    hides: bool  # whether the game hides anything


def hides_something(game: Game) -> bool:
    """Return whether a seat of a game can lack knowledge that another seat has, or nobody."""
    if not game.compiled:
        return bool(game.play_batch.hides)  # type: ignore[attr-defined]
    return game.redraw not in (None, nothing_hidden)


def value_of_secrets(
    rules: Rules,
    game: Game,
    players: int,
    seated: Mapping[str, Strategy],
    games: int,
    seed: int = 1,
    level: float = 0.95,
    tick: Tick = lambda done, total: None,
) -> Secrets:
    """Return what one player wins who sees everything, among copies who look ahead honestly.

    seated: Who looks ahead, by role; the game's experts play the other roles.
    level: Confidence level of all intervals together.
    tick: Called with the number of games done, and of all games.
    Raises UsageError if a player does not look ahead, or the game is not played for wins.
    """
    require_wins(game, "skill")
    for honest in seated.values():
        if not honest.looks_ahead:
            raise UsageError(f"'{honest.name}' does not look ahead; name a player who does", "secrets")
        if honest.sees_everything:
            raise UsageError(f"'{honest.name}' sees everything already; name a player who does not", "secrets")
    roles = [role for role in game.roles if role.name in seated]
    if not hides_something(game):
        return _nothing(rules, game, players, seated, seed, level)
    rows: list[dict[str, Any]] = []
    inputs: list[Inputs] = []
    for number, role in enumerate(roles):
        tick(number * games, len(roles) * games)
        honest = seated[role.name]
        seer = replace(honest, name=NAME, sees_everything=True)
        table = AttackedTable(rules, game, players, role, honest, seed, 1 - (1 - level) / len(roles))
        one, played = table.measure(Attacker(NAME, seer), games)
        inputs.append(played)
        shares = dict(zip(ENDS, (one.share, one.low, one.high), strict=True))
        found = {f"share{end}": share for end, share in shares.items()} | {"usual": one.usual}
        found |= {f"points{end}": share - one.usual for end, share in shares.items()}
        found |= {f"times{end}": share / one.usual for end, share in shares.items()}
        rows.append({"role": role.name, "player": honest.name, "games": one.games} | found)
    tick(len(roles) * games, len(roles) * games)
    verdicts = tuple(
        _verdict(row | {"role": role.title, "players": players}, game.asymmetric)
        for row, role in zip(rows, roles, strict=True)
    )
    return Secrets(tuple(inputs), level, pl.DataFrame(rows), verdicts, (Note("secrets_seen"),), True)


def _nothing(
    rules: Rules, game: Game, players: int, seated: Mapping[str, Strategy], seed: int, level: float
) -> Secrets:
    """Return the result for a game that hides nothing: the player who sees everything is the honest one."""
    experts = players_of(game.name, EXPERTS)
    line = {role.name: [seated.get(role.name) or load_strategy(game, experts[role.name])] for role in game.roles}
    spec = assemble_spec(game, players, line, rules, seed, "rotate", 1)
    known = {f"{name}{end}": value for name, value in (("points", 0.0), ("times", 1.0)) for end in ENDS}
    empty = dict.fromkeys(("share", "share_low", "share_high", "usual"))
    rows = [{"role": role, "player": one.name, "games": 0} | empty | known for role, one in seated.items()]
    table = pl.DataFrame(rows).with_columns(pl.col(*empty).cast(pl.Float64))
    verdict = Verdict("secrets_none", "fact", {"players": players})
    return Secrets((inputs_of(spec, 0, 0),), level, table, (verdict,), (), False)


def _verdict(row: dict[str, Any], asymmetric: bool) -> Verdict:
    """Return what the games of one role say."""
    role = "_role" if asymmetric else ""
    if math.isnan(row["points_low"]):
        return Verdict(f"secrets_few{role}", "unknown", row)
    code = "open" if row["points_low"] <= 0 <= row["points_high"] else "gain" if row["points"] > 0 else "loss"
    return Verdict(f"secrets_{code}{role}", "fact", row)
