"""Find the smallest change of the rules that mends a game, with players who are tuned for the change."""

from analysis.mend.mending import mend
from analysis.mend.result import Mend
from analysis.mend.search import Effort

__all__ = ["Effort", "Mend", "mend"]
