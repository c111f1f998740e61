"""Baselines of a game's balance: measured once, committed, then compared with later ones; docs/check.md explains them.

`quantities` says what can be guarded, `baseline` reads the file, `writing` writes it, `setup` resolves what it plays,
`causes` tells what changed, `sampling` plays deals before and after, `judging` gives verdicts, `checking` and
`updating` put them together.
"""
