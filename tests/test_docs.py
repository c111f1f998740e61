"""The documentation is true: columns, manifest, commands and options, links, and what the README runs.

`python -m tests.test_docs` writes the table of columns in docs/schema.md anew.
"""

from __future__ import annotations

import re
import shlex
from collections.abc import Iterator
from itertools import groupby
from pathlib import Path
from pydoc import locate
from typing import Any

import polars as pl
import pytest
import typer

from analysis.runs import Manifest, load
from equipoise.cli import app, run
from equipoise.helptexts import PANELS
from simcore.game import DETAILS, GAMES, load_game
from simcore.running.columns import COMPUTED, columns
from tests.brief import tune_briefly

ROOT = Path(__file__).resolve().parents[1]
SCHEMA, CLI, README = ROOT / "docs/schema.md", ROOT / "docs/cli.md", ROOT / "README.md"
PAGES = sorted([README, *(ROOT / "docs").glob("*.md")])
SHORTER = (
    (r"report --game (\S+) --games 1e5", r"report --game \1 --games 40 --deals 20 --quick"),
    (r"restrict --games 1e4", "restrict --games 200"),
    (r"--games 1e\d", "--games 1e3"),
    (r"bench --quick$", "bench --only speed --seconds 0.02 --players 2 --strategies random"),
    (r"--budget \w+", "--budget 1 --games 240"),
    (r"--retune \w+", "--retune 1"),
    (r"^(equipoise compare .*=\d)$", r"\1 --games 1e3 --retune 1"),
    (r"^(equipoise compare .* --habit)$", r"\1 --games 1e3"),
    (r"^(equipoise sweep .*)$", r"\1 --games 1e3"),
    (r"^(equipoise sensitivity).*$", r"\1 --games 1e3 --strategies greedy"),
    (r"^equipoise mend.*$", "equipoise mend --players 2 --games 200 --strategies greedy --rounds 1 --best 1"),
    (r"^(equipoise playtest .*)$", r"\1 --games 1e3 --strategies 'random|greedy'"),
    (r"check$", f"check {ROOT / 'configs/middle-ages/baselines/default.toml'}"),
)
"""What README commands are cut to, so that they are tried and not waited for."""


def between(page: Path, name: str) -> str:
    """Return what stands between <!-- name --> and <!-- end --> on a page."""
    text = page.read_text(encoding="utf-8")
    return text.split(f"<!-- {name} -->\n")[1].split("<!-- end -->")[0]


# --- docs/schema.md ---


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
    assert between(SCHEMA, "columns").strip() == column_tables().strip(), "run: python -m tests.test_docs"


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
    assert between(SCHEMA, "events") == event_tables(), "run: python -m tests.test_docs"


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
    assert named == list(Manifest.model_fields) or sorted(named) == sorted(Manifest.model_fields)


# --- docs/cli.md ---


def commands(command: Any, path: tuple[str, ...] = ()) -> Iterator[tuple[str, Any]]:
    """Yield every command by its words."""
    children = getattr(command, "commands", {})
    if not children:
        yield " ".join(path), command
    for name, child in children.items():
        yield from commands(child, (*path, name))


WALKED = dict(commands(typer.main.get_command(app)))


def parameters(command: Any) -> dict[str, Any]:
    """Return options by their names, arguments by what help calls them."""
    return {
        ", ".join(f"`{name}`" for name in parameter.opts)
        if parameter.param_type_name == "option"
        else f"`{parameter.metavar}`": parameter
        for parameter in command.params
    }


def section(command: str) -> dict[str, tuple[str, str]]:
    """Return default and meaning by option, from a command's section of the page."""
    text = CLI.read_text(encoding="utf-8").split(f"\n## {command}\n")[1].split("\n## ")[0]
    rows = re.findall(r"^\| (`.+?) \| (.*?) ?\| (.+) \|$", text, re.MULTILINE)
    return {option: (default, meaning) for option, default, meaning in rows}


def test_every_command_has_a_section_and_no_other() -> None:
    headings = re.findall(r"^## (.+)$", CLI.read_text(encoding="utf-8"), re.MULTILINE)
    assert sorted(headings) == sorted(WALKED)


def test_commands_stand_in_one_order_in_help_and_on_the_page() -> None:
    """That of `equipoise.helptexts.PANELS`, where each command is named once."""
    group: Any = typer.main.get_command(app)
    listed = group.list_commands(None)
    headings = re.findall(r"^## ([\w-]+)", CLI.read_text(encoding="utf-8"), re.MULTILINE)
    assert listed == [name for panel in PANELS.values() for name in panel] == list(dict.fromkeys(headings))
    assert sorted(listed) == sorted(group.commands)


@pytest.mark.parametrize("name", WALKED)
def test_help_names_what_options_take(name: str, capsys: pytest.CaptureFixture[str]) -> None:
    """In words of the trade, not in types of Python; nothing is lost to Markdown."""
    assert run(app, [*name.split(), "--help"]) == 0
    text = capsys.readouterr().out
    assert not re.search(r"--[a-z-]+.*<(str|int|bool|float|path)>", text), text
    assert "//" not in text


@pytest.mark.parametrize("name", WALKED)
def test_every_option_is_documented_and_no_other(name: str) -> None:
    documented, real = section(name), parameters(WALKED[name])
    assert sorted(documented) == sorted(real)
    for option, parameter in real.items():
        told = documented[option][0]
        assert parameter.help, option
        if parameter.default not in (None, False, "", ()):
            value = getattr(parameter.default, "value", parameter.default)
            assert told == f"`{value}`", option
        elif isinstance(parameter.show_default, str):
            assert told == parameter.show_default, option
        else:
            assert told == "", option


def test_options_before_a_command_are_documented() -> None:
    text = CLI.read_text(encoding="utf-8").split("\n## ")[0]
    assert sorted(re.findall(r"^\| `(--[\w-]+)` \|", text, re.MULTILINE)) == sorted(
        name for parameter in typer.main.get_command(app).params for name in parameter.opts
    )


# --- the README, and links ---


def blocks(language: str) -> list[str]:
    text = README.read_text(encoding="utf-8") if README.is_file() else ""
    return re.findall(rf"^```{language}\n(.*?)^```$", text, re.MULTILINE | re.DOTALL)


def readme_commands() -> list[str]:
    """Return the README's commands that need neither network nor an installation."""
    lines = [line[2:] for block in blocks("console") for line in block.splitlines() if line.startswith("$ ")]
    return [line for line in lines if "pip install" not in line]


def test_readme_commands_run(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """All of them, in order, in one folder; then the Python that reads what they left."""
    monkeypatch.chdir(tmp_path)
    tune_briefly(monkeypatch.setattr)
    for line in readme_commands():
        for pattern, shorter in SHORTER:
            line = re.sub(pattern, shorter, line)
        words = shlex.split(line)
        assert words[0] in ("simulate", "equipoise"), line
        arguments = words if words[0] == "simulate" else words[1:]
        assert run(app, arguments) == 0, (line, capsys.readouterr())
        assert capsys.readouterr().out, line
    for block in blocks("python"):
        exec(compile(block, str(README), "exec"), {})


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_links_lead_somewhere(page: Path) -> None:
    text = re.sub(r"^```.*?^```$", "", page.read_text(encoding="utf-8"), flags=re.MULTILINE | re.DOTALL)
    for target in re.findall(r"\]\(([^)#\s]+)(?:#[^)]*)?\)", text):
        if "://" not in target:
            assert (page.parent / target).exists(), target


NAMED = re.compile(r"`((?:simcore|strategies|analysis|reports|equipoise|tests|studies|stats)/[\w./-]*\w)`")
"""Files and folders that a page names; those of `stats/` lie in `analysis/`."""


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_files_that_pages_name_are_there(page: Path) -> None:
    named = NAMED.findall(page.read_text(encoding="utf-8"))
    missing = [name for name in named if not any((root / name).exists() for root in (ROOT, ROOT / "analysis"))]
    assert missing == []


def test_names_of_modules_that_pages_name_are_there() -> None:
    """All but the files `analysis.py` and `strategies.py`, and the group of entry points `equipoise.strategies`."""
    text = "".join(page.read_text(encoding="utf-8") for page in PAGES)
    found = set(re.findall(r"`((?:simcore|strategies|analysis|reports)(?:\.\w+)+)`", text))
    assert len(found) > 5
    assert [name for name in sorted(found) if not name.endswith(".py") and locate(name) is None] == []


if __name__ == "__main__":
    page = SCHEMA.read_text(encoding="utf-8")
    page = page.replace(between(SCHEMA, "columns"), column_tables(), 1)
    head, _, rest = page.partition("<!-- events -->\n")
    SCHEMA.write_text(
        f"{head}<!-- events -->\n{event_tables()}<!-- end -->{rest.partition('<!-- end -->')[2]}", encoding="utf-8"
    )
