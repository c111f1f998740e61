"""The smallest changes of the rules that mend a game."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

from equipoise.api.experiment import Experiment
from equipoise.output.progress import Following, Stages, keeping
from equipoise.parameters import (
    Distance,
    GameCount,
    GameName,
    GoAhead,
    Level,
    LineUp,
    PlayerCounts,
    Question,
    Retune,
    RuleChanges,
    RuleSet,
    Seed,
    Skill,
    Targets,
    Threads,
    Typed,
    lever_keys,
)
from simcore.homes import GAMES

if TYPE_CHECKING:
    import polars as pl

    from analysis.mend import Mend
    from equipoise.output.pages import Destination

FILE = "mended-{}.toml"
"""Name of the rule file of a change, by its rank; with several numbers of players, rules of each may have their own."""

AT = "mended-{}-{}-players.toml"
"""Name of the rule file of a change at one number of players."""


def names_of(given: Mapping[str, Any]) -> list[str]:
    """Return the names of all rule files that a search may write."""
    from equipoise.api.arguments import listed

    ranks = range(1, given["best"] + 1)
    counts = listed(given["players"])
    return [*map(FILE.format, ranks), *(AT.format(rank, count) for rank in ranks for count in counts)]


Levers = Annotated[str | Sequence[str] | Mapping[str, str], Typed(takes="KEY[=RANGE]", each=True, complete=lever_keys)]

QUESTION = Question(
    (
        "equipoise mend",
        "equipoise mend --free starting_coins=0..40 --keep lead_changes --out mended",
        "equipoise mend --free 'effects.*' --target seats --habit",
        "equipoise mend --players 3,4,5",
        "equipoise mend --game seigneurial --target lord=0.5",
    ),
    files=names_of,
)


@dataclass(frozen=True, eq=False, repr=False)
class Mended(Experiment):
    """The smallest changes of the rules that mend a game.

    Parameters
    ----------
    save_all
        Whether changes that change the game, or miss the target, are saved as rule files as well.
    """

    save_all: bool = False

    @property
    def mend(self) -> Mend:
        """The result with all its tables."""
        result: Mend = self.results[0]
        return result

    def rule_files(self) -> Iterator[tuple[str, str]]:
        """Yield the name and the text of the rule file of each change that can be printed, the best one first."""
        from equipoise.api.compare import rule_file

        found = self.mend
        for row, by_players in zip(found.changes.iter_rows(named=True), found.best, strict=True):
            rank, change = row["rank"], row["change"]
            if not (self.save_all or rank in found.printable):
                continue
            different = {rules.digest: (players, rules) for players, rules in by_players.items()}
            for players, rules in different.values():
                name = FILE.format(rank) if len(different) == 1 else AT.format(rank, players)
                yield name, rule_file(self.rules, rules, rank, change)

    def more_files(self) -> Iterator[tuple[str, Callable[[], bytes]]]:
        """Yield the rule files, which are written next to the page."""
        yield from ((name, text.encode) for name, text in self.rule_files())

    def write(self, place: Destination, lang: str) -> list[Path]:
        """Write the files, with a page whose commands name the rule files in their folder."""
        found = replace(self, compose=partial(self.compose, folder=place.page.parent))
        return super(Mended, found).write(place, lang)

    def played(self) -> pl.DataFrame:
        """Return what the Parquet file holds: the response curves of all levers."""
        return self.mend.curves


def mend(
    game: GameName = GAMES[0],
    players: PlayerCounts = None,
    target: Targets = (),
    free: Annotated[
        str | Sequence[str] | Mapping[str, str], Typed(takes="KEY[=RANGE]", each=True, complete=lever_keys)
    ] = (),
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
    save_all: Annotated[bool, Typed(option="save-all")] = False,
    yes: GoAhead = False,
    progress: Following = None,
) -> Mended:
    """Find the smallest changes of the rules that mend a game, with players who are tuned for the changed rules.

    Parameters
    ----------
    game, players, strategies, skill, rules, settings, level, threads
        As for `eq.simulate`; `players` may be several numbers, and then one change has to mend the game at all of them.
        Only lists by seat, such as starting coins, may differ from one number to the next.
    target
        What to mend: `seats`, `camps`, `cards`, or a seat, role, camp or measure with the value that it should have,
        such as `lord=0.5` or `length=12`; may be repeated.  If empty, camps in a game with roles, otherwise seats.
    free
        What may change: a key, table, list or pattern of the rules, with an optional range, as in
        `starting_coins=0..40`; may be repeated.  If empty, what the game declares.
    keep
        A measure that must stay within 10% of its value, or within another percentage of it, as in
        `lead_changes=20%`; may be repeated.  Lead changes, the length of a game, and every card or action that is used
        at least once in ten games stay within a third in any case, unless `nothing` is kept.
    games
        Games of each point.  Five times as many are played to judge a change.
    rounds
        Largest number of rounds.  In each round, players are tuned for the change found so far, and the change is
        solved for again.
    best
        Largest number of changes that are proposed, each another idea.
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
    save_all
        Write a rule file for every change that is shown, also for one that changes the game.
    yes
        Play even if it takes more than half an hour.
    progress
        How to show progress; see `equipoise.output.progress.Following`.

    Raises
    ------
    UsageError
        If a key or target is unknown, the rules forbid a value, no lever changes any game, or the work takes too long.

    References
    ----------
    * docs/find-a-change.md

    Examples
    --------
    >>> import equipoise as eq
    >>> found = eq.mend(players=2, strategies="greedy", free={"starting_coins": "0..9"}, games=300, rounds=1, best=1)
    >>> found.mend.changes.columns[:4]
    ['rank', 'change', 'variant', 'touched']
    """
    from analysis.data.declarations import load_declarations
    from analysis.mend import Effort
    from analysis.mend import mend as search
    from analysis.stats.margin import as_margin
    from analysis.sweep.grid import CAMPS, SEATS
    from equipoise.api.arguments import listed
    from equipoise.api.compare import Tuning
    from equipoise.api.simulation import cast
    from equipoise.parameters import patience
    from equipoise.retuning import budget_of, games_of
    from reports.pages.mend import compose_mend
    from simcore.rules.levers import find_levers
    from strategies.spec import make_spec, whole_games

    how = budget_of(retune, habit, threads)
    cast_ = cast(game, strategies, skill)
    specs = [
        make_spec(game, count, cast_, rules, settings, seed, "rotate", whole_games(games))
        for count in listed(players) or [None]
    ]
    first = specs[0]
    declared = load_declarations(first.game.name)
    ranges = [f"{key}={room}" for key, room in free.items()] if isinstance(free, Mapping) else listed(free)
    levers = find_levers(first.game, first.rules, [spec.players for spec in specs], ranges, declared.levers)
    targets = listed(target) or [CAMPS if first.game.asymmetric else SEATS]
    with keeping(), Stages(progress, rest=True) as tick:
        tuning = Tuning(first, how, tick, progress is not True)
        result = search(
            specs,
            levers,
            targets,
            as_margin(margin),
            listed(keep),
            None if habit else tuning.tune,
            Effort(first.games, rounds, best),
            level,
            threads,
            tick,
            partial(tuning.agree, partial(patience, yes)),
            games_of(first.game.name, how.budget),
            tuning.say,
        )
    return Mended("mend", (result,), first.rules, partial(compose_mend, result, first.rules), save_all=save_all)
