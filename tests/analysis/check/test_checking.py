"""Whole checks on a small baseline: what changed is named, and judged by the right comparison."""

from __future__ import annotations

import re
from collections.abc import Sequence
from pathlib import Path

import pytest

from analysis.check.baseline import Instead, choices_of, read_baseline, signed
from analysis.check.checking import Check, check
from analysis.check.claims import overall
from analysis.data.source import Array, Block, Source
from analysis.measures import sampling
from analysis.measures.quantities import holds
from equipoise.output.checks import causes, described, sentence, smallest, table
from reports.words import ENGLISH
from reports.words.checks import change_text
from simcore.errors import UsageError
from simcore.kernel.streams import STREAM_VERSION
from simcore.running.batch import Spec
from strategies.tuning.retune import Retuned
from tests.analysis.check.conftest import HEAD, Spoil, write
from tests.specs import make_spec


def changes_said(found: Check) -> list[str]:
    """Return what a check says about changes; it also says that only weak players played."""
    *changes, weak = causes(found)
    assert weak.startswith("Only weak players (greedy) played")
    return changes


def test_nothing_changed_and_nothing_is_played(measured: Path) -> None:
    found = check(measured)
    assert (found.verdict, found.against, found.games, found.changes) == ("pass", "digests", 0, ())
    assert len(found.findings) == 2 + 4 + 2 * (1 + 15)  # seats of 2 and 4 players, score and 15 Events at both
    assert changes_said(found) == []


def test_an_events_coins_are_found_and_named(measured: Path) -> None:
    """Skilled trades pay twice as much for a peasant."""
    found = check(measured, Instead(settings=("events.skilled_trades.coins_per_peasant=3",)))
    assert (found.verdict, found.against) == ("fail", "paired")
    assert changes_said(found) == ["The rules changed: events.skilled_trades.coins_per_peasant: 1 -> 3."]
    failed = {(finding.claim.name, finding.claim.players) for finding in found.failed}
    assert ("card_score.skilled_trades", 4) in failed
    assert not any(name.startswith("card_") and "skilled_trades" not in name for name, _ in failed)
    assert "card_score.skilled_trades at 4 players" in described(found)


def test_a_clear_case_ends_early(measured: Path) -> None:
    found = check(measured, Instead(settings=("starting_coins=[0, 30, 0, 0, 0]",)), games=200_000)
    assert found.verdict == "fail"
    assert found.games < 100_000


def test_changed_weights_are_a_change_of_strategies_and_no_change_of_rules(tmp_path: Path) -> None:
    own = tmp_path / "own.toml"
    text = (Path(__file__).parents[3] / "configs/middle-ages/strategies/farmer.toml").read_text(encoding="utf-8")
    own.write_text(text, encoding="utf-8")
    head = HEAD.replace('"greedy"', '"own.toml"').replace("[2, 4]", "[2]").replace("20_000", "2_000")
    path = write(tmp_path / "default.toml", head).path
    assert check(path).verdict == "pass"
    name, weight = re.findall(r"^(\w+) = (-?[\d.]+)$", text.split("[weights]")[1], re.MULTILINE)[0]
    own.write_text(text.replace(f"{name} = {weight}\n", f"{name} = 77.5\n"), encoding="utf-8")
    found = check(path, games=2000)
    assert found.against == "paired"
    assert [change.kind for change in found.changes] == ["strategies"]
    detail = found.changes[0].details[0]
    assert (detail.key, detail.old, detail.new) == (f"farmer.weights.{name}", float(weight), 77.5)


def test_other_rules_are_named_by_their_file_or_their_name(measured: Path, tmp_path: Path) -> None:
    text = (measured.with_suffix("") / "rules.toml").read_text(encoding="utf-8")
    own = tmp_path / "own.toml"
    own.write_text(text.replace("empty_domain_penalty = 10", "empty_domain_penalty = 11"), encoding="utf-8")
    assert check(measured, Instead(rules="base")).changes == ()
    found = check(measured, Instead(rules=str(own)), games=1000)
    assert changes_said(found) == ["The rules changed: empty_domain_penalty: 10 -> 11."]


def test_tuned_players_play_if_the_game_changed_and_only_then(measured: Path) -> None:
    tuned: list[int] = []

    def retune(specs: Sequence[Spec]) -> tuple[list[Spec], tuple[Retuned, ...]]:
        tuned.extend(spec.players for spec in specs)
        return [make_spec(spec.players, ["random"], seed=spec.seed, games=spec.games) for spec in specs], ()

    def score(found: Check) -> float | None:
        return next(finding.now for finding in found.findings if finding.claim.name == "score")

    assert check(measured, retune=retune).games == len(tuned) == 0
    poorer = Instead(settings=("starting_coins=[0, 1, 0, 0, 0]",))
    own, other = check(measured, poorer, games=1000), check(measured, poorer, games=1000, retune=retune)
    assert tuned == [2, 4]
    assert score(own) != score(other)


def test_only_measures_with_a_margin_are_judged(spoiled: Spoil) -> None:
    found = check(spoiled(("card_score = 2.5", '"card_score.alliance" = 2.5')))
    names = [finding.claim.name for finding in found.findings if finding.claim.name.startswith("card_")]
    assert names == ["card_score.alliance"] * 2, "at two tables, and none of the other Events"


def test_another_line_up_is_a_change_of_strategies(measured: Path) -> None:
    found = check(measured, Instead(strategies=("random",)), games=2000)
    assert [change_text(ENGLISH, change) for change in found.changes] == [
        "The strategies changed: seated: greedy -> random."
    ]


def test_code_that_plays_otherwise_is_said_to(spoiled: Spoil) -> None:
    """Another stored digest stands for another kernel."""
    path = spoiled()
    text = path.read_text(encoding="utf-8")
    path.write_text(signed(re.sub(r'(?<=golden = ")....', "0123", text)), encoding="utf-8")
    found = check(path, games=4000)
    assert [change.kind for change in found.changes] == ["code"]
    assert found.against == "stored"
    assert not found.failed
    both = check(path, Instead(settings=("starting_coins=[1, 0, 0, 0, 0]",)), games=1000)
    assert [change.kind for change in both.changes] == ["rules", "code"]
    assert both.against == "stored"


def test_another_stream_is_compared_statistically(spoiled: Spoil) -> None:
    """The same seed then deals other games, so that no digest says anything; nothing is wrong with the code."""
    path = spoiled((f"stream_version = {STREAM_VERSION}", f"stream_version = {STREAM_VERSION + 1}"))
    found = check(path, games=4000)
    assert (found.against, found.unmoved, found.failed) == ("stored", (), ())
    said = [change_text(ENGLISH, change) for change in found.changes]
    assert said == [f"Other stream, compared statistically: stream_version: {STREAM_VERSION + 1} -> {STREAM_VERSION}."]
    both = check(path, Instead(settings=("starting_coins=[1, 0, 0, 0, 0]",)), games=1000)
    assert [change.kind for change in both.changes] == ["stream", "rules"]
    assert both.against == "stored"


def test_full_compares_fresh_deals_with_stored_values(measured: Path) -> None:
    found = check(measured, full=True)
    assert (found.against, found.changes) == ("stored", ())
    assert not found.failed
    assert smallest(found)
    assert check(measured, full=True).seed == found.seed  # the same state gets the same verdict
    with pytest.raises(UsageError, match=r"^seed: .* was measured with seed 1; give another"):
        check(measured, full=True, seed=1)


def test_without_copies_digests_tell_what_changed(spoiled: Spoil) -> None:
    path = spoiled()
    (path.with_suffix("") / "rules.toml").unlink()
    assert check(path).verdict == "pass"
    found = check(path, Instead(settings=("starting_coins=[9, 0, 0, 0, 0]",)), games=1000)
    assert [change_text(ENGLISH, change) for change in found.changes] == ["The rules changed."]
    assert found.against == "stored"
    found = check(path, Instead(strategies=("random",)), games=1000)
    assert [change_text(ENGLISH, change) for change in found.changes] == [
        "The strategies changed: random: as measured -> another."
    ]


def test_a_change_that_alters_no_game_is_reported_as_such(measured: Path) -> None:
    """The sixth seat's coins do not exist, and nobody runs out of eighty tokens."""
    found = check(measured, Instead(settings=("tokens.extra_coin=80",)))
    assert (found.verdict, found.changes) == ("pass", ())
    assert "altered none of the 4,000 golden games" in "".join(causes(found))


def test_a_card_that_left_the_deck_fails(measured: Path) -> None:
    found = check(measured, Instead(settings=("events.alliance.copies=0",)), games=2000)
    gone = [finding for finding in found.failed if finding.now is None]
    assert {finding.claim.name for finding in gone} == {"card_score.alliance"}
    assert "no longer exists" in sentence(gone[0])


def test_a_card_that_no_deal_holds_is_not_measured(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """Nothing is known of its effect, so that the rest of the file is written and guarded without it."""

    def rarely(block: Block, source: Source, card: str) -> Array:
        return holds(block, source, card) & (card != "alliance")

    monkeypatch.setattr(sampling, "holds", rarely)
    head = HEAD.replace("[2, 4]", "[2]").replace("games = 20_000\n\n[margins]", "games = 1_000\n\n[margins]")
    baseline = write(tmp_path / "default.toml", head)
    assert baseline.measured
    names = set(baseline.measured.values[2])
    assert "card_score.skilled_trades" in names
    assert "card_score.alliance" not in names
    assert check(baseline).verdict == "pass"


LIMITS = """
[limits]
max_card_swing = "{}pp"
no_dominant_strategy = {}
"""


@pytest.fixture(scope="module")
def limited(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Greedy against random, which it beats nearly always."""
    head = HEAD.replace("[2, 4]", "[2]").replace('"greedy"', '"greedy", "random"').replace("card_score = 2.5", "")
    return write(tmp_path_factory.mktemp("limits") / "default.toml", head + LIMITS.format(30, 0.999)).path


def test_limits_are_judged_by_what_is_stored(limited: Path) -> None:
    found = check(limited)
    assert found.verdict == "pass"
    assert found.games == 0
    names = {finding.claim.name for finding in found.findings if finding.claim.kind == "limit"}
    assert {"max_card_swing.alliance.seat-1", "max_card_swing.alliance.greedy", "no_dominant_strategy.greedy"} <= names


@pytest.mark.parametrize("surely", [True, False])
def test_limits_fail_only_where_they_are_surely_broken(limited: Path, surely: bool) -> None:
    baseline = read_baseline(limited)
    assert baseline.measured
    share = baseline.measured.values[2]["win_share_by_strategy.greedy"].value
    text = limited.read_text(encoding="utf-8")
    begin = text.index("[measured]")
    tighter = f"no_dominant_strategy = {0.6 if surely else share}"
    head = text[:begin].replace("no_dominant_strategy = 0.999", tighter)
    found = check(
        type(baseline)(limited, head, choices_of(head, limited).choices, baseline.measured, head + text[begin:]),
        games=4000,
    )
    if surely:
        assert "no_dominant_strategy.greedy" in {finding.claim.name for finding in found.failed}
        assert found.games == 0
    else:
        assert found.verdict == "inconclusive"
        assert found.games > 0  # what is stored does not tell, so fresh deals were played


def test_the_table_of_a_check_is_plain(measured: Path) -> None:
    found = check(measured, Instead(settings=("starting_coins=[0, 30, 0, 0, 0]",)), games=2000)
    told = table([found])
    assert told["verdict"] == overall(found.findings) == "fail"
    assert told["exit_code"] == 1
    first = told["checks"][0]
    change = {"key": "starting_coins", "old": [0, 0, 0, 0, 0], "new": [0, 30, 0, 0, 0]}
    assert first["changes"] == [{"kind": "rules", "details": [change]}]
    assert {entry["measure"] for entry in first["findings"]} == {finding.claim.name for finding in found.findings}
    for entry in first["findings"]:
        if entry["shift"] is not None:
            assert entry["low"] <= entry["shift"] <= entry["high"]


def test_a_check_says_who_was_tuned_for_other_rules(tmp_path: Path) -> None:
    head = HEAD.replace("[2, 4]", "[2]").replace('["greedy"]', '["champion"]').replace("20_000", "2_000")
    baseline = write(tmp_path / "configs/middle-ages/baselines/default.toml", head)
    assert check(baseline).habits == ()
    found = check(baseline, Instead(settings=("effects.barracks_buries=false",)))
    assert [habit.strategy for habit in found.habits] == ["champion"]
    assert str(found.habits[0]) in described(found)
    told = table([found])["checks"][0]["habits"]
    assert told[0]["changed"] == ["effects.barracks_buries"]
