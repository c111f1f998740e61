"""How referees are put to the test: one falsehood at a time, every field, every record, and junk."""

import copy
import random
from collections.abc import Callable, Iterable, Sequence
from typing import Any

import pytest

from .desk import Check
from .falsehoods import Case, Log, Mutation, Record

JUNK: list[Any] = ["x", "", [], {}, [{}], [None], [[[[[[1]]]]]], None, True, 0.5, -1, 10**30, {"seat": 1}]


def each_of(cases: Sequence[Case]) -> pytest.MarkDecorator:
    """Return what runs a test with each of these falsehoods: how it spoils a log, and what must be said of it."""
    names = [name.replace(" ", "_") for name, *_ in cases]
    return pytest.mark.parametrize(("spoil", "expected"), [each[1:] for each in cases], ids=names)


def other(value: Any, *names: str) -> Any:
    """Return another value of the same sort; for a text, the first of these names that it is not."""
    if type(value) is bool:
        return not value
    if type(value) is int:
        return value + 1
    if type(value) is str:
        return next(name for name in names if name != value)
    if type(value) is list:
        return [*value, value[-1]] if value else [0]
    return {"zone": "play" if value == {"zone": "box"} else "box"}


def find_falsehood(check: Check, logs: Iterable[Log], spoil: Mutation, expected: str) -> None:
    """Put a falsehood into the first log that has room for it; it must be found where it stands."""
    for log in logs:
        spoilt = copy.deepcopy(log)
        index = spoil(spoilt)
        if index is not None:
            found = check(spoilt)
            assert found, "not found"
            assert found[0].startswith(f"record {index} (")
            assert expected in found[0]
            return
    pytest.fail("no log to spoil this way")


def find_changed_fields(
    check: Check,
    log: Log,
    other: Callable[[Any], Any],
    free: Callable[[Record, str], bool] = lambda record, field: False,
    sort: Sequence[str] = ("kind", "why", "type", "action", "event", "domain"),
) -> None:
    """Drop, empty and change every field of the first record of each sort.

    `other` returns another value, unless the field is `free`.
    """
    assert check(log) == []
    first = dict[tuple[Any, ...], int]()
    for index, record in enumerate(log[1:], start=1):
        first.setdefault(tuple(str(record.get(field)) for field in sort), index)
    for index in first.values():
        honest = log[index]
        for field in honest:
            for spoilt in (
                {key: value for key, value in honest.items() if key != field},
                honest | {field: None if honest[field] is not None else 0},
                honest | {field: other(honest[field]) if not free(honest, field) else None},
            ):
                found = check([*log[:index], spoilt, *log[index + 1 :]])
                assert found and found[0].startswith(f"record {index} ("), (index, spoilt)


def find_lost_records(check: Check, log: Log) -> None:
    """Leave out and repeat every record of a log."""
    for index in range(len(log)):
        assert check([*log[:index], *log[index + 1 :]])
        assert check([*log[: index + 1], *log[index:]])


def find_junk(check: Check, log: Log, free: Iterable[str]) -> None:
    """Put junk everywhere; only the fields of the first line that are `free` may hold some of it."""
    rng = random.Random(1)
    for junk in JUNK:
        for field in log[0]:
            if junk != log[0][field]:
                assert check([log[0] | {field: junk}, *log[1:]]) or field in free, (field, junk)
        for option in log[0]["options"]:
            assert check([log[0] | {"options": log[0]["options"] | {option: junk}}, *log[1:]]) or option in free
        for index in rng.sample(range(1, len(log)), 5):
            assert check([*log[:index], junk, *log[index + 1 :]])
            for field in log[index]:
                if junk != log[index][field]:
                    assert check([*log[:index], log[index] | {field: junk}, *log[index + 1 :]])
