"""Results that are stored between processes: arrays under a digest of everything that affects them."""

from __future__ import annotations

import hashlib
import io
import json
from collections.abc import Mapping, Sequence
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from analysis.measures.rows import ADDED
from simcore.homes import home
from simcore.kernel.cache import Store, cache_folder
from simcore.running.batch import Spec

PLAYED = Store("played", ".npz")


def digest_of(spec: Spec | Sequence[Spec], *more: object) -> str:
    """Return the digest of everything that affects a result: rules, players, deals, the code, and the question."""
    specs = [spec] if isinstance(spec, Spec) else list(spec)
    place = home(specs[0].game.name)
    decisive = {
        "specs": [
            {
                "game": one.game.name,
                "players": one.players,
                "rules": one.rules.digest,
                "measures": [one.rules.values.measures, {name: added.text for name, added in ADDED.items()}],
                "strategies": one.strategy_tables,
                "seed": one.seed,
                "design": one.design,
                "games": one.games,
                **({"payoff": (one.judged.unit, one.judged.least, one.judged.parts)} if one.judged.is_payoff else {}),
            }
            for one in specs
        ],
        "code": [cache_folder().name, cache_folder(place.package).name, place.source, _analyses()],
        "more": [str(item) for item in more],
    }
    return hashlib.sha256(json.dumps(decisive, sort_keys=True, default=str).encode()).hexdigest()


@cache
def _analyses() -> str:
    """Return the digest of the code of the analyses."""
    digest = hashlib.sha256()
    for source in sorted(Path(__file__).resolve().parents[1].rglob("*.py")):
        digest.update(source.read_bytes())
    return digest.hexdigest()


def recall(digest: str) -> dict[str, NDArray[Any]] | None:
    """Return the arrays stored under a digest; None if there are none, or they are damaged."""
    data = PLAYED.recall(digest)
    if data is None:
        return None
    with np.load(io.BytesIO(data), allow_pickle=False) as file:
        return dict(file)


def keep(digest: str, arrays: Mapping[str, NDArray[Any]]) -> None:
    """Store arrays under a digest, if the disk allows it."""
    buffer = io.BytesIO()
    np.savez_compressed(buffer, allow_pickle=False, **dict(arrays))
    PLAYED.keep(digest, buffer.getvalue())


def recall_plain(digest: str) -> Any:
    """Return the plain values stored under a digest; None if there are none, or they are damaged."""
    arrays = recall(digest)
    return None if arrays is None else json.loads(str(arrays["plain"]))


def keep_plain(digest: str, values: Any) -> None:
    """Store plain values, such as those of JSON, under a digest."""
    keep(digest, {"plain": np.array(json.dumps(values))})
