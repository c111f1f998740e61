"""Figures, one frozen dataclass each."""
