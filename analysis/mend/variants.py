"""The rule sets that come with a game, judged beside the changes that a search finds."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from analysis.data.edits import Edit, Edits
from simcore.errors import UsageError
from simcore.rules.files import Rules, differences, load_rules, shipped_rules
from simcore.rules.levers import Lever
from simcore.running.batch import Spec

WHOLE = 2.0
"""Size of a changed value that is not free: it counts as moved over its whole range."""


@dataclass(frozen=True)
class Variant:
    """A rule set of the game."""

    edits: Edits  # what it changes
    size: float  # how large a change it is; see `simcore.rules.levers.size_of`


def variants_of(specs: Sequence[Spec], levers: Sequence[Lever]) -> dict[str, Variant]:
    """Return the rule sets of the game that can be played and differ from the present rules, by name."""
    first, most = specs[0], max(spec.players for spec in specs)
    known = {lever.key: lever for lever in levers}
    found = {}
    for name in shipped_rules(first.game):
        try:
            rules = load_rules(first.game, name)
            for spec in specs:
                first.game.pack(rules.values, spec.players)
        except UsageError:
            continue
        edits = Edits(_edits(first, rules, most))
        if edits:
            found[name] = Variant(edits, sum(_size(known.get(edit.key), edit) for edit in edits))
    return found


def _edits(spec: Spec, after: Rules, players: int) -> Iterator[Edit]:
    """Yield what differs; of a list by seat, only the seats in play."""
    for key, pair in differences(spec.rules, after).items():
        old, new = pair.get("old"), pair.get("new")
        if isinstance(old, list) and isinstance(new, list) and len(old) == len(new):
            seats = players if len(old) == spec.game.players[-1] else len(old)
            for number, (one, other) in enumerate(zip(old[:seats], new[:seats], strict=True), 1):
                if one != other:
                    yield Edit(f"{key}.{number}", one, other)
        elif not (key.rpartition(".")[2] == "assumed" or _told(pair)):
            yield Edit(key, old, new)


def _told(pair: Mapping[str, Any]) -> bool:
    """Return whether a difference is a table, whose values are told one by one."""
    return any(isinstance(value, dict) for value in pair.values())


def _size(lever: Lever | None, edit: Edit) -> float:
    if lever is None or not lever.width:
        return WHOLE
    return 1 + abs(float(edit.new) - lever.value) / lever.step / lever.width
