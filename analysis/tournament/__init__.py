"""Tournaments: every strategy plays with every other, in all seatings, on the same deals."""
