"""The baseline file: the user's choices, and the measured values.

Everything above the line `[measured]` belongs to the user and is never changed, including comments; the rest is written
by `analysis.check.baseline`.  The file is untrusted text: nothing in it is executed.
"""

from __future__ import annotations

import hashlib
import json
import math
import os
import re
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from datetime import date
from pathlib import Path
from typing import Annotated, Any, Literal

from pydantic import Field, ValidationError

from simcore.errors import UsageError, shown
from simcore.game import Game, load_game
from simcore.homes import ELSEWHERE, known_games, naming, updating
from simcore.rules.files import Identifier, Rules, RuleSet, load_rules, shipped_rules
from simcore.running.batch import MAX_GAMES, MAX_SEED, Spec
from simcore.toml_tables import Table, explain, parse, paths, read_bytes, write
from strategies.kit import EXPERTS
from strategies.library import Code, CodeWithheld, load_strategy, shipped_strategies
from strategies.model import Strategy
from strategies.skill import players_of
from strategies.spec import Players, assemble_spec, by_role

FORMAT = "equipoise-baseline/1"

_FORMER = {"event_": "card_", "max_event_swing": "max_card_swing"}
"""Former prefixes of measures of cards, which files may still contain, and their present prefixes."""


Count = Annotated[int, Field(ge=1000, le=MAX_GAMES)]
Seed = Annotated[int, Field(ge=0, le=MAX_SEED)]
Digest = Annotated[str, Field(pattern=r"^[0-9a-f]{64}$")]
Seated = Annotated[str, Field(pattern=r"^([a-z][a-z0-9_-]{0,63}=)?[A-Za-z0-9_-]{1,64}$")]
Finite = Annotated[float, Field(allow_inf_nan=False)]
Sentence = Annotated[str, Field(min_length=1, max_length=300)]


class Exemption(Table):
    """An exception from a limit: who decided it, why, and the last day (UTC) on which it holds."""

    by: Sentence
    why: Sentence
    until: date


class Bounds(Table):
    """What a measure may be at least and at most: a share of the games from 0 to 1, or a number in its own unit.

    level: The level of skill whose players are held to it, or "any" for all that the game has and the file's own
        players.  If None, the latter.
    exception: Until when the limit does not count; see `Exemption`.
    """

    min: Finite | str | None = None
    max: Finite | str | None = None
    level: str | None = None
    exception: Exemption | None = None


class Limits(Table):
    """Absolute limits, which do not depend on the measured values."""

    max_seat_deviation: str | None = None  # largest distance of any seat's share of the wins from its par
    max_camp_deviation: str | None = None  # the same of any camp's, in a game with camps
    max_card_swing: str | None = None  # largest effect of one card on any seat's or strategy's share of the wins
    no_dominant_strategy: Annotated[float, Field(gt=0, lt=1)] | None = None  # most that a seat of a strategy may take
    bounds: dict[str, Bounds] = Field(default_factory=dict)  # of measures, by family or by dotted name


class Judge(Table):
    """How verdicts are found.

    method: "interval": a measure fails if it is surely beyond its margin, and passes if it is surely within.  "gsprt":
        a sequential test of no shift against a shift by the margin, which needs fewer games.
    false_alarms: Probability of any wrong verdict, for all measures of the file together.
    games: Largest number of fresh games at each player count.
    """

    method: Literal["interval", "gsprt"] = "interval"
    false_alarms: Annotated[float, Field(gt=0, lt=0.5)] = 0.05
    games: Count = 1_000_000


class Choices(Table):
    """The user's part of the file.

    game, rules, settings, players, strategies, skill, design: What is played.  Without strategies, the game's players
        of the skill play, or its experts.  Paths are relative to the baseline.
    seed, games: Random seed and number of games of the measurement.
    margins: How far a measure may move, by family or by single measure.
    limits, judge: See `Limits` and `Judge`.
    """

    format: Literal["equipoise-baseline/1"]
    game: str
    rules: str = "base"
    settings: list[str] = Field(default_factory=list)
    players: Annotated[list[int], Field(min_length=1)]
    strategies: list[str] = Field(default_factory=list)
    skill: str | None = None
    design: Literal["rotate", "fixed", "shuffle"] = "rotate"
    seed: Seed = 1
    games: Count = 1_000_000
    margins: dict[str, float | str] = Field(default_factory=dict)
    limits: Limits = Limits()
    judge: Judge = Judge()


class Value(Table):
    """The value of a measure, and its standard error."""

    value: Finite
    error: Annotated[float, Field(ge=0, allow_inf_nan=False)]


class Origin(Table):
    """What a measurement was made with.  The golden digest of each table says which games were played.

    equipoise, code: Version of Equipoise, and SHA-256 of the code that played; empty in files that were written before
        they were stored.
    stream_version: Version of the random streams.
    seed, design: As in a run's specification.
    golden_games: Number of games behind each golden digest.
    rules: Digest of the rules; copies of the rules and the strategies are kept next to the baseline.
    seated: Strategies: one for all seats, or one for each seat; in a game with roles as "role=strategy".
    strategies: Digest of each strategy.
    """

    equipoise: Annotated[str, Field(pattern=r"^[0-9A-Za-z.+!-]{0,40}$")] = ""
    code: Digest | Literal[""] = ""
    stream_version: Annotated[int, Field(ge=1, le=10_000)] = 1
    seed: Seed
    design: Literal["rotate", "fixed", "shuffle"]
    golden_games: Annotated[int, Field(ge=1, le=1_000_000)]
    rules: Digest
    seated: Annotated[list[Seated], Field(min_length=1)]
    strategies: dict[Identifier, Digest]


class Results(Table):
    """The table of results that a measurement was read from.

    simulated: False: no simulation stands behind the values.
    equipoise: Version of Equipoise.
    file, sha256: Name of the file that was imported, and SHA-256 of its contents.
    """

    simulated: Literal[False]
    equipoise: Annotated[str, Field(pattern=r"^[0-9A-Za-z.+!-]{0,40}$")]
    file: Annotated[str, Field(max_length=300)]
    sha256: Digest


class AtTable(Table):
    """What was measured at one player count."""

    golden: Digest
    games: Annotated[int, Field(ge=1)]


@dataclass(frozen=True)
class Measured:
    """The measured part of the file."""

    source: Origin | Results  # what the measurement was made with, or the table of results that it was read from
    tables: Mapping[int, AtTable]
    """Digest of the golden games, or of all games of a table of results, and number of games, by player count."""
    values: Mapping[int, Mapping[str, Value]]  # values by player count, then by the measure's dotted name

    @property
    def origin(self) -> Origin:
        """What the measurement was made with, if the games were played here."""
        assert isinstance(self.source, Origin)
        return self.source


@dataclass(frozen=True)
class Baseline:
    """A baseline file."""

    path: Path  # path of the file
    head: str  # text of the user's part
    choices: Choices  # the user's part, parsed
    measured: Measured | None = None  # the measured part; None before the first measurement
    text: str = field(default="", repr=False)  # text of the whole file

    @property
    def label(self) -> str:
        """Name of the baseline in messages."""
        return shown(str(self.path), 120)

    @property
    def frozen(self) -> Path:
        """Folder of the rules and strategies that it was measured with."""
        return self.path.with_suffix("")

    def line(self, players: int | None, name: str) -> int:
        """Return the number of the line with a measure or limit; the first line if there is none."""
        header = None if players is None else f"[measured.{players}-players]"
        here = header is None
        for number, line in enumerate(self.text.splitlines(), 1):
            here = here or line.strip() == header
            found = re.match(r'"?([\w.-]+)"?\s*=', line)
            if here and found and present(found[1]) == name:
                return number
        return 1


def present(name: str) -> str:
    """Return the present name of a measure or limit."""
    former = next((beginning for beginning in _FORMER if name.startswith(beginning)), "")
    return _FORMER.get(former, "") + name.removeprefix(former)


# --- Read baseline files, which are untrusted text: nothing in them is executed ---


_CONFLICT = re.compile(r"^(<{7}|\|{7}|>{7})( |$)|^={7}$")
_PLAYERS = re.compile(r"([1-9]\d?)-players")
_NAME = re.compile(r"[\w.-]+")
MEASURED = re.compile(r"^\[measured\b", re.MULTILINE)
DIGEST = "digest"
"""Key of the measured part's own digest."""


def read_baseline(path: Path) -> Baseline:
    """Read a baseline file.

    Raises UsageError if the file cannot be used; the message says what is wrong, in which line or key, and how to mend
        it.
    """
    label = shown(str(path), 120)
    baseline, table = _open(path, _text(path), whole=True)
    if "measured" not in table:
        raise UsageError(f"{label}: nothing is measured yet; run: {updating(label)}")
    measured = _measured(table["measured"], label)
    if table["measured"].get(DIGEST) != measured_digest(table["measured"]):
        raise UsageError(
            f"{label}: [measured] {DIGEST}: does not match the figures below it; somebody edited a figure, or two "
            f"versions were mixed; restore the file, or run: {updating(label)}"
        )
    return Baseline(path, baseline.head, baseline.choices, measured, baseline.text)


def measured_digest(table: Mapping[str, Any]) -> str:
    """Return the SHA-256 of the measured part, without its digest, as canonical JSON."""
    text = json.dumps({key: value for key, value in table.items() if key != DIGEST}, sort_keys=True)
    return hashlib.sha256(text.encode()).hexdigest()


def signed(text: str) -> str:
    """Return a baseline's text with the right digest of its measured part."""
    digest = measured_digest(parse(text.encode(), "baseline")["measured"])
    begin = re.search(rf"^\[measured\][^\n]*\n(?:{DIGEST} = [^\n]*\n)?", text, re.MULTILINE)
    assert begin
    return f'{text[: begin.start()]}[measured]\n{DIGEST} = "{digest}"\n{text[begin.end() :]}'


def read_choices(path: Path) -> Baseline:
    """Return only the user's part of a baseline, for a new measurement; a merge conflict below it does not matter."""
    return _open(path, _text(path), whole=False)[0]


def choices_of(head: str, path: Path) -> Baseline:
    """Return a baseline that is not measured yet."""
    return _open(path, head, whole=False)[0]


def _text(path: Path) -> str:
    data = read_bytes(path)
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        label = shown(str(path), 120)
        raise UsageError(f"{label}: not a text file in UTF-8 (byte {error.start}); restore it") from None


def _open(path: Path, text: str, whole: bool) -> tuple[Baseline, dict[str, Any]]:
    """Return the user's part, and the table of everything that was read."""
    label = shown(str(path), 120)
    begin = MEASURED.search(text)
    head = text[: begin.start()] if begin else text
    read = text if whole else head
    for number, line in enumerate(read.splitlines(), 1):
        if _CONFLICT.match(line):
            how = "resolve it" if number <= head.count("\n") else f"run: {updating(label)}"
            raise UsageError(f"{label}: line {number}: a merge conflict is left in the file; {how}")
    table = parse(read.encode(), label)
    own = {key: value for key, value in table.items() if key != "measured"}
    for where in ("margins", "limits"):
        if where in own:
            own[where] = _renamed(own[where], where, label)
    if isinstance(own.get("format"), str) and own["format"] != FORMAT:
        raise UsageError(
            f"{label}: format: '{shown(own['format'])}' is another kind or version of file; this version reads {FORMAT}"
        )
    for where, key, value in _each(own, "margins", "limits"):
        members = [one for name, one in value.items() if name != "exception"] if isinstance(value, dict) else []
        if isinstance(value, dict) and (where == "margins" or any(isinstance(one, dict) for one in members)):
            name = shown(f"{key}.{next(iter(value), 'seat-1')}")
            raise UsageError(f'{label}: [{where}] {name}: put the whole name in quotes, as in "{name}" = ..')
    if isinstance(own.get("limits"), dict):
        own["limits"] = _with_bounds(own["limits"], label)
    try:
        choices = Choices.model_validate(own)
    except ValidationError as error:
        raise UsageError(explain(error, Choices, dict.fromkeys(paths(own), label), label)) from None
    if len(set(choices.players)) < len(choices.players):
        raise UsageError(f"{label}: players: a number is given twice; give each once")
    if choices.strategies and choices.skill is not None:
        raise UsageError(f"{label}: skill: says who plays, and so does strategies; leave out one of the two")
    return Baseline(path, head, choices, text=text), table


def _each(table: Mapping[str, Any], *names: str) -> Iterator[tuple[str, str, Any]]:
    """Yield the entries of some tables in a table."""
    for where in names:
        if isinstance(table.get(where), dict):
            yield from ((where, key, value) for key, value in table[where].items())


def _with_bounds(limits: Mapping[str, Any], label: str) -> dict[str, Any]:
    """Return limits with those of measures, which are tables, in one place."""
    bounds = {key: value for key, value in limits.items() if isinstance(value, dict)}
    for key, value in bounds.items():
        other = next((name for name in value if name not in Bounds.model_fields), "")
        if other or not {"min", "max"} & set(value):
            said = f"has '{shown(other)}'" if other else "says neither min nor max" if value else "is empty"
            raise UsageError(f"{label}: [limits] {shown(key)}: {said}; write min, max or both, as in {{ max = 0.30 }}")
        given = value.get("exception", {"by": "", "why": "", "until": date.min})
        if not isinstance(given, dict) or set(given) != set(Exemption.model_fields) or type(given["until"]) is not date:
            raise UsageError(
                f"{label}: [limits] {shown(key)}: exception: write who decided it, why, and its last day, as in "
                '{ by = "Ada", why = "until the reprint", until = 2026-12-31 }'
            )
    return {key: value for key, value in limits.items() if key not in bounds} | ({"bounds": bounds} if bounds else {})


def _measured(table: Any, label: str) -> Measured:
    """Return the measured part, as far as it is valid."""
    if not isinstance(table, dict):
        raise UsageError(f"{label}: measured: must be a table; run: {updating(label)}")
    own = {key: value for key, value in table.items() if key != DIGEST and not _PLAYERS.fullmatch(key)}
    source = _read(Results if "simulated" in own else Origin, own, "measured", label)
    if isinstance(source, Origin) and {name.rpartition("=")[2] for name in source.seated} != set(source.strategies):
        raise UsageError(
            f"{label}: [measured] seated: names other strategies than [measured.strategies]; run: {updating(label)}"
        )
    tables: dict[int, AtTable] = {}
    values: dict[int, dict[str, Value]] = {}
    for key, rest in table.items():
        found = _PLAYERS.fullmatch(key)
        if not found:
            continue
        name = f"measured.{key}"
        if not isinstance(rest, dict):
            raise UsageError(f"{label}: {name}: must be a table; run: {updating(label)}")
        players = int(found[1])
        fixed = {key: value for key, value in rest.items() if key in AtTable.model_fields}
        tables[players] = _read(AtTable, fixed, name, label)
        rest = {key: value for key, value in rest.items() if key not in AtTable.model_fields}
        rest = _renamed(rest, name, label)
        values[players] = {
            dotted: _read(Value, entry, f"{name}.{dotted}", label) for dotted, entry in _entries(rest, name, label)
        }
    return Measured(source, tables, values)


def _renamed(table: Any, where: str, label: str) -> Any:
    """Return a table of measures or limits by their present names; raise `UsageError` if one has two names."""
    if not isinstance(table, dict):
        return table
    found = {present(name): value for name, value in table.items()}
    if len(found) < len(table):
        twice = next(name for name in table if present(name) != name and present(name) in table)
        raise UsageError(f"{label}: [{where}] {shown(twice)}: is '{shown(present(twice))}' now; keep one of the two")
    return found


def _entries(table: Mapping[str, Any], where: str, label: str, above: str = "") -> Iterator[tuple[str, dict[str, Any]]]:
    """Yield every measure's dotted name and its table."""
    for key, value in table.items():
        dotted = above + key
        if not _NAME.fullmatch(key):
            raise UsageError(
                f"{label}: [{where}] {shown(dotted)}: no such measure; restore the line, or run: {updating(label)}"
            )
        if not isinstance(value, dict):
            raise UsageError(
                f"{label}: [{where}] {shown(dotted)}: must be {{ value = .., error = .. }}; run: {updating(label)}"
            )
        if {"value", "error"} & value.keys() or not value:
            yield dotted, value
        else:
            yield from _entries(value, where, label, f"{dotted}.")


def _read(model: Any, table: dict[str, Any], where: str, label: str) -> Any:
    """Return a model of a table; error messages name the place of what is wrong."""
    try:
        return model.model_validate(table)
    except ValidationError as error:
        message = explain(error, model, dict.fromkeys(paths(table), label), label)
        message = message.removeprefix(f"{label}: ")
        raise UsageError(
            f"{label}: [{shown(where, 120)}] {message}; restore the line, or run: {updating(label)}"
        ) from None


# --- What a baseline plays: its rules and strategies as they are now, and as they were when it was measured ---


RULES_FILE = "rules.toml"
STRATEGY_FILE = "strategy-{}.toml"


@dataclass(frozen=True)
class Setup:
    """Rules and players, resolved."""

    game: Game
    rules: Rules
    strategies: tuple[Strategy, ...]
    design: str
    """game, rules, strategies, design: As in a run's specification; one strategy for all seats, or one for each seat.
    """
    roles: tuple[str, ...] = ()  # the role that each strategy was named for; empty if none was named

    def spec(self, players: int, seed: int, games: int) -> Spec:
        """Return the run at one player count."""
        seated: Players = self.strategies
        if self.roles:
            parts = list(zip(self.roles, self.strategies, strict=True))
            seated = {role: [strategy for own, strategy in parts if own == role] for role in dict.fromkeys(self.roles)}
        return assemble_spec(self.game, players, seated, self.rules, seed, self.design, games)

    @property
    def seated(self) -> tuple[str, ...]:
        """Names of the strategies: one for all seats, or one for each seat; "role=strategy" if roles were named."""
        names = tuple(strategy.name for strategy in self.strategies)
        if not self.roles:
            return names
        return tuple(f"{role}={name}" for role, name in zip(self.roles, names, strict=True))

    @property
    def digests(self) -> dict[str, str]:
        """Digest of everything that affects how each strategy plays, by name."""
        return {strategy.name: strategy.digest for strategy in self.strategies}


@dataclass(frozen=True)
class Instead:
    """What a user wants to check instead of what the baseline names."""

    rules: str | None = None
    settings: tuple[str, ...] = ()
    strategies: tuple[str, ...] = ()
    skill: str | None = None
    """rules, settings, strategies, skill: As on the command line; not both of the last two.  If None or empty, as the
    baseline says."""


def current(baseline: Baseline, instead: Instead | None = None) -> Setup:
    """Return what a baseline plays, as it is now.

    Raises UsageError if the game, the rules or a strategy cannot be found or used.
    """
    choices, other = baseline.choices, instead or Instead()
    game = _game(baseline)
    for players in choices.players:
        if players not in game.players:
            raise UsageError(f"{baseline.label}: players: {game.title} is for {game.span}, not {players}")
    if other.rules is not None:
        rules = load_rules(game, other.rules, other.settings)
    else:
        with _blamed(baseline, "rules"):
            reference = _beside(baseline, choices.rules, shipped_rules(game))
            rules = load_rules(game, reference, (*choices.settings, *other.settings))
    if other.strategies or other.skill is not None:
        roles, names = _by_role(game, other.strategies or _of_skill(game, other.skill))
        strategies = tuple(load_strategy(game, name) for name in names)
    else:
        with _blamed(baseline, "strategies" if choices.skill is None else "skill"):
            roles, names = _by_role(game, choices.strategies or _of_skill(game, choices.skill))
            strategies = tuple(_strategy(baseline, game, name) for name in names)
    return Setup(game, rules, strategies, choices.design, roles)


def _of_skill(game: Game, skill: str | None) -> list[str]:
    """Return a game's players at a level of skill, or its experts, as "role=strategy"."""
    return [f"{role}={name}" for role, name in players_of(game.name, EXPERTS if skill is None else skill).items()]


def _by_role(game: Game, references: Sequence[str]) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Return the roles and strategies in references such as "role=strategy"; no roles if the game has none."""
    found = by_role(game, references, "strategies")
    if not isinstance(found, Mapping):
        return (), tuple(str(name) for name in found)
    pairs = [(role, str(name)) for role, names in found.items() for name in names]
    return (tuple(role for role, _ in pairs) if game.asymmetric else ()), tuple(name for _, name in pairs)


def as_measured(baseline: Baseline) -> Setup | None:
    """Return what the baseline was measured with; None if its copies are missing or this version cannot use them.

    Raises UsageError if a copy is not the one that was used in the measurement.
    """
    assert baseline.measured is not None
    game, origin, folder = _game(baseline), baseline.measured.origin, baseline.frozen
    files = [folder / STRATEGY_FILE.format(name) for name in origin.strategies]
    if not all(path.is_file() for path in (folder / RULES_FILE, *files)):
        return None
    if rules_digest(read_bytes(folder / RULES_FILE), str(folder / RULES_FILE)) != origin.rules:
        raise _meddled(baseline, folder / RULES_FILE)
    try:
        rules = load_rules(game, folder / RULES_FILE)
        found = {
            name: load_strategy(game, path, code=Code.NEVER)
            for name, path in zip(origin.strategies, files, strict=True)
        }
    except CodeWithheld as error:
        raise UsageError(f"{error.message}; no measurement leaves such a file, restore it", error.where) from None
    except UsageError:
        return None
    for (name, strategy), path in zip(found.items(), files, strict=True):
        if strategy.name != name or strategy.digest != origin.strategies[name]:
            raise _meddled(baseline, path)
    roles, names = _by_role(game, origin.seated)
    return Setup(game, rules, tuple(found[name] for name in names), origin.design, roles)


def rules_digest(data: bytes, name: str = "rules") -> str:
    """Return the SHA-256 of the rules in a complete rule file, independent of its layout and title."""
    table = {key: value for key, value in parse(data, shown(name, 120)).items() if key not in RuleSet.model_fields}
    return hashlib.sha256(json.dumps(table, sort_keys=True, default=str).encode()).hexdigest()


def named_beside(path: Path, reference: str, shipped: Sequence[str]) -> str:
    """Return a reference from the command line as a baseline at `path` writes it: files relative to the baseline."""
    if reference in shipped:
        return reference
    return Path(os.path.relpath(reference, path.parent)).as_posix() if reference.endswith(".toml") else reference


def _game(baseline: Baseline) -> Game:
    name = baseline.choices.game
    if name not in known_games():
        known = ", ".join(sorted(known_games()))
        raise UsageError(
            f"{baseline.label}: game: no game '{shown(name)}' in this version; known: {known}; a game of your own is "
            "named by its file, as in --game ./mine.py"
        )
    return load_game(name)


def _beside(baseline: Baseline, reference: str, shipped: Sequence[str]) -> str | Path:
    """Resolve a reference in the file: a shipped name, or a file in the folder of the baseline."""
    if reference in shipped or not reference.endswith(".toml"):
        return reference
    return Path(os.path.normpath(baseline.path.parent / reference))  # also while the folder is still to be made


def _strategy(baseline: Baseline, game: Game, reference: str) -> Strategy:
    if ":" in reference:
        raise UsageError(
            f"'{shown(reference)}' is code, which a baseline does not run",
            way_out=("; name it where you run the check, in", "strategies"),
        )
    return load_strategy(game, _beside(baseline, reference, shipped_strategies(game)), code=Code.NEVER)


def _meddled(baseline: Baseline, path: Path) -> UsageError:
    label = shown(str(path), 120)
    return UsageError(
        f"{label}: is not what {baseline.label} was measured with; restore it, or run: {updating(baseline.label)}"
    )


@contextmanager
def _blamed(baseline: Baseline, key: str) -> Iterator[None]:
    """Let errors name the baseline's key instead of a command's option."""
    try:
        yield
    except UsageError as error:
        message = error.message if error.where in (key, "") else f"{error.where}: {error.message}"
        raise UsageError(message, f"{baseline.label}: {key}", error.way_out) from None


# --- Write baselines: the user's part, with broken limits marked, or a first one, and below it the measured values ---


BROKEN = "# broken: "
"""How the remark begins that marks the line of a broken limit."""


def marked(head: str, broken: Mapping[str, str]) -> str:
    """Return the user's part with a remark at each limit that is broken, by its key, and at no other."""
    lines, here = [], False
    for line in head.splitlines():
        here = line.strip().startswith("[limits]") or (here and not line.strip().startswith("["))
        own = line.partition(f"  {BROKEN}")[0] if here else line
        key = own.partition("=")[0].strip().strip("\"'")
        lines.append(f"{own}  {BROKEN}{broken[key]}" if here and "=" in own and key in broken else own)
    return "\n".join(lines) + "\n"


def render(head: str, measured: Measured) -> str:
    """Return the whole file, with one line for each measure, so that a change of a measure changes one line."""
    source = measured.source
    about = _of_games(source) if isinstance(source, Origin) else write(source.model_dump()).splitlines()
    lines = ["[measured]", *about]
    for players, table in measured.tables.items():
        lines += ["", f"[measured.{players}-players]", f'golden = "{table.golden}"', f"games = {table.games}"]
        lines += [
            f"{name} = {{ value = {_number(value.value)}, error = {_number(value.error)} }}"
            for name, value in measured.values[players].items()
        ]
    return signed(head.rstrip("\n") + "\n\n" + "\n".join(lines) + "\n")


def _of_games(origin: Origin) -> list[str]:
    """Return the lines on what a measurement was made with."""
    seated = ", ".join(f'"{name}"' for name in origin.seated)
    return [
        f'equipoise = "{origin.equipoise}"',
        f'code = "{origin.code}"',
        f"stream_version = {origin.stream_version}",
        f"seed = {origin.seed}",
        f'design = "{origin.design}"',
        f"golden_games = {origin.golden_games}",
        f'rules = "{origin.rules}"',
        f"seated = [{seated}]",
        "",
        "[measured.strategies]",
        *(f'{name} = "{digest}"' for name, digest in origin.strategies.items()),
    ]


def rounded(value: float, error: float) -> Value:
    """Return a value and its standard error as they are written, with three digits of the error."""
    if error <= 0:
        return Value(value=round(value, 12), error=0.0)
    digits = 2 - math.floor(math.log10(error))
    return Value(value=round(value, digits), error=round(error, digits))


def copies(setup: Setup) -> dict[str, str]:
    """Return the files in the folder of a baseline by name: the rules and the strategies."""
    found = {STRATEGY_FILE.format(strategy.name): strategy.to_toml() for strategy in setup.strategies}
    return {RULES_FILE: setup.rules.to_toml()} | found


def first_head(path: str, choices: Mapping[str, Any], margins: Mapping[str, float | str]) -> str:
    """Return the user's part of a new baseline: what is chosen, without what is empty, and the margins."""
    table = {"format": FORMAT} | {key: value for key, value in choices.items() if value not in ([], None)}
    return (
        "# The balance of this game as it was measured; `equipoise check` says whether it still holds. docs/check.md\n"
        "# explains every key. Everything above [measured] is yours to change; the rest is written by\n"
        f"#   {updating(path)}{naming(choices['game'])}\n\n"
        f"{_settings(table, margins)}"
    )


def first_head_of_results(path: str, players: Sequence[int], margins: Mapping[str, float | str]) -> str:
    """Return the user's part of a new baseline of a table of results."""
    table = {"format": FORMAT, "game": ELSEWHERE, "players": list(players)}
    return (
        "# The balance of real games, as a table of results shows it. No simulation stands behind this file.\n"
        "# docs/check.md explains every key. Everything above [measured] is yours to change. Judge a later table with\n"
        f"#   equipoise check --results RUN {path}\n\n"
        f"{_settings(table, margins)}"
    )


def _settings(table: Mapping[str, Any], margins: Mapping[str, float | str]) -> str:
    return (
        f"{write(table)}\n"
        "[margins]  # how far each measure may move: percentage points for shares, otherwise a number in its own unit\n"
        f"{write(margins)}"
    )


def round_margin(size: float) -> float:
    """Return the nearest of 1, 2 and 5 times a power of ten."""
    power = 10 ** math.floor(math.log10(size))
    best = min((1, 2, 5, 10), key=lambda step: abs(math.log(step * power / size)))
    return float(f"{best * power:.12g}")


def _number(value: float) -> str:
    """Return a number as TOML writes it, without an exponent unless it is tiny."""
    text = f"{value:.12f}".rstrip("0")
    return text + "0" if text.endswith(".") else text
