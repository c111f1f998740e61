"""The effects of a change: versions of a game on the same deals, seat by seat, and other measures that moved."""
