"""The data of analyses: sources of games, accumulators, declarations of games, and results."""
