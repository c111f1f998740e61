"""The smallest changes of the rules that mend a game."""

from __future__ import annotations

import io
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING, Annotated

from equipoise.api.experiment import Experiment
from equipoise.api.following import Following, Stages, keeping
from equipoise.parameters import (
    Distance,
    GameCount,
    GameName,
    GoAhead,
    Level,
    LineUp,
    Players,
    Question,
    Retune,
    RuleChanges,
    RuleSet,
    Seed,
    Skill,
    Targets,
    Threads,
    Typed,
)
from simcore.homes import GAMES

if TYPE_CHECKING:
    from analysis.mend import Mend
    from simcore.running.batch import Spec
    from strategies.tuning.retune import Retuned

FILE = "mended-{}.toml"
"""Name of the rule file of a change, by its rank."""

QUESTION = Question(
    (
        "equipoise mend",
        "equipoise mend --free starting_coins=0..40 --keep lead_changes --out mended",
        "equipoise mend --free 'effects.*' --target seats --habit",
        "equipoise mend --game seigneurial --target lord=0.5",
    ),
    "equipoise.output.mended",
    lambda given: [FILE.format(rank) for rank in range(1, given["best"] + 1)],
)


@dataclass(frozen=True, eq=False, repr=False)
class Mended(Experiment):
    """The smallest changes of the rules that mend a game."""

    @property
    def mend(self) -> Mend:
        """The result with all its tables."""
        result: Mend = self.results[0]
        return result

    def rule_files(self) -> Iterator[tuple[str, str]]:
        """Yield the name and the text of the rule file of each change, the best one first."""
        from equipoise.rule_file import rule_file

        for row, rules in zip(self.mend.changes.iter_rows(named=True), self.mend.best, strict=True):
            yield FILE.format(row["rank"]), rule_file(self.rules, rules, row["rank"], row["change"])

    def more_files(self) -> Iterator[tuple[str, Callable[[], bytes]]]:
        """Yield the rule files, which are written next to the page."""
        yield from ((name, text.encode) for name, text in self.rule_files())

    def parquet(self) -> bytes:
        """Return the Parquet file of the response curves of all levers."""
        buffer = io.BytesIO()
        self.mend.curves.write_parquet(buffer)
        return buffer.getvalue()


def mend(
    game: GameName = GAMES[0],
    players: Players = None,
    target: Targets = (),
    free: Annotated[str | Sequence[str] | Mapping[str, str], Typed(takes="KEY[=RANGE]", each=True)] = (),
    keep: Annotated[str | Sequence[str], Typed(takes="MEASURE[=PART]", each=True)] = (),
    strategies: LineUp = (),
    skill: Skill = None,
    rules: RuleSet = "base",
    settings: RuleChanges = None,
    games: GameCount = 10_000,
    rounds: Annotated[int, Typed(span=(1, 20))] = 3,
    best: Annotated[int, Typed(span=(1, 10))] = 3,
    seed: Seed = 1,
    margin: Distance = "12%",
    habit: bool = False,
    retune: Retune = None,
    level: Level = 0.95,
    threads: Threads = None,
    yes: GoAhead = False,
    progress: Following = None,
) -> Mended:
    """Find the smallest changes of the rules that mend a game, with players who are tuned for the changed rules.

    Parameters
    ----------
    game, players, strategies, skill, rules, settings, level, threads
        As for `eq.simulate`.
    target
        What to mend: `seats`, `camps`, `cards`, or a seat, role, camp or measure with the value that it should have,
        such as `lord=0.5` or `length=12`; may be repeated.  If empty, camps in a game with roles, otherwise seats.
    free
        What may change: a key, table, list or pattern of the rules, with an optional range, as in
        `starting_coins=0..40`; may be repeated.  If empty, what the game declares.
    keep
        A measure that must stay within 10% of its value, or within another percentage of it, as in
        `lead_changes=20%`; may be repeated.
    games
        Games of each point.  Five times as many are played to judge a change.
    rounds
        Largest number of rounds.  In each round, players are tuned for the change found so far, and the change is
        solved for again.
    best
        Changes that are judged with players tuned for them, and written as rule files.
    seed
        Random seed for everything.
    margin
        Distance from the target that counts as close enough: `12%` of it, or `3pp` (percentage points).  The search
        aims at a third of it.
    habit
        Tune no players.  This is quick, but may mislead.
    retune
        Budget of each tuning: a number of generations, or a time such as `20s`, with which the results cannot be
        repeated exactly.  If None, 15 generations.
    yes
        Play even if it takes more than half an hour.
    progress
        How to show progress; see `equipoise.api.following.Following`.

    Raises
    ------
    UsageError
        If a key or target is unknown, the rules forbid a value, no lever changes any game, or the work takes too long.
    """
    from analysis.data.declarations import load_declarations
    from analysis.mend import Effort, find_levers
    from analysis.mend import mend as search
    from analysis.stats.margin import as_margin
    from analysis.sweep.target import CAMPS, SEATS
    from equipoise.api.arguments import listed
    from equipoise.api.casting import cast
    from equipoise.limits import patience
    from equipoise.retuning import budget_of, games_of, retune_all
    from reports.mend import compose_mend
    from strategies.spec import make_spec, whole_games

    how = budget_of(retune, habit, threads)
    spec = make_spec(game, players, cast(game, strategies, skill), rules, settings, seed, "rotate", whole_games(games))
    declared = load_declarations(spec.game.name)
    ranges = [f"{key}={room}" for key, room in free.items()] if isinstance(free, Mapping) else listed(free)
    levers = find_levers(spec.game, spec.rules, spec.players, ranges, declared.levers)
    targets = listed(target) or [CAMPS if spec.game.asymmetric else SEATS]
    with keeping(), Stages(progress, rest=True) as tick:

        def tune(specs: Sequence[Spec]) -> tuple[list[Spec], tuple[Retuned, ...]]:
            tick.close()
            return retune_all(specs, how, progress is not True)

        result = search(
            spec,
            levers,
            targets,
            as_margin(margin),
            listed(keep),
            None if habit else tune,
            Effort(spec.games, rounds, best),
            level,
            threads,
            tick,
            partial(patience, yes),
            games_of(spec.game.name, how.budget),
        )
    return Mended("mend", (result,), spec.rules, partial(compose_mend, result, spec.rules))
