"""What every door does: make a class derived from `equipoise.PlainGame` known to the toolkit as a game."""

from __future__ import annotations

import dataclasses
import re
import sys
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any, get_type_hints

import numpy as np
from pydantic import BaseModel, ValidationError

from simcore.declared import Camp, Declaration, game_of, introduce, model_of, packed
from simcore.errors import UsageError, printable
from simcore.homes import known_games, known_homes
from simcore.imports import blamed, is_file
from simcore.plain.batch import Batch
from simcore.plain.game import PlainGame
from simcore.plain.playing import Fault, Opened, drawn, drawn_camps, scored, short
from simcore.rules.files import RuleSet

NEEDED = ("start", "legal", "apply", "over")
RANDOM = "random"


def introduced(opened: Opened, reference: str) -> str:
    """Return the name by which the toolkit knows a game from then on.

    reference: How the user named it, such as the path of its file.
    Raises UsageError if the class cannot be used; the message says what is wrong, and where.
    """
    kind, label = opened.kind, printable(reference)
    if kind.table is None:
        _check_class(kind, label)
    if not isinstance(kind.strategies, Mapping) or not all(map(callable, kind.strategies.values())):
        raise UsageError(f"{label}: strategies: give functions by name, such as {{'greedy': greedy}}", "game")
    for name in ("camps", "columns"):
        if not isinstance(getattr(kind, name), Mapping):
            raise UsageError(f"{label}: {name} is {short(getattr(kind, name))}; give a dict", "game")
    hides = kind.view is not PlainGame.view and kind.imagine is PlainGame.imagine
    if hides and PlainGame.rollout in kind.strategies.values():
        raise UsageError(
            f"{label}: class {kind.__name__} hides something (view), so rollout needs 'imagine', which draws again "
            "what a seat cannot know",
            "game",
        )
    fields = _rule_fields(kind, label)
    found = _declaration(opened, fields, reference, label)
    known = known_homes().get(found.name)
    if known is not None and known.load().playable:
        if known.source != found.sha256:
            raise UsageError(f"{label}: {known.reference} is called '{found.name}' too; give one another name", "game")
        return found.name
    if known is None and found.name in known_games() and found.name != reference:
        raise UsageError(f"{label}: there is a game '{found.name}' already; give the class another name", "game")

    def pack(values: RuleSet, players: int) -> np.record:
        with _refused(kind, label, "rules"):
            kind.Rules(**{name: getattr(values, name) for name in fields})
        return packed(values, players)

    batch = Batch(kind, found, str(Path(reference).resolve()) if is_file(reference) else reference)
    game = game_of(found, model_of(found.name, {key: (one, ...) for key, (one, _) in fields.items()}), pack, batch)
    try:
        game.rules.model_validate({**_TEXTS, "game": found.name, **found.rules})
    except ValidationError as error:
        first = error.errors()[0]
        where = ".".join(map(str, first["loc"]))
        raise UsageError(f"{label}: Rules: {where}: the default does not fit: {first['msg']}", "game") from None
    introduce(game)
    return found.name


_TEXTS = {"format": "equipoise-rules/1", "name": "base", "title": "Base rules"}


def _check_class(kind: type[PlainGame], label: str) -> None:
    """Raise `UsageError` unless a class has what every game needs."""
    for name in NEEDED:
        if getattr(kind, name) is getattr(PlainGame, name):
            raise UsageError(f"{label}: class {kind.__name__} has no method '{name}'", "game")
    if not scored(kind) and kind.places is PlainGame.places:
        raise UsageError(f"{label}: class {kind.__name__} needs 'places' or 'payoffs', which say who wins", "game")
    if not isinstance(kind.most_moves, int) or kind.most_moves < 1:
        raise UsageError(f"{label}: most_moves is {short(kind.most_moves)}; give a whole number from 1", "game")


def _rule_fields(kind: type[PlainGame], label: str) -> dict[str, tuple[Any, Any]]:
    """Return the type and the default of every rule value."""
    made: Any = kind.Rules
    with _refused(kind, label, "game", "; every value needs a default"):
        base = made()
        if isinstance(made, type) and issubclass(made, BaseModel):
            return {
                name: (field.rebuild_annotation(), getattr(base, name)) for name, field in made.model_fields.items()
            }
        if not dataclasses.is_dataclass(made):
            raise UsageError(f"{label}: Rules: make it a dataclass or a pydantic model", "game")
        hints = get_type_hints(made, include_extras=True)
        return {field.name: (hints[field.name], getattr(base, field.name)) for field in dataclasses.fields(made)}


@contextmanager
def _refused(kind: type[PlainGame], label: str, where: str, advice: str = "") -> Iterator[None]:
    """Let what a class of rules raises be a `UsageError`: its words if it refuses values, otherwise file and line."""
    with blamed(f"{label}: Rules", where, [str(sys.modules[kind.__module__].__file__)]):
        try:
            yield
        except (TypeError, NameError, ValueError) as error:
            raise UsageError(f"{label}: Rules: {' '.join(str(error).split())}{advice}", where) from None


def _camps(kind: type[PlainGame], players: range, label: str) -> list[Camp]:
    """Return the camps that a class draws: their pars, and how many seats each has by number of players."""
    with blamed(label, "game", [str(sys.modules[kind.__module__].__file__)]):
        try:
            drawn = [drawn_camps(kind, seats) for seats in players]
        except Fault as fault:
            raise UsageError(f"{label}: {fault}", "game") from None
    names = sorted({name for camps in drawn for name in camps})
    pars = dict(kind.camps) or dict.fromkeys(names, 1 / len(names))
    for seats, camps in zip(players, drawn, strict=True):
        if set(camps) != set(pars):
            raise UsageError(
                f"{label}: with {seats} players camp says {short(camps)}, and the camps are "
                f"{', '.join(map(str, pars))}; each has a seat at every number of players",
                "game",
            )
    return [Camp(title=name, par=par, seats=[camps.count(name) for camps in drawn]) for name, par in pars.items()]


def _declaration(opened: Opened, fields: Mapping[str, tuple[Any, Any]], reference: str, label: str) -> Declaration:
    """Return what a class declares."""
    kind = opened.kind
    players = range(kind.players, kind.players + 1) if isinstance(kind.players, int) else kind.players
    if not isinstance(players, range) or not players or players.step != 1:
        raise UsageError(f"{label}: players is {short(players)}; give a number or a range, such as range(2, 5)", "game")
    names = [name for name in kind.strategies if name != RANDOM]
    try:
        return Declaration(
            name=kind.name or re.sub(r"[^a-z0-9]+", "-", Path(reference).stem.lower()).strip("-"),
            title=kind.title or kind.__name__,
            file=reference,
            sha256=opened.sha256,
            modules=dict(opened.modules),
            players=(players[0], players[-1]),
            default_players=kind.default_players or players[0],
            score=scored(kind),
            lowest_wins=bool(kind.lowest_wins) and scored(kind),
            decimals=kind.decimals or 0,
            teams=kind.teams,
            camps=_camps(kind, players, label) if drawn(kind) else [],
            own=dict(kind.columns),
            played_for=kind.played_for,  # type: ignore[arg-type]
            strategies=(RANDOM, *names),
            default=kind.default or (names or [RANDOM])[0],
            rules={name: value for name, (_, value) in fields.items()},
        )
    except ValidationError as error:
        first = error.errors()[0]
        where = ".".join(map(str, first["loc"]))
        reason = first["msg"].removeprefix("Value error, ")
        raise UsageError(f"{label}: {where + ': ' if where else ''}{reason}", "game") from None
