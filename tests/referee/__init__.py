"""Independent referees: each follows a replay log with nothing but the rulebook, the rulings and the log format."""
