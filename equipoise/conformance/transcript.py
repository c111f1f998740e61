"""Play a game that people have played, move by move, and say where the class forbids a move or ends otherwise.

A transcript has the lines of a replay log, which `equipoise replay --format jsonl` writes and people can write as well:
an object of JSON in each line.  `{"kind": "game", "players": 3, "options": {}}` may stand first, with rule values.
`{"kind": "chance", "purpose": "die", "value": 4}` says what came of the next draw for a purpose, `{"kind": "move",
"seat": 1, "move": [0, 2]}` who did what, and `{"kind": "end", "place": [1, 2, 2]}` how it ended.
"""

from __future__ import annotations

import inspect
import json
import random
from collections.abc import Iterator, MutableSequence, Sequence
from pathlib import Path
from typing import Any

from equipoise.conformance import Outcome
from equipoise.conformance.declared import plain_class
from simcore.errors import UsageError, nearest, printable
from simcore.game import load_game
from simcore.imports import raised
from simcore.plain.game import PlainGame, Streams
from simcore.plain.playing import Fault, ended, jsonable, short, started
from simcore.running.batch import Spec
from strategies.library import shipped_strategies
from strategies.spec import make_spec

TITLE = "The moves of a transcript are allowed, and the game ends as it did"
SHOWN_MOVES = 8


class Drawn(random.Random):
    """A generator that gives what people have drawn, and says if that cannot be."""

    def __init__(self, purpose: str, values: list[Any], otherwise: random.Random) -> None:
        super().__init__(0)
        self._purpose, self._values, self._otherwise = purpose, values, otherwise

    def _next(self, among: Sequence[Any] | None, otherwise: Any) -> Any:
        if not self._values:
            return otherwise()
        value = self._values.pop(0)
        if among is None:
            return value
        for one in among:
            if jsonable(one) == value:
                return one
        raise Fault(f"'{self._purpose}' cannot give {short(value)}; it gives one of {short(list(among))}")

    def randint(self, a: int, b: int) -> int:
        return self._next(range(a, b + 1), lambda: self._otherwise.randint(a, b))

    def randrange(self, start: int, stop: int | None = None, step: int = 1) -> int:
        among = range(start) if stop is None else range(start, stop, step)
        return self._next(among, lambda: self._otherwise.choice(among))

    def choice(self, seq: Any) -> Any:
        return self._next(seq, lambda: self._otherwise.choice(seq))

    def random(self) -> float:
        return self._next(None, self._otherwise.random)

    def sample(self, population: Any, k: int, *, counts: Any = None) -> list[Any]:
        if not self._values:
            return self._otherwise.sample(population, k, counts=counts)
        left = list(population)
        return self._taken(left, self._values.pop(0), k)

    def shuffle(self, x: MutableSequence[Any]) -> None:
        if self._values:
            x[:] = self._taken(list(x), self._values.pop(0), len(x))
        else:
            self._otherwise.shuffle(x)

    def _taken(self, left: list[Any], value: Any, count: int) -> list[Any]:
        """Return so many items in the order that people had, out of those there are."""
        written, taken = [jsonable(one) for one in left], []
        for one in value if isinstance(value, list) and len(value) == count else [None]:
            if one not in written:
                raise Fault(f"'{self._purpose}' cannot give {short(value)}; it gives {count} of {short(written)}")
            at = written.index(one)
            written.pop(at)
            taken.append(left.pop(at))
        return taken


class Retold(Streams):
    """The generators of a game whose chance is written down, as far as it is; the rest is that of a deal."""

    def __init__(self, said: dict[str, list[Any]]) -> None:
        super().__init__()
        self._said = said

    def of(self, purpose: str, slot: int = 0) -> Any:
        """Return the generator for a purpose."""
        otherwise = super().of(purpose, slot)
        return Drawn(purpose, self._said[purpose], otherwise) if purpose in self._said else otherwise


def retell(game: str, path: Path) -> Outcome:
    """Play the moves of a transcript, and return where the game and people part.

    Raises UsageError if the file cannot be read, or the game has no class.
    """
    kind, label = plain_class(game), printable(str(path))
    if kind is None:
        raise UsageError(f"{load_game(game).title} is no class in plain Python, which a transcript needs", "transcript")
    lines = _read(path, label)
    first = next((record for _, record in lines if record["kind"] == "game"), {})
    spec = _spec(kind, game, first, label)
    try:
        return Outcome(TITLE, 0, next(_wrong(kind, spec, first.get("game_id", 0), lines, label), ""))
    except Fault as fault:
        return Outcome(TITLE, 0, f"{label}: {fault}")
    except Exception as error:  # of the author's class
        return Outcome(TITLE, 0, f"{label}: {raised(error, [inspect.getfile(kind)])}")


def _spec(kind: type[PlainGame], game: str, first: dict[str, Any], label: str) -> Spec:
    """Return the run to which the game of a transcript belongs."""
    descriptor = load_game(game)
    players, options = first.get("players", descriptor.default_players), first.get("options", {})
    line, seed = first.get("strategies"), first.get("seed", 1)
    fits = type(players) is int and players in descriptor.players and isinstance(options, dict)
    if not fits or type(first.get("game_id", 0)) is not int or type(seed) is not int:
        raise UsageError(
            f"{label}: the line 'game' does not fit; give players ({descriptor.span}) and options", "transcript"
        )
    if (named := first.get("game", descriptor.name)) != descriptor.name:
        raise UsageError(
            f"{label}: the line 'game' names {short(named)}; give a transcript of '{descriptor.name}'", "transcript"
        )
    rules = vars(kind.Rules())
    if unknown := sorted(options.keys() - rules.keys()):
        raise UsageError(
            f"{label}: options: no rule '{printable(unknown[0])}'{nearest(unknown[0], rules)}", "transcript"
        )
    # A file names no code: whoever played, only strategies that come with the game are seated.
    shipped, usual = set(shipped_strategies(descriptor)), ["random"] * players
    who = [str(name) for name in line] if isinstance(line, list) else []
    ours = len(who) == players and set(who) <= shipped
    return make_spec(game, players, who if ours else usual, settings=options, seed=seed)


def _read(path: Path, label: str) -> list[tuple[int, dict[str, Any]]]:
    """Return the lines of a transcript with their numbers."""
    records = []
    try:
        text = path.read_text("utf-8")
    except (OSError, ValueError) as error:
        raise UsageError(f"{label}: {getattr(error, 'strerror', None) or error}", "transcript") from None
    for number, line in enumerate(text.removesuffix("\n").split("\n"), 1):
        try:
            record = json.loads(line) if line.strip() else {"kind": "empty"}
        except (ValueError, RecursionError):
            record = None
        if not isinstance(record, dict) or not isinstance(record.get("kind"), str):
            raise UsageError(
                f'{label}: line {number}: write an object of JSON with a kind, such as {{"kind": "move", "seat": 1, '
                '"move": 3}',
                "transcript",
            )
        records.append((number, record))
    return records


def _wrong(
    kind: type[PlainGame], spec: Spec, number: int, lines: list[tuple[int, dict[str, Any]]], label: str
) -> Iterator[str]:
    """Play the moves, and yield where the game and people part."""
    said: dict[str, list[Any]] = {}
    for _, record in lines:
        if record["kind"] == "chance":
            said.setdefault(str(record.get("purpose")), []).append(record.get("value"))
    streams = Retold(said)
    streams.begin(spec.seed, number // spec.games_per_deal)
    rules = {key: getattr(spec.rules.values, key) for key in vars(kind.Rules())}
    game = started(kind, rules, spec.players, streams)
    where = label
    for line, record in lines:
        where = f"{label}, line {line}"
        if record["kind"] == "move":
            if game.over():
                yield f"{where}: the class has ended the game before this move; look at over"
            seat, move = game.turn + 1, record.get("move")
            if record.get("seat", seat) != seat:
                yield f"{where}: seat {record['seat']} moves, and the class asks seat {seat}; look at apply"
            legal = list(game.legal())
            own = [one for one in legal if jsonable(one) == move or move in (str(one), game.narrate(one))]
            if not own:
                more = f" and {len(legal) - SHOWN_MOVES} others" if len(legal) > SHOWN_MOVES else ""
                allowed = ", ".join(short(jsonable(one)) for one in legal[:SHOWN_MOVES])
                yield f"{where}: the class forbids {short(move)} of seat {seat}; it allows {allowed}{more}"
                return
            game.apply(own[0])
        elif record["kind"] == "end":
            yield from _ends_otherwise(game, record, where)
            return
    if not game.over():
        yield f"{where}: the class goes on after the last move and asks seat {game.turn + 1}; look at over"


def _ends_otherwise(game: PlainGame, record: dict[str, Any], where: str) -> Iterator[str]:
    if not game.over():
        yield f"{where}: the class goes on and asks seat {game.turn + 1}; look at over"
    scores, places = ended(game)
    for key, own in (("place", places), ("payoffs", scores)):
        method = "places" if key == "place" and type(game).places is not PlainGame.places else "payoffs"
        if key in record and record[key] != own:
            yield f"{where}: '{key}' is {short(record[key])}, and the class says {short(own)}; look at {method}"
