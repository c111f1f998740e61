"""docs/reference/eq.md is true: its examples run, from the first to the last, and its results show themselves."""

from __future__ import annotations

import inspect
import re
from collections.abc import Iterator
from html.parser import HTMLParser
from pathlib import Path
from typing import Any

import pytest

import equipoise as eq
from simcore.errors import Interrupted
from tests.brief import report_briefly, tune_briefly
from tests.undrawn import leave_blank

ROOT = Path(__file__).resolve().parents[3]
PAGE = (ROOT / "docs/reference/eq.md").read_text(encoding="utf-8")
SHORTER = (
    (r"games=\d[\de]+", "games=240"),
    (r"searched=\d+", "searched=12"),
    (r'budget="2m"', 'budget="1", population=4, sigma=0.5'),
)
"""What the examples are cut to, so that they are tried and not waited for."""


class Wellformed(HTMLParser):
    """Notes which tags are open at the end."""

    def __init__(self) -> None:
        super().__init__()
        self.open: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        if tag not in ("br", "meta", "link", "img", "hr", "input"):
            self.open.append(tag)

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag


@pytest.fixture(scope="module")
def ran(tmp_path_factory: pytest.TempPathFactory) -> Iterator[dict[str, Any]]:
    """Run all examples in a folder of their own; return what they leave."""
    with pytest.MonkeyPatch.context() as patch:
        patch.chdir(tmp_path_factory.mktemp("page"))
        tune_briefly(patch.setattr, 120)
        leave_blank(patch.setattr)
        report_briefly(patch.setattr)
        names: dict[str, Any] = {"BASELINE": ROOT / "configs/medievallons/baselines/default.toml"}
        for block in re.findall(r"```python\n(.*?)```", PAGE, re.DOTALL):
            for long, short in SHORTER:
                block = re.sub(long, short, block)
            exec(compile(block, "docs/reference/eq.md", "exec"), names)
        yield names | {"tried": eq.log("runs"), "linked": eq.index("runs")}


def test_examples_run(ran: dict[str, Any]) -> None:
    assert ran["found"].seats["win_share"].sum() == pytest.approx(1)
    assert ran["gentle"].settings == ("effects.mill_coins=3", "events.alliance.copies=0")
    assert ran["run"].described.rules.digest == ran["gentle"].digest
    assert ran["checked"].verdict == "pass"
    assert set(ran["cup"].table["strategy"]) == {"greedy", "random", "champion"}
    assert ran["lost"].to_dict()["results"][0]["table"][0]["restriction"] == "scout"
    assert ran["mine"].scores.height > 0


SHOWN = (
    "found", "gentle", "page", "cup", "lost", "mine", "checked", "run", "advantage", "game",
    "changed", "grid", "open_readings", "better", "ahead", "tried", "linked", "ledger",
)  # fmt: skip


@pytest.mark.parametrize("name", SHOWN)
def test_results_show_themselves_in_a_notebook(ran: dict[str, Any], name: str) -> None:
    shown = ran[name]._repr_html_()
    parser = Wellformed()
    parser.feed(shown)
    assert parser.open == []
    assert len(str(ran[name])) < 400


def test_every_public_function_stands_on_the_page() -> None:
    named = set(re.findall(r"\beq\.(\w+)", PAGE))
    assert set(eq.__all__) - {"Run", "Spec"} <= named


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
