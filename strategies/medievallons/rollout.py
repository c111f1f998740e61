"""Médiévallons: the policy `rollout`."""

from __future__ import annotations

from simcore.games.medievallons.search import judge, redraw, resumable, resume
from simcore.games.medievallons.state import STATE
from simcore.jit import kernel, record_at
from simcore.memory import bench_of
from strategies.rollout import search

bench_at = record_at(bench_of(STATE))


@kernel
def rollout(rules, lineup, state, seat):
    """The action whose imagined games come out best."""
    return search(resumable, redraw, resume, judge, bench_at(lineup.bench), rules, lineup, state, seat)
