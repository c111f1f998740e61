"""The page of a design log: what was tried, and how far apart the seats of each game were."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace
from html.parser import HTMLParser
from pathlib import Path

import polars as pl

from analysis.design_log import DEEP, Entry, as_frame, best
from analysis.seats.distance import Distance
from reports.commands import playing
from reports.figures.curves import Curves
from reports.page import Block, Column, Links, Picture, Remark, Report, Section, Sentence, Step, table
from reports.steps import Wanted, changing, first_lever, mending, steps
from reports.words import Words, settings_told
from simcore.errors import printable
from simcore.game import load_game
from simcore.homes import known_games
from simcore.rules.files import load_rules

COLUMNS = (
    Column("when", "text"), Column("what", "name", "col.kind"), Column("players", "text"), Column("games", "count"),
    Column("said", "text", "col.changes"), Column("before", "apart", digits=1),
    Column("after", "apart", "col.distance", digits=1), Column("verdict", "text"), Column("command", "text"),
    Column("path", "text", "col.folder"),
)  # fmt: skip


def compose_log(entries: Sequence[Entry], problems: Sequence[str], words: Words) -> Report:
    """Return the page of a log."""
    frame = _frame(words, entries) if entries else pl.DataFrame()
    games = list(dict.fromkeys(entry.game for entry in entries))
    facts = (
        (words("fact.entries"), words.number(len(entries), ",")),
        (words("fact.games"), words.number(sum(entry.games for entry in entries), ",")),
    )
    units = {entry.game: entry.unit for entry in entries if entry.after}
    sections = [_section(words, game, frame.filter(pl.col("game") == game), units.get(game, "")) for game in games]
    method = Section("method", words("section.method"), (), (Remark(words("method.log")),))
    title = words("log.title", games=words.listed([_title(game) for game in games]))
    newest = {entry.game: entry for entry in entries if entry.verdict}
    said = [
        Sentence(words("log.newest", game=_title(entry.game), said=entry.verdict))
        for entry in sorted(newest.values(), key=lambda entry: entry.when, reverse=True)
    ]
    said += [Sentence(best_in_words(words, entry)) for entry in best(entries)]
    return Report(
        title,
        words("log.subtitle"),
        facts,
        tuple(said),
        tuple(problems),
        (*sections, method),
        words,
        steps=_steps(words, entries),
    )


def _steps(words: Words, entries: Sequence[Entry]) -> tuple[Step, ...]:
    """Return what to try next in the game that was played last; nothing if it is not installed."""
    last = max(entries, key=lambda entry: entry.when, default=None)
    if last is None or last.game not in known_games():
        return ()
    rules, players = load_rules(load_game(last.game)), int(last.players.partition(",")[0])
    change = changing("compare", rules, players, [first_lever(rules, players)], None)
    return steps(words, rules, mending(rules, players, None), change, Wanted("full", f"report {playing(rules)}"))


def changes_in_words(words: Words, game: str, changed: Sequence[str]) -> str:
    """Return what an entry of the log changes, in the words of its game."""
    own = words.of_game(game) if game in known_games() else words
    settings = [change for change in changed if "=" in change and " " not in change.partition("=")[0]]
    others = [_version(own, change) for change in changed if change not in settings]
    return ", ".join([*others, *([settings_told(own, settings)] if settings else [])])


def best_in_words(words: Words, entry: Entry) -> str:
    """Return what the fairest of the entries on a game and its numbers of players is, and where it is."""
    assert entry.after is not None
    apart = apart_in_words(words, entry.after, entry.unit)
    changed = changes_in_words(words, entry.game, entry.changed) or words("lab.printed")
    who = words.listed(list(map(words.name, entry.who.split(", "))))
    path, played = str(entry.path), {"game": _title(entry.game), "players": entry.players, "who": who}
    return words("log.best", **played, changed=changed, path=path, apart=apart)


def apart_in_words(words: Words, one: Distance, unit: str) -> str:
    """Return a distance with its range, in points of the wins or in the unit of a payoff."""
    scale, form = (1, ".2f") if unit else (100, ".1f")
    value, low, high = (words.number(scale * (end or 0.0), form) for end in (one.value, one.low, one.high))
    said = f"{value} ({words('interval', low=low, high=high)})"
    return words("log.of_payoff" if unit else "log.of_wins", apart=said, unit=unit)


def _version(words: Words, label: str) -> str:
    """Return the label of a version in words, such as "base with effects.mill_coins=3"."""
    name, _, changes = label.partition(" with ")
    settings = re.split(r", (?=[^ =]+=)", changes)
    return words("rules.with", rules=name, changes=settings_told(words, settings)) if "=" in changes else label


def _frame(words: Words, entries: Sequence[Entry]) -> pl.DataFrame:
    return as_frame(entries).with_columns(
        pl.col("when").str.slice(0, 16).str.replace("T", " "),
        said=pl.Series([changes_in_words(words, entry.game, entry.changed) for entry in entries]),
    )


def _title(game: str) -> str:
    """Return a game's title, or its name in the document if the game is not installed."""
    return load_game(game).title if game in known_games() else game


def _section(words: Words, game: str, rows: pl.DataFrame, unit: str) -> Section:
    blocks: list[Block] = []
    apart = rows.filter(pl.col("after").is_not_null()).with_columns(
        x=pl.int_range(pl.len()).over("players") + 1, series=pl.col("players")
    )
    if len(apart) > 1:
        curve = apart.select("series", "x", value="after", low="after_low", high="after_high")
        title = words("log.newest", game=_title(game), said=words("figure.distance"))
        names = {count: words("sweep.section", players=count) for count in apart["players"].unique(maintain_order=True)}
        figure = Curves(curve, names, words("axis.attempt"), words("col.distance"), percent=not unit, words=words)
        caption = words("caption.distances_payoff" if unit else "caption.distances")
        blocks.append(Picture(f"distance-{game}", title, figure, caption))
    columns = [replace(one, kind="score") if unit and one.kind == "apart" else one for one in COLUMNS]
    blocks.append(table(words, f"log-{game}", words("table.log"), rows, columns, words("caption.log")))
    return Section(game, _title(game), (), tuple(blocks))


# --- The index of a project folder: its pages with their first sentences, and what was tried ---


HEAD = 64_000
"""Number of bytes of a page that are read to recognise it."""

MOST = 1000
"""Largest number of pages in an index."""

INDEX = "index.html"


class _Head(HTMLParser):
    """The title of a page, its generator, and its description."""

    def __init__(self) -> None:
        super().__init__()
        self.title, self.meta, self._inside = "", dict[str, str](), False

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """Read the attributes of a tag in the head."""
        self._inside = tag == "title" and not self.title
        told = dict(attrs)
        if tag == "meta":
            self.meta[told.get("name") or ""] = told.get("content") or ""

    def handle_endtag(self, tag: str) -> None:
        """End the title."""
        self._inside = False

    def handle_data(self, data: str) -> None:
        """Read the title."""
        if self._inside:
            self.title += data


def pages_in(folder: Path) -> list[tuple[str, str, str]]:
    """Return the pages in a folder that Equipoise made, newest first: relative path, title, and first sentence.

    Folders are searched to the same depth as for the log, links are not followed, and only the beginning of each page
    is read.
    """
    found: list[Path] = []
    level = [folder]
    for _ in range(DEEP + 1):
        inside = [path for here in level for path in sorted(here.iterdir()) if not path.is_symlink()]
        found += [path for path in inside if path.suffix == ".html" and path.name != INDEX and path.is_file()]
        level = [path for path in inside if path.is_dir()]
    made = []
    for path in sorted(found, key=lambda path: path.stat().st_mtime, reverse=True)[:MOST]:
        head = _Head()
        with path.open("rb") as file:
            head.feed(file.read(HEAD).decode("utf-8", "replace"))
        if head.meta.get("generator", "").startswith("Equipoise"):
            title, said = head.title or path.name, head.meta.get("description", "")
            made.append((path.relative_to(folder).as_posix(), _on_one_line(title), _on_one_line(said)))
    return made


def _on_one_line(text: str) -> str:
    return printable(" ".join(text.split()))


def compose_index(
    pages: Sequence[tuple[str, str, str]], entries: Sequence[Entry], problems: Sequence[str], words: Words
) -> Report:
    """Return the index of a folder.

    entries, problems: The results of `analysis.design_log.read_log`.
    """
    log = compose_log(entries, problems, words)
    listed = Section("pages", words("index.pages"), (), (Links(tuple(pages)),))
    return replace(
        log,
        title=words("index.title"),
        subtitle=words("index.subtitle"),
        facts=((words("index.pages"), words.number(len(pages), ",")), *log.facts),
        sections=(*((listed,) if pages else ()), *log.sections),
    )
