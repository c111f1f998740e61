"""What each game adds to the report, in a folder for each game."""
