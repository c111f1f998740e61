"""How games unfold and end."""
