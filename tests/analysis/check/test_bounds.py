"""Limits of measures: "the build fails if the first seat wins more than 30 of 100 games"."""

from __future__ import annotations

import re
from collections.abc import Callable
from datetime import date
from pathlib import Path

import pytest

from analysis.check.baseline import Baseline, choices_of, current, marked, read_baseline
from analysis.check.checking import Check, Tick, check, update
from analysis.check.claims import limit_claims, most_levels
from equipoise.output.checks import conclusion, notes, sentence, table
from reports.pages.check import compose_checks
from reports.words import ENGLISH, Words
from reports.words.checks import compared
from simcore.errors import UsageError
from tests.analysis.check.conftest import HEAD

With = Callable[..., Check]


@pytest.fixture
def with_limits(measured: Path) -> With:
    """A measured baseline of greedy players whose limits say something else."""

    def with_limits(lines: str, tick: Tick = lambda games: None) -> Check:
        text = measured.read_text(encoding="utf-8")
        head, rest = text.split("[measured]\n", 1)
        path = measured.with_name("limited.toml")
        head += f"[limits]\n{lines}\n\n"
        stored = read_baseline(measured)
        return check(
            Baseline(path, head, choices_of(head, path).choices, stored.measured, f"{head}[measured]\n{rest}"),
            games=4000,
            tick=tick,
        )

    return with_limits


@pytest.mark.parametrize(
    ("limit", "verdict", "rows", "says"),
    [
        ('"win_share_by_seat.seat-1" = { max = 0.90 }', "pass", 2, "keeps the limit of at most 90.00 %"),
        ('"win_share_by_seat.seat-1" = { max = 0.05 }', "fail", 2, "breaks the limit of at most 5.00 %"),
        ('"win_share_by_seat.seat-1" = { min = 0.95 }', "fail", 2, "breaks the limit of at least 95.00 %"),
        ("win_share_by_seat = { min = 0.01, max = 0.99 }", "pass", 6, "keeps the limit of 1.00 % to 99.00 %"),
        ("score = { min = 1 }", "pass", 2, "keeps the limit of at least 1"),
    ],
)
def test_a_limit_holds_the_measure_itself(with_limits: With, limit: str, verdict: str, rows: int, says: str) -> None:
    """Within, beyond: the whole range, which stored values decide without a game."""
    result = with_limits(limit)
    bounded = [one for one in result.findings if one.claim.bounded]
    assert result.verdict == verdict
    assert result.games == 0
    assert [says in sentence(one) or sentence(one) for one in bounded] == [True] * rows


def test_a_limit_at_the_measured_value_is_not_certain(with_limits: With, measured: Path) -> None:
    stored = read_baseline(measured).measured
    assert stored is not None
    share = stored.values[2]["win_share_by_seat.seat-1"].value
    result = with_limits(f'"win_share_by_seat.seat-1" = {{ max = {share} }}')
    at_two = next(one for one in result.findings if one.claim.bounded and one.claim.players == 2)
    assert at_two.verdict == "inconclusive"
    assert "may or may not break the limit" in sentence(at_two)


def test_a_broken_limit_is_called_that_beside_par_and_did_not_move(with_limits: With) -> None:
    result = with_limits('"win_share_by_seat.seat-1" = { max = 0.05 }')
    assert conclusion(result) == "FAIL: 2 limits are broken."
    assert sentence(result.failed[0]).endswith("at most 5.00 % (par 50.00 %)")
    assert {note.line for note in notes([result]) if note.weight == "fail"} == {
        number
        for number, line in enumerate(result.baseline.text.splitlines(), 1)
        if line.startswith('"win_share_by_seat.s')
    }
    rows = [row for row in table([result])["checks"][0]["findings"] if row["kind"] == "limit"]
    assert [(row["allowed_low"], row["allowed_high"]) for row in rows] == [(None, 0.05)] * 2
    for words, limit, broken in (
        (ENGLISH, "at most 5.00%", "2 limits are broken"),
        (Words("fr"), "5,00", "2 limites ne sont pas respectées"),
    ):
        page = compose_checks([result], words)
        cells = [
            cell.text
            for section in page.sections
            for block in section.blocks
            for row in getattr(block, "rows", ())
            for cell in row
        ]
        assert any(limit in cell for cell in cells)
        assert broken in page.verdicts[0].text


@pytest.mark.parametrize(
    ("limit", "says"),
    [
        ('"win_share_by_seat.seat-1" = { max = "30%" }', "for 30 of 100 games write 0.3; for 30 % of par write max_s"),
        ('"win_share_by_seat.seat-1" = { max = 30 }', "30 is not a share; write 0.30 for 30 of 100 games"),
        ('"win_share_by_seat.seat-1" = { min = 0.5, max = 0.3 }', "min 0.5 is above max 0.3"),
        ('"win_share_by_seat.seat-7" = { max = 0.3 }', "not measured at 2 players; did you mean 'win_share"),
        ("win_share_by_saet = { max = 0.3 }", "no such measure or limit; did you mean 'win_share_by_seat'"),
        ('lead_changes = { max = "many" }', "'many' is not a number"),
        ('score = { max = 9, level = "masters" }', "Middle-Ages has no level 'masters'; it has family, club"),
    ],
)  # fmt: skip
def test_a_limit_that_cannot_be_meant_is_refused(limit: str, says: str) -> None:
    baseline = choices_of(f"{HEAD}\n[limits]\n{limit}\n", Path("b.toml"))
    with pytest.raises(UsageError, match=rf"^b\.toml: \[limits\] .*{says}"):
        list(limit_claims(baseline, current(baseline).spec(2, 1, 400)))


@pytest.mark.parametrize(
    ("limit", "says"),
    [
        ("win_share_by_seat.seat-1 = { max = 0.3 }", 'put the whole name in quotes, as in "win_share_by_seat.seat-1"'),
        ("score = {}", r"is empty; write min, max or both, as in \{ max = 0.30 \}"),
        ("score = { most = 3 }", "has 'most'; write min, max or both"),
        ('score = { level = "any" }', "says neither min nor max; write min, max or both"),
        (
            'score = { max = 3, exception = { by = "Ada", until = 2026-12-31 } }',
            "exception: write who decided it, why",
        ),
        ('score = { max = 3, exception = { by = "Ada", why = "fun", until = "soon" } }', "exception: write who"),
    ],
)
def test_a_limit_says_min_or_max(limit: str, says: str) -> None:
    with pytest.raises(UsageError, match=rf"^b\.toml: \[limits\] .*{says}"):
        choices_of(f"{HEAD}\n[limits]\n{limit}\n", Path("b.toml"))


def test_the_effect_of_a_card_on_a_share_may_be_negative() -> None:
    baseline = choices_of(
        f'{HEAD}\n[limits]\n"card_win_share_by_seat.alliance.seat-1" = {{ min = -0.2 }}\n', Path("b.toml")
    )
    (claim,) = limit_claims(baseline, current(baseline).spec(2, 1, 400))
    assert (claim.low, claim.high, claim.estimand.card) == (-0.2, float("inf"), "alliance")


@pytest.mark.parametrize(
    ("most", "stored", "verdict", "code", "ending"),
    [
        (0.99, True, "pass", 0, "PASS: 46 measures are all within their margins."),
        (0.30, True, "fail", 1, " limits are broken."),
        (0.61, True, "inconclusive", 3, "INCONCLUSIVE: of 46 measures, 1 is too close to call; play more games."),
        (0.65, False, "inconclusive", 3, "INCONCLUSIVE: of 46 measures, 1 is too close to call; play more games."),
    ],
)
def test_a_limit_may_hold_at_any_level_of_play(
    with_limits: With, monkeypatch: pytest.MonkeyPatch, most: float, stored: bool, verdict: str, code: int, ending: str
) -> None:
    """Green, red and inconclusive: greedy players are a family's, and 100 games of players who look ahead tell little.

    Seat 1 wins 56.6 % of the games of two champions, and 60.3 % of 1,000 stored games of two who look ahead.
    """
    if not stored:  # as by other rules
        monkeypatch.setattr("analysis.check.checking.stored_level", lambda *_: None)
        monkeypatch.setattr("analysis.check.checking.searched_games", lambda game: 100)
    result = with_limits(f'"win_share_by_seat.seat-1" = {{ max = {most}, level = "any" }}')
    bounded = [one for one in result.findings if one.claim.bounded]
    assert [one.claim.level for one in bounded] == 2 * ["", "club", "experts", "search"]
    assert (result.verdict, result.exit_code) == (verdict, code)
    assert conclusion(result).endswith(ending)
    assert "seat-1 among search at 2 players" in sentence(bounded[3])
    asked = [note.values for note in result.notes if note.code == "level_stored"]
    assert [(one["players"], one["games"]) for one in asked] == [(2, 1000), (4, 1000)] * stored
    assert not stored or bounded[3].now == 0.603


def test_the_games_of_levels_are_counted_apart_and_move_the_bar(with_limits: With) -> None:
    """The golden games decide for the file's own players; a club and experts play, and who looks ahead is stored."""
    ticks: list[int] = []
    result = with_limits('"win_share_by_seat.seat-1" = { max = 0.99, level = "any" }', ticks.append)
    assert (result.against, result.games, result.level_games) == ("digests", 0, 2 * 2 * 2000)
    assert (most_levels(result.baseline), result.golden_games) == (4, 4000)
    assert ticks == sorted(ticks) and len(set(ticks)) >= 4 and 2000 <= ticks[-1] <= 4000 * 2 * (1 + 4)
    said = compared(ENGLISH, result)
    assert said.startswith("The outcomes of 4,000 golden games are those of the baseline")
    seed = f"(seed {result.seed})"
    assert f"Limits at levels of play: judged by 8,000 fresh games of their own players {seed}. False alarms" in said
    assert "fresh deals, compared with the values in the file" not in said
    assert table([result])["checks"][0]["level_games"] == 8000


@pytest.mark.parametrize(("day", "verdict"), [(date(2026, 12, 31), "pass"), (date(2027, 1, 1), "fail")])
def test_an_exception_says_who_why_and_until_when(
    with_limits: With, monkeypatch: pytest.MonkeyPatch, day: date, verdict: str
) -> None:
    monkeypatch.setattr("analysis.check.claims.today", lambda: day)
    why = 'exception = { by = "Ada", why = "the second printing mends it", until = 2026-12-31 }'
    result = with_limits(f'"win_share_by_seat.seat-1" = {{ max = 0.05, {why} }}')
    said = sentence(next(one for one in result.findings if one.claim.bounded))
    assert result.verdict == verdict
    if verdict == "pass":
        assert said.endswith("; Ada allows that until 2026-12-31 (UTC): the second printing mends it")
        assert conclusion(result) == "PASS: 2 limits are broken, but exceptions allow them."
        assert table([result])["checks"][0]["findings"][-1]["excused"] == "fail"
    else:
        assert said.endswith("; the exception by Ada ended on 2026-12-31 (UTC)")


def test_an_excused_limit_leaves_every_other_measure_its_games(measured: Path) -> None:
    """Greedy players of seat 1 never win only 5 of 100 games; with and without that limit, 20,000 deals are enough."""
    text = measured.read_text(encoding="utf-8").replace("[2, 4]", "[2]")
    head, rest = text.split("[measured]\n", 1)
    why = 'exception = { by = "Ada", why = "the second printing mends it", until = 2999-12-31 }'
    limit = f'[limits]\n"win_share_by_seat.seat-1" = {{ max = 0.05, {why} }}\n\n'
    path, stored = measured.with_name("excused.toml"), read_baseline(measured).measured
    plain, limited = (
        check(Baseline(path, own, choices_of(own, path).choices, stored, f"{own}[measured]\n{rest}"), full=True)
        for own in (head, head + limit)
    )
    assert (limited.verdict, [one.claim.name for one in limited.excused]) == (
        plain.verdict,
        ["win_share_by_seat.seat-1"],
    )
    assert limited.games == plain.games


def test_an_update_writes_the_file_and_marks_the_broken_limit() -> None:
    limits = "\n[limits]\n'win_share_by_seat.seat-1' = { max = 0.30 }  # ours\nscore = { min = 1 }\n"
    first = HEAD.replace("[2, 4]", "[2]").replace("20_000", "1_000") + limits
    made = update(choices_of(first, Path("b.toml")))
    assert [one.claim.name for one in made.broken] == ["win_share_by_seat.seat-1"]
    marks = [line for line in made.text.splitlines() if "# broken" in line]
    assert len(marks) == 1 and re.fullmatch(r".*  # ours  # broken: \d\d\.\d\d % at 2 players", marks[0])
    assert marked(made.baseline.head, {}).strip() == first.strip()
