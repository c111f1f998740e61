"""Play a grid of rule changes, numbers of players and strategies, and compare each cell with a target."""

from analysis.sweep.sweeping import (
    Cell,
    Sweep,
    SweepPlan,
    Target,
    Tick,
    cells_of,
    opening_notes,
    read_experiment,
    read_target,
    sweep,
)

__all__ = [
    "Cell", "Sweep", "SweepPlan", "Target", "Tick", "cells_of", "opening_notes", "read_experiment", "read_target",
    "sweep",
]  # fmt: skip
