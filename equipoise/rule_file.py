"""A rule file with a change that was found, for the user to play with and to change further."""

from __future__ import annotations

from typing import Any

from simcore.rules.files import FORMAT, Rules, differences, shipped_files
from simcore.toml_tables import write


def rule_file(before: Rules, after: Rules, rank: int, change: str) -> str:
    """Return a rule file: changes to shipped rules, or complete rules if the old rules are not shipped."""
    name, title = f"mended-{rank}", f"{before.title[:40]}, mended"
    if before.settings or before.name not in shipped_files(before.game_name):
        whole = after.values.model_copy(update={"name": name, "title": title})
        return Rules(after.game_name, whole).to_toml()
    table: dict[str, Any] = {"extends": before.name, "format": FORMAT, "name": name, "title": title}
    for key, pair in differences(before, after).items():
        here = table
        *above, last = key.split(".")
        for part in above:
            here = here.setdefault(part, {})
        here[last] = pair["new"]
    return f"# {change}\n\n{write(table)}"
