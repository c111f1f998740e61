"""The files of strategies: what they may contain, and what is wrong with one."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import Annotated, Any, Literal

from pydantic import Field, ValidationError

from simcore.errors import UsageError, nearest
from simcore.game import Game, load_game
from simcore.rules.files import Identifier, Text
from simcore.toml_tables import Table, explain, paths, shown
from strategies.custom import MAX_WEIGHT
from strategies.kit import Kit, load_kit
from strategies.levers import LeverTable, read_levers
from strategies.model import Strategy
from strategies.searching import Searching, SearchTable, changed, numbered, read_foresights

Find = Callable[..., Strategy]
"""Finds a strategy by reference or table, given the words by which messages name the place of the reference, and with
`own=True` a user's policy by reference."""

CHANGEABLE = ("tables", "rounds", "decisions")
"""Keys in which a thinker can differ from the one under `like`."""

Weight = Annotated[float, Field(allow_inf_nan=False, ge=-MAX_WEIGHT, le=MAX_WEIGHT)]


class StrategyFile(Table):
    """What a strategy's TOML file may contain."""

    format: Literal["equipoise-strategy/1"]
    game: str
    name: Identifier
    title: Text
    description: Annotated[str, Field(max_length=2000)] = ""
    policy: str
    role: str = ""
    sees_everything: bool = False
    temperature: Annotated[float, Field(allow_inf_nan=False, ge=0, le=MAX_WEIGHT)] = 0.0
    blunder: Annotated[float, Field(allow_inf_nan=False, ge=0, le=1)] = 0.0
    weights: dict[str, Weight] = Field(default_factory=dict)
    forbids: Annotated[list[Annotated[str, Field(max_length=80)]], Field(max_length=100)] = Field(default_factory=list)
    players: dict[str, dict[str, Weight]] = Field(default_factory=dict)
    levers: dict[str, LeverTable] = Field(default_factory=dict)
    search: SearchTable | None = None
    provenance: dict[str, Any] = Field(default_factory=dict)


def read_strategy(game: str, table: Mapping[str, Any], label: str, find: Find, own: Strategy | None = None) -> Strategy:
    """Return the strategy that the table of a file describes.

    game: Name of the game it must play.
    table: The table, with the keys of the file.
    label: Name of the file in messages.
    find: Finds the base that a search names, and the policy in Python that a file names.
    own: What plays the policy, if it is in Python and already found.
    Raises UsageError if something cannot be used; the message names the file, the table and the key.
    """
    try:
        file = StrategyFile.model_validate(dict(table))
    except ValidationError as error:
        blame = dict.fromkeys(paths(table), label)
        raise UsageError(explain(error, StrategyFile, blame, label)) from None
    if file.game != game:
        raise UsageError(f"{label}: game: plays '{shown(file.game)}', not {game}")
    kit = load_kit(game)
    if own is None and ":" in file.policy and not file.policy.endswith(".toml"):
        own = find(file.policy, f"{label}: policy", own=True)
    usual: Mapping[str, float] = {}
    if own is None:
        _check_policy(file, kit, label)
    else:
        _check_own(file, own, label)
        usual = own.weights
    role = _role(file, own.role if own else kit.roles.get(file.policy, ""), load_game(game), label)
    _check_players(file, load_game(game), label)
    by_players = {int(count): {**usual, **weights} for count, weights in file.players.items()}
    search = None
    if file.search is not None:
        search = _searching(file, file.search.model_dump(), label, find)
    found = Strategy(
        game,
        file.name,
        own.policy if own else file.policy,
        file.title,
        file.description,
        file.temperature,
        file.blunder,
        {**usual, **file.weights},
        file.provenance,
        own.custom if own else None,
        tuple(file.forbids),
        by_players,
        search,
        role,
        file.sees_everything,
        read_levers(file.levers, label),
    )
    if found.sees_everything and not found.looks_ahead:
        raise UsageError(
            f"{label}: sees_everything: policy '{shown(file.policy, 120)}' does not look ahead; take it out"
        )
    return found


def _searching(file: StrategyFile, values: dict[str, Any], label: str, find: Find) -> Searching[Strategy]:
    """Return how a file's strategy looks ahead."""
    game = load_game(file.game)
    thinks = file.policy == "thinker"
    like, tables = values.pop("like"), values.pop("tables")
    if like is not None:
        return _like(file, like, label, find)
    if values["base"] is None:
        raise UsageError(f"{label}: [search] base: key is missing")
    if tables is not None:
        raise UsageError(f"{label}: [search] tables: only with 'like'; write it into [search.players.N.ROLE]")
    if thinks != bool(values["players"]) or not all(values["players"].values()):
        told = "needs a table [search.players.N.ROLE]" if thinks else "reads no table [search.players]; take it out"
        raise UsageError(f"{label}: policy '{file.policy}' {told}")
    values["base"] = find(values["base"], f"{label}: [search] base")
    if values["guest"] is not None:
        values["guest"] = find(values["guest"], f"{label}: [search] guest")
    if values["temperature"] and thinks:
        raise UsageError(f"{label}: [search] temperature: write it into the tables [search.players.N.ROLE]")
    values["decisions"] = numbered(values["decisions"], game.decisions, label)
    values["foresights"] = read_foresights(game, values.pop("players"), label)
    hot = values["temperature"] or any(one.temperature for one in values["foresights"].values())
    own = next((one.name for one in (values["base"], values["guest"]) if one and one.custom is not None), None)
    if hot and own:
        raise UsageError(f"{label}: [search] temperature: '{own}' is your own code and adds no noise; remove the key")
    return Searching(**values)


def _like(file: StrategyFile, like: Any, label: str, find: Find) -> Searching[Strategy]:
    """Return how a thinker looks ahead that is like another one but for some keys."""
    assert file.search is not None
    given = file.search.model_fields_set - {"like"}
    if further := sorted(given - {*CHANGEABLE}):
        raise UsageError(f"{label}: [search] {further[0]}: comes from the thinker under 'like'; take it out")
    if not given:
        raise UsageError(
            f"{label}: [search]: nothing differs from 'like'; write {', '.join(CHANGEABLE[:-1])} or {CHANGEABLE[-1]}"
        )
    changes = file.search.model_dump(include=given)
    if "decisions" in changes:
        changes["decisions"] = numbered(changes["decisions"], load_game(file.game).decisions, label)
    model = find(like, f"{label}: [search] like", like=True).search
    if file.policy != "thinker" or model is None or not model.foresights:
        raise UsageError(f'{label}: [search] like: write policy = "thinker", and the name or file of a thinker here')
    return changed(model, changes)


def _check_policy(file: StrategyFile, kit: Kit, label: str) -> None:
    """Raise `UsageError` unless the policy is known and reads the weights given."""
    if file.policy not in kit.policies:
        raise UsageError(f"{label}: policy: no policy '{shown(file.policy)}'{nearest(file.policy, kit.policies)}")
    searches = file.policy in kit.searching
    if searches != (file.search is not None):
        told = "needs the table [search] with its base" if searches else "does not search; take out the table [search]"
        raise UsageError(f"{label}: policy '{file.policy}' {told}")
    for table, weights in _tables(file):
        if weights and file.policy not in kit.weighing:
            raise UsageError(f"{label}: [{shown(table)}]: policy '{file.policy}' reads no weights; take the table out")
        for name in weights:
            if name not in kit.index:
                raise UsageError(f"{label}: [{shown(table)}] {shown(name)}: no such feature{nearest(name, kit.index)}")


def _check_own(file: StrategyFile, own: Strategy, label: str) -> None:
    """Raise `UsageError` unless a policy in Python reads what a file gives it."""
    policy = f"policy '{shown(file.policy, 120)}'"
    if file.search is not None:
        raise UsageError(f"{label}: {policy} does not search; take out the table [search], or make it the base")
    if file.temperature:
        raise UsageError(f"{label}: temperature: {policy} adds no noise; take temperature out, or declare a weight")
    for table, weights in _tables(file):
        for name in weights:
            if name not in own.index:
                known = nearest(name, own.index) if own.index else "; it declares none: @policy(..., weights={...})"
                raise UsageError(f"{label}: [{shown(table)}] {shown(name)}: {policy} has no such weight{known}")


def _tables(file: StrategyFile) -> Iterator[tuple[str, Mapping[str, float]]]:
    """Yield every table of weights in a file, with its name."""
    yield "weights", file.weights
    yield from ((f"players.{count}", weights) for count, weights in file.players.items())
    for key, lever in file.levers.items():
        yield f'levers."{key}".weights', lever.weights
        yield from ((f'levers."{key}".players.{count}', slopes) for count, slopes in lever.players.items())


def _role(file: StrategyFile, able: str, game: Game, label: str) -> str:
    """Return the role that a file's strategy plays, "" for any; raise `UsageError` if its policy cannot play it."""
    if file.role and file.role not in game.role_names:
        raise UsageError(f"{label}: role: no role '{shown(file.role)}'{nearest(file.role, game.role_names)}")
    if file.role and able not in ("", file.role):
        raise UsageError(f"{label}: role: policy '{file.policy}' plays the role '{able}', not '{file.role}'")
    return file.role or able


def _check_players(file: StrategyFile, game: Game, label: str) -> None:
    """Raise `UsageError` if weights are given for an impossible number of players."""
    counts = [str(count) for count in game.players]
    for count in dict.fromkeys([*file.players, *(count for lever in file.levers.values() for count in lever.players)]):
        if count not in counts:
            raise UsageError(f"{label}: [players.{shown(count)}]: {game.title} is for {game.span}")
