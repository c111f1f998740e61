"""What is verified for a release: `python -m tests.verification` runs it and writes docs/findings/verification.md.

Each part is stored when it ends, so that the program goes on where it was stopped.  Without names it runs the parts
that have no result for the present code.

    python -m tests.verification --list
    python -m tests.verification theory null-games
"""

from __future__ import annotations

import argparse
import hashlib
import json
import re
import subprocess
import sys
import tempfile
import time
from collections.abc import Mapping, Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, NamedTuple
from xml.etree import ElementTree

from studies.measured import stamped

ROOT = Path(__file__).resolve().parents[2]
RESULTS = Path(__file__).with_name("results.json")
PAGE = ROOT / "docs/findings/verification.md"
SCOPES = {"games": ("simcore", "strategies", "configs")}
SCOPES["statistics"] = (*SCOPES["games"], "analysis")
SCOPES["toolkit"] = ("simcore", "strategies", "analysis", "reports", "equipoise", "configs")
"""What a part can test: the rooms whose files it reaches, as no room imports from one above it."""

NOT_RUN = "not run"

HEAD = """\
# What was verified

Every part below is run for every release. It is stored when it ends, and run again only if what it tests has changed
since: the games, the games and their statistics, or the whole toolkit.

| part | question | tests | result | date | time |
|---|---|---|---|---|---:|\
"""
CODE = "Digest of the toolkit's files: {}.{}"
OLDER = " A result is called older where what it tests has changed since."
NOT_TRIED = """\
## What was not tried

- **Other machines.** Everything above ran on Linux with an x86-64 processor. Tests imitate what Windows lacks, and a
  kernel cache that comes from another processor; neither was seen there.
- **Other versions of Python.** The tests ran with Python 3.11. With 3.12 and 3.13, only `self-test` (all 22 answers
  were right) and a run of 2,000 games with `verify` were tried.
- **Every command while the clock jumps.** `simulate`, `sweep`, `tournament` and `tune` give the same results while the
  date jumps by years. No module that plays or judges asks for the date, so the other commands were not tried so. Only
  budgets of time, such as `--retune 60s`, let a result depend on a clock.
- **The largest runs to their end.** A billion games by `--detail summary`, and a sweep of 10,000 cells, the most that
  are allowed, are begun and stopped, and the games are continued. Neither was played to its end.\
"""


class Part(NamedTuple):
    """A part of the verification.

    asks: The question that it answers.
    tests: Files and folders with its tests.
    scope: What they test.
    """

    asks: str
    tests: tuple[str, ...]
    scope: str = "toolkit"


def _own(*names: str) -> tuple[str, ...]:
    return tuple(f"tests/verification/test_{name}.py" for name in names)


PARTS = {
    "theory": Part(
        "Do statistics, ratings and random streams give the values that theory and published tables give?",
        ("tests/analysis/stats", "tests/analysis/ratings", "tests/simcore/kernel/test_streams.py",
         "tests/test_kuhn.py"),
    ),
    "referees": Part(
        "Do programs that were written from the rulebooks alone find a fault in the games, and in planted falsehoods?",
        ("tests/referee",),
        "games",
    ),
    "null-games": Part("How often is something found in games in which there is nothing to find?",
                       _own("null_games"), "statistics"),
    "agreement": Part("How often do levels of play falsely agree or contradict each other?",
                      _own("agreement"), "statistics"),
    "coverage": Part("Do 95 % intervals contain the truth 95 % of the time?", _own("coverage", "luck")),
    "coverage-of-precision": Part("Do they in runs that end at a precision?", _own("precision"), "statistics"),
    "coverage-of-compare": Part("Do those of `compare`?", _own("compare"), "statistics"),
    "coverage-of-tables": Part("Do those of seats in tables whose strong people like one seat?",
                               _own("tables"), "statistics"),
    "playtest": Part("Does `playtest` hold what its probabilities promise?", _own("playtest"), "statistics"),
    "check": Part("Does `check` find planted changes, and stay silent otherwise?", _own("check")),
    "mend": Part("Does `mend` leave the seats of Middle-Ages within a point of par on average?", _own("mend")),
    "players": Part("Does looking ahead, and looking at more tables, make no player weaker?",
                    _own("searchers"), "games"),
    "openspiel": Part("Is every game of OpenSpiel played alike twice, or refused in a sentence?", _own("openspiel")),
    "door-speed": Part("Does the door for OpenSpiel play at least 75 % of a bare loop's games?", _own("door_speed")),
    "time-left": Part("Is the time left that a report announces right within a factor of two?", _own("time_left")),
    "faults": Part(
        "Is every file right if any write, sync, rename or import fails, or memory ends anywhere?", _own("failing")
    ),
    "damage": Part("Is every damage of a run found, and is a killed run continued to the same result?",
                   _own("damage", "resume")),
    "outputs": Part("Do all commands say and write what they did before?", _own("outputs")),
    "older-packages": Part("Do packages of an older version play the same games?", _own("packages")),
    "repeats": Part("Do commands that are given twice, or killed and given again, come to the same results?",
                    _own("repeats")),
    "limits": Part("Does every command end with one line where memory, files or disk are short?", _own("limits")),
    "mutations": Part("Do the tests notice if a line of the statistics is changed?", _own("mutations")),
    "logs-of-middle-ages": Part("Does the referee find a fault in thousands of games?",
                                _own("middle_ages_logs"), "games"),
    "logs-of-fief-2": Part("Does it in Fief 2?", _own("fief_2_logs"), "games"),
    "logs-of-medievallons": Part("Does it in Médiévallons?", _own("medievallons_logs"), "games"),
    "logs-of-seigneurial": Part("Does it in Seigneurial?", _own("seigneurial_logs"), "games"),
}  # fmt: skip

CODES = "codes"
Results = Mapping[str, Mapping[str, Any]]


def code(scope: str) -> str:
    """Return a digest of all files of rooms."""
    digest = hashlib.sha256()
    for room in SCOPES[scope]:
        for path in sorted((ROOT / room).rglob("*")):
            if path.suffix in (".py", ".toml", ".html", ".css", ".js"):
                digest.update(path.read_bytes())
    return digest.hexdigest()[:12]


def stored() -> dict[str, dict[str, Any]]:
    """Return the results that are stored, by part, and the digests of that time, by scope."""
    found: dict[str, dict[str, Any]] = json.loads(RESULTS.read_text(encoding="utf-8")) if RESULTS.exists() else {}
    return {name: found[name] for name in (*PARTS, CODES) if name in found}


def carry_out(name: str) -> dict[str, Any]:
    """Run the tests of a part, and return its result."""
    began, present = time.perf_counter(), code(PARTS[name].scope)
    with tempfile.TemporaryDirectory() as folder:
        told, places = Path(folder, "junit.xml"), Path(folder, "tests")
        options = ["-q", "-p", "no:cacheprovider", f"--junitxml={told}", "-o", "junit_logging=system-out"]
        options.append(f"--basetemp={places}")
        subprocess.run([sys.executable, "-m", "pytest", *options, *PARTS[name].tests], cwd=ROOT, check=False)
        (suite,) = ElementTree.parse(told).getroot()
    spoken = "\n".join(case.findtext("system-out") or "" for case in suite)
    spoken = re.sub(rf"{re.escape(str(places))}/[^/\s]+/", "", spoken)  # no place of this machine on the page
    counts = {key: int(suite.get(key, 0)) for key in ("tests", "failures", "errors", "skipped")}
    failed = counts["failures"] + counts["errors"]
    return {
        "date": datetime.now(UTC).date().isoformat(),
        "seconds": round(time.perf_counter() - began),
        "code": present,
        "passed": counts["tests"] - failed - counts["skipped"],
        "failed": failed,
        "skipped": counts["skipped"],
        "figures": [line for line in spoken.splitlines() if line.strip() and not line.startswith("-----")],
    }


def page(results: Results) -> str:
    """Return the page of results."""
    lines, codes, older = [HEAD], results.get(CODES, {}), False
    for name, part in PARTS.items():
        result = results.get(name)
        cells = [NOT_RUN, "", ""] if result is None else [_result(result), result["date"], _time(result)]
        if result and result["code"] != codes.get(part.scope):
            cells[0], older = f"{cells[0]} (older)", True
        shown = f"[{name}](#{name})" if result and result["figures"] else name
        lines.append("| " + " | ".join([shown, part.asks, part.scope, *cells]).rstrip() + " |")
    lines += ["", CODE.format(codes.get("toolkit"), OLDER if older else "")]
    parts = {name: results[name] for name in PARTS if name in results}
    for name, result in parts.items():
        if result["figures"]:
            lines += ["", f"## {name}", "", "```text", *result["figures"], "```"]
    return stamped("verification", "\n".join([*lines, "", NOT_TRIED]) + "\n", [one["date"] for one in parts.values()])


def _result(found: Mapping[str, Any]) -> str:
    told = [f"**{found['failed']} failed**"] if found["failed"] else []
    told += [f"{found[key]} {key}" for key in ("passed", "skipped") if found[key]]
    return ", ".join(told) or "**nothing ran**"


def _time(found: Mapping[str, Any]) -> str:
    return f"{found['seconds']} s" if found["seconds"] < 120 else f"{found['seconds'] / 60:.0f} min"


def main(arguments: Sequence[str] | None = None) -> int:
    """Run parts, and return 1 if one of them failed."""
    parser = argparse.ArgumentParser(
        prog="python -m tests.verification", description=(__doc__ or "").partition("\n")[0]
    )
    parser.add_argument("parts", nargs="*", metavar="PART", help="parts to run, also where they have a result")
    parser.add_argument("--list", action="store_true", help="name the parts, and run nothing")
    given = parser.parse_args(arguments)
    unknown = [name for name in given.parts if name not in PARTS]
    if unknown:
        parser.error(f"no part {unknown[0]!r}; --list names them")
    present, results = {scope: code(scope) for scope in SCOPES}, stored()
    if given.list:
        for name, part in PARTS.items():
            print(f"{name:<24}{_result(results[name]) if name in results else NOT_RUN:<24}{part.asks}")
        return 0
    due = [name for name, part in PARTS.items() if results.get(name, {}).get("code") != present[part.scope]]
    for name in given.parts or due:
        print(f"{name}: {PARTS[name].asks}", flush=True)
        made = {name: carry_out(name), CODES: present}
        results = {one: found for one in (*PARTS, CODES) if (found := made.get(one) or stored().get(one))}
        RESULTS.write_text(json.dumps(results, indent=2, ensure_ascii=False) + "\n", encoding="utf-8")
        PAGE.write_text(page(results), encoding="utf-8")
    return int(any(found["failed"] or not found["passed"] for name, found in results.items() if name in PARTS))


if __name__ == "__main__":
    sys.exit(main())
