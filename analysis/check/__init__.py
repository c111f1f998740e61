"""Baselines of a game's balance: measured once, committed, and compared with the game later; see docs/check.md.

`quantities` defines what can be guarded, `baseline` describes the file, `reading` and `writing` read and write it,
`setup` resolves what it plays, `causes` finds what changed, `sampling` plays deals before and after, `judging` gives
verdicts, and `checking` and `updating` combine them.
"""
