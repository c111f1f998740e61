"""What each game adds to the report, a folder for each game."""
