"""How `eq.tune` and `eq.learn` make a player who wins and write it as a file, and what they return."""

from __future__ import annotations

import logging
import math
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any, ClassVar

import polars as pl

from analysis.runs.manifest import versions
from equipoise.api.experiment import notebook_html
from equipoise.files import check_file, whole_file
from equipoise.output.progress import Following, following
from simcore.errors import Interrupted, UsageError
from simcore.game import Game
from simcore.rules.files import NAME
from strategies.kit import load_kit
from strategies.learning import Made, described, joined, shipped_name
from strategies.learning import Plan as LearningPlan
from strategies.learning import Status as LearningStatus
from strategies.learning import learn as find
from strategies.learning.plan import THINKER
from strategies.library import Code, load_strategy, shipped_strategies
from strategies.skill import BEGINNERS, players_of, rungs
from strategies.spec import by_role
from strategies.tuning import Budget, Journal, Plan, Status, Tuned, add_part, describe
from strategies.tuning import tune as search
from strategies.tuning.plan import find_role
from strategies.tuning.recipe import check_levers

LOG = logging.getLogger("equipoise")
ALL = "all"
MAX_ROUNDS = 100


@dataclass(frozen=True, eq=False)
class Part:
    """The player of one role that a tuning found."""

    plan: Plan  # what was to be tuned, and how
    tuned: Tuned  # the result
    file: Path  # strategy file, which can be named as a strategy

    def to_dict(self) -> dict[str, Any]:
        """Return what `tune --json` prints of it."""
        from equipoise.output.players import summary

        return summary(self.plan, self.tuned, self.file)


class Player(ABC):
    """A player that a search for players has made."""

    heading: ClassVar[str]

    @property
    @abstractmethod
    def files(self) -> tuple[Path, ...]:
        """The strategy files, one for each role that was tuned apart."""

    @property
    @abstractmethod
    def scores(self) -> pl.DataFrame:
        """How strong it is, a row for each number of players and opponent or role."""

    @property
    def file(self) -> Path:
        """The strategy file, or that of the first role."""
        return self.files[0]

    def __repr__(self) -> str:
        return f"<{type(self).__name__}: {', '.join(map(str, self.files))}; see scores>"

    def _repr_html_(self) -> str:
        return notebook_html(f"{self.heading}: {', '.join(map(str, self.files))}", (), [self.scores])


@dataclass(frozen=True, eq=False, repr=False)
class Tuning(Player):
    """The result of a tuning: one part, or one for each role if every role was tuned."""

    parts: tuple[Part, ...]
    heading = "Tuned"

    @property
    def files(self) -> tuple[Path, ...]:
        """The strategy files of all parts."""
        return tuple(part.file for part in self.parts)

    def to_dict(self) -> dict[str, Any] | list[dict[str, Any]]:
        """Return what `tune --json` prints: a list if every role was tuned."""
        parts = [part.to_dict() for part in self.parts]
        return parts if len(parts) > 1 else parts[0]

    @property
    def scores(self) -> pl.DataFrame:
        """Wins of each tuned player against each opponent, on deals that no candidate had played."""
        return pl.DataFrame(
            [{"file": str(part.file), **row} for part in self.parts for row in part.to_dict()["scores"]]
        )


def opponents_of(game: Game, skill: str, role: str | None, players: Sequence[int]) -> dict[str, list[str]]:
    """Return the opponents at a level of skill by role, without the tuned role if it has only one seat."""
    tuned, counts = find_role(game, role), players or [game.default_players]
    alone = all(len(tuned.at(count)) == 1 for count in counts)
    usual = players_of(game.name, skill).items()
    return {name: [player] for name, player in usual if not (alone and name == tuned.name)}


@dataclass(frozen=True)
class How:
    """How to search: what the options say in addition to the plan."""

    budget: Budget
    threads: int
    by_players: bool
    force: bool
    progress: Following
    trust: bool = False


def journal_of(out: Path) -> Path:
    """Return the file that keeps what was done for a strategy file that is being made."""
    return out.with_name(f"{out.name}.journal")


@contextmanager
def continued(out: Path, plan: Mapping[str, Any]) -> Iterator[Journal]:
    """Go on with the journal of a strategy file; Ctrl-C keeps it, and says how to continue."""
    kept = journal_of(out)
    journal = Journal(kept, plan)
    if journal.resumed:
        LOG.info("Continuing with %s", kept)
    try:
        yield journal
    except KeyboardInterrupt:
        raise Interrupted(f"{kept} keeps what was done; run the same command again to continue") from None


def tune_role(plan: Plan, out: Path, how: How, keep: bool = False) -> Part:
    """Tune one role and write its file; `keep` keeps the journal, and allows replacing the file while it exists."""
    code = Code.TRUSTED if how.trust else Code.NAMED
    earlier = load_strategy(plan.game, out, code=code) if how.by_players and out.exists() else None
    if earlier and earlier.policy != plan.start.policy:
        raise UsageError(f"{out} plays '{earlier.policy}', and {plan.start.name} '{plan.start.policy}'", "by_players")
    if earlier:
        check_levers(earlier, plan)
    replaced = how.force or earlier is not None or (keep and journal_of(out).exists())
    with whole_file(out, replaced) as write, continued(out, plan.describe()) as journal:
        tuned = _search(plan, how, journal)
        made = (partial(add_part, earlier) if how.by_players else describe)(plan, tuned, strategy_name(out), versions())
        write(made.to_toml().encode())
    if not keep:
        journal.close()
    return Part(plan, tuned, out)


def in_turn(
    game: Game,
    plan_of: Callable[..., Plan],
    against: Sequence[str | Path],
    start: str | Path | None,
    rounds: int,
    out: Path,
    how: How,
) -> list[Part]:
    """Tune every role in turn, for several rounds, each against the present strategies of the others.

    Return the parts of the last round.  The files of earlier rounds stay because the recipes of later rounds name them.
    """
    if not game.asymmetric:
        raise UsageError(f"{game.title} has one role; leave out the role '{ALL}'", "role")
    if how.by_players:
        raise UsageError(f"cannot be combined with the role '{ALL}'; tune one role at a time", "by_players")
    if not 1 <= rounds <= MAX_ROUNDS:
        raise UsageError(f"{rounds} is out of range; give a whole number from 1 to {MAX_ROUNDS}", "rounds")
    named, starts = (
        by_role(game, against, "against") if against else {},
        by_role(game, [start], "start_from") if start else {},
    )
    for option, found in (("against", named), ("start_from", starts)):
        if not isinstance(found, Mapping) and list(found) != ["self"]:
            raise UsageError(f"write {','.join(f'{name}=NAME' for name in game.role_names)}", option)
    named, starts = (found if isinstance(found, Mapping) else {} for found in (named, starts))
    current = {name: starts.get(name, [load_kit(game.name).default_of(name)])[-1] for name in game.role_names}
    steps = [(number, role.name) for number in range(1, rounds + 1) for role in game.roles]
    paths = {}
    for number, role in steps:  # in the last round, its files have no number
        ends = [role.replace("-", "_"), *([] if number == rounds else [str(number)])]
        paths[number, role] = out.with_stem("_".join([out.stem, *ends]))
    for path in paths.values():
        check_file(path, how.force or journal_of(path).exists())
    done = {}
    for step in steps:
        _, role = step
        met = {
            other: [current[other], *(one for one in named.get(other, ()) if one not in ("self", current[other]))]
            for other in game.role_names
            if other != role
        }
        own = {role: named[role]} if role in named else {}
        plan = plan_of(role=role, start=current[role], against=met | own)
        done[role] = tune_role(plan, paths[step], how, keep=True)
        current[role] = str(paths[step])
    for path in paths.values():
        journal_of(path).unlink(missing_ok=True)
    return list(done.values())


def strategy_name(out: Path) -> str:
    """Return the strategy's name, which is the name of the file."""
    name = out.stem.replace("-", "_")
    if out.suffix != ".toml" or not NAME.fullmatch(name):
        raise UsageError(
            f"{out.name[:60]}: the file names the strategy; write lower-case letters, digits and _, then .toml", "out"
        )
    return name


@contextmanager
def searching(budget: Budget, steps: str, parts: int, progress: Following) -> Iterator[Callable[..., None]]:
    """Show how far a search is, in some steps or, if the budget is a time, in seconds; `parts` have a budget each."""
    by_time = budget.seconds is not None
    each = math.ceil(budget.seconds or 0) if budget.generations is None else budget.generations
    unit = "seconds" if by_time else steps
    with following(progress, unit, each * parts) as tick:
        yield lambda done, seconds, more: tick(int(seconds) if by_time else done, unit + more)


def _search(plan: Plan, how: How, journal: Journal) -> Tuned:
    """Tune with progress; score the result against the game's simple players as well."""
    shipped = shipped_strategies(plan.game)
    simple = BEGINNERS[:1] if plan.held else dict.fromkeys(rungs(plan.game.name)[1].values())
    yardsticks = [load_strategy(plan.game, name) for name in simple if name in shipped]
    with searching(how.budget, "generations", 1, how.progress) as tell:

        def hear(status: Status) -> None:
            silent = status.of_par is None or plan.game.payoff
            more = "" if silent else f"; {status.of_par:.2f} of par at the last trial"
            tell(status.generation, status.seconds, more)

        return search(plan, how.budget, how.threads, journal, hear, yardsticks)


# --- `eq.learn`: make a player who looks a little ahead and judges by a learned value, and write it as a file ---


LEAST_SECONDS = 30


@dataclass(frozen=True, eq=False, repr=False)
class Learning(Player):
    """The result of a learning."""

    plan: LearningPlan  # what was to be learnt
    made: tuple[Made, ...]  # what was made, by number of players
    out: Path  # the strategy file
    seconds: float
    cpu_seconds: float
    """seconds, cpu_seconds: Time, including earlier sessions."""
    heading = "Learnt"

    @property
    def files(self) -> tuple[Path, ...]:
        """The strategy file."""
        return (self.out,)

    @property
    def scores(self) -> pl.DataFrame:
        """What one thinker wins among bases, one base among thinkers, in times of par, and what the checks found."""
        return pl.DataFrame(self.to_dict()["scores"])

    def to_dict(self) -> dict[str, Any]:
        """Return what `learn --json` prints."""
        from equipoise.output.players import learning_summary

        return learning_summary(self)


def learn_values(plan: LearningPlan, out: Path, how: How) -> Learning:
    """Learn, and write the player into a file, beside what was in it if that is to stay."""
    earlier = load_strategy(plan.game, out) if how.by_players and out.exists() else None
    if earlier and earlier.policy != THINKER:
        raise UsageError(
            f"{out} plays '{earlier.policy}', which does not judge by a value; choose another file", "by_players"
        )
    with whole_file(out, how.force or earlier is not None) as write, continued(out, plan.describe()) as journal:
        with searching(how.budget, "rounds", len(plan.players), how.progress) as tell:

            def hear(status: LearningStatus) -> None:
                before = (how.budget.generations or 0) * plan.players.index(status.players)
                more = f"; {status.players} players, round {status.round}: {status.doing}"
                tell(before + status.round - 1, journal.seconds, more)

            made = find(plan, how.budget, how.threads, journal, hear)
        new = described(plan, made, strategy_name(out), journal.seconds, journal.cpu_seconds, versions())
        write((joined(earlier, new) if earlier else new).to_toml(shipped_name(plan)).encode())
    journal.close()
    return Learning(plan, tuple(made), out, journal.seconds, journal.cpu_seconds)
