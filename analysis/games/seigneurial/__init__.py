"""The declarations of Seigneurial."""

from analysis.games.seigneurial.declarations import DECLARATIONS

__all__ = ["DECLARATIONS"]
