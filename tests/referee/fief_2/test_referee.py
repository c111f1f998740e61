"""The referee follows honest games, and knows the facts that the page states."""

import json
from pathlib import Path

import pytest

from . import check, check_file, main
from . import rulebook as rule
from .combat import Side
from .outlook import DISTANCE
from .player import play
from .rulebook import PLAYERS, REGIONS, SWITCHES
from .scene import NAMES, Scene, bishop_card

BOURG, TOURNUS, BLAYE, SIGY = (rule.BISHOPRICS.index(name) for name in ("bourg", "tournus", "blaye", "sigy"))


@pytest.mark.parametrize("players", PLAYERS)
@pytest.mark.parametrize("strategies", [("random",), ("steward",), ("random", "steward")], ids=" ".join)
def test_honest_games_hold_no_violation(players: int, strategies: tuple[str, ...]) -> None:
    names = [strategies[seat % len(strategies)] for seat in range(players)]
    assert check(play(players, names)) == []


@pytest.mark.parametrize("name", SWITCHES)
def test_honest_games_with_other_switches(name: str) -> None:
    assert check(play(1, ["random", "steward"] * 2, **{name: SWITCHES[name][1]})) == []


def test_the_command_line(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "games.jsonl"
    log = play(1, ["random"] * 3, turns=10)
    file.write_text("".join(json.dumps(record) + "\n" for record in log), encoding="utf-8")
    assert check_file(file)["violations"] == 0
    assert main([str(file)]) == 0
    file.write_text("".join(json.dumps(record) + "\n" for record in log[:-1]), encoding="utf-8")
    assert main([str(file)]) == 1
    assert "the log ends here" in capsys.readouterr().out


def test_the_map() -> None:
    assert len(rule.VILLAGES) == 24 and len(rule.ROADS) == 31
    degree = [len(near) for near in rule.NEIGHBOURS]
    assert sum(degree) == 62
    assert [sum(degree[v] for v in range(24) if rule.REGION[v] == r) for r in range(6)] == [13, 7, 10, 13, 11, 8]
    assert sum(village * number for village, number in enumerate(degree)) == 730
    assert sum(rule.REGION[a] == rule.REGION[b] for a, b in rule.ROADS) == 20
    assert max(map(max, DISTANCE)) == 7 and sum(map(sum, DISTANCE)) == 2 * 944
    assert [rule.BISHOPRIC.count(see) for see in range(4)] == [7, 6, 4, 7]


def test_cards_and_points() -> None:
    assert len(rule.CARDS) == 57
    assert sum(rule.TITLE_PRICE * size for size in rule.SIZE) == 4800
    assert sum(rule.TITLE_POINTS) == 240
    red = rule.KING + rule.QUEEN + rule.PRINCE + 4 * rule.BISHOP + 3 * rule.CARDINAL
    assert sum(rule.TITLE_POINTS) + red == 440


def test_revenue() -> None:
    """200 + 100 + 300 + 400 + 500 = 1500, and 100."""
    scene = Scene()
    scene.village("bourg", 1, {1: 1}, mill=1, press=1)
    scene.village("villeneuve", 1, {1: 1}, mill=1)
    scene.village("la_buissiere", 1, {1: 1}, press=1, rebels=3)
    scene.village("les_essarts", 2, {2: 1}, mill=1)
    scene.lord(0, 1, "bourg", "county_bourg")
    scene.lord(1, 1, "bourg", bishopric=BOURG)
    scene.crown(0)
    scene.table.tithe[BOURG], scene.table.taille[REGIONS.index("county_bourg")] = 21, 25
    told = [record for record in scene.play(scene.walk.revenue, "revenue") if record["kind"] == "revenue"]
    fields = ("land", "industry", "tithe", "taille", "pension")
    assert [[record[field] for field in fields] for record in told[:2]] == [
        [200, 100, 300, 400, 500],
        [100, 0, 0, 0, 0],
    ]
    assert scene.table.money[1] == 1500 and scene.table.money[2] == 100


def court_of_votes(cardinal: bool) -> Scene:
    """Return the page's election: a duke and a bishop; a baron and count; a bishop or cardinal and a countess."""
    scene = Scene()
    for seat, village in ((1, "tournus"), (2, "bourg"), (3, "sigy")):
        scene.village(village, seat, {seat: 1})
    scene.lord(0, 1, "tournus", "duchy_tournus")
    scene.lord(1, 1, "tournus", bishopric=TOURNUS)
    scene.lord(2, 2, "bourg", "barony_sennecy", "county_bourg")
    scene.lord(3, 3, "sigy", bishopric=SIGY, cardinal=cardinal)
    scene.lord(12, 3, "sigy", "county_blaye")
    return scene


@pytest.mark.parametrize(("cardinal", "helps", "king"), [(True, False, 2), (False, False, None), (False, True, 2)])
def test_votes(cardinal: bool, helps: bool, king: int | None) -> None:
    """Two against three; the cardinal alone suffices; were he only bishop and seat 1 refused, no King."""
    scene = court_of_votes(cardinal)
    answers = {"stand 1": 0, "stand 2": 2, "vote 1": 0, "vote 2": 2, "vote 3": 2, "consecrate 1": helps}
    told = scene.play(scene.walk.elect, "court", answers | {"consecrate 3": True})
    assert scene.table.crown["king"] == king
    votes = [record for record in told if record.get("name") == "vote"]
    assert [(record["seat"], record["options"]) for record in votes] == [(seat, [None, 0, 2]) for seat in (1, 2, 3)]
    assert scene.walk.votes(1) == 2 and scene.walk.votes(2) == 1 and scene.walk.votes(3) == 2
    assert scene.table.guard["king"] == (20 if king else 0)


def test_the_combat_of_the_rulebook() -> None:
    """8 soldiers and 2 lords against 5 and 1 in a castle: one soldier and two lords remain."""
    scene = Scene()
    village = scene.village("tournus", 2, {1: 8, 2: 5}, fort=1)
    for number, seat in ((0, 1), (1, 1), (2, 2)):
        scene.lord(number, seat, "tournus")

    def record(points: list[int], dice: list[list[int]], losses: list[int]) -> dict[str, object]:
        return {
            "kind": "round",
            "village": 0,
            "attacker": 1,
            "defender": 2,
            "ground": "castle",
            "points": points,
            "dice": dice,
            "totals": [*map(sum, dice)],
            "losses": losses,
        }

    def lost(seat: int, number: int) -> dict[str, object]:
        fields = {"village": 0, "what": "soldiers", "delta": -number, "why": "combat"}
        return {"kind": "pawns", "seat": seat} | fields

    def asks(seat: int, name: str, choice: bool) -> dict[str, object]:
        return {"kind": "decision", "seat": seat, "name": name, "options": [False, True], "choice": choice}

    def no_grace() -> list[dict[str, object]]:
        return [asks(2, "ask_grace", False), asks(1, "ask_grace", False)]

    dead: list[dict[str, object]] = [
        {"kind": "lord", "lord": 2, "seat": 2, "village": None, "status": "dead", "captor": None, "why": "combat"},
        {"kind": "move", "card": 2, "from": {"zone": "play"}, "to": {"zone": "discard"}, "why": "combat"},
    ]
    assert (
        scene.follow(
            lambda: scene.walk.fight(village, 1, 2),
            "combat",
            record([10, 6], [[5, 3], [6]], [3, 2]),
            lost(1, 3),
            lost(2, 2),
            *no_grace(),
            record([7, 4], [[3, 3], [3]], [1, 2]),
            lost(1, 1),
            lost(2, 2),
            asks(2, "ask_grace", True),
            asks(1, "grant_grace", False),
            asks(1, "ask_grace", False),
            record([6, 2], [[6], [6]], [3, 2]),
            lost(1, 3),
            lost(2, 1),
            *dead,
            {"kind": "holder", "village": 0, "seat": 1},
        )
        == []
    )
    assert village.soldiers == {1: 1, 2: 0} and village.holder == 1 and scene.table.points(1, 0) == 3


def test_grace_makes_prisoners_and_a_new_holder() -> None:
    scene = Scene()
    village = scene.village("tournus", 2, {1: 12, 2: 12}, fort=1)
    scene.lord(0, 1, "tournus")
    scene.lord(1, 2, "tournus")
    scene.play(lambda: scene.walk.fight(village, 1, 2), "combat", {"ask_grace 2": True, "grant_grace": True})
    assert scene.table.lords[1].captor == 1 and not village.soldiers[2] and village.holder == 1


def test_losses_fall_on_the_least_worth_with_titles_passed_on_at_once() -> None:
    """Of a baron, a duke and an untitled man the last dies first; the dead baron's title goes to the other."""
    scene = Scene()
    village = scene.village("tournus", 1, {})
    scene.lord(0, 1, "tournus", "barony_sennecy")
    scene.lord(1, 1, "tournus", "duchy_tournus")
    scene.lord(2, 1, "tournus")
    side = Side(scene.table, village, 1, [])
    scene.play(lambda: scene.walk.lose(side, 2), "combat")
    assert [*scene.table.lords] == [1] and scene.table.titles_owned(1) == [0, 1]


def test_plague_halves_soldiers_and_guards() -> None:
    """7 soldiers lose 3, 1 loses none, 20 guards 10."""
    scene = Scene()
    scene.village("tournus", 1, {1: 7})
    scene.village("pugnac", 2, {2: 1})
    scene.lord(0, 1, "tournus")
    scene.crown(0)
    scene.table.zones.hands[1] = [30]
    told = scene.play(lambda: scene.walk.play(1), "cards", {"play": 30, "target_plague": 0})
    losses = [(record["what"], record["delta"]) for record in told if record["kind"] == "pawns"][:2]
    assert losses == [("soldiers", -3), ("king_guard", -10)]
    assert scene.table.villages[2].soldiers[2] == 1


@pytest.mark.parametrize("points", range(4))
def test_calm(points: int) -> None:
    """A bishop with c points of conviction ends a revolt in (3 + c) of 6 cases."""
    ended = 0
    for die in range(1, 7):
        scene = Scene()
        village = scene.village("tournus", 1, {1: 1}, rebels=5, revolt=49)
        scene.lord(0, 1, "tournus", bishopric=TOURNUS)
        scene.table.money[1] = 1500
        scene.pen.die = lambda what, *of, made=die: made
        scene.play(lambda at=village, walk=scene.walk: walk.calm(1, at), "combat", {"calm": points})
        ended += not village.rebels
        assert (0 in scene.table.lords) == (not village.rebels)
        assert (bishop_card(TOURNUS) in scene.table.zones.discard) == bool(village.rebels)
        assert scene.table.money[1] == 1500 - 500 * points
    assert ended == 3 + points


def kingdom(prince: bool = True) -> Scene:
    """Return a King of seat 1 with his wife of seat 2, and a Prince or none."""
    scene = Scene()
    for seat, village in ((1, "tournus"), (2, "bourg"), (3, "sigy")):
        scene.village(village, seat, {seat: 3})
    scene.lord(0, 1, "tournus", "duchy_tournus")
    scene.lord(12, 2, "bourg")
    scene.lord(1, 1, "tournus")
    scene.crown(0, 12, 1 if prince else None)
    return scene


def test_a_king_with_prince_and_queen_dies_in_turn_7() -> None:
    """A regency to the end of turn 11."""
    scene = kingdom()
    scene.table.turn = 7
    scene.play(lambda: scene.walk.die(scene.table.lords[0]), "cards")
    table = scene.table
    assert table.crown == {"king": 1, "queen": 12, "prince": None}
    assert table.regency == 11 and table.guard == {"king": 20, "queen": 10}
    assert scene.walk.revenue_of(2)["pension"] == 500
    table.turn = 10
    scene.play(scene.walk.end_of_turn, "end")
    assert table.crown["queen"] == 12
    table.turn = 11
    scene.play(scene.walk.end_of_turn, "end")
    assert table.crown["queen"] is None and table.guard["queen"] == 0 and table.regency is None


def test_without_prince_both_cards_go_back() -> None:
    scene = kingdom(prince=False)
    scene.play(lambda: scene.walk.die(scene.table.lords[0]), "cards")
    assert scene.table.crown == {"king": None, "queen": None, "prince": None}
    assert scene.table.guard == {"king": 0, "queen": 0}
    assert scene.table.titles[0].lord == 1 and scene.table.lords[12].spouse is None


def test_the_last_lord_of_a_family_leaves_his_titles_to_the_king_or_keeps_them() -> None:
    scene = kingdom()
    lord = scene.lord(5, 3, "sigy", "duchy_sigy", "barony_sennecy")
    scene.play(lambda: scene.walk.die(lord), "cards")
    assert scene.table.owner(REGIONS.index("duchy_sigy")) == 1
    assert scene.table.titles[REGIONS.index("barony_sennecy")].lord == 1  # of fewest titles
    scene = Scene()
    scene.village("sigy", 3, {3: 3})
    lord = scene.lord(5, 3, "sigy", "duchy_sigy")
    scene.play(lambda: scene.walk.die(lord), "cards")
    title = scene.table.titles[REGIONS.index("duchy_sigy")]
    assert (title.lord, title.keeper) == (None, 3) and scene.table.scores_now(3) == 50
    scene.play(lambda: scene.walk.arrive(3, 6, NAMES.index("sigy")), "cards")
    assert title.lord == 6


@pytest.mark.parametrize(("switch", "owner"), [("city", None), ("never", 1)])
def test_a_title_is_lost_with_its_city(switch: str, owner: int | None) -> None:
    scene = Scene(title_loss=switch)
    village = scene.village("tournus", 1, {2: 5}, fort=2)
    scene.lord(0, 1, "bourg", "duchy_tournus")
    scene.play(lambda: scene.walk.settle(0), "combat")
    assert village.holder == 2 and scene.table.owner(0) == owner


def test_a_new_lord_takes_a_title_of_another() -> None:
    """Not one above the best that is left, and never one of his own."""
    scene = Scene()
    scene.village("tournus", 1, {1: 1})
    scene.lord(0, 1, "tournus", "duchy_tournus", "barony_sennecy")
    new = scene.lord(1, 1, "tournus", "duchy_sigy", "county_blaye")
    told = scene.play(lambda: scene.walk.crown_new(new), "cards", {"crown_new": 1})
    assert told[0]["options"] == [None, 1]
    assert scene.table.titles[1].lord == 1


def test_outside_a_fort() -> None:
    """Who steps into his own fort while others are there is outside; a sortie joins all, in the open."""
    scene = Scene()
    village = scene.village("tournus", 1, {1: 2, 2: 9}, fort=1)
    scene.village("pugnac", 1, {1: 4})
    scene.lord(0, 1, "pugnac")
    scene.lord(1, 2, "tournus")
    scene.walk.unmoved = [each.soldiers[1] for each in scene.table.villages]
    scene.play(lambda: scene.walk.move(1), "movement", {"lord": 0, "step": 0, "take": 4})
    assert village.outside == 4 and scene.table.lords[0].outside
    inside = Side(scene.table, village, 1, [], inside=True)
    assert inside.points == 2 and scene.table.points(1, 0) == 7
    told = scene.play(lambda: scene.walk.fight(village, 2, 1), "combat", {"sortie": True})
    rounds = [record for record in told if record["kind"] == "round"]
    assert rounds[0]["ground"] == "open" and rounds[0]["points"] == [10, 7]


def test_in_laws_neither_attack_nor_stand_aside() -> None:
    """With alliances = "marriage" they may join on open ground; losses go round, the principal first."""
    scene = Scene(alliances="marriage")
    village = scene.village("tournus", 2, {1: 9, 2: 9, 3: 9})
    for number, seat in ((0, 1), (1, 2), (12, 3)):
        scene.lord(number, seat, "tournus")
    scene.table.lords[0].spouse, scene.table.lords[12].spouse = 12, 0
    told = scene.play(lambda: scene.walk.attack(1, village), "combat", {"attack": 2, "join": True})
    assert told[0]["options"] == [None, 2] and (told[1]["name"], told[1]["seat"]) == ("join", 3)
    first = told[2]
    assert first["points"] == [20, 10]
    second = next(index for index, record in enumerate(told[3:], start=3) if record["kind"] == "round")
    losses = [record["seat"] for record in told[3:second] if record.get("what") == "soldiers" and record["seat"] != 2]
    assert losses == [1, 3, 1, 3, 1, 3, 1, 3, 1][: first["losses"][0]]


def test_titles_win() -> None:
    """Three of the King's family alone, or four with the Queen's together: a shared win."""
    scene = kingdom()
    scene.lord(2, 2, "bourg", "duchy_sigy", "county_bourg", "county_blaye")
    assert scene.walk.victory() == [1, 2]
    scene.table.titles[2].lord = 0
    scene.table.titles[3].lord = 0
    assert scene.walk.victory() == [1]
    scene.table.crown["king"] = None
    assert scene.walk.victory() == []


def test_six_stewards_place() -> None:
    placed = [record["choice"] for record in play(1, ["steward"] * 6, turns=10) if record.get("name") == "place"]
    assert [NAMES[village] for village in placed] == ["l_epervier", "st_gerome", "la_salle", "bourg", "tournus", "sigy"]
