"""The declarations of Médiévallons."""

from analysis.games.medievallons.declarations import DECLARATIONS

__all__ = ["DECLARATIONS"]
