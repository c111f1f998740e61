"""Games as plain Python classes: the class, its random streams, the loop that plays it, and the processes."""
