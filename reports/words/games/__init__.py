"""What the keys of each game's tables are called, a module a game with `NAMES` by language; a game can do without."""
