"""Compare versions of a game: play the same deals, and measure what each seat gained or lost."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl

from analysis.compare.result import (
    HABIT,
    KNOWN,
    PAR_BEFORE,
    PLAYED,
    SAME,
    Comparison,
    Drawn,
    cautions,
    drawn,
    judge,
)
from analysis.compare.shares import (
    CARD_GAMES,
    GAMES,
    Wins,
    camp_lines,
    distance_columns,
    half_width,
    share_differences,
    together,
    totals,
    what_moved,
)
from analysis.data.player_notes import player_notes, untuned_notes
from analysis.data.results import Inputs, Note, Verdict, tidy
from analysis.data.source import Source
from analysis.data.sources import FolderSource, SpecSource, source_of
from analysis.runs import Run, load
from analysis.stats.intervals import check_level
from analysis.stats.moments import MIN_DEALS
from simcore.errors import UsageError
from simcore.game import load_game
from simcore.homes import ELSEWHERE
from simcore.rules.files import Rules, differences, load_rules
from simcore.running.batch import Spec
from strategies.habit import habits
from strategies.spec import References, make_spec, under_rules
from strategies.tuning.retune import TUNINGS, Retuned

# --- The versions of a game that are compared: rule sets, one of them with changed settings, and runs ---


Reference = str | Path | Rules | Run
"""A shipped rule set, the path of a rule file or of a run folder, complete rules, or a run."""

MOST = 8
"""Largest number of versions in one comparison."""


@dataclass(frozen=True)
class Version:
    """One version of a game."""

    label: str  # name of the version in tables and sentences
    specs: Mapping[int, Spec]  # what is played, by number of players
    runs: Mapping[int, Run] = field(default_factory=dict)
    """Runs that have been played, by number of players; empty for a rule set."""

    def source(self, players: int) -> Source:
        """Return the games at one number of players: those of the run, or games to play."""
        return source_of(self.runs[players]) if players in self.runs else SpecSource(self.specs[players])


@dataclass(frozen=True)
class Chosen:
    """What to play, if no run says it."""

    game: str
    players: Sequence[int] = ()  # numbers of players.  If empty, the game's usual number.
    strategies: References = ()
    seed: int = 1
    games: int = 100_000
    """game, strategies, seed, games: As for `strategies.spec.make_spec`."""


def find_versions(
    references: Sequence[Reference], chosen: Chosen, settings: Sequence[str] = (), trust: bool = False
) -> list[Version]:
    """Return the versions that a user named.

    references: Two or more references, or one with `settings`.
    chosen: What to play.  If there are runs among the versions, they decide, and rule sets are played with the players,
        the deals and the number of games of the first run.
    settings: Changes to the one version that is named, each "dotted.key=value".
    trust: Whether Python code that a run names may be imported.
    Raises UsageError if the versions cannot be compared; the message says which, and why.
    """
    if len(references) > MOST:
        raise UsageError(f"compare: {len(references)} versions are given; the maximum is {MOST}")
    if settings and len(references) != 1:
        raise UsageError("changes one version; name only one, or put the change into a rule file", "settings")
    if len(references) < 2 and not settings:
        raise UsageError("there is one version; name two rule sets, or one and a change as key=value", "settings")
    runs = [_run(reference, trust) for reference in references]
    lead = next((run for run in runs if run), None)
    if lead is None:
        found = _by_rules(references, chosen, settings)
    elif settings:
        raise UsageError(
            "a run has already been played; name a rule set instead, or compare the run with a rule file", "settings"
        )
    else:
        found = [_with_run(reference, run, lead) for reference, run in zip(references, runs, strict=True)]
    _check(found)
    return found


def _run(reference: Reference, trust: bool) -> Run | None:
    """Return the run that a reference names; None if it names rules."""
    if isinstance(reference, Run):
        return reference
    return load(reference, trust=trust) if not isinstance(reference, Rules) and Path(reference).is_dir() else None


def _by_rules(references: Sequence[Reference], chosen: Chosen, settings: Sequence[str]) -> list[Version]:
    game = load_game(chosen.game)
    named = [(reference, ()) for reference in references] + [(references[0], tuple(settings))] * bool(settings)
    rules = [_rules(chosen.game, reference, changed) for reference, changed in named]
    labels = _labels(references, rules)
    counts = list(dict.fromkeys(chosen.players)) or [game.default_players]
    return [
        Version(
            label,
            {
                count: make_spec(
                    chosen.game,
                    count,
                    chosen.strategies,
                    _named(reference),
                    changed,
                    chosen.seed,
                    "rotate",
                    chosen.games,
                )
                for count in counts
            },
        )
        for label, (reference, changed) in zip(labels, named, strict=True)
    ]


def _named(reference: Reference) -> str | Path | Rules:
    """Return what `load_rules` loads."""
    return reference if isinstance(reference, Path | Rules) else str(reference)


def _rules(game: str, reference: Reference, settings: Sequence[str]) -> Rules:
    try:
        return load_rules(load_game(game), _named(reference), settings)
    except UsageError as error:
        raise UsageError(error.message, "" if error.where == "rules" else error.where) from None


def _labels(references: Sequence[Reference], rules: Sequence[Rules]) -> list[str]:
    """Return labels for rule sets: their names with what was changed, or the references if two names are equal."""
    names = [" with ".join(filter(None, (one.name, ", ".join(one.settings)))) for one in rules]
    if len(set(names)) == len(names):
        return names
    return [one.name if isinstance(one, Rules) else str(one) for one in references]


def _with_run(reference: Reference, run: Run | None, lead: Run) -> Version:
    """Return a version for a run, or for a rule set that is played like another run."""
    if run is not None:
        return Version(str(run.folder), {run.manifest.players: run.described}, {run.manifest.players: run})
    first = lead.spec
    rules = _rules(first.game.name, reference, ())
    spec = replace(
        under_rules(first, rules), rules_reference=rules.name if isinstance(reference, Rules) else str(reference)
    )
    return Version(rules.name, {first.players: spec})


def _check(versions: Sequence[Version]) -> None:
    """Raise `UsageError` if there is nothing to compare."""
    first = versions[0]
    (lead, *_) = first.specs.values()
    for other in versions[1:]:
        (spec, *_) = other.specs.values()
        if spec.game.name != lead.game.name:
            raise UsageError(
                f"compare: {first.label} is a run of {lead.game.name}, but {other.label} is one of {spec.game.name}"
            )
        if list(other.specs) != list(first.specs):
            raise UsageError(
                f"compare: {first.label} has {lead.players} players, and {other.label} {spec.players}; compare runs "
                "with the same number of players"
            )
        same = spec.strategy_tables == lead.strategy_tables and not differences(lead.rules, spec.rules)
        if same and not other.runs:
            raise UsageError(
                f"compare: {first.label} and {other.label} have the same rules; there is nothing to compare"
            )


# --- Compare versions of a game: play the same deals, and measure what each seat gained or lost ---


HALF_POINT = 0.005

Retune = Callable[[Sequence[Spec], int], tuple[Sequence[Spec], tuple[Retuned, ...]]]
"""Function that replaces players in runs by ones tuned for the rules, and returns who was tuned; it is called with the
runs and the number of the tuning, from 0."""

Tick = Callable[[str, int, int], None]
"""Function that is called from time to time with what is counted (games), the number done, and the total."""


def needs_tuning(versions: Sequence[Version]) -> bool:
    """Return whether somebody plays some version by habit; nobody is tuned for a run that has been played."""
    return any(habits(spec) for item in versions if not item.runs for spec in item.specs.values())


def sized(versions: Sequence[Version], level: float) -> Note:
    """Return a note on how precise the comparison of tuned players will be, before they are played.

    Different players hardly pair, so playing the same deals does not make the intervals narrower.
    """
    spec = next(iter(versions[0].specs.values()))
    deals = spec.games // spec.games_per_deal
    half = half_width(spec, deals, level)
    return Note(
        "compare_sized", {"games": spec.games, "half": half, "needed": round(spec.games * (half / HALF_POINT) ** 2, -2)}
    )


def compare_versions(
    versions: Sequence[Version],
    tune: Retune | None,
    level: float = 0.95,
    threads: int | None = None,
    tick: Tick = lambda what, done, total: None,
    say: Callable[[Verdict], None] = lambda verdict: None,
) -> Comparison:
    """Return the comparison of versions.

    versions: The versions; each is compared with the first.
    tune: Function that tunes players for the versions that somebody plays by habit.  If None, they only play by habit.
    level: Confidence level.
    threads: Number of threads.  If None, one for each processor.
    tick: Function that shows progress.
    say: Function that is called with the first answer by habit before players are tuned.
    """
    check_level(level)
    by_habit = needs_tuning(versions)
    runs = any(version.runs for version in versions)
    labels = tuple(version.label for version in versions)
    counts = list(versions[0].specs)
    first = versions[0].specs[counts[0]]
    titles, unit = first.game.camp_titles, first.judged.unit
    rules = {version.label: version.specs[counts[0]].rules for version in versions}
    sides: dict[str, Sequence[Mapping[int, Sequence[Source]]]] = {
        PLAYED if runs else HABIT if by_habit else SAME: [
            {players: [version.source(players)] for players in version.specs} for version in versions
        ]
    }
    notes: list[Note] = []
    retuned: tuple[Retuned, ...] = ()
    seats = _Seats(labels, counts, level, threads, tick)
    seats.play(sides)
    if by_habit and tune is not None and not runs:
        say(judge(seats.table, seats.distances, rules, titles, unit=unit, alike=seats.alike)[0])
        known, retuned = _knowing(versions, tune)
        sides[KNOWN] = known
        seats.play({KNOWN: known})
        notes += [] if unit else [sized(versions, level)]
    table, distances, inputs = seats.table, seats.distances, tuple(seats.inputs)
    hardly = any(player.hardly for player in retuned)
    moved = _moved(sides, labels, counts, level, tick)
    best = list(sides.values())[-1]
    notes += [*([] if hardly else cautions(table, unit)), *tuning_notes(retuned), *_of_deals(table, inputs)]
    warned = (player_notes(some[0].spec) for version in best for some in version.values())
    notes += dict.fromkeys(note for some in warned for note in some)
    if tune is not None and not runs:
        notes += untuned_notes(first)
    opened = {} if runs else _drawn(best, labels, counts, level, threads)
    verdicts = judge(table, distances, rules, titles, hardly, unit, opened, seats.alike)
    table = table.drop(PAR_BEFORE)
    return Comparison(inputs, level, table, verdicts, tuple(notes), distances, moved, labels, retuned, unit)


def compare_sources(sources: Mapping[str, Source], level: float = 0.95) -> Comparison:
    """Return the comparison of runs by label, for a report: each with the first, without what else moved."""
    (players,) = {source.players for source in sources.values()}
    seats = _Seats(tuple(sources), [players], level, None, lambda *told: None)
    seats.play({PLAYED: [{players: [source]} for source in sources.values()]})
    table, distances, inputs = seats.table, seats.distances, tuple(seats.inputs)
    first = next(iter(sources.values())).spec
    titles, unit = first.game.camp_titles, first.judged.unit
    rules = {label: source.spec.rules for label, source in sources.items()}
    verdicts = judge(table, distances, rules, titles, unit=unit, alike=seats.alike)
    notes, table = tuple(_of_deals(table, inputs)), table.drop(PAR_BEFORE)
    return Comparison(inputs, level, table, verdicts, notes, distances, pl.DataFrame(), tuple(sources), unit=unit)


Sides = Mapping[str, Sequence[Mapping[int, Sequence[Source]]]]
"""The games of each version by number of players, for each kind of players; several after several tunings."""


def _knowing(
    versions: Sequence[Version], tune: Retune
) -> tuple[list[dict[int, Sequence[Source]]], tuple[Retuned, ...]]:
    """Return the games of players who are tuned for each version, under their old names."""
    specs = [spec for version in versions for spec in version.specs.values()]
    found, players = zip(*(tune(specs, number) for number in range(TUNINGS)), strict=True)
    named = []
    for old, *several in zip(specs, *found, strict=True):
        known = distinct(several)
        named.append([SpecSource(replace(new, strategies=old.strategies)) for new in known])
    each = iter(named)
    sources: list[dict[int, Sequence[Source]]] = [{count: next(each) for count in one.specs} for one in versions]
    return sources, tuple(player for some in players for player in some)


def distinct(several: Sequence[Spec]) -> Sequence[Spec]:
    """Return the runs of several tunings; only one if nobody had to be tuned, or all tunings found the same."""
    return several if len({spec.lineup_record.tobytes() for spec in several}) > 1 else several[:1]


@dataclass
class _Seats:
    """What seats and camps win in all versions, as played by one kind of players after the other."""

    labels: Sequence[str]
    counts: Sequence[int]
    """labels, counts: The versions, and the numbers of players."""
    level: float
    threads: int | None
    tick: Tick
    """level, threads, tick: As for `compare_versions`."""
    inputs: list[Inputs] = field(default_factory=list)  # the data that was counted
    alike: list[str] = field(default_factory=list)  # the versions all of whose games are the same game
    _kept: dict[bytes, Wins] = field(default_factory=dict)
    _frames: list[pl.DataFrame] = field(default_factory=list)
    _apart: list[dict[str, Any]] = field(default_factory=list)
    _total: int = 0
    _done: int = 0

    def play(self, sides: Sides) -> None:
        """Play, and add the rows of seats and camps, and the distances."""
        every = (source for some in sides.values() for version in some for own in version.values() for source in own)
        self._total += sum(source.planned for source in {id(source): source for source in every}.values())
        each = 1 - (1 - self.level) / (len(self.counts) * (len(self.labels) - 1))
        for who, some in sides.items():
            for count in self.counts:
                first, *others = [together([self._won(source) for source in version[count]]) for version in some]
                named = zip(self.labels, (first, *others), strict=True)
                self.alike += [label for label, won in named if won.one_game and label not in self.alike]
                for label, other in zip(self.labels[1:], others, strict=True):
                    head = {"version": label, "against": self.labels[0], "players": count, "who": who}
                    self._frames += [_headed(head, frame) for frame in _rows(first, other, each)]
                    self._apart.append(head | distance_columns(first, other, each))

    def _won(self, source: Source) -> Wins:
        spec = source.spec
        key = b"|".join((source.label.encode(), spec.rules_record.tobytes(), spec.lineup_record.tobytes()))
        if key not in self._kept:
            done, total = self._done, self._total
            self._kept[key] = totals(source, self.threads, lambda games: self.tick("games", done + games, total))
            games, deals = self._kept[key].games, self._kept[key].deals
            self.inputs.append(source.inputs(games, deals, source.planned - games))
        self._done += source.planned
        return self._kept[key]

    @property
    def table(self) -> pl.DataFrame:
        """The table of `Comparison`, with the column `PAR_BEFORE`."""
        return tidy(pl.concat(self._frames))

    @property
    def distances(self) -> pl.DataFrame:
        """The distances of `Comparison`."""
        return pl.DataFrame(self._apart, infer_schema_length=None)


def _drawn(
    best: Sequence[Mapping[int, Sequence[Source]]],
    labels: Sequence[str],
    counts: Sequence[int],
    level: float,
    threads: int | None,
) -> dict[tuple[str, int], Drawn]:
    """Return the versions, each at a number of players, in which players open differently, with openings drawn."""
    found = {}
    each = 1 - (1 - level) / (len(counts) * (len(labels) - 1))
    for count in counts:
        first, *others = [[source.spec for source in version[count]] for version in best]
        for label, other in zip(labels[1:], others, strict=True):
            if seen := drawn(first, other, each, threads):
                found[label, count] = seen
    return found


def _headed(head: Mapping[str, Any], frame: Mapping[str, Any]) -> pl.DataFrame:
    types = {"seat": pl.Int64, "role": pl.String, "camp": pl.String}
    return pl.DataFrame(frame, schema_overrides=types).select(
        *(pl.lit(value).alias(name) for name, value in head.items()), pl.all()
    )


def _rows(before: Wins, after: Wins, level: float) -> list[dict[str, Any]]:
    """Return the rows of seats, and of camps in a game with camps."""
    spec = after.spec
    seats, none = range(1, spec.players + 1), [None] * spec.players
    roles = [role.name for role in spec.roles] if spec.camps else none
    sides = [role.side for role in spec.roles] if spec.camps else none
    frames: list[dict[str, Any]] = [{"kind": "seat", "seat": list(seats), "role": roles, "camp": sides}]
    if spec.camps:
        blank = [None] * len(spec.camps)
        frames.append({"kind": "camp", "seat": blank, "role": blank, "camp": list(spec.camps)})
    return [
        frame
        | {PAR_BEFORE: lines @ before.fair, "par": lines @ after.fair}
        | share_differences(before, after, lines, level)
        for frame, lines in zip(frames, (np.eye(spec.players), camp_lines(spec)), strict=False)
    ]


def _moved(sides: Sides, labels: Sequence[str], counts: Sequence[int], level: float, tick: Tick) -> pl.DataFrame:
    """Return what else moved, with the best informed players; only for runs whose games can be played again."""
    who, best = list(sides.items())[-1]
    frames, total = [], GAMES + CARD_GAMES
    for count in counts:
        first, *others = [version[count] for version in best]
        for label, other in zip(labels[1:], others, strict=True):
            if any(not source.playable or source.spec.searches for source in (*first, *other)):
                continue
            before, after = (
                [one.run.spec if isinstance(one, FolderSource) else one.spec for one in side] for side in (first, other)
            )
            if before[0].games_per_deal != after[0].games_per_deal:
                continue
            found = what_moved(before, after, level, lambda games: tick("games of what else moved", games, total))
            head = {"version": label, "players": count, "who": who}
            frames.append(found.select(*(pl.lit(value).alias(name) for name, value in head.items()), pl.all()))
    return pl.concat(frames) if frames else pl.DataFrame()


def tuning_notes(retuned: Sequence[Retuned]) -> list[Note]:
    """Return notes on who was tuned for some rules, how often and for how long, and with which result."""
    several: dict[tuple[str, int, str], list[Retuned]] = {}
    for player in retuned:
        several.setdefault((player.old, player.players, str(player.provenance["rules_digest"])), []).append(player)
    found = []
    for some in several.values():
        shares = [player.share for player in some if player.share is not None and not player.unit]
        values: dict[str, Any] = {
            "old": some[0].old,
            "players": some[0].players,
            "par": some[0].par,
            "seeds": len(some),
            "generations": min(player.generations for player in some),
        }
        code = "hardly" if any(player.hardly for player in some) else "well"
        if not any(player.better for player in some):
            code = "nothing" if code == "well" else "hardly_nothing"
        elif len(shares) == len(some):
            code += "_share"
            values |= {"low": min(one for one, _, _ in shares), "high": max(one for one, _, _ in shares)}
        found.append(Note(f"tuned_{code}", values))
    again = sum(player.again for player in retuned)
    return [*found, Note("tuned_again", {"count": again, "of": len(retuned)})] if again else found


def _of_deals(table: pl.DataFrame, inputs: Sequence[Inputs]) -> list[Note]:
    """Return the notes on the deals."""
    notes = []
    if 1 < table["deals"].min() < MIN_DEALS:  # type: ignore[operator]
        notes.append(Note("few_deals", {"deals": min(item.deals for item in inputs), "least": MIN_DEALS}))
    for (who,), rows in table.filter(pl.col("kind") == "seat").group_by("who", maintain_order=True):
        if inputs[0].game == ELSEWHERE:
            notes.append(Note("compare_tables" if rows["paired"].all() else "compare_tables_unpaired"))
        elif not rows["paired"].all():
            notes.append(Note("compare_unpaired", {"who": f"compare_{who}"}))
    return notes
