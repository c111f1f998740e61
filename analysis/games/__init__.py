"""The declarations of each game for the analyses, and its own analyses, in one folder for each game."""
