"""Strategies are found by name, file or Python reference; what cannot be used is told in one line."""

from __future__ import annotations

import tomllib
from importlib.resources import files
from pathlib import Path

import pytest

from simcore.errors import UsageError
from simcore.game import GAMES, load_game
from simcore.kernel.lineup import ROTATE, SEATS, UNIT, WEIGHTS
from strategies.custom import MAX_WEIGHT
from strategies.kit import load_kit
from strategies.library import load_strategy, shipped_strategies, strategy_from_dict
from strategies.spec import lineup

GAME = load_game("middle-ages")
HEAD = 'format = "equipoise-strategy/1"\ngame = "middle-ages"\nname = "mine"\ntitle = "Mine"\npolicy = "linear"\n'


def write(folder: Path, text: str) -> Path:
    path = folder / "mine.toml"
    path.write_text(text, encoding="utf-8")
    return path


@pytest.mark.parametrize("game", GAMES)
def test_every_shipped_strategy_loads_and_comes_back_from_its_dict_and_toml(game: str, tmp_path: Path) -> None:
    played = load_game(game)
    names = shipped_strategies(played)
    assert {"random", *map(load_kit(game).default_of, played.role_names)} <= set(names)
    for name in names:
        strategy = load_strategy(played, name)
        assert strategy.name == name
        assert strategy.title and strategy.description
        assert strategy_from_dict(played, strategy.to_dict()) == strategy
        assert load_strategy(played, write(tmp_path, strategy.to_toml())) == strategy


def test_middle_ages_ships_at_least_nine_strategies_with_a_provenance() -> None:
    names = set(shipped_strategies(GAME))
    assert {"engine_builder", "miller", "warlord", "churchman", "diversifier", "scout", "planner"} <= names
    loaded = {name: load_strategy(GAME, name) for name in names}
    weighing = [name for name, strategy in loaded.items() if strategy.weights or strategy.by_players]
    assert all(load_strategy(GAME, name).provenance for name in weighing)
    assert len({load_strategy(GAME, name).digest for name in names}) == len(names)


@pytest.mark.parametrize("game", GAMES)
def test_every_feature_is_named_once_and_explained_in_one_line(game: str) -> None:
    features = load_kit(game).features
    assert len({feature.name for feature in features}) == len(features) <= WEIGHTS
    for feature in features:
        assert feature.name.isidentifier() and feature.name == feature.name.lower()
        assert 10 < len(feature.meaning) <= 120 and "\n" not in feature.meaning


@pytest.mark.parametrize("game", GAMES)
def test_the_manual_explains_every_feature_and_lists_every_strategy(game: str) -> None:
    docs = Path(str(files("configs"))).parent / "docs/reference"
    features = (docs / "features.md").read_text(encoding="utf-8")
    for feature in load_kit(game).features:
        assert f"| `{feature.name}` | {feature.meaning} |" in features
    strategies = (docs / "strategies.md").read_text(encoding="utf-8")
    for name in shipped_strategies(load_game(game)):
        assert f"`{name}`" in strategies


def test_a_file_with_weights(tmp_path: Path) -> None:
    text = HEAD + "temperature = 0.5\nblunder = 0.25\n[weights]\nincome = 1\ncolumn = -0.5\n"
    strategy = load_strategy(GAME, write(tmp_path, text))
    record = lineup(GAME, [strategy], 3, "rotate")
    member = record["members"][0]
    index = load_kit("middle-ages").index
    assert member["weights"][index["income"]] == UNIT
    assert member["weights"][index["column"]] == -UNIT // 2
    assert abs(member["weights"]).sum() == UNIT + UNIT // 2
    assert member["temperature"] == UNIT // 2
    assert member["blunder"] == 2**30
    assert record["design"] == ROTATE
    assert [int(policy) != 0 for policy in record["members"]["policy"]] == [True] * 3 + [False] * (SEATS - 3)


def test_a_file_with_weights_by_number_of_players(tmp_path: Path) -> None:
    text = HEAD + "[weights]\nincome = 1\n[players.2]\nincome = 2\n[players.5]\ncolumn = 3\n"
    strategy = load_strategy(GAME, write(tmp_path, text))
    index = load_kit("middle-ages").index
    for players, name, weight in ((2, "income", 2), (3, "income", 1), (4, "income", 1), (5, "column", 3)):
        weights = lineup(GAME, [strategy], players, "rotate")["members"][players - 1]["weights"]
        assert weights[index[name]] == weight * UNIT == weights.sum()
    assert strategy_from_dict(GAME, strategy.to_dict()) == strategy
    assert load_strategy(GAME, write(tmp_path, strategy.to_toml())) == strategy
    digest = strategy.digest
    assert load_strategy(GAME, write(tmp_path, text.replace("column = 3", "column = 3.0\nfar = 0"))).digest == digest
    assert load_strategy(GAME, write(tmp_path, text.replace("column = 3", "column = 4"))).digest != digest


def test_a_strategy_for_other_numbers_of_players_is_refused(tmp_path: Path) -> None:
    strategy = load_strategy(GAME, write(tmp_path, HEAD + "[players.2]\nincome = 2\n[players.3]\nincome = 1\n"))
    assert lineup(GAME, [strategy], 3, "rotate")["members"][0]["weights"].sum() == UNIT
    with pytest.raises(UsageError, match="'mine' has weights for 2, 3 players, not for 4"):
        lineup(GAME, [strategy], 4, "rotate")


def test_the_digest_tells_how_it_plays_and_nothing_else(tmp_path: Path) -> None:
    plain = load_strategy(GAME, write(tmp_path, HEAD + "[weights]\nincome = 1\n"))
    renamed = load_strategy(GAME, write(tmp_path, HEAD.replace("Mine", "Ours") + "[weights]\nincome = 1.0\nfar = 0\n"))
    other = load_strategy(GAME, write(tmp_path, HEAD + "[weights]\nincome = 2\n"))
    warm = load_strategy(GAME, write(tmp_path, HEAD + "temperature = 1\n[weights]\nincome = 1\n"))
    assert plain.digest == renamed.digest
    assert len({plain.digest, other.digest, warm.digest}) == 3


BAD_FILES = [
    ("", "empty"),
    ("\x00\x01", "not valid TOML"),
    ("format = 'equipoise-strategy/1'", "is missing"),
    (HEAD + "[weights]\nincom = 1\n", "[weights] incom: no such feature; did you mean 'income'?"),
    (HEAD + "[weights]\nincome = nan\n", "[weights] income"),
    (HEAD + "[weights]\nincome = inf\n", "[weights] income"),
    (HEAD + "[weights]\nincome = 1e300\n", "1000"),
    (HEAD + f"[weights]\nincome = -{MAX_WEIGHT + 1}\n", "-1000"),
    (HEAD + f"[weights]\nincome = {'9' * 400}\n", "[weights] income"),
    (HEAD + "[weights]\nincome = '1'\n", "[weights] income"),
    (HEAD + "[weights]\nincome = true\n", "[weights] income"),
    (HEAD + "[weights.income]\nvalue = 1\n", "[weights] income"),
    (HEAD + "weights = 3\n", "weights: must be a table"),
    (HEAD + "[players.6]\nincome = 1\n", "[players.6]: Middle-Ages is for 2 to 5 players"),
    (HEAD + "[players.two]\nincome = 1\n", "[players.two]: Middle-Ages is for 2 to 5 players"),
    (HEAD + "[players.2]\nincom = 1\n", "[players.2] incom: no such feature; did you mean 'income'?"),
    (HEAD + "[players.2]\nincome = 1001\n", "1000"),
    (HEAD.replace("linear", "greedy") + "[players.2]\nincome = 1\n", "[players.2]: policy 'greedy' reads no weights"),
    (HEAD + "tempreature = 1\n", "tempreature: unknown key; did you mean 'temperature'?"),
    (HEAD + "temperature = -1\n", "temperature"),
    (HEAD + "temperature = nan\n", "temperature"),
    (HEAD + "blunder = 1.01\n", "blunder"),
    (HEAD.replace("linear", "linaer"), "did you mean 'linear'?"),
    (HEAD.replace("linear", "greedy") + "[weights]\nincome = 1\n", "reads no weights"),
    (HEAD.replace("middle-ages", "chess"), "plays 'chess', not middle-ages"),
    (HEAD.replace('"mine"', '"My Own"'), "name"),
    (HEAD.replace("strategy/1", "strategy/9"), "format"),
    (HEAD + "provenance = " + "[" * 60 + "]" * 60, "nested too deeply"),
]


@pytest.mark.parametrize(("text", "told"), BAD_FILES, ids=range(len(BAD_FILES)))
def test_a_bad_file_is_refused_in_one_line(tmp_path: Path, text: str, told: str) -> None:
    path = write(tmp_path, text)
    with pytest.raises(UsageError) as caught:
        load_strategy(GAME, path)
    assert told in str(caught.value)
    assert str(path)[-20:] in str(caught.value)
    assert "\n" not in str(caught.value)
    assert len(str(caught.value)) < 400


@pytest.mark.parametrize(
    ("reference", "told"),
    [
        ("gredy", "did you mean 'greedy'?"),
        ("", "not a shipped name"),
        ("nowhere.toml", "no such file"),
        ("no_such_module_here:play", "no module 'no_such_module_here'"),
        ("math:sin", "not a policy"),
        ("math:sine", "no 'sine' in math"),
        ("nowhere/at_all.py:play", "no file"),
        ("nowhere/at_all:play", "no file nowhere/at_all"),
        (":play", "module:attribute"),
        ("math:", "module:attribute"),
    ],
)
def test_a_bad_reference_is_refused_in_one_line(reference: str, told: str) -> None:
    with pytest.raises(UsageError) as caught:
        load_strategy(GAME, reference)
    assert told in str(caught.value)
    assert "\n" not in str(caught.value)


def test_a_folder_and_a_binary_file_are_refused(tmp_path: Path) -> None:
    folder = tmp_path / "folder.toml"
    folder.mkdir()
    binary = tmp_path / "binary.toml"
    binary.write_bytes(bytes(range(256)))
    for path, told in ((folder, "not a file"), (binary, "UTF-8")):
        with pytest.raises(UsageError, match=told):
            load_strategy(GAME, path)


def test_lineups_that_do_not_fit_are_refused(tmp_path: Path) -> None:
    random, greedy = load_strategy(GAME, "random"), load_strategy(GAME, "greedy")
    with pytest.raises(UsageError, match="2 given for 4 players"):
        lineup(GAME, [random, greedy], 4, "rotate")
    with pytest.raises(UsageError, match="did you mean 'rotate'"):
        lineup(GAME, [random], 4, "rotat")
    impostor = load_strategy(GAME, write(tmp_path, HEAD.replace("mine", "greedy")))
    with pytest.raises(UsageError, match="two different strategies are called 'greedy'"):
        lineup(GAME, [greedy, impostor], 2, "rotate")
    assert lineup(GAME, [greedy, random, greedy], 3, "fixed")["members"]["policy"][2] != 0


def test_shipped_files_hold_nothing_twice_and_no_more_than_three_digits() -> None:
    folder = files("configs") / "middle-ages" / "strategies"
    for name in shipped_strategies(GAME):
        table = tomllib.loads((folder / f"{name}.toml").read_text(encoding="utf-8"))
        for weights in (table.get("weights", {}), *table.get("players", {}).values()):
            for weight in weights.values():
                assert weight != 0
                assert float(f"{weight:.3g}") == weight
