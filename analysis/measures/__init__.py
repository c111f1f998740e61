"""The measures of a game, and the deals that they are counted in.

What comparisons, sweeps, mending and baselines share: `quantities` names the families of numbers that every game
yields, and computes them; `sampling` plays deals as the game is and as it was, and adds up what a question asks for.
"""
