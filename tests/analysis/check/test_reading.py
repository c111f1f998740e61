"""What a baseline file may say, what it says of its measurement, and where; what was measured cannot be edited."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from analysis.check.baseline import choices_of, current, read_baseline, rules_digest, signed
from analysis.check.checking import check, golden_digest
from analysis.runs.manifest import code_of_game, versions
from simcore.errors import UsageError
from simcore.kernel.streams import STREAM_VERSION
from tests.analysis.check.conftest import HEAD, Spoil


@pytest.mark.parametrize(
    ("line", "right", "wrong"),
    [
        ("seed = {}", 0, -1), ("seed = {}", 2**64 - 1, 2**64), ("games = {}", 1000, 999),
        ("[judge]\nfalse_alarms = {}", 0.499, 0.5), ("[limits]\nno_dominant_strategy = {}", 0.999, 1.0),
    ],
)  # fmt: skip
def test_numbers_reach_to_the_end_of_their_range(line: str, right: float, wrong: float) -> None:
    head = 'format = "equipoise-baseline/1"\ngame = "middle-ages"\nplayers = [2]\n'
    choices_of(head + line.format(right), Path("b.toml"))
    with pytest.raises(UsageError, match=r"^b\.toml: .*must be"):
        choices_of(head + line.format(wrong), Path("b.toml"))


def test_what_is_not_measured_cannot_be_checked() -> None:
    with pytest.raises(UsageError, match=r"^b\.toml: nothing is measured yet; run: equipoise check --update b\.toml"):
        check(choices_of(HEAD, Path("b.toml")))


def test_a_baseline_names_what_it_was_measured_with(measured: Path) -> None:
    baseline = read_baseline(measured)
    assert baseline.measured is not None
    origin, setup = baseline.measured.origin, current(baseline)
    assert (origin.equipoise, origin.code) == (versions()["equipoise"], code_of_game("middle-ages"))
    assert (origin.stream_version, origin.strategies) == (STREAM_VERSION, setup.digests)
    assert origin.rules == rules_digest(setup.rules.to_toml().encode())
    assert {players: table.golden for players, table in baseline.measured.tables.items()} == {
        players: golden_digest(setup, players, origin.seed, origin.golden_games) for players in (2, 4)
    }


def test_a_baseline_without_a_stream_was_measured_with_the_first(spoiled: Spoil) -> None:
    lines = [f"{key} = " for key in ("equipoise", "code", "stream_version")]
    path = spoiled()
    kept = [line for line in path.read_text(encoding="utf-8").splitlines() if not line.startswith(tuple(lines))]
    path.write_text(signed("\n".join(kept) + "\n"), encoding="utf-8")
    baseline = read_baseline(path)
    assert baseline.measured is not None
    assert (baseline.measured.origin.stream_version, baseline.measured.origin.code) == (1, "")
    assert check(path).against == "digests"


def test_margins_limits_and_the_judge_stay_editable_and_nothing_that_was_measured(spoiled: Spoil) -> None:
    path = spoiled()
    text = path.read_text(encoding="utf-8")
    head, measured_part = text.split("[measured]\n", 1)
    for old, new in (
        ('"2pp"', '"3pp"'),
        ("score = 1.0", "score = 1.5"),
        ("20_000\n", "30_000\n"),
        ("# A", "# Another"),
    ):
        path.write_text(text.replace(old, new), encoding="utf-8")
        assert check(path).verdict == "pass"
    path.write_text(text.replace("[judge]", '[limits]\nmax_seat_deviation = "90%"\n\n[judge]'), encoding="utf-8")
    assert check(path).verdict == "pass"
    for line in measured_part.splitlines():
        if not (digit := re.search(r"= .*?(\d)", line)):
            continue
        edited = line[: digit.start(1)] + str((int(digit[1]) + 1) % 10) + line[digit.end(1) :]
        path.write_text(f"{head}[measured]\n{measured_part.replace(line, edited, 1)}", encoding="utf-8")
        with pytest.raises(UsageError, match=r"somebody edited a figure|\[measured|not valid TOML"):
            read_baseline(path)


def test_a_measure_whose_name_could_command_a_server_is_refused(spoiled: Spoil) -> None:
    """A line that begins with `::` is a command to GitHub; the effect of any card may be in the file."""
    path = spoiled(("card_score.alliance = ", 'card_score."x\\n::error::y" = '))
    with pytest.raises(UsageError, match=r"card_score\.x\\n\\x3a:error::y: no such measure; restore the line"):
        read_baseline(path)


def test_findings_lead_to_their_lines(measured: Path) -> None:
    baseline = read_baseline(measured)
    assert baseline.head.startswith("# A comment of the user's.\n")
    lines = [baseline.line(players, "score") for players in (2, 4)]
    assert all(baseline.text.splitlines()[number - 1].startswith("score = ") for number in lines)
    assert 1 < lines[0] < baseline.text.splitlines().index("[measured.4-players]") < lines[1]
    assert baseline.line(None, "no_such_limit") == 1
