"""How the seats' shares change with the strength of the players: what one of them wins among experts."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from statistics import fmean
from typing import Any, NamedTuple

import numpy as np
import polars as pl

from analysis.data.accumulate import Counts, accumulate
from analysis.data.declarations import require_wins
from analysis.data.results import Inputs, Result, Verdict, share_columns
from analysis.data.source import Block
from analysis.data.sources import open_source
from analysis.seats.advantage import looked, seat_advantage
from analysis.seats.by_skill import SeatsBySkill, seats_by_skill
from analysis.seats.looks import Looks, answerable
from analysis.seats.shares import among_won
from analysis.skill import Ladder, ladder_of_seats
from analysis.stats.intervals import bonferroni, check_level
from analysis.stats.margin import FAIR, Margin
from analysis.stats.moments import Ratios
from simcore.errors import UsageError
from simcore.game import Game
from simcore.judged import Role
from simcore.rules.files import Rules
from simcore.running.batch import Spec
from strategies.kit import EXPERTS, SKILLS
from strategies.library import load_strategy
from strategies.model import Strategy
from strategies.skill import players_of, searchers_of, skills_of
from strategies.spec import assemble_spec, one_among

HURRIED, PART = "hurried", 4
"""The level of players who look ahead at a part of the imagined tables, and which part: a quarter."""

ERRING = "erring"
"""The level of experts who make some of their moves at random."""

BLUNDERS = (0.2, 0.05)
"""Parts of their moves that experts make at random."""

Tick = Callable[[int, int], None]


@dataclass(frozen=True)
class Level:
    """Players of one strength."""

    name: str  # a level of skill, `HURRIED`, or `ERRING` with the percentage of moves at random, such as "erring 5"
    players: Mapping[str, Strategy]  # the strategy of each role

    @property
    def searches(self) -> bool:
        """Whether one of them looks ahead."""
        return any(player.search for player in self.players.values())


@dataclass(frozen=True, eq=False, repr=False)
class Curve(Result):
    """The seats' shares by the strength of the players.

    table: One row for each level and role, weakest players first: `skill`, `role`, `player` (its strategy), `games`,
        and `strength`: what one of them wins among experts in all other seats, as a multiple of the par of the role,
        with an interval of its own.
    """

    shares: pl.DataFrame  # one row for each level and seat; see `analysis.seats.by_skill.SeatsBySkill.table`
    seats: SeatsBySkill  # what every level says about the seats
    ladder: Ladder  # the seats or camps along the levels

    @property
    def levels(self) -> tuple[str, ...]:
        """The names of the levels, weakest players first."""
        return tuple(self.seats.distances["skill"])


def levels_of(game: Game, blunders: Sequence[float] = BLUNDERS) -> list[Level]:
    """Return the players of every strength: those of the levels of skill, experts who err, and hurried searchers.

    blunders: For each level of experts who err: the part of their moves that they make at random, between 0 and 1.
    Raises UsageError if such a part is impossible.
    """
    for rate in blunders:
        if not 0 < rate <= 1:
            raise UsageError(f"{rate:g} is not a part of all moves; give numbers above 0, up to 1", "blunders")
    if searchers := searchers_of(game.name):
        rungs = dict(zip(SKILLS[:3], ("random", *searchers), strict=True))
        return [Level(skill, dict.fromkeys(game.role_names, load_strategy(game, one))) for skill, one in rungs.items()]
    found = []
    for skill in skills_of(game.name):
        named = players_of(game.name, skill)
        level = Level(skill, {role: load_strategy(game, name) for role, name in named.items()})
        if skill == EXPERTS:
            found += [erring(level, rate) for rate in dict.fromkeys(blunders)]
        elif level.searches:
            found.append(Level(HURRIED, {role: hurried(player) for role, player in level.players.items()}))
        found.append(level)
    return found


def hurried(player: Strategy) -> Strategy:
    """Return a player who imagines a part of the tables; one who does not look ahead is the same."""
    if player.search is None:
        return player
    search = player.search
    foresights = {key: replace(one, tables=max(one.tables // PART, 1)) for key, one in search.foresights.items()}
    fewer = replace(search, rollouts=max(search.rollouts // PART, 1), foresights=foresights)
    return replace(player, name=f"{player.name}_{HURRIED}", search=fewer)


def erring(level: Level, rate: float) -> Level:
    """Return a level whose players make a part of their moves at random."""
    name = f"{ERRING} {100 * rate:g}"
    made = {
        role: replace(player, name=f"{player.name}_{name.replace(' ', '_')}", blunder=rate)
        for role, player in level.players.items()
    }
    return Level(name, made)


def strength_curve(
    rules: Rules,
    game: Game,
    players: int,
    levels: Sequence[Level],
    games: int,
    searched: int,
    seed: int = 1,
    margin: Margin = FAIR,
    level: float = 0.95,
    tick: Tick = lambda done, total: None,
    most: int = 0,
) -> Curve:
    """Return the seats' shares by the strength of the players.

    games, searched: Games of each level of players who decide at once, and of each level of players who look ahead (if
        0, these levels are left out): once in all seats, and as many for each role with one of them among experts.
    margin, level: See `analysis.seats.advantage.seat_advantage`.
    tick: Called with the number of games done, and of all games.
    most: Games of players who look ahead in all seats before they stop answering a tilt that experts find; at least
        `searched`.  They stop when they have answered; see `analysis.seats.looks`.
    Raises UsageError if there are fewer than two levels, or something cannot be played.
    """
    check_level(level)
    require_wins(game, "skill")
    levels = [one for one in levels if searched or not one.searches]
    if len(levels) < 2:
        raise UsageError(f"{game.title} has players of one level of skill only; give a part of moves", "blunders")
    experts = next(one for one in levels if one.name == EXPERTS)
    contests = [
        _Contest(one, experts, game, rules, players, searched if one.searches else games, seed) for one in levels
    ]
    total, done = sum(one.games for one in contests), 0
    found = []
    for contest in contests:
        found.append((contest, contest.strengths(level, 1 - (1 - level) / len(contests))))
        done += contest.games - contest.among_themselves.games
        tick(done, total)
    found.sort(key=lambda pair: fmean(row["strength"] for row in pair[1]))
    ordered = [contest for contest, _ in found]

    def count(runs: int) -> None:
        tick(done + sum(contest.among_themselves.games for contest in ordered[:runs]), total)

    given = answerable(seat_advantage(next(one for one in contests if one.level is experts).among_themselves).verdicts)
    until = max(searched, most) if given is not None and given.status == "tilted" else searched
    goal = Looks.up_to(until, given, margin, level) if searched else None
    runs = [
        looked(one.among_themselves, goal) if goal and one.level.searches else one.among_themselves for one in ordered
    ]
    seats = seats_by_skill(runs, [one.level.name for one in ordered], level, margin, count)
    along = ladder_of_seats(seats)
    table = pl.DataFrame([row for _, rows in found for row in rows])
    verdicts = (along.verdict, seats.verdict, *_verdicts(table, game))
    return Curve(seats.inputs, level, table.drop("least", "most"), verdicts, seats.notes, seats.table, seats, along)


class _Contest:
    """The games of one level: its players among themselves, and one of them among experts in each role."""

    def __init__(
        self, level: Level, experts: Level, game: Game, rules: Rules, players: int, games: int, seed: int
    ) -> None:
        self.level = level

        def seated(line: Mapping[str, Sequence[Strategy]]) -> Spec:
            return assemble_spec(game, players, line, rules, seed, "rotate", games)

        self.among_themselves = seated({role: [player] for role, player in level.players.items()})
        self.alone: dict[Role, Spec] = {}
        for role in game.roles:
            line = one_among(game, players, role, level.players[role.name], experts.players)
            self.alone[role] = self.among_themselves if level is experts else seated(line)

    @property
    def games(self) -> int:
        """Number of games."""
        return sum(spec.games for spec in (self.among_themselves, *self.alone.values()))

    def strengths(self, level: float, each: float) -> list[dict[str, Any]]:
        """Return the rows of the table: what one of them wins among experts, for each role.

        Beside them, `least` and `most` are the ends of the interval at the level `each`.
        """
        rows = []
        for role, spec in self.alone.items():
            player = self.level.players[role.name].name
            won, inputs = wins_of(spec, role, player)
            about: dict[str, Any] = {"skill": self.level.name, "role": role.name, "player": player}
            par = np.array([fmean(spec.judged.par[seat] for seat in role.at(spec.players))])
            scale = 1 / float(among_won(par, won.somebody, spec.judged)[0])
            wide = won.columns("strength", each, scale)
            ends = {"least": wide["strength_low"], "most": wide["strength_high"]}
            rows.append(
                about | {"games": inputs.games, "deals": inputs.deals} | won.columns("strength", level, scale) | ends
            )
        return rows


class Won(NamedTuple):
    """What one player wins."""

    share: float
    se: float
    """share, se: Share of the wins, for each seat that the player has, and its standard error."""
    deals: int
    somebody: float  # share of the games that somebody won

    def columns(self, name: str, level: float, scale: float = 1.0) -> dict[str, float]:
        """Return the share times a number, under a name, and with `_se`, `_low` and `_high` behind it."""
        return {
            key: float(value)
            for key, value in share_columns(name, self.share, self.se, self.deals, bonferroni(level), scale).items()
        }


def wins_of(spec: Spec, role: Role, player: str) -> tuple[Won, Inputs]:
    """Return what one player wins in a role, and what was played."""
    source = open_source(spec)
    seats, code = list(role.at(spec.players)), source.strategies.index(player)

    def count(sums: Counts, block: Block) -> None:
        here, share = block["strategy"][:, seats] == code, block[source.share]
        won = (here * share[:, seats]).sum(axis=1, keepdims=True)
        sums.wins.add(won, here.sum(axis=1, keepdims=True), per_deal=block.per_deal)
        sums.somebody.add(share.sum(axis=1, keepdims=True), per_deal=block.per_deal)

    names = ("strategy", source.share)
    sums, inputs = accumulate(source, names, lambda: Counts(count, wins=Ratios(1), somebody=Ratios(1)))
    won, somebody = sums.wins.cells(), float(sums.somebody.cells().value[0]) / source.unit
    share, se = float(won.value[0]) / source.unit, float(won.se[0]) / source.unit
    return Won(share, se, int(won.deals[0]), somebody), inputs


def _verdicts(table: pl.DataFrame, game: Game) -> Iterator[Verdict]:
    """Say for each role what the strongest and the weakest players win among experts."""
    for role in game.roles:
        rows = table.filter(pl.col("role") == role.name).rows(named=True)
        weak, strong = (choose(rows, key=lambda row: row["strength"]) for choose in (min, max))
        values = {"role": role.title, "weak": weak["skill"], "strong": strong["skill"], "least": weak["strength"]}
        values |= {"most": strong["strength"], "low": strong["least"], "high": strong["most"]}
        code = "strength_role" if game.asymmetric else "strength"
        few = math.isnan(strong["strength_low"])
        yield Verdict(f"{code}_few" if few else code, "unknown" if few else "fact", values)
