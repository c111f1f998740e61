"""Analyses of runs: each is one function that returns one frozen result; all of them by name in `analysis.api`."""
