"""How a run is sent to another process: as plain data, from which that process builds the run again.

Kernels and the addresses of policies are valid in one process only.  A pickled run therefore consists of the tables of
its rules and strategies, as in a manifest, and the bytes of its line-up without any address.  Importing this
module is enough to make that work.
"""

from __future__ import annotations

import copyreg
import json
from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import Any

import numpy as np

from simcore.atomic import one_at_a_time
from simcore.errors import UsageError
from simcore.game import load_game
from simcore.kernel.cache import cache_folder
from simcore.kernel.records import addresses, one
from simcore.rules.files import Rules
from simcore.running.batch import Spec
from strategies.library import strategy_from_dict
from strategies.spec import assemble_spec
from strategies.watching import has_own_policy


@dataclass(frozen=True)
class Outline:
    """What a run is built from, except for the numbers of its line-up."""

    game: str
    players: int
    design: str
    """game, players, design: See `simcore.running.batch.Spec`."""
    rules: str
    strategies: str
    """rules, strategies: Tables as JSON; strategies are called player_0, player_1, ..., as a table may have names that
    a file may not have."""
    settings: tuple[str, ...]  # what was changed on top of the rules


def outline_of(spec: Spec) -> Outline:
    """Return what a run is built from."""
    return Outline(
        spec.game.name,
        spec.players,
        spec.design,
        json.dumps(spec.rules.to_dict()),
        json.dumps([{**table, "name": f"player_{number}"} for number, table in enumerate(spec.strategy_tables)]),
        spec.rules.settings,
    )


@lru_cache(maxsize=64)
def built(outline: Outline) -> Spec:
    """Build a run, once for each process; what has to be compiled is compiled once for each machine."""
    game = load_game(outline.game)
    rules = Rules.from_dict(game, json.loads(outline.rules), outline.settings)
    strategies = [strategy_from_dict(game, table) for table in json.loads(outline.strategies)]
    with one_at_a_time(cache_folder() / ".compiling"):
        return assemble_spec(game, outline.players, strategies, rules, 0, outline.design, 1)


def unpacked(outline: Outline, lineup: bytes, changed: dict[str, Any]) -> Spec:
    """Return an unpickled run: `packed` made the arguments."""
    base = built(outline)
    record = np.frombuffer(lineup, base.lineup_record.dtype).copy()
    here = addresses(one(base.lineup_record))
    for name, view in addresses(record).items():
        view[...] = here[name]
    named = zip(base.strategy_tables, changed["strategies"], strict=True)
    tables = tuple({**table, "name": name} for table, name in named)
    return replace(base, lineup_record=record[0], strategy_tables=tables, **changed)


def packed(spec: Spec) -> tuple[Callable[..., Spec], tuple[Any, ...]]:
    """Return how a run is pickled.

    Raises UsageError if the run cannot be rebuilt from data alone.
    """
    if has_own_policy(spec):
        raise UsageError(
            "a strategy is Python code, and other machines play only what is data; leave out the cluster", "cluster"
        )
    outline = outline_of(spec)
    base = built(outline)
    record, here = one(spec.lineup_record), addresses(one(base.lineup_record))
    alike = True
    for name, view in addresses(record).items():
        alike &= bool((view == here[name]).all())
        view[...] = 0
    if not alike or base.rules_record != spec.rules_record:
        raise UsageError("watched policies play on this machine only; leave out the cluster", "cluster")
    changed = {
        "strategies": spec.strategies,
        "seed": spec.seed,
        "games": spec.games,
        "references": spec.references,
        "rules_reference": spec.rules_reference,
    }
    return unpacked, (outline, record.tobytes(), changed)


copyreg.pickle(Spec, packed)
