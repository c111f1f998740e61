"""Games of players who look ahead, which are slow: they are looked at in steps, and end when a verdict is answered.

The ranges of each look are so wide that those of all looks hold together (Bonferroni).  As the games double from look
to look, an exact boundary would be hardly narrower: 3.10 instead of 3.12 standard errors for 4 seats and 7 looks.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from hashlib import sha256

from analysis.data.results import Verdict
from analysis.data.threads import usual_threads
from analysis.precision import Goal, at_stage, read_goal, stages
from analysis.runs.manifest import LOOKS, looks_in
from analysis.seats.agreement import FEW, SEVERAL, agreement, counterpart
from analysis.seats.shares import LEVEL, judge_totals
from analysis.stats.intervals import each_look
from analysis.stats.margin import FAIR, Margin
from simcore.running.batch import Spec
from simcore.running.executors import Part, execute, whole
from simcore.running.tally import Tally, Totals

FIRST = 50
"""Number of games at the first look; it doubles from look to look."""

PIECES = 8
"""Number of parts of the games of a look, which several threads may play."""


def looks_up_to(games: int) -> tuple[int, ...]:
    """Return the numbers of games at all looks; the last one is the largest number."""
    sizes = [FIRST]
    while sizes[-1] < games:
        sizes.append(2 * sizes[-1])
    return (*sizes[:-1], games)


def answerable(verdicts: Sequence[Verdict]) -> Verdict | None:
    """Return the verdict that another level of play answers to: the first tilt, or else the first that all is fair."""
    sure = [one for status in ("tilted", "fair") for one in verdicts if one.status == status and one.lines is not None]
    return next(iter(sure), None)


def answered(given: Verdict | None, verdicts: Sequence[Verdict]) -> bool:
    """Return whether the verdicts of another level of play answer a verdict or, if there is none, are sure."""
    if given is None:
        return verdicts[0].status in ("tilted", "fair")
    return agreement(given, counterpart(given, verdicts)).says not in (FEW, SEVERAL)


@dataclass(frozen=True)
class Looks(Goal):
    """The goal of a run of players who look ahead: an answer to the verdict of others."""

    at: tuple[int, ...] = ()  # numbers of games at which the run may end
    given: Verdict | None = None  # the verdict that they answer to; if there is none, they find one of their own
    margin: Margin = FAIR  # distance from par that counts as fair
    level: float = LEVEL  # confidence level of the ranges of all looks together

    @classmethod
    def up_to(cls, games: int, given: Verdict | None = None, margin: Margin = FAIR, level: float = LEVEL) -> Looks:
        """Return the goal that is given up after so many games."""
        at = looks_up_to(games)
        answers = given and (given.code, given.values.get("seat"), given.values.get("camp"))
        about = sha256(repr((margin, level, answers)).encode()).hexdigest()[:12]  # tells it from other goals
        return cls(f"{LOOKS}{','.join(map(str, at))};{about}", (), at, given, margin, level)

    def sizes(self, spec: Spec) -> Iterator[int]:
        """Yield the numbers of games at all looks, in complete deals."""
        per_deal = spec.games_per_deal
        yield from dict.fromkeys(-(-games // per_deal) * per_deal for games in self.at)

    def cut(self, spec: Spec, games: int) -> Sequence[Part]:
        """Divide the games of a look into as many parts as threads may play at once."""
        size = whole(-(-games // PIECES), spec.games_per_deal)
        return [Part(at, first, min(size, games - first)) for at, first in enumerate(range(0, games, size))]

    def judge(self, spec: Spec, tally: Tally) -> tuple[Verdict, ...]:
        """Return the verdicts on what was played."""
        return judge_totals(spec, tally, self.margin, each_look(self.level, len(self.at)))

    def reached(self, spec: Spec, totals: Totals) -> bool:
        """Return whether the answer is known."""
        return answered(self.given, self.judge(spec, totals.tally))

    def widths(self, spec: Spec, totals: Totals) -> dict[str, float]:
        """Return nothing: no range has to be narrow."""
        return {}

    def left(self, spec: Spec, totals: Totals) -> int:
        """Return the largest number of games."""
        return self.at[-1]


def goal_of(text: str) -> Goal:
    """Return the goal that the manifest of a run names."""
    looks = looks_in(text)
    return Looks(text, (), looks) if looks else read_goal(text)


def play_to(
    spec: Spec, goal: Looks, threads: int | None = None, tick: Callable[[int], None] = lambda games: None
) -> Tally:
    """Play until the goal is reached, or given up."""
    totals = Totals(spec)
    for stage in stages(spec, goal):
        now = at_stage(spec, stage)
        totals = execute(now, threads or usual_threads(), tick=tick, todo=stage.parts, before=totals).totals
        if goal.reached(now, totals):
            break
    return totals.tally
