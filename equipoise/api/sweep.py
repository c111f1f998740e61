"""The axes of a sweep, from what a user wrote."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from analysis.sweep import Axis, read_axis
from equipoise.api.arguments import listed
from simcore.errors import UsageError
from simcore.rules.settings import as_settings


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
