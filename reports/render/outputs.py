"""The files of a report, and their contents."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from functools import partial
from pathlib import Path

from analysis.table_files import csv_of
from reports.page import Report
from reports.render.images import attempt

Make = Callable[[], bytes]


def places(page: Path, chosen: Sequence[str]) -> tuple[list[Path], list[Path]]:
    """Return the single files and the folders of a report whose page is, or would be, at `page`."""
    files = [page.with_suffix(f".{name}") for name in ("html", "md", "pdf") if name in chosen]
    files += [summary_of(page)] if "summary" in chosen else []
    files += [share_of(page)] if "share" in chosen else []
    folders = [page.with_name(f"{page.stem}-figures")] if {"png", "md"} & set(chosen) else []
    folders += [page.with_name(f"{page.stem}-data")] if "csv" in chosen else []
    return files, folders


def summary_of(page: Path) -> Path:
    """Return the file of the summary that belongs to a page."""
    return page.with_name(f"{page.stem}-summary.pdf")


def share_of(page: Path) -> Path:
    """Return the picture to share that belongs to a page."""
    return page.with_name(f"{page.stem}-share.png")


def files(
    report: Report, page: Path, chosen: Sequence[str], drawn: Callable[[], object] = lambda: None
) -> Iterator[tuple[Path, Make]]:
    """Yield every file of a report with the function that makes its bytes; `drawn` is called after each figure."""
    from reports.render.html import to_html, to_share
    from reports.render.images import png
    from reports.render.markdown import to_markdown
    from reports.render.pdf import to_pdf, to_summary

    figures, data = page.with_name(f"{page.stem}-figures"), page.with_name(f"{page.stem}-data")
    if "html" in chosen:
        yield page.with_suffix(".html"), lambda: to_html(report, drawn).encode()
    if "md" in chosen:
        yield page.with_suffix(".md"), lambda: to_markdown(report, figures.name).encode()
    if "pdf" in chosen:
        yield page.with_suffix(".pdf"), lambda: to_pdf(report)
    if "summary" in chosen:
        yield summary_of(page), lambda: to_summary(report)
    if "share" in chosen:
        yield share_of(page), lambda: to_share(report)
    if {"png", "md"} & set(chosen):
        for picture in report.pictures:
            image = attempt(picture, report.words.game, partial(png, picture.figure))
            if image is not None:
                yield figures / f"{picture.name}.png", partial(bytes, image)
    if "csv" in chosen:
        for picture in report.pictures:
            yield data / f"figure-{picture.name}.csv", partial(csv_of, picture.figure.data())
        for table in report.tables:
            yield data / f"table-{table.name}.csv", partial(csv_of, table.frame)
