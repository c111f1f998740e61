"""Falsehoods to put into honest logs: how they are told, and those about what all games have."""

from collections.abc import Callable, Iterator
from typing import Any

Record = dict[str, Any]
Log = list[Record]
Mutation = Callable[[Log], int | None]  # spoils a log and returns the index of the record, None where it does not apply

Case = tuple[str, Mutation, str]  # name, mutation, and a text that the first violation must hold


def registrar(cases: list[Case]) -> Callable[[str], Callable[[Mutation], Mutation]]:
    """Return a decorator, given the text expected, that adds mutations to these cases."""

    def expecting(text: str) -> Callable[[Mutation], Mutation]:
        def register(function: Mutation) -> Mutation:
            cases.append((function.__name__, function, text))
            return function

        return register

    return expecting


def records(log: Log, kind: str, **fields: Any) -> Iterator[tuple[int, Record]]:
    """Yield the records of a kind that hold these fields."""
    for index, record in enumerate(log):
        if record["kind"] == kind and fields.items() <= record.items():
            yield index, record


def set_field(name: str, value: Any, /, kind: str, **fields: Any) -> Mutation:
    """Return a mutation that sets a field of the last such record, to the value or to what it makes of the old one."""

    def spoil(log: Log) -> int | None:
        for index, record in reversed([*records(log, kind, **fields)]):
            new = value(record[name]) if callable(value) else value
            if new != record[name]:
                record[name] = new
                return index
        return None

    return spoil


def more(old: int) -> int:
    return old + 1


def told_more(log: Log) -> int | None:
    log[0]["note"] = "hello"
    return 0


def something_after_the_end(log: Log) -> int | None:
    log.append({"kind": "end"})
    return len(log) - 1


def cut_short(log: Log) -> int | None:
    del log[-1]
    return len(log)


GENERAL: list[Case] = [
    ("format", set_field("format", "equipoise-replay/2", "game"), "format is"),
    ("digest", set_field("rules_digest", "abc", "game"), "rules_digest is"),
    ("a strategy missing", set_field("strategies", lambda old: old[1:], "game"), "strategies is"),
    ("another game", set_field("game", "chess", "game"), "game is"),
    ("no digit of the seed", set_field("seed", -1, "game"), "seed is"),
    ("no index", set_field("game_id", None, "game"), "game_id is"),
    ("a field of the first line too many", told_more, "no field"),
    ("something after the end", something_after_the_end, "there is a record after the end"),
    ("cut short", cut_short, "the log ends here"),
]
