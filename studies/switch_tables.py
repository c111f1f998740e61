"""Writes the tables of switches in the docs from the models of the games: python -m studies.switch_tables"""

from __future__ import annotations

import json
from pathlib import Path

from simcore.game import load_game
from simcore.rules.files import load_rules
from simcore.rules.levers import RuleKey, rule_keys

DOCS = Path(__file__).resolve().parents[1] / "docs"
TABLES = {
    "middle-ages": ("reference/keys.md", "switches of Middle-Ages:"),
    "medievallons": ("reference/keys.md", "These are the switches of Médiévallons, and"),
    "seigneurial": ("reference/keys.md", "## Values of Seigneurial"),
    "fief-2": ("findings/fief-2.md", "## Rules as data"),
}
"""The page of each game, and the words after which its table is the next one."""
HEAD = "| key | values | meaning |\n|---|---|---|\n"


def table_of(name: str) -> str:
    """Return the table of a game's switches: one row for each, its default first."""
    game = load_game(name)
    found = [one for one in rule_keys(game, load_rules(game)) if one.switch]
    return HEAD + "".join(f"| `{one.key}` | {_values(one)} | {one.meaning} |\n" for one in found)


def _values(one: RuleKey) -> str:
    if one.choices:
        return ", ".join(f"`{choice}`" for choice in one.choices)
    if isinstance(one.value, bool):
        return ", ".join(f"`{json.dumps(value)}`" for value in (one.value, not one.value))
    return f"`{json.dumps(one.value)}`, {one.takes}"


def written(page: str, text: str) -> str:
    """Return the text of a page with its tables as the models have them."""
    for name in (name for name, (home, _) in TABLES.items() if home == page):
        before, words, after = text.partition(TABLES[name][1])
        lead, _, rest = after.partition(HEAD)
        while rest.startswith("|"):
            rest = rest.partition("\n")[2]
        text = before + words + lead + table_of(name) + rest
    return text


if __name__ == "__main__":
    for page in dict.fromkeys(home for home, _ in TABLES.values()):
        (DOCS / page).write_text(written(page, (DOCS / page).read_text(encoding="utf-8")), encoding="utf-8")
