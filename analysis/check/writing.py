"""Write baselines: the user's part unchanged, or a first one, and below it the measured values."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import Any

from analysis.check.baseline import FORMAT, Measured, Origin, Results, Value
from analysis.check.reading import signed
from analysis.check.setup import RULES_FILE, STRATEGY_FILE, Setup
from simcore.homes import ELSEWHERE
from simcore.toml_tables import write


def render(head: str, measured: Measured) -> str:
    """Return the whole file, with one line for each measure, so that a change of a measure changes one line."""
    source = measured.source
    lines = ["[measured]", *(_of_games(source) if isinstance(source, Origin) else _of_results(source))]
    for players, table in measured.tables.items():
        lines += ["", f"[measured.{players}-players]", f'golden = "{table.golden}"', f"games = {table.games}"]
        lines += [
            f"{name} = {{ value = {_number(value.value)}, error = {_number(value.error)} }}"
            for name, value in measured.values[players].items()
        ]
    return signed(head.rstrip("\n") + "\n\n" + "\n".join(lines) + "\n")


def _of_games(origin: Origin) -> list[str]:
    """Return the lines on what a measurement was made with."""
    return [
        f'equipoise = "{origin.equipoise}"',
        f'code = "{origin.code}"',
        f"stream_version = {origin.stream_version}",
        f"seed = {origin.seed}",
        f'design = "{origin.design}"',
        f"golden_games = {origin.golden_games}",
        f'rules = "{origin.rules}"',
        f"seated = {_list(origin.seated)}",
        "",
        "[measured.strategies]",
        *(f'{name} = "{digest}"' for name, digest in origin.strategies.items()),
    ]


def _of_results(results: Results) -> list[str]:
    """Return the lines on the table that a measurement was read from."""
    return write(results.model_dump()).splitlines()


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
        f"#   equipoise check --update {path}\n\n"
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


def _list(names: Sequence[str]) -> str:
    return "[" + ", ".join(f'"{name}"' for name in names) + "]"


def _number(value: float) -> str:
    """Return a number as TOML writes it, without an exponent unless it is tiny."""
    text = f"{value:.12f}".rstrip("0")
    return text + "0" if text.endswith(".") else text
