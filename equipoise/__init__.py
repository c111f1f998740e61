"""Equipoise: Monte Carlo balance analysis for tabletop games."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from analysis.check.checking import check
    from analysis.runs import Run, load
    from simcore.batch import Spec, run_chunk
    from simcore.errors import UsageError
    from simcore.replay import replay
    from strategies.custom import policy
    from strategies.spec import make_spec

__all__ = ["Run", "Spec", "UsageError", "check", "load", "make_spec", "policy", "replay", "run_chunk"]

_HOMES = {
    "Run": "analysis.runs",
    "Spec": "simcore.batch",
    "UsageError": "simcore.errors",
    "check": "analysis.check.checking",
    "load": "analysis.runs",
    "make_spec": "strategies.spec",
    "policy": "strategies.custom",
    "replay": "simcore.replay",
    "run_chunk": "simcore.batch",
}


def __getattr__(name: str) -> Any:
    """Import a public name when it is first used, so that `import equipoise` costs nothing."""
    if name not in _HOMES:
        raise AttributeError(f"module 'equipoise' has no attribute '{name}'")
    from importlib import import_module

    return getattr(import_module(_HOMES[name]), name)


def __dir__() -> list[str]:
    return sorted(__all__)
