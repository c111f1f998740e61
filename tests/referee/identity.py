"""What the first line of every log says, whatever the game."""

import re
from collections.abc import Sequence
from typing import Any

from .scroll import Scroll, show

COMMON = ("kind", "format", "game", "rules_digest", "seed", "game_id", "players", "strategies", "options")


def is_count(value: object, least: int = 0) -> bool:
    """Say whether a value is a whole number from `least` on."""
    return type(value) is int and value >= least


def check_identity(scroll: Scroll, record: dict[str, Any], game: str, counts: range, own: Sequence[str]) -> None:
    """Check the fields that all games have, and that there are no others than these and the game's own."""
    fields = [*COMMON, *own]
    for field in [*fields, *(field for field in record if field not in fields)]:
        if field not in record:
            scroll.stop(f"{field} is missing")
        if field not in fields:
            scroll.flag(f"{show(field)} is no field of the game line")
    if record["format"] != "equipoise-replay/1":
        scroll.stop(f"format is {show(record['format'])}, expected 'equipoise-replay/1'")
    if record["game"] != game:
        scroll.stop(f"game is {show(record['game'])}, expected '{game}'")
    digest = record["rules_digest"]
    if type(digest) is not str or not re.fullmatch(r"[0-9a-f]{64}", digest):
        scroll.flag(f"rules_digest is {show(digest)}, expected 64 hexadecimal digits")
    if not is_count(record["seed"]) or record["seed"] >= 1 << 64:
        scroll.flag(f"seed is {show(record['seed'])}, expected a whole number of 64 bits")
    if not is_count(record["game_id"]):
        scroll.flag(f"game_id is {show(record['game_id'])}, expected a whole number from 0")
    players = record["players"]
    if type(players) is not int or players not in counts:
        scroll.stop(f"players is {show(players)}, expected {counts[0]} to {counts[-1]}")
    names = record["strategies"]
    if type(names) is not list or len(names) != players or not all(type(name) is str and name for name in names):
        scroll.stop(f"strategies is {show(names)}, expected {players} names")
