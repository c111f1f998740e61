"""Read baseline files, which are untrusted text: nothing in them is executed."""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from pydantic import ValidationError

from analysis.check.baseline import FORMAT, AtTable, Baseline, Choices, Measured, Origin, Results, Value, present
from simcore.errors import UsageError
from simcore.toml_tables import explain, parse, paths, read_bytes, shown

_CONFLICT = re.compile(r"^(<{7}|\|{7}|>{7})( |$)|^={7}$")
_PLAYERS = re.compile(r"([1-9]\d?)-players")
_NAME = re.compile(r"[\w.-]+")
MEASURED = re.compile(r"^\[measured\b", re.MULTILINE)
DIGEST = "digest"
"""Key of the measured part's own digest."""


def read_baseline(path: Path) -> Baseline:
    """Read a baseline file.

    Raises UsageError if the file cannot be used; the message says what is wrong, in which line or key, and how to mend
        it.
    """
    label = shown(str(path), 120)
    baseline, table = _open(path, _text(path), whole=True)
    if "measured" not in table:
        raise UsageError(f"{label}: nothing is measured yet; run: equipoise check --update {label}")
    measured = _measured(table["measured"], label)
    if table["measured"].get(DIGEST) != measured_digest(table["measured"]):
        raise UsageError(
            f"{label}: [measured] {DIGEST}: does not match the figures below it; somebody edited a figure, or two "
            f"versions were mixed; restore the file, or run: equipoise check --update {label}"
        )
    return Baseline(path, baseline.head, baseline.choices, measured, baseline.text)


def measured_digest(table: Mapping[str, Any]) -> str:
    """Return the SHA-256 of the measured part, without its digest, as canonical JSON."""
    text = json.dumps({key: value for key, value in table.items() if key != DIGEST}, sort_keys=True)
    return hashlib.sha256(text.encode()).hexdigest()


def signed(text: str) -> str:
    """Return a baseline's text with the right digest of its measured part."""
    digest = measured_digest(parse(text.encode(), "baseline")["measured"])
    begin = re.search(rf"^\[measured\][^\n]*\n(?:{DIGEST} = [^\n]*\n)?", text, re.MULTILINE)
    assert begin
    return f'{text[: begin.start()]}[measured]\n{DIGEST} = "{digest}"\n{text[begin.end() :]}'


def read_choices(path: Path) -> Baseline:
    """Return only the user's part of a baseline, for a new measurement; a merge conflict below it does not matter."""
    return _open(path, _text(path), whole=False)[0]


def choices_of(head: str, path: Path) -> Baseline:
    """Return a baseline that is not measured yet."""
    return _open(path, head, whole=False)[0]


def _text(path: Path) -> str:
    data = read_bytes(path)
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        label = shown(str(path), 120)
        raise UsageError(f"{label}: not a text file in UTF-8 (byte {error.start}); restore it") from None


def _open(path: Path, text: str, whole: bool) -> tuple[Baseline, dict[str, Any]]:
    """Return the user's part, and the table of everything that was read."""
    label = shown(str(path), 120)
    begin = MEASURED.search(text)
    head = text[: begin.start()] if begin else text
    read = text if whole else head
    for number, line in enumerate(read.splitlines(), 1):
        if _CONFLICT.match(line):
            how = "resolve it" if number <= head.count("\n") else f"run: equipoise check --update {label}"
            raise UsageError(f"{label}: line {number}: a merge conflict is left in the file; {how}")
    table = parse(read.encode(), label)
    own = {key: value for key, value in table.items() if key != "measured"}
    for where in ("margins", "limits"):
        if where in own:
            own[where] = _renamed(own[where], where, label)
    if isinstance(own.get("format"), str) and own["format"] != FORMAT:
        raise UsageError(
            f"{label}: format: '{shown(own['format'])}' is another kind or version of file; this version reads {FORMAT}"
        )
    margins = own.get("margins")
    for key, value in margins.items() if isinstance(margins, dict) else ():
        if isinstance(value, dict):
            name = shown(f"{key}.{next(iter(value), 'seat-1')}")
            raise UsageError(f'{label}: [margins] {name}: put the whole name in quotes, as in "{name}" = ..')
    try:
        choices = Choices.model_validate(own)
    except ValidationError as error:
        raise UsageError(explain(error, Choices, dict.fromkeys(paths(own), label), label)) from None
    if len(set(choices.players)) < len(choices.players):
        raise UsageError(f"{label}: players: a number is given twice; give each once")
    if choices.strategies and choices.skill is not None:
        raise UsageError(f"{label}: skill: says who plays, and so does strategies; leave out one of the two")
    return Baseline(path, head, choices, text=text), table


def _measured(table: Any, label: str) -> Measured:
    """Return the measured part, as far as it is valid."""
    if not isinstance(table, dict):
        raise UsageError(f"{label}: measured: must be a table; run: equipoise check --update {label}")
    own = {key: value for key, value in table.items() if key != DIGEST and not _PLAYERS.fullmatch(key)}
    source = _read(Results if "simulated" in own else Origin, own, "measured", label)
    if isinstance(source, Origin) and {name.rpartition("=")[2] for name in source.seated} != set(source.strategies):
        raise UsageError(
            f"{label}: [measured] seated: names other strategies than [measured.strategies]; "
            f"run: equipoise check --update {label}"
        )
    tables: dict[int, AtTable] = {}
    values: dict[int, dict[str, Value]] = {}
    for key, rest in table.items():
        found = _PLAYERS.fullmatch(key)
        if not found:
            continue
        name = f"measured.{key}"
        if not isinstance(rest, dict):
            raise UsageError(f"{label}: {name}: must be a table; run: equipoise check --update {label}")
        players = int(found[1])
        fixed = {key: value for key, value in rest.items() if key in AtTable.model_fields}
        tables[players] = _read(AtTable, fixed, name, label)
        rest = {key: value for key, value in rest.items() if key not in AtTable.model_fields}
        rest = _renamed(rest, name, label)
        values[players] = {
            dotted: _read(Value, entry, f"{name}.{dotted}", label) for dotted, entry in _entries(rest, name, label)
        }
    return Measured(source, tables, values)


def _renamed(table: Any, where: str, label: str) -> Any:
    """Return a table of measures or limits by their present names; raise `UsageError` if one has two names."""
    if not isinstance(table, dict):
        return table
    found = {present(name): value for name, value in table.items()}
    if len(found) < len(table):
        twice = next(name for name in table if present(name) != name and present(name) in table)
        raise UsageError(f"{label}: [{where}] {shown(twice)}: is '{shown(present(twice))}' now; keep one of the two")
    return found


def _entries(table: Mapping[str, Any], where: str, label: str, above: str = "") -> Iterator[tuple[str, dict[str, Any]]]:
    """Yield every measure's dotted name and its table."""
    for key, value in table.items():
        dotted = above + key
        if not _NAME.fullmatch(key):
            raise UsageError(
                f"{label}: [{where}] {shown(dotted)}: no such measure; restore the line, or run: "
                f"equipoise check --update {label}"
            )
        if not isinstance(value, dict):
            raise UsageError(
                f"{label}: [{where}] {shown(dotted)}: must be {{ value = .., error = .. }}; "
                f"run: equipoise check --update {label}"
            )
        if {"value", "error"} & value.keys() or not value:
            yield dotted, value
        else:
            yield from _entries(value, where, label, f"{dotted}.")


def _read(model: Any, table: dict[str, Any], where: str, label: str) -> Any:
    """Return a model of a table; error messages name the place of what is wrong."""
    try:
        return model.model_validate(table)
    except ValidationError as error:
        message = explain(error, model, dict.fromkeys(paths(table), label), label)
        message = message.removeprefix(f"{label}: ")
        raise UsageError(
            f"{label}: [{shown(where, 120)}] {message}; restore the line, or run: equipoise check --update {label}"
        ) from None
