"""Rules as data: shipped and user-written TOML files, the files they extend, and the changes of a single run."""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from html import escape
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Literal, get_args, get_origin

import numpy as np
from pydantic import AfterValidator, Field, ValidationError

from simcore.errors import UsageError, printable
from simcore.homes import ELSEWHERE
from simcore.kernel.records import layout
from simcore.rules.chain import chain_of, shipped_files
from simcore.rules.settings import Settings, as_settings, change
from simcore.toml_tables import KeyPath, Table, explain, flatten, merge, paths, shown, write

if TYPE_CHECKING:
    from simcore.game import Game

FORMAT = "equipoise-rules/1"
MAX_TEXT = 80


def switch(meaning: str) -> Any:
    """Mark a key that chooses between two readings of a rulebook, or that a ruling calls a switch.

    Parameters
    ----------
    meaning
        What the key decides, as the part of a sentence; `equipoise rules keys` and the docs show it.

    Returns
    -------
    FieldInfo
        What pydantic takes beside the type of the key.

    Examples
    --------
    >>> from typing import Annotated, Literal
    >>> score = Annotated[Literal["sum", "last"], switch("whether all scorings count, or only the last one")]
    """
    return Field(description=meaning, json_schema_extra={"switch": True})


def _printable(text: str) -> str:
    if not text or len(text) > MAX_TEXT or not text.isprintable() or printable(text) != text:
        raise ValueError(f"must be 1 to {MAX_TEXT} printable characters")
    return text


Text = Annotated[str, AfterValidator(_printable)]
NAME = re.compile(r"[a-z][a-z0-9_]{0,39}")
"""Names that are used in tables, file names and command lines."""

Identifier = Annotated[str, Field(pattern=f"^{NAME.pattern}$")]
"""Key of an item that a designer may add."""


class RuleSet(Table):
    """The rules that all games have in common; a game's model adds its own tables."""

    format: Literal["equipoise-rules/1"]
    game: str
    name: Text
    title: Text


_GENERAL = frozenset(RuleSet.model_fields)


def numbers_of(model: type[RuleSet]) -> np.dtype[Any]:
    """Return the record of rules that are plain numbers and switches: the number of players, and a field for each.

    Parameters
    ----------
    model
        The game's model.  The record has its whole numbers, its keys that are true or false, its choices between texts
        (0 is the first one), and its lists of a fixed number of these; everything else is left out.

    Returns
    -------
    numpy.dtype
        The type for `Game.rules_dtype`; `simcore.kernel.records.pack_numbers` fills it.
    """
    sizes = {name: _size(found.annotation) for name, found in model.model_fields.items() if name not in _GENERAL}
    return layout(("players", np.int32), *((name, np.int32, *size) for name, size in sizes.items() if size is not None))


def _size(kind: Any) -> tuple[int, ...] | None:
    """Return the shape of a value that is made of numbers; None for other values."""
    if get_origin(kind) is Annotated:
        return _size(kind.__origin__)
    if kind in (int, bool) or (get_origin(kind) is Literal and all(isinstance(one, str) for one in get_args(kind))):
        return ()
    items = get_args(kind) if get_origin(kind) is tuple else ()
    return (len(items),) if items and all(_size(item) == () for item in items) else None


@dataclass(frozen=True)
class Rules:
    """Resolved rules of a game."""

    game_name: str  # registry name of the game
    values: RuleSet  # the complete values, an instance of the game's model
    settings: tuple[str, ...] = ()  # changes made in addition to the files, as "key=value"

    @classmethod
    def from_dict(cls, game: Game, table: Mapping[str, Any], settings: Sequence[str] = ()) -> Rules:
        """Rebuild rules from the result of `to_dict`, for example from a run's manifest.

        Raises UsageError if the table is not a complete set of rules.
        """
        return cls(game.name, _validate(game, table, {}, "rules"), tuple(settings))

    def __repr__(self) -> str:
        changed = f" with {', '.join(self.settings)}" if self.settings else ""
        return f"<Rules '{self.name}' of {self.game_name}{changed}: {self.title}; see to_toml() and flat()>"

    def _repr_html_(self) -> str:
        return f"<p>{escape(repr(self)[1:-1])}</p><pre>{escape(self.to_toml())}</pre>"

    @property
    def name(self) -> str:
        """The name of the rule set, without the changes in `settings`."""
        return self.values.name

    @property
    def title(self) -> str:
        """The title of the rule set."""
        return self.values.title

    @cached_property
    def digest(self) -> str:
        """The SHA-256 of the rules as canonical JSON (sorted keys, no spaces, UTF-8), in hexadecimal."""
        text = json.dumps(self.to_dict(), sort_keys=True, separators=(",", ":"), ensure_ascii=False)
        return hashlib.sha256(text.encode()).hexdigest()

    @property
    def switches(self) -> dict[str, Any]:
        """Every switch and its value."""
        table = self.to_dict()
        return {key: table[key] for key, field in type(self.values).model_fields.items() if is_switch(field)}

    @property
    def assumed(self) -> list[str]:
        """The tables marked `assumed = true`: data that the rulebook shows only in pictures."""
        return [key.rpartition(".")[0] for key, value in self.flat().items() if key.endswith(".assumed") and value]

    def to_dict(self) -> dict[str, Any]:
        """Return the complete rules as plain tables."""
        return self.values.model_dump(mode="json")

    def flat(self) -> dict[str, Any]:
        """Return every dotted key and its value."""
        return flatten(self.to_dict())

    def to_toml(self) -> str:
        """Return a rule file that extends no other; keys with their neutral default are left out."""
        return write(self.values.model_dump(mode="json", exclude_defaults=True))


def is_switch(field: Any) -> bool:
    """Return whether a field of a model is marked as a switch."""
    return bool(isinstance(field.json_schema_extra, dict) and field.json_schema_extra.get("switch"))


def differences(old: Rules, new: Rules) -> dict[str, dict[str, Any]]:
    """Return the dotted keys whose values differ, each with `old` and `new` (if the key exists on that side).

    Names and titles of rule sets are not rules and do not count.

    References
    ----------
    * docs/rules.md

    Examples
    --------
    >>> import equipoise as eq
    >>> gentle = eq.rules(settings={"effects.mill_coins": 3})
    >>> eq.differences(eq.rules(), gentle)
    {'effects.mill_coins': {'old': 2, 'new': 3}}
    """
    sides = {"old": old.flat(), "new": new.flat()}
    keys = [key for key in sides["old"] | sides["new"] if key not in RuleSet.model_fields]
    pairs = {key: {side: flat[key] for side, flat in sides.items() if key in flat} for key in keys}
    return {key: pair for key, pair in pairs.items() if len(pair) == 1 or pair["old"] != pair["new"]}


def shipped_rules(game: Game) -> list[str]:
    """Return the names of the rule sets that come with a game, "base" first."""
    return list(shipped_files(game.name))


def load_rules(game: Game, reference: str | Path | Rules = "base", settings: Settings = None) -> Rules:
    """Resolve a rule set.

    game: The game.
    reference: The name of a shipped rule set, the path of a TOML file, or resolved rules.
    settings: Further changes: "dotted.key=value", several of these, or a mapping such as `{"shortfall": "debt"}`.
    Returns Rules: Complete and valid rules; the game's `pack` decides whether a number of players can play them.
    Raises UsageError if the rules cannot be used; the message names the file, the table and the key.
    """
    blame: dict[KeyPath, str] = {}
    if game.name == ELSEWHERE:
        raise UsageError("these games were not played here, so they have no rules that could be played", "game")
    if isinstance(reference, Rules):
        if reference.game_name != game.name:
            raise UsageError(f"'{reference.name}' are rules of {reference.game_name}, not of {game.name}", "rules")
        values, label, before = reference.values, reference.name, reference.settings
    else:
        values, label = _of_files(game, reference, blame)
        before = ()
    wanted = as_settings(settings)
    if wanted:
        full = values.model_dump(mode="json")
        for setting in wanted:
            full, path = change(full, setting)
            blame[path] = f"setting {shown(setting)}"
        values = _validate(game, full, blame, label)
    return Rules(game.name, values, (*before, *wanted))


def _of_files(game: Game, reference: str | Path, blame: dict[KeyPath, str]) -> tuple[RuleSet, str]:
    """Return the rules of a file and all files that it extends, and its label; record which file set each path."""
    chain = chain_of(game, reference)
    own = chain[0]
    table: dict[str, Any] = {}
    for document in reversed(chain):
        table = merge(table, document.table)
        blame |= dict.fromkeys(paths(document.table), document.label)
    table["name"] = own.table.get("name", own.stem)
    table["title"] = own.table.get("title", table["name"])
    return _validate(game, table, blame, own.label, extends=len(chain) > 1), own.label


def _validate(
    game: Game, table: Mapping[str, Any], blame: Mapping[KeyPath, str], label: str, extends: bool = True
) -> RuleSet:
    """Return the model of a complete table."""
    if not extends and "format" not in table:
        raise UsageError(
            f"{label}: neither 'extends' nor 'format' is set; to change some rules, begin with extends = \"base\""
        )
    try:
        values = game.rules.model_validate(table)
    except ValidationError as error:
        raise UsageError(explain(error, game.rules, blame, label)) from None
    assert isinstance(values, RuleSet)
    return values
