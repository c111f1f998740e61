"""Who may talk to the lab: only the browser that was given its address, on this machine.

The guard stands before the whole application, web sockets included.  A request needs this machine's address in `Host`
(against DNS rebinding), no other `Origin`, and the cookie that the address with the token was exchanged for.
"""

from __future__ import annotations

import hmac
from collections.abc import Awaitable, Callable, MutableMapping, Sequence
from http.cookies import CookieError, SimpleCookie
from typing import Any
from urllib.parse import parse_qsl, urlencode

Scope = MutableMapping[str, Any]
Receive = Callable[[], Awaitable[MutableMapping[str, Any]]]
Send = Callable[[MutableMapping[str, Any]], Awaitable[None]]

TOKEN = "token"
"""Name of the part of the address that holds the token."""


class Guard:
    """An ASGI application that lets through only what belongs to the lab's own page.

    app: The application behind it.
    token: The secret of this lab.
    port: The port on which it listens.
    """

    def __init__(self, app: Callable[[Scope, Receive, Send], Awaitable[None]], token: str, port: int) -> None:
        self.app, self.token = app, token
        self.hosts = {f"127.0.0.1:{port}", f"localhost:{port}"}
        self.cookie = f"equipoise-lab-{port}"

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer a request, or refuse it."""
        if scope["type"] not in ("http", "websocket"):
            await self.app(scope, receive, send)
            return
        headers = {name.decode("latin-1").lower(): value.decode("latin-1") for name, value in scope["headers"]}
        if self._is_here(scope["type"], headers):
            if self._knows(headers):
                await self.app(scope, receive, send)
                return
            query = parse_qsl(scope.get("query_string", b"").decode("latin-1"))
            if scope["type"] == "http" and any(name == TOKEN and self._equal(value) for name, value in query):
                await self._welcome([pair for pair in query if pair[0] != TOKEN], send)
                return
        await self._refuse(scope["type"], receive, send)

    def _is_here(self, kind: str, headers: dict[str, str]) -> bool:
        host, origin = headers.get("host", ""), headers.get("origin")
        if host not in self.hosts:
            return False
        return origin == f"http://{host}" if kind == "websocket" or origin is not None else True

    def _knows(self, headers: dict[str, str]) -> bool:
        try:
            cookies = SimpleCookie(headers.get("cookie", ""))
        except CookieError:
            return False
        return self.cookie in cookies and self._equal(cookies[self.cookie].value)

    def _equal(self, token: str) -> bool:
        return hmac.compare_digest(token.encode(), self.token.encode())

    async def _welcome(self, query: Sequence[tuple[str, str]], send: Send) -> None:
        """Exchange the token for a cookie, and take it out of the address."""
        goal = "/" + (f"?{urlencode(query)}" if query else "")
        cookie = f"{self.cookie}={self.token}; HttpOnly; SameSite=Strict; Path=/"
        headers = [(b"location", goal.encode("latin-1")), (b"set-cookie", cookie.encode("latin-1"))]
        headers += [(b"content-length", b"0"), (b"cache-control", b"no-store"), (b"referrer-policy", b"no-referrer")]
        await send({"type": "http.response.start", "status": 303, "headers": headers})
        await send({"type": "http.response.body", "body": b""})

    async def _refuse(self, kind: str, receive: Receive, send: Send) -> None:
        if kind == "websocket":
            await receive()
            await send({"type": "websocket.close", "code": 1008})
            return
        body = b"403: open the address that `equipoise lab` printed.\n"
        headers = [(b"content-type", b"text/plain; charset=utf-8"), (b"content-length", str(len(body)).encode())]
        await send({"type": "http.response.start", "status": 403, "headers": headers})
        await send({"type": "http.response.body", "body": body})
