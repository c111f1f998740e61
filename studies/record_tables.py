"""Writes the tables of records in docs/reference/logs.md from declarations: python -m studies.record_tables"""

from __future__ import annotations

import re
from collections.abc import Sequence
from pathlib import Path

from simcore.game import GAMES, Game, load_game
from simcore.log_records import Field, RecordKind, Sight, everybody, nobody

PAGE = Path(__file__).resolve().parents[1] / "docs/reference/logs.md"
TABLE = re.compile(r"^\| kind .*\n(?:\|.*\n)+", re.MULTILINE)


def table_of(game: Game) -> str:
    """Return the table of a game's records."""
    rows = ["| kind | fields | meaning |", "|---|---|---|"]
    for kind in game.record_kinds:
        rows.append(f"| `{kind.name}` | {_listed(kind.fields)}{_more(kind)} | {kind.meaning}{_learns(kind.seen)} |")
        rows += [f"| | {', '.join(names)}: {_listed(fields)} | |" for names, fields in variants_of(kind) if fields]
    return "".join(f"{row}\n" for row in rows)


def written(page: str) -> str:
    """Return the page with the tables as the games declare them."""
    for name in GAMES:
        game = load_game(name)
        start = page.index(f"\n## {game.title}\n")
        page = page[:start] + TABLE.sub(lambda _, game=game: table_of(game), page[start:], count=1)
    return page


def _listed(fields: Sequence[Field]) -> str:
    return ", ".join(f"`{one.name}`{_about(one)}" for one in fields)


def _about(one: Field) -> str:
    """Return what a field holds, and who sees it if not everybody does."""
    parts = [] if one.meaning.startswith("\\[") or not one.meaning else [one.meaning]
    parts += _seen(one)
    shape = f" {one.meaning}" if one.meaning.startswith("\\[") else ""
    return shape + (f" ({'; '.join(parts)})" if parts else "")


def _seen(one: Field) -> list[str]:
    if one.seen is everybody:
        return []
    if one.seen is nobody and one.instead is not None:
        return [_words(one.instead)]
    if one.seen is nobody and one.glimpsed is not nobody:
        return [f"seen for a moment by {_words(one.glimpsed)}"]
    parts = [f"seen by {_words(one.seen)}"]
    parts += [f"for a moment by {_words(one.glimpsed)}"] if one.glimpsed is not nobody else []
    return ["; ".join([*parts, *([f"for the others {_words(one.instead)}"] if one.instead else [])])]


def _words(sight: object) -> str:
    """Return the first sentence of a docstring as a part of a sentence."""
    text = (sight.__doc__ or "").split(".")[0].split("\n\n")[0].removeprefix("Return ").strip()
    return " ".join((text[:1].lower() + text[1:]).split())


def _learns(sight: Sight) -> str:
    return "" if sight is everybody else f"; who learns of it: {_words(sight)}"


def _more(kind: RecordKind) -> str:
    return f", and by `{kind.by}`:" if kind.by else ""


def variants_of(kind: RecordKind) -> list[tuple[list[str], tuple[Field, ...]]]:
    """Return the variants of a kind of record, each with its names; those with the same fields are one."""
    groups: list[tuple[list[str], tuple[Field, ...]]] = []
    for name, fields in kind.variants.items():
        same = next((names for names, other in groups if other == fields), None)
        if same is None:
            groups.append(([name], fields))
        else:
            same.append(name)
    return groups


if __name__ == "__main__":
    PAGE.write_text(written(PAGE.read_text(encoding="utf-8")), encoding="utf-8")
