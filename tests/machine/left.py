"""What a command left behind when something failed under it: how it ended, and whether its files can be trusted."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from pathlib import Path

from tests.machine.limited import NOTE

CACHE = "cache"
"""Folder of stored results, which are no result of a command."""

MANIFEST = "run/manifest.json"

PASSING = re.compile(rb'("(?:started|seconds|manifest_sha256|again)": ).+?(,?\n)')
"""Values in JSON that two results of the same games need not have in common."""

STORED = re.compile(
    rb'(<li>|\n- |\s*")[\d,]+ of [\d,]+ games were played before and are not played again\.(</li>|",?)?'
    rb"|;base64,[^\"]+|\((?:up to|about) [^()]*\)"
)
"""What a result says about games that were stored, in a page also in its files of all columns; and about how long the
next step takes on this machine."""

Content = Mapping[str, bytes]


def content(folder: Path) -> Content:
    """Return all files of a folder, without what two runs of the same games need not have in common."""
    return {
        str(path.relative_to(folder)): STORED.sub(b"", PASSING.sub(rb"\1null\2", path.read_bytes()))
        for path in folder.rglob("*")
        if path.is_file() and path.relative_to(folder).parts[0] != CACHE
    }


def wrong_end(code: int | None, error: str, others_speak: bool = False) -> Iterator[str]:
    """Yield what is wrong with how a command ended.

    code: Its exit code; None if it did not end.
    error: What it wrote to standard error.
    others_speak: Whether libraries may have written something before.
    """
    lines = [line for line in error.splitlines() if not NOTE.match(line)]
    if code not in (0, 2):
        yield f"it ends with {code}: {error}"
    elif code == 2 and not (lines and lines[-1].startswith("error: ")):
        yield f"it ends without a line of its own: {error!r}"
    elif not others_speak and len(lines) != (code == 2):
        yield f"it ends with {code} and says {error!r}"


def wrong_files(found: Content, before: Content, expected: Content, whole: bool, spent: bool = False) -> Iterator[str]:
    """Yield what is wrong with the files that a command left.

    found, before, expected: Files as they are, as they were before, and as they must be in the end.
    whole: Whether the result must be complete.
    spent: Whether the process had no memory to remove what it had begun, or to say how it ended.
    """
    for name, data in found.items():
        if Path(name).name.startswith("."):
            if not spent:
                yield f"{name} stays"
        elif data == expected.get(name) or (not whole and data == before.get(name)):
            continue
        elif name == MANIFEST and not whole:
            yield from _wrong_manifest(data, found, spent)
        else:
            yield f"{name} is not as expected"
    for name in expected if whole else before:
        if name not in found:
            yield f"{name} is missing"


def _wrong_manifest(data: bytes, found: Content, spent: bool) -> Iterator[str]:
    """Yield what is wrong with the manifest of a run that ended early."""
    manifest = json.loads(data)
    if manifest["status"] not in (("failed", "running", "interrupted") if spent else ("failed",)):
        yield f"the run says {manifest['status']}"
    if manifest["digest"] is not None:
        yield "the run has a digest"
    for part in manifest["parts"]:
        if f"run/{part['file']}" not in found:
            yield f"{part['file']} is listed and missing"
