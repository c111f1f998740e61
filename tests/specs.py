"""Runs for tests, in few words."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping, Sequence
from pathlib import Path

from simcore.homes import home
from simcore.running.batch import Spec
from simcore.toml_tables import write
from strategies import spec


def make_spec(
    players: int = 4,
    strategies: Sequence[str] | Mapping[str, Sequence[str]] = ("random",),
    settings: Sequence[str] = (),
    *,
    game: str = "middle-ages",
    rules: str = "base",
    design: str = "fixed",
    seed: int = 1,
    games: int = 1000,
) -> Spec:
    """Return a run; the names as on the command line."""
    return spec.make_spec(game, players, strategies, rules, settings, seed, design, games)


def settler(folder: Path) -> str:
    """Write a champion of Fief 2 who chooses other villages in the opening of four players, and return its file."""
    champion = home("fief-2").configs / "strategies/champion.toml"
    table = tomllib.loads(champion.read_text(encoding="utf-8")) | {"name": "settler"}
    for key in ("place_large", "place_inward", "place_crowded"):
        table["players"]["4"][key] *= -1
    file = folder / "settler.toml"
    file.write_text(write(table), encoding="utf-8")
    return str(file)
