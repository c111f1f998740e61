"""Find strategies by name, by file or by Python reference."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from copy import deepcopy
from dataclasses import replace
from enum import Enum, auto
from functools import lru_cache, partial
from importlib.metadata import EntryPoint
from pathlib import Path
from typing import Annotated, Any, Literal

from pydantic import Field, ValidationError

from simcore import homes
from simcore.errors import UsageError, nearest, shown
from simcore.game import Game, load_game
from simcore.homes import known_games
from simcore.rules.files import MAX_TEXT, Identifier, Text
from simcore.toml_tables import Table, explain, parse, paths, read_bytes
from strategies.custom import MAX_WEIGHT, CustomPolicy, load_custom, sealed_policy
from strategies.kit import Kit, load_kit
from strategies.levers import LeverTable, read_levers
from strategies.model import Strategy, custom_strategy
from strategies.searching import Searching, SearchTable, changed, numbered, read_foresights

# --- The files of strategies: what they may contain, and what is wrong with one ---


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

    table: The table, with the keys of the file.
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


# --- Find strategies by name, by file or by Python reference ---


class CodeWithheld(UsageError):
    """Data names Python code; code that data names is not run."""


class Code(Enum):
    """Which Python code may be imported when a strategy is looked up.

    NEVER: None: the reference comes from data, such as a baseline.
    NAMED: Only the code that the user's own reference names, and not code that a file named by it names.
    TRUSTED: Also code that files name, because the user allowed it.
    SEALED: None, but a table of code represents a strategy that can be named and not played, which is enough to read a
        run.
    """

    NEVER = auto()
    NAMED = auto()
    TRUSTED = auto()
    SEALED = auto()

    @property
    def in_files(self) -> Code:
        """What may be imported for the base that a file or table names."""
        return Code.NEVER if self is Code.NAMED else self


def shipped_strategies(game: Game) -> list[str]:
    """Return the names of the strategies that come with a game, in alphabetical order."""
    return list(homes.shipped_strategies(game.name))


def quick_strategies(game: Game) -> list[str]:
    """Return the shipped strategies that do not look ahead, and so play thousands of games a second.

    Those that know levers are left out: under the rules from which they start, they play like the experts.
    """
    shipped = {name: load_strategy(game, name) for name in homes.shipped_strategies(game.name)}
    return [name for name, one in shipped.items() if one.search is None and not one.levers]


def namesakes(game: Game, tables: Iterable[Mapping[str, Any]]) -> tuple[str, ...]:
    """Return the names of shipped strategies that other strategies have, given as tables; no code is run."""
    tables = list(tables)
    shipped = homes.shipped_strategies(game.name) if tables and game.name in known_games() else {}
    return tuple(
        name
        for table in tables
        if (name := str(table.get("name"))) in shipped
        and strategy_from_dict(game, table, Code.SEALED).digest != load_strategy(game, name).digest
    )


def _offered() -> dict[str, EntryPoint]:
    """Return the policies that installed packages offer, by name."""
    return {entry.name: entry for entry in homes.offered(homes.POLICIES)}


def load_strategy(game: Game, reference: str | Path, option: str = "strategies", code: Code = Code.NAMED) -> Strategy:
    """Return the strategy that a reference refers to.

    reference: The name of a shipped strategy; the path of a TOML file; "module:attribute" or
        "path/to/file.py:attribute" for a user's own policy; or the name of a policy that an installed package offers
        (entry points "equipoise.strategies").
    option: Name of the option in which the user wrote it, for messages.
    code: Which Python code may be imported.
    Returns Strategy: A user's policy is imported at once, but compiled only when its address is needed.
    Raises UsageError if the reference cannot be used; the message says what is wrong, where, and how to fix it.
    """
    found = _load(game, reference, option, partial(_find_base, game, code.in_files), code)
    return replace(found, reference=str(reference))


def _load(game: Game, reference: str | Path, origin: str, find: Callable[..., Strategy], code: Code) -> Strategy:
    """Return the strategy that a reference refers to; `origin` is where the user wrote it, `find` finds its base."""
    name = str(reference)
    runs = code in (Code.NAMED, Code.TRUSTED)
    if isinstance(reference, Path) or name.endswith(".toml"):
        path = Path(reference)
        label = shown(name, 120)
        return read_strategy(game.name, parse(read_bytes(path), label), label, partial(find, folder=path.parent))
    if ":" in name:
        if not runs:
            raise _withheld(name, origin)
        return custom_strategy(game.name, name, load_custom(game.name, name, origin))
    shipped = homes.shipped_strategies(game.name)
    if name in shipped:
        label = f"{game.name}/{name}"
        table = deepcopy(_parsed(shipped[name].read_bytes(), label))
        return read_strategy(game.name, table, label, find)
    homes.check_strategy(game.name, name, origin)
    if not runs:
        raise _withheld(name, origin)
    return custom_strategy(game.name, name, load_custom(game.name, _offered()[name].value, origin, offered=name))


_parsed = lru_cache(maxsize=256)(parse)
"""Shipped strategies are looked up by name again and again."""


def _withheld(name: str, origin: str) -> CodeWithheld:
    return CodeWithheld(
        f"'{shown(name)}' is code, which is not run because a file names it; name it yourself",
        origin,
        (", or say that you trust the file with", "trust"),
    )


def _find_base(
    game: Game,
    code: Code,
    reference: str | Mapping[str, Any],
    origin: str,
    own: bool = False,
    folder: Path | None = None,
    like: bool = False,
) -> Strategy:
    """Return the base of a search, or the policy of a user's `own`: from a file beside, by reference, or by table.

    With `like`, it is a thinker like which another one looks ahead.
    """
    refuse = partial(_find_but_like, game, code, origin) if like else partial(_find_own, game, code, origin)
    if isinstance(reference, Mapping):
        found = _restore(game, reference, origin, refuse, code)
    else:
        found = _load(game, _beside(folder, reference), origin, refuse, code)
    if found.forbids:
        raise UsageError(f"'{found.name}' forbids itself something; let the strategy that searches do so", origin)
    return found


def _find_but_like(game: Game, code: Code, origin: str, *found: Any, like: bool = False, **how: Any) -> Strategy:
    """Return what the file of a thinker names; refuse one that is itself like another."""
    if like:
        raise UsageError("is itself like another thinker; name that one", origin)
    return _find_base(game, code, *found, **how)


def _beside(folder: Path | None, reference: str) -> str:
    """Return the reference of a .toml or .py file in a folder, if it is there; otherwise the reference as it is."""
    place, colon, attribute = reference.rpartition(":") if not reference.endswith(".toml") else (reference, "", "")
    if folder and place.endswith((".toml", ".py")) and (folder / place).is_file():
        return f"{folder / place}{colon}{attribute}"
    return reference


def _find_own(
    game: Game,
    code: Code,
    origin: str,
    reference: str | Mapping[str, Any],
    place: str,
    own: bool = False,
    folder: Path | None = None,
) -> Strategy:
    """Return the user's `own` policy that the file of a base names; refuse a base that itself needs a base."""
    if own and isinstance(reference, str):
        return _load(game, _beside(folder, reference), place, partial(_find_own, game, code, origin), code)
    raise UsageError("looks ahead itself; name a strategy that does not", origin)


def _load_as_it_was(game: Game, reference: str, table: Mapping[str, Any]) -> CustomPolicy:
    """Load a user's policy, if its files are those that a run was made with."""
    modules = table.get("modules")
    wanted = (str(table["source_sha256"]), modules if isinstance(modules, Mapping) else {})
    offered = _offered().get(reference)
    named = (offered.value, offered.name) if offered else (reference, "")
    return load_custom(game.name, named[0], wanted=wanted, offered=named[1])


def strategy_from_dict(game: Game, table: Mapping[str, Any], code: Code = Code.NEVER) -> Strategy:
    """Rebuild a strategy from the table that `to_dict` returned, for instance from a run's manifest.

    table: The strategy's table; a user's policy is looked up again by its reference, and must not have changed.
    code: Which Python code may be imported; with TRUSTED, the SHA-256 of its file is compared before the import.
    Raises UsageError if the table cannot be used, or a user's policy is missing or has changed.
    """
    return _restore(game, table, "strategies", partial(_find_base, game, code.in_files), code)


def _restore(game: Game, table: Mapping[str, Any], origin: str, find: Callable[..., Strategy], code: Code) -> Strategy:
    """Rebuild a strategy from its table."""
    source, label = table.get("source_sha256"), f"strategy '{shown(str(table.get('name')))}'"
    if source is None:
        return read_strategy(game.name, table, label, find)
    plain = {key: value for key, value in table.items() if key not in ("source_sha256", "modules", "attribute")}
    plain["title"] = shown(str(table.get("title") or table.get("name")), MAX_TEXT)
    name, reference = str(table.get("attribute", table.get("name"))), str(table.get("policy"))
    if code is Code.SEALED:
        weights = table.get("weights")
        names = tuple(weights) if isinstance(weights, Mapping) else ()
        own = custom_strategy(game.name, reference, sealed_policy(game.name, name, str(source), names))
    else:
        if code is Code.TRUSTED:
            own = custom_strategy(game.name, reference, _load_as_it_was(game, reference, table))
        else:
            own = _load(game, reference, origin, find, code)
        if own.custom is None or own.custom.source_digest != source:
            raise UsageError(f"strategy '{own.name}': {own.policy} has changed since the run was made")
    return read_strategy(game.name, plain, label, find, own)
