"""Real playtests: do the results of people's games agree with the simulation, and what could a plan of games show?"""
