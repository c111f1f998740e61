"""How far a player can be exploited: who attacks it, what they win, and what is stored about the shipped players."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from analysis import attacks
from analysis.attacks import (
    DEEP,
    FURTHER,
    LEARNED,
    LINEAR,
    SEARCH,
    STEP,
    Attack,
    AttackedTable,
    Attacker,
    Half,
    attack,
    attackers_of,
    defenders_of,
    judge,
    read_attacks,
    strongest_known,
    strongest_of,
    written,
)
from analysis.data.inputs import inputs_of
from analysis.data.results import Inputs
from reports.attacked import attacked_sentences
from reports.words import ENGLISH
from simcore.errors import UsageError
from simcore.game import load_game
from simcore.homes import GAMES
from simcore.rules.files import load_rules
from simcore.running.batch import run_chunk
from strategies.library import load_strategy
from strategies.model import Strategy
from strategies.spec import make_spec

GAME = load_game("middle-ages")
RULES = load_rules(GAME)


def table(players: int, defender: Strategy, seed: int = 7) -> AttackedTable:
    return AttackedTable(RULES, GAME, players, GAME.roles[0], defender, seed)


def stored(share: float = 0.5, low: float = 0.4, defender: str = "champion", rules: str = RULES.digest) -> Attack:
    return Attack(
        kind=SEARCH,
        attacker="search_attack",
        attacker_digest="0" * 64,
        defender=defender,
        defender_digest=load_strategy(GAME, defender).digest,
        players=4,
        role="player",
        usual=0.25,
        share=share,
        low=low,
        high=share + 0.1,
        games=480,
        making=1.0,
        playing=2.0,
        shares_value=False,
        rules_digest=rules,
        date="2026-11-24",
    )


@pytest.mark.parametrize("game", GAMES)
def test_every_player_has_attackers_who_imagine_it_and_a_thinker(game: str) -> None:
    found = load_game(game)
    for role in found.roles:
        own = list(attackers_of(found, found.default_players, role, load_strategy(found, "random")))
        assert [one.kind for one in own] == [STEP, SEARCH, DEEP, LEARNED, FURTHER]
        searches = [one.strategy.search for one in own[:3]]
        assert all(
            search is not None and search.rollouts == tables
            for search, tables in zip(searches, (16, 16, 64), strict=True)
        )
        if not found.asymmetric:
            assert {search.base.name for search in searches if search} == {"random"}, "they know whom they attack"
        thinking = [one.strategy.search for one in own[3:]]
        near, far = (one.foresights[found.default_players, role.name] for one in thinking if one is not None)
        assert (far.rounds, far.tables, far.decisions) == (near.rounds + 1, 64, ())
        assert far.value is near.value
        assert own[3].making == own[4].making > 0


def test_an_attacker_wins_what_its_games_say() -> None:
    greedy, champion = load_strategy(GAME, "greedy"), load_strategy(GAME, "champion")
    found, inputs = table(3, greedy).measure(Attacker(LINEAR, champion, 2.5), 1200)
    rows = run_chunk(make_spec("middle-ages", 3, ["champion", "greedy", "greedy"], seed=7, games=1200), 0, 1200)
    assert np.isclose(found.share, rows["share60"][rows["strategy"] == 0].mean() / 60)
    assert found.low < found.share < found.high
    assert (found.usual, found.games, inputs.games) == (1 / 3, 1200, 1200)
    assert found.times == pytest.approx(3 * found.share)
    assert found.minutes == 2.5 + found.playing
    assert not found.shares_value
    assert next(judge(found)).code == "attack_loses"


def test_each_of_several_attackers_wins_what_their_games_say() -> None:
    greedy, champion = load_strategy(GAME, "greedy"), Attacker(LINEAR, load_strategy(GAME, "champion"))
    half = table(5, greedy).measure_half(champion, 1201)
    assert half
    line = ["champion"] * 3 + ["greedy"] * 2
    rows = run_chunk(make_spec("middle-ages", 5, line, seed=8, design="shuffle", games=401), 0, 401)
    assert np.isclose(half.share, rows["share60"][rows["strategy"] < 3].mean() / 60), "strategies are numbered by seat"
    assert (half.seats, half.games) == (3, 401) and half.low < half.share < half.high
    alone, _ = table(5, greedy).measure(champion, 1200)
    assert 1 / 5 < half.share < alone.share, "three share what they win, and one wins most alone"
    assert table(2, greedy).measure_half(champion, 100) is None, "half of two is one"
    few = table(5, greedy, 1).measure_half(Attacker(LINEAR, replace(greedy, name="twin")), 12_000)
    assert few and few.low < 1 / 5 < few.high, "those who play alike win alike"


def test_an_attacker_of_the_defenders_name_is_somebody_else() -> None:
    """A learned player is named after its file, which may be thinker.toml."""
    greedy, champion = load_strategy(GAME, "greedy"), load_strategy(GAME, "champion")
    attacker = Attacker(LEARNED, replace(champion, name="greedy"))
    result, _ = table(3, greedy).measure(attacker, 600)
    assert result.share == table(3, greedy).measure(Attacker(LEARNED, champion), 600)[0].share > 0.4
    assert result.attacker == "greedy"


def test_a_player_who_attacks_itself_gains_nothing() -> None:
    greedy = load_strategy(GAME, "greedy")
    found, _ = table(3, greedy).measure(Attacker(LINEAR, replace(greedy, name="twin")), 3000)
    assert found.low < found.usual < found.high
    assert [said.code for said in judge(found)] == ["attack_holds"]


def test_in_a_role_the_attacker_is_compared_with_the_defender_in_its_place(monkeypatch: pytest.MonkeyPatch) -> None:
    game = load_game("seigneurial")
    role = next(role for role in game.roles if role.name == "tenant")
    payer, own = load_strategy(game, "payer"), load_strategy(game, "freeholder")
    table = AttackedTable(load_rules(game), game, 4, role, payer, 7)
    monkeypatch.setattr(attacks, "OFTEN", 6_000)
    found, _ = table.measure(Attacker(LINEAR, own), 1200)
    line = {"lord": ["overlord"], "tenant": ["payer"]}
    rows = run_chunk(make_spec("seigneurial", 4, line, seed=7, games=6_000), 0, 6_000)
    assert np.isclose(found.usual, rows["share60"][rows["strategy"] > 0].mean() / 60)
    monkeypatch.setattr(attacks, "OFTEN", 120)
    rough, _ = table.measure(Attacker(LINEAR, own), 1200)
    assert rough.share == found.share
    assert rough.high - rough.low > 1.15 * (found.high - found.low), "a rough yardstick says less"


def test_the_strongest_comes_first_and_few_games_say_so() -> None:
    found = attack(RULES, GAME, 2, defenders_of(GAME, "greedy"), 8)
    assert found.table["times"].is_sorted(descending=True)
    greedy = load_strategy(GAME, "greedy")
    (step,) = (one for one in attackers_of(GAME, 2, GAME.roles[0], greedy) if one.kind == STEP)
    alone, _ = table(2, greedy, 1).measure(step, 80)
    among = attack(RULES, GAME, 2, defenders_of(GAME, "greedy"), 80)
    (first,) = (one for one in among.found if one.kind == STEP)
    assert first.high - first.low > alone.high - alone.low, "the strongest is picked from five"
    assert set(found.table["kind"]) == {STEP, SEARCH, DEEP, LEARNED, FURTHER}
    assert found.verdict.code == "attack_few"
    assert found.table["half"].is_null().all(), "half of two is one"
    assert found.defender == "greedy"


@pytest.mark.parametrize(
    ("game", "named", "told"),
    [
        ("middle-ages", "chmpion", "did you mean 'champion'"),
        ("middle-ages", "champion,greedy", "name one player"),
        ("seigneurial", "lord=freeholder", "plays the role 'tenant', not 'lord'"),
        ("seigneurial", "load=overlord", "has no role 'load'"),
    ],
)
def test_who_cannot_be_attacked_is_refused(game: str, named: str, told: str) -> None:
    with pytest.raises(UsageError, match="attack: ") as caught:
        defenders_of(load_game(game), named)
    assert told in str(caught.value)


# --- what is stored ---


@pytest.fixture
def file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """The file of the attacks in a folder of our own."""

    class Home:
        configs = tmp_path

    monkeypatch.setattr(attacks, "home", lambda game: Home)
    for function in (read_attacks, strongest_known):
        function.cache_clear()
    yield tmp_path / "attacks.toml"
    for function in (read_attacks, strongest_known):
        function.cache_clear()


def played_by_champions() -> Inputs:
    return inputs_of(make_spec("middle-ages", 4, "champion", RULES), 0, 0)


def test_the_strongest_attack_is_quoted_and_marked_under_other_rules(file: Path) -> None:
    attacks = [stored(0.4), stored(0.58, 0.55)]
    file.write_text(written(attacks), encoding="utf-8")
    table = played_by_champions()
    (said,) = attacked_sentences(ENGLISH, [table])
    assert "champion is beaten by a search: with 4 players, one such attacker among champion wins 58.0%" in said
    assert "where champion would win 25.0%" in said
    file.write_text(written([stored(0.58, 0.55)._replace(half=Half(2, 0.35, 0.3, 0.4, 240))]), encoding="utf-8")
    for function in (read_attacks, strongest_known):
        function.cache_clear()
    _, several = attacked_sentences(ENGLISH, [table])
    assert several == (
        "With 2 such attackers at the table instead of one, each of them wins 35.0% (30.0% to 40.0%; 240 games)."
    )
    file.write_text(written(attacks), encoding="utf-8")
    for function in (read_attacks, strongest_known):
        function.cache_clear()
    other = replace(table, rules_digest="1" * 64)
    assert "Under the printed rules" in attacked_sentences(ENGLISH, [other])[0]
    assert attacked_sentences(ENGLISH, [replace(table, players=3)]) == []
    assert attacked_sentences(ENGLISH, [replace(table, strategies=("greedy",) * 4)]) == []
    assert attacked_sentences(ENGLISH, [replace(table, game="somebodys.py")]) == []


def test_the_range_of_the_strongest_of_several_allows_for_the_picking() -> None:
    """Two attacks: the range holds at 97.5 %, and 2.241 standard errors are 1.1436 times as many as 1.96."""
    one = stored(0.40, 0.30)
    assert strongest_of([one]) == one
    picked = strongest_of([one, stored(0.38, 0.28)])
    assert (picked.share, picked.games) == (one.share, one.games)
    assert picked.share - picked.low == pytest.approx(1.1436 * (one.share - one.low), rel=1e-4)
    assert picked.high - picked.share == pytest.approx(1.1436 * (one.high - one.share), rel=1e-4)


def test_nothing_is_said_of_a_file_of_the_users_that_has_the_name_of_a_shipped_player(
    file: Path, tmp_path: Path
) -> None:
    spec = make_spec("middle-ages", 4, "greedy")
    tables = {name: load_strategy(spec.game, name).to_dict() for name in ("champion", "greedy")}
    tables["impostor"] = tables["greedy"] | {"name": "champion"}
    file.write_text(written([stored(0.58, 0.55)]), encoding="utf-8")
    seated = [
        replace(spec, strategies=("champion",) * 4, strategy_tables=(tables[name],) * 4)
        for name in ("champion", "impostor")
    ]
    said = [attacked_sentences(ENGLISH, [inputs_of(one, 0, 0)]) for one in seated]
    assert [len(sentences) for sentences in said] == [1, 0]


def test_nobody_is_said_to_lose_to_an_attack_that_may_be_chance(file: Path) -> None:
    file.write_text(written([stored(0.3, 0.2)]), encoding="utf-8")
    table = played_by_champions()
    assert "No known attacker beats champion for certain" in attacked_sentences(ENGLISH, [table])[0]


def test_an_attack_on_an_earlier_version_of_a_player_is_not_quoted(file: Path) -> None:
    old = stored(0.58, 0.55)._replace(defender_digest="2" * 64)
    file.write_text(written([old]), encoding="utf-8")
    assert len(read_attacks("middle-ages")) == 1
    assert strongest_known("middle-ages", 4, "player", "champion") is None


@pytest.mark.parametrize(
    ("before", "after"),
    [(" 0.4,", " 4,"), (" 0.4,", " 0.51,"), ("480, ", ""), ("attacks =", "attack ="), ("[]", "[2, 0.3, 0.31, 0.4, 9]")],
)
def test_a_file_that_cannot_be_is_refused(file: Path, before: str, after: str) -> None:
    text = written([stored(0.4)])
    assert before in text
    file.write_text(text.replace(before, after), encoding="utf-8")
    with pytest.raises(UsageError, match=r"middle-ages/attacks\.toml"):
        read_attacks("middle-ages")


@pytest.mark.parametrize("game", GAMES)
def test_what_ships_is_about_players_that_ship(game: str) -> None:
    """An attack on a player that has changed is not quoted; `python -m studies.attacks` measures it again."""
    read_attacks.cache_clear()
    found = read_attacks(game)
    assert {one.rules_digest for one in found} <= {load_rules(load_game(game)).digest}
    assert len(found) == len(attacks.known_attacks(game))
