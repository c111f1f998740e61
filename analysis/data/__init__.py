"""Games in: where they come from, how they are counted, what a game declares, and what every analysis returns."""
