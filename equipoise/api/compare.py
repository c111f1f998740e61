"""Versions of the rules, for `compare`, `sweep` and `mend`: which are runs, and the playing of the others."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import typer

from analysis.compare.comparing import Version, compare_versions, distinct, needs_tuning, sized
from analysis.compare.result import Comparison
from analysis.data.results import Verdict
from analysis.precision import lasting
from analysis.runs import Run
from analysis.sweep.sweeping import Cell
from equipoise.output.progress import Stages, keeping
from equipoise.questions.asked import Asked, listed
from equipoise.retuning import announce, retune_all, say_by_habit
from reports.words import ENGLISH
from simcore.errors import UsageError
from simcore.homes import shipped_rules
from simcore.rules.files import FORMAT, Rules, as_settings, differences
from simcore.rules.levers import Axis, read_axis
from simcore.running.batch import Spec
from simcore.toml_tables import write
from strategies.tuning.retune import TUNINGS, How, Retuned


def game_of_run(versions: Iterable[Any]) -> str | None:
    """Return the game of the first run among some versions; None if there is no run."""
    from analysis.runs.manifest import Manifest

    for one in versions:
        if isinstance(one, Run):
            return one.manifest.game
        if not isinstance(one, Rules) and Path(one).is_dir():
            return Manifest.read(Path(one)).game
    return None


def play_versions(versions: Sequence[Version], how: How | None, it: Asked) -> Comparison:
    """Tune if necessary, play and judge, with a progress bar for each stage."""
    quiet = it.progress is not True
    first = next(iter(versions[0].specs.values()))

    def say(answer: Verdict) -> None:
        if not quiet:
            stages.close()
            say_by_habit(first, [answer])

    def tune(specs: Sequence[Spec], number: int) -> tuple[Sequence[Spec], tuple[Retuned, ...]]:
        assert how is not None
        if not (quiet or number):
            announce(specs, [replace(how, number=one) for one in range(TUNINGS)], "--habit answers without it.")
        return retune_all(specs, replace(how, number=number), quiet)

    if how is not None and not quiet and needs_tuning(versions):
        typer.echo(ENGLISH.note(sized(versions, it.level)), err=True)
    with keeping(), Stages(it.progress) as stages:
        return compare_versions(versions, None if how is None else tune, it.level, it.threads, stages, say)


# --- The axes of a sweep, from what a user wrote, and players who know the rules of its cells ---


def axes_of(settings: Mapping[str, str | Sequence[Any]] | Sequence[str] | None) -> list[Axis]:
    """Return the axes that a user wrote as texts, or as a mapping from keys to values."""
    if not isinstance(settings, Mapping):
        return [read_axis(text) for text in listed(settings)]
    axes = []
    for key, values in settings.items():
        if isinstance(values, str):
            axes.append(read_axis(f"{key}={values}"))
            continue
        texts = [setting.partition("=")[2] for value in values for setting in as_settings({key: value})]
        if not texts:
            raise UsageError(f"{key}: the list of values is empty", "settings")
        axes.append(Axis(key, tuple(texts)))
    return axes


def tunings(how: How) -> list[How]:
    """Return how players are tuned each time, so that their differences show."""
    return [replace(how, number=number) for number in range(TUNINGS)]


def taught(cells: Sequence[Cell], how: How, quiet: bool) -> tuple[list[Cell], tuple[Retuned, ...]]:
    """Return cells that are played by players who were tuned for their rules several times, and these players."""
    specs = [cell.spec for cell in cells]
    found, players = zip(*(retune_all(specs, one, quiet) for one in tunings(how)), strict=True)
    known = []
    for cell, *several in zip(cells, *found, strict=True):
        first, *others = distinct(several)
        known.append(replace(cell, spec=first, others=tuple(others)))
    return known, tuple(player for some in players for player in some)


# --- What `mend` says before and while players are tuned ---


@dataclass
class Tuning:
    """The tuning of players in a search for a mended game."""

    spec: Spec  # the game as it is
    how: How  # budget and threads of each tuning
    stages: Stages  # the bars of progress, which are closed before something is said
    quiet: bool  # whether to say nothing

    def agree(self, allow: Callable[[float], None], seconds: float, tuning: float, asking: float) -> None:
        """Say how long tuning and players who look ahead take, and ask `allow` whether the search may take so long."""
        allow(seconds + asking)
        parts = {"Players are tuned for each change": tuning, "Players who look ahead judge the best": asking}
        said = [f"{what}: at most {lasting(long)}." for what, long in parts.items() if long]
        if said and not self.quiet:
            self.stages.close()
            typer.echo(" ".join([*said, "--habit answers without it."]), err=True)

    def say(self, answer: Verdict) -> None:
        """Say the answer by habit."""
        if not self.quiet:
            self.stages.close()
            say_by_habit(self.spec, [answer])

    def tune(self, specs: Sequence[Spec], number: int) -> tuple[Sequence[Spec], tuple[Retuned, ...]]:
        """Return runs with players who are tuned for their rules, and these players."""
        self.stages.close()
        return retune_all(specs, replace(self.how, number=number), self.quiet)


# --- A rule file with a change that was found, for the user to play with and to change further ---


def rule_file(before: Rules, after: Rules, rank: int, change: str) -> str:
    """Return a rule file: changes to shipped rules, or complete rules if the old rules are not shipped."""
    from reports.pages.compare import in_rulebook

    name, title = f"mended-{rank}", f"{before.title[:40]}, mended"
    head = "".join(f"# {line}\n" for line in (change, *in_rulebook(before, after))) + "\n"
    if before.settings or before.name not in shipped_rules(before.game_name):
        whole = after.values.model_copy(update={"name": name, "title": title})
        return head + Rules(after.game_name, whole).to_toml()
    table: dict[str, Any] = {"extends": before.name, "format": FORMAT, "name": name, "title": title}
    for key, pair in differences(before, after).items():
        here = table
        *above, last = key.split(".")
        for part in above:
            here = here.setdefault(part, {})
        here[last] = pair["new"]
    return head + write(table)
