"""What Médiévallons declares."""

from analysis.games.medievallons.declarations import MEANING

__all__ = ["MEANING"]
