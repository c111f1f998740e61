"""What every game must do, at every number of players: functions that raise `Broken` unless a game does it."""

from __future__ import annotations

import json
import subprocess
import tempfile
import warnings
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np

from simcore.atomic import write
from simcore.child_processes import environment, python
from simcore.game import DETAILS, load_game
from simcore.homes import module_name
from simcore.judged import check_par
from simcore.kernel.records import words
from simcore.kernel.trace import MARGIN
from simcore.rules.files import Rules, load_rules, shipped_rules
from simcore.running.batch import Spec, run_chunk, seen_in
from simcore.running.columns import STORED, columns, computed, labels
from simcore.running.executors import Part, execute
from simcore.running.replay import FORMAT, replay, replays
from strategies.kit import load_kit
from strategies.library import load_strategy, shipped_strategies, strategy_from_dict
from strategies.model import Strategy
from strategies.spec import assemble_spec, make_spec
from strategies.watching import under_watch

# --- How a check fails: with a sentence that says what is wrong, in which game, and how to see that game ---


class Broken(AssertionError):
    """Raised by a check that a game does not pass; the message says why."""


def require(holds: Any, reason: str, spec: Spec | None = None, index: int = 0) -> None:
    """Raise `Broken` unless something holds.

    spec, index: The run and the game that show it, if one does.
    """
    if not holds:
        what, _, advice = reason.partition("; ")
        raise Broken(f"{what} {seen_in(spec, index, advice)}" if spec else reason)


def first_game(holds: np.ndarray[Any, Any]) -> int:
    """Return the index of the first game of which something does not hold, given an array with games first."""
    return int(np.argmin(holds.reshape(len(holds), -1).all(axis=1)))


def differences(one: Any, other: Any, inside: str = "") -> Iterator[str]:
    """Yield the names of the fields in which two records, or arrays of records, differ.

    Bytes between the fields, which pad a record, are not compared.

    Examples
    --------
    >>> kind = np.dtype([("turn", np.int32), ("hand", [("cards", np.int32, 2)])])
    >>> one, other = np.zeros(1, kind), np.zeros(1, kind)
    >>> other["hand"]["cards"][0, 1] = 3
    >>> list(differences(one, other))
    ['hand.cards']
    """
    for name in one.dtype.names:
        if one[name].dtype.names:
            yield from differences(one[name], other[name], f"{inside}{name}.")
        elif not np.array_equal(one[name], other[name]):
            yield f"{inside}{name}"


# --- Runs in which a strong player of each role meets weak ones ---


SEED = 17


def spec_of(game: str, players: int, **options: Any) -> Spec:
    """Return a run in which each role's default strategy sits first, and weak strategies sit in its other seats."""
    kit = load_kit(game)
    line = {
        role.name: [kit.default_of(role.name), *[weakest(game, role.name)] * (len(role.at(players)) - 1)]
        for role in load_game(game).roles
    }
    return make_spec(game, players, line, seed=SEED, **options)


def briefly(strategy: Strategy) -> Strategy:
    """Return a strategy that imagines few games if it looks ahead: they are as good as many, being made alike."""
    if strategy.search is None:
        return strategy
    foresights = {key: replace(one, tables=2) for key, one in strategy.search.foresights.items()}
    return replace(strategy, search=replace(strategy.search, rollouts=2, foresights=foresights))


def weakest(game: str, role: str) -> str:
    """Return a shipped strategy of a role that chooses at random, or otherwise one that is not the default."""
    found = load_game(game)
    names = [name for name in shipped_strategies(found) if load_strategy(found, name).role in ("", role)]
    default = load_kit(game).default_of(role)
    return "random" if "random" in names else next((name for name in names if name != default), default)


# --- What every game must do, at every number of players: functions that raise `Broken` unless a game does it ---


GAMES_PLAYED = 200
PARTS, DEALS = 8, 40
"""Number of parts of a run on several threads, and of deals in each of them."""

MOST = {"UInt8": 2**8 - 1, "UInt16": 2**16 - 1, "Boolean": 1}
"""Largest value by type of column; any value of a row fits into 32 bits."""


# --- the descriptor ---


def check_descriptor(game: str) -> None:
    """The descriptor has a name, a title and a usual number of players."""
    found = load_game(game)
    require(found.name == game, f"name: the game is called '{found.name}'")
    require(module_name(game).isidentifier(), f"name: '{game}' cannot be the name of a module")
    require(found.title.isprintable(), "title: it has characters that cannot be shown")
    require(
        found.default_players in found.players, f"default_players: {found.default_players} is not among {found.span}"
    )


def check_row_is_32_bit_words(game: str) -> None:
    """A row of results consists of 32-bit integers."""
    row = load_game(game).row_dtype
    fields: Any = row.fields
    for name, (kind, *_) in fields.items():
        require(kind.base == np.int32, f"row_dtype: field '{name}' is {kind.base}; use np.int32")
    count = sum(int(np.prod(kind.shape, dtype=int)) for kind, *_ in fields.values())
    require(count == words(row), f"row_dtype: {count} fields in {words(row)} words; make it with row_of or layout")
    for name in ("strategy", "place", load_game(game).share):
        require(name in fields, f"row_dtype: there is no field '{name}'")


def check_columns_resolve(game: str) -> None:
    """Every column has a type, a meaning and a field."""
    found = load_game(game)
    spec = spec_of(game, found.default_players)
    fields: Any = found.row_dtype.fields
    minimal = {column.name for column in found.columns if column.detail == "minimal"}
    require(found.score in {None, *minimal}, f"score: column '{found.score}' needs detail='minimal'")
    for column in columns(found, "full")[len(computed(found)) :]:
        label = f"column '{column.name}'"
        require(column.type in STORED, f"{label}: no type '{column.type}'; use one of {', '.join(STORED)}")
        require(column.detail in DETAILS, f"{label}: no detail '{column.detail}'; use one of {', '.join(DETAILS)}")
        require(column.meaning == column.meaning.strip() != "", f"{label}: its meaning is empty or ends with a space")
        require(column.field in fields, f"{label}: the row has no field '{column.field}'")
        shape = fields[column.field][0].shape
        fits = shape == () if column.index is None else shape and 0 <= column.index < shape[0]
        require(fits, f"{label}: index {column.index} does not fit a field of shape {shape}")
        require(column.type != "Enum" or all(labels(column, spec)), f"{label}: one of its labels is empty")
    names = [column.name for column in columns(found, "full")]
    for name in names:
        require(names.count(name) == 1, f"column '{name}': there are {names.count(name)} of that name")


def check_values_fit_their_columns(game: str, players: int) -> None:
    """The values of the rows fit the types of their columns."""
    found, spec = load_game(game), spec_of(game, players)
    rows = run_chunk(spec, 0, GAMES_PLAYED)
    for column in columns(found, "full")[len(computed(found)) :]:
        values = rows[column.field] if column.index is None else rows[column.field][:, column.index]
        most = len(labels(column, spec)) - 1 if column.type == "Enum" else MOST.get(column.type)
        if most is not None:
            low, high = int(values.argmin()) // players, int(values.argmax()) // players
            label = f"column '{column.name}': {column.type} holds"
            require(values.min() >= 0, f"{label} no negative numbers, but {values.min()} was stored", spec, low)
            require(values.max() <= most, f"{label} at most {most}, but {values.max()} was stored", spec, high)


def check_par_is_a_share_of_the_win_by_seat(game: str, players: int) -> None:
    """Par is a share of the win for each seat, and the same for all seats of a role."""
    found = load_game(game)
    for name in shipped_rules(found):
        shares = check_par(game, found.par(load_rules(found, name).values, players), players)
        for role in found.roles:
            alike = len({shares[seat] for seat in role.at(players)}) == 1
            require(alike, f"par: under the rules '{name}' the seats of '{role.name}' differ at {players} players")


# --- rules and strategies ---


def check_shipped_rules_round_trip(game: str) -> None:
    """Rules are the same after they were written and read again."""
    found = load_game(game)
    require("base" in shipped_rules(found), "configs/base.toml: there are no rules of that name")
    for name in shipped_rules(found):
        rules = load_rules(found, name)
        again = Rules.from_dict(found, json.loads(json.dumps(rules.to_dict())))
        require(again.digest == rules.digest, f"rules '{name}': they change when they are written to JSON and read")


def check_base_rules_shown_are_base_rules(game: str) -> None:
    """The file that `rules show` prints contains the same rules."""
    found = load_game(game)
    with tempfile.TemporaryDirectory() as folder:
        shown = Path(folder) / "shown.toml"
        write(shown, load_rules(found).to_toml())
        same = load_rules(found, shown).digest == load_rules(found).digest
    require(same, "rules 'base': they change when they are written to TOML and read")


def check_shipped_strategies_play(game: str, players: int) -> None:
    """Every shipped strategy plays, and its games have one win each."""
    found, kit = load_game(game), load_kit(game)
    names = shipped_strategies(found)
    for role in found.role_names:
        require(kit.default_of(role) in names, f"the default strategy '{kit.default_of(role)}' is not shipped")
    defaults = {role: [load_strategy(found, kit.default_of(role))] for role in found.role_names}
    for name in names:
        strategy = load_strategy(found, name)
        require(strategy.role in ("", *found.role_names), f"strategy '{name}': no role '{strategy.role}'")
        again = strategy_from_dict(found, json.loads(json.dumps(strategy.to_dict())))
        require(again == strategy, f"strategy '{name}': it changes when it is written to JSON and read")
        games = 1 if strategy.looks_ahead else 50
        line = defaults | {role: [briefly(strategy)] for role in found.role_names if strategy.role in ("", role)}
        spec = assemble_spec(found, players, line, load_rules(found), SEED, "rotate", games)
        rows = run_chunk(spec, 0, games).reshape(games, players)
        one_win = rows[found.share].sum(axis=1) == found.share_unit * rows["place"].any(axis=1)
        require(one_win.all(), f"{found.share}: the parts do not add up to one win", spec, first_game(one_win))


# --- outcomes ---


def check_the_win_is_shared_as_the_game_says(game: str, players: int) -> None:
    """The shares of the win add up, agree with `sharing`, and go to those in first place."""
    found, spec = load_game(game), spec_of(game, players)
    rows = run_chunk(spec, 0, GAMES_PLAYED).reshape(GAMES_PLAYED, players)
    places, shares = rows["place"], rows[found.share]
    won = (places > 0).any(axis=1)  # if nobody won, all places are 0
    ranks = np.where(won, 1 + (places[:, None, :] < places[:, :, None]).sum(axis=2).T, 0).T
    for holds, reason in (
        (shares >= 0, f"{found.share}: a part of the win is negative"),
        (shares.sum(axis=1) == found.share_unit * won, f"{found.share}: the parts do not add up to {found.share_unit}"),
        (shares == found.sharing(spec.rules.values, rows, found.share_unit), f"{found.share}: not what `sharing` says"),
        ((shares > 0) | (places != 1), f"{found.share}: a seat in first place has no part of the win"),
        (places == ranks, "place: not 1 + the number of seats that are ranked better"),
    ):
        require(holds.all(), reason, spec, first_game(holds))


def check_the_score_ranks_first(game: str, players: int) -> None:
    """Nobody has a better score than a seat that is ranked better."""
    found = load_game(game)
    if found.score is None:
        return
    column = next(column for column in found.columns if column.name == found.score)
    spec = spec_of(game, players)
    rows = run_chunk(spec, 0, GAMES_PLAYED).reshape(GAMES_PLAYED, players)
    score = rows[column.field] * (-1 if found.lowest_wins else 1)
    better = score[:, None, :] > score[:, :, None]
    ranked = rows["place"][:, None, :] < rows["place"][:, :, None]
    best = "lower" if found.lowest_wins else "higher"
    reason = f"place: a seat with a {best} score is not ranked better (score: '{found.score}')"
    require((ranked | ~better).all(), reason, spec, first_game(ranked | ~better))


def check_seats_follow_the_design(game: str, players: int) -> None:
    """Strategies change seats within their roles as the design of the run says."""
    spec = spec_of(game, players)
    turns = spec.games_per_deal
    rows = run_chunk(spec, 0, 4 * turns)["strategy"].reshape(4, turns, players)
    require((rows[:, 0] == np.arange(players)).all(), "the first game of a deal does not begin with the line-up", spec)
    for role in load_game(game).roles:
        seats = role.at(players)
        times = turns // len(seats) if role in spec.mixed_roles else turns
        for seat in seats:
            entries = np.array(seats if role in spec.mixed_roles else [seat])
            fair = (np.sort(rows[:, :, seat], axis=1) == np.repeat(entries, times)).all()
            require(fair, f"seat {seat + 1} is not taken by each strategy of its role equally often", spec)


def check_games_are_the_same_again(game: str, players: int) -> None:
    """The same seed gives the same games, and another seed others."""
    spec = spec_of(game, players)
    rows = run_chunk(spec, 3, 40).reshape(40, players)
    alone = np.concatenate([run_chunk(spec, index, 1) for index in range(3, 43)]).reshape(40, players)
    for name in differences(rows, alone):
        wrong = first_game(np.asarray(rows[name] == alone[name]))
        reason = f"'{name}' depends on the games before, so `start` does not reset something"
        require(False, reason, spec, 3 + wrong)
    other = replace(spec, seed=SEED + 1)
    others = run_chunk(other, 3, 40).reshape(40, players)
    if not list(differences(rows, others)):  # where all win together, only the moves can differ
        logs = ([game.records for game in replays(seeded, 3, 40)] for seeded in (spec, other))
        require(next(logs) != next(logs), "another seed gives the same games", spec, 3)


def check_threads_change_nothing(game: str, players: int) -> None:
    """The number of threads, which take the parts of a run as they come, does not change the results."""
    size = DEALS * spec_of(game, players).games_per_deal
    spec = spec_of(game, players, games=PARTS * size)
    todo = [Part(number, number * size, size) for number in range(PARTS)]
    same = len({execute(spec, threads, todo=todo).digest for threads in (1, 3)}) == 1
    require(
        same, f"1 thread and 3 play different games of seed {SEED} at {players} players: does `start` set everything?"
    )


def check_another_process_plays_the_same_games(game: str, players: int) -> None:
    """Another process plays the same games."""
    spec = spec_of(game, players)
    play: Any = spec.game.play_batch
    here = run_chunk(spec, 0, 40)
    play.elsewhere = True
    try:
        there = run_chunk(spec, 0, 40)
    finally:
        play.elsewhere = False
    reason = "another process plays other games: does the class go through a set, whose order differs by process?"
    require(bool((here == there).all()), reason, spec, 0)


# --- replays ---


def check_replay_is_the_row(game: str, players: int) -> None:
    """A replay is the game that the batch played."""
    spec = spec_of(game, players)
    rows = run_chunk(spec, 0, 30)
    for index, played in enumerate(replays(spec, 0, 30)):
        require(not played.fault, played.fault, spec, index)
        for name in differences(rows[index * players : (index + 1) * players], played.rows):
            require(False, f"'{name}' is different in the replay", spec, index)


def check_replay_log_parses_and_ends(game: str, players: int) -> None:
    """The log of a replay has its first line, its records and its end."""
    spec = spec_of(game, players)
    for index, played in enumerate(replays(spec, 100, 20), 100):
        lines = [json.loads(line) for line in played.jsonl().splitlines()]
        require(len(lines) == sum(1 + len(log.records) for log in played.logs), "the log has other lines", spec, index)
        for log in played.logs:
            first, *rest = lines[: 1 + len(log.records)]
            del lines[: 1 + len(log.records)]
            expected = {"kind": "game", "format": FORMAT, "game": game, "seed": SEED, "players": players}
            expected["rules_digest"] = spec.rules.digest
            for key, value in expected.items():
                require(first.get(key) == value, f"header: '{key}' is {first.get(key)!r}, not {value!r}", spec, index)
            require(len(first["strategies"]) == players, "header: 'strategies' has other seats", spec, index)
            require(set(spec.rules.switches) <= set(first["options"]), "header: a switch is missing", spec, index)
            kinds = [record["kind"] for record in rest]
            require(
                kinds.count("end") == 1 and kinds[-1] == "end",
                "records: the last one, and only it, is 'end'",
                spec,
                index,
            )
            share = rest[-1].get(spec.game.share)
            require(share is not None, f"records: 'end' has no '{spec.game.share}'", spec, index)
            one_win = sum(share) == spec.game.share_unit * any(rest[-1].get("place", [1]))
            require(one_win, f"records: the '{spec.game.share}' of 'end' do not add up to one win", spec, index)
            for key in ("place", spec.game.share) if len(played.logs) == 1 else ():
                row = played.rows[list(played.logs[0].rows)][key].tolist()
                said = rest[-1].get(key, row)
                require(said == row, f"records: '{key}' of 'end' is {said}, but the game says {row}", spec, index)


def check_replay_reads_as_text(game: str, players: int) -> None:
    """A replay reads as text that begins with the title of the game."""
    spec = spec_of(game, players)
    lines = replay(spec, 5).text().splitlines()
    require(load_game(game).title in lines[0], "narrate: the first line does not contain the title", spec, 5)
    require(all(line.isprintable() for line in lines), "narrate: a line has characters that cannot be shown", spec, 5)


def check_trace_has_room_for_any_game(game: str, players: int) -> None:
    """The trace has room for the replay of any game."""
    spec = spec_of(game, players)
    longest = max(len(played.jsonl()) for played in replays(spec, 0, 50))  # a full trace would have raised
    roomy = longest < spec.game.trace_words * 20 and spec.game.trace_words > 8 * MARGIN
    require(roomy, f"trace_words: {spec.game.trace_words:,} words are few for logs of {longest:,} characters")


# --- What a game must do if its strategies can look ahead, at every number of players ---


SEARCH_SEED = 23
GAMES_WATCHED = 12
GAMES_SEARCHED = 6
TABLES: dict[str, list[int]] = {}  # numbers of players of a game that plays in plain Python, if not all


def check_policies_that_look_ahead_come_with_what_they_need(game: str) -> None:
    """The kit has a policy that looks ahead exactly if the game says how to."""
    kit = load_kit(game)
    both = bool(kit.searching) == (load_game(game).search is not None)
    require(both, "search: a game with `search` needs a policy in `searching` of its kit, and the other way round")
    for name in sorted(kit.searching & kit.weighing):
        require(False, f"searching: the policy '{name}' cannot be in `weighing` too")


def check_a_safe_point_holds_all_that_the_game_needs_and_a_redrawn_table_nothing_hidden(game: str) -> None:
    """Redrawing leaves nothing of what is hidden, and no random number is drawn twice."""
    command = python("equipoise.conformance.plain", game, *map(str, TABLES.get(game, ())))
    without = environment(NUMBA_DISABLE_JIT="1")
    done = subprocess.run(command, env=without, capture_output=True, text=True, check=False)
    said = " | ".join(line.strip() for line in done.stderr.strip().splitlines()[-4:])
    require(done.returncode == 0, f"the game did not end in plain Python, or failed there: {said}")
    for players, found in json.loads(done.stdout).items():
        require(not found["wrong"], "; ".join(found["wrong"]))
        require(found["asked"] > 0, f"no seat has to decide anything at {players} players")


def check_players_who_look_ahead_do_not_merely_play_like_their_base(game: str) -> None:
    """Warn if a search never changes an outcome: most likely, its `judge` says the same of every game."""
    found, kit = load_game(game), load_kit(game)
    for name in shipped_strategies(found):
        own = load_strategy(found, name)
        if own.search is None:
            continue
        defaults = {role: load_strategy(found, kit.default_of(role)) for role in found.role_names}
        lines = [
            {role: [hero if hero.role in ("", role) else other] for role, other in defaults.items()}
            for hero in (own.search.base, own)
        ]
        one, other = (
            assemble_spec(found, found.default_players, line, load_rules(found), SEED, "fixed", GAMES_SEARCHED)
            for line in lines
        )
        if all(_end_alike(one, other, game) for game in range(GAMES_SEARCHED)):
            warnings.warn(f"{game}: '{name}' looks ahead, and {GAMES_SEARCHED} games end as without it", stacklevel=1)


def _end_alike(one: Spec, other: Spec, game: int) -> bool:
    """Whether a game gives every seat the same share in two runs."""
    ends, others = (run_chunk(spec, game, 1)[spec.game.share] for spec in (one, other))
    return np.array_equal(ends, others)


def check_players_who_look_ahead_know_the_table_and_nothing_else(game: str) -> None:
    """A player who looks ahead keeps nothing from game to game, and ties with itself under another name."""
    found = load_game(game)
    players, kit = found.default_players, load_kit(game)
    for name in shipped_strategies(found):
        own = briefly(load_strategy(found, name))
        roles = [role for role in found.roles if own.role in ("", role.name) and len(role.at(players)) > 1]
        for role in roles if own.search else []:
            line = {one: [load_strategy(found, kit.default_of(one))] for one in found.role_names}
            line[role.name] = [replace(own, name="twin"), *[own] * (len(role.at(players)) - 1)]
            games = len(role.at(players))
            spec = assemble_spec(found, players, line, load_rules(found), SEARCH_SEED, "rotate", 2 * games)
            rows = run_chunk(spec, 0, games)[found.share].reshape(games, players)
            reason = f"strategy '{name}': as {role.name}, it plays otherwise where it is called by another name"
            require((rows == rows[0]).all(), reason, spec)
            alone = run_chunk(spec, games - 1, 1)
            reason = f"strategy '{name}': as {role.name}, it plays otherwise after another game"
            require((alone[found.share] == rows[-1]).all(), reason, spec, games - 1)


def check_no_shipped_policy_writes_or_sees_what_it_must_not(game: str, players: int) -> None:
    """No shipped policy changes the game or uses what its seat cannot know: watched games equal those of the run."""
    found, kit = load_game(game), load_kit(game)
    for name in shipped_strategies(found):
        own = briefly(load_strategy(found, name))
        defaults = {role: load_strategy(found, kit.default_of(role)) for role in found.role_names}
        line = {role: [own if own.role in ("", role) else default] for role, default in defaults.items()}
        spec = assemble_spec(found, players, line, load_rules(found), SEARCH_SEED, "rotate", GAMES_WATCHED)
        games = 1 if spec.searches or own.looks_ahead else GAMES_WATCHED
        same = not list(differences(run_chunk(under_watch(spec), 0, games), run_chunk(spec, 0, games)))
        require(same, f"strategy '{name}': it plays other games when it is watched", spec)
