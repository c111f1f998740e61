"""docs/reference/columns.md is true: its columns, events, tables and fields of the manifest are those of the program.

`python -m tests.test_docs_schema` writes its tables of columns and events anew.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import groupby
from pathlib import Path
from typing import Any

import polars as pl

from analysis.runs import Manifest, load
from equipoise.cli import app, run
from simcore.game import DETAILS, GAMES, load_game
from simcore.running.columns import COMPUTED, columns

ROOT = Path(__file__).resolve().parents[1]
SCHEMA = ROOT / "docs/reference/columns.md"


def between(page: Path, name: str) -> str:
    """Return what stands between <!-- name --> and <!-- end --> on a page."""
    text = page.read_text(encoding="utf-8")
    return text.split(f"<!-- {name} -->\n")[1].split("<!-- end -->")[0]


def column_tables() -> str:
    """Return the tables of columns, series such as coins_r1 .. coins_r16 on one line."""
    lines = ["### Every game\n", *_table([*COMPUTED, *_general()])]
    for name in GAMES:
        game = load_game(name)
        own = [column for column in columns(game, "full") if column.name not in {c.name for c in COMPUTED + _general()}]
        lines += [f"\n### {game.title}\n", *_table(own)]
    return "\n".join(lines) + "\n"


def _general() -> tuple[Any, ...]:
    """Columns that every game has beside the computed ones."""
    common = set.intersection(*({column.name for column in columns(load_game(name), "full")} for name in GAMES))
    known = ("strategy", "place", "share60")
    assert set(known) <= common
    return tuple(column for column in columns(load_game(GAMES[0]), "full") if column.name in known)


def _table(listed: list[Any]) -> Iterator[str]:
    yield "| column | type | detail | meaning |"
    yield "|---|---|---|---|"
    for _, members in groupby(listed, key=lambda column: (column.type, column.detail, _stem(column.name))):
        series = list(members)
        first, last = series[0], series[-1]
        if len(series) < 4:
            for column in series:
                yield f"| `{column.name}` | {column.type} | {_detail(column)} | {column.meaning} |"
        else:
            names = f"`{first.name}` .. `{last.name}`"
            numbers = _number(first.meaning), _number(last.meaning)
            meaning = first.meaning.replace(numbers[0], " to ".join(numbers), 1)
            yield f"| {names} | {first.type} | {_detail(first)} | {meaning} |"


def _stem(name: str) -> str:
    return re.sub(r"\d+(_coins)?$", r"#\1", name)


def _number(meaning: str) -> str:
    return re.findall(r"\d+", meaning)[0]


def _detail(column: Any) -> str:
    return "minimal" if column in COMPUTED else column.detail


def test_schema_page_has_every_column() -> None:
    assert between(SCHEMA, "columns").strip() == column_tables().strip(), "run: python -m tests.test_docs_schema"


def event_tables() -> str:
    """Return the tables of the kinds of events, of every game that notes any."""
    lines: list[str] = []
    for game in (load_game(name) for name in GAMES):
        if game.events:
            lines += ["| kind | meaning | `a` | `b` | `c` |", "|---|---|---|---|---|"]
        for kind in game.events:
            values = " | ".join((*kind.values, *[""] * (3 - len(kind.values))))
            lines.append(f"| `{kind.name}` | {kind.meaning} | {values} |")
    return "\n".join(lines) + "\n"


def test_schema_page_has_every_kind_of_event() -> None:
    assert between(SCHEMA, "events") == event_tables(), "run: python -m tests.test_docs_schema"


def test_schema_page_says_what_the_table_of_events_has(tmp_path: Path) -> None:
    line = ["simulate", "--game", "medievallons", "--games", "5", "--strategies", "random", "--tables", "events"]
    assert run(app, [*line, "--quiet", "--out", str(tmp_path / "run")]) == 0
    written = load(tmp_path / "run").events().collect_schema()
    part = SCHEMA.read_text(encoding="utf-8").split("## Tables of games and of events")[1].split("<!-- events -->")[0]
    documented = {
        name: kind
        for names, kind in re.findall(r"^\| (`.*?`) \| (\w+) \|", part, re.MULTILINE)
        for name in re.findall(r"`(\w+)`", names)
    }
    assert documented == {name: str(kind.base_type()) for name, kind in written.items()}


def test_schema_page_says_what_is_written(tmp_path: Path) -> None:
    """Names, order, types and levels, against Parquet files."""
    sections = between(SCHEMA, "columns").split("### ")[1:]
    tables = {section.partition("\n")[0]: _documented(section) for section in sections}
    for name in GAMES:
        documented = tables["Every game"] | tables[load_game(name).title]
        for level, detail in enumerate(DETAILS):
            folder = tmp_path / f"{name}-{detail}"
            line = ["simulate", "--game", name, "--games", "5", "--strategies", "random", "--detail", detail]
            assert run(app, [*line, "--quiet", "--out", str(folder)]) == 0
            written = pl.read_parquet_schema(next(folder.glob("games/*.parquet")))
            kinds = {column: str(kind.base_type()) for column, kind in written.items()}
            expected = {column: kind for column, (kind, least) in documented.items() if DETAILS.index(least) <= level}
            assert kinds == {column: expected[column] for column in kinds}
            assert set(kinds) == set(expected)


def _documented(section: str) -> dict[str, tuple[str, str]]:
    """Type and level of every column in a section of the page."""
    found = {}
    for line in section.splitlines():
        if line.startswith("| `"):
            names, kind, detail, meaning = [cell.strip() for cell in line.split("|")[1:-1]]
            assert meaning
            found |= dict.fromkeys(_expand(re.findall(r"`(\w+)`", names)), (kind, detail))
    return found


def _expand(names: list[str]) -> list[str]:
    """Turn [coins_r1, coins_r16] into all sixteen names."""
    if len(names) == 1:
        return names
    stem = re.split(r"\d+", names[0])
    first, last = (int(re.findall(r"\d+", name[len(stem[0]) :])[0]) for name in names)
    return [f"{stem[0]}{number}{stem[1]}" for number in range(first, last + 1)]


def test_schema_page_has_every_field_of_the_manifest() -> None:
    named = re.findall(r"^\| `(\w+)` \| \S", between(SCHEMA, "manifest"), re.MULTILINE)
    assert sorted(named) == sorted(Manifest.model_fields)


if __name__ == "__main__":
    page = SCHEMA.read_text(encoding="utf-8")
    page = page.replace(between(SCHEMA, "columns"), column_tables(), 1)
    head, _, rest = page.partition("<!-- events -->\n")
    SCHEMA.write_text(
        f"{head}<!-- events -->\n{event_tables()}<!-- end -->{rest.partition('<!-- end -->')[2]}", encoding="utf-8"
    )
