"""Run folders: the table of a run, and the manifest that describes how it was made."""

from analysis.runs.load import Run, load, load_spec
from analysis.runs.manifest import Manifest

__all__ = ["Manifest", "Run", "load", "load_spec"]
