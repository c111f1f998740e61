"""Play a grid of rule changes, numbers of players and strategies, and compare each cell with a target."""
