"""What Fief 2 declares."""

from analysis.games.fief_2.declarations import DECLARATIONS

__all__ = ["DECLARATIONS"]
