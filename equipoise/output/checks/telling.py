"""The words and plain tables of a check, for every format in which it is written."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from analysis.check.checking import EXIT_CODES, Change, Check
from analysis.check.claims import Finding, family_of, margin_text, overall, value_text
from reports.words import ENGLISH
from simcore.toml_tables import shown

FORMAT = "equipoise-check/1"
NOT_THE_VERDICT = (
    "This is not the verdict of the baseline, because the option 'seed' chose the deals. Run the check without it for "
    "the verdict; its deals are derived from the digests."
)


def sentence(finding: Finding) -> str:
    """Return a finding as one sentence."""
    claim = finding.claim
    start = f"{claim.name} at {claim.players} players"
    if finding.now is None:
        return f"{start}: " + ("no longer exists" if finding.verdict == "fail" else "occurs in too few deals")
    said = f"{start}: {value_text(finding.now, claim.is_share)}"
    if finding.before is None or finding.low is None:
        return said
    if claim.name.startswith("no_dominant"):
        kind = "of the wins"
    else:
        kind = f"compared with {value_text(finding.before, claim.is_share)} before" if claim.kind == "measure" else ""
    word = {"fail": "more than the", "pass": "within the", "inconclusive": "which may or may not be within the"}
    shift = f"a shift of {shift_text(finding)}" if claim.kind == "measure" else shift_text(finding)
    return f"{said} {kind}; {shift}, {word[finding.verdict]} {allowed_text(finding)} allowed"


def shift_text(finding: Finding) -> str:
    """Return a measure's distance from its reference, with the half-width of the interval."""
    assert finding.shift is not None
    is_share = finding.claim.is_share
    if finding.high is None:
        return margin_text(finding.shift, is_share, sign=True)
    half = margin_text(finding.high - finding.shift, is_share)
    return f"{margin_text(finding.shift, is_share, sign=True).removesuffix(' pp')} ± {half}"


def allowed_text(finding: Finding) -> str:
    """Return the allowed distance."""
    return margin_text(finding.claim.high, finding.claim.is_share)


CHANGED = {
    "rules": "The rules changed",
    "strategies": "The strategies changed",
    "code": "The code plays differently with the rules and strategies as they were",
    "stream": "Other stream, compared statistically",
}


def change_text(change: Change) -> str:
    """Return a change as one sentence."""
    said = ", ".join(f"{one.key}: {_value(one.old)} -> {_value(one.new)}" for one in change.details)
    return CHANGED[change.kind] + (f": {said}" if said else "") + "."


def _value(value: Any) -> str:
    if value is None:
        return "nothing"
    return f"{value:g}" if isinstance(value, float) else shown(str(value), 80)


def causes(check: Check) -> Iterator[str]:
    """Yield one sentence for each change, and for each strategy that was not tuned for it."""
    yield from (change_text(change) for change in check.changes)
    for change in check.unmoved:
        none = f"It altered none of the {check.golden_games:,} golden games; the option 'full' judges it by more."
        yield f"{change_text(change)} {none}"
    yield from (str(player) for player in check.retuned)
    yield from map(ENGLISH.note, check.notes)


def compared(check: Check) -> str:
    """Return a sentence on what was compared with what."""
    if check.against == "digests":
        games = f"{check.golden_games:,} games"
        return f"Digests of {games} are as in the baseline: any change of an outcome in these games would show."
    alarms = (
        f"false alarms at most {check.baseline.choices.judge.false_alarms:.0%}, all {len(check.findings)} measures "
        "together."
    )
    if check.results:
        return (
            f"Judged by {check.games:,} real games, from {shown(check.results)}, against the values in the file; no "
            f"simulation stands behind them; {alarms}"
        )
    what = {
        "paired": "the same fresh deals played as things are now and as they were",
        "stored": "fresh deals against the values in the file",
    }
    return f"Judged by {what[check.against]}, {check.games:,} games, seed {check.seed}; {alarms}"


def smallest(check: Check) -> str | None:
    """Return the smallest shift of each family that the check could have found, if it played games."""
    most: dict[str, tuple[float, bool]] = {}
    for finding in check.findings:
        if finding.smallest is not None and finding.claim.kind == "measure":
            family = family_of(finding.claim.name)
            size = max(finding.smallest, most.get(family, (0.0, False))[0])
            most[family] = (size, finding.claim.is_share)
    if not most:
        return None
    said = ", ".join(f"{family} {margin_text(size, share)}" for family, (size, share) in most.items())
    return f"Smallest shift that would have been found 19 times out of 20: {said}."


def conclusion(check: Check) -> str:
    """Return the verdict as one line."""
    count = len(check.findings)
    if check.verdict == "fail":
        return f"FAIL: {len(check.failed)} of {count} measures moved too far."
    if check.verdict == "inconclusive":
        undecided = len(check.undecided)
        verb = "is" if undecided == 1 else "are"
        return f"INCONCLUSIVE: {undecided} of {count} measures {verb} too close to call; play more games."
    if check.against == "digests" and not check.changes:
        return "PASS: the game plays as it did."
    if count == 1:
        return "PASS: the measure is within its margin."
    return f"PASS: all {count} measures are within their margins."


def table(checks: Sequence[Check]) -> dict[str, Any]:
    """Return checks as plain tables, for JSON."""
    verdict = overall(finding for check in checks for finding in check.findings)
    return {
        "format": FORMAT,
        "verdict": verdict,
        "exit_code": EXIT_CODES[verdict],
        "checks": [_check(check) for check in checks],
    }


def _check(check: Check) -> dict[str, Any]:
    changes = {"changes": check.changes, "changes_without_effect": check.unmoved}
    return {
        "baseline": str(check.baseline.path),
        "game": check.baseline.choices.game,
        "verdict": check.verdict,
        "against": check.against,
        **{
            key: [
                {
                    "kind": change.kind,
                    "details": [{"key": item.key, "old": item.old, "new": item.new} for item in change.details],
                }
                for change in group
            ]
            for key, group in changes.items()
        },
        "habits": [habit.to_dict() for habit in check.habits],
        "retuned": [player.to_dict() for player in check.retuned],
        "false_alarms": check.baseline.choices.judge.false_alarms,
        "results": check.results,
        "seed": check.seed,
        "chosen_seed": check.chosen_seed,
        "golden_games": check.golden_games,
        "games": check.games,
        "seconds": round(check.seconds, 3),
        "findings": [_finding(finding) for finding in check.findings],
    }


def _finding(finding: Finding) -> dict[str, Any]:
    claim = finding.claim
    return {
        "players": claim.players,
        "measure": claim.name,
        "kind": claim.kind,
        "unit": "share" if claim.is_share else "number",
        "verdict": finding.verdict,
        "reference": claim.reference.value,
        "reference_error": claim.reference.error,
        "now": finding.now,
        "shift": finding.shift,
        "low": finding.low,
        "high": finding.high,
        "allowed_low": claim.low,
        "allowed_high": claim.high,
        "z_low": finding.z[0] if finding.z else None,
        "z_high": finding.z[1] if finding.z else None,
        "smallest": finding.smallest,
        "deals": finding.deals,
    }


def described(check: Check) -> str:
    """Return a check as lines: what changed, what does not pass, and the verdict."""
    loud = [sentence(finding) for finding in (*check.failed, *check.undecided)]
    return "\n".join([check.baseline.label, *causes(check), *loud, compared(check), conclusion(check)])
