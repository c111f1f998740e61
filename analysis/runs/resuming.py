"""Continuing a run that ended early: the contents of its folder are checked, and not played again."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from dataclasses import dataclass
from itertools import takewhile
from pathlib import Path
from typing import Any

from analysis.precision.goal import Goal, read_goal, stages
from analysis.runs.integrity import extra_parts
from analysis.runs.load import refuse_code, refuse_origin, spec_of
from analysis.runs.manifest import FILE, SUMMARY, Manifest, PartFile
from analysis.runs.places import Place, place_of
from analysis.runs.summaries import SummaryWriter
from analysis.runs.totals_file import read_totals
from analysis.runs.versions import code_of_game
from analysis.runs.writer import RunWriter, taken
from simcore.errors import Damaged, UsageError
from simcore.running.batch import Spec
from simcore.running.parts import Part, parts
from simcore.running.totals import Also, Totals
from strategies.library import Code


@dataclass(frozen=True)
class Resumed:
    """A run that can be continued."""

    spec: Spec
    manifest: Manifest
    """spec, manifest: What is played, and how far it came."""
    writer: RunWriter  # writes the rest
    todo: tuple[Part, ...]  # parts that are still to be played
    lost: tuple[Part, ...]
    """Parts that were played and counted, but whose files are missing or damaged; they have to be written again."""
    goal: Goal | None  # the precision at which the run ends; None if it ends after a number of games


Sums = Callable[[Spec, Mapping[str, Any]], Also]
"""Function that returns the maker of the totals of a run without rows, and of those that its precision needs."""


def resume(where: Path | Place, sums: Sums, trust: bool = False) -> Resumed:
    """Open a run for going on with it, and keep other processes out of its folder.

    Parameters
    ----------
    where
        What `simulate` wrote, complete or not.
    sums
        Makes the totals, for a run that contains totals instead of rows.
    trust
        Whether Python code that the manifest names may be run.

    Raises
    ------
    UsageError
        If no run is there, another process writes there, or other code began the run.
    """
    place = place_of(where)
    try:
        manifest = place.take_up()
        refuse_origin(manifest, place)
        refuse_code(manifest, place, trust)
        try:
            spec = spec_of(manifest, Code.TRUSTED if trust else Code.SEALED)
        except UsageError as error:
            raise UsageError(f"{place}/{FILE}: {error}") from None
        if manifest.code != code_of_game(manifest.game):
            raise UsageError(
                f"{place}: the run was begun by different code ({_version(manifest)}), which may play "
                "differently; continue with that version, or start again",
                "resume",
            )
        goal = read_goal(manifest.precision) if manifest.precision else None
        if manifest.detail == SUMMARY:
            return _of_totals(place, spec, manifest, goal, sums(spec, goal.asked(spec) if goal else {}))
        return _of_rows(place, spec, manifest, goal)
    except BaseException:
        place.release()
        raise


def _version(manifest: Manifest) -> str:
    return f"Equipoise {manifest.versions.get('equipoise', 'of an unknown version')}"


def _of_totals(place: Place, spec: Spec, manifest: Manifest, goal: Goal | None, also: Also) -> Resumed:
    """Open a run without rows; if its totals are lost, it starts again."""
    planned = _planned(spec, goal)
    totals, number = Totals(spec, also), 0
    with suppress(Damaged, ValueError):
        arrays = read_totals(place, manifest)
        found = Totals.from_dict(spec, manifest.totals or {}, also)
        more: Any = found.more
        more.restore(arrays)
        if found.games == sum(part.games for part in planned[: manifest.parts[0].number]):
            totals, number = found, manifest.parts[0].number
    writer = SummaryWriter.taken_up(place, spec, manifest, totals, number, also)
    return Resumed(spec, manifest, writer, tuple(planned[number:]), (), goal)


def _of_rows(place: Place, spec: Spec, manifest: Manifest, goal: Goal | None) -> Resumed:
    also = goal.also(spec) if goal else None
    planned = {part.number: part for part in _planned(spec, goal)}
    known: dict[int, bool] = {}
    for part, whole in _whole_files(place, manifest):
        if planned.get(part.number) != Part(part.number, part.first, part.games):
            raise Damaged(f"{place}: {part.file} contains the wrong games; start again")
        known[part.number] = whole and known.get(part.number, True)
    try:
        totals = taken(spec, manifest.totals, also)
    except ValueError as error:
        raise Damaged(f"{place}: totals: {error}; the manifest was changed or damaged") from None
    if totals.games != sum(planned[number].games for number in known):
        raise Damaged(f"{place}: the totals do not match the games of the parts; the manifest was changed or damaged")
    return Resumed(
        spec,
        manifest,
        RunWriter.again(place, spec, manifest, totals, also),
        tuple(part for number, part in planned.items() if number not in known),
        tuple(planned[number] for number, whole in known.items() if not whole),
        goal,
    )


def _whole_files(place: Place, manifest: Manifest) -> Iterator[tuple[PartFile, bool]]:
    """Yield every file of the tables that the manifest lists, and whether it is there as it was written."""
    files = [*manifest.parts, *extra_parts(manifest)]
    with ThreadPoolExecutor() as pool:
        yield from zip(files, pool.map(lambda part: place.sha256(part.file) == part.sha256, files), strict=True)


def _planned(spec: Spec, goal: Goal | None) -> Sequence[Part]:
    """Return all parts of a run, up to its present number of games."""
    if goal is None:
        return parts(spec.games, spec.searches, spec.games_per_deal)
    until = takewhile(lambda stage: stage.games <= spec.games, stages(spec, goal))
    return [part for stage in until for part in stage.parts]
