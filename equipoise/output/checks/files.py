"""The files of a check, and what each of them contains."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from simcore.errors import UsageError

if TYPE_CHECKING:
    from analysis.check.checking import Check


@dataclass(frozen=True)
class Outputs:
    """Files to write, by their contents."""

    json: Path | None
    junit: Path | None
    markdown: Path | None
    gitlab: Path | None
    page: Path | None
    lang: str
    command: Sequence[str]
    force: bool

    def check(self) -> None:
        """Report before the work what would fail after it."""
        from equipoise.files import check_file

        named: dict[Path, str] = {}
        for option, path in self.files().items():
            check_file(path, self.force, option)
            if not path.parent.is_dir():
                raise UsageError(f"{option}: {path} cannot be written: No such file or directory: {path.parent}")
            if option == "--page" and path.suffix != ".html":
                raise UsageError(f"{option}: {path}: the name of a page ends in .html")
            if named.setdefault(path.resolve(), option) != option:
                raise UsageError(f"{option}: {path} is also the file of {named[path.resolve()]}; name another")

    def files(self) -> dict[str, Path]:
        """Return the files by option."""
        given = {
            "--out": self.json,
            "--junit": self.junit,
            "--markdown": self.markdown,
            "--gitlab": self.gitlab,
            "--page": self.page,
        }
        return {option: path for option, path in given.items() if path is not None}

    def write(self, checks: Sequence[Check]) -> None:
        """Write the files."""
        from equipoise.files import whole_file
        from equipoise.output.checks.annotations import gitlab
        from equipoise.output.checks.junit import junit
        from equipoise.output.checks.markdown import markdown
        from equipoise.output.checks.telling import table

        make: dict[str, Callable[[Sequence[Check]], str]] = {
            "--out": lambda checks: json.dumps(table(checks), indent=2) + "\n",
            "--junit": junit,
            "--markdown": markdown,
            "--gitlab": gitlab,
            "--page": self._page,
        }
        for option, path in self.files().items():
            with whole_file(path, self.force, option) as write:
                write(make[option](checks).encode())

    def _page(self, checks: Sequence[Check]) -> str:
        from reports.pages.check import compose_checks
        from reports.render.html import to_html
        from reports.words import Words

        return to_html(compose_checks(checks, Words(self.lang), self.command))
