"""Changes of the rules in the game's own words, such as "17, 25 and 34 coins for seats 2, 3 and 4".

A game names the keys of its rules among its words: `"rule.KEY"`, where one part of the key may be `*`, and `{entry}` in
the title stands for that part.  A title without `{entry}` of a list is what each seat has, such as "coins".
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import groupby
from types import MappingProxyType
from typing import TYPE_CHECKING, Any

from analysis.data.edits import Edit, Edits

if TYPE_CHECKING:
    from reports.words import Words

MOST = 6
"""Largest number of values that are told one by one."""

_TRUTH = {"True": True, "true": True, "False": False, "false": False}


def told(words: Words, edits: Edits) -> str:
    """Return a change of the rules in words."""
    changes = []
    for players, group in groupby(sorted(edits, key=lambda one: one.players or 0), key=lambda one: one.players):
        text = words.joined(list(_told(words, list(group))))
        changes.append(words("edit.players", players=players, change=text) if players else text)
    return "; ".join(changes) or words("sweep.as_is")


def settings_told(words: Words, settings: Sequence[str], before: Mapping[str, Any] = MappingProxyType({})) -> str:
    """Return settings such as `effects.mill_coins=3` in words; of a list, what differs from the rules before."""
    pairs = (setting.partition("=") for setting in settings)
    return told(words, Edits(Edit(key, before.get(key) if _entries(value) else None, value) for key, _, value in pairs))


def title(words: Words, key: str) -> str:
    """Return the game's name for a key of its rules, or the key in plain words."""
    if named := _template(words, key):
        return named
    parts = key.split(".")
    above, _, last = key.rpartition(".")
    if (named := words.known(f"rule.{above}")) and last.isdigit():
        return words("edit.of_seat", title=named, seat=int(last))
    return words.known(f"rule.{key}") or ": ".join(words.name(part) for part in parts)


def _template(words: Words, key: str) -> str | None:
    """Return the game's name for keys of which one part may be anything; None if it names none such."""
    parts = key.split(".")
    for at, part in enumerate(parts):
        if named := words.known(f"rule.{'.'.join([*parts[:at], '*', *parts[at + 1 :]])}"):
            return named.format(entry=words.name(part))
    return None


def _told(words: Words, edits: Sequence[Edit]) -> Iterator[str]:
    """Yield a text for each value, or for all entries of a list by seat."""
    by_list: dict[str, list[Edit]] = {}
    for edit in (entry for given in edits for entry in _by_entry(words, given)):
        above, _, last = edit.key.rpartition(".")
        by_list.setdefault(above if last.isdigit() and words.known(f"rule.{above}") else edit.key, []).append(edit)
    shown = list(by_list.items())[:MOST]
    for key, some in shown:
        if some[0].key == key:
            yield _one(words, some[0])
        else:
            seats, values = ([part(one) for one in some] for part in (_seat, lambda one: str(one.new)))
            form = "edit.seats" if len(some) > 1 else "edit.seat"
            noun = words.known(f"rule.{key}.one") if values == ["1"] else None
            yield words(
                form, values=words.joined(values), title=noun or words.name(f"rule.{key}"), seats=words.joined(seats)
            )
    if len(by_list) > len(shown):
        yield words("edit.more", count=len(by_list) - len(shown))


def _by_entry(words: Words, edit: Edit) -> Iterator[Edit]:
    """Yield a change for each entry that differs in a list whose entries have names; any other change as it is."""
    new, old = _entries(edit.new), _entries(edit.old)
    pairs = enumerate(zip(old if len(old) == len(new) else [None] * len(new), new, strict=True), 1)
    entries = [Edit(f"{edit.key}.{number}", was, now, edit.players) for number, (was, now) in pairs if was != now]
    named = words.known(f"rule.{edit.key}") or all(_template(words, entry.key) for entry in entries)
    yield from entries if entries and named else [edit]


def _entries(value: Any) -> list[str]:
    """Return the entries of a list, or of its text."""
    text = str(value)
    return [entry.strip() for entry in text[1:-1].split(",")] if text.startswith(("[", "(")) else []


def _seat(edit: Edit) -> str:
    return edit.key.rpartition(".")[2]


def _one(words: Words, edit: Edit) -> str:
    """Return the text of a single value; a switch is on or off, and titles are plurals, which do not suit a 1."""
    name, truth = title(words, edit.key), _TRUTH.get(str(edit.new))
    if truth is not None:
        return words("edit.with" if truth else "edit.without", title=name)
    values = {"title": name, "new": words.name(str(edit.new)), "old": words.name(str(edit.old))}
    form = "number" if str(edit.new).lstrip("-").isdigit() and str(edit.new) != "1" else "value"
    return words(f"edit.{form}{'_new' if edit.old in (None, 'None') else ''}", **values)
