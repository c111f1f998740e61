"""Errors that a user can fix."""

from __future__ import annotations

import difflib
import re
import unicodedata
from collections.abc import Collection, Iterable

MOST = 1000
"""Largest number of characters of a message; quoted input may be of any length."""


FLAGS = {"settings": "set"}
"""Options whose name differs from that of the argument."""


def _typed(argument: str) -> str:
    """Return an argument's option as it is typed."""
    return f"--{FLAGS.get(argument, argument.replace('_', '-'))}"


def shortened(message: str, most: int = MOST) -> str:
    """Return a long message without its middle; its ends say what is wrong and how to fix it."""
    if len(message) <= most:
        return message
    end = most // 3
    return f"{message[: most - end - 5]} ... {message[-end:]}"


def bug(what: str, error: Exception) -> str:
    """Return one line on an error that nobody expected, and what failed by it."""
    found = " ".join(f"{type(error).__name__}: {error}".split())
    return f"{what} ({shortened(found)}); this is a bug"


_COMMANDS = re.compile(r":(?=:[A-Za-z-]+(?: .*)?::)|#(?=#(?:vso)?\[)")
"""How lines begin that runners of GitHub and Azure obey; a terminal may break a longer line just there."""


def printable(text: str) -> str:
    r"""Return text on one line, in which all that a terminal or a CI runner could obey is spelt out.

    All text that comes from files, and names of files, pass through here before they are shown.

    Examples
    --------
    >>> printable("a\x1b[31m b\nc")
    'a\\x1b[31m b\\nc'
    >>> printable("::error::d")
    '\\x3a:error::d'
    """
    return _COMMANDS.sub(lambda found: f"\\x{ord(found[0]):x}", _spelt_out(text))


def printable_lines(text: str) -> str:
    """Return lines in which all that a terminal could obey is spelt out, except for tabs."""
    return "\n".join("\t".join(map(_spelt_out, line.split("\t"))) for line in text.split("\n"))


def _spelt_out(text: str) -> str:
    if text.isprintable():
        return text
    return "".join(
        character
        if character.isprintable() or unicodedata.category(character) == "Zs"
        else character.encode("unicode_escape").decode()
        for character in text
    )


def shown(text: str, most: int = 60) -> str:
    r"""Return text for a message: printable and not too long.

    Examples
    --------
    >>> shown("\x1b" * 9, 16)
    '\\x1b\\x1b\\x1b\\...'
    """
    told = printable(text[: most + 1])
    return told if len(told) <= most else told[: most - 3] + "..."


class UsageError(Exception):
    """Raised if the user's input cannot be used.

    The message is one line that says what is wrong, where, and how to fix it.  Commands print it and exit with code 2.

    Parameters
    ----------
    message
        What is wrong, and how to fix it.  It names options without dashes, because the reader may have called a
        function.
    where
        The place of the error: the name of an argument, such as "players", or a place, such as "rules.toml: extends".
        Empty if the message says it.
    way_out
        A way out that needs an option: how the message goes on, and the option's name, such as (", or replace it with",
        "force").  Commands that lack the option leave it out.
    """

    def __init__(self, message: str, where: str = "", way_out: tuple[str, str] | None = None) -> None:
        self.where = printable(where)
        self.message = shortened(printable(" ".join(message.split())))
        self.way_out = way_out
        super().__init__(self.message)

    def __str__(self) -> str:
        advice = f"{self.way_out[0]} the option '{self.way_out[1]}'" if self.way_out else ""
        return f"{self.where}: {self.message}{advice}" if self.where else f"{self.message}{advice}"

    def on_command_line(self, options: Collection[str]) -> str:
        """Return the message with the names of arguments as they are typed.

        options: The options of the command, with their dashes.
        """
        label = f"{_typed(self.where) if self.where.isidentifier() else self.where}: " if self.where else ""
        goes_on, option = self.way_out or ("", "")
        advice = f"{goes_on} {_typed(option)}" if _typed(option) in options else ""
        return f"{label}{self.message}{advice}"


class Damaged(UsageError):
    """Raised if a file is not as it was written, so that nothing based on it can be trusted."""


class NotCompiled(UsageError):
    """Raised if Numba cannot compile a game.

    game: Name of the game.
    reason: File, line and reason.
    """

    def __init__(self, game: str, reason: str) -> None:
        super().__init__(f"{game} cannot be compiled: {reason}", "game")
        self.game, self.reason = game, reason


class Interrupted(Exception):
    """Raised if the run was told to stop before its end."""


class KernelFault(RuntimeError):
    """Raised if a game broke an invariant; the message names game, seed and index, and the command to replay it."""


def nearest_key(name: str, keys: Iterable[str]) -> str:
    """Return "; did you mean 'table.key'?" for the dotted keys that end as a name, or else contain it or resemble it.

    name: The key that the user wrote, perhaps without its table.
    keys: All dotted keys.

    Examples
    --------
    >>> nearest_key("mill_coins", ["effects.mill_coins", "starting_coins"])
    "; did you mean 'effects.mill_coins'?"
    >>> nearest_key("coins", ["tiles.mill.coins", "starting_coins", "stacks"])
    "; did you mean 'tiles.mill.coins'?"
    """
    known = sorted(keys, key=lambda key: (key.count("."), key))
    last = name.rpartition(".")[2]
    same = [key for key in known if f".{key}".endswith(f".{name}")]
    meant = same or [key for key in known if last in key.rpartition(".")[2].split("_")]
    if not meant:
        ends = {key.rpartition(".")[2]: key for key in reversed(known)}
        meant = [ends[end] for end in difflib.get_close_matches(last, ends, n=1, cutoff=0.75)]
    if not meant:
        return "; equipoise rules keys lists them"
    listed = [f"'{key}'" for key in meant[:3]]
    return f"; did you mean {' or '.join(filter(None, [', '.join(listed[:-1]), listed[-1]]))}?"


def nearest(name: str, known: Iterable[str]) -> str:
    """Return "; did you mean 'x'?" for the most similar known name, or a short list of all known names."""
    names = sorted(known)
    close = difflib.get_close_matches(name, names, n=1, cutoff=0.6)
    if close:
        return f"; did you mean '{close[0]}'?"
    return f"; known: {', '.join(names)}" if 0 < len(names) <= 30 else ""
