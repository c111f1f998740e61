"""What only one game has stands in that game's own rooms: shared code and shared words do not name it."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[1]
OWN = re.compile(
    r"\b(domains?|event_impact|scouts?|tiles?|tokens?|draft|picks|holdings|penalty|reservations?|guilds?|jesters?"
    r"|domaines?|évènements?|éclaireurs?|tuiles?|jetons?|guildes?|middle.?ages|m[ée]di[ée]vallons)\b",
    re.IGNORECASE,
)
NOT_WORDS = re.compile(r"np\.tile\(|addEventListener|def draft\(")
"""A function of NumPy, one of browsers, and the draft of a baseline."""


def named(path: Path) -> set[str]:
    text = NOT_WORDS.sub("", path.read_text(encoding="utf-8"))
    return {found.lower() for found in OWN.findall(text)}


@pytest.mark.parametrize("room", ["analysis", "reports"])
def test_shared_rooms_name_nothing_that_only_one_game_has(room: str) -> None:
    found = {}
    for path in sorted((ROOT / room).rglob("*")):
        name = path.relative_to(ROOT)
        if "games" in name.parts or path.suffix not in (".py", ".toml", ".html", ".js", ".css"):
            continue
        if words := named(path):
            found[str(name)] = words
    assert found == {}


def test_the_search_finds_what_stands_in_a_game_s_own_room() -> None:
    assert {"domains", "tiles", "tokens"} <= named(ROOT / "reports/games/middle_ages/domains.py")
