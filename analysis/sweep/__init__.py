"""Play a grid of rule changes, numbers of players and strategies, and compare each cell with a target."""

from analysis.sweep.grid import Cell, SweepPlan, cells_of, read_experiment
from analysis.sweep.opened import opening_notes
from analysis.sweep.result import Sweep
from analysis.sweep.sweeping import Tick, sweep
from analysis.sweep.target import Target, read_target

__all__ = [
    "Cell",
    "Sweep",
    "SweepPlan",
    "Target",
    "Tick",
    "cells_of",
    "opening_notes",
    "read_experiment",
    "read_target",
    "sweep",
]
