"""Seigneurial: which runs are played again with something changed."""

from __future__ import annotations

from analysis.data.source import Source
from reports.study import Study


def replayable(study: Study) -> list[Source]:
    """Return the run of the strongest players at each number of players, with the focus first.

    Runs of somebody else's code, of different strategies within a role, and of players who look ahead are left out.
    """
    found = [run for run in study.strongest if run.playable and not run.mixed and not run.spec.searches]
    return sorted(found, key=lambda run: (run is not study.focus, run.players))
