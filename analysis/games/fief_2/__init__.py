"""The declarations of Fief 2."""

from analysis.games.fief_2.declarations import DECLARATIONS

__all__ = ["DECLARATIONS"]
