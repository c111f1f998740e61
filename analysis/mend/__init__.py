"""Find the smallest change of the rules that mends a game, with players who are tuned for the change."""
