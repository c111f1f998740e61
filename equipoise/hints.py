"""What an error advises, as it is typed: options with their dashes, and none that the command does not have."""

from __future__ import annotations

import re
from collections.abc import Collection, Sequence
from typing import Any

_HINT = re.compile(r"(?P<other>, or (?:(?!, or )[^;])*?)?(?P<linked>, if there is| with)? the option '(?P<name>\w+)'$")
"""The end of a message that advises an option, and the words that offer it as the last of several ways out."""


def options_of(command: Any, line: Sequence[str]) -> set[str]:
    """Return the options of the command that a command line calls.

    Parameters
    ----------
    command
        The application: a group of commands, or a single one.
    line
        The words of the command line.
    """
    for word in line:
        command = getattr(command, "commands", {}).get(word, command)
    return {name for parameter in command.params for name in parameter.opts}


def as_typed(message: str, options: Collection[str]) -> str:
    """Return the message of an error with the option that it advises as it is typed in this command.

    Messages call it "the option 'force'", because the reader may have called a function; see `UsageError`.  If the
    command has no such option, the advice is left out, unless the message offers no other way out.

    Parameters
    ----------
    message
        What is wrong, and how to fix it.
    options
        The options of the command, with their dashes.
    """
    found = _HINT.search(message)
    if found is None:
        return message
    option = f"--{found['name'].replace('_', '-')}"
    if option in options:
        linked = " with" if found["linked"] else ""
        return f"{message[: found.start()]}{found['other'] or ''}{linked} {option}"
    return message[: found.start()] if found["other"] else message
