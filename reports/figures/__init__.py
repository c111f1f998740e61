"""Figures, one frozen dataclass each."""

from reports.figures.seats import SeatAdvantage

__all__ = ["SeatAdvantage"]
