"""What Middle-Ages declares, and the analyses that only it has."""

from analysis.games.middle_ages.declarations import DECLARATIONS

__all__ = ["DECLARATIONS"]
