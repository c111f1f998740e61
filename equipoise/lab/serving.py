"""Serve the lab on this machine: a free port, a secret address, and nothing for anybody else."""

from __future__ import annotations

import errno
import secrets
import socket
import threading
import time
from collections.abc import Callable
from contextlib import suppress

from equipoise.lab.guard import TOKEN, Guard
from equipoise.lab.session import Session
from simcore.errors import UsageError

HOST = "127.0.0.1"
PORT = 8765
"""The port that is tried first."""

TRIED = 20
"""Number of ports that are tried one after another."""

GLANCE = 0.02
"""Seconds between two looks whether the lab can be opened."""

ABSENT = "the lab needs NiceGUI: pip install 'equipoise[lab]'"


def free_port(wanted: int | None) -> int:
    """Return the port that a user wants, or the next one that is free.

    Raises
    ------
    UsageError
        If the port that is wanted, or all that are tried, are in use.
    """
    ports = [wanted] if wanted else range(PORT, PORT + TRIED)
    for port in ports:
        with socket.socket() as tried:
            tried.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            try:
                tried.bind((HOST, port))
            except OSError as error:
                if error.errno not in (errno.EADDRINUSE, errno.EACCES):
                    raise
                continue
        return port
    raise UsageError(f"port {ports[0]} is in use; leave the option out, and a free one is found", "port")


def serve(session: Session, port: int, is_open: bool, tell: Callable[[str], None]) -> None:
    """Serve a lab until it is interrupted.

    Parameters
    ----------
    session
        What it plays.
    port
        Where it listens, on this machine only.
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
        from nicegui import app, ui
    except ImportError as error:
        raise UsageError(ABSENT) from error
    from equipoise.lab.page import build

    token = secrets.token_urlsafe(24)
    address = f"http://{HOST}:{port}/?{TOKEN}={token}"
    app.add_middleware(Guard, token=token, port=port)
    build(session)

    def begun() -> None:
        _await(port)
        tell(address)
        if is_open:
            import webbrowser

            webbrowser.open(address)

    app.on_startup(threading.Thread(target=begun, daemon=True).start)
    ui.run(
        host=HOST, port=port, title="Equipoise", dark=None, reload=False, show=False, show_welcome_message=False,
        tailwind=False, uvicorn_logging_level="error",
    )  # fmt: skip


def _await(port: int) -> None:
    """Return when somebody listens on a port of this machine."""
    while True:
        with suppress(ConnectionRefusedError), socket.create_connection((HOST, port)):
            return
        time.sleep(GLANCE)
