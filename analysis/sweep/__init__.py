"""Play a grid of rule changes, numbers of players and strategies, and compare each cell with a target."""

from analysis.sweep.grid import Cell, SweepPlan, Target, cells_of, read_experiment, read_target
from analysis.sweep.sweeping import Sweep, Tick, opening_notes, sweep

__all__ = [
    "Cell", "Sweep", "SweepPlan", "Target", "Tick", "cells_of", "opening_notes", "read_experiment", "read_target",
    "sweep",
]  # fmt: skip
