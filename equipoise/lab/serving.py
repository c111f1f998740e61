"""Serve the lab on this machine: a free port, a secret address, and nothing for anybody else."""

from __future__ import annotations

import errno
import secrets
import socket
import sys
import threading
import webbrowser
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager
from importlib.util import find_spec
from typing import Any

from equipoise.lab.guard import TOKEN, Guard
from equipoise.lab.session import Session
from equipoise.process import signal_waits, together
from simcore.errors import UsageError

HOST = "127.0.0.1"
PORT = 8765
"""The port that is tried first."""

TRIED = 20
"""Number of ports that are tried one after another."""

PATIENCE = 60.0
"""Seconds for which the lab keeps a page that does not answer; it then asks for a new one, and clicks are lost.

NiceGUI's own three seconds are too few where a browser is held up.
"""

ABSENT = "the lab needs NiceGUI: pip install 'equipoise[lab]'"


def listen(wanted: int | None) -> socket.socket:
    """Listen on the port that a user wants, or on the next one that is free.

    Nobody else can take the port from then on; who comes before the lab serves has to wait.

    Raises UsageError if the port that is wanted, or all that are tried, are in use.
    """
    ports = [wanted] if wanted else range(PORT, PORT + TRIED)
    for port in ports:
        try:
            return socket.create_server((HOST, port))
        except OSError as error:
            if error.errno not in (errno.EADDRINUSE, errno.EACCES):
                raise
    raise UsageError(f"port {ports[0]} is in use; leave the option out, and a free one is found", "port")


def serve(session: Session, listener: socket.socket, is_open: bool, tell: Callable[[str], None]) -> None:
    """Serve a lab until it is interrupted.

    session: What it plays.
    listener: Where it listens, from `listen`.
    is_open: Whether a browser is opened.
    tell: Called with the address.  Who opens it at once waits while the lab loads the rest, so that a browser can
        begin.
    Raises UsageError if NiceGUI is not installed.
    """
    if find_spec("nicegui") is None:
        raise UsageError(ABSENT)
    port, token = listener.getsockname()[1], secrets.token_urlsafe(24)
    address = f"http://{HOST}:{port}/?{TOKEN}={token}"
    session.show_to(somebody=False)
    tell(address)
    if is_open:
        threading.Thread(target=webbrowser.open, args=(address,), daemon=True).start()
    with _without("aiohttp", "requests", "tornado", "websocket"):
        from fastapi import FastAPI
        from nicegui import ui
        from uvicorn import Config, Server

        from equipoise.lab.page import build

    build(session)
    web = FastAPI(openapi_url=None)
    ui.run_with(
        web, title="Equipoise", dark=None, tailwind=False, reconnect_timeout=PATIENCE, show_welcome_message=False
    )

    class Lab(Server):
        """A server that ends at all signals of ours, and at no signal that the process was started to ignore."""

        def capture_signals(self) -> AbstractContextManager[None]:  # type: ignore[override]
            return together()

        async def on_tick(self, counter: int) -> bool:
            return signal_waits() or await super().on_tick(counter)

    Lab(Config(Guard(web, token, port), log_level="error", ws="wsproto")).run(sockets=[listener])


@contextmanager
def _without(*names: str) -> Iterator[None]:
    """Hide libraries from the block, which imports NiceGUI: it loads them, if they are there, to talk to other servers.

    They take a third of the time that NiceGUI needs to load, and the lab talks to no other server.
    """
    absent = [name for name in names if name not in sys.modules]
    modules: dict[str, Any] = sys.modules
    modules.update(dict.fromkeys(absent))
    try:
        yield
    finally:
        for name in absent:
            del modules[name]
