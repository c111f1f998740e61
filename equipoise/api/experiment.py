"""What `eq.tournament`, `eq.restrict` and other experiments return: results, their page, and their files."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from html import escape
from pathlib import Path
from typing import TYPE_CHECKING, Any

from analysis.pictured import Pictured
from equipoise.process import command_line

if TYPE_CHECKING:
    import polars as pl

    from analysis.data.results import Result
    from equipoise.output.pages import Destination
    from reports.figures.base import Figure
    from reports.page import Report
    from reports.words import Words
    from simcore.rules.files import Rules


@dataclass(frozen=True, eq=False)
class Experiment(Pictured):
    """The results of one experiment, such as a tournament."""

    what: str  # kind of the experiment, such as "tournament" or "restrict"
    results: tuple[Any, ...]  # the results, usually one for each number of players; each has tables
    rules: Rules  # the rules of the games
    compose: Callable[..., Report]  # function that makes the page from the words of a language and a command line
    command: tuple[str, ...] = field(default_factory=command_line)
    """Command line to show in the documents; empty if a function was called from Python."""
    _pages: dict[str, Report] = field(default_factory=dict, init=False, repr=False)  # by language, once composed

    @property
    def table(self) -> pl.DataFrame:
        """The main table of the first result."""
        first: Result = self.results[0]
        return first.to_polars()

    @property
    def verdicts(self) -> list[str]:
        """The conclusions as sentences, most important first."""
        from reports.study.study import words_of
        from reports.words import ENGLISH

        words = words_of(self.rules.game_name, self.rules, ENGLISH)
        return [words.verdict(verdict) for one in self.results for verdict in one.verdicts]

    def report(self, lang: str = "en") -> Report:
        """Return the page in English ("en") or French ("fr")."""
        from reports.words import Words

        if lang not in self._pages:
            self._pages[lang] = self.compose(Words(lang), self.command)
        return self._pages[lang]

    def figures(self, lang: str = "en") -> dict[str, Figure]:
        """Return the figures of the page by name, in order."""
        from reports.study.plots import by_name

        return by_name(self.report(lang).pictures)

    def save(
        self, folder: str | Path, formats: str = "html,json,parquet", lang: str = "en", force: bool = False
    ) -> list[Path]:
        """Write the page and the results into a folder, and return the paths of the files.

        Parameters
        ----------
        folder
            Folder to write into.
        formats
            Formats to write, separated by commas: html, md, pdf, png, csv, share, json, parquet.
        lang
            Language of the page, "en" or "fr".
        force
            Whether existing files may be replaced.

        Raises
        ------
        UsageError
            If a format is unknown, or existing files or folders are in the way.
        """
        from equipoise.output.pages import destination

        with destination(self.what, self.rules.game_name, Path(folder), formats, force) as place:
            return self.write(place, lang) if place else []

    def write(self, place: Destination, lang: str) -> list[Path]:
        """Write the files to a destination, and return their paths."""
        from equipoise.output.pages import write
        from reports.render.outputs import files

        def everything() -> Iterator[tuple[Path, Callable[[], bytes]]]:
            yield from files(self.report(lang), place.page, place.chosen)
            if "json" in place.chosen:
                yield place.page.with_suffix(".json"), lambda: json.dumps(self.to_dict(), indent=2).encode()
            if "parquet" in place.chosen:
                yield place.page.with_suffix(".parquet"), self.parquet
            yield from ((place.page.with_name(name), make) for name, make in self.more_files())

        return write(everything(), place.page, place.force)

    def to_dict(self) -> dict[str, Any]:
        """Return all results, with every table in full, as plain values: one entry for each number of players."""
        from analysis.runs.manifest import versions
        from reports.study.study import words_of
        from reports.words import ENGLISH

        first = self.results[0].inputs[0]
        words = words_of(first.game, self.rules, ENGLISH)
        return {
            "game": first.game,
            "rules": self.rules.name,
            "rules_digest": self.rules.digest,
            "settings": list(self.rules.settings),
            "seed": first.seed,
            "command": ["equipoise", *self.command],
            "versions": versions(),
            "levels": self.levels(),
            "results": [_plain(result, words) for result in self.results],
        }

    def levels(self) -> list[dict[str, Any]]:
        """Return which levels of play the verdicts hold at: an entry for each number of players that has its own."""
        report = self.report()
        return [one.to_dict(report.words) for one in report.heard]

    def played(self) -> pl.DataFrame:
        """Return what the Parquet file holds, unless a question says otherwise: the last table of each result."""
        import polars as pl

        last: list[pl.DataFrame] = [list(result.tables.values())[-1] for result in self.results]
        counts = [{one.players for one in result.inputs} for result in self.results]
        if "players" not in last[0].columns and all(len(count) == 1 for count in counts):
            marks = [pl.lit(count.pop(), pl.Int64).alias("players") for count in counts]
            last = [table.select(players, pl.all()) for players, table in zip(marks, last, strict=True)]
        return pl.concat(last)

    def parquet(self) -> bytes:
        """Return the Parquet file of everything that was played; it says in its metadata who wrote it."""
        from analysis.table_files import parquet_of

        return parquet_of(self.played())

    def more_files(self) -> Iterator[tuple[str, Callable[[], bytes]]]:
        """Yield the names of further files that are written next to the page, with functions that make their bytes."""
        return iter(())

    def __repr__(self) -> str:
        return f"<Experiment {self.what} of {self.rules.game_name}: {self.verdicts[0]}>"

    def _repr_html_(self) -> str:
        return notebook_html(
            f"{self.what} of {self.rules.game_name}", self.verdicts, [one.to_polars() for one in self.results]
        )


def _plain(result: Result, words: Words) -> dict[str, Any]:
    """Return a result as plain values, with its sentences in the words of its game."""
    inputs = result.inputs[0]
    return {
        "players": inputs.players,
        "design": inputs.design,
        "games": result.games,
        "deals": result.deals,
        "level": result.level,
        "verdicts": [words.verdict(verdict) for verdict in result.verdicts],
        "notes": [words.note(note) for note in result.notes],
        **{name: frame.to_dicts() for name, frame in result.tables.items()},
    }


# --- How results show themselves in a notebook ---


def notebook_html(title: str, sentences: Iterable[str] = (), tables: Iterable[pl.DataFrame] = ()) -> str:
    """Return HTML: a title, a paragraph for each sentence, and tables."""
    parts = [f"<p><strong>{escape(title)}</strong></p>"]
    parts += [f"<p>{escape(sentence)}</p>" for sentence in sentences]
    from analysis.data.results import first_columns

    parts += [first_columns(table)._repr_html_() for table in tables]
    return "".join(parts)


def framed(page: str, height: int = 720) -> str:
    """Return HTML that shows a whole page inside a notebook, with the page's own style and script."""
    return (
        f'<iframe srcdoc="{escape(page)}" sandbox="allow-scripts" '
        f'style="width:100%;height:{height}px;border:1px solid #ccc"></iframe>'
    )
