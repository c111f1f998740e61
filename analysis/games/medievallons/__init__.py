"""What Médiévallons declares."""

from analysis.games.medievallons.declarations import DECLARATIONS

__all__ = ["DECLARATIONS"]
