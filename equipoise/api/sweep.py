"""The axes of a sweep, from what a user wrote, and players who know the rules of its cells."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from analysis.compare import distinct
from analysis.sweep import Cell
from equipoise.api.arguments import listed
from equipoise.retuning import retune_all
from simcore.errors import UsageError
from simcore.rules.files import as_settings
from simcore.rules.levers import Axis, read_axis
from strategies.tuning.retune import TUNINGS, How, Retuned


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
