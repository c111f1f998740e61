"""What each game declares to the analyses, and the analyses that only it has; a folder for each game."""
