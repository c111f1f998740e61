"""Baselines of a game's balance: measured once, committed, and compared with the game later; see docs/check.md.

`baseline` describes the file, and reads and writes it; `claims` says what is guarded, and judges it; `checking` finds
what changed, and measures; `results` does so for tables of results.
"""
