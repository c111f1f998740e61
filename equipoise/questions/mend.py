"""The smallest changes of the rules that mend a game."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Unpack

from equipoise.api.experiment import Experiment
from equipoise.output.progress import Stages, keeping
from equipoise.parameters import Distance, GameName, GoAhead, Retune, Targets, Typed, lever_keys, patience
from equipoise.questions.asked import Played, asked, listed, question
from simcore.homes import GAMES

Levers = Annotated[str | Sequence[str] | Mapping[str, str], Typed(takes="KEY[=RANGE]", each=True, complete=lever_keys)]

if TYPE_CHECKING:
    import polars as pl

    from analysis.mend.result import Mend
    from equipoise.output.pages import Destination

FILE = "mended-{}.toml"
"""Name of the rule file of a change, by its rank; with several numbers of players, rules of each may have their own."""

AT = "mended-{}-{}-players.toml"
"""Name of the rule file of a change at one number of players."""


def names_of(given: Mapping[str, Any]) -> list[str]:
    """Return the names of all rule files that a search may write."""

    ranks = range(1, given["best"] + 1)
    counts = listed(given["players"])
    return [*map(FILE.format, ranks), *(AT.format(rank, count) for rank in ranks for count in counts)]


@dataclass(frozen=True, eq=False, repr=False)
class Mended(Experiment):
    """The smallest changes of the rules that mend a game."""

    save_all: bool = False  # whether changes that change the game, or miss the target, are saved as rule files as well

    @property
    def mend(self) -> Mend:
        """The result with all its tables."""
        result: Mend = self.results[0]
        return result

    def rule_files(self) -> Iterator[tuple[str, str]]:
        """Yield the name and the text of the rule file of each change that can be printed, the best one first."""
        from analysis.mend.result import DENIED
        from equipoise.api.compare import rule_file

        found = self.mend
        for row, by_players in zip(found.changes.iter_rows(named=True), found.best, strict=True):
            rank, change = row["rank"], row["change"] + ("; fair only among experts" if row["target"] == DENIED else "")
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
        """Write the files, with a page whose commands name the rule files in their folder; the terminal shows it."""
        found = replace(self, compose=partial(self.compose, folder=place.page.parent))
        paths = super(Mended, found).write(place, lang)
        self._pages.update(found._pages)
        return paths

    def played(self) -> pl.DataFrame:
        """Return what the Parquet file holds: the response curves of all levers."""
        return self.mend.curves


@question(
    "equipoise mend",
    "equipoise mend --free starting_coins=0..40 --keep lead_changes --out mended",
    "equipoise mend --free 'effects.*' --target seats --habit",
    "equipoise mend --players 3,4,5",
    "equipoise mend --game seigneurial --target lord=0.5",
    games=10_000,
    files=names_of,
)
def mend(
    game: GameName = GAMES[0],
    target: Targets = (),
    free: Levers = (),
    keep: Annotated[str | Sequence[str], Typed(takes="MEASURE[=PART]", each=True)] = (),
    rounds: Annotated[int, Typed(span=(1, 20))] = 3,
    best: Annotated[int, Typed(span=(1, 10))] = 3,
    margin: Distance = None,
    habit: bool = False,
    retune: Retune = None,
    save_all: bool = False,
    yes: GoAhead = False,
    **given: Unpack[Played],
) -> Mended:
    """Find the smallest changes of the rules that mend a game, with players who are tuned for the changed rules.

    Parameters
    ----------
    players
        Players at the table; several numbers are separated by commas, and then one change has to mend the game at all
        of them.  Only lists by seat, such as starting coins, may differ from one number to the next.  If None, the
        game's usual number.
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
        Distance from the target that counts as close enough: `12%` of it or of the stake, or `3pp` (percentage points);
        the search aims at a third of it.  If None, 12%, or 6% of a stake.
    habit
        Tune no players, and ask none who look ahead.  This is quick, but may mislead.
    retune
        Budget of each tuning: a number of generations, or a time such as `20s`, with which the results cannot be
        repeated exactly.  If None, 15 generations.
    save_all
        Write a rule file for every change that is shown, also for one that changes the game.

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
    from analysis.cost import games_of
    from analysis.data.declarations import load_declarations
    from analysis.mend.mending import mend as search
    from analysis.mend.search import Effort
    from analysis.stats.margin import as_margin
    from analysis.sweep.sweeping import CAMPS, SEATS
    from equipoise.api.compare import Tuning
    from equipoise.retuning import budget_of
    from reports.pages.mend import compose_mend
    from simcore.rules.levers import find_levers

    it = asked(game, given)
    how = budget_of(retune, habit, it.threads)
    declared = load_declarations(it.game.name)
    ranges = [f"{key}={room}" for key, room in free.items()] if isinstance(free, Mapping) else listed(free)
    levers = find_levers(it.game, it.rules, it.players, ranges, declared.levers)
    targets = listed(target) or [CAMPS if it.game.asymmetric else SEATS]
    with keeping(), Stages(it.progress, rest=True) as tick:
        tuning = Tuning(it.specs[0], how, tick, it.progress is not True)
        result = search(
            it.specs,
            levers,
            targets,
            as_margin(margin),
            listed(keep),
            None if habit else tuning.tune,
            Effort(it.games, rounds, best),
            it.level,
            it.threads,
            tick,
            partial(tuning.agree, partial(patience, yes)),
            games_of(it.game.name, how.budget),
            tuning.say,
        )
    return Mended("mend", (result,), it.rules, partial(compose_mend, result, it.rules), save_all=save_all)
