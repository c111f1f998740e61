"""Only the browser that was given the address talks to the lab."""

from __future__ import annotations

import asyncio
from collections.abc import MutableMapping
from typing import Any

import pytest

from equipoise.lab.guard import Guard

HOME = {"host": "127.0.0.1:9000"}
COOKIE = {"cookie": "other=1; equipoise-lab-9000=secret"}
HERE = {"origin": "http://127.0.0.1:9000"}


async def _app(scope: Any, receive: Any, send: Any) -> None:
    await send({"type": "passed"})


def ask(kind: str, headers: dict[str, str], query: str = "") -> list[MutableMapping[str, Any]]:
    """Return what the guard sends for a request."""
    sent: list[MutableMapping[str, Any]] = []

    async def send(message: MutableMapping[str, Any]) -> None:
        sent.append(message)

    async def receive() -> MutableMapping[str, Any]:
        return {"type": "websocket.connect"}

    pairs = [(name.encode(), value.encode()) for name, value in headers.items()]
    scope = {"type": kind, "path": "//example.invalid/", "headers": pairs, "query_string": query.encode()}
    asyncio.run(Guard(_app, "secret", 9000)(scope, receive, send))
    return sent


@pytest.mark.parametrize(
    ("kind", "headers"),
    [
        ("http", HOME | COOKIE),
        ("http", {"host": "localhost:9000"} | COOKIE),
        ("http", HOME | COOKIE | HERE),
        ("websocket", HOME | COOKIE | HERE),
    ],
)
def test_the_page_of_the_lab_passes(kind: str, headers: dict[str, str]) -> None:
    assert ask(kind, headers) == [{"type": "passed"}]


@pytest.mark.parametrize(
    "headers",
    [
        HOME,
        COOKIE,
        HOME | {"cookie": "equipoise-lab-9000=wrong"},
        HOME | {"cookie": "equipoise-lab-9001=secret"},
        HOME | {"cookie": "\x7f=;;="},
        HOME | COOKIE | {"origin": "http://127.0.0.1:9001"},
        HOME | COOKIE | {"origin": "null"},
        HOME | COOKIE | {"origin": "http://example.invalid"},
        COOKIE | {"host": "example.invalid:9000"},
        COOKIE | {"host": "127.0.0.1"},
        COOKIE | {"host": "127.0.0.1:9000.example.invalid"},
    ],
)
def test_everything_else_is_refused(headers: dict[str, str]) -> None:
    (start, _) = ask("http", headers)
    assert start["status"] == 403
    assert ask("websocket", {**headers, **({} if "origin" in headers else HERE)})[0]["code"] == 1008


def test_a_socket_needs_an_origin() -> None:
    assert ask("websocket", HOME | COOKIE)[0]["code"] == 1008


def test_the_token_becomes_a_cookie_and_leaves_the_address() -> None:
    start, _ = ask("http", HOME, "token=secret&players=3&set=a%3D1&set=b%3D2")
    headers = dict(start["headers"])
    assert start["status"] == 303
    assert headers[b"location"] == b"/?players=3&set=a%3D1&set=b%3D2", "no other host, and no token"
    assert headers[b"set-cookie"] == b"equipoise-lab-9000=secret; HttpOnly; SameSite=Strict; Path=/"


def test_a_wrong_token_is_refused() -> None:
    assert ask("http", HOME, "token=guess")[0]["status"] == 403
    assert ask("http", {"host": "example.invalid"}, "token=secret")[0]["status"] == 403
    assert ask("websocket", HOME | HERE, "token=secret")[0]["code"] == 1008, "a socket has the cookie"
