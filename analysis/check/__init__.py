"""Baselines of a game's balance: measured once, committed, and compared with the game later; see docs/check.md.

`baseline` describes the file, `reading` and `writing` read and write it, `setup` resolves what it plays, `claims` says
what is guarded, `causes` finds what changed, `judging` gives verdicts, and `checking` and `updating` combine them.
"""
