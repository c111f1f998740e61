"""Processes that play games in plain Python beside this one; they run `simcore.doors.worker`."""

from __future__ import annotations

import atexit
import pickle
import subprocess
from contextlib import suppress

from simcore.declared import Declaration
from simcore.imports import given
from simcore.kernel.child import environment, python
from simcore.plain.playing import Job, Played


class Worker:
    """A process that plays the games of one file; it gets the bytes that this process has run, and reads none."""

    def __init__(self, path: str, declaration: Declaration) -> None:
        self._process = subprocess.Popen(
            python("simcore.doors.worker", path, declaration.sha256),
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            env=environment(),
            start_new_session=True,
        )
        assert self._process.stdin
        with suppress(OSError):  # `play` says that it has ended
            pickle.dump((declaration.modules, given()), self._process.stdin)

    def play(self, job: Job) -> Played:
        """Play some games, while other threads of this process run."""
        assert self._process.stdin and self._process.stdout
        try:
            pickle.dump(job, self._process.stdin)
            self._process.stdin.flush()
            found: Played = pickle.load(self._process.stdout)
        except (EOFError, OSError, pickle.UnpicklingError):
            code = self._process.wait()
            return Played(
                fault=f"the process that played the games ended (code {code}); play with one thread to see why"
            )
        return found

    def end(self) -> None:
        """End the process at once."""
        self._process.kill()
        self._process.wait()


class Workers:
    """The processes that are free, for one file."""

    def __init__(self, path: str, declaration: Declaration) -> None:
        self._named = path, declaration
        self._free: list[Worker] = []
        self._all: list[Worker] = []
        atexit.register(self._end)

    def play(self, job: Job) -> Played:
        """Let a free process, or a new one, play some games."""
        try:
            worker = self._free.pop()
        except IndexError:
            worker = Worker(*self._named)
            self._all.append(worker)
        found = worker.play(job)
        self._free.append(worker)
        return found

    def _end(self) -> None:
        for worker in self._all:
            with suppress(OSError):
                worker.end()
