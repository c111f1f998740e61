"""Games of any length, told by their events: known answers on made-up events, and real games against their logs."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from analysis.api import action_mix, drama, load_declarations
from analysis.course.standings import lead_passes
from analysis.data.declarations import Actions, Declarations, Standing
from analysis.data.source import Array
from analysis.runs import load
from analysis.runs.folders import claim
from analysis.runs.writer import RunWriter
from simcore.errors import UsageError
from simcore.kernel.trace import EventKind
from simcore.running.executors import execute
from simcore.running.replay import replays
from tests.analysis.made import Made
from tests.specs import make_spec

ACTED, STANDS, BEGINS = range(3)
KINDS = (EventKind("act", "", ("what",)), EventKind("stand", "", ("lands", "gold")), EventKind("begin", "", ("part",)))


class Noted(Made):
    """Made-up games with made-up events: (game, turn, seat, kind, a, b)."""

    def __init__(self, shares: Any, events: Sequence[Sequence[int]], declared: Declarations, **more: Any) -> None:
        super().__init__({"share60": np.asarray(shares), **more})
        self.spec = replace(self.spec, game=replace(self.spec.game, events=KINDS, most_notes=99, score=None))
        self.events = np.array([(*event, 0) for event in events], np.int32)
        self.declarations = declared

    has_events = True

    def read_with_events(self, stretch: Any, names: Sequence[str]) -> Iterator[tuple[int, dict[str, Array], Array]]:
        """Yield all games."""
        for first, columns in self.read(stretch, names):
            yield first, columns, self.events


def stands(game: int, turn: int, *seats: tuple[int, int]) -> list[tuple[int, ...]]:
    """Return the standing of all seats at a turn."""
    return [(game, turn, seat, STANDS, *values) for seat, values in enumerate(seats)]


STANDING = Declarations(standing=Standing("stand", ("lands", "gold")))


def test_games_of_different_lengths_without_a_score() -> None:
    """A long game, won from behind with the last turn, and a short one led from the first turn on."""
    long = [
        *stands(0, 2, (1, 0), (0, 9)),
        *stands(0, 4, (3, 0), (1, 0)),
        *stands(0, 6, (3, 1), (3, 0)),
        *stands(0, 8, (3, 1), (3, 2)),
    ]
    short = [*stands(1, 1, (1, 0), (1, 1)), *stands(1, 2, (1, 0), (2, 0))]
    found = drama(Noted([[0, 60], [0, 60]], long + short, STANDING))
    row = found.table.row(0, named=True)
    assert row["stories"] == 2
    assert row["lead_changes"] == 0.5  # by gold, at turn 8
    assert (row["comeback"], row["runaway"], row["wire_to_wire"], row["last_round"]) == (0.5, 0.5, 0.5, 0.5)
    assert row["taken"] == pytest.approx((8 / 8 + 1 / 2) / 2)
    assert row["deficit"] == pytest.approx((2 + 0) / 2)  # lands behind at turn 4
    tenths = found.rounds
    assert tenths["stories"].to_list() == [0, 0, 1, 1, 2, 2, 2, 2, 2, 2]  # standings at 2/8, 4/8, ..; at 1/2, 2/2
    assert tenths["leader_wins"].to_list()[2:] == pytest.approx([0, 0, 0.5, 0.5, 0.5, 0.5, 0.5, 1])
    assert tenths["gap"].to_list()[4:] == pytest.approx([1, 1, 1, 0, 0, 0.5])
    assert tenths["passed"].to_list()[4:] == [0, 0, 0, 0, 0, 0.5]


def test_games_that_nobody_won_have_no_winner_to_speak_of() -> None:
    """A game won from behind with the last turn, and the same one without a winner."""
    one = [*stands(0, 2, (1, 0), (0, 0)), *stands(0, 4, (3, 0), (1, 0)), *stands(0, 8, (3, 0), (4, 0))]
    row = drama(Noted([[0, 60], [0, 0]], [*one, *((1, *event[1:]) for event in one)], STANDING)).table.row(
        0, named=True
    )
    assert (row["stories"], row["lead_changes"]) == (2, 1)
    assert (row["taken"], row["deficit"]) == (1, 2)  # of the one winner
    assert (row["comeback"], row["last_round"]) == (0.5, 0.5)


def test_parts_of_a_game_are_told_for_themselves() -> None:
    """Each part has turns, and a winner, of its own; a part with a single standing has no course."""
    events = [
        (0, 0, -1, BEGINS, 0, 0),
        *stands(0, 1, (1, 0), (0, 0)),
        *stands(0, 2, (2, 0), (0, 0)),
        (0, 0, -1, BEGINS, 1, 0),
        *stands(0, 1, (0, 0), (1, 0)),
        *stands(0, 4, (0, 0), (1, 0)),
        (1, 0, -1, BEGINS, 0, 0),
        *stands(1, 3, (1, 0), (0, 0)),
    ]
    declared = Declarations(standing=Standing("stand", ("lands",), begins="begin", shares=("won_a", "won_b")))
    made = Noted([[30, 30], [60, 0]], events, declared, won_a=[[60, 0], [60, 0]], won_b=[[0, 60], [0, 0]])
    row = drama(made).table.row(0, named=True)
    assert (row["games"], row["stories"], row["lead_changes"]) == (2, 2, 0)
    assert (row["wire_to_wire"], row["comeback"]) == (1, 0)
    assert row["taken"] == pytest.approx((1 / 2 + 1 / 4) / 2)


def test_an_action_mix_goes_by_thirds_of_each_games_length() -> None:
    events = [(0, turn, 0, ACTED, turn > 2, 0) for turn in range(1, 7)] + [(1, 3, 1, ACTED, 1, 0)]
    found = action_mix(Noted([[60, 0], [0, 60]], events, Declarations(actions=Actions("act", ("wait", "hit"))))).table
    assert found["action"].to_list() == ["wait", "hit"] * 3
    assert found["share"].to_list() == [1, 0, 0, 1, 0, 1]
    assert found["times"].to_list() == [2, 2, 2, 2, 3, 3]  # the only turn of the other game ends it


SPEC = make_spec(3, ["regent", "random", "collector"], game="medievallons", design="rotate", seed=4, games=60)


def from_the_log(index: int) -> tuple[Array, bool]:
    """Return the ranks after each whole round and at the end, and whether a winner led after the last whole round."""
    *records, end = next(replays(SPEC, index, 1)).records
    rounds = [item for item in records if item["kind"] == "turn_end" and item["turn"] % SPEC.players == 0]
    ranks = np.array(
        [
            [(guilds << 32) + (members << 16) + hand for guilds, members, hand in zip(*values, strict=True)]
            for values in ((item["guilds"], item["members"], item["hands"]) for item in (*rounds, end))
        ]
    )
    won = np.array(end["share60"]) > 0
    return ranks, bool((ranks[-2] == ranks[-2].max())[won].any())


def test_real_games_unfold_as_their_logs_say(run: Path) -> None:
    told = [from_the_log(index) for index in range(SPEC.games)]
    changes = [int(lead_passes(ranks[None]).sum()) for ranks, _ in told]
    found = drama(SPEC)
    row = found.table.row(0, named=True)
    assert row["stories"] == SPEC.games
    assert row["lead_changes"] == pytest.approx(np.mean(changes))
    assert row["last_round"] == pytest.approx(np.mean([not ahead for _, ahead in told]))
    assert len({len(ranks) for ranks, _ in told}) > 3  # games of many lengths
    assert found.rounds["leader_wins"][-1] == pytest.approx(1, abs=0.05)


@pytest.fixture(scope="module")
def run(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A run with the table of events, as `simulate --tables events` makes one."""
    folder = tmp_path_factory.mktemp("runs") / "run"
    claim(folder)
    writer = RunWriter(folder, SPEC, "minimal", "parquet", ())
    writer.close(execute(SPEC, 2, "minimal", writer.write, writer.finished, tables=("events",)))
    return folder


def test_a_run_and_its_games_played_again_tell_the_same(run: Path) -> None:
    for analysis in (drama, action_mix):
        again, kept = analysis(SPEC), analysis(run)
        assert again.table.equals(kept.table)
        assert again.verdicts == kept.verdicts
    assert drama(SPEC).rounds.equals(drama(run).rounds)


def test_the_mix_of_real_games_counts_every_action(run: Path) -> None:
    acted = load(run).events().collect().filter(kind="action")
    mix = action_mix(run).table
    assert mix.unique("third")["times"].sum() == len(acted)
    assert set(mix["action"]) == set(load_declarations("medievallons").actions.names)


def test_a_run_without_events_says_what_would_help(tmp_path: Path) -> None:
    folder = tmp_path / "run"
    claim(folder)
    writer = RunWriter(folder, SPEC, "full", "parquet", ())
    writer.close(execute(SPEC, 1, "full", writer.write, writer.finished))
    for analysis in (drama, action_mix):
        with pytest.raises(UsageError, match="run the simulation again with the table 'events'"):
            analysis(folder)
