"""The pages of docs/, the reference and the gallery in one folder, and Sphinx, which makes a website of them."""

from __future__ import annotations

import fnmatch
import re
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from os.path import normpath
from pathlib import Path

from studies.site import gallery, reference

ROOT = Path(__file__).resolve().parents[2]
CHAPTERS = {
    "The manual": (
        "start-here tutorial change-a-rule find-a-change cards whom-to-believe check bring-your-game your-results "
        "python numbers"
    ),
    "Reference": "reference/commands ../reference/functions ../reference/analyses reference/* ../gallery/index",
    "Findings": "findings/people findings/*",
}
"""The pages of docs/ in the order of the contents; those that no chapter names come last."""

COMMANDS = re.compile(r"^```console\n((?:\$ .*\n)+)```$", re.MULTILINE)
"""A session of commands alone, whose lines may wrap on a phone; what is printed stands in columns."""


def build(out: Path, entries: Sequence[gallery.Entry] = gallery.ENTRIES) -> Path:
    """Build the website, and return its first page.

    out: Folder of the website.
    entries: What the gallery shows.
    Raises subprocess.CalledProcessError if a page cannot be built, or a link on one leads nowhere; Sphinx says where.
    """
    with tempfile.TemporaryDirectory() as folder:
        pages = Path(folder)
        _gather(pages)
        reference.write(pages / "reference")
        gallery.write(pages / "gallery", entries)
        with (pages / "index.md").open("a", encoding="utf-8") as index:
            index.write(_contents(pages))
        shutil.copy(Path(__file__).with_name("conf.py"), pages)
        shutil.copytree(Path(__file__).with_name("static"), pages / "static")
        sphinx = [sys.executable, "-m", "sphinx", "--quiet", "--fail-on-warning", "--keep-going", "--fresh-env"]
        subprocess.run([*sphinx, str(pages), str(out)], check=True, cwd=ROOT)
    return out / "index.html"


def _gather(pages: Path) -> None:
    """Copy what stands in the repository, so that links on GitHub and on the website are the same."""
    shutil.copytree(ROOT / "docs", pages / "docs")
    shutil.copy(ROOT / "README.md", pages / "index.md")
    for name in ("CHANGELOG.md", "CONTRIBUTING.md"):
        shutil.copy(ROOT / name, pages)
    for page in pages.rglob("*.md"):
        text = page.read_text(encoding="utf-8").replace("](../README.md", "](../index.md")
        page.write_text(COMMANDS.sub(r"```shell-session\n\1```", text), encoding="utf-8")


def _contents(pages: Path) -> str:
    """Return the contents of the website, for the end of its first page."""
    rest = {
        page.relative_to(pages).with_suffix("").as_posix()
        for page in pages.rglob("*")
        if page.suffix in (".md", ".rst")
    } - {"index"}
    contents = ""
    for title, names in CHAPTERS.items():
        chapter = []
        for name in names.split():
            pages_of_it = sorted(fnmatch.filter(rest, normpath(f"docs/{name}")))
            rest.difference_update(pages_of_it)
            chapter += pages_of_it
        contents += _chapter(title, chapter)
    return contents + _chapter("More", sorted(rest))


def _chapter(title: str, pages: Sequence[str]) -> str:
    return "\n```{toctree}\n:hidden:\n:caption: " + title + "\n\n" + "\n".join(pages) + "\n```\n"
