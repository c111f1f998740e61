"""Run folders: the table of a run, and the manifest that says where it came from."""

from analysis.runs.load import Run, load, load_spec
from analysis.runs.manifest import Manifest

__all__ = ["Manifest", "Run", "load", "load_spec"]
