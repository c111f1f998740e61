"""docs/reference/eq.md names every function as it is, and the functions answer as a notebook expects."""

from __future__ import annotations

import inspect
import re
from pathlib import Path

import pytest

import equipoise as eq
from simcore.errors import Interrupted
from studies.function_tables import PAGE as FILE
from studies.function_tables import written

PAGE = FILE.read_text(encoding="utf-8")


def test_the_page_is_made_from_signatures_and_docstrings() -> None:
    assert written(PAGE) == PAGE, "write it again: python -m studies.function_tables"
    named = set(re.findall(r"^eq\.(\w+)\(|^\| `(\w+)\b", PAGE, re.MULTILINE))
    assert set(eq.__all__) <= {name for pair in named for name in pair}
    assert written(PAGE.replace("eq.games()", "eq.games(of)").replace("open a run folder", "open it")) == PAGE


def test_every_analysis_is_reachable() -> None:
    from analysis import api
    from analysis.games.middle_ages import api as own

    assert all(inspect.unwrap(getattr(eq, name)) is getattr(api, name) for name in api.__all__)
    assert all(getattr(eq.middle_ages, name) is getattr(own, name) for name in own.__all__)
    with pytest.raises(AttributeError, match="no attribute 'seat_advantages'"):
        _ = eq.seat_advantages


def test_messages_speak_of_arguments_and_not_of_options(tmp_path: Path) -> None:
    for wrong in (
        lambda: eq.simulate(games=0),
        lambda: eq.simulate(players=9, strategies="random"),
        lambda: eq.simulate(strategies="nobody"),
        lambda: eq.simulate(settings={"shortfall": "deb"}, strategies="random"),
        lambda: eq.simulate(settings={"effects": {"mill_coins": None}}, strategies="random"),
        lambda: eq.simulate("middle-age"),
        lambda: eq.simulate(design="rotation", strategies="random"),
        lambda: eq.simulate(threads=0),
        lambda: eq.simulate(tables=["events"], strategies="random"),
        lambda: eq.simulate(out=tmp_path, format="xlsx"),
        lambda: eq.tournament(strategies=["random"]),
        lambda: eq.tournament(strategies=["random", "greedy"], tables="some"),
        lambda: eq.restrict(forbid=["breathing"]),
        lambda: eq.tune(budget="soon"),
        lambda: eq.tune(out="TUNED"),
        lambda: eq.report(tmp_path, format="doc"),
        lambda: eq.report(tmp_path, lang="de"),
        lambda: eq.replay(tmp_path),
        lambda: eq.load(tmp_path),
        lambda: eq.rules(name="bsae"),
        lambda: eq.compare("base"),
        lambda: eq.replay(eq.make_spec(strategies="random", games=8), 10**30),
        lambda: eq.compare("base", eq.rules(), settings={"effects.mill_coins": 3}),
        eq.sweep,
        lambda: eq.sweep(settings={"effects.mill_coins": []}),
        lambda: eq.sweep(settings={"effects.mill_coins": [1]}, margin="3pp"),
        lambda: eq.check(tmp_path / "none.toml"),
    ):
        with pytest.raises(eq.UsageError) as caught:
            wrong()
        assert not re.search(r"--[a-z]", str(caught.value)), str(caught.value)
        assert len(str(caught.value)) < 700


def test_rules_from_python_can_be_compared_and_swept() -> None:
    gentle = eq.rules(settings={"effects.mill_coins": 3})
    changed = eq.compare(eq.rules(), gentle, players=2, strategies="random", habit=True, games=80, threads=1)
    named = eq.compare("base", settings={"effects.mill_coins": 3}, players=2, strategies="random", habit=True, games=80)
    assert list(changed.by_version) == ["base", "base with effects.mill_coins=3"]
    assert changed.table.equals(named.table)
    grid = eq.sweep(settings={"shortfall": ["debt"]}, rules=gentle, strategies="random", games=80, players=2, threads=1)
    assert grid.rules.digest == gentle.digest


def test_an_empty_list_of_players_is_the_usual_number() -> None:
    assert "tournament of middle-ages" in repr(eq.tournament(strategies=["random", "greedy"], players=[], games=80))


def test_who_interrupts_python_reads_how_python_goes_on(tmp_path: Path) -> None:
    def stop(*_: int) -> None:
        raise KeyboardInterrupt

    with pytest.raises(Interrupted, match=re.escape(f"continue with: eq.resume('{tmp_path / 'run'}')")):
        eq.simulate(strategies="random", games=4000, threads=1, out=tmp_path / "run", progress=stop)
    assert eq.resume(tmp_path / "run", threads=1).spec.games == 4000


def test_progress_is_told_to_a_function(tmp_path: Path) -> None:
    heard: list[tuple[int, int]] = []
    eq.simulate(strategies="random", games=2000, threads=1, progress=lambda done, total: heard.append((done, total)))
    assert heard[-1] == (2000, 2000)
    assert [done for done, _ in heard] == sorted(done for done, _ in heard)


def test_settings_may_be_a_mapping_a_list_or_a_text() -> None:
    one = eq.rules(settings="shortfall=debt")
    assert one.digest == eq.rules(settings=["shortfall=debt"]).digest == eq.rules(settings={"shortfall": "debt"}).digest
    nested = {"events": {"alliance": {"copies": 0}}, "starting_coins": [1, 2, 3, 4, 5]}
    plain = ["events.alliance.copies=0", "starting_coins=[1, 2, 3, 4, 5]"]
    assert eq.rules(settings=nested).digest == eq.rules(settings=plain).digest
    twice = eq.rules(name=one, settings={"effects.mill_coins": 3})
    assert twice.settings == ("shortfall=debt", "effects.mill_coins=3")
