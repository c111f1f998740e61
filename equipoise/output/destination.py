"""Where the files of an experiment go: one folder, kept from other processes until they are written."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from equipoise.files import claimed
from equipoise.output.pages import check
from simcore.errors import UsageError

FORMATS = ("html", "md", "pdf", "png", "csv", "share", "json", "parquet", "none")


@dataclass(frozen=True)
class Destination:
    """Where the files of an experiment go."""

    page: Path  # path of the page, whether or not it is written; the other files are named after it
    chosen: tuple[str, ...]  # the formats
    force: bool  # whether existing files may be replaced


@contextmanager
def destination(
    what: str, game: str, out: Path | None, format_: str, force: bool, more: Sequence[str] = ()
) -> Iterator[Destination | None]:
    """Yield the destination of an experiment's files, or None if nothing is written.

    Problems are reported at once and not after the work.  Other processes do not write there while the block runs.
    `more` gives the names of further files that the experiment writes.

    Raises UsageError if a format is unknown, or existing files or folders are in the way.
    """
    from analysis.runs.folders import free_folder
    from reports.render.outputs import formats, places

    chosen = formats(format_, FORMATS)
    if "none" in chosen:
        if len(chosen) > 1 or out is not None:
            raise UsageError("'none' writes nothing; leave out the folder and the other formats", "format")
        yield None
        return
    folder = out or free_folder(Path("runs"), f"{game}-{what}")
    if folder.suffix in (".html", ".json", ".md"):
        raise UsageError(f"{folder} names a file; name a folder for {what}.html and the other files", "out")
    if folder.exists() and not folder.is_dir():
        raise UsageError(f"{folder} is not a folder; name another", "out")
    page = folder / f"{what}.html"
    files, folders = places(page, chosen)
    files += [page.with_suffix(f".{name}") for name in ("json", "parquet") if name in chosen]
    check([*files, *(page.with_name(name) for name in more)], folders, force)
    with claimed(page):
        yield Destination(page, chosen, force)
