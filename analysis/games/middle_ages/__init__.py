"""The declarations of Middle-Ages, and its own analyses."""

from analysis.games.middle_ages.declarations import DECLARATIONS

__all__ = ["DECLARATIONS"]
