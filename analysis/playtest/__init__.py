"""Real playtests: do the results of people's games agree with the simulation, and what could a plan of games show?"""

PLANNED = 2, 5_000
"""The least and the largest number of games of a plan."""
