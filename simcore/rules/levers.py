"""What a designer may turn: levers with ranges that a rulebook could print, axes of values, and all keys."""

from __future__ import annotations

import math
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from decimal import Decimal, InvalidOperation
from fnmatch import fnmatchcase
from itertools import pairwise
from typing import TYPE_CHECKING, Any

from simcore.errors import UsageError, nearest_key, shown
from simcore.game import Game
from simcore.rules.files import Rules, RuleSet, load_rules

if TYPE_CHECKING:
    from simcore.game import Game
    from simcore.rules.files import Rules

# --- A key of the rules and the values that it takes, as a user writes them ---


MOST_VALUES = 1_000
ALTERNATIVE = "|"

_RANGE = re.compile(r"(?P<low>[^|\[\"']+?)\.\.(?P<high>[^|:\"']+)(?::(?P<step>.*))?")

_COMMAS = re.compile(r"[^|,\[\]{}\"']+(?:,[^|,\[\]{}\"']+)+")
"""Values between commas, as elsewhere on a command line; a list stands in brackets, a text in quotes."""


@dataclass(frozen=True)
class Axis:
    """A key of the rules and the values that it takes."""

    key: str  # tables and key, joined by dots
    values: tuple[str, ...]  # the values as text of settings, in order

    @property
    def numbers(self) -> list[float] | None:
        """The values as numbers; None if one of them is not a number."""
        try:
            return [float(value) for value in self.values]
        except ValueError:
            return None


def read_axis(text: str) -> Axis:
    """Parse an axis such as "key=lo..hi", "key=lo..hi:step", "key=a|b|c" or "key=value".

    A range includes both ends.  The default step is 1.

    Raises UsageError if a range is empty, reversed or too long, or values are separated by commas.
    """
    key, _, values = (part.strip() for part in text.partition("="))
    label = shown(text)
    if not key or not values:
        raise UsageError(f"{label}: write key=lo..hi, key=lo..hi:step, key=a|b|c or key=value", "settings")
    if found := _RANGE.fullmatch(values):
        return Axis(key, _values_between(label, key, *(found[end] for end in ("low", "high", "step"))))
    taken = tuple(dict.fromkeys(part.strip() for part in values.split(ALTERNATIVE)))
    if not all(taken):
        raise UsageError(f"{label}: a value is missing next to '{ALTERNATIVE}'", "settings")
    if _COMMAS.fullmatch(values):
        alternatives = ALTERNATIVE.join(part.strip() for part in values.split(","))
        raise UsageError(f"{label}: write several values in quotes, as '{key}={alternatives}'", "settings")
    return Axis(key, taken)


def _values_between(label: str, key: str, *ends: str | None) -> tuple[str, ...]:
    try:
        low, high, step = (Decimal("1" if end is None else end.strip()) for end in ends)
        if not all(end.is_finite() for end in (low, high, step)):
            raise InvalidOperation
    except InvalidOperation:
        raise UsageError(
            f"{label}: the ends and the step of a range are numbers, as in {key}=1..9:2", "settings"
        ) from None
    if step <= 0:
        raise UsageError(f"{label}: the step must be larger than 0", "settings")
    if high < low:
        raise UsageError(f"{label}: the range is reversed; write {key}={high}..{low}", "settings")
    if (high - low) / step >= MOST_VALUES:
        raise UsageError(f"{label}: a range has at most {MOST_VALUES:,} values; choose a larger step", "settings")
    return tuple(format(low + number * step, "f") for number in range(int((high - low) / step) + 1))


# --- Levers: whole numbers in the rules that may change, each with a range that a rulebook could print ---


MOST = 24
"""Largest number of levers in one search."""

LEAST_ROOM = 4
"""Least number of steps in each direction if no range is given and the rules allow it."""

Point = tuple[int, ...]
"""A value for each lever."""


@dataclass(frozen=True)
class Lever:
    """A whole number in the rules that may change."""

    key: str  # tables and key, joined by dots; the entries of a list are counted from 1
    value: int  # its present value
    low: int
    high: int
    """low, high: Its smallest and largest possible value."""
    step: int = 1  # possible values differ from `value` by a multiple of this
    switch: bool = False  # whether the value is true (1) or false (0)
    players: int | None = None
    """Number of players whose rules it changes, for an entry of a list by seat; if None, it changes them all."""

    @property
    def idea(self) -> str:
        """The key without the number of its entry: what a designer would call the same idea with other numbers."""
        above, _, last = self.key.rpartition(".")
        return above if above and last.isdigit() else self.key

    @property
    def down(self) -> int:
        """Number of steps from the present value to the lowest one."""
        return (self.value - self.low) // self.step

    @property
    def up(self) -> int:
        """Number of steps from the present value to the highest one."""
        return (self.high - self.value) // self.step

    @property
    def width(self) -> int:
        """Number of steps from the lowest value to the highest one."""
        return self.down + self.up

    @property
    def fixed(self) -> Lever:
        """The same lever, held at its present value."""
        return replace(self, low=self.value, high=self.value)

    def nearest(self, value: float) -> int:
        """Return the possible value that is nearest to a number."""
        steps = round((value - self.value) / self.step)
        return self.value + self.step * max(-self.down, min(self.up, steps))

    def text(self, value: int) -> str:
        """Return a value as settings write it."""
        return str(bool(value)).lower() if self.switch else str(value)

    def tried(self) -> list[int]:
        """Return the values of its curve in order: the neighbours of the present value, both ends, and some between."""
        steps = {0}
        for room, sign in ((self.down, -1), (self.up, 1)):
            steps |= {sign * round(part) for part in (1, math.sqrt(room), room / 2, room) if room}
        return [self.value + self.step * number for number in sorted(steps)]


def settings_of(levers: Sequence[Lever], point: Sequence[int], players: int | None = None) -> list[str]:
    """Return the settings that change the rules to a point, without the levers that stay.

    If `players` is given, the entries of lists by seat are those for that number of players; otherwise, all are named.
    """
    return [
        f"{lever.key}={lever.text(value)}"
        for lever, value in zip(levers, point, strict=True)
        if value != lever.value and players in (None, lever.players or players)
    ]


def size_of(levers: Sequence[Lever], point: Sequence[int]) -> float:
    """Return the size of a change: the number of values touched, plus the parts of their ranges that they move."""
    moves = [
        abs(value - lever.value) / lever.step / max(lever.width, 1) for lever, value in zip(levers, point, strict=True)
    ]
    return sum(1 + move for move in moves if move)


def find_levers(
    game: Game, rules: Rules, counts: Sequence[int], wanted: Sequence[str] = (), declared: Sequence[str] = ()
) -> tuple[Lever, ...]:
    """Return the levers that a user names, or those that the game declares.

    game, rules, counts: What is to be mended, and the numbers of players.  With several, a list by seat has levers of
        its own for each.
    wanted: Keys, tables, lists or patterns such as "events.*.copies", each with an optional range "=lo..hi" or
        "=lo..hi:step".  The default range is the one that the game declares for the key, if the value lies in it, or
        from 0 to twice the value.
    declared: The levers that the game declares, in the same form; "{players}" stands for the number of players.
    Raises UsageError if a key is unknown or is no whole number, or the rules forbid a value in the range.
    """
    players = max(counts)
    known = dict(whole_numbers(game, rules, players))
    ranges: dict[str, str] = {}
    for text in declared:
        for count in counts:
            pattern, _, room = text.replace("{players}", str(count)).partition("=")
            ranges |= dict.fromkeys(_matching(known, pattern), room)
    if not (wanted or ranges):
        raise UsageError(f"{game.title} declares no levers; name some, such as KEY=lo..hi", "free")
    found: dict[str, list[Lever]] = {}
    for text in wanted or ranges:
        pattern, equals, room = (part.strip() for part in text.partition("="))
        if equals and not room:
            raise UsageError(
                f"'{shown(text)}': no range after the '='; write {pattern}=lo..hi, or {pattern} alone", "free"
            )
        keys = _matching(known, pattern)
        if not keys:
            raise UsageError(_unknown(rules, known, pattern), "free")
        for key in keys:
            lever = _lever(game, rules, players, key, known[key], room or ranges.get(key, ""), bool(room))
            found[key] = [replace(lever, players=count) for count in _seated(game, rules, key, counts)] or [lever]
    levers = tuple(lever for some in found.values() for lever in some)
    if len(levers) > MOST:
        raise UsageError(f"{len(levers)} values are free; the maximum is {MOST}, so name fewer keys", "free")
    return levers


def _seated(game: Game, rules: Rules, key: str, counts: Sequence[int]) -> list[int]:
    """Return the numbers of players at which an entry of a list by seat is in play, if there are several."""
    above, _, seat = key.rpartition(".")
    entries = rules.flat().get(above)
    if len(counts) < 2 or not isinstance(entries, list) or len(entries) != game.players[-1] or not seat.isdigit():
        return []
    return [count for count in counts if int(seat) <= count]


def _matching(known: Mapping[str, Any], pattern: str) -> list[str]:
    return [key for key in known if key == pattern or key.startswith(f"{pattern}.") or fnmatchcase(key, pattern)]


def _unknown(rules: Rules, known: Mapping[str, Any], pattern: str) -> str:
    if any(key == pattern or key.startswith(f"{pattern}.") for key in rules.flat()):
        return f"'{shown(pattern)}' is no whole number; sweep it, or name keys that hold whole numbers"
    tables = {key.rpartition(".")[0] for key in known} - {""}
    return f"no key of the rules is called '{shown(pattern)}'{nearest_key(pattern, [*known, *tables])}"


def whole_numbers(game: Game, rules: Rules, players: int) -> Iterator[tuple[str, int]]:
    """Yield every whole number and switch in the rules by its dotted key; of a list by seat, only the seats in play."""
    for key, value in rules.flat().items():
        if key in RuleSet.model_fields or key.rpartition(".")[2] == "assumed":
            continue
        if isinstance(value, int):
            yield key, value
        elif isinstance(value, list):
            seats = players if len(value) == game.players[-1] else len(value)
            for number, entry in enumerate(value[:seats], 1):
                if isinstance(entry, dict) and "id" in entry:
                    yield from ((f"{key}.{entry['id']}.{name}", own) for name, own in entry.items() if type(own) is int)
                elif type(entry) is int:
                    yield f"{key}.{number}", entry


def whole_values(game: Game, rules: Rules, levers: Sequence[Lever]) -> list[int]:
    """Return the values that rules give to levers.

    Raises UsageError if the rules have no such key, or it holds no whole number.
    """
    known = dict(whole_numbers(game, rules, game.players[-1])) if levers else {}
    for lever in levers:
        if lever.key not in known:
            raise UsageError(f"the rules '{rules.name}' have no whole number '{shown(lever.key)}'")
    return [int(known[lever.key]) for lever in levers]


def _lever(game: Game, rules: Rules, players: int, key: str, value: int, room: str, own: bool) -> Lever:
    """Return a lever with its range; both ends of a user's `own` range must be allowed."""
    if isinstance(value, bool):
        return Lever(key, int(value), 0, 1, switch=True)
    low, high, step = _range(key, room) if room else (value, value, 1)
    if own and value not in range(low, high + 1, step):
        raise UsageError(f"{key}: the range {room} leaves out the present value {value}; widen it", "free")
    if not room or value not in range(low, high + 1, step):
        step = 10 ** max(len(str(abs(value))) - 2, 0)
        reach = max(abs(value), LEAST_ROOM * step)
        low, high = min(0, value - reach) if value < 0 else max(0, value - reach), value + reach
    lever = Lever(key, value, low, high, step)
    ends = {}
    for sign, steps in ((-1, lever.down), (1, lever.up)):
        ends[sign] = value + sign * step * _allowed(game, rules, players, lever, sign, steps, own)
    made = Lever(key, value, ends[-1], ends[1], step)
    if not made.width:
        raise UsageError(f"{key}: the rules allow no value but {value}; leave it out", "free")
    return made


def _range(key: str, room: str) -> tuple[int, int, int]:
    refusal = UsageError(f"{key}: '{shown(room)}' is not a range of whole numbers such as 0..9 or 0..30:5", "free")
    try:
        values = [int(value) for value in read_axis(f"{key}={room}").values]
    except UsageError as error:
        raise UsageError(error.message, "free") from None
    except ValueError:
        raise refusal from None
    steps = {later - before for before, later in pairwise(values)}
    if len(steps) != 1 or min(steps) < 1:
        raise refusal
    return values[0], values[-1], steps.pop()


def _allowed(game: Game, rules: Rules, players: int, lever: Lever, sign: int, steps: int, strict: bool) -> int:
    """Return the number of steps that the rules allow in one direction; if `strict`, all of them or an error."""

    def refusal(number: int) -> UsageError | None:
        value = lever.value + sign * lever.step * number
        try:
            made = load_rules(game, rules, [f"{lever.key}={value}"])
            game.pack(made.values, players)
        except UsageError as error:
            return error
        return None

    error = refusal(steps) if steps else None
    if error is None:
        return steps
    if strict:
        raise UsageError(f"{error.message}; choose a narrower range", "free")
    least, most = 0, steps
    while most - least > 1:
        middle = (least + most) // 2
        least, most = (least, middle) if refusal(middle) else (middle, most)
    return least


# --- The keys of a game's rules, with their values and the values that they accept ---


Schema = Mapping[str, Any]


@dataclass(frozen=True)
class RuleKey:
    """One key that settings and rule files may change."""

    key: str  # tables and key, joined by dots
    value: Any  # the value in the rules; None if the key has no value
    takes: str  # the values that the key accepts, such as "0 to 1,000" or "true or false"
    switch: bool  # whether the key chooses between two readings of the rulebook
    choices: tuple[str, ...] = ()  # the values, if the key accepts only some texts
    meaning: str = ""  # what the key decides, if the model says so


def rule_keys(game: Game, rules: Rules) -> list[RuleKey]:
    """Return every key of some rules, in the order of the rule file.

    Parameters
    ----------
    game
        The game, whose model defines the values that a key accepts.
    rules
        The rules, which have the present values.  The names and titles of rule sets are left out.
    """
    model: Schema = game.rules.model_json_schema()
    keys = []
    for key, value in rules.flat().items():
        if key not in RuleSet.model_fields:
            schema = _schema_of(model, key)
            choices, meaning = tuple(_choices(model, schema)), schema.get("description", "")
            keys.append(RuleKey(key, value, _takes(model, schema), bool(schema.get("switch")), choices, meaning))
    return keys


def _schema_of(model: Schema, key: str) -> Schema:
    """Return the part of the model's JSON schema for a dotted key."""
    here = model
    for name in key.split("."):
        here = _resolved(model, here)
        named = here.get("properties", {})
        matching = (inner for pattern, inner in here.get("patternProperties", {}).items() if re.search(pattern, name))
        here = named[name] if name in named else next(matching, here.get("additionalProperties") or {})
    return _resolved(model, here)


def _resolved(model: Schema, schema: Schema) -> Schema:
    """Follow a reference into the model's definitions."""
    while isinstance(schema, Mapping) and "$ref" in schema:
        schema = model["$defs"][schema["$ref"].rpartition("/")[2]]
    return schema


def _choices(model: Schema, schema: Schema) -> list[str]:
    """Return the texts that a schema accepts, if it accepts only some."""
    schema = _resolved(model, schema)
    if "anyOf" in schema:
        return [choice for inner in schema["anyOf"] for choice in _choices(model, inner)]
    names = schema.get("enum", [schema["const"]] if "const" in schema else [])
    return [name for name in names if isinstance(name, str)]


def _takes(model: Schema, schema: Schema) -> str:
    """Return the values that a schema accepts, in words."""
    schema = _resolved(model, schema)
    if "anyOf" in schema:
        kinds = [inner for inner in schema["anyOf"] if inner.get("type") != "null"]
        return " or ".join(dict.fromkeys(_takes(model, inner) for inner in kinds))
    if "enum" in schema or "const" in schema:
        return _either(list(map(str, schema.get("enum", [schema.get("const")]))))
    kind = schema.get("type")
    if kind == "boolean":
        return "true or false"
    if kind in ("integer", "number"):
        return "".join(_bounds(schema)) or ("a whole number" if kind == "integer" else "a number")
    if kind == "array":
        inner: Schema = schema.get("items") or next(iter(schema.get("prefixItems", ())), {})
        most = f" (at most {schema['maxItems']})" if "maxItems" in schema else ""
        return f"list of: {_takes(model, inner)}{most}"
    return {"string": "text", "object": "a table"}.get(str(kind), "see the rule file")


def _either(names: list[str]) -> str:
    return ", ".join(names[:-1]) + f" or {names[-1]}" if len(names) > 1 else names[0]


def _bounds(schema: Schema) -> Iterator[str]:
    """Yield the words for the range of a number."""
    low, high = schema.get("minimum"), schema.get("maximum")
    if low is not None and high is not None:
        yield f"{low:,} to {high:,}"
    elif low is not None:
        yield f"{low:,} or more"
    elif high is not None:
        yield f"{high:,} or less"
