"""Seigneurial: the facts of the rulings' page, and cards as data."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import tomli_w

from simcore.errors import UsageError
from simcore.game import load_game
from simcore.games.seigneurial.rules import SeigneurialRules
from simcore.games.seigneurial.state import OPS
from simcore.rules.files import Rules, load_rules
from simcore.running.batch import run_chunk
from simcore.running.replay import replays
from strategies.library import load_strategy
from strategies.spec import assemble_spec, make_spec

GAME = load_game("seigneurial")
REFERENCE = {"lord": ["bailiff"], "tenant": ["gatherer"]}
ANYBODY = {"lord": ["random"], "tenant": ["random"]}

Record = dict[str, Any]


def base() -> SeigneurialRules:
    values = load_rules(GAME).values
    assert isinstance(values, SeigneurialRules)
    return values


def logs(players: int, games: int, line: Any = ANYBODY, **options: Any) -> Iterator[list[Record]]:
    spec = make_spec("seigneurial", players, line, seed=8, games=games, **options)
    for played in replays(spec, 0, games):
        yield list(played.logs[0].records)


def test_the_box() -> None:
    """163 = 12 + 27 + 20 + 3 x 33 + 5 summary cards; 61 points a type."""
    rules = base()
    tables = [
        len(rules.objectives),
        *(sum(card.copies for card in table) for table in (rules.tenant_card, rules.lord_card)),
    ]
    assert tables == [12, 27, 20]
    assert sum(rules.pile) == 33
    assert sum(tables) + 3 * sum(rules.pile) + 5 == 163
    assert sum(value * cards for value, cards in enumerate(rules.pile)) == 61


def test_the_rulebooks_sixth_square_is_square_5() -> None:
    """The start counts as the first square: at 4 players the land is improved on square 5."""
    for records in logs(4, 20, settings=["lord_card.royal_favour.copies=0"]):
        square = 0
        for record in records:
            if record["kind"] == "progress":
                square = record["square"]
            if record.get("action") == "improve":
                assert square == 5


def test_every_rent_is_the_tables() -> None:
    """Sums of what the lord asks for: 2, 3, 4 before the middle, 5, 7, 9 after, less 1 for each indulgence."""
    for players, allowed in ((3, {1, 2, 3, 4, 5}), (4, {1, 2, 3, 5, 6, 7}), (5, {2, 3, 4, 7, 8, 9})):
        asked = {
            sum(record[kind] for kind in ("wood", "fish", "grain"))
            for records in logs(players, 10)
            for record in records
            if record.get("action") == "rent"
        }
        assert asked <= allowed


def test_a_pawn_that_falls_ill_in_winter_is_placed_again_in_summer() -> None:
    """The rulings' example: refused in season 4, ill in 4 and 5, placed again in 6."""
    seen = 0
    plain = ["tenant_card.remedy.copies=0", "lord_card.fever.copies=0", "tenant_card.firewood.copies=0"]
    for records in logs(3, 10, settings=plain):
        ill: dict[int, int] = {}
        placed: dict[tuple[int, int], int] = {}
        for record in records:
            if record["kind"] == "ill" and record["turn"] == 4:
                assert record["turns"] == 2
                ill[record["seat"]] = 4
            if record.get("action") == "place":
                placed[record["seat"], record["turn"]] = len(record["squares"])
        for seat in ill:
            if (seat, 6) in placed:
                seen += 1
                assert [placed[seat, turn] for turn in (3, 4, 5, 6)] == [2, 1, 1, 2]
    assert seen > 5


def test_what_is_paid_in_winter_is_exactly_2_or_one_card_above() -> None:
    for records in logs(3, 20):
        paid: Counter[tuple[int, int]] = Counter()
        cards: Counter[tuple[int, int]] = Counter()
        for record in records:
            if record["kind"] == "move" and record["why"] == "winter":
                key = record["turn"], record["from"]["seat"]
                paid[key] += int(record["card"][-1])
                cards[key] += 1
        for key, points in paid.items():
            assert points == 2 or (points > 2 and cards[key] == 1)


def test_at_most_one_point_of_favour_is_kept() -> None:
    """2 favour are a card at once: no more than N of the 10 tokens are ever out."""
    ends = [record for records in logs(5, 10) for record in records if record["kind"] == "season_end"]
    assert {points for record in ends for points in record["favour"]} == {0, 1}


@pytest.mark.parametrize(("players", "seasons"), [(3, 8), (4, 10), (5, 12)])
def test_without_royal_favour_the_lord_cannot_win_before_the_track_ends(players: int, seasons: int) -> None:
    line = {"lord": ["bailiff"], "tenant": ["random"]}
    spec = make_spec("seigneurial", players, line, seed=3, games=600, settings=["lord_card.royal_favour.copies=0"])
    rows = run_chunk(spec, 0, 600)
    won = rows["seasons"][rows["ending"] == 1]
    assert won.min() == seasons


@pytest.mark.parametrize(("players", "share"), [(3, 0.796), (4, 0.441), (5, 0.146)])
def test_bailiff_against_gatherer(players: int, share: float) -> None:
    """The rulings' figures, from an independent C program: within four standard errors; tenants win alike."""
    games = 8_000
    spec = make_spec("seigneurial", players, REFERENCE, seed=12, games=games)
    won = run_chunk(spec, 0, games)["share60"].reshape(games, players) / 60
    assert abs(won[:, 0].mean() - share) < 4 * np.sqrt(share * (1 - share) / games) + 0.0005
    tenants = won[:, 1:].mean(axis=0)
    assert np.ptp(tenants) < 5 * np.sqrt(2 * tenants.mean() / games)


def test_at_the_last_season_nobody_wins_and_all_share() -> None:
    spec = make_spec("seigneurial", 5, REFERENCE, seed=1, games=50, settings=["max_seasons=2"])
    rows = run_chunk(spec, 0, 50)
    assert set(rows["share60"]) == {12} and set(rows["place"]) == {1} and set(rows["ending"]) == {3}
    assert set(rows["seasons"]) == {2}


def test_the_reference_pair_never_reaches_the_last_season() -> None:
    spec = make_spec("seigneurial", 4, REFERENCE, seed=1, games=4000)
    assert not (run_chunk(spec, 0, 4000)["ending"] == 3).any()


def test_par_by_camp_and_by_player() -> None:
    camp, player = (load_rules(GAME, settings=[f"par={par}"]).values for par in ("camp", "player"))
    assert GAME.par(camp, 4) == [1 / 2, 1 / 6, 1 / 6, 1 / 6]
    assert GAME.par(player, 5) == [1 / 5] * 5


# --- cards as data ---


def every_effect() -> Iterator[tuple[str, Record]]:
    """One effect of each op, who and what that the vocabulary has, by the table in which it stands."""
    for name, op in OPS.items():
        for who in op.who:
            for what in op.what or ("",):
                effect = {"op": name, "who": who, "n": 1} | ({"what": what} if what else {})
                yield "tenant_card", effect
                if who != "self" and name not in ("take", "barter"):
                    yield "lord_card", effect


def with_card(folder: Path, table: str, *effects: Record) -> Rules:
    """Rules of a TOML file that has nothing but the cards of a role: all of one kind, playable in every window."""
    card = {"id": "new_card", "copies": 30, "when": ["any"], "effects": list(effects)}
    file = folder / "with_card.toml"
    file.write_text(tomli_w.dumps({"extends": "base", table: [card]}), encoding="utf-8")
    return load_rules(GAME, file)


def effects_of(rules: Rules, games: int = 2) -> set[tuple[str, str | None]]:
    """The ops and whats that happen in some games of players who choose at random."""
    spec = assemble_spec(GAME, 3, [load_strategy(GAME, "random")] * 3, rules, 4, "rotate", games)
    return {
        (record["op"], record["what"])
        for played in replays(spec, 0, games)
        for record in played.logs[0].records
        if record["kind"] == "effect"
    }


@pytest.mark.parametrize(("table", "effect"), [*every_effect()], ids=str)
def test_a_card_with_any_effect_is_played_without_code(table: str, effect: Record, tmp_path: Path) -> None:
    found = effects_of(with_card(tmp_path, table, effect))
    if effect.get("what", "") == "choose":
        assert len({what for op, what in found if op == effect["op"]}) > 1
    else:
        assert (effect["op"], effect.get("what")) in found


def test_a_card_of_three_effects_does_them_in_turn(tmp_path: Path) -> None:
    three = (
        {"op": "cards", "who": "tenants"},
        {"op": "draws", "who": "tenant", "n": -1},
        {"op": "reveal", "who": "self"},
    )
    assert {op for op, _ in effects_of(with_card(tmp_path, "tenant_card", *three), 12)} >= {"cards", "reveal"}


# --- what cannot be played ---


@pytest.mark.parametrize(
    ("setting", "told"),
    [
        ('tenant_card.windfall.effects=[{op="gian",who="self"}]', "no op 'gian'; did you mean 'gain'?"),
        ('tenant_card.windfall.effects=[{op="gain",who="lord",what="wood"}]', "gain: who cannot be 'lord'"),
        ('tenant_card.windfall.effects=[{op="gain",who="self",what="mill"}]', "gain: what cannot be 'mill'"),
        ('tenant_card.windfall.effects=[{op="yield",who="self",what="wood",n=0}]', "yield: n cannot be 0"),
        ('lord_card.fever.effects=[{op="take",who="tenant"}]', "'fever': a Seigneur card cannot have take tenant"),
        ('lord_card.fever.effects=[{op="gag",who="self"}]', "'fever': a Seigneur card cannot have gag self"),
        ('lord_card.fever.when=["winter"]', "no window 'winter'"),
        ('lord_card.fever.id="curfew"', "has two cards 'curfew'"),
        ("tenant_card.windfal.copies=3", "no table 'tenant_card.windfal'; did you mean 'windfall'?"),
        ("tenant_card.windfall.copies=61", "must be 60 or less, not 61"),
        ("pile=[1, 2]", "must have at least 5 entries"),
        ("objectives.sawyer=[62, 0, 0]", "objectives.sawyer: asks for 62 wood at 3 players"),
        ("objective_extra.3=-19", "objectives.sawyer: asks for nothing at 3 players"),
        ("track.3=[9, 8]", "put the start before the end"),
        ("rent_limits=[5, 4]", "rent_limits: the minimum is 5 and the maximum 4"),
    ],
)
def test_rules_that_cannot_be_played_are_refused_in_one_line(setting: str, told: str) -> None:
    with pytest.raises(UsageError) as caught:
        GAME.pack(load_rules(GAME, settings=[setting]).values, 3)
    assert told in str(caught.value) and "\n" not in str(caught.value)


def test_copies_that_do_not_fit_into_a_pile_are_refused() -> None:
    changed = base().model_dump(mode="json", exclude_defaults=True)
    changed["tenant_card"] = [{**card, "copies": 20} for card in changed["tenant_card"]]
    with pytest.raises(UsageError, match="the copies add up to 260; a pile has room for 120"):
        Rules.from_dict(GAME, changed)


def test_fewer_objectives_than_tenants_are_refused() -> None:
    changed = base().model_dump(mode="json", exclude_defaults=True)
    changed["objectives"] = {"only": [5, 5, 5]}
    with pytest.raises(UsageError, match="there are 1 for 2 tenants"):
        GAME.pack(Rules.from_dict(GAME, changed).values, 3)


def test_a_lord_does_not_sit_among_the_tenants() -> None:
    with pytest.raises(UsageError, match="'bailiff' plays the role 'lord'"):
        make_spec("seigneurial", 3, ["bailiff", "bailiff", "gatherer"])
