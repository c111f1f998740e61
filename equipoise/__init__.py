"""Equipoise: Monte Carlo balance analysis for tabletop games.

The command line plays, reports and checks; from Python,

    import equipoise as eq

    run = eq.load("runs/first")                        # a folder that `simulate` left
    run.polars(), run.pandas(["seat", "coins"])        # its table, one row a game and seat
    print(eq.replay(run.spec, 12).text())              # one of its games again
    eq.run_chunk(eq.make_spec("middle-ages", 4, "greedy", games=1e3), 0, 1000)    # rows of games on the spot
    eq.check("configs/middle-ages/baselines/default.toml").verdict

`eq.policy` marks a function of yours as a strategy.  What cannot be used raises `eq.UsageError`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from analysis.check.checking import check
    from analysis.runs import Run, load
    from simcore.errors import UsageError
    from simcore.running.batch import Spec, run_chunk
    from simcore.running.replay import replay
    from strategies.custom import policy
    from strategies.spec import make_spec

    __version__: str

__all__ = ["Run", "Spec", "UsageError", "check", "load", "make_spec", "policy", "replay", "run_chunk"]

_HOMES = {
    "Run": "analysis.runs",
    "Spec": "simcore.running.batch",
    "UsageError": "simcore.errors",
    "check": "analysis.check.checking",
    "load": "analysis.runs",
    "make_spec": "strategies.spec",
    "policy": "strategies.custom",
    "replay": "simcore.running.replay",
    "run_chunk": "simcore.running.batch",
}


def __getattr__(name: str) -> Any:
    """Import a public name when it is first used, so that `import equipoise` stays fast."""
    if name == "__version__":
        from importlib.metadata import version

        return version("equipoise")
    if name not in _HOMES:
        raise AttributeError(f"module 'equipoise' has no attribute '{name}'")
    from importlib import import_module

    return getattr(import_module(_HOMES[name]), name)


def __dir__() -> list[str]:
    return sorted([*__all__, "__version__"])
