"""Analyses of runs.  Each is a function that returns a frozen result; `analysis.api` has all of them by name."""
