"""The measures of a game, and the deals that they are counted in.

What reports, comparisons, sweeps, mending, baselines and runs to a precision share: `rows` declares each measure once;
`quantities` names the families of numbers that every game yields, and computes them; `requested` adds up measures as
games are played; `sampling` plays deals as the game is and as it was, and adds up what a question asks for.
"""
