"""Serve the lab on this machine: a free port, a secret address, and nothing for anybody else."""

from __future__ import annotations

import errno
import secrets
import socket
import threading
from collections.abc import Callable

from equipoise.lab.guard import TOKEN, Guard
from equipoise.lab.session import Session
from simcore.errors import UsageError

HOST = "127.0.0.1"
PORT = 8765
"""The port that is tried first."""

TRIED = 20
"""Number of ports that are tried one after another."""

ABSENT = "the lab needs NiceGUI: pip install 'equipoise[lab]'"


def listen(wanted: int | None) -> socket.socket:
    """Listen on the port that a user wants, or on the next one that is free.

    Nobody else can take the port from then on; who comes before the lab serves has to wait.

    Raises
    ------
    UsageError
        If the port that is wanted, or all that are tried, are in use.
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

    Parameters
    ----------
    session
        What it plays.
    listener
        Where it listens, from `listen`.
    is_open
        Whether a browser is opened.
    tell
        Called with the address once it can be opened.

    Raises
    ------
    UsageError
        If NiceGUI is not installed.
    """
    try:
        from fastapi import FastAPI
        from nicegui import app, ui
        from uvicorn import Config, Server
    except ImportError as error:
        raise UsageError(ABSENT) from error
    from equipoise.lab.page import build

    port, token = listener.getsockname()[1], secrets.token_urlsafe(24)
    address = f"http://{HOST}:{port}/?{TOKEN}={token}"
    build(session)
    web = FastAPI(openapi_url=None)
    ui.run_with(web, title="Equipoise", dark=None, tailwind=False, show_welcome_message=False)
    web.add_middleware(Guard, token=token, port=port)

    def begun() -> None:
        tell(address)
        if is_open:
            import webbrowser

            webbrowser.open(address)

    app.on_startup(threading.Thread(target=begun, daemon=True).start)
    Server(Config(web, log_level="error", ws="wsproto")).run(sockets=[listener])
