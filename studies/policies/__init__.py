"""What a policy of a user's own may call, game by game: docs/reference/policies.md, made from the functions' own texts.

`python -m studies.policies` writes the page.
"""
