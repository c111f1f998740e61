"""What changed since a baseline was measured: rules, strategies, the code that plays, or the random streams."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, Literal

from analysis.check.baseline import Origin
from analysis.check.setup import Setup, rules_digest
from simcore.kernel.streams import STREAM_VERSION
from simcore.rules.files import differences
from simcore.toml_tables import flatten
from strategies.model import Strategy

TEXTS = ("format", "game", "name", "title", "description", "provenance")
"""Keys of a strategy's file that do not affect how it plays."""

Kind = Literal["rules", "strategies", "code", "stream"]


@dataclass(frozen=True)
class Detail:
    """One value that changed; None means that there was, or is, no value."""

    key: str
    old: Any
    new: Any


@dataclass(frozen=True)
class Change:
    """A kind of change, with its details as far as they are known."""

    kind: Kind  # "rules", "strategies", "code" or "stream"
    details: tuple[Detail, ...] = ()  # changed values


def rules_change(old: Setup, new: Setup) -> Change | None:
    """Return the difference between rules; names and titles do not count."""
    found = differences(old.rules, new.rules)
    details = tuple(Detail(key, pair.get("old"), pair.get("new")) for key, pair in found.items())
    return Change("rules", details) if details else None


def strategies_change(old: Setup, new: Setup) -> Change | None:
    """Return the difference between strategies, or between their seats."""
    details = tuple(_strategies(old, new))
    return Change("strategies", details) if details else None


def stream_change(origin: Origin) -> Change | None:
    """Return the difference between versions of the random streams; with another, the same seed deals other games."""
    if origin.stream_version == STREAM_VERSION:
        return None
    return Change("stream", (Detail("stream_version", origin.stream_version, STREAM_VERSION),))


def changes_since(origin: Origin, new: Setup) -> list[Change]:
    """Return the changes that the digests alone show, if the copies of rules and strategies are missing."""
    found = []
    if rules_digest(new.rules.to_toml().encode()) != origin.rules:
        found.append(Change("rules"))
    if new.digests != origin.strategies or list(new.seated) != origin.seated:
        names = [name for name, digest in new.digests.items() if origin.strategies.get(name) != digest]
        found.append(Change("strategies", tuple(Detail(name, "as measured", "another") for name in names)))
    return found


def _strategies(old: Setup, new: Setup) -> Iterator[Detail]:
    if old.seated != new.seated:
        yield Detail("seated", ", ".join(old.seated), ", ".join(new.seated))
    known, now = ({strategy.name: strategy for strategy in setup.strategies} for setup in (old, new))
    for name in [name for name in now if name in known]:
        if known[name].digest != now[name].digest:
            yield from _weights(known[name], now[name])


def _weights(old: Strategy, new: Strategy) -> Iterator[Detail]:
    sides = [_decisive(strategy) for strategy in (old, new)]
    for key in sides[0] | sides[1]:
        before, after = (side.get(key) for side in sides)
        if before != after:
            yield Detail(f"{new.name}.{key}", before, after)


def _decisive(strategy: Strategy) -> dict[str, Any]:
    """Return everything that affects how a strategy plays, without values that are zero or empty."""
    table = {key: value for key, value in strategy.to_dict().items() if key not in TEXTS}
    return {key: value for key, value in flatten(table).items() if value}
