"""Rules as data: shipped and user-written TOML files, the files they extend, and the changes of a single run."""

from __future__ import annotations

import hashlib
import json
import re
import tomllib
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from html import escape
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Literal, Self, get_args, get_origin

import numpy as np
from pydantic import AfterValidator, Field, PrivateAttr, ValidationError

from simcore import homes
from simcore.errors import UsageError, nearest, nearest_key, printable, shown
from simcore.homes import ELSEWHERE
from simcore.kernel.records import layout
from simcore.rules.measures import measure
from simcore.toml_tables import KeyPath, Table, check_depth, explain, flatten, merge, parse, paths, read_bytes, write

if TYPE_CHECKING:
    from simcore.game import Game

# --- Rule files: those that come with a game, those of users, and the files that they extend ---


MAX_EXTENDS = 8
TABLES = (".csv", ".tsv", ".xlsx", ".parquet")


@dataclass(frozen=True)
class Document:
    """One file of a chain: its own table, and its name."""

    label: str
    stem: str
    table: dict[str, Any]
    path: Path | None  # None for a shipped file

    @property
    def identity(self) -> str:
        """The identity of the file, to detect cycles."""
        return str(self.path.resolve()) if self.path else self.label


def chain_of(game: Game, reference: str | Path) -> list[Document]:
    """Read a file and all files that it extends, starting with the file itself."""
    chain = [_open(game, reference, None)]
    named = chain[0].table.get("game", game.name)
    if named in homes.known_games() and named != game.name:
        option = homes.naming(named) or f" --game {named}"
        raise UsageError(f"{chain[0].label}: rules of {named}, not of {game.name}; name that game:{option}")
    while (above := chain[-1].table.pop("extends", None)) is not None:
        document = chain[-1]
        if not isinstance(above, str):
            raise UsageError(f"{document.label}: extends: must be the name or path of one rules file, in quotes")
        chain.append(_open(game, above, document))
        names = [document.identity for document in chain]
        if names[-1] in names[:-1]:
            raise UsageError(f"{document.label}: extends: goes round in a circle, {_trail(chain)}")
        if len(chain) > MAX_EXTENDS:
            raise UsageError(f"{chain[0].label}: extends: more than {MAX_EXTENDS} files deep, {_trail(chain)}")
    return chain


def _trail(chain: Iterable[Document]) -> str:
    return " -> ".join(document.label for document in chain)


def _open(game: Game, reference: str | Path, child: Document | None) -> Document:
    """Read the file for a reference: in the folder of the file that extends it, or a shipped file, or a path."""
    shipped = homes.shipped_rules(game.name)
    if child is not None and child.path is not None:
        for candidate in _beside(child.path, str(reference)):
            return _read(candidate)
    if str(reference) in shipped and not isinstance(reference, Path):
        name = str(reference)
        return Document(f"{game.name}/{name}", name, parse(shipped[name].read_bytes(), f"{game.name}/{name}"), None)
    if child is not None:
        raise homes.no_rules(game.name, str(reference), f"{child.label}: extends")
    homes.check_rules(game.name, reference)
    return _read(Path(reference))


def _beside(child: Path, reference: str) -> Iterator[Path]:
    """Yield the files next to a file that its `extends` may name."""
    for name in (reference, f"{reference}.toml"):
        path = child.parent / name
        if homes.is_there(path) and path.resolve() != child.resolve():
            yield path


def _read(path: Path) -> Document:
    label = shown(str(path), 120)
    if path.suffix.lower() in TABLES:
        raise UsageError(
            f"{label}: a table of results, not rules; make a run of it: equipoise import {label} --out RUN"
        )
    return Document(label, path.stem, parse(read_bytes(path), label), path)


# --- Changes of single rules, such as `events.alliance.copies=0`, as text or as a mapping ---


Settings = str | Sequence[str] | Mapping[str, Any] | None
"""Changes of rules: "dotted.key=value", several of these, or a mapping from keys to values, which may be nested."""


def as_settings(settings: Settings) -> tuple[str, ...]:
    """Return settings as "dotted.key=value".

    settings: None; one such text; several; or a mapping from keys to values, in which tables may be mappings.
    """
    if settings is None:
        return ()
    if isinstance(settings, str):
        return (settings,)
    if isinstance(settings, Mapping):
        return tuple(f"{key}={_written(value)}" for key, value in flatten(_plain(settings)).items())
    return tuple(settings)


def _plain(table: Mapping[str, Any]) -> dict[str, Any]:
    """Return a mapping in which all mappings are plain dictionaries."""
    return {str(key): _plain(value) if isinstance(value, Mapping) else value for key, value in table.items()}


def _written(value: Any) -> str:
    """Return a value as the text of a setting that is read back as the same value."""
    if isinstance(value, str) and _value(value) == value:
        return value
    try:
        return write({"value": value}).removeprefix("value = ").strip()
    except TypeError:
        raise UsageError(
            f"'{shown(str(value))}' is not a TOML value; give a number, text or list", "settings"
        ) from None


def change(table: Mapping[str, Any], setting: str) -> tuple[dict[str, Any], KeyPath]:
    """Apply one "dotted.key=value" to a table; return the new table and the key's path.

    table: The full table, which must contain the tables on the path to the key.  An entry of a list of tables is named
        by its `id`, as in "tenant_card.windfall.copies=4", and an entry of a list of values by its number, counted from
        1, as in "starting_coins.3=2".
    setting: The change.  Its value is read as TOML or, if it is not valid TOML, as plain text.
    Raises UsageError if the setting is malformed, or a table on the path does not exist.
    """
    label = f"setting {shown(setting)}"
    name, equals, text = setting.partition("=")
    path = tuple(part.strip() for part in name.split("."))
    if not equals or not all(path):
        raise UsageError(f"{label}: write key=value, with dots between tables and key")
    value = _value(text.strip())
    check_depth(value, label)
    if any(inner == {} for inner in flatten({"value": value}).values()):
        raise UsageError(f"{label}: an empty table changes nothing; name a key and its value")
    if (whole := _with_entry(table, path, value, label)) is not None:
        path, value = path[:-1], whole
    if len(path) == 1 and path[0] not in table and any(key.endswith(f".{path[0]}") for key in flatten(table)):
        raise UsageError(f"{label}: {path[0]}: unknown key{nearest_key(path[0], flatten(table))}")
    tables = list(_way(table, path[:-1], label))
    changed: Any = merge(tables[-1], {path[-1]: value})
    for above, part in zip(reversed(tables[:-1]), reversed(path[:-1]), strict=True):
        changed = {**above, part: changed} if isinstance(above, dict) else _replaced(above, part, changed)
    listed = next((depth for depth, here in enumerate(tables) if isinstance(here, list)), len(path))
    return changed, path[:listed]


def _with_entry(table: Mapping[str, Any], path: KeyPath, value: Any, label: str) -> list[Any] | None:
    """Return a list of values with one entry replaced; None if the path does not lead to such an entry."""
    here: Any = table
    for part in path[:-1]:
        here = here.get(part) if isinstance(here, dict) else None
    if not isinstance(here, list) or not path[-1].isdecimal() or (here and _has_ids(here)):
        return None
    number = int(path[-1])
    if not 1 <= number <= len(here):
        raise UsageError(f"{label}: '{shown('.'.join(path[:-1]))}' has {len(here)} entries, counted from 1")
    return [*here[: number - 1], value, *here[number:]]


def _way(table: Mapping[str, Any], path: KeyPath, label: str) -> Iterator[Any]:
    """Yield a table and the tables on the path to a key; a list of tables with an `id` counts as a table of these."""
    here: Any = table
    yield here
    for depth, part in enumerate(path, 1):
        inside = here if isinstance(here, dict) else {entry["id"]: entry for entry in here}
        if part not in inside:
            raise UsageError(f"{label}: no table '{shown('.'.join(path[:depth]))}'{nearest(part, inside)}")
        here = inside[part]
        last = depth == len(path)
        if not isinstance(here, dict) and (last or not _has_ids(here)):
            raise UsageError(f"{label}: '{shown('.'.join(path[:depth]))}' is not a table; set it as a whole")
        yield here


def _has_ids(value: Any) -> bool:
    """Return whether a value is a list of tables that have an `id`."""
    return isinstance(value, list) and all(isinstance(entry, dict) and "id" in entry for entry in value)


def _replaced(entries: list[dict[str, Any]], name: str, entry: dict[str, Any]) -> list[dict[str, Any]]:
    """Return a list of tables in which the table with an `id` is replaced."""
    return [entry if each["id"] == name else each for each in entries]


def _value(text: str) -> Any:
    """Read a value as TOML, or return it as plain text."""
    try:
        table = tomllib.loads(f"value = {text}")
    except (ValueError, RecursionError):
        return text
    return table["value"] if list(table) == ["value"] else text


# --- Rules as data: shipped and user-written TOML files, the files they extend, and the changes of a single run ---


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
    measures: dict[Identifier, str] = Field(default_factory=dict)  # a designer's own, as `simcore.rules.measures` reads
    _blanks: tuple[str, ...] = PrivateAttr(())

    @property
    def blanks(self) -> tuple[str, ...]:
        """Cards that stay in the deck and can never be played; a rule file cannot name any."""
        return self._blanks

    def with_blanks(self, cards: Sequence[str]) -> Self:
        """Return the same rules, in which some cards stay in the deck and can never be played."""
        copy = self.model_copy()
        copy._blanks = tuple(cards)
        return copy

    def unplayed(self) -> set[str]:
        """Return the fields that change no game, and therefore no digest."""
        return {"measures"}

    def in_words(self, language: str = "en") -> dict[str, str]:
        """Return what tables of a designer's own do, such as new cards: a sentence each, by the key of the table."""
        return {}


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
        text = json.dumps(self._played(), sort_keys=True, separators=(",", ":"), ensure_ascii=False)
        return hashlib.sha256(text.encode()).hexdigest()

    @cached_property
    def nameless_digest(self) -> str:
        """The digest that the rules would have without name and title."""
        return Rules(self.game_name, self.values.model_copy(update={"name": "", "title": ""})).digest

    def _played(self) -> dict[str, Any]:
        """Return the rules without what changes no game."""
        return self.values.model_dump(mode="json", exclude=self.values.unplayed())

    @cached_property
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
        measures = self.values.measures
        return self._played() | ({"measures": measures} if measures else {})

    def flat(self) -> dict[str, Any]:
        """Return every dotted key and its value."""
        return flatten(self._played())

    def measuring(self, other: Rules) -> Rules:
        """Return the same rules, with the measures of other rules as well, which count where both have a name."""
        measures = self.values.measures | other.values.measures
        return replace(self, values=self.values.model_copy(update={"measures": measures}))

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
    * docs/reference/keys.md

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
    return list(homes.shipped_rules(game.name))


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
    for name, text in values.measures.items():
        try:
            measure(name, text, {column.name: column for column in game.columns})
        except ValueError as error:
            source = blame.get(("measures", name), label)
            raise UsageError(f"{source}: [measures] {name}: {error}") from None
    return values
