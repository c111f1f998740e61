"""What a check says, for its page, the terminal and the files of builds alike."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from analysis.check.checking import Change, Check
from reports.words import Words
from simcore.errors import shown


def conclusion(words: Words, check: Check) -> str:
    """Return the verdict in words."""
    broken = sum(one.claim.kind == "limit" for one in check.failed)
    moved, measures = len(check.failed) - broken, sum(one.claim.kind == "measure" for one in check.findings)
    count, key, of = moved, "both" if broken and moved else "broken" if broken else "fail", measures
    if check.verdict == "inconclusive":
        count, key, of = len(check.undecided), "inconclusive", len(check.findings)
    elif check.verdict == "pass":
        same = check.played_alike and not check.changes
        count, key, of = len(check.excused), "same" if same else "pass", len(check.findings)
        key = "allowed" if check.excused else key
    return words(f"check.{key}", broken=broken, count=count, of=of)


def compared(words: Words, check: Check) -> str:
    """Return what was compared with what."""
    key, results = ("results", shown(check.results)) if check.results else (check.against, "")
    games = check.golden_games if key == "digests" else check.games
    said = words(f"check.{key}", games=games, seed=str(check.seed), results=results)
    if check.played_alike:
        return said
    if check.level_games:
        said = f"{said} {words('check.levels', games=check.level_games, seed=str(check.seed))}"
    alarms = words("check.alarms", alarms=100 * check.baseline.choices.judge.false_alarms, of=len(check.findings))
    return f"{said} {alarms}"


def change_text(words: Words, change: Change) -> str:
    """Return a change as one sentence."""
    details = ", ".join(f"{one.key}: {_value(one.old)} -> {_value(one.new)}" for one in change.details)
    what = words(f"check.{change.kind}")
    return words("check.change", what=what, details=details) if details else f"{what}."


def causes(words: Words, check: Check) -> Iterator[str]:
    """Yield one sentence for each change, and for each strategy that was not tuned for it."""
    yield from (change_text(words, change) for change in check.changes)
    for change in check.unmoved:
        yield words("check.unmoved", change=change_text(words, change), games=check.golden_games)
    yield from (str(player) for player in check.retuned)
    yield from map(words.note, check.notes)


def _value(value: Any) -> str:
    if value is None:
        return "–"
    return f"{value:g}" if isinstance(value, float) else shown(str(value), 80)
