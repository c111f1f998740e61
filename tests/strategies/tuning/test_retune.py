"""Re-tuning: those who play by habit are tuned for the rules of their run, and the result is kept by digest."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from simcore.game import load_game
from simcore.rules.files import load_rules
from simcore.running.batch import Spec, run_chunk
from strategies.habit import habits
from strategies.library import load_strategy
from strategies.model import Strategy
from strategies.tuning import Budget, retune, search
from strategies.tuning.retune import How, Retuned
from tests.brief import tune_briefly
from tests.specs import make_spec
from tests.toy import TOY

GENTLE = "gentler-barracks"


@pytest.fixture(autouse=True)
def quick(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Path:
    """Fewer games where the number does not matter, and a folder of its own for what is kept."""
    tune_briefly(monkeypatch.setattr)
    folder = tmp_path / "kept"
    folder.mkdir()
    monkeypatch.setattr("simcore.kernel.cache.beside_kernels", lambda name: folder)
    return folder


def tuned(spec: Spec, generations: int = 1) -> tuple[Spec, tuple[Retuned, ...]]:
    return retune.retune(spec, How(Budget(generations=generations), 1, {}))


def test_who_plays_by_habit_is_tuned_and_nobody_else() -> None:
    before = make_spec(3, ["champion", "greedy", "champion"], rules=GENTLE, design="rotate")
    after, (found,) = tuned(before)
    assert after.strategies == ("champion_retuned", "greedy", "champion_retuned")
    assert (found.old, found.players, found.again) == ("champion", 3, False)
    (hardly,) = habits(after)
    assert habits(before)[0].generations is None and hardly.generations == 1
    assert after.rules is before.rules and after.games_per_deal == before.games_per_deal == 3
    members, old = (spec.lineup_record["members"]["weights"] for spec in (after, before))
    assert (members[1] == old[1]).all() and (members[0] == members[2]).all()
    assert (members[0] != old[0]).any() == found.better


def test_ten_generations_end_the_warning_about_habit_whatever_they_found() -> None:
    """Three words: hardly tuned, tuned, and nothing better found."""
    after, (found,) = tuned(make_spec(2, ["champion"], rules=GENTLE), generations=10)
    assert found.generations == 10
    assert habits(after) == () or found.hardly
    nothing = replace(found, strategy=with_provenance(found, finalist="start", halfway={}))
    assert not nothing.hardly and str(nothing).startswith("Nothing better than champion was found for these rules")
    few = replace(found, strategy=with_provenance(found, finalist="start", generations=9))
    assert few.hardly and few.to_dict()["hardly_tuned"]


def test_who_still_rises_is_hardly_tuned() -> None:
    """Halfway it won 30 % against players by habit, and now 36 %, each within a point or two."""
    _, (found,) = tuned(make_spec(2, ["champion"], rules=GENTLE))
    scores = {"held_out": {"x": [0.36, 0.35, 0.37]}, "generations": 60}
    for before, hardly in ((0.30, True), (0.355, False), (0.40, False)):
        halfway = {"x": [before, before - 0.01, before + 0.01]}
        one = replace(found, strategy=with_provenance(found, halfway=halfway, **scores))
        assert one.hardly == hardly
    assert "halfway" in found.provenance or not found.better


def with_provenance(found: Retuned, **changes: object) -> Strategy:
    return replace(found.strategy, provenance={**found.strategy.provenance, **changes})


def test_a_run_by_rules_that_its_players_know_stays_as_it_is() -> None:
    spec = make_spec(2, ["champion"])
    assert tuned(spec) == (spec, ())


def test_a_result_is_kept_by_digest_and_used_again(quick: Path) -> None:
    spec = make_spec(2, ["champion"], rules=GENTLE)
    first, (made,) = tuned(spec)
    again, (kept,) = tuned(spec)
    assert (made.again, kept.again) == (False, True)
    assert "kept from an earlier run" in str(kept)
    assert (run_chunk(first, 0, 40) == run_chunk(again, 0, 40)).all()
    other = make_spec(2, ["champion"], rules=GENTLE, design="rotate", games=3)
    assert tuned(other)[1][0].again, "the design and the size of the run do not matter"
    assert not tuned(spec, generations=2)[1][0].again
    assert not tuned(replace(spec, seed=9))[1][0].again, "a tuning follows the seed of its run"
    assert not retune.retune(spec, How(Budget(generations=1), 1, {}, number=1))[1][0].again
    assert not tuned(make_spec(3, ["champion"], rules=GENTLE))[1][0].again
    assert not tuned(make_spec(2, ["champion"], ["effects.mill_coins=0"], rules=GENTLE))[1][0].again
    assert len(list(quick.glob("*.toml"))) == 6
    assert load_strategy(spec.game, made.path).digest == made.strategy.digest


def test_what_is_damaged_is_tuned_anew() -> None:
    spec = make_spec(2, ["champion"], rules=GENTLE)
    (made,) = tuned(spec)[1]
    text = made.path.read_text(encoding="utf-8")
    for damaged in ("", "format = 1", text.replace("income = ", "income = 1")):
        made.path.write_text(damaged, encoding="utf-8")
        (anew,) = tuned(spec)[1]
        assert not anew.again
        assert load_strategy(spec.game, made.path).digest == anew.strategy.digest == made.strategy.digest


def test_who_looks_ahead_does_so_with_a_tuned_base() -> None:
    after, (found,) = tuned(make_spec(2, ["rollout"], rules=GENTLE, games=2))
    assert after.strategies == ("rollout_retuned",) * 2
    assert [one.generations for one in habits(after)] == [1]
    assert found.strategy.search is not None
    assert found.strategy.search.base.provenance["rules_digest"] == after.rules.digest
    assert len(run_chunk(after, 0, 1)) == 2


def test_the_recipe_makes_the_player_again(monkeypatch: pytest.MonkeyPatch) -> None:
    _, (found,) = tuned(make_spec(2, ["champion"], rules=GENTLE))
    words = str(found.provenance["recipe"])
    assert found.provenance["nameless_rules_digest"] == load_rules(load_game("middle-ages"), GENTLE).nameless_digest
    assert f"--rules {GENTLE} --start-from champion --seed " in words
    assert "--games 60 " in words


def test_the_budget_leaves_time_for_the_end() -> None:
    """Finalists and scores play inside the budget; what a generation took says how long they will take."""
    spec = make_spec(2, ["champion"], rules=GENTLE)
    plan = retune._plan(spec, spec.roles[0], load_strategy(spec.game, "champion"), "champion", 1)
    with search.Arena(plan, 1) as arena:
        under_way = search._Search(plan, search.Journal(None, {}), arena)
        assert under_way.ending((), False) == 5 * 240 + 240
        assert under_way.ending((), True) == 5 * 240 + 2 * 240
        under_way.generation(0)
        assert under_way.played == pytest.approx(plan.population * plan.games / 2, rel=0.3)
        assert under_way.playing > 0
        under_way.played, under_way.playing = 100, 1.0  # 14.4 s for the end
        generations: list[int] = []
        under_way.journal.seconds = 0.0
        done = under_way.run(Budget(seconds=14.0), lambda status: generations.append(status.generation), (), False)
    assert generations == [] and done.generations == 1


def test_roles_are_tuned_in_turn_against_each_other(quick: Path) -> None:
    spec = make_spec(4, {"warlord": ["schemer"], "burgher": ["steward"]}, ["walls=5"], game=TOY)
    told = {"provenance": {"rules_digest": make_spec(game=TOY, strategies=["random"]).rules.digest}}
    spec = replace(spec, strategy_tables=tuple(table | told for table in spec.strategy_tables))
    assert [habit.strategy for habit in habits(spec)] == ["schemer", "steward"]
    how = How(Budget(generations=2), 1, {})
    assert retune.waiting(spec, how) == ["schemer", "steward"] * 2, "each is tuned against the latest of the others"
    after, players = tuned(spec, generations=2)
    assert [(player.old, player.strategy.role) for player in players] == [
        ("schemer", "warlord"),
        ("steward", "burgher"),
    ]
    assert after.strategies == ("schemer_retuned", *["steward_retuned"] * 3)
    assert {one.generations for one in habits(after)} == {2}, "both rounds count"
    assert len(list(quick.glob("*.toml"))) == 4, "two roles and two rounds"
    assert not any(player.again for player in players)
    assert retune.waiting(spec, how) == []
    (steward,) = (player.path for player in players if player.old == "steward")
    steward.unlink()
    assert retune.waiting(spec, how) == ["steward"], "of the second round"
    ticks: list[tuple[int, int]] = []
    retune.retune(replace(spec, seed=2), how, lambda done, status: ticks.append((done, status.generation)))
    assert ticks == [(number, 1) for number in range(4)]
    assert (retune.steps(spec), retune.budget_of_each(spec, how.budget)) == (4, Budget(generations=1))
    assert np.isfinite(run_chunk(after, 0, 8)["share840"]).all()
