"""What Seigneurial declares."""

from analysis.games.seigneurial.declarations import DECLARATIONS

__all__ = ["DECLARATIONS"]
