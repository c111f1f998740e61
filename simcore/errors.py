"""Errors that a user can mend."""

from __future__ import annotations

import difflib
from collections.abc import Iterable

MOST = 1000
"""Characters of a message; what it quotes may be longer than any terminal can show."""


FLAGS = {"settings": "set"}
"""Options whose name differs from that of the argument."""


def shortened(message: str, most: int = MOST) -> str:
    """Return a message that is not too long, without its middle: its ends say what is wrong and how to mend it."""
    if len(message) <= most:
        return message
    end = most // 3
    return f"{message[: most - end - 5]} ... {message[-end:]}"


class UsageError(Exception):
    """Something the user gave cannot be used.

    The message is one line: what is wrong, where, and how to mend it.  The CLI prints it and exits with 2.

    Parameters
    ----------
    message
        What is wrong, and how to mend it.  It names options by their plain names, for it may be read by somebody who
        calls a function.
    where
        What is to blame: the name of the argument, such as "players", or a place, such as "rules.toml: extends";
        empty where the message says it.
    """

    def __init__(self, message: str, where: str = "") -> None:
        self.where = where
        self.message = shortened(" ".join(message.split()))
        super().__init__(self.message)

    def __str__(self) -> str:
        return f"{self.where}: {self.message}" if self.where else self.message

    def on_command_line(self) -> str:
        """Return the message with the name of an argument as the command line writes it."""
        if not self.where.isidentifier():
            return str(self)
        return f"--{FLAGS.get(self.where, self.where.replace('_', '-'))}: {self.message}"


class Damaged(UsageError):
    """A file is not what was once written to it, so that nothing that rests on it can be trusted."""


class Interrupted(Exception):
    """The run was told to stop before its end."""


class KernelFault(RuntimeError):
    """A game broke an invariant; the message names game, seed and index and the replay command that shows it."""


def nearest(name: str, known: Iterable[str]) -> str:
    """Return "; did you mean 'x'?" for the nearest known name, or the list of what is known if that is short.

    Parameters
    ----------
    name
        What the user wrote.
    known
        The names that would have been understood.
    """
    names = sorted(known)
    close = difflib.get_close_matches(name, names, n=1, cutoff=0.6)
    if close:
        return f"; did you mean '{close[0]}'?"
    return f"; known: {', '.join(names)}" if 0 < len(names) <= 30 else ""
