"""The gallery: every figure of some results, and the program that draws it."""

from __future__ import annotations

import contextlib
import re
import tempfile
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import matplotlib as mpl
from matplotlib import pyplot as plt


@dataclass(frozen=True)
class Entry:
    """A result: a heading, and the program that makes it and calls it `found`."""

    title: str
    code: str


RUN = 'run = eq.simulate("middle-ages", games=2000, detail="full", out="run").run\n'
MEND = """\
found = eq.mend(
    free=["starting_coins.4=0..40"], habit=True, games=200, rounds=1, best=1, strategies="greedy"
)"""
SWEEP = 'found = eq.sweep(settings={"effects.mill_coins": [1, 3]}, strategies="greedy", games=1000)'
ENTRIES = (
    Entry("A simulation", 'found = eq.simulate("middle-ages", games=2000)'),
    Entry("A report", f"{RUN}found = eq.report([run], deals=200)"),
    Entry("How close games are", f"{RUN}found = eq.closeness(run)"),
    Entry("How games unfold", f"{RUN}found = eq.drama(run)"),
    Entry("What cards do", 'found = eq.cards("middle-ages", strategies="greedy", quick=True, games=200)'),
    Entry("What a change did", 'found = eq.compare("base", "seat-compensation", habit=True, games=1000)'),
    Entry("What each value does", SWEEP),
    Entry("What would mend it", MEND),
    Entry("Which strategies are strong", 'found = eq.tournament(strategies=["champion", "greedy"], games=2000)'),
    Entry("What a strategy loses", "found = eq.restrict(games=200)"),
    Entry("What depends on skill", "found = eq.skill(players=3, games=500, searched=6)"),
)

SAVED = {"backend": "agg", "svg.hashsalt": "equipoise"}
"""Without a window, and with equal bytes each time."""


def write(folder: Path, entries: Sequence[Entry] = ENTRIES) -> None:
    """Draw the figures of all entries, and write the page that shows them."""
    folder.mkdir(parents=True)
    page = ["# Gallery\n\nEvery kind of figure, with the program that draws it. The games are few here.\n"]
    for number, entry in enumerate(entries):
        page.append(f"\n## {entry.title}\n\n```python\nimport equipoise as eq\n\n{entry.code}\n```\n")
        for name, picture in _drawn(entry.code, folder, str(number + 1)).items():
            page.append(f'\n### {name}\n\n```python\nfound.plot(name="{name}")\n```\n\n![{name}]({picture})\n')
    (folder / "index.md").write_text("".join(page), encoding="utf-8")


def _drawn(code: str, folder: Path, prefix: str) -> dict[str, str]:
    """Return the files of one figure of each kind of a result, by their names."""
    names: dict[str, Any] = {}
    with tempfile.TemporaryDirectory() as elsewhere, contextlib.chdir(elsewhere), mpl.rc_context(SAVED):
        exec(compile(f"import equipoise as eq\n{code}", "gallery", "exec"), names)
        files: dict[str, str] = {}
        kinds = set()
        for name in names["found"].figures():
            kind = re.sub(r"-\d+", "", name)
            if kind in kinds:
                continue
            kinds.add(kind)
            files[name] = f"{prefix}-{kind}.svg"
            figure = names["found"].plot(name=name).figure
            figure.savefig(folder / files[name], bbox_inches="tight", facecolor="white", metadata={"Date": None})
            plt.close(figure)
    return files
