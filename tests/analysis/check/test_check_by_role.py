"""Baselines of a game with roles: claims speak of camps, limits of each seat's own par."""

from __future__ import annotations

from pathlib import Path

import pytest

from analysis.check.baseline import Baseline, current
from analysis.check.checking import check, choices_of, update
from analysis.check.claims import limit_claims
from analysis.data.source import Block
from analysis.data.sources import SpecSource
from analysis.measures.quantities import Quantities
from analysis.seats.levels import read_levels
from equipoise.cli import app, run
from simcore.errors import UsageError
from tests.toy import TOY

HEAD = """format = "equipoise-baseline/1"
game = "{game}"
players = [4]
strategies = [{strategies}]

[limits]
{limits}
"""
MIXED = '"warlord=schemer", "burgher=giver", "burgher=steward", "burgher=steward"'


def baseline(limits: str, strategies: str = MIXED, game: str = TOY) -> Baseline:
    """Return a baseline that was not measured yet."""
    return choices_of(HEAD.format(game=game, strategies=strategies, limits=limits), Path("b.toml"))


ALIKE = '"warlord=schemer", "burgher=giver"'


def test_limits_know_the_par_of_camps_and_seats() -> None:
    found = baseline('max_seat_deviation = "12%"\nmax_camp_deviation = "3pp"', ALIKE)
    spec = current(found).spec(4, 1, 400)
    claims = {claim.name: claim for claim in limit_claims(found, spec)}
    assert claims["max_camp_deviation.warlord"].reference.value == pytest.approx(spec.par[0])
    assert claims["max_camp_deviation.town"].reference.value == pytest.approx(sum(spec.par[1:]))
    assert claims["max_camp_deviation.town"].high == pytest.approx(0.03)
    assert all(claim.estimand.alone for claim in claims.values()), "limits look at the game as it is now"
    assert claims["max_seat_deviation.seat-1"].reference.value == pytest.approx(0.5)
    assert claims["max_seat_deviation.seat-2"].reference.value == pytest.approx(1 / 6)
    assert [claims[f"max_seat_deviation.seat-{seat}"].high for seat in (1, 2)] == pytest.approx([0.06, 0.02])


def test_seats_that_strategies_change_have_no_limit() -> None:
    """Whoever nearly always wins makes all of them look fair."""
    found = baseline('max_seat_deviation = "12%"')
    with pytest.raises(UsageError, match="max_seat_deviation: strategies of different strength"):
        list(limit_claims(found, current(found).spec(4, 1, 400)))
    lopsided = baseline('max_seat_deviation = "1pp"', '"champion", "greedy", "greedy", "greedy"', "middle-ages")
    with pytest.raises(UsageError, match="play here, which hides what a seat is worth"):
        list(limit_claims(lopsided, current(lopsided).spec(4, 1, 400)))


def test_former_names_of_measures_are_read() -> None:
    text = HEAD.format(game="middle-ages", strategies='"greedy"', limits='max_event_swing = "5pp"')
    old = choices_of(f'{text}\n[margins]\nevent_score = 1.0\n"event_score.alliance" = 2.0\n', Path("b.toml")).choices
    assert old.margins == {"card_score": 1.0, "card_score.alliance": 2.0}
    assert old.limits.max_card_swing == "5pp"
    with pytest.raises(UsageError, match="event_score: is 'card_score' now; keep one of the two"):
        choices_of(f"{text}\n[margins]\nevent_score = 1.0\ncard_score = 1.0\n", Path("b.toml"))


def test_dominance_is_a_matter_within_a_role() -> None:
    """The warlord has one strategy; among the burghers two may not take more than .4 a seat."""
    found = baseline("no_dominant_strategy = 0.4")
    claims = {claim.name: claim for claim in limit_claims(found, current(found).spec(4, 1, 400))}
    assert set(claims) == {"no_dominant_strategy.burgher-giver", "no_dominant_strategy.burgher-steward"}
    assert claims["no_dominant_strategy.burgher-steward"].high == pytest.approx(0.8)
    loose = baseline("no_dominant_strategy = 0.7")
    most = {claim.name: claim.high for claim in limit_claims(loose, current(loose).spec(4, 1, 400))}
    assert most["no_dominant_strategy.burgher-steward"] == 1, "two seats cannot win more than every game"


def test_a_game_without_camps_has_no_limit_on_them() -> None:
    found = baseline('max_camp_deviation = "3pp"', '"greedy"', "middle-ages")
    with pytest.raises(UsageError, match="max_camp_deviation: Middle-Ages has no camps; remove it"):
        list(limit_claims(found, current(found).spec(4, 1, 400)))


def test_a_game_without_cards_has_no_limit_on_them() -> None:
    found = baseline('max_card_swing = "5pp"')
    with pytest.raises(
        UsageError, match=f"max_card_swing: {found.choices.game.title()} has no chance cards; remove it"
    ):
        list(limit_claims(found, current(found).spec(4, 1, 400)))


def test_the_stored_answer_of_players_who_look_ahead_counts_for_camps(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The Lord's share is the first that `levels.toml` has for four players who look ahead; nobody plays again."""
    monkeypatch.setattr("analysis.check.checking.searched_games", lambda game: 2)
    levels = read_levels("seigneurial")
    assert levels
    (stored,) = [one for one in levels.tables if (one.players, one.skill) == (4, "search")]
    limit = '"win_share_by_camp.lord" = { max = 0.99, level = "search" }\n\n[judge]\ngames = 1_000\n'
    head = "games = 1_000\n" + HEAD.format(game="seigneurial", strategies="", limits=limit)
    made = update(choices_of(head, tmp_path / "b.toml"))
    result = check(made.baseline)
    (finding,) = result.findings
    assert (finding.now, finding.deals, result.games) == (stored.share[0], stored.games, 0)
    assert [note.code for note in result.notes] == ["level_stored"]


def test_a_baseline_is_measured_and_checked_by_camp(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "siege.toml"
    assert run(app, ["check", "--update", str(file), "--game", TOY, "--players", "4", "--games", "1000"]) == 0
    text = file.read_text(encoding="utf-8")
    assert "win_share_by_camp.warlord = " in text
    assert "win_share_by_camp.town = " in text
    assert 'seated = ["warlord=schemer", "burgher=steward"]' in text
    assert run(app, ["check", str(file)]) == 0
    capsys.readouterr()
    assert run(app, ["check", str(file), "--set", "walls=3"]) == 1
    failed = [line.split()[1] for line in capsys.readouterr().out.splitlines() if line.startswith("fail")]
    # A narrow terminal folds the end of a name into the next line.
    assert [name[:20] for name in failed[:2]] == ["win_share_by_camp.wa", "win_share_by_camp.to"]
    file.write_text(
        text.replace("\n[measured]\n", '\n[limits]\nmax_camp_deviation = "3pp"\n\n[measured]\n'), encoding="utf-8"
    )
    assert run(app, ["check", str(file)]) == 1
    assert "max_camp_deviation.warlord" in capsys.readouterr().out


def test_the_mean_of_a_role_s_column_is_over_its_rows() -> None:
    """What the burghers gave is 0 for the warlord in the rows of the kernel; his row does not count."""
    source = SpecSource(current(baseline("")).spec(4, 1, 400))
    quantities = Quantities(source, ["mean_of_given", "mean_of_given_by_seat", "mean_of_demanded"])
    names = {name: values for _, block in source.read(range(400), quantities.columns) for name, values in block.items()}
    block = Block(source.spec.games_per_deal, {name: values[:399] for name, values in names.items()})
    found = quantities.of(block).mean(axis=0)
    given = block["given"][:, 1:]
    assert found[quantities.members("mean_of_given")[""]] == pytest.approx(given.mean())
    assert found[quantities.members("mean_of_demanded")[""]] == pytest.approx(block["demanded"][:, 0].mean())
    assert list(quantities.members("mean_of_given_by_seat")) == ["seat-2", "seat-3", "seat-4"]
