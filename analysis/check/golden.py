"""Golden digests: does the game still play a fixed small run as it did when the baseline was measured?"""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from dataclasses import dataclass, field

from analysis.check.baseline import Baseline, Measured
from analysis.check.causes import Change, changes_since, rules_change, strategies_change, stream_change
from analysis.check.setup import Setup, as_measured
from analysis.data.threads import usual_threads
from simcore.running.executors import execute


@dataclass
class Golden:
    """The present digests, compared with the stored ones."""

    old: Setup | None
    changes: list[Change] = field(default_factory=list)
    unmoved: list[Change] = field(default_factory=list)
    digests: dict[int, str] = field(default_factory=dict)
    paired: bool = False


def golden_digest(setup: Setup, players: int, seed: int, games: int) -> str:
    """Return the digest of a fixed small run."""
    return execute(setup.spec(players, seed, games), usual_threads()).digest


def compare_golden(baseline: Baseline, measured: Measured, setup: Setup) -> Golden:
    """Compare the golden digests, and find what changed."""
    origin = measured.origin
    found = Golden(as_measured(baseline))
    for players in baseline.choices.players:
        found.digests[players] = golden_digest(setup, players, origin.seed, origin.golden_games)
    same = all(digest == measured.tables[players].golden for players, digest in found.digests.items())
    old = found.old
    if old is None:
        changes = changes_since(origin, setup)
    else:
        changes = [change for change in (rules_change(old, setup), strategies_change(old, setup)) if change]
    if stream := stream_change(origin):
        found.changes = [stream, *changes]
        return found
    if same:
        found.unmoved, found.paired = changes, bool(changes) and old is not None
        return found
    found.changes = changes
    if changes and old is not None:
        found.paired = all(
            golden_digest(old, players, origin.seed, origin.golden_games) == measured.tables[players].golden
            for players in found.digests
        )
    if not changes or (old is not None and not found.paired):
        found.changes = [*changes, Change("code")]
    return found


def fresh_seed(measured: Measured, digests: Mapping[int, str]) -> int:
    """Return a seed derived from what was measured and from how the game plays now."""
    parts = [table.golden for table in measured.tables.values()] + list(digests.values())
    return int.from_bytes(hashlib.sha256("\n".join(parts).encode()).digest()[:8], "big")
